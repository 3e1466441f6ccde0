#!/usr/bin/env python3
"""scripts/compare-hom over 30 random pairs; and that it sees what is wrong with a basis.

Usage: test_hom.py PROGRAM      (exit status 77 without NumPy)
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import loading

try:
    import numpy as np
except ImportError:
    print("NumPy is not there; nothing was tested")
    sys.exit(77)


def pair_of(hom, program, group, V, W, file):
    """The table of a stated pair, and the expressions."""
    pair = hom.Pair.__new__(hom.Pair)
    pair.group, pair.V, pair.W = group, V, W
    return hom.written(program, pair, file), (V, W)


def refusal(hom, document, trees):
    try:
        hom.check(document, trees, random.Random(1))
    except hom.Wrong as what:
        return str(what)
    return ""


def main(program):
    hom = loading.script("compare-hom")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The script as it is run: 20 pairs, then ten more from where the results end.
        results = folder / "results.json"
        for count in 20, 30:
            done = subprocess.run(
                [sys.executable, loading.FOLDER / "compare-hom", "--build", Path(program).parents[1], "--count", str(count), "--seed", "5", "--largest", "400", "--results", results],
                capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0 and f"{count} pairs" in done.stdout and "; 0 wrong" in done.stdout, done
        [record] = json.loads(results.read_text()).values()
        assert record["done"] == sum(record["dimensions"].values()) == 30 and record["built_here"] >= 10, record
        # Known dimensions: Bell numbers for S5, and the orbits of the regular representation.
        perm, sign = ("leaf", "perm"), ("leaf", "sign")
        for group, V, W, dimension in (
            ("S5", perm, perm, 2), ("S5", ("product", perm, perm), perm, 5), ("S5", ("product", perm, perm), ("product", perm, perm), 15),
            ("C6", perm, perm, 6), ("S4", ("product", sign, perm), perm, 0), ("S4", ("alt", perm), ("product", sign, ("alt", perm)), 2),
            ("S4", ("multiple", 2, perm), ("multiple", 3, ("sum", perm, ("leaf", "trivial"))), 18), ("A5", ("leaf", "real(irrep(2))"), ("leaf", "real(irrep(2))"), 1),
            ("S4", ("sum", ("multiple", 2, perm), ("multiple", 3, ("alt", perm))), ("sum", ("multiple", 3, perm), ("leaf", "trivial")), 2 * (3 * 2 + 1) + 3 * 3),
        ):  # fmt: skip
            document, trees = pair_of(hom, program, group, V, W, folder / "pair.npz")
            found, again, built = hom.check(document, trees, random.Random(2))
            assert found == dimension and again == 0 and built != ("irrep" in hom.text(V)), (group, hom.text(V), found)
        # False bases, of tied entries and of sparse elements.
        tied = lambda: pair_of(hom, program, "S4", ("sum", perm, perm), ("product", perm, perm), folder / "pair.npz")
        sparse = lambda: pair_of(
            hom, program, "S4", ("sum", ("leaf", "std"), perm), ("leaf", "std"), folder / "pair.npz"
        )
        document, trees = tied()
        assert not refusal(hom, document, trees)
        codes, params = document["weight.code"].copy(), int(document["metadata"]["intertwine.params"])
        document["weight.code"] = np.where(codes == 2, 1, codes)  # orbits merged: one pattern is zero
        assert "dependent" in refusal(hom, document, trees)
        document["weight.code"] = np.where(codes == params, 0, codes)  # and one left out
        document["metadata"]["intertwine.params"] = str(params - 1)
        assert "dimensions, the basis" in refusal(hom, document, trees)
        document, trees = tied()
        document["weight.code"].flat[0] = 0
        assert "does not commute" in refusal(hom, document, trees)
        document, trees = tied()
        document["proof.row_images"][0] = np.roll(document["proof.row_images"][0], 1)
        assert refusal(hom, document, trees)
        document, trees = tied()
        assert "dimension" in refusal(hom, document, (trees[1], trees[0]))
        document, trees = pair_of(hom, program, "S4", perm, ("product", sign, perm), folder / "pair.npz")
        assert "another trace" in refusal(hom, document, (perm, perm))
        document, trees = sparse()
        assert not refusal(hom, document, trees)
        document["weight.basis_val"] = document["weight.basis_val"].copy()
        document["weight.basis_val"][0] += 1
        assert "does not commute" in refusal(hom, document, trees)
        # Blocks: a false element, and parts that are not those of the expression.
        document, trees = pair_of(hom, program, "S4", ("sum", ("multiple", 2, perm), perm), perm, folder / "pair.npz")
        assert document["metadata"]["intertwine.kind"] == "blocks" and not refusal(hom, document, trees)
        assert "another trace" in refusal(
            hom, document, (("sum", ("multiple", 2, ("product", sign, perm)), perm), perm)
        )
        document["block.0.1.weight.code"].flat[0] = 0
        assert "does not commute" in refusal(hom, document, trees)
        document["block.0.1.proof.row_images"][0] = np.roll(document["block.0.1.proof.row_images"][0], 1)
        assert refusal(hom, document, trees)
    print("30 random pairs agree; nine known dimensions; eleven false bases are seen")


if __name__ == "__main__":
    main(sys.argv[1])
