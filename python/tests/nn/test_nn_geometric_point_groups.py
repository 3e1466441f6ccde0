"""Harmonics of finite groups that turn the plane or space: their values as features, derivatives, and layers of
them."""

import copy
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn.geometric import (
    Convolution,
    Gate,
    Graph,
    Linear,
    Norms,
    SphericalHarmonics,
    SymmetricContraction,
    change_of_basis,
)
from torch.autograd import grad, gradcheck, gradgradcheck

D = torch.float64
LOW, HIGH = (0, 1, 2, 3, 4), (5, 8, 12)
CASES = [
    ("Oh", LOW), ("Oh", HIGH), ("Td", LOW), ("D3d", LOW), ("D3d", HIGH), ("C3v", LOW), ("C3v", HIGH), ("D2d", LOW), ("C2v", HIGH),
    ("Cs", LOW), ("Ih", (0, 2, 6)), ("D6h", (7,)), ("W(B3)", LOW), ("D5", LOW), ("D5", HIGH), ("C6", LOW),
]  # fmt: skip
every_case = pytest.mark.parametrize("name, degrees", CASES, ids=lambda value: str(value).replace(" ", ""))


def numbers(R, g):
    found = numpy.asarray(R.matrix(g), dtype=numpy.complex128)
    assert not found.imag.any()
    return torch.tensor(found.real)


def type_of(name, degrees):
    return Group(name).rep(" + ".join(f"harmonic({l})" for l in degrees))


def close(a, b, tolerance=1e-11):
    return bool((a - b).abs().max() <= tolerance * b.abs().max().clamp(min=1))


def acts(R, g, axis="y", basis="orthonormal"):
    """How g acts on features of R."""
    rho = numbers(R, g)
    T = change_of_basis(R, axis)
    return rho if basis == "own" else torch.linalg.solve(T, rho @ T)


@every_case
@pytest.mark.parametrize("axis", ["y", "z"])
@pytest.mark.parametrize("basis", ["orthonormal", "own"])
def test_the_group_acts_on_the_values(name, degrees, axis, basis):
    V = type_of(name, degrees)
    turns = V.group.rep("cartesian")
    layer, r = SphericalHarmonics(V, axis=axis, basis=basis), torch.randn(9, turns.dimension, dtype=D)
    values = layer(r)
    assert layer.V == V and values.shape == (9, V.dimension)
    for g in V.group.generators:
        A = acts(V, g, axis, basis)
        assert close(layer(r @ numbers(turns, g).T), values @ A.T)
        if basis == "orthonormal":
            assert close(A @ A.T, torch.eye(len(A), dtype=D))


@every_case
def test_values_are_those_of_the_orthogonal_group(name, degrees):
    V = type_of(name, degrees)
    n = V.group.rep("cartesian").dimension
    r, layers = torch.randn(6, n, dtype=D), {}
    continuous = Group(f"O({n})").rep(" + ".join(f"harmonic({l})" for l in degrees))
    for normalization in ("component", "norm", "integral"):
        layer = SphericalHarmonics(V, normalization=normalization)
        assert torch.equal(layer(r), SphericalHarmonics(continuous, normalization=normalization)(r))
        layers[normalization] = layer(r)
    for place, R in V.slices():
        ones = torch.ones(6, dtype=D)
        assert close(layers["norm"][:, place].square().sum(1), ones)
        assert close(layers["component"][:, place].square().sum(1), R.dimension * ones)
    own = SphericalHarmonics(V, basis="own")
    assert close(own(r), layers["component"] @ change_of_basis(V).T, 1e-13)
    assert close(own(r), SphericalHarmonics(V, basis="own", axis="z")(r), 1e-12)
    assert 'basis="own"' in repr(own)


def test_another_representation_does_not_act():
    """The values of O(3) in its own basis are other numbers than those of a point group in its own."""
    V, turns = Group("D3d").rep("harmonic(2)"), Group("D3d").rep("cartesian")
    wrong = SphericalHarmonics(Group("O(3)").rep("harmonic(2)"), basis="own")
    right, r = SphericalHarmonics(V, basis="own"), torch.randn(9, 3, dtype=D)
    g = V.group.generators[0]
    A, turned = numbers(V, g), r @ numbers(turns, g).T
    assert close(right(turned), right(r) @ A.T) and not close(wrong(turned), wrong(r) @ A.T, 0.1)


@pytest.mark.parametrize("group", ["O(3)", "SO(3)", "O(2)"])
@pytest.mark.parametrize("axis", ["y", "z"])
def test_own_basis_of_continuous_groups(group, axis):
    """The summand `vector` has (x, y, z) whatever the axis is, in both bases."""
    G = Group(group)
    V, turns = G.rep("harmonic(2) + vector + trivial + harmonic(1) + harmonic(3)"), G.rep("vector")
    r = torch.randn(5, turns.dimension, dtype=D)
    for basis in ("own", "orthonormal"):
        layer = SphericalHarmonics(V, axis=axis, basis=basis)
        for seed in range(3):
            g = G.random_element(seed)
            assert close(layer(r @ numbers(turns, g).T), layer(r) @ acts(V, g, axis, basis).T)
        place = V.slices()[1][0]
        assert close(layer(r)[:, place], r / r.norm(dim=1)[:, None] * turns.dimension**0.5)


