"""check_equivariance accepts what is equivariant and rejects what is not; Activation; Conv1d to Conv3d."""

import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import (
    Activation,
    Conv1d,
    Conv2d,
    Conv3d,
    Graphs,
    GroupConv1d,
    GroupConv2d,
    GroupConv3d,
    Linear,
    check_equivariance,
)
from torch import nn


class Function(nn.Module):
    def __init__(self, f, **parts):
        super().__init__()
        self.f = f
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x):
        return self.f(self, x)


def four():
    return representations("S4", "perm", "perm")


class Detached(torch.autograd.Function):
    """The identity, with a gradient that is not equivariant."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g = g.clone()
        g[..., 0] = 0
        return g


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x * self.calls


def tied_like(V, U):
    """A layer whose one entry left its orbit, by a thousandth."""
    layer = Linear(V, U, dtype=torch.float64).fold()
    with torch.no_grad():
        layer.weight[1, 2] += 1e-3
    return layer


def biased():
    layer = Linear(*four(), dtype=torch.float64).fold()
    with torch.no_grad():
        layer.bias[0] += 0.01
    return layer


def transposed():
    """W of D3 regular, in the order of the other side: columns permuted as the right action."""
    V, _ = representations("S3", "regular", "regular")
    layer = Linear(V, V, dtype=torch.float64).fold()
    with torch.no_grad():
        layer.weight.copy_(layer.weight.clone().t())
        layer.weight[[1, 2]] = layer.weight[[2, 1]]
    return layer


flat = lambda layer: Function(lambda m, x: m.layer(x.flatten(-2)).unflatten(-1, (-1, layer.out_features)), layer=layer)  # noqa: E731

WRONG = {
    "a dense layer": (flat(nn.Linear(4, 4)), "forward"),
    "one entry off its orbit": (flat(tied_like(*four())), "forward"),
    "a bias that moves": (flat(biased()), "forward"),
    "a position added": (Function(lambda m, x: x + torch.arange(4.0)), "forward"),
    "a position multiplied": (Function(lambda m, x: x * torch.tensor([1.0, 1.0, 1.0, 1.01])), "forward"),
    "sorted coordinates": (Function(lambda m, x: x.sort(-1).values), "forward"),
    "a sum along the coordinates": (Function(lambda m, x: x.cumsum(-1)), "forward"),
    "coordinates rolled": (Function(lambda m, x: x.roll(1, -1)), "forward"),
    "a convolution along the coordinates": (nn.Conv1d(1, 1, 3, padding=1), "forward"),
    "a normalisation with weights for each coordinate": (
        Function(lambda m, x: m.n(x) * torch.linspace(1, 2, 4), n=nn.LayerNorm(4)),
        "forward",
    ),
    "one coordinate thresholded at large inputs": (
        Function(lambda m, x: torch.cat((x[..., :1].clamp(max=3), x[..., 1:]), -1)),
        "forward",
    ),
    "coordinates mixed with the batch": (Function(lambda m, x: x + x.mean(0, keepdim=True).roll(1, -1)), "forward"),
    "a gradient that is not that of the function": (Function(lambda m, x: Detached.apply(x)), "backward"),
    "dropout in training": (nn.Dropout(0.5), ""),
    "a state that changes": (Counting(), ""),
    "an output of another size": (Function(lambda m, x: x[..., :3]), ""),
    "an output of another kind": (Function(lambda m, x: [x]), ""),
    "infinities": (Function(lambda m, x: x / 0), ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_modules_are_rejected(name):
    module, argument = WRONG[name]
    report = check_equivariance(module, *four())
    assert not report and report.argument == argument
    assert (report.element is not None) == bool(argument)
    assert report.error > report.tolerance and report.reason


def halves(f):
    return lambda x: f(*x.chunk(2, -1))


def points(f):
    """Of three points in space."""
    return lambda x: f(x.unflatten(-1, (3, 3))).flatten(-2)


# Group, input and output, and a function that is equivariant to nothing like the group.
WRONG_OF_KINDS = {
    "relu of vectors": ("O(3)", "vector", "vector", torch.relu),
    "squares of coordinates": ("SO(3)", "vector", "vector", torch.square),
    "a gate by one coordinate": ("SO(3)", "vector", "vector", lambda x: x * x[..., :1].sigmoid()),
    "a direction added": ("SO(3)", "vector", "vector", lambda x: x + torch.tensor([0, 0, 0.1], dtype=x.dtype)),
    "a layer norm of coordinates": ("SO(3)", "vector", "vector", lambda x: nn.functional.layer_norm(x, (3,))),
    "the cross product as a vector under mirrors": ("O(3)", "2*vector", "vector", halves(torch.linalg.cross)),
    "the triple product as a scalar": (
        "O(3)", "3*vector", "trivial", lambda x: x.unflatten(-1, (3, 3)).det().unsqueeze(-1)
    ),
    "the absolute value of a pseudoscalar": ("O(3)", "det", "det", torch.abs),
    "a quarter turn of vectors in space": (
        "SO(3)", "vector", "vector", lambda x: x[..., [1, 0, 2]] * x.new_tensor([-1, 1, 1])
    ),
    "the Euclidean norm in space-time": ("SO+(1,3)", "vector", "trivial", lambda x: x.square().sum(-1, keepdim=True)),
    "the Euclidean product in space-time": (
        "SO+(1,3)", "2*vector", "trivial", halves(lambda a, b: (a * b).sum(-1, True))
    ),
    "the dot product under SL(2)": ("SL(2)", "2*vector", "trivial", halves(lambda a, b: (a * b).sum(-1, True))),
    "points in their order": ("S3 x O(3)", "perm # vector", "perm # vector", points(lambda x: x.cumsum(-2))),
    "points seen from the first": ("S3 x O(3)", "perm # vector", "perm # vector", points(lambda x: x - x[..., :1, :])),
    "points with a maximum of coordinates": (
        "S3 x O(3)", "perm # vector", "perm # vector", points(lambda x: x * x.amax((-1, -2), keepdim=True))
    ),
}  # fmt: skip


def test_thirty_wrong_modules():
    assert len(WRONG) + len(WRONG_OF_KINDS) >= 30


@pytest.mark.parametrize("name", WRONG_OF_KINDS)
def test_wrong_modules_of_every_kind_of_group_are_rejected(name):
    *types, f = WRONG_OF_KINDS[name]
    report = check_equivariance(f, *representations(*types))
    assert not report and report.argument == "forward" and report.element is not None
    assert report.error > report.tolerance and report.reason


def test_wrong_modules_of_other_groups_are_rejected():
    V, U = representations("D4", "sign", "sign")
    report = check_equivariance(torch.relu, V, U)
    assert not report and V.trace(report.element) == -1
    R, _ = representations("S3", "regular", "regular")
    assert not check_equivariance(flat(transposed()), R, R)
    std, _ = representations("S4", "std", "std")
    assert not check_equivariance(torch.tanh, std, std)
    # Equivariant to the rotations, not to the reflections.
    C4, D4 = representations("C4", "regular", "regular")[0], Group("D4")
    assert check_equivariance(Linear(C4, C4), C4, C4)
    P = D4.rep("perm")
    roll = Function(lambda m, x: x.roll(1, -1))
    assert check_equivariance(roll, *representations("C4", "perm", "perm")) and not check_equivariance(roll, P, P)
    V = D4.rep("trivial")
    assert not check_equivariance(
        lambda x: nn.functional.conv2d(x.flatten(1, 2), torch.randn(1, 1, 3, 3, dtype=x.dtype)).unsqueeze(2),
        V,
        V,
        grid=(7, 7),
    )


def test_right_modules_are_accepted():
    V, U = four()
    for module in (
        Linear(V, U, 3, 2),
        nn.Sequential(Linear(V, U, 3, 5), nn.ReLU(), Linear(U, U, 5, 2)),
        nn.BatchNorm1d(3),
        nn.Identity(),
        nn.Softmax(-1),
    ):
        channels = 1 if isinstance(module, nn.Softmax) else 3
        report = check_equivariance(module, V, U, channels)
        assert report, report
        assert report.error <= report.tolerance and "equivariant to" in str(report)
    C3 = Group("C3")
    with pytest.raises(DomainError, match="take V.real"):
        check_equivariance(nn.Identity(), C3.irrep(1), C3.irrep(1))
    with pytest.raises(DomainError, match="different groups"):
        check_equivariance(nn.Identity(), V, Group("D4").rep("perm"))


def test_the_check_leaves_no_trace():
    V, U = four()
    norm = nn.BatchNorm1d(3)
    before = {k: v.clone() for k, v in norm.state_dict().items()}
    state = torch.random.get_rng_state()
    check_equivariance(norm, V, U, 3)
    assert all(torch.equal(before[k], v) for k, v in norm.state_dict().items())
    assert torch.equal(state, torch.random.get_rng_state())
    layer = Linear(V, U)
    check_equivariance(layer, V, U)
    assert layer.theta.grad is None


# --- Activations -----------------------------------------------------------------------------------------------------------


def test_activations():
    V = Group("D4").rep("perm + trivial")
    assert torch.equal(
        Activation(V, torch.relu)(torch.tensor([[-1.0, 2, 3, 4, -5]])), torch.tensor([[0.0, 2, 3, 4, 0]])
    )
    assert "ReLU" in repr(Activation(V, nn.ReLU())) and "relu" in repr(Activation(V, torch.relu))
    signed = Group("D4").rep("sign + perm")
    Activation(signed, torch.tanh)
    Activation(signed, lambda x: x**3)
    prelu = Activation(V, nn.PReLU(6), channels=6)
    assert len(list(prelu.parameters())) == 1 and prelu(torch.randn(2, 6, 5)).shape == (2, 6, 5)


@pytest.mark.parametrize(
    "group, V, f, words",
    [
        ("D4", "sign", torch.relu, "negates basis vector 1, so the function must be odd, and it takes"),
        ("D4", "perm + sign", nn.GELU(), "must be odd"),
        ("S4", "std", torch.tanh, "mixes 3 coordinates"),
        ("S4", "perm", lambda x: x.cumsum(-1), "not equivariant"),
        ("S4", "perm", nn.Dropout(), "random parts"),
    ],
)
def test_activations_are_refused_with_the_reason(group, V, f, words):
    with pytest.raises(DomainError, match=words):
        Activation(Group(group).rep(V), f)


# --- Convolutions ----------------------------------------------------------------------------------------------------------

FIELDS = [
    ("D4", "trivial", "regular"),
    ("D4", "regular", "regular"),
    ("C4", "regular", "perm"),
    ("D4", "2*regular + trivial", "regular"),
    ("D1", "regular", "sign"),
]


@pytest.mark.parametrize("fields", FIELDS, ids=" ".join)
@pytest.mark.parametrize(
    "settings",
    [{"padding": 1}, {"stride": 2, "padding": 1, "padding_mode": "circular"}, {"padding": "same", "dilation": 2}],
)
def test_convolutions_are_equivariant(fields, settings):
    V, U = representations(*fields)
    layer = Conv2d(V, U, 2, 3, 3, dtype=torch.float64, **settings)
    nn.init.normal_(layer.bias)
    report = check_equivariance(layer, V, U, grid=(7, 7))
    assert report, report
    x = torch.randn(2, 2, V.dimension, 7, 7, dtype=torch.float64)
    torch.testing.assert_close(layer.fold()(x.flatten(1, 2)), layer(x).flatten(1, 2))
    torch.testing.assert_close(layer(x[0]), layer(x)[0])


def test_convolutions_have_every_kernel():
    V, U = representations("D4", "regular", "regular")
    assert Conv2d(V, U, 1, 1, 3).theta.shape == (72, 1, 1)
    # A projection of any kernel onto the equivariant ones changes nothing of one that is: the family is all of them.
    layer = Conv2d(V, U, 1, 1, 3, dtype=torch.float64)
    W = layer.weight().detach().reshape(8, 72).numpy()
    sites = V.group.rep("kernel(3,3)")
    assert ((V * sites) >> U).residual(W) < 1e-12 and ((V * sites) >> U).dimension == 72


def test_convolutions_of_other_dimensions():
    V, U = representations("C2", "regular", "regular")
    layer = Conv1d(V, U, 2, 1, 5, padding=2, dtype=torch.float64)
    assert check_equivariance(layer, V, U, grid=(9,))
    V = Group("B3").rep("trivial")
    layer = Conv3d(V, V, 1, 2, 3, padding=1, dtype=torch.float64)
    assert layer.theta.shape[0] == 4 and layer(torch.randn(2, 1, 1, 5, 5, 5, dtype=torch.float64)).shape == (
        2,
        2,
        1,
        5,
        5,
        5,
    )
    assert check_equivariance(layer, V, V, grid=(3, 3, 3))


def test_even_kernels_and_gradients():
    V, U = representations("D4", "trivial", "perm")
    layer = Conv2d(V, U, 1, 2, 4, dtype=torch.float64)
    assert check_equivariance(layer, V, U, grid=(6, 6))
    x = torch.randn(1, 1, 1, 5, 5, dtype=torch.float64, requires_grad=True)
    f = lambda x, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, (x,))  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, layer.theta, layer.bias), check_forward_ad=True)


def test_convolutions_refuse_what_breaks_the_symmetry():
    V, U = representations("D4", "trivial", "regular")
    layer = Conv2d(V, U, 1, 1, 3, stride=2)
    with pytest.raises(DomainError, match="pad 8 sites to [0-9]+, or crop them to 7"):
        layer(torch.randn(1, 1, 1, 8, 8))
    with pytest.raises(DomainError, match="not the same on both sides"):
        Conv2d(V, U, 1, 1, 4, padding="same")
    for settings, said in [
        ({"kernel_size": (3, 5)}, "exchanges axes of the sizes 3 and 5"),
        ({"kernel_size": 3, "stride": (1, 2)}, r"stride=\(1, 2\) is not the same along axes that D4 exchanges"),
        ({"kernel_size": 3, "padding": (0, 1)}, r"padding=\(0, 1\) is not the same"),
    ]:
        with pytest.raises(DomainError, match=said):
            Conv2d(V, U, 1, 1, **settings)
    with pytest.raises(DomainError, match="padding is"):
        Conv2d(V, U, 1, 1, 3, padding="half")
    with pytest.raises(DomainError, match="stride is an integer of at least 1"):
        Conv2d(V, U, 1, 1, 3, stride=0)
    with pytest.raises(DomainError, match="modes are zeros"):
        Conv2d(V, U, 1, 1, 3, padding_mode="mirror")
    with pytest.raises(DomainError, match=r"takes \[..., 1, 1, H, W\]"):
        layer(torch.randn(1, 2, 8, 8))
    with pytest.raises(DomainError, match="every kernel is equivariant"):
        Conv2d(Group("C1").rep("trivial"), Group("C1").rep("trivial"), 1, 1, 3)
    D1 = Group("D1").rep("regular")  # keeps the axes apart
    assert check_equivariance(Conv2d(D1, D1, 1, 1, (3, 5), stride=(2, 1), dtype=torch.float64), D1, D1, grid=(9, 8))


def test_convolutions_in_space_whose_axes_are_given():
    # By name C4 and D4 act on the plane and C2 on nothing; in space they are Schoenflies' C4, D4 and C2. Counts:
    # Burnside, by the fixed sites.
    quarter, flip, half = (
        [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
        [[0, 1, 0], [1, 0, 0], [0, 0, -1]],
        [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
    )
    for name, images, kernels in (("C4", [quarter], 9), ("D4", [quarter, flip], 6), ("C2", [half], 15)):
        G = Group(name)
        trivial, regular, axes = G.rep("trivial"), G.rep("regular"), G.matrix_rep(images)
        assert len(Conv3d(trivial, trivial, 1, 1, 3, axes=axes).theta) == kernels
        layer = Conv3d(regular, regular, 1, 1, 3, padding=1, axes=axes, dtype=torch.float64)
        assert len(layer.theta) == 27 * G.order and check_equivariance(
            layer, regular, regular, grid=(3, 3, 3), axes=axes
        )
        assert len(GroupConv3d(G, 1, 1, 3, axes=axes).theta) == len(layer.theta)
        with pytest.raises(DomainError, match=f"give axes=R, a representation of {name}"):
            Conv3d(trivial, trivial, 1, 1, 3)
    other = G.matrix_rep([[[-1, 0, 0], [0, 1, 0], [0, 0, 1]]])  # the half turn taken for a reflection
    assert not check_equivariance(layer, regular, regular, grid=(3, 3, 3), axes=other)
    for wrong, said in [
        (G.rep("regular"), "has dimension 2"),
        (Group("D4").rep("trivial"), "different groups"),
        (3 * G.rep("trivial") * G.rep("regular"), "dimension 6"),
    ]:
        with pytest.raises(DomainError, match=said):
            Conv3d(regular, regular, 1, 1, 3, axes=wrong)


def test_functions_around_layers_of_float32():
    V, layer = Group("S5").rep("perm^2"), Graphs(1, 2)
    f = lambda x: layer(x.unflatten(-1, (5, 5))).flatten(-2)  # noqa: E731
    with pytest.raises(DomainError, match="give dtype=torch.float32"):
        check_equivariance(f, V, V)
    report = check_equivariance(f, V, V, dtype=torch.float32)
    assert report and report.tolerance == 1e-4
    assert not check_equivariance(lambda x: f(x) * torch.arange(25.0), V, V, dtype=torch.float32)


def test_functions_of_other_shapes_are_refused_in_a_sentence():
    V, _ = four()
    for call in (lambda: check_equivariance(nn.Linear(5, 5), V, V), lambda: Activation(V, nn.PReLU(3))):
        with pytest.raises(
            DomainError, match=r"does not take inputs \[batch, channels, dim\] = \[\d+, 1, 4\].* how many channels"
        ):
            call()
    assert Activation(V, nn.PReLU(3), channels=3)


def test_modules_on_meta_are_looked_at_with_other_numbers():
    V, _ = four()
    with torch.device("meta"):
        assert check_equivariance(Linear(V, V), V, V) and check_equivariance(torch.relu, V, V)
        assert not check_equivariance(nn.Linear(4, 4), V, V)
        assert next(Activation(V, nn.PReLU()).parameters()).is_meta
        with pytest.raises(DomainError, match="does not commute"):
            Activation(V, nn.Linear(4, 4))


def test_group_convolutions_by_name():
    D4, C2, B3 = Group("D4"), Group("C2"), Group("B3")
    by_name, straight = (
        GroupConv2d(D4, 2, 3, 3, padding=1),
        Conv2d(D4.rep("regular"), D4.rep("regular"), 2, 3, 3, padding=1),
    )
    by_name.load_state_dict(straight.state_dict())
    x = torch.randn(2, 2, 8, 5, 5)
    assert torch.equal(by_name(x), straight(x))
    lift = GroupConv1d(C2, 1, 2, 3, lifting=True)
    assert check_equivariance(lift, C2.rep("trivial"), C2.rep("regular"), grid=(7,))
    assert GroupConv3d(B3, 1, 1, 1, lifting=True)(torch.randn(1, 1, 1, 2, 2, 2)).shape == (1, 1, 48, 2, 2, 2)
    with pytest.raises(DomainError, match="not defined by matrices"):
        GroupConv2d(Group("S4"), 1, 1, 3)
    with pytest.raises(DomainError, match="pad 8 sites to [0-9]+, or crop them to 7"):
        GroupConv2d(D4, 2, 3, 3, stride=2, padding=1)(torch.randn(1, 2, 8, 8, 8))
