"""Readers of recurrent layers: every step has the same weights, so all of them move by one permutation of the state."""

from __future__ import annotations

from typing import Any

from torch import nn

from ._axes import FIXED, LINEAR, PERMUTATION, SIGNED, Axis, Dim, Mismatch, restrict, unify
from ._read import Reader
from ._values import Stack, Value, fixed, reads

__all__ = ["CELLS", "RECURRENT", "cell", "recurrent"]

GATES: dict[type[nn.Module], int] = {
    nn.RNN: 1, nn.GRU: 3, nn.LSTM: 4, nn.RNNCell: 1, nn.GRUCell: 3, nn.LSTMCell: 4,
}  # fmt: skip
RECURRENT = (nn.RNN, nn.GRU, nn.LSTM)
CELLS = (nn.RNNCell, nn.GRUCell, nn.LSTMCell)


def _step(r: Reader, m: Any, p: str, suffix: str, features: Dim, projected: bool) -> tuple[Dim, Dim]:
    """The weights of one layer in one direction, from these features of its input to those of its output, and to the
    state that an LSTM keeps besides."""
    signed = type(m) in (nn.RNN, nn.RNNCell) and m.nonlinearity == "tanh"
    state: Dim = ((Axis(m.hidden_size, SIGNED if signed else PERMUTATION), False),)
    given: Dim = ((Axis(m.proj_size, LINEAR), False),) if projected else state
    for name, columns in (("ih", features), ("hh", given)):
        rows, taken = r.use(f"{p}weight_{name}{suffix}")
        unify(_gates(m, state), rows)
        unify(columns, taken, dual=True)
        if m.bias:
            unify(_gates(m, state), r.use(f"{p}bias_{name}{suffix}")[0])
    if projected:
        outer, inner = r.use(f"{p}weight_hr{suffix}")
        unify(given, outer)
        unify(state, inner, dual=True)
    return given, state


def _gates(m: nn.Module, state: Dim) -> Dim:
    """The rows of a weight: one copy of the state for every gate."""
    count = GATES[type(m)]
    if count == 1:
        return state
    size = state[0][0].size
    assert size is not None
    whole = Axis(count * size)
    whole.parts = (state,) * count
    return ((whole, False),)


@reads
def recurrent(r: Reader, m: Any, p: str, x: Any, first: Any = None) -> tuple[Value, Any]:
    """A sequence, [batch, time, features] or [time, batch, features], to that of the last layer and the last states."""
    if first is not None:
        raise Mismatch("a first state that is given, and not zero")
    x = r.ready(x, -1, 3)
    if len(x.dims) not in (2, 3) or x.front:
        raise Mismatch("a sequence whose rank is not known; pass example_inputs")
    batch = [] if len(x.dims) == 2 else [x.dims[0 if m.batch_first else 1]]
    time = x.dims[0 if len(x.dims) == 2 or not m.batch_first else 1]
    restrict(time, FIXED)
    for dim in batch:
        restrict(dim, PERMUTATION)
    directions = ("", "_reverse") if m.bidirectional else ("",)
    last: list[tuple[Dim, Dim]] = []
    for k in range(m.num_layers):
        steps = [_step(r, m, p, f"_l{k}{d}", x.dims[-1], m.proj_size > 0) for d in directions]
        last += steps
        parts = [Value([*x.dims[:-1], given]) for given, _ in steps]
        x = parts[0] if len(parts) == 1 else r.cat(parts, -1)
    return x, _last(m, batch, last)


def _last(m: nn.Module, batch: list[Dim], last: list[tuple[Dim, Dim]]) -> Any:
    """The states after the last step, of all layers and directions."""

    def together(dims: tuple[Dim, ...]) -> Value:
        values = [Value([*batch, dim]) for dim in dims]
        return Value([fixed(1), *values[0].dims]) if len(values) == 1 else Stack(at=0, values=values)

    given, kept = zip(*last)
    return (together(given), together(kept)) if isinstance(m, nn.LSTM) else together(given)


@reads
def cell(r: Reader, m: Any, p: str, x: Any, first: Any = None) -> Any:
    """One step from the state 0."""
    if first is not None:
        raise Mismatch("a state that is given, and not zero: use the layer of the whole sequence")
    x = r.ready(x)
    for dim in x.dims[:-1]:
        restrict(dim, PERMUTATION)
    y = Value([*x.dims[:-1], _step(r, m, p, "", x.dims[-1], False)[0]], x.front)
    return (y, y) if isinstance(m, nn.LSTMCell) else y
