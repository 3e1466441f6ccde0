"""Semidefinite programs written in CBF and MOF."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._errors import DomainError
from ._semidefinite import number

if TYPE_CHECKING:
    from ._core import Problem


def _decimal(x: Fraction) -> str:
    """The number itself where it is a short decimal, 17 digits otherwise."""
    number = float(x)
    short = repr(number)
    return short if Fraction(short) == x else f"{number:.17g}"


def write(problem: Problem, path: str | os.PathLike[str], maximize: bool = False, constant: Any = 0) -> None:
    """sdp.write."""
    name, offset = os.fspath(path), number(constant, "constant")
    if name.endswith(".dat-s"):
        if maximize or offset:
            raise DomainError(f"{name}: the format of SDPA has neither a sense nor a constant; write .cbf or .mof.json")
        problem.write(name)
        return
    if not (name.lower().endswith(".cbf") or name.endswith(".mof.json")):
        raise DomainError(f"{name} ends in none of .dat-s, .cbf and .mof.json")
    starts = [0]
    for size in problem.blocks:
        starts.append(starts[-1] + abs(size))
    owner = [k for k, size in enumerate(problem.blocks) for _ in range(abs(size))]
    forms = [[(i, j, number(x, "an entry")) for i, j, x in A.entries() if i <= j] for A in (problem.C, *problem.A)]
    if maximize:
        forms[0] = [(i, j, -x) for i, j, x in forms[0]]
    b = [number(x, "b") for x in problem.b]
    text = (_cbf_text if name.lower().endswith(".cbf") else _mof_text)(
        list(problem.blocks), starts, owner, forms, b, maximize, offset
    )
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _cbf_text(
    blocks: list[int],
    starts: list[int],
    owner: list[int],
    forms: list[list[tuple[int, int, Fraction]]],
    b: list[Fraction],
    maximize: bool,
    constant: Fraction,
) -> str:
    matrices = [k for k, size in enumerate(blocks) if size > 0]
    number_of = {k: n for n, k in enumerate(matrices)}
    scalar = {starts[k] + i: 0 for k, size in enumerate(blocks) if size < 0 for i in range(-size)}
    scalar = {row: n for n, row in enumerate(scalar)}
    lines = ["VER", "2", "", "OBJSENSE", "MAX" if maximize else "MIN", ""]
    if matrices:
        lines += ["PSDVAR", str(len(matrices)), *(str(blocks[k]) for k in matrices), ""]
    if scalar:
        lines += ["VAR", f"{len(scalar)} 1", f"L+ {len(scalar)}", ""]
    if b:
        lines += ["CON", f"{len(b)} 1", f"L= {len(b)}", ""]

    def section(key: str, entries: list[str]) -> None:
        if entries:
            lines.extend([key, str(len(entries)), *entries, ""])

    def split(index: list[int], form: list[tuple[int, int, Fraction]]) -> tuple[list[str], list[str]]:
        inside, outside = [], []
        for i, j, x in form:
            head = "".join(f"{k} " for k in index)
            if i in scalar:
                outside.append(f"{head}{scalar[i]} {_decimal(x)}")
            else:
                k = owner[i]
                inside.append(f"{head}{number_of[k]} {j - starts[k]} {i - starts[k]} {_decimal(x)}")
        return inside, outside

    inside, outside = split([], forms[0])
    section("OBJFCOORD", inside)
    section("OBJACOORD", outside)
    if constant:
        lines += ["OBJBCOORD", _decimal(constant), ""]
    parts = [split([k], form) for k, form in enumerate(forms[1:])]
    section("FCOORD", [line for part, _ in parts for line in part])
    section("ACOORD", [line for _, part in parts for line in part])
    section("BCOORD", [f"{k} {_decimal(-x)}" for k, x in enumerate(b) if x])
    return "\n".join(lines)


def _mof_text(
    blocks: list[int],
    starts: list[int],
    owner: list[int],
    forms: list[list[tuple[int, int, Fraction]]],
    b: list[Fraction],
    maximize: bool,
    constant: Fraction,
) -> str:
    def name(i: int, j: int) -> str:
        k = owner[i]
        at = f"{i - starts[k] + 1},{j - starts[k] + 1}" if blocks[k] > 0 else f"{i - starts[k] + 1}"
        return f"X{k + 1}[{at}]"

    def places(k: int) -> list[tuple[int, int]]:
        at, n = starts[k], abs(blocks[k])
        return (
            [(at + i, at + j) for j in range(n) for i in range(j + 1)]
            if blocks[k] > 0
            else [(at + i, at + i) for i in range(n)]
        )

    def function(form: list[tuple[int, int, Fraction]], offset: Fraction) -> dict[str, Any]:
        terms = [{"coefficient": float(x if i == j else 2 * x), "variable": name(i, j)} for i, j, x in form]
        return {"type": "ScalarAffineFunction", "terms": terms, "constant": float(offset)}

    constraints: list[dict[str, Any]] = []
    for k, size in enumerate(blocks):
        cone = (
            {"type": "PositiveSemidefiniteConeTriangle", "side_dimension": size}
            if size > 0
            else {"type": "Nonnegatives", "dimension": -size}
        )
        constraints.append(
            {"function": {"type": "VectorOfVariables", "variables": [name(*at) for at in places(k)]}, "set": cone}
        )
    for form, x in zip(forms[1:], b):
        constraints.append({"function": function(form, Fraction(0)), "set": {"type": "EqualTo", "value": float(x)}})
    data = {
        "version": {"major": 1, "minor": 0},
        "variables": [{"name": name(*at)} for k in range(len(blocks)) for at in places(k)],
        "objective": {"sense": "max" if maximize else "min", "function": function(forms[0], constant)},
        "constraints": constraints,
    }
    return json.dumps(data) + "\n"
