#!/usr/bin/env python3
"""Checks the proof in a character table or in irreducible representations: that the order of the group of the
generators in the file is the one stated, its classes are these, and the rows ALL its irreducible characters; or that
the matrices are representations, irreducible and pairwise inequivalent.

Usage: check_characters.py [--seconds N] FILE.json...      of `chartable` or `irreps`, written with --proof
(docs/formats.md, "Proofs of character tables")

Nothing of the program that wrote the file is used or believed. Exit status 0: every file is accepted; 1: one is
refused, with the reason; 2: one cannot be read, or not be checked in N seconds (3600) for one file and three quarters
of the memory. That the generators are those of the group that the file names is the writer's claim, and so are names of
rows and classes, fields and constructions.
"""

import functools
import math
import sys
from fractions import Fraction

import numpy as np
from number_field import cyclotomic, mobius
from permutation_groups import Classes, Group, cycle_lengths
from reading import demand, document, readable, run, whole


# Numbers: sums of roots of unity of order n by [phi(n)] coordinates in 1, E(n), E(n)^2, ...
@functools.cache
def reduced(n):
    """[n, phi(n)]: the powers of E(n), which is a root of the cyclotomic polynomial."""
    readable(n <= 10_000, f"its numbers need roots of unity of order {n}, and this checker takes them up to 10000")
    polynomial = np.array(cyclotomic(n), np.int64)
    out = np.zeros((n, len(polynomial) - 1), np.int64)
    out[0, 0] = 1
    for k in range(1, n):  # the entries are far below 2^62: those of the polynomials are at most 10^4 and repeat with n
        out[k, 1:] = out[k - 1, :-1]
        out[k] -= out[k - 1, -1] * polynomial[:-1]
    return out


@functools.cache
def largest(n):
    return int(abs(reduced(n)).max())


