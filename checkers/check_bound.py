#!/usr/bin/env python3
"""Checks a file of an exact bound: a polynomial minus the bound IS the sum of squares in the file, or the multipliers in
it DO prove the lower bound of its semidefinite program.

Usage: check_bound.py [--seconds N] FILE...      written by Certificate.save (docs/formats.md, "Bounds")

Nothing of the program that wrote the file is used or believed. Exit status 0: every file is accepted; 1: one is refused,
with the reason; 2: one cannot be read, or not be checked in N seconds (3600) for one file and three quarters of the
memory. Standard library alone. That the polynomial or the program is the one that the reader has in mind is for the
reader to compare.
"""

import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from reading import demand, fraction, integer, integers, json_of, member, of_type, readable, run, whole

MEMBERS = {
    "lower bound": {"bound", "blocks", "C", "A", "b", "y"},
    "sum of hermitian squares": {"bound", "operators", "squares", "polynomial", "blocks"},
    "sum of squares": {"bound", "variables", "polynomial", "inequalities", "blocks"},
    "symmetric sum of squares": {"bound", "variables", "polynomial", "inequalities", "blocks"},
}


def square_root_free(rows, what):
    """Refused unless the symmetric matrix, given as {column: number} for each row, is positive semidefinite.

    The symmetric form of Gauss' elimination, L D L^T, on sparse rows. A pivot 0 needs a row that is 0, for a minor of two
    rows would be negative otherwise.
    """
    rows = [dict(row) for row in rows]
    for k, row in enumerate(rows):
        pivot = row.get(k, 0)
        demand(pivot >= 0, f"{what} is not positive semidefinite: its elimination meets {pivot} in row {k}")
        later = [j for j, x in row.items() if j > k and x]
        if pivot == 0:
            demand(
                not later, f"{what} is not positive semidefinite: its elimination meets 0 in row {k}, which is not 0"
            )
            continue
        for i in later:
            factor, below = row[i] / pivot, rows[i]
            for j in later:
                left = below.get(j, 0) - factor * row[j]
                if left:
                    below[j] = left
                else:
                    below.pop(j, None)


def full(upper):
    """{(i, j): x} for i <= j as {column: number} for each row."""
    size = 1 + max((j for _, j in upper), default=-1)
    rows = [{} for _ in range(size)]
    for (i, j), x in upper.items():
        if x:
            rows[i][j] = x
            rows[j][i] = x
    return rows


def entries(given, owner, what):
    found = {}
    for entry in of_type(given, list, what):
        readable(
            len(of_type(entry, list, f"an entry of {what}")) == 3, f"an entry of {what} is no (row, column, number)"
        )
        i, j, x = integer(entry[0], "a row"), integer(entry[1], "a column"), fraction(entry[2], f"an entry of {what}")
        readable(0 <= i <= j < len(owner), f"{what} has an entry ({i}, {j}) outside of its upper triangle")
        demand(owner[i] == owner[j], f"{what} has an entry ({i}, {j}) outside of the blocks")
        demand((i, j) not in found, f"{what} has the entry ({i}, {j}) twice")
        found[i, j] = x
    return found


def check_program(file):
    owner = []
    for k, size in enumerate(integers(member(file, "blocks", list), "blocks")):
        readable(0 < abs(size) < 10**7 and len(owner) < 10**7, f"block {k} has no size that can be checked")
        owner += [(k, 0)] * size if size > 0 else [(k, i) for i in range(-size)]
    C = entries(file["C"], owner, "C")
    A = [entries(given, owner, f"matrix {k} of A") for k, given in enumerate(member(file, "A", list))]
    b = [fraction(x, "a number of b") for x in member(file, "b", list)]
    y = [fraction(x, "a number of y") for x in member(file, "y", list)]
    demand(len(A) == len(b) == len(y), f"there are {len(A)} matrices, {len(b)} right sides and {len(y)} multipliers")
    bound = fraction(file["bound"], "the bound")
    total = sum((p * q for p, q in zip(b, y)), Fraction(0))
    demand(total == bound, f"the multipliers prove {total}, not {bound}")
    for matrix, factor in zip(A, y):
        for at, x in matrix.items():
            C[at] = C.get(at, 0) - factor * x
    square_root_free(full(C), "C less the multiples of the constraints")
    return f"the semidefinite program of {len(owner)} rows and {len(A)} constraints has no value below {bound}"


