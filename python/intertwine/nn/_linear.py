"""W(theta) x + b, and theta of a given W: what layers call. The products are those of `_ops`; what is here is their sum
with a bias, in one step for autograd where PyTorch runs eagerly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.autograd import Function

from .. import DomainError
from . import _ops, _plain, _products, _scalars
from ._sums import Part, Sums
from ._tables import Pattern, Weights, real_tensors

__all__ = ["bias_vector", "initial_variance", "linear", "materialise", "project"]

# From so many entries on, W and dW have the channels of a site next to each other on a GPU: what belongs to one
# parameter is scattered over the sites, and is then read and written in runs as long as there are channels
# (docs/benchmarks.md). Below, turning x and y costs more than it saves.
_RUNS = 1 << 20
_SMALL_BASIS = 4096  # entries of all elements of a basis that are written down


def _in_runs(x: Tensor, p: Pattern, out: int, in_: int) -> bool:
    """Are W and dW of this product [M out, N in]?"""
    return not x.is_cpu and p.mode != "torch" and in_ > 1 and out * p.sizes[0] * in_ * p.sizes[1] >= _RUNS


def _through_doors(x: Tensor, theta: Tensor, dy: Tensor, needed: Any, p: Pattern) -> Any:
    """The gradients of W x + b as they can be derived again."""
    d = _ops.door(x, dy, theta, mode=p.mode)
    x3, dy3 = x.reshape(-1, *x.shape[-2:]), dy.reshape(-1, *dy.shape[-2:])
    dx = d["apply_t"](dy3, theta, p).reshape(x.shape) if needed[0] else None
    return dx, d["outer"](x3, dy3, p) if needed[1] else None, _plain.bias_gradient(dy3, p) if needed[2] else None, None


def _flat(x: Tensor, runs: bool) -> Tensor:
    """[b, .] of x [..., channels, sites], as the columns or rows of W are."""
    return (x.transpose(-1, -2) if runs else x).reshape(-1, x.shape[-1] * x.shape[-2])


def _unflat(x: Tensor, lead: torch.Size, channels: int, sites: int, runs: bool) -> Tensor:
    return (
        x.reshape(*lead, sites, channels).transpose(-1, -2).contiguous() if runs else x.reshape(*lead, channels, sites)
    )


class _LinearByWeights(Function):
    """W x + b with W written down, for tensors on a GPU in eager mode: one step for autograd, and not one for each of a
    dozen small ones."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights, runs: bool) -> Tensor:
        p = weights.operands(theta)._replace(sites_first=runs)
        W, flat, b = _ops.KERNEL["materialise"](theta, p), _flat(x, runs), None
        if bias is not None:
            index, sign = weights.bias_places(bias)
            b = bias.index_select(0, index) if sign is None else bias.index_select(0, index) * sign
            b = (b if runs else b.t()).reshape(-1)
        y = torch.nn.functional.linear(flat, W, b)
        ctx.save_for_backward(x, theta, W, flat)
        ctx.weights, ctx.pattern = weights, p
        return _unflat(y, x.shape[:-2], theta.shape[1], p.sizes[0], runs)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        x, theta, W, flat = ctx.saved_tensors
        p, needed = ctx.pattern, ctx.needs_input_grad
        if torch.is_grad_enabled() or not _ops.eager(dy):
            return *_through_doors(x, theta, dy, needed, p._replace(sites_first=False)), None
        rows = _flat(dy, p.sites_first)
        dx = _unflat(rows @ W, x.shape[:-2], x.shape[-2], x.shape[-1], p.sites_first) if needed[0] else None
        dtheta = _ops.KERNEL["reduce"](rows.t() @ flat, p) if needed[1] else None
        dbias = None
        if needed[2]:
            index, sign = ctx.weights.bias_places(dy)
            total = dy.reshape(-1, *dy.shape[-2:]).sum(0).t()
            dbias = dy.new_zeros(p.sizes[3], dy.shape[-2]).index_add(0, index, total if sign is None else total * sign)
        return dx, dtheta, dbias, None, None


