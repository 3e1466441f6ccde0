"""Statistics of symmetric data: what a mean, a covariance and a regression are if every sample could as well have come
moved by the group."""

from __future__ import annotations

import functools
import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributions import Independent, Normal

from .. import DomainError, LimitError
from ._fields import (
    Constants,
    FieldModule,
    FieldType,
    counted,
    one_group,
    real_tensors,
    require_tensor,
    scalars_of,
    structure,
)  # fmt: skip
from .linear import Linear

__all__ = ["GaussianPolicy", "RunningNorm", "covariance", "least_squares", "mean"]

_MOST = 1 << 26  # entries of maps that are written down


def _samples(x: Tensor, V: FieldType) -> Tensor:
    """x as [samples, channels, dim V]."""
    require_tensor(x)
    if x.dim() < 3 or x.shape[-1] != V.dimension or not x.is_floating_point():
        raise DomainError(
            f"samples are a floating-point tensor [..., channels, {V.dimension}] (channels, dim V) with some axes of samples,"
            f" not {list(x.shape)} of {x.dtype}"
        )
    x = x.reshape(-1, *x.shape[-2:])
    if not len(x):
        raise DomainError("there are no samples")
    return x


def mean(x: Tensor, V: FieldType) -> Tensor:
    """The mean of samples and of all that the group makes of them: an invariant vector for each channel.

    Parameters
    ----------
    x
        The samples, [..., channels, dim V].
    V
        Their type, a representation of any group with real matrices.

    Returns
    -------
    Tensor
        [channels, dim V], differentiable in x.

    Raises
    ------
    DomainError
        If x has another shape, or no samples.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import statistics
    >>> V = Group("S3").rep("perm + sign")
    >>> statistics.mean(torch.tensor([[[1.0, 2.0, 6.0, 5.0]]]), V)
    tensor([[3., 3., 3., 0.]])
    """
    s = structure(V)
    if s.is_complex:
        raise DomainError(f"the matrices of {V} of {V.group.name} are not real: take V.real()")
    centre = _samples(x, V).mean(0)
    parts = []
    for kind in s.kinds:
        part = s.take(centre, kind, -1)
        if not kind.invariants:
            parts.append(torch.zeros_like(part))
            continue
        means, basis = (s.constants.like(f"{name}{kind.number}", part) for name in ("means", "basis"))
        parts.append(part @ means.t() @ basis.t())
    return s.put(parts, -1)


@functools.lru_cache(maxsize=16)
def _forms(V: FieldType) -> Constants:
    """Bases of the invariant tensors in V ⊗ V and in its dual, and the inverse of how they pair."""
    with real_tensors(), torch.no_grad():
        found = {}
        for name, source, target in (("tensors", V.T, V), ("duals", V, V.T)):
            layer = Linear(source, target, bias=False, dtype=torch.float64)
            count = layer.theta.numel()
            if count * V.dimension**2 > _MOST:
                raise LimitError(
                    f"the covariance of {V} is among {count} invariant tensors of {V.dimension}^2 entries, and"
                    f" {_MOST} entries are written down at most"
                )
            found[name] = torch.stack([_unit(layer, k).weight() for k in range(count)])
        pairing = torch.einsum("jab,kba->jk", found["duals"], found["tensors"])
        return Constants(inverse=torch.linalg.inv(pairing), **found)


def _unit(layer: Linear, k: int) -> Linear:
    """The layer with one parameter 1 and the others 0; parameters of weights first."""
    first = layer.theta.numel()
    for parameter, at in ((layer.theta, k), (layer.bias, k - first)):
        if parameter is not None:
            parameter.zero_()
            if 0 <= at < parameter.numel():
                parameter.view(-1)[at] = 1
    return layer


