"""The product along edges and the polynomials of points as Triton kernels, for tensors on a GPU. `_edges` and
`_polynomials` decide when they are used.

They run on the tables of the kernels for the CPU. Sums are taken in an order that the table and the shapes fix: edges
sorted by the node where they are added up, points by their kind. There are no atomic additions, and a result is the
same in every run.

    product      out[n,k,c] = sum over the edges e of n and paths p of w[e,p,c] A[e,p,i,k] x[m,i,c], with the small
                 matrices A[e,p,i,k] = C^p_ijk y[e,j], which one product of matrices makes for all edges
    gradients    the same kernel with i and k exchanged for x, and one kernel for w and A, edge by edge
    value        for each component the sum of its monomials, with the numbers of at most two directions beside them
    slopes       the same kernel with a table of derivatives for x; for w pieces of at most 32 points of one kind, which
                 are added up afterwards

Under TRITON_INTERPRET=1 the same kernels run on tensors of the CPU, for tests.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy
import torch
import triton
import triton.language as tl
from torch import Tensor

from .._triton import _accumulator, _add_pieces, _apart, _on

__all__ = ["gradients", "product", "serves", "slopes", "value"]

_CHANNELS = 128  # that one program looks at, at most
_NUMBERS = 8192  # in one tile of components, components and channels
_POINTS = 32  # of one piece
_MOST_TABLES = 256


# --- Kernels ---------------------------------------------------------------------------------------------------------


@triton.jit
def _along_edges(  # type: ignore[no-untyped-def]
    x, w, A, out, slots, paths, first, edges, ends, count, inner, outer, weights, matrix, channels, blocks,
    ACC: tl.constexpr, COMPONENTS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """One node and one summand of the output. slots: its first component, how many, its paths; paths: the number of
    the weights, the place in A, the first component of x, how many, and the strides of A."""
    c = tl.program_id(0) % blocks * CHANNELS + tl.arange(0, CHANNELS)
    slot = slots + tl.program_id(0) // blocks % count * 4
    node = (tl.program_id(0) // (blocks * count)).to(tl.int64)
    k = tl.arange(0, COMPONENTS)
    mine, there = c < channels, k < tl.load(slot + 1)
    total = tl.zeros([COMPONENTS, CHANNELS], dtype=ACC)
    for at in range(tl.load(first + node), tl.load(first + node + 1)):
        edge = tl.load(edges + at)
        other = tl.load(ends + edge)
        for path in range(tl.load(slot + 2), tl.load(slot + 3)):
            row = paths + path * 6
            weight = tl.load(w + (edge * weights + tl.load(row)) * channels + c, mask=mine, other=0.0).to(ACC)
            entry, length, step = A + edge * matrix + tl.load(row + 1), tl.load(row + 3), tl.load(row + 4)
            source = x + (other * inner + tl.load(row + 2)) * channels
            part = tl.zeros([COMPONENTS, CHANNELS], dtype=ACC)
            for i in range(length):
                a = tl.load(entry + i * step + k * tl.load(row + 5), mask=there, other=0.0).to(ACC)
                part += a[:, None] * tl.load(source + i * channels + c, mask=mine, other=0.0).to(ACC)[None, :]
            total += part * weight[None, :]
    place = (node * outer + tl.load(slot) + k[:, None]) * channels + c[None, :]
    tl.store(out + place, total.to(out.dtype.element_ty), mask=there[:, None] & mine[None, :])


@triton.jit
def _by_edge(  # type: ignore[no-untyped-def]
    x, g, w, A, d_w, d_A, paths, source, target, count, inner, outer, weights, matrix, channels,
    ACC: tl.constexpr, FROM: tl.constexpr, TO: tl.constexpr, CHANNELS: tl.constexpr, BOTH: tl.constexpr,
    SLOPES: tl.constexpr,
):  # fmt: skip
    """One edge and one path: the gradients of its weights, and those of its matrix. paths: the number of the weights,
    the place in A, the first components of x and of g, and how many."""
    row = paths + tl.program_id(0) % count * 6
    edge = (tl.program_id(0) // count).to(tl.int64)
    i, k = tl.arange(0, FROM), tl.arange(0, TO)
    length, width = tl.load(row + 3), tl.load(row + 5)
    cell = edge * matrix + tl.load(row + 1) + i[:, None] * width + k[None, :]
    inside = (i < length)[:, None] & (k < width)[None, :]
    a = tl.load(A + cell, mask=inside, other=0.0).to(ACC)
    of_x = (tl.load(source + edge) * inner + tl.load(row + 2) + i) * channels
    of_g = (tl.load(target + edge) * outer + tl.load(row + 4) + k) * channels
    of_w = (edge * weights + tl.load(row)) * channels
    total = tl.zeros([FROM, TO], dtype=ACC)
    for begin in range(0, channels, CHANNELS):
        c = begin + tl.arange(0, CHANNELS)
        mine = c < channels
        left = tl.load(x + of_x[:, None] + c[None, :], mask=(i < length)[:, None] & mine[None, :], other=0.0).to(ACC)
        right = tl.load(g + of_g[:, None] + c[None, :], mask=(k < width)[:, None] & mine[None, :], other=0.0).to(ACC)
        both = left[:, None, :] * right[None, :, :]
        if SLOPES:
            slope = tl.sum(tl.sum(both * a[:, :, None], axis=0), axis=0)
            tl.store(d_w + of_w + c, slope.to(d_w.dtype.element_ty), mask=mine)
        if BOTH:
            weight = tl.load(w + of_w + c, mask=mine, other=0.0).to(ACC)
            total += tl.sum(both * weight[None, None, :], axis=2)
    if BOTH:
        tl.store(d_A + cell, total.to(d_A.dtype.element_ty), mask=inside)


@triton.jit
def _monomial(  # type: ignore[no-untyped-def]
    x, a, b, variables, start, coefficient, size, channels, c, mine,
    ACC: tl.constexpr, DEGREE: tl.constexpr, DIRECTIONS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """A monomial at one point, and its parts along the first direction, the second and both."""
    m = tl.zeros([CHANNELS], dtype=ACC) + coefficient
    along = tl.zeros([CHANNELS], dtype=ACC)
    across = tl.zeros([CHANNELS], dtype=ACC)
    twice = tl.zeros([CHANNELS], dtype=ACC)
    for n in tl.static_range(DEGREE):
        v = tl.load(variables + n)
        inside = mine & (v + 0 * c < size)  # the variable `size` is 1; the interpreter has no masks of one number
        place = start + v * channels + c
        u = tl.load(x + place, mask=inside, other=1.0).to(ACC)
        if DIRECTIONS > 0:
            s = tl.load(a + place, mask=inside, other=0.0).to(ACC)
            if DIRECTIONS > 1:
                t = tl.load(b + place, mask=inside, other=0.0).to(ACC)
                twice = twice * u + along * t + across * s
                across = across * u + m * t
            along = along * u + m * s
        m = m * u
    return m, along, across, twice


@triton.jit
def _at_points(  # type: ignore[no-untyped-def]
    x, a, b, w, v1, v2, g, kinds, out, first, entries, coefficients, size, weights, given, outputs, channels, blocks,
    ACC: tl.constexpr, DEGREE: tl.constexpr, DIRECTIONS: tl.constexpr, GIVEN: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """One point and one output. entries: the number of the weights, the component of g, and the variables."""
    c = tl.program_id(0) % blocks * CHANNELS + tl.arange(0, CHANNELS)
    output = tl.program_id(0) // blocks % outputs
    point = (tl.program_id(0) // (blocks * outputs)).to(tl.int64)
    mine = c < channels
    kind = tl.load(kinds + point) * weights
    total = tl.zeros([CHANNELS], dtype=ACC)
    for entry in range(tl.load(first + output), tl.load(first + output + 1)):
        row = entries + entry * (2 + DEGREE)
        coefficient = tl.load(coefficients + entry).to(ACC)
        m, along, across, twice = _monomial(
            x, a, b, row + 2, point * size * channels, coefficient, size, channels, c, mine, ACC, DEGREE, DIRECTIONS,
            CHANNELS,
        )  # fmt: skip
        place = (kind + tl.load(row)) * channels + c
        weight = tl.load(w + place, mask=mine, other=0.0).to(ACC)
        if DIRECTIONS == 0:
            part = m * weight
        else:
            moved = tl.load(v1 + place, mask=mine, other=0.0).to(ACC)
            if DIRECTIONS == 1:
                part = along * weight + m * moved
            else:
                part = twice * weight + across * moved + along * tl.load(v2 + place, mask=mine, other=0.0).to(ACC)
        if GIVEN:
            part *= tl.load(g + (point * given + tl.load(row + 1)) * channels + c, mask=mine, other=0.0).to(ACC)
        total += part
    tl.store(out + (point * outputs + output) * channels + c, total.to(out.dtype.element_ty), mask=mine)


@triton.jit
def _of_weights(  # type: ignore[no-untyped-def]
    x, a, b, g, order, start, stop, sums, first, entries, coefficients, size, weights, given, channels, blocks,
    ACC: tl.constexpr, DEGREE: tl.constexpr, DIRECTIONS: tl.constexpr, CHANNELS: tl.constexpr,
):  # fmt: skip
    """One piece of points of one kind, and one weight."""
    c = tl.program_id(0) % blocks * CHANNELS + tl.arange(0, CHANNELS)
    weight = tl.program_id(0) // blocks % weights
    piece = (tl.program_id(0) // (blocks * weights)).to(tl.int64)
    mine = c < channels
    total = tl.zeros([CHANNELS], dtype=ACC)
    for at in range(tl.load(start + piece), tl.load(stop + piece)):
        point = tl.load(order + at)
        for entry in range(tl.load(first + weight), tl.load(first + weight + 1)):
            row = entries + entry * (2 + DEGREE)
            coefficient = tl.load(coefficients + entry).to(ACC)
            m, along, across, twice = _monomial(
                x, a, b, row + 2, point * size * channels, coefficient, size, channels, c, mine, ACC, DEGREE,
                DIRECTIONS, CHANNELS,
            )  # fmt: skip
            part = m if DIRECTIONS == 0 else (along if DIRECTIONS == 1 else twice)
            slope = tl.load(g + (point * given + tl.load(row + 1)) * channels + c, mask=mine, other=0.0).to(ACC)
            total += part * slope
    tl.store(sums + (piece * weights + weight) * channels + c, total.to(sums.dtype.element_ty), mask=mine)


# --- Tables ----------------------------------------------------------------------------------------------------------

_Kept = TypeVar("_Kept")
_tables: OrderedDict[tuple[Any, ...], Any] = OrderedDict()


def _kept(key: tuple[Any, ...], device: torch.device, make: Callable[[], _Kept]) -> _Kept:
    """What a table becomes on a device; the last 256 are kept."""
    found: _Kept | None = _tables.get(key)
    if found is None:
        found = _tables[key] = _apart(make, device) if device.type == "cuda" else make()
        if len(_tables) > _MOST_TABLES:
            _tables.popitem(last=False)
    else:
        _tables.move_to_end(key)
    return found


class _Groups(NamedTuple):
    """Summands of equal padded size go through one launch: by size slots and their paths, as _along_edges has them."""

    size: int
    slots: Tensor
    paths: Tensor


class _EdgePlan(NamedTuple):
    couplings: Tensor  # [dim y, entries of A]
    to_out: list[_Groups]
    to_x: list[_Groups]
    by_edge: list[tuple[int, int, Tensor]]  # padded sizes, paths as _by_edge has them


def _padded(n: int) -> int:
    return int(triton.next_power_of_2(n))


def _groups(rows: list[list[int]], places: list[int], forward: bool, device: torch.device) -> list[_Groups]:
    own, other = (4, 0) if forward else (0, 4)
    by_slot: dict[tuple[int, int], list[list[int]]] = {}
    for p, row in enumerate(rows):
        steps = [row[5], 1] if forward else [1, row[5]]
        by_slot.setdefault((row[own], row[own + 1]), []).append([p, places[p], row[other], row[other + 1], *steps])
    found = []
    for size in sorted({_padded(length) for _, length in by_slot}):
        slots: list[list[int]] = []
        paths: list[list[int]] = []
        for (start, length), mine in by_slot.items():
            if _padded(length) == size:
                slots.append([start, length, len(paths), len(paths) + len(mine)])
                paths += mine
        found.append(_Groups(size, torch.tensor(slots, device=device), torch.tensor(paths, device=device)))
    return found


def serves(table: Any) -> bool:
    """Are the summands that paths end in, and begin in, apart or equal? Each is added up by one program."""
    found: bool = _kept(("apart", table.digest), torch.device("cpu"), lambda: _apart_or_equal(table.tensors[0]))
    return found


def _apart_or_equal(paths: Tensor) -> bool:
    for start in (0, 4):
        ranges = sorted({(row[start], row[start] + row[start + 1]) for row in paths.tolist()})
        if any(a[1] > b[0] for a, b in zip(ranges, ranges[1:])):
            return False
    return True


def _edge_plan(table: Any, like: Tensor) -> _EdgePlan:
    def make() -> _EdgePlan:
        device = like.device
        rows = table.tensors[0].tolist()
        sizes = [row[1] * row[5] for row in rows]
        places = [sum(sizes[:p]) for p in range(len(rows))]
        couplings = numpy.zeros((table.sizes[1], sum(sizes)))
        for (p, i, j, k), number in zip(table.tensors[1].tolist(), table.tensors[2].tolist()):
            couplings[rows[p][2] + j, places[p] + i * rows[p][5] + k] += number
        by_edge: dict[tuple[int, int], list[list[int]]] = {}
        for p, row in enumerate(rows):
            one = [p, places[p], row[0], row[1], row[4], row[5]]
            by_edge.setdefault((_padded(row[1]), _padded(row[5])), []).append(one)
        return _EdgePlan(
            torch.tensor(couplings, dtype=like.dtype, device=device),
            _groups(rows, places, True, device), _groups(rows, places, False, device),
            [(*sizes, torch.tensor(paths, device=device)) for sizes, paths in by_edge.items()],
        )  # fmt: skip

    return _kept(("edges", table.digest, like.dtype, like.device), like.device, make)


class _Sums(NamedTuple):
    """Entries sorted by what they are added up to: where those of each begin, (weight, component, variables), and the
    coefficients in float64."""

    first: Tensor
    entries: Tensor
    coefficients: Tensor
    degree: int


def _sorted(rows: list[tuple[int, list[int], float]], count: int, degree: int, device: torch.device) -> _Sums:
    rows = sorted(rows, key=lambda row: row[0])
    counts = numpy.bincount([row[0] for row in rows], minlength=count) if rows else numpy.zeros(count, dtype=int)
    entries = numpy.array([row[1] for row in rows], dtype=numpy.int64).reshape(-1, 2 + degree)
    return _Sums(
        torch.tensor(numpy.concatenate([[0], numpy.cumsum(counts)]), dtype=torch.int64, device=device),
        torch.tensor(entries, device=device),
        torch.tensor([row[2] for row in rows], dtype=torch.float64, device=device), degree,
    )  # fmt: skip


def _point_plan(table: Any, like: Tensor) -> tuple[_Sums, _Sums, _Sums]:
    """By component, by variable and by weight."""

    def make() -> tuple[_Sums, _Sums, _Sums]:
        monomials, rows, K = (t.tolist() for t in table.tensors)
        in_, out, weights = table.sizes
        degree = table.tensors[0].shape[1]
        terms = [(*rows[r], monomials[m], K[r][m]) for r in range(len(rows)) for m in range(len(monomials)) if K[r][m]]
        by_variable = [
            (v, [w, k, *(variables[:n] + variables[n + 1 :])], value)
            for w, k, variables, value in terms
            for n, v in enumerate(variables)
            if v < in_
        ]
        return (
            _sorted([(k, [w, k, *v], value) for w, k, v, value in terms], out, degree, like.device),
            _sorted(by_variable, in_, max(degree - 1, 0), like.device),
            _sorted([(w, [w, k, *v], value) for w, k, v, value in terms], weights, degree, like.device),
        )

    return _kept(("points", table.digest, like.device), like.device, make)


# --- Launches --------------------------------------------------------------------------------------------------------


def _along(
    x: Tensor, w: Tensor, A: Tensor, groups: list[_Groups], ends: tuple[Tensor, Tensor, Tensor], outer: int
) -> Tensor:
    """ends: where the edges of each node begin, the edges in this order, and the node at the other end of each."""
    nodes, inner, channels = x.shape
    out = x.new_zeros(nodes, outer, channels)
    first, edges, other = ends
    if not out.numel() or not w.numel():
        return out
    wide = min(_CHANNELS, _padded(channels))
    blocks = triton.cdiv(channels, wide)
    with _on(x):
        for group in groups:
            count = len(group.slots)
            _along_edges[(nodes * count * blocks,)](
                x, w, A, out, group.slots, group.paths, first, edges, other, count, inner, outer, w.shape[1],
                A.shape[1], channels, blocks, ACC=_accumulator(x), COMPONENTS=group.size, CHANNELS=wide,
            )  # fmt: skip
    return out


def product(x: Tensor, y: Tensor, w: Tensor, graph: list[Tensor], table: Any) -> Tensor:
    """The product along edges, of contiguous tensors of one type of 32 or 64 bits."""
    x, y, w = (t.resolve_neg().contiguous() for t in (x, y, w))
    plan, (source, _, first, edges, _, _) = _edge_plan(table, x), graph
    return _along(x, w, y @ plan.couplings, plan.to_out, (first, edges, source), table.sizes[2])


def gradients(
    x: Tensor, y: Tensor, w: Tensor, g: Tensor, graph: list[Tensor], table: Any, wanted: Any = (True, True, True)
) -> list[Tensor]:
    """Those of x, y and w that are wanted; for the others tensors of no numbers."""
    x, y, w, g = (t.resolve_neg().contiguous() for t in (x, y, w, g))
    plan, (source, target, _, _, first, edges) = _edge_plan(table, x), graph
    A = y @ plan.couplings
    d_x, d_y, d_w = (t.new_empty(0) for t in (x, y, w))
    if wanted[0]:
        d_x = _along(g, w, A, plan.to_x, (first, edges, target), table.sizes[0])
    if not wanted[1] and not wanted[2]:
        return [d_x, d_y, d_w]
    d_A, d_w = torch.zeros_like(A) if wanted[1] else A, torch.zeros_like(w) if wanted[2] else w
    count, channels = x.shape[0] and w.shape[0], x.shape[2]
    with _on(x):
        for from_, to, paths in plan.by_edge if count and channels else ():
            wide = min(_padded(channels), max(1, _NUMBERS // (from_ * to)), _CHANNELS)
            _by_edge[(count * len(paths),)](
                x, g, w, A, d_w, d_A, paths, source, target, len(paths), x.shape[1], g.shape[1], w.shape[1], A.shape[1],
                channels, ACC=_accumulator(x), FROM=from_, TO=to, CHANNELS=wide, BOTH=bool(wanted[1]),
                SLOPES=bool(wanted[2]),
            )  # fmt: skip
    d_y = d_A @ plan.couplings.t() if wanted[1] else d_y
    return [d_x, d_y, d_w if wanted[2] else w.new_empty(0)]


def _point_operands(x: Tensor, w: Tensor, directions: list[Tensor]) -> tuple[list[Tensor], int]:
    """x, its two directions, w and its two; those that are not there are not read."""
    x, w, *moves = (t.resolve_neg().contiguous() for t in (x, w, *directions))
    of_x, of_w = [*moves[::2], x, x][:2], [*moves[1::2], w, w][:2]
    return [x, *of_x, w, *of_w], len(moves) // 2


def _sum_at_points(
    x: Tensor, w: Tensor, g: Tensor | None, kinds: Tensor, directions: list[Tensor], sums: _Sums, outputs: int
) -> Tensor:
    operands, count = _point_operands(x, w, directions)
    points, size, channels = x.shape
    out = x.new_empty(points, outputs, channels)
    if not out.numel():
        return out
    wide = min(_CHANNELS, _padded(channels))
    blocks = triton.cdiv(channels, wide)
    given = operands[0] if g is None else g.resolve_neg().contiguous()
    with _on(x):
        _at_points[(points * outputs * blocks,)](
            *operands, given, kinds.contiguous(), out, sums.first, sums.entries, sums.coefficients, size, w.shape[1],
            given.shape[1], outputs, channels, blocks, ACC=_accumulator(x), DEGREE=sums.degree, DIRECTIONS=count,
            GIVEN=g is not None, CHANNELS=wide,
        )  # fmt: skip
    return out


def value(x: Tensor, w: Tensor, kinds: Tensor, directions: list[Tensor], table: Any) -> Tensor:
    """The polynomial, or its derivative along at most two directions."""
    return _sum_at_points(x, w, None, kinds, directions, _point_plan(table, x)[0], table.sizes[1])


def slopes(
    x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], wanted: Any, table: Any
) -> tuple[Tensor, Tensor]:
    """The gradients in x and w that are wanted, or their derivatives along at most two directions."""
    _, by_variable, by_weight = _point_plan(table, x)
    d_x, d_w = x.new_empty(0), w.new_empty(0)
    if wanted[0]:
        d_x = _sum_at_points(x, w, g, kinds, directions, by_variable, table.sizes[0])
    if wanted[1]:
        d_w = _slopes_of_weights(x, w, g, kinds, directions, by_weight)
    return d_x, d_w


def _slopes_of_weights(x: Tensor, w: Tensor, g: Tensor, kinds: Tensor, directions: list[Tensor], sums: _Sums) -> Tensor:
    """Points sorted by kind, in pieces of one kind: as many as there can be, since none is counted on the device."""
    (x, a, b, *_), count = _point_operands(x, w, directions)
    (points, size, channels), (species, weights) = x.shape, w.shape[:2]
    d_w = torch.zeros_like(w, memory_format=torch.contiguous_format)
    if not d_w.numel() or not points:
        return d_w
    order = torch.argsort(kinds, stable=True)
    ends = torch.nn.functional.pad(torch.bincount(kinds, minlength=species).cumsum(0), (1, 0))
    pieces = (ends.diff() + _POINTS - 1) // _POINTS
    first = torch.nn.functional.pad(pieces.cumsum(0), (1, 0))
    number = torch.arange(species + points // _POINTS, device=x.device)
    kind = torch.searchsorted(first[1:], number, right=True).clamp(max=species - 1)
    start = ends[kind] + (number - first[kind]) * _POINTS
    stop = torch.where(number < first[-1], torch.minimum(start + _POINTS, ends[kind + 1]), start)
    found = x.new_empty(len(number), weights * channels)
    wide = min(_CHANNELS, _padded(channels))
    blocks = triton.cdiv(channels, wide)
    width = min(64, _padded(weights * channels))
    g = g.resolve_neg().contiguous()
    with _on(x):
        _of_weights[(len(number) * weights * blocks,)](
            x, a, b, g, order, start, stop, found, sums.first, sums.entries, sums.coefficients, size, weights,
            g.shape[1], channels, blocks, ACC=_accumulator(x), DEGREE=sums.degree, DIRECTIONS=count, CHANNELS=wide,
        )  # fmt: skip
        pairs = weights * channels
        _add_pieces[(species * triton.cdiv(pairs, width),)](
            found, first, d_w, pairs, triton.cdiv(pairs, width), ACC=_accumulator(x), PIECES=16, PAIRS=width
        )
    return d_w
