"""The space of weights as a representation, and neural functionals on it."""

import copy

import pytest

from networks_for_tests import ZOO, D  # isort: skip (skips where PyTorch is missing)
import numpy
import torch
from intertwine import DomainError, Group, hom_dimension
from intertwine.nn import Linear, check_equivariance
from intertwine.symmetry import parameter_group
from torch import nn

relu = nn.ReLU()
NETWORKS = {
    "one hidden layer": nn.Sequential(nn.Linear(3, 4), relu, nn.Linear(4, 2)),
    "two hidden layers": nn.Sequential(nn.Linear(3, 4), relu, nn.Linear(4, 5), relu, nn.Linear(5, 2)),
    "signs": nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 4), relu, nn.Linear(4, 1)),
    "a CNN": nn.Sequential(nn.Conv2d(1, 3, 3), relu, nn.Conv2d(3, 2, 2), relu, nn.Flatten(), nn.Linear(8, 2)),
    "attention": nn.MultiheadAttention(4, 2),
    "groups of channels": nn.Sequential(
        nn.Conv1d(1, 4, 2), relu, nn.Conv1d(4, 6, 2, groups=2), relu, nn.Conv1d(6, 1, 1)
    ),
    "no symmetry": nn.Linear(2, 2),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_the_representation_is_the_action(name):
    net = copy.deepcopy(NETWORKS[name]).to(D)
    group = parameter_group(net)
    V = group.representation()
    state = {k: p.detach() for k, p in net.named_parameters()}
    v = group.to_vector(state)
    assert v.shape == (V.dimension,) and V.dimension == sum(p.numel() for p in net.parameters())
    assert all(torch.equal(t, state[k]) for k, t in group.from_vector(v).items())
    both = group.to_vector({k: torch.stack([t, -t]) for k, t in state.items()})
    assert torch.equal(both, torch.stack([v, -v])) and torch.equal(
        group.from_vector(both[None])[next(iter(state))][0, 1], -state[next(iter(state))]
    )
    assert len(group.generators) == len([g for g in V.group.generators if not g.is_identity])
    for g, p in zip(group.generators, V.group.generators):
        matrix = torch.from_numpy(numpy.asarray(V.matrix(p), dtype=numpy.float64))
        assert torch.equal(matrix @ v, group.to_vector(group.act(g, state)))
    if group.order != float("inf"):
        assert V.group.order == group.order  # two ways: a product of factorials, and a stabilizer chain
    layer = Linear(V, V, 1, 2, dtype=D)
    if group.generators:
        report = check_equivariance(layer, V, V, elements=2)
        assert report, report


def test_dimensions_of_neural_functionals():
    """The counts for a layer between weight spaces of one hidden layer of n units, i inputs, o outputs: i + o + 1
    copies of perm and o of trivial [Navon2023]; and those of two by the characters of the factors."""
    for i, n, o in ((1, 5, 1), (3, 16, 2)):
        V = parameter_group(nn.Sequential(nn.Linear(i, n), relu, nn.Linear(n, o))).representation()
        c = i + o + 1
        assert (V >> V).dimension == 2 * c * c + 2 * c * o + o * o and (V >> V).bias.dimension == c + o
    V = parameter_group(NETWORKS["two hidden layers"]).representation()
    S4, S5 = Group("S4").rep("perm"), Group("S5").rep("perm")
    a, b = hom_dimension(S4, S4), hom_dimension(S5, S5)  # 2 and 2
    # 4 copies of the first, 3 of the second, the product once, 2 trivial ones; 1 between different factors
    p, q, t = 4, 3, 2
    assert (V >> V).dimension == a * p * p + b * q * q + a * b + t * t + 2 * (p * q + p * t + q * t + a * p + b * q + t)


