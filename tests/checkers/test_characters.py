#!/usr/bin/env python3
"""The checkers of characters, in Python, GAP and the program itself, against the program that writes proofs of
character tables and representations, and against brute force.

Usage: test_characters.py PROGRAM [--long]

True files are accepted: of named groups up to 10^8 elements, and of random permutation groups, whose orders and numbers
of classes brute force confirms. Files that were tampered with are refused, for a reason that fits. GAP's checker takes
the smaller files, and is left out with a word where gap is not there. --long takes larger groups and more of
everything. Exit status 77 without NumPy.
"""

import copy
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

try:
    import numpy  # noqa: F401
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)

SOURCE = Path(__file__).resolve().parents[2]
CHECKER = SOURCE / "checkers/check_characters.py"
TABLES = ["C1", "C12", "A5", "SL(2,3)", "GL(2,3)", "M11", "S10", "PSL(2,31)", "M12", "M22", "J1"]
TABLES += ["C2 wr A5", "C3 wr C3", "S3 x S3 x S3", "AGL(1,16)", "Q8 x C2"]
FORMS = ["C1", "C12", "A5", "SL(2,3)", "GL(2,3)", "M11", "C2 wr A5", "C3 wr C3", "S3 x S3", "AGL(1,8)", "Q8 x C2", "S6"]
LONG_TABLES, LONG_FORMS = (
    ["M23", "M24", "A10", "S14", "Sp(6,2)", "HS", "PSL(3,4)", "S4 wr S3", "C60"],
    ["M12", "C60", "PSL(2,16)", "A8"],
)


# Brute force.


def parsed(text, degree):
    image = list(range(degree))
    for cycle in text.strip("()").split(")("):
        points = [int(x) - 1 for x in cycle.split(",") if x]
        for x, y in zip(points, points[1:] + points[:1]):
            image[x] = y
    return tuple(image)


def cycles(image):
    text, seen = "", set()
    for i in range(len(image)):
        cycle = []
        while i not in seen:
            seen.add(i)
            cycle.append(i + 1)
            i = image[i]
        text += f"({','.join(map(str, cycle))})" if len(cycle) > 1 else ""
    return text or "()"


def product(x, y):
    return tuple(x[i] for i in y)


def elements_of(generators, degree):
    elements = [tuple(range(degree))]
    known = set(elements)
    for x in elements:
        for g in generators:
            if (y := product(x, g)) not in known:
                known.add(y)
                elements.append(y)
    return known


def number_of_classes(elements):
    left, count = set(elements), 0
    inverse = {x: tuple(sorted(range(len(x)), key=x.__getitem__)) for x in elements}
    while left:
        r = next(iter(left))
        left -= {product(product(x, r), inverse[x]) for x in elements}
        count += 1
    return count


# Tampering: each takes a document and gives False where it does not apply. What it leaves is false.


def classes_of(document):
    return document["classes"] if "classes" in document else document["proof"]["classes"]


def integers_in(document):
    rows = document["irreducibles"]
    return [(i, k) for i in range(len(rows)) for k in range(len(rows)) if isinstance(rows[i][k], str)]


def change_value(document, rng):
    i, k = rng.choice(integers_in(document))
    document["irreducibles"][i][k] = str(int(document["irreducibles"][i][k]) + rng.choice((1, -1, 2)))
    return True


def swap_values(document, rng):
    row = rng.choice(document["irreducibles"])
    i, j = rng.sample(range(len(row)), 2) if len(row) > 1 else (0, 0)
    row[i], row[j] = row[j], row[i]
    return row[i] != row[j]


def swap_combinations(document, rng):
    lists = document["proof"]["combinations"]
    if len(lists) < 2:
        return False
    i, j = rng.sample(range(len(lists)), 2)
    lists[i], lists[j] = lists[j], lists[i]
    return True


def change_coefficient(document, rng):
    term = rng.choice(rng.choice(document["proof"]["combinations"]))
    term[1] = str(int(term[1]) + rng.choice((1, -1, 3)))
    return True


def repeat_row(document, rng):
    if len(document["irreducibles"]) < 2:
        return False
    i, j = rng.sample(range(len(document["irreducibles"])), 2)
    for lists in document["irreducibles"], document["proof"]["combinations"], document["indicators"]:
        lists[i] = copy.deepcopy(lists[j])
    return True


