"""Convolutions of fields on a grid that commute with its rotations and reflections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation
from .._kinds import is_classical
from ._fields import grid_of, integer, one_group, require_tensor, sites_of
from ._state import NamedState
from ._windows import each, refuse_left_over, turns_of
from .imposed import CONVOLUTIONS
from .linear import TiedModule, dense, tables_between

__all__ = ["Conv1d", "Conv2d", "Conv3d", "GroupConv1d", "GroupConv2d", "GroupConv3d"]

C = TypeVar("C", bound="_Conv")
G = TypeVar("G", bound="_GroupConv")
_PADDING = {"zeros": "constant", "circular": "circular", "reflect": "reflect", "replicate": "replicate"}


class GridConv(NamedState):
    """What convolutions have in common: windows, the product, an ordinary convolution with the same weights. Others say
    what `weight()` and `bias_vector()` are, what V and U are called, and which axes the group turns."""

    axes: int
    groups = 1
    _field_sizes: tuple[int, int]
    _names: tuple[str, str]
    _turned: tuple[bool, ...]

    def _set_windows(
        self,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...],
        padding: int | tuple[int, ...] | str,
        dilation: int | tuple[int, ...],
        padding_mode: str,
    ) -> None:
        n = self.axes
        self.kernel_size = each("kernel_size", kernel_size, n, 1)
        self.stride = each("stride", stride, n, 1)
        self.dilation = each("dilation", dilation, n, 1)
        if padding_mode not in _PADDING:
            raise DomainError(f"the padding mode {padding_mode!r} is not known; modes are {', '.join(_PADDING)}")
        self.padding_mode = padding_mode
        if padding == "valid":
            padding = 0
        if padding == "same":
            reach = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
            if any(r % 2 for r in reach) or any(s != 1 for s in self.stride):
                raise DomainError(
                    f"padding='same' is not the same on both sides for a kernel of {self.kernel_size} with stride {self.stride}: give numbers"
                )
            padding = tuple(r // 2 for r in reach)
        if isinstance(padding, str):
            raise DomainError(f"padding is 'same', 'valid' or numbers, not {padding!r}")
        self.padding = each("padding", padding, n, 0)

    def _set_groups(self, groups: int, in_channels: int, out_channels: int) -> None:
        """Channels fall into so many groups, which divide both numbers. DomainError if they do not."""
        self.groups = integer("groups", groups, 1)
        numbers = integer("in_channels", in_channels, 1), integer("out_channels", out_channels, 1)
        if any(n % self.groups for n in numbers):
            raise DomainError(
                f"{in_channels} channels of V and {out_channels} of U do not fall into {groups} groups: give multiples of it"
            )

    def weight(self) -> Tensor:
        """The kernel [out_channels dim U, in_channels / groups dim V, *kernel_size], differentiable in theta."""
        raise NotImplementedError

    def bias_vector(self) -> Tensor | None:
        """b [out_channels dim U], differentiable in the bias."""
        raise NotImplementedError

    def _check_grid(self, grid: tuple[int, ...]) -> None:
        """Refuses grids that the windows do not fit."""
        refuse_left_over(self._turned, grid, self.kernel_size, self.stride, self.padding, self.dilation)

    def _convolved(self, x: Tensor) -> Tensor:
        """The ordinary convolution of x [batch, in_channels dim V, *grid]."""
        padding = self.padding
        if self.padding_mode != "zeros":
            x = nn.functional.pad(x, [p for p in reversed(padding) for _ in range(2)], mode=_PADDING[self.padding_mode])
            padding = (0,) * self.axes
        convolve: Any = (nn.functional.conv1d, nn.functional.conv2d, nn.functional.conv3d)[self.axes - 1]
        settings = (self.stride, padding, self.dilation, self.groups)
        y: Tensor = convolve(x, self.weight(), self.bias_vector(), *settings)
        return y

    def forward(self, x: Tensor) -> Tensor:
        n, (dim_in, dim_out) = self.axes, self._field_sizes
        require_tensor(x)
        if x.dim() < n + 2 or x.shape[-n - 1] != dim_in or x.shape[-n - 2] != self.in_channels:
            wanted = f"[..., {self.in_channels}, {dim_in}, {grid_of(n)}]"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this layer takes {wanted} (channels, dim V, grid)"
            )
        self._checked(x)
        self._check_grid(tuple(x.shape[-n:]))
        y = self._convolved(x.reshape(-1, self.in_channels * dim_in, *x.shape[-n:]))
        return y.reshape(*x.shape[: -n - 2], self.out_channels, dim_out, *y.shape[-n:])

    def fold(self) -> nn.Module:
        """An ordinary convolution with the same weights, on [batch, in_channels dim V, *grid]."""
        kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[self.axes - 1]
        names = ("stride", "padding", "dilation", "padding_mode", "groups")
        settings: Any = {name: getattr(self, name) for name in names}
        channels = (self.in_channels * self._field_sizes[0], self.out_channels * self._field_sizes[1])
        settings["channels"] = channels
        return dense(kind, self.weight(), self.bias_vector(), self.kernel_size, **settings)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return (
            f"{self._names[0]} -> {self._names[1]}, {self.in_channels} -> {self.out_channels} channels, kernel_size={self.kernel_size}, stride={self.stride},"
            f" padding={self.padding}{f', groups={self.groups}' if self.groups > 1 else ''}, {len(self.theta)} kernels a pair{'' if self.bias is not None else ', bias=False'}"
        )


class _Conv(TiedModule, GridConv):
    _writes_weights = True
    _takes_complex = True

    def __init__(
        self,
        V: Representation,
        U: Representation,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] | str = 0,
        dilation: int | tuple[int, ...] = 1,
        bias: bool = True,
        *,
        groups: int = 1,
        padding_mode: str = "zeros",
        axes: Representation | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        self._set_windows(kernel_size, stride, padding, dilation, padding_mode)
        self._set_groups(groups, in_channels, out_channels)
        tables = tables_between(self._fields_on_sites(V, U, axes), U)
        TiedModule.__init__(self, tables, in_channels, out_channels, bias, "automatic", device, dtype)

    def _connect(self) -> None:
        """theta is [P, out, in / groups]: a group of channels sees one of the others."""
        whole, self.in_channels = self.in_channels, self.in_channels // self.groups
        super()._connect()
        self.in_channels = whole

    def _fields_on_sites(self, V: Representation, U: Representation, axes: Representation | None) -> Representation:
        """Fields of type V on the sites of a window, which the layer takes to U. DomainError where the group moves no
        windows of this kind."""
        if is_classical(V) or is_classical(U):
            raise DomainError(
                f"no grid is mapped to itself by all of a continuous group: SteerableConv{self.axes}d takes fields of {V} and {U}"
            )
        self._field_sizes = (V.dimension, U.dimension)
        self._names, self._types = (str(V), str(U)), (V, U, axes)
        if axes is not None:
            one_group(V, axes)
        settings = {"stride": self.stride, "padding": self.padding, "dilation": self.dilation}
        self._turned = turns_of(V.group, self.kernel_size, axes, **settings).reversed
        return V * sites_of(V.group, self.kernel_size, axes)

    @classmethod
    def from_dense(
        cls: type[C],
        conv: nn.Conv1d | nn.Conv2d | nn.Conv3d,
        V: Representation,
        U: Representation,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        axes: Representation | None = None,
    ) -> tuple[C, float]:
        """The equivariant convolution nearest to one of PyTorch, and how far that was: |W - W'| / |W|, the bias taken
        in (Frobenius norm).

        The convolution acts on [batch, in_channels dim V, *grid], as fold() makes it; its stride, padding, dilation,
        groups and padding_mode are taken over. DomainError for one of other sizes.
        """
        layer = cls(V, U, in_channels, out_channels, **_settings_of(conv, cls.axes), axes=axes)
        return layer, layer._take(conv.weight, conv.bias)

    def _take(self, weight: Tensor, bias: Tensor | None) -> float:
        """Takes the nearest kernel and bias, and says which share of them is lost."""
        (dim_in, dim_out), out, in_ = self._field_sizes, self.out_channels, self.in_channels // self.groups
        if weight.shape[:2] != (out * dim_out, in_ * dim_in):
            raise DomainError(
                f"the convolution has a weight of {list(weight.shape)}; {out} channels of dimension {dim_out} from"
                f" {in_} of {dim_in} need {[out * dim_out, in_ * dim_in, *self.kernel_size]}"
            )
        return self._project(weight.detach().flatten(1), bias)

    def weight(self) -> Tensor:
        """The kernel [out_channels dim U, in_channels / groups dim V, *kernel_size], differentiable in theta."""
        (dim_in, dim_out), in_ = self._field_sizes, self.in_channels // self.groups
        return self._matrix().view(self.out_channels * dim_out, in_ * dim_in, *self.kernel_size)


_DOC = """A convolution of fields {where}, with every kernel that commutes with the group.

