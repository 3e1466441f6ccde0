"""What the functions of the module `sdp` give: reductions of problems of cvxpy, of models, and of sums of squares."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _bell, _dual_certificates, _model_files, _semidefinite, _sums_of_squares
from ._block_squares import BlockQuestion
from ._certificates import Certificate
from ._core import Problem, ReducedBlock, Reduction
from ._errors import DomainError
from ._linear_squares import LinearQuestion
from ._model_files import Model

if TYPE_CHECKING:  # NumPy is imported where it is used: `import intertwine` is light
    import numpy as np
    import numpy.typing as npt


class _Reduced:
    """What reductions of other questions have of their exact reduction."""

    exact: Reduction

    @property
    def blocks(self) -> list[ReducedBlock]:
        """One for each irreducible representation that occurs in the rows."""
        return list(self.exact.blocks)

    @property
    def group_order(self) -> int:
        """The number of elements of the group."""
        return int(self.exact.group_order)

    @property
    def variables_before(self) -> int:
        """How many numbers the matrices before are made of."""
        return int(self.exact.variables_before)

    @property
    def variables_after(self) -> int:
        """How many numbers invariant matrices are made of."""
        return int(self.exact.variables_after)

    def __repr__(self) -> str:
        return repr(self.exact).replace("<Reduction", f"<{type(self).__name__}")


class CvxpyReduction(_Reduced):
    """A cvxpy.Problem reduced by a group that fixes it; reduce() gives it.

    Attributes
    ----------
    problem : cvxpy.Problem
        The reduced problem, with the same optimum and the same sense.
    exact : Reduction
        The reduction of the problem with exact data: a block for each variable, then one for each inequality. The block
        of a free variable has the positive parts of its numbers, then their negative parts.
    """

    def __init__(self, read: Any, exact: Reduction) -> None:
        self.exact = exact
        self._read = read
        self.problem, self._unknowns = _semidefinite._as_cvxpy(exact.problem, read.maximize, read.constant)

    def lift(self, values: Sequence[npt.ArrayLike] | None = None) -> dict[Any, npt.NDArray[np.float64]]:
        """The invariant solution of the problem before.

        Parameters
        ----------
        values : list of arrays, optional
            A symmetric array [size, size] for each of `blocks`. Without it those that `problem.solve()` has found.

        Returns
        -------
        dict
            Of each variable of the problem before its value, in its shape.

        Raises
        ------
        DomainError
            where `problem` has no solution yet, and for arrays of other shapes.
        """
        if values is None:
            values = [Z.value for Z in self._unknowns]
            if any(Z is None for Z in values):
                raise DomainError("the reduced problem has no solution yet: call its method solve(), or give values")
        found: dict[Any, npt.NDArray[np.float64]] = self._read.values(self.exact.lift(values))
        return found

    def certificate(self, y: Sequence[int | float | Fraction] | None = None) -> Certificate:
        """An exact lower bound of the optimum of `exact.before`, as `Reduction.certificate` gives it.

        The numbers of the problem before are the decimals that Python prints for what cvxpy holds. Its optimum is the
        constant of its objective plus that of `exact.before`, and minus it where it is maximized.

        Parameters
        ----------
        y : list of numbers, optional
            Multipliers, one for each constraint of `exact.problem`. Without them cvxpy solves the dual problem.

        Returns
        -------
        Certificate

        Raises
        ------
        DomainError
            where the solver finds no optimum, and where no rational multipliers are near those found.
        """
        return _dual_certificates.dual_certificate(self.exact, y)


class ModelReduction(_Reduced):
    """A model from a file, reduced by a group that fixes it; reduce() gives it.

    Attributes
    ----------
    model : Model
        The model before.
    exact : Reduction
        The reduction of its problem.
    """

    def __init__(self, model: Model, exact: Reduction) -> None:
        self.model = model
        self.exact = exact

    @property
    def problem(self) -> Problem:
        """The reduced problem; `model.optimum(value)` tells the optimum of the model from its own."""
        return self.exact.problem

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the reduced model, with the sense and the constant of the model: .cbf or .mof.json, or .dat-s where the
        model minimizes without a constant."""
        _model_files.write(self.problem, path, self.model.maximize, self.model.constant)

    def lift(self, values: Sequence[npt.ArrayLike]) -> dict[str, Any]:
        """The invariant solution of the model.

        Parameters
        ----------
        values : list of arrays
            A symmetric array [size, size] for each of `blocks`.

        Returns
        -------
        dict
            Of each variable its number, and of a matrix variable of CBF an array.

        Raises
        ------
        DomainError
            for arrays of other shapes.
        """
        return _model_files.lifted(self.model, self.exact.lift(values))


