"""The zoo, embeddings, gates, residuals, pieces, and ends that move."""

from networks_for_tests import Residual  # isort: skip (skips without PyTorch)
import torch
from torch import nn
from torch.nn import functional as F
from zoo_for_tests import Tied, Twice, case, fun, lin, par, seq

# --- Embeddings, gates, residuals, pieces -------------------------------------------------------------------

WORDS = (torch.arange(10).view(2, 5) % 7,)
case("an embedding", seq(lambda: nn.Embedding(7, 6), lin(6, 2)), inputs=WORDS, factors="GL(6)")
case("an embedding by itself", lambda: nn.Embedding(7, 6), inputs=WORDS, factors="", told=False)
case(
    "a bag of words",
    fun(lambda m, x: m.b(torch.relu(m.e(x)).mean(1)), e=lambda: nn.Embedding(7, 6), b=lin(6, 2)),
    inputs=WORDS,
    factors="S(6)",
)
case(
    "words and places",
    fun(lambda m, x: m.b(torch.relu(m.e(x) + m.p)), e=lambda: nn.Embedding(7, 6), p=par(5, 6), b=lin(6, 2)),
    inputs=WORDS,
    factors="S(6)",
)
case("tied embeddings", lambda: Tied(False), inputs=WORDS, factors="O(6)")
case("tied embeddings behind a layer", lambda: Tied(True), inputs=WORDS, factors="S(6)")
case(
    "an autoencoder with tied weights",
    fun(lambda m, x: F.linear(torch.relu(m.a(x)), m.a.weight.t()), a=lin(3, 6)),
    (5, 3),
    factors="S(6)",
)
case(
    "a swish gate",
    fun(lambda m, x: x + m.d(F.silu(m.g(x)) * m.u(x)), u=lin(3, 6), g=lin(3, 6), d=lin(6, 3)),
    (5, 3),
    factors="S(6)",
)
case(
    "a gate by pieces",
    fun(lambda m, x: (p := m.a(x).chunk(2, -1), m.b(p[0] * torch.sigmoid(p[1])))[1], a=lin(3, 12), b=lin(6, 2)),
    (5, 3),
    factors="S(6)",
)
case("GLU", fun(lambda m, x: m.b(F.glu(m.a(x))), a=lin(3, 12), b=lin(6, 2)), (5, 3), factors="S(6)")
case(
    "a highway",
    fun(
        lambda m, x: m.o((t := m.t(h := m.i(x)).sigmoid()) * torch.tanh(m.h(h)) + (1 - t) * h),
        i=lin(3, 6),
        t=lin(6, 6),
        h=lin(6, 6),
        o=lin(6, 2),
    ),
    (5, 3),
    factors="S(6)",
)
case(
    "FiLM",
    fun(
        lambda m, x: (s := m.film(x).chunk(2, -1), m.o(torch.relu(s[0] * m.a(x) + s[1])))[1],
        film=lin(3, 12),
        a=lin(3, 6),
        o=lin(6, 2),
    ),
    (5, 3),
    factors="S(6)",
)
case("a residual stream", Residual, (5, 3), factors="B(8) x B(8)")
case(
    "residuals behind norms",
    fun(
        lambda m, x: m.o((h := m.i(x)) + m.b(torch.relu(m.a(m.n(h))))),
        i=lin(3, 6),
        n=lambda: nn.LayerNorm(6),
        a=lin(6, 5),
        b=lin(5, 6),
        o=lin(6, 2),
    ),
    (5, 3),
    factors="S(6) x S(5)",
)
case(
    "residuals behind root mean squares",
    fun(
        lambda m, x: m.o((h := m.i(x)) + m.b(torch.relu(m.a(m.n(h))))),
        i=lin(3, 6),
        n=lambda: nn.RMSNorm(6),
        a=lin(6, 5),
        b=lin(5, 6),
        o=lin(6, 2),
    ),
    (5, 3),
    factors="B(6) x S(5)",
)
case(
    "a scale that is learned",
    fun(lambda m, x: m.b(torch.tanh(m.a(x)) * m.s), a=lin(3, 6), s=par(6), b=lin(6, 2)),
    (5, 3),
    factors="B(6)",
)
case(
    "one scale for all",
    fun(lambda m, x: m.b(m.a(x) * m.s), a=lin(3, 6), s=par(1), b=lin(6, 2)),
    (5, 3),
    factors="GL(6)",
)
case("a scale stretched over features", fun(lambda m, x: m.b(m.a(x) * m.s), a=lin(3, 1), s=par(6), b=lin(6, 2)), (5, 3))
case(
    "a shift stretched over tokens",
    fun(lambda m, x: m.b(m.a(x) + m.s), a=lin(3, 6), s=par(4, 1), b=lin(6, 2)),
    (2, 4, 3),
    factors="S(6)",
)
case(
    "a shift of tokens and features",
    fun(lambda m, x: m.c(m.b(m.a(x) + m.s).transpose(1, 2)), a=lin(3, 6), s=par(4, 6), b=lin(6, 5), c=lin(4, 2)),
    (2, 4, 3),
    factors="GL(6)",
)
case(
    "parallel branches",
    fun(
        lambda m, x: m.o(torch.cat([torch.tanh(m.a(x)), torch.relu(m.b(x))], -1)), a=lin(3, 4), b=lin(3, 5), o=lin(9, 2)
    ),
    (5, 3),
    factors="B(4) x S(5)",
)
case(
    "branches that are added",
    fun(lambda m, x: m.o(torch.tanh(m.a(x)) + torch.relu(m.b(x))), a=lin(3, 6), b=lin(3, 6), o=lin(6, 2)),
    (5, 3),
    factors="S(6)",
)
case(
    "branches that are stacked",
    fun(lambda m, x: m.o(torch.stack([m.a(x), torch.tanh(m.b(x))], 1)), a=lin(3, 6), b=lin(3, 6), o=lin(6, 2)),
    (5, 3),
    factors="B(6)",
)
case(
    "branches that are stacked and added up",
    fun(lambda m, x: m.o(torch.stack([m.a(x), torch.relu(m.b(x))]).sum(0)), a=lin(3, 6), b=lin(3, 6), o=lin(6, 2)),
    (5, 3),
    factors="S(6)",
)
case(
    "unlike pieces",
    fun(
        lambda m, x: (p := m.a(x).split([2, 4], -1), m.b(torch.tanh(p[0])) + m.c(torch.relu(p[1])))[1],
        a=lin(3, 6),
        b=lin(2, 2),
        c=lin(4, 2),
    ),
    (5, 3),
    factors="B(2) x S(4)",
)
case(
    "mean and logarithm of a variance",
    fun(lambda m, x: (p := m.a(x).chunk(2, 1), m.b(p[0]), p[1].exp().sum(1))[1:], a=lin(3, 8), b=lin(4, 2)),
    (5, 3),
    factors="GL(4) x S(4)",
)
case("a piece that is not used", fun(lambda m, x: m.b(torch.relu(m.a(x)[:, :4])), a=lin(3, 6), b=lin(4, 2)), (5, 3))
case(
    "a feature that is picked",
    fun(lambda m, x: m.b(h := torch.relu(m.a(x))) + h[:, 1:2], a=lin(3, 4), b=lin(4, 2)),
    (5, 3),
    factors="S(2)",
)
case(
    "a constant beside",
    fun(lambda m, x: m.b(torch.relu(m.a(x)) * m.c), a=lin(3, 4), c=lambda: torch.arange(1.0, 5), b=lin(4, 2)),
    (5, 3),
    factors="",
)
case(
    "Siamese twins",
    fun(lambda m, x: (m.a(x[:, :3]).tanh() - m.a(x[:, 3:]).tanh()).abs().sum(-1), a=lin(3, 6)),
    (5, 6),
    factors="S(6)",
)
case(
    "a normalised embedding",
    fun(lambda m, x: F.normalize(m.a(x), dim=-1) @ F.normalize(m.b(x), dim=-1).t(), a=lin(3, 6), b=lin(3, 6)),
    (5, 3),
    factors="O(6)",
)
case(
    "a bilinear form by einsum",
    fun(lambda m, x: torch.einsum("bi,ci->bc", m.a(x), m.b(x)), a=lin(3, 6), b=lin(3, 6)),
    (5, 3),
    factors="GL(6)",
)
case(
    "a weighted sum by einsum",
    fun(
        lambda m, x: m.o(torch.einsum("bti,bt->bi", m.a(x), m.w(x).squeeze(-1).softmax(-1))),
        a=lin(3, 6),
        w=lin(3, 1),
        o=lin(6, 2),
    ),
    (2, 5, 3),
    factors="GL(6)",
)
case("a layer used twice", lambda: Twice(), (5, 2), factors="S(4)")
case(
    "low rank",
    fun(lambda m, x: m.w(x) + m.b(m.a(x)), w=lin(3, 4), a=lin(3, 2, False), b=lin(2, 4, False)),
    (5, 3),
    factors="GL(2)",
)
case(
    "heads that are added up",
    fun(lambda m, x: m.o(m.a(x).view(6, 3, 4).sum(1)), a=lin(3, 12), o=lin(4, 2)),
    (6, 3),
    factors="S(3) x GL(4)",
)
case(
    "rows and columns",
    fun(lambda m, x: m.b(torch.relu(m.a(x)).view(5, 2, 2).transpose(1, 2).reshape(5, 4)), a=lin(3, 4), b=lin(4, 2)),
    (5, 3),
    factors="S(2) x S(2)",
)
case(
    "heads that end in numbers",
    fun(lambda m, x: m.o(m.b(torch.relu(m.a(x)).view(5, 3, 4)).squeeze(-1)), a=lin(3, 12), b=lin(4, 1), o=lin(3, 2)),
    (5, 3),
    factors="S(3) x S(4)",
)
case(
    "experts, all asked",
    fun(
        lambda m, x: (torch.stack([e(x) for e in m.e], -1) * m.g(x).softmax(-1)[:, None, :]).sum(-1),
        g=lin(3, 2),
        e=lambda: nn.ModuleList([nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(2)]),
    ),
    (5, 3),
    factors="S(4) x S(4)",
)
case(
    "a message along a graph",
    fun(
        lambda m, x: m.b(torch.relu(m.adjacency @ m.a(x))),
        a=lin(3, 6),
        b=lin(6, 2),
        adjacency=lambda: torch.arange(16.0, dtype=torch.float64).view(4, 4) % 3,
    ),
    (4, 3),
    factors="S(6)",
)
case(
    "a graph that is linear",
    fun(
        lambda m, x: m.b(m.adjacency @ m.a(x)),
        a=lin(3, 6),
        b=lin(6, 2),
        adjacency=lambda: torch.arange(16.0, dtype=torch.float64).view(4, 4) % 3,
    ),
    (4, 3),
    factors="GL(6)",
)
case(
    "a number for every pair",
    fun(
        lambda m, x: m.o((m.a(x)[:, :, None] + m.b(x)[:, None, :]).relu().flatten(1)),
        a=lin(3, 4),
        b=lin(3, 2),
        o=lin(8, 2),
    ),
    (5, 3),
    factors="S(4) x S(2)",
)
case(
    "an outer product",
    fun(lambda m, x: m.o((m.a(x)[:, :, None] * m.b(x)[:, None, :]).flatten(1)), a=lin(3, 4), b=lin(3, 2), o=lin(8, 2)),
    (5, 3),
)

