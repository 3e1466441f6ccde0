#!/usr/bin/env python3
"""The checkers of proofs in table files, against the program that writes them and against brute force.

Usage: test_checkers.py PROGRAM [--long]

True tables (those of the examples, and of random groups and representations) are accepted by every checker, in every
form of file. Tables that were tampered with are refused, for a reason that fits: whether such a table is really false
is decided here, by exact elimination over the rational numbers of all equations that the generators' images state. The
short form takes a sample; --long takes 200 tables and 400 tampered ones. GAP's checker is left out with a word where
gap is not there. Exit status 77 without NumPy.
"""

import copy
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

try:
    import numpy as np  # noqa: F401
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "checkers"))
from forms import reseal  # noqa: E402

EXAMPLES = SOURCE / "examples"
# What the pages and programs of examples/ make tables of.
OF_EXAMPLES = [
    ("S5", "perm^2", "perm^2"), ("S5", "perm^2", "perm"), ("S5", "perm", "perm"), ("S5", "16*perm", "32*perm"),
    ("S6", "subsets(2)", "subsets(2)"), ("S6", "alt(2,perm)", "alt(2,perm)"), ("p4m(8,8)", "16*perm", "32*perm"), ("p4m(8,8)", "perm*coordinates", "perm"),
    ("D4", "regular", "regular", "--kernel", "3x3"),
    ("S16", "6*perm + 2*trivial", "6*perm + 2*trivial"), ("Rubik(3)", "perm", "perm"),
    ("Td", "(trivial + perm) * coordinates", "(trivial + perm) * coordinates"),
    ("S5 x O(3)", "8*(perm # vector)", "perm # vector"), ("SO(3)", "vector^2", "vector^2"), ("C3", f"rep(@{EXAMPLES / 'lattices/rotation.json'})"),
    ("C2 x C2", f"rep(@{EXAMPLES / 'quadruped/joints.json'})", f"rep(@{EXAMPLES / 'quadruped/trunk.json'})"),
    (f"aut(@{EXAMPLES / 'graphs/petersen.g6'})", "perm", "perm"), (f"@{EXAMPLES / 'methane/group.json'}", f"rep(@{EXAMPLES / 'methane/displacements.json'})"),
]  # fmt: skip
# Codes of two bytes, fields larger than Q, Lie algebras beside components and finite factors, no generators, no
# parameters, fractions in matrices.
OTHERS = [
    ("S4", "2*regular + perm^2", "regular + perm^3"),
    ("A5", "irrep(2)", "irrep(2)^2"), ("D5", "irrep(3)", "irrep(3)^2"), ("D8", "irrep(5)+perm", "irrep(5)"), ("C1", "3*perm", "perm"), ("S3", "perm", "sign"),
    ("O(3)", "vector^2", "vector^2"), ("O(1,3)", "vector", "vector^2"), ("SU(2)", "vector^2", "vector^2"), ("S4", "standard", "standard^2"),
    ("S4", "irrep(3)", "perm"),
    ("Sp(4)", "vector", "vector"), ("GL(3)", "vector * dual(vector)", "vector * dual(vector)"),
]  # fmt: skip
# Parts of several multiplicities: tied and sparse blocks beside one another, and pairs without parameters.
BLOCKS = [
    ("S5", "16*perm + 33*trivial", "8*perm"),
    ("S4", "2*perm + sign + 3*standard", "perm + 2*standard"),
    ("A5", "2*irrep(2) + trivial", "irrep(2)"),
]
FORMS = (".safetensors", ".npz", ".json", *[".h5"] * bool(importlib.util.find_spec("h5py")))
LEAVES = "perm;sign;trivial;perm*sign;perm^2;alt(2,perm);sym(2,perm);standard;perm + sign;standard*sign;2*perm;perm + standard".split(
    ";"
)


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.count = path, folder, 0

    def tie(self, group, rep_in, rep_out=None, *options, forms=(".json",), may_fail=False, single=True):
        """The files of a table with its proof, one for each form; none where it `may_fail` and the program has said
        why."""
        self.count += 1
        files = [self.folder / f"table{self.count}{form}" for form in forms]
        outputs = [word for file in files for word in ("--output", str(file))]
        command = [
            self.path,
            "tie",
            group,
            "--in",
            rep_in,
            "--out",
            rep_out or rep_in,
            "--proof",
            "--no-closure",
            "--quiet",
            *["--single"] * single,
            *options,
            *outputs,
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            assert may_fail and done.returncode == 2 and done.stderr, (command, done)
            return []
        return files


# Brute force: the space of all solutions, by elimination over Q, and what the table says it is.


def rank(rows):
    pivots = {}
    for row in rows:
        row = {j: x for j, x in row.items() if x}
        while row:
            j = min(row)
            if j not in pivots:
                pivots[j] = {i: Fraction(x) / row[j] for i, x in row.items()}
                break
            factor = row[j]
            for i, x in pivots[j].items():
                row[i] = row.get(i, 0) - factor * x
            row = {i: x for i, x in row.items() if x}
    return len(pivots)


def images(table, count, size, side):
    """The generators as dense lists of Fractions, acting on columns; None if they are no matrices of this size."""
    out = []
    for k in range(count):
        A = [[Fraction(0)] * size for _ in range(size)]
        if f"proof.{side}_images" in table:
            for i, image in enumerate(table[f"proof.{side}_images"][k]):
                A[abs(image) - 1][i] += 1 if image > 0 else -1
        else:
            ptr, row, col, above, below = (
                table[f"proof.{side}_{name}"] for name in ("ptr", "row", "col", "numerator", "denominator")
            )
            for e in range(ptr[k], ptr[k + 1]):
                A[row[e]][col[e]] += Fraction(above[0][e], below[e])
        out.append(A)
    return out


def stated(table, part, params, height, width):
    """The elements as dictionaries {(i, j): value}."""
    if f"{part}.code" in table:
        codes = table[f"{part}.code"] if part == "weight" else [[c] for c in table["bias.code"]]
        out = [{} for _ in range(params)]
        for i in range(height):
            for j in range(width):
                code = codes[i][j]
                if code:
                    out[(code - 1) % params][i, j] = 1 if code <= params else -1
        return out
    ptr, row = table[f"{part}.basis_ptr"], table[f"{part}.basis_row"]
    col = table["weight.basis_col"] if part == "weight" else [0] * len(row)
    return [
        {(row[e], col[e]): Fraction(table[f"{part}.basis_val"][e]) for e in range(ptr[k], ptr[k + 1])}
        for k in range(params)
    ]


def is_true(table):
    """Do weights and bias span exactly the solutions of A W = W B and A b = b (or 0 for Lie algebras), and are they
    independent?"""
    own = "intertwine."
    metadata = {key.removeprefix(own): value for key, value in table["metadata"].items() if key.startswith(own)}
    height, width = int(metadata["rows"]), int(metadata["cols"])
    proof = json.loads(metadata["proof"])
    kinds = proof.get("generator_kinds", ["group"] * len(proof["generators"]))
    left, right = images(table, len(kinds), height, "row"), images(table, len(kinds), width, "column")
    one = [[[Fraction(kind == "group")]] for kind in kinds]
    for part, size, params, right in (
        ("weight", width, int(metadata["params"]), right),
        ("bias", 1, int(metadata["bias_params"]), one),
    ):
        equations = []
        for A, B in zip(left, right):
            for i in range(height):
                for j in range(size):
                    row = Counter()
                    for h in range(height):
                        if A[i][h]:
                            row[h * size + j] += A[i][h]
                    for h in range(size):
                        if B[h][j]:
                            row[i * size + h] -= B[h][j]
                    equations.append(row)
        elements = [{i * size + j: x for (i, j), x in W.items()} for W in stated(table, part, params, height, size)]
        if any(sum(x * W.get(place, 0) for place, x in row.items()) for W in elements for row in equations):
            return False
        if rank(elements) < params or height * size - rank(equations) != params:
            return False
    return True


# Tampering: each takes a table and gives False where it does not apply.


def signed(codes, params):
    return [[c if c <= params else params - c for c in row] for row in codes]


def set_weights(table, values, params):
    """Codes from signed values, and the sizes that count them, so that only what they mean is false."""
    table["weight.code"] = [[v if v >= 0 else params - v for v in row] for row in values]
    count = Counter(abs(v) for row in values for v in row)
    table["weight.orbit_size"] = [count[k] for k in range(1, params + 1)]
    table["metadata"]["intertwine.params"] = str(params)
    return all(table["weight.orbit_size"])


def pattern(table):
    params = int(table["metadata"]["intertwine.params"])
    return signed(table["weight.code"], params), params


def places(values, wanted):
    return [(i, j) for i, row in enumerate(values) for j, v in enumerate(row) if wanted(v)]


def change_code(table, rng):
    values, params = pattern(table)
    found = places(values, bool)
    if params < 2 or not found:
        return False
    i, j = rng.choice(found)
    values[i][j] = rng.choice([k for k in range(-params, params + 1) if k not in (values[i][j], -values[i][j])])
    return set_weights(table, values, params)


def change_sign(table, rng):
    values, params = pattern(table)
    found = places(values, bool)
    if not found:
        return False
    i, j = rng.choice(found)
    values[i][j] *= -1
    return set_weights(table, values, params)


def split_orbit(table, rng):
    values, params = pattern(table)
    large = [k for k in range(1, params + 1) if table["weight.orbit_size"][k - 1] > 1]
    if not large:
        return False
    k = rng.choice(large)
    orbit = places(values, lambda v: abs(v) == k)
    for i, j in rng.sample(orbit, rng.randint(1, len(orbit) - 1)):
        values[i][j] = (params + 1) * (1 if values[i][j] > 0 else -1)
    return set_weights(table, values, params + 1)


def merge_orbits(table, rng):
    values, params = pattern(table)
    if params < 2:
        return False
    k, sign = rng.randint(1, params - 1), rng.choice((1, -1))
    for i, j in places(values, lambda v: abs(v) == params):
        values[i][j] = sign * k * (1 if values[i][j] > 0 else -1)
    return set_weights(table, values, params - 1)


def fill_zero(table, rng):
    values, params = pattern(table)
    zeros = places(values, lambda v: v == 0)
    if not zeros:
        return False
    i, j = rng.choice(zeros)
    values[i][j] = params + 1
    return set_weights(table, values, params + 1)


def drop_parameter(table, rng):
    values, params = pattern(table)
    if params < 1:
        return False
    k = rng.randint(1, params)
    values = [[0 if abs(v) == k else v - (v > k) + (v < -k) for v in row] for row in values]
    return set_weights(table, values, params - 1)


def change_generator(table, rng):
    side = rng.choice(("row", "column"))
    lists = table[f"proof.{side}_images"]
    if not lists or len(lists[0]) < 2:
        return False
    image = rng.choice(lists)
    if rng.random() < 0.5:
        i, j = rng.sample(range(len(image)), 2)
        image[i], image[j] = image[j], image[i]
    else:
        image[rng.randrange(len(image))] *= -1
    return True


def change_bias(table, rng):
    params, codes = int(table["metadata"]["intertwine.bias_params"]), table["bias.code"]
    values = signed([codes], params)[0]
    fresh = max(params, 1)
    values[rng.randrange(len(values))] = rng.randint(-fresh, fresh)
    if values == signed([codes], params)[0] or {abs(v) for v in values} - {0} != set(range(1, fresh + 1)):
        return False
    table["bias.code"] = [v if v >= 0 else fresh - v for v in values]
    table["metadata"]["intertwine.bias_params"] = str(fresh)
    return True


def set_elements(table, elements):
    """Weights from dictionaries {(i, j): value}, in order."""
    ptr, row, col, val = [0], [], [], []
    for W in elements:
        for (i, j), x in sorted(W.items()):
            row.append(i), col.append(j), val.append(str(x))
        ptr.append(len(row))
    table |= {"weight.basis_ptr": ptr, "weight.basis_row": row, "weight.basis_col": col, "weight.basis_val": val}
    table["metadata"]["intertwine.params"] = str(len(elements))
    return all(elements)


def elements(table):
    sizes = (int(table["metadata"][f"intertwine.{key}"]) for key in ("params", "rows", "cols"))
    return stated(table, "weight", *sizes)


def change_value(table, rng):
    if not table["weight.basis_val"]:
        return False
    e = rng.randrange(len(table["weight.basis_val"]))
    table["weight.basis_val"][e] = str(int(table["weight.basis_val"][e]) + rng.choice((-2, 1)) or 5)
    return True


def move_entry(table, rng):
    basis = elements(table)
    if not basis:
        return False
    W = rng.choice(basis)
    place = rng.choice(sorted(W))
    free = [(i, place[1]) for i in range(int(table["metadata"]["intertwine.rows"])) if (i, place[1]) not in W]
    if not free:
        return False
    W[rng.choice(free)] = W.pop(place)
    return set_elements(table, basis)


def dependent_element(table, rng):
    basis = elements(table)
    if len(basis) < 2:
        return False
    k = rng.randrange(len(basis))
    others = [W for i, W in enumerate(basis) if i != k]
    sums = Counter()
    for W in rng.sample(others, rng.randint(1, len(others))):
        for place, x in W.items():
            sums[place] += int(x)
    basis[k] = {place: x for place, x in sums.items() if x}
    return set_elements(table, basis)


def drop_element(table, rng):
    basis = elements(table)
    if not basis:
        return False
    basis.pop(rng.randrange(len(basis)))
    return set_elements(table, basis)


def drop_bias(table, rng):
    ptr, params = table["bias.basis_ptr"], int(table["metadata"]["intertwine.bias_params"])
    if not params:
        return False
    for name in ("row", "val"):
        table[f"bias.basis_{name}"] = table[f"bias.basis_{name}"][: ptr[-2]]
    table["bias.basis_ptr"] = ptr[:-1]
    table["metadata"]["intertwine.bias_params"] = str(params - 1)
    return True


def change_matrix(table, rng):
    side = rng.choice(("row", "column"))
    numbers = table[f"proof.{side}_numerator"][0]
    if not numbers:
        return False
    e = rng.randrange(len(numbers))
    numbers[e] = numbers[e] + rng.choice((-2, 1)) or 3
    return True


ANY = ("unchanged", "two orbits", "forces", "must be 0", "do not vanish", "vanish")
TIED = {
    change_code: ANY, change_sign: ("unchanged", "must be 0"), split_orbit: ("unchanged",), merge_orbits: ("two orbits",),
    fill_zero: ("unchanged", "must be 0"), drop_parameter: ("forces",), change_generator: ANY, change_bias: ANY,
}  # fmt: skip
SPARSE = {
    change_value: ("commute", "depends", "missing"), move_entry: ("commute", "depends"), dependent_element: ("depends",), drop_element: ("missing",),
    drop_bias: ("missing",), change_matrix: ("commute", "missing", "dimensions"),
}  # fmt: skip


def random_tables(program, rng, count):
    """Tables of random permutation groups of small degree and random representations, as JSON files."""
    found = []
    while len(found) < count:
        degree = rng.randint(2, 5)
        generators = [rng.sample(range(degree), degree) for _ in range(rng.randint(1, 2))]
        if degree == 5 and rng.random() < 0.5:
            generators = [[1, 0, *range(2, degree)], generators[0]]
        group = program.folder / f"group{len(found)}.json"
        group.write_text(json.dumps({"degree": degree, "generators": generators}))
        found += program.tie(f"@{group}", rng.choice(LEAVES), rng.choice(LEAVES), may_fail=True)
    return found


def tampered(tables, rng, count):
    """`count` false tables with the name of what was done to each, in turn by all ways, none of them true by chance."""
    tied, sparse = [t for t in tables if "weight.code" in t], [t for t in tables if "weight.code" not in t]
    ways = [(way, tied) for way in TIED] + [(way, sparse) for way in SPARSE]
    out, tries = [], 0
    while len(out) < count:
        tries += 1
        assert tries < 100 * count, "tampering finds nothing to change"
        way, choice = ways[len(out) % len(ways)]
        table = copy.deepcopy(rng.choice(choice))
        if way(table, rng) and not is_true(table):
            out.append((way, table))
    return out


# The checkers, each as a function from files to their verdicts: "accepted", "refused: ..." or "cannot be read: ...".
TOO_MANY = r"cannot be read: it has more than \d+ entries, too many for GAP"


def verdicts_of(text):
    """By file; of the blocks of one that of the first that is not accepted."""
    out = {}
    for line in text.splitlines():
        path, found, verdict = line.partition(": ")
        verdict = re.sub(r"^block \(\d+, \d+\): ", "", verdict)
        if found and not path.startswith("all ") and out.get(path, "accepted").startswith("accepted"):
            out[path] = verdict
    return out


def python_checker(files):
    done = subprocess.run([sys.executable, SOURCE / "checkers/check_table.py", *files], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return verdicts_of(done.stdout)


def gap_checker(files):
    program = files[0].parent / "checks.g"
    written = subprocess.run(
        [sys.executable, SOURCE / "checkers/table_to_gap.py", *files], capture_output=True, text=True
    )
    assert written.returncode == 0, written.stderr
    program.write_text(written.stdout)
    done = subprocess.run(
        ["gap", "-o", "4g", "-A", "-q", str(program)], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    verdicts = verdicts_of(done.stdout)
    status = max(0 if v.startswith("accepted") else 1 if v.startswith("refused") else 2 for v in verdicts.values())
    assert done.returncode == status and verdicts.keys() == set(map(str, files)), (
        done.stdout[-2000:] + done.stderr[-2000:]
    )
    return verdicts


def main(program, long):
    rng = random.Random(20240601)
    os.environ["OMP_NUM_THREADS"] = "1"
    checkers = {"check_table.py": python_checker}
    if shutil.which("gap"):
        checkers["check_table.g"] = gap_checker
    else:
        print("gap is not there: its checker is not tested")
    with tempfile.TemporaryDirectory() as name:
        program = Program(program, Path(name))
        # True tables: accepted, in every form.
        files = []
        for case in OF_EXAMPLES + OTHERS:
            forms = FORMS if case in OTHERS or len(files) < 9 else FORMS[:1]
            files += program.tie(*case, forms=forms)
        drawn = random_tables(program, rng, 200 if long else 40)
        tables = [json.loads(file.read_text()) for file in drawn]
        assert all(is_true(table) for table in tables), "brute force contradicts a table of the program"
        for checker, run in checkers.items():
            verdicts = run(files + drawn)
            assert set(verdicts) == {str(file) for file in files + drawn}, checker
            for file, verdict in verdicts.items():
                assert verdict.startswith("accepted") or (run is gap_checker and re.fullmatch(TOO_MANY, verdict)), (
                    checker,
                    file,
                    verdict,
                )
            print(
                f"{checker}: {sum(v.startswith('accepted') for v in verdicts.values())} of {len(verdicts)} true tables accepted"
            )
        # Files of blocks: every block is proved. A false block refuses the file, and so does a line of the digest.
        blocks = [program.tie(*case, forms=FORMS, single=False) for case in BLOCKS]
        false_blocks = [
            (program.folder / f"false_block{k}.json", reason) for k, reason in enumerate(("generator", "sha256"))
        ]
        for (file, _), (key, change) in zip(
            false_blocks,
            [
                ("block.0.0.weight.code", lambda rows: [rows[0][::-1], *rows[1:]]),
                ("metadata", lambda entries: entries | {"intertwine.block.0.1.multiplicity_in": "34"}),
            ],
        ):
            document = json.loads(blocks[0][2].read_text())
            document |= {key: change(document[key])}
            if key != "metadata":
                reseal(document)
            file.write_text(json.dumps(document))
        for checker, run in checkers.items():
            for file, verdict in run([file for files_of_one in blocks for file in files_of_one]).items():
                assert verdict.startswith("accepted"), (checker, file, verdict)
            for file, reason in false_blocks:
                verdict = run([file])[str(file)]
                assert verdict.startswith("refused") and (reason in verdict or run is gap_checker), (
                    checker,
                    file,
                    verdict,
                )
            print(f"{checker}: {len(FORMS) * len(blocks)} files of blocks accepted, {len(false_blocks)} refused")
        # Exit statuses, and the largest of the tables that pages speak of.
        bare = program.folder / "bare.npz"
        subprocess.run([program.path, "tie", "S4", "--quiet", "--output", bare], check=True)
        none = program.folder / "none.npz"
        for arguments, status in (
            ([], 2),
            (["--help"], 0),
            ([files[0]], 0),
            ([bare], 1),
            ([none], 2),
            ([__file__], 2),
            ([bare, __file__], 2),
        ):
            done = subprocess.run(
                [sys.executable, SOURCE / "checkers/check_table.py", *arguments], capture_output=True, text=True
            )
            assert done.returncode == status and done.stdout and not done.stderr, (arguments, done)
        if long:
            start, [large] = time.monotonic(), program.tie("p4m(64,64)", "perm", forms=FORMS[:1])
            tied_in, start = time.monotonic() - start, time.monotonic()
            assert python_checker([large])[str(large)].startswith("accepted")
            print(
                f"p4m(64,64), 4096 x 4096 entries: written in {tied_in:.1f} s, accepted by check_table.py in {time.monotonic() - start:.1f} s"
            )
        # False tables: refused, for a reason that fits.
        false = []
        for k, (way, table) in enumerate(tampered(tables, rng, 400 if long else 112)):
            false.append((program.folder / f"false{k}.json", way))
            del table["metadata"]["intertwine.certificate"]  # its dimensions, which would be refused for themselves
            reseal(table)
            false[-1][0].write_text(json.dumps(table))
        for checker, run in checkers.items():
            verdicts, refused = run([file for file, _ in false]), Counter()
            for file, way in false:
                verdict = verdicts[str(file)]
                reasons = {**TIED, **SPARSE}[way]
                if run is gap_checker and re.fullmatch(TOO_MANY, verdict):
                    continue
                assert verdict.startswith("refused") and any(reason in verdict for reason in reasons), (
                    checker,
                    way.__name__,
                    verdict,
                    file.read_text()[:3000],
                )
                refused[way.__name__] += 1
            print(f"{checker}: refused {sum(refused.values())} tampered tables: {dict(refused)}")


if __name__ == "__main__":
    main(sys.argv[1], "--long" in sys.argv[2:])
