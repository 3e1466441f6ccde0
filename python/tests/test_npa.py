"""Bell functionals: published bounds of the hierarchy of moments, certified exactly, and groups that fix them."""

import random
from fractions import Fraction

import numpy as np
import pytest
from intertwine import DomainError, Group
from intertwine._bell import question
from intertwine.sdp import NpaReduction, npa, reduce
from test_bounds import checked

CHSH = {"A0 B0": 1, "A0 B1": 1, "A1 B0": 1, "A1 B1": -1}
# The functional I3322 takes probabilities of the first outcome; it is at most 0 for local models [Collins & Gisin 2004].
I3322 = {
    **{"A0": -1, "B0": -2, "B1": -1, "A0 B0": 1, "A0 B1": 1, "A0 B2": 1},
    **{"A1 B0": 1, "A1 B1": 1, "A1 B2": -1, "A2 B0": 1, "A2 B1": -1},
}
MERMIN = {"A0 B0 C0": 1, "A0 B1 C1": -1, "A1 B0 C1": -1, "A1 B1 C0": -1}


@pytest.fixture(autouse=True, scope="module")
def cvxpy():
    return pytest.importorskip("cvxpy", reason="cvxpy is not installed")


def test_chsh_has_tsirelsons_bound(tmp_path):
    """2 sqrt(2) [Cirelson 1980], at the first level and at every other."""
    for level in (1, "1+AB", 2):
        chsh = npa(CHSH, level)
        assert isinstance(chsh, NpaReduction) and chsh.group_order == 16
        assert chsh.value() == pytest.approx(8**0.5, abs=1e-7)
        bound = -checked(chsh.certificate(), tmp_path / "chsh.json").bound
        assert bound**2 > 8 and float(bound) == pytest.approx(8**0.5, abs=1e-6)
    first = npa(CHSH)
    assert first.words == ["", "A0", "A1", "B0", "B1"] and first.operators == ["A0", "A1", "B0", "B1"]
    assert (first.variables_before, first.variables_after, len(first.blocks)) == (15, 3, 3)
    assert [x.shape for x in first.lift([[[1]], [[1]], [[1]]])] == [(5, 5)]


@pytest.mark.parametrize("level, bound", [(1, 0.375), ("1+AB", 0.25147090), (2, 0.25093972), (3, 0.25087556)])
def test_i3322_has_its_published_bounds(level, bound, tmp_path):
    """[Navascués, Pironio & Acín 2008]; the third level [Doherty, Liang, Toner & Wehner 2008]."""
    reduction = npa(I3322, level, "projectors")
    assert reduction.group_order == 8 and reduction.value() == pytest.approx(bound, abs=2e-8)
    if level != 3:  # the check by the slower checker takes 10 s
        certificate = checked(reduction.certificate(), tmp_path / "i3322.json")
        assert bound - 2e-8 <= -float(certificate.bound) == pytest.approx(bound, abs=2e-7)
        assert level != 1 or certificate.bound == Fraction(-3, 8)


def test_three_parties_reach_mermins_bound(tmp_path):
    """4, the sum of all coefficients, by a state of Greenberger, Horne and Zeilinger [Mermin 1990]."""
    reduction = npa(MERMIN, 2)
    assert reduction.group_order >= 48 and checked(reduction.certificate(), tmp_path / "mermin.json").bound == -4
    with pytest.raises(DomainError, match=r"level=1 has no product A0 B0 C0; take a larger level"):
        npa(MERMIN, 1)


