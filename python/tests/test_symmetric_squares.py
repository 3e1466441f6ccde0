"""Sums of squares under S_n, B_n and D_n by tableaux: the problems by monomials, and some in many variables."""

from __future__ import annotations

import pickle
import random
import sys
import time
from collections import Counter
from fractions import Fraction
from math import comb, factorial, prod

import intertwine
import numpy as np
import pytest
from conftest import ROOT, solved
from intertwine import DomainError, Group, LimitError
from intertwine import _sums_of_squares as by_monomials
from intertwine import _symmetric_squares as by_tableaux
from intertwine._tableaux import Tableaux, contents_of, fillings, orbit_size, orders, shapes, specht_dimension
from intertwine.sdp import Certificate, reduce, sos
from intertwine.sf import e, h, m, p, s

sys.path.insert(0, str(ROOT / "checkers"))
import check_bound  # noqa: E402
import reading  # noqa: E402

NAMES = {"S": "S{}", "B": "B{}", "D": "W(D{})"}
DEGREES = {  # of generators of the ring of invariants [Humphreys 1990]
    "S": lambda n: range(1, n + 1),
    "B": lambda n: range(2, 2 * n + 1, 2),
    "D": lambda n: [*range(2, 2 * n - 1, 2), n],
}


def images(kind, n):
    return orders(Counter([*kind, *[0] * (n - len(kind))]), n)


def random_polynomial(group, n, d, rng):
    """One that the group fixes, by monomial symmetric functions and by monomials; its terms of degree 2d are mostly even
    ones, of positive coefficients, so that it has a bound."""
    terms = {}
    for kind in contents_of(n, range(2 * d + 1)):
        if by_tableaux.fixed_by_signs(kind, n, group):
            even = not any(k % 2 for k in kind)
            terms[kind] = (
                rng.randint(-3, 3) if sum(kind) < 2 * d else rng.randint(8, 12) if even else rng.randint(-1, 1)
            )
    terms = {kind: x for kind, x in terms.items() if x}
    return terms, {key: x for kind, x in terms.items() for key in images(kind, n)}


def series(degrees, most):
    """The coefficients of 1 / Π (1 - t^d) up to t^most."""
    found = [1] + [0] * most
    for d in degrees:
        for k in range(d, most + 1):
            found[k] += found[k - d]
    return found


CASES = [
    *(("S", n, d) for n, d in [(2, 1), (2, 4), (3, 3), (4, 2), (4, 3), (5, 2), (5, 3), (6, 2), (7, 2), (8, 2)]),
    *(("B", n, d) for n, d in [(2, 2), (2, 4), (3, 3), (3, 4), (4, 3), (5, 2), (5, 3)]),
    *(("D", n, d) for n, d in [(2, 1), (2, 3), (3, 2), (3, 4), (4, 2), (4, 4), (5, 3)]),
]


@pytest.mark.parametrize("group, n, d", CASES)
def test_blocks_and_optimum_are_those_of_all_monomials(group, n, d):
    terms, polynomial = random_polynomial(group, n, d, random.Random(f"{group}{n}{d}"))
    reduction = sos(polynomial, n, NAMES[group].format(n))
    assert reduction._question.terms == terms
    listed = by_monomials.question(polynomial, n)
    direct = reduce(listed.problem, by_monomials.on_rows(listed, by_tableaux.reflection_rep(group, n)))
    for key in ("group_order", "variables_before", "variables_after"):
        assert getattr(reduction, key) == getattr(direct, key)
    named = group != "D"  # by matrices its representations have no names
    for of in (lambda b: (b.name if named else "", b.size, b.multiplicity, b.type),):
        assert sorted(map(of, reduction.blocks)) == sorted(map(of, direct.blocks))
    assert len(reduction.exact.kept) == len(direct.kept)
    assert reduction.before == listed.problem and reduction.monomials == listed.rows
    value, blocks = solved(reduction.problem)
    assert value == pytest.approx(solved(direct.problem)[0], rel=2e-6, abs=2e-6)
    # The Gram matrix of monomials that a solution stands for solves the equations.
    (X,) = reduction.lift(blocks)
    assert np.linalg.eigvalsh(X)[0] > -1e-6
    left = Counter()
    for i, a in enumerate(listed.rows[0]):
        for j, b in enumerate(listed.rows[0]):
            left[by_monomials.product(a, b)] += X[i, j]
    assert left.pop((0,) * n, 0) == pytest.approx(value, abs=1e-6)
    assert max(abs(x - polynomial.get(key, 0)) for key, x in left.items()) < 1e-6


