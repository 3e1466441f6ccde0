#!/usr/bin/env python3
"""Checks files of `polynomials` and `kernels`: that they hold ALL equivariant polynomial maps of their degree, or all
kernels, and nothing else.

Usage: check_maps.py [--images TABLE]... [--seconds N] FILE...      .json (docs/formats.md, "Polynomial maps", "Kernels")

Groups and representations are made from their names, by docs/conventions.md; those that this checker does not know come
from TABLE, a weight table that `tie --proof` wrote, or the answer of `irreps`, as JSON. Equivariance is exact;
independence and completeness are ranks of linear equations modulo a prime, which no counting by characters is part of.
Exit status 0: every file is accepted; 1: one is refused, with the reason; 2: one cannot be read or checked.
"""

import itertools
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
    integer,
    integers,
    json_of,
    member,
    of_type,
    permutation,
    readable,
    whole,
)


def positive(value, what, most=2**31):
    demand(0 < value <= most, f"{what} is {value}")
    return value


def representation(file, key, group, companions, who=None):
    name = member(file, key, str)
    return images.Named(group, companions, images.field_for(file, companions, group, name), who), name


# Polynomials: {monomial: number}, a monomial the increasing tuple of its variables.
def moved(monomial, A, kind, known):
    """The monomial at A x, or its derivative along A."""
    if monomial in known:
        return known[monomial]
    if not monomial:
        out = {(): 1} if kind == "group" else {}
    elif kind == "group":
        rest, out = moved(monomial[1:], A, kind, known), {}
        for j, a in enumerate(A[monomial[0]]):
            if a:
                for m, b in rest.items():
                    add(out, tuple(sorted((j, *m))), a * b)
    else:
        out = {}
        for i, v in enumerate(monomial):
            for j, a in enumerate(A[v]):
                if a:
                    add(out, tuple(sorted((*monomial[:i], j, *monomial[i + 1 :]))), a)
    known[monomial] = out
    return out


def add(polynomial, monomial, x):
    polynomial[monomial] = polynomial.get(monomial, 0) + x


def monomials(variables, degree, factor):
    count = math.comb(variables + degree - 1, degree) if variables else int(degree == 0)
    readable(count * factor <= 4096, f"it has {count * factor} unknowns, too many for this checker")
    return list(itertools.combinations_with_replacement(range(variables), degree))


def check_space(found, variables, degree, size, generators, left, right, harmonic, modular, what):
    """Demands that `found`, a list of {(place, monomial): number}, is a basis of the vectors of `size` polynomials of
    one degree with F(A x) = B F(x) for all (A, kind) and B of `left`, respectively F(A x) C = B F(x) of matrices, whose places are
    row * columns + column, with C of `right`; `harmonic`: those with Laplacian 0."""
    every = monomials(variables, degree, size)
    number = {m: k for k, m in enumerate(every)}
    equations = []
    for g, (A, kind) in enumerate(generators):
        known, (acting, after) = {}, operators(left[g], right[g] if right else None, kind, size)
        for k, F in enumerate(found):
            defect = {}
            for (place, m), c in F.items():
                for other, b in acting[place]:
                    for n, a in moved(m, A, kind, known).items():
                        add(defect, (other, n), c * a * b)
                if kind == "algebra" and right:
                    for other, b in after[0][place]:
                        add(defect, (other, m), c * b)
                for other, b in after[-1][place]:
                    add(defect, (other, m), c * b * -1)
            demand(not any(defect.values()), f"{what} {k} is not equivariant under generator {g}")
        lines = [{} for _ in range(size * len(every))]
        for place in range(size):
            for m in every:
                column = place * len(every) + number[m]
                image = [
                    (o, n, modular.of(b * a)) for o, b in acting[place] for n, a in moved(m, A, kind, known).items()
                ]
                image += [(o, m, modular.of(b)) for o, b in (after[0][place] if kind == "algebra" and right else [])]
                image += [(o, m, -modular.of(b)) for o, b in after[-1][place]]
                for o, n, a in image:
                    line = lines[o * len(every) + number[n]]
                    line[column] = line.get(column, 0) + a
        equations += lines
    if harmonic and degree > 1:
        equations += laplacian(found, every, variables, size, what)
    linear.independent(found, modular, f"{what}s of degree {degree}")
    unknowns = size * len(every)
    left_over = unknowns - modular.rank(equations, max(unknowns, 1))
    demand(
        left_over == len(found),
        f"there are {len(found)} {what}s of degree {degree}, and the equations modulo {modular.p} leave {left_over}: "
        "some are missing",
    )


