"""One activation for all that a field is made of: scalars, what changes signs, and vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError
from ._fields import FieldModule, FieldType, Kind, counted, real_tensors, scalars_of
from .check import commutes_with_moves

__all__ = ["CompositeActivation"]

Function = Callable[[Tensor], Tensor]


def _name(f: Function) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


class CompositeActivation(FieldModule):
    """The function that each part of V allows: any one of scalars and permuted coordinates, an odd one where signs
    change, and gates on all else; exactly equivariant for every real V.

    Parameters
    ----------
    V
        The type of the output.
    scalars
        The function of each coordinate of blocks that the group permutes: of trivial, perm, regular. SiLU if left out.
    odd
        The function of each coordinate of blocks that it permutes up to signs: of sign, det, coordinates. tanh if left
        out.
    gates
        The function of the scalars that multiply the other blocks, of vectors and of std; the sigmoid if left out.
    axes
        How many axes of a grid follow.
    whole
        One gate for all points of an orbit, as in GatedActivation.

    Attributes
    ----------
    source
        The type of the input: V, and behind it a scalar for each gated block. A linear layer before makes it:
        ``Linear(V, act.source)``.
    target
        V.

    Shape
    -----
    [..., channels, dim source, *grid] to [..., channels, dim V, *grid].

    Raises
    ------
    DomainError
        If `odd` is used and is not an odd function of each coordinate, `scalars` is used and no function of each
        coordinate, or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import CompositeActivation, Linear
    >>> V = Group("O(3)").rep("8*trivial + 2*det + 4*vector")
    >>> act = CompositeActivation(V)
    >>> act.source.expression
    '8*trivial + 2*det + 4*vector + 4*trivial'
    >>> act(Linear(V, act.source)(torch.randn(5, 1, 22))).shape
    torch.Size([5, 1, 22])
    """

    _measures = False
    _per_point = True

    def __init__(
        self,
        V: FieldType,
        scalars: Function = nn.functional.silu,
        odd: Function = torch.tanh,
        gates: Function = torch.sigmoid,
        *,
        axes: int = 0,
        whole: bool = False,
    ) -> None:
        super().__init__(V, None, axes, whole)
        self.scalars, self.odd, self.gates = scalars, odd, gates
        kinds = self._structure.kinds
        shapes = {kind.shape for kind in kinds}
        turn: list[tuple[list[int], list[float]]] = [([1, 2, 0], [1.0] * 3)]
        with real_tensors():
            reasons = [
                commutes_with_moves(scalars, turn, 3, 1) if "permutation" in shapes else "",
                commutes_with_moves(odd, [*turn, ([0, 1, 2], [-1.0] * 3)], 3, 1) if "signed" in shapes else "",
            ]
        for f, wanted, reason in zip((scalars, odd), ("a function", "an odd function"), reasons):
            if reason:
                signs = ", such as torch.tanh" if wanted == "an odd function" else ""
                raise DomainError(f"{_name(f)} is not {wanted} of each coordinate ({reason}): take one{signs}")
        self.target = V
        gated = [kind for kind in kinds if kind.shape == "mixed"]
        self._gates = sum(kind.copies for kind in gated)
        self.source: Any = V + scalars_of(V, gated) if gated else V

    def forward(self, x: Tensor) -> Tensor:
        s, axis = self._structure, self._axis
        self._check(x, s.dimension + self._gates)
        y, own = torch.split(x, [s.dimension, self._gates], axis)
        gates, first, parts = self.gates(own) if self._gates else own, 0, []
        for kind in s.kinds:
            part = s.take(y, kind, axis)
            if kind.shape == "mixed":
                parts.append(part * gates.narrow(axis, first, kind.copies).unsqueeze(axis))
                first += kind.copies
            else:
                parts.append(self._function(kind)(part.flatten(axis - 1, axis)).unflatten(axis, (kind.copies, kind.n)))
        return s.put(parts, axis)

    def _function(self, kind: Kind) -> Function:
        return self.scalars if kind.shape == "permutation" else self.odd

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, {counted(self._gates, 'gate')}"
