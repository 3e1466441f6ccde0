"""The verified checker (checkers/coq) against brute force, against tampered files, and against its own list of
assumptions.

    python3 tests/checkers/test_coq.py

builds it where INTERTWINE_COQ_BUILD names no folder with a build. Needs coqc, ocamlopt and NumPy, and of Intertwine
only the program that INTERTWINE_PROGRAM may name.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from fractions import Fraction
from pathlib import Path

import forms
import verdicts

import tables

SOURCE = Path(__file__).resolve().parents[2] / "checkers" / "coq"
sys.path.append(str(SOURCE.parent))
import table_files  # noqa: E402


def setUpModule() -> None:
    global BUILD, SCRATCH, FOLDER
    SCRATCH = tempfile.TemporaryDirectory()
    FOLDER = Path(SCRATCH.name)
    BUILD = Path(os.environ.get("INTERTWINE_COQ_BUILD", FOLDER / "build")).resolve()
    subprocess.run([SOURCE / "build", BUILD], check=True, stdout=subprocess.DEVNULL)


def tearDownModule() -> None:
    SCRATCH.cleanup()


def check(*paths: Path) -> tuple[int, list[str]]:
    """The exit status, and the line of each file without the file's name."""
    run = subprocess.run([BUILD / "intertwine-check", *paths], capture_output=True, text=True)
    assert run.stderr == "", run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == len(paths) and all(line.startswith(f"{path}: ") for line, path in zip(lines, paths)), (
        run.stdout
    )
    return run.returncode, [line[len(str(path)) + 2 :] for line, path in zip(lines, paths)]


def tied_tables() -> dict[str, tables.Tied]:
    actions = tables.named_actions() | tables.random_actions(200, seed=18)
    return {name: tables.tied_table(rows, cols, *(() if rows else (2, 3))) for name, (rows, cols) in actions.items()}


class TiedTables(unittest.TestCase):
    def test_true_tables_are_accepted(self) -> None:
        found = tied_tables()
        status, lines = check(*(t.write(FOLDER / f"tied-{k}.safetensors") for k, t in enumerate(found.values())))
        for (name, t), line in zip(found.items(), lines):
            with self.subTest(name):
                self.assertEqual(
                    line, f"accepted: the {t.params} patterns (and {t.bias_params} of the bias) are a basis"
                )
        self.assertEqual(status, 0)

    def test_the_sign_of_a_pattern_does_not_matter(self) -> None:
        t = tables.tied_table(*tables.named_actions()["D4: points to oriented edges"])
        p = t.params
        t.code = tables.np.where(t.code == 0, 0, tables.np.where(t.code <= p, t.code + p, t.code - p))
        self.assertEqual(check(t.write(FOLDER / "negated.safetensors"))[0], 0)

    def test_seventeen_million_entries(self) -> None:
        """The pixels of a torus of 64 x 64 under translations, rotations and reflections: 561 patterns, by the
        distances along the two axes."""
        np = tables.np
        x, y = np.divmod(np.arange(4096), 64)
        pixels = [64 * ((x + 1) % 64) + y, 64 * (-y % 64) + x, 64 * y + x]
        distance = [np.minimum(d, 64 - d) for d in ((x[:, None] - x) % 64, (y[:, None] - y) % 64)]
        _, code = np.unique(64 * np.minimum(*distance) + np.maximum(*distance), return_inverse=True)
        code = code.reshape(4096, 4096).astype(np.int32) + 1
        images = [(pixel + 1).tolist() for pixel in pixels]
        sizes = np.bincount(code.ravel())[1:].tolist()
        table = tables.Tied(4096, 4096, images, images, 561, 1, code, np.ones(4096, dtype=np.int64), sizes)
        path = table.write(FOLDER / "large.safetensors")
        start = time.monotonic()
        self.assertEqual(check(path), (0, ["accepted: the 561 patterns (and 1 of the bias) are a basis"]))
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(check(table.write(path, wide="I32"))[0], 0)  # as version 1 had it
        code[4095, 4095] = 2
        self.assertRegex(check(table.write(path))[1][0], "^refused: weight: not equivariant")

    def test_tampered_tables_are_refused_for_the_right_reason(self) -> None:
        cases = [
            (f"{name}: {kind}", *case) for name, t in tied_tables().items() for kind, case in tables.tampered(t).items()
        ]
        self.assertGreater(len(cases), 400)
        kinds = {name.rsplit(": ", 1)[1] for name, _, _ in cases}
        self.assertEqual(len(kinds), 16, sorted(kinds))
        status, lines = check(*(t.write(FOLDER / f"tampered-{k}.safetensors") for k, (_, t, _) in enumerate(cases)))
        for (name, _, reason), line in zip(cases, lines):
            with self.subTest(name):
                self.assertRegex(line, f"^refused: .*{reason}")
        self.assertEqual(status, 1)


class SparseBases(unittest.TestCase):
    def test_true_bases_are_accepted(self) -> None:
        found = tables.sparse_bases()
        self.assertGreater(max(len(t.elements) for t in found.values()), 4)
        status, lines = check(*(t.write(FOLDER / f"sparse-{k}.safetensors") for k, t in enumerate(found.values())))
        for (name, t), line in zip(found.items(), lines):
            with self.subTest(name):
                self.assertEqual(
                    line, f"accepted: the {len(t.elements)} elements (and {len(t.bias)} of the bias) are a basis"
                )
        self.assertEqual(status, 0)

    def test_tampered_bases_are_refused_for_the_right_reason(self) -> None:
        cases = [
            (f"{name}: {kind}", *case)
            for name, t in tables.sparse_bases().items()
            for kind, case in tables.tampered_sparse(t).items()
        ]
        kinds = {name.rsplit(": ", 1)[1] for name, _, _ in cases}
        self.assertEqual(len(kinds), 9, sorted(kinds))
        status, lines = check(*(t.write(FOLDER / f"wrong-{k}.safetensors") for k, (_, t, _) in enumerate(cases)))
        for (name, _, reason), line in zip(cases, lines):
            with self.subTest(name):
                self.assertRegex(line, f"^refused: .*{reason}")
        self.assertEqual(status, 1)

    def test_the_prime_need_not_be_believed(self) -> None:
        """With a modulus that is too small or no prime, true bases may be refused, and false ones are not accepted."""
        table = tables.sparse_bases()["S4: std to perm"]
        short = tables.copy.deepcopy(table)
        short.elements = []
        for prime in (2, 3, 4, 6, 101, 1 << 40):
            table.prime = short.prime = prime
            status, (true, false) = check(
                table.write(FOLDER / "true.safetensors"), short.write(FOLDER / "false.safetensors")
            )
            self.assertRegex(true, "^(accepted|refused)")
            self.assertRegex(false, "^refused: weight: not complete")
        self.assertRegex(true, "^accepted")


