"""Semidefinite programs in files of other programs: CBF, as MOSEK has it, and MOF, the JSON of JuMP.

Numbers are the exact ones that the files write. Free variables are differences of two that are nonnegative, and an
inequality has a slack variable. Cones of other kinds and whole numbers are refused by name."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._errors import DomainError, FileError
from ._semidefinite import Form, Rows

if TYPE_CHECKING:
    from ._core import Problem

MOST_BYTES = 1 << 30
MOST_ROWS = 10_000_000
Affine = tuple[Form, Fraction]


@dataclass(frozen=True, repr=False)
class Model:
    """A semidefinite program from a file, as an exact Problem; read() gives it.

    Attributes
    ----------
    problem : Problem
        minimize ⟨C, X⟩: the objective without its constant, its negative where the model maximizes.
    maximize : bool
        Whether the optimum of the model is the constant minus that of `problem`; plus it otherwise.
    constant : Fraction
        The constant of the objective.
    places : dict
        Of every variable its places in X, (row, column, factor), whose sum is the value. A matrix variable of CBF is X0,
        X1, ..., with the first row of its block.
    """

    problem: Problem
    maximize: bool
    constant: Fraction
    places: dict[str, Any] = field(hash=False)

    def optimum(self, value: float) -> float:
        """That of the model, from the optimum of `problem`."""
        return float(self.constant) + (-value if self.maximize else value)

    def __repr__(self) -> str:
        return f"<Model to {'maximize' if self.maximize else 'minimize'}, {repr(self.problem)[1:]}"


def exact(text: Any, what: str) -> Fraction:
    """The number that a text writes."""
    found = re.fullmatch(r"[+-]?(\d{1,4000}(\.\d{0,4000})?|\.\d{1,4000})([eE][+-]?\d{1,4})?", str(text), re.ASCII)
    if found is None:
        raise FileError(f"{what} is {str(text)[:40]}, which is no number")
    return Fraction(str(text))


def _text_of(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    try:
        if os.path.getsize(path) > MOST_BYTES:
            raise FileError(f"{name} has more than {MOST_BYTES} bytes")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileError(f"{name} is no text in UTF-8") from None


def read(path: str | os.PathLike[str]) -> Model:
    """sdp.read."""
    from ._core import Problem

    name = os.fspath(path)
    if name.endswith(".dat-s"):
        return Model(Problem.read(name), False, Fraction(0), {})
    reader = _Cbf if name.lower().endswith(".cbf") else _Mof if name.endswith(".mof.json") else None
    if reader is None:
        raise DomainError(f"{name} ends in none of .dat-s, .cbf and .mof.json")
    text = _text_of(path)
    try:
        return reader(text).model()
    except (FileError, DomainError) as error:
        raise FileError(f"{name}: {error}") from None


def lifted(model: Model, X: list[Any]) -> dict[str, Any]:
    """The values of the variables of a model."""
    blocks, starts = list(model.problem.blocks), [0]
    for size in blocks:
        starts.append(starts[-1] + abs(size))
    owner = [k for k, size in enumerate(blocks) for _ in range(abs(size))]

    def entry(i: int, j: int) -> float:
        k = owner[i]
        return float(X[k][i - starts[k], j - starts[k]] if blocks[k] > 0 else X[k][i - starts[k]])

    return {
        name: X[owner[places]] if isinstance(places, int) else sum(float(x) * entry(i, j) for i, j, x in places)
        for name, places in model.places.items()
    }


class _Reader(Rows):
    """What both formats say: variables, affine forms, and cones."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, list[tuple[int, int, Fraction]]] = {}
        self.matrix_rows: dict[str, int] = {}  # of matrix variables the first row

    def allow(self, rows: int, what: str) -> None:
        if rows < 0 or self.rows + rows > MOST_ROWS:
            raise FileError(f"{what} has {rows} rows, and {MOST_ROWS} are the most of all together")

    def free(self, name: str) -> None:
        at = self.add(-2)
        self.places[name] = [(at, at, Fraction(1)), (at + 1, at + 1, Fraction(-1))]

    def form(self, terms: list[tuple[str, Fraction]]) -> Form:
        found: Form = {}
        for name, x in terms:
            for i, j, factor in self.places[name]:
                # Entries (i, j) and (j, i) of X are one number, and both take half of it.
                found[i, j] = found.get((i, j), Fraction(0)) + x * factor / (1 if i == j else 2)
        return found

    def in_cone(self, values: list[Affine], cone: str) -> None:
        """Equations for zero, nonnegative, nonpositive; nothing for free."""
        if cone == "free" or not values:
            return
        at = self.add(-len(values)) if cone != "zero" else 0
        for k, (form, constant) in enumerate(values):
            slack = {} if cone == "zero" else {(at + k, at + k): Fraction(-1 if cone == "nonnegative" else 1)}
            self.equal({**form, **slack}, -constant)

    def in_psd(self, entries: Callable[[int, int], Affine], n: int) -> None:
        """A matrix of affine forms is positive semidefinite: it is a block of its own."""
        at = self.add(n)
        for j in range(n):
            for i in range(j + 1):
                form, constant = entries(i, j)
                self.equal({**form, (at + i, at + j): Fraction(-1, 1 if i == j else 2)}, -constant)

    def made(self, objective: Affine, maximize: bool) -> Model:
        return Model(
            self.problem(objective[0], -1 if maximize else 1),
            maximize,
            objective[1],
            {**self.matrix_rows, **self.places},
        )


