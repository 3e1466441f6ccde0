"""What docs/symmetry.md and the docstrings say, runs; importing intertwine brings no PyTorch."""

import doctest
import pathlib
import re
import subprocess
import sys

import networks_for_tests  # noqa: F401 (skips where PyTorch is missing)

# isort: split
import intertwine.symmetry
from conftest import compare_pictures

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/symmetry.md").read_text(), re.DOTALL)
    assert len(blocks) >= 9
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/symmetry.md", "exec"), names)
    assert compare_pictures(tmp_path, ROOT / "docs/symmetry.md") == ["layer_on_weights.svg"]
    assert str(parameter_group_of(names)) == "<ParameterGroup S(8) x B(5), order 154828800, io fixed>"


def parameter_group_of(names):
    return names["parameter_group"](names["net"])


def test_docstrings_run_and_are_there():
    assert doctest.testmod(intertwine.symmetry).failed == 0
    for name in intertwine.symmetry.__all__:
        assert (getattr(intertwine.symmetry, name).__doc__ or "").strip(), name


def test_intertwine_alone_imports_no_torch():
    code = "import intertwine, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
