"""Bilinear layers, tensor products, polynomials, embeddings."""

import copy
import io
import math
import pickle

import numpy
import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, VerificationError, polynomial_maps
from intertwine.nn import Bilinear, Embedding, Linear, PolynomialLayer, TensorProduct, check_equivariance
from test_nn_norm import DOUBLE, numbers
from torch import nn

# V, W -> U: tied codes, sparse ones, copies on all sides, signs, an irrational field.
TRIPLES = [
    ("S4", "perm", "perm", "perm"),
    ("S4", "std", "std", "std"),
    ("S4", "2*perm", "perm + sign", "2*std"),
    ("S4", "2*(perm + sign) + trivial", "2*perm", "2*perm + 2*sign"),
    ("B3", "coordinates", "coordinates", "coordinates + trivial"),
    ("A5", "irrep(2)", "irrep(2)", "irrep(2)"),
]
every_triple = pytest.mark.parametrize("group, V, W, U", TRIPLES, ids=lambda text: text.replace(" ", ""))


def triple(group, *names):
    return map(Group(group).rep, names)


@every_triple
def test_bilinear_maps_are_equivariant_and_all_of_them(group, V, W, U):
    V, W, U = triple(group, V, W, U)
    layer, single = Bilinear(V, W, U, 2, 3, 4, **DOUBLE), TensorProduct(V, W, U, 3, **DOUBLE)
    nn.init.normal_(layer.bias)
    n = V.dimension
    assert check_equivariance(lambda x: layer(x[..., :2, :n], x[..., n:]), V + W, U, 3, tolerance=1e-9)
    assert check_equivariance(lambda x: single(x[..., :n], x[..., n:]), V + W, U, 3, tolerance=1e-9)
    assert layer.theta.numel() == 24 * ((V * W) >> U).dimension and single.theta.numel() == 3 * ((V * W) >> U).dimension
    x, z = torch.randn(5, 2, n, **DOUBLE), torch.randn(5, 3, W.dimension, **DOUBLE)
    values = torch.einsum("ocdij,bci,bdj->bo", layer.weight(), x, z) + layer.bias_vector()
    torch.testing.assert_close(layer(x, z).flatten(1), values)
    x = torch.randn(5, 3, n, **DOUBLE)
    torch.testing.assert_close(single(x, z), torch.einsum("coij,bci,bcj->bco", single.weight(), x, z))
    torch.testing.assert_close(single(x[0], z[0]), single(x, z)[0])
    W0 = torch.randn(U.dimension, n, W.dimension, **DOUBLE)
    assert not check_equivariance(
        lambda x: torch.einsum("oij,bci,bcj->bco", W0, x[..., :n], x[..., n:]), V + W, U, tolerance=1e-9
    )


def test_tensor_products_that_are_known():
    """Rotations of the cube keep one product of two vectors that is a vector: the cross product."""
    G = Group("O")
    V = G.rep("coordinates")
    layer = TensorProduct(V, V, V, **DOUBLE)
    assert layer.theta.shape[0] == 1 == sum(V.trace(g) ** 3 for g in G) // 24  # by characters
    x, z = torch.randn(7, 1, 3, **DOUBLE), torch.randn(7, 1, 3, **DOUBLE)
    torch.testing.assert_close(layer(x, z), layer.weight()[0, 0, 1, 2] * torch.linalg.cross(x, z))


def test_initial_variance():
    V, W, U = triple("S4", "perm^2", "perm + std", "perm")
    found = []
    for _ in range(12):
        layer, single = Bilinear(V, W, U, 3, 2, 8), TensorProduct(V, W, U, 16)
        x, z = torch.randn(200, 3, 16), torch.randn(200, 2, 7)
        y = single(torch.randn(200, 16, 16), torch.randn(200, 16, 7))
        found.append([float(t.detach().square().mean()) for t in (layer(x, z), y)])
    assert numpy.mean(found, 0) == pytest.approx([1, 1], rel=0.35)


POLYNOMIALS = [
    ("S4", "perm", "perm"),
    ("S4", "std", "perm + std"),
    ("B3", "coordinates", "coordinates"),
    ("S4", "2*perm", "2*std"),
    ("A5", "irrep(2)", "irrep(2)"),
]


@pytest.mark.parametrize("group, V, U", POLYNOMIALS)
@pytest.mark.parametrize("degrees", [1, 2, 3, (1, 2)], ids=str)
def test_polynomials_are_equivariant_and_all_of_them(group, V, U, degrees):
    V, U = representations(group, V, U)
    layer = PolynomialLayer(V, U, degrees, 2, 3, **DOUBLE)
    nn.init.normal_(layer.bias)
    assert check_equivariance(layer, V, U, tolerance=1e-9)
    maps = [polynomial_maps(V, U, d) for d in layer.degrees]
    assert layer.theta.numel() == 6 * sum(len(F) for F in maps)
    # Two ways: the values of one channel lie in the span of the exact polynomial maps.
    one = PolynomialLayer(V, U, degrees, bias=False, **DOUBLE)
    x = torch.randn(40, V.dimension, **DOUBLE)
    span = numpy.concatenate([F(x.numpy()) for F in maps], 1)  # [samples, maps, dim U]
    y = one(x.unsqueeze(1)).detach().flatten().numpy()
    span = span.transpose(0, 2, 1).reshape(y.size, -1)
    if span.shape[1]:
        assert numpy.linalg.norm(span @ numpy.linalg.lstsq(span, y, rcond=None)[0] - y) < 1e-9 * numpy.linalg.norm(y)
    twin = pickle.loads(pickle.dumps(copy.deepcopy(layer)))
    z = torch.randn(2, 2, V.dimension, **DOUBLE)
    assert torch.equal(twin(z), layer(z)) and list(layer.state_dict()) == ["theta", "bias", "_extra_state"]


