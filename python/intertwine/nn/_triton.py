"""The five products of a tied table, and sums of diagrams, as Triton kernels, for tensors on a GPU. `_ops` decides when
they are used.

A table is its codes [M, N]: 0 is zero, 1..P is theta[code - 1], P+1..2P its negative. Sums are taken in float32
(float64 for float64) in an order that the table and the shapes fix: there are no atomic additions, and a result is the
same in every run.

    materialise    a look-up for each entry of W
    reduce         the entries of each parameter, sorted once for each table and cut in pieces of at most 256: first the sum of each
                   piece, then the pieces of each parameter
    product        apply and apply_t: tiles of W are looked up and multiplied, and never stored
    outer          the same pieces, each entry a product of a column of dy and one of x over the batch; dW is never made
    add_up         of products with diagrams: everything that is broadcast, exchanged or put on diagonals in one pass over the result

Under TRITON_INTERPRET=1 the same kernels run on tensors of the CPU, for tests. The interpreter keeps bfloat16 as
integers of 16 bits, which tl.dot multiplies as such; `wide` therefore takes operands of tl.dot to float32 there, where
their products are exact anyway.
"""

from __future__ import annotations

import contextlib
import math
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import torch
import triton
import triton.language as tl
from torch import Tensor

__all__ = ["add_up", "apply", "apply_t", "materialise", "outer", "reduce"]

_PIECE = 256  # entries that one row of a program adds
_ENTRIES = 1024  # entries that one program looks at
_SCATTERED = 1 << 20  # a W of so many entries is worth a theta that is turned first


# --- The order of the sums ---------------------------------------------------------------------------------------------------


class _Order(NamedTuple):
    """The entries of a table by parameter: entry = 2 * place + (is it a negative one?), place = row N + column."""

    entries: Tensor
    start: Tensor  # [pieces + 1]: where each piece begins
    first: Tensor  # [P + 1]: the first piece of each parameter; every parameter has one
    longest: int


_Kept = TypeVar("_Kept")
_orders: OrderedDict[tuple[str, torch.device], _Order] = OrderedDict()


