#!/usr/bin/env python3
"""A mutation test of the checkers: every leaf, list and object of every kind of file that they take is changed in every
way that fits it, values of other files among them, a quarter at two places; digests are made again.

Usage: test_mutants.py PROGRAM [--long] [--coq FOLDER]

Each mutant has a verdict of one line from every checker, in time, and is refused; or what it says is proved to be true:
`verify` of PROGRAM accepts it, or exact elimination over Q does, or what was changed is a leaf that docs/trust.md calls
the writer's word. The checkers agree with one another, but for what one of them does not look at. The short form takes
3000 of some 58 000 mutants, --long 30 000. --coq FOLDER names a build of the verified checker, which takes those
mutants of tables that are binary files and all others, beside the one in Python alone. GAP is left out with a word
where it is not there. Exit status 77 without NumPy.
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

try:
    import numpy  # noqa: F401
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)

import forms
import verdicts
from mutants import NESTED, changes, mutants, restored, steps
from test_checkers import is_true

TABLES = ["C1", "S3", "C3", "D4", "A4", "C2 x C2"]
IRREPS = ["C1", "S3", "C3", "Q8", "D5", "A4"]
TIES = [
    ("S3", "perm", "perm"),
    ("D4", "coordinates", "perm"),
    ("C1", "2*perm", "perm"),
    ("S3", "sign", "perm"),
    ("S3", "standard", "standard"),
    ("D5", "irrep(2)", "irrep(2)"),
    ("D5", "irrep(3)", "perm"),
    ("SO(2)", "vector", "vector"),
    ("O(2)", "vector", "vector"),
]
BLOCKS = [("S3", "2*perm + 3*trivial", "perm"), ("D5", "2*irrep(2) + trivial", "2*irrep(2)+perm")]

COUNT, LONG, SEED = 3000, 30_000, 20261129

# What the documents say and no proof follows for: the writer's word, listed in docs/trust.md.
WORDS_OF_CHARACTERS = {
    "intertwine",
    "group",
    "class_names",
    "names",
    "name",
    "field",
    "over_character_field",
    "construction",
    "command",
}
WORDS_OF_TABLES = {
    "producer",
    "group",
    "rep_in",
    "rep_out",
    "convention",
    "field",
    "order",
    "sign_rule",
    "kernel",
    "certificate",
    "generators",
    "version",
}
WORDS_OF_TABLES |= {"multiplicity_in", "multiplicity_out"}


def words(path: tuple, table: bool) -> bool:
    """Is what was changed the writer's word?"""
    if table:
        key = str(path[1]).rpartition(".")[2] if path[0] == "metadata" and len(path) > 1 else ""
        return key in WORDS_OF_TABLES or (key == "proof" and path[2:4] == (NESTED, "generators"))
    keys = path[2:3] if path[0] == "irreps" else path[:1]
    return bool(set(keys) & WORDS_OF_CHARACTERS)


# What only some of the checkers look at, by the last name of a path that is no number.
NOT_OF_GAP = {"base", "words", "strong_generators", "prime", "root"}
NOT_OF_COQ = {
    "sha256",
    "prime",
    "root",
    "certificate",
    "multiplicity_in",
    "multiplicity_out",
    "field_generator",
    "version",
}

# These leaves of a file are not in the theorems of characters and representations.
NOT_OF_THEOREMS = {
    "base",
    "words",
    "strong_generators",
    "indicators",
    "power_maps",
    "indicator",
    "irrep",
    "rows",
    "multiplicity",
    "over",
    "seed",
}


def names(path: tuple) -> set[str]:
    return {str(step).rpartition(".")[2] for step in path if isinstance(step, str)} - {NESTED}


def written(program: str, folder: Path) -> list[tuple[str, dict]]:
    """The documents that are true."""
    found, file = [], folder / "true.json"
    for command, groups in (("chartable", TABLES), ("irreps", IRREPS)):
        for group in groups:
            subprocess.run([program, command, group, "--proof", "--output", file, "--quiet"], check=True)
            found.append((f"{command} {group}", json.loads(file.read_text())))
    for single, cases in ((True, TIES), (False, BLOCKS)):
        for group, rep_in, rep_out in cases:
            command = [
                program,
                "tie",
                group,
                "--in",
                rep_in,
                "--out",
                rep_out,
                "--proof",
                "--no-closure",
                "--quiet",
                "--output",
                file,
            ]
            subprocess.run([*command, *["--single"] * single], check=True)
            found.append((f"tie {group} {rep_in} {rep_out}", json.loads(file.read_text())))
    return found


