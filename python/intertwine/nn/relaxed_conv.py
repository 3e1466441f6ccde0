"""Convolutions that may leave their symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import torch
from torch import nn

from .. import Group, Representation
from . import conv
from .conv import _Conv, _settings_of
from .relaxed import Relaxed, Strength

__all__ = ["RelaxedConv1d", "RelaxedConv2d", "RelaxedConv3d"]

C = TypeVar("C", bound="_RelaxedConv")


class _RelaxedConv(Relaxed, _Conv):
    def __init__(
        self,
        V: Representation,
        U: Representation,
        H: Group | Sequence[Group],
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, ...],
        stride: int | tuple[int, ...] = 1,
        padding: int | tuple[int, ...] | str = 0,
        dilation: int | tuple[int, ...] = 1,
        bias: bool = True,
        *,
        strength: Strength = 1.0,
        groups: int = 1,
        padding_mode: str = "zeros",
        axes: Representation | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        self._set_windows(kernel_size, stride, padding, dilation, padding_mode)
        self._set_groups(groups, in_channels, out_channels)
        source = self._fields_on_sites(V, U, axes)
        self._relax(source, U, H, strength, in_channels, out_channels, bias, "automatic", device, dtype)

    @classmethod
    def from_dense(  # type: ignore[override]
        cls: type[C],
        conv: nn.Conv1d | nn.Conv2d | nn.Conv3d,
        V: Representation,
        U: Representation,
        H: Group | Sequence[Group],
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        strength: Strength = 1.0,
        axes: Representation | None = None,
    ) -> tuple[C, float]:
        """The relaxed convolution nearest to one of PyTorch, and which share of that is lost, as Conv2d.from_dense.
        Down to the trivial group nothing is lost, and defect() says how far the convolution was from symmetry."""
        settings = _settings_of(conv, cls.axes)
        layer = cls(V, U, H, in_channels, out_channels, **settings, strength=strength, axes=axes)
        return layer, layer._take(conv.weight, conv.bias)

    def symmetrized(self) -> _Conv:
        """The nearest convolution that commutes with all of G, with the same theta and bias."""
        V, U, axes = self._types
        kind: Any = (conv.Conv1d, conv.Conv2d, conv.Conv3d)[self.axes - 1]
        names = ("kernel_size", "stride", "padding", "dilation", "groups", "padding_mode")
        settings = {name: getattr(self, name) for name in names}
        numbers = {"device": self.theta.device, "dtype": self.theta.dtype}
        bias = self.bias is not None
        layer: _Conv = kind(V, U, self.in_channels, self.out_channels, **settings, bias=bias, axes=axes, **numbers)
        with torch.no_grad():
            layer.theta.copy_(self.theta)
            if layer.bias is not None and self.bias is not None:
                layer.bias.copy_(self.bias)
        return layer

    def extra_repr(self) -> str:
        groups, weights, bias = self._counts()
        return (
            f"{self._names[0]} -> {self._names[1]}, {groups}, {self.in_channels} -> {self.out_channels} channels,"
            f" kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
            f"{f', groups={self.groups}' if self.groups > 1 else ''}, {weights} kernels a"
            f" pair{bias}{self._said_strength()}"
        )


_ARGUMENTS = """

    The kernel is W = sum theta_p B_p + strength sum eta_j K_j: the B_p are the kernels of Conv{n}d(V, U), which commute
    with the group G of V, and the K_j a basis of their orthogonal complement among the kernels that commute with a
    subgroup H, exact. The rest is zero at the start: the layer begins equivariant under G. Add a multiple of penalty()
    to the loss, and symmetry is left only where data ask for it (Finzi, Benton & Wilson 2021; Wang, Walters & Yu 2022).

    Parameters
    ----------
    V, U
        The types of the fields, representations of G.
    H
        The subgroup, or a chain [H1, H2, ...] of them, each in the one before. The trivial group, G.subgroup([]), frees
        every kernel.
    in_channels, out_channels, kernel_size, stride, padding, dilation, bias, groups, padding_mode, axes
        As in Conv{n}d. Strides reach the first and the last site alike, for the sake of G.
    strength
        What the rest is multiplied by: a number, one for each group of the chain, or "learnt", a parameter that begins
        with 1. `layer.strength = 0.1` changes one that is given; states do not hold it.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    theta, bias
        [P, out, in] and [Q, out]: what Conv{n}d(V, U) has. Its state loads, with the rest zero.
    theta_relaxed, bias_relaxed
        [D, out, in] and [E, out]: the rest, in a chain one group's after the other's.

    Shape
    -----
    [..., in_channels, dim V, {grid}] to [..., out_channels, dim U, *grid].

    Raises
    ------
    DomainError
        If H is no subgroup of G, and as Conv{n}d.

    Notes
    -----
    Cost: that of the ordinary convolution, and one write of its kernel with two additions for every parameter.

    Examples
    --------
    >>> from intertwine import Group
    >>> from intertwine.nn import RelaxedConv{n}d
    >>> G = Group("{group}")
    >>> layer = RelaxedConv{n}d(G.rep("trivial"), G.rep("trivial"), G.subgroup([]), 1, 1, 3)
    >>> layer.theta.shape[0], layer.theta_relaxed.shape[0], float(layer.penalty())
    ({counts}, 0.0)

    See Also
    --------
    RelaxedLinear : Without a grid.
    relax : A trained network with fewer constraints.
    """


class RelaxedConv1d(_RelaxedConv, conv.Conv1d):
    __doc__ = (
        "A convolution of fields on a line that may leave its symmetry, kept as a part that commutes and a rest."
        + _ARGUMENTS.format(n=1, grid="L", group="C2", counts="2, 1")
    )


class RelaxedConv2d(_RelaxedConv, conv.Conv2d):
    __doc__ = (
        "A convolution of fields on a plane that may leave its symmetry, kept as a part that commutes and a rest."
        + _ARGUMENTS.format(n=2, grid="H, W", group="D4", counts="3, 6")
    )


class RelaxedConv3d(_RelaxedConv, conv.Conv3d):
    __doc__ = (
        "A convolution of fields in space that may leave its symmetry, kept as a part that commutes and a rest."
        + _ARGUMENTS.format(n=3, grid="H, W, D", group="B3", counts="4, 23")
    )
