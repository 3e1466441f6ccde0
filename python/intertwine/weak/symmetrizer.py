"""The symmetrizer S on matrices, exact and in floats, and how far a matrix is from being equivariant."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from .. import DomainError, Hom, Representation
from ..nn._fields import one_group

__all__ = ["equivariance_error", "symmetrize"]


@functools.lru_cache(maxsize=64)
def _family(rows: int, cols: int, V: Representation, U: Representation) -> Hom:
    """The maps in U rho from in V, for a matrix of this shape: its blocks are channels. The last few are kept with what
    they prepared."""
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
        raise DomainError(
            f"W has the shape {list(shape)}; a matrix has rows and columns (only tensors may have leading dimensions)"
        )
    if isinstance(W, Tensor) and not W.dtype.is_floating_point:
        raise DomainError(f"the tensor is {W.dtype}: give floats, or integers as a Matrix for an exact answer")
    return tuple(shape)


class _Mean(Function):
    """S(W) of W [..., out dim U, in dim V] in float64 on the CPU. Its adjoint is the mean for the dual representations,
    so every derivative is one of its kind."""

    @staticmethod
    def forward(W: Tensor, V: Representation, U: Representation) -> Tensor:
        hom = _family(W.shape[-2], W.shape[-1], V, U)
        flat = W.reshape(-1, *W.shape[-2:])
        means = [torch.from_numpy(hom.symmetrize(matrix.contiguous().numpy())) for matrix in flat]
        return (torch.stack(means) if means else flat.clone()).reshape(W.shape)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Tensor) -> None:
        ctx.pair = inputs[1:]

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        dual = (R if R.is_monomial else R.T for R in ctx.pair)
        return _Mean.apply(g, *dual), None, None  # type: ignore[no-untyped-call]

    @staticmethod
    def jvp(ctx: Any, t: Tensor, *_: Any) -> Tensor:
        return _Mean.apply(t, *ctx.pair)  # type: ignore[no-untyped-call,no-any-return]

    @staticmethod
    def vmap(info: Any, in_dims: Any, W: Tensor, V: Representation, U: Representation) -> Any:
        return _Mean.apply(W.movedim(in_dims[0], 0), V, U), 0  # type: ignore[no-untyped-call]


def _mean(W: Tensor, V: Representation, U: Representation) -> tuple[Tensor, Tensor]:
    """W and S(W) in float64 on the CPU, differentiable."""
    W = W.to("cpu", torch.float64)
    return W, _Mean.apply(W, V, U)  # type: ignore[no-untyped-call]


def symmetrize(W: Any, V: Representation, U: Representation) -> Any:
    """S(W), the mean of rho_U(g) W rho_V(g)^-1 over the group: equivariant, equal to W where W was, and S(S(W)) = S(W).

    W [out dim U, in dim V]: its blocks dim U x dim V are channels, as in nn.Linear on flattened inputs. A Matrix or
    rows of integers, Fractions and Cyclotomics give an exact Matrix. A numpy array of floats or a Tensor [..., out dim
    U, in dim V] gives its own kind and dtype, computed in float64; of a Tensor it is differentiable, to every order.
    Where rho_V and rho_U are orthogonal, S(W) is the nearest equivariant matrix.

    Cost: that of Hom.symmetrize, linear in the entries for permutations with signs, for groups of any order.
    """
    shape = _shape(W)
    if not isinstance(W, Tensor):
        return _family(shape[-2], shape[-1], V, U).symmetrize(W)
    return _mean(W, V, U)[1].to(W.device, W.dtype)


def equivariance_error(W: Any, V: Representation, U: Representation) -> Any:
    """|W - S(W)| / |W| in the Frobenius norm: 0 for an equivariant W, at most 1 where the representations are orthogonal.

    W as in symmetrize. Of a Tensor it is a Tensor of the leading dimensions, differentiable: a penalty as it is. For
    one matrix it has one number, and `.item()` is the float. Of anything else it is a float. 0 for W = 0. At an
    equivariant W, where the distance has a corner, all derivatives are 0.
    """
    shape = _shape(W)
    if not isinstance(W, Tensor):
        return _family(shape[0], shape[1], V, U).residual(W)
    whole = W.to("cpu", torch.float64)
    if whole.shape[-2] and whole.shape[-1]:
        whole = whole * unit(whole, (-2, -1))
    whole, mean = _mean(whole, V, U)
    return ratio((whole - mean).flatten(-2), whole.flatten(-2)).to(W.device, W.dtype)


def unit(w: Tensor, dim: int | tuple[int, ...]) -> Tensor:
    """A power of 2 by which the largest entry of w is between 2 and 4, so that no squares vanish or overflow; constant
    for derivatives. Products with it are exact."""
    largest = w.detach().abs().amax(dim, keepdim=True)
    # Higher derivatives at 0 are 0 times powers of the unit, which would be infinite.
    largest = torch.where(largest == 0, torch.ones_like(largest), largest.clamp(min=torch.finfo(w.dtype).tiny))
    return 4 * torch.frexp(largest).mantissa / largest


def ratio(rest: Tensor, whole: Tensor) -> Tensor:
    """|rest| / |whole| along the last axis, 0 where whole is 0."""
    above, below = (length(t.square().sum(-1)) for t in (rest, whole))
    there = below > 0
    return torch.where(there, above / torch.where(there, below, torch.ones_like(below)), below)


def length(squares: Tensor) -> Tensor:
    """Square roots of sums of squares, 0 with all derivatives where they are 0."""
    there = squares > 0
    return torch.where(there, torch.where(there, squares, torch.ones_like(squares)).sqrt(), torch.zeros_like(squares))
