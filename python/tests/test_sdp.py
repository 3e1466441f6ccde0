"""Semidefinite programs reduced by their symmetry: the same optimum before and after, and refusals in one sentence."""

import copy
import pickle
import random
import re
import warnings
from fractions import Fraction

import intertwine
import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, Group, LimitError, Matrix
from intertwine.sdp import Certificate, CvxpyReduction, Problem, ReducedBlock, Reduction, reduce, sos, theta

EYE2, SWAPPED = [[1, 0], [0, 1]], [[2, 1], [1, 2]]
PENTAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]


def small():
    return Problem(SWAPPED, [EYE2], [1])


def optimum(problem):
    """By a solver of semidefinite programs; the problem has an optimum."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy() if isinstance(problem, Problem) else problem
    value = asked.solve(solver="CLARABEL")
    assert asked.status == "optimal"
    return value


def solved_blocks(problem):
    """The optimum and the solution, block by block."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy()
    value = optimum(asked)
    return value, [v.value for v in sorted(asked.variables(), key=lambda v: v.id)]


# --- Problems ----------------------------------------------------------------------------------------------------------------


def test_matrices_of_every_kind_are_one_problem():
    scipy = pytest.importorskip("scipy.sparse")
    sympy = pytest.importorskip("sympy")
    C = [[0.5, 1], [1, 0]]
    exact = Problem(C=[[Fraction(1, 2), 1], [1, 0]], A=[EYE2], b=[1])
    for matrix in (
        C,
        np.array(C),
        np.array(C, dtype=np.float32),
        scipy.coo_array(np.array(C)),
        scipy.csr_matrix(np.array(C)),
        Matrix([["1/2", 1], [1, 0]]),
        sympy.Matrix([[sympy.Rational(1, 2), 1], [1, 0]]),
        [["1/2", 1], [1, 0]],
    ):
        assert Problem(matrix, [np.eye(2, dtype=bool)], np.array([1])) == exact
    assert exact.C == Matrix([["1/2", 1], [1, 0]]) and exact.A == [Matrix.identity(2)] and exact.b == [1]
    assert (exact.rows, exact.variables, exact.blocks) == (2, 3, [2])
    assert exact != small() and "2 rows, 3 variables, 1 constraint>" in repr(exact)


def test_a_float_is_the_decimal_that_it_prints():
    problem = Problem([[0.1]], [np.array([[np.float32(0.1)]])], [0.3])
    assert problem.C[0, 0] == problem.A[0][0, 0] == Fraction(1, 10) and problem.b == [Fraction(3, 10)]
    big = 2**60 + 1
    assert Problem([[big, 0.5], [0.5, 0]], [], []).C[0, 0] == big


def test_values():
    problem, reduction = small(), reduce(small())
    for value in (problem, Problem(np.diag([1, 2, 3]), [], [], blocks=[1, -2]), *reduction.blocks):
        assert pickle.loads(pickle.dumps(value)) == value == copy.copy(value) == copy.deepcopy(value)
        assert hash(copy.copy(value)) == hash(pickle.loads(pickle.dumps(value)))
    assert copy.copy(reduction).problem == copy.deepcopy(reduction).problem == reduction.problem
    assert reduction.before == problem and reduction.kept == [0]
    assert "order 2, 3 variables become 2" in repr(reduction) and "irrep" in str(reduction)
    assert isinstance(reduction, Reduction) and isinstance(reduction.blocks[0], ReducedBlock)
    block = reduction.blocks[0]
    assert (block.size, block.type, block.multiplicity) == (1, "real", 1) and block.name in repr(block) + block.name


def test_files(tmp_path):
    example = Problem.read(ROOT / "examples" / "sdp" / "petersen.dat-s")
    example.write(tmp_path / "again.dat-s")
    assert Problem.read(str(tmp_path / "again.dat-s"), seconds=60) == example and example.rows == 10
    networkx = pytest.importorskip("networkx")
    assert example.variables == theta(networkx.petersen_graph()).variables_before == 55
    assert example.symmetries(seconds=60).group.order == 120
    # matrix 0 of the file is -C
    small().write(tmp_path / "small.dat-s")
    assert "\n0 1 1 1 -2\n" in (tmp_path / "small.dat-s").read_text()
    # the reduced problem is what its file has
    reduced = reduce(example).problem
    reduced.write(tmp_path / "reduced.dat-s")
    assert Problem.read(tmp_path / "reduced.dat-s") == reduced


