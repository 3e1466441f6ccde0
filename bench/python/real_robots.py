"""The symmetries of the robots in a folder, with a tight and a wide tolerance of masses.

python bench/python/real_robots.py FOLDER [--wide 0.3]: one line for each URDF and MJCF file below the folder. It has
the joints, the group within 1e-3, the group within the wide tolerance and the error of the mass matrix there, and the
first asymmetry that is named. A refusal is printed with its sentence.
"""

import argparse
import pathlib

from intertwine import DomainError, robots


def line(path, wide):
    try:
        tight, loose = robots.read(path), robots.read(path, tolerance=0.02, mass_tolerance=wide)
    except DomainError as error:
        return f"| refused: {str(error).removeprefix(str(path))} | | | | |"
    named = tight.asymmetries[0] if tight.asymmetries else ""
    error = f"{loose.mass_matrix_error:.0e}"
    return f"| {len(tight.joint_names)} | {tight.group.name} | {loose.group.name} | {error} | {named} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--wide", type=float, default=0.3)
    given = parser.parse_args()
    for path in sorted(p for kind in ("urdf", "xml") for p in given.folder.rglob(f"*.{kind}")):
        print(f"| {path.relative_to(given.folder)} {line(path, given.wide)}", flush=True)


if __name__ == "__main__":
    main()
