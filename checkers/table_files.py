"""Weight tables as they lie in files, for check_table.py and table_to_gap.py: containers, digests, what tables and
blocks say of themselves. It decides nothing about matrices. Standard library and NumPy."""

import hashlib
import io
import math
import re
import zipfile

import numpy as np
from number_field import Field
from reading import Refused, decimal, demand, json_of, member, of_type, readable, whole

DTYPES = {
    "I64": np.int64,
    "F64": np.float64,
    "I32": np.int32,
    "U16": np.uint16,
    "U8": np.uint8,
}  # in the order of the data section
OWN = (
    r"weight\.(orbit_size|code|basis_(ptr|row|col|val|coordinates))|"
    r"bias\.(code|basis_(ptr|row|val|coordinates))|isotypic\.(blocks|T_in|T_out)"
)
WORDS = r"weight\.(orbit_size|basis_(ptr|coordinates))|bias\.basis_(ptr|coordinates)|isotypic\.blocks"  # of 64 bits


# Files.
def of_safetensors(contents):
    length = int.from_bytes(contents[:8], "little")
    readable(length <= len(contents) - 8, "its header is longer than the file")
    head, data, arrays = json_of(contents[8 : 8 + length]), memoryview(contents)[8 + length :], {}
    metadata = member(of_type(head, dict, "the header"), "__metadata__", dict, "the header")
    for name in head.keys() - {"__metadata__"}:
        dtype, shape, ends = (
            member(head[name], key, kind, name)
            for key, kind in (("dtype", str), ("shape", list), ("data_offsets", list))
        )
        readable(
            all(type(x) is int and x >= 0 for x in shape + ends) and len(ends) == 2 and ends[0] <= ends[1] <= len(data),
            f"the place of {name} is not in the file",
        )
        if dtype in DTYPES:
            readable(
                math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize == ends[1] - ends[0],
                f"{name} has another length than its shape says",
            )
            arrays[name] = np.frombuffer(data[slice(*ends)], DTYPES[dtype]).reshape(shape)
    return metadata, arrays


def of_npz(contents):
    arrays = {}
    with zipfile.ZipFile(io.BytesIO(contents)) as entries:
        names = {name.removesuffix(".npy") for name in entries.namelist()}
        readable(len(names) == len(entries.namelist()), "two of its arrays have the same name")
        for name in entries.namelist():
            with entries.open(name) as entry:
                arrays[name.removesuffix(".npy")] = np.lib.format.read_array(entry, allow_pickle=False)
    readable("metadata" in arrays and arrays["metadata"].size == 1, "it has no metadata")
    text = arrays.pop("metadata").item()
    return of_type(json_of(text if isinstance(text, bytes) else str(text)), dict, "the metadata"), arrays


def of_hdf5(path):
    try:
        import h5py
    except ImportError:
        readable(False, "h5py is not installed, which reads HDF5")
    with h5py.File(path) as entries:
        metadata = {key: value.decode() if isinstance(value, bytes) else value for key, value in entries.attrs.items()}
        return metadata, {name: entry[()] for name, entry in entries.items() if isinstance(entry, h5py.Dataset)}


def leaves(lists):
    """The members of lists in lists, and their shape."""
    found, shape = lists, [len(lists)]
    while found and any(type(x) is list for x in found):
        readable(
            all(type(x) is list and len(x) == len(found[0]) for x in found),
            "the lists of an array have different lengths",
        )
        shape.append(len(found[0]))
        found = [x for entry in found for x in entry]
    return found, shape


def of_json(contents):
    """Arrays of integers are of Python's, those of other numbers and texts are lists."""
    lists, arrays = of_type(json_of(contents), dict, "the document"), {}
    metadata = of_type(lists.pop("metadata", None), dict, "the metadata")
    for name, entry in lists.items():
        found, shape = leaves(of_type(entry, list, name))
        if all(type(x) is int for x in found):
            readable(all(-(2**63) <= x < 2**63 for x in found), f"a number of {name} is beyond 64 bits")
            arrays[name] = np.array(found, np.int64).reshape(shape)
        else:
            arrays[name] = entry
    return metadata, arrays


def read(path):
    """The metadata, texts by texts, and the arrays: of NumPy, or of JSON lists of texts."""
    contents = whole(path)
    if contents[:2] == b"PK":
        metadata, arrays = of_npz(contents)
    elif contents[:4] == b"\x89HDF":
        metadata, arrays = of_hdf5(path)
    elif contents[8:9] == b"{" and contents[4:8] == bytes(4):
        metadata, arrays = of_safetensors(contents)
    else:
        metadata, arrays = of_json(contents)
    for key in metadata:
        of_type(metadata[key], str, f"{key[:60]} of the metadata")
    return metadata, arrays


