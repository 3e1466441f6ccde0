"""LayerNorm, RMSNorm, BatchNorm and Dropout, and what they know of representations: blocks, inner product, fixed
vectors."""

import copy
import pickle
from fractions import Fraction

import numpy
import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import BatchNorm, Dropout, LayerNorm, RMSNorm, check_equivariance
from intertwine.nn._fields import structure
from torch import nn
from torch.nn import functional

DOUBLE = {"dtype": torch.float64}

# Permutations, two orbits, signs in turns, every kind at once, an irrational form, fixed vectors of a mixed block, no
# fixed vectors at all.
FIELDS = [
    ("S4", "perm"),
    ("S4", "perm^2"),
    ("S4", "2*(perm + sign)"),
    ("S4", "3*perm + perm^2 + 2*std"),
    ("A5", "irrep(2)"),
    ("S5", "sym(2, std)"),
    ("B3", "coordinates + perm"),
]
every_field = pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))


def numbers(V, g):
    return torch.from_numpy(numpy.asarray(V.matrix(g), dtype=float))


def randomised(module):
    for p in module.parameters():
        nn.init.normal_(p)
    return module


def turned(n=3):
    """A permutation representation of S3 in coordinates turned by an orthogonal matrix, and the matrix."""
    v = [1, 2, 2]
    R = [[Fraction(int(i == j)) - Fraction(2 * v[i] * v[j], 9) for j in range(n)] for i in range(n)]
    G = Group("S3")
    P = G.rep("perm")

    def times(A, B):
        return [[sum((A[i][k] * B[k][j] for k in range(n)), Fraction(0)) for j in range(n)] for i in range(n)]

    return (
        P,
        G.matrix_rep([times(times(R, P.matrix(g).tolist()), R) for g in G.generators]),
        torch.tensor([[float(x) for x in row] for row in R], **DOUBLE),
    )


# --- What is known of a representation --------------------------------------------------------------------------------------


@every_field
def test_blocks_inner_products_and_fixed_vectors(group, V):
    V, _ = representations(group, V, V)
    s = structure(V)
    x = torch.randn(2, V.dimension, **DOUBLE)
    torch.testing.assert_close(s.put([s.take(x, kind, -1) for kind in s.kinds], -1), x)
    assert s.invariants == (V >> V).bias.dimension
    lengths = lambda x: s.squares(x, -1)  # noqa: E731
    for g in V.group.generators:
        torch.testing.assert_close(lengths(x @ numbers(V, g).t()), lengths(x))
    eye = torch.eye(V.dimension, **DOUBLE)
    mean = sum(numbers(V, g) for g in V.group) / V.group.order  # the projection, by its definition
    parts = [s.take(eye, kind, -1) for kind in s.kinds]
    tables = s.constants.on(torch.device("cpu"))
    ours = [
        part @ tables[f"means{k.number}"].t() @ tables[f"basis{k.number}"].t() if k.invariants else part * 0
        for part, k in zip(parts, s.kinds)
    ]
    torch.testing.assert_close(s.put(ours, -1).t(), mean)


def test_inner_products_that_are_known():
    std = structure(Group("S4").rep("std"))  # differences e_i - e_4: the Gram matrix of A3, scaled to the trace 3
    root = std.constants.on(torch.device("cpu"))["root0"]
    torch.testing.assert_close(root.t() @ root, torch.full((3, 3), 0.5, **DOUBLE) + torch.eye(3, **DOUBLE) / 2)
    V = Group("A5").irrep(1)
    mean = sum(numbers(V, g).t() @ numbers(V, g) for g in V.group)
    root = structure(V).constants.on(torch.device("cpu"))["root0"]
    torch.testing.assert_close(root.t() @ root, mean * 3 / mean.trace())
    assert [k.orthogonal for k in structure(Group("B3").rep("coordinates + perm")).kinds] == [True, True]
    kinds = structure(Group("S4").rep("2*(perm + sign)")).kinds
    assert [(k.copies, k.n, k.shape, k.invariants) for k in kinds] == [(2, 4, "permutation", 1), (2, 1, "signed", 0)]
    with pytest.raises(DomainError, match="take V.real"):
        LayerNorm(Group("C3").irrep(1))


