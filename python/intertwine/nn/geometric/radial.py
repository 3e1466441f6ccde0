"""Functions of distances."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from ... import DomainError
from .._fields import integer, require_tensor

__all__ = ["Bessel", "Gaussian", "PolynomialCutoff"]


def _positive(name: str, value: float) -> float:
    number = float(value)
    if not (0 < number < math.inf):
        raise DomainError(f"{name} is a positive number, not {value!r}")
    return number


class Bessel(nn.Module):
    """The functions sqrt(2 / c) sin(n pi r / c) / r of a distance r, for n = 1, 2, ..., with the cutoff c.

    They are orthonormal for the measure r^2 dr on [0, c] [Gasteiger et al. 2020]. At r = 0 they have their limits
    sqrt(2 / c) n pi / c, with the right first and second derivative; all others are finite there.

    Parameters
    ----------
    cutoff
        c.
    functions
        How many there are.

    Shape
    -----
    [...] to [..., functions].

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Bessel
    >>> Bessel(5.0, 8)(torch.rand(10)).shape
    torch.Size([10, 8])
    """

    def __init__(self, cutoff: float, functions: int = 8) -> None:
        super().__init__()
        self.cutoff, self.functions = _positive("cutoff", cutoff), integer("functions", functions, 1)

    def forward(self, r: Tensor) -> Tensor:
        require_tensor(r, "r")
        a = torch.arange(1, self.functions + 1, dtype=r.dtype, device=r.device) * (math.pi / self.cutoff)
        r = r.unsqueeze(-1)
        apart = r != 0  # torch.sinc has no second derivative at 0
        safe = torch.where(apart, r, torch.ones_like(r))
        return math.sqrt(2 / self.cutoff) * torch.where(apart, torch.sin(a * safe) / safe, a * (1 - (a * r) ** 2 / 6))

    def extra_repr(self) -> str:
        return f"cutoff={self.cutoff:g}, functions={self.functions}"


class Gaussian(nn.Module):
    """The functions exp(-(r - m)^2 / (2 s^2)) of a distance r, with means m from 0 to the cutoff at equal distances.

    Parameters
    ----------
    cutoff
        The last mean.
    functions
        How many there are, at least 2.
    width
        s in units of the distance of neighbouring means.

    Shape
    -----
    [...] to [..., functions].

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Gaussian
    >>> Gaussian(2.0, 3)(torch.tensor([1.0])).round(decimals=4)
    tensor([[0.6065, 1.0000, 0.6065]])
    """

    def __init__(self, cutoff: float, functions: int = 16, width: float = 1.0) -> None:
        super().__init__()
        self.cutoff, self.functions = _positive("cutoff", cutoff), integer("functions", functions, 2)
        self.width = _positive("width", width)

    def forward(self, r: Tensor) -> Tensor:
        require_tensor(r, "r")
        step = self.cutoff / (self.functions - 1)
        means = torch.arange(self.functions, dtype=r.dtype, device=r.device) * step
        return torch.exp(-((r.unsqueeze(-1) - means) / (self.width * step)).square() / 2)

    def extra_repr(self) -> str:
        return f"cutoff={self.cutoff:g}, functions={self.functions}, width={self.width:g}"


class PolynomialCutoff(nn.Module):
    """A polynomial of r / c that goes from 1 at 0 to 0 at the cutoff c, and is 0 beyond.

    1 - (p+1)(p+2)/2 u^p + p(p+2) u^(p+1) - p(p+1)/2 u^(p+2) for u = r / c [Gasteiger et al. 2020]: at c its first two
    derivatives are 0, too.

    Parameters
    ----------
    cutoff
        c.
    power
        p, at least 2.

    Shape
    -----
    [...] to [...].

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import PolynomialCutoff
    >>> PolynomialCutoff(5.0)(torch.tensor([0.0, 5.0, 7.0]))
    tensor([1., 0., 0.])
    """

    def __init__(self, cutoff: float, power: int = 6) -> None:
        super().__init__()
        self.cutoff, self.power = _positive("cutoff", cutoff), integer("power", power, 2)

    def forward(self, r: Tensor) -> Tensor:
        require_tensor(r, "r")
        p, u = self.power, r / self.cutoff
        inside = 1 - u**p * ((p + 1) * (p + 2) / 2 - p * (p + 2) * u + p * (p + 1) / 2 * u**2)
        return torch.where(u < 1, inside, torch.zeros_like(inside))

    def extra_repr(self) -> str:
        return f"cutoff={self.cutoff:g}, power={self.power}"
