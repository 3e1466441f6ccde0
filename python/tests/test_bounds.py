"""Exact bounds: certificates of semidefinite programs and of polynomials, their files, and what must not be believed."""

import copy
import json
import pickle
import random
import runpy
import sys
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, Group, LimitError, VerificationError, limits
from intertwine._certificates import _dominant, indefinite
from intertwine._sums_of_squares import half_newton_polytope, monomials, separating
from intertwine.sdp import Certificate, Problem, npa, reduce, sos, theta
from intertwine.sf import m

sys.path.insert(0, str(ROOT / "checkers"))
import check_bound  # noqa: E402
import reading  # noqa: E402

PENTAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
PAIRS = list(combinations(range(5), 2))
PETERSEN = [(a, b) for a, b in combinations(range(10), 2) if not set(PAIRS[a]) & set(PAIRS[b])]
# Robinson's form at z = 1 [Gatermann & Parrilo 2004].
ROBINSON = {
    **{(6, 0): 1, (0, 6): 1, (4, 2): -1, (2, 4): -1, (4, 0): -1, (0, 4): -1},
    **{(2, 0): -1, (0, 2): -1, (2, 2): 3, (0, 0): 1},
}
SQUARE = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])
DISK = {(0, 0): 1, (2, 0): -1, (0, 2): -1}


@pytest.fixture(autouse=True, scope="module")
def cvxpy():
    return pytest.importorskip("cvxpy", reason="cvxpy is not installed")


def verdict(path):
    """0 accepted, 1 refused, 2 not read: by the checker that shares nothing with the package."""
    return reading.verdict(str(path), check_bound.check, 60)


def checked(certificate, path):
    """Written, read, and verified by both."""
    certificate.save(path)
    found = Certificate.load(path)
    assert found == certificate and hash(found) == hash(certificate) and found.verify() is True
    status, said = verdict(path)
    assert status == 0 and said.startswith("accepted: the "), said
    return found


# --- Programs ---------------------------------------------------------------------------------------------------------


def test_theta_of_known_graphs_is_bounded_exactly(tmp_path):
    """4 for Petersen's graph and the square root of 5 for the pentagon [Lovász 1979]."""
    certificate = checked(theta(PETERSEN).certificate(), tmp_path / "petersen.json")
    assert certificate.bound == -4 and certificate.kind == "lower bound"
    assert repr(certificate) == "<Certificate of a lower bound, -4>"
    bound = -checked(theta(PENTAGON).certificate(), tmp_path / "pentagon.json").bound
    assert bound**2 > 5 and float(bound) == pytest.approx(5**0.5, abs=1e-6)
    assert pickle.loads(pickle.dumps(certificate)) == copy.copy(certificate) == certificate


def words(n, close):
    """The adjacency matrix of the words of length n, joined where their distance is one of `close`."""
    distance = np.array([[(a ^ b).bit_count() for b in range(2**n)] for a in range(2**n)])
    return np.isin(distance, close).astype(int)


def test_theta_and_its_variants_differ_on_schrijvers_graph(tmp_path):
    """Words of length 6 joined up to distance 3: theta is 16/3, and theta' is 4 [Schrijver 1979]. The product of theta' and
    of theta+ of the complement is the number of vertices, for the graph is vertex-transitive [Szegedy 1994]."""
    near, far = words(6, [1, 2, 3]), words(6, [4, 5, 6])
    for graph, variant, optimum in [
        (near, "lovasz", Fraction(16, 3)),
        (near, "schrijver", 4),
        (near, "szegedy", Fraction(16, 3)),
        (far, "szegedy", 16),
    ]:
        reduction = theta(graph, variant=variant)
        assert reduction.group_order == 46080
        assert -checked(reduction.certificate(), tmp_path / "words.json").bound == optimum


def test_theta_of_kneser_graphs():
    """Binomial(n - 1, k - 1) for sets of k of n points that are joined where they are disjoint [Lovász 1979]."""
    for n, k, optimum in [(6, 2, 5), (7, 3, 15)]:
        sets = list(combinations(range(n), k))
        graph = np.array([[int(not set(a) & set(b)) for b in sets] for a in sets])
        assert theta(graph, f"S{n}", f"subsets({k})").certificate().bound == -optimum
        assert theta(graph, f"S{n}", f"subsets({k})", "schrijver").certificate().bound == -optimum


