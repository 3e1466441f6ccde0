"""Layers for sets and for graphs of every size: tensors of one and of two axes (sizes.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch

from .sizes import Tensors

__all__ = ["Graphs", "Sets"]


class _Alike(Tensors):
    """Tensors(k, k) of one set."""

    _k: int

    def __init__(
        self,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        across: str | Sequence[str] = (),
        reduction: Literal["mean", "sum"] = "mean",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(
            self._k,
            self._k,
            in_channels,
            out_channels,
            bias,
            across=across,
            reduction=reduction,
            device=device,
            dtype=dtype,
        )


class Sets(_Alike):
    """Layers on sets: x [..., in_channels, n] -> y [..., out_channels, n], y_i = theta_0 x_i + theta_1 mean_j x_j +
    bias (Zaheer et al. 2017).

    Tensors(1, 1), where everything else is said.

    Parameters
    ----------
    in_channels, out_channels
        How many channels the input and the output have.
    bias
        False: none.
    across
        Maps between sizes that the layer commutes with, as of `Tensors`.
    reduction
        'mean' or 'sum' over the indices that an operation drops.
    device, dtype
        Of the parameters.

    Shape
    -----
    [..., in_channels, n] to [..., out_channels, n], for every n.

    See Also
    --------
    Tensors : tensors of other orders.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn import Sets
    >>> layer = Sets(2, 4)
    >>> layer(torch.randn(2, 5)).shape, layer(torch.randn(2, 90)).shape
    (torch.Size([4, 5]), torch.Size([4, 90]))
    """

    _k = 1


class Graphs(_Alike):
    """Layers on graphs by their matrices: x [..., in_channels, n, n] -> y [..., out_channels, n, n], all 15 operations
    and 2 biases (Maron et al. 2019). Features of nodes are diagonal matrices, or come and go by Tensors(1, 2) and
    Tensors(2, 1).

    Tensors(2, 2), where everything else is said.

    Parameters
    ----------
    in_channels, out_channels
        How many channels the input and the output have.
    bias
        False: none.
    across
        Maps between sizes that the layer commutes with, as of `Tensors`.
    reduction
        'mean' or 'sum' over the indices that an operation drops.
    device, dtype
        Of the parameters.

    Shape
    -----
    [..., in_channels, n, n] to [..., out_channels, n, n], for every n.

    See Also
    --------
    Tensors : tensors of other orders.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn import Graphs
    >>> layer = Graphs(2, 4)
    >>> layer(torch.randn(2, 5, 5)).shape, layer(torch.randn(2, 9, 9)).shape
    (torch.Size([4, 5, 5]), torch.Size([4, 9, 9]))
    """

    _k = 2
