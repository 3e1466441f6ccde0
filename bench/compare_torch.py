#!/usr/bin/env python3
"""Tied weights: this library's materialise and reduce beside what PyTorch does with indexing, in one run, one thread.

Usage: bench/compare_torch.py [LIBRARY] [--cuda]     LIBRARY: build/libintertwine_numeric_c.so

Medians in microseconds, float32, random tables. Columns: ext[t] for ext = [0, theta, -theta] (advanced indexing),
index_select, ours; then the gradients: autograd of that, the best of index_add_, bincount and scatter_add_, ours. Every
result is compared first. Without torch it says so and exits with status 77. With --cuda the PyTorch columns alone, on
the GPU, beside a copy and torch.mv (cuBLAS), index_put_(accumulate=True), and a whole layer forward and backward by
index_select, matmul and index_put_: what numeric_gpu_check --measure is to be compared with.
"""

import ctypes
import statistics
import sys
import time
from pathlib import Path

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def median_us(body, wait=lambda: None, seconds=0.3):
    body()
    wait()
    times, start = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        body()
        wait()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1e6


def torch_ways(codes, params, device):
    """Functions (theta[t], index_select, autograd, best stock gradient) and the arrays they work on."""
    theta = torch.randn(params, device=device)
    zero = torch.zeros(1, device=device)
    theta.requires_grad_()
    t = torch.from_numpy(codes).to(device).long()
    flat, n = t.flatten(), len(codes)
    g = torch.randn(n, n, device=device)
    out = torch.empty(n * n, device=device)
    bins = torch.zeros(2 * params + 1, device=device)

    def indexed():
        with torch.no_grad():
            return torch.cat([zero, theta, -theta])[t]

    def selected():
        with torch.no_grad():
            return torch.index_select(torch.cat([zero, theta, -theta]), 0, flat, out=out)

    W = torch.cat([zero, theta, -theta])[t]

    def autograd():
        return torch.autograd.grad(W, theta, g, retain_graph=True)[0]

    def folded(sums):
        return sums[1 : params + 1] - sums[params + 1 :]

    def index_add():
        return folded(bins.zero_().index_add_(0, flat, g.flatten()))

    def scatter_add():
        return folded(bins.zero_().scatter_add_(0, flat, g.flatten()))

    def bincount():
        return folded(torch.bincount(flat, g.flatten(), 2 * params + 1))

    return theta, g, indexed, selected, autograd, (index_add, scatter_add, bincount)


def on_cpu(library):
    lib = ctypes.CDLL(str(library))
    lib.intertwine_last_error.restype = ctypes.c_char_p
    u64 = ctypes.c_uint64
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, one thread, us")
    print(
        f"{'side':>5} {'params':>7} | {'theta[t]':>9} {'index_sel':>9} {'ours':>8} {'gain':>6} | "
        f"{'autograd':>9} {'stock':>9} {'ours':>8} {'vs auto':>7} {'vs stock':>8} | {'copy':>7}"
    )
    rng = np.random.default_rng(1)
    for n in (64, 128, 256, 1024):
        for params in (1, 2, 15, 100, 500, 5000):
            codes = rng.integers(0, 2 * params + 1, (n, n), dtype=np.int32)
            theta, g, indexed, selected, autograd, stock = torch_ways(codes, params, "cpu")
            table = ctypes.c_void_p()
            assert (
                lib.intertwine_table_from_codes(
                    u64(n),
                    u64(n),
                    u64(params),
                    codes.ctypes.data_as(ctypes.c_void_p),
                    u64(0),
                    None,
                    ctypes.byref(table),
                )
                == 0
            ), lib.intertwine_last_error()
            W, dtheta = np.empty((n, n), np.float32), np.empty(params, np.float32)
            th, gg = theta.detach().numpy(), np.ascontiguousarray(g.numpy())
            make = (
                table,
                0,
                th.ctypes.data_as(ctypes.c_void_p),
                u64(params),
                W.ctypes.data_as(ctypes.c_void_p),
                u64(n * n),
                u64(0),
                ctypes.c_uint(1),
            )
            back = (
                table,
                0,
                gg.ctypes.data_as(ctypes.c_void_p),
                u64(n * n),
                u64(0),
                dtheta.ctypes.data_as(ctypes.c_void_p),
                u64(params),
                ctypes.c_uint(1),
            )
            lib.intertwine_materialise(*make)
            lib.intertwine_reduce(*back)
            assert (indexed().numpy() == W).all()
            for way in (autograd, *stock):
                assert np.allclose(way().numpy(), dtheta, atol=1e-2 * n / 64)
            a, b = median_us(indexed), median_us(selected)
            ours = median_us(lambda: lib.intertwine_materialise(*make))
            c, d = median_us(autograd), min(median_us(way) for way in stock)
            reduced = median_us(lambda: lib.intertwine_reduce(*back))
            copy = median_us(lambda: np.copyto(W, gg))
            lib.intertwine_table_free(table)
            print(
                f"{n:>5} {params:>7} | {a:>9.1f} {b:>9.1f} {ours:>8.1f} {min(a, b) / ours:>5.1f}x | "
                f"{c:>9.1f} {d:>9.1f} {reduced:>8.1f} {c / reduced:>6.1f}x {d / reduced:>7.1f}x | {copy:>7.1f}",
                flush=True,
            )


