"""The functions for JAX beside the layers of PyTorch: values, derivatives of several orders, vmap and jit."""

import functools
import os
import shutil
import subprocess
import sys

import numpy
import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
jax = pytest.importorskip("jax", reason="JAX is not installed")
torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import jax.numpy as jnp  # noqa: E402
from conftest import ROOT  # noqa: E402
from intertwine import DomainError, Group  # noqa: E402
from intertwine import jax as ij  # noqa: E402
from intertwine.nn import Bilinear, Linear, TensorProduct  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

METHODS = ("kernels", "plain")


@pytest.fixture(autouse=True)
def in_float64():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def near(a, b, tolerance=1e-12):
    a, b = (t.detach().numpy() if isinstance(t, torch.Tensor) else numpy.asarray(t) for t in (a, b))
    assert a.shape == b.shape
    assert numpy.abs(a - b).max(initial=0) <= tolerance * (1 + numpy.abs(b).max(initial=0))


def of(t):
    return jnp.asarray(t.detach().numpy())


def normal(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def derivatives_agree(f, g, *operands):
    """f and g, functions of JAX, with their gradients, tangents, Hessians along vectors and third derivatives."""
    directions = [jnp.asarray(numpy.random.default_rng(k).standard_normal(t.shape)) for k, t in enumerate(operands)]
    every = tuple(range(len(operands)))

    def along(h):
        return lambda *at: jax.jvp(h, at, tuple(directions))[1]

    def slope(h):
        found = jax.grad(lambda *at: h(*at).sum(), every)
        return lambda *at: sum((d * s).sum() for d, s in zip(directions, found(*at)))

    def all_of(h):
        bent = lambda *at: jnp.sin(h(*at))
        found = (
            along(h), jax.grad(slope(bent), every), along(slope(bent)), jax.grad(slope(along(bent)), every)
        )  # fmt: skip
        return lambda *at: [one(*at) for one in found]

    for a, b in zip(*(jax.tree.leaves(jax.jit(all_of(h))(*operands)) for h in (f, g))):
        near(a, b, 1e-10)


def vmaps_agree(f, *operands):
    """vmap over each operand, and over all, is a loop; and so is that of gradients."""
    count = len(operands)
    gradient = jax.jit(jax.grad(lambda *at: jnp.sin(f(*at)).sum(), tuple(range(count))))
    for chosen in (*(1 << n for n in range(count)), (1 << count) - 1):
        axes = [(n % 2 if t.ndim > 1 else 0) if chosen >> n & 1 else None for n, t in enumerate(operands)]
        given = [
            t if axis is None else jnp.stack([t * (1 + 0.1 * k) for k in range(3)], axis)
            for t, axis in zip(operands, axes)
        ]
        rows = [[t if axis is None else jnp.take(t, k, axis) for t, axis in zip(given, axes)] for k in range(3)]
        near(jax.vmap(f, axes)(*given), numpy.stack([f(*row) for row in rows]))
        for a, *b in zip(jax.jit(jax.vmap(gradient, axes))(*given), *(gradient(*row) for row in rows)):
            near(a, numpy.stack(b), 1e-10)


# --- The interface -----------------------------------------------------------------------------------------------------


def test_the_layout_of_calls_is_that_of_xlas_header(tmp_path):
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no compiler")
    pairs = {
        "Extension": ("XLA_FFI_Extension_Base", {"size": "struct_size", "type": "type", "next": "next"}),
        "Version": ("XLA_FFI_Api_Version", {"major": "major_version", "minor": "minor_version"}),
        "Metadata": ("XLA_FFI_Metadata", {"size": "struct_size", "version": "api_version", "traits": "traits"}),
        "MetadataExtension": ("XLA_FFI_Metadata_Extension", {"base": "extension_base", "metadata": "metadata"}),
        "ErrorText": ("XLA_FFI_Error_Create_Args", {"message": "message", "code": "errc"}),
        "Functions": ("XLA_FFI_Api", {"version": "api_version", "create_error": "XLA_FFI_Error_Create"}),
        "Buffer": ("XLA_FFI_Buffer", {"number": "dtype", "data": "data", "rank": "rank", "dims": "dims"}),
        "Buffers": ("XLA_FFI_Args", {"count": "size", "types": "types", "buffers": "args"}),
        "Text": ("XLA_FFI_ByteSpan", {"first": "ptr", "length": "len"}),
        "Scalar": ("XLA_FFI_Scalar", {"number": "dtype", "value": "value"}),
        "Attributes": ("XLA_FFI_Attrs", {"count": "size", "types": "types", "names": "names", "values": "attrs"}),
        "CallFrame": (
            "XLA_FFI_CallFrame",
            {"extensions": "extension_start", "functions": "api", "context": "ctx", "stage": "stage",
             "operands": "args", "results": "rets", "attributes": "attrs"},
        ),
    }  # fmt: skip
    text = '#include "xla/ffi/api/c_api.h"\n#include "xla_ffi.hpp"\nusing namespace intertwine::xla_ffi;\n'
    for ours, (theirs, members) in pairs.items():
        for a, b in members.items():
            text += f"static_assert(offsetof({ours}, {a}) == offsetof({theirs}, {b}));\n"
            text += f"static_assert(sizeof({ours}::{a}) == sizeof({theirs}::{b}));\n"
    text += "static_assert(sizeof(Buffers) == sizeof(XLA_FFI_Rets) && offsetof(Buffers, buffers) == offsetof(XLA_FFI_Rets, rets));\n"
    for number, name in ((4, "S32"), (5, "S64"), (11, "F32"), (12, "F64")):
        text += f"static_assert({number} == XLA_FFI_DataType_{name});\n"
    text += "static_assert(3 == XLA_FFI_ExecutionStage_EXECUTE && 3 == XLA_FFI_Error_Code_INVALID_ARGUMENT);\n"
    text += "static_assert(3 == XLA_FFI_AttrType_SCALAR && 4 == XLA_FFI_AttrType_STRING && 1 == XLA_FFI_Extension_Metadata);\n"
    source = tmp_path / "layout.cpp"
    source.write_text(text)
    folders = [f"-I{jax.ffi.include_dir()}", f"-I{ROOT / 'python' / 'src'}"]
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", *folders, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_page_of_layers_names_all_functions():
    page = (ROOT / "docs" / "capabilities.md").read_text().partition("## In PyTorch and JAX")[2]
    named = {row.split("|")[5].strip(" `") for row in page.splitlines() if row.startswith("| `")} - {"no"}
    assert named == {name for name in ij.__all__ if name[0].islower()} - {"initial_parameters"}


def test_importing_intertwine_imports_no_jax():
    code = "import sys, intertwine; assert 'jax' not in sys.modules; import intertwine.jax; assert 'torch' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_unknown_table_is_one_sentence():
    from intertwine.jax import _linear

    class Unknown:
        name, sizes, code = "nobody:1x1", (1, 1, 1, 0), numpy.ones((1, 1), dtype=numpy.int32)

    one = jnp.ones((1, 1, 1))
    with pytest.raises(Exception, match="the table nobody:1x1 of this compiled program is not known"):
        _linear._apply_p.bind(one, one, table=Unknown()).block_until_ready()


# --- Linear ------------------------------------------------------------------------------------------------------------

LINEAR = [
    ("S4", "perm^2", "perm", 3, 5),
    ("S4", "perm", "sign*perm", 2, 3),
    ("S4", "16*perm + 3*trivial", "2*perm + perm^2", 2, 3),
    ("S4", "2*perm", "3*perm", 1, 1),
    ("C3", "rep([[[0,-1],[1,-1]]])", "regular", 2, 2),
    ("O(3)", "2*harmonic(0) + harmonic(1)", "harmonic(1) + harmonic(0)", 2, 3),
]


def layer_of(name, V, U, in_, out):
    G = Group(name)
    layer = Linear(G.rep(V), G.rep(U), in_, out, dtype=torch.float64)
    with torch.no_grad():
        layer.theta.copy_(normal(*layer.theta.shape, seed=1))
        if layer.bias is not None:
            layer.bias.copy_(normal(*layer.bias.shape, seed=2))
    return layer, normal(7, in_, layer._shape[1], seed=3)


@pytest.mark.parametrize("case", LINEAR, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_linear_is_the_layer(case, method):
    layer, x = layer_of(*case)
    x.requires_grad_()
    y = layer(x)
    (y.sin()).sum().backward()

    def f(x, theta, bias):
        return ij.linear(layer.table, x, theta, bias, channels=(case[4], case[3]), method=method)

    at = of(x), of(layer.theta), of(layer.bias)
    near(f(*at), y)
    near(jax.jit(f)(*at), y)
    for a, b in zip(jax.grad(lambda *at: jnp.sin(f(*at)).sum(), (0, 1, 2))(*at), (x, layer.theta, layer.bias)):
        near(a, b.grad)
    near(
        ij.linear(layer.table, at[0][0], at[1], channels=(case[4], case[3])), f(at[0][0], at[1], jnp.zeros_like(at[2]))
    )


@pytest.mark.parametrize("case", [LINEAR[0], LINEAR[2], LINEAR[4]], ids=str)
def test_derivatives_of_linear(case):
    layer, x = layer_of(*case)

    def f(x, theta, method):
        return ij.linear(layer.table, x, theta, channels=(case[4], case[3]), method=method)

    at = of(x)[:2], of(layer.theta)
    derivatives_agree(lambda *at: f(*at, "kernels"), lambda *at: f(*at, "plain"), *at)
    vmaps_agree(lambda *at: f(*at, "kernels"), *at)
    check_grads(lambda *at: f(*at, "kernels"), at, 2)


def test_linear_without_channels():
    V = Group("S4").rep("perm^2")
    table = (V >> V).table()
    theta, bias, x = of(normal(15)), of(normal(2)), of(normal(6, 16))
    y = ij.linear(table, x, theta, bias)
    near(y, ij.linear(table, x[:, None], theta[:, None, None], bias[:, None])[:, 0])
    g = V.matrix(V.group.random_element(1))
    rho = jnp.asarray(numpy.asarray(g, dtype=float))
    near(ij.linear(table, x @ rho.T, theta, bias), y @ rho.T)
    near(ij.linear(table, x.astype(jnp.float32), theta.astype(jnp.float32), bias.astype(jnp.float32)), y, 1e-5)
    assert ij.linear(table, x[:0], theta).shape == (0, 16)
    near(jax.grad(lambda t: ij.linear(table, x[:0], t).sum())(theta), numpy.zeros(15))
    halves = [t.astype(jnp.bfloat16) for t in (x, theta)]
    near(ij.linear(table, *halves, method="plain").astype(float), ij.linear(table, x, theta), 0.05)


def test_initial_parameters():
    for V, U in (("perm^2", "perm"), ("16*perm + 3*trivial", "2*perm + perm^2")):
        layer = Linear(Group("S4").rep(V), Group("S4").rep(U), 4, 8)
        theta = ij.initial_parameters(layer.table, jax.random.key(0), (8, 4))
        assert theta.shape == layer.theta.shape
        x = jax.random.normal(jax.random.key(1), (2000, 4, layer._shape[1]))
        assert 0.8 < float(ij.linear(layer.table, x, theta, channels=(8, 4)).var()) < 1.25


def test_linear_refuses():
    V = Group("S4").rep("perm")
    table, x, theta = (V >> V).table(), jnp.ones((2, 3, 4)), jnp.ones((2, 5, 3))
    for call, words in (
        (lambda: ij.linear(table, x, theta[:1]), "theta has the shape [1, 5, 3]; it is [2, 5, 3]"),
        (lambda: ij.linear(table, x[..., :3], theta), "x has the shape [2, 3, 3]; this table takes [..., 3, 4]"),
        (lambda: ij.linear(table, x, theta, jnp.ones(1)), "bias has the shape [1]; it is [1, 5]"),
        (lambda: ij.linear(table, x, theta, channels=(5, 0)), "channels is a positive integer, not 0"),
        (lambda: ij.linear(table, x, theta, method="fast"), 'method is "kernels" or "plain", not \'fast\''),
        (lambda: ij.linear(table, x.astype(jnp.float32), theta), "x is float32 and theta float64: convert one"),
        (lambda: ij.linear(table, x.astype(int), theta), "x is int64; layers take floating-point numbers"),
        (
            lambda: ij.linear(table, x.astype(jnp.float16), theta.astype(jnp.float16)),
            'the kernels take float32 and float64, and x is float16; write method="plain"',
        ),
        (lambda: ij.linear(V, x, theta), "linear takes a weight table"),
    ):
        with pytest.raises(DomainError) as refused:
            call()
        assert words in str(refused.value)


# --- Products ----------------------------------------------------------------------------------------------------------

PRODUCTS = [
    ("S4", "perm", "std", "perm^2"),
    ("S4", "2*perm + trivial", "sign + std", "perm + 2*std"),
    ("SO(3)", "2*vector", "vector", "vector + 3*trivial"),
    ("C3", "rep([[[0,-1],[1,-1]]])", "regular", "regular"),
]


def factors_of(case, *channels):
    G = Group(case[0])
    V, W, U = (G.rep(one) for one in case[1:])
    x, z = (normal(5, c, R.dimension, seed=k).requires_grad_() for k, (c, R) in enumerate(zip(channels, (V, W))))
    return V, W, U, x, z


def start(layer):
    with torch.no_grad():
        for k, t in enumerate(layer.parameters()):
            t.copy_(normal(*t.shape, seed=3 + k))
    return layer


@pytest.mark.parametrize("case", PRODUCTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_bilinear_is_the_layer(case, method):
    V, W, U, x, z = factors_of(case, 2, 3)
    layer = start(Bilinear(V, W, U, 2, 3, 4, dtype=torch.float64))
    y = layer(x, z)
    y.sin().sum().backward()
    table = layer.table

    def f(x, z, theta, bias):
        return ij.bilinear(table, x, z, theta, bias, channels=(4, 6), method=method)

    at = tuple(of(t) for t in (x, z, layer.theta, layer.bias))
    near(f(*at), y)
    near(jax.jit(f)(*at), y)
    for a, b in zip(jax.grad(lambda *at: jnp.sin(f(*at)).sum(), (0, 1, 2, 3))(*at), (x, z, layer.theta, layer.bias)):
        near(a, b.grad)
    if U.dimension == table.rows:
        one = of(normal(table.params, seed=9))
        wide = ij.bilinear(table, at[0][:, :1], at[1][:, :1], one[:, None, None], channels=(1, 1), method=method)
        near(ij.bilinear(table, at[0][:, 0], at[1][:, 0], one, method=method), wide[:, 0])


@pytest.mark.parametrize("case", PRODUCTS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_tensor_product_is_the_layer(case, method):
    V, W, U, x, z = factors_of(case, 3, 3)
    layer = start(TensorProduct(V, W, U, 3, dtype=torch.float64))
    y = layer(x, z)
    y.sin().sum().backward()
    f = functools.partial(ij.tensor_product, layer.table, method=method)
    at = tuple(of(t) for t in (x, z, layer.theta))
    near(f(*at), y)
    near(jax.jit(f)(*at), y)
    for a, b in zip(jax.grad(lambda *at: jnp.sin(f(*at)).sum(), (0, 1, 2))(*at), (x, z, layer.theta)):
        near(a, b.grad)


def test_derivatives_of_products():
    G = Group("S4")
    V, W = G.rep("perm"), G.rep("std")
    table = (V * W >> V).table()
    x, z = of(normal(2, 2, 4)), of(normal(2, 2, 3, seed=1))
    pairs, each = of(normal(table.params, 3, 4, seed=2)), of(normal(table.params, 2, 1, seed=3))
    for f, theta in ((ij.bilinear, pairs), (ij.tensor_product, each)):
        kernels, plain = (
            lambda *at, f=f, method=method: f(table, *at[:2], theta=at[2], method=method) for method in METHODS
        )
        derivatives_agree(kernels, plain, x, z, theta)
        vmaps_agree(kernels, x, z, theta)
        check_grads(kernels, (x, z, theta), 2)
        g = G.random_element(1)
        of_V, of_W = (jnp.asarray(numpy.asarray(R.matrix(g), dtype=float)) for R in (V, W))
        near(kernels(x @ of_V.T, z @ of_W.T, theta), kernels(x, z, theta) @ of_V.T)


def test_products_of_tables_of_blocks():
    G = Group("S4")
    V, W, U = map(G.rep, ("2*perm + trivial", "sign + std", "perm + 2*std"))
    table = (V * W >> U).table()
    assert not table.is_single
    x, z = of(normal(5, 2, V.dimension)), of(normal(5, 2, W.dimension, seed=1))
    of_V, of_W, of_U = (jnp.asarray(numpy.asarray(R.matrix(G.random_element(1)), dtype=float)) for R in (V, W, U))
    pairs = ij.initial_parameters(table, jax.random.key(0), (3, 4))
    each = ij.initial_parameters(table, jax.random.key(0), (2, 1))
    for f in (
        lambda x, z: ij.bilinear(table, x, z, pairs, channels=(3, 4)), lambda x, z: ij.tensor_product(table, x, z, each)
    ):  # fmt: skip
        near(f(x @ of_V.T, z @ of_W.T), f(x, z) @ of_U.T)
        near(f(2 * x, z), f(x, 2 * z))


def test_products_refuse():
    V = Group("S4").rep("perm")
    table, x = (V * V >> V).table(), jnp.ones((2, 3, 4))
    pairs, each = jnp.ones((table.params, 5, 9)), jnp.ones((table.params, 3, 1))
    for call, words in (
        (lambda: ij.bilinear(table, x, x[:1], pairs), "x and z have the shapes [2, 3, 4] and [1, 3, 4]; both are"),
        (lambda: ij.bilinear(table, x, x[..., :3], pairs), "x and z have 4 and 3 coordinates; this table takes 16"),
        (lambda: ij.bilinear(table, x, x[:, :2], pairs), "x has the shape [2, 6, 16]; this table takes [..., 9, 16]"),
        (lambda: ij.bilinear(V, x, x, pairs), "linear takes a weight table"),
        (lambda: ij.tensor_product(table, x, x[:, :2], each), "z has the shape [2, 2, 4]; it is [2, 3, 4]"),
        (lambda: ij.tensor_product(table, x, x, each[:, :2]), "theta has the shape"),
        (lambda: ij.tensor_product(table, x, x.astype(jnp.float32), each), "x is float64 and z float32"),
        (lambda: ij.tensor_product(table, x, x, each, method="fast"), 'method is "kernels" or "plain"'),
    ):
        with pytest.raises(DomainError) as refused:
            call()
        assert words in str(refused.value)
