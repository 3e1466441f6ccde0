"""The layers as functions for JAX: products with exact tables, differentiable to every order, under jit and vmap.

On the CPU the kernels of the library run them, by XLA's interface for foreign functions; other devices run plain
operations of JAX with the same results. Needs JAX: pip install jax.
"""

from __future__ import annotations

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError("intertwine.jax needs JAX: pip install jax") from error

from .._arguments import check_arguments as _check_arguments
from ._contraction import Contraction, symmetric_contraction
from ._edges import Couplings, convolution
from ._harmonics import spherical_harmonics
from ._linear import initial_parameters, linear
from ._products import bilinear, tensor_product

__all__ = [
    "Contraction", "Couplings", "bilinear", "convolution", "initial_parameters", "linear", "spherical_harmonics",
    "symmetric_contraction", "tensor_product",
]  # fmt: skip

_check_arguments(globals())
