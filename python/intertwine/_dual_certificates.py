"""Multipliers that prove the bound of a semidefinite program, lifted to the problem before and rounded."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._certificates import FORMAT, Certificate, Entries, indefinite, slack
from ._errors import DomainError
from ._semidefinite import number, signed_images

if TYPE_CHECKING:
    from ._core import Reduction


def _upper(matrix: Any) -> Entries:
    return {(i, j): Fraction(x.numerator, x.denominator) for i, j, x in matrix.entries() if i <= j}


def _multipliers(reduction: Reduction, y: Any) -> list[Fraction]:
    if not isinstance(y, Iterable):
        raise DomainError("y is a list of numbers, one for each constraint of the reduced problem")
    numbers = [number(x, f"y[{k}]") for k, x in enumerate(y)]
    if len(numbers) != len(reduction.kept):
        raise DomainError(
            f"there are {len(numbers)} multipliers, and the reduced problem has {len(reduction.kept)} constraints"
        )
    return numbers


def lift_dual(reduction: Reduction, y: Any) -> list[Fraction]:
    """Reduction.lift_dual."""
    if reduction.images or reduction.faces:
        raise DomainError(
            "multipliers are lifted where every constraint has its own and blocks are whole: reduce with faces=False, "
            "and without images=True"
        )
    return _DualLift(reduction).lift(_multipliers(reduction, y))


class _DualLift:
    """The means of the constraints that are kept, as combinations of all constraints."""

    def __init__(self, reduction: Reduction) -> None:
        before = reduction.before
        self.b = [Fraction(x) for x in before.b]
        self.A = [_upper(matrix) for matrix in before.A]
        self.kept = list(reduction.kept)
        images = signed_images(reduction.rows) or []
        first: dict[Any, tuple[int, Fraction]] = {}  # a matrix over its first entry: which constraint, and that entry
        for k, matrix in enumerate(self.A):
            ray, scale = self._ray(matrix)
            first.setdefault(ray, (k, scale))
        self.orbits: list[dict[int, Fraction]] = []  # of every kept constraint, the mean of its images
        for k in self.kept:
            ray, scale = self._ray(self.A[k])
            seen: dict[tuple[int, Fraction], None] = {
                (first[ray][0], scale / first[ray][1] if ray else Fraction(1)): None
            }
            queue = list(seen)
            for index, factor in queue if self.A[k] else ():
                for image in images:
                    to, x = self._ray(self._moved(self.A[index], image))
                    found = (first[to][0], factor * x / first[to][1])
                    if found not in seen:
                        seen[found] = None
                        queue.append(found)
            mean: dict[int, Fraction] = {}
            for index, factor in seen:
                mean[index] = mean.get(index, Fraction(0)) + factor / len(seen)
            if not self.A[k]:  # a contradiction 0 = b stays with its own right side
                mean = {k: Fraction(1)}
            self.orbits.append(mean)

    @staticmethod
    def _ray(matrix: Entries) -> tuple[Any, Fraction]:
        if not matrix:
            return (), Fraction(1)
        at = min(matrix)
        scale = matrix[at]
        return frozenset((k, x / scale) for k, x in matrix.items()), scale

    @staticmethod
    def _moved(matrix: Entries, image: list[tuple[int, int]]) -> Entries:
        found = {}
        for (i, j), x in matrix.items():
            (a, s), (b, t) = image[i], image[j]
            found[min(a, b), max(a, b)] = x * s * t
        return found

    def lift(self, y: list[Fraction]) -> list[Fraction]:
        out = [Fraction(0)] * len(self.A)
        for factor, mean in zip(y, self.orbits):
            for k, x in mean.items():
                out[k] += factor * x
        return out


def _dual_data(reduction: Reduction, A: list[Entries], b: list[Fraction], y: list[Fraction]) -> dict[str, Any]:
    C = _upper(reduction.before.C)
    bound = sum((p * q for p, q in zip(b, y)), Fraction(0))

    def entries(matrix: Entries) -> list[Any]:
        return [[i, j, str(x)] for (i, j), x in sorted(matrix.items())]

    return {
        "format": FORMAT,
        "version": 1,
        "kind": "lower bound",
        "bound": str(bound),
        "blocks": list(reduction.before.blocks),
        "C": entries(C),
        "A": [entries(matrix) for matrix in A],
        "b": [str(x) for x in b],
        "y": [str(x) for x in y],
    }


def _in_full(reduction: Reduction) -> Reduction:
    """The reduction whose multipliers are those of the problem before: without faces."""
    if reduction.images:
        raise DomainError(
            "constraints stand for all of their images here, which have no multipliers: "
            "state them all, without images=True"
        )
    if not reduction.faces:
        return reduction
    from ._core import reduce_problem

    return reduce_problem(reduction.before, reduction.rows, False, False)


def dual_certificate(reduction: Reduction, y: Any = None) -> Certificate:
    """Reduction.certificate."""
    reduction = _in_full(reduction)
    lift = _DualLift(reduction)
    C, rows = _upper(reduction.before.C), reduction.before.rows

    def proved(candidate: list[Fraction]) -> tuple[Certificate | None, str | None]:
        lifted = lift.lift(candidate)
        reason = indefinite(slack(C, lift.A, lifted), rows)
        return (Certificate(_dual_data(reduction, lift.A, lift.b, lifted)), None) if reason is None else (None, reason)

    if y is not None:
        found, reason = proved(_multipliers(reduction, y))
        if found is None:
            raise DomainError(
                f"these multipliers prove no bound, for C - Σ y_k A_k is not positive semidefinite: {reason}; "
                "give those of a smaller value, or none"
            )
        return found
    from ._solving import Numeric, dual_roundings

    entries = [max(1, len(lift.A[k])) for k in lift.kept]
    for candidate in dual_roundings(Numeric(reduction.problem), [lift.b[k] for k in lift.kept], entries):
        found, _ = proved(candidate)
        if found is not None:
            return found
    raise DomainError(
        "no rational multipliers near those of the solver have a positive semidefinite matrix C - Σ y_k A_k: "
        "the dual problem has no interior, or the solver is not accurate enough"
    )
