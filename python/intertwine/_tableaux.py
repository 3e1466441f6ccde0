"""Semistandard tableaux as first rows of Specht modules in polynomials, and the means of their products over S_n.

Monomials of one kind of exponents are a permutation module of S_n, whose maps from a Specht module are given by
semistandard tableaux with exponents as letters [James 1978]. A tableau A has the first row f_A = C R x^A, with the sum
R over the arrangements of its rows and the signed sum C over permutations of its columns. The mean of f_A f_B over S_n is
a combination of few monomial symmetric functions.

Up to |C| it is the mean of the monomials x^A' · σ x^B' over S_n, summed over the arrangements A' and B' of the rows and
over σ in C, with the sign of σ. A column of the shape takes the exponents a of A' and b of B' to the determinant of the
matrix with the entries [a_r, b_s], pairs of exponents of one variable. So a product of determinants counts what pairs
there are, but for the boxes of the first row below which there is none, where multinomial coefficients do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any, NamedTuple

Exponents = tuple[int, ...]
Shape = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]  # of the exponents of every variable in two monomials, sorted, without (0, 0)
Counts = dict[Pairs, int]


class Filling(NamedTuple):
    """A semistandard tableau. Its smallest letter, which fills the rest of the first row, is left out there."""

    bulk: int
    rows: tuple[tuple[int, ...], ...]

    def content(self, shape: Shape) -> tuple[int, ...]:
        """All letters but 0."""
        letters = [letter for row in self.rows for letter in row]
        return (*letters, *[self.bulk] * (sum(shape) - len(letters) if self.bulk else 0))


EMPTY = Filling(0, ())


def shapes(size: int, cost: int) -> Iterator[Shape]:
    """The partitions of a number for which the sum of (i - 1) λ_i is at most the cost, the trivial one first."""

    def below(most: int, left: int, i: int) -> Iterator[Shape]:
        yield ()
        for part in range(1, min(most, left // i) + 1):
            for rest in below(part, left - i * part, i + 1):
                yield (part, *rest)

    if size == 0:
        yield ()
        return
    for lower in sorted(below(size, cost, 1), key=lambda rows: (sum(rows), [-x for x in rows])):
        if sum(lower) + (lower[0] if lower else 0) <= size:
            yield (size - sum(lower), *lower)


def fillings(shape: Shape, letters: Sequence[int], weight: int) -> list[Filling]:
    """The semistandard tableaux of a shape whose letters sum up to the weight at most."""
    if not shape:
        return [EMPTY] if weight >= 0 else []
    bulk, step = letters[0], letters[1] - letters[0] if len(letters) > 1 else weight + 1
    width = shape[1] if len(shape) > 1 else 0
    found: list[Filling] = []

    def lower(rows: tuple[tuple[int, ...], ...], above: tuple[int, ...], left: int) -> None:
        if len(rows) == len(shape):
            found.append(Filling(bulk, rows))
            return

        def fill(row: tuple[int, ...], left: int) -> None:
            if len(row) == shape[len(rows)]:
                lower((*rows, row), row, left)
                return
            for letter in letters:
                if letter > above[len(row)] and (not row or letter >= row[-1]) and letter <= left:
                    fill((*row, letter), left - letter)

        fill((), left)

    spare = weight - bulk * shape[0]
    for count in range(min(shape[0], max(spare, -1) // step) + 1):
        for first in combinations_with_replacement(letters[1:], count):
            left = spare - sum(first) + bulk * count
            if left < 0:
                continue
            small = min(width, shape[0] - count)
            lower((first,), (bulk,) * small + first[: width - small], left)
    return found


def orders(letters: Counter[int], length: int) -> Iterator[tuple[int, ...]]:
    """The lists of so many of the letters, each once."""
    if length == 0:
        yield ()
        return
    for letter in sorted(letters):
        if letters[letter]:
            letters[letter] -= 1
            for rest in orders(letters, length - 1):
                yield (letter, *rest)
            letters[letter] += 1


Arrangement = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]  # columns, what is left of the first row


def arrangements(shape: Shape, filling: Filling) -> list[Arrangement]:
    """The orders of the rows of a tableau, as columns of several boxes with different letters, and the letters of the
    first row that are in none of them, without the smallest one."""
    if not shape:
        return [((), ())]
    width = shape[1] if len(shape) > 1 else 0
    bulk, rows = filling
    found: list[Arrangement] = []

    def stack(columns: tuple[tuple[int, ...], ...], r: int, tail: tuple[int, ...]) -> None:
        if r == len(rows):
            found.append((columns, tail))
            return
        for row in orders(Counter(rows[r]), len(rows[r])):
            if all(letter not in column for letter, column in zip(row, columns)):
                taller = tuple((*c, row[k]) if k < len(row) else c for k, c in enumerate(columns))
                stack(taller, r + 1, tail)

    first = Counter(rows[0])
    first[bulk] += shape[0] - len(rows[0])
    for row in orders(first, width):
        left = Counter(rows[0])
        left.subtract(letter for letter in row if letter != bulk)
        stack(tuple((letter,) for letter in row), 1, tuple(sorted(left.elements())))
    return found


def times(p: Counts, q: Counts) -> Counts:
    found: Counts = {}
    for a, x in p.items():
        for b, y in q.items():
            key = tuple(sorted(a + b))
            found[key] = found.get(key, 0) + x * y
    return {key: x for key, x in found.items() if x}


@cache
def _column(a: tuple[int, ...], b: tuple[int, ...]) -> Counts:
    """The determinant of the matrix of the pairs [a_r, b_s]."""
    found: Counts = {}
    for order in permutations(range(len(a))):
        sign = (-1) ** sum(order[i] > order[j] for j in range(len(order)) for i in range(j))
        key = tuple(sorted((a[r], b[s]) for r, s in enumerate(order) if a[r] or b[s]))
        found[key] = found.get(key, 0) + sign
    return {key: x for key, x in found.items() if x}


@cache
def _loose(boxes: int, bulks: tuple[int, int], a: tuple[int, ...], b: tuple[int, ...]) -> Counts:
    """The ways in which the letters of two lists, and the smallest ones elsewhere, meet in boxes of a row."""
    ours, theirs = sorted(Counter(a).items()), sorted(Counter(b).items())
    found: Counts = {}

    def close(met: dict[tuple[int, int], int], left: list[int]) -> None:
        pairs = {**met, **{(bulks[0], letter): k for (letter, _), k in zip(theirs, left) if k}}
        rest = boxes - sum(pairs.values())
        if rest < 0:
            return
        ways = prod(range(rest + 1, boxes + 1))
        for k in pairs.values():
            ways //= factorial(k)
        if any(bulks) and rest:
            pairs[bulks] = rest
        key = tuple(sorted(pair for pair, k in pairs.items() for _ in range(k)))
        found[key] = found.get(key, 0) + ways

    def meet(i: int, j: int, met: dict[tuple[int, int], int], left: list[int], free: int) -> None:
        """Letter i of a, of which `free` are left, has met those before letter j of b; `left` are those of b that have
        met none."""
        if i == len(ours):
            close(met, left)
        elif j == len(theirs):
            more = {**met, (ours[i][0], bulks[1]): free} if free else met
            meet(i + 1, 0, more, left, ours[i + 1][1] if i + 1 < len(ours) else 0)
        else:
            for k in range(min(free, left[j]) + 1):
                pair = (ours[i][0], theirs[j][0])
                meet(i, j + 1, {**met, pair: k} if k else met, [*left[:j], left[j] - k, *left[j + 1 :]], free - k)

    meet(0, 0, {}, [k for _, k in theirs], ours[0][1] if ours else 0)
    return found


class Tableaux:
    """What the tableaux of one shape give: the pairs of exponents in the mean of f_A f_B, with their signs."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.boxes = shape[0] - (shape[1] if len(shape) > 1 else 0) if shape else 0
        self._arranged: dict[Filling, list[Arrangement]] = {}
        self._known: dict[tuple[Filling, Filling], Counts] = {}

    def _of(self, filling: Filling) -> list[Arrangement]:
        if filling not in self._arranged:
            self._arranged[filling] = arrangements(self.shape, filling)
        return self._arranged[filling]

    def counts(self, A: Filling, B: Filling) -> Counts:
        """The signed number of the ways in which pairs of exponents come about."""
        if (A, B) in self._known:
            return self._known[A, B]
        if (B, A) in self._known:
            return transposed(self._known[B, A])
        # Columns of one length may be exchanged: of A one order of them is enough.
        ours: Counter[Arrangement] = Counter(
            (tuple(sorted(columns, key=lambda c: (-len(c), c))), tail) for columns, tail in self._of(A)
        )
        by_tails: dict[tuple[tuple[int, ...], tuple[int, ...]], Counts] = {}
        for (columns, tail), count in ours.items():
            for others, other_tail in self._of(B):
                part: Counts = {(): count}
                for a, b in zip(columns, others):
                    part = times(part, _column(a, b))
                sums = by_tails.setdefault((tail, other_tail), {})
                for key, x in part.items():
                    sums[key] = sums.get(key, 0) + x
        found: Counts = {}
        for (tail, other_tail), sums in by_tails.items():
            for key, x in times(sums, _loose(self.boxes, (A.bulk, B.bulk), tail, other_tail)).items():
                found[key] = found.get(key, 0) + x
        found = {key: x for key, x in found.items() if x}
        self._known[A, B] = found
        return found


