"""Transposed convolutions of fields: from coarse grids to fine ones, with the kernels of Conv1d, Conv2d and Conv3d."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from .. import DomainError, Representation
from ._fields import counted
from ._windows import each, turns_of
from .conv import _Conv, _settings_of
from .linear import dense

__all__ = ["ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]

C = TypeVar("C", bound="_ConvTranspose")
TRANSPOSED = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)


class _ConvTranspose(_Conv):
    def __init__(
        self,
        V: Representation,
        U: Representation,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] = 0,
        output_padding: int | tuple[int, ...] = 0,
        bias: bool = True,
        dilation: int | tuple[int, ...] = 1,
        *,
        axes: Representation | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        n = self.axes
        if isinstance(padding, str):
            raise DomainError(
                f"the padding of a transposed convolution is a number, or one for each axis, not {padding!r}"
            )
        self.output_padding = each("output_padding", output_padding, n, 0)
        for axis, (more, s, d) in enumerate(
            zip(self.output_padding, each("stride", stride, n, 1), each("dilation", dilation, n, 1))
        ):
            if more >= max(s, d):
                raise DomainError(
                    f"the output_padding {more} of axis {axis} is smaller than its stride {s} or its dilation {d}"
                )
        super().__init__(
            V, U, in_channels, out_channels, kernel_size, stride, padding, dilation, bias,
            axes=axes, device=device, dtype=dtype,
        )  # fmt: skip
        turns_of(V.group, self.kernel_size, axes, output_padding=self.output_padding)
        for axis, (more, turned) in enumerate(zip(self.output_padding, self._turned)):
            if more and turned:
                raise DomainError(
                    f"output_padding={more} adds sites behind the last one of axis {axis} only, which {V.group.name}"
                    f" takes to the first one, and the layer would not be equivariant: use a kernel of {more} more sites,"
                    " or less padding"
                )

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """As Conv2d does it: outputs have gain^2 of the variance of the inputs. A site takes part in as many windows as
        the stride lets stand on it."""
        super().reset_parameters(gain * math.sqrt(math.prod(self.stride)), generator)

    def _check_grid(self, grid: tuple[int, ...]) -> None:
        """Refuses grids of which nothing is left."""
        found = tuple(
            (size - 1) * s - 2 * p + d * (k - 1) + more + 1
            for size, s, p, d, k, more in zip(
                grid, self.stride, self.padding, self.dilation, self.kernel_size, self.output_padding
            )
        )
        for axis, size in enumerate(found):
            if size < 1:
                raise DomainError(
                    f"the padding {self.padding[axis]} leaves nothing of axis {axis}, which has {counted(grid[axis], 'site')}: take"
                    " larger images or less padding"
                )

    def _convolved(self, x: Tensor) -> Tensor:
        convolve: Any = (
            nn.functional.conv_transpose1d,
            nn.functional.conv_transpose2d,
            nn.functional.conv_transpose3d,
        )[self.axes - 1]
        y: Tensor = convolve(
            x, self.weight().transpose(0, 1), self.bias_vector(), self.stride, self.padding, self.output_padding, 1,
            self.dilation,
        )  # fmt: skip
        return y

    def fold(self) -> nn.Module:
        """An ordinary transposed convolution with the same weights, on [batch, in_channels dim V, *grid]."""
        W, b = self.weight().transpose(0, 1), self.bias_vector()
        settings: Any = {name: getattr(self, name) for name in ("stride", "padding", "output_padding", "dilation")}
        return dense(TRANSPOSED[self.axes - 1], W, b, self.kernel_size, channels=W.shape[:2], **settings)  # type: ignore[no-any-return]

    @classmethod
    def from_dense(  # type: ignore[override]
        cls: type[C],
        conv: nn.ConvTranspose1d | nn.ConvTranspose2d | nn.ConvTranspose3d,
        V: Representation,
        U: Representation,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        axes: Representation | None = None,
    ) -> tuple[C, float]:
        """The layer nearest to a transposed convolution of PyTorch, and how far that was: |W - W'| / |W|, the bias
        taken in (Frobenius norm)."""
        settings = _settings_of(conv, cls.axes, TRANSPOSED, "output_padding")
        layer = cls(V, U, in_channels, out_channels, **settings, axes=axes)
        return layer, layer._take(conv.weight.transpose(0, 1), conv.bias)

    def extra_repr(self) -> str:
        more = f", output_padding={self.output_padding}" if any(self.output_padding) else ""
        return super().extra_repr() + more


_DOC = """A transposed convolution of fields {where}, with every kernel that commutes with the group.

y at the site s i + k is the sum of kappa(k) x(i) over sites i of the coarse grid and k of the window, s the stride. The
kernels are all of Hom(V * sites, U), as in Conv{n}d. The grid of a Conv{n}d that takes an image comes back: of odd
sizes with kernel_size=3, stride=2, padding=1, of even ones with kernel_size=4, or 2 with padding=0.

Parameters
----------
V, U
    The types of input and output, representations of a finite group that acts on the grid.
in_channels, out_channels
    The number of fields of type V, and of type U.
kernel_size, stride, dilation
    Numbers, or one for each axis.
padding
    How many sites are cropped from both ends.
output_padding
    Sites added on one side; it is refused along every axis that the group reverses.
bias
    Whether a vector that the group fixes is added.
axes
    How the group acts on the axes of the grid, as in Conv{n}d.
device, dtype
    As in torch.nn.ConvTranspose{n}d.

Attributes
----------
theta
    The free numbers of the kernel [P, out_channels, in_channels].
bias
    The free numbers of the bias [Q, out_channels], or None.

Shape
-----
[..., in_channels, dim V, {grid}] to [..., out_channels, dim U, {grid}'].

Raises
------
DomainError
    If the group moves no windows of this kind, or if a setting does not fit. From a call, if x has another shape or
    nothing of it is left.

Notes
-----
A call costs what the ordinary transposed convolution costs, and one write of its kernel, which weight() gives. Padding
is by zeros only.

See Also
--------
Upsample : Finer grids without parameters.

Examples
--------
>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn import ConvTranspose{n}d
>>> R = Group("{G}").rep("regular")
>>> up = ConvTranspose{n}d(R, R, 8, 4, kernel_size=3, stride=2, padding=1)
>>> up(torch.randn(1, 8, {order}, {sizes})).shape
torch.Size([1, 4, {order}, {larger}])
"""


class ConvTranspose1d(_ConvTranspose):
    __doc__ = _DOC.format(where="on a line", n=1, grid="L", G="C2", order=2, sizes="5", larger="9")
    axes = 1


class ConvTranspose2d(_ConvTranspose):
    __doc__ = _DOC.format(where="on a plane", n=2, grid="H, W", G="D4", order=8, sizes="5, 5", larger="9, 9")
    axes = 2


class ConvTranspose3d(_ConvTranspose):
    __doc__ = _DOC.format(where="in space", n=3, grid="H, W, D", G="B3", order=48, sizes="3, 3, 3", larger="5, 5, 5")
    axes = 3
