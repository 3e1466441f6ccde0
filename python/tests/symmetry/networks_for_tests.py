"""Networks whose groups are known, each with an input and how it is read. Skips the tests where PyTorch is missing."""

import copy

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

D = torch.float64


class Function(nn.Module):
    def __init__(self, f, **parts):
        super().__init__()
        self.f = f
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return self.f(self, x)


class Attention(nn.Module):
    """Causal attention as nanoGPT and timm write it: one layer for queries, keys and values, told apart by a split or
    by a reshape."""

    def __init__(self, form, E=12, H=3):
        super().__init__()
        self.qkv, self.out, self.H, self.E, self.form = nn.Linear(E, 3 * E), nn.Linear(E, E), H, E, form
        self.register_buffer("mask", torch.full((5, 5), -1e9).triu(1))

    def forward(self, x):
        B, T, C = x.size()
        if self.form == "reshape":
            q, k, v = self.qkv(x).reshape(B, T, 3, self.H, C // self.H).permute(2, 0, 3, 1, 4).unbind(0)
        elif self.form == "reshape and index":
            qkv = self.qkv(x).view(B, T, 3, self.H, C // self.H)
            q, k, v = (qkv[:, :, i].transpose(1, 2) for i in range(3))
        else:
            q, k, v = self.qkv(x).split(self.E, dim=2)
            q, k, v = (t.view(B, T, self.H, C // self.H).transpose(1, 2) for t in (q, k, v))
        if self.form == "by hand":
            scores = (q @ k.transpose(-2, -1)) * (C // self.H) ** -0.5 + self.mask
            y = F.softmax(scores, dim=-1) @ v
        else:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).contiguous().view(B, T, C))


class Grouped(nn.Module):
    """Six heads of queries for three of keys and values."""

    def __init__(self, repeat):
        super().__init__()
        self.q, self.k, self.v, self.o, self.repeat = (
            nn.Linear(8, 24),
            nn.Linear(8, 12),
            nn.Linear(8, 12),
            nn.Linear(24, 8),
            repeat,
        )

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (f(x).view(B, T, -1, 4).transpose(1, 2) for f in (self.q, self.k, self.v))
        if self.repeat:
            k, v = k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, enable_gqa=not self.repeat)
        return self.o(y.transpose(1, 2).reshape(B, T, 24))


class Language(nn.Module):
    """A small GPT whose head is its embedding."""

    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(9, 12), nn.Parameter(torch.randn(5, 12))
        self.attention, self.norms = Attention("split"), nn.ModuleList([nn.LayerNorm(12) for _ in range(3)])
        self.mlp = nn.Sequential(nn.Linear(12, 20), nn.GELU(), nn.Linear(20, 12), nn.Dropout(0.1))
        self.head = nn.Linear(12, 9, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, ids):
        x = self.tokens(ids) + self.positions
        x = x + self.attention(self.norms[0](x))
        return self.head(self.norms[2](x + self.mlp(self.norms[1](x))))


class Residual(nn.Module):
    """A stream with scales, and a layer that is used twice."""

    def __init__(self):
        super().__init__()
        self.i, self.a, self.b, self.o, self.scale = (
            nn.Linear(3, 8),
            nn.Linear(8, 8),
            nn.Linear(8, 8),
            nn.Linear(8, 2),
            nn.Parameter(torch.randn(8)),
        )

    def forward(self, x):
        x = self.i(x)
        for _ in range(2):
            x = x + self.b(torch.tanh(self.a(x))) * self.scale
        return self.o(torch.tanh(x))


def encoder(layers=2, **settings):
    layer = nn.TransformerEncoderLayer(16, 4, 24, batch_first=True, **settings)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


def grid(*channels):
    return torch.randn(2, *channels, dtype=D)


def zoo():
    """name: (network, input, io, whether the input's shape has to be told)"""
    torch.manual_seed(0)
    x = torch.randn(6, 3)
    words = torch.randint(0, 9, (2, 5))
    tanh_conv = (nn.Conv2d(3, 8, 3), nn.Tanh(), nn.Conv2d(8, 12, 3, groups=4), nn.ReLU(), nn.Conv2d(12, 5, 1))
    mobile = (
        nn.Conv2d(3, 8, 1),
        nn.BatchNorm2d(8),
        nn.ReLU6(),
        nn.Conv2d(8, 8, 3, groups=8),
        nn.BatchNorm2d(8),
        nn.ReLU6(),
        nn.Conv2d(8, 5, 1),
    )
    swiglu = Function(
        lambda m, x: x + m.d(F.silu(m.g(x)) * m.u(x)), u=nn.Linear(3, 8), g=nn.Linear(3, 8), d=nn.Linear(8, 3)
    )
    mlp = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 5), nn.Tanh(), nn.Linear(5, 4), nn.Linear(4, 2))
    cnn = nn.Sequential(
        nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 4, 3), nn.Tanh(), nn.Flatten(), nn.Linear(64, 7), nn.GELU(),
        nn.Linear(7, 2),
    )  # fmt: skip
    norms = nn.Sequential(
        nn.Conv2d(3, 8, 1),
        nn.GroupNorm(4, 8),
        nn.Tanh(),
        nn.Conv2d(8, 6, 3),
        nn.GroupNorm(6, 6),
        nn.Tanh(),
        nn.Conv2d(6, 5, 1),
    )
    other_keys = Function(lambda m, x: m.a(x, x[..., :4], x[..., 2:])[0], a=nn.MultiheadAttention(8, 2, kdim=4, vdim=6))
    transposed = nn.Sequential(
        nn.Conv1d(2, 4, 3), nn.ReLU(), nn.ConvTranspose1d(4, 6, 3, groups=2), nn.Tanh(), nn.Conv1d(6, 1, 1)
    )
    roots = nn.Sequential(
        nn.Linear(3, 8),
        nn.RMSNorm(8),
        nn.Linear(8, 6, bias=False),
        nn.RMSNorm(6, elementwise_affine=False),
        nn.Linear(6, 3),
    )
    joined = Function(
        lambda m, x: m.o(torch.cat([torch.tanh(m.a(x)), torch.relu(m.b(x))], -1)),
        a=nn.Linear(3, 4),
        b=nn.Linear(3, 5),
        o=nn.Linear(9, 2),
    )
    networks = {
        "an MLP": (mlp, x, "fixed", False),
        "an MLP with its ends": (copy.deepcopy(mlp), x, "permuted", False),
        "a CNN": (cnn, grid(3, 14, 14), "fixed", False),
        "a CNN with its ends": (copy.deepcopy(cnn), grid(3, 14, 14), "permuted", False),
        "an encoder": (encoder(), grid(5, 16), "fixed", False),
        "a pre-norm encoder with its ends": (encoder(norm_first=True, activation="gelu"), grid(5, 16), "permuted", False),
        "a decoder layer": (nn.TransformerDecoderLayer(16, 4, 24, batch_first=True), (grid(5, 16), grid(6, 16)), "fixed", False),
        "attention": (Function(lambda m, x: m.a(x, x, x)[0], a=nn.MultiheadAttention(8, 2, kdim=8, vdim=8)), grid(5, 8), "fixed", False),
        "attention, other keys": (other_keys, grid(5, 8), "fixed", True),
        **{f"attention, {form}": (Attention(form), grid(5, 12), "fixed", True) for form in ("split", "reshape", "reshape and index", "by hand")},
        "grouped queries": (Grouped(False), grid(5, 8), "fixed", True),
        "repeated keys": (Grouped(True), grid(5, 8), "fixed", True),
        "a language model with tied weights": (Language(), words, "fixed", True),
        "grouped convolutions": (nn.Sequential(*tanh_conv), grid(3, 9, 9), "fixed", False),
        "depthwise convolutions": (nn.Sequential(*mobile), grid(3, 9, 9), "fixed", False),
        "transposed convolutions": (transposed, grid(2, 9), "fixed", False),
        "group norms": (norms, grid(3, 9, 9), "fixed", False),
        "RMS norms": (roots, x, "fixed", False),
        "a residual stream": (Residual(), x, "fixed", False),
        "a gated unit": (swiglu, x, "fixed", False),
        "a gated unit with its ends": (copy.deepcopy(swiglu), x, "permuted", False),
        "a concatenation": (joined, x, "fixed", False),
        "a sum over heads": (Function(lambda m, x: m.o(m.a(x).view(6, 3, 4).sum(1)), a=nn.Linear(3, 12), o=nn.Linear(4, 2)), x, "fixed", True),
        "a parametric activation": (nn.Sequential(nn.Conv1d(2, 5, 3), nn.PReLU(5), nn.Conv1d(5, 2, 1), nn.PReLU()), grid(2, 9), "fixed", False),
    }  # fmt: skip
    in_double = lambda x: x.to(D) if isinstance(x, torch.Tensor) and x.is_floating_point() else x  # noqa: E731
    return {name: (net.to(D).eval(), in_double(x), io, told) for name, (net, x, io, told) in networks.items()}


ZOO = zoo()
