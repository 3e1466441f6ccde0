"""Layers on the features of single points: linear maps, gates, norms, normalisation, layouts, Gaussians."""

import copy
import dataclasses
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn.geometric import (
    BatchNorm,
    Bessel,
    Convolution,
    Gate,
    Gaussian,
    Graph,
    Linear,
    Norms,
    PolynomialCutoff,
    SphericalHarmonics,
    SymmetricContraction,
    TensorProduct,
    change_of_basis,
    energy_and_forces,
    to_layout,
)
from torch.autograd import grad, gradcheck, gradgradcheck

D = torch.float64
# group, V, U
TYPES = [
    ("O(3)", "4*trivial + 3*vector + 2*det", "2*trivial + 5*vector + det + harmonic(2)"),
    ("O(3)", "harmonic(2) + 2*vector + harmonic(2)", "vector + 3*harmonic(2) + trivial"),
    ("S4", "2*perm + sign", "3*perm + 2*std + trivial"),
    ("A5", "2*irrep(2) + irrep(4)", "3*irrep(2) + irrep(4) + irrep(5)"),
    ("S3 x O(3)", "2*(perm # vector)", "perm # vector + trivial # vector"),
]
every_type = pytest.mark.parametrize("group, V, U", TYPES, ids=lambda text: text.replace(" ", ""))


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    return a.shape == b.shape and float((a - b).abs().max() if a.numel() else 0) <= tolerance * (
        1 + float(b.abs().max() if b.numel() else 0)
    )


def matrix(V, g):
    T = change_of_basis(V)
    return torch.linalg.solve(T, torch.tensor(numpy.asarray(V.matrix(g), dtype=numpy.float64)) @ T)


def in_doubles(make):
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)
    try:
        return make()
    finally:
        torch.set_default_dtype(before)


def random_weights(layer):
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return layer


# --- Linear ----------------------------------------------------------------------------------------------------------


@every_type
@pytest.mark.parametrize("channels", [None, 3], ids=["flat", "channels"])
@pytest.mark.parametrize("species", [None, 3], ids=["one kind", "three kinds"])
def test_linear_maps_are_equivariant(group, V, U, channels, species):
    V, U = Group(group).rep(V), Group(group).rep(U)
    layer = random_weights(Linear(V, U, channels, channels and 5, species, bias=True, dtype=D))
    x = torch.randn(6, V.dimension, *([] if channels is None else [channels]), dtype=D)
    kinds = () if species is None else (torch.tensor([0, 2, 0, 1, 2, 2]),)
    out = layer(x, *kinds).detach()
    assert float(out.abs().max()) > 0.1
    on = lambda A, t: t @ A.T if channels is None else A @ t
    for seed in range(3):
        g = V.group.random_element(seed)
        a, b = matrix(V, g), matrix(U, g)
        assert close(layer(on(a, x), *kinds), on(b, out), 1e-11)
        if not torch.equal(b, torch.eye(len(b), dtype=D)):
            assert not close(layer(x, *kinds), on(b, out), 1e-3)  # x left where it was: the check can fail


def test_linear_maps_are_all_of_them():
    """As many weights as there are maps, and each moves the output."""
    for group, V, U in TYPES:
        V, U = Group(group).rep(V), Group(group).rep(U)
        layer = Linear(V, U, dtype=D)
        assert layer.weight_numel == (V >> U).dimension
        x = torch.randn(40, V.dimension, dtype=D)
        jacobian = torch.func.jacrev(lambda w: torch.func.functional_call(layer, {"weight": w}, (x,)).flatten())
        assert torch.linalg.matrix_rank(jacobian(layer.weight.detach())) == layer.weight_numel


@pytest.mark.parametrize("path", ["element", "path"])
def test_linear_maps_are_those_of_e3nn(path):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    V, U = "4x0e + 3x1o + 2x0o + 2x1o + 1x2e", "2x1o + 3x0e + 2x2e + 1x0o + 4x1e"
    theirs = in_doubles(lambda: o3.Linear(V, U, biases=True, path_normalization=path))
    ours = Linear(V, U, bias=True, path_normalization=path, dtype=D)
    with torch.no_grad():
        theirs.bias.copy_(torch.randn(3))
        ours.weight.copy_(theirs.weight)
        ours.bias.copy_(theirs.bias)
    x = torch.randn(7, 26, dtype=D)
    assert close(ours(x), theirs(x))


