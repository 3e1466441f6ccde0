"""Finer grids and smaller types: transposed convolutions, interpolation, pools of cosets, and the U-Net of
examples/unet."""

import importlib.util
import pathlib
import random

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    AvgPool3d,
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    CosetPool,
    InvariantPool,
    Upsample,
    check_equivariance,
)  # fmt: skip
from torch import nn

D = torch.float64
FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "unet"
UP, DOWN = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d), (Conv1d, Conv2d, Conv3d)
D4, C4 = Group("D4"), Group("C4")
IN_SPACE = (C4, C4.matrix_rep([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]]), 3)
S2 = Group("S2")
ACTIONS = [
    (Group("C2"), None, 1),
    *((Group(name), None, 2) for name in ("C2", "C4", "D1", "D2", "D4")),
    (Group("B3"), None, 3),
    (S2, S2.matrix_rep([[[0, 1], [1, 0]]]), 2),
    IN_SPACE,
]


@pytest.mark.parametrize("seed", range(60))
def test_transposed_convolutions_are_refused_or_equivariant(seed):
    choose = random.Random(seed)
    group, axes, n = choose.choice(ACTIONS)
    one = choose.random() < 0.7

    def some(values):
        found = [choose.choice(values) for _ in range(n)]
        return found[0] if one else tuple(found)

    kernel, stride, padding = some([1, 2, 3, 4]), some([1, 2, 3]), some([0, 0, 1])
    dilation, more = some([1, 1, 2]), some([0, 0, 1])
    size = (some([2, 3, 4]),) * n if one else some([2, 3, 4])
    V = group.rep(choose.choice(["trivial", "regular"]) if n < 3 else "trivial")
    try:
        layer = UP[n - 1](V, V, 1, 2, kernel, stride, padding, more, True, dilation, axes=axes, dtype=D)
        nn.init.normal_(layer.bias)
        report = check_equivariance(layer, V, V, 1, grid=size, axes=axes, batch=3)
    except DomainError:
        return
    assert report, f"{group.name}, {layer} on {size}: {report}"
    x = torch.randn(2, 1, V.dimension, *size, dtype=D)
    torch.testing.assert_close(layer.fold()(x.flatten(1, 2)), layer(x).flatten(1, 2))


def test_it_is_the_transpose_of_the_convolution():
    """<conv(x), y> = <x, transposed(y)>, with the kernel of each pair of representations transposed."""
    V, U = D4.rep("coordinates"), D4.rep("regular")
    down = Conv2d(V, U, 2, 3, 3, stride=2, padding=1, bias=False, dtype=D)
    up = ConvTranspose2d(U, V, 3, 2, 3, stride=2, padding=1, bias=False, dtype=D)
    adjoint = nn.ConvTranspose2d(3 * 8, 2 * 2, 3, stride=2, padding=1, bias=False, dtype=D)
    with torch.no_grad():
        adjoint.weight.copy_(down.weight())
    same, lost = ConvTranspose2d.from_dense(adjoint, U, V, 3, 2)
    assert lost < 1e-12 and same.theta.shape == up.theta.shape
    x, y = torch.randn(4, 2, 2, 9, 9, dtype=D), torch.randn(4, 3, 8, 5, 5, dtype=D)
    torch.testing.assert_close((down(x) * y).sum(), (x * same(y)).sum())


@pytest.mark.parametrize("k, padding, n", [(3, 1, 9), (4, 1, 8), (2, 0, 8)])
def test_grids_come_back(k, padding, n):
    R = D4.rep("regular")
    down = Conv2d(R, R, 1, 2, k, stride=2, padding=padding, dtype=D)
    up = ConvTranspose2d(R, R, 2, 1, k, stride=2, padding=padding, dtype=D)
    net = nn.Sequential(down, up)
    assert net(torch.randn(1, 1, 8, n, n, dtype=D)).shape == (1, 1, 8, n, n)
    assert check_equivariance(net, R, R, 1, grid=(n, n))


def test_the_variance_of_the_outputs_is_that_of_the_inputs():
    R = D4.rep("regular")
    found = []
    for _ in range(8):
        layer = ConvTranspose2d(R, R, 8, 8, 4, stride=2, padding=1)
        found.append(float(layer(torch.randn(4, 8, 8, 12, 12))[..., 3:-3, 3:-3].var().detach()))
    assert sum(found) / 8 == pytest.approx(1, rel=0.2)


