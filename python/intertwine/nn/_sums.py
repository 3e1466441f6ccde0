"""Features of several multiplicities, 16*perm + 33*trivial: their parts, a table for each pair of parts, and these
tables with channels and a mode."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy
import torch
from torch import Tensor

from .. import DomainError, Hom, Representation, Table
from .._kinds import is_finite
from ._tables import Weights

__all__ = ["Part", "Sums", "parts_of", "sum_table"]

_Part = tuple[int, Representation]


def _whole(parts: Sequence[_Part]) -> Representation:
    return functools.reduce(operator.add, (m * R if m > 1 else R for m, R in parts))


def _joined(parts: Sequence[_Part], most: float = math.inf) -> list[_Part]:
    """Neighbours of the same multiplicity, up to `most`, together."""
    runs = itertools.groupby(enumerate(parts), lambda e: (e[1][0], None if e[1][0] <= most else e[0]))
    return [(m, _whole([(1, R) for _, (_, R) in run])) for (m, _), run in runs]


def parts_of(V: Representation) -> list[_Part]:
    """The parts of V, [multiplicity, dimension] each, that one after the other are its coordinates.

    Neighbours of the same multiplicity are one part only where V is written so: 2*(perm + sign) has both kinds in each
    copy, 2*perm + 2*sign has not. Of continuous groups only those of multiplicity 1 are one part.
    """
    summands = [(m, R) for m, R in V.summands() if m and R.dimension]
    if not summands:
        raise DomainError("V or U has dimension 0, there is no table")
    if not is_finite(V):
        return _joined(summands, 1)
    ways = [_joined(summands), _joined(summands, 1)]
    for same in (lambda W: W == V, lambda W: all(W.matrix(g) == V.matrix(g) for g in V.group.generators)):
        for parts in ways:
            if same(_whole(parts)):
                return parts
    return _bracketed(V, summands) or [(1, V * V.group.rep("trivial"))]


def _bracketed(V: Representation, summands: Sequence[_Part]) -> list[_Part] | None:
    """Parts where brackets with multiplicities stand beside others, as in 2*(perm + sign) + trivial; None where
    brackets stand in brackets."""
    entries = [V.matrix(g).entries() for g in V.group.generators]

    def stands(part: Representation, at: int) -> bool:
        """Are the matrices of V from this coordinate on those of the part?"""
        own = range(at, at + part.dimension)
        for g, known in zip(V.group.generators, entries):
            here = {(r, c): v for r, c, v in known if r in own or c in own}
            if here != {(r + at, c + at): v for r, c, v in part.matrix(g).entries()}:
                return False
        return True

    @functools.cache
    def found(first: int, at: int) -> list[_Part] | None:
        if first == len(summands):
            return []
        for last in range(first + 1, len(summands) + 1):
            run = summands[first:last]
            common = math.gcd(*(m for m, _ in run))
            for k in (k for k in range(common, 0, -1) if common % k == 0 and (k > 1 or last == first + 1)):
                site = _whole([(m // k, R) for m, R in run])
                part = k * site if k > 1 else site
                rest = found(last, at + part.dimension) if stands(part, at) else None
                if rest is not None:
                    return [(k, site), *rest]
        return None

    return found(0, 0)


@functools.lru_cache(maxsize=64)
def sum_table(V: Representation, U: Representation, isotypic: bool = False) -> Table:
    """The table whose features are the coordinates of V and U, also where neighbours have the same multiplicity. The
    last few are kept."""
    if isotypic and not is_finite(V):
        raise DomainError("mode='isotypic' is for representations of finite groups; leave it out")
    inputs, outputs = parts_of(V), parts_of(U)
    if not isotypic and (not is_finite(V) or all(p == _joined(R.summands()) for R, p in ((V, inputs), (U, outputs)))):
        return (V >> U).table()

    def alone(part: _Part) -> Representation:
        """The part as a representation that tables take as one part."""
        m, R = part
        site = R if all(k == 1 for k, _ in R.summands()) else R * R.group.rep("trivial")
        return m * site if m > 1 else site

    def table(hom: Hom) -> Table:
        return hom.table(isotypic=True, single=True) if isotypic else hom.table().blocks[0][0]

    sources, targets = [alone(part) for part in inputs], [alone(part) for part in outputs]
    return Table.of_blocks([[table(source >> target) for source in sources] for target in targets])


class Part(NamedTuple):
    """Neighbouring features of one multiplicity: [channels, dimension] from the coordinate `start` on."""

    channels: int
    dimension: int
    start: int

    @property
    def stop(self) -> int:
        """The coordinate behind the last."""
        return self.start + self.channels * self.dimension


class Sums:
    """A table of blocks with channels and a mode, as `Weights` is a table with them. Never copied.

    theta is one list, the [P, out, in] of every block, those of the first part of y first; so is the bias, the [Q, out]
    of every part of y. Channels of the layer are copies of all parts.
    """

    def __init__(
        self, table: Table, out_channels: int, in_channels: int, mode: str, decomposed: Table | None = None
    ) -> None:
        self.table, self.digest, self.mode = table, table.sha256, mode
        self.channels = (out_channels, in_channels)
        self.inputs = [Part(*part) for part in table.inputs]
        self.outputs = [Part(*part) for part in table.outputs]
        blocks = table.blocks

        def weights(i: int, j: int, mode: str) -> Weights:
            out, in_ = blocks[i][j].channels
            form = None if decomposed is None or mode != "isotypic" else decomposed.blocks[i][j]
            return Weights(blocks[i][j], out_channels * out, in_channels * in_, mode, form)

        # [part of y][part of x]; None for blocks without parameters, which nobody multiplies
        self.rows = [
            [weights(i, j, mode) if t.params else None for j, t in enumerate(row)] for i, row in enumerate(blocks)
        ]
        # those that know the bias of each part of y
        self.heads = [row[0] or weights(i, 0, "automatic") for i, row in enumerate(self.rows)]
        self._theta = [
            (t.params, out_channels * t.channels[0], in_channels * t.channels[1]) for row in blocks for t in row
        ]
        self._bias = [w.bias_shape for w in self.heads]
        self.theta_shape = (sum(math.prod(shape) for shape in self._theta),)
        self.bias_shape = (sum(math.prod(shape) for shape in self._bias),)
        self.sizes = [self.outputs[-1].stop, self.inputs[-1].stop, *self.theta_shape, *self.bias_shape]

    def on(self, device: torch.device) -> None:
        """Operands of all blocks there."""
        for weights in [*self.heads, *(w for row in self.rows for w in row if w is not None)]:
            weights.on(device)

    def thetas(self, theta: Tensor) -> list[list[Tensor]]:
        """[part of y][part of x] the [P, out, in] of each block."""
        pieces = theta.split([math.prod(shape) for shape in self._theta])
        made = [t.view(shape) for t, shape in zip(pieces, self._theta)]
        width = len(self.inputs)
        return [made[i : i + width] for i in range(0, len(made), width)]

    def biases(self, bias: Tensor) -> list[Tensor]:
        """The [Q, out] of each part of y."""
        pieces = bias.split([math.prod(shape) for shape in self._bias])
        return [t.view(shape) for t, shape in zip(pieces, self._bias)]

    def initial_variance(self, gain: float) -> numpy.ndarray:
        """That of every number of theta, for which inputs of variance 1 give outputs of variance gain^2 on average over
        every part of y, in closed form: each orbit of each copy moves the output equally."""
        more = math.prod(self.channels)
        sizes = numpy.array([math.prod(shape) // more for shape in self._theta])
        pieces = numpy.split(numpy.array(self.table.initial_variance(gain)), numpy.cumsum(sizes)[:-1])
        return numpy.concatenate([piece.repeat(more) for piece in pieces]) / self.channels[1]