The kernels are all of Hom(V * sites, U), exact, for any representations V and U: trivial -> regular lifts an image,
regular -> regular is the group convolution.

Parameters
----------
V
    The type of the input, a representation of a finite group that acts on the grid: C2, C4, D1, D2, D4 in the plane, a
    signed permutation group otherwise (the representation `kernel(3,3)`).
U
    The type of the output, of the same group.
in_channels, out_channels
    The number of fields of type V, and of type U.
kernel_size, stride, dilation
    Numbers, or one for each axis. A stride must reach the first and the last site alike.
padding
    Numbers, "same" or "valid".
bias
    Whether a vector that the group fixes is added.
groups
    As in torch.nn.Conv{n}d: channels fall into so many groups, and each of U's sees one of V's.
padding_mode
    "zeros", "circular", "reflect" or "replicate".
axes
    A representation by signed permutation matrices that says how the group acts on the axes of the grid, where its
    coordinates do not, as those of C4 and D4 in space.
device, dtype
    As in torch.nn.Conv{n}d. A complex dtype gives complex theta and the same kernels.

Attributes
----------
theta
    The free numbers of the kernel [P, out_channels, in_channels / groups].
bias
    The free numbers of the bias [Q, out_channels], or None.

Shape
-----
[..., in_channels, dim V, {grid}] to [..., out_channels, dim U, {grid}'].

Raises
------
DomainError
    If the group moves no windows of this kind, if it is continuous, or if a setting is none that the grid or the
    channels fit. From a call, if x has another shape, or a stride leaves sites over on one side.

Notes
-----
A call costs what the ordinary convolution costs, and one write of its kernel. weight() is that kernel, and fold() the
ordinary convolution with it.

Examples
--------
>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn import Conv{n}d
>>> {G} = Group("{G}")
>>> conv = Conv{n}d({G}.rep("trivial"), {G}.rep("regular"), 3, 16, kernel_size=3, padding=1)
>>> conv(torch.randn(2, 3, 1, {sizes})).shape, conv.theta.shape
(torch.Size([2, 16, {order}, {sizes}]), torch.Size([{theta}, 16, 3]))

See Also
--------
GroupConv{n}d : The convolution from regular to regular by the name of the group.
{other}
RelaxedConv{n}d : The convolution whose symmetry is approximate.
"""


class Conv1d(_Conv):
    __doc__ = _DOC.format(
        where="on a line", n=1, grid="L", G="C2", sizes="9", order=2, theta=3,
        other="ConvTranspose1d : The convolution that makes fields longer.",
    )  # fmt: skip
    axes = 1


class Conv2d(_Conv):
    __doc__ = _DOC.format(
        where="on a plane", n=2, grid="H, W", G="D4", sizes="9, 9", order=8, theta=9,
        other="SteerableConv2d : The convolution for continuous groups, such as SO(2).",
    )  # fmt: skip
    axes = 2


class Conv3d(_Conv):
    __doc__ = _DOC.format(
        where="in space", n=3, grid="H, W, D", G="B3", sizes="5, 5, 5", order=48, theta=27,
        other="SteerableConv3d : The convolution for continuous groups, such as SO(3).",
    )  # fmt: skip
    axes = 3


def _settings_of(
    conv: Any,
    axes: int,
    kinds: Sequence[type[nn.Module]] = CONVOLUTIONS,
    also: str = "padding_mode",
) -> dict[str, Any]:
    """What a convolution of PyTorch says of its windows, its bias and its numbers. also: a setting of its kind."""
    kind = kinds[axes - 1]
    if not isinstance(conv, kind):
        raise DomainError(f"from_dense of {kind.__name__} takes an nn.{kind.__name__}, not {type(conv).__name__}")
    if conv.groups != 1 and kinds is not CONVOLUTIONS:
        raise DomainError(f"the convolution has groups={conv.groups}, and these layers mix all channels")
    found = {name: getattr(conv, name) for name in ("kernel_size", "stride", "padding", "dilation", also)}
    if kinds is CONVOLUTIONS:
        found["groups"] = conv.groups
    return {**found, "bias": conv.bias is not None, "device": conv.weight.device, "dtype": conv.weight.dtype}


class _GroupConv(_Conv):
    def __init__(
        self,
        group: Group,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] | str = 0,
        dilation: int | tuple[int, ...] = 1,
        bias: bool = True,
        *,
        lifting: bool = False,
        groups: int = 1,
        padding_mode: str = "zeros",
        axes: Representation | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        V, U = group.rep("trivial" if lifting else "regular"), group.rep("regular")
        super().__init__(
            V,
            U,
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            bias,
            groups=groups,
            padding_mode=padding_mode,
            axes=axes,
            device=device,
            dtype=dtype,
        )

    @classmethod
    def from_dense(  # type: ignore[override]
        cls: type[G],
        conv: nn.Conv1d | nn.Conv2d | nn.Conv3d,
        group: Group,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        lifting: bool = False,
        axes: Representation | None = None,
    ) -> tuple[G, float]:
        """The group convolution nearest to a convolution of PyTorch, and which share of that is lost, as
        Conv2d.from_dense."""
        kind = _settings_of(conv, cls.axes)
        layer = cls(group, in_channels, out_channels, **kind, lifting=lifting, axes=axes)
        return layer, layer._take(conv.weight, conv.bias)


_BY_NAME = """The group convolution of Cohen and Welling 2016 on {where}, by the name of the group.

It is the convolution from the regular representation of a group to itself: a channel for each element. The first layer
of a network lifts an image to it, with lifting=True.

Parameters
----------
group
    A finite group that acts on the grid, as in Conv{n}d.
in_channels, out_channels
    The number of fields.
kernel_size, stride, padding, dilation, bias, groups, padding_mode, axes, device, dtype
    As in Conv{n}d.
lifting
    Whether the input is an image, with the trivial representation in place of the regular one.

Shape
-----
[..., in_channels, order of the group, {grid}] to [..., out_channels, order of the group, {grid}']; with lifting=True
from [..., in_channels, 1, {grid}].

Raises
------
DomainError
    As Conv{n}d.

See Also
--------
Conv{n}d : The same for any representations.

Examples
--------
>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn import GroupConv{n}d
>>> G = Group("{G}")
>>> lift, conv = GroupConv{n}d(G, 1, 2, 3, padding=1, lifting=True), GroupConv{n}d(G, 2, 4, 3, padding=1)
>>> conv(lift(torch.randn(1, 1, 1, {sizes}))).shape
torch.Size([1, 4, {order}, {sizes}])
"""


class GroupConv1d(_GroupConv, Conv1d):
    __doc__ = _BY_NAME.format(where="a line", n=1, grid="L", G="C2", sizes="9", order=2)


class GroupConv2d(_GroupConv, Conv2d):
    __doc__ = _BY_NAME.format(where="a plane", n=2, grid="H, W", G="C4", sizes="9, 9", order=4)


class GroupConv3d(_GroupConv, Conv3d):
    __doc__ = _BY_NAME.format(where="a space", n=3, grid="H, W, D", G="B3", sizes="3, 3, 3", order=48)
