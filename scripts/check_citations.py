#!/usr/bin/env python3
"""Checks that every work that is cited has an entry in docs/references.bib, and every entry is cited.

Usage: scripts/check_citations.py [--self-test] [ROOT]

A citation is a name or several with a year, in brackets or in running text of a comment or of a page: [Dixon 1967;
Schneider 1990], [Carter & Lusztig 1974], "Clausen & Baum (1993)", [Celler et al. 1995], or the key itself, [Maron2019]
and, as Pandoc has it, [@Maron2019].
Its entry's key is the surnames one after the other and the year: Dixon1967, CarterLusztig1974; "et al." stands for the
other surnames. Prints FILE: REASON for every work without an entry and every entry without a citation; exit status 1 if
there is one.
"""

import re
import sys
import tempfile
import unicodedata
from pathlib import Path

FOLDERS = ("include", "src", "apps", "bench", "tests", "docs", "examples")
SOURCES = (".hpp", ".cpp", ".h", ".cu")
SURNAME = r"(?:(?:[Dd]el?|[Vv]an(?: der)?|von|El) )?[A-Z][\w'’]+(?:-[A-Z][\w'’]+)*"
CITATION = re.compile(
    rf"({SURNAME}(?:(?:, | & | and |, and |, & ){SURNAME})*(?: et al\.)?)(?:,)? \(?((?:1[89]|20)\d\d[a-z]?)\b(?!-\d)"
)  # no date
KEY = re.compile(
    r"(?:\[|@)([A-Z][A-Za-z]+(?:1[89]|20)\d\d[a-z]?)(?=[],;])"
)  # also a citation: [Maron2019], [@Maron2019]
NO_NAMES = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
    "In",
    "Since",
    "Copyright",
    "Unicode",
    "IEEE",
    "GAP",
    "Sage",
    "Magma",
}


def plain(text):
    """Letters alone, without accents: the form that keys have."""
    return re.sub(r"[^A-Za-z]", "", unicodedata.normalize("NFKD", text))


def prose(path):
    """The comments of a source, or a whole page, as running text."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix in SOURCES:
        text = "\n".join(found[2:] for found in re.findall(r"//[^\n]*", text))
        text = re.sub(r"\n\s*[/!<]*", " ", text)
    return re.sub(r"\s+", " ", text)


def citations(path):
    """(surnames, year, is it short for more) for every citation of a file."""
    for names, year in CITATION.findall(prose(path)):
        short = names.endswith(" et al.")
        surnames = re.split(r", and |, & |, | & | and ", names.removesuffix(" et al."))
        if surnames[-1] not in NO_NAMES:
            yield surnames, year, short
    for key in KEY.findall(prose(path)):
        yield [key[:-4]], key[-4:], False


def check(root):
    bib = root / "docs" / "references.bib"
    keys = re.findall(r"^@\w+\{([^,\s]+),", bib.read_text(encoding="utf-8"), re.M)
    found, used = [], set()
    for name in sorted(set(keys)):
        if keys.count(name) > 1:
            found.append(f"docs/references.bib: {name} is there twice")
    paths = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in SOURCES + (".md",)]
    for path in paths + sorted(root.glob("*.md")):
        for surnames, year, short in citations(path):
            key = "".join(map(plain, surnames))
            # Running text before the first surname may look like one: the last ones count.
            ends = ["".join(map(plain, surnames[k:])) for k in range(len(surnames))]
            match = [
                k
                for k in keys
                if k.lower() in [end.lower() + year for end in ends]
                or (short and k.lower().startswith(key.lower()) and k.endswith(year))
            ]
            used.update(match)
            if not match:
                found.append(
                    f"{path.relative_to(root)}: [{' & '.join(surnames)}{' et al.' if short else ''} {year}] "
                    f"has no entry {key}{year} in docs/references.bib"
                )
    return found + [f"docs/references.bib: {key} is cited nowhere" for key in keys if key not in used]


SELF_TEST = {
    "docs/references.bib": "@book{Dixon1967, author = {}}\n@article{CarterLusztig1974, x}\n@misc{CellerMurray1995, x}\n@misc{Idle2000, x}\n",
    "src/a.cpp": "/// By halves [Dixon 1967; Carter &\n/// Lusztig 1974].\nint x; // [Unknown 1999]\n",
    "docs/page.md": "Random words [Celler et al. 1995], as Dixon (1967) says; in May 2020 [Celler 1995]. JSON (2026-11-27).\n",
    "docs/paper/paper.md": "By halves [@Dixon1967; @Nobody1999].\n",
}
EXPECTED = {
    "src/a.cpp: [Unknown 1999]",
    "docs/page.md: [Celler 1995]",
    "docs/paper/paper.md: [Nobody 1999]",
    "docs/references.bib: Idle2000 is cited",
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SELF_TEST.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        reported = check(Path(folder))
    return [
        f"not reported: {start}" for start in sorted(EXPECTED) if not any(line.startswith(start) for line in reported)
    ] + [f"reported though right: {line}" for line in reported if not any(line.startswith(start) for start in EXPECTED)]


def main(arguments):
    if "--self-test" in arguments:
        problems, good = self_test(), "check_citations: the self-test passed"
    else:
        problems = check(Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent)
        good = "check_citations: every citation has its entry"
    print("\n".join(problems) or good)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
