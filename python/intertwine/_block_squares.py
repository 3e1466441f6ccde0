"""Sums of squares whose rows are first rows of irreducible representations: what all such questions have."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._certificates import Entries
from ._errors import DomainError, LimitError
from ._sums_of_squares import Exponents, Question, Terms

if TYPE_CHECKING:
    from ._core import Problem, ReducedBlock, Reduction


class BlockQuestion:
    """p - λ = Σ g_j s_j with sums of squares s_j that a group fixes.

    Polynomials are combinations of a basis of the invariants. A block of rows belongs to one multiplier g_j and one
    irreducible representation.
    """

    names: list[str]
    terms: Terms  # of p, by the basis of the invariants
    one: Exponents  # the constant in this basis
    is_form: bool
    problem: Problem

    @property
    def rows(self) -> list[list[int]]:
        """The rows of every block."""
        raise NotImplementedError

    @property
    def group_order(self) -> int:
        raise NotImplementedError

    @property
    def order_text(self) -> str:
        """The order of the group for people to read."""
        return str(self.group_order)

    @property
    def monomial_counts(self) -> list[int]:
        """How many monomials each multiplier has."""
        raise NotImplementedError

    def products(self, k: int, i: int, j: int) -> list[tuple[Exponents, Fraction]]:
        """The mean of g f_i f_j for two rows of block k, in the basis of the invariants."""
        raise NotImplementedError

    def weight(self, key: Exponents) -> int:
        """What the equation of an invariant is multiplied with."""
        raise NotImplementedError

    def representation(self, k: int) -> tuple[int, str]:
        """The dimension and the name of the irreducible representation of a block."""
        raise NotImplementedError

    def listed(self) -> Question:
        """The question with a row for every monomial."""
        raise NotImplementedError

    def lifted(self, X: list[Any]) -> list[Any]:
        """Gram matrices of monomials, of doubles, from those of rows."""
        raise NotImplementedError

    def data(self, bound: Fraction | None, grams: list[Entries]) -> dict[str, Any]:
        """The file of a sum of squares."""
        raise NotImplementedError

    @property
    def constant(self) -> Fraction:
        return self.terms.get(self.one, Fraction(0))

    def make_problem(self) -> None:
        """The problem that minimizes the constant of the sum of squares."""
        from ._core import Matrix, Problem, poll_limits

        at: dict[Exponents, list[tuple[int, int, Fraction]]] = {}
        first = 0
        for k, own in enumerate(self.rows):
            for i in range(len(own)):
                poll_limits()
                for j in range(i, len(own)):
                    for key, x in self.products(k, i, j):
                        entries = at.setdefault(key, [])
                        value = x * self.weight(key)
                        entries.append((first + i, first + j, value))
                        if i < j:
                            entries.append((first + j, first + i, value))
            first += len(own)
        missing = [key for key in self.terms if key not in at and key != self.one]
        if missing:
            raise DomainError(
                f"no product of two monomials is the term with exponents {missing[0]}: there is no sum of squares"
            )
        self.is_form = self.one not in at
        C = Matrix.from_entries(first, first, at.pop(self.one, []))
        A = [Matrix.from_entries(first, first, entries) for entries in at.values()]
        b = [self.terms.get(key, Fraction(0)) * self.weight(key) for key in at]
        self.problem = Problem(C, A, b, [len(own) for own in self.rows])

    def reduced(self) -> Reduction:
        """Without what follows from other constraints, and on the faces that they hold the blocks in."""
        from ._core import Group, reduce_problem

        return reduce_problem(self.problem, Group("C1").rep(f"{self.problem.rows}*trivial"))

    def blocks(self, exact: Reduction) -> list[ReducedBlock]:
        """The blocks of the reduced problem, which may have lost rows, by their irreducible representations."""
        import numpy

        from ._core import ReducedBlock

        found = []
        for k, block in enumerate(exact.blocks):
            unit = [numpy.eye(b.size) * (m == k) for m, b in enumerate(exact.blocks)]
            at = next(i for i, x in enumerate(exact.lift(unit)) if abs(x).max() > 0)
            dimension, name = self.representation(at)
            if dimension >= 1 << 64:
                raise LimitError(f"the block {name} has the multiplicity {dimension}, and blocks have less than 2^64")
            named = ReducedBlock.__new__(ReducedBlock)
            named.__setstate__((block.size, self.kind(at), dimension, name))
            found.append(named)
        return found

    def kind(self, k: int) -> str:
        """Whether the irreducible representation of a block is real, complex or quaternionic."""
        return "real"
