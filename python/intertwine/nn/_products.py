"""Products with diagrams (_diagrams.py), never with their matrices.

How a product runs: every source (sums of the input over some axes, on diagonals of others) is made once, from the next
larger one; all that carry the same number of indices over are mixed by one matrix product, on tensors with only these
axes; the results are added up from small to large, and broadcast last. For graphs of n nodes that is O(n^2) beside one
product of the channels at n^2 places, and W is never made.

In eager mode a Function has the derivatives in closed form: those in x are the transposed diagrams, those in theta
products of sources of x with sources of dy. Everywhere else (torch.compile, export, torch.func, second derivatives,
complex numbers) PyTorch sees plain operators.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from . import _ops
from ._diagrams import Block, Blocks, Diagrams, Level, Side, parity, whole

__all__ = ["Factors", "apply"]

Factors = dict[str, Any]  # by kind: 1/n, a number or a tensor [batch] of them; nothing where sums are plain


# --- Blocks of axes ----------------------------------------------------------------------------------------------------------


def _length(block: Block, kinds: str, sizes: Mapping[str, Any]) -> Any:
    """The length of the axis that stands for a block."""
    axes, form = block
    n = sizes[kinds[axes[0]]]
    return math.comb(n, len(axes)) if form in "es" else n


def _alternating(n: int, axes: int, inputs: bool) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """For every set of indices [comb(n, axes)] the places in n^axes of its orders, and their signs. Sets are in
    lexicographic order; on inputs in that of their complements, with the sign of the determinant: then what is carried
    over is numbered alike on both sides."""
    places, signs = [], []
    for chosen in itertools.combinations(range(n), n - axes if inputs else axes):
        rest = tuple(i for i in range(n) if i not in chosen)
        mine, sign = (rest, parity(chosen + rest)) if inputs else (chosen, 1)
        orders = list(itertools.permutations(mine))
        places.append(tuple(functools.reduce(lambda at, i: at * n + i, order, 0) for order in orders))
        signs.append(tuple(sign * parity(order) for order in orders))
    return tuple(places), tuple(signs)


def _scattered(n: int, axes: int, inputs: bool) -> tuple[list[int], list[int]]:
    """The other way round: for every place in n^axes its set of indices, and the sign, 0 where indices are the same."""
    of, sign = [0] * n**axes, [0] * n**axes
    for component, (places, signs) in enumerate(zip(*_alternating(n, axes, inputs))):
        for place, s in zip(places, signs):
            of[place], sign[place] = component, s
    return of, sign


_kept_alternating, _kept_scattered = (
    functools.lru_cache(maxsize=64)(_alternating),
    functools.lru_cache(maxsize=64)(_scattered),
)


def _alternated(x: Tensor, dims: list[int], inputs: bool) -> Tensor:
    """The components of the last axis: alternating sums over these dimensions."""
    n = int(x.shape[dims[0]])
    places, signs = (_alternating if torch.compiler.is_compiling() else _kept_alternating)(
        n, len(dims), inputs
    )  # it does not see through caches
    x = x.movedim(dims, tuple(range(-len(dims), 0)))
    x = x.reshape(*x.shape[: x.dim() - len(dims)], n ** len(dims))
    x = x.index_select(-1, torch.tensor([place for line in places for place in line], device=x.device))
    x = x * torch.tensor([sign for line in signs for sign in line], device=x.device, dtype=x.dtype)
    return x.reshape(*x.shape[:-1], len(places), len(places[0])).sum(-1)


def _dealternated(t: Tensor, n: int, axes: int, inputs: bool) -> Tensor:
    """The adjoint, with n^axes entries instead of components."""
    of, sign = (_scattered if torch.compiler.is_compiling() else _kept_scattered)(n, axes, inputs)
    t = t.index_select(-1, torch.tensor(of, device=t.device)) * torch.tensor(sign, device=t.device, dtype=t.dtype)
    return t.reshape(*t.shape[:-1], *(n,) * axes)


def _diagonal(x: Tensor, blocks: Blocks) -> Tensor:
    """x [b, c, axes] where indices agree within blocks: an axis for every block. A view where the blocks have no form."""
    at = [axis for axes, _ in blocks for axis in axes]
    x = x.permute(0, 1, *(2 + axis for axis in at))
    for (first, *others), form in blocks:
        if form in "es":
            x = _alternated(x, [2 + at.index(axis) for axis in (first, *others)], form == "s")
            at = [axis for axis in at if axis not in (first, *others)] + [first]
            continue
        for other in others:
            i, j = 2 + at.index(first), 2 + at.index(other)
            if form == "w":
                half = x.shape[i] // 2
                above = x.narrow(i, 0, half).narrow(j, half, half).diagonal(dim1=i, dim2=j)
                x = torch.cat((above, -x.narrow(i, half, half).narrow(j, 0, half).diagonal(dim1=i, dim2=j)), -1)
            else:
                x = x.diagonal(dim1=i, dim2=j)
            at = [axis for axis in at if axis not in (first, other)] + [first]
    return x.permute(0, 1, *(2 + at.index(axes[0]) for axes, _ in blocks))


def _on_diagonal(t: Tensor, blocks: Blocks, kinds: str, sizes: Mapping[str, Any]) -> Tensor:
    """The adjoint: zero where indices do not agree."""
    at = [axes[0] for axes, _ in blocks]
    for (first, *others), form in blocks:
        if form in "es":
            t = _dealternated(t.movedim(2 + at.index(first), -1), sizes[kinds[first]], 1 + len(others), form == "s")
            at = [axis for axis in at if axis != first] + [first, *others]
            continue
        for other in others:
            t = torch.diag_embed(t.movedim(2 + at.index(first), -1))
            if form == "w":
                half = t.shape[-1] // 2
                t = torch.cat((-t.narrow(-1, half, half), t.narrow(-1, 0, half)), -1)
            at = [axis for axis in at if axis != first] + [first, other]
    return t.permute(0, 1, *(2 + at.index(axis) for axis in range(len(at))))


# --- Products ----------------------------------------------------------------------------------------------------------------


def _times(t: Tensor, gone: str, factors: Factors) -> Tensor:
    for kind in gone:
        factor = factors.get(kind)
        if factor is not None:
            t = t * (factor.view(-1, *(1,) * (t.dim() - 1)) if isinstance(factor, Tensor) else factor)
    return t


class _Sources:
    """The sources of one tensor, each made when it is asked for first."""

    def __init__(self, x: Tensor, kinds: str, factors: Factors) -> None:
        self.x, self.kinds, self.factors = x, kinds, factors
        self.made: dict[tuple[Blocks, tuple[int, ...]], Tensor] = {}

    def __getitem__(self, key: tuple[Blocks, tuple[int, ...]]) -> Tensor:
        blocks, kept = key
        if len(kept) == len(blocks) and all(form == "=" for _, form in blocks):
            return _diagonal(self.x, blocks)
        t = self.made.get(key)
        if t is None and len(kept) == len(blocks):
            t = self.made[key] = _diagonal(self.x, blocks)
        elif t is None:
            summed = max(set(range(len(blocks))) - set(kept))
            larger = tuple(sorted((*kept, summed)))
            (first, *_), form = blocks[summed]
            kind, axis = self.kinds[first].lower(), 2 + larger.index(summed)
            if form in "es":  # all of the determinant's axes are here: one component
                t = self[blocks, larger].squeeze(axis)
            elif isinstance(self.factors.get(kind), Tensor):
                t = _times(self[blocks, larger].sum(axis), kind, self.factors)
            else:
                t = self[blocks, larger].mean(axis) if kind in self.factors else self[blocks, larger].sum(axis)
            self.made[key] = t
        return t

    def of(self, sides: Sequence[Side], perms: Sequence[tuple[int, ...]] = ((),)) -> tuple[Tensor, list[Any]]:
        """[b, perms * sides * channels, places]: the sources side by side, in every order of their axes; and the
        lengths of these."""
        found = [self[side.blocks, side.kept] for side in sides]
        if len(perms) > 1:
            found = [t.permute(0, 1, *(2 + i for i in perm)) for perm in perms for t in found]
        t = found[0] if len(found) == 1 else torch.cat(found, 1)
        places = 1
        for size in t.shape[2:]:
            places = places * size
        return t.reshape(*t.shape[:2], places), list(t.shape[2:])  # gradients in batches know no flatten


def _add(a: Tensor, b: Tensor, fast: bool) -> Tensor:
    return a.add_(b) if fast else a + b


def _unfold(theta: Tensor, levels: Sequence[Level]) -> list[Tensor]:
    """theta [P, out, in] level by level, as [targets, perms, sources, out, in]."""
    sizes = [level.size for level in levels]
    return [part.reshape(*level.shape, *part.shape[1:]) for part, level in zip(torch.split(theta, sizes), levels)]


def _mixed(sources: _Sources, level: Level, w: Tensor) -> list[list[Tensor]]:
    """What the level adds to each of its targets, on the axes that it carries over: terms of a sum."""
    T, p, S, out, in_ = w.shape
    inner = level.permutes_sources
    if inner:
        matrix, (R, carried) = (
            w.permute(0, 3, 1, 2, 4).reshape(T * out, p * S * in_),
            sources.of(level.sources, level.perms),
        )
    else:
        matrix, (R, carried) = w.permute(1, 0, 3, 2, 4).reshape(p * T * out, S * in_), sources.of(level.sources)
    b = R.shape[0]
    if carried:
        Z = torch.bmm(matrix.expand(b, -1, -1), R).view(b, 1 if inner else p, T, out, *carried)
    else:
        Z = torch.mm(R.squeeze(2), matrix.t()).view(b, 1 if inner else p, T, out)
    perms = (tuple(range(len(carried))),) if inner or p == 1 else level.perms
    return [
        [piece.permute(0, 1, *(2 + i for i in perm)) for piece, perm in zip(pieces.unbind(1), perms)]
        for pieces in Z.unbind(2)
    ]


def _sum(pieces: list[Tensor], fast: bool) -> Tensor:
    if len(pieces) == 1:
        return pieces[0]
    total = pieces[0] + pieces[1]
    for other in pieces[2:]:
        total = _add(total, other, fast)
    return total


def _spread(parts: dict[tuple[int, ...], Tensor], rank: int, fast: bool) -> Tensor:
    """The sum of tensors with some of the axes 0 ... rank-1, small ones into larger ones first. The largest may be
    written to."""

    def lifted(t: Tensor, kept: Sequence[int], into: Sequence[int]) -> Tensor:
        for at, i in enumerate(into):
            if i not in kept:
                t = t.unsqueeze(2 + at)
        return t

    for kept in sorted(parts, key=lambda kept: (len(kept), kept)):
        larger = next((into for into in parts if len(into) > len(kept) and set(kept) < set(into)), None)
        if larger is not None:
            parts[larger] = _add(parts[larger], lifted(parts.pop(kept), kept, larger), fast)
    total, *others = (lifted(t, kept, range(rank)) for kept, t in parts.items())
    for other in others:
        total = total + other
    return total


def _places(blocks: Blocks, kept: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each axis the dimension of a part [b, out, kept] that has its index, and the axis before whose index it must
    have; -1 for none."""
    rank = sum(len(axes) for axes, _ in blocks)
    dimension, same = [-1] * rank, [-1] * rank
    for i, (axes, _) in enumerate(blocks):
        for other in axes[1:]:
            same[other] = axes[0]
        if i in kept:
            dimension[axes[0]] = 2 + kept.index(i)
    return tuple(dimension), tuple(same)


