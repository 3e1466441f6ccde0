"""The groups of networks: what is read, what it leaves alone, and what is refused."""

import copy
import math
import random

import pytest

from networks_for_tests import ZOO, D, Function, encoder  # isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError
from intertwine.symmetry import parameter_group
from peers_for_tests import without_operators_of_torchvision
from torch import nn
from torch.nn import functional as F


def group_of(name):
    net, x, io, told = ZOO[name]
    inputs = x if isinstance(x, tuple) else (x,)
    return net, inputs, parameter_group(net, io=io, example_inputs=inputs if told else None)


def defect(net, group, g, inputs):
    moved = copy.deepcopy(net)
    moved.load_state_dict(group.act(g, net.state_dict()))
    with torch.no_grad():
        y, z = group.act_on_output(g, net(*inputs)), moved(*group.act_on_inputs(g, *inputs))
    return float((y - z).abs().max() / y.abs().max())


S = math.factorial


def B(n):
    return 2**n * S(n)


# Hecht-Nielsen 1990: n! for a hidden layer; 2^n n! behind odd functions (Sussmann 1992); wreath products for heads and
# groups of channels.
KNOWN = {
    "an MLP": "S(8) x B(5) x GL(4)",
    "an MLP with its ends": "S(8) x S(3) x B(5) x GL(4) x S(2)",
    "a CNN": S(6) * S(4) * S(7),
    "a CNN with its ends": S(3) * S(6) * S(4) * S(7) * S(2),
    "an encoder": "S(4) x GL(4)^4 x GL(4)^4 x S(24) x S(4) x GL(4)^4 x GL(4)^4 x S(24)",
    "a pre-norm encoder with its ends": "S(16) x S(4) x GL(4)^4 x GL(4)^4 x S(24) x S(4) x GL(4)^4 x GL(4)^4 x S(24)",
    "a decoder layer": "S(4) x GL(4)^4 x GL(4)^4 x S(4) x GL(4)^4 x GL(4)^4 x S(24)",
    "attention": "S(2) x GL(4)^2 x GL(4)^2",
    "attention, other keys": "S(2) x GL(4)^2 x GL(4)^2",
    "attention, split": "S(3) x GL(4)^3 x GL(4)^3",
    "attention, reshape": "S(3) x GL(4)^3 x GL(4)^3",
    "attention, reshape and index": "S(3) x GL(4)^3 x GL(4)^3",
    "attention, by hand": "S(3) x GL(4)^3 x GL(4)^3",
    "grouped queries": "S(3) x S(2)^3 x GL(4)^3 x GL(4)^3",
    "repeated keys": "S(3) x S(2)^3 x GL(4)^3 x GL(4)^3",
    "a language model with tied weights": "S(12) x S(3) x GL(4)^3 x GL(4)^3 x S(20)",
    "grouped convolutions": S(4) * B(2) ** 4 * S(3) ** 4,
    "depthwise convolutions": S(8),
    "transposed convolutions": S(2) * S(2) ** 2 * B(3) ** 2,
    "group norms": S(4) * S(2) ** 4 * B(6),
    "RMS norms": "B(8) x O(6)",
    "a residual stream": B(8) * B(8),
    "a gated unit": S(8),
    "a gated unit with its ends": S(8) * S(3),
    "a concatenation": B(4) * S(5),
    "a sum over heads": "S(3) x GL(4)",
    "a parametric activation": S(5),
}


@pytest.mark.parametrize("name", ZOO)
def test_the_group_is_the_known_one(name):
    _, _, group = group_of(name)
    if isinstance(KNOWN[name], int):
        assert group.order == KNOWN[name], group
    else:
        assert sorted(map(str, group.factors)) == sorted(KNOWN[name].split(" x ")) and group.order == math.inf, group
    assert f"order {group.order}" in repr(group)


@pytest.mark.parametrize("name", ZOO)
def test_it_leaves_the_function_alone(name):
    net, inputs, group = group_of(name)
    elements = [*group.generators[:6], *(group.random(k, obeys=o) for k, o in enumerate(("forward", "SGD", "Adam")))]
    assert max(defect(net, group, g, inputs) for g in elements) < 1e-13
    state = net.state_dict()
    assert any(not torch.equal(v, state[k]) for k, v in group.act(elements[-1], state).items())


@pytest.mark.parametrize("name", list(ZOO)[::2])
def test_the_laws_of_an_action(name):
    net, _, group = group_of(name)
    state = net.state_dict()
    g, h = group.random(1), group.random(2)
    together, apart = group.act(g * h, state), group.act(g, group.act(h, state))
    back = group.act(g.inverse(), group.act(g, state))
    for k in state:
        torch.testing.assert_close(together[k], apart[k])
        torch.testing.assert_close(back[k], state[k])
        assert torch.equal(group.act(group.identity, state)[k], state[k])
    exact = group.random(3, obeys="Adam")
    assert (
        exact.is_monomial
        and exact * exact.inverse() == group.identity
        and (exact * exact == group.identity) == (exact == exact.inverse())
    )
    returned = group.act(exact.inverse(), group.act(exact, state))
    assert all(torch.equal(returned[k], state[k]) for k in state)


