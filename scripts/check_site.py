#!/usr/bin/env python3
"""Checks a site that was built: every public name has an entry with a page, no page is above 300 kB, all is below 20 MB.

Usage: python scripts/check_site.py build/docs/html, with a Python that has the package and Sphinx.
"""

import importlib
import pathlib
import sys

MAX_PAGE, MAX_SITE = 300_000, 20_000_000


def missing(inventory, packages):
    """The names of __all__ that the inventory does not have."""
    found = {name for kind, names in inventory.items() if kind.startswith("py:") for name in names}
    wanted = [f"{package}.{name}" for package in packages for name in importlib.import_module(package).__all__]
    return [name for name in wanted if name not in found]


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
    if not missing({}, ["intertwine"]):
        wrong.append("an empty inventory is taken for a whole one")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{site}: {len(sizes)} files, {total / 1e6:.1f} MB, {len(wrong)} faults")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
