"""What the pages print is what happens, what they draw is what the library draws, and their links lead somewhere."""

import ast
import contextlib
import doctest
import fnmatch
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys

import intertwine
import pytest
from conftest import ROOT, compare_pictures
from public_names import public

PAGES = sorted(p for p in ROOT.glob("docs/**/*.md") if p.parent.name != "paper")  # which is for a journal
EVERY_PAGE = [ROOT / "README.md", *PAGES, *sorted(ROOT.glob("examples/**/README.md"))]
RUN_ELSEWHERE = "".join(
    f.read_text() for f in ROOT.glob("python/tests/*/test_*.py")
)  # pages that the tests of a subpackage name
EXAMPLES = sorted(
    f for f in ROOT.glob("examples/*/*.py") if f.stem == f.parent.name
)  # others have a page, and tests of their own
NEEDED = re.compile(
    r"^(?:>>> )?(?:import|from) (torch|jax|cuequivariance|cvxpy|sympy|pandas|safetensors|emlp|escnn|e3nn|onnxruntime|sklearn)\b",
    re.MULTILINE,
)

# What the fragments of the page on files take for granted; the codes of the table have two bytes.
SETTING = {
    "docs/formats.md": """
import json, numpy
from intertwine import Group, Matrix
V = Group("S4").rep("perm^3")
table = (V >> V).table()
table.save("table.safetensors"), table.save("table.npz"), table.save("table.h5")
theta = numpy.arange(table.params) + 1.0
assert numpy.load("table.npz")["weight.code"].dtype == "<u2"
R = Group("C3").rep("rep([[[0,-1],[1,-1]]])")
sparse = (R >> R).table()
S5 = Group("S5")
(S5.rep("16*perm + 33*trivial") >> S5.rep("8*perm")).table().save("blocks.npz")
M, N, P = sparse.rows, sparse.cols, sparse.params
ptr, row, col, val = sparse.basis_ptr, sparse.basis_row, sparse.basis_col, sparse.basis_val
"""
}


def name(path):
    return str(path.relative_to(ROOT))