def covariance(x: Tensor, V: FieldType) -> Tensor:
    """The covariance of samples and of all that the group makes of them: C = g C g^T for all g.

    It has far fewer free numbers than that of the samples alone, and fewer samples tell it. Of compact groups it is the
    mean over the group; of others the projection onto invariant tensors, which need not be positive.

    Parameters
    ----------
    x
        The samples, [..., channels, dim V].
    V
        Their type, a representation of any group with real matrices.

    Returns
    -------
    Tensor
        [channels, dim V, channels, dim V], with the mean of `mean` subtracted and divided by the number of samples;
        differentiable in x.

    Raises
    ------
    DomainError
        If x has another shape, or no samples.
    LimitError
        If the invariant tensors have more than 2^26 entries together.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import statistics
    >>> V = Group("S3").rep("perm")
    >>> C = statistics.covariance(torch.tensor([[[3.0, 0.0, 0.0]]]), V)
    >>> [[round(c, 6) for c in row] for row in C[0, :, 0].tolist()]
    [[2.0, -1.0, -1.0], [-1.0, 2.0, -1.0], [-1.0, -1.0, 2.0]]
    """
    y = _samples(x, V)
    y = y - mean(x, V)
    forms = _forms(V)
    second = torch.einsum("bim,bjn->imjn", y, y) / len(y)
    paired = torch.einsum("knm,imjn->kij", forms.like("duals", y), second)
    coefficients = torch.einsum("lk,kij->lij", forms.like("inverse", y), paired)
    return torch.einsum("lij,lmn->imjn", coefficients, forms.like("tensors", y))


def least_squares(x: Tensor, y: Tensor, V: FieldType, U: FieldType, bias: bool = True, ridge: float = 0.0) -> Linear:
    """The equivariant linear layer with the least sum of |y - W x - b|^2 over samples.

    Parameters
    ----------
    x, y
        The samples, [..., in_channels, dim V] and [..., out_channels, dim U], with the same leading axes.
    V, U
        Their types.
    bias
        Is there a b?
    ridge
        What |theta|^2 costs, beside the sum over samples. Without, the solution of least norm is taken where several
        are as good.

    Returns
    -------
    Linear
        Of the dtype and on the device of x; found in float64 on the CPU. Its cost is that of a dense problem in
        the free numbers of one output channel.

    Raises
    ------
    DomainError
        If the shapes do not fit, or ridge is negative.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import statistics
    >>> V = Group("S4").rep("perm")
    >>> x = torch.randn(3, 1, 4)  # three samples tell the two numbers of a layer, and its bias
    >>> layer = statistics.least_squares(x, 2 * x - x.mean(-1, keepdim=True) + 1, V, V)
    >>> [round(t, 3) for t in layer(torch.tensor([[[1.0, 0.0, 0.0, 3.0]]])).flatten().tolist()]
    [2.0, 0.0, 0.0, 6.0]
    """
    one_group(V, U)
    if not ridge >= 0:
        raise DomainError(f"ridge is a number of at least 0, not {ridge!r}")
    a, b = _samples(x, V), _samples(y, U)
    if len(a) != len(b):
        raise DomainError(f"there are {counted(len(a), 'sample')} of x and {counted(len(b), 'sample')} of y")
    a, b = (t.detach().to("cpu", torch.float64) for t in (a, b))
    with real_tensors(), torch.no_grad():
        one = Linear(V, U, a.shape[1], 1, bias, dtype=torch.float64)
        count = one.theta.numel() + (0 if one.bias is None else one.bias.numel())
        columns = [_unit(one, k)(a).reshape(-1) for k in range(count)]
        if not columns:
            return Linear(V, U, a.shape[1], b.shape[1], bias, device=x.device, dtype=x.dtype)
        design, wanted = torch.stack(columns, 1), b.transpose(0, 1).reshape(b.shape[1], -1).t()
        if ridge:
            design = torch.cat((design, ridge**0.5 * torch.eye(count, dtype=torch.float64)))
            wanted = torch.cat((wanted, wanted.new_zeros(count, wanted.shape[1])))
        solution = torch.linalg.lstsq(design, wanted, driver="gelsd").solution
        weights, biases = [], []
        for own in solution.t():
            split = own.split([one.theta.numel(), count - one.theta.numel()])
            one.theta.copy_(split[0].view(one.theta.shape))
            weights.append(one.weight())
            if one.bias is not None:
                one.bias.copy_(split[1].view(one.bias.shape))
                biases.append(one.bias_vector())
        layer = Linear(V, U, a.shape[1], b.shape[1], bias, dtype=torch.float64)
        layer._project(torch.cat(weights), torch.cat([v for v in biases if v is not None]) if biases else None)
    return layer.to(x.device, x.dtype)