# --- Ends that move: products of axes over several dimensions, and inputs that nothing but an output shares ---
case(
    "features that come out as rows and columns",
    fun(lambda m, x: (m.a(x), x.unflatten(-1, (2, 3))), a=lin(6, 4)),
    (2, 5, 6),
    factors="S(4) x S(2) x S(3)^2",
    io="permuted",
)
case(
    "features that come out once more",
    fun(lambda m, x: (m.a(x.unflatten(-1, (3, 1))).flatten(1), x.softmax(-1)), a=lin(1, 2)),
    (2, 5, 3),
    factors="S(2) x S(3)",
    io="permuted",
)
case("an image that is flattened", seq(nn.Flatten, lin(12, 5), nn.ReLU, lin(5, 2)), (4, 3, 2, 2), factors="S(5)")
case(
    "an image that is flattened, with its ends",
    seq(nn.Flatten, lin(12, 5), nn.ReLU, lin(5, 2)),
    (4, 3, 4),
    factors="S(4) x S(5) x S(2)",
    io="permuted",
)
case(
    "an input that is flattened and read again",
    fun(
        lambda m, x: m.a(x.flatten(1)) + m.b(torch.relu(m.c(x))).flatten(1),
        a=lin(12, 8),
        b=lambda: nn.Conv1d(5, 2, 1),
        c=lambda: nn.Conv1d(3, 5, 1),
    ),
    (2, 3, 4),
    factors="S(5)",
)

