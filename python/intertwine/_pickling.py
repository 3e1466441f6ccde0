"""Pickles of the answers that are records of what was asked: they are asked again, and what comes out has to be the same to the letter.

Everything else pickles by itself; these two have no constructor. Pickles hold the question (expressions, partitions, numbers) or the JSON of the
answer, and reading one proves it again.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from ._core import (
    Group,
    HomFunctor,
    IrreducibleForms,
    functor_of_hom,
    verify,
)
from ._errors import Error


def _hom_functor(functor: list[int], rows: int, cols: int, sides: tuple[str, str, str, str] | None, by_term: bool, pair: tuple[int, int] | None) -> HomFunctor:
    if sides is None:
        return functor_of_hom(functor, rows, cols)
    left, left_rep, right, right_rep = sides
    return functor_of_hom(functor, Group(left).rep(left_rep), Group(right).rep(right_rep), by_term, pair)


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


def _of_hom_functor(value: HomFunctor) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The question, if it has this answer."""
    import json

    said = json.loads(value.to_json())
    groups = [said.get(name, {}) for name in ("left_group", "right_group")]
    sides = tuple(str(g.get(word, "")) for g in groups for word in ("group", "rep")) if any(groups) else None
    asked = (said["pair"]["left"], said["pair"]["right"]) if said.get("pair") else None
    arguments: tuple[Any, ...] = (said["functor"], said["rows"], said["cols"], sides, bool(value.by_term), asked)
    try:
        same = _hom_functor(*arguments) == value
    except (Error, KeyError):
        same = False
    if not same:
        raise TypeError(f"{value!r} cannot be pickled: its group or representation has no expression that says which it is; pickle those, and ask again")
    return _hom_functor, arguments


def _of_irreducible_forms(value: IrreducibleForms) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _irreducible_forms, (value.to_json(),)


copyreg.pickle(HomFunctor, _of_hom_functor)
copyreg.pickle(IrreducibleForms, _of_irreducible_forms)