# --- Normalisations ---------------------------------------------------------------------------------------------------------


@every_field
@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm, BatchNorm], ids=lambda kind: kind.__name__)
def test_normalisations_are_equivariant(kind, group, V):
    V, _ = representations(group, V, V)
    norm = randomised(kind(V, 3, **DOUBLE))
    assert check_equivariance(norm, V, V, 3)
    x = torch.randn(7, 3, V.dimension, **DOUBLE)
    y = norm(x)
    norm.eval()
    assert check_equivariance(norm, V, V, 3)
    torch.testing.assert_close(norm(x.view(7, 1, 3, -1)), norm(x).unsqueeze(1))
    twin = pickle.loads(pickle.dumps(copy.deepcopy(norm)))
    assert torch.equal(twin(x), norm(x))
    assert not list(norm.buffers()) or kind is BatchNorm
    assert set(norm.state_dict()) == {"weight"} | ({"bias"} if kind is not RMSNorm else set()) | {
        name for name, _ in norm.named_buffers()
    }
    # Each orbit or copy of one kind has the mean square 1 where it is normalised.
    plain = kind(V, 3, affine=False, eps=1e-14, **DOUBLE)
    s = structure(V)
    z = plain(x)
    squares = torch.cat([s.mean_square(s.take(z, kind, -1), kind, -1, 1.0) for kind in s.kinds], -1)
    for k in s.kinds:
        own = squares[..., k.first : k.first + k.copies]
        means = own.mean(0) if kind is BatchNorm else own.mean((1, 2))
        torch.testing.assert_close(means, torch.ones_like(means))
    assert y.shape == z.shape == x.shape and not plain.state_dict().keys() & {"weight", "bias"}


def test_normalisations_of_permutations_are_those_of_pytorch():
    V, _ = representations("S4", "perm", "perm")
    x = 3 * torch.randn(6, 5, 4, **DOUBLE) + 1
    layer, rms = randomised(LayerNorm(V, 5, **DOUBLE)), randomised(RMSNorm(V, 5, **DOUBLE))
    weight, bias = (p.t().expand(5, 4) for p in (layer.weight, layer.bias))
    torch.testing.assert_close(layer(x), functional.layer_norm(x, (5, 4), weight, bias))
    torch.testing.assert_close(rms(x), functional.rms_norm(x, (5, 4), rms.weight.t().expand(5, 4), 1e-6))
    many = LayerNorm(Group("S4").rep("5*perm"), 1, **DOUBLE)  # copies are channels
    torch.testing.assert_close(many(x.reshape(6, 1, 20)).view(6, 5, 4), LayerNorm(V, 5, **DOUBLE)(x))


