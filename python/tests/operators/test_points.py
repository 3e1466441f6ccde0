"""Attention of continuous groups on clouds of points: which motions it commutes with, which it must not, and that its
operator is its layer."""

import copy

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, Group  # noqa: E402
from intertwine.nn import MultiheadAttention, TransformerBlock  # noqa: E402
from intertwine.nn.attention import Location  # noqa: E402
from intertwine.operators import LieAttention, PointAttention  # noqa: E402

D = torch.float64
GROUPS = [f"{kind}({n})" for n in (2, 3) for kind in ("SO", "O", "SE", "E")]
PLAIN = Group("C1").rep("trivial")


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def field(group, V):
    """A representation of the rotations of the group, or plain numbers."""
    return PLAIN if V is None else Group(group.replace("SE", "SO").replace("E", "O").replace("SOO", "SO")).rep(V)


def motion(group, V):
    """A random element: its matrix, its translation, rho_V of it; mirrors in O(n) and E(n)."""
    n = int(group[-2])
    space = field(group, "vector")
    parts = list(
        zip(
            space.generator_matrices(),
            space.group.generator_names,
            V.generator_matrices() if V is not PLAIN else space.generator_matrices(),
        )
    )
    as_tensor = lambda m: torch.tensor([[float(x) for x in row] for row in m.tolist()], dtype=D)  # noqa: E731
    c = torch.randn(len(parts), dtype=D)
    A, rho = (
        torch.linalg.matrix_exp(sum(t * as_tensor(part[k]) for t, part in zip(c, parts) if "Lie" in part[1]))
        for k in (0, 2)
    )
    for part in parts:
        if "component" in part[1]:
            A, rho = as_tensor(part[0]) @ A, as_tensor(part[2]) @ rho
    return A, 3 * torch.randn(n, dtype=D) * ("E" in group), torch.eye(1, dtype=D) if V is PLAIN else rho


def cloud(encoding, batch=2, tokens=6):
    """Positions of the shape that it takes: points, or elements by their matrices."""
    n = encoding.n
    points = torch.randn(batch, tokens, n, 1, dtype=D)
    if not encoding.lifted:
        return points[..., 0]
    frames = torch.linalg.qr(torch.randn(batch, tokens, n, n, dtype=D))[0]
    frames[..., 0] *= frames.det().sign()[..., None]
    return torch.cat((frames, points), -1) if encoding.motions else frames


def moved(positions, A, t, lifted):
    if not lifted:
        return positions @ A.T + t
    found = A @ positions
    return torch.cat((found[..., : len(t)], found[..., len(t) :] + t[:, None]), -1)


def randomised(layer):
    for p in layer.parameters():
        torch.nn.init.normal_(p, std=0.5)
    return layer


def defect(f, x, positions, g, lifted):
    """The largest relative difference of f(g x) and g f(x), and of the gradients in x."""
    A, t, rho = g
    found, gradients = [], []
    cotangent = torch.randn(f(x, positions).shape, dtype=D)
    for there in (False, True):
        at = (x @ rho.T if there else x).requires_grad_()
        y = f(at, moved(positions, A, t, lifted) if there else positions)
        found.append(y if there else y @ rho.T)
        (dx,) = torch.autograd.grad(y, at, cotangent if there else cotangent @ rho)
        gradients.append(dx if not there else dx @ rho)
    return max(((a - b).abs().max() / b.abs().max()).item() for a, b in (found, gradients))