class _Linear(Function):
    """W x + b at once, for tensors on the CPU in eager mode: all gradients share what they can."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
        ctx.save_for_backward(x, theta)
        ctx.weights = weights
        return _forward(x, theta, bias, weights)

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        x, theta = ctx.saved_tensors
        weights = ctx.weights
        need_x, need_theta, need_bias = ctx.needs_input_grad[:3]
        if torch.is_grad_enabled() or not _ops.eager(dy):
            return _through_doors(x, theta, dy, ctx.needs_input_grad, weights.operands(dy))
        x3, dy3 = _three_axes(x), _three_axes(dy)
        batch = len(x3)
        if batch == 0:
            return (
                x.new_zeros(x.shape) if need_x else None,
                theta.new_zeros(theta.shape),
                theta.new_zeros(weights.bias_shape) if need_bias else None,
                None,
            )
        if dy3.is_neg():
            dy3 = dy3.resolve_neg()
        theta = theta.contiguous()
        dx = None if not need_x else torch.empty_like(x) if x.is_contiguous() else x.new_empty(x.shape)
        dtheta = torch.empty_like(theta) if need_theta else None
        dbias = theta.new_empty(weights.bias_shape) if need_bias else None
        weights.plan.gradients(
            _ops.NUMBER[theta.dtype], batch, x3.data_ptr(), _ops.strides(x3), dy3.data_ptr(), _ops.strides(dy3), theta.data_ptr(),
            _ops.address(dx), _ops.address(dtheta), _ops.address(dbias), torch.get_num_threads(),
        )  # fmt: skip
        return dx, dtheta, dbias, None


def _three_axes(x: Tensor) -> Tensor:
    return x if x.dim() == 3 else x.reshape(-1, *x.shape[-2:])


def _forward(x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
    x3 = _three_axes(x)
    y = theta.new_empty((*x.shape[:-2], weights.theta_shape[1], weights.sizes[0]))
    if batch := len(x3):
        # Copies must have names: without one they are gone before the product is taken.
        theta, bias = theta.contiguous(), None if bias is None else bias.contiguous()
        weights.plan.apply(
            _ops.NUMBER[theta.dtype], batch, x3.data_ptr(), _ops.strides(x3), theta.data_ptr(), _ops.address(bias), y.data_ptr(),
            torch.get_num_threads(),
        )  # fmt: skip
    return y


def _by_diagrams(x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
    """By operations of PyTorch on tensors with the axes that the table has: derivatives, compilers and devices need
    nothing else."""
    d = weights.diagrams
    assert d is not None
    whole, dtype = _ops.autocast_of(x)
    with whole:
        theta = weights.in_diagrams("weights", theta).to(dtype)
        bias = None if bias is None else weights.in_diagrams("bias", bias).to(dtype)
        axes = x.to(dtype).reshape(-1, x.shape[-2], *d.lengths(d.maps.ins))
        return _products.apply(axes, theta, bias, d.maps, d.sizes, {}).reshape(
            *x.shape[:-2], theta.shape[1], weights.sizes[0]
        )


def _by_scalars(x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
    """W x + b for tables whose elements are identities; strides of the result are any."""
    assert weights.scalars is not None
    moves = bias is not None and len(weights.scalars.biased) > 0
    b = _plain.expand_bias(bias, weights.operands(bias)) if bias is not None and moves else None
    return _scalars.apply(x, theta, b, weights.scalars)


def _of_sums(x: Tensor, theta: Tensor, bias: Tensor | None, sums: Sums) -> Tensor:
    """W x + b block by block; blocks without parameters are no operations."""
    (out, in_), lead = sums.channels, x.shape[:-2]
    inputs = [x[..., p.start : p.stop].reshape(*lead, in_ * p.channels, p.dimension) for p in sums.inputs]
    biases = [None] * len(sums.rows) if bias is None else sums.biases(bias)
    made = []
    for part, head, row, thetas, b in zip(sums.outputs, sums.heads, sums.rows, sums.thetas(theta), biases):
        y: Tensor | None = None
        for at, weights, t in zip(inputs, row, thetas):
            if weights is not None:
                product = linear if weights.scalars is None else _by_scalars
                term = product(at, t, b if y is None else None, weights)
                y = term if y is None else y + term
        if y is None and not len(theta):  # its gradients are zero, where it has none
            y = linear(inputs[0], thetas[0], b, head)
        elif y is None:
            y = x.new_zeros(*lead, out * part.channels, part.dimension)
            if b is not None:
                y = y + _plain.expand_bias(b, head.operands(b))
        made.append(y.reshape(*lead, out, part.channels * part.dimension))
    return made[0] if len(made) == 1 else torch.cat(made, -1)


def _parts(z: Tensor, axis: int) -> Tensor:
    """Real and imaginary parts, one after the other along an axis."""
    return torch.cat((z.real, z.imag), axis)


def writes_complex(weights: Weights) -> bool:
    """Is a complex W written down, for PyTorch's own product? Modes that name another form, and a W of more than 2^22
    entries, go by real numbers in twice the channels."""
    entries = math.prod(weights.theta_shape[1:]) * math.prod(weights.sizes[:2])
    return weights.mode in ("automatic", "fastest", "dense", "torch") and entries <= 1 << 22


def _complex_matrix(theta: Tensor, weights: Weights) -> Tensor:
    """W [out M, in N] of complex parameters: the elements of the basis are real, so that real and imaginary parts are as
    two channels."""
    both = torch.view_as_real(theta).flatten(2)
    W = _ops.materialise(both, weights.operands(both)).unflatten(1, (theta.shape[2], 2, -1))
    return torch.complex(W[:, :, 0], W[:, :, 1]).flatten(1)


def _small_bases(weights: Weights, like: Tensor) -> tuple[Tensor, Tensor, Tensor] | None:
    """The elements of the basis as columns [M N, P], those of the bias [M, Q], and the first once more as [N, P M],
    where they are so few that small products are faster than the kernels; None otherwise."""
    key = (like.device, like.dtype)
    if key not in weights.small_bases:
        p, found = weights.on(torch.device("cpu")), None
        M, N, P, Q = p.sizes
        if 0 < M * N * P <= _SMALL_BASIS and M * Q <= _SMALL_BASIS:
            with real_tensors():
                one, own = (torch.eye(n, dtype=torch.float64) for n in (P, Q))
                W = _plain.materialise(one.view(P, P, 1), p).reshape(P, M * N).t()
                b = _plain.expand_bias(own, p).reshape(Q, M).t() if Q else torch.zeros(M, 0)
                side = W.view(M, N, P).permute(1, 2, 0).reshape(N, P * M)
                found = (W.contiguous().to(like), b.contiguous().to(like), side.contiguous().to(like))
        weights.small_bases[key] = found
    return weights.small_bases[key]


def _few_elements(theta: Tensor, N: int) -> bool:
    """Is W x faster by the elements of the basis, P products with x before the channels are mixed, than by W?"""
    P, out, in_ = theta.shape
    return 10 * P * (N + out) < 7 * N * out and N * in_ >= 64


def _channels(theta: Tensor) -> Tensor:
    """theta as the matrix [out, in P] that mixes the channels of all products."""
    return theta.permute(1, 2, 0).reshape(theta.shape[1], -1)


def _complex_forward(
    x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights
) -> tuple[Tensor, Tensor, Tensor | None]:
    """W x + b of complex numbers outside of any transformation, x as rows, and W; or the products of x with the
    elements [batch, in P, M], where these are few, and no W."""
    out, in_ = theta.shape[1:]
    bases = _small_bases(weights, theta)
    if bases is not None and _few_elements(theta, x.shape[-1]):
        z = (x.reshape(-1, x.shape[-1]) @ bases[2]).view(-1, in_ * len(theta), len(bases[1]))
        y = torch.matmul(_channels(theta), z)
        if bias is not None:
            y = y + (bases[1] @ bias).t()
        return y.view(*x.shape[:-2], out, -1), z, None
    flat = x.reshape(-1, in_ * x.shape[-1])
    b: Tensor | None = None
    if bases is None:
        W = _complex_matrix(theta, weights)
        b = None if bias is None else bias_vector(bias, weights)
    else:
        W = (bases[0] @ theta.reshape(len(theta), -1)).view(-1, x.shape[-1], out, in_)
        W = W.permute(2, 0, 3, 1).reshape(-1, flat.shape[1])
        b = None if bias is None else (bases[1] @ bias).t().reshape(-1)
    y = torch.nn.functional.linear(flat, W, b)
    return y.view(*x.shape[:-2], out, -1), flat, W


class _LinearOfComplex(Function):
    """W x + b of complex numbers with W written down, for tensors in eager mode: one step for autograd, and not one for
    each of ten small ones."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
        y, flat, W = _complex_forward(x, theta, bias, weights)
        ctx.save_for_backward(x, theta, flat, W)
        ctx.weights = weights
        return y

    @staticmethod
    def backward(ctx: Any, dy: Tensor) -> Any:
        x, theta, flat, W = ctx.saved_tensors
        weights, needed, (out, in_) = ctx.weights, ctx.needs_input_grad, theta.shape[1:]
        bases = None
        if torch.is_grad_enabled() or not _ops.eager(dy):  # by steps that can be derived again
            flat, W = x.reshape(-1, in_ * x.shape[-1]), _complex_matrix(theta, weights)
        else:
            bases = _small_bases(weights, theta)
        if W is None and bases is not None:
            return *_by_elements(x, theta, flat, dy, bases, needed), None
        rows = dy.reshape(-1, len(W))
        dx = (rows @ W.conj()).reshape(x.shape) if needed[0] else None
        dtheta = dbias = None
        if needed[1]:
            dW = rows.t() @ flat.conj()
            if bases is None:
                both = torch.view_as_real(dW).unflatten(1, (in_, -1)).movedim(-1, 2).reshape(len(W), -1)
                real = _ops.reduce(both, weights.operands(both)).unflatten(2, (in_, 2))
                dtheta = torch.view_as_complex(real.contiguous())
            else:
                sites = dW.view(out, -1, in_, x.shape[-1]).permute(1, 3, 0, 2).reshape(len(bases[0]), -1)
                dtheta = (bases[0].t() @ sites).view(theta.shape)
        if needed[2] and bases is None:
            dbias = _plain.bias_gradient(rows.unflatten(-1, (out, -1)), weights.operands(dy))
        elif needed[2] and bases is not None:
            dbias = bases[1].t() @ rows.sum(0).view(out, -1).t()
        return dx, dtheta, dbias, None