@pytest.mark.parametrize("group, n, d", [*CASES, ("S", 30, 3), ("B", 30, 3), ("D", 30, 3), ("S", 7, 5), ("D", 6, 5)])
def test_multiplicities_agree_with_series_of_molien(group, n, d):
    """The trivial block has the invariants up to degree d, and as many equations as there are up to degree 2d; all pairs
    of monomials up to the group are as many as the squares of the sizes."""
    terms = m[2 * d] + m[()]
    reduction = sos(terms, n, NAMES[group].format(n))
    invariants = series(DEGREES[group](n), 2 * d)
    assert reduction.blocks[0].size == sum(invariants[: d + 1]) and reduction.blocks[0].multiplicity == 1
    assert len(reduction._question.problem.A) + 1 == sum(invariants)
    assert sum(b.size * b.multiplicity for b in reduction.blocks) == comb(n + d, d)
    assert reduction.variables_after == sum(b.size * (b.size + 1) // 2 for b in reduction.blocks)
    types = {key for c in reduction._question.components for counts in c.copies.counts.values() for key in counts}
    types |= {tuple(sorted((b, a) for a, b in key)) for key in types}
    assert len(types) == sum(b.size**2 for b in reduction.blocks)


@pytest.mark.parametrize("name, n, d, action", [("S5", 5, 3, "perm"), ("S4", 4, 4, "perm"), ("B3", 3, 4, "vector")])
def test_multiplicities_are_those_of_characters(name, n, d, action):
    V = Group(name).rep(action)
    expected = Counter()
    for k in range(d + 1):
        for part in V.sym(k).decompose():
            expected[part.name] += part.multiplicity
    found = {b.name: b.size for b in sos(m[2 * d] + m[()], n, name).blocks}
    assert found == expected


def test_sizes_of_spaces():
    for n in range(1, 8):
        for shape in shapes(n, n * n):
            standard = [A for A in fillings(shape, range(n), n * n) if len(set(A.content(shape))) == n - 1 >= 0]
            standard = [A for A in standard if len(A.content(shape)) == n - 1]
            assert len(standard) == specht_dimension(shape)
        assert sum(specht_dimension(shape) ** 2 for shape in shapes(n, n * n)) == factorial(n)
    assert orbit_size(100, (1, 1, 2)) == 100 * 99 * 98 // 2


@pytest.mark.parametrize(
    "f, n, group, sizes, optimum",
    [
        (m[4] - m[2], 30, "S30", [4, 3, 1], -30 / 4),
        (m[4] - m[2], 30, None, [2, 1, 1, 1], -30 / 4),  # B_30
        (m[4] - m[2], 30, "W(D30)", [2, 1, 1, 1], -30 / 4),
        (p[4] - 2 * p[2] + p[1] ** 2, 100, "S100", [4, 3, 1], -100),  # 0 = x_1 + ... with ones and minus ones
        (m[6] - m[2] + m[1] - m[1], 30, "S30", [7, 7, 3, 1, 1], -30 * 2 / 3 / 3**0.5),
        (m[6] - m[2], 30, "B30", [2, 1, 3, 1, 1, 1], -30 * 2 / 3 / 3**0.5),
        (m[8] - m[4], 30, "S30", [12, 14, 8, 3, 3, 1, 1], -30 / 4),
        (m[4] - m[2], 10_000, "S10000", [4, 3, 1], -2500),
    ],
)
def test_bounds_in_very_many_variables(f, n, group, sizes, optimum):
    started = time.perf_counter()
    reduction = sos(f, n, group)
    assert time.perf_counter() - started < 20
    assert [b.size for b in reduction.blocks] == sizes
    if n <= 100:
        assert -solved(reduction.problem)[0] == pytest.approx(optimum, rel=1e-5)
    signs = {"S": 0, "B": n, "D": n - 1}[reduction._question.group]
    assert reduction.group_order == factorial(n) * 2**signs
    assert f" of order {f'2^{signs} ' if signs else ''}{n}!, " in repr(reduction)


def test_sizes_do_not_change_from_twice_the_half_degree_on():
    for group, d in (("S", 2), ("S", 3), ("B", 3), ("D", 3)):
        found = {
            n: [b.size for b in sos(m[2 * d] + m[()], n, NAMES[group].format(n)).blocks]
            for n in (2 * d + (group == "D"), 2 * d + 3, 50)
        }
        assert len(set(map(tuple, found.values()))) == 1


def test_a_symmetric_function_a_dict_and_sympy_are_one_polynomial():
    sympy = pytest.importorskip("sympy")
    x = sympy.symbols("x1:6")
    f = h[4] + 3 * m[4] - e[2] + s[1]
    expanded = f.expand(5)
    asked = [
        sos(f, 5),
        sos(f, x),
        sos(expanded, 5),
        sos(sum(c * sympy.prod(v**k for v, k in zip(x, key)) for key, c in expanded.items()), x),
        sos(f, 5, Group([[1, 2, 3, 4, 0], [1, 0, 2, 3, 4]])),
        sos(f, 5, Group("S5").rep("perm")),
    ]
    assert all(r.problem == asked[0].problem and r.group_order == 120 for r in asked)
    assert sos(f, 5, "C5").group_order == 5 and sos(f, 5, "C5").before == asked[0].before
    copy = pickle.loads(pickle.dumps(asked[0]))
    assert copy.problem == asked[0].problem and copy.blocks == asked[0].blocks
    # A second way to B_2, and a group of order 8 that is none of them: an even number of signs, and no more.
    square = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]]).rep("vector")
    assert sos(m[4] + m[2], 2, square).blocks[0].name == "([2],[])"
    twisted = Group.from_matrices([[[0, -1], [1, 0]]]).rep("vector")
    assert by_tableaux.group_of(twisted) is None and sos(m[4] + m[2], 2, twisted).group_order == 4


