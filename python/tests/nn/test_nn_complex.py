"""Layers of complex numbers: Linear of every form against the dense layer, and complex groups that act on its fields."""

import copy
import io

import numpy
import pytest

from layers_for_tests import CASES, dense, make, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import Bilinear, Linear, check_equivariance
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
    with pytest.raises(DomainError, match="not torch.complex64, and nn.Linear takes complex ones"):
        Bilinear(V, V, V, dtype=torch.complex64)
