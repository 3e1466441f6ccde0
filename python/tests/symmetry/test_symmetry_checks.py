"""The checks measure what is there: rounding for right maps, much more for wrong ones."""

import copy
import itertools
import math

import pytest

from networks_for_tests import D, Function, encoder  # isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, VerificationError
from intertwine.symmetry import (
    check_backward,
    check_forward,
    check_trajectory,
    is_uniquely_equivariant,
    largest_symmetry,
    parameter_group,
)
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
S5 = Group("S5").rep("perm")
TOKENS = torch.randn(3, 5, 16, dtype=D)


def mse(y, target):
    return ((y - target) ** 2).mean()


def mlp(f, dtype=D):
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 6), f, nn.Linear(6, 4), nn.Tanh(), nn.Linear(4, 2)).to(dtype)


@pytest.fixture(scope="module")
def stack():
    """The setting of the claim: two encoder layers, 16 wide, 4 heads, ff 24."""
    torch.manual_seed(0)
    net = encoder(dropout=0.0).to(D)
    batches = [(torch.randn(4, 5, 16, dtype=D), torch.randn(4, 5, 16, dtype=D)) for _ in range(3)]
    return net, batches


# --- Forward -----------------------------------------------------------------------------------------------------------------


def test_blocks_without_positions_are_equivariant_to_tokens(stack):
    net = stack[0]
    for elements in ("generators", "all", 4):
        report = check_forward(net, S5, S5, TOKENS, axis=-2, elements=elements)
        assert report.relative < 1e-14
        report.assert_below(1e-14)
    pooled = check_forward(lambda x: net(x).mean(1, keepdim=True), S5, Group("S5").rep("trivial"), TOKENS, axis=-2)
    assert pooled.relative < 1e-14


POSITIONS = torch.randn(5, 16, dtype=D)
CAUSAL = torch.full((5, 5), float("-inf"), dtype=D).triu(1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda net, x: net(x + POSITIONS),
        lambda net, x: net(x, mask=CAUSAL),
        lambda net, x: net(x) + 0.1 * x.roll(1, 1),
        lambda net, x: net(x).sort(1).values,
        lambda net, x: net(x.cumsum(1)),
    ],
    ids=["positions", "a causal mask", "a shift", "sorted", "a running sum"],
)
def test_wrong_forward_maps_are_rejected(wrong, stack):
    report = check_forward(lambda x: wrong(stack[0], x), S5, S5, TOKENS, axis=-2)
    assert (
        report.relative > 1e-2
        and report.element in S5.group.generators
        and report.argument == "output"
        and len(report.index) == 3
    )
    with pytest.raises(
        VerificationError, match=r"a relative defect of .* at output\[.*for g = \(.*it should be at most 1e-12"
    ):
        report.assert_below(1e-12)


def test_the_report_says_where():
    V = Group("S4").rep("perm")
    report = check_forward(
        lambda x: x + torch.tensor([0.0, 0, 0, 7], dtype=x.dtype), V, V, torch.zeros(2, 4, dtype=D), elements="all"
    )
    assert report.absolute == 7 and report.relative == 1.0 and report.index[1] in range(4)
    assert check_forward(lambda x: x * 0 / 0, V, V, torch.zeros(2, 4)).relative == float("inf")
    fine = check_forward(lambda x: x * 2, V, V)
    assert fine.relative == 0 and str(fine) == "no defect in torch.float64" and fine.element is None
    half = check_forward(torch.nn.LayerNorm(4).half(), V, V)
    assert half.dtype == torch.float16 and half.epsilons == half.relative / torch.finfo(torch.float16).eps
    half.assert_below(8, epsilons=True)


# --- Backward ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("io", ["fixed", "permuted"])
def test_gradients_of_encoders(io, stack):
    net, [(x, target), *_] = stack
    group = parameter_group(net, io=io)
    for obeys in ("forward", "SGD", "Adam"):
        check_backward(net, group, x, lambda y: mse(y, target), obeys=obeys, elements=2).assert_below(1e-14)
    assert all(p.grad is None for p in net.parameters())


