"""The symmetry of a robot, read from its file: URDF or MJCF.

>>> from intertwine import robots
>>> robot = robots.read("quadruped.urdf")  # doctest: +SKIP
>>> robot.group, robot.joints.dimension  # doctest: +SKIP
(Group('C2 x C2'), 12)
"""

from __future__ import annotations

try:
    import numpy
except ImportError as _missing:
    raise ImportError("intertwine.robots needs NumPy: pip install numpy (intertwine itself does not)") from _missing

import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from .. import DomainError, Group, Representation, VerificationError
from ._augmentation import Augmentation, data_augmentation_func
from ._groups import group_of, representation, signed
from ._mjcf import from_mjcf
from ._search import Found, candidates, differences_of_details, matched, named, require_closed
from ._tree import Array, Tree
from ._urdf import from_urdf

__all__ = ["Augmentation", "Found", "Robot", "data_augmentation_func", "read"]


@dataclass(frozen=True)
class Robot:
    """A robot with its symmetry: a finite group, and representations of what is observed and done.

    All vectors are in the frame of the base. Sums make an observation: `robot.joints + robot.joints + robot.vector +
    robot.pseudovector` is the type of positions and velocities of the joints, a velocity of the base and its angular
    velocity, and layers take it: Linear(observation, robot.actions).
    """

    name: str
    group: Group
    """The symmetries, as an abstract group; its generators are those of `generators`."""
    symmetries: tuple[Found, ...]
    """All of them, the identity first."""
    generators: tuple[Found, ...]
    joint_names: tuple[str, ...]
    """In the order of the coordinates of `joints`: that of the file."""
    link_names: tuple[str, ...]
    joints: Representation
    """Positions, velocities and torques of the joints: they are exchanged, and get signs."""
    actions: Representation
    """Controls of the actuators, in their order; of a file without actuators those of the joints."""
    vector: Representation
    """Vectors of the base [3]: velocity, force, direction of gravity."""
    pseudovector: Representation
    """Axial vectors of the base [3]: angular velocity, torque."""
    orientation: Representation
    """Rotation matrices by rows [9]: of the base in the world, and of any body in the base."""
    links: Representation
    """A number for each link, such as whether it touches the ground."""
    tolerance: float
    mass_tolerance: float
    error: float
    """The largest difference between an axis and its partner, beside the size of the robot."""
    mass_error: float
    """The largest difference between masses, inertias and armatures of partners beside the larger one, and between
    centres of mass beside the size."""
    mass_matrix_error: float
    """The largest |M(g q) - g M(q) g^T| / |M| over all symmetries and some random q."""
    asymmetries: tuple[str, ...]
    """What breaks the mirrors and turns that are no symmetries, and what partners do not share besides masses."""
    floating: bool
    tree: Tree = field(repr=False)

    def mass_matrix(self, q: Array) -> Array:
        """M(q) for positions of the joints in the order of joint_names; of a floating base first the angular velocity
        and the velocity, in its frame, of its point `tree.centre`."""
        q = numpy.asarray(q, dtype=float)
        if q.shape != (len(self.joint_names),):
            raise DomainError(f"q has the shape {list(q.shape)}; the robot has {len(self.joint_names)} joints")
        return self.tree.mass_matrix(q)

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {self.group.name}, {len(self.joint_names)} joints, {'floating' if self.floating else 'fixed'} base"
        ]
        lines += [
            f"  {s.name}: joints {list(s.joints)}, within {max(s.error, s.mass_error):.1e}" for s in self.symmetries[1:]
        ]
        lines += [f"  mass matrix M(gq) = g M(q) g^T: within {self.mass_matrix_error:.1e}"]
        return "\n".join([*lines, *(f"  {a}" for a in self.asymmetries)])


