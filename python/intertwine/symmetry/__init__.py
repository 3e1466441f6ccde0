"""The symmetries of networks: the group that moves their parameters, and checks of what it leaves alone.

>>> import torch
>>> from intertwine.symmetry import parameter_group
>>> net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2))
>>> group = parameter_group(net)
>>> group.order, [str(f) for f in group.factors]
(120, ['S(5)'])
>>> g = group.random(seed=0)
>>> moved = group.act(g, net.state_dict())
>>> torch.equal(moved["0.weight"], net[0].weight)
False
>>> x = torch.randn(4, 3)
>>> torch.allclose(torch.func.functional_call(net, moved, (x,)), net(x), atol=1e-6)
True
"""

from __future__ import annotations

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError("intertwine.symmetry needs PyTorch: pip install torch (intertwine itself does not)") from _missing

from .._arguments import check_arguments as _check_arguments
from .check import (
    DefectReport,
    check_backward,
    check_forward,
    check_trajectory,
    is_uniquely_equivariant,
    largest_symmetry,
)
from .checkpoint import Key, checkpoint_key, load_key, permute_checkpoint, save_key, unpermute_checkpoint
from .elements import IDENTITIES, Element, Factor, Slice
from .group import ParameterGroup, parameter_group
from .invariants import WeightInvariants, weight_invariants

__all__ = [
    "DefectReport",
    "Element",
    "Factor",
    "IDENTITIES",
    "Key",
    "ParameterGroup",
    "Slice",
    "WeightInvariants",
    "check_backward",
    "check_forward",
    "check_trajectory",
    "checkpoint_key",
    "is_uniquely_equivariant",
    "largest_symmetry",
    "load_key",
    "parameter_group",
    "permute_checkpoint",
    "save_key",
    "unpermute_checkpoint",
    "weight_invariants",
]

_check_arguments(globals())
