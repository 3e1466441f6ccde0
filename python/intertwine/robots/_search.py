"""Rotations and reflections of a base that take a tree of links to itself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy

from .. import DomainError
from ._tree import Array, Joint, Tree

__all__ = [
    "Found",
    "candidates",
    "composed",
    "cosine",
    "differences_of_details",
    "matched",
    "named",
    "place_of",
    "require_closed",
]

LOOSE = 0.1
"""What is looked at: pairs of links that differ by no more than a tenth of the size, the mass or the inertia."""


@dataclass(frozen=True)
class _Motion:
    """x -> R (x - c) + c."""

    R: Array
    centre: Array

    def __call__(self, point: Array) -> Array:
        return numpy.asarray(self.R @ (point - self.centre) + self.centre)


@dataclass(frozen=True)
class Found:
    """How a rotation or reflection moves a robot."""

    name: str
    """In words, such as "mirror y" for y -> -y."""
    rotation: Array
    """What it does to vectors in the frame of the base [3, 3]."""
    joints: tuple[int, ...]
    """Where joint i goes, counted from 1, with the sign that its coordinate gets."""
    links: tuple[int, ...]
    """Where link i goes, counted from 0, the base."""
    error: float
    """The largest difference of axes, beside the size of the robot."""
    mass_error: float
    """The largest difference of masses, of centres of mass beside the size of the robot, of inertias and armatures."""
    differences: tuple[str, ...]
    """What partners do not share of these, the largest first."""


def named(R: Array) -> str:
    """A rotation or reflection in words."""
    det = 1 if numpy.linalg.det(R) > 0 else -1
    diagonal = numpy.diag(R)
    if numpy.allclose(R, numpy.diag(numpy.sign(diagonal)), atol=1e-6):
        back = [name for name, value in zip("xyz", diagonal) if value < 0]
        if len(back) == 2:
            return f"half turn about {next(name for name in 'xyz' if name not in back)}"
        return ["identity", f"mirror {back[0] if back else ''}", "", "inversion"][len(back)]
    turn = det * R
    angle = math.degrees(math.acos(min(1.0, max(-1.0, (numpy.trace(turn) - 1) / 2))))
    if angle < 180 - 1e-3:
        axis = numpy.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    else:  # half a turn: the matrix is 2 a a^T - 1
        column = (turn + numpy.eye(3))[:, numpy.argmax(numpy.diag(turn))]
        axis = column * numpy.sign(column[numpy.argmax(abs(column) > 1e-6)])
    axis = axis / numpy.linalg.norm(axis)
    said = "(" + ", ".join(f"{x:.3g}" for x in numpy.where(abs(axis) < 1e-6, 0.0, axis)) + ")"
    if det < 0 and angle > 180 - 1e-3:
        return f"mirror with normal {said}"
    return f"turn by {angle:.4g} degrees about {said}{' with the inversion' if det < 0 else ''}"


def cosine(value: float, tolerance: float) -> tuple[int, int] | None:
    """a / b of the cosine of a turn by a / b that a number is, b at most 48; None if there is none."""
    for b in (1, 2, 3, 4, 6, 8, 12, 5, 10, 20, *range(7, 49)):
        a = round(math.acos(min(1.0, max(-1.0, value))) / (2 * math.pi) * b)
        if abs(math.cos(2 * math.pi * a / b) - value) <= tolerance:
            return a, b
    return None


def _snapped(R: Array, tolerance: float) -> Array | None:
    """The orthogonal matrix of exact cosines that is near; None if its entries are none."""
    found = numpy.zeros((3, 3))
    for i, j in itertools.product(range(3), repeat=2):
        place = cosine(R[i, j], tolerance)
        if place is None:
            return None
        found[i, j] = math.cos(2 * math.pi * place[0] / place[1])
    return found if numpy.allclose(found @ found.T, numpy.eye(3), atol=1e-9) else None


def _features(tree: Tree) -> list[tuple[str, float, Array]]:
    """Vectors that a symmetry permutes: centres of mass with their masses, and axes up to signs; the axes of the base
    last, for trees that lie in a plane or on a line."""
    found: list[tuple[str, float, Array]] = []
    for k, link in enumerate(tree.links):
        if (k or tree.floating) and link.mass:
            found.append(("centre", link.mass, (link.centre - tree.centre) / tree.size))
    for link in tree.links:
        if link.joint is not None:
            found.append((link.joint.kind, 1.0, link.joint.axis))
    return found + [("coordinate", 1.0, axis) for axis in numpy.eye(3)]


def candidates(tree: Tree, up: Array | None) -> Iterator[Array]:
    """Orthogonal matrices that may be symmetries, by three independent features and where they may go; mirrors and half
    turns about the axes of the base too. Those that move `up` are left out."""
    features = _features(tree)

    def images(feature: tuple[str, float, Array]) -> list[Array]:
        kind, weight, v = feature
        there = [
            w for other, of, w in features
            if other == kind and abs(of - weight) <= LOOSE * weight and abs(numpy.linalg.norm(w) - numpy.linalg.norm(v)) <= LOOSE
        ]  # fmt: skip
        return there if kind == "centre" else [s * w for w in there for s in (1, -1)]

    possible = [(len(images(f)), f) for f in features if numpy.linalg.norm(f[2]) > 0.02]
    basis: list[tuple[str, float, Array]] = []
    for kinds in (("centre",), ("revolute", "prismatic"), ("coordinate",)):
        for _, f in sorted((p for p in possible if p[1][0] in kinds), key=lambda p: p[0]):
            V = numpy.array([g[2] / numpy.linalg.norm(g[2]) for g in (*basis, f)])
            if len(basis) < 3 and numpy.linalg.svd(V, compute_uv=False)[-1] > 0.1:
                basis.append(f)
    V = numpy.array([f[2] for f in basis]).T
    tried = [numpy.diag(signs).astype(float) for signs in itertools.product((1, -1), repeat=3)]
    for image in itertools.product(*(images(f) for f in basis)):
        W = numpy.array(image).T
        if abs(W.T @ W - V.T @ V).max() <= LOOSE:
            left, _, right = numpy.linalg.svd(W @ numpy.linalg.inv(V))
            tried.append(left @ right)
    seen: list[Array] = []
    for R in tried:
        if up is not None and abs(R @ up - up).max() > LOOSE or any(abs(R - other).max() < 0.05 for other in seen):
            continue
        seen.append(R)
        snapped = _snapped(R, 0.05)
        if snapped is not None and any(abs(snapped - other).max() < 1e-6 for other in seen[:-1]):
            continue
        seen.append(R if snapped is None else snapped)
        yield seen[-1]


class _Apart(Exception):
    """Something has no partner; the sentence says what."""


_Defect = tuple[float, bool, str]  # how large, of masses?, what


@dataclass(frozen=True)
class _Pairs:
    """Partners of some links with the signs of their joints, and how they differ."""

    images: tuple[tuple[int, int, int], ...]  # link, partner, sign
    defects: tuple[_Defect, ...]

    def __add__(self, other: _Pairs) -> _Pairs:
        return _Pairs(self.images + other.images, self.defects + other.defects)

    def largest(self, of_masses: bool) -> float:
        return max((error for error, masses, _ in self.defects if masses == of_masses), default=0.0)


def matched(tree: Tree, R: Array, tolerance: float) -> list[Found] | str:
    """Where links and joints go, with the largest difference; or what has no partner. There are several ways where
    links stand in the same place."""
    move = _Motion(R, tree.centre)
    below: list[list[int]] = [[] for _ in tree.links]
    for k, link in enumerate(tree.links[1:], 1):
        below[link.parent].append(k)

    def pair(i: int, j: int, sign: int) -> list[_Pairs]:
        here = _Pairs(((i, j, sign),), ())  # how they differ is said of the fitted motion
        return [here + rest for rest in children(below[i], below[j])]

    def children(left: list[int], free: list[int]) -> list[_Pairs]:
        if not left:
            if free:
                raise _Apart(f"the joint {_joint(tree, free[0]).name} has no partner")
            return [_Pairs((), ())]
        first = left[0]
        scored = sorted((_apart(tree, move, first, other), other) for other in free)
        if not scored or scored[0][0] > LOOSE:
            raise _Apart(f"the joint {_joint(tree, first).name} has no partner")
        ways: list[_Pairs] = []
        said = ""
        for score, other in scored:
            if score > max(tolerance, scored[0][0]):
                break
            try:
                here = pair(first, other, _sign(R, _joint(tree, first), _joint(tree, other)))
                rest = children(left[1:], [k for k in free if k != other])
            except _Apart as apart:
                said = said or str(apart)
                continue
            ways += [a + b for a in here for b in rest]
            if len(ways) > 1000:
                raise DomainError(f"{tree.name} has more than 1000 ways to exchange links that stand in the same place")
        if not ways:
            raise _Apart(said)
        return ways

    try:
        ways = pair(0, 0, 1)
    except _Apart as apart:
        return str(apart)
    number = {tree.of_joint[name]: k for k, name in enumerate(tree.order, 1)}
    found: list[Found] = []
    for rough in ways:
        way = _fitted(tree, move, rough)
        images = {i: (j, sign) for i, j, sign in way.images}
        joints = tuple(images[k][1] * number[images[k][0]] for k in (tree.of_joint[name] for name in tree.order))
        if said := _of_mimics(tree, joints):
            if len(ways) == 1:
                return said
            continue
        links = tuple(images[k][0] for k in range(len(tree.links)))
        moves = any(k != image for k, image in enumerate(links)) and numpy.allclose(R, numpy.eye(3))
        name = "exchange of links in one place" if moves else named(R)
        worst: dict[str, float] = {}  # a pair of partners is there twice
        for error, _, what in sorted(way.defects, reverse=True):
            if error > 1e-9:
                worst.setdefault(what, error)
        said_all = tuple(f"{what} differs by {error:.1e}" for what, error in worst.items())
        found.append(Found(name, R, joints, links, way.largest(False), way.largest(True), said_all))
    return sorted(found, key=lambda f: max(f.error, f.mass_error))


def _fitted(tree: Tree, move: _Motion, pairs: _Pairs) -> _Pairs:
    """The same partners, with the fixed point that suits the axes best: masses that differ do not move it."""
    rows, missing = [numpy.zeros((1, 3))], [numpy.zeros(1)]
    for i, j, _ in pairs.images:
        if i and _joint(tree, i).kind == "revolute":
            across = numpy.eye(3) - numpy.outer(_joint(tree, j).axis, _joint(tree, j).axis)
            rows.append(across @ (numpy.eye(3) - move.R))
            missing.append(across @ (_joint(tree, j).position - move(_joint(tree, i).position)))
    left, values, right = numpy.linalg.svd(numpy.concatenate(rows), full_matrices=False)
    known = values > 1e-3  # what no axis says stays
    step = right[known].T @ ((left.T @ numpy.concatenate(missing))[known] / values[known])
    fitted = _Motion(move.R, move.centre + step)
    return _Pairs(pairs.images, tuple(d for i, j, _ in pairs.images for d in _defects(tree, fitted, i, j)))


def _joint(tree: Tree, k: int) -> Joint:
    joint = tree.links[k].joint
    assert joint is not None
    return joint


def _defects(tree: Tree, move: _Motion, i: int, j: int) -> Iterator[_Defect]:
    """How two links and their joints differ."""
    a, b = tree.links[i], tree.links[j]
    if i or tree.floating:
        for error, what in _differences(tree, move, i, j):
            yield error, True, f"{what} of {_said('link', a.name, b.name)}"
    if i:
        one, other = _joint(tree, i), _joint(tree, j)
        said = _said("joint", one.name, other.name)
        yield _lines(tree, move, one, other), False, f"the axis of {said}"
        if heavier := max(one.armature, other.armature):
            yield abs(one.armature - other.armature) / heavier, True, f"the armature of {said}"


def _of_mimics(tree: Tree, joints: tuple[int, ...]) -> str:
    """The fault of joints that follow others, in words; empty if partners are tied to each other as these are,
    whichever of them is said to follow."""
    followed = {a: (b, c, offset) for a, b, c, offset in tree.mimics}

    def leader(name: str) -> tuple[str, float, float]:
        """Whom a joint follows in the end, and the factor and the offset."""
        factor, offset = 1.0, 0.0
        for _ in followed:
            if name not in followed:
                break
            name, c, more = followed[name]
            factor, offset = factor * c, factor * more + offset
        return name, factor, offset

    for child, of, factor, offset in tree.mimics:
        i, k = (joints[tree.order.index(name)] for name in (child, of))
        one, other = (leader(tree.order[abs(n) - 1]) for n in (i, k))
        expected = factor * numpy.sign(i) * numpy.sign(k)
        slope, shift = one[1] - expected * other[1], one[2] - expected * other[2] - numpy.sign(i) * offset
        if one[0] != other[0] or max(abs(slope), abs(shift)) > 1e-6:
            return f"the joint {child} follows {of}, and its partner does not follow the partner of that"
    return ""


def _said(what: str, name: str, other: str) -> str:
    first, second = sorted((name, other))
    return f"{what} {name}" if name == other else f"{what}s {first} and {second}"


def _differences(tree: Tree, move: _Motion, i: int, j: int) -> list[tuple[float, str]]:
    a, b = tree.links[i], tree.links[j]
    if not max(a.mass, b.mass):
        return []
    least = 1e-6 * max(link.mass for link in tree.links)  # lighter ones move nothing
    inertia = max(abs(a.inertia).max(), abs(b.inertia).max(), least * tree.size**2)
    return [
        (abs(a.mass - b.mass) / max(a.mass, b.mass, least), "the mass"),
        (float(numpy.linalg.norm(move(a.centre) - b.centre)) / tree.size, "the centre of mass"),
        (float(abs(move.R @ a.inertia @ move.R.T - b.inertia).max() / inertia), "the inertia"),
    ]


def _lines(tree: Tree, move: _Motion, a: Joint, b: Joint) -> float:
    """How far the axis of one joint is from that of another; a prismatic joint has a direction only."""
    apart = float(numpy.linalg.norm(numpy.cross(move.R @ a.axis, b.axis)))
    if a.kind == "prismatic":
        return apart
    away = (move(a.position) - b.position) / tree.size
    return max(apart, float(numpy.linalg.norm(numpy.cross(away, b.axis))))


def _apart(tree: Tree, move: _Motion, i: int, j: int) -> float:
    """How little two links look like partners: infinite for joints of two kinds."""
    a, b = tree.links[i].joint, tree.links[j].joint
    assert a is not None and b is not None
    if a.kind != b.kind:
        return math.inf
    centres = numpy.linalg.norm(move(tree.links[i].centre) - tree.links[j].centre) / tree.size
    return max(_lines(tree, move, a, b), float(centres) if tree.links[i].mass and tree.links[j].mass else 0.0)


def _sign(R: Array, a: Joint, b: Joint) -> int:
    """What the coordinate is multiplied by: a turn about an axis is that about its image, backwards for reflections."""
    turns = 1.0 if a.kind == "prismatic" else numpy.linalg.det(R)
    return 1 if turns * float((R @ a.axis) @ b.axis) > 0 else -1


def differences_of_details(tree: Tree, found: Found, tolerance: float) -> Iterator[str]:
    """Limits, damping and others that partners do not share: these are no part of the mass matrix."""
    for i, image in enumerate(found.joints):
        a, b = (tree.links[tree.of_joint[tree.order[k]]].joint for k in (i, abs(image) - 1))
        assert a is not None and b is not None
        for key in sorted({*a.details, *b.details}):
            x, y = a.details.get(key), b.details.get(key)
            if isinstance(x, tuple) and image < 0:
                x = (-x[1], -x[0])
            scale = max(
                (abs(v) for v in numpy.ravel([v for v in (x, y) if v is not None]) if math.isfinite(v)), default=1.0
            )
            same = x is not None and y is not None and all(
                p == q or abs(p - q) <= tolerance * scale for p, q in zip(numpy.ravel(x), numpy.ravel(y))
            )  # fmt: skip
            if not same and a.name <= b.name:
                yield f"{found.name}: {_said('joint', a.name, b.name)} differ in {key}, {_shown(a.details.get(key))} and {_shown(b.details.get(key))}"


def _shown(value: float | tuple[float, float] | None) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else f"({value[0]:g}, {value[1]:g})"


def composed(a: Found, b: Found) -> tuple[Array, tuple[int, ...]]:
    """The rotation and the joints of a after b."""
    joints = tuple(a.joints[abs(k) - 1] * (1 if k > 0 else -1) for k in b.joints)
    return a.rotation @ b.rotation, joints


def place_of(R: Array, joints: tuple[int, ...], symmetries: Sequence[Found]) -> int | None:
    """Which symmetry it is; None if it is none."""
    for k, s in enumerate(symmetries):
        if s.joints == joints and abs(s.rotation - R).max() < 0.05:
            return k
    return None


def require_closed(symmetries: Sequence[Found], tolerance: float) -> None:
    """DomainError if the product of two symmetries is none of them."""
    for a, b in itertools.product(symmetries, repeat=2):
        R, joints = composed(a, b)
        if place_of(R, joints, symmetries) is None:
            raise DomainError(
                f"{a.name} and {b.name} are symmetries within the tolerance {tolerance:g}, and their product, {named(R)},"
                " is none: give a smaller or a larger tolerance"
            )
