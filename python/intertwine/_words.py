"""Words of operators of several parties that commute."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ._errors import DomainError

Word = tuple[int, ...]
Image = list[tuple[int, int]]  # of every operator its image and the sign


@dataclass(frozen=True)
class Algebra:
    """Operators by number. Those of different parties commute, and each has the square 1; with several outcomes they are
    projectors, those of one setting orthogonal to each other."""

    names: tuple[str, ...]
    party: tuple[str, ...]
    setting: tuple[str, ...]
    signs: bool  # squares are 1

    def normal(self, word: Iterable[int]) -> Word | None:
        """The word party by party without squares; None for 0."""
        stacks: dict[str, list[int]] = {}
        for x in word:
            own = stacks.setdefault(self.party[x], [])
            if own and self.setting[own[-1]] == self.setting[x]:
                if own[-1] != x:
                    return None
                if self.signs:
                    own.pop()
            else:
                own.append(x)
        return tuple(x for p in sorted(stacks) for x in stacks[p])

    def real(self, word: Word) -> Word:
        """The first one of a word and its adjoint, whose expectations have one real part."""
        other = self.normal(reversed(word))
        return word if other is None else min(word, other)

    def moved(self, word: Word, image: Image) -> tuple[Word, int]:
        """The image of a word and its sign."""
        sign = 1
        for x in word:
            sign *= image[x][1]
        found = self.normal(image[x][0] for x in word)
        if found is None:
            raise DomainError("the group takes a product of operators to 0")
        return found, sign
