"""Random, structured, mixed, burned-in, lottery and pruned subspaces: orthonormal, where they should be, and refused
where they cannot be."""

import resource

import pytest
from networks_for_weak_tests import cases, mlp, torch

# isort: split
from intertwine import DomainError, LimitError
from intertwine.weak import EquivariantSpace, Subspace, TwoPhase


def assert_isometry(s):
    A = s.matrix()
    assert A.shape == (s.D, s.d)
    torch.testing.assert_close(A.t() @ A, torch.eye(s.d, dtype=torch.float64), atol=1e-12, rtol=0)
    theta, w = torch.randn(3, s.d, dtype=torch.float64), torch.randn(3, s.D, dtype=torch.float64)
    torch.testing.assert_close(s.lift(theta), theta @ A.t())
    torch.testing.assert_close(s.lower(w), w @ A)


@pytest.mark.parametrize("structured", [False, True])
@pytest.mark.parametrize("D, d", [(1, 1), (7, 3), (64, 64), (100, 37), (255, 20), (129, 128)])
def test_columns_are_orthonormal(D, d, structured):
    s = Subspace.random(D, d, 5, structured=structured)
    assert_isometry(s)
    assert (
        torch.equal(s.matrix(), Subspace.random(D, d, 5, structured=structured).matrix())
        and s.is_structured == structured
    )
    if d < D:
        assert not torch.equal(s.matrix(), Subspace.random(D, d, 6, structured=structured).matrix())


@pytest.mark.parametrize("structured", [False, True])
@pytest.mark.parametrize("name", ["codes", "both", "orthogonal"])
def test_inside_and_partly_inside_the_equivariant_weights(name, structured):
    module, layers = cases()[name]
    space = EquivariantSpace(module, layers)
    d = space.dimension // 2
    inside = Subspace.random(space.D, d, 1, inside=space, structured=structured)
    assert_isometry(inside)
    assert float(space.error(inside.lift(torch.randn(4, d, dtype=torch.float64))).max()) < 1e-13
    mixed = Subspace.random(space.D, d, 1, inside=space, fraction=0.5, structured=structured)
    assert_isometry(mixed)
    A = mixed.matrix().t()
    n = round(d / 2)
    assert float(space.error(A[:n]).max()) < 1e-13
    P = space.lower(A[n:])[:, : space.dimension]
    assert float(P.abs().max()) < 1e-13
    across = Subspace.random(space.D, 3, 1, inside=space, fraction=0.0, structured=structured)
    assert float(space.lower(across.matrix().t())[:, : space.dimension].abs().max()) < 1e-13


def test_inside_a_basis_or_another_subspace():
    basis = torch.randn(30, 8, dtype=torch.float64)
    Q = torch.linalg.qr(basis)[0]
    for inside in (basis, Subspace.of(basis)):
        s = Subspace.random(30, 6, 0, inside=inside, fraction=0.5)
        assert_isometry(s)
        shares = (Q.t() @ s.matrix()).norm(dim=0)
        torch.testing.assert_close(shares, torch.tensor([1.0] * 3 + [0.0] * 3, dtype=torch.float64), atol=1e-12, rtol=0)
        assert_isometry(Subspace.random(30, 5, 0, inside=inside, structured=True))


def test_random_directions_are_uniform():
    """|A^T u|^2 has the mean d/D and the variance of Beta(d/2, (D-d)/2), for a fixed u; Hadamard columns nearly so for a u that is spread out."""
    D, d, n = 40, 10, 400
    u = torch.nn.functional.normalize(torch.arange(1.0, D + 1, dtype=torch.float64), dim=0)
    variance = 2 * d * (D - d) / (D * D * (D + 2))
    for structured in (False, True):
        shares = torch.stack(
            [Subspace.random(D, d, seed, structured=structured).lower(u).square().sum() for seed in range(n)]
        )
        assert abs(float(shares.mean()) - d / D) < 4 * (variance / n) ** 0.5
        assert 0.7 < float(shares.var()) / variance < 1.4