# --- Known optima ------------------------------------------------------------------------------------------------------------


def test_theta_of_the_pentagon():
    """The square root of 5 [Lovász 1979]."""
    reduction = theta(PENTAGON)
    assert reduction.group_order == 10 and (reduction.variables_before, reduction.variables_after) == (15, 3)
    value, Z = solved_blocks(reduction.problem)
    assert value == pytest.approx(-(5**0.5), abs=1e-7)
    (X,) = reduction.lift(Z)
    assert np.trace(X) == pytest.approx(1) and X.sum() == pytest.approx(5**0.5, abs=1e-6)
    assert max(abs(X[i, j]) for i, j in PENTAGON) < 1e-9 and np.linalg.eigvalsh(X).min() > -1e-7


def test_theta_of_petersens_graph():
    """4, as its complement's is 5/2 [Lovász 1979, theorem 8]."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.petersen_graph()
    found, subsets = theta(graph), theta(networkx.kneser_graph(5, 2))
    assert found.group_order == subsets.group_order == 120
    assert optimum(found.problem) == pytest.approx(-4, abs=1e-6)
    assert optimum(theta(networkx.complement(graph)).problem) == pytest.approx(-5 / 2, abs=1e-6)


def test_theta_takes_graphs_of_every_kind():
    networkx = pytest.importorskip("networkx")
    graph = networkx.cycle_graph(5)
    table = networkx.to_numpy_array(graph)
    for given in (graph, table, table.astype(int).tolist(), networkx.to_scipy_sparse_array(graph), tuple(PENTAGON)):
        assert theta(given).before.C == theta(PENTAGON).before.C and theta(given).group_order == 10
    assert theta(iter([("a", "b"), ("b", "c")])).group_order == 2
    assert theta([[0, 1], [1, 0]]).before == theta([(0, 1)]).before
    assert theta(np.zeros((3, 3)), "S3", seconds=60).variables_after == 2
    assert theta(PENTAGON, "D5").group_order == 10 and theta(PENTAGON, "C5", "perm").group_order == 5


def test_theta_of_a_union_is_the_sum():
    """Random graphs beside themselves, whose automorphisms exchange the two."""
    networkx = pytest.importorskip("networkx")
    for seed in range(3):
        graph = networkx.gnp_random_graph(5, 0.5, seed=seed)
        twice = networkx.disjoint_union(graph, graph)
        assert optimum(theta(twice).problem) == pytest.approx(2 * optimum(theta(graph).problem), abs=1e-5)


# --- Laws --------------------------------------------------------------------------------------------------------------------


def random_invariant_problem(rng, V):
    """A bounded problem that a group of permutations and signs fixes: the trace is 1, and another constraint is met by
    multiples of the identity."""
    G, n = V.group, V.dimension
    images = [np.array(V.matrix(g).tolist(), dtype=object) for g in G]

    def mean():
        half = np.array([[rng.randint(-3, 3) for _ in range(n)] for _ in range(n)], dtype=object)
        return sum(g.dot(half + half.T).dot(g.T) for g in images)

    identity = np.eye(n, dtype=int).astype(object)
    A = mean()
    return Problem(mean(), [identity, A], [1, Fraction(int(np.trace(A)), n)])


@pytest.mark.parametrize(
    "group, action",
    [
        ("S3", "perm + trivial"),
        ("C4", "perm + perm"),
        ("C5", "regular"),
        ("S4", "subsets(2)"),
        ("D4", "perm + sign"),
        ("Q8", "regular"),
    ],
)
def test_the_optimum_is_the_same_before_and_after(group, action):
    rng = random.Random(group + action)
    V = Group(group).rep(action)
    problem = random_invariant_problem(rng, V)
    reduction = reduce(problem, V)
    assert reduction.group_order == V.group.order and reduction.variables_after < reduction.variables_before
    value, Z = solved_blocks(reduction.problem)
    assert value == pytest.approx(optimum(problem), abs=1e-5)
    (X,) = reduction.lift(Z)
    for matrix, b in [(problem.C, value), *zip(problem.A, problem.b)]:
        assert (np.array(matrix.tolist(), dtype=float) * X).sum() == pytest.approx(float(b), abs=1e-4)
    assert np.linalg.eigvalsh(X).min() > -1e-6
    for g in V.group.generators:
        image = np.array(V.matrix(g).tolist(), dtype=float)
        assert np.allclose(image @ X @ image.T, X)
    if not {"sign"} & set(action.split()):  # signs are not looked for
        assert reduce(problem).variables_after <= reduction.variables_after


def test_types_of_blocks_are_those_of_the_irreducible_representations():
    """Q8 on itself: four of degree 1, and one quaternionic of degree 2, which occurs twice."""
    Q8 = Group("Q8")
    n = Q8.order
    blocks = reduce(Problem(np.eye(n), [], []), Q8.rep("regular")).blocks
    assert sorted((b.type, b.size) for b in blocks) == [("quaternionic", 4), *[("real", 1)] * 4]
    assert sum(b.size * b.multiplicity for b in blocks) == n
    # C3 on two copies of itself: the Hermitian block of size 2 has a real form of size 4
    assert ("complex", 4) in [(b.type, b.size) for b in reduce(Problem(np.eye(6), [], []), "C3", "2*perm").blocks]


def test_blocks_of_equal_kind_are_exchanged():
    """Two copies of one problem: the reduced one has one."""
    C = np.kron(np.eye(2, dtype=int), SWAPPED)
    problem = Problem(C, [np.eye(4, dtype=int)], [1], blocks=[2, 2])
    reduction = reduce(problem)
    assert reduction.group_order == 8 and len(reduction.blocks) == 2
    assert optimum(reduction.problem) == pytest.approx(1, abs=1e-6)
    X = reduction.lift([np.eye(b.size) for b in reduction.blocks])
    assert [x.shape for x in X] == [(2, 2), (2, 2)]
    diagonal = reduce(Problem(np.eye(3), [np.eye(3)], [1], blocks=[-3]))
    assert diagonal.group_order == 6 and diagonal.lift([3.0])[0].shape == (3,)


# --- Sums of squares ---------------------------------------------------------------------------------------------------------

# Robinson's form at z = 1 [Gatermann & Parrilo 2004]: 1 + x^6 + y^6 - x^4 y^2 - ...
ROBINSON = {
    **{(6, 0): 1, (0, 6): 1, (4, 2): -1, (2, 4): -1, (4, 0): -1, (0, 4): -1},
    **{(2, 0): -1, (0, 2): -1, (2, 2): 3, (0, 0): 1},
}
SQUARE = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])


def solved(problem):
    """The optimum and what the solver says of it; the best sum of squares is at the boundary, where solvers are slow."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return asked.solve(solver="CLARABEL"), asked.status


