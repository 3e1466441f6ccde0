"""symmetrize: the average of any module over a group."""

import copy
import pickle

import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import Linear, check_equivariance, symmetrize
from test_nn_norm import DOUBLE, FIELDS, numbers
from torch import nn


def network(n, m, channels=2):
    return nn.Sequential(
        nn.Flatten(), nn.Linear(channels * n, 6), nn.Tanh(), nn.Linear(6, m), nn.Unflatten(1, (1, m))
    ).double()


@pytest.mark.parametrize("group, V", FIELDS[2:], ids=lambda text: text.replace(" ", ""))
def test_the_average_is_equivariant(group, V):
    V, U = representations(group, V, "trivial + 2*sign" if group == "S4" else V)
    f = network(V.dimension, U.dimension)
    whole, parts = symmetrize(f, V, U), symmetrize(f, V, U, chunk=7)
    assert not check_equivariance(f, V, U, 2)
    assert check_equivariance(whole, V, U, 2) and check_equivariance(parts, V, U, 2)
    x = torch.randn(3, 2, V.dimension, **DOUBLE)
    mean = (
        sum(f(x @ numbers(V, g).t()) @ numbers(U, g.inverse()).t() for g in V.group) / V.group.order
    )  # the definition
    torch.testing.assert_close(whole(x), mean)
    torch.testing.assert_close(parts(x), mean)
    torch.testing.assert_close(whole(x.view(3, 1, 2, -1)), mean.unsqueeze(1))
    assert whole.exact and set(whole.state_dict()) == {f"module.{k}" for k in f.state_dict()}
    assert whole.get_parameter("module.1.weight") is f[1].weight
    assert torch.equal(pickle.loads(pickle.dumps(copy.deepcopy(whole)))(x), whole(x))


def test_two_ways_to_the_nearest_equivariant_layer():
    V, U = representations("S4", "perm + std", "perm")
    dense = nn.Linear(14, 8, **DOUBLE)
    layer, _ = Linear.from_dense(dense, V, U, 2, 2)
    mean = symmetrize(nn.Sequential(nn.Flatten(), dense, nn.Unflatten(1, (2, 4))), V, U)
    x = torch.randn(5, 2, 7, **DOUBLE)
    again, residual = Linear.from_dense(layer.fold(), V, U, 2, 2)
    assert residual < 1e-12
    # What is equivariant already stays as it is.
    torch.testing.assert_close(symmetrize(layer, V, U)(x), layer(x))
    # For permutations averaging is the nearest in the norm of the entries.
    P, _ = representations("S4", "perm", "perm")
    dense = nn.Linear(8, 8, **DOUBLE)
    layer, _ = Linear.from_dense(dense, P, P, 2, 2)
    x = torch.randn(5, 2, 4, **DOUBLE)
    torch.testing.assert_close(
        symmetrize(nn.Sequential(nn.Flatten(), dense, nn.Unflatten(1, (2, 4))), P, P)(x), layer(x)
    )
    assert check_equivariance(mean, V, U, 2) and symmetrize(layer, P, P).in_channels == 2


def test_images():
    V, U = representations("D4", "regular", "irrep(5)")
    f = nn.Sequential(nn.Flatten(1, 2), nn.Conv2d(8, 2, 3), nn.Tanh(), nn.Unflatten(1, (1, 2))).double()
    whole = symmetrize(f, V, U, grid=(5, 5), out_grid=(3, 3))
    assert not check_equivariance(f, V, U, grid=(5, 5)) and check_equivariance(whole, V, U, grid=(5, 5))
    with pytest.raises(DomainError, match=r"the module gives \[40, 1, 2, 3, 3\], not \[batch, channels, 2, 5, 5\]"):
        symmetrize(f, V, U, grid=(5, 5))(torch.randn(5, 1, 8, 5, 5, **DOUBLE))


def test_random_elements_estimate_the_average():
    V, U = representations("S4", "perm", "std")
    f = network(4, 3)
    x = torch.randn(3, 2, 4, **DOUBLE)
    exact = symmetrize(f, V, U)(x)
    single = torch.stack([f(x @ numbers(V, g).t()) @ numbers(U, g.inverse()).t() for g in V.group])
    deviation = float(single.detach().var(0, correction=0).mean().sqrt())
    for count in (1, 16):
        draws = [symmetrize(f, V, U, elements=count, seed=seed) for seed in range(60)]
        assert not draws[0].exact
        values = torch.stack([draw(x) for draw in draws])
        assert float((values - exact).detach().square().mean().sqrt()) == pytest.approx(deviation / count**0.5, rel=0.3)
        assert float((values.mean(0) - exact).detach().abs().max()) < 5 * deviation / (60 * count) ** 0.5
    assert not check_equivariance(draws[0], V, U, 2)
    assert torch.equal(symmetrize(f, V, U, elements=16, seed=3)(x), draws[3](x))
    big, _ = representations("S20", "perm", "perm")
    assert symmetrize(network(20, 20), big, big, elements=8)(torch.randn(2, 2, 20, **DOUBLE)).shape == (2, 1, 20)


def test_gradients_and_training():
    V, U = representations("S3", "perm", "std")
    whole = symmetrize(network(3, 2), V, U, chunk=4)
    assert torch.autograd.gradcheck(whole, (torch.randn(1, 2, 3, requires_grad=True, **DOUBLE),))
    optimiser = torch.optim.SGD(whole.parameters(), 0.1)
    before = copy.deepcopy(whole)
    whole(torch.randn(4, 2, 3, **DOUBLE)).square().sum().backward()
    optimiser.step()
    assert check_equivariance(whole, V, U, 2) and not torch.equal(before.module[1].weight, whole.module[1].weight)


def test_bad_input():
    V, U = representations("S4", "perm", "std")
    f = network(4, 3)
    for call, words in [
        (lambda: symmetrize(f, V, Group("D4").rep("perm")), "different groups"),
        (lambda: symmetrize(f, V, U, elements=0), "elements is a positive integer"),
        (lambda: symmetrize(f, V, U, chunk=0), "chunk is a positive integer"),
        (lambda: symmetrize(f, V, U, grid=(3, 3), out_grid=(3,)), "different numbers of axes"),
        (lambda: symmetrize(f, *representations("S20", "perm", "perm")), "elements=N takes N random ones"),
        (lambda: symmetrize(f, V, U)(torch.randn(2, 5)), r"takes \[..., channels, 4\]"),
        (lambda: symmetrize(f, V, V)(torch.randn(2, 2, 4, **DOUBLE)), r"the module gives \[48, 1, 3\]"),
        (lambda: symmetrize(f, Group("C3").irrep(1), Group("C3").irrep(1)), "take V.real"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()
