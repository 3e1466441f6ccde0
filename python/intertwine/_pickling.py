"""Pickles of the answers that are records of what was asked: they are asked again, and what comes out has to be the same to the letter.

Everything else pickles by itself; these four have no constructor. Pickles hold the question (expressions, partitions, numbers) or the JSON of the
answer, and reading one proves it again.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from ._core import (
    Branching,
    CoordinateRing,
    FiltrationPiece,
    Group,
    HomFunctor,
    IrreducibleForms,
    SchurFunctor,
    branch,
    functor_of_hom,
    verify,
)
from ._errors import Error


def _branching(functor: list[int], kind: str, n: int, group: str, rep: str) -> Branching:
    return branch(functor, Group(group).rep(rep)) if kind == "finite" else branch(functor, kind, n)  # type: ignore[call-overload]


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


def _filtration_piece(rows: int, cols: int, shape: list[int]) -> FiltrationPiece:
    return next(piece for piece in CoordinateRing(rows, cols).pieces(sum(shape)) if list(piece.shape) == shape)


def _checked(value: Any, make: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The question, if it has this answer."""
    try:
        same = make(*arguments).to_json() == value.to_json()
    except (Error, KeyError):
        same = False
    if not same:
        raise TypeError(f"{value!r} cannot be pickled: its group or representation has no expression that says which it is; pickle those, and ask again")
    return make, arguments


def _said(value: Any) -> dict[str, Any]:
    import json

    return json.loads(value.to_json())  # type: ignore[no-any-return]


def _of_branching(value: Branching) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    said = _said(value)
    return _checked(value, _branching, (said["functor"], said["kind"], said["n"], said["group"], said.get("rep", "")))


def _of_hom_functor(value: HomFunctor) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    said = _said(value)
    groups = [said.get(name, {}) for name in ("left_group", "right_group")]
    sides = tuple(str(g.get(word, "")) for g in groups for word in ("group", "rep")) if any(groups) else None
    asked = (said["pair"]["left"], said["pair"]["right"]) if said.get("pair") else None
    return _checked(value, _hom_functor, (said["functor"], said["rows"], said["cols"], sides, bool(value.by_term), asked))


def _of_irreducible_forms(value: IrreducibleForms) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return _irreducible_forms, (value.to_json(),)


def _of_filtration_piece(value: FiltrationPiece) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """dim S_lambda(C^n) grows with n and says which n it is; that of the empty shape is 1 for every n, and so is all else of it."""
    shape = list(value.shape)

    def size(dimension: int) -> int:
        if not shape:
            return 1
        functor, low, high = SchurFunctor(shape), len(shape), len(shape)
        while functor.dimension(high) < dimension:
            low, high = high, 2 * high
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if functor.dimension(middle) < dimension else (low, middle)
        return low

    return _filtration_piece, (size(value.left_dimension), size(value.right_dimension), shape)


copyreg.pickle(Branching, _of_branching)
copyreg.pickle(HomFunctor, _of_hom_functor)
copyreg.pickle(IrreducibleForms, _of_irreducible_forms)
copyreg.pickle(FiltrationPiece, _of_filtration_piece)
