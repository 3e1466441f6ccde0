"""Points in space: products along edges beside their definition and e3nn, derivatives, equivariance, graphs, harmonics."""

import copy
import itertools
import math
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import decompositions
from intertwine.nn.geometric import (
    Bessel,
    Convolution,
    Graph,
    PolynomialCutoff,
    SphericalHarmonics,
    _edges,
    change_of_basis,
    segment_sum,
)
from torch.autograd import grad, gradcheck, gradgradcheck

D = torch.float64
O3 = Group("O(3)")
# group, V, Y, U: harmonics, pseudo-vectors, several maps between three summands, irrational fields, no orthogonal
# matrices, a product with a finite group.
TYPES = [
    ("O(3)", "harmonic(0) + harmonic(1) + harmonic(2)", "harmonic(0) + harmonic(1) + harmonic(2)", "harmonic(0) + harmonic(1) + harmonic(2)"),
    ("O(3)", "trivial + 2*vector", "harmonic(1) + harmonic(2)", "det*vector + trivial + det*harmonic(2)"),
    ("SO(3)", "harmonic(3)", "harmonic(2)", "harmonic(1) + harmonic(4) + harmonic(5)"),
    ("S4", "perm + sign", "perm", "2*perm + std"),
    ("A5", "irrep(2) + irrep(4)", "irrep(3)", "irrep(4) + irrep(5)"),
    ("S4", "specht(3,1)", "specht(2,2) + trivial", "specht(3,1) + specht(2,1,1)"),
    ("S3 x O(3)", "perm # vector", "trivial # vector + perm # trivial", "perm # trivial + perm # det*vector"),
]  # fmt: skip
every_type = pytest.mark.parametrize("group, V, Y, U", TYPES, ids=lambda text: text.replace(" ", ""))


def reps(group, *names):
    return [Group(group).rep(name) for name in names]


def operands(layer, graph, dtype=D, transposed=False):
    def random(*shape):
        if transposed:
            return torch.randn(*shape[::-1], dtype=dtype).permute(*range(len(shape))[::-1]).requires_grad_()
        return torch.randn(*shape, dtype=dtype, requires_grad=True)

    x = random(graph.nodes, layer.V.dimension, layer.channels)
    return x, random(graph.edges, layer.Y.dimension), random(graph.edges, *layer.weight_shape)


def some_graph(nodes=6, edges=14, reached=4):
    """Loops, edges that occur twice, and nodes without edges."""
    ends = torch.stack((torch.randint(0, nodes, (edges,)), torch.randint(0, reached, (edges,))))
    ends[:, :2] = torch.tensor([[1], [1]])
    return Graph(ends, nodes)


def couplings(layer):
    """[paths, dim V, dim Y, dim U]: read off the layer, one edge and one number of each operand at a time."""
    single = Convolution(layer.V, layer.Y, layer.U, 1, layer.instructions, layer.order, layer.axis, layer.basis)
    P, (a, b, c) = len(layer.paths), (R.dimension for R in (layer.V, layer.Y, layer.U))
    cases = list(itertools.product(range(P), range(a), range(b)))
    n = len(cases)
    x, y, w = torch.zeros(n, a, 1, dtype=D), torch.zeros(n, b, dtype=D), torch.zeros(n, P, 1, dtype=D)
    for e, (p, i, j) in enumerate(cases):
        x[e, i], y[e, j], w[e, p] = 1, 1, 1
    loops = Graph(torch.arange(n).repeat(2, 1), n)
    return single(x, y, w, loops).reshape(P, a, b, c)


def by_einsum(C, x, y, w, graph):
    messages = torch.einsum("pijk,eic,ej,epc->ekc", C, x[graph.source], y, w)
    return x.new_zeros(graph.nodes, C.shape[-1], x.shape[-1]).index_add(0, graph.target, messages)


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    return a.shape == b.shape and float((a - b).abs().max() if a.numel() else 0) <= tolerance * (
        1 + float(b.abs().max() if b.numel() else 0)
    )