# --- Axes over others, where the others are mixed -----------------------------------------------------------


def mixing(f):
    return lambda m, x: m.b(f(m, m.a(x).view(-1, 2, 4)).flatten(1))


turned = lambda m, h: m.n(h.transpose(1, 2)).transpose(1, 2)  # noqa: E731
MIXED = {
    "softmax": (lambda m, h: h.softmax(1), "S(2) x S(4)"),
    "log_softmax": (lambda m, h: F.log_softmax(h, 1), "S(2) x S(4)"),
    "normalize": (lambda m, h: F.normalize(h, dim=1), "S(2) x B(4)"),
    "attention": (lambda m, h: F.scaled_dot_product_attention(h, h, h), "S(2) x O(4)"),
}
for name, (f, factors) in MIXED.items():
    case(f"{name} over what others are over", fun(mixing(f), a=lin(6, 8), b=lin(8, 5)), (3, 6), factors=factors)
for name, norm, factors in (
    ("LayerNorm", nn.LayerNorm(2), "S(2) x S(4)"),
    ("RMSNorm", nn.RMSNorm(2), "S(2) x B(4)"),
    ("BatchNorm", nn.BatchNorm1d(4), "S(2) x B(4)"),
):
    make = fun(mixing(turned), a=lin(6, 8), b=lin(8, 5), n=norm)
    case(f"{name} over what others are over", make, (3, 6), factors=factors)
for name, f in {
    "matmul": lambda m, h: h @ h.mT,
    "einsum": lambda m, h: torch.einsum("bhi,bgi->bhg", h, h),
}.items():
    make = fun(mixing(f), a=lin(6, 8), b=lin(4, 5))
    case(f"{name} with rows that others are over", make, (3, 6), factors="S(2) x O(4)")
make = fun(mixing(lambda m, h: h.mT @ h), a=lin(6, 8), b=lin(16, 5))
case("matmul over rows that others are over", make, (3, 6), factors=None)
for name, f in {
    "softmax": lambda m, h: h.softmax(2),
    "LayerNorm": lambda m, h: m.n(h),
}.items():
    make = fun(mixing(f), a=lin(6, 8), b=lin(8, 5), n=lambda: nn.LayerNorm(4, elementwise_affine=False))
    case(f"{name} inside of what is over others", make, (3, 6), factors="S(2) x S(4)^2")
