"""Which diagrams a group has on the axes of its vector space, for every size at once; and what is true of them at one
size, exactly.

A diagram on m axes is a word: the number of every axis's block, in the order in which they first occur. Symmetric
groups S(n) have all partitions of the axes (Jones 1994), signed permutations B(n) those with an even number of signed
axes in every block, O(n) and Sp(n) those into pairs (Brauer 1937), GL(n) and U(n) pairs of a vector and a dual axis
(Turaev 1989; Koike 1989). SO(n) has those of O(n) and beside them pairs with one block of n axes that carries the
determinant; SL(n) and SU(n) have as many such blocks as there are n vectors more than duals, or n duals more (Weyl
1946). These blocks have the numbers -1, -2, ...

Diagrams on many axes are dependent where n is small (second fundamental theorem). At one size they are looked at by
their inner products, which are signs times powers of n, one for every loop of two diagrams laid upon each other. Their
rank modulo a prime is a lower bound of their rank, and characters say how many equivariant maps there are: where both
agree, the diagrams chosen are a basis, and there is no other map.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy

from .. import DomainError, InternalError, LimitError, Matrix
from .._elimination import Integers, pivots_modulo
from ..tables import DiagramTable, diagrams

__all__ = ["EVERY_SET", "Family", "Word", "axes_of", "coordinates", "families_of"]

Word = tuple[int, ...]

_MOST_IN_GRAM = 6000


@dataclass(frozen=True)
class Family:
    """A series of groups, or one of it: size is None for every size."""

    name: str
    size: int | None = None

    @classmethod
    def parse(cls, text: str) -> Family:
        """Of S(n), O(3), B4 and their kin."""
        name, _, size = (
            diagrams(text if isinstance(text, str) else repr(text), "a", "").groups["a"].rstrip(")").partition("(")
        )
        return cls(name, None if size == "n" else int(size))

    def __str__(self) -> str:
        return f"{self.name}({'n' if self.size is None else self.size})"

    def check(self, n: int) -> None:
        Family.parse(f"{self.name}({n})")

    @property
    def pairs(self) -> bool:
        return self.name not in ("S", "B")

    @property
    def has_duals(self) -> bool:
        return self.name in ("GL", "SL", "U", "SU")

    @property
    def has_determinant(self) -> bool:
        return self.name in ("SO", "SL", "SU")

    def sign(self, plain: bool, above: bool) -> int:
        """What the diagrams look at on an axis, written with or without a mark, of the output or not: for B(n) whether
        signs act on it; for groups with duals 1 for vectors and -1 for duals, those of inputs negated."""
        if self.has_duals:
            return 1 if plain == above else -1
        return 0 if self.name == "S" else int(plain)

    @functools.lru_cache(maxsize=256)
    def table(self, signs: Word) -> DiagramTable:
        """All diagrams on axes with these signs."""
        marked = 1 if self.has_duals else 0 if self.name == "B" else None  # axes of inputs count as their duals
        return diagrams(str(self), "".join("a*" if sign == marked else "a" for sign in signs), "")

    @functools.lru_cache(maxsize=256)
    def words(self, signs: Word) -> tuple[Word, ...]:
        """The diagrams in lexicographic order."""
        return tuple(map(tuple, self.table(signs).diagrams.tolist()))

    # --- One size ------------------------------------------------------------------------------------------------------------

    def dimension(self, signs: Word, n: int) -> int:
        """How many independent equivariant maps there are at size n, counted by characters: without any diagram."""
        return self.table(signs).dimension(n)[0]

    def independent(self, signs: Word, n: int) -> bool:
        """Are all diagrams independent at size n, because it is large enough?"""
        m = len(signs)
        if self.has_determinant:
            return self.dimension(signs, n) == len(self.words(signs))
        return n >= (m if self.name == "Sp" else signs.count(0) + (m - signs.count(0)) // 2)

    @functools.lru_cache(maxsize=64)
    def basis(self, signs: Word, n: int) -> dict[Word, None]:
        """Diagrams that are a basis of the equivariant maps at size n, in order: proved by their rank and the count of
        characters."""
        words = self.words(signs)
        dimension = self.dimension(signs, n)
        if self.independent(signs, n):
            chosen = words
        elif (
            not self.pairs
        ):  # a diagram is the sum of the orbits of coarser ones; those of at most n blocks have entries
            chosen = tuple(word for word in words if max(word, default=-1) < n)
        else:
            chosen = tuple(words[i] for i in pivots_modulo(self._gram(signs, n)))
        if len(chosen) != dimension:
            raise InternalError(
                f"{len(chosen)} diagrams of {self.name}({n}) on {len(signs)} axes are independent, and characters count {dimension} maps"
            )
        return dict.fromkeys(chosen)

    @functools.lru_cache(maxsize=64)
    def expansions(self, signs: Word, n: int) -> dict[Word, dict[Word, Fraction]]:
        """Every diagram at size n as a combination of those in the basis: all the relations there are, exactly."""
        basis = self.basis(signs, n)
        found = {word: {word: Fraction(1)} for word in basis}
        words = self.words(signs)
        if len(basis) == len(words):
            return found
        if not self.pairs:
            # The orbit of a word with more than n blocks has no entries; it is the alternating sum of the coarser
            # diagrams.
            for word in sorted(words, key=lambda word: max(word, default=-1)):
                if word not in found:
                    total: dict[Word, Fraction] = {}
                    for coarser, mu in _coarser(word):
                        for other, c in found[coarser].items():
                            total[other] = total.get(other, Fraction(0)) - mu * c
                    found[word] = {other: c for other, c in total.items() if c}
            return found
        place = {word: i for i, word in enumerate(words)}
        inside = [place[word] for word in basis]
        outside = [i for i, word in enumerate(words) if word not in found]
        gram = self._gram(signs, n)
        solved = _solve(gram[numpy.ix_(inside, inside)], gram[numpy.ix_(inside, outside)])
        for column, i in enumerate(outside):
            found[words[i]] = {word: solved[row][column] for row, word in enumerate(basis) if solved[row][column]}
        return found

    def _gram(self, signs: Word, n: int) -> Integers:
        """Inner products of all pairs of diagrams as matrices: exact integers, in a common order of words()."""
        words, m = self.words(signs), len(signs)
        if len(words) > _MOST_IN_GRAM:
            raise LimitError(
                f"relations among {len(words)} diagrams of {self.name}({n}) were asked for, and {_MOST_IN_GRAM} are the most: use fewer axes"
            )
        most = -min((block for word in words for block in word), default=0)  # determinants
        if n ** (m // 2) * math.factorial(n if most else 1) ** most >= 2**62:
            raise LimitError(
                f"the inner products of diagrams on {m} axes at size {n} do not fit into 64 bits: use fewer axes or a smaller size"
            )
        partner = numpy.array([_partners(word) for word in words], dtype=numpy.int64).reshape(len(words), m)
        slot = numpy.array([_slots(word) for word in words], dtype=numpy.int64).reshape(len(words), m)
        taken = (slot >= 0).sum(1)
        sign = numpy.array([(-1) ** _crossings(word) for word in words], dtype=numpy.int64)
        power = numpy.array([n**k for k in range(m + 1)], dtype=numpy.int64)
        gram = numpy.zeros((len(words), len(words)), dtype=numpy.int64)
        for i in range(len(words)):
            like = numpy.flatnonzero(taken == taken[i])
            loops = _components(partner[i], partner[like])
            if taken[i]:
                gram[i, like] = (
                    _through(partner[i], slot[i], partner[like], slot[like], n)
                    * power[numpy.maximum(loops - taken[i], 0)]
                )
            elif self.name == "Sp":
                gram[i, like] = sign[i] * sign[like] * (-1) ** (m // 2) * power[loops] * (-1) ** loops
            else:
                gram[i, like] = power[loops]
        return gram


EVERY_SET = Family("S")


# --- Words -------------------------------------------------------------------------------------------------------------------


def _partners(word: Word) -> list[int]:
    """Of every axis the other one of its pair; of those in a block of the determinant, itself."""
    return [
        axis if block < 0 else next(i for i, b in enumerate(word) if b == block and i != axis)
        for axis, block in enumerate(word)
    ]


def _slots(word: Word) -> list[int]:
    """The places of the axes of the determinant's blocks in the order of these; -1 for others."""
    inside = sorted((axis for axis, block in enumerate(word) if block < 0), key=lambda axis: (-word[axis], axis))
    return [inside.index(axis) if block < 0 else -1 for axis, block in enumerate(word)]


