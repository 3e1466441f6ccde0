"""The layers of this package as operators with weights omega(f, g, g1): one interface, and in each of them the layer
itself."""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group, KernelSpace, Representation
from .. import nn as layers
from ..gsa import Affine, GroupSelfAttention, LiftingSelfAttention, Neighbourhood, motions, torus
from ..nn._fields import Constants, FieldType, integer, real_tensors
from ..nn.encoding import Location, PositionalEncoding, Relative
from ..nn.linear import dense
from .operator import Operator

__all__ = [
    "GroupAttention",
    "GroupConvolution",
    "LieAttention",
    "LiftingAttention",
    "PointAttention",
    "SelfAttention",
    "SteerableConvolution",
]


class Instance(Operator):
    """An operator whose omega is made of the parameters of a layer, `native`, which computes the same faster;
    `on_native(f)` is what it gives."""

    native: Any

    def to_native(self, f: Tensor) -> Tensor:
        """A function on the group as the layer takes it."""
        return f

    def from_native(self, y: Tensor) -> Tensor:
        """What the layer gives as a function on the group."""
        return y

    def on_native(self, f: Tensor) -> Tensor:
        """The same function by the layer."""
        return self.from_native(self.native(self.to_native(f)))


def _with_constant(weights: Tensor, bias: Tensor | None, pairs: int) -> Tensor:
    """omega [..., W, V], and where there is a bias [..., W] a last column of it, shared by so many elements."""
    if bias is None:
        return weights
    return torch.cat((weights, (bias / pairs).expand(weights.shape[:-1])[..., None]), -1)


# --- Positions and a group: Z_n x Z_m : H ----------------------------------------------------------------------------------------


