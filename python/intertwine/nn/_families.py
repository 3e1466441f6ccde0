"""Which diagrams a group has on the axes of its vector space, for every size at once; and what is true of them at one size, exactly.

A diagram on m axes is a word: the number of every axis's block, in the order in which they first occur. Symmetric groups S(n) have all
partitions of the axes (Jones 1994), signed permutations B(n) those into blocks of even size, O(n) and Sp(n) those into pairs (Brauer 1937), GL(n) and
U(n) pairs of a vector and a dual axis (Turaev 1989; Koike 1989), SO(n) those of O(n) and beside them pairs with one block of n axes that carries the
determinant; that block has the number -1.

Diagrams on many axes are dependent where n is small (second fundamental theorem). At one size they are looked at by their inner products, which are
signs times powers of n, one for every loop of two diagrams laid upon each other. Their rank modulo a prime is a lower bound of their rank, and
characters say how many equivariant maps there are: where both agree, the diagrams chosen are a basis, and there is no other map.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy

from .. import DomainError, InternalError, LimitError, Matrix, partitions

__all__ = ["EVERY_SET", "Family", "Word", "coordinates"]

Word = tuple[int, ...]
_Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]

_PRIME = 2**31 - 1
_MOST_IN_GRAM = 6000
_NAMES = "S(n), B(n), O(n), SO(3), Sp(n), GL(n) and U(n)"


@dataclass(frozen=True)
class Family:
    """A series of groups, or one of it: size is None for every size."""

    name: str
    size: int | None = None

    @classmethod
    def parse(cls, text: str) -> Family:
        """Of S(n), O(3), B4 and their kin."""
        found = re.fullmatch(r"(S|B|O|SO|Sp|GL|U)(?:\((n|\d{1,9})\)|(n|\d{1,9}))", text) if isinstance(text, str) else None
        if found is None:
            raise DomainError(f"there are diagrams for {_NAMES}, with a number instead of n for one size; not for {text!r}")
        name, size = found[1], found[2] or found[3]
        family = cls(name, None if size == "n" else int(size))
        if name == "SO" and family.size is None:
            raise DomainError("the determinant of SO(n) is a diagram on n axes, so that its layers are for one n: say which, as in 'SO(3)'")
        if family.size is not None:
            family.check(family.size)
        return family

    def __str__(self) -> str:
        return f"{self.name}({'n' if self.size is None else self.size})"

    def check(self, n: int) -> None:
        if n < 1 or self.name == "Sp" and n % 2:
            least = "even and at least 2" if self.name == "Sp" else "at least 1"
            raise DomainError(f"{self.name}({n}) is no group here: the size must be {least}")

    @property
    def pairs(self) -> bool:
        return self.name not in ("S", "B")

    @property
    def has_duals(self) -> bool:
        return self.name in ("GL", "U")

    # --- Diagrams ------------------------------------------------------------------------------------------------------------

    def count(self, signs: Word) -> int:
        """How many diagrams there are on axes with these signs (of vectors 1, of duals -1; those of inputs negated), without making them."""
        m = len(signs)
        if self.name == "S":
            return _bell(m)
        if self.name == "B":
            return _even(m)
        if self.has_duals:
            return math.factorial(m // 2) if sum(signs) == 0 else 0
        count = _matchings(m)
        if self.name == "SO" and self.size is not None and m >= self.size:
            count += math.comb(m, self.size) * _matchings(m - self.size)
        return count

    @functools.lru_cache(maxsize=256)
    def words(self, signs: Word) -> tuple[Word, ...]:
        """The diagrams in lexicographic order."""
        m = len(signs)
        if not self.pairs:
            words: list[Word] = [()]
            for at in range(m):
                words = [(*word, block) for word in words for block in range(max(word, default=-1) + 2)]
                if self.name == "B":  # blocks of odd size need an axis more
                    words = [word for word in words if sum(word.count(b) % 2 for b in set(word)) <= m - 1 - at]
            return tuple(words)
        opposite = self.has_duals
        found = [tuple(word) for word in _pairings(tuple(range(m)), [0] * m, 0, signs if opposite else None)]
        if self.name == "SO" and self.size is not None:
            for chosen in itertools.combinations(range(m), self.size):
                rest = tuple(axis for axis in range(m) if axis not in chosen)
                found += [tuple(word) for word in _pairings(rest, [-1] * m, 0, None)]
        return tuple(sorted(found))

    # --- One size ------------------------------------------------------------------------------------------------------------

    def dimension(self, signs: Word, n: int) -> int:
        """How many independent equivariant maps there are at size n, counted by characters: without any diagram.

        V^(x)m has f^lambda copies of the Schur functor of lambda, f^lambda the number of standard tableaux, and the group has an invariant in it where
        lambda has at most n rows and: rows of even lengths for O(n), rows of lengths of one parity for SO(n) (n rows if they are odd), columns of
        even lengths for Sp(n); for GL(n) those of the vectors are paired with those of the duals (Weyl 1946). For permutations: orbits, by Burnside.
        """
        m = len(signs)
        if self.name == "S":
            return sum(_stirling(m, blocks) for blocks in range(min(m, n) + 1))
        if self.name == "B":
            return sum(_even_into(m, blocks) for blocks in range(min(m, n) + 1))
        if self.has_duals:
            return 0 if sum(signs) else sum(p.degree**2 for p in partitions(m // 2, max_length=n))
        total = 0
        for p in partitions(m, max_length=n):
            rows = list(p)
            even = all(row % 2 == 0 for row in rows)
            if self.name == "Sp":
                good = all(column % 2 == 0 for column in p.conjugate())
            else:
                good = even or self.name == "SO" and len(rows) == n and all(row % 2 for row in rows)
            if good:
                total += p.degree
        return total

    def independent(self, signs: Word, n: int) -> bool:
        """Are all diagrams independent at size n, because it is large enough?"""
        m = len(signs)
        if self.name == "SO":
            return self.dimension(signs, n) == self.count(signs)
        blocks = m if self.name in ("S", "Sp") else m // 2
        return n >= blocks

    @functools.lru_cache(maxsize=64)
    def basis(self, signs: Word, n: int) -> dict[Word, None]:
        """Diagrams that are a basis of the equivariant maps at size n, in order: proved by their rank and the count of characters."""
        words = self.words(signs)
        dimension = self.dimension(signs, n)
        if self.independent(signs, n):
            chosen = words
        elif not self.pairs:  # a diagram is the sum of the orbits of coarser ones; those of at most n blocks have entries
            chosen = tuple(word for word in words if max(word, default=-1) < n)
        else:
            pivots = _pivots(self._gram(signs, n) % _PRIME)
            chosen = tuple(words[i] for i in pivots)
        if len(chosen) != dimension:
            raise InternalError(f"{len(chosen)} diagrams of {self.name}({n}) on {len(signs)} axes are independent, and characters count {dimension} maps")
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
            # The orbit of a word with more than n blocks has no entries; it is the alternating sum of the coarser diagrams.
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

    def _gram(self, signs: Word, n: int) -> _Integers:
        """Inner products of all pairs of diagrams as matrices: exact integers, in a common order of words()."""
        words, m = self.words(signs), len(signs)
        if len(words) > _MOST_IN_GRAM:
            raise LimitError(f"relations among {len(words)} diagrams of {self.name}({n}) were asked for, and {_MOST_IN_GRAM} are the most: use fewer axes")
        if n ** (m // 2) * math.factorial(self.size or 1 if self.name == "SO" else 1) >= 2**62:
            raise LimitError(f"the inner products of diagrams on {m} axes at size {n} do not fit into 64 bits: use fewer axes or a smaller size")
        partner = numpy.array([_partners(word) for word in words], dtype=numpy.int64).reshape(len(words), m)
        special = numpy.array([[block == -1 for block in word] for word in words], dtype=bool).reshape(len(words), m)
        sign = numpy.array([(-1) ** _crossings(word) for word in words], dtype=numpy.int64)
        power = numpy.array([n**k for k in range(m // 2 + 1)], dtype=numpy.int64)
        gram = numpy.zeros((len(words), len(words)), dtype=numpy.int64)
        for i in range(len(words)):
            like = numpy.flatnonzero(special.any(1) == special[i].any()) if m else numpy.arange(len(words))
            loops = _components(partner[i], partner[like])
            if m and special[i].any():
                order = _through(partner[i], special[i], partner[like], special[like])
                n_here = int(special[i].sum())
                gram[i, like] = math.factorial(n_here) * order * power[numpy.maximum(loops - n_here, 0)]
            elif self.name == "Sp":
                gram[i, like] = sign[i] * sign[like] * (-1) ** (m // 2) * power[loops] * (-1) ** loops
            else:
                gram[i, like] = power[loops]
        return gram


EVERY_SET = Family("S")


# --- Counting ----------------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _stirling(m: int, blocks: int) -> int:
    if m == 0 or blocks == 0:
        return int(m == blocks)
    return blocks * _stirling(m - 1, blocks) + _stirling(m - 1, blocks - 1)


@functools.lru_cache(maxsize=None)
def _even_into(m: int, blocks: int) -> int:
    """Partitions of m axes into this many blocks of even size, by the block of the last one."""
    if m == 0 or blocks == 0:
        return int(m == blocks)
    return sum(math.comb(m - 1, size - 1) * _even_into(m - size, blocks - 1) for size in range(2, m + 1, 2))


def _bell(m: int) -> int:
    return sum(_stirling(m, blocks) for blocks in range(m + 1))


def _even(m: int) -> int:
    return sum(_even_into(m, blocks) for blocks in range(m // 2 + 1))


def _matchings(m: int) -> int:
    return 0 if m % 2 else math.prod(range(1, m, 2))


# --- Words -------------------------------------------------------------------------------------------------------------------


def _pairings(axes: Word, word: list[int], number: int, signs: Word | None) -> list[list[int]]:
    """All ways to pair these axes, those of opposite signs if there are any; the others keep what the word has."""
    if not axes:
        return [word.copy()]
    found = []
    first, *others = axes
    for other in others:
        if signs is None or signs[first] != signs[other]:
            word[first] = word[other] = number
            found += _pairings(tuple(axis for axis in others if axis != other), word, number + 1, signs)
    return found


def _partners(word: Word) -> list[int]:
    """Of every axis the other one of its pair; of those in the block of the determinant, itself."""
    return [axis if block == -1 else next(i for i, b in enumerate(word) if b == block and i != axis) for axis, block in enumerate(word)]


def _crossings(word: Word) -> int:
    partner = _partners(word)
    ends = [(i, j) for i, j in enumerate(partner) if i < j]
    return sum(a < c < b < d for a, b in ends for c, d in ends)


def _coarser(word: Word) -> list[tuple[Word, int]]:
    """The words of the partitions that are properly coarser, with the Moebius function between."""
    blocks = max(word, default=-1) + 1
    found = []
    for merged in EVERY_SET.words((1,) * blocks):
        if max(merged, default=-1) + 1 < blocks:
            sizes = [merged.count(b) for b in set(merged)]
            found.append((tuple(merged[b] for b in word), math.prod((-1) ** (s - 1) * math.factorial(s - 1) for s in sizes)))
    return found


# --- Pairs of diagrams laid upon each other ------------------------------------------------------------------------------------


def _components(one: _Integers, many: _Integers) -> _Integers:
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


def _through(one: _Integers, start: numpy.ndarray, many: _Integers, ends: numpy.ndarray) -> _Integers:
    """The sign of the order in which paths from the determinant's axes of one diagram come to those of each of many; 0 where one comes back."""
    at = numpy.broadcast_to(numpy.flatnonzero(start), (len(many), int(start.sum()))).copy()
    alive = numpy.ones(len(many), dtype=bool)
    while True:
        arrived = numpy.take_along_axis(ends, at, 1)
        if (arrived | ~alive[:, None]).all():
            break
        across = numpy.take_along_axis(many, at, 1)
        alive &= (arrived | ~start[across]).all(1)
        at = numpy.where(arrived | ~alive[:, None], at, one[across])
    inversions = sum((at[:, i] > at[:, j]).astype(numpy.int64) for i, j in itertools.combinations(range(at.shape[1]), 2))
    return numpy.where(alive, 1 - 2 * (inversions % 2), 0)


