"""MJCF, the XML of MuJoCo: bodies, joints, geoms as far as they have mass, actuators, and defaults of all these."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy

from .. import DomainError
from ._shapes import mass_of_geom
from ._tree import Actuator, Array, Joint, Link, Tree, merged, require_different, turned_by
from ._urdf import numbers

__all__ = ["from_mjcf"]

_DETAILS = ("damping", "frictionloss", "stiffness")
_NOT_READ = {"replicate": "copies", "composite": "composites", "flexcomp": "soft bodies", "attach": "attached models"}


class _Frame(NamedTuple):
    A: Array
    b: Array

    def then(self, A: Array, b: Array) -> _Frame:
        return _Frame(self.A @ A, self.A @ b + self.b)


class _File:
    """A file with its includes, its settings, and its defaults by class."""

    def __init__(self, root: Element, path: Path) -> None:
        self.path, self.root = path, root
        self._include(root, path, 0)
        settings: dict[str, str] = {}
        for compiler in root.findall("compiler"):
            settings.update(compiler.attrib)
        self.degrees = settings.get("angle", "degree") == "degree"
        self.sequence = settings.get("eulerseq", "xyz")
        self.from_geoms = settings.get("inertiafromgeom", "auto")
        self.autolimits = settings.get("autolimits", "true") == "true"
        groups = settings.get("inertiagrouprange", "0 5")
        self.groups = tuple(int(x) for x in numbers(groups, 2, f"{path}: inertiagrouprange"))
        total = float(numbers(settings.get("settotalmass"), 1, f"{path}: settotalmass", [-1.0])[0])
        self.total_mass = total if total > 0 else None
        if settings.get("coordinate", "local") != "local":
            raise DomainError(f"{path} has coordinates of the kind {settings['coordinate']!r}: local ones are read")
        self.defaults: dict[str, dict[str, dict[str, str]]] = {}
        self.main = "main"
        for default in root.findall("default"):
            self._default(default, {})
        self.defaults.setdefault(self.main, {})

    def _include(self, element: Element, path: Path, depth: int) -> None:
        """Puts the contents of other files where they are named."""
        if depth > 20:
            raise DomainError(f"{path}: files include each other")
        for k, child in reversed(list(enumerate(element))):
            if child.tag == "include":
                name = self.path.parent / str(child.get("file"))
                try:
                    other = ElementTree.parse(name).getroot()
                except (OSError, ElementTree.ParseError) as error:
                    raise DomainError(f"{path} includes {name}, which cannot be read: {error}") from error
                self._include(other, name, depth + 1)
                element[k : k + 1] = list(other)
            else:
                self._include(child, path, depth)

    def _default(self, element: Element, above: Mapping[str, dict[str, str]]) -> None:
        name = element.get("class") or self.main
        own = {tag: dict(values) for tag, values in {**self.defaults.get(name, {}), **above}.items()}
        nested = []
        for child in element:
            if child.tag == "default":
                nested.append(child)
            else:
                own.setdefault(child.tag, {}).update(child.attrib)
        self.defaults[name] = own
        for child in nested:
            self._default(child, own)

    def attributes(self, element: Element, childclass: str | None) -> dict[str, str]:
        """Those of an element, with the defaults of its class."""
        name = element.get("class") or childclass or self.main
        if name not in self.defaults:
            raise DomainError(f"{self.path}: the class {name!r} has no defaults in this file")
        return {**self.defaults[name].get(element.tag, {}), **element.attrib}

    def angle(self, value: float) -> float:
        return math.radians(value) if self.degrees else value

    def pose(self, given: Mapping[str, str], where: str) -> tuple[Array, Array]:
        """Where an element is in the frame that it stands in."""
        b = numbers(given.get("pos"), 3, where, [0, 0, 0])
        if "quat" in given:
            return _of_quaternion(numbers(given["quat"], 4, where), where), b
        if "euler" in given:
            A = numpy.eye(3)
            for axis, value in zip(self.sequence, numbers(given["euler"], 3, where)):
                R = turned_by(numpy.eye(3)["xyz".index(axis.lower())], self.angle(value))
                A = A @ R if axis.islower() else R @ A
            return A, b
        if "axisangle" in given:
            values = numbers(given["axisangle"], 4, where)
            return turned_by(_unit(values[:3], where), self.angle(float(values[3]))), b
        if "xyaxes" in given:
            values = numbers(given["xyaxes"], 6, where)
            x = _unit(values[:3], where)
            y = _unit(values[3:] - (values[3:] @ x) * x, where)
            return numpy.array([x, y, numpy.cross(x, y)]).T, b
        if "zaxis" in given:
            return _to_z(_unit(numbers(given["zaxis"], 3, where), where)), b
        return numpy.eye(3), b


def _unit(v: Array, where: str) -> Array:
    length = numpy.linalg.norm(v)
    if not length:
        raise DomainError(f"{where} has a direction of length 0")
    return numpy.asarray(v / length)


def _of_quaternion(q: Array, where: str) -> Array:
    w, *v = _unit(q, where)
    axis = numpy.array(v)
    length = float(numpy.linalg.norm(axis))
    return turned_by(axis / length, 2 * math.atan2(length, w)) if length else numpy.eye(3)


def _to_z(z: Array) -> Array:
    """The least rotation that takes the axis z there."""
    axis = numpy.cross([0, 0, 1], z)
    length = float(numpy.linalg.norm(axis))
    if length < 1e-12:
        return numpy.diag([1.0, 1.0, 1.0] if z[2] > 0 else [1.0, -1.0, -1.0])
    return turned_by(axis / length, math.atan2(length, z[2]))


class _Reader:
    """Walks the bodies of a file; frames are those of the body that is the base."""

    def __init__(self, file: _File, floating: bool) -> None:
        self.file, self.floating = file, floating
        self.links: list[Link] = []
        self.order: list[str] = []
        self.bodies: list[str] = []

    def body(self, element: Element, parent: int, at: _Frame, childclass: str | None, joint_free: bool) -> None:
        """Adds a body and all below it. joint_free: the body is the base, and its joints are none."""
        path = self.file.path
        name = element.get("name") or f"body {len(self.bodies)}"
        where = f"{path}: the body {name!r}"
        self.bodies.append(name)
        childclass = element.get("childclass") or childclass
        joints = [] if joint_free else [c for c in self._children(element, where) if c.tag in ("joint", "freejoint")]
        number = parent
        for k, child in enumerate(joints):
            joint = self._joint(child, at, childclass, where)
            last = k == len(joints) - 1
            self.links.append(
                Link(name if last else f"{name}/{joint.name}", number, joint, 0.0, numpy.zeros(3), numpy.zeros((3, 3)))
            )
            self.order.append(joint.name)
            number = len(self.links) - 1
        if number < 0:
            self.links.append(Link(name, -1, None, 0.0, numpy.zeros(3), numpy.zeros((3, 3))))
            number = 0
        link = self.links[number]
        link.mass, link.centre, link.inertia = merged(
            [(link.mass, link.centre, link.inertia), *self._masses(element, at, childclass, where)]
        )
        self._below(element, number, at, childclass, where)

    def _below(self, element: Element, number: int, at: _Frame, childclass: str | None, where: str) -> None:
        for child in element:
            if child.tag == "body":
                self.body(child, number, at.then(*self.file.pose(child.attrib, where)), childclass, False)
            elif child.tag == "frame":
                inner = at.then(*self.file.pose(child.attrib, where))
                self._below(child, number, inner, child.get("childclass") or childclass, where)
            elif child.tag in _NOT_READ:
                raise DomainError(
                    f"{where} has {_NOT_READ[child.tag]} (<{child.tag}>), which are not read: write the bodies out"
                )

    def _children(self, element: Element, where: str) -> list[Element]:
        """Those that are no bodies; in frames only bodies and geoms are read."""
        for frame in element.findall("frame"):
            if frame.find("joint") is not None or frame.find("freejoint") is not None:
                raise DomainError(f"{where} has a joint in a frame: write it in the body")
        return list(element)

    def _joint(self, element: Element, at: _Frame, childclass: str | None, where: str) -> Joint:
        given = self.file.attributes(element, childclass)
        kind = "free" if element.tag == "freejoint" else given.get("type", "hinge")
        if kind not in ("hinge", "slide"):
            advice = "a body that floats is the only one at the top" if kind == "free" else "hinges and slides are read"
            raise DomainError(f"{where} has a joint of the type {kind!r}: {advice}")
        name = element.get("name") or f"joint {len(self.order)}"
        said = f"{where}, joint {name!r},"
        axis = at.A @ _unit(numbers(given.get("axis"), 3, said, [0, 0, 1]), said)
        position = at.A @ numbers(given.get("pos"), 3, said, [0, 0, 0]) + at.b
        details: dict[str, float | tuple[float, float]] = {
            key: float(numbers(given[key].split()[0], 1, said)[0]) for key in _DETAILS if key in given
        }
        limited = given.get("limited", "auto")
        if "range" in given and (limited == "true" or limited == "auto" and self.file.autolimits):
            low, high = numbers(given["range"], 2, said)
            details["limits"] = (
                (self.file.angle(low), self.file.angle(high)) if kind == "hinge" else (float(low), float(high))
            )
        armature = float(numbers(given.get("armature"), 1, said, [0.0])[0])
        return Joint(name, "revolute" if kind == "hinge" else "prismatic", axis, position, armature, details)

    def _masses(
        self, element: Element, at: _Frame, childclass: str | None, where: str
    ) -> list[tuple[float, Array, Array]]:
        """The inertial of a body, or those of its geoms."""
        inertial = element.find("inertial")
        if inertial is not None and self.file.from_geoms != "true":
            A, b = self.file.pose(inertial.attrib, where)
            mass = float(numbers(inertial.get("mass"), 1, f"{where}, mass,")[0])
            if "fullinertia" in inertial.attrib:
                xx, yy, zz, xy, xz, yz = numbers(inertial.get("fullinertia"), 6, where)
                own = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                own = numpy.diag(numbers(inertial.get("diaginertia"), 3, f"{where}, inertia,"))
            turned = at.A @ A
            return [(mass, at.A @ b + at.b, turned @ own @ turned.T)]
        if self.file.from_geoms == "false":
            return []
        found = []
        inner = [(element, at, childclass)]
        for holder, frame, of in inner:
            for child in holder:
                if child.tag == "frame":
                    inner.append(
                        (child, frame.then(*self.file.pose(child.attrib, where)), child.get("childclass") or of)
                    )
                elif child.tag == "geom":
                    given = self.file.attributes(child, of)
                    low, high = self.file.groups
                    if low <= int(given.get("group", "0")) <= high:
                        found.append(mass_of_geom(given, frame.A, frame.b, lambda g: self.file.pose(g, where), where))
        return [body for body in found if body[0]]


def _floats(body: Element) -> bool:
    return body.find("freejoint") is not None or any(j.get("type") == "free" for j in body.findall("joint"))


def _moves(body: Element) -> bool:
    return any(e.tag in ("joint", "freejoint") for e in body.iter())


def from_mjcf(root: Element, path: Path, floating: bool | None, name: str | None) -> Tree:
    """The tree of a file: below its body with a free joint, or below the world."""
    file = _File(root, path)
    for equality in root.findall("equality"):
        for constraint in equality:
            if constraint.tag in ("connect", "weld") and constraint.get("active", "true") == "true":
                bodies = " and ".join(
                    str(constraint.get(k)) for k in ("body1", "body2", "site1", "site2") if constraint.get(k)
                )
                raise DomainError(f"{path} has a <{constraint.tag}> of {bodies}: closed chains are not read")
    world = Element("body", {"name": "world"})
    for part in root.findall("worldbody"):
        world.extend(list(part))
    tops = [body for body in world.iter("body") if body is not world and _moves(body)]
    free = [body for body in tops if _floats(body)]
    base = world
    if name is not None:
        chosen = [body for body in world.iter("body") if body.get("name") == name]
        if len(chosen) != 1:
            raise DomainError(f"{path} has {len(chosen)} bodies of the name {name!r}: root= names the one to begin at")
        base = chosen[0]
    elif free:
        others = [body for body in world.findall("body") if _moves(body) and body not in free]
        if len(free) > 1 or others:
            names = ", ".join(str(body.get("name")) for body in (*free, *others))
            raise DomainError(
                f"{path} has several bodies that move by themselves, {names}: give root=, the name of one"
            )
        base = free[0]
    floats = _floats(base) if floating is None else floating
    reader = _Reader(file, floats)
    childclass = _class_above(world, base)
    reader.body(base, -1, _Frame(numpy.eye(3), numpy.zeros(3)), childclass, True)
    if file.total_mass is not None:
        everything = base is world or not any(body is not base and _moves(body) for body in world.findall("body"))
        mass = sum(link.mass for link in reader.links)
        if not everything or not mass:
            raise DomainError(f"{path} has settotalmass for more than the robot: write the masses out")
        for link in reader.links:
            link.mass *= file.total_mass / mass
            link.inertia = link.inertia * (file.total_mass / mass)
    require_different(str(path), reader.bodies, "bodies")
    require_different(str(path), reader.order, "joints")
    left_out = [
        f"not looked at: {tag}s of the kind {kind}"
        for tag in ("equality", "tendon")
        for kind in sorted({str(c.tag) for part in root.findall(tag) for c in part if c.tag not in ("connect", "weld")})
    ]
    actuators = _actuators(file, reader.order)
    return Tree(root.get("model") or str(path), reader.links, floats, reader.order, actuators, left_out=left_out)


def _class_above(world: Element, base: Element) -> str | None:
    """The childclass that a body has from those above it."""
    above = {child: body for body in world.iter() for child in body}
    at: Element | None = base
    while at is not None:
        at = above.get(at)
        if at is not None and at.get("childclass"):
            return at.get("childclass")
    return None


def _actuators(file: _File, order: list[str]) -> list[Actuator]:
    """Those of single joints of the robot; others are left out, and actions are those of the joints if no other is."""
    found = []
    for group in file.root.findall("actuator"):
        for k, element in enumerate(group):
            given = file.attributes(element, None)
            if given.get("joint") not in order:
                continue
            gear = float(numpy.array([float(x) for x in given.get("gear", "1").split()])[0])
            if gear:
                found.append(Actuator(element.get("name") or f"actuator {k}", str(given["joint"]), gear))
    return found
