"""F- and R-symbols from the couplings of all pairs of irreducible representations, by exact linear algebra in paths."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ._core import CharacterTable, Cyclotomic, Matrix
from ._errors import InternalError

__all__ = [
    "Block",
    "Maps",
    "Number",
    "Vertex",
    "blocks_of",
    "columns_of",
    "conjugate",
    "couplings_of",
    "exchange_of",
    "form_of",
]

Number = Any  # int, Fraction, Cyclotomic or Surd
Vertex = tuple[int, int, int]
"""An object and a copy of it in the product below, and a copy of the result in the product above."""
Block = dict[tuple[Vertex, Vertex], Number]
Vector = dict[tuple[int, int, int], Number]
Map = dict[int, list[tuple[int, int, Number]]]
"""A map from an object to a product: for each column the entries (row of the left, row of the right, value)."""


@dataclass
class Maps:
    """The couplings of all pairs of irreducible representations."""

    maps: dict[tuple[int, int, int], list[Map]]
    norms: dict[tuple[int, int, int], list[Number]]
    forms: list[list[tuple[int, int, Number]]]
    """For each object the entries of its invariant form, none where it is the identity."""


def _quotient(a: Number, b: Number) -> Number:
    """a / b, exactly for integers too."""
    found = Fraction(a) / b if isinstance(a, int) else a / b
    return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found


def conjugate(a: Number) -> Number:
    return a.conjugate() if isinstance(a, Cyclotomic) else a


def columns_of(T: Matrix, width: int) -> Map:
    columns: Map = defaultdict(list)
    for row, column, value in T.entries():
        columns[column].append((*divmod(row, width), value))
    return dict(columns)


def form_of(H: Matrix) -> list[tuple[int, int, Number]]:
    entries = list(H.entries())
    return entries if any(r != c or v != 1 for r, c, v in entries) else []


def couplings_of(table: CharacterTable) -> Maps:
    G, n = table.group, len(table)
    maps: dict[tuple[int, int, int], list[Map]] = {}
    norms: dict[tuple[int, int, int], list[Number]] = {}
    forms: list[list[tuple[int, int, Number]]] = [[] for _ in range(n)]
    linear = {table[k]: k for k in range(n) if table.degrees[k] == 1}
    for i, j in itertools.product(range(n), repeat=2):
        if table.degrees[i] == table.degrees[j] == 1:  # the map is the number 1
            e = linear[table[i] * table[j]]
            maps[i, j, e], norms[i, j, e] = [{0: [(0, 0, 1)]}], [1]
            continue
        answer = G.clebsch_gordan(i, j)
        width = answer.right_form.shape[0]
        if j == 0:
            forms[i] = form_of(answer.left_form)
        for part in answer.constituents:
            maps[i, j, part.irrep] = [columns_of(T, width) for T in part.maps]
            norms[i, j, part.irrep] = list(part.norms)
    return Maps(maps, norms, forms)


def blocks_of(
    found: Maps, fusion: dict[tuple[int, int], dict[int, int]], dimensions: list[int], i: int, j: int, k: int
) -> dict[int, Block]:
    """F^ijk_l of all l. One vector of an irreducible representation tells a map from another; the first is taken."""
    if dimensions[i] == dimensions[j] == dimensions[k] == 1:
        return _of_linear(found, fusion, i, j, k)
    left: dict[int, dict[Vertex, Vector]] = defaultdict(dict)
    for e in fusion[i, j]:
        for l in fusion[e, k]:  # noqa: E741
            for (a, T), (b, S) in itertools.product(enumerate(found.maps[i, j, e]), enumerate(found.maps[e, k, l])):
                vector: Vector = defaultdict(int)
                for x, c, u in S[0]:
                    for p, q, v in T.get(x, ()):
                        vector[p, q, c] += u * v
                left[l][e, a, b] = {at: v for at, v in vector.items() if v != 0}
    right: dict[int, dict[Vertex, Vector]] = defaultdict(dict)
    for f in fusion[j, k]:
        for l in fusion[i, f]:  # noqa: E741
            for (c, T), (d, S) in itertools.product(enumerate(found.maps[j, k, f]), enumerate(found.maps[i, f, l])):
                vector = defaultdict(int)
                for p, y, u in S[0]:
                    for q, s, v in T.get(y, ()):
                        vector[p, q, s] += u * v
                right[l][f, c, d] = {at: v for at, v in vector.items() if v != 0}
    whole = sum(n * dimensions[f] for f, n in fusion[j, k].items()) == dimensions[j] * dimensions[k]
    return {l: _block(found, (i, j, k, l), left[l], right[l], whole) for l in left}  # noqa: E741


def _of_linear(found: Maps, fusion: dict[tuple[int, int], dict[int, int]], i: int, j: int, k: int) -> dict[int, Block]:
    """F of representations of dimension 1, whose maps are numbers: there is one path on each side."""

    def number(a: int, b: int) -> tuple[int, Number]:
        c = next(iter(fusion[a, b]))
        return c, found.maps[a, b, c][0][0][0][2]

    (e, u), (f, v) = number(i, j), number(j, k)
    (l, x), (_, y) = number(e, k), number(i, f)  # noqa: E741
    one, other = u * x, v * y
    return {l: {((e, 0, 0), (f, 0, 0)): 1 if one == other else _quotient(one, other)}}


def _block(
    found: Maps, key: tuple[int, int, int, int], left: dict[Vertex, Vector], right: dict[Vertex, Vector], whole: bool
) -> Block:
    """whole: are all right paths there, so that they have to span the left ones?"""
    i, j, k, l = key  # noqa: E741
    block: Block = {}
    duals = {at: _lowered(found, (i, j, k), vector) for at, vector in right.items()}
    for one, vector in left.items():
        rest: Vector = dict(vector)
        for other, dual in duals.items():
            f, c, d = other
            value: Number = 0
            for at, v in vector.items():
                if at in dual:
                    value += dual[at] * v
            if value == 0:
                continue
            value = _quotient(value, found.norms[j, k, f][c] * found.norms[i, f, l][d])
            block[one, other] = value
            for at, v in right[other].items():
                rest[at] = rest.get(at, 0) - value * v
        if whole and any(v != 0 for v in rest.values()):
            raise InternalError(f"the paths to {l} in {i}, {j}, {k} do not span one another")
    return block


def _lowered(found: Maps, objects: tuple[int, int, int], vector: Vector) -> Vector:
    """The conjugate of the vector under the forms of its three factors: what is paired with others."""
    for place, x in enumerate(objects):
        if not found.forms[x]:
            continue
        by_column: dict[int, list[tuple[int, Number]]] = defaultdict(list)
        for row, column, value in found.forms[x]:
            by_column[column].append((row, value))
        moved: Vector = defaultdict(int)
        for at, v in vector.items():
            for row, value in by_column[at[place]]:
                moved[at[:place] + (row,) + at[place + 1 :]] += value * v  # type: ignore[index]
        vector = moved
    return {at: conjugate(v) for at, v in vector.items() if v != 0}


def exchange_of(found: Maps, i: int, j: int, e: int) -> dict[tuple[int, int], Number]:
    """R^ij_e, by the first vectors."""
    block: dict[tuple[int, int], Number] = {}
    mine = [{(q, p, 0): v for p, q, v in T[0]} for T in found.maps[i, j, e]]
    theirs = [{(p, q, 0): v for p, q, v in T[0]} for T in found.maps[j, i, e]]
    for b, vector in enumerate(theirs):
        dual = _lowered(found, (j, i, 0), vector)
        for a, one in enumerate(mine):
            value: Number = 0
            for at, v in one.items():
                if at in dual:
                    value += dual[at] * v
            if value != 0:
                block[a, b] = _quotient(value, found.norms[j, i, e][b])
    return block
