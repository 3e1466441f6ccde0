"""Labels of Cracknell, Davies, Miller and Love at wave vectors, by tables of the package irreptables."""

from __future__ import annotations

import importlib.util
import pathlib
from typing import TYPE_CHECKING, Any

from ._errors import DomainError

if TYPE_CHECKING:
    import numpy

    from ._core import LittleGroup


def _table_path(number: int, kind: str) -> pathlib.Path:
    package = importlib.util.find_spec("irreptables")
    for folder in (package.submodule_search_locations or []) if package else []:
        for path in pathlib.Path(folder).rglob(f"irreps-SG={number}-{kind}.dat"):
            return path
    raise DomainError(
        "labels: the numbers of CDML are in tables of the package irreptables, and it is not installed "
        "(pip install irreptables)"
    )


class _Table:
    """The operations of a group and, for its wave vectors of highest symmetry, labels and characters.

    With spinors every operation has a matrix of SU(2) too, in `lifts`.
    """

    def __init__(self, number: int, spinors: bool) -> None:
        import numpy

        self.operations: list[tuple[Any, Any]] = []
        self.lifts: list[Any] = []
        self.points: list[tuple[Any, list[int], list[tuple[str, Any]]]] = []
        try:
            lines = _table_path(number, "spin" if spinors else "scal").read_text(encoding="utf-8").split("\n")
            at = lines.index("symmetries=") + 1
            while lines[at].strip():
                numbers = lines[at].split()
                rotation = numpy.array(numbers[:9], dtype=int).reshape(3, 3)
                self.operations.append((rotation, numpy.array(numbers[9:12], dtype=float)))
                if spinors:
                    size, angle = (numpy.array(numbers[n : n + 4], dtype=float).reshape(2, 2) for n in (12, 16))
                    self.lifts.append(size * numpy.exp(1j * numpy.pi * angle))
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


_PAULI = (((0, 1), (1, 0)), ((0, -1j), (1j, 0)), ((1, 0), (0, -1)))


def _lift(turn: Any) -> Any:
    """One of the two matrices of SU(2) of a rotation by its Cartesian matrix."""
    import numpy

    # Rodrigues: the unit quaternion is the column of the largest diagonal of this matrix, 4 q q^T.
    R, trace = turn, numpy.trace(turn)
    square = numpy.empty((4, 4))
    square[0, 0] = 1 + trace
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        square[i + 1, i + 1] = 1 + 2 * R[i, i] - trace
        square[0, i + 1] = square[i + 1, 0] = R[k, j] - R[j, k]
        square[i + 1, j + 1] = square[j + 1, i + 1] = R[i, j] + R[j, i]
    q = square[:, numpy.argmax(numpy.diag(square))]
    q = q / numpy.linalg.norm(q)
    return q[0] * numpy.eye(2) - 1j * numpy.tensordot(q[1:], numpy.array(_PAULI), 1)


class _Spinors:
    """Matrices on spinors in the Cartesian axes of a table: those of the lifts of a little group, and of its group."""

    def __init__(self, operations: list[tuple[Any, Any]], table: _Table) -> None:
        import numpy

        generic = numpy.array([[10, 0.7, 0.3], [0.7, 11, 0.9], [0.3, 0.9, 13]])
        metric = sum(W.T @ generic @ W for W, _ in operations)
        edges = numpy.linalg.cholesky(metric)  # rows: a along x, b in the plane xy
        # In the tables of hexagonal cells a is along y, and c against z.
        turned = edges @ numpy.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
        for frame in (edges, turned):
            self.to_axes = frame.T
            if all(self._fits(W, lift) for (W, _), lift in zip(table.operations, table.lifts)):
                return
        raise DomainError("labels: the Cartesian axes of the table of spinors are none of those that are known")

    def matrix(self, W: Any) -> Any:
        import numpy

        turn = self.to_axes @ W @ numpy.linalg.inv(self.to_axes)
        return _lift(turn * numpy.round(numpy.linalg.det(turn)))

    def of_turn(self, order: int, axis: tuple[int, ...]) -> Any:
        """exp(-i pi/n axis.sigma), as LittleGroup.turns has it."""
        import numpy

        if order == 1:
            return numpy.eye(2)
        along = self.to_axes @ numpy.array(axis)
        along = along / numpy.linalg.norm(along)
        angle = numpy.pi / order
        return numpy.cos(angle) * numpy.eye(2) - 1j * numpy.sin(angle) * numpy.tensordot(along, numpy.array(_PAULI), 1)

    def _fits(self, W: Any, lift: Any) -> bool:
        import numpy

        return bool(abs(abs(numpy.trace(lift.conj().T @ self.matrix(W))) - 2) < 1e-3)


def cdml_labels(little: LittleGroup) -> list[str]:
    """The labels of the irreducible representations of a little group."""
    import numpy

    from ._core import SpaceGroup

    group = little.space_group
    if not isinstance(group, SpaceGroup) or little.direction is not None:
        raise DomainError("labels: those of space groups at wave vectors are known, without lines and magnetic order")
    if group.number is None:
        raise DomainError("labels: this setting of the space group is in no table, and its number is not known")
    table = _Table(group.number, little.spinors)
    centring = numpy.array(group.centring, dtype=float)
    listed = [(numpy.array(W), numpy.array(w, dtype=float)) for W, w in group.operations]
    shift = _origin(listed, table, centring)
    k = numpy.array(little.k, dtype=float)
    inside = [(numpy.array(W), numpy.array(w, dtype=float)) for W, w in little.operations]
    spinors = _Spinors(listed, table) if little.spinors else None
    turns = [spinors.of_turn(*turn) for turn in little.turns] if spinors else []
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
            change_of_spin = spinors.matrix(V) if spinors else None
            columns, phases = [], []
            for number, (W, w) in enumerate(inside):  # h^-1 g h is a translation times an operation of the table
                R = back @ W @ V
                r = back @ (W @ v + moved(W, w) - v)
                at = next(n for n, c in enumerate(chosen) if numpy.array_equal(table.operations[c][0], R))
                columns.append(at)
                phases.append(numpy.exp(-2j * numpy.pi * place @ (r - table.operations[chosen[at]][1])))
                if spinors:  # the lift of g goes to that of the table, or to minus that
                    lift = change_of_spin.conj().T @ turns[number] @ change_of_spin
                    phases[-1] *= numpy.round(numpy.trace(table.lifts[chosen[at]].conj().T @ lift).real / 2)
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
