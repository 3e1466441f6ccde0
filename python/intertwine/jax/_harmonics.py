"""Spherical harmonics by operations of JAX: products of few columns, which XLA fuses."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .. import DomainError
from .._features import integer
from .._harmonics import harmonic_polynomials, require_harmonics

__all__ = ["spherical_harmonics"]


def spherical_harmonics(
    r: Any, lmax: int, normalize: bool = True, normalization: str = "component", axis: str = "y"
) -> Any:
    """The real spherical harmonics of degrees 0, ..., lmax at vectors r: the layer SphericalHarmonics as a function.

    Parameters
    ----------
    r
        Vectors [..., 3].
    lmax
        The largest degree.
    normalize
        True: at r / |r|. Where r = 0, harmonics of degree l > 0 are 0 then, and so are all their derivatives. False: at
        r itself.
    normalization
        "component", "norm" or "integral", as of the layer.
    axis
        The polar axis, "y" as in e3nn or "z".

    Returns
    -------
    Array
        [..., (lmax + 1)^2].

    Raises
    ------
    DomainError
        If an argument is out of range, or the last axis is not 3.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine.jax import spherical_harmonics
    >>> spherical_harmonics(jnp.array([0.0, 3.0, 4.0]), 1, normalization="norm")
    Array([1. , 0. , 0.6, 0.8], dtype=float32)
    """
    r, lmax = jnp.asarray(r), integer("lmax", lmax, 0)
    require_harmonics(normalization, axis)
    if r.ndim < 1 or r.shape[-1] != 3 or not jnp.issubdtype(r.dtype, jnp.floating):
        raise DomainError(f"r has the shape {list(r.shape)} and is {r.dtype}; vectors are numbers [..., 3]")
    if normalize:
        square = (r * r).sum(-1, keepdims=True)
        apart = square > 0
        r = jnp.where(apart, r, 0) / jnp.sqrt(jnp.where(apart, square, 1))
    table = harmonic_polynomials(lmax, axis, normalization)
    monomials = [jnp.ones_like(r[..., :1])]
    for parent, variable in zip(table.parents, table.variables):
        monomials.append(monomials[-1][..., parent] * r[..., variable])
    return jnp.concatenate([m @ jnp.asarray(c, r.dtype) for m, c in zip(monomials, table.coefficients)], -1)
