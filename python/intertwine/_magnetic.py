"""Magnetic space groups by the package spglib, which is no dependency: by numbers, and of structures with moments."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._errors import DomainError
from ._structures import cell_of, usual_hall_number

if TYPE_CHECKING:
    from ._core import MagneticSpaceGroup

COUNT = 1651
_EXAMPLE = "a BNS number such as '62.448', an OG number such as '62.8.509', or a UNI number from 1 to 1651"


def _database() -> Any:
    try:
        import spglib

        spglib.get_magnetic_symmetry_from_database  # noqa: B018  (releases before 2.0 have none)
    except (ImportError, AttributeError) as error:
        raise DomainError(
            "MagneticSpaceGroup: numbers are looked up in the database of spglib 2; install it (pip install spglib), "
            "or give the operations"
        ) from error
    return spglib


@functools.cache
def _numbers() -> dict[str, int]:
    """UNI numbers by BNS and OG numbers."""
    spglib = _database()
    numbers = {}
    for uni in range(1, COUNT + 1):
        kind = spglib.get_magnetic_spacegroup_type(uni)
        kind = kind if isinstance(kind, dict) else vars(kind)
        numbers[kind["bns_number"]] = numbers[kind["og_number"]] = uni
    return numbers


def operations_of(number: int | str) -> list[tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...], bool]]:
    """(W, w, reverses_time) of the group with this number, in the usual setting."""
    if isinstance(number, str):
        uni = _numbers().get(number.strip())
        if uni is None:
            raise DomainError(
                f"MagneticSpaceGroup: {number[:40]!r} is no number of a magnetic space group; give {_EXAMPLE}"
            )
    else:
        uni = int(number)
        if not 1 <= uni <= COUNT:
            raise DomainError(
                f"MagneticSpaceGroup: there are {COUNT} magnetic space groups and no number {uni}; give {_EXAMPLE}"
            )
    kind = _database().get_magnetic_spacegroup_type(uni)
    kind = kind if isinstance(kind, dict) else vars(kind)
    usual = usual_hall_number(_database(), int(kind["bns_number"].split(".")[0]))
    found = _database().get_magnetic_symmetry_from_database(uni, usual)
    return _listed(uni, found)


def _listed(uni: int, found: Any) -> list[tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...], bool]]:
    """Exact operations from those of spglib's database."""
    operations = []
    for W, w, reverses in zip(found["rotations"], found["translations"], found["time_reversals"]):
        twelfths = [round(12 * float(x)) for x in w]
        if max(abs(12 * float(x) - n) for x, n in zip(w, twelfths)) > 1e-6:
            raise DomainError(f"MagneticSpaceGroup: spglib has a translation of group {uni} that is not in twelfths")
        rows = tuple(tuple(int(x) for x in row) for row in W)
        operations.append((rows, tuple(Fraction(n % 12, 12) for n in twelfths), bool(reverses)))
    return operations


@dataclasses.dataclass(frozen=True)
class MagneticSite:
    """Atoms that a magnetic group takes to one another: see `magnetic_group`.

    `atoms` are their numbers from 0. `position` and `moment` are those of the first one, in edges of the cell as it was
    given; a moment of a collinear order is a number. `allowed` are the moments that the group allows there, such as
    "(mx,-mx,0)", and `freedom` is how many numbers they have.
    """

    element: str
    atoms: tuple[int, ...]
    position: tuple[float, float, float]
    moment: float | tuple[float, float, float]
    allowed: str
    freedom: int


@dataclasses.dataclass(frozen=True)
class MagneticMatch:
    """The magnetic space group of a structure: see `magnetic_group`.

    `group` is in the setting of spglib's database. `number` and `symbol` are those of Belov, Neronova and Smirnova,
    `og_number` and `og_symbol` are those of Opechowski and Guccione, and `uni` is the number of the database. Symbols
    are "" where the library was built without spglib. `operations` counts those modulo translations that do not reverse
    time. A position in the standard cell is transformation position + shift, in edges of either cell.
    """

    group: MagneticSpaceGroup
    number: str
    transformation: tuple[tuple[float, ...], ...]
    shift: tuple[float, ...]
    symbol: str = ""
    og_number: str = ""
    uni: int = 0
    operations: int = 0
    sites: tuple[MagneticSite, ...] = ()
    og_symbol: str = ""


def moment_rows(moments: Any, atoms: int) -> tuple[list[list[float]], bool]:
    """Moments as vectors, and whether they were numbers, the third coordinate of those."""
    array = _moments(None, moments, atoms)
    if array.ndim == 2:
        return array.tolist(), False
    return [[0.0, 0.0, float(m)] for m in array], True


def _site(found: dict[str, Any]) -> MagneticSite:
    moment = found["moment"]
    return MagneticSite(
        found["element"],
        tuple(found["atoms"]),
        tuple(found["position"]),
        tuple(moment) if isinstance(moment, list) else moment,
        found["allowed"],
        found["freedom"],
    )


