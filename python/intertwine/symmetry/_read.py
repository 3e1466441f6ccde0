"""What torch.fx sees of a module, read into axes.

The graph of a module is run once on values that have dimensions and no numbers. Every operation has a reader, which
ties the axes of what it takes and gives and bounds their groups; an operation without one is an error that names it.
What a reader does not speak of is bound (`reads`); so is what an operation that moves numbers and computes nothing
(`carries`) does not give again. A reader may bound too much where the true group is no product of the kinds in `KINDS`
(the common rotations that rotary encodings leave). Where one bounds too little, as in a sum of two tensors of which an
axis that others are over has another place in each, the check lowers the factor.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.fx
import torch.nn.functional as F
from torch import nn

from ._axes import (
    FIXED,
    LINEAR,
    PERMUTATION,
    SIGNED,
    Axis,
    Dim,
    Mismatch,
    contract,
    forget,
    free,
    leaves,
    mix,
    restrict,
    size_of,
    take,
    unify,
)  # fmt: skip
from ._shapes import Shapes
from ._values import Value, fixed, inside, reads

__all__ = ["Reader"]

EVEN = {
    "relu", "relu_", "relu6", "gelu", "silu", "sigmoid", "mish", "elu", "selu", "celu", "softplus", "leaky_relu", "hardswish", "hardsigmoid", "logsigmoid",
    "exp", "abs", "square", "sqrt", "rsqrt", "log", "log1p", "expm1", "clamp", "clamp_min", "clamp_max", "cos", "cosh", "threshold", "reciprocal",
}  # fmt: skip
ODD = {"tanh", "softsign", "tanhshrink", "softshrink", "hardshrink", "sin", "sinh", "asinh", "atan", "erf", "sign"}
PASS = {
    "dropout", "contiguous", "clone", "detach", "neg", "float", "double", "half", "to", "type_as", "alpha_dropout", "feature_alpha_dropout", "dropout1d",
    "dropout2d", "dropout3d",
}  # fmt: skip
MODULES_EVEN = (
    nn.ReLU, nn.ReLU6, nn.GELU, nn.SiLU, nn.Sigmoid, nn.Mish, nn.ELU, nn.SELU, nn.CELU, nn.Softplus, nn.LeakyReLU, nn.Hardswish, nn.Hardsigmoid, nn.LogSigmoid,
    nn.Threshold,
)  # fmt: skip
MODULES_ODD = (nn.Tanh, nn.Softsign, nn.Tanhshrink, nn.Softshrink, nn.Hardshrink)
DROPOUTS = (nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout, nn.FeatureAlphaDropout)


def call_kind(f: Callable[..., Any]) -> int | None:
    """What an activation given as a function or module leaves of an axis, or None if it is not known."""
    if isinstance(f, nn.Module):
        return (
            PERMUTATION
            if type(f) in MODULES_EVEN
            else SIGNED
            if type(f) in MODULES_ODD
            else LINEAR
            if type(f) is nn.Identity
            else None
        )
    name = getattr(f, "__name__", "")
    if f is not getattr(F, name, None) and f is not getattr(torch, name, None):
        return None
    return PERMUTATION if name in EVEN else SIGNED if name in ODD else None


class Reader(Shapes):
    """The readers of layers and of arithmetic."""

    # --- Layers ---------------------------------------------------------------------------------------------------------------

    @reads
    def linear(self, x: Any, weight: str, bias: str | None, transposed: bool = False) -> Value:
        x = self.ready(x)
        rows, columns = reversed(self.use(weight)) if transposed else self.use(weight)
        unify(x.dims[-1], columns, dual=True)
        free(rows)
        self.alike(x.dims[:-1], bias)
        if bias is not None:
            unify(self.use(bias)[0], rows)
        return Value([*x.dims[:-1], rows], x.front, shift=((bias, rows),) if bias is not None else ())

    @staticmethod
    def alike(dims: Sequence[Dim], bias: str | None) -> None:
        """Places that a linear map treats alike. A bias is the same vector at all of them, which only permutations
        leave."""
        for dim in dims:
            restrict(dim, LINEAR if bias is None else PERMUTATION)

    @reads
    def conv(self, x: Any, weight: str, bias: str | None, groups: int, transposed: bool = False) -> Value:
        first_use = weight not in self.parameters
        w = self.use(weight)
        sites = len(w) - 2
        x = self.ready(x, 1, sites + 2)
        if len(x.dims) != sites + 2 or x.front:
            raise Mismatch(f"the input is taken as [batch, channels, {sites} dimensions], and has {len(x.dims)}")
        for dim in (*w[2:], *x.dims[2:]):
            restrict(dim, FIXED)
        self.alike(x.dims[:1], bias)
        outer, inner = w[0], w[1]
        if groups == 1:
            channels_in, channels_out = (outer, inner) if transposed else (inner, outer)
            unify(x.dims[1], channels_in, dual=True)
        else:
            # Channels are (group, channel of the group). A weight has its groups in the first axis, and the second is
            # over them.
            own = leaves(outer)
            group = take(own, groups)
            restrict(group, PERMUTATION)
            if first_use:
                for axis, _ in leaves(inner):
                    axis.over = tuple(a for a, _ in group)
            channels_in, channels_out = (
                ((*group, *own), (*group, *inner)) if transposed else ((*group, *inner), (*group, *own))
            )
            unify(x.dims[1], channels_in, dual=True)
        free(channels_out)
        if bias is not None:
            unify(self.use(bias)[0], channels_out)
        return Value(
            [x.dims[0], channels_out, *(fixed() for _ in range(sites))],
            shift=((bias, channels_out),) if bias is not None else (),
        )

    @reads
    def norm(
        self, x: Any, place: int, weight: str | None, bias: str | None, kind: int, running: Sequence[str] = (), rank: int | None = None,
        lost: list[tuple[str, Dim]] | None = None, along: bool = False,
    ) -> Value:  # fmt: skip
        """A normalisation with one number for each feature: a scale moves by |A|, a shift by A. To `lost` go the biases
        whose shift it takes away, where it subtracts the mean of every feature. `along`: it divides vectors of features
        by their lengths."""
        x = self.ready(x, place, rank)
        if place > 0 and x.front and len(x.dims) == 1:
            place = -1  # features of a batch: [batch, features]
        dim = x.dims[self.place(x, place)]
        others = [d for d in x.dims if d is not dim]
        restrict(dim, kind)
        for d in others:
            restrict(d, SIGNED if along else PERMUTATION)
        mix(*(([dim], others) if along else (others, [dim])))
        scales = [name for name in (weight, *running[1:2]) if name is not None]
        shifts = [name for name in (bias, *running[:1]) if name is not None]
        for name in scales:
            unify(self.use(name, absolute=True)[0], dim)
        for name in shifts:
            unify(self.use(name)[0], dim)
        if lost is not None:
            lost += inside(x.shift, [dim])
        return Value(list(x.dims), x.front)

    @reads
    def layer_norm(self, x: Any, count: int, weight: str | None, bias: str | None) -> Value:
        x = self.ready(x)
        for dim in x.dims:
            restrict(dim, PERMUTATION)
        for k in range(-count, 0):
            dim = x.dims[self.place(x, k)]
            for name in (weight, bias):
                if name is not None:
                    unify(self.use(name)[k], dim)
        mix(x.dims[-count:], x.dims[:-count])
        return Value(list(x.dims), x.front)

    def group_norm(self, x: Any, groups: int, weight: str | None, bias: str | None) -> Value:
        x = self.ready(x, 1)
        dim = x.dims[self.place(x, 1)] if not (x.front and len(x.dims) == 1) else x.dims[0]
        size = size_of(dim)
        if size is not None and size != groups:
            take(leaves(dim), groups)
        alone = size == groups  # every channel is a group
        return self.norm(x, 1, weight, bias, SIGNED if alone else PERMUTATION, lost=self.gauge if alone else None)

    @reads
    def attention(self, q: Value, k: Value, v: Value, causal: bool = False) -> Value:
        """softmax(q k^T) v on [..., heads, L, d]; q may have more heads than k and v (grouped queries)."""
        unify(k.dims[-2], v.dims[-2])
        for x in (q, k, v):
            restrict(x.dims[-2], FIXED if causal else PERMUTATION)
        free(v.dims[-1])
        for a, b in zip(k.dims[-3::-1], v.dims[-3::-1]):
            unify(a, b)
            restrict(a, PERMUTATION)
        for a, b in zip(q.dims[-3::-1], k.dims[-3::-1]):
            restrict(a, PERMUTATION)
            many, few = size_of(a), size_of(b)
            if few == 1 and many not in (1, None):  # one head of keys for all
                restrict(b, FIXED)
            elif many is not None and few is not None and many != few:
                if many % few:
                    raise Mismatch(f"{many} heads of queries for {few} of keys")
                unify(take(leaves(a), few), b)
            else:
                unify(a, b)
        unify(q.dims[-1], k.dims[-1], dual=True)  # after the heads that they are over
        mix([q.dims[-2], k.dims[-2]], [d for x in (q, k, v) for d in (*x.dims[:-2], x.dims[-1])])
        self.gauge += inside(k.shift, [*k.dims[:-2], k.dims[-1]])
        return Value([*q.dims[:-1], v.dims[-1]], q.front)

    @reads
    def multihead(self, m: nn.MultiheadAttention, prefix: str, q: Any, k: Any, v: Any, masked: bool) -> Value:
        q, k, v = (self.ready(x, -1, 3) for x in (q, k, v))
        for x in (q, k, v):  # samples and tokens: a mask tells them apart
            for dim in x.dims[:-1]:
                restrict(dim, FIXED if masked else PERMUTATION)
        for a, b in zip(k.dims[-2::-1], v.dims[-2::-1]):
            unify(a, b)
        if len(q.dims) > 2 and len(k.dims) > 2:
            samples = -3 if m.batch_first else -2
            unify(q.dims[samples], k.dims[samples])
        heads = Axis(m.num_heads, PERMUTATION)
        keys, values = (Axis(m.head_dim, LINEAR, (heads,)) for _ in range(2))
        h = (heads, False)
        parts: tuple[Dim, ...] = ((h, (keys, False)), (h, (keys, True)), (h, (values, False)))
        if m.in_proj_weight is not None:
            whole = Axis(3 * m.embed_dim)
            whole.parts = parts
            rows, columns = self.use(f"{prefix}in_proj_weight")
            unify(((whole, False),), rows)
            for x in (q, k, v):
                unify(x.dims[-1], columns, dual=True)
        else:
            for x, part, letter in zip((q, k, v), parts, "qkv"):
                rows, columns = self.use(f"{prefix}{letter}_proj_weight")
                unify(part, rows)
                unify(x.dims[-1], columns, dual=True)
        if m.in_proj_bias is not None:
            whole = Axis(3 * m.embed_dim)
            whole.parts = parts
            unify(((whole, False),), self.use(f"{prefix}in_proj_bias")[0])
            if m.bias_k is None and not m.add_zero_attn:
                self.gauge.append((f"{prefix}in_proj_bias", parts[1]))
        if m.bias_k is not None:
            for name, part in (("bias_k", parts[1]), ("bias_v", parts[2])):
                one, another, features = self.use(prefix + name)
                restrict((*one, *another), FIXED)
                unify(part, features)
        mixed = Value([*q.dims[:-1], parts[2]], q.front)
        return self.linear(
            mixed, f"{prefix}out_proj.weight", f"{prefix}out_proj.bias" if m.out_proj.bias is not None else None
        )

    def activation(self, x: Any, f: Callable[..., Any]) -> Value:
        kind = call_kind(f)
        if kind is None:
            raise Mismatch(
                f"whether the activation {getattr(f, '__name__', None) or type(f).__name__} is odd is not known"
            )
        return self.pointwise(x, kind)

    def encoder_layer(
        self,
        m: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer,
        prefix: str,
        x: Any,
        memory: Any = None,
        masked: bool = False,
    ) -> Value:
        x = self.ready(x, -1, 3)
        norms = iter((m.norm1, m.norm2, getattr(m, "norm3", None)))
        names = iter(("norm1.", "norm2.", "norm3."))

        def sublayer(x: Value, f: Callable[[Value], Value]) -> Value:
            norm, name = next(norms), next(names)
            assert norm is not None
            if m.norm_first:
                return self.add(x, f(self.call_module(norm, prefix + name, [x], {})))
            return self.call_module(norm, prefix + name, [self.add(x, f(x))], {})  # type: ignore[no-any-return]

        x = sublayer(x, lambda y: self.multihead(m.self_attn, f"{prefix}self_attn.", y, y, y, masked))
        if isinstance(m, nn.TransformerDecoderLayer):
            cross = f"{prefix}multihead_attn."
            x = sublayer(x, lambda y: self.multihead(m.multihead_attn, cross, y, memory, memory, masked))

        def feed_forward(y: Value) -> Value:
            hidden = self.activation(self.call_module(m.linear1, f"{prefix}linear1.", [y], {}), m.activation)
            return self.call_module(m.linear2, f"{prefix}linear2.", [hidden], {})  # type: ignore[no-any-return]

        return sublayer(x, feed_forward)

    # --- Elementwise ----------------------------------------------------------------------------------------------------------

    @reads
    def pointwise(self, x: Any, kind: int) -> Value:
        x = self.ready(x)
        for dim in x.dims:
            restrict(dim, kind)
        return Value(list(x.dims), x.front)

    def together(self, *values: Any) -> Value:
        """An elementwise function of several tensors: they move alike."""
        first, *rest = (self.pointwise(v, PERMUTATION) for v in values)
        for v in rest:
            first = self.add(first, v)
        return first

    @reads
    def add(self, a: Any, b: Any) -> Value:
        """A sum: both sides move alike. What is the same along a moving axis leaves its permutations."""
        a, b = self.ready(a), self.ready(b)
        dims: list[Dim] = []
        for k in range(max(len(a.dims), len(b.dims)), 0, -1):  # heads before what is over them
            pair = [x.dims[-k] for x in (a, b) if k <= len(x.dims)]
            if len(pair) == 1:
                restrict(
                    pair[0], FIXED if (a.front and len(a.dims) < k) or (b.front and len(b.dims) < k) else PERMUTATION
                )
            elif 1 in (sizes := [size_of(d) for d in pair]) and sizes != [1, 1]:
                pair = [d for d, s in zip(pair, sizes) if s != 1]
                restrict(pair[0], PERMUTATION)
            else:
                unify(*pair)
            dims.append(pair[0])
        return Value(dims, a.front or b.front, constant_along_keys=a.constant_along_keys + b.constant_along_keys)

    @reads
    def multiply(self, a: Any, b: Any) -> Value:
        if isinstance(a, Value) and a.parameter is not None:
            a, b = b, a
        a = self.ready(a)
        if isinstance(b, Value) and b.parameter is not None and self._tensors[b.parameter].dim() <= len(a.dims):
            return self._scale(a, b.parameter)
        b = self.ready(b)
        dims: list[Dim] = []
        for k in range(max(len(a.dims), len(b.dims)), 0, -1):  # heads before what is over them
            pair = [x.dims[-k] for x in (a, b) if k <= len(x.dims)]
            sizes = [size_of(d) for d in pair]
            if len(pair) == 2 and 1 in sizes and sizes != [1, 1]:
                pair = [d for d, s in zip(pair, sizes) if s != 1]  # a number times a vector
                free(pair[0])
            elif len(pair) == 2:
                restrict(pair[0], PERMUTATION)
                unify(*pair)
            else:
                restrict(pair[0], FIXED if (a.front and len(a.dims) < k) or (b.front and len(b.dims) < k) else LINEAR)
            dims.append(pair[0])
        return Value(dims, a.front or b.front)

    def _scale(self, a: Value, name: str) -> Value:
        """One number of a parameter for each feature, which moves by |A|."""
        scale, dims = self.use(name, absolute=True), list(a.dims)
        for k, dim in enumerate(reversed(dims), 1):
            own = scale[-k] if k <= len(scale) else None
            if own is None or size_of(own) == 1:  # the same number for all
                free(dim)
            elif size_of(dim) == 1:  # stretched over the numbers
                restrict(own, FIXED)
                dims[-k] = fixed(size_of(own))
            else:
                restrict(own, SIGNED)
                unify(dim, own)
        return Value(dims, a.front)

    def binary(self, name: str, a: Any, b: Any) -> Any:
        if not isinstance(a, Value) and not isinstance(b, Value):
            return _on_lengths(name, a, b)
        if isinstance(a, Value) and isinstance(b, Value):
            if name in ("add", "sub"):
                return self.add(a, b)
            if name not in ("mul", "div", "truediv"):
                return self.together(a, b)
            if name != "mul":
                b = self.pointwise(b, PERMUTATION) if b.parameter is None else b
            return self.multiply(a, b)
        return self._with_a_number(name, a, b)

    @reads
    def _with_a_number(self, name: str, a: Any, b: Any) -> Value:
        x = self.ready(a if isinstance(a, Value) else b)
        if name == "mul" or (name in ("div", "truediv") and x is a):
            for dim in x.dims:
                free(dim)
            return Value(list(x.dims), x.front, shift=x.shift, constant_along_keys=x.constant_along_keys)
        if name == "pow" and x is a:
            return self.pointwise(x, SIGNED if isinstance(b, int) and b % 2 else PERMUTATION)
        return self.pointwise(x, PERMUTATION)

    @reads
    def matmul(self, a: Any, b: Any) -> Value:
        a, b = self.ready(a), self.ready(b)
        if len(b.dims) < 2 or len(a.dims) < 1 or (b.front and a.front):
            raise Mismatch("a product of matrices whose ranks are not known; pass example_inputs")
        batch: list[Dim] = []
        for k in range(max(len(a.dims), len(b.dims)), 2, -1):
            pair = [x.dims[-k] for x in (a, b) if k <= len(x.dims)]
            if len(pair) == 2:
                pair = [d for d in pair if size_of(d) != 1] or pair[:1]
                if len(pair) == 2:
                    restrict(pair[0], PERMUTATION)
                    unify(*pair)
            free(pair[0])
            batch.append(pair[0])
        unify(a.dims[-1], b.dims[-2], dual=True)
        apart = [*a.dims[-2:-1], b.dims[-1]]
        for dim in apart:
            free(dim)
        contract([a.dims[-1]], batch, apart)
        shifted = inside(b.shift, [*b.dims[:-2], b.dims[-2]])
        return Value([*batch, *a.dims[-2:-1], b.dims[-1]], a.front or b.front, constant_along_keys=shifted)

    def softmax(self, x: Any, dim: int) -> Value:
        x = self.ready(x)
        dim = self.place(x, dim)
        if dim == -1:
            self.gauge += x.constant_along_keys
        mix([x.dims[dim]], [d for k, d in enumerate(x.dims, -len(x.dims)) if k != dim])
        return self.pointwise(x, PERMUTATION)

    @reads
    def reduce(self, x: Any, dims: Any, keepdim: bool, linear: bool) -> Value:
        x = self.ready(x)
        everything = dims is None or dims in ((), [])
        if not linear or everything:
            x = self.pointwise(x, PERMUTATION)
        if everything:
            return Value([])
        places = [self.place(x, d) for d in ((dims,) if isinstance(dims, int) else dims)]
        kept: list[Dim] = []
        for k in range(-len(x.dims), 0):
            if k not in places:
                free(x.dims[k])
                kept.append(x.dims[k])
            elif keepdim:
                kept.append(fixed(1))
        for k in places:
            restrict(x.dims[k], PERMUTATION)
            for axis, _ in leaves(x.dims[k]):
                forget(kept, axis)
        return Value(kept, x.front)

    # --- The graph: _graph.py ---------------------------------------------------------------------------------------------------

    def call_module(self, m: nn.Module, prefix: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """What a module makes of values."""
        raise NotImplementedError

    def in_modes(self, part: str, argument: Callable[[torch.fx.Node], Any]) -> list[tuple[Any, bool]]:
        """An argument of the node that is read, and whether a part of the module trains, in several modes.

        Any two parts differ in some of the modes, either way round: an argument that is the part's own mode in all of
        them is no other one's. Empty where the graph itself depends on modes.
        """
        raise NotImplementedError


def _on_lengths(name: str, a: Any, b: Any) -> Any:
    if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        raise Mismatch("arithmetic with a size that is not known; pass example_inputs")
    return getattr(operator, "truediv" if name == "div" else name)(a, b)
