"""The points of representations of products of finite with continuous groups: what finite factors permute, as S5 does
in perm # vector of S5 x O(3)."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import Group, Representation
from .._features import Entries
from .._kinds import is_classical, is_finite_group

__all__ = ["Entries", "has_points", "points_of", "scalars_of", "together"]


def together(n: int, matrices: Sequence[Sequence[tuple[int, int, Any]]]) -> list[list[int]]:
    """The finest sets of n coordinates that no matrix connects, in order."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for entries in matrices:
        for row, col, _ in entries:
            a, b = root(row), root(col)
            parent[max(a, b)] = min(a, b)
    sets: dict[int, list[int]] = {}
    for i in range(n):
        sets.setdefault(root(i), []).append(i)
    return list(sets.values())


def has_points(V: Representation) -> bool:
    """Is the group a product of finite and of continuous factors?"""
    return is_classical(V) and any(is_finite_group(factor) for factor in V.group.factors)


class Points(NamedTuple):
    """The points of a block that finite factors permute: the coordinates of each, numbered in the block, the matrices on
    one of them, and for each generator of a finite factor where it takes the points."""

    sets: list[list[int]]
    matrices: tuple[Entries, ...]
    moves: tuple[tuple[int, ...], ...]


def _is_of_finite_factor(V: Representation) -> list[bool]:
    """For each generator of a product: is it one of a finite factor?"""
    found: list[bool] = []
    for factor in V.group.factors:
        finite = is_finite_group(factor)
        found += [finite] * len(factor.generators if finite else factor.generator_names)
    return found


def points_of(V: Representation, matrices: tuple[Entries, ...], n: int) -> Points | None:
    """The points of a block of n coordinates. None where no finite factor alone permutes sets of coordinates that the
    continuous ones keep together: in std # vector, and perm # perm # vector."""
    finite = _is_of_finite_factor(V)
    sets = together(n, [() if of_finite else entries for entries, of_finite in zip(matrices, finite)])
    if len(sets) == 1:
        return None
    place = {i: (p, k) for p, those in enumerate(sets) for k, i in enumerate(those)}
    moves = []
    for entries, of_finite in zip(matrices, finite):
        if not of_finite:
            continue
        if len(entries) != n or any(value != 1 or place[row][1] != place[col][1] for row, col, value in entries):
            return None
        move = [-1] * len(sets)
        for row, col, _ in entries:
            (to, _), (at, _) = place[row], place[col]
            if move[at] not in (-1, to):
                return None
            move[at] = to
        moves.append(tuple(move))
    if len(_moving(V, moves)) != 1:
        return None
    on_one: list[list[list[tuple[int, int, Any]]]] = [[[] for _ in matrices] for _ in sets]
    for g, (entries, of_finite) in enumerate(zip(matrices, finite)):
        for row, col, value in () if of_finite else entries:
            on_one[place[col][0]][g].append((place[row][1], place[col][1], value))
    first = on_one[0]
    places = [[{(row, col): value for row, col, value in own} for own in other] for other in on_one]
    if any(other != places[0] for other in places):
        return None
    size = len(sets[0])
    unit = tuple((i, i, 1) for i in range(size))
    return Points(sets, tuple(unit if f else tuple(own) for f, own in zip(finite, first)), tuple(moves))


def _moving(V: Representation, moves: Sequence[tuple[int, ...]]) -> list[int]:
    """The finite factors, by number, that move points."""
    rest, found = list(moves), []
    for k, factor in enumerate(V.group.factors):
        if is_finite_group(factor):
            own, rest = rest[: len(factor.generators)], rest[len(factor.generators) :]
            if any(move != tuple(range(len(move))) for move in own):
                found.append(k)
    return found


def scalars_of(V: Representation, kinds: Sequence[Any], each: Callable[[Any], int] = lambda kind: 1) -> Any:
    """The representation of so many numbers for each block, in the order of these kinds of a structure: trivial, and
    permutations of points."""
    found: list[tuple[int, Any]] = []
    for kind in kinds:
        count = each(kind)
        if not count:
            continue
        moved = kind.points > 1
        one = _permutation_of(V, kind, count) if moved else V.group.rep("trivial")
        number = kind.orbits if moved else kind.copies * count
        if found and found[-1][1] == one:
            number += found.pop()[0]
        found.append((number, one))
    return functools.reduce(operator.add, (one if number == 1 else number * one for number, one in found))


def _permutation_of(V: Representation, kind: Any, count: int) -> Representation:
    """The representation that permutes the points of a kind, with so many trivial numbers at each."""
    (moving,) = _moving(V, kind.moves)
    finite = [factor for factor in V.group.factors[:moving] if is_finite_group(factor)]
    at = sum(len(factor.generators) for factor in finite)
    word = _word_of(V.group.factors[moving], kind.moves[at : at + len(V.group.factors[moving].generators)])
    words = ["trivial"] * len(V.group.factors)
    words[moving] = word if count == 1 else f"({word}*({count}*trivial))"
    return V.group.rep(" # ".join(words))


def _word_of(factor: Group, moves: Sequence[tuple[int, ...]]) -> str:
    """How a finite group permutes points, as it is written."""
    points = range(len(moves[0]))
    for word in ("perm", "regular") if factor.order == len(points) else ("perm",):
        R = factor.rep(word)
        if R.dimension == len(points):
            images = [{col: row for row, col, _ in R.matrix(g).entries()} for g in factor.generators]
            if all(image[i] == move[i] for image, move in zip(images, moves) for i in points):
                return word
    return factor.permutation_rep([list(move) for move in moves]).expression
