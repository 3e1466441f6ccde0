"""Layers of complex numbers: Linear of every form against the dense layer, and complex groups that act on its fields."""

import copy
import io

import numpy
import pytest

from layers_for_tests import CASES, dense, make, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    AvgPool2d,
    BatchNorm,
    Bilinear,
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose2d,
    CosetPool,
    Dropout,
    Embedding,
    GatedActivation,
    InvariantPool,
    LayerNorm,
    Linear,
    MaxPool2d,
    NormActivation,
    PolynomialLayer,
    RMSNorm,
    SteerableConv2d,
    TensorProduct,
    Upsample,
    _linear,
    check_equivariance,
)
from torch.autograd import gradcheck, gradgradcheck

C = torch.complex128
every_case = pytest.mark.parametrize("case", CASES, ids=["{} {} to {}".format(*c[:3]) for c in CASES])


def randomised(layer):
    with torch.no_grad():
        for p in layer.parameters():
            p.normal_()
    return layer


@every_case
@pytest.mark.parametrize("mode", ["automatic", "implicit", "torch"])
def test_values_and_gradients_against_a_dense_layer(case, mode):
    layer, V, U = make(case, mode=mode, dtype=C)
    randomised(layer)
    assert {p.dtype for p in layer.parameters()} == {C}
    x = torch.randn(5, 3, case[3], V.dimension, dtype=C, requires_grad=True)
    expected, W = dense(layer, x)
    bias = layer.bias_vector().reshape(case[4], -1)
    torch.testing.assert_close(layer(x), expected + bias)
    torch.testing.assert_close(layer.weight(), W)
    g = torch.randn_like(expected)
    wanted = [x, layer.theta, layer.bias]
    ours = torch.autograd.grad(layer(x), wanted, g, materialize_grads=True)
    theirs = torch.autograd.grad(expected + bias, wanted, g, materialize_grads=True)
    torch.testing.assert_close(ours, theirs)
    again, distance = Linear.from_dense(layer.fold(), V, U, case[3], case[4])
    assert distance < 1e-12 and again.theta.dtype == C
    torch.testing.assert_close(again(x), layer(x))
    assert check_equivariance(layer, V, U)


def test_a_real_layer_is_the_real_part():
    """Of real parameters and real inputs the output is that of the real layer; of others it is linear over C."""
    V = Group("S4").rep("perm + std")
    real, layer = make(("S4", "perm + std", "perm", 2, 3))[0], Linear(V, Group("S4").rep("perm"), 2, 3, dtype=C)
    with torch.no_grad():
        layer.theta.copy_(real.theta)
        layer.bias.copy_(real.bias)
    x = torch.randn(4, 2, V.dimension, dtype=torch.float64)
    y = layer(x.to(C))
    torch.testing.assert_close(y.real, real(x))
    assert not y.imag.any()
    z = torch.randn(4, 2, V.dimension, dtype=C)
    b = layer(torch.zeros_like(z))
    torch.testing.assert_close(layer(1j * z) - b, 1j * (layer(z) - b))


# Complex representations: maps that commute with their matrices are those of one table, with complex parameters.
@pytest.mark.parametrize(
    "group, V, U",
    [
        ("SU(2)", "vector", "vector + 2*trivial"), ("SU(2)", "vector*vector", "sym(2, vector)"), ("SU(3)", "vector + trivial", "dual(dual(vector))"),
        ("SU(3)", "vector*dual(vector)", "adjoint"), ("U(2)", "vector*det", "det*vector"), ("U(1)", "vector^2", "vector^2 + trivial"),
        ("S3 x SU(2)", "perm # vector", "perm # vector"), ("SO(3)", "vector", "harmonic(2)*vector"),
    ],
)  # fmt: skip
def test_fields_of_complex_groups(group, V, U):
    V, U = Group(group).rep(V), Group(group).rep(U)
    layer = randomised(Linear(V, U, 2, 3, dtype=C))
    report = check_equivariance(layer, V, U, backward=True)
    assert report and report.error < 1e-12 and report.argument, report
    for seed in range(3):
        g = V.group.random_element(seed)
        A, B = (torch.from_numpy(numpy.asarray(R.matrix(g), dtype=complex)) for R in (V, U))
        x = torch.randn(4, 2, V.dimension, dtype=C)
        torch.testing.assert_close(layer(x @ A.t()), layer(x) @ B.t())
    assert not check_equivariance(
        lambda x: x.conj(), Group("SU(2)").rep("vector"), Group("SU(2)").rep("vector"), dtype=C
    )
    single = copy.deepcopy(layer).to(torch.complex64)
    assert single(x.to(torch.complex64)).dtype == torch.complex64 and check_equivariance(single, V, U)


