"""Layouts of features, at the border to other packages."""

from __future__ import annotations

import torch
from torch import Tensor

from ... import DomainError, Representation
from ._kept import kept
from ._types import blocks_of, type_of

__all__ = ["to_layout"]

LAYOUTS = ("channels", "mul_ir", "ir_mul")


@kept
def _blocks(V: Representation | str) -> tuple[int, list[tuple[int, int, int]]]:
    """The dimension of V; and for each block where it begins, how many copies it has, and their dimension."""
    V = type_of(V)
    return V.dimension, [(b.start, b.copies, b.dimension) for b in blocks_of(V)]


def to_layout(x: Tensor, V: Representation | str, layout: str, given: str = "channels") -> Tensor:
    """Features in another layout.

    "channels" is that of Convolution, [..., dim V, channels]. "mul_ir" and "ir_mul" are flat, block by block: copies
    outside and components inside, as e3nn has them, or components outside, as cuEquivariance prefers them.

    Parameters
    ----------
    x
        The features. Flat ones have dim V numbers or a multiple: then every summand has so many channels.
    V
        Their type, or a text such as "8x0e + 4x1o".
    layout
        What comes out: "channels", "mul_ir" or "ir_mul".
    given
        What x has.

    Returns
    -------
    Tensor
        [..., dim V, channels], or [..., dim V * channels].

    Raises
    ------
    DomainError
        If a layout has another name, or x another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import to_layout
    >>> x = torch.tensor([[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]])  # a scalar and a vector, two channels
    >>> to_layout(x, "0e + 1o", "mul_ir")
    tensor([[0., 1., 2., 4., 6., 3., 5., 7.]])
    >>> to_layout(x, "0e + 1o", "ir_mul")
    tensor([[0., 1., 2., 3., 4., 5., 6., 7.]])
    """
    for name, value in (("layout", layout), ("given", given)):
        if value not in LAYOUTS:
            raise DomainError(f'{name} is "channels", "mul_ir" or "ir_mul", not {value!r}')
    n, blocks = _blocks(V)
    if given == "channels":
        if x.dim() < 2 or x.shape[-2] != n:
            raise DomainError(
                f"x has the shape {list(x.shape)}; features of {V} with channels are [..., {n}, channels]"
            )
        channels = x.shape[-1]
    else:
        if x.dim() < 1 or x.shape[-1] % n:
            raise DomainError(f"x has the shape {list(x.shape)}; flat features of {V} are [..., {n} * channels]")
        channels = x.shape[-1] // n
    parts = []  # [..., copies, dim, channels]
    for start, copies, dimension in blocks:
        size = copies * dimension
        if given == "channels":
            parts.append(x.narrow(-2, start, size).unflatten(-2, (copies, dimension)))
            continue
        part = x.narrow(-1, start * channels, size * channels)
        if given == "mul_ir":
            part = part.unflatten(-1, (copies, channels, dimension)).transpose(-1, -2)
        else:
            part = part.unflatten(-1, (dimension, copies, channels)).transpose(-2, -3)
        parts.append(part)
    if layout == "channels":
        return torch.cat([part.flatten(-3, -2) for part in parts], -2)
    move = (-1, -2) if layout == "mul_ir" else (-2, -3)
    return torch.cat([part.transpose(*move).flatten(-3) for part in parts], -1)
