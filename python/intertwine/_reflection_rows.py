"""The copies of irreducible representations of S_n, B_n and D_n in polynomials, by first rows that are orthogonal.

The sign changes in B_n and D_n tell which exponents are odd: their irreducible representations have a shape for each of
two sets of variables, one with even letters and one with odd ones. In D_n the two sets may change places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt

from ._errors import LimitError
from ._tableaux import (
    EMPTY,
    Counts,
    Exponents,
    Filling,
    Pairs,
    Shape,
    Tableaux,
    contents_of,
    fillings,
    shapes,
    specht_dimension,
    times,
    transposed,
)

Row = tuple[Filling, Filling]  # on the two sets of variables

MOST_PRODUCTS = 100_000  # of two tableaux of one shape


@dataclass
class Copies:
    """The copies of an irreducible representation in the monomials up to some degree."""

    name: str
    dimension: int
    shapes: tuple[Shape, Shape]  # of the two sets of variables
    sign: int  # not 0 for equal shapes: first rows are f(x, y) + sign f(y, x)
    rows: list[Row]  # the tableaux of every copy
    contents: list[Exponents]  # the exponents of their monomials, in descending order
    combined: list[dict[int, Fraction]]  # first rows that are orthogonal, as combinations of those of tableaux
    counts: dict[tuple[int, int], dict[Pairs, Fraction]]  # of these rows i <= j


@dataclass
class Kind:
    """An irreducible representation, and the tableaux of its copies."""

    name: str
    dimension: int
    shapes: tuple[Shape, Shape]
    sign: int
    rows: list[Row]


def _copies(kind: Kind) -> Copies:
    from ._core import poll_limits

    rows, sign = kind.rows, kind.sign
    first, second = map(Tableaux, kind.shapes)
    raw: dict[tuple[int, int], Counts] = {}
    for j, (A, B) in enumerate(rows):
        for i, (C, D) in enumerate(rows[: j + 1]):
            poll_limits()
            counts = times(first.counts(C, A), second.counts(D, B))
            if sign:
                for key, count in times(first.counts(C, B), second.counts(D, A)).items():
                    counts[key] = counts.get(key, 0) + sign * count
            raw[i, j] = {key: count for key, count in counts.items() if count}
            raw[j, i] = transposed(raw[i, j])
    contents = [tuple(sorted((*A.content(first.shape), *B.content(second.shape)), reverse=True)) for A, B in rows]
    inner = {at: sum(k for key, k in counts.items() if all(a == b for a, b in key)) for at, counts in raw.items()}
    combined: list[dict[int, Fraction]] = []
    norms: list[Fraction] = []
    for j in range(len(rows)):
        own = {j: Fraction(1)}
        for i in range(j):
            if contents[i] != contents[j]:
                continue
            factor = sum((x * inner[k, j] for k, x in combined[i].items()), Fraction(0)) / norms[i]
            for k, x in combined[i].items():
                own[k] = own.get(k, Fraction(0)) - factor * x
        own = {k: x for k, x in own.items() if x}
        norm = sum((x * y * inner[k, m] for k, x in own.items() for m, y in own.items()), Fraction(0))
        # A power of 2 makes the norm one between 1 and 4.
        scale = Fraction(1, 1 << (isqrt(int(norm)).bit_length() - 1)) if norm >= 1 else Fraction(1)
        combined.append({k: x * scale for k, x in own.items()})
        norms.append(norm * scale**2)
    counts_of: dict[tuple[int, int], dict[Pairs, Fraction]] = {}
    for j, right in enumerate(combined):
        poll_limits()
        for i, left in enumerate(combined[: j + 1]):
            sums: dict[Pairs, Fraction] = {}
            for k, x in left.items():
                for m, y in right.items():
                    for key, z in raw[k, m].items():
                        sums[key] = sums.get(key, Fraction(0)) + x * y * z
            counts_of[i, j] = {key: x for key, x in sums.items() if x}
    return Copies(kind.name, kind.dimension, kind.shapes, sign, rows, contents, combined, counts_of)


def _text(shape: Shape) -> str:
    return f"[{','.join(map(str, shape))}]"


def irreducible(group: str, n: int, weight: int) -> Iterator[Kind]:
    """The irreducible representations in the monomials up to a degree, the trivial one first."""
    if group == "S":
        for shape in shapes(n, weight):
            rows = [(A, EMPTY) for A in fillings(shape, range(weight + 1), weight)]
            yield Kind(_text(shape), specht_dimension(shape), (shape, ()), 0, rows)
        return
    even, odd = range(0, weight + 2, 2), range(1, weight + 2, 2)

    def both(letters: Sequence[int], shape: Shape, others: Sequence[int], other: Shape) -> list[Row]:
        return [
            (A, B)
            for A in fillings(shape, letters, weight)
            for B in fillings(other, others, weight - sum(A.content(shape)))
        ]

    for size in range(n // 2 + 1 if group == "D" else min(n, weight) + 1):
        if min(size, n - size) > weight:
            break  # neither set of variables may have odd exponents
        for shape in shapes(n - size, weight):
            for other in shapes(size, weight):
                rows = both(even, shape, odd, other)
                pair = shape, other
                dimension = comb(n, size) * specht_dimension(shape) * specht_dimension(other)
                if group == "B":
                    yield Kind(f"({_text(shape)},{_text(other)})", dimension, pair, 0, rows)
                    continue
                name = "{" + f"{_text(shape)},{_text(other)}" + "}"
                if shape == other:
                    yield Kind(name + "+", dimension // 2, pair, 1, rows)
                    yield Kind(name + "-", dimension // 2, pair, -1, rows)
                elif 2 * size < n or shape > other:
                    yield Kind(name, dimension, pair, 0, rows + both(odd, shape, even, other))


def all_copies(group: str, n: int, weight: int) -> list[Copies]:
    """Those of all irreducible representations. LimitError before the work where they are too many."""
    from ._core import poll_limits

    found, count = [], len(contents_of(min(n, weight), range(weight + 1))) ** 2 if weight < 30 else MOST_PRODUCTS + 1
    if count <= MOST_PRODUCTS // 5:  # the trivial one alone
        count = 0
        for kind in irreducible(group, n, weight):
            poll_limits()
            count += len(kind.rows) ** 2
            if kind.rows:
                found.append(kind)
    else:
        count = MOST_PRODUCTS + 1
    if count > MOST_PRODUCTS:
        raise LimitError(
            f"sos() would multiply over {MOST_PRODUCTS} pairs of tableaux for a polynomial of degree {2 * weight}, and "
            f"multiplies at most {MOST_PRODUCTS}; lower the degree or the level"
        )
    return [_copies(kind) for kind in found]
