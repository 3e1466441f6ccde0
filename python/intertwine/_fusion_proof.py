"""The equations of fusion data, modulo primes and with a bound that makes the proof exact.

All numbers are in one cyclotomic field. A sum of products times its denominators is an algebraic integer s. If primes
divide it whose product is above every conjugate of s, the quotient has a norm less than 1, and s is 0. A prime p = 1
modulo the conductor divides s if s is 0 at all primitive roots of unity modulo p.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ._core import Cyclotomic
from ._errors import VerificationError

if TYPE_CHECKING:
    from .fusion import FusionData

__all__ = ["first_failure"]

Array = Any
_TERMS = 2_000_000
"""How many terms of the pentagon are made at once, unless four objects alone have more."""


class _Values:
    """Numbers of one kind: `which` says the number of each among the distinct ones."""

    def __init__(self, numbers: Sequence[Any]) -> None:
        distinct: dict[Any, int] = {}
        self.which = numpy.array([distinct.setdefault(v, len(distinct)) for v in numbers], dtype=numpy.int64)
        self.terms = [_terms(v) for v in distinct]
        self.conductor = math.lcm(*(n for n, _ in self.terms))
        self.denominators = [math.lcm(*(c.denominator for c, _ in terms)) for _, terms in self.terms]
        self.bits = numpy.array([_bits(n, terms) for n, terms in self.terms])
        """At least the binary logarithms of the absolute values of all conjugates."""

    def exponents(self, primes: Sequence[int]) -> Array:
        """Of the primes in the denominators, [distinct numbers, primes]."""
        found = [[_valuation(d, q) for q in primes] for d in self.denominators]
        return numpy.array(found, dtype=numpy.int64).reshape(len(found), len(primes))

    def coefficients(self, prime: int, conductor: int) -> tuple[Array, Array, Array]:
        """The residues of all terms of all distinct numbers, their powers of the root of unity of this conductor, and
        where each number begins."""
        residues: list[int] = []
        powers: list[int] = []
        starts: list[int] = []
        for m, terms in self.terms:
            starts.append(len(residues))
            for c, k in terms or [(Fraction(0), 0)]:
                residues.append(c.numerator * pow(c.denominator, -1, prime) % prime)
                powers.append(k * (conductor // m) % conductor)
        found = [numpy.array(t, dtype=numpy.int64) for t in (residues, powers, starts)]
        return found[0], found[1], found[2]


class _Factor(NamedTuple):
    """What a term is multiplied by: the number at `at` of a kind, or its complex conjugate."""

    values: _Values
    at: Array
    conjugate: bool = False


class _Terms(NamedTuple):
    """Products, each on one side of the equation that its key names."""

    keys: tuple[Array, Array]
    factors: tuple[_Factor, ...]
    sign: int

    def of_distinct(self) -> _Terms:
        """Factors by the numbers of distinct values."""
        factors = tuple(f._replace(at=f.values.which[f.at]) for f in self.factors)
        return self._replace(factors=factors)

    def some(self, mask: Array) -> _Terms:
        keys = self.keys[0][mask], self.keys[1][mask]
        return _Terms(keys, tuple(f._replace(at=f.at[mask]) for f in self.factors), self.sign)


class _Field:
    """Primes that are 1 modulo the conductor, the primitive roots of unity modulo each, and the numbers at these."""

    def __init__(self, *kinds: _Values) -> None:
        self.conductor = n = math.lcm(*(v.conductor for v in kinds))
        self._units = [k for k in range(n) if math.gcd(k, n) == 1]
        self._denominator = math.lcm(*(d for v in kinds for d in v.denominators))
        self._divisors = _prime_divisors(self._denominator)
        self._exponents = {id(v): v.exponents(self._divisors) for v in kinds}
        self._primes = (p for p in _primes(n) if self._denominator % p)
        self._made: list[tuple[int, Array]] = []
        self._coefficients: dict[tuple[int, int], tuple[Array, Array, Array]] = {}
        self._kept: dict[tuple[int, int, int], Array] = {}

    def prime(self, number: int) -> int:
        while number == len(self._made):
            prime = next(self._primes)
            root, powers = _root_of_unity(prime, self.conductor), [1]
            for _ in range(self.conductor - 1):
                powers.append(powers[-1] * root % prime)
            self._made.append((prime, numpy.array(powers, dtype=numpy.int64)))
        return self._made[number][0]

    def at(self, values: _Values, number: int, unit: int) -> Array:
        """The distinct numbers at this power of the primitive root modulo the prime of this number."""
        key = (id(values), number, unit % self.conductor)
        if key not in self._kept:
            prime, powers = self._made[number]
            if key[:2] not in self._coefficients:
                self._coefficients[key[:2]] = values.coefficients(prime, self.conductor)
            residues, exponents, starts = self._coefficients[key[:2]]
            terms = residues * powers[exponents * unit % self.conductor] % prime
            self._kept[key] = numpy.add.reduceat(terms, starts) % prime if len(starts) else terms
        return self._kept[key]

    def failing(self, parts: Sequence[_Terms]) -> tuple[int, int] | None:
        """The key of a sum that is not 0. Each sum goes through as many primes as its own bound asks for."""
        parts = [part.of_distinct() for part in parts]
        order, first, keys = _sorted(parts)
        if not len(order):
            return None
        wanted, proved, number = self._bits_of_sums(parts, order, first), 0.0, 0
        while True:
            prime = self.prime(number)
            for unit in self._units:
                found = []
                for part in parts:
                    product = numpy.full(len(part.keys[0]), part.sign, dtype=numpy.int64)
                    for f in part.factors:
                        product = product * self.at(f.values, number, -unit if f.conjugate else unit)[f.at] % prime
                    found.append(product)
                sums = numpy.add.reduceat(numpy.concatenate(found)[order], first) % prime
                if sums.any():
                    k = first[numpy.flatnonzero(sums)[0]]
                    return int(keys[0][k]), int(keys[1][k])
            proved, number = proved + math.log2(prime), number + 1
            open_ = wanted >= proved
            if not open_.any():
                return None
            if number == 1:  # those that want several primes are few
                kept = numpy.empty(len(order), dtype=bool)
                kept[order] = numpy.repeat(open_, numpy.diff(first, append=len(order)))
                ends = numpy.cumsum([len(part.keys[0]) for part in parts])[:-1]
                parts = [part.some(mask) for part, mask in zip(parts, numpy.split(kept, ends))]
                order, first, keys = _sorted(parts)
                wanted = wanted[open_]

    def _bits_of_sums(self, parts: Sequence[_Terms], order: Array, first: Array) -> Array:
        """At least the binary logarithms of the conjugates of all sums times their denominators."""
        sizes, exponents = [], []
        for part in parts:
            size: Array = numpy.zeros(len(part.keys[0]))
            exponent: Array = numpy.zeros((len(size), len(self._divisors)), dtype=numpy.int64)
            for f in part.factors:
                size = size + f.values.bits[f.at]
                exponent = exponent + self._exponents[id(f.values)][f.at]
            sizes.append(size)
            exponents.append(exponent)
        bits = numpy.maximum.reduceat(numpy.concatenate(sizes)[order], first)
        bits += numpy.log2(numpy.diff(first, append=len(order)))
        if self._divisors:
            largest = numpy.maximum.reduceat(numpy.concatenate(exponents)[order], first)
            bits += largest @ numpy.log2(numpy.array(self._divisors, dtype=float))
        return bits + 0.01  # above the errors of these logarithms


def _sorted(parts: Sequence[_Terms]) -> tuple[Array, Array, list[Array]]:
    """The order of all terms by keys, where each key begins, and the keys in their order."""
    keys = [numpy.concatenate([part.keys[k] for part in parts]) for k in (0, 1)]
    order = numpy.lexsort(keys[::-1])
    keys = [key[order] for key in keys]
    new = numpy.ones(len(order), dtype=bool)
    new[1:] = (keys[0][1:] != keys[0][:-1]) | (keys[1][1:] != keys[1][:-1])
    return order, numpy.flatnonzero(new), keys


def _valuation(n: int, q: int) -> int:
    """How often a prime q divides n. Of other q at least the power of it that what they have in common divides."""
    found = 0
    while (common := math.gcd(n, q)) > 1:
        n, found = n // common, found + 1
    return found


def _prime_divisors(n: int) -> list[int]:
    """Primes up to 1000, and the rest as one number."""
    found = [q for q in range(2, 1000) if n % q == 0 and all(q % r for r in range(2, q))]
    for q in found:
        n //= q ** _valuation(n, q)
    return [*found, n] if n > 1 else found


def _terms(value: Any) -> tuple[int, list[tuple[Fraction, int]]]:
    """The conductor, and the coefficients with the powers of the root of unity."""
    if isinstance(value, Cyclotomic):
        return value.conductor, [(Fraction(c), k) for k, c in value.terms()]
    return 1, [(Fraction(value), 0)]


def _bits(n: int, terms: list[tuple[Fraction, int]]) -> float:
    """At least the binary logarithm of the absolute value of every conjugate: that of doubles, and 2^-40 of the sum of
    coefficients, which their errors do not reach."""
    whole = sum((abs(c) for c, _ in terms), start=Fraction(0))
    if whole == 0:
        return 0.0
    logarithm = math.log2(whole.numerator) - math.log2(whole.denominator)
    if n == 1 or logarithm > 500:
        return logarithm
    units = numpy.array([k for k in range(1, n) if math.gcd(k, n) == 1])
    angles = units[:, None] * [k for _, k in terms] % n * (2 * math.pi / n)
    values = numpy.exp(1j * angles) @ [float(c) for c, _ in terms]
    return math.log2(float(numpy.abs(values).max()) + float(whole) * 2**-40)


def _primes(n: int) -> Iterator[int]:
    """Primes below 2^31 that are 1 modulo n, the largest first: products of two are below 2^62."""
    p = (2**31 - 2) // n * n + 1
    while p > 1:
        if p % 2 and all(_strong(p, base) for base in (2, 3, 5, 7)):
            yield p
        p -= n


def _strong(p: int, base: int) -> bool:
    """Is p a strong probable prime? Below 3 215 031 751 those to the bases 2, 3, 5 and 7 are primes."""
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    power = pow(base, odd, p)
    return power == 1 or any(pow(power, 2**k, p) == p - 1 for k in range(twos))


def _root_of_unity(p: int, n: int) -> int:
    """One of order n modulo a prime p = 1 modulo n."""
    divisors = [d for d in range(1, n) if n % d == 0]
    return next(
        root for root in (pow(a, (p - 1) // n, p) for a in range(2, p)) if all(pow(root, d, p) != 1 for d in divisors)
    )


def _join(left: Array, right: Array) -> tuple[Array, Array]:
    """All pairs of places with equal keys."""
    order = numpy.argsort(right, kind="stable")
    right = right[order]
    start = numpy.searchsorted(right, left, "left")
    count = numpy.searchsorted(right, left, "right") - start
    first = numpy.repeat(numpy.arange(len(left)), count)
    before = numpy.repeat(start - numpy.cumsum(count) + count, count)
    return first, order[numpy.arange(len(first)) + before]


class _Symbols:
    """F and R as rows of vertices, which are maps from an object to a product, by number.

    F^ijk_l at (e, a, b) and (f, c, d) has the vertices (i j e a), (e k l b), (j k f c) and (i f l d). R^ij_e at a and b
    has the vertices (i j e a) and (j i e b).
    """

    def __init__(self, data: FusionData) -> None:
        number: dict[tuple[int, int, int, int], int] = {}
        for (i, j), parts in data.fusion.items():
            for e, copies in parts.items():
                for copy in range(copies):
                    number[i, j, e, copy] = len(number)
        self.count = len(number)
        self.left, self.right, self.below, _ = numpy.array(list(number), dtype=numpy.int64).reshape(-1, 4).T
        self.whole = numpy.zeros((len(data.names),) * 2, dtype=bool)
        for i, j in data.fusion:
            self.whole[i, j] = data._whole(i, j)
        self.F = numpy.array(list(self._rows_of_F(data, number)), dtype=numpy.int64).reshape(-1, 4)
        self.R = numpy.array(list(self._rows_of_R(data, number)), dtype=numpy.int64).reshape(-1, 2)
        self.of_F = _Values([v for block in data.F.values() for v in block.values()])
        self.of_R = _Values([v for block in data.R.values() for v in block.values()])
        norms: list[Any] = [1] * self.count
        for (i, j, e), given in data.norms.items():
            for copy, norm in enumerate(given):
                norms[number[i, j, e, copy]] = norm
        self.norms = _Values(norms)
        self.field = _Field(self.of_F, self.of_R, self.norms)

    @staticmethod
    def _rows_of_F(data: FusionData, number: dict[tuple[int, int, int, int], int]) -> Iterator[tuple[int, ...]]:
        for (i, j, k, l), block in data.F.items():
            for (e, a, b), (f, c, d) in block:
                try:
                    yield number[i, j, e, a], number[e, k, l, b], number[j, k, f, c], number[i, f, l, d]
                except KeyError:
                    raise VerificationError(
                        f"F of {i}, {j}, {k}, {l} has a number at {(e, a, b)} and {(f, c, d)}, where no maps are"
                    ) from None

    @staticmethod
    def _rows_of_R(data: FusionData, number: dict[tuple[int, int, int, int], int]) -> Iterator[tuple[int, ...]]:
        for (i, j, e), block in data.R.items():
            for a, b in block:
                try:
                    yield number[i, j, e, a], number[j, i, e, b]
                except KeyError:
                    raise VerificationError(
                        f"R of {i} and {j} in {e} has a number at {a} and {b}, and no map"
                    ) from None

    def objects(self, keys: tuple[int, int], factors: int) -> list[list[int]]:
        """The objects (left, right, below) of the vertices that made the first key."""
        key, found = keys[0], []
        for _ in range(factors):
            key, v = divmod(key, self.count)
            found.append([int(self.left[v]), int(self.right[v]), int(self.below[v])])
        return found[::-1]

    def key(self, *vertices: Array) -> Array:
        key = vertices[0]
        for v in vertices[1:]:
            key = key * self.count + v
        return key

    # --- Equations ---------------------------------------------------------------------------------------------------------------

    def unitary(self) -> tuple[int, ...] | None:
        """Sums of F conj(F') and the norms of the right paths are the norms of the left paths."""
        p, q, r, s = self.F.T
        kept = numpy.flatnonzero(self.whole[self.left[r], self.right[r]])
        p, q, r, s = (t[kept] for t in (p, q, r, s))
        one, other = _join(self.key(r, s), self.key(r, s))
        products = _Terms(
            (self.key(p, q)[one], self.key(p, q)[other]),
            (
                _Factor(self.of_F, kept[one]), _Factor(self.of_F, kept[other], True),
                _Factor(self.norms, r[one]), _Factor(self.norms, s[one]),
            ), 1,
        )  # fmt: skip
        p, q = _join(self.below, self.left)
        kept = numpy.flatnonzero(self.whole[self.right[p], self.right[q]])
        p, q = p[kept], q[kept]
        norms = _Terms((self.key(p, q),) * 2, (_Factor(self.norms, p), _Factor(self.norms, q)), -1)
        failed = self.field.failing([products, norms])
        if failed is None:
            return None
        (i, j, _), (_, k, _) = self.objects(failed, 2)
        return i, j, k

    def pentagon(self) -> tuple[int, ...] | None:
        n = len(self.whole)
        i, k = self.left[self.F[:, 0]], self.right[self.F[:, 1]]
        of_third = numpy.argsort(k, kind="stable")
        ends = numpy.searchsorted(k[of_third], numpy.arange(n + 1))
        for a in range(n):
            first, todo = numpy.flatnonzero(i == a), [(0, n)]
            while todo:
                start, end = todo.pop()
                last = of_third[ends[start] : ends[end]]
                parts = self._pentagons(first, last, start, end)
                if parts is None:
                    middle = (start + end) // 2
                    todo += [(middle, end), (start, middle)]
                    continue
                failed = self.field.failing(parts)
                if failed is not None:
                    (_, b, _), (_, c, _), (_, d, _) = self.objects(failed, 3)
                    return a, b, c, d
        return None

    def _pentagons(self, first: Array, last: Array, start: int, end: int) -> list[_Terms] | None:
        """The equations of F of the numbers `first`, where the first object is a, and `last`, where d is the fourth.
        None if these are too many, and can be divided."""
        F, key = self.F, self.key
        # F^ecd_m F^abg_m
        one, other = _join(F[last, 3], F[first, 1])
        if len(one) > _TERMS and end - start > 1:
            return None
        one, other = last[one], first[other]
        kept = self.whole[self.right[F[other, 0]], self.right[F[one, 0]]]
        one, other = one[kept], other[kept]
        left = _Terms(
            (key(F[other, 0], F[one, 0], F[one, 1]), key(F[one, 2], F[other, 2], F[other, 3])),
            (_Factor(self.of_F, one), _Factor(self.of_F, other)), 1,
        )  # fmt: skip
        # F^abc_f F^akd_m F^bcd_h
        k = self.right[F[first, 1]]
        first_whole = first[self.whole[self.right[F[first, 0]], k]]
        middle = first[(start <= k) & (k < end)]
        A, B = _join(F[first_whole, 3], F[middle, 0])
        if len(A) > _TERMS and end - start > 1:
            return None
        A, B = first_whole[A], middle[B]
        both, C = _join(key(F[A, 2], F[B, 2]), key(F[last, 0], F[last, 1]))
        if len(both) > _TERMS and end - start > 1:
            return None
        A, B, C = A[both], B[both], last[C]
        right = _Terms(
            (key(F[A, 0], F[A, 1], F[B, 1]), key(F[C, 2], F[C, 3], F[B, 3])),
            tuple(_Factor(self.of_F, at) for at in (A, B, C)), -1,
        )  # fmt: skip
        return [left, right]

    def hexagon(self) -> tuple[int, ...] | None:
        F, R, key = self.F, self.R, self.key
        j, k = self.right[F[:, 0]], self.right[F[:, 1]]
        # R^ij_e F^jik_l R^ik_g
        one, middle = _join(R[:, 1], F[:, 0])
        kept = self.whole[self.right[R[one, 0]], k[middle]]
        one, middle = one[kept], middle[kept]
        at, other = _join(F[middle, 2], R[:, 0])
        one, middle = one[at], middle[at]
        left = _Terms(
            (key(R[one, 0], F[middle, 1]), key(R[other, 1], F[middle, 3])),
            (_Factor(self.of_R, one), _Factor(self.of_F, middle), _Factor(self.of_R, other)), 1,
        )  # fmt: skip
        # F^ijk_l R^if_l F^jki_l
        one, middle = _join(F[:, 3], R[:, 0])
        kept = self.whole[j[one], k[one]]
        one, middle = one[kept], middle[kept]
        at, other = _join(key(F[one, 2], R[middle, 1]), key(F[:, 0], F[:, 1]))
        one, middle = one[at], middle[at]
        right = _Terms(
            (key(F[one, 0], F[one, 1]), key(F[other, 2], F[other, 3])),
            (_Factor(self.of_F, one), _Factor(self.of_R, middle), _Factor(self.of_F, other)), -1,
        )  # fmt: skip
        failed = self.field.failing([left, right])
        if failed is None:
            return None
        (first, second, _), (_, third, _) = self.objects(failed, 2)
        return first, second, third


def first_failure(data: FusionData) -> tuple[str, tuple[int, ...]] | None:
    """The kind and the objects of an equation that fails, of data with numbers of cyclotomic fields."""
    symbols = _Symbols(data)
    for kind in ("unitary", "pentagon", "hexagon"):
        found = getattr(symbols, kind)()
        if found is not None:
            return kind, found
    return None
