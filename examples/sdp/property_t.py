"""Kazhdan's property (T) by sums of squares: python property_t.py sl 3, or saut 4 --blocks.

A group G with generators S = S^-1 has property (T) if Δ² - λΔ is a sum of squares in its group ring for some λ > 0,
where Δ is |S| minus the sum of S [Ozawa 2016]. Squares are of combinations of the elements of the ball of radius 2, the
rows of the problem. Signed permutations of the basis act on G by conjugation, and fix S
[Kaluba, Nowak & Ozawa 2019]."""

import sys
import time
from collections import Counter

from intertwine import Group, Matrix
from intertwine.sdp import Problem, reduce


class Matrices:
    """SL(n, Z) with the elementary matrices, an element a tuple of rows."""

    def __init__(self, n):
        self.n = n
        self.one = tuple(tuple(int(i == j) for j in range(n)) for i in range(n))
        self.generators = [self._elementary(i, j, s) for i in range(n) for j in range(n) for s in (1, -1) if i != j]

    def _elementary(self, i, j, s):
        return tuple(tuple(x + s * ((a, b) == (i, j)) for b, x in enumerate(row)) for a, row in enumerate(self.one))

    def product(self, g, h):
        columns = list(zip(*h))
        return tuple(tuple(sum(x * y for x, y in zip(row, column)) for column in columns) for row in g)

    def moved(self, g, signed):
        """The conjugate by the signed permutation that takes i to |signed[i]| - 1."""
        out = [[0] * self.n for _ in range(self.n)]
        for i, row in enumerate(g):
            for j, x in enumerate(row):
                a, b = signed[i], signed[j]
                out[abs(a) - 1][abs(b) - 1] = x if (a > 0) == (b > 0) else -x
        return tuple(map(tuple, out))


class FreeGroupAutomorphisms:
    """SAut(F_n) with the transvections, an element the words of the images of x_1, ..., x_n; -k is the inverse of
    x_k."""

    def __init__(self, n):
        self.n = n
        self.one = tuple((k,) for k in range(1, n + 1))
        self.generators = []
        for i in range(n):
            for j in (k * s for k in range(1, n + 1) for s in (1, -1) if k != i + 1):
                for word in ((i + 1, j), (j, i + 1)):
                    self.generators.append(tuple(word if k == i else (k + 1,) for k in range(n)))

    def product(self, g, h):
        """First h, then g on the letters."""
        inverse = [tuple(-x for x in reversed(word)) for word in g]
        found = []
        for word in h:
            out = []
            for letter in word:
                for x in g[letter - 1] if letter > 0 else inverse[-letter - 1]:
                    if out and out[-1] == -x:
                        out.pop()
                    else:
                        out.append(x)
            found.append(tuple(out))
        return tuple(found)

    def moved(self, g, signed):
        out = [()] * self.n
        for i, word in enumerate(g):
            image = tuple(signed[x - 1] if x > 0 else -signed[-x - 1] for x in word)
            to = signed[i]
            out[abs(to) - 1] = image if to > 0 else tuple(-x for x in reversed(image))
        return tuple(out)


KINDS = {"sl": Matrices, "saut": FreeGroupAutomorphisms}


class Ball:
    """The elements of length at most 2, with the signed permutations on them."""

    def __init__(self, kind, n):
        self.kind = KINDS[kind](n)
        S = self.kind.generators
        products = [self.kind.product(g, h) for g in S for h in S]
        self.elements = list(dict.fromkeys([self.kind.one, *S, *products]))
        self.number = {g: k for k, g in enumerate(self.elements)}
        basis = list(range(1, n + 1))
        self.signed = [[*basis[1:], 1], [2, 1, *basis[2:]], [-1, *basis[1:]]]
        self.images = [[self.number[self.kind.moved(g, s)] for g in self.elements] for s in self.signed]
        self.group = Group(self.images)

    def orbits(self):
        """The orbits of the signed permutations on the elements, as lists of their numbers."""
        seen, found = set(), []
        for k in range(len(self.elements)):
            if k in seen:
                continue
            seen.add(k)
            orbit = [k]
            for x in orbit:
                for image in self.images:
                    if image[x] not in seen:
                        seen.add(image[x])
                        orbit.append(image[x])
            found.append(orbit)
        return found

    def first_of_orbit(self, g, known):
        """A name for the orbit of an element of the group, the same for all of its images; known names are kept."""
        if g not in known:
            orbit = [g]
            known[g] = g
            for x in orbit:
                for s in self.signed:
                    image = self.kind.moved(x, s)
                    if image not in known:
                        known[image] = g
                        orbit.append(image)
        return known[g]