def transposed(counts: dict[Pairs, Any]) -> dict[Pairs, Any]:
    """The same with the two monomials exchanged."""
    return {tuple(sorted((b, a) for a, b in key)): x for key, x in counts.items()}


def specht_dimension(shape: Shape) -> int:
    """The dimension of a Specht module, by the rows below the first one [Frame, Robinson & Thrall 1954]."""
    if not shape:
        return 1
    lower, n = shape[1:], sum(shape)
    k = sum(lower)
    first = prod(n - (lower[i] if i < len(lower) else 0) - k + 1 + i for i in range(k))
    return first * specht_dimension(lower) // factorial(k)


# --- Symmetric functions ----------------------------------------------------------------------------------------------


def orbit_size(n: int, letters: Sequence[Any]) -> int:
    """How many ways there are to give the letters to n variables."""
    ways = prod(range(n - len(letters) + 1, n + 1))
    for k in Counter(letters).values():
        ways //= factorial(k)
    return ways


@cache
def monomial_product(n: int, a: Exponents, b: Exponents) -> tuple[tuple[Exponents, int], ...]:
    """The product of two monomial symmetric functions of n variables."""
    width = min(n, len(a) + len(b))
    first = (*a, *(0,) * (width - len(a)))
    second = Counter((*b, *(0,) * (width - len(b))))
    count: Counter[Exponents] = Counter()
    for order in orders(second, width):
        count[tuple(sorted((x + y for x, y in zip(first, order) if x + y), reverse=True))] += 1
    orbit = orbit_size(width, a)
    return tuple((key, k * orbit // orbit_size(width, key)) for key, k in count.items())


def contents_of(n: int, degrees: range) -> list[Exponents]:
    """Exponents of these degrees in descending order."""

    def parts(total: int, most: int, length: int) -> Iterator[Exponents]:
        if total == 0:
            yield ()
            return
        for part in range(min(total, most), 0, -1) if length else ():
            for rest in parts(total - part, part, length - 1):
                yield (part, *rest)

    return [key for d in degrees for key in parts(d, d, n)]
