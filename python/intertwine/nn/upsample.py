"""Fields on a grid, interpolated on a finer or coarser one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from torch import Tensor, nn

from .. import DomainError, Representation
from .._kinds import is_classical
from ._fields import by_parts, counted, grid_of, integer, require_representations, require_tensor
from ._windows import turns_of

__all__ = ["Upsample"]

_AXES = {"nearest": None, "linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


class Upsample(nn.Module):
    """Fields of any V on a grid of other sizes, interpolated.

    Every coordinate is interpolated alike, which commutes with rho_V(g). Sites that a turn of the group exchanges are
    interpolated alike, too. Turns of SO(n) or O(n) that do not map the grid to itself are kept as far as interpolation
    is right.

    Parameters
    ----------
    V
        The type of the fields, any representation.
    scale_factor
        How many sites come from one, a number, or one for each axis; the same along axes that the group exchanges.
    mode
        "nearest", "linear" (one axis), "bilinear", "bicubic" (two), "trilinear" (three), as in torch.nn.Upsample.
        "nearest" copies every site, so that its factors are integers. The others take fractions, also below 1, where
        the sizes of the image times the factor are integers.
    align_corners
        Whether the first and last sites are those of the image. Then images of all sizes are taken, and the new size
        is rounded down.
    axes
        How many axes the grid has, where the mode does not say it, 2 by default; or how the group acts on them, as in
        Conv2d.

    Shape
    -----
    [..., channels, dim V, *grid] to [..., channels, dim V, *grid'].

    Raises
    ------
    DomainError
        For a mode that is not known, and for factors that do not fit it or the group. From a call, for images whose
        sizes do not fit.

    See Also
    --------
    ConvTranspose2d : Finer grids with weights.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Upsample
    >>> R = Group("D4").rep("regular")
    >>> Upsample(R, 2, "bilinear")(torch.randn(1, 4, 8, 5, 5)).shape
    torch.Size([1, 4, 8, 10, 10])
    """

    def __init__(
        self,
        V: Representation,
        scale_factor: float | Sequence[float] = 2,
        mode: str = "nearest",
        *,
        align_corners: bool = False,
        axes: int | Representation | None = None,
    ) -> None:
        super().__init__()
        require_representations(V)
        turning, axes = (axes, axes.dimension) if isinstance(axes, Representation) else (None, axes)
        if mode not in _AXES:
            raise DomainError(f"the mode {mode!r} is not known; modes are {', '.join(_AXES)}")
        n = _AXES[mode] or (2 if axes is None else integer("axes", axes, 1))
        if axes not in (None, n):
            raise DomainError(f"the mode {mode!r} is for grids of {n} axes, not of {axes}")
        if align_corners and mode == "nearest":
            raise DomainError("align_corners is for modes that interpolate, and 'nearest' copies sites: leave it out")
        given = [scale_factor] * n if isinstance(scale_factor, (int, float, Fraction)) else list(scale_factor)
        if len(given) != n or any(isinstance(f, bool) or not (0 < f < math.inf) for f in given):
            raise DomainError(f"scale_factor is a positive number, or {n} of them, not {scale_factor!r}")
        # 1.1 is meant as 11/10, and not as the nearest binary fraction.
        factors = tuple(Fraction(repr(f)) if isinstance(f, float) else Fraction(f) for f in given)
        if mode == "nearest" and any(f.denominator > 1 for f in factors):
            raise DomainError(
                f"scale_factor={scale_factor!r} copies some sites more often than others, and turns of the grid exchange"
                " these: mode='nearest' takes integers; use 'bilinear'"
            )
        self.scale_factor, self.mode, self.align_corners, self.axes = factors, mode, align_corners, n
        if len(set(factors)) > 1:  # the same factor for all axes fits any exchange of them
            if is_classical(V):
                raise DomainError(
                    f"scale_factor={scale_factor!r} is not the same along axes that {V.group.name} exchanges: give one number"
                )
            turns_of(V.group, (1,) * n, turning, scale_factor=factors)  # type: ignore[arg-type]
        self._dimension, self._of = V.dimension, str(V)

    def _sizes(self, grid: Sequence[int]) -> list[int]:
        found = []
        for axis, (size, f) in enumerate(zip(grid, self.scale_factor)):
            times, parts = f.numerator, f.denominator  # integers, which PyTorch follows where it compiles
            if size * times % parts and not self.align_corners:
                fits = size - size % parts or parts
                raise DomainError(
                    f"{counted(size, 'site')} of axis {axis} times {f} are no whole number of sites, and the last ones would be treated"
                    f" unlike the first ones: pad or crop them to {fits}, or use align_corners=True"
                )
            if size * times < parts:
                raise DomainError(f"{counted(size, 'site')} of axis {axis} times {f} are none: take larger images")
            found.append(size * times // parts)
        return found

    def forward(self, x: Tensor) -> Tensor:
        n = self.axes
        require_tensor(x)
        if x.dim() < n + 2 or x.shape[-n - 1] != self._dimension:
            wanted = f"[..., channels, {self._dimension}, {grid_of(n)}]"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes {wanted} (channels, dim V, grid)"
            )
        if self.mode == "nearest":
            for axis, f in enumerate(self.scale_factor, -n):
                x = x.repeat_interleave(int(f), axis)
            return x
        sizes: Any = self._sizes(x.shape[-n:])
        settings: Any = {"size": sizes, "mode": self.mode, "align_corners": self.align_corners}
        y = by_parts(
            lambda x: nn.functional.interpolate(x, **settings),
            x.reshape(-1, x.shape[-n - 2] * self._dimension, *x.shape[-n:]),
        )
        return y.reshape(*x.shape[:-n], *y.shape[-n:])

    def extra_repr(self) -> str:
        factors = self.scale_factor[0] if len(set(self.scale_factor)) == 1 else tuple(map(str, self.scale_factor))
        corners = ", align_corners=True" if self.align_corners else ""
        return f"{self._of}, scale_factor={factors}, mode={self.mode!r}{corners}"