def test_transposed_convolutions_that_are_refused():
    R = D4.rep("regular")
    with pytest.raises(DomainError, match="behind the last one of axis 0 only, which D4 takes to the first one"):
        ConvTranspose2d(R, R, 1, 1, 3, 2, 1, 1)
    with pytest.raises(DomainError, match="output_padding 2 of axis 0 is smaller than its stride 2"):
        ConvTranspose2d(R, R, 1, 1, 3, 2, 1, 2)
    with pytest.raises(DomainError, match="stride=.* is not the same along axes that D4 exchanges"):
        ConvTranspose2d(R, R, 1, 1, 3, (1, 2))
    with pytest.raises(DomainError, match="padding of a transposed convolution is a number"):
        ConvTranspose2d(R, R, 1, 1, 3, 2, "same")
    with pytest.raises(DomainError, match="the padding 3 leaves nothing of axis 0, which has 2 sites"):
        ConvTranspose2d(R, R, 1, 1, 3, 1, 3)(torch.randn(1, 1, 8, 2, 2))
    with pytest.raises(DomainError, match=r"takes \[..., 1, 8, H, W\]"):
        ConvTranspose2d(R, R, 1, 1, 3)(torch.randn(1, 1, 7, 5, 5))
    with pytest.raises(DomainError, match=r"takes an nn\.ConvTranspose2d, not Conv2d"):
        ConvTranspose2d.from_dense(nn.Conv2d(8, 8, 3), R, R)
    with pytest.raises(DomainError, match=r"need \[8, 16"):
        ConvTranspose2d.from_dense(nn.ConvTranspose2d(8, 8, 3), R, R, 2, 1)
    G, axes = ACTIONS[-2][:2]  # both axes get one more, and nothing is turned
    V = G.rep("perm")
    layer = ConvTranspose2d(V, V, 1, 1, 3, 2, 1, 1, axes=axes, dtype=D)
    assert check_equivariance(layer, V, V, grid=(4, 4), axes=axes)
    assert layer(torch.randn(1, 1, 2, 4, 4, dtype=D)).shape[-2:] == (8, 8)


@pytest.mark.parametrize("seed", range(60))
def test_interpolation_is_refused_or_equivariant(seed):
    choose = random.Random(seed)
    group, axes, n = choose.choice(ACTIONS)
    mode = choose.choice(
        [m for m, k in (("nearest", n), ("linear", 1), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3)) if k == n]
    )
    factor = choose.choice([2, 3, 0.5, 1.5, 1.2, 4 / 3, (2, 3, 2)[:n]])
    size = (choose.choice([3, 4, 5, 6, 10]),) * n
    V = group.rep(choose.choice(["trivial", "perm", "regular"]) if n < 3 else "trivial")
    try:
        module = Upsample(V, factor, mode, align_corners=choose.random() < 0.3, axes=axes or n)
        report = check_equivariance(module, V, V, 2, grid=size, axes=axes, batch=3)
    except DomainError:
        return
    assert report, f"{group.name}, {module} on {size}: {report}"


def test_interpolation_is_that_of_pytorch():
    R = D4.rep("regular")
    x = torch.randn(2, 3, 8, 4, 4, dtype=D)
    for mode in ("nearest", "bilinear", "bicubic"):
        expected = nn.functional.interpolate(x.flatten(1, 2), scale_factor=2, mode=mode)
        torch.testing.assert_close(Upsample(R, 2, mode)(x).flatten(1, 2), expected)
    assert "scale_factor=3/2, mode='bilinear'" in repr(Upsample(R, 1.5, "bilinear"))
    v = Group("SO(2)").rep("vector")
    assert check_equivariance(Upsample(v, 2, "bilinear"), *[D4.rep("coordinates")] * 2, 2, grid=(5, 5))


def test_interpolation_that_is_not_equivariant():
    """Sizes that are rounded down, which PyTorch takes."""
    R = D4.rep("regular")
    wrong = lambda x: nn.functional.interpolate(x.flatten(1, 2), scale_factor=1.5, mode="bilinear").unflatten(1, (1, 8))  # noqa: E731
    assert not check_equivariance(wrong, R, R, grid=(5, 5))
    with pytest.raises(DomainError, match="5 sites of axis 0 times 3/2 are no whole number of sites.*crop them to 4"):
        Upsample(R, 1.5, "bilinear")(torch.randn(1, 1, 8, 5, 5))
    with pytest.raises(DomainError, match="1 site of axis 0 times 1/2 are none"):
        Upsample(R, 0.5, "bilinear", align_corners=True)(torch.randn(1, 1, 8, 1, 1))
    for given, words in [
        (dict(mode="cubic"), "the mode 'cubic' is not known; modes are nearest"),
        (dict(scale_factor=1.5), "'nearest' takes integers"),
        (dict(scale_factor=0), "scale_factor is a positive number, or 2 of them, not 0"),
        (dict(scale_factor=(2, 2, 2)), "or 2 of them"),
        (dict(scale_factor=(2, 3)), r"not the same along axes that D4 exchanges"),
        (dict(mode="bilinear", axes=3), "for grids of 2 axes, not of 3"),
        (dict(align_corners=True), "align_corners is for modes that interpolate"),
    ]:
        with pytest.raises(DomainError, match=words):
            Upsample(R, **given)
    with pytest.raises(DomainError, match="along axes that SO.2. exchanges"):
        Upsample(Group("SO(2)").rep("vector"), (2, 3))


