"""Means over groups: all elements of a finite one, rules that are exact up to a degree, or random elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from . import DomainError, Group
from ._elements import (
    MOST_WORDS,
    AnyRepresentation,
    ContinuousElement,
    Part,
    parts_of,
    random_element,
    turns_twice,
    words_of,
)
from ._kinds import is_finite_group
from ._membership import Letter

__all__ = ["Mean", "mean"]

_MOST = 1 << 20
_MOST_NODES = 1 << 16  # of a rule that is chosen without being asked for
_RANDOM = 256


class Mean(NamedTuple):
    """Elements with weights whose mean is 1, and words for them."""

    elements: list[Any]
    weights: NDArray[Any] | None  # None where they are all the same
    exact: bool
    words: str


def mean(
    G: Group,
    representations: Sequence[AnyRepresentation],
    count: int | None,
    degree: int | None,
    seed: int,
) -> Mean:
    """The elements of a mean over the group: all of them, a rule that is exact up to a degree, or random ones."""
    if is_finite_group(G):
        return _mean_of_finite(G, count, degree, seed)
    for part in parts_of(G):
        if part.kind == "other" and part.algebra:
            raise DomainError(
                f"{part.group.name} is not compact, so that there is no mean over it: take a compact subgroup, such as"
                " rotations, and representations of that"
            )
        if count is not None and part.kind == "finite" and words_of(part.group) is None:
            raise DomainError(
                f"{part.group.name} has {part.group.order} elements, and random ones in a product are uniform up to"
                f" {MOST_WORDS}"
            )
    if count is not None and degree is not None:
        raise DomainError("give elements=N for random elements or degree=d for a rule, not both")
    if count is None:
        rules = [_rule(part, representations, 6 if degree is None else degree) for part in parts_of(G)]
        size = math.prod(rule.size for rule in rules if rule is not None)
        if all(rule is not None for rule in rules) and size <= (_MOST_NODES if degree is None else _MOST):
            return _product(G, [rule for rule in rules if rule is not None], 6 if degree is None else degree)
        if degree is not None:
            why = f"it has {size} nodes" if all(rule is not None for rule in rules) else "there is none"
            raise DomainError(
                f"no rule of degree {degree} for {G.name} is taken, {why}: elements=N takes N random ones"
            )
        count = _RANDOM
    chosen = [random_element(G, seed * 1000003 + k) for k in range(count)]
    return Mean(chosen, None, False, f"{count} elements of {G.name}, random ones")


def _mean_of_finite(G: Group, count: int | None, degree: int | None, seed: int) -> Mean:
    if degree is not None:
        raise DomainError(f"degree is that of a rule for a continuous group, and {G.name} is finite: leave it out")
    if count is not None:
        return Mean(
            [G.random_element(seed * 1000003 + k) for k in range(count)],
            None,
            False,
            f"{count} elements of {G.name}, random ones",
        )
    if G.order > _MOST:
        raise DomainError(f"{G.name} has {G.order} elements, too many to take them all: elements=N takes N random ones")
    return Mean(list(G), None, True, f"{G.order} elements of {G.name}")


_Nodes = list[tuple[tuple[Letter, ...], float]]


class _Rule(NamedTuple):
    """A quadrature: how many nodes it has, which is looked at first, and the words and weights of these."""

    size: int
    nodes: Callable[[], _Nodes]


def _product(G: Group, rules: list[_Rule], degree: int) -> Mean:
    parts = parts_of(G)
    chosen, weights = [], []
    for nodes in itertools.product(*(rule.nodes() for rule in rules)):
        letters = [
            tuple((k + part.first, t) for k, t in letter) for part, (word, _) in zip(parts, nodes) for letter in word
        ]
        chosen.append(ContinuousElement(G, tuple(letters)))
        weights.append(math.prod(w for _, w in nodes))
    return Mean(
        chosen,
        numpy.array(weights) * len(chosen),
        True,
        f"{len(chosen)} elements of {G.name}, exact up to degree {degree}",
    )


def _rule(part: Part, representations: Sequence[AnyRepresentation], degree: int) -> _Rule | None:
    """Words and weights, exact for polynomials of this degree in entries of the defining module; None if there is no
    such rule."""
    if part.kind == "finite":
        words = words_of(part.group)
        if words is None:
            return None
        shared = words
        return _Rule(len(shared), lambda: [(tuple(((k, 1.0),) for k in word), 1 / len(shared)) for word in shared])
    if part.algebra == 0:
        rule = _Rule(1, lambda: [((), 1.0)])
    elif part.algebra == 1:  # the circle, SO(2) and U(1)
        count = degree + 1
        rule = _Rule(count, lambda: [((((0, 2 * math.pi * j / count),),), 1 / count) for j in range(count)])
    elif part.algebra == 2 and part.kind == "orthogonal":
        waves = 2 if turns_twice(part, representations) else 1
        rule = _euler(waves * degree, waves * 2 * math.pi, degree, 1)
    elif part.algebra == 2:
        # exp(t X) of SU(2) turns by 2 t. A polynomial of degree d in the entries has spins up to d/2.
        rule = _euler(degree, 2 * math.pi, degree // 2, 2)
    else:
        return None
    components = [
        tuple(((part.algebra + c, 1.0),) for c in range(part.components) if subset >> c & 1)
        for subset in range(1 << part.components)
    ]
    return _Rule(
        rule.size * len(components),
        lambda: [(word + more, w / len(components)) for word, w in rule.nodes() for more in components],
    )


def _euler(frequencies: int, period: float, spins: int, speed: int) -> _Rule:
    """exp(a X) exp(b Y) exp(c X): equidistant a and c, Gauss-Legendre in the cosine of speed * b.

    frequencies: the largest in a and c, counted in whole waves around their period. The means over a and c leave
    Legendre polynomials of that cosine, whose largest degree is `spins`."""
    count, turns = frequencies + 1, spins // 2 + 1

    def nodes() -> _Nodes:
        angles = [period * j / count for j in range(count)]
        cosines, weights = numpy.polynomial.legendre.leggauss(turns)
        middle = [(math.acos(float(u)) / speed, float(w) / 2) for u, w in zip(cosines, weights)]
        return [((((0, a),), ((1, b),), ((0, c),)), w / count**2) for a in angles for b, w in middle for c in angles]

    return _Rule(count**2 * turns, nodes)
