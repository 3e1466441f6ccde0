"""The paths of a product V x Y -> U: exact equivariant maps, rounded once, in the bases of features."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from . import DomainError, Representation, clebsch_gordan
from ._features import is_orthogonal, one_group, slots
from ._harmonics import AXES, degree_in_space, harmonic_columns
from ._kinds import is_classical

__all__ = [
    "AXES",
    "BASES",
    "ORDERS",
    "Array",
    "Couplings",
    "Path",
    "bases_of",
    "couplings_of",
    "maps_between",
    "paths_between",
]

BASES = ("orthonormal", "own")
ORDERS = ("e3nn", "output")
Array = numpy.ndarray[Any, numpy.dtype[numpy.float64]]


class Path(NamedTuple):
    """The summands of V, Y and U that a path connects, and which of the equivariant maps between them it is."""

    i: int
    j: int
    k: int
    copy: int


def bases_of(R: Representation, axis: str, basis: str) -> Array | None:
    """T whose columns are the basis of features, in coordinates of R; None: these are the features."""
    if basis == "own":
        return None
    if is_classical(R):
        try:
            return numpy.asarray(R.orthonormal_form(axis=axis).array(), dtype=numpy.float64)
        except DomainError as error:
            raise DomainError(f'{error}: features of {R} have the basis "own"') from None
    degree = degree_in_space(R) if str(R).startswith("harmonic(") else None
    if degree:
        turned = harmonic_columns(degree, axis, 2 if R.dimension == 2 else 3)
        return None if (turned == numpy.eye(len(turned))).all() else turned
    if is_orthogonal(R):
        return None
    form = R.orthonormal_basis()
    columns = numpy.asarray(form.columns, dtype=numpy.float64)
    return numpy.asarray(columns / numpy.sqrt(numpy.array([float(n) for n in form.norms])))


@functools.lru_cache(maxsize=4096)
def maps_between(V: Representation, Y: Representation, U: Representation, axis: str, basis: str) -> tuple[Array, ...]:
    """The equivariant maps as arrays [dim V, dim Y, dim U] that are orthonormal for the sum of products."""
    exact = ((V * Y) >> U).basis()
    if not exact:
        return ()
    maps = []
    for W in exact:
        numbers = numpy.asarray(W, dtype=numpy.complex128)
        if abs(numbers.imag).max() > 0:
            raise DomainError(
                f"the maps from {V} * {Y} to {U} are not real; features are those of V.real(), and of real groups"
            )
        maps.append(numbers.real.reshape(U.dimension, V.dimension, Y.dimension))
    C = numpy.array(maps)
    of_v, of_y, of_u = (bases_of(R, axis, basis) for R in (V, Y, U))
    if of_u is not None:
        C = numpy.einsum("ab,nbij->naij", numpy.linalg.inv(of_u), C)
    if of_v is not None:
        C = numpy.einsum("nkij,ia->nkaj", C, of_v)
    if of_y is not None:
        C = numpy.einsum("nkij,ja->nkia", C, of_y)
    C = C.transpose(0, 2, 3, 1)
    Q, R = numpy.linalg.qr(C.reshape(len(C), -1).T)
    flat = (Q * numpy.sign(numpy.diag(R))).T
    flat[numpy.abs(flat) < 1e-14] = 0  # zeros that a change of basis has rounded
    C = flat.reshape(C.shape)
    return tuple(_signed(V, Y, U, c) for c in C)


def _signed(V: Representation, Y: Representation, U: Representation, C: Array) -> Array:
    """One map of SO(3) or O(3) between harmonics has the sign of the 3j symbol."""
    dims = C.shape
    if V.group.name not in ("SO(3)", "O(3)") or not all(d % 2 for d in dims):
        return C
    a, b, c = ((d - 1) // 2 for d in dims)
    if not abs(a - b) <= c <= a + b:
        return C
    symbol = clebsch_gordan("SO(3)", a, b, index=c, basis="real", symbols=True)[0].array()
    inner = float((symbol * C).sum())
    if abs(abs(inner) - 1) > 1e-9:  # a reducible slot, or coordinates in another order
        return C
    return numpy.asarray(symbol * numpy.sign(inner) ** 2, dtype=numpy.float64)


def paths_between(
    V: Representation, Y: Representation, U: Representation, instructions: Sequence[Sequence[int]] | None,
    order: str, axis: str, basis: str,
) -> tuple[list[Path], list[Array]]:  # fmt: skip
    """The paths in order, and their couplings without factors."""
    if order not in ORDERS:
        raise DomainError(f'order is "e3nn" (weights by instruction) or "output" (by summand of U), not {order!r}')
    if axis not in AXES:
        raise DomainError(f'axis is "y", as in e3nn, or "z", not {axis!r}')
    if basis not in BASES:
        raise DomainError(f'basis is "orthonormal" or "own", not {basis!r}')
    parts = [[R for _, R in slots(X)] for X in (V, Y, U)]
    one_group(V, Y)
    one_group(V, U)
    if instructions is None:
        wanted = [(i, j, k) for i in range(len(parts[0])) for j in range(len(parts[1])) for k in range(len(parts[2]))]
    else:
        wanted = [_instruction(given, parts, (V, Y, U)) for given in instructions]
        if len(set(wanted)) < len(wanted):
            twice = next(w for n, w in enumerate(wanted) if w in wanted[:n])
            raise DomainError(f"the instruction {twice} is given twice: one path has all the weights")
    paths, couplings = [], []
    for i, j, k in wanted:
        maps = maps_between(parts[0][i], parts[1][j], parts[2][k], axis, basis)
        if instructions is not None and not maps:
            raise DomainError(
                f"the instruction {(i, j, k)} has no path: no equivariant map takes {parts[0][i]} * {parts[1][j]} to"
                f" {parts[2][k]}"
            )
        for copy, C in enumerate(maps):
            paths.append(Path(i, j, k, copy))
            couplings.append(C)
    if order == "output":
        at = sorted(range(len(paths)), key=lambda n: paths[n].k)
        paths, couplings = [paths[n] for n in at], [couplings[n] for n in at]
    return paths, couplings


def _instruction(
    given: Sequence[int], parts: list[list[Representation]], names: tuple[Any, ...]
) -> tuple[int, int, int]:
    numbers = tuple(given)[:3] if len(tuple(given)) >= 3 else ()
    if len(numbers) < 3 or len(tuple(given)) > 3 or not all(isinstance(n, int) for n in numbers):
        raise DomainError(f"an instruction is the numbers of three summands, of V, Y and U, not {given!r}")
    for n, list_, R in zip(numbers, parts, names):
        if not 0 <= n < len(list_):
            raise DomainError(
                f"the instruction {tuple(given)} names summand {n} of {R}, whose summands go from 0 to {len(list_) - 1}"
            )
    return numbers[0], numbers[1], numbers[2]


class Couplings(NamedTuple):
    """A list of paths as arrays: paths [P, 6], for x, y and the product the first component and how many; places [E, 4],
    (path, i, j, k); values [E]. sizes: components of x, y and the product. digest: names the numbers."""

    arrays: tuple[Any, Any, Any]
    sizes: list[int]
    digest: str


def couplings_of(
    V: Representation, Y: Representation, U: Representation, paths: list[Path], couplings: list[Array]
) -> Couplings:
    """Every summand of U has components of mean square 1 if all operands are independent numbers of mean square 1: a
    coupling has the square norm dim U_k, over the number of paths that end there."""
    ranges = [[(s.start, s.stop - s.start) for s, _ in slots(X)] for X in (V, Y, U)]
    ends: dict[int, int] = {}
    for path in paths:
        ends[path.k] = ends.get(path.k, 0) + 1
    rows, places, values = [], [], []
    for p, (path, C) in enumerate(zip(paths, couplings)):
        rows.append([*ranges[0][path.i], *ranges[1][path.j], *ranges[2][path.k]])
        scaled = C * numpy.sqrt(C.shape[2] / ends[path.k])
        for i, j, k in zip(*numpy.nonzero(C)):
            places.append([p, int(i), int(j), int(k)])
            values.append(float(scaled[i, j, k]))
    sizes = [V.dimension, Y.dimension, U.dimension]
    arrays = (
        numpy.array(rows, dtype=numpy.int64).reshape(-1, 6),
        numpy.array(places, dtype=numpy.int64).reshape(-1, 4),
        numpy.array(values, dtype=numpy.float64),
    )
    digest = hashlib.sha256(repr(sizes).encode() + b"".join(a.tobytes() + b"|" for a in arrays)).hexdigest()
    return Couplings(arrays, sizes, digest)
