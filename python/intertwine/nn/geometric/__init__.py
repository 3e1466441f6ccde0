"""Points in space: messages along edges, spherical harmonics, functions of distances.

Features are [nodes, components, channels], components being those of a representation of any group whose couplings the
library knows.

>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn.geometric import Convolution, Graph, SphericalHarmonics
>>> V, harmonics = Group("O(3)").rep("harmonic(0) + harmonic(1)"), SphericalHarmonics(1)
>>> layer = Convolution(V, harmonics.V, V, channels=8)
>>> layer.weight_shape
(4, 8)
"""

from __future__ import annotations

from ..._arguments import check_arguments as _check_arguments
from .contraction import SymmetricContraction
from .convolution import Convolution, change_of_basis
from .exported import ForceProgram, compile_forces
from .forces import energy_and_forces, energy_forces_stress
from .gate import Gate, Norms
from .graph import Graph, segment_sum
from .harmonics import SphericalHarmonics
from .layout import to_layout
from .linear import Linear
from .moved import from_e3nn
from .neighbours import edge_vectors, neighbours
from .norm import BatchNorm
from .product import TensorProduct
from .radial import Bessel, Gaussian, PolynomialCutoff

__all__ = [
    "BatchNorm",
    "Bessel",
    "Convolution",
    "ForceProgram",
    "Gate",
    "Gaussian",
    "Graph",
    "Linear",
    "Norms",
    "PolynomialCutoff",
    "SphericalHarmonics",
    "SymmetricContraction",
    "TensorProduct",
    "change_of_basis",
    "compile_forces",
    "edge_vectors",
    "energy_and_forces",
    "energy_forces_stress",
    "from_e3nn",
    "neighbours",
    "segment_sum",
    "to_layout",
]

_check_arguments(globals())
