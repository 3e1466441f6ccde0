"""Polynomials of points and their derivatives as operators of PyTorch, closed under differentiation.

    P(x, w, g) = sum over points n, channels c, rows r, monomials m of
                 K[r,m] w[kind n, weight r, c] g[n, component r, c] times x[n,v,c] for every variable v of m

    point_polynomial(x, w, kinds, directions)     the gradient of P in g, or its derivative along all the directions
    point_gradients(x, w, g, kinds, directions)   the gradients of P in x and w, or their derivative; g stays

A direction is two tensors, one for x and one for w. The derivatives of these two have one direction more, one less, or
another one: every order is there. On the CPU, for float32 and float64, the kernels of the library run them for at most
two directions, which are the second derivatives of a gradient, and those of `_triton` on a GPU; else plain PyTorch with
the same results. Forward mode
and transformations of torch.func take plain PyTorch, too, as in _edges.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ... import DomainError
from ..._contractions import Polynomial, kernel_of
from ..._core import PointPolynomial
from .. import _ops
from .._tables import real_tensors
from ._edges import KERNELS, dense, gpu_kernels, memory, plain_doors, served

__all__ = ["PolynomialTable", "plain_value", "polynomial", "table_of"]

MOST_DIRECTIONS = 2  # of the kernels


class PolynomialTable(NamedTuple):
    """A polynomial, as operands of an operator.

    tensors: monomials [M, degree], the variables of each, filled up by the number of components of x; rows [R, 2],
    (weight, component); coefficients K [R, M] in float64. sizes: components of x and the polynomial, and weights.
    digest: names the numbers.
    """

    tensors: list[Tensor]
    sizes: list[int]
    digest: str


def table_of(polynomial: Polynomial) -> PolynomialTable:
    """The polynomial as tensors."""
    with real_tensors():
        return PolynomialTable([torch.from_numpy(a) for a in polynomial.arrays], polynomial.sizes, polynomial.digest)


# --- Kernels ---------------------------------------------------------------------------------------------------------

_polynomials: dict[str, PointPolynomial] = {}
_MOST_POLYNOMIALS = 256


def _kernel_of(table: PolynomialTable) -> PointPolynomial:
    found = _polynomials.get(table.digest)
    if found is None:
        found = kernel_of([t.numpy() for t in table.tensors], table.sizes)
        if len(_polynomials) >= _MOST_POLYNOMIALS:
            _polynomials.pop(next(iter(_polynomials)))
        _polynomials[table.digest] = found
    return found


def _checked(
    table: PolynomialTable, kinds: Tensor, x: Tensor, w: Tensor, directions: list[Tensor], g: Tensor | None
) -> tuple[Any, list[Tensor], list[tuple[int, int]], Tensor | None]:
    """Kinds and addresses as the kernels take them, and the tensors that are read there."""
    in_, out, weights = table.sizes
    points, channels = x.shape[0], x.shape[2]
    if kinds.dtype != torch.int64 or kinds.shape != (points,):
        raise DomainError(f"kinds are int64 numbers of the shape [{points}], not {list(kinds.shape)} of {kinds.dtype}")
    shapes = [(points, in_, channels), (w.shape[0], weights, channels)]
    given = [dense(t) for t in (x, w, *directions)]
    for n, t in enumerate(given):
        _ops.require("xw"[n % 2], t, *shapes[n % 2])
    g = None if g is None else dense(g)
    if g is not None:
        _ops.require("g", g, points, out, channels)
    for t in given if g is None else [*given, g]:
        if t.dtype != x.dtype or t.device != x.device:
            raise DomainError(
                f"the operands of a polynomial have one dtype and device, not {x.dtype} on {x.device} and"
                f" {t.dtype} on {t.device}"
            )
    kinds = dense(kinds)
    pairs = [(a.data_ptr(), b.data_ptr()) for a, b in zip(given[::2], given[1::2])]
    return (w.shape[0], points, kinds.data_ptr()), [*given, kinds], pairs, g


def _run_value(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], table: PolynomialTable) -> Tensor:
    gpu = gpu_kernels(x)
    if gpu is None and not served(x) or len(directions) > 2 * MOST_DIRECTIONS:
        return _plain_along(x, w, kinds, directions, table)
    where, _held, (at, *moves), _ = _checked(table, kinds, x, w, directions, None)
    if gpu is not None:
        made: Tensor = gpu.value(x, w, kinds, directions, table)
        return made
    out = memory.empty(x, (x.shape[0], table.sizes[1], x.shape[2]))
    _kernel_of(table).value(_ops.NUMBER[x.dtype], where, x.shape[2], at, moves, out.data_ptr(), torch.get_num_threads())
    return out


def _run_gradients(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: list[int], table: PolynomialTable
) -> tuple[Tensor, ...]:
    """Those of x and w that are wanted; for the others tensors of no numbers."""
    gpu = gpu_kernels(x)
    if gpu is None and not served(x) or len(directions) > 2 * MOST_DIRECTIONS:
        return _plain_gradients(x, w, g, kinds, directions, wanted, table)
    where, _held, (at, *moves), g_dense = _checked(table, kinds, x, w, directions, g)
    assert g_dense is not None
    if gpu is not None:
        both: tuple[Tensor, ...] = gpu.slopes(x, w, g, kinds, directions, wanted, table)
        return both
    made = [memory.empty(x, t.shape if asked else (0,)) for t, asked in zip((x, w), wanted)]
    _kernel_of(table).gradients(
        _ops.NUMBER[x.dtype], where, x.shape[2], at, g_dense.data_ptr(), moves,
        (made[0].data_ptr(), made[1].data_ptr()), torch.get_num_threads(),
    )  # fmt: skip
    return tuple(made)


# --- Plain PyTorch ---------------------------------------------------------------------------------------------------

Jet = dict[int, Tensor]  # the parts of a number with directions whose squares are 0, by the set of directions


def _product(a: Jet, b: Jet) -> Jet:
    found: Jet = {}
    for s, u in a.items():
        for t, v in b.items():
            if not s & t:
                found[s | t] = found[s | t] + u * v if s | t in found else u * v
    return found


def _columns(t: Tensor, last: float) -> Tensor:
    """[components + 1, points * channels]; the last row is the variable that fills monomials up."""
    flat = t.transpose(0, 1).reshape(t.shape[1], -1)
    return torch.cat([flat, flat.new_full((1, flat.shape[1]), last)])


def _jets(x: Tensor, w: Tensor, directions: list[Tensor], kinds: Tensor | None, tensors: list[Tensor]) -> Any:
    """The variables at every place of the monomials, and for each row of the table the weights of the points."""
    monomials, rows, _ = tensors
    variables = {0: _columns(x, 1.0)} | {1 << n: _columns(a, 0.0) for n, a in enumerate(directions[::2])}
    places = [{s: v.index_select(0, place) for s, v in variables.items()} for place in monomials.unbind(1)]
    weights = {0: w} | {1 << n: b for n, b in enumerate(directions[1::2])}
    own = {s: b.transpose(0, 1).index_select(0, rows.select(1, 0)) for s, b in weights.items()}
    return places, own if kinds is None else {s: b.index_select(1, kinds) for s, b in own.items()}


def plain_value(
    x: Tensor, w: Tensor, kinds: Tensor | None, directions: list[Tensor], tensors: list[Tensor], out: int
) -> Tensor:
    """The polynomial of `out` components, or its derivative along directions; tensors as in PolynomialTable, those of
    x's device and dtype. Nothing depends on their numbers, so that it can be recorded. kinds None: all are of kind 0."""
    places, own = _jets(x, w, directions, kinds, tensors)
    top, monomials = (1 << len(directions) // 2) - 1, functools.reduce(_product, places)
    total = x.new_zeros(out, x.shape[0], x.shape[2])
    for s, weights in own.items():
        if top ^ s in monomials:  # else they are of a lower degree
            values = (tensors[2] @ monomials[top ^ s]).unflatten(1, (x.shape[0], x.shape[2]))
            total = total.index_add(0, tensors[1].select(1, 1), values * weights)
    return total.transpose(0, 1)


def _plain_tensors(x: Tensor, table: PolynomialTable) -> list[Tensor]:
    monomials, rows, K = table.tensors
    return [monomials.to(x.device), rows.to(x.device), K.to(x)]


def _plain_along(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], table: PolynomialTable) -> Tensor:
    return plain_value(x, w, kinds, directions, _plain_tensors(x, table), table.sizes[1]).contiguous()


