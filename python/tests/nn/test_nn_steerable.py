"""Convolutions that commute with SE(2), E(2), SE(3), E(3), and what stands between them."""

import copy
import importlib.util
import math
import pickle

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import numpy as np  # noqa: E402
from intertwine import DomainError, Group, Matrix, VerificationError, steerable_kernel_basis  # noqa: E402
from intertwine.nn import (  # noqa: E402
    Activation,
    BatchNorm,
    Conv2d,
    Dropout,
    GatedActivation,
    InvariantPool,
    LayerNorm,
    Linear,
    NormActivation,
    RMSNorm,
    SampledActivation,
    SteerableConv2d,
    SteerableConv3d,
    allowed_activations,
    check_equivariance,
)  # fmt: skip

D = torch.float64


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    yield
    torch.compiler.reset()


def matrices(V):
    """Of the Lie algebra, and of the other component."""
    named = list(
        zip(V.group.generator_names, (torch.tensor(np.asarray(m, dtype=float)) for m in V.generator_matrices()))
    )
    return [m for name, m in named if "Lie" in name], [m for name, m in named if "Lie" not in name]


def symmetries(V, U):
    """The generators of the symmetries of the grid, as matrices on x, V and U."""
    n = 2 if "(2)" in V.group.name else 3
    sides = [matrices(R) for R in (Group(V.group.name).rep("vector"), V, U)]
    for k in range(len(sides[0][0])):
        yield tuple(torch.linalg.matrix_exp(math.pi / 2 * side[0][k]) for side in sides)
    for k in range(len(sides[0][1])):
        yield tuple(side[1][k] for side in sides)
    assert sides[0][0][0].shape == (n, n)


def moved(f, h, rho):
    """(h f)(x) = rho f(h^-1 x) of f [batch, channels, dim, *grid]; the coordinates of x are the axes of the grid."""
    grid, n = f.shape[3:], h.shape[0]
    middle = (torch.tensor(grid, dtype=D) - 1) / 2
    sites = torch.stack(torch.meshgrid(*[torch.arange(s, dtype=D) for s in grid], indexing="ij"), -1) - middle
    back = (sites @ h + middle).round().long()  # h^-1 x = h^T x
    return torch.einsum(
        "ij,bcj...->bci...", rho, f[(slice(None), slice(None), slice(None), *(back[..., k] for k in range(n)))]
    )


def defect(f, V, U, grid, channels, batch=2):
    """The largest |f(h x) - h f(x)| over the symmetries of the grid, beside |f(x)|."""
    x = torch.randn(batch, channels, V.dimension, *grid, dtype=D)
    y = f(x)
    assert y.abs().max() > 1e-3
    with torch.no_grad():
        return max(
            float((f(moved(x, h, on_v)) - moved(y, h, on_u)).abs().max() / y.abs().max())
            for h, on_v, on_u in symmetries(V, U)
        )


CASES = [
    ("SO(2)", "trivial + vector", "harmonic(2) + vector", 5),
    ("SO(2)", "vector", "harmonic(3)", 4),
    ("O(2)", "vector + det", "trivial + harmonic(2)", 3),
    ("SO(3)", "vector", "trivial + harmonic(2)", 3),
    ("O(3)", "2*vector", "vector*det + trivial", 3),
]


def layer_of(group, V, U, size, **keywords):
    G = Group(group)
    V, U = G.rep(V), G.rep(U)
    kind = SteerableConv2d if group.endswith("(2)") else SteerableConv3d
    layer = kind(V, U, 2, 3, size, **{"dtype": D, **keywords})
    if layer.bias is not None:
        torch.nn.init.normal_(layer.bias)
    return layer, V, U


