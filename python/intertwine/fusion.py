"""Fusion data: F- and R-symbols of the representations of a group, exactly, for those who compute with tensors of
symmetric states.

>>> from intertwine.fusion import fusion_data
>>> data = fusion_data("S3")
>>> data.names, data.fusion[2, 2]
(['[3]', '[1,1,1]', '[2,1]'], {0: 1, 1: 1, 2: 1})
>>> data.F[2, 2, 2, 2][(0, 0, 0), (1, 0, 0)]
Fraction(1, 2)
>>> data.verify()
"""

from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ._core import Cyclotomic, Group, SignedRoot, wigner_6j
from ._errors import DomainError, FileError, InternalError, LimitError, VerificationError
from ._fusion_maps import (
    Block,
    Maps,
    Number,
    Vertex,
    blocks_of,
    columns_of,
    conjugate,
    couplings_of,
    exchange_of,
    form_of,
)
from ._surds import Surd

__all__ = ["FusionData", "fusion_data", "read_fusion_data"]

_MOST = 1_000_000


@dataclass(frozen=True, eq=False)
class FusionData:
    """The symmetric fusion category of the irreducible representations of a group, in exact numbers.

    Objects have numbers, 0 is the trivial one. T^ij_e,a are maps from object e to i (x) j, one for each copy a, and

        (T^ij_e,a (x) 1) T^ek_l,b = sum F[i,j,k,l][(e,a,b), (f,c,d)] (1 (x) T^jk_f,c) T^if_l,d
        (exchange) T^ij_e,a = sum R[i,j,e][a,b] T^ji_e,b

    Numbers that are 0 are left out. In the gauge "integral" the maps are those of `Group.clebsch_gordan`, and
    `unitary_F` and `unitary_R` divide by the roots of their norms; in the gauge "unitary" nothing is left to divide by.
    """

    group: str
    names: list[str]
    dimensions: list[int]
    duals: list[int]
    indicators: list[int]
    gauge: str
    fusion: dict[tuple[int, int], dict[int, int]]
    """How often each object is in a product. Of infinitely many objects those that are listed."""
    norms: dict[tuple[int, int, int], list[Number]] = field(repr=False)
    F: dict[tuple[int, int, int, int], Block] = field(repr=False)
    R: dict[tuple[int, int, int], dict[tuple[int, int], Number]] = field(repr=False)
    complete: bool = True
    """Are all objects listed?"""

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, FusionData) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.group, tuple(self.names), len(self.F), len(self.R)))

    def __repr__(self) -> str:
        count = sum(map(len, self.F.values()))
        return f"<FusionData of {self.group}: {len(self.names)} objects, {count} F-symbols, gauge {self.gauge}>"

    # --- Doubles -----------------------------------------------------------------------------------------------------------------

    def _norm(self, i: int, j: int, e: int, copy: int) -> float:
        found = self.norms.get((i, j, e))
        return 1.0 if found is None else complex(found[copy]).real

    def unitary_F(self, i: int, j: int, k: int, l: int, one: Vertex, other: Vertex) -> complex:  # noqa: E741
        """The entry of the unitary matrix F^ijk_l at (e, a, b) and (f, c, d), 0 where there is none."""
        (e, a, b), (f, c, d) = one, other
        value = self.F.get((i, j, k, l), {}).get((one, other), 0)
        up, down = self._norm(j, k, f, c) * self._norm(i, f, l, d), self._norm(i, j, e, a) * self._norm(e, k, l, b)
        return complex(value) * math.sqrt(up / down) if value else 0j

    def unitary_R(self, i: int, j: int, e: int, a: int, b: int) -> complex:
        """The entry of the unitary matrix R^ij_e, 0 where there is none."""
        value = self.R.get((i, j, e), {}).get((a, b), 0)
        return complex(value) * math.sqrt(self._norm(j, i, e, b) / self._norm(i, j, e, a)) if value else 0j

    # --- Proof -------------------------------------------------------------------------------------------------------------------

    def _channels(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        for e, copies in self.fusion[i, j].items():
            for copy in range(copies):
                yield e, copy

    def verify(self) -> None:
        """Proves from the numbers alone, exactly, that F is unitary and that the pentagon and the hexagon commute;
        VerificationError names an equation that fails. Exchanges are proved to be their own inverses, so that both
        hexagons are one.

        Where not all objects are listed, equations with a sum over others are left out.

        Cost: one equation for every two paths through four objects: some ten nanoseconds for each of their terms, prime
        and root of unity, or some microseconds where numbers are sums of square roots.
        """
        self._squares()
        if any(isinstance(v, Surd) for block in self.F.values() for v in block.values()):
            self._prove_one_by_one()
        else:
            self._prove_modulo_primes()

    def _prove_modulo_primes(self) -> None:
        from ._fusion_proof import first_failure

        objects = range(len(self.names))
        for i, j in itertools.product(objects, repeat=2):
            if self.complete and not self._whole(i, j):
                raise VerificationError(f"the dimensions of what is in {i} and {j} do not add up")
        failure = first_failure(self)
        if failure is not None:
            kind, at = failure
            getattr(self, f"_{kind}")(self._rows(), *at)
            raise InternalError(f"the {kind} equation of {at} fails modulo a prime, and not exactly")

    def _rows(self) -> Any:
        rows: Any = defaultdict(lambda: defaultdict(list))
        rows |= {key: _by_rows(block) for key, block in self.F.items()}
        return rows

    def _prove_one_by_one(self) -> None:
        rows, objects = self._rows(), range(len(self.names))
        for b, c in itertools.product(objects, repeat=2):
            if not self._whole(b, c):
                if self.complete:
                    raise VerificationError(f"the dimensions of what is in {b} and {c} do not add up")
                continue
            for a in objects:
                self._unitary(rows, a, b, c)
            for a, d in itertools.product(objects, repeat=2):
                self._pentagon(rows, a, b, c, d)
            for i in objects:
                self._hexagon(rows, i, b, c)

    def _whole(self, i: int, j: int) -> bool:
        """Are all objects of a product listed?"""
        d = self.dimensions
        return sum(n * d[e] for e, n in self.fusion[i, j].items()) == d[i] * d[j]

    def _squares(self) -> None:
        for (i, j, e), block in self.R.items():
            back, n = self.R[j, i, e], self.fusion[i, j][e]
            for a, c in itertools.product(range(n), repeat=2):
                twice = sum((block.get((a, b), 0) * back.get((b, c), 0) for b in range(n)), 0)
                if twice != (1 if a == c else 0):
                    raise VerificationError(f"two exchanges of {i} and {j} in {e} are not the identity")

    def _unitary(self, rows: Any, i: int, j: int, k: int) -> None:
        """<L, L'> = sum F conj(F') <R, R> for the left and the right paths."""

        def norm(a: int, b: int, e: int, copy: int) -> Number:
            return self.norms[a, b, e][copy] if (a, b, e) in self.norms else 1

        paths = [(e, a, b, l) for e, a in self._channels(i, j) for l, b in self._channels(e, k)]  # noqa: E741
        for (e, a, b, l), (e2, a2, b2, l2) in itertools.product(paths, repeat=2):  # noqa: E741
            if l != l2:
                continue
            other = dict(rows[i, j, k, l][e2, a2, b2])
            product: Number = 0
            for (f, c, d), v in rows[i, j, k, l][e, a, b]:
                if (f, c, d) in other:
                    product += v * conjugate(other[f, c, d]) * norm(j, k, f, c) * norm(i, f, l, d)
            same = (e, a, b) == (e2, a2, b2)
            if product != (norm(i, j, e, a) * norm(e, k, l, b) if same else 0):
                raise VerificationError(f"F of {i}, {j}, {k}, {l} is not unitary at {(e, a, b)} and {(e2, a2, b2)}")

    def _pentagon(self, rows: Any, a: int, b: int, c: int, d: int) -> None:
        for e, al in self._channels(a, b):
            for f, be in self._channels(e, c):
                for m, ga in self._channels(f, d):
                    left: dict[Any, Number] = defaultdict(int)
                    for (g, de, ze), u in rows[e, c, d, m][f, be, ga]:
                        for (h, et, th), v in rows[a, b, g, m][e, al, ze]:
                            left[g, de, h, et, th] += u * v
                    right: dict[Any, Number] = defaultdict(int)
                    for (k, ka, la), u in rows[a, b, c, f][e, al, be]:
                        for (h, mu, th), v in rows[a, k, d, m][f, la, ga]:
                            for (g, de, et), w in rows[b, c, d, h][k, ka, mu]:
                                right[g, de, h, et, th] += u * v * w
                    for path in {*left, *right}:
                        if left.get(path, 0) != right.get(path, 0):
                            start = (e, al, f, be, m, ga)
                            raise VerificationError(f"the pentagon of {a}, {b}, {c}, {d} fails from {start} to {path}")

    def _hexagon(self, rows: Any, i: int, j: int, k: int) -> None:
        for e, al in self._channels(i, j):
            for l, be in self._channels(e, k):  # noqa: E741
                left: dict[Vertex, Number] = defaultdict(int)
                for a2, u in self._exchanged(i, j, e, al):
                    for (g, mu, nu), v in rows[j, i, k, l][e, a2, be]:
                        for m2, w in self._exchanged(i, k, g, mu):
                            left[g, m2, nu] += u * v * w
                right: dict[Vertex, Number] = defaultdict(int)
                for (f, ga, de), u in rows[i, j, k, l][e, al, be]:
                    for d2, v in self._exchanged(i, f, l, de):
                        for (g, mu, nu), w in rows[j, k, i, l][f, ga, d2]:
                            right[g, mu, nu] += u * v * w
                for path in {*left, *right}:
                    if left.get(path, 0) != right.get(path, 0):
                        start = (e, al, l, be)
                        raise VerificationError(f"the hexagon of {i}, {j}, {k} fails from {start} to {path}")

    def _exchanged(self, i: int, j: int, e: int, copy: int) -> list[tuple[int, Number]]:
        """Where the exchange takes a copy."""
        return [(b, v) for (a, b), v in self.R[i, j, e].items() if a == copy]

    # --- Files -------------------------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The JSON document as a dict (docs/formats.md)."""
        from . import __version__

        def entry(exact: Number, near: complex) -> list[Any]:
            return [_written(exact), [near.real + 0.0, near.imag + 0.0]]

        return {
            "intertwine": __version__, "format": "fusion-data", "format_version": 1, "group": self.group,
            "gauge": self.gauge, "complete": self.complete,
            "objects": [
                {"name": name, "dimension": d, "dual": dual, "indicator": sign}
                for name, d, dual, sign in zip(self.names, self.dimensions, self.duals, self.indicators)
            ],
            "fusion": [[i, j, e, n] for (i, j), found in self.fusion.items() for e, n in found.items()],
            "norms": [[i, j, e, [_written(v) for v in values]] for (i, j, e), values in self.norms.items()],
            "F": [
                [list(key), list(one), list(other), *entry(v, self.unitary_F(*key, one, other))]
                for key, block in self.F.items() for (one, other), v in block.items()
            ],
            "R": [
                [list(key), a, b, *entry(v, self.unitary_R(*key, a, b))]
                for key, block in self.R.items() for (a, b), v in block.items()
            ],
        }  # fmt: skip

    def to_json(self) -> str:
        """The JSON document (docs/formats.md): exact numbers, and beside each the double of the unitary gauge."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False)

    def write(self, path: str | Path) -> None:
        """Writes the JSON document, whole or not at all."""
        path = Path(path)
        beside = path.with_name(path.name + ".part")
        try:
            beside.write_text(self.to_json() + "\n", encoding="utf-8")
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise FileError(f"{path} cannot be written: {error.strerror}") from None

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> FusionData:
        """What `to_dict` gave. DomainError for what is no such document; nothing is proved: `verify` does."""
        try:
            if document["format"] != "fusion-data" or document["format_version"] != 1:
                raise DomainError("it is no fusion data of version 1")
            objects = document["objects"]
            fusion: dict[tuple[int, int], dict[int, int]] = {}
            for i, j, e, n in document["fusion"]:
                fusion.setdefault((i, j), {})[e] = n
            F: dict[tuple[int, int, int, int], Block] = {}
            for key, one, other, exact, _ in document["F"]:
                F.setdefault(tuple(key), {})[tuple(one), tuple(other)] = _number(exact)
            R: dict[tuple[int, int, int], dict[tuple[int, int], Number]] = {}
            for key, a, b, exact, _ in document["R"]:
                R.setdefault(tuple(key), {})[a, b] = _number(exact)
            names, dimensions, duals, indicators = (
                [o[name] for o in objects] for name in ("name", "dimension", "dual", "indicator")
            )
            norms = {(i, j, e): [_number(v) for v in values] for i, j, e, values in document["norms"]}
            return FusionData(
                document["group"], names, dimensions, duals, indicators, document["gauge"], fusion, norms, F, R,
                document["complete"],
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, IndexError) as error:
            if isinstance(error, DomainError):
                raise
            raise DomainError(f"a document of fusion data is wanted, and this one has an error at {error}") from None


def fusion_data(group: Group | str, most: int | Fraction | float | str | None = None) -> FusionData:
    """The F- and R-symbols of a finite group, of SU(2) and SO(3) up to a spin, or of SU(3) up to a dimension.

    Parameters
    ----------
    group
        A finite group with at most 100 irreducible representations, SU(2), SO(3) or SU(3). Text is read as by Group.
    most
        Of SU(2) and SO(3) the largest spin, such as 2 or "3/2", of SU(3) the largest dimension, at most 27.

    Returns
    -------
    FusionData
        Of finite groups all symbols, in the gauge of `Group.clebsch_gordan`, and of SU(3) those whose six
        representations have at most this dimension, in that of `Representation.clebsch_gordan`. Of SU(2) and SO(3)
        those whose six spins are at most `most`, in the unitary gauge of Condon and Shortley: (-1)^(j1+j2+j3+J) sqrt((2 j12 + 1)(2 j23 + 1))
        times the 6j symbol {j1 j2 j12; j3 J j23}.

    Raises
    ------
    DomainError
        For other groups.
    LimitError
        For finite groups with more irreducible representations.

    Notes
    -----
    Cost: the Clebsch-Gordan maps of all pairs, and one vector for each path through three objects. Every block is
    proved: the left paths are what F says of the right ones.

    Examples
    --------
    >>> from intertwine.fusion import fusion_data
    >>> fusion_data("SU(2)", 1).F[1, 1, 1, 1][(0, 0, 0), (0, 0, 0)]
    Surd(-1/2)

    See Also
    --------
    Group.clebsch_gordan : The maps themselves.
    """
    G = Group(group) if isinstance(group, str) else group
    if not isinstance(G, Group):
        raise DomainError(f"fusion data are of a group, such as 'S4' or Group('S4'), not of {group!r}")
    if G.name in ("SU(2)", "SO(3)"):
        return _of_spins(G.name, most)
    if G.name == "SU(3)":
        return _of_su3(G, most)
    if not G.is_finite:
        raise DomainError(f"fusion data are those of finite groups, SU(2), SO(3) and SU(3), not of {G.name}")
    if most is not None:
        raise DomainError(f"{G.name} has finitely many irreducible representations: leave most out")
    return _of_finite(G)


def read_fusion_data(path: str | Path) -> FusionData:
    """Reads a document that `FusionData.write` wrote, and proves its equations. FileError, DomainError or
    VerificationError where there is none, or a false one."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FileError(f"{path} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise FileError(f"{path} is no document of fusion data")
    try:
        data = FusionData.from_dict(document)
    except DomainError as error:
        raise FileError(f"{path}: {error}") from None
    try:
        data.verify()
    except (KeyError, TypeError, IndexError) as error:
        raise VerificationError(f"{path}: a number is missing, {error}") from None
    return data


# --- Numbers ---------------------------------------------------------------------------------------------------------------------


def _by_rows(block: Block) -> dict[Vertex, list[tuple[Vertex, Number]]]:
    rows: dict[Vertex, list[tuple[Vertex, Number]]] = defaultdict(list)
    for (one, other), value in block.items():
        rows[one].append((other, value))
    return rows


def _written(a: Number) -> Any:
    if isinstance(a, Cyclotomic):
        return {"n": a.conductor, "c": [[str(c), k] for k, c in a.terms()]}
    if isinstance(a, Surd):
        return str(a.parts.get(1, Fraction(0))) if a.is_rational else a.to_dict()
    return str(Fraction(a))


def _number(a: Any) -> Number:
    if isinstance(a, str):
        value = Fraction(a)
        return int(value) if value.denominator == 1 else value
    if "roots" in a:
        return Surd.from_dict(a)
    n = int(a["n"])
    return Cyclotomic("+".join(f"({Fraction(c)})*E({n})^{int(k)}" for c, k in a["c"]).replace("+(-", "-(") or "0")


# --- Finite groups ---------------------------------------------------------------------------------------------------------------


def _of_finite(G: Group) -> FusionData:
    table = G.character_table()
    if len(table) ** 3 > _MOST:
        raise LimitError(f"{G.name} has {len(table)} irreducible representations, and fusion data take at most 100")
    n = len(table)
    found = couplings_of(table)
    fusion: dict[tuple[int, int], dict[int, int]] = {(i, j): {} for i in range(n) for j in range(n)}
    for (i, j, e), maps in found.maps.items():
        fusion[i, j][e] = len(maps)
    duals = [next(j for j in range(n) if 0 in fusion[i, j]) for i in range(n)]
    F = {
        (i, j, k, l): block
        for i, j, k in itertools.product(range(n), repeat=3)
        for l, block in blocks_of(found, fusion, list(table.degrees), i, j, k).items()  # noqa: E741
    }
    R = {(i, j, e): exchange_of(found, i, j, e) for (i, j), parts in fusion.items() for e in parts}
    return FusionData(
        G.name, list(table.names), list(table.degrees), duals, list(table.indicators), "integral", fusion, found.norms,
        F, R,
    )  # fmt: skip


# --- SU(3) -----------------------------------------------------------------------------------------------------------------------


def _of_su3(G: Group, most: Any) -> FusionData:
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise DomainError(f"SU(3) has infinitely many representations: most= is the largest dimension, not {most!r}")
    if most > 27:
        raise LimitError(f"representations of SU(3) up to {most} are asked for, and fusion data take those up to 27")
    all_ = sorted(((a + 1) * (b + 1) * (a + b + 2) // 2, b, a) for a in range(most) for b in range(most))
    labels = [(a, b) for d, b, a in all_ if d <= most]
    number = {label: k for k, label in enumerate(labels)}
    V = [G.irrep(list(label)) for label in labels]
    found = Maps({}, {}, [form_of(R.clebsch_gordan(V[0], R).form) for R in V])
    n = len(V)
    fusion: dict[tuple[int, int], dict[int, int]] = {(i, j): {} for i in range(n) for j in range(n)}
    for i, j in fusion:
        inside = sorted(number[c.label] for c in (V[i] * V[j]).decompose() if c.label in number)
        for e in inside:
            copies = V[i].clebsch_gordan(V[j], V[e])
            fusion[i, j][e] = len(copies)
            found.maps[i, j, e] = [columns_of(T, V[j].dimension) for T in copies.maps]
            found.norms[i, j, e] = list(copies.norms)
    dimensions = [R.dimension for R in V]
    F = {
        (i, j, k, l): block
        for i, j, k in itertools.product(range(n), repeat=3)
        for l, block in blocks_of(found, fusion, dimensions, i, j, k).items()  # noqa: E741
    }
    R = {(i, j, e): exchange_of(found, i, j, e) for (i, j), parts in fusion.items() for e in parts}
    duals = [number[b, a] for a, b in labels]
    signs = [int(a == b) for a, b in labels]
    names = [R.decompose()[0].name for R in V]
    return FusionData(G.name, names, dimensions, duals, signs, "integral", fusion, found.norms, F, R, complete=False)


# --- Spins -----------------------------------------------------------------------------------------------------------------------


def _of_spins(name: str, most: Any) -> FusionData:
    step = 1 if name == "SU(2)" else 2
    try:
        top = Fraction(str(most)) * 2
    except (ValueError, ZeroDivisionError):
        top = Fraction(-1)
    if most is None or top < 0 or top.denominator != 1 or int(top) % step:
        kinds = "a spin, such as 2 or '3/2'" if step == 1 else "an integer"
        raise DomainError(
            f"{name} has infinitely many representations: most= is the largest one, {kinds}, not {most!r}"
        )
    twice = list(range(0, int(top) + 1, step))
    if len(twice) > 20:
        raise LimitError(f"{len(twice)} spins of {name} are asked for, and fusion data take at most 20")
    number = {s: k for k, s in enumerate(twice)}

    def products(a: int, b: int) -> list[int]:
        return [s for s in range(abs(a - b), a + b + 1, 2) if s in number]

    fusion = {(number[a], number[b]): {number[s]: 1 for s in products(a, b)} for a in twice for b in twice}
    F: dict[tuple[int, int, int, int], Block] = {}
    for a, b, c in itertools.product(twice, repeat=3):
        for e in products(a, b):
            for m in products(e, c):
                for f in products(b, c):
                    if m not in products(a, f):
                        continue
                    value = _recoupling(a, b, c, m, e, f)
                    if value != 0:
                        key = (number[a], number[b], number[c], number[m])
                        F.setdefault(key, {})[(number[e], 0, 0), (number[f], 0, 0)] = value
    R = {
        (number[a], number[b], number[s]): {(0, 0): -1 if (a + b - s) // 2 % 2 else 1}
        for a in twice for b in twice for s in products(a, b)
    }  # fmt: skip
    names = [str(Fraction(s, 2)) for s in twice]
    signs = [-1 if s % 2 else 1 for s in twice]
    return FusionData(
        name, names, [s + 1 for s in twice], list(range(len(twice))), signs, "unitary", fusion, {}, F, R, complete=False
    )


def _recoupling(a: int, b: int, c: int, m: int, e: int, f: int) -> Surd:
    """Of doubled spins."""
    halves = [Fraction(s, 2) for s in (a, b, e, c, m, f)]
    sign = -1 if (a + b + c + m) // 2 % 2 else 1
    symbol = wigner_6j(*halves)
    return Surd.of(symbol * SignedRoot.of_square(Fraction((e + 1) * (f + 1)))) * sign
