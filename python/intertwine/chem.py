"""Molecules and crystals: point and space groups of measured atoms, vibrations, tensors of properties, correlation tables.

>>> from intertwine.chem import tensor_form
>>> len(tensor_form("elastic", "Oh").independent)
3
"""

from __future__ import annotations

from ._core import (
    CorrelationTable,
    Crystal,
    CrystalModes,
    CrystalSite,
    ForceConstantBlock,
    Mode,
    Molecule,
    Species,
    SymmetryCoordinate,
    TensorForm,
    correlation_table,
    molecule,
    tensor_form,
)
from ._guesses import publish

__all__ = [
    "CorrelationTable",
    "Crystal",
    "CrystalModes",
    "CrystalSite",
    "ForceConstantBlock",
    "Mode",
    "Molecule",
    "Species",
    "SymmetryCoordinate",
    "TensorForm",
    "correlation_table",
    "molecule",
    "tensor_form",
]

publish(__name__, globals(), __all__)
