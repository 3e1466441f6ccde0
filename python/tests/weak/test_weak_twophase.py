"""Two phases: where they start, that phase I stays equivariant and phase II in its subspace, and that runs side by side
are what they are alone."""

import concurrent.futures
import functools
import pickle

import pytest
from networks_for_weak_tests import mlp, rep, torch

# isort: split
from intertwine import DomainError
from intertwine.nn import check_equivariance
from intertwine.weak import EquivariantSpace, Subspace, TwoPhase, symmetrize

LAYERS = [rep("D4", "perm"), rep("D4", "regular"), rep("D4", "trivial")]


def data(seed=0, n=40):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 8, generator=g, dtype=torch.float64)
    return x, (x.square().sum(1) * 0.4).long().clamp(max=2)


def make():
    return mlp(8, 16, 3)


def test_phase_one_is_equivariant_and_phase_two_need_not_be():
    x, y = data()
    net = make()
    record = TwoPhase(net, LAYERS, phase1=30, phase2="full", steps=20).fit(x, y, test=data(1))
    assert record.loss.shape == (51, 1) and record.phase1 == 30 and record.at == [0, 10, 20, 30, 40, 50]
    assert float(record.error[:4].max()) < 1e-12 and float(record.error[-1]) > 1e-2
    assert float(record.loss[30]) < float(record.loss[0]) and float(record.loss[-1]) < float(record.loss[30])
    assert record.accuracy.shape == (6, 1) and float(record.accuracy[-1]) > 0.4
    with torch.no_grad():
        torch.testing.assert_close(
            torch.nn.functional.cross_entropy(net(x), y), record.loss[-1, 0]
        )  # trained where it is


def test_the_start_is_the_symmetrized_initialisation_with_its_variance():
    net = make()
    W = net[0].weight.detach().clone()
    V, U = LAYERS[:2]
    record = TwoPhase(net, LAYERS, phase1=0, phase2=None).fit(*data())
    dimension = 2 * 2 * (V >> U).dimension  # two channels on both sides
    torch.testing.assert_close(net[0].weight.detach(), symmetrize(W, V, U) * (W.numel() / dimension) ** 0.5)
    assert record.loss.shape == (1, 1) and float(record.error[0]) < 1e-14


def test_only_phase_one_gives_an_equivariant_network():
    net = make()
    TwoPhase(net, LAYERS, phase1=25, phase2=None).fit(*data())
    assert check_equivariance(lambda x: net(x.flatten(1)).unsqueeze(-1), LAYERS[0], LAYERS[2], in_channels=2)


def test_phase_two_stays_in_its_subspace():
    x, y = data()
    D = EquivariantSpace(make(), LAYERS).D
    subspace = Subspace.random(D, 9, 3)
    record = TwoPhase(make(), LAYERS, phase1=10, phase2=subspace, steps=15).fit(x, y, keep_trajectory=True)
    moves = record.trajectory[11:, 0] - record.trajectory[10, 0]
    torch.testing.assert_close(subspace.lift(subspace.lower(moves)), moves)
    assert float(moves[-1].norm()) > 0.01 and float(record.loss[-1]) < float(record.loss[10])
    origin = torch.randn(D, dtype=torch.float64)
    elsewhere = TwoPhase(make(), phase2=subspace.through(origin), steps=5).fit(x, y, keep_trajectory=True).trajectory
    torch.testing.assert_close(elsewhere[0, 0], origin)


def test_inside_the_equivariant_weights_phase_two_is_equivariant():
    space = EquivariantSpace(make(), LAYERS)
    record = TwoPhase(make(), LAYERS, phase2=Subspace.random(space.D, 8, inside=space), steps=15).fit(*data())
    assert float(record.error.max()) < 1e-12 and float(record.loss[-1]) < float(record.loss[0])


