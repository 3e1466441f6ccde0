"""Readers of BERT, GPT-2, Llama and T5 of transformers, which torch.fx cannot trace. Modules are known by their names,
and nothing is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from ._axes import FIXED, PERMUTATION, SIGNED, Mismatch, restrict, unify
from ._read import Reader
from ._values import Value

__all__ = ["reader_of", "takes_two_sequences"]


def _sub(r: Reader, m: nn.Module, p: str, name: str, *args: Any) -> Any:
    """What the part of this name gives."""
    return r.call_module(m.get_submodule(name), f"{p}{name}.", list(args), {})


def _in_turn(*names: str) -> Callable[..., Value]:
    def read(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
        for name in names:
            x = _sub(r, m, p, name, x)
        return x  # type: ignore[no-any-return]

    return read


def _list(r: Reader, m: nn.Module, p: str, name: str, x: Any) -> Any:
    for k, _ in enumerate(m.get_submodule(name).children()):
        x = _sub(r, m, p, f"{name}.{k}", x)
    return x


def _heads(r: Reader, x: Value, head_size: int) -> Value:
    """[batch, tokens, heads x head_size] to [batch, heads, tokens, head_size]."""
    return r.transpose(r.reshape(x, [*r.lengths(x)[:-1], -1, head_size]), -2, -3)


def _attention(r: Reader, q: Value, k: Value, v: Value, head_size: int, causal: bool = False) -> Value:
    """[batch, tokens, heads x head_size], thrice, to the same."""
    heads = [_heads(r, x, head_size) for x in (q, k, v)]
    return r.flatten(r.transpose(r.attention(*heads, causal), -2, -3), -2, -1)


def _pointwise(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    if next(m.parameters(), None) is not None:
        raise Mismatch(f"the activation {type(m).__name__} has parameters of its own")
    return r.pointwise(x, PERMUTATION)


def _no_cross_attention(m: nn.Module, name: str) -> None:
    if hasattr(m, name):
        raise Mismatch("a layer that also attends to an encoder's output")


# --- BERT ------------------------------------------------------------------------------------------------------------------------


def _bert_embeddings(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    parts = [_sub(r, m, p, f"{what}_embeddings", x) for what in ("word", "token_type", "position")]
    return _sub(r, m, p, "LayerNorm", r.add(r.add(*parts[:2]), parts[2]))  # type: ignore[no-any-return]


def _bert_self_attention(r: Reader, m: Any, p: str, x: Any) -> Value:
    x = r.ready(x, -1, 3)
    q, k, v = (_sub(r, m, p, name, x) for name in ("query", "key", "value"))
    return _attention(r, q, k, v, m.attention_head_size)


def _bert_output(r: Reader, m: nn.Module, p: str, x: Any, before: Any) -> Value:
    return _sub(r, m, p, "LayerNorm", r.add(_sub(r, m, p, "dense", x), before))  # type: ignore[no-any-return]


def _bert_attention(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    x = r.ready(x, -1, 3)
    return _sub(r, m, p, "output", _sub(r, m, p, "self", x), x)  # type: ignore[no-any-return]


def _bert_layer(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    _no_cross_attention(m, "crossattention")
    x = _sub(r, m, p, "attention", x)
    return _sub(r, m, p, "output", _sub(r, m, p, "intermediate", x), x)  # type: ignore[no-any-return]


def _bert_model(r: Reader, m: Any, p: str, x: Any) -> list[Value]:
    x = _in_turn("embeddings", "encoder")(r, m, p, x)
    return [x] if m.pooler is None else [x, _sub(r, m, p, "pooler", x)]


def _bert_pooler(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    return _in_turn("dense", "activation")(r, m, p, r.getitem(r.ready(x, -1, 3), (slice(None), 0)))


def _on_bert(name: str, output: int) -> Callable[..., Value]:
    """A head on the tokens (0) or on what is pooled of them (1)."""
    return lambda r, m, p, x: _sub(r, m, p, name, _sub(r, m, p, "bert", x)[output])


# --- GPT-2 -----------------------------------------------------------------------------------------------------------------------


def _gpt2_attention(r: Reader, m: Any, p: str, x: Any) -> Value:
    if m.is_cross_attention:
        raise Mismatch("a layer that attends to an encoder's output")
    q, k, v = r.pieces(_sub(r, m, p, "c_attn", r.ready(x, -1, 3)), m.split_size, -1, False)
    return _sub(r, m, p, "c_proj", _attention(r, q, k, v, m.head_dim, True))  # type: ignore[no-any-return]


def _gpt2_block(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    _no_cross_attention(m, "crossattention")
    x = r.ready(x, -1, 3)
    x = r.add(_sub(r, m, p, "attn", _sub(r, m, p, "ln_1", x)), x)
    return r.add(x, _sub(r, m, p, "mlp", _sub(r, m, p, "ln_2", x)))


def _gpt2_model(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    x = r.add(_sub(r, m, p, "wte", x), _sub(r, m, p, "wpe", x))
    return _sub(r, m, p, "ln_f", _list(r, m, p, "h", x))  # type: ignore[no-any-return]


# --- Llama, and others that have its modules ------------------------------------------------------------------------------------


def _rms_norm(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    return r.norm(x, -1, f"{p}weight", None, SIGNED, along=True)


def _gated(gate: str, up: str, down: str, act: str) -> Callable[..., Value]:
    def read(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
        value = r.multiply(_sub(r, m, p, act, _sub(r, m, p, gate, x)), _sub(r, m, p, up, x))
        return _sub(r, m, p, down, value)  # type: ignore[no-any-return]

    return read


def _llama_attention(r: Reader, m: Any, p: str, x: Any) -> Value:
    x = r.ready(x, -1, 3)
    q, k, v = (_heads(r, _sub(r, m, p, f"{name}_proj", x), m.head_dim) for name in "qkv")
    turned = []
    for y in (q, k):  # rotary: coordinates are turned by angles of their own, and a bias is another one at every place
        restrict(y.dims[-1], FIXED)
        turned.append(Value(list(y.dims), y.front))
    y = r.flatten(r.transpose(r.attention(*turned, v, True), -2, -3), -2, -1)
    return _sub(r, m, p, "o_proj", y)  # type: ignore[no-any-return]


def _llama_layer(r: Reader, m: nn.Module, p: str, x: Any, *_: Any) -> Value:
    x = r.ready(x, -1, 3)
    x = r.add(x, _sub(r, m, p, "self_attn", _sub(r, m, p, "input_layernorm", x)))
    return r.add(x, _sub(r, m, p, "mlp", _sub(r, m, p, "post_attention_layernorm", x)))


def _llama_model(r: Reader, m: nn.Module, p: str, x: Any) -> Value:
    return _sub(r, m, p, "norm", _list(r, m, p, "layers", _sub(r, m, p, "embed_tokens", x)))  # type: ignore[no-any-return]


def _like_llama(name: str) -> dict[str, Callable[..., Any]]:
    home, family = f"models.{name}.modeling_{name}", {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2"}[name]
    return {
        f"{home}.{family}RMSNorm": _rms_norm,
        f"{home}.{family}MLP": _gated("gate_proj", "up_proj", "down_proj", "act_fn"),
        f"{home}.{family}Attention": _llama_attention,
        f"{home}.{family}DecoderLayer": _llama_layer,
        f"{home}.{family}Model": _llama_model,
        f"{home}.{family}ForCausalLM": _in_turn("model", "lm_head"),
    }


# --- T5 --------------------------------------------------------------------------------------------------------------------------


def _t5_attention(r: Reader, m: Any, p: str, x: Any, other: Any, bias: str | None) -> Value:
    """bias: the table of numbers for every distance and head that all layers of a stack share."""
    x, other = r.ready(x, -1, 3), r.ready(other, -1, 3)
    q, k, v = (_heads(r, _sub(r, m, p, name, y), m.key_value_proj_dim) for name, y in zip("qkv", (x, other, other)))
    if bias is not None:
        distances, heads = r.use(bias)
        restrict(distances, FIXED)
        restrict(heads, PERMUTATION)
        unify(q.dims[-3], heads)
        for y in (q, k):
            restrict(y.dims[-2], FIXED)
    y = r.flatten(r.transpose(r.attention(q, k, v), -2, -3), -2, -1)
    return _sub(r, m, p, "o", y)  # type: ignore[no-any-return]


def _t5_block(r: Reader, m: Any, p: str, x: Any, memory: Any, bias: str | None) -> Value:
    for k, layer in enumerate(m.layer):
        at = f"{p}layer.{k}."
        y = _sub(r, layer, at, "layer_norm", x)
        if hasattr(layer, "SelfAttention"):
            y = _t5_attention(r, layer.SelfAttention, f"{at}SelfAttention.", y, y, bias)
        elif hasattr(layer, "EncDecAttention"):
            if memory is None:
                continue
            y = _t5_attention(r, layer.EncDecAttention, f"{at}EncDecAttention.", y, memory, None)
        else:
            y = _sub(r, layer, at, "DenseReluDense", y)
        x = r.add(x, y)
    return x  # type: ignore[no-any-return]


def _t5_stack(r: Reader, m: Any, p: str, x: Any, memory: Any = None) -> Value:
    x = r.ready(_sub(r, m, p, "embed_tokens", x), -1, 3)
    for k, block in enumerate(m.block):
        bias = f"{p}block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        x = _t5_block(r, block, f"{p}block.{k}.", x, memory, bias)
    return _sub(r, m, p, "final_layer_norm", x)  # type: ignore[no-any-return]


def _t5_model(r: Reader, m: Any, p: str, x: Any, mask: Any, y: Any) -> list[Value]:
    """A mask tells places apart, which stay anyway."""
    if isinstance(y, Value) and y.fresh and r._sizes(y) is None:
        raise Mismatch(
            "it takes two sequences and a mask of the first: pass example_inputs=(ids, None, ids of the decoder)"
        )
    memory = _sub(r, m, p, "encoder", x)
    return [_sub(r, m, p, "decoder", y, memory), memory]


def _t5_with_head(r: Reader, m: Any, p: str, x: Any, mask: Any, y: Any) -> list[Value]:
    found, memory = _t5_model(r, m, p, x, mask, y)
    return [_sub(r, m, p, "lm_head", found), memory]


READERS: dict[str, Callable[..., Any]] = {
    "pytorch_utils.Conv1D": lambda r, m, p, x: r.linear(x, f"{p}weight", f"{p}bias", transposed=True),
    "models.bert.modeling_bert.BertEmbeddings": _bert_embeddings,
    "models.bert.modeling_bert.BertSelfAttention": _bert_self_attention,
    "models.bert.modeling_bert.BertSelfOutput": _bert_output,
    "models.bert.modeling_bert.BertAttention": _bert_attention,
    "models.bert.modeling_bert.BertIntermediate": _in_turn("dense", "intermediate_act_fn"),
    "models.bert.modeling_bert.BertOutput": _bert_output,
    "models.bert.modeling_bert.BertLayer": _bert_layer,
    "models.bert.modeling_bert.BertEncoder": lambda r, m, p, x: _list(r, m, p, "layer", x),
    "models.bert.modeling_bert.BertPooler": _bert_pooler,
    "models.bert.modeling_bert.BertPredictionHeadTransform": _in_turn("dense", "transform_act_fn", "LayerNorm"),
    "models.bert.modeling_bert.BertLMPredictionHead": _in_turn("transform", "decoder"),
    "models.bert.modeling_bert.BertOnlyMLMHead": _in_turn("predictions"),
    "models.bert.modeling_bert.BertModel": _bert_model,
    "models.bert.modeling_bert.BertForMaskedLM": _on_bert("cls", 0),
    "models.bert.modeling_bert.BertForTokenClassification": _on_bert("classifier", 0),
    "models.bert.modeling_bert.BertForSequenceClassification": _on_bert("classifier", 1),
    "models.gpt2.modeling_gpt2.GPT2Attention": _gpt2_attention,
    "models.gpt2.modeling_gpt2.GPT2MLP": _in_turn("c_fc", "act", "c_proj"),
    "models.gpt2.modeling_gpt2.GPT2Block": _gpt2_block,
    "models.gpt2.modeling_gpt2.GPT2Model": _gpt2_model,
    "models.gpt2.modeling_gpt2.GPT2LMHeadModel": _in_turn("transformer", "lm_head"),
    **_like_llama("llama"),
    **_like_llama("mistral"),
    **_like_llama("qwen2"),
    "models.t5.modeling_t5.T5LayerNorm": _rms_norm,
    "models.t5.modeling_t5.T5DenseActDense": _in_turn("wi", "act", "wo"),
    "models.t5.modeling_t5.T5DenseGatedActDense": _gated("wi_0", "wi_1", "wo", "act"),
    "models.t5.modeling_t5.T5Stack": _t5_stack,
    "models.t5.modeling_t5.T5EncoderModel": _in_turn("encoder"),
    "models.t5.modeling_t5.T5Model": _t5_model,
    "models.t5.modeling_t5.T5ForConditionalGeneration": _t5_with_head,
}


def takes_two_sequences(m: nn.Module) -> bool:
    """Does it take a sequence, its mask and another sequence?"""
    return reader_of(m) in (_t5_model, _t5_with_head)


def reader_of(m: nn.Module) -> Callable[..., Any] | None:
    """The reader of a module of transformers, if there is one."""
    home, _, name = type(m).__module__.partition(".")
    if home != "transformers":
        return None
    return _pointwise if name == "activations" else READERS.get(f"{name}.{type(m).__name__}")
