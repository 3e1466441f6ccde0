"""Group self-attention: exact for every listed group, and not for what it must not be."""

import doctest
import math
import pathlib
import re
import warnings

import numpy
import pytest
from conftest import compare_pictures

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import intertwine.gsa  # noqa: E402
from intertwine import DomainError, Group  # noqa: E402
from intertwine.gsa import (  # noqa: E402
    Affine,
    Dilations,
    GroupSelfAttention,
    GSANet,
    LiftingSelfAttention,
    _attend,  # noqa: E402
    disc,
    everywhere,
    exact_subgroup,
    grid,
    motions,
    offsets,
    points,
    square,
    torus,
)
from intertwine.nn import check_equivariance  # noqa: E402

D = torch.float64
ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    yield
    torch.compiler.reset()


class Flat(torch.nn.Module):
    """A layer on [batch, channels, |H| N]."""

    def __init__(self, layer):
        super().__init__()
        self.layer, self.in_channels = layer, layer.in_channels

    def forward(self, x):
        return self.layer(x.unflatten(-1, (self.layer.keys, *self.layer.positions.shape))).flatten(2)


def make(H, positions, around, form="relative", **settings):
    H = Affine(H) if isinstance(H, str) else H
    if form == "lifting":
        layer = LiftingSelfAttention(H, positions, around, 2, 3, 2, head_channels=2, dtype=D, **settings)
    else:
        layer = GroupSelfAttention(H, positions, around, 2, 3, 2, head_channels=2, form=form, dtype=D, **settings)
    for p in layer.parameters():
        if p.dim() == 1:
            torch.nn.init.normal_(p)
    with torch.no_grad():
        layer.query.weight.mul_(3)  # attention that is far from uniform shows what it sees
    return layer


@pytest.mark.parametrize("form", ["relative", "lifting"])
def test_what_a_layer_shows_of_its_constants_is_a_copy(form):
    layer = make("R4", torus(4, 4), square(3), form)
    x = torch.randn(1, 2, layer.keys, 4, 4, dtype=D)
    y, vectors = layer(x), layer.vectors
    assert torch.equal(layer.vectors.zero_(), torch.zeros_like(vectors)) and torch.equal(layer.vectors, vectors)
    if layer.matrices is not None:
        layer.matrices.zero_()
    assert torch.equal(layer(x), y)


def check(layer):
    moved = motions(layer.H, layer.positions)
    return check_equivariance(
        Flat(layer), moved.sites if layer.form == "lifting" else moved.lifted, moved.lifted, batch=3, tolerance=1e-12
    )


def orbit(H, count):
    x = torch.randn(count, H.d, dtype=D).numpy()
    return points(numpy.einsum("hab,nb->hna", H.matrices, x).reshape(-1, H.d))


# --- Groups ------------------------------------------------------------------------------------------------------------------


def test_groups():
    for name, order in (
        ("Z2", 1),
        ("M", 2),
        ("R4", 4),
        ("R8", 8),
        ("R12", 12),
        ("R16", 16),
        ("R4M", 8),
        ("R1", 1),
        ("R2M", 4),
        ("R1M", 2),
    ):
        H = Affine(name)
        assert H.order == order and H.d == 2 and H.regular.dimension == order
        numpy.testing.assert_allclose(
            H.matrices[H.products], numpy.einsum("gab,hbc->ghac", H.matrices, H.matrices), atol=1e-15
        )
        numpy.testing.assert_allclose(H.matrices[H.inverses], H.matrices.transpose(0, 2, 1), atol=1e-15)
        assert H.is_on_grid == (name not in ("R8", "R12", "R16"))
    assert Affine("Z3", d=3).d == 3 and Affine("M", d=1).matrices.tolist() == [[[1.0]], [[-1.0]]]
    box = Affine("R4") * Affine("M", d=1)
    assert (box.order, box.d) == (8, 3) and Affine(Group("B3").rep("coordinates")).order == 48
    own = Affine([[[0, -1], [1, 0]]])
    assert own.order == 4 and own.is_on_grid
    # The rotation is that of the kernels of convolutions: rows turn to columns.
    turn = Affine("R4").representation.matrix(Affine("R4").group.generators[0])
    assert turn.tolist() == [[0, -1], [1, 0]]


