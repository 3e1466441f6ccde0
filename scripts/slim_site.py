"""Takes from the pages of the site what no reader sees: indentation and empty lines, and icons that a page does not show.

A page of 15 kB is half boilerplate, and there are some 700: the site has a limit of 20 MB (check_site.py).
"""

import pathlib
import re
import sys

KEPT = re.compile(r"(<(pre|script|textarea|style)\b.*?</\2>)", re.S)
ICON = re.compile(r'\s*<symbol id="([^"]*)".*?</symbol>', re.S)


def slim(page: str) -> str:
    page = ICON.sub(lambda icon: icon[0] if f'"#{icon[1]}"' in page else "", page)
    pieces = KEPT.split(page)  # text, what is kept, the name of its tag, text, ...
    return "".join(
        re.sub(r"\n\s*", "\n", piece) if i % 3 == 0 else piece for i, piece in enumerate(pieces) if i % 3 < 2
    )


def main(site: pathlib.Path) -> None:
    before = after = 0
    for file in sorted(site.rglob("*.html")):
        page = file.read_bytes().decode()
        slimmed = slim(page)
        before, after = before + len(page), after + len(slimmed)
        file.write_bytes(slimmed.encode())
    print(f"slim_site: {before / 1e6:.1f} million characters of pages become {after / 1e6:.1f}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
