"""Gated, norm and sampled activations, and which are allowed."""

import copy
import pickle
import re
from fractions import Fraction

import numpy
import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    Activation,
    BatchNorm,
    CompositeActivation,
    Dropout,
    GatedActivation,
    InvariantPool,
    LayerNorm,
    Linear,
    NormActivation,
    RMSNorm,
    SampledActivation,
    TransformerBlock,
    allowed_activations,
    check_equivariance,
)
from test_nn_norm import DOUBLE, FIELDS, numbers, randomised
from torch import nn

every_field = pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))


@every_field
def test_gated_and_norm_activations_are_equivariant(group, V):
    V, _ = representations(group, V, V)
    gated, norm = GatedActivation(V), randomised(NormActivation(V, torch.tanh, 3, **DOUBLE))
    blocks = gated.source.dimension - V.dimension
    assert norm.bias.shape == (blocks, 3) and list(norm.state_dict()) == ["bias"] and not gated.state_dict()
    assert check_equivariance(gated, gated.source, gated.target, 3)
    assert check_equivariance(norm, V, V, 3)
    net = nn.Sequential(Linear(V, gated.source, 2, 3, **DOUBLE), gated, norm)
    assert check_equivariance(net, V, V, 2)
    x = torch.randn(4, 2, V.dimension, **DOUBLE)
    assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(net)))(x), net(x))


def test_gated_and_norm_activations_that_are_known():
    V, _ = representations("C2", "regular + sign", "sign")
    x = torch.tensor([[3.0, -4, 2, 0.0, 100.0]])  # the last two are the scalars
    torch.testing.assert_close(GatedActivation(V)(x), torch.tensor([[1.5, -2, 2]]))
    torch.testing.assert_close(GatedActivation(V, torch.relu)(x), torch.tensor([[0.0, 0, 200]]))
    norm = NormActivation(V)
    with torch.no_grad():
        norm.bias.copy_(torch.tensor([[-2.5], [-2.5]]))
    torch.testing.assert_close(norm(x[:, :3]), torch.tensor([[1.5, -2, 0]]), atol=1e-5, rtol=0)
    plain = NormActivation(V, bias=False)
    torch.testing.assert_close(plain(x[:, :3]), x[:, :3])
    zero = torch.zeros(1, 3, requires_grad=True)
    plain(zero).sum().backward()
    assert torch.isfinite(zero.grad).all()


def test_gradients():
    V, _ = representations("S3", "std + sign", "sign")
    norm = randomised(NormActivation(V, torch.tanh, 2, axes=1, **DOUBLE))
    f = lambda x, bias: torch.func.functional_call(norm, {"bias": bias}, (x,))  # noqa: E731
    x = torch.randn(1, 2, 3, 2, requires_grad=True, **DOUBLE)
    assert torch.autograd.gradcheck(f, (x, norm.bias)) and torch.autograd.gradgradcheck(
        f, (x, norm.bias), fast_mode=True
    )
    assert torch.autograd.gradcheck(norm, (torch.zeros(1, 2, 3, 2, requires_grad=True, **DOUBLE),))  # smooth at 0
    gated, sampled = GatedActivation(V, axes=1), SampledActivation(V, torch.tanh, axes=1)
    assert torch.autograd.gradcheck(gated, (torch.randn(1, 2, 5, 2, requires_grad=True, **DOUBLE),))
    assert torch.autograd.gradcheck(sampled, (x,))


def test_activations_on_grids():
    V, _ = representations("D4", "regular + 2*irrep(5)", "sign")
    norm = randomised(NormActivation(V, torch.tanh, 2, axes=2, **DOUBLE))
    assert check_equivariance(norm, V, V, 2, grid=(3, 3))
    gated = GatedActivation(V, axes=2)
    assert check_equivariance(gated, gated.source, V, 2, grid=(3, 3))
    V = Group("D4").rep("irrep(5)")
    sampled = SampledActivation(V, nn.PReLU(2, **DOUBLE), channels=2, axes=2)
    assert check_equivariance(sampled, V, V, 2, grid=(3, 3), backward=False)  # the kink of PReLU at 0 has no gradient


# --- Samples ----------------------------------------------------------------------------------------------------------------


SAMPLED = [
    ("S4", "std", None),
    ("A5", "irrep(2)", None),
    ("D4", "irrep(5) + sign", None),
    ("S5", "sym(2, std)", None),
    ("S4", "std", "perm"),
    ("S4", "2*std + 2*trivial", "2*regular"),
    ("A5", "irrep(2)", "cosets(<(1,2,3,4,5)>)"),
]


