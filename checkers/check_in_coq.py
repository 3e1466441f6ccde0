#!/usr/bin/env python3
"""Hands weight tables of every form to the verified checker, which reads .safetensors alone.

Usage: check_in_coq.py PROGRAM [--seconds N] FILE...      PROGRAM: intertwine-check, made by checkers/coq/build

A table in .npz, .json or .h5 is written as .safetensors into a folder that is removed afterwards, every array as docs/
formats.md has it; .safetensors and files of characters and representations are handed over as they are. So the theorem
is about the table that this script wrote: that its numbers are those of the file is for this script and table_files.py.

A sparse basis over a field K = Q(a) of degree e is handed over as one over Q, whatever its form: every number becomes
the e x e matrix of its multiplication, and one more generator, a, acts by its own. The matrices over Q that commute
with all of these are those over K, and a^j B_k for j < e is a basis of them if and only if the B_k are one over K. For
the bias a second table is handed over, of maps from K. checkers/coq/README.md has the proof. Of blocks with such fields
each is handed over by itself, and this script compares what the generators do to rows and columns of neighbours.

For each file one line, as the other checkers have it: accepted, refused, or cannot be read; the exit status is the
largest of 0, 1 and 2.
"""

import json
import math
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from check_table import check_blocks, elements, matrices
from reading import (
    Refused,
    Unreadable,
    decimal,
    demand,
    fraction,
    member,
    options,
    printable,
    readable,
    verdict,
)
from table_files import DTYPES, Table, read, tables

BINARY = {name: np.dtype(dtype).newbyteorder("<") for name, dtype in DTYPES.items()}
LARGEST_INTEGER = 2**53  # what F64 holds exactly


def dtype_of(name, metadata, block):
    """The type that the binary form has an array in."""
    side, _, last = name.rpartition(".")
    if last == "code":
        key = f"intertwine.{block}{'params' if side == 'weight' else 'bias_params'}"
        readable(re.fullmatch(r"0|[1-9]\d{0,17}", metadata.get(key, "")), f"{key} is no natural number")
        codes = 2 * int(metadata[key]) + 1
        return "U8" if codes <= 256 else "U16" if side == "weight" and codes <= 65536 else "I32"
    if last == "basis_val" or last.startswith("T_"):
        return "F64"
    words = ("orbit_size", "basis_ptr", "basis_coordinates", "blocks", "row_ptr", "column_ptr")
    return "I64" if last in words or last.endswith(("numerator", "denominator")) else "I32"


def values(name, array):
    """The texts of JSON as numbers: integers that F64 holds."""
    found = [fraction(x, f"a value of {name}") for x in array]
    readable(
        all(x.denominator == 1 and abs(x) <= LARGEST_INTEGER for x in found),
        f"{name} has a value that is no integer up to 2^53",
    )
    return np.array([int(x) for x in found], np.float64)


def shape_of(name, array, height, width):
    """JSON cannot say [0, 3] or [1, 0]."""
    if array.size == 0 and name.endswith("_images"):
        return (0, height if "row" in name else width)
    return (1, 0) if array.size == 0 and name.endswith("numerator") else array.shape


def safetensors(metadata, arrays):
    head, data = {"__metadata__": metadata}, []
    offset = 0
    for full in sorted(arrays):
        block = re.match(r"(?:block\.\d+\.\d+\.)?", full).group()
        name = full[len(block) :]
        dtype = dtype_of(name, metadata, block)
        readable(
            not isinstance(arrays[full], list) or name.endswith("basis_val"), f"{full} holds no numbers of its kind"
        )
        array = values(full, arrays[full]) if isinstance(arrays[full], list) else np.asarray(arrays[full])
        sides = [metadata.get(f"intertwine.{block}{key}", "") for key in ("rows", "cols")]
        readable(all(re.fullmatch(r"\d{1,18}", side) for side in sides), "its rows or columns are no natural numbers")
        whole = array.astype(BINARY[dtype])
        readable(array.size == 0 or np.array_equal(whole, array), f"a number of {full} does not fit {dtype}")
        contents = whole.tobytes()
        head[full] = {
            "dtype": dtype,
            "shape": list(shape_of(name, array, *map(int, sides))),
            "data_offsets": [offset, offset + len(contents)],
        }
        data.append(contents)
        offset += len(contents)
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([struct.pack("<Q", len(text)), text, *data])


