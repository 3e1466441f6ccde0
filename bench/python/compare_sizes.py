"""Layers for every size beside what is written by hand, in one run: python bench/python/compare_sizes.py [--threads 1]
[case ...]

training: forward and backward of Graphs and of the fifteen operations written by hand in plain PyTorch, the same
weights in both. copies: forward of Graphs on large graphs beside copying input and output once, and the memory that it
takes. groups: forward and backward of layers of O(n), Sp(n), SO(3) and of point clouds beside the same operations
written by hand. relaxed: forward and backward of RelaxedLinear beside Linear over the subgroup, whose product it runs.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import textwrap
import time

import torch
from compare_nn import compare, contestant
from intertwine import Group
from intertwine.nn import Graphs, Linear, RelaxedLinear, Tensors

# The operations of FifteenOperations in its order, as partitions of the axes (i, j) of y and of those of x.
WORDS = [
    (0, 1, 0, 1), (0, 1, 1, 0),  # x, x^T
    (0, 1, 0, 0), (0, 1, 0, 2), (0, 1, 2, 0),  # on rows: diagonal, sums of rows, sums of columns
    (0, 1, 1, 1), (0, 1, 1, 2), (0, 1, 2, 1),  # on columns
    (0, 1, 2, 2), (0, 1, 2, 3),  # everywhere: trace, total
    (0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 1, 2),  # on the diagonal
]  # fmt: skip


class FifteenOperations(torch.nn.Module):
    """The layer of graphs as one writes it by hand: means over rows, columns and the diagonal, then one product for
    each size."""

    def __init__(self, layer):
        super().__init__()
        self.channels = layer.in_channels
        order = torch.tensor([layer.diagrams.index(word) for word in WORDS])
        self.theta = torch.nn.Parameter(layer.theta.detach()[order].clone())

    def forward(self, x):
        channels, t = self.channels, self.theta
        wide = lambda k, m: t[k : k + m].permute(1, 0, 2).reshape(channels, m * channels)  # noqa: E731
        d, r, k = x.diagonal(dim1=2, dim2=3), x.mean(3), x.mean(2)
        lines = torch.cat((d, r, k), 1)
        totals = torch.stack((d.mean(2), r.mean(2)), 1).flatten(1)
        full = torch.cat((x, x.transpose(2, 3)), 1).flatten(2)
        y = (wide(0, 2) @ full).view(x.shape)
        y = (
            y
            + (wide(2, 3) @ lines)[:, :, :, None]
            + (wide(5, 3) @ lines)[:, :, None, :]
            + (totals @ wide(8, 2).t())[:, :, None, None]
        )
        return y + torch.diag_embed(wide(10, 3) @ lines + (totals @ wide(13, 2).t())[:, :, None])


def training(seconds):
    for n, channels, batch in ((16, 32, 8), (8, 4, 64), (100, 16, 4), (1000, 16, 1)):
        layer = Graphs(channels, channels, bias=False)
        x, g = (torch.randn(batch, channels, n, n) for _ in range(2))
        x.requires_grad_()
        contestants = {
            "intertwine": contestant(layer, g),
            "fifteen operations by hand": contestant(FifteenOperations(layer), g),
        }
        compare(
            f"graphs of {n} nodes, {channels} -> {channels} channels, batch {batch}, forward and backward",
            contestants,
            x,
            seconds,
        )


PEAK = """
    import re, torch
    from intertwine.nn import Graphs
    torch.set_num_threads({threads})
    layer = Graphs(16, 16)
    layer(torch.randn(1, 16, 10, 10)).sum().backward()
    # getrusage would begin with the peak of the process that started this one.
    peak = lambda: int(re.search(r"VmHWM:\\s*([0-9]+)", open("/proc/self/status").read())[1]) / 1024
    x = torch.randn(1, 16, 1000, 1000, requires_grad=True)
    before = peak()
    with torch.no_grad():
        y = layer(x)
    inference = peak()
    layer(x).backward(y)
    print(f"{{inference - before:.0f}} MB for a forward pass, {{peak() - before:.0f}} MB in training, where input and output have 64 MB each")
