"""Ragged batches, nested tensors of PyTorch's layout torch.jagged, in layers of sequences: they are padded, and the
places that are no tokens are masked."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError
from ._fields import counted

__all__ = ["on_places", "on_ragged"]


class _Places:
    """Where the tokens of a ragged batch stand in the padded one [samples, tokens], one after the other."""

    def __init__(self, x: Any, least: int) -> None:
        self.offsets: Tensor = x.offsets()
        lengths = self.offsets.diff()
        longest = int(lengths.max()) if len(lengths) else 0
        self.lengths, self.tokens = lengths, max(longest, least, 1)
        self.sample = torch.repeat_interleave(lengths)
        count = torch.arange(len(self.sample), device=lengths.device)
        self.token = count - self.offsets[:-1].index_select(0, self.sample)

    def padded(self, x: Any) -> Tensor:
        """The batch with 0 where no token is."""
        values: Tensor = x.values()
        found = values.new_zeros(len(self.lengths), self.tokens, *values.shape[1:])
        return found.index_put((self.sample, self.token), values)

    @property
    def padding(self) -> Tensor:
        """[samples, tokens], True where no token is."""
        found: Tensor = torch.arange(self.tokens, device=self.lengths.device) >= self.lengths[:, None]
        return found

    def packed(self, y: Tensor) -> Tensor:
        """The ragged batch of what a layer gave; it has the lengths of x, so that both can be added."""
        found: Tensor = torch.nested.nested_tensor_from_jagged(y[self.sample, self.token], self.offsets)
        return found


def _require_jagged(name: str, x: Any, dims: int, shape: str) -> None:
    if x.layout != torch.jagged:
        raise DomainError(
            f"{name} is a nested tensor of the layout {x.layout}: make it as torch.nested.nested_tensor(samples,"
            " layout=torch.jagged)"
        )
    if x.dim() != dims or x._ragged_idx != 1:
        raise DomainError(
            f"{name} is a ragged batch of {x.dim()} dimensions, ragged in dimension {x._ragged_idx}, and this layer takes"
            f" {shape}, whose tokens are ragged"
        )
    if x.lengths() is not None:
        raise DomainError(
            f"{name} is a ragged batch with holes, as narrow makes it: close them, torch.nested.as_nested_tensor(list("
            f"{name}.unbind()), layout=torch.jagged)"
        )


def on_places(layer: nn.Module, x: Any) -> Tensor:
    """A layer that acts at each place alone, on the places of a ragged batch."""
    if x.layout != torch.jagged or x._ragged_idx != 1 or x.lengths() is not None:
        _require_jagged("the input", x, x.dim(), "[batch, places, ...]")
    found: Tensor = torch.nested.nested_tensor_from_jagged(layer(x.values()), x.offsets())
    return found


def on_ragged(
    layer: nn.Module, own_tokens: int | None, x: Tensor, positions: Tensor | None, key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
) -> Tensor:  # fmt: skip
    """The layer on the padded batch with its mask, ragged again. own_tokens: to which the layer's encoding has places."""
    _require_jagged("the input", x, 4, "[batch, tokens, channels, dim V]")
    if key_padding_mask is not None:
        raise DomainError("a ragged batch has no padding: leave key_padding_mask out, or give a padded batch")
    places = _Places(x, own_tokens or 0)
    if isinstance(positions, Tensor) and positions.is_nested:
        _require_jagged("positions", positions, positions.dim(), "[batch, tokens, ...]")
        theirs = _Places(positions, own_tokens or 0)
        if not torch.equal(theirs.offsets, places.offsets):
            wrong = len(theirs.lengths) != len(places.lengths)
            what = counted(len(theirs.lengths), "sample") if wrong else "other numbers of tokens"
            raise DomainError(f"the positions have {what} than the input: give one position for each token")
        positions = places.padded(positions)
    y: Tensor = layer(places.padded(x), positions, key_padding_mask=places.padding, attn_mask=attn_mask)
    return places.packed(y)