class Restriction:
    """Numbers of a field as matrices over Q: columns are the products with 1, a, a^2, ..."""

    def __init__(self, field):
        self.field, self.degree = field, field.degree
        one = (1, *[0] * (field.degree - 1))
        self.powers = [one]
        for _ in range(field.degree - 1):
            self.powers.append(tuple(field.product(self.powers[-1], (0, 1))))

    def spread(self, matrix):
        """{(i, j): number} as {(row, column): integer}."""
        out = {}
        for (i, j), x in matrix.items():
            for k, power in enumerate(self.powers):
                for h, c in enumerate(self.field.product(x, power)):
                    if c:
                        out[self.degree * i + h, self.degree * j + k] = int(c)
        return out

    def scalar(self, size, x):
        return self.spread({(i, i): x for i in range(size)})

    def arrays_of(self, sides, basis):
        """The arrays of generators on rows and columns, pairs of integers and a denominator, and of a basis."""
        out = {
            "bias.basis_ptr": np.zeros(1, np.int64),
            "bias.basis_row": np.zeros(0, np.int64),
            "bias.basis_val": np.zeros(0),
        }
        for side, parts in sides.items():
            lists = [sorted(part.items()) for part, _ in parts]
            found = [(place, x, common) for part, (_, common) in zip(lists, parts) for place, x in part]
            shared = [math.gcd(x, common) for _, x, common in found]
            largest = max((max(abs(x), common) // d for (_, x, common), d in zip(found, shared)), default=0)
            readable(largest < 2**62, "its matrices have numbers beyond 62 bits over Q")
            out |= {
                f"proof.{side}_ptr": np.cumsum([0, *map(len, lists)]),
                f"proof.{side}_row": np.array([i for (i, _), _, _ in found], np.int64),
                f"proof.{side}_col": np.array([j for (_, j), _, _ in found], np.int64),
                f"proof.{side}_numerator": np.array([[x // d for (_, x, _), d in zip(found, shared)]], np.int64),
                f"proof.{side}_denominator": np.array([c // d for (_, _, c), d in zip(found, shared)], np.int64),
            }
        lists = [
            sorted(self.spread({place: self.field.product(x, power) for place, x in element.items()}).items())
            for element in basis
            for power in self.powers
        ]
        found = [entry for element in lists for entry in element]
        readable(
            all(abs(x) <= LARGEST_INTEGER for _, x in found), "its basis has numbers beyond 2^53 over the rational ones"
        )
        return out | {
            "weight.basis_ptr": np.cumsum([0, *map(len, lists)]),
            "weight.basis_row": np.array([i for (i, _), _ in found], np.int64),
            "weight.basis_col": np.array([j for (_, j), _ in found], np.int64),
            "weight.basis_val": np.array([x for _, x in found], np.float64),
        }


def restricted(metadata, arrays):
    """A table over a field larger than Q as two over Q, of the weights and of the bias."""
    t = Table(metadata, arrays)
    field, count = t.field, len(t.names)
    over_q, a = Restriction(field), (0, 1)
    spread = lambda parts: [(over_q.spread(part), common) for part, common in parts]
    rows, columns = (
        spread(matrices(arrays, side, size, count, field)) for side, size in (("row", t.height), ("column", t.width))
    )
    weight = elements(arrays, "weight", t.params, (t.height, t.width), field)
    bias = elements(arrays, "bias", t.bias_params, (t.height, 1), field)
    one = (1, *[0] * (field.degree - 1))
    still = [({} if kind == "algebra" else over_q.scalar(1, one), 1) for kind in t.kinds]
    proof = {"form": t.form, "generators": [*t.names, "a"], "generator_kinds": [*t.kinds, "algebra"]}
    prime, root = (decimal(member(t.proof, key, str, "the proof"), f"the {key}") for key in ("prime", "root"))
    demand(
        0 <= root < prime < 2**63 and sum(c * pow(root, k, prime) for k, c in enumerate(field.minimal)) % prime == 0,
        f"{root} is no root in the field modulo {prime}",
    )
    proof["prime"] = str(prime)
    kept = {
        key: value for key, value in metadata.items() if key not in ("intertwine.field_generator", "intertwine.field")
    }
    for name, width, on_columns, basis in (("weight", t.width, columns, weight), ("bias", 1, still, bias)):
        sides = {
            "row": [*rows, (over_q.scalar(t.height, a), 1)],
            "column": [*on_columns, (over_q.scalar(width, a), 1)],
        }
        said = {
            "rows": field.degree * t.height,
            "cols": field.degree * width,
            "params": field.degree * len(basis),
            "bias_params": 0,
            "proof": json.dumps(proof),
        }
        yield (
            name,
            kept | {f"intertwine.{key}": str(value) for key, value in said.items()},
            over_q.arrays_of(sides, basis),
        )


def is_of_characters(path):
    """JSON without metadata is no table of weights."""
    with open(path, "rb") as file:
        return file.read(1) == b"{" and b'"intertwine.format"' not in file.read()


def field_files(metadata, arrays, label, stem):
    """A table over a field larger than Q as files over Q, each with what it is about."""
    files = []
    for what, *of_table in restricted(metadata, arrays):
        files.append((f"{label}{what}, over Q: ", stem.with_name(f"{stem.name}{what}.safetensors")))
        files[-1][1].write_bytes(safetensors(*of_table))
    return files


def of_blocks(path, folder):
    """Blocks, of which one at least is over a field larger than Q: each by itself."""
    found, _ = tables(path)
    files = []
    for (i, j), block in found.items():
        label, stem = f"block ({i}, {j}): ", folder / f"{i}.{j}."
        metadata = {f"intertwine.{key}": value for key, value in block.metadata.items()}
        if block.field.degree > 1:
            files += field_files(metadata, block.arrays, label, stem)
        else:
            files.append((label, stem.with_name(f"{stem.name}table.safetensors")))
            files[-1][1].write_bytes(safetensors(metadata, block.arrays))
    check_blocks(found)
    outs, ins = (max(key[side] for key in found) + 1 for side in (0, 1))
    count = sum(block.params for block in found.values())
    biases = sum(found[i, 0].bias_params for i in range(outs))
    said = f"the {count} elements of {outs} x {ins} blocks (and {biases} of the bias) are a basis"
    return files, f"{said}, those over fields larger than Q by tables over Q"


def handed_over(path, folder):
    """The files for the verified checker, with what each is about, and what it says of a field."""
    with open(path, "rb") as file:
        start = file.read(9)
    if is_of_characters(path):
        return [("", path)], ""
    metadata, arrays = read(path)
    kind = metadata.get("intertwine.kind")
    if kind == "blocks" and any(re.fullmatch(r"intertwine\.block\.\d+\.\d+\.field_generator", key) for key in metadata):
        return of_blocks(path, folder)
    if kind == "sparse-basis" and metadata.get("intertwine.field_generator"):
        sizes = (metadata[f"intertwine.{key}"] for key in ("params", "bias_params", "field_generator"))
        return field_files(metadata, arrays, "", folder / "field."), (
            "the {} elements (and {} of the bias) are a basis over Q({}), by tables over Q".format(*sizes)
        )
    if start[8:9] == b"{" and start[4:8] == bytes(4):
        return [("", path)], ""
    out = folder / "table.safetensors"
    out.write_bytes(safetensors(metadata, arrays))
    return [("", out)], ""


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    program = arguments[0]
    seconds, paths, status = options(arguments[1:], __doc__)

    def check_one(what, file):
        command = [program, "--seconds", str(seconds), str(file)]
        line = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.rstrip("\n")
        kind, _, words = line.removeprefix(f"{file}: ").partition(": ")
        if kind == "refused":
            raise Refused(what + words)
        if kind != "accepted":
            raise Unreadable(what + (words or "the verified checker gave no verdict"))
        return words

    def check(path):
        with tempfile.TemporaryDirectory() as name:
            files, of_field = handed_over(path, Path(name))
            words = [check_one(what, file) for what, file in files]
        return of_field or words[0]

    for path in paths or []:
        found, words = verdict(path, check, seconds + 5)
        print(f"{printable(path)}: {printable(words)}", flush=True)
        status = max(status, found)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
