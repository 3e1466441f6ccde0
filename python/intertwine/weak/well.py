"""The chance that a random affine subspace comes near the bottom of an isotropic quadratic well, in closed form."""

from __future__ import annotations

import math

from .. import DomainError
from ..nn._fields import AT_LEAST_1, integer

__all__ = ["quadratic_well"]


def _continued_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22) from its front, by the method of Lentz
    (1976)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 + term * d, 1 + term / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise DomainError(f"the incomplete beta function at {x} with parameters {a} and {b} does not converge")


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b), the chance that a Beta(a, b) variable is at most x."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges fast
        return front * _continued_fraction(x, a, b) / a
    return 1 - front * _continued_fraction(1 - x, b, a) / b


def quadratic_well(D: int, d: int, R: float, eps: float) -> float:
    """P that the loss |w - c|^2 / 2 reaches eps somewhere on {w0 + A theta}, for w0 at the distance R from c and A [D,
    d] with uniformly random orthonormal columns.

    With u = (c - w0) / R the lowest loss is R^2 (1 - |A^T u|^2) / 2, and |A^T u|^2 is Beta(d/2, (D - d)/2) distributed:
    it is the squared length of the first d coordinates of a uniformly random unit vector. So P = I_x((D - d)/2, d/2)
    with x = 2 eps / R^2, a regularized incomplete beta function. It passes 1/2 near d = D (1 - x).
    """
    integer("D", D, 1, AT_LEAST_1), integer("d", d, 0)
    if d > D:
        raise DomainError(f"a subspace of dimension d = {d} does not fit into D = {D} dimensions")
    if not (R >= 0 and eps >= 0 and math.isfinite(R) and math.isfinite(eps)):
        raise DomainError(f"R and eps are a distance and a loss, finite and not negative; not {R!r} and {eps!r}")
    if d == D or 2 * eps >= R * R:
        return 1.0
    return 0.0 if d == 0 else incomplete_beta(2 * eps / (R * R), (D - d) / 2, d / 2)
