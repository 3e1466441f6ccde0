"""Representations by their names, for the checkers of files that hold no images, written from docs/conventions.md
alone. What has no such name here comes with `--images FILE`: a weight table with a proof, or irreducible
representations, whose images are checked to be a representation of the group. Standard library and NumPy."""

import itertools
import math
import re
from fractions import Fraction

import linear
import reading
import table_files
from check_table import acting
from named_groups import Finite, Orthogonal, closure, finite, in_closure, named, orthogonal, sign
from reading import Unreadable, demand, json_of, member, of_type, readable, whole


# Companions: files with images.
class Companions:
    def __init__(self, paths):
        self.groups, self.images, self.orders = {}, {}, [1]
        for path in paths:
            contents = whole(path)
            start = contents[:1] == b"{" and json_of(contents)
            if start and start.get("command") == "irreps":
                self.irreps(start)
            else:
                found, are_blocks = table_files.tables(path)
                readable(not are_blocks, f"{path}: images of blocks are not read: write the table with --single")
                self.table(found[0, 0])

    def group(self, name, stated):
        demand(self.groups.setdefault(name, stated) == stated, f"two files have other generators of {name}")

    def table(self, table):
        name, stated = stated_group(table)
        self.group(name, stated)
        for key, side, size in (("in", "column", table.width), ("out", "row", table.height)):
            parts = acting(table, side, size)
            self.images[name, table.text(f"rep_{key}")] = size, parts
            self.orders += [x[0] for part in parts for x in part.values() if isinstance(x, tuple)]

    def irreps(self, file):
        name, texts = member(file, "group", str), member(file, "generators", list)
        readable(
            file.get("over") == "complex", "images of irreducible representations are those over the complex numbers"
        )
        degree = max([1, *(int(x) for text in texts for x in re.findall(r"\d+", of_type(text, str, "a generator")))])
        known = named(name)
        degree = known[1] if known else degree
        self.group(name, ([tuple(x) for x in reading.permutations(texts, degree, "generators")], degree))
        for entry in member(file, "irreps", list):
            matrices = member(entry, "matrices", list, "a representation")
            size = reading.decimal(member(entry, "degree", str, "a representation"), "a degree")
            self.orders += orders_of(matrices)
            self.images[name, member(entry, "irrep", int, "a representation")] = size, matrices

    def find(self, name, rep, field):
        row = re.fullmatch(r"irrep\((\d{1,9})(?:, ?\[[-+*/^E(),\d]*\])?\)", rep, re.ASCII)
        size, given = self.images.get((name, rep)) or self.images.get(
            (name, int(row[1]) - 1 if row else None), (0, None)
        )
        if given is None:
            return None
        if given and isinstance(given[0], list):
            return size, [linear.matrix(rows, field, size, size, f"a matrix of {rep}") for rows in given]
        return size, dense(given, size, field)


def dense(parts, size, field):
    """Lists of rows from what `acting` finds: {(i, j): a Fraction, or the order of roots and coordinates in them}."""
    out = []
    for part in parts:
        rows = linear.zeros(size, size)
        for (i, j), x in part.items():
            rows[i][j] = field.of_terms(x[0], list(zip(x[1], range(x[0])))) if isinstance(x, tuple) else x
        out.append(rows)
    return out


def stated_group(table):
    """The name, and generators with their degree, or pairs (matrix, kind), of a table's group."""
    group = of_type(json_of(table.text("group")), dict, "the group")
    name = member(group, "expression", str, "the group")
    if not group.get("continuous"):
        degree = member(group, "degree", int, "the group")
        readable(0 <= degree <= 2**16, "its group moves too many points for this checker")
        found = reading.permutations(member(group, "generators", list, "the group"), degree, "generators")
        return name, ([tuple(x) for x in found], degree)
    size, natural = member(group, "dimension", int, "the group"), []
    readable(0 < size <= 64, "its group has matrices that are too large for this checker")
    for entry in member(group, "generators", list, "the group"):
        X = linear.zeros(size, size)
        for place in member(entry, "entries", list, "a generator"):
            readable(type(place) is list and len(place) == 3, "an entry of a generator is none")
            i, j = reading.integers(place[:2], "an entry")
            demand(0 <= i < size and 0 <= j < size, "an entry of a generator is out of range")
            X[i][j] = linear.Roots(1).of_text(place[2])
        natural.append(X)
    demand(len(natural) == len(table.kinds), "the group has not as many generators as the proof")
    return name, list(zip(natural, table.kinds))


