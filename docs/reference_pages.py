"""Makes the pages of the reference: a page for each topic, each class and each command.

The names are those of `__all__`, the texts are docstrings and `--help`. `conf.py` calls `make` before it reads pages.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import shutil
import subprocess
from pathlib import Path

import bibliography

# The top level has too many names for one page. A name that no topic claims goes to the last one.
TOPICS = {
    "Groups": "Group SpaceGroup Permutation ConjugacyClasses ConjugacyClass automorphisms Automorphisms known_groups "
    "known_continuous_groups",
    "Characters": "CharacterTable ClassFunction",
    "Representations": "Representation Decomposition Constituent IsotypicComponent OrthonormalBasis OrthonormalComponent "
    "IrreducibleForms known_representations known_continuous_representations branch Branching",
    "Equivariant maps": "Hom Certificate hom_dimension Table load_table verify KernelSpace KernelBlock kernel_basis",
    "Polynomial maps": "PolynomialMaps polynomial_maps molien_series MolienSeries",
    "Couplings and steerable kernels": "clebsch_gordan Coupling SignedRoot wigner_3j wigner_6j ClebschGordan "
    "TensorConstituent OrthogonalCopies OrthonormalForm steerable_kernel_basis SteerableKernelBasis steerable_kernels "
    "SteerableKernels point_kernels PointKernels",
    "Numbers, limits and errors": "",
}
OPERATORS = {"Representation": "__rshift__", "SchurFunctor": "__call__", "SymmetricBasis": "__call__, __getitem__"}
INTERNAL = "extra_repr, get_extra_state, set_extra_state"  # PyTorch calls these, people do not


def packages() -> list[str]:
    """The packages, and the modules with names that their package does not give: those that can be imported."""
    import intertwine

    root = Path(intertwine.__file__).parent
    found = []
    for path in sorted(root.rglob("*.py"), key=lambda path: path.with_suffix("").parts):
        name = ".".join(("intertwine", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        if re.search(r"\._|\.demo$", name) or not re.search(r"^__all__\b", path.read_text(), re.MULTILINE):
            continue
        try:
            module = importlib.import_module(name)
            package = importlib.import_module(name.rpartition(".")[0] or name)
        except ImportError:  # what a package stands on is optional
            continue
        if path.name == "__init__.py" or set(module.__all__) - set(package.__all__):
            found.append(name)
    return found


def summary(thing: object) -> str:
    """The first sentence of the docstring, as reStructuredText."""
    text = " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())
    text = re.match(r"(.*?[.:])(\s|$)|(.*)", text)[0].strip().rstrip(":")
    return escaped(text)


def escaped(text: str) -> str:
    """Prose with `code` in single quotes, as reStructuredText."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(f"`{p}`" if p.startswith("`") else re.sub(r"([\\*|_])", r"\\\1", p) for p in parts)


def title(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n\n"


def constructor(thing: type) -> str:
    """The arguments of the constructor of a compiled class, which `inspect` does not see; nothing of others."""
    overloads = getattr(vars(thing).get("__init__"), "__nb_signature__", None)
    if not overloads:
        return ""
    text, _, defaults = overloads[0]
    text = text.removeprefix("def __init__").removesuffix(" -> None")
    return re.sub(r"\\(\d+)", lambda found: repr(defaults[int(found[1])]), text)


def slug(text: str) -> str:
    return re.sub(r"\W+", "_", text.lower()).strip("_")


class Reference:
    """The pages of all packages and of the program, written below `folder`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.page_of: dict[int, str] = {}  # by the identity of a class: where it is described
        self.written: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Leaves a page alone that has this text already, so that Sphinx does not read it again."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        self.written.add(path)

    def remove_others(self) -> None:
        """Removes the pages of what is there no more."""
        for path in self.folder.rglob("*.*"):
            if path not in self.written:
                path.unlink()

    def write_class(self, module: str, name: str, thing: type, topic: tuple[str, str]) -> str:
        page = f"{module}.{name}"
        static = [k for k in vars(thing) if type(getattr(thing, k)).__name__ == "nb_func" and not k.startswith("_")]
        text = f":orphan:\n\n:doc:`Python <../python>` › :doc:`{topic[1]} <{topic[0]}>`\n\n{title(page)}"
        text += f".. currentmodule:: {module}\n.. autoclass:: {name}{constructor(thing)}\n   :members:\n"
        text += f"   :exclude-members: {', '.join([INTERNAL, *static])}\n"
        if name in OPERATORS:
            text += f"   :special-members: {OPERATORS[name]}\n"
        for method in static:  # to autodoc, static methods of compiled classes look like attributes
            text += f"\n   .. automethod:: {name}.{method}\n"
        self.write(f"{page}.rst", text)
        return page

    def write_topic(self, page: str, head: str, module: str, names: list[str], about: str) -> None:
        """A page that lists the classes and describes the functions."""
        values = vars(importlib.import_module(module))
        rows, others = [], []
        for name in sorted(names):
            thing = values[name]
            if isinstance(thing, type) and not issubclass(thing, BaseException):
                known = self.page_of.get(id(thing))  # a class of two packages has one page
                self.page_of[id(thing)] = known or self.write_class(module, name, thing, (page, head))
                rows.append(f"   * - :doc:`{name} <{self.page_of[id(thing)]}>`\n     - {summary(thing)}\n")
                if known:
                    others.append(f".. autoclass:: {name}\n")
            elif isinstance(thing, type):
                others.append(f".. autoexception:: {name}\n")
            elif callable(thing) and hasattr(thing, "__name__"):
                others.append(f".. autofunction:: {name}\n")
            elif not inspect.ismodule(thing):
                others.append(f".. py:data:: {name}\n   :type: {type(thing).__name__}\n   :value: {thing!r}\n")
        table = ".. list-table::\n   :widths: 30 70\n\n" + "".join(rows) + "\n" if rows else ""
        back = ":orphan:\n\n:doc:`Python <../python>`\n\n"
        self.write(
            f"{page}.rst", f"{back}{title(head)}{about}{table}.. currentmodule:: {module}\n\n" + "\n".join(others)
        )

    def python(self) -> None:
        """The pages of the packages, and the list of them."""
        pages = []
        for module in packages():
            names = [name for name in importlib.import_module(module).__all__ if name != "__version__"]
            if module != "intertwine":
                self.write_topic(module, module, module, names, f".. automodule:: {module}\n   :no-members:\n\n")
                pages.append((module, module, summary(importlib.import_module(module))))
                continue
            claimed = {name for topic in TOPICS.values() for name in topic.split()}
            for head, topic in TOPICS.items():
                mine = topic.split() or [name for name in names if name not in claimed]
                about = "" if topic else ".. py:module:: intertwine\n\n.. autodata:: __version__\n   :no-value:\n\n"
                self.write_topic(slug(head), head, module, mine, about)
                pages.append((slug(head), head, ", ".join(f"``{name}``" for name in mine[:6]) + ", …"))
        self.write_list("python", pages)

    def program(self, program: str | None) -> None:
        """A page for each command and for each page of help, and the list of them."""

        def help_of(*words: str) -> str:
            return subprocess.run(
                [program, "help", *words], capture_output=True, text=True, timeout=60, check=True
            ).stdout

        pages = []
        if program:
            listed = re.compile(r"^  ([a-z][\w-]+) {2,}\S", re.MULTILINE)
            commands = listed.findall(help_of().partition("Options of every command")[0])
            topics = listed.findall(help_of("help").partition("\nTopics:")[2].partition("\nExamples:")[0])
            for name in [*commands, *topics]:
                page, head = (
                    f"{word}{name}"
                    for word in (("command_", "intertwine ") if name in commands else ("help_", "intertwine help "))
                )
                said = help_of(name)
                about = (
                    " ".join(said.split("\n\n")[1].split())
                    if name in commands
                    else "how they are written, and what they mean"
                )
                text = "".join(f"   {line}".rstrip() + "\n" for line in said.splitlines())
                back = ":orphan:\n\n:doc:`The program <../commands>`\n\n"
                self.write(f"{page}.rst", f"{back}{title(head)}.. code-block:: text\n\n{text}")
                pages.append((page, head, escaped(about)))
        self.write_list("commands", pages)

    def write_list(self, name: str, pages: list[tuple[str, str, str]]) -> None:
        """A table of pages and summaries, which the page of this name includes."""
        rows = "".join(
            f"   * - :doc:`{head} </reference/made/{page}>`\n     - {about}\n" for page, head, about in pages
        )
        table = f".. list-table::\n   :widths: 35 65\n\n{rows}"
        self.write(f"{name}.txt", table if pages else "This site was built without the program.\n")


def make(docs: Path) -> None:
    """Writes docs/reference/made, which is no part of the repository.

    The program whose help is shown is INTERTWINE_PROGRAM, or the one on the path.
    """
    reference = Reference(docs / "reference" / "made")
    reference.python()
    reference.program(os.environ.get("INTERTWINE_PROGRAM") or shutil.which("intertwine"))
    reference.write("references.rst", bibliography.page(bibliography.entries()))
    reference.remove_others()
