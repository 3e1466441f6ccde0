"""Layers of every size at one size: the representations whose weight table they have there, and the change between the
parameters of diagrams and those of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .. import DomainError, Group
from ._diagrams import entry
from ._families import Family, Word, coordinates
from ._orbits import to_diagrams, to_orbits

__all__ = ["Change", "of_elements", "of_orbits", "representations"]

Change = tuple[Tensor, Tensor]
"""The matrix that takes parameters of diagrams to those of a table, and one that takes them back."""


def representations(ins: str, outs: str, families: Mapping[str, Family], sizes: Mapping[str, int]) -> tuple[Any, Any]:
    """The representations on the axes of the input and of the output, of the product of the families' groups.

    Throws DomainError for layers without axes, and for those that no table of real numbers describes."""
    if not sizes:
        raise DomainError("a layer between tensors without axes is torch.nn.Linear")
    for family in families.values():
        if family.name in ("U", "SU"):
            real = "GL" if family.name == "U" else "SL"
            raise DomainError(
                f"tables of {family.name}(n) act on complex numbers, and layers of tables have real ones: ask for"
                f" {real}(n), which has the same diagrams"
            )
    kinds = sorted(sizes)
    names = [
        f"{families[kind].name}{sizes[kind]}" if not families[kind].pairs else f"{families[kind].name}({sizes[kind]})"
        for kind in kinds
    ]
    group: Any = Group(" x ".join(names))
    vector = {kind: {"S": "perm", "B": "coordinates"}.get(families[kind].name, "vector") for kind in kinds}
    if any(kind.isupper() and families[kind.lower()].name == "B" for kind in outs + ins):
        raise DomainError(
            "tables have no representation of B(n) for axes without signs: a layer with such axes has no table of one"
            " size"
        )

    def representation(word: str) -> Any:
        own = [f"dual({vector[kind.lower()]})" if kind != kind.lower() else vector[kind] for kind in word]
        factors = [
            " # ".join(name if other == kind.lower() else "trivial" for other in kinds) for kind, name in zip(word, own)
        ]
        return group.rep("*".join(f"({f})" for f in factors) if factors else " # ".join(["trivial"] * len(kinds)))

    return representation(ins), representation(outs)


def of_orbits(words: Sequence[Word], kinds: str, sizes: Mapping[str, int], scale: Tensor) -> Change:
    """The change to a table of permutations of sets, whose parameters belong to orbits."""
    forth, back = (torch.from_numpy(change(words, kinds, sizes)).double() for change in (to_orbits, to_diagrams))
    return forth * scale, back / scale[:, None]


def of_elements(
    words: Sequence[Word],
    ins: str,
    outs: str,
    families: tuple[Family, ...],
    sizes: Mapping[str, int],
    elements: Sequence[Any],
    scale: Tensor,
) -> Change:
    """The change to a table of any group, from the exact elements of the table. The way back is the inverse or, where
    there are several, the smallest solution."""
    lengths = [sizes[kind.lower()] for kind in outs + ins]

    def entries(row: int, column: int) -> list[int]:
        index = []
        for place, axes in ((column, lengths[len(outs) :]), (row, lengths[: len(outs)])):
            for length in reversed(axes):
                place, last = divmod(place, length)
                index.append(last)
        index.reverse()
        return [entry(word, ins, outs, families, index, sizes) for word in words]

    forth = torch.tensor([[float(c) for c in line] for line in coordinates(elements, entries)], dtype=torch.float64)
    forth = forth.reshape(len(elements), len(words)) * scale
    return forth, torch.linalg.pinv(forth)