@pytest.mark.parametrize("copies", [1, 2])
def test_batch_norm_of_regular_fields_is_that_of_pytorch(copies):
    V, _ = representations("D4", f"{copies}*regular", "regular")
    ours, theirs = BatchNorm(V, 3, axes=2, momentum=0.3, **DOUBLE), nn.BatchNorm3d(3 * copies, momentum=0.3, **DOUBLE)
    with torch.no_grad():
        for name in ("weight", "bias"):
            getattr(theirs, name).copy_(randomised(ours).get_parameter(name).t().reshape(-1))
            getattr(theirs, name).copy_(ours.get_parameter(name).t().reshape(-1))
        theirs.weight.copy_(ours.weight.t().reshape(-1))
    assert check_equivariance(ours, V, V, 3, grid=(3, 3))
    for _ in range(3):
        x = 2 * torch.randn(4, 3, 8 * copies, 5, 5, **DOUBLE) + 0.5
        torch.testing.assert_close(ours(x), theirs(x.view(4, 3 * copies, 8, 5, 5)).view(x.shape))
    torch.testing.assert_close(ours.running_mean.t().reshape(-1), theirs.running_mean)
    torch.testing.assert_close(ours.running_var.t().reshape(-1), theirs.running_var)
    assert int(ours.num_batches_tracked) == 3
    ours.eval(), theirs.eval()
    torch.testing.assert_close(ours(x), theirs(x.view(4, 3 * copies, 8, 5, 5)).view(x.shape))
    ours.reset_running_stats()
    assert not ours.running_mean.any() and (ours.running_var == 1).all()


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm, BatchNorm], ids=lambda kind: kind.__name__)
def test_the_general_road_agrees_with_that_of_permutations(kind):
    P, V, R = turned()
    assert structure(V).shape == "mixed" and structure(V).kinds[0].orthogonal
    straight, general = kind(P, 2, axes=1, **DOUBLE), kind(V, 2, axes=1, **DOUBLE)
    with torch.no_grad():
        straight.weight.normal_()
        general.weight.copy_(straight.weight)
    turn = lambda x: torch.einsum("ij,bcjl->bcil", R, x)  # noqa: E731
    for _ in range(2):
        x = torch.randn(5, 2, 3, 4, **DOUBLE) + 1
        torch.testing.assert_close(general(turn(x)), turn(straight(x)))
    if kind is BatchNorm:
        torch.testing.assert_close(general.running_var, straight.running_var)
    straight.eval(), general.eval()
    torch.testing.assert_close(general(turn(x)), turn(straight(x)))


def test_batch_norm_is_equivariant_in_each_sample_alone():
    for group, V in FIELDS[3:5]:
        V, _ = representations(group, V, V)
        norm = randomised(BatchNorm(V, 2, **DOUBLE))
        x = torch.randn(6, 2, V.dimension, **DOUBLE)
        moves = [numbers(V, V.group.random_element(k)).t() for k in range(6)]
        moved = torch.stack([a @ m for a, m in zip(x, moves)])
        torch.testing.assert_close(norm(moved), torch.stack([a @ m for a, m in zip(norm(x), moves)]))


def test_what_is_not_equivariant_is_seen():
    std, _ = representations("S4", "std", "std")
    for wrong in (nn.LayerNorm(3), lambda x: functional.rms_norm(x, (3,)), nn.BatchNorm1d(2, affine=False, **DOUBLE)):
        assert not check_equivariance(wrong, std, std, 2)
    sign, _ = representations("S4", "perm + sign", "sign")
    assert not check_equivariance(lambda x: functional.layer_norm(x, (5,)), sign, sign)
    assert check_equivariance(
        lambda x: functional.rms_norm(x, (2, 5)), sign, sign, 2
    )  # one scale for both is right as well


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm, BatchNorm], ids=lambda kind: kind.__name__)
def test_gradients(kind):
    V, _ = representations("C2", "regular + rep([[[1, 1], [0, -1]]])", "sign")
    norm = randomised(kind(V, 2, axes=1, **DOUBLE))
    names, values = zip(*norm.named_parameters())
    x = torch.randn(3, 2, V.dimension, 1, requires_grad=True, **DOUBLE)
    buffers = {k: b.clone() for k, b in norm.named_buffers()}

    def f(x, *parameters):
        return torch.func.functional_call(
            norm, {**{k: b.clone() for k, b in buffers.items()}, **dict(zip(names, parameters))}, (x,)
        )

    assert torch.autograd.gradcheck(f, (x, *values))
    norm.eval()
    assert torch.autograd.gradcheck(f, (x, *values)) and torch.autograd.gradgradcheck(f, (x, *values), fast_mode=True)


def test_sixteen_bits_and_autocast():
    V, _ = representations("S4", "perm + std", "std")
    x = 300 * torch.randn(4, 2, V.dimension)  # squares overflow float16
    for kind in (LayerNorm, RMSNorm, BatchNorm):
        norm = kind(V, 2)
        torch.testing.assert_close(copy.deepcopy(norm).half()(x.half()).float(), norm(x), rtol=1e-2, atol=1e-2)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            torch.testing.assert_close(norm(x.bfloat16()), norm(x), rtol=3e-2, atol=3e-2)
        assert kind(V, 2, device="meta")(torch.empty(4, 2, V.dimension, device="meta")).is_meta