def test_many_weights_take_no_matrix():
    D, d = 300_000, 5000
    s = Subspace.random(D, d, 0, max_memory=1 << 26)
    assert s.is_structured
    theta = torch.randn(d, dtype=torch.float64, requires_grad=True)
    w = s.lift(theta)
    assert float(w.detach().norm()) == pytest.approx(float(theta.detach().norm()), rel=1e-12)
    torch.testing.assert_close(s.lower(w), theta)
    (gradient,) = torch.autograd.grad(w.square().sum(), theta)
    torch.testing.assert_close(gradient, 2 * theta)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < 8 * D * d / 4  # the matrix would be 12 GB
    assert float(w.detach().abs().max()) < 8 * float(theta.detach().norm()) / D**0.5  # spread over all weights
    with pytest.raises(LimitError, match="max_memory"):
        s.matrix(max_memory=1 << 26)
    with pytest.raises(LimitError, match="max_memory"):
        Subspace.random(D, d, structured=False, max_memory=1 << 26)
    assert (
        Subspace.random(2000, 1500, max_memory=1 << 20).is_structured
        and not Subspace.random(2000, 10, max_memory=1 << 20).is_structured
    )


def test_many_equivariant_weights():
    from intertwine import Group

    module = torch.nn.Linear(2048, 100, dtype=torch.float64)
    C4 = Group("C4")
    space = EquivariantSpace(module, {"": (C4.rep("regular"), C4.rep("regular"))})
    s = Subspace.random(space.D, 3000, 0, inside=space, fraction=0.5)
    assert s.is_structured and space.D > 200_000
    theta = torch.randn(3000, dtype=torch.float64)
    w = s.lift(theta)
    torch.testing.assert_close(s.lower(w), theta)
    theta[1500:] = 0
    assert float(space.error(s.lift(theta))) < 1e-13 < 1e-2 < float(space.error(w))


def test_burn_in_goes_through_a_point_of_the_trajectory():
    trajectory = torch.randn(6, 20)
    s = Subspace.burn_in(trajectory, 4, 3, step=2)
    assert torch.equal(s.origin, trajectory[2]) and torch.equal(s.matrix(), Subspace.random(20, 4, 3).matrix())
    assert torch.equal(Subspace.burn_in(trajectory, 4).origin, trajectory[-1])
    with pytest.raises(DomainError, match="no number 6"):
        Subspace.burn_in(trajectory, 4, step=6)
    named = Subspace.burn_in(trajectory=trajectory, d=4, seed=3)
    assert torch.equal(named.origin, trajectory[-1]) and torch.equal(named.matrix(), s.matrix())
    with pytest.raises(DomainError, match="a trajectory is what training went through"):
        Subspace.burn_in(trajectory=mlp(4, 5, 3), d=4)


def test_burn_in_of_a_module():
    """Through the weights that TwoPhase ends with after these steps; the module given is left alone."""
    x, y = torch.randn(20, 4, dtype=torch.float64), torch.randint(0, 3, (20,))
    net = mlp(4, 5, 3)
    before = {name: p.clone() for name, p in net.state_dict().items()}
    s = Subspace.burn_in(net, 6, d=4, x=x, y=y, seed=3)
    assert all(torch.equal(p, before[name]) for name, p in net.state_dict().items())
    named = Subspace.burn_in(module=net, steps=6, d=4, x=x, y=y, seed=3)
    assert torch.equal(named.origin, s.origin) and torch.equal(named.matrix(), s.matrix())
    record = TwoPhase(net, phase1=6, phase2=None).fit(x, y)
    assert (
        s.d == 4
        and torch.equal(s.origin, record.weights[0])
        and torch.equal(s.matrix(), Subspace.random(s.D, 4, 3).matrix())
    )
    settings = {"lr": 0.3, "optimizer": torch.optim.SGD}
    made = Subspace.burn_in(lambda: mlp(4, 5, 3), 6, d=4, x=x, y=y, seed=2, training=settings, structured=True)
    again = TwoPhase(lambda: mlp(4, 5, 3), **settings, phase1=6, phase2=None).fit(x, y, seeds=[2])
    assert made.is_structured and torch.equal(made.origin, again.weights[0])
    assert not torch.equal(made.origin, Subspace.burn_in(lambda: mlp(4, 5, 3), 0, d=4, x=x, y=y, seed=2).origin)
    for key in ("module", "phase1", "phase2"):
        with pytest.raises(DomainError, match=f"training has '{key}', which burn_in says itself"):
            Subspace.burn_in(net, 6, d=4, x=x, y=y, training={"lr": 0.1, key: 5})
    with pytest.raises(TypeError, match="'d', 'x', and 'y'"):
        Subspace.burn_in(net, 6)
    with pytest.raises(DomainError, match="steps is an integer of at least 0"):
        Subspace.burn_in(net, -1, d=4, x=x, y=y)
    with pytest.raises(DomainError, match="does not fit"):
        Subspace.burn_in(net, 1, d=400, x=x, y=y)