@every_type
def test_values_and_derivatives_are_those_of_the_definition(group, V, Y, U):
    V, Y, U = reps(group, V, Y, U)
    layer, graph = Convolution(V, Y, U, 5), some_graph()
    C = couplings(layer).detach()
    ours, plain = operands(layer, graph), None
    plain = [t.detach().clone().requires_grad_() for t in ours]
    out, expected = layer(*ours, graph), by_einsum(C, *plain, graph)
    assert close(out, expected)
    g = torch.randn_like(out)
    first, wanted = (grad((o * g).sin().sum(), t, create_graph=True) for o, t in ((out, ours), (expected, plain)))
    assert all(close(a, b) for a, b in zip(first, wanted))
    second, wanted = (grad(sum(t.sin().sum() for t in f), i) for f, i in ((first, ours), (wanted, plain)))
    assert all(close(a, b) for a, b in zip(second, wanted))


@pytest.mark.parametrize("channels", [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 130])
@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-12), (torch.float32, 2e-5)])
def test_every_number_of_channels(channels, dtype, tolerance):
    V = O3.rep("harmonic(0) + harmonic(2) + harmonic(5)")
    layer, graph = Convolution(V, O3.rep("harmonic(0) + harmonic(2)"), V, channels), some_graph(9, 40, 7)
    C = couplings(layer).detach().to(dtype)
    ours = operands(layer, graph, dtype)
    plain = [t.detach().clone().requires_grad_() for t in ours]
    results = []
    for out, inputs in ((layer(*ours, graph), ours), (by_einsum(C, *plain, graph), plain)):
        first = grad(out.square().sum(), inputs, create_graph=True)
        results.append([out, *first, *grad(sum(t.square().sum() for t in first), inputs)])
    assert all(close(a, b, tolerance) for a, b in zip(*results))


@pytest.mark.parametrize("transposed", [False, True], ids=["contiguous", "transposed"])
@pytest.mark.parametrize("group, V, Y, U", [TYPES[1], TYPES[3]], ids=["O(3)", "S4"])
def test_gradients_of_first_and_second_order(group, V, Y, U, transposed):
    layer = Convolution(*reps(group, V, Y, U), 2)
    graph = some_graph(4, 5, 3)
    given = operands(layer, graph, transposed=transposed)
    f = lambda *inputs: layer(*inputs, graph)
    assert gradcheck(f, given, fast_mode=True)
    assert gradgradcheck(f, given, fast_mode=True)


def test_gradients_of_third_and_fourth_order():
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 2), some_graph(3, 4, 2)
    f = lambda *inputs: layer(*inputs, graph).sin()
    first = lambda *inputs: grad(f(*inputs).square().sum(), inputs, create_graph=True)
    second = lambda *inputs: grad(sum(t.sin().sum() for t in first(*inputs)), inputs, create_graph=True)
    given = operands(layer, graph)
    assert gradgradcheck(first, given, fast_mode=True)
    assert gradgradcheck(second, given, fast_mode=True)


def test_gradients_of_some_operands_alone():
    """Where y needs no gradient it has none, and the others are the same."""
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 3), some_graph()
    x, y, w = operands(layer, graph)
    every = grad(layer(x, y, w, graph).sin().sum(), (x, y, w))
    assert torch.equal(grad(layer(x, y.detach(), w, graph).sin().sum(), x)[0], every[0])
    of_w = grad(layer(x.detach(), y.detach(), w, graph).sin().sum(), w, create_graph=True)[0]
    assert torch.equal(of_w, every[2])
    assert gradgradcheck(lambda w: layer(x.detach(), y.detach(), w, graph), (w,), fast_mode=True)


def test_threads_change_no_bit():
    V = O3.rep("harmonic(0) + harmonic(1) + harmonic(2)")
    layer, graph = Convolution(V, V, V, 24), some_graph(100, 3000, 90)
    given = operands(layer, graph, torch.float32)

    def everything():
        out = layer(*given, graph)
        first = grad(out.square().sum(), given, create_graph=True)
        return [out, *first, *grad(sum(t.square().sum() for t in first), given)]

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        wanted = everything()
        for threads in (2, 3):
            torch.set_num_threads(threads)
            assert all(torch.equal(a, b) for a, b in zip(everything(), wanted))
    finally:
        torch.set_num_threads(before)


