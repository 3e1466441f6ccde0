"""RelaxedLinear: the complement exactly, the penalty against the mean over the group, chains, training, state, bad
input."""

import copy
import functools
import pickle
import re
from fractions import Fraction

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, Matrix, VerificationError, hom_dimension
from intertwine.nn import Linear, RelaxedLinear, check_equivariance

# group, V, U, chain of generators: signs, orbits on which the larger group makes everything zero, multiples, a chain,
# matrices of several kinds.
CASES = [
    ("S4", "perm", "perm", ["(1,2,3,4)", "(1,3)"]),
    ("S4", "perm", "perm", []),
    ("D4", "perm + 2*sign", "regular", ["(1,2,3,4)"]),
    ("S4", "sign", "perm", ["(1,2,3)"]),
    ("B3", "coordinates", "perm^2", ["(1,2,3)(4,5,6)"]),
    ("S4", "3*perm", "2*perm^2", ["(1,2,3,4)", "(1,3)"], ["(1,2,3,4)"], []),
    ("S4", "std", "std + perm", ["(1,2,3,4)", "(1,3)"], []),
    ("A5", "irrep(2)", "irrep(2) + perm", ["(1,2,3)", "(1,2)(3,4)"]),
]
ORTHOGONAL = CASES[:6]  # the group acts by permutations with signs
every_case = pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]} {c[1]} to {c[2]}, {len(c) - 3} steps")
every_orthogonal_case = pytest.mark.parametrize(
    "case", ORTHOGONAL, ids=lambda c: f"{c[0]} {c[1]} to {c[2]}, {len(c) - 3} steps"
)


def make(case, normal=True, **keywords):
    G = Group(case[0])
    V, U = G.rep(case[1]), G.rep(case[2])
    layer = RelaxedLinear(V, U, [G.subgroup(g) for g in case[3:]], 2, 1, **{"dtype": torch.float64, **keywords})
    for p in layer.parameters() if normal else ():
        torch.nn.init.normal_(p)
    return layer, V, U


def restricted(V, H):
    return functools.reduce(lambda a, b: a + b, (m * R.restrict(H) for m, R in V.summands()))


def blocks(hom, W):
    """The blocks of W [out dim U, in dim V] that hom is about."""
    M, N = hom.shape
    return [
        numpy.ascontiguousarray(W[i : i + M, j : j + N])
        for i in range(0, W.shape[0], M)
        for j in range(0, W.shape[1], N)
    ]


def norm(a):
    return float((a**2).sum())


def test_copies_and_bad_input():
    G = Group("D4")
    V, chain = G.rep("perm"), [G.subgroup(["(1,2,3,4)"]), G.subgroup([])]
    ours = RelaxedLinear(V, V, chain, 2, 8, dtype=torch.float64)
    x = torch.randn(3, 2, 4, dtype=torch.float64)
    assert float(ours.penalty()) == 0
    assert torch.equal(copy.deepcopy(ours)(x), ours(x)) and torch.equal(pickle.loads(pickle.dumps(ours))(x), ours(x))
    for wrong, said in [
        (lambda: RelaxedLinear(V, V, []), "the chain of subgroups is empty"),
        (lambda: RelaxedLinear(V, V, Group("S5")), "not a subgroup of D4"),
        (lambda: RelaxedLinear(V, V, 3), "H is a group such as Group('S4') or a list, not 3"),
    ]:
        with pytest.raises(DomainError, match=re.escape(said)):
            wrong()
    with pytest.raises(TypeError, match="relax"):
        Linear(V, V, relax=chain)


# --- The complement, exactly -------------------------------------------------------------------------------------------------