def test_kinds_of_points_have_weights_of_their_own():
    layer = random_weights(Linear("2x0e + 1x1o", "3x0e + 2x1o", species=4, bias=True, dtype=D))
    x, kinds = torch.randn(2, 5, 5, dtype=D), torch.tensor([[0, 3, 3, 1, 0], [1, 1, 0, 3, 3]])  # none of kind 2
    out = layer(x, kinds)
    for s in range(4):
        one = Linear("2x0e + 1x1o", "3x0e + 2x1o", bias=True, dtype=D)
        with torch.no_grad():
            one.weight.copy_(layer.weight[s])
            one.bias.copy_(layer.bias[s])
        assert close(out[kinds == s], one(x[kinds == s]))
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    assert close(compiled(x, kinds), out)
    f = lambda x, w: torch.func.functional_call(layer, {"weight": w}, (x, kinds))
    assert gradgradcheck(f, (x.requires_grad_(), layer.weight), fast_mode=True)
    assert not layer.weight.grad and not grad(layer(x, kinds).sum(), layer.weight)[0][2].any()
    assert layer(x[:0], kinds[:0]).shape == (0, 5, 9)


def test_channels_are_copies():
    """x [..., dim V, C] of V is what C copies of V are."""
    with_channels, flat = (
        Linear("0e + 1o", "0e + 1o + 1o", 4, 3, dtype=D),
        Linear("4x0e + 4x1o", "3x0e + 3x1o + 3x1o", dtype=D),
    )
    with torch.no_grad():
        flat.weight.copy_(with_channels.weight)
    x = torch.randn(5, 4, 4, dtype=D)
    expected = flat(to_layout(x, "0e + 1o", "mul_ir"))
    assert close(to_layout(with_channels(x), "0e + 1o + 1o", "mul_ir"), expected)
    several = Linear("2x0e + 2x1o", "3x0e + 6x1o", 2, 1, dtype=D)  # copies and channels
    y = torch.randn(5, 8, 2, dtype=D)
    rows = Linear("4x0e + 4x1o", "3x0e + 6x1o", dtype=D)
    with torch.no_grad():
        rows.weight.copy_(several.weight)
    assert close(to_layout(several(y), "3x0e + 6x1o", "mul_ir"), rows(to_layout(y, "2x0e + 2x1o", "mul_ir")))


# --- Gates -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels", [None, 3], ids=["flat", "channels"])
@pytest.mark.parametrize(
    "group, V",
    [("O(3)", "2*trivial + 2*det + 3*vector + det*vector"), ("S4", "trivial + 2*perm + 3*sign"), ("S3 x O(3)", "trivial # trivial + 2*(perm # vector)")],
    ids=["O(3)", "S4", "S3 x O(3)"],
)  # fmt: skip
def test_gates_and_norms_are_equivariant(group, V, channels):
    V = Group(group).rep(V)
    gate, on = Gate(V, channels=channels), lambda A, t: t @ A.T if channels is None else A @ t
    last = [] if channels is None else [channels]
    x = torch.randn(5, gate.source.dimension, *last, dtype=D)
    out = gate(x)
    assert out.shape == (5, V.dimension, *last)
    for seed in range(3):
        g = V.group.random_element(seed)
        assert close(gate(on(matrix(gate.source, g), x)), on(matrix(V, g), out))
        for kind in ("norm", "square"):
            norms = Norms(V, kind, channels)
            assert close(norms(on(matrix(V, g), out)), norms(out))


def test_gates_by_hand():
    x = torch.tensor([0.5, -0.5, 2.0, 1.0, 2.0, 3.0, 0.25], dtype=D)
    gate = Gate("1x0e + 2x0o + 1x1o")
    expected = [
        0.5 / (1 + numpy.exp(-0.5)),
        -numpy.tanh(0.5),
        numpy.tanh(2),
        *(n / (1 + numpy.exp(-0.25)) for n in (1, 2, 3)),
    ]
    assert close(gate(x), torch.tensor(expected, dtype=D))
    scaled = Gate("1x0e + 2x0o + 1x1o", normalize=True)
    z = torch.randn(400_000, dtype=D)
    for f, name in ((torch.nn.functional.silu, "scalar"), (torch.tanh, "odd"), (torch.sigmoid, "gated")):
        assert abs(float((scaled._factors[name] * f(z)).square().mean()) - 1) < 0.01
    assert close(Gate("2x0e")(x[:2]), torch.nn.functional.silu(x[:2]))  # without gates


