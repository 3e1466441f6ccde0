#!/usr/bin/env python3
"""Checks the answers of `decompose --basis` and `--orthonormal`, of `irreps --orthonormal`, and of `symmetrize`: that a
representation is the sum of these irreducible ones, that matrices are unitary, that a matrix is the mean over the group.

Usage: check_decomposition.py [--images TABLE]... [--weights W.json] [--seconds N] FILE...      .json

Groups and representations are made from their names, by docs/conventions.md; those that this checker does not know come
from TABLE, a weight table that `tie --proof` wrote, or the answer of `irreps`. Matrices of `decompose` are those of the
program's generators, in their order: TABLE has to tell them where the group has more than one. W.json is the matrix
that was averaged. All arithmetic is exact, but for the doubles of `numbers` and `basis`, which are compared with exact
square roots. Exit status 0: every file is accepted; 1: one is refused; 2: one cannot be read or checked.
"""

import json
import math
import re
import sys
from fractions import Fraction

import images
import linear
import named_groups as groups
from reading import (
    Unreadable,
    decimal,
    demand,
    integers,
    json_of,
    member,
    of_type,
    permutation,
    readable,
    whole,
)

NEAR = Fraction(1, 2**50)  # of doubles, relative to the largest of a matrix: some units in the last place


# Doubles beside exact numbers.
def root(x):
    """The square root of a number above 0, as a fraction, to 2^-500."""
    value, _ = linear.real_and_imaginary(x)
    value = Fraction(value) / 2**linear.BITS
    return Fraction(math.isqrt(int(value * 2**1000)), 2**500)


def compare(numbers, matrix, factor, what):
    """That doubles [rows][columns], real or [real, imaginary], are matrix[i][k] * factor(i, k)."""
    of_type(numbers, list, what)
    demand(len(numbers) == len(matrix), f"{what} has not as many rows as the matrix")
    for i, (line, row) in enumerate(zip(numbers, matrix)):
        demand(type(line) is list and len(line) == len(row), f"{what} has not as many columns as the matrix")
        for k, (x, exactly) in enumerate(zip(line, row)):
            parts = x if isinstance(x, list) else [x]
            readable(len(parts) in (1, 2) and all(type(part) is float for part in parts), f"{what} has an entry that is "
                                                                                         "no double")  # fmt: skip
            wanted = [Fraction(y) / 2**linear.BITS * factor(i, k) for y in linear.real_and_imaginary(exactly)]
            size = max(1, *map(abs, wanted))
            demand(
                all(math.isfinite(part) for part in parts)
                and all(abs(Fraction(a) - b) <= NEAR * size for a, b in zip([*parts, 0.0], wanted)),
                f"entry ({i}, {k}) of {what} is not the double of its exact value",
            )


# Orthonormal bases.
def check_form(H, generators, what):
    """An invariant Hermitian form. That it is positive definite follows from an orthogonal basis."""
    demand(linear.equal(linear.adjoint(H), H), f"the form of {what} is not Hermitian")
    for k, R in enumerate(generators):
        moved = linear.product(linear.product(linear.adjoint(R), H), R)
        demand(linear.equal(moved, H), f"the form of {what} is not invariant under generator {k}")


def check_orthogonal(H, F, norms, what):
    gram = linear.product(linear.product(linear.adjoint(F), H), F)
    for i, row in enumerate(gram):
        for k, x in enumerate(row):
            demand(x == (norms[i] if i == k else 0), f"vectors {i} and {k} of {what} have another product")
    demand(all(map(linear.is_positive, norms)), f"a norm of {what} is not a positive real number")


def check_unitary(entry, generators, norms, F, what, field, size):
    """`matrices` are the images in the basis F, and `numbers` these times the roots of norms."""
    given = of_type(entry["matrices"], list, what)
    numbers = member(entry, "numbers", list, what)
    demand(len(given) == len(numbers) == len(generators), f"{what} has not as many matrices as generators")
    roots = [root(x) for x in norms[:size]]
    for k, (R, rows, doubles) in enumerate(zip(generators, given, numbers)):
        M = linear.matrix(rows, field, size, size, f"a matrix of {what}")
        demand(
            linear.equal(linear.product(R, F), linear.product(F, M)),
            f"matrix {k} of {what} is not that of its generator in this basis",
        )
        compare(doubles, M, lambda i, j: roots[i] / roots[j], f"numbers {k} of {what}")


