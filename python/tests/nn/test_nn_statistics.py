"""Means, covariances, regressions and normalisations of symmetric data, and normal distributions around fields."""

import copy
import pickle

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import BatchNorm, GaussianPolicy, Linear, RunningNorm, check_equivariance, statistics
from test_nn_norm import DOUBLE, FIELDS, numbers, randomised

every_field = pytest.mark.parametrize("group, V", FIELDS, ids=lambda text: text.replace(" ", ""))


@every_field
def test_mean_and_covariance_are_those_of_all_that_the_group_makes_of_the_samples(group, V):
    V = Group(group).rep(V)
    if V.dimension**2 * V.group.order > 60000:
        V = V.group.irrep(2)
    x = torch.randn(3, 4, 2, V.dimension, **DOUBLE)
    everything = torch.cat([x @ numbers(V, g).t() for g in V.group]).flatten(0, 1)
    centre = everything.mean(0)
    torch.testing.assert_close(statistics.mean(x, V), centre)
    apart = everything - centre
    wanted = torch.einsum("bim,bjn->imjn", apart, apart) / len(apart)
    C = statistics.covariance(x, V)
    torch.testing.assert_close(C, wanted)
    own = x.flatten(0, 1) - x.mean((0, 1))
    assert not torch.allclose(C, torch.einsum("bim,bjn->imjn", own, own) / len(own))  # of these samples alone
    assert torch.autograd.gradcheck(
        lambda x: statistics.covariance(x, V), (x[:1, :2].requires_grad_(),), fast_mode=True
    )


def test_statistics_of_continuous_groups():
    """Of vectors under O(3) the covariance is a multiple of 1, and the mean is 0; of points the trace stays."""
    V = Group("O(3)").rep("2*vector + trivial")
    x = torch.randn(50, 1, 7, **DOUBLE)
    C = statistics.covariance(x, V)[0, :, 0]
    for a, b in ((0, 0), (0, 3), (3, 3)):
        block = C[a : a + 3, b : b + 3]
        value = (x[:, 0, a : a + 3] * x[:, 0, b : b + 3]).sum(-1).mean() / 3
        torch.testing.assert_close(block, value * torch.eye(3, **DOUBLE))
    torch.testing.assert_close(C[6, 6], x[:, 0, 6].var(unbiased=False))
    assert not statistics.mean(x, V)[0, :6].any() and not C[6, :6].any()


@pytest.mark.parametrize(
    "V, U", [("perm + std", "perm + sign"), ("2*perm", "3*std"), ("2*perm + 3*std", "sign + 2*perm")]
)
def test_least_squares(V, U):
    V, U = (Group("S4").rep(R) for R in (V, U))
    truth = randomised(Linear(V, U, 2, 3, **DOUBLE))
    x = torch.randn(60, 2, V.dimension, **DOUBLE)
    found = statistics.least_squares(x, truth(x), V, U)
    torch.testing.assert_close(found.weight(), truth.weight())
    torch.testing.assert_close(found.bias_vector(), truth.bias_vector())
    y = truth(x) + torch.randn(60, 3, U.dimension, **DOUBLE)
    for ridge in (0.0, 2.0):  # where the gradient is zero
        found = statistics.least_squares(x, y, V, U, ridge=ridge, bias=ridge == 0)
        given = list(found.parameters())
        loss = (found(x) - y).square().sum() + ridge * sum(p.square().sum() for p in given)
        assert all(g.abs().max() < 1e-8 for g in torch.autograd.grad(loss, given) if g.numel())
    few = statistics.least_squares(x[:1].float(), y[:1].float(), V, U)  # of many solutions the one of least norm
    assert few.theta.dtype == torch.float32 and all(p.isfinite().all() for p in few.parameters())