class Files(unittest.TestCase):
    def damaged(self, contents: bytes, reason: str) -> None:
        path = FOLDER / "damaged.safetensors"
        path.write_bytes(contents)
        status, (line,) = check(path)
        self.assertEqual(status, 2)
        self.assertRegex(line, f"^not read: .*{reason}")

    def test_damaged_files(self) -> None:
        t = tables.tied_table(*tables.named_actions()["S3: perm to perm"])
        whole = t.write(FOLDER / "whole.safetensors").read_bytes()
        self.damaged(b"", "0 bytes")
        self.damaged(whole[:100], "header")
        self.damaged(whole[:-1], "do not agree")
        self.damaged(whole[:8] + b"[" + whole[9:], "JSON")
        self.damaged(b"\xff" * 8 + whole[8:], "header")
        for key, value, reason in (
            ("format", "x", "format"),
            ("version", "2", "version"),
            ("kind", "other", "kind"),
            ("rows", "4", "shape"),
            ("params", "-1", "natural"),
            ("proof", "[]", "no JSON object"),
            ("proof", '{"form": "matrices"}', "form"),
            ("params", "128", "dtype|U8"),
        ):
            with self.subTest(f"{key} = {value}"):
                self.damaged(t.write(FOLDER / "other.safetensors", **{f"intertwine.{key}": value}).read_bytes(), reason)
        s = tables.sparse_bases()["S3: std to std"]
        for key, value, reason in (
            ("cols", "9" * 9, "too many"),
            ("params", "2", "shape"),
            ("bias_params", "1", "shape"),
            ("proof", '{"form": "matrices", "generators": ["a"], "prime": "7"}', "shape"),
            ("proof", '{"form": "matrices", "generators": ["a", "b"], "prime": "7", "root": "3"}', "larger than Q"),
        ):
            with self.subTest(f"sparse {key} = {value}"):
                self.damaged(s.write(FOLDER / "other.safetensors", **{f"intertwine.{key}": value}).read_bytes(), reason)
        s.column_matrices = tables.copy.deepcopy(s.row_matrices)
        s.row_matrices[0][0][0] = tables.Fraction(1, 2**30)
        s.column_matrices[0][0][0] = tables.Fraction(1, 3**20)
        self.damaged(s.write(FOLDER / "other.safetensors").read_bytes(), "common multiple")
        path = FOLDER / "absent.safetensors"
        self.assertEqual(check(path)[0], 2)

    def test_every_cut_and_many_changed_bytes(self) -> None:
        """Whatever the bytes are, there is a verdict."""
        tied = (
            tables.tied_table(*tables.named_actions()["D3: points to oriented edges"])
            .write(FOLDER / "whole.safetensors")
            .read_bytes()
        )
        sparse = tables.sparse_bases()["O(3): space to tensors"].write(FOLDER / "whole.safetensors").read_bytes()
        random = tables.np.random.default_rng(0)
        paths = []
        for k in range(800):
            whole = tied if k < 400 else sparse
            contents = bytearray(whole)
            if k % 2:
                del contents[int(random.integers(len(whole))) :]
            else:
                contents[int(random.integers(len(whole)))] ^= 1 << int(random.integers(8))
            paths.append(FOLDER / f"changed-{k}.safetensors")
            paths[-1].write_bytes(contents)
        _, lines = check(*paths)
        for k, line in enumerate(lines):
            self.assertRegex(line, "^(refused|not read): " if k % 2 else "^(accepted|refused|not read): ")


@unittest.skipUnless("INTERTWINE_PROGRAM" in os.environ, "INTERTWINE_PROGRAM names no program that writes proofs")
class WrittenTables(unittest.TestCase):
    """Files of the program itself; the only place here where it is run."""

    def test_files_of_the_program_are_accepted(self) -> None:
        paths = []
        for k, layer in enumerate(
            (
                "S4 perm^2",
                "S4 std std^2",
                "p4m(16,16) perm",
                "B3 perm perm*sign",
                "S5 specht(3,2) std^2",
                "D6 regular",
                "SO(3) vector^2",
                "C1 2*perm",
                "S6 subsets(2) tuples(2)",
            )
        ):
            paths.append(FOLDER / f"written{k}.safetensors")
            subprocess.run(
                [os.environ["INTERTWINE_PROGRAM"], "tie", *layer.split(), "--proof", "--quiet", "--output", paths[-1]],
                check=True,
            )
        status, lines = check(*paths)
        self.assertEqual(status, 0, lines)

    def test_false_files_and_mutants(self) -> None:
        """What the checkers in Python and GAP are tried with."""
        for script in ("test_false_files.py", "test_mutants.py"):
            command = [sys.executable, Path(__file__).parent / script, os.environ["INTERTWINE_PROGRAM"], "--coq", BUILD]
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertTrue(run.returncode == 0 and not run.stderr, run.stderr[-4000:] + run.stdout[-2000:])