def orders_of(value):
    """The orders of all roots of unity in JSON."""
    out, queue = [], [value]
    while queue:
        x = queue.pop()
        if isinstance(x, dict):
            if type(x.get("n")) is int and "c" in x:
                readable(0 < x["n"] <= 2000, f"its numbers need roots of unity of order {x['n']}")
                out.append(x["n"])
            queue += x.values()
        elif isinstance(x, list):
            queue += x
    return out


# Representations by their names.
def tokens(text):
    return re.findall(r"\d+|[A-Za-z]+|[-+*^(),\[\]]|\S", text)


class Named:
    """The images of a list of elements under a representation that a text names: permutations, or pairs (matrix, kind)
    of continuous groups."""

    def __init__(self, group, companions, field, who=None):
        self.group, self.companions, self.field = group, companions, field
        self.who, self.words = who if who is not None else group.generators, set()

    def images(self, text):
        """[elements] matrices, of one size, and that size. `words` has what was taken from companions."""
        readable(len(text) <= 10_000, "the name of a representation is too long")
        try:
            self.left = tokens(text)
            size, found = self.sum()
            readable(not self.left, f"{text[:80]} is no representation that this checker knows")
        except Unreadable:
            taken = self.companions.find(self.group.name, text, self.field)
            if taken is None or self.who is not self.group.generators:
                raise
            size, found = self.checked(taken, text)
        return size, found

    def take(self, what=None):
        if not self.left or what is not None and self.left[0] != what:
            raise Unreadable(f"a representation has no {what or 'end'} where this checker expects it")
        return self.left.pop(0)

    def sum(self):
        parts = [self.term()]
        while self.left[:1] == ["+"]:
            self.take()
            parts.append(self.term())
        return self.joined(parts)

    def joined(self, parts):
        size = sum(part[0] for part in parts)
        readable(size <= 512, "a representation is too large for this checker")
        return size, [linear.direct_sum([part[1][k] for part in parts]) for k in range(len(self.who))]

    def term(self):
        count = 1
        if self.left and self.left[0].isdigit() and self.left[1:2] != ["^"]:
            count = int(self.take())
            readable(0 < count <= 512, "a multiplicity is too large for this checker")
            if self.left[:1] == ["*"]:
                self.take()
        out = self.power()
        while self.left[:1] == ["*"]:
            self.take()
            out = self.tensor(out, self.power())
        return out if count == 1 else self.joined([out] * count)

    def tensor(self, x, y):
        (height, left), (width, right) = x, y
        readable(height * width <= 512, "a representation is too large for this checker")
        out = []
        for k, (a, b) in enumerate(zip(left, right)):
            if self.kind(k) == "group":
                out.append(linear.kronecker(a, b))
            else:
                one = linear.identity(height), linear.identity(width)
                out.append(linear.plus(linear.kronecker(a, one[1]), linear.kronecker(one[0], b)))
        return height * width, out

    def kind(self, k):
        return self.who[k][1] if self.group.continuous else "group"

    def power(self):
        base = self.leaf()
        if self.left[:1] != ["^"]:
            return base
        self.take()
        exponent = self.number()
        readable(1 <= exponent <= 9, "a power is too large for this checker")
        out = base
        for _ in range(exponent - 1):
            out = self.tensor(out, base)
        return out

    def number(self):
        text = self.take()
        readable(text.isdigit() and len(text) < 6, f"{text} is no number")
        return int(text)

    def leaf(self):
        word = self.take()
        if word == "(":
            out = self.sum()
            self.take(")")
            return out
        readable(word.isalpha(), f"{word} is no representation that this checker knows")
        if word in ("sym", "alt", "dual", "tuples", "arrangements", "subsets") and self.left[:1] == ["("]:
            self.take("(")
            number = self.number() if word != "dual" else 0
            if word in ("sym", "alt"):
                self.take(",")
            inner = self.sum() if word in ("sym", "alt", "dual") else None
            self.take(")")
            return self.functor(word, number, inner) if inner else self.of_points(word, number)
        if word in ("trivial", "perm", "sign", "std", "coordinates", "vector", "V") and self.left[:1] != ["("]:
            found = self.plain(word)
            if found is not None:
                return found
        text = word
        if self.left[:1] == ["("]:
            depth = 0
            while self.left:
                token = self.take()
                text += token + (" " if token == "," and depth == 1 else "")
                depth += (token in "([") - (token in ")]")
                if not depth:
                    break
        taken = self.companions.find(self.group.name, text, self.field)
        readable(
            taken is not None,
            f"the images of {text[:80]} of {self.group.name} are not known to this checker: give a file of `irreps`, or "
            "of `tie --proof`, that has them, with --images FILE",
        )
        return self.checked(taken, text)

    def checked(self, taken, text):
        """A companion's images of the generators, proved to be a representation, at the elements asked for."""
        size, matrices = taken
        self.words.add(text)
        if not self.group.continuous:
            found = self.group.represented(matrices, size, text)
            self.character(found, size, text)
            return size, [found[x] for x in self.who]
        X = [x for x, kind in self.group.generators if kind == "algebra"]
        Y = [y for y, (_, kind) in zip(matrices, self.group.generators) if kind == "algebra"]
        rows = closure(X, Y) if X else []
        for (g, kind), image in zip(self.group.generators, matrices):
            if kind == "group":
                back, square = linear.transposed(g), linear.product(g, g)
                demand(linear.equal(square, linear.identity(len(g))) and linear.equal(
                    linear.product(image, image), linear.identity(size)), f"a component of {text} is no involution")  # fmt: skip
                for x, y in zip(X, Y):
                    moved = in_closure(rows, linear.product(linear.product(g, x), back))
                    demand(linear.equal(linear.product(image, y), linear.product(moved, image)),
                           f"the images of {text} are no representation: a component does not fit")  # fmt: skip
        if self.who is self.group.generators:
            return size, matrices
        readable(all(kind == "algebra" for _, kind in self.who), f"{text} is not known on reflections")
        return size, [in_closure(rows, x) for x, _ in self.who]

    def character(self, found, size, text):
        """Where a name says the values of an irreducible character, the images have these and their norm is 1."""
        values = re.fullmatch(r"irrep\(\d+, ?\[(.*)\]\)", text)
        if not values:
            return
        traces = [linear.trace(x) for x in found.values()]
        stated = [self.field.of_text(x) for x in values[1].split(",")]
        demand(set(map(str, map(self.coordinates, traces))) == set(map(str, map(self.coordinates, stated))),
               f"the traces of the images of {text[:60]} are not the values that its name has")  # fmt: skip
        square = sum((x * linear.conjugate(x) for x in traces), Fraction(0))
        demand(square == len(found), f"the images of {text[:60]} are not irreducible")

    def coordinates(self, x):
        x = self.field.wide(x)
        return [str(c) for c in x.c] if isinstance(x, linear.Number) else [str(Fraction(x))]

    def plain(self, word):
        if word == "trivial":
            return 1, [[[int(self.kind(k) == "group")]] for k in range(len(self.who))]
        if self.group.continuous:
            return (self.group.size, [x for x, _ in self.who]) if word in ("vector", "V", "coordinates") else None
        n = self.group.degree
        if word == "sign":
            return 1, [[[sign(x)]] for x in self.who]
        if word == "perm":
            return n, [[[int(x[j] == i) for j in range(n)] for i in range(n)] for x in self.who]
        if word == "std":  # e_i - e_n; what an element makes of it is e_a - e_b = (e_a - e_n) - (e_b - e_n)
            column = lambda a, b: [int(i == a) - int(i == b) for i in range(n - 1)]
            return n - 1, [linear.transposed([column(x[j], x[n - 1]) for j in range(n - 1)]) for x in self.who]
        if word == "coordinates" and re.fullmatch(r"D\d+", self.group.name) and self.group.proved:
            factor = self.field.of_terms(n, [(1, 1), (1, n - 1)]) if self.field.n % n == 0 else {
                3: -1, 4: 0, 6: 1}.get(n)  # fmt: skip
            if factor is None:
                return None
            corners = [[1, 0], [0, 1]]
            for k in range(2, n):
                corners.append([factor * a - b for a, b in zip(corners[k - 1], corners[k - 2])])
            return 2, [linear.transposed([corners[x[0]], corners[x[1]]]) for x in self.who]
        return None

    def of_points(self, word, k):
        readable(not self.group.continuous, f"{word} is no representation of {self.group.name}")
        n = self.group.degree
        readable(n**k <= 512 * math.factorial(k), "a representation is too large for this checker")
        ways = {
            "tuples": lambda: itertools.product(range(n), repeat=k),
            "arrangements": lambda: itertools.permutations(range(n), k),
            "subsets": lambda: itertools.combinations(range(n), k),
        }
        points = list(ways[word]())
        readable(0 < len(points) <= 512, "a representation is too large for this checker")
        place, out = {x: i for i, x in enumerate(points)}, []
        for x in self.who:
            moved = [tuple(x[p] for p in point) for point in points]
            moved = [place[tuple(sorted(y)) if word == "subsets" else y] for y in moved]
            out.append([[int(moved[j] == i) for j in range(len(points))] for i in range(len(points))])
        return len(points), out

    def functor(self, word, k, inner):
        size, given = inner
        if word == "dual":
            turn = lambda j, x: linear.transposed(linear.inverse(x) if self.kind(j) == "group" else linear.times(x, -1))
            return size, [turn(j, x) for j, x in enumerate(given)]
        readable(size**k <= 20_000, "a representation is too large for this checker")
        choose = itertools.combinations_with_replacement if word == "sym" else itertools.combinations
        basis = list(choose(range(size), k))
        readable(0 < len(basis) <= 512, "a representation is too large for this checker")
        place, out = {x: i for i, x in enumerate(basis)}, []
        for j, x in enumerate(given):
            rows = linear.zeros(len(basis), len(basis))
            columns = [[(i, x[i][c]) for i in range(size) if x[i][c]] for c in range(size)]
            for c, monomial in enumerate(basis):
                for image, a in self.moved(monomial, columns, self.kind(j)):
                    if word == "sym":
                        rows[place[tuple(sorted(image))]][c] = rows[place[tuple(sorted(image))]][c] + a
                    elif len(set(image)) == k:
                        order = sorted(range(k), key=lambda i: image[i])
                        at = place[tuple(sorted(image))]
                        rows[at][c] = rows[at][c] + a * sign(order)
            out.append(rows)
        return len(basis), out

    def moved(self, monomial, columns, kind):
        """The terms of the image of a product of basis vectors."""
        if kind == "algebra":
            for i, c in enumerate(monomial):
                for j, a in columns[c]:
                    yield (*monomial[:i], j, *monomial[i + 1 :]), a
            return
        for terms in itertools.product(*(columns[c] for c in monomial)):
            yield tuple(j for j, _ in terms), math.prod(a for _, a in terms)