def combine(document, rng, signs):
    """A row becomes the combination with these signs of itself and others."""
    rows, combinations = document["irreducibles"], document["proof"]["combinations"]
    if len(rows) < len(signs):
        return False
    chosen = rng.sample(range(len(rows)), len(signs))
    if not all(isinstance(x, str) for i in chosen for x in rows[i]):
        return False
    total = Counter()
    for i, sign in zip(chosen, signs):
        for k, c in combinations[i]:
            total[k] += sign * int(c)
    i = chosen[0]
    rows[i] = [str(sum(sign * int(rows[j][k]) for j, sign in zip(chosen, signs))) for k in range(len(rows))]
    combinations[i] = [[k, str(c)] for k, c in total.items() if c]
    return True


def add_rows(document, rng):
    return combine(document, rng, (1, 1))


def negate_row(document, rng):
    return combine(document, rng, (-1,))


def change_character(document, rng):
    used = [c for c in document["proof"]["linear_characters"] if any(c["exponents"])]
    if not used:
        return False
    rng.choice(used)["order"] = 7919  # no element has this order
    return True


def change_subgroup(document, rng):
    proof = document["proof"]
    degree, own = (
        proof["degree"],
        elements_of([parsed(g, proof["degree"]) for g in proof["generators"]], proof["degree"]),
    )
    foreign = [x for x in itertools.islice(itertools.permutations(range(degree)), 2000) if x not in own]
    lists = [generators for generators in proof["subgroups"] if generators]
    if not foreign or not lists:
        return False
    rng.choice(lists)[0] = cycles(rng.choice(foreign))
    return True


def change_power_map(document, rng):
    if not document["power_maps"]:
        return False
    images = rng.choice(list(document["power_maps"].values()))
    k = rng.randrange(len(images))
    images[k] = (images[k] + 1) % len(images)
    return True


def change_indicator(document, rng):
    i = rng.randrange(len(document["indicators"]))
    document["indicators"][i] = rng.choice([x for x in (-1, 0, 1) if x != document["indicators"][i]])
    return True


def change_order(document, rng):
    document["order"] = str(int(document["order"]) * rng.choice((2, 3)))
    return True


def drop_strong(document, rng):
    document["proof"]["strong_generators"] = [s for s in document["proof"]["strong_generators"] if s]
    return bool(document["proof"]["generators"])


def change_generator(document, rng):
    proof = document["proof"]
    degree = proof["degree"]
    generators = [parsed(g, degree) for g in proof["generators"]]
    if not generators or degree < 3:
        return False
    image, k = list(rng.choice(generators)), rng.randrange(len(generators))
    i, j = rng.sample(range(degree), 2)
    image[i], image[j] = image[j], image[i]
    changed = generators[:k] + [tuple(image)] + generators[k + 1 :]
    proof["generators"][k] = cycles(image)
    return elements_of(changed, degree) != elements_of(generators, degree)


def change_base(document, rng):
    if not document["proof"]["base"]:
        return False
    document["proof"]["base"].pop()
    return True


def change_centralizer(document, rng):
    c = rng.choice(classes_of(document))
    c["centralizer_order"] = str(int(c["centralizer_order"]) * 2)
    return True


def exchange_representative(document, rng):
    listed = classes_of(document)
    if len(listed) < 3:
        return False
    i, j = rng.sample(range(1, len(listed)), 2)
    listed[i]["representative"] = listed[j]["representative"]
    return True