@unittest.skipUnless("INTERTWINE_PROGRAM" in os.environ, "INTERTWINE_PROGRAM names no program that writes proofs")
class Blocks(unittest.TestCase):
    """Tables of several blocks, tied and sparse ones, of finite and of continuous groups."""

    def document(self, group: str, source: str, target: str) -> dict:
        path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
        command = [os.environ["INTERTWINE_PROGRAM"], "tie", group, "--in", source, "--out", target]
        subprocess.run([*command, "--proof", "--quiet", "--output", path], check=True)
        return json.loads(path.read_text())

    def verdicts(self, documents: dict[str, dict]) -> dict[str, str]:
        """Each document as a binary file, and what is said of it."""
        paths = {name: FOLDER / f"blocks-{k}.safetensors" for k, name in enumerate(documents)}
        for name, path in paths.items():
            self.assertTrue(forms.write(documents[name], path), name)
        _, lines = check(*paths.values())
        return dict(zip(paths, lines))

    def test_blocks_of_the_program_are_accepted(self) -> None:
        layers = {
            ("S5", "2*perm + std", "perm"): (3, 1, 2, 1),
            ("S4", "2*perm + 3*sign + trivial", "2*perm + perm"): (6, 2, 3, 2),
            ("S5", "16*perm + 33*trivial", "8*perm"): (3, 1, 2, 1),
            ("SO(3)", "2*trivial + 3*vector", "2*vector + trivial"): (2, 2, 2, 1),
            ("p4m(8,8)", "2*perm + 3*trivial", "4*perm"): (16, 1, 2, 1),
            ("C3", "2*std + 3*perm", "std + 2*trivial"): (5, 2, 2, 1),
        }
        found = self.verdicts({str(layer): self.document(*layer) for layer in layers})
        for layer, (elements, outs, ins, bias) in layers.items():
            self.assertEqual(
                found[str(layer)],
                f"accepted: the {elements} elements of {outs} x {ins} blocks (and {bias} of the bias) are a basis",
            )

    def test_false_blocks_are_refused(self) -> None:
        tied, mixed = self.document("S4", "2*perm + 3*sign", "perm"), self.document("S5", "2*perm + std", "perm")
        other, both = (
            self.document("D4", "2*perm + 3*sign", "perm"),
            self.document("S4", "2*perm + trivial", "perm + 2*sign"),
        )
        cases: dict[str, tuple[dict, str]] = {}

        def case(name: str, of: dict, reason: str, change) -> None:
            document = copy.deepcopy(of)
            change(document)
            forms.reseal(document)
            cases[name] = document, reason

        def block_of_another_group(t: dict) -> None:
            for name in [name for name in t if name.startswith("block.0.1.")]:
                t[name] = other[name]

        def swapped(side: str, block: str = "block.0.1"):
            def change(t: dict) -> None:
                name = f"{block}.proof.{side}_images"
                t[name] = t[name][::-1]

            return change

        def without_element(t: dict) -> None:
            last = t["block.0.0.weight.basis_ptr"] if "block.0.0.weight.basis_ptr" in t else None
            self.assertIsNone(last)
            t["block.0.0.weight.code"] = [[x % 2 for x in row] for row in t["block.0.0.weight.code"]]
            t["block.0.0.weight.orbit_size"] = t["block.0.0.weight.orbit_size"][:1]
            t["metadata"]["intertwine.block.0.0.params"] = "1"

        def doubled(t: dict) -> None:
            t["block.0.1.weight.basis_val"] = [
                str(2 * int(x)) if k == 0 else x for k, x in enumerate(t["block.0.1.weight.basis_val"])
            ]

        def in_lowest_part(key: str, value: str):
            return lambda t: t["metadata"].__setitem__(f"intertwine.{key}", value)

        def acts_otherwise(t: dict) -> None:
            """The second block by other generators of the same group: its own theorem holds, that of the sum does not."""
            for side in ("row", "column"):
                swapped(side)(t)

        case("a block of another group", tied, "differ in|signed perm|not equi|not complete", block_of_another_group)
        case("rows by other images", tied, "differ in what generators do to rows|not equivariant", swapped("row"))
        case("columns by other images", tied, "differ|not equivariant", swapped("column", "block.0.0"))
        case(
            "all by other images",
            tied,
            r"block \(0, 1\) and block \(0, 0\) differ in what generators do to rows",
            acts_otherwise,
        )
        for where, reason in (("row", "rows"), ("column", "columns")):
            at = f"block.1.1.proof.{where}_images"
            case(
                f"block (1, 1): {where}s of a sign",
                both,
                f"differ in what generators do to {reason}|not equivariant|not complete",
                lambda t, at=at: t.__setitem__(at, [[-x for x in row] for row in t[at]]),
            )
        case("an element is missing", tied, r"block \(0, 0\): weight: not complete", without_element)
        case("an element is changed", mixed, r"block \(0, 1\): weight: not equivariant", doubled)
        case(
            "multiplicities",
            tied,
            "differ in intertwine.multiplicity_out",
            in_lowest_part("block.0.1.multiplicity_out", "2"),
        )
        case("fewer parts", tied, "beyond its parts", in_lowest_part("parts_in", "1"))
        case("a bias", tied, "bias", lambda t: t["block.0.1.bias.code"].__setitem__(0, 0))
        case(
            "numbers of entries",
            mixed,
            "orbit_size",
            lambda t: t["block.0.0.weight.orbit_size"].__setitem__(0, t["block.0.0.weight.orbit_size"][0] + 1),
        )
        found = self.verdicts({name: document for name, (document, _) in cases.items()})
        for name, (_, reason) in cases.items():
            with self.subTest(name):
                self.assertRegex(found[name], f"^refused: .*({reason})")
        more = copy.deepcopy(tied)
        more["metadata"]["intertwine.parts_in"] = "3"
        self.assertRegex(self.verdicts({"more parts": more})["more parts"], "^not read: ")

    def test_every_leaf_of_the_proof_and_the_codes(self) -> None:
        """No code and no image of a generator can be another one."""
        for source in ("2*perm + subsets(2)", "2*perm + std"):
            honest = self.document("S3", source, "perm")
            documents = {}
            for name in honest:
                if not name.endswith(("_images", ".code", "basis_row", "basis_col", "basis_val")):
                    continue
                values = tables.np.array([int(x) for x in honest[name]] if name.endswith("val") else honest[name])
                for place in tables.np.ndindex(*values.shape):
                    for new in {-values[place], values[place] + 1, 0, 1, 2} - {values[place]}:
                        changed = values.copy()
                        changed[place] = new
                        listed = changed.tolist()
                        out = dict(honest, metadata=dict(honest["metadata"]))
                        out[name] = [str(x) for x in listed] if name.endswith("val") else listed
                        if forms.binary(out) is not None:
                            forms.reseal(out)
                            documents[f"{name}{list(place)} = {new}"] = out
            self.assertGreater(len(documents), 100)
            for name, line in self.verdicts(documents).items():
                with self.subTest(f"{source}: {name}"):
                    self.assertRegex(line, "^(refused|not read): ")


