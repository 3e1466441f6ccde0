#!/usr/bin/env python3
"""False files that a checker could take for true, and files that could stop one: each is refused, or not read, by every
checker, and the honest file behind it is accepted still.

Usage: test_false_files.py PROGRAM [--coq FOLDER]      with a build of the verified checker: that one alone

Every false file has a kin: short lists, numbers believed, words that overflow, errors inside GAP, blocks of another
group, matrices that are not invertible, texts that take for ever, numbers that ask for all memory, texts that look like
a verdict, keys that are true without their prefix alone. Exit status 77 without NumPy.
"""

from __future__ import annotations

import copy
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)

import forms
import verdicts


class Maker:
    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder

    def run(self, command: str, group: str, *options: str) -> dict:
        file = self.folder / "made.json"
        subprocess.run([self.program, command, group, *options, "--proof", "--quiet", "--output", file], check=True)
        return json.loads(file.read_text())

    def tie(self, group: str, rep_in: str, rep_out: str, single: bool = True) -> dict:
        return self.run("tie", group, "--in", rep_in, "--out", rep_out, *["--single"] * single)


def false_characters(make: Maker) -> dict[str, tuple[dict, str]]:
    """By name: the document, and what a refusal says."""
    out: dict[str, tuple[dict, str]] = {}
    s3, s4, c3 = make.run("chartable", "S3"), make.run("irreps", "S4"), make.run("chartable", "C3")
    for k, factor in enumerate((1000, 2000, 3000)):
        s3["irreducibles"][k] = [str(int(x) * factor) for x in s3["irreducibles"][k]]
        s3["proof"]["combinations"][k] = [[j, str(int(c) * factor)] for j, c in s3["proof"]["combinations"][k]]
    out["multiples of rows and their indicators"] = (copy.deepcopy(s3), "norm")
    for short in ([], [1]):
        out[f"multiples of rows and {len(short)} indicators"] = (
            {**copy.deepcopy(s3), "indicators": short},
            "indicators",
        )
    trivial = {**s4["irreps"][0], "matrices": [[["1"]]] * len(s4["generators"]), "degree": "1", "indicator": 1}
    assert all(entry["matrices"] == [[["1"]]] * len(s4["generators"]) for entry in s4["irreps"][:1])
    for name, number in (("one number", lambda k: 0), ("five numbers", lambda k: k)):
        forms_of = [{**trivial, "irrep": number(k), "rows": [number(k)], "name": f"X.{k + 1}"} for k in range(5)]
        out[f"five trivial representations under {name}"] = (
            {**s4, "irreps": forms_of},
            "equivalent" if "five" in name.split()[0] else "same number",
        )
    # 1 is -E(3) - E(3)^2 = 1/2 - 1/2 E(3) - 1/2 E(3)^2 on the class of elements of order 3.
    for name, one in (
        ("twice", [["1/2", 0], ["1/2", 0]]),
        ("with fractions", [["1/2", 0], ["-1/2", 1], ["-1/2", 2]]),
        ("with none", [["-1", 1], ["-1", 2]]),
    ):
        document = copy.deepcopy(make.run("chartable", "S3"))
        [place] = [k for k, c in enumerate(document["classes"]) if c["element_order"] == 3]
        for key, rows in (("irreducibles", document), ("indicators", document), ("combinations", document["proof"])):
            rows[key][2] = copy.deepcopy(rows[key][0])
        assert document["irreducibles"][0] == ["1"] * 3
        document["irreducibles"][2][place] = {"n": 3, "c": one}
        out[f"a row twice, the second written {name}"] = (document, "twice")
    root = lambda e: {"n": 3, "c": [["1", e]]}
    row, linear = ["1", root(2), root(2)], c3["proof"]["linear_characters"]
    # Sums of this exponent, kept in words of 64 bits, are those of the false row.
    wrapped = {**linear[2], "order": 103, "exponents": [9223372036854775800]}
    for name, entry in (
        ("overflows", wrapped),
        ("is false", {**linear[2], "order": 3, "exponents": [9223372036854775800 % 3]}),
    ):
        document = copy.deepcopy(c3)
        document["irreducibles"][2], document["indicators"][2] = row, 0
        document["proof"]["linear_characters"][2] = entry
        out[f"a third row of C3 whose exponent {name}"] = (document, "exponent" if name == "overflows" else "")
    for key in ("degree", "order"):
        out[f"a huge {key}"] = huge = copy.deepcopy(c3), ""
        huge[0]["proof"][key] = huge[0][key] = 10**12 if key == "degree" else str(10**30)
    document = copy.deepcopy(c3)
    document["proof"]["linear_characters"][1]["order"] = 10**15
    out["a linear character of huge order"] = (document, "")
    for n in (10**9, 10**30):
        document = copy.deepcopy(c3)
        document["irreducibles"][1][1] = {"n": n, "c": [["1", 1]]}
        out[f"roots of unity of order {n}"] = (document, "")
    document = copy.deepcopy(make.run("irreps", "C1"))
    document["irreps"][0]["degree"] = str(10**9)
    out["a huge degree without generators"] = (document, "")
    out["no representations"] = ({**s4, "irreps": []}, "no representations")
    document = copy.deepcopy(s4)
    document["irreps"][3]["matrices"] = [[["0"] * len(A) for _ in A] for A in document["irreps"][3]["matrices"]]
    out["matrices that are 0"] = (document, "")
    document = copy.deepcopy(s4)
    document["irreps"][3]["seed"]["vector"] = ["0"] * len(document["irreps"][3]["seed"]["vector"])
    out["a seed that is 0"] = (document, "seed")
    return out


