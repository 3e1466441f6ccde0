"""The checkers that share nothing with the library accept honest files, and refuse what is false: every leaf, list and
object of every kind of file is changed in every way that fits it."""

import cmath
import json
import os
import random
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "checkers"))
import verdicts
from mutants import mutants

PROGRAMS = sorted(map(str, ROOT.glob("build*/bin/intertwine")), key=os.path.getmtime, reverse=True)
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="the program is not built")

WEIGHTS = [["1", "2", "3"], ["0", "1/2", "0"], [0, "0", "5"]]

# Files with images, by a name.
IMAGES = {
    "S3": ("irreps", "S3"),
    "D5": ("irreps", "D5"),
    "C3": ("irreps", "C3"),
    "C4": ("tie", "C4", "perm", "perm", "--proof", "--single", "--no-closure"),
    "Q8": ("tie", "Q8", "perm", "perm", "--proof", "--single", "--no-closure"),
    "Oh": ("irreps", "Oh"),
    "SO(3)": ("tie", "SO(3)", "vector", "harmonic(2)", "--proof", "--single", "--no-closure"),
}

# The checker, the files with images, the command; and what the proof is not about, by keys: the writer's word.
WORDS = {
    "polynomials": {"intertwine", "convention", "field", "route"},
    "kernels": {"intertwine", "convention", "field", "route", "equivariant", "independent", "stabilizer"},
    "decompose": {"intertwine", "field", "name"},
    "symmetrize": {"intertwine", "field", "files"},
    "irreps": {"intertwine", "field", "name", "names", "seed", "construction", "over_character_field", "rows", "irrep",
               "multiplicity", "schur"},
    "tie": {"producer"},
}  # fmt: skip
FILES = [
    ("check_maps.py", [], ("polynomials", "S3", "perm", "perm", "2")),
    ("check_maps.py", [], ("polynomials", "C4", "perm", "trivial", "4")),
    ("check_maps.py", ["D5"], ("polynomials", "D5", "irrep(3)", "irrep(4)", "2")),
    ("check_maps.py", ["C3"], ("polynomials", "C3", "irrep(2)", "irrep(3)", "2")),
    ("check_maps.py", [], ("polynomials", "S4", "std", "sym(2,std)", "1")),
    ("check_maps.py", [], ("polynomials", "SO(3)", "2*vector", "vector", "2")),
    ("check_maps.py", [], ("polynomials", "D5", "coordinates", "trivial", "5")),
    ("check_maps.py", [], ("kernels", "S4", "--from-subgroup", "<(1,2)(4)>", "--from", "sign", "--to-subgroup", "S3",
                           "--to", "subsets(2)")),
    ("check_maps.py", [], ("kernels", "A4", "--from-subgroup", "<(1,2,3)>", "--from", "perm", "--to-subgroup",
                           "<(1,2)(3,4)>", "--to", "trivial")),
    ("check_maps.py", [], ("kernels", "R^2 : D4", "trivial", "cartesian", "--degree", "3")),
    ("check_maps.py", ["Oh"], ("kernels", "R^3 : Oh", "T1u", "trivial", "--degree", "3")),
    ("check_maps.py", [], ("kernels", "SE(3)", "vector", "vector")),
    ("check_maps.py", [], ("kernels", "E(2)", "vector", "trivial")),
    ("check_maps.py", ["SO(3)"], ("kernels", "SE(3)", "trivial", "harmonic(2)")),
    ("check_decomposition.py", ["S3"], ("decompose", "S3", "perm^2", "--basis")),
    ("check_decomposition.py", ["S3"], ("decompose", "S3", "perm", "--orthonormal")),
    ("check_decomposition.py", ["C3"], ("decompose", "C3", "perm", "--orthonormal")),
    ("check_decomposition.py", ["D5"], ("decompose", "D5", "perm", "--orthonormal")),
    ("check_decomposition.py", ["C4"], ("decompose", "C4", "perm", "--over", "real", "--orthonormal")),
    ("check_decomposition.py", ["Q8"], ("decompose", "Q8", "perm", "--over", "real", "--basis")),
    ("check_decomposition.py", [], ("irreps", "D5", "--orthonormal")),
    ("check_decomposition.py", [], ("irreps", "C3", "--orthonormal")),
    ("check_decomposition.py", [], ("irreps", "Q8", "--over", "real", "--orthonormal")),
    ("check_decomposition.py", [], ("symmetrize", "S3", "perm", "perm", "weights.json")),
    ("check_decomposition.py", ["C3"], ("symmetrize", "C3", "perm", "dual(perm)", "weights.json")),
    ("check_diagrams.py", [], ("tie", "S(n)", "perm^2", "perm")),
    ("check_diagrams.py", [], ("tie", "B(n)", "coordinates*unsigned", "coordinates*unsigned")),
    ("check_diagrams.py", [], ("tie", "O(n)", "vector^2", "vector^2")),
    ("check_diagrams.py", [], ("tie", "Sp(n)", "vector^3", "vector")),
    ("check_diagrams.py", [], ("tie", "GL(n)", "vector*dual(vector)", "vector*dual(vector)")),
    ("check_diagrams.py", [], ("tie", "S(n) x O(3)", "perm # vector", "perm^2 # vector")),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with files of images and weights."""
    out = tmp_path_factory.mktemp("checkers")
    (out / "weights.json").write_text(json.dumps(WEIGHTS))
    for name, command in IMAGES.items():
        made(out, command, f"images of {name}.json")
    return out


def made(folder, command, file):
    done = subprocess.run([PROGRAMS[0], *command, "--json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    if command[0] == "tie":
        subprocess.run([PROGRAMS[0], *command, "--quiet", "--output", file], cwd=folder, check=True)
        return json.loads((folder / file).read_text())
    (folder / file).write_text(done.stdout)
    return document


def judged(folder, checker, names, files):
    """{file: (status, words)}."""
    options = [x for name in names for x in ("--images", str(folder / f"images of {name}.json"))]
    if checker == "check_decomposition.py":
        options += ["--weights", str(folder / "weights.json")]
    command = [sys.executable, str(ROOT / "checkers" / checker), *options, "--seconds", "20", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert not done.stderr, done.stderr[-2000:]
    return verdicts.read(files, done.stdout, done.returncode)


UNORDERED = {"double_cosets", "by_characters"}
TRIALS = int(os.environ.get("INTERTWINE_TEST_MULTIPLIER", 1))
sys.set_int_max_str_digits(100_000)


def called(entry):
    return " ".join(entry[2])


@pytest.mark.parametrize("entry", FILES, ids=called)
def test_honest_files_are_accepted_and_their_mutants_are_refused_or_harmless(folder, tmp_path, entry):
    checker, names, command = entry
    original = made(folder, command, "honest.json")
    found = judged(folder, checker, names, [folder / "honest.json"])
    assert [status for status, _ in found.values()] == [0], found
    rng, every = random.Random(20261129), list(mutants(original))
    if command[0] == "tie":
        every = [(path, way, sealed(path, document)) for path, way, document in every]
    chosen = rng.sample(every, min(len(every), 60 * TRIALS))
    for k, (_, _, document) in enumerate(chosen):
        (tmp_path / f"{k}.json").write_text(json.dumps(document))
    found = judged(folder, checker, names, [tmp_path / f"{k}.json" for k in range(len(chosen))])
    refused, wrong = 0, []
    for k, (path, way, document) in enumerate(chosen):
        status, words = found[str(tmp_path / f"{k}.json")]
        refused += status != 0
        named = path == ("group",) and "is the writer's word" in words
        if not (status or named or harmless(command[0], path, document, original, tmp_path / f"{k}.json")):
            wrong.append((path, way, words[:80]))
    assert not wrong, "\n".join(map(str, wrong))
    assert refused > len(chosen) // 3


def sealed(path, document):
    """With the digest of what was changed, so that more than the digest is looked at."""
    if "intertwine.sha256" in path:
        return document
    try:
        import hashlib

        import numpy

        data = b"".join(
            numpy.array(document[f"diagram.{name}"], dtype).tobytes()
            for name, dtype in (("bias", "<i4"), ("weights", "<i4"), ("maps", "u1"))
        )
        document = {**document, "metadata": dict(document["metadata"])}
        document["metadata"]["intertwine.sha256"] = hashlib.sha256(data).hexdigest()
    except (KeyError, TypeError, ValueError, OverflowError):
        pass  # too strange to have a digest
    return document


def harmless(command, path, document, original, file):
    """It is the writer's word, says what the original says, or is proved by the program as well."""
    keys = {str(step).removeprefix("intertwine.") for step in path if isinstance(step, str)}
    if keys & WORDS[command] or plain(document, command) == plain(original, command):
        return True
    return command in ("polynomials", "kernels", "tie", "irreps") and verdicts.verify(PROGRAMS[0], file)[0] == 0


def plain(x, command):
    """Numbers as coordinates, doubles rounded, keys that no checker knows left out."""
    if isinstance(x, dict) and x.keys() == {"n", "c"}:
        return number(x["n"], [(Fraction(c), e) for c, e in x["c"]])
    if isinstance(x, dict):
        lists = {key: plain(y, command) for key, y in x.items() if key != "another" and y not in ([], {})}
        return {key: sorted(y, key=str) if key in UNORDERED and isinstance(y, list) else y for key, y in lists.items()}
    if isinstance(x, list):
        return [plain(y, command) for y in x]
    if isinstance(x, str) and re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", x):
        return number(1, [(Fraction(x), 0)])
    return round(x, 12) if isinstance(x, float) else x


def number(n, terms):
    """The complex number, rounded: those of these files are far apart."""
    z = sum(float(min(c, 10**300)) * cmath.exp(2j * cmath.pi * e / n) for c, e in terms)
    return round(z.real, 9) + 0.0, round(z.imag, 9) + 0.0


def test_names_in_tables_belong_to_their_images(folder, tmp_path):
    cases = [
        ("S3", "perm^2", "sym(2,perm)+sign"),
        ("D5", "coordinates", "alt(2,perm)"),
        ("S5", "subsets(2)", "std"),
        ("A5", "irrep(2)", "perm"),
        ("SO(3)", "vector^2", "sym(2,vector)"),
        ("O(3)", "vector", "harmonic(2)"),
        ("S6", "arrangements(2)", "perm"),
        ("S10", "perm", "perm"),
        ("<(1,2,3)(4,5)>", "perm", "dual(perm)"),
        ("S3", "4*perm", "2*perm + 3*sign"),
    ]
    files = []
    for k, case in enumerate(cases):
        files.append(tmp_path / f"{k}.json")
        subprocess.run([PROGRAMS[0], "tie", *case, "--proof", "--no-closure", "-q", "-o", files[-1]], check=True)
    found = verdicts.python("check_names.py", files)
    assert all(status == 0 for status, _ in found.values()), found
    # Another name for the same images, or other images under the name.
    for k, (old, new) in enumerate(
        [("perm^2", "perm*sign"), ('"D5', '"C5'), ("std", "perm"), ("S10", "A10"), ("(4,5)>", "(4,6)>")]
    ):
        document = files[{0: 0, 1: 1, 2: 2, 3: 7, 4: 8}[k]].read_text()
        text = document.replace(old.replace('"', '\\"'), new.replace('"', '\\"'))
        assert text != document
        false = tmp_path / f"false{k}.json"
        false.write_text(text)
        assert verdicts.python("check_names.py", [false])[str(false)][0] != 0, (old, new)


def test_each_checker_says_why_in_a_sentence_and_goes_on(folder, tmp_path):
    (tmp_path / "none.json").write_text("[1, 2")
    (tmp_path / "list.json").write_text("[]")
    made(folder, ("polynomials", "S3", "perm", "perm", "2"), "maps.json")
    files = [tmp_path / "none.json", tmp_path / "list.json", tmp_path / "away.json", folder / "maps.json"]
    found = judged(folder, "check_maps.py", [], files)
    assert [found[str(file)][0] for file in files] == [2, 2, 2, 0]
    for checker in ("check_decomposition.py", "check_diagrams.py", "check_names.py"):
        assert all(status == 2 for status, _ in judged(folder, checker, [], files[:3]).values())
