"""Exact linear algebra over cyclotomic fields, for the checkers: numbers, matrices, and ranks modulo primes. A rank
modulo a prime is at most the rank, so it proves independence and bounds spaces of solutions. Standard library and
NumPy."""

import math
from fractions import Fraction

import numpy as np
from number_field import cosine, cyclotomic, divided, terms
from reading import Unreadable, demand, number, of_type, readable

LARGEST = 2**25  # entries of a matrix whose rank is taken
BITS = 1024  # of real numbers behind the point


class Roots:
    """Q(E(n)). A number is a Fraction for n = 1, 2, otherwise a Number with coordinates in 1, E(n), E(n)^2, ..."""

    def __init__(self, n):
        readable(0 < n <= 2000, f"its numbers need roots of unity of order {n}, and this checker takes them up to 2000")
        self.n, minimal = n, cyclotomic(n)
        self.degree = len(minimal) - 1
        self.powers = [tuple(divided([0] * k + [1], minimal)[1][: self.degree]) for k in range(n)]
        self.powers = [row + (0,) * (self.degree - len(row)) for row in self.powers]
        self.table = [[self.powers[(a + b) % n] for b in range(self.degree)] for a in range(self.degree)]

    def of_terms(self, order, pairs):
        """Sum of c E(order)^e over pairs (c, e)."""
        demand(self.n % order == 0, f"E({order}) is not in the field")
        if self.degree == 1:
            return sum((Fraction(c) * self.powers[self.n // order * e % self.n][0] for c, e in pairs), Fraction(0))
        out = [Fraction(0)] * self.degree
        for c, e in pairs:
            for k, x in enumerate(self.powers[self.n // order * e % self.n]):
                if x:
                    out[k] += c * x
        return Number(self, tuple(out))

    def of_text(self, text):
        """A sum such as "-E(5)^2+1/2*E(5)"."""
        return sum((self.of_terms(n, [(c, e if n > 1 else 0)]) for c, n, e in terms(text)), self.of_terms(1, []))

    def of_json(self, value):
        return self.of_terms(*number(value))

    def wide(self, x):
        """A number of a field within this one."""
        if isinstance(x, Number):
            return x if x.field is self else self.of_terms(x.field.n, list(zip(x.c, range(x.field.degree))))
        return self.of_terms(1, [(x, 0)])


class Number:
    __slots__ = ("field", "c")

    def __init__(self, field, c):
        self.field, self.c = field, c

    def __add__(self, y):
        if not isinstance(y, Number):
            return Number(self.field, (self.c[0] + y, *self.c[1:])) if y else self
        return Number(self.field, tuple(a + b for a, b in zip(self.c, y.c)))

    def __neg__(self):
        return Number(self.field, tuple(-a for a in self.c))

    def __sub__(self, y):
        return self + -y

    def __rsub__(self, y):
        return -self + y

    def __mul__(self, y):
        if not isinstance(y, Number):
            return Number(self.field, tuple(a * y for a in self.c))
        out = [0] * self.field.degree
        for a, x in enumerate(self.c):
            if x:
                for b, z in enumerate(y.c):
                    if z:
                        for k, f in enumerate(self.field.table[a][b]):
                            if f:
                                out[k] += x * z * f
        return Number(self.field, tuple(out))

    __radd__, __rmul__ = __add__, __mul__

    def __bool__(self):
        return any(self.c)

    def __eq__(self, y):
        return self.c == y.c if isinstance(y, Number) else self.c[0] == y and not any(self.c[1:])

    def __hash__(self):
        return hash(self.c) if any(self.c[1:]) else hash(self.c[0])


def conjugate(x):
    """The complex conjugate."""
    return x.field.of_terms(x.field.n, [(c, -k % x.field.n) for k, c in enumerate(x.c)]) if isinstance(x, Number) else x


def real_and_imaginary(x):
    """Integers, 2^BITS times the parts to some units."""
    if not isinstance(x, Number):
        return Fraction(x) * 2**BITS, Fraction(0)
    n = x.field.n
    parts = [(c, cosine(4 * k, 4 * n), cosine(4 * k - n, 4 * n)) for k, c in enumerate(x.c) if c]
    return sum((c * a for c, a, _ in parts), Fraction(0)), sum((c * b for c, _, b in parts), Fraction(0))


def is_positive(x):
    """A real number above 0. One that is not 0 and not below 2^-200 is told from 0."""
    if conjugate(x) != x or not x:
        return False
    value, _ = real_and_imaginary(x)
    readable(abs(value) > 2 ** (BITS - 200), "a number is too near to 0 for this checker")
    return value > 0


# Matrices: lists of rows.
def matrix(rows, field, height, width, what):
    """From JSON."""
    of_type(rows, list, what)
    readable(all(type(row) is list for row in rows), f"{what} is no list of rows")
    demand(
        len(rows) == height and all(len(row) == width for row in rows),
        f"{what} has not {height} rows and {width} columns",
    )
    return [[field.of_json(x) for x in row] for row in rows]


def identity(size):
    return [[int(i == j) for j in range(size)] for i in range(size)]


def zeros(height, width):
    return [[0] * width for _ in range(height)]


def product(x, y):
    columns = len(y[0]) if y else 0
    lines = [[(j, b) for j, b in enumerate(row) if b] for row in y]
    out = []
    for row in x:
        line = [0] * columns
        for a, entries in zip(row, lines):
            if a:
                for j, b in entries:
                    line[j] = line[j] + a * b
        out.append(line)
    return out


def transposed(x, width=None):
    return [list(column) for column in zip(*x)] if x else [[] for _ in range(width or 0)]


def adjoint(x):
    return [[conjugate(a) for a in column] for column in zip(*x)]


def kronecker(x, y):
    return [[a * b for a in row for b in line] for row in x for line in y]


def plus(x, y):
    return [[a + b for a, b in zip(row, line)] for row, line in zip(x, y)]


def times(x, factor):
    return [[a * factor for a in row] for row in x]


def direct_sum(parts):
    size, out, first = sum(map(len, parts)), [], 0
    for part in parts:
        for row in part:
            out.append([0] * first + list(row) + [0] * (size - first - len(row)))
        first += len(part)
    return out


def trace(x):
    return sum((x[i][i] for i in range(len(x))), Fraction(0))


def equal(x, y):
    return len(x) == len(y) and all(len(row) == len(line) and all(a == b for a, b in zip(row, line))
                                    for row, line in zip(x, y))  # fmt: skip


def inverse(x):
    """By the adjugate of Faddeev and Leverrier: it divides by integers and one determinant only."""
    size, power, coefficient = len(x), identity(len(x)), 1
    for k in range(1, size + 1):
        last = power
        moved = product(x, power)
        coefficient = trace(moved) * Fraction(-1, k)
        power = plus(moved, times(identity(size), coefficient))
    demand(bool(coefficient) or not size, "a matrix is not invertible, and a generator is an element of a group")
    return times(last, -reciprocal(coefficient)) if size else []


def reciprocal(x):
    """Of a number that is not 0, by its product of conjugates."""
    if not isinstance(x, Number):
        return 1 / Fraction(x)
    field, others = x.field, field_one(x.field)
    for k in range(2, field.n):
        if math.gcd(k, field.n) == 1:
            others = others * field.of_terms(field.n, [(c, k * e % field.n) for e, c in enumerate(x.c)])
    norm = (x * others).c
    demand(not any(norm[1:]) and norm[0], "a norm is not rational")
    return others * (1 / Fraction(norm[0]))


def field_one(field):
    return field.of_terms(1, [(1, 0)])


def common_field(*orders):
    return Roots(math.lcm(1, *orders))


# Ranks modulo primes.
class Modular:
    """Numbers of Q(E(n)) modulo a prime that is 1 modulo n, for ranks that bound those over the field from below."""

    def __init__(self, n, skipped=0):
        p = (2**30 // n) * n + 1
        while True:
            if all(p % q for q in range(2, math.isqrt(p) + 1)):
                if not skipped:
                    break
                skipped -= 1
            p += n
        self.p, self.n = p, n
        divisors = [q for q in range(2, n + 1) if n % q == 0]
        self.root = next(
            r
            for r in (pow(a, (p - 1) // n, p) for a in range(2, p))
            if all(pow(r, n // q, p) != 1 for q in divisors)
        ) if n > 1 else 1  # fmt: skip

    def of(self, x):
        if not isinstance(x, Number):
            x = Fraction(x)
            return x.numerator * self.inverse(x.denominator) % self.p
        step = self.n // x.field.n
        return sum(self.of(c) * pow(self.root, step * k, self.p) for k, c in enumerate(x.c) if c) % self.p

    def inverse(self, x):
        if x % self.p == 0:
            raise Unreadable(f"{self.p} divides a denominator: this checker takes one prime")
        return pow(x, -1, self.p)

    def rank(self, rows, width):
        """Of sparse rows {column: residue}."""
        rows = [row for row in rows if row]
        readable(len(rows) * width <= LARGEST, f"it has {len(rows)} equations for {width} unknowns, too many for this "
                                               "checker")  # fmt: skip
        left, rank, p = np.zeros((len(rows), width), np.int64), 0, self.p
        for i, row in enumerate(rows):
            for j, x in row.items():
                left[i, j] = x % p
        for j in range(width):
            at = np.nonzero(left[rank:, j])[0]
            if not len(at):
                continue
            if at[0]:
                left[[rank, rank + at[0]]] = left[[rank + at[0], rank]]
            left[rank] = left[rank] * pow(int(left[rank, j]), -1, p) % p
            others = rank + 1 + np.nonzero(left[rank + 1 :, j])[0]
            if len(others):
                left[others, j:] = (left[others, j:] - np.outer(left[others, j], left[rank, j:])) % p
            rank += 1
            if rank == len(rows):
                break
        return rank


def independent(vectors, modular, what):
    """Sparse vectors {place: number}."""
    places = {place: k for k, place in enumerate(sorted({place for vector in vectors for place in vector}))}
    rows = [{places[place]: modular.of(x) for place, x in vector.items()} for vector in vectors]
    rank = modular.rank([row for row in rows], max(len(places), 1))
    demand(rank == len(vectors), f"the {what} are dependent modulo {modular.p}: {len(vectors)} have the rank {rank}")


def hom_dimension(pairs, height, width, modular):
    """At most so many dimensions has the space of X [height, width] with A X = X B for all pairs: (A, B) of elements of
    a group and of a Lie algebra alike; B may be a matrix [0] or [1] for vectors."""
    equations = []
    for A, B in pairs:
        A = [[(k, modular.of(a)) for k, a in enumerate(row) if a] for row in A]
        B = [[(k, modular.of(b)) for k, b in enumerate(column) if b] for column in transposed(B, width)]
        for i in range(height):
            for j in range(width):
                row = {k * width + j: a for k, a in A[i]}
                for k, b in B[j]:
                    row[i * width + k] = row.get(i * width + k, 0) - b
                equations.append(row)
    return height * width - modular.rank(equations, height * width)