@pytest.mark.parametrize(
    "H, meant",
    [
        ("C4", "R4"),
        ("D4", "R4M"),
        ("p4", "R4"),
        ("p4m", "R4M"),
        ("p1", "Z2"),
        ("C1", "Z2"),
        ("trivial", "Z2"),
        (Group("C4"), "R4"),
        (Group("D6"), "R6M"),
    ],
)
def test_what_others_call_the_groups(H, meant):
    with pytest.raises(DomainError, match=rf": write Affine\('{meant}'\)"):
        Affine(H)


def test_what_is_no_group():
    with pytest.raises(DomainError, match=r"one matrix: write Affine\(\[\[\[0, -1\], \[1, 0\]\]\]\)"):
        Affine([[0, -1], [1, 0]])
    with pytest.raises(DomainError, match="how A5 acts on space is to be said, or give a representation"):
        Affine(Group("A5"))
    with pytest.raises(DomainError, match="'SO.2.' is not known; names are Z2"):
        Affine("SO(2)")
    with pytest.raises(DomainError, match=r"dilations with H are Dilations\(ratio, count, H\)"):
        Affine("R4") * Dilations(2, 3)
    with pytest.raises(DomainError, match="dilations are not multiplied"):
        Dilations(2, 3) * Affine("R4")
    with pytest.raises(DomainError, match=r"take less \(crop=, of networks crops=\), or larger images"):
        GSANet.rotmnist("R4", 14)


def test_motions():
    R4 = Affine("R4")
    assert motions(R4, grid(4, 4)).group.order == 4
    assert motions(R4, grid(4, 5)).group.order == 2  # an oblong has half turns alone
    found = motions(R4, torus(3, 3))
    assert found.group.order == 36 and found.sites.dimension == 9 and found.lifted.dimension == 36
    # A quarter turn of an image, by the convention of numpy and by that of the layers.
    image = numpy.arange(9).reshape(3, 3)
    g = R4.group.generators[0]
    at = grid(3, 3).image(R4.matrices[R4.elements.index(g)])
    turned = numpy.empty(9, dtype=int)
    turned[at] = image.reshape(-1)
    assert turned.reshape(3, 3).tolist() == numpy.rot90(image).tolist()


# --- Equivariance ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("H", ["Z2", "M", "R4", "R4M"])
@pytest.mark.parametrize("form", ["lifting", "relative", "summed"])
def test_exact_on_grids_and_tori(H, form):
    for positions in (grid(4, 4), torus(5, 5)) if (H, form) != ("R4M", "summed") else (grid(3, 3), torus(3, 3)):
        layer = make(H, positions, square(3), form)
        report = check(layer)
        assert report and report.error < 1e-12, report
        assert exact_subgroup(layer).order == layer.H.order


@pytest.mark.parametrize("H, around", [("R8", disc(1.0)), ("R12", disc(1.0)), ("R8", everywhere), ("R3M", everywhere)])
def test_exact_on_points(H, around):
    H = Affine(H)
    positions = orbit(H, 2)
    for form in ("lifting", "relative"):
        layer = make(H, positions, around, form)
        report = check(layer)
        assert report and report.error < 1e-12, report
        assert exact_subgroup(layer).order == H.order


def test_sixteen_rotations():
    H = Affine("R16")
    for form in ("lifting", "relative"):
        report = check(make(H, orbit(H, 1), disc(0.7), form))
        assert report and report.error < 1e-12, report


def test_other_neighbourhoods_encodings_and_dimensions():
    knight = offsets([(0, 0), *((a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1))])
    for layer in (
        make("R4", grid(4, 4), everywhere),
        make("R4", torus(3, 3), everywhere),
        make("R4M", grid(5, 5), knight),
        make("R4", grid(4, 4), square(3), encoding="table"),
        make("R8", grid(5, 5), disc(1.5)),
        make(Affine("R4") * Affine("M", d=1), grid(2, 2, 3), square(3)),
        make(Affine("M", d=1), torus(7), square(5)),
    ):
        report = check(layer)
        assert report and report.error < 1e-12, report


def test_a_square_grid_has_four_of_eight_rotations():
    layer = make("R8", grid(5, 5), disc(1.5))
    assert exact_subgroup(layer).order == 4


