#!/usr/bin/env python3
"""Groups of graphs beside nauty and Traces (`dreadnaut`), in one run: equal orders, and CPU seconds of whole processes.

    apt-get install nauty
    python bench/peers/beside_nauty.py --intertwine build/bin/intertwine [--dreadnaut dreadnaut] [--only CFI] [--runs 3]

`intertwine automorphisms x.edges --json` starts, reads the edges, proves the order and writes orbits and generators;
`dreadnaut` reads the same edges in its own format and finds the order by nauty for sparse graphs or by Traces. Times
are medians, in one run alternately. Random graphs are from a fixed seed. Without dreadnaut it says so and exits with
status 77; a different order, or more than twice the time of the slower of both beyond 0.05 s, ends with status 1.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

PAST = 600.0  # seconds, of one process
START = 0.05  # seconds to start the program and to read a hundred thousand lines, which are not compared


def normal(edges):
    return sorted({(min(e), max(e)) for e in edges})


def random_cubic(n, rng):
    """A connected simple cubic graph, from random pairings of half-edges."""
    while True:
        ends = [v for v in range(n) for _ in range(3)]
        rng.shuffle(ends)
        pairs = {(min(a, b), max(a, b)) for a, b in zip(ends[::2], ends[1::2]) if a != b}
        if len(pairs) == 3 * n // 2 and len(component(n, pairs)) == n:
            return sorted(pairs)


def component(n, edges):
    near = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    seen, walk = {0}, [0]
    while walk:
        for w in near[walk.pop()]:
            if w not in seen:
                seen.add(w)
                walk.append(w)
    return seen


def cai_furer_immerman(vertices, rng):
    """Over a random cubic graph: a pair of points at each end of an edge, and for a vertex the even sets of its three
    edges."""
    n = vertices // 10
    base = random_cubic(n, rng)
    ends = [[] for _ in range(n)]
    for k, (a, b) in enumerate(base):
        ends[a].append(k)
        ends[b].append(k)
    point = {}
    for v in range(n):
        for k in ends[v]:
            for side in (0, 1):
                point[v, k, side] = len(point)
    edges, total = [], len(point)
    for v in range(n):
        for even in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
            edges += [(total, point[v, k, side]) for k, side in zip(ends[v], even)]
            total += 1
    for k, (a, b) in enumerate(base):
        edges += [(point[a, k, side], point[b, k, side]) for side in (0, 1)]
    return total, edges


def paley(q):
    squares = {x * x % q for x in range(1, q)}
    return q, [(a, b) for a in range(q) for b in range(a) if (a - b) % q in squares]


def meeting(lines):
    """Which lines have a point in common."""
    through = {}
    for k, line in enumerate(lines):
        for x in line:
            through.setdefault(x, []).append(k)
    return len(lines), [(a, b) for on in through.values() for a in on for b in on if a < b]


def latin_square(square):
    n = len(square)
    return meeting([(("row", i), ("column", j), ("letter", square[i][j])) for i in range(n) for j in range(n)])


def cyclic_square(n):
    return [[(i + j) % n for j in range(n)] for i in range(n)]


def random_square(n, rng):
    """Jacobson and Matthews' walk on the incidence cube (J. Combin. Des. 4, 1996)."""
    cube = [[[1 if (i + j) % n == k else 0 for k in range(n)] for j in range(n)] for i in range(n)]
    improper, steps = None, 0
    while steps < n**3 or improper:
        steps += 1
        if improper:
            x, y, z = improper
            x2 = rng.choice([i for i in range(n) if cube[i][y][z] == 1])
            y2 = rng.choice([j for j in range(n) if cube[x][j][z] == 1])
            z2 = rng.choice([k for k in range(n) if cube[x][y][k] == 1])
        else:
            x, y, z = (rng.randrange(n) for _ in range(3))
            while cube[x][y][z]:
                x, y, z = (rng.randrange(n) for _ in range(3))
            x2 = next(i for i in range(n) if cube[i][y][z])
            y2 = next(j for j in range(n) if cube[x][j][z])
            z2 = next(k for k in range(n) if cube[x][y][k])
        for (i, j, k), step in {
            (x, y, z): 1,
            (x, y2, z2): 1,
            (x2, y, z2): 1,
            (x2, y2, z): 1,
            (x2, y, z): -1,
            (x, y2, z): -1,
            (x, y, z2): -1,
            (x2, y2, z2): -1,
        }.items():
            cube[i][j][k] += step
        improper = (x2, y2, z2) if cube[x2][y2][z2] < 0 else None
    return [[cube[i][j].index(1) for j in range(n)] for i in range(n)]