def _by_elements(
    x: Tensor, theta: Tensor, z: Tensor, dy: Tensor, bases: tuple[Tensor, Tensor, Tensor], needed: Sequence[bool]
) -> list[Tensor | None]:
    """The gradients of x, theta and the bias, z being the products of x with the elements of the basis."""
    P, out, in_ = theta.shape
    dy = dy.reshape(-1, out, dy.shape[-1])
    found: list[Tensor | None] = [None, None, None]
    if needed[0]:
        dz = torch.matmul(_channels(theta).t().conj(), dy)
        found[0] = (dz.reshape(len(dy) * in_, -1) @ bases[2].t().conj()).view(x.shape)
    if needed[1]:
        rows = dy.transpose(0, 1).reshape(out, -1)
        dtheta = rows @ z.transpose(0, 1).reshape(in_ * P, -1).t().conj()
        found[1] = dtheta.view(out, in_, P).permute(2, 0, 1).contiguous()
    if needed[2]:
        found[2] = bases[1].t() @ dy.sum(0).t()
    return found


def _of_complex(x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights) -> Tensor:
    """W x + b of complex numbers."""
    out, in_ = theta.shape[1:]
    if writes_complex(weights):
        eager = x.dim() > 1 and x.numel() and _ops.eager(x, theta)
        if eager and not torch.is_grad_enabled():
            return _complex_forward(x, theta, bias, weights)[0]
        if eager:
            product: Tensor = _LinearOfComplex.apply(x, theta, bias, weights)  # type: ignore[no-untyped-call]
            return product
        b = None if bias is None else bias_vector(bias, weights)
        whole: Tensor = torch.nn.functional.linear(x.flatten(-2), _complex_matrix(theta, weights), b)
        return torch.unflatten(whole, -1, (out, -1))
    blocks = torch.cat((torch.cat((theta.real, -theta.imag), 2), torch.cat((theta.imag, theta.real), 2)), 1)
    b = None if bias is None else _parts(bias, 1)
    y = linear(_parts(x, -2), blocks, b, weights.of(2 * out, 2 * in_))
    return torch.complex(y[..., :out, :], y[..., out:, :])


