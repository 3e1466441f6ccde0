"""Dilations, which no finite set of them is closed under, and attention that equals a convolution."""

import copy

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, LimitError  # noqa: E402
from intertwine import nn as inn  # noqa: E402
from intertwine.gsa import (  # noqa: E402
    Affine,
    Dilations,
    GroupSelfAttention,
    LiftingSelfAttention,
    disc,
    everywhere,
    exact_subgroup,
    from_convolution,
    grid,
    points,
    square,
    torus,
)
from intertwine.nn._tables import Constants  # noqa: E402

D = torch.float64


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


# --- Dilations ---------------------------------------------------------------------------------------------------------------


def test_dilations():
    H = Dilations("3/2", 3, "R4", first=-1)
    assert H.order == 12 and H.d == 2 and H.is_on_grid and H.scales.tolist() == [2 / 3] * 4 + [1.0] * 4 + [1.5] * 4
    numpy.testing.assert_allclose(H.inverse_matrices @ H.matrices, numpy.tile(numpy.eye(2), (12, 1, 1)), atol=1e-15)
    numpy.testing.assert_allclose(H.relative[H.between], H.inverse_matrices[:, None] @ H.matrices[None], atol=1e-14)
    assert len(H.relative) == 5 * 4 and len(numpy.unique(H.between)) == 20
    assert Dilations(2, 3, d=1).matrices.flatten().tolist() == [1.0, 2.0, 4.0]
    assert Dilations(2, 2) == Dilations("2", 2) != Dilations(2, 2, first=1)


def pair(form, around, normalise, H="Z2", cell=4.0, **settings):
    """A layer on points x with scales 1, 2, 4, and the same on 2 x with 2, 4, 8."""
    x = torch.randn(9, 2, dtype=D)
    found = []
    for first, positions in ((0, points(x)), (1, points(2 * x, cell=cell))):
        kind = LiftingSelfAttention if form == "lifting" else GroupSelfAttention
        extra = {} if form == "lifting" else {"form": form}
        found.append(
            kind(
                Dilations(2, 3, H, first=first),
                positions,
                around,
                2,
                3,
                2,
                normalise=normalise,
                dtype=D,
                **extra,
                **settings,
            )
        )
    found[1].load_state_dict(found[0].state_dict())
    if settings.get("encoding") is None:
        found[1].encoding.scale = found[0].encoding.scale
    return found


def apart(layers):
    x = torch.randn(2, 2, layers[0].keys, 9, dtype=D)
    a, b = (layer(x) for layer in layers)
    return float((a - b).abs().max() / a.abs().max())


@pytest.mark.parametrize("form", ["lifting", "relative", "summed"])
@pytest.mark.parametrize("normalise", [True, False])
def test_layers_commute_with_dilations(form, normalise):
    for around in (everywhere, disc(1.0)):
        layers = pair(form, around, normalise)
        assert apart(layers) < 1e-12
    turned = pair(form, disc(1.0), normalise, "R2")
    assert apart(turned) < 1e-12


def test_what_sums_are_divided_by():
    """h^-d when lifting and h^-(d+1) on the group; other powers, or cells that do not grow, are not the same at every
    scale."""
    lifting, group = pair("lifting", everywhere, False), pair("relative", everywhere, False)
    cpu = torch.device("cpu")
    measures = [layers[0]._constants.on(cpu)["row_measure"].tolist() for layers in (lifting, group)]
    assert measures == [[1.0, 4.0, 16.0], [1.0, 8.0, 64.0]]
    for layers, power in ((lifting, 3), (group, 2)):
        for layer in layers:
            measured = layer._constants.on(cpu) | {"row_measure": torch.from_numpy(layer.H.scales**power)}
            layer._constants = Constants(**measured)
        assert apart(layers) > 1e-2
    assert apart(pair("lifting", everywhere, False, cell=1.0)) > 1e-2
    assert apart(pair("lifting", everywhere, True, cell=1.0)) < 1e-12  # a softmax has divided already
    # A factor 1/h^d on top of a softmax is not the same at every scale.
    layers = pair("lifting", everywhere, True)
    x = torch.randn(2, 2, 1, 9, dtype=D)
    a, b = (layer(x) / torch.from_numpy(layer.H.scales**2)[:, None] for layer in layers)
    assert float((a - b).abs().max() / a.abs().max()) > 0.5


