"""Layers of blocks: those between features of several multiplicities."""

import copy
import pickle
import random

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, Group, VerificationError  # noqa: E402
from intertwine.nn import Blocks, Linear, check_equivariance  # noqa: E402
from intertwine.tables import load_blocks  # noqa: E402
from layers_for_tests import representations  # noqa: E402

CASES = [
    ("S5", "16*perm + 33*trivial", "8*perm"),
    ("S4", "2*perm + 3*sign + trivial", "perm + 2*std"),
    ("C3", "2*trivial + std", "std + 3*trivial"),
    ("S4", "perm", "perm"),
]


def summands(choose, texts):
    """A random sum with multiplicities that repeat, brackets and products among them."""
    parts = [choose.choice(texts) for _ in range(choose.randrange(1, 4))]
    many = [choose.choice([1, 2, 2, 3]) for _ in parts]
    if choose.random() < 0.4:
        many = [many[0]] * len(parts)
    text = " + ".join(f"{m}*({R})" if m > 1 else R for m, R in zip(many, parts))
    if choose.random() < 0.4:
        text = f"2*({text}) + {choose.choice(texts)}"
    return text


SUMS = [
    ("S3", ["perm", "trivial", "sign", "std", "sign + perm"]),
    ("C4", ["regular", "trivial", "perm", "std"]),
    ("D4", ["perm", "sign", "irrep(5)", "trivial"]),
]


