"""Exact numbers from elsewhere: cyclotomic numbers of SymPy."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import Cyclotomic

    Exact = int | Fraction | Cyclotomic


def number_from_sympy(number: Any) -> Exact | None:
    """The same number; nothing for a float of SymPy. DomainError for what is in no cyclotomic field, or not seen to be."""
    from ._errors import DomainError

    if number.is_Float:
        return None
    shown = str(number)
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    if number.free_symbols:
        raise DomainError(
            f"{shown} has the symbol {min(map(str, number.free_symbols))}: substitute a number, {shown}.subs({{…}})"
        )
    try:
        return _value(number)
    except NotImplementedError as fault:
        raise DomainError(
            f"{shown} is not taken for an exact number: {fault}; numbers are sums, products, powers and square roots of rationals, I, GoldenRatio, "
            "and exp, cos and sin of rational multiples of pi"
        ) from None


def _value(x: Any) -> Exact:
    """NotImplementedError says why not."""
    import sympy

    from . import Cyclotomic, E, ParseError

    if x.is_Rational:
        return Fraction(int(x.p), int(x.q))
    if x is sympy.I:
        return E(4)
    if x is sympy.GoldenRatio:
        return Cyclotomic("(1+sqrt(5))/2")
    if x.is_Add:
        return sum((_value(part) for part in x.args), 0)
    if x.is_Mul:
        return math.prod((_value(part) for part in x.args), start=1)
    if isinstance(x, sympy.exp):
        turns = x.args[0] / (2 * sympy.pi * sympy.I)
        if turns.is_Rational:
            return E(int(turns.q), int(turns.p))
        raise NotImplementedError(f"{x} is no root of unity")
    if (
        isinstance(x, sympy.functions.elementary.trigonometric.TrigonometricFunction)
        and (x.args[0] / sympy.pi).is_Rational
    ):
        return _value(x.rewrite(sympy.exp))
    if x.is_Pow and x.exp.is_Rational:
        base, p, q = x.base, int(x.exp.p), int(x.exp.q)
        if base == -1:
            return E(2 * q, p)
        root = _value(base)
        if q & (q - 1):
            raise NotImplementedError(f"roots of order {q} are taken of -1 alone")
        while q > 1:
            try:
                root, q = Cyclotomic(f"sqrt({root})"), q // 2
            except ParseError as fault:
                raise NotImplementedError(str(fault.args[0])) from None
        return root**p
    raise NotImplementedError(f"{x} is not known to lie in a cyclotomic field")
