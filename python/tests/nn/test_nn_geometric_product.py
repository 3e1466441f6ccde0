"""Products with instructions beside e3nn and beside their definition, derivatives, equivariance, bad input."""

import copy
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn.geometric import Linear, SymmetricContraction, TensorProduct, change_of_basis
from torch.autograd import grad, gradcheck, gradgradcheck

D = torch.float64
# Types of V, W, U and instructions: every mode, with and without weights, several slots, equal slots, unequal copies.
PRODUCTS = {
    "uvw": ("3x0e + 2x1o + 1x2e", "2x0e + 3x1o", "2x0e + 4x1o + 2x1e + 1x2o", [(0, 0, 0, "uvw", True), (1, 1, 0, "uvw", True), (0, 1, 1, "uvw", True, 0.3), (1, 1, 2, "uvw", True), (2, 1, 3, "uvw", True), (2, 1, 1, "uvw", True)]),
    "uvu one": ("4x0e + 4x1o", "0e + 1o + 2e", "4x0e + 4x1o + 4x1e", [(0, 0, 0, "uvu", True), (1, 1, 0, "uvu", True), (1, 2, 1, "uvu", True), (1, 1, 2, "uvu", False)]),
    "uvu few": ("4x0o + 3x1o", "2x0e + 3x1e", "4x0o + 3x1o", [(0, 0, 0, "uvu", True), (1, 0, 1, "uvu", True), (1, 1, 1, "uvu", True, 2.0), (1, 1, 1, "uvu", False)]),
    "uvu many": ("3x1o", "6x2e", "3x1o + 3x2o + 3x3o", [(0, 0, 0, "uvu", True), (0, 0, 1, "uvu", False), (0, 0, 2, "uvu", True)]),
    "uvv": ("2x1o + 7x0e", "3x1o", "3x0e + 3x1o", [(0, 0, 0, "uvv", True), (1, 0, 1, "uvv", True), (0, 0, 0, "uvv", False)]),
    "uuw": ("3x1o", "3x1o", "4x0e + 1x2e", [(0, 0, 0, "uuw", True), (0, 0, 1, "uuw", True), (0, 0, 1, "uuw", False)]),
    "uuu": ("3x1o + 2x2e", "3x1o + 2x2e", "3x1e + 2x0e + 2x3e", [(0, 0, 0, "uuu", False), (1, 1, 1, "uuu", True), (1, 1, 2, "uuu", True)]),
    "uvuv": ("2x1o + 2x0e", "3x1o + 5x1e", "6x1e + 10x2o", [(0, 0, 0, "uvuv", True), (0, 1, 1, "uvuv", True)]),
    "pairs": ("4x1o", "4x1o", "6x1e + 2x0e", [(0, 0, 0, "uvu<v", True), (0, 0, 1, "u<vw", True)]),
    "pseudo": ("2x0o + 2x1e + 2x2o", "0o + 1e + 3o", "2x0e + 2x1o + 2x2e + 2x3o", [(0, 0, 0, "uvu", True), (1, 0, 1, "uvu", True), (2, 0, 2, "uvu", True), (1, 1, 0, "uvu", True), (1, 1, 2, "uvu", True), (2, 1, 3, "uvu", True), (2, 2, 2, "uvu", True)]),
}  # fmt: skip
every_product = pytest.mark.parametrize("name", PRODUCTS)


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    return a.shape == b.shape and float((a - b).abs().max() if a.numel() else 0) <= tolerance * (
        1 + float(b.abs().max() if b.numel() else 0)
    )


def operands(layer, rows=5, transposed=False):
    def random(*shape):
        t = (
            torch.randn(*shape[::-1], dtype=D).permute(*range(len(shape))[::-1])
            if transposed
            else torch.randn(*shape, dtype=D)
        )
        return t.requires_grad_()

    w = random(layer.weight_numel) if layer.shared_weights else random(rows, layer.weight_numel)
    return random(rows, layer.V.dimension), random(rows, layer.W.dimension), w