def _plain_gradients(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: list[int], table: PolynomialTable
) -> tuple[Tensor, ...]:
    """By hand: below autograd, where operators run, nothing can be differentiated."""
    tensors = _plain_tensors(x, table)
    places, own = _jets(x, w, directions, kinds, tensors)
    top, sizes = (1 << len(directions) // 2) - 1, (x.shape[0], x.shape[2])
    weight, component = tensors[1].unbind(1)
    of_rows = g.transpose(0, 1).index_select(0, component)  # [rows, points, channels]
    d_x, d_w = x.new_empty(0), x.new_empty(0)
    if wanted[0]:
        rests = {s: tensors[2].T @ (of_rows * b).flatten(1) for s, b in own.items()}  # of every monomial
        total = x.new_zeros(table.sizes[0] + 1, sizes[0] * sizes[1])
        for n, place in enumerate(tensors[0].unbind(1)):
            found = functools.reduce(_product, places[:n] + places[n + 1 :], rests)
            if top in found:
                total = total.index_add(0, place, found[top])
        d_x = total[:-1].unflatten(1, sizes).transpose(0, 1).contiguous()
    if wanted[1]:
        total = w.new_zeros(table.sizes[2], w.shape[0], sizes[1])
        monomials = functools.reduce(_product, places)
        if top in monomials:
            slopes = of_rows * (tensors[2] @ monomials[top]).unflatten(1, sizes)
            by_kind = slopes.new_zeros(slopes.shape[0], w.shape[0], sizes[1]).index_add(1, kinds, slopes)
            total = total.index_add(0, weight, by_kind)
        d_w = total.transpose(0, 1).contiguous()
    return d_x, d_w


# --- Registered operators --------------------------------------------------------------------------------------------

_library = torch.library.Library("intertwine", "FRAGMENT")
_TABLE = "Tensor[] table, int[] sizes, str digest"


def _gradients(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: Any, table: PolynomialTable
) -> list[Tensor | None]:
    if not any(wanted):
        return [None, None]
    asked = [int(one) for one in wanted]
    found = torch.ops.intertwine.point_gradients.default(x, w, g, kinds, directions, asked, *table)
    return [t if one else None for t, one in zip(found, asked)]


def _value_setup(ctx: Any, inputs: Any, output: Any) -> None:
    x, w, kinds, directions, tensors, ctx.sizes, ctx.digest = inputs
    ctx.count = len(directions)
    ctx.save_for_backward(x, w, kinds, *directions, *tensors)


def _value_backward(ctx: Any, g: Tensor) -> Any:
    x, w, kinds, *rest = ctx.saved_tensors
    directions, table = rest[: ctx.count], PolynomialTable(rest[ctx.count :], ctx.sizes, ctx.digest)
    moved = ctx.needs_input_grad[3]
    of_directions: list[Tensor | None] = []
    for n in range(0, ctx.count, 2):
        others = directions[:n] + directions[n + 2 :]
        of_directions += _gradients(x, w, g, kinds, others, moved[n : n + 2], table)
    of_xw = _gradients(x, w, g, kinds, directions, ctx.needs_input_grad[:2], table)
    return *of_xw, None, of_directions, [None] * len(table.tensors), None, None


def _gradients_setup(ctx: Any, inputs: Any, output: Any) -> None:
    x, w, g, kinds, directions, _, tensors, ctx.sizes, ctx.digest = inputs
    ctx.count = len(directions)
    ctx.save_for_backward(x, w, g, kinds, *directions, *tensors)


def _gradients_backward(ctx: Any, *cotangents: Tensor | None) -> Any:
    x, w, g, kinds, *rest = ctx.saved_tensors
    directions, table = rest[: ctx.count], PolynomialTable(rest[ctx.count :], ctx.sizes, ctx.digest)
    # A gradient that nobody wanted is a tensor of no numbers, and its cotangent, too.
    move = [torch.zeros_like(t) if d is None or d.shape != t.shape else d for d, t in zip(cotangents, (x, w))]
    needed = ctx.needs_input_grad
    of_directions: list[Tensor | None] = []
    for n in range(0, ctx.count, 2):
        others = directions[:n] + move + directions[n + 2 :]
        of_directions += _gradients(x, w, g, kinds, others, needed[4][n : n + 2], table)
    of_g = None
    if needed[2]:
        of_g = torch.ops.intertwine.point_polynomial.default(x, w, kinds, directions + move, *table)
    of_xw = _gradients(x, w, g, kinds, directions + move, needed[:2], table)
    return *of_xw, of_g, None, of_directions, None, [None] * len(table.tensors), None, None


def _value(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], *table: Any) -> Tensor:
    return _run_value(x, w, kinds, directions, PolynomialTable(*table))


