"""Functions that add, take away and join dimensions, and products that are written with letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._axes import (
    FIXED,
    LINEAR,
    ORTHOGONAL,
    PERMUTATION,
    SIGNED,
    Axis,
    Dim,
    Mismatch,
    contract,
    forget,
    leaves,
    restrict,
    size_of,
    unify,
)  # fmt: skip
from ._read import Reader
from ._values import Stack, Value, fixed

__all__ = [
    "einsum", "expand", "glu", "is_dim", "normalize", "repeat_interleave", "shape_arguments", "squeeze", "stack", "unbind",
    "unflatten", "unsqueeze",
]  # fmt: skip


def _moving(dim: Dim) -> list[Axis]:
    return [leaf for leaf, _ in leaves(dim) if leaf.kind != FIXED]


def shape_arguments(shape: Sequence[Any]) -> Sequence[Any]:
    return shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) and not is_dim(shape[0]) else shape


def is_dim(x: Any) -> bool:
    return isinstance(x, tuple) and bool(x) and isinstance(x[0], tuple)


def unsqueeze(r: Reader, x: Any, dim: int) -> Value:
    x = r.ready(x)
    if dim >= 0 and x.front:
        raise Mismatch(
            "a new dimension counted from the front of a tensor whose rank is not known; pass example_inputs"
        )
    place = dim if dim >= 0 else len(x.dims) + dim + 1
    dims = list(x.dims)
    dims.insert(place, fixed(1))
    return Value(dims, x.front, shift=x.shift)


def squeeze(r: Reader, x: Any, dim: int | None = None) -> Value:
    x = r.ready(x)
    if dim is None:
        if x.front or None in (sizes := [size_of(d) for d in x.dims]):
            raise Mismatch("all dimensions of size 1 are squeezed, and a size is unknown; pass example_inputs")
        return Value([d for d, size in zip(x.dims, sizes) if size != 1], shift=x.shift)
    place = r.place(x, dim)
    size = size_of(x.dims[place])
    if size is None:
        raise Mismatch("a dimension of unknown size is squeezed; pass example_inputs")
    dims = [d for k, d in enumerate(x.dims, -len(x.dims)) if k != place or size != 1]
    return Value(dims, x.front, shift=x.shift)


def expand(r: Reader, x: Any, *sizes: Any) -> Value:
    x = r.ready(x)
    wanted = shape_arguments(sizes)
    dims = [fixed(s if isinstance(s, int) and s >= 0 else None) for s in wanted[: len(wanted) - len(x.dims)]] + list(
        x.dims
    )
    for k in range(-len(x.dims), 0):
        if size_of(x.dims[k]) == 1 and wanted[k] not in (1, -1):
            dims[k] = fixed(wanted[k] if isinstance(wanted[k], int) else None)
    return Value(dims, x.front, shift=x.shift)


def repeat_interleave(r: Reader, x: Any, repeats: int, dim: int) -> Value:
    x = r.ready(x)
    place = r.place(x, dim)
    if not isinstance(repeats, int):
        raise Mismatch("repeats that are a tensor")
    dims = list(x.dims)
    own = _moving(x.dims[place])
    dims[place] = (
        *dims[place],
        (Axis(repeats, PERMUTATION, tuple(own)), False),
    )  # equal along it, so that any permutation will do
    return Value(dims, x.front, shift=x.shift)


def unbind(r: Reader, x: Any, dim: int = 0) -> list[Any]:
    if isinstance(x, Stack):
        if dim != x.at:
            raise Mismatch("a stack of queries, keys and values is only taken apart along itself")
        return list(x.values)
    x = r.ready(x)
    size = size_of(x.dims[r.place(x, dim)])
    if size is None:
        raise Mismatch("a dimension of unknown size is taken apart; pass example_inputs")
    place = len(x.dims) + r.place(x, dim)
    return [r.getitem(x, (*[slice(None)] * place, k)) for k in range(size)]


def unflatten(r: Reader, x: Any, dim: int, sizes: Sequence[int]) -> Value:
    lengths = r.lengths(x)
    place = dim % len(lengths)
    return r.reshape(x, [*lengths[:place], *sizes, *lengths[place + 1 :]])


def stack(r: Reader, tensors: Sequence[Any], dim: int = 0) -> Value:
    """A concatenation along a new dimension, of tensors whose axes move alike; along it they stay."""
    first, *rest = (r.ready(t) for t in tensors)
    for t in rest:
        if len(t.dims) != len(first.dims):
            raise Mismatch("tensors of unlike ranks are stacked; pass example_inputs")
        for a, b in zip(first.dims, t.dims):
            unify(a, b)
    y = unsqueeze(r, Value(list(first.dims), first.front or any(t.front for t in rest)), dim)
    place = dim if dim >= 0 else len(y.dims) + dim
    return Value([fixed(len(tensors)) if k == place else d for k, d in enumerate(y.dims)], y.front)


def glu(r: Reader, x: Any, dim: int = -1) -> Value:
    value, gate = r.pieces(x, 2, dim, True)
    return r.multiply(value, r.pointwise(gate, PERMUTATION))


def normalize(r: Reader, x: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Any = None) -> Value:
    """A vector over its length: orthogonal matrices leave that of p = 2, signed permutations all others."""
    return r.norm(x, r.place(r.ready(x), dim), None, None, ORTHOGONAL if p == 2 else SIGNED, along=True)


def einsum(r: Reader, equation: Any, *tensors: Any) -> Value:
    """Two tensors, as a matrix product: letters of both and of the result are copies, those of both alone are summed."""
    if len(tensors) != 2 or not isinstance(equation, str) or "->" not in equation or "." in equation:
        raise Mismatch("an einsum other than of two tensors with letters and an arrow")
    (left, right), out = equation.replace(" ", "").split("->")[0].split(","), equation.replace(" ", "").split("->")[1]
    if any(len(set(part)) != len(part) for part in (left, right, out)) or set(out) - set(left + right):
        raise Mismatch("an einsum with a letter twice in one tensor")
    a, b = r.ready(tensors[0]), r.ready(tensors[1])
    if a.front or b.front or len(a.dims) != len(left) or len(b.dims) != len(right):
        raise Mismatch("an einsum of tensors whose ranks are not known; pass example_inputs")
    dims = dict(zip(left, a.dims)) | {c: d for c, d in zip(right, b.dims) if c not in left}
    for c, d in zip(right, b.dims):
        if c in left:
            if c in out:
                restrict(d, PERMUTATION)
            unify(dims[c], d, dual=c not in out)
    for c in dims:
        restrict(dims[c], PERMUTATION if c not in out and (c not in left or c not in right) else LINEAR)
        if c not in out:
            for axis in _moving(dims[c]):
                forget([dims[o] for o in out], axis)
    both = set(left) & set(right)
    contract(
        [dims[c] for c in dims if c in both and c not in out],
        [dims[c] for c in dims if c in both and c in out],
        [dims[c] for c in dims if c not in both],
    )
    return Value([dims[c] for c in out])
