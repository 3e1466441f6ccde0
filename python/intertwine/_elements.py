"""Elements of groups in floats: those that checks try, and their matrices in every representation.

An element of a continuous group is a word in the group's generators: exponentials of elements of the Lie algebra,
components, and elements of finite factors. Each representation has exact matrices of these generators, so that one word
has one matrix in each, and these belong together.
"""

from __future__ import annotations

import functools
import math
import numbers
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Union

import numpy
from numpy.typing import NDArray

from . import DomainError, Group, Matrix, ParseError, Permutation, Representation
from ._kinds import is_classical, is_finite, is_finite_group
from ._membership import (
    Key,
    Letter,
    bracket,
    exponential,
    first_generator,
    is_closed_under_transposes,
    moved,
    word_of_matrix,
)

__all__ = [
    "AnyElement",
    "AnyRepresentation",
    "ContinuousElement",
    "MOST_WORDS",
    "Part",
    "element",
    "holds",
    "matrix",
    "matrix_of_letter",
    "parts_of",
    "permutes_coordinates",
    "random_element",
    "tried",
    "turns_twice",
    "words_of",
]

MOST_WORDS = 20000


@dataclass(frozen=True)
class ContinuousElement:
    """An element of a continuous group, as a word in its generators; g * h and g.inverse() as of permutations."""

    group: Group
    letters: tuple[Letter, ...]

    def __mul__(self, other: ContinuousElement) -> ContinuousElement:
        if not isinstance(other, ContinuousElement):
            return NotImplemented
        if other.group != self.group:
            raise DomainError(f"the two elements are of different groups, {self.group} and {other.group}")
        return ContinuousElement(self.group, self.letters + other.letters)

    def inverse(self) -> ContinuousElement:
        return ContinuousElement(
            self.group, tuple(tuple((k, -t) for k, t in letter) for letter in reversed(self.letters))
        )

    @property
    def is_identity(self) -> bool:
        """Is the word empty?"""
        return not self.letters

    def __str__(self) -> str:
        parts = [part.words(self) for part in parts_of(self.group)]
        return "; ".join(part for part in parts if part) or "the identity"


AnyElement = Union[Permutation, ContinuousElement]
AnyRepresentation = Representation


class Part(NamedTuple):
    """One factor of a continuous group: where its generators stand, and a faithful module of its Lie algebra."""

    group: Any
    first: int
    algebra: int  # how many generators are of the Lie algebra; they come first
    components: int
    defining: Representation | None  # None for a finite factor
    kind: str  # "orthogonal", "unitary", "other" or "finite"

    def own(self, g: ContinuousElement) -> ContinuousElement:
        """The part of the word that is in this factor, as an element of the factor."""
        last = self.first + self.algebra + self.components
        kept = (
            tuple((moved(k, -self.first), t) for k, t in letter if self.first <= first_generator(k) < last)
            for letter in g.letters
        )
        return ContinuousElement(self.group, tuple(letter for letter in kept if letter))

    def words(self, g: ContinuousElement) -> str:
        own = self.own(g)
        if self.defining is None:
            generators = self.group.generators
            p = self.group.identity
            for ((k, t),) in own.letters:
                for _ in range(abs(int(t))):
                    p = p * (generators[k] if t > 0 else generators[k].inverse())
            return "" if p.is_identity else str(p)
        if self.kind == "orthogonal" and self.defining.dimension in (2, 3):
            return _rotation(_matrix(self.defining, own))
        return _word(self, own)