def test_memory_is_used_again_only_when_nobody_uses_it():
    """Results of a megabyte and more; a view, and what is saved for a derivative, are uses."""
    V = O3.rep("harmonic(0) + harmonic(1)")
    layer, graph = Convolution(V, V, V, 64), some_graph(10, 3000, 8)
    given = operands(layer, graph)

    def of_w():
        return grad(layer(*given, graph).square().sum(), given[2])[0]

    first = of_w()
    address, wanted, view = first.data_ptr(), first.clone(), first[7:, :, 1]
    del first
    other = of_w()
    assert other.data_ptr() != address and torch.equal(view, wanted[7:, :, 1])
    leaf = torch.ones((), dtype=D, requires_grad=True)
    held = other.data_ptr()
    product = leaf * other
    del other, view
    again = of_w()
    assert again.data_ptr() == address and again.data_ptr() != held
    assert torch.equal(grad(product.sum(), leaf)[0], wanted.sum()) and torch.equal(again, wanted)


def matrix(V, g, axis="y", basis="orthonormal"):
    """How g acts on features."""
    rho = torch.tensor(numpy.asarray(V.matrix(g), dtype=numpy.float64))
    if basis == "own":
        return rho
    T = change_of_basis(V, axis)
    return torch.linalg.solve(T, rho @ T)


@every_type
@pytest.mark.parametrize("axis, basis", [("y", "orthonormal"), ("z", "orthonormal"), ("y", "own")])
def test_convolutions_are_equivariant(group, V, Y, U, axis, basis):
    V, Y, U = reps(group, V, Y, U)
    layer, graph = Convolution(V, Y, U, 3, axis=axis, basis=basis), some_graph()
    x, y, w = (t.detach() for t in operands(layer, graph))
    out = layer(x, y, w, graph)
    assert float(out.abs().max()) > 0.1
    for seed in range(4):
        g = V.group.random_element(seed)
        of_v, of_y, of_u = (matrix(R, g, axis, basis) for R in (V, Y, U))
        if basis == "orthonormal":
            assert all(close(A @ A.T, torch.eye(len(A), dtype=D), 1e-12) for A in (of_v, of_y, of_u))
        assert close(layer(of_v @ x, y @ of_y.T, w, graph), of_u @ out, 1e-10)
        if not torch.equal(of_u, torch.eye(len(of_u), dtype=D)):
            assert not close(
                layer(x, y @ of_y.T, w, graph), of_u @ out, 1e-3
            )  # x left where it was: the check can fail


def test_inversion_of_space():
    """O(3), not SO(3): no path takes a vector and a vector to a vector."""
    v = O3.rep("vector")
    assert Convolution(v, v, v, 1).weight_shape == (0, 1)
    assert Convolution(v, v, O3.rep("det*vector"), 1).weight_shape == (1, 1)
    w = Group("SO(3)").rep("vector")
    assert Convolution(w, w, w, 1).weight_shape == (1, 1)


def test_lorentz_group_in_its_own_basis():
    V = Group("SO+(1,3)").rep("vector")
    U = Group("SO+(1,3)").rep("trivial + alt(2, vector)")
    with pytest.raises(DomainError, match='have the basis "own"'):
        Convolution(V, V, U, 2)
    layer, graph = Convolution(V, V, U, 2, basis="own"), some_graph()
    x, y, w = (t.detach() for t in operands(layer, graph))
    for seed in range(3):
        g = V.group.random_element(seed)
        A, B = (matrix(R, g, basis="own") for R in (V, U))
        assert close(layer(A @ x, y @ A.T, w, graph), B @ layer(x, y, w, graph), 1e-9)


def test_output_has_the_mean_square_of_its_operands():
    V = O3.rep("harmonic(0) + harmonic(1) + harmonic(2)")
    layer = Convolution(V, V, V, 64)
    loops = Graph(torch.arange(500).repeat(2, 1), 500)
    out = layer(*operands(layer, loops), loops).detach()
    for place, _ in V.slices():
        assert abs(float(out[:, place].square().mean()) - 1) < 0.05


# --- e3nn ------------------------------------------------------------------------------------------------------------


def to_e3nn(x, degrees):
    """[nodes, components, channels] to e3nn's "mul_ir"."""
    parts = torch.split(x, [2 * l + 1 for l in degrees], 1)
    return torch.cat([part.transpose(1, 2).flatten(1) for part in parts], 1)