def _sorted(code: Tensor, P: int) -> _Order:
    c = code.reshape(-1).to(torch.int64)
    parameter = torch.where(c > P, c - P, c) - 1
    places = torch.nonzero((c > 0) & (c <= 2 * P)).reshape(-1)
    parameter, by = torch.sort(parameter[places], stable=True)
    places = places[by]
    entries = 2 * places + (c[places] > P)
    count = torch.bincount(parameter, minlength=P)
    pieces = ((count + _PIECE - 1) // _PIECE).clamp(min=1)
    zero = count.new_zeros(1)
    first = torch.cat((zero, pieces.cumsum(0)))
    begin = torch.cat((zero, count.cumsum(0)))
    of = torch.repeat_interleave(torch.arange(P, device=code.device), pieces)
    start = torch.cat((begin[of] + (torch.arange(len(of), device=code.device) - first[of]) * _PIECE, begin[-1:]))
    small = torch.int32 if 2 * code.numel() < 2**31 else torch.int64
    return _Order(entries.to(small), start.to(small), first.to(small), int(count.max()))


def _apart(f: Callable[[], _Kept], device: torch.device) -> _Kept:
    """f() in a thread of its own. What is kept must not come from the memory that a compiler sets aside for this thread
    while it prepares a recording (torch.compile with mode="reduce-overhead")."""

    def task() -> _Kept:
        with torch.cuda.device(device):
            result = f()
            torch.cuda.current_stream().synchronize()
        return result

    torch.cuda.current_stream(device).synchronize()  # the codes may have been made just now
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(task).result()


def _order(code: Tensor, P: int, digest: str) -> _Order:
    """Sorted once for a table on a device; those of the last 64 tables are kept, 4 bytes for each nonzero entry."""
    key = (digest, code.device)
    order = _orders.get(key)
    if order is None:
        order = _orders[key] = _apart(lambda: _sorted(code, P), code.device) if code.is_cuda else _sorted(code, P)
        if len(_orders) > 64:
            _orders.popitem(last=False)
    else:
        _orders.move_to_end(key)
    return order


# --- Kernels -----------------------------------------------------------------------------------------------------------------


@triton.jit
def _look_up(theta, code, P, step, inside, ACC: tl.constexpr):  # type: ignore[no-untyped-def]
    """The values of codes: theta points at the first parameter of each entry's pair of channels. A code beyond the
    table is zero."""
    negative = code > P
    k = tl.where(negative, code - P, code) - 1
    inside = inside & (k >= 0) & (k < P)
    value = tl.load(theta + k.to(tl.int64) * step, mask=inside, other=0.0).to(ACC)
    return tl.where(negative, -value, value)


@triton.jit
def _materialise(  # type: ignore[no-untyped-def]
    theta, code, W, P, theta_row, theta_out, theta_in, row, out_row, column, in_column, in_, N, entries, in_blocks, blocks,
    ACC: tl.constexpr, INDEX: tl.constexpr, SITES: tl.constexpr, IN: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    if WHOLE:  # all of a site's input channels, so that the compiler knows them to be aligned: theta and W are contiguous, [., out, in] and [M out, N in]
        out = tl.num_programs(0) // blocks
        theta_row, theta_out, theta_in = out * IN, IN, 1
        row, out_row, column, in_column = out * N * IN, N * IN, IN, 1
    o = (tl.program_id(0) // (in_blocks * blocks)).to(tl.int64)
    i = tl.program_id(0) // blocks % in_blocks * IN + tl.arange(0, IN)
    e = (tl.program_id(0) % blocks).to(INDEX) * SITES + tl.arange(0, SITES)
    inside = e < entries
    c = tl.load(code + e, mask=inside, other=0).to(tl.int32)
    inside = inside[:, None] if WHOLE else inside[:, None] & (i < in_)[None, :]
    value = _look_up(theta + o * theta_out + i[None, :] * theta_in, c[:, None], P, theta_row, inside, ACC)
    place = ((e // N).to(tl.int64) * row + (e % N).to(tl.int64) * column)[:, None] + (i.to(tl.int64) * in_column)[
        None, :
    ]
    tl.store(W + o * out_row + place, value.to(W.dtype.element_ty), mask=inside)


@triton.jit
def _add_entries(  # type: ignore[no-untyped-def]
    dW, row, out_row, column, in_column, entries, start, sums, pieces, out, in_, N, in_blocks, blocks,
    ACC: tl.constexpr, PIECES: tl.constexpr, LENGTH: tl.constexpr, TERMS: tl.constexpr, IN: tl.constexpr, WHOLE: tl.constexpr,
):  # fmt: skip
    if WHOLE:  # as in _materialise
        row, out_row, column, in_column = out * N * IN, N * IN, IN, 1
    o = (tl.program_id(0) // (in_blocks * blocks)).to(tl.int64)
    i = tl.program_id(0) // blocks % in_blocks * IN + tl.arange(0, IN)
    piece = (tl.program_id(0) % blocks) * PIECES + tl.arange(0, PIECES)
    mine = piece < pieces
    begin = tl.load(start + piece, mask=mine, other=0)
    end = tl.load(start + piece + 1, mask=mine, other=0)
    total = tl.zeros([PIECES, TERMS, IN], dtype=ACC)
    for first in range(0, LENGTH, TERMS):
        k = begin[:, None] + (first + tl.arange(0, TERMS))[None, :]
        inside = k < end[:, None]
        entry = tl.load(entries + k, mask=inside, other=0)
        place = ((entry >> 1) // N).to(tl.int64) * row + ((entry >> 1) % N).to(tl.int64) * column
        inside = inside[:, :, None] if WHOLE else inside[:, :, None] & (i < in_)[None, None, :]
        value = tl.load(
            dW + o * out_row + place[:, :, None] + (i.to(tl.int64) * in_column)[None, None, :], mask=inside, other=0.0
        ).to(ACC)
        total += tl.where(((entry & 1) == 1)[:, :, None], -value, value)
    at = (piece.to(tl.int64) * out + o) * in_
    tl.store(
        sums + at[:, None] + i[None, :],
        tl.sum(total, axis=1).to(sums.dtype.element_ty),
        mask=mine[:, None] & (i < in_)[None, :],
    )


@triton.jit
def _add_pieces(sums, first, dtheta, pairs, blocks, ACC: tl.constexpr, PIECES: tl.constexpr, PAIRS: tl.constexpr):  # type: ignore[no-untyped-def]
    parameter = tl.program_id(0) // blocks
    pair = (tl.program_id(0) % blocks).to(tl.int64) * PAIRS + tl.arange(0, PAIRS)
    mine = pair < pairs
    begin = tl.load(first + parameter)
    end = tl.load(first + parameter + 1)
    total = tl.zeros([PAIRS], dtype=ACC)
    for piece in range(begin, end, PIECES):
        q = piece + tl.arange(0, PIECES)
        inside = (q < end)[:, None] & mine[None, :]
        total += tl.sum(tl.load(sums + q.to(tl.int64)[:, None] * pairs + pair[None, :], mask=inside, other=0.0), axis=0)
    tl.store(dtheta + parameter.to(tl.int64) * pairs + pair, total.to(dtheta.dtype.element_ty), mask=mine)


@triton.jit
def _product(  # type: ignore[no-untyped-def]
    x, theta, code, y, batch, rows, columns, row_sites, column_sites, P,
    x_batch, x_channel, x_site, code_row, code_column, theta_row, theta_column, blocks,
    BATCH: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, PRECISION: tl.constexpr, WIDE: tl.constexpr,
):  # fmt: skip
    b = (tl.program_id(0) // blocks).to(tl.int64) * BATCH + tl.arange(0, BATCH)
    r = (tl.program_id(0) % blocks).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    code_of_row = code + (r % row_sites) * code_row
    theta_of_row = theta + (r // row_sites) * theta_row
    total = tl.zeros([BATCH, ROWS], dtype=tl.float32)
    for begin in range(0, columns, COLUMNS):
        k = (begin + tl.arange(0, COLUMNS)).to(tl.int64)
        channel, site = k // column_sites, k % column_sites
        inside = (b < batch)[:, None] & (k < columns)[None, :]
        part = tl.load(
            x + b[:, None] * x_batch + channel[None, :] * x_channel + site[None, :] * x_site, mask=inside, other=0.0
        )
        inside = (k < columns)[:, None] & (r < rows)[None, :]
        c = tl.load(code_of_row[None, :] + site[:, None] * code_column, mask=inside, other=0).to(tl.int32)
        w = _look_up(theta_of_row[None, :] + channel[:, None] * theta_column, c, P, 1, inside, tl.float32)
        if WIDE:
            total = tl.dot(part.to(tl.float32), w, total, input_precision=PRECISION)
        else:
            total = tl.dot(part, w.to(part.dtype), total, input_precision=PRECISION)
    tl.store(
        y + b[:, None] * rows + r[None, :],
        total.to(y.dtype.element_ty),
        mask=(b < batch)[:, None] & (r < rows)[None, :],
    )


@triton.jit
def _outer(  # type: ignore[no-untyped-def]
    x, dy, entries, start, sums, batch, out, in_, N,
    x_batch, x_channel, x_site, y_batch, y_channel, y_site, out_blocks, in_blocks,
    OUT: tl.constexpr, IN: tl.constexpr, TERMS: tl.constexpr, PRECISION: tl.constexpr, WIDE: tl.constexpr,
):  # fmt: skip
    piece = tl.program_id(0) // (out_blocks * in_blocks)
    tile = tl.program_id(0) % (out_blocks * in_blocks)
    o = (tile // in_blocks).to(tl.int64) * OUT + tl.arange(0, OUT)
    i = (tile % in_blocks).to(tl.int64) * IN + tl.arange(0, IN)
    begin = tl.load(start + piece)
    length = tl.load(start + piece + 1) - begin
    total = tl.zeros([OUT, IN], dtype=tl.float32)
    for term in range(0, length * batch, TERMS):  # entries times examples, neighbouring entries next to each other
        t = term + tl.arange(0, TERMS)
        mine = t < length * batch
        b = (t // length).to(tl.int64)
        entry = tl.load(entries + begin + t % length, mask=mine, other=0).to(tl.int64)
        place = entry >> 1
        left = tl.load(
            dy + b[None, :] * y_batch + o[:, None] * y_channel + (place // N)[None, :] * y_site,
            mask=(o < out)[:, None] & mine[None, :],
            other=0.0,
        )
        right = tl.load(
            x + b[:, None] * x_batch + i[None, :] * x_channel + (place % N)[:, None] * x_site,
            mask=mine[:, None] & (i < in_)[None, :],
            other=0.0,
        )
        signed = right.to(tl.float32)
        signed = tl.where(((entry & 1) == 1)[:, None], -signed, signed)
        if WIDE:
            total = tl.dot(left.to(tl.float32), signed, total, input_precision=PRECISION)
        else:
            total = tl.dot(left, signed.to(right.dtype), total, input_precision=PRECISION)
    place_of = sums + (piece.to(tl.int64) * out + o[:, None]) * in_ + i[None, :]
    tl.store(place_of, total.to(sums.dtype.element_ty), mask=(o < out)[:, None] & (i < in_)[None, :])


@triton.jit
def _part(source, entry, table, r, j, lead, inside, channels, ACC: tl.constexpr, AXES: tl.constexpr):  # type: ignore[no-untyped-def]
    """The part that an entry describes, at rows r and columns j of y: zero where indices do not agree."""
    place = tl.load(entry) + lead // channels * tl.load(entry + 1) + lead % channels * tl.load(entry + 2)
    there = inside
    rest = r
    for k in tl.static_range(AXES - 1):
        axis = AXES - 2 - k
        length = tl.load(table + axis)
        digit = rest % length
        rest = rest // length
        place += digit * tl.load(entry + 3 + axis)
        agrees = tl.load(entry + 3 + 2 * AXES + axis)  # the length of the axis to agree with, or 0
        other = r // tl.load(entry + 3 + AXES + axis) % tl.maximum(agrees, 1)
        there = there & (tl.where(agrees > 0, other, digit) == digit)[:, None]
    agrees = tl.load(entry + 2 + 3 * AXES)
    other = r // tl.load(entry + 2 + 2 * AXES) % tl.maximum(agrees, 1)
    there = there & (tl.where(agrees > 0, other[:, None], j[None, :]) == j[None, :])
    return tl.load(source + place[:, None] + j[None, :] * tl.load(entry + 2 + AXES), mask=there, other=0.0).to(ACC)


@triton.jit
def _add_up(  # type: ignore[no-untyped-def]
    large, small, table, y, rows, columns, channels, large_parts, parts,
    ACC: tl.constexpr, AXES: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    blocks = tl.cdiv(columns, COLUMNS)
    r = (tl.program_id(0) // blocks).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = (tl.program_id(0) % blocks).to(tl.int64) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (r < rows)[:, None] & (j < columns)[None, :]
    lead = r
    for k in tl.static_range(AXES - 1):
        lead = lead // tl.load(table + AXES - 2 - k)
    total = tl.zeros([ROWS, COLUMNS], dtype=ACC)
    for part in range(large_parts):
        total += _part(large, table + AXES + part * (3 + 3 * AXES), table, r, j, lead, inside, channels, ACC, AXES)
    for part in range(large_parts, parts):
        total += _part(small, table + AXES + part * (3 + 3 * AXES), table, r, j, lead, inside, channels, ACC, AXES)
    tl.store(y + r[:, None] * columns + j[None, :], total.to(y.dtype.element_ty), mask=inside)


# --- Launches ----------------------------------------------------------------------------------------------------------------


def _accumulator(t: Tensor) -> Any:
    return tl.float64 if t.dtype == torch.float64 else tl.float32


_here = contextlib.nullcontext()


def _on(t: Tensor) -> Any:
    """Triton launches on the current device, whichever the tensors are on."""
    return torch.cuda.device(t.device) if t.is_cuda and t.device.index != torch.cuda.current_device() else _here


def _precision() -> str:
    """float32 as torch.set_float32_matmul_precision has it."""
    return "ieee" if torch.get_float32_matmul_precision() == "highest" else "tf32"


def _by_pair(theta: Tensor) -> Tensor:
    """[out, in, P]: the few numbers that a tile looks up are next to each other."""
    return theta.resolve_neg().permute(1, 2, 0).contiguous()


def _strides(M: int, N: int, out: int, in_: int, sites_first: bool) -> tuple[int, int, int, int]:
    """Of a contiguous W by row, output channel, column and input channel: [out M, in N], or [M out, N in]."""
    return (out * N * in_, N * in_, in_, 1) if sites_first else (in_ * N, M * in_ * N, 1, N)


def materialise(theta: Tensor, code: Tensor, sizes: list[int], sites_first: bool = False) -> Tensor:
    """W [out M, in N] of theta [P, out, in], or [M out, N in]. Every bit is that of the kernels on the CPU."""
    (P, out, in_), (M, N) = theta.shape, sizes[:2]
    W = theta.new_empty((M * out, N * in_) if sites_first else (out * M, in_ * N))
    if P == 0 or W.numel() == 0:
        return W.zero_()
    theta = theta.resolve_neg()
    if sites_first:
        theta = theta.contiguous()
    elif W.numel() >= _SCATTERED:
        theta = _by_pair(theta).permute(2, 0, 1)
    wide = min(64, triton.next_power_of_2(in_)) if sites_first else 1  # neighbours in memory are neighbours in a tile
    size = min(_ENTRIES // wide, triton.next_power_of_2(M * N))
    blocks, in_blocks = triton.cdiv(M * N, size), triton.cdiv(in_, wide)
    with _on(theta):
        _materialise[(out * in_blocks * blocks,)](
            theta, code.contiguous(), W, P, *theta.stride(), *_strides(M, N, out, in_, sites_first), in_, N, M * N, in_blocks, blocks,
            ACC=_accumulator(theta), INDEX=tl.int32 if M * N + size < 2**31 else tl.int64, SITES=size, IN=wide, WHOLE=sites_first and wide == in_,
        )  # fmt: skip
    return W


def _collect(sums: Tensor, order: _Order, dtheta: Tensor) -> Tensor:
    """dtheta of the sums of pieces [pieces, out, in]."""
    P, pairs = dtheta.shape[0], dtheta.shape[1] * dtheta.shape[2]
    width = min(64, triton.next_power_of_2(pairs))
    blocks = triton.cdiv(pairs, width)
    _add_pieces[(P * blocks,)](
        sums, order.first, dtheta, pairs, blocks, ACC=_accumulator(dtheta), PIECES=_ENTRIES // width, PAIRS=width
    )
    return dtheta


def _sums(order: _Order, dtheta: Tensor) -> Tensor:
    """Where the sums of pieces go: to the answer itself where each parameter has one piece."""
    pieces = len(order.start) - 1
    if pieces == dtheta.shape[0]:
        return dtheta
    return torch.empty(
        pieces,
        *dtheta.shape[1:],
        device=dtheta.device,
        dtype=torch.float64 if dtheta.dtype == torch.float64 else torch.float32,
    )


def reduce(dW: Tensor, code: Tensor, sizes: list[int], digest: str, sites_first: bool = False) -> Tensor:
    """dtheta [P, out, in] of dW [out M, in N], or [M out, N in], which may have any strides."""
    M, N, P = sizes[:3]
    out, in_ = dW.shape[0] // M, dW.shape[1] // N
    dtheta = dW.new_empty(P, out, in_)
    if dtheta.numel() == 0:
        return dtheta
    dW, order = dW.resolve_neg(), _order(code, P, digest)
    rows, columns = dW.stride()
    strides = (out * rows, rows, in_ * columns, columns) if sites_first else (rows, M * rows, columns, N * columns)
    sums, pieces = _sums(order, dtheta), len(order.start) - 1
    length = triton.next_power_of_2(max(1, min(order.longest, _PIECE)))
    wide = min(64, triton.next_power_of_2(in_)) if sites_first else 1
    terms = min(length, 2 * _ENTRIES // wide)
    together = min(max(1, _ENTRIES // (length * wide)), triton.next_power_of_2(pieces))
    blocks, in_blocks = triton.cdiv(pieces, together), triton.cdiv(in_, wide)
    with _on(dW):
        _add_entries[(out * in_blocks * blocks,)](
            dW, *strides, order.entries, order.start, sums, pieces, out, in_, N, in_blocks, blocks,
            ACC=_accumulator(dW), PIECES=together, LENGTH=length, TERMS=terms, IN=wide, WHOLE=sites_first and wide == in_ and dW.is_contiguous(),
        )  # fmt: skip
        return dtheta if sums is dtheta else _collect(sums, order, dtheta)


def _multiply(
    x: Tensor, theta: Tensor, code: Tensor, channels: int, sites: tuple[int, int], strides: tuple[int, int, int, int]
) -> Tensor:
    """y [b, channels, sites[0]] of x [b, ., sites[1]]. strides: of the codes and of theta [., ., P], by row and by
    column each."""
    batch, rows, columns = x.shape[0], channels * sites[0], x.shape[1] * sites[1]
    y = x.new_empty(batch, channels, sites[0])
    if y.numel() == 0 or columns == 0 or theta.numel() == 0:
        return y.zero_()
    x, code = x.resolve_neg(), code.contiguous()
    tall = min(64, max(16, triton.next_power_of_2(batch)))
    # Narrow tiles where wide ones would leave most of a device without work.
    wide = 64 if triton.cdiv(batch, tall) * triton.cdiv(rows, 64) >= 256 else 16
    blocks = triton.cdiv(rows, wide)
    with _on(x):
        _product[(triton.cdiv(batch, tall) * blocks,)](
            x, theta, code, y, batch, rows, columns, *sites, theta.shape[2], *x.stride(), *strides, blocks,
            BATCH=tall, ROWS=wide, COLUMNS=64, PRECISION=_precision(), WIDE=not x.is_cuda,
        )  # fmt: skip
    return y


def apply(x: Tensor, theta: Tensor, code: Tensor, sizes: list[int]) -> Tensor:
    """y [b, out, M] of x [b, in, N] with any strides and theta [P, out, in]; not for float64."""
    (P, out, in_), (M, N) = theta.shape, sizes[:2]
    return _multiply(x, _by_pair(theta), code, out, (M, N), (N, 1, in_ * P, P))


def apply_t(dy: Tensor, theta: Tensor, code: Tensor, sizes: list[int]) -> Tensor:
    """dx [b, in, N] of dy [b, out, M]: the same product with rows and columns exchanged."""
    (P, _out, in_), (M, N) = theta.shape, sizes[:2]
    return _multiply(dy, _by_pair(theta), code, in_, (N, M), (1, N, P, in_ * P))


def outer(x: Tensor, dy: Tensor, code: Tensor, sizes: list[int], digest: str) -> Tensor:
    """dtheta [P, out, in] of x [b, in, N] and dy [b, out, M], both with any strides; not for float64."""
    N, P = sizes[1:3]
    batch, in_, out = x.shape[0], x.shape[1], dy.shape[1]
    dtheta = x.new_empty(P, out, in_)
    if dtheta.numel() == 0 or batch == 0:
        return dtheta.zero_()
    x, dy, order = x.resolve_neg(), dy.resolve_neg(), _order(code, P, digest)
    sums, pieces = _sums(order, dtheta), len(order.start) - 1
    tile = [min(64, max(16, triton.next_power_of_2(n))) for n in (out, in_)]
    tiles = [triton.cdiv(n, t) for n, t in zip((out, in_), tile)]
    with _on(x):
        _outer[(pieces * tiles[0] * tiles[1],)](
            x, dy, order.entries, order.start, sums, batch, out, in_, N, *x.stride(), *dy.stride(), *tiles,
            OUT=tile[0], IN=tile[1], TERMS=32, PRECISION=_precision(), WIDE=not x.is_cuda,
        )  # fmt: skip
        return dtheta if sums is dtheta else _collect(sums, order, dtheta)


# --- Products with diagrams --------------------------------------------------------------------------------------------------

_Part = tuple[Tensor, tuple[int, ...], tuple[int, ...]]
_tables: OrderedDict[tuple[Any, ...], Tensor] = OrderedDict()


def _table(numbers: tuple[int, ...], device: torch.device) -> Tensor:
    """The numbers there; the last 256 lists are kept."""
    key = (numbers, device)
    found = _tables.get(key)
    if found is None:
        found = (
            torch.tensor(numbers)
            if device.type == "cpu"
            else _apart(lambda: torch.tensor(numbers, device=device), device)
        )
        _tables[key] = found
        if len(_tables) > 256:
            _tables.popitem(last=False)
    else:
        _tables.move_to_end(key)
    return found


def add_up(large: list[_Part], small: list[_Part], shape: tuple[int, ...], like: Tensor) -> Tensor:
    """y of this shape [b, channels, axes], the sum of parts [b, channels, ...], in one pass over it. A part has, for
    each axis, its dimension with the same index or -1, where it is the same along the axis, and the axis before with
    whose index it must agree or -1, as on a diagonal. large: views of one array with any strides."""
    b, channels, *lengths = shape
    y = like.new_empty(shape)
    if y.numel() == 0 or not large and not small:
        return y.zero_()
    axes = len(lengths)
    steps = [math.prod(lengths[axis + 1 : -1]) for axis in range(axes)]  # among the rows
    numbers = list(lengths)
    begin = 0
    for k, (t, dimension, same) in enumerate((*large, *small)):
        if k < len(large):
            strides, offset = t.stride(), (t.data_ptr() - large[0][0].data_ptr()) // t.element_size()
        else:
            strides, offset = tuple(math.prod(t.shape[d + 1 :]) for d in range(t.dim())), begin
            begin += t.numel()
        numbers += [offset, strides[0], strides[1], *(0 if d < 0 else strides[d] for d in dimension)]
        numbers += [1 if axis < 0 else steps[axis] for axis in same] + [
            0 if axis < 0 else lengths[axis] for axis in same
        ]
    rest = torch.cat([t.reshape(-1) for t, _, _ in small]) if small else y
    rows, columns = y.numel() // lengths[-1], lengths[-1]
    wide = min(256, triton.next_power_of_2(columns))
    tall = min(_ENTRIES // wide, triton.next_power_of_2(rows))
    with _on(y):
        _add_up[(triton.cdiv(rows, tall) * triton.cdiv(columns, wide),)](
            large[0][0] if large else y, rest, _table(tuple(numbers), y.device), y, rows, columns, channels,
            len(large), len(large) + len(small), ACC=_accumulator(y), AXES=axes, ROWS=tall, COLUMNS=wide,
        )  # fmt: skip
    return y