@pytest.mark.parametrize("basis", ["orthonormal", "own"])
@pytest.mark.parametrize("normalize", [True, False])
def test_derivatives(normalize, basis):
    layer = SphericalHarmonics(Group("C3v").rep("harmonic(3) + cartesian + harmonic(1)"), normalize, basis=basis)
    r = torch.randn(3, 3, dtype=D, requires_grad=True)
    assert gradcheck(layer, r) and gradgradcheck(layer, r)
    for again in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(again(r), layer(r)) and again.basis == basis
    if not normalize:
        for k in range(13):  # the sum of the second derivatives is 0
            hessian = torch.autograd.functional.hessian(lambda x, k=k: layer(x)[k], r[0].detach())
            assert abs(float(hessian.diagonal().sum())) < 1e-10
    at = torch.zeros(2, 3, dtype=D, requires_grad=True)
    out = layer(at)
    assert not out.any()
    for _ in range(3):
        (out,) = grad(out.sum(), at, create_graph=True, allow_unused=True, materialize_grads=True)
        assert torch.isfinite(out).all()


@pytest.mark.parametrize("name", ["Oh", "D3d", "C2v"])
@pytest.mark.parametrize("axis, basis", [("y", "orthonormal"), ("z", "orthonormal"), ("y", "own")])
def test_layers_of_harmonics(name, axis, basis):
    G = Group(name)
    Y = G.rep("harmonic(0) + harmonic(1) + harmonic(2)")
    V, U = G.rep("trivial + cartesian + harmonic(2)"), G.rep("harmonic(2) + harmonic(3)")
    harmonics = SphericalHarmonics(Y, axis=axis, basis=basis)
    layer = Convolution(V, Y, U, 2, axis=axis, basis=basis)
    graph = Graph(torch.tensor([[0, 1, 2, 2], [1, 2, 0, 1]]), 3)
    x, r = torch.randn(3, V.dimension, 2, dtype=D), torch.randn(4, 3, dtype=D)
    w = torch.randn(4, *layer.weight_shape, dtype=D)
    everywhere = Convolution("0e + 1o + 2e", "0e + 1o + 2e", "2e + 3o", 2)
    assert layer.weight_shape[0] > everywhere.weight_shape[0]
    for g in G.generators:
        A, C = acts(V, g, axis, basis), acts(U, g, axis, basis)
        turned = harmonics(r @ numbers(G.rep("cartesian"), g).T)
        assert close(layer(A @ x, turned, w, graph), C @ layer(x, harmonics(r), w, graph))


def test_layers_of_points():
    G = Group("D3d")
    V, U = G.rep("trivial + cartesian + harmonic(2)"), G.rep("trivial + harmonic(3)")
    mixed, norms, gate = Linear(V, U, 3, 2).double(), Norms(V, channels=3), Gate(V, channels=3)
    contraction, kinds = SymmetricContraction(V, U, 3, 2, 1).double(), torch.zeros(4, dtype=torch.int64)
    x, before = torch.randn(4, V.dimension, 3, dtype=D), torch.randn(4, gate.source.dimension, 3, dtype=D)
    for g in G.generators:
        A, C, S = (acts(R, g) for R in (V, U, gate.source))
        assert close(mixed(A @ x), C @ mixed(x)) and close(norms(A @ x), norms(x))
        assert close(gate(S @ before), A @ gate(before))
        assert close(contraction(A @ x, kinds), C @ contraction(x, kinds))


def test_what_is_refused():
    r = torch.randn(4, 3)
    for call, message in (
        (lambda: SphericalHarmonics(Group("S4").rep("perm")), "S4 does not say how it turns the plane or space"),
        (lambda: SphericalHarmonics(Group("W(F4)").rep("coordinates")), "does not say how it turns"),
        (lambda: SphericalHarmonics(Group("Oh").rep("Eg")), r"of Oh is no harmonic\(l\)"),
        (lambda: SphericalHarmonics(Group("D3d").rep("coordinates")), "the vectors of a point itself are cartesian"),
        (lambda: SphericalHarmonics(Group("SO+(1,3)").rep("vector")), r"for O\(n\), SO\(n\) and finite groups"),
        (lambda: SphericalHarmonics(Group("Oh").rep("harmonic(2)"), basis="e3nn"), "basis is"),
        (lambda: SphericalHarmonics(Group("D5").rep("harmonic(2)"))(r), r"vectors are numbers \[..., 2\]"),
    ):
        with pytest.raises(DomainError, match=message):
            call()