def test_what_variants_of_theta_refuse():
    with pytest.raises(DomainError, match="variant='delsarte' is none of lovasz, schrijver, szegedy"):
        theta(PENTAGON, variant="delsarte")
    with pytest.raises(DomainError, match="takes an edge to a pair that is none"):
        theta(PENTAGON, "S5", variant="schrijver")
    with pytest.raises(DomainError, match="acts on 4 vertices, and the graph has 5"):
        theta(PENTAGON, "S4", variant="szegedy")
    with pytest.raises(DomainError, match="permutes the vertices"):
        theta(PENTAGON, "S5", "sign*perm", variant="szegedy")
    assert theta(np.zeros((3, 3), dtype=int), variant="szegedy").certificate().bound == -3  # no pair has a sign


def test_multipliers_may_be_given():
    triangle = theta([(0, 1), (1, 2), (2, 0)])
    assert triangle.rows.dimension == 3 and triangle.rows.group.order == 6
    assert triangle.certificate([-1, -1]).bound == -1 and triangle.certificate(y=[-1, -1]).verify()
    with pytest.raises(DomainError, match="these multipliers prove no bound, .* not positive semidefinite"):
        triangle.certificate([Fraction(-99, 100), -1])
    for y, said in [
        ([1], "1 multipliers, and the reduced problem has 2"),
        (3, "a list of numbers"),
        ("ab", "no rational"),
    ]:
        with pytest.raises(DomainError, match=said):
            triangle.certificate(y)


def test_lifted_multipliers_give_the_mean_of_the_matrix():
    """Of signed groups and of constraints that the group takes to multiples of others."""
    reduction = reduce(Problem.read(ROOT / "examples" / "sdp" / "petersen.dat-s"))
    y = [Fraction(-4), Fraction(2, 3)]
    lifted = reduction.lift_dual(y)
    assert len(lifted) == 16 and set(lifted[1:]) == {Fraction(2, 45)} and lifted[0] == -4
    A = [[[0, 2], [2, 0]], [[0, 0], [0, 1]]]
    signed = reduce(Problem(np.eye(2), [A[0], np.eye(2)], [0, 1]), Group.from_matrices([[[1, 0], [0, -1]]]), "vector")
    assert len(signed.kept) == 1 and signed.lift_dual([3]) == [0, 3]
    scaled = reduce(Problem(np.eye(2), [[[2, 0], [0, 0]], [[0, 0], [0, 1]]], [2, 1]), "S2")
    assert len(scaled.kept) == 1
    assert scaled.lift_dual([3]) == ([Fraction(3, 2), 3] if scaled.kept == [0] else [Fraction(3, 4), Fraction(3, 2)])
    assert scaled.certificate().bound == 2


def test_bounds_of_random_programs_are_just_below_their_optimum(tmp_path):
    rng = random.Random(3)
    for trial in range(6):
        n = rng.randint(2, 4)
        C = [[rng.randint(-4, 4) for _ in range(n)] for _ in range(n)]
        C = [[C[i][j] + C[j][i] for j in range(n)] for i in range(n)]
        A = [np.eye(n, dtype=int), np.diag([rng.randint(0, 3) for _ in range(n)])]
        problem = Problem(C, A, [n, int(np.trace(A[1]))])
        certificate = checked(reduce(problem).certificate(), tmp_path / f"{trial}.json")
        value = problem.to_cvxpy().solve(solver="CLARABEL")
        assert value - 1e-3 * max(1, abs(value)) < float(certificate.bound) < value + 1e-6 * max(1, abs(value))


def test_problems_of_cvxpy_have_certificates(cvxpy):
    X = cvxpy.Variable((5, 5), PSD=True)
    given = cvxpy.Problem(cvxpy.Maximize(cvxpy.sum(X)), [cvxpy.trace(X) == 1, *(X[i, j] == 0 for i, j in PENTAGON)])
    certificate = reduce(given).certificate()
    assert certificate.verify() and -float(certificate.bound) == pytest.approx(5**0.5, abs=1e-6)


def test_what_has_no_bound_is_said(cvxpy):
    unbounded = reduce(Problem([[-1, 0], [0, -2]], [[[1, 0], [0, -1]]], [0]))
    with pytest.raises(DomainError, match="the solver says of the dual problem: infeasible"):
        unbounded.certificate()


