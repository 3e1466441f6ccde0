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
    ForceConstants,
    LittleGroup,
    MagneticSpaceGroup,
    Mode,
    Molecule,
    Species,
    SymmetryCoordinate,
    TensorForm,
    TensorProjection,
    correlation_table,
    molecule,
    project_tensor,
    raman_tensors,
    tensor_form,
)
from ._force_constants import fit_force_constants, full_force_constants, write_force_constants
from ._guesses import publish
from ._magnetic import MagneticMatch, MagneticSite, magnetic_group
from ._modes import ModeLabel, label_phonons

__all__ = [
    "CorrelationTable",
    "Crystal",
    "CrystalModes",
    "CrystalSite",
    "ForceConstantBlock",
    "ForceConstants",
    "LittleGroup",
    "MagneticMatch",
    "MagneticSite",
    "MagneticSpaceGroup",
    "Mode",
    "ModeLabel",
    "Molecule",
    "Species",
    "SymmetryCoordinate",
    "TensorForm",
    "TensorProjection",
    "correlation_table",
    "fit_force_constants",
    "full_force_constants",
    "label_phonons",
    "magnetic_group",
    "molecule",
    "project_tensor",
    "raman_tensors",
    "tensor_form",
    "write_force_constants",
]

publish(__name__, globals(), __all__)
