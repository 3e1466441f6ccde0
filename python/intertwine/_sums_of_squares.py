"""Polynomials that are bounded by sums of squares: their monomials, their problem, and how groups act on its rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any

from ._certificates import FORMAT, Entries, gram_blocks
from ._errors import DomainError, LimitError
from ._semidefinite import number, signed_images

if TYPE_CHECKING:
    from ._core import Problem, Representation

Exponents = tuple[int, ...]
Terms = dict[Exponents, Fraction]

MOST_VARIABLES = 1_000_000
MOST_MONOMIALS, MOST_PRODUCTS = 100_000, 20_000_000  # some 200 bytes each


def polynomial_terms(p: Any, variables: Any) -> tuple[list[str], Terms]:
    """The variables' names and the terms of a SymPy polynomial, {exponents: coefficient} or a SymmetricFunction."""
    from ._core import SymmetricFunction

    if isinstance(variables, int) and variables > MOST_VARIABLES:
        raise LimitError(f"there are {variables} variables, and sums of squares have at most {MOST_VARIABLES}")
    names = [f"x{i + 1}" for i in range(variables)] if isinstance(variables, int) else list(variables)
    if not names:
        raise DomainError("a sum of squares has at least one variable")
    if isinstance(p, SymmetricFunction):
        count = comb(len(names) + p.degree, p.degree)
        if count > MOST_MONOMIALS:
            raise LimitError(
                f"{p} has up to {count} terms in {len(names)} variables, and at most {MOST_MONOMIALS} are listed"
            )
        p = p.expand(len(names))
    if not isinstance(p, dict):
        if isinstance(variables, int) or not hasattr(p, "free_symbols"):
            raise DomainError(f"{p} is no polynomial: write one in symbols of SymPy, with their list, or a dict")
        try:
            p = dict(import_module("sympy").Poly(p, *names).terms())
        except ImportError:
            raise DomainError("sympy is not installed: write the polynomial as {exponents: coefficient}") from None
        except Exception as error:  # SymPy has many of its own
            raise DomainError(f"{p} is no polynomial in {', '.join(map(str, names))}: {error}") from None
    terms: Terms = {}
    for exponents, x in p.items():
        key = (exponents,) if isinstance(exponents, int) else tuple(exponents)
        if len(key) != len(names) or not all(isinstance(k, int) and k >= 0 for k in key):
            raise DomainError(f"{key} is no list of {len(names)} exponents, whole numbers from 0 on")
        value = number(x, f"the coefficient of {key}")
        if value:
            terms[key] = value
    return [str(name) for name in names], terms


def variable_list(variables: Any) -> int | list[Any]:
    """The symbols of variables, or their number."""
    if isinstance(variables, int):
        return variables
    if not isinstance(variables, Iterable):
        raise DomainError(f"variables is a list of symbols or their number, not {variables!r}")
    return list(variables)


def product(a: Exponents, b: Exponents) -> Exponents:
    """The exponents of the product of two monomials."""
    return tuple(x + y for x, y in zip(a, b))


def degree(terms: Iterable[Exponents]) -> int:
    """The largest degree of a term, 0 where there is none."""
    return max(map(sum, terms), default=0)


def monomials(n: int, degrees: Iterable[int]) -> list[Exponents]:
    """All monomials of these degrees, those of one degree in lexicographic order, as sym(d, V) has them."""
    found = []
    for d in degrees:
        for chosen in combinations_with_replacement(range(n), d):
            found.append(tuple(chosen.count(v) for v in range(n)))
    return found


def separating(points: list[Exponents], target: Exponents) -> list[int] | None:
    """Whole numbers w with w·target larger than w·s for every point s; None if target is in the convex hull.

    The first phase of the simplex method in exact fractions, with the rule of Bland [Bland 1977]: either the target is a
    convex combination of the points, or the prices of the last tableau separate it.
    """
    rows = len(target) + 1
    right = [Fraction(x) for x in (*target, 1)]
    columns = [[Fraction(x) for x in (*s, 1)] for s in points]
    # All entries are >= 0, so that the artificial variables start with values >= 0.
    inverse = [[Fraction(int(i == j)) for j in range(rows)] for i in range(rows)]
    basis = [-1 - i for i in range(rows)]  # negative: artificial, of cost 1
    value = list(right)
    while True:
        prices = [sum(inverse[i][j] for i in range(rows) if basis[i] < 0) for j in range(rows)]
        entering = None
        for k, column in enumerate(columns):
            if k not in basis and sum(p * x for p, x in zip(prices, column)) > 0:
                entering = k
                break
        if entering is None:
            if not any(value[i] for i in range(rows) if basis[i] < 0):
                return None
            # prices·(s, 1) <= 0 for every point, and prices·(target, 1) > 0
            scale = 1
            for p in prices:
                scale *= Fraction(p * scale).denominator
            return [int(p * scale) for p in prices[:-1]]
        move = [sum(inverse[i][j] * columns[entering][j] for j in range(rows)) for i in range(rows)]
        leaving = min((i for i in range(rows) if move[i] > 0), key=lambda i: (value[i] / move[i], basis[i]))
        step = value[leaving] / move[leaving]
        pivot = [x / move[leaving] for x in inverse[leaving]]
        for i in range(rows):
            if i != leaving and move[i]:
                inverse[i] = [x - move[i] * y for x, y in zip(inverse[i], pivot)]
                value[i] -= move[i] * step
        inverse[leaving], value[leaving], basis[leaving] = pivot, step, entering


