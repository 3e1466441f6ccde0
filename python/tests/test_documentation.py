"""What the README and docs/python.md print is what happens."""

import doctest
import re

import pytest
from conftest import ROOT


def test_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert "1920 32" in capsys.readouterr().out and (tmp_path / "graph.safetensors").exists()


@pytest.mark.parametrize("page", ["docs/python.md", "python/intertwine/__init__.py"])
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text().replace("```", "")  # a fence would be taken for output
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0
