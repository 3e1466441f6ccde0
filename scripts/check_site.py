#!/usr/bin/env python3
"""Checks a site that was built: every public name has an entry with a page, no page is above 300 kB, all is below 20
MB, and every colour of code has a contrast of at least 4.5 to its background.

Usage: python scripts/check_site.py build/docs/html, with a Python that has the package and Sphinx.
"""

import importlib
import pathlib
import re
import sys

MAX_PAGE, MAX_SITE, MIN_CONTRAST = 300_000, 20_000_000, 4.5


def missing(inventory, packages):
    """The names of __all__ that the inventory does not have."""
    found = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    wanted = [f"{package}.{name}" for package in packages for name in importlib.import_module(package).__all__]
    return [name for name in wanted if name not in found]


def luminance(colour):
    """By WCAG 2.1, of #rgb or #rrggbb."""
    digits = colour.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def faint(sheet):
    """The rules of pygments.css whose text is too near to the background of its theme."""
    background = {}
    for selector, rule in re.findall(r"^(.*?) \{(.*?)\}", sheet, re.MULTILINE):
        theme, _, token = selector.strip().partition(".highlight")
        if not token and (found := re.search(r"background: (#[0-9A-Fa-f]+)", rule)):
            background[theme] = found[1]
        elif re.fullmatch(r" \.\w+", token) and (found := re.search(r"(?<![-\w])color: (#[0-9A-Fa-f]+)", rule)):
            behind = re.search(r"background-color: (#[0-9A-Fa-f]+)", rule)
            ratio = contrast(found[1], behind[1] if behind else background[theme])
            if ratio < MIN_CONTRAST:
                yield f"{selector.strip()} has a contrast of {ratio:.1f}; at least {MIN_CONTRAST} can be read"
    if len(background) < 2:
        yield "pygments.css does not say what is behind code in both themes"


def main():
    from sphinx.util.inventory import InventoryFile

    site = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "docs"))
    import reference_pages

    with open(site / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, page: page)
    wrong = [f"{name} has no entry in the reference" for name in missing(inventory, reference_pages.packages())]
    sizes = {path: path.stat().st_size for path in site.rglob("*") if path.is_file()}
    wrong += [
        f"{path.relative_to(site)} has {size} bytes; a page has at most {MAX_PAGE}"
        for path, size in sizes.items()
        if path.suffix == ".html" and size > MAX_PAGE
    ]
    total = sum(sizes.values())
    if total > MAX_SITE:
        wrong.append(f"the site has {total} bytes; it may have {MAX_SITE}")
    wrong += faint((site / "_static" / "pygments.css").read_text())
    if not missing({}, ["intertwine"]):
        wrong.append("an empty inventory is taken for a whole one")
    if len(list(faint(".highlight { background: #fff; }\n.highlight .c { color: #999 }"))) != 2:
        wrong.append("grey on white is taken for readable")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{site}: {len(sizes)} files, {total / 1e6:.1f} MB, {len(wrong)} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
