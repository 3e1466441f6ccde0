"""Layers of blocks: those between features of several multiplicities."""

import copy
import pickle

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import ContinuousGroup, DomainError, Group, VerificationError, load_blocks  # noqa: E402
from intertwine.nn import Blocks, Linear  # noqa: E402
from layers_for_tests import representations  # noqa: E402

CASES = [
    ("S5", "16*perm + 33*trivial", "8*perm"),
    ("S4", "2*perm + 3*sign + trivial", "perm + 2*std"),
    ("C3", "2*trivial + std", "std + 3*trivial"),
    ("S4", "perm", "perm"),
]


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
        jacobian = torch.autograd.functional.jacobian(lambda theta: torch.func.functional_call(layer, {"theta": theta}, torch.eye(V.dimension, dtype=torch.float64)), layer.theta)
        assert torch.linalg.matrix_rank(jacobian.reshape(-1, len(layer.theta))) == len(layer.theta)
    # what Linear makes of them as well, up to rounding
    _, distance = Linear.from_dense(dense(W, b), V, U)
    assert distance < 1e-10
    x = torch.randn(2, 3, V.dimension, dtype=torch.float64, requires_grad=True)
    assert torch.allclose(layer(x), x @ W.t() + b) and layer(x[0, 0]).shape == (U.dimension,)
    assert torch.autograd.gradcheck(lambda x, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, x), (x, layer.theta, layer.bias))


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
    """W and b commute with the matrices of every generator, and there are as many as dim Hom, which the one pattern counts too."""
    torch.manual_seed(0)
    G = ContinuousGroup(group)
    V, U = G.rep(V), G.rep(U)
    layer = Blocks(V, U, dtype=torch.float64)
    assert len(layer.theta) == (V >> U).dimension == sum(t.params * t.channels[0] * t.channels[1] for row in layer.table.blocks for t in row)
    assert len(layer.bias) == (V >> U).bias.dimension
    torch.nn.init.normal_(layer.bias)
    W, b = matrix(layer), layer(torch.zeros(V.dimension, dtype=torch.float64))
    for right, left, trivial in zip(V.generator_matrices(), U.generator_matrices(), G.rep(" # ".join(["trivial"] * group.count("x") + ["trivial"])).generator_matrices()):
        R, L, one = (torch.as_tensor(numpy.asarray(A, dtype=float)) for A in (right, left, trivial))
        assert torch.allclose(L @ W, W @ R) and torch.allclose(L @ b, b * one[0, 0])
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    assert torch.allclose(layer(x), x @ W.t() + b)
    jacobian = torch.autograd.functional.jacobian(lambda theta: torch.func.functional_call(layer, {"theta": theta}, torch.eye(V.dimension, dtype=torch.float64)), layer.theta)
    assert torch.linalg.matrix_rank(jacobian.reshape(-1, len(layer.theta))) == len(layer.theta)


def dense(W, b):
    linear = torch.nn.Linear(W.shape[1], W.shape[0], dtype=W.dtype)
    with torch.no_grad():
        linear.weight.copy_(W), linear.bias.copy_(b)
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
    with pytest.raises(DomainError, match="a finite and a continuous one"):
        Blocks(V, ContinuousGroup("SO(3)").rep("vector"))