def _value_fake(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], *table: Any) -> Tensor:
    return x.new_empty(x.shape[0], table[1][1], x.shape[2])


def _both(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: list[int], *table: Any
) -> tuple[Tensor, ...]:
    return _run_gradients(x, w, g, kinds, directions, wanted, PolynomialTable(*table))


def _both_fake(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: list[int], *table: Any
) -> tuple[Tensor, ...]:
    return tuple(t.new_empty(t.shape if asked else (0,)) for t, asked in zip((x, w), wanted))


for _name, _schema, _run, _fake, _setup, _backward in (
    ("point_polynomial", f"(Tensor x, Tensor w, Tensor kinds, Tensor[] directions, {_TABLE}) -> Tensor",
     _value, _value_fake, _value_setup, _value_backward),
    ("point_gradients",
     f"(Tensor x, Tensor w, Tensor g, Tensor kinds, Tensor[] directions, int[] wanted, {_TABLE}) -> (Tensor, Tensor)",
     _both, _both_fake, _gradients_setup, _gradients_backward),
):  # fmt: skip
    _library.define(_name + _schema, tags=(torch.Tag.pt2_compliant_tag,))
    _library.impl(_name, _run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"intertwine::{_name}", _fake, lib=_library)
    torch.library.register_autograd(f"intertwine::{_name}", _backward, setup_context=_setup, lib=_library)


