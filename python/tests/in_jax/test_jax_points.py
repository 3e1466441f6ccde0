"""The operations of points for JAX beside the layers of PyTorch: values, derivatives of several orders, vmap and jit."""

import copy
import os
import pickle

import numpy
import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
jax = pytest.importorskip("jax", reason="JAX is not installed")
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import jax.numpy as jnp  # noqa: E402
from intertwine import DomainError, Group  # noqa: E402
from intertwine import jax as ij  # noqa: E402
from intertwine.nn.geometric import Convolution, Graph, SphericalHarmonics, SymmetricContraction  # noqa: E402
from test_jax import METHODS, derivatives_agree, in_float64, near, normal, of, vmaps_agree  # noqa: E402, F401

EDGES = numpy.array([[0, 1, 2, 3, 0, 2, 3], [1, 0, 0, 1, 3, 3, 1]])  # nothing ends at node 2


def types(group, *texts):
    return texts if group is None else tuple(Group(group).rep(text) for text in texts)


def test_tables_are_values():
    for made in (ij.Couplings("0e + 1o", "1o", "0e"), ij.Contraction("0e", "0e", 2)):
        again = pickle.loads(pickle.dumps(made))
        assert again == made == copy.deepcopy(made) and hash(again) == hash(made)
        assert made != ij.Couplings("0e", "1o", "1o") and made != ij.Contraction("0e", "0e", 2, "mace")
    assert repr(made) == "Contraction(trivial -> trivial, correlation=2, 2 weights)"


# --- Harmonics ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"normalize": False, "axis": "z"}, {"normalization": "integral"}], ids=str)
def test_harmonics_are_the_layer(options):
    r = normal(2, 5, 3)
    r[0, 0] = 0
    for lmax in (0, 2, 5):
        f = jax.jit(lambda r, lmax=lmax: ij.spherical_harmonics(r, lmax, **options))
        near(f(of(r)), SphericalHarmonics(lmax, **options)(r))
    f = jax.jit(lambda r: jnp.sin(ij.spherical_harmonics(r, 2, **options)).sum())
    r.requires_grad_()
    SphericalHarmonics(2, **options)(r).sin().sum().backward()
    near(jax.grad(f)(of(r)), r.grad)
    assert jnp.isfinite(jax.jit(jax.hessian(f))(of(r)[0, :2])).all()


# --- Along edges -------------------------------------------------------------------------------------------------------

PRODUCTS = [
    (None, "0e + 1o", "0e + 1o", "0e + 1o + 1e"),
    ("S3", "perm", "std + trivial", "perm + sign"),
    ("O(1,3)", "vector", "vector", "trivial + vector"),
]


def product_of(group, V, Y, U):
    V, Y, U = types(group, V, Y, U)
    basis = {"basis": "own"} if group == "O(1,3)" else {}
    layer, couplings = Convolution(V, Y, U, 3, **basis), ij.Couplings(V, Y, U, **basis)
    in_, edge, _ = layer._table.sizes
    x, y, w = (normal(*shape, seed=n) for n, shape in enumerate(((4, in_, 3), (7, edge), (7, *layer.weight_shape))))
    return layer, couplings, (x, y, w)