def test_tied_weights_are_one_set_of_coordinates():
    net, _, _, _ = ZOO["a language model with tied weights"]
    group = parameter_group(net, example_inputs=torch.zeros(2, 5, dtype=torch.int64))
    state = {k: v.detach() for k, v in net.named_parameters(remove_duplicate=False)}
    v = group.to_vector(state)
    assert v.numel() == sum(p.numel() for p in net.parameters())
    back = group.from_vector(v)
    assert back.keys() == state.keys() and all(torch.equal(back[k], state[k]) for k in state)


def test_bad_vectors_and_states():
    group = parameter_group(NETWORKS["one hidden layer"])
    with pytest.raises(DomainError, match="the vector has 25 coordinates; the representation has 26"):
        group.from_vector(torch.zeros(25))
    with pytest.raises(DomainError, match=r"0.weight has the shape \[4, 4\]; it ends in \[4, 3\]"):
        group.to_vector({k: torch.zeros(4, 4) for k in group.shapes})
    with pytest.raises(DomainError, match="no parameters"):
        parameter_group(nn.ReLU()).representation()


HIDDEN = 12


def trained_networks(count, seed):
    """Networks 1-12-1 that have learnt sin(x) or sin(2 x), all at once: their parameters, and which of the two."""
    torch.manual_seed(seed)
    shapes = {"0.weight": (HIDDEN, 1), "0.bias": (HIDDEN,), "2.weight": (1, HIDDEN), "2.bias": (1,)}
    state = {k: (0.4 * torch.randn(count, *s)).requires_grad_() for k, s in shapes.items()}
    task = torch.arange(count) % 2
    x = torch.linspace(-2, 2, 30)[:, None].expand(count, 30, 1)
    y = torch.sin(x * (1 + task)[:, None, None])
    optimizer = torch.optim.Adam(state.values(), lr=0.03)
    for _ in range(200):
        h = torch.relu(torch.baddbmm(state["0.bias"][:, None], x, state["0.weight"].mT))
        loss = (torch.baddbmm(state["2.bias"][:, None], h, state["2.weight"].mT) - y).square().mean((1, 2))
        optimizer.zero_grad()
        loss.sum().backward()
        optimizer.step()
    return {k: v.detach() for k, v in state.items()}, task.float(), loss.detach()


class Functional(nn.Module):
    """Two equivariant layers on weights and an invariant one."""

    def __init__(self, V, width):
        super().__init__()
        one = V.group.rep("trivial")
        self.layers = nn.ModuleList([Linear(V, V, 1, width), Linear(V, V, width, width), Linear(V, one, width, 1)])

    def forward(self, v):
        first, second, last = self.layers
        return last(torch.relu(second(torch.relu(first(v[..., None, :])))))[..., 0, 0]


def accuracy_of(model, v, task, steps):
    """On the 60 networks that were not seen."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(model(v[:200]), task[:200]).backward()
        optimizer.step()
    with torch.no_grad():
        return float(((model(v[200:]) > 0) == (task[200:] > 0.5)).float().mean())


def test_a_neural_functional_knows_what_a_network_has_learnt():
    group = parameter_group(nn.Sequential(nn.Linear(1, HIDDEN), relu, nn.Linear(HIDDEN, 1)))
    V = group.representation()
    state, task, loss = trained_networks(260, seed=0)
    assert float(loss.median()) < 0.02
    v = group.to_vector(state)
    torch.manual_seed(0)
    model = Functional(V, 8)
    plain = nn.Sequential(
        nn.Linear(V.dimension, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1), nn.Flatten(0)
    )
    found, beside = accuracy_of(model, v, task, 60), accuracy_of(plain, v, task, 100)
    print(f"accuracy {found:.2f}, of a plain network {beside:.2f}")
    assert found > 0.9
    some = {k: t[200:210] for k, t in state.items()}
    for seed in range(3):
        g = group.random(seed)
        moved = [group.act(g, {k: t[i] for k, t in some.items()}) for i in range(10)]
        together = {k: torch.stack([m[k] for m in moved]) for k in some}
        torch.testing.assert_close(model(group.to_vector(together)), model(group.to_vector(some)), rtol=1e-4, atol=1e-4)
