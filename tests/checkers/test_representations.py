#!/usr/bin/env python3
"""scripts/check-representations over all groups of order at most 12 and some larger ones; and that it sees what is
wrong with an answer.

Usage: test_representations.py PROGRAM      (exit status 77 without NumPy)
"""

import copy
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import loading

try:
    import numpy  # noqa: F401
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)


class Tampered:
    """The program, whose answers a function changes: change(words, answer)."""

    def __init__(self, program, change):
        self.program, self.change = program, change

    def __call__(self, *words):
        answer = copy.deepcopy(self.program(*words))
        self.change(words, answer)
        return answer


def entry(answer, degree):
    return next(e for e in answer["irreps"] if e["degree"] == str(degree))


def doubled(matrix):
    n = len(matrix)
    return [row + ["0"] * n for row in matrix] + [["0"] * n + row for row in matrix]


# Each: a group, a representation, what is changed in which answer, words of the reason. `over` is the field of an
# answer.
def negate(over, answer):
    if over == "complex":
        A = entry(answer, 2)["matrices"][0]
        A[0][0] = str(1 - int(A[0][0]))


def leave_out(over, answer):
    if over == "real":
        answer["irreps"].pop()


def exchange(over, answer):
    if over == "complex":
        answer["irreps"][0]["matrices"], answer["irreps"][1]["matrices"] = (
            answer["irreps"][1]["matrices"],
            answer["irreps"][0]["matrices"],
        )


def reducible(over, answer):
    """Twice a representation over Q: right as a representation, and with the multiplicity 2 that it says."""
    if over == "rational":
        e = entry(answer, 2)
        e["matrices"], e["multiplicity"], e["degree"] = [doubled(A) for A in e["matrices"]], 2, "4"


def not_rational(over, answer):
    if over == "rational":
        e = entry(answer, 1)
        e["matrices"] = [[[{"n": 3, "c": [["1", 0]]}]] for _ in e["matrices"]]


def other_generators(over, answer):
    answer["generators"].reverse()


def lose_component(over, answer):
    answer["components"].pop()


def mix_components(over, answer):
    T = answer["components"][-1]["inclusion"]
    T[0], T[1] = T[1], T[0]


IRREPS = [(negate, "S3", ("no homomorphism", "the trace")), (leave_out, "S4", ("has the rows",)), (exchange, "S3", ("the trace",)), (reducible, "S3", ("the Schur index 2",)),
          (not_rational, "S3", ("not rational",)), (other_generators, "S4", ("other generators",))]  # fmt: skip
DECOMPOSITIONS = [(lose_component, ("do not fill",)), (mix_components, ("projection", "diagonal", "no permutation"))]


def main(program):
    script = loading.script("check-representations")
    with tempfile.TemporaryDirectory() as folder:
        # The campaign: stopped at once, then from where it ended.
        results = Path(folder) / "results.json"
        for budget, done in ("0", 0), ("1000", 23):
            run = subprocess.run(
                [sys.executable, loading.FOLDER / "check-representations", "--build", Path(program).parents[1], "--small", "12", "--budget", budget, "--results", results], capture_output=True, text=True
            )  # fmt: skip
            assert (
                run.returncode == 0
                and f"irreps of {done} and decompositions of {done} of 23 groups" in run.stdout
                and ", 0 faults, 0 refused" in run.stdout
            ), run
        [record] = json.loads(results.read_text()).values()
        assert record["counts"]["Schur index 2, the real one"] == 2, record  # Q8 and C3:C4; dimensions 4
        assert record["counts"]["decompositions of regular over rational"] == 23, record
    ours, rng = script.Program(program, 10), random.Random(1)
    for name in "Q8", "C7", "SL(2,3)", "PSL(2,7)":
        assert script.check_group(ours, name, None, rng, Counter()) == [], name
    assert script.check_group(ours, "S3", ["(1,2)", "(2,3)"], rng, Counter()), (
        "other generators than those that were asked for"
    )

    def reasons(change, command, group, representations):
        def changed(words, answer):
            if words[0] == command:
                change(words[words.index("--over") + 1], answer)

        return script.check_group(Tampered(ours, changed), group, None, rng, Counter(), representations=representations)

    for change, group, words in IRREPS:
        found = reasons(change, "irreps", group, ("perm",))
        assert len(found) == 1 and any(word in found[0] for word in words), (change.__name__, found)
    for change, words in DECOMPOSITIONS:
        for rep in "perm", "regular":
            found = reasons(change, "decompose", "S3", (rep,))
            assert len(found) == 3 and all(any(word in line for word in words) for line in found), (
                change.__name__,
                rep,
                found,
            )
    print(f"{len(IRREPS) + 2 * len(DECOMPOSITIONS)} kinds of false answers are seen")


if __name__ == "__main__":
    main(sys.argv[1])
