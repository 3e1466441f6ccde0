"""Attention over positions and a group: by the kernels of the library, or in plain PyTorch.

    y[i, r] = sum over heads of out( sum over j in N(i), g of softmax_(j,g)( q[i, r] . (k[j, g] + e[r, x_j - x_i, g]) )
    v[j, g] )

x [B, N, G, C] gives q, k and v of every head; rows r [R] take their queries from some g, and the encoding e [heads, E,
D] has an entry that every (row, difference, g) names. The forms of the layers differ in their rows alone.

On a processor, in float and double, the sum is one call of the library, forward and backward, which stores no scores
(attention.hpp). Elsewhere it is plain PyTorch on blocks of positions: t queries and the L positions that any of them
attends to, so that scores are products of matrices. On grids and tori all blocks are translates of one, which makes the
products with the encoding products of matrices too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from .. import DomainError
from .._core import attend as _attend
from .._core import attend_gradients as _attend_gradients
from ..nn._ops import NUMBER, recorded, tracing, transformed
from ..nn._tables import Constants, real_tensors
from .positions import Dilated, Neighbourhood, Positions

__all__ = ["Blocks", "attend", "road"]

_JOINT = 1 << 21  # at a time in plain PyTorch, when all of them need not be kept
_TABLE = 1 << 20  # entries of the encoding that a block may name, when blocks can be chosen smaller


class Pattern(NamedTuple):
    """Blocks that are translates of each other. query [n, t] and key [n, L]: positions, N for none; code [t, L]: the
    difference, -1 for none."""

    query: Tensor
    key: Tensor
    code: Tensor


class Pairs(NamedTuple):
    """All pairs of positions that attend, in blocks; `place` says where positions are queries.

    The pairs of position i are those from first[i] to first[i + 1]: their keys, -1 for none, and their differences,
    `codes`.
    """

    patterns: list[Pattern]
    place: Tensor
    first: Tensor
    keys: Tensor
    codes: Tensor


class Blocks:
    """The pairs of positions that attend, on every device; differences [O, d] are the different x_j - x_i."""

    def __init__(self, positions: Positions, neighbourhood: Neighbourhood | Dilated, rows: int, keys: int) -> None:
        with real_tensors():
            if positions.kind == "points":
                patterns, self.differences = _of_points(positions, neighbourhood, rows * keys)
            else:
                patterns, self.differences = _of_lattice(positions, neighbourhood, rows, keys)
            self.constants = Constants(**_pairs(positions, neighbourhood, patterns)._asdict())

    def pairs(self, x: Tensor) -> Pairs:
        """For calculations with x."""
        return Pairs(**self.constants.operands(x))


def _pairs(positions: Positions, neighbourhood: Neighbourhood | Dilated, patterns: list[Pattern]) -> Pairs:
    for p in patterns:
        seen = ((p.code >= 0)[None] & (p.key < positions.count)[:, None, :]).any(2) | (p.query == positions.count)
        if not bool(seen.all()):
            alone = int(p.query[~seen][0])
            raise DomainError(
                f"position {alone} has no neighbours, not even itself, in {neighbourhood}, and would attend to nothing:"
                " add the offset 0"
            )
    slots = torch.cat([p.query.reshape(-1) for p in patterns])
    place = torch.empty(positions.count + 1, dtype=torch.int64)
    place[slots] = torch.arange(len(slots))
    at, pairs = [], []
    for p in patterns:
        t, other = (p.code >= 0).nonzero(as_tuple=True)
        key = p.key[:, other]
        at.append(p.query[:, t].reshape(-1))
        key, code = torch.where(key < positions.count, key, -1), p.code[t, other].expand_as(key)
        pairs.append(torch.stack((key, code)).flatten(1))
    query, order = torch.cat(at).sort(stable=True)
    pair = torch.cat(pairs, 1)[:, order[query < positions.count]]
    first = torch.searchsorted(query, torch.arange(positions.count + 1))
    return Pairs(patterns, place[:-1].clone(), first, pair[0].contiguous(), pair[1].contiguous())


def _differences(
    positions: Positions, neighbourhood: Neighbourhood | Dilated
) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """The differences [O, d] of sites of a grid or torus that attend."""
    ranges = []
    for axis, n in enumerate(positions.shape):
        reach = n - 1 if positions.kind == "grid" else n // 2
        ranges.append(numpy.arange(-reach, reach + 1))
        if positions.kind == "torus" and n % 2 == 0:
            edge = numpy.zeros((1, positions.d))
            edge[0, axis] = reach
            if neighbourhood.contains(edge).any():
                raise DomainError(
                    f"on a torus of {n} sites along axis {axis} the differences {reach} and {-reach} are the same, and no encoding can turn with both:"
                    f" take a smaller neighbourhood than {neighbourhood} or an odd size"
                )
    every = numpy.stack([a.reshape(-1) for a in numpy.meshgrid(*ranges, indexing="ij")], axis=1).astype(numpy.int64)
    if positions.kind == "torus" and isinstance(neighbourhood, Neighbourhood) and neighbourhood.kind != "everywhere":
        far = (
            neighbourhood.size
            if neighbourhood.kind != "offsets"
            else max(abs(a) for o in neighbourhood.list for a in o)
        )
        for axis, n in enumerate(positions.shape):
            least = 2 * math.floor(far + 1e-9) + 1
            if least > n:
                raise DomainError(
                    f"{neighbourhood} reaches around the torus, which has {n} sites along axis {axis}: take at least {least}, or everywhere"
                )
    found: numpy.ndarray[Any, numpy.dtype[numpy.int64]] = every[neighbourhood.contains(every.astype(numpy.float64))]
    return found


def _of_lattice(
    positions: Positions, neighbourhood: Neighbourhood | Dilated, rows: int, keys: int
) -> tuple[list[Pattern], Any]:
    differences = _differences(positions, neighbourhood)
    if len(differences) == 0:
        raise DomainError(f"the neighbourhood {neighbourhood} has no site of the lattice")
    d, shape, N = positions.d, numpy.array(positions.shape), positions.count
    low, high = differences.min(0), differences.max(0)
    sites = numpy.stack(numpy.unravel_index(numpy.arange(N), positions.shape), axis=1)
    number = {tuple(o): k for k, o in enumerate(differences.tolist())}
    # Tiles of some sixteen rows of scores: smaller ones make thin products, larger ones compute more scores that nobody
    # asked for.
    edge = 1
    while rows * edge**d < 16 and edge < max(shape):
        edge *= 2
    if numpy.prod(edge + high - low) >= N:
        return _whole(positions, sites, number, rows * keys), differences.astype(numpy.float64)
    tile = numpy.stack([a.reshape(-1) for a in numpy.meshgrid(*(numpy.arange(edge),) * d, indexing="ij")], axis=1)
    halo = numpy.stack(
        [
            a.reshape(-1)
            for a in numpy.meshgrid(*(numpy.arange(lo, edge + hi) for lo, hi in zip(low, high)), indexing="ij")
        ],
        axis=1,
    )
    corner = numpy.stack(
        [a.reshape(-1) for a in numpy.meshgrid(*(numpy.arange(0, n, edge) for n in shape), indexing="ij")], axis=1
    )
    query = corner[:, None] + tile
    key = corner[:, None] + halo
    inside = (query < shape).all(2)
    if positions.kind == "torus":
        key = key % shape
        there = numpy.ones(key.shape[:2], dtype=bool)
    else:
        there = ((key >= 0) & (key < shape)).all(2)

    def index(x: Any, ok: Any) -> Tensor:
        return torch.from_numpy(
            numpy.where(ok, numpy.ravel_multi_index(numpy.moveaxis(x % shape, 2, 0), positions.shape), N)
        )

    code = torch.tensor([[number.get(tuple(o), -1) for o in line] for line in (halo - tile[:, None]).tolist()])
    return [Pattern(index(query, inside), index(key, there), code)], differences.astype(numpy.float64)


def _whole(positions: Positions, sites: Any, number: dict[tuple[int, ...], int], pairs: int) -> list[Pattern]:
    """All positions as keys: for neighbourhoods as wide as the image."""
    N, shape = positions.count, numpy.array(positions.shape)
    step = max(1, _TABLE // (pairs * N))
    patterns = []
    for start in range(0, N, step):
        apart = sites[None] - sites[start : start + step, None]
        if positions.kind == "torus":
            apart = (apart + shape // 2) % shape - shape // 2
        code = torch.tensor([[number.get(tuple(o), -1) for o in line] for line in apart.tolist()])
        patterns.append(Pattern(torch.arange(start, min(N, start + step))[None], torch.arange(N)[None], code))
    return patterns


def _of_points(positions: Positions, neighbourhood: Neighbourhood | Dilated, pairs: int) -> tuple[list[Pattern], Any]:
    """Points in the order of their coordinates, a few at a time, with all that any of them sees."""
    x, N = positions.coordinates, positions.count
    order = numpy.lexsort(x.T[::-1])
    patterns: list[Pattern] = []
    differences: list[Any] = []
    known: dict[tuple[int, ...], int] = {}
    start = 0
    while start < N:
        step = min(16, N - start)
        while True:
            here = order[start : start + step]
            apart = x[None] - x[here][:, None]
            inside = neighbourhood.contains(apart.reshape(-1, positions.d)).reshape(apart.shape[:2])
            seen = numpy.flatnonzero(inside.any(0))
            if step == 1 or pairs * step * len(seen) <= _TABLE:
                break
            step = max(1, step // 2)
        code = numpy.full((step, len(seen)), -1, dtype=numpy.int64)
        for a, b in zip(*numpy.nonzero(inside[:, seen])):
            o = apart[a, seen[b]]
            # Differences that rounding keeps apart are two entries with the same values: no harm is done.
            code[a, b] = known.setdefault(tuple(numpy.round(o * 1e9).astype(numpy.int64).tolist()), len(known))
            if len(known) > len(differences):
                differences.append(o)
        patterns.append(
            Pattern(torch.from_numpy(here.copy())[None], torch.from_numpy(seen)[None], torch.from_numpy(code))
        )
        start += step
    return patterns, numpy.stack(differences) if differences else numpy.zeros((0, positions.d))


# --- The formula -----------------------------------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """The meaning of the rows of scores: whose query (R, an element g each), and the entries of the encoding,
    difference [R, O] + element [R, G]."""

    query: Tensor
    difference: Tensor
    element: Tensor


class Weights(NamedTuple):
    """The matrices of each head: query and key [heads, D, C], value [heads, Dv, C] with biases of query and value, out
    [heads, C', Dv]; the encoding [heads, E, D]."""

    query: Tensor
    query_bias: Tensor | None
    key: Tensor
    value: Tensor
    value_bias: Tensor | None
    out: Tensor
    encoding: Tensor


class Measure(NamedTuple):
    """In place of a softmax: exponentials, times what a key stands for (keys [G]) and what a row divides by (rows [R])."""

    keys: Tensor
    rows: Tensor


def _entries(p: Pattern, rows: Rows, count: int) -> Tensor:
    """Which entry of the encoding the scores of a block take, [t, R, L, G]; `count` for pairs that do not attend."""
    difference = rows.difference[:, p.code.clamp(min=0)].permute(1, 0, 2)[..., None]
    named = difference + rows.element[None, :, None, :]
    return torch.where((p.code >= 0)[:, None, :, None] & (difference >= 0), named, count)


def _plainly(
    q: Tensor, k: Tensor, v: Tensor, e: Tensor, pairs: Pairs, rows: Rows, dropout: float = 0.0,
    measure: Measure | None = None, keep: bool = True,
) -> Tensor:  # fmt: skip
    """The sum in plain PyTorch, for every transformation and any order of derivatives; all scores of a pattern are in
    memory. With keep=False some millions of them, which the backward pass makes again, with the same dropout."""
    N = q.shape[1]
    none: Any = lambda t: functional.pad(t.permute(3, 0, 1, 2, 4), (0, 0, 0, 0, 0, 1))  # noqa: E731  heads first; position N is none
    q, k, v, e = none(q.index_select(2, rows.query)), none(k), none(v), torch.cat((e, e[:, :1]), 1)
    parts = []
    for p in pairs.patterns:
        entry = _entries(p, rows, e.shape[1] - 1)
        seen = entry < e.shape[1] - 1
        of_pattern = (entry, seen, dropout, measure, N)
        if keep:
            parts.append(_of_blocks(q, k, v, e, p.query, p.key, *of_pattern))
            continue
        step = max(1, _JOINT // (q.shape[0] * q.shape[1] * entry.numel()))
        for query, key in zip(p.query.split(step), p.key.split(step)):
            parts.append(
                checkpoint(
                    _of_blocks, q, k, v, e, query, key, *of_pattern, use_reentrant=False, preserve_rng_state=dropout > 0
                )
            )
    return torch.cat(parts, 2).index_select(2, pairs.place).permute(1, 2, 3, 0, 4)


def _of_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    e: Tensor,
    query: Tensor,
    key: Tensor,
    entry: Tensor,
    seen: Tensor,
    dropout: float,
    measure: Measure | None,
    N: int,
) -> Tensor:
    """What blocks with queries [n, t] and keys [n, L] attend to: [heads, B, n t, R, Dv]."""
    Q, K, V = (t.index_select(2, at.reshape(-1)).unflatten(2, at.shape) for t, at in ((q, query), (k, key), (v, key)))
    P = e.index_select(1, entry.reshape(-1)).unflatten(1, entry.shape)
    scores = torch.einsum("hbxtrd,hbxlgd->hbxtrlg", Q, K) + torch.einsum("hbxtrd,htrlgd->hbxtrlg", Q, P)
    seen = seen & (key < N)[:, None, None, :, None]  # [n, t, R, L, G]
    if measure is None:
        scores = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)
        attention = scores.flatten(-2).softmax(-1).unflatten(-1, scores.shape[-2:])
    else:
        attention = scores.masked_fill(~seen, -math.inf).exp() * measure.keys / measure.rows[:, None, None]
    if dropout > 0:
        attention = functional.dropout(attention, dropout)
    return torch.einsum("hbxtrlg,hbxlgd->hbxtrd", attention, V).flatten(2, 3)


