"""Published problems, reduced by their groups and solved: python published.py NAME NUMBERS..., such as triples 9 4.

Every function gives a reduction and what turns its optimum into the published number. docs/sdp.md has the table."""

import sys
import time
from fractions import Fraction
from itertools import combinations, product
from math import comb

from intertwine import Group, Matrix
from intertwine.sdp import Graph, Problem, npa, reduce, sos
from intertwine.sf import m


def hamming(n, d):
    """Theta of the graph on the words of n bits that are joined below the distance d: a bound of codes [Lovász 1979]."""
    words = range(2**n)
    edges = [(x, y) for x, y in combinations(words, 2) if (x ^ y).bit_count() < d]
    return Graph(edges, 2**n).theta(group=cube(n)), lambda value: -value


def delsarte(n, d):
    """Theta' of the same graph, which is Delsarte's bound [Schrijver 1979]."""
    edges = [(x, y) for x, y in combinations(range(2**n), 2) if (x ^ y).bit_count() < d]
    return Graph(edges, 2**n).theta("schrijver", cube(n)), lambda value: -value


def cube(n):
    """The symmetries of the words of n bits, numbers from 0."""
    bits = [[x >> (n - 1 - k) & 1 for k in range(n)] for x in range(2**n)]
    number = {tuple(word): x for x, word in enumerate(bits)}
    turned = [number[tuple(word[1:] + word[:1])] for word in bits]
    swapped = [number[tuple([word[1], word[0], *word[2:]])] if n > 1 else x for x, word in enumerate(bits)]
    flipped = [x ^ 1 for x in range(2**n)]
    return Group([turned, swapped, flipped])


def johnson(n, k):
    """Theta of the graph on the k-subsets of n points that are joined where they do not meet: C(n-1, k-1) [Lovász 1979]."""
    subsets = list(combinations(range(n), k))
    edges = [(i, j) for i, j in combinations(range(len(subsets)), 2) if not set(subsets[i]) & set(subsets[j])]
    return Graph(edges, len(subsets)).theta(None, f"S{n}", f"subsets({k})"), lambda value: -value


class Entries:
    """A problem by its equations on single entries of X, each for all of its images under the group."""

    def __init__(self, sizes):
        self.sizes, self.rows = sizes, sum(map(abs, sizes))
        self.A, self.b, self.C = [], [], {}

    def matrix(self, form):
        """Entries (i, j) and (j, i) of X are one number, and both take half of it."""
        entries = {}
        for (i, j), x in form.items():
            for at in {(i, j), (j, i)}:
                entries[at] = entries.get(at, 0) + Fraction(x, 1 if i == j else 2)
        return Matrix.from_entries(self.rows, self.rows, [(i, j, x) for (i, j), x in entries.items() if x])

    def equal(self, form, value=0):
        """The sum of x X[i, j] over a form {(i, j): x} has this value."""
        self.A.append(self.matrix(form))
        self.b.append(value)

    def problem(self):
        return Problem(self.matrix(self.C), self.A, self.b, self.sizes)