def test_gradients_move_by_the_inverse_transpose():
    net, (x,), group = group_of("an MLP")
    g = group.random(0)
    weights, gradients = net.state_dict(), {k: torch.randn_like(v) for k, v in net.state_dict().items()}
    pairing = sum((weights[k] * gradients[k]).sum() for k in weights)
    moved, dual = group.act(g, weights), group.act(g, gradients, dual=True)
    torch.testing.assert_close(sum((moved[k] * dual[k]).sum() for k in weights), pairing)


def test_factors_say_what_they_move_and_obey():
    group = parameter_group(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2)))
    relu, tanh = group.factors
    assert (relu.kind, relu.size, relu.copies, relu.order) == ("permutation", 4, 1, 24)
    assert (tanh.kind, tanh.size, tanh.order) == ("signed", 5, 3840)
    assert [str(s) for s in relu.slices] == ["0.weight[0:4, 0:3]", "0.bias[0:4]", "2.weight[0:5, 0:4]"]
    attention = parameter_group(nn.MultiheadAttention(8, 2))
    heads, keys, values = attention.factors
    assert (
        heads.kind == "permutation"
        and keys.copies == 2
        and keys.obeys == {"forward": "general linear", "SGD": "orthogonal", "Adam": "signed"}
    )
    assert [str(s) for s in keys.slices] == [
        "in_proj_weight[0:8, 0:8]",
        "in_proj_weight[8:16, 0:8]",
        "in_proj_bias[0:8]",
        "in_proj_bias[8:16]",
    ]
    assert [str(s) for s in values.slices] == [
        "in_proj_weight[16:24, 0:8]",
        "in_proj_bias[16:24]",
        "out_proj.weight[0:8, 0:8]",
    ]


@pytest.mark.parametrize(
    "name, gauge",
    [
        ("an encoder", ["layers.0.self_attn.in_proj_bias[16:32]", "layers.1.self_attn.in_proj_bias[16:32]"]),
        ("attention, split", ["qkv.bias[12:24]"]),
        ("attention, reshape", ["qkv.bias[12:24]"]),
        ("attention, by hand", ["qkv.bias[12:24]"]),
        ("grouped queries", ["k.bias[0:12]"]),
        ("repeated keys", ["k.bias[0:12]"]),
        ("an MLP", []),
    ],
)
def test_gauge_is_where_gradients_are_zero(name, gauge):
    net, inputs, group = group_of(name)
    assert [str(s) for s in group.gauge] == gauge
    net = copy.deepcopy(net)
    (net(*inputs) ** 3).sum().backward()
    largest = max(float(p.grad.abs().max()) for p in net.parameters())
    for s in group.gauge:
        assert float(dict(net.named_parameters())[s.name].grad[s.index].abs().max()) < 1e-14 * largest
    # and nowhere else are they so small
    biases = {
        n: p.grad for n, p in net.named_parameters() if n.endswith("bias") and not any(s.name == n for s in group.gauge)
    }
    assert all(float(g.abs().max()) > 1e-8 * largest for g in biases.values())


def test_key_biases_are_no_gauge_where_keys_are_added():
    for settings in ({"add_bias_kv": True}, {"add_zero_attn": True}):
        net = Function(lambda m, x: m.a(x, x, x)[0], a=nn.MultiheadAttention(8, 2, batch_first=True, **settings)).to(D)
        group = parameter_group(net)
        assert not group.gauge
        x = torch.randn(3, 5, 8, dtype=D)
        assert defect(net, group, group.random(0), (x,)) < 1e-13
    keys_and_values = Function(
        lambda m, x: F.scaled_dot_product_attention(m.b(x), y := m.a(x), y), a=nn.Linear(8, 8), b=nn.Linear(8, 8)
    )
    assert not parameter_group(keys_and_values, example_inputs=torch.randn(2, 5, 8)).gauge
    seen = Function(
        lambda m, x: (s := m.b(x) @ m.a(x).transpose(1, 2)).softmax(-1) @ x + s.sum(),
        a=nn.Linear(8, 8),
        b=nn.Linear(8, 8),
    )
    assert not parameter_group(seen, example_inputs=torch.randn(2, 5, 8)).gauge
    both = Function(
        lambda m, x: F.scaled_dot_product_attention(y := m.a(x), y, x), a=nn.Linear(8, 8)
    )  # the same layer for queries and keys
    assert not parameter_group(both, example_inputs=torch.randn(2, 5, 8)).gauge
    assert [str(f) for f in parameter_group(both, example_inputs=torch.randn(2, 5, 8)).factors] == ["O(8)"]


