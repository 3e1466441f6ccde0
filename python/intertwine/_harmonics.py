"""Spherical harmonics as polynomials: exact ones of the library, rounded once."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy

from . import DomainError, steerable_kernel_basis
from ._couplings import AXES
from ._steerable import block_of_degree

__all__ = ["Harmonics", "harmonic_polynomials", "require_harmonics"]

NORMALIZATIONS = ("component", "norm", "integral")


class Harmonics(NamedTuple):
    """For each degree from 1 on the monomials as products of one of the degree before and a coordinate; for each from 0
    on the coefficients [monomials, 2 l + 1]."""

    parents: list[Any]
    variables: list[Any]
    coefficients: list[Any]


def require_harmonics(normalization: str, axis: str) -> None:
    """Refuses names that are not known."""
    if normalization not in NORMALIZATIONS:
        raise DomainError(f'normalization is "component", "norm" or "integral", not {normalization!r}')
    if axis not in AXES:
        raise DomainError(f'axis is "y", as in e3nn, or "z", not {axis!r}')


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
def harmonic_polynomials(lmax: int, axis: str, normalization: str) -> Harmonics:
    """The harmonics of degrees 0, ..., lmax."""
    found = Harmonics([], [], [numpy.full((1, 1), _factor(0, normalization))])
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
        found.parents.append(numpy.array(parent))
        found.variables.append(numpy.array(variable))
        found.coefficients.append(spread)
        before = monomials
    return found