@unittest.skipUnless("INTERTWINE_PROGRAM" in os.environ, "INTERTWINE_PROGRAM names no program that writes proofs")
class Forms(unittest.TestCase):
    """checkers/check_in_coq.py, which hands .json and .npz over."""

    def written(self, suffix: str, *layer: str) -> Path:
        path = FOLDER / f"form-{len(list(FOLDER.iterdir()))}{suffix}"
        command = [os.environ["INTERTWINE_PROGRAM"], "tie", *layer, "--proof", "--quiet", "--output", path]
        subprocess.run(command, check=True)
        return path

    def verdicts(self, *paths: Path) -> list[tuple[int, str]]:
        found = verdicts.coq_of_every_form(BUILD / "intertwine-check", paths)
        return [found[str(path)] for path in paths]

    def test_every_form_has_the_verdict_of_the_binary_form(self) -> None:
        for layer in (
            ("S5", "--in", "2*perm + std", "--out", "perm"),
            ("p4m(4,4)", "--in", "perm", "--out", "perm"),
            ("SO(3)", "--in", "vector^2", "--out", "vector"),
            ("C1", "--in", "2*perm", "--out", "perm"),
        ):
            paths = [self.written(suffix, *layer) for suffix in (".safetensors", ".npz", ".json")]
            found = self.verdicts(*paths)
            self.assertEqual((found[0][0], {line for _, line in found}), (0, {found[0][1]}), layer)

    def test_false_tables_are_refused_in_every_form(self) -> None:
        honest = json.loads(self.written(".json", "S4", "--in", "2*perm + 3*sign", "--out", "perm").read_text())
        for name, change in {
            "a code": lambda t: t["block.0.0.weight.code"][1].__setitem__(2, 1),
            "an image": lambda t: t["block.0.0.proof.row_images"][0].__setitem__(0, 1),
            "a number of entries": lambda t: t["block.0.0.weight.orbit_size"].__setitem__(0, 5),
        }.items():
            document = copy.deepcopy(honest)
            change(document)
            forms.reseal(document)
            paths = [FOLDER / f"false{suffix}" for suffix in (".json", ".npz")]
            self.assertTrue(all(forms.write(document, path) for path in paths))
            self.assertEqual([status for status, _ in self.verdicts(*paths)], [1, 1], name)

    def test_numbers_that_do_not_fit_are_not_read(self) -> None:
        """A number that wraps around would be another table."""
        tied = json.loads(self.written(".json", "S3", "--in", "perm", "--out", "perm").read_text())
        sparse = json.loads(self.written(".json", "S3", "--in", "std", "--out", "std").read_text())
        path = FOLDER / "wrapped.json"
        for of, name, change in (
            (tied, "weight.code", lambda x: x[0].__setitem__(0, x[0][0] + 256)),
            (tied, "proof.row_images", lambda x: x[0].__setitem__(0, x[0][0] + 2**32)),
            (tied, "weight.orbit_size", lambda x: x.__setitem__(0, x[0] + 2**64)),
            (sparse, "weight.basis_val", lambda x: x.__setitem__(0, str(2**53 + 1))),
            (sparse, "weight.basis_val", lambda x: x.__setitem__(0, "1/2")),
            (tied, "bias.code", lambda x: x.__setitem__(0, str(x[0]))),
        ):
            document = copy.deepcopy(of)
            change(document[name])
            path.write_text(json.dumps(document))
            [(status, line)] = self.verdicts(path)
            self.assertEqual((status, line.split(":")[0]), (2, "cannot be read"), name)

    def test_fields_larger_than_q(self) -> None:
        """A basis over a field of degree e is a basis over Q with e times as many elements, in every form."""
        for layer, field in (
            (("D5", "--in", "irrep(3)", "--out", "perm + irrep(3)", "--single"), "Q(-E(5)^2-E(5)^3)"),
            (("A5", "--in", "irrep(2)", "--out", "irrep(2)"), "Q(-E(5)^2-E(5)^3)"),
            (("I", "--in", "vector", "--out", "perm"), "Q(-E(5)^2-E(5)^3)"),
            (("D7", "--in", "irrep(4)", "--out", "perm"), "Q(E(7)+E(7)^6)"),
        ):
            paths = [self.written(suffix, *layer) for suffix in (".safetensors", ".npz", ".json")]
            found = self.verdicts(*paths)
            self.assertEqual((found[0][0], {line for _, line in found}), (0, {found[0][1]}), layer)
            self.assertIn(field.split("(")[0] + "(", found[0][1])

    def test_false_bases_over_fields_are_refused(self) -> None:
        honest = json.loads(self.written(".json", "D5", "--in", "irrep(3)", "--out", "perm").read_text())
        value = honest["weight.basis_val"].index(next(x for x in honest["weight.basis_val"] if "E" in x))

        def bias_twice(t: dict) -> None:
            t["bias.basis_val"] = ["2"] * len(t["bias.basis_val"])

        def no_bias(t: dict) -> None:
            t["metadata"]["intertwine.bias_params"] = "0"
            t["metadata"]["intertwine.certificate"] = "{}"
            t["bias.basis_ptr"], t["bias.basis_row"], t["bias.basis_val"] = [0], [], []

        for name, expected, change in (
            ("as it is", 0, lambda t: None),
            ("the bias twice", 0, bias_twice),
            ("no bias", 1, no_bias),
            ("a rational value", 1, lambda t: t["weight.basis_val"].__setitem__(value, "1")),
            ("its conjugate", 1, lambda t: t["weight.basis_val"].__setitem__(value, "E(5)^2+E(5)^3")),
            ("a value of the bias", 1, lambda t: t["bias.basis_val"].__setitem__(0, "2")),
            ("a matrix", 1, lambda t: t["proof.row_numerator"][0].__setitem__(0, 2)),
            ("a matrix of the bias' rows", 1, lambda t: t["proof.row_numerator"][1].__setitem__(0, 1)),
        ):
            document = copy.deepcopy(honest)
            change(document)
            arrays = table_files.of_json(json.dumps(document).encode())[1]
            field = table_files.Field(document["metadata"]["intertwine.field_generator"])
            document["metadata"]["intertwine.sha256"] = table_files.digest(arrays, {}, field)
            path = FOLDER / "field.json"
            path.write_text(json.dumps(document))
            [(status, line)] = self.verdicts(path)
            self.assertEqual(status, expected, (name, line))
            self.assertNotIn("sha256", line)

    def test_blocks_over_fields_larger_than_q(self) -> None:
        """Each block by itself, and that the generators act alike along rows and columns."""
        for layer, sizes in (
            (
                ("A5", "--in", "2*irrep(2) + 3*perm", "--out", "irrep(2) + 2*perm"),
                "the 3 elements of 2 x 2 blocks (and 1",
            ),
            (
                ("D5", "--in", "irrep(3) + 2*perm", "--out", "2*irrep(3) + irrep(4)"),
                "the 3 elements of 2 x 2 blocks (and 0",
            ),
        ):
            paths = [self.written(suffix, *layer) for suffix in (".safetensors", ".npz", ".json")]
            found = self.verdicts(*paths)
            words = f"accepted: {sizes} of the bias) are a basis, those over fields larger than Q by tables over Q"
            self.assertEqual(found, [(0, words)] * 3, layer)

    @staticmethod
    def reseal_blocks(document: dict) -> None:
        """The digests again, which forms.reseal has for Q alone."""
        metadata, lines = document["metadata"], ""
        arrays = table_files.of_json(json.dumps(document).encode())[1]
        for i, j in itertools.product(range(2), range(2)):
            prefix, own = f"block.{i}.{j}.", f"intertwine.block.{i}.{j}."
            of_block = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            codes = {
                f"{side}.code": int(metadata[f"{own}{key}"])
                for side, key in (("weight", "params"), ("bias", "bias_params"))
            }
            field = table_files.Field(metadata.get(f"{own}field_generator"))
            metadata[f"{own}sha256"] = table_files.digest(of_block, codes, field)
            keys = ("multiplicity_out", "multiplicity_in", "rows", "cols", "sha256")
            lines += " ".join([str(i), str(j), *(metadata[own + key] for key in keys)]) + "\n"
        metadata["intertwine.sha256"] = hashlib.sha256(lines.encode()).hexdigest()

    def test_false_blocks_over_fields_are_refused(self) -> None:
        layer = ("I", "--in", "irrep(2) + 2*perm", "--out", "irrep(2) + 3*perm")
        honest = json.loads(self.written(".json", *layer).read_text())
        other = json.loads(self.written(".json", *(part.replace("(2)", "(3)") for part in layer)).read_text())
        values = honest["block.0.1.weight.basis_val"]
        place = next(k for k, x in enumerate(values) if "E" in x)

        def of_the_conjugate(t: dict) -> None:
            """A true block of another representation of the same group under the words of the first."""
            for name in [key for key in t if key.startswith("block.0.1.")]:
                t[name] = other[name]
            prefix = "intertwine.block.0.1."
            for key in [key for key in t["metadata"] if key.startswith(prefix)]:
                if key.removeprefix(prefix) not in ("rep_in", "rep_out", "group"):
                    t["metadata"][key] = other["metadata"][key]

        def other_code(t: dict) -> None:
            codes = t["block.1.1.weight.code"][0]
            codes[0] = 1 - codes[0]

        for name, why, change in (
            ("as it is", "", lambda t: None),
            ("a rational value", "block (0, 1): ", lambda t: t["block.0.1.weight.basis_val"].__setitem__(place, "1")),
            ("a tied code", "block (1, 1): ", other_code),
            ("of the conjugate", "not of one group", of_the_conjugate),
        ):  # fmt: skip
            document = copy.deepcopy(honest)
            change(document)
            self.reseal_blocks(document)
            path = FOLDER / "field-blocks.json"
            path.write_text(json.dumps(document))
            [(status, line)] = self.verdicts(path)
            self.assertEqual(status, 1 if why else 0, (name, line))
            self.assertIn(why, line)
            self.assertNotIn("sha256", line)


