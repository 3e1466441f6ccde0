"""Groups by their names, for the checkers of files that hold no generators: permutation groups and their elements,
SO(n) and O(n) with their Lie algebras, written from docs/conventions.md alone. Standard library alone."""

import re
from fractions import Fraction

import linear
import reading
from reading import demand, readable

MOST_ELEMENTS, MOST_PRODUCTS = 50_000, 20_000_000


# Permutations: tuples of images; (x y)(p) = x(y(p)).
def after(x, y):
    return tuple(x[p] for p in y)


def inverted(x):
    out = [0] * len(x)
    for p, image in enumerate(x):
        out[image] = p
    return tuple(out)


def extended(x, degree):
    readable(len(x) <= degree, "a permutation moves more points than the group has")
    return (*x, *range(len(x), degree))


def sign(x):
    seen, out = set(), 1
    for p in range(len(x)):
        length = 0
        while p not in seen:
            seen.add(p)
            p, length = x[p], length + 1
        out = -out if length and length % 2 == 0 else out
    return out


def elements(generators, degree):
    """All elements, from the identity on; each but that has (generator, an element before it)."""
    one = tuple(range(degree))
    tree, queue = {one: None}, [one]
    for x in queue:
        for k, g in enumerate(generators):
            y = after(g, x)
            if y not in tree:
                tree[y] = k, x
                queue.append(y)
                readable(len(queue) <= MOST_ELEMENTS, f"its group has more than {MOST_ELEMENTS} elements")
    return tree


class Finite:
    """A permutation group by generators; `proved`: they are those of the group of this name."""

    continuous = False

    def __init__(self, name, generators, degree, proved):
        self.name, self.generators, self.degree, self.proved = name, generators, degree, proved
        self.tree = None

    def all(self):
        if self.tree is None:
            self.tree = elements(self.generators, self.degree)
        return self.tree

    def order(self):
        return len(self.all())

    def represented(self, matrices, size, what):
        """{element: matrix}, where the images of the generators make a homomorphism."""
        demand(
            len(matrices) == len(self.generators), f"there are {len(matrices)} images of {what} for "
            f"{len(self.generators)} generators of {self.name}"
        )  # fmt: skip
        readable(
            self.order() * max(1, len(matrices)) * size**3 <= MOST_PRODUCTS,
            f"{what} of {self.name} is too large for this checker",
        )
        found = {}
        for x, way in self.all().items():
            found[x] = linear.identity(size) if way is None else linear.product(matrices[way[0]], found[way[1]])
        for x, image in found.items():
            for g, given in zip(self.generators, matrices):
                demand(
                    linear.equal(linear.product(given, image), found[after(g, x)]),
                    f"the images of {what} are no representation of {self.name}: a relation does not hold",
                )
        return found


def cycle(points, degree):
    out = list(range(degree))
    for x, y in zip(points, points[1:] + points[:1]):
        out[x] = y
    return tuple(out)


def named(name):
    """Generators and degree of a group by its name; None where the name is none of these."""
    found = re.fullmatch(r"([SACD])(\d{1,3})", name, re.ASCII)
    if found and int(found[2]) >= (3 if found[1] == "D" else 1):
        n = int(found[2])
        turn = [cycle(list(range(n)), n)] if n > 1 else []
        mirror = tuple(-p % n for p in range(n))
        swap = [cycle([0, 1], n)] if n > 1 else []
        threes = [cycle([0, 1, k], n) for k in range(2, n)]
        return {"S": turn + swap, "A": threes, "C": turn, "D": [*turn, mirror]}[found[1]], n
    if name[:1] == "<" and name[-1:] == ">":
        texts = re.findall(r"(?:\([\d, ]*\))+", name)
        degree = max([1, *(int(x) for x in re.findall(r"\d+", name))])
        readable(
            degree <= 2**16 and ",".join(texts) == name[1:-1].replace(" ", ""), f"{name[:60]} is no list of cycles"
        )
        return [tuple(reading.permutation(re.sub(r"\(\)", "", text) or "()", degree)) for text in texts], degree
    return None


