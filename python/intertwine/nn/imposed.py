"""Dense layers of PyTorch that are made equivariant where they are."""

from __future__ import annotations

import math
from typing import Any, TypeVar, Union

import torch
from torch import Tensor, nn

from .. import DomainError, Representation, Table
from . import _linear, _ops, _plain
from ._fields import Derived, has_numbers, one_group, sites_of
from ._windows import refuse_left_over, turns_of
from .linear import table_between, tables_between

__all__ = ["impose"]

Dense = TypeVar("Dense", bound=Union[nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d])
CONVOLUTIONS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)


class _Imposed(Derived):
    """The parametrization of one tensor of a dense layer by a table; `window`: the sizes of the kernel of a convolution."""

    _derived: tuple[str, ...] = ("_weights",)

    def __init__(self, table: Table, channels: tuple[int, int], bias: bool, window: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.table, self.channels, self.of_bias, self.window = table, channels, bias, window
        self._connect()

    def _connect(self) -> None:
        self._weights = _ops.Weights(self.table, *self.channels, "automatic")

    def _on_device(self, device: torch.device) -> None:
        self._weights.on(device)

    def forward(self, theta: Tensor) -> Tensor:
        p = self._weights.operands(theta)
        if self.of_bias:
            return _plain.expand_bias(theta, p).reshape(-1)
        W = _ops.materialise(theta, p)
        return W.view(W.shape[0], -1, *self.window) if self.window else W

    def right_inverse(self, W: Tensor) -> Tensor:
        if not has_numbers(W):
            return W.new_empty(self._weights.bias_shape if self.of_bias else self._weights.theta_shape)
        return _linear.project(W if self.of_bias else W.flatten(1), self._weights, self.of_bias)[0].to(
            W.device, W.dtype
        )


class _Sizes:
    """Refuses images of sizes for which a convolution with tied weights is not equivariant."""

    def __init__(self, turned: tuple[bool, ...]) -> None:
        self.turned = turned

    def __call__(self, conv: Any, inputs: tuple[Any, ...]) -> None:
        if not nn.utils.parametrize.is_parametrized(conv, "weight") or not inputs or not isinstance(inputs[0], Tensor):
            return
        n = len(self.turned)
        refuse_left_over(
            self.turned, inputs[0].shape[-n:], conv.kernel_size, conv.stride, padding_of(conv), conv.dilation
        )


def padding_of(conv: Any) -> tuple[int, ...]:
    """The sites that a convolution of PyTorch puts before the first one along every axis. DomainError if it does not
    put as many behind the last one."""
    if conv.padding == "valid":
        return (0,) * len(conv.kernel_size)
    if conv.padding != "same":
        return tuple(conv.padding)
    reach = [d * (k - 1) for d, k in zip(conv.dilation, conv.kernel_size)]
    if any(r % 2 for r in reach):
        raise DomainError(
            f"padding='same' is not the same on both sides for a kernel of {tuple(conv.kernel_size)}: give numbers"
        )
    return tuple(r // 2 for r in reach)


def impose(linear: Dense, V: Representation, U: Representation, axes: Representation | None = None) -> Dense:
    """Makes a dense layer equivariant where it is, by a parametrization of its weight and bias: from then on they are
    the nearest equivariant ones, and stay equivariant in training.

    Parameters
    ----------
    linear
        nn.Linear, on [..., in dim V], or nn.Conv1d, nn.Conv2d, nn.Conv3d, on [batch, in dim V, *grid]. Both sides have
        whole numbers of channels; with groups=n each of the n groups has.
    V, U
        The types of inputs and outputs.
    axes
        How the group acts on the axes of a grid, as in Conv2d; for convolutions only. A convolution refuses images that
        its stride would treat differently after a turn.

    Returns
    -------
    torch.nn.Module
        The same module. `torch.nn.utils.parametrize.remove_parametrizations` makes it an ordinary layer again.

    Raises
    ------
    DomainError
        If V and U are of different groups, or a side is no whole number of channels.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import impose
    >>> V = Group("S3").rep("perm")
    >>> W = impose(torch.nn.Linear(3, 3), V, V).weight     # one number on the diagonal, one beside it
    >>> torch.allclose(W, (W[0, 0] - W[0, 1]) * torch.eye(3) + W[0, 1])
    True

    See Also
    --------
    Linear.from_dense : A layer of this library in place of a dense one.
    """
    window: tuple[int, ...] = ()
    groups = 1
    if isinstance(linear, CONVOLUTIONS):
        window, groups = tuple(linear.kernel_size), linear.groups
        one_group(V, U)
        settings = {"stride": tuple(linear.stride), "padding": padding_of(linear), "dilation": tuple(linear.dilation)}
        turned = turns_of(V.group, window, axes, **settings).reversed
        table, _ = tables_between(V * sites_of(V.group, window, axes), U)
        features = (linear.in_channels, linear.out_channels)
    elif isinstance(linear, nn.Linear):
        if axes is not None:
            raise DomainError("axes are those of the grid of a convolution, and nn.Linear has none: leave them out")
        table, features = table_between(V, U), (linear.in_features, linear.out_features)
    else:
        raise DomainError(f"impose takes nn.Linear, nn.Conv1d, nn.Conv2d and nn.Conv3d, not {type(linear).__name__}")
    out, in_ = table.channels
    rows, cols = table.rows, table.cols
    sites = math.prod(window)
    if features[1] % (out * rows * groups) or features[0] * sites % (in_ * cols * groups):
        each = f" in each of its {groups} groups" if groups > 1 else ""
        raise DomainError(
            f"the layer has {features[0]} inputs and {features[1]} outputs; they must be multiples of dim V = {V.dimension}"
            f" and dim U = {U.dimension}{each}"
        )
    channels = (features[1] // rows, features[0] * sites // (cols * groups))
    nn.utils.parametrize.register_parametrization(linear, "weight", _Imposed(table, channels, False, window))
    if linear.bias is not None:
        nn.utils.parametrize.register_parametrization(linear, "bias", _Imposed(table, channels, True))
    if window:
        linear.register_forward_pre_hook(_Sizes(turned))
    return linear