def test_inequalities_that_the_group_fixes():
    ball, most = 1 - p[2], 3 - m[2, 2]
    for group, n in (("S", 3), ("B", 3), ("D", 3)):
        f = m[1, 1, 1] + (m[1] if group == "S" else 0) + 2 * m[2, 2]
        if group == "B":
            f = 2 * m[2, 2] - m[2]
        elif group == "D":
            f = m[1, 1, 1] + 2 * m[2, 2]
        given = {"inequalities": [ball.expand(n), most.expand(n)], "level": 3}
        reduction = sos(f, n, NAMES[group].format(n), inequalities=[ball, most], level=3)
        listed = by_monomials.question(f.expand(n), n, **given)
        direct = reduce(listed.problem, by_monomials.on_rows(listed, by_tableaux.reflection_rep(group, n)))
        assert reduction.before == listed.problem and reduction.monomials == listed.rows
        sizes = [sorted((b.size, b.multiplicity) for b in r.blocks) for r in (reduction, direct)]
        assert sizes[0] == sizes[1] and len(reduction.exact.kept) == len(direct.kept)
        value, blocks = solved(reduction.problem)
        assert value == pytest.approx(solved(direct.problem)[0], abs=1e-5)
        assert [X.shape[0] for X in reduction.lift(blocks)] == [len(rows) for rows in listed.rows]
    # The least sum of cubes on the sphere of radius 2 in 30 variables is -8, at -2 times a unit vector.
    assert -solved(sos(p[3], 30, inequalities=[4 - p[2]]).problem)[0] == pytest.approx(-8, abs=1e-4)