def half_newton_polytope(points: set[Exponents], candidates: list[Exponents]) -> list[Exponents]:
    """The candidates whose doubles are in the convex hull of the points.

    Squares whose sum is a polynomial have no other monomials [Reznick 1978]. Every monomial that is left out is so by
    whole numbers that separate it, compared exactly.
    """
    from ._core import poll_limits

    corners = sorted(points)
    n = len(corners[0])
    # Powers of single variables and 1 have a simplex, whose points are known at once.
    powers = [max((s[i] for s in points if sum(s) == s[i]), default=0) for i in range(n)]
    has_one = (0,) * n in points
    walls: list[tuple[list[int], int]] = []  # w, and the largest w·s
    kept = []
    for a in candidates:
        poll_limits()
        doubled = tuple(2 * x for x in a)
        share = sum(Fraction(x, top) if top else 2 * x for x, top in zip(doubled, powers))
        if doubled in points or share == 1 or (share < 1 and has_one):
            kept.append(a)
            continue
        if any(sum(x * y for x, y in zip(w, doubled)) > most for w, most in walls):
            continue
        w = separating(corners, doubled)
        if w is None:
            kept.append(a)
        else:
            walls.append((w, max(sum(x * y for x, y in zip(w, s)) for s in corners)))
    return kept


@dataclass
class Question:
    """p - λ = Σ_j g_j m_j^T Q_j m_j, where g_0 = 1 and Q_j is positive semidefinite."""

    names: list[str]
    terms: Terms
    multipliers: list[Terms]  # g_0 = 1, then the inequalities
    rows: list[list[Exponents]]  # m_j
    problem: Problem
    is_form: bool  # the constant is in no product: λ = 0

    @property
    def one(self) -> Exponents:
        """The constant monomial."""
        return (0,) * len(self.names)

    @property
    def constant(self) -> Fraction:
        return self.terms.get(self.one, Fraction(0))

    def products(self, k: int, i: int, j: int) -> list[tuple[Exponents, Fraction]]:
        """The terms of g m_i m_j for the multiplier g and the monomials of block k."""
        ab = product(self.rows[k][i], self.rows[k][j])
        return [(product(ab, key), x) for key, x in self.multipliers[k].items()]

    def data(self, bound: Fraction | None, grams: list[Entries]) -> dict[str, Any]:
        """The file of a sum of squares: one block for each set of monomials that a Gram matrix joins."""

        def listed(given: Terms) -> list[Any]:
            return [[list(key), str(x)] for key, x in sorted(given.items())]

        blocks = [
            {"multiplier": k, "monomials": [list(rows[i]) for i in part], "gram": lower}
            for k, (rows, gram) in enumerate(zip(self.rows, grams))
            for part, lower in gram_blocks(gram, len(rows))
        ]
        return {
            "format": FORMAT,
            "version": 1,
            "kind": "sum of squares",
            "bound": None if bound is None else str(bound),
            "variables": self.names,
            "polynomial": listed(self.terms),
            "inequalities": [listed(g) for g in self.multipliers[1:]],
            "blocks": blocks,
        }


def require_inequalities(inequalities: Any, given: list[Terms]) -> None:
    """DomainError for what is no list of polynomials, and for constants."""
    from ._core import SymmetricFunction

    if isinstance(inequalities, (dict, SymmetricFunction)) or not isinstance(inequalities, Iterable):
        raise DomainError("inequalities= is a list of polynomials g, each for g >= 0")
    for k, g in enumerate(given):
        if degree(g) == 0:
            raise DomainError(f"inequality {k} (from 0) is a constant; leave it out")


def require_level(level: Any) -> None:
    if level is not None and (not isinstance(level, int) or isinstance(level, bool)):
        raise DomainError(f"level={level!r} is no whole number")


