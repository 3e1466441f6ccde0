"""Equivariant layers for PyTorch, on plain tensors [..., channels, dim].

>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn import Linear
>>> V = Group("S4").rep("perm")
>>> layer = Linear(V, V, in_channels=2, out_channels=8)
>>> layer(torch.randn(5, 2, 4)).shape
torch.Size([5, 8, 4])
>>> layer.theta.shape
torch.Size([2, 8, 2])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import torch as _torch  # noqa: F401
except ImportError as _missing:
    raise ImportError("intertwine.nn needs PyTorch: pip install torch (intertwine itself does not)") from _missing

from .._arguments import check_arguments as _check_arguments
from . import geometric as geometric  # a module of its own, intertwine.nn.geometric
from . import statistics as statistics  # functions of samples, intertwine.nn.statistics
from ._ops import decompositions
from .across import Compatibility, compatible
from .activation import (
    Activation,
    ActivationRule,
    GatedActivation,
    NormActivation,
    SampledActivation,
    allowed_activations,
)
from .attention import MultiheadAttention, TransformerBlock
from .check import EquivarianceReport, check_equivariance
from .composite import CompositeActivation
from .conv import Conv1d, Conv2d, Conv3d, GroupConv1d, GroupConv2d, GroupConv3d
from .dropout import Dropout
from .imposed import impose
from .linear import Linear
from .norm import BatchNorm, LayerNorm, RMSNorm
from .pooling import (
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    BlurPool1d,
    BlurPool2d,
    BlurPool3d,
    CosetPool,
    InvariantPool,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
)
from .product import Bilinear, Embedding, PolynomialLayer, TensorProduct
from .relaxed import RelaxedLinear
from .relaxed_conv import RelaxedConv1d, RelaxedConv2d, RelaxedConv3d
from .restriction import relax
from .sets import Graphs, Sets
from .sizes import DiagramBasis, Tensors
from .statistics import GaussianPolicy, RunningNorm
from .steerable import SteerableConv2d, SteerableConv3d
from .symmetrize import symmetrize
from .transposed import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .upsample import Upsample

# PyTorch keeps operators, and what they refer to, past the end of the interpreter.

__all__ = [
    "Activation",
    "ActivationRule",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BatchNorm",
    "Bilinear",
    "BlurPool1d",
    "BlurPool2d",
    "BlurPool3d",
    "Compatibility",
    "CompositeActivation",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "CosetPool",
    "DiagramBasis",
    "Dropout",
    "Embedding",
    "EquivarianceReport",
    "GatedActivation",
    "GaussianPolicy",
    "Graphs",
    "GroupConv1d",
    "GroupConv2d",
    "GroupConv3d",
    "InvariantPool",
    "LayerNorm",
    "Linear",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MultiheadAttention",
    "NormActivation",
    "PolynomialLayer",
    "RMSNorm",
    "RelaxedConv1d",
    "RelaxedConv2d",
    "RelaxedConv3d",
    "RelaxedLinear",
    "RunningNorm",
    "SampledActivation",
    "Sets",
    "SteerableConv2d",
    "SteerableConv3d",
    "TensorProduct",
    "Tensors",
    "TransformerBlock",
    "Upsample",
    "allowed_activations",
    "check_equivariance",
    "compatible",
    "decompositions",
    "impose",
    "relax",
    "symmetrize",
]

_check_arguments(globals())

if not TYPE_CHECKING:  # to a type checker a wrong name is an error already
    from .._guesses import missing_of_nn as __getattr__  # noqa: F401