@pytest.mark.parametrize(
    "optimizer", [torch.optim.Adam, functools.partial(torch.optim.SGD, momentum=0.9), torch.optim.RMSprop]
)
def test_runs_side_by_side_are_what_they_are_alone(optimizer):
    how = TwoPhase(
        make,
        LAYERS,
        phase1=6,
        phase2=lambda seed: Subspace.random(195, 7, seed, structured=seed == 2),
        steps=6,
        optimizer=optimizer,
    )
    sets = [data(seed) for seed in range(3)]
    x, y = map(list, zip(*sets))
    together = how.fit(x, y, seeds=[4, 1, 2], test=(x, y))
    for k, seed in enumerate((4, 1, 2)):
        alone = how.fit(x[k], y[k], seeds=[seed], test=(x[k], y[k]))
        torch.testing.assert_close(together.weights[k], alone.weights[0])
        torch.testing.assert_close(together.loss[:, k], alone.loss[:, 0])
        torch.testing.assert_close(together.accuracy[:, k], alone.accuracy[:, 0])
    assert not torch.allclose(together.weights[0], together.weights[1])


def test_an_executor_trains_parts_of_the_seeds():
    x, y = data()
    how = TwoPhase(
        make, LAYERS, phase1=4, phase2=functools.partial(subspace_of, EquivariantSpace(make(), LAYERS).D), steps=6
    )
    xs = [x + 0.1 * k for k in range(5)]
    arguments = {"test": data(1), "seeds": range(5), "every": 3, "keep_trajectory": True}
    together = how.fit(xs, y, **arguments)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        apart = how.fit(xs, y, **arguments, executor=threads, batch=2)
        for name in ("loss", "error", "accuracy", "weights", "trajectory"):
            torch.testing.assert_close(getattr(apart, name), getattr(together, name), rtol=1e-10, atol=1e-12)
        assert apart.at == together.at and apart.phase1 == 4
        with pytest.raises(DomainError, match="takes a function that makes the module"):
            TwoPhase(make(), LAYERS).fit(x, y, executor=threads)
        with pytest.raises(DomainError, match="batch is a positive number"):
            how.fit(x, y, seeds=[0], executor=threads, batch=-1)
    assert pickle.loads(pickle.dumps(how)).fit(x, y, seeds=[3]).loss.equal(how.fit(x, y, seeds=[3]).loss)


def subspace_of(D, seed):
    return Subspace.random(D, 5, seed)


def test_full_training_is_that_of_pytorch():
    x, y = data()
    net, plain = make(), make()
    plain.load_state_dict(net.state_dict())
    TwoPhase(net, phase2="full", steps=12, lr=0.02).fit(x, y)
    optimizer = torch.optim.Adam(plain.parameters(), lr=0.02)
    for _ in range(12):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(plain(x), y).backward()
        optimizer.step()
    for a, b in zip(net.parameters(), plain.parameters()):
        torch.testing.assert_close(a, b)


def test_phase_one_is_the_training_of_equivariant_layers():
    """theta by Adam is what intertwine.nn.Linear learns from the same start."""
    from intertwine.nn import Linear

    V, U = LAYERS[0], LAYERS[1]
    x = torch.randn(20, 8, dtype=torch.float64)
    target = torch.randn(20, 16, dtype=torch.float64)
    net = torch.nn.Linear(8, 16, dtype=torch.float64)
    space = EquivariantSpace(net, {"": (V, U)})
    layer = Linear(V, U, 2, 2, dtype=torch.float64)
    theta = space.start(space.flat.vector(net))
    with torch.no_grad():
        layer.theta.copy_(theta[: layer.theta.numel()].view_as(layer.theta))
        layer.bias.copy_(theta[layer.theta.numel() :].view_as(layer.bias))
    TwoPhase(net, {"": (V, U)}, phase1=8, phase2=None, loss=torch.nn.functional.mse_loss).fit(x, target)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01)
    for _ in range(8):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(layer(x.unflatten(1, (2, 4))).flatten(1), target).backward()
        optimizer.step()
    torch.testing.assert_close(net.weight, layer.weight())