@pytest.fixture
def doubles():
    """e3nn rounds its couplings to the type that stands here."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)
    yield
    torch.set_default_dtype(before)


@every_product
@pytest.mark.parametrize("shared", [True, False], ids=["shared", "one for each row"])
def test_values_and_derivatives_are_those_of_e3nn(name, shared, doubles):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    V, W, U, instructions = PRODUCTS[name]
    settings = {"internal_weights": False, "shared_weights": shared}
    ours, theirs = TensorProduct(V, W, U, instructions, **settings), o3.TensorProduct(V, W, U, instructions, **settings)
    assert ours.weight_numel == theirs.weight_numel
    for one, other in zip(ours.instructions, theirs.instructions):
        assert one.shape == other.path_shape and abs(one.factor - other.path_weight) < 1e-14
    given = operands(ours)
    results = []
    for layer in (ours, theirs):
        out = layer(*given) if layer.weight_numel else layer(*given[:2])
        inputs = given if layer.weight_numel else given[:2]
        first = grad(out.sin().sum(), inputs, create_graph=True)
        results.append([out, *first, *grad(sum(t.sin().sum() for t in first), inputs)])
    assert all(close(a, b) for a, b in zip(*results))


@pytest.mark.parametrize("irrep", ["component", "norm", "none"])
@pytest.mark.parametrize("path", ["element", "path", "none"])
def test_normalisations_are_those_of_e3nn(irrep, path, doubles):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    V, W, U, instructions = PRODUCTS["uvw"]
    settings = {
        "in1_var": [1.0, 2.0, 0.5], "in2_var": [3.0, 0.25], "out_var": [1.0, 0.5, 2.0, 1.0],
        "irrep_normalization": irrep, "path_normalization": path,
    }  # fmt: skip
    ours, theirs = (kind(V, W, U, instructions, **settings) for kind in (TensorProduct, o3.TensorProduct))
    with torch.no_grad():
        ours.weight.copy_(theirs.weight)
    x, y, _ = operands(ours)
    assert close(ours(x, y), theirs(x, y))


def test_fully_connected_products_are_those_of_e3nn(doubles):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    types = "5x0e + 4x1o + 2x1e + 3x2e", "3x0e + 2x1o + 2x2e", "4x0e + 2x0o + 3x1o + 2x1e + 3x2e"
    ours, theirs = TensorProduct(*types), o3.FullyConnectedTensorProduct(*types)
    assert ours.weight_numel == theirs.weight_numel
    with torch.no_grad():
        ours.weight.copy_(theirs.weight)
    x, y, _ = operands(ours)
    assert close(ours(x, y), theirs(x, y))
    views = theirs.weight_views()
    assert all(torch.equal(a, b) for a, b in zip(ours.weight_views(), views))


@pytest.mark.parametrize("U", ["3x0e + 0x1o", "0x0e", "2x1o + 0x2e + 1x0e"])
@pytest.mark.parametrize("V", ["2x0e + 0x1o + 2x1o", "0x0e", "0x1o + 4x2e"])
def test_summands_without_copies_are_those_of_e3nn(V, U, doubles):
    """They are there in configurations of models; alone they make features without components."""
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    theirs = o3.FullyConnectedTensorProduct(V, "1x0e + 0x2e + 1x1o", U)
    ours = TensorProduct(V, "1x0e + 0x2e + 1x1o", U)
    x, y = torch.randn(5, ours.V.dimension), torch.randn(5, 4)
    if theirs.weight_numel:
        ours.load_state_dict({"weight": theirs.weight.detach()}, strict=False)
    assert ours.weight_numel == theirs.weight_numel
    torch.testing.assert_close(ours(x, y), theirs(x, y), rtol=1e-12, atol=1e-12)
    linear = Linear(V, U)
    assert linear.weight_numel == o3.Linear(V, U).weight_numel and linear(x).shape == (5, linear.U.dimension)


def test_instructions_name_no_summand_without_copies():
    with pytest.raises(DomainError, match="without copies"):
        TensorProduct("2x0e + 0x1o", "1x0e", "2x0e", [(0, 0, 0, "uvw", True)])
    with pytest.raises(DomainError, match="without components"):
        SymmetricContraction("2x0e + 0x1o", "0x0e", 2, 1)


@pytest.mark.parametrize("transposed", [False, True], ids=["contiguous", "transposed"])
@every_product
def test_gradients_of_first_and_second_order(name, transposed):
    layer = TensorProduct(*PRODUCTS[name], internal_weights=False, shared_weights=False)
    given = operands(layer, 2, transposed)
    assert gradcheck(layer, given, fast_mode=True)
    assert gradgradcheck(layer, given, fast_mode=True)


def matrix(V, g):
    T = change_of_basis(V)
    return torch.linalg.solve(T, torch.tensor(numpy.asarray(V.matrix(g), dtype=numpy.float64)) @ T)


@pytest.mark.parametrize(
    "group, V, W, U, instructions",
    [
        ("O(3)", "2*vector + 3*trivial", "2*harmonic(2)", "2*vector + det*harmonic(2)", [(0, 0, 0, "uvu", True), (0, 0, 1, "uvw", True)]),
        ("S4", "3*perm + 2*std", "2*perm", "3*perm + 2*std", [(0, 0, 0, "uvu", True), (0, 0, 1, "uvw", True), (1, 0, 1, "uvw", True)]),
        ("S4", "3*perm", "3*perm", "3*std + 2*perm + 3*perm", [(0, 0, 0, "uuu", True), (0, 0, 1, "uuw", True), (0, 0, 2, "uvu<v", True)]),
        ("A5", "2*irrep(2)", "3*irrep(3)", "6*irrep(5) + 3*irrep(4)", [(0, 0, 0, "uvuv", True), (0, 0, 1, "uvv", True)]),
        ("S3 x O(3)", "2*(perm # vector)", "perm # vector", "2*(perm # trivial)", [(0, 0, 0, "uvu", True)]),
    ],
    ids=["O(3)", "S4", "S4 by pairs", "A5", "S3 x O(3)"],
)  # fmt: skip
def test_products_of_every_group_are_equivariant(group, V, W, U, instructions):
    G = Group(group)
    layer = TensorProduct(G.rep(V), G.rep(W), G.rep(U), instructions, dtype=D)
    x, y, _ = (t.detach() for t in operands(layer))
    out = layer(x, y).detach()
    assert float(out.abs().max()) > 0.01
    for seed in range(3):
        g = G.random_element(seed)
        a, b, c = (matrix(R, g) for R in (layer.V, layer.W, layer.U))
        assert close(layer(x @ a.T, y @ b.T), out @ c.T, 1e-10)
        if not torch.equal(c, torch.eye(len(c), dtype=D)):
            assert not close(layer(x, y @ b.T), out @ c.T, 1e-4)  # x left where it was: the check can fail


def test_several_maps_between_three_summands_have_weights_each():
    """S4 has five orbits on triples of points."""
    S4 = Group("S4").rep("3*perm")
    layer = TensorProduct(S4, Group("S4").rep("perm"), S4, [(0, 0, 0, "uvu", True)], dtype=D)
    assert layer.instructions[0].shape == (5, 3, 1) and layer.weight_numel == 15
    x, y, _ = operands(layer)
    whole = layer(x, y)
    parts = []
    for n in range(5):
        one = torch.zeros(5, 3, 1, dtype=D)
        one[n] = layer.weight_views()[0][n].detach()
        other = TensorProduct(
            S4, Group("S4").rep("perm"), S4, [(0, 0, 0, "uvu", True)], internal_weights=False, shared_weights=True
        )
        parts.append(other(x, y, one.flatten()))
    assert close(sum(parts), whole)


def test_leading_axes_broadcast():
    layer = TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o", dtype=D)
    x, y, _ = operands(layer, 6)
    assert close(layer(x.reshape(2, 3, -1), y[0]), layer(x, y[0].expand(6, -1)).reshape(2, 3, -1))
    assert layer(x[0], y[0]).shape == (8,)
    assert layer(x[:0], y[:0]).shape == (0, 8)


def test_copies_states_and_compilation():
    layer = TensorProduct(
        "4x0e + 4x1o",
        "0e + 1o",
        "4x0e + 4x1o",
        [(0, 0, 0, "uvu", True), (1, 1, 0, "uvu", True), (0, 1, 1, "uvw", True)],
        dtype=D,
    )
    x, y, _ = (t.detach() for t in operands(layer))
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(other(x, y), layer(x, y))
    assert list(layer.state_dict()) == ["weight"]
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager", dynamic=True)
    for rows in (5, 3):
        assert close(compiled(x[:rows], y[:rows]), layer(x[:rows], y[:rows]))
    out, tangent = torch.func.jvp(lambda x: layer(x, y), (x,), (torch.ones_like(x),))
    assert close(out, layer(x, y)) and close(tangent, layer(torch.ones_like(x), y))
    single = copy.deepcopy(layer).float()
    assert close(single(x.float(), y.float()).double(), layer(x, y), 1e-5)


@pytest.mark.parametrize(
    "instructions, message",
    [
        ([(0, 0)], "an instruction is"),
        ([(0, 2, 0, "uvu", True)], "names summand 2 of trivial \\+ vector, whose summands go from 0 to 1"),
        ([(0, 0, 0, "vuw", True)], "mode of an instruction is one of uvw"),
        ([(0, 0, 1, "uvw", True)], "has no map"),
        ([(0, 1, 1, "uvv", True)], "as many copies in U as in W, and there are 2, 1 and 2"),
        ([(0, 0, 0, "uvw", False)], "mixes copies, and has no weights"),
        ([(0, 0, 0, "uvu", True, -1.0)], "a path weight is a number that is not negative"),
        ([(0, 0, 0, "uuu", True)], "as many copies in V, W and U, and there are 2, 1 and 2"),
    ],
)
def test_bad_instructions(instructions, message):
    with pytest.raises(DomainError, match=message):
        TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o", instructions)


def test_bad_operands():
    layer = TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o")
    x, y = torch.randn(3, 8), torch.randn(3, 4)
    for given, message in (
        ((x[:, :7], y), r"x has the shape \[3, 7\]; this layer takes \[..., 8\]"),
        ((x, y[:, :2]), r"y has the shape \[3, 2\]"),
        ((x, y.double()), "x is torch.float32 on cpu and y torch.float64"),
        ((x.double(), y.double()), "and the weights torch.float32"),
        ((x, y[:2]), "the leading axes of x and y do not fit"),
        ((x.long(), y.long()), "both are floating-point numbers"),
        ((x, y, torch.randn(3)), r"the weights have the shape \[3\]; this layer takes \[16\]"),
    ):
        with pytest.raises(DomainError, match=message):
            layer(*given)
    with pytest.raises(DomainError, match="forward takes the weights as its third argument, 16 of them"):
        TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o", internal_weights=False)(x, y)
    with pytest.raises(DomainError, match="internal weights are shared"):
        TensorProduct("0e", "0e", "0e", internal_weights=True, shared_weights=False)
    with pytest.raises(DomainError, match="in1_var has a variance for each of the 2 summands"):
        TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o", in1_var=[1.0])
    with pytest.raises(DomainError, match="irrep_normalization is"):
        TensorProduct("0e", "0e", "0e", irrep_normalization="x")
    with pytest.raises(DomainError, match="representations of different groups"):
        TensorProduct("0e", Group("S3").rep("perm"), "0e")