@pytest.mark.parametrize("order", ["e3nn", "output"])
@pytest.mark.parametrize("lmax, channels", [(1, 4), (2, 3), (3, 2)])
def test_beside_e3nn(lmax, channels, order):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    degrees = range(lmax + 1)
    harmonics = SphericalHarmonics(lmax)
    layer, graph = Convolution(harmonics.V, harmonics.V, harmonics.V, channels, order=order), some_graph()
    irreps = {n: o3.Irreps("+".join(f"{n}x{l}{'eo'[l % 2]}" for l in degrees)) for n in (1, channels)}
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)  # e3nn rounds its couplings to it
    try:
        product = o3.TensorProduct(
            irreps[channels], irreps[1], irreps[channels], [(p.i, p.j, p.k, "uvu", True) for p in layer.paths],
            irrep_normalization="component", path_normalization="element", shared_weights=False, internal_weights=False,
        )  # fmt: skip
    finally:
        torch.set_default_dtype(before)
    x, y, w = operands(layer, graph)
    r = torch.randn(graph.edges, 3, dtype=D)
    assert close(harmonics(r), o3.spherical_harmonics(list(degrees), r, True, "component"))
    messages = product(to_e3nn(x, degrees)[graph.source], y, w.flatten(1))
    theirs = messages.new_zeros(graph.nodes, messages.shape[1]).index_add(0, graph.target, messages)
    ours = to_e3nn(layer(x, y, w, graph), degrees)
    assert close(ours, theirs)
    firsts = [grad(out.sin().sum(), (x, y, w), create_graph=True) for out in (ours, theirs)]
    assert all(close(a, b) for a, b in zip(*firsts))
    seconds = [grad(sum(t.sin().sum() for t in first), (x, y, w)) for first in firsts]
    assert all(close(a, b) for a, b in zip(*seconds))


@pytest.mark.parametrize("normalization", ["component", "norm", "integral"])
@pytest.mark.parametrize("normalize", [True, False])
def test_harmonics_beside_e3nn(normalization, normalize):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    harmonics = SphericalHarmonics(8, normalize, normalization)
    r = (torch.randn(20, 3, dtype=D) / 2).requires_grad_()
    ours, theirs = harmonics(r), o3.spherical_harmonics(list(range(9)), r, normalize, normalization)
    assert close(ours, theirs, 1e-13)
    g = torch.randn_like(ours)
    assert close(*(grad((y * g).sum(), r)[0] for y in (ours, theirs)))


# --- Harmonics and functions of distances ----------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["y", "z"])
def test_harmonics_are_equivariant_and_normalised(axis):
    harmonics, vector = SphericalHarmonics(6, normalization="norm", axis=axis), O3.rep("vector")
    r = torch.randn(7, 3, dtype=D)
    values = harmonics(r)
    for place, _ in harmonics.V.slices():
        assert close(values[:, place].square().sum(1), torch.ones(7, dtype=D))
    first = harmonics(torch.tensor([1.0, 2.0, 3.0]))[1:4] * math.sqrt(14)
    assert close(first, torch.tensor([1.0, 2.0, 3.0] if axis == "y" else [2.0, 3.0, 1.0]), 1e-6)
    for seed in range(3):
        g = O3.random_element(seed)
        turned = r @ torch.tensor(numpy.asarray(vector.matrix(g))).T
        assert close(harmonics(turned), values @ matrix(harmonics.V, g, axis).T, 1e-11)


