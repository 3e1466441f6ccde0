#!/usr/bin/env python3
"""A layer of graphs, S_n on perm^2 with 32 channels on both sides, trained one step: this library's products beside fifteen operations written
by hand in PyTorch (rows, columns, diagonal, total, trace and what each is spread to; channels mixed by einsum) and beside W made by
index_select, in one run, one thread.

Usage: bench/compare_graph_torch.py [LIBRARY] [NODES [BATCH]]     LIBRARY: build/libintertwine_numeric_c.so

Times are minima of interleaved repetitions, in milliseconds, float32: forward, and forward and backward (gradients of x and of the
parameters). The hand-written layer and ours are the same map: y and dx are compared first. Without torch it says so and exits with status 77.
"""
import ctypes
import itertools
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

NODE_PARTS = ("rows", "columns", "diagonal")


def operations():
    """(what the input is contracted to, what the result is spread as), fifteen."""
    yield "pairs", "pairs"
    yield "turned", "pairs"
    yield from itertools.product(NODE_PARTS, NODE_PARTS)
    yield from itertools.product(("total", "trace"), ("total", "trace"))


def reaches(source, target, kind):
    """True if the operation has the entry 1 where output (a, b) and input (c, d) are equal as `kind` says."""
    a, b, c, d = kind
    if source in ("pairs", "turned"):
        return (a, b) == ((c, d) if source == "pairs" else (d, c))
    if source in ("total", "trace"):
        return (source == "total" or c == d) and (target == "total" or a == b)
    given = d if source == "columns" else c
    taken = b if target == "columns" else a
    return given == taken and (source != "diagonal" or c == d) and (target != "diagonal" or a == b)


def by_hand(x, mix):
    """x [batch, channels, n, n], mix [15, out, in]: contract, mix all that has the same shape in one product, spread."""
    n = x.shape[-1]
    diagonal = torch.diagonal(x, dim1=-2, dim2=-1)
    pairs = torch.einsum("oi,bixy->boxy", mix[0], x) + torch.einsum("oi,biyx->boxy", mix[1], x)
    nodes = torch.cat([x.sum(-1), x.sum(-2), diagonal], 1)  # [batch, 3 in, n]
    out, ins = mix.shape[1:]
    weights = mix[2:11].view(3, 3, out, ins).permute(1, 2, 0, 3).reshape(3 * out, 3 * ins)
    spread = torch.einsum("pq,bqx->bpx", weights, nodes)
    rows, columns, on_diagonal = spread.split(out, 1)
    whole = torch.cat([x.sum((-1, -2)), diagonal.sum(-1)], 1)
    weights = mix[11:].view(2, 2, out, ins).permute(1, 2, 0, 3).reshape(2 * out, 2 * ins)
    everywhere, along = (whole @ weights.t()).split(out, 1)
    y = pairs + rows[..., None] + columns[..., None, :] + everywhere[..., None, None]
    return y + torch.diag_embed(on_diagonal + along[..., None].expand(-1, -1, n))


