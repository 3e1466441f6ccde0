"""The facts of representations that layers of every package ask for: their summands as blocks of features, and whether
the group acts by orthogonal matrices."""

from __future__ import annotations

import itertools
import numbers
import re
from typing import Any, NamedTuple

from . import DomainError, Group, Matrix, Representation
from ._kinds import is_classical, is_finite

__all__ = [
    "Block", "Entries", "blocks_of", "entries_of", "integer", "is_orthogonal", "keeps_standard", "not_real", "one_group",
    "require_representations", "slots", "type_of",
]  # fmt: skip

Entries = tuple[tuple[int, int, Any], ...]
"""The entries of a matrix: row, column, number."""


def integer(name: str, value: Any, least: int, positive: str = "a positive integer") -> int:
    """The value, if it is an integer and no smaller; otherwise DomainError. positive: what it is called if it is no
    smaller than 1."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < least:
        raise DomainError(f"{name} is {positive if least == 1 else f'an integer of at least {least}'}, not {value!r}")
    return int(value)


def one_group(V: Representation, U: Representation, where: str = "") -> None:
    """DomainError if the representations are those of different groups."""
    if V.group != U.group:
        raise DomainError(f"{where}{V} and {U} are representations of different groups")


def require_representations(*representations: Any) -> None:
    """DomainError for what has no matrices."""
    for R in representations:
        if not isinstance(R, Representation) or not R.has_matrices:
            raise DomainError(
                "an element acts by the matrices of a representation such as Group('S4').rep('perm'), and"
                f" {R!r} has none"
            )


def slots(V: Representation) -> list[tuple[slice, Representation]]:
    """The summands of V, one by one, as they are written."""
    require_representations(V)
    return list(V.slices())


class Block(NamedTuple):
    """`copies` of R, whose coordinates begin at `start`: the first copy, then the next."""

    R: Representation
    copies: int
    start: int
    dimension: int  # of one copy: a number that torch.compile sees

    @property
    def size(self) -> int:
        """Of all copies."""
        return self.copies * self.dimension


def type_of(V: Representation | str, numbered: bool = False) -> Representation:
    """V, or the representation of O(3) that a text such as "8x0e + 4x1o" names. numbered: instructions name summands by
    their numbers, and a summand without copies, 0x1o, has none."""
    if isinstance(V, str):
        if numbered and re.search(r"(?<![0-9])0x", V):
            raise DomainError(f"{V!r} names a summand without copies, which has no number here; leave it out")
        return Group("O(3)").rep(V)
    require_representations(V)
    return V


def blocks_of(V: Representation) -> list[Block]:
    """The summands of V as they are written: "8*trivial + 4*vector" has two blocks, and "vector + vector" has two."""
    found = slots(V)
    written = [(m, R) for m, R in V.summands() if m and R.dimension]
    if [R for m, R in written for _ in range(m)] != [R for _, R in found]:  # brackets with multiplicities
        written = [(len(list(run)), R) for R, run in itertools.groupby(R for _, R in found)]
    starts = itertools.accumulate((m * R.dimension for m, R in written), initial=0)
    return [Block(R, m, start, R.dimension) for (m, R), start in zip(written, starts)]


def not_real(V: Representation) -> str:
    """What is said of a representation of a complex classical group, where matrices have to be real."""
    return f"the matrices of {V} of {V.group.name} are not real; fields are those of V.real(), and of real groups such as SO(3)"


def entries_of(V: Representation) -> tuple[list[list[tuple[int, int, Any]]], list[bool]]:
    """The entries of the generators, and for each: is it one of a Lie algebra?"""
    if isinstance(V, Representation) and not V.has_matrices:
        V.generator_matrices()  # says why there are none
    if is_classical(V):
        return [m.entries() for m in V.generator_matrices()], [
            " Lie algebra " in name for name in V.group.generator_names
        ]
    if not isinstance(V, Representation):
        raise DomainError(f"a field is of the type of a representation, not {V!r}")
    return [V.matrix(g).entries() for g in V.group.generators], [False for _ in V.group.generators]


def is_orthogonal(V: Representation) -> bool:
    """Does the group act by orthogonal matrices? Exactly, from its generators. DomainError if it is continuous and they
    are not real."""
    if is_finite(V) and V.is_monomial:
        return True
    if is_classical(V) and V.is_complex:
        raise DomainError(not_real(V))
    generators, algebra = entries_of(V)
    return all(keeps_standard(tuple(entries), V.dimension, lie) for entries, lie in zip(generators, algebra))


def keeps_standard(entries: Entries, n: int, lie: bool) -> bool:
    """Is the matrix orthogonal, or that of a Lie algebra antisymmetric?"""
    A = Matrix.from_entries(n, n, list(entries))
    return A.T == -A if lie else A.T @ A == Matrix.identity(n)
