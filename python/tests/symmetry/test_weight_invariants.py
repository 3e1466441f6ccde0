"""The polynomials in the weights of a network that its parameter group leaves alone."""

import itertools
import math

import networks_for_tests  # noqa: F401 (skips where PyTorch is missing)
import numpy as np
import pytest
import torch
from intertwine import DomainError, Group, LimitError
from intertwine.symmetry import parameter_group, weight_invariants
from intertwine.symmetry.invariants import evaluate, molien, molien_weyl
from torch import nn

D = torch.float64


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def head(E, d, bias=False):
    """Attention with one head of this width: queries and keys by themselves."""

    class Head(nn.Module):
        def __init__(self):
            super().__init__()
            self.q, self.k = nn.Linear(E, d, bias=bias, dtype=D), nn.Linear(E, d, bias=bias, dtype=D)

        def forward(self, x):
            return torch.softmax(self.q(x) @ self.k(x).transpose(-1, -2), -1) @ x

    return Head()


def invariants_of_head(E, d, degree, **keywords):
    module = head(E, d)
    group = parameter_group(module, example_inputs=torch.zeros(2, 3, E, dtype=D))
    kinds = [f.kind for f in group.factors]
    if d == 1:  # GL(1) still
        assert kinds == ["general linear"]
    return module, group, weight_invariants(group, degree, **keywords)


def determinant_of_degree(E, r, degree):
    """The Hilbert function of matrices of rank at most r, by Cauchy: the sum of the squares of dimensions of
    S_lambda(C^E), by the hook content formula."""
    total = 0
    for parts in itertools.product(range(degree, -1, -1), repeat=r):
        if sum(parts) == degree and all(a >= b for a, b in zip(parts, parts[1:])):
            product = 1.0
            cells = [(i, j) for i, row in enumerate(parts) for j in range(row)]
            for i, j in cells:
                arm, leg = parts[i] - j - 1, sum(1 for other in parts if other > j) - i - 1
                product *= (E + j - i) / (arm + leg + 1)
            total += round(product) ** 2
    return total


# --- Counts ----------------------------------------------------------------------------------------------------------------------


# The table of docs/symmetry.md: minors, torus integrals and hooks agree.
@pytest.mark.parametrize("E", [1, 2, 3, 4])
@pytest.mark.parametrize("d", [1, 2])
def test_dimensions_two_ways(E, d):
    for pairs in range(1, 7):
        _, _, found = invariants_of_head(E, d, 2 * pairs)
        assert found.shape == (E, E) and found.n == d
        assert found.dimension == found.character_dimension == determinant_of_degree(E, d, pairs)
    assert invariants_of_head(E, d, 3)[2].dimension == 0 == molien_weyl(d, E, E, 3)


def test_known_dimensions():
    assert [invariants_of_head(4, 2, 2 * k)[2].dimension for k in range(1, 7)] == [16, 136, 800, 3650, 13792, 45032]
    assert [invariants_of_head(3, 1, 2 * k)[2].dimension for k in range(1, 7)] == [
        9,
        36,
        100,
        225,
        441,
        784,
    ]  # binomial(k + 2, 2)^2
    assert [molien_weyl(3, 2, 5, 2 * k) for k in range(4)] == [math.comb(9 + k, k) for k in range(4)]  # no relations


# Brute force: polynomials in all weights that every matrix of the Lie algebra takes to 0.
@pytest.mark.parametrize("E, d, degree", [(2, 1, 4), (2, 2, 2), (2, 2, 4), (1, 2, 4), (3, 1, 2)])
def test_dimensions_by_brute_force(E, d, degree):
    variables = 2 * E * d
    monomials = list(itertools.combinations_with_replacement(range(variables), degree))
    place = {m: k for k, m in enumerate(monomials)}
    rows = []
    for a, b in itertools.product(range(d), repeat=2):
        # E_ab on the vectors, -E_ba on the covectors; as a derivation of polynomials
        image = np.zeros((variables, variables))
        for e in range(E):
            image[a * E + e, b * E + e] += 1
            image[E * d + b * E + e, E * d + a * E + e] -= 1
        derivation = np.zeros((len(monomials), len(monomials)))
        for m, k in place.items():
            for at in range(degree):
                for to in np.flatnonzero(image[m[at]]):
                    derivation[place[tuple(sorted((*m[:at], int(to), *m[at + 1 :])))], k] += image[m[at], to]
        rows.append(derivation)
    nullity = len(monomials) - np.linalg.matrix_rank(np.concatenate(rows))
    assert nullity == invariants_of_head(E, d, degree)[2].dimension


# --- Values ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("E, d, degree", [(3, 2, 4), (3, 2, 6), (4, 1, 4), (2, 2, 6), (3, 3, 4)])
def test_bitableaux_are_a_basis(E, d, degree):
    module, group, found = invariants_of_head(E, d, degree)
    assert len(found.basis) == len(found) == found.dimension and all(b.is_standard for b in found.basis)
    # independent on weights of rank d: the matrix of values has full rank, by exact integers modulo a prime
    count = found.dimension + 5
    state = {
        name: torch.randint(-3, 4, (count, *p.shape), dtype=torch.int64) for name, p in module.state_dict().items()
    }
    values = found(state)
    assert values.dtype == torch.int64 and rank_modulo(values, 1000003) == found.dimension