def linear(x: Tensor, theta: Tensor, bias: Tensor | None, weights: Weights | Sums) -> Tensor:
    """W x + b: x [..., in, N], theta [P, out, in], bias [Q, out], the result [..., out, M]; of sums theta and bias are
    lists."""
    _ops.require("theta", theta, *weights.theta_shape)
    if bias is not None:
        _ops.require("bias", bias, *weights.bias_shape)
        if bias.dtype != theta.dtype or bias.device != theta.device:
            raise DomainError(
                f"theta is {theta.dtype} on {theta.device} and the bias {bias.dtype} on {bias.device}: give them one dtype and device"
            )
    if bias is not None and not bias.numel() and (isinstance(weights, Sums) or weights.scalars is not None):
        theta, bias = theta + bias.sum(), None  # so that a bias without numbers has its gradient
    if isinstance(weights, Sums):
        return _of_sums(x, theta, bias, weights)
    if weights.scalars is not None:
        return _by_scalars(x, theta, bias, weights).contiguous()
    if theta.is_complex():
        return _of_complex(x, theta, bias, weights)
    if weights.always_diagrams:
        return _by_diagrams(x, theta, bias, weights)
    cast, eager = _ops.autocasts(x), _ops.eager(x, theta)
    if not torch.compiler.is_compiling():
        weights.ran_diagrams = False
    if eager and not cast and x.is_cpu and theta.is_cpu and weights.mode != "torch" and _ops.NUMBER[theta.dtype] < 2:
        if weights.diagrams is not None:
            weights.ran_diagrams = weights.prefers_diagrams(math.prod(x.shape[:-2]))
            if weights.ran_diagrams:
                return _by_diagrams(x, theta, bias, weights)
        if x.is_neg() or theta.is_neg() or bias is not None and bias.is_neg():
            x, theta, bias = x.resolve_neg(), theta.resolve_neg(), None if bias is None else bias.resolve_neg()
        if torch.is_grad_enabled():
            product: Tensor = _Linear.apply(x, theta, bias, weights)  # type: ignore[no-untyped-call]
            return product
        return _forward(x, theta, bias, weights)
    p = weights.operands(x)
    M, N = p.sizes[:2]
    P, out, in_ = theta.shape
    d = _ops.door(x, theta, mode=p.mode)
    if not cast and (x.is_cpu or _ops.fused(p, out, in_, x, theta)):
        y = d["apply"](x.reshape(-1, in_, N), theta, p).reshape(*x.shape[:-2], out, M)
        return y if bias is None else y + _plain.expand_bias(bias, p)
    runs = _in_runs(x, p, out, in_)
    if eager and not cast and _ops.who(p, x, theta) == "triton":
        written: Tensor = _LinearByWeights.apply(x, theta, bias, weights, runs)  # type: ignore[no-untyped-call]
        return written
    # W in the precision of theta, kept for the gradients; the product under autocast, as everywhere, in its precision.
    b = None if bias is None else _plain.expand_bias(bias, p)
    W = d["materialise"](theta, p._replace(sites_first=runs))
    y = torch.nn.functional.linear(_flat(x, runs), W, None if b is None else (b.t() if runs else b).reshape(-1))
    return _unflat(y, x.shape[:-2], out, M, runs)