@functools.cache
def mean(n):
    """For every d < n the mean of E(n)^d over the Galois group: mu(m) / phi(m), m being its order."""
    return [Fraction(mobius(m := n // math.gcd(n, d)), len(reduced(m)[0])) for d in range(n)]


def number(value, n):
    """The coordinates [phi(n)] of a pair (order, terms): words where they suffice, otherwise Python's integers, and
    fractions where they are none. Equal numbers have equal texts."""
    own, parts = value
    demand(n % own == 0, f"a number has roots of unity of order {own}, and those of order {n} must do")
    rows, small = (
        reduced(n),
        all(c.denominator == 1 for c, _ in parts) and sum(abs(c) for c, _ in parts) * largest(n) < 2**62,
    )
    out = np.zeros(rows.shape[1], np.int64 if small else object)
    for c, e in parts:
        out += int(c) * rows[e * (n // own) % n] if small else c * rows[e * (n // own) % n].astype(object)
    if not small:
        out[:] = [int(x) if x == int(x) else x for x in out.tolist()]
    return out


def inner_squares(columns, orders, classes):
    """<chi, chi> of generalized characters, [characters, phi] coordinates for every class. It is rational, and so the
    sum of the means of all terms over their Galois groups, phi(n) times which are integers for roots of unity of order
    n."""
    total = [Fraction(0)] * len(columns[0])
    for values, n, size in zip(columns, orders, classes.sizes, strict=True):
        phi = values.shape[1]
        means, places = np.array([int(x * phi) for x in mean(n)], np.int64), np.arange(phi)
        form = means[(places[:, None] - places) % n]
        below = math.lcm(1, *(Fraction(x).denominator for x in values.ravel().tolist() if x))
        whole = np.array([[int(x * below) for x in row] for row in values.tolist()], object)
        squares = (exact(whole, form).astype(object) * whole).sum(axis=1)
        total = [t + Fraction(size * int(x), phi * below**2) for t, x in zip(total, squares, strict=True)]
    return [t / classes.group.order for t in total]


def indicators(columns, orders, classes):
    """The means of chi(g^2), rational as well."""
    squares = classes.powers(2)
    means = [
        [sum(x * y for x, y in zip(row, mean(n)) if x) for row in values.tolist()]
        for values, n in zip(columns, orders, strict=True)
    ]
    return [
        sum(size * means[k][i] for k, size in zip(squares, classes.sizes, strict=True)) / classes.group.order
        for i in range(len(columns[0]))
    ]


def exact(a, b):
    """A product of integral matrices: of words where they suffice."""
    bound = (
        len(b)
        * max((abs(x) for x in a.ravel().tolist()), default=0)
        * max((abs(x) for x in b.ravel().tolist()), default=0)
    )
    return a.astype(np.int64) @ b.astype(np.int64) if bound < 2**62 else a.astype(object) @ b.astype(object)


# Character tables.
def subgroup(group, classes, generators, characters):
    """[characters, classes] lists of how often each value E(order)^e is met on a class, the orders, and that of the
    subgroup, for linear characters given at the generators of a subgroup. The orders are the least, so that they divide
    those of elements, and all numbers are small."""
    steps = np.array(generators, np.int64).reshape(len(generators), group.degree)
    demand(group.contains(steps), "a generator of a subgroup is no element of the group")
    lengths, orders, exponents = [math.lcm(1, *row) for row in cycle_lengths(steps).tolist()], [], []
    for c in characters:
        parts = [Fraction(e, c.order) for e in c.exponents]
        demand(
            all(n % part.denominator == 0 for part, n in zip(parts, lengths)),
            "the values at the generators of a subgroup are those of no linear character",
        )
        orders.append(math.lcm(1, *(part.denominator for part in parts)))
        readable(
            orders[-1] <= 10_000,
            f"a linear character has values of order {orders[-1]}, and this checker takes them up to 10000",
        )
        exponents.append([int(part * orders[-1]) for part in parts])
    given, modulus = np.array(exponents, np.int64).reshape(len(orders), len(steps)), np.array(orders, np.int64)[:, None]
    elements, values = np.arange(group.degree)[None], np.zeros((len(orders), 1), np.int64)
    known, front = group.keys(elements), slice(0, 1)
    while front.stop > front.start:  # closed under multiplication by generators
        new = np.concatenate([elements[front][:, s] for s in steps] or [elements[:0]])
        met = (
            np.concatenate([values[:, front] + given[:, [j]] for j in range(len(steps))] or [values[:, :0]], axis=1)
            % modulus
        )
        keys, first, back = np.unique(group.keys(new), return_index=True, return_inverse=True)
        fresh = ~np.isin(keys, known)
        front = slice(len(elements), len(elements) + fresh.sum())
        elements, values = (
            np.concatenate([elements, new[first[fresh]]]),
            np.concatenate([values, met[:, first[fresh]]], axis=1),
        )
        known = np.concatenate([known, keys[fresh]])
        order = np.argsort(known)
        there = order[np.searchsorted(known, keys, sorter=order)][back]
        demand(
            (values[:, there] == met).all(),
            "the values at the generators of a subgroup are those of no linear character",
        )
    on = classes.numbers(elements)
    counts = [
        [np.bincount(row[on == k], minlength=n) for k in range(len(classes.sizes))] for row, n in zip(values, orders)
    ]
    return counts, orders, len(elements)


def induced(of, group, classes):
    """[linear characters][classes] coordinates: at g, |C(g)| / |H| times the sum of the values at the elements of H
    conjugate to g."""
    out = [None] * len(of.linear)
    for s, generators in enumerate(of.subgroups):
        own = [i for i, c in enumerate(of.linear) if c.subgroup == s]
        counts, values_of, order = subgroup(group, classes, generators, [of.linear[i] for i in own])
        for i, row, m in zip(own, counts, values_of, strict=True):
            out[i] = []
            for k, (count, n) in enumerate(zip(row, classes.orders, strict=True)):
                met = np.nonzero(count)[0]  # E(m)^e is of an order that divides that of the elements, n
                total = exact(count[met][None], reduced(n)[met * n // m]).astype(object)[0] * classes.centralizer[k]
                demand(not (total % order).any(), "an induced character has a value that is no algebraic integer")
                out[i].append(total // order)
    return out


def check_table(of, group, classes):
    """Every row is a combination of induced characters, of norm 1 and positive degree: an irreducible character. They
    are as many as classes."""
    count, columns = len(classes.sizes), induced(of, group, classes)
    values = [np.array([number(row[k], n) for row in of.rows]) for k, n in enumerate(classes.orders)]
    factors = np.zeros((count, max(len(columns), 1)), object)
    for i, terms_of_row in enumerate(of.combinations):
        for j, c in terms_of_row:
            factors[i, j] += c
    for k in range(count):
        sums = exact(factors, np.array([column[k] for column in columns], object))
        for i in np.nonzero((sums != values[k]).any(axis=1))[0]:
            demand(False, f"row {i} is not its combination of induced characters on class {k}")
    stated = zip(
        inner_squares(values, classes.orders, classes),
        indicators(values, classes.orders, classes),
        of.indicators,
        strict=True,
    )
    for i, (square, sign, said) in enumerate(stated):
        demand(square == 1, f"row {i} has the norm {square}, not 1")
        demand(values[0][i, 0] > 0, f"row {i} has the degree {values[0][i, 0]}")
        demand(sign == said, f"row {i} has another indicator")
    demand(len(set(map(str, np.concatenate(values, axis=1).tolist()))) == count, "a row is there twice")
    for p, images in of.power_maps:
        demand(classes.powers(p) == images, f"the power map for {p} is not that of the classes")
    return (
        f"the rows are all {count} irreducible characters, and the columns all classes, of a group of order "
        f"{group.order}"
    )


# Representations: matrices [phi(n), d, d] of integers over a denominator.
class Field:
    def __init__(self, n, size):
        self.n, self.size = n, size
        phi = len(reduced(n)[0])
        readable(
            phi**2 * size**2 <= 2**27,
            f"matrices of {size} rows over a field of degree {phi} are too large for this checker",
        )
        self.table = [
            [[(c, x) for c, x in enumerate(reduced(n)[(a + b) % n].tolist()) if x] for b in range(phi)]
            for a in range(phi)
        ]
        self.height = phi**2 * size * max(abs(x) for row in self.table for terms in row for _, x in terms)
        self.one = (np.array([np.eye(size, dtype=np.int64)] + [np.zeros((size, size), np.int64)] * (phi - 1)), 1)

    def product(self, x, y):
        (a, below), (b, under) = x, y
        bits = sum(int(bound).bit_length() for bound in (abs(a).max(), abs(b).max(), self.height))
        demand(
            bits < 10000,
            "products of the matrices grow beyond 10000 bits: they are those of no finite group, or too large for "
            "this checker",
        )
        kind = float if bits <= 52 else np.int64 if bits <= 62 else object  # exact in all three
        shape = (len(a), a.shape[1], b.shape[2])
        left, right, out = a.astype(kind), b.astype(kind), np.zeros(shape, object if kind is object else np.int64)
        for i in range(len(a)):
            for j in range(len(a)):
                if a[i].any() and b[j].any():
                    part = (left[i] @ right[j]).astype(out.dtype)
                    for c, factor in self.table[i][j]:
                        out[c] += factor * part
        return self.lowest(out, below * under)

    def lowest(self, a, below):
        if below != 1:
            common = math.gcd(int(np.gcd.reduce(a.ravel())), below)
            a, below = a // common, below // common
        return (a.astype(np.int64) if a.dtype == object and abs(a).max() < 2**62 else a), below

    def power(self, x, k):
        out = self.one
        while k:
            out, x, k = self.product(out, x) if k & 1 else out, self.product(x, x) if k > 1 else x, k >> 1
        return out


def same(x, y):
    return x[1] == y[1] and np.array_equal(x[0], y[0])


def read_matrices(lists, size):
    """The field of all entries, and the matrices."""
    n = math.lcm(1, *(m for rows in lists for row in rows for m, _ in row))
    field, out = Field(n, size), []
    for rows in lists:
        values = [[number(x, n).tolist() for x in row] for row in rows]
        below = math.lcm(1, *(Fraction(c).denominator for row in values for value in row for c in value if c))
        whole_numbers = np.array([[[int(c * below) for c in value] for value in row] for row in values], object)
        out.append(field.lowest(whole_numbers.reshape(size, size, -1).transpose(2, 0, 1), below))
    return field, out


def check_homomorphism(group, field, given, name):
    """The character, by the orders and coordinates of its values: every element is one product of elements of the
    transversals; let its matrix be that of their matrices. If s u, for strong s and u in a transversal, always has the
    product of the matrices of s and u, this is a homomorphism."""
    images = list(given)
    order = lambda k: math.lcm(*cycle_lengths(group.elements[[k]])[0].tolist())
    for k, image in enumerate(given):
        demand(
            same(field.power(image, order(k)), field.one),
            f"the matrix of generator {k} of {name} has another order than the generator",
        )
    for word in group.words:
        product = field.one
        for x in word:
            product = field.product(product, images[x - 1] if x > 0 else field.power(images[-x - 1], order(-x - 1) - 1))
        images.append(product)
    levels = []
    for _, rows, _, _, tree in group.levels:
        matrices = [field.one] + [None] * (len(rows) - 1)
        for (s, k), there in tree.items():
            matrices[there] = field.product(images[s], matrices[k])
        levels.append(matrices)
    for i, (moving, rows, *_, tree) in enumerate(group.levels):
        for s in moving:
            _, places = group.sift(group.elements[s][rows], i)
            for k in range(len(rows)):
                product = field.one
                for matrices, place in zip(levels[i:], places):
                    product = field.product(product, matrices[place[k]]) if place[k] else product
                demand(
                    (s, k) in tree or same(product, field.product(images[s], levels[i][k])),
                    f"the matrices of {name} are no representation: "
                    f"a relation of the group, of level {i}, does not hold",
                )
    return levels


def image(field, levels, places, k):
    """The matrix of element k of those at these places: the product of those of its transversal elements."""
    out = field.one
    for matrices, place in zip(levels, places, strict=True):
        out = field.product(out, matrices[place[k]])
    return out


def column(field, numbers):
    """A matrix with one column."""
    values = [number(x, field.n).tolist() for x in numbers]
    below = math.lcm(1, *(Fraction(c).denominator for value in values for c in value if c))
    whole_numbers = np.array([[[int(c * below)] for c in value] for value in values], object)
    return field.lowest(whole_numbers.transpose(1, 0, 2), below)


def check_seed(group, field, levels, form):
    """The elements of a seed multiply its vector by its values, and no others but its multiples."""
    x = np.array(form.seed.elements, np.int64).reshape(len(form.seed.elements), group.degree)
    demand(group.contains(x), f"a generator of the seed of {form.name} is no element of the group")
    n = math.lcm(field.n, *(m for m, _ in form.seed.vector + form.seed.values))
    wide = field if n == field.n else Field(n, form.size)
    vector, places = column(wide, form.seed.vector), group.sift(x)[1]
    demand(vector[0].any(), f"the vector of the seed of {form.name} is 0")
    powers = reduced(n)[np.arange(field.one[0].shape[0]) * (n // field.n)].astype(object)
    for k, value in enumerate(form.seed.values):
        moved = vector
        for matrices, place in reversed(list(zip(levels, places, strict=True))):
            above, below = matrices[place[k]]
            if wide is not field:
                above = np.tensordot(powers.T, above.astype(object), axes=1)
            moved = wide.product((above, below), moved)
        demand(
            same(moved, wide.product(vector, column(wide, [value]))),
            f"an element of the seed of {form.name} does not multiply its vector by its value",
        )
    # Modulo a prime the rank of the equations is at most theirs; a prime for which it is smaller is rare.
    primes = primes_with_roots(n, 3)
    demand(
        any(seed_rank(places, levels, field.n, form, n, *prime) == form.size - 1 for prime in primes),
        f"the seed of {form.name} is not single: its elements multiply a space of more dimensions by its values",
    )


def primes_with_roots(n, count):
    """Some primes p with a root of unity of order n modulo p, products of whose residues are far below 2^62."""
    p, factors = 2**24 // n * n + 1, [q for q in range(2, n + 1) if n % q == 0 and mobius(q) == -1]
    while count:
        p += n
        if all(p % q for q in range(2, math.isqrt(p) + 1)):
            powers = (pow(a, (p - 1) // n, p) for a in range(1, p))
            yield p, next(r for r in powers if all(pow(r, n // q, p) != 1 for q in factors))
            count -= 1


def seed_rank(places, levels, own, form, n, p, root):
    """The rank modulo p of the equations g v = value v for all elements g of a seed; -1 if p divides a denominator.
    `root` is of order n, and the matrices have roots of order `own`."""

    def residues(x, order):
        above, below = x
        powers = [pow(root, n // order * k, p) for k in range(len(above))]
        total = sum(part.astype(object) % p * power for part, power in zip(above, powers, strict=True)) % p
        return total.astype(np.int64) * pow(below, -1, p) % p

    rows = [np.zeros((0, form.size), np.int64)]
    try:
        for k, (order, terms) in enumerate(form.seed.values):
            product = np.eye(form.size, dtype=np.int64)
            for matrices, place in zip(levels, places, strict=True):
                product = product @ residues(matrices[place[k]], own) % p
            value = sum(c.numerator * pow(c.denominator, -1, p) * pow(root, n // order * e, p) for c, e in terms) % p
            rows.append((product - value * np.eye(form.size, dtype=np.int64)) % p)
    except ValueError:
        return -1
    left, rank = np.concatenate(rows), 0
    for j in range(form.size):
        [at] = np.nonzero(left[rank:, j])
        if len(at):
            left[[rank, rank + at[0]]] = left[[rank + at[0], rank]]
            left[rank] = left[rank] * pow(int(left[rank, j]), -1, p) % p
            left[rank + 1 :] = (left[rank + 1 :] - np.outer(left[rank + 1 :, j], left[rank])) % p
            rank += 1
    return rank


def check_representations(of, group, classes):
    """Each is a homomorphism with a character of norm 1; no two characters are equal, and where they are as many as
    classes they are all."""
    found, places = [], group.sift(classes.x)[1]
    for form in of.irreps:
        field, given = read_matrices(form.matrices, form.size)
        levels, values = check_homomorphism(group, field, given, form.name), []
        for k in range(len(classes.x)):
            above, below = image(field, levels, places, k)
            values.append(np.array([[Fraction(int(c), below) for c in np.trace(above, axis1=1, axis2=2)]], object))
        orders = [field.n] * len(values)
        [square], [sign] = inner_squares(values, orders, classes), indicators(values, orders, classes)
        demand(square == 1, f"{form.name} is not irreducible: its character has the norm {square}")
        demand(sign == form.indicator, f"{form.name} has another indicator")
        if form.seed:
            check_seed(group, field, levels, form)
        found.append((form, field.n, values))
    both, seen = math.lcm(*(n for _, n, _ in found)), {}
    for form, n, values in found:  # by coordinates in the roots of unity of one order
        key = str([(x[0] @ reduced(both)[np.arange(x.shape[1]) * (both // n)]).tolist() for x in values])
        demand(key not in seen, f"{form.name} is equivalent to {seen.get(key)}")
        seen[key] = form.name
    whole_set = "all" if len(found) == len(classes.x) else "pairwise inequivalent"
    return (
        f"the matrices are {whole_set} irreducible representations, {len(found)} of {len(classes.x)}, of a group "
        f"of order {group.order}"
    )


def check(path):
    """What is proved of the file, in words. Refused says why it is not."""
    of = document(whole(path))
    group = Group(of)
    demand(group.order == of.order, f"the order of the group is {group.order}, not {of.order}")
    return (check_table if of.form == "characters" else check_representations)(of, group, Classes(group, of.classes))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], __doc__, check))