# --- Sums of squares --------------------------------------------------------------------------------------------------


def test_robinsons_polynomial_has_its_bound_exactly(tmp_path):
    """-3825/4096 [Gatermann & Parrilo 2004], as a sum of squares with rational coefficients."""
    reduction = sos(ROBINSON, 2, SQUARE.rep("vector"))
    assert checked(reduction.certificate(), tmp_path / "robinson.json").bound == Fraction(-3825, 4096)
    assert checked(reduction.certificate(bound="-0.95"), tmp_path / "less.json").bound == Fraction(-19, 20)
    with pytest.raises(DomainError, match="finds no sum of squares|no rational sum of squares|infeasible"):
        reduction.certificate(bound=Fraction(-3824, 4096) + Fraction(1, 100))


def test_sums_of_squares_of_known_minima(tmp_path):
    """Exact where the kernel is rational, and just below where it is not: x^4 - x at x = 4^(-1/3)."""
    known = [
        (sos({(2,): 1, (1,): -2}, 1), -1),
        (sos({(4,): 1, (3,): -4, (2,): 4}, 1), 0),
        (sos({(4, 0): 1, (0, 4): 1, (1, 1): -4}, 2, "S2"), -2),
        (sos({(1, 1): 1}, 2, "S2", inequalities=[DISK]), Fraction(-1, 2)),
    ]
    for k, (reduction, bound) in enumerate(known):
        assert checked(reduction.certificate(), tmp_path / f"{k}.json").bound == bound
    least = -3 / 4 * 4 ** (-1 / 3)
    bound = checked(sos({(4,): 1, (1,): -1}, 1).certificate(), tmp_path / "quartic.json").bound
    assert least - 1e-6 < float(bound) <= least


def test_forms_are_certified_without_a_bound(tmp_path):
    sympy = pytest.importorskip("sympy")
    x, y, z = sympy.symbols("x y z")
    means = sos(x**6 + y**6 + z**6 - 3 * x**2 * y**2 * z**2, [x, y, z], "S3")
    certificate = checked(means.certificate(), tmp_path / "means.json")
    assert certificate.bound is None and certificate.data["variables"] == ["x", "y", "z"]
    assert repr(certificate) == "<Certificate of a sum of squares>"
    with pytest.raises(DomainError, match="a form has no bound but 0"):
        means.certificate(bound=0)
    # Nonnegative and no sum of squares [Motzkin 1967].
    motzkin = sos(x**4 * y**2 + x**2 * y**4 + z**6 - 3 * x**2 * y**2 * z**2, [x, y, z])
    with pytest.raises(DomainError, match="finds no sum of squares"):
        motzkin.certificate()


def test_solutions_may_be_given():
    parabola = sos({(2,): 1, (1,): -2}, 1)
    assert parabola.certificate([[[1, -1], [-1, 1]]]).bound == -1
    assert parabola.certificate(values=[np.array([[2, -1], [-1, 1]])]).bound == -2
    with pytest.raises(DomainError, match="no rational Gram matrix near these values"):
        parabola.certificate([[[0.5, -1], [-1, 1]]])
    with pytest.raises(DomainError, match="lift takes one array"):
        parabola.certificate([])
    with pytest.raises(DomainError, match="bound is x, which is no rational number"):
        parabola.certificate(bound="x")


def test_random_sums_of_squares_are_certified(tmp_path):
    """(Σ c m)^2 + ... - 1 of three variables is at least -1, and has a bound that is."""
    rng = random.Random(11)
    for trial in range(4):
        p = {}
        for _ in range(4):
            square = {a: rng.randint(-3, 3) for a in monomials(2, range(3))}
            for a, x in square.items():
                for b, y in square.items():
                    key = tuple(map(sum, zip(a, b)))
                    p[key] = p.get(key, 0) + x * y
        p[0, 0] -= 1
        assert checked(sos(p, 2).certificate(), tmp_path / f"{trial}.json").bound >= Fraction(-1000001, 1000000)


# --- Inequalities -----------------------------------------------------------------------------------------------------


