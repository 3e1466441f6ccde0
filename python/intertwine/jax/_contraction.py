"""Polynomials of points, and the two primitives whose derivatives are themselves with other directions.

    polynomial(x, w, kinds, *directions)                the polynomial, or its derivative along all directions
    polynomial_gradients(x, w, kinds, g, *directions)   the gradients in x and w of its product with g, likewise

A direction is two arrays, for x and for w. Kernels take two directions at most, which are the second derivatives of a
gradient; beyond, plain operations run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.interpreters import ad, batching

from .. import DomainError, Representation
from .._contractions import contraction, kernel_of, require_contraction
from .._features import integer, one_group, type_of
from ._edges import require_range
from ._handlers import KeptTable, folded, is_zero, primitive, require_method, require_shape, summed

__all__ = ["Contraction", "symmetric_contraction"]

_MOST_DIRECTIONS = 2


class Contraction(KeptTable):
    """The equivariant polynomials from V to U up to a degree: the table that ``symmetric_contraction`` takes.

    Parameters
    ----------
    V, U
        The types of input and output: representations of one group, or texts such as "0e + 1o + 2e".
    correlation
        The largest degree.
    basis, axis, features
        As of intertwine.nn.geometric.SymmetricContraction.

    Attributes
    ----------
    weight_numel
        How many weights a channel has.

    Raises
    ------
    DomainError
        If groups differ, or there is no polynomial at all.

    Examples
    --------
    >>> from intertwine.jax import Contraction
    >>> Contraction("0e + 1o + 2e + 3o", "0e + 1o", 3).weight_numel
    29
    """

    def __init__(
        self, V: Representation | str, U: Representation | str, correlation: int = 3, basis: str = "minimal",
        axis: str = "y", features: str = "orthonormal",
    ) -> None:  # fmt: skip
        self.V, self.U = type_of(V), type_of(U)
        one_group(self.V, self.U)
        self.correlation = integer("correlation", correlation, 1)
        require_contraction(basis, axis, features)
        self._made = (self.V, self.U, self.correlation, basis, axis, features)
        found = contraction(self.V, self.U, self.correlation, basis, axis, features)
        self.weight_numel = sum(map(sum, found.sizes))
        if not self.weight_numel:
            raise DomainError(
                f"no polynomial of degree 1 to {self.correlation} takes {self.V} to {self.U}; a higher degree or other"
                " summands may have some"
            )
        self.columns = found.columns
        self.projections = [
            (found.projections.get((k, d)), size)
            for k, sizes in enumerate(found.sizes)
            for d, size in enumerate(sizes)
        ] if basis == "mace" else []  # fmt: skip
        self.arrays, self.sizes = found.polynomial.arrays, found.polynomial.sizes
        super().__init__(f"{found.polynomial.digest}:{basis}:points", kernel_of(self.arrays, self.sizes))

    def minimal(self, w: Any) -> Any:
        """Weights [kinds, minimal weights, channels] of those of the basis."""
        found, start = [], 0
        for P, size in self.projections:
            found.append(jnp.einsum("ab,kbc->kac", jnp.asarray(P, w.dtype), w[:, start : start + size]))
            start += size
        return jnp.concatenate(found, 1) if found else w

    def __repr__(self) -> str:
        return f"Contraction({self.V} -> {self.U}, correlation={self.correlation}, {self.weight_numel} weights)"


# --- Plain operations ------------------------------------------------------------------------------------------------


def _at(x: Any, w: Any, kinds: Any, table: Contraction) -> Any:
    monomials, rows, coefficients = table.arrays
    filled = jnp.concatenate([x, jnp.ones_like(x, shape=(x.shape[0], 1, x.shape[2]))], 1)
    products = math.prod((filled[:, place] for place in monomials.T[1:]), start=filled[:, monomials[:, 0]])
    values = jnp.einsum("rm,pmc->prc", jnp.asarray(coefficients, x.dtype), products) * w[kinds][:, rows[:, 0]]
    return jnp.zeros((x.shape[0], table.sizes[1], x.shape[2]), x.dtype).at[:, rows[:, 1]].add(values)


def _value(x: Any, w: Any, kinds: Any, *directions: Any, table: Contraction) -> Any:
    def along(f: Any, pair: Any) -> Any:
        return lambda *at: jax.jvp(f, at, pair)[1]

    f: Any = lambda x, w: _at(x, w, kinds, table)
    for pair in zip(directions[::2], directions[1::2]):
        f = along(f, pair)
    return f(x, w)


def _gradients(x: Any, w: Any, kinds: Any, g: Any, *directions: Any, table: Contraction, wanted: int) -> Any:
    found = jax.vjp(lambda *at: _value(*at, kinds, *directions, table=table), x, w)[1](g)
    return [found[n] for n in _bits(wanted)]


def _bits(wanted: int) -> list[int]:
    return [n for n in range(2) if wanted >> n & 1]


# --- Primitives ------------------------------------------------------------------------------------------------------

_value_p = primitive(
    "polynomial", lambda x, *_, table: (x.shape[0], table.sizes[1], x.shape[2]), _value,
    served=lambda *operands, table: len(operands) <= 3 + 2 * _MOST_DIRECTIONS,
)  # fmt: skip
_gradients_p = primitive(
    "polynomial_gradients", lambda *operands, table, wanted: [operands[n].shape for n in _bits(wanted)], _gradients,
    served=lambda *operands, table, wanted: len(operands) <= 4 + 2 * _MOST_DIRECTIONS, several=True,
)  # fmt: skip


def _pairs(tangents: Sequence[Any]) -> list[tuple[int, Any, Any]]:
    """The place of every pair that moves, and its two arrays."""
    return [
        (n, *map(ad.instantiate_zeros, tangents[n : n + 2]))
        for n in range(0, len(tangents), 2)
        if not all(map(is_zero, tangents[n : n + 2]))
    ]


def _value_jvp(primals: Any, tangents: Any, *, table: Contraction) -> Any:
    x, w, kinds, *directions = primals
    out = _value_p.bind(*primals, table=table)
    terms = [_value_p.bind(*primals, a, b, table=table) for _, a, b in _pairs(tangents[:2])]
    for n, a, b in _pairs(tangents[3:]):
        terms.append(_value_p.bind(x, w, kinds, *directions[:n], a, b, *directions[n + 2 :], table=table))
    return out, summed(terms, out)


def _gradients_jvp(primals: Any, tangents: Any, *, table: Contraction, wanted: int) -> Any:
    x, w, kinds, g, *directions = primals
    given = {"table": table, "wanted": wanted}
    out = _gradients_p.bind(*primals, **given)
    terms = [_gradients_p.bind(*primals, a, b, **given) for _, a, b in _pairs(tangents[:2])]
    if not is_zero(tangents[3]):
        terms.append(_gradients_p.bind(x, w, kinds, tangents[3], *directions, **given))
    for n, a, b in _pairs(tangents[4:]):
        terms.append(_gradients_p.bind(x, w, kinds, g, *directions[:n], a, b, *directions[n + 2 :], **given))
    return out, [summed([term[k] for term in terms], like) for k, like in enumerate(out)]


def _undefined_pair(directions: Sequence[Any]) -> tuple[int, int]:
    """The place of the pair that is asked for, and its parts as bits."""
    asked = [n for n, t in enumerate(directions) if ad.is_undefined_primal(t)]
    first = asked[0] // 2 * 2
    return first, sum(1 << n - first for n in asked)


def _value_transpose(g: Any, x: Any, w: Any, kinds: Any, *directions: Any, table: Contraction) -> Any:
    operands = (x, w, kinds, *directions)
    if is_zero(g):
        return [ad.Zero(t.aval) if ad.is_undefined_primal(t) else None for t in operands]
    found: list[Any] = [None] * len(operands)
    if ad.is_undefined_primal(w):
        still = jnp.zeros(w.aval.shape, w.aval.dtype)
        (found[1],) = _gradients_p.bind(x, still, kinds, g, *directions, table=table, wanted=2)
        return found
    n, wanted = _undefined_pair(directions)
    others = (*directions[:n], *directions[n + 2 :])
    for k, t in zip(_bits(wanted), _gradients_p.bind(x, w, kinds, g, *others, table=table, wanted=wanted)):
        found[3 + n + k] = t
    return found


def _gradients_transpose(
    cotangents: Any, x: Any, w: Any, kinds: Any, g: Any, *directions: Any, table: Contraction, wanted: int
) -> Any:  # fmt: skip
    operands = (x, w, kinds, g, *directions)
    if all(map(is_zero, cotangents)):
        return [ad.Zero(t.aval) if ad.is_undefined_primal(t) else None for t in operands]
    given = dict(zip(_bits(wanted), map(ad.instantiate_zeros, cotangents)))
    a, b = (given[n] if n in given else jnp.zeros_like(t) for n, t in enumerate((x, w)))
    found: list[Any] = [None] * len(operands)
    if ad.is_undefined_primal(g):
        found[3] = _value_p.bind(x, w, kinds, *directions, a, b, table=table)
        return found
    n, asked = _undefined_pair(directions)
    others = (*directions[:n], *directions[n + 2 :], a, b)
    for k, t in zip(_bits(asked), _gradients_p.bind(x, w, kinds, g, *others, table=table, wanted=asked)):
        found[4 + n + k] = t
    return found


ad.primitive_jvps[_value_p] = _value_jvp
ad.primitive_jvps[_gradients_p] = _gradients_jvp
ad.primitive_transposes[_value_p] = _value_transpose
ad.primitive_transposes[_gradients_p] = _gradients_transpose


def _batched(made: Any) -> Any:
    """A batch is more points and more kinds."""

    def rule(operands: Any, dims: Any, **given: Any) -> Any:
        B = next(t.shape[d] for t, d in zip(operands, dims) if d is not None)
        flat = [folded(t, d, B, 0) for t, d in zip(operands, dims)]
        points, kinds = (flat[n].shape[0] // B if B else 0 for n in (0, 1))
        flat[2] = flat[2] + jnp.repeat(jnp.arange(B, dtype=flat[2].dtype) * kinds, points)
        found = made.bind(*flat, **given)
        if made.multiple_results:
            return [t.reshape(B, t.shape[0] // B, *t.shape[1:]) for t in found], [0] * len(found)
        return found.reshape(B, points, *found.shape[1:]), 0

    return rule


for _one in (_value_p, _gradients_p):
    batching.primitive_batchers[_one] = _batched(_one)


# --- The function ----------------------------------------------------------------------------------------------------


def symmetric_contraction(
    table: Contraction, x: Any, weight: Any, species: Any = None, *, method: str = "kernels"
) -> Any:
    """Equivariant polynomials of the features of each point: the layer SymmetricContraction as a function.

    Parameters
    ----------
    table
        The polynomials.
    x
        Features [..., dim V, channels].
    weight
        [species, weights, channels]. Without species the first axis is 1.
    species
        [...], integers: the kind of every point. None: there is one kind.
    method
        As of linear.

    Returns
    -------
    Array
        [..., dim U, channels].

    Raises
    ------
    DomainError
        If an operand has another shape or type, or a kind is out of range. In compiled programs kernels refuse such a
        kind with JAX's own error.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from intertwine.jax import Contraction, symmetric_contraction
    >>> squares = Contraction("0e", "0e", 2)
    >>> symmetric_contraction(squares, jnp.array([[2.0]]), jnp.array([[[1.0], [0.0]]]))
    Array([[2.]], dtype=float32)
    """
    if not isinstance(table, Contraction):
        raise DomainError(f"symmetric_contraction takes Contraction(V, U, correlation), and not {type(table).__name__}")
    x, weight = jnp.asarray(x), jnp.asarray(weight)
    require_method(method, x=x, weight=weight)
    size = table.sizes[0]
    if x.ndim < 2 or x.shape[-2] != size:
        raise DomainError(f"x has the shape {list(x.shape)}; it is [..., {size}, channels], [..., dim V, channels]")
    batch, channels = x.shape[:-2], x.shape[-1]
    count = weight.shape[0] if species is not None and weight.ndim == 3 else 1
    require_shape("weight", weight, (count, table.weight_numel, channels), "[species, weights, channels]")
    if species is None:
        species = jnp.zeros(batch, jnp.int32)
    else:
        species = require_range("species", species, count)
        require_shape("species", species, batch, "one for each point")
    points = x.reshape(math.prod(batch), size, channels)
    if table.columns is not None:
        points = jnp.einsum("ab,pbc->pac", jnp.asarray(table.columns, x.dtype), points)
    operands = points, table.minimal(weight), species.reshape(-1)
    found = _value_p.bind(*operands, table=table) if method == "kernels" else _value(*operands, table=table)
    return found.reshape(*batch, table.sizes[1], channels)