# Answers of `irreps --orthonormal`.
def check_irreps(file, companions):
    name, texts = member(file, "group", str), member(file, "generators", list)
    known = groups.named(name)
    degree = known[1] if known else max([1, *moved_points(texts)])
    group = groups.finite(name, [permutation(text, degree) for text in texts], degree)
    demand(decimal(member(file, "order", str), "the order") == group.order(), f"the order is not {group.order()}")
    over, found = member(file, "over", str), []
    demand(over in ("complex", "real"), f"{over[:60]} is no field over which representations are made unitary")
    field = images.field_for(file, companions, group)
    modular = linear.Modular(field.n)
    for entry in member(file, "irreps", list):
        what = f"irrep {member(entry, 'irrep', int, 'a representation')}"
        size = decimal(member(entry, "degree", str, what), "a degree")
        readable(0 < size <= 64, f"{what} is too large for this checker")
        given = [
            linear.matrix(x, field, size, size, f"a matrix of {what}") for x in member(entry, "matrices", list, what)
        ]
        group.represented(given, size, what)
        readable("orthonormal" in entry, f"{what} has nothing orthonormal: check_characters.py is for such files")
        part = member(entry, "orthonormal", dict, what)
        H = linear.matrix(member(part, "form", list, what), field, size, size, f"the form of {what}")
        F = linear.matrix(member(part, "columns", list, what), field, size, size, f"the columns of {what}")
        norms = [field.of_json(x) for x in member(part, "norms", list, what)]
        demand(len(norms) == size, f"{what} has {len(norms)} norms")
        check_form(H, given, what)
        check_orthogonal(H, F, norms, what)
        member(part, "matrices", list, what)
        check_unitary(part, given, norms, F, what, field, size)
        kind = indicator(group, given, size, over, what)
        demand(member(entry, "indicator", int, what) == kind, f"{what} has another indicator")
        for other, theirs in found:
            demand(
                linear.hom_dimension(list(zip(given, theirs)), size, other, modular) == 0,
                f"{what} is equivalent to one before it",
            )
        found.append((size, given))
    demand(found, "there are no representations")
    every = over == "complex" and sum(size**2 for size, _ in found) == group.order()
    word = "" if group.proved else f"; that the group is {name} is the writer's word"
    return (
        f"the {len(found)} representations are {'all' if every else 'pairwise inequivalent'} irreducible ones over the "
        f"{over} numbers of a group of order {group.order()}, unitary in bases that are orthogonal for an invariant "
        f"form{word}"
    )


def moved_points(texts):
    return [int(x) for text in texts for x in re.findall(r"\d{1,6}", str(text))]


# Answers of `decompose`.
def check_decomposition(file, companions):
    name, over = member(file, "group", str), member(file, "over", str)
    readable(over in ("complex", "real"), "decompositions over the rational numbers are not for this checker")
    group = images.group_called(name, companions)
    readable(not group.continuous, "a decomposition under a continuous group is not for this checker")
    told = name in companions.groups or len(group.generators) < 2
    readable(
        told, f"the order of the generators of {name} is not in the file: give a file of `irreps {name}` or of "
        "`tie --proof` with --images FILE"
    )  # fmt: skip
    rep = member(file, "rep", str)
    field = images.field_for(file, companions, group, rep)
    named = images.Named(group, companions, field)
    size, R = named.images(rep)
    demand(decimal(member(file, "dimension", str), "the dimension") == size, f"the dimension is {size}")
    readable("components" in file, "it has no matrices: write it with --basis or --orthonormal")
    H = linear.matrix(file["form"], field, size, size, "the form") if "form" in file else None
    if H:
        check_form(H, R, "the whole space")
    parts = [component(entry, R, size, field, H) for entry in member(file, "components", list)]
    demand(parts, "there are no components")
    demand(sum(d * m for d, m, *_ in parts) == size, f"the components have not {size} dimensions together")
    check_sum(parts, size)
    check_irreducible(parts, field, group, over)
    if H:
        check_apart(parts, H)
    check_constituents(file, parts, over)
    return (
        f"{rep} of {name} is the direct sum of {sum(m for _, m, *_ in parts)} irreducible representations of "
        f"{len(parts)} kinds over the {over} numbers, by these inclusions and projections"
        f"{'; the bases are orthogonal for an invariant form' if H else ''}{images.words(named, group)}"
    )


