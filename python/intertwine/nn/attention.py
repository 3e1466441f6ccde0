"""Attention between tokens that are vectors of a representation, and Transformer blocks of it."""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError
from .._arguments import check_arguments
from ._dot_product import Masks, attend
from ._fields import (
    Constants,
    Derived,
    FieldModule,
    FieldType,
    counted,
    has_numbers,
    is_orthogonal,
    real_tensors,
    require_tensor,
)  # fmt: skip
from ._ragged import on_ragged
from .activation import Activation
from .encoding import (
    Learned,
    Location,
    PositionalEncoding,
    Relative,
    RepresentationEncoding,
    Rotary,
    Sinusoidal,
    commutant_linear,
    embedding,
)
from .linear import Linear
from .norm import RMSNorm

__all__ = [
    "Learned",
    "Location",
    "MultiheadAttention",
    "PositionalEncoding",
    "Relative",
    "RepresentationEncoding",
    "Rotary",
    "Sinusoidal",
    "TransformerBlock",
    "commutant_linear",
]


def _placed(
    encoding: PositionalEncoding, device: torch.device | str | None, dtype: torch.dtype | None
) -> PositionalEncoding:
    """The encoding itself where its tensors are on this device and of this dtype, so that layers share it; otherwise a
    copy that is, for the caller's encoding may be trained and may belong to another layer."""
    if device is None and dtype is None:
        return encoding
    there = None if device is None else torch.empty(0, device=device).device

    def fits(t: Tensor) -> bool:
        turns = dtype is not None and (t.is_floating_point() or t.is_complex()) and t.dtype != dtype
        return not turns and there in (None, t.device)

    if not all(fits(t) for t in itertools.chain(encoding.parameters(), encoding.buffers())):
        encoding = copy.deepcopy(encoding)
        for module in encoding.modules():  # one by one: Module.to refuses fake tensors, with which networks are planned
            for name, p in list(module.named_parameters(recurse=False)):
                setattr(module, name, nn.Parameter(p.detach().to(there, dtype), p.requires_grad))
            for name, t in list(module.named_buffers(recurse=False)):
                setattr(module, name, t.to(there, dtype if t.is_floating_point() else None))
    for module in encoding.modules():
        if there is not None and isinstance(module, Derived):
            module._on_device(there)
    return encoding