def test_gradients_of_what_is_pooled_do_not_see_the_order_of_tokens(stack):
    net, [(x, _), *_] = stack
    group = parameter_group(net)
    moved = lambda y: (net(y).mean(1) ** 3).sum()  # noqa: E731
    here = torch.autograd.grad(moved(x), list(net.parameters()))
    there = torch.autograd.grad(moved(x[:, [2, 0, 1, 4, 3]]), list(net.parameters()))
    assert max(float((a - b).abs().max()) for a, b in zip(here, there)) < 1e-13 * max(
        float(a.abs().max()) for a in here
    )
    assert (
        check_backward(net, group, x, lambda y: (y.mean(1) ** 3).sum(), elements=1).relative < 3e-14
    )  # the cubes cancel in part


WRONG = {
    "a ReLU for a tanh": lambda: (mlp(nn.ReLU()), parameter_group(mlp(nn.Tanh()))),
    "a scale for each hidden unit": lambda: (
        nn.Sequential(
            *mlp(nn.ReLU())[:2], Function(lambda m, x: x * torch.arange(1.0, 7, dtype=x.dtype)), *mlp(nn.ReLU())[2:]
        ),
        Shifted(parameter_group(mlp(nn.ReLU())), {"2": "3", "4": "5"}),
    ),
    "hidden units in a running sum": lambda: (
        mlp(Function(lambda m, x: x.cumsum(-1).relu())),
        parameter_group(mlp(nn.ReLU())),
    ),
    "biases left behind": lambda: (mlp(nn.Tanh()), Without(parameter_group(mlp(nn.Tanh())), "bias")),
    "columns left behind": lambda: (mlp(nn.Tanh()), Without(parameter_group(mlp(nn.Tanh())), "2.weight")),
    "mixed heads": lambda: (encoder(1, dropout=0.0).to(D), MixedHeads(parameter_group(encoder(1, dropout=0.0)))),
}


class Wrapped:
    """A parameter group whose action is spoilt."""

    def __init__(self, group, more=None):
        self.group, self.more = group, more
        self.shapes = group.shapes

    def __getattr__(self, name):
        return getattr(self.group, name)


class Shifted(Wrapped):
    """For a network with one more layer in it."""

    def __init__(self, group, names):
        super().__init__(group, names)
        self.shapes = {self.rename(k): v for k, v in group.shapes.items()}

    def rename(self, name):
        number, _, rest = name.partition(".")
        return f"{self.more.get(number, number)}.{rest}"

    def act(self, g, state, dual=False):
        back = {self.rename(k): k for k in self.group.shapes}
        return {
            self.rename(k): v for k, v in self.group.act(g, {back[k]: v for k, v in state.items()}, dual=dual).items()
        }


class Without(Wrapped):
    def act(self, g, state, dual=False):
        moved = self.group.act(g, state, dual=dual)
        return {k: state[k] if self.more in k else v for k, v in moved.items()}


class MixedHeads(Wrapped):
    """Coordinates of queries, keys and values permuted across heads."""

    def act(self, g, state, dual=False):
        order = torch.tensor([5, 0, 1, 2, 3, 4, *range(6, 16)])
        moved = dict(state)
        for k, v in state.items():
            if "in_proj" in k:
                moved[k] = torch.cat([part[order] for part in v.chunk(3)])
            elif "out_proj.weight" in k:
                moved[k] = v[:, order]
        return moved


