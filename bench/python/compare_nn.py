"""Layers of intertwine.nn beside plain PyTorch, in one run: python bench/python/compare_nn.py [--threads 1] [case ...]

Every time is the median over rounds in which the contestants take turns, of one forward and backward pass, in
milliseconds.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import subprocess
import sys
import textwrap
import time

START_UP = """
    import resource, time
    import torch
    torch.set_num_threads({threads})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    from intertwine import Group
    from intertwine.nn import Linear
    V = Group("p4m(32,32)").rep("perm")
    layer = Linear(V, V, 64, 64, mode="{mode}")
    made = time.perf_counter()
    y = layer(torch.randn(1, 64, 1024))
    end = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{{layer.theta.shape[0]}} parameters a pair: {mode}: made in {{made - start:.2f}} s, first forward after {{end - start:.2f}} s; "
          f"{{peak / 1024:.0f}} MB at most, {{before / 1024:.0f}} of them PyTorch's")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=["start", "tables", "small", "graphs", "convolution", "cyclic"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each contestant")
    arguments = parser.parse_args()
    if "start" in arguments.cases:
        print("start-up, p4m(32,32) 64 -> 64 channels (W would have 17 GB)")
        for mode in ("automatic", "automatic", "fastest", "fastest"):
            code = textwrap.dedent(START_UP.format(threads=arguments.threads, mode=mode))
            print("  " + subprocess.check_output([sys.executable, "-c", code], text=True).strip())
    import torch

    torch.set_num_threads(arguments.threads)
    print(f"torch {torch.__version__}, {arguments.threads} thread(s)")
    for case in ("tables", "small", "graphs", "convolution", "cyclic"):
        if case in arguments.cases:
            for title, contestants, x in globals()[case]():
                compare(title, contestants, x, arguments.seconds)


def compare(title, contestants, x, seconds, clock=time.perf_counter):
    """Contestants are modules with their parameters and the gradient of their output. Outputs and gradients of x are
    compared first, but for those called plain."""
    import torch

    def step(f):
        for t in (x, *f[1]):
            t.grad = None
        y = f[0](x)
        y.sum().backward() if f[2] is None else y.backward(f[2])
        return y

    first = None
    for name, f in contestants.items():
        found = step(f).detach(), x.grad
        first = first or found
        if found[0].shape == first[0].shape and not name.startswith("plain"):
            torch.testing.assert_close(found, first, rtol=1e-3, atol=1e-3)
    in_turns(
        title,
        {name: functools.partial(step, f) for name, f in contestants.items()},
        seconds,
        lambda name: getattr(contestants[name][0], "form", ""),
        clock,
    )


def in_turns(title, steps, seconds, form=lambda name: "", clock=time.perf_counter):
    """Prints what the steps, functions by name, take in rounds in which they take turns, by a clock that may count the
    time of the processor."""
    times = {name: [] for name in steps}
    # As many steps in a round as take two hundredths of a second.
    repeat = {}
    for name, step in steps.items():
        start = clock()
        step()
        repeat[name] = max(1, int(0.02 / (clock() - start)))
    start = time.perf_counter()
    while time.perf_counter() - start < seconds * len(steps):
        for name, step in steps.items():
            begin = clock()
            for _ in range(repeat[name]):
                step()
            times[name].append((clock() - begin) / repeat[name])
    print(title)
    base = statistics.median(next(reversed(times.values())))
    for name, values in times.items():
        median = statistics.median(values)
        label = f"{name} ({form(name)})" if form(name) else name
        print(
            f"  {label:34} {1e3 * median:9.3f} ms (best {1e3 * min(values):9.3f})   {median / base:6.2f} of the last",
            flush=True,
        )


def contestant(module, y=None):
    return (module, list(module.parameters()), y)


def tables():
    """One channel at 1024^2: theta[t] and index_select make W, as users write it by hand."""
    import torch
    from intertwine import Group
    from intertwine.nn import Linear

    for group, expression, batch in (
        ("p4m(32,32)", "perm", 1),
        ("p4m(32,32)", "perm", 8),
        ("p4m(32,32)", "perm", 64),
        ("p4(16,16)", "regular", 8),
        ("C1024", "regular", 8),
        ("p4m(16,16)", "perm", 8),
    ):
        V = Group(group).rep(expression)
        n = V.dimension
        layers = {mode: Linear(V, V, bias=False, mode=mode) for mode in ("automatic", "fastest")}
        theta = layers["automatic"].theta.detach()
        t = torch.from_numpy(layers["automatic"].table.weight_code.astype("int64") - 1)
        layers["fastest"].theta.data.copy_(theta)

        class Hand(torch.nn.Module):
            def __init__(self, select, theta=theta, t=t):
                super().__init__()
                self.theta, self.select, self.t = torch.nn.Parameter(theta.reshape(-1).clone()), select, t

            def forward(self, x):
                W = (
                    self.theta.index_select(0, self.t.reshape(-1)).view(self.t.shape)
                    if self.select
                    else self.theta[self.t]
                )
                return torch.nn.functional.linear(x, W)

        x = torch.randn(batch, 1, n, requires_grad=True)
        g = torch.randn(batch, 1, n)
        contestants = {f"intertwine, {mode}": contestant(layer, g) for mode, layer in layers.items()}
        contestants |= {"index_select": contestant(Hand(True), g), "theta[t]": contestant(Hand(False), g)}
        yield f"{group} {expression}, {n} x {n}, {len(theta)} parameters, batch {batch}", contestants, x


def small():
    import torch
    from intertwine import Group
    from intertwine.nn import Linear

    V = Group("D4").rep("perm")
    x = torch.randn(16, 4, 4, requires_grad=True)
    g = torch.randn(16, 4, 4)
    dense = torch.nn.Linear(16, 16)

    class Plain(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.dense = dense

        def forward(self, x):
            return self.dense(x.flatten(-2)).unflatten(-1, (4, 4))

    yield (
        "D4 perm, 4 -> 4 channels, batch 16",
        {"intertwine": contestant(Linear(V, V, 4, 4), g), "plain nn.Linear(16, 16)": contestant(Plain(), g)},
        x,
    )
    flat = torch.randn(16, 16)
    yield (
        "nn.Linear(16, 16) alone",
        {"plain nn.Linear(16, 16)": (dense, list(dense.parameters()), flat)},
        torch.randn(16, 16, requires_grad=True),
    )


def graphs():
    import torch
    from intertwine import Group
    from intertwine.nn import Linear

    n, channels, batch = 16, 32, 8
    V = Group(f"S{n}").rep("perm^2")
    layers = {mode: Linear(V, V, channels, channels, bias=False, mode=mode) for mode in ("fastest", "implicit")}

    class FifteenOperations(torch.nn.Module):
        """The layer of graphs written by hand: sums over rows, columns and the diagonal, then one product for each
        size."""

        def __init__(self):
            super().__init__()
            self.theta = torch.nn.Parameter(torch.zeros(15, channels, channels))

        def forward(self, x):
            b, c, _ = x.shape
            x = x.view(b, c, n, n)
            t = self.theta
            d, r, k = x.diagonal(dim1=2, dim2=3), x.sum(3), x.sum(2)
            lines = torch.cat((d, r, k), 1)  # [b, 3c, n]
            totals = torch.stack((d.sum(2), r.sum(2)), 1).flatten(1)  # [b, 2c]
            full = torch.cat((x, x.transpose(2, 3)), 1).flatten(2)
            wide = lambda k, m: t[k : k + m].permute(1, 0, 2).reshape(channels, m * channels)  # noqa: E731
            y = (wide(0, 2) @ full).view(b, channels, n, n)
            y = (
                y
                + (wide(2, 3) @ lines)[:, :, :, None]
                + (wide(5, 3) @ lines)[:, :, None, :]
                + (totals @ wide(8, 2).t())[:, :, None, None]
            )
            diagonal = wide(10, 3) @ lines + (totals @ wide(13, 2).t())[:, :, None]
            return (y + torch.diag_embed(diagonal)).view(b, channels, n * n)

    x = torch.randn(batch, channels, n * n, requires_grad=True)
    g = torch.randn(batch, channels, n * n)
    hand = FifteenOperations()
    match_by_hand(layers["fastest"], hand)
    layers["implicit"].load_state_dict(layers["fastest"].state_dict())
    yield (
        f"S{n} perm^2 (graphs), {channels} -> {channels} channels, batch {batch}",
        {f"intertwine, {mode}": contestant(layer, g) for mode, layer in layers.items()}
        | {"fifteen operations by hand": contestant(hand, g)},
        x,
    )


def match_by_hand(layer, hand):
    """Gives both layers the same weights: each basis matrix of one is found among those of the other, by its values on
    one channel."""
    import torch

    channels = layer.in_channels
    with torch.no_grad():
        W = torch.zeros(15, layer.table.rows, layer.table.cols)
        x = torch.zeros(layer.table.cols, channels, layer.table.cols)
        x[:, 0] = torch.eye(layer.table.cols)
        for k in range(15):
            hand.theta.zero_()
            hand.theta[k, 0, 0] = 1
            W[k] = hand(x)[:, 0].t()
        code = torch.from_numpy(layer.table.weight_code.astype("int64")).reshape(-1)
        place = [int((code == 1 + p).nonzero()[0]) for p in range(15)]
        A = W.reshape(15, -1)[:, place]  # theta of the table = A^T theta of the other
        hand.theta.normal_(std=0.05)
        layer.theta.copy_(torch.einsum("kp,koi->poi", A, hand.theta))


def convolution():
    import torch
    from intertwine import Group
    from intertwine.nn import Conv2d

    V = Group("D4").rep("regular")
    layer, plain = Conv2d(V, V, 16, 16, 3, padding=1), torch.nn.Conv2d(128, 128, 3, padding=1)
    for batch, size in ((4, 32), (16, 16)):
        x = torch.randn(batch, 128, size, size, requires_grad=True)
        g = torch.randn(batch, 128, size, size)

        class Fields(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = layer

            def forward(self, x):
                return self.layer(x.unflatten(1, (16, 8))).flatten(1, 2)

        yield (
            f"D4 3 x 3 regular -> regular, 16 fields, {layer.theta.shape[0]} kernels a pair, batch {batch}, {size} x {size}",
            {"intertwine": contestant(Fields(), g), "plain Conv2d(128, 128)": contestant(plain, g)},
            x,
        )


def cyclic():
    import torch
    from intertwine import Group
    from intertwine.nn import Linear

    for group, channels, batch in (("p4m(8,8)", 64, 16), ("C512", 1, 64)):
        V = Group(group).rep("perm" if group != "C512" else "regular")
        layer = Linear(V, V, channels, channels, bias=False, mode="fastest")
        folded = layer.fold()
        n = V.dimension

        class Folded(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.folded = folded

            def forward(self, x):
                return self.folded(x.flatten(-2)).view(x.shape)

        x, g = torch.randn(batch, channels, n, requires_grad=True), torch.randn(batch, channels, n)
        yield (
            f"{group}, {n} points, {channels} -> {channels} channels, batch {batch}",
            {"intertwine, fastest": contestant(layer, g), "plain nn.Linear of that size": contestant(Folded(), g)},
            x,
        )


if __name__ == "__main__":
    main()
