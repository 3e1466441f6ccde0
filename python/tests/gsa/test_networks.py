"""Networks of group self-attention: invariant under their group and no larger one, of the sizes that are published, and
refused where a crop or a pooling would move the centre."""

import copy
import pathlib
import pickle
import re

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, Group  # noqa: E402
from intertwine.gsa import (  # noqa: E402
    Affine,
    GSABlock,
    GSANet,
    disc,
    everywhere,
    exact_subgroup,
    grid,
    motions,
    points,
    square,
    torus,
)

D = torch.float64
ROOT = pathlib.Path(__file__).resolve().parents[3]
LISTED = ("Z2", "M", "R4", "R8", "R12", "R16", "R4M")


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def net(H, positions, around, **settings):
    given = {"channels": 4, "layers": (1, 1), "heads": 2, "hidden": 4, "dtype": D}
    f = GSANet(Affine(H) if isinstance(H, str) else H, positions, around, 1, 3, **{**given, **settings}).eval()
    with torch.no_grad():
        for name, p in f.named_parameters():  # attention that is far from uniform shows what it sees
            if name.endswith("query.weight"):
                p.mul_(4)
    return f


def moved(x, image):
    """The function x on positions, moved: what was at j is at image[j]."""
    y = torch.empty_like(x)
    y[..., image] = x
    return y


def defect(f, x, gx):
    """|f(g x) - f(x)| relative to what f tells of x: how far it is from its mean over the samples."""
    with torch.no_grad():
        y, gy = f(x), f(gx)
    return float((gy - y).abs().max() / (y - y.mean(0)).abs().max())


def orbit(H, count):
    x = torch.randn(count, H.d, dtype=D).numpy()
    return points(numpy.einsum("hab,nb->hna", H.matrices, x).reshape(-1, H.d))


# --- Symmetry ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("H", ["Z2", "M", "R4", "R4M"])
def test_networks_are_invariant_under_their_group_and_no_larger_one(H):
    """On a square grid, cropped and pooled; R8, R12, R16 have four elements there."""
    f = net(H, grid(8, 8), square(3), crops=(1, 0), pools=(2, 1))
    assert f.target.shape == (3, 3) and exact_subgroup(f).order == f.H.order
    x = torch.randn(3, 1, 8, 8, dtype=D)
    for other in ("M", "R4", "R4M"):
        group = Affine(other)
        for k, h in enumerate(group.elements):
            image = grid(8, 8).image(group.matrices[k])
            apart = defect(f, x, moved(x.flatten(2), image).view_as(x))
            if any(numpy.allclose(group.matrices[k], A) for A in f.H.matrices):
                assert apart < 1e-12, (other, h)
            else:
                assert apart > 1e-2, (other, h)


