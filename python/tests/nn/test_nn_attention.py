"""Attention layers: which symmetries they have, which they must not have, and what PyTorch does with them."""

import copy
import math

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    GatedActivation,
    Linear,
    MultiheadAttention,
    NormActivation,
    TransformerBlock,
    check_equivariance,
)
from intertwine.nn import attention as A
from torch import nn

D = torch.float64
C1 = Group("C1").rep("trivial")


class Tokens(nn.Module):
    """A layer on [batch, channels, tokens dim V], the tokens outside or inside: one axis for check_equivariance."""

    def __init__(self, layer, tokens, dim, tokens_last=False):
        super().__init__()
        self.layer, self.sizes, self.tokens_last = layer, (tokens, dim), tokens_last
        self.in_channels = layer.in_channels

    def forward(self, x):
        t, n = self.sizes
        if self.tokens_last:
            return self.layer(x.unflatten(-1, (n, t)).permute(0, 3, 1, 2)).permute(0, 2, 3, 1).flatten(-2)
        return self.layer(x.unflatten(-1, (t, n)).transpose(1, 2)).transpose(1, 2).flatten(-2)


def permutations(layer, tokens, dim):
    """How far the layer is from commuting with all permutations of tokens."""
    V = dim * Group(f"S{tokens}").rep("perm")
    return check_equivariance(Tokens(layer, tokens, dim, True), V, V)


def together(layer, tokens, V):
    """With rho(g) on all tokens at once."""
    return check_equivariance(Tokens(layer, tokens, V.dimension), tokens * V, tokens * V)


def randomised(layer):
    for p in layer.parameters():
        nn.init.normal_(p, std=0.5)
    return layer


FIELDS = [("S4", "perm"), ("D4", "perm + 2*sign"), ("C4", "regular"), ("S4", "std")]


@pytest.mark.parametrize("group, V", FIELDS, ids=" ".join)
def test_attention_commutes_with_the_group_and_permutations(group, V):
    V = Group(group).rep(V)
    layer = randomised(MultiheadAttention(V, 4, 2, dtype=D))
    report = together(layer, 3, V)
    assert report and report.error < 1e-12, report
    report = permutations(layer, 3, V.dimension)
    assert report and report.error < 1e-12, report


@pytest.mark.parametrize("norm", ["pre", "post", None])
@pytest.mark.parametrize("activation", [nn.functional.gelu, torch.tanh], ids=["gelu", "tanh"])
def test_blocks(norm, activation):
    V = Group("C4").rep("regular")
    block = randomised(TransformerBlock(V, 4, 2, norm=norm, activation=activation, hidden=6, dtype=D))
    for report in (together(block, 3, V), permutations(block, 3, 4)):
        assert report and report.error < 1e-12, report
    signs = Group("D4").rep("perm + sign")
    block = randomised(TransformerBlock(signs, 2, 1, norm=norm, activation=torch.tanh, dtype=D))
    assert together(block, 2, signs)
    std = Group("S4").rep("std")  # not by orthogonal matrices
    report = together(randomised(TransformerBlock(std, 2, 1, norm=norm, activation=nn.Identity(), dtype=D)), 2, std)
    assert report and report.error < 1e-12, report


def test_the_value_of_attention_is_that_of_pytorch():
    """Over the group of one element the layer is nn.MultiheadAttention."""
    layer, theirs = (
        randomised(MultiheadAttention(C1, 6, 2, dtype=D)),
        nn.MultiheadAttention(6, 2, batch_first=True, dtype=D),
    )
    folded = [getattr(layer, name).fold() for name in ("query", "key", "value", "out")]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([f.weight for f in folded[:3]]))
        theirs.in_proj_bias.copy_(torch.cat([f.bias for f in folded[:3]]))
        theirs.out_proj.load_state_dict(folded[3].state_dict())
    x = torch.randn(3, 5, 6, dtype=D)
    torch.testing.assert_close(layer(x[..., None])[..., 0], theirs(x, x, x)[0])
    causal = MultiheadAttention(C1, 6, 2, mask="causal", dtype=D)
    causal.load_state_dict(layer.state_dict())
    mask = torch.ones(5, 5, dtype=torch.bool).triu(1)
    torch.testing.assert_close(causal(x[..., None])[..., 0], theirs(x, x, x, attn_mask=mask)[0])
    same = MultiheadAttention(C1, 6, 2, mask=~mask, dtype=D)
    same.load_state_dict(layer.state_dict())
    torch.testing.assert_close(same(x[..., None]), causal(x[..., None]))


def test_masks_and_encodings_break_permutations():
    V = Group("C3").rep("regular")
    without = randomised(MultiheadAttention(V, 4, 2, dtype=D))
    assert permutations(without, 3, 3)
    for settings in (
        {"mask": "causal"},
        {"encoding": A.Learned(3, 2, dtype=D)},
        {"encoding": A.RepresentationEncoding(V)},
        {"encoding": A.Relative(Group("C3"), 2, dtype=D)},
        {"encoding": A.Rotary(Group("C3").matrix_rep([[[0, 0, 1], [1, 0, 0], [0, 1, 0]]]))},
    ):
        channels = 6 if "Rotary" in str(type(settings.get("encoding"))) else 4
        report = permutations(randomised(MultiheadAttention(V, channels, 2, dtype=D, **settings)), 3, 3)
        assert not report and report.error > 1e-2, settings


# --- Encodings ---------------------------------------------------------------------------------------------------------------


