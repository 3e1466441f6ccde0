#!/usr/bin/env python
"""The kernels of intertwine.nn on this machine's GPU: checked, then measured beside plain PyTorch.

    python bench/python/check_gpu.py [--size 1024] [--layers | --points]

Every answer is compared with plain PyTorch in float64 and taken twice, which has to give the same bits, before it is
timed. Times are medians in microseconds, after a look at how fast the device copies. --layers measures whole layers
instead, forward and backward as a recorded CUDA graph, so that it is the device that is measured and not Python: beside
W = theta[t] in plain PyTorch, and an nn.Linear of that size. --points measures convolutions along edges and symmetric
contractions, forward, backward and double backward, beside plain PyTorch, and e3nn where it is installed. Without a GPU it says so and exits with status 77;
INTERTWINE_REQUIRE_GPU=1 makes that 1.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import sys
from collections.abc import Callable

import torch
from intertwine import Group
from intertwine.nn import Conv2d, Linear, _ops, _plain
from intertwine.nn.geometric import Convolution, Graph, SphericalHarmonics, SymmetricContraction
from torch import Tensor

TOLERANCE = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


_names = itertools.count()  # kernels keep what they sort under the name of a table: another table has another one


def pattern(size: int, P: int) -> _ops.Pattern:
    """Random signed codes, of the smallest type that holds them."""
    dtype = torch.uint8 if 2 * P < 256 else torch.uint16
    codes = torch.randint(0, 2 * P + 1, (size, size), device="cuda").to(dtype)
    return _ops.Pattern(
        [codes, torch.zeros(size, dtype=dtype, device="cuda")],
        [size, size, P, 0],
        f"random {size} {P} {next(_names)}",
        "automatic",
    )


def microseconds(f: Callable[[], object]) -> float:
    import triton

    return 1000 * float(triton.testing.do_bench(f, warmup=20, rep=100, return_mode="median"))


def checked(name: str, f: Callable[[], Tensor], exact: Tensor) -> float:
    """How long it takes, if it is right."""
    first, second = f(), f()
    if not torch.equal(first, second):
        sys.exit(f"{name} is not the same twice")
    error = float((first.double() - exact).abs().max() / exact.abs().max())
    if not error <= TOLERANCE[first.dtype]:
        sys.exit(
            f"{name} is wrong: off by {error:.2e} of the largest entry, and {TOLERANCE[first.dtype]:.0e} is allowed"
        )
    return microseconds(f)


def table(size: int, P: int, dtype: torch.dtype) -> list[tuple[str, float, float]]:
    """Rows: what, with Triton, in plain PyTorch."""
    p = pattern(size, P)
    theta, dW = torch.randn(P, 1, 1, device="cuda", dtype=dtype), torch.randn(size, size, device="cuda", dtype=dtype)
    rows = [
        ("materialise", checked("materialise", lambda: _ops._materialise(theta, p), _plain.materialise(theta.double(), p)),
         microseconds(lambda: _plain.materialise(theta, p))),
        ("reduce", checked("reduce", lambda: _ops._reduce(dW, p), _plain.reduce(dW.double(), p)), microseconds(lambda: _plain.reduce(dW, p))),
    ]  # fmt: skip
    for batch in (1, 16, 64, 256):
        x, dy = (torch.randn(batch, 1, size, device="cuda", dtype=dtype) for _ in range(2))
        for name, ours, plain, operands in (
            ("apply", _ops._apply, _plain.apply, (x, theta)),
            ("apply_t", _ops._apply_t, _plain.apply_t, (dy, theta)),
            ("outer", _ops._outer, _plain.outer, (x, dy)),
        ):
            exact = plain(*(t.double() for t in operands), p)
            slow = microseconds(lambda: plain(*operands, p))
            for mode in ("lookup", "dense"):
                one = p._replace(mode=mode)
                rows.append(
                    (
                        f"{name}, batch {batch}, {mode}",
                        checked(f"{name} ({mode})", lambda: ours(*operands, one), exact),
                        slow,
                    )
                )
    return rows


class ByIndex(torch.nn.Module):
    """The layer that one writes without this library: theta, looked up by index."""

    def __init__(self, layer: Linear) -> None:
        super().__init__()
        t = layer.table
        self.theta = torch.nn.Parameter(layer.theta.detach().clone())
        self.register_buffer("code", torch.from_numpy(t.weight_code.astype("int64")).to(layer.theta.device))

    def forward(self, x: Tensor) -> Tensor:
        (_, o, i), (M, N) = self.theta.shape, self.code.shape
        W = (
            torch.cat((self.theta.new_zeros(1, o, i), self.theta, -self.theta))[self.code]
            .permute(2, 0, 3, 1)
            .reshape(o * M, i * N)
        )
        return (x.flatten(-2) @ W.t()).unflatten(-1, (o, M))


def recorded(module: torch.nn.Module, x: Tensor) -> float:
    """Forward and backward as a CUDA graph."""
    import triton

    operands = [x, *module.parameters()]
    with torch.cuda.stream(torch.cuda.Stream()):
        return 1000 * float(
            triton.testing.do_bench_cudagraph(lambda: torch.autograd.grad(module(x).sum(), operands), rep=20)
        )


LAYERS = (
    ("p4m(32,32)", "perm", 1, 1), ("p4m(32,32)", "perm", 1, 64), ("p4m(16,16)", "perm", 16, 64), ("p4m(8,8)", "perm", 64, 64), ("S16", "perm^2", 32, 16),
    ("S16", "perm^2", 32, 16, "diagram"), ("C512", "regular", 1, 64), ("C512", "regular", 16, 64), ("p4m(32,32)", "perm", 8, 64), ("p4m(32,32)", "perm", 8, 1024),
)  # fmt: skip


def layers() -> None:
    print("| layer | channels | batch | type | intertwine | theta[t] | nn.Linear |\n|---|---:|---:|---|---:|---:|---:|")
    for (group, name, channels, batch, *mode), dtype in itertools.product(LAYERS, (torch.float32, torch.bfloat16)):
        V = Group(group).rep(name)
        ours = Linear(
            V, V, channels, channels, bias=False, device="cuda", dtype=dtype, **({"mode": mode[0]} if mode else {})
        )
        dense = torch.nn.Sequential(
            torch.nn.Flatten(),
            torch.nn.Linear(channels * V.dimension, channels * V.dimension, bias=False, device="cuda", dtype=dtype),
        )
        x = torch.randn(batch, channels, V.dimension, device="cuda", dtype=dtype, requires_grad=True)
        by_index = ByIndex(ours)
        with torch.no_grad():  # a graph from this stream would tie the recordings to it
            y, other = ours(x), by_index(x)
        if not float((y - other).abs().max() / other.abs().max()) <= 4 * TOLERANCE[dtype]:
            sys.exit(f"{group} {name} {channels} {dtype}: the layer is not that by index")
        times = [recorded(m, x) for m in (ours, by_index, dense)]
        print(
            f"| {' '.join((group, name, *mode))} | {channels} | {batch} | {str(dtype).removeprefix('torch.')} | {' | '.join(f'{t:.0f}' for t in times)} |",
            flush=True,
        )
        del V, ours, by_index, dense, x, y, other
        torch.cuda.empty_cache()
    R = Group("D4").rep("regular")
    conv, x = (
        Conv2d(R, R, 16, 16, 3, padding=1, bias=False).cuda(),
        torch.randn(16, 16, 8, 32, 32, device="cuda", requires_grad=True),
    )
    plain = torch.nn.Sequential(torch.nn.Flatten(1, 2), torch.nn.Conv2d(128, 128, 3, padding=1, bias=False)).cuda()
    print(
        f"\nD4, 3 x 3, 16 regular fields of 32 x 32, batch 16: {recorded(conv, x):.0f}; nn.Conv2d(128, 128): {recorded(plain, x):.0f}"
    )


Work = Callable[[], "list[Tensor]"]


def in_steps(f: Callable[[], Tensor], inputs: list[Tensor]) -> dict[str, Work]:
    """Forward, all gradients, and all gradients of these along a direction, as training on forces has them."""
    g = torch.ones_like(f()).detach().requires_grad_()
    directions = [torch.full_like(t, 0.5) for t in inputs]

    def backward() -> list[Tensor]:
        return list(torch.autograd.grad(f(), inputs, g.detach()))

    def double() -> list[Tensor]:
        first = torch.autograd.grad(f(), inputs, g, create_graph=True)
        return list(torch.autograd.grad(first, (*inputs, g), directions))

    return {"forward": lambda: [f().detach()], "and backward": backward, "and double backward": double}


def by_plain(work: Work) -> Work:
    """The work by plain PyTorch, whatever would be chosen."""

    def run() -> list[Tensor]:
        kept, _ops._TRITON = _ops._TRITON, ()
        try:
            return work()
        finally:
            _ops._TRITON = kept

    return run


def by_e3nn(lmax: int, layer: Convolution, graph: Graph, x: Tensor, y: Tensor, w: Tensor) -> dict[str, Work]:
    """The product of e3nn, gathered before and added up behind: of the same sizes, with components in another order."""
    try:
        from e3nn import o3
    except ImportError:
        return {}
    irreps = {n: o3.Irreps("+".join(f"{n}x{l}{'eo'[l % 2]}" for l in range(lmax + 1))) for n in (1, x.shape[2])}
    product = o3.TensorProduct(
        irreps[x.shape[2]], irreps[1], irreps[x.shape[2]], [(p.i, p.j, p.k, "uvu", True) for p in layer.paths],
        shared_weights=False, internal_weights=False,
    ).to(x.device)  # fmt: skip
    flat, weights = (t.detach().flatten(1).requires_grad_() for t in (x, w))

    def run() -> Tensor:
        messages = product(flat[graph.source], y, weights)
        return messages.new_zeros(x.shape[0], messages.shape[1]).index_add(0, graph.target, messages)

    return in_steps(run, [flat, y, weights])


def points(nodes: int = 2000, edges: int = 60000, channels: int = 128) -> None:
    print(f"{channels} channels, {nodes} nodes, {edges} edges, float32, microseconds")
    print("| operation | step | Triton | plain PyTorch | e3nn |\n|---|---|---:|---:|---:|")
    some = lambda *shape: torch.randn(*shape, device="cuda", requires_grad=True)  # noqa: E731
    cases: list[tuple[str, Callable[[], Tensor], list[Tensor], dict[str, Work]]] = []
    graph = Graph(torch.randint(0, nodes, (2, edges), device="cuda"), nodes)
    for lmax in (2, 3):
        V = SphericalHarmonics(lmax).V
        layer = Convolution(V, V, V, channels)
        given = [some(nodes, V.dimension, channels), some(edges, V.dimension), some(edges, *layer.weight_shape)]
        f = functools.partial(layer, *given, graph)
        cases.append((f"convolution, l ≤ {lmax}", f, given, by_e3nn(lmax, layer, graph, *given)))
        contraction = SymmetricContraction(V, "0e + 1o", channels, 3, 4, device="cuda")
        x, kinds = some(nodes, V.dimension, channels), torch.randint(0, 4, (nodes,), device="cuda")
        cases.append(
            (f"contraction, l ≤ {lmax}", functools.partial(contraction, x, kinds), [x, contraction.weight], {})
        )
    for name, f, given, beside in cases:
        for step, work in in_steps(f, given).items():
            found, again, plain = work(), work(), by_plain(work)()
            if not all(torch.equal(a, b) for a, b in zip(found, again)):
                sys.exit(f"{name} {step} is not the same twice")
            for a, b in zip(found, plain):
                if not float((a - b).abs().max()) <= 1e-3 * float(b.abs().max()):
                    sys.exit(f"{name} {step} is wrong")
            times = [microseconds(work), microseconds(by_plain(work))]
            times += [microseconds(beside[step])] if beside else []
            print(f"| {name} | {step} | {' | '.join(f'{t:.0f}' for t in times)} |{'' if beside else ' |'}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--size", type=int, default=1024, help="rows and columns of the table")
    parser.add_argument("--layers", action="store_true", help="measure whole layers instead of kernels")
    parser.add_argument("--points", action="store_true", help="measure the operations of points in space instead")
    options = parser.parse_args()
    size = options.size
    if not torch.cuda.is_available():
        print("There is no GPU that PyTorch can use here, so nothing was checked or measured.")
        return 1 if os.environ.get("INTERTWINE_REQUIRE_GPU") == "1" else 77
    if _ops._triton() is None:
        print("Triton is not installed: pip install triton")
        return 1
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {size} x {size}, microseconds")
    if options.points:
        points()
        return 0
    if options.layers:
        layers()
        return 0
    for dtype in TOLERANCE:
        W = torch.randn(size, size, device="cuda", dtype=dtype)
        print(
            f"\n| {str(dtype).removeprefix('torch.')}; copy of W: {microseconds(lambda: W.clone()):.1f} | P | Triton | plain PyTorch | ratio |\n|---|---:|---:|---:|---:|"
        )
        for P in (2, 15, 100, 10000):
            for name, ours, plain in table(size, P, dtype):
                print(f"| {name} | {P} | {ours:.1f} | {plain:.1f} | {ours / plain:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