def test_robinsons_polynomial_has_its_bound_before_and_after():
    """-3825/4096 [Gatermann & Parrilo 2004]."""
    signed, found = sos(ROBINSON, 2, SQUARE.rep("vector")), sos(ROBINSON, 2)
    assert signed.group_order == found.group_order == 8 and found.before == signed.before
    assert (signed.variables_before, signed.variables_after) == (55, 11)
    assert sorted((b.size, b.multiplicity) for b in signed.blocks) == [(1, 1), (1, 1), (2, 1), (3, 2)]
    for problem in (signed.problem, found.problem, found.before):
        assert 1 - solved(problem)[0] == pytest.approx(-3825 / 4096, abs=1e-4)


def test_motzkins_form_is_no_sum_of_squares():
    sympy = pytest.importorskip("sympy")
    x, y, z = sympy.symbols("x y z")
    form = x**4 * y**2 + x**2 * y**4 + z**6 - 3 * x**2 * y**2 * z**2
    reduction = sos(form, [x, y, z], seconds=60)
    assert reduction.before.rows == 4 and reduction.group_order == 6  # half of the Newton polytope
    assert solved(reduction.problem)[1].startswith("infeasible")
    # x^6 + y^6 + z^6 - 3 x^2 y^2 z^2 is one, by the inequality of the means
    assert solved(sos(x**6 + y**6 + z**6 - 3 * x**2 * y**2 * z**2, [x, y, z], "S3").problem)[1].startswith("optimal")