@pytest.mark.parametrize("H, larger", [("R8", "R16M"), ("R12", "R24M"), ("R16", "R32M")])
def test_networks_on_points(H, larger):
    """Rotations that no grid has: points that a larger group maps to itself, and what of it leaves a network of H
    alone: H, nothing else."""
    H, larger = Affine(H), Affine(larger)
    every = points(numpy.einsum("hab,b->ha", larger.matrices, numpy.array([1.0, 0.3])))
    f = net(H, every, disc(0.7), layers=(1,))
    assert exact_subgroup(f).order == H.order
    x = torch.randn(2, 1, every.count, dtype=D)
    inside = [any(numpy.allclose(A, B) for B in H.matrices) for A in larger.matrices]
    assert sum(inside) == H.order
    outside = [k for k in range(larger.order) if not inside[k]]
    worst = 0.0
    for k in [*(k for k in range(larger.order) if inside[k]), *outside[:: len(outside) // 6]]:
        apart = defect(f, x, moved(x, every.image(larger.matrices[k])))
        assert apart < 1e-12 if inside[k] else apart > 1e-3, (larger.elements[k], apart)
        worst = max(worst, apart)
    assert worst > 1e-2


@pytest.mark.parametrize("H", ["Z2", "R4", "R4M"])
def test_translations_of_a_torus(H):
    f = net(H, torus(5, 5), square(3))
    x = torch.randn(2, 1, 5, 5, dtype=D)
    assert defect(f, x, x.roll((2, 1), (-2, -1))) < 1e-12
    group = motions(f.H, torus(5, 5))
    assert group.group.order == 25 * f.H.order
    y, gy = f.features(x), f.features(x.roll((2, 1), (-2, -1)))
    torch.testing.assert_close(gy, y.roll((2, 1), (-2, -1)), rtol=0, atol=1e-12)


def test_features_are_equivariant_forward_and_backward():
    f = net("R4", grid(6, 6), square(3), pools=(2, 1), crops=(0, 1), layers=(1, 1))
    x = torch.randn(2, 1, 6, 6, dtype=D, requires_grad=True)
    y = f.features(x)
    quarter = f.features(x.rot90(1, (2, 3)))
    back = quarter.rot90(-1, (3, 4))
    # Elements of H are moved too: those of the first are those of the second in another order.
    order = [int(((back[:, :, [h]] - y).abs().amax((0, 1, 3, 4))).argmin()) for h in range(4)]
    assert sorted(order) == [0, 1, 2, 3] and order != [0, 1, 2, 3]
    torch.testing.assert_close(back, y[:, :, order], rtol=0, atol=1e-12)
    (a,) = torch.autograd.grad(f(x)[:, 0].sum(), x)
    turned = x.detach().rot90(1, (2, 3)).requires_grad_()
    (b,) = torch.autograd.grad(f(turned)[:, 0].sum(), turned)
    torch.testing.assert_close(b, a.rot90(1, (2, 3)), rtol=0, atol=1e-12)


def test_eight_rotations_of_a_grid():
    f = net("R8", grid(6, 6), disc(1.5), pools=(2, 1))
    assert exact_subgroup(f).order == 4
    x = torch.randn(2, 1, 6, 6, dtype=D)
    assert defect(f, x, x.rot90(1, (2, 3))) < 1e-12
    mixed = torch.nn.Sequential(f, net("R4", grid(6, 6), square(3)))
    with pytest.raises(DomainError, match="different groups"):
        exact_subgroup(mixed)


# --- What is published -------------------------------------------------------------------------------------------------------


def test_one_number_of_parameters_for_every_group():
    """The published network for rotMNIST has 44,348 + 20 |H|, its H through tables; those for CIFAR-10 and PCam 2.99
    and 0.2 million."""
    count = lambda f: sum(p.numel() for p in f.parameters())  # noqa: E731
    assert {count(GSANet.rotmnist(H)) for H in LISTED} == {44472}
    assert {count(GSANet.cifar10(H)) for H in ("Z2", "M", "R4")} == {2997552}
    assert {count(GSANet.pcam(H)) for H in ("Z2", "R4", "R8", "R4M")} == {206418}
    table = lambda H: count(GSANet.rotmnist(H, encoding="table"))  # noqa: E731
    assert table("R8") - table("R4") == 5 * 4 * 10  # a row of 10 numbers for each element in each of five blocks


def test_published_networks_run():
    for make, size, shape in ((GSANet.rotmnist, 28, (4, 4)), (GSANet.cifar10, 8, (2, 2)), (GSANet.pcam, 96, (3, 3))):
        f = make("Z2", size, around=3, channels=2, heads=1, hidden=2, dtype=D)
        assert f.target.shape == shape
        if size < 90:
            x = torch.randn(1, f.in_channels, size, size, dtype=D)
            assert f.eval()(x).shape == (1, f.classes)
    # The channels of each stage, and that cifar10 normalises between blocks.
    assert [m.attention.out_channels for m in GSANet.pcam("Z2").body if isinstance(m, GSABlock)] == [24, 48, 48, 96]
    assert [m.attention.out_channels for m in GSANet.cifar10("Z2").body if isinstance(m, GSABlock)] == [
        96,
        96,
        192,
        192,
        192,
        192,
    ]
    f = GSANet.rotmnist("R4", 28, channels=2, heads=1, hidden=2, around=3, dtype=D).eval()
    x = torch.randn(2, 1, 28, 28, dtype=D)
    assert defect(f, x, x.rot90(1, (2, 3))) < 1e-12
    assert f.body[2].attention.dropout == 0.1


def test_a_block_is_what_it_says():
    block = GSABlock(Affine("R4"), grid(5, 5), square(3), 2, 4, 2, crop=1, dtype=D).eval()
    assert block.target.shape == (3, 3)
    x = torch.randn(2, 2, 4, 5, 5, dtype=D)
    norm = lambda x, m: (
        torch.nn.functional.layer_norm(x, x.shape[1:], None, None, m.eps) * m.weight[:, None, None, None]
        + m.bias[:, None, None, None]
    )  # noqa: E731
    act = torch.nn.functional.silu
    point = lambda m, x: torch.einsum("oc,bcghw->boghw", m.weight, x) + m.bias[:, None, None, None]  # noqa: E731
    a = act(norm(block.attention(act(norm(x, block.before))), block.after)) + point(block.shortcut, x)
    z = a[..., 1:-1, 1:-1]
    first, middle, _, last, end = block.network
    expected = z + norm(point(last, act(norm(point(first, z), middle))), end)
    torch.testing.assert_close(block(x), expected, rtol=0, atol=1e-12)
    assert block(x[0]).shape == block(x[None]).shape[2:] == (4, 4, 3, 3)


# --- Copies, files, compilers, precision -------------------------------------------------------------------------------------


def test_copies_files_and_compilers(tmp_path):
    f = net("M", grid(4, 4), square(3), layers=(1,), pools=2)
    x = torch.randn(2, 1, 4, 4, dtype=D)
    y = f(x)
    for other in (copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        torch.testing.assert_close(other(x), y, rtol=0, atol=0)
    torch.save(f.state_dict(), tmp_path / "state.pt")
    fresh = net("M", grid(4, 4), square(3), layers=(1,), pools=2)
    fresh.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    torch.testing.assert_close(fresh(x), y, rtol=0, atol=0)
    compiled = torch.compile(f, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), y)
    program = torch.export.export(f, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    more = torch.randn(3, 1, 4, 4, dtype=D)
    torch.testing.assert_close(program.module()(more), f(more))
    torch.compiler.reset()


def test_precisions():
    f = net("R4", grid(4, 4), square(3), layers=(1,), pools=2)
    x = torch.randn(2, 1, 4, 4, dtype=D)
    y = f(x)
    for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 0.1), (torch.float16, 0.02)):
        half = copy.deepcopy(f).to(dtype)
        found = half(x.to(dtype))
        assert found.dtype == dtype
        torch.testing.assert_close(found.to(D), y, rtol=0, atol=tolerance * float(y.abs().max()))
    single = copy.deepcopy(f).float().train()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = single(x.float()).float().pow(2).sum()
    loss.backward()
    assert all(
        p.grad is not None and bool(torch.isfinite(p.grad).all()) for p in single.parameters() if p.requires_grad
    )
    torch.testing.assert_close(single(x.float()).to(D), y, rtol=1e-4, atol=1e-4)


def test_training_with_every_dropout():
    f = net(
        "R4",
        grid(6, 6),
        square(3),
        dropout=0.2,
        attention_dropout=0.2,
        input_dropout=0.2,
        pool_dropout=0.2,
        pools=(2, 1),
    )
    x = torch.randn(2, 1, 6, 6, dtype=D)
    assert f(x).equal(f(x)) and set(f.what_ran().values()) == {"fused"}
    f.train()
    assert not f(x).equal(f(x)) and set(f.what_ran().values()) == {"plain PyTorch: attention dropout"}
    f(x).pow(2).sum().backward()
    assert all(p.grad is not None for p in f.parameters())


# --- Bad input ---------------------------------------------------------------------------------------------------------------


def test_what_is_refused():
    with pytest.raises(DomainError, match="how C4 acts on space is to be said: write Affine.'R4'."):
        GSANet.rotmnist(Group("C4"))
    with pytest.raises(DomainError, match="the input is torch.uint8 and the layer torch.float32"):
        GSANet.rotmnist("R4", channels=4, heads=1).eval()(torch.zeros(1, 1, 28, 28, dtype=torch.uint8))
    R4 = Affine("R4")
    for make_it, words in (
        (
            lambda: net("R4", grid(7, 7), square(3), layers=(1,), pools=2),
            "last site of axis 0 would never be looked at",
        ),
        (lambda: GSABlock(R4, grid(5, 5), square(3), 2, 2, crop=(0, 1)), "moves the centre that R4 turns about by 1/2"),
        (lambda: GSABlock(R4, grid(5, 5), square(3), 2, 2, crop=3), "leaves nothing"),
        (lambda: GSABlock(R4, torus(5, 5), square(3), 2, 2, crop=1), "no border"),
        (lambda: GSABlock(R4, grid(5, 5), square(3), 2, 2, crop=-1), "crop"),
        (lambda: net("R4", torus(6, 6), square(3), pools=2), "translations of a torus"),
        (lambda: net("R4", orbit(R4, 2), everywhere, pools=2), "no windows"),
        (lambda: net("R4", grid(4, 4), square(3), pools=(5, 1)), "no window of 5"),
        (
            lambda: net("R4", grid(4, 4), square(3), crops=(1, 1, 1)),
            "crops is a number, or one for each block, which are 2",
        ),
        (lambda: net("R4", grid(4, 4), square(3), expansion=0), "expansion"),
        (lambda: net("R8", grid(4, 4), square(3)), "does not map the square"),
        (lambda: net("R4", grid(4, 4), square(3), attention_dropout=1.0), "probability"),
        (lambda: net("R4", grid(4, 4), square(3), encodes="values"), "added to features"),
        (lambda: GSANet.rotmnist("R4", 14), "leaves nothing"),
        (lambda: net("R4", grid(4, 4), square(3))(torch.randn(1, 2, 4, 4, dtype=D)), r"takes \[..., 1, 4, 4\]"),
        (lambda: GSABlock(R4, grid(5, 5), square(3), 2, 2)(torch.randn(2, 2, 5, 5)), r"takes \[..., 2, 4, 5, 5\]"),
        (lambda: exact_subgroup(torch.nn.Linear(1, 1)), "not Linear"),
    ):
        with pytest.raises(DomainError, match=words):
            make_it()
    # A group that turns nothing has no centre: any crop and any pooling will do.
    f = net("Z2", grid(7, 7), square(3), layers=(1,), pools=2, crops=((0, 1),))
    assert f.target.shape == (3, 3)
    assert net("Z2", grid(7, 7), square(3), layers=(1,), pools=2).target.shape == (3, 3)


def test_the_page_runs():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/gsa.md").read_text(), re.DOTALL)
    assert len(blocks) >= 4
    names: dict = {}
    for block in blocks:
        exec(compile(block, "gsa.md", "exec"), names)
