"""The documentation site: ./scripts/docs builds it. Nothing here asks the network."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import intertwine

sys.path.insert(0, str(Path(__file__).parent))
import bibliography
import notebooks
import reference_pages
from sphinx.domains.python import PyObject
from sphinx.ext.napoleon import Config, NumpyDocstring

project = "Intertwine"
author = "The Intertwine developers"
copyright = "the Intertwine developers, Apache 2.0"
version = release = intertwine.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "sphinx_design"]
exclude_patterns = ["requirements.txt", "paper", "reference/made/*.txt"]  # the paper is for a journal
myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 4
nitpicky = False  # types of other packages have no pages here; references of Markdown are errors all the same
suppress_warnings = [
    "misc.highlighting_failure",  # outputs of programs in blocks of other languages
    "ref.python",  # words in the types of parameters, such as channels, that several classes have as a member
]

html_theme = "furo"
html_title = "Intertwine"
html_static_path = ["static"]
templates_path = ["templates"]
# The list of all pages is a third of a short page: those of the reference lead to the chapters only.
html_sidebars = {
    "reference/made/*": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "chapters.html",
        "sidebar/scroll-end.html",
    ]
}
html_css_files = ["site.css"]
html_favicon = "static/mark.svg"
html_show_sphinx = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "sidebar_hide_name": False,
    "light_logo": "mark.svg",
    "dark_logo": "mark.svg",
    "light_css_variables": {"color-brand-primary": "#0b5f8a", "color-brand-content": "#0b5f8a"},
    "dark_css_variables": {"color-brand-primary": "#6bb8e0", "color-brand-content": "#6bb8e0"},
}
# Every colour of these has a contrast of at least 4.5 to its background, which scripts/check_site.py computes.
pygments_style, pygments_dark_style = "a11y-light", "a11y-high-contrast-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_inherit_docstrings = False  # every layer would repeat the words of torch.nn.Module.forward
autodoc_preserve_defaults = True
maximum_signature_line_length = 100
try:
    import torch  # noqa: F401
except ImportError:  # then layers are described without it
    autodoc_mock_imports = ["torch"]

LIMITS = re.compile(
    r"(, )?(\*, )?memory: [^=]*= None, seconds: [^=]*= None, progress: (\[[^]]*\]|[^=\[])*(\[[^=]*\])?[^=]*= None"
    r"(, threads: [^=]*= None)?"
)


def readable(
    app: Any, what: str, name: str, thing: object, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Signatures of compiled functions, without what all of them share: the four limits, and the names of modules."""

    def short(text: str | None) -> str | None:
        if text is None:
            return None
        text = re.sub(r"^\(self(, /)?(, )?", "(", text)
        text = LIMITS.sub(lambda found: ", **limits" if found[1] else "**limits", text)
        return re.sub(
            r"\b(collections\.abc|typing|fractions|numpy\.typing|types|intertwine\._core|intertwine)\.(?=[A-Z])",
            "",
            text,
        ).replace("\\", "")

    return short(signature), short(returns)


def plain_prose(app: Any, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Docstrings are prose with `code` in single quotes: stars, bars, underscores and @ are themselves."""
    for k, line in enumerate(lines):
        if line.lstrip().startswith((">>>", "...")):
            continue
        parts = re.split(r"(``?[^`]+``?)", line)
        for i, part in enumerate(parts):
            parts[i] = (
                f"``{part.strip('`')}``"
                if part.startswith("`") and len(part) > 2
                else re.sub(r"([\\*|`@]|(?<=\w)_(?!\w))", r"\\\1", part)
            )
        lines[k] = "".join(parts)
    if any(re.fullmatch("-{3,}", line) for line in lines):  # NumPy's sections; other texts with a colon are prose
        # Names that share a text stay together, and Shape is a section of PyTorch's documentation.
        # Annotations of attributes are not those of parameters with the same names.
        config = Config(
            napoleon_use_ivar=True,
            napoleon_use_param=False,
            napoleon_attr_annotations=False,
            napoleon_custom_sections=["Shape"],
        )
        lines[:] = str(NumpyDocstring(lines, config, app, what, name, thing, options)).split("\n")


def without_last_line(app: Any, page: str, source: list[str]) -> None:
    """Sessions end in an empty line, which is for doctest alone."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def links_of_citations(app: Any, page: str, source: list[str]) -> None:
    if Path(app.srcdir, f"{page}.md").exists():
        source[0] = bibliography.link_in_markdown(source[0], set(bibliography.entries()))


def link_of_notebook(app: Any, page: str, source: list[str]) -> None:
    """Below the title of a lesson."""
    if "```python" in source[0] and Path(app.srcdir, f"{page}.md") in notebooks.PAGES:
        up, name = "../" * page.count("/"), page.rpartition("/")[2]
        asked = [f"<code>{n}</code>" for n in notebooks.needs(Path(app.srcdir, f"{page}.md")) if n != "intertwine"]
        packages = f" It needs {', '.join(asked)}." if asked else " It needs no other package."
        link = f'<p><a href="{up}notebooks/{name}.ipynb" download>Download this page as a notebook.</a>{packages}</p>'
        source[0] = re.sub(r"^(# .*)\n", rf"\1\n\n{link}\n", source[0], count=1)


TABLE = re.compile(r"^(!\[[^]]*\]\(pictures/(\w+)\.svg\))$", re.MULTILINE)


def links_of_tables(app: Any, page: str, source: list[str]) -> None:
    """Below the pictures of tables: a page to look around in, which `write_tables` makes."""
    if page in ("index", "gallery"):
        link = r'<p><a href="tables/\2.html">Look around in this table</a></p>'
        source[0] = TABLE.sub(rf"\1\n\n{link}", source[0])


def write_tables(app: Any, error: Exception | None) -> None:
    """The tables of the front page and of the gallery, whose lines are run, as pages."""
    if error is not None or app.builder.format != "html":
        return
    blocks = re.findall(r"^```python\n(.*?)^```", Path(app.srcdir, "gallery.md").read_text(), re.DOTALL | re.MULTILINE)
    front = 'image = Group("p4m(8,8)").rep("perm")\n(image >> image).table().picture("image_layer.svg")\n'
    folder = Path(app.outdir) / "tables"
    folder.mkdir(exist_ok=True)
    names: dict[str, object] = {}
    here = os.getcwd()
    try:
        os.chdir(folder)
        for block in [*blocks, front]:
            exec(compile(block.replace('.svg")', '.html")'), "gallery", "exec"), names)
    finally:
        os.chdir(here)


def write_notebooks(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        notebooks.write(Path(app.outdir) / "notebooks")


for field in PyObject.doc_field_types:
    if field.name == "variable":
        field.label = "Attributes"  # as the docstrings have it


def setup(app: Any) -> None:
    app.connect("source-read", links_of_citations)
    app.connect("source-read", link_of_notebook)
    app.connect("source-read", links_of_tables)
    app.connect("build-finished", write_tables)
    app.connect("build-finished", write_notebooks)
    app.connect("builder-inited", lambda app: reference_pages.make(Path(app.srcdir)))
    app.connect("source-read", without_last_line)
    app.connect("autodoc-process-signature", readable)
    app.connect("autodoc-process-docstring", plain_prose)