def tables_of(document: dict) -> list[dict]:
    """The table, or the blocks."""
    metadata = document["metadata"]
    if metadata.get("intertwine.kind") != "blocks":
        return [document]
    out = []
    for i in range(int(metadata["intertwine.parts_out"])):
        for j in range(int(metadata["intertwine.parts_in"])):
            block = {
                name.removeprefix(f"block.{i}.{j}."): x
                for name, x in document.items()
                if name.startswith(f"block.{i}.{j}.")
            }
            own = {key.replace(f"block.{i}.{j}.", ""): x for key, x in metadata.items() if f"block.{i}.{j}." in key}
            out.append({**block, "metadata": own})
    return out


def true_over_q(document: dict) -> bool:
    """By exact elimination, of tables over Q with integral bases."""
    try:
        return all("intertwine.field_generator" not in t["metadata"] and is_true(t) for t in tables_of(document))
    except (KeyError, IndexError, TypeError, ValueError, ZeroDivisionError, OverflowError):
        return False


class Mutant:
    def __init__(self, source: str, original: dict, paths: list[tuple], way: str, document: dict, file: Path) -> None:
        self.source, self.original, self.paths, self.way = source, original, paths, way
        self.document, self.file = document, file
        self.table = source.startswith("tie")
        self.found: dict[str, tuple[int, str]] = {}

    def names(self) -> set[str]:
        return set().union(*map(names, self.paths))

    def __str__(self) -> str:
        where = " and ".join("/".join(map(str, path)) for path in self.paths)
        return f"{self.source}: {where}: {self.way}: {self.found}\n{self.file}"


def again(document: object, rng: random.Random) -> tuple[tuple, str, dict] | None:
    """A second change, at another place; None where there is none."""
    try:
        places = list(steps(document))
        path, value = rng.choice(places)
        way, mutant = rng.choice(list(changes(document, path, value)))
    except (IndexError, TypeError, ValueError, RecursionError):
        return None  # too strange to be changed
    return path, way, mutant