def test_representation_encodings_move_with_their_positions():
    """A motion of the positions is a permutation of the tokens, x -> g x, together with rho(g): regular * V."""
    G = Group("S3")
    for V in (G.rep("perm"), G.rep("perm + sign")):
        encoding = A.RepresentationEncoding(G.rep("perm"))
        layer = randomised(MultiheadAttention(V, 4, 2, encoding=encoding, dtype=D))
        sites = G.rep("regular") * V
        report = check_equivariance(Tokens(layer, 6, V.dimension), sites, sites)
        assert report and report.error < 1e-12, report
        # Not with either alone.
        assert check_equivariance(Tokens(layer, 6, V.dimension), 6 * V, 6 * V).error > 1e-2
        assert permutations(layer, 6, V.dimension).error > 1e-2
        # And a weight outside of the commutant is not equivariant.
        layer.query = nn.Sequential(
            nn.Flatten(-2), nn.Linear(4 * V.dimension, 4 * V.dimension, dtype=D), nn.Unflatten(-1, (4, V.dimension))
        )
        report = check_equivariance(Tokens(layer, 6, V.dimension), sites, sites)
        assert not report and report.error > 1e-2
    gamma, elements = encoding.vectors(), encoding.elements
    for g in G.generators:
        moved = A.RepresentationEncoding(G.rep("perm"), [g * x for x in elements]).vectors()
        rho = torch.tensor(G.rep("perm").matrix(g).tolist(), dtype=D)
        torch.testing.assert_close(moved, torch.einsum("rs,tcs->tcr", rho, gamma))


def test_angles_of_many_turns_and_factors_without_generators():
    """Beside the cosines of the angles, whatever their weight; the trivial group has no generators, and its element
    acts as the identity."""
    angles = [0.0, 1e4, 1e8, -1e8, 3.0]
    C, S = ([f(a) for a in angles] for f in (math.cos, math.sin))
    expected = torch.tensor([[[c, s], [-s, c]] for c, s in zip(C, S)], dtype=D)  # a channel for each column
    torch.testing.assert_close(A.RepresentationEncoding("SO(2)", angles).vectors(), expected, rtol=0, atol=1e-15)
    third = A.RepresentationEncoding(Group("SO(2)").rep("vector^3"), angles).vectors()
    torch.testing.assert_close(
        third, torch.stack([torch.kron(torch.kron(R, R), R) for R in expected]), rtol=0, atol=1e-14
    )
    for name, text, at in (
        ("C1 x SO(2)", "perm # vector", [["()"] * 5, angles]),
        ("SO(2) x C1", "vector # perm", [angles, ["()"] * 5]),
    ):
        found = A.RepresentationEncoding(Group(name).rep(text), at).vectors()
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-15)
    assert A.Rotary(Group("C1 x SO(2)").rep("perm # vector"), (["()"], [1.0])).matrices.shape == (1, 2, 2)


def test_continuous_encodings_move_with_their_positions():
    x = torch.randn(4, 2, 12, dtype=D)

    def compare(before, after, V, R):
        layer = randomised(MultiheadAttention(V, 2, 1, encoding=before, dtype=D))
        moved = MultiheadAttention(V, 2, 1, encoding=after, dtype=D)
        moved.load_state_dict(layer.state_dict())
        at = x[..., : V.dimension]
        torch.testing.assert_close(moved(at @ R.T), layer(at) @ R.T, rtol=0, atol=1e-12)
        assert (moved(at) - layer(at)).abs().max() > 1e-2

    def product(p, q):
        w, v, s, u = p[..., :1], p[..., 1:], q[..., :1], q[..., 1:]
        return torch.cat(
            (w * s - (v * u).sum(-1, keepdim=True), w * u + s * v + torch.linalg.cross(v.expand_as(u), u)), -1
        )

    q, p = torch.randn(4, 4, dtype=D), torch.randn(1, 4, dtype=D)
    before = A.RepresentationEncoding("SO(3)", q)
    R = A.RepresentationEncoding("SO(3)", p).vectors()[0].T
    w, v = (p / p.norm())[0, 0], (p / p.norm())[0, 1:]  # Rodrigues' formula
    J = torch.linalg.cross(v.expand(3, 3), torch.eye(3, dtype=D)).T
    torch.testing.assert_close(R, torch.eye(3, dtype=D) + 2 * w * J + 2 * J @ J, rtol=0, atol=1e-14)
    torch.testing.assert_close(
        A.RepresentationEncoding("SO(3)", [[-2.0, 0, 0, 0]]).vectors()[0], torch.eye(3, dtype=D), rtol=0, atol=1e-14
    )
    torch.testing.assert_close(R @ R.T, torch.eye(3, dtype=D))
    assert torch.det(R) > 0.99
    compare(before, A.RepresentationEncoding("SO(3)", product(p, q)), before.representation, R)
    space = Group("SO(3)")
    vector = space.rep("vector")  # the same by its representation
    assert torch.equal(A.RepresentationEncoding(vector, q).vectors(), before.vectors())
    # Rotary: scores depend on x^-1 y alone, as turning all positions from the left shows.
    layer = randomised(MultiheadAttention(Group("C1").rep("trivial"), 6, 2, encoding=A.Rotary("SO(3)", q), dtype=D))
    y = torch.randn(2, 4, 6, 1, dtype=D)
    for positions, same in ((product(p, q), True), (q.flip(0), False)):
        moved = MultiheadAttention(Group("C1").rep("trivial"), 6, 2, encoding=A.Rotary(vector, positions), dtype=D)
        moved.load_state_dict(layer.state_dict())
        difference = float((moved(y) - layer(y)).detach().abs().max())
        assert difference < 1e-13 if same else difference > 0.05
    # A harmonic of degree 2, whose matrices are not orthogonal, and positions in products: a motion of each factor.
    compare(A.RepresentationEncoding(space.rep("harmonic(2)"), q), A.RepresentationEncoding(space.rep("harmonic(2)"), product(p, q)), space.rep("harmonic(2)"),
            A.RepresentationEncoding(space.rep("harmonic(2)"), p).vectors()[0].T)  # fmt: skip
    angles, moved = torch.randn(4, dtype=D), torch.tensor([0.3], dtype=D)
    C4 = Group("C4")
    g, turns = C4.generators[0], [C4.identity, C4.generators[0] ** 2, C4.generators[0], C4.identity]
    for name, text, here, by, there in (
        ("SO(2) x SO(3)", "vector # vector", (angles, q), (moved, p), (angles + moved, product(p, q))),
        (
            "SO(2) x SO(3)",
            "harmonic(2) # trivial + 2*(trivial # vector)",
            (angles, q),
            (moved, p),
            (angles + moved, product(p, q)),
        ),
        ("C4 x SO(3)", "perm # vector", (turns, q), ([g], p), ([g * x for x in turns], product(p, q))),
        (
            "SO(3) x C4 x SO(2)",
            "vector # trivial # vector + trivial # perm # trivial",
            (q, turns, angles),
            (p, [g], moved),
            (product(p, q), [g * x for x in turns], angles + moved),
        ),
    ):
        V = Group(name).rep(text)
        compare(
            *(A.RepresentationEncoding(V, positions) for positions in (here, there)),
            V,
            A.RepresentationEncoding(V, by).vectors()[0].T,
        )
    before = A.RepresentationEncoding("SO(2)", angles)
    R = torch.tensor([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]], dtype=D)
    compare(before, A.RepresentationEncoding("SO(2)", angles + 0.3), before.representation, R)