class MultiheadAttention(Derived):
    """Self-attention of tokens of type V.

    The projections to queries, keys, values and out are all equivariant maps (`Linear`), with free channels. Keys are
    of type dual(V), so that scores are invariant for every V: the layer commutes with rho(g) on all tokens at once, and
    with permutations of the tokens unless an encoding or a mask tells them apart. With a RepresentationEncoding a
    motion of the positions is a permutation of the tokens together with rho(g). With a Location, `layer(x, positions)`,
    it commutes with motions of the positions, with rho(g) on all tokens or without.

    Parameters
    ----------
    V
        The type of each channel, of a finite or a continuous real group, such as SO(3).
    channels
        How many fields of type V a token has.
    heads
        A divisor of channels; each head attends by itself.
    encoding
        A PositionalEncoding, which layers share. Where device or dtype would change its parameters, this layer has a
        copy of it, and the one given stays as it is.
    mask
        None, "causal", or a boolean tensor [tokens, tokens], True where row may attend to column.
    bias
        Whether the four projections add vectors that the group fixes.
    device, dtype
        As in torch.nn.MultiheadAttention.

    Attributes
    ----------
    query, key, value, out
        The projections, each a Linear.
    encoding
        The encoding, or None.

    Shape
    -----
    [..., tokens, channels, dim V] to the same; nested tensors [batch, tokens of each sample, channels, dim V] to nested
    ones of the same lengths.

    Raises
    ------
    DomainError
        If heads does not divide channels, an encoding does not fit, or a mask leaves a token nothing to attend to. From
        a call, if x, the positions or a mask have another shape.

    Notes
    -----
    Masks of one call are those of torch.nn.MultiheadAttention, in which True forbids: `layer(x, key_padding_mask=p,
    attn_mask=m)`. p [..., tokens] is True at padding. m is [tokens, tokens], or has the dimensions before tokens of x
    in front, then heads if it is one for every head. Either may be of numbers that are added to scores. They hold
    together with `mask` and the encoding. Padding is never looked at, whatever stands there, NaN included, and 0 in the
    output. A token that may attend to nothing gets the bias of the last projection alone.

    Ragged batches are nested tensors of the layout torch.jagged. The output is that of the padded batch with its
    key_padding_mask. PyTorch has no second derivatives of nested tensors: give a padded batch for these. Otherwise
    there are derivatives of every order: fused kernels have the first one, and plain operators of PyTorch the others.

    A call costs four layers of V >> V, and scaled_dot_product_attention with heads of channels / heads * dim V numbers.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn.attention import MultiheadAttention
    >>> layer = MultiheadAttention(Group("S3").rep("perm"), channels=4, heads=2)
    >>> padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    >>> layer(torch.randn(2, 5, 4, 3), key_padding_mask=padding)[1, 3:].abs().max().item()
    0.0

    See Also
    --------
    TransformerBlock : Attention and a network of each token, with what is added and normalised.
    Location : Scores that depend on where tokens lie to each other.
    """

    def __init__(
        self, V: FieldType, channels: int, heads: int = 1, *, encoding: PositionalEncoding | None = None, mask: Tensor | str | None = None,
        bias: bool = True, device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(heads, int) or heads < 1 or not isinstance(channels, int) or channels < 1 or channels % heads:
            raise DomainError(f"channels ({channels!r}) are shared out among heads ({heads!r}): take a multiple")
        self.in_channels = self.channels = channels
        self.heads, self.dimension = heads, V.dimension
        K: Any = V if is_orthogonal(V) else V.T
        self.query, self.value, self.out = (
            Linear(V, V, channels, channels, bias, device=device, dtype=dtype) for _ in range(3)
        )
        self.key = Linear(V, K, channels, channels, bias, device=device, dtype=dtype)
        if encoding is not None:
            encoding.check(channels, heads)
            encoding = _placed(encoding, device, dtype)
        self.encoding = encoding
        self.embed: Linear | None = None
        if encoding is not None:
            self.embed, self._plain = embedding(encoding, V, channels, device, dtype)
        self.causal = isinstance(mask, str)
        if isinstance(mask, str) and mask != "causal":
            raise DomainError(f"a mask is 'causal' or a boolean tensor [tokens, tokens], not {mask!r}")
        self.mask = mask if isinstance(mask, Tensor) else None

    def _own_mask(self) -> Tensor:
        assert self._constants is not None
        found: Tensor = self._constants.on(torch.device("cpu"))["mask"]
        return found

    @property
    def mask(self) -> Tensor | None:
        """Which tokens a row may attend to [tokens, tokens], a copy; None for all, or for those before it.

        Copies of a layer share its mask, so it is changed by `layer.mask = mask` alone. That of a causal layer is
        refused, for it could hold in addition to the order of tokens or in its place."""
        with real_tensors():
            return None if self._constants is None else self._own_mask().clone()

    @mask.setter
    def mask(self, mask: Tensor | None) -> None:
        if mask is None:
            self._constants = None
            return
        if not isinstance(mask, Tensor):
            raise DomainError(
                "a mask is a boolean tensor [tokens, tokens], True where a token may attend, or None, not"
                f" {mask!r:.80}: 'causal' is for the layer that is made, MultiheadAttention(..., mask='causal')"
            )
        if self.causal:
            raise DomainError(
                "the layer is causal, and this mask could be for those before a token or for all: set layer.causal ="
                " False first, and give mask.tril() for those before it"
            )
        if mask.dtype != torch.bool or mask.dim() != 2 or mask.shape[0] != mask.shape[1]:
            raise DomainError(
                "a mask is a boolean tensor [tokens, tokens], True where a token may attend, not"
                f" {mask.dtype} {list(mask.shape)}"
            )
        if not has_numbers(mask):
            raise DomainError(
                "a mask on meta, or of a fake tensor, does not say who may attend: make it under torch.device('cpu')"
            )
        with real_tensors():
            kept = mask.to("cpu", copy=True)
            alone = ~kept.any(1)
            if bool(alone.any()):
                token = int(alone.long().argmax())
                raise DomainError(
                    f"the mask leaves token {token} nothing to attend to: let it attend to itself at least"
                )
        self._constants = Constants(mask=kept)
        self._on_device(self.query.theta.device)

    def _own_tokens(self) -> int | None:
        """How many tokens the encoding and the mask are for."""
        encoded = None if self.encoding is None else self.encoding.tokens
        masked = None if self._constants is None else len(self._own_mask())
        if encoded is not None and masked is not None and encoded != masked:
            raise DomainError(f"the mask is for {counted(masked, 'token')} and the encoding for {encoded}")
        return masked if encoded is None else encoded

    def _tokens(self, tokens: int) -> int | None:
        wanted = self._own_tokens()
        return wanted if wanted is not None and wanted != tokens else None

    def _masks(self, x: Tensor, key_padding_mask: Tensor | None, attn_mask: Tensor | None) -> Masks:
        require_tensor(x)
        if x.dim() < 3 or x.shape[-2:] != (self.channels, self.dimension):
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this layer takes [..., tokens, {self.channels}, {self.dimension}] (tokens, channels, dim V)"
            )
        return Masks(x, self.heads, key_padding_mask, attn_mask)

    def forward(
        self,
        x: Tensor,
        positions: Tensor | None = None,
        *,
        key_padding_mask: Tensor | None = None,
        attn_mask: Tensor | None = None,
    ) -> Tensor:
        if isinstance(x, Tensor) and x.is_nested:
            return on_ragged(self, self._own_tokens(), x, positions, key_padding_mask, attn_mask)
        masks = self._masks(x, key_padding_mask, attn_mask)
        tokens = x.shape[-3]
        other = self._tokens(tokens)
        if other is not None:
            raise DomainError(f"the input has {counted(tokens, 'token')}, and the encoding or mask is for {other}")
        if positions is not None and not isinstance(self.encoding, Location):
            raise DomainError("positions are for a layer with encoding=Location(group, heads), and this one has none")
        if (
            positions is not None
            and isinstance(self.encoding, Location)
            and positions.dim() > len(self.encoding.shape)
            and positions.shape[-1 - len(self.encoding.shape)] != tokens
        ):
            raise DomainError(
                f"there are {positions.shape[-1 - len(self.encoding.shape)]} positions and {tokens} tokens"
            )
        x = masks.cleared(x)
        if positions is not None and isinstance(self.encoding, Location):
            positions = masks.cleared(positions, len(self.encoding.shape))
        if self.embed is not None and self.encoding is not None:
            vectors = self.encoding.vectors_like(self.embed.theta)
            assert vectors is not None
            x = x + self.embed(vectors.flatten(-2)[..., None] if self._plain else vectors)
        # [..., heads, tokens, channels, dim V]
        q, k, v = (f(x).unflatten(-2, (self.heads, -1)).movedim(-3, -4) for f in (self.query, self.key, self.value))
        bias = None if self._constants is None else self._constants.like("mask", x)
        if self.encoding is not None:
            q, k = self.encoding.turn(q), self.encoding.turn(k)
            added = self.encoding.scores(positions)
            if added is not None:
                bias = added.to(q.dtype) if bias is None else added.to(q.dtype).masked_fill(~bias, float("-inf"))
                if self.causal:
                    bias = bias.masked_fill(
                        torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1), float("-inf")
                    )
        q, k, v = q.flatten(-2), k.flatten(-2), v.flatten(-2)
        bias, causal, alone = masks.bounded(bias, self.causal, q)
        y = attend(q, k, v, bias, causal)
        if alone is not None:
            y = y.masked_fill(alone, 0)
        y = y.unflatten(-1, (-1, self.dimension)).movedim(-4, -3).flatten(-3, -2)
        return masks.cleared(self.out(y))

    def extra_repr(self) -> str:
        shape = None if self._constants is None else list(self._own_mask().shape)
        return f"{self.heads} heads, mask={'causal' if self.causal else shape}"