def snippets(page):
    """The blocks ```python of a page: sessions with >>> and programs, in their order."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def run_blocks(blocks, page):
    """In one namespace. A page that wants another package is skipped where that is missing."""
    for package in dict.fromkeys(NEEDED.findall("\n".join(blocks))):
        pytest.importorskip(package, reason=f"{package} is not installed")
    names: dict = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for k, block in enumerate(blocks):
        if ">>> " in block:
            test = doctest.DocTestParser().get_doctest(block, names, f"{page}, block {k}", page, 0)
            assert runner.run(test, clear_globs=False).failed == 0
            names.update(test.globs)
        else:
            exec(compile(block, f"{page}, block {k}", "exec"), names)


def test_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = snippets(ROOT / "README.md")
    assert blocks
    run_blocks(blocks, "README.md")
    assert "1920 32" in capsys.readouterr().out and (tmp_path / "graph.safetensors").exists()


def gsa_on_a_gpu():
    torch = pytest.importorskip("torch")
    from intertwine.gsa._attend import road

    if road(torch.empty(1, device="meta")).startswith("plain PyTorch"):
        raise intertwine.DomainError("no kernel of its own")


# What README says is not there yet, and questions of each kind, all of which are refused.
NOT_YET = {
    "positive characteristic": [lambda: intertwine.Group("S3").irreducible_forms("GF(2)")],
    "finite subgroups of Spin(n) from n = 7 on and of exceptional groups": [
        lambda: intertwine.Group("Spin(7)").rep("spinor").restrict(intertwine.Group("A5")),
        lambda: intertwine.Group("G2").irrep([1, 0]).restrict(intertwine.Group("PSL(2,7)")),
    ],
    "magnetic groups as a `Group`: they have types of their own": [
        lambda: intertwine.SpaceGroup("R-3'c'"),
        lambda: intertwine.Group("point(4'/m)"),
    ],
    "bases over exceptional groups; spinors of Spin(p,q) and Pin(n)": [
        lambda: intertwine.Group("G2").rep("vector") >> intertwine.Group("G2").rep("vector"),
        lambda: intertwine.Group("Spin(1,3)"),
        lambda: intertwine.Group("SO+(1,3)").rep("spinor"),
        lambda: intertwine.Group("Pin(3)"),
    ],
    "fused kernels for GPUs": [gsa_on_a_gpu],
}


def not_yet():
    table = (ROOT / "README.md").read_text().partition("| | where | not yet |\n")[2].partition("\n\n")[0]
    return [cells[-2].strip() for row in table.splitlines()[1:] if (cells := row.split("|"))[-2].strip()]


def test_what_readme_says_is_missing_has_a_question():
    assert not_yet() == list(NOT_YET)


@pytest.mark.parametrize("missing", NOT_YET)
def test_what_readme_says_is_missing_is_refused(missing):
    for question in NOT_YET[missing]:
        with pytest.raises(intertwine.Error):
            question()


@pytest.mark.parametrize("page", [p for p in PAGES if snippets(p) and name(p) not in RUN_ELSEWHERE], ids=name)
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks([SETTING.get(name(page), ""), *snippets(page)], name(page))
    compare_pictures(tmp_path, page)


@pytest.mark.parametrize(
    "block",
    re.findall(r"^```py\n(.*?)^```", (ROOT / "docs/formats.md").read_text(), re.DOTALL | re.MULTILINE),
    ids=lambda b: b.split()[1],
)
def test_formats_in_other_packages(block, tmp_path, monkeypatch):
    """Each alone: where its package is missing, the others are still run."""
    pytest.importorskip(block.split()[1].split(".")[0])
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(
        SETTING["docs/formats.md"]
        + "from intertwine import load_table\nM, N, P = table.rows, table.cols, table.params\n"
        + block,
        names,
    )
    assert "y" not in names or names["y"].shape == (5, 3, names["M"])


def test_gallery_is_whole(tmp_path, monkeypatch):
    page = ROOT / "docs" / "gallery.md"
    shown = re.findall(r"\(pictures/(\w+\.svg)\)", page.read_text())
    drawn = re.findall(r'picture\("(\w+\.svg)"\)', "".join(snippets(page)))
    assert len(shown) == 10 and shown == drawn


def program():
    """The program built here, or the one that INTERTWINE_PROGRAM names."""
    found = [
        shutil.which("intertwine"),
        *sorted(map(str, ROOT.glob("build*/bin/intertwine")), key=os.path.getmtime, reverse=True),
    ]
    path = os.environ.get("INTERTWINE_PROGRAM") or next(filter(None, found), None)
    if not path:
        pytest.skip("the program is not built here; INTERTWINE_PROGRAM names it")
    return path


def test_pictures_of_the_program(tmp_path):
    """Pictures that only the program draws: the commands that the pages show."""
    commands = 0
    for page in PAGES:
        for arguments in re.findall(
            r"^\$ intertwine (.* --(?:arcs|blocks) \w+\.svg) > \w+\.txt$", page.read_text(), re.MULTILINE
        ):
            subprocess.run(
                f"'{program()}' {arguments}", shell=True, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL
            )
            commands += 1
        compare_pictures(tmp_path, page)
    assert commands >= 2


def sessions_of(name, thing):
    """(name, docstring) of what has a session, of a class also those of its members."""
    members = (
        [(f"{name}.{k}", v) for k, v in vars(thing).items() if not k.startswith("_")] if isinstance(thing, type) else []
    )
    for label, value in [(name, thing), *members]:
        text = getattr(getattr(value, "__func__", value), "__doc__", None) or ""
        if ">>> " in text:
            yield label, text


SESSIONS = {
    label: (module, text)
    for name, (module, thing) in public().items()
    if name != "__version__"
    for label, text in sessions_of(name, thing)
}


@pytest.mark.parametrize("label", SESSIONS)
def test_sessions_in_docstrings(label, tmp_path, monkeypatch):
    """What a docstring shows is what happens, with the names of its module and of the package."""
    monkeypatch.chdir(tmp_path)
    module, text = SESSIONS[label]
    names = {**vars(intertwine), **vars(module)}
    test = doctest.DocTestParser().get_doctest(text, names, label, None, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


MOST_USED = """Group.rep Group.irrep Group.irreps Group.stabilizer Group.subgroup Group.character_table
Representation.decompose Representation.matrix Representation.sym Representation.alt Representation.induce
Representation.character Hom.table Hom.basis Hom.certificate automorphisms load_table verify molien_series polynomial_maps
clebsch_gordan wigner_3j hom_dimension molecule tensor_form correlation_table plethysm""".split()


@pytest.mark.parametrize("label", MOST_USED)
def test_docstrings_of_what_is_used_most(label):
    """In the sections of NumPy: parameters, what is given back, errors."""
    owner, _, member = label.partition(".")
    value = public()[owner][1]
    text = (getattr(value, member) if member else value).__doc__
    for section in ("Parameters", "Returns", "Raises"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text, section
    assert "Examples\n--------" in text or "path" in text or label in ("clebsch_gordan", "correlation_table")


@pytest.mark.parametrize(
    "name", "Group Representation Hom Table Matrix SpaceGroup Permutation Partition CoordinateRing".split()
)
def test_docstrings_of_values(name):
    """Parameters and errors where the class is called; where it is not, what makes its values."""
    text = public()[name][1].__doc__
    assert "\nExamples\n--------\n" in text
    assert "\nParameters\n----------\n" in text or "it is not called" in text


@pytest.mark.parametrize(
    ("name", "sections"), [("Crystal", "Parameters Attributes Raises Examples"), ("Molecule", "Attributes Examples")]
)
def test_docstrings_of_structures(name, sections):
    """molecule() has the parameters of a Molecule. What is listed as an attribute is one."""
    value = public()[name][1]
    parts = re.split(r"^([A-Z][a-z]+(?: Also)?)\n-{3,}$", value.__doc__, flags=re.MULTILINE)
    found = dict(zip(parts[1::2], parts[2::2]))
    assert set(sections.split()) | {"See Also"} <= found.keys()
    listed = re.findall(r"^([\w, ]+) : ", found["Attributes"], re.MULTILINE)
    attributes = [attribute for line in listed for attribute in line.split(", ")]
    assert len(attributes) >= 4 and [a for a in attributes if not hasattr(value, a)] == []


def test_docstring_of_the_package():
    assert doctest.testmod(intertwine).attempted > 0 and doctest.testmod(intertwine).failed == 0


@pytest.mark.parametrize("script", EXAMPLES, ids=name)
def test_examples(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out


def test_every_example_is_on_the_page():
    text = (ROOT / "docs" / "examples.md").read_text()
    folders = [f.parent for f in ROOT.glob("examples/*/README.md")]
    assert len(folders) >= 9
    for folder in folders:
        if not (folder / f"{folder.name}.py").exists():
            assert f"examples/{folder.name}" in (ROOT / "docs" / f"{folder.name}.md").read_text()
            continue
        assert f"../examples/{folder.name}/{folder.name}.py" in text and f"../examples/{folder.name}/README.md" in text


def test_every_formula_runs():
    """The last column of docs/formulas.md, in the names that the page begins with."""
    page = ROOT / "docs" / "formulas.md"
    names: dict = {}
    for line in snippets(page)[0].splitlines():
        if line.startswith(">>> "):
            exec(line[4:], names)
    codes = [
        code.replace("\\|", "|")
        for row in re.findall(r"^\|.*\| (`.*`) \|$", page.read_text(), re.MULTILINE)
        for code in re.findall(r"`([^`]+)`", row)
    ]
    assert len(codes) > 40
    for code in codes:
        eval(code, names)


def anchors(page):
    """Of the headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", h).strip().lower()).replace(" ", "-")
        for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


