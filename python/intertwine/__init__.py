"""Intertwine: exact equivariant bases, weight-tying tables and representation theory of finite groups.

>>> from intertwine import Group
>>> G = Group("S4")
>>> hom = G.rep("perm^2") >> G.rep("perm^2")
>>> hom.dimension, hom.bias.dimension
(15, 2)
>>> hom.table().weight_code.shape
(16, 16)

Points of text are 1-based, as in the papers; every index and array is 0-based.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ._core import VERSION as __version__
from ._core import (
    Bitableau,
    Branching,
    Certificate,
    CharacterTable,
    ClassFunction,
    ConjugacyClass,
    ConjugacyClasses,
    Constituent,
    CoordinateRing,
    Cyclotomic,
    Decomposition,
    E,
    FiltrationPiece,
    Group,
    Hom,
    HomFunctor,
    IrreducibleForms,
    IsotypicComponent,
    Matrix,
    MatrixPolynomial,
    MinorIdeal,
    Partition,
    Permutation,
    PolynomialMaps,
    Representation,
    SchurFunctor,
    SymmetricBasis,
    SymmetricFunction,
    Table,
    TableProof,
    TableSymmetry,
    Tableau,
    branch,
    cauchy_decomposition,
    contingency_tables,
    dimension_of_orthogonal,
    dimension_of_symplectic,
    dimension_of_weight,
    dual_cauchy_decomposition,
    dual_rsk,
    dual_rsk_inverse,
    exterior_power_of_adjoint,
    functor_of_hom,
    fusion_product,
    hom_dimension,
    known_groups,
    known_representations,
    kronecker_coefficient,
    limits,
    load_table,
    lr,
    number_of_contingency_tables,
    number_of_partitions,
    partitions,
    partitions_in_box,
    partitions_inside,
    plethysm,
    polynomial_maps,
    quantum_product,
    restrict_to_orthogonal,
    restrict_to_sl,
    restrict_to_symmetric_group,
    restrict_to_symplectic,
    rsk,
    rsk_inverse,
    schur_at_eigenvalues,
    schur_coproduct,
    schur_functor_decomposition,
    schur_product,
    skew_schur,
    symmetric_group_character_table,
    symmetric_power_of_adjoint,
    symmetric_power_of_triple,
    tensor_with_dual,
    verify,
)
from ._core import e as e  # one letter each: not among what a star imports
from ._core import f as f
from ._core import h as h
from ._core import m as m
from ._core import p as p
from ._core import s as s
from ._errors import DomainError, Error, FileError, InternalError, LimitError, ParseError, VerificationError

__all__ = [
    "Bitableau",
    "Branching",
    "Certificate",
    "CharacterTable",
    "ClassFunction",
    "ConjugacyClass",
    "ConjugacyClasses",
    "Constituent",
    "CoordinateRing",
    "Cyclotomic",
    "Decomposition",
    "DomainError",
    "E",
    "Error",
    "FileError",
    "FiltrationPiece",
    "Group",
    "Hom",
    "HomFunctor",
    "InternalError",
    "IrreducibleForms",
    "IsotypicComponent",
    "LimitError",
    "Matrix",
    "MatrixPolynomial",
    "MinorIdeal",
    "ParseError",
    "Partition",
    "Permutation",
    "PolynomialMaps",
    "Representation",
    "SchurFunctor",
    "SymmetricBasis",
    "SymmetricFunction",
    "Table",
    "TableProof",
    "TableSymmetry",
    "Tableau",
    "VerificationError",
    "__version__",
    "branch",
    "cauchy_decomposition",
    "contingency_tables",
    "dimension_of_orthogonal",
    "dimension_of_symplectic",
    "dimension_of_weight",
    "dual_cauchy_decomposition",
    "dual_rsk",
    "dual_rsk_inverse",
    "exterior_power_of_adjoint",
    "functor_of_hom",
    "fusion_product",
    "hom_dimension",
    "known_groups",
    "known_representations",
    "kronecker_coefficient",
    "limits",
    "load_table",
    "lr",
    "number_of_contingency_tables",
    "number_of_partitions",
    "partitions",
    "partitions_in_box",
    "partitions_inside",
    "plethysm",
    "polynomial_maps",
    "quantum_product",
    "restrict_to_orthogonal",
    "restrict_to_sl",
    "restrict_to_symmetric_group",
    "restrict_to_symplectic",
    "rsk",
    "rsk_inverse",
    "schur_at_eigenvalues",
    "schur_coproduct",
    "schur_functor_decomposition",
    "schur_product",
    "skew_schur",
    "symmetric_group_character_table",
    "symmetric_power_of_adjoint",
    "symmetric_power_of_triple",
    "tensor_with_dual",
    "verify",
]


def _shown(writer: str) -> Callable[[Any], str]:
    """How a notebook shows a value: the writer of _notebook.py, which is imported when it is wanted."""

    def show(self: Any) -> str:
        return str(getattr(import_module("intertwine._notebook"), writer)(self))

    show.__doc__ = "For notebooks."
    return show


def _shown_as_latex(self: Any) -> str:
    """For notebooks."""
    return f"${self.to_latex().strip()}$"


setattr(Hom, "_repr_html_", _shown("hom"))
setattr(TableProof, "_repr_html_", _shown("table_proof"))
setattr(ClassFunction, "_repr_html_", _shown("class_function"))
setattr(Branching, "_repr_latex_", _shown_as_latex)
setattr(HomFunctor, "_repr_latex_", _shown_as_latex)

# They are known by the place where they are imported from.
for _name in __all__:
    _value = globals()[_name]
    if isinstance(_value, type):
        _value.__module__ = __name__
del _name, _value
