"""W(theta) x + b. The five products are bilinear or linear, and each other's derivatives, as in intertwine.nn."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.interpreters import ad, batching

from .. import DomainError, Table
from .._core import Plan
from .._features import integer
from ._handlers import KeptTable, primitive, require_method, require_shape

__all__ = ["initial_parameters", "layer_of", "linear", "matrix_of"]


class _Weights(KeptTable):
    """A table of one block, with what plain operations need of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        plan = Plan(table, 1, 1, "automatic")
        self.sizes = (plan.rows, plan.cols, plan.params, plan.bias_params)
        super().__init__(f"{table.sha256}:{plan.rows}x{plan.cols}", plan)
        M, _, _, Q = self.sizes
        self.bias_basis = numpy.empty((M, Q))
        for k in range(Q):
            unit, column = numpy.zeros(Q), numpy.empty(M)
            unit[k] = 1
            plan.materialise(1, unit.ctypes.data, column.ctypes.data, bias=True)
            self.bias_basis[:, k] = column

    @functools.cached_property
    def code(self) -> Any:
        """[rows, cols] of a tied table; None for a sparse one."""
        return numpy.asarray(self._table.weight_code, dtype=numpy.int32) if self._table.is_tied else None

    @functools.cached_property
    def entries(self) -> tuple[Any, Any, Any]:
        """Parameter, place (row cols + column) and value of each entry of a sparse table."""
        table = self._table
        start, rows, cols = (
            numpy.asarray(a, dtype=numpy.int64) for a in (table.basis_ptr, table.basis_row, table.basis_col)
        )
        return (
            numpy.repeat(numpy.arange(table.params), numpy.diff(start)), rows * table.cols + cols,
            numpy.asarray(table.basis_val, dtype=numpy.float64),
        )  # fmt: skip


# --- Plain operations ------------------------------------------------------------------------------------------------


def _materialise(theta: Any, *, table: _Weights) -> Any:
    M, N, P, _ = table.sizes
    _, o, i = theta.shape
    if table.code is not None:
        W = jnp.concatenate([jnp.zeros_like(theta, shape=(1, o, i)), theta, -theta])[jnp.asarray(table.code)]
    else:
        k, place, value = table.entries
        entries = theta[k] * jnp.asarray(value, theta.dtype)[:, None, None]
        W = jnp.zeros_like(theta, shape=(M * N, o, i)).at[place].add(entries)
    return W.reshape(M, N, o, i).transpose(2, 0, 3, 1).reshape(o * M, i * N)


def _reduce(dW: Any, *, table: _Weights) -> Any:
    M, N, P, _ = table.sizes
    o, i = dW.shape[0] // M, dW.shape[1] // N
    entries = dW.reshape(o, M, i, N).transpose(1, 3, 0, 2).reshape(M * N, o, i)
    if table.code is not None:
        full = jnp.zeros_like(dW, shape=(2 * P + 1, o, i)).at[table.code.reshape(-1)].add(entries)
        return full[1 : P + 1] - full[P + 1 :]
    k, place, value = table.entries
    weighted = entries[place] * jnp.asarray(value, dW.dtype)[:, None, None]
    return jnp.zeros_like(dW, shape=(P, o, i)).at[k].add(weighted)


def _by_weights(x: Any, W: Any, sites: int) -> Any:
    return (x.reshape(x.shape[0], W.shape[1]) @ W.T).reshape(x.shape[0], W.shape[0] // sites, sites)


def _apply(x: Any, theta: Any, *, table: _Weights) -> Any:
    return _by_weights(x, _materialise(theta, table=table), table.sizes[0])


def _apply_t(dy: Any, theta: Any, *, table: _Weights) -> Any:
    return _by_weights(dy, _materialise(theta, table=table).T, table.sizes[1])


def _outer(x: Any, dy: Any, *, table: _Weights) -> Any:
    flat = [t.reshape(t.shape[0], t.shape[1] * t.shape[2]) for t in (dy, x)]
    return _reduce(flat[0].T @ flat[1], table=table)


# --- Primitives ------------------------------------------------------------------------------------------------------

_apply_p = primitive("apply", lambda x, theta, table: (x.shape[0], theta.shape[1], table.sizes[0]), _apply)
_apply_t_p = primitive("apply_t", lambda dy, theta, table: (dy.shape[0], theta.shape[2], table.sizes[1]), _apply_t)
_outer_p = primitive("outer", lambda x, dy, table: (table.sizes[2], dy.shape[1], x.shape[1]), _outer)
_materialise_p = primitive(
    "materialise",
    lambda theta, table: (theta.shape[1] * table.sizes[0], theta.shape[2] * table.sizes[1]),
    _materialise,
)
_reduce_p = primitive(
    "reduce",
    lambda dW, table: (table.sizes[2], dW.shape[0] // table.sizes[0], dW.shape[1] // table.sizes[1]),
    _reduce,
)

ad.defbilinear(
    _apply_p,
    lambda g, x, theta, table: _apply_t_p.bind(g, theta, table=table),
    lambda g, x, theta, table: _outer_p.bind(x, g, table=table),
)
ad.defbilinear(
    _apply_t_p,
    lambda g, dy, theta, table: _apply_p.bind(g, theta, table=table),
    lambda g, dy, theta, table: _outer_p.bind(g, dy, table=table),
)
ad.defbilinear(
    _outer_p,
    lambda g, x, dy, table: _apply_t_p.bind(dy, g, table=table),
    lambda g, x, dy, table: _apply_p.bind(x, g, table=table),
)
ad.deflinear2(_materialise_p, lambda g, theta, table: [_reduce_p.bind(g, table=table)])
ad.deflinear2(_reduce_p, lambda g, dW, table: [_materialise_p.bind(g, table=table)])


def _rows_in_front(x: Any, dim: int) -> Any:
    """[B, b, channels, sites] as [B b, channels, sites]."""
    x = jnp.moveaxis(x, dim, 0)
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:])


