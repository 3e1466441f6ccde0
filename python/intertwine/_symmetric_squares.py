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
class Component:
    """The copies of an irreducible representation in the monomials that are multiplied with one polynomial."""

    multiplier: int
    copies: Copies
    rows: list[int]  # among those of the copies


@dataclass
class SymmetricQuestion(BlockQuestion):
    """p - λ = Σ g_j s_j with sums of squares s_j, all of them fixed by S_n, B_n or D_n.

    Polynomials are combinations of monomial symmetric functions, whose partitions are keys of their terms. A block
    of rows belongs to one multiplier g_j and one irreducible representation.
    """

    names: list[str]
    group: str  # 'S', 'B' or 'D'
    terms: Terms
    multipliers: list[Terms]
    contents: list[set[Exponents]]  # for each multiplier the exponents of its monomials, in descending order
    components: list[Component]
    level: int | None
    is_form: bool = False
    one: Exponents = ()

    def __post_init__(self) -> None:
        self._means: dict[tuple[int, int, int], list[tuple[Exponents, Fraction]]] = {}
        self.make_problem()

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
        """How many monomials each multiplier has."""
        return [sum(orbit_size(self.n, key) for key in own) for own in self.contents]

    def products(self, k: int, i: int, j: int) -> list[tuple[Exponents, Fraction]]:
        """The mean of g f_i f_j for two rows of block k, by monomial symmetric functions."""
        i, j = min(i, j), max(i, j)
        if (k, i, j) not in self._means:
            component = self.components[k]
            sums: Terms = {}
            for key, x in component.copies.counts[component.rows[i], component.rows[j]].items():
                kind = tuple(sorted((a + b for a, b in key), reverse=True))
                sums[kind] = sums.get(kind, Fraction(0)) + x
            mean: Terms = {}
            for kind, x in sums.items():
                part = x / orbit_size(self.n, kind)
                for other, factor in self.multipliers[component.multiplier].items():
                    for to, count in monomial_product(self.n, kind, other):
                        mean[to] = mean.get(to, Fraction(0)) + part * factor * count
            self._means[k, i, j] = [(kind, x) for kind, x in mean.items() if x]
        return self._means[k, i, j]

    def weight(self, key: Exponents) -> int:
        """The equation says what the sum of all coefficients is."""
        return orbit_size(self.n, key)

    def representation(self, k: int) -> tuple[int, str]:
        return self.components[k].copies.dimension, self.components[k].copies.name

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
        inequalities = [self.expanded(g) for g in self.multipliers[1:]]
        return listed_question(self.expanded(self.terms), self.names, inequalities, self.level)

    def entries(self, blocks: list[dict[tuple[int, int], Any]]) -> list[dict[Pairs, Any]]:
        """The entries of Gram matrices of monomials, one matrix for each multiplier, by pairs of exponents; from the
        upper triangles of Gram matrices of rows."""
        found: list[dict[Pairs, Any]] = [{} for _ in self.multipliers]
        for component, gram in zip(self.components, blocks):
            own = found[component.multiplier]
            for (i, j), value in gram.items():
                counts = component.copies.counts[component.rows[i], component.rows[j]]
                for both in (counts,) if i == j else (counts, transposed(counts)):
                    for key, x in both.items():
                        own[key] = own.get(key, 0) + value * x / orbit_size(self.n, key)
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
        for own, entries in zip(rows, self.entries(blocks)):
            gram: Entries = {}
            for i, a in enumerate(own):
                poll_limits()
                for j in range(i, len(own)):
                    key = tuple(sorted(pair for pair in zip(a, own[j]) if pair != (0, 0)))
                    if value := entries.get(key, 0):
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
            for (i, j), value in gram.items():
                for at in {(i, j), (j, i)}:
                    for k, x in copies.combined[component.rows[at[0]]].items():
                        for m, y in copies.combined[component.rows[at[1]]].items():
                            if k <= m:
                                of_tableaux[k, m] = of_tableaux.get((k, m), Fraction(0)) + value * x * y
            for part, lower in gram_blocks(of_tableaux, len(copies.rows)):
                blocks.append(
                    {
                        "multiplier": component.multiplier,
                        "shapes": [list(shape) for shape in copies.shapes],
                        "sign": copies.sign,
                        "rows": [[filling(A) for A in copies.rows[i]] for i in part],
                        "gram": lower,
                    }
                )
        return {
            "format": FORMAT,
            "version": 1,
            "kind": "symmetric sum of squares",
            "bound": None if bound is None else str(bound),
            "variables": self.n,
            "polynomial": listed(self.terms),
            "inequalities": [listed(g) for g in self.multipliers[1:]],
            "blocks": blocks,
        }


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
    polynomials = [(names, terms, symmetric)]
    for g in inequalities if isinstance(inequalities, (list, tuple)) else ():
        polynomials.append(_read(g, variables))
    by_kinds: list[Terms] = []
    for k, (_, own, is_symmetric) in enumerate(polynomials):
        if not is_symmetric:
            given = own
            own, moved = symmetric_terms(given, n)
            if moved is not None:
                if k == 0 and kind is not None:
                    _refuse_exchange(given, names, moved)
                return None
        by_kinds.append(own)
    if kind is None:
        kind = next(g for g in "BDS" if all(fixed_by_signs(key, n, g) for own in by_kinds for key in own))
        if kind == "S" and n == 1:
            return None
    _refuse_signs(by_kinds[0], names, kind)
    if not all(fixed_by_signs(key, n, kind) for own in by_kinds for key in own):
        return None
    return _question(names, kind, by_kinds, inequalities, level)


def _question(
    names: list[str], group: str, polynomials: list[Terms], inequalities: Any, level: int | None
) -> SymmetricQuestion:
    require_inequalities(inequalities, polynomials[1:])
    require_level(level)
    n, terms = len(names), polynomials[0]
    multipliers: list[Terms] = [{(): Fraction(1)}, *polynomials[1:]]
    degrees = half_degrees(terms, multipliers, level, True)
    contents = [contents_of(n, own) for own in degrees]
    if len(multipliers) == 1:
        # λ is free: the constant is a point, but for forms, whose constant is 0
        contents[0] = _half_polytope(contents[0], {*terms, ()} if () in contents[0] else set(terms), n)
    allowed = [set(own) for own in contents]
    most = max((sum(key) for own in allowed for key in own), default=0)
    components = []
    for copies in all_copies(group, n, most):
        for k, own in enumerate(allowed):
            rows = [i for i, key in enumerate(copies.contents) if key in own]
            if rows:
                components.append(Component(k, copies, rows))
    components.sort(key=lambda component: component.multiplier)
    asked = SymmetricQuestion(names, group, terms, multipliers, allowed, components, level)
    for k, count in enumerate(asked.monomial_counts):
        if sum(len(c.rows) * c.copies.dimension for c in components if c.multiplier == k) != count:
            raise InternalError("sdp: the dimensions of the irreducible representations do not add up")
    return asked