# What a proof may rest on: Coq's primitive machine words, and their specification.
ALLOWED = {
    f"PrimInt63.{name}" for name in "int add sub mul eqb ltb leb lsl lsr land lor lxor mod div compare".split()
} | {
    f"Uint63.{name}"
    for name in "add_spec sub_spec mul_spec eqb_correct eqb_refl ltb_spec leb_spec lsl_spec lsr_spec lor_spec mod_spec div_spec of_to_Z".split()
}


@unittest.skipUnless("INTERTWINE_PROGRAM" in os.environ, "INTERTWINE_PROGRAM names no program that writes proofs")
class CharacterTables(unittest.TestCase):
    """Tables of characters, whose proof needs the generators alone."""

    def written(self, group: str) -> Path:
        path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
        command = [os.environ["INTERTWINE_PROGRAM"], "chartable", group, "--proof", "--quiet", "--output", path]
        subprocess.run(command, check=True)
        return path

    def test_tables_of_the_program_are_accepted(self) -> None:
        # S12 has centralizers of millions of elements.
        found = {"C1": (1, 1), "C7": (7, 7), "Q8": (8, 5), "SL(2,3)": (24, 7), "A5": (60, 5), "S5": (120, 7),
                 "PSL(2,7)": (168, 6), "M11": (7920, 10), "M24": (244823040, 26),
                 "S12": (479001600, 77)}  # fmt: skip
        status, lines = check(*(self.written(group) for group in found))
        for line, (order, classes) in zip(lines, found.values()):
            self.assertEqual(
                line,
                f"accepted: order {order}, {classes} classes with their sizes, and the rows are the irreducible characters",
            )
        self.assertEqual(status, 0)

    def test_false_tables_are_refused(self) -> None:
        document = json.loads(self.written("S5").read_text())
        golden = json.loads(self.written("A5").read_text())

        def changed(change, of=document):
            out = copy.deepcopy(of)
            change(out)
            path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
            path.write_text(json.dumps(out))
            return check(path)[0]

        def swap(x, i, j):
            x[i], x[j] = x[j], x[i]

        self.assertEqual(changed(lambda t: None), 0)
        for k, row in enumerate(document["irreducibles"]):
            for c, x in enumerate(row):
                for y in {int(x) + 1, int(x) - 1, -int(x), 0} - {int(x)}:
                    self.assertNotEqual(
                        changed(lambda t, k=k, c=c, y=y: t["irreducibles"][k].__setitem__(c, str(y))), 0, (k, c, y)
                    )
        # Columns of two classes, negative rows, a row twice, a row that is a sum, one row less, one class less.
        self.assertNotEqual(changed(lambda t: [swap(row, 1, 2) for row in t["irreducibles"]]), 0)
        self.assertNotEqual(changed(lambda t: t["irreducibles"].__setitem__(1, t["irreducibles"][0])), 0)
        self.assertNotEqual(changed(lambda t: t["irreducibles"].pop()), 0)
        self.assertNotEqual(changed(lambda t: t["classes"].pop()), 0)
        self.assertNotEqual(changed(lambda t: swap(t["classes"], 0, 1)), 0)
        self.assertNotEqual(
            changed(lambda t: t["irreducibles"].__setitem__(2, [str(-int(x)) for x in t["irreducibles"][2]])), 0
        )
        for key, value in ("order", "60"), ("order", "121"):
            self.assertNotEqual(changed(lambda t, key=key, value=value: t.__setitem__(key, value)), 0)
        self.assertNotEqual(changed(lambda t: t["classes"][1].__setitem__("size", "11")), 0)
        self.assertNotEqual(changed(lambda t: t["proof"]["generators"].pop()), 0)
        # A5: the values of two rows at one class alone exchanged, which keeps all integers; a root of another order.
        at = next(c for c, x in enumerate(golden["irreducibles"][1]) if isinstance(x, dict))
        self.assertEqual(changed(lambda t: None, golden), 0)
        self.assertNotEqual(changed(lambda t: swap(t["irreducibles"][1], at, 0), golden), 0)
        self.assertNotEqual(changed(lambda t: t["irreducibles"][1][at].__setitem__("n", 7), golden), 0)

        def exchanged(t):
            first, second = t["irreducibles"][1], t["irreducibles"][2]
            first[at], second[at] = second[at], first[at]

        self.assertNotEqual(changed(exchanged, golden), 0)
        # Both rows exchanged are the same table, if the sums of induced characters are exchanged, too.
        self.assertNotEqual(changed(lambda t: swap(t["irreducibles"], 1, 2), golden), 0)
        both = lambda t: [swap(x, 1, 2) for x in (t["irreducibles"], t["proof"]["combinations"])]  # noqa: E731
        self.assertEqual(changed(both, golden), 0)

    def test_false_proofs_of_characters_are_refused(self) -> None:
        document = json.loads(self.written("M11").read_text())

        def changed(change):
            out = copy.deepcopy(document)
            change(out)
            path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
            path.write_text(json.dumps(out))
            return check(path)[0]

        self.assertEqual(changed(lambda t: None), 0)
        # A coefficient, an exponent, a generator of a subgroup, the subgroup of a linear character.
        for row in range(len(document["irreducibles"])):
            at = lambda t, row=row: t["proof"]["combinations"][row][0]  # noqa: E731
            self.assertNotEqual(changed(lambda t: at(t).__setitem__(1, str(int(at(t)[1]) + 1))), 0, row)
        for k, linear in enumerate(document["proof"]["linear_characters"]):
            for j, e in enumerate(linear["exponents"]):
                other = (e + 1) % linear["order"]
                if not any(p[0] == k for row in document["proof"]["combinations"] for p in row):
                    continue
                if len(linear["exponents"]) == 1 and linear["order"] in (5, 8, 11):
                    continue  # another generator of a cyclic group may induce to the same
                status = changed(
                    lambda t, k=k, j=j, e=other: t["proof"]["linear_characters"][k]["exponents"].__setitem__(j, e)
                )
                self.assertNotEqual(status, 0, (k, j))
        self.assertNotEqual(changed(lambda t: t["proof"]["subgroups"][2].__setitem__(0, "()")), 0)
        self.assertNotEqual(changed(lambda t: t["proof"]["subgroups"][2].__setitem__(0, "(1,2)")), 0)
        # A class by a conjugate is the same class; by an element of another one it is not, nor by one outside.
        x = document["classes"][1]["representative"]
        for k in range(2, len(document["classes"])):
            self.assertNotEqual(changed(lambda t, k=k: t["classes"][k].__setitem__("representative", x)), 0, k)
        odd = [1, 0, *range(2, len(x))]
        self.assertNotEqual(changed(lambda t: t["classes"][1].__setitem__("representative", odd)), 0)
        self.assertNotEqual(changed(lambda t: t["classes"][1].__setitem__("element_order", 4)), 0)
        self.assertNotEqual(changed(lambda t: t["classes"][1].__setitem__("centralizer_order", "49")), 0)

    def test_complex_conjugates_are_the_same_table(self) -> None:
        """Exchanging an element of order 4 and its inverse exchanges two rows of C4, and the sums that they are."""
        path = self.written("C4")
        document = json.loads(path.read_text())
        g, gi = [k for k, entry in enumerate(document["classes"]) if entry["element_order"] == 4]
        for row in document["irreducibles"]:
            row[g], row[gi] = row[gi], row[g]
        path.write_text(json.dumps(document))
        self.assertNotEqual(check(path)[0], 0)
        i, j = [k for k, row in enumerate(document["irreducibles"]) if any(isinstance(x, dict) for x in row)]
        sums = document["proof"]["combinations"]
        sums[i], sums[j] = sums[j], sums[i]
        path.write_text(json.dumps(document))
        self.assertEqual(check(path)[0], 0)

    def test_orthonormal_rows_that_are_no_characters_are_refused(self) -> None:
        """Class functions of C4 with norm 1 and positive degree: a row of C2 x C2 in place of the quartic ones."""
        path = self.written("C4")
        document = json.loads(path.read_text())
        orders = [entry["element_order"] for entry in document["classes"]]
        first, second = [k for k, order in enumerate(orders) if order == 4]
        quartic = [k for k, row in enumerate(document["irreducibles"]) if any(isinstance(x, dict) for x in row)]
        for k, signs in zip(quartic, ((1, -1), (-1, 1))):
            row = ["1" if order == 1 else "-1" for order in orders]
            row[first], row[second] = str(signs[0]), str(signs[1])
            document["irreducibles"][k] = row
        rows = [[int(x) for x in row] for row in document["irreducibles"]]
        self.assertTrue(all(sum(x * y for x, y in zip(a, b)) == 4 * (a == b) for a in rows for b in rows))
        path.write_text(json.dumps(document))
        self.assertNotEqual(check(path)[0], 0)

    def test_strange_files_are_not_read(self) -> None:
        path = self.written("S3")
        text = path.read_text()
        strange = ["{", "{}", text[:-5], text.replace('"2"', '"2/3"'), text.replace("(1,2,3)", "(1,2,9)"),
                   text.replace('"proof"', '"prof"'), "[" * 10_000, '{"a":' * 10_000]  # fmt: skip
        for k, contents in enumerate(strange):
            path.write_text(contents)
            self.assertNotEqual(check(path)[0], 0, k)


