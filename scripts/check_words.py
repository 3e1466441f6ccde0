#!/usr/bin/env python3
"""Counts the sentences and paragraphs of the pages, by the rules of docs/style.md.

Usage: scripts/check_words.py [--self-test] [--all] [PAGE...]     all pages unless some are named

A page passes when its mean sentence has at most 22 words, each sentence at most 40 and each paragraph at most 90, and
no sentence says what was once or begins without a subject. --all prints the figures of every page.

Code in backticks and formulas are one word each. Blocks of code and headings do not count. The cells of tables have the
limits of sentences and paragraphs; the mean leaves them out, since they are fragments.
"""

import re
import sys
from pathlib import Path

MEAN, SENTENCE, PARAGRAPH = 22, 40, 90
ROOT = Path(__file__).resolve().parent.parent
# Specifications are looked up, and the changelog is a list.
EXEMPT = {"docs/formats.md", "docs/conventions.md", "docs/CHANGELOG.md"}
BAD = {
    r"\b(since then|until now|up to now|formerly|used to be|by now|these days)\b": "history",
    r"^Of (?!course)": "a sentence that begins with Of",
    r"^The same,? (?:for|of|with|in|by)\b": "a sentence without a subject",
    r"\b(busy|loaded) machine\b": "a remark on the load of a machine",
}


def blocks(text):
    """(is it a cell, its words as text, the line where it begins) for every paragraph, item and cell of a page."""
    text = re.sub(r"\A---\n.*?\n---\n", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    paragraph, begin, fence = [], 0, None

    def whole():
        found = (False, " ".join(paragraph), begin)
        paragraph.clear()
        return found

    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        mark = re.match(r"(`{3,}|~{3,})", bare)
        if fence or mark:
            if paragraph:
                yield whole()
            if fence and mark and bare == mark[1] and len(mark[1]) >= len(fence):
                fence = None
            elif not fence:
                fence = mark[1]
            continue
        if bare.startswith("|"):
            if paragraph:
                yield whole()
            for cell in re.split(r"(?<!\\)\|", bare.strip("|")):
                if not re.fullmatch(r"[\s:-]*", cell):
                    yield True, cell.strip(), number
            continue
        code = line.startswith("    ") and not paragraph
        if not bare or code or re.match(r"(#|:::|:[\w-]+:|!\[|\$\$|\\\[|<|---)", bare):
            if paragraph:
                yield whole()
            continue
        item = re.match(r"([-*+]|\d+\.) +", bare)
        if item and paragraph:
            yield whole()
        if not paragraph:
            begin = number
        paragraph.append(bare[item.end() :] if item else bare)
    if paragraph:
        yield whole()


def plain(text):
    text = re.sub(r"``.+?``|`[^`]+`|\$[^$]+\$", "code", text)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)(\{[^}]*\})?", r"\1", text)
    return re.sub(r"(?<!\w)[*_]{1,2}|[*_]{1,2}(?!\w)", "", text)


def sentences(text):
    return re.split(r"(?<=[.!?])[)\"”’]*\s+(?=[\"“‘(]?[A-Z0-9]|code\b)", text)


def words(text):
    return len([word for word in text.split() if re.search(r"[^\W_]", word)])


def judge(text):
    """The mean sentence, how many there are, and (line, complaint) for what breaks a rule."""
    lengths, found = [], []
    for is_cell, raw, line in blocks(text):
        block = plain(raw)
        if (count := words(block)) > PARAGRAPH:
            found.append((line, f"a paragraph of {count} words; at most {PARAGRAPH}"))
        for sentence in sentences(block):
            count = words(sentence)
            if count > SENTENCE:
                found.append((line, f"a sentence of {count} words; at most {SENTENCE}: {sentence[:60]}..."))
            for pattern, name in BAD.items():
                if re.search(pattern, sentence):
                    found.append((line, f"{name}: {sentence[:60]}..."))
            if count and not is_cell:
                lengths.append(count)
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    if mean > MEAN:
        found.insert(0, (1, f"the mean sentence has {mean:.1f} words; at most {MEAN}"))
    return mean, len(lengths), found


def pages():
    return ["README.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]


SELF_TEST = {
    "It takes a second on a busy machine.": ["a remark on the load of a machine"],
    "Word " * 24 + "end. One more sentence.\n": [],
    "Word " * 41 + "end.\n": ["the mean", "a sentence of 42"],
    "Two words here. " * 31 + "\n": ["a paragraph of 93"],
    "- " + "Two words here. " * 20 + "\n- " + "Two words here. " * 20 + "\n": [],
    "It is so since then. Of groups it knows all. The same for fields.\n": ["history", "a sentence that", "a sentence wi"],
    "```sh\n" + "word " * 99 + "\n```\n# " + "word " * 99 + "\nShort text with `" + "code " * 99 + "`.\n": [],
    "| a cell | " + "word " * 41 + "|\n|---|---|\n": ["a sentence of 41"],
    "A [" + "link " * 3 + "](" + "x" * 9 + ") ends e.g. here. The next one begins.\n": [],
}  # fmt: skip


def self_test():
    wrong = []
    for text, expected in SELF_TEST.items():
        found = [complaint for _, complaint in judge(text)[2]]
        if len(found) != len(expected) or not all(f.startswith(e) for f, e in zip(found, expected)):
            wrong.append(f"check_words: {text[:40]!r}: expected {expected}, found {found}")
    return wrong


def main(arguments):
    if "--self-test" in arguments:
        wrong = self_test()
        print("\n".join(wrong) or "check_words: the self-test passed")
        return 1 if wrong else 0
    named = [name for name in arguments if not name.startswith("-")]
    found, total, count = [], 0.0, 0
    for name in named or pages():
        mean, number, complaints = judge((ROOT / name).read_text(encoding="utf-8"))
        if "--all" in arguments:
            print(f"{mean:5.1f} {number:5} sentences {len(complaints):4} complaints  {name}")
        if name in EXEMPT and not named:
            continue
        total, count = total + mean * number, count + number
        found += [f"{name}:{line}: {complaint}" for line, complaint in complaints]
    print("\n".join(found) or f"check_words: mean sentence {total / max(count, 1):.1f} words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