@every_case
def test_dimensions_are_the_differences_of_characters(case):
    layer, V, U = make(case)
    out, in_ = layer.theta.shape[1:]
    copies = (V >> U).table(single=True).channels
    before = hom_dimension(V, U), hom_dimension(V.group.rep("trivial"), U)
    for (d, e), generators in zip(layer.steps, case[3:]):
        H = V.group.subgroup(generators)
        after = hom_dimension(V.restrict(H), U.restrict(H)), hom_dimension(H.rep("trivial"), U.restrict(H))
        assert (d * copies[0] * copies[1], e * copies[0]) == (after[0] - before[0], after[1] - before[1])
        before = after
    assert layer.theta_relaxed.shape == (sum(d for d, _ in layer.steps), out, in_)
    assert layer.bias_relaxed.shape == (sum(e for _, e in layer.steps), out)
    assert sum(d for d, _ in layer.steps) > 0


@every_case
def test_the_complement_is_orthogonal_and_commutes_exactly(case):
    layer, V, U = make(case)
    G_basis = (V >> U).basis()
    complement = layer.complement()
    assert len(complement) == len(layer.theta_relaxed)
    inner = lambda A, B: sum((A[i, j] * value for i, j, value in B.entries()), 0)  # noqa: E731
    starts = numpy.cumsum([0, *(d for d, _ in layer.steps)])
    for at, generators in enumerate(case[3:]):
        H = V.group.subgroup(generators)
        hom = restricted(V, H) >> restricted(U, H)
        step, own = layer._nested[0][at], complement[starts[at] : starts[at + 1]]
        earlier = G_basis + complement[: starts[at]]
        assert all(inner(B, K) == 0 for K in own for B in earlier)
        for K in own:
            assert all(
                restricted(U, H).matrix(g) @ _wide(K, hom) == _wide(K, hom) @ restricted(V, H).matrix(g)
                for g in H.generators
            )
        # The inner products that penalties are made of, and a full rank: no dimension is missing.
        gram = {(j, k): value for j, a in enumerate(own) for k, b in enumerate(own) if (value := inner(a, b)) != 0}
        assert gram == step.gram
        if case in ORTHOGONAL:
            assert all(j == k for j, k in gram) and len(gram) == len(own)
            assert all(isinstance(value, (int, Fraction)) for value in gram.values())


def _wide(K, hom):
    """K as a map of all copies: the first block of it, the others zero."""
    rows, cols = hom.shape
    return Matrix.from_entries(rows, cols, K.entries())


@every_orthogonal_case
def test_the_mean_over_the_group_takes_the_complement_to_zero_exactly(case):
    layer, V, U = make(case)
    hom = V >> U
    for K in layer.complement():
        assert not hom.symmetrize(_wide(K, hom)).entries()
    H = V.group.subgroup(case[-1])
    other = restricted(V, H) >> restricted(U, H)
    kept = any(hom.symmetrize(_wide(B, hom)).entries() for B in other.basis())
    assert kept == (hom.params > 0)  # not everything goes to zero, unless it must


# --- The penalty -------------------------------------------------------------------------------------------------------------


@every_orthogonal_case
def test_the_penalty_is_the_distance_to_the_mean_over_the_group(case):
    layer, V, U = make(case)
    hom = V >> U
    W, b = layer.weight().detach().numpy(), layer.bias_vector().detach().numpy()[:, None]
    gaps = sum(norm(w - hom.symmetrize(w)) for w in blocks(hom, W)) + sum(
        norm(c - hom.bias.symmetrize(c)) for c in blocks(hom.bias, b)
    )
    assert layer.penalty().item() == pytest.approx(gaps, rel=1e-12) and gaps > 0
    assert layer.defect() == pytest.approx((gaps / (norm(W) + norm(b))) ** 0.5, rel=1e-12)
    nearest = layer.symmetrized()
    for w, s in zip(blocks(hom, W), blocks(hom, nearest.weight().detach().numpy())):
        numpy.testing.assert_allclose(hom.symmetrize(w), s, atol=1e-12)
    # Step by step: the means over the groups of the chain.
    before, penalties = [hom.symmetrize(w) for w in blocks(hom, W)], layer.penalties().tolist()
    bias_before = [hom.bias.symmetrize(c) for c in blocks(hom.bias, b)]
    for penalty, generators in zip(penalties, case[3:]):
        H = V.group.subgroup(generators)
        small = restricted(V, H) >> restricted(U, H)
        after, bias_after = (
            [small.symmetrize(w) for w in blocks(hom, W)],
            [small.bias.symmetrize(c) for c in blocks(hom.bias, b)],
        )
        assert penalty == pytest.approx(
            sum(norm(x - y) for x, y in zip([*after, *bias_after], [*before, *bias_before])), rel=1e-12
        )
        before, bias_before = after, bias_after
    for w, s in zip(before, blocks(hom, W)):
        numpy.testing.assert_allclose(w, s, atol=1e-12)


