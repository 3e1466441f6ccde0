"""Tables of layers beyond one block and one size, their files and what is proved of them.

>>> from intertwine.tables import diagrams
>>> diagrams("S(n)", "a", "a").params
2
"""

from __future__ import annotations

from ._core import (
    BlockProof,
    DiagramProof,
    DiagramTable,
    ProvedCharacters,
    TableProof,
    TableSymmetry,
    diagrams,
)
from ._guesses import publish
from ._hdf5 import load_diagrams

__all__ = [
    "BlockProof",
    "DiagramProof",
    "DiagramTable",
    "ProvedCharacters",
    "TableProof",
    "TableSymmetry",
    "diagrams",
    "load_diagrams",
]

publish(__name__, globals(), __all__)
