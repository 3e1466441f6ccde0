"""Elements of parameter groups, and how they act on tensors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

from .. import DomainError, Permutation
from ._axes import FIXED, KINDS, LINEAR, ORTHOGONAL, PERMUTATION, SIGNED

__all__ = ["Element", "Factor", "IDENTITIES", "Leaf", "Part", "Port", "Slice", "act_on_block", "same_memory", "tied"]

IDENTITIES = {"forward": LINEAR, "SGD": ORTHOGONAL, "Adam": SIGNED}
"""What is the same after a parameter group has acted, and the largest kind of elements for which it is: outputs; a run
of SGD, which knows lengths and angles; a run of Adam, which knows every coordinate up to its sign."""


@dataclass(frozen=True)
class Leaf:
    """One axis in a dimension: which factor moves it (None: nothing does)."""

    factor: int | None
    size: int
    dual: bool = False
    absolute: bool = False


@dataclass(frozen=True)
class Slice:
    """A block of a parameter, and how its dimensions are products of axes."""

    name: str
    ranges: tuple[tuple[int, int], ...]
    dims: tuple[tuple[Leaf, ...], ...]

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(f'{a}:{b}' for a, b in self.ranges)}]"

    @property
    def index(self) -> tuple[slice, ...]:
        return tuple(slice(a, b) for a, b in self.ranges)


@dataclass(frozen=True)
class Factor:
    """A factor of the group: `copies` independent elements of one group of this kind and size.

    kind: "permutation", "signed" (permutations with signs), "orthogonal", "general linear"; "fixed" for an axis that
    only counts the copies of others. over: the numbers of the factors whose points count the copies, and which permute
    them: a wreath product.
    """

    kind: str
    size: int
    over: tuple[int, ...]
    copies: int
    slices: tuple[Slice, ...] = field(repr=False)

    @property
    def order(self) -> int | float:
        kind = KINDS.index(self.kind)
        if kind in (ORTHOGONAL, LINEAR):
            return math.inf
        one = {FIXED: 1, PERMUTATION: math.factorial(self.size), SIGNED: 2**self.size * math.factorial(self.size)}[kind]
        return int(one**self.copies)

    @property
    def obeys(self) -> dict[str, str]:
        """For each identity ("forward", "SGD", "Adam") the kind of the largest subgroup that obeys it."""
        return {name: KINDS[min(KINDS.index(self.kind), kind)] for name, kind in IDENTITIES.items()}

    def __str__(self) -> str:
        name = {"permutation": "S", "signed": "B", "orthogonal": "O", "general linear": "GL", "fixed": "1"}[self.kind]
        return f"{name}({self.size})" + (f"^{self.copies}" if self.copies > 1 else "")


@dataclass(frozen=True, eq=False)
class Part:
    """The elements of one factor, one for each copy: images [copies, n] with signs, or matrices [copies, n, n]."""

    images: NDArray[Any] | None
    signs: NDArray[Any] | None
    matrices: NDArray[Any] | None = None

    def as_matrices(self) -> NDArray[Any]:
        if self.matrices is not None:
            return self.matrices
        assert self.images is not None and self.signs is not None
        copies, n = self.images.shape
        result = numpy.zeros((copies, n, n))
        result[numpy.arange(copies)[:, None], self.images, numpy.arange(n)] = self.signs
        return result

    def inverse(self) -> Part:
        if self.matrices is not None:
            return Part(None, None, numpy.linalg.inv(self.matrices))
        assert self.images is not None and self.signs is not None
        back = numpy.argsort(self.images, 1)
        return Part(back, numpy.take_along_axis(self.signs, back, 1))

    def after(self, first: Part) -> Part:
        """First the other, then this one."""
        if self.images is None or first.images is None:
            return Part(None, None, self.as_matrices() @ first.as_matrices())
        assert self.signs is not None and first.signs is not None
        images = numpy.take_along_axis(self.images, first.images, 1)
        return Part(images, first.signs * numpy.take_along_axis(self.signs, first.images, 1))

    def at(self, copies: NDArray[Any]) -> Part:
        return Part(*(None if a is None else a[copies] for a in (self.images, self.signs, self.matrices)))


@dataclass(frozen=True, eq=False)
class Element:
    """An element of a parameter group: for each factor what it does. g * h is first h, then g."""

    factors: tuple[Factor, ...] = field(repr=False)
    parts: tuple[Part | None, ...]

    @property
    def is_monomial(self) -> bool:
        """Does it only permute coordinates and change signs, so that it acts bit by bit?"""
        return all(p is None or p.matrices is None for p in self.parts)

    def moves(self, block: Slice) -> bool:
        """May it move this block of a parameter? A part that is None moves nothing."""
        parts = (self.parts[leaf.factor] for dim in block.dims for leaf in dim if leaf.factor is not None)
        return any(part is not None for part in parts)

    def points(self, moved: Sequence[Leaf]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where the points of a product of axes go, row-major, and the signs of coordinates there. Monomial elements
        only."""
        sizes = tuple(leaf.size for leaf in moved)
        at = numpy.indices(sizes).reshape(len(sizes), math.prod(sizes))
        to, signs = at.copy(), numpy.ones(at.shape[1], dtype=numpy.int8)
        for k, leaf in enumerate(moved):
            part = self.parts[leaf.factor] if leaf.factor is not None else None
            if part is None or leaf.factor is None:
                continue
            assert part.images is not None and part.signs is not None
            over = places_over(self.factors, moved, k, (0,) * len(moved))
            copy = (
                numpy.ravel_multi_index([at[j] for j in over], [sizes[j] for j in over])
                if over
                else numpy.zeros(at.shape[1], dtype=numpy.int64)
            )
            to[k] = part.images[copy, at[k]]
            if not leaf.absolute:
                signs *= part.signs[copy, at[k]]
        images: NDArray[Any] = (
            numpy.asarray(numpy.ravel_multi_index(list(to), sizes)) if sizes else numpy.zeros(1, dtype=numpy.int64)
        )
        return images, signs

    def copies(self, factor: int) -> NDArray[Any]:
        """Where the copies of a factor go."""
        return self.points([Leaf(f, self.factors[f].size) for f in self.factors[factor].over])[0]

    def __mul__(self, other: Element) -> Element:
        if not isinstance(other, Element):
            return NotImplemented
        if other.factors != self.factors:
            raise DomainError("the two elements are of different parameter groups")
        parts = []
        for k, (left, right) in enumerate(zip(self.parts, other.parts)):
            parts.append(left.at(other.copies(k)).after(right) if left is not None and right is not None else None)
        return Element(self.factors, tuple(parts))

    def inverse(self) -> Element:
        return Element(
            self.factors, tuple(p and p.at(numpy.argsort(self.copies(k))).inverse() for k, p in enumerate(self.parts))
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element) or other.factors != self.factors:
            return NotImplemented
        same = numpy.array_equal
        return all(
            a is None or b is None or same(a.as_matrices(), b.as_matrices()) for a, b in zip(self.parts, other.parts)
        )

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        shown = []
        for factor, part in zip(self.factors, self.parts):
            if part is None:
                continue
            if part.images is None or part.signs is None:
                shown.append(f"{factor}: matrices")
                continue
            copies = []
            for images, signs in zip(part.images.tolist(), part.signs.tolist()):
                text = str(Permutation(images)) if min(signs) > 0 else str([(1 + i) * s for i, s in zip(images, signs)])
                copies.append(text)
            if any(c != "()" for c in copies):
                shown.append(f"{factor}: {' '.join(copies)}")
        return "; ".join(shown) or "the identity"


