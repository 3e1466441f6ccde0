"""Gaussian elimination: over exact numbers, and modulo a prime."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy

__all__ = ["Integers", "PRIME", "reduced", "reduced_modulo"]

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]
PRIME = 2**31 - 1


def reduced(rows: list[list[Any]], columns: int) -> tuple[list[list[Any]], list[int]]:
    """The reduced row echelon form of rows of ints, Fractions and Cyclotomics, with pivots among the first columns: the rows that have one, and where
    they are."""
    rows, done, pivots = [list(row) for row in rows], 0, []
    for column in range(columns):
        at = next((i for i in range(done, len(rows)) if rows[i][column] != 0), None)
        if at is None:
            continue
        rows[done], rows[at] = rows[at], rows[done]
        pivot = rows[done][column]
        inverse = Fraction(1, pivot) if isinstance(pivot, int) else 1 / pivot
        rows[done] = [value * inverse if value != 0 else 0 for value in rows[done]]
        for i, row in enumerate(rows):
            if i != done and row[column] != 0:
                factor = row[column]
                rows[i] = [value - factor * other if other != 0 else value for value, other in zip(row, rows[done])]
        pivots.append(column)
        done += 1
    return rows[:done], pivots


def reduced_modulo(a: Integers, columns: int, upwards: bool = False) -> tuple[Integers, list[int]]:
    """The row echelon form modulo the prime, with pivots among the first columns, and where they are; above pivots it is zero if upwards."""
    a = a % PRIME
    pivots: list[int] = []
    for column in range(columns):
        row = len(pivots)
        found = numpy.flatnonzero(a[row:, column])
        if not len(found):
            continue
        a[[row, row + found[0]]] = a[[row + found[0], row]]
        a[row, column:] = a[row, column:] * pow(int(a[row, column]), -1, PRIME) % PRIME
        others = numpy.flatnonzero(a[:, column])
        others = others[others != row] if upwards else others[others > row]
        a[others, column:] = (a[others, column:] - a[others, column, None] * a[row, column:]) % PRIME
        pivots.append(column)
        if len(pivots) == len(a):
            break
    return a, pivots
