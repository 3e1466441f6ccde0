"""Sums whose dimension forbids a dense matrix, and normalisations whose sizes are known at run time alone."""

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import Activation, BatchNorm, check_equivariance
from intertwine.nn.check import Action

D = torch.float64
LARGE = {
    "O(3)": "100000*trivial + 100*vector",
    "S4": "1000*trivial + 100*std + 20*perm",
    "SU(2)": "600*vector + 2*(vector*vector)",
}


@pytest.mark.parametrize("name", LARGE)
def test_elements_act_summand_by_summand(name):
    G = Group(name)
    V = G.rep(LARGE[name])
    g = G.random_element(3)
    like = torch.empty(0, dtype=torch.complex128 if name == "SU(2)" else D)
    action = Action(V, g, like)
    assert sum(copies * len(A) for copies, A in action.matrices) == V.dimension
    assert max(len(A) for _, A in action.matrices) <= 4
    x = torch.randn(2, V.dimension, dtype=like.dtype)
    y, at = action(x, -1), 0
    for copies, R in V.summands():
        own = Action(R, g, like)
        part = slice(at, at + copies * R.dimension)
        given, found = (t[:, part].unflatten(-1, (copies, -1)) for t in (x, y))
        torch.testing.assert_close(found, own(given, -1))
        at = part.stop
    assert at == V.dimension
    v = torch.randn_like(y)
    back = action(v, -1, transpose=True)
    torch.testing.assert_close((y.conj() * v).sum(), (x.conj() * back).sum())


def test_activations_of_large_sums():
    V = Group("O(3)").rep(LARGE["O(3)"])
    assert V.dimension == 100300
    with pytest.raises(DomainError, match="relu does not commute"):
        Activation(V, torch.relu)
    assert check_equivariance(lambda x: 2 * x, V, V, batch=2, elements=1)
    assert not check_equivariance(torch.tanh, V, V, batch=3, elements=1, backward=False)


def test_small_sums_are_one_matrix():
    V = Group("O(3)").rep("4*trivial + 2*vector")
    action = Action(V, V.group.random_element(1), torch.empty(0, dtype=D))
    assert len(action.matrices) == 1 and action.matrix.shape == (10, 10)


@pytest.mark.parametrize("axes", [0, 2])
def test_batch_norms_compile_for_sizes_that_are_not_known(axes):
    V = Group("S4").rep("perm + std")
    norm = BatchNorm(V, 2, axes=axes, dtype=D).eval()
    compiled = torch.compile(norm, fullgraph=True, dynamic=True, backend="eager")
    for n in (3, 4, 6):
        x = torch.randn(n + 1, 2, V.dimension, *[n] * axes, dtype=D)
        torch.testing.assert_close(compiled(x), norm(x))
    x = torch.randn(3, 2, V.dimension, *[4] * axes, dtype=D)
    shapes = ({k: torch.export.Dim.DYNAMIC for k in (0, *range(3, 3 + axes))},)
    program = torch.export.export(norm, (x,), dynamic_shapes=shapes).module()
    more = torch.randn(5, 2, V.dimension, *[7] * axes, dtype=D)
    torch.testing.assert_close(program(more), norm(more))


def test_batch_norms_of_one_sample_and_many_axes():
    V = Group("S4").rep("perm + std")
    norm = BatchNorm(V, 2, dtype=D).eval()
    x = torch.randn(3, 5, 2, V.dimension, dtype=D)
    torch.testing.assert_close(norm(x)[1, 2], norm(x[1, 2]))