"""


def copies(seconds):
    for n, channels in ((300, 16), (1000, 16)):
        layer = Graphs(channels, channels)
        x = torch.randn(1, channels, n, n)
        times: dict[str, list[float]] = {"layer": [], "copies": []}
        start = time.perf_counter()
        with torch.no_grad():
            y = layer(x)
            while time.perf_counter() - start < 2 * seconds:
                for name, f in (("layer", lambda: layer(x)), ("copies", lambda: (x.clone(), y.clone()))):
                    begin = time.perf_counter()
                    f()
                    times[name].append(time.perf_counter() - begin)
        print(f"graphs of {n} nodes, {channels} -> {channels} channels, forward")
        ratio = [f(times["layer"]) / f(times["copies"]) for f in (statistics.median, min)]
        print(
            f"  {1e3 * min(times['layer']):.1f} ms at best; {ratio[0]:.2f} of copying input and output (medians), {ratio[1]:.2f} (minima)"
        )
    code = textwrap.dedent(PEAK.format(threads=torch.get_num_threads()))
    print("  " + subprocess.check_output([sys.executable, "-c", code], text=True).strip())


class ByHand(torch.nn.Module):
    """A layer whose operations are functions of x, each mixed by its theta."""

    def __init__(self, layer, operations):
        super().__init__()
        self.operations = [operations[word] for word in layer.diagrams]
        self.theta = torch.nn.Parameter(layer.theta.detach().clone())

    def forward(self, x):
        return sum(f(x, theta) for f, theta in zip(self.operations, self.theta))


def mixed(theta, x):
    return torch.einsum("oi,bi...->bo...", theta, x)


def groups(seconds):
    def trace(x, theta):
        return torch.eye(x.shape[-1]) * mixed(theta, x.diagonal(dim1=2, dim2=3).mean(2))[..., None, None]

    def form(x, theta):
        half = x.shape[-1] // 2
        J = torch.zeros(2 * half, 2 * half)
        J[:half, half:], J[half:, :half] = torch.eye(half), -torch.eye(half)
        return J * mixed(theta, (x * J).sum((2, 3)) / (2 * half))[..., None, None]

    plain = {(0, 1, 0, 1): lambda x, t: mixed(t, x), (0, 1, 1, 0): lambda x, t: mixed(t, x.transpose(2, 3))}
    cross = {
        (-1, -1, -1): lambda x, t: mixed(
            t, torch.stack([x[:, :, i, j] - x[:, :, j, i] for i, j in ((1, 2), (2, 0), (0, 1))], -1)
        )
    }
    cloud = {
        (0, 0, 0, 0): lambda x, t: mixed(t, x),
        (0, 0, 1, 0): lambda x, t: mixed(t, x.mean(2))[:, :, None].expand_as(x),
    }
    cases = (
        ("O(n), matrices of 300 x 300", "O(n)", 2, 2, {**plain, (0, 0, 1, 1): trace}, (4, 8, 300, 300)),
        ("Sp(n), matrices of 300 x 300", "Sp(n)", 2, 2, {**plain, (0, 0, 1, 1): form}, (4, 8, 300, 300)),
        ("SO(3), vector products", "SO(3)", 2, 1, cross, (4096, 16, 3, 3)),
        ("S(n) x O(3), clouds of 1000 points", {"a": "S(n)", "v": "O(3)"}, "av", "av", cloud, (16, 16, 1000, 3)),
    )
    for name, group, k, l, operations, shape in cases:  # noqa: E741
        layer = Tensors(k, l, shape[1], shape[1], bias=False, group=group)
        x = torch.randn(shape, requires_grad=True)
        g = torch.randn_like(layer(x))
        contestants = {
            "intertwine": contestant(layer, g),
            "operations by hand": contestant(ByHand(layer, operations), g),
        }
        compare(
            f"{name}, batch {shape[0]}, {shape[1]} -> {shape[1]} channels, forward and backward",
            contestants,
            x,
            seconds,
        )


def relaxed(seconds):
    for name, expression, generators, channels, batch in (
        ("S8", "perm^2", ["(1,2,3,4,5,6,7,8)"], 8, 16),
        ("p4m(8,8)", "perm", [], 4, 16),
    ):
        G = Group(name)
        V = G.rep(expression)
        H = G.subgroup(generators)
        layer = RelaxedLinear(V, V, H, channels, channels)
        plain = Linear(V.restrict(H), V.restrict(H), channels, channels)
        with torch.no_grad():
            plain.theta.copy_(layer._coefficients()[0])
        x, g = (torch.randn(batch, channels, V.dimension) for _ in range(2))
        x.requires_grad_()
        contestants = {"relaxed": contestant(layer, g), "Linear over the subgroup": contestant(plain, g)}
        steps = f"{layer.theta.shape[0]} + {layer.theta_relaxed.shape[0]}"
        compare(
            f"{name} {expression}, {steps} parameters a pair, {channels} -> {channels} channels, batch {batch}",
            contestants,
            x,
            seconds,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=["training", "copies", "groups", "relaxed"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each contestant")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    print(f"torch {torch.__version__}, {arguments.threads} thread(s)")
    for case in arguments.cases:
        {"training": training, "copies": copies, "groups": groups, "relaxed": relaxed}[case](arguments.seconds)


if __name__ == "__main__":
    main()
