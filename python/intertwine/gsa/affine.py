"""The groups Z^d : H of translations and of a finite group H of orthogonal matrices, and what they move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from .. import Cyclotomic, DomainError, E, Group, LimitError, Matrix, Permutation, Representation
from ..nn.encoding import quotients
from .positions import Positions

__all__ = ["Affine", "Dilations", "Motions", "motions"]

Array = NDArray[numpy.float64]


class Affine:
    """The group Z^d : H (or R^d : H) of the maps x -> h x + y, h in H, a finite subgroup of O(d).

    H: a name: "Z2" (no H; also "Z1", "Z3", ...), "M" (the mirror of the last axis), "R4" (rotations by multiples of 90
    degrees; any number), "R4M" (with mirrors), in the plane; or a representation of a finite group by orthogonal
    matrices, whose dimension is d; or a list of exact orthogonal matrices that generate H. A product, Affine("R4") *
    Affine("M", d=1), acts on the sum of the spaces.

    Elements are numbered as in `group`, 0 is the identity; functions on H are vectors of `regular`, [..., |H|].
    Rotations turn axis 0 (rows) to axis 1, as the kernels of intertwine.nn.Conv2d do.

    DomainError: names that are not known, matrices that are not orthogonal or not of size d, infinite groups.
    """

    def __init__(self, H: str | Representation | Sequence[Matrix | Sequence[Sequence[object]]], d: int = 2) -> None:
        if isinstance(H, str):
            self.name, matrices = H, _named(H, d)
        elif isinstance(H, Representation):
            self.name, matrices = f"{H.group.name} by {H}", H
        elif isinstance(H, Group):
            raise DomainError(
                f"how {H.name} acts on space is to be said{_meant(H.name)}, or give a representation of it by orthogonal matrices"
            )
        else:
            if _is_matrix(H):
                raise DomainError(
                    f"H is a list of matrices that generate it, and this is one matrix: write Affine([{H!r}])"
                )
            generators = [Matrix(A) for A in H]  # type: ignore[arg-type]
            for A in generators:
                if A.shape != (d, d):
                    raise DomainError(
                        f"the generators of H are {d} x {d} matrices, and one is {A.shape[0]} x {A.shape[1]}: give d={A.shape[0]} or other matrices"
                    )
                _require_orthogonal(A)
            matrices = Group.from_matrices(generators).rep("coordinates")
            self.name = f"<{len(generators)} matrices>"
        for g in matrices.group.generators:
            _require_orthogonal(matrices.matrix(g))
        if matrices.group.order > 1024:
            raise LimitError(
                f"{matrices.group.name} has {matrices.group.order} elements; layers have a row of scores for each, and 1024 of them at most"
            )
        self.d = matrices.dimension
        self.representation = matrices
        self.group = matrices.group
        self.elements: tuple[Permutation, ...] = tuple(self.group.element(k) for k in range(self.group.order))
        self.between: NDArray[numpy.int64] = quotients(self.elements)
        """between[h, g] is the number of h^-1 g in `relative`."""
        self.inverses = self.between[:, 0]
        self.products = self.between[self.inverses]
        """products[g, h] is the number of g h."""
        self.matrices: Array = numpy.stack(
            [numpy.asarray(matrices.matrix(h), dtype=numpy.float64).reshape(self.d, self.d) for h in self.elements]
        )
        """[|H|, d, d]: the elements, rounded once from exact numbers."""

    @property
    def order(self) -> int:
        """|H|."""
        return len(self.elements)

    @property
    def inverse_matrices(self) -> Array:
        """[|H|, d, d]: of h^-1."""
        return self.matrices.transpose(0, 2, 1)

    @property
    def relative(self) -> Array:
        """What h^-1 g can be, [m, d, d]: the elements themselves."""
        return self.matrices

    @property
    def scales(self) -> Array:
        """By how much each element makes lengths larger, [|H|]: 1."""
        return numpy.ones(self.order)

    @property
    def regular(self) -> Representation:
        """H on functions on H: basis vector k is element k."""
        return self.group.rep("regular")

    @property
    def is_on_grid(self) -> bool:
        """Does H map Z^d to itself: are its matrices permutations of the axes up to signs?"""
        return self.representation.is_monomial or bool(
            (numpy.abs(self.matrices) == numpy.abs(self.matrices).round()).all()
        )

    def __mul__(self, other: Affine) -> Affine:
        if not isinstance(other, Affine):
            raise DomainError(
                f"a product is one of two Affine groups, not with {type(other).__name__}; dilations with H are Dilations(ratio, count, H)"
            )
        A, B = self.representation, other.representation
        group = A.group * B.group
        m, n = A.dimension, B.dimension
        left = [_block(A.matrix(g), n, False) for g in A.group.generators]
        right = [_block(B.matrix(g), m, True) for g in B.group.generators]
        if not left + right:
            return Affine(f"Z{m + n}", m + n)
        if len(group.generators) != len(left) + len(right):
            raise DomainError(
                f"the product of {self.name} and {other.name} is not generated by what generates the factors"
            )
        product = Affine(group.matrix_rep(left + right))
        product.name = f"{self.name} x {other.name}"
        return product

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Affine) and self.representation == other.representation

    def __hash__(self) -> int:
        return hash(self.representation)

    def __repr__(self) -> str:
        return f"<Z^{self.d} : {self.name}, |H| = {self.order}>"


class Dilations:
    """The maps x -> s^k h x + y, where k are `count` exponents in a row, from `first` on, and h is of a finite group H
    of motions.

    ratio: s, an exact positive number other than 1 (an integer, a Fraction, or text such as "3/2"); H: an Affine group
    or its name, by default the translations alone; d: the dimension, if H is not given.

    All s^k are a group, and these are a part of it that no product keeps: s^(count - 1) times s is left out. So layers
    of them commute with a dilation that moves positions, neighbourhoods and scales together: from points x with scales
    s^0, ..., s^(n-1) to points s x with scales s^1, ..., s^n. On one set of positions what is cut off at the smallest
    and largest scale is seen, and `form="printed"`, which needs products of elements, is refused. Element k |H| + h is
    s^(first + k) times element h of H.

    DomainError: ratios that are not exact or not positive, 1, no exponents.
    """

    def __init__(
        self, ratio: int | str | Fraction, count: int, H: Affine | str | None = None, *, first: int = 0, d: int = 2
    ) -> None:
        try:
            s = Fraction(ratio) if not isinstance(ratio, float | bool) else Fraction(0)
        except (ValueError, TypeError, ZeroDivisionError):
            s = Fraction(0)
        if s <= 0 or s == 1:
            raise DomainError(
                f"the ratio of dilations is an exact positive number other than 1, such as 2 or '3/2', not {ratio!r}"
            )
        if not isinstance(count, int) or isinstance(count, bool) or count < 1 or not isinstance(first, int):
            raise DomainError(f"dilations are ratio^first, ..., at least one of them, not {count!r} from {first!r} on")
        self.H = Affine(f"Z{d}", d) if H is None else Affine(H, d) if isinstance(H, str) else H
        self.d, self.ratio, self.count, self.first = self.H.d, s, count, first
        n, self.order = self.H.order, count * self.H.order
        if self.order > 1024:
            raise LimitError(
                f"{count} dilations of {self.H.name} are {self.order} elements; layers have a row of scores for each, and 1024 of them at most"
            )

        def of(first: int, count: int) -> Array:
            return numpy.repeat(numpy.array([float(s ** (first + k)) for k in range(count)]), n)

        self.scales: Array = of(first, count)
        """By how much each element makes lengths larger, [|H|]."""
        self.matrices: Array = self.scales[:, None, None] * numpy.tile(self.H.matrices, (count, 1, 1))
        self.inverse_matrices: Array = numpy.tile(self.H.inverse_matrices, (count, 1, 1)) / self.scales[:, None, None]
        self.relative: Array = of(1 - count, 2 * count - 1)[:, None, None] * numpy.tile(
            self.H.matrices, (2 * count - 1, 1, 1)
        )
        """What h^-1 g can be, [m, d, d]: s^k h for |k| < count."""
        exponent, element = numpy.divmod(numpy.arange(self.order), n)
        self.between = (exponent[None] - exponent[:, None] + count - 1) * n + self.H.between[
            element[:, None], element[None]
        ]
        """between[h, g] is the number of h^-1 g in `relative`."""
        self.name = f"{count} dilations by {s}" + (f" of {self.H.name}" if n > 1 else "")

    @property
    def is_on_grid(self) -> bool:
        """Do its motions map Z^d to itself?"""
        return self.H.is_on_grid

    def __mul__(self, other: object) -> Dilations:
        raise DomainError(
            "dilations are not multiplied: Dilations(ratio, count, H) has those of a group H, which may be a product"
        )

    def __eq__(self, other: object) -> bool:
        mine = (self.ratio, self.count, self.first)
        return isinstance(other, Dilations) and mine == (other.ratio, other.count, other.first) and self.H == other.H

    def __hash__(self) -> int:
        return hash((self.ratio, self.count, self.first, self.H))

    def __repr__(self) -> str:
        return f"<Z^{self.d} : {self.name}, {self.order} elements>"


def _named(name: str, d: int) -> Representation:
    if match := re.fullmatch(r"Z([1-9]\d*)", name):
        if int(match[1]) != d:
            raise DomainError(
                f"{name} are the translations of {match[1]} dimensions, and d is {d}: write Affine({name!r}, d={match[1]})"
            )
        trivial = Group("C1").rep("trivial")
        return d * trivial if d > 1 else trivial
    if name == "M":
        return Group("D1").matrix_rep([_diagonal([1] * (d - 1) + [-1])])
    match = re.fullmatch(r"R([1-9]\d*)(M?)", name)
    if match is None:
        known = "names are Z2 (no H), M, R4, R4M with any number, and other groups are given by their matrices"
        raise DomainError(f"the group {name!r} is not known{_meant(name)}; {known}")
    if d != 2:
        raise DomainError(
            f"{name} turns a plane, and d is {d}: take a product such as Affine({name!r}) * Affine('Z1', d=1), or give matrices"
        )
    n = int(match[1])
    turn, mirror = _rotation(n), _diagonal([1, -1])
    if not match[2]:
        return Group(f"C{n}").matrix_rep([turn] if n > 1 else []) if n > 1 else 2 * Group("C1").rep("trivial")
    return Group(f"D{n}").matrix_rep([mirror] if n == 1 else [turn, mirror])


def _meant(name: str) -> str:
    """What others call R4, R4M and Z2."""
    if match := re.fullmatch(r"([CDp])([1-9]\d*)(m?)", name):
        letter, n, mirrors = match.groups()
        if letter == "p" or not mirrors:
            return f": write Affine({'Z2' if n == '1' and letter != 'D' and not mirrors else f'R{n}' + 'M' * (letter == 'D' or mirrors == 'm')!r})"
    return ": write Affine('Z2')" if name in ("trivial", "1", "e") else ""


def _is_matrix(H: Sequence[Any]) -> bool:
    """Is this one matrix in the place of a list of them?"""
    return (
        isinstance(H, (list, tuple))
        and bool(H)
        and isinstance(H[0], (list, tuple))
        and bool(H[0])
        and not hasattr(H[0][0], "__len__")
    )


def _rotation(n: int) -> Matrix:
    """By 2 pi / n, exact: cos and sin from the n-th root of unity."""
    z, conjugate = _root(n, 1), _root(n, n - 1)
    minus_i = E(4, 3)
    half = Cyclotomic("1/2")
    c, s = (z + conjugate) * half, (z - conjugate) * minus_i * half
    return Matrix([[c, -s], [s, c]])


def _root(n: int, k: int) -> Cyclotomic:
    return Cyclotomic(f"E({n})^{k}") if n > 1 else Cyclotomic("1")


def _diagonal(entries: Sequence[int]) -> Matrix:
    return Matrix.from_entries(len(entries), len(entries), [(k, k, e) for k, e in enumerate(entries)])


def _block(A: Matrix, more: int, first: bool) -> Matrix:
    """A on its coordinates, and the identity on more of them, which come first or last."""
    n = A.shape[0]
    shift, start = (more, 0) if first else (0, n)
    entries = [(i + shift, j + shift, a) for i, j, a in A.entries()] + [(start + k, start + k, 1) for k in range(more)]
    return Matrix.from_entries(n + more, n + more, entries)


def _require_orthogonal(A: Matrix) -> None:
    n = A.shape[0]
    if A.shape != (n, n) or A @ A.T != Matrix.identity(n):
        raise DomainError(
            f"the matrix {A.tolist()} is not orthogonal, and only motions keep distances: conjugate the group into O({n}) first; multiples of"
            " the identity are Dilations(ratio, count)"
        )


class Motions(NamedTuple):
    """The motions of a finite set of positions: a group, and how it moves functions."""

    group: Group
    sites: Representation
    """On functions on the positions, [..., N]."""
    lifted: Representation
    """On functions on H x positions, flattened from [..., |H|, N]: (h', y) takes (h, x) to (h' h, h' x + y)."""


def motions(affine: Affine, positions: Positions) -> Motions:
    """The elements of Z^d : H that map the positions to themselves, as permutations: those of H about the centre of a
    grid or the origin of points, and on a torus all translations. What layers of this package have to commute with,
    exactly.
    """
    N, order = positions.count, affine.order
    images = {h: positions.image(affine.matrices[k]) for k, h in enumerate(affine.elements)}
    kept: list[Permutation] = []
    exact = affine.group.subgroup([])
    for h in (
        *affine.group.generators,
        *affine.elements,
    ):  # few elements that generate all that map the positions to themselves
        if images[h] is not None and h not in exact:
            kept.append(h)
            exact = affine.group.subgroup(kept)
    number = {h: k for k, h in enumerate(affine.elements)}
    moves: list[tuple[list[int], list[int]]] = []
    for h in kept:
        image = images[h]
        assert image is not None
        moves.append((image, [int(g) for g in affine.products[number[h]]]))
    for shift in positions.translations():
        moves.append((shift, list(range(order))))
    moves = [m for m in moves if m[0] != list(range(N)) or m[1] != list(range(order))]
    lifted = [Permutation([hs[h] * N + sites[x] for h in range(order) for x in range(N)]) for sites, hs in moves]
    group = Group(lifted, N * order)
    if not group.generators:
        return Motions(group, N * group.rep("trivial"), group.rep("perm"))
    # The group may have fewer generators than it was given: images go with those that it keeps.
    at = {p: Permutation(sites) for p, (sites, _) in zip(lifted, moves)}
    return Motions(group, group.permutation_rep([at[g] for g in group.generators], N), group.rep("perm"))