@pytest.mark.parametrize("group, V, samples", SAMPLED)
def test_sampled_activations_are_exact(group, V, samples):
    V, _ = representations(group, V, V)
    W = samples and V.group.rep(samples)
    layer = SampledActivation(V, torch.tanh, W)
    assert layer.exact and layer.error == 0 and layer.samples == (W.dimension if W else V.group.order)
    assert check_equivariance(layer, V, V, 3)
    S, T = (layer._constants.on(torch.device("cpu"))[name] for name in "ST")
    torch.testing.assert_close(T @ S, torch.eye(V.dimension, **DOUBLE))
    for g in V.group.generators:  # S is an equivariant map
        torch.testing.assert_close(S @ numbers(V, g), numbers(W or V.group.rep("regular"), g) @ S)
    identity = SampledActivation(V, lambda x: x, W)
    x = torch.randn(200, 2, V.dimension, **DOUBLE)
    torch.testing.assert_close(identity(x), x)
    assert not layer.state_dict() and 0.3 < float((x @ S.t()).var()) < 3
    assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(layer)))(x), layer(x))
    assert not check_equivariance(torch.relu, V, V)  # what it is there for


def test_sampled_activations_of_random_elements_state_their_error():
    V, _ = representations("S6", "std", "std")
    errors = []
    for count in (10, 80, 640):
        layer = SampledActivation(V, torch.relu, count)
        assert not layer.exact and layer.samples == count
        errors.append(layer.error)
        assert SampledActivation(V, torch.relu, count).error == layer.error
        # Measured again, on other inputs and all elements of a few: the stated error is that.
        x = torch.randn(400, 1, 5, **DOUBLE)
        y, found = layer(x), []
        for k in range(20, 30):
            g = numbers(V, V.group.random_element(k)).t()
            found.append(float((layer(x @ g) - y @ g).square().mean() / y.square().mean()))
        assert numpy.sqrt(numpy.mean(found)) == pytest.approx(layer.error, rel=0.5)
    assert errors[0] > 2 * errors[1] > 3 * errors[2] > 0
    assert not check_equivariance(layer, V, V)
    identity = SampledActivation(V, lambda x: x, 40)
    assert identity.error < 1e-12 and check_equivariance(identity, V, V)