def _product(
    sources: _Sources,
    weights: list[Tensor],
    bias: tuple[Tensor, Sequence[Side]] | None,
    levels: Sequence[Level],
    outs: str,
    out: int,
    sizes: Mapping[str, Any],
    after: Factors,
    fast: bool,
) -> Tensor:
    """y [b, out, axes]. bias: with its targets. after: factors of targets, for each of their broadcasts. fast: nothing
    is recorded, and sums may be written to."""
    targets: dict[Blocks, dict[tuple[int, ...], Tensor]] = {}
    b, pieces = sources.x.shape[0], []
    # Kernels for GPUs add up everything at once: what carries all indices over in its own order, and what is broadcast
    # or lies on diagonals.
    kernels = (
        _ops.kernels_of(sources.x)
        if fast and outs and all(form == "=" for level in levels for side in level.targets for _, form in side.blocks)
        else None
    )
    for level, w in zip(levels, weights):
        for side, terms in zip(level.targets, _mixed(sources, level, w)):
            if kernels is not None and len(side.kept) == len(outs):
                pieces = [(t, *_places(side.blocks, side.kept)) for t in terms]
                continue
            parts, t = targets.setdefault(side.blocks, {}), _times(_sum(terms, fast), side.gone, after)
            parts[side.kept] = (
                parts[side.kept] + t if side.kept in parts else t
            )  # with and without a determinant on the other side
    every = next(
        (blocks for blocks in targets if all(len(axes) == 1 and form == "=" for axes, form in blocks)), whole(outs)
    )
    if bias is not None:
        for constant, side in zip(bias[0], bias[1]):
            parts = targets.setdefault(side.blocks, {})
            parts[()] = parts[()] + constant if () in parts else constant.repeat(b, 1)
    if kernels is not None:
        small = [(t, *_places(blocks, kept)) for blocks, parts in targets.items() for kept, t in parts.items()]
        added: Tensor = kernels.add_up(pieces, small, (b, out, *(sizes[kind] for kind in outs)), sources.x)
        return added
    shape = (b, out, *(sizes[outs[axis]] for (axis,), _ in every))
    order = [2 + every.index(((axis,), "=")) for axis in range(len(outs))]
    if every in targets:
        y = _spread(targets.pop(every), len(every), fast).expand(shape).permute(0, 1, *order)
    else:
        y = sources.x.new_zeros(shape).permute(0, 1, *order)
    if fast:
        y = y.contiguous()
    for blocks, parts in targets.items():
        t = _spread(parts, len(blocks), fast)
        if fast and all(form == "=" for _, form in blocks):
            _diagonal(y, blocks).add_(t)
            continue
        t = _on_diagonal(t.expand(b, out, *(_length(block, outs, sizes) for block in blocks)), blocks, outs, sizes)
        y = _add(y, t, fast)
    return y