@pytest.mark.parametrize("name", WRONG)
def test_wrong_maps_are_rejected_backward_and_along_training(name):
    net, group = WRONG[name]()
    shape = (8, 3) if not isinstance(net, nn.TransformerEncoder) else (2, 5, 16)
    x, target = torch.randn(*shape, dtype=D), torch.randn(*shape[:-1], 2 if len(shape) == 2 else 16, dtype=D)
    report = check_backward(net, group, x, lambda y: mse(y, target), obeys="Adam")
    assert (
        report.modulo_gauge > 1e-3
        and report.element is not None
        and (report.argument == "loss" or report.argument in group.shapes)
    )
    report = check_trajectory(net, group, [(x, target)], mse, lambda p: torch.optim.SGD(p, lr=0.1), steps=3)
    assert report.modulo_gauge > 1e-4 and report.argument in group.shapes and report.index is not None
    with pytest.raises(VerificationError, match="it should be at most"):
        report.assert_below(1e-10)


# --- Along training ----------------------------------------------------------------------------------------------------------

OPTIMIZERS = {
    "SGD": (lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9), "SGD", 1e-14, 1e-14),
    "Adam": (lambda p: torch.optim.Adam(p, lr=1e-3), "Adam", 1e-10, 1e-14),
    "AdamW": (lambda p: torch.optim.AdamW(p, lr=1e-3), "Adam", 1e-10, 1e-14),
    "RMSprop": (lambda p: torch.optim.RMSprop(p, lr=1e-3), "Adam", 1e-10, 5e-14),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_run_from_moved_weights_is_the_moved_run(name, stack):
    net, batches = stack
    optimizer, obeys, all_of_it, modulo_gauge = OPTIMIZERS[name]
    report = check_trajectory(net, parameter_group(net), batches, mse, optimizer, steps=100, obeys=obeys)
    assert list(report.after) == [1, 10, 100] and report.relative < all_of_it and report.modulo_gauge < modulo_gauge
    assert (
        max(report.after.values()) == report.relative and max(report.after_modulo_gauge.values()) == report.modulo_gauge
    )


def test_orthogonal_matrices_are_not_for_adam_nor_general_ones_for_gradients(stack):
    net, batches = stack
    group = parameter_group(net, io="permuted")
    adam, sgd = OPTIMIZERS["Adam"][0], OPTIMIZERS["SGD"][0]
    assert check_trajectory(net, group, batches, mse, adam, steps=5, obeys="SGD").modulo_gauge > 1e-3
    assert check_trajectory(net, group, batches, mse, sgd, steps=20, obeys="forward").modulo_gauge > 1e-3
    check_trajectory(net, group, batches, mse, adam, steps=5).assert_below(1e-14)


def test_gauge_drifts_in_float32_and_is_no_failure(stack):
    net, batches = stack
    net, batches = copy.deepcopy(net).float(), [(x.float(), y.float()) for x, y in batches]
    report = check_trajectory(net, parameter_group(net), batches, mse, OPTIMIZERS["Adam"][0], steps=20)
    assert report.relative > 3e-5 and report.modulo_gauge < 2e-6
    report.assert_below(2e-6)


def test_batch_norm_trains_and_buffers_move():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Tanh(), nn.Flatten(), nn.Linear(36, 2)).to(D)
    batches = [torch.randn(6, 1, 5, 5, dtype=D) for _ in range(2)]
    state = copy.deepcopy(net.state_dict())
    report = check_trajectory(
        net, parameter_group(net), batches, lambda y: (y**2).mean(), lambda p: torch.optim.SGD(p, lr=0.1), steps=11
    )
    assert list(report.after) == [1, 10, 11] and report.relative < 1e-13
    assert net.training and all(torch.equal(v, state[k]) for k, v in net.state_dict().items())


def normed(ends):
    first, second = ((nn.BatchNorm1d(2),) if ends else () for _ in range(2))
    return [
        (
            nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(36, 2), *first),
            ["0.bias[0:4]", "1.running_mean[0:4]"],
        ),
        (
            nn.Sequential(nn.Flatten(), nn.Linear(50, 8), nn.BatchNorm1d(8), nn.Tanh(), nn.Linear(8, 2), *second),
            ["1.bias[0:8]", "2.running_mean[0:8]"],
        ),
    ]