def test_lottery_has_the_directions_in_which_the_trajectory_went():
    directions = torch.linalg.qr(torch.randn(30, 3, dtype=torch.float64))[0]
    start = torch.randn(30, dtype=torch.float64)
    steps = (
        torch.linspace(0, 1, 9, dtype=torch.float64)[:, None]
        * torch.tensor([9.0, 3.0, 1.0], dtype=torch.float64)
        * torch.linspace(0, 9, 9, dtype=torch.float64)[:, None].cos().abs() ** torch.arange(3)
    )
    trajectory = start + steps @ directions.t()
    s = Subspace.lottery(trajectory, 3)
    assert_isometry(s)
    assert torch.equal(s.origin, start)
    end = trajectory[-1] - start
    torch.testing.assert_close(s.lift(s.lower(end)), end)
    # Two directions have the greatest share of the squared distances that two can have.
    two = Subspace.lottery(trajectory, 2)
    sizes = torch.linalg.svdvals(trajectory - start)
    assert float(two.lower(trajectory - start).square().sum()) == pytest.approx(
        float(sizes[:2].square().sum()), rel=1e-10
    )
    with pytest.raises(DomainError, match="fewer than d = 4"):
        Subspace.lottery(trajectory, 4)
    with pytest.raises(DomainError, match="at most 8"):
        Subspace.lottery(trajectory, 9)


def test_after_pruning_the_largest_weights_are_left():
    net = mlp(4, 3, bias=False)
    w = net[0].weight.detach().reshape(-1)
    s = Subspace.after_pruning(net, 0.25)
    assert s.d == 3 and s.D == 12
    assert_isometry(s)
    kept = w.abs() >= w.abs().sort().values[-3]
    assert torch.equal(s.origin, w * kept)
    inside = Subspace.random(12, 2, inside=s)
    assert torch.equal(inside.origin, s.origin) and bool((inside.matrix()[~kept] == 0).all())
    mixed = Subspace.random(12, 4, inside=s, fraction=0.5)
    assert_isometry(mixed)
    assert bool((mixed.matrix()[~kept][:, :2] == 0).all()) and bool((mixed.matrix()[kept][:, 2:] == 0).all())
    for keep in (0, 1.5, -1, True, "a"):
        with pytest.raises(DomainError, match="share of weights"):
            Subspace.after_pruning(net, keep)


@pytest.mark.parametrize("arguments, keywords, text", [
    ((4, 5), {}, "does not fit"), ((4, 0), {}, "at least 1"), ((4, 2.0), {}, "an integer"), ((0, 1), {}, "at least 1"), ((True, 1), {}, "an integer"),
    ((4, 2), {"fraction": 0.5}, "needs inside"), ((4, 2), {"inside": torch.eye(4)[:, :2], "fraction": 2}, "from 0 to 1"),
    ((4, 3), {"inside": torch.eye(4)[:, :2]}, "do not exist"), ((5, 2), {"inside": torch.eye(4)[:, :2]}, "not in D = 5"),
    ((4, 1), {"inside": torch.ones(4, 2)}, "not independent"), ((4, 1), {"inside": torch.ones(4)}, "a basis"), ((4, 1), {"inside": "W"}, "a basis"),
])  # fmt: skip
def test_what_is_no_subspace(arguments, keywords, text):
    with pytest.raises(DomainError, match=text) as caught:
        Subspace.random(*arguments, **keywords)
    assert "\n" not in str(caught.value)


def test_sizes_are_checked():
    s = Subspace.random(6, 2)
    for call in (lambda: s.lift(torch.zeros(3)), lambda: s.lower(torch.zeros(2)), lambda: s.through(torch.zeros(5)), lambda: Subspace.of(torch.ones(3, 2)),
                 lambda: Subspace.of(torch.full((3, 1), torch.nan)), lambda: Subspace.of(torch.eye(2)[:, :0]), lambda: Subspace.lottery(torch.zeros(1, 3), 1)):  # fmt: skip
        with pytest.raises(DomainError):
            call()
    for make in (Subspace.lottery, Subspace.burn_in):
        with pytest.raises(DomainError, match=r"not of shape \[11, 1, 38\]: that of one seed is trajectory\[:, 0\]"):
            make(torch.zeros(11, 1, 38), 3)
    for seed in (1.5, True, 1 << 63, -(1 << 63) - 1):
        with pytest.raises(DomainError, match="seed is an integer"):
            Subspace.random(6, 2, seed)
    with pytest.raises(DomainError, match=r"a trajectory is what training went through: .*keep_trajectory=True"):
        Subspace.lottery(torch.nn.Linear(2, 3), 10)
