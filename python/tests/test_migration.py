"""The pages for people who come from elsewhere: what they say of the other tools happens, where these are installed."""

import contextlib
import io
import re
import shutil
import subprocess

import pytest
from conftest import ROOT

FOLDER = ROOT / "docs" / "migration"


def blocks(page, fence):
    found = re.findall(rf"^```{fence}\n(.*?)^```", (FOLDER / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found
    return found


def session(text, prompt):
    """The commands of a session, and what is printed in it without its spaces."""
    lines = text.splitlines()
    return [line[len(prompt) :] for line in lines if line.startswith(prompt)], "".join(
        "".join(line for line in lines if not line.startswith(prompt)).split()
    )


@pytest.mark.parametrize("tool", ["emlp", "escnn", "e3nn"])
def test_packages(tool, monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    pytest.importorskip(tool, reason=f"{tool} is not installed")
    names: dict = {}
    for block in blocks(f"{tool}.md", "py"):
        exec(compile(block, f"{tool}.md", "exec"), names)


@pytest.mark.parametrize(
    "tool, options, fence, prompt", [("gap", ["-q"], "gap-console", "gap> "), ("lie", [], "lie", "> ")]
)
def test_programs(tool, options, fence, prompt):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    commands, stated = zip(*(session(block, prompt) for block in blocks(f"{tool}.md", fence)))
    script = "\n".join(line for block in commands for line in block) + "\n"
    done = subprocess.run([tool, *options], input=script, capture_output=True, text=True, timeout=120)
    assert "".join(done.stdout.split()) == "".join(stated)


def test_sage():
    pytest.importorskip("sage.all__sagemath_combinat", reason="Sage is not installed")
    from sage.combinat.partition import Partition
    from sage.combinat.sf.sf import SymmetricFunctions
    from sage.rings.rational_field import QQ

    names = {"Partition": Partition, "QQ": QQ, "SymmetricFunctions": SymmetricFunctions}
    for block in blocks("sage.md", "sage"):
        commands, stated = session(block, "sage: ")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            for command in commands:
                exec(compile(command, "sage.md", "single"), names)
        assert "".join(printed.getvalue().split()) == stated