def test_bounds_of_random_symmetric_quartics_are_the_same_before_and_after():
    rng = random.Random(51)
    for _ in range(3):
        a, b, c = (rng.randint(-3, 3) for _ in range(3))
        quartic = {}
        for i in range(3):
            quartic[tuple(4 * (i == k) for k in range(3))] = 5
            quartic[tuple(int(i == k) for k in range(3))] = c
            quartic[tuple(2 * (i == k) for k in range(3))] = a
            quartic[tuple(int(i != k) for k in range(3))] = b
        reduction = sos(quartic, 3, "S3")
        assert reduction.group_order == 6 and reduction.variables_after < reduction.variables_before == 55
        value, before = solved(reduction.problem)[0], solved(reduction.before)[0]
        assert value == pytest.approx(before, abs=1e-4)
        points = np.random.default_rng(1).normal(size=(200, 3))
        values = sum(x * np.prod(points ** np.array(key), axis=1) for key, x in quartic.items())
        assert values.min() > -value - 1e-4


def test_the_square_of_a_polynomial_has_the_bound_zero():
    """(x^2 - 2 x)^2, of one variable."""
    assert solved(sos({4: 1, 3: -4, 2: 4}, 1).problem)[0] == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: sos({(3,): 1}, 1), "degree 3, and sums of squares have an even one"),
        (lambda: sos({}, 2), "degree 0"),
        (lambda: sos({(2, 0): 1}, 3), r"\(2, 0\) is no list of 3 exponents"),
        (lambda: sos({(2, -1): 1}, 2), "exponents, whole numbers"),
        (lambda: sos({(2,): float("nan")}, 1), r"the coefficient of \(2,\) is nan"),
        (lambda: sos({(2, 0): 1, (0, 2): 1}, 2, "S3"), "acts on 3 variables, and the polynomial has 2"),
        (lambda: sos({(2, 0): 1, (0, 2): 2}, 2, "S2"), "the exchange of x1 and x2"),
        (lambda: sos({(2, 0, 0): 1, (0, 2, 0): 2}, 3, "C3"), "generator 1 of the group"),
        (lambda: sos({}, 0), "at least one variable"),
        (lambda: sos("x**2 + 1", ["x"]), "no polynomial: write one in symbols"),
        (lambda: sos(3, 2), "3 is no polynomial"),
    ],
)
def test_what_is_no_question_about_sums_of_squares(make, said):
    pytest.importorskip("sympy")
    with pytest.raises(DomainError, match=said):
        make()


def test_random_problems_of_several_blocks_have_their_optimum():
    """Entries 0 and 1, some blocks twice: symmetries within and between dense and diagonal blocks are found."""
    rng, reduced = random.Random(7), 0
    for _ in range(40):
        blocks = [rng.choice([1, 2, 3, -2, -3]) for _ in range(rng.randint(1, 3))]
        blocks += blocks[: rng.randint(0, 2)]
        owner = np.repeat(np.arange(len(blocks)), np.abs(blocks))
        n = len(owner)
        free = np.triu(owner[:, None] == owner) & ((np.array(blocks)[owner] > 0) | np.eye(n, dtype=bool))
        C, A = (free * np.array([[rng.choice([0, 0, 1]) for _ in range(n)] for _ in range(n)]) for _ in range(2))
        A = A + np.triu(A, 1).T
        problem = Problem(C + np.triu(C, 1).T, [np.eye(n), A], [n, np.trace(A)], blocks)
        reduction = reduce(problem)
        reduced += reduction.variables_after < reduction.variables_before
        value, Z = solved_blocks(reduction.problem)
        assert value == pytest.approx(optimum(problem), abs=1e-5)
        X = [np.diag(x) if x.ndim == 1 else x for x in reduction.lift(Z)]
        assert sum(np.trace(x) for x in X) == pytest.approx(n) and min(np.linalg.eigvalsh(x).min() for x in X) > -1e-6
    assert reduced > 10


