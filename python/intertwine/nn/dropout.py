"""Dropout that keeps the symmetry."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from .. import DomainError
from ._fields import FieldModule, FieldType

__all__ = ["Dropout"]


class Dropout(FieldModule):
    """In training, takes whole blocks out: each channel of each orbit of coordinates, or copy of a summand, with
    probability p, in each sample alone; what stays is scaled by 1 / (1 - p).

    x [..., channels, dim V, *grid]: a block is taken out at all sites of a grid at once; `axes` axes of a grid.

    What is equivariant, and how: for every choice of what is taken out, the map is exactly equivariant. As a random map
    it is so in law: f(g x) and g f(x) have the same distribution, and are equal where the random numbers are. A mask
    for each coordinate would be equivariant in law alone, and only for permutations: no map that it gives is
    equivariant.

    The group of V may be any: no inner product is asked for. Fields may be complex.

    Source: Srivastava et al. 2014; whole channels: Tompson et al. 2015.

    Parameters
    ----------
    V
        The type of fields: a representation, or a sum of several.
    p
        The probability that a block is taken out.
    axes
        How many axes of a grid there are.

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    Raises
    ------
    DomainError
        If p is no number between 0 and 1.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Dropout
    >>> layer, x = Dropout(Group("S3").rep("perm"), 0.5), torch.ones(2, 8, 3)
    >>> bool((layer(x).std(-1) == 0).all())  # a channel stays whole, or goes whole
    True
    """

    _measures = False
    _takes_complex = True

    def __init__(self, V: FieldType, p: float = 0.5, *, axes: int = 0) -> None:
        if not 0 <= p <= 1:
            raise DomainError(f"p is a probability, a number between 0 and 1, not {p!r}")
        super().__init__(V, None, axes)
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        if not self.training or self.p == 0:
            return x
        s, axis = self._structure, self._axis
        shape = (*x.shape[:axis], s.blocks, *(1 for _ in range(self.axes)))
        mask = functional.dropout(x.new_ones(shape, dtype=x.real.dtype if x.is_complex() else x.dtype), self.p)
        return x * s.of_blocks(mask, axis)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, p={self.p}"
