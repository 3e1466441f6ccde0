"""The zoo, convolutions."""

import networks_for_tests  # noqa: F401 isort: skip (skips without PyTorch)
import torch
from torch import nn
from torch.nn import functional as F
from zoo_for_tests import case, fun, lin, par, seq

# --- Convolutions -------------------------------------------------------------------------------------------


def conv(i, o, k=3, **settings):
    return lambda: nn.Conv2d(i, o, k, **settings)


def block(i, o, k=3, **settings):
    return seq(conv(i, o, k, **settings), lambda: nn.BatchNorm2d(o), nn.ReLU)


IMAGE = (2, 3, 9, 9)
case(
    "a CNN",
    seq(
        conv(3, 6), nn.ReLU, lambda: nn.MaxPool2d(2), conv(6, 4, 2), nn.ReLU, nn.Flatten, lin(16, 7), nn.ReLU, lin(7, 2)
    ),
    IMAGE,
    factors="S(6) x S(4) x S(7)",
    told=False,
)
case(
    "a CNN with its ends",
    seq(conv(3, 6), nn.ReLU, conv(6, 2)),
    IMAGE,
    factors="S(3) x S(6) x S(2)",
    io="permuted",
    told=False,
)
case(
    "a convolution that is flattened, with its ends",
    seq(conv(3, 6), nn.ReLU, conv(6, 4), nn.Flatten),
    IMAGE,
    factors="S(3) x S(6) x S(4)",
    io="permuted",
)
case(
    "an average over an image",
    seq(conv(3, 6), nn.Tanh, lambda: nn.AdaptiveAvgPool2d(1), nn.Flatten, lin(6, 2)),
    IMAGE,
    factors="B(6)",
    told=False,
)
case(
    "an average by mean",
    fun(lambda m, x: m.b(m.a(x).relu().mean((2, 3))), a=conv(3, 6), b=lin(6, 2)),
    IMAGE,
    factors="S(6)",
)
case(
    "an average that is squeezed",
    fun(lambda m, x: m.b(F.adaptive_avg_pool2d(m.a(x).relu(), 1).squeeze(-1).squeeze(-1)), a=conv(3, 6), b=lin(6, 2)),
    IMAGE,
    factors="S(6)",
)
case("depthwise", seq(block(3, 6, 1), block(6, 6, 3, groups=6), conv(6, 2, 1)), IMAGE, factors="S(6)", told=False)
case(
    "grouped",
    seq(conv(3, 8), nn.Tanh, conv(8, 12, groups=4), nn.ReLU, conv(12, 5, 1)),
    IMAGE,
    factors="S(4) x B(2)^4 x S(3)^4",
    told=False,
)
case(
    "transposed",
    seq(
        lambda: nn.Conv1d(2, 4, 3),
        nn.ReLU,
        lambda: nn.ConvTranspose1d(4, 6, 3, groups=2),
        nn.Tanh,
        lambda: nn.Conv1d(6, 1, 1),
    ),
    (2, 2, 9),
    factors="S(2) x S(2)^2 x B(3)^2",
    told=False,
)
case(
    "three dimensions",
    seq(lambda: nn.Conv3d(2, 4, 2), nn.ReLU, lambda: nn.Conv3d(4, 1, 2)),
    (2, 2, 4, 4, 4),
    factors="S(4)",
    told=False,
)
for pool in (nn.AvgPool2d, nn.MaxPool2d):
    case(
        f"{pool.__name__} between",
        seq(conv(3, 6), lambda pool=pool: pool(2), conv(6, 2)),
        IMAGE,
        factors="GL(6)" if pool is nn.AvgPool2d else "S(6)",
        told=False,
    )
