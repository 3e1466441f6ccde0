"""The layers, and the packages that are built on them, are annotated: mypy --strict has nothing to say about them, and
something about wrong arguments."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("mypy")
import intertwine.nn  # noqa: E402, F401

ROOT = pathlib.Path(__file__).resolve().parents[3]
USER = """\
import torch
from intertwine import Group
from intertwine.gsa import square
from intertwine.nn import Linear, RelaxedLinear, Tensors, compatible
V = Group("S4").rep("perm")
Tensors(2, 2, group={"a": "O(n)"}, across=("padding", "restriction"))
Tensors(2, 2, group=3)
compatible(torch.nn.ReLU(), 2)
Tensors(2, 2).basis("x")
relaxed: RelaxedLinear = RelaxedLinear(V, V, V.group.subgroup([]), 2, 8)
plain: RelaxedLinear = Linear(V, V, 2, 8)
RelaxedLinear(V, V, 3)
square("3")
"""


def test_mypy(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    # As an installed package: of what the layers import, only what is asked for is reported.
    environment = {
        **os.environ,
        "MYPYPATH": str(tmp_path),
        "PYTHONPATH": str(pathlib.Path(intertwine.__file__).parents[1]),
    }
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        f"--config-file={ROOT / 'pyproject.toml'}",
        f"--cache-dir={tmp_path}",
    ]
    command += [
        *(f"--package=intertwine.{package}" for package in ("nn", "gsa", "symmetry", "weak", "operators", "robots")),
        "-m",
        "user",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    found = [line.split(":") for line in done.stdout.splitlines() if ": note: " not in line]
    assert not done.stderr and [(file, line, rest[-1].split()[-1]) for file, line, *rest in found] == [
        *(("user.py", str(n), "[arg-type]") for n in (7, 8, 9)),
        ("user.py", "11", "[assignment]"),
        ("user.py", "12", "[arg-type]"),
        ("user.py", "13", "[arg-type]"),
    ]
