"""Makes notebooks of pages: python docs/notebooks.py FOLDER writes one for each lesson and tutorial.

Words become cells of Markdown, blocks of Python cells of code. What a session prints on the page is the output of its
cell, so that a notebook can be read without being run. The first cell of code says which packages are missing.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
PAGES = [
    *sorted(DOCS.glob("lessons/*.md")),
    *sorted(DOCS.glob("tutorials/*.md")),
    DOCS / "crystals.md",
    DOCS / "potential.md",
]


def lines(text: str) -> list[str]:
    return text.strip("\n").splitlines(keepends=True)


def markdown(text: str, page: Path) -> dict[str, object]:
    """Links to other pages are named, since beside a notebook there are none."""
    text = re.sub(r"!?\[([^]]*)\]\((?!https?:)([^)]*)\)", r"\1", text)
    return {"cell_type": "markdown", "metadata": {}, "source": lines(text)}


def code(text: str, output: str = "") -> dict[str, object]:
    outputs = [{"output_type": "stream", "name": "stdout", "text": lines(output)}] if output.strip() else []
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "source": lines(text), "outputs": outputs}


def sessions(block: str) -> list[dict[str, object]]:
    """A session with >>>: a cell ends where something is printed, since it shows the value of its last line alone."""
    cells: list[dict[str, object]] = []
    written: list[str] = []
    printed: list[str] = []

    def close() -> None:
        if written:
            cells.append(code("\n".join(written), "\n".join(printed)))
        written.clear()
        printed.clear()

    for line in block.splitlines():
        if line.startswith(">>> ") and printed:
            close()
        if line.startswith((">>> ", "... ")):
            written.append(line[4:])
        elif line.strip() == "...":
            written.append("")
        elif line.strip():
            printed.append("" if line == "<BLANKLINE>" else line)
    close()
    return cells


NEEDS = """\
import importlib.util

of_pip = {{"sklearn": "scikit-learn"}}
missing = [of_pip.get(name, name) for name in {names} if importlib.util.find_spec(name) is None]
assert not missing, f"install {{', '.join(missing)}} first: pip install has all but intertwine, and docs/install.md that one"\
"""


def imported(text: str) -> list[str]:
    """The packages that code asks for, without those of Python itself."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append(node.module or "")
    if "torch.onnx.export" in text:
        found += ["onnx", "onnxscript"]  # which PyTorch imports then
    return sorted({name.partition(".")[0] for name in found} - sys.stdlib_module_names)


def needs(page: Path) -> list[str]:
    """The packages that a page imports."""
    blocks = re.findall(r"^```python\n(.*?)^```\n", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    cells = [cell for block in blocks for cell in (sessions(block) if ">>> " in block else [code(block)])]
    return imported("\n".join("".join(cell["source"]) for cell in cells))  # type: ignore[misc, arg-type]


def notebook(page: Path) -> dict[str, object]:
    """The page as a notebook of format 4."""
    cells: list[dict[str, object]] = []
    for k, part in enumerate(re.split(r"^```python\n(.*?)^```\n", page.read_text(), flags=re.DOTALL | re.MULTILINE)):
        if k % 2:
            cells += sessions(part) if ">>> " in part else [code(part)]
        elif part.strip():
            cells.append(markdown(part, page))
    place = next((k for k, cell in enumerate(cells) if cell["cell_type"] == "code"), None)
    if place is not None:
        cells.insert(place, code(NEEDS.format(names=needs(page))))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def write(folder: Path) -> list[Path]:
    """Writes all notebooks; pages without Python have none."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for page in PAGES:
        made = notebook(page)
        if any(cell["cell_type"] == "code" for cell in made["cells"]):  # type: ignore[attr-defined]
            written.append(folder / f"{page.stem}.ipynb")
            written[-1].write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    return written


if __name__ == "__main__":
    print(*write(Path(sys.argv[1])), sep="\n")