# --- Derivatives where vectors are 0 ---------------------------------------------------------------------------------

AT_ZERO = {
    "Gate": lambda: Gate("1x0e + 1x0o + 2x1o"),
    "Norms": lambda: Norms("2x0e + 2x1o"),
    "Norms square": lambda: Norms("2x0e + 2x1o", "square"),
    "BatchNorm": lambda: BatchNorm("2x0e + 2x1o", dtype=D),
    "BatchNorm instance": lambda: BatchNorm("2x0e + 2x1o", instance=True, dtype=D),
    "Linear": lambda: Linear("2x0e + 2x1o", "2x0e + 2x1o", bias=True, dtype=D),
}


@pytest.mark.parametrize("name", AT_ZERO)
def test_three_derivatives_at_zero_are_finite(name):
    layer = AT_ZERO[name]()
    size = layer.source.dimension if name == "Gate" else layer.V.dimension
    x = torch.zeros(3, size, dtype=D, requires_grad=True)
    found = layer(x)
    for _ in range(3):
        assert torch.isfinite(found).all()
        (found,) = grad((found * torch.randn_like(found)).sum() + 0 * x.sum(), x, create_graph=True)
    assert torch.isfinite(found).all()


def test_derivatives_are_right():
    for name, make in AT_ZERO.items():
        layer = make()
        size = layer.source.dimension if name == "Gate" else layer.V.dimension
        x = torch.randn(size, 3, dtype=D).t().requires_grad_()  # transposed
        assert gradcheck(layer, (x,), fast_mode=True) and gradgradcheck(layer, (x,), fast_mode=True), name


# --- Normalisation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [{}, {"normalization": "norm"}, {"instance": True}, {"reduce": "max"}, {"affine": False}, {"include_bias": False}],
    ids=str,
)
def test_batch_norm_is_that_of_e3nn(settings):
    e3nn = pytest.importorskip("e3nn.nn", reason="e3nn is not installed")
    V = "3x0e + 2x1o + 1x0o + 2x0e"
    theirs = in_doubles(lambda: e3nn.BatchNorm(V, **settings))
    ours = BatchNorm(V, dtype=D, **{"bias" if n == "include_bias" else n: v for n, v in settings.items()})
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            parameter.copy_(torch.randn_like(parameter))
            getattr(theirs, name).copy_(parameter)
    for training in (True, True, False):
        ours.train(training), theirs.train(training)
        x = torch.randn(6, 4, 12, dtype=D) * 2 + 1
        assert close(ours(x), theirs(x))
    if not settings.get("instance"):
        assert close(ours.running_var, theirs.running_var) and close(ours.running_mean, theirs.running_mean)


def test_batch_norm_with_channels_is_that_of_copies():
    x = torch.randn(20, 4, 3, dtype=D)
    by_channels, flat = BatchNorm("0e + 1o", 3, dtype=D), BatchNorm("3x0e + 3x1o", dtype=D)
    assert close(to_layout(by_channels(x), "0e + 1o", "mul_ir"), flat(to_layout(x, "0e + 1o", "mul_ir")))


# --- Layouts, Gaussians ----------------------------------------------------------------------------------------------


def test_layouts_go_there_and_back():
    for V, channels in (("2x0e + 1o", 4), ("perm + 2*sign", 3)):
        V = Group("S3").rep(V) if "perm" in V else Group("O(3)").rep(V)
        x = torch.randn(5, 2, V.dimension, channels)
        for first in ("mul_ir", "ir_mul"):
            flat = to_layout(x, V, first)
            assert flat.shape == (5, 2, V.dimension * channels) and torch.equal(
                to_layout(flat, V, "channels", first), x
            )
            for second in ("mul_ir", "ir_mul"):
                assert torch.equal(to_layout(flat, V, second, first), to_layout(x, V, second))


