"""Which module is read by which reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor, nn
from torch.nn.utils import parametrize

from ._axes import FIXED, ORTHOGONAL, PERMUTATION, SIGNED, Mismatch, restrict
from ._functions import glu, unflatten
from ._read import DROPOUTS, MODULES_EVEN, MODULES_ODD, Reader
from ._readers import (
    bag,
    bilinear,
    embedding,
    group_norm,
    hardtanh,
    layer_norm,
    linear,
    max_pool,
    norm_of_batch,
    pool,
    softmax,
)
from ._recurrent import CELLS, RECURRENT, cell, recurrent
from ._transformers import reader_of
from ._values import Value, fixed, values_in

__all__ = ["changed_by_hand", "is_read", "read_module"]

CONVS = {nn.Conv1d: 1, nn.Conv2d: 2, nn.Conv3d: 3, nn.ConvTranspose1d: 1, nn.ConvTranspose2d: 2, nn.ConvTranspose3d: 3}
BATCH_NORMS = {
    nn.BatchNorm1d: None, nn.BatchNorm2d: 4, nn.BatchNorm3d: 5, nn.InstanceNorm1d: 3, nn.InstanceNorm2d: 4, nn.InstanceNorm3d: 5, nn.SyncBatchNorm: None,
}  # fmt: skip
LINEAR_POOLS = {
    nn.AvgPool1d: 1,
    nn.AvgPool2d: 2,
    nn.AvgPool3d: 3,
    nn.AdaptiveAvgPool1d: 1,
    nn.AdaptiveAvgPool2d: 2,
    nn.AdaptiveAvgPool3d: 3,
}
MAX_POOLS = {
    nn.MaxPool1d: 1,
    nn.MaxPool2d: 2,
    nn.MaxPool3d: 3,
    nn.AdaptiveMaxPool1d: 1,
    nn.AdaptiveMaxPool2d: 2,
    nn.AdaptiveMaxPool3d: 3,
}
RESAMPLING = {
    nn.Upsample: None,
    nn.ZeroPad1d: 1,
    nn.ZeroPad2d: 2,
    nn.ZeroPad3d: 3,
    nn.ReflectionPad2d: 2,
    nn.ReplicationPad2d: 2,
}


def _named(tensor: Tensor | None, prefix: str, name: str) -> str | None:
    return prefix + name if tensor is not None else None


def _own(m: nn.Module, prefix: str) -> list[Any]:
    """The weight and the bias of a module, as a function takes them."""
    return [None if getattr(m, name) is None else Value(parameter=prefix + name) for name in ("weight", "bias")]


def _conv(r: Reader, m: Any, p: str, x: Any) -> Value:
    if m.padding_mode not in ("zeros", "circular", "reflect", "replicate"):
        raise Mismatch(f"the padding mode {m.padding_mode!r}")
    return r.conv(x, f"{p}weight", _named(m.bias, p, "bias"), m.groups, m.transposed)


def _batch_norm(r: Reader, m: Any, p: str, x: Any) -> Value:
    running = [f"{p}running_mean", f"{p}running_var"] if m.running_mean is not None else []
    return norm_of_batch(
        r, x, running, _named(m.weight, p, "weight"), _named(m.bias, p, "bias"), p, BATCH_NORMS[type(m)]
    )


def _rms_norm(r: Reader, m: nn.RMSNorm, p: str, x: Any) -> Value:
    if len(m.normalized_shape) != 1:
        raise Mismatch("an RMSNorm over several dimensions")
    kind = SIGNED if m.weight is not None else ORTHOGONAL
    return r.norm(x, -1, _named(m.weight, p, "weight"), None, kind, along=True)


def _masks(r: Reader, *masks: Any) -> bool:
    """Masks that are the same for all heads. Is there one?"""
    for mask in values_in(masks):
        mask = r.ready(mask)
        if mask.front:
            raise Mismatch("an attention mask whose rank is not known; pass example_inputs")
        if len(mask.dims) > 2:
            raise Mismatch("an attention mask of three dimensions, which may tell heads apart")
        for dim in mask.dims:
            restrict(dim, FIXED)
    said = [mask for part in masks for mask in (part.values() if isinstance(part, dict) else (part,))]
    return bool(values_in(masks)) or any(mask is True for mask in said)


def _encoder(r: Reader, m: nn.TransformerEncoder, p: str, x: Any, *masks: Any, **more: Any) -> Value:
    for k, layer in enumerate(m.layers):
        x = r.call_module(layer, f"{p}layers.{k}.", [x, *masks], more)
    return x if m.norm is None else r.call_module(m.norm, f"{p}norm.", [x], {})  # type: ignore[no-any-return]


def _decoder(r: Reader, m: nn.TransformerDecoder, p: str, x: Any, memory: Any, *masks: Any, **more: Any) -> Value:
    for k, layer in enumerate(m.layers):
        x = r.call_module(layer, f"{p}layers.{k}.", [x, memory, *masks], more)
    return x if m.norm is None else r.call_module(m.norm, f"{p}norm.", [x], {})  # type: ignore[no-any-return]


def _encoder_layer(r: Reader, m: nn.TransformerEncoderLayer, p: str, x: Any, *masks: Any, **more: Any) -> Value:
    return r.encoder_layer(m, p, x, masked=_masks(r, *masks, more))


def _decoder_layer(
    r: Reader, m: nn.TransformerDecoderLayer, p: str, x: Any, memory: Any, *masks: Any, **more: Any
) -> Value:
    return r.encoder_layer(m, p, x, memory, masked=_masks(r, *masks, more))


def _multihead(
    r: Reader, m: nn.MultiheadAttention, p: str, q: Any, k: Any, v: Any, key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
    average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Value, Value | None]:  # fmt: skip
    if need_weights and not average_attn_weights:
        raise Mismatch("the attention weights of every head (average_attn_weights=False)")
    masked = _masks(r, key_padding_mask, attn_mask, is_causal)
    mixed = r.multihead(m, p, q, k, v, masked)
    if not need_weights:
        return mixed, None
    looking, seen = r.ready(q).dims[:-1], r.ready(k).dims[:-1]
    if not looking or not seen:
        return mixed, Value([fixed()], front=True)
    if len(looking) == 1:
        return mixed, Value([*looking, *seen])
    return mixed, Value([*looking, seen[1]] if m.batch_first else [looking[1], looking[0], seen[0]])


def _prelu(r: Reader, m: nn.PReLU, p: str, x: Any) -> Value:
    y = r.pointwise(x, PERMUTATION)
    if m.num_parameters == 1:
        restrict(r.use(f"{p}weight")[0], FIXED)
        return y
    if y.front:
        raise Mismatch(
            "a PReLU with a parameter for each channel of a tensor whose rank is not known; pass example_inputs"
        )
    return r.norm(y, 1, f"{p}weight", None, PERMUTATION)


MODULE_READERS: dict[type[nn.Module], Callable[..., Any]] = {
    nn.Linear: lambda r, m, p, x: linear(r, x, *_own(m, p)),
    nn.LayerNorm: lambda r, m, p, x: layer_norm(r, x, m.normalized_shape, *_own(m, p)),
    nn.RMSNorm: _rms_norm,
    nn.GroupNorm: lambda r, m, p, x: group_norm(r, x, m.num_groups, *_own(m, p)),
    nn.Embedding: lambda r, m, p, x: embedding(r, x, Value(parameter=f"{p}weight"), m.padding_idx, m.max_norm),
    nn.EmbeddingBag: lambda r, m, p, x, offsets=None, per_sample_weights=None: bag(
        r, x, offsets, per_sample_weights, f"{p}weight", m.mode, m.max_norm
    ),
    nn.Bilinear: lambda r, m, p, x, y: bilinear(r, x, y, *_own(m, p)),
    nn.PReLU: _prelu,
    nn.MultiheadAttention: _multihead,
    nn.TransformerEncoder: _encoder,
    nn.TransformerDecoder: _decoder,
    nn.TransformerEncoderLayer: _encoder_layer,
    nn.TransformerDecoderLayer: _decoder_layer,
    nn.Identity: lambda r, m, p, x: x,
    nn.Flatten: lambda r, m, p, x: r.flatten(x, m.start_dim, m.end_dim),
    nn.Softmax: lambda r, m, p, x: softmax(r, x, m.dim),
    nn.LogSoftmax: lambda r, m, p, x: softmax(r, x, m.dim),
    nn.Unflatten: lambda r, m, p, x: unflatten(r, x, m.dim, m.unflattened_size),
    nn.GLU: lambda r, m, p, x: glu(r, x, m.dim),
    nn.Hardtanh: lambda r, m, p, x: hardtanh(r, x, m.min_val, m.max_val),
    **{c: _conv for c in CONVS},
    **{c: _batch_norm for c in BATCH_NORMS},
    **{c: recurrent for c in RECURRENT},
    **{c: cell for c in CELLS},
    **{c: lambda r, m, p, x: r.pointwise(x, PERMUTATION) for c in MODULES_EVEN},
    **{c: lambda r, m, p, x: r.pointwise(x, SIGNED) for c in MODULES_ODD},
    **{c: lambda r, m, p, x: x for c in DROPOUTS},
    **{c: lambda r, m, p, x: pool(r, x, LINEAR_POOLS[type(m)], None) for c in LINEAR_POOLS},
    **{c: lambda r, m, p, x: max_pool(r, x, MAX_POOLS[type(m)], m.return_indices) for c in MAX_POOLS},
    **{
        c: lambda r, m, p, x: pool(
            r, x, len(r.ready(x, 1, 4).dims) - 2 if RESAMPLING[type(m)] is None else RESAMPLING[type(m)] or 0, None
        )
        for c in RESAMPLING
    },
}


CARRIERS = (nn.Identity, *DROPOUTS)
"""Modules that change no number, dropout being passed over."""


def is_read(m: nn.Module) -> bool:
    """Is there a reader for this module as a whole?"""
    return _reader_of(m) is not None


def _reader_of(m: nn.Module) -> Callable[..., Any] | None:
    return MODULE_READERS.get(type(m)) or reader_of(m)


def changed_by_hand(m: nn.Module) -> str:
    """A sentence on a change of this one module that its class does not have, or nothing."""
    if m._forward_hooks or m._forward_pre_hooks or m._backward_hooks or m._backward_pre_hooks:
        return "hooks, and what they do cannot be read: remove them (those of weight_norm, spectral_norm and pruning by their remove functions)"
    return "a forward of its own, set on this one module: write a class that has it" if "forward" in vars(m) else ""


def read_module(r: Reader, m: nn.Module, prefix: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    reader = _reader_of(m)
    what = f"the module {prefix.rstrip('.')} ({type(m).__name__})" if prefix else f"a {type(m).__name__}"
    if parametrize.is_parametrized(m):
        raise Mismatch(f"{what} is parametrized: its weight is computed from other parameters")
    if reader is None:
        raise Mismatch(f"there is no reader for {what}")
    for name, part in m.named_modules(prefix=prefix.rstrip(".")):
        if changed := changed_by_hand(part):
            raise Mismatch(f"the module {name} ({type(part).__name__}) has {changed}")
    return r.reading(type(m) in CARRIERS, reader, m, prefix, *args, **kwargs)