@pytest.mark.parametrize("radius", [None, 2.5])
@pytest.mark.parametrize("V", [None, "trivial + vector"])
@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize("group", GROUPS)
def test_motions_of_clouds(group, lifted, V, radius):
    V = field(group, V)
    operator = randomised(PointAttention(group, V, 4, 2, lifted=lifted, radius=radius, dtype=D))
    encoding = operator.native.encoding
    x, positions = torch.randn(2, 6, 4, V.dimension, dtype=D), cloud(encoding)
    torch.testing.assert_close(operator(x, positions), operator.on_native(x, positions), rtol=1e-12, atol=1e-12)
    for _ in range(3):
        assert defect(operator.native, x, positions, motion(group, V), lifted) < 1e-12
    order = torch.randperm(6)
    torch.testing.assert_close(operator(x[:, order], positions[:, order]), operator(x, positions)[:, order])
    # What the group has not is noticed: translations, and mirrors of the plane; and positions at all.
    A, t, rho = motion(group, V)
    noticed = [] if lifted or encoding.motions else [(A, t + 1, rho)]
    if group == "SO(2)" and not lifted and V is PLAIN:
        noticed.append((torch.diag(torch.tensor([-1.0, 1.0], dtype=D)) @ A, t, rho))
    assert all(defect(operator.native, x, positions, wrong, lifted) > 1e-2 for wrong in noticed)
    assert (operator(x, positions) - operator(x, cloud(encoding))).abs().max() > 1e-2


@pytest.mark.parametrize("lifted", [False, True])
@pytest.mark.parametrize("group", GROUPS)
def test_invariants_tell_orbits_of_pairs_apart(group, lifted):
    """They are the same for pairs that a motion takes to each other, and for a mirrored pair if and only if the group
    has a motion that does."""
    encoding = Location(group, 1, lifted=lifted, dtype=D)
    positions = cloud(encoding, 1, 2)
    A, t, _ = motion(group, PLAIN)
    found = encoding.invariants(positions)
    torch.testing.assert_close(encoding.invariants(moved(positions, A, t, lifted)), found, rtol=1e-13, atol=1e-13)
    if not lifted:
        flip = torch.diag(torch.tensor([-1.0] + [1.0] * (encoding.n - 1), dtype=D))
        assert torch.allclose(encoding.invariants(positions @ flip), found) == (group != "SO(2)")
    else:  # the second frame turned by a right factor is another pair
        other = positions.clone()
        other[:, 1, :, : encoding.n] = other[:, 1, :, : encoding.n] @ A
        assert (encoding.invariants(other) - found).abs().max() > 1e-2


@pytest.mark.parametrize("wrong", ["points", "absolute"])
def test_wrong_locations_are_rejected(wrong):
    """Differences that are not turned back by the frame, and points themselves."""
    layer = randomised(PointAttention("SE(3)", PLAIN, 4, 2, dtype=D)).native
    positions, x = cloud(layer.encoding), torch.randn(2, 6, 4, 1, dtype=D)
    V = torch.randn(3, dtype=D)

    def invariants(p):
        here, there = p.unsqueeze(-2), p.unsqueeze(-3)
        return ((there - here) if wrong == "points" else there + 0 * here) @ V[:, None]

    layer.encoding.invariants = invariants
    assert defect(layer, x, positions, motion("SE(3)", PLAIN), False) > 1e-2


def test_four_rotations_are_the_finite_layer():
    """On the tokens 1, r, r^2, r^3 of SO(2) the layer is LieAttention of C4 whose table is the network at their
    matrices."""
    C4 = Group("C4")
    finite = randomised(LieAttention(C4.rep("trivial"), 4, 2, dtype=D))
    layer = randomised(PointAttention("SO(2)", PLAIN, 4, 2, lifted=True, dtype=D))
    state = finite.native.state_dict()
    layer.native.load_state_dict(
        {k: v for k, v in state.items() if k in layer.native.state_dict() and "theta" not in k and "bias" not in k},
        strict=False,
    )
    turn = C4.matrix_rep([[[0, -1], [1, 0]]])
    positions = torch.tensor([turn.matrix(g).tolist() for g in finite.elements.list], dtype=D)
    with torch.no_grad():
        finite.native.encoding.table.copy_(layer.native.encoding.scores(positions)[:, finite.elements.identity])
        for name in ("query", "key", "value", "out"):
            for p, q in zip(
                getattr(layer.native, name).parameters(), getattr(finite.native, name).parameters(), strict=True
            ):
                p.copy_(q.reshape(p.shape))
    f = torch.randn(3, 4, 4, dtype=D)
    torch.testing.assert_close(layer(f.mT[..., None], positions)[..., 0].mT, finite(f), rtol=1e-12, atol=1e-12)