def main():
    arguments = sys.argv[1:]
    default = Path(__file__).resolve().parent.parent / "build" / "libintertwine_numeric_c.so"
    library = arguments.pop(0) if arguments and not arguments[0].isdigit() else default
    n, batch = (int(a) for a in (arguments + [16, 16][len(arguments):])[:2]) if arguments else (16, 16)
    channels = 32
    torch.set_num_threads(1)
    torch.manual_seed(1)
    lib = ctypes.CDLL(str(library))
    lib.intertwine_last_error.restype = ctypes.c_char_p
    u64 = ctypes.c_uint64
    kinds, codes = {}, np.empty((n * n, n * n), np.int32)
    for r, c in itertools.product(range(n * n), repeat=2):
        at = (r // n, r % n, c // n, c % n)
        codes[r, c] = 1 + kinds.setdefault(tuple(at.index(v) for v in at), len(kinds))
    P = len(kinds)
    table = ctypes.c_void_p()

    def check(status):
        assert status == 0, lib.intertwine_last_error()

    check(lib.intertwine_table_from_codes(u64(n * n), u64(n * n), u64(P), codes.ctypes.data_as(ctypes.c_void_p), u64(0), None,
                                          ctypes.byref(table)))
    wide = ctypes.c_void_p()
    check(lib.intertwine_table_repeat(table, u64(channels), u64(channels), ctypes.byref(wide)))
    mix = (0.1 * torch.randn(15, channels, channels)).requires_grad_()
    theta = torch.zeros(P, channels, channels)
    for o, (source, target) in enumerate(operations()):
        for kind, k in kinds.items():
            if reaches(source, target, kind):
                theta[k] += mix[o].detach()
    x = torch.randn(batch, channels, n, n, requires_grad=True)
    dy = torch.randn(batch, channels, n, n)
    y, dx, dtheta = torch.empty_like(dy), torch.empty_like(x), torch.empty_like(theta)

    def at(tensor):
        return ctypes.c_void_p(tensor.data_ptr()), u64(tensor.numel())

    def products(mode, gradients):
        check(lib.intertwine_apply(wide, 0, u64(batch), *at(x), None, *at(theta), None, u64(0), *at(y), None, mode,
                                   ctypes.c_uint(1), None))
        if gradients:
            check(lib.intertwine_gradients(wide, 0, u64(batch), *at(x), None, *at(dy), None, *at(theta), *at(dx), None,
                                           *at(dtheta), None, u64(0), mode, ctypes.c_uint(1), None))

    def hand(gradients):
        if not gradients:
            with torch.no_grad():
                return by_hand(x, mix)
        return torch.autograd.grad(by_hand(x, mix), (x, mix), dy)

    flat = torch.from_numpy(codes.astype(np.int64).ravel() - 1)
    free = theta.clone().requires_grad_()

    def dense(gradients):
        def forward():
            W = torch.index_select(free, 0, flat).view(n * n, n * n, channels, channels).permute(2, 0, 3, 1)
            return x.view(batch, -1) @ W.reshape(channels * n * n, -1).t()
        if not gradients:
            with torch.no_grad():
                return forward()
        return torch.autograd.grad(forward(), (x, free), dy.view(batch, -1))

    fastest, implicit = 1, 4
    for mode in (implicit, fastest):
        products(mode, True)
        assert torch.allclose(hand(False), y, atol=1e-3, rtol=1e-3)
        expected = hand(True)
        assert torch.allclose(expected[0], dx, atol=1e-3, rtol=1e-3)
        for o, (source, target) in enumerate(operations()):
            sums = sum(dtheta[k] for kind, k in kinds.items() if reaches(source, target, kind))
            assert torch.allclose(expected[1][o], sums, atol=1e-2 * n, rtol=1e-3)
    ways = {"by hand": hand, "implicit": lambda g: products(implicit, g), "fastest": lambda g: products(fastest, g)}
    if n <= 8:
        ways["index_select"] = dense
    least = {}
    for _ in range(60):
        for (name, way), gradients in itertools.product(ways.items(), (False, True)):
            start = time.perf_counter()
            way(gradients)
            least[name, gradients] = min(least.get((name, gradients), 1e9), time.perf_counter() - start)
    print(f"torch {torch.__version__}, {n} nodes, {channels} channels, batch {batch}, one thread, ms")
    print(f"{'':>13} {'forward':>9} {'training':>9}  beside the layer by hand")
    for name in ways:
        ratios = [least[name, g] / least["by hand", g] for g in (False, True)]
        print(f"{name:>13} {1e3 * least[name, False]:>9.2f} {1e3 * least[name, True]:>9.2f}  "
              f"{ratios[0]:.2f}x, {ratios[1]:.2f}x")


if __name__ == "__main__":
    main()