# --- CBF --------------------------------------------------------------------------------------------------------------


class _Cbf(_Reader):
    CONES = {"F": "free", "L=": "zero", "L+": "nonnegative", "L-": "nonpositive"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines = text.splitlines()
        self.line = 0

    def _next(self, what: str = "") -> list[str] | None:
        """The words of the next line that says something; None at the end, an error where `what` is still to come."""
        while self.line < len(self.lines):
            words = self.lines[self.line].split("#")[0].split()
            self.line += 1
            if words:
                return words
        if what:
            raise FileError(f"the file ends before {what}")
        return None

    def _fail(self, said: str) -> FileError:
        return FileError(f"line {self.line}: {said}")

    def _counts(self, what: str, n: int) -> list[int]:
        words = self._next(what) or []
        if len(words) != n or not all(re.fullmatch(r"\d{1,12}", word, re.ASCII) for word in words):
            raise self._fail(f"{what} is {n} whole number{'s' if n > 1 else ''}, not {' '.join(words)[:60]}")
        return [int(word) for word in words]

    def _cones(self, what: str) -> list[tuple[str, int]]:
        total, count = self._counts(what, 2)
        self.allow(total, what)
        found = []
        for _ in range(count):
            words = self._next("a cone") or []
            if len(words) != 2 or not re.fullmatch(r"\d{1,9}", words[1], re.ASCII):
                raise self._fail(f"a cone is a name and a size, not {' '.join(words)[:60]}")
            if words[0] not in self.CONES:
                raise self._fail(
                    f"the cone {words[0][:20]} is none that is reduced: F, L=, L+ and L- are, and matrices in PSDVAR and PSDCON"
                )
            found.append((self.CONES[words[0]], int(words[1])))
        if sum(size for _, size in found) != total:
            raise self._fail(f"the cones of {what} have other sizes together than {total}")
        return found

    def _coordinates(self, what: str, bounds: list[int]) -> Iterator[tuple[list[int], Fraction]]:
        """Lines of indices and a number, every place once."""
        from ._core import poll_limits

        (count,) = self._counts(f"the number of lines of {what}", 1)
        seen = set()
        for _ in range(count):
            if self.line % 256 == 0:
                poll_limits()
            words = self._next(f"a line of {what}") or []
            if len(words) != len(bounds) + 1 or not all(re.fullmatch(r"\d{1,9}", w, re.ASCII) for w in words[:-1]):
                raise self._fail(f"a line of {what} is {len(bounds)} indices and a number, not {' '.join(words)[:60]}")
            indices = [int(word) for word in words[:-1]]
            for index, bound in zip(indices, bounds):
                if index >= bound:
                    raise self._fail(f"an index of {what} is {index}, and goes from 0 to {bound - 1}")
            if tuple(indices) in seen:
                raise self._fail(f"a place of {what} is there twice")
            seen.add(tuple(indices))
            yield indices, exact(words[-1], f"line {self.line}: the number")

    def model(self) -> Model:
        maximize = False
        variables: list[tuple[str, int]] = []
        constraints: list[tuple[str, int]] = []
        psd_variables: list[int] = []
        psd_constraints: list[int] = []
        scalar: list[list[tuple[int, Fraction]]] = [[]]  # of every constraint its terms, the objective first
        matrix: list[list[tuple[int, int, int, Fraction]]] = [[]]
        constant = [Fraction(0)]
        lmi: list[dict[tuple[int, int], list[tuple[int, Fraction]]]] = []
        seen: set[str] = set()
        count = 0

        def place(sizes: list[int], which: int, k: int, m: int) -> tuple[int, int]:
            if max(k, m) >= sizes[which]:
                raise self._fail(f"the place ({k}, {m}) is outside of a matrix of {sizes[which]} rows")
            return min(k, m), max(k, m)

        while (words := self._next()) is not None:
            key = words[0]
            if key in seen:
                raise self._fail(f"{key[:20]} is there twice")
            seen.add(key)
            if key == "VER":
                (version,) = self._counts("the version", 1)
                if not 1 <= version <= 4:
                    raise self._fail(f"version {version} is none of 1 to 4")
            elif key == "OBJSENSE":
                sense = self._next("the sense") or []
                if sense not in (["MIN"], ["MAX"]):
                    raise self._fail(f"the sense is MIN or MAX, not {' '.join(sense)[:20]}")
                maximize = sense == ["MAX"]
            elif key in ("PSDVAR", "PSDCON"):
                (number,) = self._counts(f"the number of matrices of {key}", 1)
                sizes = psd_variables if key == "PSDVAR" else psd_constraints
                for _ in range(number):
                    sizes += self._counts("the size of a matrix", 1)
                    self.allow(sum(sizes), key)
                if 0 in sizes:
                    raise self._fail("a matrix has no rows")
                lmi = [{} for _ in psd_constraints]
            elif key == "VAR":
                variables = self._cones("VAR")
                count = sum(size for _, size in variables)
            elif key == "CON":
                constraints = self._cones("CON")
                total = sum(size for _, size in constraints)
                scalar += [[] for _ in range(total)]
                matrix += [[] for _ in range(total)]
                constant += [Fraction(0)] * total
            elif key == "OBJFCOORD":
                for (j, k, m), x in self._coordinates(key, [len(psd_variables), MOST_ROWS, MOST_ROWS]):
                    matrix[0].append((j, *place(psd_variables, j, k, m), x))
            elif key == "OBJACOORD":
                scalar[0] += [(j, x) for (j,), x in self._coordinates(key, [count])]
            elif key == "OBJBCOORD":
                constant[0] = exact(" ".join(self._next("the constant") or []), f"line {self.line}: the constant")
            elif key == "FCOORD":
                bounds = [len(scalar) - 1, len(psd_variables), MOST_ROWS, MOST_ROWS]
                for (i, j, k, m), x in self._coordinates(key, bounds):
                    matrix[i + 1].append((j, *place(psd_variables, j, k, m), x))
            elif key == "ACOORD":
                for (i, j), x in self._coordinates(key, [len(scalar) - 1, count]):
                    scalar[i + 1].append((j, x))
            elif key == "BCOORD":
                for (i,), x in self._coordinates(key, [len(scalar) - 1]):
                    constant[i + 1] = x
            elif key == "HCOORD":
                for (i, j, k, m), x in self._coordinates(key, [len(lmi), count, MOST_ROWS, MOST_ROWS]):
                    lmi[i].setdefault(place(psd_constraints, i, k, m), []).append((j, x))
            elif key == "DCOORD":
                for (i, k, m), x in self._coordinates(key, [len(lmi), MOST_ROWS, MOST_ROWS]):
                    lmi[i].setdefault(place(psd_constraints, i, k, m), []).append((-1, x))
            elif key == "INT":
                raise self._fail("INT makes variables whole numbers, which no symmetry reduction keeps: leave it out")
            else:
                raise self._fail(f"{key[:20]} is no keyword that is reduced")

        for k, size in enumerate(psd_variables):
            self.matrix_rows[f"X{k}"] = self.add(size)
        first = list(self.matrix_rows.values())
        names: list[str] = []
        for cone, size in variables:
            at = self.add(-size) if cone in ("nonnegative", "nonpositive") and size else 0
            for k in range(size):
                names.append(f"x{len(names)}")
                if cone == "free":
                    self.free(names[-1])
                else:
                    sign = Fraction(-1 if cone == "nonpositive" else 1)
                    self.places[names[-1]] = [] if cone == "zero" else [(at + k, at + k, sign)]

        def affine(i: int) -> Affine:
            found = self.form([(names[j], x) for j, x in scalar[i]])
            for j, a, b, x in matrix[i]:
                key = (first[j] + a, first[j] + b)
                if key in found:
                    raise FileError(f"entries ({a}, {b}) and ({b}, {a}) of matrix {j} are both there")
                found[key] = x
            return found, constant[i]

        at = 1
        for cone, size in constraints:
            self.in_cone([affine(i) for i in range(at, at + size)], cone)
            at += size
        for n, entries in zip(psd_constraints, lmi):

            def entry(a: int, b: int, entries: Any = entries) -> Affine:
                given = entries.get((a, b), [])
                if len({j for j, _ in given}) < len(given):
                    raise FileError(f"entries ({a}, {b}) and ({b}, {a}) of a matrix are both there")
                return self.form([(names[j], x) for j, x in given if j >= 0]), sum(
                    (x for j, x in given if j < 0), Fraction(0)
                )

            self.in_psd(entry, n)
        return self.made(affine(0), maximize)


# --- MOF --------------------------------------------------------------------------------------------------------------


class _Mof(_Reader):
    VECTOR = {"Zeros": "zero", "Nonnegatives": "nonnegative", "Nonpositives": "nonpositive", "Reals": "free"}

    def __init__(self, text: str) -> None:
        super().__init__()

        def number(x: str) -> Fraction:
            return exact(x, "a number")

        try:
            self.data = json.loads(text, parse_float=number, parse_int=number, parse_constant=number)
        except (ValueError, RecursionError) as error:
            raise FileError(f"it is no JSON: {error}") from None

    @staticmethod
    def _member(value: Any, key: str, kind: type, what: str) -> Any:
        found = value.get(key) if isinstance(value, dict) else None
        if not isinstance(found, kind):
            words: dict[type, str] = {list: "a list", dict: "an object", str: "a text", Fraction: "a number"}
            raise FileError(f"{what} has no {key} that is {words[kind]}")
        return found

    def _number(self, value: Any, key: str, what: str) -> Fraction:
        found: Fraction = self._member(value, key, Fraction, what)
        return found

    def _terms(self, given: list[Any], what: str) -> list[tuple[str, Fraction]]:
        found = []
        for term in given:
            name = self._member(term, "variable", str, what)
            if name not in self.known:
                raise FileError(f"{what} has the variable {name[:40]}, which is not declared")
            found.append((name, self._number(term, "coefficient", what)))
        return found

    def _rows(self, function: Any, what: str) -> list[tuple[list[tuple[str, Fraction]], Fraction]]:
        """The entries of a function, each as terms and a constant."""
        kind = self._member(function, "type", str, what)
        one = Fraction(1)
        if kind == "Variable":
            return [(self._terms([{"variable": function.get("name"), "coefficient": one}], what), Fraction(0))]
        if kind == "VectorOfVariables":
            names = self._member(function, "variables", list, what)
            return [(self._terms([{"variable": name, "coefficient": one}], what), Fraction(0)) for name in names]
        if kind == "ScalarAffineFunction":
            terms = self._terms(self._member(function, "terms", list, what), what)
            return [(terms, self._number(function, "constant", what))]
        if kind == "VectorAffineFunction":
            constants = self._member(function, "constants", list, what)
            if not all(isinstance(x, Fraction) for x in constants):
                raise FileError(f"{what} has constants that are no numbers")
            rows: list[tuple[list[tuple[str, Fraction]], Fraction]] = [([], x) for x in constants]
            for term in self._member(function, "terms", list, what):
                index = self._number(term, "output_index", what)
                if index.denominator != 1 or not 1 <= index <= len(rows):
                    raise FileError(f"{what} has the output_index {index}, and goes from 1 to {len(rows)}")
                rows[int(index) - 1][0].extend(self._terms([self._member(term, "scalar_term", dict, what)], what))
            return rows
        raise FileError(f"{what} has a function of the type {kind[:40]}; affine ones are reduced")

    def model(self) -> Model:
        from ._core import poll_limits

        data = self.data
        version = self._member(data, "version", dict, "the file")
        if self._number(version, "major", "the version") != 1:
            raise FileError(f"its version is {version['major']}, and 1 is read")
        names = [self._member(x, "name", str, "a variable") for x in self._member(data, "variables", list, "the file")]
        self.known = set(names)
        if len(self.known) < len(names):
            raise FileError("two variables have one name")
        objective = self._member(data, "objective", dict, "the file")
        constraints = self._member(data, "constraints", list, "the file")
        self.allow(2 * len(names), "the list of variables")
        others = []
        for k, constraint in enumerate(constraints):
            poll_limits()
            label = constraint.get("name") if isinstance(constraint, dict) else None
            what = f"constraint {label}" if isinstance(label, str) and label else f"constraint {k + 1}"
            function = self._member(constraint, "function", dict, what)
            cone = self._member(constraint, "set", dict, what)
            if not self._is_variable(function, cone, what):
                others.append((what, function, cone))
        for name in names:
            if name not in self.places:
                self.free(name)
        for what, function, cone in others:
            poll_limits()
            self._constrain(what, function, cone)
        sense = self._member(objective, "sense", str, "the objective")
        if sense not in ("min", "max", "feasibility"):
            raise FileError(f"the sense is min, max or feasibility, not {sense[:20]}")
        if sense == "feasibility":
            return self.made(({}, Fraction(0)), False)
        rows = self._rows(self._member(objective, "function", dict, "the objective"), "the objective")
        if len(rows) != 1:
            raise FileError("the objective has several entries; one is reduced")
        return self.made((self.form(rows[0][0]), rows[0][1]), sense == "max")

    def _is_variable(self, function: Any, cone: Any, what: str) -> bool:
        """Whether the constraint says what its variables are, and it is the first one that does."""
        kind, type_ = self._member(cone, "type", str, what), self._member(function, "type", str, what)
        if type_ not in ("Variable", "VectorOfVariables"):
            return False
        names = [name for terms, _ in self._rows(function, what) for name, _ in terms]
        if len(set(names)) < len(names) or any(name in self.places for name in names):
            return False
        if kind == "PositiveSemidefiniteConeTriangle":
            n = self._side(cone, len(names), what)
            at = self.add(n)
            places = [(at + i, at + j) for j in range(n) for i in range(j + 1)]
            self.places |= {name: [(i, j, Fraction(1))] for name, (i, j) in zip(names, places)}
            return True
        zero = {"GreaterThan": "lower", "LessThan": "upper"}.get(kind)
        if zero and type_ != "Variable":
            return False
        if kind in ("Nonnegatives", "Nonpositives") or (zero and self._number(cone, zero, what) == 0):
            if kind.startswith("Non") and self._number(cone, "dimension", what) != len(names):
                raise FileError(f"{what} has {len(names)} variables, and its set another dimension")
            at = self.add(-len(names)) if names else 0
            sign = Fraction(1 if kind in ("Nonnegatives", "GreaterThan") else -1)
            self.places |= {name: [(at + k, at + k, sign)] for k, name in enumerate(names)}
            return True
        return False

    def _side(self, cone: Any, entries: int, what: str, square: bool = False) -> int:
        n = self._number(cone, "side_dimension", what)
        if n.denominator != 1 or n < 1 or entries != (n * n if square else n * (n + 1) / 2):
            raise FileError(f"{what} has {entries} entries, and its set the side_dimension {n}")
        return int(n)

    def _constrain(self, what: str, function: Any, cone: Any) -> None:
        kind = cone["type"]
        rows = [(self.form(terms), constant) for terms, constant in self._rows(function, what)]
        if kind in self.VECTOR:
            if self._number(cone, "dimension", what) != len(rows):
                raise FileError(f"{what} has {len(rows)} entries, and its set another dimension")
            self.in_cone(rows, self.VECTOR[kind])
        elif kind in ("EqualTo", "GreaterThan", "LessThan", "Interval"):
            sides = {
                "EqualTo": [("value", "zero")],
                "GreaterThan": [("lower", "nonnegative")],
                "LessThan": [("upper", "nonpositive")],
                "Interval": [("lower", "nonnegative"), ("upper", "nonpositive")],
            }[kind]
            if len(rows) != 1:
                raise FileError(f"{what} has {len(rows)} entries, and its set is one of numbers")
            for key, side in sides:
                bound = self._number(cone, key, what)
                self.in_cone([(form, constant - bound) for form, constant in rows], side)
        elif kind == "PositiveSemidefiniteConeTriangle":
            n = self._side(cone, len(rows), what)
            self.in_psd(lambda i, j: rows[j * (j + 1) // 2 + i], n)
        elif kind == "PositiveSemidefiniteConeSquare":
            n = self._side(cone, len(rows), what, square=True)
            self.in_psd(lambda i, j: rows[j * n + i], n)
            for j in range(n):  # a matrix of this cone is symmetric
                for i in range(j):
                    (a, x), (b, y) = rows[j * n + i], rows[i * n + j]
                    difference = {at: a.get(at, Fraction(0)) - b.get(at, Fraction(0)) for at in {**a, **b}}
                    difference = {at: value for at, value in difference.items() if value}
                    if difference or x != y:
                        self.equal(difference, y - x)
        else:
            raise FileError(
                f"{what} is in a set of the type {kind[:40]}; linear ones and PositiveSemidefiniteCone… are reduced"
            )
