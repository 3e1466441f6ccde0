"""Sums of squares under groups of rational matrices that take monomials to polynomials."""

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT, solved
from intertwine import DomainError, Group, LimitError
from intertwine import _linear_squares as by_matrices
from intertwine import _sums_of_squares as by_monomials
from intertwine.sdp import sos
from intertwine.sf import m

sys.path.insert(0, str(ROOT / "checkers"))
import check_bound  # noqa: E402
import reading  # noqa: E402

# (x^2 + x y + y^2)^2 + 2 x y (x + y), on the basis of a lattice of triangles
TRIANGLES = {(4, 0): 1, (3, 1): 2, (2, 2): 3, (1, 3): 2, (0, 4): 1, (2, 1): 2, (1, 2): 2}


def random_invariant(V, d, rng):
    """One with a large mean of Σ x_i^2d, so that it has a bound."""
    found = Counter()
    n = V.dimension
    for k in range(2 * d + 1):
        invariants = by_matrices.Invariants(V, k)
        powers = {tuple(k * (i == j) for i in range(n)): Fraction(1) for j in range(n)}
        mean = invariants.coordinates(powers)
        for factor, basis in zip(mean, invariants.basis):
            c = rng.randint(-3, 3) + (40 * factor if k == 2 * d else 0)
            for key, x in basis.items():
                found[key] += c * x
    return {key: x for key, x in found.items() if x}


def polynomials_up_to(V, d):
    W = V.group.rep("trivial")
    for k in range(1, d + 1):
        W = W + V.sym(k)
    return W


CASES = [
    ("D3", "vector", 2),
    ("D3", "vector", 3),
    ("D6", "vector", 3),
    ("C3", "vector", 3),  # of complex type
    ("C6", "vector", 2),
    ("S4", "std", 2),
    ("W(D4)", "coordinates", 2),
]


def test_a_group_of_quaternions():
    """i and j by rational matrices of size 4: the two-dimensional representation twice."""
    i = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]]
    j = [[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]]
    basis = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]])
    inverse = np.round(np.linalg.inv(basis)).astype(int)
    V = Group.from_matrices([(inverse @ np.array(g) @ basis).tolist() for g in (i, j)]).rep("vector")
    square = {}  # the vectors before are combinations of those of the other basis
    for row in inverse.T.tolist():
        linear = {tuple(int(k == c) for k in range(4)): Fraction(x) for c, x in enumerate(row) if x}
        for key, x in by_matrices._times(linear, linear).items():
            square[key] = square.get(key, 0) + x
    quartic = Counter(by_matrices._times(square, square))
    quartic.subtract({key: 2 * x for key, x in square.items()})
    reduction = sos(dict(quartic), 4, V)
    types = {(b.type, b.size, b.multiplicity) for b in reduction.blocks}
    assert ("quaternionic", 4, 1) in types and reduction.group_order == 8
    assert -solved(reduction.problem)[0] == pytest.approx(-1, abs=1e-6)
    W = polynomials_up_to(V, 2)
    assert reduction.variables_after == (V.group.rep("trivial") >> W.sym(2)).dimension


@pytest.mark.parametrize("name, action, d", CASES)
def test_the_optimum_is_that_of_all_monomials(name, action, d):
    V = Group(name).rep(action)
    p = random_invariant(V, d, random.Random(f"{name}{d}"))
    n = V.dimension
    reduction = sos(p, n, V)
    value, blocks = solved(reduction.problem)
    whole = by_monomials.question(p, n, newton=False)
    assert reduction.before == whole.problem
    assert value == pytest.approx(solved(whole.problem)[0], abs=1e-5)
    (X,) = reduction.lift(blocks)
    assert np.linalg.eigvalsh(X)[0] > -1e-6
    left = Counter()
    for i, a in enumerate(reduction.monomials[0]):
        for j, b in enumerate(reduction.monomials[0]):
            left[by_monomials.product(a, b)] += X[i, j]
    assert left.pop((0,) * n) == pytest.approx(value, abs=1e-6)
    assert max(abs(x - p.get(key, 0)) for key, x in left.items()) < 1e-6
    # The Gram matrix is that of an invariant form.
    for move in by_matrices.substitutions(V):
        place = {key: k for k, key in enumerate(reduction.monomials[0])}
        T = np.zeros_like(X)
        for key, k in place.items():
            for to, x in move.monomial(key).items():
                T[place[to], k] = float(x)
        assert abs(T @ X @ T.T - X).max() < 1e-8 * max(1, abs(X).max())


@pytest.mark.parametrize("name, action, d", CASES)
def test_sizes_are_those_of_characters(name, action, d):
    V = Group(name).rep(action)
    reduction = sos(random_invariant(V, d, random.Random(1)), V.dimension, V)
    W = polynomials_up_to(V, d)
    assert sum(b.size * b.multiplicity for b in reduction.blocks) == W.dimension
    assert reduction.variables_after == (V.group.rep("trivial") >> W.sym(2)).dimension


