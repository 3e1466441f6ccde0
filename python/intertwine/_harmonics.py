"""Spherical harmonics as polynomials: exact ones of the library, rounded once."""

from __future__ import annotations

import functools
import math
import re
from typing import Any, NamedTuple

import numpy

from . import DomainError, Representation, steerable_kernel_basis
from ._couplings import AXES
from ._features import slots
from ._steerable import block_of_degree

__all__ = ["Harmonics", "degrees_of", "harmonic_polynomials", "require_harmonics", "size_of"]

_MOST_COEFFICIENTS = 1 << 17
NORMALIZATIONS = ("component", "norm", "integral")


class Harmonics(NamedTuple):
    """For each degree from 1 on the monomials as products of one of the degree before and a coordinate; for each from 0
    on the coefficients [monomials, dim]."""

    parents: list[Any]
    variables: list[Any]
    coefficients: list[Any]


def require_harmonics(normalization: str, axis: str) -> None:
    """Refuses names that are not known."""
    if normalization not in NORMALIZATIONS:
        raise DomainError(f'normalization is "component", "norm" or "integral", not {normalization!r}')
    if axis not in AXES:
        raise DomainError(f'axis is "y", as in e3nn, or "z", not {axis!r}')


def size_of(l: int, n: int = 3) -> int:
    """The dimension of the harmonic polynomials of degree l in n variables: 2 l + 1 in three."""
    return math.comb(l + n - 1, n - 1) - (math.comb(l + n - 3, n - 1) if l > 1 else 0)


def degrees_of(V: Representation) -> tuple[int, list[int]]:
    """n, and the degrees of the summands of V, which are harmonic(l) of O(n) or SO(n)."""
    found = re.fullmatch(r"S?O\((\d+)\)", V.group.name)
    if found is None:
        raise DomainError(f"harmonics are polynomials for O(n) and SO(n), and {V} is of {V.group.name}")
    degrees = []
    for _, R in slots(V):
        name = re.fullmatch(r"trivial|vector|harmonic\((\d+)\)", str(R))
        if name is None:
            raise DomainError(f"{R} of {V.group.name} is no harmonic(l), whose vectors are polynomials of a point")
        degrees.append(int(name[1]) if name[1] else int(name[0] == "vector"))
    return int(found[1]), degrees


@functools.lru_cache(maxsize=32)
def _degree(l: int, axis: str, n: int) -> tuple[list[tuple[int, ...]], Any]:
    """The exponents of the monomials of degree l, and the coefficients [monomials, dim] of the harmonics: exact
    polynomials whose squares sum to |x|^(2 l), rounded once."""
    exact = steerable_kernel_basis(f"SE({n})", "trivial", f"harmonic({l})").exact
    changes = tuple(R.orthonormal_form(axis=axis).array() for R in (exact.target, exact.source))
    _, powers, coefficients = block_of_degree(exact, l, (changes[0], changes[1]))
    return [tuple(int(n) for n in row) for row in powers], coefficients[0, :, :, 0]


def _factor(l: int, normalization: str, n: int) -> float:
    if normalization == "norm":
        return 1.0
    sphere = 2 * math.pi ** (n / 2) / math.gamma(n / 2)
    return math.sqrt(size_of(l, n) / (sphere if normalization == "integral" else 1))


@functools.lru_cache(maxsize=32)
def harmonic_polynomials(lmax: int, axis: str, normalization: str, n: int = 3) -> Harmonics:
    """The harmonics of degrees 0, ..., lmax in n variables."""
    count = math.comb(lmax + n - 1, n - 1) * size_of(lmax, n)
    if count > _MOST_COEFFICIENTS:
        raise DomainError(
            f"harmonics of degree {lmax} in {n} dimensions have {count} coefficients, more than the {_MOST_COEFFICIENTS}"
            " that are made exactly: take a smaller degree"
        )
    found = Harmonics([], [], [numpy.full((1, 1), _factor(0, normalization, n))])
    before: list[tuple[int, ...]] = [(0,) * n]
    for l in range(1, lmax + 1):
        monomials = sorted({tuple(m[v] + (v == u) for v in range(n)) for m in before for u in range(n)}, reverse=True)
        parent, variable = [], []
        for m in monomials:
            u = next(v for v in range(n) if m[v])
            parent.append(before.index(tuple(m[v] - (v == u) for v in range(n))))
            variable.append(u)
        powers, numbers = _degree(l, axis, n)
        spread = numpy.zeros((len(monomials), size_of(l, n)))
        spread[[monomials.index(m) for m in powers]] = numbers * _factor(l, normalization, n)
        found.parents.append(numpy.array(parent))
        found.variables.append(numpy.array(variable))
        found.coefficients.append(spread)
        before = monomials
    return found