def _batched_product(transposed: bool, operands: Any, dims: Any, *, table: _Weights) -> tuple[Any, int]:
    """A batch of theta is more channels; a batch of both goes through W."""
    (x, theta), (of_x, of_theta) = operands, dims
    product = _apply_t_p if transposed else _apply_p
    if of_theta is None:
        B = x.shape[of_x]
        y = product.bind(_rows_in_front(x, of_x), theta, table=table)
        return y.reshape(B, -1 if B == 0 else y.shape[0] // B, *y.shape[1:]), 0
    M, N, P, _ = table.sizes
    theta = jnp.moveaxis(theta, of_theta, 1)
    B, o, i = theta.shape[1:]
    if of_x is None and not transposed:
        y = product.bind(x, theta.reshape(P, B * o, i), table=table)
        return y.reshape(x.shape[0], B, o, M), 1
    if of_x is None:
        y = product.bind(x, jnp.moveaxis(theta, 1, 2).reshape(P, o, B * i), table=table)
        return y.reshape(x.shape[0], B, i, N), 1
    W = _materialise_p.bind(theta.reshape(P, B * o, i), table=table).reshape(B, o * M, i * N)
    x = jnp.moveaxis(x, of_x, 0)
    flat = x.reshape(*x.shape[:2], x.shape[2] * x.shape[3])
    y = jnp.einsum("bnr,brc->bnc" if transposed else "bnc,brc->bnr", flat, W)
    return y.reshape(*x.shape[:2], *((i, N) if transposed else (o, M))), 0


def _batched_outer(operands: Any, dims: Any, *, table: _Weights) -> tuple[Any, int]:
    (x, dy), (of_x, of_dy) = operands, dims
    M, N, P, _ = table.sizes
    if of_dy is None:  # x has more input channels
        x = jnp.moveaxis(x, of_x, 1)
        b, B, i, _ = x.shape
        return _outer_p.bind(x.reshape(b, B * i, N), dy, table=table).reshape(P, dy.shape[1], B, i), 2
    if of_x is None:  # dy has more output channels
        dy = jnp.moveaxis(dy, of_dy, 1)
        b, B, o, _ = dy.shape
        return _outer_p.bind(x, dy.reshape(b, B * o, M), table=table).reshape(P, B, o, x.shape[1]), 1
    x, dy = jnp.moveaxis(x, of_x, 0), jnp.moveaxis(dy, of_dy, 0)
    (B, b, i, _), o = x.shape, dy.shape[2]
    dW = jnp.einsum("bnr,bnc->brc", dy.reshape(B, b, o * M), x.reshape(B, b, i * N))
    return _reduce_p.bind(dW.reshape(B * o * M, i * N), table=table).reshape(P, B, o, i), 1


def _batched_materialise(operands: Any, dims: Any, *, table: _Weights) -> tuple[Any, int]:
    theta = jnp.moveaxis(operands[0], dims[0], 1)
    P, B, o, i = theta.shape
    W = _materialise_p.bind(theta.reshape(P, B * o, i), table=table)
    return W.reshape(B, o * table.sizes[0], i * table.sizes[1]), 0


def _batched_reduce(operands: Any, dims: Any, *, table: _Weights) -> tuple[Any, int]:
    dW = jnp.moveaxis(operands[0], dims[0], 0)
    B, rows, cols = dW.shape
    found = _reduce_p.bind(dW.reshape(B * rows, cols), table=table)
    return found.reshape(found.shape[0], B, rows // table.sizes[0], cols // table.sizes[1]), 1


batching.primitive_batchers[_apply_p] = functools.partial(_batched_product, False)
batching.primitive_batchers[_apply_t_p] = functools.partial(_batched_product, True)
batching.primitive_batchers[_outer_p] = _batched_outer
batching.primitive_batchers[_materialise_p] = _batched_materialise
batching.primitive_batchers[_reduce_p] = _batched_reduce


# --- The layer -------------------------------------------------------------------------------------------------------


class _Layer:
    """A table, block by block."""

    def __init__(self, table: Table) -> None:
        self.single = table.is_single
        self.blocks = [[_Weights(one) for one in row] for row in table.blocks]
        self.copies = [[one.channels for one in row] for row in table.blocks]
        self.inputs = [(channels, dimension) for channels, dimension, _ in table.inputs]
        self.outputs = [(channels, dimension) for channels, dimension, _ in table.outputs]
        self.rows, self.cols = (sum(c * d for c, d in parts) for parts in (self.outputs, self.inputs))

    def theta_shapes(self, out: int, in_: int) -> list[tuple[int, ...]]:
        """[params, out, in] of every block."""
        return [
            (w.sizes[2], out * o, in_ * i)
            for row, copies in zip(self.blocks, self.copies)
            for w, (o, i) in zip(row, copies)
        ]

    def bias_shapes(self, out: int) -> list[tuple[int, ...]]:
        """[bias_params, out] of every part of y."""
        return [(row[0].sizes[3], out * copies[0][0]) for row, copies in zip(self.blocks, self.copies)]

    def shape(self, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
        """Of theta or the bias: a block's own, or one list."""
        return shapes[0] if self.single else (sum(map(math.prod, shapes)),)

    def channels_of(self, theta: Any, channels: tuple[int, int] | None) -> tuple[int, int] | None:
        """(out, in) where they are named, or theta has axes for them; None for one channel that has no axis."""
        if channels is not None:
            out, in_ = (integer("channels", n, 1) for n in channels)
            return out, in_
        if not self.single or theta.ndim != 3:
            return None
        (out, in_), (o, i) = theta.shape[1:], self.copies[0][0]
        if (out, in_) == (o, i) != (1, 1):
            return None
        if out % o or in_ % i:
            raise DomainError(f"theta has the shape {list(theta.shape)}; its channels are multiples of {o} and {i}")
        return out // o, in_ // i


_layers: dict[Any, _Layer] = {}


def layer_of(table: Any) -> _Layer:
    if not isinstance(table, Table):
        raise DomainError(f"linear takes a weight table, such as (V >> U).table(), and not {type(table).__name__}")
    key = (table.sha256, tuple(table.inputs), tuple(table.outputs))
    if key not in _layers:
        _layers[key] = _Layer(table)
    return _layers[key]


def _pieces(list_: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    found, start = [], 0
    for shape in shapes:
        found.append(list_[start : start + math.prod(shape)].reshape(shape))
        start += math.prod(shape)
    return found


def linear(
    table: Table,
    x: Any,
    theta: Any,
    bias: Any = None,
    *,
    channels: tuple[int, int] | None = None,
    method: str = "kernels",
) -> Any:
    """W(theta) x + b for a weight table: the layer nn.Linear as a function.

    Parameters
    ----------
    table
        The table of V >> U, (V >> U).table(), of one block or several.
    x
        [..., in, cols]. Without channels [..., cols].
    theta
        [params, out, in]; without channels [params]. A table of several blocks has one list of the numbers of all
        blocks, as nn.Linear has them.
    bias
        [bias_params, out], without channels [bias_params], for several blocks one list; or None.
    channels
        (out, in), for a table of several blocks: a list does not say them. None: no channels.
    method
        "kernels": on the CPU the kernels of the library, for float32 and float64, and plain operations of JAX on other
        devices. "plain": operations of JAX on every device, for every floating-point type.

    Returns
    -------
    Array
        [..., out, rows], or [..., rows].

    Raises
    ------
    DomainError
        If an operand has another shape or type.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine import Group
    >>> from intertwine.jax import linear
    >>> V = Group("S3").rep("perm")
    >>> linear((V >> V).table(), jnp.array([1.0, 2.0, 4.0]), jnp.array([1.0, 10.0]))
    Array([61., 52., 34.], dtype=float32)
    """
    layer = layer_of(table)
    x, theta = jnp.asarray(x), jnp.asarray(theta)
    given = {"x": x, "theta": theta}
    if bias is not None:
        given["bias"] = bias = jnp.asarray(bias)
    require_method(method, **given)
    found = layer.channels_of(theta, channels)
    out, in_ = found or (1, 1)
    for name, t, shapes in (("theta", theta, layer.theta_shapes(out, in_)), ("bias", bias, layer.bias_shapes(out))):
        shape = layer.shape(shapes)
        if t is not None and not (found is None and t.shape == (math.prod(shape),)):
            require_shape(
                name,
                t,
                shape,
                f"[{name == 'bias' and 'bias_params, out' or 'params, out, in'}]"
                if layer.single
                else "the numbers of all blocks",
            )
    last = (layer.cols,) if found is None else (in_, layer.cols)
    if x.ndim < len(last) or x.shape[x.ndim - len(last) :] != last:
        text = ", ".join(str(n) for n in last)
        raise DomainError(f"x has the shape {list(x.shape)}; this table takes [..., {text}]")
    lead = x.shape[: x.ndim - len(last)]
    y = _by_blocks(layer, x.reshape(math.prod(lead), in_, layer.cols), theta, bias, out, in_, method)
    return y.reshape(*lead, layer.rows) if found is None else y.reshape(*lead, out, layer.rows)


def _by_blocks(layer: _Layer, x: Any, theta: Any, bias: Any, out: int, in_: int, method: str) -> Any:
    """[b, out, rows] of x [b, in, cols]."""
    b = x.shape[0]
    pieces = iter(_pieces(theta.reshape(-1), layer.theta_shapes(out, in_)))
    biases = None if bias is None else _pieces(bias.reshape(-1), layer.bias_shapes(out))
    starts = numpy.cumsum([0, *(c * d for c, d in layer.inputs)]).tolist()
    ins = [x[:, :, s : s + c * d].reshape(b, in_ * c, d) for s, (c, d) in zip(starts, layer.inputs)]
    parts = []
    for k, (row, (copies, dimension)) in enumerate(zip(layer.blocks, layer.outputs)):
        y = None
        for weights, at in zip(row, ins):
            own = next(pieces)
            if weights.sizes[2]:
                term = _apply_p.bind(at, own, table=weights) if method == "kernels" else _apply(at, own, table=weights)
                y = term if y is None else y + term
        y = jnp.zeros((b, out * copies, dimension), x.dtype) if y is None else y
        if biases is not None and row[0].sizes[3]:
            y = y + (jnp.asarray(row[0].bias_basis, x.dtype) @ biases[k]).T
        parts.append(y.reshape(b, out, copies * dimension))
    return parts[0] if len(parts) == 1 else jnp.concatenate(parts, -1)


def matrix_of(layer: _Layer, theta: Any, out: int, in_: int, method: str) -> Any:
    """W [out rows, in cols] of a table, without bias."""
    pieces = iter(_pieces(theta.reshape(-1), layer.theta_shapes(out, in_)))
    stripes = []
    for row, (copies, dimension) in zip(layer.blocks, layer.outputs):
        stripe = []
        for weights, (in_copies, in_dimension) in zip(row, layer.inputs):
            own = next(pieces)
            if weights.sizes[2]:
                W = _materialise_p.bind(own, table=weights) if method == "kernels" else _materialise(own, table=weights)
            else:
                W = jnp.zeros((out * copies * dimension, in_ * in_copies * in_dimension), theta.dtype)
            stripe.append(W.reshape(out, copies * dimension, in_, in_copies * in_dimension))
        stripes.append(jnp.concatenate(stripe, 3))
    return jnp.concatenate(stripes, 1).reshape(out * layer.rows, in_ * layer.cols)


def initial_parameters(
    table: Table, key: Any, channels: tuple[int, int] | None = None, gain: float = 1.0, dtype: Any = None
) -> Any:
    """Random theta for which inputs of variance 1 give outputs of variance gain^2: nn.Linear's.

    Parameters
    ----------
    table
        As of linear.
    key
        A key of jax.random.
    channels
        (out, in). None: no channels.
    gain
        The standard deviation of outputs.
    dtype
        The type of the numbers. None: that of jax.random.normal.

    Returns
    -------
    Array
        theta as linear takes it. Biases begin at 0.

    Examples
    --------
    >>> import jax
    >>> from intertwine import Group
    >>> from intertwine.jax import initial_parameters
    >>> V = Group("S4").rep("perm^2")
    >>> initial_parameters((V >> V).table(), jax.random.key(0), (8, 4)).shape
    (15, 8, 4)
    """
    layer = layer_of(table)
    out, in_ = (1, 1) if channels is None else (integer("channels", n, 1) for n in channels)
    scales = numpy.sqrt(numpy.repeat(numpy.asarray(table.initial_variance(gain)), out * in_) / in_)
    theta = jax.random.normal(key, scales.shape, dtype)
    theta = theta * jnp.asarray(scales, theta.dtype)
    return theta if channels is None else theta.reshape(layer.shape(layer.theta_shapes(out, in_)))