class Torus:
    """The motions of a periodic image by translations and by H, as a group that is also the set of pairs (h, site):
    element g takes the first pair to pair point[g]."""

    point: Tensor

    def __init__(self, H: Affine, shape: tuple[int, ...]) -> None:
        self.H, self.positions = H, torus(*shape)
        images = [self.positions.image(A) for A in H.matrices] if H.d == len(shape) else [None]
        if any(image is None or len(set(image)) != self.positions.count for image in images):
            raise DomainError(
                f"{H} does not map the sites of a torus of {shape} to themselves: take a group such as R4 and equal sides"
            )
        self.group = motions(H, self.positions).group
        with real_tensors():
            self.point = torch.tensor([g(0) for g in self.group])
            self.back = torch.argsort(self.point)

    def on_group(self, x: Tensor) -> Tensor:
        """[..., |H|, *shape] -> [..., |G|]."""
        return x.flatten(-1 - len(self.positions.shape)).index_select(-1, self.point.to(x.device))

    def on_pairs(self, f: Tensor) -> Tensor:
        """[..., |G|] -> [..., |H|, *shape]."""
        return torch.unflatten(f.index_select(-1, self.back.to(f.device)), -1, (self.H.order, *self.positions.shape))

    def relative(self) -> tuple[Tensor, Tensor]:
        """The motion of the first pair by each element: the difference of sites [|G|, d], the least one on the torus,
        and h [|G|]."""
        N = self.positions.count
        with real_tensors():
            sites = torch.from_numpy(self.positions.coordinates)
            size = torch.tensor(self.positions.shape)
            apart = (sites[self.point % N] - sites[0]).round().long()
            return (apart + size // 2) % size - size // 2, self.point // N


class GroupConvolution(Instance):
    """omega(f, g, g1) = kappa(g^-1 g1): the convolution on a group.

    Of a finite group and numbers of channels; native is nn.Linear on the regular representation. Or
    `GroupConvolution.on_torus(layer, shape)` of a GroupConv2d with circular padding: then G is Z_n x Z_m : H.
    """

    def __init__(
        self,
        G: Group,
        in_channels: int,
        out_channels: int,
        bias: bool = True,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        regular = G.rep("regular")
        self._of(G, layers.Linear(regular, regular, in_channels, out_channels, bias, device=device, dtype=dtype), None)

    def _of(self, G: Group, native: Any, grid: Torus | None) -> None:
        super().__init__(
            G, self._weights, native.in_channels, native.out_channels, constant_channel=native.bias is not None
        )
        self.native, self._torus = native, grid

    @classmethod
    def on_torus(cls, layer: layers.GroupConv2d, H: Affine, shape: tuple[int, int]) -> GroupConvolution:
        """The convolution of images on a torus, x [..., channels, |H|, n, m] as `to_native` makes them. H: Affine of
        the group of the layer."""
        if (
            not isinstance(layer, layers.GroupConv2d)
            or layer.padding_mode != "circular"
            or set(layer.stride + layer.dilation) != {1}
        ):
            raise DomainError(
                "on_torus takes a GroupConv2d with padding_mode='circular', stride 1 and dilation 1: only that commutes with translations"
            )
        reach = tuple((k - 1) // 2 for k in layer.kernel_size)
        if any(k % 2 == 0 for k in layer.kernel_size) or layer.padding != reach:
            raise DomainError(
                f"on_torus takes odd kernels with padding='same', not {layer.kernel_size} with padding {layer.padding}"
            )
        if layer._field_sizes[0] != layer._field_sizes[1]:
            raise DomainError(
                "a lifting convolution takes functions on the torus: LiftingAttention shows how they are functions on the group"
            )
        if any(k > n for k, n in zip(layer.kernel_size, shape)):
            raise DomainError(f"the kernel {layer.kernel_size} reaches around a torus of {tuple(shape)}")
        if layer._field_sizes[0] != H.order:
            raise DomainError(f"the layer is over a group of {layer._field_sizes[0]} elements, and {H} has {H.order}")
        grid = Torus(H, tuple(shape))
        found = cls.__new__(cls)
        found._of(grid.group, layer, grid)
        return found

    def kernel(self) -> Tensor:
        """kappa [out_channels, in_channels, |G|], differentiable in the parameters."""
        if self._torus is None:
            n = len(self.elements)
            W = self.native.weight().unflatten(1, (-1, n)).unflatten(0, (-1, n))
            return W[:, self.elements.identity]  # type: ignore[no-any-return]
        H = self._torus.H
        apart, h = self._torus.relative()
        W = self.native.weight().unflatten(1, (-1, H.order)).unflatten(0, (-1, H.order))[:, 0]  # 0 is the identity
        reach = torch.tensor([(k - 1) // 2 for k in self.native.kernel_size])
        inside = (apart.abs() <= reach).all(1).to(W.device)
        at = (apart.clamp(-reach, reach) + reach).to(W.device)
        return W[:, :, h.to(W.device), at[:, 0], at[:, 1]] * inside  # type: ignore[no-any-return]

    def _weights(self, f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
        kappa = self.kernel()[..., self.elements.relative.to(f.device)[g, g1]].movedim((0, 1), (-2, -1))
        bias = None if self.native.bias is None else self.native.bias_vector().unflatten(0, (kappa.shape[-2], -1))[:, 0]
        return _with_constant(kappa, bias, len(self.elements))

    def to_native(self, f: Tensor) -> Tensor:
        return f if self._torus is None else self._torus.on_pairs(f)

    def from_native(self, y: Tensor) -> Tensor:
        return y if self._torus is None else self._torus.on_group(y)


class SteerableConvolution(Operator):
    """omega(f, g, g1) = kappa(g^-1 g1) / |K| with kappa(h g k) = rho(h) kappa(g) sigma(k), on functions with f(g k) =
    sigma(k)^-1 f(g): every equivariant linear map from sections over G/K to sections over G/H.

    kernels: kernel_basis(G, H, K, rho, sigma), real; theta [kernels, out_channels, in_channels]. `sections(x)` makes a
    function on the group of a vector of the induced representation, x [..., in_channels, dim Ind sigma], and
    `values(f)` the vector of the result; `native()` is the layer nn.Linear(Ind sigma, Ind rho) with the same weights.
    """

    theta: nn.Parameter
    _constants: Constants

    def __init__(
        self,
        kernels: KernelSpace,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        integer("in_channels", in_channels, 1), integer("out_channels", out_channels, 1)
        sigma, rho = kernels.source, kernels.target
        super().__init__(kernels.group, self._weights, in_channels * sigma.dimension, out_channels * rho.dimension)
        self.kernels, self.in_channels, self.out_channels = kernels, in_channels, out_channels
        dtype = dtype or torch.get_default_dtype()
        with real_tensors():
            shape = (kernels.dimension, len(self.elements), rho.dimension, sigma.dimension)
            values = torch.zeros(shape, dtype=torch.float64)
            for k in range(kernels.dimension):
                for n, g in enumerate(self.elements.list):
                    values[k, n] = _real(kernels.value(k, g))
            # A vector of the induced representation has the values at the elements t_i of a transversal: those where
            # its section is just block i.
            blocks = self._sections_of(rho).unflatten(-1, (-1, rho.dimension)).movedim(2, 0)
            at = [int((block == torch.eye(rho.dimension)).flatten(1).all(1).nonzero()[0, 0]) for block in blocks]
            self._constants = Constants(values=values, lift=self._sections_of(sigma), transversal=torch.tensor(at))
        self._induced = values.shape[3] * self.group.order // kernels.source.group.order
        self.theta = nn.Parameter(torch.randn(kernels.dimension, out_channels, in_channels, device=device, dtype=dtype))
        self._on_device(self.theta.device)

    def _sections_of(self, sigma: Representation) -> Tensor:
        """[|G|, dim sigma, dim Ind]: x -> f(g), the first block of g^-1 x, since block 0 is that of the coset of 1."""
        induced = sigma.induce(self.group)
        return torch.stack([_real(induced.matrix(g**-1))[: sigma.dimension] for g in self.elements.list])

    def kernel(self) -> Tensor:
        """kappa [|G|, out_channels dim rho, in_channels dim sigma]."""
        values = self._constants.like("values", self.theta)
        return torch.einsum("koi,kgab->goaib", self.theta, values).flatten(3).flatten(1, 2)

    def _weights(self, f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
        return self.kernel()[self.elements.relative.to(f.device)[g, g1]] / self.kernels.source.group.order

    def sections(self, x: Tensor) -> Tensor:
        """x [..., in_channels, dim Ind sigma] -> f [..., in_channels dim sigma, |G|], f(g) = the value at 1 of g^-1 x."""
        wanted = (self.in_channels, self._induced)
        if x.dim() < 2 or x.shape[-2:] != wanted:
            raise DomainError(
                f"the vector has the shape {list(x.shape)}; sections are made of [..., {wanted[0]}, {wanted[1]}] (channels, dim Ind sigma)"
            )
        return torch.einsum("gsd,...cd->...csg", self._constants.like("lift", x), x).flatten(-3, -2)

    def values(self, f: Tensor) -> Tensor:
        """f [..., out_channels dim rho, |G|] -> [..., out_channels, dim Ind rho]."""
        at = f[..., self._constants.like("transversal", f)]
        return torch.unflatten(at, -2, (self.out_channels, -1)).transpose(-1, -2).flatten(-2)

    def native(self) -> layers.Linear:
        """nn.Linear between the induced representations, with the same weights."""
        G = self.group
        V, U = self.kernels.source.induce(G), self.kernels.target.induce(G)
        weight = self.values(
            self.forward(
                self.sections(
                    torch.eye(self.in_channels * V.dimension).to(self.theta).unflatten(-1, (self.in_channels, -1))
                )
            )
        )
        return layers.Linear.from_dense(
            dense(nn.Linear, weight.flatten(1).T, None), V, U, self.in_channels, self.out_channels
        )[0]


def _real(A: Any) -> Tensor:
    numbers = numpy.asarray(A, dtype=numpy.complex128)
    if abs(numbers.imag).max(initial=0) > 0:
        raise DomainError("the kernels are not real: take rho and sigma with real matrices, such as sigma.real()")
    return torch.from_numpy(numbers.real.copy())


# --- Attention -------------------------------------------------------------------------------------------------------------------


def _by_heads(f: Tensor, layer: layers.Linear, heads: int) -> Tensor:
    """The layer on values [..., tokens, numbers] -> [..., tokens, heads, numbers of a head]."""
    bias, x = layer.bias_vector(), f @ layer.weight().T
    return torch.unflatten(x if bias is None else x + bias, -1, (heads, -1))


_Affine = tuple[Tensor, Tensor | None]


def _affine(layer: Any) -> _Affine:
    """The weight and the bias of a layer of ours."""
    return layer.weight(), layer.bias_vector()


def _through(attention: Tensor, value: _Affine, out: _Affine, pairs: int) -> Tensor:
    """omega of attention [..., heads, x]: the sum over heads of it times out value, [..., x, W, V], and a last column
    of biases, that of out shared by the pairs of a row."""
    split: Any = lambda t: t.unflatten(0, (attention.shape[-2], -1))  # noqa: E731
    of_heads = split(out[0].T).mT
    weights = torch.einsum("...hx,hwd,hdv->...xwv", attention, of_heads, split(value[0]))
    if value[1] is None or out[1] is None:
        return weights
    shared = torch.einsum("...hx,hwd,hd->...xw", attention, of_heads, split(value[1]))
    return torch.cat((weights, (shared + out[1] / pairs)[..., None]), -1)


class SelfAttention(Instance):
    """omega(f, g, g1) = sum over heads of softmax over g1 of <query f(g), key f(g1)>, times out value: tokens are the
    elements of G.

    V: a representation of G, that of values in each channel; Group(...).rep("trivial") for plain numbers. native is
    nn.MultiheadAttention(V, channels, heads). Biases are in the column of the constant channel.
    """

    def __init__(
        self,
        V: Representation,
        channels: int,
        heads: int = 1,
        bias: bool = True,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        native = layers.MultiheadAttention(
            V,
            channels,
            heads,
            encoding=self._encoding(V.group, heads, device, dtype),
            bias=bias,
            device=device,
            dtype=dtype,
        )
        super().__init__(V.group, self._weights, channels * V, channels * V, constant_channel=bias)
        self.native, self.heads = native, heads

    def _encoding(self, G: Group, heads: int, device: Any, dtype: Any) -> PositionalEncoding | None:
        return None

    def location(self, relative: Tensor) -> Tensor | None:
        """What is added to the scores of two elements with this g^-1 g1, [..., heads]; None if positions do not matter."""
        return None

    def scores(self, f: Tensor, g: Tensor) -> Tensor:
        """[..., *g, heads, |G|]: of elements g with all."""
        query, key = (
            _by_heads(f.transpose(-1, -2), layer, self.heads) for layer in (self.native.query, self.native.key)
        )
        content = torch.einsum("...ghd,...xhd->...ghx", query[..., g.reshape(-1), :, :], key) / query.shape[-1] ** 0.5
        added = self.location(self.elements.relative.to(f.device)[g.reshape(-1)])
        return torch.unflatten(content if added is None else content + added.movedim(-1, -2), -3, g.shape)

    def _weights(self, f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
        g, g1 = torch.broadcast_tensors(g, g1)
        rows = g[..., :1]  # the scores of a row are made once
        attention = self.scores(f, rows).softmax(-1).squeeze(-3)  # [..., rows, heads, |G|]
        picked = attention.gather(-1, g1[..., None, :].expand(*attention.shape[:-1], g1.shape[-1]))
        return _through(picked, _affine(self.native.value), _affine(self.native.out), len(self.elements))

    def to_native(self, f: Tensor) -> Tensor:
        return torch.unflatten(f, -2, (self.native.channels, -1)).movedim(-1, -3)

    def from_native(self, y: Tensor) -> Tensor:
        return y.movedim(-3, -1).flatten(-3, -2)


class LieAttention(SelfAttention):
    """Attention whose scores are a function of content, <query f(g), key f(g1)>, plus one of location, b(g^-1 g1):
    weights are the product of a content and a location kernel, normalised (Hutchinson et al. 2021, on a finite group).
    native is nn.MultiheadAttention with the encoding Relative(G, heads).

    samples: None for the sum over all of G, the exact layer; or how many elements S are drawn, without repetition: then
    g attends to the g s for s in S, and native has the mask that says so. Since S moves along with g, the layer is
    exactly equivariant for every S; the sums are those over G with an error that is the smaller the larger S.
    `resample(seed)` draws another one; the location kernel b is that of all elements.
    """

    def __init__(
        self, V: Representation, channels: int, heads: int = 1, bias: bool = True, *, samples: int | None = None, seed: int = 0,
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        super().__init__(V, channels, heads, bias, device=device, dtype=dtype)
        self.samples = samples
        if samples is not None:
            if integer("samples", samples, 1) > len(self.elements):
                raise DomainError(
                    f"{V.group.name} has {len(self.elements)} elements, and {samples} of them cannot be drawn without repetition: leave samples out to take all"
                )
            self.resample(seed)

    def resample(self, seed: int) -> None:
        """Draws S again, the same for the same seed on every device. DomainError where the sum is over all of G."""
        if self.samples is None:
            raise DomainError("this layer sums over the whole group: LieAttention(..., samples=k) draws k elements")
        with real_tensors():
            generator = torch.Generator().manual_seed(integer("seed", seed, 0))
            drawn = torch.randperm(len(self.elements), generator=generator)[: self.samples]
            self._constants = Constants(sampled=drawn.sort().values)
            mask = torch.isin(self.elements.relative, drawn)
        self.native.mask = mask
        self._on_device(self.native.query.theta.device)

    @property
    def sampled(self) -> Tensor | None:
        """The numbers of the elements of S, ascending, a copy; None for all."""
        if self._constants is None:
            return None
        with real_tensors():
            return self._constants.on(torch.device("cpu"))["sampled"].clone()  # type: ignore[no-any-return]

    def _encoding(self, G: Group, heads: int, device: Any, dtype: Any) -> PositionalEncoding | None:
        return Relative(G, heads, device=device, dtype=dtype)

    def location(self, relative: Tensor) -> Tensor:
        b = self.native.encoding.table[:, relative].movedim(0, -1)
        if self._constants is None:
            return b  # type: ignore[no-any-return]
        seen = torch.isin(relative, self._constants.like("sampled", relative))
        return b.masked_fill(~seen[..., None], float("-inf"))  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}{'' if self.samples is None else f', {self.samples} of {len(self.elements)} elements sampled'}"


class PointAttention(nn.Module):
    """LieAttention of a continuous group on a cloud of points, or of elements of the group: (Phi f)(g) = sum over the
    cloud of omega(f, g, g1) f(g1), whose scores are a function of content, <query f(g), key f(g1)>, plus one of
    location, a small network of the invariants of g and g1. The sum is exact: it is over the cloud that is given, and
    nothing is sampled.

    group: "SO(n)", "O(n)", "SE(n)" or "E(n)". V: what values are in each channel, a representation of the rotations
    (`Group("SO(3)").rep("vector")`), or of the group of one element for plain numbers. native:
    nn.MultiheadAttention with the encoding Location(group, heads, lifted=, ...); f [..., tokens, channels, dim V] as it
    takes it, positions as Location says. Moving the positions by g, and values by rho_V(g), moves the result by
    rho_V(g).
    """

    def __init__(
        self,
        group: str,
        V: FieldType,
        channels: int,
        heads: int = 1,
        bias: bool = True,
        *,
        device: Any = None,
        dtype: torch.dtype | None = None,
        **location: Any,
    ) -> None:
        super().__init__()
        encoding = Location(group, heads, device=device, dtype=dtype, **location)
        self.native = layers.MultiheadAttention(
            V, channels, heads, encoding=encoding, bias=bias, device=device, dtype=dtype
        )

    def omega(self, f: Tensor, positions: Tensor) -> Tensor:
        """The weights [..., tokens, tokens, channels dim V, channels dim V], and a last column for a channel that is 1
        everywhere where there are biases."""
        query, key = (
            _by_heads(f.flatten(-2), layer, self.native.heads) for layer in (self.native.query, self.native.key)
        )
        location: Any = self.native.encoding
        scores = torch.einsum("...ghd,...xhd->...ghx", query, key) / query.shape[-1] ** 0.5 + location.scores(
            positions
        ).transpose(-2, -3)
        return _through(scores.softmax(-1), _affine(self.native.value), _affine(self.native.out), f.shape[-3])

    def forward(self, f: Tensor, positions: Tensor) -> Tensor:
        omega, values = self.omega(f, positions), f.flatten(-2)
        if omega.shape[-1] > values.shape[-1]:
            values = torch.cat((values, torch.ones_like(values[..., :1])), -1)
        return torch.unflatten(torch.einsum("...gxwv,...xv->...gw", omega, values), -1, f.shape[-2:])

    def on_native(self, f: Tensor, positions: Tensor) -> Tensor:
        """The same by the layer."""
        return self.native(f, positions)  # type: ignore[no-any-return]


class _TorusAttention(Instance):
    """Attention on Z_n x Z_m : H: scores <query f(g), key(f(g1) + rho(g^-1 g1))> for g1 whose site is in the
    neighbourhood of that of g."""

    def _of(self, native: Any, grid: Torus) -> None:
        super().__init__(
            grid.group,
            self._weights,
            native.in_channels,
            native.out_channels,
            constant_channel=native.out.bias is not None,
        )
        self.native, self._torus, self.heads = native, grid, native.heads
        self._apart, self._element = grid.relative()
        with real_tensors():
            self._inside = torch.from_numpy(native.neighbourhood.contains(self._apart.numpy().astype(float)))

    def _seen(self, f: Tensor) -> Tensor:
        """What queries, keys and values are made of, [..., |G|, channels]."""
        return f.transpose(-1, -2)

    def _encodings(self) -> Tensor:
        """rho of every element, [|G|, channels]."""
        raise NotImplementedError

    def _weights(self, f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
        g, g1 = torch.broadcast_tensors(g, g1)
        layer = self.native
        heads: Any = lambda x: x.unflatten(-1, (self.heads, -1))  # noqa: E731
        seen, rows = self._seen(f), g[:, 0]
        relative = self.elements.relative.to(f.device)[rows]  # [rows, |G|]
        query, key = heads(layer.query(seen))[..., rows, :, :], heads(layer.key(seen))
        places = heads(layer.key(self._encodings()))[relative]  # [rows, |G|, heads, d]
        scores = torch.einsum("...rhd,...xhd->...rhx", query, key) + torch.einsum("...rhd,rxhd->...rhx", query, places)
        scores = scores * layer.head_channels**-0.5
        scores = scores.masked_fill(~self._inside.to(f.device)[relative][:, None], float("-inf"))
        attention = scores.softmax(-1)
        picked = attention.gather(-1, g1[:, None].expand(*attention.shape[:-1], g1.shape[-1]))
        return _through(
            picked, (layer.value.weight, layer.value.bias), (layer.out.weight, layer.out.bias), len(self.elements)
        )

    def from_native(self, y: Tensor) -> Tensor:
        return self._torus.on_group(y)


class LiftingAttention(_TorusAttention):
    """gsa.LiftingSelfAttention on a torus as an operator: functions on positions are functions on G that do not depend
    on h (`lifted`), and scores see the difference of positions alone. native: the layer; its arguments after H and the
    shape of the torus."""

    def __init__(
        self,
        H: Affine,
        shape: tuple[int, ...],
        neighbourhood: Neighbourhood,
        in_channels: int,
        out_channels: int,
        heads: int = 1,
        **settings: Any,
    ) -> None:
        grid = Torus(H, tuple(shape))
        self._of(
            LiftingSelfAttention(H, grid.positions, neighbourhood, in_channels, out_channels, heads, **settings), grid
        )

    def lifted(self, x: Tensor) -> Tensor:
        """[..., channels, 1, *shape] -> [..., channels, |G|]."""
        d = len(self._torus.positions.shape)
        return self._torus.on_group(x.expand(*x.shape[: -d - 1], self._torus.H.order, *x.shape[-d:]))

    def to_native(self, f: Tensor) -> Tensor:
        d = len(self._torus.positions.shape)
        return self._torus.on_pairs(f).mean(-d - 1, keepdim=True)

    def _seen(self, f: Tensor) -> Tensor:
        pairs = self._torus.on_pairs(f)
        d = len(self._torus.positions.shape)
        return self._torus.on_group(pairs.mean(-d - 1, keepdim=True).expand_as(pairs)).transpose(-1, -2)

    def _encodings(self) -> Tensor:
        return self.native.encoding(self._apart.to(self.native.vectors), None)  # type: ignore[no-any-return]


class GroupAttention(_TorusAttention):
    """gsa.GroupSelfAttention(form="relative") on a torus as an operator: omega depends on f(g), f(g1) and g^-1 g1.
    native: the layer; its arguments after H and the shape of the torus."""

    def __init__(
        self,
        H: Affine,
        shape: tuple[int, ...],
        neighbourhood: Neighbourhood,
        in_channels: int,
        out_channels: int,
        heads: int = 1,
        **settings: Any,
    ) -> None:
        grid = Torus(H, tuple(shape))
        native = GroupSelfAttention(H, grid.positions, neighbourhood, in_channels, out_channels, heads, **settings)
        if native.form != "relative":
            raise DomainError(f"omega(f(g), f(g1), g^-1 g1) is the form 'relative', not {native.form!r}")
        self._of(native, grid)

    def to_native(self, f: Tensor) -> Tensor:
        return self._torus.on_pairs(f)

    def _encodings(self) -> Tensor:
        vectors, named = torch.unique(self._apart, dim=0, return_inverse=True)
        every = self.native.encoding(vectors.to(self.native.matrices), self.native.matrices)
        return every[named * self._torus.H.order + self._element]  # type: ignore[no-any-return]
