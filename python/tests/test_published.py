"""Problems with published optima, reduced and solved: examples/sdp/published.py."""

import runpy
from math import comb

import pytest
from conftest import ROOT

cvxpy = pytest.importorskip("cvxpy", reason="cvxpy is not installed")
numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def published():
    return runpy.run_path(str(ROOT / "examples" / "sdp" / "published.py"))


def value(published, name, *numbers):
    reduction, to_published = published[name](*numbers)
    return published["solved"](reduction, to_published), reduction


def test_theta_of_johnson_graphs_is_that_of_erdos_ko_and_rado(published):
    """C(n-1, k-1) [Lovász 1979, theorem 13]."""
    for n, k in ((5, 2), (7, 2), (7, 3), (8, 3)):
        found, reduction = value(published, "johnson", n, k)
        assert found == pytest.approx(comb(n - 1, k - 1), abs=1e-5) and reduction.variables_after == k + 1


def test_theta_of_words_and_delsartes_bound(published):
    """16/3 and 4 for the words of length 6 and distance 4 [Schrijver 1979]; 2 for those that differ everywhere."""
    found, reduction = value(published, "hamming", 6, 4)
    assert found == pytest.approx(16 / 3, abs=1e-5) and reduction.group_order == 2**6 * 720
    assert value(published, "delsarte", 6, 4)[0] == pytest.approx(4, abs=1e-5)
    assert value(published, "hamming", 4, 4)[0] == pytest.approx(2, abs=1e-5)


