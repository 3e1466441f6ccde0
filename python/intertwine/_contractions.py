"""Equivariant polynomials of the features of a point as arrays: what symmetric contractions are made of."""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from typing import Any, NamedTuple

import numpy

from . import DomainError, Representation, clebsch_gordan, polynomial_maps
from ._core import PointPolynomial
from ._couplings import AXES, BASES, Array, bases_of
from ._features import slots

__all__ = [
    "Contraction", "Couplings", "Polynomial", "contraction", "couplings_of_matrices", "kernel_of", "require_contraction",
]  # fmt: skip

Monomial = tuple[int, ...]  # variables, sorted, as often as they occur


class _Maps(NamedTuple):
    """The polynomial maps of one degree to one summand of U: coefficients [maps, dim, monomials]."""

    monomials: tuple[Monomial, ...]
    coefficients: Array


def _columns(V: Representation, axis: str, basis: str) -> Array:
    """T with x_own = T x for features x."""
    T = numpy.eye(V.dimension)
    for place, R in slots(V):
        block = bases_of(R, axis, basis)
        if block is not None:
            T[place, place] = block
    return T


def _moment(monomial: Monomial) -> float:
    """The mean of a monomial at independent normal variables."""
    found = 1.0
    for _, run in itertools.groupby(monomial):
        n = len(list(run))
        found *= 0 if n % 2 else math.prod(range(n - 1, 0, -2))
    return found


@functools.lru_cache(maxsize=256)
def _maps(V: Representation, U: Representation, degree: int, axis: str, basis: str) -> _Maps:
    """A basis of the equivariant polynomial maps of features, each scaled to the mean square 1 of its components at
    normal arguments. Where the basis of features is none of multiples of coordinates, arguments are own coordinates."""
    exact = polynomial_maps(V, U, degree)
    if not len(exact):
        return _Maps((), numpy.zeros((0, U.dimension, 0)))
    terms = exact.to_arrays()
    T, scales, order = _columns(V, axis, basis), numpy.ones(V.dimension), numpy.arange(V.dimension)
    if _is_monomial(T):
        order = numpy.abs(T).argmax(1)
        scales = T[numpy.arange(len(T)), order]
    variables = terms["variables"].astype(numpy.int64)
    factors = scales[variables].prod(1)
    monomials = [tuple(sorted(int(order[v]) for v in row)) for row in variables]
    values = numpy.asarray(terms["coefficient"])
    if numpy.iscomplexobj(values) and numpy.abs(values.imag).max(initial=0) > 0:
        raise DomainError(f"the polynomial maps from {V} to {U} are not real; features are those of V.real()")
    coefficients = numpy.zeros((len(exact), U.dimension, len(monomials)))
    at = terms["map"].astype(int), terms["output"].astype(int), terms["monomial"].astype(int)
    coefficients[at] = values.real * factors[at[2]]
    back = numpy.linalg.inv(_columns(U, axis, basis))
    coefficients = numpy.einsum("ab,pbm->pam", back, coefficients)
    means = numpy.array([[_moment(tuple(sorted(a + b))) for b in monomials] for a in monomials]).reshape(
        len(monomials), len(monomials)
    )
    squares = numpy.einsum("pam,mn,pan->p", coefficients, means, coefficients) / U.dimension
    coefficients /= numpy.sqrt(squares)[:, None, None]
    return _Maps(tuple(monomials), coefficients)


def _is_monomial(T: Array) -> bool:
    return bool(((T != 0).sum(0) == 1).all() and ((T != 0).sum(1) == 1).all())


# --- The basis of MACE -----------------------------------------------------------------------------------------------


def _irreps(V: Representation) -> list[tuple[int, int]]:
    """Degree and parity of every summand of a representation of O(3)."""
    found = []
    for _, R in slots(V):
        if V.group.name != "O(3)" or "+" in R.irreps:
            raise DomainError(
                f'the basis "mace" is of irreducible representations of O(3); {R} of {V.group.name} is none'
            )
        text = R.irreps.split("x")[-1]
        found.append((int(text[:-1]), 1 if text[-1] == "e" else -1))
    return found


def _trees(
    parts: list[tuple[tuple[int, int], Array]], degree: int, wanted: set[tuple[int, int]]
) -> list[tuple[tuple[int, int], Array]]:
    """The values [points, dim] of the couplings of `degree` copies of features one after the other, in MACE's order."""
    natural = degree == 4  # where MACE leaves out intermediate types of the other parity
    left = list(parts)
    for step in range(2, degree + 1):
        following = []
        for (a, p), x in left:
            for (b, q), y in parts:
                for c in range(abs(a - b), a + b + 1):
                    if natural and p * q != (-1) ** c or step == degree and (c, p * q) not in wanted:
                        continue
                    C = _symbol(c, a, b) * math.sqrt(2 * c + 1)
                    following.append(((c, p * q), numpy.einsum("kij,ni,nj->nk", C, x, y)))
        left = sorted(following, key=lambda one: one[0])  # e3nn's order of types: by degree, odd parity first
    return left


