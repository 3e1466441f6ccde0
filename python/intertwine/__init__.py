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

from ._core import VERSION as __version__
from ._core import (
    Certificate,
    CharacterTable,
    ClassFunction,
    ConjugacyClass,
    ConjugacyClasses,
    Constituent,
    Cyclotomic,
    Decomposition,
    E,
    Group,
    Hom,
    IsotypicComponent,
    Matrix,
    Permutation,
    Representation,
    Table,
    TableProof,
    TableSymmetry,
    hom_dimension,
    known_groups,
    known_representations,
    limits,
    load_table,
    verify,
)
from ._errors import DomainError, Error, FileError, InternalError, LimitError, ParseError, VerificationError

__all__ = [
    "Certificate",
    "CharacterTable",
    "ClassFunction",
    "ConjugacyClass",
    "ConjugacyClasses",
    "Constituent",
    "Cyclotomic",
    "Decomposition",
    "DomainError",
    "E",
    "Error",
    "FileError",
    "Group",
    "Hom",
    "InternalError",
    "IsotypicComponent",
    "LimitError",
    "Matrix",
    "ParseError",
    "Permutation",
    "Representation",
    "Table",
    "TableProof",
    "TableSymmetry",
    "VerificationError",
    "__version__",
    "hom_dimension",
    "known_groups",
    "known_representations",
    "limits",
    "load_table",
    "verify",
]

# They are known by the place where they are imported from.
for _name in __all__:
    _value = globals()[_name]
    if isinstance(_value, type):
        _value.__module__ = __name__
del _name, _value