def rank_modulo(values, p):
    A = values.numpy().astype(object) % p
    rank = 0
    for column in range(A.shape[1]):
        pivots = [r for r in range(rank, len(A)) if A[r, column]]
        if not pivots:
            continue
        A[[rank, pivots[0]]] = A[[pivots[0], rank]]
        A[rank] = A[rank] * pow(int(A[rank, column]), -1, p) % p
        for r in range(rank + 1, len(A)):
            A[r] = (A[r] - A[r, column] * A[rank]) % p
        rank += 1
    return rank


# The second fundamental theorem: what is left out vanishes.
def test_relations_are_the_larger_minors():
    module, _, found = invariants_of_head(4, 2, 6)
    left = [b for b in found.ring.standard_bitableaux(3) if max(len(rows) for rows, _ in b.minors) > 2]
    assert len(left) + found.dimension == found.ring.hilbert_function(3)[3] and len(left) == 16
    state = {name: torch.randint(-9, 10, p.shape) for name, p in module.state_dict().items()}
    Y = found.pairing(state)
    assert (Y == state["q.weight"].T @ state["k.weight"]).all()
    assert evaluate(left, Y.double()).abs().max() < 1e-6 < evaluate(left, torch.randn(4, 4, dtype=D)).abs().max()


def test_values_are_invariant_and_nothing_less_is():
    module, group, found = invariants_of_head(3, 2, 4)
    state = module.state_dict()
    for seed in range(3):
        moved = group.act(group.random(seed), state)
        assert not torch.allclose(moved["q.weight"], state["q.weight"])
        torch.testing.assert_close(found(moved), found(state), rtol=1e-10, atol=1e-13)
    # exactly: a matrix of integers with determinant 1 and its inverse transpose
    A, inverse = torch.tensor([[2, 1], [1, 1]]), torch.tensor([[1, -1], [-1, 2]])
    whole = {name: torch.randint(-9, 10, p.shape) for name, p in state.items()}
    turned = {"q.weight": A @ whole["q.weight"], "k.weight": inverse.T @ whole["k.weight"]}
    assert torch.equal(found(turned), found(whole))
    wrong = {"q.weight": A @ whole["q.weight"], "k.weight": A @ whole["k.weight"]}
    assert not torch.equal(found(wrong), found(whole))


def test_heads_of_the_module_with_biases():
    module = nn.MultiheadAttention(4, 2, dtype=D)
    nn.init.normal_(module.in_proj_bias)
    group = parameter_group(module)
    assert [str(f) for f in group.factors] == ["S(2)", "GL(2)^2", "GL(2)^2"]
    query, value = weight_invariants(group, 2, factor=1, copy=1), weight_invariants(group, 2, factor=2, copy=0)
    state = module.state_dict()
    W, b = state["in_proj_weight"], state["in_proj_bias"]
    q, k = (torch.cat((W[at : at + 2], b[at : at + 2, None]), 1) for at in (2, 6))
    torch.testing.assert_close(query.pairing(state), q.T @ k)
    assert query.shape == (5, 5) and value.shape == (5, 4)
    torch.testing.assert_close(value.pairing(state)[:4], (state["out_proj.weight"][:, :2] @ W[8:10]).T)
    assert query.variables[0][4] == ["in_proj_bias[2]", "in_proj_bias[3]"] and query.variables[1][0] == [
        "in_proj_weight[6, 0]",
        "in_proj_weight[7, 0]",
    ]
    # GL alone: an element that leaves the order of the heads
    g = group.random(1)
    g = type(g)(g.factors, tuple(p if f.kind != "permutation" else None for f, p in zip(g.factors, g.parts)))
    for found in (query, value):
        torch.testing.assert_close(found(group.act(g, state)), found(state))


def test_linear_maps_in_a_row_are_a_matrix_of_bounded_rank():
    adapter = nn.Sequential(nn.Linear(4, 2, bias=False, dtype=D), nn.Linear(2, 3, bias=False, dtype=D))
    found = weight_invariants(adapter, 6)
    assert (found.shape, found.dimension, found.group) == ((4, 3), molien_weyl(2, 4, 3, 6), "GL(2)")
    torch.testing.assert_close(found.pairing(adapter.state_dict()), (adapter[1].weight @ adapter[0].weight).T.detach())


def test_batches_gradients_and_compiled():
    module, _, found = invariants_of_head(3, 2, 4)
    states = [{k: torch.randn_like(v) for k, v in module.state_dict().items()} for _ in range(3)]
    batch = {k: torch.stack([s[k] for s in states]) for k in states[0]}
    torch.testing.assert_close(found(batch), torch.stack([found(s) for s in states]))
    names = list(batch)
    assert torch.autograd.gradcheck(lambda *p: found(dict(zip(names, p))), [batch[k].requires_grad_() for k in names])
    three = evaluate(invariants_of_head(3, 3, 6)[2].basis, torch.eye(3, dtype=D))
    assert set(three.tolist()) == {0.0, 1.0}