def test_a_problem_without_symmetry_stays_as_it_is():
    """The trivial group, on one block and on several."""
    C = np.diag([1, 2, 3, 4, 5])
    C[0, 1] = C[1, 0] = C[2, 3] = C[3, 2] = 1
    for blocks, variables in ([[5], 15], [[2, 3], 9], [[2, 2, -1], 7]):
        problem = Problem(C, [np.eye(5)], [1], blocks=blocks)
        reduction = reduce(problem)
        assert reduction.group_order == 1 and reduction.variables_before == reduction.variables_after == variables
        assert optimum(reduction.problem) == pytest.approx(optimum(problem), abs=1e-6)


# --- cvxpy -------------------------------------------------------------------------------------------------------------------


def test_problems_of_cvxpy():
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    A = np.zeros((5, 5))
    for i, j in PENTAGON:
        A[i, j] = A[j, i] = 1
    X, y = cp.Variable((5, 5), PSD=True, name="X"), cp.Variable(2, nonneg=True, name="y")
    S = cp.Variable((5, 5), symmetric=True, name="S")
    given = cp.Problem(
        cp.Maximize(cp.sum(X) - 3 * cp.sum(y) - cp.trace(S) / 4 + 7),
        [cp.trace(X) + y[0] == 1 + y[1], cp.multiply(A, X) <= 0.05, S >> 0, S - X + np.eye(5) / 8 >> 0, X[0, 0] >= 0],
    )
    reduction = reduce(given, seconds=60, memory="4GiB")
    assert isinstance(reduction, CvxpyReduction) and X.value is None
    assert reduction.variables_after < reduction.variables_before and reduction.group_order >= 2
    with pytest.raises(DomainError, match="no solution yet"):
        reduction.lift()
    value = optimum(reduction.problem)
    assert value == pytest.approx(optimum(given), abs=1e-5)
    lifted = reduction.lift()
    assert {v.name(): x.shape for v, x in lifted.items()} == {"X": (5, 5), "S": (5, 5), "y": (2,)}
    for v, x in lifted.items():
        v.save_value(x)
    assert given.objective.value == pytest.approx(value, abs=1e-5)
    assert all(np.max(c.violation()) < 1e-5 for c in given.constraints)
    assert "CvxpyReduction by a group" in repr(reduction) and len(reduction.blocks) == len(reduction.exact.blocks)


def test_the_page_shows_what_cvxpy_does(tmp_path, monkeypatch):
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    text = (ROOT / "docs" / "sdp.md").read_text()
    robinsons, reduced = re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    names: dict = {"bound": sos(ROBINSON, 2, SQUARE.rep("vector"))}
    exec(robinsons, names)
    assert Certificate.load("robinson.json").bound == Fraction(-3825, 4096) and "Fraction(-3825, 4096)" in robinsons
    exec(reduced, names)
    assert names["reduction"].problem.value == pytest.approx(5**0.5, abs=1e-6)
    assert names["solution"].sum() == pytest.approx(5**0.5, abs=1e-5)


def test_a_group_acts_on_the_rows_of_problems_of_cvxpy():
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    X = cp.Variable((4, 4), PSD=True)
    given = cp.Problem(cp.Minimize(cp.sum(X)), [cp.trace(X) == 1])
    assert reduce(given, "C4").group_order == 4 and reduce(given).group_order == 24
    assert optimum(reduce(given, "C4").problem) == pytest.approx(0, abs=1e-6)


