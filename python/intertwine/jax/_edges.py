"""Products along edges, and the three primitives whose derivatives are sums of themselves.

L(x, y, w, g) = sum over edges e, paths p, channels c of w[e,p,c] C^p_ijk x[source e,i,c] y[e,j] g[target e,k,c]

edge_product(x, y, w, edges)             the gradient of L in g
edge_along(x, y, w, edges, a, b, c)      its derivative along (a, b, c)
edge_gradients(x, y, w, edges, g)        the gradients of L in x, y and w; bit n of `wanted`: is the n-th asked for?
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.interpreters import ad, batching

from .. import DomainError, Representation
from .._core import EdgeProduct
from .._couplings import Path, couplings_of, paths_between
from .._features import type_of
from ._handlers import KeptTable, folded, is_zero, nothing, primitive, require_method, require_shape, summed

__all__ = ["Couplings", "convolution", "require_range"]


class Couplings(KeptTable):
    """The paths of a product V x Y -> U along edges: the table that ``convolution`` takes.

    Parameters
    ----------
    V, Y, U
        The types of features x, of y on edges, and of the output: representations of one group, or texts such as
        "0e + 1o".
    instructions, order, axis, basis
        As of intertwine.nn.geometric.Convolution.

    Attributes
    ----------
    paths
        For each path the numbers of its summands, and which map between them it is.
    sizes
        dim V, dim Y and dim U.

    Raises
    ------
    DomainError
        If the groups differ, or an instruction has no path.

    Examples
    --------
    >>> from intertwine.jax import Couplings
    >>> len(Couplings("0e + 1o", "0e + 1o", "0e + 1o").paths)
    4
    """

    def __init__(
        self, V: Representation | str, Y: Representation | str, U: Representation | str,
        instructions: Sequence[Sequence[int]] | None = None, order: str = "e3nn", axis: str = "y",
        basis: str = "orthonormal",
    ) -> None:  # fmt: skip
        self.V, self.Y, self.U = (type_of(X, instructions is not None) for X in (V, Y, U))
        given = None if instructions is None else [tuple(one) for one in instructions]
        self._made = (self.V, self.Y, self.U, given, order, axis, basis)
        found: tuple[list[Path], Any] = paths_between(self.V, self.Y, self.U, given, order, axis, basis)
        self.paths = found[0]
        table = couplings_of(self.V, self.Y, self.U, *found)
        self.arrays, sizes = table.arrays, table.sizes
        self.sizes = sizes[0], sizes[1], sizes[2]
        super().__init__(f"{table.digest}:edges", EdgeProduct(self.sizes, *(a.tolist() for a in table.arrays)))

    def __repr__(self) -> str:
        return f"Couplings({self.V} x {self.Y} -> {self.U}, {len(self.paths)} paths)"


# --- Plain operations ------------------------------------------------------------------------------------------------


def _product(x: Any, y: Any, w: Any, edges: Any, *, table: Couplings) -> Any:
    """Path by path: gather, multiply, add up at the targets."""
    gathered, (paths, places, values) = x[edges[0]], table.arrays
    out = jnp.zeros((x.shape[0], table.sizes[2], w.shape[2]), x.dtype)
    for p, (i0, di, j0, dj, k0, dk) in enumerate(paths.tolist()):
        mine = places[:, 0] == p
        C = numpy.zeros((di, dj, dk))
        C[tuple(places[mine, 1:].T)] = values[mine]
        matrix = jnp.einsum("ej,ijk->eki", y[:, j0 : j0 + dj], jnp.asarray(C, x.dtype))
        messages = jnp.einsum("eki,eic->ekc", matrix, gathered[:, i0 : i0 + di]) * w[:, p, None]
        out = out.at[edges[1], k0 : k0 + dk].add(messages)
    return out


def _along(x: Any, y: Any, w: Any, edges: Any, a: Any, b: Any, c: Any, *, table: Couplings) -> Any:
    operands = (a, y, w), (x, b, w), (x, y, c)
    return sum(_product(p, q, r, edges, table=table) for p, q, r in operands)


def _gradients(x: Any, y: Any, w: Any, edges: Any, g: Any, *, table: Couplings, wanted: int) -> Any:
    at = (x, y, w)
    asked = _bits(wanted)

    def value(*moving: Any) -> Any:
        given = iter(moving)
        p, q, r = (next(given) if n in asked else t for n, t in enumerate(at))
        return _product(p, q, r, edges, table=table)

    return list(jax.vjp(value, *(at[n] for n in asked))[1](g))


def _bits(wanted: int) -> list[int]:
    return [n for n in range(3) if wanted >> n & 1]


# --- Primitives ------------------------------------------------------------------------------------------------------


def _shape(x: Any, y: Any, w: Any, edges: Any, *_: Any, table: Couplings) -> tuple[int, ...]:
    return x.shape[0], table.sizes[2], w.shape[2]


_product_p = primitive("edge_product", _shape, _product)
_along_p = primitive("edge_along", _shape, _along, handler="edge_product")
_gradients_p = primitive(
    "edge_gradients",
    lambda *operands, table, wanted: [operands[n].shape for n in _bits(wanted)],
    _gradients,
    several=True,
)


def _replaced(at: Sequence[Any], **new: Any) -> list[Any]:
    return [new.get(f"_{n}", t) for n, t in enumerate(at)]


def _given(t: Any) -> Any:
    """Zeros where transposition has no value."""
    return jnp.zeros(t.aval.shape, t.aval.dtype) if ad.is_undefined_primal(t) else t


def _moved(at: Sequence[Any], edges: Any, moves: Sequence[Any], table: Couplings) -> Any:
    """The derivative of the product at (x, y, w) along these, some of which are zero."""
    moving = [n for n in range(3) if not is_zero(moves[n])]
    if len(moving) == 1:
        return _product_p.bind(*_replaced(at, **{f"_{moving[0]}": moves[moving[0]]}), edges, table=table)
    return _along_p.bind(*at, edges, *map(ad.instantiate_zeros, moves), table=table)


def _product_jvp(primals: Any, tangents: Any, *, table: Couplings) -> Any:
    *at, edges = primals
    out = _product_p.bind(*primals, table=table)
    if all(map(is_zero, tangents[:3])):
        return out, nothing(out)
    return out, _moved(at, edges, tangents[:3], table)


def _along_jvp(primals: Any, tangents: Any, *, table: Couplings) -> Any:
    *at, edges, a, b, c = primals
    out, terms = _along_p.bind(*primals, table=table), []
    if not all(map(is_zero, tangents[4:])):
        terms.append(_moved(at, edges, tangents[4:], table))
    for n, move in enumerate(tangents[:3]):
        for m, direction in enumerate((a, b, c)):
            if not is_zero(move) and m != n:
                operands = _replaced(at, **{f"_{n}": move, f"_{m}": direction})
                terms.append(_product_p.bind(*operands, edges, table=table))
    return out, summed(terms, out)


def _gradients_jvp(primals: Any, tangents: Any, *, table: Couplings, wanted: int) -> Any:
    *at, edges, g = primals
    out = _gradients_p.bind(*primals, table=table, wanted=wanted)
    terms: dict[int, list[Any]] = {n: [] for n in _bits(wanted)}

    def add(operands: Sequence[Any], slope: Any, bits: int) -> None:
        if bits:
            found = _gradients_p.bind(*operands, edges, slope, table=table, wanted=bits)
            for n, t in zip(_bits(bits), found):
                terms[n].append(t)

    if not is_zero(tangents[4]):
        add(at, tangents[4], wanted)
    for n, move in enumerate(tangents[:3]):
        if not is_zero(move):
            add(_replaced(at, **{f"_{n}": move}), g, wanted & ~(1 << n))
    return out, [summed(terms[n], like) for n, like in zip(_bits(wanted), out)]


def _product_transpose(g: Any, x: Any, y: Any, w: Any, edges: Any, *, table: Couplings) -> Any:
    return _of_operands(g, (x, y, w), edges, table, 1)


def _of_operands(g: Any, at: Sequence[Any], edges: Any, table: Couplings, after: int) -> list[Any]:
    undefined = [n for n, t in enumerate(at) if ad.is_undefined_primal(t)]
    found: list[Any] = [None] * (3 + after)
    if is_zero(g):
        return [ad.Zero(t.aval) if ad.is_undefined_primal(t) else None for t in at] + [None] * after
    wanted = sum(1 << n for n in undefined)
    for n, t in zip(undefined, _gradients_p.bind(*map(_given, at), edges, g, table=table, wanted=wanted)):
        found[n] = t
    return found


def _along_transpose(
    g: Any, x: Any, y: Any, w: Any, edges: Any, a: Any, b: Any, c: Any, *, table: Couplings
) -> list[Any]:  # fmt: skip
    directions = (a, b, c)
    if any(map(ad.is_undefined_primal, (x, y, w))):
        raise NotImplementedError("the derivative of a convolution along a direction is transposed in its directions")
    wanted = [n for n, t in enumerate(directions) if ad.is_undefined_primal(t)]
    found: list[Any] = [None] * 7
    if is_zero(g):
        return [ad.Zero(t.aval) if ad.is_undefined_primal(t) else None for t in (x, y, w, edges, *directions)]
    slopes = _gradients_p.bind(x, y, w, edges, g, table=table, wanted=sum(1 << n for n in wanted))
    for n, t in zip(wanted, slopes):
        found[4 + n] = t
    return found


def _gradients_transpose(
    cotangents: Any, x: Any, y: Any, w: Any, edges: Any, g: Any, *, table: Couplings, wanted: int
) -> list[Any]:  # fmt: skip
    at, given = (x, y, w), dict(zip(_bits(wanted), cotangents))
    moves = {n: t for n, t in given.items() if not is_zero(t)}
    found: list[Any] = [None] * 5
    if ad.is_undefined_primal(g):
        still = [nothing(t) for t in at]
        found[4] = _moved(at, edges, [moves.get(n, still[n]) for n in range(3)], table) if moves else ad.Zero(g.aval)
        return found
    for n, t in enumerate(at):
        if ad.is_undefined_primal(t):
            terms = [
                _gradients_p.bind(
                    *map(_given, _replaced(at, **{f"_{m}": move})), edges, g, table=table, wanted=1 << n
                )[0]
                for m, move in moves.items()
                if m != n
            ]  # fmt: skip
            found[n] = summed(terms, t) if terms else ad.Zero(t.aval)
    return found


ad.primitive_jvps[_product_p] = _product_jvp
ad.primitive_jvps[_along_p] = _along_jvp
ad.primitive_jvps[_gradients_p] = _gradients_jvp
ad.primitive_transposes[_product_p] = _product_transpose
ad.primitive_transposes[_along_p] = _along_transpose
ad.primitive_transposes[_gradients_p] = _gradients_transpose


def _folded_graphs(operands: Sequence[Any], dims: Sequence[Any]) -> tuple[list[Any], int]:
    """A batch of graphs as one graph, and how many they are."""
    B = next(t.shape[d] for t, d in zip(operands, dims) if d is not None)
    nodes = numpy.delete(operands[0].shape, dims[0])[0] if dims[0] is not None else operands[0].shape[0]
    found = [folded(t, d, B, 1 if n == 3 else 0) for n, (t, d) in enumerate(zip(operands, dims))]
    edges = found[3].shape[1] // B if B else 0
    found[3] = found[3] + jnp.repeat(jnp.arange(B, dtype=found[3].dtype) * int(nodes), edges)
    return found, B


def _batched(made: Any) -> Any:
    def rule(operands: Any, dims: Any, **given: Any) -> Any:
        flat, B = _folded_graphs(operands, dims)
        found = made.bind(*flat, **given)
        if made.multiple_results:
            return [t.reshape(B, t.shape[0] // B, *t.shape[1:]) for t in found], [0] * len(found)
        return found.reshape(B, found.shape[0] // B, *found.shape[1:]), 0

    return rule


for _one in (_product_p, _along_p, _gradients_p):
    batching.primitive_batchers[_one] = _batched(_one)


# --- The function ----------------------------------------------------------------------------------------------------


def require_range(name: str, t: Any, count: int) -> Any:
    """Integers as int32. Refuses those that are not between 0 and count - 1, where numbers can be looked at."""
    if not isinstance(t, jax.core.Tracer):
        t = numpy.asarray(t)
    if not jnp.issubdtype(t.dtype, jnp.integer):
        raise DomainError(f"{name} is {t.dtype}; it has integers")
    if isinstance(t, numpy.ndarray) and t.size:
        low, high = int(t.min()), int(t.max())
        if low < 0 or high >= count:
            raise DomainError(f"{name} has the numbers {low} to {high}, and they go from 0 to {count} - 1")
    return jnp.asarray(t, jnp.int32)


def convolution(couplings: Couplings, x: Any, y: Any, w: Any, edges: Any, *, method: str = "kernels") -> Any:
    """The sum at each node of the products w C(x, y) over the edges that end there: the layer Convolution as a function.

    Parameters
    ----------
    couplings
        The table of the product.
    x
        Features of nodes [nodes, dim V, channels].
    y
        Functions of edges [edges, dim Y].
    w
        The weights of the paths [edges, paths, channels].
    edges
        [2, edges], the source and the target of every edge, in any order. They may be traced: neighbours may change
        under jit. An edge that only fills up has weights 0.
    method
        As of linear.

    Returns
    -------
    Array
        [nodes, dim U, channels].

    Raises
    ------
    DomainError
        If an operand has another shape or type, or an edge a node that there is not. In compiled programs kernels
        refuse such an edge with JAX's own error.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine.jax import Couplings, convolution
    >>> couplings = Couplings("0e", "1o", "1o")
    >>> x, y, w = jnp.ones((2, 1, 1)), jnp.array([[1.0, 2.0, 3.0]]), jnp.ones((1, 1, 1))
    >>> convolution(couplings, x, y, w, jnp.array([[0], [1]]))[1, :, 0]
    Array([1., 2., 3.], dtype=float32)
    """
    if not isinstance(couplings, Couplings):
        raise DomainError(f"convolution takes Couplings(V, Y, U), and not {type(couplings).__name__}")
    x, y, w = (jnp.asarray(t) for t in (x, y, w))
    edges = edges if isinstance(edges, jax.core.Tracer) else numpy.asarray(edges)
    require_method(method, x=x, y=y, w=w)
    in_, edge, _ = couplings.sizes
    if x.ndim != 3 or w.ndim != 3 or edges.ndim != 2 or edges.shape[0] != 2:
        raise DomainError(
            f"x, w and edges have the shapes {list(x.shape)}, {list(w.shape)} and {list(edges.shape)}; they are"
            " [nodes, dim V, channels], [edges, paths, channels] and [2, edges]"
        )
    require_shape("x", x, (x.shape[0], in_, w.shape[2]), "[nodes, dim V, channels]")
    require_shape("y", y, (edges.shape[1], edge), "[edges, dim Y]")
    require_shape("w", w, (edges.shape[1], len(couplings.paths), w.shape[2]), "[edges, paths, channels]")
    edges = require_range("edges", edges, x.shape[0])
    run = _product_p.bind if method == "kernels" else _product
    return run(x, y, w, edges, table=couplings)