def test_layouts_are_those_of_e3nn():
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    irreps = o3.Irreps("3x0e + 2x1o")
    flat = torch.arange(9.0)
    for place, (mul, ir) in zip(irreps.slices(), irreps):
        assert torch.equal(
            to_layout(flat, str(irreps), "ir_mul", "mul_ir")[place], flat[place].reshape(mul, ir.dim).t().flatten()
        )


def test_gaussians():
    r = torch.linspace(0, 5, 7, dtype=D, requires_grad=True)
    found = Gaussian(5.0, 6, width=0.5)(r)
    expected = [[numpy.exp(-((float(a) - m) ** 2) / (2 * 0.25)) for m in range(6)] for a in r]
    assert close(found, torch.tensor(expected, dtype=D))
    assert gradgradcheck(Gaussian(5.0, 6), (r,))


# --- Energies and forces ---------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Points:
    place: torch.Tensor
    strength: float = 2.0


def test_forces_are_minus_the_slope():
    springs = lambda data: (data.strength * data.place.square().sum(1) / 2).sum()
    data = Points(torch.randn(4, 3, dtype=D))
    energies, forces = energy_and_forces(springs, data, positions="place")
    assert close(energies, springs(data)) and close(forces, -2 * data.place)
    assert not (energies.requires_grad or forces.requires_grad or data.place.requires_grad)
    with torch.no_grad():
        assert close(energy_and_forces(springs, data, positions="place")[1], forces)
    as_dict = {"positions": data.place, "weight": torch.tensor(3.0, dtype=D, requires_grad=True)}
    model = lambda d: d["weight"] * d["positions"].pow(3).sum(1)  # energies of four points
    energies, forces = energy_and_forces(model, as_dict, training=True)
    assert energies.shape == (4,) and close(forces, -9 * data.place.square())
    (slope,) = grad(forces.square().sum(), as_dict["weight"])
    assert close(slope, 54 * data.place.pow(4).sum())


def test_bad_data_for_forces():
    for model, data, message in (
        (lambda d: 0, {"places": torch.zeros(1, 3)}, 'the data have nothing as "positions"'),
        (lambda d: 0, {"positions": torch.zeros(1, 3).long()}, "a tensor of floating-point numbers"),
        (lambda d: torch.ones(()), {"positions": torch.zeros(1, 3)}, 'the energies do not depend on "positions"'),
        (lambda d: torch.ones((), requires_grad=True) * 2, {"positions": torch.zeros(1, 3)}, "do not depend on"),
    ):
        with pytest.raises(DomainError, match=message):
            energy_and_forces(model, data)


# --- Manners ---------------------------------------------------------------------------------------------------------


def test_copies_states_and_compilation():
    layers = [
        (Linear("2x0e + 1o", "2x0e + 1o", bias=True, dtype=D), 5),
        (Gate("2x0e + 1o"), 6),
        (Norms("2x0e + 1o"), 5),
        (BatchNorm("2x0e + 1o", dtype=D).eval(), 5),
    ]
    for layer, size in layers:
        x = torch.randn(4, size, dtype=D)
        for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
            assert torch.equal(other(x), layer(x))
        compiled = torch.compile(layer, fullgraph=True, backend="aot_eager", dynamic=True)
        assert close(compiled(x), layer(x)) and close(compiled(x[:3]), layer(x[:3]))
        program = torch.export.export(layer, (x,))
        assert close(program.module()(x), layer(x))
        out, tangent = torch.func.jvp(layer, (x,), (torch.ones_like(x),))
        assert close(out, layer(x)) and torch.isfinite(tangent).all()