def test_free_variables_of_cvxpy():
    """The largest eigenvalue, theta by its dual, and matrices that are semidefinite by a constraint alone."""
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    A = np.zeros((6, 6))
    for i in range(6):
        A[i, (i + 1) % 6] = A[(i + 1) % 6, i] = 1
    t, S = cp.Variable(name="t"), cp.Variable((6, 6), symmetric=True, name="S")
    largest = reduce(cp.Problem(cp.Minimize(t), [t * np.eye(6) - A >> 0]))
    assert largest.group_order == 12 and optimum(largest.problem) == pytest.approx(2, abs=1e-6)
    assert largest.exact.before.blocks == [-2, 6] and largest.lift()[t] == pytest.approx(2, abs=1e-6)
    assert largest.certificate().bound == 2
    dual = reduce(cp.Problem(cp.Minimize(t), [t * np.eye(6) + S - np.ones((6, 6)) >> 0, cp.multiply(S, 1 - A) == 0]))
    assert dual.group_order == 12 and optimum(dual.problem) == pytest.approx(3, abs=1e-6)
    assert dual.lift()[S] == pytest.approx(1.5 * A, abs=1e-4)
    F, N = cp.Variable((3, 3), name="F"), cp.Variable((3, 3), NSD=True, name="N")
    z, w = cp.Variable(2, nonpos=True, name="z"), cp.Variable((2, 3), name="w")
    given = cp.Problem(
        cp.Minimize(cp.trace(F) - 2 * cp.trace(N) - cp.sum(z) + cp.sum(F) + cp.norm1(np.ones(2)) + w[1, 2]),
        [F >> 0, F[0, 0] >= 1, N[0, 0] <= -1, z <= -0.5, F + F.T + N >> np.eye(3), w == np.arange(6).reshape(2, 3) - 3],
    )
    reduction = reduce(given)
    assert optimum(reduction.problem) == pytest.approx(optimum(given), abs=1e-5)
    lifted = reduction.lift()
    assert lifted[w] == pytest.approx(np.arange(6).reshape(2, 3) - 3, abs=1e-5)
    for v, x in lifted.items():
        v.save_value(x)
    assert given.objective.value == pytest.approx(reduction.problem.value, abs=1e-5)
    assert all(np.max(c.violation()) < 1e-5 for c in given.constraints)


def test_a_group_acts_on_free_variables_of_cvxpy():
    """A free vector has its positive parts, then its negative ones, and a group may exchange them."""
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    y, X = cp.Variable(3), cp.Variable((3, 3), PSD=True)
    given = cp.Problem(cp.Minimize(cp.sum(X)), [cp.diag(X) + y == 1, cp.sum(y) == -3])
    order = [X, y] if given.variables()[0] is X else [y, X]
    action = "perm + 2*perm" if order[0] is X else "2*perm + perm"
    reduction = reduce(given, "C3", action)
    assert reduction.group_order == 3 and optimum(reduction.problem) == pytest.approx(optimum(given), abs=1e-6)
    assert reduction.lift()[y] == pytest.approx(-np.ones(3), abs=1e-5)


def test_what_problems_of_cvxpy_must_not_have():
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    X = cp.Variable((2, 2), PSD=True, name="X")
    for others, constraint, said in [
        (cp.Variable(name="k", integer=True), None, "variable k is integer; reduce takes variables that are PSD"),
        (cp.Variable((2, 2), name="H", hermitian=True), None, "variable H is hermitian"),
        (cp.Variable(2, name="b", bounds=[0, 1]), None, "variable b is bounds|variable b has bounds"),
        (cp.Variable(2, name="c", complex=True), None, "variable c is complex"),
        (cp.Variable(name="u", nonneg=True), "norm", "SOC|not affine"),
        (cp.Variable(name="u", nonneg=True), "square", "not affine"),
    ]:
        constraints = [cp.trace(X) == 1, cp.sum(others) + X[0, 0] == 1]
        constraints += [cp.SOC(others, X[0])] if constraint == "norm" else []
        constraints += [cp.square(others) <= 1] if constraint == "square" else []
        with pytest.raises(DomainError, match=said):
            reduce(cp.Problem(cp.Minimize(X[0, 0]), constraints))


def test_cvxpy_that_is_missing_is_one_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cvxpy", None)
    with pytest.raises(DomainError, match="cvxpy is not installed: python -m pip install cvxpy"):
        small().to_cvxpy()