@functools.lru_cache(maxsize=256)
def _symbol(a: int, b: int, c: int) -> Array:
    return numpy.asarray(clebsch_gordan("SO(3)", a, b, index=c, basis="real", symbols=True)[0].array(), dtype=float)


def _values(maps: _Maps, x: Array) -> Array:
    """[maps, points, dim]"""
    m = numpy.array([x[:, list(one)].prod(1) for one in maps.monomials]).reshape(len(maps.monomials), len(x))
    return numpy.asarray(numpy.einsum("pam,mn->pna", maps.coefficients, m))


@functools.lru_cache(maxsize=256)
def _projection(V: Representation, U: Representation, degree: int) -> Array:
    """[trees, maps]: every tree of MACE as a sum of the minimal maps. Both are polynomials, compared at points; that
    there is no rest is checked."""
    maps, types = _maps(V, U, degree, "y", "orthonormal"), _irreps(V)
    (target,) = _irreps(U)
    count = 2 * len(maps.coefficients) + 8
    x = numpy.random.default_rng(0).standard_normal((count, V.dimension))
    parts = [(t, x[:, place]) for t, (place, _) in zip(types, slots(V))]
    trees = [y for t, y in _trees(parts, degree, {target}) if t == target]
    return _combination(V, U, degree, maps, x, numpy.array(trees).reshape(len(trees), count, U.dimension))


def _combination(V: Representation, U: Representation, degree: int, maps: _Maps, x: Array, values: Array) -> Array:
    """[couplings, maps]: couplings with the values [couplings, points, dim] at x as sums of the minimal maps."""
    if not len(values):
        return numpy.zeros((0, len(maps.coefficients)))
    T = _columns(V, "y", "orthonormal")
    size = len(x) * U.dimension
    A = _values(maps, x if _is_monomial(T) else x @ T.T).reshape(len(maps.coefficients), size).T
    b = values.reshape(len(values), size).T
    found = numpy.linalg.lstsq(A, b, rcond=None)[0] if A.shape[1] else numpy.zeros((0, len(values)))
    if numpy.abs(A @ found - b).max() > 1e-9 * (1 + numpy.abs(b).max()):
        raise DomainError(f"the couplings of MACE from {V} to {U} of degree {degree} are no combination of the maps")
    found[numpy.abs(found) < 1e-13] = 0
    return numpy.asarray(found.T)


class Couplings:
    """The couplings of a module of MACE, whatever they are, as combinations of the minimal maps: by summand of U and
    degree [couplings, maps]. Two are equal if all numbers are, so that layers are kept by them."""

    def __init__(self, projections: dict[tuple[int, int], Any]) -> None:
        self.projections = {key: numpy.ascontiguousarray(P) for key, P in projections.items()}
        numbers = hashlib.sha256()
        for key, P in sorted(self.projections.items()):
            numbers.update(repr((key, P.shape)).encode() + P.tobytes())
        self.digest = numbers.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Couplings) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def couplings_of_matrices(
    V: Representation, U: Representation, correlation: int, matrices: dict[tuple[int, int], Array]
) -> Couplings:
    """The couplings that arrays [dim U_k, dim V, ..., dim V, couplings] have, by summand of U and degree. In MACE the
    first axis is left out where it has the size 1."""
    found: dict[tuple[int, int], Any] = {}
    for k, (_, R) in enumerate(slots(U)):
        for d in range(correlation):
            maps = _maps(V, R, d + 1, "y", "orthonormal")
            own = numpy.asarray(matrices[k, d], dtype=numpy.float64)
            shape = (R.dimension, *[V.dimension] * (d + 1))
            if own.ndim < 1 or own.shape[:-1] not in (shape, shape[R.dimension == 1 :]):
                raise DomainError(
                    f"the couplings from {V} to {R} of degree {d + 1} have the shape {list(own.shape)}; they are"
                    f" {[*shape]} and the number of couplings"
                )
            own = own.reshape(*shape, own.shape[-1])
            x = numpy.random.default_rng(0).standard_normal((2 * len(maps.coefficients) + 8, V.dimension))
            values = numpy.einsum("a...n->na...", own)[None]  # [points, couplings, dim, dim V, ...]
            for _ in range(d + 1):
                values = numpy.einsum("pna...v,pv->pna...", numpy.broadcast_to(values, (len(x), *values.shape[1:])), x)
            found[k, d] = _combination(V, R, d + 1, maps, x, values.transpose(1, 0, 2))
    return Couplings(found)


