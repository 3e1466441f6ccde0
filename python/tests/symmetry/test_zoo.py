"""Parameter groups of a zoo of modules: random elements leave the function alone, known groups are found whole, and
wrong ones do not pass."""

import copy
import dataclasses
import math
import os
import threading

import pytest

from networks_for_tests import D, Function  # isort: skip (skips where PyTorch is missing)
import torch
import zoo_convolutions_for_tests  # noqa: F401 (adds to the zoo)
import zoo_layers_for_tests  # noqa: F401 (adds to the zoo)
import zoo_networks_for_tests  # noqa: F401 (adds to the zoo)
import zoo_recurrent_for_tests  # noqa: F401 (adds to the zoo)
from intertwine import DomainError
from intertwine.symmetry import (
    ParameterGroup,
    _module_readers,
    _probe,
    _values,
    _verify,
    checkpoint_key,
    parameter_group,
    permute_checkpoint,
)  # fmt: skip
from intertwine.symmetry._axes import KINDS
from intertwine.symmetry._graph import read
from intertwine.symmetry._probe import Probe
from intertwine.symmetry._verify import Check
from torch import nn
from torch.nn import functional as F
from zoo_for_tests import ZOO


def made(name):
    case = ZOO[name]
    torch.manual_seed(0)
    net = case.make().to(D).train(case.training)
    for m in net.modules():
        if isinstance(m, (nn.Dropout, nn.MultiheadAttention)):
            m.p = m.dropout = 0.0
    for p in net.parameters():
        nn.init.normal_(p, 0.1, 0.5)
    inputs = tuple(torch.randn_like(x, dtype=D) if x.is_floating_point() else x for x in case.inputs)
    return case, net, inputs


def outputs(y):
    return (
        [y]
        if isinstance(y, torch.Tensor)
        else [t for part in (y.values() if isinstance(y, dict) else y) for t in outputs(part)]
    )


def defect(net, group, g, inputs):
    """How far the function of the moved parameters is from the moved function, by nothing of the package's check."""
    state = {name: t.clone() for name, t in net.state_dict().items()}
    with torch.no_grad():
        there = outputs(copy.deepcopy(net)(*inputs))
        moved = copy.deepcopy(net)
        moved.load_state_dict(group.act(g, state))
        found = outputs(moved(*group.act_on_inputs(g, *inputs)))
    wanted = [port.act(g, y) for port, y in zip(group.outputs, there)]
    return max(float((a - b).abs().max() / (1 + b.abs().max())) for a, b in zip(found, wanted, strict=True))


def test_the_zoo_is_large():
    assert len(ZOO) >= 220 and sum(case.factors is not None for case in ZOO.values()) >= 200


@pytest.mark.parametrize("name", ZOO)
def test_zoo(name):
    case, net, inputs = made(name)
    group = parameter_group(net, io=case.io, example_inputs=case.inputs if case.told else None)
    if case.factors is not None:
        assert sorted(map(str, group.factors)) == sorted(filter(None, case.factors.split(" x "))), group
    assert not group.corrected  # the readers were right by themselves
    for seed in range(3):
        assert defect(net, group, group.random(seed), inputs) < 1e-9, group
    for g in group.generators[:12]:
        assert defect(net, group, g, inputs) < 1e-9, (group, g)


# --- The check can fail -------------------------------------------------------------------------------------


def checked(net, x, group, io="fixed"):
    """What the check makes of a group that was not read from this module."""
    probe = Probe(net)
    return Check(probe, read(net, io, (x,), probe), (x,)).sound(group)


PLANTED = {
    "GL for a ReLU": (nn.Identity, nn.ReLU, "S(6)"),
    "signs for a ReLU": (nn.Tanh, nn.ReLU, "S(6)"),
    "GL for a tanh": (nn.Identity, nn.Tanh, "B(6)"),
    "permutations for a ramp": (nn.ReLU, lambda: Ramp(), ""),
    "right": (nn.ReLU, nn.ReLU, "S(6)"),
}