def test_what_is_shared_is_moved_once():
    net, (x,), group = group_of("a language model with tied weights")
    moved = group.act(group.random(0), net.state_dict())
    assert torch.equal(moved["head.weight"], moved["tokens.weight"])
    shared = nn.Linear(4, 4)
    net = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), shared, nn.ReLU(), shared, nn.ReLU(), nn.Linear(4, 1))
    assert parameter_group(net).order == 24  # one permutation for all
    weights = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    assert parameter_group(weights).order == 24**2


def test_reductions_bounds_and_broadcasts():
    def order(f, *shape, **parts):
        return parameter_group(Function(f, **parts), example_inputs=torch.randn(*(shape or (5, 3)))).order

    layers = {"a": nn.Linear(3, 4), "b": nn.Linear(4, 2)}
    assert order(lambda m, x: m.b(m.a(x) - m.a(x).mean(-1, keepdim=True)), **layers) == 24
    assert order(lambda m, x: m.b(m.a(x) + 1), **layers) == 24
    assert order(lambda m, x: m.b(m.a(x) * 2 / 3), **layers) == math.inf
    assert order(lambda m, x: m.b(m.a(x) ** 3), **layers) == B(4)
    assert order(lambda m, x: m.b(m.a(x) ** 2), **layers) == 24
    assert (
        order(lambda m, x: m.b(F.hardtanh(m.a(x))), **layers) == B(4)
        and order(lambda m, x: m.b(F.hardtanh(m.a(x), 0, 1)), **layers) == 24
    )
    assert order(lambda m, x: m.b(torch.softmax(m.a(x), -1)), **layers) == 24
    assert order(lambda m, x: m.b(torch.relu_(m.a(x))), **layers) == 24
    # a feature that is picked, or met by a constant, stays where it is
    assert (
        order(lambda m, x: m.b(torch.relu(m.a(x))) + torch.relu(m.a(x))[:, 1:2], **layers) == 2
    )  # pieces on both sides are told apart
    assert order(lambda m, x: m.b(torch.relu(m.a(x))) + torch.relu(m.a(x))[:, :1], **layers) == 6
    assert order(lambda m, x: m.b(torch.relu(m.a(x) + m.p)), p=nn.Parameter(torch.randn(1, 4)), **layers) == 24
    assert order(lambda m, x: m.b(torch.relu(m.a(x) * m.p)), p=nn.Parameter(torch.randn(1, 4)), **layers) == 24
    assert order(lambda m, x: m.b(torch.relu(m.a(x)) * m.c), c=torch.tensor([1.0, 2, 3, 4]), **layers) == 1
    assert (
        order(lambda m, x: m.b(torch.relu(m.a(x)).view(5, 2, 2).transpose(1, 2).reshape(5, 4)), **layers) == 2 * 2
    )  # rows and columns


def attend(m, x):
    q, k, v = (f(x).view(2, 5, 2, 4).transpose(1, 2) for f in (m.q, m.k, m.v))
    return m.o(F.scaled_dot_product_attention(q, k, v, attn_mask=m.mask).transpose(1, 2).reshape(2, 5, 8))


def fill(value):
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1)
    return lambda m, x: m.o((m.q(x) @ m.k(x).transpose(1, 2)).masked_fill(mask, value).softmax(-1) @ m.v(x))