def false_tables(make: Maker) -> dict[str, tuple[dict, str]]:
    out: dict[str, tuple[dict, str]] = {}
    s4 = make.tie("S4", "standard", "standard^2")
    for side in ("row", "column"):
        document = copy.deepcopy(s4)
        for name in ("row", "col", "denominator"):
            document[f"proof.{side}_{name}"] = []
        document[f"proof.{side}_numerator"], document[f"proof.{side}_ptr"] = [[]], [0, 0, 0]
        # Of A W = 0 and 0 = W B the solutions of invertible matrices are 0, so that a table without parameters is a
        # basis.
        document |= {"weight.basis_ptr": [0], "weight.basis_row": [], "weight.basis_col": [], "weight.basis_val": []}
        document["metadata"]["intertwine.params"] = "0"
        del document["metadata"]["intertwine.certificate"]
        if side == "row":
            document |= {"bias.basis_ptr": [0], "bias.basis_row": [], "bias.basis_val": []}
            document["metadata"]["intertwine.bias_params"] = "0"
        out[f"generators that are 0 on the {side}s"] = (document, "invertible")
    document = copy.deepcopy(s4)
    document["proof.column_numerator"][0][0] *= 5
    out["a generator that is none"] = (document, "")
    blocks, other = (
        make.tie("S3", "2*perm + 3*trivial", "perm", False),
        make.tie("C3", "2*perm + 3*trivial", "perm", False),
    )
    for words in (False, True):  # its words are those of S3, or of C3
        document = copy.deepcopy(blocks)
        for name in [name for name in document if name.startswith("block.0.1.")]:
            del document[name]
        document |= {name: x for name, x in other.items() if name.startswith("block.0.1.")}
        entries = {
            key: x
            for key, x in other["metadata"].items()
            if key.startswith("intertwine.block.0.1.") and (words or not key.endswith("group"))
        }
        document["metadata"] |= entries
        if not words:  # two generators, which act as the one of C3 does
            document["metadata"]["intertwine.block.0.1.proof"] = blocks["metadata"]["intertwine.block.0.1.proof"]
            for side in ("row", "column"):
                document[f"block.0.1.proof.{side}_images"] = document[f"block.0.1.proof.{side}_images"] * 2
        out[f"a block of another group{' that says so' * words}"] = (document, "group")
    a5 = make.tie("A5", "irrep(2)", "irrep(2)")
    generators = {
        "long": "E(5)" * 5000,
        "of signs": "+" * 100_000,
        "large": "E(999999937)",
        "of a large field": "+".join(f"{k + 1}*E(9973)^{k + 1}" for k in range(9971)),
        "complex": "E(5)",
        "rational": "3",
        "of GAP": '1);Print("/tmp/x: accepted\\n");QUIT_GAP(0);(',
        "of digits": "1" * 200_000,
    }
    for name, generator in generators.items():
        document = copy.deepcopy(a5)
        document["metadata"]["intertwine.field_generator"] = generator
        out[f"a generator of the field that is {name}"] = (document, "")
    perm = make.tie("S3", "perm", "perm")
    for key in ("params", "bias_params", "rows", "cols"):
        for value in (10**17, 10**30):
            document = copy.deepcopy(perm)
            document["metadata"][f"intertwine.{key}"] = str(value)
            out[f"{key} {value}"] = (document, "")
    document = copy.deepcopy(s4)
    document["metadata"] |= {"intertwine.rows": str(10**9), "intertwine.cols": str(10**9)}
    out["a sparse basis of huge matrices"] = (document, "")
    document = copy.deepcopy(s4)
    document["weight.basis_val"][0] = "1e1000000000"
    out["a value that is huge"] = (document, "")
    for key in ("kind", "format", "proof"):
        document = copy.deepcopy(perm)
        document["metadata"][f"intertwine.{key}"] = "x\n/tmp/other.json: accepted"
        out[f"a {key} that looks like a verdict"] = (document, "")
    so2 = make.tie("SO(2)", "vector", "vector")  # over Q, where a number is no sum
    for value in ("0-1", "1-2", "-1+0", "-1+0*E(5)"):
        document = copy.deepcopy(so2)
        values = document["weight.basis_val"]
        values[values.index("-1")] = value
        out[f"a rational number {value}"] = (document, "")
    out["lists in lists"] = ({**perm, "weight.code": json.loads("[" * 500 + "]" * 500)}, "")
    diagrams = make.folder / "diagrams.json"
    subprocess.run(
        [make.program, "tie", "S(n)", "--in", "perm^2", "--out", "perm", "--quiet", "--output", diagrams], check=True
    )
    out["an honest file of diagrams"] = (json.loads(diagrams.read_text()), "diagrams")
    for document, _ in out.values():
        if document["metadata"].get("intertwine.kind") != "diagram":
            forms.reseal(document)
    return out | false_under_the_prefix(perm, blocks)


