"""Partitions, tableaux and symmetric functions: products, plethysm, Kronecker products, RSK.

>>> from intertwine.sf import s
>>> s[2, 1] * s[1]
s[3,1] + s[2,2] + s[2,1,1]
"""

from __future__ import annotations

from ._core import (
    Partition,
    SymmetricBasis,
    SymmetricFunction,
    Tableau,
    contingency_tables,
    dual_rsk,
    dual_rsk_inverse,
    fusion_product,
    kronecker_coefficient,
    lr,
    number_of_contingency_tables,
    number_of_partitions,
    partitions,
    partitions_in_box,
    partitions_inside,
    plethysm,
    quantum_product,
    rsk,
    rsk_inverse,
    schur_at_eigenvalues,
    schur_coproduct,
    schur_product,
    skew_schur,
    symmetric_group_character_table,
)
from ._core import e as e  # one letter each: not among what a star imports
from ._core import f as f
from ._core import h as h
from ._core import m as m
from ._core import p as p
from ._core import s as s
from ._guesses import publish

__all__ = [
    "Partition",
    "SymmetricBasis",
    "SymmetricFunction",
    "Tableau",
    "contingency_tables",
    "dual_rsk",
    "dual_rsk_inverse",
    "fusion_product",
    "kronecker_coefficient",
    "lr",
    "number_of_contingency_tables",
    "number_of_partitions",
    "partitions",
    "partitions_in_box",
    "partitions_inside",
    "plethysm",
    "quantum_product",
    "rsk",
    "rsk_inverse",
    "schur_at_eigenvalues",
    "schur_coproduct",
    "schur_product",
    "skew_schur",
    "symmetric_group_character_table",
]

publish(__name__, globals(), __all__)