case("convolutions without anything between", seq(conv(3, 6), conv(6, 2)), IMAGE, factors="GL(6)", told=False)
case(
    "an image scaled up",
    seq(conv(3, 6), nn.ReLU, lambda: nn.Upsample(scale_factor=2), conv(6, 2)),
    IMAGE,
    factors="S(6)",
    told=False,
)
case(
    "a padded image",
    seq(conv(3, 6), nn.ReLU, lambda: nn.ReflectionPad2d(1), conv(6, 2)),
    IMAGE,
    factors="S(6)",
    told=False,
)
case(
    "channels last",
    fun(lambda m, x: m.b(torch.relu(m.a(x).permute(0, 2, 3, 1))), a=conv(3, 6), b=lin(6, 2)),
    IMAGE,
    factors="S(6)",
)
case(
    "channels last, normalised",
    fun(
        lambda m, x: m.b(m.n(m.a(x).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)),
        a=conv(3, 6),
        n=lambda: nn.LayerNorm(6),
        b=conv(6, 2),
    ),
    IMAGE,
    factors="S(6)",
)
case(
    "ConvNeXt",
    fun(
        lambda m, x: m.o((y := m.i(x)) + (m.s * m.q(F.gelu(m.p(m.n(m.d(y).permute(0, 2, 3, 1)))))).permute(0, 3, 1, 2)),
        i=conv(3, 6),
        d=conv(6, 6, 3, padding=1, groups=6),
        n=lambda: nn.LayerNorm(6),
        p=lin(6, 8),
        q=lin(8, 6),
        s=par(6),
        o=conv(6, 2),
    ),
    IMAGE,
    factors="S(6) x S(8)",
)
case(
    "U-Net",
    fun(
        lambda m, x: m.o(torch.cat([h := m.a(x), m.u(m.b(m.d(h)))], 1)),
        a=block(3, 4, padding=1),
        d=lambda: nn.MaxPool2d(2),
        b=block(4, 5, padding=1),
        u=lambda: nn.Upsample(scale_factor=2),
        o=conv(9, 2),
    ),
    (2, 3, 8, 8),
    factors="S(4) x S(5)",
)
case(
    "U-Net by transposed convolutions",
    fun(
        lambda m, x: m.o(torch.cat([h := m.a(x), m.u(m.b(m.d(h)))], 1)),
        a=block(3, 4, padding=1),
        d=lambda: nn.MaxPool2d(2),
        b=block(4, 5, padding=1),
        u=lambda: nn.ConvTranspose2d(5, 3, 2, 2),
        o=block(7, 2),
    ),
    (2, 3, 8, 8),
)
case(
    "a residual block",
    fun(
        lambda m, x: m.o(torch.relu(m.b(torch.relu(m.a(y := torch.relu(m.i(x))))) + y)),
        i=conv(3, 4),
        a=conv(4, 6, padding=1),
        b=conv(6, 4, padding=1),
        o=conv(4, 2),
    ),
    IMAGE,
    factors="S(4) x S(6)",
)
case(
    "a residual block with a shortcut",
    fun(
        lambda m, x: m.o(torch.relu(m.b(m.a(x)) + m.s(x)).mean((-1, -2))),
        a=block(3, 6, padding=1, stride=2),
        b=conv(6, 4, padding=1),
        s=conv(3, 4, 1, stride=2),
        o=lin(4, 2),
    ),
    IMAGE,
    factors="S(6) x S(4)",
)
case(
    "a bottleneck",
    fun(
        lambda m, x: m.o((y := m.i(x)) + m.c(m.b(m.a(y)))),
        i=block(3, 8),
        a=block(8, 4, 1),
        b=block(4, 4, padding=1),
        c=conv(4, 8, 1),
        o=block(8, 2),
    ),
    IMAGE,
    factors="S(8) x S(4) x S(4)",
)
case(
    "dense",
    fun(
        lambda m, x: m.o(torch.cat([m.b(z := torch.cat([x, m.a(x)], 1)), z], 1)),
        a=block(3, 4, padding=1),
        b=block(7, 5, padding=1),
        o=conv(12, 2),
    ),
    IMAGE,
    factors="S(4) x S(5)",
)
case(
    "inception",
    fun(
        lambda m, x: m.o(torch.cat([m.a(x), m.b(x), m.c(x)], 1)),
        a=block(3, 4, 1),
        b=block(3, 5, padding=1),
        c=seq(lambda: nn.AvgPool2d(3, 1, 1), conv(3, 2, 1)),
        o=conv(11, 2),
    ),
    IMAGE,
    factors="S(4) x S(5) x GL(2)",
)
case(
    "squeeze and excite",
    fun(
        lambda m, x: m.o((y := m.i(x)) * m.b(torch.relu(m.a(F.adaptive_avg_pool2d(y, 1)))).sigmoid()),
        i=block(3, 6),
        a=conv(6, 4, 1),
        b=conv(4, 6, 1),
        o=conv(6, 2),
    ),
    IMAGE,
    factors="S(6) x S(4)",
)
case(
    "squeeze and excite by linear layers",
    fun(
        lambda m, x: m.o((y := m.i(x)) * m.b(torch.relu(m.a(y.mean((2, 3))))).sigmoid()[:, :, None, None]),
        i=block(3, 6),
        a=lin(6, 4),
        b=lin(4, 6),
        o=conv(6, 2),
    ),
    IMAGE,
    factors="S(6) x S(4)",
)
case(
    "spatial attention",
    fun(lambda m, x: m.o((y := m.i(x)) * m.a(y).sigmoid()), i=block(3, 6), a=conv(6, 1, 1), o=conv(6, 2)),
    IMAGE,
    factors="S(6)",
)
case(
    "patches",
    fun(
        lambda m, x: m.b(torch.relu(m.a(x).flatten(2).transpose(1, 2)).mean(1)), a=conv(3, 6, 3, stride=3), b=lin(6, 2)
    ),
    IMAGE,
    factors="S(6)",
)
case("a vision transformer", lambda: Vision(), IMAGE, factors="S(8) x S(2) x GL(4)^2 x GL(4)^2 x S(5)")
case(
    "a convolution that is mixed afterwards",
    fun(lambda m, x: m.b(m.a(x).flatten(1)), a=conv(3, 2), b=lin(98, 2)),
    IMAGE,
)
case(
    "a parametric activation",
    seq(lambda: nn.Conv1d(2, 5, 3), lambda: nn.PReLU(5), lambda: nn.Conv1d(5, 2, 1), nn.PReLU),
    (2, 2, 9),
    factors="S(5)",
    told=False,
)
for name, norm in {
    "BatchNorm2d": nn.BatchNorm2d,
    "InstanceNorm2d": nn.InstanceNorm2d,
    "GroupNorm": lambda n: nn.GroupNorm(n, n),
}.items():
    case(f"{name} and tanh", seq(conv(3, 6), lambda norm=norm: norm(6), nn.Tanh, conv(6, 2)), IMAGE, factors="B(6)")
