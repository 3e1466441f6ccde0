"""Group self-attention: attention layers that commute with the translations of Z^d and a finite group H of rotations
and reflections.

>>> import torch
>>> from intertwine.gsa import Affine, GroupSelfAttention, LiftingSelfAttention, grid, square
>>> R4 = Affine("R4")
>>> lift = LiftingSelfAttention(R4, grid(9, 9), square(3), 1, 8, heads=2)
>>> layer = GroupSelfAttention(R4, grid(9, 9), square(3), 8, 8, heads=2)
>>> layer(lift(torch.randn(5, 1, 1, 9, 9))).shape
torch.Size([5, 8, 4, 9, 9])

Functions on positions are tensors [..., channels, 1, *shape], those on the group [..., channels, |H|, *shape].
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError("intertwine.gsa needs PyTorch: pip install torch (intertwine itself does not)") from _missing

from .._arguments import check_arguments as _check_arguments
from .affine import Affine, Dilations, Motions, motions
from .convolution import from_convolution
from .layers import GroupSelfAttention, LiftingSelfAttention, exact_subgroup
from .networks import GSABlock, GSANet
from .positions import Neighbourhood, Positions, disc, everywhere, grid, offsets, points, square, torus

__all__ = [
    "Affine",
    "Dilations",
    "GSABlock",
    "GSANet",
    "GroupSelfAttention",
    "LiftingSelfAttention",
    "Motions",
    "Neighbourhood",
    "Positions",
    "disc",
    "everywhere",
    "exact_subgroup",
    "from_convolution",
    "grid",
    "motions",
    "offsets",
    "points",
    "square",
    "torus",
]

_check_arguments(globals())
