"""Small modules of every kind that people write, with inputs; of many the group is known.

Skips the tests where PyTorch is missing."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from networks_for_tests import Attention, Function, Grouped, Language, encoder  # isort: skip (skips without PyTorch)
import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Case:
    make: Callable[[], nn.Module]
    inputs: tuple[Any, ...]
    told: bool
    """Do the inputs have to be told, or does the module say by itself what it takes?"""
    factors: str | None
    """The known group, None where it is not known."""
    io: str
    training: bool


ZOO: dict[str, Case] = {}


def case(name, make, *shapes, factors=None, io="fixed", told=True, inputs=None, training=False):
    assert name not in ZOO, name
    ZOO[name] = Case(
        make, inputs if inputs is not None else tuple(torch.zeros(s) for s in shapes), told, factors, io, training
    )


def fun(f, /, **parts):
    """A module made anew by each call: `parts` are functions that make its parts."""
    return lambda: Function(
        f,
        **{
            name: part() if callable(part) and not isinstance(part, nn.Module) else part for name, part in parts.items()
        },
    )


def lin(i, o, bias=True):
    return lambda: nn.Linear(i, o, bias=bias)


def par(*shape):
    return lambda: nn.Parameter(torch.randn(*shape))


def seq(*parts):
    return lambda: nn.Sequential(*(part() for part in parts))


class Tied(nn.Module):
    """Words to words by one table."""

    def __init__(self, between):
        super().__init__()
        self.table, self.head = nn.Embedding(7, 6), nn.Linear(6, 7, bias=False)
        self.head.weight = self.table.weight
        self.between = nn.Sequential(nn.LayerNorm(6), nn.ReLU()) if between else nn.Identity()

    def forward(self, x):
        return self.head(self.between(self.table(x)))


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(2, 4), nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.c(torch.relu(self.b(torch.relu(self.b(torch.relu(self.a(x)))))))


# --- MLPs: what an activation leaves ------------------------------------------------------------------------

EVEN = {
    "relu": nn.ReLU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "sigmoid": nn.Sigmoid,
    "elu": nn.ELU,
    "softplus": nn.Softplus,
    "leaky": nn.LeakyReLU,
}
ODD = {"tanh": nn.Tanh, "softsign": nn.Softsign, "tanhshrink": nn.Tanhshrink}
for name, act in EVEN.items():
    case(f"MLP {name}", seq(lin(3, 6), act, lin(6, 2)), (5, 3), factors="S(6)", told=False)
for name, act in ODD.items():
    case(f"MLP {name}", seq(lin(3, 6), act, lin(6, 2)), (5, 3), factors="B(6)", told=False)
case("MLP linear", seq(lin(3, 6), lin(6, 2)), (5, 3), factors="GL(6)", told=False)
case("MLP through one number", seq(lin(3, 1), lin(1, 2)), (5, 3), factors="GL(1)", told=False)
case(
    "MLP deep",
    seq(lin(3, 6), nn.ReLU, lin(6, 5), nn.Tanh, lin(5, 4), lin(4, 2)),
    (5, 3),
    factors="S(6) x B(5) x GL(4)",
    told=False,
)
case(
    "MLP deep with its ends",
    seq(lin(3, 6), nn.ReLU, lin(6, 2)),
    (5, 3),
    factors="S(6) x S(3) x S(2)",
    io="permuted",
    told=False,
)
case(
    "MLP with dropout in training",
    seq(lin(3, 6), nn.ReLU, lambda: nn.Dropout(0.5), lin(6, 2)),
    (5, 3),
    factors="S(6)",
    training=True,
)
case("MLP softmax", seq(lin(3, 6), lambda: nn.Softmax(-1), lin(6, 2)), (5, 3), factors="S(6)")
case("MLP on tokens", seq(lin(3, 6), nn.ReLU, lin(6, 2)), (2, 4, 3), factors="S(6)")

# --- Axes of size 1: value heads, dueling networks, actors and critics --------------------------------------

TO_NUMBERS = {
    "squeeze(-1)": lambda y: y.squeeze(-1),
    "squeeze(1)": lambda y: y.squeeze(1),
    "squeeze()": lambda y: y.squeeze(),
    "[:, 0]": lambda y: y[:, 0],
    "[..., 0]": lambda y: y[..., 0],
    "view(-1)": lambda y: y.view(-1),
    "reshape(5)": lambda y: y.reshape(5),
    "flatten()": lambda y: y.flatten(),
    "flatten(0)": lambda y: torch.flatten(y, 0),
    "sum(-1)": lambda y: y.sum(-1),
    "mean(1)": lambda y: y.mean(1),
    "amax(1)": lambda y: y.amax(1),
    "as it is": lambda y: y,
}
for name, f in TO_NUMBERS.items():
    case(
        f"a value by {name}",
        fun(lambda m, x, f=f: f(m.b(torch.relu(m.a(x)))), a=lin(3, 6), b=lin(6, 1)),
        (5, 3),
        factors="S(6)",
    )
    case(
        f"a linear value by {name}",
        fun(lambda m, x, f=f: f(m.b(m.a(x))), a=lin(3, 6), b=lin(6, 1)),
        (5, 3),
        factors="GL(6)",
    )
case("a value that is stretched", fun(lambda m, x: m.b(m.a(x).expand(5, 4)), a=lin(3, 1), b=lin(4, 2)), (5, 3))
case(
    "a value that is squeezed and goes on",
    fun(lambda m, x: m.b(m.a(x).squeeze(-1).view(1, 5)), a=lin(3, 1), b=lin(5, 2)),
    (5, 3),
)
case(
    "a number times a vector",
    fun(lambda m, x: m.c(m.a(x) * m.b(x)), a=lin(3, 1), b=lin(3, 4), c=lin(4, 2)),
    (5, 3),
    factors="GL(4)",
)
case(
    "a number on a vector",
    fun(lambda m, x: m.c(m.a(x) + m.b(x)), a=lin(3, 1), b=lin(3, 4), c=lin(4, 2)),
    (5, 3),
    factors="S(4)",
)
case(
    "a dueling network",
    fun(
        lambda m, x: (h := torch.relu(m.t(x)), v := m.v(h), a := m.a(h), v + a - a.mean(1, keepdim=True))[-1],
        t=lin(3, 6),
        v=lin(6, 1),
        a=lin(6, 4),
    ),
    (5, 3),
    factors="S(6)",
)
case(
    "a dueling network with two streams",
    fun(
        lambda m, x: (h := torch.relu(m.t(x)), v := m.v(h), a := m.a(h), v + a - a.mean(-1, keepdim=True))[-1],
        t=lin(3, 6),
        v=seq(lin(6, 5), nn.ReLU, lin(5, 1)),
        a=seq(lin(6, 4), nn.Tanh, lin(4, 3)),
    ),
    (5, 3),
    factors="S(6) x S(5) x B(4)",
)
case(
    "an actor and a critic",
    fun(
        lambda m, x: (h := torch.tanh(m.t(x)), (m.a(h).softmax(-1), m.c(h).squeeze(-1)))[1],
        t=lin(3, 6),
        a=lin(6, 4),
        c=lin(6, 1),
    ),
    (5, 3),
    factors="B(6)",
)
case(
    "an actor and a critic apart",
    fun(
        lambda m, x: {"action": m.a(x), "value": m.c(x)[:, 0]},
        a=seq(lin(3, 6), nn.Tanh, lin(6, 2)),
        c=seq(lin(3, 5), nn.ReLU, lin(5, 1)),
    ),
    (5, 3),
    factors="B(6) x S(5)",
)
case(
    "two critics, the lesser counts",
    fun(
        lambda m, x: torch.minimum(m.a(x), m.b(x)).squeeze(-1),
        a=seq(lin(3, 6), nn.ReLU, lin(6, 1)),
        b=seq(lin(3, 6), nn.ReLU, lin(6, 1)),
    ),
    (5, 3),
    factors="S(6) x S(6)",
)
case(
    "a critic of states and actions",
    lambda: Critic(),
    (5, 3),
    (5, 2),
    factors="S(6)",
)
case("a norm of a vector", fun(lambda m, x: m.b(torch.relu(m.a(x))).norm(dim=-1), a=lin(3, 6), b=lin(6, 4)), (5, 3))
case(
    "a score by a product",
    fun(lambda m, x: (m.a(x) * m.b(x)).sum(-1), a=lin(3, 4), b=lin(3, 4)),
    (5, 3),
    factors="S(4)",
)
case(
    "a score by a matrix product",
    fun(lambda m, x: m.a(x) @ m.b(x).transpose(0, 1), a=lin(3, 4), b=lin(3, 4)),
    (5, 3),
    factors="GL(4)",
)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 6), nn.Linear(6, 1)

    def forward(self, state, action):
        return self.b(torch.relu(self.a(torch.cat([state, action], -1)))).squeeze(-1)


# --- Sites of convolutions: generators and decoders ---------------------------------------------------------

for act in (nn.ReLU, nn.Tanh, nn.Identity):
    name = act.__name__
    case(
        f"a decoder by view, {name}",
        fun(
            lambda m, x: m.c(m.g(m.a(x).view(5, 4, 3, 3))), a=lin(3, 36), g=act, c=lambda: nn.Conv2d(4, 2, 3, padding=1)
        ),
        (5, 3),
        factors="S(4)",
    )
    case(
        f"a generator, {name}",
        fun(
            lambda m, x: torch.tanh(m.e(torch.relu(m.d(m.g(m.a(x).view(-1, 4, 2, 2)))))),
            a=lin(3, 16),
            g=act,
            d=lambda: nn.ConvTranspose2d(4, 5, 4, 2, 1),
            e=lambda: nn.ConvTranspose2d(5, 1, 3),
        ),
        (5, 3),
        factors="S(4) x S(5)",
    )
case(
    "a decoder by Unflatten in one dimension",
    fun(lambda m, x: m.c(torch.relu(m.a(x)).reshape(5, 4, 6)), a=lin(3, 24), c=lambda: nn.Conv1d(4, 2, 3)),
    (5, 3),
    factors="S(4)",
)
case(
    "an autoencoder of images",
    seq(
        lambda: nn.Conv2d(1, 4, 3),
        nn.ReLU,
        nn.Flatten,
        lin(64, 5),
        lin(5, 64),
        nn.ReLU,
        lambda: nn.Unflatten(1, (4, 4, 4)),
        lambda: nn.ConvTranspose2d(4, 1, 3),
    ),
    (2, 1, 6, 6),
    factors="S(4) x GL(5) x S(4)",
)
case(
    "a linear layer over the sites of a convolution",
    fun(lambda m, x: m.c(m.a(x)), a=lin(8, 6), c=lambda: nn.Conv1d(3, 2, 3)),
    (2, 3, 8),
    factors="",
)
case(
    "a linear layer over one side of an image",
    fun(lambda m, x: m.c(torch.relu(m.a(x))), a=lin(8, 6), c=lambda: nn.Conv2d(3, 2, 3)),
    (2, 3, 8, 8),
    factors="",
)
case(
    "pooled sites that a linear layer made",
    fun(lambda m, x: F.avg_pool1d(m.a(x), 2), a=lin(8, 6)),
    (2, 3, 8),
    factors="",
)
case(
    "upsampled sites that a linear layer made",
    fun(lambda m, x: m.b(m.u(m.a(x).view(2, 2, 3))), a=lin(4, 6), u=lambda: nn.Upsample(scale_factor=2), b=lin(6, 2)),
    (2, 4),
)

# --- Norms over every axis, beside layers that mix it -------------------------------------------------------

NORMS = {
    "LayerNorm": (lambda n: nn.LayerNorm(n), "last"),
    "LayerNorm without weights": (lambda n: nn.LayerNorm(n, elementwise_affine=False), "last"),
    "RMSNorm": (lambda n: nn.RMSNorm(n), "last"),
    "RMSNorm without weights": (lambda n: nn.RMSNorm(n, elementwise_affine=False), "last"),
    "GroupNorm": (lambda n: nn.GroupNorm(1, n), "first"),
    "GroupNorm of two": (lambda n: nn.GroupNorm(2, n), "first"),
    "InstanceNorm": (lambda n: nn.InstanceNorm1d(n), "first"),
    "InstanceNorm with weights": (lambda n: nn.InstanceNorm1d(n, affine=True), "first"),
    "InstanceNorm with statistics": (lambda n: nn.InstanceNorm1d(n, track_running_stats=True), "first"),
    "BatchNorm": (lambda n: nn.BatchNorm1d(n), "first"),
    "BatchNorm without weights": (lambda n: nn.BatchNorm1d(n, affine=False), "first"),
}
# The group of an axis of six between two linear layers: normalised itself, or beside what is normalised.
OVER = {
    "LayerNorm": "S(6)",
    "LayerNorm without weights": "S(6)",
    "RMSNorm": "B(6)",
    "RMSNorm without weights": "O(6)",
    "GroupNorm": "S(6)",
    "GroupNorm of two": "S(2) x S(3)^2",
    "InstanceNorm": "B(6)",
    "InstanceNorm with weights": "B(6)",
    "InstanceNorm with statistics": "B(6)",
    "BatchNorm": "B(6)",
    "BatchNorm without weights": "B(6)",
}
BESIDE = {name: "B(6)" if "RMS" in name else "S(6)" for name in NORMS}
for (name, (norm, where)), training in itertools.product(NORMS.items(), (False, True)):
    if training and name not in ("BatchNorm", "InstanceNorm with statistics"):
        continue
    mode = " in training" if training else ""
    turn = (lambda y: y) if where == "last" else (lambda y: y.transpose(1, 2))
    case(
        f"{name} over what is mixed{mode}",
        fun(
            lambda m, x, turn=turn: m.b(turn(m.n(turn(m.a(x))))), a=lin(3, 6), n=lambda norm=norm: norm(6), b=lin(6, 2)
        ),
        (2, 4, 3),
        factors=OVER[name],
        training=training,
    )
    case(
        f"{name} beside what is mixed{mode}",
        fun(
            lambda m, x, turn=turn: m.b(turn(m.n(turn(m.a(x).transpose(1, 2)))).transpose(1, 2)),
            a=lin(3, 6),
            n=lambda norm=norm: norm(4),
            b=lin(6, 2),
        ),
        (2, 4, 3),
        factors=BESIDE[name],
        training=training,
    )
case(
    "a LayerNorm over two axes",
    fun(lambda m, x: m.b(m.n(m.a(x))), a=lin(3, 6), n=lambda: nn.LayerNorm((4, 6)), b=lin(6, 2)),
    (2, 4, 3),
    factors="S(6)",
)
case(
    "a LayerNorm on features of a batch",
    seq(lin(3, 6), lambda: nn.LayerNorm(6), nn.ReLU, lin(6, 2)),
    (5, 3),
    factors="S(6)",
    told=False,
)
case(
    "a BatchNorm on features of a batch",
    seq(lin(3, 6), lambda: nn.BatchNorm1d(6), nn.ReLU, lin(6, 2)),
    (5, 3),
    factors="S(6)",
    told=False,
)
case(
    "a norm by hand",
    fun(lambda m, x: m.b((y := m.a(x)) / (y.pow(2).mean(-1, keepdim=True) + 1).sqrt()), a=lin(3, 6), b=lin(6, 2)),
    (5, 3),
    factors="S(6)",
)

# --- Layers over tokens, beside layers over features --------------------------------------------------------

MIX = {"nothing": (lambda y: y, "GL"), "relu": (torch.relu, "S"), "tanh": (torch.tanh, "B")}
for name, (f, kind) in MIX.items():
    case(
        f"tokens mixed, then features without bias, {name}",
        fun(
            lambda m, x, f=f: m.c(m.b(f(m.a(x)).transpose(1, 2)).transpose(1, 2)),
            a=lin(4, 7),
            b=lin(3, 5, False),
            c=lin(7, 2),
        ),
        (2, 3, 4),
        factors=f"{kind}(7)" if kind != "GL" else "GL(7)",
    )
    case(
        f"tokens mixed, then features with bias, {name}",
        fun(
            lambda m, x, f=f: m.c(f(m.b(m.a(x).transpose(1, 2))).transpose(1, 2)), a=lin(4, 7), b=lin(3, 5), c=lin(7, 2)
        ),
        (2, 3, 4),
        factors="S(7)",
    )
case(
    "a mixer",
    fun(
        lambda m, x: (
            y := x + m.t2(F.gelu(m.t1(m.n(x).transpose(1, 2)))).transpose(1, 2),
            y + m.c2(F.gelu(m.c1(m.k(y)))),
        )[1],
        n=lambda: nn.LayerNorm(6),
        k=lambda: nn.LayerNorm(6),
        t1=lin(4, 7),
        t2=lin(7, 4),
        c1=lin(6, 8),
        c2=lin(8, 6),
    ),
    (2, 4, 6),
    factors="S(7) x S(8)",
)
case(
    "a convolution over features, channels are tokens",
    fun(lambda m, x: m.c(m.a(x)), a=lin(3, 6), c=lambda: nn.Conv1d(4, 2, 3)),
    (2, 4, 3),
    factors="",
)
case("a set", fun(lambda m, x: m.c(torch.relu(m.a(x)).sum(1)), a=lin(3, 6), c=lin(6, 2)), (2, 4, 3), factors="S(6)")
case(
    "a set by its mean",
    fun(lambda m, x: m.c(torch.tanh(m.a(x)).mean(1)), a=lin(3, 6), c=lin(6, 2)),
    (2, 4, 3),
    factors="B(6)",
)
case("a set by its maximum", fun(lambda m, x: m.c(m.a(x).amax(1)), a=lin(3, 6), c=lin(6, 2)), (2, 4, 3), factors="S(6)")
case(
    "points",
    fun(lambda m, x: m.c(torch.relu(m.a(x)).amax(-1)), a=lambda: nn.Conv1d(3, 6, 1), c=lin(6, 2)),
    (2, 3, 5),
    factors="S(6)",
)
case("a sum over what was mixed", fun(lambda m, x: m.a(x).sum(-1), a=lin(3, 6)), (5, 3), factors="S(6)")

# --- Attention and encoders ---------------------------------------------------------------------------------

for form in ("split", "reshape", "reshape and index", "by hand"):
    case(f"attention, {form}", lambda form=form: Attention(form), (2, 5, 12), factors="S(3) x GL(4)^3 x GL(4)^3")
case("grouped queries", lambda: Grouped(False), (2, 5, 8), factors="S(3) x S(2)^3 x GL(4)^3 x GL(4)^3")
case("repeated keys", lambda: Grouped(True), (2, 5, 8), factors="S(3) x S(2)^3 x GL(4)^3 x GL(4)^3")
case(
    "a language model",
    Language,
    inputs=(torch.arange(10).view(2, 5) % 9,),
    factors="S(12) x S(3) x GL(4)^3 x GL(4)^3 x S(20)",
)
HEAD = "S(2) x GL(4)^2 x GL(4)^2"
CAUSAL, PADDING = torch.ones(6, 6, dtype=torch.bool).triu(1), torch.zeros(2, 6, dtype=torch.bool)
PADDING[1, 4:] = True
for first, (mask, padding) in itertools.product(
    (True, False), ((None, None), (CAUSAL, None), (None, PADDING), (CAUSAL, PADDING))
):
    said = (
        " and ".join(word for word, there in (("a causal mask", mask), ("padding", padding)) if there is not None)
        or "no mask"
    )
    order = "" if first else ", positions first"
    shape = (2, 6, 8) if first else (6, 2, 8)
    case(
        f"attention with {said}{order}",
        fun(
            lambda m, x, mask=mask, padding=padding: m.a(x, x, x, key_padding_mask=padding, attn_mask=mask)[0],
            a=lambda first=first: nn.MultiheadAttention(8, 2, batch_first=first),
        ),
        shape,
        factors=HEAD,
    )
    turn = (lambda y: y) if first else (lambda y: y.transpose(0, 1))
    tokens = fun(
        lambda m, x, mask=mask, padding=padding, turn=turn: m.b(
            turn(m.e(turn(m.a(x).transpose(1, 2)), src_mask=mask, src_key_padding_mask=padding)).mean(1)
        ),
        a=lin(4, 6),
        e=lambda first=first: nn.TransformerEncoderLayer(8, 2, 5, batch_first=first),
        b=lin(8, 3),
    )
    case(
        f"an encoder of mixed tokens with {said}{order}",
        tokens,
        (2, 8, 4),
        factors=f"{'S(6) x ' if said == 'no mask' else ''}{HEAD} x S(5)",
    )
    case(
        f"attention to mixed tokens with {said}{order}",
        fun(
            lambda m, x, mask=mask, padding=padding, turn=turn: turn(
                m.e(*3 * [turn(m.a(x).transpose(1, 2))], attn_mask=mask, key_padding_mask=padding)[0]
            ).sum(1),
            a=lin(4, 6),
            e=lambda first=first: nn.MultiheadAttention(8, 2, batch_first=first),
        ),
        (2, 8, 4),
        factors=f"{'S(6) x ' if said == 'no mask' else ''}{HEAD}",
    )
for first, act in itertools.product((True, False), ("relu", "gelu")):
    case(
        f"an encoder, norm {'first' if first else 'last'}, {act}",
        lambda first=first, act=act: encoder(1, norm_first=first, activation=act),
        (2, 5, 16),
        factors="S(4) x GL(4)^4 x GL(4)^4 x S(24)",
        told=False,
    )
case(
    "an encoder in training", lambda: encoder(1), (2, 5, 16), factors="S(4) x GL(4)^4 x GL(4)^4 x S(24)", training=True
)
case(
    "an encoder with its ends",
    lambda: encoder(1),
    (2, 5, 16),
    factors="S(16) x S(4) x GL(4)^4 x GL(4)^4 x S(24)",
    io="permuted",
    told=False,
)
case(
    "a decoder layer",
    lambda: nn.TransformerDecoderLayer(8, 2, 5, batch_first=True),
    (2, 5, 8),
    (2, 3, 8),
    factors=f"{HEAD} x {HEAD} x S(5)",
)
case(
    "learned queries",
    fun(
        lambda m, x: m.a(m.q.expand(2, -1, -1), x, x)[0].mean(1),
        q=par(1, 3, 8),
        a=lambda: nn.MultiheadAttention(8, 2, batch_first=True),
    ),
    (2, 5, 8),
)
case(
    "learned queries of one sample",
    fun(lambda m, x: m.a(m.q, x, x)[0].mean(0), q=par(3, 8), a=lambda: nn.MultiheadAttention(8, 2)),
    (5, 8),
    factors=f"S(3) x {HEAD}",
)
case(
    "attention that is pooled",
    fun(lambda m, x: (m.w(x).softmax(1) * m.v(x)).sum(1), w=lin(3, 1), v=lin(3, 4)),
    (2, 5, 3),
    factors="",
)
case(
    "attention that is pooled by a product",
    fun(
        lambda m, x: m.o((m.w(torch.tanh(m.h(x))).softmax(1).transpose(1, 2) @ m.v(x)).squeeze(1)),
        h=lin(3, 6),
        w=lin(6, 1),
        v=lin(3, 4),
        o=lin(4, 2),
    ),
    (2, 5, 3),
    factors="B(6) x GL(4)",
)
