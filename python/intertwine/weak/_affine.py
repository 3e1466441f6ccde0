"""Affine subspaces {A theta + w0} of the space of all weights, with orthonormal columns."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn

from .. import DomainError, LimitError
from ..nn._fields import AT_LEAST_1, integer
from .parameters import EquivariantSpace, Flat

__all__ = ["AffineSubspace", "Bundle"]

_STRUCTURED_FROM = 100_000

_S = TypeVar("_S", bound="AffineSubspace")


class _Isometry(Protocol):
    """A [D, d] with orthonormal columns, as a linear map and its transpose."""

    D: int
    d: int

    def lift(self, theta: Tensor) -> Tensor: ...

    def lower(self, w: Tensor) -> Tensor: ...


class _Dense:
    def __init__(self, A: Tensor) -> None:
        self.A = A
        self.D, self.d = A.shape

    def lift(self, theta: Tensor) -> Tensor:
        return theta @ self.A.to(theta.dtype).t()

    def lower(self, w: Tensor) -> Tensor:
        return w @ self.A.to(w.dtype)


class _Coordinates:
    """Some of the coordinates of w."""

    def __init__(self, D: int, index: Tensor) -> None:
        self.D, self.d, self.index = D, len(index), index

    def lift(self, theta: Tensor) -> Tensor:
        return theta.new_zeros(*theta.shape[:-1], self.D).index_copy(-1, self.index, theta)

    def lower(self, w: Tensor) -> Tensor:
        return w.index_select(-1, self.index)


def _hadamard(x: Tensor) -> Tensor:
    """The normalised Walsh-Hadamard transform of the last axis, of 2^p numbers: products with matrices of 64 rows, one
    for every six bits."""
    size = x.shape[-1]
    bits = size.bit_length() - 1
    parts = [2 ** min(6, bits - k) for k in range(0, bits, 6)]
    y = x.reshape(*x.shape[:-1], *parts) if parts else x
    for axis, n in enumerate(parts, x.dim() - 1):
        k = torch.arange(n)
        both = k[:, None] & k
        odd = torch.stack([(both >> b) & 1 for b in range(n.bit_length())]).sum(0) % 2
        H = (1 - 2 * odd).to(x) / math.sqrt(n)
        y = (y.movedim(axis, -1) @ H).movedim(-1, axis)
    return y.flatten(x.dim() - 1) if parts else x


class _Hadamard:
    """d random columns of an orthogonal matrix n x n of signs and Hadamard transforms: one on the first 2^p
    coordinates, one on the last, where 2^p is the greatest power of two that is at most n. (Ailon & Chazelle 2009 mix
    so; with n a power of two every column has entries of one size after the first.)"""

    def __init__(self, n: int, d: int, generator: torch.Generator) -> None:
        self.D, self.d = n, d
        self._size = 2 ** (n.bit_length() - 1)
        self._columns = torch.randperm(n, generator=generator)[:d].clone()
        self._signs = 2 * torch.randint(2, (3, n), generator=generator, dtype=torch.int8) - 1
        self._order = torch.randperm(n, generator=generator)

    def lift(self, theta: Tensor) -> Tensor:
        s, N, n = self._signs.to(theta.dtype), self._size, self.D
        x = theta.new_zeros(*theta.shape[:-1], n).index_copy(-1, self._columns, theta) * s[0]
        x = torch.cat((_hadamard(x[..., :N]), x[..., N:]), -1) * s[1]
        x = torch.cat((x[..., : n - N], _hadamard(x[..., n - N :])), -1) * s[2]
        return x.index_select(-1, self._order)

    def lower(self, w: Tensor) -> Tensor:
        s, N, n = self._signs.to(w.dtype), self._size, self.D
        x = torch.zeros_like(w).index_copy(-1, self._order, w) * s[2]
        x = torch.cat((x[..., : n - N], _hadamard(x[..., n - N :])), -1) * s[1]
        x = torch.cat((_hadamard(x[..., :N]), x[..., N:]), -1) * s[0]
        return x.index_select(-1, self._columns)


class _Inside:
    """One isometry inside the span of orthonormal coordinates, and perhaps one in their complement."""

    def __init__(self, frame: Any, k: int, inner: _Isometry, outer: _Isometry | None) -> None:
        self._frame, self._k, self._inner, self._outer = frame, k, inner, outer
        self.D, self.d = frame.D, inner.d + (outer.d if outer else 0)

    def lift(self, theta: Tensor) -> Tensor:
        y = self._inner.lift(theta[..., : self._inner.d])
        if self._outer is not None:
            y = torch.cat((y, self._outer.lift(theta[..., self._inner.d :])), -1)
        w: Tensor = self._frame.lift(y)
        return w

    def lower(self, w: Tensor) -> Tensor:
        y: Tensor = self._frame.lower(w)
        first = self._inner.lower(y[..., : self._k])
        return first if self._outer is None else torch.cat((first, self._outer.lower(y[..., self._k :])), -1)


class _Basis:
    """Orthonormal coordinates along a subspace given by columns, and across it where wanted."""

    def __init__(self, basis: Tensor, across: bool, max_memory: int) -> None:
        self.D, k = basis.shape
        _afford(
            self.D, self.D if across else k, max_memory, "the basis" if not across else "the complement of the basis"
        )
        Q, R = torch.linalg.qr(basis.to(torch.float64), mode="complete" if across else "reduced")
        size = R.diagonal().abs()
        if k > self.D or float(size.min()) <= 1e-12 * max(1e-300, float(size.max())):
            raise DomainError(f"the {k} columns of the basis are not independent")
        self._Q: Tensor = Q

    def lift(self, y: Tensor) -> Tensor:
        return y @ self._Q[:, : y.shape[-1]].to(y.dtype).t()

    def lower(self, w: Tensor) -> Tensor:
        return w @ self._Q.to(w.dtype)


def _afford(D: int, d: int, max_memory: int, what: str) -> None:
    if 8 * D * d > max_memory:
        raise LimitError(f"{what} would take {8 * D * d} bytes for {D} x {d} numbers, and max_memory is {max_memory}")


def _random(n: int, d: int, generator: torch.Generator, structured: bool) -> _Isometry:
    if structured:
        return _Hadamard(n, d, generator)
    Q, R = torch.linalg.qr(torch.randn(n, d, generator=generator, dtype=torch.float64))
    return _Dense(Q * torch.where(R.diagonal() < 0, -1.0, 1.0))  # uniform: Stewart 1980


class AffineSubspace:
    """{A theta + origin}: A [D, d] with orthonormal columns, through `origin` [D], or where None through the weights at
    which training stands."""

    def __init__(self, isometry: _Isometry, origin: Tensor | None = None) -> None:
        if origin is not None and tuple(origin.shape) != (isometry.D,):
            raise DomainError(f"the origin has the shape {list(origin.shape)}, not [{isometry.D}]")
        self._map, self.origin = isometry, origin

    @property
    def D(self) -> int:
        """The number of weights."""
        return self._map.D

    @property
    def d(self) -> int:
        """The dimension."""
        return self._map.d

    @property
    def is_structured(self) -> bool:
        """Is A a product of fast transforms, not stored?"""
        return not isinstance(self._map, _Dense)

    def lift(self, theta: Tensor) -> Tensor:
        """A theta: [..., d] -> [..., D]. Differentiable."""
        self._sized(theta, self.d)
        return self._map.lift(theta)

    def lower(self, w: Tensor) -> Tensor:
        """A^T w: [..., D] -> [..., d]."""
        self._sized(w, self.D)
        return self._map.lower(w)

    def matrix(self, max_memory: int = 1 << 30) -> Tensor:
        """A [D, d] in float64."""
        _afford(self.D, self.d, max_memory, "the matrix A")
        return self._map.lift(torch.eye(self.d, dtype=torch.float64)).t().contiguous()

    def through(self: _S, origin: Tensor) -> _S:
        """The same directions through other weights [D]."""
        return type(self)(self._map, origin)

    def __repr__(self) -> str:
        return f"<Subspace of dimension {self.d} in {self.D}, {'structured' if self.is_structured else 'dense'}>"

    @staticmethod
    def _sized(t: Tensor, size: int) -> None:
        if t.dim() == 0 or t.shape[-1] != size:
            raise DomainError(f"the tensor has the shape {list(t.shape)}; this subspace takes [..., {size}]")

    # --- Where they come from ----------------------------------------------------------------------------------------------------

    @classmethod
    def random(
        cls: type[_S],
        D: int,
        d: int,
        seed: int = 0,
        *,
        inside: EquivariantSpace | AffineSubspace | Tensor | None = None,
        fraction: float = 1.0,
        structured: bool | None = None,
        max_memory: int = 1 << 30,
    ) -> _S:
        """Uniformly random directions, or a random choice of mixed ones.

        inside: an EquivariantSpace, another Subspace (whose origin is taken over) or a basis [D, k]: round(fraction *
        d) of the directions are random in it, the others random in its orthogonal complement. structured: by default
        above 100 000 weights, and where A would take more than `max_memory` bytes; d columns of a randomized Hadamard
        transform are orthonormal exactly, and nearly as good as uniform ones. The seed fixes A on the CPU.

        Cost: QR of D x d, or nothing.
        """
        D, d = integer("D", D, 1, AT_LEAST_1), integer("d", d, 1, AT_LEAST_1)
        if d > D:
            raise DomainError(f"a subspace of dimension d = {d} does not fit into D = {D} weights")
        if not 0 <= fraction <= 1:
            raise DomainError(f"fraction is the share of directions inside, from 0 to 1; not {fraction!r}")
        if inside is None and fraction != 1:
            raise DomainError("fraction needs inside=: the space that this share of the directions lies in")
        if structured is None:
            structured = D > _STRUCTURED_FROM or 8 * D * d > max_memory
        if not structured:
            _afford(D, d, max_memory, "the matrix A")
        if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or not -(1 << 63) <= seed < 1 << 63:
            raise DomainError(f"seed is an integer of 64 bits, not {seed!r}")
        generator = torch.Generator().manual_seed(int(seed))
        if inside is None:
            return cls(_random(D, d, generator, structured))
        d_in = round(fraction * d)
        frame, k, origin = _framed(inside, d_in < d, max_memory)
        if frame.D != D:
            raise DomainError(f"the space inside lies in {frame.D} dimensions, not in D = {D}")
        if d_in > k or d - d_in > D - k:
            raise DomainError(
                f"{d_in} directions inside a space of dimension {k} and {d - d_in} in its complement of dimension {D - k} do not exist"
            )
        inner = _random(k, d_in, generator, structured) if d_in else _Coordinates(k, torch.arange(0))
        outer = _random(D - k, d - d_in, generator, structured) if d_in < d else None
        both = _Inside(frame, k, inner, outer)
        return cls(
            both if structured else _Dense(both.lift(torch.eye(d, dtype=torch.float64)).t().contiguous()), origin
        )

    @classmethod
    def of(cls: type[_S], columns: Tensor, origin: Tensor | None = None) -> _S:
        """The span of independent columns [D, k], made orthonormal."""
        if columns.dim() != 2 or not columns.dtype.is_floating_point or not bool(torch.isfinite(columns).all()):
            raise DomainError(
                f"a basis is a finite matrix [D, k] of floats, not {columns.dtype} of shape {list(columns.shape)}"
            )
        if columns.shape[1] == 0 or columns.shape[1] > columns.shape[0]:
            raise DomainError(f"{columns.shape[1]} columns of {columns.shape[0]} entries are no basis of a subspace")
        return cls(_Dense(_Basis(columns, False, 1 << 62)._Q), origin)

    @classmethod
    def lottery(cls: type[_S], trajectory: Tensor, d: int) -> _S:
        """The d principal directions of a training trajectory [T, D] seen from its first point, through that point
        (Larsen et al. 2022)."""
        points = trajectory_of(trajectory)
        moves = (points[1:] - points[0]).to(torch.float64)
        if integer("d", d, 1, AT_LEAST_1) > min(moves.shape):
            raise DomainError(
                f"{len(points)} points in {moves.shape[1]} dimensions have at most {min(moves.shape)} directions, not d = {d}"
            )
        # The smaller of the two Gram matrices would do, at the cost of half of the digits: directions late in the list
        # are small.
        _, sizes, directions = torch.linalg.svd(moves, full_matrices=False)
        if float(sizes[d - 1]) <= 1e-14 * float(sizes[0]):
            raise DomainError(f"the trajectory spans fewer than d = {d} directions")
        return cls(_Dense(directions[:d].t().contiguous()), points[0])

    @classmethod
    def after_pruning(cls: type[_S], module: nn.Module, keep: float) -> _S:
        """The coordinates that are left when the smallest weights are set to zero, through the weights that are left.

        keep: the share of all parameters of the module, those of largest absolute value (Frankle & Carbin 2019).
        `random(..., inside=this)` takes random directions among them.
        """
        if not isinstance(keep, (int, float)) or isinstance(keep, bool) or not 0 < keep <= 1:
            raise DomainError(f"keep is the share of weights to keep, above 0 and at most 1; not {keep!r}")
        w = Flat(module).vector(module)
        left = w.abs().argsort(descending=True, stable=True)[: max(1, round(keep * len(w)))].sort().values
        origin = torch.zeros_like(w).index_copy(0, left, w[left])
        return cls(_Coordinates(len(w), left), origin)


def _framed(
    inside: EquivariantSpace | AffineSubspace | Tensor, across: bool, max_memory: int
) -> tuple[Any, int, Tensor | None]:
    """Orthonormal coordinates whose first k lie inside, k, and the origin."""
    if isinstance(inside, EquivariantSpace):
        return inside, inside.dimension, None
    if isinstance(inside, AffineSubspace):
        if not across:
            return inside._map, inside.d, inside.origin
        if isinstance(inside._map, _Coordinates):
            rest = torch.ones(inside.D, dtype=torch.bool)
            rest[inside._map.index] = False
            return (
                _Coordinates(inside.D, torch.cat((inside._map.index, rest.nonzero().squeeze(1)))),
                inside.d,
                inside.origin,
            )
        return _Basis(inside.matrix(max_memory), True, max_memory), inside.d, inside.origin
    if not isinstance(inside, Tensor) or inside.dim() != 2 or not 0 < inside.shape[1] <= inside.shape[0]:
        raise DomainError("inside is an EquivariantSpace, a Subspace, or a basis: a Tensor [D, k] of k <= D columns")
    return _Basis(inside, across, max_memory), inside.shape[1], None


def trajectory_of(trajectory: Tensor | Sequence[Tensor]) -> Tensor:
    if isinstance(trajectory, nn.Module):
        raise DomainError(
            "a trajectory is what training went through: TwoPhase(module, ...).fit(x, y, keep_trajectory=True).trajectory[:, 0]"
        )
    points = trajectory if isinstance(trajectory, Tensor) else torch.stack(list(trajectory))
    if points.dim() != 2 or len(points) < 2 or not bool(torch.isfinite(points).all()):
        of_seeds = ": that of one seed is trajectory[:, 0]" if points.dim() == 3 else ""
        raise DomainError(
            f"a trajectory is a finite Tensor [T, D] of at least two points, not of shape {list(points.shape)}{of_seeds}"
        )
    return points


class Bundle:
    """Subspaces of one shape side by side, one for each run of a batch: theta [runs, d] -> [runs, D]."""

    def __init__(self, subspaces: Sequence[AffineSubspace], like: Tensor) -> None:
        sizes = {(s.D, s.d) for s in subspaces}
        if len(sizes) != 1:
            raise DomainError(f"the subspaces of a batch have one D and one d; these have {sorted(sizes)}")
        ((self.D, self.d),) = sizes
        if self.D != like.shape[-1]:
            raise DomainError(
                f"the subspace lies in {self.D} dimensions, and the module has {like.shape[-1]} parameters"
            )
        self._maps = [s._map for s in subspaces]
        self._stack: Tensor | None = None
        if all(isinstance(m, _Dense) for m in self._maps):
            # Transposed: products of a row with a matrix are the fast ones, forward and backward.
            self._stack = torch.stack([m.A.to(like).t() for m in self._maps])  # type: ignore[attr-defined]

    def lift(self, theta: Tensor) -> Tensor:
        if self._stack is not None:
            return torch.bmm(theta.unsqueeze(1), self._stack).squeeze(1)
        return torch.stack([m.lift(row) for m, row in zip(self._maps, theta)])