def each(n, g):
    """The inequality in every variable, of {exponent: coefficient}."""
    return [{tuple(k if i == v else 0 for i in range(n)): x for k, x in g.items()} for v in range(n)]


BOX, ORTHANT = {0: 1, 2: -1}, {1: 1}


@pytest.mark.parametrize(
    "group, n, f, given, level",
    [
        ("S", 2, m[1, 1] + m[1], BOX, None),
        ("S", 3, m[4] - 3 * m[2] + m[1, 1], BOX, 2),
        ("S", 3, m[3] - 2 * m[1] + m[2, 1], ORTHANT, 2),
        ("S", 4, m[2, 2] - m[2] + m[1], BOX, 3),
        ("S", 4, m[3] - 2 * m[1], {1: 1, 2: -1, 0: Fraction(-1, 9)}, 2),
        ("B", 2, m[2, 2] - m[2], BOX, 2),
        ("B", 3, m[2, 2] - m[2], BOX, 3),
        ("B", 4, m[2, 2] - m[2] + m[2, 2, 2], BOX, 4),
    ],
)
def test_inequalities_in_each_variable(group, n, f, given, level):
    inequalities = each(n, given)
    random.Random(n).shuffle(inequalities)
    inequalities.insert(1, (5 - m[2]).expand(n))  # one that the group fixes
    reduction = sos(f, n, NAMES[group].format(n), inequalities=inequalities, level=level)
    assert isinstance(reduction._question, by_tableaux.SymmetricQuestion)
    listed = by_monomials.question(f.expand(n), n, inequalities, level)
    direct = reduce(listed.problem, by_monomials.on_rows(listed, by_tableaux.reflection_rep(group, n)))
    assert reduction.before == listed.problem and reduction.monomials == listed.rows
    sizes = [sorted((b.size, b.multiplicity) for b in r.blocks) for r in (reduction, direct)]
    assert sizes[0] == sizes[1] and len(reduction.exact.kept) == len(direct.kept)
    assert reduction.variables_before == direct.variables_before
    assert reduction.variables_after == direct.variables_after
    value, blocks = solved(reduction.problem)
    assert value == pytest.approx(solved(direct.problem)[0], abs=1e-5)
    left = Counter()
    for g, rows, X in zip(listed.multipliers, listed.rows, reduction.lift(blocks), strict=True):
        assert np.linalg.eigvalsh(X)[0] > -1e-6
        for i, a in enumerate(rows):
            for j, b in enumerate(rows):
                for c, x in g.items():
                    left[by_monomials.product(by_monomials.product(a, b), c)] += float(x) * X[i, j]
    polynomial = f.expand(n)
    assert left.pop((0,) * n) == pytest.approx(value, abs=1e-6)
    assert max(abs(x - polynomial.get(key, 0)) for key, x in left.items()) < 1e-6


def test_bounds_on_boxes_of_many_variables():
    # At vertices of the box, half of them 1: 30 - 90 - 15.
    found = sos(m[4] - 3 * m[2] + m[1, 1], 30, inequalities=each(30, BOX), level=2)
    assert found.variables_before == 138136 and found.variables_after == 24
    assert -solved(found.problem)[0] == pytest.approx(-75, abs=1e-5)
    # x^3 - 2 x is least at sqrt(2/3), where x >= 0.
    cubes = sos(m[3] - 2 * m[1], 30, inequalities=each(30, ORTHANT), level=2)
    assert -solved(cubes.problem)[0] == pytest.approx(-30 * 4 / 3 * np.sqrt(2 / 3), abs=1e-5)