@pytest.mark.parametrize("H", ["M", "R4", "R8"])
def test_the_printed_form_is_not_equivariant(H):
    positions, around = (torus(3, 3), square(3)) if H != "R8" else (orbit(Affine(H), 2), everywhere)
    with pytest.warns(UserWarning, match="not equivariant") as caught:
        layer = make(H, positions, around, "printed", bias=False)  # constants would hide it
    assert len(caught) == 1 and not caught[0].filename.endswith("_arguments.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = check(layer)
    assert not report and report.error > 1e-2
    # The same parameters in the form that is right.
    right = make(H, positions, around, "summed", bias=False)
    right.load_state_dict(layer.state_dict())
    assert check(right)


def test_what_is_not_a_symmetry_is_not_one():
    """Layers of R4 commute with no mirror, those of Z2 with no rotation, and all see where things are."""
    mirror = Group("D1")
    sites = mirror.rep("kernel(3,3)")
    lift = make("Z2", grid(3, 3), square(3), "lifting")
    assert check_equivariance(lambda x: lift(x.unflatten(-1, (1, 3, 3))).flatten(2), sites, sites, 2).error > 1e-2
    quarter = Group("C4").rep("kernel(3,3)")
    report = check_equivariance(lambda x: lift(x.unflatten(-1, (1, 3, 3))).flatten(2), quarter, quarter, 2)
    assert not report and report.error > 1e-2
    pooled = make("R4", grid(3, 3), square(3), "lifting")
    invariant = lambda x: pooled(x.unflatten(-1, (1, 3, 3))).tanh().sum(2).flatten(2)  # noqa: E731
    assert check_equivariance(invariant, quarter, quarter, 2, tolerance=1e-12)
    report = check_equivariance(invariant, sites, sites, 2)
    assert not report and report.error > 1e-2
    shuffled = Group("S9").rep("perm")
    assert check_equivariance(invariant, shuffled, shuffled, 2).error > 1e-2


def test_translations_in_the_interior():
    layer = make("R4", grid(9, 9), square(3))
    x = torch.zeros(1, 2, 4, 9, 9, dtype=D)
    x[..., 3:5, 3:5] = torch.randn(1, 2, 4, 2, 2, dtype=D)
    a, b = layer(x), layer(x.roll((1, 2), (-2, -1)))
    torch.testing.assert_close(b[..., 2:7, 3:8], a.roll((1, 2), (-2, -1))[..., 2:7, 3:8], rtol=0, atol=1e-12)


def test_parameters_do_not_grow_with_the_group():
    count = lambda H, **s: sum(p.numel() for p in make(H, grid(5, 5), disc(1.0), **s).parameters())  # noqa: E731
    assert len({count(H) for H in ("Z2", "M", "R4", "R8", "R16", "R4M")}) == 1
    assert len({count(H, form="lifting") for H in ("Z2", "R4", "R16")}) == 1
    assert count("R8", encoding="table") - count("R4", encoding="table") == 4 * 2
    layer = make("R4", grid(4, 4), square(3))
    assert all(name.split(".")[0] in ("encoding", "query", "key", "value", "out") for name in layer.state_dict())
    make("R16", grid(5, 5), disc(2.0)).load_state_dict(layer.state_dict())


# --- Numbers -----------------------------------------------------------------------------------------------------------------


def by_definition(layer, x):
    """The formula, one pair at a time. x [C, G, N]."""
    H, p, heads = layer.H, layer.positions, layer.heads
    q, k, v = (f(x.permute(2, 1, 0)).unflatten(-1, (heads, -1)) for f in (layer.query, layer.key, layer.value))
    size = torch.tensor(p.shape, dtype=D)
    out = torch.zeros(p.count, H.order, heads, q.shape[-1], dtype=D)
    coordinates, matrices = torch.from_numpy(p.coordinates), torch.from_numpy(H.matrices)
    for i in range(p.count):
        for h in range(H.order):
            for tilde in range(H.order) if layer.form in ("summed", "printed") else (h,):
                scores, values = [], []
                for j in range(p.count):
                    apart = coordinates[j] - coordinates[i]
                    if p.kind == "torus":
                        apart = (apart + size // 2) % size - size // 2
                    if not layer.neighbourhood.contains(apart[None].numpy())[0]:
                        continue
                    turned = matrices[h].T @ apart
                    for g in range(layer.keys):
                        e = H.products[H.inverses[h if layer.form == "relative" else tilde], g]
                        if layer.form == "printed":
                            e = H.products[H.inverses[h], e]
                        rho = layer.encoding(turned[None], None if layer.form == "lifting" else matrices[e][None])
                        added = (
                            layer.key(rho)[0]
                            if layer.encodes == "features"
                            else rho[0].repeat(heads)
                            if rho.shape[1] == q.shape[-1]
                            else rho[0]
                        )
                        key = k[j, g] + added.unflatten(-1, (heads, -1))
                        query = q[i, 0 if layer.form == "lifting" else tilde]
                        scores.append((query * key).sum(-1) / math.sqrt(q.shape[-1]))
                        values.append(v[j, g])
                out[i, h] += (torch.stack(scores).softmax(0)[..., None] * torch.stack(values)).sum(0)
    return layer.out(out.flatten(-2)).permute(2, 1, 0)


@pytest.mark.parametrize("form", ["lifting", "relative", "summed", "printed"])
@pytest.mark.parametrize("where", ["grid", "torus", "points"])
@pytest.mark.filterwarnings("ignore:form=.printed")
def test_the_formula(form, where):
    positions = {"grid": grid(3, 2), "torus": torus(3, 3), "points": points(torch.randn(5, 2))}[where]
    layer = make("R2", positions, square(3) if where != "points" else disc(1.5), form)
    x = torch.randn(2, 2, layer.keys, positions.count, dtype=D)
    y = layer(x.unflatten(-1, positions.shape))
    torch.testing.assert_close(y.flatten(3), torch.stack([by_definition(layer, s) for s in x]), rtol=0, atol=1e-12)
    torch.testing.assert_close(layer(x[0].unflatten(-1, positions.shape)), y[0])


class Own(torch.nn.Module):
    """An encoding with numbers for each head: rows of the differences, then of the elements."""

    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(6, width, dtype=D))

    def forward(self, a, matrices):
        if matrices is None:
            return a @ self.weight[:2]
        return (a.sin()[:, None] @ self.weight[:2] + matrices.flatten(1) @ self.weight[2:]).flatten(0, 1)


@pytest.mark.parametrize("form", ["lifting", "relative", "summed"])
@pytest.mark.parametrize("encoding", ["matrix", "own", "own for each head"])
def test_encodings_added_to_keys(form, encoding):
    own = "matrix" if encoding == "matrix" else Own(4 if encoding.endswith("head") else 2)
    layer = make("R4", torus(3, 3), square(3), form, encodes="keys", encoding=own)
    x = torch.randn(1, 2, layer.keys, 9, dtype=D)
    torch.testing.assert_close(
        layer(x.unflatten(-1, (3, 3))).flatten(3)[0], by_definition(layer, x[0]), rtol=0, atol=1e-12
    )
    assert check(layer)


def test_own_encodings_of_features_and_of_the_wrong_shape():
    layer = make("M", grid(3, 3), square(3), encoding=Own(2))
    x = torch.randn(1, 2, 2, 9, dtype=D)
    torch.testing.assert_close(
        layer(x.unflatten(-1, (3, 3))).flatten(3)[0], by_definition(layer, x[0]), rtol=0, atol=1e-12
    )
    for encodes, wanted in (("features", "18 rows of 2 numbers"), ("keys", "18 rows of 2 or 4 numbers")):
        with pytest.raises(DomainError, match=wanted):
            make("M", grid(3, 3), square(3), encoding=Own(3), encodes=encodes)(x.unflatten(-1, (3, 3)))


def test_dropout_of_attention(monkeypatch):
    """Its mean is the layer without it; the backward pass makes the same masks again; nothing is taken out in
    evaluation."""
    monkeypatch.setattr(_attend, "_JOINT", 200)  # many chunks
    layer = make("M", grid(2, 3), square(3), dropout=0.4)
    x = torch.randn(1, 2, 2, 2, 3, dtype=D, requires_grad=True)

    def seeded_call(x):
        torch.manual_seed(3)
        return layer(x)

    y = seeded_call(x)
    assert layer.what_ran() == "plain PyTorch: attention dropout" and y.equal(seeded_call(x)) and not y.equal(layer(x))
    assert torch.autograd.gradcheck(seeded_call, (x,))
    many = layer(x.detach().expand(4000, -1, -1, -1, -1))
    expected = layer.eval()(x)[0]
    assert layer.what_ran() == "fused"
    spread = many.std(0) / math.sqrt(len(many))
    assert bool(((many.mean(0) - expected).abs() < 5 * spread).all()) and float(spread.max()) < 0.1
    assert not bool((many.std(0) < 1e-3).any())


class NoEncoding(torch.nn.Module):
    def forward(self, a, matrices):
        return a.new_zeros(len(a), 2)


def test_which_encodings_give_which_symmetry():
    """None: all permutations. Absolute: nothing. Relative: translations, not turns. Lifted: turns too (Romero &
    Cordonnier 2021, propositions)."""
    x = torch.randn(2, 2, 1, 5, 5, dtype=D)
    shuffle = torch.randperm(25)

    def defect(f, move):
        y, moved = f(move(x)), move(f(x))
        return float((y - moved).abs().max() / moved.abs().max())

    shuffled = lambda x: x.flatten(-2)[..., shuffle].unflatten(-1, (5, 5))  # noqa: E731
    shifted = lambda x: x.roll((1, 2), (-2, -1))  # noqa: E731
    turned = lambda x: x.rot90(1, (-2, -1))  # noqa: E731
    with torch.no_grad():
        none = make("Z2", torus(5, 5), everywhere, "lifting", encoding=NoEncoding())
        assert max(defect(none, shuffled), defect(none, shifted), defect(none, turned)) < 1e-12
        place = torch.randn(2, 1, 5, 5, dtype=D)
        absolute = lambda x: none(x + place)  # noqa: E731
        assert min(defect(absolute, shuffled), defect(absolute, shifted), defect(absolute, turned)) > 1e-2
        relative = make("Z2", torus(5, 5), everywhere, "lifting")
        assert defect(relative, shifted) < 1e-12 < 1e-2 < min(defect(relative, shuffled), defect(relative, turned))
        lifted = make("R4", torus(5, 5), everywhere, "lifting")
        pooled = lambda x: lifted(x).amax(2)  # noqa: E731
        assert max(defect(pooled, shifted), defect(pooled, turned)) < 1e-12 < 1e-2 < defect(pooled, shuffled)


def test_what_ran():
    layer = make("M", grid(2, 2), square(3))
    assert layer.what_ran() == "nothing yet"
    x = torch.randn(1, 2, 2, 2, 2, dtype=D)
    layer(x)
    assert layer.what_ran() == "fused"
    torch.func.jvp(layer, (x,), (x,))
    assert layer.what_ran() == "plain PyTorch: under torch.func or forward mode"


def test_sites_outside_have_no_weight():
    """A corner sees four sites and no zeros beside them: constants stay what they are, which zeros for keys would
    change."""
    layer = make("R4", grid(3, 3), square(3), bias=False)
    x = torch.ones(1, 2, 4, 3, 3, dtype=D)
    y = layer(x)
    torch.testing.assert_close(y, y[..., :1, :1].expand_as(y), rtol=0, atol=1e-12)


CASES = [
    ("R4", grid(5, 4), square(3), "relative"),
    ("Z2", torus(5, 6), square(5), "relative"),
    ("M", grid(3, 3), everywhere, "summed"),
    ("R4", grid(5, 5), square(3), "lifting"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]}-{c[1].kind}-{c[3]}")
def test_fused_and_plain_pytorch_agree(case):
    layer = make(*case)
    x = torch.randn(3, layer.positions.count, layer.keys, 2, dtype=D, requires_grad=True)
    operands = [x, *layer.parameters()]
    ways = "fused", "plain PyTorch", "plain PyTorch: traced"
    attend = lambda x, way, weights: _attend.attend(x, weights, layer.blocks, layer.rows, way=way)  # noqa: E731
    y, *others = (attend(x, way, layer.weights()) for way in ways)
    w = torch.randn_like(y)
    gradients = torch.autograd.grad(y, operands, w, allow_unused=True)
    for expected in others:
        torch.testing.assert_close(y, expected, rtol=0, atol=1e-13)
        for a, b in zip(gradients, torch.autograd.grad(expected, operands, w, allow_unused=True)):
            assert (a is None) == (b is None)
            if a is not None:
                torch.testing.assert_close(a, b, rtol=0, atol=1e-11)
    single = _attend.Weights(*(None if t is None else t.detach().float() for t in layer.weights()))
    found = attend(x.detach().float(), "fused", single)
    torch.testing.assert_close(found, y.detach().float(), rtol=0, atol=1e-5)
    threads = torch.get_num_threads()
    try:
        for n in (1, 2):
            torch.set_num_threads(n)
            assert attend(x.detach().float(), "fused", single).equal(found)
    finally:
        torch.set_num_threads(threads)


def test_scores_of_any_size():
    layer = make("R4", grid(4, 4), square(3))
    x = torch.randn(2, 4 * 4, 4, 2, dtype=D)
    for scale in (1.0, 1000.0):
        values, slopes = [], []
        for way in ("fused", "plain PyTorch"):
            values.append(_attend.attend(scale * x, layer.weights(), layer.blocks, layer.rows, way=way))
            slopes.append(torch.autograd.grad(values[-1].sum(), layer.value.weight)[0])
        torch.testing.assert_close(*values, rtol=1e-8, atol=1e-8 * scale)
        torch.testing.assert_close(*slopes, rtol=1e-8, atol=1e-8 * scale)


def test_derivatives():
    layer = make("M", grid(2, 2), square(3), hidden=2)
    x = torch.randn(1, 2, 2, 2, 2, dtype=D, requires_grad=True)
    names = [n for n, _ in layer.named_parameters()]
    f = lambda x, *ps: torch.func.functional_call(layer, dict(zip(names, ps)), (x,))  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, *layer.parameters()))
    assert torch.autograd.gradgradcheck(layer, (x,))
    loss = lambda x: layer(x).pow(2).sum()  # noqa: E731
    (expected,) = torch.autograd.grad(loss(x), x)
    torch.testing.assert_close(torch.func.grad(loss)(x), expected)
    _, tangent = torch.func.jvp(loss, (x,), (torch.ones_like(x),))
    torch.testing.assert_close(tangent, expected.sum())
    lift = make("M", grid(2, 2), square(3), "lifting")
    assert torch.autograd.gradcheck(lift, (torch.randn(1, 2, 1, 2, 2, dtype=D, requires_grad=True),))


