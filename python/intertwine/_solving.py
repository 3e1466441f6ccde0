"""Solutions by solvers of cvxpy, and rational points near them. Nothing here is believed: certificates are verified."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any

import numpy

from ._errors import DomainError
from ._semidefinite import cvxpy_module

Array = Any  # of doubles; NumPy's types say no more here

# How much of the optimum is given up for a solution in the interior, relative to max(1, |optimum|).
STEPS = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
_DENOMINATORS = (1, 12, 120, 5000)


class Numeric:
    """A reduced problem in doubles, block by block."""

    sizes: list[int]
    C: list[Array]
    A: list[Any]
    b: Array

    def __init__(self, problem: Any) -> None:
        sparse: Any = import_module("scipy.sparse")  # which has no types
        self.sizes = list(problem.blocks)
        starts = numpy.concatenate([[0], numpy.cumsum(self.sizes)])
        owner = numpy.repeat(numpy.arange(len(self.sizes)), self.sizes)

        def cut(matrix: Any) -> list[tuple[int, int, float]]:
            found = []
            for i, j, x in matrix.entries():
                k = owner[i]
                found.append((k, (i - starts[k]) * self.sizes[k] + j - starts[k], float(x)))
            return found

        self.C = [numpy.zeros(n * n) for n in self.sizes]
        for k, at, x in cut(problem.C):
            self.C[k][at] += x
        self.b = numpy.array([float(x) for x in problem.b])
        rows: list[list[tuple[int, int, float]]] = [[] for _ in self.sizes]
        for r, matrix in enumerate(problem.A):
            for k, at, x in cut(matrix):
                rows[k].append((r, at, x))
        self.A = []
        for n, own in zip(self.sizes, rows):
            places = ([entry[0] for entry in own], [entry[1] for entry in own])
            values = [entry[2] for entry in own]
            self.A.append(sparse.csr_array((values, places), shape=(len(self.b), n * n), dtype=float))

    def slack(self, y: Array) -> list[Array]:
        """C - Σ y_k A_k, block by block."""
        return [(c - A.T @ y).reshape(n, n) for n, c, A in zip(self.sizes, self.C, self.A)]

    def dual(self, least: float | None = None) -> tuple[float, Array, float]:
        """The largest b·y, or with b·y >= least the y for which all eigenvalues are largest; the value, y and the least
        eigenvalue."""
        cvxpy = cvxpy_module()
        y, t = cvxpy.Variable(len(self.b)), cvxpy.Variable()
        shift = t if least is not None else 0
        constraints = [] if least is None else [self.b @ y >= least, t <= 1]
        for n, c, A in zip(self.sizes, self.C, self.A):
            S = c - A.T @ y
            constraints.append(
                S >= shift if n == 1 else cvxpy.reshape(S, (n, n), order="C") - shift * numpy.eye(n) >> 0
            )
        _solve(cvxpy.Problem(cvxpy.Maximize(self.b @ y if least is None else t), constraints), "dual problem")
        return float(self.b @ y.value), y.value, 0.0 if least is None else float(t.value)

    def primal(self, most: float | None = None, inner: bool = False) -> tuple[float, list[Array], float]:
        """The least ⟨C, Z⟩, or with inner=True the Z whose eigenvalues are largest, where ⟨C, Z⟩ is `most`; the value, Z
        and the least eigenvalue."""
        cvxpy = cvxpy_module()
        Z = [cvxpy.Variable((n, n), symmetric=True) if n > 1 else cvxpy.Variable((1, 1)) for n in self.sizes]
        t = cvxpy.Variable()
        flat = [cvxpy.vec(z, order="C") for z in Z]
        value = sum(c @ z for c, z in zip(self.C, flat))
        constraints = [
            z - (t if inner else 0) * numpy.eye(n) >> 0 if n > 1 else z >= (t if inner else 0)
            for n, z in zip(self.sizes, Z)
        ]
        if len(self.b):
            constraints.append(sum(A @ z for A, z in zip(self.A, flat)) == self.b)
        if inner:
            constraints.append(t <= 1)
        if most is not None:
            constraints.append(value == most)
        _solve(cvxpy.Problem(cvxpy.Maximize(t) if inner else cvxpy.Minimize(value), constraints), "problem")
        solution = [z.value for z in Z]
        return float(sum(c @ z.ravel() for c, z in zip(self.C, solution))), solution, float(t.value) if inner else 0.0

    @classmethod
    def of(cls, sizes: list[int], C: list[Array], A: Array, b: Array) -> Numeric:
        """From the flat blocks of C and a row of A for each equation; those that others imply are left out."""
        sparse: Any = import_module("scipy.sparse")  # which has no types
        self = cls.__new__(cls)
        self.sizes, self.C = sizes, C
        U, size, V = numpy.linalg.svd(A, full_matrices=False)
        independent = size > 1e-9 * max(1e-300, float(size[0]) if len(size) else 0.0)
        self.b = (U.T @ b)[independent] / size[independent]
        cuts = numpy.cumsum([n * n for n in sizes])[:-1]
        self.A = [sparse.csr_array(part) for part in numpy.split(V[independent], cuts, axis=1)]
        return self


def _solve(problem: Any, what: str) -> None:
    """By Clarabel where cvxpy has it, to ten digits if it reaches them, and by cvxpy's choice otherwise."""
    cvxpy = cvxpy_module()
    ways: list[dict[str, Any]] = [{}]
    if "CLARABEL" in cvxpy.installed_solvers():
        tight = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10}
        ways = [{"solver": "CLARABEL", **tight}, {"solver": "CLARABEL"}]
    said = "not solved"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is not accurate is found out exactly
        for options in ways:
            try:
                problem.solve(**options)
            except cvxpy.error.SolverError as error:
                said = str(error)
                continue
            said = problem.status
            if said in ("optimal", "optimal_inaccurate"):
                return
    raise DomainError(f"the solver says of the {what}: {said}; there is no bound to certify")


