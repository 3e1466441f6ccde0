#!/usr/bin/env python3
"""Checks the proof in a character table or in irreducible representations: that the order of the group of the generators in the file is the one stated, its
classes are these, and the rows ALL its irreducible characters; or that the matrices are representations, irreducible and pairwise inequivalent.

Usage: check_characters.py FILE.json...      of `chartable` or `irreps`, written with --proof (docs/formats.md, "Proofs of character tables")

Nothing of the program that wrote the file is used or believed. Exit status 0: every file is accepted; 1: one is refused, with the reason; 2: one cannot
be read. That the generators are those of the group that the file names is the writer's claim, and so are names of rows and classes.
"""
import functools
import json
import math
import sys
from fractions import Fraction

import numpy as np

from number_field import cyclotomic, mobius
from permutation_groups import Classes, Group, Refused, cycle_lengths, demand, permutation


# Numbers: sums of roots of unity of order n by [phi(n)] coordinates in 1, E(n), E(n)^2, ...
@functools.cache
def reduced(n):
    """[n, phi(n)]: the powers of E(n), which is a root of the cyclotomic polynomial."""
    polynomial = cyclotomic(n)
    size, rows = len(polynomial) - 1, [[1] + [0] * (len(polynomial) - 2)]
    while len(rows) < n:
        last = rows[-1]
        rows.append([(last[i - 1] if i else 0) - last[-1] * polynomial[i] for i in range(size)])
    return np.array(rows, np.int64)


