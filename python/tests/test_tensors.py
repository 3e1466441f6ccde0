"""Tensors in symmetric and exterior powers: V.matrix(g) moves coordinates as g moves the tensor."""

import itertools
import random
from fractions import Fraction

import intertwine
import numpy
import pytest
from intertwine import DomainError, Group

CASES = [
    ("S3", "std", 2),
    ("S3", "perm", 3),
    ("D4", "coordinates", 4),
    ("Oh", "cartesian", 2),
    ("Td", "coordinates", 3),
    ("S4", "std", 2),
    ("C6", "coordinates", 2),
    ("A5", "irrep(4)", 2),
    ("C3v", "perm", 2),
]


def moved(matrix, tensor):
    """g acts on every axis."""
    for axis in range(tensor.ndim):
        tensor = numpy.moveaxis(numpy.tensordot(matrix, tensor, axes=(1, axis)), 0, axis)
    return tensor


def random_tensor(n, k, sign, rng):
    tensor = numpy.zeros((n,) * k, dtype=object)
    for indices in itertools.product(range(n), repeat=k):
        tensor[indices] = Fraction(rng.randint(-9, 9), rng.choice([1, 1, 2, 3]))
    total = 0
    for p in itertools.permutations(range(k)):
        odd = sum(a > b for a, b in itertools.combinations(p, 2)) % 2
        total = total + (-1 if odd and sign < 0 else 1) * tensor.transpose(p)
    return total


@pytest.mark.parametrize("group, text, k", CASES)
@pytest.mark.parametrize("kind", ["sym", "alt"])
def test_coordinates_are_moved_as_tensors(group, text, k, kind):
    rng = random.Random(f"{group} {text} {k} {kind}")
    G = Group(group)
    W = G.rep(text)
    V = getattr(W, kind)(k)
    assert V.power == (W, k, kind) and G.rep(f"{kind}({k}, {text})") == V
    for g in [G.generators[0], G.generators[-1]]:
        A = numpy.array(W.matrix(g), dtype=object)
        R = numpy.array(V.matrix(g), dtype=object)
        T = random_tensor(W.dimension, k, 1 if kind == "sym" else -1, rng)
        c = V.coordinates(T)
        assert c.shape == (V.dimension,) and (V.tensor(c) == T).all()
        assert (V.coordinates(moved(A, T)) == R.dot(c)).all()
        # In floating point, with batch axes.
        batch = numpy.stack([T, 2 * T, -T]).astype(float)
        d = V.coordinates(batch)
        assert d.shape == (3, V.dimension) and numpy.allclose(V.tensor(d), batch)
        # The components themselves are other numbers, unless no index differs from another.
        if kind == "sym" and V.dimension > 1:
            raw = numpy.array(
                [T[i] for i in itertools.combinations_with_replacement(range(W.dimension), k)], dtype=object
            )
            assert (raw != c).any()


@pytest.mark.parametrize(
    "group, text, k",
    [
        ("SO(3)", "vector", 2),
        ("O(3)", "vector + det", 2),
        ("SO(2)", "harmonic(2)", 3),
        ("SU(2)", "vector", 2),
        ("SO+(1,3)", "vector", 2),
    ],
)
@pytest.mark.parametrize("kind", ["sym", "alt"])
def test_coordinates_of_continuous_groups(group, text, k, kind):
    G = Group(group)
    W = G.rep(text)
    V = G.rep(f"{kind}({k}, {text})")
    assert V.power == (W, k, kind) and W.power is None
    T = random_tensor(W.dimension, k, 1 if kind == "sym" else -1, random.Random(f"{group} {kind}"))
    c = V.coordinates(tensor=T)
    assert c.shape == (V.dimension,) and (V.tensor(coordinates=c) == T).all()
    T, c = T.astype(float), c.astype(float)
    for seed in range(3):
        g = G.random_element(seed)
        assert numpy.allclose(V.coordinates(moved(W.matrix(g), T)), V.matrix(g) @ c)
    if kind == "sym" and W.dimension == 3:
        voigt = V.tensor(c, form="voigt")
        assert voigt.shape == (6,) and numpy.allclose(V.coordinates(voigt, form="voigt"), c)
    else:
        with pytest.raises(DomainError, match="voigt"):
            V.tensor(coordinates=c, form="voigt")