def test_inequalities_in_each_variable_that_another_group_exchanges():
    boxes = each(3, BOX)
    with pytest.raises(DomainError, match="takes inequality 1"):
        sos(m[4], 3, "S3", inequalities=boxes[:2])
    by_signs = sos(m[2, 2] - m[1, 1, 1], 3, "W(D3)", inequalities=boxes, level=2)  # goes the way of monomials
    assert by_signs.group_order == 24 and not isinstance(by_signs._question, by_tableaux.SymmetricQuestion)
    with pytest.raises(DomainError, match="takes inequality 2"):
        sos(m[4], 3, "B3", inequalities=each(3, ORTHANT))
    found = sos(m[4] + m[2], 3, inequalities=each(3, ORTHANT))  # no sign is changed
    assert found.group_order == 6 and isinstance(found._question, by_tableaux.SymmetricQuestion)


# --- Certificates -----------------------------------------------------------------------------------------------------


def checked(certificate, path):
    """Written, read, and verified by both."""
    certificate.save(path)
    found = Certificate.load(path)
    assert found == certificate and found.verify() is True
    status, said = reading.verdict(str(path), check_bound.check, 60)
    assert status == 0 and said.startswith("accepted: the "), said
    return found


@pytest.mark.parametrize(
    "f, n, group, inequalities, bound",
    [
        (p[4] - 2 * p[2] + p[1] ** 2, 30, "S30", [], -30),
        (p[4] - 2 * p[2] + p[1] ** 2, 100, None, [], -100),
        (m[4] + m[3] - m[1], 40, None, [], None),
        (m[6] - m[2] + m[2, 2, 2] / 30, 12, "B12", [], None),
        (m[1] ** 2 + m[4], 20, "S20", [], 0),
        (p[3], 30, None, [4 - p[2]], -8),
        (m[4] - 3 * m[2] + m[1, 1], 30, None, each(30, BOX), -75),
        (m[2, 2] - m[2], 100, "B100", each(100, BOX), Fraction(-9, 8)),
        (m[3] - 2 * m[1], 20, None, [*each(20, ORTHANT), 400 - p[2]], None),
    ],
)
def test_certificates_by_tableaux(f, n, group, inequalities, bound, tmp_path):
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    reduction = sos(f, n, group, inequalities=inequalities)
    certificate = checked(reduction.certificate(), tmp_path / "bound.json")
    assert certificate.kind == "symmetric sum of squares" and certificate.data["variables"] == n
    if bound is not None:
        assert certificate.bound == bound
    for k, block in enumerate(certificate.data["blocks"]):
        if any(block.get("powers", [])):  # other powers of the first variable are another polynomial
            blocks = [*certificate.data["blocks"]]
            blocks[k] = {**block, "powers": [x + 2 for x in block["powers"]]}
            with pytest.raises(intertwine.VerificationError, match="differs from the polynomial"):
                Certificate({**certificate.data, "blocks": blocks}).verify()
    assert repr(certificate) == f"<Certificate of a symmetric sum of squares, {certificate.bound}>"


@pytest.mark.parametrize(
    "f, n, group",
    [
        (m[4] - m[2] + m[1], 4, "S4"),
        (m[4] + m[2, 1] / 2 - m[2], 5, "S5"),
        (m[6] - m[2] + m[2, 2, 2], 3, "B3"),
        (m[6] - m[2] + 2 * m[1, 1, 1, 1], 4, "W(D4)"),
        (m[6] + m[3, 1, 1, 1] / 4 - m[2], 4, "W(D4)"),
        (m[2] - m[1, 1], 2, "W(D2)"),
    ],
)
def test_certificates_by_tableaux_and_by_monomials(f, n, group, tmp_path, monkeypatch):
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    listed = checked(sos(f, n, group).certificate(), tmp_path / "listed.json")
    assert listed.kind == "sum of squares"
    monkeypatch.setattr(by_tableaux, "MOST_LISTED", 0)
    short = checked(sos(f, n, group).certificate(), tmp_path / "short.json")
    assert short.kind == "symmetric sum of squares" and short.bound == listed.bound
    # Another sign of a block of equal shapes is another polynomial.
    for k, block in enumerate(short.data["blocks"]):
        if block["sign"]:
            blocks = [{**b, "sign": -b["sign"]} if j == k else b for j, b in enumerate(short.data["blocks"])]
            with pytest.raises(intertwine.VerificationError, match="differs from the polynomial"):
                Certificate({**short.data, "blocks": blocks}).verify()