def test_without_orthogonal_matrices_it_is_the_distance_to_the_nearest_equivariant_layer():
    layer, V, U = make(("S4", "perm", "std", ["(1,2,3,4)", "(1,3)"], []), bias=False)
    hom = V >> U
    basis = numpy.array([numpy.asarray(B, dtype=float).reshape(-1) for B in hom.basis()]).T
    nearest = means = 0.0
    for w in blocks(hom, layer.weight().detach().numpy()):
        solution = numpy.linalg.lstsq(basis, w.reshape(-1), rcond=None)[0]
        nearest += norm(w.reshape(-1) - basis @ solution)
        means += norm(w - hom.symmetrize(w))
    assert layer.penalty().item() == pytest.approx(nearest, rel=1e-12)
    assert nearest < means  # the mean over the group is not the nearest here


def test_irrational_matrices():
    layer, V, U = make(CASES[7])
    assert V.field == "Q(sqrt(5))"
    W = layer.weight().detach()
    for g in V.group.subgroup(CASES[7][3]).generators:
        rho = [torch.from_numpy(numpy.asarray(R.matrix(g), dtype=float)) for R in (V, U)]
        for w in blocks(V >> U, W.numpy()):
            torch.testing.assert_close(torch.from_numpy(w) @ rho[0], rho[1] @ torch.from_numpy(w))
    values = [float(v) for v in layer._nested[0][0].gram.values()]
    assert values and layer.penalty() > 0


@every_case
def test_derivatives(case):
    layer, V, _ = make(case)
    names = [n for n, _ in layer.named_parameters()]
    x = torch.randn(2, 2, V.dimension, dtype=torch.float64)

    def f(*values):
        parameters = dict(zip(names, values))
        y = torch.func.functional_call(layer, parameters, (x,))
        penalty = torch.func.functional_call(_Penalty(layer), {f"layer.{k}": v for k, v in parameters.items()}, ())
        return y, penalty

    values = tuple(p.detach().clone().requires_grad_() for p in layer.parameters())
    assert torch.autograd.gradcheck(f, values, fast_mode=True)


class _Penalty(torch.nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self):
        return self.layer.penalties()


# --- The layer -----------------------------------------------------------------------------------------------------------------


@every_case
def test_starts_equivariant_and_may_leave(case):
    layer, V, U = make(case, normal=False)
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64)
    assert layer.penalty() == 0 and layer.defect() == 0
    torch.testing.assert_close(layer(x), layer.symmetrized()(x))
    assert check_equivariance(layer, V, U, 2)
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    assert not check_equivariance(layer, V, U, 2)
    H = V.group.subgroup(case[-1])
    assert check_equivariance(layer, V.restrict(H), U.restrict(H), 2)
    W, b = layer.weight(), layer.bias_vector()
    torch.testing.assert_close(layer(x).flatten(1), x.flatten(1) @ W.t() + b)
    torch.testing.assert_close(layer.fold()(x.flatten(1)), layer(x).flatten(1))


@every_case
def test_from_dense_and_back(case):
    layer, V, U = make(case)
    chain = [V.group.subgroup(g) for g in case[3:]]
    back, residual = RelaxedLinear.from_dense(layer.fold(), V, U, chain, 2, 1)
    assert residual < 1e-12
    for a, b in zip(back.parameters(), layer.parameters()):
        torch.testing.assert_close(a, b)
    dense = torch.nn.Linear(2 * V.dimension, U.dimension, dtype=torch.float64)
    free, residual = RelaxedLinear.from_dense(dense, V, U, V.group.subgroup([]), 2, 1)
    assert residual < 1e-12
    torch.testing.assert_close(free.weight(), dense.weight)
    assert free.defect() > 0.1


