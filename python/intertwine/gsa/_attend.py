"""Attention over positions and a group, block by block.

    y[i, r] = sum over heads of out( sum over j in N(i), g of softmax_(j,g)( q[i, r] . (k[j, g] + e[r, x_j - x_i, g]) ) v[j, g] )

x [B, N, G, C] gives q, k and v of every head; rows r [R] take their queries from some g, and the encoding e [heads, E, D] has an entry that
every (row, difference, g) names. The forms of the layers differ in their rows alone.

Positions come in blocks: t queries and the L positions that any of them attends to, so that scores are products of matrices. On grids and
tori all blocks are translates of one, which makes the products with the encoding products of matrices too. A few hundred thousand
scores live at a time, and none are stored: the backward pass makes them again from the sums of the softmax, and q, k and v from x.

Exponentials are taken relative to a bound of the scores, |q| (max |k| + max |e|), which needs no pass over them; where sums come out so
small that digits were lost, the largest score takes its place. Sums over keys are one more column of v, and the shift of the scores
one more of q and k. (The backward pass by rows is that of Dao et al. 2022.)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn
from torch.autograd import Function, forward_ad
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from .. import DomainError
from .positions import Dilated, Neighbourhood, Positions

__all__ = ["Blocks", "attend", "attend_plainly", "road"]

_SCORES = 1 << 18  # at a time: they stay in a core's cache
_JOINT = 1 << 21  # at a time in plain PyTorch, when all of them need not be kept
_TABLE = 1 << 20  # entries of the encoding that a block may name, when blocks can be chosen smaller


class Pattern(nn.Module):
    """Blocks that are translates of each other. query [n, t] and key [n, L]: positions, N for none; code [t, L]: the difference, -1 for none."""

    query: Tensor
    key: Tensor
    code: Tensor

    def __init__(self, query: Tensor, key: Tensor, code: Tensor) -> None:
        super().__init__()
        for name, value in (("query", query), ("key", key), ("code", code)):
            self.register_buffer(name, value, persistent=False)
        self.whole = bool((code >= 0).all())


class Blocks(nn.ModuleList):
    """All pairs of positions that attend, in blocks; differences [O, d] are the different x_j - x_i, and `place` says where positions are queries."""

    place: Tensor

    def __init__(self, positions: Positions, neighbourhood: Neighbourhood | Dilated, rows: int, keys: int) -> None:
        if positions.kind == "points":
            patterns, self.differences = _of_points(positions, neighbourhood, rows * keys)
        else:
            patterns, self.differences = _of_lattice(positions, neighbourhood, rows, keys)
        super().__init__(patterns)
        for p in patterns:
            seen = ((p.code >= 0)[None] & (p.key < positions.count)[:, None, :]).any(2) | (p.query == positions.count)
            if not bool(seen.all()):
                alone = int(p.query[~seen][0])
                raise DomainError(f"position {alone} has no neighbours, not even itself, in {neighbourhood}, and would attend to nothing: add the offset 0")
        slots = torch.cat([p.query.reshape(-1) for p in patterns])
        place = torch.empty(positions.count + 1, dtype=torch.int64)
        place[slots] = torch.arange(len(slots))
        self.register_buffer("place", place[:-1].clone(), persistent=False)

    def patterns(self) -> list[Pattern]:
        """The blocks, those that are translates of each other together."""
        return list(self)  # type: ignore[arg-type]


def _differences(positions: Positions, neighbourhood: Neighbourhood) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
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
        far = neighbourhood.size if neighbourhood.kind != "offsets" else max(abs(a) for o in neighbourhood.list for a in o)
        for axis, n in enumerate(positions.shape):
            least = 2 * math.floor(far + 1e-9) + 1
            if least > n:
                raise DomainError(f"{neighbourhood} reaches around the torus, which has {n} sites along axis {axis}: take at least {least}, or everywhere")
    found: numpy.ndarray[Any, numpy.dtype[numpy.int64]] = every[neighbourhood.contains(every.astype(numpy.float64))]
    return found


def _of_lattice(positions: Positions, neighbourhood: Neighbourhood | Dilated, rows: int, keys: int) -> tuple[list[Pattern], Any]:
    differences = _differences(positions, neighbourhood)
    if len(differences) == 0:
        raise DomainError(f"the neighbourhood {neighbourhood} has no site of the lattice")
    d, shape, N = positions.d, numpy.array(positions.shape), positions.count
    low, high = differences.min(0), differences.max(0)
    sites = numpy.stack(numpy.unravel_index(numpy.arange(N), positions.shape), axis=1)
    number = {tuple(o): k for k, o in enumerate(differences.tolist())}
    # Tiles of some sixteen rows of scores: smaller ones make thin products, larger ones compute more scores that nobody asked for.
    edge = 1
    while rows * edge**d < 16 and edge < max(shape):
        edge *= 2
    if numpy.prod(edge + high - low) >= N:
        return _whole(positions, sites, number, rows * keys), differences.astype(numpy.float64)
    tile = numpy.stack([a.reshape(-1) for a in numpy.meshgrid(*(numpy.arange(edge),) * d, indexing="ij")], axis=1)
    halo = numpy.stack([a.reshape(-1) for a in numpy.meshgrid(*(numpy.arange(lo, edge + hi) for lo, hi in zip(low, high)), indexing="ij")], axis=1)
    corner = numpy.stack([a.reshape(-1) for a in numpy.meshgrid(*(numpy.arange(0, n, edge) for n in shape), indexing="ij")], axis=1)
    query = corner[:, None] + tile
    key = corner[:, None] + halo
    inside = (query < shape).all(2)
    if positions.kind == "torus":
        key = key % shape
        there = numpy.ones(key.shape[:2], dtype=bool)
    else:
        there = ((key >= 0) & (key < shape)).all(2)
    index = lambda x, ok: torch.from_numpy(numpy.where(ok, numpy.ravel_multi_index(numpy.moveaxis(x % shape, 2, 0), positions.shape), N))  # noqa: E731
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
        patterns.append(Pattern(torch.from_numpy(here.copy())[None], torch.from_numpy(seen)[None], torch.from_numpy(code)))
        start += step
    return patterns, numpy.stack(differences) if differences else numpy.zeros((0, positions.d))


# --- The formula -----------------------------------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """What the rows of scores are: whose query (R, an element g each), and the entries of the encoding, difference [R, O] + element [R, G]."""

    query: Tensor
    difference: Tensor
    element: Tensor


class Weights(NamedTuple):
    """Of each head: query and key [heads, D, C], value [heads, Dv, C] with biases of query and value, out [heads, C', Dv]; the encoding [heads, E, D]."""

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


def attend_plainly(
    x: Tensor, weights: Weights, blocks: Blocks, rows: Rows, dropout: float = 0.0, measure: Measure | None = None, keep: bool = True
) -> Tensor:
    """The formula in plain PyTorch, for every transformation and any order of derivatives; all scores of a pattern are in memory.
    With keep=False some millions of them, which the backward pass makes again, with the same dropout."""
    N = x.shape[1]
    project: Any = lambda w, b: torch.einsum("bngc,hdc->hbngd", x, w) + (0 if b is None else b[:, None, None, None])  # noqa: E731
    none: Any = lambda t: torch.cat((t, t.new_zeros(*t.shape[:2], 1, *t.shape[3:])), 2)  # noqa: E731  position N is none
    q = none(project(weights.query, weights.query_bias).index_select(3, rows.query))
    k, v = none(project(weights.key, None)), none(project(weights.value, weights.value_bias))
    e = torch.cat((weights.encoding, weights.encoding[:, :1]), 1)
    parts = []
    for p in blocks.patterns():
        entry = _entries(p, rows, e.shape[1] - 1)
        seen = entry < e.shape[1] - 1
        of_pattern = (entry, seen, dropout, measure, N)
        if keep:
            parts.append(_of_blocks(q, k, v, e, p.query, p.key, *of_pattern))
            continue
        step = max(1, _JOINT // (q.shape[0] * q.shape[1] * entry.numel()))
        for query, key in zip(p.query.split(step), p.key.split(step)):
            parts.append(checkpoint(_of_blocks, q, k, v, e, query, key, *of_pattern, use_reentrant=False, preserve_rng_state=dropout > 0))
    found = torch.cat(parts, 2).index_select(2, blocks.place)
    return torch.einsum("hbnrd,hcd->bnrc", found, weights.out)


def _of_blocks(
    q: Tensor, k: Tensor, v: Tensor, e: Tensor, query: Tensor, key: Tensor, entry: Tensor, seen: Tensor, dropout: float, measure: Measure | None, N: int
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


class _Space:
    """Memory that is used again and again: new memory costs more than what is computed in it."""

    def __init__(self, like: Tensor) -> None:
        self.like, self.memory = like, dict[str, Tensor]()

    def __call__(self, name: str, *shape: int) -> Tensor:
        size = math.prod(shape)
        memory = self.memory.get(name)
        if memory is None or memory.numel() < size:
            memory = self.memory[name] = self.like.new_empty(size)
        return memory[:size].view(shape)


class _Pass:
    """One pass over all blocks, a head at a time.

    Operands have columns for shifts and masks: q is [q, 2 bound, -shift]; k is [k, 0, 1], and [0, -1, 1] for none; v is [v, 1], and 0 for
    none; e is [e, 0, 0], and [0, -1, 0] for pairs that do not attend, whose scores then stay below the shift, so that nothing overflows.
    With the columns "is a position" and "is none" beside x, all of them are products of x and a matrix.
    """

    def __init__(self, x: Tensor, weights: Weights, blocks: Blocks, rows: Rows) -> None:
        self.B, self.N, self.G, C = x.shape
        self.heads, self.D = weights.query.shape[:2]
        self.Dv, self.R, self.blocks = weights.value.shape[1], len(rows.query), blocks
        self.space = _Space(x)
        self.spread = None if torch.equal(rows.query, torch.arange(self.G, device=x.device)) else rows.query
        D, Dv, heads = self.D, self.Dv, self.heads
        self.x = x.new_zeros(self.B, self.N + 1, self.G, C + 2)
        self.x[:, : self.N, :, :C], self.x[:, : self.N, :, C], self.x[:, self.N, :, C + 1] = x, 1, 1
        self.x = self.x.view(-1, C + 2)
        self.to_q, self.to_k, self.to_v = (x.new_zeros(heads, C + 2, width) for width in (D + 2, D + 2, Dv + 1))
        self.to_q[:, :C, :D], self.to_k[:, :C, :D], self.to_v[:, :C, :Dv] = (w.transpose(1, 2) for w in (weights.query, weights.key, weights.value))
        if weights.query_bias is not None:
            self.to_q[:, C, :D] = weights.query_bias
        if weights.value_bias is not None:
            self.to_v[:, C, :Dv] = weights.value_bias
        self.to_k[:, C:, D + 1], self.to_k[:, C + 1, D], self.to_v[:, C, Dv] = 1, -1, 1
        E = weights.encoding.shape[1]
        self.e = x.new_zeros(heads, E + 1, D + 2)
        self.e[:, :E, :D], self.e[:, E, D] = weights.encoding, -1
        self.entries = [_entries(p, rows, E) for p in blocks.patterns()]
        self.every = bool((rows.difference >= 0).all())  # rows see all that blocks have

    def head(self, h: int) -> None:
        """Makes q, k and v of a head."""
        product: Any = lambda name, w: torch.mm(self.x, w, out=self.space(name, len(self.x), w.shape[1]))  # noqa: E731
        self.q = product("q", self.to_q[h]).view(self.B, self.N + 1, self.G, -1)
        if self.spread is not None:
            self.q = self.q.index_select(2, self.spread)
        self.k, self.v, self.at = product("k", self.to_k[h]), product("v", self.to_v[h]), h

    def bound(self) -> Tensor:
        """No score of a row is larger, [B, N + 1, R]."""
        k = torch.linalg.vector_norm(self.k[:, : self.D], dim=-1).view(self.B, -1).amax(1)
        e = torch.linalg.vector_norm(self.e[self.at, :-1, : self.D], dim=-1).amax()
        found: Tensor = torch.linalg.vector_norm(self.q[..., : self.D], dim=-1) * (k + e)[:, None, None]
        return found

    def shifted(self, bound: Tensor, shift: Tensor) -> None:
        self.q[..., self.D], self.q[..., self.D + 1] = 2 * bound, -shift

    def patterns(self) -> Any:
        """Of each pattern: itself, its entries, the encoding [t R, D + 2, L G], and 1 for pairs that attend [t R, L G] (None: all)."""
        for p, entry in zip(self.blocks.patterns(), self.entries):
            t, R, L, G = entry.shape
            P = self.e[self.at].index_select(0, entry.reshape(-1)).view(t * R, L * G, -1).transpose(1, 2).contiguous()
            seen = None if p.whole and self.every else (entry < self.e.shape[1] - 1).to(P.dtype).reshape(t * R, L * G)
            yield p, entry, P, seen

    def chunks(self, p: Pattern, entry: Tensor) -> Any:
        """Places of queries and keys among B (N + 1), some blocks at a time: [x, t] and [x, L]."""
        (n, t), L = p.query.shape, p.key.shape[1]
        first = torch.arange(self.B, device=p.query.device)[:, None, None] * (self.N + 1)
        query, key = (first + p.query).view(-1, t), (first + p.key).view(-1, L)
        step = max(1, _SCORES // entry.numel())
        for start in range(0, len(query), step):
            yield query[start : start + step], key[start : start + step]

    def rows_of(self, name: str, operand: Tensor, at: Tensor) -> Tensor:
        """The rows of an operand [B (N + 1) n, width] at places [x, m]: [x, m n, width]."""
        width = operand.shape[-1]
        operand = operand.view(self.B * (self.N + 1), -1)
        out = self.space(name, at.numel(), operand.shape[1])
        return torch.index_select(operand, 0, at.reshape(-1), out=out).view(len(at), -1, width)

    def scores(self, P: Tensor, query: Tensor, key: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores less the shift [x, t R, L G], and the rows of q, k and v."""
        Q, K, V = self.rows_of("Q", self.q, query), self.rows_of("K", self.k, key), self.rows_of("V", self.v, key)
        S = torch.bmm(Q, K.transpose(1, 2), out=self.space("S", len(Q), Q.shape[1], K.shape[1]))
        S.transpose(0, 1).baddbmm_(Q.transpose(0, 1), P)
        return S, Q, K, V

    def sums(self) -> Tensor:
        """Sums of exp(score - shift) times v and 1, [B, N + 1, R, Dv + 1]."""
        found = self.space("sums", self.B * (self.N + 1), self.R * (self.Dv + 1))
        for p, entry, P, seen in self.patterns():
            for query, key in self.chunks(p, entry):
                S, _, _, V = self.scores(P, query, key)
                S.exp_()
                if seen is not None:
                    S.mul_(seen)
                O = torch.bmm(S, V, out=self.space("O", len(S), S.shape[1], self.Dv + 1))  # noqa: E741
                found.index_copy_(0, query.reshape(-1), O.view(query.numel(), -1))
        found = found.view(self.B, self.N + 1, self.R, self.Dv + 1)
        found[:, self.N] = 0
        found[:, self.N, :, self.Dv] = 1
        return found

    def largest(self) -> Tensor:
        """The largest score of each row [B, N + 1, R], where the shift is 0."""
        found = self.q.new_zeros(self.B * (self.N + 1), self.R)
        for p, entry, P, seen in self.patterns():
            for query, key in self.chunks(p, entry):
                S = self.scores(P, query, key)[0]
                if seen is not None:
                    S.masked_fill_(seen == 0, -math.inf)
                S.masked_fill_((key % (self.N + 1) == self.N).repeat_interleave(self.G, 1)[:, None], -math.inf)
                found.index_copy_(0, query.reshape(-1), S.amax(-1).view(-1, self.R))
        found = found.view(self.B, self.N + 1, self.R)
        found[:, self.N] = 0
        return found


class _Attend(Function):
    @staticmethod
    def forward(ctx: Any, blocks: Blocks, rows: Rows, x: Tensor, *tensors: Tensor | None) -> Tensor:
        weights = Weights(*tensors)  # type: ignore[arg-type]
        run = _Pass(x, weights, blocks, rows)
        B, N, R, Dv = run.B, run.N, run.R, run.Dv
        y = x.new_zeros(B * (N + 1) * R, weights.out.shape[1])
        out = x.new_empty(run.heads, B, N + 1, R, Dv + 1)  # with a column of ones
        bounds, shifts = (x.new_empty(run.heads, B, N + 1, R) for _ in range(2))
        least = torch.finfo(x.dtype).tiny ** 0.7
        for h in range(run.heads):
            run.head(h)
            bounds[h] = shift = run.bound()
            run.shifted(bounds[h], shift)
            sums = run.sums()
            if not bool((sums[..., Dv] >= least).all()):
                run.shifted(bounds[h], torch.zeros_like(shift))
                shift = run.largest()
                run.shifted(bounds[h], shift)
                sums = run.sums()
            torch.div(sums, sums[..., Dv:], out=out[h])
            out[h, :, N] = 0
            shifts[h] = shift + sums[..., Dv].log()
            y.addmm_(out[h].view(-1, Dv + 1)[:, :Dv], weights.out[h].t())
        ctx.save_for_backward(x, *tensors, out, bounds, shifts)
        ctx.rest = blocks, rows
        return y.view(B, N + 1, R, -1)[:, :N]

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, *tensors, out, bounds, shifts = ctx.saved_tensors
        blocks, rows = ctx.rest
        needed = ctx.needs_input_grad[2:]
        if torch.is_grad_enabled():  # derivatives of derivatives: those of the formula
            y = attend_plainly(x, Weights(*tensors), blocks, rows)
            operands = [t for t, need in zip((x, *tensors), needed) if need]
            found = iter(torch.autograd.grad(y, operands, g, create_graph=True, allow_unused=True))
            return None, None, *(next(found) if need else None for need in needed)
        weights = Weights(*tensors)
        run = _Pass(x, weights, blocks, rows)
        (B, N, G, C), R, D, Dv = x.shape, run.R, run.D, run.Dv
        gy = g.new_zeros(B, N + 1, R, g.shape[-1])
        gy[:, :N] = g
        gy = gy.view(B * (N + 1) * R, -1)
        dx = x.new_zeros(B * (N + 1) * G, C)
        to_q, to_k, to_v = (torch.empty_like(t) for t in (run.to_q, run.to_k, run.to_v))
        d_out, d_encoding = torch.empty_like(weights.out), torch.zeros_like(run.e)
        for h in range(run.heads):
            run.head(h)
            run.shifted(bounds[h], shifts[h])
            O = out[h].view(-1, Dv + 1)  # noqa: E741
            torch.mm(gy.t(), O[:, :Dv], out=d_out[h])
            dq, dk, dv = _backward(run, gy, O, weights.out[h], d_encoding[h])
            if run.spread is not None:
                dq = dq.new_zeros(B * (N + 1), G, D + 2).index_add_(1, run.spread, dq.view(B * (N + 1), R, D + 2)).view(-1, D + 2)
            for gradient, to, d_to in ((dq, run.to_q, to_q), (dk, run.to_k, to_k), (dv, run.to_v, to_v)):
                dx.addmm_(gradient, to[h, :C].t())
                torch.mm(run.x.t(), gradient, out=d_to[h])
        found = iter((
            dx.view(B, N + 1, G, C)[:, :N], to_q[:, :C, :D].transpose(1, 2), to_q[:, C, :D], to_k[:, :C, :D].transpose(1, 2),
            to_v[:, :C, :Dv].transpose(1, 2), to_v[:, C, :Dv], d_out, d_encoding[:, :-1, :D],
        ))  # fmt: skip
        return None, None, *(gradient if need else None for gradient, need in zip(found, needed))


def _backward(run: _Pass, gy: Tensor, O: Tensor, out: Tensor, de: Tensor) -> tuple[Tensor, Tensor, Tensor]:  # noqa: E741
    """Gradients of q, k and v of a head, with their further columns, which mean nothing; that of the encoding is added to de."""
    B, N, R, G, D, Dv = run.B, run.N, run.R, run.G, run.D, run.Dv
    space = run.space
    # The gradient of a score is weight (g . v - g . out): the second term is one more column.
    g = torch.mm(gy, torch.cat((out, out.new_zeros(len(out), 1)), 1), out=space("g", len(gy), Dv + 1))
    g[:, Dv] = -torch.mul(g, O, out=space("gO", *g.shape)).sum(-1)
    dq = space("dq", B * (N + 1), R * (D + 2)).zero_()
    dk, dv = space("dk", B * (N + 1), G * (D + 2)).zero_(), space("dv", B * (N + 1), G * (Dv + 1)).zero_()
    for p, entry, P, seen in run.patterns():
        dP = torch.zeros_like(P)
        for query, key in run.chunks(p, entry):
            A, Q, K, V = run.scores(P, query, key)
            A.exp_()
            if seen is not None:
                A.mul_(seen)
            at, of, x = query.reshape(-1), key.reshape(-1), len(query)
            gq = run.rows_of("gq", g, query)
            dv.index_add_(0, of, torch.bmm(A.transpose(1, 2), gq, out=space("dV", x, V.shape[1], Dv + 1)).view(len(of), -1))
            dS = torch.bmm(gq, V.transpose(1, 2), out=space("dS", *A.shape)).mul_(A)
            dQ = torch.bmm(dS, K, out=space("dQ", *Q.shape))
            dQ.transpose(0, 1).baddbmm_(dS.transpose(0, 1), P.transpose(1, 2))
            dq.index_copy_(0, at, dQ.view(len(at), -1))
            dk.index_add_(0, of, torch.bmm(dS.transpose(1, 2), Q, out=space("dK", *K.shape)).view(len(of), -1))
            dP.baddbmm_(Q.permute(1, 2, 0), dS.transpose(0, 1))
        de.index_add_(0, entry.reshape(-1), dP.transpose(1, 2).reshape(-1, D + 2))
    return dq.view(-1, D + 2), dk.view(-1, D + 2), dv.view(-1, Dv + 1)


def road(dropout: float = 0.0, measure: Measure | None = None) -> str:
    """"blocks", or that it is plain PyTorch, and why."""
    if torch.compiler.is_compiling() or torch.jit.is_tracing():
        return "plain PyTorch: traced"
    if torch._C._functorch.peek_interpreter_stack() is not None or forward_ad._current_level >= 0:
        return "plain PyTorch: under torch.func or forward mode"
    if measure is not None:
        return "plain PyTorch: weights that are not normalised"
    return "plain PyTorch: attention dropout" if dropout > 0 else "blocks"


def attend(x: Tensor, weights: Weights, blocks: Blocks, rows: Rows, dropout: float = 0.0, measure: Measure | None = None) -> Tensor:
    """y [B, N, R, C'] of x [B, N, G, C]."""
    way = road(dropout, measure)
    if way.endswith(("traced", "mode")):
        return attend_plainly(x, weights, blocks, rows, dropout, measure)
    dtype = x.dtype
    if torch.finfo(dtype).bits < 32:
        x, weights = x.float(), Weights(*(w if w is None else w.float() for w in weights))  # type: ignore[arg-type]
    with torch.autocast(x.device.type, enabled=False):
        if way != "blocks":
            return attend_plainly(x, weights, blocks, rows, dropout, measure, keep=False).to(dtype)
        y: Tensor = _Attend.apply(blocks, rows, x, *weights)  # type: ignore[no-untyped-call]
    return y.to(dtype)
