#!/usr/bin/env python
"""The kernels of intertwine.nn on this machine's GPU: checked, then measured beside plain PyTorch.

    python bench/python/check_gpu.py [--size 1024]

Every answer is compared with plain PyTorch in float64 and taken twice, which has to give the same bits, before it is timed. Times are medians in
microseconds, after a look at how fast the device copies. Without a GPU it says so and exits with status 77; INTERTWINE_REQUIRE_GPU=1 makes that 1.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Callable

import torch
from torch import Tensor

from intertwine.nn import _ops, _plain

TOLERANCE = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}


_names = itertools.count()  # kernels keep what they sort under the name of a table: another table has another one


def pattern(size: int, P: int) -> _ops.Pattern:
    """Random signed codes, of the smallest type that holds them."""
    dtype = torch.uint8 if 2 * P < 256 else torch.uint16
    codes = torch.randint(0, 2 * P + 1, (size, size), device="cuda").to(dtype)
    return _ops.Pattern([codes, torch.zeros(size, dtype=dtype, device="cuda")], [size, size, P, 0], f"random {size} {P} {next(_names)}", "automatic")


def microseconds(f: Callable[[], Tensor]) -> float:
    import triton

    return 1000 * float(triton.testing.do_bench(f, warmup=20, rep=100, return_mode="median"))


def checked(name: str, f: Callable[[], Tensor], exact: Tensor) -> float:
    """How long it takes, if it is right."""
    first, second = f(), f()
    if not torch.equal(first, second):
        sys.exit(f"{name} is not the same twice")
    error = float((first.double() - exact).abs().max() / exact.abs().max())
    if not error <= TOLERANCE[first.dtype]:
        sys.exit(f"{name} is wrong: off by {error:.2e} of the largest entry, and {TOLERANCE[first.dtype]:.0e} is allowed")
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
                rows.append((f"{name}, batch {batch}, {mode}", checked(f"{name} ({mode})", lambda: ours(*operands, one), exact), slow))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--size", type=int, default=1024, help="rows and columns of the table")
    size = parser.parse_args().size
    if not torch.cuda.is_available():
        print("There is no GPU that PyTorch can use here, so nothing was checked or measured.")
        return 1 if os.environ.get("INTERTWINE_REQUIRE_GPU") == "1" else 77
    if _ops._triton() is None:
        print("Triton is not installed: pip install triton")
        return 1
    torch.manual_seed(0)
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {size} x {size}, microseconds")
    for dtype in TOLERANCE:
        W = torch.randn(size, size, device="cuda", dtype=dtype)
        print(f"\n| {str(dtype).removeprefix('torch.')}; copy of W: {microseconds(lambda: W.clone()):.1f} | P | Triton | plain PyTorch | ratio |\n|---|---:|---:|---:|---:|")
        for P in (2, 15, 100, 10000):
            for name, ours, plain in table(size, P, dtype):
                print(f"| {name} | {P} | {ours:.1f} | {plain:.1f} | {ours / plain:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