class RunningNorm(FieldModule):
    """(x - mean) / sqrt(variance + eps) with the mean and variance of all samples so far, as observations of agents are
    normalised; exactly equivariant for every real V whose group keeps an inner product.

    In training a batch is taken into the statistics first, each sample with the same weight, and no gradient goes through
    them. In evaluation they stay. Where BatchNorm forgets old batches and uses those of the batch, this does neither.

    Parameters
    ----------
    V
        The type of x.
    channels
        How many.
    eps
        What is added to variances.
    axes
        How many axes of a grid follow, whose sites count as samples.

    Attributes
    ----------
    count, mean, variance
        Buffers: the number of samples, invariant means [Q, channels] as coefficients, variances [blocks, channels].

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    Raises
    ------
    DomainError
        If x has another shape, eps is not positive, or the group keeps no inner product.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import RunningNorm
    >>> norm = RunningNorm(Group("C2").rep("regular + 2*sign"), 1)
    >>> y = norm(3 + 2 * torch.randn(1000, 1, 4))
    >>> norm.count.item(), norm.mean.shape, norm.variance.shape
    (1000, torch.Size([1, 1]), torch.Size([3, 1]))
    """

    count: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(
        self,
        V: FieldType,
        channels: int = 1,
        eps: float = 1e-5,
        *,
        axes: int = 0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels, axes)
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        s = self._structure
        if s.indefinite:
            raise DomainError(f"variances need an inner product, and {s.indefinite}: use BatchNorm(V)")
        self.eps = eps
        self.register_buffer("mean", torch.zeros(s.invariants, channels, device=device, dtype=dtype))
        self.register_buffer("variance", torch.ones(s.blocks, channels, device=device, dtype=dtype))
        self.register_buffer("count", torch.zeros((), dtype=torch.long, device=device))
        s.constants.on(self.mean.device)

    def reset_running_stats(self) -> None:
        """No samples: means 0, variances 1."""
        self.mean.zero_()
        self.variance.fill_(1)
        self.count.zero_()

    def _centre(self, rows: Tensor) -> Tensor:
        """[channels, dim V] of coefficients."""
        s = self._structure
        return s.put([s.vectors(rows.t(), kind) for kind in s.kinds], -1)

    @torch.no_grad()
    def _take(self, y: Tensor) -> None:
        """Takes samples [batch, channels, dim V] in: the sum of two sets' squares is that of their own means and of the
        distance between these."""
        s, new = self._structure, len(y)
        centre, coefficients = y.mean(0), []
        for kind in s.kinds:
            if kind.invariants:
                means = s.constants.like(f"means{kind.number}", y)
                coefficients.append((s.take(centre, kind, -1) @ means.t()).flatten(-2).t())
        rows = torch.cat(coefficients) if coefficients else self.mean
        old, sizes = self.count, torch.tensor([kind.n for kind in s.kinds for _ in range(kind.copies)]).to(y)[:, None]
        own = s.squares(y - self._centre(rows), -1).mean(0).t() / sizes
        apart = s.squares(self._centre(rows - self.mean), -1).t() / sizes
        share = new / (old + new).to(y.dtype)
        merged = self.variance * (1 - share) + own * share + apart * share * (1 - share)
        self.variance.copy_(torch.where(old > 0, merged, own))
        self.mean.copy_(torch.where(old > 0, self.mean + share * (rows - self.mean), rows))
        self.count.add_(new)

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        s, sites = self._structure, tuple(range(-self.axes, 0))
        ahead = tuple(site - 2 for site in sites)
        y = x.movedim(sites, ahead)
        if self.training and y.numel():
            self._take(y.detach().reshape(-1, *y.shape[-2:]))
        scale = torch.rsqrt(self.variance + self.eps).t()
        return ((y - self._centre(self.mean)) * s.of_blocks(scale, -1)).movedim(ahead, sites)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, eps={self.eps}"