def test_far_points_have_no_weight_and_near_ones_fade():
    layer = randomised(PointAttention("E(3)", PLAIN, 2, dtype=D, radius=1.0))
    x = torch.randn(3, 2, 1, dtype=D)
    places = torch.tensor([[0.0, 0, 0], [0.5, 0, 0], [1.0, 0, 0]], dtype=D, requires_grad=True)
    weights = layer.omega(x, places)
    assert weights[0, 2, :, :2].abs().max() == 0 and weights[0, 1].abs().max() > 0
    (gradient,) = torch.autograd.grad(layer(x, places).square().sum(), places)
    assert torch.isfinite(gradient).all() and gradient.abs().max() > 0
    near = places.detach().clone()
    near[2, 0] = 1 - 1e-9
    assert (layer(x, near) - layer(x, places)).abs().max() < 1e-6


def test_blocks_copies_and_states():
    V = Group("SO(3)").rep("trivial")
    block = randomised(TransformerBlock(V, 4, 2, encoding=Location("SE(3)", 2, dtype=D), dtype=D))
    x, positions = torch.randn(2, 5, 4, 1, dtype=D), torch.randn(2, 5, 3, dtype=D)
    assert defect(block, x, positions, motion("SE(3)", PLAIN), False) < 1e-12
    twin = copy.deepcopy(block)
    torch.testing.assert_close(twin(x, positions), block(x, positions))
    torch.testing.assert_close(block(x[0], positions[0]), block(x, positions)[0])
    torch.testing.assert_close(block(x, positions[0]), block(x, positions[:1].expand(2, -1, -1)))  # one cloud for all
    masked = MultiheadAttention(PLAIN, 4, 2, encoding=Location("SE(3)", 2, dtype=D), mask="causal", dtype=D)
    changed = positions.clone()
    changed[:, -1] += 1
    torch.testing.assert_close(masked(x, changed)[:, :-1], masked(x, positions)[:, :-1])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Location("SU(2)", 1), "SO\\(n\\), O\\(n\\), SE\\(n\\) or E\\(n\\).*'SU\\(2\\)'"),
        (lambda: Location("SE(1)", 1), "n of at least 2"),
        (lambda: Location("SE(3)", 0), "heads is a positive integer"),
        (lambda: Location("SE(3)", 1, radius=0), "positive lengths"),
        (lambda: Location("SE(3)", 1, hidden=0), "hidden is a positive integer"),
        (
            lambda: PointAttention("SE(3)", PLAIN, 4, 2)(torch.zeros(5, 4, 1), torch.zeros(5, 2)),
            "positions are \\[..., tokens, 3\\]",
        ),
        (
            lambda: PointAttention("SE(3)", PLAIN, 4, 2, lifted=True)(torch.zeros(5, 4, 1), torch.zeros(5, 3)),
            "\\[..., tokens, 3, 4\\]",
        ),
        (lambda: MultiheadAttention(PLAIN, 4, 2, encoding=Location("SE(3)", 1)), "1 heads and the layer 2"),
        (
            lambda: MultiheadAttention(PLAIN, 4, 2, encoding=Location("SE(3)", 2))(torch.zeros(5, 4, 1)),
            "there are none",
        ),
        (
            lambda: MultiheadAttention(PLAIN, 4, 2)(torch.zeros(5, 4, 1), torch.zeros(5, 3)),
            "positions are for a layer with encoding=Location",
        ),
        (
            lambda: PointAttention("SE(3)", PLAIN, 4, 2).native(torch.zeros(5, 4, 1), torch.zeros(4, 3)),
            "4 positions and 5 tokens",
        ),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(DomainError, match=message):
        call()
