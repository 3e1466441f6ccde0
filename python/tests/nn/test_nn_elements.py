"""check_equivariance and symmetrize for continuous groups: elements, their matrices in every representation, and means."""

import math

import numpy
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
import torch
from continuous_groups import ALL, COMPACT, field
from intertwine import DomainError, Group, Permutation
from intertwine.nn import Linear, check_equivariance, symmetrize
from torch import nn

DOUBLE = {"dtype": torch.float64}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


class Broken(nn.Module):
    """A module, and a thousandth of something that no group fixes."""

    def __init__(self, module, channels):
        super().__init__()
        self.module, self.in_channels = module, channels

    def forward(self, x):
        y = self.module(x)
        return y + 1e-3 * x.flatten(1).norm(dim=-1).view(-1, 1, 1) * torch.linspace(1, 2, y.shape[-1], **DOUBLE)


def test_harmonics_are_those_of_e3nn():
    o3 = pytest.importorskip("e3nn.o3")
    G = Group("SO(3)")
    for seed in range(3):
        g = G.random_element(seed)
        R = torch.tensor(G.rep("vector").matrix(g))
        for l in (1, 2, 3):
            H = G.rep(f"harmonic({l})")
            D = o3.Irrep(l, 1).D_from_matrix(R[[1, 2, 0]][:, [1, 2, 0]]).numpy()
            # Traces do not depend on the basis.
            assert abs(numpy.trace(H.matrix(g)) - numpy.trace(D)) < 1e-5


# --- Checks ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group, V", ALL)
def test_layers_pass_and_broken_ones_fail(group, V):
    V = field(group, V)
    layer = Linear(V, V, 2, 2).double()
    report = check_equivariance(layer, V, V)
    assert report and report.error < 1e-12 and V.group.name in report.reason
    broken = check_equivariance(Broken(layer, 2), V, V)
    assert not broken and broken.element is not None and broken.argument == "forward"
    assert str(broken.element) in broken.reason and check_equivariance(Broken(layer, 2), V, V).element == broken.element
    # One pair of wrong matrices: V does not act on outputs as on inputs.
    assert not check_equivariance(lambda x: x * torch.linspace(1, 2, V.dimension, **DOUBLE), V, V)
    given = [V.group.random_element(5)]
    assert check_equivariance(layer, V, V, elements=given).reason.endswith("on 1 element of " + V.group.name)
    assert check_equivariance(lambda x: (x.unsqueeze(-1) * x.unsqueeze(-2)).flatten(-2), V, V * V)
    assert check_equivariance(layer.float(), V, V)


def test_reports_name_rotations():
    V = field("SO(3)", "vector")
    report = check_equivariance(lambda x: x.abs(), V, V)
    assert "g = the rotation by " in str(report) and " degrees about (" in str(report)
    # Commutes with all rotations, and the reflections tell.
    cross = lambda x: torch.linalg.cross(x[:, :1], x[:, 1:])  # noqa: E731
    W = field("O(3)", "vector")
    assert check_equivariance(cross, V, V, 2)
    report = check_equivariance(cross, W, W, 2)
    assert not report and "the inversion" in str(report)
    assert check_equivariance(cross, W, field("O(3)", "vector*det"), 2)