def test_a_defect_is_what_hom_says():
    V = Group("S4").rep("perm")
    dense = torch.nn.Linear(4, 4, bias=False, dtype=torch.float64)
    free, _ = RelaxedLinear.from_dense(dense, V, V, V.group.subgroup([]))
    assert free.defect() == pytest.approx((V >> V).residual(dense.weight.detach().numpy()), rel=1e-12)


def test_training_finds_the_symmetry_that_is_there():
    """A map that commutes with the rotations of a square, and not with its reflections, seen with noise."""
    G = Group("D4")
    V = G.rep("perm")
    rotations, none = G.subgroup(["(1,2,3,4)"]), G.subgroup([])
    target = torch.roll(torch.eye(4), 1, 0) + 0.3 * torch.eye(4)
    x = torch.randn(30, 1, 4)
    y = x @ target.t() + 0.5 * torch.randn(30, 1, 4)
    norms = {}
    for weight in (0.0, 0.2):
        layer = RelaxedLinear(V, V, [rotations, none], bias=False)
        optimiser = torch.optim.Adam(layer.parameters(), lr=0.05)
        schedule = torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.97)
        for _ in range(200):
            optimiser.zero_grad()
            steps = layer.penalties().add(1e-12).sqrt()  # of norms, not squares: a step that is not needed goes to zero
            ((layer(x) - y).pow(2).mean() + weight * steps.sum()).backward()
            optimiser.step()
            schedule.step()
        norms[weight] = layer.penalties().sqrt().tolist()
    assert norms[0.0][1] > 0.1  # noise is learnt where nothing forbids it
    assert norms[0.2][1] < 0.1 * norms[0.0][1]
    assert norms[0.2][0] > 0.5  # |target - its mean over D4| = 1.41


def test_compile_and_export():
    for case, backend in ((CASES[3], "aot_eager"), (CASES[7], "eager")):
        layer, V, _ = make(case)
        x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
        compiled = torch.compile(lambda x, layer=layer: (layer(x), layer.penalty()), fullgraph=True, backend=backend)
        y, penalty = compiled(x)
        torch.testing.assert_close((y, penalty), (layer(x), layer.penalty()))
        ours, theirs = (
            torch.autograd.grad(a.sum() + b, list(layer.parameters()))
            for a, b in ((y, penalty), (layer(x), layer.penalty()))
        )
        torch.testing.assert_close(ours, theirs)
    layer, V, _ = make(CASES[2])
    program = torch.export.export(
        layer, (torch.randn(5, 2, V.dimension, dtype=torch.float64),), dynamic_shapes=({0: torch.export.Dim("batch")},)
    )
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(program.module()(x), layer(x))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"])
def test_copies_and_state(copied):
    layer, V, U = make(CASES[2])
    twin = copied(layer)
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64)
    assert torch.equal(twin(x), layer(x)) and torch.equal(twin.penalty(), layer.penalty())
    assert list(layer.state_dict()) == ["theta", "bias", "theta_relaxed", "bias_relaxed", "_extra_state"] and not list(
        layer.buffers()
    )
    fresh, *_ = make(CASES[2])
    fresh.load_state_dict(layer.state_dict())
    assert torch.equal(fresh(x), layer(x))
    assert layer.to(torch.float32)(x.float()).dtype == torch.float32
    assert layer.to("meta")(x.float().to("meta")).shape == (3, 1, U.dimension)


def test_a_checkpoint_of_another_subgroup_is_refused():
    G = Group("S4")
    V = G.rep("perm")
    one, other = (RelaxedLinear(V, V, G.subgroup([g])) for g in ("(1,2)", "(3,4)"))
    assert one.theta_relaxed.shape == other.theta_relaxed.shape
    before = other.theta.detach().clone()
    with pytest.raises(VerificationError, match="build the layer from the representations"):
        other.load_state_dict(one.state_dict())
    assert torch.equal(before, other.theta)
    with pytest.raises(VerificationError):
        Linear(V, V).load_state_dict(one.state_dict(), strict=False)


