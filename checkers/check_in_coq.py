#!/usr/bin/env python3
"""Hands weight tables of every form to the verified checker, which reads .safetensors alone.

Usage: check_in_coq.py PROGRAM [--seconds N] FILE...      PROGRAM: intertwine-check, made by checkers/coq/build

A table in .npz, .json or .h5 is written as .safetensors into a folder that is removed afterwards, every array as docs/
formats.md has it; .safetensors and tables of characters are handed over as they are. So the theorem is about the table
that this script wrote: that its numbers are those of the file is for this script and table_files.py. For each file one
line, as the other checkers have it: accepted, refused, or cannot be read; the exit status is the largest of 0, 1 and 2.
"""

import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from reading import Refused, Unreadable, fraction, options, printable, readable, verdict
from table_files import DTYPES, read

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


def is_of_characters(path):
    """JSON without metadata is no table of weights."""
    with open(path, "rb") as file:
        return file.read(1) == b"{" and b'"intertwine.format"' not in file.read()


def handed_over(path, folder):
    with open(path, "rb") as file:
        start = file.read(9)
    if (start[8:9] == b"{" and start[4:8] == bytes(4)) or is_of_characters(path):
        return path
    out = folder / "table.safetensors"
    out.write_bytes(safetensors(*read(path)))
    return out


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    program = arguments[0]
    seconds, paths, status = options(arguments[1:], __doc__)

    def check(path):
        with tempfile.TemporaryDirectory() as name:
            file = handed_over(path, Path(name))
            command = [program, "--seconds", str(seconds), str(file)]
            line = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.rstrip("\n")
        kind, _, words = line.removeprefix(f"{file}: ").partition(": ")
        if kind == "refused":
            raise Refused(words)
        if kind != "accepted":
            raise Unreadable(words or "the verified checker gave no verdict")
        return words

    for path in paths or []:
        found, words = verdict(path, check, seconds + 5)
        print(f"{printable(path)}: {printable(words)}", flush=True)
        status = max(status, found)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