def test_polynomials_start_with_mean_square_one():
    V, U = representations("S5", "perm", "perm")
    # By quadrature, exact for this degree: the mean squares of the elements at normal inputs.
    V3, U3 = representations("S3", "std", "perm")
    for degrees in (2, 3, (1, 2)):
        layer = PolynomialLayer(V3, U3, degrees, bias=False, **DOUBLE)
        nodes, weights = numpy.polynomial.hermite_e.hermegauss(8)
        grid = torch.tensor([[a, b] for a in nodes for b in nodes], **DOUBLE)
        measure = torch.tensor([a * b for a in weights for b in weights], **DOUBLE) / (2 * math.pi)
        for k, square in enumerate(layer._mean_squares()):
            with torch.no_grad():
                layer.theta.zero_()
                layer.theta[k] = 1
            assert float((measure * layer(grid.unsqueeze(1)).detach().square().mean((1, 2))).sum()) == pytest.approx(
                square, rel=1e-10
            )
    found = [float(PolynomialLayer(V, U, 3, 2, 64)(torch.randn(500, 2, 5)).detach().square().mean()) for _ in range(5)]
    assert numpy.mean(found) == pytest.approx(1, rel=0.3)
    # Of degree one they are those of Linear.
    layer = PolynomialLayer(V, U, 1, 3)
    squares = layer._mean_squares()
    assert 1 / (squares * len(squares) * 3) == pytest.approx(Linear(V, U, 3)._weights.plan.initial_variance(1.0))


def test_gradients():
    V, W, U = triple("S3", "perm", "std", "perm")
    layer, single, power = (
        Bilinear(V, W, U, 2, 1, 1, **DOUBLE),
        TensorProduct(V, W, U, 2, **DOUBLE),
        PolynomialLayer(V, W, (1, 2), 1, 2, **DOUBLE),
    )
    x, z = torch.randn(2, 2, 3, requires_grad=True, **DOUBLE), torch.randn(2, 2, 2, requires_grad=True, **DOUBLE)
    f = lambda x, z, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, (x, z[:, :1]))  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, z, layer.theta, layer.bias))
    f = lambda x, z, theta: torch.func.functional_call(single, {"theta": theta}, (x, z))  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, z, single.theta))
    f = lambda x, theta, bias: torch.func.functional_call(power, {"theta": theta, "bias": bias}, (x[:, :1],))  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, power.theta, power.bias))


def test_embeddings():
    for group, V in [("S4", "perm^2"), ("S4", "2*(perm + sign)"), ("S5", "sym(2, std)")]:
        V, _ = representations(group, V, V)
        layer = Embedding(6, V, 3, **DOUBLE)
        index = torch.tensor([[0, 5], [2, 2]])
        y = layer(index)
        assert y.shape == (2, 2, 3, V.dimension) and layer.weight.shape == (6, (V >> V).bias.dimension, 3)
        for g in V.group.generators:
            torch.testing.assert_close(y @ numbers(V, g).t(), y)
        assert not torch.equal(y[0, 0], y[0, 1]) and torch.equal(y[1, 0], y[1, 1])
        # All fixed vectors: every one is hit.
        assert (
            torch.linalg.matrix_rank(Embedding(99, V, **DOUBLE)(torch.arange(99)).flatten(1).detach())
            == (V >> V).bias.dimension
        )
        assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(layer)))(index), y) and list(layer.state_dict()) == [
            "weight"
        ]
        large = Embedding(20000, V, **DOUBLE)(torch.arange(20000)).detach()
        used = large.abs().amax((0, 1)) > 0
        assert float(large[..., used].square().mean()) == pytest.approx(1, rel=0.1)
    y.sum().backward()
    assert not layer.weight.grad[1].any() and layer.weight.grad[0].any()


def test_checkpoints_of_others_are_refused():
    V, U = representations("C4", "regular", "regular")
    D = Group("D2").rep("regular")
    file = io.BytesIO()
    torch.save(Bilinear(V, V, U).state_dict(), file)
    file.seek(0)
    other = Bilinear(D, D, D)
    with pytest.raises(VerificationError, match="those of the table"):
        other.load_state_dict(torch.load(file, weights_only=True))


def test_bad_input():
    V, W, U = triple("S4", "perm", "std", "perm")
    x, z = torch.randn(5, 2, 4), torch.randn(5, 2, 3)
    for call, words in [
        (
            lambda: Bilinear(V, W, U, 2, 2)(x[:, :1], z),
            r"the first input has the shape \[5, 1, 4\]; this layer takes \[..., 2, 4\]",
        ),
        (
            lambda: Bilinear(V, W, U, 2, 2)(x, z[..., :2]),
            r"the second input has the shape \[5, 2, 2\]; this layer takes \[..., 2, 3\]",
        ),
        (lambda: TensorProduct(V, W, U, 2)(x, z.double()), "float64 and the layer torch.float32"),
        (lambda: Bilinear(V, W, U, 0), "in1_channels is a positive integer"),
        (lambda: TensorProduct(V, W, U, -1), "channels is a positive integer"),
        (lambda: PolynomialLayer(V, U, 0), "a degree is a positive integer"),
        (lambda: PolynomialLayer(V, U, []), "it is empty"),
        (lambda: PolynomialLayer(V, U, (2, 2)), "name one twice"),
        (lambda: PolynomialLayer(V, U)(x), r"takes \[..., 1, 4\]"),
        (lambda: Embedding(0, V), "num_embeddings is a positive integer"),
        (lambda: Embedding(3, W), "fixes no vector of std but 0"),
        (lambda: Embedding(3, V)(torch.tensor([1.0])), "classes are integers"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()
