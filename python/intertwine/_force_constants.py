"""Force constants from displacements and forces, by least squares, and the files of them of phonopy, phono3py and ShengBTE."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._errors import DomainError
from ._structures import cell_of

if TYPE_CHECKING:
    import numpy

    from ._core import ForceConstants

_UNDETERMINED = (
    "{missing} of {all} free force constants are not determined by these {snapshots} sets of displacements; give more "
    "of them, or a smaller cutoff"
)


def solved(gram: Any, products: Any) -> numpy.ndarray[Any, Any]:
    """x with gram @ x = products, for a positive matrix."""
    import numpy

    scale = 1 / numpy.sqrt(numpy.diag(gram))
    return numpy.ascontiguousarray(scale * numpy.linalg.solve(gram * scale[:, None] * scale, scale * products))


def _snapshots(name: str, numbers: Any, atoms: int) -> numpy.ndarray[Any, Any]:
    import numpy

    try:
        array = numpy.asarray(numbers, dtype=float)
    except (TypeError, ValueError) as error:
        raise DomainError(f"fit_force_constants: the {name} are an array of numbers [S, {atoms}, 3]") from error
    if array.ndim != 3 or array.shape[1:] != (atoms, 3) or not len(array):
        raise DomainError(
            f"fit_force_constants: the {name} have the shape [S, {atoms}, 3], S sets of vectors of the atoms of the "
            f"supercell; these have {list(array.shape)}"
        )
    if not numpy.isfinite(array).all():
        raise DomainError(f"fit_force_constants: the {name} have an entry that is no finite number")
    return array


def fit_force_constants(
    constants: Sequence[ForceConstants], displacements: Any, forces: Any
) -> list[numpy.ndarray[Any, Any]]:
    """Force constants of several orders that fit forces best, by least squares.

    Parameters
    ----------
    constants : sequence of ForceConstants
        Those of orders 2, 3, ..., of one supercell of one crystal: ``[fc2, fc3]``.
    displacements : array_like [S, N, 3]
        Cartesian displacements of the atoms of the supercell, in phonopy's order.
    forces : array_like [S, N, 3]
        The forces on them.

    Returns
    -------
    list of arrays
        For every order the constants ``[P, N, ..., N, 3, ..., 3]``.

    Raises
    ------
    DomainError
        If shapes differ, or the displacements do not determine all free constants.

    Examples
    --------
    >>> import numpy
    >>> from intertwine.chem import Crystal, fit_force_constants
    >>> salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ['Na', 'Cl']))
    >>> harmonic = salt.force_constants(2, (2, 2, 2))
    >>> u = numpy.random.default_rng(0).normal(size=(3, 16, 3))
    >>> f = numpy.array([harmonic.forces(x) @ numpy.ones(harmonic.dimension) for x in u])
    >>> fitted, = fit_force_constants([harmonic], u, f)
    >>> fitted.shape, numpy.allclose(fitted, harmonic.constants(numpy.ones(harmonic.dimension)))
    ((2, 16, 3, 3), True)
    """
    import numpy

    parts = list(constants)
    if not parts or not all(hasattr(part, "tied_dimension") for part in parts):
        raise DomainError("fit_force_constants: give a list of ForceConstants, such as [fc2, fc3]")
    first = parts[0]
    if any((part.structure, part.supercell) != (first.structure, first.supercell) for part in parts):
        raise DomainError("fit_force_constants: these force constants are of different supercells")
    if len({part.order for part in parts}) != len(parts):
        raise DomainError("fit_force_constants: there are several force constants of one order")
    atoms = len(first.structure[1])
    moved, felt = _snapshots("displacements", displacements, atoms), _snapshots("forces", forces, atoms)
    if len(moved) != len(felt):
        raise DomainError(
            f"fit_force_constants: there are {len(moved)} sets of displacements and {len(felt)} of forces"
        )
    columns = sum(part.dimension for part in parts)
    by_snapshot = numpy.empty((len(moved), 3 * atoms, columns))
    for row, u in zip(by_snapshot, moved):
        numpy.concatenate([part.forces(u).reshape(3 * atoms, -1) for part in parts], axis=1, out=row)
    design = by_snapshot.reshape(-1, columns)
    scale = numpy.linalg.norm(design, axis=0)
    scale[scale == 0] = 1
    found, _, rank, _ = numpy.linalg.lstsq(design / scale, felt.reshape(-1), rcond=1e-10)
    if rank < columns:
        raise DomainError(
            "fit_force_constants: " + _UNDETERMINED.format(missing=columns - rank, all=columns, snapshots=len(moved))
        )
    ends = numpy.cumsum([part.dimension for part in parts])[:-1]
    return [part.constants(x) for part, x in zip(parts, numpy.split(found / scale, ends))]


def _sides(atoms: int, order: int) -> tuple[int, ...]:
    return (atoms,) * (order - 1) + (3,) * order


def _write_hdf5(path: str | os.PathLike[str], array: numpy.ndarray[Any, Any], order: int) -> None:
    """The compact form of phonopy and phono3py: the first index is of the atoms that p2s_map names."""
    import numpy

    try:
        h5py: Any = importlib.import_module("h5py")
    except ImportError as error:
        raise DomainError(
            "write_force_constants: files .hdf5 are written by h5py; install it (pip install h5py)"
        ) from error
    with h5py.File(path, "w") as file:
        file.create_dataset("force_constants" if order == 2 else "fc3", data=array, compression="gzip")
        file.create_dataset("p2s_map", data=numpy.arange(len(array)) * (array.shape[1] // len(array)))


def _images(cells: Any) -> numpy.ndarray[Any, Any]:
    """The cells of a supercell in the order of its atoms: image (i, j, k) is number i + a (j + b k)."""
    import numpy

    return numpy.stack(numpy.unravel_index(numpy.arange(int(cells.prod())), cells[::-1]), axis=1)[:, ::-1]


def _checked(name: str, constants: Any, supercell: Any) -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
    """The constants of order 2 or 3 and the numbers of cells."""
    import numpy

    cells = numpy.array(supercell)
    array = numpy.asarray(constants, dtype=float)
    order = array.ndim // 2
    if cells.shape != (3,) or order not in (2, 3) or array.shape[1:] != _sides(len(array) * int(cells.prod()), order):
        raise DomainError(
            f"{name}: constants have the shape [P, N, 3, 3] or [P, N, N, 3, 3, 3] with N = P a b c for a supercell "
            f"(a, b, c); these have {list(array.shape)} for {tuple(supercell)}"
        )
    return array, cells


def full_force_constants(constants: Any, supercell: tuple[int, int, int]) -> numpy.ndarray[Any, Any]:
    """Force constants with the first atom anywhere in the supercell, from those whose first atom is in one cell.

    Parameters
    ----------
    constants : array_like [P, N, 3, 3] or [P, N, N, 3, 3, 3]
        As `ForceConstants` has them.
    supercell : (int, int, int)
        How many cells there are along the edges: N = P a b c.

    Returns
    -------
    array [N, N, 3, 3] or [N, N, N, 3, 3, 3]
        As ``hiphive.ForceConstants.from_arrays`` takes it.

    Raises
    ------
    DomainError
        If the shape is another one.

    Examples
    --------
    >>> import numpy
    >>> from intertwine.chem import full_force_constants
    >>> full_force_constants(numpy.zeros((1, 8, 8, 3, 3, 3)), (2, 2, 2)).shape
    (8, 8, 8, 3, 3, 3)
    """
    import numpy

    array, cells = _checked("full_force_constants", constants, supercell)
    count, order = len(array), array.ndim // 2
    places = _images(cells)
    atoms, images = count * len(places), len(places)
    full = numpy.empty((count, images) + array.shape[1:])
    for at, place in enumerate(places):
        moved = (places - place) % cells
        number = moved[:, 0] + cells[0] * (moved[:, 1] + cells[1] * moved[:, 2])
        where = (numpy.arange(count)[:, None] * images + number).reshape(-1)
        full[:, at] = array[:, where] if order == 2 else array[:, where][:, :, where]
    return full.reshape((atoms,) + array.shape[1:])


def _nearest(cells: Any, edges: Any, positions: Any) -> list[list[list[Any]]]:
    """[first atom][atom of the supercell]: the cells of its images that are nearest to the first atom in cell 0."""
    import numpy

    places = _images(cells)
    around = _images(numpy.array([5, 5, 5])) - 2
    result = []
    for origin in positions:
        row = []
        for position in positions:
            # A position may lie anywhere: the search begins in the cell where it is nearest to the first atom.
            home = numpy.round(position - origin).astype(int)
            for place in places:
                start = (place + home + cells // 2) % cells - cells // 2 - home
                candidates = start + around * cells
                lengths = numpy.linalg.norm((candidates + position - origin) @ edges, axis=1)
                row.append(list(candidates[lengths < lengths.min() + 1e-5 * max(1.0, lengths.min())]))
        result.append(row)
    return result


def _write_shengbte(path: str | os.PathLike[str], array: Any, cells: Any, structure: Any) -> None:
    """Blocks of atoms with the vectors of the cells of the second and the third one. Images of equal distance share."""
    import numpy

    if structure is None:
        raise DomainError(
            "write_force_constants: FORCE_CONSTANTS_3RD of ShengBTE has vectors of cells; give the structure of the cell, "
            "such as structure=crystal.structure"
        )
    edges, positions = (numpy.array(part) for part in cell_of(getattr(structure, "structure", structure))[:2])
    if len(positions) != len(array):
        raise DomainError(
            f"write_force_constants: the structure has {len(positions)} atoms, and the constants are of {len(array)}"
        )
    images = int(cells.prod())
    nearest = _nearest(cells, edges, positions)
    blocks = []
    for i, j, k in numpy.argwhere(numpy.abs(array).max(axis=(3, 4, 5)) > 0):
        second, third = int(j) // images, int(k) // images
        pairs = [(a, b) for a in nearest[i][j] for b in nearest[i][k]]
        apart = [float(numpy.linalg.norm((a + positions[second] - b - positions[third]) @ edges)) for a, b in pairs]
        kept = [p for p, d in zip(pairs, apart) if d < min(apart) + 1e-5 * max(1.0, min(apart))]
        blocks += [(a @ edges, b @ edges, (i, second, third), array[i, j, k] / len(kept)) for a, b in kept]
    places = list(numpy.ndindex(3, 3, 3))
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{len(blocks):5d}\n")
        for number, (a, b, atoms, values) in enumerate(blocks, 1):
            out.write(f"\n{number:5d}\n")
            out.writelines("".join(f"{x:20.10e}" for x in vector) + "\n" for vector in (a, b))
            out.write("".join(f"{atom + 1:6d}" for atom in atoms) + "\n")
            out.writelines(f"{x + 1:2d}{y + 1:2d}{z + 1:2d}{values[x, y, z]:24.15e}\n" for x, y, z in places)


def write_force_constants(
    path: str | os.PathLike[str], constants: Any, supercell: tuple[int, int, int], structure: Any = None
) -> None:
    """Write force constants as phonopy, phono3py and ShengBTE read them.

    Parameters
    ----------
    path : str or path
        The file; it is replaced. A name that ends in .hdf5 or .h5 is of HDF5, as ``force_constants.hdf5`` and
        ``fc3.hdf5``, for which h5py has to be installed. FORCE_CONSTANTS_3RD is ShengBTE's file of order 3. Others are
        text for phonopy, which ShengBTE reads as FORCE_CONSTANTS_2ND.
    constants : array_like [P, N, 3, 3] or [P, N, N, 3, 3, 3]
        For the P atoms of the cell and the N atoms of the supercell, as `ForceConstants` has them.
    supercell : (int, int, int)
        How many cells there are along the edges: N = P a b c.
    structure : Crystal or structure, optional
        The cell with its P atoms, as `Crystal` takes it: for FORCE_CONSTANTS_3RD, which has the vectors of the cells of
        the second and the third atom. Constants of images that are equally near are shared among them.

    Raises
    ------
    DomainError
        If the shape is another one, the order needs another file, or h5py is not installed.

    Examples
    --------
    >>> import numpy, tempfile, os
    >>> from intertwine.chem import write_force_constants
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "FORCE_CONSTANTS")
    ...     write_force_constants(path, numpy.zeros((1, 8, 3, 3)), (2, 2, 2))
    ...     print(open(path).readline().split())
    ['8', '8']
    """
    array, cells = _checked("write_force_constants", constants, supercell)
    order = array.ndim // 2
    name = os.fspath(path)
    if name.endswith((".hdf5", ".h5")):
        return _write_hdf5(path, array, order)
    if order == 3:
        if "3RD" not in os.path.basename(name):
            raise DomainError(
                "write_force_constants: constants of order 3 are written into HDF5 or for ShengBTE; give a name such as "
                "fc3.hdf5 or FORCE_CONSTANTS_3RD"
            )
        return _write_shengbte(path, array, cells, structure)
    blocks = full_force_constants(array, supercell)
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{len(blocks):4d} {len(blocks):4d}\n")
        for i, row in enumerate(blocks):
            for j, block in enumerate(row):
                out.write(f"{i + 1} {j + 1}\n")
                out.writelines("".join(f"{x:22.15f}" for x in line) + "\n" for line in block)