class _Fused(Function):
    """The sum by the library."""

    @staticmethod
    def forward(ctx: Any, pairs: Pairs, rows: Rows, q: Tensor, k: Tensor, v: Tensor, e: Tensor) -> Tensor:
        assert {t.dtype for t in (k, v, e)} == {q.dtype}, "numbers of one type, whose addresses are handed over"
        (B, N, G, heads, D), R, Dv = q.shape, len(rows.query), v.shape[-1]
        o, sums = q.new_empty(B, N, R, heads, Dv), q.new_empty(B, N, R, heads, 2)
        shape = (N, R, G, rows.difference.shape[1], e.shape[1], len(pairs.keys), B, heads, D, Dv)
        indices = _addresses(pairs.first, pairs.keys, pairs.codes, *rows)
        _attend(
            NUMBER[q.dtype],
            shape,
            indices,
            _addresses(q, k, v, e),
            o.data_ptr(),
            sums.data_ptr(),
            torch.get_num_threads(),
        )
        ctx.save_for_backward(q, k, v, e, o, sums)
        ctx.rest = pairs, rows, shape
        return o

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        q, k, v, e, o, sums = ctx.saved_tensors
        pairs, rows, shape = ctx.rest
        needed = ctx.needs_input_grad[2:]
        if torch.is_grad_enabled():  # derivatives of derivatives: those of the formula
            operands = [t for t, need in zip((q, k, v, e), needed) if need]
            y = _plainly(q, k, v, e, pairs, rows)
            found = iter(torch.autograd.grad(y, operands, g, create_graph=True, allow_unused=True))
            return None, None, *(next(found) if need else None for need in needed)
        g, gradients = g.to(q.dtype).contiguous(), [torch.empty_like(t) for t in (q, k, v, e)]
        indices, threads = _addresses(pairs.first, pairs.keys, pairs.codes, *rows), torch.get_num_threads()
        given = (_addresses(q, k, v, e), o.data_ptr(), sums.data_ptr(), g.data_ptr(), _addresses(*gradients))
        _attend_gradients(NUMBER[q.dtype], shape, indices, *given, threads)
        return None, None, *(gradient if need else None for gradient, need in zip(gradients, needed))