@pytest.mark.parametrize("n, lmax", [(2, 5), (4, 3), (5, 2)])
def test_harmonics_in_other_dimensions(n, lmax):
    harmonics, G = SphericalHarmonics(lmax, dimensions=n), Group(f"O({n})")
    r = torch.randn(7, n, dtype=D, requires_grad=True)
    values = harmonics(r)
    assert values.shape[1] == harmonics.V.dimension and close(values[:, 1 : n + 1], r / r.norm(dim=1)[:, None] * n**0.5)
    for (place, R), l in zip(harmonics.V.slices(), range(lmax + 1)):
        assert close(values[:, place].square().sum(1), torch.full((7,), R.dimension, dtype=D))
        own = SphericalHarmonics(G.rep(f"harmonic({l})"))
        assert torch.equal(own(r), values[:, place]) and own.V == G.rep(f"harmonic({l})")
    for seed in range(3):
        g = G.random_element(seed)
        turned = r @ torch.tensor(numpy.asarray(G.rep("vector").matrix(g))).T
        assert close(harmonics(turned), values @ matrix(harmonics.V, g).T, 1e-11)
    once = SphericalHarmonics(lmax, normalize=False, dimensions=n)
    laplacian = sum(torch.autograd.functional.hessian(lambda x: once(x)[-1], r[0].detach()).diagonal())
    assert abs(float(laplacian)) < 1e-10
    integral = SphericalHarmonics(lmax, normalization="integral", dimensions=n)
    sphere = 2 * math.pi ** (n / 2) / math.gamma(n / 2)
    assert close(integral(r), values / math.sqrt(sphere))
    layer = Convolution(harmonics.V, harmonics.V, harmonics.V, 2)
    graph = some_graph(6, 7)
    x, w = torch.randn(6, harmonics.V.dimension, 2, dtype=D), torch.randn(7, *layer.weight_shape, dtype=D)
    M = matrix(harmonics.V, g)
    assert close(layer(M @ x, harmonics(turned), w, graph), M @ layer(x, values, w, graph), 1e-11)
    assert copy.deepcopy(harmonics)(r).equal(values) and pickle.loads(pickle.dumps(harmonics))(r).equal(values)


def test_harmonics_of_a_representation():
    r = torch.randn(5, 3, dtype=D)
    every = SphericalHarmonics(3)(r)
    found = SphericalHarmonics("3o + 0e + 3o")(r)
    assert torch.equal(found, torch.cat([every[:, 9:], every[:, :1], every[:, 9:]], 1))
    for call, message in (
        (lambda: SphericalHarmonics("0e + 1e"), r"is no harmonic\(l\)"),
        (lambda: SphericalHarmonics(Group("S4").rep("perm")), "S4 does not say how it turns"),
        (lambda: SphericalHarmonics(200), "have 8140701 coefficients"),
        (lambda: SphericalHarmonics(2, dimensions=1), "dimensions is an integer of at least 2"),
        (lambda: SphericalHarmonics(2, dimensions=4)(r), r"vectors are numbers \[..., 4\]"),
    ):
        with pytest.raises(DomainError, match=message):
            call()


def test_harmonics_where_points_coincide():
    """All derivatives are finite: 0 with normalize, those of polynomials without."""
    r = torch.zeros(2, 3, dtype=D, requires_grad=True)
    for normalize in (True, False):
        out = SphericalHarmonics(3, normalize)(r)
        assert out[:, 0].tolist() == [1, 1] and not out[:, 1:].any()
        for order in range(3):
            (out,) = grad(out.sum(), r, create_graph=True, allow_unused=True, materialize_grads=True)
            assert torch.isfinite(out).all()
            if order == 0 and normalize:
                assert not out.any()
    out = SphericalHarmonics(1, False)(r)[:, 1:]
    assert close(grad(out.sum(), r)[0], torch.full((2, 3), math.sqrt(3), dtype=D))
    r = torch.randn(3, 3, dtype=D, requires_grad=True)
    assert gradcheck(SphericalHarmonics(4), (r,)) and gradgradcheck(SphericalHarmonics(4), (r,))


def test_bessel_functions_and_the_cutoff():
    """Orthonormal for r^2 dr, by a quadrature; the cutoff's derivatives vanish at c."""
    c, n = 3.0, 20000
    r = (torch.arange(n, dtype=D) + 0.5) * (c / n)
    values = Bessel(c, 5)(r)
    assert close((values * r[:, None] ** 2).T @ values * (c / n), torch.eye(5, dtype=D), 1e-6)
    zero = torch.zeros(1, dtype=D, requires_grad=True)
    near = torch.full((1,), 1e-4, dtype=D, requires_grad=True)
    found = []
    for at in (zero, near):
        out = Bessel(c, 4)(at)
        (first,) = grad(out.sum(), at, create_graph=True)
        found.append([out, first, *grad(first.sum(), at)])
    assert all(close(a, b, 1e-2) for a, b in zip(*found))
    for power in (2, 6):
        cutoff = PolynomialCutoff(c, power)
        at = torch.tensor([0.0, c - 1e-9, c + 1.0], dtype=D, requires_grad=True)
        out = cutoff(at)
        assert close(out, torch.tensor([1.0, 0.0, 0.0], dtype=D), 1e-8)
        (first,) = grad(out.sum(), at, create_graph=True)
        (second,) = grad(first.sum(), at)
        assert not first[1:].abs().gt(1e-6).any() and not second[1:].abs().gt(1e-5).any()
    for wrong in (0, -1.0, math.inf, math.nan):
        with pytest.raises(DomainError, match="positive number"):
            Bessel(wrong)
        with pytest.raises(DomainError, match="positive number"):
            PolynomialCutoff(wrong)
    with pytest.raises(DomainError, match="power is an integer of at least 2"):
        PolynomialCutoff(1.0, 1)