case(
    "BatchNorm2d in training",
    seq(conv(3, 6), lambda: nn.BatchNorm2d(6), nn.ReLU, conv(6, 2)),
    IMAGE,
    factors="S(6)",
    training=True,
)


class Vision(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.token, self.place = (
            nn.Conv2d(3, 8, 3, 3),
            nn.Parameter(torch.randn(1, 1, 8)),
            nn.Parameter(torch.randn(1, 10, 8)),
        )
        self.layer, self.norm, self.head = (
            nn.TransformerEncoderLayer(8, 2, 5, batch_first=True, norm_first=True),
            nn.LayerNorm(8),
            nn.Linear(8, 3),
        )

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.head(self.norm(self.layer(x))[:, 0])


class Functional(nn.Module):
    """A norm that is called as a function, as timm's are."""

    def __init__(self):
        super().__init__()
        self.a, self.n, self.b = nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.Conv2d(6, 2, 1)

    def forward(self, x):
        n = self.n
        y = F.batch_norm(self.a(x), n.running_mean, n.running_var, n.weight, n.bias, self.training, 0.1, 1e-5)
        return self.b(torch.relu(y))


for training in (False, True):
    mode = " in training" if training else ""
    case(f"a function that normalises{mode}", Functional, IMAGE, factors="S(6)", training=training)
case(
    "scales and shifts in one call",
    fun(lambda m, x: m.b(torch.addcmul(m.s, m.t, m.a(x))), a=lin(3, 6), s=par(6), t=par(6), b=lin(6, 2)),
    (2, 4, 3),
    factors="B(6)",
)
case(
    "a buffer that is added, and read again",
    fun(
        lambda m, x: m.b(torch.relu(m.a(x) + m.n.running_mean)) + m.c(m.n(m.d(x))),
        a=lin(3, 6),
        b=lin(6, 2),
        c=lin(6, 2),
        d=lin(3, 6),
        n=lambda: nn.BatchNorm1d(6),
    ),
    (5, 3),
    factors="",
)
