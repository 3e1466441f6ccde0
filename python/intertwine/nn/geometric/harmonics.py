"""Spherical harmonics as polynomials."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy
import torch
from torch import Tensor

from ... import DomainError, Group, Representation, steerable_kernel_basis
from ..._couplings import AXES
from ..._steerable import block_of_degree
from .._fields import Constants, Derived, integer
from .._tables import real_tensors

__all__ = ["SphericalHarmonics"]

NORMALIZATIONS = ("component", "norm", "integral")
_ONE_PRODUCT = 4  # up to this degree


@functools.lru_cache(maxsize=32)
def _degree(l: int, axis: str) -> tuple[list[tuple[int, ...]], Any]:
    """The exponents of the monomials of degree l, and the coefficients [monomials, 2 l + 1] of the harmonics: exact
    polynomials whose squares sum to |x|^(2 l), rounded once."""
    exact = steerable_kernel_basis("SE(3)", "trivial", f"harmonic({l})").exact
    changes = tuple(R.orthonormal_form(axis=axis).array() for R in (exact.target, exact.source))
    _, powers, coefficients = block_of_degree(exact, l, (changes[0], changes[1]))
    return [tuple(int(n) for n in row) for row in powers], coefficients[0, :, :, 0]


def _factor(l: int, normalization: str) -> float:
    if normalization == "norm":
        return 1.0
    return math.sqrt((2 * l + 1) / (4 * math.pi if normalization == "integral" else 1))


@functools.lru_cache(maxsize=32)
def _constants(lmax: int, axis: str, normalization: str) -> Constants:
    """For each degree: the monomials as products of one of the degree before and a coordinate, and the coefficients;
    for few degrees these in one matrix, one product with which costs less than many."""
    parents, variables = [], []
    coefficients = [torch.full((1, 1), _factor(0, normalization), dtype=torch.float64)]
    before: list[tuple[int, ...]] = [(0, 0, 0)]
    for l in range(1, lmax + 1):
        monomials = sorted({tuple(m[v] + (v == u) for v in range(3)) for m in before for u in range(3)}, reverse=True)
        parent, variable = [], []
        for m in monomials:
            u = next(v for v in range(3) if m[v])
            parent.append(before.index(tuple(m[v] - (v == u) for v in range(3))))
            variable.append(u)
        powers, numbers = _degree(l, axis)
        spread = numpy.zeros((len(monomials), 2 * l + 1))
        spread[[monomials.index(m) for m in powers]] = numbers * _factor(l, normalization)
        parents.append(torch.tensor(parent))
        variables.append(torch.tensor(variable))
        coefficients.append(torch.from_numpy(spread))
        before = monomials
    if lmax <= _ONE_PRODUCT:
        coefficients = [torch.block_diag(*coefficients)]
    return Constants(parents=tuple(parents), variables=tuple(variables), coefficients=tuple(coefficients))


class SphericalHarmonics(Derived):
    """The real spherical harmonics of degrees 0, ..., lmax at vectors r.

    They are homogeneous polynomials, evaluated as such: Y_l(s r) = s^l Y_l(r). The polynomials are exact ones of the
    library, rounded once.

    Parameters
    ----------
    lmax
        The largest degree.
    normalize
        True: at r / |r|. False: at r itself, and then the polynomials are smooth everywhere.
    normalization
        "component": the squares of Y_l sum up to 2 l + 1 on the unit sphere; "norm": to 1; "integral": their integrals
        over the sphere are 1.
    axis
        The polar axis. "y" is e3nn's convention: Y_1 is (x, y, z), and m goes around the y axis. "z" is that of most
        books: Y_1 is (y, z, x). Neither has the Condon-Shortley phase.

    Attributes
    ----------
    V
        The representation of O(3) that the values are features of: harmonic(0) + ... + harmonic(lmax).

    Shape
    -----
    [..., 3] to [..., (lmax + 1)^2].

    Notes
    -----
    With normalize=True, where points coincide (r = 0), all harmonics of degree l > 0 are 0, and so are all their
    derivatives: the functions have no limit there. All numbers stay finite, in derivatives of every order.

    Raises
    ------
    DomainError
        If an argument is out of range, or the last axis is not 3.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import SphericalHarmonics
    >>> SphericalHarmonics(1, normalization="norm")(torch.tensor([0.0, 3.0, 4.0]))
    tensor([1.0000, 0.0000, 0.6000, 0.8000])
    """

    _derived = ("_constants",)

    def __init__(self, lmax: int, normalize: bool = True, normalization: str = "component", axis: str = "y") -> None:
        super().__init__()
        self.lmax, self.normalize = integer("lmax", lmax, 0), bool(normalize)
        if normalization not in NORMALIZATIONS:
            raise DomainError(f'normalization is "component", "norm" or "integral", not {normalization!r}')
        if axis not in AXES:
            raise DomainError(f'axis is "y", as in e3nn, or "z", not {axis!r}')
        self.normalization, self.axis = normalization, axis
        self._connect()

    def _connect(self) -> None:
        with real_tensors():
            self._constants = _constants(self.lmax, self.axis, self.normalization)

    @property
    def V(self) -> Representation:
        """The representation of O(3)."""
        return Group("O(3)").rep(" + ".join(f"harmonic({l})" for l in range(self.lmax + 1)))

    def forward(self, r: Tensor) -> Tensor:
        if r.dim() < 1 or r.shape[-1] != 3 or not r.is_floating_point():
            raise DomainError(f"r has the shape {list(r.shape)} and is {r.dtype}; vectors are numbers [..., 3]")
        if self.normalize:
            square = r.square().sum(-1, keepdim=True)
            apart = square > 0
            r = torch.where(apart, r, torch.zeros_like(r)) * torch.where(apart, square, torch.ones_like(square)).rsqrt()
        constants = self._constants
        assert constants is not None
        held = constants.operands(r)
        rows = r.reshape(-1, 3).t().contiguous()  # a row for each coordinate and each monomial
        monomials = [torch.ones_like(rows[:1])]
        for parent, variable in zip(held["parents"], held["variables"]):
            monomials.append(monomials[-1].index_select(0, parent) * rows.index_select(0, variable))
        if self.lmax <= _ONE_PRODUCT:
            monomials = [torch.cat(monomials)]
        found = [torch.mm(m.t(), c.to(r.dtype)) for m, c in zip(monomials, held["coefficients"])]
        values = found[0] if len(found) == 1 else torch.cat(found, -1)
        return values.reshape(*r.shape[:-1], (self.lmax + 1) ** 2)

    def extra_repr(self) -> str:
        return f"{self.lmax}, normalize={self.normalize}, normalization={self.normalization!r}, axis={self.axis!r}"