def broken_links(page, text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]*`", "", text)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^:link: (\S+)$", text, re.MULTILINE):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        goal = (page.parent / path) if path else page
        if not goal.suffix and goal.with_suffix(".md").exists():
            goal = goal.with_suffix(".md")
        included = (
            re.findall(r"```\{include\} (\S+)", goal.read_text()) if goal.suffix == ".md" and goal.exists() else []
        )
        known = (
            set().union(*(anchors(goal.parent / i) for i in included), anchors(goal))
            if anchor and goal.suffix == ".md" and goal.exists()
            else set()
        )
        if not goal.exists() or (anchor and goal.suffix == ".md" and anchor not in known):
            yield link


def test_links():
    assert len(EVERY_PAGE) > 20
    assert not {name(page): broken for page in EVERY_PAGE if (broken := list(broken_links(page, page.read_text())))}


def test_links_can_be_broken():
    page = ROOT / "docs" / "faq.md"
    assert list(broken_links(page, "[a](faq.md) [b](no.md) [c](faq.md#no) [d](#questions) [e](https://a.b/c)")) == [
        "no.md",
        "faq.md#no",
    ]


def test_every_page_is_in_the_site():
    """In one list of the first page, by name or by one of its patterns."""
    listed = re.findall(
        r"^[\w/\[\]]+\*?$",
        "".join(
            re.findall(
                r"^```\{toctree\}\n(.*?)^```", (ROOT / "docs" / "index.md").read_text(), re.DOTALL | re.MULTILINE
            )
        ),
        re.MULTILINE,
    )
    assert len(listed) == len(set(listed)) > 15
    pages = [name(p)[5:-3] for p in PAGES if p.name != "index.md"]
    assert not [page for page in pages if not any(fnmatch.fnmatch(page, pattern) for pattern in listed)]


