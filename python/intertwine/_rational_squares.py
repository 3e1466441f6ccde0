"""Rational sums of squares near those of a solver."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy

from ._bell import BellQuestion
from ._certificates import Certificate, Entries, components, indefinite
from ._core import Matrix, poll_limits
from ._errors import DomainError
from ._semidefinite import number
from ._solving import STEPS, Numeric, decimal, near_fractions, rational_kernel
from ._sums_of_squares import Exponents, Question, Terms
from ._symmetric_squares import SymmetricQuestion

if TYPE_CHECKING:
    from ._core import Reduction

Asked: TypeAlias = Question | SymmetricQuestion | BellQuestion
MOST_UNKNOWNS = 8000  # of the equations on a face, which are solved exactly
Attempts = Iterator[tuple[Fraction, list[Entries]]]


def certificate(asked: Asked, reduction: Reduction, values: Any = None, bound: Any = None) -> Certificate:
    """SosReduction.certificate."""
    wanted = None if bound is None else number(bound, "bound")
    if wanted is not None and asked.is_form:
        raise DomainError("a form has no bound but 0: leave out bound=")
    if values is not None:
        X = _as_blocks(reduction.lift(values))
        attempts = _near(asked, X, wanted)
    else:
        attempts = _attempts(asked, reduction, wanted)
    for lam, grams in attempts:
        poll_limits()
        sizes = [len(rows) for rows in asked.rows]
        if all(_looks_semidefinite(gram, n) and indefinite(gram, n) is None for gram, n in zip(grams, sizes)):
            return Certificate(asked.data(None if asked.is_form else lam, grams))
    if values is not None:
        raise DomainError(
            "no rational Gram matrix near these values is positive semidefinite; give a solution of a smaller bound, "
            "whose matrices are positive definite, or no values"
        )
    raise DomainError(
        "no rational sum of squares was found near the one of the solver: its Gram matrix is singular, and its kernel "
        "is not that of a matrix with small fractions; give a smaller bound="
    )


def _looks_semidefinite(gram: Entries, rows: int) -> bool:
    """In doubles: what is far from it is not worth the exact elimination."""
    M = numpy.zeros((rows, rows))
    for (i, j), x in gram.items():
        M[i, j] = M[j, i] = float(x)
    return bool(numpy.linalg.eigvalsh(M)[0] > -1e-11 * rows * max(1.0, float(abs(M).max())))


def _as_blocks(X: list[Any]) -> list[Any]:
    return [x if x.ndim == 2 else x.reshape(1, 1) for x in X]


def _digits(margin: float) -> int:
    return min(15, max(3, 2 + math.ceil(-math.log10(max(margin, 1e-13)))))


def _entry(X: list[Any], row: int, column: int) -> float:
    """An entry of the matrix with these diagonal blocks, inside of a block."""
    for block in X:
        if row < len(block):
            return float(block[row, column])
        row, column = row - len(block), column - len(block)
    raise IndexError("there is no such row")


def _near(asked: Asked, X: list[Any], wanted: Fraction | None) -> Attempts:
    """Matrices near those given, of the bound that they have themselves, then of faces."""
    whole = _Face.whole(asked, X)
    value = float(asked.constant)
    for i, j, x in asked.problem.C.entries():
        value -= float(x) * _entry(X, i, j)
    for digits in (4, 6, 8, 10, 12):
        if (found := _solved(asked, X, wanted, digits)) is not None:
            yield found
    given = [Fraction(0)] if asked.is_form else near_fractions(value, max(1.0, abs(value)))
    for lam in given if wanted is None else [wanted]:
        yield from whole.on_faces(whole.cut(X), lam)


def _attempts(asked: Asked, reduction: Reduction, wanted: Fraction | None) -> Attempts:
    """Matrices deep inside of those that prove a bound, for the best bound and for smaller ones."""
    numeric, constant = Numeric(reduction.problem), float(asked.constant)
    given = [Fraction(0)] if asked.is_form else None if wanted is None else [wanted]

    def inside(problem: Numeric, lam: float) -> tuple[list[Any], float]:
        _, Z, margin = problem.primal(None if asked.is_form else constant - lam, inner=True)
        if margin < -1e-4:
            raise DomainError(
                f"the solver finds no sum of squares{'' if asked.is_form else f' for the bound {lam:.9g}'}"
            )
        return Z, margin

    best = constant - numeric.primal()[0] if given is None else float(given[0])
    size = max(1.0, abs(best))
    # Well below the optimum there are matrices with margin, or all of them have a common kernel.
    Z, margin = inside(numeric, best - size / 20 if given is None else best)
    X = _as_blocks(reduction.lift(Z))
    whole = _Face.whole(asked, X)
    face = None
    if margin < 2e-5:  # what solvers say for 0
        for candidate, _ in whole.faces(whole.cut(X)):
            try:
                margin = inside(candidate.numeric(), best - size / 20 if given is None else best)[1]
            except DomainError:
                continue
            face = candidate
            if margin > 2e-5:
                break
        if given is None and face is not None:
            best = constant - face.numeric().primal()[0]

    def lower(step: float) -> Fraction:
        return Fraction(math.floor(Fraction(best - step * size) * 10**9), 10**9)

    start, problem = (whole, numeric) if face is None else (face, face.numeric())

    def on_start(Q: list[Any]) -> list[Any]:
        return start.with_empty(Q) if face is not None else whole.cut(_as_blocks(reduction.lift(Q)))

    if given is None:  # the kernel of the best matrix says which number the optimum is
        for step in STEPS[:3]:
            for lam, grams in start.on_faces(on_start(inside(problem, float(lower(step)))[0]), None):
                if lam > lower(4 * step):
                    yield lam, grams
    for lam in [*near_fractions(best, size), *map(lower, STEPS)] if given is None else given:
        try:
            Q, margin = inside(problem, float(lam))
        except DomainError:  # it may be larger than the optimum
            if given is not None:
                raise
            continue
        if face is not None:
            found = face.solved(on_start(Q), lam, _digits(margin))
        else:
            X = _as_blocks(reduction.lift(Q))
            found = _solved(asked, X, lam, _digits(margin)) if margin > 0 else None
        if found is not None:
            yield found
        yield from start.on_faces(on_start(Q), lam)


def _left(asked: Asked, grams: list[Entries], lam: Fraction | None) -> Terms:
    """p - λ without the squares; without λ its constant is left out."""
    one = asked.one
    rest = dict(asked.terms)
    rest[one] = rest.get(one, Fraction(0)) - (lam or 0)
    for k, gram in enumerate(grams):
        for (i, j), x in gram.items():
            for at, factor in asked.products(k, i, j):
                rest[at] = rest.get(at, Fraction(0)) - (x if i == j else 2 * x) * factor
    if lam is None:
        rest.pop(one)
    return {key: x for key, x in rest.items() if x}


def _solved(asked: Asked, X: list[Any], lam: Fraction | None, digits: int) -> tuple[Fraction, list[Entries]] | None:
    """λ and matrices near X that solve the equations exactly: rows of monomials share what rounding leaves, and for
    others the equations are solved."""
    if isinstance(asked, SymmetricQuestion):
        whole = _Face.whole(asked, X)
        return whole.solved(whole.cut(X), lam, digits)
    return _equal_parts(asked, X, lam, digits)


def _equal_parts(
    asked: Question | BellQuestion, X: list[Any], lam: Fraction | None, digits: int
) -> tuple[Fraction, list[Entries]] | None:
    """λ and the nearest matrices: the first one takes what rounding leaves, in equal parts."""
    grams: list[Entries] = []
    for x in X:
        rounded = {(i, j): decimal(float(x[i, j]), digits) for i in range(len(x)) for j in range(i, len(x))}
        grams.append({at: value for at, value in rounded.items() if value})
    rest = _left(asked, grams, lam)
    places: dict[Exponents, list[tuple[int, int]]] = {}
    for i in range(len(asked.rows[0])):
        for j in range(i, len(asked.rows[0])):
            for key, _ in asked.products(0, i, j):
                places.setdefault(key, []).append((i, j))
    for key, x in rest.items():
        if key not in places:
            return None
        parts = sum(1 if i == j else 2 for i, j in places[key])
        for at in places[key]:
            grams[0][at] = grams[0].get(at, Fraction(0)) + x / parts
    if lam is None:
        rest = _left(asked, grams, Fraction(0))
        lam = rest.get(asked.one, Fraction(0))
    return lam, [{at: x for at, x in gram.items() if x} for gram in grams]


class _Face:
    """The matrices V Q V^T of a question, where V has rational columns for each multiplier."""

    def __init__(self, asked: Asked, owner: list[int], columns: list[list[dict[int, Fraction]]]) -> None:
        self.asked = asked
        self.owner = owner  # of every block its multiplier, which may have several
        self.columns = columns
        self.unknowns = [
            (k, a, b) for k, own in enumerate(columns) for a in range(len(own)) for b in range(a, len(own))
        ]
        self._equations: tuple[dict[Exponents, int], list[tuple[int, int, Fraction]]] | None = None

    @staticmethod
    def whole(asked: Asked, X: list[Any]) -> _Face:
        """All matrices with the blocks of X."""
        owner, columns = [], []
        for j, x in enumerate(X):
            joined = {(int(a), int(b)): Fraction(1) for a, b in zip(*numpy.nonzero(x)) if a <= b}
            for part in components(joined, range(len(x))):
                owner.append(j)
                columns.append([{i: Fraction(1)} for i in part])
        return _Face(asked, owner, columns)

    def cut(self, X: list[Any]) -> list[Any]:
        """The blocks of X, where V has unit vectors."""
        parts = [[i for column in own for i in column] for own in self.columns]
        return [X[j][numpy.ix_(part, part)] for j, part in zip(self.owner, parts)]

    def faces(self, Q: list[Any]) -> Iterator[tuple[_Face, list[Any]]]:
        """Those of the matrices whose kernel is that of Q, where this kernel is rational, and Q there."""
        seen = [self.columns]
        for tolerance in (1e-6, 1e-5, 1e-4, 1e-3):
            parts: list[list[dict[int, Fraction]]] = []
            inner = []
            for x, columns in zip(Q, self.columns):
                found = rational_kernel(x, tolerance * max(1.0, float(abs(x).max(initial=0.0))))
                if found is None:
                    break
                pivots, free, F = found
                own = []
                for c, f in enumerate(free):
                    combined = dict(columns[f])
                    for r, p in enumerate(pivots):
                        for i, value in columns[p].items() if F[r][c] else ():
                            combined[i] = combined.get(i, Fraction(0)) - F[r][c] * value
                    own.append({i: value for i, value in combined.items() if value})
                parts.append(own)
                inner.append(x[numpy.ix_(free, free)])
            if len(parts) == len(Q) and parts not in seen:
                seen.append(parts)
                yield _Face(self.asked, self.owner, parts), inner

    def on_faces(self, Q: list[Any], lam: Fraction | None) -> Attempts:
        """Matrices on the faces near Q that solve the equations, and the λ of the face where none is given."""
        if len(self.unknowns) > MOST_UNKNOWNS:
            return
        for face, inner in self.faces(Q):
            if (found := face.solved(inner, lam, 9)) is not None:
                yield found

    def _part(self, k: int, a: int, b: int) -> Entries:
        """V (E_ab + E_ba) V^T, or V E_aa V^T."""
        out: Entries = {}
        for i, x in self.columns[k][a].items():
            for j, y in self.columns[k][b].items():
                for at in ((i, j), (j, i)) if a != b else ((i, j),):
                    if at[0] <= at[1]:
                        out[at] = out.get(at, Fraction(0)) + x * y
        return out

    def equations(self) -> tuple[dict[Exponents, int], list[tuple[int, int, Fraction]]]:
        """The number of the equation of every monomial, and their entries (equation, unknown, coefficient)."""
        if self._equations is None:
            asked, keys, entries = self.asked, {}, []  # type: ignore[var-annotated]
            for c, (k, a, b) in enumerate(self.unknowns):
                sums: Terms = {}
                for (i, j), x in self._part(k, a, b).items():
                    for key, factor in asked.products(self.owner[k], i, j):
                        sums[key] = sums.get(key, Fraction(0)) + (x if i == j else 2 * x) * factor
                entries += [(keys.setdefault(key, len(keys)), c, x) for key, x in sums.items() if x]
            self._equations = keys, entries
        return self._equations

    def numeric(self) -> Numeric:
        """The problem that minimizes the constant, in doubles."""
        keys, entries = self.equations()
        sizes = [len(own) for own in self.columns]
        starts = numpy.concatenate([[0], numpy.cumsum([n * n for n in sizes])])
        A = numpy.zeros((len(keys), starts[-1]))
        for row, c, x in entries:
            k, a, b = self.unknowns[c]
            for i, j in ((a, b), (b, a)):
                A[row, starts[k] + i * sizes[k] + j] = float(x) / (1 if a == b else 2)
        b_ = numpy.array([float(self.asked.terms.get(key, 0)) for key in keys])
        one = keys.get(self.asked.one)
        C = numpy.zeros(starts[-1]) if one is None else A[one]
        rows = numpy.arange(len(keys)) != (-1 if one is None else one)
        used = [k for k, n in enumerate(sizes) if n]
        return Numeric.of([sizes[k] for k in used], [C[starts[k] : starts[k + 1]] for k in used], A[rows], b_[rows])

    def with_empty(self, Z: list[Any]) -> list[Any]:
        """A matrix for each block, those of numeric() and empty ones."""
        left = iter(Z)
        return [next(left) if own else numpy.zeros((0, 0)) for own in self.columns]

    def combined(self, numbers: list[Fraction]) -> list[Entries]:
        """V Q V^T for the upper triangle of Q."""
        grams: list[Entries] = [{} for _ in self.asked.rows]
        for (k, a, b), factor in zip(self.unknowns, numbers):
            for at, x in self._part(k, a, b).items() if factor else ():
                gram = grams[self.owner[k]]
                gram[at] = gram.get(at, Fraction(0)) + factor * x
        return [{at: x for at, x in gram.items() if x} for gram in grams]

    def solved(self, Q: list[Any], lam: Fraction | None, digits: int) -> tuple[Fraction, list[Entries]] | None:
        """λ and matrices near V Q V^T that solve the equations exactly; None if the face has none."""
        if not 0 < len(self.unknowns) <= MOST_UNKNOWNS:
            return None
        numbers = [decimal(float(Q[k][a, b]), digits) for k, a, b in self.unknowns]
        one = self.asked.one
        rest = _left(self.asked, self.combined(numbers), Fraction(0))
        first = rest.get(one, Fraction(0)) if lam is None else lam
        rest[one] = rest.get(one, Fraction(0)) - first
        keys, entries = self.equations()
        if any(key not in keys for key, x in rest.items() if x):
            return None
        # λ is the last unknown: it changes only where the face asks for it.
        last = [(keys[one], len(self.unknowns), 1)] if lam is None and one in keys else []
        left = Matrix.from_entries(len(keys), len(self.unknowns) + 1, [*entries, *last])
        right = Matrix.from_entries(len(keys), 1, [(keys[key], 0, x) for key, x in rest.items() if x])
        change = left.solve(right)
        if change is None:
            return None
        numbers.append(first)
        for c, _, x in change.entries():
            numbers[c] += number(x, "an entry")
        return numbers[-1], self.combined(numbers[:-1])
