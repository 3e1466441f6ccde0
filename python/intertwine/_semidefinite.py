"""What the module `sdp` reads and writes in Python: matrices of other packages, and problems of cvxpy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ._errors import DomainError

if TYPE_CHECKING:  # NumPy is imported where it is used: `import intertwine` is light
    from ._core import Group, Problem, Representation

# (row, col, value) with row <= col.
Entries = list[tuple[int, int, Fraction]]


def number(x: Any, what: str) -> Fraction:
    """Exactly; a float is the decimal that Python prints for it."""
    try:
        if hasattr(x, "numerator") and hasattr(x, "denominator"):
            return Fraction(int(x.numerator), int(x.denominator))
        if isinstance(x, str) or (hasattr(x, "__float__") and not hasattr(x, "conductor") and math.isfinite(x)):
            return Fraction(str(x))
    except (TypeError, ValueError, ZeroDivisionError):
        pass
    raise DomainError(f"{what} is {x}, which is no rational number: write an int, a Fraction or a finite float")


def signed_images(V: Representation) -> list[list[tuple[int, int]]] | None:
    """For every generator (place, sign) of the image of every vector of the basis; None if there are other matrices."""
    if not V.is_monomial:
        return None
    images = []
    for matrix in V.generator_matrices():
        image = [(0, 0)] * V.dimension
        for i, j, x in matrix.entries():
            if x not in (1, -1):
                return None
            image[j] = (i, 1 if x == 1 else -1)
        images.append(image)
    return images


def acting(group: Group | Representation | str | None, action: str | None) -> Representation | None:
    """The representation of a group that is stated by itself or by name; None where none is."""
    from ._core import Group, Representation

    if group is None:
        if action is not None:
            raise DomainError(f"action={action!r} is of a group; state the group as well")
        return None
    if isinstance(group, Representation):
        if action is not None:
            raise DomainError("a representation says how its group acts; leave out action")
        return group
    return (group if isinstance(group, Group) else Group(group)).rep(action if action is not None else "perm")


def _stored(matrix: Any, what: str) -> tuple[tuple[int, ...], Iterator[tuple[int, int, Any]]]:
    """The shape, and the entries that are stored or not 0."""
    import numpy

    from ._core import Matrix

    if isinstance(matrix, Matrix):
        return tuple(matrix.shape), ((i, j, x) for i, j, x in matrix.entries())
    if hasattr(matrix, "tocoo"):
        found = matrix.tocsr(copy=True).tocoo()  # entries of one place are added
        return found.shape, zip(found.row.tolist(), found.col.tolist(), found.data)
    array = numpy.asarray(matrix, dtype=None if hasattr(matrix, "__array__") else object)
    if array.ndim != 2:
        return array.shape, iter(())
    if array.dtype.kind == "b":
        array = array.astype(int)
    return array.shape, ((int(i), int(j), array[i, j]) for i, j in zip(*numpy.nonzero(array)))


def symmetric_entries(matrix: Any, what: str, n: int | None = None) -> tuple[int, Entries]:
    """The number of rows and the upper triangle of a symmetric matrix [n, n]."""
    shape, stored = _stored(matrix, what)
    if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0 or (n is not None and shape[0] != n):
        wanted = "a square matrix" if n is None else f"a matrix [{n}, {n}] as C is"
        raise DomainError(f"{what} is {wanted}, not an array of the shape {list(shape)}")
    entries = {(i, j): number(x, f"entry ({i}, {j}) of {what}") for i, j, x in stored}
    for (i, j), x in entries.items():
        other = entries.get((j, i), 0)
        if other != x:
            raise DomainError(
                f"{what} is not symmetric: entry ({i}, {j}) is {x}, and entry ({j}, {i}) is {other}; "
                "write (M + M.T) / 2 of a matrix M that is none"
            )
    return shape[0], [(i, j, x) for (i, j), x in sorted(entries.items()) if i <= j]


def problem_data(
    C: Any, A: Iterable[Any], b: Iterable[Any], blocks: list[int] | None
) -> tuple[list[int], Entries, list[Entries], list[Fraction]]:
    """What Problem(C, A, b, blocks) is made of."""
    if not isinstance(A, Iterable) or not isinstance(b, Iterable):
        raise DomainError("A is a list of matrices, and b a list of as many numbers")
    n, objective = symmetric_entries(C, "C")
    if blocks is None:
        blocks = [n]
    if 0 in blocks or sum(map(abs, blocks)) != n:
        raise DomainError(f"the blocks {blocks} have {sum(map(abs, blocks))} rows together, and C has {n}")
    from ._core import poll_limits

    constraints = []
    for k, matrix in enumerate(A):
        poll_limits()
        constraints.append(symmetric_entries(matrix, f"A[{k}]", n)[1])
    return blocks, objective, constraints, [number(x, f"b[{k}]") for k, x in enumerate(b)]


# --- cvxpy -------------------------------------------------------------------------------------------------------------------


def cvxpy_module() -> Any:
    try:
        return import_module("cvxpy")
    except ImportError:
        raise DomainError("cvxpy is not installed: python -m pip install cvxpy") from None


def to_cvxpy(problem: Problem) -> Any:
    """A cvxpy.Problem with a variable for every block."""
    return _as_cvxpy(problem, False, Fraction(0))[0]


def _as_cvxpy(problem: Problem, maximize: bool, constant: Fraction) -> tuple[Any, list[Any]]:
    import numpy

    sparse: Any = import_module("scipy.sparse")  # which has no types

    cvxpy = cvxpy_module()
    variables = [
        cvxpy.Variable(-size, nonneg=True)
        if size < 0
        else cvxpy.Variable((size, size), nonneg=True)
        if size == 1
        else cvxpy.Variable((size, size), PSD=True)
        for size in problem.blocks
    ]
    first: list[int] = []  # of every block the first row
    place: list[int] = []  # of every row its block
    columns = [0]
    for k, size in enumerate(problem.blocks):
        first.append(len(place))
        place += [k] * abs(size)
        columns.append(columns[-1] + (size * size if size > 0 else -size))

    def column(i: int, j: int) -> int:
        k = place[i]
        size = problem.blocks[k]
        return columns[k] + (i - first[k]) + ((j - first[k]) * size if size > 0 else 0)

    def rows(matrices: list[Any]) -> Any:
        at = [(r, column(i, j), float(x)) for r, A in enumerate(matrices) for i, j, x in A.entries()]
        r, c, x = zip(*at) if at else ((), (), ())
        shape = (len(matrices), columns[-1])
        return sparse.csr_array((x, (r, c)), shape=shape, dtype=float)

    unknown = cvxpy.hstack([cvxpy.vec(Z, order="F") for Z in variables])
    value = (rows([problem.C]) @ unknown)[0]
    objective = cvxpy.Maximize(float(constant) - value) if maximize else cvxpy.Minimize(value + float(constant))
    b = numpy.array([float(x) for x in problem.b])
    constraints = [rows(problem.A) @ unknown == b] if len(b) else []
    return cvxpy.Problem(objective, constraints), variables


@dataclass
class _Read:
    """A problem of cvxpy as a Problem, and where its variables are."""

    problem: Problem
    variables: list[Any]  # one for each of the first blocks
    places: list[list[list[tuple[int, int, int]]]]  # of every entry of each of them, column by column
    maximize: bool
    constant: Fraction

    def values(self, X: list[Any]) -> dict[Any, Any]:
        """The values of the variables in their shapes, from the blocks of X."""
        import numpy

        found, first = {}, 0
        for v, block, places in zip(self.variables, X, self.places):
            full = numpy.asarray(block, dtype=float)

            def entry(i: int, j: int, full: Any = full, first: int = first) -> float:
                return float(full[i - first, j - first] if full.ndim == 2 else full[i - first])

            numbers = [sum(sign * entry(i, j) for i, j, sign in parts) for parts in places]
            found[v] = numpy.array(numbers, dtype=float).reshape(v.shape, order="F")
            first += full.shape[0]
        return found


def _at_zero(e: Any) -> tuple[Any, dict[Any, tuple[list[int], list[int], Any]]]:
    """Splits an affine expression, column by column: its values where all variables are 0, and for each variable its
    entries (of the variable, of the expression, coefficient)."""
    import numpy

    sparse: Any = import_module("scipy.sparse")  # which has no types

    mine = e.variables()
    kept = [v.value for v in mine]
    try:
        for v in mine:
            v.save_value(numpy.zeros(v.shape))
        constants = numpy.asarray(e.value, dtype=float).flatten(order="F")
        slopes = e.grad
    finally:
        for v, value in zip(mine, kept):
            v.save_value(value)
    tables = {
        v: sparse.coo_array(slope if hasattr(slope, "tocoo") else numpy.atleast_2d(slope))
        for v, slope in slopes.items()
    }
    return constants, {v: (t.row.tolist(), t.col.tolist(), t.data) for v, t in tables.items()}


Form = dict[tuple[int, int], Fraction]  # a linear form on X, by the upper triangle of its matrix


class Rows:
    """A problem in the making: blocks of rows, and equations."""

    def __init__(self) -> None:
        self.blocks: list[int] = []
        self.rows = 0
        self.matrices: list[Form] = []
        self.b: list[Fraction] = []

    def add(self, block: int) -> int:
        """A new block, -k for a diagonal one of k rows; its first row."""
        self.blocks.append(block)
        self.rows += abs(block)
        return self.rows - abs(block)

    def equal(self, matrix: Form, value: Fraction) -> None:
        """One more equation."""
        self.matrices.append(matrix)
        self.b.append(value)

    def problem(self, slope: Form, sign: int) -> Problem:
        """The problem that minimizes the slope, or where sign is -1 maximizes it."""
        from ._core import Matrix, Problem

        n = self.rows

        def matrix_of(entries: Form, sign: int = 1) -> Any:
            both = {**entries, **{(j, i): x for (i, j), x in entries.items()}}
            return Matrix.from_entries(n, n, [(i, j, sign * x) for (i, j), x in both.items() if x])

        if n == 0:
            raise DomainError("the problem has no variable")
        return Problem(matrix_of(slope, sign), [matrix_of(A) for A in self.matrices], self.b, self.blocks)


_POSITIVE, _NEGATIVE = ("nonneg", "pos"), ("nonpos", "neg")  # what cvxpy calls numbers of one sign


class _Reader(Rows):
    """The rows of blocks: first those of variables, then what constraints add."""

    def __init__(self, cvxpy: Any, given: Any) -> None:
        super().__init__()
        self.cvxpy = cvxpy
        self.first: dict[int, int] = {}  # by the id of a variable
        self.kind: dict[int, str] = {}  # "matrix", "numbers" or "free", by the id
        stated = [self._own(c.args[0]) for c in given.constraints if isinstance(c, cvxpy.constraints.PSD)]
        made_psd = {v.id for v in stated if v is not None}
        self.variables = given.variables()
        for v in self.variables:
            self.kind[v.id] = kind = self._kind(v, v.id in made_psd)
            size = v.shape[0] if kind == "matrix" else -v.size if kind == "numbers" else -2 * len(self._numbers(v))
            self.first[v.id] = self.add(size)

    @staticmethod
    def _kind(v: Any, made_psd: bool) -> str:
        """Whether a variable is one semidefinite block, numbers of one sign, or free."""
        stated = [k for k, x in v.attributes.items() if x is not None and x is not False]
        others = [k for k in stated if k not in ("PSD", "NSD", "symmetric", *_POSITIVE, *_NEGATIVE)]
        if others:
            has = f"has {others[0]}" if others[0] in ("bounds", "sparsity") else f"is {others[0]}"
            raise DomainError(
                f"variable {v} {has}; reduce takes variables that are PSD, NSD, symmetric, nonneg, nonpos or free"
            )
        signed = [k for k in stated if k in (*_POSITIVE, *_NEGATIVE)]
        positive = "PSD" in stated or "NSD" in stated or ("symmetric" in stated and made_psd)
        if signed and (positive or "symmetric" in stated):
            kind = next((k for k in ("PSD", "NSD") if k in stated), "symmetric")
            raise DomainError(
                f"variable {v} is both {kind} and {signed[0]}; state the signs of its entries as a constraint"
            )
        return "matrix" if positive else "numbers" if signed else "free"

    @staticmethod
    def _numbers(v: Any) -> dict[tuple[int, int], int]:
        """The numbers of a free variable's entries, column by column; of a symmetric one by (row, column)."""
        if "symmetric" in v.attributes and v.attributes["symmetric"]:
            n = v.shape[0]
            return {at: k for k, at in enumerate((i, j) for j in range(n) for i in range(j + 1))}
        return {(k, 0): k for k in range(v.size)}

    def _own(self, e: Any) -> Any:
        """The symmetric variable that an expression is, or None."""
        v = e.variables()[0] if len(e.variables()) == 1 else None
        if v is None or v.shape != e.shape or not (v.attributes["symmetric"] or v.attributes["PSD"]):
            return None
        constants, slopes = _at_zero(e)
        i, j, x = slopes[v]
        return v if not any(constants) and i == j == list(range(v.size)) and all(k == 1 for k in x) else None

    def places(self, v: Any) -> list[list[tuple[int, int, int]]]:
        """The places in X of a variable's entries, column by column: an entry is the sum of its (row, column, sign)."""
        at, kind = self.first[v.id], self.kind[v.id]
        sign = -1 if any(v.attributes[k] for k in ("NSD", *_NEGATIVE)) else 1
        if kind == "numbers":
            return [[(at + k, at + k, sign)] for k in range(v.size)]
        n = v.shape[0] if v.shape else 1
        if kind == "matrix":
            return [[(at + min(i, j), at + max(i, j), sign)] for j in range(n) for i in range(n)]
        numbers = self._numbers(v)
        entries = [(min(i, j), max(i, j)) for j in range(n) for i in range(n)] if v.attributes["symmetric"] else numbers
        rows = [at + numbers[entry] for entry in entries]
        return [[(row, row, 1), (row + len(numbers), row + len(numbers), -1)] for row in rows]

    def affine(self, e: Any) -> list[tuple[dict[tuple[int, int], Fraction], Fraction]]:
        """Of every entry of an affine expression, column by column, the matrix and the constant."""
        if not e.is_affine():
            raise DomainError(f"{e} is not affine; reduce takes linear objectives and constraints")
        for parameter in e.parameters():
            if parameter.value is None:
                raise DomainError(f"parameter {parameter} has no value; set its value before")
        constants, slopes = _at_zero(e)
        found: list[tuple[dict[tuple[int, int], Fraction], Fraction]] = [
            ({}, number(x, f"the constant of {e}")) for x in constants
        ]
        for v, table in slopes.items():
            places = self.places(v)
            for k, r, x in zip(*table):
                matrix = found[r][0]
                for i, j, sign in places[k]:
                    # Entries (i, j) and (j, i) of X are one number, and both add half of it to each of the two places.
                    value = number(x, f"a coefficient of {e}") * sign / (1 if i == j else 2)
                    matrix[i, j] = matrix.get((i, j), Fraction(0)) + value
        return found

    def constrain(self, c: Any) -> None:
        kinds, e = self.cvxpy.constraints, c.args[0]
        if isinstance(c, kinds.Equality):
            for matrix, constant in self.affine(c.args[0] - c.args[1]):
                self.equal(matrix, -constant)
        elif isinstance(c, kinds.Zero):
            for matrix, constant in self.affine(e):
                self.equal(matrix, -constant)
        elif isinstance(c, (kinds.Inequality, kinds.NonNeg, kinds.NonPos)):
            # e + s = 0 for e <= 0, with a row s >= 0 of its own for every entry
            negative = -e if isinstance(c, kinds.NonNeg) else e - c.args[1] if len(c.args) > 1 else e
            parts = [(matrix, x) for matrix, x in self.affine(negative) if matrix or x > 0]  # -1 <= 0 says nothing
            if not parts:
                return
            at = self.add(-len(parts))
            for k, (matrix, constant) in enumerate(parts):
                self.equal({**matrix, (at + k, at + k): Fraction(1)}, -constant)
        elif isinstance(c, kinds.PSD):
            if self._own(e) is not None:
                return
            n = e.shape[0]
            parts = self.affine((e + e.T) / 2)
            at = self.add(n)
            for i, j in [*((i, i) for i in range(n)), *combinations(range(n), 2)]:
                matrix, constant = parts[i + n * j]
                self.equal({**matrix, (at + i, at + j): Fraction(-1, 1 if i == j else 2)}, -constant)
        else:
            raise DomainError(
                f"the constraint {c} is of the kind {type(c).__name__}; "
                "reduce takes linear equations, inequalities and X >> 0"
            )


def read_cvxpy(given: Any) -> _Read:
    """A cvxpy.Problem as an exact Problem: a block for each variable, then one for each inequality."""
    from ._core import poll_limits

    cvxpy = cvxpy_module()
    reader = _Reader(cvxpy, given)
    maximize = isinstance(given.objective, cvxpy.Maximize)
    slope, constant = reader.affine(given.objective.args[0])[0]
    for c in given.constraints:
        poll_limits()
        reader.constrain(c)
    return _Read(
        reader.problem(slope, -1 if maximize else 1),
        reader.variables,
        [*map(reader.places, reader.variables)],
        maximize,
        constant,
    )
