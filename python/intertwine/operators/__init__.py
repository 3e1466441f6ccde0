"""Convolutions and attention as (Phi f)(g) = sum over g1 of omega(f, g, g1) f(g1), on finite groups and point clouds.

>>> import torch
>>> from intertwine import Group
>>> from intertwine.operators import Operator, redundancy
>>> S3 = Group("S3")
>>> half = Operator(S3, lambda f, g, g1: torch.sigmoid(f[..., 0, g] - f[..., 0, g1])[..., None, None], 1, 1)
>>> half(torch.randn(5, 1, 6)).shape, bool(half.check())
(torch.Size([5, 1, 6]), True)
>>> redundancy(S3, S3.rep("perm"), S3.rep("perm"), degree=1)
Redundancy(omegas=5, operators=4, zero=1)
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError(
        "intertwine.operators needs PyTorch: pip install torch (intertwine itself does not)"
    ) from _missing

from .. import KernelBlock, KernelSpace, kernel_basis
from .._arguments import check_arguments as _check_arguments
from .instances import (
    GroupAttention,
    GroupConvolution,
    LieAttention,
    LiftingAttention,
    PointAttention,
    SelfAttention,
    SteerableConvolution,
)
from .operator import Elements, Operator, OperatorReport
from .redundancy import Gauge, Redundancy, gauge, redundancy, redundancy_by_rank

__all__ = [
    "Elements",
    "Gauge",
    "GroupAttention",
    "GroupConvolution",
    "KernelBlock",
    "KernelSpace",
    "LieAttention",
    "LiftingAttention",
    "Operator",
    "OperatorReport",
    "PointAttention",
    "Redundancy",
    "SelfAttention",
    "SteerableConvolution",
    "gauge",
    "kernel_basis",
    "redundancy",
    "redundancy_by_rank",
]

_check_arguments(globals())
