"""Pooling: of coordinates to invariants, and of the sites of a grid."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Representation
from ._fields import FieldModule, FieldType, Kind, grid_of, on_axis, require_tensor, wide
from ._windows import each, refuse_left_over, turns_of

__all__ = ["AvgPool1d", "AvgPool2d", "AvgPool3d", "InvariantPool", "MaxPool1d", "MaxPool2d", "MaxPool3d"]


class InvariantPool(FieldModule):
    """Invariants of each channel: x [..., channels, dim V, *grid] -> [..., channels, K, *grid]. The result is a field
    of type `target`, K * trivial; `axes` axes of a grid.

    kind:

    - "mean": the coefficients of the projection onto the vectors that the group fixes, K = Q of them: for permutations the mean of each
      orbit. The only linear ones. DomainError where nothing but 0 is fixed.
    - "max": the largest coordinate of each orbit of a permutation representation. With signs: the coordinates times a fixed vector of
      signs where the orbit has one, absolute values otherwise. DomainError where coordinates are mixed.
    - "norm": the norm of each orbit, or copy of a summand, in the inner product that the group keeps; for every real V.
      As in NormActivation it is sqrt(|x|^2 + eps^2), at most eps more than |x|: so it is smooth at 0 too, where forces
      and their gradients are asked for.
    - "square": |x|^2 of the same, a polynomial.

    Their order: orbits and copies of one kind together, kinds by their first coordinates.
    """

    def __init__(self, V: FieldType, kind: str = "mean", *, eps: float = 1e-4, axes: int = 0) -> None:
        super().__init__(V, None, axes)
        s = self._structure
        if kind not in ("mean", "max", "norm", "square"):
            raise DomainError(f"the kind {kind!r} is not known; kinds are mean, max, norm, square")
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        if kind == "mean" and not s.invariants:
            raise DomainError(f'the group fixes no vector of {V} but 0, which is the mean of all: use kind="norm"')
        if kind == "max" and s.shape == "mixed":
            raise DomainError(f'{V} mixes coordinates, and the largest of them is not invariant: use kind="norm"')
        self.kind, self.eps = kind, eps
        self.target: Any = (s.invariants if kind == "mean" else s.blocks) * V.group.rep("trivial")

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        s, axis = self._structure, self._axis
        if self.kind in ("norm", "square"):
            squares = s.per_block(lambda part: part.square().sum(axis), wide(x), axis)
            return (squares if self.kind == "square" else (squares + self.eps**2).sqrt()).to(x.dtype)
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


class _SitePool(nn.Module):
    axes: int
    _pool: Any

    def __init__(
        self,
        V: Representation,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] | None = None,
        padding: int | tuple[int, ...] = 0,
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
        self._turned = turns_of(V.group, self.kernel_size, stride=self.stride, padding=self.padding).reversed
        self._dimension, self._of = V.dimension, str(V)

    def _require(self, V: Representation) -> None:
        """Refuses representations whose fields are not pooled this way."""

    def forward(self, x: Tensor) -> Tensor:
        n = self.axes
        require_tensor(x)
        if x.dim() < n + 2 or x.shape[-n - 1] != self._dimension:
            wanted = f"[..., channels, {self._dimension}, {grid_of(n)}]"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes {wanted} (channels, dim V, grid)"
            )
        refuse_left_over(self._turned, x.shape[-n:], self.kernel_size, self.stride, self.padding, (1,) * n)
        y: Tensor = self._pool(
            x.reshape(-1, x.shape[-n - 2] * self._dimension, *x.shape[-n:]), self.kernel_size, self.stride, self.padding
        )
        return y.reshape(*x.shape[:-n], *y.shape[-n:])

    def extra_repr(self) -> str:
        return f"{self._of}, kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(_SitePool):
    """The mean of the sites in each window, for fields of any V on a grid: x [..., channels, dim V, *grid]. Zeros of
    the padding count.

    kernel_size, stride (by default kernel_size), padding: numbers, or one for each axis. The windows must reach the
    first and the last site alike: otherwise forward() raises DomainError, since a crop on one side shifts the centre
    that the group turns about. The mean of a whole image is x.mean over its axes.
    """


class AvgPool1d(_AvgPool):
    __doc__ = _AvgPool.__doc__
    axes = 1
    _pool = staticmethod(nn.functional.avg_pool1d)


class AvgPool2d(_AvgPool):
    __doc__ = _AvgPool.__doc__
    axes = 2
    _pool = staticmethod(nn.functional.avg_pool2d)


class AvgPool3d(_AvgPool):
    __doc__ = _AvgPool.__doc__
    axes = 3
    _pool = staticmethod(nn.functional.avg_pool3d)


class _MaxPool(_SitePool):
    """The largest value of each coordinate in each window, for fields of a V that permutes its basis: x [..., channels,
    dim V, *grid].

    kernel_size, stride (by default kernel_size), padding, and what is refused: as for the mean. DomainError for a V
    with signs, whose negatives would have another maximum, and for one that mixes coordinates. (The longest vector of a
    window is no way out: where an image is symmetric there are two, and either choice breaks the symmetry.)
    """

    def _require(self, V: Representation) -> None:
        if not V.is_permutation:
            negates, mixes = (
                "negates coordinates, and the largest of -x is not minus the largest of x",
                "mixes coordinates, which have no largest value",
            )
            what = negates if V.is_monomial else mixes
            raise DomainError(f"{V} {what}: use the mean, or a representation that permutes its basis, such as regular")


class MaxPool1d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    axes = 1
    _pool = staticmethod(nn.functional.max_pool1d)


class MaxPool2d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    axes = 2
    _pool = staticmethod(nn.functional.max_pool2d)


class MaxPool3d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    axes = 3
    _pool = staticmethod(nn.functional.max_pool3d)