def test_biases_before_a_batch_norm_are_gauge_while_it_trains():
    torch.manual_seed(0)
    x, loss = torch.randn(6, 2, 5, 5), lambda y: (y**3).mean() + (y**2).mean()  # noqa: E731
    for ends in (True, False):
        for net, names in normed(ends):
            group = parameter_group(net, example_inputs=x)
            number = len(net) - 1
            if ends:  # nothing moves the outputs, and their biases have no gradient all the same
                names = [*names, f"{number - 1}.bias[0:2]", f"{number}.running_mean[0:2]"]
            assert [str(s) for s in group.gauge_of(net)] == names and group.gauge == ()
            report = check_trajectory(net, group, [x], loss, lambda p: torch.optim.Adam(p, lr=1e-3))
            assert report.relative > 1e-4 and report.modulo_gauge < 1e-6
            report.assert_below(1e-6)
            exact = copy.deepcopy(net).to(D)
            gradients = dict(
                zip(dict(net.named_parameters()), torch.autograd.grad(loss(exact(x.to(D))), list(exact.parameters())))
            )
            gauge = {s.name for s in group.gauge_of(net)}
            for name, gradient in gradients.items():
                assert (float(gradient.abs().max()) < 1e-14) == (name in gauge), name
            # In evaluation mode the running mean is a number like others: the bias has a gradient, and its run is
            # compared.
            assert group.gauge_of(net.eval()) == ()
            frozen = check_trajectory(net, group, [x], loss, lambda p: torch.optim.SGD(p, lr=1e-2), steps=10)
            assert frozen.modulo_gauge == frozen.relative < 1e-6


def test_which_norms_take_biases_away():
    conv = lambda: nn.Conv1d(2, 4, 3)  # noqa: E731
    for norm, always, training in (
        (nn.BatchNorm1d(4, track_running_stats=False), True, True),
        (nn.InstanceNorm1d(4), True, True),
        (nn.GroupNorm(4, 4), True, True),
        (nn.GroupNorm(2, 4), False, False),
        (nn.LayerNorm((4, 7)), False, False),
        (nn.BatchNorm1d(4), False, True),
        (nn.InstanceNorm1d(4, track_running_stats=True), False, True),
    ):
        net = nn.Sequential(conv(), norm, nn.Tanh(), nn.Flatten(), nn.Linear(28, 2)).to(D)
        x = torch.randn(3, 2, 9, dtype=D)
        group = parameter_group(net, example_inputs=x)
        for mode, expected in ((True, training), (False, always)):
            found = [s.name for s in group.gauge_of(net.train(mode))]
            (gradient,) = torch.autograd.grad((net(x) ** 3).sum(), net[0].bias)
            assert ("0.bias" in found) == expected == (float(gradient.abs().max()) < 1e-12), norm
        assert ("0.bias" in [s.name for s in group.gauge]) == always
    elsewhere = Function(lambda m, x: m.n(y := m.a(x)).relu() + y, a=nn.Linear(3, 4), n=nn.BatchNorm1d(4))
    twice = Function(lambda m, x: m.n(m.a(x)) * m.a(x), a=nn.Linear(3, 4), n=nn.BatchNorm1d(4))
    positions = nn.Sequential(
        nn.Linear(3, 4), nn.BatchNorm1d(5), nn.Flatten(), nn.Linear(20, 1)
    )  # the means of positions, over all features
    for net, shape in ((elsewhere, (6, 3)), (twice, (6, 3)), (positions, (6, 5, 3))):
        assert parameter_group(net, example_inputs=torch.zeros(shape)).gauge_of(net.train()) == ()


class Normed(nn.Module):
    """Running numbers whose use an argument decides."""

    def __init__(self, training):
        super().__init__()
        self.a, self.n, self.b, self.trains = nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2), training

    def forward(self, x):
        n = self.n
        y = F.batch_norm(self.a(x), n.running_mean, n.running_var, n.weight, n.bias, training=self.trains(self))
        return self.b(torch.tanh(y))