# --- Linear algebra ------------------------------------------------------------------------------------------------------------


def _pivots(a: _Integers) -> list[int]:
    """The first columns that are independent modulo the prime."""
    a = a.copy()
    row, pivots = 0, []
    for column in range(a.shape[1]):
        found = numpy.flatnonzero(a[row:, column])
        if not len(found):
            continue
        a[[row, row + found[0]]] = a[[row + found[0], row]]
        a[row, column:] = a[row, column:] * pow(int(a[row, column]), -1, _PRIME) % _PRIME
        below = row + 1 + numpy.flatnonzero(a[row + 1 :, column])
        a[below, column:] = (a[below, column:] - a[below, column, None] * a[row, column:]) % _PRIME
        row += 1
        pivots.append(column)
    return pivots


def _solve(a: _Integers, b: _Integers) -> list[list[Fraction]]:
    """The x with a x = b for an invertible integer matrix: modulo the prime, lifted to fractions, and multiplied out; where the numbers are too large
    for that, by elimination over the fractions."""
    size, columns = b.shape
    full = numpy.concatenate((a, b), 1) % _PRIME
    for i in range(size):
        at = i + int(numpy.flatnonzero(full[i:, i])[0])
        full[[i, at]] = full[[at, i]]
        full[i] = full[i] * pow(int(full[i, i]), -1, _PRIME) % _PRIME
        others = numpy.flatnonzero(full[:, i])
        others = others[others != i]
        full[others] = (full[others] - full[others, i, None] * full[i]) % _PRIME
    lifted = {value: _lift(value) for value in map(int, numpy.unique(full[:, size:]))}
    x = [[lifted[int(value)] for value in line] for line in full[:, size:]]
    exact = a.astype(object)
    for column in range(columns):
        entries = [line[column] for line in x]
        common = math.lcm(*(f.denominator for f in entries)) if entries else 1
        scaled = numpy.array([f.numerator * (common // f.denominator) for f in entries], dtype=object)
        if any(exact @ scaled - common * b[:, column].astype(object)):
            return _eliminate(a, b)
    return x


def _lift(value: int) -> Fraction:
    """The fraction with small numerator and denominator that is this value modulo the prime (Wang 1981)."""
    bound = math.isqrt(_PRIME // 2)
    r, s, t, u = _PRIME, value, 0, 1
    while s > bound:
        q = r // s
        r, s, t, u = s, r - q * s, u, t - q * u
    return Fraction(s, u)


def _eliminate(a: Sequence[Sequence[Any]] | _Integers, b: Sequence[Sequence[Any]] | _Integers) -> list[list[Fraction]]:
    size = len(a)
    lines = [[Fraction(v) if isinstance(v, Fraction) else Fraction(int(v)) for v in (*a[i], *b[i])] for i in range(size)]
    for i in range(size):
        at = next(k for k in range(i, size) if lines[k][i])
        lines[i], lines[at] = lines[at], lines[i]
        lines[i] = [v / lines[i][i] for v in lines[i]]
        for k in range(size):
            if k != i and lines[k][i]:
                factor = lines[k][i]
                lines[k] = [v - factor * w for v, w in zip(lines[k], lines[i])]
    return [line[size:] for line in lines]


def coordinates(elements: Sequence[Matrix], entries: Callable[[int, int], Sequence[int]]) -> list[list[Fraction]]:
    """[element][matrix]: matrices in the span of independent exact elements, in their coordinates. entries(row, column) are those of the matrices, and
    are asked for at as few places as there are elements."""
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
    return _eliminate(square, [entries(*place) for place in places])