def test_forms_of_stress_and_strain():
    V = Group("Oh").rep("sym(2, cartesian)")
    stress = numpy.array([[1, 6, 5], [6, 2, 4], [5, 4, 3]])
    c = V.coordinates(stress)
    assert c.tolist() == [1, 12, 10, 2, 8, 3] and c.dtype == numpy.int64
    assert (V.coordinates([1, 2, 3, 4, 5, 6], form="voigt") == c).all() and V.tensor(c, "voigt").tolist() == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]
    assert (V.coordinates([1, 2, 3, 8, 10, 12], form="strain") == c).all() and V.tensor(c, form="strain").tolist() == [
        1,
        2,
        3,
        8,
        10,
        12,
    ]
    mandel = [1, 2, 3, *(2**0.5 * numpy.array([4, 5, 6]))]
    assert numpy.allclose(V.coordinates(mandel, form="mandel"), c) and numpy.allclose(V.tensor(c, "mandel"), mandel)
    assert (V.coordinates(tensor=V.tensor(coordinates=c, form="voigt"), form="voigt") == c).all()
    assert V.tensor([1, 1, 0, 0, 0, 0]).tolist() == [[1, Fraction(1, 2), 0], [Fraction(1, 2), 0, 0], [0, 0, 0]]
    assert (V.tensor(c) == stress).all() and V.tensor(c).dtype == numpy.int64
    huge = 10**30
    assert V.coordinates([[huge, 1, 0], [1, 0, 0], [0, 0, 0]])[0] == huge


def test_continuous_groups_and_torch():
    torch = pytest.importorskip("torch")
    V = intertwine.Group("SO(3)").rep("sym(2, vector)")
    assert V.power[1:] == (2, "sym") and V.power[0].dimension == 3
    T = torch.randn(5, 3, 3, dtype=torch.float64)
    T = (T + T.mT).requires_grad_()
    c = V.coordinates(T)
    assert c.shape == (5, 6) and torch.allclose(V.tensor(c), T) and torch.allclose(c[:, 1], 2 * T[:, 0, 1])
    again = V.coordinates(tensor=V.tensor(coordinates=c, form="full"), form="full")
    assert torch.allclose(again, c)
    c.sum().backward()
    assert T.grad.shape == T.shape


def test_refused():
    G = Group("S3")
    V, W = G.rep("sym(2, perm)"), G.rep("perm")
    assert (
        W.power is None and (W.coordinates([1, 2, 3]) == [1, 2, 3]).all() and (W.tensor([1, 2, 3]) == [1, 2, 3]).all()
    )
    assert (
        W.alt(5).dimension == 0
        and W.alt(5).coordinates(numpy.zeros((3,) * 5)).shape == (0,)
        and not W.alt(5).tensor(numpy.zeros(0)).any()
    )
    with pytest.raises(intertwine.DomainError, match="not symmetric"):
        V.coordinates([[1, 2, 3], [0, 1, 2], [0, 0, 1]])
    with pytest.raises(intertwine.DomainError, match="not antisymmetric"):
        W.alt(2).coordinates(numpy.eye(3))
    with pytest.raises(intertwine.DomainError, match=r"\[..., 3, 3\], not \[6\]"):
        V.coordinates([1, 2, 3, 4, 5, 6])
    with pytest.raises(intertwine.DomainError, match="6 coordinates"):
        V.tensor([1, 2, 3])
    with pytest.raises(intertwine.DomainError, match=r"V \* W"):
        V.tensor(W)
    with pytest.raises(intertwine.DomainError, match="one of full"):
        V.coordinates(numpy.eye(3), form="matrix")
    with pytest.raises(intertwine.DomainError, match="3 x 3"):
        W.alt(2).coordinates([1, 2, 3, 4, 5, 6], form="voigt")
    with pytest.raises(intertwine.DomainError, match="numbers"):
        V.coordinates([["a", "b", "c"]] * 3)
