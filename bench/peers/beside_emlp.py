#!/usr/bin/env python3
"""Equivariant maps beside EMLP 1.0.3, in one run: equal dimensions, and seconds.

    python -m venv emlp && emlp/bin/pip install jax numpy scipy tqdm plum-dispatch optax && emlp/bin/pip install
    --no-deps emlp==1.0.3 emlp/bin/python bench/peers/beside_emlp.py --intertwine build/bin/intertwine

EMLP's time is that of `(V >> U).equivariant_basis()` in this process, its cache of solutions cleared before every run,
the best of several, so that JAX has compiled what it needs. Intertwine's is what `basis` prints, basis and certificate,
the best of several runs, and beside it the whole process, which reads the text and writes the answer. Without EMLP it
says so and exits with status 77. EMLP's drawing, clustering and layers are left out by empty modules, since they import
what is not needed here.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import types

os.environ["TQDM_DISABLE"] = "1"

# EMLP's groups, and the expressions and modules here.
GROUPS = {
    "SO(2)": ("SO", [2], "SO(2)", "vector"),
    "SO(3)": ("SO", [3], "SO(3)", "vector"),
    "O(2)": ("O", [2], "O(2)", "vector"),
    "O(3)": ("O", [3], "O(3)", "vector"),
    "SO13p": ("SO13p", [], "SO+(1,3)", "vector"),
    "O13": ("O13", [], "O(1,3)", "vector"),
    "Sp(1)": ("Sp", [1], "Sp(2)", "vector"),
    "Sp(2)": ("Sp", [2], "Sp(4)", "vector"),
    "SU(2)": ("SU", [2], "SU(2)", "vector"),
    "SU(3)": ("SU", [3], "SU(3)", "vector"),
    "SL(2)": ("SL", [2], "SL(2)", "vector"),
    "S(3)": ("S", [3], "S3", "perm"),
    "S(4)": ("S", [4], "S4", "perm"),
    "Z(3)": ("Z", [3], "C3", "perm"),
    "Z(4)": ("Z", [4], "C4", "perm"),
}
RANKS = [(1, 1), (2, 1), (1, 2), (2, 2), (0, 4)]  # in, out


def import_emlp():
    for name in ("sklearn", "sklearn.cluster", "matplotlib", "matplotlib.pyplot", "emlp.nn", "emlp.reps.zoo"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["sklearn.cluster"].KMeans = None
    import emlp.groups
    import emlp.reps

    return emlp.groups, emlp.reps


def emlp_basis(groups, reps, name, arguments, ranks, runs):
    """(dimension, the best of so many seconds)"""
    G = getattr(groups, name)(*arguments)
    hom = reps.T(ranks[0])(G) >> reps.T(ranks[1])(G)
    best, dimension = float("inf"), None
    for _ in range(runs):
        reps.Rep.solcache.clear()
        start = time.perf_counter()
        basis = hom.equivariant_basis()
        basis.block_until_ready()
        best = min(best, time.perf_counter() - start)
        dimension = basis.shape[-1]
    return dimension, best


def power(module, k):
    return "trivial" if k == 0 else module if k == 1 else f"{module}^{k}"


def intertwine_basis(program, group, module, ranks, runs):
    """(dimension, the best of the seconds that the program says, the best of the seconds of its process)"""
    command = [program, "basis", group, "--in", power(module, ranks[0]), "--out", power(module, ranks[1])]
    inside, whole, dimension = float("inf"), float("inf"), None
    for _ in range(runs):
        start = time.perf_counter()
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        whole = min(whole, time.perf_counter() - start)
        dimension = int(re.search(r"dimension +([0-9]+)", text)[1])
        value, unit = re.search(r"time +([0-9.]+) (ns|µs|ms|s)", text).groups()
        inside = min(inside, float(value) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit])
    return dimension, inside, whole


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intertwine", default="build/bin/intertwine", help="the program")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", help="a file for the numbers")
    options = parser.parse_args()
    try:
        groups, reps = import_emlp()
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; milliseconds")
    print(f"{'group':8}{'maps':>10}{'dimension':>11}{'EMLP':>11}{'Intertwine':>12}{'process':>9}{'times':>8}")
    rows, wrong, slower = [], 0, 0
    for label, (name, arguments, group, module) in GROUPS.items():
        for ranks in RANKS:
            expected, theirs = emlp_basis(groups, reps, name, arguments, ranks, options.runs)
            dimension, inside, whole = intertwine_basis(options.intertwine, group, module, ranks, options.runs)
            wrong += dimension != expected
            slower += inside > theirs
            rows.append(
                {
                    "group": label,
                    "in": ranks[0],
                    "out": ranks[1],
                    "dimension": dimension,
                    "emlp_dimension": expected,
                    "emlp": theirs,
                    "intertwine": inside,
                    "process": whole,
                }
            )
            print(
                f"{label:8}{f'T{ranks[0]} -> T{ranks[1]}':>10}{dimension:>11}{1e3 * theirs:>11.1f}{1e3 * inside:>12.2f}"
                f"{1e3 * whole:>9.1f}{theirs / inside:>8.0f}"
                + ("" if dimension == expected else f"  EMLP: {expected}"),
                flush=True,
            )
    ratios = sorted(row["emlp"] / row["intertwine"] for row in rows)
    print(
        f"{len(rows)} spaces of maps: {wrong} dimensions differ, {slower} are slower here; times faster: least {ratios[0]:.1f}, "
        f"median {ratios[len(ratios) // 2]:.0f}, most {ratios[-1]:.0f}"
    )
    print(
        f"in all: EMLP {sum(row['emlp'] for row in rows):.2f} s, Intertwine {sum(row['intertwine'] for row in rows):.3f} s, "
        f"its processes {sum(row['process'] for row in rows):.2f} s; load {os.getloadavg()[0]:.1f}"
    )
    if options.json:
        with open(options.json, "w") as out:
            json.dump(rows, out, indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