def test_sinusoidal():
    places, y = torch.arange(5, dtype=D), 0.7
    sinus = A.Sinusoidal(places, 2)
    torch.testing.assert_close(
        sinus.vectors()[:, 0], torch.stack([places.cos(), places.sin(), (places / 100).cos(), (places / 100).sin()], 1)
    )
    V, R = sinus.representation, sinus.translation(y)
    assert V.commutant().real_dimension == 4
    layer = randomised(MultiheadAttention(V, 2, 2, encoding=sinus, dtype=D))
    moved = MultiheadAttention(V, 2, 2, encoding=A.Sinusoidal(places + y, 2), dtype=D)
    moved.load_state_dict(layer.state_dict())
    x = torch.randn(5, 2, 4, dtype=D)
    torch.testing.assert_close(moved(x @ R.T), layer(x) @ R.T, rtol=0, atol=1e-12)
    # In an ordinary Transformer it is numbers, and a translation is seen.
    plain = randomised(MultiheadAttention(C1, 4, 2, encoding=sinus, dtype=D))
    other = MultiheadAttention(C1, 4, 2, encoding=A.Sinusoidal(places + y, 2), dtype=D)
    other.load_state_dict(plain.state_dict())
    x = torch.randn(5, 4, 1, dtype=D)
    assert (other(x) - plain(x)).abs().max() > 1e-2


def test_relative_and_rotary_keep_the_group():
    G = Group("S3")
    sites = G.rep("regular")
    for encoding in (A.Relative(G, 2, dtype=D), A.Rotary(G.rep("perm")), A.Rotary(G.rep("perm + sign"))):
        channels = 2 * getattr(encoding, "size", 2)
        layer = randomised(MultiheadAttention(C1, channels, 2, encoding=encoding, dtype=D))
        report = check_equivariance(Tokens(layer, 6, 1), sites, sites)
        assert report and report.error < 1e-12, report
        assert permutations(layer, 6, 1).error > 1e-2
    # Of a sequence: what depends on y - x alone does not see where the sequence begins.
    layer = randomised(MultiheadAttention(C1, 8, 2, encoding=A.Rotary([1.0, 0.1], 5), dtype=D))
    moved = MultiheadAttention(C1, 8, 2, encoding=A.Rotary([1.0, 0.1], [k + 3.5 for k in range(5)]), dtype=D)
    moved.load_state_dict(layer.state_dict())
    x = torch.randn(2, 5, 8, 1, dtype=D)
    torch.testing.assert_close(moved(x), layer(x), rtol=0, atol=1e-12)
    bias = A.Relative(4, 2)
    nn.init.normal_(bias.table)
    torch.testing.assert_close(bias.scores()[:, 1:, 1:], bias.scores()[:, :-1, :-1])
    both = randomised(MultiheadAttention(C1, 2, 2, encoding=A.Relative(3, 2, dtype=D), mask="causal", dtype=D))
    x, other = (torch.randn(3, 2, 1, dtype=D) for _ in range(2))
    torch.testing.assert_close(both(torch.cat((x[:2], other[2:])))[:2], both(x)[:2])