def _correlation(x: _Sources, dy: _Sources, levels: Sequence[Level]) -> Tensor:
    """dtheta [P, out, in]: sources of dy times those of x, summed over the batch."""
    parts = []
    out, in_ = dy.x.shape[1], x.x.shape[1]
    for level in levels:
        T, p, S = level.shape
        inner = level.permutes_sources
        R, _ = x.of(level.sources, level.perms) if inner else x.of(level.sources)
        D, _ = dy.of(level.targets) if inner else dy.of(level.targets, level.back)
        rows, cols, places = D.shape[1], R.shape[1], R.shape[2]
        if (rows + cols) * places < rows * cols:
            w = D.transpose(0, 1).reshape(rows, -1) @ R.transpose(0, 1).reshape(cols, -1).t()
        else:
            w = torch.bmm(D, R.transpose(1, 2)).sum(0)
        w = (
            w.view(T, out, p, S, in_).permute(0, 2, 3, 1, 4)
            if inner
            else w.view(p, T, out, S, in_).permute(1, 0, 3, 2, 4)
        )
        parts.append(w.reshape(level.size, out, in_))
    return torch.cat(parts) if parts else x.x.new_zeros(0, out, in_)


def _bias_correlation(dy: _Sources, sides: Sequence[Side]) -> Tensor:
    return torch.stack([dy[side.blocks, ()].sum(0) for side in sides]) if sides else dy.x.new_zeros(0, dy.x.shape[1])


