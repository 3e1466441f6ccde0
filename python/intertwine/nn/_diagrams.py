"""Maps between tensors that a group acts on axis by axis, as diagrams: exact, and for all sizes of the group at once.

Axes run over sets; a letter says over which: "aa" are the entries of a graph's matrix, "ui" those of a matrix of users
and items. A diagram from `ins` to `outs` is a partition of all axes into blocks of one kind each. As a matrix it has
ones where the indices within every block agree: blocks of input axes only are summed over, blocks of output axes only
are broadcast, and blocks of both carry an index over. Diagrams are a basis of the maps that every relabelling commutes
with where the sets have as many points as there are axes of their kind (Jones 1994; as layers: Maron et al. 2019).
Other groups than permutations have some of these diagrams (_families.py), with two changes: Sp(n) puts its form where
two axes of one side are paired, and SO(n) and SL(n) have blocks of n axes on which the diagram is the determinant's
tensor.

The other basis for permutations is that of the orbits, which weight tables have: ones where indices within blocks agree
and those of different blocks of a kind differ. A diagram is the sum of the orbits of all coarser partitions; Moebius
inversion on the partitions is the way back.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .. import DomainError
from ..tables import DiagramTable
from ..tables import diagrams as every_diagram
from ._families import EVERY_SET, Family, Word

__all__ = [
    "ACROSS", "Block", "Blocks", "Diagrams", "Level", "Side", "between_sizes", "coarser", "commutes", "diagrams", "dual", "entry", "expansion", "in_basis",
    "parity", "partitions_of_axes", "table", "whole", "words",
]  # fmt: skip

Block = tuple[Word, str]
"""Axes, and what is there: "=" ones where indices agree; "w" the symplectic form; "e" and "s" the determinant's tensor,
on outputs and on inputs."""
Blocks = tuple[Block, ...]

ACROSS = ("padding", "restriction", "duplication", "averaging")
"""Maps between sizes: zeros appended, points dropped, every point several times, means over such copies."""


def dual(kind: str) -> str:
    """The kind of the other axes over the same space, where a group tells them apart: dual ones, those of B(n) on which
    signs do not act."""
    return kind.upper()


# --- Words -------------------------------------------------------------------------------------------------------------------


def _signs(ins: str, outs: str, letter: str, family: Family) -> tuple[list[int], Word]:
    """The axes of a letter, and the signs that its family looks at."""
    axes = [axis for axis, kind in enumerate(outs + ins) if kind.lower() == letter]
    return axes, tuple(family.sign((outs + ins)[axis] == letter, axis < len(outs)) for axis in axes)


def _families(kinds: str, families: tuple[Family, ...]) -> list[tuple[str, Family]]:
    """The letters and their groups, in order; every one is S(n) where nothing is said."""
    letters = sorted(set(kinds.lower()))
    by_place = {chr(97 + i): family for i, family in enumerate(families)}
    return [(letter, by_place.get(letter, EVERY_SET)) for letter in letters]


@functools.lru_cache(maxsize=64)
def table(ins: str, outs: str, families: tuple[Family, ...] = (), reduction: str = "mean") -> DiagramTable:
    """All diagrams, one channel."""
    groups = dict(_families(outs + ins, families))
    marked = {letter.upper(): letter + ("+" if family.name == "B" else "*") for letter, family in groups.items()}
    of_x, of_y = ("".join(marked.get(kind, kind) for kind in word) for word in (ins, outs))
    return every_diagram({letter: str(family) for letter, family in groups.items()}, of_x, of_y, reduction=reduction)


def words(ins: str, outs: str, families: tuple[Family, ...] = ()) -> list[Word]:
    """Their words, in lexicographic order."""
    return list(map(tuple, table(ins, outs, families).diagrams.tolist()))


def in_basis(word: Word, ins: str, outs: str, families: tuple[Family, ...], sizes: Mapping[str, int]) -> bool:
    """Is the diagram one of the basis at these sizes? Letters that are missing ask nothing."""
    for letter, family in _families(outs + ins, families):
        if letter in sizes:
            axes, signs = _signs(ins, outs, letter, family)
            if not family.independent(signs, sizes[letter]) and tuple(word[axis] for axis in axes) not in family.basis(
                signs, sizes[letter]
            ):
                return False
    return True


def expansion(
    word: Word, ins: str, outs: str, families: tuple[Family, ...], sizes: Mapping[str, int]
) -> dict[Word, Fraction]:
    """The diagram as a combination of those of the basis, at these sizes of the letters; those that are missing stay
    free."""
    found: dict[Word, Fraction] = {word: Fraction(1)}
    for letter, family in _families(outs + ins, families):
        if letter in sizes:
            axes, signs = _signs(ins, outs, letter, family)
            part = family.expansions(signs, sizes[letter])[tuple(word[axis] for axis in axes)]
            spread = {}
            for other, c in found.items():
                for piece, factor in part.items():
                    new = list(other)
                    for axis, block in zip(axes, piece):
                        new[axis] = block
                    spread[tuple(new)] = c * factor
            found = spread
    return found


def entry(
    word: Word, ins: str, outs: str, families: tuple[Family, ...], index: Sequence[int], sizes: Mapping[str, int]
) -> int:
    """The diagram's entry at an index for every axis, those of the output first."""
    kinds = outs + ins
    groups = dict(_families(kinds, families))
    blocks: dict[tuple[str, int], list[int]] = {}
    for axis, (kind, block) in enumerate(zip(kinds, word)):
        blocks.setdefault((kind.lower(), block), []).append(axis)
    value = 1
    for (letter, number), axes in blocks.items():
        at = [index[axis] for axis in axes]
        if number < 0:
            value *= parity(at) if len(set(at)) == len(at) else 0
        elif groups[letter].name == "Sp" and (axes[0] < len(outs)) == (axes[1] < len(outs)):
            value *= (at[1] - at[0] == sizes[letter] // 2) - (at[0] - at[1] == sizes[letter] // 2)
        else:
            value *= len(set(at)) == 1
        if not value:
            break
    return value


def parity(order: Sequence[int]) -> int:
    """The sign of the permutation that sorts these."""
    return 1 - 2 * (sum(a > b for a, b in itertools.combinations(order, 2)) % 2)


@functools.lru_cache(maxsize=256)
def partitions_of_axes(kinds: str) -> tuple[Word, ...]:
    """The partitions as words: the number of every axis's block among those of its kind, in the order in which they
    first occur.

    They are in lexicographic order, which is that of the orbits in a weight table: a word is the smallest entry of its
    orbit.
    """
    return tuple(words("", kinds))


@functools.lru_cache(maxsize=32)
def _merged(blocks: int) -> tuple[tuple[Word, int], ...]:
    """The partitions of so many blocks, each with (-1)^(m-1) (m-1)! for every m blocks that become one."""
    words = partitions_of_axes("a" * blocks)
    return tuple(
        (word, math.prod((-1) ** (m - 1) * math.factorial(m - 1) for m in Counter(word).values())) for word in words
    )


def coarser(word: Word, kinds: str) -> Iterator[tuple[Word, int]]:
    """All partitions whose blocks are made of whole blocks of this one, itself among them, and the Moebius function of
    both."""
    letters = sorted(set(kinds))
    blocks = [1 + max(block for kind, block in zip(kinds, word) if kind == letter) for letter in letters]
    for choice in itertools.product(*map(_merged, blocks)):
        to = dict(zip(letters, choice))
        yield tuple(to[kind][0][block] for kind, block in zip(kinds, word)), math.prod(sign for _, sign in choice)


@dataclass(frozen=True)
class Side:
    """One side of a diagram: its blocks of axes, ordered by kind and first axis, and which of them go on to the other
    side."""

    blocks: Blocks
    kept: tuple[int, ...]
    gone: str
    """The kinds of the blocks that end here: one sum, or one broadcast, for each letter. The determinant's block is
    none of them."""


def between_sizes(across: str | Sequence[str]) -> tuple[str, ...]:
    """Names of maps between sizes, checked and in a fixed order."""
    asked = tuple(across) if isinstance(across, Sequence) and not isinstance(across, str) else (across,)
    for name in asked:
        if name not in ACROSS:
            raise DomainError(f"the maps between sizes {name!r} are not known; there are {', '.join(ACROSS)}")
    return tuple(name for name in ACROSS if name in asked)


def commutes(across: str, target: Side, source: Side, ins: str, outs: str, mean: bool, fixed: frozenset[str]) -> bool:
    """Does a diagram commute with such maps between all sizes? fixed: letters of one size.

    With E for more points, n becoming m n where there are copies: broadcasts reach what padding leaves zero; sums see
    what restriction drops, and means the number of zeros; copies of indices that agree in y (or, for averaging, in x)
    do not agree; averaging divides by m for each further axis of y that agrees with one, while a plain sum has m times
    as many terms.
    """

    def free(side: Side, kinds: str) -> list[tuple[int, bool]]:
        """Of every block the number of its axes, and whether it ends here."""
        return [
            (len(axes), i not in side.kept)
            for i, (axes, _) in enumerate(side.blocks)
            if kinds[axes[0]].lower() not in fixed
        ]

    above, below = free(target, outs), free(source, ins)
    sums = sum(gone for _, gone in below)
    if across == "padding":
        return not any(gone for _, gone in above) and not (mean and sums)
    if across == "restriction":
        return not sums
    if across == "duplication":
        return all(size == 1 for size, _ in above) and (mean or not sums)
    return all(size == 1 for size, _ in below) and sum(size - 1 for size, _ in above) == (0 if mean else sums)


@dataclass(frozen=True)
class Level:
    """All diagrams in which the same kinds of indices are carried over: every source to every target, permuted in every
    way.

    perms[p][t] is the place among the kept blocks of the source that the t-th kept block of the target gets its index
    from.
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
    """The diagrams from axes `ins` to axes `outs`: level by level, those that carry most indices over first, and in
    each level by target, permutation and source. words: their partitions of outs + ins, output axes first."""

    ins: str
    outs: str
    words: tuple[Word, ...]
    levels: tuple[Level, ...]
    bias: tuple[Side, ...]
    """Targets that nothing is carried to: those of a bias, with their words."""
    bias_words: tuple[Word, ...]

    @functools.cached_property
    def T(self) -> tuple[Level, ...]:
        """The levels of the transposed maps."""
        return tuple(level.T for level in self.levels)

    @functools.cached_property
    def sums(self) -> tuple[str, ...]:
        """For every diagram the kinds that it sums over."""
        return tuple(
            s.gone for level in self.levels for _, _, s in itertools.product(level.targets, level.perms, level.sources)
        )

    @functools.cached_property
    def sides(self) -> tuple[tuple[Side, Side], ...]:
        """For every diagram its target and its source."""
        return tuple(
            (t, s) for level in self.levels for t, _, s in itertools.product(level.targets, level.perms, level.sources)
        )


def whole(kinds: str) -> Blocks:
    """Every axis in a block of its own, in the order of blocks."""
    return tuple(
        ((a,), "=") for a in sorted(range(len(kinds)), key=lambda a: (kinds[a].lower(), kinds[a].isupper(), a))
    )


def _side(
    kinds: str,
    labels: list[tuple[str, int]],
    shared: set[tuple[str, int]],
    families: Mapping[str, Family],
    taken: Mapping[tuple[str, int], int],
    outputs: bool,
) -> tuple[Side, list[tuple[str, tuple[str, int]]]]:
    """The side with these labels on its axes, and the kinds and labels of its kept blocks.

    Blocks of one kind can be carried to one another: letters, by parity for signed permutations, vectors and duals; for
    the determinant by the number of its axes on the side of the input (taken), which is the length of what is carried.
    """
    axes: dict[tuple[str, int], list[int]] = {}
    for axis, label in enumerate(labels):
        axes.setdefault(label, []).append(axis)

    def kind(label: tuple[str, int]) -> str:
        letter, number = label
        family = families[letter]
        if number < 0:
            return f"{letter}~{taken[label]}"
        if family.name == "B":
            return letter + "-" * (sum(kinds[axis] == letter for axis in axes[label]) % 2)
        return letter + "*" * (len(axes[label]) == 1 and kinds[axes[label][0]] != letter)

    def form(label: tuple[str, int]) -> str:
        if label[1] < 0:
            return "e" if outputs else "s"
        return "w" if families[label[0]].name == "Sp" and len(axes[label]) == 2 else "="

    blocks = sorted(axes, key=lambda label: (kind(label), axes[label][0]))
    kept = tuple(i for i, label in enumerate(blocks) if label in shared)
    gone = "".join(letter for letter, number in blocks if (letter, number) not in shared and number >= 0)
    side = Side(tuple((tuple(axes[label]), form(label)) for label in blocks), kept, gone)
    return side, [(kind(blocks[i]), blocks[i]) for i in kept]


@functools.lru_cache(maxsize=64)
def diagrams(
    ins: str, outs: str, families: tuple[Family, ...] = (), across: tuple[str, ...] = (), mean: bool = True
) -> Diagrams:
    """The diagrams between these axes: those of the groups, a family for each of the letters a, b, ... There are as
    many as partitions for sets: products of Bell numbers. across: only those whose sides are sides of diagrams that
    commute with such maps between sizes, sums being means or not."""
    groups = dict(_families(outs + ins, families))
    fixed = frozenset(letter for letter, family in groups.items() if family.size is not None)
    found = []
    needed: set[tuple[Any, Side]] = set()
    for word in words(ins, outs, families):
        labels = [(kind.lower(), block) for kind, block in zip(outs + ins, word)]
        above, below = labels[: len(outs)], labels[len(outs) :]
        shared = set(above) & set(below)
        taken = {label: below.count(label) for label in labels if label[1] < 0}
        target, to = _side(outs, above, shared, groups, taken, True)
        source, of = _side(ins, below, shared, groups, taken, False)
        perm = tuple(of.index(label) for label in to)
        # How determinants are divided between the sides is a level of its own: otherwise a target and a source could
        # have too many, or too few.
        key = (tuple(kind for kind, _ in to), tuple(sorted((letter, length) for (letter, _), length in taken.items())))
        found.append((word, key, target, perm, source))
        if all(commutes(a, target, source, ins, outs, mean, fixed) for a in across):
            needed |= {(key, target), (key, source)}
    levels: dict[Any, tuple[dict[Side, int], dict[Word, int], dict[Side, int], dict[Word, Word]]] = {}
    for word, key, target, perm, source in found:
        if (key, target) in needed and (key, source) in needed:
            targets, perms, sources, at = levels.setdefault(key, ({}, {}, {}, {}))
            at[
                targets.setdefault(target, len(targets)),
                perms.setdefault(perm, len(perms)),
                sources.setdefault(source, len(sources)),
            ] = word
    ordered = [levels[key] for key in sorted(levels, key=lambda key: (-len(key[0]), key))]
    in_order = tuple(at[place] for *_, at in ordered for place in sorted(at))
    made = tuple(Level(tuple(sources), tuple(targets), tuple(perms)) for targets, perms, sources, _ in ordered)
    if ins:
        constants = diagrams("", outs, families, across, mean)
        return Diagrams(ins, outs, in_order, made, constants.bias, constants.bias_words)
    return Diagrams(ins, outs, in_order, made, tuple(target for level in made for target in level.targets), in_order)