def places_over(factors: Sequence[Factor], all_leaves: Sequence[Leaf], at: int, dim_of: Sequence[int]) -> list[int]:
    """Which of the leaves of a slice count the copies for the leaf at a place: those of its own dimension if they are
    there."""
    number = all_leaves[at].factor
    found = []
    for f in factors[number].over if number is not None else ():
        places = [k for k, leaf in enumerate(all_leaves) if leaf.factor == f]
        own = [k for k in places if dim_of[k] == dim_of[at]]
        if not places:
            raise DomainError("an axis is over one that its parameter does not have")
        found.append((own or places)[0])
    return found


def act_on_block(element: Element, x: Tensor, dims: Sequence[Sequence[Leaf]], dual: bool = False) -> Tensor:
    """An element on a tensor with these dimensions. Signs and permutations are exact for every dtype that has them."""
    flat = [leaf for dim in dims for leaf in dim]
    dim_of = [k for k, dim in enumerate(dims) for _ in dim]
    shape, sizes = x.shape, [leaf.size for leaf in flat]
    x = x.reshape(sizes)
    # What is over others goes first, so that it still finds its copy.
    order = sorted(
        range(len(flat)), key=lambda k: -len(element.factors[f].over) if (f := flat[k].factor) is not None else 0
    )
    for k in order:
        number = flat[k].factor
        part = element.parts[number] if number is not None else None
        if part is None:
            continue
        over = places_over(element.factors, flat, k, dim_of)
        front = [*over, k]
        rest = [j for j in range(len(flat)) if j not in front]
        y = x.permute(front + rest)
        moved = y.shape
        y = _act_on_axis(y.reshape(math.prod(sizes[j] for j in over), sizes[k], -1), part, flat[k], dual)
        x = y.reshape(moved).permute(numpy.argsort(front + rest).tolist())
    return x.reshape(shape)