def on_cuda():
    if not torch.cuda.is_available():
        print("skipped: torch sees no CUDA device")
        sys.exit(77)
    wait = torch.cuda.synchronize
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}, us")
    print("layer: index_select, matmul of a batch of 64, and back: dx, dW, index_put_(accumulate) of the gradient")
    print(
        f"{'side':>5} {'params':>7} | {'theta[t]':>9} {'index_sel':>9} | {'autograd':>9} {'stock':>9} {'index_put':>9} | "
        f"{'layer':>9} | {'copy':>8} {'mv':>8}"
    )
    rng = np.random.default_rng(1)
    for n in (512, 1024, 2048, 4096, 8192):
        matrix, vector = torch.randn(n, n, device="cuda"), torch.randn(n, device="cuda")
        other = torch.empty_like(matrix)
        x, dy = torch.randn(64, n, device="cuda"), torch.randn(64, n, device="cuda")
        for params in (2, 15, 127, 1000, 5000):
            codes = rng.integers(0, 2 * params + 1, (n, n), dtype=np.int32)
            theta, g, indexed, selected, autograd, stock = torch_ways(codes, params, "cuda")
            flat = torch.from_numpy(codes).cuda().long().flatten()
            bins = torch.zeros(2 * params + 1, device="cuda")

            def index_put(gradient=g):
                sums = bins.zero_().index_put_((flat,), gradient.flatten(), accumulate=True)
                return sums[1 : params + 1] - sums[params + 1 :]

            def layer():
                W = selected().view(n, n)
                y = torch.mm(x, W.t())
                return y, torch.mm(dy, W), index_put(torch.mm(dy.t(), x))

            expected = index_put()
            for way in (autograd, *stock):
                assert torch.allclose(way(), expected, atol=1e-2 * n / 64)
            row = [
                median_us(body, wait)
                for body in (
                    indexed,
                    selected,
                    autograd,
                    *stock,
                    index_put,
                    layer,
                    lambda: other.copy_(matrix),
                    lambda: torch.mv(matrix, vector),
                )
            ]
            print(
                f"{n:>5} {params:>7} | {row[0]:>9.1f} {row[1]:>9.1f} | {row[2]:>9.1f} {min(row[3:6]):>9.1f} {row[6]:>9.1f} | "
                f"{row[7]:>9.1f} | {row[8]:>8.1f} {row[9]:>8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--cuda"]
    if "--cuda" in sys.argv:
        on_cuda()
    else:
        default = Path(__file__).resolve().parent.parent / "build" / "libintertwine_numeric_c.so"
        on_cpu(Path(arguments[0]) if arguments else default)