# --- Equivariance ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_symmetries_of_the_grid_act_exactly(case):
    layer, V, U = layer_of(*case, padding="same" if case[3] % 2 else 1)
    grid = (7,) * layer.axes
    assert defect(layer, V, U, grid, 2) < 1e-12
    strided, _, _ = layer_of(*case, padding=0, stride=2)
    grid = (case[3] + 4,) * layer.axes
    assert defect(strided, V, U, grid, 2) < 1e-12
    # Negative control: one weight that is another.
    broken = layer.fold()
    with torch.no_grad():
        broken.weight.view(-1)[1] += broken.weight.abs().max()
    run = lambda x: broken(x.flatten(1, 2)).unflatten(1, (3, -1))  # noqa: E731
    assert defect(run, V, U, (7,) * layer.axes, 2) > 1e-2


# SE(2) has kernels that E(2) refuses: a layer of one is none of the other.
def test_reflections_are_told_apart():
    SO2, O2 = Group("SO(2)"), Group("O(2)")
    layer = SteerableConv2d(SO2.rep("vector"), SO2.rep("vector"), 2, 2, 5, padding=2, dtype=D)
    assert defect(layer, O2.rep("vector"), O2.rep("vector"), (7, 7), 2) > 1e-2
    less = SteerableConv2d(O2.rep("vector"), O2.rep("vector"), 2, 2, 5, padding=2, dtype=D)
    assert less.theta.shape[0] * 2 == layer.theta.shape[0]


@pytest.mark.parametrize("mode", ["circular", "reflect", "replicate"])
def test_padding_modes_and_dilation(mode):
    layer, V, U = layer_of("O(2)", "trivial + vector", "vector", 3, padding="same", dilation=2, padding_mode=mode)
    assert defect(layer, V, U, (9, 9), 2) < 1e-12


# Other turns: measured at one site of smooth fields that are turned exactly. The figures are in docs/nn_modules.md.
def test_other_turns_have_a_stated_error():
    found = {}
    for smoothness in (1.0, 2.0, 4.0):
        errors = [
            layer_of("SO(2)", "trivial + vector", "trivial + harmonic(2)", 5)[0].turning_error(
                smoothness=smoothness, seed=s
            )
            for s in range(8)
        ]
        found[smoothness] = math.sqrt(sum(e * e for e in errors) / 8)
    assert found[4.0] < found[2.0] < found[1.0] and found[1.0] < 0.05 and found[2.0] < 0.02 and found[4.0] < 0.01
    # An ordinary kernel of the same norm is nowhere near, and one site alone has no error at all.
    layer, V, U = layer_of("SO(2)", "trivial + vector", "trivial + harmonic(2)", 5)
    plain = copy.deepcopy(layer)
    plain._weight_of = lambda theta: torch.randn(9, 6, 5, 5, dtype=D)
    assert plain.turning_error() > 0.3 > 10 * layer.turning_error()
    no, _, _ = layer_of("SO(2)", "trivial", "trivial", 1)
    assert no.turning_error() < 1e-11


# --- The kernels -----------------------------------------------------------------------------------------------------------------


# Two ways: the kernels of C4 and D4 on the grid are found by orbits; those of SO(2) and O(2) are among them.
@pytest.mark.parametrize("continuous, finite", [("SO(2)", "C4"), ("O(2)", "D4")])
def test_kernels_are_among_those_of_the_symmetries_of_the_grid(continuous, finite):
    layer, V, U = layer_of(continuous, "vector", "vector", 5, bias=False)
    G = Group(finite)
    there = Group(continuous).rep("vector")
    vector = G.matrix_rep([grid_matrix(G, g) for g in G.generators])
    conv = Conv2d(vector, vector, 2, 3, 5, bias=False, dtype=D)
    P = conv.theta.shape[0]
    basis = []
    for k in range(P):
        with torch.no_grad():
            conv.theta.zero_()
            conv.theta[k, 0, 0] = 1
        basis.append(conv.weight().unflatten(0, (3, 2)).unflatten(2, (2, 2))[0, :, 0].detach().flatten())
    basis, samples = (
        torch.stack(basis),
        torch.stack([s.flatten() for s in layer._sampled.constants.on(torch.device("cpu"))["samples"]]),
    )
    assert there.dimension == 2 and torch.linalg.matrix_rank(samples) == len(samples) < P
    left = samples - (samples @ torch.linalg.pinv(basis)) @ basis
    assert left.abs().max() < 1e-12


