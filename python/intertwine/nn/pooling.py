"""Pooling: of coordinates to invariants, and of the sites of a grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation
from ._fields import (
    Constants,
    Derived,
    FieldModule,
    FieldType,
    Kind,
    by_parts,
    grid_of,
    integer,
    on_axis,
    real_tensors,
    require_representations,
    require_tensor,
    scalars_of,
    wide,
)
from ._windows import each, refuse_left_over, turns_of

__all__ = [
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BlurPool1d",
    "BlurPool2d",
    "BlurPool3d",
    "CosetPool",
    "InvariantPool",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
]


class InvariantPool(FieldModule):
    """Invariants of each channel: K numbers for the dim V coordinates.

    Where a finite factor of the group permutes points, as S5 does in "perm # vector" of S5 x O(3), each point has its
    invariants, which move with it: `target` is a multiple of perm # trivial. Fields may be complex, but for "max": means
    are complex then, norms and squares real.

    Parameters
    ----------
    V
        The type of the field.
    kind
        "mean": the coefficients of the projection onto the vectors that the group fixes, K = Q of them: for
        permutations the mean of each orbit. The only linear ones.

        "max": the largest coordinate of each orbit of a permutation representation. With signs: the coordinates times a
        fixed vector of signs where the orbit has one, absolute values otherwise.

        "norm": the norm of each orbit, or copy of a summand, in the inner product that the group keeps; for every real
        V. As in NormActivation it is sqrt(|x|^2 + eps^2), at most eps more than |x|: so it is smooth at 0 too, where
        forces and their gradients are asked for. Of an indefinite form, as that of SO+(1,3), it is (<x, x>^2 +
        eps^2)^(1/4).

        "square": |x|^2 of the same, a polynomial; of an indefinite form <x, x>, which may be negative.
    eps
        Where "norm" is rounded off.
    axes
        How many axes of a grid follow.
    whole
        Invariants of all points of an orbit together, K * trivial, instead of those of each.

    Attributes
    ----------
    target
        The type of the result, K * trivial. Their order: orbits and copies of one kind together, kinds by their first
        coordinates.

    Shape
    -----
    [..., channels, dim V, *grid] to [..., channels, K, *grid].

    Raises
    ------
    DomainError
        If "mean" finds nothing but 0 that is fixed, "max" finds coordinates that are mixed, or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import InvariantPool
    >>> V = Group("S3").rep("perm")
    >>> x = torch.tensor([[3.0, 0.0, 6.0]])
    >>> [InvariantPool(V, kind)(x).item() for kind in ("mean", "max", "square")]
    [3.0, 6.0, 45.0]

    See Also
    --------
    CosetPool : Invariants of a subgroup.
    """

    _measures = False
    _per_point = True
    _takes_complex = True

    def __init__(
        self, V: FieldType, kind: str = "mean", *, eps: float = 1e-4, axes: int = 0, whole: bool = False
    ) -> None:
        super().__init__(V, None, axes, whole)
        s = self._structure
        if kind not in ("mean", "max", "norm", "square"):
            raise DomainError(f"the kind {kind!r} is not known; kinds are mean, max, norm, square")
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        if kind in ("norm", "square"):
            s.require_form()
        if kind == "mean" and not s.invariants:
            raise DomainError(f'the group fixes no vector of {V} but 0, which is the mean of all: use kind="norm"')
        if kind == "max" and s.shape == "mixed":
            raise DomainError(f'{V} mixes coordinates, and the largest of them is not invariant: use kind="norm"')
        self.kind, self.eps = kind, eps
        self.target: Any = scalars_of(V, s.kinds, lambda of: of.invariants if kind == "mean" else 1)

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        s, axis = self._structure, self._axis
        if self.kind == "norm":
            return s.norms(wide(x), axis, self.eps).to(x.real.dtype if x.is_complex() else x.dtype)
        if self.kind == "square":
            return s.squares(wide(x), axis).to(x.real.dtype if x.is_complex() else x.dtype)
        if self.kind == "max" and x.is_complex():
            raise DomainError('complex numbers have no largest one: use kind="norm" or kind="mean"')
        of = self._mean if self.kind == "mean" else self._max
        parts = [of(s.take(x, kind, axis), kind) for kind in s.kinds if self.kind == "max" or kind.invariants]
        return parts[0] if len(parts) == 1 else torch.cat(parts, axis)

    def _mean(self, part: Tensor, kind: Kind) -> Tensor:
        axis = self._axis
        if kind.shape == "permutation":
            return part.mean(axis)
        means = self._structure.constants.like(f"means{kind.number}", part)
        return on_axis(means, part, axis).flatten(axis - 1, axis)

    def _max(self, part: Tensor, kind: Kind) -> Tensor:
        axis = self._axis
        if kind.shape == "signed" and kind.invariants:
            signs = self._structure.constants.like(f"basis{kind.number}", part)
            part = part * signs.view(-1, *(1 for _ in range(self.axes)))
        elif kind.shape == "signed":
            part = part.abs()
        return part.amax(axis)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, kind={self.kind!r}"


class CosetPool(Derived):
    """Pools fields that permute their coordinates over the cosets of a subgroup H.

    From regular, H of order h, the result has |G| / h coordinates: the cosets g H. In every orbit of coordinates the
    first one whose stabilizer is in H goes with its images under H; what g makes of these is pooled, too.

    Parameters
    ----------
    V
        A permutation representation of G, such as regular.
    H
        The subgroup. H = G gives invariants, as InvariantPool(V, "max").
    kind
        "max" or "mean".
    axes
        How many axes of a grid follow.

    Attributes
    ----------
    target
        The type U of the result.

    Shape
    -----
    [..., channels, dim V, *grid] to [..., channels, dim U, *grid].

    Raises
    ------
    DomainError
        If an orbit has no coordinate whose stabilizer is in H, or x has another shape.

    Notes
    -----
    A field of G is one of H as it stands: V.restrict(H) takes no module.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import CosetPool
    >>> D4 = Group("D4")
    >>> pool = CosetPool(D4.rep("regular"), D4.subgroup([D4.generators[0]]))  # over the four turns
    >>> pool.target.dimension, pool(torch.randn(5, 16, 8)).shape
    (2, torch.Size([5, 16, 2]))

    See Also
    --------
    InvariantPool : Over the whole group.
    """

    def __init__(self, V: Representation, H: Group, kind: str = "max", *, axes: int = 0) -> None:
        super().__init__()
        require_representations(V)
        if kind not in ("max", "mean"):
            raise DomainError(f"the kind {kind!r} is not known; kinds are max, mean")
        if not V.is_permutation:
            raise DomainError(f"{V} does not permute its coordinates, and cosets of them are not there: use regular")
        if not H.is_subgroup_of(V.group):
            raise DomainError(f"{H.name} is not a subgroup of {V.group.name} (on the same points)")
        self.kind, self.axes, self._dimension = kind, integer("axes", axes, 0), V.dimension
        moves = [_images(V, g) for g in V.group.generators]
        inside = [_images(V, h) for h in H.generators]
        blocks: list[tuple[int, ...]] = []
        seen: set[int] = set()
        for first in range(V.dimension):
            if first not in seen:
                orbit = _reached(first, moves)
                seen |= orbit
                ours = [_reached(i, inside) for i in sorted(orbit)]
                # H contains the stabilizer of i if the orbits of i under both have the sizes of the groups.
                fitting = (own for own in ours if len(own) * V.group.order == H.order * len(orbit))
                found = next(filter(None, (_blocks_of(own, moves) for own in fitting)), None)
                if found is None:
                    raise DomainError(
                        f"{H.name} contains the stabilizer of no coordinate in the orbit of coordinate {first} of {V}: take a"
                        " larger subgroup, or regular"
                    )
                blocks += found
        place = {block: k for k, block in enumerate(blocks)}
        images = [[place[tuple(sorted(move[i] for i in block))] for block in blocks] for move in moves]
        self.target: Representation = V.group.permutation_rep(images)
        self._sizes = [(n, len(list(run))) for n, run in itertools.groupby(map(len, blocks))]
        with real_tensors():
            self._constants = Constants(index=torch.tensor([i for block in blocks for i in block]))
        self._of = f"{V}, over {H.name}"

    def forward(self, x: Tensor) -> Tensor:
        axis = -1 - self.axes
        assert self._constants is not None
        require_tensor(x)
        if x.dim() < self.axes + 2 or x.shape[axis] != self._dimension:
            grid = f", {grid_of(self.axes)}" if self.axes else ""
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes [..., channels, {self._dimension}{grid}]"
            )
        if x.is_complex() and self.kind == "max":
            raise DomainError('complex numbers have no largest one: use kind="mean"')
        x = x.index_select(axis, self._constants.like("index", x))
        parts = x.split([n * count for n, count in self._sizes], axis)
        pooled = []
        for part, (n, count) in zip(parts, self._sizes):
            sets = part.unflatten(axis, (count, n))
            pooled.append(sets.amax(axis) if self.kind == "max" else sets.mean(axis))
        return pooled[0] if len(pooled) == 1 else torch.cat(pooled, axis)

    def extra_repr(self) -> str:
        return f"{self._of}, kind={self.kind!r}{f', {self.axes} axes of a grid' if self.axes else ''}"


def _images(V: Representation, g: Any) -> list[int]:
    """Where a permutation matrix takes the basis vectors."""
    image = [0] * V.dimension
    for row, col, _ in V.matrix(g).entries():
        image[col] = row
    return image


def _reached(first: int, moves: list[list[int]]) -> set[int]:
    found, todo = {first}, [first]
    for i in todo:
        for move in moves:
            if move[i] not in found:
                found.add(move[i])
                todo.append(move[i])
    return found


def _blocks_of(block: set[int], moves: list[list[int]]) -> list[tuple[int, ...]] | None:
    """The images of a set, the set itself first; None if two of them overlap."""
    found = [tuple(sorted(block))]
    at = dict.fromkeys(block, 0)
    for one in found:
        for move in moves:
            image = tuple(sorted(move[i] for i in one))
            number = {at.get(i) for i in image}
            if number == {None}:
                at.update(dict.fromkeys(image, len(found)))
                found.append(image)
            elif len(number) > 1 or image != found[number.pop() or 0]:
                return None
    return found


class _SitePool(nn.Module):
    axes: int
    _pool: Any

    def __init__(
        self,
        V: Representation,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] | None = None,
        padding: int | tuple[int, ...] = 0,
        *,
        axes: Representation | None = None,
    ) -> None:
        super().__init__()
        self._require(V)
        n = self.axes
        self.kernel_size = each("kernel_size", kernel_size, n, 1)
        self.stride = self.kernel_size if stride is None else each("stride", stride, n, 1)
        self.padding = each("padding", padding, n, 0)
        for axis, (p, k) in enumerate(zip(self.padding, self.kernel_size)):
            if 2 * p > k:
                raise DomainError(
                    f"the padding {p} of axis {axis} is more than half of the window of {k}: a window would lie outside"
                )
        self._turned = turns_of(V.group, self.kernel_size, axes, stride=self.stride, padding=self.padding).reversed
        self._dimension, self._of = V.dimension, str(V)

    def _require(self, V: Representation) -> None:
        """Refuses representations whose fields are not pooled this way."""

    def _pooled(self, pool: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        return by_parts(pool, x)

    def forward(self, x: Tensor) -> Tensor:
        n = self.axes
        require_tensor(x)
        if x.dim() < n + 2 or x.shape[-n - 1] != self._dimension:
            wanted = f"[..., channels, {self._dimension}, {grid_of(n)}]"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes {wanted} (channels, dim V, grid)"
            )
        refuse_left_over(self._turned, x.shape[-n:], self.kernel_size, self.stride, self.padding, (1,) * n)
        windows = (self.kernel_size, self.stride, self.padding)
        y = self._pooled(
            lambda x: self._pool(x, *windows), x.reshape(-1, x.shape[-n - 2] * self._dimension, *x.shape[-n:])
        )
        return y.reshape(*x.shape[:-n], *y.shape[-n:])

    def extra_repr(self) -> str:
        return f"{self._of}, kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


def _described(pool: type[_SitePool], n: int, *, less: str, sizes: str) -> str:
    """The docstring of a pool on n axes, whose example takes a grid of these sizes to one of less."""
    grid, group, order = (("L", "C2", 2), ("H, W", "D4", 8), ("H, W, D", "B3", 48))[n - 1]
    return (pool.__doc__ or "").format(n=n, grid=grid, G=group, order=order, less=less, sizes=sizes)


class _AvgPool(_SitePool):
    """The mean of the sites in each window, for fields of any V on a grid. Zeros of the padding count.

    Parameters
    ----------
    V
        The type of the fields, of a finite group that acts on the grid.
    kernel_size
        Numbers of sites, one or one for each axis.
    stride
        The step between windows, by default kernel_size. The windows must reach the first and the last site alike,
        since a crop on one side shifts the centre that the group turns about.
    padding
        How many zeros stand on each side, at most half of a window.
    axes
        How the group acts on the axes of the grid, as in Conv{n}d.

    Shape
    -----
    [..., channels, dim V, {grid}] to [..., channels, dim V, {grid}'].

    Raises
    ------
    DomainError
        If the group moves no windows of this kind, or if a window lies outside. From a call, if x has another shape, or
        the windows leave sites over on one side.

    Notes
    -----
    The mean of a whole image is x.mean over its axes.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import AvgPool{n}d
    >>> pool = AvgPool{n}d(Group("{G}").rep("regular"), 3)
    >>> pool(torch.ones(1, {order}, {sizes})).shape
    torch.Size([1, {order}, {less}])

    See Also
    --------
    BlurPool{n}d : The binomial mean, without aliases.
    MaxPool{n}d : The largest value of each coordinate.
    """


class AvgPool1d(_AvgPool):
    __doc__ = _described(_AvgPool, 1, less="3", sizes="9")
    axes = 1
    _pool = staticmethod(nn.functional.avg_pool1d)


class AvgPool2d(_AvgPool):
    __doc__ = _described(_AvgPool, 2, less="3, 3", sizes="9, 9")
    axes = 2
    _pool = staticmethod(nn.functional.avg_pool2d)


class AvgPool3d(_AvgPool):
    __doc__ = _described(_AvgPool, 3, less="1, 1, 1", sizes="3, 3, 3")
    axes = 3
    _pool = staticmethod(nn.functional.avg_pool3d)


def _blurred(x: Tensor, kernel_size: tuple[int, ...], stride: tuple[int, ...], padding: tuple[int, ...]) -> Tensor:
    """The sum of the sites in each window with the weights of a binomial distribution, of each channel alone."""
    n = len(kernel_size)
    weight = x.new_ones(())
    for k in kernel_size:
        row = x.new_tensor([math.comb(k - 1, i) / 2 ** (k - 1) for i in range(k)])
        weight = weight.unsqueeze(-1) * row
    convolve: Any = (nn.functional.conv1d, nn.functional.conv2d, nn.functional.conv3d)[n - 1]
    y: Tensor = convolve(x.flatten(0, 1).unsqueeze(1), weight[None, None], None, stride, padding)
    return y.view(*x.shape[:2], *y.shape[2:])


class _BlurPool(_SitePool):
    """The sites of each window by binomial weights, 1 2 1 for a window of 3, before every second one is taken: a pool
    without aliases, for fields of any V on a grid.

    A pool or a convolution of stride 1 and this one behind it take the place of one with a stride; outputs then change
    less under shifts by a site. Source: Zhang 2019.

    Parameters
    ----------
    V
        The type of the fields, of a finite group that acts on the grid.
    kernel_size
        Numbers of sites, one or one for each axis: 3 by default.
    stride
        The step between windows, 2 by default. The windows must reach the first and the last site alike, since
        a crop on one side shifts the centre that the group turns about.
    padding
        How many zeros stand on each side, 1 by default.
    axes
        How the group acts on the axes of the grid, as in Conv{n}d.

    Shape
    -----
    [..., channels, dim V, {grid}] to [..., channels, dim V, {grid}'].

    Raises
    ------
    DomainError
        If the group moves no windows of this kind, or if a window lies outside. From a call, if x has another shape, or
        the windows leave sites over on one side.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import BlurPool{n}d
    >>> pool = BlurPool{n}d(Group("{G}").rep("regular"))
    >>> pool(torch.ones(1, 2, {order}, {sizes})).shape
    torch.Size([1, 2, {order}, {less}])

    See Also
    --------
    AvgPool{n}d : The plain mean.
    MaxPool{n}d : The largest value, of which this one may stand behind with stride 1.
    """

    _pool = staticmethod(_blurred)

    def __init__(
        self,
        V: Representation,
        kernel_size: int | tuple[int, ...] = 3,
        stride: int | tuple[int, ...] = 2,
        padding: int | tuple[int, ...] = 1,
        *,
        axes: Representation | None = None,
    ) -> None:
        super().__init__(V, kernel_size, stride, padding, axes=axes)


class BlurPool1d(_BlurPool):
    __doc__ = _described(_BlurPool, 1, less="5", sizes="9")
    axes = 1


class BlurPool2d(_BlurPool):
    __doc__ = _described(_BlurPool, 2, less="5, 5", sizes="9, 9")
    axes = 2


class BlurPool3d(_BlurPool):
    __doc__ = _described(_BlurPool, 3, less="3, 3, 3", sizes="5, 5, 5")
    axes = 3


class _MaxPool(_SitePool):
    """The largest value of each coordinate in each window, for fields of a V that permutes its basis.

    Parameters
    ----------
    V
        The type of the fields, a permutation representation such as regular.
    kernel_size
        Numbers of sites, one or one for each axis.
    stride
        The step between windows, by default kernel_size. The windows must reach the first and the last site alike,
        since a crop on one side shifts the centre that the group turns about.
    padding
        How many sites stand on each side that are never the largest, at most half of a window.
    axes
        How the group acts on the axes of the grid, as in Conv{n}d.

    Shape
    -----
    [..., channels, dim V, {grid}] to [..., channels, dim V, {grid}'].

    Raises
    ------
    DomainError
        If V has signs, whose negatives would have another maximum, or mixes coordinates; if the group moves no windows
        of this kind, or a window lies outside. From a call, if x is complex or has another shape, or the windows leave
        sites over on one side.

    Notes
    -----
    The longest vector of a window would not serve for other V: where an image is symmetric there are two, and either
    choice breaks the symmetry.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import MaxPool{n}d
    >>> pool = MaxPool{n}d(Group("{G}").rep("regular"), 3)
    >>> pool(torch.ones(1, {order}, {sizes})).shape
    torch.Size([1, {order}, {less}])

    See Also
    --------
    AvgPool{n}d : The mean, for every V.
    BlurPool{n}d : The binomial mean, without aliases.
    CosetPool : The largest coordinate over a subgroup.
    """

    def _require(self, V: Representation) -> None:
        if not V.is_permutation:
            negates, mixes = (
                "negates coordinates, and the largest of -x is not minus the largest of x",
                "mixes coordinates, which have no largest value",
            )
            what = negates if V.is_monomial else mixes
            raise DomainError(f"{V} {what}: use the mean, or a representation that permutes its basis, such as regular")

    def _pooled(self, pool: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        if x.is_complex():
            raise DomainError("complex numbers have no largest one: use the mean, as AvgPool2d does")
        return pool(x)


class MaxPool1d(_MaxPool):
    __doc__ = _described(_MaxPool, 1, less="3", sizes="9")
    axes = 1
    _pool = staticmethod(nn.functional.max_pool1d)


class MaxPool2d(_MaxPool):
    __doc__ = _described(_MaxPool, 2, less="3, 3", sizes="9, 9")
    axes = 2
    _pool = staticmethod(nn.functional.max_pool2d)


class MaxPool3d(_MaxPool):
    __doc__ = _described(_MaxPool, 3, less="1, 1, 1", sizes="3, 3, 3")
    axes = 3
    _pool = staticmethod(nn.functional.max_pool3d)