def blocks(kind, n):
    """The representations of the signed permutations on the ball: (degree, how often, indicator)."""
    V = Ball(kind, n).group.rep("perm")
    return V.dimension, [(c.degree, c.multiplicity, c.indicator) for c in V.decompose()]


def gap(kind, n):
    """The problem of the largest λ, whose optimum is -λ: an equation for every orbit of elements of length at most 4.

    A row x of the ball stands for its orbit, so that the sums over x^-1 y = g are those over the orbit of g.
    """
    ball = Ball(kind, n)
    G, rows, known = ball.kind, len(ball.elements), {}
    S = G.generators
    of = {g: next(h for h in S if G.product(g, h) == G.one) for g in S}
    inverse = {G.product(g, h): G.product(of[h], of[g]) for g in S for h in S} | of | {G.one: G.one}
    equations = {}
    for orbit in ball.orbits():
        x = ball.elements[orbit[0]]
        for y, h in enumerate(ball.elements):
            name = ball.first_of_orbit(G.product(inverse[x], h), known)
            form = equations.setdefault(name, Counter())
            form[orbit[0], y] += len(orbit)
    laplacian, square = Counter({G.one: len(S)}), Counter({G.one: len(S) ** 2})
    for g in S:
        laplacian[g] -= 1
        square[g] -= 2 * len(S)
    square.update(G.product(g, h) for g in S for h in S)
    right, slope = Counter(), Counter()
    for terms, into in ((square, right), (laplacian, slope)):
        for g, x in terms.items():
            into[ball.first_of_orbit(g, known)] += x
    # The sum of all equations says that the entries of P add up to 0. Stated first, it holds P in a face: P 1 = 0.
    total = Counter()
    for form in equations.values():
        total.update(form)
    A, b = [], []
    for name, form in [(None, total), *equations.items()]:
        entries = Counter()
        for (i, j), x in form.items():  # <A, P> has both entries (i, j) and (j, i)
            entries[i, j] += x
            entries[j, i] += x
        if slope[name]:  # twice the right side is twice that of Δ², minus λ of Δ
            entries[rows, rows] += 2 * slope[name]
        A.append(Matrix.from_entries(rows + 1, rows + 1, [(i, j, x) for (i, j), x in entries.items() if x]))
        b.append(2 * right[name])
    C = Matrix.from_entries(rows + 1, rows + 1, [(rows, rows, -1)])
    return reduce(Problem(C, A, b, [rows, -1]), ball.group, "perm + trivial", images=True), lambda value: -value


def main(kind, n, *options):
    started = time.perf_counter()
    if "--blocks" in options:
        rows, found = blocks(kind, int(n))
        sizes = sorted((m for _, m, _ in found), reverse=True)
        print(f"{rows} rows, {len(found)} blocks of {sizes}")
        print(f"{sum(m * m for m in sizes)} invariant matrices, {sum(m * (m + 1) // 2 for m in sizes)} symmetric ones")
    else:
        reduction, to_published = gap(kind, int(n))
        print(reduction, f"{time.perf_counter() - started:.2f} s")
        problem = reduction.problem.to_cvxpy()
        problem.solve(solver="CLARABEL")
        print(f"{to_published(problem.value):.6f}, {problem.status}")
    print(f"{time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