def triples(n, d):
    """Schrijver's bound of codes of n bits at the even distance d by triples of words, of even weight [Schrijver 2005].

    R has the rows of all words, and R' those of all but 0. Both are positive semidefinite, and fixed by the permutations
    of positions, the stabilizer of 0. The entry of R at words of weights i and j that share t positions is a number of the
    weights i, j and i + j - 2t of the three differences, in any order; that of R' is R[0, X + Y] - R[X, Y].
    """
    weights = range(0, n + 1, 2)
    first, size = {}, 0
    for i in weights:
        first[i] = size
        size += comb(n, i)
    place = {i: {word: k for k, word in enumerate(combinations(range(n), i))} for i in weights}
    orbits = [(i, j, t) for i in weights for j in weights if i <= j for t in range(max(0, i + j - n), i + 1)]
    kinds = {}  # of the weights of differences: the orbits of entries
    for i, j, t in orbits:
        kinds.setdefault(tuple(sorted((i, j, i + j - 2 * t))), []).append((i, j, t))
    allowed = [kind for kind in kinds if all(w == 0 or w >= d for w in kind)]
    signs = [(kind, w) for kind in allowed for w in sorted({*kind, None} - {0}, key=str)]
    bounds = [(kind, u, v) for kind in allowed for u, v in combinations(kind, 2) if 0 < u <= v]
    p = Entries([size, size - 1, -(len(signs) + len(bounds))])

    def R(i, j, t):
        x, y = tuple(range(i)), tuple(range(i - t, i - t + j))
        return first[i] + place[i][x], first[j] + place[j][y]

    def zero(w):
        return R(0, w, 0)

    p.equal({R(0, 0, 0): 1}, 1)
    for kind, members in kinds.items():
        for k, orbit in enumerate(members):
            if kind not in allowed:
                p.equal({R(*orbit): 1})
            elif k:
                p.equal({R(*orbit): 1, R(*members[0]): -1})
    for i, j, t in orbits:
        if i:
            at = tuple(size - 1 + row for row in R(i, j, t))
            form = {at: 1}
            for place_of, x in ((R(i, j, t), 1), (zero(i + j - 2 * t), -1)):
                form[place_of] = form.get(place_of, 0) + x
            p.equal(form)
    row = 2 * size - 1
    for kind, w in signs:  # 0 <= x <= the number of each difference
        own = R(*kinds[kind][0])
        form = {own: 1, (row, row): -1} if w is None else {own: 1, (row, row): 1}
        if w is not None:
            form[zero(w)] = form.get(zero(w), 0) - 1
        p.equal(form)
        row += 1
    for kind, u, v in bounds:
        own, form = R(*kinds[kind][0]), {(row, row): 1}
        for at, x in ((zero(u), 1), (zero(v), 1), (own, -1)):
            form[at] = form.get(at, 0) + x
        p.equal(form, 1)
        row += 1
    p.C = {zero(w): -comb(n, w) for w in weights if w == 0 or w >= d}
    words = " + ".join("trivial" if w in (0, n) else f"subsets({w})" for w in weights)
    nonzero = " + ".join("trivial" if w == n else f"subsets({w})" for w in weights if w)
    action = f"{words} + {nonzero} + {len(signs) + len(bounds)}*trivial"
    return reduce(p.problem(), f"S{n}", action, images=True), lambda value: -value


def extensions(k, ppt):
    """The largest overlap of a state of two qubits with a Bell state, where qubit B has k copies: (k + 1) / (2 k) [Johnson
    & Viola 2013]. With ppt all partial transposes are positive semidefinite as well, and it is 1/2.

    X is a matrix on A and all B, which permutations of the B fix, and the exchange of 0 and 1 on all qubits. Its partial
    transposes are blocks that the permutations exchange.
    """
    size = 2 ** (k + 1)
    states = list(product((0, 1), repeat=k + 1))
    number = {state: i for i, state in enumerate(states)}
    parts = [()] + ([part for j in range(1, k + 1) for part in combinations(range(1, k + 1), j)] if ppt else [])
    block = {part: b for b, part in enumerate(parts)}

    def moved(order):
        """All rows under a permutation of qubits: qubit q goes to order[q]."""
        images = []
        for part in parts:
            to = block[tuple(sorted(order[q] for q in part))]
            for state in states:
                new = [0] * (k + 1)
                for q, bit in enumerate(state):
                    new[order[q]] = bit
                images.append(to * size + number[tuple(new)])
        return images

    turn = [0, *range(2, k + 1), 1]
    swap = [0, 2, 1, *range(3, k + 1)] if k > 1 else [0, 1]
    flip = [b * size + number[tuple(1 - bit for bit in state)] for b in range(len(parts)) for state in states]
    p = Entries([size] * len(parts))
    p.C = {}
    for rest in product((0, 1), repeat=k - 1):  # the Bell state on A and the first B
        low, high = number[(0, 0, *rest)], number[(1, 1, *rest)]
        p.C |= {(low, low): -1, (high, high): -1, (low, high): -2}
    p.equal({(i, i): 1 for i in range(size)}, 1)
    for j in range(1, k + 1) if ppt else ():
        part = tuple(range(1, j + 1))
        for row, col in product(states, states):
            x = tuple(col[q] if q in part else row[q] for q in range(k + 1))
            y = tuple(row[q] if q in part else col[q] for q in range(k + 1))
            a, c = block[part] * size + number[row], block[part] * size + number[col]
            b, e = sorted((number[x], number[y]))
            if a <= c:
                p.equal({(a, c): 1, (b, e): -1})
    group = Group([moved(turn), moved(swap), flip])
    return reduce(p.problem(), group, images=True), lambda value: -value / 2


