"""Labels of Cracknell, Davies, Miller and Love at wave vectors, by tables of the package irreptables."""

from __future__ import annotations

import importlib.util
import pathlib
from typing import TYPE_CHECKING, Any

from ._errors import DomainError

if TYPE_CHECKING:
    import numpy

    from ._core import LittleGroup


def _table_path(number: int) -> pathlib.Path:
    package = importlib.util.find_spec("irreptables")
    for folder in (package.submodule_search_locations or []) if package else []:
        for path in pathlib.Path(folder).rglob(f"irreps-SG={number}-scal.dat"):
            return path
    raise DomainError(
        "labels: the numbers of CDML are in tables of the package irreptables, and it is not installed "
        "(pip install irreptables)"
    )


class _Table:
    """The operations of a group and, for its wave vectors of highest symmetry, labels and characters."""

    def __init__(self, number: int) -> None:
        import numpy

        self.operations: list[tuple[Any, Any]] = []
        self.points: list[tuple[Any, list[int], list[tuple[str, Any]]]] = []
        try:
            lines = _table_path(number).read_text(encoding="utf-8").split("\n")
            at = lines.index("symmetries=") + 1
            while lines[at].strip():
                numbers = lines[at].split()
                rotation = numpy.array(numbers[:9], dtype=int).reshape(3, 3)
                self.operations.append((rotation, numpy.array(numbers[9:12], dtype=float)))
                at += 1
            for line in lines[at:]:
                if line.strip().startswith("kpoint"):
                    _, place, kept = line.split(":")
                    chosen = [int(x) - 1 for x in kept.split()]
                    self.points.append((numpy.array(place.split(), dtype=float), chosen, []))
                elif line.strip():
                    label, _, *values = line.split()
                    _, chosen, irreps = self.points[-1]
                    size, angle = (
                        numpy.array(values[i * len(chosen) : (i + 1) * len(chosen)], dtype=float) for i in (0, 1)
                    )
                    angle = angle if len(angle) else numpy.zeros(len(chosen))
                    irreps.append((label, size * numpy.exp(1j * numpy.pi * angle)))
        except (ValueError, IndexError) as error:
            raise DomainError(f"labels: the table of group {number} in irreptables is not read: {error}") from error


def _whole(x: Any) -> bool:
    import numpy

    return bool(numpy.allclose(x, numpy.round(x), atol=1e-3))


def _origin(mine: list[tuple[Any, Any]], table: _Table, centring: Any) -> numpy.ndarray[Any, Any]:
    """A shift s of the origin in 24ths with t = w + (W - 1) s modulo translations for all operations."""
    import numpy

    known = {tuple(W.reshape(-1)): t for W, t in table.operations}
    if len(known) != len(mine) or any(tuple(W.reshape(-1)) not in known for W, _ in mine):
        raise DomainError("labels: the axes of this setting are not those of the usual one, in which the tables are")
    steps = numpy.stack(numpy.unravel_index(numpy.arange(24**3), (24, 24, 24)), axis=1)
    lattice = numpy.round(24 * centring).astype(int)
    for W, w in mine:
        wanted = numpy.round(24 * (known[tuple(W.reshape(-1))] - w)).astype(int)
        left = steps @ (W - numpy.eye(3, dtype=int)).T - wanted
        steps = steps[(((left[:, None] - lattice) % 24) == 0).all(axis=2).any(axis=1)]
        if not len(steps):
            raise DomainError("labels: no shift of the origin takes this setting to the one of the tables")
    return numpy.asarray(steps[0]) / 24


def cdml_labels(little: LittleGroup) -> list[str]:
    """The labels of the irreducible representations of a little group."""
    import numpy

    from ._core import SpaceGroup

    group = little.space_group
    if not isinstance(group, SpaceGroup) or little.spinors or little.direction is not None:
        raise DomainError(
            "labels: those of space groups at wave vectors are known, without spinors, lines and magnetic order"
        )
    if group.number is None:
        raise DomainError("labels: this setting of the space group is in no table, and its number is not known")
    table = _Table(group.number)
    centring = numpy.array(group.centring, dtype=float)
    listed = [(numpy.array(W), numpy.array(w, dtype=float)) for W, w in group.operations]
    shift = _origin(listed, table, centring)
    k = numpy.array(little.k, dtype=float)
    inside = [(numpy.array(W), numpy.array(w, dtype=float)) for W, w in little.operations]
    characters = numpy.array([[complex(x) for x in row] for row in little.characters])

    def moved(W: Any, w: Any) -> Any:
        return w + (W - numpy.eye(3)) @ shift

    # At some P the tables have translations as exp(2 pi i k.t), so their representations are those of -k.
    unfit = False
    for place, chosen, irreps in [(sign * p, c, i) for p, c, i in table.points for sign in (1, -1)]:
        for V, v in listed:
            change = k @ V - place
            if not (_whole(change) and _whole(centring @ change)):
                continue
            back, v = numpy.round(numpy.linalg.inv(V)).astype(int), moved(V, v)
            columns, phases = [], []
            for W, w in inside:  # h^-1 g h is a translation times an operation of the table
                R = back @ W @ V
                r = back @ (W @ v + moved(W, w) - v)
                at = next(n for n, c in enumerate(chosen) if numpy.array_equal(table.operations[c][0], R))
                columns.append(at)
                phases.append(numpy.exp(-2j * numpy.pi * place @ (r - table.operations[chosen[at]][1])))
            rows = numpy.array([values[columns] for _, values in irreps]) * numpy.array(phases)
            equal = numpy.abs(characters[:, None] - rows).max(axis=2) < 1e-2
            if len(irreps) == len(characters) and (equal.sum(axis=1) == 1).all() and (equal.sum(axis=0) == 1).all():
                return [irreps[numpy.flatnonzero(row)[0]][0] for row in equal]
            unfit = True
            break
    place = f"({', '.join(map(str, little.k))})"
    if unfit:
        raise DomainError(
            f"labels: at {place} the tables of irreptables have translations as exp(2 pi i k.t), which is a "
            "representation of -k: ask for the labels there"
        )
    raise DomainError(
        f"labels: irreptables lists the wave vectors of highest symmetry, and {place} is in none of their stars"
    )