# --- Means -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group, V", COMPACT)
def test_means_of_polynomials_are_exact(group, V):
    V = field(group, V)
    A, B = torch.randn(5, 2 * V.dimension, **DOUBLE), torch.randn(V.dimension, 5, **DOUBLE)
    f = lambda x: ((x.flatten(1) @ A.t()).square() @ B.t()).unsqueeze(1) + x[:, :1]  # noqa: E731
    mean = symmetrize(f, V, V)  # of degree 6 at most: two, squared and once more
    assert mean.exact and "exact up to degree 6" in repr(mean)
    assert check_equivariance(mean, V, V, 2, tolerance=1e-10) and not check_equivariance(f, V, V, 2)
    x = torch.randn(3, 2, V.dimension, **DOUBLE)
    torch.testing.assert_close(symmetrize(f, V, V, degree=8)(x), mean(x), rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(symmetrize(f, V, V, chunk=50)(x), mean(x))
    layer = Linear(V, V, 2, 3).double()
    torch.testing.assert_close(symmetrize(layer, V, V)(x), layer(x), rtol=1e-12, atol=1e-12)
    # One degree less than there is shows.
    assert not check_equivariance(symmetrize(f, V, V, degree=1), V, V, 2, tolerance=1e-10)


@pytest.mark.parametrize(
    "group, V",
    [("SO(2)", "vector"), ("O(2)", "vector"), ("SO(3)", "vector"), ("O(3)", "vector"), ("SU(2)", "real(vector)")],
)
def test_means_of_networks(group, V):
    V = field(group, V)
    net = nn.Sequential(
        nn.Flatten(), nn.Linear(2 * V.dimension, 6), nn.Tanh(), nn.Linear(6, V.dimension), nn.Unflatten(1, (1, -1))
    ).double()
    with torch.no_grad():
        net[1].weight.mul_(0.2)
    given = [V.group.random_element(k) for k in range(3)]
    x = 0.3 * torch.randn(4, 2, V.dimension, **DOUBLE)

    def error(f):
        moves = [torch.tensor(V.matrix(g)) for g in given]
        return max(float((f(x @ A.t()) - f(x) @ A.t()).detach().abs().max()) for A in moves)

    assert error(symmetrize(net, V, V, degree=16)) < 1e-10 < 1e-4 < error(net)


def test_random_means_say_so():
    V = field("SO(4)", "vector")
    layer = Linear(V, V, 2, 2).double()
    mean = symmetrize(layer, V, V)
    assert not mean.exact and mean.extra_repr() == "mean over 256 elements of SO(4), random ones"
    x = torch.randn(3, 2, 4, **DOUBLE)
    torch.testing.assert_close(mean(x), layer(x))
    f = lambda x: x.abs()  # noqa: E731
    W = field("SO(3)", "vector")
    exact = symmetrize(lambda x: x**3, W, W)(x[..., :3])
    near = [symmetrize(lambda x: x**3, W, W, elements=200, seed=k)(x[..., :3]) for k in range(8)]
    assert float((near[0] - near[1]).abs().max()) > 1e-6 and float((sum(near) / 8 - exact).abs().max()) < 0.1 * float(
        exact.abs().max()
    )
    assert not symmetrize(f, W, W, elements=3).exact


# --- Bad input -------------------------------------------------------------------------------------------------------------


def test_bad_input():
    V, L = field("SO(3)", "vector"), field("SO+(1,3)", "vector")
    f, G, O = (lambda x: x), V.group, Group("O(3)")
    for call, words in [
        (lambda: check_equivariance(f, V, O.rep("vector")), "different groups"),
        (lambda: check_equivariance(f, V, Group("S3").rep("perm")), "different groups"),
        (
            lambda: check_equivariance(f, V, V, elements=[O.random_element(1)]),
            r"one of O\(3\), and the representation one of SO\(3\)",
        ),
        (lambda: check_equivariance(f, V, V, elements=[Permutation([1, 0, 2])]), r"no element of SO\(3\)"),
        (
            lambda: check_equivariance(
                f, Group("S3").rep("perm"), Group("S3").rep("perm"), elements=[G.random_element(1)]
            ),
            "no element of S3",
        ),
        (lambda: check_equivariance(f, V, V, elements="all"), "how many random ones"),
        (lambda: check_equivariance(f, V, V, elements=2.5), "how many random ones"),
        (lambda: check_equivariance(f, V, V, grid=(3, 3)), "a grid is moved by a finite group"),
        (lambda: check_equivariance(f, Group("G2").irrep([1, 0]), V), "acts by the matrices of a representation"),
        (lambda: check_equivariance(f, field("SU(2)", "vector"), field("SU(2)", "vector")), "take V.real"),
        (lambda: symmetrize(f, L, L), "not compact, so that there is no mean over it: take a compact subgroup"),
        (lambda: symmetrize(f, L, L, elements=3), "not compact"),
        (
            lambda: symmetrize(f, field("S3 x SL(2)", "perm # vector"), field("S3 x SL(2)", "perm # vector")),
            r"SL\(2\) is not compact",
        ),
        (lambda: symmetrize(f, V, V, grid=(3, 3)), "a grid is moved by a finite group"),
        (lambda: symmetrize(f, V, V, elements=3, degree=3), "not both"),
        (lambda: symmetrize(f, V, V, degree=-1), "degree is an integer of at least 0"),
        (lambda: symmetrize(f, V, V, degree=10**9), "elements=N takes N random ones"),
        (
            lambda: symmetrize(f, field("SO(4)", "vector"), field("SO(4)", "vector"), degree=3),
            "there is none: elements=N",
        ),
        (lambda: symmetrize(f, Group("S3").rep("perm"), Group("S3").rep("perm"), degree=3), "S3 is finite"),
        (lambda: V.matrix(O.random_element(1)), r"the element is one of O\(3\)"),
        (lambda: V.matrix(3), "3 is no element of"),
        (lambda: G.random_element(1) * O.random_element(1), "different groups"),
        (lambda: G.random_element("x"), "a seed is an integer"),
        (lambda: G.element([(7, 1)]), "has 2 generators, numbered from 0"),
        (lambda: O.element([(2, 0.5)]), "has powers with integers"),
        (lambda: G.element([(0, math.nan)]), "finite real number"),
        (lambda: G.element([3]), r"pairs \(k, t\)"),
        (lambda: G.element(3), r"pairs \(k, t\)"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()
