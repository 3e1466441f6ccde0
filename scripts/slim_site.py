#!/usr/bin/env python3
"""Takes from the pages of the site what no reader sees: indentation, empty lines, and what is alike on all pages.

A page of 15 kB is half boilerplate, and there are some 700: the site has a limit of 20 MB (check_site.py). Icons go to
_static/icons.js, which works from a folder as well as from a server, and colours to _static/colours.css. The maps of
style sheets are for those who write them.
"""

import json
import pathlib
import re
import sys

KEPT = re.compile(r"(<(pre|script|textarea|style)\b.*?</\2>)", re.S)
ICONS = re.compile(r'<svg xmlns="[^"]*" style="display: none;">\s*<symbol.*</symbol>\s*</svg>', re.S)
COLOURS = re.compile(r"<style>(\s*body \{\s*--color-code-background.*?)</style>", re.S)
ROOT = re.compile(r'<html [^>]*data-content_root="([^"]*)"')


def without_whitespace(page: str) -> str:
    pieces = KEPT.split(page)  # text, what is kept, the name of its tag, text, ...
    return "".join(
        re.sub(r"\n\s*", "\n", piece) if i % 3 == 0 else piece for i, piece in enumerate(pieces) if i % 3 < 2
    )


def slim(page: str, shared: dict[str, str]) -> str:
    """The page with links to the files of `shared`, which becomes what this page has of them."""
    root = ROOT.search(page)
    if root:
        for name, pattern, link in (
            ("icons.js", ICONS, '<script src="{}_static/icons.js"></script>'),
            ("colours.css", COLOURS, '<link rel="stylesheet" type="text/css" href="{}_static/colours.css" />'),
        ):
            found = pattern.search(page)
            if found and shared.setdefault(name, found[found.lastindex or 0]) == found[found.lastindex or 0]:
                page = page[: found.start()] + link.format(root[1]) + page[found.end() :]
    return without_whitespace(page)


def main(site: pathlib.Path) -> None:
    before = after = 0
    shared: dict[str, str] = {}
    for file in sorted(site.rglob("*.html")):
        page = file.read_bytes().decode()
        slimmed = slim(page, shared)
        before, after = before + len(page), after + len(slimmed)
        file.write_bytes(slimmed.encode())
    # Pages that were slimmed by an earlier build have their links, and the files stay.
    if icons := shared.get("icons.js"):
        text = json.dumps(without_whitespace(icons))
        (site / "_static" / "icons.js").write_text(f'document.currentScript.insertAdjacentHTML("afterend", {text});\n')
    if colours := shared.get("colours.css"):
        (site / "_static" / "colours.css").write_text(colours)
    for file in (site / "_static").rglob("*.map"):
        file.unlink()
    print(f"slim_site: {before / 1e6:.1f} million characters of pages become {after / 1e6:.1f}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