# Groups that files name.
def group_called(name, companions):
    """By its name, with the generators of a companion where there is one."""
    if name in companions.groups:
        stated = companions.groups[name]
        if isinstance(stated, tuple):
            return finite(name, *stated)
        out = orthogonal(name)
        readable(out is not None, f"{name} is no group that this checker knows")
        out = Orthogonal(name, out.size, out.reflections, stated)
        out.check()
        return out
    known = named(name)
    found = Finite(name, *known, True) if known else orthogonal(name)
    readable(found is not None, f"{name[:60]} is no group that this checker knows: give --images FILE")
    return found


def field_for(file, companions, group, *reps):
    """The roots of unity that occur; corners of polygons among them."""
    orders = orders_of(file) + companions.orders
    for rep in reps:
        orders += [int(n) for n in re.findall(r"E\((\d{1,4})\)", rep)]
        if "coordinates" in rep and re.fullmatch(r"D\d{1,3}", group.name):
            orders.append(int(group.name[1:]))
    return linear.common_field(*orders)


def words(named_images, group):
    """What of the names was taken from companions, for a verdict."""
    said = "" if group.proved else f"; that its generators are those of {group.name} is the writer's word"
    for text in sorted(named_images.words):
        irreducible = re.match(r"irrep\(\d+, \[", text)
        kind = "an irreducible representation with these values" if irreducible else "a representation"
        left = "basis is" if irreducible else "being that one is"
        said += f"; the images of {text} are proved to be {kind}, and their {left} the writer's word"
    return said


def run(arguments, usage, check):
    """`reading.run` with --images FILE before the files, as often as there are such files."""
    paths, left, made = [], list(arguments), []
    while "--images" in left[:-1]:
        at = left.index("--images")
        paths.append(left[at + 1])
        del left[at : at + 2]

    def with_images(path):
        if not made:
            made.append(Companions(paths))
        return check(path, made[0])

    return reading.run(left, usage, with_images)
