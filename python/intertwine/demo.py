"""The jobs of scripts/demo from the installed package alone: python -m intertwine.demo [FOLDER].

Each job prints the lines of Python that do it, then their answer. Files and pictures go to FOLDER, `intertwine-demo`
unless it is named. PyTorch is not needed, nor are a compiler or the network.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from . import FileError, __version__

__all__ = ["JOBS", "data", "main"]

data = Path(os.path.abspath(__file__)).parent / "_demo"
"""The folder of the files that the jobs read: a robot's joints, methane's atoms."""

SETTING = """
from intertwine import Group, verify
from intertwine.demo import data
"""

JOBS = (
    (
        "Which layers between graphs on four vertices commute with renaming the vertices?",
        """
V = Group("S4").rep("perm^2")
print((V >> V).describe())
""",
    ),
    (
        "The weight-tying table of an 8 x 8 image under shifts, quarter turns and mirrors, as a file and a picture",
        """
image = Group("p4m(8,8)").rep("perm")
layer = image >> image
print(layer.describe())
table = layer.table()
table.save("image_layer.safetensors")
table.picture("image_layer.png"), table.picture("image_layer.html")
""",
    ),
    (
        "The file alone proves itself",
        """
print(verify("image_layer.safetensors"))
""",
    ),
    (
        "A four-legged robot: its mirrors exchange legs and change the signs of joint angles",
        """
joints = Group("C2 x C2").rep(f"rep(@{data}/joints.json)")
print((joints >> joints).describe())
(joints >> joints).table().picture("quadruped.png")
""",
    ),
    (
        "Methane: which force constants may differ, and which must vanish; the file carries its representation and proves itself",
        """
V = Group(f"@{data}/group.json").rep(f"rep(@{data}/displacements.json)")
print((V >> V).describe())
table = (V >> V).table()
table.save("methane.npz")
table.picture("methane.svg")
print(verify("methane.npz"))
""",
    ),
    (
        "Rubik's cube, a group of 43 252 003 274 489 856 000 elements, acting on its 48 stickers",
        """
V = Group("Rubik(3)").rep("perm")
print((V >> V).describe())
(V >> V).table().picture("rubik.svg")
""",
    ),
    (
        "E8, a group of 696 729 600 elements given by matrices: its reflection representation, squared",
        """
V = Group("W(E8)").rep("coordinates^2")
print((V >> V).describe())
""",
    ),
    (
        "The rotations of the icosahedron: the character table of A5, exact to the last root of unity",
        """
print(Group("A5").character_table())
""",
    ),
    (
        "Any weights, projected on the equivariant ones, exactly",
        """
V = Group("S3").rep("perm")
print((V >> V).symmetrize([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "1/2"]]))
""",
    ),
)
"""Each job: the question, and the program that answers it."""


def main(arguments: list[str] | None = None) -> int:
    """Runs every job; the exit status is 0, or 2 with one sentence where the folder cannot be used.

    Parameters
    ----------
    arguments : list of str, optional
        The folder for files and pictures; the words of the command line where they are left out.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if len(words) > 1 or any(word.startswith("-") for word in words):
        print("Usage: python -m intertwine.demo [FOLDER]     files and pictures go to FOLDER (intertwine-demo)")
        return 0 if words in (["-h"], ["--help"]) else 2
    folder = Path(words[0] if words else "intertwine-demo")
    here = os.getcwd()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
    except OSError as error:
        print(f"demo: {folder} cannot be used: {error.strerror}; name another folder", file=sys.stderr)
        return 2
    try:
        print(f"Intertwine {__version__}: {len(JOBS)} jobs, some seconds; files and pictures go to {folder}\n")
        begun, before = time.perf_counter(), files()
        names: dict[str, object] = {}
        run("Every job begins with these lines", SETTING, names)
        for question, program in JOBS:
            run(question, program, names)
        print(f"\n== {time.perf_counter() - begun:.1f} s. Written:\n")
        written = sorted(path for path, seen in files().items() if before.get(path) != seen)
        print("".join(f"  {folder / path}  {path.stat().st_size} bytes\n" for path in written), end="")
    except FileError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    finally:
        os.chdir(here)
    return 0


def files() -> dict[Path, int]:
    """The files of this folder, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in Path().iterdir() if path.is_file()}


def run(question: str, program: str, names: dict[str, object]) -> None:
    """Prints a question and its program, and runs it among `names`."""
    print(f"\n== {question}\n" + "".join(f"\n>>> {line}" for line in program.strip().splitlines()) + "\n")
    exec(compile(program, question, "exec"), names)


if __name__ == "__main__":
    sys.exit(main())