class _Squares(_Reduced):
    """What sums of squares have, of polynomials and of words."""

    _question: _sums_of_squares.Question | BlockQuestion | _bell.BellQuestion

    @property
    def before(self) -> Problem:
        """The problem that was reduced."""
        return self.exact.before

    @property
    def problem(self) -> Problem:
        """The reduced problem, with the same optimum; its numbers are doubles."""
        return self.exact.problem

    def lift(self, values: Sequence[npt.ArrayLike]) -> list[npt.NDArray[np.float64]]:
        """The invariant Gram matrices that a solution of the reduced problem stands for.

        Parameters
        ----------
        values : list of arrays
            A symmetric array [size, size] for each of `blocks`.

        Returns
        -------
        list of arrays
            An array [k, k] for 1 and for each inequality, over its k monomials.

        Raises
        ------
        DomainError
            for arrays of other shapes.
        LimitError
            where the arrays would have more than two million entries.
        """
        found = self.exact.lift(values)
        return self._question.lifted(found) if isinstance(self._question, BlockQuestion) else found

    def certificate(
        self, values: Sequence[npt.ArrayLike] | None = None, bound: int | float | Fraction | str | None = None
    ) -> Certificate:
        """A rational sum of squares that proves a lower bound of the polynomial, verified exactly.

        The Gram matrices of a solution are rounded, and those rounded are made to solve the equations exactly. Exact
        elimination proves that they are positive semidefinite. A solution on the boundary has a kernel, whose vectors
        are rounded to small fractions.

        Parameters
        ----------
        values : list of arrays, optional
            A solution of the reduced problem, an array [size, size] for each of `blocks`. Without it cvxpy solves.
        bound : number, optional
            The bound to prove. Without it the best one is tried if it looks like a small fraction, then smaller ones.

        Returns
        -------
        Certificate
            Its `bound` is the rational number λ for which p - λ is a sum of squares, by multipliers g >= 0.

        Raises
        ------
        DomainError
            where cvxpy is not installed, where the solver finds no solution, and where no rational one is near.

        Examples
        --------
        >>> from intertwine.sdp import sos
        >>> sos({(2,): 1, (1,): -2}, 1).certificate([[[1, -1], [-1, 1]]], bound=-1)
        <Certificate of a sum of squares, -1>
        """
        from ._rational_squares import certificate

        return certificate(*self._for_certificates(), values, bound)

    def _for_certificates(self) -> tuple[Any, Any]:
        """A question, and what has `problem` and lifts solutions to its rows."""
        return self._question, self.exact


class SosReduction(_Squares):
    """The problem of a polynomial as a sum of squares, reduced by a group; sos() gives it.

    Under S_n, B_n and D_n the blocks are made of first rows by tableaux, and nothing is listed but where `before`,
    `monomials` or `lift` ask for it.

    Attributes
    ----------
    exact : Reduction
        The reduction of the problem that minimizes the constant of the sum of squares. Under S_n, B_n and D_n its
        problem before has a row for every first row, and no group is left.
    """

    _question: _sums_of_squares.Question | BlockQuestion

    def __init__(self, question: _sums_of_squares.Question | BlockQuestion, exact: Reduction) -> None:
        self._question = question
        self.exact = exact

    def _for_certificates(self) -> tuple[Any, Any]:
        if isinstance(self._question, LinearQuestion):  # by monomials, whose Gram matrices lift() gives
            return self._listed(), self
        return self._question, self.exact

    def _listed(self) -> _sums_of_squares.Question:
        return self._question.listed() if isinstance(self._question, BlockQuestion) else self._question

    @property
    def monomials(self) -> list[list[tuple[int, ...]]]:
        """For 1 and for each inequality the exponents of the monomials, which are the rows of its block of `before`."""
        return [list(rows) for rows in self._listed().rows]

    @property
    def before(self) -> Problem:
        """The problem that was reduced, with a row for every monomial."""
        return self._listed().problem

    @property
    def blocks(self) -> list[ReducedBlock]:
        """One for each irreducible representation that occurs in the rows."""
        if isinstance(self._question, BlockQuestion):
            return self._question.blocks(self.exact)
        return list(self.exact.blocks)

    @property
    def group_order(self) -> int:
        """The number of elements of the group."""
        if isinstance(self._question, BlockQuestion):
            return self._question.group_order
        return int(self.exact.group_order)

    @property
    def variables_before(self) -> int:
        """How many numbers the matrices before are made of."""
        if isinstance(self._question, BlockQuestion):
            return sum(k * (k + 1) // 2 for k in self._question.monomial_counts)
        return int(self.exact.variables_before)

    @property
    def variables_after(self) -> int:
        """How many numbers invariant matrices are made of."""
        if isinstance(self._question, LinearQuestion):
            return int(self.exact.variables_after) - self._question.redundant(self.blocks)
        return int(self.exact.variables_after)

    def __repr__(self) -> str:
        order = self._question.order_text if isinstance(self._question, BlockQuestion) else str(self.group_order)
        return (
            f"<SosReduction by a group of order {order}, "
            f"{self.variables_before} variables become {self.variables_after}>"
        )


class NpaReduction(_Squares):
    """The problem of a functional as a sum of squares of words, reduced by a group; npa() gives it.

    Attributes
    ----------
    exact : Reduction
        The reduction of the problem that minimizes the constant of the sum of squares.
    words : list of str
        The rows of `before`, the words of operators, "" for 1.
    operators : list of str
        The operators in the order in which a group acts on them.
    """

    def __init__(self, question: _bell.BellQuestion, exact: Reduction) -> None:
        self._question: _bell.BellQuestion = question
        self.exact = exact
        self.operators = list(question.algebra.names)
        self.words = [" ".join(self.operators[x] for x in word) for word in question.rows[0]]

    def value(self) -> float:
        """The bound of the functional as cvxpy's solver finds it, which is not proved.

        Raises
        ------
        DomainError
            where cvxpy is not installed, and where the solver finds no optimum.
        """
        from ._solving import Numeric

        return Numeric(self.problem).primal()[0] - float(self._question.constant)