def _addresses(*tensors: Tensor) -> Any:
    return tuple(t.data_ptr() for t in tensors)


def road(x: Tensor, dropout: float = 0.0, measure: Measure | None = None) -> str:
    """ "fused", or that it is plain PyTorch, and why."""
    if torch.compiler.is_compiling() or tracing() or recorded():
        return "plain PyTorch: traced"
    if transformed():
        return "plain PyTorch: under torch.func or forward mode"
    if measure is not None:
        return "plain PyTorch: weights that are not normalised"
    if x.device.type != "cpu":
        return f"plain PyTorch: on {x.device.type}"
    return "plain PyTorch: attention dropout" if dropout > 0 else "fused"


def attend(
    x: Tensor,
    weights: Weights,
    blocks: Blocks,
    rows: Rows,
    dropout: float = 0.0,
    measure: Measure | None = None,
    way: str | None = None,
) -> Tensor:
    """y [B, N, R, C'] of x [B, N, G, C]; way: by default that of `road`."""
    way, pairs = way or road(x, dropout, measure), blocks.pairs(x)
    traced = way.endswith(("traced", "mode"))

    def sums(q: Tensor, k: Tensor, v: Tensor, e: Tensor) -> Tensor:
        if way != "fused":
            return _plainly(q, k, v, e, pairs, rows, dropout, measure, traced)
        operands = (t.contiguous() for t in (q, k, v, e))
        y: Tensor = _Fused.apply(pairs, rows, *operands)  # type: ignore[no-untyped-call]
        return y

    if traced:
        return _attended(x, weights, sums)
    dtype = x.dtype
    exact = torch.float32 if torch.finfo(dtype).bits < 32 else dtype
    with torch.autocast(x.device.type, enabled=False):  # which may have made some weights of a shorter type
        return _attended(x.to(exact), Weights(*(w if w is None else w.to(exact) for w in weights)), sums).to(dtype)  # type: ignore[arg-type]


def _attended(x: Tensor, weights: Weights, sums: Callable[..., Tensor]) -> Tensor:
    """The projections before and after the sum."""
    heads = len(weights.query)
    flat: Any = lambda b: None if b is None else b.flatten()  # noqa: E731
    project: Any = lambda w, b: functional.linear(x, w.flatten(0, 1), flat(b)).unflatten(-1, (heads, -1))  # noqa: E731
    o = sums(
        project(weights.query, weights.query_bias),
        project(weights.key, None),
        project(weights.value, weights.value_bias),
        weights.encoding,
    )
    return functional.linear(o.flatten(-2), weights.out.movedim(0, 1).flatten(1))
