"""Sums of squares of polynomials that a group of rational matrices fixes, whose elements take monomials to polynomials.

The polynomials of degree at most d are a sum of symmetric powers, whose first rows are exact. The mean of a product
f_i f_j over the group is its projection to the invariants: with a basis B of those of a degree and a basis D of those of the
dual representation it is B (D^T W B)^-1 D^T W f, where W pairs x^a with y^a by a! [Gatermann & Parrilo 2004].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any

from ._block_squares import BlockQuestion
from ._certificates import Entries
from ._errors import DomainError, LimitError
from ._semidefinite import number
from ._sums_of_squares import (
    Exponents,
    Question,
    Terms,
    degree,
    half_degrees,
    monomials,
    polynomial_terms,
    product,
    require_inequalities,
    require_level,
)
from ._sums_of_squares import question as listed_question

if TYPE_CHECKING:
    from ._core import ReducedBlock, Representation

MOST_MONOMIALS = 20_000  # of the degree of the polynomials, whose invariants are found
Linear = list[Terms]  # of every variable its image


def _times(p: Terms, q: Terms) -> Terms:
    found: Terms = {}
    for a, x in p.items():
        for b, y in q.items():
            key = product(a, b)
            found[key] = found.get(key, Fraction(0)) + x * y
    return {key: x for key, x in found.items() if x}


class Substitution:
    """Polynomials with linear forms in the place of their variables."""

    def __init__(self, images: Linear) -> None:
        self.images = images
        self._known: dict[Exponents, Terms] = {(0,) * len(images): {(0,) * len(images): Fraction(1)}}

    def monomial(self, key: Exponents) -> Terms:
        if key not in self._known:
            k = next(i for i, e in enumerate(key) if e)
            self._known[key] = _times(self.monomial((*key[:k], key[k] - 1, *key[k + 1 :])), self.images[k])
        return self._known[key]

    def __call__(self, terms: Terms) -> Terms:
        found: Terms = {}
        for key, x in terms.items():
            for to, y in self.monomial(key).items():
                found[to] = found.get(to, Fraction(0)) + x * y
        return {key: x for key, x in found.items() if x}


def substitutions(V: Representation) -> list[Substitution]:
    """The generators of a group on polynomials in the vectors of the basis."""
    n = V.dimension
    found = []
    for matrix in V.generator_matrices():
        images: Linear = [{} for _ in range(n)]
        for i, j, x in matrix.entries():
            images[j][tuple(int(k == i) for k in range(n))] = number(x, "an entry of the group")
        found.append(Substitution(images))
    return found


class Invariants:
    """The invariants of one degree, and the projection of polynomials to them."""

    def __init__(self, V: Representation, d: int) -> None:
        from ._core import Matrix

        trivial = V.group.rep("trivial")
        self.keys = monomials(V.dimension, [d])
        if d == 0:
            own = dual = [[Fraction(1)]]
        else:
            own, dual = (self._columns(trivial >> W.sym(d)) for W in (V, V.T))
        weights = [prod(map(factorial, key)) for key in self.keys]
        self.basis: list[Terms] = [{key: x for key, x in zip(self.keys, column) if x} for column in own]
        self.forms = [{key: x * w for key, x, w in zip(self.keys, column, weights) if x} for column in dual]
        k = len(self.basis)
        paired = [(i, j, self._pair(f, b)) for i, f in enumerate(self.forms) for j, b in enumerate(self.basis)]
        unit = Matrix.from_entries(k, k, [(i, i, 1) for i in range(k)])
        inverse = Matrix.from_entries(k, k, paired).solve(unit) if k else unit
        self._inverse = [(i, j, number(x, "an entry")) for i, j, x in inverse.entries()] if k and inverse else []

    @staticmethod
    def _columns(hom: Any) -> list[list[Fraction]]:
        columns = []
        for matrix in hom.basis():
            column = [Fraction(0)] * matrix.shape[0]
            for i, _, x in matrix.entries():
                column[i] = number(x, "an invariant")
            columns.append(column)
        return columns

    @staticmethod
    def _pair(form: Terms, f: Terms) -> Fraction:
        if len(f) < len(form):
            return sum((x * form[key] for key, x in f.items() if key in form), Fraction(0))
        return sum((x * f[key] for key, x in form.items() if key in f), Fraction(0))

    def coordinates(self, f: Terms) -> list[Fraction]:
        """Those of the mean of f."""
        paired = [self._pair(form, f) for form in self.forms]
        found = [Fraction(0)] * len(self.basis)
        for i, j, x in self._inverse:
            found[i] += x * paired[j]
        return found


@dataclass
class LinearComponent:
    """The copies of an irreducible representation in the monomials that are multiplied with one polynomial."""

    multiplier: int
    name: str
    dimension: int  # how often an eigenvalue of the block is one of the Gram matrix
    kind: str
    polynomials: list[Terms]


@dataclass
class LinearQuestion(BlockQuestion):
    """A question under a group of matrices; keys of invariants are (degree, number)."""

    names: list[str]
    given: Terms  # p by monomials
    multipliers: list[Terms]
    degrees: list[range]
    V: Representation
    components: list[LinearComponent]
    level: int | None
    is_form: bool = False
    one: Exponents = (0, 0)
    terms: Terms = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._invariants: dict[int, Invariants] = {}
        self._means: dict[tuple[int, int, int], list[tuple[Exponents, Fraction]]] = {}
        self.terms = dict(self._mean(self.given))
        self.make_problem()

    def _mean(self, f: Terms) -> list[tuple[Exponents, Fraction]]:
        by_degree: dict[int, Terms] = {}
        for key, x in f.items():
            by_degree.setdefault(sum(key), {})[key] = x
        found: list[tuple[Exponents, Fraction]] = []
        for d, part in sorted(by_degree.items()):
            if d not in self._invariants:
                self._invariants[d] = Invariants(self.V, d)
            found += [((d, i), x) for i, x in enumerate(self._invariants[d].coordinates(part)) if x]
        return found

    @property
    def rows(self) -> list[list[int]]:
        return [list(range(len(component.polynomials))) for component in self.components]

    @property
    def group_order(self) -> int:
        return int(self.V.group.order)

    @property
    def monomial_counts(self) -> list[int]:
        return [len(monomials(len(self.names), own)) for own in self.degrees]

    def products(self, k: int, i: int, j: int) -> list[tuple[Exponents, Fraction]]:
        i, j = min(i, j), max(i, j)
        if (k, i, j) not in self._means:
            component = self.components[k]
            f = _times(component.polynomials[i], component.polynomials[j])
            self._means[k, i, j] = self._mean(_times(f, self.multipliers[component.multiplier]))
        return self._means[k, i, j]

    def weight(self, key: Exponents) -> int:
        return 1

    def representation(self, k: int) -> tuple[int, str]:
        return self.components[k].dimension, self.components[k].name

    def kind(self, k: int) -> str:
        return self.components[k].kind

    def redundant(self, blocks: list[ReducedBlock]) -> int:
        """By how many numbers blocks of complex and quaternionic type are larger than those of their real form."""
        found = 0
        for block in blocks:
            m = block.size // {"real": 1, "complex": 2, "quaternionic": 4}[block.type]
            own = {"real": m * (m + 1) // 2, "complex": m * m, "quaternionic": m * (2 * m - 1)}[block.type]
            found += block.size * (block.size + 1) // 2 - own
        return found

    def listed(self) -> Question:
        return listed_question(self.given, self.names, self.multipliers[1:], self.level, degrees=self.degrees)

    def lifted(self, X: list[Any]) -> list[Any]:
        """Σ G_ij f_i f_j by its Gram matrix, and its mean over the group."""
        import numpy

        asked = self.listed()
        moves = substitutions(self.V)
        found = []
        for k, own in enumerate(asked.rows):
            place = {key: i for i, key in enumerate(own)}
            M = numpy.zeros((len(own), len(own)))
            for component, x in zip(self.components, X):
                if component.multiplier == k:
                    F = numpy.zeros((len(own), len(component.polynomials)))
                    for j, f in enumerate(component.polynomials):
                        for key, value in f.items():
                            F[place[key], j] = float(value)
                    M += F @ numpy.reshape(x, (F.shape[1], F.shape[1])) @ F.T
            matrices = []
            for move in moves:
                T = numpy.zeros_like(M)
                for key, j in place.items():
                    for to, value in move.monomial(key).items():
                        T[place[to], j] = float(value)
                matrices.append(T)
            found.append(_mean_over_group(M, matrices))
        return found

    def data(self, bound: Fraction | None, grams: list[Entries]) -> dict[str, Any]:
        raise DomainError("a sum of squares under a group of matrices is written by monomials")


def _mean_over_group(M: Any, matrices: list[Any]) -> Any:
    """The mean of g M g^T over the group that matrices generate, by means over cyclic groups in turn."""
    from ._core import poll_limits

    for _ in range(10_000):
        before = M
        for T in matrices:
            poll_limits()
            total, moved, count = M, T @ M @ T.T, 1
            while abs(moved - M).max() > 1e-11 * max(1.0, abs(M).max()):
                total, moved, count = total + moved, T @ moved @ T.T, count + 1
            M = total / count
        if abs(M - before).max() <= 1e-14 * max(1.0, abs(M).max()):
            break
    return (M + M.T) / 2


def _rows(V: Representation, degrees: range, multiplier: int) -> list[LinearComponent]:
    n = V.dimension
    keys = monomials(n, degrees)
    W: Any = None
    for d in degrees:
        part = V.group.rep("trivial") if d == 0 else V.sym(d)
        W = part if W is None else W + part
    found = []
    for copies in W.isotypic("real", rows="first"):
        if copies.basis.field != "Q":
            raise DomainError(
                f"the rows of the irreducible representation {copies.irreps[0] + 1} of the group are over "
                f"{copies.basis.field}, and sums of squares take matrices over the rational numbers"
            )
        values, starts, places = copies.basis.values, copies.basis.indptr, copies.basis.indices
        polynomials = []
        for c in range(copies.basis.shape[1]):
            span = range(int(starts[c]), int(starts[c + 1]))
            polynomials.append({keys[int(places[k])]: number(values[k], "an entry of a row") for k in span})
        kind = {1: "real", 0: "complex", -1: "quaternionic"}[copies.indicator]
        name = "X." + ",".join(str(row + 1) for row in copies.irreps)
        # A copy of complex type has two rows, and one of quaternionic type four.
        dimension = copies.degree * copies.multiplicity // len(polynomials)
        found.append(LinearComponent(multiplier, name, dimension, kind, polynomials))
    return found


def question(p: Any, variables: Any, V: Representation, inequalities: Any, level: int | None) -> LinearQuestion:
    """The question of sos() under a group of matrices, which fixes p and every inequality."""
    names, terms = polynomial_terms(p, variables)
    n = len(names)
    if V.dimension != n:
        raise DomainError(f"the group acts on {V.dimension} variables, and the polynomial has {n}")
    if V.field != "Q":
        raise DomainError(
            f"the matrices of {V.expression} are over {V.field}: "
            "the group of a sum of squares acts on the variables by "
            "rational matrices"
        )
    require_inequalities(inequalities, [])
    polynomials = [terms] + [polynomial_terms(g, variables)[1] for g in inequalities]
    require_inequalities(inequalities, polynomials[1:])
    require_level(level)
    multipliers: list[Terms] = [{(0,) * n: Fraction(1)}, *polynomials[1:]]
    degrees = half_degrees(terms, multipliers, level, True)
    most = max(2 * own[-1] + degree(g) for own, g in zip(degrees, multipliers) if own)
    if (count := comb(n + most - 1, most)) > MOST_MONOMIALS:
        raise LimitError(
            f"there are {count} monomials of degree {most}, and at most {MOST_MONOMIALS} where a group acts by matrices"
        )
    for k, move in enumerate(substitutions(V)):
        for j, f in enumerate(polynomials):
            if move(f) != f:
                what = "the polynomial" if j == 0 else f"inequality {j - 1} (from 0)"
                raise DomainError(f"generator {k + 1} of the group, {V.group.generators[k]}, does not fix {what}")
    components = [c for k, own in enumerate(degrees) for c in (_rows(V, own, k) if own else [])]
    return LinearQuestion(names, terms, multipliers, degrees, V, components, level)