def chsh():
    """2 sqrt(2) [Cirelson 1980]."""
    reduction = npa({"A0 B0": 1, "A0 B1": 1, "A1 B0": 1, "A1 B1": -1}, level=1)
    return reduction, lambda value: value


def i3322(level):
    """0.25093972 at level 2, 0.25087556 at level 3 [Doherty et al. 2008]."""
    pairs = {"A0 B0": 1, "A0 B1": 1, "A0 B2": 1, "A1 B0": 1, "A1 B1": 1, "A1 B2": -1, "A2 B0": 1, "A2 B1": -1}
    functional = {"A0": -1, "B0": -2, "B1": -1, **pairs}
    return npa(functional, level=level, operators="projectors"), lambda value: value


def robinson():
    """-3825/4096 [Gatermann & Parrilo 2004]."""
    p = {
        (6, 0): 1,
        (0, 6): 1,
        (4, 2): -1,
        (2, 4): -1,
        (4, 0): -1,
        (0, 4): -1,
        (2, 0): -1,
        (0, 2): -1,
        (2, 2): 3,
        (0, 0): 1,
    }
    square = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])
    return sos(p, 2, square.rep("vector")), lambda value: 1 - value


def motzkin():
    """The largest bound of x^4 y^2 + x^2 y^4 - 3 x^2 y^2 where 4 >= x^2 + y^2, at level 4: -1 [Motzkin 1967]."""
    p = {(4, 2): 1, (2, 4): 1, (2, 2): -3}
    disk = {(0, 0): 4, (2, 0): -1, (0, 2): -1}
    square = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])
    return sos(p, 2, square.rep("vector"), inequalities=[disk], level=4), lambda value: -value


def cyclic(n):
    """The sum of (x_i^2 - x_(i+1))^2 - 1 over a cycle of n variables: -n, where all are 0 or all are 1."""

    def power(*where):
        return tuple(sum(i == w % n for w in where) for i in range(n))

    p = {power(): -n}
    for i in range(n):
        for key, x in ((power(i, i, i, i), 1), (power(i, i, i + 1), -2), (power(i, i), 1)):
            p[key] = p.get(key, 0) + x
    return sos(p, n, f"C{n}"), lambda value: -n - value


def particles(n):
    """Particles on a line that repel one another, near two places: -n/16, with half of them at 1/2 and half at -1/2."""
    return sos(m[4] + m[1, 1], n), lambda value: -value


def wells(n):
    """The sum of x_i^6 - x_i^2, under B_n: -2n / (3 sqrt(3)), where all x_i^4 are 1/3."""
    return sos(m[6] - m[2], n), lambda value: -value


PROBLEMS = (hamming, delsarte, johnson, triples, extensions, chsh, i3322, robinson, motzkin, cyclic, particles, wells)


def solved(reduction, to_published):
    """The published number by Clarabel."""
    if hasattr(reduction, "value"):  # of a Bell functional
        return to_published(reduction.value())
    asked = reduction.problem.to_cvxpy()
    asked.solve(solver="CLARABEL")
    if asked.status not in ("optimal", "optimal_inaccurate"):
        raise SystemExit(f"the solver says: {asked.status}")
    return to_published(asked.value)


def main(name, *numbers):
    make = {f.__name__: f for f in PROBLEMS}[name]
    started = time.perf_counter()
    reduction, to_published = make(*map(int, numbers))
    reduced = time.perf_counter() - started
    blocks = sorted((block.size for block in reduction.blocks if block.size > 1), reverse=True)
    print(f"{name} {' '.join(numbers)}: {reduction!r}, blocks {blocks}, {reduced:.2f} s")
    print(f"{solved(reduction, to_published):.8f}, {time.perf_counter() - started - reduced:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
