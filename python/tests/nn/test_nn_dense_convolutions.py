"""Convolutions of PyTorch that become equivariant ones: the nearest layer, and weights that are tied in place."""

import copy

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    Conv1d,
    Conv2d,
    Conv3d,
    GroupConv2d,
    RelaxedConv1d,
    RelaxedConv2d,
    RelaxedConv3d,
    check_equivariance,
    impose,
    relax,
)
from torch import nn

D = torch.float64
D4, C2, B3 = Group("D4"), Group("C2"), Group("B3")
QUARTER = Group("C4").matrix_rep([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]])
CASES = {
    "a line": (Conv1d, C2.rep("regular"), C2.rep("trivial"), None, (7,)),
    "a plane": (Conv2d, D4.rep("trivial"), D4.rep("regular"), None, (6, 6)),
    "multiples": (Conv2d, D4.rep("2*coordinates"), D4.rep("3*coordinates"), None, (6, 6)),
    "a space": (Conv3d, B3.rep("coordinates"), B3.rep("trivial"), None, (3, 3, 3)),
    "axes": (Conv3d, Group("C4").rep("regular"), Group("C4").rep("regular"), QUARTER, (3, 3, 3)),
}
every_case = pytest.mark.parametrize("name", CASES)


def plain(kind, V, U, k, **settings):
    made = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[kind.axes - 1]
    return made(2 * V.dimension, 3 * U.dimension, k, dtype=D, **settings)


@every_case
def test_what_fold_made_comes_back(name):
    kind, V, U, axes, _ = CASES[name]
    layer = kind(V, U, 2, 3, 3, padding=1, padding_mode="circular", axes=axes, dtype=D)
    nn.init.normal_(layer.bias)
    back, lost = kind.from_dense(layer.fold(), V, U, 2, 3, axes=axes)
    assert lost < 1e-12 and back.padding == layer.padding and back.padding_mode == "circular"
    torch.testing.assert_close(back.theta, layer.theta)
    torch.testing.assert_close(back.bias, layer.bias)


@every_case
def test_the_nearest_kernel_is_the_mean_over_the_group(name):
    """By averaging U(g)^-1 W V(g) over the moved windows, which knows nothing of tables."""
    kind, V, U, axes, grid = CASES[name]
    k = 2 if kind is Conv3d else 3
    conv = plain(kind, V, U, k, stride=1)
    layer, lost = kind.from_dense(conv, V, U, 2, 3, axes=axes)
    window = (k,) * kind.axes
    sites = V.group.rep(f"kernel({','.join(map(str, window))}{f', {axes.expression}' if axes else ''})")
    W = conv.weight.detach().reshape(3, U.dimension, 2, V.dimension, -1)
    total = torch.zeros_like(W)
    elements = list(V.group)
    for g in elements:
        u, v, s = (torch.from_numpy(numpy.asarray(R.matrix(g), dtype=float)) for R in (U, V, sites))
        total += torch.einsum("ab,obivs,vw,st->oaiwt", u.T, W, v, s)
    nearest = total / len(elements)
    torch.testing.assert_close(layer.weight().reshape(W.shape), nearest)
    gone = torch.cat(((W - nearest).flatten(), (conv.bias - layer.bias_vector()).detach()))
    whole = torch.cat((W.flatten(), conv.bias.detach()))
    assert lost == pytest.approx(float(gone.norm() / whole.norm()), rel=1e-9) and lost > 0.1
    assert check_equivariance(layer, V, U, 2, grid=grid, axes=axes)


def test_group_convolutions_by_name():
    layer = GroupConv2d(D4, 2, 3, 3, padding=1, dtype=D)
    back, lost = GroupConv2d.from_dense(layer.fold(), D4, 2, 3)
    assert type(back) is GroupConv2d and lost < 1e-12
    torch.testing.assert_close(back.theta, layer.theta)
    lifting, lost = GroupConv2d.from_dense(nn.Conv2d(2, 24, 3), D4, 2, 3, lifting=True)
    assert lost > 0.1 and lifting(torch.randn(1, 2, 1, 5, 5)).shape == (1, 3, 8, 3, 3)


@every_case
def test_imposed_convolutions_stay_equivariant_in_training(name):
    kind, V, U, axes, grid = CASES[name]
    conv = plain(kind, V, U, 3, padding="same")
    nearest, _ = kind.from_dense(conv, V, U, 2, 3, axes=axes)
    assert impose(conv, V, U, axes) is conv
    torch.testing.assert_close(conv.weight, nearest.weight())
    optimiser = torch.optim.SGD(conv.parameters(), lr=0.1)
    x = torch.randn(4, 2 * V.dimension, *grid, dtype=D)
    for _ in range(3):
        optimiser.zero_grad()
        (conv(x) - x.sum()).pow(2).mean().backward()
        optimiser.step()
    assert not torch.equal(conv.weight, nearest.weight())
    f = lambda x: conv(x.flatten(1, 2)).unflatten(1, (3, U.dimension))  # noqa: E731
    assert check_equivariance(f, V, U, 2, grid=grid, axes=axes)
    torch.testing.assert_close(copy.deepcopy(conv)(x), conv(x))


