"""Windows with strides: a layer on a grid is refused, or commutes with what turns the grid."""

import random

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.gsa import Affine, GSANet, grid, square
from intertwine.nn import (
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    Conv1d,
    Conv2d,
    Conv3d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
    SteerableConv2d,
    SteerableConv3d,
    check_equivariance,
)  # fmt: skip
from intertwine.nn._windows import turns_of

D = torch.float64
CONV, AVG, MAX = ((Conv1d, Conv2d, Conv3d), (AvgPool1d, AvgPool2d, AvgPool3d), (MaxPool1d, MaxPool2d, MaxPool3d))


def _swap():
    """The group that exchanges the axes of the plane and reverses none, and the one that reverses both on the way."""
    S2 = Group("S2")
    return [(S2, S2.matrix_rep([[[0, s], [s, 0]]])) for s in (1, -1)]


# Groups, how they act on axes (None: by themselves), and how many axes that are.
PLANE = [(Group(name), None, 2) for name in ("C2", "C4", "D1", "D2", "D4")]
IN_SPACE = (Group("C4"), Group("C4").matrix_rep([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]]), 3)
ACTIONS = [(Group("C2"), None, 1), *PLANE, (Group("B3"), None, 3), *((G, R, 2) for G, R in _swap()), IN_SPACE]


def test_what_groups_do_to_axes():
    """By hand: which axes are exchanged, and which are reversed."""
    C4, quarter = ACTIONS[-1][:2]
    expected = [
        (Group("D2"), None, (0, 1), (True, True)), (Group("D1"), None, (0, 1), None), (Group("D4"), None, (0, 0), (True, True)),
        (*_swap()[0], (0, 0), (False, False)), (*_swap()[1], (0, 0), (True, True)), (C4, quarter, (0, 0, 2), (True, True, False)),
    ]  # fmt: skip
    for G, axes, orbits, back in expected:
        turns = turns_of(G, (1,) * len(orbits), axes)
        assert turns.orbits == orbits and (turns.reversed == back if back else sum(turns.reversed) == 1), G


def test_shortcuts_of_residual_networks():
    """1 x 1 convolutions with stride 2 on an even number of sites look at a corner that the turned image has elsewhere."""
    R = Group("D4").rep("regular")
    shortcut = Conv2d(R, R, 1, 1, 1, stride=2, dtype=D)
    with pytest.raises(
        DomainError,
        match="the last site of axis 0 would never be looked at.*pad 28 sites to [0-9]+, or crop them to 27",
    ):
        shortcut(torch.randn(1, 1, 8, 28, 28, dtype=D))
    assert check_equivariance(shortcut, R, R, grid=(27, 27))
    for pool in (AvgPool2d(R, 1, 2), MaxPool2d(R, 1, 2)):
        with pytest.raises(DomainError, match="pad 28 sites to [0-9]+, or crop them to 27"):
            pool(torch.randn(1, 1, 8, 28, 28))
        assert check_equivariance(pool, R, R, grid=(27, 27), backward=False)
    v = Group("SO(2)").rep("vector")
    with pytest.raises(DomainError, match="pad 28 sites to [0-9]+, or crop them to 27"):
        SteerableConv2d(v, v, 1, 1, 1, stride=2)(torch.randn(1, 1, 2, 28, 28))
    with pytest.raises(DomainError, match="crop them to"):
        GSANet(Affine("R4"), grid(28, 28), square(3), 1, 10, layers=(1,), pools=3)
    G, axes = _swap()[0]  # both axes lose the same sites, and nothing is turned
    V = G.rep("perm")
    assert check_equivariance(Conv2d(V, V, 1, 1, 1, stride=2, axes=axes, dtype=D), V, V, grid=(8, 8), axes=axes)


@pytest.mark.parametrize("seed", range(120))
def test_layers_are_refused_or_equivariant(seed):
    choose = random.Random(seed)
    group, axes, n = choose.choice(ACTIONS)
    one = choose.random() < 0.6  # one number for all axes, or one for each

    def some(values):
        found = [choose.choice(values) for _ in range(n)]
        return found[0] if one else tuple(found)

    kernel, stride, padding, dilation = some([1, 1, 2, 3]), some([1, 2, 3]), some([0, 0, 1]), some([1, 1, 2])
    size = some([4, 5, 6, 7] if n < 3 else [3, 4, 5])
    size = (size,) * n if isinstance(size, int) else size
    kind = choose.choice(["conv", "conv", "avg", "max"]) if axes is None else "conv"
    V = group.rep(choose.choice(["trivial", "regular"]) if n < 3 else "trivial")
    try:
        if kind == "conv":
            mode = choose.choice(["zeros", "circular", "replicate"])
            layer = CONV[n - 1](V, V, 1, 1, kernel, stride, padding, dilation, padding_mode=mode, axes=axes, dtype=D)
            torch.nn.init.normal_(layer.bias)
        else:
            layer = (AVG if kind == "avg" else MAX)[n - 1](V, kernel, stride, padding)
        report = check_equivariance(layer, V, V, 1, grid=size, axes=axes, backward=kind != "max", batch=3)
    except DomainError:
        return
    assert report, f"{group.name}, {layer} on {size}: {report}"


@pytest.mark.parametrize("seed", range(24))
def test_steerable_layers_are_refused_or_equivariant(seed):
    """Under the turns and reflections of the grid, which are among those of O(n)."""
    choose = random.Random(seed)
    n = choose.choice([2, 2, 3])
    kind, point = ((SteerableConv2d, Group("D4")), (SteerableConv3d, Group("B3")))[n - 2]
    V, field = Group(f"O({n})").rep("vector"), point.rep("coordinates")
    layer = kind(
        V,
        V,
        1,
        1,
        choose.choice([1, 2, 3]),
        choose.choice([1, 2, 3]),
        choose.choice([0, 1]),
        choose.choice([1, 2]),
        dtype=D,
    )
    torch.nn.init.normal_(layer.theta)
    size = choose.choice([4, 5, 6, 7] if n == 2 else [4, 5])
    try:
        report = check_equivariance(layer, field, field, 1, grid=(size,) * n, batch=3)
    except DomainError:
        return
    assert report, f"{layer} on {size}: {report}"


@pytest.mark.parametrize(
    "kernel, stride, padding, size, sizes",
    [(3, 2, 1, 32, "m 2^k + 1 sites"), (2, 2, 0, 31, "m 2^k sites"), (3, 2, 0, 30, "m 2^k - 1 sites"), (3, 3, 0, 28, "m 3^k sites"), (3, 4, 1, 32, "m 4^k + 1 sites")],
)  # fmt: skip
def test_sizes_that_are_advised_are_those_of_a_tower(kernel, stride, padding, size, sizes):
    R = Group("D4").rep("regular")
    layer = Conv2d(R, R, 1, 1, kernel, stride=stride, padding=padding)
    with pytest.raises(DomainError) as refused:
        layer(torch.randn(1, 1, 8, size, size))
    said = str(refused.value)
    assert f"k layers like this one take {sizes}" in said
    x = torch.randn(1, 1, 8, *(int(said.split()[-1]),) * 2)
    for _ in range(3):
        x = layer(x)
    crop = int(said.split("crop them to ")[1].split(";")[0])
    layer(torch.randn(1, 1, 8, crop, crop))