def test_bad_arguments():
    V = Group("O(3)").rep("trivial + vector")
    for make, message in (
        (lambda: Linear(V, Group("S3").rep("perm")), "representations of different groups"),
        (lambda: Linear(V, V, 3), "are given together"),
        (lambda: Linear(V, V, instructions=[(0, 1)]), r"instruction \(0, 1\) has no map"),
        (lambda: Linear(V, V, instructions=[(0, 2)]), "names summand 2 of trivial \\+ vector"),
        (lambda: Linear(V, V, instructions=[(0,)]), "the numbers of two summands"),
        (lambda: Linear(V, V, path_normalization="x"), "path_normalization is"),
        (lambda: Linear(V, V, species=0), "species is a positive integer"),
        (lambda: Gate("1x0o", odd=torch.nn.functional.silu), "silu is not an odd function"),
        (lambda: Norms(V, "x"), 'kind is "norm" or "square"'),
        (lambda: Norms(V, eps=0.0), "eps is a positive number"),
        (lambda: BatchNorm(V, eps=0.0), "eps is a positive number"),
        (lambda: BatchNorm(V, momentum=2.0), "momentum is a number between 0 and 1"),
        (lambda: BatchNorm(V, reduce="x"), 'reduce is "mean" or "max"'),
        (lambda: BatchNorm(V, normalization="x"), "normalization is"),
        (lambda: Gaussian(0.0), "cutoff is a positive number"),
        (lambda: Gaussian(1.0, 1), "functions is an integer of at least 2"),
        (lambda: to_layout(torch.zeros(3, 4), V, "x"), 'layout is "channels"'),
        (lambda: to_layout(torch.zeros(3, 5), V, "channels", "mul_ir"), "flat features of trivial \\+ vector are"),
        (lambda: to_layout(torch.zeros(3, 5), V, "mul_ir"), "with channels are"),
        (lambda: Linear(V, V)(torch.zeros(3, 5)), r"x has the shape \[3, 5\]; this layer takes \[..., 4\]"),
        (lambda: Linear(V, V, 2, 2)(torch.zeros(3, 2, 4)), r"takes \[..., 4, 2\], \[..., dim V, channels\]"),
        (lambda: Linear(V, V)(torch.zeros(3, 4, dtype=D)), "the input is torch.float64 and the layer torch.float32"),
        (lambda: Linear(V, V)(torch.zeros(3, 4), torch.zeros(3)), "has no species"),
        (lambda: Linear(V, V, species=2)(torch.zeros(3, 4)), "species are int64 numbers of the shape \\[3\\]"),
        (lambda: Linear(V, V, species=2)(torch.zeros(3, 4), torch.tensor([0, 1, 2])), "numbers 0 to 2, and they go from 0 to 2 - 1"),
        (lambda: Gate(V)(torch.zeros(3, 4)), r"takes \[..., 5\]"),
        (lambda: Norms(V)(torch.zeros(3, 4).long()), "floating-point"),
        (lambda: BatchNorm(V)(torch.zeros(4)), "a batch has an axis in front"),
        (lambda: BatchNorm(V)(torch.zeros(0, 4)), "has no points"),
    ):  # fmt: skip
        with pytest.raises(DomainError, match=message):
            make()


@pytest.mark.parametrize("bad", [None, numpy.ones((2, 4, 4)), [1.0], 3], ids=lambda bad: type(bad).__name__)
def test_what_is_no_tensor_is_refused(bad):
    """Every layer names the argument."""
    V, graph = "0e + 1o", Graph(torch.tensor([[0, 1], [1, 0]]), 2)
    product, flat = TensorProduct("0e", "0e", "0e"), torch.randn(2, 1)
    layer, kinds = Convolution(V, V, V, 4), torch.tensor([0, 1])
    x, y, w = torch.randn(2, 4, 4), torch.randn(2, 4), torch.randn(2, *layer.weight_shape)
    contraction = SymmetricContraction(V, "0e", 4, 2, 2)
    calls = {
        "x": [
            lambda: layer(bad, y, w, graph), lambda: Linear(V, "0e", 4, 4)(bad), lambda: Gate(V)(bad), lambda: Norms(V)(bad),
            lambda: BatchNorm(V)(bad), lambda: product(bad, flat), lambda: contraction(bad, kinds),
        ],
        "y": [lambda: layer(x, bad, w, graph), lambda: product(flat, bad)],
        "w": [lambda: layer(x, y, bad, graph)],
        "r": [lambda f=f: f(bad) for f in (SphericalHarmonics(2), Bessel(5.0, 3), Gaussian(5.0, 3), PolynomialCutoff(5.0))],
        "species": [lambda: contraction(x, bad), lambda: Linear(V, "0e", 4, 4, species=2)(x, bad)] if bad is not None else [],
    }  # fmt: skip
    for name, list_ in calls.items():
        for call in list_:
            with pytest.raises(
                DomainError, match=f"^{name} is a tensor, not {type(bad).__name__.replace('NoneType', 'None')}"
            ):
                call()
