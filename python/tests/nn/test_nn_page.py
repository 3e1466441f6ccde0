"""What docs/nn.md and its companions, the README and the docstrings say, runs."""

import doctest
import pathlib
import re
import types

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
import intertwine.nn  # noqa: E402
from intertwine.nn import geometric  # noqa: E402

GEOMETRIC = [
    geometric,
    *(
        module
        for name, module in vars(geometric).items()
        if not name.startswith("_")
        and getattr(module, "__name__", "").startswith("intertwine.nn.geometric.")
        and isinstance(module, types.ModuleType)
    ),
]
ROOT = pathlib.Path(__file__).resolve().parents[3]


PAGES = [
    ("docs/nn.md", "python", 8),
    ("docs/nn_modules.md", "python", 7),
    ("docs/nn_sizes.md", "python", 14),
    ("docs/nn_geometric.md", "python", 6),
    ("README.md", "py", 1),
]


@pytest.mark.parametrize("page, fence, least", PAGES)
def test_pages_run(page, fence, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(rf"```{fence}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert len(blocks) >= least
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_the_layer_on_the_page_of_concepts_runs():
    """Its sessions run without PyTorch, in test_documentation.py."""
    text = (ROOT / "docs" / "concepts.md").read_text()
    (block,) = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
    exec(compile(block, "concepts.md", "exec"), {})


def test_docstrings_run():
    for module in (intertwine.nn, *GEOMETRIC):
        assert doctest.testmod(module).failed == 0


def test_everything_is_documented():
    for module in (intertwine.nn, intertwine.nn.geometric):
        for name in module.__all__:
            assert (getattr(module, name).__doc__ or "").strip(), name