def chosen(documents: list[tuple[str, dict]], folder: Path, count: int) -> list[Mutant]:
    rng, found, out = random.Random(SEED), [], []
    for source, document in documents:
        # As many of each source, for a large document has more leaves of the same kind.
        likes = [other for name, other in documents if name.split()[0] == source.split()[0] and other is not document]
        total = sum(1 for _ in mutants(document, likes))
        wanted = set(rng.sample(range(total), min(total, -(-count // len(documents)))))
        found += [(source, document, *way) for k, way in enumerate(mutants(document, likes)) if k in wanted]
    for k, (source, original, path, way, document) in enumerate(found):
        paths = [path]
        if k % 4 == 0 and (second := again(document, rng)):
            paths, way, document = [path, second[0]], f"{way}, and {second[1]}", second[2]
        mutant = Mutant(source, original, paths, way, document, folder / f"mutant{k}.json")
        if (
            mutant.table
            and isinstance(document, dict)
            and isinstance(document.get("metadata"), dict)
            and "sha256" not in mutant.names()
        ):
            mutant.document = copy.deepcopy(document)
            try:
                forms.reseal(mutant.document)
            except (AttributeError, TypeError, ValueError):
                pass  # too strange to have a digest
        mutant.file.write_text(json.dumps(mutant.document))
        out.append(mutant)
    return out


def judge(mutants_of: list[Mutant], checker: str, run, suffix: str = ".json") -> None:
    part = 400
    for first in range(0, len(mutants_of), part):
        some = mutants_of[first : first + part]
        found = run([mutant.file.with_suffix(suffix) for mutant in some])
        for mutant in some:
            mutant.found[checker] = found[str(mutant.file.with_suffix(suffix))]


def main(program: str, long: bool, coq: Path | None) -> None:
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        documents = written(program, folder)
        for k, (source, document) in enumerate(documents):
            file = folder / f"honest{k}.json"
            file.write_text(json.dumps(document))
            checker = "check_table.py" if source.startswith("tie") else "check_characters.py"
            assert verdicts.python(checker, [file])[str(file)][0] == 0, source
        found = chosen(documents, folder, LONG if long else COUNT)
        of_tables, of_characters = [m for m in found if m.table], [m for m in found if not m.table]
        of_characters_py = lambda files: verdicts.python("check_characters.py", files)
        of_tables_py = lambda files: verdicts.python("check_table.py", files)
        judge(of_characters, "check_characters.py", of_characters_py)
        judge(of_tables, "check_table.py", of_tables_py)
        if shutil.which("gap") and not coq:
            judge(of_characters, "check_characters.g", lambda files: verdicts.gap("characters_to_gap.py", files))
            judge(of_tables, "check_table.g", lambda files: verdicts.gap("table_to_gap.py", files))
        elif not coq:
            print("gap is not there: its checkers are not tested")
        binary = [m for m in of_tables if is_binary(m)]
        judge(binary, "check_table.py, binary", of_tables_py, ".safetensors")
        if coq:
            program_of_coq = coq / "intertwine-check"
            judge(of_characters, "coq", lambda files: verdicts.coq(program_of_coq, files))
            judge(binary, "intertwine-check", lambda files: verdicts.coq(program_of_coq, files), ".safetensors")
            judge(of_tables, "check_in_coq.py", lambda files: verdicts.coq_of_every_form(program_of_coq, files))
        print(
            f"{len(found)} mutants ({len(binary)} as binary files too) of {len(documents)} files judged in "
            f"{time.monotonic() - start:.0f} s"
        )
        why, wrong = Counter(), []
        for mutant in found:
            try:
                why[harmless(program, mutant)] += 1
                agree(mutant)
            except AssertionError as error:
                wrong.append(str(error))
        print(dict(why), f"in {time.monotonic() - start:.0f} s")
        assert not wrong, f"{len(wrong)} mutants:\n" + "\n\n".join(wrong[:20])
        assert len(found) >= (LONG if long else COUNT) * 9 // 10


def is_binary(mutant: Mutant) -> bool:
    document = mutant.document
    if not isinstance(document, dict) or not isinstance(document.get("metadata"), dict):
        return False
    if any("field_generator" in key for key in document["metadata"]):
        return False
    try:
        return forms.write(document, mutant.file.with_suffix(".safetensors"))
    except (AttributeError, TypeError, ValueError, OverflowError, IndexError):
        return False


def without_chain(mutant: Mutant) -> bool:
    """Is what was changed, or what the checker in Python objects to, nothing that GAP looks at?"""
    objection = mutant.found.get("check_characters.py", (0, ""))[1]
    return bool(mutant.names() & NOT_OF_GAP) or any(word in objection for word in ("strong generator", "Schreier"))


def harmless(program: str, mutant: Mutant) -> str:
    accepted = [checker for checker, (status, _) in mutant.found.items() if status == 0]
    if not accepted:
        return "refused"
    if all(words(path, mutant.table) for path in mutant.paths):
        return "the writer's word"
    if accepted == ["coq"] and mutant.names() & NOT_OF_THEOREMS:
        return "outside of the theorem"
    if without_chain(mutant) and all(checker.endswith(".g") for checker in accepted):
        return "true without it"  # GAP finds orders of groups and ranks by itself
    if any(words(path, mutant.table) for path in mutant.paths):
        return proved_without_words(program, mutant)
    file = (
        mutant.file
        if any(
            ".safetensors" not in mutant.file.name and "binary" not in c and c != "intertwine-check" for c in accepted
        )
        else None
    )
    if verdicts.verify(program, file or mutant.file.with_suffix(".safetensors"))[0] == 0:
        return "verified"
    if mutant.table and true_over_q(mutant.document):
        return "true by elimination"
    raise AssertionError(
        f"accepted and not seen to be harmless: {mutant}\n{verdicts.verify(program, mutant.file)}\n"
        f"{mutant.file.read_text()[:3000]}"
    )


def proved_without_words(program: str, mutant: Mutant) -> str:
    """Of two changes one is of the writer's word: the other is harmless."""
    document = mutant.document
    for path in mutant.paths:
        if words(path, mutant.table):
            document = restored(document, path, mutant.original)
    if mutant.table:
        forms.reseal(document)
    file = mutant.file.with_name("restored.json")
    file.write_text(json.dumps(document))
    verdict = verdicts.verify(program, file)
    assert verdict[0] == 0 or (mutant.table and true_over_q(document)), f"{mutant}\n{verdict}"
    return "verified without its words"


def agree(mutant: Mutant) -> None:
    """Those that take the same form have the same verdict, but for what they do not look at."""
    status = {checker: found[0] == 0 for checker, found in mutant.found.items()}
    at = mutant.names()
    if "check_table.g" in status and not without_chain(mutant):
        assert status["check_table.py"] == status["check_table.g"], str(mutant)
    if "check_characters.g" in status and not without_chain(mutant):
        assert status["check_characters.py"] == status["check_characters.g"], str(mutant)
    if status.get("coq") and not at & (NOT_OF_THEOREMS | WORDS_OF_CHARACTERS):
        assert status["check_characters.py"], str(mutant)
    if "check_table.py, binary" in status:
        assert not status["check_table.py, binary"] or status["check_table.py"], str(mutant)
        if "intertwine-check" in status and not at & NOT_OF_COQ:
            assert status["check_table.py, binary"] == status["intertwine-check"], str(mutant)
    if "check_in_coq.py" in status and not at & NOT_OF_COQ:
        assert not status["check_in_coq.py"] or status["check_table.py"], str(mutant)
        if "intertwine-check" in status:
            assert not status["check_in_coq.py"] or status["intertwine-check"], str(mutant)


if __name__ == "__main__":
    folder = sys.argv[sys.argv.index("--coq") + 1] if "--coq" in sys.argv else None
    main(sys.argv[1], "--long" in sys.argv[2:], Path(folder) if folder else None)