class TransformerBlock(nn.Module):
    """Attention and a network for each token, with residuals: x [..., tokens, channels, dim V] -> the same shape.

    norm, an RMSNorm: "pre", x + f(norm x); "post", norm(x + f x); None, x + f x. hidden: channels inside the network, 4
    times those outside by default. activation: a function on coordinates that V allows (`Activation` says why others
    are refused); for V that mixes its coordinates an equivariant module, such as NormActivation(V, f, hidden) or
    GatedActivation(V), whose fields may be of another type. The rest is as for MultiheadAttention, whose symmetries and
    whose masks of one call the block has: `block(x, key_padding_mask=p, attn_mask=m)`, with 0 at padding. It takes
    ragged batches too.
    """

    def __init__(
        self, V: FieldType, channels: int, heads: int = 1, *, hidden: int | None = None, activation: Callable[[Tensor], Tensor] = nn.functional.gelu,
        norm: str | None = "pre", encoding: PositionalEncoding | None = None, mask: Tensor | str | None = None, bias: bool = True,
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if norm not in ("pre", "post", None):
            raise DomainError(f"norm is 'pre', 'post' or None, not {norm!r}")
        hidden = hidden or 4 * channels
        self.norm, self.in_channels = norm, channels
        self.attention = MultiheadAttention(
            V, channels, heads, encoding=encoding, mask=mask, bias=bias, device=device, dtype=dtype
        )
        if isinstance(activation, FieldModule) and activation.channels not in (None, hidden):
            raise DomainError(
                f"the activation is for {activation.channels} channels, and inside the block there are {hidden}: hidden={activation.channels}, or the other way round"
            )
        inside, outside = (getattr(activation, side, getattr(activation, "V", V)) for side in ("source", "target"))
        self.network = nn.Sequential(
            Linear(V, inside, channels, hidden, bias, device=device, dtype=dtype),
            activation if isinstance(activation, FieldModule) else Activation(V, activation, hidden),
            Linear(outside, V, hidden, channels, bias, device=device, dtype=dtype),
        )
        self.norms = nn.ModuleList([RMSNorm(V, channels, device=device, dtype=dtype) for _ in range(2)] if norm else [])

    def forward(
        self,
        x: Tensor,
        positions: Tensor | None = None,
        *,
        key_padding_mask: Tensor | None = None,
        attn_mask: Tensor | None = None,
    ) -> Tensor:
        if isinstance(x, Tensor) and x.is_nested:
            return on_ragged(self, self.attention._own_tokens(), x, positions, key_padding_mask, attn_mask)
        masks = self.attention._masks(x, key_padding_mask, attn_mask)
        x = masks.cleared(x)
        steps: tuple[Callable[[Tensor], Tensor], ...] = (
            functools.partial(
                self.attention, positions=positions, key_padding_mask=key_padding_mask, attn_mask=attn_mask
            ),
            self.network,
        )
        for k, f in enumerate(steps):
            if self.norm == "pre":
                x = x + f(self.norms[k](x))
            elif self.norm == "post":
                x = self.norms[k](x + f(x))
            else:
                x = x + f(x)
        return masks.cleared(x)

    def extra_repr(self) -> str:
        return f"norm={self.norm!r}"


check_arguments(globals())