# What else a function is given moves along, stays, or is refused. The groups: by hand, and the function at moved
# parameters.
BESIDES = {
    "a bound that is a parameter": (lambda m, x: m.b(torch.clamp(m.a(x), min=m.p)), "S(4)"),
    "a bound of numbers": (lambda m, x: m.b(m.a(x).clamp(min=m.s)), "1"),
    "a bound from another layer": (lambda m, x: m.b(m.a(x).clamp(max=m.c(x))), "S(4)"),
    "powers that are parameters": (lambda m, x: m.b(m.a(x) ** m.powers), "S(4)"),
    "a power for all": (lambda m, x: m.b(torch.pow(m.a(x), m.one)), "S(4)"),
    "division rounded down": (lambda m, x: m.b(torch.div(m.a(x), 0.1, rounding_mode="floor")), "S(4)"),
    "division by a tensor, rounded down": (lambda m, x: m.b(m.a(x) // (m.d(x) ** 2 + 0.1)), "S(4)"),
    "whole numbers": (lambda m, x: m.b((10 * m.a(x)).to(torch.int64).to(D)), "S(4)"),
    "a sum along axis=": (lambda m, x: m.b(m.a(x) * m.c(x).sum(axis=0)), "S(4)"),
    "a sum of everything": (lambda m, x: m.b(m.a(x) * m.c(x).sum(dim=())), "GL(4) x S(4)"),
    "a norm of the last axis": (lambda m, x: m.b(m.a(x) / m.a(x).norm(2, -1, True)), "S(4)"),
}


@pytest.mark.parametrize("name", BESIDES)
def test_further_arguments_are_read(name):
    f, expected = BESIDES[name]
    torch.manual_seed(3)
    parts = {
        "p": nn.Parameter(2 * torch.rand(4) + 0.5),
        "s": torch.randn(4, dtype=D),
        "one": nn.Parameter(torch.tensor([2.0])),
    }
    parts |= {"powers": nn.Parameter(torch.arange(1.0, 5)), "d": nn.Linear(3, 1)}
    net = Function(f, a=nn.Linear(3, 4), b=nn.Linear(4, 2), c=nn.Linear(3, 4), **parts).to(D)
    x = torch.randn(5, 3, dtype=D)
    group = parameter_group(net, example_inputs=x)
    assert (" x ".join(map(str, group.factors)) or "1") == expected
    assert max(defect(net, group, group.random(seed), (x,)) for seed in range(4)) < 1e-14


@pytest.mark.parametrize(
    "mask, heads",
    [
        (torch.zeros(5, 5, dtype=D).triu(1), True),
        (torch.randn(2, 5, 5, dtype=D), False),
        (torch.randn(2, 1, 1, dtype=D), False),  # a slope for each head
        (nn.Parameter(torch.randn(2, 5, 5)), True),  # learned, and moved along
        (nn.Parameter(torch.randn(1, 5, 5)), True),
    ],
    ids=["causal", "of numbers for each head", "slopes", "learned for each head", "learned for all"],
)
def test_masks_of_heads(mask, heads):
    net = Function(attend, **{name: nn.Linear(8, 8) for name in "qkvo"}, mask=mask).to(D)
    x = torch.randn(2, 5, 8, dtype=D)
    group = parameter_group(net, example_inputs=x)
    assert [str(f) for f in group.factors] == ["S(2)"] * heads + ["GL(4)^2"] * 2
    assert max(defect(net, group, group.random(seed), (x,)) for seed in range(4)) < 1e-13


def test_masks_of_modules():
    x, flat, heads = torch.randn(2, 5, 8, dtype=D), torch.zeros(5, 5, dtype=D).triu(1), torch.randn(4, 5, 5, dtype=D)
    layer = nn.TransformerEncoderLayer(8, 2, 6, batch_first=True)
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    calls = [
        (attention, lambda m, x: m.a(x, x, x, attn_mask=m.mask)[0]),
        (layer, lambda m, x: m.a(x, m.mask)),
        (nn.TransformerEncoder(layer, 1, enable_nested_tensor=False), lambda m, x: m.a(x, mask=m.mask)),
        (nn.TransformerDecoderLayer(8, 2, 6, batch_first=True), lambda m, x: m.a(x, x, m.mask)),
        (
            nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 6, batch_first=True), 1),
            lambda m, x: m.a(x, x, memory_mask=m.mask),
        ),
    ]
    for part, call in calls:
        net = Function(call, a=part, mask=flat).to(D).eval()
        group = parameter_group(net, example_inputs=x)
        assert "S(2)" in map(str, group.factors) and defect(net, group, group.random(0), (x,)) < 1e-12
        with pytest.raises(DomainError, match="an attention mask of three dimensions, which may tell heads apart"):
            parameter_group(Function(call, a=part, mask=heads), example_inputs=x)
    with pytest.raises(DomainError, match="an attention mask whose rank is not known; pass example_inputs"):
        parameter_group(Masked(attention))


def test_a_mask_of_finite_numbers_leaves_no_gauge():
    x = torch.randn(2, 5, 8, dtype=D)
    for value, gauge in ((float("-inf"), ["k.bias[0:8]"]), (-1e9, ["k.bias[0:8]"]), (0.0, [])):
        net = Function(fill(value), **{name: nn.Linear(8, 8) for name in "qkvo"}).to(D)
        assert [str(s) for s in parameter_group(net, example_inputs=x).gauge] == gauge
        (net(x) ** 3).sum().backward()
        assert (float(net.k.bias.grad.abs().max()) < 1e-13) == bool(gauge)


class Masked(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x, mask):
        return self.attention(x, x, x, attn_mask=mask)[0]


def hooked(where, how):
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    getattr(net[where] if where is not None else net, f"register_{how}_hook")(lambda *x: x[-1])
    return net


def with_forward(where):
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    (net[where] if where is not None else net).forward = lambda x: x * torch.arange(x.shape[-1])
    return net


def deep():
    net = encoder()
    net.layers[1].self_attn.register_forward_hook(lambda m, x, y: y)
    return net


HOOKS = "has hooks, and what they do cannot be read: remove them"


class Overridden(nn.Linear):
    def forward(self, x):
        return super().forward(x) * torch.arange(self.out_features)


class Writes(nn.Module):
    def forward(self, x):
        x[:, 0] = 0
        return x