def test_sampled_activations_refuse_bad_input():
    V, U = representations("S4", "std", "perm^2")
    for call, words in [
        (
            lambda: SampledActivation(U, torch.relu),
            r"contains irrep\(1\) 2 times, and functions on the samples of regular only 1 time",
        ),
        (lambda: SampledActivation(4 * V, torch.relu), "4 times, and functions on the samples of regular only 3"),
        (lambda: SampledActivation(V, torch.relu, V), "not permuted by the group"),
        (lambda: SampledActivation(V, torch.relu, Group("D4").rep("regular")), "different groups"),
        (lambda: SampledActivation(V, lambda x: x.cumsum(-1)), "not a function of each sample alone"),
        (lambda: SampledActivation(V, torch.relu, 24), "leave samples out"),
        (lambda: SampledActivation(V, torch.relu, 2), "use at least 3"),
        (lambda: SampledActivation(V, torch.relu, 0), "samples is a positive integer"),
        (lambda: SampledActivation(Group("C3").irrep(1), torch.relu), "take V.real"),
        (lambda: SampledActivation(V, torch.relu)(torch.randn(2, 4)), r"takes \[..., channels, 3\]"),
        (lambda: GatedActivation(V)(torch.randn(2, 1, 3)), r"takes \[..., channels, 4\]"),
        (lambda: NormActivation(V, channels=0), "channels is a positive integer"),
        (lambda: NormActivation(V, eps=0), "eps is a positive number"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()


# --- What is allowed --------------------------------------------------------------------------------------------------------


def test_allowed_activations():
    def allowed(group, V):
        rules = allowed_activations(Group(group).rep(V))
        assert all(rule.reason and str(rule).startswith("yes" if rule else "no") for rule in rules.values())
        return [name for name, rule in rules.items() if rule]

    assert allowed("S4", "perm^2") == ["pointwise", "odd", "gated", "norm", "sampled"]
    assert allowed("B3", "coordinates") == ["odd", "gated", "norm", "sampled"]
    assert allowed("S4", "perm + std") == ["gated", "norm", "sampled"]
    assert allowed("C3", "irrep(2)") == []
    rules = allowed_activations(Group("S4").rep("std"))
    assert (
        "mixes 3 coordinates" in rules["pointwise"].reason
        and "take V.real" in allowed_activations(Group("C3").irrep(1))["norm"].reason
    )
    assert Group("S4").rep("std").allowed_activations() == rules  # the representation says the same
    harmonic = Group("SO(3)").rep("vector")
    assert (
        harmonic.allowed_activations() == allowed_activations(harmonic)
        and not harmonic.allowed_activations()["sampled"]
    )
    # They say what Activation does.
    for group, V in FIELDS + [("D4", "sign"), ("D4", "irrep(5)"), ("S4", "std")]:
        V, _ = representations(group, V, V)
        for f, rule in ((torch.relu, "pointwise"), (torch.tanh, "odd")):
            try:
                Activation(V, f)
                passed = True
            except DomainError:
                passed = False
            assert passed == bool(allowed_activations(V)[rule]), (group, str(V), rule)


# --- One rule for every group ------------------------------------------------------------------------------------------------

# With what all coordinates are under: permuted, permuted up to signs, or mixed.
RULES = [
    ("S4", "perm + 2*trivial", "permuted"), ("S4", "perm + sign", "signed"), ("S4", "std", "mixed"), ("C3", "irrep(2)", "complex"),
    ("O(3)", "trivial", "permuted"), ("O(3)", "3*trivial + det", "signed"), ("O(3)", "vector", "mixed"), ("O(2)", "2*det", "signed"),
    ("O(1)", "vector", "signed"), ("SO(3)", "trivial + vector", "mixed"), ("SU(2)", "2*trivial", "permuted"),
    ("S5 x O(3)", "perm # trivial", "permuted"), ("S5 x O(3)", "perm # det + trivial # trivial", "signed"), ("S5 x O(3)", "std # det", "mixed"),
    ("S5 x O(3)", "perm # vector", "mixed"), ("C4 x SO(2)", "2*(perm # trivial)", "permuted"), ("O(1,3)", "det + trivial", "signed"),
    ("O(1,3)", "vector", "mixed"), ("SO+(1,3)", "trivial", "permuted"), ("GL(3)", "vector + 2*trivial", "mixed"), ("GL(1)", "vector", "mixed"),
    ("SL(3)", "adjoint", "mixed"), ("Sp(4)", "vector", "mixed"), ("S3 x O(1,3)", "perm # trivial", "permuted"),
]  # fmt: skip
every_rule = pytest.mark.parametrize("group, V, shape", RULES, ids=lambda text: text.replace(" ", ""))
ODD = (torch.tanh, torch.nn.Tanh(), torch.sin, lambda x: x**3)
OTHERS = (torch.relu, torch.nn.SiLU(), torch.sigmoid, torch.cos)


@every_rule
def test_activations_pass_where_the_rule_says_so(group, V, shape):
    V = Group(group).rep(V)
    rules = allowed_activations(V)
    assert bool(rules["pointwise"]) == (shape == "permuted") and bool(rules["odd"]) == (shape in ("permuted", "signed"))
    assert all(rule.reason and "\n" not in rule.reason for rule in rules.values())
    if shape == "complex":
        assert not any(rules.values()) and all("not real" in rule.reason for rule in rules.values())
        return
    for f in (*ODD, *OTHERS):
        if rules["pointwise"] or (rules["odd"] and f in ODD):
            assert check_equivariance(Activation(V, f), V, V, 2)
        elif f is not torch.relu or V.dimension > 1 or rules["odd"]:  # which commutes with positive numbers
            with pytest.raises(DomainError, match=r"does not commute with .*(must be odd|; use )"):
                Activation(V, f)
    assert Activation(V, nn.Identity())  # which is no function of the rule, and commutes with everything


COMPOSITE = [
    ("S4", "perm + 2*sign + std", "perm + 2*sign + std + trivial"),
    ("O(3)", "3*trivial + 2*det + 2*vector", "3*trivial + 2*det + 2*vector + 2*trivial"),
    ("S4 x O(3)", "perm # (trivial + det + vector)", "perm # (trivial + det + vector) + perm # trivial"),
    ("SO+(1,3)", "vector + trivial", "vector + 2*trivial"),
    ("B3", "coordinates + perm", "coordinates + perm"),
]


@pytest.mark.parametrize("group, V, source", COMPOSITE, ids=[f"{c[0]}-{c[1]}".replace(" ", "") for c in COMPOSITE])
def test_composite_activations(group, V, source):
    G = Group(group)
    V, source = G.rep(V), G.rep(source)
    act = CompositeActivation(V, axes=1)
    assert act.source.dimension == source.dimension and (act.source >> source).dimension == (source >> source).dimension
    assert check_equivariance(CompositeActivation(V), act.source, V, 3)
    x = torch.randn(4, 3, source.dimension, 5, **DOUBLE)
    torch.testing.assert_close(act(x), CompositeActivation(V)(x.movedim(-1, 1)).movedim(1, -1))
    assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(act)))(x), act(x))
    assert torch.autograd.gradgradcheck(act, (torch.zeros(1, 1, source.dimension, 1, **DOUBLE).requires_grad_(),))


