"""Spherical harmonics as polynomials: exact ones of the library, rounded once."""

from __future__ import annotations

import functools
import math
import re
from typing import Any, NamedTuple

import numpy

from . import DomainError, Group, Representation, steerable_kernel_basis
from ._features import slots
from ._kinds import is_finite_group
from ._steerable import block_of_degree

__all__ = [
    "AXES", "Harmonics", "degree_in_space", "degrees_of", "harmonic_columns", "harmonic_polynomials",
    "require_harmonics", "size_of",
]  # fmt: skip

AXES = ("y", "z")
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
    """n, and the degrees of the summands of V: these are harmonic(l) of O(n) or SO(n), or of a finite group that turns
    the plane or space."""
    if is_finite_group(V.group):
        return _degrees_in_space(V)
    found = re.fullmatch(r"S?O\((\d+)\)", V.group.name)
    if found is None:
        raise DomainError(
            f"harmonics are polynomials for O(n), SO(n) and finite groups of the plane or space, and {V} is of"
            f" {V.group.name}"
        )
    degrees = []
    for _, R in slots(V):
        name = re.fullmatch(r"trivial|vector|harmonic\((\d+)\)", str(R))
        if name is None:
            raise DomainError(f"{R} of {V.group.name} is no harmonic(l), whose vectors are polynomials of a point")
        degrees.append(int(name[1]) if name[1] else int(name[0] == "vector"))
    return int(found[1]), degrees


def _degrees_in_space(V: Representation) -> tuple[int, list[int]]:
    turns = _turns(V.group)
    if turns is None or turns.dimension not in (2, 3):
        raise DomainError(
            f"{V.group.name} does not say how it turns the plane or space: harmonics of a finite group are those of a"
            ' point group such as Group("Oh")'
        )
    degrees = []
    for _, R in slots(V):
        degree = degree_in_space(R)
        if degree is None:
            raise DomainError(
                f"{R} of {V.group.name} is no harmonic(l), whose vectors are polynomials of a point; the vectors of a"
                " point itself are cartesian"
            )
        degrees.append(degree)
    return turns.dimension, degrees


@functools.lru_cache(maxsize=256)
def _turns(G: Group) -> Representation | None:
    """The representation of a finite group on Cartesian coordinates, if it has one."""
    try:
        return G.rep("cartesian")
    except DomainError:
        return None


@functools.lru_cache(maxsize=1024)
def degree_in_space(R: Representation) -> int | None:
    """l, if R is trivial, cartesian or harmonic(l) of a finite group that turns the plane or space. Its matrices are
    compared, not its name alone."""
    G, name = R.group, re.fullmatch(r"harmonic\((\d+)\)", str(R))
    if not is_finite_group(G) or (name is None and R.dimension > 3):
        return None
    turns = _turns(G)
    if turns is None or turns.dimension not in (2, 3):
        return None
    if name is not None:
        return int(name[1]) if R == G.rep(name[0]) else None
    if str(R) == "trivial":
        return 0
    if R.dimension != turns.dimension:
        return None
    return 1 if all(R.matrix(g) == turns.matrix(g) for g in G.generators) else None


@functools.lru_cache(maxsize=128)
def harmonic_columns(l: int, axis: str, n: int) -> Any:
    """T with T^-1 rho(g) T orthogonal for rho = harmonic(l), l > 0, of a finite group that turns R^n: the orthonormal
    harmonics Y as columns, in the basis of rho.

    That basis are polynomials modulo x_1^2 + ... + x_n^2. A column has the coefficients of Y_m modulo this sum. T Y(x)
    are then the coefficients of the zonal polynomial sum_m Y_m(x) Y_m, so that T Y(g x) = rho(g) T Y(x).
    """
    powers, numbers = _degree(l, axis, n)
    rows = [m for last in (0, 1) for m in _residues(l, n, last)]
    T = numpy.zeros((len(rows), size_of(l, n)))
    for m, coefficients in zip(powers, numbers):
        for residue, times in _reduced(m).items():
            T[rows.index(residue)] += times * coefficients
    return T / 2 ** (l - 1) if n == 2 else T  # Re z^l is 2^(l-1) x^l modulo x^2 + y^2


def _residues(l: int, n: int, last: int) -> list[tuple[int, ...]]:
    """The monomials of degree l whose last variable has this power, in the order of representations."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(n - 2):
        found = [(*m, k) for m in found for k in range(l - last - sum(m), -1, -1)]
    return [(*m, l - last - sum(m), last) for m in found]


def _reduced(m: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """A monomial modulo the sum of the squares: the last square is minus the others."""
    found = {m: 1}
    for _ in range(m[-1] // 2):
        before, found = found, {}
        for old, times in before.items():
            for i in range(len(m) - 1):
                new = (*(power + 2 * (i == j) for j, power in enumerate(old[:-1])), old[-1] - 2)
                found[new] = found.get(new, 0) - times
    return found


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