@pytest.mark.parametrize("case", [CASES[0], CASES[3], CASES[9]])
def test_derivatives_of_every_order(case):
    layer, V, _ = make(case, dtype=C)
    x = torch.randn(2, case[3], V.dimension, dtype=C, requires_grad=True)
    names = [n for n, p in layer.named_parameters() if p.numel()]
    given = [dict(layer.named_parameters())[n] for n in names]
    f = lambda x, *ps: torch.func.functional_call(layer, dict(zip(names, ps)), (x,))  # noqa: E731
    assert gradcheck(f, (x, *given), check_forward_ad=True) and gradgradcheck(
        f, (x[:1].detach().requires_grad_(), *given)
    )
    y, turned = torch.func.jvp(layer, (x,), (x,))
    torch.testing.assert_close(turned + layer(torch.zeros_like(x)), y)
    each = torch.func.vmap(torch.func.grad(lambda x: layer(x).abs().square().sum()))(x)
    torch.testing.assert_close(each, torch.func.grad(lambda x: layer(x).abs().square().sum())(x))


def test_compiled_exported_and_loaded():
    layer, V, _ = make(CASES[9], dtype=C)
    x = torch.randn(4, 2, V.dimension, dtype=C)
    program = torch.export.export(layer, (x,))
    torch.testing.assert_close(program.module()(x), layer(x))
    torch.testing.assert_close(torch.compile(layer, fullgraph=True, backend="aot_eager")(x), layer(x))
    file = io.BytesIO()
    torch.save(layer.state_dict(), file)
    file.seek(0)
    with torch.device("meta"):
        other, _, _ = make(CASES[9], dtype=C)
    other.load_state_dict(torch.load(file), assign=True)
    assert torch.equal(other(x), layer(x))
    real, _, _ = make(CASES[9])
    lifted = copy.deepcopy(real).to(C)(x)
    torch.testing.assert_close(lifted, real(x.real) + 1j * (real(x.imag) - real(torch.zeros_like(x.real))))


def test_the_start_has_the_variance_of_real_layers():
    V = Group("S4").rep("perm")
    layer = Linear(V, V, 64, 64, bias=False, dtype=C)
    y = layer(torch.randn(100, 64, 4, dtype=C))
    assert 0.9 < float(y.detach().abs().square().mean()) < 1.1


def test_bad_input():
    V = Group("S4").rep("perm")
    layer = Linear(V, V, dtype=C)
    with pytest.raises(DomainError, match=r"the input is torch.float64 and the layer torch.complex128"):
        layer(torch.randn(3, 1, 4, dtype=torch.float64))
    with pytest.raises(DomainError, match="floating-point dtype, not torch.int32"):
        Linear(V, V, dtype=torch.int32)
    with pytest.raises(DomainError, match="not torch.complex64; Linear, convolutions and products take complex ones"):
        SteerableConv2d(Group("SO(2)").rep("vector"), Group("SO(2)").rep("vector"), 1, 1, 3, dtype=torch.complex64)
    with pytest.raises(DomainError, match="an embedding is of a floating-point dtype, not torch.complex64"):
        Embedding(3, V, dtype=torch.complex64)
    image = torch.randn(2, 1, 8, 4, 4, dtype=C)
    for refused in (
        lambda: InvariantPool(V, "max")(torch.randn(2, 1, 4, dtype=C)), lambda: MaxPool2d(REGULAR, 2)(image),
        lambda: CosetPool(REGULAR, REGULAR.group)(torch.randn(2, 1, 8, dtype=C)),
    ):  # fmt: skip
        with pytest.raises(DomainError, match="complex numbers have no largest one: use"):
            refused()
    spinors = Group("SU(2)").rep("vector")
    with pytest.raises(DomainError, match=r"fields of vector of SU\(2\) are complex: x.to\(torch.complex64\), or take"):
        GatedActivation(spinors)(torch.randn(2, 1, 3))
    with pytest.raises(DomainError, match="the input is torch.complex128 and the module torch.float32"):
        LayerNorm(V)(torch.randn(2, 1, 4, dtype=C))
    for V in (Group("S3 x SU(2)").rep("std # vector"), Group("SU(2) x SU(3)").rep("vector # vector")):
        assert "none is known where more than one factor" in V.allowed_activations()["norm"].reason
    rules = spinors.allowed_activations()
    assert rules["gated"] and rules["norm"] and not rules["pointwise"] and not rules["odd"]


