"""Exact numbers from elsewhere: cyclotomic numbers of SymPy, and what exact number a float may stand for."""

from __future__ import annotations

import math
from collections.abc import Iterator
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


def exact_offer(number: Any) -> str:
    """What to write for a float, as Python takes it: 1, Fraction(1, 3), 'sqrt(3)/2', 'cos(2*pi/7)'. The shortest of
    those that agree with it to as many digits as it is written with; where there is none, the decimal number itself."""
    value = float(number)
    text = str(number)
    try:
        float(text)
    except ValueError:
        text = repr(value)
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    digits = len(mantissa.replace(".", "").strip("+-").lstrip("0"))
    # Full doubles were computed; others were cut off, or rounded to a shorter type.
    slack = 4 * math.ulp(value) if digits >= 15 else 1.5 * 10.0**-decimals
    exact = Fraction(text)
    found = []
    simple = exact if exact.denominator <= 1000 and digits < 15 else Fraction(value).limit_denominator(1000)
    if abs(simple - exact) <= Fraction(slack) and abs(value) < 1e16 and (simple or not exact):
        shown = str(simple)
        found.append((len(shown), 0, shown if simple.denominator == 1 else repr(simple)))
    if digits >= 6:  # with less, something near is found for every number
        found += [(len(shown), 1, repr(shown)) for shown, near in _surds(abs(value)) if abs(near - abs(value)) <= slack]
    if not found:
        return f"Fraction('{text}')"
    best = min(found)
    return best[2] if value >= 0 or best[1] == 0 else "'-" + best[2][1:]


def _surds(size: float) -> Iterator[tuple[str, float]]:
    """Texts of positive numbers of the size of this one, and their values: p sqrt(n)/q, (p + sqrt(n))/q, cos(2 pi k/n)."""
    for n in (2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19, 21):
        root = math.sqrt(n)
        for q in range(1, 13):
            under = f"/{q}" if q > 1 else ""
            if p := round(size * q / root):
                if math.gcd(p, q) == 1:
                    yield f"{p}*sqrt({n}){under}" if p > 1 else f"sqrt({n}){under}", p * root / q
            for sign, shown in ((1, "+"), (-1, "-")):
                p = round(size * q - sign * root)
                if p and abs(p) <= 20:
                    whole = f"{p}{shown}sqrt({n})"
                    yield f"({whole}){under}" if under else whole, (p + sign * root) / q
    for n in (n for n in range(7, 41) if n not in (8, 10, 12)):  # those have square roots
        k = round(math.acos(min(size, 1.0)) * n / (2 * math.pi))
        if k and math.gcd(k, n) == 1:
            yield (
                f"cos({2 * k}*pi/{n})" if n % 2 else f"cos({k}*pi/{n // 2})" if k > 1 else f"cos(pi/{n // 2})",
                math.cos(2 * math.pi * k / n),
            )
