"""Exact numbers of abelian number fields, for the checkers: sums of roots of unity, Fractions for coordinates. Standard library alone."""
import functools
import math
import re
from fractions import Fraction


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
    """The minimal polynomial of E(n) = exp(2 pi i / n)."""
    out = [-1] + [0] * (n - 1) + [1]
    for d in range(1, n):
        if n % d == 0:
            out = divided(out, cyclotomic(d))[0]
    return out


def mobius(n):
    """The Moebius function: 0 for multiples of squares, otherwise 1 or -1 as the number of primes in n is even or odd."""
    sign = 1
    for p in range(2, n + 1):
        if n % p == 0:
            n, sign = n // p, -sign
            if n % p == 0:
                return 0
    return sign


class Field:
    """Q, or Q(a) for a sum a of roots of unity. Numbers are [degree] coordinates in 1, a, a^2, ..."""

    def __init__(self, generator):
        """\param generator  "-E(5)^2-E(5)^3"; None for Q."""
        self.n, self.powers, self.minimal = math.lcm(*map(int, re.findall(r"E\((\d+)\)", generator or ""))), [], [0, 1]
        if generator:
            self.roots = cyclotomic(self.n)
            a, power = self.in_roots(generator), self.in_roots("1")
            self.number = sum(float(c) * math.cos(2 * math.pi * k / self.n) for k, c in enumerate(a))
            while (relation := self.coordinates(power)) is None:
                self.powers.append(power)
                power = divided(product(power, a), self.roots)[1]
            if any(c.denominator != 1 for c in relation):
                raise ValueError(f"{generator} is no algebraic integer")
            self.minimal = [-int(c) for c in relation] + [1]  # the minimal polynomial of a
        self.degree = len(self.minimal) - 1

    def in_roots(self, text):
        """"-E(5)^2+1/2*E(5)" as coordinates in 1, E(n), E(n)^2, ..."""
        term = r"([+-]?)(?:(\d+(?:/\d+)?)\*?)?(?:E\((\d+)\)(?:\^(\d+))?)?"
        if not re.fullmatch(f"(?:{term})+", text):
            raise ValueError(f"{text[:80]} is no sum of roots of unity")
        out = [Fraction(0)] * self.n
        for sign, factor, root, power in re.findall(term, text):
            if factor or root:
                if root and self.n % int(root):
                    raise ValueError(f"E({root}) is not in the field")
                out[self.n // int(root) * int(power or 1) % self.n if root else 0] += Fraction(sign + (factor or "1"))
        return divided(out, self.roots)[1]

    def coordinates(self, number):
        """Of a number given in roots, in the powers of a; None if it has none."""
        rows = [list(line) for line in zip(*self.powers, number)]
        for column in range(len(self.powers)):
            pivot = next(k for k in range(column, len(rows)) if rows[k][column] != 0)
            rows[column], rows[pivot] = rows[pivot], rows[column]
            rows[column] = [x / rows[column][column] for x in rows[column]]
            rows = [row if k == column else [x - row[column] * y for x, y in zip(row, rows[column])] for k, row in enumerate(rows)]
        return None if any(row[-1] for row in rows[len(self.powers) :]) else [row[-1] for row in rows[: len(self.powers)]]

    def product(self, x, y):
        return divided(product(x, y), self.minimal)[1]

    def real(self, x):
        return sum(c * self.number**k for k, c in enumerate(x))