def test_lasserres_quadratic_problem(tmp_path):
    """-3 at the first level, and the minimum -2 at the second [Lasserre 2001, example 5]."""
    sympy = pytest.importorskip("sympy")
    x, y = sympy.symbols("x y")
    p = -((x - 1) ** 2) - (x - y) ** 2 - (y - 3) ** 2
    inequalities = [1 - (x - 1) ** 2, 1 - (x - y) ** 2, 1 - (y - 3) ** 2]
    for level, bound in [(1, -3), (2, -2)]:
        certificate = checked(sos(p, [x, y], inequalities=inequalities, level=level).certificate(), tmp_path / "l.json")
        assert float(certificate.bound) == pytest.approx(bound, abs=1e-5) and certificate.bound <= bound
        assert len(certificate.data["inequalities"]) == 3


def test_groups_permute_inequalities(tmp_path):
    """-Σ x_i^2 on the cube |x_i| <= 1 has the minimum -n; the group of the cube has one orbit of inequalities."""
    n = 3
    p = {tuple(2 * (i == k) for k in range(n)): -1 for i in range(n)}
    cube = [{(0,) * n: 1, tuple(2 * (i == k) for k in range(n)): -1} for i in range(n)]
    reduction = sos(p, n, "B3", "vector", inequalities=cube, level=2)
    assert reduction.group_order == 48 and reduction.variables_after < reduction.variables_before / 4
    assert [len(rows) for rows in reduction.monomials] == [10, 4, 4, 4] and reduction.before.blocks == [10, 4, 4, 4]
    assert checked(reduction.certificate(), tmp_path / "cube.json").bound == -3
    assert [x.shape for x in reduction.lift([np.eye(b.size) for b in reduction.blocks])] == [(10, 10)] + 3 * [(4, 4)]
    with pytest.raises(DomainError, match=r"generator \d of the group, .*, takes inequality 0 \(from 0\) to none"):
        sos(p, n, "S3", inequalities=[cube[2]])
    # the same bound without a group, and with one that is found
    assert sos(p, n, "C1", "3*trivial", inequalities=cube).certificate().bound == -3
    assert sos(p, n, inequalities=cube).group_order >= 6


@pytest.mark.parametrize(
    "make, said",
    [
        (
            lambda: sos({(3,): 1}, 1, inequalities=[{(1,): 1}], level=1),
            "level=1 is too small: .* degrees up to 3; 2 is",
        ),
        (lambda: sos({(2,): 1}, 1, level=0), "level=0 is too small"),
        (lambda: sos({(2,): 1}, 1, level=1.5), "level=1.5 is no whole number"),
        (lambda: sos({(2,): 1}, 1, inequalities={(1,): 1}), "a list of polynomials"),
        (lambda: sos({(2,): 1}, 1, inequalities=[{(0,): 1}]), "inequality 0 .* is a constant"),
        (lambda: sos({(2,): 1}, 1, inequalities=[{(0, 1): 1}]), r"\(0, 1\) is no list of 1 exponents"),
        (
            lambda: sos({(2, 0): 1, (0, 2): 1, (1, 1): 2}, 2, "D3", "vector"),
            "generator 1 .* does not fix the polynomial",
        ),
        (lambda: sos({(1, 1): 1, (2, 2): 1, (0, 4): -1, (5, 1): 1}, 2), "there is no sum of squares"),
    ],
)
def test_what_is_no_question_with_inequalities(make, said):
    with pytest.raises(DomainError, match=said):
        make()


# --- Monomials --------------------------------------------------------------------------------------------------------


def test_motzkins_polynomial_needs_four_monomials():
    """x^2 y, x y^2, x y and 1 [Reznick 1978]; λ is free, and its constant 1 is there anyway."""
    motzkin = sos({(4, 2): 1, (2, 4): 1, (2, 2): -3, (0, 0): 1}, 2)
    assert sorted(motzkin.monomials[0]) == [(0, 0), (1, 1), (1, 2), (2, 1)]