def false_under_the_prefix(perm: dict, blocks: dict) -> dict[str, tuple[dict, str]]:
    """Files whose keys are false, and true without "intertwine.", where they say nothing. Their digests stay as they
    are, so that the key alone is false."""
    wrong = {
        "params": ("9", ""),
        "bias_params": ("0", ""),
        "rows": ("4", ""),
        "cols": ("2", ""),
        "sha256": ("0" * 64, "sha256"),
        "kind": ("sparse-basis", "form"),
        "proof": ("{}", "form"),
        "version": ("7", "version"),
        "format": ("x", "no weight table"),
        "multiplicity_in": ("0", "multiplicity"),
        "certificate": ('{"character_dimension": "9"}', "character_dimension"),
    }
    out: dict[str, tuple[dict, str]] = {}
    for key, (value, reason) in wrong.items():
        for name, honest, prefix in ("table", perm, ""), ("block", blocks, "block.0.0."):
            document = copy.deepcopy(honest)
            metadata = document["metadata"]
            true = metadata.get(f"intertwine.{prefix}{key}", "{}")
            metadata |= {f"intertwine.{prefix}{key}": value, key: true, prefix + key: true}
            out[f"a {key} of a {name} that is true without its prefix alone"] = (document, reason)
    return out


def refused(
    make: Maker, false: dict[str, tuple[dict, str]], honest: dict, checkers: dict, suffix: str = ".json"
) -> None:
    files = {}
    for k, (name, (document, _)) in enumerate(false.items()):
        file = make.folder / f"false{k}{suffix}"
        try:
            if forms.write(document, file):
                files[name] = file
        except (KeyError, ValueError, TypeError):
            pass  # what a binary form cannot say
    last = make.folder / f"honest{suffix}"
    assert forms.write(honest, last)
    for checker, run in checkers.items():
        found = run([*files.values(), last])
        assert found[str(last)][0] == 0, (checker, found[str(last)])
        for name, file in files.items():
            status, words = found[str(file)]
            assert status in (1, 2), (checker, name, words)
            if ".py" in checker and suffix == ".json":
                assert false[name][1] in words, (checker, name, words)
        assert run([last])[str(last)][0] == 0, checker
        print(
            f"{checker}: {len(files)} false files ({suffix}) refused or not read, the honest one behind them accepted"
        )