def same_memory(x: Tensor) -> Any:
    """What is equal for two tensors exactly if they are the same numbers in the same place. An empty tensor, or one
    without memory, is only itself."""
    if not x.numel() or x.device.type == "meta" or not x.data_ptr():
        return id(x)
    return (x.device, x.data_ptr(), tuple(x.shape), x.stride(), x.dtype)


def tied(state: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The state with one tensor under all names of what is one parameter (name: first name), where the numbers agree."""
    for name, first in names.items():
        a, b = state.get(first), state.get(name)
        if not isinstance(a, Tensor) or not isinstance(b, Tensor) or a is b or a.shape != b.shape:
            continue
        if same_memory(a) == same_memory(b) or torch.equal(a, b):
            state[name] = a
    return state


BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def _negated(bits: Tensor, dtype: torch.dtype) -> Tensor:
    """The bits with the sign changed; where there is no negative zero, its pattern is the one NaN and stays."""
    flipped = bits ^ torch.iinfo(bits.dtype).min
    if str(dtype).endswith("fnuz"):
        return torch.where((bits == 0) | (flipped == 0), bits, flipped)
    return flipped


def _act_on_axis(x: Tensor, part: Part, leaf: Leaf, dual: bool) -> Tensor:
    """An element on the middle one of three dimensions [copies, n, rest]."""
    if x.is_complex():
        pairs = torch.view_as_real(x.contiguous())
        return torch.view_as_complex(_act_on_axis(pairs.flatten(2), part, leaf, dual).reshape(pairs.shape))
    if part.images is not None and part.signs is not None:
        back = torch.from_numpy(numpy.argsort(part.images, 1)).to(x.device)
        copies = torch.arange(len(back), device=x.device)[:, None]
        negative = (
            torch.from_numpy(part.signs < 0).to(x.device)[copies, back][..., None]
            if not leaf.absolute and (part.signs < 0).any()
            else None
        )
        if (
            x.dtype.is_floating_point and not x.requires_grad
        ):  # as bits: arithmetic would touch the payload of a NaN, and some dtypes have none
            bits = x.view(BITS[x.dtype.itemsize])[copies, back]
            return (bits if negative is None else torch.where(negative, _negated(bits, x.dtype), bits)).view(x.dtype)
        x = x[copies, back]
        if negative is not None and (x.dtype == torch.bool or not x.dtype.is_signed):
            raise DomainError(f"the element changes signs, and a tensor is of {x.dtype}, which has none")
        return x if negative is None else torch.where(negative, -x, x)
    if not x.dtype.is_floating_point:
        raise DomainError(
            f"the element has matrices, and a tensor is of {x.dtype}: only permutations and signs act on it"
        )
    M = part.as_matrices()
    if leaf.dual ^ dual:
        M = numpy.linalg.inv(M).transpose(0, 2, 1)
    return (torch.from_numpy(M).to(x.device, torch.float64) @ x.double()).to(x.dtype)


@dataclass(frozen=True)
class Port:
    """An input or output: the dimensions, counted from the end, that an element moves, in consecutive blocks."""

    dims: tuple[tuple[int, tuple[tuple[tuple[int, int], tuple[Leaf, ...]], ...]], ...]

    def act(self, element: Element, x: Tensor) -> Tensor:
        if not self.dims:
            return x
        for place, blocks in self.dims:
            if -place > x.dim() or x.shape[place] != blocks[-1][0][1]:
                raise DomainError(
                    f"the group was read for a size of {blocks[-1][0][1]} in dimension {place} of an input or output, "
                    f"which has the shape {list(x.shape)}: pass example_inputs of this shape to parameter_group"
                )
        moved = x.clone()
        for pieces in itertools.product(
            *(blocks for _, blocks in self.dims)
        ):  # all at once: one dimension may be over another
            index = [slice(None)] * x.dim()
            dims: list[tuple[Leaf, ...]] = [(Leaf(None, size),) for size in x.shape]
            for (place, _), ((a, b), dim) in zip(self.dims, pieces):
                index[place], dims[place] = slice(a, b), dim
            moved[tuple(index)] = act_on_block(element, x[tuple(index)], dims)
        return moved