@pytest.mark.parametrize("seed", range(60))
def test_features_are_the_coordinates_of_the_representations(seed):
    """Of V.matrix(g), whatever multiplicities are equal: as Linear has them, with as many parameters, and as the proof
    of the layer's own table says."""
    choose = random.Random(seed)
    group, texts = choose.choice(SUMS)
    V, U = representations(group, summands(choose, texts), summands(choose, texts))
    layer = Blocks(V, U, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    assert check_equivariance(lambda x: layer(x[:, 0])[:, None], V, U, 1), (str(V), str(U))
    assert len(layer.theta) == (V >> U).dimension and len(layer.bias) == (V >> U).bias.dimension
    W, b = matrix(layer).detach(), layer(torch.zeros(V.dimension, dtype=torch.float64)).detach()
    linear, distance = Linear.from_dense(dense(W, b), V, U)
    assert distance < 1e-10
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(linear(x[:, None])[:, 0], layer(x))
    assert layer.table.verify().dimension == (V >> U).dimension


CONTINUOUS = [
    ("SO(3)", ["vector", "trivial", "harmonic(2)", "vector + trivial"]),
    ("S3 x O(2)", ["perm # vector", "trivial # trivial", "perm # det"]),
]


@pytest.mark.parametrize("seed", range(20))
def test_features_of_continuous_groups(seed):
    choose = random.Random(seed)
    group, texts = choose.choice(CONTINUOUS)
    G = Group(group)
    V, U = G.rep(summands(choose, texts)), G.rep(summands(choose, texts))
    layer = Blocks(V, U, bias=False, dtype=torch.float64)
    linear, distance = Linear.from_dense(dense_without(matrix(layer).detach()), V, U)
    assert distance < 1e-10, (str(V), str(U))
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(linear(x[:, None])[:, 0], layer(x))
    for right, left in zip(V.generator_matrices(), U.generator_matrices()):
        R, L = (torch.as_tensor(numpy.asarray(A, dtype=float)) for A in (right, left))
        torch.testing.assert_close(L @ matrix(layer), matrix(layer) @ R)


def test_equal_multiplicities(tmp_path):
    """2*perm + 2*trivial is perm, perm, trivial, trivial; 2*(perm + trivial) is perm, trivial twice. Files keep which."""
    G = Group("S4")
    apart, together, beside = (
        G.rep("2*perm + 2*trivial"),
        G.rep("2*(perm + trivial)"),
        G.rep("2*(perm + trivial) + trivial"),
    )
    perm = G.rep("perm")
    assert Blocks(apart, perm).table.inputs == [(2, 4, 0), (2, 1, 8)] and Blocks(together, perm).table.inputs == [
        (2, 5, 0)
    ]
    assert Blocks(beside, perm).table.inputs == [(2, 5, 0), (1, 1, 10)]
    assert Blocks(G.rep("2*(perm + 2*(perm + trivial)) + trivial"), perm).table.inputs == [(1, 29, 0)]
    layer = Blocks(apart, perm)
    layer.table.save(tmp_path / "t.safetensors")
    again = Blocks.from_table(load_blocks(tmp_path / "t.safetensors"))
    again.load_state_dict(layer.state_dict())
    x = torch.randn(3, 10)
    assert torch.equal(again(x), layer(x))
    with pytest.raises(VerificationError, match="those of the table"):
        Blocks(together, perm).load_state_dict(layer.state_dict())
    # Where the order of the coordinates is that of the parts, the table is the one of the program.
    V = G.rep("16*perm + 3*(sign + perm) + trivial + sign")
    assert Blocks(V, perm).table == (V >> perm).blocks()
    with pytest.raises(DomainError, match="dimension 0"):
        Blocks(G.rep("0*perm"), perm)


def matrix(layer):
    """W [M, N] of a layer without its bias."""
    N = sum(c * d for c, d, _ in layer.table.inputs)
    zero = layer(torch.zeros(N, dtype=layer.theta.dtype))
    return (layer(torch.eye(N, dtype=layer.theta.dtype)) - zero).t()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", ["automatic", "torch"])
def test_all_equivariant_maps(case, mode):
    torch.manual_seed(0)
    V, U = representations(*case)
    layer = Blocks(V, U, dtype=torch.float64, mode=mode)
    assert len(layer.theta) == (V >> U).dimension and len(layer.bias) == (V >> U).bias.dimension
    torch.nn.init.normal_(layer.bias)
    W, b = matrix(layer).detach(), layer(torch.zeros(V.dimension, dtype=torch.float64)).detach()
    assert (V >> U).residual(W.numpy()) < 1e-12
    assert (V >> U).bias.residual(b[:, None].numpy()) < 1e-12
    # no two parameters do the same: with their number that is all of Hom(V, U)
    if len(layer.theta) < 100:
        jacobian = torch.autograd.functional.jacobian(
            lambda theta: torch.func.functional_call(
                layer, {"theta": theta}, torch.eye(V.dimension, dtype=torch.float64)
            ),
            layer.theta,
        )
        assert torch.linalg.matrix_rank(jacobian.reshape(-1, len(layer.theta))) == len(layer.theta)
    # what Linear makes of them as well, up to rounding
    _, distance = Linear.from_dense(dense(W, b), V, U)
    assert distance < 1e-10
    x = torch.randn(2, 3, V.dimension, dtype=torch.float64, requires_grad=True)
    assert torch.allclose(layer(x), x @ W.t() + b) and layer(x[0, 0]).shape == (U.dimension,)
    assert torch.autograd.gradcheck(
        lambda x, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, x),
        (x, layer.theta, layer.bias),
    )


