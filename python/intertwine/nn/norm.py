"""Normalisations of fields of any representation."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from .. import DomainError
from . import _ops
from ._fields import FieldModule, FieldType, Kind, counted, wide

__all__ = ["BatchNorm", "LayerNorm", "RMSNorm"]


class _Norm(FieldModule):
    """weight [orbits, channels] and bias [Q, channels], in the order of the structure of V."""

    _takes_complex = True
    weight: nn.Parameter | None
    bias: nn.Parameter | None
    channels: int

    def __init__(
        self,
        V: FieldType,
        channels: int,
        eps: float,
        affine: bool,
        bias: bool,
        axes: int,
        whole: bool,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
    ) -> None:
        super().__init__(V, channels, axes, whole)
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        self.eps = eps
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise DomainError(f"parameters are of a floating-point or complex dtype, not {dtype}")
        s = self._structure
        for name, wanted, rows in (("weight", affine, s.orbits), ("bias", affine and bias, s.invariants)):
            self.register_parameter(
                name, nn.Parameter(torch.empty(rows, channels, device=device, dtype=dtype)) if wanted else None
            )
        if self.weight is not None:
            s.constants.on(self.weight.device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """weight 1, bias 0."""
        with torch.no_grad():
            if self.weight is not None:
                self.weight.fill_(1)
            if self.bias is not None:
                self.bias.zero_()

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        if not _ops.autocasts(x):
            return self._normalised(x)
        # In the precision of the parameters, as PyTorch's are; products with constants of V too.
        with torch.autocast(x.device.type, enabled=False):
            return self._normalised(x if self.weight is None else x.to(self.weight.dtype))

    def _normalised(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _weight_of(self, kind: Kind) -> Tensor | None:
        """[channels, orbits, 1]"""
        return None if self.weight is None else self.weight.narrow(0, kind.first_orbit, kind.orbits).t().unsqueeze(-1)

    def _bias_of(self, kind: Kind) -> Tensor | None:
        """[channels, orbits, n]"""
        if self.bias is None or not kind.invariants:
            return None
        return self._structure.vectors(self.bias.t(), kind)[:, :: kind.points]

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, eps={self.eps}{'' if self.weight is not None else ', affine=False'}"


class _OfSamples(_Norm):
    """A normalisation of each sample, of each site of a grid, and of each point that a finite factor permutes."""

    _per_point = True

    def _normalised(self, x: Tensor) -> Tensor:
        sites = tuple(range(-self.axes, 0))
        ahead = tuple(site - 2 for site in sites)
        y = x.movedim(sites, ahead)
        s = self._structure
        y = s.put([self._points(s.take(y, kind, -1), kind) for kind in s.kinds], -1)
        return y.movedim(ahead, sites)

    def _points(self, part: Tensor, kind: Kind) -> Tensor:
        if kind.points == 1:
            return self._kind(part, kind)
        part = part.unflatten(-2, (kind.orbits, kind.points)).movedim(-2, -4)
        return self._kind(part, kind).movedim(-4, -2).flatten(-3, -2)

    def _kind(self, part: Tensor, kind: Kind) -> Tensor:
        """part [..., channels, orbits, n]"""
        raise NotImplementedError

    def _scale(self, part: Tensor, kind: Kind) -> Tensor:
        """1 / sqrt(mean square + eps) over channels, orbits and coordinates, [..., 1, 1, 1]."""
        mean = self._structure.mean_square(part, kind, -1, self.eps).mean((-2, -1))
        return torch.rsqrt(mean + self.eps)[..., None, None, None]


class LayerNorm(_OfSamples):
    """y = w (x - mean) / sqrt(variance + eps) + b for each sample, exactly equivariant for every real representation V
    whose group keeps a symmetric form.

    x [..., channels, dim V, *grid], normalised at each site of a grid alone; `axes` axes of a grid.

    What is subtracted is an invariant vector: the projection of x onto the vectors of V that the group fixes, averaged
    over channels; for a permutation representation the mean over channels and coordinates. The variance is the mean
    square of what is left in the inner product that the group keeps, over channels and coordinates. Coordinates that
    the group keeps apart (orbits, summands) are normalised apart, copies of one kind together, as channels are: 16*perm
    with one channel is normalised as perm with 16.

    weight [orbits, channels]: a scale for each channel of each orbit or copy; bias [Q, channels]: an invariant vector
    for each channel. Both are 1 and 0 at first; affine=False leaves both out, bias=False the second.

    Where a finite factor of the group permutes points, as S5 does in "perm # vector" of S5 x O(3), each point is
    normalised alone. whole=True: all points of an orbit together.

    Groups that are not compact, such as SO+(1,3), keep an indefinite form <x, x>: the variance is then the mean of
    |<x, x>| over channels, by coordinates, each taken as sqrt(<x, x>^2 + eps^2), so that it is smooth at null vectors.

    dtype: complex ones too; fields and parameters are complex then, and variances are those of moduli.

    DomainError for an invariant coordinate that is alone: it is its own mean.

    Where V permutes its basis transitively this is torch.nn.functional.layer_norm over (channels, dim V). Source: Ba,
    Kiros and Hinton 2016; for each kind apart as in Thomas et al. 2018 and after.

    Parameters
    ----------
    V
        The type of fields: a representation, or a sum of several.
    channels
        How many channels the input has.
    eps
        What is added to variances.
    affine, bias
        False: no scales and no bias; no bias.
    axes
        How many axes of a grid there are.
    whole
        True: all points of an orbit are normalised together.
    device, dtype
        Of the parameters.

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    Raises
    ------
    DomainError
        For an invariant coordinate that is alone.

    See Also
    --------
    RMSNorm : nothing is subtracted.
    BatchNorm : statistics of a batch.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import LayerNorm
    >>> LayerNorm(Group("S4").rep("perm"), channels=8)(torch.randn(2, 8, 4)).shape
    torch.Size([2, 8, 4])
    """

    def __init__(
        self,
        V: FieldType,
        channels: int = 1,
        eps: float = 1e-5,
        affine: bool = True,
        bias: bool = True,
        *,
        axes: int = 0,
        whole: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels, eps, affine, bias, axes, whole, device, dtype)
        for kind in self._structure.kinds:
            if kind.n * kind.orbits * channels == 1 and kind.invariants:
                raise DomainError(
                    f"coordinate {kind.coordinate + 1} of {V} is invariant and the only one of its kind in one channel, so that LayerNorm would subtract it"
                    " from itself: use more channels, or RMSNorm"
                )

    def _kind(self, part: Tensor, kind: Kind) -> Tensor:
        shape = part.shape[-3:]
        weight, bias = self._weight_of(kind), self._bias_of(kind)
        if kind.shape == "permutation" and not part.is_complex():
            return functional.layer_norm(part, shape, None if weight is None else weight.expand(shape), bias, self.eps)
        y = wide(part)
        if kind.invariants:
            constants, k = self._structure.constants, kind.number
            mean = (y @ constants.like(f"means{k}", y).t()).mean((-3, -2), keepdim=True)
            y = y - mean @ constants.like(f"basis{k}", y).t()
        y = y * self._scale(y, kind)
        if weight is not None:
            y = y * weight
        return (y if bias is None else y + bias).to(part.dtype)


class RMSNorm(_OfSamples):
    """y = w x / sqrt(mean square + eps) for each sample, exactly equivariant for every real representation V.

    As LayerNorm, but nothing is subtracted and there is no bias. weight [orbits, channels].

    Where the matrices of V are orthogonal this is torch.nn.functional.rms_norm over (channels, dim V). Source: Zhang
    and Sennrich 2019.

    Parameters
    ----------
    V
        The type of fields: a representation, or a sum of several.
    channels
        How many channels the input has.
    eps
        What is added to mean squares.
    affine
        False: no scales.
    axes
        How many axes of a grid there are.
    whole
        True: all points of an orbit are normalised together.
    device, dtype
        Of the parameters.

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    See Also
    --------
    LayerNorm : the mean is subtracted.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import RMSNorm
    >>> RMSNorm(Group("SO(3)").rep("vector"), channels=8)(torch.randn(2, 8, 3)).shape
    torch.Size([2, 8, 3])
    """

    def __init__(
        self,
        V: FieldType,
        channels: int = 1,
        eps: float = 1e-6,
        affine: bool = True,
        *,
        axes: int = 0,
        whole: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels, eps, affine, False, axes, whole, device, dtype)

    def _kind(self, part: Tensor, kind: Kind) -> Tensor:
        weight, shape = self._weight_of(kind), part.shape[-3:]
        if kind.orthogonal and not part.is_complex():
            return functional.rms_norm(part, shape, None if weight is None else weight.expand(shape), self.eps)
        y = wide(part)
        y = y * self._scale(y, kind)
        return (y if weight is None else y * weight).to(part.dtype)


class BatchNorm(_Norm):
    """y = w (x - mean) / sqrt(variance + eps) with the mean and variance of a batch, for each channel and each copy in
    V.

    x [..., channels, dim V, *grid]; all leading axes and all sites of a grid are the batch; `axes` axes of a grid, 2
    for images.

    What is subtracted is the projection onto the invariant vectors of V, averaged over the batch; the variance is the
    mean square of what is left in the inner product that the group keeps. Both stay the same if every sample is moved
    by an element of its own, so that the layer is exactly equivariant in each sample, in training as well as in
    evaluation.

    weight [blocks, channels], bias [Q, channels]; buffers running_mean [Q, channels] and running_var [blocks,
    channels], coefficients of invariant vectors and unbiased variances, num_batches_tracked. momentum: the share of a
    new batch. A block is an orbit of coordinates or a copy of a summand; Q counts their fixed vectors.

    track_running_stats=False: always the statistics of the batch. DomainError in training for a batch of one value a
    channel.

    Points that a finite factor permutes count as the batch, and |<x, x>| of an indefinite form as the square, as in
    LayerNorm. Orbits of permutations run through torch.nn.functional.batch_norm. Source: Ioffe and Szegedy 2015.

    Parameters
    ----------
    V
        The type of fields: a representation, or a sum of several.
    channels
        How many channels the input has.
    eps
        What is added to variances.
    momentum
        The share of a new batch in the running statistics.
    affine
        False: no scales and no bias.
    track_running_stats
        False: always the statistics of the batch.
    axes
        How many axes of a grid there are.
    device, dtype
        Of the parameters.

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    Raises
    ------
    DomainError
        In training, for a batch of one value a channel.

    See Also
    --------
    LayerNorm : statistics of each sample.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import BatchNorm
    >>> BatchNorm(Group("C4").rep("regular"), channels=8, axes=2)(torch.randn(2, 8, 4, 6, 6)).shape
    torch.Size([2, 8, 4, 6, 6])
    """

    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        V: FieldType,
        channels: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        axes: int = 0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        if not 0 <= momentum <= 1:
            raise DomainError(f"momentum is a number between 0 and 1, not {momentum!r}")
        super().__init__(V, channels, eps, affine, True, axes, True, device, dtype)
        self.momentum = momentum
        s = self._structure
        track = track_running_stats
        real = dtype.to_real() if dtype is not None and dtype.is_complex else dtype
        self.register_buffer(
            "running_mean", torch.zeros(s.invariants, channels, device=device, dtype=dtype) if track else None
        )
        self.register_buffer(
            "running_var", torch.ones(s.blocks, channels, device=device, dtype=real) if track else None
        )
        self.register_buffer("num_batches_tracked", torch.zeros((), dtype=torch.long, device=device) if track else None)

    def reset_running_stats(self) -> None:
        """Means 0, variances 1."""
        if self.running_mean is not None and self.running_var is not None and self.num_batches_tracked is not None:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def _normalised(self, x: Tensor) -> Tensor:
        s, axis = self._structure, -2
        y = x.flatten(-self.axes) if self.axes else x.unsqueeze(-1)
        y = y.flatten(0, -4) if y.dim() > 3 else y.unsqueeze(0)
        from_batch = self.training or self.running_mean is None
        if from_batch:
            for kind in s.kinds:
                values = y.shape[0] * y.shape[3] * kind.n
                if values <= kind.invariants:
                    raise DomainError(
                        f"a batch of the shape {list(x.shape)} has {counted(values, 'value')} a channel, and no variance: call eval(), or use a larger batch"
                    )
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        parts = []
        for kind in s.kinds:
            part = s.take(y, kind, axis)
            parts.append(
                self._orbit(part, kind, from_batch)
                if kind.shape == "permutation" and not part.is_complex()
                else self._general(part, kind, from_batch)
            )
        return s.put(parts, axis).reshape(x.shape)

    def _orbit(self, part: Tensor, kind: Kind, from_batch: bool) -> Tensor:
        """Permutations: the features of torch's kernel are the copies in all channels, the sites and coordinates its
        sites."""

        def features(rows: Tensor | None, first: int) -> Tensor | None:
            return None if rows is None else rows.narrow(0, first, kind.copies).view(-1)

        y = part.transpose(1, 2)
        shape = y.shape
        running = (features(self.running_mean, kind.first_invariant), features(self.running_var, kind.first))
        # The kernel keeps what it is given for its derivative, where a change of another kind's part of the buffer
        # would count as a change.
        mean, variance = (
            None if r is None or not self.training or len(self._structure.kinds) == 1 else r.clone() for r in running
        )
        y = functional.batch_norm(
            y.reshape(shape[0], kind.copies * shape[2], shape[3] * shape[4]),
            running[0] if mean is None else mean, running[1] if variance is None else variance,
            features(self.weight, kind.first), features(self.bias, kind.first_invariant), from_batch, self.momentum, self.eps,
        )  # fmt: skip
        for buffer, new in zip(running, (mean, variance)):
            if buffer is not None and new is not None:
                buffer.copy_(new)
        return y.view(shape).transpose(1, 2)

    def _general(self, part: Tensor, kind: Kind, from_batch: bool) -> Tensor:
        s, k, q = self._structure, kind.number, kind.copies * kind.invariants
        y = wide(part)
        if kind.invariants and from_batch:
            mean = (s.constants.like(f"means{k}", y) @ y.mean((0, 4)).unsqueeze(-1)).squeeze(
                -1
            )  # [channels, copies, invariants]
            y = y - (mean @ s.constants.like(f"basis{k}", y).t()).unsqueeze(-1)
        elif kind.invariants and self.running_mean is not None:
            y = y - s.vectors(self.running_mean.t(), kind).unsqueeze(-1)
        if from_batch:
            variance = s.mean_square(y, kind, -2, self.eps).mean((0, 3))  # [channels, copies]
            if self.training and self.running_mean is not None and self.running_var is not None:
                values = y.shape[0] * y.shape[3] * y.shape[4]
                with torch.no_grad():
                    unbiased = variance.t() * (values / (values - kind.invariants))
                    self.running_var.narrow(0, kind.first, kind.copies).lerp_(
                        unbiased.to(self.running_var.dtype), self.momentum
                    )
                    if q:
                        new = mean.permute(1, 2, 0).reshape(q, -1).to(self.running_mean.dtype)
                        self.running_mean.narrow(0, kind.first_invariant, q).lerp_(new, self.momentum)
        else:
            assert self.running_var is not None
            variances = self.running_var.real if self.running_var.is_complex() else self.running_var
            variance = variances.narrow(0, kind.first, kind.copies).t()
        scale = torch.rsqrt(variance + self.eps)[..., None, None]
        weight, bias = self._weight_of(kind), self._bias_of(kind)
        y = y * (scale if weight is None else scale * weight.unsqueeze(-1))
        return (y if bias is None else y + bias.unsqueeze(-1)).to(part.dtype)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, momentum={self.momentum}{'' if self.running_mean is not None else ', track_running_stats=False'}"