@pytest.mark.parametrize(
    "training, known",
    [
        (lambda m: True, True),
        (lambda m: False, True),
        (lambda m: m.n.training, True),
        (lambda m: m.training, False),
        (lambda m: not m.n.training, False),
        (lambda m: m.training and m.n.training, False),
        (lambda m: m.training or m.n.training, False),
        (lambda m: m.n.training != m.b.training, False),
    ],
)
def test_the_mode_that_an_argument_of_a_batch_norm_says(training, known):
    x = torch.randn(6, 3, dtype=D)
    for read_in in (True, False):
        net = Normed(training).to(D).train(read_in)
        group = parameter_group(net, example_inputs=x)
        assert [m.training for m in net.modules()] == [read_in] * 4
        for mode, part in ((True, True), (False, False), (True, False), (False, True)):
            net.train(mode).n.training = part
            (gradient,) = torch.autograd.grad((net(x) ** 3).sum(), net.a.bias)
            gone = float(gradient.abs().max()) < 1e-12
            assert [s.name for s in group.gauge_of(net)] == (["a.bias", "n.running_mean"] if gone and known else [])


def test_a_batch_norm_in_a_graph_that_depends_on_the_mode():
    def forward(m, x):
        y = m.a(x) + 0 if m.training else m.a(x)
        return m.b(torch.tanh(F.batch_norm(y, m.running_mean, m.running_var, None, None, m.training)))

    net = Function(forward, a=nn.Linear(3, 4), b=nn.Linear(4, 2))
    net.register_buffer("running_mean", torch.zeros(4))
    net.register_buffer("running_var", torch.ones(4))
    assert parameter_group(net, example_inputs=torch.zeros(6, 3)).gauge_of(net.train()) == ()


def test_the_number_and_its_place_belong_together(stack):
    net, batches = stack
    net, batches = copy.deepcopy(net).float(), [(x.float(), y.float()) for x, y in batches]
    report = check_trajectory(net, parameter_group(net), batches, mse, OPTIMIZERS["Adam"][0], steps=20)
    assert report.difference < 1e-2 * report.absolute and not report.argument.endswith("in_proj_bias")
    assert f"modulo gauge, {report.difference:.1e} at {report.argument}[" in str(report)
    plain = check_backward(
        mlp(nn.ReLU()), parameter_group(mlp(nn.Tanh())), torch.randn(8, 3, dtype=D), lambda y: (y**2).sum()
    )
    assert plain.difference > 1e-3 and plain.difference <= plain.absolute


# --- Bad input ---------------------------------------------------------------------------------------------------------------


def test_randomness_is_refused_unless_eval(stack):
    _, [(x, target), *_] = stack
    random = encoder(dropout=0.1).to(D)
    group = parameter_group(random)
    loss = lambda y: mse(y, target)  # noqa: E731
    for check in (
        lambda net: check_forward(net, S5, S5, x, axis=-2),
        lambda net: check_backward(net, group, x, loss),
        lambda net: check_trajectory(net, group, [x], loss, lambda p: torch.optim.SGD(p), steps=1),
    ):
        random.train()
        with pytest.raises(
            DomainError,
            match=r"layers\.0\.self_attn \(MultiheadAttention\) is random in training mode: call module.eval",
        ):
            check(random)
        check(random.eval()).assert_below(1e-13)
    hidden = Function(lambda m, x: nn.functional.dropout(m.a(x), 0.5), a=nn.Linear(16, 16)).to(D)
    with pytest.raises(DomainError, match="different outputs for the same input"):
        check_forward(hidden, S5, S5, x, axis=-2)
    before = torch.random.get_rng_state()
    check_forward(random, S5, S5, x, axis=-2)
    assert torch.equal(before, torch.random.get_rng_state())