# --- Graphs ----------------------------------------------------------------------------------------------------------


def test_conventions_of_edges():
    ends = torch.tensor([[0, 1, 1], [2, 2, 0]])
    there, back = Graph(ends, 4), Graph(ends, 4, convention="dst,src")
    assert there.source.tolist() == back.target.tolist() == [0, 1, 1]
    assert there.degrees().tolist() == [1, 0, 2, 0] and back.degrees().tolist() == [1, 2, 0, 0]
    same = Graph(ends.flip(0).to(torch.int32), 4, convention="dst,src")
    assert all(torch.equal(a, b) for a, b in zip(there.arrays, same.arrays))


def test_graphs_without_edges_or_nodes():
    V = O3.rep("trivial + vector")
    layer = Convolution(V, V, V, 3)
    for nodes in (0, 5):
        graph = Graph(torch.zeros(2, 0, dtype=torch.int64), nodes)
        given = operands(layer, graph)
        out = layer(*given, graph)
        assert torch.equal(out, torch.zeros(nodes, 4, 3, dtype=D))
        first = grad(out.sum(), given, create_graph=True)
        assert [t.shape for t in first] == [t.shape for t in given] and not first[0].any()
        assert not grad(first[0].sum(), given, allow_unused=True, materialize_grads=True)[0].any()


def test_types_without_paths_give_zeros():
    layer = Convolution(O3.rep("trivial"), O3.rep("vector"), O3.rep("harmonic(2)"), 3)
    graph = some_graph()
    given = operands(layer, graph)
    out = layer(*given, graph)
    assert layer.weight_shape == (0, 3) and not out.any()
    assert not any(t.any() for t in grad(out.sum(), given))


def test_order_of_edges_changes_nothing_but_rounding():
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 3), some_graph()
    x, y, w = operands(layer, graph)
    order = torch.randperm(graph.edges)
    other = Graph(torch.stack((graph.source, graph.target))[:, order], graph.nodes)
    assert close(layer(x, y[order], w[order], other), layer(x, y, w, graph))


def test_segment_sums():
    values, index = torch.randn(6, 2, dtype=D, requires_grad=True), torch.tensor([3, 0, 3, 1, 0, 3])
    found = segment_sum(values, index, 5)
    assert found.shape == (5, 2) and close(found[3], values[[0, 2, 5]].sum(0)) and not found[[2, 4]].any()
    assert gradgradcheck(lambda v: segment_sum(v, index, 5), (values,))
    with pytest.raises(DomainError, match="numbers 0 to 3, and they go from 0 to 3 - 1"):
        segment_sum(values, index, 3)
    with pytest.raises(DomainError, match="one number of the type int64"):
        segment_sum(values, index[:5], 4)


# --- What PyTorch does with layers -----------------------------------------------------------------------------------


def test_operators_pass_the_checks_of_pytorch():
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 2), some_graph()
    x, y, w = operands(layer, graph)
    g = torch.randn(graph.nodes, 4, 2, dtype=D, requires_grad=True)
    a, b, c = (torch.randn_like(t).requires_grad_() for t in (x, y, w))
    ops, rest = torch.ops.intertwine, (graph.arrays, *layer._table)
    for op, given in (
        (ops.edge_product, (x, y, w)),
        (ops.edge_product_along, (x, y, w, a, b, c)),
        (ops.edge_gradients, (x, y, w, g, [1, 1, 1])),
        (ops.edge_gradients_along, (x, y, w, g, a, b, c, [1, 1, 1])),
    ):
        torch.library.opcheck(op.default, (*given, *rest))