def test_points_outside_of_a_hull_are_separated_exactly():
    """Beside SciPy's linear programs, on random points."""
    optimize = pytest.importorskip("scipy.optimize")
    rng = random.Random(5)
    inside = 0
    for _ in range(200):
        n = rng.randint(1, 4)
        points = list({tuple(rng.randint(0, 6) for _ in range(n)) for _ in range(rng.randint(1, 7))})
        target = tuple(rng.randint(0, 6) for _ in range(n))
        w = separating(points, target)
        equations = np.vstack([np.array(points, dtype=float).T, np.ones(len(points))])
        asked = optimize.linprog(np.zeros(len(points)), A_eq=equations, b_eq=[*target, 1], bounds=(0, None))
        assert (w is None) == (asked.status == 0)
        inside += w is None
        if w is not None:
            assert np.dot(w, target) > max(np.dot(w, s) for s in points)
    assert 10 < inside < 190
    for _ in range(60):  # beside linear programs, for every monomial: what is known from simplices is in the hull
        n = rng.randint(1, 3)
        points = {tuple(2 * rng.randint(0, 3) for _ in range(n)) for _ in range(4)}
        points |= {tuple(6 * (i == k) for k in range(n)) for i in range(rng.randint(0, n))}
        candidates = monomials(n, range(5))
        slowly = [a for a in candidates if separating(sorted(points), tuple(2 * x for x in a)) is None]
        assert half_newton_polytope(points, candidates) == slowly
    assert half_newton_polytope({(4,), (0,)}, [(0,), (1,), (2,), (3,)]) == [(0,), (1,), (2,)]


# --- Exact checks -----------------------------------------------------------------------------------------------------


def test_semidefiniteness_is_decided_as_by_eigenvalues():
    """By the package, by the checker, and by doubles, on Gram matrices of low rank and what is near them."""
    rng = np.random.default_rng(2)
    verdicts = set()
    for _ in range(300):
        n = int(rng.integers(1, 6))
        V = rng.integers(-2, 3, size=(n, int(rng.integers(1, n + 1))))
        M = V @ V.T
        if rng.random() < 0.5:
            i = int(rng.integers(n))
            M[i, i] -= 1
        upper = {(i, j): Fraction(int(M[i, j]), 3) for i in range(n) for j in range(i, n) if M[i, j]}
        good = np.linalg.eigvalsh(M).min() > -1e-9
        assert (indefinite(upper, n) is None) == good
        try:
            check_bound.square_root_free(check_bound.full(upper), "M")
            assert good
        except reading.Refused:
            assert not good
        verdicts.add(good)
    assert verdicts == {True, False}


def test_large_matrices_are_decided_without_growing_numbers():
    """By a congruent matrix that is diagonally dominant where there is one, and by elimination otherwise."""
    rng = np.random.default_rng(4)
    n = 26
    V = rng.integers(-3, 4, size=(n, n + 10))
    for M, definite, semidefinite in [
        (V @ V.T, True, True),
        (V[:, :20] @ V[:, :20].T, False, True),
        (V @ V.T - 60 * np.eye(n, dtype=int), False, False),
        (np.zeros((n, n), dtype=int), False, True),
    ]:
        assert (np.linalg.eigvalsh(M)[0] > 1e-6) == definite
        assert _dominant(M.astype(object)) == definite
        upper = {(i, j): Fraction(int(M[i, j]), 7) for i in range(n) for j in range(i, n) if M[i, j]}
        assert (indefinite(upper, n) is None) == semidefinite
    worse = (V @ V.T).astype(object)
    worse[0, 0] -= 10**6
    assert not _dominant(worse)


def test_loops_in_python_heed_limits():
    terms = {tuple(8 * (i == k) for k in range(6)): 1 for i in range(6)} | {(0,) * 6: 1}
    with pytest.raises(LimitError):
        sos(terms, 6, seconds=1e-3)
    with pytest.raises(LimitError):
        npa({"A0 B0": 1, "A1 B1": 1, "A2 B2": 1}, 4, seconds=1e-3)
    certificate = theta(PENTAGON).certificate()
    with limits(seconds=1e-9), pytest.raises(LimitError):
        certificate.verify()
    with limits(seconds=1e-9), pytest.raises(LimitError):
        Problem(np.eye(40), [np.eye(40)], [1])


def leaves(value, path=()):
    if isinstance(value, (list, dict)):
        for k, x in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(x, (*path, k))
    else:
        yield path, value


def changed(data, path, value):
    data = copy.deepcopy(data)
    at = data
    for k in path[:-1]:
        at = at[k]
    at[path[-1]] = value
    return data


def both(data, path):
    """The verdicts on a file: of the package (True, or the class of its refusal) and of the checker."""
    path.write_text(json.dumps(data))
    try:
        mine = 0 if Certificate.load(path).verify() else 1
    except VerificationError:
        mine = 1
    except FileError:
        mine = 2
    return mine, verdict(path)[0]