@pytest.mark.parametrize("form", ["relative", "lifting"])
def test_recorded(form):
    """What the fused sum writes to addresses leaves no record, so plain PyTorch runs where operations are recorded."""
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx

    layer = make("M", grid(3, 3), square(3), form)
    shape = (1, 2, 1, 3, 3) if form == "lifting" else (1, 2, 2, 3, 3)
    x, t, z = (torch.randn(shape, dtype=D) for _ in range(3))
    expected = torch.func.jvp(layer, (x,), (t,))[1]
    assert expected.abs().max() > 0
    torch.testing.assert_close(torch.func.linearize(layer, x)[1](t), expected)
    for traced in (make_fx(layer)(x), make_fx(layer, pre_dispatch=True)(x)):
        torch.testing.assert_close(traced(z), layer(z))
    loss = lambda x: layer(x).pow(2).sum()  # noqa: E731
    torch.testing.assert_close(make_fx(torch.func.grad(loss))(x)(z), torch.func.grad(loss)(z))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        assert layer(mode.from_tensor(x)).shape == layer(x).shape


def test_compile_and_export():
    layer = make("M", grid(3, 3), square(3))
    x = torch.randn(2, 2, 2, 3, 3, dtype=D, requires_grad=True)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), layer(x))
    for a, b in zip(
        *(
            torch.autograd.grad(f(x).pow(2).sum(), [x, *layer.parameters()], materialize_grads=True)
            for f in (compiled, layer)
        )
    ):
        torch.testing.assert_close(a, b)
    program = torch.export.export(layer, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    more = torch.randn(3, 2, 2, 3, 3, dtype=D)
    torch.testing.assert_close(program.module()(more), layer(more))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        single = make("M", grid(3, 3), square(3)).float()
        assert bool(torch.isfinite(single(x.detach().float())).all())


# A torus whose sides differ: R4 does not turn it into itself, and what is left of H is.
def test_unequal_sides():
    R4 = Affine("R4")
    assert motions(R4, torus(3, 6)).group.order == 2 * 18 and motions(R4, torus(5, 5)).group.order == 4 * 25
    layer = make("R4", torus(3, 7), square(3))
    assert exact_subgroup(layer).order == 2
    assert check(layer)


# --- Bad input ---------------------------------------------------------------------------------------------------------------


def test_bad_groups():
    for H, words in (
        ("Q8", "names are Z2"),
        ("Z3", "write Affine"),
        ([[[1, 1], [0, 1]]], "not orthogonal"),
        ([[[1, 0, 0], [0, 1, 0], [0, 0, 1]]], "give d=3"),
        (Group("S3").rep("std"), "not orthogonal"),
        ([[["3/5", "-4/5"], ["4/5", "3/5"]]], "finite|infinite"),
    ):
        with pytest.raises(DomainError, match=words):
            Affine(H)
    with pytest.raises(DomainError, match="turns a plane"):
        Affine("R4", d=3)


def test_bad_positions_and_neighbourhoods():
    R4, R8 = Affine("R4"), Affine("R8")
    for make_it, words in (
        (lambda: square(4), "odd number"),
        (lambda: disc(-1), "radius"),
        (lambda: offsets([]), "at least one"),
        (lambda: grid(), "positive size"),
        (lambda: torus(3, 0), "positive size"),
        (lambda: points([[0.0, 1.0], [0.0, 1.0]]), "equal"),
        (lambda: points([1.0, 2.0]), r"\[N, d\]"),
        (lambda: GroupSelfAttention(R8, grid(9, 9), square(5), 1, 1), r"R8 does not map the square .* disc\(2.83\)"),
        (
            lambda: GroupSelfAttention(R4, grid(9, 9), offsets([(0, 0), (0, 1)]), 1, 1),
            "takes the offset .* which is none of it",
        ),
        (lambda: GroupSelfAttention(Affine("Z2"), grid(3, 3), offsets([(0, 1)]), 1, 1), "position 2 has no neighbours"),
        (lambda: GroupSelfAttention(R4, grid(3, 3, 3), square(3), 1, 1), "3 coordinates"),
        (lambda: GroupSelfAttention(R4, torus(4, 4), square(5), 1, 1), "torus"),
        (lambda: GroupSelfAttention(R4, torus(4, 4), everywhere, 1, 1), "odd size"),
        (
            lambda: GroupSelfAttention(Affine("Z2"), grid(3, 3), offsets([(0, 0, 0)]), 1, 1),
            "3 coordinates and the positions 2",
        ),
        (lambda: GroupSelfAttention(R4, grid(3, 3), square(3), 1, 1, form="absolute"), "forms are"),
        (lambda: GroupSelfAttention(R4, grid(3, 3), square(3), 1, 1, encoding="sine"), "encodings are"),
        (lambda: GroupSelfAttention(R4, grid(3, 3), square(3), 0, 1), "in_channels"),
        (lambda: GroupSelfAttention(R4, grid(3, 3), square(3), 1, 1, dropout=1.0), "probability"),
        (lambda: GroupSelfAttention(R4, grid(3, 3), square(3), 1, 1, encodes="values"), "added to features"),
        (lambda: exact_subgroup(torch.nn.ReLU()), "ReLU"),
    ):
        with pytest.raises(DomainError, match=words):
            make_it()
    with pytest.raises(DomainError, match=r"takes \[..., 1, 4, 3, 3\]"):
        GroupSelfAttention(R4, grid(3, 3), square(3), 1, 1)(torch.randn(2, 1, 1, 3, 3))


# --- Words -------------------------------------------------------------------------------------------------------------------


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "attention.md").read_text(), re.DOTALL)
    assert len(blocks) >= 6
    names: dict = {}
    for block in blocks:
        exec(compile(block, "attention.md", "exec"), names)
    assert compare_pictures(tmp_path, ROOT / "docs" / "attention.md") == ["commutant.svg"]


def test_docstrings_run():
    assert doctest.testmod(intertwine.gsa).failed == 0
    for name in intertwine.gsa.__all__:
        assert (getattr(intertwine.gsa, name).__doc__ or "").strip(), name