def test_composite_activations_that_are_known():
    V = Group("O(3)").rep("vector + det + trivial")
    x = torch.tensor([[3.0, 0, 4, 0.5, -2, 1]], **DOUBLE)
    f = nn.functional.silu
    wanted = torch.cat((x[:, :3] * x[:, 5:].sigmoid(), x[:, 3:4].tanh(), f(x[:, 4:5])), 1)
    torch.testing.assert_close(CompositeActivation(V)(x), wanted)
    for call, words in [
        (lambda: CompositeActivation(V, odd=torch.relu), "relu is not an odd function of each coordinate .*such as torch.tanh"),
        (lambda: CompositeActivation(V, scalars=lambda x: x.cumsum(-1)), "is not a function of each coordinate"),
        (lambda: CompositeActivation(Group("SU(2)").rep("vector")), "are not real"),
        (lambda: CompositeActivation(V)(torch.randn(2, 5)), r"takes \[..., channels, 6\]"),
    ]:  # fmt: skip
        with pytest.raises(DomainError, match=words):
            call()
    assert CompositeActivation(Group("O(3)").rep("vector"), odd=torch.relu)  # which is not used


def test_a_monomial_matrix_of_other_numbers_is_no_permutation():
    V = Group("C2").matrix_rep([[[0, 2], [Fraction(1, 2), 0]]])
    rules = allowed_activations(V)
    assert not rules["pointwise"] and not rules["odd"] and "takes coordinate" in rules["odd"].reason
    with pytest.raises(DomainError, match="takes coordinate 2 to 2 times coordinate 1"):
        Activation(V, torch.tanh)


# Norms are refused with these sentences.
@pytest.mark.parametrize(
    "group, V, reason",
    [
        ("O(1,3)", "vector + 2*trivial", ""), ("SL(3)", "adjoint + trivial", ""), ("S3 x O(1,3)", "perm # vector + std # trivial", ""),
        ("SO+(1,3)", "vector + vector*vector", r"keeps 4 on .*, at coordinate 5: write the field as a sum"),
        ("GL(3)", "vector + dual(vector)", "keeps none on"), ("Sp(4)", "2*vector", "keeps only antisymmetric ones"),
    ],
)  # fmt: skip
def test_groups_that_are_not_compact(group, V, reason):
    """Gates, dropout and attention need no form; norms say that they do."""
    V = Group(group).rep(V)
    rules = allowed_activations(V)
    assert rules["gated"] and bool(rules["norm"]) == (reason == "")
    assert re.search(reason or r"indefinite form with the signs \((1, 3|5, 3)\)", rules["norm"].reason)
    gated = GatedActivation(V)
    assert check_equivariance(gated, gated.source, V, 3)
    torch.manual_seed(0)
    assert check_equivariance(Dropout(V).eval(), V, V, 3)
    x, dropout = torch.randn(50, 4, V.dimension, **DOUBLE), Dropout(V, 0.5)
    g = numbers(V, V.group.random_element(1))
    torch.manual_seed(1)
    y = dropout(x) @ g.t()
    torch.manual_seed(1)
    torch.testing.assert_close(dropout(x @ g.t()), y)
    assert 0.2 < float((y == 0).double().mean()) < 0.8
    for kind in (LayerNorm, RMSNorm, BatchNorm, NormActivation, lambda V, n: InvariantPool(V, "norm")):
        if reason:
            with pytest.raises(DomainError, match=f"norms need .* {reason}.* GatedActivation and Dropout"):
                kind(V, channels=2) if isinstance(kind, type) else kind(V, 2)
        elif isinstance(kind, type):
            module = randomised(kind(V, channels=2, **DOUBLE)).eval()
            x = torch.randn(5, 2, V.dimension, **DOUBLE)
            torch.testing.assert_close(module(x @ g.t()), module(x) @ g.t())
    block = randomised(TransformerBlock(V, 2, 1, hidden=2, norm=None, activation=gated, **DOUBLE))
    x = torch.randn(2, 3, 2, V.dimension, **DOUBLE) / 4
    torch.testing.assert_close(block(x @ g.t()), block(x) @ g.t(), rtol=1e-6, atol=1e-6)


