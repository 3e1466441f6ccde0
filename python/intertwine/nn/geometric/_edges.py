"""The product along edges and its derivatives as operators of PyTorch, closed under differentiation.

    L(x, y, w, g) = sum over edges e, paths p, channels c of w[e,p,c] C^p_ijk x[source e,i,c] y[e,j] g[target e,k,c]

    edge_product(x, y, w)                        the gradient of L in g
    edge_gradients(x, y, w, g)                   the gradients of L in x, y and w
    edge_product_along(x, y, w, a, b, c)         the derivative of the first along (a, b, c)
    edge_gradients_along(x, y, w, g, a, b, c)    the derivative of the second along (a, b, c); g stays

The derivatives of these four are sums of these four, so every order is there. On the CPU, for float32 and float64, the
kernels of the library run them, and those of `_triton` on a GPU; elsewhere plain PyTorch with the same results. Forward
mode and transformations of torch.func take plain PyTorch, too: a registered operator gives zero tangents there without
a word.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor

from ... import DomainError
from ..._core import EdgeProduct
from ..._couplings import Couplings
from .. import _ops
from .._tables import real_tensors

__all__ = ["KERNELS", "EdgeTable", "dense", "memory", "plain_doors", "product", "served", "table_of"]

KERNELS = (torch.float32, torch.float64)


class EdgeTable(NamedTuple):
    """A list of paths, as operands of an operator.

    tensors: paths [P, 6], for x, y and the product the first component and how many; places [E, 4], (path, i, j, k);
    values [E] in float64. sizes: components of x, y and the product. digest: names the numbers.
    """

    tensors: list[Tensor]
    sizes: list[int]
    digest: str


def table_of(couplings: Couplings) -> EdgeTable:
    """The couplings as tensors."""
    with real_tensors():
        return EdgeTable([torch.from_numpy(a) for a in couplings.arrays], couplings.sizes, couplings.digest)


Graph = list[Tensor]  # source, target, target_first, by_target, source_first, by_source


# --- Kernels ---------------------------------------------------------------------------------------------------------

_products: dict[str, EdgeProduct] = {}
_MOST_PRODUCTS = 256


def _kernel_of(table: EdgeTable) -> EdgeProduct:
    found = _products.get(table.digest)
    if found is None:
        paths, places, values = table.tensors
        sizes = (table.sizes[0], table.sizes[1], table.sizes[2])
        found = EdgeProduct(sizes, paths.tolist(), places.tolist(), values.tolist())
        if len(_products) >= _MOST_PRODUCTS:
            _products.pop(next(iter(_products)))
        _products[table.digest] = found
    return found


def served(x: Tensor) -> bool:
    return x.device.type == "cpu" and x.dtype in KERNELS and not isinstance(x, FakeTensor)


def gpu_kernels(x: Tensor) -> Any:
    """The kernels for GPUs if they serve this tensor, otherwise None."""
    if x.dtype not in KERNELS or _ops.kernels_of(x) is None:
        return None
    from . import _triton

    return _triton


def dense(t: Tensor) -> Tensor:
    return (t.resolve_neg() if t.is_neg() else t).contiguous()


def _shapes(x: Tensor, w: Tensor, graph: Graph, table: EdgeTable) -> dict[str, tuple[int, ...]]:
    nodes, edges, channels = x.shape[0], graph[0].shape[0], w.shape[2]
    return {
        "x": (nodes, table.sizes[0], channels),
        "y": (edges, table.sizes[1]),
        "w": (edges, table.tensors[0].shape[0], channels),
        "g": (nodes, table.sizes[2], channels),
    }


def _addresses(graph: Graph, nodes: int) -> tuple[Any, ...]:
    edges = graph[0].shape[0]
    for t, length in zip(graph, (edges, edges, nodes + 1, edges, nodes + 1, edges)):
        if t.dtype != torch.int64 or t.shape != (length,) or not t.is_contiguous():
            raise DomainError("the arrays of a graph are int64 and contiguous, as Graph makes them")
    return (nodes, edges, *(t.data_ptr() for t in graph))


def _checked(shapes: dict[str, tuple[int, ...]], like: Tensor, **operands: Tensor) -> list[Tensor]:
    for name, t in operands.items():
        _ops.require(name, t, *shapes[{"a": "x", "b": "y", "c": "w"}.get(name, name)])
        if t.dtype != like.dtype or t.device != like.device:
            raise DomainError(
                f"the operands of a convolution have one dtype and device, not {like.dtype} on {like.device} and"
                f" {t.dtype} on {t.device}"
            )
    return [dense(t) for t in operands.values()]


def _three(tensors: list[Tensor]) -> tuple[int, int, int]:
    x, y, w = (t.data_ptr() for t in tensors)
    return x, y, w


_STILL = (0, 0, 0)


class _KeptMemory:
    """Memory of large results that nobody uses any more, for the next ones: pages that the system has to make take as
    long as the product. A storage is free when only this list refers to it. Little is kept: 256 MB at most."""

    least, most = 1 << 20, 1 << 28

    def __init__(self) -> None:
        self._storages: list[Any] = []
        self._lock = threading.Lock()
        self._users = getattr(torch._C, "_storage_Use_Count", None)  # without it nothing is kept

    def _is_free(self, storage: Any, size: int) -> bool:
        users: Any = self._users
        return bool(storage.nbytes() == size and not storage.is_shared() and users(storage._cdata) == 1)

    def empty(self, like: Tensor, shape: tuple[int, ...]) -> Tensor:
        size = math.prod(shape) * like.element_size()
        if size < self.least or size > self.most or self._users is None:
            return like.new_empty(shape)
        with self._lock:
            for place, storage in enumerate(self._storages):
                if self._is_free(storage, size):
                    self._storages.append(self._storages.pop(place))
                    return like.new_empty(0).set_(storage, 0, shape)  # type: ignore[call-overload, no-any-return]
            made = like.new_empty(shape)
            self._storages.append(made.untyped_storage())
            while sum(s.nbytes() for s in self._storages) > self.most:
                self._storages.pop(0)
        return made


memory = _KeptMemory()


def _run_product(x: Tensor, y: Tensor, w: Tensor, along: tuple[Tensor, ...], graph: Graph, table: EdgeTable) -> Tensor:
    gpu = gpu_kernels(x)
    if gpu is not None and not gpu.serves(table) or gpu is None and not served(x):
        return _plain_product(x, y, w, graph, table) if not along else _plain_along(x, y, w, along, graph, table)
    shapes = _shapes(x, w, graph, table)
    at = _checked(shapes, x, x=x, y=y, w=w)
    moved = _checked(shapes, x, **dict(zip("abc", along)))
    if gpu is not None:
        _addresses(graph, x.shape[0])
        x, y, w = at
        run = gpu.product
        made: Tensor = _plain_along(x, y, w, tuple(moved), graph, table, run) if moved else run(x, y, w, graph, table)
        return made
    out = memory.empty(x, shapes["g"])
    if out.numel():
        _kernel_of(table).apply(
            _ops.NUMBER[x.dtype], _addresses(graph, x.shape[0]), w.shape[2], _three(at),
            _moving(moved), out.data_ptr(), torch.get_num_threads(),
        )  # fmt: skip
    return out


def _moving(moved: list[Tensor]) -> tuple[int, int, int]:
    """The addresses of a direction. Parts without numbers have the address 0, and are not read."""
    return _three(moved) if moved else _STILL


def _run_gradients(
    x: Tensor,
    y: Tensor,
    w: Tensor,
    g: Tensor,
    along: tuple[Tensor, ...],
    wanted: list[int],
    graph: Graph,
    table: EdgeTable,
) -> list[Tensor]:
    """Those of x, y and w that are wanted; for the others tensors of no numbers."""
    gpu = gpu_kernels(x)
    if gpu is not None and not gpu.serves(table) or gpu is None and not served(x):
        found = _plain_gradients(x, y, w, g, along, graph, table)
        return [t if asked else t.new_empty(0) for t, asked in zip(found, wanted)]
    shapes = _shapes(x, w, graph, table)
    *at, g = _checked(shapes, x, x=x, y=y, w=w, g=g)
    moved = _checked(shapes, x, **dict(zip("abc", along)))
    if gpu is not None:
        _addresses(graph, x.shape[0])
        return _gpu_gradients(gpu, at, g, moved, wanted, graph, table)
    made = [memory.empty(x, t.shape if asked else (0,)) for t, asked in zip((x, y, w), wanted)]
    if any(t.numel() for t in made):
        _kernel_of(table).gradients(
            _ops.NUMBER[x.dtype], _addresses(graph, x.shape[0]), w.shape[2], _three(at), g.data_ptr(),
            _moving(moved), _three(made), torch.get_num_threads(),
        )  # fmt: skip
    return made


def _gpu_gradients(
    gpu: Any, at: list[Tensor], g: Tensor, moved: list[Tensor], wanted: list[int], graph: Graph, table: EdgeTable
) -> list[Tensor]:
    """At x, y and w, or along a direction: then with each of the three moved, which has no gradient then."""
    if not moved:
        found: list[Tensor] = gpu.gradients(*at, g, graph, table, wanted)
        return found
    sums: list[Tensor | None] = [None, None, None]
    for n in range(3):
        others = [int(asked and n != m) for m, asked in enumerate(wanted)]
        if any(others):
            one = gpu.gradients(*at[:n], moved[n], *at[n + 1 :], g, graph, table, others)
            for m in range(3):
                if others[m]:
                    sums[m] = one[m] if sums[m] is None else sums[m] + one[m]
    return [t.new_empty(0) if total is None else total for t, total in zip(at, sums)]


# --- Plain PyTorch ---------------------------------------------------------------------------------------------------


def _plain_product(x: Tensor, y: Tensor, w: Tensor, graph: Graph, table: EdgeTable) -> Tensor:
    """Path by path: gather, multiply, add up at the targets."""
    source, target = graph[:2]
    paths, places, values = (t.to(x.device) for t in table.tensors)
    gathered = x.index_select(0, source)
    out = x.new_zeros(x.shape[0], table.sizes[2], w.shape[2])
    for p, (i0, di, j0, dj, k0, dk) in enumerate(_rows(paths)):
        mine = (places[:, 0] == p).nonzero().flatten()
        _, i, j, k = places.index_select(0, mine).unbind(1)
        C = values.new_zeros(di * dj * dk).index_add(0, (i * dj + j) * dk + k, values.index_select(0, mine))
        C = C.reshape(di, dj, dk).to(x.dtype)
        matrix = torch.einsum("ej,ijk->eki", y.narrow(1, j0, dj), C)
        messages = torch.matmul(matrix, gathered.narrow(1, i0, di)) * w.select(1, p).unsqueeze(1)
        sums = x.new_zeros(x.shape[0], dk, w.shape[2]).index_add(0, target, messages)
        out = out + torch.nn.functional.pad(sums, (0, 0, k0, table.sizes[2] - k0 - dk))
    return out


def _rows(paths: Tensor) -> list[list[int]]:
    rows: list[list[int]] = paths.tolist()
    return rows


def _plain_along(
    x: Tensor,
    y: Tensor,
    w: Tensor,
    along: tuple[Tensor, ...],
    graph: Graph,
    table: EdgeTable,
    run: Callable[..., Tensor] = _plain_product,
) -> Tensor:
    a, b, c = along
    return run(a, y, w, graph, table) + run(x, b, w, graph, table) + run(x, y, c, graph, table)


def _gradients_by_paths(x: Tensor, y: Tensor, w: Tensor, g: Tensor, graph: Graph, table: EdgeTable) -> list[Tensor]:
    """Path by path, by hand: below autograd, where operators run, nothing can be differentiated."""
    source, target = graph[:2]
    paths, places, values = (t.to(x.device) for t in table.tensors)
    gathered, slopes = x.index_select(0, source), g.index_select(0, target)
    d_x, d_y, d_w = torch.zeros_like(x), torch.zeros_like(y), []
    for p, (i0, di, j0, dj, k0, dk) in enumerate(_rows(paths)):
        mine = (places[:, 0] == p).nonzero().flatten()
        _, i, j, k = places.index_select(0, mine).unbind(1)
        C = values.new_zeros(di * dj * dk).index_add(0, (i * dj + j) * dk + k, values.index_select(0, mine))
        C = C.reshape(di, dj, dk).to(x.dtype)
        matrix = torch.einsum("ej,ijk->eki", y.narrow(1, j0, dj), C)
        mine_x, mine_g = gathered.narrow(1, i0, di), slopes.narrow(1, k0, dk)
        d_w.append((torch.matmul(matrix, mine_x) * mine_g).sum(1))
        weighted = mine_g * w.select(1, p).unsqueeze(1)
        of_x = torch.matmul(matrix.transpose(1, 2), weighted)
        d_x.narrow(1, i0, di).index_add_(0, source, of_x)
        of_matrix = torch.matmul(weighted, mine_x.transpose(1, 2))
        d_y.narrow(1, j0, dj).add_(torch.einsum("eki,ijk->ej", of_matrix, C))
    return [d_x, d_y, torch.stack(d_w, 1) if d_w else torch.zeros_like(w)]


def _plain_gradients(
    x: Tensor,
    y: Tensor,
    w: Tensor,
    g: Tensor,
    along: tuple[Tensor, ...],
    graph: Graph,
    table: EdgeTable,
    run: Callable[..., list[Tensor]] = _gradients_by_paths,
) -> list[Tensor]:
    if not along:
        return run(x, y, w, g, graph, table)
    a, b, c = along
    of_a, of_b, of_c = (run(*at, g, graph, table) for at in ((a, y, w), (x, b, w), (x, y, c)))
    return [of_b[0] + of_c[0], of_a[1] + of_c[1], of_a[2] + of_b[2]]  # of an operand none where it moves itself


# --- Registered operators --------------------------------------------------------------------------------------------

_library = torch.library.Library("intertwine", "FRAGMENT")
_TABLE = "Tensor[] graph, Tensor[] table, int[] sizes, str digest"
_OPERANDS = {
    "edge_product": ("x", "y", "w"),
    "edge_product_along": ("x", "y", "w", "a", "b", "c"),
    "edge_gradients": ("x", "y", "w", "g"),
    "edge_gradients_along": ("x", "y", "w", "g", "a", "b", "c"),
}
_GRADIENTS = ("edge_gradients", "edge_gradients_along")


def _call(name: str, operands: tuple[Tensor, ...], graph: Graph, table: EdgeTable, wanted: Any = ()) -> Any:
    op = getattr(torch.ops.intertwine, name).default
    middle = ([int(x) for x in wanted],) if name in _GRADIENTS else ()
    return op(*operands, *middle, graph, *table)


def _needed(
    name: str, operands: tuple[Tensor, ...], needed: list[bool], cotangents: Any, graph: Graph, table: EdgeTable
) -> list[Tensor | None]:
    """The gradients of an operator in its operands. `cotangents`: that of a product, or three."""
    along = name.endswith("_along")
    x, y, w = operands[:3]
    at = (x, y, w)

    def gradients(at: Any, g: Tensor, direction: Any, wanted: Any) -> list[Tensor | None]:
        if not any(wanted):
            return [None, None, None]
        if direction is None:
            found = _call("edge_gradients", (*at, g), graph, table, wanted)
        else:
            found = _call("edge_gradients_along", (*at, g, *direction), graph, table, wanted)
        return [t if asked else None for t, asked in zip(found, wanted)]

    def product(*operands: Tensor) -> Tensor:
        result: Tensor = _call("edge_product", operands, graph, table)
        return result

    def product_along(at: Any, direction: Any) -> Tensor:
        result: Tensor = _call("edge_product_along", (*at, *direction), graph, table)
        return result

    if name == "edge_product":
        return gradients(at, cotangents, None, needed)
    if name == "edge_product_along":
        a, b, c = operands[3:]
        # L with one of x, y, w replaced: its gradients in these move along (a, b, c), those in a, b, c stay.
        return [*gradients(at, cotangents, (a, b, c), needed[:3]), *gradients(at, cotangents, None, needed[3:])]
    g = operands[3]
    moves = tuple(torch.zeros_like(t) if d is None or d.shape != t.shape else d for d, t in zip(cotangents, at))
    if not along:
        of_g = product_along(at, moves) if needed[3] else None
        return [*gradients(at, g, moves, needed[:3]), of_g]
    direction = operands[4:]
    of_g = None
    if needed[3]:  # the second derivative of the product along both directions
        (a, b, c), (d, e, f) = direction, moves
        of_g = (
            product(d, b, w) + product(d, y, c) + product(a, e, w)
            + product(x, e, c) + product(a, y, f) + product(x, b, f)
        )  # fmt: skip
    # The second derivative along both directions is symmetric in x, y, w and the two: its gradient in x, y, w has the
    # directions at its place.
    return [*gradients(direction, g, moves, needed[:3]), of_g, *gradients(at, g, moves, needed[4:])]


def _register(name: str) -> None:
    count, listed = len(_OPERANDS[name]), name in _GRADIENTS
    wanted = "int[] wanted, " if listed else ""
    _library.define(
        f"{name}({', '.join(f'Tensor {a}' for a in _OPERANDS[name])}, {wanted}{_TABLE}) -> "
        + ("(Tensor, Tensor, Tensor)" if listed else "Tensor"),
        tags=(torch.Tag.pt2_compliant_tag,),
    )

    def run(*arguments: Any) -> Any:
        (x, y, w, *others), rest = arguments[:count], arguments[count:]
        graph, table = rest[listed], EdgeTable(*rest[listed + 1 :])
        if listed:
            return tuple(_run_gradients(x, y, w, others[0], tuple(others[1:]), rest[0], graph, table))
        return _run_product(x, y, w, tuple(others), graph, table)

    def fake(*arguments: Any) -> Any:
        x, y, w = arguments[:3]
        if listed:
            return tuple(t.new_empty(t.shape if asked else (0,)) for t, asked in zip((x, y, w), arguments[count]))
        return x.new_empty(x.shape[0], arguments[count + 2][2], w.shape[2])

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        graph, tensors, ctx.sizes, ctx.digest = inputs[count + listed :]
        ctx.save_for_backward(*inputs[:count], *graph, *tensors)

    def backward(ctx: Any, *cotangents: Any) -> Any:
        saved = ctx.saved_tensors
        operands, graph, tensors = saved[:count], list(saved[count : count + 6]), list(saved[count + 6 :])
        found = _needed(
            name, operands, list(ctx.needs_input_grad[:count]), cotangents if listed else cotangents[0],
            graph, EdgeTable(tensors, ctx.sizes, ctx.digest),
        )  # fmt: skip
        return *found, *([None] if listed else []), [None] * 6, [None] * len(tensors), None, None

    _library.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"intertwine::{name}", fake, lib=_library)
    torch.library.register_autograd(f"intertwine::{name}", backward, setup_context=setup, lib=_library)


for _name in _OPERANDS:
    _register(_name)


def _by_entries(x: Tensor, y: Tensor, w: Tensor, graph: Graph, table: EdgeTable) -> Tensor:
    """The product coupling by coupling at once: slow, but nothing depends on the numbers of a table, so that it can be
    recorded."""
    paths, places, values = (t.to(x.device) for t in table.tensors)
    p, i, j, k = places.unbind(1)
    i0, j0, k0 = (paths.index_select(0, p).select(1, n) for n in (0, 2, 4))
    terms = x.index_select(0, graph[0]).index_select(1, i0 + i) * w.index_select(1, p)
    terms = terms * (y.index_select(1, j0 + j) * values.to(x.dtype)).unsqueeze(2)
    messages = terms.new_zeros(terms.shape[0], table.sizes[2], terms.shape[2]).index_add(1, k0 + k, terms)
    return x.new_zeros(x.shape[0], table.sizes[2], w.shape[2]).index_add(0, graph[1], messages)


def _gradients_by_entries(x: Tensor, y: Tensor, w: Tensor, g: Tensor, graph: Graph, table: EdgeTable) -> list[Tensor]:
    paths, places, values = (t.to(x.device) for t in table.tensors)
    p, i, j, k = places.unbind(1)
    i, j, k = (paths.index_select(0, p).select(1, n) + t for n, t in ((0, i), (2, j), (4, k)))
    of_x, of_w = x.index_select(0, graph[0]).index_select(1, i), w.index_select(1, p)
    of_y = (y.index_select(1, j) * values.to(x.dtype)).unsqueeze(2)
    of_g = g.index_select(0, graph[1]).index_select(1, k)
    rows = of_x.new_zeros(of_x.shape[0], x.shape[1], x.shape[2]).index_add(1, i, of_w * of_y * of_g)
    d_y = torch.zeros_like(y).index_add(1, j, (of_x * of_w * of_g).sum(2) * values.to(x.dtype))
    d_w = torch.zeros_like(w).index_add(1, p, of_x * of_y * of_g)
    return [torch.zeros_like(x).index_add(0, graph[0], rows), d_y, d_w]


def _decomposition(name: str) -> Callable[..., Any]:
    count, listed = len(_OPERANDS[name]), name in _GRADIENTS

    def run(*arguments: Any) -> Any:
        (x, y, w, *others), rest = arguments[:count], arguments[count:]
        graph, table = rest[listed], EdgeTable(*rest[listed + 1 :])
        if listed:
            found = _plain_gradients(x, y, w, others[0], tuple(others[1:]), graph, table, _gradients_by_entries)
            return tuple(t if asked else t.new_empty(0) for t, asked in zip(found, rest[0]))
        if others:
            return _plain_along(x, y, w, tuple(others), graph, table, _by_entries)
        return _by_entries(x, y, w, graph, table)

    return run


_ops.MORE_DECOMPOSITIONS.update(
    {getattr(torch.ops.intertwine, _name).default: _decomposition(_name) for _name in _OPERANDS}
)


# --- The choice ------------------------------------------------------------------------------------------------------


def plain_doors(*operands: Tensor) -> bool:
    """Is something at work that goes through no registered operator?"""
    if torch.compiler.is_compiling():
        return torch.onnx.is_in_onnx_export() or _ops.functorch()
    return _ops.tracing() or _ops.transformed() or any(torch._C._functorch.is_legacy_batchedtensor(t) for t in operands)


def product(x: Tensor, y: Tensor, w: Tensor, graph: Graph, table: EdgeTable) -> Tensor:
    """The product [nodes, out, channels] by the door that serves what is at work here."""
    if plain_doors(x, y, w):
        return _plain_product(x, y, w, graph, table)
    result: Tensor = torch.ops.intertwine.edge_product.default(x, y, w, graph, *table)
    return result