# --- The arrays ------------------------------------------------------------------------------------------------------


class Polynomial(NamedTuple):
    """monomials [M, degree], the variables of each, filled up by the number of components of x; rows [R, 2], (weight,
    component); coefficients [R, M]. sizes: components of x and the polynomial, and weights. digest: names the
    numbers."""

    arrays: tuple[Any, Any, Any]
    sizes: list[int]
    digest: str


class Contraction(NamedTuple):
    """sizes: weights by summand of U, by degree. columns: T with x_own = T x, where features are no multiples of own
    coordinates. projections, by summand and degree: from the weights of the basis to minimal ones."""

    sizes: list[list[int]]
    columns: Any
    projections: dict[tuple[int, int], Any]
    polynomial: Polynomial


def require_contraction(basis: str, axis: str, features: str) -> None:
    """Refuses names that are not known."""
    for name, value, known in (
        ("basis", basis, ("minimal", "mace")),
        ("axis", axis, AXES),
        ("features", features, BASES),
    ):
        if value not in known:
            raise DomainError(f"{name} is {', '.join(repr(k) for k in known)}, not {value!r}")
    if basis == "mace" and (axis, features) != ("y", "orthonormal"):
        raise DomainError('the basis "mace" has the axis "y" and orthonormal features')


def contraction(
    V: Representation, U: Representation, correlation: int, basis: str, axis: str, features: str,
    couplings: Couplings | None = None,
) -> Contraction:  # fmt: skip
    """All polynomials from V to U of the degrees 1 to correlation. couplings: in place of MACE's own."""
    degrees = range(1, correlation + 1)
    targets = [R for _, R in slots(U)]
    maps = [[_maps(V, R, d, axis, features) for d in degrees] for R in targets]
    found: list[list[int]] = []
    projections: dict[tuple[int, int], Any] = {}
    T = _columns(V, axis, features)
    monomials = sorted({m for of_degree in maps for one in of_degree for m in one.monomials})
    place = {m: n for n, m in enumerate(monomials)}
    rows, coefficients, count, component = [], [], 0, 0  # by summand of U, degree, map and component
    for k, of_degree in enumerate(maps):
        dim, sizes = targets[k].dimension, []
        for d, one in enumerate(of_degree):
            spread = numpy.zeros((*one.coefficients.shape[:2], len(monomials)))
            spread[:, :, [place[m] for m in one.monomials]] = one.coefficients
            coefficients.append(spread.reshape(len(one.coefficients) * dim, len(monomials)))
            rows += [(count + n, component + a) for n in range(len(one.coefficients)) for a in range(dim)]
            count += len(one.coefficients)
            size = len(one.coefficients)
            if basis == "mace":
                P = _projection(V, targets[k], d + 1) if couplings is None else couplings.projections[k, d]
                projections[k, d] = numpy.ascontiguousarray(P.T)
                size = len(P)
            sizes.append(size)
        component += dim
        found.append(sizes)
    filled = [[*m, *[V.dimension] * (correlation - len(m))] for m in monomials]
    polynomial = _polynomial(
        numpy.array(filled, dtype=numpy.int64).reshape(-1, correlation),
        numpy.array(rows, dtype=numpy.int64).reshape(-1, 2),
        numpy.concatenate(coefficients),
        [V.dimension, U.dimension, count],
    )
    return Contraction(found, None if _is_monomial(T) else T, projections, polynomial)


def _polynomial(monomials: Any, rows: Any, coefficients: Any, sizes: list[int]) -> Polynomial:
    first, second, third = (numpy.ascontiguousarray(a) for a in (monomials, rows, coefficients))
    digest = hashlib.sha256(repr((sizes, [a.shape for a in (first, second, third)])).encode())
    for a in (first, second, third):
        digest.update(a.tobytes())
    return Polynomial((first, second, third), sizes, digest.hexdigest())


def kernel_of(arrays: Any, sizes: list[int]) -> PointPolynomial:
    """The table of the library's kernels."""
    monomials, rows, coefficients = (a.tolist() for a in arrays)
    variables = [[v for v in one if v < sizes[0]] for one in monomials]
    terms = [(r, m, value) for r, row in enumerate(coefficients) for m, value in enumerate(row) if value]
    return PointPolynomial(
        (sizes[0], sizes[1], sizes[2]), variables, [(*rows[r], m) for r, m, _ in terms],
        [value for *_, value in terms],
    )  # fmt: skip
