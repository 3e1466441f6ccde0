"""Intertwine: exact equivariant bases and weight-tying tables; representation theory of finite and of Lie groups.

Groups are finite ones, compact and reductive Lie groups, and products of both; GL(m) x GL(n) has a calculus of its own.

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

from typing import TYPE_CHECKING

from . import _interpreter as _interpreter
from . import _pickling as _pickling
from . import chem, gl, sdp, sf, tables
from ._core import VERSION as __version__
from ._core import (
    Automorphisms,
    Branching,
    Certificate,
    CharacterTable,
    ClassFunction,
    ClebschGordan,
    ConjugacyClass,
    ConjugacyClasses,
    Constituent,
    Coupling,
    Cyclotomic,
    Decomposition,
    E,
    FirstRows,
    Group,
    Hom,
    IrreducibleForms,
    IsotypicComponent,
    KernelBlock,
    KernelSpace,
    Matrix,
    MolienSeries,
    OrthogonalCopies,
    OrthonormalBasis,
    OrthonormalComponent,
    OrthonormalForm,
    Permutation,
    PointKernels,
    PolynomialMaps,
    Representation,
    SignedRoot,
    SpaceGroup,
    SparseColumns,
    SteerableKernels,
    Table,
    TensorConstituent,
    automorphisms,
    branch,
    clebsch_gordan,
    hom_dimension,
    kernel_basis,
    known_continuous_groups,
    known_continuous_representations,
    known_groups,
    known_representations,
    limits,
    molien_series,
    point_kernels,
    polynomial_maps,
    steerable_kernels,
    wigner_3j,
    wigner_6j,
)
from ._errors import DomainError, Error, FileError, InternalError, LimitError, ParseError, VerificationError
from ._guesses import publish
from ._hdf5 import load_table, verify
from ._steerable import SteerableKernelBasis, steerable_kernel_basis

__all__ = [
    "chem",
    "gl",
    "sdp",
    "sf",
    "tables",
    "Automorphisms",
    "Branching",
    "Certificate",
    "CharacterTable",
    "ClassFunction",
    "ClebschGordan",
    "ConjugacyClass",
    "ConjugacyClasses",
    "Constituent",
    "Group",
    "Hom",
    "Representation",
    "Coupling",
    "Cyclotomic",
    "Decomposition",
    "DomainError",
    "E",
    "Error",
    "FileError",
    "FirstRows",
    "InternalError",
    "IrreducibleForms",
    "IsotypicComponent",
    "KernelBlock",
    "KernelSpace",
    "LimitError",
    "Matrix",
    "MolienSeries",
    "OrthogonalCopies",
    "OrthonormalBasis",
    "OrthonormalComponent",
    "OrthonormalForm",
    "ParseError",
    "Permutation",
    "PointKernels",
    "PolynomialMaps",
    "SignedRoot",
    "SpaceGroup",
    "SparseColumns",
    "SteerableKernelBasis",
    "SteerableKernels",
    "Table",
    "TensorConstituent",
    "VerificationError",
    "__version__",
    "automorphisms",
    "branch",
    "clebsch_gordan",
    "hom_dimension",
    "kernel_basis",
    "known_continuous_groups",
    "known_continuous_representations",
    "known_groups",
    "known_representations",
    "limits",
    "load_table",
    "molien_series",
    "point_kernels",
    "polynomial_maps",
    "steerable_kernel_basis",
    "steerable_kernels",
    "verify",
    "wigner_3j",
    "wigner_6j",
]

publish(__name__, globals(), __all__)

if not TYPE_CHECKING:  # to a type checker a wrong name is an error already
    from ._guesses import missing_of_package as __getattr__  # noqa: F401