def grid_matrix(G, g):
    """What g does to the coordinates (row, column), from what it does to the sites of a 3 x 3 window."""
    sites = G.rep("kernel(3,3)").matrix(g)
    columns = []
    for site in (7, 5):  # (1, 0) and (0, 1), beside the centre 4
        row = next(r for r, c, _ in sites.entries() if c == site)
        columns.append((row // 3 - 1, row % 3 - 1))
    return Matrix([[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]])


def test_weight_is_the_sum_of_exact_kernels_times_rings():
    layer, V, U = layer_of("SO(3)", "vector", "vector", 3, width=0.7)
    kernels = steerable_kernel_basis("SE(3)", "vector", "vector")
    assert layer.rings == ((0.0, 0), (1.0, 0), (1.0, 1), (1.0, 2))
    site = np.array([0.0, -1.0, 1.0])
    values, r = kernels.evaluate(site), math.sqrt(2)
    profile = [math.exp(-((r - ring) ** 2) / (2 * 0.49)) for ring in (0, 1, 1, 1)]
    expected = sum(
        p * layer.theta[k].detach().numpy()[:, :, None, None] * values[d]
        for k, (p, d) in enumerate(zip(profile, (0, 0, 1, 2)))
    )
    found = layer.weight().detach().reshape(3, 3, 2, 3, 3, 3, 3).transpose(1, 2)[..., 1, 0, 2]
    assert np.abs(found.numpy() - expected).max() < 1e-15


# escnn solves the same constraint another way: as many kernels at every radius.
def test_as_many_kernels_as_escnn_has():
    escnn = pytest.importorskip("escnn", reason="escnn is not installed, or cannot be imported", exc_type=ImportError)
    space = escnn.gspaces.rot2dOnR2(-1)
    for m, n in ((0, 0), (0, 1), (1, 1), (1, 2)):
        basis = escnn.kernels.kernels_SO2_act_R2(space.irrep(m), space.irrep(n), radii=[1.0], sigma=[0.6])
        G = Group("SO(2)")
        name = lambda k: G.rep(f"harmonic({k})" if k else "trivial")  # noqa: E731
        assert len(steerable_kernel_basis("SE(2)", str(name(m)), str(name(n)))) == basis.dim


# In e3nn's basis the kernel from l1 to l2 of degree L is Wigner's 3j symbol times the harmonics of degree L.
def test_kernels_are_e3nns():
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    layer, _, _ = layer_of("SO(3)", "vector", "harmonic(2)", 3)
    T = [torch.from_numpy(R.orthonormal_form("y").array()) for R in (layer.U, layer.V)]
    samples = (
        torch.linalg.inv(T[0])
        @ layer._sampled.constants.on(torch.device("cpu"))["samples"].movedim((1, 2), (-2, -1))
        @ T[1]
    )
    x = torch.tensor([1.0, -1.0, 1.0], dtype=D)
    for (_, L), sample in zip(layer.rings, samples[..., 2, 0, 2, :, :]):
        expected = torch.einsum(
            "ijk,k->ij", o3.wigner_3j(2, 1, L, dtype=D), o3.spherical_harmonics(L, x, normalize=True)
        )
        assert abs(torch.nn.functional.cosine_similarity(sample.flatten(), expected.flatten(), 0).abs() - 1) < 1e-12


# --- As a module -----------------------------------------------------------------------------------------------------------------


def test_outputs_start_with_the_variance_of_the_inputs():
    for group, V, U, size in (
        ("SO(2)", "trivial + vector + harmonic(3)", "trivial + harmonic(2)", 5),
        ("O(3)", "trivial + vector", "2*(vector + harmonic(2))", 3),
    ):
        G = Group(group)
        V, U = G.rep(V), G.rep(U)
        layer = (SteerableConv2d if "2" in group else SteerableConv3d)(V, U, 4, 1, size, dtype=D)
        # E |W|^2 over rows, by the closed form; then by drawing.
        norms = []
        for seed in range(200):
            layer.reset_parameters(gain=1.5, generator=torch.Generator().manual_seed(seed))
            norms.append(layer.weight().detach().square().flatten(1).sum(1))
        mean = torch.stack(norms).mean(0)
        for rows in layer._sampled.rows:
            assert abs(float(mean[list(rows)].mean()) / 1.5**2 - 1) < 0.15
        assert not layer.bias.any()


def test_bias_is_invariant():
    layer, V, U = layer_of("SO(3)", "vector", "2*(vector + trivial) + sym(2, vector)", 3)
    assert layer.bias.shape == (3, 3)
    b = layer.bias_vector().detach().view(3, -1)
    assert all(float((b @ X.T).abs().max()) < 1e-15 for X in matrices(U)[0]) and b.abs().max() > 0.1
    none, _, _ = layer_of("SO(3)", "vector", "vector", 3)
    assert none.bias.shape == (0, 3) and layer_of("SO(3)", "vector", "vector", 3, bias=False)[0].bias is None


def test_multiples_are_channels():
    G = Group("SO(2)")
    v = G.rep("vector")
    one, two = SteerableConv2d(2 * v, 3 * v, 1, 1, 3, dtype=D), SteerableConv2d(v, v, 2, 3, 3, dtype=D)
    two.load_state_dict({**two.state_dict(), "theta": one.theta.detach()})
    x = torch.randn(2, 2, 2, 5, 5, dtype=D)
    torch.testing.assert_close(one(x.flatten(1, 2)[:, None])[:, 0].unflatten(1, (3, 2)), two(x))


@pytest.mark.parametrize("groups", [2, 4])
@pytest.mark.parametrize("kind", ["plane", "turns", "space"])
def test_groups_of_channels_are_layers_side_by_side(kind, groups):
    make, V, n = {
        "plane": (SteerableConv2d, Group("SO(2)").rep("trivial + vector"), 2),
        "turns": (SteerableConv2d, Group("C8").rep("regular"), 2),
        "space": (SteerableConv3d, Group("SO(3)").rep("2*vector"), 3),
    }[kind]
    settings = {"padding": 1, "padding_mode": "circular", "dtype": D}
    layer = make(V, V, 4, 8, 3, groups=groups, **settings)
    torch.nn.init.normal_(layer.bias)
    copies = V.dimension // layer.kernels.shape[0]
    assert layer.theta.shape[1:] == (8 * copies, 4 * copies // groups) and f"groups={groups}" in repr(layer)
    x = torch.randn(2, 4, V.dimension, *[5] * n, dtype=D)
    parts = []
    for k, part in enumerate(x.chunk(groups, 1)):
        own = make(V, V, 4 // groups, 8 // groups, 3, **settings)
        rows = slice(k * 8 // groups * copies, (k + 1) * 8 // groups * copies)
        with torch.no_grad():
            own.theta.copy_(layer.theta[:, rows])
            own.bias.copy_(layer.bias[:, rows])
        parts.append(own(part))
    torch.testing.assert_close(layer(x), torch.cat(parts, 1))
    torch.testing.assert_close(layer.fold()(x.flatten(1, 2)), layer(x).flatten(1, 2))
    twin = make(V, V, 4, 8, 3, groups=groups, **settings)
    twin.load_state_dict(layer.state_dict())
    assert torch.equal(twin(x), layer(x))
    if kind == "plane":
        large = make(V, V, 4, 8, 5, groups=groups, dtype=D)
        assert large.turning_error() < 0.05
        out = make(V, V, 64, 64, 5, groups=groups, bias=False, dtype=D)(
            torch.randn(1, 64, V.dimension, 40, 40, dtype=D)
        )
        assert 0.7 < float(out.square().mean()) < 1.4


def test_groups_that_do_not_divide_are_refused():
    V = Group("SO(2)").rep("vector")
    with pytest.raises(DomainError, match="3 channels of V and 4 of U do not fall into 2 groups"):
        SteerableConv2d(V, V, 3, 4, 3, groups=2)
    with pytest.raises(DomainError, match="groups is a positive integer, not 0"):
        SteerableConv2d(V, V, 3, 4, 3, groups=0)


def test_state_copies_and_precision():
    layer, V, U = layer_of("O(2)", "trivial + vector", "vector", 3, padding=1)
    x = torch.randn(2, 2, 3, 5, 5, dtype=D)
    assert (
        list(layer.state_dict()) == ["theta", "bias", "_extra_state"] and len(layer.state_dict()["_extra_state"]) == 32
    )
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(twin(x), layer(x))
    for other in (dict(width=0.7), dict(rings=[0.0, 1.1]), dict(cutoff=2.5)):
        with pytest.raises(VerificationError, match="the sampled kernels"):
            layer_of("O(2)", "trivial + vector", "vector", 3, **other)[0].load_state_dict(layer.state_dict())
    torch.testing.assert_close(copy.deepcopy(layer).float()(x.float()), layer(x).float(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(layer.fold()(x.flatten(1, 2)).unflatten(1, (3, 2)), layer(x))
    assert layer.to("meta").weight().shape == (6, 6, 3, 3)
    assert f"{len(layer.rings)} kernels a pair" in repr(layer)


def network(group="SO(2)"):
    G = Group(group)
    kind = SteerableConv2d if group.endswith("(2)") else SteerableConv3d
    n = kind.axes
    image, hidden = G.rep("trivial"), G.rep("trivial + vector")
    gated = GatedActivation(hidden, axes=n)
    return G, torch.nn.Sequential(
        kind(image, gated.source, 1, 4, 3, padding=1, dtype=D),
        gated,
        LayerNorm(hidden, 4, axes=n, dtype=D) if n == 2 else BatchNorm(hidden, 4, axes=n, dtype=D).eval(),
        kind(hidden, hidden, 4, 4, 3, padding=1, dtype=D),
        NormActivation(hidden, torch.relu, 4, axes=n, dtype=D),
        kind(hidden, G.rep("vector"), 4, 1, 3, dtype=D),
    )


@pytest.mark.parametrize("group", ["SO(2)", "O(2)", "SO(3)", "O(3)"])
def test_networks_are_equivariant(group):
    G, net = network(group)
    assert defect(net, G.rep("trivial"), G.rep("vector"), (5,) * (2 if "2" in group else 3), 1) < 1e-12


def test_compile_export_gradients():
    _, net = network()
    x = torch.randn(2, 1, 1, 7, 7, dtype=D)
    torch.testing.assert_close(torch.compile(net, fullgraph=True, backend="aot_eager")(x), net(x))
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    z = torch.randn(3, 1, 1, 7, 7, dtype=D)
    torch.testing.assert_close(program.module()(z), net(z))
    small, _, _ = layer_of("SO(2)", "vector", "trivial + vector", 3)
    y = torch.randn(1, 2, 2, 4, 4, dtype=D, requires_grad=True)
    names = [name for name, _ in small.named_parameters()]
    values = [p.detach().requires_grad_() for p in small.parameters()]
    assert torch.autograd.gradcheck(
        lambda y, *p: torch.func.functional_call(small, dict(zip(names, p)), (y,)), (y, *values)
    )
    batched = torch.func.vmap(small)(torch.stack([y, 2 * y]))
    torch.testing.assert_close(batched[1], small(2 * y))


@pytest.mark.skipif(
    any(importlib.util.find_spec(m) is None for m in ("onnx", "onnxscript", "onnxruntime")),
    reason="onnx, onnxscript or onnxruntime is not installed",
)
def test_onnx(tmp_path):
    import onnxruntime

    layer, _, _ = layer_of("SO(2)", "trivial + vector", "vector", 3, padding=1, dtype=torch.float32)
    x = torch.randn(2, 2, 3, 5, 5)
    torch.onnx.export(layer.eval(), (x,), tmp_path / "layer.onnx", verbose=False)
    session = onnxruntime.InferenceSession(tmp_path / "layer.onnx", providers=["CPUExecutionProvider"])
    np.testing.assert_allclose(
        session.run(None, {session.get_inputs()[0].name: x.numpy()})[0], layer(x).detach().numpy(), rtol=1e-4, atol=1e-5
    )


# A point cloud's worth of fields at every site: S3 permutes them, E(2) moves the plane.
def test_products_with_finite_groups():
    G = Group("S3 x O(2)")
    V, U = G.rep("perm # vector"), G.rep("perm # trivial")
    layer = SteerableConv2d(V, U, 1, 2, 3, padding=1, dtype=D)
    x = torch.randn(2, 1, 6, 5, 5, dtype=D)
    for k in (0, 1):  # the generators of S3
        on_v, on_u = (torch.tensor(np.asarray(R.generator_matrices()[k], dtype=float)) for R in (V, U))
        torch.testing.assert_close(
            layer(torch.einsum("ij,bcj...->bci...", on_v, x)), torch.einsum("ij,bcj...->bci...", on_u, layer(x))
        )
    assert 0 < layer.turning_error() < 0.05
    norm = NormActivation(V, torch.relu, axes=2, dtype=D)
    torch.testing.assert_close(
        norm(torch.einsum("ij,bcj...->bci...", on_v, x)), torch.einsum("ij,bcj...->bci...", on_v, norm(x))
    )


# --- Between the layers ----------------------------------------------------------------------------------------------------------


def element(seed, *spaces):
    """One random element on several representations."""
    sides = [matrices(V) for V in spaces]
    c = torch.randn(len(sides[0][0]), generator=torch.Generator().manual_seed(seed), dtype=D)
    found = [torch.linalg.matrix_exp(torch.einsum("k,kij->ij", c, torch.stack(X))) for X, _ in sides]
    return [h @ s[0] if s and seed % 2 else h for h, (_, s) in zip(found, sides)]


FIELDS = [
    ("SO(3)", "2*vector + harmonic(2)"),
    ("O(3)", "trivial + vector*det + harmonic(2)"),
    ("SO(2)", "harmonic(2) + 2*trivial"),
    ("SO(3)", "sym(2, vector)"),
]


@pytest.mark.parametrize("group, text", FIELDS)
def test_modules_between_layers(group, text):
    V = Group(group).rep(text)
    gated = GatedActivation(V)
    for module, source, target in (
        (gated, gated.source, gated.target),
        (NormActivation(V, torch.tanh, 4, dtype=D), V, V),
        (LayerNorm(V, 4, dtype=D), V, V),
        (RMSNorm(V, 4, dtype=D), V, V),
        (BatchNorm(V, 4, dtype=D), V, V),
        (InvariantPool(V, "norm"), V, None),
    ):
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter)
        x = torch.randn(6, 4, source.dimension, dtype=D)
        for seed in range(3):
            g, h = element(seed, source, target or source)
            y, z = module(x @ g.T), module(x)
            torch.testing.assert_close(y, z if target is None else z @ h.T, rtol=1e-9, atol=1e-10)
        assert z.norm() > 0.1
    drop = Dropout(V, 0.5)
    x = torch.ones(3, 4, V.dimension)
    assert set(drop(x).unique().tolist()) <= {0.0, 2.0}


def test_invariant_means():
    V = Group("SO(3)").rep("sym(2, vector) + vector + 2*trivial")
    pool, linear = InvariantPool(V, "mean"), Linear(V, V.group.rep("trivial"), dtype=D)
    assert pool.target.dimension == 3 == linear.theta.shape[0]
    x = torch.randn(5, 1, V.dimension, dtype=D)
    g = element(1, V)[0]
    torch.testing.assert_close(pool(x @ g.T), pool(x))


def test_which_activations_are_allowed():
    G = Group("O(3)")
    allowed = lambda text: [bool(rule) for rule in allowed_activations(G.rep(text)).values()]  # noqa: E731
    assert allowed("3*trivial") == [True, True, True, True, False]
    assert allowed("det") == [False, True, True, True, False]
    assert allowed("trivial + vector") == [False, False, True, True, False]
    assert Activation(G.rep("2*trivial"), torch.relu)(torch.tensor([[-1.0, 2.0]])).tolist() == [[0.0, 2.0]]
    for text in ("vector", "det", "trivial + vector"):
        with pytest.raises(DomainError, match=r"O\(3\)"):
            Activation(G.rep(text), torch.relu)
    with pytest.raises(DomainError, match="GatedActivation"):
        SampledActivation(G.rep("vector"), torch.relu)


# --- Bad input -------------------------------------------------------------------------------------------------------------------


def test_bad_input():
    SO2, SO3, O2 = (Group(g) for g in ("SO(2)", "SO(3)", "O(2)"))
    v = SO2.rep("vector")
    for message, arguments, keywords in (
        (
            r"types of SO\(2\) or O\(2\), and of one of them, not of SO\(3\)",
            (SO3.rep("vector"), SO3.rep("vector"), 1, 1, 3),
            {},
        ),
        ("different groups", (v, O2.rep("vector"), 1, 1, 3), {}),
        ("are of types of SO", (Group("C2").rep("regular"), v, 1, 1, 3), {}),
        ("kernel_size is a positive integer", (v, v, 1, 1, (3, 3)), {}),
        ("kernel_size is a positive integer", (v, v, 1, 1, 0), {}),
        ("stride is a positive integer", (v, v, 1, 1, 3, (1, 2)), {}),
        ("padding is", (v, v, 1, 1, 3, 1, -1), {}),
        ("padding='same'", (v, v, 1, 1, 4, 1, "same"), {}),
        ("padding mode", (v, v, 1, 1, 3), {"padding_mode": "wrap"}),
        ("in_channels is a positive integer", (v, v, 0, 1, 3), {}),
        ("width is a number above 0", (v, v, 1, 1, 3), {"width": 0}),
        ("cutoff is a number of at least 0", (v, v, 1, 1, 3), {"cutoff": float("nan")}),
        ("the radius of a ring", (v, v, 1, 1, 3), {"rings": [-1]}),
        ("different radii", (v, v, 1, 1, 3), {"rings": [1, 1.0]}),
        ("different radii", (v, v, 1, 1, 3), {"rings": []}),
        ("floating-point", (v, v, 1, 1, 3), {"dtype": torch.int64}),
        ("the least degree of a kernel is 5", (v, SO2.rep("harmonic(6)"), 1, 1, 3), {}),
    ):
        with pytest.raises(DomainError, match=message):
            SteerableConv2d(*arguments, **keywords)
    with pytest.raises(DomainError, match="there is none"):
        SteerableConv2d(O2.rep("trivial"), O2.rep("det"), 1, 1, 3)
    with pytest.raises(DomainError, match="SteerableConv2d"):
        Conv2d(v, v, 1, 1, 3)
    layer = SteerableConv2d(v, v, 1, 1, 3, stride=2)
    with pytest.raises(DomainError, match="the last site of axis"):
        layer(torch.zeros(1, 1, 2, 6, 6))
    with pytest.raises(DomainError, match=r"takes \[..., 1, 2, H, W\]"):
        layer(torch.zeros(1, 1, 3, 7, 7))
    with pytest.raises(DomainError, match="torch.float64"):
        layer(torch.zeros(1, 1, 2, 7, 7, dtype=D))
    with pytest.raises(DomainError, match="smoothness"):
        layer.turning_error(smoothness=0)
    for group in ("Sp(4)", "GL(3)"):
        with pytest.raises(DomainError, match="norms need a symmetric form"):
            NormActivation(Group(group).rep("vector"))
    with pytest.raises(DomainError, match="a field is of the type of a representation"):
        GatedActivation("vector")
    with pytest.raises(DomainError, match="this layer takes"):
        check_equivariance(layer, v, v)  # without a grid