class GaussianPolicy(FieldModule):
    """A normal distribution around a field, with a deviation for each block: p(g y | g x) = p(y | x) for all g.

    Parameters
    ----------
    V
        The type of actions; the group acts by orthogonal matrices.
    channels
        How many.
    std
        "parameters": a deviation for each channel and orbit is learnt. "inputs": x brings its logarithms as scalars, one
        for each block, as a linear layer makes them: ``Linear(..., policy.source)``.
    initial_std
        Where deviations start; with "inputs" what scalars of 0 mean.
    whole
        One deviation for all points that a finite factor of the group permutes, instead of one for each.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    source
        The type of x: V, or V and a scalar for each block.
    target
        V.
    log_std
        [orbits, channels], with "parameters".

    Shape
    -----
    [..., channels, dim source] to a distribution of [channels, dim V] for each of the leading axes.

    Raises
    ------
    DomainError
        If matrices are not orthogonal, std has another name, initial_std is not positive or x has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import GaussianPolicy, Linear
    >>> G = Group("C2")
    >>> observed, actions = G.rep("3*regular"), G.rep("regular + 2*sign")
    >>> policy = GaussianPolicy(actions)
    >>> actor = torch.nn.Sequential(Linear(observed, policy.source), policy)
    >>> there = actor(torch.randn(5, 1, 6))
    >>> there.rsample().shape, there.log_prob(there.mean).shape, policy.log_std.shape
    (torch.Size([5, 1, 4]), torch.Size([5]), torch.Size([3, 1]))
    """

    _measures = False
    _per_point = True
    log_std: nn.Parameter | None
    channels: int

    def __init__(
        self,
        V: FieldType,
        channels: int = 1,
        std: str = "parameters",
        initial_std: float = 1.0,
        *,
        whole: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels, 0, whole)
        s = self._structure
        if std not in ("parameters", "inputs"):
            raise DomainError(f'std is "parameters" or "inputs", not {std!r}')
        if not initial_std > 0:
            raise DomainError(f"initial_std is a positive number, not {initial_std!r}")
        for kind in s.kinds:
            if not kind.orthogonal:
                raise DomainError(
                    f"the matrices of {V} at coordinate {kind.coordinate + 1} are not orthogonal, and independent"
                    " coordinates would not stay so: take a representation in an orthonormal basis"
                )
        self.std, self.initial_std = std, float(initial_std)
        self.target = V
        self.source: Any = V if std == "parameters" else V + scalars_of(V, s.kinds)
        self._width = V.dimension if std == "parameters" else V.dimension + s.blocks  # compilers ask no representation
        start = torch.full((s.orbits, channels), self.initial_std, device=device, dtype=dtype).log()
        self.register_parameter("log_std", nn.Parameter(start) if std == "parameters" else None)
        if self.log_std is not None:
            s.constants.on(self.log_std.device)

    def forward(self, x: Tensor) -> Independent[Normal]:
        s = self._structure
        self._check(x, self._width)
        if self.log_std is not None:
            y, log_std = x, s.of_orbits(self.log_std.t(), -1)
        else:
            y, own = torch.split(x, [s.dimension, s.blocks], -1)
            log_std = own + math.log(self.initial_std)
        scale = s.of_blocks(log_std.exp(), -1).expand_as(y)
        return Independent(Normal(y, scale, validate_args=False), 2, validate_args=False)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, std={self.std!r}, initial_std={self.initial_std:g}"