class Branches(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


def mine(x):
    return x.cumsum(-1)


torch.fx.wrap("mine")


@pytest.mark.parametrize(
    "net, words",
    [
        (Branches(), "cannot trace Branches, whose forward depends on values"),
        (Writes(), "cannot trace Writes"),
        (
            nn.Sequential(nn.Linear(3, 4), nn.LocalResponseNorm(2)),
            "the module 1, LocalResponseNorm.* there is no reader for the module 1",
        ),
        (Function(lambda m, x: m.rnn(x, x)[0], rnn=nn.GRU(3, 3)), "a first state that is given, and not zero"),
        (Function(lambda m, x: m.rnn(x, x), rnn=nn.GRUCell(3, 3)), "a state that is given, and not zero"),
        (
            nn.Sequential(nn.Linear(3, 4), nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))),
            "the module 1 .* is parametrized",
        ),
        (
            Function(lambda m, x: m.a(x).cumsum(-1), a=nn.Linear(3, 4)),
            "the node cumsum .*call_method of cumsum.*no reader for cumsum",
        ),
        (Function(lambda m, x: mine(m.a(x)), a=nn.Linear(3, 4)), "the function mine of test_parameter_group"),
        (Function(lambda m, x: m.a(x).view(-1, 2, 2), a=nn.Linear(3, 4)), "pass example_inputs"),
        (
            Function(lambda m, x: F.linear(x, m.a.weight * 2), a=nn.Linear(3, 4)),
            "no parameter of the module but computed",
        ),
        (nn.Sequential(nn.Embedding(5, 3, max_norm=1.0), nn.Linear(3, 2)), "max_norm"),
        (
            nn.TransformerEncoderLayer(4, 2, 8, activation=lambda x: x.cumsum(-1)),
            "activation <lambda> is odd is not known",
        ),
        *(
            (hooked(1, how), rf"the module 1 \(ReLU\) {HOOKS}")
            for how in ("forward", "forward_pre", "full_backward", "full_backward_pre")
        ),
        (hooked(None, "forward"), f"Sequential cannot be read: it {HOOKS}"),
        (deep(), rf"the module layers.1.self_attn \(MultiheadAttention\) {HOOKS}"),
        (with_forward(1), r"the module 1 \(ReLU\) has a forward of its own, set on this one module"),
        (with_forward(None), "Sequential cannot be read: it has a forward of its own"),
        (nn.Sequential(nn.Conv1d(2, 4, 3), nn.MaxPool1d(2, return_indices=True)), "the indices that a pool returns"),
        (Function(lambda m, x: m.a(x).relu().unsqueeze(0).T, a=nn.Linear(3, 4)), "pass example_inputs"),
        (nn.Sequential(nn.Linear(3, 4), nn.Softmax()), "a softmax without dim"),
        (Function(lambda m, x: m.a(x).relu().unsqueeze_(0), a=nn.Linear(3, 4)), "no reader for unsqueeze_"),
        (
            Function(lambda m, x: m.a(x, x, x, average_attn_weights=False), a=nn.MultiheadAttention(4, 2)),
            "the attention weights of every head",
        ),
        (
            Function(lambda m, x: F.hardtanh(m.a(x), m.a.bias, 1.0), a=nn.Linear(3, 4)),
            "hardtanh with a tensor as one of its further arguments",
        ),
        (nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 2)), "the node _1 .*the sizes are|do not divide"),
    ],
    ids=lambda v: type(v).__name__ if isinstance(v, nn.Module) else None,
)
def test_what_cannot_be_read_is_named(net, words):
    with pytest.raises(DomainError, match=words):
        parameter_group(net)


# Assertions about shapes, as networks of images begin with.
def test_shapes_are_compared():
    def forward(m, x):
        torch._assert(x.shape[1] == 3, "three numbers")
        torch._assert(x.shape[0] != 0, "something")
        return m.b(torch.relu(m.a(x)))

    net = Function(forward, a=nn.Linear(3, 4), b=nn.Linear(4, 2))
    assert str(parameter_group(net, example_inputs=torch.zeros(5, 3)).factors[0]) == "S(4)"
    with pytest.raises(DomainError, match="an assertion of the module fails for the shapes of example_inputs"):
        parameter_group(net, example_inputs=torch.zeros(0, 3))
    with pytest.raises(DomainError, match="pass example_inputs"):
        parameter_group(net)
    values = Function(lambda m, x: (torch._assert(m.a(x) == 0, "zero"), x)[1], a=nn.Linear(3, 4))
    with pytest.raises(DomainError, match="a comparison of the entries of tensors"):
        parameter_group(values, example_inputs=torch.zeros(5, 3))


def timm_models():
    without_operators_of_torchvision()
    return pytest.importorskip(
        "timm.models.vision_transformer", reason="timm is not installed, or cannot be imported", exc_type=ImportError
    )


def test_vision_transformers_of_timm():
    models = timm_models()
    net = (
        models.VisionTransformer(
            img_size=8, patch_size=4, embed_dim=16, depth=2, num_heads=4, num_classes=3, mlp_ratio=1.5
        )
        .eval()
        .double()
    )
    for p in net.parameters():
        nn.init.normal_(p, std=0.3)
    x = torch.randn(2, 3, 8, 8, dtype=D)
    group = parameter_group(net, example_inputs=x)
    assert [str(f) for f in group.factors] == ["S(16)"] + 2 * ["S(4)", "GL(4)^4", "GL(4)^4", "S(24)"]
    assert [str(s) for s in group.gauge] == ["blocks.0.attn.qkv.bias[16:32]", "blocks.1.attn.qkv.bias[16:32]"]
    for seed in range(2):
        assert defect(net, group, group.random(seed), (x,)) < 1e-12