INDEFINITE = [
    ("SO+(1,3)", "vector", [1.0, 1, 0, 0], (1, 3)),
    ("SL(2)", "sym(2, vector)", [1.0, 0, 0], (2, 1)),
    ("SL(2)", "sym(4, vector)", [1.0, 0, 0, 0, 0], (3, 2)),
    ("S3 x SO+(1,3)", "perm # vector", [1.0, 1, 0, 0, 0, 1, 0, 1, 2, 0, 0, 0], (1, 3)),
]


@pytest.mark.parametrize(
    "group, V, null, signs", INDEFINITE, ids=[f"{f[0]}-{f[1]}".replace(" ", "") for f in INDEFINITE]
)
def test_norms_by_an_indefinite_form(group, V, null, signs):
    V = Group(group).rep(V)
    modules = [
        InvariantPool(V, "norm"), InvariantPool(V, "square"), NormActivation(V, torch.tanh, 2, **DOUBLE),
        LayerNorm(V, 2, **DOUBLE), RMSNorm(V, 2, **DOUBLE), BatchNorm(V, 2, **DOUBLE),
    ]  # fmt: skip
    for module in map(randomised, modules):
        assert {kind.signature for kind in module._structure.kinds} <= {signs, (3, 9)}
        U = getattr(module, "target", V)
        for k in range(4):
            A, B = (numbers(R, V.group.random_element(k)) for R in (V, U))
            x = torch.randn(5, 2, V.dimension, **DOUBLE)
            torch.testing.assert_close(module(x @ A.t()), module(x) @ B.t(), rtol=1e-9, atol=1e-9)
            # negative control: the sum of squares is no invariant
            assert k or not torch.allclose((x @ A.t()).square().sum(-1), x.square().sum(-1), rtol=0.01)
        module.eval()
        for dtype in (torch.float64, torch.float32):  # finite to the third derivative, at zero and at null vectors
            for at in ([0.0] * V.dimension, null):
                x = torch.tensor(at, dtype=dtype).expand(1, 2, -1).contiguous().requires_grad_()
                value = module.to(dtype)(x).sum()
                for _ in range(3):
                    (first,) = torch.autograd.grad(value, x, create_graph=True, allow_unused=True)
                    assert first is None or first.isfinite().all()
                    if first is None or not first.requires_grad:  # of a polynomial
                        break
                    value = (first * torch.linspace(0.3, 1.1, V.dimension, dtype=dtype)).sum()


def test_norms_by_the_metric_of_minkowski():
    """<x, x> = t^2 - r^2, and its sign is that of the first vector."""
    V = Group("SO+(1,3)").rep("vector")
    x = torch.tensor([[[3.0, 0, 1, 2], [1.0, 2, 2, 1], [2.0, 2, 0, 0]]], **DOUBLE).unsqueeze(0)
    torch.testing.assert_close(InvariantPool(V, "square")(x)[..., 0], torch.tensor([[[4.0, -8, 0]]], **DOUBLE))
    sizes = InvariantPool(V, "norm", eps=1e-6)(x)[..., 0]
    torch.testing.assert_close(sizes, torch.tensor([[[2.0, 8**0.5, 1e-3]]], **DOUBLE))
    y = NormActivation(V, torch.tanh, bias=False, eps=1e-9)(x)
    torch.testing.assert_close(y[0, 0, :2], x[0, 0, :2] * (sizes.tanh() / sizes)[0, 0, :2, None])


def test_means_of_groups_that_are_not_compact():
    """The projection onto fixed vectors is that of the group: of x y^T the trace with the metric."""
    V = Group("O(1,3)").rep("vector*vector + 2*trivial + vector")
    pool = InvariantPool(V, "mean")
    assert pool.target.dimension == 3 and check_equivariance(pool, V, pool.target, 2)


def test_large_types_of_continuous_groups_take_no_exponentials():
    """Where coordinates are permuted up to signs, the generators' own permutations are tried: exact, and at once."""
    V = Group("S5 x O(3)").rep("400*(perm # trivial) + 3*(perm # det)")
    assert Activation(V, torch.tanh)
    with pytest.raises(DomainError, match="must be odd"):
        Activation(V, torch.relu)
    with pytest.raises(DomainError, match=r"f\(g x\) and g f\(x\) differ"):
        Activation(Group("S5 x O(3)").rep("400*(perm # trivial)"), lambda x: x * torch.arange(2000))
    with pytest.raises(DomainError, match="does not take inputs"):
        Activation(V, nn.Linear(3, 3))
