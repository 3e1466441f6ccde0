"""Trees of rigid bodies, as files of robots describe them, and their mass matrices.

Everything is told in the frame of the base, with all joints at zero: positions of axes, centres of mass, inertias. A
symmetry then only has to move these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy

from .. import DomainError

__all__ = ["Actuator", "Array", "Joint", "Link", "Tree", "require_different", "merged", "rotation", "turned_by"]

Array = numpy.ndarray


@dataclass
class Joint:
    """A joint between a link and its parent; axis and position are in the frame of the base, all joints at zero."""

    name: str
    kind: str  # "revolute" or "prismatic"
    axis: Array
    position: Array
    armature: float = 0.0
    details: dict[str, float | tuple[float, float]] = field(default_factory=dict)
    """What is no part of the mass matrix: limits, damping, friction, stiffness, effort, velocity."""


@dataclass
class Link:
    """A rigid body: its mass, its centre of mass and its inertia about that, in the frame of the base."""

    name: str
    parent: int  # -1 for the base
    joint: Joint | None  # None for the base
    mass: float
    centre: Array
    inertia: Array


@dataclass
class Actuator:
    name: str
    joint: str
    gear: float


@dataclass
class Tree:
    """A robot: links with parents before children, the base first. Its centre and its size are computed once."""

    name: str
    links: list[Link]
    floating: bool
    order: list[str]  # the joints, as coordinates have them
    actuators: list[Actuator] = field(default_factory=list)
    mimics: list[tuple[str, str, float, float]] = field(default_factory=list)  # joint, of which, multiplier, offset
    left_out: list[str] = field(default_factory=list)  # sentences on what of the file is not looked at

    def __post_init__(self) -> None:
        self.of_joint = {link.joint.name: k for k, link in enumerate(self.links) if link.joint is not None}

    @cached_property
    def centre(self) -> Array:
        """The mean of the centres of mass, all joints at zero, which symmetries leave where it is. Every link counts
        once, so that masses that differ a little do not move it; a base that stands in the world does not count."""
        moving = [link.centre for k, link in enumerate(self.links) if (self.floating or k) and link.mass]
        return numpy.asarray(sum(moving) / len(moving))

    @cached_property
    def size(self) -> float:
        """The largest distance of a centre of mass or an axis from the centre."""
        points = [link.centre for link in self.links[0 if self.floating else 1 :]]
        points += [link.joint.position for link in self.links if link.joint is not None]
        return float(max(numpy.linalg.norm(p - self.centre) for p in points)) or 1.0

    def mass_matrix(self, q: Array) -> Array:
        """M(q), by composite rigid bodies (Walker and Orin 1982; Featherstone 2008): of the base, if it floats, rows
        and columns for its angular velocity and the velocity of its point `centre`, in its own frame, and then of the
        joints."""
        poses = self._poses(q)
        about = self.centre
        composite = [_spatial(link, *pose, about) for link, pose in zip(self.links, poses)]
        for k in range(len(self.links) - 1, 0, -1):
            composite[self.links[k].parent] += composite[k]
        first = 6 if self.floating else 0
        place = {self.of_joint[name]: first + i for i, name in enumerate(self.order)}
        M = numpy.zeros((first + len(self.order),) * 2)
        if self.floating:
            M[:6, :6] = composite[0]
        motions = {k: _motion(self.links[k], *poses[k], about) for k in place}
        for k, i in place.items():
            force = composite[k] @ motions[k]
            if self.floating:
                M[:6, i] = M[i, :6] = force
            at = k
            while at > 0:
                M[place[at], i] = M[i, place[at]] = motions[at] @ force
                at = self.links[at].parent
            joint = self.links[k].joint
            assert joint is not None
            M[i, i] += joint.armature
        return M

    def centre_of_mass(self, q: Array) -> Array:
        """In the frame of the base, without a base that stands in the world."""
        moving = range(0 if self.floating else 1, len(self.links))
        poses = self._poses(q)
        mass = sum(self.links[k].mass for k in moving)
        total = sum(self.links[k].mass * (poses[k][0] @ self.links[k].centre + poses[k][1]) for k in moving)
        return numpy.asarray(total / mass)

    def _poses(self, q: Array) -> list[tuple[Array, Array]]:
        """For each link how it has moved since all joints were at zero, x -> A x + b."""
        value = dict(zip(self.order, q))
        poses: list[tuple[Array, Array]] = []
        for link in self.links:
            if link.joint is None:
                poses.append((numpy.eye(3), numpy.zeros(3)))
                continue
            A, b = poses[link.parent]
            joint, x = link.joint, value[link.joint.name]
            if joint.kind == "prismatic":
                poses.append((A, A @ (joint.axis * x) + b))
            else:
                R = turned_by(joint.axis, x)
                poses.append((A @ R, A @ (joint.position - R @ joint.position) + b))
        return poses


def _spatial(link: Link, A: Array, b: Array, about: Array) -> Array:
    """The inertia of a moved link as a quadratic form of (angular velocity, velocity of the point)."""
    r = A @ link.centre + b - about
    cross = numpy.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    found = numpy.zeros((6, 6))
    found[:3, :3] = A @ link.inertia @ A.T + link.mass * cross @ cross.T
    found[:3, 3:] = link.mass * cross
    found[3:, :3] = found[:3, 3:].T
    found[3:, 3:] = link.mass * numpy.eye(3)
    return found


def _motion(link: Link, A: Array, b: Array, about: Array) -> Array:
    """What the joint of a moved link does to (angular velocity, velocity of the point)."""
    joint = link.joint
    assert joint is not None
    axis = A @ joint.axis
    if joint.kind == "prismatic":
        return numpy.concatenate([numpy.zeros(3), axis])
    return numpy.concatenate([axis, numpy.cross(A @ joint.position + b - about, axis)])


def turned_by(axis: Array, angle: float) -> Array:
    """The rotation about a unit vector (Rodrigues)."""
    x, y, z = axis
    K = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.asarray(numpy.eye(3) + numpy.sin(angle) * K + (1 - numpy.cos(angle)) * K @ K)


def rotation(roll: float, pitch: float, yaw: float) -> Array:
    """The rotation by fixed axes x, y, z, one after the other."""
    x, y, z = numpy.eye(3)
    return numpy.asarray(turned_by(z, yaw) @ turned_by(y, pitch) @ turned_by(x, roll))


def merged(parts: Sequence[tuple[float, Array, Array]]) -> tuple[float, Array, Array]:
    """Mass, centre and inertia of bodies that are fixed to each other."""
    mass = sum(m for m, _, _ in parts)
    if not mass:
        return 0.0, numpy.zeros(3), numpy.zeros((3, 3))
    centre = numpy.asarray(sum(m * c for m, c, _ in parts) / mass)
    inertia = numpy.zeros((3, 3))
    for m, c, own in parts:
        d = c - centre
        inertia += own + m * (d @ d * numpy.eye(3) - numpy.outer(d, d))
    return float(mass), centre, inertia


def require_different(where: str, names: Sequence[str], what: str) -> None:
    """DomainError for a name that stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DomainError(f"{where} has two {what} of the name {name!r}: every one has a name of its own")
        seen.add(name)
