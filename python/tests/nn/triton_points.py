"""The kernels for GPUs of products along edges and of polynomials: on tensors of the CPU by Triton's interpreter
(TRITON_INTERPRET=1 from the start), without that on a GPU. test_nn_triton.py runs this file."""

import contextlib
import os

import pytest
import torch
from intertwine import Group
from intertwine.nn import _ops
from intertwine.nn.geometric import Convolution, Graph, SymmetricContraction, TensorProduct, _edges, _polynomials
from intertwine.nn.geometric import _triton as kernels
from torch.autograd import grad

D = torch.float64
DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"
# group, V, Y, U, orders of derivatives: harmonics, components that no path reaches, several maps between three summands,
# summands of other sizes on both sides, one component. The interpreter is slow.
TYPES = [
    ("O(3)", "harmonic(0) + harmonic(1) + harmonic(2)", "harmonic(0) + harmonic(1)", "harmonic(0) + harmonic(1) + harmonic(2)", 1),
    ("O(3)", "trivial + 2*vector + det", "harmonic(1)", "det*vector + trivial + det*harmonic(9)", 2),
    ("S4", "perm + sign", "perm", "perm + std", 1),
    ("SO(3)", "harmonic(3)", "harmonic(2)", "harmonic(4) + harmonic(5)", 1),
    ("S3", "trivial", "trivial", "trivial", 3),
]  # fmt: skip
every_type = pytest.mark.parametrize("group, V, Y, U, orders", TYPES, ids=lambda text: str(text).replace(" ", ""))


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Kernels for GPUs serve tensors of this device, and are counted."""
    torch.manual_seed(0)
    monkeypatch.setattr(_ops, "_TRITON", (DEVICE,))
    calls = {}
    for name in ("product", "gradients", "value", "slopes"):

        def counted(*given, name=name, f=getattr(kernels, name)):
            calls[name] = calls.get(name, 0) + 1
            return f(*given)

        monkeypatch.setattr(kernels, name, counted)
    with torch.device(DEVICE) if DEVICE == "cuda" else contextlib.nullcontext():
        yield calls


@contextlib.contextmanager
def plain():
    """Plain PyTorch, whatever would be chosen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_ops, "_TRITON", ())
        patch.setattr(_edges, "KERNELS", ())
        patch.setattr(_polynomials, "KERNELS", ())
        yield


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    size = 1 + float(b.abs().max()) if b.numel() else 1
    return a.shape == b.shape and a.dtype == b.dtype and bool(((a - b).abs() <= tolerance * size).all())


def some(*shape, dtype=D, transposed=False):
    if transposed:
        return torch.randn(*shape[::-1], dtype=dtype).permute(*range(len(shape))[::-1]).requires_grad_()
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


def some_graph(nodes=5, edges=6):
    """Loops, edges that occur twice, and nodes without edges."""
    ends = torch.stack((torch.randint(0, nodes, (edges,)), torch.randint(0, max(1, nodes - 2), (edges,))))
    ends[:, :2] = torch.tensor([[1], [1]])
    return Graph(ends, nodes)


def convolution(group, V, Y, U, channels, dtype=D, transposed=False):
    layer = Convolution(*(Group(group).rep(R) for R in (V, Y, U)), channels)
    graph = some_graph()
    shapes = (
        (graph.nodes, layer.V.dimension, channels),
        (graph.edges, layer.Y.dimension),
        (graph.edges, *layer.weight_shape),
    )
    return layer, graph, [some(*shape, dtype=dtype, transposed=transposed) for shape in shapes]


def every_order(f, inputs, orders=2):
    """Values, gradients of a function of them, and gradients of one of these, one after the other."""
    found = [f(*inputs)]
    for _ in range(orders):
        total = sum((t + t.square() / 100).mean() for t in found[-len(inputs) :])
        found += grad(total, inputs, create_graph=True)
    return found