def operators(B, C, kind, size):
    """Lists of (place, number) for every place: what stands at a place goes there. First F(A x) C or F(A x), then what
    is subtracted, B F; in a Lie algebra F C is between."""
    columns = len(C) if C is not None else 1
    lifted = linear.kronecker(B, linear.identity(columns))
    lists = lambda X: [[(i, X[i][j]) for i in range(size) if X[i][j]] for j in range(size)]
    if C is None:
        return lists(linear.identity(size)), (lists(lifted),)
    right = lists(linear.kronecker(linear.identity(size // columns), linear.transposed(C)))
    if kind == "group":
        return right, (lists(lifted),)
    return lists(linear.identity(size)), (right, lists(lifted))


def laplacian(found, every, variables, size, what):
    def derived(m):
        for v in range(variables):
            if (e := m.count(v)) > 1:
                at = m.index(v)
                yield (*m[:at], *m[at + 2 :]), e * (e - 1)

    for k, F in enumerate(found):
        out = {}
        for (place, m), c in F.items():
            for n, e in derived(m):
                add(out, (place, n), c * e)
        demand(not any(out.values()), f"{what} {k} is not harmonic")
    lines = {}
    for place in range(size):
        for k, m in enumerate(every):
            for n, e in derived(m):
                lines.setdefault((place, n), {})[place * len(every) + k] = e
    return list(lines.values())


# Files of `polynomials`.
def check_polynomials(file, companions):
    group = images.group_called(member(file, "group", str), companions)
    degree = integer(member(file, "degree", int), "the degree")
    readable(0 <= degree <= 40, f"the degree is {degree}, and this checker takes them up to 40")
    (source, name_in), (target, name_out) = (representation(file, key, group, companions) for key in ("in", "out"))
    names = f"{name_in} {name_out}"
    field = source.field = target.field = images.field_for(file, companions, group, names)
    (variables, A), (outputs, B) = source.images(name_in), target.images(name_out)
    for key, have in ("variables", variables), ("outputs", outputs):
        demand(member(file, key, int) == have, f"{key} is {file[key]}, and the representation has {have}")
    stated = [exponents(entry, variables, degree) for entry in member(file, "monomials", list)]
    demand(stated == sorted(set(stated)), "the monomials are not in order, or one is there twice")
    found, used, orders = [], set(), []
    for entry in member(file, "maps", list):
        terms = [of_type(term, list, "a term") for term in of_type(entry, list, "a map")]
        readable(all(len(term) == 3 for term in terms), "a term of a map is not [output, monomial, coefficient]")
        places = [(integer(o, "an output"), integer(m, "a monomial")) for o, m, _ in terms]
        demand(all(0 <= o < outputs and 0 <= m < len(stated) for o, m in places), "a term of a map is out of range")
        demand(places == sorted(set(places)), "the terms of a map are not in order, or one is there twice")
        F = {(o, stated[m]): field.of_json(c) for o, m, c in terms}
        demand(F and all(F.values()), "a map is 0, or has a coefficient 0")
        check_lowest(F, "map")
        used |= {m for _, m in F}
        orders.append(places)
        found.append(F)
    demand(used == set(stated), "a monomial occurs in no map")
    demand(orders == sorted(orders), "the maps are not in the order of their terms")
    count(file, "dimension", len(found), "maps")
    certified(file, "character_dimension", len(found))
    modular = linear.Modular(field.n)
    pairs = group.generators if group.continuous else [(None, "group")] * len(A)
    generators = [(a, kind) for a, (_, kind) in zip(A, pairs)]
    check_space(found, variables, degree, outputs, generators, B, None, False, modular, "map")
    source.words |= target.words
    return (
        f"the {len(found)} maps are a basis of all equivariant polynomial maps of degree {degree} from {name_in} to "
        f"{name_out} of {group.name}{images.words(source, group)}"
    )


def exponents(entry, variables, degree):
    """[[variable, exponent], ...] as the increasing tuple of variables."""
    pairs = [integers(pair, "a power") for pair in of_type(entry, list, "a monomial")]
    readable(all(len(pair) == 2 for pair in pairs), "a power of a monomial is no pair of variable and exponent")
    demand(
        [v for v, _ in pairs] == sorted({v for v, _ in pairs}) and all(0 <= v < variables and e > 0 for v, e in pairs),
        "a monomial has variables out of order or range, or an exponent that is not positive",
    )
    demand(sum(e for _, e in pairs) == degree, f"a monomial has another degree than {degree}")
    return tuple(v for v, e in pairs for _ in range(e))


def count(file, key, have, what, kind=int):
    value = member(file, key, kind)
    value = value if kind is int else decimal(value, key)
    demand(value == have, f"{key} is {value}, and there are {have} {what}")


def certified(file, key, have, kind=str):
    certificate = member(file, "certificate", dict)
    demand(key in certificate, f"the certificate has no {key}")
    count(certificate, key, have, "by the file", kind)


def check_lowest(F, what):
    """The first coefficient is the least positive integer with which the others are algebraic integers."""
    rows = [x.c if isinstance(x, linear.Number) else (x,) for x in F.values()]
    whole_numbers = all(Fraction(c).denominator == 1 for row in rows for c in row)
    first = rows[0]
    demand(
        whole_numbers and first[0] > 0 and not any(first[1:]) and math.gcd(*(int(c) for row in rows for c in row)) == 1,
        f"a {what} does not begin with the least positive integer",
    )


# Files of `kernels` on R^n.
def check_space_kernels(file, companions):
    name, point_group = member(file, "group", str), member(file, "point_group", str)
    euclidean = re.fullmatch(r"(S?)E\((\d)\)", name, re.ASCII)
    if euclidean:
        n = int(euclidean[2])
        demand(point_group == f"{euclidean[1]}O({n})", f"{point_group} is not what turns space in {name}")
        group = images.group_called(point_group, companions)
        turning = group.generators
    else:
        found = re.fullmatch(r"R\^(\d) : (.+)", name, re.ASCII)
        readable(found, f"{name[:60]} is no group of motions that this checker knows")
        n = int(found[1])
        demand(found[2] == point_group, f"{point_group} is not what turns space in {name}")
        group, turning = turned_space(file, point_group, n)
    readable(n > 0, "space has no dimension")
    sides = {key: member(file, key, dict) for key in ("in", "out")}
    names = " ".join(member(side, "rep", str, "a field") for side in sides.values())
    field = images.field_for(file, companions, group, names)
    found, acting = {}, {}
    for key, side in sides.items():
        acting[key] = images.Named(group, companions, field)
        rep = member(side, "rep", str, "a field")
        if rep == "cartesian" and not group.continuous:
            found[key] = n, [x for x, _ in turning]
        else:
            found[key] = acting[key].images(rep)
        demand(member(side, "dimension", int, "a field") == found[key][0], f"the dimension of {rep} is another one")
    channels = math.prod(positive(member(side, "channels", int, "a field"), "channels") for side in sides.values())
    (width, C), (height, B) = found["in"], found["out"]
    listed, modular, total = kernels_by_degree(file, field, n, height, width), linear.Modular(field.n), 0
    last = max(listed, default=0) if euclidean else member(file, "up_to_degree", int)
    readable(0 <= last <= 12, "a degree is too large for this checker")
    demand(all(degree <= last for degree in listed), "there are kernels beyond the largest degree")
    for degree in range(last + 1):
        kernels = listed.get(degree, [])
        check_space(kernels, n, degree, height * width, turning, B, C, True, modular, "kernel")
        total += len(kernels)
    count(file, "params", total, "kernels")
    count(file, "dimension", total * channels, "kernels with channels", str)
    if euclidean:
        certified(file, "stabilizer_dimension", total)
        bound = by_stabilizer(group, n, names, acting, sides, modular, height, width)
        demand(total == bound, f"there are {total} kernels, and over the stabilizer of a point {bound} dimensions")
        ending = "of every degree"
    else:
        check_counts(file, listed)
        ending = f"up to degree {last}"
    acting["in"].words |= acting["out"].words
    return (
        f"the {total} kernels are a basis of all harmonic equivariant kernels {ending} of {name}, from "
        f"{sides['in']['rep']} to {sides['out']['rep']}{images.words(acting['in'], group)}"
    )


def turned_space(file, name, n):
    """The permutation group, and the matrices by which its generators turn R^n."""
    texts = member(file, "generators", list)
    known = groups.named(name)
    degree = max([known[1] if known else 1, *(int(x) for t in texts for x in re.findall(r"\d{1,6}", str(t)))])
    group = groups.finite(name, [permutation(text, degree) for text in texts], degree)
    demand(decimal(member(file, "order", str), "the order") == group.order(), f"the order is not {group.order()}")
    field = images.field_for(file, images.Companions([]), group)
    given = [linear.matrix(x, field, n, n, "a matrix") for x in member(file, "matrices", list)]
    turned = group.represented(given, n, "the matrices by which it turns space")
    one = linear.identity(n)
    demand(sum(linear.equal(x, one) for x in turned.values()) == 1, "two elements turn space alike")
    for x in given:
        demand(linear.equal(linear.product(linear.transposed(x), x), one), "a matrix is not orthogonal")
    return group, [(x, "group") for x in given]


def kernels_by_degree(file, field, n, height, width):
    """{degree: [{(row * columns + column, monomial): number}]}."""
    out = {}
    for entry in member(file, "degrees", list):
        degree = member(entry, "degree", int, "a degree")
        readable(0 <= degree <= 12, "a degree is too large for this checker")
        demand(degree not in out and all(degree > before for before in out), "the degrees are not in order")
        given = [tuple(integers(x, "a monomial")) for x in member(entry, "monomials", list, "a degree")]
        every = monomials(n, degree, height * width)
        demand(
            given == [tuple(m.count(v) for v in range(n)) for m in every],
            f"the monomials of degree {degree} are not all there are, in order",
        )
        out[degree] = []
        for kernel in member(entry, "kernels", list, "a degree"):
            terms = [of_type(term, list, "a term") for term in of_type(kernel, list, "a kernel")]
            readable(all(len(term) == 4 for term in terms), "a term is not [monomial, row, column, coefficient]")
            places = [tuple(integers(term[:3], "a place")) for term in terms]
            inside = all(0 <= m < len(every) and 0 <= i < height and 0 <= j < width for m, i, j in places)
            demand(inside, "a term of a kernel is out of range")
            demand(places == sorted(set(places)), "the terms of a kernel are not in order, or one is there twice")
            F = {(i * width + j, every[m]): field.of_json(term[3]) for (m, i, j), term in zip(places, terms)}
            demand(F and all(F.values()), "a kernel is 0, or has a coefficient 0")
            check_lowest(F, "kernel")
            out[degree].append(F)
        demand(out[degree], f"degree {degree} has no kernels")
    return out


def check_counts(file, listed):
    """The certificate has the numbers of kernels of every degree that has some."""
    entries = member(member(file, "certificate", dict), "by_characters", list, "the certificate")
    stated = {}
    for entry in entries:
        degree = member(entry, "degree", int, "a count")
        demand(degree not in stated, "the certificate counts a degree twice")
        stated[degree] = decimal(member(entry, "dimension", str, "a count"), "a count")
    demand(
        {degree: number for degree, number in stated.items() if number} == {d: len(x) for d, x in listed.items()},
        "the certificate counts other kernels than there are",
    )


def by_stabilizer(group, n, names, acting, sides, modular, height, width):
    """A bound of the kernels of all degrees: on the sphere they are known at the last axis, where they commute with
    what fixes it."""
    who = [(groups.skew(n, i, j), "algebra") for i in range(n - 1) for j in range(i + 1, n - 1)]
    field = acting["in"].field
    try:
        with_reflection = who + ([(groups.reflection(n), "group")] if group.reflections and n > 1 else [])
        pairs = stabilizing(group, acting, sides, field, with_reflection)
    except Unreadable:
        pairs = stabilizing(group, acting, sides, field, who)  # a larger bound, which may be met
    return linear.hom_dimension(pairs, height, width, modular)


def stabilizing(group, acting, sides, field, who):
    found = {}
    for key, side in sides.items():
        named = images.Named(group, acting[key].companions, field, who)
        found[key] = named.images(side["rep"])[1] if who else []
    return list(zip(found["out"], found["in"]))


# Files of `kernels` between homogeneous spaces of finite groups.
def check_coset_kernels(file, companions):
    G = images.group_called(member(file, "group", str), companions)
    everything = G.all()
    ends = {}
    for key in "from", "to":
        end = member(file, key, dict)
        name = member(end, "subgroup", str, key)
        found = images.group_called(name, companions)
        H = groups.Finite(name, [groups.extended(g, G.degree) for g in found.generators], G.degree, found.proved)
        demand(all(h in everything for h in H.generators), f"{name} is no subgroup of {G.name}")
        demand(decimal(member(end, "order", str, key), "an order") == H.order(), f"the order of {name} is {H.order()}")
        ends[key] = H, end
    (K, start), (H, stop) = ends["from"], ends["to"]
    names = [member(end, "rep", str, "a side") for end in (start, stop)]
    field = images.field_for(file, companions, G, " ".join(names))
    (width, sigma), (height, rho), words = *(everywhere(*ends[key], companions, field) for key in ("from", "to")), ""
    words = images.words(sigma[1], K) + images.words(rho[1], H)
    sigma, rho, seen, total, modular = sigma[0], rho[0], set(), 0, linear.Modular(field.n)
    for number, entry in enumerate(member(file, "double_cosets", list)):
        what = f"double coset {number}"
        g = tuple(permutation(member(entry, "representative", str, what), G.degree))
        demand(g in everything, f"the representative of {what} is not in {G.name}")
        back = groups.inverted(g)
        coset = {groups.after(groups.after(h, g), k) for h in H.all() for k in K.all()}
        demand(not coset & seen, f"{what} is one of those before it")
        seen |= coset
        demand(decimal(member(entry, "size", str, what), "a size") == len(coset), f"{what} has {len(coset)} elements")
        fixing = {h for h in H.all() if groups.after(groups.after(back, h), g) in K.all()}
        texts = member(entry, "stabilizer", list, what)
        makers = [tuple(permutation(text, G.degree)) for text in texts]
        demand(
            set(groups.elements(makers, G.degree)) == fixing, f"the stabilizer of {what} is another group of order "
            f"{len(fixing)}"
        )  # fmt: skip
        order = decimal(member(entry, "stabilizer_order", str, what), "an order")
        demand(order == len(fixing), f"the stabilizer of {what} has the order {len(fixing)}")
        values = [linear.matrix(x, field, height, width, "a value") for x in member(entry, "values", list, what)]
        demand(member(entry, "kernels", int, what) == len(values), f"{what} has {len(values)} kernels")
        pairs = [(rho[s], sigma[groups.after(groups.after(back, s), g)]) for s in makers]
        for left, right in pairs:
            for k, value in enumerate(values):
                demand(
                    linear.equal(linear.product(left, value), linear.product(value, right)),
                    f"kernel {k} of {what} does not commute with its stabilizer",
                )
        sparse = [{(i, j): a for i, row in enumerate(x) for j, a in enumerate(row) if a} for x in values]
        linear.independent(sparse, modular, f"kernels of {what}")
        bound = linear.hom_dimension(pairs, height, width, modular)
        demand(len(values) == bound, f"{what} has {len(values)} kernels, and {bound} dimensions: some are missing")
        total += len(values)
    demand(len(seen) == len(everything), f"the double cosets have {len(seen)} elements of {len(everything)}")
    count(file, "dimension", total, "kernels")
    certified(file, "mackey_dimension", total, int)
    certified(file, "character_dimension", total)
    unproved = "" if G.proved else f"; that {G.name} is this group is the writer's word"
    return (
        f"the {total} kernels are a basis of all equivariant kernels, from {names[0]} of {K.name} to {names[1]} of "
        f"{H.name} in {G.name}{unproved}{words}"
    )


def everywhere(H, end, companions, field):
    """The size, and ({element: matrix} of a subgroup, what it was read with)."""
    rep = member(end, "rep", str, "a side")
    named = images.Named(H, companions, field)
    size, given = named.images(rep)
    demand(member(end, "dimension", int, "a side") == size, f"the dimension of {rep} is {size}")
    return size, (H.represented(given, size, rep), named)


def check(path, companions):
    """What is proved of the file, in words. Refused says why it is not."""
    file = of_type(json_of(whole(path)), dict, "the file")
    command = member(file, "command", str)
    if command == "polynomials":
        return check_polynomials(file, companions)
    readable(command == "kernels", f"{command[:60]} is no command whose files this checker takes")
    return (check_space_kernels if "degrees" in file else check_coset_kernels)(file, companions)


if __name__ == "__main__":
    sys.exit(images.run(sys.argv[1:], __doc__, check))
