"""Layers for sets, graphs and tensors of every size: the parameters belong to diagrams (_diagrams.py), not to a number of points.

How a product runs: every source (sums of the input over some axes, on diagonals of others) is made once, from the next larger one; all
that carry the same number of indices over are mixed by one matrix product, on tensors with only these axes; the results are added up from
small to large, and broadcast last. For graphs of n nodes that is O(n^2) beside one product of the channels at n^2 places, and W is never made.

In eager mode a Function has the derivatives in closed form: those in x are the transposed diagrams, those in theta products of sources of x
with sources of dy. Everywhere else (torch.compile, export, torch.func, second derivatives) PyTorch sees plain operators.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.autograd import Function

from .. import DomainError, Group, LimitError
from . import _ops
from ._fields import integer
from ._diagrams import Diagrams, Level, Side, diagrams, moebius, number_of_partitions_of_axes, partitions_of_axes, whole, zeta
from .linear import Linear, NamedState

__all__ = ["Graphs", "Sets", "Tensors"]

Blocks = tuple[tuple[int, ...], ...]
Factors = dict[str, Any]  # by kind: 1/n, a number or a tensor [batch] of them; nothing where sums are plain


# --- Products ----------------------------------------------------------------------------------------------------------------


def _diagonal(x: Tensor, blocks: Blocks) -> Tensor:
    """The view of x [b, c, axes] where indices agree within blocks: an axis for every block."""
    axes = [axis for block in blocks for axis in block]
    at = list(range(len(axes)))
    for first, *others in blocks:
        for other in others:
            i, j = at.index(first), at.index(other)
            x = x.diagonal(dim1=2 + i, dim2=2 + j)
            at = [axis for axis in at if axis not in (first, other)] + [first]
    return x.permute(0, 1, *(2 + at.index(block[0]) for block in blocks))


def _on_diagonal(t: Tensor, blocks: Blocks) -> Tensor:
    """The adjoint: zero where indices do not agree."""
    at = [block[0] for block in blocks]
    for first, *others in blocks:
        for other in others:
            t = torch.diag_embed(t.movedim(2 + at.index(first), -1))
            at = [axis for axis in at if axis != first] + [first, other]
    return t.permute(0, 1, *(2 + at.index(axis) for axis in range(len(at))))


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
        if len(kept) == len(blocks):
            return _diagonal(self.x, blocks)
        t = self.made.get(key)
        if t is None:
            summed = max(set(range(len(blocks))) - set(kept))
            larger = tuple(sorted((*kept, summed)))
            kind, axis = self.kinds[blocks[summed][0]], 2 + larger.index(summed)
            if isinstance(self.factors.get(kind), Tensor):
                t = _times(self[blocks, larger].sum(axis), kind, self.factors)
            else:
                t = self[blocks, larger].mean(axis) if kind in self.factors else self[blocks, larger].sum(axis)
            self.made[key] = t
        return t

    def of(self, sides: Sequence[Side], perms: Sequence[tuple[int, ...]] = ((),)) -> Tensor:
        """[b, perms * sides * channels, places]: the sources side by side, in every order of their axes."""
        found = [self[side.blocks, side.kept] for side in sides]
        if len(perms) > 1:
            found = [t.permute(0, 1, *(2 + i for i in perm)) for perm in perms for t in found]
        t = found[0] if len(found) == 1 else torch.cat(found, 1)
        places = 1
        for size in t.shape[2:]:
            places = places * size
        return t.reshape(*t.shape[:2], places)  # gradients in batches know no flatten


def _add(a: Tensor, b: Tensor, fast: bool) -> Tensor:
    return a.add_(b) if fast else a + b


def _unfold(theta: Tensor, levels: Sequence[Level]) -> list[Tensor]:
    """theta [P, out, in] level by level, as [targets, perms, sources, out, in]."""
    sizes = [level.size for level in levels]
    return [part.unflatten(0, level.shape) for part, level in zip(theta.split(sizes), levels)]


def _mixed(sources: _Sources, level: Level, w: Tensor, sizes: Mapping[str, Any], kinds: str, fast: bool) -> list[Tensor]:
    """What the level adds to each of its targets, on the axes that it carries over."""
    T, p, S, out, in_ = w.shape
    inner = level.permutes_sources
    if inner:
        matrix, R = w.permute(0, 3, 1, 2, 4).reshape(T * out, p * S * in_), sources.of(level.sources, level.perms)
    else:
        matrix, R = w.permute(1, 0, 3, 2, 4).reshape(p * T * out, S * in_), sources.of(level.sources)
    b = R.shape[0]
    carried = [sizes[kinds[level.targets[0].blocks[i][0]]] for i in level.targets[0].kept]
    if carried:
        Z = torch.bmm(matrix.expand(b, -1, -1), R).view(b, 1 if inner else p, T, out, *carried)
    else:
        Z = torch.mm(R.squeeze(2), matrix.t()).view(b, 1 if inner else p, T, out)
    if inner or p == 1:
        return list(Z.squeeze(1).unbind(1))
    totals = []
    for pieces in Z.unbind(2):
        first, *others = (piece.permute(0, 1, *(2 + i for i in perm)) for piece, perm in zip(pieces.unbind(1), level.perms))
        total = first + others[0]
        for other in others[1:]:
            total = _add(total, other, fast)
        totals.append(total)
    return totals


def _spread(parts: dict[tuple[int, ...], Tensor], rank: int, fast: bool) -> Tensor:
    """The sum of tensors with some of the axes 0 ... rank-1, small ones into larger ones first. The largest may be written to."""

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


def _product(
    sources: _Sources, weights: list[Tensor], bias: Tensor | None, levels: Sequence[Level], outs: str, sizes: Mapping[str, Any], after: Factors, fast: bool
) -> Tensor:
    """y [b, out, axes]. after: factors of targets, for each of their broadcasts. fast: nothing is recorded, and sums may be written to."""
    targets: dict[Blocks, dict[tuple[int, ...], Tensor]] = {}
    for level, w in zip(levels, weights):
        found = _mixed(sources, level, w, sizes, outs, fast)
        for at, (side, t) in enumerate(zip(level.targets, found)):
            t = _times(t, side.gone, after)
            if bias is not None and not side.kept:
                t = t + bias[at]
            targets.setdefault(side.blocks, {})[side.kept] = t
    every = whole(outs)
    y = _spread(targets.pop(every), len(every), fast)
    shape = (*y.shape[:2], *(sizes[outs[axis]] for (axis,) in every))
    order = [2 + every.index((axis,)) for axis in range(len(outs))]
    y = y.expand(shape).permute(0, 1, *order)
    if not fast:
        for blocks, parts in targets.items():
            t = _spread(parts, len(blocks), fast)
            t = t.expand(*t.shape[:2], *(sizes[outs[block[0]]] for block in blocks))
            y = y + _on_diagonal(t, blocks)
        return y
    y = y.contiguous()
    for blocks, parts in targets.items():
        _diagonal(y, blocks).add_(_spread(parts, len(blocks), fast))
    return y


def _correlation(x: _Sources, dy: _Sources, levels: Sequence[Level]) -> Tensor:
    """dtheta [P, out, in]: sources of dy times those of x, summed over the batch."""
    parts = []
    out, in_ = dy.x.shape[1], x.x.shape[1]
    for level in levels:
        T, p, S = level.shape
        inner = level.permutes_sources
        R = x.of(level.sources, level.perms) if inner else x.of(level.sources)
        D = dy.of(level.targets) if inner else dy.of(level.targets, level.back)
        rows, cols, places = D.shape[1], R.shape[1], R.shape[2]
        if (rows + cols) * places < rows * cols:
            w = D.transpose(0, 1).reshape(rows, -1) @ R.transpose(0, 1).reshape(cols, -1).t()
        else:
            w = torch.bmm(D, R.transpose(1, 2)).sum(0)
        w = w.view(T, out, p, S, in_).permute(0, 2, 3, 1, 4) if inner else w.view(p, T, out, S, in_).permute(1, 0, 3, 2, 4)
        parts.append(w.reshape(level.size, out, in_))
    return torch.cat(parts)


def _bias_correlation(dy: _Sources, levels: Sequence[Level]) -> Tensor:
    return torch.stack([dy[side.blocks, ()].sum(0) for side in levels[-1].targets])


class _Apply(Function):
    """The product for tensors in eager mode. The small sources of x are kept for the backward pass, x itself by the saved tensors."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, theta: Tensor, bias: Tensor | None, maps: Diagrams, sizes: Mapping[str, Any], factors: Factors) -> Tensor:
        sources = _Sources(x, maps.ins, factors)
        y = _product(sources, _unfold(theta, maps.levels), bias, maps.levels, maps.outs, sizes, {}, True)
        ctx.save_for_backward(x, theta)
        ctx.made, ctx.maps, ctx.sizes, ctx.factors = sources.made, maps, sizes, factors
        return y

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        x, theta = ctx.saved_tensors
        maps: Diagrams = ctx.maps
        plain = torch.is_grad_enabled() or _ops.door(dy) is not _ops._EAGER
        below, above = _Sources(x, maps.ins, ctx.factors), _Sources(dy, maps.outs, {})
        if not plain:
            below.made = ctx.made
        dx = dtheta = dbias = None
        if ctx.needs_input_grad[0]:
            weights = [w.permute(2, 1, 0, 4, 3) for w in _unfold(theta, maps.levels)]
            dx = _product(above, weights, None, maps.T, maps.ins, ctx.sizes, ctx.factors, not plain)
        if ctx.needs_input_grad[1]:
            dtheta = _correlation(below, above, maps.levels)
        if ctx.needs_input_grad[2]:
            dbias = _bias_correlation(above, maps.levels)
        return dx, dtheta, dbias, None, None, None


