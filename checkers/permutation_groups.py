"""Orders and conjugacy classes of permutation groups, proved from what proofs of characters hold, for
check_characters.py. Standard library and NumPy."""

import math
import random
from collections import Counter, defaultdict

import numpy as np
from reading import demand, readable

MOST = 2**27  # numbers in one array of permutations: 1 GiB


# Groups: arrays [m, degree] of images; (x y)(p) = x(y(p)).
def after(x, y):
    """The products x y of two lists of permutations, one each."""
    return np.take_along_axis(x, y, axis=1)


def within(keys, known):
    """Which keys are in a sorted list that is not empty."""
    return known[np.minimum(np.searchsorted(known, keys), len(known) - 1)] == keys


def cycle_lengths(x):
    length, power, t = np.zeros_like(x), x.copy(), 1
    while (length == 0).any():
        length[(power == np.arange(x.shape[1])) & (length == 0)] = t
        power, t = after(x, power), t + 1
    return length


class Group:
    """Its order from below: the strong generators are words in generators, and the basic orbits have these lengths.
    From above: every Schreier generator of a level is a product of elements of the transversals below, so that these
    are all of the stabilizer [Schreier 1927; Sims 1970]."""

    def __init__(self, of):
        degree, given = of.degree, len(of.generators)
        readable(
            degree * (given + len(of.words) + len(of.base) + 1) <= MOST,
            "its permutations are too many for this checker",
        )
        elements = [np.array(image, np.int64) for image in of.generators]
        for word in of.words:
            product = np.arange(degree)
            for x in word:
                demand(0 < abs(x) <= len(elements), "a word has a letter that is no element before it")
                product = product[elements[x - 1] if x > 0 else np.argsort(elements[-x - 1])]
            elements.append(product)
        self.degree, self.base, self.words, self.given, self.strong = degree, of.base, of.words, given, of.strong
        demand(
            set(range(given)) <= set(self.strong) <= set(range(len(elements))),
            "a generator is not among the strong generators",
        )
        demand(len(set(self.strong)) == len(self.strong), "a strong generator is listed twice")
        self.elements = np.array(elements, np.int64).reshape(len(elements), degree)
        self.levels, moving, self.order = (
            [],
            list(self.strong),
            1,
        )  # each: strong generators, transversal, inverses, place of every point, tree
        for b in self.base:
            orbit, rows, place, tree = [b], [np.arange(degree)], np.full(degree, -1), {}
            place[b] = 0
            for k, row in enumerate(rows):
                for s in moving:
                    if place[y := self.elements[s][orbit[k]]] < 0:
                        place[y], tree[s, k] = len(orbit), len(orbit)
                        orbit.append(int(y)), rows.append(self.elements[s][row])
                        readable(len(rows) * degree <= MOST, "its orbits are too long for this checker")
            self.levels.append((moving, np.array(rows), np.argsort(rows, axis=1), place, tree))
            moving, self.order = [s for s in moving if self.elements[s][b] == b], self.order * len(orbit)
        demand(
            (self.elements[moving] == np.arange(degree)).all(),
            "a strong generator fixes the base and is not the identity",
        )
        for i, (moving, rows, inverse, place, _) in enumerate(self.levels):
            for s in moving:
                images = self.elements[s][rows]
                rest, _ = self.sift(after(inverse[place[images[:, self.base[i]]]], images), i + 1)
                demand(
                    (rest == np.arange(degree)).all(),
                    f"a Schreier generator of level {i} is not in the group of the level below: the order is larger",
                )
        self.fast = degree ** len(self.base) < 2**62

    def sift(self, x, first=0):
        """What is left of x, divided by elements of the transversals as far as possible, and their numbers [levels, m];
        -1 where it was not possible."""
        places = []
        for b, (_, _, inverse, place, _) in list(zip(self.base, self.levels))[first:]:
            at = place[x[:, b]]
            x = np.where((at < 0)[:, None], x, after(inverse[at], x))
            places.append(at)
        return x, places

    def contains(self, x):
        return (self.sift(x)[0] == np.arange(self.degree)).all()

    def keys(self, x):
        """A number for every element: by the images of the base."""
        numbers = np.zeros(len(x), np.int64 if self.fast or self.order < 2**62 else object)
        columns = (
            [(x[:, b], self.degree) for b in self.base]
            if self.fast
            else zip(self.sift(x)[1], (len(level[1]) for level in self.levels))
        )
        for column, size in columns:
            numbers = numbers * size + column
        return numbers

    def random(self, rng):
        x = np.arange(self.degree)
        for _, rows, *_ in self.levels:
            x = x[rows[rng.randrange(len(rows))]]
        return x

    def conjugators(self, r, s):
        """How many x of the group have x r = s x: through the transversals, leaving out images of base points that do
        not fit cycles to cycles."""
        length_r, length_s = cycle_lengths(np.array([r, s]))
        cycle_s, power = np.arange(self.degree), s
        for _ in range(length_s.max(initial=1) - 1):  # the least point of every cycle
            cycle_s, power = np.minimum(cycle_s, power), s[power]

        def count(x, i):
            if i == len(self.base):
                return int((x[:, r] == s[x]).all(axis=1).sum())
            b, rows = self.base[i], self.levels[i][1]
            images = x[:, rows[:, b]]
            fits = length_s[images] == length_r[b]
            for before in self.base[:i]:
                there, power, forced = before, x[:, before], False
                for _ in range(length_r[before]):
                    if there == b:
                        fits &= images == power[:, None]
                        forced = True
                    there, power = r[there], s[power]
                if not forced:
                    fits &= cycle_s[images] != cycle_s[x[:, before]][:, None]
            left, right = np.nonzero(fits)
            part = max(1, 10_000_000 // self.degree)  # so many at one time, for the memory
            return sum(
                count(after(x[left[k : k + part]], rows[right[k : k + part]]), i + 1) for k in range(0, len(left), part)
            )

        return count(np.arange(self.degree)[None], 0)


class Classes:
    """That the representatives are of pairwise different classes, and no centralizer is larger than stated. As the
    sizes that follow add up to |G|, these are all classes, and the centralizers are as large as stated."""

    def __init__(self, group, listed):
        self.group, self.x = (
            group,
            np.array([c.representative for c in listed], np.int64).reshape(len(listed), group.degree),
        )
        demand(group.contains(self.x), "a representative is no element of the group")
        demand((self.x[0] == np.arange(group.degree)).all(), "class 0 is not the identity's")
        self.centralizer, lengths = [c.centralizer for c in listed], cycle_lengths(self.x)
        self.orders, self.sizes = (
            [math.lcm(*row) for row in lengths.tolist()],
            [group.order // z if z > 0 else 0 for z in self.centralizer],
        )
        demand(
            all(z * size == group.order for z, size in zip(self.centralizer, self.sizes)),
            "an order of a centralizer does not divide |G|",
        )
        demand(
            sum(self.sizes) == group.order, f"the classes have {sum(self.sizes)} elements, and the group {group.order}"
        )
        demand([(size, order) for size, order in zip(self.sizes, self.orders)] == [(c.size, c.order) for c in listed],
               "the size of a class or the order of its elements is not what it says")  # fmt: skip
        self.of_type, self.found, self.source, self.known_powers = defaultdict(list), {}, {}, {}
        self.even = all(
            round(sum(1 / n for n in row if n % 2 == 0)) % 2 == 0
            for row in cycle_lengths(group.elements[: group.given]).tolist()
        )
        for k, row in enumerate(lengths):
            self.of_type[np.sort(row).tobytes()].append(k)
        for kind in self.of_type.values():
            for k in kind:
                self.prove(k, [j for j in kind if j != k], Counter(lengths[k].tolist()))

    def powers(self, p):
        """The classes of the p-th powers."""
        if p in self.known_powers:
            return self.known_powers[p]
        out, square = np.tile(np.arange(self.group.degree), (len(self.x), 1)), self.x
        while p:
            out, square, p = after(out, square) if p & 1 else out, after(square, square), p >> 1
        self.known_powers[p] = self.numbers(out).tolist()
        return self.known_powers[p]

    def prove(self, k, alike, points):
        """Where it is cheap, by listing the class; otherwise by searching for the elements that conjugate the
        representative into another."""
        group, r, rng = self.group, self.x[k], random.Random(k)
        in_sym = math.prod(
            length ** (n // length) * math.factorial(n // length) for length, n in points.items()
        )  # the centralizer in Sym(n)
        if self.even and any(length % 2 == 0 or n > length for length, n in points.items()):
            in_sym //= 2  # an odd permutation commutes with it
        if not alike and in_sym <= self.centralizer[k]:
            return
        best = (math.inf, r)
        for _ in range(40 if self.sizes[k] > 1000 else 0):  # a conjugate whose cycles hold many base points
            z = group.random(rng)
            conjugate = z[r[np.argsort(z)]]
            length, covered, cost = cycle_lengths(conjugate[None])[0], set(), 1
            for b, level in zip(group.base, group.levels):
                cost *= 1 if b in covered else max(1, len(level[1]) * (length == length[b]).mean())
                while b not in covered:
                    covered.add(b)
                    b = conjugate[b]
            best = min(best, (cost, conjugate), key=lambda pair: pair[0])
        self.source[k] = best[1]
        if self.sizes[k] * group.given <= best[0] * (1 + len(alike)) or not group.base:
            inverse, known, front = np.argsort(group.elements[: group.given], axis=1), group.keys(r[None]), r[None]
            while len(front) and len(known) <= self.sizes[k]:
                front = np.concatenate([g[front[:, h]] for g, h in zip(group.elements, inverse)] or [front[:0]])
                keys, first = np.unique(group.keys(front), return_index=True)
                new = ~within(keys, known)
                front, known = front[first[new]], np.sort(np.concatenate([known, keys[new]]))
            few = f"class {k} has only {len(known)} elements, not {self.sizes[k]}: its centralizer is larger"
            demand(len(known) >= self.sizes[k], few)
            # A list that ends early does not tell whether another representative lies in the same class.
            demand(len(known) == self.sizes[k], f"class {k} has more than {self.sizes[k]} elements")
            demand(not within(group.keys(self.x[alike]), known).any(), f"class {k} is listed twice")
            self.found[k] = known
        else:
            if in_sym > self.centralizer[k]:
                there = group.conjugators(best[1], r)
                demand(
                    there <= self.centralizer[k],
                    f"{there} elements commute with the representative of class {k}, more than are said to",
                )
            demand(not any(group.conjugators(best[1], self.x[j]) for j in alike if j > k), f"class {k} is listed twice")

    def numbers(self, x):
        """Of the classes of elements: by their cycles, and where several have the same by the lists or by searching."""
        out, alike = np.empty(len(x), int), defaultdict(list)
        for i, row in enumerate(np.sort(cycle_lengths(x), axis=1)):
            alike[row.tobytes()].append(i)
        for kind, places in alike.items():
            left, candidates = np.array(places), self.of_type[kind]
            demand(candidates, "an element has other cycles than all representatives")
            for k in candidates[:-1]:
                keys = self.group.keys(x[left])
                unique, first, back = np.unique(keys, return_index=True, return_inverse=True)
                if k in self.found:
                    here = within(unique, self.found[k])
                else:
                    here = np.array([self.group.conjugators(self.source[k], x[i]) > 0 for i in left[first]], bool)
                out[left[here[back]]] = k
                left = left[~here[back]]
            out[left] = candidates[-1]
        return out