def test_arguments(stack):
    net, [(x, target), *_] = stack
    group = parameter_group(net)
    V = Group("D5").rep("perm")
    with pytest.raises(DomainError, match="different groups"):
        check_forward(net, S5, V, x, axis=-2)
    with pytest.raises(DomainError, match=r"the input has the shape \[4, 5, 16\], and its dimension -1 should be 5"):
        check_forward(net, S5, S5, x)
    with pytest.raises(DomainError, match="the output has the shape"):
        check_forward(lambda x: x[..., :3], V, V, torch.randn(2, 5))
    with pytest.raises(DomainError, match="give x"):
        check_forward(net, S5, S5, axis=-2)
    with pytest.raises(DomainError, match="elements is"):
        check_forward(net, S5, S5, x, axis=-2, elements="some")
    with pytest.raises(DomainError, match="one tensor"):
        check_forward(lambda x: (x, x), V, V, torch.randn(2, 5))
    with pytest.raises(DomainError, match="gives dict"):
        check_forward(lambda x: {"y": x}, V, V, torch.randn(2, 5))
    other = encoder(1).to(D).eval()
    with pytest.raises(DomainError, match="another architecture than this module"):
        check_backward(other, group, x, lambda y: mse(y, target))
    with pytest.raises(DomainError, match="one number"):
        check_backward(net, group, x, lambda y: y)
    with pytest.raises(DomainError, match="elements is"):
        check_backward(net, group, x, lambda y: mse(y, target), elements=0)
    with pytest.raises(DomainError, match=r"the loss is called with the output: .*target"):
        check_backward(net, group, x, nn.functional.mse_loss)
    with pytest.raises(DomainError, match=r"the loss is called with the output: .*target"):
        check_trajectory(net, group, [x], nn.functional.mse_loss, torch.optim.SGD)
    with pytest.raises(DomainError, match=r"makes one, as two runs need two: lambda p: torch.optim.SGD\(p, lr=...\)"):
        check_trajectory(net, group, [(x, target)], mse, torch.optim.SGD(net.parameters(), lr=0.1))
    with pytest.raises(DomainError, match="LBFGS asks for the loss several times a step"):
        check_trajectory(net, group, [(x, target)], mse, torch.optim.LBFGS)
    with pytest.raises(DomainError, match="from parameters to an optimizer, and gave list"):
        check_trajectory(net, group, [(x, target)], mse, list)
    with pytest.raises(DomainError, match="candidates are groups and representations, not int"):
        largest_symmetry(net, [5], x, axis=-2)
    with pytest.raises(DomainError, match="no batches"):
        check_trajectory(net, group, [], mse, torch.optim.SGD)
    with pytest.raises(DomainError, match="steps is a positive integer"):
        check_trajectory(net, group, [(x, target)], mse, torch.optim.SGD, steps=0)


def test_batches_from_loaders_and_generators(stack):
    net, batches = stack
    group = parameter_group(net)
    sgd = OPTIMIZERS["SGD"][0]
    listed = check_trajectory(net, group, batches, mse, sgd, steps=4)
    xs, ys = (torch.cat(parts) for parts in zip(*batches))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(xs, ys), batch_size=4)
    for other in (loader, (batch for batch in batches), itertools.cycle(batches)):
        assert check_trajectory(net, group, other, mse, sgd, steps=4) == listed


def test_a_run_without_numbers_is_named():
    x, target = torch.randn(8, 3, dtype=D), torch.randn(8, 2, dtype=D)
    net, adam = mlp(nn.ReLU()), OPTIMIZERS["Adam"][0]
    with pytest.raises(
        DomainError, match="the run of the module itself has numbers that are not finite after step 1: "
    ):
        check_trajectory(net, parameter_group(net), [(x * math.nan, target)], mse, adam)
    half = mlp(nn.ReLU(), torch.float16)  # Adam's eps of 1e-8 is 0 there, and gradients of 0 are divided by it
    with pytest.raises(DomainError, match="in float16 give Adam eps=1e-4"):
        check_trajectory(half, parameter_group(half), [(x.half(), target.half())], mse, adam, steps=3)
    check_trajectory(
        half,
        parameter_group(half),
        [(x.half(), target.half())],
        mse,
        lambda p: torch.optim.Adam(p, lr=1e-3, eps=1e-4),
        steps=3,
    )


