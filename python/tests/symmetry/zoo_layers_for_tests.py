"""The zoo's bilinear maps, embedding bags, rotary encodings, products by letters and mixtures of experts."""

import torch
from torch import nn
from torch.nn import functional as F
from zoo_for_tests import case, fun, lin, par, seq

# --- Bilinear maps ------------------------------------------------------------------------------------------------------------


def bilinear(*sizes, bias=True):
    return lambda: nn.Bilinear(*sizes, bias=bias)


case(
    "a bilinear map",
    fun(lambda m, x: m.o(m.b(m.a(x), m.c(x))), a=lin(3, 4), c=lin(3, 6), b=bilinear(4, 6, 5), o=lin(5, 2)),
    (5, 3),
    factors="GL(4) x GL(6) x GL(5)",
)
case(
    "a bilinear map of tokens",
    fun(lambda m, x: m.o(m.b(m.a(x), m.c(x))), a=lin(3, 4), c=lin(3, 6), b=bilinear(4, 6, 5, bias=False), o=lin(5, 2)),
    (2, 5, 3),
    factors="GL(4) x GL(6) x GL(5)",
)
case(
    "a bilinear map between activations",
    fun(lambda m, x: m.o(torch.relu(m.b(h := m.a(x), torch.tanh(h)))), a=lin(3, 4), b=bilinear(4, 4, 5), o=lin(5, 2)),
    (5, 3),
    factors="B(4) x S(5)",
)
case(
    "a bilinear map by its function",
    fun(lambda m, x: m.o(F.bilinear(h := m.a(x), h, m.w)), a=lin(3, 4), w=par(5, 4, 4), o=lin(5, 2)),
    (5, 3),
    factors="GL(4) x GL(5)",
)
case("a bilinear map by itself", bilinear(3, 3, 2), (5, 3), (5, 3), factors="")

# --- Embedding bags -----------------------------------------------------------------------------------------------------------

ids = torch.randint(0, 7, (5, 4), generator=torch.Generator().manual_seed(0))
row = torch.randint(0, 7, (9,), generator=torch.Generator().manual_seed(1))
for mode, factors in {"sum": "GL(6)", "mean": "GL(6)", "max": "S(6)"}.items():
    make = seq(lambda mode=mode: nn.EmbeddingBag(7, 6, mode=mode), lin(6, 2))
    case(f"an embedding bag by {mode}", make, inputs=(ids,), factors=factors)
case(
    "an embedding bag by its function",
    fun(lambda m, i: m.o(F.embedding_bag(i, m.e)), e=par(7, 6), o=lin(6, 2)),
    inputs=(ids,),
    factors="GL(6)",
)
case(
    "an embedding bag and its words",
    fun(lambda m, i: F.linear(m.e(i), m.e.weight), e=lambda: nn.EmbeddingBag(7, 6, mode="sum")),
    inputs=(ids,),
    factors="O(6)",
)


class Bags(nn.Module):
    def __init__(self, **settings):
        super().__init__()
        self.e, self.o = nn.EmbeddingBag(7, 6, **settings), nn.Linear(6, 2)


class Weighted(Bags):
    def forward(self, i, more):
        return self.o(self.e(i, per_sample_weights=more))


class Cut(Bags):
    def forward(self, i, more):
        return self.o(self.e(i, more))


case("embedding bags by offsets", Cut, inputs=(row, torch.tensor([0, 2, 5])), factors="GL(6)")
case(
    "embedding bags with their end",
    lambda: Cut(include_last_offset=True),
    inputs=(row, torch.tensor([0, 2, 9])),
    factors="GL(6)",
)
case("an embedding bag with weights", lambda: Weighted(mode="sum"), inputs=(ids, torch.zeros(5, 4)), factors="GL(6)")

# --- Rotary encodings: the coordinates of queries and keys stay, heads and values move ----------------------------------------


def halves(x):
    return torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], -1)


def chunks(x):
    a, b = x.chunk(2, -1)
    return torch.cat((-b, a), -1)


def neighbours(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)