@functools.cache
def mean(n):
    """For every d < n the mean of E(n)^d over the Galois group: mu(m) / phi(m), m being its order."""
    return [Fraction(mobius(m := n // math.gcd(n, d)), len(reduced(m)[0])) for d in range(n)]


def terms(value):
    """n and pairs (coefficient, exponent) of a number in JSON."""
    if isinstance(value, dict):
        return value["n"], [(Fraction(c), e) for c, e in value["c"]]
    return 1, [(Fraction(value), 0)]


def number(value, n):
    own, parts = terms(value)
    demand(own > 0 == n % own, f"a number has roots of unity of order {own}, and those of order {n} must do")
    if all(c.denominator == 1 and abs(c) < 2**40 for c, _ in parts) and len(parts) < 2**20:
        parts, zero = [(int(c), e) for c, e in parts], np.zeros(len(reduced(n)[0]), np.int64)
        return sum((c * reduced(n)[e * (n // own) % n] for c, e in parts), zero)
    return sum((c * reduced(n)[e * (n // own) % n].astype(object) for c, e in parts), np.zeros(len(reduced(n)[0]), object))


def inner_squares(columns, orders, classes):
    """<chi, chi> of generalized characters, [characters, phi] coordinates for every class. It is rational, and so the sum of the means of all terms over
    their Galois groups, phi(n) times which are integers for roots of unity of order n."""
    total = [Fraction(0)] * len(columns[0])
    for values, n, size in zip(columns, orders, classes.sizes):
        phi = values.shape[1]
        form = np.array([[int(mean(n)[(a - b) % n] * phi) for b in range(phi)] for a in range(phi)])
        below = math.lcm(1, *(Fraction(x).denominator for x in values.ravel().tolist() if x))
        whole = np.array([[int(x * below) for x in row] for row in values.tolist()], object)
        squares = (exact(whole, form).astype(object) * whole).sum(axis=1)
        total = [t + Fraction(size * int(x), phi * below**2) for t, x in zip(total, squares)]
    return [t / classes.group.order for t in total]


def indicators(columns, orders, classes):
    """The means of chi(g^2), rational as well."""
    squares = classes.power[2 % len(classes.power)]
    means = [[sum(x * y for x, y in zip(row, mean(n)) if x) for row in values.tolist()] for values, n in zip(columns, orders)]
    return [sum(size * means[k][i] for k, size in zip(squares, classes.sizes)) / classes.group.order for i in range(len(columns[0]))]


def exact(a, b):
    """A product of integral matrices: of words where they suffice."""
    bound = len(b) * max((abs(x) for x in a.ravel().tolist()), default=0) * max((abs(x) for x in b.ravel().tolist()), default=0)
    return a.astype(np.int64) @ b.astype(np.int64) if bound < 2**62 else a.astype(object) @ b.astype(object)


# Character tables.
def subgroup(group, classes, generators, characters):
    """[characters, classes] lists of how often each value E(order)^e is met on a class, for linear characters given at the generators of a subgroup."""
    steps, orders = np.array([permutation(g, group.degree) for g in generators], np.int64), [c["order"] for c in characters]
    steps = steps.reshape(len(generators), group.degree)
    demand(group.contains(steps), "a generator of a subgroup is no element of the group")
    demand(all(len(c["exponents"]) == len(steps) for c in characters), "a linear character has not as many values as its subgroup has generators")
    given, modulus = np.array([c["exponents"] for c in characters], np.int64).reshape(len(orders), len(steps)), np.array(orders)[:, None]
    elements, values = np.arange(group.degree)[None], np.zeros((len(orders), 1), np.int64)
    known, front = group.keys(elements), slice(0, 1)
    while front.stop > front.start:  # closed under multiplication by generators
        new = np.concatenate([elements[front][:, s] for s in steps] or [elements[:0]])
        met = np.concatenate([values[:, front] + given[:, [j]] for j in range(len(steps))] or [values[:, :0]], axis=1) % modulus
        keys, first, back = np.unique(group.keys(new), return_index=True, return_inverse=True)
        fresh = ~np.isin(keys, known)
        front = slice(len(elements), len(elements) + fresh.sum())
        elements, values = np.concatenate([elements, new[first[fresh]]]), np.concatenate([values, met[:, first[fresh]]], axis=1)
        known = np.concatenate([known, keys[fresh]])
        order = np.argsort(known)
        there = order[np.searchsorted(known, keys, sorter=order)][back]
        demand((values[:, there] == met).all(), "the values at the generators of a subgroup are those of no linear character")
    on = classes.numbers(elements)
    counts = [[np.bincount(row[on == k], minlength=n) for k in range(len(classes.sizes))] for row, n in zip(values, orders)]
    return counts, len(elements)


def induced(proof, group, classes):
    """[linear characters][classes] coordinates: at g, |C(g)| / |H| times the sum of the values at the elements of H conjugate to g."""
    out = [None] * len(proof["linear_characters"])
    for s, generators in enumerate(proof["subgroups"]):
        own = [i for i, c in enumerate(proof["linear_characters"]) if c["subgroup"] == s]
        counts, order = subgroup(group, classes, generators, [proof["linear_characters"][i] for i in own])
        for i, row in zip(own, counts):
            m, out[i] = proof["linear_characters"][i]["order"], []
            for k, (count, n) in enumerate(zip(row, classes.orders)):
                met = np.nonzero(count)[0]  # E(m)^e is of an order that divides that of the elements, n
                total = exact(count[met][None], reduced(n)[met * n // m]).astype(object)[0] * classes.centralizer[k]
                demand(not (total % order).any(), "an induced character has a value that is no algebraic integer")
                out[i].append(total // order)
    demand(None not in out, "a linear character has no subgroup")
    return out


def check_table(document, proof, group, classes):
    """Every row is a combination of induced characters, of norm 1 and positive degree: an irreducible character. They are as many as classes."""
    count, columns = len(classes.sizes), induced(proof, group, classes)
    demand(len(document["irreducibles"]) == len(proof["combinations"]) == count, "there are not as many characters as classes")
    demand(all(len(row) == count for row in document["irreducibles"]), "a row has not as many values as there are classes")
    values = [np.array([number(row[k], n) for row in document["irreducibles"]]) for k, n in enumerate(classes.orders)]
    factors = np.zeros((count, max(len(columns), 1)), object)
    for i, terms_of_row in enumerate(proof["combinations"]):
        for j, c in terms_of_row:
            demand(0 <= j < len(columns), f"the combination for row {i} speaks of a character that is not there")
            factors[i, j] += int(c)
    for k in range(count):
        sums = exact(factors, np.array([column[k] for column in columns], object))
        for i in np.nonzero((sums != values[k]).any(axis=1))[0]:
            demand(False, f"row {i} is not its combination of induced characters on class {k}")
    stated = zip(inner_squares(values, classes.orders, classes), indicators(values, classes.orders, classes), document["indicators"])
    for i, (square, sign, said) in enumerate(stated):
        demand(square == 1, f"row {i} has the norm {square}, not 1")
        demand(values[0][i, 0] > 0, f"row {i} has the degree {values[0][i, 0]}")
        demand(sign == said, f"row {i} has another indicator")
    demand(len(set(map(str, np.concatenate(values, axis=1).tolist()))) == count, "a row is there twice")
    for p, images in document["power_maps"].items():
        stated = [classes.power[int(p) % n][k] for k, n in enumerate(classes.orders)]
        demand(stated == images, f"the power map for {p} is not that of the classes")
    return f"the rows are all {count} irreducible characters, and the columns all classes, of a group of order {group.order}"


# Representations: matrices [phi(n), d, d] of integers over a denominator.
class Field:
    def __init__(self, n, size):
        self.n, self.size = n, size
        phi = len(reduced(n)[0])
        self.table = [[[(c, x) for c, x in enumerate(reduced(n)[(a + b) % n].tolist()) if x] for b in range(phi)] for a in range(phi)]
        self.height = phi**2 * size * max(abs(x) for row in self.table for terms in row for _, x in terms)
        self.one = (np.array([np.eye(size, dtype=np.int64)] + [np.zeros((size, size), np.int64)] * (phi - 1)), 1)

    def product(self, x, y):
        (a, below), (b, under) = x, y
        bits = sum(int(bound).bit_length() for bound in (abs(a).max(), abs(b).max(), self.height))
        demand(bits < 10000, "products of the matrices grow beyond 10000 bits: they are those of no finite group, or too large for this checker")
        kind = float if bits <= 52 else np.int64 if bits <= 62 else object  # exact in all three
        left, right, out = a.astype(kind), b.astype(kind), np.zeros(a.shape, object if kind == object else np.int64)
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
    demand(all(len(rows) == size and all(len(row) == size for row in rows) for rows in lists), f"a matrix is not of the size {size}")
    parsed = [[[terms(x) for x in row] for row in rows] for rows in lists]
    n = math.lcm(1, *(m for rows in parsed for row in rows for m, _ in row))
    field, out = Field(n, size), []
    for rows in lists:
        values = [[number(x, n).tolist() for x in row] for row in rows]
        below = math.lcm(1, *(c.denominator for row in values for value in row for c in value if c))
        whole = np.array([[[int(c * below) for c in value] for value in row] for row in values], object)
        out.append(field.lowest(whole.reshape(size, size, -1).transpose(2, 0, 1), below))
    return field, out


def check_homomorphism(group, field, given, name):
    """The character, by the orders and coordinates of its values: every element is one product of elements of the transversals; let its matrix be
    that of their matrices. If s u, for strong s and u in a transversal, always has the product of the matrices of s and u, this is a homomorphism."""
    images = list(given)
    order = lambda k: math.lcm(*cycle_lengths(group.elements[[k]])[0].tolist())
    for k, image in enumerate(given):
        demand(same(field.power(image, order(k)), field.one), f"the matrix of generator {k} of {name} has another order than the generator")
    for word in group.words:
        product = field.one
        for x in word:
            product = field.product(product, images[x - 1] if x > 0 else field.power(images[-x - 1], order(-x - 1) - 1))
        images.append(product)
    levels = []
    for moving, rows, _, place, tree in group.levels:
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
                demand((s, k) in tree or same(product, field.product(images[s], levels[i][k])),
                       f"the matrices of {name} are no representation: a relation of the group, of level {i}, does not hold")  # fmt: skip
    return levels


def check_representations(document, proof, group, classes):
    """Each is a homomorphism with a character of norm 1; no two characters are equal, and where they are as many as classes they are all."""
    texts, found = document["generators"], []
    demand(len(texts) == group.given, "the proof has other generators than the representations")
    for k, text in enumerate(texts):
        demand(np.array_equal(permutation(text, group.degree), group.elements[k]), f"generator {k} of the proof is not the one whose image is in the file")
    places = group.sift(classes.x)[1]
    for entry in document["irreps"]:
        name, size = f"irrep {entry['irrep']}", int(entry["degree"])
        demand(size > 0 and len(entry["matrices"]) == group.given, f"{name} has not as many matrices as there are generators")
        field, given = read_matrices(entry["matrices"], size)
        levels, values = check_homomorphism(group, field, given, name), []
        for k in range(len(classes.x)):
            product = field.one
            for matrices, place in zip(levels, places):
                product = field.product(product, matrices[place[k]])
            values.append(np.array([[Fraction(int(x), product[1]) for x in np.trace(product[0], axis1=1, axis2=2)]], object))
        orders = [field.n] * len(values)
        [square], [sign] = inner_squares(values, orders, classes), indicators(values, orders, classes)
        demand(square == 1, f"{name} is not irreducible: its character has the norm {square}")
        demand(sign == entry["indicator"], f"{name} has another indicator")
        found.append((name, size, field.n, values))
    for degree in {size for _, size, _, _ in found}:
        alike, seen = [(name, n, values) for name, size, n, values in found if size == degree], {}
        both = math.lcm(*(n for _, n, _ in alike))
        for name, n, values in alike:  # by coordinates in the roots of unity of one order
            key = str([(x[0] @ reduced(both)[np.arange(x.shape[1]) * (both // n)]).tolist() for x in values])
            demand(seen.setdefault(key, name) == name, f"{name} is equivalent to {seen[key]}")
    whole = "all" if len(found) == len(classes.x) else "pairwise inequivalent"
    return f"the matrices are {whole} irreducible representations, {len(found)} of {len(classes.x)}, of a group of order {group.order}"


def check(path):
    """What is proved of the file, in words. Refused says why it is not."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    demand("proof" in document, "it has no proof: write it with --proof")
    proof = document["proof"]
    group = Group(proof)
    demand(str(group.order) == document["order"], f"the order of the group is {group.order}, not {document['order']}")
    demand(proof["form"] in ("characters", "representations"), f"{proof['form']} is no form of a proof")
    if proof["form"] == "characters":
        return check_table(document, proof, group, Classes(group, document["classes"]))
    return check_representations(document, proof, group, Classes(group, proof["classes"]))


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        return print(__doc__) or int(not paths) * 2
    status = 0
    for path in paths:
        try:
            print(f"{path}: accepted: {check(path)}", flush=True)
        except Refused as reason:
            status = max(status, print(f"{path}: refused: {reason}") or 1)
        except Exception as error:  # of a stranger's file: whatever NumPy and json say
            status = print(f"{path}: cannot be read: {type(error).__name__}: {error}") or 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