# --- Which symmetry ----------------------------------------------------------------------------------------------------------


def test_the_largest_symmetry_of_a_block(stack):
    net = stack[0]
    S4 = Group("S4")
    x = torch.randn(2, 4, 16, dtype=D)
    kinds = torch.tensor([0, 1, 0, 1])
    marked = lambda y: net(y + POSITIONS[kinds])  # noqa: E731
    assert [G.order for G in largest_symmetry(net, S4, x, axis=-2)] == [24]
    (found,) = largest_symmetry(marked, S4, x, axis=-2)
    assert found.order == 4 and found.orbits() == [[0, 2], [1, 3]]
    causal = lambda y: net(y, mask=CAUSAL[:4, :4])  # noqa: E731
    assert largest_symmetry(causal, S4, x, axis=-2)[0].order == 1
    D4, C4, V4 = Group("D4"), Group("C4"), Group(["(1,3)", "(2,4)"], 4)
    assert largest_symmetry(marked, [C4, V4, Group(["(1,3)"], 4), D4], x, axis=-2) == [V4]
    assert (
        largest_symmetry(net, [C4, V4, D4], x, axis=-2) == [D4] and largest_symmetry(causal, [C4, V4], x, axis=-2) == []
    )
    ring = torch.tensor([[abs(i - j) in (0, 1, 3) for j in range(4)] for i in range(4)])
    masked = lambda y: net(y, mask=~ring)  # noqa: E731
    assert largest_symmetry(masked, S4, x, axis=-2)[0].order == 8
    assert is_uniquely_equivariant(masked, D4, S4, x, axis=-2) and not is_uniquely_equivariant(
        masked, C4, S4, x, axis=-2
    )
    assert not is_uniquely_equivariant(causal, C4, S4, x, axis=-2)


def test_automorphisms_of_a_graph_as_candidates():
    networkx = pytest.importorskip("networkx")
    directed = networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    for graph, order in (
        (networkx.cycle_graph(5), 10),
        (networkx.complete_bipartite_graph(3, 2), 12),
        (networkx.path_graph(4), 2),
        (directed, 3),
    ):
        A = torch.tensor(networkx.to_numpy_array(graph))
        (found,) = largest_symmetry(lambda x: torch.tanh(x @ A.t()), graph, torch.randn(3, len(graph), dtype=D))
        assert found.order == order
    with pytest.raises(DomainError, match="a group, a list of groups or a graph"):
        largest_symmetry(torch.tanh, "S4", torch.randn(2, 4))


# --- Continuous groups ---

SO2, SO3, O2, O3 = Group("SO(2)"), Group("SO(3)"), Group("O(2)"), Group("O(3)")
ABOUT_Z = SO2.rep("vector + trivial")
CUBE = Group("B3").rep("coordinates")
Z = torch.tensor([0.0, 0.0, 1.0], dtype=D)
MINKOWSKI = torch.tensor([-1.0, 1.0, 1.0, 1.0], dtype=D)

FUNCTIONS = {
    "radial": lambda x: x * x.norm(dim=-1, keepdim=True).tanh(),
    "turning about z": lambda x: torch.linalg.cross(x, Z.expand_as(x)),
    "stretching along z": lambda x: x * (1 + Z),
    "by coordinates": torch.tanh,
    "by one coordinate": lambda x: x * torch.tensor([2.0, 3.0, 5.0], dtype=D),
    "to a fixed vector": lambda x: x + torch.tensor([0.3, 0.2, 0.1], dtype=D),
}


