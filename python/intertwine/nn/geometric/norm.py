"""Normalisation of the features of points."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ... import DomainError, Representation
from .._fields import Derived, integer, require_like, wide
from ._types import Features, type_of
from .gate import kinds_of

__all__ = ["BatchNorm"]


class BatchNorm(Derived):
    """Every copy of every summand over the root of its mean square in the batch, scalars without their mean.

    Parameters
    ----------
    V
        The type of x, or a text such as "8x0e + 4x1o". The group acts by orthogonal matrices on features.
    channels
        With it, x is [..., dim V, channels]. Without, x is flat.
    eps
        What is added to mean squares.
    momentum
        The share of a new batch in the running statistics.
    affine
        Learnt factors for every copy, and summands for every scalar.
    bias
        False: no summands.
    reduce
        "mean" or "max": over the points of one sample, where x has axes between the first and the features.
    instance
        True: statistics of every sample by itself, and none that run.
    normalization
        "component": the mean square of components. "norm": that of lengths.

    Shape
    -----
    [batch, ..., dim V, channels], or without channels [batch, ..., dim V].

    Notes
    -----
    Numbers, parameters and buffers are those of e3nn.nn.BatchNorm. At x = 0 all derivatives are finite.

    Raises
    ------
    DomainError
        If an argument is out of range, or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import BatchNorm
    >>> y = BatchNorm("2x0e + 3x1o")(torch.randn(500, 11))
    >>> bool((y.square().mean(0) - 1).abs().max() < 0.2)
    True
    """

    _derived = ("_from", "_scalar")
    weight: nn.Parameter | None
    bias: nn.Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None

    def __init__(
        self,
        V: Representation | str,
        channels: int | None = None,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        bias: bool = True,
        reduce: str = "mean",
        instance: bool = False,
        normalization: str = "component",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.V = type_of(V)
        self.channels = None if channels is None else integer("channels", channels, 1)
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        if not 0 <= momentum <= 1:
            raise DomainError(f"momentum is a number between 0 and 1, not {momentum!r}")
        if reduce not in ("mean", "max"):
            raise DomainError(f'reduce is "mean" or "max", not {reduce!r}')
        if normalization not in ("component", "norm"):
            raise DomainError(f'normalization is "component" or "norm", not {normalization!r}')
        self.eps, self.momentum, self.reduce, self.instance = float(eps), float(momentum), reduce, bool(instance)
        self.normalization = normalization
        self._connect()
        every = sum(self._from.copies)
        scalars = sum(n for n, scalar in zip(self._from.copies, self._scalar) if scalar)
        for name, size, wanted in (("weight", every, affine), ("bias", scalars, affine and bias)):
            own = torch.full((size,), float(name == "weight"), device=device, dtype=dtype) if wanted else None
            self.register_parameter(name, None if own is None else nn.Parameter(own))
        for name, size in (("running_mean", scalars), ("running_var", every)):
            start = torch.full((size,), float(name == "running_var"), device=device, dtype=dtype)
            self.register_buffer(name, None if self.instance else start)

    def _connect(self) -> None:
        self._from = Features(self.V, self.channels)
        self._scalar = [kind == "scalar" for kind in kinds_of(self._from)]

    def forward(self, x: Tensor) -> Tensor:
        self._from.check("x", x)
        last = len(self._from.shape)
        if x.dim() < last + 1:
            raise DomainError(f"x has the shape {list(x.shape)}; a batch has an axis in front of its features")
        for own in (self.weight, self.running_var):
            if own is not None:
                require_like(x, own, "layer")
                break
        shape = x.shape
        points = shape[1 : x.dim() - last].numel()
        y = wide(x).reshape(shape[0], points, *self._from.shape)  # [batch, points, ...]
        own_statistics = self.training or self.instance
        if own_statistics and y.shape[0] * y.shape[1] == 0:
            raise DomainError(f"a batch of the shape {list(shape)} has no points, and so no statistics: call eval()")
        means, variances, found, at, scalars_at = [], [], [], 0, 0
        for part, scalar in zip(self._from.split(y), self._scalar):  # [batch, points, dim, copies]
            n = part.shape[-1]
            if scalar:
                if self.instance:
                    mean = part.mean(1, keepdim=True)
                elif self.training:
                    mean = part.mean((0, 1), keepdim=True)
                    means.append(mean.detach().flatten())
                else:
                    assert self.running_mean is not None
                    mean = self.running_mean.narrow(0, scalars_at, n)
                part = part - mean
            if own_statistics:
                square = part.square().sum(-2) if self.normalization == "norm" else part.square().mean(-2)
                square = square.mean(1) if self.reduce == "mean" else square.amax(1)  # [batch, copies]
                if not self.instance:
                    square = square.mean(0, keepdim=True)
                    variances.append(square.detach().flatten())
                square = square[:, None, None]
            else:
                assert self.running_var is not None
                square = self.running_var.narrow(0, at, n)
            scale = (square + self.eps).rsqrt()
            if self.weight is not None:
                scale = scale * self.weight.narrow(0, at, n)
            part = part * scale
            if scalar and self.bias is not None:
                part = part + self.bias.narrow(0, scalars_at, n)
            at, scalars_at = at + n, scalars_at + (n if scalar else 0)
            found.append(part)
        if self.training and not self.instance:
            self._run(means, variances)
        return self._from.join(found).reshape(shape).to(x.dtype)

    def _run(self, means: list[Tensor], variances: list[Tensor]) -> None:
        with torch.no_grad():
            for running, new in ((self.running_mean, means), (self.running_var, variances)):
                if running is not None and new:
                    running.lerp_(torch.cat(new).to(running.dtype), self.momentum)

    def extra_repr(self) -> str:
        return f"{self.V}, eps={self.eps:g}, momentum={self.momentum:g}{', instance=True' if self.instance else ''}"
