"""Exact bounds of semidefinite programs and of polynomials: found near what a solver says, verified, and kept in files."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ._errors import FileError, VerificationError
from ._tableaux import Filling, Tableaux, monomial_product, orbit_size, times
from ._words import Algebra

Entries = dict[tuple[int, int], Fraction]
FORMAT = "intertwine bound"
MOST_BYTES = 1 << 30


# --- Exact semidefiniteness -------------------------------------------------------------------------------------------


def components(entries: Entries, rows: Iterable[int]) -> list[list[int]]:
    """The rows that entries join, each list in ascending order."""
    parent = {i: i for i in rows}

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in entries:
        a, b = root(i), root(j)
        if a != b:
            parent[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for i in parent:
        found.setdefault(root(i), []).append(i)
    return list(found.values())


def _dominant(M: Any) -> bool:
    """Whether a congruent matrix R M R^T is strictly diagonally dominant with a positive diagonal, in whole numbers. Then
    M is positive definite; nothing is said otherwise.

    R is triangular with numbers of 40 bits, near the inverse of the Cholesky factor in doubles. Its numbers do not grow
    as those of an elimination do.
    """
    import numpy

    size = max(abs(int(x)) for x in M.diagonal())
    if size == 0:
        return False
    near = numpy.array([[float(Fraction(int(x), size)) for x in row] for row in M])
    try:
        inverse = numpy.linalg.inv(numpy.linalg.cholesky(near))
    except numpy.linalg.LinAlgError:
        return False
    if not numpy.isfinite(inverse).all():
        return False
    R = numpy.array([[round(float(x) * 2**40) for x in row] for row in numpy.tril(inverse)], dtype=object)
    if any(R[k, k] == 0 for k in range(len(R))):
        return False
    T = R.dot(M).dot(R.T)
    return all(2 * T[k, k] > sum(abs(x) for x in T[k]) for k in range(len(T)))


def indefinite(entries: Entries, rows: int) -> str | None:
    """Why a symmetric matrix is not positive semidefinite, from its upper triangle; None if it is.

    Elimination on the diagonal without fractions [Bareiss 1968]. What is left is a positive multiple of the Schur
    complement, whose diagonal has to be nonnegative, and a row with 0 there has to vanish.
    """
    import numpy

    from ._core import poll_limits

    for part in components(entries, range(rows)):
        place = {i: k for k, i in enumerate(part)}
        n = len(part)
        own = [(place[i], place[j], x) for (i, j), x in entries.items() if i in place]
        scale = math.lcm(1, *(x.denominator for _, _, x in own))
        M = numpy.zeros((n, n), dtype=object)
        for i, j, x in own:
            M[i, j] = M[j, i] = int(x * scale)
        if n >= 24 and _dominant(M):
            continue
        left = list(range(n))
        previous = 1
        while len(M):
            poll_limits()
            diagonal = M.diagonal()
            for k in range(len(M)):
                if diagonal[k] < 0:
                    return f"the elimination meets a negative number on the diagonal, at row {part[left[k]]} (from 0)"
                if diagonal[k] == 0 and M[k].any():
                    return f"the elimination meets 0 on the diagonal in row {part[left[k]]} (from 0), which is not 0"
            kept = [k for k in range(len(M)) if diagonal[k]]
            if not kept:
                break
            pivot, rest = kept[0], kept[1:]
            column, d = M[rest, pivot], M[pivot, pivot]
            M = (d * M[numpy.ix_(rest, rest)] - numpy.multiply.outer(column, column)) // previous
            left, previous = [left[k] for k in rest], d
    return None


# --- The value --------------------------------------------------------------------------------------------------------


class Certificate:
    """An exact lower bound with all that proves it, as certificate() of a reduction gives it.

    Attributes
    ----------
    kind : str
        'lower bound' of a semidefinite program, 'sum of squares' of a polynomial, 'symmetric sum of squares' of one in
        many variables, or 'sum of hermitian squares' of words.
    bound : Fraction or None
        The optimum, or the polynomial, is nowhere less. None of a form, which is a sum of squares without a bound.
    data : dict
        What `save` writes: the problem or the polynomial, and the multipliers or the Gram matrices.

    Examples
    --------
    >>> from intertwine.sdp import theta
    >>> certificate = theta([(0, 1), (1, 2), (2, 0)]).certificate([-1, -1])
    >>> certificate
    <Certificate of a lower bound, -1>
    >>> certificate.verify()
    True
    """

    data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        object.__setattr__(self, "data", data)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name!r} of a certificate cannot be set: it is what was verified or read")

    @property
    def kind(self) -> str:
        """'lower bound', 'sum of squares', 'symmetric sum of squares' or 'sum of hermitian squares'."""
        return str(self.data["kind"])

    @property
    def bound(self) -> Fraction | None:
        """The rational number that is proved."""
        bound = self.data["bound"]
        return None if bound is None else Fraction(bound)

    def verify(self) -> bool:
        """Checks everything, exactly, from what the file has.

        Returns
        -------
        bool
            True.

        Raises
        ------
        VerificationError
            naming what does not hold.
        """
        {
            "lower bound": _verify_dual,
            "sum of squares": _verify_squares,
            "symmetric sum of squares": _verify_symmetric,
            "sum of hermitian squares": _verify_words,
        }[self.kind](self.data)
        return True

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file of JSON that `load` and checkers/check_bound.py read."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.data, file, ensure_ascii=False, separators=(",", ":"))
            file.write("\n")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Certificate:
        """Reads a file that `save` has written, without verifying it.

        Raises
        ------
        FileError
            for what is no such file.
        """
        name = os.fspath(path)
        try:
            if os.path.getsize(path) > MOST_BYTES:
                raise FileError(f"{name} has more than {MOST_BYTES} bytes")
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
        except OSError as error:
            raise FileError(f"{name} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise FileError(f"{name} is no JSON: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT or repr(data.get("version")) != "1":
            raise FileError(f"{name} is no certificate of a bound: its format is not '{FORMAT}', version 1")
        kinds: dict[str, dict[str, Any]] = {
            "lower bound": _DUAL,
            "sum of squares": _SQUARES,
            "symmetric sum of squares": _SYMMETRIC,
            "sum of hermitian squares": _WORDS,
        }
        kind = data.get("kind")
        shape = kinds.get(kind) if isinstance(kind, str) else None
        if shape is None:
            raise FileError(f"{name} is no certificate of a bound: its kind is not one of {', '.join(kinds)}")
        head = {k: data[k] for k in ("format", "version", "kind")}
        members = {k: x for k, x in data.items() if k not in head}
        if not _has_members(members, shape):
            raise FileError(f"{name} has other members than {', '.join(map(_bare, shape))}")
        try:
            for k in shape:
                if _bare(k) in members:
                    _checked(members[_bare(k)], shape[k], _bare(k))
            return Certificate({**head, **{_bare(k): members[_bare(k)] for k in shape if _bare(k) in members}})
        except ValueError as error:
            raise FileError(f"{name}: {error}") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self.data == other.data

    def __hash__(self) -> int:
        return hash(json.dumps(self.data, sort_keys=True))

    def __repr__(self) -> str:
        bound = "" if self.bound is None else f", {self.bound}"
        return f"<Certificate of a {self.kind}{bound}>"


# The members of a file and their types: a word, a number as text, a whole number, or a list of such. Those with a ? may
# be left out.
_TERMS = [([int], "number")]
_DUAL = {
    "bound": "number",
    "blocks": [int],
    "C": [(int, int, "number")],
    "A": [[(int, int, "number")]],
    "b": ["number"],
    "y": ["number"],
}
_WORDS = {
    "bound": "number",
    "operators": [(str, str, str)],
    "squares": str,
    "polynomial": _TERMS,
    "blocks": [{"words": [[int]], "gram": [["number"]]}],
}
_SQUARES = {
    "bound": "number or null",
    "variables": [str],
    "polynomial": _TERMS,
    "inequalities": [_TERMS],
    "blocks": [{"multiplier": int, "monomials": [[int]], "gram": [["number"]]}],
}
_SYMMETRIC = {
    "bound": "number or null",
    "variables": int,
    "polynomial": _TERMS,
    "inequalities": [_TERMS],
    "each?": [[(int, "number")]],
    "blocks": [
        {
            "multiplier": int,
            "shapes": ([int], [int]),
            "sign": int,
            "rows": [([[int]], [[int]])],
            "powers?": [int],
            "gram": [["number"]],
        }
    ],
}


def _bare(member: str) -> str:
    return member.removesuffix("?")


def _has_members(value: dict[str, Any], shape: dict[str, Any]) -> bool:
    return {k for k in shape if k == _bare(k)} <= set(value) <= set(map(_bare, shape))


def _checked(value: Any, shape: Any, what: str) -> Any:
    """The value, if it has the shape; ValueError says where it has not."""
    if shape in ("number", "number or null"):
        if shape == "number or null" and value is None:
            return value
        text = value.removeprefix("-") if isinstance(value, str) else ""
        top, slash, below = text.partition("/")
        if not (top.isascii() and top.isdigit()) or (
            slash and not (below.isascii() and below.isdigit() and int(below))
        ):
            raise ValueError(f'{what} is no rational number such as "-1/2"')
    elif isinstance(shape, tuple):
        if not isinstance(value, list) or len(value) != len(shape):
            raise ValueError(f"{what} is no list of {len(shape)} entries")
        for k, part in enumerate(shape):
            _checked(value[k], part, f"{what}[{k}]")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise ValueError(f"{what} is no list")
        for k, x in enumerate(value):
            _checked(x, shape[0], f"{what}[{k}]")
    elif isinstance(shape, dict):
        if not isinstance(value, dict) or not _has_members(value, shape):
            raise ValueError(f"{what} does not have the members {', '.join(map(_bare, shape))}")
        for k, part in shape.items():
            if _bare(k) in value:
                _checked(value[_bare(k)], part, f"{what}.{_bare(k)}")
    elif not isinstance(value, shape) or isinstance(value, bool):
        raise ValueError(f"{what} is not {'a whole number' if shape is int else 'text'}")
    return value


def _hold(condition: bool, reason: str) -> None:
    if not condition:
        raise VerificationError(f"the certificate does not hold: {reason}")


def _matrix(entries: list[Any], rows: int, what: str) -> Entries:
    found: Entries = {}
    for i, j, x in entries:
        _hold(0 <= i <= j < rows, f"{what} has an entry ({i}, {j}) outside of the upper triangle of {rows} rows")
        _hold((i, j) not in found, f"{what} has the entry ({i}, {j}) twice")
        found[i, j] = Fraction(x)
    return found


def slack(C: Entries, A: list[Entries], y: list[Fraction]) -> Entries:
    """C - Σ y_k A_k."""
    found = dict(C)
    for matrix, factor in zip(A, y):
        if factor:
            for at, x in matrix.items():
                found[at] = found.get(at, Fraction(0)) - factor * x
    return {at: x for at, x in found.items() if x}


def _verify_dual(data: dict[str, Any]) -> None:
    blocks = data["blocks"]
    rows = sum(map(abs, blocks))
    _hold(0 not in blocks, "a block has no rows")
    owner, diagonal = [], []
    for k, size in enumerate(blocks):
        owner += [k] * abs(size)
        diagonal += [size < 0] * abs(size)
    C = _matrix(data["C"], rows, "C")
    A = [_matrix(entries, rows, f"A[{k}]") for k, entries in enumerate(data["A"])]
    for matrix in [C, *A]:
        for i, j in matrix:
            _hold(owner[i] == owner[j] and (i == j or not diagonal[i]), f"an entry ({i}, {j}) is in no block")
    _hold(len(A) == len(data["b"]) == len(data["y"]), "A, b and y have different lengths")
    b, y = ([Fraction(x) for x in data[k]] for k in ("b", "y"))
    total = sum((p * q for p, q in zip(b, y)), Fraction(0))
    _hold(total == Fraction(data["bound"]), f"the sum of b_k y_k is {total}, not the bound {data['bound']}")
    reason = indefinite(slack(C, A, y), rows)
    _hold(reason is None, f"C - Σ y_k A_k is not positive semidefinite: {reason}")


def _verify_squares(data: dict[str, Any]) -> None:
    n = len(data["variables"])

    def terms(given: list[Any], what: str) -> dict[tuple[int, ...], Fraction]:
        found: dict[tuple[int, ...], Fraction] = {}
        for key, x in given:
            _hold(len(key) == n and min(key, default=0) >= 0, f"{what} has exponents {key} of {n} variables")
            _hold(tuple(key) not in found, f"{what} has the term {key} twice")
            found[tuple(key)] = Fraction(x)
        return found

    left = terms(data["polynomial"], "the polynomial")
    if data["bound"] is not None:
        one = (0,) * n
        left[one] = left.get(one, Fraction(0)) - Fraction(data["bound"])
    multipliers = [{(0,) * n: Fraction(1)}]
    multipliers += [terms(g, f"inequality {k}") for k, g in enumerate(data["inequalities"])]
    for k, block in enumerate(data["blocks"]):
        rows = block["monomials"]
        _hold(0 <= block["multiplier"] < len(multipliers), f"block {k} has no multiplier {block['multiplier']}")
        terms([[key, "1"] for key in rows], f"block {k}")
        for (i, j), x in _gram(block["gram"], len(rows), k).items():
            for key, factor in multipliers[block["multiplier"]].items():
                at = tuple(a + b + c for a, b, c in zip(rows[i], rows[j], key))
                left[at] = left.get(at, Fraction(0)) - x * factor
    _hold_zero(left)


def _verify_symmetric(data: dict[str, Any]) -> None:
    n = data["variables"]
    _hold(n > 0, f"there are {n} variables")

    def terms(given: list[Any], what: str) -> dict[tuple[int, ...], Fraction]:
        found: dict[tuple[int, ...], Fraction] = {}
        for key, x in given:
            _hold(_is_partition(key) and len(key) <= n, f"{what} has {key}, no partition of at most {n} parts")
            _hold(tuple(key) not in found, f"{what} has the term {key} twice")
            found[tuple(key)] = Fraction(x)
        return found

    left = terms(data["polynomial"], "the polynomial")
    if data["bound"] is not None:
        left[()] = left.get((), Fraction(0)) - Fraction(data["bound"])
    multipliers: list[dict[tuple[int, ...], Fraction]] = [{(): Fraction(1)}]
    multipliers += [terms(g, f"inequality {k}") for k, g in enumerate(data["inequalities"])]
    first_each = len(multipliers)
    for given in data.get("each", []):
        exponents = [key for key, _ in given]
        _hold(min(exponents, default=0) >= 0 and len(set(exponents)) == len(exponents), "an exponent is there twice")
        multipliers.append({(key,): Fraction(x) for key, x in given})
    for k, block in enumerate(data["blocks"]):
        _hold(0 <= block["multiplier"] < len(multipliers), f"block {k} has no multiplier {block['multiplier']}")
        each = block["multiplier"] >= first_each
        powers, boxes = block.get("powers", [0] * len(block["rows"])), n - each
        _hold(
            len(powers) == len(block["rows"]) and min(powers, default=0) >= 0 and (each or not any(powers)),
            f"block {k} has powers {powers} of the first variable",
        )
        shapes, sign, rows = [tuple(shape) for shape in block["shapes"]], block["sign"], block["rows"]
        _hold(
            all(map(_is_partition, shapes)) and sum(map(sum, shapes)) == boxes,
            f"block {k} has no two shapes of {boxes} boxes",
        )
        _hold(sign == 0 or (sign in (1, -1) and shapes[0] == shapes[1]), f"block {k} has the sign {sign}")
        both = [[_filling(given, shape, f"block {k}") for given, shape in zip(row, shapes)] for row in rows]
        pair = [Tableaux(shape) for shape in shapes]
        for (i, j), x in _gram(block["gram"], len(rows), k).items():
            (A, B), (C, D) = both[i], both[j]
            parts = [(times(pair[0].counts(A, C), pair[1].counts(B, D)), 1)]
            if sign:
                parts.append((times(pair[0].counts(A, D), pair[1].counts(B, C)), sign))
            for counts, factor in parts:
                for pairs, count in counts.items():
                    kind = tuple(sorted((a + b for a, b in pairs), reverse=True))
                    for other, y in multipliers[block["multiplier"]].items():
                        if each:
                            first = powers[i] + powers[j] + sum(other)
                            to = tuple(sorted((*kind, *[first] * (first > 0)), reverse=True))
                            left[to] = left.get(to, Fraction(0)) - x * factor * count * y / orbit_size(n, to)
                            continue
                        value = x * factor * count * y / orbit_size(n, kind)
                        for to, z in monomial_product(n, kind, other):
                            left[to] = left.get(to, Fraction(0)) - value * z
    _hold_zero(left)


def _is_partition(parts: Sequence[int]) -> bool:
    return all(x > 0 for x in parts) and all(x >= y for x, y in zip(parts, parts[1:]))


def _filling(given: list[list[int]], shape: tuple[int, ...], what: str) -> Filling:
    """The smallest letter and the rows, the first of them without it, of a shape of at most eight rows."""
    _hold(len(given) == len(shape) + 1 <= 9 and len(given[0]) == 1, f"{what} has no tableau of the shape {list(shape)}")
    (bulk,), rows = given[0], given[1:]
    _hold(bulk >= 0 and (bulk == 0 or 0 < sum(shape) <= 64), f"{what} has the letter {bulk} in too many boxes")
    for r, row in enumerate(rows):
        fits = len(row) <= shape[0] and bulk not in row if r == 0 else len(row) == shape[r]
        _hold(fits and min(row, default=0) >= 0, f"{what} has a row {row} of a tableau of the shape {list(shape)}")
    return Filling(bulk, tuple(tuple(sorted(row)) for row in rows))


def _gram(given: list[list[str]], rows: int, k: int) -> Entries:
    """The upper triangle of a Gram matrix that is positive semidefinite, entries off the diagonal doubled."""
    _hold([len(row) for row in given] == list(range(1, rows + 1)), f"block {k} is no lower triangle of {rows} rows")
    entries = {(j, i): Fraction(x) for i, row in enumerate(given) for j, x in enumerate(row)}
    entries = {at: x for at, x in entries.items() if x}
    reason = indefinite(entries, rows)
    _hold(reason is None, f"the Gram matrix of block {k} is not positive semidefinite: {reason}")
    return {(i, j): x if i == j else 2 * x for (i, j), x in entries.items()}


def _hold_zero(left: dict[Any, Fraction]) -> None:
    wrong = next((key for key, x in left.items() if x), None)
    _hold(wrong is None, f"the sum of squares differs from the polynomial in the term {wrong}")


def _verify_words(data: dict[str, Any]) -> None:
    names, parties, settings = (tuple(entry[k] for entry in data["operators"]) for k in range(3))
    _hold(data["squares"] in ("1", "themselves"), "squares of operators are neither 1 nor themselves")
    signs = data["squares"] == "1"
    _hold(len(set(names)) == len(names), "two operators have one name")
    owner = dict(zip(settings, parties))
    _hold(all(owner[s] == p for s, p in zip(settings, parties)), "a setting belongs to two parties")
    _hold(not signs or len(set(settings)) == len(settings), "two operators with the square 1 have one setting")
    algebra = Algebra(names, parties, settings, signs)

    def word(given: list[int], what: str) -> tuple[int, ...]:
        _hold(all(0 <= x < len(names) for x in given), f"{what} has a letter that is no operator")
        return tuple(given)

    left: dict[tuple[int, ...], Fraction] = {}

    def add(letters: tuple[int, ...], x: Fraction) -> None:
        found = algebra.normal(letters)
        if found is not None:
            key = algebra.real(found)
            left[key] = left.get(key, Fraction(0)) + x

    for given, x in data["polynomial"]:
        add(word(given, "the polynomial"), Fraction(x))
    add((), -Fraction(data["bound"]))
    for k, block in enumerate(data["blocks"]):
        rows = [word(given, f"block {k}") for given in block["words"]]
        for (i, j), x in _gram(block["gram"], len(rows), k).items():
            add((*reversed(rows[i]), *rows[j]), -x)
    _hold_zero(left)


def gram_blocks(gram: Entries, rows: int) -> list[tuple[list[int], list[list[str]]]]:
    """The rows that a Gram matrix joins, with its lower triangle there, but for what is 0."""
    found = []
    for part in components(gram, range(rows)):
        lower = [[str(gram.get((part[b], part[a]), Fraction(0))) for b in range(a + 1)] for a in range(len(part))]
        if any(x != "0" for row in lower for x in row):
            found.append((part, lower))
    return found
