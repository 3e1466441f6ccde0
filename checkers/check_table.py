#!/usr/bin/env python3
"""Checks the proof in a weight table: that the table holds ALL matrices equivariant under the generators in the file, and nothing else.

Usage: check_table.py FILE...      .safetensors, .npz, .json, or with h5py .h5, written with --proof (docs/formats.md, "Proofs")

Nothing of the program that wrote the file is used or believed. Exit status 0: every file is accepted; 1: one is refused, with the reason; 2: one cannot
be read. That the generators' images belong to the group and the representations that the metadata name is the writer's claim.
"""
import hashlib
import json
import math
import re
import sys
from fractions import Fraction

import numpy as np

DTYPES = {"I64": np.int64, "F64": np.float64, "I32": np.int32, "U16": np.uint16, "U8": np.uint8}  # in the order of the data section
OWN = r"weight\.(orbit_size|code|basis_(ptr|row|col|val|coordinates))|bias\.(code|basis_(ptr|row|val|coordinates))|isotypic\.(blocks|T_in|T_out)"


class Refused(Exception):
    """The table is not what its proof says."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


def read(path):
    """The metadata and the arrays: of NumPy, in JSON lists of numbers or of texts."""
    with open(path, "rb") as file:
        start = file.read(9)
        if start[:2] == b"PK":
            entries = np.load(path, allow_pickle=False)
            metadata, arrays = json.loads(entries["metadata"].item()), {name: entries[name] for name in entries.files if name != "metadata"}
        elif start[:4] == b"\x89HDF":
            import h5py
            with h5py.File(path) as entries:
                metadata = {key: value.decode() if isinstance(value, bytes) else value for key, value in entries.attrs.items()}
                arrays = {name: entry[()] for name, entry in entries.items() if isinstance(entry, h5py.Dataset)}
        elif start[8:9] == b"{" and start[4:8] == bytes(4):
            head, data = json.loads(start[8:] + file.read(int.from_bytes(start[:8], "little") - 1)), file.read()
            metadata, known = head.pop("__metadata__"), {name: entry for name, entry in head.items() if entry["dtype"] in DTYPES}
            arrays = {name: np.frombuffer(data[slice(*e["data_offsets"])], DTYPES[e["dtype"]]).reshape(e["shape"]) for name, e in known.items()}
        else:
            arrays = json.loads(start + file.read())
            metadata = arrays.pop("metadata")
    return metadata, arrays


def digested(metadata, arrays):
    """A table whose arrays have the sha256 that is stated, the metadata without their prefix."""
    own = [name for name in arrays if re.fullmatch(OWN, name)]
    if not any(isinstance(arrays[name], list) for name in own):  # JSON has no bytes to digest
        order = [np.dtype(dtype) for dtype in DTYPES.values()]
        arrays = {name: array.astype(np.int32) if array.dtype == np.uint16 else array for name, array in arrays.items()}  # as they are digested
        digest = hashlib.sha256(b"".join(arrays[name].tobytes() for name in sorted(own, key=lambda name: (order.index(arrays[name].dtype), name))))
        demand(digest.hexdigest() == metadata["intertwine.sha256"], "the table's arrays do not have the sha256 that the file states")
    return {key.removeprefix("intertwine."): value for key, value in metadata.items()}, arrays


def tables(path):
    """The table of a file, or the blocks, by their names in messages."""
    metadata, arrays = read(path)
    if metadata.get("intertwine.kind") != "blocks":
        return {"": digested(metadata, arrays)}
    found, lines = {}, ""
    for i in range(int(metadata["intertwine.parts_out"])):
        for j in range(int(metadata["intertwine.parts_in"])):
            prefix = f"block.{i}.{j}."
            of_block = {key.replace(prefix, "", 1): value for key, value in metadata.items() if key.startswith("intertwine." + prefix)}
            block, _ = found[f"block ({i}, {j}): "] = digested(of_block, {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)})
            lines += " ".join([str(i), str(j), *(block[key] for key in ("multiplicity_out", "multiplicity_in", "rows", "cols", "sha256"))]) + "\n"
    demand(hashlib.sha256(lines.encode()).hexdigest() == metadata["intertwine.sha256"], "the blocks do not have the sha256 that the file states")
    return found


def integers(arrays, name, *shape):
    """An array of integers of this shape; None is any length."""
    demand(name in arrays, f"the array {name} is missing")
    array = np.asarray(arrays[name])
    array = array if array.size else np.zeros([side or 0 for side in shape], np.int64)  # JSON cannot say what is empty
    fits = len(shape) == array.ndim and all(want in (None, have) for want, have in zip(shape, array.shape))
    demand(array.dtype.kind in "iu" and fits, f"{name} holds no integers or has the shape {array.shape}, not {shape}")
    return array


# Tied entries: orbits with signs.
def signed_permutations(arrays, name, count, size):
    """The points [count, size] and signs: generator k sends e_i to s e_j where the number at (k, i) is s (1 + j)."""
    images = integers(arrays, name, count, size).astype(np.int64)
    demand((np.sort(abs(images), axis=1) == np.arange(1, size + 1)).all(), f"{name} holds no signed permutations")
    return abs(images) - 1, np.sign(images).astype(np.int32)


def joined(label, permutation):
    """The labels, each the least of its class, when every point is joined to its image."""
    while (label[permutation] != label).any():
        image, least = label[permutation], np.arange(len(label))
        np.minimum.at(least, np.maximum(label, image), np.minimum(label, image))
        while (least[least] != least).any():
            least = least[least]
        label = least[label]
    return label


def check_pattern(codes, params, rows, columns, what):
    """That the signed patterns in `codes` are a basis of {W : W[pi i, sigma j] = s_i t_j W[i, j] for all generators (pi, s), (sigma, t)}.

    First, every pattern is such a W: looked at entry by entry. Then the codes are the same on whole orbits of entries, and an orbit meets a row r in an
    orbit of the stabilizer of r on the columns, which is generated by carried[pi r']^-1 g carried[r'] for all rows r' and generators g, `carried` being
    any transversal [Schreier 1927]. So one row of each orbit of rows tells all: on its columns with both signs (+e_j is point j, -e_j point size + j) the
    classes are counted; one with +e_j and -e_j together forces 0, each other one is a dimension of its own.
    """
    (points, signs), (column_points, column_signs), (height, size) = rows, columns, codes.shape
    demand(codes.size == 0 or (codes.min() >= 0 and codes.max() <= 2 * params), f"a code of the {what} is not in 0 ... {2 * params}")
    value = np.concatenate([np.arange(params + 1), -np.arange(1, params + 1)]).astype(np.int32)[codes]
    both = []
    for k in range(len(points)):
        image = value[points[k]][:, column_points[k]] * signs[k][:, None] * column_signs[k]
        demand(np.array_equal(image, value), f"the {what} are not unchanged under generator {k}: an entry and its image carry different codes")
        moved = column_points[k] + np.where(column_signs[k] > 0, 0, size)
        both.append(np.concatenate([moved, (moved + size) % (2 * size)]).astype(np.int32))
    carried, owner = {}, np.zeros(params + 1, bool)
    for first in range(height):
        if first in carried:
            continue
        carried[first], label, queue = np.arange(2 * size, dtype=np.int32), np.arange(2 * size), [first]
        for row in queue:
            for k in range(len(points)):
                image, moved = int(points[k, row]), np.roll(both[k][carried[row]], size if signs[k, row] < 0 else 0)
                if image not in carried:
                    carried[image] = moved
                    queue.append(image)
                elif not np.array_equal(carried[image], moved):
                    back = np.empty(2 * size, np.int64)
                    back[carried[image]] = np.arange(2 * size)
                    label = joined(label, back[moved])
        carried.update(dict.fromkeys(queue))  # the memory is not needed any more
        zero = label[:size] == label[size:]
        demand(not value[first][zero].any(), f"an entry of row {first} of the {what} meets its own negative, so that it must be 0, and is not")
        here = np.abs(value[first][np.unique(np.minimum(label[:size], label[size:])[~zero])])  # at one entry of each class
        demand(here.all(), f"an entry of row {first} of the {what} is 0, and nothing forces that: a dimension is missing")
        demand(not owner[here].any() and len(set(here.tolist())) == len(here), f"a parameter of the {what} is tied across two orbits of entries: see row {first}")
        owner[here] = True
    demand(owner[1:].all(), f"the {what} have {params} parameters, and there are {owner[1:].sum()} orbits of entries that do not vanish")


def check_tied(arrays, height, width, params, bias_params, names):
    rows, columns = (signed_permutations(arrays, f"proof.{name}_images", len(names), size) for name, size in (("row", height), ("column", width)))
    codes, one_column = integers(arrays, "weight.code", height, width), (np.zeros((len(names), 1), np.int64), np.ones((len(names), 1), np.int32))
    check_pattern(codes, params, rows, columns, "weights")
    check_pattern(integers(arrays, "bias.code", height)[:, None], bias_params, rows, one_column, "bias")
    counts = np.bincount(codes.ravel(), minlength=2 * params + 1)
    demand(np.array_equal(counts[1 : params + 1] + counts[params + 1 :], integers(arrays, "weight.orbit_size", params)), "weight.orbit_size miscounts")


# Sparse bases: exact commutation, independence, and a bound of the dimension modulo p.
class Rank:
    """Sparse elimination modulo p; a row is a dictionary {place: value}."""

    def __init__(self, p):
        self.p, self.rows = p, {}

    def insert(self, row):
        row = {place: x % self.p for place, x in row.items() if x % self.p}
        while row:
            factor = row[place := min(row)]
            if place not in self.rows:
                inverse = pow(factor, -1, self.p)
                self.rows[place] = [(j, x * inverse % self.p) for j, x in row.items()]
                return True
            for j, x in self.rows[place]:
                row[j] = (row.get(j, 0) - factor * x) % self.p
            row = {j: x for j, x in row.items() if x}
        return False


def split(arrays, part, count, values, shape):
    """[count] dictionaries {(i, j): value} of the lists ptr, row and col; all indices are looked at."""
    ptr, row = integers(arrays, f"{part}ptr", count + 1).tolist(), integers(arrays, f"{part}row", None).tolist()
    col = [0] * len(row) if part == "bias.basis_" else integers(arrays, f"{part}col", len(row)).tolist()
    demand(ptr[0] == 0 and ptr[-1] == len(row) == len(values) and ptr == sorted(ptr), f"the arrays {part}... do not fit each other")
    demand(all(0 <= i < shape[0] for i in row) and all(0 <= j < shape[1] for j in col), f"an index of {part}row or {part}col is out of range")
    out = [{(row[e], col[e]): values[e] for e in range(*ends)} for ends in zip(ptr, ptr[1:])]
    demand(sum(map(len, out)) == len(row), f"two entries of {part}... lie at one place")
    return out


def matrices(arrays, side, size, count, field):
    """[count] pairs: the entries of a generator's matrix times their common denominator, and that denominator."""
    below = integers(arrays, f"proof.{side}_denominator", None).tolist()
    above = list(zip(*integers(arrays, f"proof.{side}_numerator", field.degree, len(below)).tolist()))
    demand(min(below, default=1) > 0, f"a denominator of proof.{side} is not positive")
    parts = split(arrays, f"proof.{side}_", count, list(zip(above, below)), (size, size))
    common = [math.lcm(*(d for _, d in part.values())) for part in parts]
    return [({place: tuple(x * (c // d) for x in value) for place, (value, d) in part.items()}, c) for part, c in zip(parts, common)]


def elements(arrays, part, count, shape, field):
    """[count] dictionaries {(i, j): number of the field, by integers}."""
    values = arrays[f"{part}.basis_val"]
    if isinstance(values, list):  # JSON: exact numbers as texts
        values = [field.coordinates(field.in_roots(text)) if field.degree > 1 else [Fraction(text)] for text in values]
        demand(all(value and all(c.denominator == 1 for c in value) for value in values), f"a number of {part}.basis_val is no integer of the field")
    elif field.degree > 1:
        stated, values = values, list(zip(*integers(arrays, f"{part}.basis_coordinates", field.degree, len(values)).tolist()))
        demand(np.allclose(stated, [field.real(value) for value in values], rtol=1e-12, atol=1e-6), f"{part}.basis_val does not hold what its coordinates make")
    else:
        demand((np.abs(values) <= 2**53).all() and (values == np.trunc(values)).all(), f"{part}.basis_val holds numbers that are no integers")
        values = [[x] for x in values]
    return split(arrays, f"{part}.basis_", count, [tuple(map(int, value)) for value in values], shape)


def check_space(basis, shape, left, right, field, modulo, p, what):
    """That `basis` is one of {W : A W = W B for all generators (A, B)}: each W commutes, exactly; they are independent modulo p, so over the field; the
    equations have the rank rows * cols - len(basis) modulo p, so at least that over the field, and there can be no more solutions."""
    (height, width), equations = shape, []
    for k, ((A, a), (B, b)) in enumerate(zip(left, right)):
        A, B = ({place: tuple(c * factor for c in x) for place, x in part.items()} for part, factor in ((A, b), (B, -a)))  # over one denominator
        columns, rows, equation_of = [[] for _ in range(height)], [[] for _ in range(width)], [{} for _ in range(height * width)]
        for (i, j), x in A.items():
            columns[j].append((i, x))
            for h in range(width):
                equation_of[i * width + h][j * width + h] = modulo(x)
        for (i, j), x in B.items():
            rows[i].append((j, x))
            for h in range(height):
                equation_of[h * width + j][h * width + i] = equation_of[h * width + j].get(h * width + i, 0) + modulo(x)
        equations += equation_of
        for number, W in enumerate(basis):
            defect = {}
            for (i, j), w in W.items():
                for place, x in [((h, j), x) for h, x in columns[i]] + [((i, h), x) for h, x in rows[j]]:
                    defect[place] = tuple(map(sum, zip(defect.get(place, (0,) * field.degree), field.product(x, w))))
            demand(not any(map(any, defect.values())), f"element {number} of the {what} does not commute with generator {k}")
    rank, independent = Rank(p), Rank(p)
    for number, W in enumerate(basis):
        demand(independent.insert({i * width + j: modulo(w) for (i, j), w in W.items()}), f"element {number} of the {what} depends on those before it")
    for equation in sorted(equations, key=len):
        if len(rank.rows) + len(basis) < height * width:
            rank.insert(equation)
    left = height * width - len(rank.rows)
    demand(left == len(basis), f"the {what} have {len(basis)} elements, and the equations modulo {p} leave {left} dimensions: some are missing")


def check_sparse(arrays, height, width, params, bias_params, names, proof, field):
    p, root, kinds = int(proof["prime"]), int(proof.get("root", 0)), proof.get("generator_kinds", ["group"] * len(names))
    modulo = lambda x: sum(c * pow(root, k, p) for k, c in enumerate(x)) % p
    demand(field.degree == 1 or modulo(field.minimal) == 0, f"{root} is no root in the field modulo {p}")
    demand(len(kinds) == len(names) and set(kinds) <= {"group", "algebra"}, "generator_kinds does not say group or algebra of every generator")
    left, right = matrices(arrays, "row", height, len(names), field), matrices(arrays, "column", width, len(names), field)
    demand(p > 1 and all(math.gcd(c, p) == 1 for _, c in left + right), f"{p} divides a denominator")  # were it no prime, a pivot might have no inverse
    fixed = [({(0, 0): (1,) + (0,) * (field.degree - 1)} if kind == "group" else {}, 1) for kind in kinds]  # the trivial representation
    for what, part, count, shape, right in ("weights", "weight", params, (height, width), right), ("bias", "bias", bias_params, (height, 1), fixed):
        check_space(elements(arrays, part, count, shape, field), shape, left, right, field, modulo, p, what)


def check(path):
    """What is proved of the file, in words. Refused says why it is not."""
    said = []
    for name, table in tables(path).items():
        try:
            said.append(name + check_table(*table))
        except Refused as reason:
            raise Refused(f"{name}{reason}") from None
    return "; ".join(said)


def check_table(metadata, arrays):
    demand(metadata.get("format") == "tied-table" and "proof" in metadata, "it is no table with a proof: write it with --proof")
    sizes, proof = [int(metadata[key]) for key in ("rows", "cols", "params", "bias_params")], json.loads(metadata["proof"])
    kind, names = (metadata["kind"], proof["form"]), proof["generators"]
    if kind == ("signed-orbit", "signed-permutations"):
        check_tied(arrays, *sizes, names)
    else:
        demand(kind == ("sparse-basis", "matrices"), f"{kind} is no kind of table with a form of its proof")
        from number_field import Field
        check_sparse(arrays, *sizes, names, proof, Field(metadata.get("field_generator")))
    return "{2} weights and {3} biases are a basis of all matrices ({0} x {1}) and vectors".format(*sizes) + f" unchanged under its {len(names)} generators"


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        return print(__doc__) or int(not paths) * 2
    status = 0
    for path in paths:
        try:
            print(f"{path}: accepted: {check(path)}")
        except Refused as reason:
            status = max(status, print(f"{path}: refused: {reason}") or 1)
        except Exception as error:  # of a stranger's file: whatever NumPy, zipfile and json say
            status = print(f"{path}: cannot be read: {type(error).__name__}: {error}") or 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