def test_norms_refuse_bad_input():
    V, _ = representations("S4", "perm + trivial", "perm")
    with pytest.raises(DomainError, match="coordinate 5 of perm \\+ trivial is invariant and the only one"):
        LayerNorm(V)
    norm = BatchNorm(V, 2, **DOUBLE)
    x = torch.randn(3, 2, 5, **DOUBLE)
    for bad, words in [
        (x[..., :4], r"takes \[..., 2, 5\]"),
        (x[:, :1], r"takes \[..., 2, 5\]"),
        (x[0, 0], r"takes \[..., 2, 5\]"),
        (x.float(), "float32 and the module torch.float64"),
        (x.long(), "floating-point"),
        (x.to("meta"), "on meta and the module on cpu"),
        (x[:1], "1 value a channel"),
        (x[:0], "0 values a channel"),
    ]:
        with pytest.raises(DomainError, match=words):
            norm(bad)
    assert int(norm.num_batches_tracked) == 0 and norm.eval()(x[:1]).shape == (1, 2, 5)
    for call, words in [
        (lambda: LayerNorm(V, 0), "channels is a positive integer"),
        (lambda: LayerNorm(V, 2, eps=-1), "eps is a positive number"),
        (lambda: RMSNorm(V, 2, dtype=torch.int64), "floating-point"),
        (lambda: BatchNorm(V, 2, momentum=2), "between 0 and 1"),
        (lambda: RMSNorm(V, 2, axes=-1), "axes is an integer of at least 0"),
        (lambda: Dropout(V, 1.5), "a probability"),
        (
            lambda: RMSNorm(V, 2, axes=2)(torch.randn(2, 2, 5, 4)),
            r"takes \[..., 2, 5, H, W\] \(channels, dim V, grid\)",
        ),
    ]:
        with pytest.raises(DomainError, match=words):
            call()


# --- Dropout ----------------------------------------------------------------------------------------------------------------


@every_field
def test_dropout_takes_whole_blocks_and_is_equivariant_for_every_mask(group, V):
    V, _ = representations(group, V, V)
    drop = Dropout(V, 0.4)

    def masked(x):
        torch.manual_seed(3)
        return drop(x)

    assert check_equivariance(masked, V, V, 3)
    s = structure(V)
    y = drop(torch.ones(50, 3, V.dimension, **DOUBLE))
    for k in s.kinds:
        own = s.take(y, k, -1)
        assert torch.equal(own, own[..., :1].expand(own.shape)) and set(own.unique().tolist()) == {0.0, 1 / 0.6}
    x = torch.randn(2, 3, V.dimension, **DOUBLE)
    assert drop.eval()(x) is x and not drop.state_dict()


def test_dropout_of_coordinates_is_not_equivariant():
    V, _ = representations("S4", "perm", "perm")

    def masked(x):
        torch.manual_seed(3)
        return functional.dropout(x, 0.5)

    assert not check_equivariance(masked, V, V, 3)
    V, _ = representations("D4", "regular", "regular")
    y = Dropout(V, 0.5, axes=2)(torch.ones(20, 4, 8, 3, 3))  # at all sites at once
    assert torch.equal(y, y[..., :1, :1, :1].expand(y.shape)) and 0.3 < float((y == 0).float().mean()) < 0.7
    assert not Dropout(V, 1.0)(torch.ones(2, 1, 8)).any()


@pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))
def test_batches_of_no_samples(group, V):
    """In evaluation they pass through; in training they have no statistics, which is said."""
    V, _ = representations(group, V, V)
    norm, x = BatchNorm(V, 2), torch.zeros(0, 2, V.dimension)
    with pytest.raises(DomainError, match="call eval"):
        norm(x)
    assert norm.eval()(x).shape == x.shape
