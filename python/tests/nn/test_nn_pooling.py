"""Pooling to invariants, and of the sites of a grid."""

import copy
import pickle

import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    BlurPool1d,
    BlurPool2d,
    InvariantPool,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
    check_equivariance,
)
from test_nn_norm import DOUBLE, FIELDS
from torch import nn


@pytest.mark.parametrize("kind", ["mean", "max", "norm", "square"])
@pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))
def test_pools_are_invariant(kind, group, V):
    V, _ = representations(group, V, V)
    try:
        pool = InvariantPool(V, kind)
    except DomainError as error:
        reason = {"mean": "fixes no vector", "max": "mixes coordinates"}[kind]
        assert reason in str(error) and (
            kind == "max" and not V.is_monomial or kind == "mean" and (V >> V).bias.dimension == 0
        )
        return
    if kind == "mean":
        assert pool.target.dimension == (V >> V).bias.dimension  # all that is linear and invariant
    assert check_equivariance(pool, V, pool.target, 3)
    x = torch.randn(4, 3, V.dimension, **DOUBLE)
    y = pool(x)
    assert y.shape == (4, 3, pool.target.dimension) and (
        y.flatten(0, 1).T.unique(dim=0).shape[0] == pool.target.dimension
    )
    assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(pool)))(x), y) and not pool.state_dict()
    grid = InvariantPool(V, kind, axes=2)(
        x.view(1, 4, 3, -1).permute(0, 2, 3, 1).unsqueeze(-1).expand(-1, -1, -1, -1, 2)
    )
    torch.testing.assert_close(grid, y.permute(1, 2, 0).unsqueeze(0).unsqueeze(-1).expand(-1, -1, -1, -1, 2))
    f = lambda x: pool(x)  # noqa: E731
    assert torch.autograd.gradcheck(f, (torch.randn(2, 1, V.dimension, requires_grad=True, **DOUBLE),))


def test_pools_that_are_known():
    V, _ = representations("S4", "perm + trivial", "perm")
    x = torch.tensor([[1.0, -7, 3, 5, -2]])
    assert InvariantPool(V)(x).tolist() == [[0.5, -2.0]] and InvariantPool(V, "max")(x).tolist() == [[5.0, -2.0]]
    torch.testing.assert_close(InvariantPool(V, "norm")(x), torch.tensor([[84**0.5, 2.0]]))
    x = torch.zeros(1, 5, requires_grad=True)
    InvariantPool(V, "norm")(x).sum().backward()
    assert not x.grad.any()
    # Between |x| and |x| + eps everywhere.
    x = torch.randn(100, 5, **DOUBLE) * torch.logspace(-8, 2, 100, **DOUBLE)[:, None]
    square, norm = (InvariantPool(V, kind, eps=1e-3)(x) for kind in ("square", "norm"))
    assert (norm >= square.sqrt()).all() and (norm <= square.sqrt() + 1e-3).all()
    assert torch.equal(square[:, 1], x[:, 4].square())
    with pytest.raises(DomainError, match="eps is a positive number"):
        InvariantPool(V, "norm", eps=0.0)
    # Signs: C2 takes e1 to -e2, which fixes (1, -1); it negates the vector of sign, which fixes nothing.
    G = Group("C2")
    V = G.rep("rep([[-2,-1]])") + G.rep("sign")
    x = torch.tensor([[3.0, -4, -6]])
    assert InvariantPool(V, "max")(x).tolist() == [[4.0, 6.0]] and InvariantPool(V)(x).tolist() == [[3.5]]
    std, _ = representations("S4", "std", "std")
    assert not check_equivariance(lambda x: x.amax(-1, keepdim=True), std, std.group.rep("trivial"))
    assert not check_equivariance(
        lambda x: x.norm(dim=-1, keepdim=True), std, std.group.rep("trivial")
    )  # not the inner product of the group


@pytest.mark.parametrize("V", ["regular", "irrep(5)", "2*trivial + sign"])
def test_averages_keep_the_symmetry(V):
    V, _ = representations("D4", V, V)
    for settings, side in [((2,), 6), ((3, 2, 1), 7), ((3, 2), 5), ((2, 1), 4)]:
        pool = AvgPool2d(V, *settings)
        assert check_equivariance(pool, V, V, 2, grid=(side, side))
        x = torch.randn(3, 2, V.dimension, side, side)
        torch.testing.assert_close(pool(x).flatten(1, 2), nn.functional.avg_pool2d(x.flatten(1, 2), *settings))
        torch.testing.assert_close(pool(x[0]), pool(x)[0])
    with pytest.raises(DomainError, match="pad 8 sites to [0-9]+, or crop them to 7"):
        AvgPool2d(V, 3, 2, 1)(torch.randn(1, 2, V.dimension, 8, 8))
    assert not check_equivariance(
        lambda x: nn.functional.avg_pool3d(x, (1, 3, 3), (1, 2, 2), (0, 1, 1)), V, V, grid=(8, 8)
    )  # the crop shifts the centre


