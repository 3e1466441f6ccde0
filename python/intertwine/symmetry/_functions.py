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
    """Tensors by letters, two at a time from the left: what the others and the result do not have is summed."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if not isinstance(equation, str) or not tensors:
        raise Mismatch("an einsum other than of tensors with letters")
    ready = [r.ready(t) for t in tensors]
    parts, out = _letters(equation, ready)
    if len(ready) == 1:
        return _summed(parts[0], out, ready[0])
    value, left = ready[0], parts[0]
    for k, (other, right) in enumerate(zip(ready[1:], parts[1:]), 2):
        wanted = set(out).union(*parts[k:])
        kept = out if k == len(ready) else "".join(c for c in dict.fromkeys(left + right) if c in wanted)
        value, left = _product(left, right, kept, value, other), kept
    return value


def _letters(equation: str, tensors: Sequence[Value]) -> tuple[list[str], str]:
    """The letters of every tensor and of the result, those of "..." too."""
    taken, arrow, out = equation.replace(" ", "").partition("->")
    parts = taken.split(",")
    if len(parts) != len(tensors):
        raise Mismatch(f"an einsum of {len(tensors)} tensors with letters of {len(parts)}")
    if not arrow:
        once = sorted(c for c in set(taken) - set(".,") if taken.count(c) == 1)
        out = ("..." if "." in taken else "") + "".join(once)
    ranks = [len(part.replace("...", "")) for part in parts]
    if any(t.front or len(t.dims) < n for t, n in zip(tensors, ranks)):
        raise Mismatch("an einsum of tensors whose ranks are not known; pass example_inputs")
    rest = [len(t.dims) - n if "..." in part else 0 for t, n, part in zip(tensors, ranks, parts)]
    more = "".join(chr(0x3B1 + k) for k in range(max(rest)))
    parts = [part.replace("...", more[len(more) - n :]) for part, n in zip(parts, rest)]
    out = out.replace("...", more)
    if any(len(part) != len(t.dims) for part, t in zip(parts, tensors)):
        raise Mismatch("an einsum of tensors whose ranks are not known; pass example_inputs")
    if any(len(set(part)) != len(part) for part in (*parts, out)) or set(out) - set("".join(parts)):
        raise Mismatch("an einsum with a letter twice in one tensor")
    return parts, out


def _summed(letters: str, out: str, x: Value) -> Value:
    """The einsum of one tensor."""
    dims = dict(zip(letters, x.dims))
    for c, dim in dims.items():
        restrict(dim, LINEAR if c in out else PERMUTATION)
        for axis in _moving(dim) if c not in out else ():
            forget([dims[o] for o in out], axis)
    return Value([dims[c] for c in out])


def _product(left: str, right: str, out: str, a: Value, b: Value) -> Value:
    """Two tensors, as a matrix product: letters of both and of the result are copies, those of both alone are summed."""
    dims = dict(zip(left, a.dims))
    stretched = [
        c
        for c in left
        if c in right and 1 in (sizes := [size_of(dims[c]), size_of(b.dims[right.index(c)])]) and sizes != [1, 1]
    ]
    if stretched:
        raise Mismatch("an einsum that stretches a dimension of size 1")
    dims |= {c: d for c, d in zip(right, b.dims) if c not in left}
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