def is_true(program):
    """In doubles: the multipliers have the bound, and C - Σ y A no eigenvalue below 0."""
    n = sum(map(abs, program["blocks"]))
    total, S = 0.0, np.zeros((n, n))
    y = [float(Fraction(x)) for x in program["y"]]
    for factor, matrix in [(1.0, program["C"]), *((-x, A) for x, A in zip(y, program["A"]))]:
        for i, j, x in matrix:
            S[i, j] += factor * float(Fraction(x))
            S[j, i] = S[i, j]
    total = sum(x * float(Fraction(b)) for x, b in zip(y, program["b"]))
    return abs(total - float(Fraction(program["bound"]))) < 1e-12 and np.linalg.eigvalsh(S).min() > -1e-12


@pytest.mark.parametrize("kind", ["program", "polynomial", "inequality", "words", "symmetric", "each variable"])
def test_no_mutant_is_believed(kind, tmp_path):
    """Every leaf is changed: package and checker refuse together, but for names of variables and for true changes."""
    certificate = {
        "program": lambda: theta(PENTAGON).certificate(),
        "polynomial": lambda: sos({(4, 0): 1, (0, 4): 1, (1, 1): -4}, 2, "S2").certificate(),
        "inequality": lambda: sos({(1, 1): 1}, 2, "S2", inequalities=[DISK]).certificate(),
        "symmetric": lambda: sos(m[4] - m[2] + m[1, 1], 15, inequalities=[2 - m[2]]).certificate(),
        "each variable": lambda: sos(
            m[3] - 2 * m[1], 20, inequalities=[{(0,) * v + (1,) + (0,) * (19 - v): 1} for v in range(20)], level=2
        ).certificate(),
        "words": lambda: npa({"A0 B0": 1, "A1 B0": 1, "A0 B1": 1, "A1 B1": -1}).certificate(),
    }[kind]()
    data, path = certificate.data, tmp_path / "mutant.json"
    assert both(data, path) == (0, 0)
    refused = 0
    for at, x in leaves(data):
        for value in (None, 0, -1, 99, "0", "1/0", "x", "-1", "22/7", [], True, 1.5):
            if value == x and type(value) is type(x):
                continue
            mine, other = both(changed(data, at, value), path)
            if at[0] == "variables" and isinstance(value, str):
                continue
            assert (mine == 0) == (other == 0), (at, value, mine, other)
            refused += mine != 0
            if mine == 0 and str(value) != str(x) and at[0] != "operators":  # more parties commute: it is true as well
                assert kind == "program" and is_true(changed(data, at, value)), (at, value)
    assert refused > 100
    # The bound itself: any other one is refused, for the identity is exact.
    for delta in (Fraction(1, 10**9), Fraction(-1, 10**9)):
        assert both(changed(data, ("bound",), str(certificate.bound + delta)), path) == (1, 1)


def test_other_members_and_other_files_are_refused(tmp_path):
    data, path = theta(PENTAGON).certificate().data, tmp_path / "f.json"
    for wrong in [
        {**data, "more": 1},
        {k: v for k, v in data.items() if k != "y"},
        {**data, "kind": "sum of squares"},
        {**data, "kind": ["lower bound"]},
        {**data, "version": 2},
        [],
        7,
    ]:
        assert both(wrong, path) == (2, 2)
    for wrong in [
        {**data, "blocks": [4]},
        {**data, "blocks": [0, 5]},
        {**data, "blocks": [-5]},
        {**data, "y": data["y"][:-1]},
        {**data, "C": [*data["C"], data["C"][0]]},
    ]:
        mine, other = both(wrong, path)
        assert mine in (1, 2) and other in (1, 2)
    path.write_text("{")
    with pytest.raises(FileError, match="is no JSON"):
        Certificate.load(path)
    with pytest.raises(FileError, match="cannot be read: No such file"):
        Certificate.load(tmp_path / "missing.json")
    with pytest.raises(FileError, match="no certificate of a bound: its format"):
        path.write_text("{}")
        Certificate.load(path)


def test_the_example_runs(capsys):
    runpy.run_path(str(ROOT / "examples" / "sdp" / "certificates.py"), run_name="__main__")
    assert "a group of order 120 fixes the problem" in capsys.readouterr().out
    for name in ("robinson", "particles"):
        assert verdict(ROOT / "examples" / "sdp" / f"{name}.json")[0] == 0