@pytest.mark.parametrize("name, n, order, sizes", [("W(F4)", 4, 1152, [2, 2, 1, 1, 1]), ("W(E6)", 6, 51840, [2, 1, 1])])
def test_groups_of_roots(name, n, order, sizes):
    """q^d - d q has the least value 1 - d, at q = 1, for the quadratic form q. Invariants have the degrees 2, 6, 8, 12 and
    2, 5, 6, 8, 9, 12 [Humphreys 1990]: up to degree 6 of F4 there are 1, q, q^2, q^3 and one more."""
    V, d = Group(name).rep("vector"), 3 if n == 4 else 2
    q = by_matrices.Invariants(V, 2).basis[0]
    q = {key: x * (1 if q[(2, *[0] * (n - 1))] > 0 else -1) for key, x in q.items()}
    p = q
    for _ in range(d - 1):
        p = by_matrices._times(p, q)
    reduction = sos({key: p.get(key, 0) - d * q.get(key, 0) for key in {*p, *q}}, n, V)
    assert [b.size for b in reduction.blocks] == sizes and reduction.group_order == order
    assert len(reduction._question.problem.A) == (4 if n == 4 else 2)
    assert -solved(reduction.problem)[0] == pytest.approx(1 - d, abs=1e-6)


def test_means_are_means_over_the_elements():
    V = Group("D3").rep("vector")
    moves, rng = by_matrices.substitutions(V), random.Random(7)
    for d in range(1, 6):
        f = {key: Fraction(rng.randint(-5, 5)) for key in by_monomials.monomials(2, [d])}
        f = {key: x for key, x in f.items() if x}
        images = [f]
        for g in images:
            for move in moves:
                if (h := move(g)) not in images:
                    images.append(h)
        mean = Counter()
        for g in images:
            for key, x in g.items():
                mean[key] += x / len(images)
        invariants = by_matrices.Invariants(V, d)
        found = Counter()
        for factor, basis in zip(invariants.coordinates(f), invariants.basis):
            for key, x in basis.items():
                found[key] += factor * x
        assert {k: x for k, x in mean.items() if x} == {k: x for k, x in found.items() if x}


def test_certificates_and_inequalities(tmp_path):
    """-1/27 is reached where x = y = -1/3."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    reduction = sos(TRIANGLES, 2, "D3", "vector")
    assert repr(reduction) == "<SosReduction by a group of order 6, 21 variables become 6>"
    certificate = reduction.certificate()
    assert certificate.bound == Fraction(-1, 27) and certificate.kind == "sum of squares" and certificate.verify()
    certificate.save(tmp_path / "bound.json")
    assert reading.verdict(str(tmp_path / "bound.json"), check_bound.check, 60)[0] == 0
    copy = pickle.loads(pickle.dumps(reduction))
    assert copy.problem == reduction.problem and copy.blocks == reduction.blocks
    # A form, whose bound is 0.
    form = {key: x for key, x in TRIANGLES.items() if sum(key) == 4}
    squared = sos(form, 2, "D3", "vector")
    assert squared.monomials == [[(2, 0), (1, 1), (0, 2)]] and squared.certificate().bound is None
    # x y (x + y) where 3 - x^2 - x y - y^2 >= 0: -2, at x = y = -1.
    cubic, disk = {(2, 1): 1, (1, 2): 1}, {(0, 0): 3, (2, 0): -1, (1, 1): -1, (0, 2): -1}
    bounded = sos(cubic, 2, "D3", "vector", inequalities=[disk], level=2)
    assert -solved(bounded.problem)[0] == pytest.approx(-2, abs=1e-5)
    assert [len(rows) for rows in bounded.monomials] == [6, 3]
    assert bounded.certificate().bound == -2


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: sos({(4, 0): 1, (0, 4): 1}, 2, "D3", "vector"), "generator 1 .* does not fix the polynomial"),
        (lambda: sos(m[2] + m[1, 1], 2, "D5", "vector"), r"over Q\(sqrt\(5\)\): .* rational matrices"),
        (lambda: sos({(2,): 1}, 1, "D3", "vector"), "the group acts on 2 variables, and the polynomial has 1"),
        (
            lambda: sos(m[2] + m[1, 1], 2, "D3", "vector", inequalities=[{(1, 0): 1}], level=2),
            r"does not fix inequality 0 \(from 0\)",
        ),
        (lambda: sos({(3, 0): 1}, 2, "D3", "vector"), "degree 3, and sums of squares have an even one"),
    ],
)
def test_what_is_no_question_under_matrices(make, said):
    with pytest.raises(DomainError, match=said):
        make()


def test_many_monomials_under_matrices_are_refused():
    square = {tuple(int(k == i) + int(k == j) for k in range(8)): 1 for i in range(8) for j in range(i, 8)}
    with pytest.raises(LimitError, match="monomials of degree 16"):
        sos({**square, (16, *[0] * 7): 1}, 8, Group("S9").rep("std"))