def test_the_group_itself_relaxes_nothing():
    G = Group("S4")
    V = G.rep("perm^2")
    layer = RelaxedLinear(V, V, G, 2, 3, bias=False)
    assert layer.steps == ((0, 0),) and layer.theta_relaxed.numel() == 0 and layer.bias_relaxed is None
    reference = Linear(V, V, 2, 3, bias=False)
    reference.load_state_dict({"theta": layer.theta.detach()}, strict=False)
    x = torch.randn(2, 2, 16)
    torch.testing.assert_close(layer(x), reference(x))
    assert layer.penalty() == 0 and layer.symmetrized().theta.equal(layer.theta)


def test_repr_and_bad_input():
    G = Group("S4")
    V = G.rep("perm")
    layer = RelaxedLinear(V, V, [Group("D4"), Group("C4")])
    assert repr(layer) == (
        "RelaxedLinear(perm -> perm, S4 > D4 > C4, 1 -> 1 channels, 2 + 1 + 1 parameters a pair, 1 + 0 + 0 bias parameters, mode='automatic')"
    )
    for wrong in (Group("S5"), Group("C5"), Group("S6")):
        with pytest.raises(DomainError, match="is not a subgroup of S4"):
            RelaxedLinear(V, V, wrong)
    with pytest.raises(DomainError, match="C4 is not a subgroup of .*or|D4 is not a subgroup of C4"):
        RelaxedLinear(V, V, [Group("C4"), Group("D4")])
    with pytest.raises(DomainError, match="chain of subgroups is empty"):
        RelaxedLinear(V, V, [])
    with pytest.raises(DomainError, match="different groups"):
        RelaxedLinear(V, Group("D4").rep("perm"), Group("C4"))
    with pytest.raises(DomainError, match="needs two tables"):
        RelaxedLinear.from_table((V >> V).table())
    with pytest.raises(DomainError, match=r"need \[4, 8\]"):
        RelaxedLinear.from_dense(torch.nn.Linear(4, 4), V, V, Group("C4"), 2, 1)
    with pytest.raises(DomainError, match=r"takes \[..., 1, 4\]"):
        layer(torch.zeros(2, 4, 1))


EQUAL = [
    ("2*perm + 2*sign", "perm"), ("perm", "2*perm + 2*sign"), ("2*(perm + sign)", "2*perm"),
    ("2*(perm + sign) + trivial", "2*perm + 2*sign"),
]  # fmt: skip


