"""Force constants from displacements and forces, by least squares, and phonopy's file of them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._errors import DomainError

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


def write_force_constants(path: str | os.PathLike[str], constants: Any, supercell: tuple[int, int, int]) -> None:
    """Write force constants as phonopy and phono3py read them: FORCE_CONSTANTS, or a file .hdf5.

    Parameters
    ----------
    path : str or path
        The file; it is replaced. A name that ends in .hdf5 or .h5 is of HDF5, as ``force_constants.hdf5`` and
        ``fc3.hdf5``, for which h5py has to be installed; others are text.
    constants : array_like [P, N, 3, 3] or [P, N, N, 3, 3, 3]
        For the P atoms of the cell and the N atoms of the supercell, as `ForceConstants` has them; those of order 3 go
        into HDF5.
    supercell : (int, int, int)
        How many cells there are along the edges: N = P a b c.

    Raises
    ------
    DomainError
        If the shape is another one, the order needs HDF5, or h5py is not installed.

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
    import numpy

    cells = numpy.array(supercell)
    array = numpy.asarray(constants, dtype=float)
    order = array.ndim // 2
    if cells.shape != (3,) or order not in (2, 3) or array.shape[1:] != _sides(len(array) * int(cells.prod()), order):
        raise DomainError(
            f"write_force_constants: constants have the shape [P, N, 3, 3] or [P, N, N, 3, 3, 3] with N = P a b c for a "
            f"supercell (a, b, c); these have {list(array.shape)} for {tuple(supercell)}"
        )
    if os.fspath(path).endswith((".hdf5", ".h5")):
        return _write_hdf5(path, array, order)
    if order == 3:
        raise DomainError(
            "write_force_constants: constants of order 3 are written into HDF5; give a name such as fc3.hdf5"
        )
    count, images = len(array), int(cells.prod())
    # Image (i, j, k) is number i + a (j + b k) of its atom; so is the difference of two, modulo a, b and c.
    places = numpy.stack(numpy.unravel_index(numpy.arange(images), cells[::-1]), axis=1)[:, ::-1]
    full = numpy.empty((count, images, count, images, 3, 3))
    compact = array.reshape(count, count, images, 3, 3)
    for at, place in enumerate(places):
        shifted = (places - place) % cells
        full[:, at] = compact[:, :, shifted[:, 0] + cells[0] * (shifted[:, 1] + cells[1] * shifted[:, 2])]
    blocks = full.reshape(array.shape[1], array.shape[1], 3, 3)
    with open(path, "w", encoding="ascii") as out:
        out.write(f"{len(blocks):4d} {len(blocks):4d}\n")
        for i, row in enumerate(blocks):
            for j, block in enumerate(row):
                out.write(f"{i + 1} {j + 1}\n")
                out.writelines("".join(f"{x:22.15f}" for x in line) + "\n" for line in block)