def _rotation(R: NDArray[Any]) -> str:
    """A rotation or reflection of the plane or of space, by its axis and angle."""
    improper = bool(numpy.linalg.det(R) < 0)
    if len(R) == 2:
        angle = math.degrees(math.atan2(R[1, 0], R[0, 0]))
        return (
            f"the reflection in the line at {angle / 2:.4g} degrees"
            if improper
            else f"the rotation by {angle:.4g} degrees"
        )
    Q = -R if improper else R
    turn = numpy.array([Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1]]) / 2
    angle = math.atan2(float(numpy.linalg.norm(turn)), (float(numpy.trace(Q)) - 1) / 2)
    if angle < 1e-9:
        return "the inversion" if improper else ""
    # The symmetric part has the axis too, where the antisymmetric one vanishes.
    columns = Q + Q.T + (1 - float(numpy.trace(Q))) * numpy.eye(3)
    axis = turn if angle < 3 else columns[:, int(numpy.argmax(abs(numpy.diag(columns))))]
    # Half a turn has two axes, of which the one with a positive last coordinate is told.
    sign = float(axis @ turn) if angle < math.pi - 1e-9 else next(x for x in reversed(axis.tolist()) if abs(x) > 1e-9)
    axis = math.copysign(1, sign) * axis / numpy.linalg.norm(axis)
    shown = ", ".join(f"{x if abs(x) > 1e-9 else 0.0:.3g}" for x in axis)
    return (
        f"the rotation by {math.degrees(angle):.4g} degrees about ({shown}){' and the inversion' if improper else ''}"
    )


def _named(key: Key) -> str:
    return f"[X{key[0] + 1}, {_named(key[1])}]" if isinstance(key, tuple) else f"X{key + 1}"


def _word(part: Part, own: ContinuousElement) -> str:
    text = []
    for letter in own.letters:
        k = first_generator(letter[0][0])
        if k < part.algebra:
            text.append("exp(" + " + ".join(f"{t:.4g} {_named(key)}" for key, t in letter) + ")")
        else:
            text.append(f"component {k - part.algebra + 1}")
    return f"{' '.join(text)} of {part.group.name}" if text else ""


@functools.lru_cache(maxsize=64)
def parts_of(G: Group) -> list[Part]:
    found, first = [], 0
    for F in G.factors:
        if is_finite_group(F):
            found.append(Part(F, first, 0, len(F.generators), None, "finite"))
            first += len(F.generators)
            continue
        names = F.generator_names
        algebra = sum(" Lie algebra " in name for name in names)
        V = F.rep("real(vector)" if F.is_complex else "vector")
        X = _generators(V)[:algebra]
        compact = all(abs(A + A.T).max(initial=0) < 1e-12 for A in X)
        kind = "other" if not compact else "unitary" if F.is_complex else "orthogonal"
        found.append(Part(F, first, algebra, len(names) - algebra, V, kind))
        first += len(names)
    return found


@functools.lru_cache(maxsize=32)
def _generators(V: Representation) -> list[NDArray[Any]]:
    """The matrices of the generators of the real group, in floats."""
    dtype = numpy.complex128 if V.is_complex else numpy.float64
    found = [numpy.asarray(m, dtype=dtype) for m in V.generator_matrices()]
    if V.is_complex:
        # Complex matrices are those of sl(n), E_ij and E_ji; su(n) is spanned by E_ij - E_ji and i (E_ij + E_ji), as
        # real representations have it.
        first = 0
        for F in V.group.factors:
            count = len(F.generators) if is_finite_group(F) else len(F.generator_names)
            if not is_finite_group(F) and F.is_complex:
                for k in range(first, first + count - 1, 2):
                    E, T = found[k], found[k + 1]
                    found[k], found[k + 1] = E - T, 1j * (E + T)
                if count % 2:
                    found[first + count - 1] = 1j * found[first + count - 1]
            first += count
    return found


@functools.lru_cache(maxsize=4096)
def matrix_of_letter(V: Representation, letter: Letter) -> NDArray[Any]:
    generators = _generators(V)
    key, n = letter[0]
    k = first_generator(key)
    if " Lie algebra " in V.group.generator_names[k]:
        return exponential(numpy.sum([t * bracket(generators, X) for X, t in letter], axis=0))
    return numpy.linalg.matrix_power(generators[k], int(n))


def _matrix(V: Representation, g: ContinuousElement) -> NDArray[Any]:
    found = numpy.eye(V.dimension, dtype=numpy.complex128 if V.is_complex else numpy.float64)
    for letter in g.letters:
        found = found @ matrix_of_letter(V, letter)
    return found


