"""Axes: what the dimensions of values and of parameters have in common.

An axis is an unknown: a dimension of a tensor, and how large a group may act on it. A network ties axes to one another
(the columns of a weight to what it multiplies, the two sides of a sum), refines them (a reshape into heads is a product
of two axes, a split a concatenation) and bounds their groups (a ReLU leaves permutations, a tanh signed ones). What is
left when all of it has been read is the group of the network's parameters.

A dimension is a product of axes, row-major: channels and sites after a flatten, heads and coordinates after a
projection. An axis may be *over* others, as the coordinates of a head are over the heads: then it has an element of its
group for every index of those.

An axis is bound unless a reader frees it. `restrict`, `unify` and `free` are the ways to speak of an axis, and what
they speak of is noted; an axis of an operation's tensors that its reader did not speak of is held by `bind_the_rest`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = [
    "FIXED", "KINDS", "LINEAR", "ORTHOGONAL", "PERMUTATION", "SIGNED", "Axis", "Dim", "Mismatch", "bind_the_rest", "chunk",
    "contract", "forget", "free", "leaves", "listening", "mix", "over_of", "restrict", "size_of", "take", "unify",
]  # fmt: skip

KINDS = ("fixed", "permutation", "signed", "orthogonal", "general linear")
FIXED, PERMUTATION, SIGNED, ORTHOGONAL, LINEAR = range(5)


class Mismatch(Exception):
    """Two dimensions that do not fit; the reader adds the place."""


class Axis:
    """An unknown. Tied axes form a tree (union-find); `dual` says that one moves by the inverse transpose where its
    parent moves by A."""

    def __init__(self, size: int | None, kind: int = LINEAR, over: tuple[Axis, ...] = ()) -> None:
        self.size, self.kind, self.over = size, kind, over
        self.parent: Axis | None = None
        self.dual = False
        self.product: Dim | None = None
        self.parts: tuple[Dim, ...] | None = None

    def root(self) -> tuple[Axis, bool]:
        axis, dual = self, False
        while axis.parent is not None:
            dual ^= axis.dual
            axis = axis.parent
        return axis, dual


Dim = tuple[tuple[Axis, bool], ...]
"""A product of axes, each with whether it is dual."""


def leaves(dim: Dim) -> list[tuple[Axis, bool]]:
    """The axes that a dimension is a product of, as far as it is known by now. One may be a concatenation (`parts`)."""
    found: list[tuple[Axis, bool]] = []
    for axis, dual in dim:
        root, turned = axis.root()
        if root.product is None:
            found.append((root, dual ^ turned))
        else:
            found += [(leaf, dual ^ turned ^ d) for leaf, d in leaves(root.product)]
    return found


def size_of(dim: Dim) -> int | None:
    """The product of the sizes, None while one is unknown."""
    sizes = [leaf.size for leaf, _ in leaves(dim)]
    return math.prod(s for s in sizes if s is not None) if None not in sizes else None


def over_of(axis: Axis) -> list[Axis]:
    """The axes that a leaf is over."""
    return list(dict.fromkeys(leaf for leaf, _ in leaves(tuple((a, False) for a in axis.over))))


_spoken_of: ContextVar[list[Axis] | None] = ContextVar("_spoken_of", default=None)


@contextmanager
def listening() -> Iterator[list[Axis]]:
    """The axes that are spoken of inside; whoever listens outside hears them too."""
    outer, heard = _spoken_of.get(), []  # type: tuple[list[Axis] | None, list[Axis]]
    token = _spoken_of.set(heard)
    try:
        yield heard
    finally:
        _spoken_of.reset(token)
        if outer is not None:
            outer += heard


def _speak(dim: Dim) -> None:
    if (heard := _spoken_of.get()) is not None:
        heard += [leaf for leaf, _ in leaves(dim)]


def _with_parts(dims: Iterable[Dim]) -> set[Axis]:
    found = {leaf for dim in dims for leaf, _ in leaves(dim)}
    return found.union(*(_with_parts(leaf.parts) for leaf in list(found) if leaf.parts is not None))


def bind_the_rest(taken: Iterable[Dim], heard: Iterable[Axis], carried: Iterable[Dim] = ()) -> None:
    """Holds every axis of an operation's tensors that was not spoken of.

    carried: the dimensions of what an operation gives that computes nothing, whose axes go on as they are. A piece that
    is cut away where others are taken is not read, and stays free.
    """
    known = _with_parts([((axis, False),) for axis in heard]) | _with_parts(carried)
    for dim in taken:
        for leaf, _ in leaves(dim):
            parts = _with_parts(leaf.parts) if leaf.parts is not None else set()
            if leaf not in known and not (parts & known):
                restrict(((leaf, False),), FIXED)
        _speak(dim)


def free(dim: Dim) -> None:
    """Says that an operation commutes with every linear map along a dimension."""
    restrict(dim, LINEAR)


def restrict(dim: Dim, kind: int) -> None:
    """No larger group than this kind on any axis of a dimension."""
    _speak(dim)
    for leaf, _ in leaves(dim):
        leaf.kind = min(leaf.kind, kind)
        for part in leaf.parts or ():
            restrict(part, kind)


def _split(axis: Axis, outer: int) -> None:
    """A leaf becomes a product of `outer` and the rest. Its group becomes the wreath product: blocks are permuted, each
    moves by itself."""
    if axis.parts is not None:
        raise Mismatch("a concatenation is cut across its parts")
    assert axis.size is not None
    first = Axis(outer, min(axis.kind, PERMUTATION), axis.over)
    rest = Axis(axis.size // outer, axis.kind, axis.over + (first,) if axis.kind else ())
    axis.product = ((first, False), (rest, False))


def take(left: list[tuple[Axis, bool]], size: int) -> Dim:
    """Takes leaves of this size from the front of a list, splitting the last one where it must."""
    taken: list[tuple[Axis, bool]] = []
    while size > 1:
        if not left:
            raise Mismatch("the sizes do not multiply to the same number")
        leaf, dual = left.pop(0)
        if leaf.size is None:
            raise Mismatch("a size is unknown; pass example_inputs")
        if size % leaf.size == 0:
            taken.append((leaf, dual))
            size //= leaf.size
        elif leaf.size % size == 0:
            _split(leaf, size)
            first, rest = leaves(((leaf, dual),))
            taken.append(first)
            left.insert(0, rest)
            size = 1
        else:
            raise Mismatch(f"{leaf.size} is cut into pieces of {size}")
    return tuple(taken)


def _settle(unknown: list[tuple[Axis, bool]], known: list[tuple[Axis, bool]]) -> None:
    """Unknown sizes (of sites after a convolution) from the size of the whole."""
    holes = [leaf for leaf, _ in unknown if leaf.size is None]
    if not holes or any(leaf.size is None for leaf, _ in known):
        return
    total, there = math.prod(leaf.size or 1 for leaf, _ in known), math.prod(leaf.size or 1 for leaf, _ in unknown)
    if total % there:
        raise Mismatch(f"{total} is no multiple of {there}")
    for k, leaf in enumerate(holes):
        leaf.size = total // there if k == 0 else 1


def unify(a: Dim, b: Dim, dual: bool = False) -> None:
    """Ties two dimensions: what acts on one acts on the other, by its inverse transpose if dual."""
    _speak(a)
    _speak(b)
    left, right = leaves(a), [(leaf, d ^ dual) for leaf, d in leaves(b)]
    _settle(left, right)
    _settle(right, left)
    while left and right:
        (x, dx), (y, dy) = left[0], right[0]
        if x is y:
            if dx != dy:  # A and its inverse transpose are the same
                restrict(((x, False),), ORTHOGONAL)
        elif x.size == y.size:
            _union(x, y, dx ^ dy)
        elif x.size == 1 or y.size == 1:
            one = left if x.size == 1 else right
            restrict((one.pop(0),), FIXED)
            continue
        elif x.size is None or y.size is None:
            raise Mismatch("a size is unknown; pass example_inputs")
        else:
            large, small = (left, y) if x.size > y.size else (right, x)
            leaf = large.pop(0)
            assert leaf[0].size is not None and small.size is not None
            if leaf[0].size % small.size:
                raise Mismatch(f"axes of {x.size} and {y.size} do not divide one another")
            _split(leaf[0], small.size)
            large[:0] = leaves((leaf,))
            continue
        left.pop(0)
        right.pop(0)
    for leaf in left + right:
        if leaf[0].size not in (1, None):
            raise Mismatch(f"the sizes are {size_of(a)} and {size_of(b)}")
        restrict((leaf,), FIXED)


def _union(x: Axis, y: Axis, dual: bool) -> None:
    kind = min(x.kind, y.kind)
    if x.parts is not None and y.parts is not None:
        if [size_of(p) for p in x.parts] != [size_of(p) for p in y.parts]:
            raise Mismatch(f"concatenations of {[size_of(p) for p in x.parts]} and of {[size_of(p) for p in y.parts]}")
        for p, q in zip(x.parts, y.parts):
            unify(p, q, dual)
    elif y.parts is not None:
        x, y = y, x
    if x.parts is not None and kind < LINEAR:
        for p in x.parts:
            restrict(p, kind)
    common = [a for a in over_of(x) if a in over_of(y)] if kind else []
    x.kind, x.over = kind, tuple(common)
    y.parent, y.dual = x, dual


def chunk(dim: Dim, sizes: Sequence[int]) -> list[Dim]:
    """The pieces of a dimension that is cut into consecutive ones."""
    found = leaves(dim)
    total = size_of(dim)
    if total is not None and total != sum(sizes):
        raise Mismatch(f"{total} is cut into pieces of {list(sizes)}")
    if all(leaf.kind == FIXED and leaf.parts is None for leaf, _ in found):
        return [((Axis(s, FIXED), False),) for s in sizes]
    if len(found) != 1:
        raise Mismatch("a product of axes is cut into pieces")
    leaf, dual = found[0]
    if leaf.parts is None:
        if leaf.over:  # the coordinates of a head, as rotary encodings cut them
            restrict(dim, FIXED)
            return [((Axis(s, FIXED), False),) for s in sizes]
        leaf.parts = tuple(((Axis(s, leaf.kind), False),) for s in sizes)
    if [size_of(p) for p in leaf.parts] != list(sizes):
        raise Mismatch(f"pieces of {[size_of(p) for p in leaf.parts]} are cut into pieces of {list(sizes)}")
    return [tuple((a, d ^ dual) for a, d in part) for part in leaf.parts]


def mix(mixed: Iterable[Dim], others: Iterable[Dim]) -> None:
    """After an operation in which numbers at all places of some dimensions meet: what is over these is the same for all
    of their indices."""
    others = list(others)
    for dim in mixed:
        for axis, _ in leaves(dim):
            forget(others, axis)


def contract(summed: Sequence[Dim], batch: Sequence[Dim], apart: Sequence[Dim]) -> None:
    """After a product of two tensors that is summed: what is summed is over what both have (`batch`) or what is summed
    with it, and not over what stands in one of them alone (`apart`)."""
    both, one = ({leaf for dim in dims for leaf, _ in leaves(dim)} for dims in ([*summed, *batch], apart))
    for dim in summed:
        for leaf, _ in leaves(dim):
            for axis in over_of(leaf):
                if axis in one or axis not in both:
                    forget([dim], axis)
    mix(summed, [*batch, *apart])


def forget(dims: Iterable[Dim], axis: Axis) -> None:
    """After a sum over an axis: what was over it is the same for all of its indices."""
    for dim in dims:
        for leaf, _ in leaves(dim):
            if axis in over_of(leaf):
                leaf.over = tuple(a for a in over_of(leaf) if a is not axis)