class _Apply(Function):
    """The product for tensors in eager mode. The small sources of x are kept for the backward pass, x itself by the
    saved tensors."""

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        theta: Tensor,
        bias: Tensor | None,
        maps: Diagrams,
        sizes: Mapping[str, Any],
        factors: Factors,
    ) -> Tensor:
        sources = _Sources(x, maps.ins, factors)
        y = _product(
            sources,
            _unfold(theta, maps.levels),
            _with(bias, maps),
            maps.levels,
            maps.outs,
            theta.shape[1],
            sizes,
            {},
            True,
        )
        ctx.save_for_backward(x, theta)
        ctx.made, ctx.maps, ctx.sizes, ctx.factors = sources.made, maps, sizes, factors
        return y

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        x, theta = ctx.saved_tensors
        maps: Diagrams = ctx.maps
        plain = torch.is_grad_enabled() or not _ops.eager(dy)
        below, above = _Sources(x, maps.ins, ctx.factors), _Sources(dy, maps.outs, {})
        if not plain:
            below.made = ctx.made
        dx = dtheta = dbias = None
        if ctx.needs_input_grad[0]:
            weights = [w.permute(2, 1, 0, 4, 3) for w in _unfold(theta, maps.levels)]
            dx = _product(above, weights, None, maps.T, maps.ins, theta.shape[2], ctx.sizes, ctx.factors, not plain)
        if ctx.needs_input_grad[1]:
            dtheta = _correlation(below, above, maps.levels)
        if ctx.needs_input_grad[2]:
            dbias = _bias_correlation(above, maps.bias)
        return dx, dtheta, dbias, None, None, None


def _with(bias: Tensor | None, maps: Diagrams) -> tuple[Tensor, Sequence[Side]] | None:
    return None if bias is None else (bias, maps.bias)


def apply(
    x: Tensor, theta: Tensor, bias: Tensor | None, maps: Diagrams, sizes: Mapping[str, Any], factors: Factors
) -> Tensor:
    """y [b, out, axes] of x [b, in, axes]. sizes: by kind of axis; factors: by letter."""
    eager = _ops.eager(x, theta, *(t for t in factors.values() if isinstance(t, Tensor)))
    if eager and torch.is_grad_enabled():
        if not x.is_complex():
            return _Apply.apply(x, theta, bias, maps, sizes, factors)  # type: ignore[no-any-return, no-untyped-call]
        eager = False
    return _product(
        _Sources(x, maps.ins, factors),
        _unfold(theta, maps.levels),
        _with(bias, maps),
        maps.levels,
        maps.outs,
        theta.shape[1],
        sizes,
        {},
        eager,
    )
