"""Types of features written as e3nn's words, and their blocks: several copies of one summand side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ... import DomainError, Representation
from ..._features import Block, blocks_of, type_of
from .. import _ops
from .._fields import require_tensor

__all__ = ["Block", "blocks_of", "flatten_batch", "has_values", "join", "require_numbers", "split", "type_of"]


def has_values(t: Tensor) -> bool:
    """Can its numbers be looked at? Not while a program is recorded, nor on meta."""
    return not (torch.compiler.is_compiling() or _ops.recorded() or t.is_meta)


def require_numbers(name: str, t: Tensor, count: int) -> None:
    """Refuses numbers that are not between 0 and count - 1."""
    if has_values(t) and t.numel():
        low, high = (int(n) for n in t.aminmax())
        if low < 0 or high >= count:
            raise DomainError(f"{name} has the numbers {low} to {high}, and they go from 0 to {count} - 1")


def split(x: Tensor, blocks: Sequence[Block]) -> list[Tensor]:
    """[..., copies, dim] for each block of x [..., dim V]."""
    return [x.narrow(-1, b.start, b.size).unflatten(-1, (b.copies, b.dimension)) for b in blocks]


def join(parts: Sequence[Tensor]) -> Tensor:
    """x [..., dim V] of its blocks [..., copies, dim]."""
    flat = [part.flatten(-2) for part in parts]
    return flat[0] if len(flat) == 1 else torch.cat(flat, -1)


def flatten_batch(names: str, tensors: Sequence[Tensor]) -> tuple[list[Tensor], tuple[int, ...]]:
    """Rows of tensors [..., n] whose leading axes broadcast, and these axes."""
    try:
        batch = tuple(torch.broadcast_shapes(*(t.shape[:-1] for t in tensors)))
    except RuntimeError:
        shapes = ", ".join(str(list(t.shape)) for t in tensors)
        raise DomainError(f"the leading axes of {names} do not fit each other; they have the shapes {shapes}") from None
    rows = math.prod(batch)
    return [t.expand(*batch, t.shape[-1]).reshape(rows, t.shape[-1]) for t in tensors], batch


class Features:
    """How features of type V lie in memory, read as one tensor [..., dim, copies] for each block.

    With channels: [..., dim V, channels], as Convolution has them; m copies with C channels are m C copies.
    Without: flat, [..., dim V], as e3nn has them.
    """

    def __init__(self, V: Representation, channels: int | None = None) -> None:
        self.blocks, self.channels = blocks_of(V), channels
        self.size = sum(b.size for b in self.blocks)
        self.copies = [b.copies * (channels or 1) for b in self.blocks]

    @property
    def words(self) -> str:
        return "[..., dim V]" if self.channels is None else "[..., dim V, channels]"

    @property
    def shape(self) -> list[int]:
        """Of the last axes."""
        return [self.size] if self.channels is None else [self.size, self.channels]

    def check(self, name: str, x: Tensor) -> None:
        """Refuses tensors of another shape, and integers."""
        require_tensor(x, name)
        last = self.shape
        if x.dim() < len(last) or list(x.shape[x.dim() - len(last) :]) != last:
            numbers = ", ".join(str(n) for n in last)
            raise DomainError(f"{name} has the shape {list(x.shape)}; this layer takes [..., {numbers}], {self.words}")
        if not x.is_floating_point():
            raise DomainError(f"{name} is {x.dtype}; this layer takes floating-point numbers")

    def split(self, x: Tensor) -> list[Tensor]:
        """[..., dim, copies] for each block."""
        if self.channels is None:
            return [part.transpose(-1, -2) for part in split(x, self.blocks)]
        parts = []
        for b in self.blocks:
            part = x.narrow(-2, b.start, b.size)
            if b.copies > 1:
                part = part.unflatten(-2, (b.copies, b.dimension)).transpose(-2, -3).flatten(-2)
            parts.append(part)
        return parts

    def join(self, parts: Sequence[Tensor]) -> Tensor:
        """The features of their blocks [..., dim, copies]."""
        if self.channels is None:
            return join([part.transpose(-1, -2) for part in parts])
        flat = []
        for part, b in zip(parts, self.blocks):
            if b.copies > 1:
                part = part.unflatten(-1, (b.copies, self.channels)).transpose(-2, -3).flatten(-3, -2)
            flat.append(part)
        return flat[0] if len(flat) == 1 else torch.cat(flat, -2)