def polynomial(given, variables, what):
    found = {}
    for term in of_type(given, list, what):
        readable(len(of_type(term, list, f"a term of {what}")) == 2, f"a term of {what} is no (exponents, number)")
        key = exponents(term[0], variables, what)
        demand(key not in found, f"{what} has the exponents {list(key)} twice")
        found[key] = fraction(term[1], f"a coefficient of {what}")
    return found


def exponents(given, variables, what):
    key = tuple(integers(given, f"exponents of {what}"))
    readable(len(key) == variables and min(key, default=0) >= 0, f"{what} has no exponents of {variables} variables")
    return key


def times(p, q):
    found = {}
    for a, x in p.items():
        for b, y in q.items():
            key = tuple(map(sum, zip(a, b)))
            found[key] = found.get(key, 0) + x * y
    return found


def gram_matrix(block, rows, what):
    """The upper triangle of the Gram matrix of a block, which has to be positive semidefinite."""
    gram = member(block, "gram", list, what)
    readable(
        len(gram) == rows and all(len(of_type(row, list, what)) == i + 1 for i, row in enumerate(gram)),
        f"the matrix of {what} is no lower triangle of {rows} rows",
    )
    upper = {(j, i): fraction(x, f"an entry of {what}") for i, row in enumerate(gram) for j, x in enumerate(row)}
    square_root_free(full(upper), f"the matrix of {what}")
    return upper


def check_squares(file):
    names = [of_type(name, str, "a variable") for name in member(file, "variables", list)]
    demand(names and len(set(names)) == len(names), "the variables have no different names")
    n = len(names)
    p = polynomial(file["polynomial"], n, "the polynomial")
    multipliers = [{(0,) * n: Fraction(1)}]
    for k, given in enumerate(member(file, "inequalities", list)):
        multipliers.append(polynomial(given, n, f"inequality {k}"))
    total = {}
    for k, block in enumerate(member(file, "blocks", list)):
        what = f"block {k}"
        readable(type(block) is dict and block.keys() == {"multiplier", "monomials", "gram"}, f"{what} has other keys")
        number = member(block, "multiplier", int, what)
        demand(0 <= number < len(multipliers), f"{what} has a multiplier {number} that is not there")
        rows = [exponents(key, n, what) for key in member(block, "monomials", list, what)]
        upper = gram_matrix(block, len(rows), what)
        square = {}
        for (i, j), x in upper.items():
            key = tuple(map(sum, zip(rows[i], rows[j])))
            square[key] = square.get(key, 0) + (x if i == j else 2 * x)
        for key, x in times(square, multipliers[number]).items():
            total[key] = total.get(key, 0) + x
    bound = Fraction(0) if file["bound"] is None else fraction(file["bound"], "the bound")
    constant = (0,) * n
    total[constant] = total.get(constant, 0) + bound
    for key in sorted({*total, *p}):
        left, right = p.get(key, 0), total.get(key, 0)
        demand(
            left == right, f"the coefficient of exponents {list(key)} is {left} in the polynomial, {right} in the sum"
        )
    where = f" where its {len(multipliers) - 1} inequalities hold" if len(multipliers) > 1 else ""
    return f"the polynomial in {', '.join(names)} is nowhere below {bound}{where}"


def orders(letters, length):
    """The lists of so many of the letters, a Counter, each once."""
    if length == 0:
        yield ()
    for letter in [x for x in letters if letters[x]] if length else ():
        letters[letter] -= 1
        for rest in orders(letters, length - 1):
            yield (letter, *rest)
        letters[letter] += 1


