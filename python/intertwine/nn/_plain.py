"""The five products of _ops.py in plain PyTorch: for devices, modes and transformations that the kernels do not serve,
and to compare them with."""

from __future__ import annotations

import torch
from torch import Tensor

from ._tables import Pattern


def _signed(theta: Tensor) -> Tensor:
    return torch.cat((theta.new_zeros((1, *theta.shape[1:])), theta, -theta))


def materialise(theta: Tensor, p: Pattern) -> Tensor:
    P, o, i = theta.shape
    M, N = p.sizes[:2]
    if len(p.table) == 2:
        W = _signed(theta).index_select(0, p.table[0].reshape(-1).to(torch.int32))
    else:
        k, place, value = p.table[:3]
        entries = theta.reshape(P, o * i).index_select(0, k) * value.to(theta.dtype)[:, None]
        W = theta.new_zeros(M * N, o * i).index_add(0, place, entries)
    if p.sites_first:
        return W.view(M, N, o, i).transpose(1, 2).reshape(M * o, N * i)
    return W.view(M, N, o, i).permute(2, 0, 3, 1).reshape(o * M, i * N)


def reduce(dW: Tensor, p: Pattern) -> Tensor:
    M, N, P = p.sizes[:3]
    o, i = dW.shape[0] // M, dW.shape[1] // N
    dW = dW.reshape(M, o, N, i).transpose(1, 2) if p.sites_first else dW.reshape(o, M, i, N).permute(1, 3, 0, 2)
    entries = dW.reshape(M * N, o * i)
    if len(p.table) == 2:
        full = dW.new_zeros(2 * P + 1, o * i).index_add(0, p.table[0].reshape(-1).to(torch.int32), entries)
        sums = full[1 : P + 1] - full[P + 1 :]
    else:
        k, place, value = p.table[:3]
        sums = dW.new_zeros(P, o * i).index_add(0, k, entries.index_select(0, place) * value.to(dW.dtype)[:, None])
    return sums.view(P, o, i)


def by_weights(x: Tensor, W: Tensor, M: int) -> Tensor:
    return (x.reshape(x.shape[0], W.shape[1]) @ W.t()).view(x.shape[0], W.shape[0] // M, M)


def apply(x: Tensor, theta: Tensor, p: Pattern) -> Tensor:
    return by_weights(x, materialise(theta, p), p.sizes[0])


def apply_t(dy: Tensor, theta: Tensor, p: Pattern) -> Tensor:
    return by_weights(dy, materialise(theta, p).t(), p.sizes[1])


def weights_of(x: Tensor, dy: Tensor) -> Tensor:
    return dy.reshape(dy.shape[0], dy.shape[1] * dy.shape[2]).t() @ x.reshape(x.shape[0], x.shape[1] * x.shape[2])


def outer(x: Tensor, dy: Tensor, p: Pattern) -> Tensor:
    return reduce(weights_of(x, dy), p)


def expand_bias(bias: Tensor, p: Pattern) -> Tensor:
    """b [out, M] of the bias [Q, out], in plain PyTorch: it is small."""
    if len(p.table) == 2:
        return _signed(bias).index_select(0, p.table[1].to(torch.int32)).t()
    return (p.table[3].to(bias) @ bias).t()


def bias_gradient(dy: Tensor, p: Pattern) -> Tensor:
    """The adjoint, summed over the batch: dbias [Q, out] of dy [b, out, M]."""
    Q, total = p.sizes[3], dy.sum(0).t()
    if len(p.table) == 2:
        full = dy.new_zeros(2 * Q + 1, dy.shape[1]).index_add(0, p.table[1].to(torch.int32), total)
        return full[1 : Q + 1] - full[Q + 1 :]
    return p.table[3].to(dy.dtype).t() @ total