@pytest.mark.parametrize("V, U", EQUAL)
def test_sums_whose_multiplicities_are_equal(V, U):
    """In the coordinates of V and U: under G at the start, under H whatever the parameters are."""
    G = Group("S4")
    H = G.stabilizer(0)
    V, U = G.rep(V), G.rep(U)
    layer = RelaxedLinear(V, U, H, 1, 2, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    assert check_equivariance(layer, V, U) and layer.penalty() == 0
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    assert check_equivariance(layer, V.restrict(H), U.restrict(H)) and not check_equivariance(layer, V, U)
    assert len(layer.theta) * layer.theta.shape[2] * layer.theta.shape[1] == 2 * (V >> U).dimension
    assert (layer.theta.numel() + layer.theta_relaxed.numel()) == 2 * (V.restrict(H) >> U.restrict(H)).dimension


# --- Strength ----------------------------------------------------------------------------------------------------------------


def test_a_strength_multiplies_the_rest():
    V = Group("D4").rep("perm")
    chain = [V.group.subgroup(["(1,2,3,4)"]), V.group.subgroup([])]
    torch.manual_seed(0)
    whole = RelaxedLinear(V, V, chain, 2, 3, dtype=torch.float64)
    for p in whole.parameters():
        torch.nn.init.normal_(p)
    x = torch.randn(5, 2, 4, dtype=torch.float64)
    parts = whole.penalties()
    for given, each in [(0.5, (0.5, 0.5)), ((2.0, 0.25), (2.0, 0.25)), ("learnt", (1.0, 1.0)), (0, (0.0, 0.0))]:
        layer = RelaxedLinear(V, V, chain, 2, 3, strength=given, dtype=torch.float64)
        learnt = {"strength": torch.ones(2, dtype=torch.float64)} if given == "learnt" else {}
        layer.load_state_dict({**whole.state_dict(), **learnt})
        torch.testing.assert_close(layer.penalties(), parts * torch.tensor(each, dtype=torch.float64).square())
        even = whole.symmetrized()(x)
        if given == 0.5:
            torch.testing.assert_close(layer(x), even + (whole(x) - even) / 2)
        assert bool(check_equivariance(layer, V, V, 2)) == (given == 0)
    layer.strength = 1.0
    torch.testing.assert_close(layer(x), whole(x))
    layer.strength = "much"
    with pytest.raises(DomainError, match="strength is a number, one for each group of the chain, or 'learnt'"):
        layer(x)


def test_a_learnt_strength_learns_and_is_kept():
    V = Group("S3").rep("perm")
    layer = RelaxedLinear(V, V, V.group.subgroup([]), strength="learnt", dtype=torch.float64)
    assert [n for n, _ in layer.named_parameters()] == ["theta", "bias", "theta_relaxed", "bias_relaxed", "strength"]
    assert "strength learnt" in repr(layer)
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    values = tuple(p.detach().clone().requires_grad_() for p in layer.parameters())
    x = torch.randn(2, 1, 3, dtype=torch.float64)
    names = [n for n, _ in layer.named_parameters()]
    f = lambda *v: torch.func.functional_call(layer, dict(zip(names, v)), (x,))  # noqa: E731
    assert torch.autograd.gradcheck(f, values)
    twin = copy.deepcopy(layer)
    assert torch.equal(twin(x), layer(x)) and torch.equal(pickle.loads(pickle.dumps(layer))(x), layer(x))
    linear = Linear(V, V, dtype=torch.float64)
    layer.load_state_dict(linear.state_dict())
    assert torch.equal(layer.strength, torch.ones(1, dtype=torch.float64)) and layer.penalty() == 0
    torch.testing.assert_close(layer(x), linear(x))
    layer.reset_parameters()
    assert layer.strength.item() == 1


def test_strengths_that_do_not_fit_are_refused():
    V = Group("S3").rep("perm")
    H = V.group.subgroup([])
    for wrong, said in [
        ((1.0, 2.0), "1 groups in the chain and 2 strengths"), ("free", "not 'free'"), (float("nan"), "not nan"), (True, "not True"),
    ]:  # fmt: skip
        with pytest.raises(DomainError, match=said):
            RelaxedLinear(V, V, H, strength=wrong)


def test_what_has_no_strength_is_lost_from_dense_layers():
    V = Group("S3").rep("perm")
    H = V.group.subgroup([])
    dense = torch.nn.Linear(3, 3, dtype=torch.float64)
    free, lost = RelaxedLinear.from_dense(dense, V, V, H)
    assert lost < 1e-12
    none = RelaxedLinear(V, V, H, strength=0.0, dtype=torch.float64)
    assert none._project(dense.weight, dense.bias) == pytest.approx(free.defect(), rel=1e-9)


def test_complex_parameters():
    V = Group("D4").rep("perm")
    layer = RelaxedLinear(V, V, V.group.subgroup([]), dtype=torch.complex128)
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    W, b = layer.weight().detach(), layer.bias_vector().detach()
    even = layer.symmetrized()
    gone = (W - even.weight()).abs().square().sum() + (b - even.bias_vector()).abs().square().sum()
    assert layer.penalty().item() == pytest.approx(float(gone), rel=1e-12)
    size = W.abs().square().sum() + b.abs().square().sum()
    assert layer.defect() == pytest.approx(float(gone / size) ** 0.5, rel=1e-12)
    back, lost = RelaxedLinear.from_dense(layer.fold(), V, V, V.group.subgroup([]))
    assert lost < 1e-12
    torch.testing.assert_close(back.weight(), W)