def materialise(theta: Tensor, weights: Weights | Sums) -> Tensor:
    """W [out M, in N]."""
    if isinstance(weights, Weights) and theta.is_complex():
        return _complex_matrix(theta, weights)
    if isinstance(weights, Weights):
        return _ops.materialise(theta, weights.operands(theta))
    out, in_ = weights.channels
    rows = []
    for part, row, thetas in zip(weights.outputs, weights.rows, weights.thetas(theta)):
        blocks = []
        for at, w, t in zip(weights.inputs, row, thetas):
            shape = (out, part.stop - part.start, in_, at.stop - at.start)
            blocks.append(theta.new_zeros(shape) if w is None else materialise(t, w).reshape(shape))
        rows.append(torch.cat(blocks, 3))
    M, N = weights.sizes[:2]
    return torch.cat(rows, 1).reshape(out * M, in_ * N)


def initial_variance(weights: Weights | Sums, gain: float) -> numpy.ndarray:
    """The initial variance of every number along the first axis of theta."""
    if isinstance(weights, Sums):
        return weights.initial_variance(gain)
    return numpy.array(weights.plan.initial_variance(gain))


def bias_vector(bias: Tensor, weights: Weights | Sums) -> Tensor:
    """b [out M]."""
    if isinstance(weights, Weights):
        return _plain.expand_bias(bias, weights.operands(bias)).reshape(-1)
    out = weights.channels[0]
    parts = [bias_vector(b, head).view(out, -1) for head, b in zip(weights.heads, weights.biases(bias))]
    return torch.cat(parts, 1).reshape(-1)