def component(entry, R, size, field, H):
    what = f"component {member(entry, 'irreps', list, 'a component')}"
    degree, copies = (member(entry, key, int, what) for key in ("degree", "multiplicity"))
    demand(degree > 0 and copies > 0 and degree * copies <= size, f"{what} has another size than the space")
    given = [
        linear.matrix(x, field, degree, degree, f"a matrix of {what}") for x in member(entry, "matrices", list, what)
    ]
    demand(len(given) == len(R), f"{what} has {len(given)} matrices for {len(R)} generators")
    width = degree * copies
    T = linear.matrix(member(entry, "inclusion", list, what), field, size, width, f"the inclusion of {what}")
    P = linear.matrix(member(entry, "projection", list, what), field, width, size, f"the projection of {what}")
    for k, (acting, M) in enumerate(zip(R, given)):
        blocks = linear.direct_sum([M] * copies)
        demand(
            linear.equal(linear.product(acting, T), linear.product(T, blocks)),
            f"the inclusion of {what} does not commute with generator {k}",
        )
    if H:
        demand("orthonormal" in entry, f"{what} has nothing orthonormal, and the file has a form")
        part = member(entry, "orthonormal", dict, what)
        F = linear.matrix(member(part, "vectors", list, what), field, size, width, f"the vectors of {what}")
        norms = [field.of_json(x) for x in member(part, "norms", list, what)]
        demand(len(norms) == width, f"{what} has {len(norms)} norms for {width} vectors")
        check_orthogonal(H, F, norms, what)
        roots = [root(x) for x in norms]
        compare(member(part, "basis", list, what), F, lambda i, j: 1 / roots[j], f"the basis of {what}")
        member(part, "matrices", list, what)
        for copy in range(copies):
            own = [row[copy * degree : (copy + 1) * degree] for row in F]
            check_unitary(part, R, norms[copy * degree : (copy + 1) * degree], own, what, field, degree)
        return degree, copies, given, T, P, entry, F
    demand("orthonormal" not in entry, f"{what} has something orthonormal, and the file has no form")
    return degree, copies, given, T, P, entry, None


def check_sum(parts, size):
    """P_i T_j is the identity for i = j and otherwise 0: with as many columns as dimensions the sum is direct and
    whole."""
    for i, (*_, P, _, _) in enumerate(parts):
        for j, (*_, T, _, _, _) in enumerate(parts):
            found = linear.product(P, T)
            wanted = linear.identity(len(found)) if i == j else linear.zeros(len(P), len(T[0]))
            demand(linear.equal(found, wanted), f"projection {i} after inclusion {j} is not what it is in a direct sum")


# <chi, chi> and the mean of chi(g^2) of what is irreducible, by the indicator that files state [Frobenius, Schur 1906].
# Over the real numbers matrices that commute are the reals, complex numbers or quaternions; two real representations
# in place of a pair of complex ones, or of a quaternionic one, would have another mean.
KINDS = {"complex": {1: (1, 1), 0: (1, 0), -1: (1, -1)}, "real": {1: (1, 1), 0: (2, 0), -1: (4, -2)}}


def check_irreducible(parts, field, group, over):
    """By characters. Nothing leads from one to another: a rank modulo a prime bounds that space."""
    modular = linear.Modular(field.n)
    for i, (degree, _, given, *_, entry, _) in enumerate(parts):
        what = f"component {entry['irreps']}"
        entry["kind"] = indicator(group, given, degree, over, what)
        for other, _, theirs, *_, second, _ in parts[:i]:
            found = linear.hom_dimension(list(zip(given, theirs)), degree, other, modular)
            demand(found == 0, f"{what} and component {second['irreps']} are equivalent")


def indicator(group, given, degree, over, what):
    """1, 0, -1 of an irreducible representation over the complex or the real numbers."""
    found = group.represented(given, degree, what)
    traces = {x: linear.trace(image) for x, image in found.items()}
    real = all(linear.conjugate(a) == a for image in given for row in image for a in row)
    demand(over == "complex" or real, f"{what} is not real")
    norm = sum((x * linear.conjugate(x) for x in traces.values()), Fraction(0))
    mean = sum((traces[groups.after(x, x)] for x in traces), Fraction(0))
    kinds = [k for k, (a, b) in KINDS[over].items() if norm == a * len(found) and mean == b * len(found)]
    demand(kinds, f"{what} is not irreducible over the {over} numbers")
    return kinds[0]


def check_apart(parts, H):
    for i, (*_, F) in enumerate(parts):
        for *_, second in parts[:i]:
            gram = linear.product(linear.product(linear.adjoint(F), H), second)
            demand(not any(map(any, gram)), f"vectors of component {i} are not orthogonal to those of others")


def check_constituents(file, parts, over):
    """The list says of each component its row, degree and multiplicity."""
    listed = member(file, "constituents", list)
    demand(len(listed) == len(parts), f"there are {len(listed)} constituents and {len(parts)} components")
    rows = []
    for entry, (degree, copies, *_, part, _) in zip(listed, parts):
        row = member(entry, "irrep", int, "a constituent")
        conjugates = integers(entry.get("conjugates", []), "conjugates")
        both = integers(part["irreps"], "irreps")
        demand(row >= 0 and both == [row, *conjugates], "a component has other rows than its constituent")
        demand(len(both) == (2 if part["kind"] == 0 and over == "real" else 1), f"constituent {row} has other rows")
        for key, have in ("degree", degree), ("multiplicity", copies):
            stated = decimal(member(entry, key, str, "a constituent"), key)
            demand(stated == have, f"constituent {row} has the {key} {stated}, and its component {have}")
        demand(entry.get("name") == part.get("name"), f"constituent {row} has another name than its component")
        demand(
            member(entry, "indicator", int, "a constituent") == part["kind"], f"constituent {row} has another indicator"
        )
        rows.append(row)
    demand(rows == sorted(set(rows)), "the rows of the constituents are not in order")


