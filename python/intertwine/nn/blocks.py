"""The layer between features of several multiplicities, a table for each pair of parts."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from .. import DomainError, Representation
from .._kinds import is_finite
from ..tables import BlockTable
from . import _linear, _ops
from ._fields import require_tensor
from ._state import NamedState
from .linear import MODES, real

__all__ = ["Blocks"]

_Part = tuple[int, Representation]


def _whole(parts: Sequence[_Part]) -> Representation:
    return functools.reduce(operator.add, (m * R if m > 1 else R for m, R in parts))


def _joined(parts: Sequence[_Part], most: float = math.inf) -> list[_Part]:
    """Neighbours of the same multiplicity, up to `most`, together."""
    runs = itertools.groupby(enumerate(parts), lambda e: (e[1][0], None if e[1][0] <= most else e[0]))
    return [(m, _whole([(1, R) for _, (_, R) in run])) for (m, _), run in runs]


def _parts(V: Representation) -> list[_Part]:
    """The parts of V, [multiplicity, dimension] each, that one after the other are its coordinates.

    Neighbours of the same multiplicity are one part only where V is written so: 2*(perm + sign) has both kinds in each
    copy, 2*perm + 2*sign has not.
    """
    summands = [(m, R) for m, R in V.summands() if m and R.dimension]
    if not summands:
        raise DomainError("V or U has dimension 0, there is no table")
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


def _table(V: Representation, U: Representation) -> BlockTable:
    """The table whose features are the coordinates of V and U, also where neighbours have the same multiplicity."""
    inputs, outputs = _parts(V), _parts(U)
    if all(parts == _joined(R.summands()) for R, parts in ((V, inputs), (U, outputs))):
        return (V >> U).blocks()

    def alone(part: _Part) -> Representation:
        """The part as a representation that tables take as one part."""
        m, R = part
        site = R if all(k == 1 for k, _ in R.summands()) else R * R.group.rep("trivial")
        return m * site if m > 1 else site

    found = BlockTable.__new__(BlockTable)
    sources, targets = [alone(part) for part in inputs], [alone(part) for part in outputs]
    found.__setstate__([[(source >> target).blocks().blocks[0][0] for source in sources] for target in targets])
    return found


class Blocks(NamedState):
    """y = W x + b with every equivariant W and b between features of several multiplicities, 16*perm + 33*trivial: a
    free block of scalars for each element of the bases between their parts, where `Linear` repeats one pattern for all
    copies.

    x [..., N] -> y [..., M]; any number of leading dimensions, also none. Features are the coordinates of V and U,
    those that V.matrix(g) acts on. They fall into parts [channels, dimension], one after the other: `table.inputs` and
    `table.outputs` say where. Files of blocks have parts of their own, which `from_table` keeps.

    theta: one list, the [P, out, in] of every block, those of the first part of y first; bias likewise, the [Q, out] of
    every part of y: what files of blocks, `intertwine init` and `intertwine run` have. mode: as of Linear.
    """

    _derived = ("_weights",)

    def __init__(
        self,
        V: Representation,
        U: Representation,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        table = _table(V, U) if is_finite(V) and is_finite(U) else (V >> U).blocks()
        self._fill(table, bias, mode, device, dtype)

    @classmethod
    def from_table(
        cls,
        table: BlockTable,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> Blocks:
        """The layer of a table, such as load_blocks(path) gives."""
        layer = cls.__new__(cls)
        layer._fill(table, bias, mode, device, dtype)
        return layer

    def _fill(
        self, table: BlockTable, bias: bool, mode: str, device: torch.device | str | None, dtype: torch.dtype | None
    ) -> None:
        nn.Module.__init__(self)
        if mode not in MODES or mode == "isotypic":
            raise DomainError(
                f"the mode {mode!r} is not known; modes of blocks are {', '.join(m for m in MODES if m != 'isotypic')}"
            )
        dtype = real(dtype)
        self.table, self.mode = table, mode
        self._connect()
        self._make_parameters((table.theta_size,), (table.bias_size,) if bias else None, device, dtype)

    def _connect(self) -> None:
        self._weights = [
            [_ops.Weights(block, *block.channels, self.mode) for block in row] for row in self.table.blocks
        ]
        self._inputs, self._outputs, self._sha256 = self.table.inputs, self.table.outputs, self.table.sha256

    def _on_device(self, device: torch.device) -> None:
        for row in self._weights:
            for weights in row:
                weights.on(device)

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta normal, of the variances for which inputs of variance 1 give outputs of variance gain^2 on average over
        every part of y, in closed form: each orbit of each copy moves the output equally. The bias is zero."""
        self._start([math.sqrt(v) for v in self.table.initial_variance(gain)], generator)

    def forward(self, x: Tensor) -> Tensor:
        channels, dimension, start = self._inputs[-1]
        N = start + channels * dimension
        require_tensor(x)
        if x.dim() < 1 or x.shape[-1] != N:
            raise DomainError(
                f"the input has the shape {list(x.shape)}; these blocks take [..., {N}]: their parts one after the other"
            )
        self._checked(x)
        parts = [x[..., start : start + c * d].reshape(*x.shape[:-1], c, d) for c, d, start in self._inputs]
        at_theta = at_bias = 0
        out = []
        for row in self._weights:
            y: Tensor | None = None
            bias = None
            if self.bias is not None:
                size = math.prod(row[0].bias_shape)
                bias = self.bias[at_bias : at_bias + size].reshape(row[0].bias_shape)
                at_bias += size
            for part, weights in zip(parts, row):
                size = math.prod(weights.theta_shape)
                theta = self.theta[at_theta : at_theta + size].reshape(weights.theta_shape)
                at_theta += size
                term = _linear.linear(part, theta, bias if y is None else None, weights)
                y = term if y is None else y + term
            assert y is not None
            out.append(y.flatten(-2))
        return torch.cat(out, -1)

    @property
    def _digest(self) -> str:
        return self._sha256

    def extra_repr(self) -> str:
        sides = [" + ".join(f"{c} x {d}" for c, d, _ in side) for side in (self._inputs, self._outputs)]
        return f"{sides[0]} -> {sides[1]}, {len(self.theta)} parameters{'' if self.bias is not None else ', bias=False'}, mode={self.mode!r}"
