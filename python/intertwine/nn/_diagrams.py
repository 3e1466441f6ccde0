"""Maps between tensors over sets that every relabelling commutes with, as diagrams: exact, and for all sizes of the sets at once.

Axes run over sets; a letter says over which: "aa" are the entries of a graph's matrix, "ui" those of a matrix of users and items. A
diagram from `ins` to `outs` is a partition of all axes into blocks of one kind each. As a matrix it has ones where the indices within
every block agree: blocks of input axes only are summed over, blocks of output axes only are broadcast, and blocks of both carry an index over.
Diagrams are a basis of the equivariant maps where the sets have as many points as there are axes of their kind (Jones 1994; as layers: Maron et al. 2019).

The other basis is that of the orbits, which weight tables have: ones where indices within blocks agree and those of different blocks of a
kind differ. A diagram is the sum of the orbits of all coarser partitions; Moebius inversion on the partitions is the way back.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass

__all__ = ["Diagrams", "Level", "Side", "diagrams", "moebius", "number_of_partitions_of_axes", "partitions_of_axes", "whole", "zeta"]

Word = tuple[int, ...]


def number_of_partitions_of_axes(kinds: str) -> int:
    """How many there are, without making them: a product of Bell numbers, by their recursion over the block of the last axis."""
    bell = [1]
    for m in range(len(kinds)):
        bell.append(sum(math.comb(m, j) * bell[j] for j in range(m + 1)))
    return math.prod(bell[kinds.count(kind)] for kind in set(kinds))


@functools.lru_cache(maxsize=256)
def partitions_of_axes(kinds: str) -> tuple[Word, ...]:
    """The partitions as words: the number of every axis's block among those of its kind, in the order in which they first occur.

    They are in lexicographic order, which is that of the orbits in a weight table: a word is the smallest entry of its orbit.
    """
    words: list[Word] = [()]
    for at, kind in enumerate(kinds):
        words = [
            (*word, block)
            for word in words
            for block in range(1 + max((b for b, k in zip(word, kinds[:at]) if k == kind), default=-1) + 1)
        ]  # fmt: skip
    return tuple(words)


def _finer(word: Word, other: Word, kinds: str) -> list[int] | None:
    """How many blocks of `word` each block of `other` is made of; None if it is not made of whole ones."""
    image: dict[tuple[str, int], int] = {}
    for kind, block, target in zip(kinds, word, other):
        if image.setdefault((kind, block), target) != target:
            return None
    counts: dict[tuple[str, int], int] = {}
    for (kind, _), target in image.items():
        counts[kind, target] = counts.get((kind, target), 0) + 1
    return list(counts.values())


@functools.lru_cache(maxsize=64)
def zeta(kinds: str) -> tuple[Word, ...]:
    """[orbit][diagram]: is the orbit in the diagram? Parameters of orbits are this matrix times those of diagrams."""
    words = partitions_of_axes(kinds)
    return tuple(tuple(int(_finer(diagram, orbit, kinds) is not None) for diagram in words) for orbit in words)


@functools.lru_cache(maxsize=64)
def moebius(kinds: str) -> tuple[Word, ...]:
    """[diagram][orbit]: the inverse of zeta."""
    words = partitions_of_axes(kinds)

    def value(orbit: Word, diagram: Word) -> int:
        merged = _finer(orbit, diagram, kinds)
        return 0 if merged is None else math.prod((-1) ** (m - 1) * math.factorial(m - 1) for m in merged)

    return tuple(tuple(value(orbit, diagram) for orbit in words) for diagram in words)


@dataclass(frozen=True)
class Side:
    """One side of a diagram: its blocks of axes, ordered by kind and first axis, and which of them go on to the other side."""

    blocks: tuple[tuple[int, ...], ...]
    kept: tuple[int, ...]
    gone: str
    """The kinds of the blocks that end here: one sum, or one broadcast, for each letter."""


@dataclass(frozen=True)
class Level:
    """All diagrams in which the same kinds of indices are carried over: every source to every target, permuted in every way.

    perms[p][t] is the place among the kept blocks of the source that the t-th kept block of the target gets its index from.
    """

    sources: tuple[Side, ...]
    targets: tuple[Side, ...]
    perms: tuple[Word, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.targets), len(self.perms), len(self.sources)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def permutes_sources(self) -> bool:
        """The side with fewer tensors is the one to permute."""
        return len(self.sources) < len(self.targets)

    @functools.cached_property
    def back(self) -> tuple[Word, ...]:
        """The inverses of the permutations."""
        return tuple(tuple(sorted(range(len(p)), key=p.__getitem__)) for p in self.perms)

    @functools.cached_property
    def T(self) -> Level:
        return Level(self.targets, self.sources, self.back)


@dataclass(frozen=True)
class Diagrams:
    """The diagrams from axes `ins` to axes `outs`: level by level, those that carry most indices over first, and in each level by target,
    permutation and source. words: their partitions of outs + ins, output axes first."""

    ins: str
    outs: str
    words: tuple[Word, ...]
    levels: tuple[Level, ...]

    @functools.cached_property
    def T(self) -> tuple[Level, ...]:
        """The levels of the transposed maps."""
        return tuple(level.T for level in self.levels)

    @functools.cached_property
    def sums(self) -> tuple[str, ...]:
        """For every diagram the kinds that it sums over."""
        return tuple(s.gone for level in self.levels for _, _, s in itertools.product(level.targets, level.perms, level.sources))


def whole(kinds: str) -> tuple[tuple[int, ...], ...]:
    """Every axis in a block of its own, in the order of blocks."""
    return tuple((a,) for a in sorted(range(len(kinds)), key=lambda a: (kinds[a], a)))


def _side(kinds: str, labels: list[tuple[str, int]], shared: set[tuple[str, int]]) -> tuple[Side, list[tuple[str, int]]]:
    """The side with these labels on its axes, and the labels of its kept blocks."""
    axes: dict[tuple[str, int], list[int]] = {}
    for axis, label in enumerate(labels):
        axes.setdefault(label, []).append(axis)
    blocks = sorted(axes.items(), key=lambda item: (item[0][0], item[1][0]))
    kept = tuple(i for i, (label, _) in enumerate(blocks) if label in shared)
    gone = "".join(label[0] for label, _ in blocks if label not in shared)
    return Side(tuple(tuple(a) for _, a in blocks), kept, gone), [blocks[i][0] for i in kept]


@functools.lru_cache(maxsize=64)
def diagrams(ins: str, outs: str) -> Diagrams:
    """The diagrams between these axes. There are as many as partitions: products of Bell numbers."""
    levels: dict[str, tuple[dict[Side, int], dict[Word, int], dict[Side, int], dict[Word, Word]]] = {}
    for word in partitions_of_axes(outs + ins):
        labels = list(zip(outs + ins, word))
        above, below = labels[: len(outs)], labels[len(outs) :]
        shared = set(above) & set(below)
        target, to = _side(outs, above, shared)
        source, of = _side(ins, below, shared)
        perm = tuple(of.index(label) for label in to)
        targets, perms, sources, found = levels.setdefault("".join(kind for kind, _ in to), ({}, {}, {}, {}))
        place = tuple(group.setdefault(key, len(group)) for group, key in ((targets, target), (perms, perm), (sources, source)))  # type: ignore[attr-defined]
        found[place] = word
    ordered = [levels[key] for key in sorted(levels, key=lambda key: (-len(key), key))]
    words = tuple(found[place] for *_, found in ordered for place in sorted(found))
    return Diagrams(ins, outs, words, tuple(Level(tuple(sources), tuple(targets), tuple(perms)) for targets, perms, sources, _ in ordered))
