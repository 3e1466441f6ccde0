"""Pickles of irreducible forms: they hold the JSON of the answer, and reading one proves it again. Everything else
pickles by itself."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from ._core import IrreducibleForms, verify


def _irreducible_forms(text: str) -> IrreducibleForms:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "forms.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        found = verify(path)
    if not isinstance(found, IrreducibleForms):
        raise TypeError("the pickle of IrreducibleForms holds something else")
    return found


def _of_irreducible_forms(value: IrreducibleForms) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _irreducible_forms, (value.to_json(),)


copyreg.pickle(IrreducibleForms, _of_irreducible_forms)