@every_field
def test_running_normalisation_is_that_of_all_samples(group, V):
    V = Group(group).rep(V)
    norm = RunningNorm(V, 2, **DOUBLE)
    x = 3 * torch.randn(40, 2, V.dimension, **DOUBLE) + 1
    for part in x.split([1, 20, 7, 12]):
        norm(part)
    assert norm.count == 40
    at_once = RunningNorm(V, 2, **DOUBLE)
    y = at_once(x)
    norm.eval()
    torch.testing.assert_close(norm(x), y)
    torch.testing.assert_close(y, BatchNorm(V, 2, affine=False, **DOUBLE)(x))
    assert check_equivariance(norm, V, V, 2) and norm.count == 40
    twin = pickle.loads(pickle.dumps(copy.deepcopy(norm)))
    assert torch.equal(twin(x), norm(x)) and not list(norm.parameters())
    grid = RunningNorm(V, 2, axes=2, **DOUBLE)
    image = x.view(10, 2, 2, 2, V.dimension).permute(0, 3, 4, 1, 2)
    torch.testing.assert_close(grid(image).permute(0, 3, 4, 1, 2).reshape(40, 2, -1), y)
    norm.reset_running_stats()
    assert not norm.count and torch.equal(norm.variance, torch.ones_like(norm.variance))


@pytest.mark.parametrize("std", ["parameters", "inputs"])
@pytest.mark.parametrize(
    "group, V", [("C2", "regular + 2*sign"), ("S4", "perm^2"), ("O(3)", "2*vector + trivial"), ("S4 x O(3)", "perm # vector + 2*(perm # trivial)")]
)  # fmt: skip
def test_densities_are_invariant(group, V, std):
    V = Group(group).rep(V)
    policy = randomised(GaussianPolicy(V, 2, std, initial_std=0.5, **DOUBLE))
    x, y = (torch.randn(5, 2, R.dimension, **DOUBLE) for R in (policy.source, V))
    for seed in range(3):
        A, B = (numbers(R, V.group.random_element(seed)) for R in (policy.source, V))
        torch.testing.assert_close(policy(x @ A.t()).log_prob(y @ B.t()), policy(x).log_prob(y))
        torch.testing.assert_close(policy(x @ A.t()).entropy(), policy(x).entropy())
    if std == "inputs":
        torch.testing.assert_close(policy(torch.zeros_like(x)).stddev, torch.full_like(y, 0.5))
        assert policy.log_std is None and policy.source.dimension > V.dimension
    one = torch.randn(V.dimension, **DOUBLE)  # negative control: a deviation for each coordinate
    free = torch.distributions.Independent(torch.distributions.Normal(x[..., : V.dimension], one.exp()), 2)
    moved = torch.distributions.Independent(torch.distributions.Normal(x[..., : V.dimension] @ B.t(), one.exp()), 2)
    assert not torch.allclose(free.log_prob(y), moved.log_prob(y @ B.t()))


def test_bad_input():
    V, std = Group("S4").rep("perm"), Group("S4").rep("std")
    x = torch.randn(3, 1, 4)
    for call, words in [
        (lambda: statistics.mean(x[0], V), r"samples are .* \[..., channels, 4\]"),
        (lambda: statistics.mean(x[:0], V), "there are no samples"),
        (lambda: statistics.mean(x, Group("SU(2)").rep("2*vector")), "are not real: take V.real"),
        (lambda: statistics.least_squares(x, x[:1], V, V), "there are 3 samples of x and 1 sample of y"),
        (lambda: statistics.least_squares(x, x, V, V, ridge=-1), "ridge is a number of at least 0"),
        (lambda: statistics.least_squares(x, x, V, Group("S5").rep("perm")), "different groups"),
        (lambda: GaussianPolicy(std), "at coordinate 1 are not orthogonal"),
        (lambda: GaussianPolicy(V, std="free"), 'std is "parameters" or "inputs"'),
        (lambda: GaussianPolicy(V, initial_std=0), "initial_std is a positive number"),
        (lambda: GaussianPolicy(V)(torch.randn(3, 1, 5)), r"takes \[..., 1, 4\]"),
        (lambda: RunningNorm(V, eps=0), "eps is a positive number"),
        (lambda: RunningNorm(Group("SO+(1,3)").rep("vector")), "variances need an inner product"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()
