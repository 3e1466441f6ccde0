"""Products of two fields by the table of V * W >> U: linear maps of x (x) z, by the kernels of linear layers."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from .. import DomainError, Table
from ._handlers import require_method, require_shape
from ._linear import layer_of, linear, matrix_of

__all__ = ["bilinear", "tensor_product"]


def _require_factors(table: Table, x: Any, z: Any, axes: int) -> None:
    """axes: how many of each are channels and sites."""
    if x.ndim < axes or z.ndim < axes or x.shape[: x.ndim - axes] != z.shape[: z.ndim - axes]:
        words = "[..., in, dim]" if axes == 2 else "[..., dim]"
        raise DomainError(
            f"x and z have the shapes {list(x.shape)} and {list(z.shape)}; both are {words} with the same leading axes"
        )
    cols = layer_of(table).cols
    if x.shape[-1] * z.shape[-1] != cols:
        raise DomainError(
            f"x and z have {x.shape[-1]} and {z.shape[-1]} coordinates; this table takes {cols} products of them: it is"
            " that of V * W >> U"
        )


def bilinear(
    table: Table,
    x: Any,
    z: Any,
    theta: Any,
    bias: Any = None,
    *,
    channels: tuple[int, int] | None = None,
    method: str = "kernels",
) -> Any:
    """B(x, z) + b with every equivariant bilinear B: the layer nn.Bilinear as a function.

    Parameters
    ----------
    table
        The table of V * W >> U, (V * W >> U).table(), of one block or several, or that of an nn.Bilinear.
    x, z
        [..., in1, dim V] and [..., in2, dim W] with the same leading axes. Without channels [..., dim V] and
        [..., dim W].
    theta
        [params, out, in1 in2]; without channels [params]. A table of several blocks has one list, as in linear.
    bias
        [bias_params, out], without channels [bias_params], for several blocks one list; or None.
    channels
        (out, in1 in2), for a table of several blocks. None: theta says them.
    method
        As of linear.

    Returns
    -------
    Array
        [..., out, dim U], or [..., dim U].

    Raises
    ------
    DomainError
        If an operand has another shape or type.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine import Group
    >>> from intertwine.jax import bilinear
    >>> v = Group("SO(3)").rep("vector")
    >>> cross = (v * v >> v).table()
    >>> bilinear(cross, jnp.array([1.0, 0.0, 0.0]), jnp.array([0.0, 1.0, 0.0]), jnp.ones(1))
    Array([0., 0., 1.], dtype=float32)
    """
    x, z, theta = (jnp.asarray(t) for t in (x, z, theta))
    require_method(method, x=x, z=z, theta=theta)
    wide = layer_of(table).channels_of(theta, channels) is not None
    _require_factors(table, x, z, 2 if wide else 1)
    if wide:
        product = x[..., :, None, :, None] * z[..., None, :, None, :]
        lead, (a, b, m, n) = product.shape[:-4], product.shape[-4:]
        product = product.reshape(*lead, a * b, m * n)
    else:
        product = (x[..., :, None] * z[..., None, :]).reshape(*x.shape[:-1], x.shape[-1] * z.shape[-1])
    return linear(table, product, theta, bias, channels=channels, method=method)


def tensor_product(table: Table, x: Any, z: Any, theta: Any, *, method: str = "kernels") -> Any:
    """B_c(x_c, z_c) for each channel c, with an equivariant bilinear B_c of its own: nn.TensorProduct as a function.

    Parameters
    ----------
    table
        The table of V * W >> U, (V * W >> U).table(), of one block or several, or that of an nn.TensorProduct.
    x, z
        [..., channels, dim V] and [..., channels, dim W] with the same leading axes.
    theta
        [params, channels, 1], of a table of several blocks one list.
    method
        As of linear.

    Returns
    -------
    Array
        [..., channels, dim U].

    Raises
    ------
    DomainError
        If an operand has another shape or type.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine import Group
    >>> from intertwine.jax import tensor_product
    >>> v = Group("SO(3)").rep("vector")
    >>> inner = (v * v >> v.group.rep("trivial")).table()
    >>> tensor_product(inner, jnp.array([[1.0, 2.0, 3.0]]), jnp.array([[1.0, 1.0, 1.0]]), jnp.ones((1, 1, 1)))
    Array([[6.]], dtype=float32)
    """
    x, z, theta = (jnp.asarray(t) for t in (x, z, theta))
    require_method(method, x=x, z=z, theta=theta)
    layer = layer_of(table)
    _require_factors(table, x, z, 2)
    channels = x.shape[-2]
    require_shape("z", z, (*z.shape[:-2], channels, z.shape[-1]), "[..., channels, dim W], with the channels of x")
    shapes = layer.theta_shapes(channels, 1)
    words = "[params, channels, 1]" if layer.single else "the numbers of all blocks"
    require_shape("theta", theta, layer.shape(shapes), words)
    lead, size = x.shape[:-2], math.prod(x.shape[:-2])
    product = (x[..., :, None] * z[..., None, :]).reshape(size, channels, layer.cols)
    matrix = matrix_of(layer, theta, channels, 1, method).reshape(channels, layer.rows, layer.cols)
    return jnp.einsum("bcn,cmn->bcm", product, matrix).reshape(*lead, channels, layer.rows)