def images(n, letters):
    """How many lists of n entries have these ones other than 0."""
    return prod(range(n - len(letters) + 1, n + 1)) // prod(map(factorial, Counter(letters).values()))


def symmetric_product(n, a, b):
    """{c: x} for the product of the sums of the images of x^a and x^b in n variables."""
    width = min(n, len(a) + len(b))
    count = Counter()
    for other in orders(Counter([*b, *[0] * (width - len(b))]), width):
        count[descending(x + y for x, y in zip([*a, *[0] * (width - len(a))], other))] += 1
    return {c: k * images(width, a) // images(width, c) for c, k in count.items()}


def descending(letters):
    return tuple(sorted((x for x in letters if x), reverse=True))


def tableau_polynomial(shape, bulk, rows):
    """The sum of x^T over the tableaux T with these rows in any order, then with signs over the permutations in every
    column: {(exponents of the boxes in columns of two boxes or more, those of the other variables): coefficient}. It is
    symmetric in the other variables, which are in the first row, and of their images one is there.
    """
    if not shape:
        return {((), ()): 1}
    width = shape[1] if len(shape) > 1 else 0
    first = Counter(rows[0])
    first[bulk] += shape[0] - len(rows[0])
    boxes = [(r, c) for r in range(len(shape)) for c in range(min(shape[r], width))]
    number = {box: k for k, box in enumerate(boxes)}
    columns = [[number[box] for box in boxes if box[1] == c] for c in range(width)]
    found = {}
    for top in orders(Counter(first), width):
        left = Counter(first)
        left.subtract(top)
        rest = descending(x for x in left if x for _ in range(left[x]))
        for lower in product(*(list(orders(Counter(row), len(row))) for row in rows[1:])):
            exponents = [x for row in (top, *lower) for x in row]
            for moves in product(*map(permutations, columns)):
                moved, sign = list(exponents), 1
                for column, move in zip(columns, moves):
                    for i, k in enumerate(move):
                        moved[column[i]] = exponents[k]
                        sign *= (-1) ** sum(k < m for m in move[:i])
                key = tuple(moved), rest
                found[key] = found.get(key, 0) + sign
    return {key: x for key, x in found.items() if x}


def summed_product(shape, f, g):
    """The sum of the coefficients of f g over all monomials with the same exponents in any order."""
    loose = sum(shape) - sum(min(row, shape[1] if len(shape) > 1 else 0) for row in shape)
    found = {}
    for (a, rest), x in f.items():
        for (b, other), y in g.items():
            special = [u + v for u, v in zip(a, b)]
            for c, k in symmetric_product(loose, rest, other).items():
                key = descending([*special, *c])
                found[key] = found.get(key, 0) + x * y * k * images(loose, c)
    return found


def partition(given, what):
    parts = integers(given, what)
    demand(all(x > 0 for x in parts) and list(parts) == sorted(parts, reverse=True), f"{what} is no partition: {parts}")
    return tuple(parts)


def tableau(given, shape, what):
    given = [integers(row, f"a tableau of {what}") for row in of_type(given, list, f"a tableau of {what}")]
    demand(
        len(given) == len(shape) + 1 <= 9 and len(given[0]) == 1 and min(map(min, filter(None, given))) >= 0,
        f"{what} has no tableau of the shape {list(shape)}",
    )
    bulk, rows = given[0][0], given[1:]
    demand(bulk == 0 or 0 < sum(shape) <= 64, f"{what} has the letter {bulk} in too many boxes")
    demand(
        all(len(row) == k for row, k in list(zip(rows, shape))[1:])
        and (not shape or (len(rows[0]) <= shape[0] and bulk not in rows[0])),
        f"{what} has rows that do not fit the shape {list(shape)}",
    )
    return tableau_polynomial(shape, bulk, rows)


def check_symmetric(file):
    n = member(file, "variables", int)
    demand(n > 0, "there are no variables")

    def terms(given, what):
        found = {}
        for term in of_type(given, list, what):
            readable(len(of_type(term, list, f"a term of {what}")) == 2, f"a term of {what} is no (partition, number)")
            key = partition(term[0], f"exponents of {what}")
            demand(len(key) <= n and key not in found, f"{what} has the exponents {list(key)} twice, or too many")
            found[key] = fraction(term[1], f"a coefficient of {what}")
        return found

    p = terms(file["polynomial"], "the polynomial")
    multipliers = [{(): Fraction(1)}]
    for k, given in enumerate(member(file, "inequalities", list)):
        multipliers.append(terms(given, f"inequality {k}"))
    first_each = len(multipliers)  # those in the first variable, which hold in every one
    for k, given in enumerate(member(file, "each", list) if "each" in file else []):
        what, found = f"inequality {k} in each variable", {}
        for term in of_type(given, list, what):
            readable(len(of_type(term, list, f"a term of {what}")) == 2, f"a term of {what} is no (exponent, number)")
            key = integer(term[0], f"an exponent of {what}")
            demand(key >= 0 and key not in found, f"{what} has the exponent {key}, or twice")
            found[key] = fraction(term[1], f"a coefficient of {what}")
        multipliers.append(found)
    total = {(): Fraction(0) if file["bound"] is None else fraction(file["bound"], "the bound")}
    for k, block in enumerate(member(file, "blocks", list)):
        what = f"block {k}"
        readable(
            type(block) is dict and block.keys() - {"powers"} == {"multiplier", "shapes", "sign", "rows", "gram"},
            f"{what} has other keys",
        )
        number = member(block, "multiplier", int, what)
        demand(0 <= number < len(multipliers), f"{what} has a multiplier {number} that is not there")
        shapes = [partition(shape, f"a shape of {what}") for shape in member(block, "shapes", list, what)]
        readable(len(shapes) == 2, f"{what} has no two shapes")
        boxes = n - (number >= first_each)
        demand(sum(map(sum, shapes)) == boxes, f"the shapes of {what} do not have {boxes} boxes")
        sign = member(block, "sign", int, what)
        demand(sign in (-1, 0, 1) and (sign == 0 or shapes[0] == shapes[1]), f"{what} has a sign that it cannot have")
        rows = []
        for row in member(block, "rows", list, what):
            readable(len(of_type(row, list, f"a row of {what}")) == 2, f"a row of {what} is no pair of tableaux")
            rows.append([tableau(given, shape, what) for given, shape in zip(row, shapes)])
        powers = integers(block.get("powers", [0] * len(rows)), f"powers of {what}")
        demand(
            len(powers) == len(rows) and min(powers, default=0) >= 0 and (number >= first_each or not any(powers)),
            f"{what} has powers of the first variable that it cannot have",
        )
        upper = gram_matrix(block, len(rows), what)
        columns = [sum(row > c for row in shape) for shape in shapes for c in range(shape[1] if len(shape) > 1 else 0)]
        scale = prod(map(factorial, columns)) * (2 if sign else 1)

        def halves(row):  # f(x, y), and with a sign f(y, x)
            return [(1, *row), (sign, *row[::-1])] if sign else [(1, *row)]

        for (i, j), x in upper.items():
            sums = {}
            for (s, A, B), (t, C, D) in product(halves(rows[i]), halves(rows[j])) if x else ():
                for a, y in summed_product(shapes[0], A, C).items():
                    for b, z in summed_product(shapes[1], B, D).items():
                        key = descending([*a, *b])
                        sums[key] = sums.get(key, 0) + s * t * y * z
            for key, y in sums.items():
                if number >= first_each:
                    for first, z in multipliers[number].items():
                        to = descending([*key, powers[i] + powers[j] + first])
                        value = x * (1 if i == j else 2) * Fraction(y, scale * images(n, to))
                        total[to] = total.get(to, 0) + value * z
                    continue
                value = x * (1 if i == j else 2) * Fraction(y, scale * images(n, key))
                for other, z in multipliers[number].items():
                    for to, count in symmetric_product(n, key, other).items() if y else ():
                        total[to] = total.get(to, 0) + value * z * count
    for key in sorted({*total, *p}):
        left, right = p.get(key, 0), total.get(key, 0)
        demand(left == right, f"the coefficient of m{list(key)} is {left} in the polynomial, {right} in the sum")
    count = first_each - 1 + n * (len(multipliers) - first_each)
    where = f" where its {count} inequalities hold" if count else ""
    return f"the symmetric polynomial in {n} variables is nowhere below {file['bound'] or 0}{where}"


def shortest(word, operators, signs):
    """A word with the letters of each party together, by swaps of neighbours that commute; None for 0."""
    word, k = list(word), 0
    while k + 1 < len(word):
        (p, s), (q, t) = operators[word[k]], operators[word[k + 1]]
        if p > q:
            word[k : k + 2] = word[k + 1], word[k]
        elif p == q and s == t and word[k] != word[k + 1]:
            return None
        elif word[k] == word[k + 1]:
            word[k : k + 2] = [] if signs else word[k : k + 1]
        else:
            k += 1
            continue
        k = max(k - 1, 0)
    return tuple(word)


def check_words(file):
    given = [of_type(entry, list, "an operator") for entry in member(file, "operators", list)]
    readable(all(len(entry) == 3 for entry in given), "an operator has no name, party and setting")
    names, parties, settings = ([of_type(entry[k], str, "of an operator") for entry in given] for k in range(3))
    demand(len(set(names)) == len(names), "two operators have one name")
    demand(len({*zip(parties, settings)}) == len(set(settings)), "a setting belongs to two parties")
    squares = member(file, "squares", str)
    readable(squares in ("1", "themselves"), "squares of operators are neither 1 nor themselves")
    signs = squares == "1"
    demand(not signs or len(set(settings)) == len(settings), "two operators with the square 1 have one setting")
    operators, total = list(zip(parties, settings)), {}

    def word(given, what):
        found = integers(given, what)
        readable(all(0 <= x < len(names) for x in found), f"{what} has a letter that is no operator")
        return found

    def add(letters, x):
        one = shortest(letters, operators, signs)
        if one is not None:
            # A word and its adjoint have one real part.
            key = frozenset((one, shortest(letters[::-1], operators, signs)))
            total[key] = total.get(key, 0) + x

    for term in member(file, "polynomial", list):
        readable(len(of_type(term, list, "a term")) == 2, "a term of the polynomial is no (word, number)")
        add(word(term[0], "the polynomial"), fraction(term[1], "a coefficient"))
    bound = fraction(file["bound"], "the bound")
    add([], -bound)
    for k, block in enumerate(member(file, "blocks", list)):
        what = f"block {k}"
        readable(type(block) is dict and block.keys() == {"words", "gram"}, f"{what} has other keys")
        rows = [word(given, what) for given in member(block, "words", list, what)]
        upper = gram_matrix(block, len(rows), what)
        for (i, j), x in upper.items():
            add(rows[i][::-1] + rows[j], -x if i == j else -2 * x)
    for key, x in total.items():
        demand(x == 0, f"the word {[names[k] for k in min(key)]} is in the polynomial {x} times more than in the sum")
    return f"the functional of {', '.join(names)} is nowhere below {bound}"


def check(path):
    """What is proved, in words. Refused says why it is not."""
    file = of_type(json_of(whole(path)), dict, "the file")
    readable(file.get("format") == "intertwine bound", "it is no file of a bound")
    readable(file.get("version") == 1 and type(file["version"]) is int, "its version is not 1")
    kind = member(file, "kind", str)
    readable(kind in MEMBERS, f"{kind[:60]} is no kind of bound")
    members = set(file) - ({"each"} if kind == "symmetric sum of squares" else set())
    readable(members == {"format", "version", "kind"} | MEMBERS[kind], "it has other members than its kind")
    checks = {
        "lower bound": check_program,
        "sum of squares": check_squares,
        "symmetric sum of squares": check_symmetric,
    }
    return checks.get(kind, check_words)(file)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], __doc__, check))