def test_gradients_by_plain_pytorch_are_those_of_kernels():
    V = O3.rep("trivial + vector + harmonic(2)")
    layer, graph = Convolution(V, V, V, 3), some_graph()
    at = [t.detach() for t in operands(layer, graph)]
    g, along = torch.randn(graph.nodes, 9, 3, dtype=D), tuple(torch.randn_like(t) for t in at)
    rest = g, graph.arrays, layer._table
    for moves in ((), along):
        wanted = _edges._run_gradients(*at, g, moves, [1, 1, 1], *rest[1:])
        for run in (_edges._gradients_by_paths, _edges._gradients_by_entries):
            assert all(close(a, b) for a, b in zip(_edges._plain_gradients(*at, g, moves, *rest[1:], run), wanted))


def test_compiled_and_exported():
    V = O3.rep("trivial + vector")
    layer, harmonics, graph = Convolution(V, V, V, 4), SphericalHarmonics(1), some_graph()

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.harmonics = layer, harmonics

        def forward(self, x, r, w):
            return self.layer(x, self.harmonics(r), w, graph)

    model, (x, _, w), r = Model(), operands(layer, graph), torch.randn(graph.edges, 3, dtype=D)
    expected = model(x, r, w)
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    assert close(compiled(x, r, w), expected)
    assert close(*(grad(f(x, r, w).sin().sum(), w)[0] for f in (compiled, model)))
    with torch.no_grad():
        program = torch.export.export(model, (x, r, w))
    assert close(program.module()(x, r, w), expected)
    of_ours = lambda program: [n for n in program.graph.nodes if "intertwine" in str(n.target)]
    plain = program.run_decompositions(decompositions())
    assert of_ours(program) and not of_ours(plain)
    assert close(plain.module()(x, r, w), expected)


def test_forward_mode_and_functional_transformations():
    """A registered operator has silently no tangents: there plain PyTorch runs."""
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 2), some_graph()
    x, y, w = (t.detach() for t in operands(layer, graph))
    f = lambda x: layer(x, y, w, graph)
    direction = torch.randn_like(x)
    out, tangent = torch.func.jvp(f, (x,), (direction,))
    assert close(out, f(x)) and close(tangent, f(direction))
    with torch.autograd.forward_ad.dual_level():
        dual = layer(torch.autograd.forward_ad.make_dual(x, direction), y, w, graph)
        assert close(torch.autograd.forward_ad.unpack_dual(dual).tangent, f(direction))
    leaf = x.clone().requires_grad_()
    assert close(torch.func.grad(lambda x: f(x).sin().sum())(x), grad(f(leaf).sin().sum(), leaf)[0])
    assert close(torch.func.vmap(f)(torch.stack((x, direction))), torch.stack((f(x), f(direction))))


def test_copies_and_other_types():
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 2, order="output"), some_graph()
    given = operands(layer, graph)
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(other(*given, graph), layer(*given, graph)) and other.paths == layer.paths
    half = [t.detach().to(torch.bfloat16) for t in given]
    assert close(layer(*half, graph).to(D), layer(*given, graph), 0.1)
    found = []
    for numbers in (half, [t.float() for t in half]):  # 16 bits have no kernels
        leaves = [t.clone().requires_grad_() for t in numbers]
        first = grad(layer(*leaves, graph).float().square().mean(), leaves, create_graph=True)
        found.append([*first, *grad(sum(t.float().square().sum() for t in first), leaves)])
    assert all(close(a.float(), b, 0.1) for a, b in zip(*found))
    wanted = layer(*(t.float() for t in half), graph)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(layer(half[0].float(), *half[1:], graph), wanted)
    meta = layer(*(t.to("meta") for t in given), graph.to("meta"))
    assert meta.is_meta and meta.shape == (graph.nodes, 4, 2)


# --- Paths -----------------------------------------------------------------------------------------------------------


