"""Structures of other packages as a cell, and the search of the package spglib. None of them is a dependency."""

from __future__ import annotations

import operator
from typing import Any

from ._errors import DomainError

_EXPECTED = (
    "Crystal: give the name of a CIF, a POSCAR or an extended .xyz file, atoms of ASE or phonopy, a Structure of "
    "pymatgen, or (cell, positions, symbols)"
)
Cell = tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...], tuple[str | int, ...]]


def cell_of(structure: Any, occupancy: str = "refuse") -> Cell:
    """The edges of the cell as rows, positions in edges, and symbols or atomic numbers."""
    import numpy

    try:
        if hasattr(structure, "get_scaled_positions") and hasattr(structure, "get_pbc"):  # ASE
            if not all(structure.get_pbc()):
                raise DomainError(
                    f"Crystal: pbc={list(map(bool, structure.get_pbc()))} says that these atoms do not repeat along "
                    "all three edges; molecule() takes a cluster, and a crystal has pbc=True"
                )
            parts = structure.cell[:], structure.get_scaled_positions(wrap=False), structure.get_chemical_symbols()
        elif hasattr(structure, "lattice") and hasattr(structure, "frac_coords"):  # pymatgen
            kinds_of_sites = (
                [[getattr(s, "element", s).symbol] for s in structure.species]
                if structure.is_ordered
                else [_kinds_of_site(site.species, occupancy) for site in structure]
            )
            parts = (
                structure.lattice.matrix,
                [x for x, kinds in zip(structure.frac_coords, kinds_of_sites) for _ in kinds],
                [kind for kinds in kinds_of_sites for kind in kinds],
            )
        elif hasattr(structure, "scaled_positions") and hasattr(structure, "symbols"):  # phonopy
            parts = structure.cell, structure.scaled_positions, list(structure.symbols)
        else:
            cell, positions, symbols = structure
            parts = cell, positions, list(symbols)
        edges, places = (numpy.asarray(x, dtype=float) for x in parts[:2])
        kinds = tuple(str(s) if isinstance(s, str) else operator.index(s) for s in parts[2])
    except (TypeError, ValueError) as error:
        if isinstance(error, DomainError):
            raise
        raise DomainError(_EXPECTED) from error
    if edges.shape != (3, 3) or places.ndim != 2 or places.shape[1] != 3 or len(places) != len(parts[2]):
        raise DomainError(
            f"Crystal: a cell has the shape [3, 3], positions [N, 3], and there are N symbols; these are "
            f"{list(edges.shape)}, {list(places.shape)} and {len(parts[2])}"
        )
    return tuple(map(tuple, edges.tolist())), tuple(map(tuple, places.tolist())), kinds


def _kinds_of_site(species: Any, occupancy: str) -> list[str]:
    """The atoms of a site of pymatgen: its element, or where it is shared "Fe0.5Co0.5", or "Fe0.5" and "Co0.5"."""
    shares: dict[str, float] = {}
    for kind, share in species.items():
        symbol = getattr(kind, "element", kind).symbol
        shares[symbol] = shares.get(symbol, 0.0) + float(share)
    if len(shares) == 1 and abs(sum(shares.values()) - 1) <= 1e-3:
        return list(shares)
    parts = [f"{symbol}{round(share, 6):.6f}".rstrip("0").rstrip(".") for symbol, share in shares.items() if share > 0]
    if occupancy == "average":
        return ["".join(parts)]
    if occupancy == "split":
        return parts
    if occupancy != "refuse":
        raise DomainError(f"Crystal: the occupancy {occupancy[:20]!r} is none of 'average', 'split' and 'refuse'")
    raise DomainError(
        f"Crystal: a site of this structure is shared, {' and '.join(parts)}, and symmetry is that of whole atoms; "
        "take occupancy='average', where the atoms of a place are one of a mixed kind, occupancy='split', where each "
        "is a site of its own, or make it ordered"
    )


def molecule_of(structure: Any, cluster: bool) -> list[tuple[str, list[float]]] | None:
    """Symbols and positions of atoms of ASE, or of a molecule or a structure of pymatgen; None for others."""
    if hasattr(structure, "get_chemical_symbols") and hasattr(structure, "get_positions"):  # ASE
        periodic = any(structure.get_pbc())
        symbols, positions = structure.get_chemical_symbols(), structure.get_positions()
    elif hasattr(structure, "cart_coords") and hasattr(structure, "species"):  # pymatgen
        if not structure.is_ordered:
            raise DomainError("molecule: a site is shared by several species, and symmetry is that of whole atoms")
        periodic = hasattr(structure, "lattice")
        symbols = [getattr(s, "element", s).symbol for s in structure.species]
        positions = structure.cart_coords
    else:
        return None
    if periodic and not cluster:
        raise DomainError(
            "molecule: these atoms repeat as a crystal does, whose space group Crystal finds; cluster=True takes those of "
            "one cell by themselves"
        )
    return [(str(s), [float(x) for x in position]) for s, position in zip(symbols, positions)]


def usual_hall_number(spglib: Any, number: int) -> int:
    """spglib's number of the usual setting of a space group; 0 if it has none."""
    from ._core import SpaceGroup

    usual = SpaceGroup(number)
    for hall_number in range(1, 531):
        kind = spglib.get_spacegroup_type(hall_number)
        kind = kind if isinstance(kind, dict) else vars(kind)
        if kind["number"] == number and SpaceGroup("hall:" + kind["hall_symbol"]) == usual:
            return hall_number
    return 0


def match_of(cell: Cell, tolerance: float) -> tuple[str, Any, Any, str, list[str]]:
    """The space group in its usual setting by the package spglib: Hall's symbol, the transformation and the shift of the
    origin, Wyckoff letters and site symmetries of the atoms."""
    import numpy

    try:
        import spglib
    except ImportError as error:
        raise DomainError(
            "Crystal: this build has no search for space groups; install the package spglib (pip install spglib)"
        ) from error
    from ._core import SpaceGroup

    kinds: dict[str | int, int] = {}
    hand = 1.0 if numpy.linalg.det(numpy.array(cell[0])) > 0 else -1.0
    given: Any = (
        hand * numpy.array(cell[0]),
        hand * numpy.array(cell[1]),
        [kinds.setdefault(s, len(kinds) + 1) for s in cell[2]],
    )

    def search(hall_number: int) -> Any:
        try:
            found = spglib.get_symmetry_dataset(given, symprec=tolerance, hall_number=hall_number)
        except Exception as error:  # newer releases raise errors of their own, older ones give None
            raise DomainError(
                f"spglib finds no space group of these atoms within the tolerance {tolerance:g}: {error}"
            ) from error
        if found is None:
            raise DomainError(f"spglib finds no space group of these atoms within the tolerance {tolerance:g}")
        return found if isinstance(found, dict) else vars(found)

    found = search(0)
    usual = SpaceGroup(int(found["number"]))
    hall_number = usual_hall_number(spglib, int(found["number"]))
    if hall_number:
        found = search(hall_number)
    return (
        usual.hall,
        (hand * numpy.array(found["transformation_matrix"])).tolist(),
        numpy.array(found["origin_shift"]).tolist(),
        "".join(found["wyckoffs"]),
        list(found["site_symmetry_symbols"]),
    )