# --- Finite groups ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation, group", [(nn.ReLU, "S(3)"), (nn.Tanh, "B(3)")])
def test_finite_groups(activation, group):
    net = nn.Sequential(nn.Linear(2, 3, dtype=D), activation(), nn.Linear(3, 1, dtype=D))
    parameters = parameter_group(net)
    for degree in (1, 2, 3):
        found = weight_invariants(net, degree)
        assert found.group == group and len(found) == len(found.basis) == found.character_dimension == molien(
            parameters.representation(), degree
        )
        state = net.state_dict()
        for g in (*parameters.generators, parameters.random(3)):
            torch.testing.assert_close(found(parameters.act(g, state)), found(state))
        broken = {**state, "0.weight": state["0.weight"].roll(1, 0)}
        assert torch.allclose(found(broken), found(state)) == (degree == 1)  # sums over units see no order
    names = found.variables
    assert len(names) == 13 and len(set(names)) == 13 and "0.weight[2, 1]" in names
    # a polynomial by hand, in the names of the parameters
    first = weight_invariants(net, 2)
    values = dict(zip((f"x{k + 1}" for k in range(13)), parameters.to_vector(state).tolist()))
    for text, value in zip(first.basis, first(state).tolist()):
        assert abs(eval(text.replace("^", "**"), {}, values) - value) < 1e-12


def test_molien_against_known_series():
    assert [molien(Group("S3").rep("perm"), d) for d in range(7)] == [
        1,
        1,
        2,
        3,
        4,
        5,
        7,
    ]  # partitions into at most 3 parts
    assert [molien(Group("C2").rep("sign + trivial"), d) for d in range(6)] == [
        1,
        1,
        2,
        2,
        3,
        3,
    ]  # 1 / ((1 - t) (1 - t^2))
    assert [molien(Group("C2").rep("2*sign"), d) for d in range(5)] == [1, 0, 3, 0, 5]


# One factor of several: the others do nothing.
def test_one_factor():
    net = nn.Sequential(
        nn.Linear(2, 3, dtype=D), nn.ReLU(), nn.Linear(3, 2, dtype=D), nn.Tanh(), nn.Linear(2, 1, dtype=D)
    )
    group = parameter_group(net)
    both = weight_invariants(net, 2)
    assert both.group == "S(3) x B(2)" and both.dimension == both.character_dimension
    for number, name in enumerate(("S(3)", "B(2)")):
        found = weight_invariants(net, 2, factor=number)
        assert found.group == name and found.dimension == found.character_dimension > both.dimension
        state = net.state_dict()
        g = group.random(5)
        one = type(g)(
            g.factors,
            tuple(
                p if f is group.factors[number] else group.identity.parts[k]
                for k, (f, p) in enumerate(zip(g.factors, g.parts))
            ),
        )
        torch.testing.assert_close(found(group.act(one, state)), found(state))
        other = type(g)(
            g.factors,
            tuple(
                p if f is not group.factors[number] else group.identity.parts[k]
                for k, (f, p) in enumerate(zip(g.factors, g.parts))
            ),
        )
        assert not torch.allclose(found(group.act(other, state)), found(state))


# --- Bad input -------------------------------------------------------------------------------------------------------------------


def test_bad_input():
    module = nn.MultiheadAttention(4, 2, dtype=D)
    with pytest.raises(
        DomainError,
        match=r"several factors \(0: S\(2\) of .*; 1: GL\(2\)\^2 of in_proj_weight\[0:4, 0:4\], in_proj_weight\[4:8, 0:4\]; 2: GL\(2\)\^2 of in_proj_weight\[8:12",
    ):
        weight_invariants(module, 2)
    for keywords, message in (
        ({"factor": 3}, "factor is a number of the list"),
        ({"factor": "GL(2)"}, "factor is a number of the list"),
        ({"factor": 1, "copy": 2}, "there is no copy 2"),
        ({"factor": 1, "copy": -1}, "copy is an integer"),
        ({"factor": 1, "max_count": 0}, "max_count is an integer"),
    ):
        with pytest.raises(DomainError, match=message):
            weight_invariants(module, 2, **keywords)
    for degree in (0, -2, 2.0, True):
        with pytest.raises(DomainError, match="degree is an integer of at least 1"):
            weight_invariants(module, degree, factor=1)
    with pytest.raises(LimitError, match="max_count"):
        weight_invariants(module, 12, factor=1)(module.state_dict())
    found = weight_invariants(module, 2, factor=1)
    with pytest.raises(DomainError, match="the state has no in_proj_weight"):
        found({})
    with pytest.raises(DomainError, match=r"in_proj_weight has the shape \[3, 4\]"):
        found({**module.state_dict(), "in_proj_weight": torch.zeros(3, 4)})
    norm = nn.Sequential(nn.Linear(2, 3), nn.RMSNorm(3, elementwise_affine=False), nn.Linear(3, 1))
    with pytest.raises(DomainError, match="orthogonal factors are not here"):
        weight_invariants(norm, 2)
    with pytest.raises(DomainError, match="torch.nn.Module is wanted"):
        weight_invariants("net", 2)
