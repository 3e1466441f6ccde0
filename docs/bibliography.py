"""Citations of the site are links: a page of docs/references.bib, and links to it from pages of words and of C++.

Usage: python docs/bibliography.py FOLDER     links the citations of Doxygen's pages there, which lie beside the site's
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from pathlib import Path

DOCS = Path(__file__).parent
ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", "H": "\u030b"}
ACCENTS |= {"v": "\u030c", "c": "\u0327"}
FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
KEY = re.compile(r"(?<![\w`\[])\[([A-Z][A-Za-z]+(?:1[89]|20)\d\d[a-z]?)\](?![(\[:])")
NAMED = re.compile(r"\[([^\[\]<>]{2,120}? (?:1[89]|20)\d\d[a-z]?)\]")


def plain(text: str) -> str:
    """LaTeX as text."""
    text = re.sub(r"\\url\{([^}]*)\}", r"\1", text)
    text = re.sub(
        r"\\(?:(['`^~\"=])|([Hvc])(?=[ {]))\s*\{?\\?([A-Za-z])\}?",
        lambda found: unicodedata.normalize("NFC", found[3] + ACCENTS[found[1] or found[2]]),
        text,
    )
    text = text.replace(r"\ss", "ß").replace(r"\&", "&").replace("---", "–").replace("--", "–").replace("~", " ")
    return re.sub(r"[{}$]|\\(?=[a-z])", "", text)


def entries(bib: Path = DOCS / "references.bib") -> dict[str, str]:
    """{key: authors, title, where it appeared} of every work."""
    found = {}
    for key, body in re.findall(r"^@\w+\{([^,\s]+),(.*)\}$", bib.read_text(encoding="utf-8"), re.MULTILINE):
        raw = dict(FIELD.findall(body))
        field = {name: plain(value) for name, value in raw.items()}
        names = plain(raw.get("author") or raw.get("editor", "")).split(" and ")
        authors = ", ".join(" ".join(reversed(name.split(", ", 1))) for name in names if name)
        where = field.get("journal") or field.get("booktitle") or field.get("series", "")
        where += f" {field['volume']}" if where and "volume" in field else ""
        where += f", {field['pages']}" if "pages" in field else ""
        house = field.get("publisher") or field.get("institution") or field.get("school") or field.get("howpublished")
        last = f"https://doi.org/{field['doi']}" if "doi" in field else ""
        parts = [authors, f"“{field['title']}”", where, house, field["year"]]
        found[key] = ". ".join(part.strip(" .") for part in parts if part) + "." + (f" {last}" if last else "")
    return found


def page(works: dict[str, str]) -> str:
    """The page, as reStructuredText: one paragraph a work, with a target of its name."""
    text = ":orphan:\n\nReferences\n==========\n\nWhat the code and its documentation cite.\n"
    for key in sorted(works):
        words = re.sub(r"([\\*|`_])", r"\\\1", works[key])
        text += f"\n.. _{key.lower()}:\n\n**{key}** {words}\n"
    return text


def link_in_markdown(text: str, keys: set[str]) -> str:
    """[Maron2019] becomes a link, where it is a work and no code."""
    parts = re.split(r"(^```.*?^```|`[^`\n]*`)", text, flags=re.DOTALL | re.MULTILINE)
    for k in range(0, len(parts), 2):
        parts[k] = KEY.sub(
            lambda found: rf"[\[{found[1]}\]](#{found[1].lower()})" if found[1] in keys else found[0], parts[k]
        )
    return "".join(parts)


def link_in_html(text: str, keys: set[str]) -> str:
    """[Dixon 1967; Carter &amp; Lusztig 1974] has a link for each work that is found."""
    by_name = {key.lower(): key for key in keys}

    def linked(citation: str) -> str:
        names = re.split(r", and |, &amp; |, | &amp; | and ", citation.rpartition(" ")[0].removesuffix(" et al."))
        year = citation.rpartition(" ")[2]
        bare = "".join(re.sub(r"[^A-Za-z]", "", unicodedata.normalize("NFKD", html.unescape(n))) for n in names)
        fits = [key for name, key in by_name.items() if name == f"{bare}{year}".lower()]
        if not fits and " et al." in citation:
            fits = [key for name, key in by_name.items() if name.startswith(bare.lower()) and name.endswith(year)]
        return (
            f'<a href="../reference/made/references.html#{fits[0].lower()}">{citation}</a>'
            if len(fits) == 1
            else citation
        )

    return NAMED.sub(lambda found: "[" + "; ".join(map(linked, re.split(r"(?<!&amp); ", found[1]))) + "]", text)


def main(folder: Path) -> None:
    keys, links = set(entries()), 0
    for file in sorted(folder.glob("*.html")):
        before = file.read_bytes().decode()
        after = link_in_html(before, keys)
        links += after.count("references.html#")
        if after != before:
            file.write_bytes(after.encode())
    print(f"bibliography: {links} citations are links")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
