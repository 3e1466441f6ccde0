"""Operations of magnetic space groups from the database of the package spglib, which is no dependency."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from ._errors import DomainError
from ._structures import usual_hall_number

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
    operations = []
    for W, w, reverses in zip(found["rotations"], found["translations"], found["time_reversals"]):
        twelfths = [round(12 * float(x)) for x in w]
        if max(abs(12 * float(x) - n) for x, n in zip(w, twelfths)) > 1e-6:
            raise DomainError(f"MagneticSpaceGroup: spglib has a translation of group {uni} that is not in twelfths")
        rows = tuple(tuple(int(x) for x in row) for row in W)
        operations.append((rows, tuple(Fraction(n % 12, 12) for n in twelfths), bool(reverses)))
    return operations