def test_means_of_products_are_those_of_polynomials():
    """What determinants count is the product of two sums over rows and columns, written out by the checker."""
    for shape in [(4,), (3, 1), (2, 2), (2, 1, 1), (5, 2), (4, 2, 1), (3, 3)]:
        n, tableaux = sum(shape), Tableaux(shape)
        rows = fillings(shape, range(5), 4)
        columns = [sum(row > c for row in shape) for c in range(shape[1] if len(shape) > 1 else 0)]
        for A in rows:
            for B in rows:
                counted = Counter()
                for pairs, x in tableaux.counts(A, B).items():
                    counted[tuple(sorted((a + b for a, b in pairs), reverse=True))] += x
                f, g = (check_bound.tableau_polynomial(shape, 0, T.rows) for T in (A, B))
                sums = check_bound.summed_product(shape, f, g)
                scale = prod(map(factorial, columns))
                assert {k: x * scale for k, x in counted.items() if x} == {k: x for k, x in sums.items() if x}, n


# --- Bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: sos({(2, 0): 1, (0, 2): 2}, 2, "S2"), r"the exchange of x1 and x2 takes the exponents \(2, 0\)"),
        (lambda: sos({(2, 0, 0): 1, (0, 2, 0): 1}, 3, "S3"), r"exchange of x2 and x3 takes .* whose coefficient is 0"),
        (lambda: sos(m[4] + m[2, 1], 3, "B3"), r"the term 1\*x1\^2\*x2, which changes its sign with x2"),
        (lambda: sos(m[4] + 5 * m[1, 1], 9, "W(D9)"), r"the term 5\*x1\*x2, which changes its sign with x1 and x3"),
        (lambda: sos(m[3] + m[1], 40), "the polynomial has degree 3, and sums of squares have an even one"),
        (lambda: sos(m[()], 40), "degree 0"),
        (lambda: sos(m[4], 4, "S5"), "the group acts on 5 variables, and the polynomial has 4"),
        (lambda: sos(m[2, 1, 1], 2), "degree 0"),  # of two variables there is none
        (lambda: sos(m[4], 0), "at least one variable"),
        (lambda: sos(m[4] - m[3, 3], 5), "degree 6|no product|there is no sum of squares"),
        (lambda: sos(m[4], 30, inequalities=[m[()]]), r"inequality 0 \(from 0\) is a constant"),
        (lambda: sos(m[4], 30, inequalities=m[2]), "inequalities= is a list"),
        (lambda: sos(m[4], 30, level=1), "level=1 is too small"),
        (lambda: sos(m[4], 2.5), "a list of symbols or their number, not 2.5"),
    ],
)
def test_what_is_no_question_about_symmetric_polynomials(make, said):
    with pytest.raises(DomainError, match=said):
        make()


def test_what_is_too_large_is_refused():
    reduction = sos(m[4] - m[2], 1000)
    with pytest.raises(LimitError, match="monomials"):
        reduction.before  # noqa: B018
    with pytest.raises(LimitError, match="monomials"):
        reduction.lift([np.eye(b.size) for b in reduction.blocks])
    with pytest.raises(LimitError, match="terms in 200 variables"):
        sos(m[4] - m[2], 200, "C200")
    with pytest.raises(LimitError, match="1000000000 variables"):
        sos(m[4], 10**9)
    with pytest.raises(LimitError, match=r"multiplicity \d+, and blocks have less than 2\^64"):
        sos(m[8], 10**6).blocks  # noqa: B018
    with pytest.raises(LimitError, match="of degree 40"):
        sos(m[40] - m[2], 50)
    with pytest.raises(LimitError):
        sos(m[20] - m[2], 50, seconds=0.02)