def _apply(x: Tensor, theta: Tensor, bias: Tensor | None, maps: Diagrams, sizes: Mapping[str, Any], factors: Factors) -> Tensor:
    """y [b, out, axes] of x [b, in, axes]."""
    eager = not torch.compiler.is_compiling() and _ops.door(x, theta, *(t for t in factors.values() if isinstance(t, Tensor))) is _ops._EAGER
    if eager and torch.is_grad_enabled():
        return _Apply.apply(x, theta, bias, maps, sizes, factors)
    return _product(_Sources(x, maps.ins, factors), _unfold(theta, maps.levels), bias, maps.levels, maps.outs, sizes, {}, eager)


_MOST_DIAGRAMS = 200_000


# --- Layers ------------------------------------------------------------------------------------------------------------------


def _axes(name: str, value: int | str) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return "a" * value
    if isinstance(value, str) and all(c.isalpha() for c in value):
        return value
    raise DomainError(f"{name} is a number of axes or a word with a letter for the set of each, such as 'ui', not {value!r}")


class Tensors(NamedState):
    """Every equivariant linear map from tensors of k axes over a set to tensors of l axes, for every size of the set with the same theta.

    x [..., in_channels, n, ..., n] with k axes of length n -> y [..., out_channels, n, ..., n] with l axes. Relabelling the points of the
    set relabels y alike.

    k, l: how many axes there are; or words with a letter for every axis, where different letters are different sets: Tensors("ui", "ui") has the
    4 operations between matrices of users and items, Tensors("aab", "a") takes a feature of pairs of a and one of b to one of a.

    theta [P, out, in]: a block for every diagram, a way to sum, carry over and broadcast indices: `diagrams` lists them as partitions of
    the axes of y and x. bias [Q, out]: for every partition of the axes of y, `bias_diagrams`. P and Q are Bell numbers: k = l = 1 has 2 and 1
    (Sets), k = l = 2 has 15 and 2 (Graphs), k = l = 3 has 203 and 5.

    reduction: "mean" divides every sum by the number of its points, so that a trained layer says the same on larger sets; "sum" does not.

    forward(x, mask): for sets of different sizes in one batch; mask [..., n] is true at the points that are there, with the leading dimensions of x. The
    rest never influences anything, whatever it holds, and is zero in y. With several kinds of sets, mask is a dict by letter. forward(x, n=...): the
    size (by letter, a dict) of sets on which y has axes and x has none.

    If a set has fewer points than there are axes of it, different theta can mean the same map; none is lost. to_linear(n) is the same layer with the
    weight table of n points, load_linear(layer) the way back.

    Cost: the channels are mixed on sources with as few axes as a diagram carries over; O(n^max(k, l)) time and memory, W is never made. The number
    of diagrams grows quickly with the axes of one set; beyond 200000 (11 axes) it is a LimitError.
    """

    _means = "the diagrams"
    _advice = "build the layer with the axes and the reduction that it was trained with"

    def __init__(
        self,
        k: int | str,
        l: int | str,  # noqa: E741
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        reduction: Literal["mean", "sum"] = "mean",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.axes = ins, outs = (_axes("k", k), _axes("l", l))
        count = number_of_partitions_of_axes(outs + ins)
        if count > _MOST_DIAGRAMS:
            raise LimitError(f"there are {count} diagrams from {ins!r} to {outs!r}, and {_MOST_DIAGRAMS} are the most that a layer takes: use fewer axes")
        integer("in_channels", in_channels, 1), integer("out_channels", out_channels, 1)
        if reduction not in ("mean", "sum"):
            raise DomainError(f"the reduction {reduction!r} is not known; reductions are mean, sum")
        dtype = dtype or torch.get_default_dtype()
        if not dtype.is_floating_point:
            raise DomainError(f"theta is of a floating-point dtype, not {dtype}")
        self.in_channels, self.out_channels, self.reduction = in_channels, out_channels, reduction
        # Inside, the letters are a, b, ... as they occur, so that layers are equal where only their letters differ.
        self._letters = {chr(97 + i): letter for i, letter in enumerate(dict.fromkeys(outs + ins))}
        renamed = {ord(letter): kind for kind, letter in self._letters.items()}
        self._maps = diagrams(ins.translate(renamed), outs.translate(renamed))
        self.theta = nn.Parameter(torch.empty(len(self._maps.words), out_channels, in_channels, device=device, dtype=dtype))
        self.bias: nn.Parameter | None
        if bias:
            self.bias = nn.Parameter(torch.empty(len(self.bias_diagrams), out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    @property
    def _digest(self) -> str:
        maps = self._maps
        return hashlib.sha256(f"diagrams {maps.ins} -> {maps.outs}, {self.reduction}".encode()).hexdigest()

    @property
    def diagrams(self) -> tuple[tuple[int, ...], ...]:
        """For every theta[p] the number of the block of each axis, those of y first, then those of x; blocks of every set are counted from 0.

        (0, 1, 0, 1) of Graphs is y_ij = x_ij, (0, 1, 1, 0) is y_ij = x_ji, (0, 1, 0, 2) is y_ij = sum_k x_ik.
        """
        return self._maps.words

    @property
    def bias_diagrams(self) -> tuple[tuple[int, ...], ...]:
        """The same for bias[q]: (0, 1) of Graphs is a constant everywhere, (0, 0) one on the diagonal."""
        return partitions_of_axes(self._maps.outs)

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None, n: int = 1) -> None:
        """theta normal, of the variances for which inputs of variance 1 that are the same at all points give outputs of variance gain^2 where no two
        indices agree: an equal share for the diagrams that carry 0, 1, 2, ... indices over. The bias is zero. With reduction="sum" n is the size for which
        this holds."""
        levels = self._maps.levels
        every = whole(self._maps.outs)
        with torch.no_grad():
            self.theta.normal_(generator=generator)
            for part, level in zip(self.theta.split([level.size for level in levels]), levels):
                _, p, S = level.shape
                reached = sum(side.blocks == every for side in level.targets) * p * S
                part.mul_(gain / math.sqrt(self.in_channels * reached * len(levels)))
            if self.reduction == "sum":
                self.theta.mul_(torch.tensor([float(n) ** -len(s) for s in self._maps.sums], dtype=self.theta.dtype, device=self.theta.device)[:, None, None])
            if self.bias is not None:
                self.bias.zero_()

    # --- Forward -------------------------------------------------------------------------------------------------------------

    def _sizes(self, x: Tensor, n: int | Mapping[str, int] | None, mask: Tensor | Mapping[str, Tensor] | None) -> dict[str, Any]:
        """The size of every set, from x and, where x does not show it, from n or a mask."""
        maps, letters = self._maps, self._letters
        k = len(maps.ins)
        shape = x.shape[x.dim() - k :]
        if x.dim() < k + 1 or x.shape[-k - 1] != self.in_channels or any(size != shape[maps.ins.index(kind)] for kind, size in zip(maps.ins, shape)):
            axes = ", ".join([str(self.in_channels), *("n" if len(letters) == 1 else f"n_{letters[kind]}" for kind in maps.ins)])
            raise DomainError(f"the input has the shape {list(x.shape)}; this layer takes [..., {axes}] (channels, then the axes)")
        sizes: dict[str, Any] = dict(zip(maps.ins, shape))
        for kind in maps.outs:
            if kind not in sizes:
                given: Any = n.get(letters[kind]) if isinstance(n, Mapping) else n
                seen = mask.get(letters[kind]) if isinstance(mask, Mapping) else mask
                if given is None and seen is not None:
                    given = seen.shape[-1]
                if given is None:
                    raise DomainError(f"x has no axis over the set {letters[kind]!r}: say its size, forward(x, n={{{letters[kind]!r}: ...}})")
                if isinstance(given, int) and given < 0:
                    raise DomainError(f"the set {letters[kind]!r} cannot have {given} points: give n of at least 0")
                sizes[kind] = given
        return sizes

    def _masks(self, mask: Tensor | Mapping[str, Tensor] | None, x: Tensor, sizes: Mapping[str, Any]) -> dict[str, Tensor]:
        """The masks by kind, as [batch, n]."""
        if mask is None:
            return {}
        letters = self._letters
        if isinstance(mask, Tensor):
            if len(letters) != 1:
                example = ", ".join(f"{letter!r}: ..." for letter in letters.values())
                raise DomainError(f"this layer has several sets: give the masks as a dict by letter, {{{example}}}")
            mask = {next(iter(letters.values())): mask}
        unknown = [c for c in mask if c not in letters.values()]
        if unknown:
            raise DomainError(f"there is no set {unknown[0]!r} in this layer; its sets are {', '.join(letters.values())}")
        lead = x.shape[: x.dim() - len(self._maps.ins) - 1]
        found = {}
        for kind, letter in letters.items():
            m = mask.get(letter)
            if m is None:
                continue
            if m.dtype != torch.bool or m.shape != (*lead, sizes[kind]):
                raise DomainError(f"the mask is {m.dtype} of the shape {list(m.shape)}; it must be torch.bool of the shape {[*lead, sizes[kind]]}")
            found[kind] = _batch(m, 1)
        return found

    def forward(self, x: Tensor, mask: Tensor | Mapping[str, Tensor] | None = None, *, n: int | Mapping[str, int] | None = None) -> Tensor:
        sizes = self._sizes(x, n, mask)
        cast = _ops.autocasts(x)
        if x.dtype != self.theta.dtype and not cast:
            raise DomainError(f"the input is {x.dtype} and the layer {self.theta.dtype}: convert one, x.to(...) or layer.to(...)")
        if x.device != self.theta.device:
            raise DomainError(f"the input is on {x.device} and the layer on {self.theta.device}: move one, x.to(...) or layer.to(...)")
        masks = self._masks(mask, x, sizes)
        if not cast:
            return self._forward(x, self.theta, self.bias, masks, sizes)
        kind = x.device.type
        dtype = torch.get_autocast_dtype(kind)
        with torch.autocast(kind, enabled=False):
            return self._forward(x.to(dtype), self.theta.to(dtype), None if self.bias is None else self.bias.to(dtype), masks, sizes)

    def _forward(self, x: Tensor, theta: Tensor, bias: Tensor | None, masks: Mapping[str, Tensor], sizes: Mapping[str, Any]) -> Tensor:
        maps = self._maps
        k = len(maps.ins)
        lead = x.shape[: x.dim() - k - 1]
        x = _batch(x, k + 1)
        factors: Factors = {}
        if self.reduction == "mean":
            for kind in sorted(set(maps.ins)):
                if kind in masks:
                    factors[kind] = masks[kind].sum(1).clamp(min=1).to(x.dtype).reciprocal()
                elif not (isinstance(sizes[kind], int) and sizes[kind] == 0):
                    factors[kind] = 1 / sizes[kind]
        x = _masked(x, maps.ins, masks)
        y = _masked(_apply(x, theta, bias, maps, sizes, factors), maps.outs, masks)
        return y.reshape(*lead, *y.shape[1:])

    # --- One size ------------------------------------------------------------------------------------------------------------

    def _representations(self, n: int | Mapping[str, int]) -> tuple[Any, Any, dict[str, int]]:
        letters = self._letters
        sizes: dict[str, int] = {}
        for kind, letter in letters.items():
            size = n.get(letter) if isinstance(n, Mapping) else n
            sizes[kind] = integer(f"the size of the set {letter!r}", size, 1)
        if not letters:
            raise DomainError("a layer between tensors without axes is torch.nn.Linear")
        kinds = sorted(sizes)
        group = Group(" x ".join(f"S{sizes[kind]}" for kind in kinds))

        def representation(word: str) -> Any:
            factors = [" # ".join("perm" if other == kind else "trivial" for other in kinds) for kind in word]
            return group.rep("*".join(f"({f})" for f in factors) if factors else " # ".join(["trivial"] * len(kinds)))

        return representation(self._maps.ins), representation(self._maps.outs), sizes

    def _to_orbits(self, words: Sequence[tuple[int, ...]], kinds: str, sizes: Mapping[str, int], sums: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The matrices that take parameters of diagrams to those of a table of this size, and back. Diagrams that are dependent there get what
        makes orbits without entries zero."""
        ordered = partitions_of_axes(kinds)
        there = [i for i, word in enumerate(ordered) if all(block < sizes[kind] for kind, block in zip(kinds, word))]
        place = torch.tensor([ordered.index(word) for word in words])
        scale = torch.tensor([math.prod(1 / sizes[kind] for kind in s) if self.reduction == "mean" else 1.0 for s in sums], dtype=torch.float64)
        forth = torch.tensor(zeta(kinds), dtype=torch.float64)[there][:, place] * scale
        back = torch.tensor(moebius(kinds), dtype=torch.float64)[place][:, there] / scale[:, None]
        return forth, back

    def _matrices(self, sizes: Mapping[str, int]) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        maps = self._maps
        weights = self._to_orbits(maps.words, maps.outs + maps.ins, sizes, maps.sums)
        return weights, self._to_orbits(self.bias_diagrams, maps.outs, sizes, [""] * len(self.bias_diagrams))

    def to_linear(self, n: int | Mapping[str, int], *, mode: str = "automatic") -> Linear:
        """The same layer with the weight table of sets of n points (a dict by letter where there are several kinds): it acts on
        x.flatten(-k), in which the axes are one, as in Group("S5").rep("perm^2"); for k = 0 on x[..., None]. Exact up to the rounding of the numbers
        in theta: a parameter of a table is the sum of those of all diagrams that its orbit lies in."""
        V, U, sizes = self._representations(n)
        layer = Linear(V, U, self.in_channels, self.out_channels, self.bias is not None, mode=mode, device=self.theta.device, dtype=self.theta.dtype)
        (weights, _), (biases, _) = self._matrices(sizes)
        with torch.no_grad():
            layer.theta.copy_(torch.einsum("pd,doi->poi", weights, self.theta.detach().to("cpu", torch.float64)))
            if layer.bias is not None and self.bias is not None:
                layer.bias.copy_(biases @ self.bias.detach().to("cpu", torch.float64))
        return layer

    def load_linear(self, layer: Linear, n: int | Mapping[str, int]) -> None:
        """Takes over theta and bias of a layer on sets of n points, such as to_linear(n) gives, by Moebius inversion on the partitions of the axes.
        From n = k + l on there is only one way to continue it to other sizes; below it is the one where orbits without entries have zero."""
        V, U, sizes = self._representations(n)
        other = Linear(V, U, self.in_channels, self.out_channels, self.bias is not None)
        if layer.table.sha256 != other.table.sha256 or layer.theta.shape != other.theta.shape or (layer.bias is None) != (self.bias is None):
            raise DomainError(f"the layer is not one of the same channels from {V} to {U} of {V.group.name}")
        (_, weights), (_, biases) = self._matrices(sizes)
        with torch.no_grad():
            self.theta.copy_(torch.einsum("dp,poi->doi", weights, layer.theta.detach().to("cpu", torch.float64)))
            if layer.bias is not None and self.bias is not None:
                self.bias.copy_(biases @ layer.bias.detach().to("cpu", torch.float64))

    def extra_repr(self) -> str:
        bias = f", {len(self.bias)} bias parameters" if self.bias is not None else ", bias=False"
        names = " -> ".join(repr(word) for word in self.axes)
        return f"{names}, {self.in_channels} -> {self.out_channels} channels, {len(self.theta)} parameters a pair{bias}, reduction={self.reduction!r}"


def _batch(x: Tensor, inner: int) -> Tensor:
    """x with one leading dimension before the last `inner` ones."""
    lead = x.dim() - inner
    return x if lead == 1 else x.unsqueeze(0) if lead == 0 else x.flatten(0, lead - 1)


def _masked(x: Tensor, kinds: str, masks: Mapping[str, Tensor]) -> Tensor:
    """x [b, c, axes] with zeros where a point is not there."""
    there: Tensor | None = None
    for axis, kind in enumerate(kinds):
        if kind in masks:
            m = masks[kind].reshape(masks[kind].shape[0], *(-1 if a == axis else 1 for a in range(-1, len(kinds))))
            there = m if there is None else there & m
    return x if there is None else x.masked_fill(~there, 0)


class Sets(Tensors):
    """Layers on sets: x [..., in_channels, n] -> y [..., out_channels, n], y_i = theta_0 x_i + theta_1 mean_j x_j + bias (Zaheer et al. 2017).

    Tensors(1, 1), where everything else is said.
    """

    def __init__(
        self,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        reduction: Literal["mean", "sum"] = "mean",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(1, 1, in_channels, out_channels, bias, reduction=reduction, device=device, dtype=dtype)


class Graphs(Tensors):
    """Layers on graphs by their matrices: x [..., in_channels, n, n] -> y [..., out_channels, n, n], all 15 operations and 2 biases
    (Maron et al. 2019). Features of nodes are diagonal matrices, or come and go by Tensors(1, 2) and Tensors(2, 1).

    Tensors(2, 2), where everything else is said.
    """

    def __init__(
        self,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        reduction: Literal["mean", "sum"] = "mean",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(2, 2, in_channels, out_channels, bias, reduction=reduction, device=device, dtype=dtype)