def bose_triples(v):
    """A Steiner triple system on v = 6 t + 3 points."""
    m = v // 3
    half = (m + 1) // 2
    triples = [tuple((i, k) for k in range(3)) for i in range(m)]
    for k in range(3):
        for j in range(m):
            triples += [((i, k), (j, k), ((i + j) * half % m, (k + 1) % 3)) for i in range(j)]
    return triples


def random_triples(v, rng):
    """A Steiner triple system by hill climbing (Stinson, 1985)."""
    third, live = {}, [set(range(v)) - {x} for x in range(v)]
    count, wanted = 0, v * (v - 1) // 6
    open_points = list(range(v))
    while count < wanted:
        x = rng.choice(open_points)
        if not live[x]:
            open_points.remove(x)
            continue
        y, z = rng.sample(sorted(live[x]), 2)
        if (y, z) in third:
            w = third[y, z]
            for a, b, _ in ((y, z, w), (z, w, y), (y, w, z)):
                del third[a, b], third[b, a]
            live[w] |= {y, z}
            live[y].add(w)
            live[z].add(w)
            for a in (w,):
                if a not in open_points:
                    open_points.append(a)
            live[y].discard(z)
            live[z].discard(y)
        else:
            count += 1
        for a, b, c in ((x, y, z), (y, z, x), (x, z, y)):
            third[a, b] = third[b, a] = c
            live[a].discard(b)
            live[b].discard(a)
        for a in (y, z):
            if live[a] and a not in open_points:
                open_points.append(a)
    return sorted({tuple(sorted((a, b, c))) for (a, b), c in third.items()})


def triangular(n):
    return meeting([(a, b) for a in range(n) for b in range(a)])


def switched(graph, chosen):
    """Seidel's switching: edges between the chosen vertices and the others are exchanged with what is no edge."""
    n, edges = graph
    inside = {(min(a, b), max(a, b)) for a, b in edges}
    return n, [(a, b) for b in range(n) for a in range(b) if ((a, b) in inside) != ((a in chosen) != (b in chosen))]


def chang(kind):
    """T(8) switched by the pairs of a perfect matching, of an 8-cycle, or of a triangle and a pentagon (Chang, 1959)."""
    pairs = [(a, b) for a in range(8) for b in range(a)]
    cycles = {
        "4K2": [(1, 0), (3, 2), (5, 4), (7, 6)],
        "C8": [(k, (k + 1) % 8) for k in range(8)],
        "C3+C5": [(0, 1), (1, 2), (2, 0)] + [(3 + k, 3 + (k + 1) % 5) for k in range(5)],
    }[kind]
    return switched(triangular(8), {pairs.index((max(e), min(e))) for e in cycles})


def grid(rows, columns, torus=False):
    edges = []
    for i in range(rows):
        for j in range(columns):
            if torus or i + 1 < rows:
                edges.append((i * columns + j, (i + 1) % rows * columns + j))
            if torus or j + 1 < columns:
                edges.append((i * columns + j, i * columns + (j + 1) % columns))
    return rows * columns, edges


def random_tree(n, rng):
    return n, [(v, rng.randrange(v)) for v in range(1, n)]


def caterpillar(spine, leaves):
    """A path whose vertices have so many leaves each."""
    edges = [(v, v + 1) for v in range(spine - 1)]
    edges += [(v, spine + leaves * v + k) for v in range(spine) for k in range(leaves)]
    return spine * (leaves + 1), edges


def projective_plane(p):
    """Points and lines of the plane over Z/p."""
    points = [(1, a, b) for a in range(p) for b in range(p)] + [(0, 1, a) for a in range(p)] + [(0, 0, 1)]
    n = len(points)
    return 2 * n, [
        (i, n + j)
        for i, x in enumerate(points)
        for j, y in enumerate(points)
        if sum(s * t for s, t in zip(x, y)) % p == 0
    ]