def test_imposed_depthwise_convolutions():
    R = D4.rep("regular")
    conv = nn.Conv2d(4 * 8, 4 * 8, 3, groups=4, dtype=D)
    assert not check_equivariance(lambda x: conv(x.flatten(1, 2)).unflatten(1, (4, 8)), R, R, 4, grid=(5, 5))
    impose(conv, R, R)
    assert check_equivariance(lambda x: conv(x.flatten(1, 2)).unflatten(1, (4, 8)), R, R, 4, grid=(5, 5))
    with pytest.raises(DomainError, match="in each of its 8 groups"):
        impose(nn.Conv2d(32, 32, 3, groups=8), R, R)


def test_imposed_convolutions_refuse_images_that_break_the_symmetry():
    R = D4.rep("regular")
    conv = impose(nn.Conv2d(8, 8, 1, stride=2, dtype=D), R, R)
    with pytest.raises(DomainError, match="pad 28 sites to [0-9]+, or crop them to 27"):
        conv(torch.randn(1, 8, 28, 28, dtype=D))
    assert check_equivariance(lambda x: conv(x.flatten(1, 2)).unflatten(1, (1, 8)), R, R, grid=(27, 27))
    for name in ("weight", "bias"):
        nn.utils.parametrize.remove_parametrizations(conv, name)
    assert conv(torch.randn(1, 8, 28, 28, dtype=D)).shape == (1, 8, 14, 14)  # an ordinary layer again


def test_what_is_refused():
    R = D4.rep("regular")
    with pytest.raises(
        DomainError, match=r"weight of \[9, 8, 3, 3\]; 1 channels of dimension 8 from 1 of 8 need \[8, 8"
    ):
        Conv2d.from_dense(nn.Conv2d(8, 9, 3), R, R)
    with pytest.raises(DomainError, match="1 channels of V and 1 of U do not fall into 8 groups"):
        Conv2d.from_dense(nn.Conv2d(8, 8, 3, groups=8), R, R)
    with pytest.raises(DomainError, match=r"Conv2d takes an nn\.Conv2d, not Conv1d"):
        Conv2d.from_dense(nn.Conv1d(8, 8, 3), R, R)
    with pytest.raises(DomainError, match=r"Conv2d takes an nn\.Conv2d, not Linear"):
        GroupConv2d.from_dense(nn.Linear(8, 8), D4)
    with pytest.raises(DomainError, match="stride=.* is not the same along axes that D4 exchanges"):
        impose(nn.Conv2d(8, 8, 3, stride=(1, 2)), R, R)
    with pytest.raises(DomainError, match="padding='same' is not the same on both sides"):
        impose(nn.Conv2d(8, 8, 2, padding="same"), R, R)
    with pytest.raises(DomainError, match="multiples of dim V = 8 and dim U = 8"):
        impose(nn.Conv2d(8, 7, 3), R, R)
    with pytest.raises(DomainError, match=r"nn\.Conv3d, not Bilinear"):
        impose(nn.Bilinear(8, 8, 8), R, R)
    with pytest.raises(DomainError, match="nn.Linear has none"):
        impose(nn.Linear(8, 8), R, R, R)


@pytest.mark.parametrize("relaxed", [False, True])
@every_case
def test_groups_of_channels_are_layers_side_by_side(name, relaxed):
    kind, V, U, axes, grid = CASES[name]
    more = {"axes": axes, "padding": 1, "padding_mode": "circular", "dtype": D}
    H = (V.group.subgroup([]),) if relaxed else ()
    kind = {Conv1d: RelaxedConv1d, Conv2d: RelaxedConv2d, Conv3d: RelaxedConv3d}[kind] if relaxed else kind
    layer = kind(V, U, *H, 4, 2, 3, groups=2, **more)
    for p in layer.parameters():
        nn.init.normal_(p)
    x = torch.randn(2, 4, V.dimension, *grid, dtype=D)
    parts = []
    for k, part in enumerate(x.chunk(2, 1)):
        own = kind(V, U, *H, 2, 1, 3, **more)
        with torch.no_grad():
            for key, p in own.named_parameters():
                p.copy_(getattr(layer, key).chunk(2, 1)[k])
        parts.append(own(part))
    torch.testing.assert_close(layer(x), torch.cat(parts, 1))
    dense = layer.fold()
    assert dense.groups == 2
    torch.testing.assert_close(dense(x.flatten(1, 2)), layer(x).flatten(1, 2))
    back, lost = kind.from_dense(dense, V, U, *H, 4, 2, axes=axes)
    assert lost < 1e-12 and back.groups == 2
    torch.testing.assert_close(back.weight(), layer.weight())
    twin = copy.deepcopy(layer)
    assert torch.equal(twin(x), layer(x)) and "groups=2" in repr(layer)
    if not relaxed:
        assert check_equivariance(layer, V, U, 4, grid=grid, axes=axes)
        freer = relax(layer, V.group.subgroup([]))
        torch.testing.assert_close(freer(x), layer(x))
    with pytest.raises(DomainError, match="4 channels of V and 3 of U do not fall into 2 groups"):
        kind(V, U, *H, 4, 3, 3, groups=2, **more)
