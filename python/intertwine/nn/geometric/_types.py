"""Types of features written as e3nn's words, and their blocks: several copies of one summand side by side."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from ... import DomainError, Group, Representation
from .._fields import require_representations
from ._couplings import slots

__all__ = ["Block", "blocks_of", "flatten_batch", "join", "split", "type_of"]


class Block(NamedTuple):
    """`copies` of R, whose coordinates begin at `start`: the first copy, then the next."""

    R: Representation
    copies: int
    start: int
    dimension: int  # of one copy: a number that torch.compile sees

    @property
    def size(self) -> int:
        """Of all copies."""
        return self.copies * self.dimension


def type_of(V: Representation | str) -> Representation:
    """V, or the representation of O(3) that a text such as "8x0e + 4x1o" names."""
    if isinstance(V, str):
        return Group("O(3)").rep(V)
    require_representations(V)
    return V


def blocks_of(V: Representation) -> list[Block]:
    """The summands of V as they are written: "8*trivial + 4*vector" has two blocks, and "vector + vector" has two."""
    found = slots(V)
    written = [(m, R) for m, R in V.summands() if m and R.dimension]
    if [R for m, R in written for _ in range(m)] != [R for _, R in found]:  # brackets with multiplicities
        written = [(len(list(run)), R) for R, run in itertools.groupby(R for _, R in found)]
    starts = itertools.accumulate((m * R.dimension for m, R in written), initial=0)
    return [Block(R, m, start, R.dimension) for (m, R), start in zip(written, starts)]


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