def suite():
    def rng(k):
        return random.Random(f"beside nauty {k}")

    for vertices in (300, 1200, 3000, 6000):
        yield f"CFI, random cubic, {vertices}", lambda n=vertices: cai_furer_immerman(n, rng(n))
    yield "Paley, 1009", lambda: paley(1009)
    yield "Latin square graph, C41", lambda: latin_square(cyclic_square(41))
    yield "Latin square graph, random 30", lambda: latin_square(random_square(30, rng(30)))
    yield "triangular, T(60)", lambda: triangular(60)
    for kind in ("4K2", "C8", "C3+C5"):
        yield f"Chang, {kind}", lambda kind=kind: chang(kind)
    yield (
        "T(40) switched by a matching",
        lambda: switched(triangular(40), {x * (x + 1) // 2 - 1 for x in range(1, 40, 2)}),
    )
    yield "Steiner triples, Bose 99", lambda: meeting(bose_triples(99))
    yield "Steiner triples, random 81", lambda: meeting(random_triples(81, rng(81)))
    yield "plane over Z/31", lambda: projective_plane(31)
    yield "grid 150 x 150", lambda: grid(150, 150)
    yield "torus 100 x 100", lambda: grid(100, 100, True)
    yield "random tree, 10^5", lambda: random_tree(100000, rng(5))
    yield "caterpillar, 2000 x 50 leaves", lambda: caterpillar(2000, 50)
    yield "binary tree, 2^17 - 1", lambda: (2**17 - 1, [((v - 1) // 2, v) for v in range(1, 2**17 - 1)])
    yield "pairs, 50 000", lambda: (100000, [(v, v + 1) for v in range(0, 100000, 2)])
    yield "star, 10^5 leaves", lambda: (100001, [(0, k) for k in range(1, 100001)])
    yield "path of 99750, 250 points", lambda: (100000, [(k, k + 1) for k in range(99749)])
    yield "random cubic, 10^4", lambda: (10000, random_cubic(10000, rng(4)))


def timed(command, text=None):
    """(output, CPU seconds of the process); None for seconds if it did not end in time."""
    before = os.times()
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PAST)
    except subprocess.TimeoutExpired:
        return None, None
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return (done.stdout if done.returncode == 0 else None), seconds


def order_here(program, path):
    output, seconds = timed([program, "automorphisms", path, "--json"])
    return (None if output is None else int(json.loads(output)["order"])), seconds


def order_there(dreadnaut, switch, graph):
    n, edges = graph
    rows = [[] for _ in range(n)]
    for a, b in edges:
        rows[a].append(b)
    lines = "".join(f"{a}: {' '.join(map(str, row))};\n" for a, row in enumerate(rows) if row)
    output, seconds = timed([dreadnaut], f"{switch} -a -m n={n} g\n{lines}.\nx q\n")
    found = output and re.search(r"grpsize=([0-9.e+]+)", output)
    return (found.group(1) if found else None), seconds


def agree(order, size):
    """dreadnaut writes large orders with twelve digits."""
    if "e" not in size:
        return order == int(size)
    mantissa, exponent = size.split("e")
    digits = str(order)
    return (
        len(digits) - 1 == int(exponent)
        and abs(int(digits[:13]) / 10.0 ** (len(digits[:13]) - 1) - float(mantissa)) < 1e-8
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--intertwine", default="intertwine")
    parser.add_argument("--dreadnaut", default="dreadnaut")
    parser.add_argument("--only", default="", help="graphs whose names contain this")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # 100000! has 456574
    if shutil.which(options.dreadnaut) is None:
        print("dreadnaut is not installed (apt-get install nauty): nothing is compared")
        return 77
    print(f"{'graph':32} {'vertices':>8} {'edges':>7} {'order':>12} {'here':>7} {'nauty':>7} {'Traces':>7}")
    failed = False
    for name, make in suite():
        if options.only not in name:
            continue
        n, edges = make()
        graph = n, normal(edges)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.edges")
            with open(path, "w") as file:
                file.write(f"# vertices {n}\n" + "".join(f"{a} {b}\n" for a, b in graph[1]))
            times, orders, wrong = ([], [], []), None, False
            for _ in range(options.runs):
                runs = [
                    order_here(options.intertwine, path),
                    order_there(options.dreadnaut, "As", graph),
                    order_there(options.dreadnaut, "At", graph),
                ]
                orders = [order for order, _ in runs]
                wrong = wrong or (
                    orders[0] is not None
                    and any(size is not None and not agree(orders[0], size) for size in orders[1:])
                )
                for list_, (order, seconds) in zip(times, runs):
                    list_.append(float("inf") if order is None else seconds)
        here, nauty, traces = (statistics.median(list_) for list_ in times)
        digits = "-" if orders[0] is None else str(orders[0])
        if len(digits) > 12:
            digits = f"{digits[0]}.{digits[1:4]}e{len(digits) - 1}"
        peers = [seconds for seconds in (nauty, traces) if seconds < float("inf")]
        slow = here == float("inf") or (bool(peers) and here > 2 * max(peers) + START)
        print(
            f"{name:32} {n:8} {len(graph[1]):7} {digits:>12} {here:7.2f} {nauty:7.2f} {traces:7.2f}"
            + ("  ORDERS DIFFER" if wrong else "")
            + ("  more than twice" if slow else "")
            + ("" if peers else "  nothing to compare with"),
            flush=True,
        )
        failed = failed or wrong or slow or not peers
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