# Answers of `symmetrize`.
def check_symmetrized(file, companions, weights):
    name = member(file, "group", str)
    group = images.group_called(name, companions)
    readable(not group.continuous, "the mean over a continuous group is not for this checker")
    readable(file.get("exact") is True, "it is no exact answer: symmetrize a matrix of a .json file")
    readable(weights is not None, "the matrix that was averaged is not in the file: give it with --weights W.json")
    given = json_of(whole(weights))
    reps = [member(file, key, str) for key in ("rep_in", "rep_out")]
    field = linear.common_field(
        images.field_for(file, companions, group, *reps).n, *images.orders_of(given), *text_orders(given)
    )
    source, target = (images.Named(group, companions, field) for _ in range(2))
    (width, A), (height, B) = source.images(reps[0]), target.images(reps[1])
    for key, have in ("rows", height), ("cols", width):
        demand(member(file, key, int) == have, f"{key} is {file[key]}, and the representation has {have}")
    demand(decimal(member(file, "order", str), "the order") == group.order(), f"the order is not {group.order()}")
    of_type(given, list, "the weights")
    readable(len(given) == height and all(type(row) is list and len(row) == width for row in given),
             f"the weights have not {height} rows and {width} columns")  # fmt: skip
    W = [[entry_of(x, field) for x in row] for row in given]
    S = linear.matrix(member(file, "matrix", list), field, height, width, "the matrix")
    left, right = group.represented(B, height, reps[1]), group.represented(A, width, reps[0])
    total = linear.zeros(height, width)
    for x in group.all():
        moved = linear.product(linear.product(left[x], W), right[groups.inverted(x)])
        total = linear.plus(total, moved)
    demand(linear.equal(total, linear.times(S, group.order())), "the matrix is not the mean over the group")
    check_residual(file, W, S)
    source.words |= target.words
    return f"the matrix is the mean over {name} of {reps[1]}(g) W {reps[0]}(g)^-1{images.words(source, group)}"


def check_residual(file, W, S):
    """|W - S|^2 / |W|^2 where it is rational, its root as a double; nothing is left of equivariance."""
    square = lambda X: sum((a * linear.conjugate(a) for row in X for a in row), Fraction(0))
    whole_square, rest = square(W), square(linear.plus(W, linear.times(S, -1)))
    ratio = rest * linear.reciprocal(whole_square) if whole_square else Fraction(0)
    value = Fraction(linear.real_and_imaginary(ratio)[0]) / 2**linear.BITS
    stated = file.get("residual")
    readable(type(stated) is float, "the residual is no double")
    wanted = Fraction(math.isqrt(int(value * 2**1000)), 2**500)
    demand(math.isfinite(stated) and abs(Fraction(stated) - wanted) <= NEAR, "the residual is another one")
    demand("squared_residual" in file, "it has no squared_residual")
    squared = linear.common_field(*images.orders_of(file)).of_json(file["squared_residual"])
    field = linear.common_field(*(x.field.n for x in (squared, ratio) if isinstance(x, linear.Number)))
    demand(field.wide(squared) == field.wide(ratio), "the squared residual is another one")
    demand(file.get("defect") == 0.0, "an exact mean has no defect")


def text_orders(value):
    return [int(n) for n in re.findall(r"E\((\d{1,4})\)", json.dumps(value))]


def entry_of(x, field):
    if type(x) is int:
        return Fraction(x)
    try:
        return field.of_json(x) if isinstance(x, dict) else field.of_text(x)
    except Unreadable as reason:
        raise Unreadable(f"an entry of the weights is not read here: {reason}") from None


def checker(weights):
    def check(path, companions):
        """What is proved of the file, in words. Refused says why it is not."""
        file = of_type(json_of(whole(path)), dict, "the file")
        command = member(file, "command", str)
        if command == "decompose":
            return check_decomposition(file, companions)
        if command == "symmetrize":
            return check_symmetrized(file, companions, weights)
        readable(command == "irreps", f"{command[:60]} is no command whose files this checker takes")
        return check_irreps(file, companions)

    return check


def main(arguments):
    arguments, weights = list(arguments), None
    if "--weights" in arguments[:-1]:
        at = arguments.index("--weights")
        weights = arguments[at + 1]
        del arguments[at : at + 2]
    return images.run(arguments, __doc__, checker(weights))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