def test_maxima_keep_the_symmetry():
    V, _ = representations("D4", "regular + trivial", "regular")
    pool = MaxPool2d(V, 3, 2, 1)
    assert check_equivariance(pool, V, V, 2, grid=(7, 7), backward=False)
    x = torch.randn(1, 2, 9, 7, 7, **DOUBLE)
    torch.testing.assert_close(pool(x).flatten(1, 2), nn.functional.max_pool2d(x.flatten(1, 2), 3, 2, 1))
    # Gradients where no value occurs twice: turned by a quarter, on the sites and on the coordinates alike.
    from intertwine.nn.check import _Sides

    g = V.group.generators[0]
    before, after = _Sides(V, (7, 7), g, x), _Sides(V, (4, 4), g, x)
    v = torch.randn(1, 2, 9, 4, 4, **DOUBLE)
    gradient = lambda x, v: torch.autograd.grad(pool(x.requires_grad_()), x, v)[0]  # noqa: E731
    torch.testing.assert_close(gradient(before(x).detach(), after(v)), before(gradient(x, v)))
    for V, words in [("sign + regular", "negates coordinates"), ("irrep(5)", "negates coordinates")]:
        with pytest.raises(DomainError, match=words):
            MaxPool2d(Group("D4").rep(V), 2)
    with pytest.raises(DomainError, match="mixes coordinates"):
        MaxPool1d(Group("C2").matrix_rep([[[1, 1], [0, -1]]]), 2)
    sign = Group("D4").rep("sign")
    assert not check_equivariance(
        lambda x: nn.functional.max_pool3d(x, (1, 2, 2)), sign, sign, grid=(4, 4), backward=False
    )


def test_pools_of_other_dimensions_and_bad_input():
    V, _ = representations("C2", "regular", "regular")
    for pool in (AvgPool1d(V, 3, 2), MaxPool1d(V, 3, 2)):
        assert check_equivariance(pool, V, V, 2, grid=(7,), backward=False)
        assert torch.equal(pickle.loads(pickle.dumps(pool))(torch.ones(1, 2, 2, 7)), torch.ones(1, 2, 2, 3))
    V = Group("B3").rep("trivial")
    for pool in (AvgPool3d(V, 2), MaxPool3d(V, 2)):
        assert check_equivariance(pool, V, V, grid=(4, 4, 4), backward=False)
    D1 = Group("D1").rep("regular")  # keeps the axes apart
    assert check_equivariance(AvgPool2d(D1, (2, 3), (1, 2)), D1, D1, grid=(4, 7))
    V = Group("D4").rep("regular")
    for call, words in [
        (lambda: AvgPool2d(V, (2, 3)), "sizes"),
        (lambda: AvgPool2d(V, 2, (1, 2)), "is not the same along axes that D4 exchanges"),
        (lambda: AvgPool2d(V, 0), "kernel_size is an integer of at least 1"),
        (lambda: AvgPool2d(V, 2, 1, 2), "more than half"),
        (lambda: AvgPool2d(V, 2)(torch.randn(1, 2, 7, 4, 4)), r"takes \[..., channels, 8, H, W\]"),
        (lambda: AvgPool2d(Group("S4").rep("perm"), 2), "not defined by matrices"),
        (lambda: InvariantPool(V, "sum"), "kinds are mean, max, norm, square"),
        (lambda: InvariantPool(V)(torch.randn(2, 7)), r"takes \[..., channels, 8\]"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()


@pytest.mark.parametrize("V", ["regular", "irrep(5)"])
def test_blur_pools_have_no_aliases_and_commute_with_turns(V):
    """The signs + - + - ... of a grid have mean 0 in every window; taking every second site makes a constant of them."""
    V = Group("D4").rep(V)
    pool = BlurPool2d(V)
    assert check_equivariance(pool, V, V, 2, grid=(9, 9))
    sites = torch.arange(9)
    waves = (1 - 2 * ((sites[:, None] + sites) % 2)).double().expand(1, 1, V.dimension, 9, 9)
    assert not pool(waves)[..., 1:-1, 1:-1].any() and AvgPool2d(V, 1, 2)(waves).eq(1).all()
    ones = torch.ones(1, 1, V.dimension, 9, 9, dtype=torch.float64)
    torch.testing.assert_close(pool(ones)[..., 1:-1, 1:-1], ones[..., :3, :3])
    x = torch.randn(2, 3, V.dimension, 9, 9, dtype=torch.float64)
    row = torch.tensor([0.25, 0.5, 0.25], dtype=torch.float64)
    wanted = torch.nn.functional.conv2d(x.reshape(-1, 1, 9, 9), (row[:, None] * row)[None, None], stride=2, padding=1)
    torch.testing.assert_close(pool(x), wanted.view(*x.shape[:3], 5, 5))
    z = torch.complex(x, x.flip(-1))
    torch.testing.assert_close(pool(z), torch.complex(pool(z.real), pool(z.imag)))
    assert torch.autograd.gradcheck(pool, (x[:1, :1].requires_grad_(),), fast_mode=True)
    with pytest.raises(DomainError, match="crop them to 7"):
        pool(x[..., :8, :8])
    line = BlurPool1d(Group("C2").rep("regular"), 5, 2, 2)
    assert check_equivariance(line, line_type := Group("C2").rep("regular"), line_type, 2, grid=(9,))