def transformers_models():
    transformers = pytest.importorskip("transformers", reason="transformers is not installed", exc_type=ImportError)
    bert = {
        "vocab_size": 11,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 24,
        "max_position_embeddings": 9,
    }
    gpt = {"vocab_size": 11, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_inner": 24, "n_positions": 9}
    layer = ["S(4)", "GL(4)^4", "GL(4)^4", "S(24)"]
    yield transformers.BertModel(transformers.BertConfig(**bert)), 2 * layer, ["S(16)", "S(16)"]
    yield transformers.BertForMaskedLM(transformers.BertConfig(**bert, hidden_act="relu")), ["S(16)", *2 * layer], []
    yield (
        transformers.BertForSequenceClassification(transformers.BertConfig(**bert, num_labels=3)),
        ["S(16)", "B(16)", *2 * layer],
        ["S(3)"],
    )
    yield transformers.GPT2Model(transformers.GPT2Config(**gpt)), 2 * layer, ["S(16)"]
    yield transformers.GPT2LMHeadModel(transformers.GPT2Config(**gpt)), ["S(16)", *2 * layer], []


def newer_models():
    """Llama and its like, and T5, with what they take."""
    timm_models()  # some import torchvision
    transformers = pytest.importorskip("transformers", reason="transformers is not installed", exc_type=ImportError)
    t = transformers
    ids, words = torch.randint(0, 11, (2, 7)), torch.randint(0, 11, (2, 5))
    small = {
        "vocab_size": 11, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 24,
        "max_position_embeddings": 9,
    }  # fmt: skip
    grouped = ["S(2)", "S(2)^2", "GL(4)^2", "S(24)"]
    for config, model, head in (
        (t.LlamaConfig, t.LlamaModel, t.LlamaForCausalLM),
        (t.MistralConfig, t.MistralModel, t.MistralForCausalLM),
        (t.Qwen2Config, t.Qwen2Model, t.Qwen2ForCausalLM),
    ):
        yield model(config(**small, num_key_value_heads=2)), (ids,), 2 * grouped
        tied = head(config(**small, num_key_value_heads=2, tie_word_embeddings=True))
        yield tied, (ids,), ["B(16)", *2 * grouped]
        yield head(config(**small, num_key_value_heads=4)), (ids,), ["B(16)", *2 * ["S(4)", "GL(4)^4", "S(24)"]]
    biased = t.LlamaConfig(**small, num_key_value_heads=1, attention_bias=True, mlp_bias=True)
    yield t.LlamaForCausalLM(biased), (ids,), ["B(16)", *2 * ["S(4)", "GL(4)", "S(24)"]]
    t5 = {
        "vocab_size": 11, "d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_heads": 4,
        "decoder_start_token_id": 0,
    }  # fmt: skip
    own, cross = ["GL(4)^4", "GL(4)^4"], ["S(4)", "GL(4)^4", "GL(4)^4"]
    encoder = ["S(4)", *2 * [*own, "S(24)"]]
    both = [*encoder, "S(4)", *2 * [*own, *cross, "S(24)"]]
    yield t.T5EncoderModel(t.T5Config(**t5)), (ids,), encoder
    yield t.T5Model(t.T5Config(**t5)), (ids, None, words), both
    gated = t.T5Config(**t5, feed_forward_proj="gated-gelu", tie_word_embeddings=False)
    yield t.T5ForConditionalGeneration(gated), (ids, torch.ones_like(ids), words), both


def test_llama_and_t5_of_transformers():
    """The heads of all layers of T5 share their numbers for distances, and the coordinates that rotary encodings turn
    stay."""
    for net, inputs, factors in newer_models():
        net = net.eval().double()
        for p in net.parameters():
            nn.init.normal_(p, std=0.3)
        group = parameter_group(net, example_inputs=inputs)
        assert sorted(str(f) for f in group.factors) == sorted(factors), (type(net).__name__, group)
        assert not group.corrected and not group.gauge
        state = net.state_dict()
        for g in (group.random(0), group.random(1, obeys="Adam")):
            moved = copy.deepcopy(net)
            moved.load_state_dict(group.act(g, state))
            with torch.no_grad():
                y, z = (next(iter(f(*inputs).values())) for f in (net, moved))
            assert float((y - z).abs().max() / y.abs().max()) < 1e-5  # norms of theirs compute in single precision
            assert any(not torch.equal(v, state[k]) for k, v in moved.state_dict().items())


def test_t5_says_what_it_takes():
    timm_models()
    t = pytest.importorskip("transformers", reason="transformers is not installed", exc_type=ImportError)
    net = t.T5ForConditionalGeneration(t.T5Config(vocab_size=11, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2))
    with pytest.raises(DomainError, match=r"two sequences .* example_inputs=\(ids, None, ids of the decoder\)"):
        parameter_group(net, example_inputs=torch.randint(0, 11, (2, 7)))


# transformers' BERT and GPT-2, from their configurations: torch.fx cannot trace them.
def test_bert_and_gpt2_of_transformers():
    ids = torch.randint(0, 11, (2, 7))
    for net, factors, at_ends in transformers_models():
        net = net.eval().double()
        for p in net.parameters():
            nn.init.normal_(p, std=0.3)
        group = parameter_group(net, example_inputs=ids)
        assert sorted(str(f) for f in group.factors) == sorted(factors), group
        keys = [str(s) for s in group.gauge]
        assert len(keys) == 2 and all("key.bias[0:16]" in k or "c_attn.bias[16:32]" in k for k in keys)
        ends = parameter_group(net, io="permuted", example_inputs=ids)
        assert sorted(str(f) for f in ends.factors) == sorted(factors + at_ends)
        state = net.state_dict()
        for g, of in ((group.random(0), group), (group.random(1, obeys="Adam"), group), (ends.random(2), ends)):
            moved = copy.deepcopy(net)
            moved.load_state_dict(of.act(g, state))
            with torch.no_grad():
                y, z = (tuple(f(ids).values())[0] for f in (net, moved))
            y = of.outputs[0].act(g, y)
            assert float((y - z).abs().max() / y.abs().max()) < 1e-12
        assert any(not torch.equal(v, state[k]) for k, v in group.act(group.random(0), state).items())


def test_what_of_transformers_is_not_read():
    transformers = pytest.importorskip("transformers", reason="transformers is not installed", exc_type=ImportError)
    small = {
        "hidden_size": 8,
        "num_attention_heads": 2,
        "intermediate_size": 8,
        "num_hidden_layers": 1,
        "vocab_size": 5,
    }
    decoder = transformers.BertModel(transformers.BertConfig(**small, is_decoder=True, add_cross_attention=True))
    with pytest.raises(DomainError, match="BertModel cannot be read: a layer that also attends to an encoder's output"):
        parameter_group(decoder, example_inputs=torch.zeros(1, 3, dtype=torch.int64))
    with pytest.raises(DomainError, match="cannot trace DistilBertModel"):
        parameter_group(
            transformers.DistilBertModel(
                transformers.DistilBertConfig(dim=8, n_heads=2, hidden_dim=8, n_layers=1, vocab_size=5)
            )
        )


def test_arguments():
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    group = parameter_group(net)
    with pytest.raises(DomainError, match='io is "fixed" or "permuted"'):
        parameter_group(net, io="free")
    with pytest.raises(DomainError, match=r"not list: write torch.nn.Sequential\(\*layers\)"):
        parameter_group([torch.nn.Linear(3, 8), torch.nn.ReLU()])
    with pytest.raises(DomainError, match="torch.nn.Module is wanted"):
        parameter_group(lambda x: x)
    with pytest.raises(DomainError, match="not an identity; they are forward, SGD, Adam"):
        group.random(obeys="RMSprop")
    other = parameter_group(nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2)))
    with pytest.raises(DomainError, match="not of this parameter group"):
        group.act(other.identity, net.state_dict())
    with pytest.raises(DomainError, match="different parameter groups"):
        group.identity * other.identity
    with pytest.raises(DomainError, match=r"0.weight has the shape \[4, 4\]"):
        group.act(group.identity, {"0.weight": torch.zeros(4, 4)})
    mha = parameter_group(nn.MultiheadAttention(8, 2))
    with pytest.raises(DomainError, match="int64: only permutations and signs"):
        mha.act(mha.random(0), {"in_proj_weight": torch.zeros(24, 8, dtype=torch.int64)})
    with pytest.raises(DomainError, match="uint8, which has none"):
        mha.act(mha.random(0, obeys="Adam"), {"in_proj_weight": torch.zeros(24, 8, dtype=torch.uint8)})
    assert parameter_group(nn.Linear(3, 2)).order == 1 and parameter_group(nn.Linear(3, 2)).generators == ()
    assert parameter_group(nn.ReLU()).order == 1
    assert str(group.identity) == "the identity" and "S(4): (" in str(group.generators[0])