def read(
    path: str | os.PathLike[str], *, tolerance: float = 1e-3, mass_tolerance: float | None = None, floating: bool | None = None,
    up: tuple[float, float, float] | None = (0.0, 0.0, 1.0), root: str | None = None,
) -> Robot:  # fmt: skip
    """The symmetry of the robot in a file.

    A symmetry is a rotation or reflection of the frame of the base that takes every link to a link of the same mass,
    centre of mass and inertia, and every axis to an axis; all of it with the joints at zero, so that it takes q to +-q
    of another joint. What is found is verified twice: link by link, and on the mass matrix, M(g q) = g M(q) g^T at
    random q.

    Parameters
    ----------
    path : str or path-like
        URDF or MJCF (MuJoCo's XML), read without other packages.
    tolerance : float
        The largest difference of axes that is none, beside the size of the robot.
    mass_tolerance : float, optional
        That of masses, inertias and armatures beside the larger one, and of centres of mass beside the size; by default
        as tolerance. Real robots often differ between left and right by some percent in the inertias of light links:
        `asymmetries` names these, and a larger mass_tolerance looks over them.
    floating : bool, optional
        Whether the base moves freely. By default as MJCF says; in URDF if the root has a mass.
    up : tuple of float or None
        The direction that a symmetry keeps, as gravity does; None for all of E(3).
    root : str, optional
        The body of MJCF to begin at, where there are several.

    Returns
    -------
    Robot
        Its group, and the representations of joints, vectors and others.

    Raises
    ------
    DomainError
        For a file that cannot be read, closed chains, links that move without a mass, names that stand twice, and for
        symmetries that no exact matrices in the frame of the base have.
    """
    masses = tolerance if mass_tolerance is None else mass_tolerance
    if not 0 < tolerance < 0.05:
        raise DomainError(f"the tolerance is a number between 0 and 0.05, not {tolerance!r}")
    if not 0 < masses <= 1:
        raise DomainError(f"mass_tolerance is a number between 0 and 1, not {mass_tolerance!r}")
    text = Path(path)
    try:
        element = ElementTree.parse(text).getroot()
    except OSError as error:
        raise DomainError(f"{text} cannot be read: {error.strerror}") from error
    except ElementTree.ParseError as error:
        raise DomainError(f"{text} is no XML: {error}") from error
    if element.tag == "robot":
        if root is not None:
            raise DomainError("root is for MJCF: a URDF file has one root")
        tree = from_urdf(element, str(text), floating)
    elif element.tag == "mujoco":
        tree = from_mjcf(element, text, floating, root)
    else:
        raise DomainError(
            f"{text} begins with <{element.tag}>: a file of a robot begins with <robot> (URDF) or <mujoco> (MJCF)"
        )
    if not tree.order:
        raise DomainError(f"{text} has no joints that move")
    _require_masses(tree, str(text))
    direction = None if up is None else numpy.asarray(up, dtype=float)
    return _robot(tree, tolerance, masses, direction)


def _require_masses(tree: Tree, path: str) -> None:
    """DomainError for a link that moves with nothing heavy on it."""
    total = [link.mass for link in tree.links]
    for k in range(len(tree.links) - 1, 0, -1):
        total[tree.links[k].parent] += total[k]
    for link, mass in zip(tree.links[0 if tree.floating else 1 :], total[0 if tree.floating else 1 :]):
        if not mass > 0:
            raise DomainError(f"{path}: the link {link.name!r} moves and has no mass: give it an inertial")


