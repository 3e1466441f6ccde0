"""relax(module, H): the same function with the parameters of a subgroup, for every layer that has tables."""

import copy

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, VerificationError, nn
from torch import nn as plain

D = torch.float64
S4, D4, C4 = Group("S4"), Group("D4"), Group("C4")
CYCLE, TURNS = S4.subgroup(["(1,2,3,4)"]), D4.subgroup([D4.generators[0]])
P, S, R = S4.rep("perm"), S4.rep("std"), D4.rep("regular")
SUM = S4.rep("2*perm + 3*sign + std")
QUARTER = C4.matrix_rep([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]])
HALF = C4.subgroup([C4.generators[0] * C4.generators[0]])
# The layer, the subgroup, the shapes of its inputs.
LAYERS = {
    "Linear": (lambda: nn.Linear(P, S, 2, 3, dtype=D), CYCLE, (5, 2, 4)),
    "Linear of multiples": (lambda: nn.Linear(S4.rep("3*perm"), S4.rep("2*perm"), dtype=D), CYCLE, (5, 12)),
    "Linear of sums": (lambda: nn.Linear(SUM, SUM, 2, 1, dtype=D), CYCLE, (5, 2, 14)),
    "Linear isotypic": (lambda: nn.Linear(R, R, mode="isotypic", dtype=D), TURNS, (5, 1, 8)),
    "Linear diagram": (lambda: nn.Linear(Group("S5").rep("perm^2"), Group("S5").rep("perm"), mode="diagram", dtype=D), Group("S5").stabilizer(0), (5, 1, 25)),
    "Linear to one element": (lambda: nn.Linear(P, P, 2, 3, dtype=D), S4.subgroup([]), (5, 2, 4)),
    "RelaxedLinear": (lambda: nn.RelaxedLinear(P, P, CYCLE, 2, 3, dtype=D), S4.subgroup(["(1,3)(2,4)"]), (5, 2, 4)),
    "Conv1d": (lambda: nn.Conv1d(Group("C2").rep("regular"), Group("C2").rep("regular"), 2, 1, 3, dtype=D), Group("C2").subgroup([]), (5, 2, 2, 7)),
    "Conv2d": (lambda: nn.Conv2d(D4.rep("coordinates"), R, 2, 3, 3, padding=1, padding_mode="circular", dtype=D), TURNS, (5, 2, 2, 6, 6)),
    "Conv2d of multiples": (lambda: nn.Conv2d(D4.rep("2*coordinates"), D4.rep("2*perm"), 1, 3, 3, dtype=D), TURNS, (5, 1, 4, 6, 6)),
    "Conv3d": (lambda: nn.Conv3d(C4.rep("regular"), C4.rep("trivial"), 1, 1, 3, axes=QUARTER, dtype=D), HALF, (2, 1, 4, 4, 4, 4)),
    "GroupConv2d": (lambda: nn.GroupConv2d(D4, 2, 2, 3, dtype=D), TURNS, (5, 2, 8, 5, 5)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(R, R, 2, 2, 3, 2, 1, dtype=D), TURNS, (5, 2, 8, 5, 5)),
    "Bilinear": (lambda: nn.Bilinear(P, S, P, 2, 3, 2, dtype=D), CYCLE, (5, 2, 4), (5, 3, 3)),
    "TensorProduct": (lambda: nn.TensorProduct(P, S, P, 2, dtype=D), CYCLE, (5, 2, 4), (5, 2, 3)),
    "PolynomialLayer": (lambda: nn.PolynomialLayer(P, P, (1, 2), 2, 2, dtype=D), CYCLE, (5, 2, 4)),
    "Embedding": (lambda: nn.Embedding(3, S4.rep("perm^2 + 2*trivial"), 2, dtype=D), CYCLE, ()),
    "attention": (lambda: nn.MultiheadAttention(P, 4, 2, dtype=D), CYCLE, (2, 6, 4, 4)),
    "a block": (lambda: nn.TransformerBlock(P, 4, 2, dtype=D), CYCLE, (2, 6, 4, 4)),
    "a network": (
        lambda: plain.Sequential(
            nn.Linear(P, SUM, 2, 3, dtype=D), nn.BatchNorm(SUM, 3, dtype=D), nn.NormActivation(SUM, torch.relu, 3, dtype=D),
            nn.Linear(SUM, P, 3, 2, bias=False, dtype=D), nn.Activation(P, torch.relu), nn.Dropout(P, 0.1), nn.InvariantPool(P),
        ), CYCLE, (5, 2, 4),
    ),
}  # fmt: skip
every_layer = pytest.mark.parametrize("name", LAYERS)


def made(name):
    make, H, *shapes = LAYERS[name]
    module = make()
    for p in module.parameters():
        torch.nn.init.normal_(p)
    inputs = [torch.tensor([0, 2, 1, 1])] if shapes == [()] else [torch.randn(*shape, dtype=D) for shape in shapes]
    return module.eval(), H, inputs


def size(module):
    return sum(p.numel() for p in module.parameters())


@every_layer
def test_the_function_is_the_same_and_has_more_parameters(name):
    module, H, inputs = made(name)
    state = copy.deepcopy(module.state_dict())
    freer = nn.relax(module, H)
    torch.testing.assert_close(freer(*inputs), module(*inputs), rtol=1e-10, atol=1e-10)
    assert size(freer) > size(module) and not freer.training
    for key, value in module.state_dict().items():
        torch.testing.assert_close(value, state[key], rtol=0, atol=0)  # the module itself is as it was
    twin = copy.deepcopy(freer)
    twin.load_state_dict(freer.state_dict())
    torch.testing.assert_close(twin(*inputs), freer(*inputs), rtol=0, atol=0)


