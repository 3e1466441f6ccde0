"""Windows on a grid: their sizes, and when a group that turns the grid maps the sites that they stand on to themselves.

Convolutions, pools and attention on grids ask here. Windows stand `stride` sites apart and begin at the first site.
An axis that the group reverses must end with a window at its last site: otherwise the centre of the windows is not
that of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import DomainError, Group, Representation
from .._kinds import is_finite_group
from ._fields import counted, sites_of

__all__ = ["Turns", "axes_of", "each", "refuse_left_over", "turns_of"]


def each(name: str, value: int | tuple[int, ...], axes: int, least: int) -> tuple[int, ...]:
    """A setting of windows for each axis, of one number for all or of one each."""
    values = (value,) * axes if isinstance(value, int) else tuple(value)
    if len(values) != axes or any(not isinstance(v, int) or v < least for v in values):
        raise DomainError(f"{name} is an integer of at least {least}, or {axes} of them, not {value!r}")
    return values


class Turns(NamedTuple):
    """What a group does to the axes of a grid."""

    orbits: tuple[int, ...]
    """For each axis the first one that elements take it to."""
    reversed: tuple[bool, ...]
    """Does some element take the first sites of the axis to last ones, of this axis or another?"""


def turns_of(
    group: Group, window: tuple[int, ...], axes: Representation | None = None,
    **settings: tuple[int, ...],
) -> Turns:  # fmt: skip
    """What the group does to the axes of windows of these sizes. DomainError if it takes one axis to another and the
    windows, or the settings, differ along them."""
    if not is_finite_group(group):
        raise DomainError(f"no grid is mapped to itself by all of {group.name}: windows are for finite groups")
    sites_of(group, window, axes)
    turns = _turns(group, len(window), axes)
    for name, values in settings.items():
        if any(values[axis] != values[first] for axis, first in enumerate(turns.orbits)):
            raise DomainError(
                f"{name}={values} is not the same along axes that {group.name} exchanges: give one number"
            )
    return turns


def _moved_axes(group: Group, g: Any, n: int, axes: Representation | None) -> list[tuple[int, bool]]:
    """For each axis of a grid of n: which axis an element takes it to, and whether its first sites become last ones.

    By the corners of a cube. A kernel of two sites along every axis tells exchanges and reversals, which windows of one
    site do not show.
    """
    image = [0] * 2**n
    for row, col, _ in sites_of(group, (2,) * n, axes).matrix(g).entries():
        image[col] = row
    found = []
    for axis in range(n):
        other = 2 ** (n - 1 - axis)  # the corner one step along the axis from the first
        to = n - 1 - ((image[other] ^ image[0]).bit_length() - 1)
        found.append((to, bool(image[0] >> (n - 1 - to) & 1)))
    return found


def axes_of(group: Group, subgroup: Group, n: int, axes: Representation | None = None) -> Representation:
    """How a subgroup acts on the axes of a grid, by signed permutation matrices, as the group does."""
    if not subgroup.generators:
        return subgroup.rep(f"{n}*trivial")
    matrices = []
    for g in subgroup.generators:
        matrix = [[0] * n for _ in range(n)]
        for axis, (to, back) in enumerate(_moved_axes(group, g, n, axes)):
            matrix[to][axis] = -1 if back else 1
        matrices.append(matrix)
    return subgroup.matrix_rep(matrices)


def _turns(group: Group, n: int, axes: Representation | None) -> Turns:
    first = list(range(n))
    edges: list[tuple[int, bool]] = []
    for g in group.generators:
        for axis, (to, reverses) in enumerate(_moved_axes(group, g, n, axes)):
            edges.append((axis, reverses))
            a, b = sorted((first[axis], first[to]))
            first = [a if f == b else f for f in first]
    back = {first[axis] for axis, reverses in edges if reverses}
    return Turns(tuple(first), tuple(f in back for f in first))


def refuse_left_over(
    turned: Sequence[bool], grid: Sequence[int], window: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> None:  # fmt: skip
    """DomainError unless the windows fit in and, along every axis that is turned, end at the last site."""
    for axis, size in enumerate(grid):
        reach = dilation[axis] * (window[axis] - 1) + 1
        if size + 2 * padding[axis] < reach:
            raise DomainError(
                f"windows of {counted(reach, 'site')} do not fit into the {counted(size, 'site')} of axis {axis} with a padding of"
                f" {padding[axis]}: take larger images, smaller windows or more padding"
            )
        left = (size + 2 * padding[axis] - reach) % stride[axis]
        if left and turned[axis]:
            last = "site" if left == 1 else counted(left, "site")
            more = stride[axis] - left
            raise DomainError(
                f"with stride {stride[axis]} the last {last} of axis {axis} would never be looked at, unlike the first"
                f" ones, and the layer would not be equivariant: pad {counted(size, 'site')} to {size + more}, or crop them to"
                f" {size - left}{_through(size, reach - 2 * padding[axis], stride[axis])}"
            )


def _through(size: int, least: int, stride: int) -> str:
    """Which sizes whole towers of such layers take, in words.

    A layer takes n to (n - least) / stride + 1, and leaves one size n0 as it is, that with n0 (stride - 1) = stride -
    least. So it divides n - n0 by the stride, and k layers take n0 + m stride^k.
    """
    fixed, rest = divmod(stride - least, max(stride - 1, 1))
    if rest:
        return ""
    three = stride**3
    near = max(fixed + three * max(round((size - fixed) / three), 1), 1)
    more = f" + {fixed}" if fixed > 0 else f" - {-fixed}" if fixed < 0 else ""
    return f"; k layers like this one take m {stride}^k{more} sites, three take {near}"
