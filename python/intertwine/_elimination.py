"""Gaussian elimination modulo a prime."""

from __future__ import annotations

import numpy

__all__ = ["Integers", "PRIME", "pivots_modulo"]

Integers = numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.int64]]
PRIME = 2**31 - 1


def pivots_modulo(a: Integers) -> list[int]:
    """The first columns that are independent modulo the prime."""
    a = a % PRIME
    pivots: list[int] = []
    for column in range(a.shape[1]):
        row = len(pivots)
        found = numpy.flatnonzero(a[row:, column])
        if not len(found):
            continue
        a[[row, row + found[0]]] = a[[row + found[0], row]]
        a[row, column:] = a[row, column:] * pow(int(a[row, column]), -1, PRIME) % PRIME
        below = row + 1 + numpy.flatnonzero(a[row + 1 :, column])
        a[below, column:] = (a[below, column:] - a[below, column, None] * a[row, column:]) % PRIME
        pivots.append(column)
        if len(pivots) == len(a):
            break
    return pivots