def project(W: Tensor, weights: Weights | Sums, bias: bool = False) -> tuple[Tensor, float, float]:
    """theta of the nearest W of the family (or of b [out M]), |W - W(theta)| and |W|; in float64 on the CPU."""
    if W.is_complex():  # the elements of the basis are real
        (re, *one), (im, *two) = (project(part, weights, bias) for part in (W.real, W.imag))
        return torch.complex(re, im), math.hypot(one[0], two[0]), math.hypot(one[1], two[1])
    W = W.detach().to("cpu", torch.float64).contiguous()
    if isinstance(weights, Weights):
        plan = weights.plan
        out, in_ = plan.channels
        theta = torch.empty((plan.bias_params, out) if bias else (plan.params, out, in_), dtype=torch.float64)
        residual, norm = plan.project(W.data_ptr(), theta.data_ptr(), torch.get_num_threads(), bias)
        return theta, residual, norm
    (out, in_), (M, N) = weights.channels, weights.sizes[:2]
    W = W.view(out, M, 1, 1) if bias else W.view(out, M, in_, N)
    whole = [Part(1, 1, 0)]
    columns: list[Part] = whole if bias else weights.inputs
    rows: Sequence[Sequence[Weights | None]] = [[head] for head in weights.heads] if bias else weights.rows
    found, residual, norm = [], 0.0, 0.0
    for part, row in zip(weights.outputs, rows):
        for at, w in zip(columns, row):
            block = W[:, part.start : part.stop, :, at.start : at.stop]
            size = float(block.norm())
            lost = size
            if w is not None:
                block = block.reshape(out * (part.stop - part.start), -1)
                theta, lost, _ = project(block.reshape(-1) if bias else block, w, bias)
                found.append(theta.reshape(-1))
            residual, norm = math.hypot(residual, lost), math.hypot(norm, size)
    return torch.cat(found) if found else W.new_zeros(0), residual, norm
