"""The average of any module over a group."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError
from .._means import mean as mean_over
from ._fields import (
    Constants,
    Derived,
    FieldType,
    integer,
    one_group,
    real_tensors,
    require_representations,
    require_tensor,
    sites_of,
)
from .check import Action

__all__ = ["symmetrize"]


def _actions(V: FieldType, elements: Sequence[Any], name: str) -> dict[str, Tensor]:
    """rho(g) for all elements, as constants: matrices [E, n, n], or indices [E, n] and signs where they are
    permutations with signs."""
    like = torch.empty(0, dtype=torch.float64)
    actions = [Action(V, g, like) for g in elements]
    if actions[0].index is None:
        return {f"{name}_matrix": torch.stack([a.matrix for a in actions])}
    found = {f"{name}_index": torch.stack([a.index for a in actions if a.index is not None])}
    sign = torch.stack([a.sign for a in actions])
    return found if bool((sign == 1).all()) else {**found, f"{name}_sign": sign}


class _Symmetrized(Derived):
    def __init__(
        self, module: Callable[[Tensor], Tensor], constants: Constants, settings: tuple[Any, ...], exact: bool
    ) -> None:
        super().__init__()
        self.module = module
        self._constants: Constants = constants
        self._words, self._count, self._grid, self._out_grid, self._dimensions, self._chunk = settings
        self.exact = exact
        if hasattr(module, "in_channels"):
            self.in_channels = module.in_channels

    def _move(self, x: Tensor, name: str, axis: int, first: int, count: int) -> Tensor:
        """x [E, ...] or [1, ...]: element first + e of the list on entry e of the first axis."""
        tensors = self._constants.on(x.device)
        place = [count, *(1 for _ in range(x.dim() - 1))]
        place[axis] = -1
        if f"{name}_matrix" in tensors:
            matrices = self._constants.like(f"{name}_matrix", x).narrow(0, first, count)
            moved = x.movedim(axis, -1).flatten(1, -2) @ matrices.transpose(1, 2)
            return torch.unflatten(moved, 1, [x.shape[k] for k in range(1, x.dim()) if k != axis]).movedim(-1, axis)
        index = self._constants.like(f"{name}_index", x).narrow(0, first, count)
        moved = x.expand(count, *x.shape[1:]).gather(axis, index.view(place).expand(count, *x.shape[1:]))
        return (
            moved * self._constants.like(f"{name}_sign", x).narrow(0, first, count).view(place)
            if f"{name}_sign" in tensors
            else moved
        )

    def forward(self, x: Tensor) -> Tensor:
        n, axes = self._dimensions[0], len(self._grid)
        require_tensor(x)
        if x.dim() < axes + 2 or x.shape[-1 - axes] != n or tuple(x.shape[x.dim() - axes :]) != self._grid:
            shape = ", ".join(map(str, (n, *self._grid)))
            names = f"(channels, dim V{', grid' if axes else ''})"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes [..., channels, {shape}] {names}"
            )
        lead = x.shape[: -2 - axes]
        x = x.reshape(-1, x.shape[-2 - axes], n, math.prod(self._grid)).unsqueeze(0)
        total: Tensor | None = None
        for first in range(0, self._count, self._chunk):
            count = min(self._chunk, self._count - first)
            part = self._sum(x, first, count)
            total = part if total is None else total + part
        assert total is not None
        mean: Tensor = total / self._count
        return mean.reshape(*lead, *total.shape[1:])

    def _sum(self, x: Tensor, first: int, count: int) -> Tensor:
        """The sum of rho_U(g)^-1 f(rho_V(g) x) over some of the elements."""
        batch, m = x.shape[1], self._dimensions[1]
        x = self._move(x, "in", 3, first, count)
        if self._grid:
            x = self._move(x, "sites", 4, first, count)
        y = self.module(x.reshape(count * batch, x.shape[2], x.shape[3], *self._grid))
        grid = self._out_grid
        if y.shape[2:] != (m, *grid):
            raise DomainError(
                f"the module gives {list(y.shape)}, not [batch, channels, {', '.join(map(str, (m, *grid)))}]"
            )
        y = y.reshape(count, batch, y.shape[1], m, math.prod(grid))
        y = self._move(y, "out", 3, first, count)
        if grid:
            y = self._move(y, "out_sites", 4, first, count)
        if "weights" in self._constants.on(x.device):
            weights = self._constants.like("weights", y).narrow(0, first, count)
            y = y * weights.view(count, *(1 for _ in range(y.dim() - 1)))
        return y.sum(0).reshape(batch, y.shape[2], m, *grid)

    def extra_repr(self) -> str:
        return f"mean over {self._words}"


def symmetrize(
    module: Callable[[Tensor], Tensor],
    V: FieldType,
    U: FieldType,
    *,
    elements: int | None = None,
    degree: int | None = None,
    grid: Sequence[int] = (),
    out_grid: Sequence[int] | None = None,
    chunk: int | None = None,
    seed: int = 0,
) -> nn.Module:
    """The average of a module over the group: x -> mean over g of rho_U(g)^-1 module(rho_V(g) x), as a module with the
    same parameters.

    Parameters
    ----------
    module
        Any function or module from [batch, channels, dim V, *grid] to [batch, channels, dim U, *out_grid]; its
        parameters are shared, its keys in the state dict begin with "module.".
    V, U
        The types of inputs and outputs.
    elements
        By default all: the result is exactly equivariant, and equal to the module where that was equivariant already. A
        number N takes N random ones, independent and uniform, drawn once by `seed`: for each x a Monte-Carlo estimate
        of the exact average, right on average over draws, with a standard deviation of at most that of rho_U(g)^-1
        module(rho_V(g) x) over g divided by sqrt(N). It is not equivariant beyond that.
    degree
        For SO(2), O(2), SO(3), O(3), Spin(3), SU(2), U(1) and products of these and of finite groups, where the mean
        over all elements is a quadrature: exact if the matrix entries of g enter rho_U(g)^-1 module(rho_V(g) x) as
        polynomials of at most this degree, by default 6, and equivariant up to higher degrees otherwise. harmonic(l)
        has degree l, the vectors of SU(2) degree 1; a module that is a polynomial of degree k of x has k times the
        degree of V, and that of U. It costs (d + 1)^2 (d // 2 + 1) evaluations for SO(3). Means over other compact
        groups are over 256 random elements if `elements` does not say how many.
    grid
        The sizes of an image whose sites the point group moves too.
    out_grid
        Those of the output, by default the same.
    chunk
        How many elements one call of the module sees at once, by default all of them: batch * chunk inputs. Modules
        that look at their batch (batch normalisation in training) see the whole orbit of it.
    seed
        Of random elements.

    Returns
    -------
    torch.nn.Module
        Its attribute `exact` and its repr say whether the mean is over all elements.

    Raises
    ------
    DomainError
        If V and U are of different groups, or the group is not compact.

    Notes
    -----
    Cost: as many inputs as elements.

    References
    ----------
    Yarotsky 2018; Murphy et al. 2019 (Janossy pooling).

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import symmetrize
    >>> V = Group("S3").rep("perm")
    >>> mean = symmetrize(lambda x: x.cumsum(-1), V, V)
    >>> mean(torch.tensor([[[1.0, 2.0, 3.0]]]))            # x_i, and half of the others
    tensor([[[3.5000, 4.0000, 4.5000]]])

    See Also
    --------
    impose : The nearest equivariant weights, in place of a mean of functions.
    """
    require_representations(V, U)
    one_group(V, U)
    grid = tuple(integer("a size of the grid", size, 1) for size in grid)
    out = grid if out_grid is None else tuple(integer("a size of the grid", size, 1) for size in out_grid)
    if len(out) != len(grid):
        raise DomainError(f"the grids {list(grid)} and {list(out)} have different numbers of axes")
    G = V.group
    if grid:
        sites_of(G, grid)
    count = None if elements is None else integer("elements", elements, 1)
    over = mean_over(G, (V, U), count, None if degree is None else integer("degree", degree, 0), seed)
    chosen = over.elements
    chunk = len(chosen) if chunk is None else min(integer("chunk", chunk, 1), len(chosen))
    inverses = [g.inverse() for g in chosen]
    with real_tensors():
        weights = {} if over.weights is None else {"weights": torch.from_numpy(over.weights)}
        tensors = weights | _actions(V, chosen, "in") | _actions(U, inverses, "out")
        if grid:
            tensors |= _actions(sites_of(G, grid), chosen, "sites")
            tensors |= _actions(sites_of(G, out), inverses, "out_sites")
    return _Symmetrized(
        module,
        Constants(**tensors),
        (over.words, len(chosen), grid, out, (V.dimension, U.dimension), chunk),
        over.exact,
    )
