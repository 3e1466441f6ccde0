"""Sums of square roots of rational numbers, exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

__all__ = ["Surd"]


def _squarefree(n: int) -> tuple[int, int]:
    """n = r^2 s with s squarefree: (r, s). By trial division, for products of small primes."""
    r, s, p = 1, 1, 2
    while p * p <= n:
        power = 0
        while n % p == 0:
            n //= p
            power += 1
        r *= p ** (power // 2)
        s *= p ** (power % 2)
        p += 1
    return r, s * n


class Surd:
    """A sum of c_s sqrt(s) over squarefree s with rational c_s. These roots are independent over the rationals, so that
    two sums are equal where their coefficients are."""

    __slots__ = ("parts",)

    def __init__(self, parts: Mapping[int, Fraction | int] | int | Fraction = 0) -> None:
        given = parts if isinstance(parts, Mapping) else {1: parts}
        self.parts = {s: Fraction(c) for s, c in sorted(given.items()) if c != 0}

    @staticmethod
    def of(root: Any) -> Surd:
        """A SignedRoot."""
        square = Fraction(root.square)
        r, s = _squarefree(square.numerator * square.denominator)
        return Surd({s: root.sign * Fraction(r, square.denominator)})

    @property
    def is_rational(self) -> bool:
        """Is there no root?"""
        return set(self.parts) <= {1}

    def __add__(self, other: Any) -> Surd:
        other = _surd(other)
        return Surd({s: self.parts.get(s, 0) + other.parts.get(s, 0) for s in {*self.parts, *other.parts}})

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return self * -1

    def __sub__(self, other: Any) -> Surd:
        return self + -_surd(other)

    def __mul__(self, other: Any) -> Surd:
        found: dict[int, Fraction] = {}
        for s, c in self.parts.items():
            for t, d in _surd(other).parts.items():
                common = math.gcd(s, t)
                rest = s // common * (t // common)
                found[rest] = found.get(rest, Fraction(0)) + c * d * common
        return Surd(found)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Surd, int, Fraction)):
            return NotImplemented
        return self.parts == _surd(other).parts

    def __hash__(self) -> int:
        return hash(self.parts.get(1, Fraction(0)) if self.is_rational else tuple(self.parts.items()))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __float__(self) -> float:
        return math.fsum(float(c) * math.sqrt(s) for s, c in self.parts.items())

    def __complex__(self) -> complex:
        return complex(float(self))

    def __str__(self) -> str:
        terms = [str(c) if s == 1 else f"{c}*sqrt({s})" for s, c in self.parts.items()]
        return " + ".join(terms).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"Surd({self})"

    def to_dict(self) -> dict[str, Any]:
        """{"roots": [["c", s], ...]}: the sum of c sqrt(s)."""
        return {"roots": [[str(c), s] for s, c in self.parts.items()]}

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> Surd:
        """What to_dict gave."""
        return Surd({int(s): Fraction(c) for c, s in document["roots"]})


def _surd(x: Any) -> Surd:
    return x if isinstance(x, Surd) else Surd(x)
