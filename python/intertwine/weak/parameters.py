"""The parameters of a module as one vector w in R^D, and the subspace of those that are equivariant."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation, Table
from ..nn import _ops, _plain
from ..nn._fields import is_orthogonal, one_group
from ..nn.linear import site_of, table_between
from .symmetrizer import ratio, symmetrize, unit

__all__ = ["EquivariantSpace", "Flat", "Layers"]

Layers = Mapping[str, tuple[Representation, Representation]] | Sequence[Representation] | Group
"""Which layers are to be equivariant: {name: (V, U)} for modules nn.Linear; or the representations between consecutive
ones; or a group that permutes the inputs (perm, copies of regular between layers, trivial at the end)."""

_RANDOM = (nn.modules.dropout._DropoutNd, nn.modules.batchnorm._BatchNorm)


class Flat:
    """Where each parameter of a module stands in w, in the order of named_parameters(); frozen ones do not."""

    def __init__(self, module: nn.Module) -> None:
        parameters = _trained(module)
        self.shapes = {name: p.shape for name, p in parameters.items()}
        if not self.shapes:
            raise DomainError("the module has no parameters to train")
        kinds = {(p.dtype, p.device.type) for p in parameters.values()}
        if len(kinds) > 1 or not next(iter(kinds))[0].is_floating_point or next(iter(kinds))[1] != "cpu":
            found = ", ".join(sorted(f"{dtype} on {device}" for dtype, device in kinds))
            raise DomainError(
                f"the parameters are {found}: all are of one real floating-point dtype and on the CPU, module.to(...)"
            )
        for name, m in module.named_modules():
            if isinstance(m, _RANDOM) and m.training:
                raise DomainError(
                    f"the layer {name or 'itself'} ({type(m).__name__}) is random or keeps statistics in training: call module.eval() first"
                )
        self.offsets: dict[str, int] = {}
        self.D = 0
        for name, shape in self.shapes.items():
            self.offsets[name] = self.D
            self.D += shape.numel()

    def vector(self, module: nn.Module) -> Tensor:
        """w [D], a copy."""
        found = _trained(module)
        if {name: p.shape for name, p in found.items()} != self.shapes:
            raise DomainError("the modules differ in the names or shapes of their parameters")
        return torch.cat([p.detach().reshape(-1) for p in found.values()])

    def parameters(self, w: Tensor) -> dict[str, Tensor]:
        """Views of w [..., D], for torch.func.functional_call."""
        return {name: w[..., start : start + shape.numel()].reshape(*w.shape[:-1], *shape)
                for (name, shape), start in zip(self.shapes.items(), self.offsets.values())}  # fmt: skip

    def write(self, module: nn.Module, w: Tensor) -> None:
        """Copies w [D] into the parameters."""
        with torch.no_grad():
            for name, value in self.parameters(w).items():
                module.get_parameter(name).copy_(value)


class _Block(NamedTuple):
    """Some coordinates of w whose equivariant values are B theta for a matrix B that is not only signs: copies of one
    site pattern."""

    positions: Tensor  # [copies, n] in w; of each copy the first P stand for coordinates along the subspace
    first: int  # where its theta [copies, P] begins
    basis: Tensor  # B [n, P]
    dual: Tensor  # [P, n]: theta of S(W)
    frame: Tensor  # [n, n] orthogonal, its first P columns span B


class EquivariantSpace:
    """The equivariant weights among all w in R^D of a module: W = sum theta_k B_k in the layers named, everything else
    free.

    `layers` is {name: (V, U)} for layers nn.Linear on flattened inputs [in dim V]; or a sequence of representations,
    one before every nn.Linear and one after the last; or a Group that permutes the inputs: then hidden layers carry
    copies of its regular representation, and the outputs do not move.

    `dimension` counts theta. Memory: a few numbers for each of the D coordinates; dense matrices of a site pattern only
    where representations are no permutations with signs.
    """

    def __init__(self, module: nn.Module, layers: Layers) -> None:
        self.flat = Flat(module)
        self.D = self.flat.D
        self.layers = _named(module, layers)
        index = torch.full((self.D,), -2)
        sign = torch.ones(self.D, dtype=torch.float64)
        self._blocks: list[_Block] = []
        self._variance: list[tuple[int, int, float]] = []  # (start, stop, |S|^2 / n) of each tensor
        self.dimension = 0
        for name, (V, U) in self.layers.items():
            self._add(name, module.get_submodule(name), V, U, index, sign)
        free = (index == -2).nonzero().squeeze(1)
        index[free] = torch.arange(self.dimension, self.dimension + len(free))
        self.dimension += len(free)
        self._named = torch.ones(self.D, dtype=torch.bool)
        self._named[free] = False
        # Coordinates that are zero, or in a block, point behind the last theta.
        self._index = torch.where(index < 0, torch.tensor(self.dimension), index)
        self._sign = torch.where(index < 0, torch.zeros(()), sign)
        self._count = torch.zeros(self.dimension + 1, dtype=torch.float64).index_add_(0, self._index, self._sign.abs())[
            :-1
        ]

    def _add(
        self, name: str, layer: nn.Module, V: Representation, U: Representation, index: Tensor, sign: Tensor
    ) -> None:
        assert isinstance(layer, nn.Linear)
        table = table_between(V, U)
        out, in_ = layer.out_features // table.rows, layer.in_features // table.cols
        weights = _ops.Weights(table, out, in_, "automatic")
        orthogonal = is_orthogonal(V) and is_orthogonal(U)
        P, Q = weights.sizes[2:]
        parts: list[tuple[str, int, tuple[int, ...], bool]] = [("weight", P, (P, out, in_), False)]
        if layer.bias is not None:
            parts.append(("bias", Q, (Q, out), True))
        for part, number, shape, of_bias in parts:
            key = f"{name}.{part}" if name else part
            if key not in self.flat.offsets:
                raise DomainError(
                    f"layer {name} has no {part} of its own to train: it is shared, frozen or made by a parametrization"
                )
            start = self.flat.offsets[key]
            size = out * table.rows * (1 if of_bias else in_ * table.cols)
            copies = out * (1 if of_bias else in_)
            if table.is_tied:
                theta = torch.arange(1, copies * number + 1, dtype=torch.float64).view(shape)
                code = _values(theta, weights, of_bias)
                index[start : start + size] = torch.where(code == 0, -1, code.abs().long() - 1 + self.dimension)
                sign[start : start + size] = code.sign()
                share = copies * number / size
            else:
                block, share = _dense(V, U, table, (out, 1 if of_bias else in_), number, of_bias, orthogonal)
                self._blocks.append(block._replace(positions=block.positions + start, first=self.dimension))
                index[start : start + size] = -1
            self.dimension += copies * number
            self._variance.append((start, start + size, share))

    # --- theta and w -------------------------------------------------------------------------------------------------------------

    def expand(self, theta: Tensor) -> Tensor:
        """w [..., D] = sum theta_k B_k of theta [..., dimension], differentiable."""
        self._sized(theta, self.dimension, "theta")
        padded = torch.cat((theta, theta.new_zeros(*theta.shape[:-1], 1)), -1)
        w = padded.index_select(-1, self._index) * self._sign.to(theta.dtype)
        for b in self._blocks:
            copies, P = len(b.positions), b.basis.shape[1]
            values = (
                theta[..., b.first : b.first + copies * P].reshape(*theta.shape[:-1], copies, P)
                @ b.basis.to(theta.dtype).t()
            )
            w = w.index_add(-1, b.positions.reshape(-1), values.flatten(-2))
        return w

    def coordinates(self, w: Tensor) -> Tensor:
        """theta [..., dimension] of S(w)."""
        self._sized(w, self.D, "w")
        sums = w.new_zeros(*w.shape[:-1], self.dimension + 1).index_add(-1, self._index, w * self._sign.to(w.dtype))[
            ..., :-1
        ]
        theta = sums / self._count.clamp(min=1).to(w.dtype)
        for b in self._blocks:
            copies, P = len(b.positions), b.basis.shape[1]
            values = (w[..., b.positions] @ b.dual.to(w.dtype).t()).flatten(-2)
            theta = torch.cat((theta[..., : b.first], values, theta[..., b.first + copies * P :]), -1)
        return theta

    def symmetrize(self, w: Tensor) -> Tensor:
        """S(w) [..., D], tensor by tensor."""
        return self.expand(self.coordinates(w))

    def start(self, w: Tensor) -> Tensor:
        """theta of the variance-corrected S(w): E|S(W)|^2 = |W|^2 dim(equivariant W) / (m n) for entries of one
        variance, so every tensor is multiplied by the square root of the inverse."""
        scale = torch.ones(self.D, dtype=w.dtype, device=w.device)
        for first, last, share in self._variance:
            scale[first:last] = 1 / math.sqrt(share) if share > 0 else 1.0
        return self.coordinates(w * scale)

    def error(self, w: Tensor) -> Tensor:
        """|w - S(w)| / |w| [...] over the layers named; 0 where these are zero."""
        self._sized(w, self.D, "w")
        named = self._named.to(w.device)
        w = w * named
        w = w * unit(w, -1)
        return ratio((w - self.symmetrize(w)) * named, w)

    def _sized(self, t: Tensor, size: int, name: str) -> None:
        if t.dim() == 0 or t.shape[-1] != size:
            raise DomainError(f"{name} has the shape {list(t.shape)}; this space takes [..., {size}]")

    # --- An orthogonal change of coordinates -------------------------------------------------------------------------------------

    @functools.cached_property
    def _frame(self) -> tuple[Tensor, Tensor, Tensor]:
        """(order, u, 2 / |u|^2): coordinate k of the frame stands at order[k] of w, the first `dimension` of them along
        the subspace; u is the reflection for each tied parameter that takes the unit vector of its first place to its
        normalised B_k."""
        first = torch.full((self.dimension + 1,), self.D)
        first.scatter_reduce_(0, self._index, torch.arange(self.D), "amin")
        along = first[:-1].clone()
        v = self._sign / torch.cat((self._count, torch.ones(1))).clamp(min=1).sqrt()[self._index]
        tied = along[self._count > 0]
        u = v.clone()
        u[tied] += v[tied].sign()
        norms = torch.zeros(self.dimension + 1, dtype=torch.float64).index_add_(0, self._index, u.square())
        for b in self._blocks:
            P = b.basis.shape[1]
            along[b.first : b.first + len(b.positions) * P] = b.positions[:, :P].reshape(-1)
        rest = torch.ones(self.D, dtype=torch.bool)
        rest[along] = False
        return (
            torch.cat((along, rest.nonzero().squeeze(1))),
            u,
            torch.where(norms > 0, 2 / norms.clamp(min=1e-300), norms),
        )

    def lift(self, y: Tensor) -> Tensor:
        """w [..., D] of orthonormal coordinates y: y [..., dimension] along the subspace, or y [..., D] with the
        complement behind."""
        order, _, _ = self._frame
        z = y.new_zeros(*y.shape[:-1], self.D).index_copy(-1, order[: y.shape[-1]], y)
        return self._turned(z, transpose=False)

    def lower(self, w: Tensor) -> Tensor:
        """The inverse: y [..., D]."""
        return self._turned(w, transpose=True).index_select(-1, self._frame[0])

    def _turned(self, z: Tensor, transpose: bool) -> Tensor:
        _, u, scale = self._frame
        u = u.to(z.dtype)
        inner = z.new_zeros(*z.shape[:-1], self.dimension + 1).index_add(-1, self._index, z * u)
        w = z - u * (inner * scale.to(z.dtype)).index_select(-1, self._index)
        for b in self._blocks:
            frame = b.frame.to(z.dtype)
            w = w.index_copy(
                -1, b.positions.reshape(-1), (z[..., b.positions] @ (frame if transpose else frame.t())).flatten(-2)
            )
        return w


def _dense(
    V: Representation, U: Representation, table: Table, copies: tuple[int, int], P: int, of_bias: bool, orthogonal: bool
) -> tuple[_Block, float]:
    """The block of a tensor of such channels, its positions from 0, and |S|^2 / n."""
    site, (out, in_) = _ops.Weights(table, 1, 1, "automatic"), copies
    M, N = table.rows, 1 if of_bias else table.cols
    n = M * N
    units = torch.eye(P, dtype=torch.float64).view(P, P, *(1,) * (1 if of_bias else 2))
    basis = torch.stack([torch.zeros(n, dtype=torch.float64), *(_values(unit, site, of_bias) for unit in units)], 1)[
        :, 1:
    ]
    dual = torch.linalg.pinv(basis)
    if not orthogonal and P:  # S is a projection, but no orthogonal one: look at the image of every matrix unit
        v, u = (X if channels == 1 else _site(X) for X, channels in ((V, table.channels[1]), (U, table.channels[0])))
        images = symmetrize(
            torch.eye(n, dtype=torch.float64).view(n, M, N), v.group.rep("trivial") if of_bias else v, u
        )
        dual = dual @ images.reshape(n, n).t()
    positions = torch.arange(out * M * in_ * N).view(out, M, in_, N).permute(0, 2, 1, 3).reshape(out * in_, n)
    frame = torch.linalg.qr(basis, mode="complete")[0] if P else torch.eye(n, dtype=torch.float64)
    return _Block(positions, 0, basis, dual, frame), float((basis @ dual).pow(2).sum()) / n


def _trained(module: nn.Module) -> dict[str, nn.Parameter]:
    return {name: p for name, p in module.named_parameters() if p.requires_grad}


def _values(theta: Tensor, weights: Any, of_bias: bool) -> Tensor:
    p = weights.operands(theta)
    return (_plain.expand_bias(theta, p) if of_bias else _ops.materialise(theta, p)).reshape(-1)


def _site(V: Representation) -> Representation:
    """One site of V."""
    common, site = site_of(V)
    return site if common > 1 else V


def _named(module: nn.Module, layers: Layers) -> dict[str, tuple[Representation, Representation]]:
    linear = {name: m for name, m in module.named_modules() if isinstance(m, nn.Linear)}
    if isinstance(layers, Group):
        layers = _by_group(layers, list(linear.values()))
    if not isinstance(layers, Mapping):
        between = list(layers)
        if len(between) != len(linear) + 1:
            raise DomainError(
                f"{len(linear)} linear layers need {len(linear) + 1} representations, before, between and after them; there are {len(between)}"
            )
        layers = dict(zip(linear, zip(between, between[1:])))
    if not layers:
        raise DomainError("no layer is named: give {name: (V, U)}")
    for name, (V, U) in layers.items():
        if name not in linear:
            raise DomainError(f"the module has no linear layer {name!r}; it has {', '.join(linear) or 'none'}")
        one_group(V, U, f"layer {name}: ")
        m = linear[name]
        if m.in_features % V.dimension or m.out_features % U.dimension or not V.dimension or not U.dimension:
            raise DomainError(
                f"layer {name} has {m.in_features} inputs and {m.out_features} outputs; they must be multiples of dim V = {V.dimension} and dim U = {U.dimension}"
            )
    return dict(layers)


def _by_group(G: Group, linear: Sequence[nn.Linear]) -> list[Representation]:
    if not linear:
        raise DomainError("the module has no linear layers")
    regular, found = G.rep("regular"), [G.rep("perm")]
    for layer in linear[:-1]:
        if layer.out_features % G.order:
            raise DomainError(
                f"a hidden layer of {layer.out_features} units is no number of copies of the regular representation of {G.name}, of {G.order}: name (V, U)"
            )
        found.append(regular)
    return [*found, G.rep("trivial")]


_seeding = threading.Lock()  # the generator that is forked belongs to all threads


def build(module: nn.Module | Callable[[], nn.Module], seed: int) -> nn.Module:
    """The module, or one made with this seed without disturbing other random numbers."""
    if isinstance(module, nn.Module):
        return module
    with _seeding, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = module()
    if not isinstance(made, nn.Module):
        raise DomainError(f"the function that makes the module gave a {type(made).__name__}")
    return made