@pytest.mark.parametrize(
    "group, V, U",
    [
        ("SO(3)", "4*trivial + 2*vector + 2*harmonic(2)", "3*vector + 2*(trivial + vector*vector)"),
        ("O(3)", "2*det + 3*vector + 3*(det*vector)", "2*(vector*vector) + det"),
        ("S3 x O(3)", "2*(perm # vector) + 3*(perm # trivial)", "perm # vector + 2*(trivial # trivial)"),
        ("SU(2)", "2*spinor + 3*trivial", "spinor + 2*(spinor*spinor)"),
    ],
)
def test_continuous_groups(group, V, U):
    """W and b commute with the matrices of every generator, and there are as many as dim Hom, which the one pattern
    counts too."""
    torch.manual_seed(0)
    G = Group(group)
    V, U = G.rep(V), G.rep(U)
    layer = Blocks(V, U, dtype=torch.float64)
    assert (
        len(layer.theta)
        == (V >> U).dimension
        == sum(t.params * t.channels[0] * t.channels[1] for row in layer.table.blocks for t in row)
    )
    assert len(layer.bias) == (V >> U).bias.dimension
    torch.nn.init.normal_(layer.bias)
    W, b = matrix(layer), layer(torch.zeros(V.dimension, dtype=torch.float64))
    for right, left, trivial in zip(
        V.generator_matrices(),
        U.generator_matrices(),
        G.rep(" # ".join(["trivial"] * group.count("x") + ["trivial"])).generator_matrices(),
    ):
        R, L, one = (torch.as_tensor(numpy.asarray(A, dtype=float)) for A in (right, left, trivial))
        assert torch.allclose(L @ W, W @ R) and torch.allclose(L @ b, b * one[0, 0])
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    assert torch.allclose(layer(x), x @ W.t() + b)
    jacobian = torch.autograd.functional.jacobian(
        lambda theta: torch.func.functional_call(layer, {"theta": theta}, torch.eye(V.dimension, dtype=torch.float64)),
        layer.theta,
    )
    assert torch.linalg.matrix_rank(jacobian.reshape(-1, len(layer.theta))) == len(layer.theta)


def dense(W, b):
    linear = torch.nn.Linear(W.shape[1], W.shape[0], dtype=W.dtype)
    with torch.no_grad():
        linear.weight.copy_(W), linear.bias.copy_(b)
    return linear


def dense_without(W):
    linear = torch.nn.Linear(W.shape[1], W.shape[0], bias=False, dtype=W.dtype)
    with torch.no_grad():
        linear.weight.copy_(W)
    return linear


def test_variance():
    torch.manual_seed(0)
    V, U = representations("S5", "16*perm + 33*trivial", "400*perm + 600*trivial")
    layer = Blocks(V, U)
    y = layer(torch.randn(200, V.dimension)).detach()
    assert abs(y[:, :2000].var() - 1) < 0.2 and abs(y[:, 2000:].var() - 1) < 0.2
    layer.reset_parameters(gain=3.0)
    assert abs(layer(torch.randn(200, V.dimension)).var() - 9) < 2


def test_state_and_files(tmp_path):
    V, U = representations("S4", "2*perm + 3*sign", "perm")
    layer = Blocks(V, U)
    layer.table.save(tmp_path / "t.safetensors")
    again = Blocks.from_table(load_blocks(tmp_path / "t.safetensors"))
    again.load_state_dict(layer.state_dict())
    x = torch.randn(5, V.dimension)
    for other in (again, copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(other(x), layer(x))
    with pytest.raises(VerificationError, match="those of the table"):
        Blocks(*representations("S4", "3*perm + 2*sign", "perm")).load_state_dict(layer.state_dict())
    assert "2 x 4 + 3 x 1 -> 1 x 4" in repr(layer) and Blocks(V, U, bias=False).bias is None
    assert torch.equal(Blocks(V, U, bias=False)(torch.zeros(V.dimension)), torch.zeros(4))


def test_bad_input():
    V, U = representations("S4", "2*perm + 3*sign", "perm")
    layer = Blocks(V, U)
    with pytest.raises(DomainError, match=r"these blocks take \[\.\.\., 11\]"):
        layer(torch.zeros(2, 8))
    with pytest.raises(DomainError, match="float64"):
        layer(torch.zeros(2, 11, dtype=torch.float64))
    with pytest.raises(DomainError, match="mode"):
        Blocks(V, U, mode="isotypic")
    with pytest.raises(DomainError, match="floating"):
        Blocks(V, U, dtype=torch.int64)
    with pytest.raises(DomainError, match="groups"):
        Blocks(V, Group("S5").rep("perm"))
    with pytest.raises(DomainError, match="different groups, S4 and SO"):
        Blocks(V, Group("SO(3)").rep("vector"))
