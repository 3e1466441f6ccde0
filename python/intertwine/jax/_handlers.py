"""Primitives of JAX whose kernels are the library's on the CPU, and plain operations of JAX elsewhere.

A table is a static parameter of its primitive, named by its numbers. A compiled program has the name alone, and the
kernels find the table under it.
"""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy
from jax.extend.core import Primitive
from jax.interpreters import ad, mlir

from .. import DomainError
from .._core import keep_for_xla, xla_handlers

__all__ = [
    "METHODS",
    "KeptTable",
    "folded",
    "is_zero",
    "nothing",
    "primitive",
    "require_method",
    "require_shape",
    "summed",
]

METHODS = ("kernels", "plain")
_KERNEL_TYPES = ("float32", "float64")
_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

for _name, _capsule in xla_handlers().items():
    jax.ffi.register_ffi_target(f"intertwine_{_name}", _capsule, platform="cpu", api_version=1)


class KeptTable:
    """A table as a parameter of primitives: equal where its name is. kernel: what the library's kernels need."""

    _made: tuple[Any, ...]  # arguments that make it again

    def __init__(self, name: str, kernel: Any) -> None:
        self.name = name
        keep_for_xla(name, kernel)

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.name == other.name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made

    def __repr__(self) -> str:
        return self.name[:12]


def primitive(
    name: str, shapes: Callable[..., Any], plain: Callable[..., Any], served: Callable[..., bool] | None = None,
    several: bool = False, handler: str = "",
) -> Primitive:  # fmt: skip
    """A primitive with its two ways to run.

    shapes gives the shape of the result, or a list of them, of the operands and parameters; results have the type of
    the first operand. handler: its name, if it is another one. served: can kernels run with these operands and
    parameters? Always, if left out.
    """
    made = Primitive(f"intertwine_{name}")
    made.multiple_results = several
    made.def_impl(jax.jit(lambda *operands, **given: made.bind(*operands, **given), static_argnames=_STATIC))

    def abstract(*operands: Any, **given: Any) -> Any:
        found = shapes(*operands, **given)
        if several:
            return [operands[0].update(shape=shape) for shape in found]
        return operands[0].update(shape=found)

    made.def_abstract_eval(abstract)
    by_kernels = jax.ffi.ffi_lowering(f"intertwine_{handler or name}")
    by_operations = mlir.lower_fun(plain, multiple_results=several)

    def on_cpu(ctx: Any, *operands: Any, **given: Any) -> Any:
        if served is not None and not served(*ctx.avals_in, **given):
            return by_operations(ctx, *operands, **given)
        numbers = {key: numpy.int64(value) for key, value in given.items() if key != "table"}
        return by_kernels(ctx, *operands, table=given["table"].name, threads=numpy.int64(_threads), **numbers)

    mlir.register_lowering(made, by_operations)
    mlir.register_lowering(made, on_cpu, platform="cpu")
    return made


_STATIC = ("table", "wanted")


def require_method(method: str, **operands: Any) -> None:
    """Refuses methods that are not there, and operands that kernels do not take."""
    if method not in METHODS:
        raise DomainError(f'method is "kernels" or "plain", not {method!r}')
    first, like = next(iter(operands.items()))
    if not jnp.issubdtype(like.dtype, jnp.floating):
        raise DomainError(f"{first} is {like.dtype}; layers take floating-point numbers")
    for name, t in operands.items():
        if t.dtype != like.dtype:
            raise DomainError(
                f"{first} is {like.dtype} and {name} {t.dtype}: convert one, {name}.astype({first}.dtype)"
            )
    if method == "kernels" and like.dtype.name not in _KERNEL_TYPES:
        raise DomainError(f'the kernels take float32 and float64, and {first} is {like.dtype}; write method="plain"')


def require_shape(name: str, t: Any, shape: Sequence[int], words: str) -> None:
    if tuple(t.shape) != tuple(shape):
        raise DomainError(f"{name} has the shape {list(t.shape)}; it is {list(shape)}, {words}")


def is_zero(t: Any) -> bool:
    """Is it the tangent of what does not move?"""
    return isinstance(t, ad.Zero)


def nothing(like: Any) -> Any:
    """The tangent of an array that does not move."""
    return ad.Zero(jax.typeof(like))


def summed(terms: Sequence[Any], like: Any) -> Any:
    """The sum of those that move."""
    given = [t for t in terms if not is_zero(t)]
    return functools.reduce(operator.add, given) if given else nothing(like)


def folded(t: Any, dim: int | None, size: int, axis: int) -> Any:
    """The batch axis folded into `axis` of the other ones, in front of it; broadcast where there is none."""
    t = jnp.moveaxis(t, dim, 0) if dim is not None else jnp.broadcast_to(t, (size, *t.shape))
    t = jnp.moveaxis(t, 0, axis)
    return t.reshape(*t.shape[:axis], t.shape[axis] * t.shape[axis + 1], *t.shape[axis + 2 :])
