"""Pointwise functions between equivariant layers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from .. import DomainError, Representation
from .check import check_equivariance

__all__ = ["Activation"]


class Activation(nn.Module):
    """f on every coordinate of a field of type V, refused where it does not commute with the group.

    A representation that permutes its basis lets every function pass; one that also negates basis vectors lets odd functions pass
    (tanh, x^3, ...), and one that mixes them in other ways lets almost none. Whether f passes is measured, on inputs of several
    sizes, with check_equivariance.

    V: the type of the field. f: a function or module on [..., channels, dim V]. channels: how many f wants to see, for those with
    parameters for each, such as torch.nn.PReLU(16).
    """

    def __init__(self, V: Representation, f: Callable[[Tensor], Tensor], channels: int = 1) -> None:
        super().__init__()
        report = check_equivariance(f, V, V, channels, batch=10)
        if not report:
            raise DomainError(f"{_name(f)} does not commute with {V} of {V.group.name}: {_why(V, f, report.reason)}")
        self.f = f
        self._of = str(V)

    def forward(self, x: Tensor) -> Tensor:
        return self.f(x)

    def extra_repr(self) -> str:
        return f"on {self._of}" if isinstance(self.f, nn.Module) else f"{_name(self.f)} on {self._of}"


def _name(f: Callable[[Tensor], Tensor]) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


def _why(V: Representation, f: Callable[[Tensor], Tensor], otherwise: str) -> str:
    if V.is_permutation:
        return otherwise
    if not V.is_monomial:
        for g in V.group.generators:
            rows: dict[int, int] = {}
            for row, _, _ in V.matrix(g).entries():
                rows[row] = rows.get(row, 0) + 1
            for row, count in sorted(rows.items()):
                if count > 1:
                    return f"the element {g} mixes {count} coordinates in coordinate {row + 1}; use a representation that permutes its basis, such as regular"
    for g in V.group.generators:
        for row, col, value in V.matrix(g).entries():
            if float(value) < 0:
                t = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)
                try:
                    plus, minus = f(t), f(-t)
                except Exception:  # f wants channels: its oddness is not shown
                    return f"the element {g} negates basis vector {col + 1}, so the function must be odd"
                k = int((plus + minus).abs().argmax())
                return (
                    f"the element {g} negates basis vector {col + 1}, so the function must be odd, and it takes {t[k]:g} to {plus[k]:.3g}"
                    f" and {-t[k]:g} to {minus[k]:.3g}; use an odd one such as tanh"
                )
    return otherwise