def _crossings(word: Word) -> int:
    partner = _partners(word)
    ends = [(i, j) for i, j in enumerate(partner) if i < j]
    return sum(a < c < b < d for a, b in ends for c, d in ends)


def _coarser(word: Word) -> list[tuple[Word, int]]:
    """The words of the partitions that are properly coarser, with the Moebius function between."""
    blocks = max(word, default=-1) + 1
    found = []
    for merged in EVERY_SET.words((0,) * blocks):
        if max(merged, default=-1) + 1 < blocks:
            sizes = [merged.count(b) for b in set(merged)]
            found.append(
                (tuple(merged[b] for b in word), math.prod((-1) ** (s - 1) * math.factorial(s - 1) for s in sizes))
            )
    return found


# --- Pairs of diagrams laid upon each other ------------------------------------------------------------------------------------


def _components(one: Integers, many: Integers) -> Integers:
    """How many components the graph of the edges of one diagram and of each of many has."""
    m = many.shape[1]
    label = numpy.broadcast_to(numpy.arange(m), many.shape).copy()
    while m:
        new = numpy.minimum(label, label[:, one])
        new = numpy.minimum(new, numpy.take_along_axis(new, many, 1))
        if (new == label).all():
            break
        label = new
    return numpy.asarray((label == numpy.arange(m)).sum(1), dtype=numpy.int64)