def rotary(turned, frequencies):
    angles = torch.arange(5.0)[:, None] * torch.tensor(frequencies)

    def attend(m, x):
        q, k, v = (f(x).view(2, 5, 2, 4).transpose(1, 2) for f in (m.q, m.k, m.v))
        q, k = (h * m.cos + turned(h) * m.sin for h in (q, k))
        return m.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 5, 8))

    parts = {name: lin(3, 8) for name in "qkv"}
    return fun(attend, **parts, o=lin(8, 2), cos=angles.cos, sin=angles.sin)


for name, turned, frequencies in (
    ("halves", halves, [1.0, 0.1, 1.0, 0.1]),
    ("chunks", chunks, [1.0, 0.1, 1.0, 0.1]),
    ("neighbours", neighbours, [1.0, 1.0, 0.1, 0.1]),
):
    case(f"a rotary encoding of {name}", rotary(turned, frequencies), (2, 5, 3), factors="S(2) x GL(4)^2")

# --- Products by letters ------------------------------------------------------------------------------------------------------


def by_letters(m, x):
    q, k, v = (f(x).view(2, 5, 2, 4) for f in (m.q, m.k, m.v))
    scores = torch.einsum("bihd,bjhd->bhij", q, k).softmax(-1)
    return m.o(torch.einsum("bhij,bjhd->bihd", scores, v).flatten(2))


case(
    "attention by einsum",
    fun(by_letters, q=lin(3, 8), k=lin(3, 8), v=lin(3, 8), o=lin(8, 2)),
    (2, 5, 3),
    factors="S(2) x GL(4)^2 x GL(4)^2",
)
LETTERS = {
    "dots": ("...i,ji->...j", {"w": (6, 4)}, (2, 5, 3), "GL(4) x GL(6)"),
    "no arrow": ("bi,ij", {"w": (4, 6)}, (5, 3), "GL(4) x GL(6)"),
    "three tensors": ("bi,ri,or->bo", {"u": (5, 4), "w": (6, 5)}, (5, 3), "GL(4) x GL(5) x GL(6)"),
}
for name, (equation, weights, shape, factors) in LETTERS.items():
    f = lambda m, x, equation=equation, names=tuple(weights): m.o(  # noqa: E731
        torch.einsum(equation, m.a(x), *(getattr(m, n) for n in names))
    )
    make = fun(f, a=lin(3, 4), o=lin(6, 2), **{n: par(*s) for n, s in weights.items()})
    case(f"an einsum with {name}", make, shape, factors=factors)
case(
    "an einsum of one tensor",
    fun(lambda m, x: m.o(torch.einsum("bti->bi", m.a(x))), a=lin(3, 4), o=lin(4, 2)),
    (2, 5, 3),
    factors="GL(4)",
)
case(
    "a form in three vectors",
    fun(lambda m, x: torch.einsum("bi,oij,bj->bo", m.a(x), m.w, m.c(x)), a=lin(3, 4), c=lin(3, 6), w=par(2, 4, 6)),
    (5, 3),
    factors="GL(4) x GL(6)",
)
case(
    "a sum of products of three",
    fun(lambda m, x: torch.einsum("br,br,br->b", m.a(x), m.b(x), m.c(x)), a=lin(3, 4), b=lin(3, 4), c=lin(3, 4)),
    (5, 3),
    factors="S(4)",
)

# --- Mixtures of experts ------------------------------------------------------------------------------------------------------


def experts(m, x):
    hidden = torch.relu(torch.einsum("bi,eih->ebh", x, m.w))
    return torch.einsum("be,ebo->bo", m.g(x).softmax(-1), torch.einsum("ebh,eho->ebo", hidden, m.v))


case("experts by letters", fun(experts, g=lin(3, 2), w=par(2, 3, 4), v=par(2, 4, 2)), (5, 3), factors="S(2) x S(4)")
case(
    "experts with a load",
    fun(
        lambda m, x: (
            (gates := m.g(x).softmax(-1)).mean(0),
            sum(gates[:, k : k + 1] * e(x) for k, e in enumerate(m.e)),
        ),
        g=lin(3, 2),
        e=lambda: nn.ModuleList([nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)) for _ in range(2)]),
    ),
    (5, 3),
    factors="S(4) x S(4)",
)