@pytest.mark.parametrize("case", PRODUCTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_convolution_is_the_layer(case, method):
    layer, couplings, operands = product_of(*case)
    for t in operands:
        t.requires_grad_()
    out = layer(*operands, Graph(torch.from_numpy(EDGES), 4))
    out.sin().sum().backward()
    assert couplings.paths == layer.paths

    def f(*at):
        return ij.convolution(couplings, *at, EDGES, method=method)

    at = [of(t) for t in operands]
    near(f(*at) if method == "kernels" else jax.jit(f)(*at), out)
    slopes = jax.grad(lambda *at: jnp.sin(f(*at)).sum(), (0, 1, 2))
    for run in (slopes, jax.jit(slopes)) if method == "kernels" else (jax.jit(slopes),):
        for a, t in zip(run(*at), operands):
            near(a, t.grad)
    near(f(*(t.astype(jnp.float32) for t in at)), out, 1e-5)


def test_derivatives_of_the_convolution():
    _, couplings, operands = product_of(*PRODUCTS[1])
    at = [of(t) for t in operands]
    f, g = (lambda *at, m=m: ij.convolution(couplings, *at, EDGES, method=m) for m in METHODS)
    derivatives_agree(f, g, *at)
    vmaps_agree(f, *at)
    # Forces: a gradient in positions inside, one in parameters outside; and Hessians.
    slope = lambda h: lambda y, w: jnp.square(jax.grad(lambda y: h(at[0], y, w).sum() ** 2)(y)).sum()
    near(jax.grad(slope(f), 1)(*at[1:]), jax.grad(slope(g), 1)(*at[1:]), 1e-10)
    near(*(jax.hessian(lambda y: jnp.sin(h(at[0], y, at[2])).sum())(at[1]) for h in (f, g)), 1e-10)


def test_graphs_may_change_under_jit():
    layer, couplings, operands = product_of(*PRODUCTS[0])
    at = [of(t) for t in operands]
    f = jax.jit(lambda edges: ij.convolution(couplings, *at, edges))
    several = numpy.stack([EDGES, EDGES[::-1], (EDGES + 1) % 4])
    wanted = [layer(*operands, Graph(torch.from_numpy(numpy.ascontiguousarray(e)), 4)) for e in several]
    for edges, out in zip(several, wanted):
        near(f(edges), out)
    near(jax.vmap(f)(several), torch.stack(wanted))
    with pytest.raises(Exception, match="edge 3 has an end 4, and the nodes go from 0 to 4 - 1"):
        f(numpy.where(numpy.arange(7) == 3, 4, EDGES)).block_until_ready()
    x, y, w = at
    assert not ij.convolution(couplings, x, y[:0], w[:0], EDGES[:, :0]).any()


def test_convolution_refuses():
    _, couplings, operands = product_of(*PRODUCTS[0])
    x, y, w = (of(t) for t in operands)
    for call, words in (
        (lambda: ij.convolution(couplings, x[:, :2], y, w, EDGES), "x has the shape [4, 2, 3]; it is [4, 4, 3]"),
        (lambda: ij.convolution(couplings, x, y[:3], w, EDGES), "y has the shape [3, 4]; it is [7, 4]"),
        (lambda: ij.convolution(couplings, x, y, w[:, :1], EDGES), "w has the shape [7, 1, 3]"),
        (lambda: ij.convolution(couplings, x, y, w, EDGES[0]), "they are [nodes, dim V, channels]"),
        (
            lambda: ij.convolution(couplings, x, y, w, EDGES + 1),
            "edges has the numbers 1 to 4, and they go from 0 to 4 - 1",
        ),
        (lambda: ij.convolution(couplings, x, y, w, EDGES * 1.0), "edges is float64; it has integers"),
        (lambda: ij.convolution(None, x, y, w, EDGES), "Couplings"),
        (lambda: ij.Couplings("0e", "1o", "0e", [(0, 0, 0)]), "the instruction (0, 0, 0) has no path"),
    ):
        with pytest.raises(DomainError) as refused:
            call()
        assert words in str(refused.value)


# --- At points ---------------------------------------------------------------------------------------------------------

POLYNOMIALS = [
    (None, "0e + 1o", "0e + 1o", 3, "minimal"),
    (None, "0e + 1o", "0e + 1o", 3, "mace"),
    ("S4", "perm", "perm + trivial", 2, "minimal"),
    ("D4", "E + A1", "E", 3, "minimal"),
]
KINDS = numpy.array([0, 1, 1, 0, 1])


def polynomial_of(group, V, U, correlation, basis):
    V, U = types(group, V, U)
    layer = SymmetricContraction(V, U, 2, correlation, 2, basis, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(normal(*layer.weight.shape, seed=4))
    return layer, ij.Contraction(V, U, correlation, basis), normal(5, layer._size, 2, seed=5)


@pytest.mark.parametrize("case", POLYNOMIALS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_contraction_is_the_layer(case, method):
    layer, table, x = polynomial_of(*case)
    assert table.weight_numel == layer.weight_numel
    x.requires_grad_()
    out = layer(x, torch.from_numpy(KINDS))
    out.sin().sum().backward()

    def f(x, w):
        return ij.symmetric_contraction(table, x, w, KINDS, method=method)

    at = of(x), of(layer.weight)
    near(f(*at) if method == "kernels" else jax.jit(f)(*at), out)
    slopes = jax.grad(lambda *at: jnp.sin(f(*at)).sum(), (0, 1))
    for run in (slopes, jax.jit(slopes)) if method == "kernels" else (jax.jit(slopes),):
        for a, t in zip(run(*at), (x, layer.weight)):
            near(a, t.grad)
    near(f(*(t.astype(jnp.float32) for t in at)), out, 1e-4)
    alone = ij.symmetric_contraction(table, at[0][None, 2:3], at[1][1:], method=method)
    near(alone[0], f(*at)[2:3])


def test_derivatives_of_the_contraction():
    _, table, x = polynomial_of(*POLYNOMIALS[0])
    x, w = of(x), of(normal(2, table.weight_numel, 2, seed=4))
    f, g = (lambda *at, m=m: ij.symmetric_contraction(table, *at, KINDS, method=m) for m in METHODS)
    derivatives_agree(f, g, x, w)
    vmaps_agree(f, x, w)
    near(*(jax.hessian(lambda x: jnp.sin(h(x, w)).sum())(x) for h in (f, g)), 1e-10)


def test_contraction_refuses():
    layer, table, x = polynomial_of(*POLYNOMIALS[0])
    x, w = of(x), of(layer.weight)
    run = ij.symmetric_contraction
    for call, words in (
        (lambda: run(table, x[:, :3], w, KINDS), "x has the shape [5, 3, 2]; it is [..., 4, channels]"),
        (lambda: run(table, x, w), "weight has the shape [2, "),
        (lambda: run(table, x, w[:, 1:], KINDS), "[species, weights, channels]"),
        (lambda: run(table, x, w, KINDS[:3]), "species has the shape [3]; it is [5], one for each point"),
        (lambda: run(table, x, w, KINDS + 1), "species has the numbers 1 to 2, and they go from 0 to 2 - 1"),
        (lambda: ij.Contraction("0e", "1o", 2), "no polynomial of degree 1 to 2 takes"),
        (lambda: ij.Contraction("0e", "0e", 2, "other"), "basis is 'minimal', 'mace', not 'other'"),
        (lambda: ij.spherical_harmonics(x, 1), "vectors are numbers [..., 3]"),
        (lambda: ij.spherical_harmonics(x[:, :3, 0], -1), "lmax is an integer of at least 0, not -1"),
    ):
        with pytest.raises(DomainError) as refused:
            call()
        assert words in str(refused.value)
