"""Robots with legs, written as URDF: every number can be chosen, so that symmetries can be broken one by one."""

import math

import numpy


def inertial(mass, centre, diagonal):
    xyz = " ".join(f"{x!r}" for x in map(float, centre))
    xx, yy, zz = map(float, diagonal)
    return (
        f'<inertial><origin xyz="{xyz}"/><mass value="{mass!r}"/>'
        f'<inertia ixx="{xx!r}" ixy="0" ixz="0" iyy="{yy!r}" iyz="0" izz="{zz!r}"/></inertial>'
    )


def joint(name, kind, parent, child, xyz, axis, rpy=(0, 0, 0), more=""):
    words = [" ".join(f"{x!r}" for x in map(float, v)) for v in (xyz, axis, rpy)]
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{words[0]}" rpy="{words[2]}"/><axis xyz="{words[1]}"/>{more}</joint>'
    )


def link(name, *own):
    return f'<link name="{name}">{inertial(*own) if own else ""}</link>'


def robot(name, *parts):
    return f'<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>\n"


def quadruped(masses=(1.0, 1.0, 1.0, 1.0), flip=1.0, shift=0.0, base=(0.1, 0.3, 0.35), limits=None):
    """Four legs of three joints, in the order LF, RF, LH, RH. flip: axes of the right flexions are reversed if it is
    negative; shift: of the base's centre of mass, ahead."""
    parts = [link("trunk", 10.0, (shift, 0, 0), base)]
    for k, (leg, x, y) in enumerate((("LF", 1, 1), ("RF", 1, -1), ("LH", -1, 1), ("RH", -1, -1))):
        axis = flip if y < 0 else 1.0
        more = (
            "" if limits is None else f'<limit lower="{limits[k][0]}" upper="{limits[k][1]}" effort="1" velocity="1"/>'
        )
        parts += [
            link(f"{leg}_hip", masses[k], (0, 0.05 * y, 0), (0.01, 0.02, 0.03)),
            link(f"{leg}_thigh", 1.5, (0, 0, -0.1), (0.02, 0.02, 0.01)),
            link(f"{leg}_shank", 0.5, (0.0, 0, -0.12), (0.01, 0.01, 0.001)),
            link(f"{leg}_foot"),
            joint(f"{leg}_HAA", "revolute", "trunk", f"{leg}_hip", (0.3 * x, 0.1 * y, 0), (1, 0, 0), more=more),
            joint(f"{leg}_HFE", "continuous", f"{leg}_hip", f"{leg}_thigh", (0, 0.1 * y, 0), (0, axis, 0)),
            joint(f"{leg}_KFE", "continuous", f"{leg}_thigh", f"{leg}_shank", (0, 0, -0.25), (0, axis, 0)),
            joint(f"{leg}_fixed", "fixed", f"{leg}_shank", f"{leg}_foot", (0, 0, -0.25), (1, 0, 0)),
        ]
    return robot("quadruped", *parts)


def spider(legs, dome=0.0):
    """Legs of two joints around a disc: their roots turned by rpy, so that all have the same numbers."""
    parts = [link("body", 5.0, (0, 0, dome), (0.2, 0.2, 0.3))]
    for k in range(legs):
        angle = 2 * math.pi * k / legs
        place = (0.4 * math.cos(angle), 0.4 * math.sin(angle), 0)
        parts += [
            link(f"coxa{k}", 0.4, (0.05, 0, 0), (0.001, 0.002, 0.003)),
            link(f"tibia{k}", 0.3, (0.2, 0, -0.1), (0.002, 0.004, 0.003)),
            joint(f"yaw{k}", "continuous", "body", f"coxa{k}", place, (0, 0, 1), (0, 0, angle)),
            joint(f"lift{k}", "continuous", f"coxa{k}", f"tibia{k}", (0.1, 0, 0), (0, 1, 0)),
        ]
    return robot(f"spider with {legs} legs", *parts)


def arm(floating=False):
    """Three joints of a plane, on a foot that stands in the world."""
    parts = [link("foot", 3.0, (0, 0, 0), (1, 1, 1)) if floating else link("foot")]
    for k, (parent, child) in enumerate((("foot", "upper"), ("upper", "lower"), ("lower", "hand"))):
        parts += [
            link(child, 1.0 / (k + 1), (0, 0, 0.2), (0.02, 0.03, 0.01)),
            joint(f"pitch{k}", "continuous", parent, child, (0, 0, 0.4 if k else 0.0), (0, 1, 0)),
        ]
    return robot("arm", *parts)


def turned(text, R):
    """The same robot in a frame of the root that is turned: a new root, the old one fixed to it."""
    yaw = math.atan2(R[1, 0], R[0, 0])
    pitch, roll = math.asin(-R[2, 0]), math.atan2(R[2, 1], R[2, 2])
    first = numpy.array(text.split('<link name="')[1:2])[0].split('"')[0]
    new = link("root") + "\n" + joint("turn", "fixed", "root", first, (0.1, 0.2, 0.3), (1, 0, 0), (roll, pitch, yaw))
    return text.replace("</robot>", new + "\n</robot>")
