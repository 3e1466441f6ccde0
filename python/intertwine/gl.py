"""Representations of GL(n) and GL(m) x GL(n): Schur functors, the coordinate ring of matrices, branching to other
groups.

>>> from intertwine.gl import restrict_to_orthogonal
>>> from intertwine.sf import s
>>> restrict_to_orthogonal(s[2], 3)
s[()] + s[2]
"""

from __future__ import annotations

from ._core import (
    Bitableau,
    CoordinateRing,
    FiltrationPiece,
    HomFunctor,
    MatrixPolynomial,
    MinorIdeal,
    SchurFunctor,
    cauchy_decomposition,
    dimension_of_orthogonal,
    dimension_of_symplectic,
    dimension_of_weight,
    dual_cauchy_decomposition,
    exterior_power_of_adjoint,
    functor_of_hom,
    restrict_to_orthogonal,
    restrict_to_sl,
    restrict_to_symmetric_group,
    restrict_to_symplectic,
    schur_functor_decomposition,
    symmetric_power_of_adjoint,
    symmetric_power_of_triple,
    tensor_with_dual,
)
from ._guesses import publish

__all__ = [
    "Bitableau",
    "CoordinateRing",
    "FiltrationPiece",
    "HomFunctor",
    "MatrixPolynomial",
    "MinorIdeal",
    "SchurFunctor",
    "cauchy_decomposition",
    "dimension_of_orthogonal",
    "dimension_of_symplectic",
    "dimension_of_weight",
    "dual_cauchy_decomposition",
    "exterior_power_of_adjoint",
    "functor_of_hom",
    "restrict_to_orthogonal",
    "restrict_to_sl",
    "restrict_to_symmetric_group",
    "restrict_to_symplectic",
    "schur_functor_decomposition",
    "symmetric_power_of_adjoint",
    "symmetric_power_of_triple",
    "tensor_with_dual",
]

publish(__name__, globals(), __all__)
