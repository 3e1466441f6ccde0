"""Convolutions as attention: one head for each entry of the kernel, which looks at that entry alone."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError
from ..nn._fields import has_numbers
from .affine import Affine
from .layers import GroupSelfAttention, LiftingSelfAttention
from .positions import SAME, Positions, offsets

__all__ = ["from_convolution"]

# exp(-100) is less than the rounding of a double by a factor of 10^27.
_APART = 100.0


class _Selection(nn.Module):
    """Head k sees difference k (and element k of the group): a score `here` for it, and one lower by 100 for all
    others."""

    vectors: Tensor
    matrices: Tensor | None

    def __init__(self, vectors: Tensor, matrices: Tensor | None, head_channels: int, here: float) -> None:
        super().__init__()
        self.register_buffer("vectors", vectors)
        self.register_buffer("matrices", matrices)
        self.head_channels, self.here = head_channels, here

    def forward(self, a: Tensor, matrices: Tensor | None) -> Tensor:
        apart = (a[:, None] - self.vectors).abs().amax(-1)  # [n, heads]
        if matrices is not None and self.matrices is not None:
            apart = torch.maximum(apart[:, None], (matrices[:, None] - self.matrices).abs().amax((-2, -1))).flatten(
                0, 1
            )
        score = self.here - _APART * (apart >= 1e-3).to(a.dtype)
        return nn.functional.pad(score.unsqueeze(-1), (0, self.head_channels - 1)).flatten(1)


def from_convolution(layer: nn.Module, H: Affine, positions: Positions) -> LiftingSelfAttention | GroupSelfAttention:
    """The layer of attention that equals a convolution, of intertwine.nn or of PyTorch, on functions of H: from the
    trivial representation of H (lifting) or its regular one to its regular one, such as GroupConv2d(H.group, ...).

    A head for each site and element of the kernel looks at that alone, and its value is the kernel there [Cordonnier et
    al. 2020]. With circular padding positions are a torus and weights a softmax; with zeros a grid, and weights
    exponentials (normalise=False), since what a softmax gives at the border are means of fewer. Equal to rounding;
    queries, keys and encodings may be trained from there.

    Cost: (sites of the kernel) |H| heads of out_channels. DomainError: kernels that do not commute with H, strides,
    even kernels, paddings that change the size.
    """
    kernel, bias, settings = _kernel(layer, H, positions)
    out_channels, order, in_channels, keys = kernel.shape[:4]
    sites = kernel.shape[4:]
    reach = [settings["dilation"][axis] * numpy.arange(-(k // 2), k // 2 + 1) for axis, k in enumerate(sites)]
    differences = numpy.array(list(itertools.product(*reach)), dtype=numpy.float64)
    kernel = kernel.flatten(4)  # [out, |H|, in, keys, sites]
    _require_equivariant(kernel, H, differences)
    circular = settings["padding_mode"] == "circular"
    heads = [(o, g) for o in range(len(differences)) for g in range(keys)]
    factory: dict[str, Any] = {"device": kernel.device, "dtype": kernel.dtype}
    vectors = torch.from_numpy(differences[[o for o, _ in heads]]).to(**factory)
    matrices = None if keys == 1 and order != 1 else torch.from_numpy(H.matrices[[g for _, g in heads]]).to(**factory)
    lifting = keys == 1
    selection = _Selection(vectors, None if lifting else matrices, out_channels, _APART / 2 if circular else 0.0)
    kind: Any = LiftingSelfAttention if lifting else GroupSelfAttention
    found: LiftingSelfAttention | GroupSelfAttention = kind(
        H, positions, offsets(differences.tolist()), in_channels, out_channels, len(heads), head_channels=out_channels, encoding=selection,
        encodes="keys", normalise=circular, **factory,
    )  # fmt: skip
    with torch.no_grad():
        for p in found.parameters():
            p.zero_()
        # Queries are (1, 0, ..., 0), whatever the features are.
        found.query.bias.view(len(heads), out_channels)[:, 0] = out_channels**0.5
        found.value.weight.copy_(torch.cat([kernel[:, 0, :, g, o] for o, g in heads]))
        found.out.weight.copy_(torch.eye(out_channels, **factory).repeat(1, len(heads)))
        if bias is not None:
            found.out.bias.copy_(bias)
    return found


def _kernel(layer: nn.Module, H: Affine, positions: Positions) -> tuple[Tensor, Tensor | None, dict[str, Any]]:
    """[out_channels, |H|, in_channels, 1 or |H|, *sites], the bias [out_channels], and what else the layer says."""
    weight: Any = getattr(layer, "weight", None)
    if weight is None or not hasattr(layer, "padding_mode"):
        raise DomainError(
            f"from_convolution takes a convolution of intertwine.nn or of PyTorch, not {type(layer).__name__}"
        )
    if callable(weight):
        W, b = weight(), layer.bias_vector()  # type: ignore[operator]
    else:
        W, b = weight, layer.bias
    W = W.detach()
    if not has_numbers(W):
        raise DomainError(
            "the convolution is on meta, or of fake tensors, and its kernel has no numbers to take over: load it first"
        )
    d = W.dim() - 2
    each: Any = lambda v: (v,) * d if isinstance(v, int) else tuple(v)  # noqa: E731
    sites, stride, dilation = tuple(W.shape[2:]), each(layer.stride), each(layer.dilation)
    wanted = tuple(s * (k - 1) // 2 for s, k in zip(dilation, sites))
    padding = wanted if layer.padding == "same" else each(layer.padding)
    if d != positions.d or positions.d != H.d:
        raise DomainError(
            f"the convolution has {d} axes, the positions {positions.d} and {H} acts on {H.d}: they have to agree"
        )
    if (
        any(s != 1 for s in stride)
        or getattr(layer, "groups", 1) != 1
        or any(k % 2 == 0 for k in sites)
        or padding != wanted
    ):
        raise DomainError(
            f"a convolution that is attention has stride 1, one group of channels, odd kernels and padding='same'; this one has stride {stride}, kernels"
            f" {sites}, padding {padding}"
        )
    kinds = {"circular": "torus", "zeros": "grid"}
    if kinds.get(str(layer.padding_mode)) != positions.kind:
        raise DomainError(
            f"padding with zeros is that of a grid, circular padding that of a torus; here {layer.padding_mode!r} meets a {positions.kind}"
        )
    if W.shape[0] % H.order:
        raise DomainError(
            f"the convolution has {W.shape[0]} outputs at a site, and functions on {H.name} have a multiple of {H.order}"
        )
    fields = getattr(layer, "_field_sizes", None)
    dim_in = fields[0] if fields else H.order if W.shape[1] % H.order == 0 else 1
    if dim_in not in (1, H.order) or (fields and fields[1] != H.order):
        raise DomainError(
            f"the convolution is of fields of dimensions {fields}; attention is from the trivial or regular representation of {H.name} to its regular one"
        )
    kernel = W.reshape(W.shape[0] // H.order, H.order, W.shape[1] // dim_in, dim_in, *sites)
    if b is not None:
        b = b.detach().view(-1, H.order)
        if float((b - b[:, :1]).abs().max()) > 1e-6 * float(b.abs().max()):
            raise DomainError(
                f"the bias is not the same for all elements of {H.name}, and the convolution does not commute with it"
            )
        b = b[:, 0]
    return kernel, b, {"dilation": dilation, "padding_mode": layer.padding_mode}


def _require_equivariant(kernel: Tensor, H: Affine, differences: Any) -> None:
    """DomainError unless K(h, g, D) = K(1, h^-1 g, h^-1 D)."""
    scale = float(kernel.abs().max())
    tolerance = 1e-10 if kernel.dtype == torch.float64 else 1e-5
    for h in range(H.order):
        seen = differences @ H.inverse_matrices[h].T
        apart = numpy.abs(seen[:, None] - differences[None]).max(-1)
        if (apart.min(1) > SAME).any():
            raise DomainError(
                f"{H.name} does not map the sites of the kernel to themselves: take a group of the square grid"
            )
        site = torch.from_numpy(apart.argmin(1))
        key = torch.from_numpy(H.between[h]) if kernel.shape[3] > 1 else torch.zeros(1, dtype=torch.int64)
        expected = kernel[:, 0].index_select(2, key.to(kernel.device)).index_select(3, site.to(kernel.device))
        if float((kernel[:, h] - expected).abs().max()) > tolerance * scale:
            raise DomainError(
                f"the kernel does not commute with element {h} of {H.name}, {numpy.round(H.matrices[h], 3).tolist()}: is the convolution one of"
                " functions on this group, in the order of its elements?"
            )