def errors_in_gap(make: Maker, honest: dict) -> None:
    """Whatever happens inside GAP, its exit status is 0 only if every file was accepted."""
    files = [make.folder / f"gap{k}.json" for k in range(3)]
    files[1] = make.folder / "/".join(["long" * 50] * 6) / "gap.json"  # longer than names in a record are
    files[1].parent.mkdir(parents=True)
    for file in files:
        file.write_text(json.dumps(honest))
    command = [sys.executable, str(verdicts.SOURCE / "checkers/characters_to_gap.py"), *map(str, files)]
    whole = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    first = "return INTERTWINE_CheckCharacters("
    file, end, error = "INTERTWINE_File(", "INTERTWINE_End(", 'Error("x");'
    texts = {  # the program, and how many files are accepted where that is known
        "nothing": (whole, 3),
        "an error in a check": (whole.replace(first, f"{error}{first}", 1), 2),
        "a syntax error": (whole.replace("order:=", "order:=1 1", 1), None),
        "an error between files": (whole.replace(file, f"{error}{file}", 1), None),
        "memory": (whole.replace(first, f"List([1 .. 10^9], x -> [x]);{first}", 1), 2),
        "the end": (whole.replace(end, f"QUIT_GAP(2);{end}", 1), None),
        "a file that is cut off": (whole[: len(whole) * 2 // 3], None),
        "a name that is not checked": (whole.replace(f"{end}[", f'{end}["/tmp/x",', 1), None),
    }
    for name, (text, later) in texts.items():
        program = make.folder / "errors.g"
        program.write_text(text)
        done = subprocess.run(
            ["gap", "-o", "1g", "-A", "-q", str(program)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        accepted = done.stdout.count(": accepted\n")
        if name == "nothing":
            assert done.returncode == 0 and done.stdout.count("all 3 files accepted") == 1, done
        else:
            assert done.returncode == 2 and "all 3 files" not in done.stdout, (name, done)
        assert later is None or accepted == later, (name, done)
    print("GAP: errors inside it never end with the exit status 0")


def zip_of(arrays: dict[str, bytes], comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as entries:
        for name, contents in arrays.items():
            entries.writestr(name, contents)
        entries.comment = comment
    return out.getvalue()


def within_comment(true: dict[str, bytes], false: dict[str, bytes]) -> bytes:
    """A zip file whose comment has another one, with an end record that states a comment too long to be there."""
    whole = zip_of(false)
    inner = whole[:-2] + b"\x01\x00"  # of one byte, and there is none
    start = len(zip_of(true))
    for place in [m.start() for m in re.finditer(b"PK\x01\x02", inner)]:
        at = int.from_bytes(inner[place + 42 : place + 46], "little") + start
        inner = inner[: place + 42] + at.to_bytes(4, "little") + inner[place + 46 :]
    directory = int.from_bytes(inner[-6:-2], "little") + start
    return zip_of(true, inner[:-6] + directory.to_bytes(4, "little") + inner[-2:])


def false_archives(make: Maker) -> None:
    """Archives that two readers could read in two ways: what is verified is what NumPy reads."""
    file = make.folder / "true.npz"
    command = ["tie", "S3", "--in", "perm", "--out", "perm", "--proof", "--single", "--quiet", "--output", file]
    subprocess.run([make.program, *command], check=True)
    with zipfile.ZipFile(file) as entries:
        true = {name: entries.read(name) for name in entries.namelist()}
    code = bytearray(true["weight.code.npy"])
    code[-1] ^= 3
    false = {**true, "weight.code.npy": bytes(code)}
    archives = {
        "an array under two names": zip_of({**true, "weight.code": bytes(code)}),
        "the metadata under two names": zip_of({"metadata": true["metadata.npy"], **true}),
        "another archive in the comment": within_comment(true, false),
        "the true one in the comment": within_comment(false, true),
        "bytes behind it": zip_of(true) + b"PK",
    }
    assert verdicts.verify(make.program, file)[0] == 0
    for k, (name, contents) in enumerate(archives.items()):
        file = make.folder / f"archive{k}.npz"
        file.write_bytes(contents)
        status, words = verdicts.verify(make.program, file)
        assert status != 0, name
        found, words = verdicts.python("check_table.py", [file])[str(file)]
        with np.load(file) as arrays:  # what a stranger's program reads
            falls = not np.array_equal(arrays["weight.code"], np.load(io.BytesIO(true["weight.code.npy"])))
        assert found in (1, 2) or not falls, (name, words)
    print(f"{len(archives)} archives that can be read in two ways are refused")


def main(program: str, coq: Path | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        make = Maker(program, Path(name))
        tables, honest_table = false_tables(make), make.tie("S4", "perm", "standard")
        of_tables = {"check_table.py": lambda files: verdicts.python("check_table.py", files)}
        if coq:
            unseen = tuple(f"a {key} of" for key in ("sha256", "multiplicity_in", "certificate"))  # by this checker
            tables = {name: false for name, false in tables.items() if not name.startswith(unseen)}
            of_tables = {"intertwine-check": lambda files: verdicts.coq(coq / "intertwine-check", files)}
            refused(make, tables, honest_table, of_tables, ".safetensors")
            characters = {name: false for name, false in false_characters(make).items() if "seed" not in name}
            return refused(make, characters, make.run("chartable", "A4"), of_tables)
        characters, honest_characters = false_characters(make), make.run("chartable", "A4")
        of_characters = {"check_characters.py": lambda files: verdicts.python("check_characters.py", files)}
        refused(make, tables, honest_table, of_tables, ".safetensors")
        false_archives(make)
        if shutil.which("gap"):
            of_characters["check_characters.g"] = lambda files: verdicts.gap("characters_to_gap.py", files)
            of_tables["check_table.g"] = lambda files: verdicts.gap("table_to_gap.py", files)
            errors_in_gap(make, honest_characters)
        else:
            print("gap is not there: its checkers are not tested")
        refused(make, characters, honest_characters, of_characters)
        refused(make, tables, honest_table, of_tables)


if __name__ == "__main__":
    folder = sys.argv[sys.argv.index("--coq") + 1] if "--coq" in sys.argv else None
    main(sys.argv[1], Path(folder) if folder else None)