def belongs(name, generators, degree):
    """Do these generators make the group of this name? None where this checker does not know it."""
    known = named(name)
    if known is None:
        return None
    if degree != known[1]:
        return False
    if set(generators) == set(known[0]):
        return True
    return set(elements(generators, degree)) == set(elements(known[0], degree))


def finite(name, generators, degree):
    """The group that a file states by name and generators."""
    generators = [tuple(g) for g in generators]
    proved = belongs(name, generators, degree)
    demand(proved is not False, f"the generators are not those of {name}")
    return Finite(name, generators, degree, bool(proved))


# Continuous groups SO(n) and O(n): skew matrices, and reflections.
class Orthogonal:
    continuous, proved = True, True

    def __init__(self, name, size, with_reflections, generators=None):
        self.name, self.size, self.reflections = name, size, with_reflections
        turns = [(skew(size, i, i + 1), "algebra") for i in range(size - 1)]
        self.generators = generators or turns + ([(reflection(size), "group")] if with_reflections else [])

    def check(self):
        algebra = [X for X, kind in self.generators if kind == "algebra"]
        for X in algebra:
            demand(linear.equal(linear.transposed(X), linear.times(X, -1)), f"a generator is none of {self.name}")
        demand(len(closure(algebra, algebra)) == self.size * (self.size - 1) // 2,
               f"the generators make less than the Lie algebra of {self.name}")  # fmt: skip
        odd = 0
        for X, kind in self.generators:
            if kind == "group":
                demand(linear.equal(linear.product(linear.transposed(X), X), linear.identity(self.size)),
                       f"a component is none of {self.name}")  # fmt: skip
                odd += determinant(X) == -1
        demand(bool(odd) == self.reflections, f"the components are not those of {self.name}")


def skew(size, i, j):
    out = linear.zeros(size, size)
    out[i][j], out[j][i] = 1, -1
    return out


def reflection(size):
    return [[-int(i == j == 0) + int(i == j != 0) for j in range(size)] for i in range(size)]


def determinant(x):
    if not x:
        return 1
    return sum((-1) ** j * a * determinant([row[:j] + row[j + 1 :] for row in x[1:]]) for j, a in enumerate(x[0]) if a)


def flat(pair):
    return [a for part in pair for row in part for a in row]


def closure(elements_of, images):
    """A basis of pairs (X, image) of the Lie algebra that pairs generate; where two pairs have one X and other images,
    it has a pair with X = 0, which is refused: the images are then no representation."""
    basis, rows = [], []  # rows: echelon form of the X alone, with the pairs carried along

    def reduced(pair):
        X, Y = pair
        for place, (known, image) in rows:
            if factor := flat([X])[place]:
                X, Y = linear.plus(X, linear.times(known, -factor)), linear.plus(Y, linear.times(image, -factor))
        return X, Y

    queue = list(zip(elements_of, images))
    while queue:
        pair = queue.pop()
        X, Y = reduced(pair)
        place = next((k for k, a in enumerate(flat([X])) if a), None)
        if place is None:
            demand(not any(flat([Y])), "the images of a Lie algebra are no representation: a bracket has another image")
            continue
        factor = 1 / Fraction(flat([X])[place])
        rows.append((place, (linear.times(X, factor), linear.times(Y, factor))))
        queue += [(bracket(pair[0], X2), bracket(pair[1], Y2)) for X2, Y2 in basis]
        basis.append(pair)
    return rows


def bracket(x, y):
    return linear.plus(linear.product(x, y), linear.times(linear.product(y, x), -1))


def in_closure(rows, X):
    """The image of X of the Lie algebra."""
    Y = None
    for place, (known, image) in rows:
        if factor := flat([X])[place]:
            X, part = linear.plus(X, linear.times(known, -factor)), linear.times(image, factor)
            Y = part if Y is None else linear.plus(Y, part)
    demand(not any(flat([X])), "an element is not in the Lie algebra")
    return Y if Y is not None else linear.zeros(len(rows[0][1][1]), len(rows[0][1][1]))


def orthogonal(name):
    found = re.fullmatch(r"(S?)O\((\d)\)", name, re.ASCII)
    return Orthogonal(name, int(found[2]), not found[1]) if found and int(found[2]) > 1 else None
