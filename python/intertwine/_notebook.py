"""How values look in notebooks: small tables of HTML that take the notebook's own colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from ._gates import decomposition_rows

if TYPE_CHECKING:
    from . import Certificate, CharacterTable, ClassFunction, Cyclotomic, Decomposition, Hom
    from .sf import Tableau
    from .tables import TableProof

MOST_CLASSES = 60
MOST_ENTRIES = 1 << 20


def _table(
    title: str, head: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]], note: str = "", align: str = "right"
) -> str:
    style = f"text-align: {align}; padding: 0 0.6em"
    cells = "".join(f'<th style="{style}">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th style="text-align: left; padding-right: 1em">{escape(name)}</th>'
        + "".join(f'<td style="{style}">{escape(cell)}</td>' for cell in row)
        + "</tr>"
        for name, row in rows
    )
    caption = f'<caption style="text-align: left; caption-side: top">{escape(title)}</caption>'
    tail = f"<div>{escape(note)}</div>" if note else ""
    return f"<table>{caption}<thead><tr><th></th>{cells}</tr></thead><tbody>{body}</tbody></table>{tail}"


def _facts(title: str, lines: Iterable[tuple[str, str]], note: str = "") -> str:
    return _table(title, [""], ((name, (what,)) for name, what in lines), note, "left")


def _number(x: int | Fraction | Cyclotomic) -> str:
    return str(x) if isinstance(x, int | Fraction) else re.sub(r"\bER\((\d+)\)", r"√\1", x.to_text("square_roots"))


def character_table(table: CharacterTable) -> str:
    n = len(table)
    title = f"Character table of {table.group}, order {table.group.order}"
    shown = min(n, MOST_CLASSES)
    note = f"{n - shown} more rows and columns; print(table) shows all" if shown < n else ""
    sizes = [str(table.classes[c].size) for c in range(shown)]

    def value(i: int, c: int) -> str:
        return "·" if table[i, c] == 0 else _number(table[i, c])

    rows: list[tuple[str, list[str]]] = [("size", sizes)]
    rows += [(table.names[i], [value(i, c) for c in range(shown)]) for i in range(shown)]
    return _table(title, table.class_names[:shown], rows, note)


def decomposition(found: Decomposition) -> str:
    representation = found.representation
    title = f"{representation} of {representation.group}, dimension {representation.dimension}, over the {found.over} numbers"
    rows = ((name, (str(degree), str(multiplicity))) for name, degree, multiplicity in decomposition_rows(found))
    return _table(title, ["degree", "multiplicity"], rows)


def certificate(proved: Certificate) -> str:
    independent = "proved" if proved.independent else "not looked at: too large"
    commutes = (
        "every entry checked under every generator"
        if proved.every_entry_checked
        else "follows from the count or the factors"
    )
    rows = [
        ("complete", f"weights: {proved.character_dimension} ({proved.route})"),
        ("", f"biases: {proved.bias_character_dimension} ({proved.bias_route})"),
        ("equivariant", commutes),
        ("independent", independent),
    ]
    return _facts("Certificate of a basis of Hom(V, U)", rows)


def tableau(filling: Tableau) -> str:
    style = "border: 1px solid; min-width: 1.4em; text-align: center"
    rows = ("".join(f'<td style="{style}">{entry + 1}</td>' for entry in row) for row in filling.rows)
    return '<table style="border-collapse: collapse">' + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def hom(maps: Hom) -> str:
    rows, cols = maps.shape
    title = f"Hom({maps.source}, {maps.target}) of {maps.source.group}"
    if rows * cols > MOST_ENTRIES:  # looking at a value starts no long work
        return _facts(
            title, [("matrix", f"{rows} × {cols}")], "large: .dimension, .certificate() and .table() compute it"
        )
    proved = maps.certificate()
    lines = [
        ("matrix", f"{rows} × {cols}"),
        ("weights", f"{maps.dimension}, complete ({proved.route})"),
        ("biases", f"{maps.bias.dimension}, complete ({proved.bias_route})"),
        ("entries", "tied up to sign" if maps.is_tied else "sparse exact matrices"),
    ]
    return _facts(title, lines)


def table_proof(proof: TableProof) -> str:
    lines = [line.strip().split("  ", 1) for line in str(proof).splitlines() if line.strip()]
    return _facts("Proved again, from the table alone", [(name, value.strip()) for name, value in lines])


def class_function(function: ClassFunction) -> str:
    classes = function.table.class_names
    values = [_number(value) for value in function.values[:MOST_CLASSES]]
    note = f"{len(classes) - MOST_CLASSES} more classes" if len(classes) > MOST_CLASSES else ""
    return _table(f"Class function of {function.table.group}", classes[:MOST_CLASSES], [("", values)], note)
