"""What docs/nn.md and the docstrings say, runs."""

import doctest
import pathlib
import re

import intertwine.nn


def test_the_page_runs():
    page = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "nn.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 8
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/nn.md", "exec"), names)


def test_docstrings_run():
    assert doctest.testmod(intertwine.nn).failed == 0


def test_everything_is_documented():
    for name in intertwine.nn.__all__:
        assert (getattr(intertwine.nn, name).__doc__ or "").strip(), name