def _decomposed_value(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], *table: Any) -> Tensor:
    return _plain_along(x, w, kinds, directions, PolynomialTable(*table))


def _decomposed_gradients(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: list[int], *table: Any
) -> tuple[Tensor, ...]:
    return _plain_gradients(x, w, g, kinds, directions, wanted, PolynomialTable(*table))


_ops.MORE_DECOMPOSITIONS.update(
    {
        torch.ops.intertwine.point_polynomial.default: _decomposed_value,
        torch.ops.intertwine.point_gradients.default: _decomposed_gradients,
    }
)


# --- The choice ------------------------------------------------------------------------------------------------------


def polynomial(x: Tensor, w: Tensor, kinds: Tensor | None, table: PolynomialTable, plain: list[Tensor]) -> Tensor:
    """The polynomial [points, out, channels] by the door that serves what is at work here. `plain`: the tensors of the
    table in x's dtype, on its device."""
    device = x.device.type
    kernels = device == "cpu" or device in _ops._TRITON and _ops._triton() is not None
    if not kernels or x.dtype not in KERNELS or plain_doors(x, w):
        return plain_value(x, w, kinds, [], plain, table.sizes[1])
    if kinds is None:
        kinds = torch.zeros(x.shape[0], dtype=torch.int64, device=x.device)
    result: Tensor = torch.ops.intertwine.point_polynomial.default(x, w, kinds, [], *table)
    return result