def test_the_commutant():
    """One, two or four real dimensions for irreducible representations of real, complex and quaternionic type."""
    quaternions = Group.from_matrices(
        [
            [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]],
            [[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]],
        ]
    )
    turn = Group("C4").matrix_rep([[[0, -1], [1, 0]]])
    for V, dimension in (
        (Group("S3").rep("std"), 1),
        (turn, 2),
        (quaternions.rep("coordinates"), 4),
        (Group("S4").rep("perm"), 2),
    ):
        assert V.commutant().real_dimension == V.commutant().dimension == dimension
        layer = Linear(V.commutant(), in_channels=2, out_channels=3, bias=False, dtype=D)
        assert layer.theta.shape == (dimension, 3, 2)
        assert check_equivariance(layer, V, V)
    square, V = Group("S3").rep("perm") >> Group("S3").rep("trivial"), Group("S3").rep("perm")
    assert Linear(square, in_channels=2).weight().shape == (1, 6)
    with pytest.raises(DomainError, match="has its target already"):
        Linear(square, V)
    with pytest.raises(DomainError, match="Linear takes two representations"):
        Linear(V)
    with pytest.raises(DomainError, match="the maps V >> U, not 'perm'"):
        Linear("perm", V)
    layer = A.commutant_linear(turn, torch.tensor([[2.0, -3.0], [3.0, 2.0]]))
    assert isinstance(layer, Linear)
    torch.testing.assert_close(layer(torch.tensor([[1.0, 0.0]])), torch.tensor([[2.0, 3.0]]))
    A.commutant_linear(Group("S3").rep("std"), 0.5 * torch.eye(2))
    for weight in (torch.diag(torch.tensor([1.5, 1.0])), torch.tensor([[2.0, 3.0], [3.0, 2.0]])):
        with pytest.raises(DomainError, match="does not commute with .* real dimension 2"):
            A.commutant_linear(turn, weight)
    with pytest.raises(DomainError, match=r"matrices \[2, 2\]"):
        A.commutant_linear(turn, torch.eye(3))
    # Rotations of the plane by all angles, and those of space, which leave one number for each copy and pair of copies.
    plane, space = Group("SO(2)").rep("vector"), Group("SO(3)")
    assert [
        V.commutant().real_dimension for V in (plane, space.rep("vector"), space.rep("2*vector + harmonic(2)"))
    ] == [2, 1, 5]
    layer = A.commutant_linear(plane, torch.tensor([[2.0, -3.0], [3.0, 2.0]]))
    torch.testing.assert_close(layer(torch.tensor([[1.0, 0.0]])), torch.tensor([[2.0, 3.0]]))
    with pytest.raises(DomainError, match="does not commute with .* real dimension 1"):
        A.commutant_linear(space.rep("vector"), torch.diag(torch.tensor([1.0, 2.0, 3.0])))
    assert Linear(plane.commutant(), dtype=D).theta.shape == (2, 1, 1)
    # The types of irreducible representations: C, quaternions, and R twice.
    assert [
        Group(G).rep(V).commutant().real_dimension
        for G, V in (("SU(3)", "real(vector)"), ("SU(2)", "real(vector)"), ("SU(2)", "real(adjoint)"))
    ] == [2, 4, 4]