class Ramp(nn.Module):
    def forward(self, x):
        return torch.relu(x) * torch.arange(1, 7)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_group_does_not_pass(name):
    read_from, used, expected = PLANTED[name]
    wrong = parameter_group(nn.Sequential(nn.Linear(3, 6), read_from(), nn.Linear(6, 2)))
    net, x = nn.Sequential(nn.Linear(3, 6), used(), nn.Linear(6, 2)), torch.zeros(5, 3)
    sound = checked(net, x, wrong)
    assert " x ".join(map(str, sound.factors)) == expected
    assert sound.corrected == (
        ()
        if name == "right"
        else (f"{wrong.factors[0]} of 0.weight[0:6, 0:3], 0.bias[0:6], 2.weight[0:2, 0:6]: {kind(expected)}",)
    )


def kind(factor):
    return {"S": "permutation", "B": "signed", "": "fixed"}[factor[:1]]


# One wrong factor among right ones, the wrong copies of a wreath product, and wrong ends.
def test_the_wrong_factor_is_found_among_right_ones():
    layers = lambda act: nn.Sequential(
        nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 5), act(), nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 2)
    )  # noqa: E731
    wrong = parameter_group(layers(nn.Tanh))
    assert [str(f) for f in checked(layers(nn.ReLU), torch.zeros(5, 3), wrong).factors] == ["S(6)", "S(5)", "B(4)"]
    heads = lambda slopes: Function(lambda m, x: attend(m, x, slopes), **{n: nn.Linear(8, 8) for n in "qkvo"})
    x = torch.zeros(2, 5, 8)
    wrong = parameter_group(heads(None), example_inputs=x)
    assert [str(f) for f in wrong.factors] == ["S(2)", "GL(4)^2", "GL(4)^2"]
    sound = checked(heads(torch.tensor([1.0, 2.0]).view(2, 1, 1)), x, wrong)
    assert [str(f) for f in sound.factors] == ["GL(4)^2", "GL(4)^2"] and len(sound.corrected) == 1
    ends = parameter_group(nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3)), io="permuted")
    ramp = Function(lambda m, x: m.b(torch.relu(m.a(x * torch.arange(1, 4)))), a=nn.Linear(3, 4), b=nn.Linear(4, 3))
    renamed = under_other_names(ends, {"0.": "a.", "2.": "b."})
    assert [str(f) for f in checked(ramp, torch.zeros(5, 3), renamed, "permuted").factors] == ["S(4)", "S(3)"]


def attend(m, x, slopes):
    q, k, v = (f(x).view(2, 5, 2, 4).transpose(1, 2) for f in (m.q, m.k, m.v))
    scores = q @ k.transpose(-1, -2)
    return m.o(((scores if slopes is None else scores * slopes).softmax(-1) @ v).transpose(1, 2).reshape(2, 5, 8))


def under_other_names(group, names):
    """The same group for a module whose parts have other names."""

    def renamed(name):
        return next((new + name.removeprefix(old) for old, new in names.items() if name.startswith(old)), name)

    other = copy.copy(group)
    other.slices = tuple(dataclasses.replace(s, name=renamed(s.name)) for s in group.slices)
    other._whole = tuple(dataclasses.replace(s, name=renamed(s.name)) for s in group._whole)
    other.shapes = {renamed(name): shape for name, shape in group.shapes.items()}
    return other


# A reader that is wrong does not get through: a ReLU taken for an odd function, and one that says nothing.
def test_a_wrong_reader_is_caught(monkeypatch):
    net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 2))
    monkeypatch.setitem(
        _module_readers.MODULE_READERS, nn.ReLU, lambda r, m, p, x: r.pointwise(x, KINDS.index("signed"))
    )
    assert str(parameter_group(net, verify=False).factors[0]) == "B(6)"
    group = parameter_group(net)
    assert str(group.factors[0]) == "S(6)" and group.corrected == (
        "B(6) of 0.weight[0:6, 0:3], 0.bias[0:6], 2.weight[0:2, 0:6]: permutation",
    )
    monkeypatch.setitem(
        _module_readers.MODULE_READERS, nn.ReLU, lambda r, m, p, x: _values.Value(list(x.dims), x.front)
    )
    assert parameter_group(net, verify=False).order == 1  # a reader that says nothing binds


