"""Readers of the BERT and GPT-2 of transformers, which torch.fx cannot trace. Modules are known by their names, and
nothing is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from ._axes import PERMUTATION, Mismatch
from ._read import Reader
from ._values import Value

__all__ = ["reader_of"]


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


def _attention(r: Reader, q: Value, k: Value, v: Value, head_size: int, causal: bool = False) -> Value:
    """[batch, tokens, heads x head_size], thrice, to the same."""
    heads = [r.transpose(r.reshape(x, [*r.lengths(x)[:-1], -1, head_size]), -2, -3) for x in (q, k, v)]
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
}


def reader_of(m: nn.Module) -> Callable[..., Any] | None:
    """The reader of a module of transformers, if there is one."""
    home, _, name = type(m).__module__.partition(".")
    if home != "transformers":
        return None
    return _pointwise if name == "activations" else READERS.get(f"{name}.{type(m).__name__}")