def test_sums_by_definition():
    H = Dilations(2, 2)
    layer = GroupSelfAttention(H, grid(3, 3), square(3), 2, 3, 1, head_channels=2, normalise=False, dtype=D)
    x = torch.randn(2, 2, 3, 3, dtype=D)
    q, k, v = (f(x.permute(2, 3, 1, 0)).flatten(0, 1) for f in (layer.query, layer.key, layer.value))
    where = torch.from_numpy(grid(3, 3).coordinates)
    found = torch.zeros(9, 2, 2, dtype=D)
    for i in range(9):
        for h, scale in enumerate((1.0, 2.0)):
            for j in range(9):
                difference = (where[j] - where[i]) / scale
                if difference.abs().max() > 1:
                    continue
                for g, other in enumerate((1.0, 2.0)):
                    rho = layer.encoding(difference[None], torch.eye(2, dtype=D)[None] * other / scale)
                    score = (q[i, h] * (k[j, g] + layer.key(rho)[0])).sum() / 2**0.5
                    found[i, h] += score.exp() * v[j, g] * other / scale**3
    torch.testing.assert_close(layer(x), layer.out(found).permute(2, 1, 0).unflatten(2, (3, 3)), rtol=1e-12, atol=1e-12)
    assert layer.what_ran() == "plain PyTorch: weights that are not normalised"


def test_motions_beside_dilations_stay_exact():
    """Quarter turns of a grid, with three scales; the fast road and plain PyTorch agree where rows see different
    neighbourhoods."""
    layer = LiftingSelfAttention(Dilations(2, 2, "R4"), grid(5, 5), square(3), 1, 2, dtype=D)
    x = torch.randn(2, 1, 1, 5, 5, dtype=D)
    y, turned = layer(x), layer(x.rot90(1, (3, 4))).rot90(-1, (3, 4))
    assert layer.what_ran() == "fused"
    turns = [int((turned[:, :, [h]] - y).abs().amax((0, 1, 3, 4)).argmin()) for h in range(8)]
    assert sorted(turns) == list(range(8)) and turns != list(range(8))
    torch.testing.assert_close(turned, y[:, :, turns], rtol=0, atol=1e-12)
    group = GroupSelfAttention(Dilations(2, 2, "M"), grid(4, 5), square(3), 2, 3, 2, dtype=D)
    x = torch.randn(2, 2, 4, 4, 5, dtype=D, requires_grad=True)
    y = group(x)
    expected = copy.deepcopy(group)
    expected.dropout = 1e-300  # plain PyTorch, and nothing is taken out
    for a, b in zip(
        torch.autograd.grad(y.sin().sum(), [x, *group.parameters()]),
        torch.autograd.grad(expected(x).sin().sum(), [x, *expected.parameters()]),
    ):
        torch.testing.assert_close(a, b, rtol=0, atol=1e-11)
    assert group.what_ran() == "fused" and expected.what_ran() != "fused"


def test_bad_dilations():
    for wrong in (0, -2, 1, 0.5, "x", None, "1/0"):
        with pytest.raises(DomainError, match="exact positive number"):
            Dilations(wrong, 3)
    with pytest.raises(DomainError, match="at least one"):
        Dilations(2, 0)
    with pytest.raises(LimitError, match="1024"):
        Dilations(2, 65, "R16")
    H = Dilations(2, 2, "R8")
    for make_it, words in (
        (lambda: GroupSelfAttention(H, grid(5, 5), disc(1.5), 1, 1, form="printed"), "not closed under"),
        (lambda: LiftingSelfAttention(H, torus(5, 5), disc(1.5), 1, 1), "no dilation maps a torus"),
        (lambda: LiftingSelfAttention(H, grid(5, 5), square(3), 1, 1), "R8 does not map the square"),
        (lambda: exact_subgroup(LiftingSelfAttention(H, grid(5, 5), disc(1.5), 1, 1)), "no finite set of positions"),
        (lambda: Affine([[[2, 0], [0, 2]]]), r"are Dilations\(ratio, count\)"),
        (lambda: points([[0.0, 1.0]], cell=0.0), "volume"),
    ):
        with pytest.raises(DomainError, match=words):
            make_it()