# --- Other layers -----------------------------------------------------------------------------------------------------


D4 = Group("D4")
REGULAR = D4.rep("regular")
B3 = Group("B3").rep("coordinates")
LINE = Group("C2").rep("regular")


@pytest.mark.parametrize(
    "layer, shape",
    [
        (lambda: Conv1d(LINE, LINE, 2, 2, 3, dtype=C), (2, 2, 2, 7)),
        (lambda: Conv2d(REGULAR, REGULAR, 2, 2, 3, padding=1, padding_mode="circular", dtype=C), (2, 2, 8, 4, 4)),
        (lambda: Conv2d(D4.rep("irrep(5)"), REGULAR, 2, 2, 3, padding=1, dtype=C), (2, 2, 2, 4, 4)),
        (lambda: Conv3d(B3, B3, 1, 1, 3, dtype=C), (1, 1, 3, 3, 3, 3)),
        (lambda: ConvTranspose2d(REGULAR, REGULAR, 2, 1, 3, 2, 1, dtype=C), (1, 2, 8, 3, 3)),
    ],
)
def test_convolutions_are_pytorchs_with_the_same_kernel(layer, shape):
    layer = randomised(layer())
    x = torch.randn(shape, dtype=C, requires_grad=True)
    names = [name for name, _ in layer.named_parameters()]
    f = lambda x, *ps: torch.func.functional_call(layer, dict(zip(names, ps)), (x,))  # noqa: E731
    assert gradcheck(f, (x, *layer.parameters()), fast_mode=True)
    dense = layer.fold()
    torch.testing.assert_close(dense(x.flatten(1, 2)), layer(x).flatten(1, 2))
    again, lost = type(layer).from_dense(dense, *layer._types[:2], layer.in_channels, layer.out_channels)
    assert lost < 1e-12 and torch.allclose(again(x), layer(x))
    assert check_equivariance(layer, *layer._types[:2], grid=shape[3:])


@pytest.mark.parametrize(
    "group, V, W, U",
    [("S4", "perm", "std", "perm + sign"), ("SU(2)", "vector", "vector", "trivial + irrep([2])"), ("SU(3)", "vector", "dual(vector)", "adjoint")],
)  # fmt: skip
def test_products_are_bilinear_over_the_complex_numbers(group, V, W, U):
    V, W, U = (Group(group).rep(R) for R in (V, W, U))
    x, z = (torch.randn(3, 2, R.dimension, dtype=C, requires_grad=True) for R in (V, W))
    for layer in (Bilinear(V, W, U, 2, 2, 2, bias=False, dtype=C), TensorProduct(V, W, U, 2, dtype=C)):
        randomised(layer)
        assert gradcheck(layer, (x, z)) and gradgradcheck(layer, (x[:1], z[:1]), fast_mode=True)
        torch.testing.assert_close(layer(1j * x, z), 1j * layer(x, z))
        for seed in range(2):
            g = V.group.random_element(seed)
            A, B, D = (torch.from_numpy(numpy.asarray(R.matrix(g), dtype=complex)) for R in (V, W, U))
            torch.testing.assert_close(layer(x @ A.t(), z @ B.t()), layer(x, z) @ D.t())
    layer = randomised(PolynomialLayer(V, V, (1, 2, 3), 2, 2, dtype=C))
    assert gradcheck(layer, (x,)) and check_equivariance(layer, V, V, backward=False)


def test_the_start_of_polynomials_is_that_of_complex_normal_inputs():
    V = Group("S4").rep("perm")
    y = PolynomialLayer(V, V, (2, 3), 16, 64, bias=False, dtype=C)(torch.randn(2000, 16, 4, dtype=C))
    assert 0.85 < float(y.detach().abs().square().mean()) < 1.15