def test_three_outcomes_of_cglmp():
    """2.9149 for the functional of Collins, Gisin, Linden, Massar and Popescu with three outcomes, at level 1+AB
    [Navascués, Pironio & Acín 2008]."""
    functional = {}

    def add(word, x):
        functional[word] = functional.get(word, 0) + x

    def probability(a, x, b, y, factor):
        """P(a, b | x, y), where the last outcome is 1 less the others."""
        left = [("", 1), *((f"A{x}_{k}", -1) for k in (0, 1))] if a == 2 else [(f"A{x}_{a}", 1)]
        right = [("", 1), *((f"B{y}_{k}", -1) for k in (0, 1))] if b == 2 else [(f"B{y}_{b}", 1)]
        for u, s in left:
            for v, t in right:
                add(f"{u} {v}".strip(), factor * s * t)

    for a in range(3):
        # P(A0 = B0) + P(B0 = A1 + 1) + P(A1 = B1) + P(B1 = A0), less those with 1 more or less
        probability(a, 0, a, 0, 1)
        probability((a - 1) % 3, 1, a, 0, 1)
        probability(a, 1, a, 1, 1)
        probability(a, 0, a, 1, 1)
        probability(a, 0, (a + 1) % 3, 0, -1)
        probability(a, 1, a, 0, -1)
        probability(a, 1, (a + 1) % 3, 1, -1)
        probability((a + 1) % 3, 0, a, 1, -1)
    reduction = npa(functional, "1+AB", "projectors")
    assert reduction.before.rows == 25
    assert reduction.value() == pytest.approx(1 + (11 / 3) ** 0.5, abs=1e-6)


def test_values_are_the_same_before_and_after_and_above_local_models():
    rng = random.Random(9)
    for _ in range(4):
        functional = {f"A{i} B{j}": rng.choice([-1, 0, 1, 2]) for i in range(2) for j in range(3)}
        functional |= {"A0": rng.choice([0, 1]), "": 3}
        functional = {word: x for word, x in functional.items() if x}
        reduction = npa(functional, "1+AB")
        before = NpaReduction(
            question(functional, "1+AB", "observables"),
            reduce(reduction.before, "C1", f"{reduction.before.rows}*trivial"),
        )
        assert reduction.value() == pytest.approx(before.value(), abs=1e-6)
        names = reduction.operators
        local = max(
            sum(x * np.prod([signs[names.index(k)] for k in word.split()]) for word, x in functional.items())
            for signs in np.array(np.meshgrid(*[[-1, 1]] * len(names))).reshape(len(names), -1).T
        )
        assert reduction.value() > local - 1e-6


def test_groups_of_functionals():
    swap = Group("C2").permutation_rep([[2, 3, 0, 1]])  # A0 with B0, A1 with B1
    assert npa(CHSH, group=swap).group_order == 2
    flip = Group.from_matrices([[[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]]])
    assert npa(CHSH, group=flip, action="vector").value() == pytest.approx(8**0.5, abs=1e-7)
    for group, said in [
        (Group("C2").permutation_rep([[1, 0, 2, 3]]), "does not fix the functional"),
        (Group("C2").permutation_rep([[2, 1, 0, 3]]), "does not keep the operators of parties together"),
        (Group("C3").rep("perm"), "acts on 3 operators, and the functional has 4: A0, A1, B0, B1"),
        (Group("S5").rep("standard"), "permutes the operators, with signs"),
    ]:
        with pytest.raises(DomainError, match=said):
            npa(CHSH, group=group)
    # Two letters of one party: no operators are permuted, but rows may be.
    assert npa({"A0 A1": 1, "A0 B0": 1}, 1).value() == pytest.approx(2, abs=1e-6)


@pytest.mark.parametrize(
    "make, said",
    [
        (lambda: npa({}), "a dict {word: coefficient}"),
        (lambda: npa("CHSH"), "a dict {word: coefficient}"),
        (lambda: npa({"A0 B": 1}), "B is no operator: write its party in letters"),
        (lambda: npa({"A0 B0": float("inf")}), "the coefficient of A0 B0 is inf"),
        (lambda: npa(CHSH, 0), "level=0 is no level"),
        (lambda: npa(CHSH, "2+ABC"), "level='2\\+ABC' is no level"),
        (lambda: npa(CHSH, 13), "too many words"),
        (lambda: npa(CHSH, operators="unitaries"), "none of observables, projectors"),
        (lambda: npa({"A0_0 B0_0": 1}), "has an outcome behind _, and so operators='projectors'"),
        (lambda: npa({"": 1}), "the functional is a constant"),
        (lambda: npa({"A0 A0": 1}), "the functional is a constant"),
    ],
)
def test_what_is_no_functional(make, said):
    with pytest.raises(DomainError, match=said):
        make()