def half_degrees(terms: Terms, multipliers: list[Terms], level: int | None, newton: bool) -> list[range]:
    top = degree(terms)
    if len(multipliers) == 1 and level is None:
        if top % 2 or top == 0:
            raise DomainError(f"the polynomial has degree {top}, and sums of squares have an even one from 2 on")
        if newton and {sum(key) for key in terms} == {top}:
            return [range(top // 2, top // 2 + 1)]
    most = max(top, *(degree(g) for g in multipliers))
    least = (most + 1) // 2
    level = max(least, 1) if level is None else level
    if level < least or level < 1:
        raise DomainError(
            f"level={level} is too small: the polynomials have degrees up to {most}; {max(least, 1)} is the least"
        )
    return [range(level - (degree(g) + 1) // 2 + 1) for g in multipliers]


def question(
    p: Any,
    variables: Any,
    inequalities: Any = (),
    level: int | None = None,
    newton: bool = True,
    degrees: list[range] | None = None,
) -> Question:
    """The question of sos(), with the problem that minimizes the constant of the sum of squares.

    With `degrees` the monomials have these, and no polytope leaves any out.
    """
    from ._core import Matrix, Problem, poll_limits

    variables = variable_list(variables)
    names, terms = polynomial_terms(p, variables)
    n, one = len(names), (0,) * len(names)
    require_inequalities(inequalities, [])
    multipliers: list[Terms] = [{one: Fraction(1)}]
    multipliers += [polynomial_terms(g, variables)[1] for g in inequalities]
    require_inequalities(inequalities, multipliers[1:])
    require_level(level)
    halves = degrees or half_degrees(terms, multipliers, level, newton)
    count = sum(comb(max(n + d - 1, 0), d) for degrees in halves for d in degrees)
    if count > MOST_MONOMIALS:
        raise LimitError(f"sos() would list {count} monomials in {n} variables, and lists at most {MOST_MONOMIALS}")
    rows = [monomials(n, d) for d in halves]
    if newton and not degrees and len(multipliers) == 1:
        # λ is free: the constant is a point, but for forms, whose constant is 0
        rows[0] = half_newton_polytope({*terms, one} if one in rows[0] else set(terms), rows[0])
    count = sum(len(g) * len(own) ** 2 for g, own in zip(multipliers, rows))
    if count > MOST_PRODUCTS:
        raise LimitError(
            f"sos() would write {count} products of {sum(map(len, rows))} monomials, and writes at most {MOST_PRODUCTS}; "
            "lower the degree, the level or the number of variables"
        )
    products: dict[Exponents, dict[tuple[int, int], Fraction]] = {}
    first = 0
    for g, own in zip(multipliers, rows):
        for i, a in enumerate(own):
            poll_limits()
            for j, b in enumerate(own):
                for key, x in g.items():
                    products.setdefault(product(product(a, b), key), {})[first + i, first + j] = x
        first += len(own)
    missing = [key for key in terms if key not in products and key != one]
    if missing:
        raise DomainError(
            f"no product of two monomials is the term with exponents {missing[0]}: there is no sum of squares"
        )
    is_form = one not in products
    C = Matrix.from_entries(first, first, [(i, j, x) for (i, j), x in products.pop(one, {}).items()])
    A = [Matrix.from_entries(first, first, [(i, j, x) for (i, j), x in at.items()]) for at in products.values()]
    problem = Problem(C, A, [terms.get(key, 0) for key in products], [len(own) for own in rows])
    return Question(names, terms, multipliers, rows, problem, is_form)


# --- Groups -----------------------------------------------------------------------------------------------------------


def moved(monomial: Exponents, image: list[tuple[int, int]]) -> tuple[Exponents, int]:
    """The image of a monomial and its sign."""
    out, sign = [0] * len(monomial), 1
    for k, (place, s) in zip(monomial, image):
        out[place] += k
        if s < 0 and k % 2:
            sign = -sign
    return tuple(out), sign


def moved_terms(terms: Terms, image: list[tuple[int, int]]) -> Terms:
    """The image of a polynomial."""
    found = {}
    for key, x in terms.items():
        to, sign = moved(key, image)
        found[to] = sign * x
    return found


def on_rows(asked: Question, V: Representation) -> Representation:
    """The representation on the rows of the problem, of a group that fixes p and permutes the inequalities."""
    n = len(asked.names)
    if V.dimension != n:
        raise DomainError(f"the group acts on {V.dimension} variables, and the polynomial has {n}")
    images = signed_images(V)
    if images is None:
        raise DomainError(
            "the group of a sum of squares permutes the variables, with signs or without; "
            f"{V.expression} acts by other matrices"
        )
    place = {(j, a): k for k, (j, a) in enumerate((j, a) for j, own in enumerate(asked.rows) for a in own)}
    row_images = []
    for k, image in enumerate(images):
        if moved_terms(asked.terms, image) != asked.terms:
            raise DomainError(f"generator {k + 1} of the group, {V.group.generators[k]}, does not fix the polynomial")
        to = []
        for j, g in enumerate(asked.multipliers):
            other = moved_terms(g, image)
            if other not in asked.multipliers:
                raise DomainError(
                    f"generator {k + 1} of the group, {V.group.generators[k]}, takes inequality {j - 1} (from 0) "
                    "to none of the inequalities"
                )
            to.append(j if other == g else asked.multipliers.index(other))
        row = []
        for j, a in place:
            b, sign = moved(a, image)
            row.append((place[to[j], b], sign))
        row_images.append(row)
    if all(sign > 0 for row in row_images for _, sign in row):
        return V.group.permutation_rep([[to for to, _ in row] for row in row_images], len(place))
    from ._core import Matrix

    size = len(place)
    matrices = [
        Matrix.from_entries(size, size, [(to, i, sign) for i, (to, sign) in enumerate(row)]) for row in row_images
    ]
    return V.group.matrix_rep(matrices)