# No product of the check has an identity in the place of a factor that it is to move, and none is drawn in vain.
def test_products_of_the_check_move_what_they_are_to_move(monkeypatch):
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 2), nn.Sigmoid(), nn.Linear(2, 4), nn.Linear(4, 1))
    group = parameter_group(net, verify=False)
    assert [str(f) for f in group.factors] == ["S(2)", "S(2)", "GL(4)"]
    for seed in range(20):
        whole, *halves = _verify._products(group, seed)
        assert all(not _verify._is_identity(part) for part in whole.parts)
        for half in halves:
            assert any(part is not None for part in half.parts)
            assert all(part is None or not _verify._is_identity(part) for part in half.parts)
    drawn = []
    random_part = ParameterGroup._random_part
    monkeypatch.setattr(
        ParameterGroup, "_random_part", lambda g, f, *rest: drawn.append(str(f)) or random_part(g, f, *rest)
    )
    assert not parameter_group(net).corrected
    assert drawn.count("GL(4)") <= 9  # three products on each of three draws


def test_what_an_element_does_not_move_is_passed_through():
    net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 2))
    group, state = parameter_group(net, verify=False), net.state_dict()
    g = group.random(0)
    alone = _verify.Element(g.factors, (g.parts[0], None))
    moved = group.act(alone, state)
    assert all((moved[n] is state[n]) == n.startswith(("2.bias", "4.")) for n in state)
    both = group.act(_verify.Element(g.factors, (None, g.parts[1])), moved)
    assert all(torch.equal(both[n], t) for n, t in group.act(g, state).items())


# --- What the check does and leaves alone -------------------------------------------------------------------