def terwilliger(n, d):
    """The bound by the blocks that Schrijver writes down, formulas (8), (20) and (22) of his paper, all words of n bits."""

    def beta(i, j, k, t):
        return sum(
            (-1) ** (u - t) * comb(u, t) * comb(n - 2 * k, u - k) * comb(n - k - u, i - u) * comb(n - k - u, j - u)
            for u in range(max(k, t), min(i, j) + 1)
            if n - k - u >= max(i, j) - u >= 0
        )

    triples = [(i, j, t) for i in range(n + 1) for j in range(n + 1) for t in range(max(0, i + j - n), min(i, j) + 1)]
    kind = {(i, j, t): tuple(sorted((i, j, i + j - 2 * t))) for i, j, t in triples}
    variables = {key: cvxpy.Variable(nonneg=True) for key in set(kind.values())}
    x = {at: variables[key] for at, key in kind.items()}
    constraints = [variables[0, 0, 0] == 1]
    constraints += [variables[key] == 0 for key in variables if any(0 < w < d for w in key)]
    for i, j, t in triples:
        constraints += [x[i, j, t] <= x[i, 0, 0], x[i, 0, 0] + x[j, 0, 0] <= 1 + x[i, j, t]]
    for k in range(n // 2 + 1):
        rows = range(k, n - k + 1)
        scale = {i: comb(n - 2 * k, i - k) ** -0.5 for i in rows}

        def block(entry, k=k, rows=rows, scale=scale):
            return cvxpy.bmat(
                [
                    [
                        scale[i]
                        * scale[j]
                        * sum(beta(i, j, k, t) * entry(i, j, t) for t in range(max(0, i + j - n), min(i, j) + 1))
                        for j in rows
                    ]
                    for i in rows
                ]
            )

        for entry in (lambda i, j, t: x[i, j, t], lambda i, j, t: x[i + j - 2 * t, 0, 0] - x[i, j, t]):
            matrix = block(entry)
            constraints.append((matrix + matrix.T) / 2 >> 0)
    problem = cvxpy.Problem(cvxpy.Maximize(sum(comb(n, i) * x[i, 0, 0] for i in range(n + 1))), constraints)
    return problem.solve(solver="CLARABEL")


def test_the_bound_by_triples_is_that_of_schrijvers_blocks(published):
    """The blocks of the Terwilliger algebra come out of the reduction by the permutations of positions. A(n, d) = A(n - 1,
    d - 1) for even d; sizes of codes are those of [Best, Brouwer, MacWilliams, Odlyzko & Sloane 1978]."""
    for n, d, code in ((6, 4, 4), (7, 4, 8), (8, 4, 16), (8, 6, 2)):
        found, reduction = value(published, "triples", n, d)
        assert found == pytest.approx(terwilliger(n - 1, d - 1), abs=1e-3)
        assert code - 1e-4 <= found <= value(published, "delsarte", n - 1, d - 1)[0] + 1e-4
        assert reduction.faces and reduction.variables_after < 200


@pytest.mark.parametrize("ppt", [0, 1])
def test_extensions_of_two_qubits(published, ppt):
    """The overlap of a state with k extensions with a Bell state is at most (k + 1)/(2k) [Johnson & Viola 2013]; those with
    positive partial transposes are separable, and have 1/2 [Horodecki, Horodecki & Horodecki 1996]."""
    for k in (1, 2, 3):
        found, _ = value(published, "extensions", k, ppt)
        assert found == pytest.approx(1 / 2 if ppt else (k + 1) / (2 * k), abs=1e-5)


def test_forms_and_functionals(published):
    for n in (6, 30, 100):
        found, reduction = value(published, "particles", n)
        assert found == pytest.approx(-n / 16, rel=1e-6) and [b.size for b in reduction.blocks] == [4, 3, 1]
    assert value(published, "wells", 30)[0] == pytest.approx(-20 / 3**0.5, rel=1e-6)
    assert value(published, "chsh")[0] == pytest.approx(8**0.5, abs=1e-6)
    assert value(published, "i3322", 2)[0] == pytest.approx(0.25093972, abs=1e-5)
    assert value(published, "robinson")[0] == pytest.approx(-3825 / 4096, abs=1e-4)
    assert value(published, "motzkin")[0] == pytest.approx(-1, abs=1e-3)
    for n in (3, 4, 5):
        assert value(published, "cyclic", n)[0] == pytest.approx(-n, abs=1e-4)


def test_the_program(published, capsys):
    published["main"]("johnson", "5", "2")
    out = capsys.readouterr().out
    assert out.startswith("johnson 5 2: <Reduction by a group of order 120") and "\n4.00000" in out


@pytest.fixture(scope="module")
def property_t():
    return runpy.run_path(str(ROOT / "examples" / "sdp" / "property_t.py"))


def test_property_t_of_special_linear_groups(property_t):
    """Δ² - Δ/6 is a sum of squares in the group ring of SL(3, Z) [Netzer & Thom 2015]; SL(2, Z) is virtually free, and
    has no property (T). The lifted solution is multiplied out in the group ring."""
    reduction, to_published = property_t["gap"]("sl", 3)
    assert reduction.group_order == 24 and reduction.before.blocks == [121, -1]
    assert [step["blocks"][0][1:] for step in reduction.faces] == [(9, 8)]  # P 1 = 0
    asked = reduction.problem.to_cvxpy()
    asked.solve(solver="CLARABEL")
    gap = to_published(asked.value)
    assert gap == pytest.approx(0.2804, abs=1e-3) and gap > 1 / 6
    P, number = reduction.lift([v.value for v in asked.variables()])
    ball = property_t["Ball"]("sl", 3)
    G, S = ball.kind, ball.kind.generators
    inverse = {g: h for g in ball.elements for h in ball.elements if G.product(g, h) == G.one}
    left = {}
    for i, x in enumerate(ball.elements):
        for j, y in enumerate(ball.elements):
            g = G.product(inverse[x], y)
            left[g] = left.get(g, 0) - P[i, j]
    for g, h in ((g, h) for g in S for h in S):
        left[G.product(g, h)] += 1
    for g in S:
        left[g] += number[0] - 2 * len(S)
    left[G.one] += len(S) ** 2 - number[0] * len(S)
    assert max(map(abs, left.values())) < 1e-6
    reduction, to_published = property_t["gap"]("sl", 2)
    asked = reduction.problem.to_cvxpy()
    asked.solve(solver="CLARABEL")
    assert to_published(asked.value) == pytest.approx(0, abs=1e-5)


def test_balls_of_automorphism_groups_of_free_groups(property_t):
    """1777 and 4641 elements; for the latter 29 blocks, and 13,232 invariant matrices [Kaluba, Nowak & Ozawa 2019]."""
    rows, found = property_t["blocks"]("saut", 4)
    assert (rows, len(found)) == (1777, 20) and sum(d * m for d, m, _ in found) == 1777
    rows, found = property_t["blocks"]("saut", 5)
    assert (rows, len(found)) == (4641, 29) and sum(m * m for _, m, _ in found) == 13_232
    assert all(indicator == 1 for _, _, indicator in found)


def test_the_program_of_property_t(property_t, capsys):
    property_t["main"]("saut", "3", "--blocks")
    assert capsys.readouterr().out.startswith("481 rows, 10 blocks of [33, 32, 29, 28, 25, 17, 13, 13, 7, 6]\n")
    property_t["main"]("sl", "2")
    assert "a group of order 4 fixes the problem" in capsys.readouterr().out