def decimal(x: float, digits: int) -> Fraction:
    """The decimal next to a double."""
    return Fraction(round(Fraction(x) * 10**digits), 10**digits)


def dual_roundings(numeric: Numeric, b: list[Fraction], entries: list[int]) -> Iterator[list[Fraction]]:
    """Rational multipliers near the optimum, those of small denominators at first, then those with a margin. `entries` is
    how many each constraint has: where they are an orbit, multipliers of their mean have small denominators."""
    value, y, _ = numeric.dual()
    size = max(1.0, abs(value))
    for scales, denominator in product(([1] * len(entries), entries), _DENOMINATORS):
        nice = [Fraction(float(x) * s).limit_denominator(denominator) / s for x, s in zip(y, scales)]
        if abs(float(sum(p * q for p, q in zip(b, nice))) - value) > 1e-5 * size:
            continue
        blocks = numeric.slack(numpy.array([float(x) for x in nice]))
        if all(numpy.linalg.eigvalsh(S).min() > -1e-9 * max(1.0, abs(S).max()) for S in blocks):
            yield nice
    for step in STEPS:
        _, y, margin = numeric.dual(value - step * size)
        if margin <= 0:
            continue
        weight = max(1.0, *(float(abs(A).sum(axis=1).max()) for A in numeric.A if A.nnz)) * max(1, len(y))
        digits = next((d for d in range(1, 16) if weight * 10.0**-d < margin / 2), None)
        if digits is not None:
            yield [decimal(float(x), digits) for x in y]


def near_fractions(value: float, size: float) -> list[Fraction]:
    """Fractions with small denominators that a solver would print as this value."""
    found: list[Fraction] = []
    for denominator in (1, 10, 100, 1000, 10000):
        x = Fraction(value).limit_denominator(denominator)
        if abs(float(x) - value) <= 2e-7 * size and x not in found:
            found.append(x)
    return found


def rational_kernel(X: Array, tolerance: float) -> tuple[list[int], list[int], list[list[Fraction]]] | None:
    """The kernel of a positive semidefinite matrix near X, as the rows of [1 | F]: the columns of 1, those of F, and F
    with small denominators. None if there is no such matrix near it."""
    values, vectors = numpy.linalg.eigh(X)
    K = vectors[:, values < tolerance].T.copy()
    pivots: list[int] = []
    for r in range(len(K)):
        rest = abs(K[r:])
        i, j = divmod(int(rest.argmax()), rest.shape[1])
        if rest[i, j] < 1e-6:
            return None
        K[r], K[r + i] = K[r + i].copy(), K[r].copy()
        K[r] /= K[r, j]
        others = numpy.arange(len(K)) != r
        K[others] -= numpy.outer(K[others, j], K[r])
        pivots.append(j)
    free = [j for j in range(len(X)) if j not in pivots]
    F = [[_simple(float(K[r, j])) for j in free] for r in range(len(K))]
    error = max((abs(float(F[r][c]) - K[r, j]) for r in range(len(K)) for c, j in enumerate(free)), default=0.0)
    return (pivots, free, F) if error < 2e-3 else None


def _simple(x: float) -> Fraction:
    """A fraction with a small denominator near an entry of a kernel."""
    for denominator, error in ((8, 8e-4), (32, 1e-4), (128, 1e-5), (512, 1e-6)):
        found = Fraction(x).limit_denominator(denominator)
        if abs(float(found) - x) < error:
            return found
    return Fraction(x).limit_denominator(64)