def _through(one: Integers, slots: Integers, many: Integers, ends: Integers, n: int) -> Integers:
    """The determinants of one diagram contracted with those of each of many, along the paths from the axes of the first
    to those of the others; 0 where a path comes back."""
    start = slots >= 0
    order = numpy.argsort(slots)[int((~start).sum()) :]
    at = numpy.broadcast_to(order, (len(many), len(order))).copy()
    alive = numpy.ones(len(many), dtype=bool)
    while True:
        arrived = numpy.take_along_axis(ends, at, 1) >= 0
        if (arrived | ~alive[:, None]).all():
            break
        across = numpy.take_along_axis(many, at, 1)
        alive &= (arrived | ~start[across]).all(1)
        at = numpy.where(arrived | ~alive[:, None], at, one[across])
    kinds, kind = numpy.unique(numpy.take_along_axis(ends, at, 1)[alive], axis=0, return_inverse=True)
    values = numpy.zeros(len(many), dtype=numpy.int64)
    if alive.any():
        values[alive] = numpy.array([_contracted(tuple(map(int, line)), n) for line in kinds], dtype=numpy.int64)[
            kind.reshape(-1)
        ]
    return values


@functools.lru_cache(maxsize=4096)
def _contracted(to: Word, n: int) -> int:
    """The product of determinants' tensors with as many others, axis i of the first, n for each of them, joined to axis
    to[i] of the others: n! times the sum over the orders of all but the first."""
    total = 0
    for others in itertools.product(itertools.permutations(range(n)), repeat=len(to) // n - 1):
        order = [*range(n), *itertools.chain.from_iterable(others)]
        there = [0] * len(to)
        for i, place in enumerate(to):
            there[place] = order[i]
        blocks = [part[at : at + n] for part in (order, there) for at in range(0, len(to), n)]
        if all(len(set(block)) == n for block in blocks):
            total += (-1) ** sum(sum(a > b for a, b in itertools.combinations(block, 2)) for block in blocks)
    return math.factorial(n) * total


# --- Linear algebra ------------------------------------------------------------------------------------------------------------


def _solve(a: Any, b: Any) -> list[list[Fraction]]:
    """The x with a x = b, for exact matrices of which a is invertible."""
    x = Matrix(a).solve(Matrix(b))
    if x is None:
        raise InternalError("elements of a basis are dependent")
    lines: list[list[Any]] = x.tolist()
    return [[Fraction(value) for value in line] for line in lines]


def coordinates(elements: Sequence[Matrix], entries: Callable[[int, int], Sequence[int]]) -> list[list[Fraction]]:
    """[element][matrix]: matrices in the span of independent exact elements, in their coordinates. entries(row, column)
    are those of the matrices, and are asked for at as few places as there are elements."""
    at: dict[tuple[int, int], dict[int, Fraction]] = {}
    for p, element in enumerate(elements):
        for row, column, value in element.entries():
            if not isinstance(value, (int, Fraction)):
                raise DomainError(f"the element {p} has the entry {value}, and elements must be rational here")
            at.setdefault((row, column), {})[p] = Fraction(value)
    reduced: dict[int, dict[int, Fraction]] = {}
    places = []
    for place, line in at.items():
        left = dict(line)
        for pivot, known in reduced.items():
            factor = left.get(pivot)
            if factor:
                for p, c in known.items():
                    left[p] = left.get(p, Fraction(0)) - factor * c
        lead = next((p for p, c in left.items() if c), None)
        if lead is not None:
            reduced[lead] = {p: c / left[lead] for p, c in left.items() if c}
            places.append(place)
            if len(places) == len(elements):
                break
    square = [[at[place].get(p, Fraction(0)) for p in range(len(elements))] for place in places]
    return _solve(square, [entries(*place) for place in places])


def axes_of(name: str, value: int | str) -> str:
    """The word of a number of axes, or of a word."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return "a" * value
    if isinstance(value, str) and re.fullmatch(r"([^\W\d_][*+]?)*", value):
        return value
    raise DomainError(
        f"{name} is a number of axes or a word with a letter for the set of each, such as 'ui', not {value!r}"
    )


def families_of(group: str | Mapping[str, str], letters: Sequence[str]) -> tuple[Family, ...]:
    """The family of every letter."""
    if not isinstance(group, Mapping):
        return (Family.parse(group),) * len(letters)
    unknown = [letter for letter in group if letter not in letters]
    if unknown:
        raise DomainError(
            f"there is no axis {unknown[0]!r} in this layer to act on; its letters are {', '.join(letters)}"
        )
    return tuple(Family.parse(group[letter]) if letter in group else EVERY_SET for letter in letters)
