"""The five products of equivariant layers as operators of PyTorch, each other's derivatives.

    apply(x, theta)      y = W(theta) x             x [b, in, N], theta [P, out, in], y [b, out, M]
    apply_t(dy, theta)   dx = W(theta)^T dy
    outer(x, dy)         dtheta = reduce(dy^T x)
    materialise(theta)   W [out M, in N]
    reduce(dW)           dtheta

On the CPU they are the kernels of the library; on CUDA devices, for tied tables, those of `_triton`; elsewhere, in mode
"torch", and where Triton is not installed, plain PyTorch with the same results: `who()` decides. There are several
doors to the same kernels, since no single way of PyTorch to register a function serves all its transformations:

    eager        an old-style Function straight into C++: the least overhead
    functorch    a Function with setup_context, vmap and jvp: torch.func and forward mode (a registered operator gives zero
                 tangents there without a word)
    registered   torch.ops.intertwine.*: torch.compile, torch.export, fake and meta tensors, tensor subclasses
    plain        index_select over the codes: transformations of torch.func inside compiled or traced code, ONNX, torch.jit.trace

`door()` chooses. The results agree to rounding.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.autograd import Function, forward_ad

from .. import DomainError
from .._core import Plan
from . import _plain
from ._tables import Pattern, Weights, plan_of, seen_with

__all__ = ["Pattern", "Weights", "decompositions", "door", "materialise", "reduce", "seen_with", "who"]

_Product = Callable[..., Tensor]

NUMBER = {torch.float32: 0, torch.float64: 1, torch.float16: 2, torch.bfloat16: 3}


# --- Kernels -----------------------------------------------------------------------------------------------------------------


def _ready(x: Tensor) -> Tensor:
    return x.resolve_neg() if x.is_neg() else x


strides: Callable[[Tensor], tuple[int, int, int]] = Tensor.stride  # type: ignore[assignment] # of three axes


def address(t: Tensor | None) -> int:
    return 0 if t is None else t.data_ptr()


_TRITON = ("cuda",)  # the kinds of devices that _triton serves
# A W of more bytes than these is looked up in tiles and never written. On an H100 tables of 1024 x 1024 in float32 were
# mostly faster written, and multiplied by cuBLAS (docs/benchmarks.md): what looking up saves is memory.
_LARGE = 1 << 29


@functools.cache
def _triton() -> Any:
    """The kernels for GPUs, imported with the first tensor there; None without Triton."""
    try:
        from . import _triton
    except ImportError:
        warnings.warn(
            "Triton is not installed, so layers on this GPU run as plain PyTorch: pip install triton", stacklevel=2
        )
        return None
    return _triton


def kernels_of(x: Tensor) -> Any:
    """The kernels for GPUs if they serve this tensor, otherwise None."""
    return _triton() if x.device.type in _TRITON and x.dtype in NUMBER and not isinstance(x, FakeTensor) else None


def who(p: Pattern, *tensors: Tensor) -> str:
    """Who computes with these operands: the "library", "triton" or "torch"."""
    first = tensors[0]
    for t in tensors[1:]:
        if t.dtype != first.dtype or t.device != first.device:
            raise DomainError(
                f"the operands of a layer have one dtype and device, not {first.dtype} on {first.device} and {t.dtype} on {t.device}"
            )
    if p.mode == "torch" or first.dtype not in NUMBER or isinstance(first, FakeTensor):
        return "torch"
    if len(p.table) == 2 and kernels_of(first) is not None:
        return "triton"
    return "library" if first.device.type == "cpu" else "torch"


def fused(p: Pattern, out: int, in_: int, *tensors: Tensor) -> bool:
    """Does a product on a GPU look W up in tiles? Otherwise W is made there, and multiplied by PyTorch."""
    if tensors[0].dtype == torch.float64 or p.mode == "dense" or who(p, *tensors) != "triton":
        return False
    return p.mode == "lookup" or out * p.sizes[0] * in_ * p.sizes[1] * tensors[0].element_size() > _LARGE


def require(name: str, t: Tensor, *shape: int) -> None:
    """Kernels read what they are told to: shapes are compared before addresses are handed over."""
    if t.shape != shape:
        raise DomainError(f"{name} has the shape {list(t.shape)} where {list(shape)} is needed")


def _materialise(theta: Tensor, p: Pattern) -> Tensor:
    P, o, i = theta.shape
    require("theta", theta, p.sizes[2], o, i)
    by = who(p, theta)
    if by == "triton":
        made: Tensor = _triton().materialise(theta, p.table[0], p.sizes, p.sites_first)
        return made
    plan = plan_of(p, o, i) if by == "library" else None
    if plan is None:
        return _plain.materialise(theta, p)
    theta = _ready(theta).contiguous()
    W = theta.new_empty(o * p.sizes[0], i * p.sizes[1])
    plan.materialise(NUMBER[theta.dtype], theta.data_ptr(), W.data_ptr(), torch.get_num_threads())
    if p.sites_first:
        return W.view(o, p.sizes[0], i, p.sizes[1]).permute(1, 0, 3, 2).reshape(W.shape)
    return W


def _reduce(dW: Tensor, p: Pattern) -> Tensor:
    M, N, P = p.sizes[:3]
    o, i = dW.shape[0] // M, dW.shape[1] // N
    require("dW", dW, o * M, i * N)
    by = who(p, dW)
    if by == "triton":
        reduced: Tensor = _triton().reduce(dW, p.table[0], p.sizes, p.digest, p.sites_first)
        return reduced
    plan = plan_of(p, o, i) if by == "library" else None
    if plan is None:
        return _plain.reduce(dW, p)
    dW = dW.reshape(M, o, N, i).permute(1, 0, 3, 2).reshape(dW.shape) if p.sites_first else dW
    dW = _ready(dW).contiguous()
    sums = torch.empty(P, o, i, dtype=dW.dtype if dW.dtype == torch.float64 else torch.float32)
    plan.reduce(NUMBER[dW.dtype], dW.data_ptr(), sums.data_ptr(), torch.get_num_threads())
    return sums.to(dW.dtype)


def _products(p: Pattern, a: Tensor, b: Tensor, out: int, in_: int) -> Plan | None:
    """Kernels for products: float32 and float64; numbers of 16 bits go through W."""
    return plan_of(p, out, in_) if who(p, a, b) == "library" and NUMBER[a.dtype] < 2 else None


def _apply(x: Tensor, theta: Tensor, p: Pattern, transposed: bool = False) -> Tensor:
    (_P, o, i), (M, N) = theta.shape, p.sizes[:2]
    channels, sites = (i, N) if transposed else (o, M)  # of the result
    require(*(("dy", x, x.shape[0], o, M) if transposed else ("x", x, x.shape[0], i, N)))
    require("theta", theta, p.sizes[2], o, i)
    if fused(p, o, i, x, theta):
        product: Tensor = (_triton().apply_t if transposed else _triton().apply)(x, theta, p.table[0], p.sizes)
        return product
    plan = _products(p, x, theta, o, i)
    if plan is None:
        W = _materialise(theta, p)
        return _plain.by_weights(x, W.t() if transposed else W, sites)
    x, theta = _ready(x), _ready(theta).contiguous()
    y = x.new_empty(x.shape[0], channels, sites)
    given = (NUMBER[x.dtype], x.shape[0], x.data_ptr(), strides(x), theta.data_ptr())
    if transposed:
        plan.apply_transposed(*given, y.data_ptr(), torch.get_num_threads())
    else:
        plan.apply(*given, 0, y.data_ptr(), torch.get_num_threads())
    return y


_apply_t = functools.partial(_apply, transposed=True)


def _outer(x: Tensor, dy: Tensor, p: Pattern) -> Tensor:
    o, i = dy.shape[1], x.shape[1]
    require("x", x, dy.shape[0], i, p.sizes[1])
    require("dy", dy, dy.shape[0], o, p.sizes[0])
    if min(o, i) >= 16 and fused(
        p, o, i, x, dy
    ):  # with few channels its tiles are mostly empty: hundreds of times as slow as dW and its sums
        product: Tensor = _triton().outer(x, dy, p.table[0], p.sizes, p.digest)
        return product
    plan = _products(p, x, dy, o, i)
    if plan is None:
        return _reduce(_plain.weights_of(x, dy), p)
    x, dy = _ready(x), _ready(dy)
    dtheta = x.new_zeros(p.sizes[2], o, i) if x.shape[0] == 0 else x.new_empty(p.sizes[2], o, i)
    if x.shape[0]:
        plan.gradients(
            NUMBER[x.dtype], x.shape[0], x.data_ptr(), strides(x), dy.data_ptr(), strides(dy), 0, 0, dtheta.data_ptr(), 0, torch.get_num_threads()
        )  # fmt: skip
    return dtheta


# --- Derivatives -------------------------------------------------------------------------------------------------------------

KERNEL: dict[str, _Product] = {
    "apply": _apply,
    "apply_t": _apply_t,
    "outer": _outer,
    "materialise": _materialise,
    "reduce": _reduce,
}
# For each operand: (operands, gradient) -> the operator that gives its gradient, and what it takes.
_DERIVATIVE: dict[str, tuple[Callable[..., tuple[Any, ...]], ...]] = {
    "apply": (lambda x, theta, g: ("apply_t", g, theta), lambda x, theta, g: ("outer", x, g)),
    "apply_t": (lambda dy, theta, g: ("apply", g, theta), lambda dy, theta, g: ("outer", g, dy)),
    "outer": (lambda x, dy, g: ("apply_t", dy, g), lambda x, dy, g: ("apply", x, g)),
    "materialise": (lambda theta, g: ("reduce", g),),
    "reduce": (lambda dW, g: ("materialise", g),),
}


def _gradients(
    door: dict[str, _Product], name: str, needed: Any, operands: tuple[Tensor, ...], g: Tensor, p: Pattern
) -> list[Tensor | None]:
    found: list[Tensor | None] = []
    for wanted, rule in zip(needed, _DERIVATIVE[name]):
        if wanted:
            op, *arguments = rule(*operands, g)
            found.append(door[op](*arguments, p))
        else:
            found.append(None)
    return found


# --- Door: eager -------------------------------------------------------------------------------------------------------------


def _eager_door(name: str) -> Any:
    kernel = KERNEL[name]

    class Product(Function):
        @staticmethod
        def forward(ctx: Any, *arguments: Any) -> Tensor:
            *operands, ctx.pattern = arguments
            ctx.save_for_backward(*operands)
            return kernel(*operands, ctx.pattern)

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Any:
            saved = ctx.saved_tensors
            return *_gradients(
                door(g, *saved, mode=ctx.pattern.mode), name, ctx.needs_input_grad, saved, g, ctx.pattern
            ), None

    Product.__name__ = f"intertwine_{name}"
    return Product.apply


# --- Door: functorch ---------------------------------------------------------------------------------------------------------


def _full_door(name: str) -> Any:
    kernel = KERNEL[name]

    class Product(Function):
        @staticmethod
        def forward(*arguments: Any) -> Tensor:
            return kernel(*arguments)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            *operands, ctx.pattern = inputs
            ctx.save_for_backward(*operands)
            ctx.save_for_forward(*operands)

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Any:
            return *_gradients(_FULL, name, ctx.needs_input_grad, ctx.saved_tensors, g, ctx.pattern), None

        @staticmethod
        def jvp(ctx: Any, *tangents: Any) -> Any:
            # Linear in each operand: one after the other is replaced by its tangent.
            operands = ctx.saved_tensors
            total = None
            for k, tangent in enumerate(tangents[:-1]):
                if tangent is not None:
                    part = _FULL[name](*operands[:k], tangent, *operands[k + 1 :], ctx.pattern)
                    total = part if total is None else total + part
            return total

        @staticmethod
        def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
            *operands, p = arguments
            return _batched(name, info.batch_size, in_dims[:-1], operands, p)

    Product.__name__ = f"intertwine_{name}"
    return Product.apply


def _batched(name: str, B: int, dims: Any, operands: Any, p: Pattern) -> tuple[Tensor, int]:
    """A batch of theta is more channels, so that one product serves it all."""
    M, N, P = p.sizes[:3]
    d = _FULL

    if name == "materialise":
        theta = operands[0].movedim(dims[0], 1)
        o, i = theta.shape[2:]
        W = d["materialise"](theta.reshape(P, B * o, i), p)
        return (
            W.view(M, B, o, i * N).transpose(0, 1).reshape(B, M * o, i * N)
            if p.sites_first
            else W.view(B, o * M, i * N)
        ), 0
    if name == "reduce":
        dW = operands[0].movedim(dims[0], 0)
        o, i = dW.shape[1] // M, dW.shape[2] // N
        if p.sites_first:
            dW = dW.reshape(B, M, o, i * N).transpose(0, 1)
        return d["reduce"](dW.reshape(B * o * M, i * N), p).view(P, B, o, i), 1
    (a, b), (a_dim, b_dim) = operands, dims
    if b_dim is None:
        a = a.movedim(a_dim, 0)
        if name == "outer":  # x has more input channels
            i, o = a.shape[2], b.shape[1]
            x = a.movedim(0, 1).reshape(a.shape[1], B * i, N)
            return d["outer"](x, b, p).view(P, o, B, i), 2
        y = d[name](a.reshape(B * a.shape[1], *a.shape[2:]), b, p)
        return y.view(B, a.shape[1], *y.shape[1:]), 0
    if name == "outer":
        b = b.movedim(b_dim, 0)
        o = b.shape[2]
        if a_dim is None:  # dy has more output channels
            dy = b.movedim(0, 1).reshape(b.shape[1], B * o, M)
            return d["outer"](a, dy, p).view(P, B, o, a.shape[1]), 1
        a = a.movedim(a_dim, 0)
        dW = torch.bmm(b.flatten(2).transpose(1, 2), a.flatten(2))
        return d["reduce"](dW.reshape(B * o * M, a.shape[2] * N), p).view(P, B, o, a.shape[2]), 1
    theta = b.movedim(b_dim, 1)
    o, i = theta.shape[2:]
    if a_dim is None:
        if name == "apply":
            return d["apply"](a, theta.reshape(P, B * o, i), p).view(a.shape[0], B, o, M), 1
        return d["apply_t"](a, theta.movedim(1, 2).reshape(P, o, B * i), p).view(a.shape[0], B, i, N), 1
    a = a.movedim(a_dim, 0)
    W = d["materialise"](theta.reshape(P, B * o, i), p).view(B, o * M, i * N)
    if name == "apply":
        return torch.bmm(a.flatten(2), W.transpose(1, 2)).view(B, a.shape[1], o, M), 0
    return torch.bmm(a.flatten(2), W).view(B, a.shape[1], i, N), 0


# --- Door: registered --------------------------------------------------------------------------------------------------------

_library = torch.library.Library("intertwine", "DEF")
_OPERANDS = {
    "apply": ("x", "theta"),
    "apply_t": ("dy", "theta"),
    "outer": ("x", "dy"),
    "materialise": ("theta",),
    "reduce": ("dW",),
}
_SHAPE: dict[str, Callable[..., tuple[int, ...]]] = {
    "apply": lambda x, theta, s: (x.shape[0], theta.shape[1], s[0]),
    "apply_t": lambda dy, theta, s: (dy.shape[0], theta.shape[2], s[1]),
    "outer": lambda x, dy, s: (s[2], dy.shape[1], x.shape[1]),
    "materialise": lambda theta, s: (theta.shape[1] * s[0], theta.shape[2] * s[1]),
    "reduce": lambda dW, s: (s[2], dW.shape[0] // s[0], dW.shape[1] // s[1]),
}


def _register(name: str) -> Any:
    count = len(_OPERANDS[name])
    qualified = f"intertwine::{name}"
    _library.define(
        f"{name}({', '.join(f'Tensor {a}' for a in _OPERANDS[name])}, Tensor[] table, int[] sizes, str digest, str mode, bool sites_first) -> Tensor",
        tags=(torch.Tag.pt2_compliant_tag,),
    )
    kernel, shape = KERNEL[name], _SHAPE[name]

    def run(*arguments: Any) -> Tensor:
        return kernel(*arguments[:count], Pattern(*arguments[count:]))

    def fake(*arguments: Any) -> Tensor:
        first: Tensor = arguments[0]
        return first.new_empty(shape(*arguments[:count], arguments[count + 1]))

    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs[:count], *inputs[count])
        ctx.rest = inputs[count + 1 :]

    def backward(ctx: Any, g: Tensor) -> Any:
        operands, table = ctx.saved_tensors[:count], list(ctx.saved_tensors[count:])
        found = _gradients(_REGISTERED, name, ctx.needs_input_grad, operands, g, Pattern(table, *ctx.rest))
        return *found, [None] * len(table), *[None] * len(ctx.rest)

    _library.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(qualified, fake, lib=_library)
    torch.library.register_autograd(qualified, backward, setup_context=setup, lib=_library)
    op: _Product = getattr(torch.ops.intertwine, name).default

    def call(*arguments: Any) -> Tensor:
        return op(*arguments[:count], *arguments[count])

    return call


EAGER: dict[str, _Product] = {name: _eager_door(name) for name in KERNEL}
_FULL: dict[str, _Product] = {name: _full_door(name) for name in KERNEL}
_REGISTERED: dict[str, _Product] = {name: _register(name) for name in KERNEL}
_PLAIN: dict[str, _Product] = {
    "apply": _plain.apply, "apply_t": _plain.apply_t, "outer": _plain.outer, "materialise": _plain.materialise, "reduce": _plain.reduce
}  # fmt: skip


MORE_DECOMPOSITIONS: dict[Any, Callable[..., Any]] = {}  # of the operators that packages of layers register


def decompositions() -> dict[Any, Any]:
    """For ExportedProgram.run_decompositions: every operator of this library as plain PyTorch; none is left."""

    def plain(name: str) -> Any:
        count, f = len(_OPERANDS[name]), _PLAIN[name]
        return lambda *arguments: f(*arguments[:count], Pattern(*arguments[count:]))

    table = torch.export.default_decompositions()
    for name in KERNEL:
        table[getattr(torch.ops.intertwine, name).default] = plain(name)
    table.update(MORE_DECOMPOSITIONS)
    return table


# --- The choice --------------------------------------------------------------------------------------------------------------


def tracing() -> bool:
    """Is torch.jit.trace at work?"""
    return bool(torch.jit.is_tracing())  # type: ignore[attr-defined, no-untyped-call]


def functorch() -> bool:
    """Is a transformation of torch.func at work? While it compiles, torch.compile enters them as they are entered when
    running."""
    return torch._C._functorch.get_dynamic_layer_stack_depth() > 0


# torch.compile calls it rather than reading it, which PyTorch 2.11 cannot. torch.compiler.assume_constant_result sets
# the same, but imports the compiler.
functorch._dynamo_marked_constant = True  # type: ignore[attr-defined]


_BEFORE_AUTOGRAD = torch._C.DispatchKey.PreDispatch


def recorded() -> bool:
    """Does a mode look at every operation, as those of make_fx, torch.func.linearize and fake tensors do? None sees
    what a kernel writes to an address. The modes in front of autograd (make_fx with pre_dispatch=True) have a stack of
    their own, which is empty unless their key is included."""
    return torch._C._len_torch_dispatch_stack() > 0 or torch._C._dispatch_tls_is_dispatch_key_included(_BEFORE_AUTOGRAD)


def transformed() -> bool:
    """Is torch.func or forward mode at work?"""
    return forward_ad._current_level >= 0 or functorch()


def _grads_batched(t: Tensor | None) -> bool:
    """Is it a batch of autograd.grad(is_grads_batched=True), which is no transformation of torch.func?"""
    return t is not None and torch._C._functorch.is_legacy_batchedtensor(t)


def autocasts(t: Tensor) -> bool:
    """Does autocast change the dtype of this tensor?"""
    return not t.is_complex() and not t.is_meta and torch.is_autocast_enabled("cpu" if t.is_cpu else t.device.type)


def autocast_of(x: Tensor) -> tuple[contextlib.AbstractContextManager[Any], torch.dtype]:
    """A context without autocast, and the type of products with x: that of autocast where it is on."""
    if not autocasts(x):
        return contextlib.nullcontext(), x.dtype
    kind = x.device.type
    return torch.autocast(kind, enabled=False), torch.get_autocast_dtype(kind)


def eager(*tensors: Tensor) -> bool:
    """Does nothing but plain autograd look at what is done with these tensors, here and now? Every step of a layer asks
    twice, so this is short."""
    if torch.compiler.is_compiling() or torch._C._is_tracing() or recorded() or transformed():
        return False
    for t in tensors:
        if (
            type(t) is not Tensor
            and type(t) is not torch.nn.Parameter
            or t.is_meta
            or torch._C._functorch.is_legacy_batchedtensor(t)
        ):
            return False
    return True


def door(*tensors: Tensor, mode: str = "automatic") -> dict[str, _Product]:
    """The five operators by name, for these tensors, here and now."""
    if mode == "torch":
        return _PLAIN
    if eager(*tensors):
        return EAGER
    if torch.compiler.is_compiling() or tracing():
        return _PLAIN if torch.onnx.is_in_onnx_export() or tracing() or functorch() else _REGISTERED
    if recorded():  # an operator would have no tangents, and a Function's kernel would leave no record
        return _PLAIN if transformed() or any(_grads_batched(t) for t in tensors) else _REGISTERED
    if forward_ad._current_level >= 0 and functorch():
        # Tangents of plain forward mode hide below the levels of torch.func, out of a Function's sight.
        levels = torch._C._functorch.get_interpreter_stack() or ()
        return _FULL if any(level.key() == torch._C._functorch.TransformType.Jvp for level in levels) else _PLAIN
    if forward_ad._current_level >= 0:
        return (
            _PLAIN
            if any(_grads_batched(t) or _grads_batched(forward_ad.unpack_dual(t).tangent) for t in tensors)
            else _FULL
        )
    if functorch():
        return _FULL
    return _PLAIN if any(_grads_batched(t) for t in tensors) else _REGISTERED


def materialise(theta: Tensor, p: Pattern) -> Tensor:
    """W [out M, in N] of theta [P, out, in]."""
    return door(theta, mode=p.mode)["materialise"](theta, p)


def reduce(dW: Tensor, p: Pattern) -> Tensor:
    """The adjoint of materialise: dtheta [P, out, in] of dW [out M, in N]."""
    return door(dW, mode=p.mode)["reduce"](dW, p)