@unittest.skipUnless("INTERTWINE_PROGRAM" in os.environ, "INTERTWINE_PROGRAM names no program that writes proofs")
class Representations(unittest.TestCase):
    """Complete sets of irreducible matrices."""

    def document(self, group: str) -> dict:
        path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
        command = [os.environ["INTERTWINE_PROGRAM"], "irreps", group, "--proof", "--quiet", "--output", path]
        subprocess.run(command, check=True)
        return json.loads(path.read_text())

    def verdict(self, document: dict, change=lambda t: None) -> tuple[int, str]:
        document = copy.deepcopy(document)
        change(document)
        path = FOLDER / f"{len(list(FOLDER.iterdir()))}.json"
        path.write_text(json.dumps(document))
        status, lines = check(path)
        return status, lines[0]

    def test_files_of_the_program_are_accepted(self) -> None:
        # S12 has centralizers of millions of elements.
        found = {"C1": (1, 1), "C7": (7, 7), "Q8": (8, 5), "D5": (10, 4), "SL(2,3)": (24, 7), "A5": (60, 5), "S5": (120, 7),
                 "C2 x S4": (48, 10), "PSL(2,7)": (168, 6), "B4": (384, 20), "S7": (5040, 15)}  # fmt: skip
        for group, (order, count) in found.items():
            line = f"accepted: order {order}, and the {count} irreducible representations over the complex numbers"
            self.assertEqual(self.verdict(self.document(group)), (0, line), group)

    def test_every_changed_entry_is_refused(self) -> None:
        values = "0", "1", "-1", "1/2", {"n": 5, "c": [["1", 1]]}, {"n": 4, "c": [["-1", 1]]}
        for group in "Q8", "D5", "<(1,2,3,4,5,6,7),(2,3,5)(4,7,6)>":
            document = self.document(group)
            changed = []
            for i, form in enumerate(document["irreps"]):
                for j, matrix in enumerate(form["matrices"]):
                    for a, row in enumerate(matrix):
                        for b, value in itertools.product(range(len(row)), values):
                            if value != row[b]:
                                changed.append(FOLDER / f"{group}.{i}.{j}.{a}.{b}.{len(changed)}.json")
                                false = copy.deepcopy(document)
                                false["irreps"][i]["matrices"][j][a][b] = value
                                changed[-1].write_text(json.dumps(false))
            for path, line in zip(changed, check(*changed)[1]):
                self.assertTrue(line.startswith("refused: "), (path.name, line))

    def test_equivalent_matrices_are_accepted(self) -> None:
        """In the basis of the vectors 1, 2, 3, … times those of the file, with fractions and denominators."""

        def times(entry, factor: Fraction):
            scaled = lambda c: str(Fraction(c) * factor)  # noqa: E731
            return scaled(entry) if isinstance(entry, str) else {**entry, "c": [[scaled(c), e] for c, e in entry["c"]]}

        for group in "Q8", "A5", "SL(2,3)", "C2 x S4":
            document = self.document(group)
            for form in document["irreps"]:
                form["matrices"] = [
                    [[times(x, Fraction(a + 1, b + 1)) for b, x in enumerate(row)] for a, row in enumerate(matrix)]
                    for matrix in form["matrices"]
                ]
            self.assertEqual(self.verdict(document)[0], 0, group)
            wrong = copy.deepcopy(document["irreps"][-1]["matrices"][0])
            wrong[0] = [times(x, Fraction(2)) for x in wrong[0]]
            self.assertEqual(self.verdict(document, lambda t: t["irreps"][-1]["matrices"].__setitem__(0, wrong))[0], 1)

    def test_false_sets_are_refused(self) -> None:
        document = self.document("A5")
        multiply = "do not multiply as the group does"
        for what, reason, change in (
            ("one less", "only complete sets are checked", lambda t: t["irreps"].pop()),
            ("one twice", "the characters are not orthonormal", lambda t: t["irreps"].__setitem__(2, t["irreps"][1])),
            ("another degree", "squares of the degrees", lambda t: t["irreps"].__setitem__(0, t["irreps"][1])),
            ("generators exchanged", multiply, lambda t: t["irreps"][3]["matrices"].reverse()),
            ("a matrix less", "not one matrix for each", lambda t: t["irreps"][3]["matrices"].pop()),
            ("a row less", "has 3 rows", lambda t: t["irreps"][3]["matrices"][0].pop()),
            ("an entry less", "a row of 3 entries", lambda t: t["irreps"][3]["matrices"][0][1].pop()),
            ("another order", "the order of a centralizer", lambda t: t.__setitem__("order", "120")),
            ("other generators", "not those of its proof", lambda t: t.__setitem__("generators", ["(1,2)", "(1,2,3,4,5)"])),
            ("another form", "no proof of characters", lambda t: t["proof"].__setitem__("form", "signs")),
            ("two classes exchanged", "not those of the classes", lambda t: t["proof"]["classes"].reverse()),
            ("no fraction", "is no rational number", lambda t: t["irreps"][0]["matrices"][0][0].__setitem__(0, "1/2/3")),
            ("denominator 0", "out of range", lambda t: t["irreps"][0]["matrices"][0][0].__setitem__(0, "1/0")),
            ("a large number", "is no integer", lambda t: t["irreps"][0]["matrices"][0][0].__setitem__(0, "9" * 20)),
        ):  # fmt: skip
            status, line = self.verdict(document, change)
            self.assertNotEqual(status, 0, what)
            self.assertIn(reason, line, what)
        # Another order of the representations is as true.
        self.assertEqual(self.verdict(document, lambda t: t["irreps"].reverse())[0], 0)

    def test_matrices_that_act_from_the_other_side_are_refused(self) -> None:
        """Transposes multiply in the other order. In this group inverting both generators is no automorphism."""
        document = self.document("<(1,2,3,4,5,6,7),(2,3,5)(4,7,6)>")
        for form in document["irreps"]:
            form["matrices"] = [[list(row) for row in zip(*matrix)] for matrix in form["matrices"]]
        self.assertEqual(self.verdict(document)[0], 1)