def matrix(V: Representation, g: Any) -> NDArray[Any]:
    """rho(g) in floats."""
    require_element(V.group, g)
    return _matrix(V, g)


def require_element(G: Group, g: Any) -> None:
    """DomainError for what is no element of the group."""
    if is_finite_group(G):
        if not isinstance(g, Permutation) or g not in G:
            raise DomainError(f"{g} is no element of {G.name}")
    elif not isinstance(g, ContinuousElement):
        raise DomainError(f"{g!r} is no element of {G.name}: G.random_element(seed) and G.element([(k, t), ...]) are")
    elif g.group != G:
        raise DomainError(f"the element is one of {g.group.name}, and the representation one of {G.name}")


def element(G: Group, word: Any, tolerance: float = 1e-9) -> ContinuousElement:
    """The product of exp(t X_k), or of powers of components and of elements of finite factors, in their order; or the
    element with this matrix in the defining module."""
    if _is_matrix(word):
        return _of_matrix(G, word, tolerance)
    if _has_two_readings(G, word):
        raise DomainError(
            f"{word!r} could be two pairs (k, t), for exp(t X_k), or the rows of a 2 x 2 matrix: write"
            f" {[tuple(pair) for pair in word]!r} for the pairs, numpy.array({word!r}) for the matrix"
        )
    names = G.generator_names
    letters: list[Letter] = []
    pairs = list(word) if isinstance(word, Iterable) else [word]
    for pair in pairs:
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise DomainError(f"an element is given by pairs (k, t), for the product of exp(t X_k), not by {pair!r}")
        k, t = pair
        if not isinstance(k, numbers.Integral) or isinstance(k, bool) or not 0 <= k < len(names):
            raise DomainError(f"{G.name} has {len(names)} generators, numbered from 0, and no number {k!r}")
        if not isinstance(t, numbers.Real) or not math.isfinite(t):
            raise DomainError(f"exp(t X) is of a finite real number t, not {t!r}")
        if " Lie algebra " not in names[int(k)] and float(t) != int(t):
            raise DomainError(
                f"{names[int(k)]} has powers with integers, not {t!r}; numbers in between are those of Lie algebras"
            )
        letters.append(((int(k), float(t)),))
    return ContinuousElement(G, tuple(letters))


def _is_matrix(given: Any) -> bool:
    """Rows of two numbers could be pairs (k, t), and are these unless they are an array."""
    if hasattr(given, "__array__") or isinstance(given, Matrix):
        return True
    rows = list(given) if isinstance(given, (list, tuple)) else []
    return bool(rows) and all(isinstance(row, (list, tuple)) and len(row) == len(rows) != 2 for row in rows)


def _has_two_readings(G: Group, given: Any) -> bool:
    """Two lists of two numbers, where the group has matrices of that size."""
    return (
        isinstance(given, (list, tuple))
        and len(given) == 2
        and all(isinstance(row, list) and len(row) == 2 for row in given)
        and len(G.factors) == 1
        and G.rep("vector").dimension == 2
    )


def _of_matrix(G: Group, given: Any, tolerance: float) -> ContinuousElement:
    if not isinstance(tolerance, numbers.Real) or not 0 < tolerance < 1:
        raise DomainError(f"tolerance is a number between 0 and 1, not {tolerance!r}")
    if len(G.factors) != 1:
        raise DomainError(
            f"matrices are those of one factor, and {G.name} is a product: take words of generators, or"
            " G.factors[k].element(matrix)"
        )
    V, part = G.rep("vector"), parts_of(G)[0]
    n = V.dimension
    try:
        M = numpy.asarray(given, dtype=numpy.complex128)
    except (TypeError, ValueError) as refused:
        raise DomainError(f"a matrix of numbers is wanted, and this is none: {refused}") from refused
    if M.shape != (n, n) or not numpy.isfinite(M).all():
        raise DomainError(
            f"an element of {G.name} is a matrix of {n} x {n} finite numbers, not one of the shape {list(M.shape)}"
        )
    if not V.is_complex:
        if abs(M.imag).max(initial=0) > tolerance:
            raise DomainError(f"{G.name} has real matrices, and this one is complex")
        M = M.real
    if not _is_faithful(part):
        raise DomainError(f"two elements of {G.name} have each matrix of vector: give a word, G.element([(k, t), ...])")
    found = word_of_matrix(M, _generators(V), part.algebra, float(tolerance))
    if isinstance(found, str):
        raise DomainError(
            f"the matrix is no product of exponentials and components of {G.name} up to {tolerance:g}: {found}"
        )
    return ContinuousElement(G, found)