class Moody(nn.Module):
    """Another function in training."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 2)

    def forward(self, x):
        y = self.a(x).relu()
        return self.b(y * torch.arange(1.0, 5).to(y) if self.training else y)


def test_the_mode_that_a_module_is_in():
    net = Moody()
    assert parameter_group(net).order == 1 and parameter_group(net.eval()).order == 24
    x = torch.randn(5, 3)
    assert defect(net, parameter_group(net), parameter_group(net).random(0), (x,)) < 1e-6


def test_reading_looks_at_no_numbers_and_keeps_the_mode():
    net = encoder()
    net.train()
    state = {k: v.clone() for k, v in net.state_dict().items()}
    before = torch.random.get_rng_state()
    parameter_group(net)
    assert (
        net.training
        and torch.equal(before, torch.random.get_rng_state())
        and all(torch.equal(v, net.state_dict()[k]) for k, v in state.items())
    )
    with torch.device("meta"):
        assert parameter_group(encoder()).order == parameter_group(net).order


class Program(nn.Module):
    """A random program of layers on [2, 5, features]: what a reader of single layers cannot get right by luck."""

    def __init__(self, seed):
        super().__init__()
        choose = random.Random(seed)
        self.layers, self.steps, sizes = nn.ModuleList(), [], [6]
        for _ in range(choose.randrange(4, 12)):
            kinds = ["linear"] * 3 + [
                "even",
                "odd",
                "sum",
                "product",
                "norm",
                "rms",
                "scale",
                "cat",
                "split",
                "attention",
                "heads",
                "reuse",
            ]
            kind = choose.choice(kinds)
            at = choose.randrange(len(sizes))
            size = sizes[at]
            like = [k for k, s in enumerate(sizes) if s == size]
            out, other = size, choose.choice(like)
            if kind == "linear":
                out = choose.choice([6, 6, 12, 4])
                self.layers.append(nn.Linear(size, out, bias=choose.random() < 0.7))
            elif kind in ("norm", "rms"):
                self.layers.append(
                    nn.LayerNorm(size) if kind == "norm" else nn.RMSNorm(size, elementwise_affine=choose.random() < 0.5)
                )
            elif kind == "attention":
                self.layers.append(nn.ModuleList(nn.Linear(size, size) for _ in range(3)))
            elif kind == "reuse":
                same = [k for k, m in enumerate(self.layers) if isinstance(m, nn.Linear) and m.in_features == size]
                if not same:
                    continue
                other = choose.choice(same)
                out = self.layers[other].out_features
            elif kind == "cat":
                out = 2 * size
            elif kind == "split":
                out = size // 2
            self.steps.append((kind, at, other, len(self.layers) - 1))
            sizes.append(out)
        self.scale = nn.ParameterList([nn.Parameter(torch.rand(s) + 0.5) for s in sizes])
        self.last = nn.Linear(sizes[-1], 3)

    def forward(self, x):
        values = [x]
        for kind, at, other, layer in self.steps:
            y, z = values[at], values[other]
            if kind in ("linear", "norm", "rms"):
                y = self.layers[layer](y)
            elif kind == "reuse":
                y = self.layers[other](y)
            elif kind == "attention":
                q, k, v = (f(w).view(2, 5, 2, -1).transpose(1, 2) for f, w in zip(self.layers[layer], (y, z, y)))
                y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 5, -1)
            elif kind == "heads":
                y = y.view(2, 5, 2, -1).softmax(-1).flatten(2)
            elif kind == "scale":
                y = y * self.scale[at]
            else:
                y = {
                    "even": lambda: F.gelu(y), "odd": lambda: torch.tanh(y), "sum": lambda: y + z, "product": lambda: y * z,
                    "cat": lambda: torch.cat([y, z], -1), "split": lambda: y.chunk(2, -1)[0],
                }[kind]()  # fmt: skip
            values.append(y)
        return self.last(values[-1])


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    torch.manual_seed(seed)
    net, x = Program(seed).to(D), torch.randn(2, 5, 6, dtype=D)
    for io in ("fixed", "permuted"):
        try:
            group = parameter_group(net, io=io, example_inputs=x)
        except DomainError as error:
            assert "cannot be read" in str(error)
            continue
        for k, obeys in enumerate(("forward", "SGD", "Adam")):
            assert defect(net, group, group.random(seed + k, obeys=obeys), (x,)) < 1e-11, group
        for s in group.gauge:
            (grad,) = torch.autograd.grad((net(x) ** 3).sum(), dict(net.named_parameters())[s.name], allow_unused=True)
            assert grad is None or float(grad[s.index].abs().max()) <= 1e-12 * max(1.0, float(grad.abs().max()))


def test_what_layers_do_not_read_is_named():
    class Routed(nn.Module):
        def __init__(self):
            super().__init__()
            self.gate = nn.Linear(3, 2)
            self.experts = nn.ModuleList([nn.Linear(3, 2) for _ in range(2)])

        def forward(self, x):
            weights, chosen = self.gate(x).softmax(-1).topk(1, -1)
            found = torch.stack([e(x) for e in self.experts], 1)
            return found.gather(1, chosen[..., None].expand(-1, -1, 2))[:, 0] * weights

    bag = nn.Sequential(nn.EmbeddingBag(7, 6, max_norm=1.0), nn.Linear(6, 2))
    twice = Function(lambda m, x: torch.einsum("ii->i", m.a(x)), a=nn.Linear(3, 3))
    ids = torch.randint(0, 7, (5, 4))
    for net, x, said in [
        (Routed(), torch.zeros(5, 3), "there is no reader for topk"),
        (bag, ids, "an embedding bag with max_norm"),
        (twice, torch.zeros(3, 3), "an einsum with a letter twice in one tensor"),
    ]:
        with pytest.raises(DomainError, match=said):
            parameter_group(net, example_inputs=x)
