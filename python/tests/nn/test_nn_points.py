"""Modules on groups such as S4 x O(3): each point by itself, and the whole cloud where it is asked for."""

import copy
import pickle

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import Group
from intertwine.nn import (
    BatchNorm,
    GatedActivation,
    InvariantPool,
    LayerNorm,
    Linear,
    NormActivation,
    RMSNorm,
    check_equivariance,
)
from test_nn_norm import DOUBLE, randomised

CLOUD = Group("S4 x O(3)")

# V, and the scalars that a gate takes: one for each point, and one for each orbit
FIELDS = [
    ("S4 x O(3)", "perm # vector", "perm # trivial", "trivial"),
    ("S4 x O(3)", "2*(perm # vector) + sign # vector + perm # trivial", "2*(perm # trivial) + trivial + perm # trivial", "4*trivial"),
    ("S4 x O(3)", "perm # (trivial + vector)", "2*(perm # trivial)", "2*trivial"),
    ("O(3) x S4", "vector # perm + 3*trivial # perm", "4*(trivial # perm)", "4*trivial"),
    ("S3 x C2 x O(3)", "perm # sign # vector", "trivial", "trivial"),
    ("S3 x C2 x O(3)", "perm # trivial # vector", "perm # trivial # trivial", "trivial"),
    ("S3 x S2 x O(3)", "perm # perm # vector", "trivial", "trivial"),  # two factors move points
    ("S4 x O(3)", "std # vector", "trivial", "trivial"),  # no points
    ("D4 x SO(2)", "regular # vector", "regular # trivial", "trivial"),
    ("S3 x SO+(1,3)", "perm # vector", "perm # trivial", "trivial"),
]  # fmt: skip


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("group, V, points, orbits", FIELDS, ids=[f"{f[0]} {f[1]}".replace(" ", "") for f in FIELDS])
def test_modules_on_points_are_equivariant(group, V, points, orbits, whole):
    G = Group(group)
    V, scalars = G.rep(V), G.rep(orbits if whole else points)
    gated = GatedActivation(V, whole=whole)
    assert gated.source == V + scalars and check_equivariance(gated, gated.source, V, 3)
    for kind in ("norm", "square"):
        pool = InvariantPool(V, kind, whole=whole)
        assert pool.target == scalars and check_equivariance(pool, V, pool.target, 2)
    for module in (
        randomised(NormActivation(V, torch.tanh, 3, whole=whole, **DOUBLE)),
        randomised(LayerNorm(V, 3, whole=whole, **DOUBLE)), randomised(RMSNorm(V, 3, whole=whole, **DOUBLE)),
        randomised(BatchNorm(V, 3, **DOUBLE)),
    ):  # fmt: skip
        assert check_equivariance(module, V, V, 3)
        net = torch.nn.Sequential(Linear(V, gated.source, 3, 3, **DOUBLE), gated, module)
        assert check_equivariance(net, V, V, 3)
        x = torch.randn(4, 3, V.dimension, **DOUBLE)
        assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(module.eval())))(x), module(x))


def test_each_point_is_treated_as_if_it_were_alone():
    """A cloud of one point is a field of O(3); what modules do there they do at every point of a larger one."""
    V, one = CLOUD.rep("2*(perm # vector)"), Group("O(3)").rep("2*vector")
    x = torch.randn(5, 3, 2, 4, 3, **DOUBLE)  # two copies of four points
    for kind in (NormActivation, LayerNorm, RMSNorm):
        settings = {"f": torch.tanh} if kind is NormActivation else {}
        cloud, point = kind(V, channels=3, **settings, **DOUBLE), kind(one, channels=3, **settings, **DOUBLE)
        randomised(cloud)
        point.load_state_dict(cloud.state_dict())
        alone = point(x.movedim(3, 1).flatten(-2)).unflatten(-1, (2, 3)).movedim(1, 3)
        torch.testing.assert_close(cloud(x.flatten(2)), alone.flatten(2))
        whole = kind(V, channels=3, whole=True, **settings, **DOUBLE)
        whole.load_state_dict(cloud.state_dict())
        assert (whole(x.flatten(2)) - alone.flatten(2)).abs().max() > 0.01
    norms = InvariantPool(V, "norm")(x.flatten(2))
    torch.testing.assert_close(norms, x.square().sum(-1).add(1e-8).sqrt().flatten(2))
    torch.testing.assert_close(InvariantPool(V, "square", whole=True)(x.flatten(2)), x.square().sum((-1, -2)))
    gates = torch.randn(5, 3, 2, 4, **DOUBLE)
    gated = GatedActivation(V)(torch.cat((x.flatten(2), gates.flatten(2)), -1))
    torch.testing.assert_close(gated, (x * gates.sigmoid()[..., None]).flatten(2))


def test_means_of_points():
    """Invariants of each point: of x y^T the trace, of scalars themselves; of the whole cloud their means."""
    V = CLOUD.rep("perm # (vector*vector + 2*trivial)")
    x = torch.randn(2, 3, V.dimension, **DOUBLE)
    pool, whole = InvariantPool(V), InvariantPool(V, whole=True)
    assert pool.target.dimension == 12 and whole.target == CLOUD.rep("3*trivial")
    assert check_equivariance(pool, V, pool.target, 2) and check_equivariance(whole, V, whole.target, 2)
    own = x.unflatten(-1, (4, 11))
    torch.testing.assert_close(pool(x)[..., :4].abs(), own[..., [0, 4, 8]].sum(-1).abs() / 3)
    two = pool(x)[..., 4:].unflatten(-1, (2, 4))
    torch.testing.assert_close(two, own[..., 9:].transpose(-1, -2))
    torch.testing.assert_close(whole(x)[..., 1:], own[..., 9:].mean(-2))


def test_points_are_read_on_grids_too():
    V = CLOUD.rep("perm # vector + perm # trivial")
    x = torch.randn(2, 3, V.dimension, 5, **DOUBLE)
    for kind in (NormActivation, LayerNorm, RMSNorm):
        module = randomised(kind(V, channels=3, axes=1, **DOUBLE))
        flat = kind(V, channels=3, **DOUBLE)
        flat.load_state_dict(module.state_dict())
        torch.testing.assert_close(module(x), flat(x.movedim(-1, 1)).movedim(1, -1))


def test_modules_say_when_they_act_on_the_whole():
    V = CLOUD.rep("perm # vector")
    assert "whole" not in repr(RMSNorm(V, 2)) and "whole=True" in repr(RMSNorm(V, 2, whole=True))
    assert "whole" not in repr(RMSNorm(Group("S4").rep("perm"), 2, whole=True)) + repr(BatchNorm(V, 2))
