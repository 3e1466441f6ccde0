"""Which groups are finite, and where the summands of a representation lie in its coordinates."""

import math

import numpy
import pytest
from intertwine import Group


def test_orders():
    assert (Group("S4").order, Group("S4").is_finite) == (24, True)
    for name, order in (("O(1)", 2), ("SO(1)", 1), ("O(1) x S3", 12), ("SL(1) x O(1) x O(1)", 4)):
        G = Group(name)
        assert (G.order, G.is_finite) == (order, True) and isinstance(G.order, int)
    for G in (Group("SO(2)"), Group("S3 x O(3)"), Group("G2"), Group("U(1)")):
        assert (G.order, G.is_finite) == (math.inf, False)
    assert (Group("SU(1)").order, Group("SU(1)").is_finite) == (1, True)


FINITE = [
    "2*perm + sign",
    "2*(perm + sign) + trivial",
    "perm",
    "3*std + 0*perm + perm*std",
    "perm^2 + 2*(trivial + 2*sign)",
]
CONTINUOUS = ["2*vector + trivial", "2*(vector + det) + trivial", "vector", "3*harmonic(2) + vector*vector", "0*vector"]


def require_blocks(matrix, slices, own, dimension):
    places = [k for where, _ in slices for k in range(dimension)[where]]
    assert places == list(range(dimension))
    expected = numpy.zeros((dimension, dimension))
    for where, R in slices:
        expected[where, where] = own(R)
    assert numpy.allclose(matrix, expected, atol=1e-12)


@pytest.mark.parametrize("text", FINITE)
def test_slices_of_finite_groups(text):
    V = Group("S3").rep(text)
    for g in V.group:
        require_blocks(
            numpy.array(V.matrix(g), dtype=float),
            V.slices(),
            lambda R, g=g: numpy.array(R.matrix(g), dtype=float),
            V.dimension,
        )
    assert all(len(R.summands()) == 1 and R.summands()[0][0] == 1 for _, R in V.slices())


@pytest.mark.parametrize("text", CONTINUOUS)
def test_slices_of_continuous_groups(text):
    V = Group("O(3)").rep(text)
    for seed in range(3):
        g = V.group.random_element(seed)
        require_blocks(V.matrix(g), V.slices(), lambda R, g=g: R.matrix(g), V.dimension)


def test_examples_of_slices():
    assert [where for where, _ in Group("S3").rep("2*perm + sign").slices()] == [slice(0, 3), slice(3, 6), slice(6, 7)]
    slices = Group("SO(3)").rep("2*vector + trivial").slices()
    assert [(where.start, where.stop, R.dimension) for where, R in slices] == [(0, 3, 3), (3, 6, 3), (6, 7, 1)]
