#!/usr/bin/env python3
"""Writes the proofs in weight tables as a program for GAP, which checks them by its own algorithms (check_table.g).

Usage: table_to_gap.py FILE... > tables.g && gap -A -q tables.g < /dev/null

Sparse bases of more than 400 entries, whose equations GAP would solve exactly, and tied tables of more than a million are left out with a word.
"""
import json
import sys
from pathlib import Path

import check_table as files
from number_field import Field

LARGEST = {"sparse-basis": 400, "signed-orbit": 1_000_000}  # entries


def dense(entries, height, width, text):
    out = [["0"] * width for _ in range(height)]
    for (i, j), x in entries.items():
        out[i][j] = text(x)
    return "[" + ",".join("[" + ",".join(row) + "]" for row in out) + "]"


def tied(arrays, height, width, params, bias_params, count):
    def value(code, params):
        return f"{code if code <= params else params - code}"

    codes, bias = files.integers(arrays, "weight.code", height, width).tolist(), files.integers(arrays, "bias.code", height).tolist()
    return {
        "tied": "true",
        "weights": "[" + ",\n".join("[" + ",".join(value(c, params) for c in row) + "]" for row in codes) + "]",
        "bias": "[" + ",".join(f"[{value(c, bias_params)}]" for c in bias) + "]",
        "rows": str(files.integers(arrays, "proof.row_images", count, height).tolist()),
        "columns": str(files.integers(arrays, "proof.column_images", count, width).tolist()),
    }


def sparse(arrays, height, width, params, bias_params, count, kinds, generator):
    field = Field(generator)

    def number(x):
        return "+".join(f"({c})*({generator})^{k}" if k else f"({c})" for k, c in enumerate(x))

    def listed(parts, rows, columns):
        return "[" + ",\n".join(dense(part, rows, columns, number) for part in parts) + "]"

    def matrices(side, size):
        parts = files.matrices(arrays, side, size, count, field)
        return "[" + ",\n".join(dense(part, size, size, lambda x, c=common: f"({number(x)})/{c}") for part, common in parts) + "]"

    return {
        "tied": "false",
        "weights": listed(files.elements(arrays, "weight", params, (height, width), field), height, width),
        "bias": listed(files.elements(arrays, "bias", bias_params, (height, 1), field), height, 1),
        "rows": matrices("row", height),
        "columns": matrices("column", width),
        "algebra": "[" + ",".join("true" if kind == "algebra" else "false" for kind in kinds) + "]",
    }


def record(metadata, arrays):
    sizes, proof = [int(metadata[key]) for key in ("rows", "cols", "params", "bias_params")], json.loads(metadata["proof"])
    count = len(proof["generators"])
    if sizes[0] * sizes[1] > LARGEST[metadata["kind"]]:
        return None
    if metadata["kind"] == "signed-orbit":
        fields = tied(arrays, *sizes, count)
    else:
        fields = sparse(arrays, *sizes, count, proof.get("generator_kinds", ["group"] * count), metadata.get("field_generator"))
    fields |= dict(zip(("height", "width", "params", "bias_params"), map(str, sizes)))
    return "rec(" + ",\n".join(f"{key} := {value}" for key, value in fields.items()) + ")"


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        return print(__doc__) or int(not paths) * 2
    print(f'SizeScreen([4096, 24]);;\nRead("{Path(__file__).resolve().parent / "check_table.g"}");\nstatus := 0;;')
    for path in paths:
        try:
            found = [(json.dumps(f"{path}{': ' * bool(name)}{name.removesuffix(': ')}"), record(*table)) for name, table in files.tables(path).items()]
        except files.Refused as reason:
            print(f'Print({json.dumps(f"{path}: refused: {reason}")}, "\\n");\nstatus := 1;;')
            continue
        write(found)
    print("QUIT_GAP(status);")
    return 0


def write(found):
    """The commands that check these tables."""
    for name, table in found:
        if table is None:
            print(f'Print({name}, ": not checked: more than {LARGEST} entries\\n");')
            continue
        print(f'found := INTERTWINE_CheckTable({table});;\nif found = true then\n  Print({name}, ": accepted\\n");')
        print(f'else\n  Print({name}, ": refused: ", found, "\\n");\n  status := 1;\nfi;')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