def _moments(structure: Any, moments: Any, atoms: int) -> Any:
    """One number or vector for each atom."""
    import numpy

    if moments is None:
        if hasattr(structure, "get_initial_magnetic_moments"):  # ASE
            moments = structure.get_initial_magnetic_moments()
        elif getattr(structure, "magnetic_moments", None) is not None:  # phonopy
            moments = structure.magnetic_moments
        elif "magmom" in getattr(structure, "site_properties", {}):  # pymatgen
            moments = structure.site_properties["magmom"]
        else:
            raise DomainError("magnetic_group: this structure has no moments; give moments=[...], one for each atom")
    try:
        array = numpy.asarray(moments, dtype=float)
    except (TypeError, ValueError) as error:
        raise DomainError("magnetic_group: moments are numbers, or vectors in Cartesian coordinates") from error
    if array.shape not in ((atoms,), (atoms, 3)) or not numpy.isfinite(array).all():
        raise DomainError(
            f"magnetic_group: moments have the shape [{atoms}] or [{atoms}, 3] and are finite; these are {list(array.shape)}"
        )
    return array


def magnetic_group(
    structure: Any, moments: Any = None, tolerance: float = 0.01, moment_tolerance: float | None = None
) -> MagneticMatch:
    """The magnetic space group of a structure with magnetic moments, by the package spglib.

    Parameters
    ----------
    structure : structure or Crystal
        What `Crystal` takes for a structure: the name of a file, atoms of ASE, pymatgen and phonopy, or
        (cell, positions, symbols).
    moments : array_like [N] or [N, 3], optional
        The moments of the atoms: numbers for a collinear order without spin-orbit coupling, whose direction does not
        matter, or Cartesian vectors. Files and atoms of other packages may have them.
    tolerance : float
        How far an operation may take an atom beside its image.
    moment_tolerance : float, optional
        How far it may take a moment beside the one there; the tolerance if it is not given.

    Returns
    -------
    MagneticMatch
        `group`, its `number` and other names, the `transformation` and `shift` to the standard cell, in whose dual
        basis the wave vectors of the group are, and `sites` with the moments that it allows.

    Raises
    ------
    DomainError
        If spglib is not installed or finds no group, the shapes differ, or the operations that keep the moments within
        the tolerance are another group than spglib's.

    Examples
    --------
    >>> from intertwine.chem import magnetic_group
    >>> cell, x = [[4.87, 0, 0], [0, 4.87, 0], [0, 0, 3.31]], 0.305
    >>> metal, fluorine = [(0, 0, 0), (0.5, 0.5, 0.5)], [(x, x, 0), (-x, -x, 0), (0.5 + x, 0.5 - x, 0.5), (0.5 - x, 0.5 + x, 0.5)]
    >>> order = [[0, 0, 5], [0, 0, -5]] + [[0, 0, 0]] * 4
    >>> magnetic_group((cell, metal + fluorine, ["Mn"] * 2 + ["F"] * 4), order).number  # doctest: +SKIP
    '136.499'
    """
    import numpy

    from ._core import Crystal, MagneticSpaceGroup

    spglib = _database()
    moment_tolerance = tolerance if moment_tolerance is None else moment_tolerance
    if isinstance(structure, (str, os.PathLike)):
        structure = Crystal(structure, tolerance)
    if moments is None and isinstance(structure, Crystal):
        moments = structure.moments
    edges, places, symbols = cell_of(getattr(structure, "structure", structure))
    kinds: dict[str | int, int] = {}
    given = (
        numpy.array(edges),
        numpy.array(places),
        [kinds.setdefault(s, len(kinds) + 1) for s in symbols],
        _moments(structure, moments, len(symbols)),
    )
    try:
        found = spglib.get_magnetic_symmetry_dataset(given, symprec=tolerance, mag_symprec=moment_tolerance)
    except Exception as error:  # newer releases raise errors of their own, older ones give None
        raise DomainError(
            f"magnetic_group: spglib finds no magnetic group within the tolerance {tolerance:g}: {error}"
        ) from error
    if found is None:
        raise DomainError(f"magnetic_group: spglib finds no magnetic group within the tolerance {tolerance:g}")
    found = found if isinstance(found, dict) else vars(found)
    uni = int(found["uni_number"])
    kind = spglib.get_magnetic_spacegroup_type(uni)
    kind = kind if isinstance(kind, dict) else vars(kind)
    listed = spglib.get_magnetic_symmetry_from_database(uni, int(found["hall_number"]))
    crystal: Any = Crystal((edges, places, symbols), tolerance, given[3])
    exact = json.loads(crystal._magnetic(moment_tolerance))
    if exact.get("uni", uni) != uni or exact["type"] != kind["type"]:
        raise DomainError(
            f"magnetic_group: spglib finds the group {kind['bns_number']}, and the operations that keep the moments "
            f"within {moment_tolerance:g} are those of {exact.get('bns', {}).get('number', 'another')}; "
            "try another tolerance"
        )
    return MagneticMatch(
        MagneticSpaceGroup(_listed(uni, listed)),
        str(kind["bns_number"]),
        tuple(map(tuple, numpy.array(found["transformation_matrix"], dtype=float).tolist())),
        tuple(numpy.array(found["origin_shift"], dtype=float).tolist()),
        exact.get("bns", {}).get("symbol") or "",
        str(kind["og_number"]),
        uni,
        exact["operations"],
        tuple(map(_site, exact["sites"])),
        exact.get("og", {}).get("symbol") or "",
    )
