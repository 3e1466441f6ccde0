"""URDF: links, joints between them, and nothing else of it."""

from __future__ import annotations

import math
from typing import Any
from xml.etree.ElementTree import Element

import numpy

from .. import DomainError
from ._tree import Array, Joint, Link, Tree, merged, require_different, rotation

__all__ = ["from_urdf", "numbers"]

_KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
_DETAILS = (("limit", "effort"), ("limit", "velocity"), ("dynamics", "damping"), ("dynamics", "friction"))


def numbers(text: str | None, count: int, where: str, default: list[float] | None = None) -> Array:
    """So many finite numbers of an attribute."""
    if text is None and default is not None:
        return numpy.array(default, dtype=float)
    try:
        found = numpy.array([float(word) for word in (text or "").replace(",", " ").split()])
    except ValueError:
        raise DomainError(f"{where} has {text!r} where {count} numbers are expected") from None
    if len(found) != count or not numpy.isfinite(found).all():
        raise DomainError(f"{where} has {text!r} where {count} numbers are expected")
    return found


def _pose(element: Element | None, where: str) -> tuple[Array, Array]:
    origin = None if element is None else element.find("origin")
    if origin is None:
        return numpy.eye(3), numpy.zeros(3)
    angles = numbers(origin.get("rpy"), 3, where, [0, 0, 0])
    return rotation(*angles), numbers(origin.get("xyz"), 3, where, [0, 0, 0])


def _inertial(link: Element, where: str) -> tuple[float, Array, Array] | None:
    """Mass, centre and inertia in the frame of the link."""
    inertial = link.find("inertial")
    if inertial is None:
        return None
    mass, I = inertial.find("mass"), inertial.find("inertia")  # noqa: E741
    if mass is None or I is None:
        raise DomainError(f"{where} has an inertial without {'mass' if mass is None else 'inertia'}")
    A, c = _pose(inertial, where)
    m = float(numbers(mass.get("value"), 1, f"the mass of {where}")[0])
    xx, xy, xz, yy, yz, zz = (
        float(numbers(I.get(key), 1, f"the inertia of {where}", [0.0])[0]) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )  # fmt: skip
    if m < 0:
        raise DomainError(f"{where} has the mass {m:g}, which is negative")
    return m, c, A @ numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ A.T


def _parts(robot: Element, path: str) -> tuple[dict[str, Element], dict[str, Element], dict[str, Element]]:
    """The links and the joints by name, and for every child the joint to its parent."""
    links, joints = robot.findall("link"), robot.findall("joint")
    for what, found in (("links", links), ("joints", joints)):
        for element in found:
            if element.get("name") is None:
                raise DomainError(f"{path}: one of the {what} has no name")
        require_different(path, [str(element.get("name")) for element in found], what)
    by_name = {str(link.get("name")): link for link in links}
    above: dict[str, Element] = {}
    for joint in joints:
        for role in ("parent", "child"):
            end = joint.find(role)
            named = None if end is None else end.get("link")
            if named not in by_name:
                raise DomainError(
                    f"{path}: the {role} of the joint {joint.get('name')!r} is {named!r}, which is no link"
                )
        child = _end(joint, "child")
        if child in above:
            raise DomainError(
                f"{path}: the link {child!r} has two parents, by the joints {above[child].get('name')!r} and"
                f" {joint.get('name')!r}: closed chains are not read"
            )
        above[child] = joint
    if not by_name:
        raise DomainError(f"{path} has no links")
    return by_name, {str(joint.get("name")): joint for joint in joints}, above


def _end(joint: Element, role: str) -> str:
    element = joint.find(role)
    assert element is not None
    return str(element.get("link"))


def from_urdf(robot: Element, path: str, floating: bool | None) -> Tree:
    """The tree of a file; fixed joints make one link of two."""
    by_name, joints, above = _parts(robot, path)
    roots = [name for name in by_name if name not in above]
    if len(roots) != 1:
        raise DomainError(
            f"{path}: " + (f"the links {', '.join(roots[:4])} have no parent, and one root is expected" if roots else "every link has a parent: closed chains are not read")
        )  # fmt: skip
    below: dict[str, list[Element]] = {}
    for element in joints.values():
        below.setdefault(_end(element, "parent"), []).append(element)
    root = roots[0]
    first = below.get(root, [])
    if len(first) == 1 and first[0].get("type") == "floating" and by_name[root].find("inertial") is None:
        floating, root = True if floating is None else floating, _end(first[0], "child")
    elif floating is None:
        floating = by_name[root].find("inertial") is not None
    found: list[Link] = []
    reached = 0
    # Links that are still to come: the name, the parent, the joint, where the frame is in that of the base.
    todo: list[tuple[str, int, Joint | None, Array, Array]] = [(root, -1, None, numpy.eye(3), numpy.zeros(3))]
    while todo:
        name, parent, joint, A, b = todo.pop(0)
        number, bodies = len(found), []
        fixed = [(name, A, b)]
        for part, B, c in fixed:
            reached += 1
            where = f"{path}: the link {part!r}"
            if (own := _inertial(by_name[part], where)) is not None:
                bodies.append((own[0], B @ own[1] + c, B @ own[2] @ B.T))
            for element in below.get(part, []):
                R, p = _pose(element, f"{path}: the joint {element.get('name')!r}")
                C, d = B @ R, B @ p + c
                if element.get("type") == "fixed":
                    fixed.append((_end(element, "child"), C, d))
                else:
                    todo.append((_end(element, "child"), number, _joint(element, path, C, d), C, d))
        found.append(Link(name, parent, joint, *merged(bodies)))
    if reached + (root != roots[0]) != len(by_name):
        raise DomainError(f"{path}: some links are in a circle of parents: closed chains are not read")
    order = [name for name, element in joints.items() if element.get("type") in _KINDS]
    mimics = []
    for name, element in joints.items():
        if (mimic := element.find("mimic")) is not None and element.get("type") != "fixed":
            if mimic.get("joint") not in order or name not in order:
                raise DomainError(
                    f"{path}: the joint {name!r} mimics {mimic.get('joint')!r}, which is no joint that moves"
                )
            factor, offset = (
                float(numbers(mimic.get(key), 1, f"{path}: the joint {name!r}", [default])[0])
                for key, default in (("multiplier", 1.0), ("offset", 0.0))
            )
            mimics.append((name, str(mimic.get("joint")), factor, offset))
    return Tree(robot.get("name") or path, found, bool(floating), order, mimics=mimics)


def _joint(element: Element, path: str, A: Array, b: Array) -> Joint:
    name, kind = str(element.get("name")), element.get("type")
    where = f"{path}: the joint {name!r}"
    if kind not in _KINDS:
        raise DomainError(f"{where} is of the type {kind!r}; revolute, continuous, prismatic and fixed ones are read")
    given = element.find("axis")
    axis = A @ numbers(None if given is None else given.get("xyz"), 3, where, [1, 0, 0])
    if not numpy.linalg.norm(axis):
        raise DomainError(f"{where} has an axis of length 0")
    details: dict[str, Any] = {}
    for tag, key in _DETAILS:
        holder = element.find(tag)
        if holder is not None and holder.get(key) is not None:
            details[key] = float(numbers(holder.get(key), 1, where)[0])
    limit = element.find("limit")
    if kind != "continuous" and limit is not None:
        low, high = (float(numbers(limit.get(key), 1, where, [0.0])[0]) for key in ("lower", "upper"))
        details["limits"] = (low, high) if low < high else (-math.inf, math.inf)
    return Joint(name, _KINDS[kind], axis / numpy.linalg.norm(axis), b, details=details)