def _robot(tree: Tree, tolerance: float, mass_tolerance: float, up: Array | None) -> Robot:
    symmetries: list[Found] = []
    asymmetries: list[str] = []
    for R in candidates(tree, up):
        found = matched(tree, R, tolerance)
        if isinstance(found, str):
            if numpy.allclose(R, numpy.diag(numpy.diag(R))):  # the mirrors that people ask for
                asymmetries.append(f"{named(R)}: {found}")
            continue
        good = [f for f in found if f.error <= tolerance and f.mass_error <= mass_tolerance]
        symmetries += good
        for what in () if good else found[0].differences[:5]:
            asymmetries.append(f"{found[0].name}: {what}")
        if not good and len(found[0].differences) > 5:
            asymmetries.append(f"{found[0].name}: {len(found[0].differences) - 5} smaller differences")
    symmetries.sort(
        key=lambda s: s.joints != tuple(range(1, len(s.joints) + 1)) or abs(s.rotation - numpy.eye(3)).max() > 0
    )
    require_closed(symmetries, tolerance)
    group, generators = group_of(symmetries)
    for g in generators:
        asymmetries += differences_of_details(tree, g, tolerance)
    vector = representation(group, generators)
    det = signed(group, [[round(float(numpy.linalg.det(g.rotation)))] for g in generators], 1)
    joints = signed(group, [g.joints for g in generators], len(tree.order))
    actions = joints
    if tree.actuators:
        actions = signed(group, [_action(tree, g) for g in generators], len(tree.actuators))
    return Robot(
        name=tree.name,
        group=group,
        symmetries=tuple(symmetries),
        generators=tuple(generators),
        joint_names=tuple(tree.order),
        link_names=tuple(link.name for link in tree.links),
        joints=joints,
        actions=actions,
        vector=vector,
        pseudovector=vector * det,
        orientation=vector * vector,
        links=signed(group, [[k + 1 for k in g.links] for g in generators], len(tree.links)),
        tolerance=tolerance,
        mass_tolerance=mass_tolerance,
        error=max(s.error for s in symmetries),
        mass_error=max(s.mass_error for s in symmetries),
        mass_matrix_error=_mass_matrix_error(tree, symmetries, max(tolerance, mass_tolerance)),
        asymmetries=(*asymmetries, *tree.left_out),
        floating=tree.floating,
        tree=tree,
    )


def _action(tree: Tree, g: Found) -> list[int]:
    """Where each actuator goes, counted from 1, with its sign. DomainError if one has no partner."""
    free = set(range(len(tree.actuators)))
    found = []
    for actuator in tree.actuators:
        image = g.joints[tree.order.index(actuator.joint)]
        joint = tree.order[abs(image) - 1]
        partners = [
            k for k in sorted(free)
            if tree.actuators[k].joint == joint and abs(abs(tree.actuators[k].gear) - abs(actuator.gear)) <= 1e-6 * abs(actuator.gear)
        ]  # fmt: skip
        if not partners:
            raise DomainError(
                f"{g.name} takes the joint of the actuator {actuator.name} to {joint}, which has no actuator of the gear"
                f" {abs(actuator.gear):g}"
            )
        free.remove(partners[0])
        sign = numpy.sign(image) * numpy.sign(actuator.gear) * numpy.sign(tree.actuators[partners[0]].gear)
        found.append(int(sign) * (partners[0] + 1))
    return found


def _mass_matrix_error(tree: Tree, symmetries: list[Found], tolerance: float) -> float:
    """|M(g q) - g M(q) g^T| / |M|, and centres of mass alike. VerificationError if they are not those of a symmetry."""
    n, rng = len(tree.order), numpy.random.default_rng(0)
    worst = 0.0
    for q in rng.uniform(-1, 1, (3, n)):
        M, mass_centre = tree.mass_matrix(q), tree.centre_of_mass(q)
        largest = abs(M).max()
        for g in symmetries:
            S = numpy.zeros((n, n))
            for i, image in enumerate(g.joints):
                S[abs(image) - 1, i] = numpy.sign(image)
            R = g.rotation
            action = S
            if tree.floating:
                action = numpy.zeros((n + 6, n + 6))
                action[:3, :3], action[3:6, 3:6], action[6:, 6:] = numpy.linalg.det(R) * R, R, S
            apart = abs(tree.mass_matrix(S @ q) - action @ M @ action.T).max() / largest
            centre = R @ (mass_centre - tree.centre) + tree.centre - tree.centre_of_mass(S @ q)
            worst = max(worst, float(apart), float(numpy.linalg.norm(centre)) / tree.size)
    if worst > 50 * tolerance:
        raise VerificationError(
            f"links and joints have partners within {tolerance:g}, and the mass matrix differs by {worst:.1e}: give a smaller tolerance"
        )
    return worst