class Careful(nn.Module):
    """A forward that counts its calls, draws random numbers, casts and makes tensors."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.calls = nn.Linear(3, 6), nn.Linear(6, 2), 0

    def forward(self, x):
        self.calls += 1
        return self.b(F.dropout(torch.relu(self.a(x)).float(), 0.5, self.training).to(torch.float32))


@pytest.mark.parametrize("training", [False, True])
def test_nothing_of_the_module_changes(training):
    net = nn.Sequential(Careful(), nn.BatchNorm1d(2), nn.Dropout(0.3)).train(training)
    state = {name: t.clone() for name, t in net.state_dict().items()}
    x = torch.randn(5, 3)
    before, dtype = torch.random.get_rng_state(), torch.get_default_dtype()
    group = parameter_group(net, example_inputs=x)
    assert str(group.factors[0]) == "S(6)" and not group.corrected
    assert net.training == training and torch.get_default_dtype() == dtype
    assert torch.equal(torch.random.get_rng_state(), before)
    assert all(torch.equal(t, net.state_dict()[name]) for name, t in state.items())
    assert all(p.grad is None and p.requires_grad for p in net.parameters())
    again = parameter_group(net, example_inputs=torch.zeros(5, 3))
    assert again.factors == group.factors


class Holding(nn.Module):
    """A module that has something else beside its layers, and changes it."""

    def __init__(self, extra):
        super().__init__()
        self.a, self.b, self.extra, self.seen = nn.Linear(3, 6), nn.Linear(6, 2), extra, []
        self.parts = [self.a, self.b]

    def forward(self, x):
        if not isinstance(x, torch.fx.Proxy):
            self.seen.append(len(x))
        return self.parts[1](torch.relu(self.a(x)))


EXTRAS = {
    "a lock": threading.Lock,
    "a generator": lambda: (k for k in range(3)),
    "a list with a tensor that has a history": lambda: [nn.Linear(3, 3)(torch.zeros(2, 3))],
    "a tensor that has a history": lambda: nn.Linear(3, 3)(torch.zeros(2, 3)),
    "a file": lambda: open(os.devnull),
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("verify", [True, False])
def test_modules_that_hold_what_cannot_be_copied(extra, verify):
    net = Holding(EXTRAS[extra]())
    outer = nn.Sequential(net, nn.BatchNorm1d(2), nn.Linear(2, 3))
    group = parameter_group(outer, example_inputs=torch.zeros(5, 3), verify=verify)
    assert str(group.factors[0]) == "S(6)" and not group.corrected
    assert net.seen == [] and net.parts[0] is net.a and int(outer[1].num_batches_tracked) == 0


def test_parts_that_are_shared_stay_shared_in_a_copy():
    net = Holding(threading.Lock())
    net.again = net.a
    twin = Probe(net).module
    assert twin.a is twin.again is twin.parts[0] and twin.a is not net.a and twin.a.weight is net.a.weight
    assert twin.seen is not net.seen and twin.extra is net.extra


def test_a_module_that_cannot_be_copied_is_named(monkeypatch):
    def no(*_):
        raise TypeError("no copy of this")

    monkeypatch.setattr(_probe, "_copied", no)
    net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 2))
    with pytest.raises(DomainError, match=r"cannot be checked: .* \(no copy of this\); verify=False gives the group"):
        parameter_group(net)
    for told in (None, torch.zeros(5, 3)):
        assert parameter_group(net, example_inputs=told, verify=False).order == math.factorial(6)


@pytest.mark.filterwarnings("ignore:Complex modules")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.complex64])
def test_modules_of_other_dtypes(dtype):
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2)).to(dtype)
    group = parameter_group(net, example_inputs=torch.zeros(5, 3, dtype=dtype))
    assert str(group.factors[0]) == "B(6)" and not group.corrected


def test_a_module_that_does_not_run_is_named():
    net = seven_numbers()
    with pytest.raises(
        DomainError, match="cannot be checked: .*seven.*; pass other example_inputs on which it runs, or verify=False"
    ):
        parameter_group(net, example_inputs=torch.zeros(5, 3))
    unruly = nn.Sequential(nn.Linear(3, 6), Rough(), nn.Linear(6, 2))
    with pytest.raises(
        DomainError, match="cannot be checked: its outputs change by more than their size .* verify=False"
    ):
        parameter_group(unruly, example_inputs=torch.zeros(5, 3))
    assert parameter_group(unruly, example_inputs=torch.zeros(5, 3), verify=False).order == math.factorial(6)
    with pytest.raises(DomainError, match="cannot be checked: .*pass example_inputs on which it runs, or verify=False"):
        parameter_group(
            Function(lambda m, x: m.b(torch.relu(m.a(x)) + torch.zeros(977, 1)), a=nn.Linear(3, 6), b=nn.Linear(6, 2))
        )


class Logs(nn.Module):
    """Logarithms of what comes in: no numbers on random inputs, whatever the parameters are."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 6), nn.Linear(6, 2)
        for p in self.a.parameters():
            nn.init.uniform_(p, 0.5, 1.5)

    def forward(self, x):
        return self.b(torch.log(self.a(torch.log(x))))


def test_numbers_of_example_inputs_are_used_where_random_ones_do_not_do():
    x = torch.linspace(1.3, 9, 15).reshape(5, 3)
    group = parameter_group(Logs(), example_inputs=x)
    assert [str(f) for f in group.factors] == ["S(6)"] and not group.corrected
    for useless in (torch.ones(5, 3), -x):  # no numbers of its own, and wrong ones
        with pytest.raises(DomainError, match="empty or no numbers; pass other example_inputs on which it runs"):
            parameter_group(Logs(), example_inputs=useless)
    planted = parameter_group(nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2)), verify=False)
    net = Logs()
    wrong = under_other_names(planted, {"0.": "a.", "2.": "b."})
    assert [str(f) for f in checked(net, x, wrong).factors] == ["S(6)"]


