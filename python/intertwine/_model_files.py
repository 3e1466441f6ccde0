"""Semidefinite programs in files of other programs: .dat-s of SDPA, CBF, as MOSEK has it, and MOF, the JSON of JuMP."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._core import read_model, write_model
from ._semidefinite import number

if TYPE_CHECKING:
    from ._core import Problem


@dataclass(frozen=True, repr=False)
class Model:
    """A semidefinite program from a file, as an exact Problem; read() gives it.

    Attributes
    ----------
    problem : Problem
        minimize ⟨C, X⟩: the objective without its constant, its negative where the model maximizes.
    maximize : bool
        Whether the optimum of the model is the constant minus that of `problem`; plus it otherwise.
    constant : Fraction
        The constant of the objective.
    places : dict
        Of every variable its places in X, (row, column, factor), whose sum is the value. A matrix variable of CBF is X0,
        X1, ..., with the first row of its block.
    """

    problem: Problem
    maximize: bool
    constant: Fraction
    places: dict[str, Any] = field(hash=False)

    def optimum(self, value: float) -> float:
        """That of the model, from the optimum of `problem`."""
        return float(self.constant) + (-value if self.maximize else value)

    def __repr__(self) -> str:
        return f"<Model to {'maximize' if self.maximize else 'minimize'}, {repr(self.problem)[1:]}"


def read(path: str | os.PathLike[str]) -> Model:
    """sdp.read."""
    return Model(*read_model(path))


def write(problem: Problem, path: str | os.PathLike[str], maximize: bool = False, constant: Any = 0) -> None:
    """sdp.write."""
    write_model(problem, path, maximize, number(constant, "constant"))


def lifted(model: Model, X: list[Any]) -> dict[str, Any]:
    """The values of the variables of a model."""
    blocks, starts = list(model.problem.blocks), [0]
    for size in blocks:
        starts.append(starts[-1] + abs(size))
    owner = [k for k, size in enumerate(blocks) for _ in range(abs(size))]

    def entry(i: int, j: int) -> float:
        k = owner[i]
        return float(X[k][i - starts[k], j - starts[k]] if blocks[k] > 0 else X[k][i - starts[k]])

    return {
        name: X[owner[places]] if isinstance(places, int) else sum(float(x) * entry(i, j) for i, j, x in places)
        for name, places in model.places.items()
    }