class Words(unittest.TestCase):
    def test_words_are_integers_modulo_two_to_the_63(self) -> None:
        """The one trusted module that computes, against Python's integers."""
        random = tables.np.random.default_rng(3)
        edges = [0, 1, 2, 3, 2**31, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 2, 2**63 - 1]
        numbers = edges + [
            int(x) >> int(s)
            for x, s in zip(random.integers(0, 2**63, 60, dtype=tables.np.uint64), random.integers(0, 62, 60))
        ]
        mask = 2**63 - 1
        pairs = [(x, y) for x in numbers for y in numbers]
        expected = []
        for x, y in pairs:
            shifts = [(x << y) & mask if y < 63 else 0, x >> y if y < 63 else 0]
            expected.append(
                [
                    (x + y) & mask,
                    (x - y) & mask,
                    (x * y) & mask,
                    x % y if y else x,
                    x & y,
                    x | y,
                    *shifts,
                    int(x == y),
                    int(x < y),
                    int(x <= y),
                ]
            )
        script = FOLDER / "words.ml"
        script.write_text(
            f"""#use "{SOURCE / "program" / "uint63.ml"}";;
            let () = try while true do Scanf.scanf " %d %d" (fun x y ->
              List.iter (fun f -> Printf.printf "%d " (f x y)) [add; sub; mul; rem; l_and; l_or; l_sl; l_sr];
              List.iter (fun f -> Printf.printf "%d " (Bool.to_int (f x y))) [equal; lt; le]; print_newline ()) done with End_of_file -> ()"""
        )
        signed = [[v - 2**63 if v >= 2**62 else v for v in pair] for pair in pairs]
        run = subprocess.run(
            ["ocaml", script],
            input="".join(f"{x} {y}\n" for x, y in signed),
            capture_output=True,
            text=True,
            check=True,
        )
        lines = [
            [int(v) & mask for v in line.split()] for line in run.stdout.splitlines() if re.fullmatch(r"[-\d ]+", line)
        ]
        self.assertEqual(lines, expected)


