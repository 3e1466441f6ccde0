"""What torch.fx sees of a module, read into axes.

The graph of a module is run once on values that have dimensions and no numbers. Every operation has a reader, which ties the axes of
what it takes and gives and bounds their groups; an operation without one is an error that names it. A reader may bound too much where
the true group is no product of the kinds in `KINDS` (the common rotations that rotary encodings leave); it never bounds too little.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.fx
import torch.nn.functional as F
from torch import Tensor, nn

from .. import DomainError
from ._axes import FIXED, LINEAR, ORTHOGONAL, PERMUTATION, SIGNED, Axis, Dim, Mismatch, chunk, forget, leaves, restrict, size_of, take, unify

__all__ = ["Parameter", "Reader", "Value", "read"]


def fixed(size: int | None = None) -> Dim:
    """A dimension that nothing moves: samples, positions, sites."""
    return ((Axis(size, FIXED), False),)


@dataclass(eq=False)
class Value:
    """A tensor in the graph: its dimensions, from the last one backwards if `front` (any number of fixed ones before)."""

    dims: list[Dim] = field(default_factory=list)
    front: bool = False
    fresh: bool = False
    """An input of which nothing has been said yet."""
    rank: int | None = None
    parameter: str | None = None
    """The name, if it is a parameter itself."""
    shift: tuple[tuple[str, Dim], ...] = ()
    """Biases (and which part of them) that add the same vector at every position."""
    constant_along_keys: tuple[tuple[str, Dim], ...] = ()
    """Scores of attention: parts of biases that add the same number to all scores of a query."""


@dataclass(eq=False)
class Stack(Value):
    """Tensors of unlike axes along one more dimension."""

    at: int = 0
    values: list[Value] = field(default_factory=list)


class Restart(Exception):
    """A parameter's axis turned out to be a concatenation: (name, axis, number of parts)."""


@dataclass
class Parameter:
    """A parameter or buffer, under all of its names."""

    names: list[str]
    shape: tuple[int, ...]
    dims: list[Dim]
    absolute: list[bool | None]
    """Of each axis: does it move by |A| (a scale), by A, or is it not used yet?"""
    uses: int = 0


Length = int | Dim
"""What a size of a tensor is to a reader: a number, or that of a dimension."""

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
        return PERMUTATION if type(f) in MODULES_EVEN else SIGNED if type(f) in MODULES_ODD else LINEAR if type(f) is nn.Identity else None
    name = getattr(f, "__name__", "")
    if f is not getattr(F, name, None) and f is not getattr(torch, name, None):
        return None
    return PERMUTATION if name in EVEN else SIGNED if name in ODD else None


