"""The symmetrizer S on matrices, exact and in floats, and how far a matrix is from being equivariant."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .. import DomainError, Hom, Representation
from ..nn._fields import one_group

__all__ = ["equivariance_error", "symmetrize"]


@functools.lru_cache(maxsize=64)
def _family(rows: int, cols: int, V: Representation, U: Representation) -> Hom:
    """The maps in U rho from in V, for a matrix of this shape: its blocks are channels. The last few are kept with what they prepared."""
    one_group(V, U)
    m, n = U.dimension, V.dimension
    if rows == 0 or cols == 0 or rows % m or cols % n:
        raise DomainError(f"the matrix is {rows} x {cols}; its sizes must be multiples of dim U = {m} and dim V = {n}")
    out, in_ = rows // m, cols // n
    return (in_ * V if in_ > 1 else V) >> (out * U if out > 1 else U)


def _shape(W: Any) -> tuple[int, ...]:
    shape = getattr(W, "shape", None)
    if shape is None:
        rows = list(W) if isinstance(W, Sequence) else []
        widths = {len(row) if isinstance(row, Sequence) and not isinstance(row, str) else -1 for row in rows}
        if len(widths) != 1 or -1 in widths:
            raise DomainError("W is a matrix: a Tensor, a numpy array, a Matrix, or a list of rows of one length")
        shape = (len(rows), widths.pop())
    if len(shape) < 2 or len(shape) > 2 and not isinstance(W, Tensor):
        raise DomainError(f"W has the shape {list(shape)}; a matrix has rows and columns (only tensors may have leading dimensions)")
    if isinstance(W, Tensor) and not W.dtype.is_floating_point:
        raise DomainError(f"the tensor is {W.dtype}: give floats, or integers as a Matrix for an exact answer")
    return tuple(shape)


def symmetrize(W: Any, V: Representation, U: Representation) -> Any:
    """S(W), the mean of rho_U(g) W rho_V(g)^-1 over the group: equivariant, equal to W where W was, and S(S(W)) = S(W).

    W [out dim U, in dim V]: its blocks dim U x dim V are channels, as in nn.Linear on flattened inputs. A Matrix or rows of integers, Fractions and
    Cyclotomics give an exact Matrix; a numpy array of floats or a Tensor [..., out dim U, in dim V] gives its own kind and dtype (computed in float64, without
    a gradient). Where rho_V and rho_U are orthogonal, S(W) is the nearest equivariant matrix.

    Cost: that of Hom.symmetrize, linear in the entries for permutations with signs, for groups of any order.
    """
    shape = _shape(W)
    hom = _family(shape[-2], shape[-1], V, U)
    if not isinstance(W, Tensor):
        return hom.symmetrize(W)
    flat = W.detach().to("cpu", torch.float64).reshape(-1, *shape[-2:])
    means = [torch.from_numpy(hom.symmetrize(matrix.contiguous().numpy())) for matrix in flat]
    return (torch.stack(means) if means else flat).reshape(shape).to(W.device, W.dtype)


def equivariance_error(W: Any, V: Representation, U: Representation) -> Any:
    """|W - S(W)| / |W| in the Frobenius norm: 0 for an equivariant W, at most 1 where the representations are orthogonal.

    W as in symmetrize. A float; for a Tensor with leading dimensions a Tensor of them. 0 for W = 0.
    """
    shape = _shape(W)
    if isinstance(W, Tensor) and len(shape) > 2:
        rest = (W.detach() - symmetrize(W, V, U)).flatten(-2).norm(dim=-1)
        norm = W.detach().flatten(-2).norm(dim=-1)
        return torch.where(norm > 0, rest / norm, norm)
    if isinstance(W, Tensor):
        W = W.detach().to("cpu", torch.float64).contiguous().numpy()
    return _family(shape[0], shape[1], V, U).residual(W)