@pytest.mark.parametrize(
    "name, found",
    [
        ("radial", [O3]),
        ("turning about z", [ABOUT_Z]),
        ("stretching along z", [O2.rep("vector + trivial")]),
        ("by coordinates", [CUBE]),
        ("by one coordinate", [Group(["()"], 3)]),
        ("to a fixed vector", [Group(["()"], 3)]),
    ],
)
def test_the_largest_of_continuous_and_finite_groups(name, found):
    """By heart: a radial function has all of O(3), the cross product with z the turns about z but no mirror."""
    x = torch.randn(5, 3, dtype=D, generator=torch.Generator().manual_seed(0))
    candidates = [Group(["()"], 3), Group("S3"), ABOUT_Z, SO3, CUBE, O2.rep("vector + trivial"), O3]
    for order in (candidates, candidates[::-1]):
        assert largest_symmetry(FUNCTIONS[name], order, x) == found
    assert is_uniquely_equivariant(FUNCTIONS[name], found[0], candidates, x)
    if name == "radial":
        assert not is_uniquely_equivariant(FUNCTIONS[name], SO3, candidates, x)
        # The mirror of O(3) is no matrix of SO(3); turns about z are.
        assert is_uniquely_equivariant(FUNCTIONS[name], SO3, [ABOUT_Z, SO3], x)


def test_groups_that_are_not_compact_or_complex():
    x = torch.randn(5, 4, dtype=D, generator=torch.Generator().manual_seed(0))
    invariant = lambda x: x * (x * x * MINKOWSKI).sum(-1, keepdim=True)  # noqa: E731
    lorentz, proper = Group("O(1,3)"), Group("SO+(1,3)")
    assert largest_symmetry(invariant, [proper, lorentz, Group("O(4)")], x) == [lorentz]
    assert largest_symmetry(FUNCTIONS["radial"], [proper, lorentz, Group("O(4)")], x) == [Group("O(4)")]
    plane = torch.randn(5, 2, dtype=D, generator=torch.Generator().manual_seed(0))
    turned = lambda x: torch.stack([x[..., 1], -x[..., 0]], -1) * x.norm(dim=-1, keepdim=True)  # noqa: E731
    assert largest_symmetry(turned, [Group("U(1)"), O2, SO2], plane) == [Group("U(1)")]  # U(1) and SO(2) are one here
    report = check_forward(turned, O2.rep("vector"), O2.rep("vector"), plane)
    assert report.relative > 0.1 and "reflection" in str(report)
    g = O2.random_element(1)
    assert check_forward(torch.sin, O2.rep("vector"), O2.rep("vector"), plane, elements=[g]).element == g


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda x: largest_symmetry(torch.tanh, SO3, x),
            r"infinitely many subgroups: give a list .*\[Group\('SO\(3\)'\)",
        ),
        (lambda x: largest_symmetry(torch.tanh, SO3.rep("vector"), x), r"not one representation: write \["),
        (lambda x: largest_symmetry(torch.tanh, [SO3, "O(3)"], x), "groups and representations, not str"),
        (lambda x: largest_symmetry(torch.tanh, [SO3 * SO2], x), "has no matrices of its own: give a representation"),
        (lambda x: largest_symmetry(torch.tanh, [Group("E8")], x), "has no matrices of its own"),
        (lambda x: largest_symmetry(torch.tanh, [O2], x), "should be 2, that of vector"),
        (
            lambda x: check_forward(torch.tanh, SO3.rep("vector"), SO3.rep("vector"), x, elements="all"),
            "infinitely many",
        ),
        (
            lambda x: check_forward(
                torch.tanh, SO3.rep("vector"), SO3.rep("vector"), x, elements=[O2.random_element(0)]
            ),
            "the element is one of O",
        ),
        (
            lambda x: largest_symmetry(
                lambda x: x, [SO3.rep("harmonic(2)"), SO2.rep("2*vector + trivial")], torch.randn(2, 5, dtype=D)
            ),
            r"matrices of harmonic\(2\) have other transposes",
        ),
    ],
)
def test_questions_about_continuous_groups_that_are_refused(call, words):
    with pytest.raises(DomainError, match=words):
        call(torch.randn(2, 3, dtype=D))