def split_class(document, rng):
    """A class of even size as two of half the size, whose representatives are far from one another: a search that
    begins at one and ends after so many elements does not meet the other. (No column of a table fits that, but what is
    refused first are the classes.)"""
    listed, proof = classes_of(document), document["proof"]
    even = [c for c in listed if int(c["size"]) % 2 == 0]
    if not even:
        return False
    c, generators = rng.choice(even), [parsed(text, proof["degree"]) for text in proof["generators"]]
    found = [tuple(c["representative"])]
    for x in found:
        for g in generators:
            y = [0] * len(x)
            for i, image in enumerate(x):
                y[g[i]] = g[image]
            found += [tuple(y)] if tuple(y) not in found else []
    c["size"], c["centralizer_order"] = str(int(c["size"]) // 2), str(int(c["centralizer_order"]) * 2)
    listed.append({**copy.deepcopy(c), "representative": list(found[-1])})
    return True


def drop_class(document, rng):
    listed = classes_of(document)
    if len(listed) < 2:
        return False
    listed.pop(rng.randrange(1, len(listed)))
    return True


def change_entry(document, rng):
    matrices = rng.choice(document["irreps"])["matrices"]
    if not matrices:
        return False
    row = rng.choice(rng.choice(matrices))
    j = rng.randrange(len(row))
    row[j] = rng.choice([x for x in ("0", "1", "-1", "2", "1/2") if x != row[j]])
    return True


def negate_matrix(document, rng):
    """Of a generator of odd order: it gets an even one. (Otherwise the product with a linear character may come out.)"""
    matrices, odd = rng.choice(document["irreps"])["matrices"], []
    for text in document["generators"]:
        odd.append(all(len(cycle.split(",")) % 2 for cycle in text.strip("()").split(")(")))
    plain = [k for k, rows in enumerate(matrices) if odd[k] and all(isinstance(x, str) for row in rows for x in row)]
    if not plain:
        return False
    k = rng.choice(plain)
    matrices[k] = [[x[1:] if x[0] == "-" else "-" + x if x != "0" else x for x in row] for row in matrices[k]]
    return True


def repeat_irrep(document, rng):
    forms = document["irreps"]
    if len(forms) < 2:
        return False
    i, j = rng.sample(range(len(forms)), 2)
    forms[i] = copy.deepcopy(forms[j])
    forms[i] |= {"irrep": i, "rows": [i]}
    return True


def direct_sum(document, rng):
    forms = document["irreps"]
    if len(forms) < 2:
        return False
    a, b = rng.sample(forms, 2)
    d, e = int(a["degree"]), int(b["degree"])
    sums = [
        [row + ["0"] * e for row in A] + [["0"] * d + row for row in B] for A, B in zip(a["matrices"], b["matrices"])
    ]
    a["degree"], a["matrices"] = str(d + e), sums
    if "seed" in a:
        a["seed"]["vector"] += ["0"] * e
    return True


def change_form_indicator(document, rng):
    form = rng.choice(document["irreps"])
    form["indicator"] = rng.choice([x for x in (-1, 0, 1) if x != form["indicator"]])
    return True


def weaken_seed(document, rng):
    """Fewer elements, which multiply a larger space by their values."""
    large = [form for form in document["irreps"] if int(form["degree"]) > 1]
    if not large:
        return False
    seed = rng.choice(large)["seed"]
    seed["generators"], seed["values"] = rng.choice((([], []), (["()"], ["1"])))
    return True


def change_text(document, rng):
    if not document["generators"] or document["generators"][0] == "()":
        return False
    image = parsed(document["generators"][0], document["proof"]["degree"])
    document["generators"][0] = cycles(sorted(range(len(image)), key=image.__getitem__))  # the inverse
    return document["generators"][0] != document["proof"]["generators"][0]


CLASSES = ("listed twice", "the classes have", "centralizer", "not what it says", "has only", "divide |G|")
ORDER = ("order of the group", "Schreier", "fixes the base", "strong generator")
FALSE_GROUP = (
    ORDER + CLASSES + ("no element of the group", "another order than the generator", "not the one whose image")
)
BOTH = {
    change_order: ORDER, drop_strong: ("not among the strong",), change_generator: FALSE_GROUP, change_base: ORDER,
    change_centralizer: CLASSES, exchange_representative: CLASSES, drop_class: ("the classes have", "as many characters", "no row of a table"),
    split_class: ("listed twice", "divide |G|", "has only", "has more than", "centralizer", "as many characters"),
}  # fmt: skip
OF_TABLES = {
    change_value: ("combination",), swap_values: ("combination", "roots of unity"), swap_combinations: ("combination",), change_coefficient: ("combination",),
    repeat_row: ("there twice",), add_rows: ("the norm 2",), negate_row: ("the degree -",), change_character: ("no linear character",),
    change_subgroup: ("no element of the group",), change_power_map: ("power map",), change_indicator: ("another indicator",),
}  # fmt: skip
UNLIKE = ("another order", "no representation", "equivalent", "not irreducible", "no finite group")
OF_FORMS = {
    change_entry: UNLIKE, negate_matrix: UNLIKE, repeat_irrep: ("equivalent",), direct_sum: ("not irreducible",), change_form_indicator: ("another indicator",),
    change_text: ("not the one whose image",), weaken_seed: ("not single",),
}  # fmt: skip


# What `verify` of the program says of the same.
CHAIN = (
    "the order of the group is",
    "Schreier",
    "fixes the base",
    "no element before it",
    "another order than its generators",
    "which has order",
)
LISTED = ("is class", "is the identity again", "centralizer order", "element order", "add up to", "outside the group")
OF_VERIFY = {
    **{way: CHAIN + LISTED for way in (change_order, change_base)}, drop_strong: ("not among the strong",),
    **{way: LISTED for way in (change_centralizer, exchange_representative, split_class, drop_class)},
    change_generator: CHAIN + LISTED + ("no element of the group", "another order than the generator", "not the one whose image"),
    change_value: ("not its combination",), swap_values: ("not its combination",), swap_combinations: ("not its combination",),
    change_coefficient: ("not its combination",), repeat_row: ("there twice",), add_rows: ("not the norm 1",), negate_row: ("the degree -",),
    change_character: ("no linear character",), change_subgroup: ("no element of the group",), change_power_map: ("power map",),
    change_indicator: ("another indicator",), repeat_irrep: ("equivalent",), direct_sum: ("not irreducible",), change_form_indicator: ("another indicator",),
    change_entry: UNLIKE, negate_matrix: UNLIKE, change_text: ("not the one whose image",), weaken_seed: ("as the seed, not 1",),
}  # fmt: skip


def own_verdict(program, file):
    """Of `verify`: "accepted", or "refused: " and its sentence."""
    done = subprocess.run([program, "verify", file], capture_output=True, text=True)
    assert done.returncode in (0, 4), (file, done.returncode, done.stderr)
    assert done.returncode == 0 or len(done.stderr.strip().splitlines()) == 1, done.stderr
    return "accepted" if done.returncode == 0 else "refused: " + done.stderr.strip()


def verdicts(files):
    done = subprocess.run([sys.executable, CHECKER, *files], capture_output=True, text=True)
    assert done.returncode in (0, 1), [line for line in done.stdout.splitlines() if "cannot be read" in line] + [
        done.stderr
    ]
    return dict(line.split(": ", 1) for line in done.stdout.splitlines())


def gap_verdicts(files):
    """Of check_characters.g."""
    program = Path(files[0]).parent / "characters.g"
    done = subprocess.run(
        [sys.executable, SOURCE / "checkers/characters_to_gap.py", *files], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    program.write_text(done.stdout)
    done = subprocess.run(
        ["gap", "-o", "4g", "-A", "-q", str(program)], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines() if line.startswith("/"))
    status = max(0 if v == "accepted" else 1 if v.startswith("refused") else 2 for v in found.values())
    assert done.returncode == status and found.keys() == set(map(str, files)), done.stdout[-2000:] + done.stderr[-2000:]
    return found


def written(program, command, group, file):
    subprocess.run([program, command, group, "--proof", "--output", file, "--quiet"], check=True)
    return str(file)


def main(program, long):
    rng = random.Random(20240701)
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [
            written(program, "chartable", group, folder / f"table{k}.json")
            for k, group in enumerate(TABLES + LONG_TABLES * long)
        ]
        files += [
            written(program, "irreps", group, folder / f"forms{k}.json")
            for k, group in enumerate(FORMS + LONG_FORMS * long)
        ]
        pools = {"chartable": [], "irreps": []}
        for k in range(200 if long else 60):
            degree = rng.randint(2, 8 if k % 3 == 0 else 6)
            generators = [rng.sample(range(degree), degree) for _ in range(rng.randint(1, 2))]
            group, command = folder / f"group{k}.json", "irreps" if k % 3 == 1 else "chartable"
            group.write_text(json.dumps({"degree": degree, "generators": generators}))
            files.append(written(program, command, f"@{group}", folder / f"random{k}.json"))
            document = json.loads(Path(files[-1]).read_text())
            elements = elements_of(list(map(tuple, generators)), degree)
            assert document["order"] == str(len(elements))
            if len(elements) <= 720:
                assert len(classes_of(document)) == number_of_classes(elements)
                pools[command].append(document)
        found = verdicts(files)
        assert set(found) == set(files), set(files) - set(found)
        for file, verdict in found.items():
            assert verdict.startswith("accepted") and " all " in verdict, (file, verdict)
        print(f"{len(files)} true files accepted")
        for file in files:
            assert (verdict := own_verdict(program, file)) == "accepted", (file, verdict)
        print(f"verify: {len(files)} true files accepted")
        gap = shutil.which("gap")
        if gap:
            small = [
                file for file in files if int(json.loads(Path(file).read_text())["order"]) <= (20000 if long else 500)
            ]
            found = gap_verdicts(small)
            assert set(found) == set(small) and set(found.values()) == {"accepted"}, [
                line for line in found.items() if line[1] != "accepted"
            ]
            print(f"check_characters.g: {len(small)} true files accepted")
        else:
            print("gap is not there: its checker is not tested")
        # One row of many is enough for a true file; without a proof there is nothing to check.
        one, bare = folder / "one.json", folder / "bare.json"
        subprocess.run([program, "irreps", "A5", "2", "--proof", "--output", one, "--quiet"], check=True)
        subprocess.run([program, "chartable", "A5", "--output", bare, "--quiet"], check=True)
        assert "1 of 5" in verdicts([one])[str(one)] and "no proof" in verdicts([bare])[str(bare)]
        for arguments, status in (
            ([], 2),
            (["--help"], 0),
            ([files[0]], 0),
            ([bare], 1),
            ([folder / "none.json"], 2),
            ([__file__], 2),
            ([bare, __file__], 2),
        ):
            done = subprocess.run([sys.executable, CHECKER, *arguments], capture_output=True, text=True)
            assert done.returncode == status and done.stdout and not done.stderr, (arguments, done)
        # False files: refused, for a reason that fits.
        ways, false = (
            [
                (way, command)
                for command, more in (("chartable", OF_TABLES), ("irreps", OF_FORMS))
                for way in {**BOTH, **more}
            ],
            [],
        )
        for way, command in ways * (12 if long else 4):
            for _ in range(200):
                document = copy.deepcopy(rng.choice(pools[command]))
                if way(document, rng):
                    break
            else:
                raise AssertionError(f"{way.__name__} finds nothing to change")
            false.append((folder / f"false{len(false)}.json", way))
            false[-1][0].write_text(json.dumps(document))
        found, refused = verdicts([file for file, _ in false]), Counter()
        for file, way in false:
            verdict, reasons = found[str(file)], {**BOTH, **OF_TABLES, **OF_FORMS}[way]
            assert verdict.startswith("refused") and any(reason in verdict for reason in reasons), (
                way.__name__,
                verdict,
                file.read_text()[:3000],
            )
            refused[way.__name__] += 1
        print(f"{len(false)} tampered files refused: {dict(refused)}")
        for file, way in false:
            verdict = own_verdict(program, file)
            assert verdict.startswith("refused") and any(reason in verdict for reason in OF_VERIFY[way]), (
                way.__name__,
                verdict,
                file.read_text()[:3000],
            )
        print(f"verify: {len(false)} tampered files refused")
        if gap:  # which does not look at bases and strong generators
            false = [(file, way) for file, way in false if way not in (change_base, drop_strong)]
            found = gap_verdicts([file for file, _ in false])
            for file, way in false:
                verdict, reasons = found[str(file)], {**BOTH, **OF_TABLES, **OF_FORMS}[way]
                assert verdict.startswith("refused") and any(reason in verdict for reason in reasons), (
                    way.__name__,
                    verdict,
                    file.read_text()[:3000],
                )
            print(f"check_characters.g: {len(false)} tampered files refused")


if __name__ == "__main__":
    main(sys.argv[1], "--long" in sys.argv[2:])
