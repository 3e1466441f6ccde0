"""Table files with proofs for the tests of the checkers, made without Intertwine: generators, brute-force tables,
tampering, a writer.

A signed image is an integer s (1 + i') as in the files: the generator sends the basis vector e_i to s e_i'. A table is
what `tied_table` returns.
"""

from __future__ import annotations

import copy
import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

ITEM = {
    "I64": np.dtype("<i8"),
    "F64": np.dtype("<f8"),
    "I32": np.dtype("<i4"),
    "U16": np.dtype("<u2"),
    "U8": np.dtype("u1"),
}


def write_safetensors(path: Path, metadata: dict[str, str], arrays: dict[str, np.ndarray]) -> None:
    """Wider items first, within a width by name, as docs/formats.md has it."""
    names = {np.dtype(item): name for name, item in ITEM.items()}
    order = sorted(arrays, key=lambda key: (list(ITEM).index(names[arrays[key].dtype]), key))
    header: dict[str, object] = {"__metadata__": metadata}
    offset = 0
    for key in order:
        size = arrays[key].nbytes
        header[key] = {
            "dtype": names[arrays[key].dtype],
            "shape": list(arrays[key].shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(
        len(text).to_bytes(8, "little") + text + b"".join(np.ascontiguousarray(arrays[key]).tobytes() for key in order)
    )


# ---------------------------------------------------------------- signed permutations


def matrix(image: list[int]) -> np.ndarray:
    a = np.zeros((len(image), len(image)), dtype=np.int64)
    for i, x in enumerate(image):
        a[abs(x) - 1, i] = 1 if x > 0 else -1
    return a


def direct_sum(*images: list[int]) -> list[int]:
    out: list[int] = []
    for image in images:
        n = len(out)
        out += [x + n if x > 0 else x - n for x in image]
    return out


def tensor(x: list[int], y: list[int]) -> list[int]:
    n = len(y)
    return [(1 if a * b > 0 else -1) * ((abs(a) - 1) * n + abs(b)) for a in x for b in y]


def permutation_sign(image: list[int]) -> int:
    return round(np.linalg.det(np.abs(matrix(image)) * np.sign(matrix(image))))


def named_actions() -> dict[str, tuple[list[list[int]], list[list[int]]]]:
    """For each name the generators' images on the rows and on the columns."""
    out: dict[str, tuple[list[list[int]], list[list[int]]]] = {}
    for n in (2, 3, 5, 7):
        perm = [[2, 1, *range(3, n + 1)], [*range(2, n + 1), 1]]
        sign = [[permutation_sign(g)] for g in perm]
        out[f"S{n}: perm to perm"] = (perm, perm)
        out[f"S{n}: perm to perm times sign"] = ([tensor(g, s) for g, s in zip(perm, sign)], perm)
        out[f"S{n}: perm to perm + sign + trivial"] = ([direct_sum(g, s, [1]) for g, s in zip(perm, sign)], perm)
        out[f"S{n}: pairs to perm"] = (perm, [tensor(g, g) for g in perm])
        out[f"S{n}: sign to sign"] = (sign, sign)
    for n in (1, 2, 5, 6):
        signed = [[*range(2, n + 1), -1]]
        shift = [[*range(2, n + 1), 1]] * 1
        out[f"C{2 * n}: signed shift to signed shift"] = (signed, signed)
        out[f"C{2 * n}: shift to signed shift"] = (signed, shift)
    for n in (3, 4, 6):
        rotate, reflect = [*range(2, n + 1), 1], [(-i) % n + 1 for i in range(n)]
        out[f"D{n}: points to points"] = ([rotate, reflect], [rotate, reflect])
        out[f"D{n}: points to oriented edges"] = ([rotate, [-((-i - 1) % n + 1) for i in range(n)]], [rotate, reflect])
    out["no generators"] = ([], [])
    out["trivial action"] = ([[1, 2, 3]], [[1, 2]])
    out["everything is zero"] = ([[1, 2]], [[-1, -2, -3]])
    return out


def random_actions(count: int, seed: int) -> dict[str, tuple[list[list[int]], list[list[int]]]]:
    """Generators drawn at random among signed permutations with small orbits, so that tables have several parameters
    and zeros."""
    random = np.random.default_rng(seed)

    def image(n: int) -> list[int]:
        points = np.arange(n)
        for _ in range(random.integers(0, 3)):
            a, b = random.integers(0, n, 2)
            points[[a, b]] = points[[b, a]]
        return [int(p + 1) * (-1 if random.random() < 0.15 else 1) for p in points]

    out = {}
    for k in range(count):
        m, n, g = (int(x) for x in (random.integers(1, 8), random.integers(1, 8), random.integers(1, 4)))
        out[f"random {k}"] = ([image(m) for _ in range(g)], [image(n) for _ in range(g)])
    return out


# ---------------------------------------------------------------- tied tables


@dataclass
class Tied:
    rows: int
    cols: int
    row_images: list[list[int]]
    column_images: list[list[int]]
    params: int = 0
    bias_params: int = 0
    code: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    bias: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    orbit_size: list[int] | None = None

    def write(self, path: Path, wide: str = "U16", **metadata: str) -> Path:
        def codes(values: np.ndarray, parameters: int, wide: str) -> np.ndarray:
            return values.astype(ITEM["U8"] if 2 * parameters + 1 <= 256 else ITEM[wide])

        sizes = self.orbit_size
        if sizes is None:
            sizes = [int(np.isin(self.code, (1 + k, 1 + self.params + k)).sum()) for k in range(self.params)]
        g = len(self.row_images)
        arrays = {
            "weight.orbit_size": np.array(sizes, dtype=ITEM["I64"]),
            "weight.code": codes(self.code, self.params, wide),
            "bias.code": codes(self.bias, self.bias_params, "I32"),
            "proof.row_images": np.array(self.row_images, dtype=ITEM["I32"]).reshape(g, self.rows),
            "proof.column_images": np.array(self.column_images, dtype=ITEM["I32"]).reshape(g, self.cols),
        }
        text = {
            "intertwine.format": "tied-table",
            "intertwine.version": "1",
            "intertwine.kind": "signed-orbit",
            "intertwine.rows": str(self.rows),
            "intertwine.cols": str(self.cols),
            "intertwine.params": str(self.params),
            "intertwine.bias_params": str(self.bias_params),
            "intertwine.proof": json.dumps({"form": "signed-permutations", "generators": [f"g{k}" for k in range(g)]}),
        }
        write_safetensors(path, text | metadata, arrays)
        return path


def orbits(row_images: list[list[int]], column_images: list[list[int]], m: int, n: int) -> tuple[int, np.ndarray]:
    """The codes by the slowest honest way: each orbit of signed entries is listed in full."""
    code = np.zeros((m, n), dtype=np.int64)
    seen = np.zeros((m, n), dtype=bool)
    found: list[set[tuple[int, int, int]]] = []
    for i in range(m):
        for j in range(n):
            if seen[i, j]:
                continue
            orbit = {(i, j, 1)}
            todo = [(i, j, 1)]
            while todo:
                a, b, s = todo.pop()
                for r, c in zip(row_images, column_images):
                    x, y = r[a], c[b]
                    e = (abs(x) - 1, abs(y) - 1, s if x * y > 0 else -s)
                    if e not in orbit:
                        orbit.add(e)
                        todo.append(e)
            for a, b, _ in orbit:
                seen[a, b] = True
            if (i, j, -1) not in orbit:
                found.append(orbit)
    for k, orbit in enumerate(found):
        for a, b, s in orbit:
            code[a, b] = 1 + k if s > 0 else 1 + len(found) + k
    return len(found), code


def nullity(row_images: list[list[int]], column_images: list[list[int]], m: int, n: int) -> int:
    """dim Hom by linear algebra: the rank of W |-> A W - W B in floating point, small and with entries 0, 1, -1, 2, -2."""
    blocks = [
        np.kron(matrix(r), np.eye(n)) - np.kron(np.eye(m), matrix(c).T) for r, c in zip(row_images, column_images)
    ]
    return m * n - int(np.linalg.matrix_rank(np.concatenate(blocks))) if blocks else m * n


def tied_table(
    row_images: list[list[int]], column_images: list[list[int]], m: int | None = None, n: int | None = None
) -> Tied:
    m = len(row_images[0]) if m is None else m
    n = len(column_images[0]) if n is None else n
    ones = [[1]] * len(row_images)
    params, code = orbits(row_images, column_images, m, n)
    bias_params, bias = orbits(row_images, ones, m, 1)
    assert params == nullity(row_images, column_images, m, n) and bias_params == nullity(row_images, ones, m, 1)
    return Tied(m, n, row_images, column_images, params, bias_params, code, bias[:, 0])


# ---------------------------------------------------------------- tampering


def renumbered(code: np.ndarray, old: int, new: int, parameter: dict[int, int]) -> np.ndarray:
    """Codes for `new` parameters from those for `old`, parameter k becoming parameter[k] and what is not there zero."""
    table = np.zeros(2 * old + 1, dtype=np.int64)
    for k, to in parameter.items():
        table[1 + k], table[1 + old + k] = 1 + to, 1 + new + to
    return table[code]


def tampered(table: Tied) -> dict[str, tuple[Tied, str]]:
    """What can be done to a table so that it is false, each with what a checker has to say."""
    out: dict[str, tuple[Tied, str]] = {}
    p, q = table.params, table.bias_params

    def add(name: str, reason: str, **changes: object) -> None:
        other = copy.deepcopy(table)
        for key, value in changes.items():
            setattr(other, key, value)
        out[name] = (other, reason)

    sizes = [int(np.isin(table.code, (1 + k, 1 + p + k)).sum()) for k in range(p)]
    keep = {k: k for k in range(p)}
    large = [k for k in range(p) if sizes[k] >= 2]
    if large:
        k = large[0]
        i, j = np.argwhere(np.isin(table.code, (1 + k, 1 + p + k)))[-1]
        code = table.code.copy()
        code[i, j] = code[i, j] + p if code[i, j] <= p else code[i, j] - p
        add("sign", "not equivariant", code=code)
        code = table.code.copy()
        code[i, j] = 0
        add("entry", "not equivariant", code=code)
        code = renumbered(table.code, p, p + 1, keep)
        code[i, j] += 1 + p - (1 + k)  # the new parameter p, with the sign that was there
        add("orbit split", "not equivariant", code=code, params=p + 1)
    if p >= 2:
        add(
            "orbits merged",
            "more than one orbit",
            code=renumbered(table.code, p, p - 1, {k: max(k - 1, 0) for k in range(p)}),
            params=p - 1,
        )
        add("empty pattern", "is empty", code=renumbered(table.code, p, p, keep | {1: 0}))
    if p >= 1:
        zeroed = {k: k for k in range(p - 1)}
        add(
            "pattern zeroed",
            "does not meet its own negative",
            code=renumbered(table.code, p, p - 1, zeroed),
            params=p - 1,
        )
        add("orbit size", "orbit_size", orbit_size=[s + (k == 0) for k, s in enumerate(sizes)])
        code = table.code.copy()
        code[code != 0] = 2 * p + 1
        add("code out of range", "out of range", code=code)
    zeros = np.argwhere(table.code == 0)
    if len(zeros):
        code = renumbered(table.code, p, p + 1, keep)
        code[tuple(zeros[0])] = 1 + p
        add("zero filled", "not equivariant", code=code, params=p + 1)
    if q >= 1:
        add(
            "bias zeroed",
            "bias: not complete",
            bias=renumbered(table.bias, q, q - 1, {k: k for k in range(q - 1)}),
            bias_params=q - 1,
        )
    if (table.bias == 0).any():
        bias = renumbered(table.bias, q, q + 1, {k: k for k in range(q)})
        bias[np.argmax(table.bias == 0)] = 1 + q
        add("bias filled", "bias: not equivariant", bias=bias, bias_params=q + 1)
    if table.row_images:
        if table.rows >= 2:
            images = copy.deepcopy(table.row_images)
            images[0][0] = images[0][1]
            add("rows collide", "no signed permutation of the rows", row_images=images)
        images = copy.deepcopy(table.column_images)
        images[-1][0] = table.cols + 1
        add("column out of range", "no signed permutation of the columns", column_images=images)
        images = copy.deepcopy(table.row_images)
        images[-1][0] = 0
        add("image zero", "no signed permutation of the rows", row_images=images)
        identity = (list(range(1, table.rows + 1)), list(range(1, table.cols + 1)))
        for name, replaced in (("removed", identity), ("changed", (identity[0], [-x for x in identity[1]]))):
            rows, cols = [replaced[0], *table.row_images[1:]], [replaced[1], *table.column_images[1:]]
            other = tied_table(rows, cols)
            if other.params > p:
                add(f"generator {name}", "not complete", row_images=rows, column_images=cols)
            elif other.params < p:
                add(f"generator {name}", "not equivariant", row_images=rows, column_images=cols)
    return out


# ---------------------------------------------------------------- sparse bases over Q


Matrix = list[list[Fraction]]


def rational(rows: list[list[int]] | np.ndarray) -> Matrix:
    return [[Fraction(int(x)) for x in row] for row in rows]


def times(a: Matrix, b: Matrix) -> Matrix:
    return [[sum((x * y for x, y in zip(row, column)), Fraction(0)) for column in zip(*b)] for row in a]


def kronecker(a: Matrix, b: Matrix) -> Matrix:
    return [[x * y for x in r for y in s] for r in a for s in b]


def plus(a: Matrix, b: Matrix) -> Matrix:
    return [[x + y for x, y in zip(r, s)] for r, s in zip(a, b)]


def unit(n: int) -> Matrix:
    return [[Fraction(i == j) for j in range(n)] for i in range(n)]


def nullspace(equations: list[list[Fraction]], unknowns: int) -> list[list[int]]:
    """An integral basis of the solutions, by Gauss and Jordan over Q."""
    rows: list[tuple[int, list[Fraction]]] = []
    for equation in equations:
        row = equation[:]
        for pivot, other in rows:
            if row[pivot]:
                row = [x - row[pivot] * y for x, y in zip(row, other)]
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is None:
            continue
        row = [x / row[pivot] for x in row]
        rows = [(q, [x - other[pivot] * y for x, y in zip(other, row)]) for q, other in rows] + [(pivot, row)]
    pivots = dict(rows)
    out = []
    for free in (k for k in range(unknowns) if k not in pivots):
        vector = [-pivots[k][free] if k in pivots else Fraction(k == free) for k in range(unknowns)]
        scale = math.lcm(*(x.denominator for x in vector))
        out.append([int(x * scale) for x in vector])
    return out


def intertwiners(rows: list[Matrix], columns: list[Matrix], m: int, n: int) -> list[list[int]]:
    """The W with A W = W B, each as its entries in C order."""
    equations = []
    for a, b in zip(rows, columns):
        for i in range(m):
            for j in range(n):
                equation = [Fraction(0)] * (m * n)
                for k in range(m):
                    equation[k * n + j] += a[i][k]
                for k in range(n):
                    equation[i * n + k] -= b[k][j]
                equations.append(equation)
    return nullspace(equations, m * n)


@dataclass
class Sparse:
    row_matrices: list[Matrix]
    column_matrices: list[Matrix]
    kinds: list[str]
    elements: list[list[int]] = field(default_factory=list)
    bias: list[list[int]] = field(default_factory=list)
    prime: int = 1073741827

    @property
    def rows(self) -> int:
        return len(self.row_matrices[0])

    @property
    def cols(self) -> int:
        return len(self.column_matrices[0])

    def write(self, path: Path, **metadata: str) -> Path:
        arrays: dict[str, np.ndarray] = {}

        def put(name: str, dtype: str, values: object, *shape: int) -> None:
            array = np.array(values, dtype=ITEM[dtype])
            arrays[name] = array.reshape(shape) if shape else array

        for axis, matrices in (("row", self.row_matrices), ("column", self.column_matrices)):
            entries = [[(i, j, x) for i, row in enumerate(a) for j, x in enumerate(row) if x] for a in matrices]
            flat = [e for part in entries for e in part]
            put(f"proof.{axis}_ptr", "I64", np.cumsum([0, *map(len, entries)]))
            put(f"proof.{axis}_row", "I32", [e[0] for e in flat])
            put(f"proof.{axis}_col", "I32", [e[1] for e in flat])
            put(f"proof.{axis}_numerator", "I64", [e[2].numerator for e in flat], 1, len(flat))
            put(f"proof.{axis}_denominator", "I64", [e[2].denominator for e in flat])
        for prefix, vectors in (("weight", self.elements), ("bias", self.bias)):
            entries = [[(k, x) for k, x in enumerate(v) if x] for v in vectors]
            flat = [e for part in entries for e in part]
            put(f"{prefix}.basis_ptr", "I64", np.cumsum([0, *map(len, entries)]))
            put(f"{prefix}.basis_val", "F64", [e[1] for e in flat])
            if prefix == "weight":
                put("weight.basis_row", "I32", [e[0] // self.cols for e in flat])
                put("weight.basis_col", "I32", [e[0] % self.cols for e in flat])
            else:
                put("bias.basis_row", "I32", [e[0] for e in flat])
        proof = {
            "form": "matrices",
            "generators": [f"g{k}" for k in range(len(self.kinds))],
            "generator_kinds": self.kinds,
            "prime": str(self.prime),
        }
        text = {
            "intertwine.format": "tied-table",
            "intertwine.version": "1",
            "intertwine.kind": "sparse-basis",
            "intertwine.rows": str(self.rows),
            "intertwine.cols": str(self.cols),
            "intertwine.params": str(len(self.elements)),
            "intertwine.bias_params": str(len(self.bias)),
            "intertwine.proof": json.dumps(proof),
        }
        write_safetensors(path, text | metadata, arrays)
        return path


def sparse_basis(rows: list[Matrix], columns: list[Matrix], kinds: list[str] | None = None) -> Sparse:
    kinds = kinds or ["group"] * len(rows)
    one = [[[Fraction(kind == "group")]] for kind in kinds]
    m, n = len(rows[0]), len(columns[0])
    return Sparse(rows, columns, kinds, intertwiners(rows, columns, m, n), intertwiners(rows, one, m, 1))


def standard(image: list[int]) -> Matrix:
    """A permutation on the vectors with sum 0, in the basis e_i - e_n."""
    a = matrix(image)
    return rational(a[:-1, :-1] - a[:-1, -1:])


def sparse_bases() -> dict[str, Sparse]:
    out = {}
    for n in (3, 4):
        perm = [[2, 1, *range(3, n + 1)], [*range(2, n + 1), 1]]
        std, points = [standard(g) for g in perm], [rational(matrix(g)) for g in perm]
        square = [kronecker(a, a) for a in std]
        out[f"S{n}: std to std"] = sparse_basis(std, std)
        out[f"S{n}: std squared to std"] = sparse_basis(std, square)
        out[f"S{n}: std to perm"] = sparse_basis(points, std)
        out[f"S{n}: perm to std squared"] = sparse_basis(square, points)
    # so(3) on space, and sl(2) on quadratic forms, as Lie algebras; with a reflection of the group beside them.
    rotations = [
        rational(r)
        for r in (
            [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
            [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
            [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
        )
    ]
    tensors = [plus(kronecker(a, unit(3)), kronecker(unit(3), a)) for a in rotations]
    out["so(3): space to space"] = sparse_basis(rotations, rotations, ["algebra"] * 3)
    out["so(3): tensors to space"] = sparse_basis(rotations, tensors, ["algebra"] * 3)
    out["so(3): space to tensors"] = sparse_basis(tensors, rotations, ["algebra"] * 3)
    minus = rational(-np.eye(3, dtype=int))
    out["O(3): space to tensors"] = sparse_basis([*tensors, unit(9)], [*rotations, minus], ["algebra"] * 3 + ["group"])
    # Conjugates of signed permutations, with denominators.
    random = np.random.default_rng(7)
    for k, (rows, columns) in enumerate(list(random_actions(40, seed=5).values())):

        def conjugated(images: list[list[int]]) -> list[Matrix]:
            n = len(images[0])
            upper = [
                [
                    Fraction(int(random.integers(1, 4))) if i == j else Fraction(int(random.integers(-1, 2)) * (j > i))
                    for j in range(n)
                ]
                for i in range(n)
            ]
            columns_of_inverse = []
            for j in range(n):
                x = [Fraction(0)] * n
                for i in reversed(range(n)):
                    x[i] = (Fraction(i == j) - sum(upper[i][l] * x[l] for l in range(i + 1, n))) / upper[i][i]
                columns_of_inverse.append(x)
            inverse = [list(row) for row in zip(*columns_of_inverse)]
            return [times(times(upper, rational(matrix(image))), inverse) for image in images]

        if len(rows[0]) * len(columns[0]) <= 16:
            out[f"conjugates {k}"] = sparse_basis(conjugated(rows), conjugated(columns))
    return out


def rank(vectors: list[list[int]]) -> int:
    return int(np.linalg.matrix_rank(np.array(vectors, dtype=float)))


def tampered_sparse(table: Sparse) -> dict[str, tuple[Sparse, str]]:
    out: dict[str, tuple[Sparse, str]] = {}

    def add(name: str, reason: str, **changes: object) -> None:
        other = copy.deepcopy(table)
        for key, value in changes.items():
            setattr(other, key, value)
        out[name] = (other, reason)

    for name, vectors, key in (("weight", table.elements, "elements"), ("bias", table.bias, "bias")):
        if vectors:
            add(f"{name} short by one", f"{name}: not complete", **{key: vectors[:-1]})
            changed = [vectors[0][:], *vectors[1:]]
            changed[0][next(k for k, x in enumerate(changed[0]) if x)] += 1
            if rank([*vectors, changed[0]]) > rank(vectors):  # what is no combination of a basis is not equivariant
                add(f"{name} value", f"{name}: not equivariant", **{key: changed})
            add(f"{name} repeated", f"{name}: the elements are dependent", **{key: [*vectors, vectors[0]]})
        if len(vectors) >= 2:
            sums = [*vectors[:-1], [x + y for x, y in zip(vectors[0], vectors[1])]]
            if len(vectors) > 2:
                add(f"{name} dependent", f"{name}: the elements are dependent", **{key: sums})
    a = copy.deepcopy(table.row_matrices)
    a[0][0][0] += Fraction(1, 3)
    if table.elements and any(v[: table.cols] != [0] * table.cols for v in table.elements):
        add("generator changed", "not equivariant", row_matrices=a)
    return out