def seven_numbers():
    def forward(m, x):
        _seven(x)
        return m.b(torch.relu(m.a(x)))

    return Function(forward, a=nn.Linear(3, 6), b=nn.Linear(6, 2))


def _seven(x):
    if not isinstance(x, torch.fx.Proxy) and len(x) != 7:
        raise ValueError("seven samples are wanted")


class Rough(nn.Module):
    def forward(self, x):
        return torch.sin(1e14 * x).abs()


def test_a_size_that_is_not_known_is_named():
    net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Conv2d(6, 4, 3), nn.Flatten())
    with pytest.raises(DomainError, match="an input or output cannot be read: a size is unknown; pass example_inputs"):
        parameter_group(net, io="permuted")
    assert parameter_group(net).order == math.factorial(6)
    flat = parameter_group(nn.Sequential(nn.Flatten(), nn.Linear(12, 5)), io="permuted")
    with pytest.raises(DomainError, match=r"a size of 12 in dimension -1 .* shape \[2, 3, 4\]: pass example_inputs"):
        flat.act_on_inputs(flat.random(0), torch.zeros(2, 3, 4))


# --- What is tied stays tied; the permutations of a group ---------------------------------------------------


def test_what_is_tied_stays_tied():
    _, net, (x,) = made("tied embeddings behind a layer")
    group = parameter_group(net, example_inputs=x)
    g = group.random(0)
    for state in (
        net.state_dict(),
        {name: t.clone() for name, t in net.state_dict().items()},
        dict(net.named_parameters(remove_duplicate=False)),
    ):
        moved = group.act(g, state)
        assert moved["head.weight"] is moved["table.weight"]
        torch.testing.assert_close(torch.func.functional_call(net, moved, (x,)), net(x))
    apart = {name: t.clone() for name, t in net.state_dict().items()}
    apart["head.weight"] += 1
    moved = group.act(g, apart)
    torch.testing.assert_close(moved["head.weight"], moved["table.weight"] + 1)
    key = checkpoint_key(group, group.random(1, obeys="Adam"))
    hidden = permute_checkpoint(net.state_dict(), key)
    assert hidden["head.weight"] is hidden["table.weight"]
    torch.testing.assert_close(torch.func.functional_call(net, hidden, (x,)), net(x))


def test_the_permutations_of_a_group():
    _, net, inputs = made("an encoder, norm last, relu")
    group = parameter_group(net)
    S = math.factorial
    assert group.order == math.inf and group.permutations.order == S(4) * S(4) ** 4 * S(4) ** 4 * S(24)
    assert group.permutations.representation().group.order == group.permutations.order
    g = group.permutations.random(0)
    assert g.is_monomial and defect(net, group.permutations, g, inputs) < 1e-9
    signed = parameter_group(nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1)))
    assert (signed.order, signed.permutations.order) == (2**5 * S(5), S(5))
    wide = parameter_group(nn.Sequential(nn.Linear(2, 2000), nn.ReLU(), nn.Linear(2000, 1)))  # 5736 digits
    assert repr(wide) == "<ParameterGroup S(2000), order about 3.32e5735, io fixed>"
    one = parameter_group(nn.Sequential(nn.Linear(3, 1), nn.Tanh(), nn.Linear(1, 2)))
    assert (one.order, one.permutations.order, one.permutations.factors) == (2, 1, ())


@pytest.mark.parametrize("order", [(2, 0, 3, 1, 4), (2, 0, -2, 1, -1), (-3, -5, -2, -4, -1)])
def test_dimensions_of_a_stack_are_counted_from_both_ends(order):
    def attention(m, x):
        q, k, v = m.qkv(x).reshape(2, 5, 3, 2, 4).permute(*order).unbind(0)
        return m.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 5, 8))

    net = Function(attention, qkv=nn.Linear(8, 24), o=nn.Linear(8, 8))
    group = parameter_group(net, example_inputs=torch.zeros(2, 5, 8))
    assert [str(f) for f in group.factors] == ["S(2)", "GL(4)^2", "GL(4)^2"] and not group.corrected
