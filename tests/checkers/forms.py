"""Files of tables and their digests, for tests that change them: made from docs/formats.md alone. Standard library and
NumPy."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np

OWN = re.compile(
    r"weight\.(orbit_size|code|basis_(ptr|row|col|val|coordinates))|"
    r"bias\.(code|basis_(ptr|row|val|coordinates))|isotypic\.(blocks|T_in|T_out)"
)
DTYPES = ("I64", "F64", "I32", "U16", "U8")
OF_NUMPY = dict(zip(DTYPES, ("<i8", "<f8", "<i4", "<u2", "u1")))


def exact(text: object) -> Fraction:
    """As docs/formats.md has it; Fraction itself would take 1e1000000000."""
    if isinstance(text, str) and not re.fullmatch(r"-?\d{1,4000}(/\d{1,4000})?", text):
        raise ValueError(text[:60])
    return Fraction(text)


def dtype_of(name: str, metadata: dict, prefix: str) -> str:
    """What a binary file has an array in."""
    last = name.rpartition(".")[2]
    if last == "code":
        count = int(metadata[f"{prefix}{'params' if name.startswith('weight') else 'bias_params'}"])
        return (
            "U8" if 2 * count + 1 <= 256 else "U16" if name.startswith("weight") and 2 * count + 1 <= 65536 else "I32"
        )
    if last.startswith("T_") or last == "basis_val":
        return "F64"
    return (
        "I64"
        if last in ("orbit_size", "basis_ptr", "basis_coordinates", "blocks", "row_ptr", "column_ptr")
        or last.endswith(("numerator", "denominator"))
        else "I32"
    )


def bytes_of(values: object, dtype: str) -> bytes:
    array = np.array(values)
    if array.size and (array.dtype.kind not in "iuf" or (array.dtype.kind == "f" and dtype != "F64")):
        raise ValueError(dtype)
    return array.astype(OF_NUMPY[dtype]).tobytes()


def sections(document: dict, prefix: str, block: str) -> bytes:
    """The data section of a table, from lists; values of a basis are texts of integers, or of numbers of a field with
    coordinates beside them."""
    metadata, parts = document["metadata"], []
    for full, values in document.items():
        name = full.removeprefix(block)
        if not full.startswith(block) or not OWN.fullmatch(name):
            continue
        dtype = dtype_of(name, metadata, prefix)
        if name.endswith("basis_val") and all(isinstance(x, str) for x in values):
            numbers = [exact(x) for x in values]
            if any(abs(x) > 2**53 for x in numbers):
                parts.append((1, name, "".join(f"{x}\n" for x in numbers).encode()))
                continue
            values = [int(x) for x in numbers]
        dtype = "I32" if dtype == "U16" else dtype
        parts.append((DTYPES.index(dtype), name, bytes_of(values, dtype)))
    return b"".join(part for _, _, part in sorted(parts))


def reseal(document: dict) -> None:
    """The digests of tables and blocks, again; what cannot be digested keeps the digest that it had."""
    metadata, blocks = document["metadata"], []
    if metadata.get("intertwine.kind") == "blocks":
        blocks = sorted(
            {(int(i), int(j)) for key in metadata for i, j in re.findall(r"^intertwine\.block\.(\d+)\.(\d+)\.", key)}
        )
    lines = ""
    for place in blocks or [None]:
        block = "block.{}.{}.".format(*place) if place else ""
        prefix = "intertwine." + block
        try:
            metadata[prefix + "sha256"] = hashlib.sha256(sections(document, prefix, block)).hexdigest()
        except (ValueError, TypeError, OverflowError, KeyError, ZeroDivisionError):
            pass
        if place:
            keys = ("multiplicity_out", "multiplicity_in", "rows", "cols", "sha256")
            lines += " ".join(map(str, [*place, *(metadata.get(prefix + key) for key in keys)])) + "\n"
    if blocks:
        metadata["intertwine.sha256"] = hashlib.sha256(lines.encode()).hexdigest()


def typed(values: object, name: str) -> bool:
    """Are the leaves what JSON has them as: texts in bases, otherwise integers, or numbers in the isotypic form?"""
    if isinstance(values, list):
        return all(typed(x, name) for x in values)
    kinds = (
        (str,) if name.endswith("basis_val") else (int, float) if name.rpartition(".")[2].startswith("T_") else (int,)
    )
    return type(values) in kinds


def binary(document: dict) -> tuple[dict, dict] | None:
    """The metadata and the arrays of the binary forms, (dtype, shape, bytes); None where a number does not fit its
    type."""
    metadata, arrays = dict(document["metadata"]), {}
    for full, values in document.items():
        if full == "metadata":
            continue
        block = re.match(r"block\.\d+\.\d+\.", full)
        name = full[block.end() :] if block else full
        try:
            if not typed(values, name):
                return None
            dtype = dtype_of(name, metadata, "intertwine." + (block.group() if block else ""))
            numbers = (
                [int(exact(x)) if isinstance(x, str) else x for x in values] if name.endswith("basis_val") else values
            )
            array = np.array(numbers)
            if array.size and (array.dtype.kind not in "iuf" or (array.dtype.kind == "f") and dtype != "F64"):
                return None
            if (
                array.size
                and dtype != "F64"
                and not np.iinfo(OF_NUMPY[dtype]).min <= array.min() <= array.max() <= np.iinfo(OF_NUMPY[dtype]).max
            ):
                return None
            arrays[full] = (
                dtype,
                empty_shape(name, array.shape, document, full),
                array.astype(OF_NUMPY[dtype]).tobytes(),
            )
        except (ValueError, TypeError, OverflowError, KeyError, ZeroDivisionError, RecursionError):
            return None
    wide = any(dtype == "U16" for dtype, _, _ in arrays.values())
    if wide and metadata.get("intertwine.version") == "1":
        metadata["intertwine.version"] = "1.2"
    return (metadata, arrays) if all(isinstance(x, str) for x in metadata.values()) else None


def empty_shape(name: str, shape: tuple[int, ...], document: dict, full: str) -> tuple[int, ...]:
    """JSON cannot say [1, 0]."""
    if name.endswith("numerator"):
        return (max(shape[0] if shape else 1, 1), shape[1] if len(shape) > 1 else 0)
    if name.endswith("_images") and shape == (0,):
        code = document.get(
            full.replace("proof.row_images", "weight.code").replace("proof.column_images", "weight.code"), [[]]
        )
        return (0, len(code) if "row" in name else len(code[0]))
    return shape


def safetensors(metadata: dict, arrays: dict) -> bytes:
    head, data = {"__metadata__": metadata}, b""
    for dtype in DTYPES:
        for name in sorted(name for name, array in arrays.items() if array[0] == dtype):
            _, shape, contents = arrays[name]
            head[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(contents)]}
            data += contents
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def npz(metadata: dict, arrays: dict) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as entries:
        for name, (dtype, shape, contents) in arrays.items():
            entry = io.BytesIO()
            np.save(entry, np.frombuffer(contents, OF_NUMPY[dtype]).reshape(shape))
            entries.writestr(name + ".npy", entry.getvalue())
        entry = io.BytesIO()
        np.save(entry, np.array(json.dumps(metadata)))
        entries.writestr("metadata.npy", entry.getvalue())
    return out.getvalue()


def write(document: dict, path: Path) -> bool:
    """A document as a file of the form that the extension names; False where that form cannot hold it."""
    if path.suffix == ".json":
        path.write_text(json.dumps(document))
        return True
    found = binary(document)
    if found:
        path.write_bytes((safetensors if path.suffix == ".safetensors" else npz)(*found))
    return found is not None
