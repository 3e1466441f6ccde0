"""Mass, centre and inertia of the shapes that MJCF gives to bodies without an inertial."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy

from .. import DomainError
from ._tree import Array
from ._urdf import numbers

__all__ = ["mass_of_geom"]

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


def mass_of_geom(
    given: Mapping[str, str], A: Array, b: Array, pose: Callable[[Mapping[str, str]], tuple[Array, Array]], where: str
) -> tuple[float, Array, Array]:
    """In the frame of the base, of a geom in a body that stands at x -> A x + b. DomainError for shapes of other files,
    unless they have no mass."""
    kind = given.get("type", "mesh" if "mesh" in given else "sphere")
    mass = float(numbers(given["mass"], 1, where)[0]) if "mass" in given else None
    density = float(numbers(given.get("density"), 1, where, [1000.0])[0])
    if kind in ("plane", "hfield") or mass == 0 or mass is None and density == 0:
        return 0.0, numpy.zeros(3), numpy.zeros((3, 3))
    if kind not in _SIZES:
        raise DomainError(
            f"{where} has no inertial, and a geom of the type {kind!r} whose mass is in another file: give it an inertial"
        )
    size = [float(x) for x in given.get("size", "").split()]
    turn, at = pose(given)
    if "fromto" in given:
        ends = numbers(given["fromto"], 6, where)
        along = ends[3:] - ends[:3]
        length = float(numpy.linalg.norm(along))
        if not length:
            raise DomainError(f"{where} has a geom from a point to itself")
        turn, at = pose({"zaxis": " ".join(map(repr, map(float, along)))})[0], (ends[:3] + ends[3:]) / 2
        size = [size[0], length / 2] if kind in ("capsule", "cylinder") else [size[0], size[0], length / 2]
    if len(size) < _SIZES[kind] or any(x <= 0 for x in size[: _SIZES[kind]]):
        raise DomainError(
            f"{where} has a {kind} of the size {given.get('size')!r}: {_SIZES[kind]} positive numbers are expected"
        )
    volume, squares = _shape(kind, size)
    m = volume * density if mass is None else mass
    x, y, z = (m * s for s in squares)
    turned = A @ turn
    return m, A @ at + b, turned @ numpy.diag([y + z, x + z, x + y]) @ turned.T


def _shape(kind: str, size: list[float]) -> tuple[float, tuple[float, float, float]]:
    """The volume, and the means of the squares of the coordinates."""
    if kind == "box":
        x, y, z = size[:3]
        return 8 * x * y * z, (x * x / 3, y * y / 3, z * z / 3)
    if kind in ("sphere", "ellipsoid"):
        x, y, z = size[:3] if kind == "ellipsoid" else size[:1] * 3
        return 4 / 3 * math.pi * x * y * z, (x * x / 5, y * y / 5, z * z / 5)
    r, h = size[:2]
    tube, across, along = 2 * math.pi * r * r * h, r * r / 4, h * h / 3
    if kind == "cylinder":
        return tube, (across, across, along)
    # Two half balls at the ends: their centres are 3/8 r beyond h.
    ball = 4 / 3 * math.pi * r**3
    ends = h * h + 3 / 4 * h * r + r * r / 5
    share = ball / (tube + ball)
    across = (1 - share) * across + share * r * r / 5
    return tube + ball, (across, across, (1 - share) * along + share * ends)
