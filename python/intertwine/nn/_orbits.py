"""Orbits of permutations of sets, and the diagrams that they are the other basis of: the change between them, and which
weight tables have such orbits.

A table knows nothing of sets. Its codes say whether its rows and columns are tensors over some sets, with an orbit for
every partition of the axes: then its products are those of diagrams (_products.py), whatever the group was called, and
of whatever group, as the tables of M24 on pairs are those of S24.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from .. import LimitError, Table
from ._diagrams import Diagrams, coarser, diagrams, partitions_of_axes
from ._families import Word

__all__ = ["OrbitDiagrams", "recognised", "to_diagrams", "to_orbits"]

_Numbers = numpy.ndarray[Any, numpy.dtype[Any]]


_MOST = 1 << 25  # integers in the change of basis: 256 MiB


def _there(kinds: str, sizes: Mapping[str, int]) -> list[Word]:
    """The partitions whose orbits have entries at these sizes."""
    return [word for word in partitions_of_axes(kinds) if all(block < sizes[kind] for kind, block in zip(kinds, word))]


def to_orbits(words: Sequence[Word], kinds: str, sizes: Mapping[str, int]) -> _Numbers:
    """The integer matrix that takes parameters of diagrams to those of the orbits that have entries: is the orbit in
    the diagram?

    Cost: as many steps as pairs of a diagram and one of its orbits, far fewer than the entries."""
    place = {word: i for i, word in enumerate(_there(kinds, sizes))}
    matrix = numpy.zeros((len(place), len(words)), dtype=numpy.int64)
    for j, word in enumerate(words):
        matrix[[place[orbit] for orbit, _ in coarser(word, kinds) if orbit in place], j] = 1
    return matrix


def to_diagrams(words: Sequence[Word], kinds: str, sizes: Mapping[str, int]) -> _Numbers:
    """The way back, by Moebius inversion: diagrams that are dependent at these sizes get what makes orbits without
    entries zero. Cost: as that of to_orbits."""
    place, there = {word: i for i, word in enumerate(words)}, _there(kinds, sizes)
    matrix = numpy.zeros((len(words), len(there)), dtype=numpy.int64)
    for j, orbit in enumerate(there):
        for word, c in coarser(orbit, kinds):
            if word in place:
                matrix[place[word], j] = c
    return matrix


# --- Tables ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OrbitDiagrams:
    """The diagrams of a table: its axes and their lengths by kind, and the integers that take theta [P] and the bias
    [Q] to parameters of diagrams."""

    maps: Diagrams
    sizes: dict[str, int]
    weights: _Numbers
    bias: _Numbers

    def lengths(self, kinds: str) -> list[int]:
        return [self.sizes[kind] for kind in kinds]

    @functools.cached_property
    def effort(self) -> tuple[float, float, float]:
        """The cost of a product: multiplications for a pair of channels, how often all of x and y is read or written,
        and operations of PyTorch; the last two fitted to measurements of layers over S4 to S100."""
        multiplied = operations = 0
        for level in self.maps.levels:
            side = level.targets[0]
            multiplied += level.size * math.prod(self.sizes[self.maps.outs[side.blocks[i][0][0]]] for i in side.kept)
            operations += 8 + 2 * (len(level.sources) + len(level.targets)) + len(level.perms)
        return multiplied, 2.5, operations


_known: OrderedDict[tuple[str, int, int, bool], tuple[OrbitDiagrams | None]] = OrderedDict()  # of the last tables


def recognised(table: Table, forced: bool) -> OrbitDiagrams | None:
    """The diagrams of a table; None where its orbits are not those of permutations of sets. Exact: every code is
    compared. Not forced, only where the change of basis is at most a quarter of W.

    Cost: a few operations for each code where the first row agrees, otherwise next to nothing. LimitError for more than
    200000 diagrams, and where the change of basis has more than 2^25 integers.
    """
    key = (table.sha256, table.rows, table.cols, forced)
    found = _known.get(key)
    if found is None:
        found = _known[key] = (_find(table, forced) if table.is_tied and table.rows and table.cols else None,)
        if len(_known) > 64:
            _known.popitem(last=False)
    return found[0]


def _find(table: Table, forced: bool) -> OrbitDiagrams | None:
    if not forced and 4 * table.params**2 > table.rows * table.cols:
        return None
    weight, bias = (numpy.asarray(code).reshape(table.rows, -1) for code in (table.weight_code, table.bias_code))
    for outs, ins in itertools.product(_lengths(weight[:, 0]), _lengths(weight[0])):
        kinds = _kinds(weight.reshape(-1), outs + ins)
        if kinds is None:
            continue
        sizes = dict(zip(kinds, outs + ins))
        above, below = kinds[: len(outs)], kinds[len(outs) :]
        if _partitions(kinds, sizes) != table.params or _partitions(above, sizes) != table.bias_params:
            continue
        if not forced and 4 * _partitions(kinds, {}) * table.params > table.rows * table.cols:
            continue
        order, order_bias = _orbits(weight, above, below, sizes), _orbits(bias, above, "", sizes)
        if order is None or order_bias is None:
            continue
        if _partitions(kinds, {}) * table.params > _MOST:
            if forced:
                raise LimitError(
                    f"mode='diagram' would keep {_partitions(kinds, {})} x {table.params} integers that take orbits of these {len(kinds)} axes to diagrams, and {_MOST} are"
                    " the most: take another mode"
                )
            continue
        maps = diagrams(below, above)
        changes = []
        for words, axes, by in ((maps.words, kinds, order), (maps.bias_words, above, order_bias)):
            back = to_diagrams(words, axes, sizes)
            changes.append(numpy.empty_like(back))
            changes[-1][:, by] = back
        return OrbitDiagrams(maps, sizes, *changes)
    return None


def _lengths(line: _Numbers) -> Iterator[list[int]]:
    """What the axes of a side can be, from the codes of a line on which all indices of the other side are 0.

    While the index of the last axis grows from 1, no partition changes; where the one before it becomes 1 it does,
    unless both are in no other block, and then they may be taken for one axis. It changes one step later where these
    two axes are all that a set has.
    """

    def longer(step: int) -> Iterator[list[int]]:
        along = line[::step]
        if len(along) == 1:
            yield []
            return
        other = numpy.flatnonzero(along[1:] != along[1])
        length = int(other[0]) + 1 if other.size else len(along)
        for n in (length, length - 1):
            if n > 1 and len(along) % n == 0:
                yield from ([*before, n] for before in longer(step * n))

    return longer(1)


def _kinds(codes: _Numbers, lengths: Sequence[int]) -> str | None:
    """Which axes run over one set: a letter for each. Partitions tell (1, 1) from (1, 2) on two axes of one set only;
    of sets of two points, the entries in the orbit of 0 are those whose indices are the same on all axes of each."""
    steps = [math.prod(lengths[axis + 1 :]) for axis in range(len(lengths))]
    pairs = [axis for axis, n in enumerate(lengths) if n == 2]
    corners = numpy.zeros(1, dtype=numpy.int64)
    for axis in pairs:
        corners = numpy.concatenate((corners, corners + steps[axis]))
    alike = numpy.flatnonzero(codes[corners] == codes[0])
    found: list[list[int]] = []
    for axis, n in enumerate(lengths):
        if n == 2:
            bit = 1 << pairs.index(axis)
            having = alike[alike & bit != 0]
            mine = int(numpy.bitwise_and.reduce(having)) if having.size else 0
            found.append([other for i, other in enumerate(pairs) if mine >> i & 1])
        else:
            others = [b for b in range(len(lengths)) if b != axis and lengths[b] == n]
            found.append(
                sorted(
                    [axis, *(b for b in others if codes[steps[axis] + steps[b]] != codes[steps[axis] + 2 * steps[b]])]
                )
            )
    sets = list(dict.fromkeys(map(tuple, found)))
    if len(sets) > 26 or sorted(axis for s in sets for axis in s) != list(range(len(lengths))):
        return None
    return "".join(chr(97 + next(i for i, s in enumerate(sets) if axis in s)) for axis in range(len(lengths)))


def _partitions(kinds: str, sizes: Mapping[str, int]) -> int:
    """How many partitions of the axes there are, with at most as many blocks as points where a size is given."""

    def count(axes: int, most: int) -> int:
        blocks = [1] + [0] * axes  # partitions into 0, 1, ... blocks
        for _ in range(axes):
            blocks = [0] + [blocks[j - 1] + j * blocks[j] for j in range(1, axes + 1)]
        return sum(blocks[: most + 1])

    return math.prod(count(kinds.count(kind), sizes.get(kind, len(kinds))) for kind in set(kinds))


def _orbits(codes: _Numbers, outs: str, ins: str, sizes: Mapping[str, int]) -> list[int] | None:
    """The parameter of every partition, in the order of their words; None unless all codes [rows, columns] are those of
    the partitions of their indices."""
    kinds = outs + ins
    lengths = [sizes[kind] for kind in kinds]
    words = _there(kinds, sizes)
    first = [sum(block * math.prod(lengths[axis + 1 :]) for axis, block in enumerate(word)) for word in words]
    order = codes.reshape(-1)[first].astype(numpy.int64) - 1
    if sorted(order) != list(range(len(words))):
        return None
    # A partition as a number: a bit for every pair of axes that are in one block.
    bits = {
        pair: 1 << i
        for i, pair in enumerate(p for p in itertools.combinations(range(len(kinds)), 2) if kinds[p[0]] == kinds[p[1]])
    }
    number = numpy.array(
        [sum(bit for (p, q), bit in bits.items() if word[p] == word[q]) for word in words], dtype=numpy.int64
    )
    rank = numpy.argsort(number)
    known, meant = number[rank], (order + 1)[rank].astype(codes.dtype)

    def agreeing(axes: range) -> _Numbers:
        """The bits of pairs of these axes, for all indices."""
        total = numpy.zeros([lengths[axis] for axis in axes], dtype=numpy.int64)
        index = {
            axis: numpy.arange(lengths[axis]).reshape(-1, *(1 for _ in axes[at + 1 :])) for at, axis in enumerate(axes)
        }
        for (p, q), bit in bits.items():
            if p in axes and q in axes:
                total += (index[p] == index[q]) * bit
        return total

    above, below = range(len(outs)), range(len(outs), len(kinds))
    of_rows, of_columns = agreeing(above).reshape(-1), agreeing(below)
    indices = numpy.unravel_index(numpy.arange(len(codes)), [lengths[axis] for axis in above]) if outs else ()
    # Where no index of the row is one of the column, the code follows from the partitions of both: the most entries by
    # far.
    apart, kind_of_row = numpy.unique(of_rows, return_inverse=True)
    plain = meant[
        numpy.searchsorted(known, apart.reshape(-1, *(1 for _ in below)) + of_columns).clip(max=len(known) - 1)
    ]
    begin, step = 0, 1  # the first row alone, which most tables fail
    while begin < len(codes):
        rows = slice(begin, begin + step)
        mine = codes[rows].reshape(-1, *of_columns.shape)
        wrong, here = mine != plain[kind_of_row[rows]], numpy.arange(len(mine))
        across = {q: numpy.zeros((len(mine), lengths[q]), dtype=numpy.int64) for q in below}
        together = [(p, q) for p in above for q in below if (p, q) in bits]
        for p, q in together:
            across[q][here, indices[p][rows]] += bits[p, q]
        for p, q in together:
            at, axis = indices[p][rows], q - len(outs)
            numbers = of_rows[rows].reshape(-1, *(1 for _ in below[1:])) + numpy.moveaxis(of_columns, axis, 0)[at]
            numbers += across[q][here, at].reshape(-1, *(1 for _ in below[1:]))
            rest = [other for other in below if other != q]
            for other in rest:
                numbers += across[other].reshape(-1, *(lengths[other] if a == other else 1 for a in rest))
            if (meant[numpy.searchsorted(known, numbers)] != numpy.moveaxis(mine, axis + 1, 1)[here, at]).any():
                return None
            numpy.moveaxis(wrong, axis + 1, 1)[here, at] = False
        if wrong.any():
            return None
        begin, step = begin + step, max(1, (1 << 20) // codes.shape[1])
    return [int(p) for p in order]
