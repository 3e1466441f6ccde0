"""Weakly equivariant learning: symmetrizers, training in two phases, random subspaces and how often training succeeds
in them.

>>> import torch
>>> from intertwine import Group
>>> from intertwine.weak import TwoPhase, equivariance_error, symmetrize
>>> P = Group("S3").rep("perm")
>>> print(symmetrize([[3, 0, 0], [0, 0, 0], [0, 6, 0]], P, P))
Matrix([[1, 1, 1], [1, 1, 1], [1, 1, 1]])
>>> round(equivariance_error(torch.tensor([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), P, P).item(), 3)
0.516
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError("intertwine.weak needs PyTorch: pip install torch (intertwine itself does not)") from _missing

from .._arguments import check_arguments as _check_arguments
from .curve import Crossing, Curve, success_curve
from .parameters import EquivariantSpace
from .subspace import Subspace
from .symmetrizer import equivariance_error, symmetrize
from .twophase import Record, TwoPhase
from .well import quadratic_well

__all__ = [
    "Crossing",
    "Curve",
    "EquivariantSpace",
    "Record",
    "Subspace",
    "TwoPhase",
    "equivariance_error",
    "quadratic_well",
    "success_curve",
    "symmetrize",
]

_check_arguments(globals())
