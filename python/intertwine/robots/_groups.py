"""The group of the symmetries of a robot by a name that people know, and its representations with exact matrices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy

from .. import DomainError, Group, Representation
from ._search import Found, composed, cosine, place_of
from ._tree import Array

__all__ = ["group_of", "representation", "signed"]


def _known(R: Array, joints: tuple[int, ...], found: Sequence[Found]) -> int:
    place = place_of(R, joints, found)
    assert place is not None  # they are closed under products
    return place


class _Table:
    """Products of symmetries."""

    def __init__(self, found: Sequence[Found]) -> None:
        self.product = [[_known(*composed(a, b), found) for b in found] for a in found]
        self.one = next(k for k, row in enumerate(self.product) if row[k] == k)

    def order(self, g: int) -> int:
        power, n = g, 1
        while power != self.one:
            power, n = self.product[power][g], n + 1
        return n

    def generated(self, gens: Sequence[int]) -> set[int]:
        reached = [self.one]
        for a in reached:
            reached += [c for c in dict.fromkeys(self.product[a][b] for b in gens) if c not in reached]
        return set(reached)

    def commute(self, a: int, b: int) -> bool:
        return self.product[a][b] == self.product[b][a]

    def inverts(self, s: int, r: int) -> bool:
        """Is s r s the inverse of r?"""
        return self.product[self.product[self.product[s][r]][s]][r] == self.one


def group_of(found: Sequence[Found]) -> tuple[Group, list[Found]]:
    """The group, and the symmetries that its generators are: C_n, D_n, and products with C2 where they are one."""
    t, n = _Table(found), len(found)
    if n == 1:
        return Group("C1"), []
    # Mirrors first: they are what people know of a robot.
    every = sorted(range(n), key=lambda k: (numpy.linalg.det(found[k].rotation) > 0, k))
    order = {k: t.order(k) for k in every}
    twos = [k for k in every if order[k] == 2]
    for r in every:
        if order[r] == n:
            return Group(f"C{n}"), [found[r]]
    if all(o <= 2 for o in order.values()):
        chosen: list[int] = []
        for k in twos:
            if k not in t.generated(chosen):
                chosen.append(k)
        return Group(" x ".join(["C2"] * len(chosen))), [found[k] for k in chosen]
    for r, s in itertools.product(every, twos):
        if 2 * order[r] == n and s not in t.generated([r]):
            if t.inverts(s, r):
                return Group(f"D{n // 2}"), [found[r], found[s]]
            if t.commute(r, s):
                return Group(f"C{n // 2} x C2"), [found[r], found[s]]
    for r, s, c in itertools.product(every, twos, twos):
        if (
            4 * order[r] == n
            and t.inverts(s, r)
            and t.commute(c, r)
            and t.commute(c, s)
            and len(t.generated([r, s, c])) == n
        ):
            return Group(f"D{n // 4} x C2"), [found[k] for k in (r, s, c)]
    chosen = []
    for k in sorted(every, key=lambda k: -order[k]):
        if k not in t.generated(chosen):
            chosen.append(k)
    cycles = [_cycles([t.product[g][k] for k in range(n)]) for g in chosen]
    return Group(f"<{','.join(cycles)}>"), [found[k] for k in chosen]


def _cycles(images: Sequence[int]) -> str:
    left, text = set(range(len(images))), ""
    while left:
        k = min(left)
        cycle = []
        while k in left:
            left.remove(k)
            cycle.append(str(k + 1))
            k = images[k]
        text += f"({','.join(cycle)})" if len(cycle) > 1 else ""
    return text or "()"


def signed(group: Group, images: Sequence[Sequence[int]], n: int) -> Representation:
    """Signed permutations of n coordinates, one for each generator."""
    if not images:
        return group.rep(f"{n}*trivial")
    return group.rep(f"rep([{','.join('[' + ','.join(map(str, image)) + ']' for image in images)}])")


def representation(group: Group, generators: Sequence[Found]) -> Representation:
    """On vectors of the base: signed permutations where they are, otherwise matrices of cosines. DomainError if the
    entries are none."""
    if not generators:
        return group.rep("3*trivial")
    exact = []
    for g in generators:
        rows = [[cosine(x, 1e-6) for x in row] for row in g.rotation]
        if any(place is None for row in rows for place in row):
            entries = "; ".join(" ".join(f"{x:.4f}" for x in row) for row in g.rotation)
            raise DomainError(
                f"the {g.name} has the matrix [{entries}] in the frame of the base, whose entries are no cosines of parts"
                " of a turn: turn the frame of the root so that its axes are those of the robot"
            )
        exact.append([[_text(*place) for place in row if place is not None] for row in rows])
    if all(text in ("0", "1", "-1") for matrix in exact for row in matrix for text in row):
        images = []
        for matrix in exact:
            at = [next((i, row[j]) for i, row in enumerate(matrix) if row[j] != "0") for j in range(3)]
            images.append([-(i + 1) if text == "-1" else i + 1 for i, text in at])
        return signed(group, images, 3)
    return group.matrix_rep(exact)


def _text(a: int, b: int) -> str:
    """The cosine of a turn by a / b, exactly."""
    known = {(0, 1): "1", (1, 2): "-1", (1, 4): "0", (3, 4): "0", (1, 3): "-1/2", (1, 6): "1/2"}
    return known.get((a, b)) or f"1/2*E({b})^{a % b}+1/2*E({b})^{-a % b}"
