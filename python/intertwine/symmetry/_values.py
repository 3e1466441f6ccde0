"""Tensors without numbers: their dimensions, and what they may hold of biases."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from torch import Tensor, nn

from ._axes import FIXED, PERMUTATION, Axis, Dim, Mismatch, bind_the_rest, leaves, listening, restrict, size_of

__all__ = [
    "Length", "Parameter", "Restart", "Stack", "Value", "Values", "carries", "cut", "fixed", "inside", "reads", "values_in",
]  # fmt: skip

Given = TypeVar("Given")


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
    parameter: str | None = None
    """The name, if it is a parameter itself."""
    buffer: str | None = None
    """The name, if it is a buffer that nobody has read yet."""
    turned: str | None = None
    """The name, if it is a matrix of parameters turned round."""
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
    dims: list[Dim]
    absolute: list[bool | None]
    """Of each axis: does it move by |A| (a scale), by A, or is it not used yet?"""
    uses: int = 0


Length = int | Dim
"""What a size of a tensor is to a reader: a number, or that of a dimension."""


class Values:
    """The state of one reading: parameters, inputs, and what is found out about them."""

    def __init__(
        self, module: nn.Module, io: str, example: Sequence[Any] | None, joined: Sequence[tuple[str, int, int]] = ()
    ) -> None:
        self.module, self.example, self.joined = module, example, joined
        self.end = FIXED if io == "fixed" else PERMUTATION
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []
        self.gauge: list[tuple[str, Dim]] = []
        self.while_training: list[tuple[str, Dim, str, bool]] = []
        """Biases without gradient while the norm with this prefix takes its numbers from the batch, and whether it
        does so in every mode."""
        self.ends: list[tuple[str, Dim]] = []
        """Where shifts end, by an operation that does not pass them on."""
        self.parameters: dict[str, Parameter] = {}
        self._tensors: dict[str, Tensor] = dict(module.named_parameters(remove_duplicate=False)) | dict(
            module.named_buffers(remove_duplicate=False)
        )
        self._buffers = {name for name, _ in module.named_buffers(remove_duplicate=False)}
        self._by_tensor: dict[int, Parameter] = {}
        self._in_use: list[Parameter] = []
        self.indices: dict[int, int] = {}
        """Inputs (by their number) that pick rows of a table, and how many rows it has."""

    def reading(self, carries: bool, reader: Callable[..., Given], *args: Any, **kwargs: Any) -> Given:
        """A reader at work: what it takes is bound, but for the axes that it speaks of. If it carries numbers and
        computes nothing, the axes that it gives again stay as they are too."""
        outer, self._in_use = self._in_use, []
        try:
            with listening() as heard:
                given = reader(self, *args, **kwargs)
                taken = [dim for v in values_in((args, kwargs)) if not v.fresh for dim in v.dims]
                taken += [dim for record in self._in_use for dim in record.dims]
                bind_the_rest(taken, list(heard), [dim for v in values_in(given) for dim in v.dims] if carries else ())
        finally:
            self._in_use = outer
        return given

    # --- Parameters and inputs ------------------------------------------------------------------------------------------------

    def use(self, name: str, absolute: bool = False) -> list[Dim]:
        """The dimensions of a parameter; the same ones for every use and every name of one tensor."""
        tensor = self._tensors[name]
        record = self._by_tensor.get(id(tensor))
        if record is None:
            dims: list[Dim] = [((Axis(size), False),) for size in tensor.shape]
            names = [n for n, t in self._tensors.items() if t is tensor]
            record = self._by_tensor[id(tensor)] = Parameter(names, dims, [None] * tensor.dim())
            for n in names:
                self.parameters[n] = record
            for n, axis, count in self.joined:
                if n == name:
                    dims[axis][0][0].parts = tuple(((Axis(tensor.shape[axis] // count), False),) for _ in range(count))
        record.uses += 1
        self._in_use.append(record)
        for axis, dim in enumerate(record.dims):
            if record.absolute[axis] not in (None, absolute):
                restrict(dim, PERMUTATION)
            record.absolute[axis] = absolute
        return record.dims

    def ready(self, x: Any, feature: int = -1, rank: int | None = None) -> Value:
        """A tensor whose dimensions are wanted. An input is given them by what reads it first: features at `feature`."""
        if not isinstance(x, Value) or isinstance(x, Stack):
            raise Mismatch(
                f"a tensor is wanted here, not {'a stack of unlike ones' if isinstance(x, Stack) else type(x).__name__}"
            )
        if x.fresh:
            x.fresh = False
            sizes = self._sizes(x)
            if sizes is None and rank is None:
                x.dims, x.front = [((Axis(None, self.end), False),)], True
            else:
                count = len(sizes) if sizes is not None else rank or 0
                x.dims = [fixed(sizes[i] if sizes else None) for i in range(count)]
                x.dims[feature] = ((Axis(sizes[feature] if sizes else None, self.end), False),)
        elif x.buffer is not None:  # its numbers stay where they are, and hold what they meet
            for dim in self.use(x.buffer):
                restrict(dim, FIXED)
            x.buffer = None
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


def reads(reader: Callable[..., Given]) -> Callable[..., Given]:
    """The reader of an operation that computes: an axis of which it does not speak is bound."""

    @functools.wraps(reader)
    def read(r: Values, *args: Any, **kwargs: Any) -> Given:
        return r.reading(False, reader, *args, **kwargs)

    return read


def carries(reader: Callable[..., Given]) -> Callable[..., Given]:
    """The reader of an operation that moves numbers and changes none: an axis that it does not give again is bound."""

    @functools.wraps(reader)
    def read(r: Values, *args: Any, **kwargs: Any) -> Given:
        return r.reading(True, reader, *args, **kwargs)

    return read


def values_in(x: Any) -> list[Value]:
    """All tensors in arguments or results."""
    if isinstance(x, Stack):
        return x.values
    if isinstance(x, Value):
        return [x]
    return [
        v
        for part in (x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else ())
        for v in values_in(part)
    ]


def inside(shift: Sequence[tuple[str, Dim]], features: Sequence[Dim]) -> tuple[tuple[str, Dim], ...]:
    """The biases that add to features alone, the same at all positions."""
    there = [axis for dim in features for axis, _ in leaves(dim)]
    return tuple((name, dim) for name, dim in shift if all(axis in there for axis, _ in leaves(dim)))


def cut(shift: Sequence[tuple[str, Dim]], whole: Dim, piece: Dim) -> tuple[tuple[str, Dim], ...]:
    """The biases of a piece of a dimension."""
    return tuple((name, piece if leaves(dim) == leaves(whole) else dim) for name, dim in shift)