def test_the_reference_has_every_public_name_and_every_command(tmp_path, monkeypatch):
    monkeypatch.setenv("INTERTWINE_PROGRAM", str(program()))
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import reference_pages

    (tmp_path / "reference" / "made").mkdir(parents=True)
    (tmp_path / "reference" / "made" / "gone.rst").write_text("of a class that is there no more")
    reference_pages.make(tmp_path)
    made = {path.name: path.read_text() for path in (tmp_path / "reference" / "made").iterdir()}
    assert "gone.rst" not in made
    described = set()
    for text in made.values():
        for module, rest in re.findall(r"currentmodule:: (\S+)\n(.*)", text, re.DOTALL):
            described |= {
                f"{module}.{name}" for name in re.findall(r"^\.\. (?:auto\w+|py:data):: (\w+)", rest, re.MULTILINE)
            }
    names = {
        f"{module.__name__}.{name.rpartition('.')[2]}"
        for name, (module, _) in public().items()
        if name != "__version__"
    }
    assert names <= described
    assert len(made) > 100 and "command_decompose.rst" in made and "help_groups.rst" in made
    assert "intertwine decompose" in made["commands.txt"]


def test_citations_become_links(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import bibliography

    works = bibliography.entries()
    assert len(works) == len(re.findall(r"^@", (ROOT / "docs/references.bib").read_text(), re.MULTILINE)) > 200
    assert not [text for text in works.values() if re.search(r"[{}\\$]", text)]
    assert works["Seress2003"].startswith("Ákos Seress. “Permutation Group Algorithms”. Cambridge Tracts")
    assert "https://doi.org/10.7566/JPSJ.92.012001" in works["Togo2023"]
    keys = set(works)
    linked = bibliography.link_in_markdown("[Dixon1967] `[Dixon1967]` [Dixon1967](a) [Nobody1999]\n", keys)
    assert linked == "[\\[Dixon1967\\]](#dixon1967) `[Dixon1967]` [Dixon1967](a) [Nobody1999]\n"
    there = "../reference/made/references.html"
    assert bibliography.link_in_html("[Dixon 1967; Nobody 1999]", keys) == (
        f'[<a href="{there}#dixon1967">Dixon 1967</a>; Nobody 1999]'
    )
    two = "[James &amp; Kerber 1981]"
    assert f'<a href="{there}#jameskerber1981">{two[1:-1]}</a>' in bibliography.link_in_html(two, keys)
    assert bibliography.page(works).count("\n.. _") == len(works)


def test_notebooks_hold_the_code_of_their_pages(tmp_path, monkeypatch):
    """And what sessions print: their cells run one after the other, and show it."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import notebooks

    made = {path.stem: json.loads(path.read_text()) for path in notebooks.write(tmp_path)}
    assert {"graphs", "images", "existing_model", "mathematics", "deep_learning"} <= set(made)
    for stem, book in made.items():
        page = next(p for p in notebooks.PAGES if p.stem == stem)
        code = [re.sub(r"^(>>>|\.\.\.) ?", "", line) for block in snippets(page) for line in block.splitlines()]
        needs, *cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
        assert needs == notebooks.NEEDS.format(names=notebooks.needs(page)).strip() and "'intertwine'" in needs
        assert all(line in code for cell in cells for line in cell.splitlines())
        for cell in cells:
            compile(cell, stem, "exec")
    exec(notebooks.NEEDS.format(names=["json", "intertwine"]), {})
    with pytest.raises(AssertionError, match="install no_such_package first"):
        exec(notebooks.NEEDS.format(names=["json", "no_such_package"]), {})
    shown, names = 0, {}
    for cell in made["mathematics"]["cells"]:
        if cell["cell_type"] == "code":
            *most, last = ast.parse("".join(cell["source"])).body
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(ast.Module(most, []), "cell", "exec"), names)
                sys.displayhook(eval(compile(ast.Expression(last.value), "cell", "eval"), names)) if isinstance(
                    last, ast.Expr
                ) else exec(compile(ast.Module([last], []), "cell", "exec"), names)
            wanted = "".join(text for output in cell["outputs"] for text in output["text"])
            assert printed.getvalue().split() == wanted.split()
            shown += bool(wanted)
    assert shown > 10


def test_the_commands_to_choose_from_are_all_and_answer(tmp_path):
    """docs/choose_command.md names every command, and those without a file of the reader's are run."""
    text = (ROOT / "docs" / "choose_command.md").read_text().partition("## Which output?")[0]
    shown = re.findall(r"`intertwine ([^`]+)`", text.partition("`intertwine help`")[0])
    readme = re.findall(r"^\| `([\w-]+)[^`]*` \|.*\| `intertwine ", (ROOT / "README.md").read_text(), re.MULTILINE)
    ending = re.findall(r"`([a-z-]+)`", text)  # commands that follow another one in its cell
    layers = {"init", "bench-layer", "schur-functor", "skew", "coproduct"}  # for those who know what they want
    assert len(readme) > 25 and set(readme) - {c.split()[0] for c in shown} - set(ending) == layers
    ran = 0
    for command in shown:
        if not re.search(r"…|\b[A-Z]{4,}\b|\.xyz|\.npy", command) and " " in command:
            subprocess.run(f"'{program()}' {command}", shell=True, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
            ran += 1
    assert ran > 10


def test_the_layers_to_choose_from_exist():
    pytest.importorskip("torch", reason="torch is not installed")
    import intertwine.nn as layers

    page = (ROOT / "docs" / "choose_layer.md").read_text()
    cells = [row.split("|") for row in page.splitlines() if row.startswith("| ")]
    named = [re.findall(r"`(\w+)(?:\(|`)", cells_of[column]) for cells_of in cells for column in (2, 3)]
    names = {name for group in named for name in group if name[0].isupper()} - {"Group", "ReLU"}
    assert len(names) > 15 and not [name for name in names if not hasattr(layers, name)]
