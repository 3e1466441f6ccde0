"""Nonlinear functions of the features of points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from ... import DomainError, Representation
from ..._couplings import maps_between
from .._fields import Derived, counted, integer, is_orthogonal
from .._tables import real_tensors
from ._types import Features, type_of

__all__ = ["Gate", "Norms", "kinds_of"]

Function = Callable[[Tensor], Tensor]


def kinds_of(features: Features) -> list[str]:
    """For each block: "scalar" where the group fixes it, "odd" where the group changes its sign, otherwise "gated"."""
    found = []
    for b in features.blocks:
        one = b.R.group.rep("trivial")
        if b.dimension == 1 and maps_between(one, one, b.R, "y", "own"):
            found.append("scalar")
        else:
            found.append("odd" if b.dimension == 1 and is_orthogonal(b.R) else "gated")
    return found


def _is_odd(f: Function) -> bool:
    """Measured, but for modules on meta, which have no numbers."""
    with real_tensors(), torch.no_grad():
        parameter = next(iter(f.parameters()), None) if isinstance(f, nn.Module) else None
        if parameter is not None and parameter.is_meta:
            return True
        t = torch.linspace(0.1, 4, 40, dtype=torch.float64 if parameter is None else parameter.dtype)
        t = t if parameter is None else t.to(parameter.device)
        return bool((f(t) + f(-t)).abs().max() < 1e-5)


class Gate(Derived):
    """Scalars by a function, pseudo-scalars by an odd one, all else times a function of a scalar of its own.

    Parameters
    ----------
    V
        The type of the output, or a text such as "8x0e + 2x0o + 4x1o".
    scalars
        The function of summands that the group fixes; SiLU if left out.
    gates
        The function of the scalars that multiply the others; the sigmoid if left out.
    odd
        The function of summands of dimension 1 whose sign the group changes; tanh if left out.
    channels
        With it, x is [..., dim V + gates, channels], as Convolution has it. Without, x is flat.
    normalize
        Functions are scaled so that their square has the mean 1 for normal arguments, as in e3nn.

    Attributes
    ----------
    source
        The type of the input: V, and behind it a scalar for each copy of a gated summand. A linear layer before makes
        it: ``Linear(V, gate.source)``.

    Shape
    -----
    [..., dim source, channels] to [..., dim V, channels], or without channels [..., dim source] to [..., dim V].

    Raises
    ------
    DomainError
        If `odd` is used and is not an odd function, or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Gate, Linear
    >>> gate = Gate("8x0e + 2x0o + 4x1o")
    >>> gate.source.irreps
    '8x0e+2x0o+4x1o+4x0e'
    >>> gate(Linear("3x0e + 3x0o + 3x1o", gate.source)(torch.randn(5, 15))).shape
    torch.Size([5, 22])
    """

    _derived = ("_from", "_to", "_kinds")

    def __init__(
        self,
        V: Representation | str,
        scalars: Function = nn.functional.silu,
        gates: Function = torch.sigmoid,
        odd: Function = torch.tanh,
        channels: int | None = None,
        normalize: bool = False,
    ) -> None:
        super().__init__()
        self.V = type_of(V)
        self.channels = None if channels is None else integer("channels", channels, 1)
        self.scalars, self.gates, self.odd, self.normalize = scalars, gates, odd, bool(normalize)
        self._connect()
        if "odd" in self._kinds and not _is_odd(odd):
            name = getattr(odd, "__name__", type(odd).__name__)
            raise DomainError(
                f"{name} is not an odd function, and the group changes the sign of summand"
                f" {self._kinds.index('odd')} of {self.V}; take one with f(-x) = -f(x), such as torch.tanh"
            )
        self._factors = {
            kind: _scale(f) if self.normalize and kind in self._kinds else 1.0
            for kind, f in (("scalar", scalars), ("gated", gates), ("odd", odd))
        }

    def _connect(self) -> None:
        self._to = Features(self.V, self.channels)
        self._kinds = kinds_of(self._to)
        self._gated = sum(b.copies for b, kind in zip(self._to.blocks, self._kinds) if kind == "gated")
        one: Any = self.V.group.rep("trivial")
        self.source: Representation = self.V + self._gated * one if self._gated else self.V
        self._from = Features(self.source, self.channels)

    def forward(self, x: Tensor) -> Tensor:
        self._from.check("x", x)
        parts = self._from.split(x)
        gates = self._factors["gated"] * self.gates(parts[-1]) if self._gated else None
        found, first = [], 0
        for part, kind in zip(parts, self._kinds):
            if kind == "gated":
                assert gates is not None
                found.append(part * gates.narrow(-1, first, part.shape[-1]))
                first += part.shape[-1]
            else:
                f = self.scalars if kind == "scalar" else self.odd
                found.append(self._factors[kind] * f(part))
        return self._to.join(found)

    def extra_repr(self) -> str:
        return (
            f"{self.V}{'' if self.channels is None else f', channels={self.channels}'}, {counted(self._gated, 'gate')}"
        )


def _scale(f: Function) -> float:
    """1 over the root of the mean of f(z)^2 for normal z, by the trapezoidal rule."""
    with real_tensors(), torch.no_grad():
        z = torch.linspace(-12, 12, 48001, dtype=torch.float64)
        density = torch.exp(-z.square() / 2) / math.sqrt(2 * math.pi)
        mean = float((f(z).double().square() * density).sum() * (z[1] - z[0]))
    if not 0 < mean < math.inf:
        raise DomainError(f"a function whose square has the mean {mean} for normal arguments is not normalised")
    return 1 / math.sqrt(mean)


class Norms(Derived):
    """The length of every copy of every summand, or its square: invariants of each point.

    Parameters
    ----------
    V
        The type of x, or a text such as "8x0e + 4x1o". The group acts by orthogonal matrices on features.
    kind
        "square": |v|^2, a polynomial. "norm": sqrt(|v|^2 + eps^2) - eps, which is 0 at 0 and smooth there.
    channels
        With it, x is [..., dim V, channels]. Without, x is flat.
    eps
        Where "norm" goes over from |v| to |v|^2 / (2 eps). Its derivative of order n is at most of size eps^(1 - n).

    Shape
    -----
    [..., dim V, channels] to [..., copies, channels], or without channels [..., dim V] to [..., copies].

    Raises
    ------
    DomainError
        If kind has another name, eps is not positive, or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Norms
    >>> Norms("0e + 1o", "square")(torch.tensor([2.0, 0.0, 3.0, 4.0]))
    tensor([ 4., 25.])
    """

    _derived = ("_from",)

    def __init__(
        self, V: Representation | str, kind: str = "norm", channels: int | None = None, eps: float = 1e-3
    ) -> None:
        super().__init__()
        self.V = type_of(V)
        if kind not in ("norm", "square"):
            raise DomainError(f'kind is "norm" or "square", not {kind!r}')
        if not 0 < eps < math.inf:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        self.kind, self.eps = kind, float(eps)
        self.channels = None if channels is None else integer("channels", channels, 1)
        self._connect()

    def _connect(self) -> None:
        self._from = Features(self.V, self.channels)

    def forward(self, x: Tensor) -> Tensor:
        self._from.check("x", x)
        squares = [part.square().sum(-2) for part in self._from.split(x)]  # [..., copies * channels]
        if self.channels is not None:
            squares = [s.unflatten(-1, (b.copies, self.channels)) for s, b in zip(squares, self._from.blocks)]
        found = torch.cat(squares, -1 if self.channels is None else -2)
        return found if self.kind == "square" else (found + self.eps**2).sqrt() - self.eps

    def extra_repr(self) -> str:
        return f"{self.V}, {self.kind!r}" + (f", eps={self.eps:g}" if self.kind == "norm" else "")
