"""Exact numbers of abelian number fields, for the checkers: sums of roots of unity, Fractions for coordinates.
Standard library alone."""

import functools
import math
import re
from fractions import Fraction

from reading import demand, readable

TERM = re.compile(r"([+-]?)(?:(\d+(?:/\d+)?)(?:\*E\((\d+)\)(?:\^(\d+))?)?|E\((\d+)\)(?:\^(\d+))?)", re.ASCII)
BITS = 1024  # of real numbers, behind the point


def divided(x, y):
    """Quotient and remainder of polynomials, constant term first; y is monic."""
    x, out = list(x), []
    while len(x) >= len(y):
        out.insert(0, x.pop())
        for i, c in enumerate(y[:-1]):
            x[len(x) - len(y) + 1 + i] -= out[0] * c
    return out, x + [0] * (len(y) - 1 - len(x))


def product(x, y):
    out = [0] * (len(x) + len(y) - 1)
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            out[i + j] += a * b
    return out


@functools.cache
def cyclotomic(n):
    """The minimal polynomial of E(n) = exp(2 pi i / n): the product of (x^d - 1)^mu(n / d), d | n."""
    out, signs = [1], [(d, mobius(n // d)) for d in range(1, n + 1) if n % d == 0]
    for d in (d for d, sign in signs if sign > 0):
        out = [a - b for a, b in zip([0] * d + out, out + [0] * d)]
    for d in (d for d, sign in signs if sign < 0):
        for i in range(len(out) - d):  # the quotient by x^d - 1, from the constant term on
            out[i] = (out[i - d] if i >= d else 0) - out[i]
        del out[len(out) - d :]
    return out


def mobius(n):
    """The Moebius function: 0 for multiples of squares, otherwise 1 or -1 as the number of primes in n is even or
    odd."""
    sign = 1
    for p in range(2, n + 1):
        if n % p == 0:
            n, sign = n // p, -sign
            if n % p == 0:
                return 0
    return sign


def terms(text):
    """[(coefficient, order n of the root of unity, exponent)] of a sum such as "-E(5)^2+1/2*E(5)"."""
    out, place = [], 0
    readable(type(text) is str, "a number is no text")
    while place < len(text) or not out:
        found = TERM.match(text, place)
        readable(found and (found[1] or not out), f"{text[:80]} is no sum of roots of unity")
        above, _, below = (found[2] or "1").partition("/")
        readable(int(below or 1), f"{text[:80]} has the denominator 0")
        n = int(found[3] or found[5] or 1)
        readable(
            0 < n <= 10_000, f"{text[:80]} needs roots of unity of order {n}, and this checker takes them up to 10000"
        )
        factor = Fraction(int(above), int(below or 1))
        out.append((-factor if found[1] == "-" else factor, n, int(found[4] or found[6] or 1)))
        place = found.end()
    return out


def cosine(k, n):
    """cos(2 pi k / n) times 2^BITS, to some units: by Machin's formula and the series, in integers."""
    one = 1 << (BITS + 64)

    def arctangent(x):
        total, power, i = 0, one // x, 0
        while power:
            total, power, i = (
                total + (power // (2 * i + 1) if i % 2 == 0 else -(power // (2 * i + 1))),
                power // x**2,
                i + 1,
            )
        return total

    angle = 8 * (4 * arctangent(5) - arctangent(239)) * (k % n) // n
    total, term, i = 0, one, 0
    while term:
        total, term, i = total + term, -term * angle // one * angle // one // ((i + 1) * (i + 2)), i + 2
        if term == -1:  # floor division does not end at 0
            break
    return total >> 64


class Field:
    """Q, or Q(a) for a real sum a of roots of unity. Numbers are [degree] coordinates in 1, a, a^2, ..."""

    def __init__(self, generator):
        r"""\param generator  "-E(5)^2-E(5)^3"; None for Q."""
        parts = terms(generator) if generator is not None else []
        self.n, self.powers, self.minimal, self.solver = math.lcm(1, *(n for _, n, _ in parts)), [], [0, 1], []
        readable(
            self.n <= 10_000,
            f"its field needs roots of unity of order {self.n}, and this checker takes them up to 10000",
        )
        self.roots = cyclotomic(self.n)
        if generator is not None:
            a, power = self.in_roots(generator), self.in_roots("1")
            conjugate = [Fraction(0)] * self.n
            for k, c in enumerate(a):
                conjugate[-k % self.n] += c
            demand(divided(conjugate, self.roots)[1] == a, f"{generator[:80]} is no real number")
            self.number = sum((c * cosine(k, self.n) for k, c in enumerate(a) if c), Fraction(0)) / 2**BITS
            while (relation := self.coordinates(power)) is None:
                self.extend(power)
                readable(len(self.powers) <= 256, "its field has a degree above 256, and this checker takes none")
                power = divided(product(power, a), self.roots)[1]
            demand(all(c.denominator == 1 for c in relation), f"{generator[:80]} is no algebraic integer")
            self.minimal = [-int(c) for c in relation] + [1]  # the minimal polynomial of a
            demand(len(self.minimal) > 2, f"{generator[:80]} is rational: it generates no field larger than Q")
        self.degree = len(self.minimal) - 1

    def in_roots(self, text):
        """ "-E(5)^2+1/2*E(5)" as coordinates in 1, E(n), E(n)^2, ..."""
        number = self.n > 1 or type(text) is not str or re.fullmatch(r"[+-]?\d+(/\d+)?", text, re.ASCII)
        readable(number, f"{str(text)[:80]} is no rational number")  # a sum of several is none in a file
        out = [Fraction(0)] * self.n
        for factor, n, power in terms(text):
            demand(self.n % n == 0, f"E({n}) is not in the field")
            out[self.n // n * power % self.n] += factor
        return divided(out, self.roots)[1]

    def extend(self, power):
        """One more power of a, kept as a row of an echelon form with its combination of powers."""
        row, combination = self.reduced(power)
        self.powers.append(power)
        place = next(k for k, x in enumerate(row) if x)
        combination = [*combination, Fraction(1)]
        self.solver.append((place, [x / row[place] for x in row], [x / row[place] for x in combination]))

    def reduced(self, number):
        """What is left of a number without the powers of a, and minus its coordinates."""
        row, combination = list(number), [Fraction(0)] * len(self.powers)
        for place, known, coefficients in self.solver:
            if factor := row[place]:
                row = [x - factor * y if y else x for x, y in zip(row, known)]
                for k, y in enumerate(coefficients):
                    combination[k] -= factor * y
        return row, combination

    def coordinates(self, number):
        """Of a number given in roots, in the powers of a; None if it has none."""
        row, combination = self.reduced(number)
        return None if any(row) else [-x for x in combination]

    def product(self, x, y):
        return divided(product(x, y), self.minimal)[1]

    def nearest(self, x):
        """The F64 nearest to a number."""
        return float(sum((c * self.number**k for k, c in enumerate(x)), Fraction(0)))

    def least(self, x):
        """A number by what does not depend on the field: the least n and its coordinates in 1, E(n), E(n)^2, ..."""
        whole = [
            sum((c * power[k] for c, power in zip(x, self.powers)), Fraction(0)) for k in range(len(self.powers[0]))
        ]
        n, found = self.n, whole
        for p in (p for p in range(2, self.n + 1) if self.n % p == 0):
            while n % p == 0 and (smaller := lowered(found, n, p)) is not None:
                n, found = n // p, smaller
        return n, tuple(found)


def lowered(x, n, p):
    """The coordinates of a number of Q(E(n)) in Q(E(n/p)), or None."""
    m = n // p
    rows = Field(None)
    rows.powers, rows.solver = [], []
    for k in range(len(cyclotomic(m)) - 1):
        image = [Fraction(0)] * n
        image[k * p] = Fraction(1)
        rows.extend(divided(image, cyclotomic(n))[1])
    return rows.coordinates(x)