@pytest.mark.parametrize(
    "name", ["Linear", "Linear of multiples", "Linear of sums", "Conv2d", "Conv3d", "ConvTranspose2d"]
)
def test_the_new_parameters_are_all_that_commute_with_the_subgroup(name):
    module, H, inputs = made(name)
    freer = nn.relax(module, H)
    for p in freer.parameters():
        torch.nn.init.normal_(p)
    V, U = module._sides if isinstance(module, nn.Linear) else module._types[:2]
    grid = inputs[0].shape[3:]
    axes = freer._types[2] if grid else None
    assert nn.check_equivariance(freer, V.restrict(H), U.restrict(H), freer.in_channels, grid=grid, axes=axes)
    old = module._types[2] if grid else None
    assert not nn.check_equivariance(freer, V, U, freer.in_channels, grid=grid, axes=old)
    settings = {key: getattr(freer, key) for key in ("kernel_size", "stride", "padding") if grid}
    settings |= {"axes": axes} if grid else {}
    fresh = type(freer)(V.restrict(H), U.restrict(H), freer.in_channels, freer.out_channels, **settings)
    assert size(freer) == size(fresh)


def test_training_goes_on_where_it_was():
    """The data commute with the turns of a square only, so that all of D4 cannot fit them."""
    V = D4.rep("perm")
    target = nn.Linear(V.restrict(TURNS), V.restrict(TURNS), 1, 1, dtype=D)
    torch.nn.init.normal_(target.theta)
    x = torch.randn(64, 1, 4, dtype=D)
    y = target(x).detach()

    def trained(net, steps):
        optimiser = torch.optim.Adam(net.parameters(), lr=0.05)
        for _ in range(steps):
            optimiser.zero_grad()
            loss = (net(x) - y).square().mean()
            loss.backward()
            optimiser.step()
        return float((net(x) - y).square().mean())

    net = nn.Linear(V, V, dtype=D)
    before = trained(net, 400)
    freer = nn.relax(net, TURNS)
    assert float((freer(x) - y).square().mean().detach()) == pytest.approx(before, rel=1e-9)
    assert trained(freer, 400) < 1e-3 * before


def test_what_comes_along():
    net = plain.Sequential(nn.Linear(P, P, 2, 2), plain.ReLU())
    net[0].theta.requires_grad_(False)
    called = []
    net[0].register_forward_hook(lambda *_: called.append(1))
    freer = nn.relax(net, CYCLE)
    assert not freer[0].theta.requires_grad and freer[0].bias.requires_grad and freer.training
    freer(torch.randn(1, 2, 4))
    assert called == [1] and freer[0].theta.dtype == torch.float32
    shared = nn.Linear(P, P, dtype=D)
    twice = nn.relax(plain.Sequential(shared, shared), CYCLE)
    assert twice[0] is twice[1]


@pytest.mark.parametrize("V, U", [("perm", "perm + sign"), ("3*perm", "2*perm"), ("2*perm + 3*sign", "2*perm + std")])
def test_a_relaxed_layer_takes_the_state_of_a_linear_one(V, U):
    V, U = S4.rep(V), S4.rep(U)
    layer = nn.Linear(V, U, 2, 3, dtype=D)
    torch.nn.init.normal_(layer.bias)
    relaxed = nn.RelaxedLinear(V, U, [CYCLE, S4.subgroup([])], 2, 3, dtype=D)
    for p in relaxed.parameters():
        torch.nn.init.normal_(p)
    relaxed.load_state_dict(layer.state_dict())
    x = torch.randn(4, 2, V.dimension, dtype=D)
    torch.testing.assert_close(relaxed(x), layer(x))
    assert float(relaxed.penalty()) == 0
    # In a network, under a prefix; and its own state as before.
    net = plain.Sequential(relaxed)
    net.load_state_dict(plain.Sequential(layer).state_dict())
    torch.nn.init.normal_(relaxed.theta_relaxed)
    other = copy.deepcopy(relaxed)
    other.load_state_dict(relaxed.state_dict())
    assert torch.equal(other(x), relaxed(x))
    with pytest.raises(VerificationError, match="are those of"):
        relaxed.load_state_dict(nn.Linear(P, S4.rep("perm^2"), 2, 3, dtype=D).state_dict())


def test_what_is_refused():
    layer = nn.Linear(P, P)
    O3 = Group("O(3)").rep("vector")
    table = nn.Linear.from_table(layer.table)
    tied = plain.Sequential(nn.Linear(P, P), nn.Linear(P, P))
    tied[1].theta = tied[0].theta
    parametrized = plain.utils.parametrizations.weight_norm(nn.Linear(P, P), "theta")
    for module, H, words in [
        (layer, Group("S5"), "S5 is not a subgroup of S4"),
        (layer, "S3", "H is a subgroup of the groups of the layers, not 'S3'"),
        (table, CYCLE, "a layer of a table has no representations to restrict"),
        (plain.ReLU(), CYCLE, "there is no layer to relax in ReLU"),
        (
            plain.Sequential(nn.Sets()),
            CYCLE,
            "Sets at 0 has no form for subgroups|Tensors at 0 has no form for subgroups",
        ),
        (nn.Linear(O3, O3), S4, "relax takes layers of finite groups"),
        (tied, CYCLE, "the layers 0 and 1 share a parameter"),
        (parametrized, CYCLE, "the layer itself has parametrizations"),
        (nn.RelaxedLinear(P, P, CYCLE), S4.subgroup(["(1,2)"]), "no subgroup of it"),
    ]:
        with pytest.raises(DomainError, match=words):
            nn.relax(module, H)