def holds(V: Representation, matrices: Sequence[NDArray[Any]], tolerance: float = 1e-9) -> bool:
    """Are these matrices all of V's, up to the tolerance? For real representations of a continuous group of one factor
    that keep the ordinary inner product, or whose Lie algebra has the transposes of its matrices."""
    part, generators = parts_of(V.group)[0], _generators(V)
    if not is_closed_under_transposes(generators, part.algebra):
        raise DomainError(
            f"the matrices of {V} have other transposes, so that none is found among them: take it in an orthonormal"
            " basis, or vector"
        )
    return not any(isinstance(word_of_matrix(M, generators, part.algebra, tolerance), str) for M in matrices)


def turns_twice(part: Part, representations: Sequence[AnyRepresentation]) -> bool:
    """Is a whole turn something else than the identity, as for spinors?"""
    whole: Letter = ((part.first, 2 * math.pi),)
    return any(
        abs(matrix_of_letter(V, whole) - numpy.eye(V.dimension)).max(initial=0) > 1e-6
        for V in representations
        if is_classical(V)
    )


def _is_faithful(part: Part) -> bool:
    """Does the whole turn, which vectors do not see, act on spinors as the identity?"""
    for name in ("real(spinor)", "spinor"):
        try:
            return not turns_twice(part, [part.group.rep(name)])
        except (DomainError, ParseError):  # no spinors, or without real matrices
            continue
    return True


def permutes_coordinates(V: AnyRepresentation) -> bool:
    """Does every element permute the coordinates, up to signs?"""
    return is_finite(V) and V.is_monomial


# --- Random elements ---


def random_element(G: Group, seed: Any = None) -> ContinuousElement:
    """A random element; uniform where the group is compact and its finite factors are not too large."""
    if seed is not None and (not isinstance(seed, numbers.Integral) or isinstance(seed, bool)):
        raise DomainError(f"a seed is an integer, not {seed!r}")
    choose = random.Random(None if seed is None else int(seed))
    letters = [
        tuple((k + part.first, t) for k, t in letter)
        for part in parts_of(G)
        for letter in _random_letters(part, choose)
    ]
    return ContinuousElement(G, tuple(letters))