# Tokens that are vectors in space, and harmonics by matrices that are not orthogonal: every rotation of all of them,
# and their order.
@pytest.mark.parametrize(
    "group, text", [("SO(3)", "vector + trivial"), ("O(3)", "harmonic(2)"), ("SO+(1,3)", "vector")]
)
def test_tokens_of_continuous_groups(group, text):
    V = Group(group).rep(text)
    layer = A.MultiheadAttention(V, 4, 2, encoding=None, dtype=D)
    with torch.no_grad():
        for p in layer.parameters():
            p.normal_()
    x = torch.randn(2, 5, 4, V.dimension, dtype=D)
    X = [torch.tensor([[float(a) for a in row] for row in m.tolist()], dtype=D) for m in V.generator_matrices()]
    lie = [m for m, name in zip(X, V.group.generator_names) if "Lie" in name]
    g = torch.linalg.matrix_exp(sum(0.3 * (k + 1) * m for k, m in enumerate(lie)))
    torch.testing.assert_close(layer(x @ g.T), layer(x) @ g.T, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(layer(x.flip(1)), layer(x).flip(1))
    assert (layer(x) - layer(x).mean(1, keepdim=True)).abs().max() > 1e-2
    scores = A.MultiheadAttention(V, 4, 2, encoding=A.Relative(5, 2, dtype=D), dtype=D)
    torch.testing.assert_close(scores(x @ g.T), scores(x) @ g.T, rtol=1e-12, atol=1e-12)
    if "trivial" in text:  # an invariant of each place
        placed = randomised(A.MultiheadAttention(V, 4, 2, encoding=A.Learned(5, 4, dtype=D), dtype=D))
        torch.testing.assert_close(placed(x @ g.T), placed(x) @ g.T, rtol=1e-12, atol=1e-12)
    else:
        with pytest.raises(DomainError, match="it would never be seen"):
            A.MultiheadAttention(V, 4, encoding=A.Learned(5, 4))


def test_blocks_whose_activations_are_modules():
    """Scalars that the layer before makes, and norms: of SO(3), and of a finite group that mixes coordinates."""
    q = torch.randn(1, 4, dtype=D)
    V, W = Group("SO(3)").rep("vector"), Group("S4").rep("std")
    matrices = (
        A.RepresentationEncoding(V, q).vectors()[0].T,
        torch.tensor(W.matrix(Group("S4").generators[0]).tolist(), dtype=D),
    )
    for V, g in zip((V, W), matrices):
        x = torch.randn(2, 5, 4, 3, dtype=D)
        for activation in (GatedActivation(V), NormActivation(V, torch.tanh, 6, dtype=D)):
            for norm in ("pre", "post"):
                block = randomised(TransformerBlock(V, 4, 2, hidden=6, activation=activation, norm=norm, dtype=D))
                torch.testing.assert_close(block(x @ g.T), block(x) @ g.T, rtol=1e-12, atol=1e-12)
        with pytest.raises(DomainError, match="for 6 channels, and inside the block there are 16"):
            TransformerBlock(V, 4, 2, activation=activation)
        with pytest.raises(DomainError, match="use GatedActivation|not commute"):
            TransformerBlock(V, 4, 2, activation=torch.tanh)


# --- What PyTorch does with them -----------------------------------------------------------------------------------------------


def test_compile_export_and_derivatives():
    V = Group("C3").rep("regular")
    block = randomised(
        TransformerBlock(V, 2, 1, hidden=2, activation=torch.tanh, encoding=A.RepresentationEncoding(V), dtype=D)
    )
    x = torch.randn(4, 3, 2, 3, dtype=D, requires_grad=True)
    compiled = torch.compile(block, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), block(x))
    for a, b in zip(
        *(
            torch.autograd.grad(f(x).pow(2).sum(), [x, *block.parameters()], materialize_grads=True)
            for f in (compiled, block)
        )
    ):
        torch.testing.assert_close(a, b)
    program = torch.export.export(block, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    more = torch.randn(7, 3, 2, 3, dtype=D)
    torch.testing.assert_close(program.module()(more), block(more))
    small = torch.randn(1, 3, 2, 3, dtype=D, requires_grad=True)
    assert torch.autograd.gradcheck(block, (small,))
    names = [n for n, _ in block.named_parameters()]
    assert torch.autograd.gradcheck(
        lambda x, *ps: torch.func.functional_call(block, dict(zip(names, ps)), (x,)), (small, *block.parameters())
    )
    assert not list(block.buffers()) or all("gamma" not in key and "mask" not in key for key in block.state_dict())


def test_bad_input():
    V, G = Group("S3").rep("perm"), Group("S3")
    with pytest.raises(DomainError, match="take a multiple"):
        MultiheadAttention(V, 4, 3)
    with pytest.raises(DomainError, match=r"takes \[..., tokens, 4, 3\]"):
        MultiheadAttention(V, 4)(torch.randn(2, 5, 3, 3))
    with pytest.raises(DomainError, match="5 tokens, and the encoding or mask is for 6"):
        MultiheadAttention(V, 4, encoding=A.RepresentationEncoding(V))(torch.randn(2, 5, 4, 3))
    with pytest.raises(DomainError, match="leaves token 1 nothing"):
        MultiheadAttention(V, 4, mask=torch.tensor([[True, False], [False, False]]))
    with pytest.raises(DomainError, match="boolean tensor"):
        MultiheadAttention(V, 4, mask=torch.ones(2, 3))
    with pytest.raises(DomainError, match="representation of C4 and V of S3"):
        MultiheadAttention(V, 4, encoding=A.RepresentationEncoding(Group("C4").rep("regular")))
    with pytest.raises(DomainError, match="never be seen"):
        MultiheadAttention(G.rep("trivial"), 4, encoding=A.RepresentationEncoding(G.rep("sign")))
    with pytest.raises(DomainError, match="position 1 is .* no element of C4"):
        A.RepresentationEncoding(Group("C4").rep("regular"), ["()", "(1,2)"])
    with pytest.raises(DomainError, match="not orthogonal"):
        A.Rotary(G.rep("std"))
    with pytest.raises(DomainError, match="heads have 2 channels, and the rotary encoding turns 3"):
        MultiheadAttention(V, 4, 2, encoding=A.Rotary(V))
    with pytest.raises(DomainError, match="2 heads and the layer 4"):
        MultiheadAttention(V, 4, 4, encoding=A.Relative(G, 2))
    with pytest.raises(DomainError, match="not real"):
        A.RepresentationEncoding(Group("C3").irrep(1))
    with pytest.raises(DomainError, match="must be odd"):
        TransformerBlock(G.rep("perm + sign"), 4, activation=torch.relu)
    with pytest.raises(DomainError, match="'pre', 'post' or None"):
        TransformerBlock(V, 4, norm="middle")
    with pytest.raises(DomainError, match="not orthogonal"):
        A.Rotary(Group("SO(3)").rep("harmonic(2)"), torch.randn(5, 4))
    for encoding in (A.RepresentationEncoding, A.Rotary):
        with pytest.raises(DomainError, match="names of positions are .*, not 'SE.3.'"):
            encoding("SE(3)", torch.randn(5, 4))
        with pytest.raises(DomainError, match=r"positions in O\(3\) are not known"):
            encoding(Group("O(3)").rep("vector"), torch.randn(5, 4))
        with pytest.raises(DomainError, match=r"vector of SU\(2\) are not real"):
            encoding(Group("SU(2)").rep("vector"), torch.randn(5, 4))
        both = Group("C4 x SO(3)").rep("perm # vector")
        with pytest.raises(DomainError, match="a list of 2, those in each factor"):
            encoding(both, torch.randn(5, 4))
        with pytest.raises(DomainError, match="a position in each factor of C4 x SO.3., and there are 4, 5"):
            encoding(both, (None, torch.randn(5, 4)))
    with pytest.raises(DomainError, match="representation of C4 x SO.3. and V of SO.3."):
        MultiheadAttention(
            Group("SO(3)").rep("vector"),
            4,
            encoding=A.RepresentationEncoding(both, (None, torch.randn(4, 4))),
        )
    with pytest.raises(DomainError, match=r"positions in SO\(2\) are finite numbers"):
        A.RepresentationEncoding("SO(2)", [0.0, math.inf])
    with pytest.raises(DomainError, match="rep is a representation such as .*, not a Group"):
        A.Rotary(G)
    with pytest.raises(DomainError, match=r"for Location\(SE\(3\), .* and there are none") as error:
        MultiheadAttention(C1, 4, 2, encoding=A.Location("SE(3)", 2))(torch.randn(5, 4, 1))
    assert "\n" not in str(error.value)
    with pytest.raises(DomainError, match="quaternion 0"):
        A.RepresentationEncoding("SO(3)", [[0.0, 0, 0, 0]])
    with pytest.raises(DomainError, match="frequencies are different"):
        A.Sinusoidal(4, [1.0, 1.0])
    with pytest.raises(
        DomainError, match=r"a\^2 = 1 holds"
    ):  # no homomorphism: the square of a quarter turn is not the identity
        A.RepresentationEncoding(Group("C2").matrix_rep([[[0, -1], [1, 0]]]))


def test_a_dtype_reaches_the_encoding():
    V = Group("SO(3)").rep("vector")
    layer = MultiheadAttention(V, 4, 2, encoding=A.Location("SE(3)", 2), dtype=torch.float64)
    assert {p.dtype for p in layer.parameters()} == {torch.float64}
    x, positions = torch.randn(5, 4, 3, dtype=torch.float64), torch.randn(5, 3, dtype=torch.float64)
    assert layer(x, positions).dtype == torch.float64
    assert MultiheadAttention(V, 4, 2, encoding=A.Location("SE(3)", 2))(x.float(), positions).dtype == torch.float32


ENCODINGS = {  # with what says whether a dtype or a device would change them
    "Learned": (lambda dtype: A.Learned(4, 4, dtype=dtype), True),
    "Relative": (lambda dtype: A.Relative(4, 2, dtype=dtype), True),
    "Location": (lambda dtype: A.Location("SE(3)", 2, dtype=dtype), True),
    "RepresentationEncoding": (lambda _: A.RepresentationEncoding(Group("S3").rep("perm")), False),
    "Sinusoidal": (lambda _: A.Sinusoidal(4, 2), False),
    "Rotary": (lambda _: A.Rotary([1.0], 4), False),
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("block", [False, True])
def test_a_layer_leaves_the_encoding_that_it_is_given_as_it_is(name, block):
    make, has_parameters = ENCODINGS[name]
    V = Group("S3").rep("perm") if name == "RepresentationEncoding" else C1

    def attention(encoding, **settings):
        if block:
            return TransformerBlock(V, 4, 2, encoding=encoding, **settings).attention
        return MultiheadAttention(V, 4, 2, encoding=encoding, **settings)

    for given, settings in (
        (torch.float64, {"dtype": torch.float32}),
        (torch.float32, {"dtype": torch.float64}),
        (torch.float64, {"device": "meta"}),
        (torch.float64, {"device": "meta", "dtype": torch.float32}),
    ):
        encoding = make(given)
        before = [(p, p.detach().clone()) for p in encoding.parameters()]
        other = attention(encoding)
        layer = attention(encoding, **settings)
        for now, (p, value) in zip(encoding.parameters(), before, strict=True):
            assert now is p and p.dtype == given and p.device.type == "cpu" and torch.equal(p, value)
        assert other.encoding is encoding and (layer.encoding is encoding) != has_parameters
        for p in layer.encoding.parameters():
            assert p.dtype == settings.get("dtype", given) and p.device.type == settings.get("device", "cpu")
        if "device" not in settings:  # the copy has its numbers
            for p, (_, value) in zip(layer.encoding.parameters(), before, strict=True):
                torch.testing.assert_close(p.detach(), value.to(p.dtype))
    for settings in ({}, {"dtype": D}, {"device": "cpu"}, {"device": torch.device("cpu"), "dtype": D}):
        encoding = make(D)
        assert attention(encoding, **settings).encoding is encoding


@pytest.mark.parametrize("given", ["causal", "future", 3, [[True]], True])
def test_a_mask_that_is_no_tensor_is_refused_in_one_sentence(given):
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    layer = MultiheadAttention(C1, 4, 2, mask=mask)
    with pytest.raises(DomainError, match=r"boolean tensor \[tokens, tokens\]") as error:
        layer.mask = given
    assert "\n" not in str(error.value) and torch.equal(layer.mask, mask)


def test_a_mask_for_a_causal_layer_is_refused_where_it_has_two_readings():
    causal = MultiheadAttention(C1, 4, 2, mask="causal", dtype=D)
    x, full = torch.randn(2, 5, 4, 1, dtype=D), torch.ones(5, 5, dtype=torch.bool)
    y = causal(x)
    with pytest.raises(DomainError, match="the layer is causal, .* give mask.tril"):
        causal.mask = full
    causal.mask = None
    assert torch.equal(causal(x), y)
    causal.causal = False
    causal.mask = full.tril()
    torch.testing.assert_close(causal(x), y)


@pytest.mark.parametrize("meta", [False, True])
def test_what_a_layer_shows_of_its_constants_is_a_copy(meta):
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    perm = Group("S3").rep("perm")
    shown = {  # the module, what is shown, a use of it
        "mask": (MultiheadAttention(C1, 4, 2, mask=mask, dtype=D), torch.randn(2, 4, 4, 1, dtype=D)),
        "gamma": (A.RepresentationEncoding(perm), None),
        "frequencies": (A.Sinusoidal(4, 2), None),
        "matrices": (A.Rotary([1.0], 4), torch.randn(2, 4, 2, 1, dtype=D)),
        "index": (A.Relative(4, 2, dtype=D), None),
    }
    shown["vectors"] = shown["gamma"]

    def used(module, x):
        if isinstance(module, MultiheadAttention):
            return module(x)
        if isinstance(module, A.Rotary):
            return module.turn(x)
        if isinstance(module, A.Sinusoidal):
            return module.translation(1.0)
        return module.vectors_like(torch.empty(0, dtype=D)) if module.vectors() is not None else module.scores()

    for name, (module, x) in shown.items():
        if name == "index":
            nn.init.normal_(module.table)
        twin, before = copy.deepcopy(module), used(module, x).detach().clone()
        with torch.device("meta" if meta else "cpu"):
            found = getattr(module, name)
        found = found() if callable(found) else found
        assert found.device.type == "cpu", name
        found.zero_()
        again = getattr(module, name)
        assert bool((again() if callable(again) else again).any()), name
        assert torch.equal(used(module, x), before) and torch.equal(used(twin, x), before), name


# --- Masks of one call ---------------------------------------------------------------------------------------------------

PADDING = torch.tensor([[False] * 5, [False, False, True, False, True], [True, True, False, False, False]])
ATTENDING = [
    ("S3", "perm", {}),
    ("S4", "std", {}),
    ("SO(3)", "vector + trivial", {}),
    ("S3", "perm", {"mask": "causal"}),
    ("S3", "perm", {"mask": torch.ones(5, 5, dtype=torch.bool).tril(1)}),
    ("S3", "perm", {"encoding": lambda: A.Learned(5, 4, dtype=D)}),
    ("S3", "perm", {"encoding": lambda: A.Relative(5, 2, dtype=D)}),
    ("S3", "perm", {"encoding": lambda: A.Relative(5, 2, dtype=D), "mask": "causal"}),
    ("S3", "perm", {"encoding": lambda: A.Location("SE(2)", 2, radius=2.0, dtype=D)}),
]
every_attending = pytest.mark.parametrize("group, V, settings", ATTENDING, ids=lambda v: "".join(str(v).split())[:30])


def attending(group, V, settings):
    """A layer, a block of it and their further inputs."""
    settings = {k: v() if callable(v) else v for k, v in settings.items()}
    V = Group(group).rep(V)
    layers = (
        randomised(MultiheadAttention(V, 4, 2, dtype=D, **settings)),
        randomised(TransformerBlock(V, 4, 2, hidden=3, activation=NormActivation(V, torch.tanh, 3, dtype=D), dtype=D, **settings)),
    )  # fmt: skip
    located = isinstance(layers[0].encoding, A.Location)
    return layers, torch.randn(3, 5, 4, V.dimension, dtype=D), (torch.randn(3, 5, 2, dtype=D),) if located else ()


@every_attending
def test_padding_is_never_looked_at(group, V, settings):
    """Whatever stands there, NaN included, what others give and their derivatives are the same, and padding gives 0.
    The layer commutes with its group as it does without masks."""
    layers, x, more = attending(group, V, settings)
    for layer in layers:
        found = []
        for value in (0.0, 1e3, math.nan, math.inf):
            inputs = [t.masked_fill(PADDING.reshape(3, 5, *[1] * (t.dim() - 2)), value) for t in (x, *more)]
            inputs = [t.requires_grad_() for t in inputs]
            y = layer(*inputs, key_padding_mask=PADDING)
            assert not y[PADDING].any()
            found.append((y, *torch.autograd.grad(y.square().sum(), [*inputs, *layer.parameters()])))
        for other in found[1:]:
            for a, b in zip(found[0], other):
                torch.testing.assert_close(a, b, rtol=0, atol=0)
        masked = lambda x, *more, layer=layer: layer(x, *more, key_padding_mask=PADDING)  # noqa: E731
        field = Group(group).rep(V)
        g = torch.from_numpy(numpy.asarray(field.matrix(field.group.random_element(1)), dtype=float))
        torch.testing.assert_close(masked(x @ g.t(), *more), masked(x, *more) @ g.t())


@pytest.mark.parametrize("block", [False, True])
def test_a_padded_batch_is_every_sequence_alone(block):
    layers, x, _ = attending("S3", "perm", {})
    layer = layers[block]
    y = layer(x, key_padding_mask=PADDING)
    for one, out, absent in zip(x, y, PADDING):
        torch.testing.assert_close(out[~absent], layer(one[~absent]))
    order = torch.tensor([3, 1, 4, 0, 2])
    torch.testing.assert_close(layer(x[:, order], key_padding_mask=PADDING[:, order]), y[:, order])
    torch.testing.assert_close(layer(x, key_padding_mask=torch.zeros_like(PADDING)), layer(x))


def test_masks_of_one_call_are_those_of_pytorch():
    """Boolean ones and numbers, of both kinds at once, for all samples, each sample and each head."""
    layer, theirs = (
        randomised(MultiheadAttention(C1, 6, 2, dtype=D)),
        nn.MultiheadAttention(6, 2, batch_first=True, dtype=D),
    )
    folded = [getattr(layer, name).fold() for name in ("query", "key", "value", "out")]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([f.weight for f in folded[:3]]))
        theirs.in_proj_bias.copy_(torch.cat([f.bias for f in folded[:3]]))
        theirs.out_proj.load_state_dict(folded[3].state_dict())
    x, eye = torch.randn(3, 5, 6, dtype=D), torch.eye(5, dtype=torch.bool)
    one, heads = torch.ones(5, 5, dtype=torch.bool).triu(1), torch.rand(3, 2, 5, 5) < 0.5
    heads &= ~eye & ~PADDING[:, None, None, :]
    numbers = torch.randn(3, 2, 5, 5, dtype=D)
    for padding in (
        None,
        PADDING,
        torch.zeros(3, 5, dtype=D).masked_fill(PADDING, -math.inf),
        torch.randn(3, 5, dtype=D),
    ):
        for mask in (None, one & ~eye, heads, numbers, numbers.masked_fill(heads, -math.inf), numbers[0, 0]):
            flat = mask.flatten(0, 1) if mask is not None and mask.dim() == 4 else mask
            boolean = [m is None or m.dtype == torch.bool for m in (padding, mask)]
            if not all(boolean):  # PyTorch wants both of one kind
                padding_, flat = (
                    None
                    if m is None
                    else m
                    if m.dtype != torch.bool
                    else torch.zeros(m.shape, dtype=D).masked_fill(m, -math.inf)
                    for m in (padding, flat)
                )
            else:
                padding_ = padding
            expected = theirs(x, x, x, key_padding_mask=padding_, attn_mask=flat, need_weights=False)[0]
            found = layer(x[..., None], key_padding_mask=padding, attn_mask=mask)[..., 0]
            seen = (
                torch.ones(3, 5, dtype=torch.bool)
                if padding is None
                else ~(padding if padding.dtype == torch.bool else padding == -math.inf)
            )
            seen &= expected.isfinite().all(-1)
            assert seen.sum() > 8
            torch.testing.assert_close(found[seen], expected[seen])
    samples = torch.stack([eye, one.t(), torch.zeros_like(eye)])
    each = torch.stack([layer(row[..., None], attn_mask=m) for row, m in zip(x, samples & ~eye)])
    torch.testing.assert_close(layer(x[..., None], attn_mask=samples & ~eye), each)


def test_a_token_that_sees_nothing_gets_the_last_bias_alone():
    layer, x = randomised(MultiheadAttention(Group("S3").rep("perm"), 4, 2, dtype=D)), torch.randn(3, 5, 4, 3, dtype=D)
    bias = layer.out(torch.zeros(1, 4, 3, dtype=D))[0]
    mask = torch.zeros(5, 5, dtype=torch.bool)
    mask[2] = True
    for forbidden in (mask, torch.zeros(5, 5, dtype=D).masked_fill(mask, -math.inf)):
        x.requires_grad_()
        y = layer(x, attn_mask=forbidden)
        torch.testing.assert_close(y[:, 2], bias.expand(3, 4, 3))
        assert all(t.isfinite().all() for t in torch.autograd.grad(y.square().sum(), [x, *layer.parameters()]))
    causal = MultiheadAttention(Group("S3").rep("perm"), 4, 2, mask="causal", dtype=D)
    left = torch.tensor([[True, True, False, False, False]] * 3)
    y = causal(x, key_padding_mask=left)
    assert y.isfinite().all() and not y[:, :2].any()
    torch.testing.assert_close(y[:, 2:], causal(x[:, 2:]))
    everything = torch.ones(3, 5, dtype=torch.bool)
    assert not layer(x, key_padding_mask=everything).any()


def test_attention_has_derivatives_of_every_order():
    V = Group("S3").rep("perm")
    layer = randomised(MultiheadAttention(V, 2, 1, dtype=D))
    x = torch.randn(1, 3, 2, 3, dtype=D, requires_grad=True)
    padding = torch.tensor([[False, True, False]])
    for f in (layer, lambda x: layer(x, key_padding_mask=padding), MultiheadAttention(V, 2, 1, mask="causal", dtype=D)):
        assert torch.autograd.gradgradcheck(f, (x,)) and torch.autograd.gradcheck(f, (x,), check_forward_ad=True)
        second = torch.autograd.functional.hessian(lambda x, f=f: f(x).square().sum(), x)
        torch.testing.assert_close(torch.func.hessian(lambda x, f=f: f(x).square().sum())(x), second)
        _, turned = torch.func.jvp(torch.func.grad(lambda x, f=f: f(x).square().sum()), (x,), (x,))
        torch.testing.assert_close(turned, torch.tensordot(second, x, 4))
    per_sample = torch.func.vmap(torch.func.grad(lambda x, p: layer(x, key_padding_mask=p).square().sum()))
    x = torch.randn(3, 5, 2, 3, dtype=D)
    torch.testing.assert_close(
        per_sample(x, PADDING),
        torch.func.grad(lambda x: layer(x, key_padding_mask=PADDING).square().sum())(x),
    )


def test_masks_are_compiled_and_exported():
    V = Group("C3").rep("regular")
    block = randomised(TransformerBlock(V, 2, 1, hidden=2, activation=torch.tanh, dtype=D))
    x, mask = torch.randn(3, 5, 2, 3, dtype=D, requires_grad=True), torch.ones(5, 5, dtype=torch.bool).triu(1)
    call = lambda x, p, m: block(x, key_padding_mask=p, attn_mask=m)  # noqa: E731
    compiled = torch.compile(call, fullgraph=True, backend="aot_eager")
    for f in (compiled, call):
        y = f(x, PADDING, mask)
        torch.testing.assert_close(y, call(x, PADDING, mask))
    (a,), (b,) = (torch.autograd.grad(f(x, PADDING, mask).square().sum(), x) for f in (compiled, call))
    torch.testing.assert_close(a, b)
    program = torch.export.export(block, (x.detach(),), {"key_padding_mask": PADDING, "attn_mask": mask})
    torch.testing.assert_close(program.module()(x, key_padding_mask=~PADDING, attn_mask=mask), call(x, ~PADDING, mask))


def test_masks_of_other_shapes_are_refused():
    layer, x = MultiheadAttention(Group("S3").rep("perm"), 4, 2, dtype=D), torch.randn(3, 5, 4, 3, dtype=D)
    for settings, said in [
        ({"key_padding_mask": PADDING[:2]}, r"the key_padding_mask has the shape \[2, 5\], and an input of the shape \[3, 5, 4, 3\] takes \[3, 5\]"),
        ({"key_padding_mask": PADDING.t()}, r"\[5, 3\]"),
        ({"key_padding_mask": PADDING[0]}, r"takes \[3, 5\]"),
        ({"key_padding_mask": PADDING.long()}, "True where nobody may look, or numbers .*, not torch.int64"),
        ({"key_padding_mask": [True]}, "not list"),
        ({"attn_mask": torch.zeros(6, 5, 5, dtype=torch.bool)}, r"takes \[5, 5\] or \[3, 5, 5\] or \[3, 2, 5, 5\]: write attn_mask.unflatten\(0, \(3, 2\)\)"),
        ({"attn_mask": torch.zeros(4, 4, dtype=torch.bool)}, r"\[4, 4\]"),
        ({"attn_mask": torch.zeros(5, dtype=torch.bool)}, r"the shape \[5\]"),
        ({"attn_mask": PADDING.to("meta"), "key_padding_mask": PADDING}, r"attn_mask has the shape \[3, 5\]"),
        ({"key_padding_mask": PADDING.to("meta")}, "is on meta and the input on cpu"),
    ]:  # fmt: skip
        for module in (layer, TransformerBlock(Group("S3").rep("perm"), 4, 2, dtype=D)):
            with pytest.raises(DomainError, match=said) as error:
                module(x, **settings)
            assert "\n" not in str(error.value)
