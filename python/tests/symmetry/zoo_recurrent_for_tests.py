"""The zoo, recurrent layers: one permutation for all steps and gates."""

import torch
from torch import nn
from zoo_for_tests import case, fun, lin, seq

SEQUENCE = (2, 4, 3)


def read_out(take, **parts):
    return fun(lambda m, x: m.b(take(m.rnn(x))), **parts)


def kept(y):
    return y[1][0][-1] + torch.tanh(y[1][1][-1])


for kind in (nn.LSTM, nn.GRU):
    name = kind.__name__
    case(
        f"the last step of {name}",
        read_out(lambda y: y[0][:, -1], rnn=lambda kind=kind: kind(3, 5, batch_first=True), b=lin(5, 2)),
        SEQUENCE,
        factors="S(5)",
    )
    case(
        f"all steps of two layers of {name}, in both directions",
        read_out(lambda y: y[0], rnn=lambda kind=kind: kind(3, 5, 2, bidirectional=True), b=lin(10, 2)),
        SEQUENCE,
        factors="S(5) x S(5) x S(5) x S(5)",
    )
    case(f"{name} by itself", lambda kind=kind: kind(3, 5), SEQUENCE, factors="")
    case(
        f"the ends of {name} move",
        read_out(lambda y: y[0], rnn=lambda kind=kind: kind(3, 5, bias=False), b=lin(5, 2)),
        SEQUENCE,
        io="permuted",
        factors="S(3) x S(5) x S(2)",
    )
case(
    "the last states of an LSTM",
    read_out(kept, rnn=lambda: nn.LSTM(3, 5, 2, batch_first=True), b=lin(5, 2)),
    SEQUENCE,
    factors="S(5) x S(5)",
)
case(
    "the last state of a GRU behind a layer",
    seq(lin(3, 7), read_out(lambda y: y[1][-1], rnn=lambda: nn.GRU(7, 5, 2, batch_first=True), b=lin(5, 2))),
    SEQUENCE,
    factors="GL(7) x S(5) x S(5)",
)
case(
    "an LSTM with a projection",
    read_out(lambda y: y[0], rnn=lambda: nn.LSTM(3, 5, proj_size=4, batch_first=True), b=lin(4, 2)),
    SEQUENCE,
    factors="S(5) x GL(4)",
)
for f, factors in (("tanh", "B(5) x B(5)"), ("relu", "S(5) x S(5)")):
    case(
        f"an RNN with {f}",
        read_out(lambda y: y[0], rnn=lambda f=f: nn.RNN(3, 5, 2, nonlinearity=f, batch_first=True), b=lin(5, 2)),
        SEQUENCE,
        factors=factors,
    )
for kind, take, factors in (
    (nn.LSTMCell, lambda y: y[0] + y[1], "S(5)"),
    (nn.GRUCell, lambda y: y, "S(5)"),
    (nn.RNNCell, lambda y: y, "B(5)"),
):
    make = read_out(take, rnn=lambda kind=kind: kind(3, 5), b=lin(5, 2))
    case(f"a step of {kind.__name__}", make, (2, 3), factors=factors)