def values_digested(values, field):
    """The bytes of values that JSON has as texts: the nearest F64 and, of fields larger than Q, the coordinates; of Q
    beyond 2^53 the texts."""
    if not field.degree > 1:
        numbers = [field.in_roots(x)[0] for x in values]
        demand(all(x.denominator == 1 for x in numbers), "a value of the basis is no integer")
        if any(abs(x) > 2**53 for x in numbers):
            return "".join(f"{x}\n" for x in numbers).encode(), None
        return np.array([int(x) for x in numbers], np.float64), None
    numbers = [field.coordinates(field.in_roots(x)) for x in values]
    demand(
        all(x and all(c.denominator == 1 and abs(c) <= 2**62 for c in x) for x in numbers),
        "a value of the basis is no integer of the field, or too large",
    )
    return np.array([field.nearest(x) for x in numbers], np.float64), np.array(
        [[int(c) for c in x] for x in numbers], np.int64
    ).reshape(-1, field.degree).T


def digest(arrays, codes, field):
    """The sha256 of the data section: every array in the type that it has there, codes of two bytes as those of
    four."""
    sections = {}
    for name in (name for name in arrays if re.fullmatch(OWN, name)):
        array, last = arrays[name], name.rpartition(".")[2]
        if last == "basis_val" and (isinstance(array, list) or (array.size == 0 and array.dtype.kind == "i")):  # JSON
            array, coordinates = values_digested(list(array), field)
            if coordinates is not None:
                sections[0, name.replace("_val", "_coordinates")] = coordinates
        kind = (
            np.int64
            if re.fullmatch(WORDS, name)
            else np.float64
            if last in ("basis_val", "T_in", "T_out")
            else np.int32
        )
        if last == "code" and 2 * codes[name] + 1 <= 256:
            kind = np.uint8
        if not isinstance(array, bytes):
            array = np.asarray(array)
            readable(
                array.dtype.kind in "iuf" and (array.dtype.kind == "f") == (kind == np.float64),
                f"{name} holds no numbers of its kind",
            )
            demand(
                kind == np.float64
                or array.size == 0
                or np.iinfo(kind).min <= array.min() <= array.max() <= np.iinfo(kind).max,
                f"a number of {name} is too large",
            )
            array = array.astype(kind)
        sections[(np.int64, np.float64, np.int32, np.uint8).index(kind), name] = array
    return hashlib.sha256(
        b"".join(
            x if isinstance(x, bytes) else x.tobytes() for _, x in sorted(sections.items(), key=lambda pair: pair[0])
        )
    ).hexdigest()


class Table:
    """One table, or block: what is said of it, and its arrays."""

    def __init__(self, metadata, arrays):
        # A key without the prefix says nothing of the table, whatever follows the prefix in another.
        own = "intertwine."
        self.metadata = {key.removeprefix(own): value for key, value in metadata.items() if key.startswith(own)}
        self.arrays = arrays
        demand(self.metadata.get("format") == "tied-table", "it is no weight table")
        self.kind = self.text("kind")
        demand(
            self.kind != "diagram",
            "it holds diagrams, which have no proof: check_diagrams.py is for them",
        )
        demand(self.kind in ("signed-orbit", "sparse-basis"), f"{self.kind[:60]} is no kind of a table")
        demand(re.fullmatch(r"1(\.\d{1,9})?", self.text("version"), re.ASCII), "its version is not 1")
        demand("proof" in self.metadata, "it is a table without a proof: write it with --proof")
        self.height, self.width, self.params, self.bias_params = (
            decimal(self.text(key), key) for key in ("rows", "cols", "params", "bias_params")
        )
        demand(
            min(self.height, self.width) > 0 <= min(self.params, self.bias_params),
            "a table has at least one row and column, and no negative number of parameters",
        )
        demand(
            self.params <= self.height * self.width and self.bias_params <= self.height,
            "it has more parameters than entries",
        )
        demand(
            all(decimal(self.text(key), key) > 0 for key in ("multiplicity_in", "multiplicity_out")),
            "a multiplicity is not positive",
        )
        proof = of_type(json_of(self.text("proof")), dict, "the proof")
        self.form, self.names = member(proof, "form", str, "the proof"), member(proof, "generators", list, "the proof")
        readable(all(type(name) is str for name in self.names), "the name of a generator is no text")
        self.kinds = proof.get("generator_kinds", ["group"] * len(self.names))
        of_type(self.kinds, list, "generator_kinds")
        demand(
            len(self.kinds) == len(self.names) and all(kind in ("group", "algebra") for kind in self.kinds),
            "generator_kinds does not say group or algebra of every generator",
        )
        fits = {"signed-orbit": "signed-permutations", "sparse-basis": "matrices"}[self.kind]
        demand(self.form == fits, f"a table of the kind {self.kind} has a proof of the form {fits}")
        demand(
            self.kind == "sparse-basis" or "algebra" not in self.kinds,
            "an element of a Lie algebra does not permute entries",
        )
        self.field, self.proof = (
            Field(self.metadata.get("field_generator") if self.kind == "sparse-basis" else None),
            proof,
        )
        demand(self.field.degree > 1 or "root" not in proof, "its proof has a root of a field larger than Q")
        codes = {"weight.code": self.params, "bias.code": self.bias_params}
        demand(
            digest(arrays, codes, self.field) == self.text("sha256"),
            "the table's arrays do not have the sha256 that the file states",
        )
        self.certified()

    def text(self, key):
        return member(self.metadata, key, str, "the metadata")

    def certified(self):
        """The dimensions in the certificate are those of the table."""
        certificate = of_type(json_of(self.metadata.get("certificate", "{}")), dict, "the certificate")
        for key, have in ("character_dimension", self.params), ("bias_character_dimension", self.bias_params):
            demand(
                key not in certificate or certificate[key] == str(have),
                f"the certificate has another {key} than the table",
            )


