"""Computed modes of molecules and crystals, named by the irreducible representations that they belong to."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._errors import DomainError, FileError

if TYPE_CHECKING:
    import numpy as np

_NOTHING = 1e-6  # shares below this are rounding


@dataclass(frozen=True)
class ModeLabel:
    """The irreducible representation that a computed mode belongs to.

    Attributes
    ----------
    name : str
        the species of its largest part: Mulliken's name at the centre of the zone and for molecules. Elsewhere it is the
        number of the irreducible representation as `irreps_at` lists them, from 1, or "3+4" where time reversal joins
        two. It is empty for a mode of other wave vectors alone.
    weight : float
        the share of that part in its squared norm, 1 for a mode that is pure.
    mixing : dict of str to float
        the shares of all species that it has, the largest first.
    lost : float
        the share of other wave vectors.
    """

    name: str
    weight: float
    mixing: dict[str, float] = field(hash=False)
    lost: float = 0.0

    def __repr__(self) -> str:
        parts = [f"{name} {share:.3g}" for name, share in self.mixing.items()]
        parts += [f"lost {self.lost:.3g}"] if self.lost > _NOTHING else []
        return f"<ModeLabel {self.name if len(parts) == 1 and self.name else ' + '.join(parts)}>"


def _rows(vectors: Any, count: int, modes: str | None, who: str) -> np.ndarray:
    """Modes [M, N, 3] of N atoms as complex numbers."""
    import numpy as np

    if modes not in (None, "rows", "columns"):
        raise DomainError(f"{who}: modes= is 'rows' or 'columns', not {modes!r}")
    try:
        array = np.asarray(vectors)
        array = array.astype(complex)
    except (TypeError, ValueError) as error:
        raise DomainError(f"{who}: modes are an array of numbers [M, {count}, 3]") from error
    size = 3 * count
    if array.ndim == 3 and array.shape[1:] == (count, 3):
        rows = array
    elif array.ndim == 2 and array.shape == (size, size) and modes is None:
        raise DomainError(
            f"{who}: a matrix of {size} rows and columns may have its modes as either; say modes='columns' for what "
            "numpy.linalg.eigh gives, or modes='rows'"
        )
    elif array.ndim == 2 and array.shape[0] == size and modes != "rows":
        rows = array.T.reshape(-1, count, 3)
    elif array.ndim == 2 and array.shape[1] == size and modes != "columns":
        rows = array.reshape(-1, count, 3)
    else:
        raise DomainError(
            f"{who}: the modes of {count} atoms have the shape [M, {count}, 3] or a side {size}, and these have "
            f"{list(array.shape)}"
        )
    if not np.isfinite(rows).all():
        raise DomainError(f"{who}: a number of the modes is not finite")
    norms = np.sqrt((abs(rows) ** 2).sum(axis=(1, 2)))
    if not (norms > 0).all():
        raise DomainError(f"{who}: mode {int(np.argmin(norms))} (from 0) is 0 and belongs to nothing")
    pure: np.ndarray = rows / norms[:, None, None]
    return pure


def _labels(parts: list[tuple[str, np.ndarray]], kept: np.ndarray) -> list[ModeLabel]:
    """Labels of modes from the shares of every species."""
    labels = []
    for m, share in enumerate(kept):
        found = sorted(((float(w[m]), name) for name, w in parts if w[m] > _NOTHING), key=lambda x: -x[0])
        if not found:
            labels.append(ModeLabel("", 0.0, {}, 1.0))
            continue
        lost = float(1 - share)
        labels.append(ModeLabel(found[0][1], found[0][0], {n: w for w, n in found}, lost if lost > _NOTHING else 0.0))
    return labels


def _shares(rows: np.ndarray, images: list[np.ndarray], species: Any) -> list[tuple[str, np.ndarray]]:
    """For every species the squared norms of projected modes, whose images under operations are given."""
    import numpy as np

    parts = []
    for name, blocks in species:
        projected = np.zeros_like(rows)
        for degree, characters in blocks:
            for x, image in zip(characters, images):
                projected += degree / len(images) * np.conj(x) * image
        parts.append((name, (abs(projected) ** 2).sum(axis=(1, 2))))
    return parts


def label_molecule(molecule: Any, vectors: Any, modes: str | None) -> list[ModeLabel]:
    """See Molecule.label_modes."""
    import numpy as np

    rows = _rows(vectors, len(molecule), modes, "Molecule.label_modes") @ molecule.rotation.T
    images = []
    for atoms, matrix in molecule._operations():
        image = np.empty_like(rows)
        image[:, atoms] = rows @ np.asarray(matrix).T
        images.append(image)
    return _labels(_shares(rows, images, molecule._species()), np.ones(len(rows)))


def _rational(x: float, what: str) -> Fraction:
    close = Fraction(x).limit_denominator(1000)
    if abs(float(close) - x) > 1e-6:
        raise DomainError(f"label_modes: {what} has the coordinate {x:.8g}, which is not rational within 1e-6")
    return close


def _exact_vector(k: Any) -> list[Fraction]:
    try:
        if isinstance(k, str) or len(k) != 3 or any(isinstance(x, float) or "." in str(x) for x in k):
            raise ValueError(k)
        return [Fraction(x) for x in k]
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise DomainError("label_modes: a wave vector is three rational numbers, such as [0, 0, '1/2']") from error


class _Places:
    """The operations of a crystal on the atoms as they were given."""

    def __init__(self, crystal: Any) -> None:
        import numpy as np

        cell, positions, self.symbols = crystal.structure
        self.cell, self.positions = np.array(cell), np.array(positions)
        self.tolerance = 4 * crystal.tolerance
        self.to_standard, self.shift = np.asarray(crystal.transformation), np.asarray(crystal.shift)
        self.from_standard = np.linalg.inv(self.to_standard)

    def operation(self, W: Any, w: Any) -> tuple[np.ndarray, np.ndarray]:
        """x -> W x + w in edges of the given cell."""
        import numpy as np

        given = self.from_standard @ np.array(W, dtype=float) @ self.to_standard
        moved = np.array(W, dtype=float) @ self.shift + np.array([float(x) for x in w]) - self.shift
        return given, self.from_standard @ moved

    def image(self, rows: np.ndarray, W: np.ndarray, w: np.ndarray, q: np.ndarray) -> np.ndarray:
        """Modes taken along: their amplitudes at atoms, with the phases of the places."""
        import numpy as np

        left, _, right = np.linalg.svd(self.cell.T @ W @ np.linalg.inv(self.cell.T))
        places = self.positions @ W.T + w
        image = np.empty_like(rows)
        turned = rows @ (left @ right).T
        for j, place in enumerate(places):
            apart = place - self.positions
            cells = np.round(apart)
            distance = np.linalg.norm((apart - cells) @ self.cell, axis=1)
            distance[[s != self.symbols[j] for s in self.symbols]] = np.inf
            target = int(np.argmin(distance))
            if distance[target] > self.tolerance:
                raise DomainError(
                    f"label_modes: an operation takes atom {j} (from 0) to a place where no {self.symbols[j]} is"
                )
            exact = self.positions[target] + cells[target]
            image[:, target] = turned[:, j] * np.exp(2j * np.pi * (q @ (self.positions[j] - exact)))
        return image

    def translations(self, centring: Any) -> list[np.ndarray]:
        """Those of the crystal modulo the given cell."""
        import numpy as np

        steps = [self.from_standard @ np.array([float(x) for x in t]) for t in centring]
        steps += list(self.from_standard.T)
        found = [np.zeros(3)]
        for known in found:  # grows
            for step in steps:
                t = known + step
                t = t - np.round(t)
                if all(np.linalg.norm((t - u - np.round(t - u)) @ self.cell) > self.tolerance for u in found):
                    found.append(t)
                    if len(found) > len(self.positions):
                        raise DomainError("label_modes: the cell as it was given is none of the crystal's lattice")
        return found


def label_crystal(crystal: Any, vectors: Any, k: Any, modes: str | None, phases: str) -> list[ModeLabel]:
    """See Crystal.label_modes."""
    import numpy as np

    if phases not in ("atoms", "cells"):
        raise DomainError(f"label_modes: phases= is 'atoms' or 'cells', not {phases!r}")
    rows = _rows(vectors, len(crystal), modes, "Crystal.label_modes")
    places = _Places(crystal)
    given = [Fraction(0)] * 3 if k is None else _exact_vector(k)
    q = np.array([float(x) for x in given])
    if phases == "cells":
        rows = rows * np.exp(-2j * np.pi * (places.positions @ q))[None, :, None]
    back = [
        [_rational(x, "the cell in edges of the standard one") for x in row] for row in places.from_standard.tolist()
    ]
    standard = [sum((given[i] * back[i][j] for i in range(3)), Fraction(0)) for j in range(3)]
    bloch = np.zeros_like(rows)
    translations = places.translations(crystal.space_group.centring)
    for t in translations:
        bloch += np.exp(2j * np.pi * (q @ t)) / len(translations) * places.image(rows, np.eye(3), t, q)
    kept = (abs(bloch) ** 2).sum(axis=(1, 2))
    if any(standard):
        little = crystal.irreps_at(standard)
        operations = little.operations
        table = [(degree, [complex(x) for x in row]) for degree, row in zip(little.dimensions, little.characters)]
        joined = [sorted(set(level)) for level in little.corepresentations]  # displacements know of time reversal
        species = [("+".join(str(r + 1) for r in level), [table[r] for r in level]) for level in joined]
    else:
        operations, species = crystal.space_group.operations, crystal._species()
    images = [places.image(bloch, *places.operation(W, w), q) for W, w in operations]
    return _labels(_shares(bloch, images, species), kept)


def label_phonons(
    path: str | os.PathLike[str], tolerance: float = 0.01
) -> list[tuple[list[float], list[float], list[ModeLabel]]]:
    """Names the modes of a file of phonopy with eigenvectors: band.yaml, mesh.yaml or qpoints.yaml.

    Parameters
    ----------
    path : str or os.PathLike
        the file, with `lattice`, `points` and, for every wave vector, eigenvectors (phonopy's option --eigenvectors).
    tolerance : float
        how far, in the unit of the cell, an operation may take an atom beside its image.

    Returns
    -------
    list of (list of float, list of float, list of ModeLabel)
        for every wave vector q its coordinates as the file has them, the frequencies, and the labels.

    Raises
    ------
    FileError
        for a file that cannot be read, or has no eigenvectors.
    DomainError
        where PyYAML is not installed, or a wave vector is not rational within 1e-6.

    Examples
    --------
    >>> label_phonons("band.yaml")  # doctest: +SKIP
    [([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 15.6, 15.6, 15.6], [<ModeLabel T1u>, ...]), ...]
    """
    import numpy as np

    try:
        yaml: Any = importlib.import_module("yaml")  # whose types are a package of their own
    except ImportError as error:
        raise DomainError(
            "label_phonons: phonopy's files are read by PyYAML; install it (pip install pyyaml)"
        ) from error
    from ._core import Crystal

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    name = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            data = yaml.load(file, Loader=loader)
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FileError(f"{name}: this is no YAML: {str(error).splitlines()[0]}") from error
    if not isinstance(data, dict) or not all(key in data for key in ("lattice", "points", "phonon")):
        raise FileError(
            f"{name}: this is no band.yaml, mesh.yaml or qpoints.yaml of phonopy with `lattice`, `points` and `phonon`"
        )
    try:
        atoms = [(point["symbol"], point["coordinates"]) for point in data["points"]]
        crystal = Crystal((data["lattice"], [x for _, x in atoms], [s for s, _ in atoms]), tolerance)
        answers = []
        for entry in data["phonon"]:
            q, bands = [float(x) for x in entry["q-position"]], entry["band"]
            if not all("eigenvector" in band for band in bands):
                raise FileError(
                    f"{name}: q = {q} has no eigenvectors; phonopy writes them with the option --eigenvectors"
                )
            vectors = np.array([band["eigenvector"] for band in bands], dtype=float)
            vectors = vectors[..., 0] + 1j * vectors[..., 1]
            if vectors.shape[1:] != (len(atoms), 3):
                raise FileError(
                    f"{name}: q = {q} has eigenvectors of {vectors.shape[1] if vectors.ndim > 1 else 0} atoms, and "
                    f"`points` has {len(atoms)}"
                )
            k = [_rational(x, f"{name}: q = {q}") for x in q]
            answers.append((q, [float(band["frequency"]) for band in bands], crystal.label_modes(vectors, k)))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, DomainError | FileError):
            raise
        raise FileError(f"{name}: a part that phonopy writes is missing or of another kind ({error})") from error
    return answers
