"""Where functions live, and which positions attend to which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from .. import DomainError

__all__ = ["Neighbourhood", "Positions", "disc", "everywhere", "grid", "offsets", "points", "square", "torus"]

Array = NDArray[numpy.float64]

# Coordinates that differ by less are the same: far above the rounding of rotated coordinates, far below any distance
# that is meant.
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Positions:
    """A finite set of positions in R^d: `grid`, `torus` and `points` make them. coordinates [N, d], `shape` the axes of
    tensors on them, `cell` the volume that each stands for, which sums that are not divided by their weights multiply
    with."""

    kind: str
    shape: tuple[int, ...]
    coordinates: Array
    cell: float = 1.0

    @property
    def count(self) -> int:
        """N."""
        return len(self.coordinates)

    @property
    def d(self) -> int:
        """The dimension of the space."""
        return int(self.coordinates.shape[1])

    def image(self, matrix: Array) -> list[int] | None:
        """The permutation of the positions that x -> A x makes (about the centre of a grid); None if it does not map
        them to themselves."""
        moved = self.coordinates @ matrix.T
        if self.kind == "torus":
            size = numpy.asarray(self.shape, dtype=numpy.float64)
            around = (
                matrix * size / size[:, None]
            )  # once around goes to once or more around, or the map is none of the torus
            if (numpy.abs(around - around.round()) > SAME).any():
                return None
            moved = self._wrapped(moved)
        found = _match(moved, self.coordinates)
        return None if (found < 0).any() else [int(k) for k in found]

    def _wrapped(self, x: Array) -> Array:
        size, first = numpy.asarray(self.shape, dtype=numpy.float64), self.coordinates[0]
        return numpy.asarray((x - first + SAME) % size - SAME + first, dtype=numpy.float64)

    def translations(self) -> list[list[int]]:
        """The permutations of the positions by one step along each axis of a torus; none elsewhere."""
        if self.kind != "torus":
            return []
        sites = numpy.arange(self.count).reshape(self.shape)
        return [[int(k) for k in numpy.roll(sites, -1, axis).reshape(-1)] for axis in range(self.d)]


def _match(x: Array, known: Array) -> NDArray[numpy.int64]:
    """For each row of x the number of the known row that equals it up to rounding, or -1."""
    found = numpy.empty(len(x), dtype=numpy.int64)
    for start in range(0, len(x), 256):
        distance = numpy.abs(x[start : start + 256, None, :] - known[None, :, :]).max(2)
        nearest = distance.argmin(1)
        found[start : start + 256] = numpy.where(
            numpy.take_along_axis(distance, nearest[:, None], 1)[:, 0] <= SAME, nearest, -1
        )
    return found


def _sizes(name: str, sizes: Sequence[int]) -> tuple[int, ...]:
    if not sizes or any(not isinstance(n, int) or n < 1 for n in sizes):
        raise DomainError(f"{name} takes one positive size for each axis, not {tuple(sizes)}")
    return tuple(sizes)


def _lattice(sizes: tuple[int, ...]) -> Array:
    axes = numpy.meshgrid(*(numpy.arange(n) - (n - 1) / 2 for n in sizes), indexing="ij")
    return numpy.stack([a.reshape(-1) for a in axes], axis=1).astype(numpy.float64)


def grid(*sizes: int) -> Positions:
    """The sites of an image, grid(n, m): outside of it there is nothing to attend to. Rotations are about its centre."""
    return Positions("grid", _sizes("grid", sizes), _lattice(_sizes("grid", sizes)))


def torus(*sizes: int) -> Positions:
    """The sites of a periodic image, torus(n, m): all translations are motions."""
    return Positions("torus", _sizes("torus", sizes), _lattice(_sizes("torus", sizes)))


def points(x: Any, cell: float = 1.0) -> Positions:
    """Any points x [N, d] of space; rotations are about the origin. No two may be equal. cell: the volume that each
    stands for."""
    if not cell > 0 or not math.isfinite(cell):
        raise DomainError(f"the volume that a point stands for is a positive number, not {cell!r}")
    coordinates = numpy.array(x.tolist() if hasattr(x, "tolist") else x, dtype=numpy.float64)
    if coordinates.ndim != 2 or 0 in coordinates.shape or not numpy.isfinite(coordinates).all():
        raise DomainError(f"points are finite numbers of the shape [N, d], not {list(coordinates.shape)}")
    if (_match(coordinates, coordinates) != numpy.arange(len(coordinates))).any():
        raise DomainError("two of the points are equal, and no rotation could tell them apart: give each point once")
    return Positions("points", (len(coordinates),), coordinates, float(cell))


@dataclass(frozen=True)
class Neighbourhood:
    """Which differences x_j - x_i attend: `square`, `disc`, `offsets` and `everywhere` make them."""

    kind: str
    size: float = 0.0
    list: tuple[tuple[float, ...], ...] = ()

    def contains(self, differences: Array) -> NDArray[numpy.bool_]:
        """Of the rows of [n, d]."""
        inside: NDArray[numpy.bool_]
        if self.kind == "square":
            inside = numpy.asarray((numpy.abs(differences) <= self.size + SAME).all(1))
        elif self.kind == "disc":
            inside = numpy.sqrt((differences**2).sum(1)) <= self.size + SAME
        elif self.kind == "offsets":
            inside = _match(differences, numpy.array(self.list, dtype=numpy.float64)) >= 0
        else:
            inside = numpy.ones(len(differences), dtype=bool)
        return inside

    def require_invariant(self, name: str, matrices: Array, on_grid: bool) -> None:
        """DomainError if the group of these matrices does not map the neighbourhood to itself."""
        if self.kind == "square" and not on_grid:
            sites = int(2 * self.size + 1)
            radius = math.sqrt(matrices.shape[-1]) * self.size
            raise DomainError(
                f"{name} does not map the square of {sites} x {sites} sites to itself:"
                f" take disc({math.ceil(100 * radius) / 100:g}), whose corners are the same, or a smaller one"
            )
        if self.kind == "offsets":
            known = numpy.array(self.list, dtype=numpy.float64)
            if known.shape[1] != matrices.shape[-1]:
                raise DomainError(
                    f"the offsets have {known.shape[1]} coordinates and the positions {matrices.shape[-1]}: give offsets of that dimension"
                )
            for A in matrices:
                lost = numpy.flatnonzero(_match(known @ A.T, known) < 0)
                if len(lost):
                    o = known[lost[0]]
                    raise DomainError(
                        f"{name} takes the offset {tuple(o.tolist())} of the neighbourhood to {tuple((A @ o).round(6).tolist())}, which is none of it:"
                        " add it, or take disc(r)"
                    )

    def __str__(self) -> str:
        return (
            f"{self.kind}({int(2 * self.size + 1)})"
            if self.kind == "square"
            else f"disc({self.size:g})"
            if self.kind == "disc"
            else self.kind
        )


class Dilated:
    """All that a site sees at any scale: the union of h N over h, N a neighbourhood."""

    kind = "dilated"

    def __init__(self, of: Neighbourhood, inverse_matrices: Array) -> None:
        self.of, self.inverse_matrices = of, inverse_matrices

    def contains(self, differences: Array) -> NDArray[numpy.bool_]:
        """Of the rows of [n, d]."""
        return numpy.asarray(self.rows(differences).any(0), dtype=numpy.bool_)

    def rows(self, differences: Array) -> NDArray[numpy.bool_]:
        """Does h N have a difference, [|H|, n]: does N have h^-1 times it?"""
        return numpy.stack([self.of.contains(differences @ A.T) for A in self.inverse_matrices])

    def __str__(self) -> str:
        return f"{self.of} at every scale"


def square(k: int) -> Neighbourhood:
    """The k x k sites around a site, k odd; of points those within k / 2 - 1/2 along every axis."""
    if not isinstance(k, int) or k < 1 or k % 2 == 0:
        raise DomainError(
            f"square(k) takes an odd number, not {k!r}: with an even one the site is not its centre, and a rotation moves it"
        )
    return Neighbourhood("square", (k - 1) / 2)


def disc(r: float) -> Neighbourhood:
    """What is not farther than r: every group of motions maps it to itself."""
    if not r >= 0 or not math.isfinite(r):
        raise DomainError(f"the radius of a disc is a number of at least 0, not {r!r}")
    return Neighbourhood("disc", float(r))


def offsets(list: Sequence[Sequence[float]]) -> Neighbourhood:
    """Own differences x_j - x_i; refused by layers whose group does not map the list to itself."""
    rows = tuple(tuple(float(a) for a in o) for o in list)
    if not rows or len({len(o) for o in rows}) != 1 or len(set(rows)) != len(rows):
        raise DomainError("offsets are different vectors of one dimension, and at least one")
    return Neighbourhood("offsets", list=rows)


everywhere = Neighbourhood("everywhere")
"""All positions attend to all."""