# --- Bad input ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, said",
    [
        (
            lambda: Problem([[1, 2], [3, 4]], [], []),
            r"C is not symmetric: entry \(0, 1\) is 2, and entry \(1, 0\) is 3",
        ),
        (lambda: Problem([[1, 2]], [], []), r"C is a square matrix, not an array of the shape \[1, 2\]"),
        (lambda: Problem([[1, 2], [3]], [], []), "C is a square matrix"),
        (lambda: Problem([1, 2], [], []), "C is a square matrix"),
        (lambda: Problem(EYE2, [[[1]]], [1]), r"A\[0\] is a matrix \[2, 2\] as C is"),
        (lambda: Problem(EYE2, [EYE2], []), "1 matrices A and 0 numbers"),
        (lambda: Problem([[float("nan")]], [], []), r"entry \(0, 0\) of C is nan, which is no rational number"),
        (lambda: Problem([[1j]], [], []), "no rational number"),
        (lambda: Problem([[intertwine.E(5)]], [], []), "no rational number"),
        (lambda: Problem([["x"]], [], []), "entry .* is x, which is no rational number"),
        (lambda: Problem([[1]], [[[1]]], [float("inf")]), r"b\[0\] is inf"),
        (lambda: Problem(EYE2, [], [], blocks=[1]), "have 1 rows together, and C has 2"),
        (lambda: Problem(EYE2, [], [], blocks=[2, 0]), "blocks"),
        (lambda: Problem(SWAPPED, [], [], blocks=[1, 1]), "row 0 and column 1 .* belong to different blocks"),
        (lambda: Problem(SWAPPED, [], [], blocks=[-2]), "row 0 and column 1 .* belong to different blocks"),
        (lambda: reduce(Problem([[1, 0], [0, 2]], [], []), "S2"), "generator 1 of the group"),
        (lambda: reduce(small(), "S3"), "acts on 3 rows, and the blocks of the problem have 2"),
        (lambda: reduce(small(), action="perm"), "state the group as well"),
        (lambda: reduce(small(), find=False), "no group to reduce by"),
        (lambda: reduce(small(), Group("S2").rep("perm"), "perm"), "leave out action"),
        (lambda: reduce(EYE2), "takes a Problem or a cvxpy.Problem, not a value of list"),
        (lambda: reduce(small(), "SO(2)", "vector"), "is of representations of finite groups"),
        (lambda: reduce(small()).lift([1]), "one array for each of the 2 blocks"),
        (lambda: reduce(small()).lift([1, EYE2]), "numbers of block 1"),
        (lambda: theta([]), "a list of edges, one at least"),
        (lambda: theta([1, 2]), "a list of edges"),
        (lambda: theta(3), "a list of edges"),
        (lambda: Problem(EYE2, [EYE2], 1), "b a list of as many numbers"),
        (lambda: reduce(small()).lift(3), "lift takes a list of arrays"),
        (lambda: theta([(0, 0)]), r"vertex 0 \(from 0\) is joined to itself"),
        (lambda: theta([[0, 0], [0, 0]]), "two edges from 0 to 0, or two vertices without an edge"),
        (lambda: theta(np.array([[0, 1], [0, 0]])), "adjacency matrix is not symmetric"),
        (lambda: theta(PENTAGON, "S5"), "does not fix the graph"),
        (lambda: reduce(small(), images=True), "of a group that is stated"),
    ],
)
def test_bad_input_in_one_sentence(make, said):
    with pytest.raises(DomainError, match=said) as raised:
        make()
    assert "\n" not in str(raised.value)


def test_directed_graphs_are_refused():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(DomainError, match="no directions"):
        theta(networkx.DiGraph([(0, 1)]))


def test_bad_files(tmp_path):
    with pytest.raises(FileError):
        Problem.read(tmp_path / "missing.dat-s")
    (tmp_path / "bad.dat-s").write_text("1\n1\n2\n1\n1 1 1 3 1\n")
    with pytest.raises(FileError, match="line 5"):
        Problem.read(tmp_path / "bad.dat-s")


def test_limits():
    n = 60
    with pytest.raises(LimitError):
        reduce(Problem(np.ones((n, n), dtype=int), [np.eye(n, dtype=int)], [1]), memory="1KiB")
    with intertwine.limits(seconds=1e-9), pytest.raises(LimitError):
        reduce(Problem(np.ones((n, n), dtype=int), [np.eye(n, dtype=int)], [1]))


def test_sums_of_squares_of_very_many_monomials_are_refused_before_the_work():
    def powers(n, d):
        """Of another coefficient in the last variable, so that no symmetric group fixes it."""
        return {tuple(d * (i == k) for i in range(n)): 1 + (k == n - 1) for k in range(n)} | {(0,) * n: 1}

    with pytest.raises(LimitError, match="32468436 monomials in 50 variables"):
        sos(powers(50, 12), 50)
    with pytest.raises(LimitError, match="30013952 products of 5952 monomials"):
        sos(powers(30, 6), 30, inequalities=[{(1,) + (0,) * 29: 1}])
