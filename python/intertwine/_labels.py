"""Where the labels of Cracknell, Davies, Miller and Love at wave vectors are: in tables of the package irreptables."""

from __future__ import annotations

import importlib.util

from ._errors import DomainError


def label_folder() -> str:
    """The folder of the package irreptables, in which LittleGroup.labels looks."""
    package = importlib.util.find_spec("irreptables")
    folders = list(package.submodule_search_locations or []) if package else []
    if not folders:
        raise DomainError(
            "labels: the numbers of CDML are in tables of the package irreptables, and it is not installed "
            "(pip install irreptables)"
        )
    return folders[0]
