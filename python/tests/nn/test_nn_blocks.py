"""Linear between features of several multiplicities, whose tables have blocks."""

import copy
import pickle
import random

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import intertwine.nn  # noqa: E402
from intertwine import DomainError, Group, Table, VerificationError, load_table  # noqa: E402
from intertwine.nn import Linear, RelaxedLinear, check_equivariance  # noqa: E402
from intertwine.nn.linear import table_between  # noqa: E402
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
    """Of V.matrix(g), whatever multiplicities are equal, with as many parameters as Hom has dimensions, and as the proof
    of the layer's own table says."""
    choose = random.Random(seed)
    group, texts = choose.choice(SUMS)
    V, U = representations(group, summands(choose, texts), summands(choose, texts))
    layer = Linear(V, U, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    assert check_equivariance(layer, V, U), (str(V), str(U))
    assert layer.theta.numel() == (V >> U).dimension and layer.bias.numel() == (V >> U).bias.dimension
    W, b = layer.weight().detach(), layer.bias_vector().detach()
    assert (V >> U).residual(W.numpy()) < 1e-12
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(layer(x), x @ W.t() + b)
    torch.testing.assert_close(layer(x[:, None])[:, 0], layer(x))
    proof = layer.table.verify()
    if not isinstance(layer.table, Table):
        assert proof.dimension == (V >> U).dimension


@pytest.mark.parametrize("seed", range(12))
def test_channels_are_copies_of_all_parts(seed):
    """W of several channels commutes with the copies of V and U, as the layer of V's copies has it."""
    choose = random.Random(seed)
    group, texts = choose.choice(SUMS)
    V, U = representations(group, "2*perm + 3*" + choose.choice(texts), summands(choose, texts) + " + trivial")
    layer = Linear(V, U, 2, 3, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    assert check_equivariance(layer, V, U, 2)
    W, b = layer.weight().detach(), layer.bias_vector().detach()
    x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(layer(x), (x.flatten(1) @ W.t() + b).view(5, 3, -1))
    torch.testing.assert_close(layer.fold()(x.flatten(1)).view(5, 3, -1), layer(x))
    again, lost = Linear.from_dense(layer.fold(), V, U, 2, 3)
    assert lost < 1e-12
    torch.testing.assert_close(again.theta, layer.theta)
    torch.testing.assert_close(again.bias, layer.bias)


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
    layer = Linear(V, U, bias=False, dtype=torch.float64)
    x = torch.randn(5, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(x @ layer.weight().t(), layer(x))
    assert check_equivariance(layer, V, U), (str(V), str(U))
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
    assert Linear(apart, perm).table.inputs == [(2, 4, 0), (2, 1, 8)]
    assert Linear(together, perm).table.channels == (1, 2)
    assert Linear(beside, perm).table.inputs == [(2, 5, 0), (1, 1, 10)]
    assert Linear(G.rep("2*(perm + 2*(perm + trivial)) + trivial"), perm).table.cols == 29
    layer = Linear(apart, perm)
    layer.table.save(tmp_path / "t.safetensors")
    again = Linear.from_table(load_table(tmp_path / "t.safetensors"))
    again.load_state_dict(layer.state_dict())
    x = torch.randn(3, 10)
    assert torch.equal(again(x), layer(x))
    with pytest.raises(VerificationError, match="those of the table"):
        Linear(together, perm).load_state_dict(layer.state_dict())
    # Where the order of the coordinates is that of the parts, the table is the one of the program.
    V = G.rep("16*perm + 3*(sign + perm) + trivial + sign")
    assert Linear(V, perm).table == (V >> perm).table()
    with pytest.raises(DomainError, match="dimension 0"):
        Linear(G.rep("0*perm"), perm)


def matrix(layer):
    """W [M, N] of a layer without its bias, by its values."""
    N = layer.weight().shape[1]
    zero = layer(torch.zeros(N, dtype=layer.theta.dtype))
    return (layer(torch.eye(N, dtype=layer.theta.dtype)) - zero).t()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", ["automatic", "torch"])
def test_all_equivariant_maps(case, mode):
    torch.manual_seed(0)
    V, U = representations(*case)
    layer = Linear(V, U, dtype=torch.float64, mode=mode)
    assert layer.theta.numel() == (V >> U).dimension and layer.bias.numel() == (V >> U).bias.dimension
    torch.nn.init.normal_(layer.bias)
    W, b = matrix(layer).detach(), layer(torch.zeros(V.dimension, dtype=torch.float64)).detach()
    assert (V >> U).residual(W.numpy()) < 1e-12
    assert (V >> U).bias.residual(b[:, None].numpy()) < 1e-12
    # no two parameters do the same: with their number that is all of Hom(V, U)
    torch.testing.assert_close(layer.weight(), W)
    if layer.theta.numel() < 100:
        jacobian = torch.autograd.functional.jacobian(
            lambda theta: torch.func.functional_call(
                layer, {"theta": theta}, torch.eye(V.dimension, dtype=torch.float64)
            ),
            layer.theta,
        )
        assert torch.linalg.matrix_rank(jacobian.reshape(-1, layer.theta.numel())) == layer.theta.numel()
    again, distance = Linear.from_dense(dense(W, b), V, U)
    assert distance < 1e-10
    torch.testing.assert_close(again.theta, layer.theta)
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
    layer = Linear(V, U, dtype=torch.float64)
    assert (
        layer.theta.numel()
        == (V >> U).dimension
        == sum(t.params * t.channels[0] * t.channels[1] for row in layer.table.blocks for t in row)
    )
    assert layer.bias.numel() == (V >> U).bias.dimension
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
    assert torch.linalg.matrix_rank(jacobian.reshape(-1, layer.theta.numel())) == layer.theta.numel()


def dense(W, b):
    linear = torch.nn.Linear(W.shape[1], W.shape[0], dtype=W.dtype)
    with torch.no_grad():
        linear.weight.copy_(W), linear.bias.copy_(b)
    return linear


def test_variance():
    torch.manual_seed(0)
    V, U = representations("S5", "16*perm + 33*trivial", "400*perm + 600*trivial")
    layer = Linear(V, U)
    y = layer(torch.randn(200, V.dimension)).detach()
    assert abs(y[:, :2000].var() - 1) < 0.2 and abs(y[:, 2000:].var() - 1) < 0.2
    layer.reset_parameters(gain=3.0)
    assert abs(layer(torch.randn(200, V.dimension)).var() - 9) < 2


def test_state_and_files(tmp_path):
    V, U = representations("S4", "2*perm + 3*sign", "perm")
    layer = Linear(V, U)
    layer.table.save(tmp_path / "t.safetensors")
    again = Linear.from_table(load_table(tmp_path / "t.safetensors"))
    again.load_state_dict(layer.state_dict())
    x = torch.randn(5, V.dimension)
    for other in (again, copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(other(x), layer(x))
    with pytest.raises(VerificationError, match="those of the table"):
        Linear(*representations("S4", "3*perm + 2*sign", "perm")).load_state_dict(layer.state_dict())
    assert "2*perm + 3*sign -> perm, 4 parameters" in repr(layer) and "2 x 4 + 3 x 1 -> 1 x 4" in repr(again)
    assert Linear(V, U, bias=False).bias is None
    assert torch.equal(Linear(V, U, bias=False)(torch.zeros(V.dimension)), torch.zeros(4))


def test_a_state_of_one_table_is_read_block_by_block():
    """As layers of sums had it: theta [P, out, in] of the table that repeats its pattern for every copy."""
    for texts in (("perm + 2*sign", "std + 2*trivial"), ("2*(perm + sign) + 3*trivial", "2*perm")):
        V, U = representations("D4", *texts)
        single = Linear.from_table(table_between(V, U), 2, 3, dtype=torch.float64)
        torch.nn.init.normal_(single.bias)
        layer = Linear(V, U, 2, 3, dtype=torch.float64)
        layer.load_state_dict(single.state_dict())
        x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
        torch.testing.assert_close(layer(x), single(x))
        with pytest.raises(VerificationError, match="those of the table"):
            Linear(V, V, 2, 3).load_state_dict(single.state_dict())


def test_a_relaxed_layer_of_a_sum_has_its_nearest_layer_in_blocks():
    V, U = representations("D4", "perm + 2*sign", "std + 2*trivial")
    relaxed = RelaxedLinear(V, U, V.group.subgroup([]), 2, 3, dtype=torch.float64)
    x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(relaxed.symmetrized()(x), relaxed(x))


@pytest.mark.parametrize("mode", ["dense", "lookup", "isotypic", "torch", "fastest"])
def test_modes_agree(mode):
    V, U = representations("D4", "perm + 2*sign + 3*regular", "sign + 2*perm + 3*sign")
    reference, layer = Linear(V, U, 2, 3, dtype=torch.float64), Linear(V, U, 2, 3, mode=mode, dtype=torch.float64)
    layer.load_state_dict(reference.state_dict())
    x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(layer(x), reference(x))
    forms = set(layer.form.split(" + "))
    assert forms == {mode} if mode != "fastest" else "scalars" in forms


def test_a_sum_without_maps_has_its_bias_and_zero_gradients():
    V, U = representations("S4", "2*sign", "std + 2*trivial")
    layer = Linear(V, U, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    x = torch.randn(5, 2, dtype=torch.float64, requires_grad=True)
    y = layer(x)
    assert layer.theta.shape == (0,) and torch.equal(y[:, 3:], layer.bias.expand(5, 2)) and not y[:, :3].any()
    (dx,) = torch.autograd.grad(y.sum(), x)
    assert not dx.any()


# --- Identities --------------------------------------------------------------------------------------------------------------

IDENTITIES = [
    ("O(3)", "trivial + vector + harmonic(2)", "trivial + vector + harmonic(2)", 3, 2),
    ("O(3)", "4*trivial + 3*vector + 2*harmonic(2)", "2*trivial + 3*vector + harmonic(2)", 1, 1),
    ("O(3)", "vector + trivial + vector", "det + vector + trivial", 2, 2),
    ("SO(3)", "2*(vector + trivial) + harmonic(2)", "3*vector + trivial", 2, 2),
    ("S4", "std + 2*sign", "sign + 3*std", 2, 3),
]


@pytest.mark.parametrize("case", IDENTITIES)
def test_identities_are_products_of_their_scalars(case):
    """As plain PyTorch has W, with derivatives of two orders, in tied and sparse tables."""
    group, V, U, in_, out = case
    V, U = Group(group).rep(V), Group(group).rep(U)
    layer, reference = (Linear(V, U, in_, out, mode=mode, dtype=torch.float64) for mode in ("automatic", "torch"))
    reference.load_state_dict(layer.state_dict())
    torch.nn.init.normal_(layer.bias)
    x = torch.randn(3, in_, V.dimension, dtype=torch.float64, requires_grad=True)
    assert layer.form == "scalars" and layer(x).is_contiguous()
    reference.load_state_dict(layer.state_dict())
    torch.testing.assert_close(layer(x), reference(x))
    f = lambda x, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, (x,))  # noqa: E731
    inputs = (x, layer.theta, layer.bias)
    assert torch.autograd.gradcheck(f, inputs) and torch.autograd.gradgradcheck(f, inputs)
    empty = layer(x[:0])
    assert empty.shape == (0, out, U.dimension)


def test_what_is_no_identity_is_looked_up():
    """The ring of a representation of complex type, permutations, and a product with itself."""
    turns, S4, O3 = Group("SO(2)"), Group("S4"), Group("O(3)")
    for V, U in [
        (turns.rep("harmonic(1)"), turns.rep("harmonic(1)")),
        (S4.rep("perm"), S4.rep("perm")),
        (O3.rep("vector"), O3.rep("vector*vector*vector")),
    ]:
        assert Linear(V, U)._weights.scalars is None, str(V)


def test_bad_input():
    V, U = representations("S4", "2*perm + 3*sign", "perm")
    layer = Linear(V, U)
    with pytest.raises(DomainError, match=r"this layer takes \[\.\.\., 1, 11\] \(channels, dim V\), or \[\.\.\., 11\]"):
        layer(torch.zeros(2, 8))
    with pytest.raises(DomainError, match="float64"):
        layer(torch.zeros(2, 11, dtype=torch.float64))
    with pytest.raises(DomainError, match="mode 'block' is not known"):
        Linear(V, U, mode="block")
    with pytest.raises(AttributeError, match=r"write Linear\(V, U\), the layer of sums"):
        intertwine.nn.Blocks
    with pytest.raises(DomainError, match="isotypic' is for representations of finite groups"):
        W = Group("SO(3)").rep("2*vector + trivial")
        Linear(W, W, mode="isotypic")
    with pytest.raises(DomainError, match="floating"):
        Linear(V, U, dtype=torch.int64)
    with pytest.raises(DomainError, match="groups"):
        Linear(V, Group("S5").rep("perm"))
    with pytest.raises(DomainError, match="of different groups"):
        Linear(V, Group("SO(3)").rep("vector"))