# --- Convolutions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("H", ["M", "R4", "R4M"])
@pytest.mark.parametrize("mode", ["zeros", "circular"])
def test_attention_that_equals_a_convolution(H, mode):
    H = Affine(H)
    positions = (grid if mode == "zeros" else torus)(4, 4)
    for lifting in (True, False):
        V = H.group.rep("trivial") if lifting else H.regular
        conv = inn.Conv2d(V, H.regular, 2, 3, 3, padding="same", padding_mode=mode, dtype=D)
        torch.nn.init.normal_(conv.bias)
        layer = from_convolution(conv, H, positions)
        x = torch.randn(2, 2, V.dimension, 4, 4, dtype=D)
        torch.testing.assert_close(layer(x), conv(x), rtol=0, atol=1e-12 * float(conv(x).abs().max()))
        assert layer.heads == 9 * V.dimension
        assert layer.what_ran() == ("fused" if mode == "circular" else "plain PyTorch: weights that are not normalised")


def test_other_convolutions():
    """Of PyTorch, on a line and dilated, folded; in single precision; and trained from there."""
    x = torch.randn(2, 2, 4, 5, dtype=D)
    for mode, positions in (("zeros", grid(4, 5)), ("circular", torus(4, 5))):
        plain = torch.nn.Conv2d(2, 3, 3, padding=1, padding_mode=mode, dtype=D)
        layer = from_convolution(plain, Affine("Z2"), positions)
        torch.testing.assert_close(layer(x[:, :, None])[:, :, 0], plain(x), rtol=0, atol=1e-12)
    plain = torch.nn.Conv1d(2, 3, 3, padding=2, dilation=2, dtype=D)
    x = torch.randn(2, 2, 7, dtype=D)
    layer = from_convolution(plain, Affine("Z1", d=1), grid(7))
    torch.testing.assert_close(layer(x[:, :, None])[:, :, 0], plain(x), rtol=0, atol=1e-12)
    R4 = Affine("R4")
    conv = inn.GroupConv2d(R4.group, 1, 2, 3, padding="same", padding_mode="circular")
    layer = from_convolution(conv, R4, torus(5, 5))
    x = torch.randn(2, 1, 4, 5, 5)
    torch.testing.assert_close(layer(x), conv(x), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(from_convolution(conv.fold(), R4, torus(5, 5))(x), conv(x), rtol=1e-5, atol=1e-5)
    layer(x).pow(2).sum().backward()
    assert layer.value.weight.grad is not None and float(layer.value.weight.grad.abs().max()) > 0
    torch.testing.assert_close(copy.deepcopy(layer)(x), layer(x))


def test_convolutions_that_are_refused():
    R4, Z2 = Affine("R4"), Affine("Z2")
    conv = lambda **s: torch.nn.Conv2d(4, 4, s.pop("k", 3), **{"padding": 1, **s})  # noqa: E731
    for make_it, words in (
        (lambda: from_convolution(conv(), R4, grid(5, 5)), "bias is not the same|does not commute"),
        (lambda: from_convolution(conv(bias=False), R4, grid(5, 5)), "does not commute with element 1 of R4"),
        (lambda: from_convolution(conv(stride=2), Z2, grid(5, 5)), "stride"),
        (lambda: from_convolution(conv(k=2), Z2, grid(5, 5)), "odd kernels"),
        (lambda: from_convolution(conv(padding=0), Z2, grid(5, 5)), "padding='same'"),
        (lambda: from_convolution(conv(groups=2), Z2, grid(5, 5)), "one group"),
        (lambda: from_convolution(conv(), Z2, torus(5, 5)), "circular padding that of a torus"),
        (lambda: from_convolution(conv(padding_mode="reflect"), Z2, grid(5, 5)), "'reflect' meets a grid"),
        (lambda: from_convolution(conv(), Affine("Z3", d=3), grid(3, 3, 3)), "have to agree"),
        (lambda: from_convolution(torch.nn.Linear(2, 2), Z2, grid(5, 5)), "not Linear"),
        (lambda: from_convolution(torch.nn.Conv2d(4, 3, 3, padding=1), R4, grid(5, 5)), "multiple of 4"),
    ):
        with pytest.raises(DomainError, match=words):
            make_it()