MODULES = {
    "GatedActivation": lambda V: GatedActivation(V),
    "NormActivation": lambda V: NormActivation(V, torch.tanh, 2, dtype=C),
    "InvariantPool": lambda V: InvariantPool(V, "norm"),
    "squares": lambda V: InvariantPool(V, "square"),
    "LayerNorm": lambda V: LayerNorm(V, 2, dtype=C),
    "RMSNorm": lambda V: RMSNorm(V, 2, dtype=C),
    "BatchNorm": lambda V: BatchNorm(V, 2, dtype=C),
    "Dropout": lambda V: Dropout(V, 0.3),
}
# Orthogonal and other matrices, unitary ones in an orthonormal basis and in another, reducible blocks, points, an
# indefinite form.
FIELDS = [
    ("S4", "perm + std"), ("SO(3)", "vector + trivial"), ("SU(2)", "vector + 2*irrep([2]) + trivial"), ("SU(3)", "vector*dual(vector)"),
    ("SU(3)", "adjoint"), ("U(2)", "vector*det"), ("U(1)", "vector^2"), ("S3 x SU(2)", "perm # irrep([2])"), ("SO+(1,3)", "vector"),
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))
def test_modules_on_complex_fields(name, group, V):
    V = Group(group).rep(V)
    module = randomised(MODULES[name](V))
    source, target = getattr(module, "source", V), getattr(module, "target", V)
    if name == "Dropout":
        module.eval()
    assert check_equivariance(module, source, target, 2, dtype=C)
    module.eval()
    x = torch.randn(3, 2, source.dimension, dtype=C, requires_grad=True)
    assert gradcheck(module, (x,)) and gradcheck(module, (torch.zeros_like(x).requires_grad_(),))
    assert gradgradcheck(module, (x[:1].detach().requires_grad_(),), fast_mode=True)
    if name not in ("InvariantPool", "squares", "LayerNorm", "BatchNorm", "GatedActivation"):  # phases stay
        torch.testing.assert_close(module(1j * x), 1j * module(x))


def test_moduli_and_inner_products_that_are_known():
    """The spin 1 of SU(2) in the basis of monomials a^2, ab, b^2 has the invariant |x|^2 + |y|^2 / 2 + |z|^2, up to
    scale."""
    V = Group("SU(2)").rep("irrep([2])")
    x = torch.randn(4, 1, 3, dtype=C)
    weights = InvariantPool(V, "square")(torch.eye(3, dtype=C)[:, None])[:, 0, 0]
    torch.testing.assert_close(weights.sum(), torch.tensor(3.0, dtype=torch.float64))
    for seed in range(4):
        A = torch.from_numpy(numpy.asarray(V.matrix(V.group.random_element(seed)), dtype=complex))
        H = torch.diag(weights).to(C)
        torch.testing.assert_close(A.conj().t() @ H @ A, H)
    norms = InvariantPool(Group("S3").rep("perm"), "norm", eps=1e-9)(x)
    torch.testing.assert_close(norms[..., 0], x.abs().square().sum(-1).sqrt())
    pool = AvgPool2d(REGULAR, 2)
    image = torch.randn(2, 1, 8, 4, 4, dtype=C)
    torch.testing.assert_close(pool(image), torch.complex(pool(image.real), pool(image.imag)))
    assert Upsample(REGULAR, 2, "bilinear")(image).shape == (2, 1, 8, 8, 8)


def test_real_networks_become_complex_by_to():
    V = Group("S4").rep("perm + std")
    net = torch.nn.Sequential(NormActivation(V, torch.tanh, 2), BatchNorm(V, 2)).eval()
    x = torch.randn(3, 2, 7)
    y = net(x)
    with pytest.warns(UserWarning, match="Complex modules"):
        net.to(torch.complex64)
    torch.testing.assert_close(net(x.to(torch.complex64)).real, y)


@pytest.mark.parametrize("target", ["perm", "trivial + perm"])
def test_few_elements_act_before_the_channels_are_mixed(target, monkeypatch):
    G = Group("S8")
    layer = Linear(G.rep("perm"), G.rep(target), 12, 20, dtype=torch.complex128)
    x = torch.randn(2, 3, 12, 8, dtype=torch.complex128, requires_grad=True)
    leaves = [x, *layer.parameters()]
    y = layer(x)
    dy = torch.randn_like(y)
    first = torch.autograd.grad(y, leaves, dy)
    assert _linear._few_elements(layer.theta, 8)
    monkeypatch.setattr(_linear, "_few_elements", lambda theta, N: False)
    assert torch.allclose(layer(x), y)
    for a, b in zip(first, torch.autograd.grad(layer(x), leaves, dy), strict=True):
        assert torch.allclose(a, b)