def neighbours(found):
    """Pairs of blocks that have the same rows or columns, and the keys and the side that say it."""
    for (i, j), block in found.items():
        here = f"block ({i}, {j}) and block "
        if j:
            yield (
                f"{here}({i}, 0)",
                block,
                found[i, 0],
                ("row", "height"),
                ("rows", "multiplicity_out", "rep_out", "bias_params"),
            )
        if i:
            yield f"{here}(0, {j})", block, found[0, j], ("column", "width"), ("cols", "multiplicity_in", "rep_in")


def check_words(found):
    """What blocks say in words is the same where it has to be."""
    for here, block, first, _, keys in neighbours(found):
        for key in ("group", *keys):
            demand(block.metadata.get(key) == first.metadata.get(key), f"{here} differ in {key}")
        demand((block.names, block.kinds) == (first.names, first.kinds), f"{here} have other generators")


def tables(path):
    """The table of a file, or the blocks, by their numbers: {(i, j): Table}, and whether they are blocks."""
    metadata, arrays = read(path)
    if metadata.get("intertwine.kind") != "blocks":
        return {(0, 0): Table(metadata, arrays)}, False
    demand(metadata.get("intertwine.format") == "tied-table", "it is no weight table")
    sides = [
        decimal(member(metadata, f"intertwine.{key}", str, "the metadata"), key) for key in ("parts_out", "parts_in")
    ]
    demand(min(sides) > 0 and sides[0] * sides[1] <= 256, "it has no blocks, or more than 256")
    found, lines = {}, ""
    for i in range(sides[0]):
        for j in range(sides[1]):
            prefix = f"block.{i}.{j}."
            of_block = {
                key.replace(prefix, "", 1): value
                for key, value in metadata.items()
                if key.startswith("intertwine." + prefix)
            }
            try:
                block = found[i, j] = Table(
                    of_block,
                    {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)},
                )
            except Refused as reason:
                raise Refused(f"block ({i}, {j}): {reason}") from None
            lines += (
                " ".join(
                    [
                        str(i),
                        str(j),
                        *(block.text(key) for key in ("multiplicity_out", "multiplicity_in", "rows", "cols", "sha256")),
                    ]
                )
                + "\n"
            )
    demand(
        hashlib.sha256(lines.encode()).hexdigest() == metadata.get("intertwine.sha256"),
        "the blocks do not have the sha256 that the file states",
    )
    numbers = {
        tuple(map(int, found))
        for name in [*arrays, *metadata]
        for found in re.findall(r"^(?:intertwine\.)?block\.(\d{1,9})\.(\d{1,9})\.", name)
    }
    demand(numbers <= found.keys(), "it has arrays of a block beyond its parts")
    check_words(found)
    return found, True


def integers(arrays, name, *shape):
    """An array of integers of this shape; None is any length."""
    demand(name in arrays, f"the array {name} is missing")
    readable(not isinstance(arrays[name], list), f"{name} holds no integers")
    array = arrays[name]
    if array.size == 0 and all(side is None or side == 0 for side in shape) or array.size == 0 and 0 in shape:
        array = np.zeros([side or 0 for side in shape], np.int64)  # JSON cannot say what is empty
    fits = len(shape) == array.ndim and all(want in (None, have) for want, have in zip(shape, array.shape))
    demand(array.dtype.kind in "iu" and fits, f"{name} holds no integers or has the shape {array.shape}, not {shape}")
    return array