def _random_letters(part: Part, choose: random.Random) -> list[Letter]:
    if part.kind == "finite":
        return _random_word(part.group, choose)
    components: list[Letter] = [((part.algebra + c, 1.0),) for c in range(part.components) if choose.random() < 0.5]
    assert part.defining is not None
    if part.kind == "orthogonal":
        return _random_rotation(part.algebra + 1, choose) + components
    if part.kind == "unitary":
        return _random_unitary(part.defining.dimension // 2, part.algebra, choose) + components
    return [_bounded(part, choose), _bounded(part, choose), *components]


def _bounded(part: Part, choose: random.Random) -> Letter:
    """exp X with X of norm at most 1/2 in the defining module."""
    t = [choose.gauss(0, 1) for _ in range(part.algebra)]
    assert part.defining is not None
    X = sum(s * A for s, A in zip(t, _generators(part.defining)))
    size = 0.5 * (0.5 + 0.5 * choose.random()) / max(float(numpy.linalg.norm(X)), 1e-300)
    return tuple((k, s * size) for k, s in enumerate(t))


def _random_rotation(n: int, choose: random.Random) -> list[Letter]:
    """Hurwitz: a uniform point of the sphere in R^m by turns in the planes of neighbouring axes, then one in R^(m-1),
    down to the plane. Twice around the circle, so that it is uniform on Spin(n) too."""
    letters: list[Letter] = []
    for m in range(n, 1, -1):
        letters.append(((0, choose.uniform(0, 4 * math.pi)),))
        for k in range(1, m - 1):
            u = [choose.gauss(0, 1) for _ in range(k + 2)]
            letters.append(((k, math.atan2(math.hypot(*u[:-1]), u[-1])),))
    return letters


def _random_unitary(n: int, generators: int, choose: random.Random) -> list[Letter]:
    """The same on spheres in C^m, by elements of SU(2) of neighbouring coordinates; the phase of U(n) last."""
    letters: list[Letter] = []

    def phase(k: int, t: float) -> list[Letter]:
        """A diagonal matrix of the coordinates k and k + 1: exp(t i (E + E^T)) turned by a quarter of pi."""
        return [((2 * k, math.pi / 4),), ((2 * k + 1, t),), ((2 * k, -math.pi / 4),)]

    for m in range(n, 1, -1):
        for k in range(m - 1):
            # |b|^2 is the last of k + 2 coordinates of a uniform point, so 1 - |b|^2 is distributed as u^(1 / (k + 1)).
            angle = math.asin(math.sqrt(choose.random() ** (1 / (k + 1))))
            letters += (
                phase(k, choose.uniform(0, 2 * math.pi))
                + [((2 * k, angle),)]
                + phase(k, choose.uniform(0, 2 * math.pi))
            )
    if generators % 2:
        letters.append(((generators - 1, choose.uniform(0, 2 * math.pi)),))
    return letters


@functools.lru_cache(maxsize=16)
def words_of(G: Group) -> list[tuple[int, ...]] | None:
    """For each element a word in the generators, the shortest first; None for a group that is too large."""
    if G.order > MOST_WORDS:
        return None
    found: dict[Permutation, tuple[int, ...]] = {G.identity: ()}
    queue = [G.identity]
    for g in queue:
        for k, s in enumerate(G.generators):
            if (h := g * s) not in found:
                found[h] = (*found[g], k)
                queue.append(h)
    return list(found.values())


def _random_word(G: Group, choose: random.Random) -> list[Letter]:
    words = words_of(G)
    if words is not None:
        return [((k, 1.0),) for k in choose.choice(words)]
    return [((choose.randrange(len(G.generators)), 1.0),) for _ in range(choose.randrange(2, 12))]


# --- Elements that checks try ---


def tried(G: Group, elements: int | Sequence[Any], seed: int) -> list[Any]:
    """The generators of the group and random elements, or those that are given."""
    if (
        isinstance(elements, bool)
        or not isinstance(elements, (numbers.Integral, Sequence))
        or isinstance(elements, str)
    ):
        raise DomainError(f"elements is how many random ones are tried, or a list of elements, not {elements!r}")
    if isinstance(elements, Sequence):
        given = list(elements)
        for g in given:
            require_element(G, g)
        return given
    more = int(elements)
    if is_finite_group(G):
        return _tried_of_finite(G, more, seed)
    # exp X of a generator, by one radian, has powers that come near to all of the one-parameter group.
    found = [element(G, [(k, 1)]) for k in range(len(G.generator_names))]
    return found + [random_element(G, seed * 1000003 + k) for k in range(more if found else 0)]


def _tried_of_finite(G: Group, more: int, seed: int) -> list[Permutation]:
    generators = list(G.generators)
    found = list(dict.fromkeys(generators))
    choose = random.Random(seed)
    for _ in range(more if generators else 0):
        g = G.identity
        for _ in range(choose.randrange(2, 12)):
            g = g * choose.choice(generators)
        if g not in found and not g.is_identity:
            found.append(g)
    return found
