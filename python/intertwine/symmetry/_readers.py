"""Which function or method is read by which reader."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.fx
import torch.nn.functional as F

from ._axes import FIXED, LINEAR, ORTHOGONAL, PERMUTATION, SIGNED, Dim, Mismatch, free, restrict, size_of, unify
from ._functions import (
    einsum,
    expand,
    glu,
    is_dim,
    normalize,
    repeat_interleave,
    shape_arguments,
    squeeze,
    stack,
    unbind,
    unflatten,
    unsqueeze,
)  # fmt: skip
from ._read import EVEN, ODD, PASS, Reader
from ._values import Value, fixed, reads, values_in

__all__ = [
    "bag", "bilinear", "call", "embedding", "group_norm", "hardtanh", "layer_norm", "linear", "max_pool", "norm_of_batch", "pool", "softmax",
]  # fmt: skip


def _parameter(x: Any) -> str | None:
    if x is None:
        return None
    if not isinstance(x, Value) or x.parameter is None:
        raise Mismatch("a weight that is no parameter of the module but computed from others")
    return x.parameter


def _required(x: Any) -> str:
    name = _parameter(x)
    assert name is not None
    return name


def linear(r: Reader, input: Any, weight: Any, bias: Any = None) -> Value:
    if isinstance(weight, Value) and weight.turned is not None:
        return r.linear(input, weight.turned, _parameter(bias), transposed=True)
    return r.linear(input, _required(weight), _parameter(bias))


def _f_conv(
    r: Reader,
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Value:
    return r.conv(input, _required(weight), _parameter(bias), groups)


def layer_norm(
    r: Reader, input: Any, normalized_shape: Sequence[int], weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Value:
    return r.layer_norm(input, len(normalized_shape), _parameter(weight), _parameter(bias))


def _f_rms_norm(
    r: Reader, input: Any, normalized_shape: Sequence[int], weight: Any = None, eps: float | None = None
) -> Value:
    if len(normalized_shape) != 1:
        raise Mismatch("an rms_norm over several dimensions")
    return r.norm(input, -1, _parameter(weight), None, SIGNED if weight is not None else ORTHOGONAL, along=True)


def group_norm(
    r: Reader, input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Value:
    return r.group_norm(input, num_groups, _parameter(weight), _parameter(bias))


def embedding(
    r: Reader, input: Any, weight: Any, padding_idx: int | None = None, max_norm: float | None = None, *_: Any
) -> Value:
    if max_norm is not None:
        raise Mismatch("an embedding with max_norm, which changes its weight when it is used")
    tokens, features = r.use(_required(weight))
    restrict(tokens, FIXED)
    free(features)
    x = r.ready(input)
    for k, v in enumerate(r.inputs):
        if v is x and (rows := size_of(tokens)) is not None:
            r.indices[k] = min(r.indices.get(k, rows), rows)
    for dim in x.dims:
        restrict(dim, FIXED)
    return Value([*x.dims, features], x.front)


def bag(r: Reader, x: Any, offsets: Any, weights: Any, table: str, mode: str, max_norm: float | None) -> Value:
    """An embedding bag: rows of a table that are added up, or the largest of each feature."""
    if max_norm is not None:
        raise Mismatch("an embedding bag with max_norm, which changes its weight when it is used")
    tokens, features = r.use(table)
    restrict(tokens, FIXED)
    restrict(features, PERMUTATION if mode == "max" else LINEAR)
    x = r.ready(x)
    for k, v in enumerate(r.inputs):
        if v is x and (rows := size_of(tokens)) is not None:
            r.indices[k] = min(r.indices.get(k, rows), rows)
    others = [r.ready(v) for v in values_in((offsets, weights))]
    for dim in (d for v in (x, *others) for d in v.dims):
        restrict(dim, FIXED)
    if x.front or len(x.dims) not in (1, 2):
        raise Mismatch("an embedding bag of indices whose rank is not known; pass example_inputs")
    bags = x.dims[0] if len(x.dims) == 2 else fixed()
    return Value([bags, features])


def _f_bag(
    r: Reader, input: Any, weight: Any, offsets: Any = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights: Any = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Value:  # fmt: skip
    return bag(r, input, offsets, per_sample_weights, _required(weight), mode, max_norm)


def bilinear(r: Reader, a: Any, b: Any, weight: Any, bias: Any = None) -> Value:
    """x^T W y for each output, with both at the same places."""
    a, b = r.ready(a), r.ready(b)
    rows, first, second = r.use(_required(weight))
    if len(a.dims) != len(b.dims) or a.front != b.front:
        raise Mismatch("a bilinear map of tensors of unlike ranks; pass example_inputs")
    for one, other in zip(a.dims[:-1], b.dims[:-1]):
        restrict(one, PERMUTATION)
        unify(one, other)
    unify(a.dims[-1], first, dual=True)
    unify(b.dims[-1], second, dual=True)
    free(rows)
    if bias is not None:
        unify(r.use(_required(bias))[0], rows)
    return Value([*a.dims[:-1], rows], a.front)


def _f_attention(
    r: Reader, query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False, scale: Any = None,
    enable_gqa: bool = False,
) -> Value:  # fmt: skip
    q, k, v = (r.ready(x) for x in (query, key, value))
    y = r.attention(q, k, v, bool(is_causal))
    if attn_mask is not None:  # heads with masks of their own are told apart
        r.add(Value([*q.dims[:-1], k.dims[-2]], q.front), attn_mask)
    return y


def _reduction(linear: bool) -> Callable[..., Value]:
    def read(
        r: Reader,
        x: Any,
        dim: Any = None,
        keepdim: bool = False,
        *,
        axis: Any = None,
        keepdims: bool = False,
        dtype: Any = None,
    ) -> Value:
        return r.reduce(x, dim if axis is None else axis, keepdim or keepdims, linear)

    return read


def _f_norm(r: Reader, x: Any, p: Any = None, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Value:
    return r.reduce(x, dim, keepdim, False)


def softmax(r: Reader, x: Any, dim: int | None = None, *_: Any, **__: Any) -> Value:
    if dim is None:
        raise Mismatch("a softmax without dim")
    return r.softmax(x, dim)


def _cat(r: Reader, tensors: Sequence[Any], dim: int = 0) -> Value:
    return r.cat(tensors, dim)


def _size(r: Reader, x: Any, dim: int | None = None) -> Any:
    if dim is not None and isinstance(x, Value) and not x.fresh and -len(x.dims) <= dim < 0:
        size = size_of(x.dims[dim])
        return x.dims[dim] if size is None else size
    sizes = r.lengths(x)
    return sizes if dim is None else sizes[dim]


def _getattr(r: Reader, x: Any, name: str) -> Any:
    if not isinstance(x, Value):
        return getattr(x, name)
    if name == "shape":
        return r.lengths(x)
    if name == "mT" or (name == "T" and len(r.lengths(x)) == 2):  # of other ranks T turns all dimensions round
        return r.transpose(x, -1, -2)
    if name == "ndim":
        return len(r.lengths(x))
    if name in ("device", "dtype"):
        return name
    raise Mismatch(f"the attribute {name} of a tensor")


def _reshape(r: Reader, x: Any, *shape: Any, **kwargs: Any) -> Value:
    return r.reshape(x, list(shape_arguments(shape or tuple(kwargs.values()))))


def _permute(r: Reader, x: Any, *dims: Any) -> Value:
    return r.permute(x, shape_arguments(dims))


def _masked_fill(r: Reader, x: Any, mask: Any, value: Any) -> Value:
    x = r.ready(x)
    # What is put in is without weight after a softmax, or a number beside which others do not move alike.
    kept = x.constant_along_keys if isinstance(value, (int, float)) and value <= -1e4 else ()
    y = r.add(r.pointwise(x, PERMUTATION), mask)
    return Value(y.dims, y.front, constant_along_keys=kept)


def _where(r: Reader, condition: Any, a: Any, b: Any) -> Value:
    return r.together(*values_in((condition, a, b)))


def _compared(name: str) -> Callable[..., Any]:
    def read(r: Reader, a: Any, b: Any) -> bool:
        if isinstance(a, Value) or isinstance(b, Value):
            raise Mismatch("a comparison of the entries of tensors")
        if is_dim(a) or is_dim(b):
            raise Mismatch("a comparison with a size that is not known; pass example_inputs")
        return bool(getattr(operator, name)(a, b))

    return read


def _assert(r: Reader, condition: Any, *_: Any) -> None:
    if not isinstance(condition, bool):
        raise Mismatch("an assertion about the entries of tensors")
    if not condition:
        raise Mismatch("an assertion of the module fails for the shapes of example_inputs")


def norm_of_batch(
    r: Reader, x: Any, running: list[str], weight: str | None, bias: str | None, prefix: str, rank: int | None = None,
    by_argument: bool = False,
) -> Value:  # fmt: skip
    lost: list[tuple[str, Dim]] = []
    y = r.norm(x, 1, weight, bias, SIGNED, running, rank, lost)
    if not running:
        r.gauge += lost
    elif lost and by_argument:
        said = r.in_modes(prefix.rstrip("."), _trains)
        if said and all(argument is True for argument, _ in said):
            r.while_training += [(*shift, prefix, True) for shift in lost]
        elif said and all(argument is mode for argument, mode in said):
            r.while_training += [(*shift, prefix, False) for shift in lost]
    else:
        r.while_training += [(*shift, prefix, False) for shift in lost]
    return y


def _trains(node: torch.fx.Node) -> Any:
    """The argument `training` of F.batch_norm."""
    return node.args[5] if len(node.args) > 5 else node.kwargs.get("training", False)


def _f_batch_norm(
    r: Reader, x: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, *_: Any, **__: Any
) -> Value:
    """Whether it takes numbers from the batch is told by its argument `training`."""
    mean, var = running_mean, running_var
    running = [b.buffer for b in (mean, var) if isinstance(b, Value) and b.buffer is not None]
    if len(running) != len(values_in((mean, var))):
        raise Mismatch(
            "F.batch_norm with a mean and a variance that are no buffers, or are used elsewhere too; use the module"
        )
    prefix, _found, rest = running[0].rpartition("running_mean") if running else ("", "", "")
    if running and (rest or running[1] != f"{prefix}running_var"):
        raise Mismatch("F.batch_norm with buffers other than running_mean and running_var; use the module")
    return norm_of_batch(r, x, running, _parameter(weight), _parameter(bias), prefix, by_argument=True)


def _addcmul(r: Reader, x: Any, a: Any, b: Any, *, value: float = 1) -> Value:
    if isinstance(value, Value):
        raise Mismatch("addcmul with a tensor as its value")
    return r.add(x, r.multiply(a, b))


def hardtanh(r: Reader, x: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Value:
    return r.pointwise(x, SIGNED if min_val == -max_val else PERMUTATION)


@reads
def pool(r: Reader, x: Any, sites: int, kind: int | None) -> Value:
    x = r.ready(x, -sites - 1, sites + 2)
    if x.front or len(x.dims) < sites + 1:
        raise Mismatch(f"the input is taken as [batch, channels, {sites} dimensions]")
    if kind is not None:
        r.pointwise(x, kind)
    for dim in x.dims[:-sites]:
        free(dim)
    for dim in x.dims[-sites:]:
        restrict(dim, FIXED)
    return Value([*x.dims[:-sites], *(fixed() for _ in range(sites))])


def _pool_function(name: str) -> Callable[..., Value]:
    sites = int(name[-2])
    if "max" not in name:
        return lambda r, x, *_, **__: pool(r, x, sites, None)
    if "adaptive" in name:
        return lambda r, x, output_size, return_indices=False: max_pool(r, x, sites, return_indices)

    def read(
        r: Reader,
        x: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Value:
        return max_pool(r, x, sites, return_indices)

    return read


def max_pool(r: Reader, x: Any, sites: int, return_indices: bool) -> Value:
    if return_indices:
        raise Mismatch("the indices that a pool returns")
    return pool(r, x, sites, PERMUTATION)


def _binary(name: str) -> Callable[..., Any]:
    def read(r: Reader, a: Any, b: Any, *, alpha: Any = 1, rounding_mode: str | None = None) -> Any:
        if isinstance(alpha, Value):
            raise Mismatch("an alpha that is a tensor")
        return r.binary(name if rounding_mode is None else "floordiv", a, b)

    return read


def _elementwise(kind: int) -> Callable[..., Value]:
    """A function of one tensor, whose bounds may be others."""

    def read(r: Reader, x: Any, *more: Any, **named: Any) -> Value:
        others = values_in((more, named))
        return r.together(x, *others) if others else r.pointwise(x, kind)

    return read


def _to(r: Reader, x: Any, *more: Any, **named: Any) -> Any:
    whole = any(
        isinstance(t, torch.dtype) and not (t.is_floating_point or t.is_complex) for t in (*more, *named.values())
    )
    return r.pointwise(x, PERMUTATION) if whole else x


ARITHMETIC = ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow")

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "linear": linear,
    "conv1d": _f_conv,
    "conv2d": _f_conv,
    "conv3d": _f_conv,
    "layer_norm": layer_norm,
    "rms_norm": _f_rms_norm,
    "group_norm": group_norm,
    "batch_norm": _f_batch_norm,
    "embedding": embedding,
    "embedding_bag": _f_bag,
    "bilinear": bilinear,
    "scaled_dot_product_attention": _f_attention,
    "softmax": softmax,
    "log_softmax": softmax,
    "matmul": lambda r, a, b: r.matmul(a, b),
    "bmm": lambda r, a, b: r.matmul(a, b),
    "cat": _cat,
    "concat": _cat,
    "sum": _reduction(True),
    "mean": _reduction(True),
    "amax": _reduction(False),
    "amin": _reduction(False),
    "norm": _f_norm,
    "flatten": lambda r, x, start_dim=0, end_dim=-1: r.flatten(x, start_dim, end_dim),
    "reshape": _reshape,
    "view": _reshape,
    "permute": _permute,
    "transpose": lambda r, x, a, b: r.transpose(x, a, b),
    "swapaxes": lambda r, x, a, b: r.transpose(x, a, b),
    "unsqueeze": unsqueeze,
    "squeeze": squeeze,
    "unflatten": unflatten,
    "stack": stack,
    "glu": glu,
    "normalize": normalize,
    "einsum": einsum,
    "t": lambda r, x: r.transpose(x, -1, -2),
    "addcmul": _addcmul,
    "minimum": lambda r, a, b: r.together(a, b),
    "maximum": lambda r, a, b: r.together(a, b),
    "expand": expand,
    "chunk": lambda r, x, chunks, dim=0: r.pieces(x, chunks, dim, True),
    "split": lambda r, x, sizes=None, dim=0, split_size=None: r.pieces(
        x, sizes if split_size is None else split_size, dim, False
    ),
    "repeat_interleave": repeat_interleave,
    "masked_fill": _masked_fill,
    "unbind": unbind,
    "where": _where,
    "hardtanh": hardtanh,
    "getitem": lambda r, x, index: r.getitem(x, index),
    "getattr": _getattr,
    "size": _size,
    "dim": lambda r, x: len(r.lengths(x)),
    "_assert": _assert,
    **{name: _compared(name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{
        f"{kind}{d}d": _pool_function(f"{kind}{d}d")
        for kind in ("avg_pool", "max_pool", "adaptive_avg_pool", "adaptive_max_pool")
        for d in (1, 2, 3)
    },
    **{name: _binary(name) for name in ARITHMETIC},
    **{name: _elementwise(PERMUTATION) for name in EVEN},
    **{name: _elementwise(SIGNED) for name in ODD},
    **{name: lambda r, x, *_, **__: x for name in PASS},
    "to": _to,
}

WITH_TENSORS = {
    *EVEN, *ODD, *PASS, *ARITHMETIC, "linear", "conv1d", "conv2d", "conv3d", "layer_norm", "rms_norm", "group_norm", "batch_norm", "embedding",
    "embedding_bag", "bilinear", "scaled_dot_product_attention", "matmul", "bmm", "cat", "concat", "stack", "einsum", "addcmul", "minimum", "maximum",
    "masked_fill", "where", "getitem", "eq", "ne", "lt", "le", "gt", "ge",
}  # fmt: skip
"""Whose readers look at the tensors among all arguments, not only at the first."""
IN_PLACE = {*EVEN, *ODD, *PASS, *ARITHMETIC, "masked_fill"}

HOMES = (torch, F, operator, math, torch.special)
ALIASES = {
    "multiply": "mul",
    "subtract": "sub",
    "divide": "div",
    "true_divide": "div",
    "floor_divide": "floordiv",
    "iadd": "add",
    "imul": "mul",
}


CARRYING = {*PASS, "stack", "unflatten", "unsqueeze", "squeeze", "expand", "repeat_interleave", "unbind"}
"""Functions that move numbers and change none."""
ASKING = {"size", "dim", "getattr", "getitem", "eq", "ne", "lt", "le", "gt", "ge"}
"""Functions of shapes alone, and choices of one tensor among several."""


def call(r: Reader, target: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A call_function or call_method node."""
    name = target if isinstance(target, str) else _name(target)
    in_place = isinstance(target, str) and name.endswith("_") and not name.startswith("_")
    name = ALIASES.get(name.rstrip("_"), name.rstrip("_")) if in_place else ALIASES.get(name, name)
    if in_place and name not in IN_PLACE:  # where the axes stay the same ones nothing else is to be said
        raise Mismatch(f"there is no reader for {target}")
    if name == "sqrt" and not isinstance(args[0], Value):
        return math.sqrt(args[0])
    reader = FUNCTIONS.get(name)
    if reader is None:
        raise Mismatch(f"there is no reader for {name}")
    if name not in WITH_TENSORS and values_in((args[1:], kwargs)):
        raise Mismatch(f"{name} with a tensor as one of its further arguments")
    return reader(r, *args, **kwargs) if name in ASKING else r.reading(name in CARRYING, reader, *args, **kwargs)


def _name(target: Any) -> str:
    """What a function is called where it lives; functions of others are not known by their names."""
    if target is getattr:
        return "getattr"
    name = getattr(target, "__name__", "")
    for home in HOMES:
        if getattr(home, name, None) is target:
            return str(name)
    for known in FUNCTIONS:  # max_pool2d and its kind are made at run time, without a name
        if getattr(F, known, None) is target:
            return known
    raise Mismatch(f"there is no reader for the function {name or target} of {getattr(target, '__module__', '?')}")