def test_instructions_and_orders():
    V = O3.rep("harmonic(0) + harmonic(1) + harmonic(2)")
    triples = lambda layer: [(p.i, p.j, p.k) for p in layer.paths]
    all_of, sorted_of = Convolution(V, V, V, 1), Convolution(V, V, V, 1, order="output")
    assert len(all_of.paths) == 11 and triples(all_of) == sorted(triples(all_of))
    assert triples(sorted_of) == sorted(triples(all_of), key=lambda p: p[2]) != triples(all_of)
    some = [(2, 1, 1), (0, 0, 0), (1, 1, 0)]
    assert triples(Convolution(V, V, V, 1, some)) == some
    assert triples(Convolution(V, V, V, 1, some, order="output")) == [some[1], some[2], some[0]]
    maps = Convolution(*reps("S4", "perm", "perm", "perm"), 1)
    assert [p.copy for p in maps.paths] == list(range(5))  # orbits of S4 on triples of points


def test_bad_arguments():
    V, v = O3.rep("trivial + vector"), O3.rep("vector")
    with pytest.raises(
        DomainError, match=r"instruction \(1, 1, 1\) has no path: no equivariant map takes vector \* vector to vector"
    ):
        Convolution(V, V, V, 2, [(1, 1, 1)])
    with pytest.raises(DomainError, match="names summand 2 of trivial \\+ vector, whose summands go from 0 to 1"):
        Convolution(V, V, V, 2, [(0, 2, 0)])
    with pytest.raises(DomainError, match="an instruction is the numbers of three summands"):
        Convolution(V, V, V, 2, [(0, 0)])
    with pytest.raises(DomainError, match="is given twice"):
        Convolution(V, V, V, 2, [(0, 0, 0), (0, 0, 0)])
    with pytest.raises(DomainError, match="representations of different groups"):
        Convolution(V, Group("SO(3)").rep("vector"), V, 2)
    with pytest.raises(DomainError, match="channels is a positive integer"):
        Convolution(V, V, V, 0)
    for name in ("order", "axis", "basis"):
        with pytest.raises(DomainError, match=f"{name} is"):
            Convolution(V, V, V, 2, **{name: "x"})
    with pytest.raises(DomainError, match="normalization is"):
        SphericalHarmonics(2, normalization="x")
    with pytest.raises(DomainError, match="vectors are numbers"):
        SphericalHarmonics(2)(torch.zeros(4, 2))
    with pytest.raises(DomainError, match="have no orthonormal|orthonormal bases are for"):
        change_of_basis(Group("SO+(1,3)").rep("vector"))
    assert v.dimension == 3


def test_bad_edges():
    ends = torch.tensor([[0, 1], [1, 2]])
    with pytest.raises(DomainError, match=r"edge 1 has the ends \[1, 2\], and the nodes go from 0 to 2 - 1"):
        Graph(ends, 2)
    with pytest.raises(DomainError, match=r"edge 0 has the ends \[-1, 1\]"):
        Graph(torch.tensor([[-1, 1], [1, 2]]), 5)
    with pytest.raises(DomainError, match=r"has the shape \[2, edges\], not \[3, 2\]"):
        Graph(torch.zeros(3, 2, dtype=torch.int64), 2)
    with pytest.raises(DomainError, match="integers of the type int64 or int32, not torch.float32"):
        Graph(ends.float(), 3)
    with pytest.raises(DomainError, match='"src,dst" or "dst,src"'):
        Graph(ends, 3, convention="i,j")


def test_bad_operands():
    V = O3.rep("trivial + vector")
    layer, graph = Convolution(V, V, V, 3), some_graph()
    x, y, w = (t.detach() for t in operands(layer, graph))
    with pytest.raises(
        DomainError, match=r"x has the shape \[6, 3, 4\]; this layer takes \[6, 4, 3\], \[nodes, dim V, channels\]"
    ):
        layer(x.transpose(1, 2), y, w, graph)
    with pytest.raises(
        DomainError, match=r"w has the shape \[14, 12\]; this layer takes \[14, 4, 3\], \[edges, paths, channels\]"
    ):
        layer(x, y, w.flatten(1), graph)
    with pytest.raises(DomainError, match="y has the shape"):
        layer(x, y[:5], w, graph)
    with pytest.raises(DomainError, match="x is torch.float64 on cpu and w torch.float32 on cpu"):
        layer(x, y, w.float(), graph)
    with pytest.raises(DomainError, match="floating-point"):
        layer(x.long(), y.long(), w.long(), graph)
    with pytest.raises(DomainError, match=r"the graph is a Graph\(edge_index, nodes\), not Tensor"):
        layer(x, y, w, torch.stack([graph.source, graph.target]))
