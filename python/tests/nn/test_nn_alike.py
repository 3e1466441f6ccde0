"""Groups that permute their points alike and turn the plane or space differently: none gets the layers of another."""

import itertools

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import Group  # noqa: E402
from intertwine.nn import Conv2d, InvariantPool, LayerNorm, Linear, check_equivariance  # noqa: E402


@pytest.mark.parametrize("order", list(itertools.permutations(["C2", "D1"])))
def test_convolutions_of_half_turns_and_mirrors(order):
    weights = []
    for name in order:
        V = Group(name).rep("regular")
        layer = Conv2d(V, V, 1, 1, 3, padding=1)
        assert check_equivariance(layer, V, V, grid=(5, 5))
        weights.append(layer)
    wrong = Group(order[1]).rep("regular")
    assert not check_equivariance(weights[0], wrong, wrong, grid=(5, 5))  # the control: kernels differ


@pytest.mark.parametrize("text", ["cartesian", "cartesian + 2*perm", "harmonic(2)"])
@pytest.mark.parametrize("pair", [("C4v", "D2d"), ("C6v", "D3d"), ("D2", "p1(2,2)")])
def test_layers_of_groups_in_space(pair, text):
    read = 0
    for name in (*pair, *reversed(pair)):
        try:
            V = Group(name).rep(text)
        except ValueError:
            continue  # what the group does not have
        read += 1
        assert check_equivariance(Linear(V, V, 2, 3), V, V, 2)
        assert check_equivariance(LayerNorm(V, 2), V, V, 2)
        pool = InvariantPool(V, "norm")
        assert check_equivariance(pool, V, pool.target, 2)
    assert read >= 2