class Reader:
    """The state of one reading."""

    def __init__(self, module: nn.Module, io: str, example: Sequence[Any] | None, joined: Sequence[tuple[str, int, int]] = ()) -> None:
        self.module, self.example, self.joined = module, example, joined
        self.end = FIXED if io == "fixed" else PERMUTATION
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self.gauge: list[tuple[str, Dim]] = []
        self.ends: list[tuple[str, Dim]] = []
        """Where shifts end, by an operation that does not pass them on."""
        self.parameters: dict[str, Parameter] = {}
        self._tensors: dict[str, Tensor] = dict(module.named_parameters(remove_duplicate=False)) | dict(module.named_buffers(remove_duplicate=False))
        self._buffers = {name for name, _ in module.named_buffers(remove_duplicate=False)}
        self._by_tensor: dict[int, Parameter] = {}

    # --- Parameters and inputs ------------------------------------------------------------------------------------------------

    def use(self, name: str, absolute: Sequence[bool] | bool = False) -> list[Dim]:
        """The dimensions of a parameter; the same ones for every use and every name of one tensor."""
        tensor = self._tensors[name]
        record = self._by_tensor.get(id(tensor))
        if record is None:
            dims: list[Dim] = [((Axis(size), False),) for size in tensor.shape]
            names = [n for n, t in self._tensors.items() if t is tensor]
            record = self._by_tensor[id(tensor)] = Parameter(names, tuple(tensor.shape), dims, [None] * tensor.dim())
            for n in names:
                self.parameters[n] = record
            for n, axis, count in self.joined:
                if n == name:
                    dims[axis][0][0].parts = tuple(((Axis(tensor.shape[axis] // count), False),) for _ in range(count))
        record.uses += 1
        for axis, dim in enumerate(record.dims):
            flag = absolute if isinstance(absolute, bool) else absolute[axis]
            if record.absolute[axis] not in (None, flag):
                restrict(dim, PERMUTATION)
            record.absolute[axis] = flag
        return record.dims

    def ready(self, x: Any, feature: int = -1, rank: int | None = None) -> Value:
        """A tensor whose dimensions are wanted. An input is given them by what reads it first: features at `feature`."""
        if not isinstance(x, Value) or isinstance(x, Stack):
            raise Mismatch(f"a tensor is wanted here, not {'a stack of unlike ones' if isinstance(x, Stack) else type(x).__name__}")
        if x.fresh:
            x.fresh = False
            sizes = self._sizes(x)
            if sizes is None and rank is None:
                x.dims, x.front = [((Axis(None, self.end), False),)], True
            else:
                count = len(sizes) if sizes is not None else rank or 0
                x.dims = [fixed(sizes[i] if sizes else None) for i in range(count)]
                x.dims[feature] = ((Axis(sizes[feature] if sizes else None, self.end), False),)
        elif x.parameter is not None:
            x.dims = self.use(x.parameter)
            for dim in x.dims:
                if size_of(dim) == 1:  # it is stretched over others
                    restrict(dim, FIXED)
        return x

    def _sizes(self, x: Value) -> tuple[int, ...] | None:
        place = next(k for k, v in enumerate(self.inputs) if v is x)
        if self.example is None or place >= len(self.example):
            return None
        return tuple(self.example[place].shape) if isinstance(self.example[place], Tensor) else ()

    @staticmethod
    def place(x: Value, dim: int) -> int:
        """The index of a dimension, from the end."""
        if dim >= 0 and x.front:
            raise Mismatch(f"dimension {dim} of a tensor whose rank is not known; pass example_inputs")
        dim = dim - len(x.dims) if dim >= 0 else dim
        if -dim > len(x.dims):
            raise Mismatch("a dimension that is not known; pass example_inputs")
        return dim

    # --- Layers ---------------------------------------------------------------------------------------------------------------

    def linear(self, x: Any, weight: str, bias: str | None) -> Value:
        x = self.ready(x)
        rows, columns = self.use(weight)
        unify(x.dims[-1], columns, dual=True)
        if bias is not None:
            unify(self.use(bias)[0], rows)
        return Value([*x.dims[:-1], rows], x.front, shift=((bias, rows),) if bias is not None else ())

    def conv(self, x: Any, weight: str, bias: str | None, groups: int, transposed: bool = False) -> Value:
        first_use = weight not in self.parameters
        w = self.use(weight)
        sites = len(w) - 2
        x = self.ready(x, 1, sites + 2)
        if len(x.dims) != sites + 2 or x.front:
            raise Mismatch(f"the input is taken as [batch, channels, {sites} dimensions], and has {len(x.dims)}")
        for dim in w[2:]:
            restrict(dim, FIXED)
        outer, inner = w[0], w[1]
        if groups == 1:
            channels_in, channels_out = (outer, inner) if transposed else (inner, outer)
            unify(x.dims[1], channels_in, dual=True)
        else:
            # Channels are (group, channel of the group). A weight has its groups in the first axis, and the second is over them.
            own = leaves(outer)
            group = take(own, groups)
            restrict(group, PERMUTATION)
            if first_use:
                for axis, _ in leaves(inner):
                    axis.over = tuple(a for a, _ in group)
            channels_in, channels_out = ((*group, *own), (*group, *inner)) if transposed else ((*group, *inner), (*group, *own))
            unify(x.dims[1], channels_in, dual=True)
        if bias is not None:
            unify(self.use(bias)[0], channels_out)
        return Value([x.dims[0], channels_out, *(fixed() for _ in range(sites))])

    def norm(self, x: Any, place: int, weight: str | None, bias: str | None, kind: int, running: Sequence[str] = (), rank: int | None = None) -> Value:
        """A normalisation with one number for each feature: a scale moves by |A|, a shift by A."""
        x = self.ready(x, place, rank)
        if place > 0 and x.front and len(x.dims) == 1:
            place = -1  # features of a batch: [batch, features]
        dim = x.dims[self.place(x, place)]
        restrict(dim, kind)
        scales = [name for name in (weight, *running[1:2]) if name is not None]
        shifts = [name for name in (bias, *running[:1]) if name is not None]
        for name in scales:
            unify(self.use(name, absolute=True)[0], dim)
        for name in shifts:
            unify(self.use(name)[0], dim)
        return Value(list(x.dims), x.front)

    def layer_norm(self, x: Any, count: int, weight: str | None, bias: str | None) -> Value:
        x = self.ready(x)
        for k in range(-count, 0):
            dim = x.dims[self.place(x, k)]
            restrict(dim, PERMUTATION)
            for name in (weight, bias):
                if name is not None:
                    unify(self.use(name)[k], dim)
        return Value(list(x.dims), x.front)

    def group_norm(self, x: Any, groups: int, weight: str | None, bias: str | None) -> Value:
        x = self.ready(x, 1)
        dim = x.dims[self.place(x, 1)] if not (x.front and len(x.dims) == 1) else x.dims[0]
        size = size_of(dim)
        if size is not None and size != groups:
            take(leaves(dim), groups)
        return self.norm(x, 1, weight, bias, SIGNED if size == groups else PERMUTATION)

    def attention(self, q: Value, k: Value, v: Value, scores_are_shifted: bool = False) -> Value:
        """softmax(q k^T) v on [..., heads, L, d]; q may have more heads than k and v (grouped queries)."""
        unify(k.dims[-2], v.dims[-2])
        for x in (q, k, v):
            restrict(x.dims[-2], FIXED)
        for a, b in zip(k.dims[-3::-1], v.dims[-3::-1]):
            unify(a, b)
            restrict(a, PERMUTATION)
        for a, b in zip(q.dims[-3::-1], k.dims[-3::-1]):
            restrict(a, PERMUTATION)
            many, few = size_of(a), size_of(b)
            if many is not None and few is not None and many != few and few > 1:
                if many % few:
                    raise Mismatch(f"{many} heads of queries for {few} of keys")
                unify(take(leaves(a), few), b)
            else:
                unify(a, b)
        unify(q.dims[-1], k.dims[-1], dual=True)  # after the heads that they are over
        if not scores_are_shifted:
            self.gauge += _inside(k.shift, [*k.dims[:-2], k.dims[-1]])
        return Value([*q.dims[:-1], v.dims[-1]], q.front)

    def multihead(self, m: nn.MultiheadAttention, prefix: str, q: Any, k: Any, v: Any) -> Value:
        q, k, v = (self.ready(x, -1, 3) for x in (q, k, v))
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
        return self.linear(mixed, f"{prefix}out_proj.weight", f"{prefix}out_proj.bias" if m.out_proj.bias is not None else None)

    def activation(self, x: Any, f: Callable[..., Any]) -> Value:
        kind = call_kind(f)
        if kind is None:
            raise Mismatch(f"whether the activation {getattr(f, '__name__', None) or type(f).__name__} is odd is not known")
        return self.pointwise(x, kind)

    def encoder_layer(self, m: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer, prefix: str, x: Any, memory: Any = None) -> Value:
        x = self.ready(x, -1, 3)
        norms = iter((m.norm1, m.norm2, getattr(m, "norm3", None)))
        names = iter(("norm1.", "norm2.", "norm3."))

        def sublayer(x: Value, f: Callable[[Value], Value]) -> Value:
            norm, name = next(norms), next(names)
            assert norm is not None
            if m.norm_first:
                return self.add(x, f(self.call_module(norm, prefix + name, [x], {})))
            return self.call_module(norm, prefix + name, [self.add(x, f(x))], {})  # type: ignore[no-any-return]

        x = sublayer(x, lambda y: self.multihead(m.self_attn, f"{prefix}self_attn.", y, y, y))
        if isinstance(m, nn.TransformerDecoderLayer):
            x = sublayer(x, lambda y: self.multihead(m.multihead_attn, f"{prefix}multihead_attn.", y, memory, memory))

        def feed_forward(y: Value) -> Value:
            hidden = self.activation(self.call_module(m.linear1, f"{prefix}linear1.", [y], {}), m.activation)
            return self.call_module(m.linear2, f"{prefix}linear2.", [hidden], {})  # type: ignore[no-any-return]

        return sublayer(x, feed_forward)

    # --- Elementwise ----------------------------------------------------------------------------------------------------------

    def pointwise(self, x: Any, kind: int) -> Value:
        x = self.ready(x)
        for dim in x.dims:
            restrict(dim, kind)
        return Value(list(x.dims), x.front)

    def add(self, a: Any, b: Any) -> Value:
        """A sum: both sides move alike. What is the same along a moving axis leaves its permutations."""
        a, b = self.ready(a), self.ready(b)
        dims: list[Dim] = []
        for k in range(max(len(a.dims), len(b.dims)), 0, -1):  # heads before what is over them
            pair = [x.dims[-k] for x in (a, b) if k <= len(x.dims)]
            if len(pair) == 1:
                restrict(pair[0], FIXED if (a.front and len(a.dims) < k) or (b.front and len(b.dims) < k) else PERMUTATION)
            elif 1 in (sizes := [size_of(d) for d in pair]) and sizes != [1, 1]:
                pair = [d for d, s in zip(pair, sizes) if s != 1]
                restrict(pair[0], PERMUTATION)
            else:
                unify(*pair)
            dims.append(pair[0])
        return Value(dims, a.front or b.front, constant_along_keys=a.constant_along_keys + b.constant_along_keys if self._only_one(a, b) else ())

    @staticmethod
    def _only_one(a: Value, b: Value) -> bool:
        """Scores plus a mask are scores."""
        return not (a.constant_along_keys and b.constant_along_keys)

    def multiply(self, a: Any, b: Any) -> Value:
        if isinstance(a, Value) and a.parameter is not None:
            a, b = b, a
        a = self.ready(a)
        if isinstance(b, Value) and b.parameter is not None and self._tensors[b.parameter].dim() <= len(a.dims):
            scale = self.use(b.parameter, absolute=True)  # one number a feature
            for k, dim in enumerate(reversed(scale), 1):
                if size_of(dim) == 1:
                    restrict(dim, FIXED)
                else:
                    restrict(dim, SIGNED)
                    unify(a.dims[-k], dim)
            return Value(list(a.dims), a.front)
        b = self.ready(b)
        dims: list[Dim] = []
        for k in range(max(len(a.dims), len(b.dims)), 0, -1):  # heads before what is over them
            pair = [x.dims[-k] for x in (a, b) if k <= len(x.dims)]
            sizes = [size_of(d) for d in pair]
            if len(pair) == 2 and 1 in sizes and sizes != [1, 1]:
                pair = [d for d, s in zip(pair, sizes) if s != 1]  # a number times a vector
            elif len(pair) == 2:
                restrict(pair[0], PERMUTATION)
                unify(*pair)
            elif (a.front and len(a.dims) < k) or (b.front and len(b.dims) < k):
                restrict(pair[0], FIXED)
            dims.append(pair[0])
        return Value(dims, a.front or b.front)

    def binary(self, name: str, a: Any, b: Any) -> Any:
        if not isinstance(a, Value) and not isinstance(b, Value):
            return _on_lengths(name, a, b)
        if isinstance(a, Value) and isinstance(b, Value):
            if name in ("add", "sub"):
                return self.add(a, b)
            if name in ("div", "truediv"):
                b = self.pointwise(b, PERMUTATION) if b.parameter is None else b
            return self.multiply(a, b)
        x = self.ready(a if isinstance(a, Value) else b)
        if name == "mul" or (name in ("div", "truediv") and x is a):
            return Value(list(x.dims), x.front, shift=x.shift, constant_along_keys=x.constant_along_keys)
        if name == "pow" and x is a:
            return self.pointwise(x, SIGNED if isinstance(b, int) and b % 2 else PERMUTATION)
        return self.pointwise(x, PERMUTATION)

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
            batch.append(pair[0])
        unify(a.dims[-1], b.dims[-2], dual=True)
        shifted = _inside(b.shift, [*b.dims[:-2], b.dims[-2]])
        return Value([*batch, *a.dims[-2:-1], b.dims[-1]], a.front or b.front, constant_along_keys=shifted)

    def softmax(self, x: Any, dim: int) -> Value:
        x = self.ready(x)
        dim = self.place(x, dim)
        if dim == -1:
            self.gauge += x.constant_along_keys
        return self.pointwise(x, PERMUTATION)

    def reduce(self, x: Any, dims: Any, keepdim: bool, linear: bool) -> Value:
        x = self.ready(x)
        if not linear or dims is None:
            x = self.pointwise(x, PERMUTATION)
        if dims is None:
            return Value([])
        places = [self.place(x, d) for d in ((dims,) if isinstance(dims, int) else dims)]
        kept: list[Dim] = []
        for k in range(-len(x.dims), 0):
            if k not in places:
                kept.append(x.dims[k])
            elif keepdim:
                kept.append(fixed(1))
        for k in places:
            restrict(x.dims[k], PERMUTATION)
            for axis, _ in leaves(x.dims[k]):
                forget(kept, axis)
        return Value(kept, x.front)

    # --- Shapes ---------------------------------------------------------------------------------------------------------------

    def lengths(self, x: Any) -> list[Length]:
        x = self.ready(x) if not (isinstance(x, Value) and x.fresh and self._sizes(x) is not None) else x
        if x.fresh:
            return list(self._sizes(x) or ())
        if x.front:
            raise Mismatch("the rank of this tensor is not known; pass example_inputs")
        sizes = [size_of(dim) for dim in x.dims]
        return [dim if size is None else size for dim, size in zip(x.dims, sizes)]

    def flatten(self, x: Any, start: int, end: int) -> Value:
        if isinstance(x, Value) and x.fresh and start == 1 and end == -1:
            x.fresh = False
            sizes = self._sizes(x)
            total = int(torch.Size(sizes[1:]).numel()) if sizes else None
            x.dims, x.front = [fixed(sizes[0] if sizes else None), ((Axis(total, self.end), False),)], False
            return x
        x = self.ready(x)
        first, last = self.place(x, start), self.place(x, end)
        count = len(x.dims)
        merged = tuple(leaf for dim in x.dims[count + first : count + last + 1] for leaf in leaves(dim))
        return Value([*x.dims[: count + first], merged, *x.dims[count + last + 1 :]], x.front, shift=x.shift)

    def reshape(self, x: Any, target: Sequence[Any]) -> Value:
        if isinstance(x, Value) and x.fresh and len(target) == 2 and (target[0] == -1 or not isinstance(target[0], int) or target[1] == -1):
            return self.flatten(x, 1, -1)
        x = self.ready(x)
        if x.front:
            raise Mismatch("a reshape of a tensor whose rank is not known; pass example_inputs")
        rest = [leaf for dim in x.dims for leaf in leaves(dim)]
        hole = list(target).index(-1) if -1 in target else len(target)
        before: list[Dim] = []
        for k, t in enumerate(target[:hole]):
            parts = rest[0][0].parts if rest else None
            if parts is not None and t == len(parts) and len({size_of(p) for p in parts}) == 1:
                values = []
                for part in parts:
                    own = tuple((axis, dual ^ rest[0][1]) for axis, dual in part)
                    inner = self.reshape(Value([own, tuple(rest[1:])]), target[k + 1 :])
                    values.append(Value([*before, *inner.dims], shift=_cut(x.shift, ((rest[0][0], rest[0][1]),), own)))
                return Stack(at=k, values=values)
            before.append(self._front(rest, t))
        if hole == len(target):
            if any(leaf.size != 1 for leaf, _ in rest):
                raise Mismatch(f"the reshape to {[t if isinstance(t, int) else '?' for t in target]} leaves something over")
            return Value(before, shift=x.shift)
        after: list[Dim] = []
        for t in reversed(target[hole + 1 :]):
            if not isinstance(t, int):
                raise Mismatch("a size behind a -1 is unknown; pass example_inputs")
            after.insert(0, self._back(rest, t))
        return Value([*before, tuple(rest) or fixed(1), *after], shift=x.shift)

    @staticmethod
    def _front(rest: list[tuple[Axis, bool]], t: Length) -> Dim:
        if isinstance(t, int):
            return take(rest, t) or fixed(1)
        found = leaves(t)
        if [a for a, _ in rest[: len(found)]] != [a for a, _ in found]:
            raise Mismatch("a size of another tensor")
        taken = tuple(rest[: len(found)])
        del rest[: len(found)]
        return taken

    @staticmethod
    def _back(rest: list[tuple[Axis, bool]], size: int) -> Dim:
        """Leaves of this size from the end. Unknown sizes are those of sites, and go to the last dimension that is asked for."""
        taken: list[tuple[Axis, bool]] = []
        there = 1
        while there < size or (rest and rest[-1][0].size is None and len(rest) > 1):
            if not rest:
                raise Mismatch("the sizes do not multiply to the same number")
            leaf, dual = rest.pop()
            if leaf.size is None:
                if not rest:
                    raise Mismatch("a size is unknown; pass example_inputs")
                taken.insert(0, (leaf, dual))
                continue
            if there * leaf.size > size:
                if size % there or leaf.size % (size // there):
                    raise Mismatch(f"{leaf.size} is cut into pieces of {size}")
                kept = take(pieces := [(leaf, dual)], leaf.size // (size // there))
                rest += kept
                taken[:0] = pieces
                there = size
            else:
                taken.insert(0, (leaf, dual))
                there *= leaf.size
        holes = [leaf for leaf, _ in taken if leaf.size is None]
        if size % there:
            raise Mismatch("the sizes do not multiply to the same number")
        for k, leaf in enumerate(holes):
            leaf.size = size // there if k == 0 else 1
        return tuple(taken) or fixed(1)

    def permute(self, x: Any, order: Sequence[int]) -> Value:
        if isinstance(x, Stack):
            rest = [k - (k > x.at) for k in order if k != x.at]
            return Stack(at=list(order).index(x.at), values=[self.permute(v, rest) for v in x.values])
        x = self.ready(x)
        if x.front:
            raise Mismatch("a permutation of dimensions of a tensor whose rank is not known; pass example_inputs")
        return Value([x.dims[k] for k in order], shift=x.shift)

    def transpose(self, x: Any, i: int, j: int) -> Value:
        x = self.ready(x)
        a, b = self.place(x, i), self.place(x, j)
        dims = list(x.dims)
        dims[a], dims[b] = dims[b], dims[a]
        return Value(dims, x.front, shift=x.shift)

    def pieces(self, x: Any, sizes: int | Sequence[int], dim: int, count: bool) -> list[Value]:
        """torch.chunk (count) and torch.split."""
        x = self.ready(x)
        place = self.place(x, dim)
        if isinstance(sizes, int):
            total = size_of(x.dims[place])
            if total is None:
                raise Mismatch("a dimension of unknown size is cut; pass example_inputs")
            step = -(-total // sizes) if count else sizes
            sizes = [min(step, total - k) for k in range(0, total, step)]
        found = []
        for piece in chunk(x.dims[place], sizes):
            dims = list(x.dims)
            dims[place] = piece
            found.append(Value(dims, x.front, shift=_cut(x.shift, x.dims[place], piece)))
        return found

    def cat(self, values: Sequence[Any], dim: int) -> Value:
        ready = [self.ready(v) for v in values]
        place = self.place(ready[0], dim)
        whole = Axis(None)
        whole.parts = tuple(v.dims[place] for v in ready)
        sizes = [size_of(p) for p in whole.parts]
        whole.size = sum(s for s in sizes if s is not None) if None not in sizes else None
        if all(leaf.kind == FIXED for p in whole.parts for leaf, _ in leaves(p)):
            whole = Axis(whole.size, FIXED)
        elif whole.size is None:
            raise Mismatch("features of unknown size are concatenated; pass example_inputs")
        dims = list(ready[0].dims)
        for k in range(-len(dims), 0):
            for v in ready[1:]:
                if k != place and -k <= len(v.dims):
                    restrict(dims[k], PERMUTATION)
                    unify(dims[k], v.dims[k])
        dims[place] = ((whole, False),)
        return Value(dims, any(v.front for v in ready))

    def getitem(self, x: Any, index: Any) -> Any:
        if isinstance(x, Stack):
            return x.values[self._index_of_stack(x, index)]
        if not isinstance(x, Value):
            return x[index]
        x = self.ready(x)
        index = index if isinstance(index, tuple) else (index,)
        if any(not isinstance(i, (int, slice, type(None), type(...))) for i in index):
            raise Mismatch("an index that is a tensor")
        used = sum(i is not None and i is not ... for i in index)
        if ... not in index:
            index = (*index, ...)
        at = index.index(...)
        if x.front and any(i is not None and i != slice(None) for i in index[:at]):
            raise Mismatch("an index into a tensor whose rank is not known; pass example_inputs")
        if used > len(x.dims):
            raise Mismatch("more indices than dimensions")
        dims, place, shift = [], 0, x.shift
        for k, i in enumerate(index):
            if i is None:
                dims.append(fixed(1))
            elif i is ...:
                dims += x.dims[place : place + len(x.dims) - used]
                place += len(x.dims) - used
            else:
                if isinstance(i, int):
                    self._stacked(x.dims[place])
                picked = self._pick(x.dims[place], i)
                shift = _cut(shift, x.dims[place], picked[0]) if picked and picked[0] is not x.dims[place] else shift
                dims += picked
                place += 1
        return Value(dims, x.front, shift=shift)

    @staticmethod
    def _index_of_stack(x: Stack, index: Any) -> int:
        index = index if isinstance(index, tuple) else (index,)
        full = (*index[: x.at], *index[x.at + 1 :])
        if len(index) <= x.at or not isinstance(index[x.at], int) or any(i not in (slice(None), ...) for i in full):
            raise Mismatch("a stack of queries, keys and values is only taken apart by one index")
        return int(index[x.at])

    def _stacked(self, dim: Dim) -> None:
        """An index into a dimension that others are over: queries, keys and values made by one layer and told apart by a reshape. The
        reading starts again, with the rows of that layer as a concatenation."""
        for axis, _ in leaves(dim):
            if axis.kind == FIXED or axis.size == 1:
                continue
            for name, record in self.parameters.items():
                for k, d in enumerate(record.dims):
                    whole = d[0][0].root()[0]
                    if whole.product is not None and whole.product[0][0].root()[0] is axis and axis.size is not None:
                        raise Restart((name, k, axis.size))

    @staticmethod
    def _pick(dim: Dim, index: int | slice) -> list[Dim]:
        if index == slice(None):
            return [dim]
        still = all(leaf.kind == FIXED for leaf, _ in leaves(dim))
        size = size_of(dim)
        if isinstance(index, int):
            if not still:
                if size is None:
                    raise Mismatch("one feature of an unknown number is picked; pass example_inputs")
                index %= size
                sizes = [s for s in (index, 1, size - index - 1) if s]
                restrict(chunk(dim, sizes)[1 if index else 0], FIXED)
            return []
        if still or size is None:
            if not still:
                raise Mismatch("features of an unknown number are cut; pass example_inputs")
            return [fixed(len(range(*index.indices(size))) if size is not None and _plain(index) else None)]
        start, stop, step = index.indices(size)
        if step != 1:
            restrict(dim, FIXED)
            return [fixed(len(range(start, stop, step)))]
        sizes = [s for s in (start, stop - start, size - stop) if s]
        return [chunk(dim, sizes)[1 if start else 0]]

    # --- The graph ------------------------------------------------------------------------------------------------------------

    def call_module(self, m: nn.Module, prefix: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        from ._readers import read_module

        return read_module(self, m, prefix, args, kwargs)

    def run(self) -> None:
        from ._readers import call, is_read

        module = self.module
        if is_read(module):  # a layer by itself
            self.inputs = [Value(fresh=True) for _ in range(3 if isinstance(module, nn.MultiheadAttention) else 2 if "Decoder" in type(module).__name__ else 1)]
            try:
                self._finish(self.call_module(module, "", self.inputs, {}))
            except Mismatch as error:
                raise DomainError(f"{type(module).__name__} cannot be read: {error}") from None
            return
        try:
            graph = torch.fx.Tracer().trace(module)
        except Exception as error:
            why = (str(error).splitlines() or [type(error).__name__])[0]
            what = f"torch.fx cannot trace {type(module).__name__}, whose forward depends on values of tensors or writes into them"
            raise DomainError(f"{what}: {why}") from error
        named = dict(module.named_modules())
        env: dict[torch.fx.Node, Any] = {}
        defaults = 0
        for node in graph.nodes:
            args = torch.fx.map_arg(node.args, env.__getitem__)
            kwargs = torch.fx.map_arg(node.kwargs, env.__getitem__)
            try:
                if node.op == "placeholder":
                    if node.args and (self.example is None or defaults >= len(self.example)):
                        env[node] = node.args[0]
                    else:
                        env[node] = Value(fresh=True)
                        self.inputs.append(env[node])
                    defaults += 1
                elif node.op == "get_attr":
                    env[node] = self._attribute(str(node.target))
                elif node.op == "call_module":
                    env[node] = self.call_module(named[str(node.target)], f"{node.target}.", args, kwargs)
                elif node.op == "output":
                    self._finish(args[0])
                else:
                    env[node] = call(self, node.target, args, kwargs)
                self._follow([args, kwargs], env.get(node))
            except (Mismatch, LookupError, TypeError, AttributeError) as error:
                what = error if isinstance(error, Mismatch) else f"arguments that its reader does not take ({error})"
                raise DomainError(f"the node {node.name} of the graph ({_where(node, named)}) cannot be read: {what}") from None

    def _follow(self, taken: Any, given: Any) -> None:
        passed_on = {name for v in _values(given) for name, _ in v.shift}
        self.ends += [shift for v in _values(taken) for shift in v.shift if shift[0] not in passed_on]

    def is_gauge(self, name: str, dim: Dim) -> bool:
        """Is this part of a bias, which adds to keys, added to nothing else?"""
        own = leaves(dim)
        return self.parameters[name].uses == 1 and sum(n == name and leaves(d) == own for n, d in self.ends) <= 1

    def _attribute(self, name: str) -> Value:
        if name in self._tensors and name not in self._buffers:
            return Value(parameter=name)
        found: Any = operator.attrgetter(name)(self.module)
        if not isinstance(found, Tensor):
            return found  # type: ignore[no-any-return]
        if name in self._buffers:
            for dim in self.use(name):
                restrict(dim, FIXED)
        return Value([fixed(size) for size in found.shape])

    def _finish(self, result: Any) -> None:
        if isinstance(result, Value):
            for dim in self.ready(result).dims:
                restrict(dim, self.end)
            self.outputs.append(result)
        elif isinstance(result, (tuple, list)):
            for part in result:
                self._finish(part)
        elif isinstance(result, dict):
            for part in result.values():
                self._finish(part)


def _values(x: Any) -> list[Value]:
    """All tensors in arguments or results."""
    if isinstance(x, Stack):
        return x.values
    if isinstance(x, Value):
        return [x]
    return [v for part in (x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else ()) for v in _values(part)]


def _inside(shift: Sequence[tuple[str, Dim]], features: Sequence[Dim]) -> tuple[tuple[str, Dim], ...]:
    """The biases that add to features alone, the same at all positions."""
    there = [axis for dim in features for axis, _ in leaves(dim)]
    return tuple((name, dim) for name, dim in shift if all(axis in there for axis, _ in leaves(dim)))


def _cut(shift: Sequence[tuple[str, Dim]], whole: Dim, piece: Dim) -> tuple[tuple[str, Dim], ...]:
    """The biases of a piece of a dimension."""
    return tuple((name, piece if leaves(dim) == leaves(whole) else dim) for name, dim in shift)


def _plain(index: slice) -> bool:
    return all(i is None or isinstance(i, int) for i in (index.start, index.stop, index.step))


def _on_lengths(name: str, a: Any, b: Any) -> Any:
    if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        raise Mismatch("arithmetic with a size that is not known; pass example_inputs")
    return getattr(operator, "truediv" if name == "div" else name)(a, b)


def _where(node: torch.fx.Node, named: dict[str, nn.Module]) -> str:
    if node.op == "call_module":
        return f"the module {node.target}, {type(named[str(node.target)]).__name__}"
    stack = node.meta.get("nn_module_stack") or {}
    inside = f" in {list(stack)[-1]}" if stack else ""
    return f"{node.op} of {getattr(node.target, '__name__', node.target)}{inside}"


def read(module: nn.Module, io: str, example: Sequence[Any] | None) -> Reader:
    joined: list[tuple[str, int, int]] = []
    while True:
        reader = Reader(module, io, example, joined)
        try:
            reader.run()
        except Restart as found:
            if found.args[0] in joined:
                raise DomainError(f"{found.args[0][0]} cannot be read: the pieces of it are told apart in ways that do not fit") from None
            joined.append(found.args[0])
        else:
            return reader
