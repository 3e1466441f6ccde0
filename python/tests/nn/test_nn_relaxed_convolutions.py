"""Convolutions with a part that commutes with the group and a rest that need not: the two parts, the penalty against
the mean over the group, states of convolutions, training, bad input."""

import copy
import itertools
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, VerificationError, hom_dimension
from intertwine.nn import (
    Conv1d,
    Conv2d,
    Conv3d,
    RelaxedConv1d,
    RelaxedConv2d,
    RelaxedConv3d,
    check_equivariance,
    relax,
)
from torch import nn

D = torch.float64
C2, D4, B3, C4 = Group("C2"), Group("D4"), Group("B3"), Group("C4")
TURNS = D4.subgroup([D4.generators[0]])
QUARTER = C4.matrix_rep([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]])
# The layer, the convolution of the group alone, V, U, the chain, axes, the grid.
CASES = {
    "a line": (RelaxedConv1d, Conv1d, C2.rep("regular"), C2.rep("trivial"), [C2.subgroup([])], None, (7,)),
    "a plane": (RelaxedConv2d, Conv2d, D4.rep("trivial"), D4.rep("regular"), [TURNS, D4.subgroup([])], None, (6, 6)),
    "multiples": (RelaxedConv2d, Conv2d, D4.rep("2*coordinates"), D4.rep("3*coordinates"), [TURNS], None, (6, 6)),
    "matrices": (RelaxedConv2d, Conv2d, D4.rep("std"), D4.rep("std + trivial"), [D4.subgroup([])], None, (5, 5)),
    "a space": (RelaxedConv3d, Conv3d, B3.rep("coordinates"), B3.rep("trivial"), [B3.subgroup([])], None, (3, 3, 3)),
    "axes": (RelaxedConv3d, Conv3d, C4.rep("regular"), C4.rep("trivial"), [C4.subgroup([])], QUARTER, (3, 3, 3)),
}
every_case = pytest.mark.parametrize("name", CASES)


def make(name, normal=True, **settings):
    kind, _, V, U, chain, axes, _ = CASES[name]
    settings = {"padding": 1, "padding_mode": "circular", **settings}
    layer = kind(V, U, chain, 2, 3, 3, axes=axes, dtype=D, **settings)
    for p in layer.parameters() if normal else ():
        nn.init.normal_(p)
    return layer


def sites_of(name):
    kind, _, V, _, _, axes, _ = CASES[name]
    window = ",".join(["3"] * kind.axes)
    return V.group.rep(f"kernel({window}{f', {axes.expression}' if axes else ''})")


@every_case
def test_it_begins_as_the_convolution_and_may_leave(name):
    kind, plain, V, U, chain, axes, grid = CASES[name]
    layer = make(name, normal=False)
    x = torch.randn(2, 2, V.dimension, *grid, dtype=D)
    assert layer.penalty() == 0 and layer.defect() == 0
    even = layer.symmetrized()
    assert type(even) is plain
    torch.testing.assert_close(layer(x), even(x))
    assert check_equivariance(layer, V, U, 2, grid=grid, axes=axes)
    nn.init.normal_(layer.theta_relaxed)
    assert not check_equivariance(layer, V, U, 2, grid=grid, axes=axes)
    torch.testing.assert_close(
        layer.fold()(x.flatten(1, 2)), layer(x).flatten(1, 2)
    )  # an ordinary convolution with the same kernel


@every_case
def test_dimensions_are_the_differences_of_characters(name):
    _, _, V, U, chain, _, _ = CASES[name]
    layer, on_sites = make(name), V * sites_of(name)
    copies = (on_sites >> U).table(single=True).channels
    before = hom_dimension(on_sites, U), hom_dimension(V.group.rep("trivial"), U)
    for (d, e), H in zip(layer.steps, chain):
        u = U.restrict(H)
        after = hom_dimension(on_sites.restrict(H), u), hom_dimension(H.rep("trivial"), u)
        assert (d * copies[0] * copies[1], e * copies[0]) == (after[0] - before[0], after[1] - before[1])
        before = after


@pytest.mark.parametrize("name", [n for n in CASES if n != "matrices"])
def test_the_penalty_is_the_distance_to_the_mean_over_the_group(name):
    """By averaging over all elements, which knows nothing of tables."""
    _, _, V, U, _, _, _ = CASES[name]
    layer, sites = make(name), sites_of(name)
    W = layer.weight().detach().reshape(3, U.dimension, 2, V.dimension, -1)
    b = layer.bias_vector().detach().reshape(3, U.dimension)
    mean, flat = torch.zeros_like(W), torch.zeros_like(b)
    elements = list(V.group)
    for g in elements:
        u, v, s = (torch.from_numpy(numpy.asarray(R.matrix(g), dtype=float)) for R in (U, V, sites))
        mean += torch.einsum("ab,obivs,vw,st->oaiwt", u.T, W, v, s) / len(elements)
        flat += b @ u / len(elements)
    gone = float((W - mean).square().sum() + (b - flat).square().sum())
    assert layer.penalty().item() == pytest.approx(gone, rel=1e-10) and gone > 0
    torch.testing.assert_close(layer.symmetrized().weight().reshape(W.shape), mean)