@every_type
@pytest.mark.parametrize("dtype, tolerance", [(D, 1e-12), (torch.float32, 2e-5)], ids=["float64", "float32"])
def test_convolutions_are_those_of_plain_pytorch(group, V, Y, U, orders, dtype, tolerance, here):
    layer, graph, given = convolution(group, V, Y, U, 3, dtype)
    orders = orders if dtype == D else 1
    found = every_order(lambda *t: layer(*t, graph), given, orders)
    # Second derivatives are sums of the two products with operands exchanged.
    assert here["product"] >= orders and here["gradients"] >= 3 * orders - 2
    with plain():
        wanted = every_order(lambda *t: layer(*t, graph), given, orders)
    assert all(close(a, b, tolerance) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("channels", [1, 7, 130])
def test_channels_that_fill_no_tile(channels):
    layer, graph, given = convolution("O(3)", *["trivial + vector"] * 3, channels)
    found = every_order(lambda *t: layer(*t, graph), given, 1)
    with plain():
        wanted = every_order(lambda *t: layer(*t, graph), given, 1)
    assert all(close(a, b) for a, b in zip(found, wanted, strict=True))


def test_transposed_operands():
    layer, graph, given = convolution("O(3)", "trivial", "vector", "vector", 2, transposed=True)
    found = every_order(lambda *t: layer(*t, graph), given)
    with plain():
        wanted = every_order(lambda *t: layer(*t, graph), given)
    assert all(close(a, b) for a, b in zip(found, wanted, strict=True))


def test_gradients_that_nobody_wants_are_not_made(here):
    layer, graph, (x, y, w) = convolution("O(3)", *["trivial + vector"] * 3, 2)
    for wanted in ((x,), (y,), (w,), (x, w), (y, w)):
        found = grad(layer(x, y, w, graph).sin().sum(), wanted)
        with plain():
            assert all(close(a, b) for a, b in zip(found, grad(layer(x, y, w, graph).sin().sum(), wanted)))


def test_no_edges_no_nodes_no_paths():
    V = Group("O(3)").rep("trivial + vector")
    layer = Convolution(V, V, V, 2)
    for nodes, edges in ((3, 0), (0, 0)):
        graph = Graph(torch.zeros(2, edges, dtype=torch.int64), nodes)
        given = some(nodes, 4, 2), some(edges, 4), some(edges, *layer.weight_shape)
        out = layer(*given, graph)
        assert out.shape == (nodes, 4, 2) and not out.any()
        assert [t.shape for t in grad(out.sum(), given)] == [t.shape for t in given]


def test_products_with_instructions(here):
    layer = TensorProduct(
        "3x0e + 3x1o", "0e + 2x1o", "3x0e + 3x1o + 6x1o", [(0, 0, 0, "uvu", True), (0, 1, 1, "uvu", True), (1, 0, 1, "uvu", True), (0, 1, 2, "uvuv", True)], dtype=D
    )  # fmt: skip
    x, y = some(4, 12), some(4, 7)
    found = every_order(layer, (x, y))
    assert here["product"]
    with plain():
        assert all(close(a, b) for a, b in zip(found, every_order(layer, (x, y)), strict=True))


def test_sums_are_the_same_in_every_run():
    layer, graph, given = convolution("O(3)", *["trivial + vector"] * 3, 5, torch.float32)
    first, second = (every_order(lambda *t: layer(*t, graph), given) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, second))


def test_tables_whose_summands_overlap_take_plain_pytorch(here):
    paths = torch.tensor([[0, 2, 0, 1, 0, 2], [0, 2, 0, 1, 1, 2]])
    places = torch.tensor([[0, 0, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 0, 1]])
    table = _edges.EdgeTable([paths, places, torch.ones(4, dtype=D)], [2, 1, 3], "overlapping")
    graph = some_graph()
    given = some(5, 2, 3), some(graph.edges, 1), some(graph.edges, 2, 3)
    out = _edges.product(*given, graph.arrays, table)
    assert not here and close(out, _edges._plain_product(*given, graph.arrays, table))


# --- Polynomials -----------------------------------------------------------------------------------------------------

LAYERS = [
    ("O(3)", "trivial + vector", "vector", 3, "minimal", 1),
    ("O(3)", "harmonic(0) + harmonic(1)", "harmonic(0) + harmonic(1)", 2, "mace", 3),
    ("S3", "perm", "perm + sign", 2, "minimal", 2),
    ("O(3)", "trivial", "trivial", 1, "minimal", 3),
]


@pytest.mark.parametrize("group, V, U, correlation, basis, orders", LAYERS)
@pytest.mark.parametrize("dtype, tolerance", [(D, 1e-12), (torch.float32, 2e-5)], ids=["float64", "float32"])
def test_contractions_are_those_of_plain_pytorch(group, V, U, correlation, basis, orders, dtype, tolerance, here):
    layer = SymmetricContraction(
        Group(group).rep(V), Group(group).rep(U), 2, correlation, 3, basis, dtype=dtype, device=DEVICE
    )
    kinds = torch.tensor([2, 0, 2, 2, 0])  # none of kind 1
    x = some(5, layer.V.dimension, 2, dtype=dtype)
    f = lambda x, w: torch.func.functional_call(layer, {"weight": w}, (x, kinds))  # noqa: E731
    orders = orders if dtype == D else 1
    found = every_order(f, (x, layer.weight), orders)
    assert here["value"] >= orders and here["slopes"] >= 2 * orders - 1
    with plain():
        wanted = every_order(f, (x, layer.weight), orders)
    assert all(close(a, b, tolerance) for a, b in zip(found, wanted, strict=True))


def test_points_of_one_kind_fill_several_pieces(here):
    layer = SymmetricContraction("0e + 1o", "0e", 2, 2, 3, dtype=D, device=DEVICE)
    kinds = torch.tensor([1] * 33 + [0, 2, 0])  # two pieces, and one each
    x = some(len(kinds), 4, 2)
    found = grad(layer(x, kinds).sin().sum(), layer.weight)[0]
    assert here["slopes"] == 1
    with plain():
        assert close(found, grad(layer(x, kinds).sin().sum(), layer.weight)[0])
    assert torch.equal(found, grad(layer(x, kinds).sin().sum(), layer.weight)[0])
    empty = layer(x[:0], kinds[:0])
    assert empty.shape == (0, 1, 2) and not grad(empty.sum(), layer.weight)[0].any()


@pytest.mark.parametrize("channels", [1, 7, 130])
def test_channels_of_contractions_that_fill_no_tile(channels):
    layer = SymmetricContraction("0e + 1o", "0e", channels, 2, dtype=D, device=DEVICE)
    x = some(channels, 4, 2).transpose(0, 2).detach().requires_grad_()
    found = every_order(lambda x, w: torch.func.functional_call(layer, {"weight": w}, (x,)), (x, layer.weight), 1)
    with plain():
        wanted = every_order(lambda x, w: torch.func.functional_call(layer, {"weight": w}, (x,)), (x, layer.weight), 1)
    assert all(close(a, b) for a, b in zip(found, wanted, strict=True))
