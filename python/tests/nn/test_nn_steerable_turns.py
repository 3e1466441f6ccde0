"""SteerableConv2d between fields of C_n and D_n: exact where the grid turns, near elsewhere."""

import copy
import math

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import numpy
import torch
from intertwine import DomainError, Group, VerificationError
from intertwine.nn import Activation, Conv2d, InvariantPool, SteerableConv2d, check_equivariance

D = torch.float64
FIELDS = [
    ("C8", "regular", "regular"),
    ("C8", "trivial", "regular"),
    ("C12", "harmonic(2)", "regular"),
    ("D6", "perm", "cartesian"),
    ("D5", "regular", "trivial + cartesian"),
    ("C3", "regular", "perm"),
    ("D8", "cosets(<(2,8)(3,7)(4,6)>)", "regular"),
]


def made(name, V, U, *channels, **settings):
    G = Group(name)
    layer = SteerableConv2d(G.rep(V), G.rep(U), *(channels or (2, 3)), **{"kernel_size": 5, "dtype": D, **settings})
    torch.nn.init.normal_(layer.theta)
    if layer.bias is not None:
        torch.nn.init.normal_(layer.bias)
    return layer


def angular(layer, kernel, angle):
    """A kernel at an angle [dim U, dim V], from its exact matrix."""
    k = layer.kernels
    degree = k.degrees[kernel]
    h = [math.cos(degree * angle), math.sin(degree * angle)] if degree else [1.0]
    K = numpy.asarray(k.matrices[kernel], dtype=complex).real.reshape(*k.shape, len(h))
    return K @ numpy.array(h)


@pytest.mark.parametrize("name, V, U", FIELDS)
def test_kernels_are_those_of_the_group(name, V, U):
    """kappa(g x) = U(g) kappa(x) V(g)^-1 at any angle, by the matrices of the group; and as many as characters say."""
    layer = made(name, V, U)
    G, (V, U) = layer.V.group, (layer.V, layer.U)
    for g in G.generators:
        A, u, v = (numpy.asarray(R.matrix(g), dtype=complex).real for R in (G.rep("cartesian"), U, V))
        for angle in (0.3, 2.0):
            x = A @ [math.cos(angle), math.sin(angle)]
            for k in range(len(layer.kernels.degrees)):
                turned = angular(layer, k, math.atan2(x[1], x[0]))
                assert numpy.allclose(turned, u @ angular(layer, k, angle) @ numpy.linalg.inv(v), atol=1e-12)
    for degree in set(layer.kernels.degrees):
        H = G.rep(f"harmonic({degree})")
        assert layer.kernels.degrees.count(degree) == (V * H >> U).dimension


@pytest.mark.parametrize("name, V, U", FIELDS)
def test_turns_that_are_none_of_the_grid_are_near(name, V, U):
    layer = made(name, V, U, kernel_size=7)
    assert layer.turning_error() < 0.05
    wild = copy.deepcopy(layer)
    samples = wild._sampled.constants.on(torch.device("cpu"))["samples"]
    wild._sampled = wild._sampled._replace(constants=type(wild._sampled.constants)(samples=torch.randn_like(samples)))
    assert wild.turning_error() > 0.5


@pytest.mark.parametrize("name, power", [("C8", 2), ("C12", 3), ("D8", 2), ("C4", 1), ("D4", 1)])
@pytest.mark.parametrize(
    "settings",
    [{}, {"padding": 2}, {"stride": 2, "padding": 1}, {"dilation": 2, "padding_mode": "circular", "padding": 4}],
)
def test_quarter_turns_and_mirrors_are_exact(name, power, settings):
    G = Group(name)
    R = G.rep("regular")
    layer = made(name, "regular", "regular", 1, 2, kernel_size=3, **settings)
    quarter = G.generators[0]
    for _ in range(power - 1):
        quarter = quarter * G.generators[0]
    H = G.subgroup([quarter, *G.generators[1:]])
    assert H.order == (4 if name[0] == "C" else 8)
    V = R.restrict(H)
    axes = H.matrix_rep(
        [
            numpy.asarray(G.rep("cartesian").matrix(g), dtype=complex).real.round().astype(int).tolist()
            for g in H.generators
        ]
    )
    assert check_equivariance(layer, V, V, 1, grid=(9, 9), axes=axes)


def test_groups_of_the_grid_have_the_same_layers():
    """C4 has no kernels here that Conv2d has not: those of this layer lose nothing there."""
    R = Group("C4").rep("regular")
    layer = made("C4", "regular", "regular", 2, 3, kernel_size=3, padding=1)
    same, lost = Conv2d.from_dense(layer.fold(), R, R, 2, 3)
    assert lost < 1e-12
    x = torch.randn(2, 2, 4, 6, 6, dtype=D)
    torch.testing.assert_close(same(x), layer(x))


def test_networks_states_and_copies():
    C8 = Group("C8")
    R = C8.rep("regular")
    net = torch.nn.Sequential(
        SteerableConv2d(C8.rep("trivial"), R, 1, 2, 5, padding=2, dtype=D),
        Activation(R, torch.relu),
        SteerableConv2d(R, R, 2, 2, 5, padding=2, dtype=D),
        InvariantPool(R, "max", axes=2),
    )
    x = torch.randn(2, 1, 1, 8, 8, dtype=D)
    twin = copy.deepcopy(net)
    twin.load_state_dict(net.state_dict())
    torch.testing.assert_close(twin(x), net(x), rtol=0, atol=0)
    assert torch.autograd.gradcheck(net[2], torch.randn(1, 2, 8, 3, 3, dtype=D, requires_grad=True))
    with pytest.raises(VerificationError, match="are those of the sampled kernels"):
        made("C8", "regular", "regular", 2, 2).load_state_dict(
            made("C8", "regular", "regular", 2, 2, width=0.5).state_dict()
        )
    # Copies are channels.
    many = SteerableConv2d(C8.rep("4*regular"), C8.rep("2*regular"), 1, 1, 5, dtype=D)
    assert many.theta.shape == (120, 2, 4) and many.weight().shape == (16, 32, 5, 5)


def test_the_variance_of_the_outputs_is_that_of_the_inputs():
    R = Group("C8").rep("regular")
    found = []
    for _ in range(6):
        layer = SteerableConv2d(R, R, 8, 8, 5)
        found.append(float(layer(torch.randn(4, 8, 8, 12, 12)).var().detach()))
    assert sum(found) / 6 == pytest.approx(1, rel=0.2)


def test_what_is_refused():
    C8, O2 = Group("C8"), Group("O(2)")
    R = C8.rep("regular")
    with pytest.raises(DomainError, match="off the grid: SteerableConv2d takes fields of C8, sampled"):
        Conv2d(R, R, 1, 1, 3)
    with pytest.raises(DomainError, match="representations of different groups"):
        SteerableConv2d(R, O2.rep("vector"), 1, 1, 3)
    with pytest.raises(DomainError, match="are not real"):
        SteerableConv2d(C8.irrep(2), R, 1, 1, 3)
    with pytest.raises(DomainError, match="fields are of types of SO"):
        SteerableConv2d(Group("S4").rep("perm"), Group("S4").rep("perm"), 1, 1, 3)
    with pytest.raises(DomainError, match="never be looked at"):
        SteerableConv2d(R, R, 1, 1, 3, stride=2)(torch.randn(1, 1, 8, 8, 8))
    with pytest.raises(DomainError, match="no kernel takes"):
        SteerableConv2d(C8.rep("trivial"), C8.rep("harmonic(3)"), 1, 1, 3)