@pytest.mark.parametrize("kind", ["max", "mean"])
@pytest.mark.parametrize("name", ["S4", "D4", "C6"])
def test_pools_of_cosets_commute(name, kind):
    G = Group(name)
    for H in (G.subgroup([G.generators[0]]), G.subgroup([]), G):
        for V in (G.rep("regular"), G.rep("2*regular + perm")):
            try:
                pool = CosetPool(V, H, kind)
            except DomainError as error:
                assert "contains the stabilizer of no" in str(error) and "perm" in str(V)
                continue
            assert check_equivariance(pool, V, pool.target, 3)
            if str(V) == "regular":
                assert pool.target.dimension == G.order // H.order
    V = G.rep("regular")
    x = torch.randn(3, 2, G.order, dtype=D)
    torch.testing.assert_close(CosetPool(V, G, kind)(x), InvariantPool(V, kind)(x))
    torch.testing.assert_close(CosetPool(V, G.subgroup([]), kind)(x).sort().values, x.sort().values)


def test_pools_of_cosets_on_images_and_what_they_refuse():
    R = D4.rep("regular")
    turns = D4.subgroup([D4.generators[0]])
    pool = CosetPool(R, turns, axes=2)
    assert check_equivariance(pool, R, pool.target, 2, grid=(4, 4))
    assert pool.target.dimension == 2
    by_hand = lambda x: x.reshape(*x.shape[:2], 2, 4, *x.shape[3:]).amax(2)  # sets that no subgroup has  # noqa: E731
    assert not check_equivariance(by_hand, R, D4.rep("perm"), 2, grid=(4, 4))
    with pytest.raises(
        DomainError, match="contains the stabilizer of no coordinate in the orbit of coordinate 0 of perm"
    ):
        G = Group("S4")
        CosetPool(G.rep("perm"), G.subgroup(["(1,2)"]))
    with pytest.raises(DomainError, match="does not permute its coordinates"):
        CosetPool(D4.rep("coordinates"), turns)
    with pytest.raises(DomainError, match="is not a subgroup of D4"):
        CosetPool(R, Group("S4"))
    with pytest.raises(DomainError, match="kinds are max, mean"):
        CosetPool(R, turns, "sum")
    with pytest.raises(DomainError, match=r"takes \[..., channels, 8, H, W\]"):
        pool(torch.randn(1, 8))


def test_a_field_of_a_group_is_one_of_its_subgroups():
    """A network may go on with fewer symmetries: the restricted type has the same coordinates."""
    R, turns = D4.rep("regular"), D4.subgroup([D4.generators[0]])
    axes = D4.rep("coordinates").restrict(turns)
    net = nn.Sequential(
        Conv2d(R, R, 1, 2, 3, dtype=D), Conv2d(R.restrict(turns), R.restrict(turns), 2, 1, 3, axes=axes, dtype=D)
    )
    assert check_equivariance(net, R.restrict(turns), R.restrict(turns), 1, grid=(7, 7), axes=axes)
    assert not check_equivariance(net, R, R, 1, grid=(7, 7))


def test_layers_compile_and_export():
    R = D4.rep("regular")
    net = nn.Sequential(
        Conv2d(R, R, 2, 2, 3, stride=2, padding=1, dtype=D),
        ConvTranspose2d(R, R, 2, 2, 3, stride=2, padding=1, dtype=D),
        Upsample(R, 2),
        Upsample(R, 0.5, "bilinear"),
        CosetPool(R, D4.subgroup(["(2,4)"]), axes=2),
    )
    x = torch.randn(2, 2, 8, 9, 9, dtype=D)
    compiled = torch.compile(net, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), net(x))
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim("batch", min=2)},))
    torch.testing.assert_close(program.module()(x[:, :, :, :9]), net(x))
    up = ConvTranspose2d(R, R, 1, 1, 2, stride=2, dtype=D)
    assert torch.autograd.gradgradcheck(up, torch.randn(1, 1, 8, 2, 2, dtype=D, requires_grad=True))


def test_pools_take_axes():
    V = C4.rep("regular")
    axes = IN_SPACE[1]
    assert check_equivariance(AvgPool3d(V, 3, 2, axes=axes), V, V, grid=(5, 5, 5), axes=axes)
    with pytest.raises(DomainError, match="give axes=R"):
        AvgPool3d(V, 3, 2)


def test_the_u_net_is_equivariant_and_learns():
    spec = importlib.util.spec_from_file_location("unet", FOLDER / "train.py")
    unet = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(unet)
    for other in ("transposed", "upsample"):
        net = unet.UNet(2, other).double().eval()
        assert check_equivariance(net, unet.IMAGE, unet.SLOPE, grid=(9, 9), elements=2)
    with pytest.raises(DomainError, match="crop them to"):
        net(torch.randn(1, 1, 1, 12, 12, dtype=D))
    # Slopes are what turns with the heights: their gradient, to the accuracy of differences.
    x, y = unet.landscapes(2, noise=0)
    away = (x[..., 2:, 1:-1] - x[..., :-2, 1:-1]) / 2 * 4
    torch.testing.assert_close(away.squeeze(2), y[:, :, 0, 1:-1, 1:-1], rtol=0, atol=0.1)
    net = unet.UNet(2)
    optimiser = torch.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for step in range(15):
        x, y = unet.landscapes(8, seed=step)
        loss = (net(x) - y).square().mean() / y.square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.8 * losses[0]
