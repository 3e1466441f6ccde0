#!/usr/bin/env python3
"""Writes the proofs in weight tables as a program for GAP, which checks them by its own algorithms (check_table.g).

Usage: table_to_gap.py FILE... > tables.g && gap -o 4g -A -q tables.g < /dev/null

It decides nothing but whether a file can be read, has the digest that it states and sizes that fit. GAP leaves with the
exit status 0 if every file is accepted, by its name in the last line; 1 if one is refused; 2 if one cannot be read or
is not checked, if an error stops a check, or if anything ends GAP earlier. Sparse bases of more than 400 entries, whose
equations GAP would solve exactly, and tied tables of more than a million are not checked.
"""

import sys

import check_table
from characters_to_gap import program
from reading import demand, options, printable, readable, verdict
from table_files import integers, tables

LARGEST = {"sparse-basis": 400, "signed-orbit": 1_000_000}  # entries


def dense(entries, height, width, text):
    out = [["0"] * width for _ in range(height)]
    for (i, j), x in entries.items():
        out[i][j] = text(x)
    return "[" + ",".join("[" + ",".join(row) + "]" for row in out) + "]"


def signed(codes, params):
    demand(all(0 <= code <= 2 * params for code in codes), f"a code is not in 0 ... {2 * params}")
    return [code if code <= params else params - code for code in codes]


def tied(t):
    codes, bias = (
        integers(t.arrays, "weight.code", t.height, t.width).tolist(),
        integers(t.arrays, "bias.code", t.height).tolist(),
    )
    return {
        "tied": "true",
        "weights": "[" + ",\n".join(str(signed(row, t.params)) for row in codes) + "]",
        "bias": str([[x] for x in signed(bias, t.bias_params)]),
        "sizes": str(integers(t.arrays, "weight.orbit_size", t.params).tolist()),
        "rows": str(integers(t.arrays, "proof.row_images", len(t.names), t.height).tolist()),
        "columns": str(integers(t.arrays, "proof.column_images", len(t.names), t.width).tolist()),
    }


def sparse(t):
    generator = t.metadata.get("field_generator")

    def number(x):
        return "+".join(f"({c})*({generator})^{k}" if k else f"({c})" for k, c in enumerate(x) if c or not k)

    def listed(parts, rows, columns):
        return "[" + ",\n".join(dense(part, rows, columns, number) for part in parts) + "]"

    def matrices(side, size):
        parts = check_table.matrices(t.arrays, side, size, len(t.names), t.field)
        return (
            "["
            + ",\n".join(dense(part, size, size, lambda x, c=common: f"({number(x)})/{c}") for part, common in parts)
            + "]"
        )

    return {
        "tied": "false",
        "weights": listed(
            check_table.elements(t.arrays, "weight", t.params, (t.height, t.width), t.field), t.height, t.width
        ),
        "bias": listed(check_table.elements(t.arrays, "bias", t.bias_params, (t.height, 1), t.field), t.height, 1),
        "rows": matrices("row", t.height),
        "columns": matrices("column", t.width),
    }


def record(t, place):
    readable(t.height * t.width <= LARGEST[t.kind], f"it has more than {LARGEST[t.kind]} entries, too many for GAP")
    fields = tied(t) if t.kind == "signed-orbit" else sparse(t)
    fields |= {"algebra": "[" + ",".join("true" if kind == "algebra" else "false" for kind in t.kinds) + "]"}
    fields |= {
        "height": t.height,
        "width": t.width,
        "params": t.params,
        "bias_params": t.bias_params,
        "place": list(place),
    }
    return "rec(" + ",\n".join(f"{key} := {value}" for key, value in fields.items()) + ")"


def records(path):
    found, _ = tables(path)
    return "[" + ",\n".join(record(table, place) for place, table in found.items()) + "]"


def main(arguments):
    seconds, paths, status = options(arguments, __doc__)
    if paths is None:
        return status
    checks = []
    for path in paths:
        found = []
        status, words = verdict(path, lambda path: found.append(records(path)), seconds)
        checks.append(
            (printable(path), (status, printable(words)) if status else [("", f"INTERTWINE_CheckTables({found[0]})")])
        )
    print(program("check_table.g", checks), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