class Proofs(unittest.TestCase):
    def test_theorems_rest_on_machine_words_only(self) -> None:
        for module, theorem in (
            ("TiedProof", "accepted_tied"),
            ("SparseProof", "accepted_sparse"),
            ("Blocks", "accepted_blocks"),
        ):
            script = FOLDER / "Assumptions.v"
            script.write_text(f"From IntertwineCheck Require Import {module}. Print Assumptions {theorem}.\n")
            run = subprocess.run(
                ["coqc", "-w", "none", "-Q", BUILD, "IntertwineCheck", script],
                capture_output=True,
                text=True,
                check=True,
                cwd=FOLDER,
            )
            names = re.findall(r"^([A-Za-z_][\w.']*)\s*(?::|$)", run.stdout.split("Axioms:\n", 1)[1], re.MULTILINE)
            self.assertIn("PrimInt63.int", names)
            self.assertEqual(set(names) - ALLOWED, set())

    def test_the_theorems_of_characters_and_representations_assume_nothing(self) -> None:
        script = FOLDER / "Assumptions.v"
        for module, theorem in ("CharactersProof", "accepted_characters"), ("FormsProof", "accepted_forms"):
            script.write_text(f"From IntertwineCheck Require Import {module}. Print Assumptions {theorem}.\n")
            command = ["coqc", "-w", "none", "-Q", BUILD, "IntertwineCheck", script]
            run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER)
            self.assertEqual(run.stdout.strip(), "Closed under the global context")

    def test_sources_assume_nothing(self) -> None:
        for path in SOURCE.glob("theories/*.v"):
            text = re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL)
            self.assertNotRegex(
                text,
                r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Bypass|Unset\s+(Guard|Positivity|Universe)\s+Check\w*)\b",
                path.name,
            )


if __name__ == "__main__":
    missing = [tool for tool in ("coqc", "ocamlopt") if shutil.which(tool) is None]
    if not missing:
        where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
        if not Path(where, "user-contrib", "mathcomp", "character").is_dir():
            missing = ["mathcomp.character"]
    if missing:
        print("skipped:", " and ".join(missing), "not installed (Debian: coq libcoq-mathcomp-character ocaml-nox)")
        sys.exit(77)
    unittest.main()