def test_random_numbers_of_others_are_left_alone():
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    TwoPhase(make, phase2="full", steps=1).fit(*data(), seeds=[1, 2])
    assert torch.equal(torch.rand(1), expected)


@pytest.mark.parametrize("keywords, text", [
    ({"phase1": -1}, "phase1 is a number of steps"), ({"steps": 1.5}, "steps is a number"), ({"phase2": 3}, "phase2 is"),
    ({"optimizer": torch.optim.LBFGS}, "not LBFGS, which asks for the loss"), ({"optimizer": torch.optim.SGD([torch.zeros(1)])}, "not a SGD that has its parameters"), ({"lr": 0}, "lr is"), ({"lr": (1, 2, 3)}, "lr is"),
])  # fmt: skip
def test_bad_phases(keywords, text):
    with pytest.raises(DomainError, match=text):
        TwoPhase(make(), **keywords)


def test_what_is_frozen_stays_and_is_shared():
    net = make()
    net[0].weight.requires_grad_(False)
    before = net[0].weight.clone()
    record = TwoPhase(net, phase2="full", steps=5).fit(*data())
    assert torch.equal(net[0].weight, before) and record.weights.shape[1] == 195 - 128
    with pytest.raises(DomainError, match="layer 0 has no weight of its own"):
        TwoPhase(net, LAYERS).fit(*data())

    def frozen():
        made = make()
        made[0].weight.requires_grad_(False)
        return made

    with pytest.raises(DomainError, match="0.weight is not trained and differs"):
        TwoPhase(frozen).fit(*data(), seeds=[1, 2])


def test_dtypes_that_differ():
    net = make()
    net[2].float()
    with pytest.raises(DomainError, match="one real floating-point dtype"):
        TwoPhase(net).fit(*data())


def test_seeds_and_rates_as_numbers_and_lists():
    x, y = data()
    many, how = (TwoPhase(make, phase1=2, steps=2, lr=lr) for lr in ((0.1, 0.2), [0.1, 0.2]))
    assert torch.equal(many.fit(x, y, seeds=3).loss, how.fit(x, y, seeds=range(3)).loss)
    with pytest.raises(DomainError, match="at least one seed"):
        how.fit(x, y, seeds=0)


def test_bad_fits():
    x, y = data()
    with pytest.raises(DomainError, match="seeds need a function"):
        TwoPhase(make()).fit(x, y, seeds=[1, 2])
    with pytest.raises(DomainError, match="list of 2"):
        TwoPhase(make).fit([x], y, seeds=[1, 2])
    with pytest.raises(DomainError, match="lies in 5 dimensions, and the module has 195"):
        TwoPhase(make, phase2=Subspace.random(5, 2)).fit(x, y)
    with pytest.raises(DomainError, match="one D and one d"):
        TwoPhase(make, phase2=lambda seed: Subspace.random(195, seed)).fit(x, y, seeds=[1, 2])
    with pytest.raises(DomainError, match="gives a Subspace"):
        TwoPhase(make, phase2=lambda seed: None).fit(x, y)
    with pytest.raises(DomainError, match="one number"):
        TwoPhase(make, loss=functools.partial(torch.nn.functional.cross_entropy, reduction="none"), steps=1).fit(x, y)
    with pytest.raises(DomainError, match="the loss is nan before the first step"):
        TwoPhase(make, steps=3).fit(torch.full_like(x, torch.nan), y)
    with pytest.raises(DomainError, match="at least one seed"):
        TwoPhase(make).fit(x, y, seeds=[])
    with pytest.raises(DomainError, match="gave a int"):
        TwoPhase(lambda: 3).fit(x, y)
    net = make().append(torch.nn.Dropout())
    with pytest.raises(DomainError, match="Dropout"):
        TwoPhase(net).fit(x, y)
