"""Sums of squares of polynomials that S_n, B_n or D_n fixes, with work that does not grow with n.

First rows come from semistandard tableaux, and the means of their products are combinations of few monomial symmetric
functions [Gatermann & Parrilo 2004; Riener, Theobald, Andrén & Lasserre 2013].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import factorial, prod
from typing import TYPE_CHECKING, Any, NoReturn

from . import _semidefinite
from ._block_squares import BlockQuestion
from ._certificates import FORMAT, Entries, gram_blocks
from ._errors import DomainError, InternalError, LimitError
from ._reflection_rows import Copies, all_copies
from ._semidefinite import signed_images
from ._sums_of_squares import (
    MOST_MONOMIALS,
    Question,
    Terms,
    half_degrees,
    half_newton_polytope,
    polynomial_terms,
    require_inequalities,
    require_level,
    variable_list,
)
from ._sums_of_squares import question as listed_question
from ._tableaux import (
    Exponents,
    Filling,
    Pairs,
    contents_of,
    monomial_product,
    orbit_size,
    orders,
    transposed,
)

if TYPE_CHECKING:
    from ._core import Group, Representation

MOST_PAIRS = 2_000_000  # of two monomials, where Gram matrices are written out
MOST_LISTED = 100  # monomials of certificates that list them


# --- Polynomials -----------------------------------------------------------------------------------------------------


def symmetric_terms(terms: Terms, n: int) -> tuple[Terms, Exponents | None]:
    """The polynomial by monomial symmetric functions, and exponents that exchanges of variables take elsewhere."""
    found: Terms = {}
    count: Counter[Exponents] = Counter()
    for key, x in terms.items():
        kind = tuple(sorted((k for k in key if k), reverse=True))
        count[kind] += 1
        if found.setdefault(kind, x) != x:
            return {}, kind
    return found, next((kind for kind, k in count.items() if k != orbit_size(n, kind)), None)


def _refuse_exchange(terms: Terms, names: Sequence[str], kind: Exponents) -> NoReturn:
    for key, x in terms.items():
        if tuple(sorted((k for k in key if k), reverse=True)) != kind:
            continue
        for i in range(len(key) - 1):
            other = (*key[:i], key[i + 1], key[i], *key[i + 2 :])
            y = terms.get(other, Fraction(0))
            if y != x:
                raise DomainError(
                    f"the group does not fix the polynomial: the exchange of {names[i]} and {names[i + 1]} takes the "
                    f"exponents {key}, whose coefficient is {x}, to {other}, whose coefficient is {y}"
                )
    raise DomainError("the group does not fix the polynomial")


def fixed_by_signs(kind: Exponents, n: int, group: str) -> bool:
    """Whether the sign changes of B_n or D_n fix the monomial symmetric function."""
    if group == "S":
        return True
    odd = sum(k % 2 for k in kind)
    return odd == 0 or (group == "D" and odd == n)


def _refuse_signs(terms: Terms, names: Sequence[str], group: str) -> None:
    """DomainError for a polynomial by monomial symmetric functions that sign changes do not fix."""
    n = len(names)
    for kind, x in terms.items():
        if not fixed_by_signs(kind, n, group):
            full = [*kind, *[0] * (n - len(kind))]
            at = next(i for i, k in enumerate(full) if k % 2)
            moved = names[at]
            if group == "D":
                moved = f"{names[at]} and {names[next(i for i, k in enumerate(full) if k % 2 == 0)]}"
            shown = "*".join(f"{names[i]}^{k}" if k > 1 else names[i] for i, k in enumerate(kind))
            raise DomainError(
                f"the group does not fix the polynomial: it has the term {x}*{shown}, which changes its sign with "
                f"{moved}"
            )


# --- Groups -----------------------------------------------------------------------------------------------------------


def group_of(V: Representation) -> str | None:
    """'S', 'B' or 'D' for all permutations of the variables, with all signs, or with an even number of them."""
    from ._core import Group

    images = signed_images(V)
    if images is None:
        return None
    n = V.dimension
    signed = any(sign < 0 for image in images for _, sign in image)
    if not signed:
        order = Group([[to for to, _ in image] for image in images]).order if images else 1
        return "S" if order == factorial(n) else None
    points = [
        [to + (n if sign < 0 else 0) for to, sign in image] + [to + (0 if sign < 0 else n) for to, sign in image]
        for image in images
    ]
    order = Group(points).order
    if order == 2**n * factorial(n):
        return "B"
    even = all(prod(sign for _, sign in image) > 0 for image in images)
    return "D" if even and order == 2 ** (n - 1) * factorial(n) else None


def reflection_rep(group: str, n: int) -> Representation:
    """S_n, B_n or D_n on n variables."""
    from ._core import Group

    if group == "S":
        return Group(f"S{n}").rep("perm")
    if group == "B":
        return Group(f"B{n}").rep("vector")
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    swaps = [[*unit[:i], unit[i + 1], unit[i], *unit[i + 2 :]] for i in range(n - 1)]
    last = [*unit[: n - 2], [-x for x in unit[n - 1]], [-x for x in unit[n - 2]]] if n > 1 else unit
    return Group.from_matrices([*swaps, last]).rep("vector")


def named(group: Any, action: str | None, n: int) -> str | None:
    """'S', 'B' or 'D' for the names S<n>, B<n> and W(D<n>) of groups that act on n variables as they are."""
    if not isinstance(group, str):
        return None
    name = group.replace(" ", "")
    if name == f"S{n}" and action in (None, "perm"):
        return "S"
    if action in (None, "vector"):
        return {f"B{n}": "B", f"W(D{n})": "D"}.get(name)
    return None


def acting(group: Any, action: str | None, variables: Any) -> Representation | None:
    """The representation on the variables, or on so many, of a group that is stated."""
    n = variables if isinstance(variables, int) else len(variables)
    kind = named(group, action, n)
    return _semidefinite.acting(group, action) if kind is None else reflection_rep(kind, n)


# --- Questions --------------------------------------------------------------------------------------------------------


@dataclass
class Inequalities:
    """What is not negative: polynomials that the group fixes, and for others in one variable each their images."""

    fixed: list[Terms]  # by monomial symmetric functions
    each: list[Terms]  # in the first variable, as {(k,): x}, () for the constant; with the images in all variables
    given: list[tuple[int, int | None]]  # for 1 and every inequality as it was written its multiplier, and its variable

    @property
    def multipliers(self) -> list[Terms]:
        return [{(): Fraction(1)}, *self.fixed, *self.each]


def read_inequalities(given: list[tuple[Terms, bool]], n: int) -> Inequalities | None:
    """None for inequalities that the exchanges of variables permute in another way."""
    fixed: list[Terms] = []
    places: dict[tuple[tuple[int, Fraction], ...], list[tuple[int, int]]] = {}  # of one polynomial, by its variables
    at: list[tuple[int, int | None]] = [(0, None)]
    for number, (terms, is_symmetric) in enumerate(given):
        found, moved = (terms, None) if is_symmetric else symmetric_terms(terms, n)
        if moved is None:
            fixed.append(found)
            at.append((len(fixed), None))
            continue
        used = {v for key in terms for v, k in enumerate(key) if k}
        if len(used) != 1:
            return None
        (v,) = used
        places.setdefault(tuple(sorted((key[v], x) for key, x in terms.items())), []).append((v, number))
        at.append((0, v))
    each: list[Terms] = []
    for coefficients, variables in places.items():
        if sorted(v for v, _ in variables) != list(range(n)):
            return None
        each.append({(k,) if k else (): x for k, x in coefficients})
        for v, number in variables:
            at[number + 1] = len(fixed) + len(each), v
    return Inequalities(fixed, each, at)


@dataclass
class Component:
    """The copies of an irreducible representation in the monomials that are multiplied with one polynomial.

    A multiplier in the first variable is kept by the group of the others. The rows are those of copies in the others,
    times powers of the first one.
    """

    multiplier: int
    copies: Copies
    rows: list[int]  # among those of the copies
    powers: list[int]  # of the first variable; 0 where the multiplier is fixed
    name: str

    def counts(self, i: int, j: int) -> dict[Pairs, Fraction]:
        """The pairs of exponents in the mean of the product of two rows, without the powers."""
        a, b = self.rows[i], self.rows[j]
        return self.copies.counts[a, b] if a <= b else transposed(self.copies.counts[b, a])


@dataclass
class SymmetricQuestion(BlockQuestion):
    """p - λ = Σ g_j s_j with sums of squares s_j, all of them fixed by S_n, B_n or D_n.

    Polynomials are combinations of monomial symmetric functions, whose partitions are keys of their terms. A block
    of rows belongs to one multiplier g_j and one irreducible representation.
    """

    names: list[str]
    group: str  # 'S', 'B' or 'D'
    terms: Terms
    inequalities: Inequalities
    contents: list[set[Exponents]]  # for each multiplier the exponents of its monomials, in descending order
    components: list[Component]
    level: int | None
    is_form: bool = False
    one: Exponents = ()

    def __post_init__(self) -> None:
        self._means: dict[tuple[int, int, int], list[tuple[Exponents, Fraction]]] = {}
        self.multipliers = self.inequalities.multipliers
        self.make_problem()

    def is_each(self, multiplier: int) -> bool:
        """Whether the multiplier is one in the first variable, which stands for its images."""
        return multiplier > len(self.inequalities.fixed)

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> list[list[int]]:
        """The rows of every block."""
        return [component.rows for component in self.components]

    @property
    def group_order(self) -> int:
        signs = {"S": 0, "B": self.n, "D": self.n - 1}[self.group]
        return factorial(self.n) << signs

    @property
    def order_text(self) -> str:
        signs = {"S": 0, "B": self.n, "D": self.n - 1}[self.group]
        return str(self.group_order) if self.n <= 15 else f"2^{signs} {self.n}!" if signs else f"{self.n}!"

    @property
    def monomial_counts(self) -> list[int]:
        """How many monomials 1 and each inequality have."""
        return [sum(orbit_size(self.n, key) for key in self.contents[k]) for k, _ in self.inequalities.given]

    def products(self, k: int, i: int, j: int) -> list[tuple[Exponents, Fraction]]:
        """The mean of g f_i f_j for two rows of block k, by monomial symmetric functions."""
        i, j = min(i, j), max(i, j)
        if (k, i, j) not in self._means:
            component = self.components[k]
            sums: Terms = {}
            for key, x in component.counts(i, j).items():
                kind = tuple(sorted((a + b for a, b in key), reverse=True))
                sums[kind] = sums.get(kind, Fraction(0)) + x
            mean: Terms = {}
            multiplier = self.multipliers[component.multiplier]
            power = component.powers[i] + component.powers[j]
            for kind, x in sums.items():
                for other, factor in multiplier.items():
                    if self.is_each(component.multiplier):
                        first = power + sum(other)
                        to = tuple(sorted((*kind, first) if first else kind, reverse=True))
                        mean[to] = mean.get(to, Fraction(0)) + x * factor / orbit_size(self.n, to)
                        continue
                    part = x * factor / orbit_size(self.n, kind)
                    for to, count in monomial_product(self.n, kind, other):
                        mean[to] = mean.get(to, Fraction(0)) + part * count
            self._means[k, i, j] = [(kind, x) for kind, x in mean.items() if x]
        return self._means[k, i, j]

    def weight(self, key: Exponents) -> int:
        """The equation says what the sum of all coefficients is."""
        return orbit_size(self.n, key)

    def representation(self, k: int) -> tuple[int, str]:
        component = self.components[k]
        return component.copies.dimension * (self.n if self.is_each(component.multiplier) else 1), component.name

    # --- The same by monomials ---

    def expanded(self, terms: Terms) -> Terms:
        """A polynomial by its monomials."""
        count = sum(orbit_size(self.n, kind) for kind in terms)
        if count > MOST_MONOMIALS:
            raise LimitError(
                f"the polynomial has {count} terms in {self.n} variables, and at most {MOST_MONOMIALS} are written out"
            )
        found: Terms = {}
        for kind, x in terms.items():
            for order in orders(Counter((*kind, *(0,) * (self.n - len(kind)))), self.n):
                found[order] = x
        return found

    def listed(self) -> Question:
        """The question with a row for every monomial."""
        for count in self.monomial_counts:
            if count > MOST_MONOMIALS:
                raise LimitError(f"there are {count} monomials, and at most {MOST_MONOMIALS} are listed")
        inequalities = []
        for k, v in self.inequalities.given[1:]:
            g = self.multipliers[k]
            one = {tuple(sum(key) if i == v else 0 for i in range(self.n)): x for key, x in g.items()}
            inequalities.append(self.expanded(g) if v is None else one)
        return listed_question(self.expanded(self.terms), self.names, inequalities, self.level)

    def entries(self, blocks: list[dict[tuple[int, int], Any]]) -> list[dict[Any, Any]]:
        """The entries of Gram matrices of monomials, one matrix for each multiplier, by pairs of exponents; from the
        upper triangles of Gram matrices of rows.

        Of a multiplier in the first variable the key is (its exponents, pairs of the other variables). The mean of
        products with it is that of their sum over the n variables, divided by n.
        """
        found: list[dict[Any, Any]] = [{} for _ in self.multipliers]
        for component, gram in zip(self.components, blocks):
            own, each = found[component.multiplier], self.is_each(component.multiplier)
            for (i, j), value in gram.items():
                counts, p, q = component.counts(i, j), component.powers[i], component.powers[j]
                for powers, both in [((p, q), counts)] + ([] if i == j else [((q, p), transposed(counts))]):
                    for key, x in both.items():
                        if each:
                            at, share = (powers, key), value * x / (orbit_size(self.n - 1, key) * self.n)
                        else:
                            at, share = key, value * x / orbit_size(self.n, key)
                        own[at] = own.get(at, 0) + share
        return found

    def written_out(self, blocks: list[dict[tuple[int, int], Any]], rows: list[list[Exponents]]) -> list[Entries]:
        """The upper triangles of the Gram matrices of monomials."""
        from ._core import poll_limits

        count = sum(len(own) ** 2 for own in rows)
        if count > MOST_PAIRS:
            raise LimitError(
                f"the Gram matrices of {sum(map(len, rows))} monomials have {count} entries, and at most {MOST_PAIRS} "
                "are written out"
            )
        out: list[Entries] = []
        found = self.entries(blocks)
        for own, (k, v) in zip(rows, self.inequalities.given):
            entries = found[k]
            gram: Entries = {}
            for i, a in enumerate(own):
                poll_limits()
                for j in range(i, len(own)):
                    b = own[j]
                    key = tuple(sorted(pair for at, pair in enumerate(zip(a, b)) if pair != (0, 0) and at != v))
                    if value := entries.get(key if v is None else ((a[v], b[v]), key), 0):
                        gram[i, j] = value
            out.append(gram)
        return out

    def lifted(self, X: list[Any]) -> list[Any]:
        """Gram matrices of monomials, of doubles, from those of rows."""
        import numpy

        blocks = []
        for x in X:
            x = x if x.ndim == 2 else x.reshape(1, 1)
            blocks.append({(i, j): float(x[i, j]) for i in range(len(x)) for j in range(i, len(x))})
        rows = self.listed().rows
        out = []
        for own, gram in zip(rows, self.written_out(blocks, rows)):
            M = numpy.zeros((len(own), len(own)))
            for (i, j), value in gram.items():
                M[i, j] = M[j, i] = value
            out.append(M)
        return out

    def data(self, bound: Fraction | None, grams: list[Entries]) -> dict[str, Any]:
        """The file of the sum of squares: by monomials where they are few, and otherwise by tableaux."""
        if sum(self.monomial_counts) <= MOST_LISTED:
            asked = self.listed()
            return asked.data(bound, self.written_out(grams, asked.rows))

        def listed(given: Terms) -> list[Any]:
            return [[list(key), str(x)] for key, x in sorted(given.items())]

        def filling(given: Filling) -> list[list[int]]:
            return [[given.bulk], *map(list, given.rows)]

        blocks = []
        for component, gram in zip(self.components, grams):
            copies, of_tableaux = component.copies, {}  # type: ignore[var-annotated]
            size = len(copies.rows)
            for (i, j), value in gram.items():
                for a, b in {(i, j), (j, i)}:
                    first, second = component.powers[a] * size, component.powers[b] * size
                    for k, x in copies.combined[component.rows[a]].items():
                        for m, y in copies.combined[component.rows[b]].items():
                            if first + k <= second + m:
                                at = first + k, second + m
                                of_tableaux[at] = of_tableaux.get(at, Fraction(0)) + value * x * y
            for part, lower in gram_blocks(of_tableaux, size * (max(component.powers) + 1)):
                block = {
                    "multiplier": component.multiplier,
                    "shapes": [list(shape) for shape in copies.shapes],
                    "sign": copies.sign,
                    "rows": [[filling(A) for A in copies.rows[i % size]] for i in part],
                    "gram": lower,
                }
                if self.is_each(component.multiplier):
                    block["powers"] = [i // size for i in part]
                blocks.append(block)
        data = {
            "format": FORMAT,
            "version": 1,
            "kind": "symmetric sum of squares",
            "bound": None if bound is None else str(bound),
            "variables": self.n,
            "polynomial": listed(self.terms),
            "inequalities": [listed(g) for g in self.inequalities.fixed],
            "blocks": blocks,
        }
        if self.inequalities.each:
            data["each"] = [[[sum(key), str(x)] for key, x in sorted(g.items())] for g in self.inequalities.each]
        return data


def _half_polytope(contents: list[Exponents], points: set[Exponents], n: int) -> list[Exponents]:
    """The exponents, in descending order, whose doubles are in the convex hull of the points in any order.

    No point outside of the variables of a monomial helps to make its double: as many variables as it has are enough.
    """
    width = min(n, max((len(key) for key in contents), default=0))
    if width == 0:
        return contents
    corners = {
        order
        for key in points
        if len(key) <= width
        for order in orders(Counter((*key, *(0,) * (width - len(key)))), width)
    }
    if not corners:
        return []
    wide = {(*key, *(0,) * (width - len(key))): key for key in contents}
    return [wide[key] for key in half_newton_polytope(corners, list(wide))]


def _read(p: Any, variables: Any) -> tuple[list[str], Terms, bool]:
    """The names of the variables, and the terms: by monomial symmetric functions, or where the last is False by
    monomials."""
    from ._core import SymmetricFunction

    if not isinstance(p, SymmetricFunction):
        return (*polynomial_terms(p, variables), False)
    names = polynomial_terms({}, variables)[0]
    terms = {tuple(key): Fraction(x.numerator, x.denominator) for key, x in p.to("m").terms()}
    return names, {key: x for key, x in terms.items() if len(key) <= len(names)}, True


def question(
    p: Any,
    variables: Any,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    inequalities: Any = (),
    level: int | None = None,
) -> SymmetricQuestion | None:
    """The question of sos() about a polynomial that S_n, B_n or D_n fixes.

    None where another group is stated, or where none is and the polynomials are not symmetric.
    """
    variables = variable_list(variables)
    names, terms, symmetric = _read(p, variables)
    n = len(names)
    kind = named(group, action, n)
    if kind is None and (group is not None or action is not None):
        V = _semidefinite.acting(group, action)
        kind = group_of(V) if V is not None and V.dimension == n else None
        if kind is None:
            return None
    if not symmetric:
        given = terms
        terms, moved = symmetric_terms(given, n)
        if moved is not None:
            if kind is not None:
                _refuse_exchange(given, names, moved)
            return None
    polynomials = [_read(g, variables)[1:] for g in (inequalities if isinstance(inequalities, (list, tuple)) else ())]
    read = read_inequalities(polynomials, n)
    if read is None:
        return None
    fixed = [key for own in (terms, *read.fixed) for key in own]
    of_each = [key for own in read.each for key in own]

    def keeps(group: str) -> bool:
        """Whether the group fixes all of these, and changes no sign of what is in one variable."""
        signs = all(fixed_by_signs(key, n, group) for key in fixed)
        return signs and (group == "S" or not of_each or (group == "B" and not any(sum(key) % 2 for key in of_each)))

    if kind is None:
        kind = next(g for g in "BDS" if keeps(g))
        if kind == "S" and n == 1:
            return None
    _refuse_signs(terms, names, kind)
    if not keeps(kind):
        return None
    return _question(names, kind, terms, read, inequalities, level)


def _question(
    names: list[str], group: str, terms: Terms, read: Inequalities, inequalities: Any, level: int | None
) -> SymmetricQuestion:
    multipliers = read.multipliers
    require_inequalities(inequalities, [multipliers[k] for k, _ in read.given[1:]])
    require_level(level)
    n = len(names)
    degrees = half_degrees(terms, multipliers, level, True)
    contents = [contents_of(n, own) for own in degrees]
    if len(multipliers) == 1:
        # λ is free: the constant is a point, but for forms, whose constant is 0
        contents[0] = _half_polytope(contents[0], {*terms, ()} if () in contents[0] else set(terms), n)
    allowed = [set(own) for own in contents]
    most = [max((sum(key) for key in own), default=0) for own in allowed]
    first_each = 1 + len(read.fixed)
    components = []
    for copies in all_copies(group, n, max(most[:first_each])):
        for k, own in enumerate(allowed[:first_each]):
            rows = [i for i, key in enumerate(copies.contents) if key in own]
            if rows:
                components.append(Component(k, copies, rows, [0] * len(rows), copies.name))
    for copies in all_copies(group, n - 1, max(most[first_each:])) if read.each else ():
        for k, weight in enumerate(most[first_each:], first_each):
            for parity in range(2 if group == "B" else 1):
                both = [
                    (power, i)
                    for power in range(parity, weight + 1, 2 if group == "B" else 1)
                    for i, key in enumerate(copies.contents)
                    if power + sum(key) <= weight
                ]
                if both:
                    powers, rows = [list(x) for x in zip(*both)]
                    components.append(Component(k, copies, rows, powers, f"x*{copies.name}" if parity else copies.name))
    components.sort(key=lambda component: component.multiplier)
    asked = SymmetricQuestion(names, group, terms, read, allowed, components, level)
    for k, own in enumerate(allowed):
        sizes = sum(len(c.rows) * c.copies.dimension for c in components if c.multiplier == k)
        if sizes != sum(orbit_size(n, key) for key in own):
            raise InternalError("sdp: the dimensions of the irreducible representations do not add up")
    return asked