@every_case
def test_the_state_of_a_convolution_loads(name):
    kind, plain, V, U, chain, axes, grid = CASES[name]
    even = plain(V, U, 2, 3, 3, padding=1, padding_mode="circular", axes=axes, dtype=D)
    nn.init.normal_(even.bias)
    layer = make(name)
    layer.load_state_dict(even.state_dict())
    x = torch.randn(2, 2, V.dimension, *grid, dtype=D)
    assert layer.penalty() == 0
    torch.testing.assert_close(layer(x), even(x))
    fresh = make(name)
    fresh.load_state_dict(layer.state_dict())
    assert torch.equal(fresh(x), layer(x))
    assert torch.equal(copy.deepcopy(layer)(x), layer(x)) and torch.equal(
        pickle.loads(pickle.dumps(layer))(x), layer(x)
    )
    with pytest.raises(VerificationError, match="build the layer from the representations"):
        even.load_state_dict(layer.state_dict(), strict=False)
    with pytest.raises(RuntimeError if name == "multiples" else VerificationError):  # one table, in other channels
        layer.load_state_dict(plain(V, V, 2, 3, 3, axes=axes, dtype=D).state_dict(), strict=False)


@every_case
def test_from_dense_loses_nothing_down_to_one_element(name):
    kind, _, V, U, chain, axes, _ = CASES[name]
    dense = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[kind.axes - 1](2 * V.dimension, 3 * U.dimension, 3, padding=1, dtype=D)
    layer, lost = kind.from_dense(dense, V, U, V.group.subgroup([]), 2, 3, axes=axes)
    assert lost < 1e-12 and layer.defect() > 0.1 and layer.padding == dense.padding
    torch.testing.assert_close(layer.weight(), dense.weight)
    torch.testing.assert_close(layer.bias_vector(), dense.bias)


def test_a_network_is_relaxed_from_there():
    layer = make("a plane")
    _, _, V, _, chain, _, grid = CASES["a plane"]
    x = torch.randn(2, 2, V.dimension, *grid, dtype=D)
    one = make("multiples")
    freer = relax(one, TURNS)
    assert type(freer) is Conv2d
    y = torch.randn(2, 2, 4, 6, 6, dtype=D)
    torch.testing.assert_close(freer(y), one(y))
    torch.testing.assert_close(relax(layer, D4.subgroup([]))(x), layer(x))
    with pytest.raises(DomainError, match="the layer commutes with .* only"):
        relax(layer, TURNS)


def test_derivatives_compile_and_export():
    for name, strength in itertools.product(("a plane", "matrices"), (0.5, "learnt")):
        layer = make(name, strength=strength)
        _, _, V, _, _, _, grid = CASES[name]
        x = torch.randn(1, 2, V.dimension, *grid, dtype=D)
        names = [n for n, _ in layer.named_parameters()]
        f = lambda *v, layer=layer, names=names, x=x: torch.func.functional_call(layer, dict(zip(names, v)), (x,))  # noqa: E731
        values = tuple(p.detach().clone().requires_grad_() for p in layer.parameters())
        assert torch.autograd.gradcheck(f, values, fast_mode=True)
        torch.testing.assert_close(torch.compile(layer, fullgraph=True, backend="eager")(x), layer(x))
        torch.testing.assert_close(torch.export.export(layer, (x,)).module()(x), layer(x))


def test_training_finds_what_breaks_the_symmetry():
    """An edge filter that knows up from down, seen with noise: turns are left, and what data do not ask for is not."""
    V = D4.rep("trivial")
    target = torch.tensor([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]])
    x = torch.randn(40, 1, 1, 8, 8)
    y = nn.functional.conv2d(x[:, 0], target[None, None])[:, None]
    layer = RelaxedConv2d(V, V, D4.subgroup([]), 1, 1, 3, bias=False)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    for _ in range(150):
        optimiser.zero_grad()
        (layer(x) - y).square().mean().backward()
        optimiser.step()
    torch.testing.assert_close(layer.weight()[0, 0], target, atol=0.02, rtol=0)
    assert layer.defect() == pytest.approx(1, abs=0.02)  # no part of the filter commutes with all of D4
    assert float(layer.symmetrized().weight().detach().abs().max()) < 0.02


def test_repr_and_bad_input():
    V = D4.rep("trivial")
    layer = RelaxedConv2d(V, V, [TURNS, D4.subgroup([])], 2, 3, 3, strength=(1, 0.5))
    assert "D4 > " in repr(layer) and "3 + 0 + 6 kernels a pair" in repr(layer) and "strength=(1.0, 0.5)" in repr(layer)
    for wrong, said in [
        (lambda: RelaxedConv2d(V, V, Group("S5"), 1, 1, 3), "not a subgroup of D4"),
        (lambda: RelaxedConv2d(V, V, [], 1, 1, 3), "the chain of subgroups is empty"),
        (lambda: RelaxedConv2d(V, C4.rep("trivial"), TURNS, 1, 1, 3), "different groups"),
        (lambda: RelaxedConv2d(V, V, TURNS, 1, 1, (3, 5)), "exchanges axes of the sizes 3 and 5"),
        (lambda: RelaxedConv2d.from_dense(nn.Conv2d(2, 2, 3), V, V, TURNS, 1, 1), "need"),
        (lambda: RelaxedConv2d(V, V, TURNS, 2, 3, 3, groups=2), "do not fall into 2 groups"),
        (lambda: layer(torch.zeros(1, 2, 2, 6, 6)), r"takes \[..., 2, 1, H, W\]"),
    ]:
        with pytest.raises(DomainError, match=said):
            wrong()
    SO2 = Group("SO(2)").rep("vector")
    with pytest.raises(DomainError, match="SteerableConv2d takes fields"):
        RelaxedConv2d(SO2, SO2, TURNS, 1, 1, 3)
