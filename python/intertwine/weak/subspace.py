"""Affine subspaces of the space of all weights, also those through the weights that training reaches."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from torch import Tensor, nn

from .. import DomainError
from ..nn._fields import integer
from ._affine import AffineSubspace, trajectory_of
from .twophase import TwoPhase

__all__ = ["Subspace"]


class Subspace(AffineSubspace):
    """{A theta + origin}: A [D, d] with orthonormal columns, through `origin` [D], or where None through the weights at
    which training stands.

    Made by `random`, `of`, `burn_in`, `lottery` and `after_pruning`. A is either stored or, for many weights, a product
    of signs, permutations and Hadamard transforms: then d columns cost O(D log D) time and O(D) memory.
    """

    @overload
    @classmethod
    def burn_in(
        cls, trajectory: Tensor | Sequence[Tensor], d: int, seed: int = 0, *, step: int = -1, **keywords: Any
    ) -> Subspace: ...

    @overload
    @classmethod
    def burn_in(
        cls,
        module: nn.Module | Callable[[], nn.Module],
        steps: int,
        *,
        d: int,
        x: Tensor,
        y: Tensor,
        seed: int = 0,
        training: Mapping[str, Any] = {},
        **keywords: Any,
    ) -> Subspace: ...

    @classmethod
    def burn_in(cls, *arguments: Any, **keywords: Any) -> Subspace:
        """Random directions through the weights after some steps of training in the whole space (Larsen et al. 2022).

        burn_in(trajectory, d, seed, step=t): through point t of a trajectory [T, D], as TwoPhase records it.
        burn_in(module, steps, d=d, x=x, y=y): through the weights of a copy of the module, or of one that a function
        makes with this seed, after these steps on x and y; training: what TwoPhase takes beside module and phases, such
        as {"lr": 0.1, "loss": f}. Other keywords are those of `random`.
        """
        trains = callable(arguments[0]) if arguments else "module" in keywords
        return (cls._after_steps if trains else cls._along)(*arguments, **keywords)

    @classmethod
    def _along(
        cls, trajectory: Tensor | Sequence[Tensor], d: int, seed: int = 0, *, step: int = -1, **keywords: Any
    ) -> Subspace:
        points = trajectory_of(trajectory)
        if not -len(points) <= step < len(points):
            raise DomainError(f"the trajectory has {len(points)} points, and no number {step}")
        return cls.random(points.shape[1], d, seed, **keywords).through(points[step])

    @classmethod
    def _after_steps(
        cls,
        module: nn.Module | Callable[[], nn.Module],
        steps: int,
        *,
        d: int,
        x: Tensor,
        y: Tensor,
        seed: int = 0,
        training: Mapping[str, Any] = {},
        **keywords: Any,
    ) -> Subspace:
        for key in ("module", "phase1", "phase2"):
            if key in training:
                raise DomainError(
                    f"training has {key!r}, which burn_in says itself: the module and its steps are its first two arguments"
                )
        own = copy.deepcopy(module) if isinstance(module, nn.Module) else module
        w = (
            TwoPhase(own, **training, phase1=integer("steps", steps, 0), phase2=None)
            .fit(x, y, seeds=(seed,))
            .weights[0]
        )
        return cls.random(len(w), d, seed, **keywords).through(w)
