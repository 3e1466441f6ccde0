"""Elements of continuous groups: words in generators, and their matrices in every representation."""

import copy
import math
import pickle

import numpy
import pytest
from continuous_groups import ALL, COMPACT, OTHER, RANDOM, field
from intertwine import DomainError, Group


def close(a, b, tolerance=1e-11):
    return float(abs(a - b).max(initial=0)) <= tolerance * max(1, float(abs(b).max(initial=0)))


# --- Elements and matrices -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group, V", ALL)
def test_matrices_are_those_of_one_element(group, V):
    V = field(group, V)
    G = V.group
    for seed in range(4):
        g, h = G.random_element(seed), G.random_element(seed + 10)
        A, B = V.matrix(g), V.matrix(h)
        assert close(V.matrix(g * h), A @ B) and close(V.matrix(g.inverse()) @ A, numpy.eye(V.dimension))
        assert close((V * V).matrix(g), numpy.kron(A, A)) and close(V.T.matrix(g), numpy.linalg.inv(A).T)
        assert close((V + V).matrix(g), numpy.kron(numpy.eye(2), A))
        assert close(numpy.asarray(V.real().matrix(g)), A)  # which is real already
        # The exact basis of equivariant maps commutes with it: other code, other proofs.
        for W in (V >> V).basis()[:6]:
            W = numpy.asarray(W, dtype=float)
            assert close(W @ A, A @ W)
        assert G.random_element(seed) == g and pickle.loads(pickle.dumps(g)) == copy.deepcopy(g) == g
        assert not close(A, B, 1e-6) and not close((V * V).matrix(g), numpy.kron(A, B), 1e-6)


EVERY = [
    "SO(2)", "O(2)", "SO(3)", "O(3)", "O(4)", "SO(5)", "U(1)", "SU(2)", "U(2)", "SU(3)", "Sp(2)", "Sp(4)", "SL(2)",
    "SL(3)", "GL(2)", "SO+(2,1)", "SO+(1,3)", "O(1,3)", "O(2,2)",
]  # fmt: skip


@pytest.mark.parametrize("group", EVERY)
def test_a_matrix_of_the_defining_module_is_an_element(group):
    """Its word has the same matrix there, and in another module that of the element that the matrix came from."""
    G = Group(group)
    V = G.rep("vector")
    W = V * V
    for seed in range(6):
        g = G.random_element(seed)
        h = G.element(V.matrix(g))
        assert close(V.matrix(h), V.matrix(g), 1e-10) and close(W.matrix(h), W.matrix(g), 1e-10)
        assert close(W.matrix(h.inverse()) @ W.matrix(g), numpy.eye(W.dimension), 1e-10)
        assert pickle.loads(pickle.dumps(h)) == h and isinstance(str(h), str)
    assert G.element(numpy.eye(V.dimension)).is_identity
    # A matrix beside the group is none of it, a rounded one is.
    A = V.matrix(G.random_element(0))
    noise = numpy.random.default_rng(0).normal(size=A.shape)
    G.element(A + 1e-12 * noise)
    if group not in ("GL(2)",):
        with pytest.raises(DomainError, match="is no product of exponentials and components"):
            G.element(A + 1e-5 * noise)
        G.element(A + 1e-7 * noise, tolerance=1e-5)


def test_matrices_where_the_logarithm_is_cut():
    """Half turns, the centre, and reflections, whose eigenvalues are -1; known by heart."""
    turn = Group("SO(3)").element(numpy.diag([-1, -1, 1]))
    assert str(turn) == "the rotation by 180 degrees about (0, 0, 1)"
    assert str(Group("O(3)").element([[-1, 0, 0], [0, -1, 0], [0, 0, -1]])) == "the inversion"
    assert str(Group("O(2)").element(numpy.array([[0, 1], [1, 0]]))) == "the reflection in the line at 45 degrees"
    root = complex(-0.5, math.sqrt(3) / 2)
    for group, M in [
        ("SU(2)", -numpy.eye(2)), ("SU(3)", root * numpy.eye(3)), ("SU(4)", numpy.diag([-1, -1, 1, 1])), ("U(2)", -numpy.eye(2)),
        ("SO(4)", -numpy.eye(4)), ("O(4)", numpy.diag([-1, 1, 1, 1])), ("O(1,3)", numpy.diag([-1, 1, 1, 1])), ("Sp(2)", -numpy.eye(2)),
        ("O(1,3)", numpy.diag([1, -1, -1, -1])), ("SO+(1,3)", numpy.diag([1, -1, -1, 1])), ("SL(2)", numpy.array([[2, 0], [0, 0.5]])),
        ("SL(2)", numpy.array([[-1, 1], [0, -1]])),  # which is no exponential
    ]:  # fmt: skip
        G = Group(group)
        V = G.rep("vector")
        assert close(V.matrix(G.element(M)), M, 1e-9), group
    exact = Group("O(3)").rep("vector").generator_matrices()[-1]
    assert close(Group("O(3)").rep("vector").matrix(Group("O(3)").element(exact)), numpy.asarray(exact, dtype=float))


@pytest.mark.parametrize(
    "group, given, words",
    [
        ("SO(3)", numpy.diag([1, 1, -1]), "unitary part in the polar form is no exponential"),
        ("SO(3)", 2 * numpy.eye(3), "away from the Lie algebra"),
        ("SU(2)", 1j * numpy.eye(2), "no exponential"),
        ("SO+(1,3)", -numpy.eye(4), "no exponential"),
        ("SL(2)", numpy.zeros((2, 2)), "it is singular"),
        ("SO(3)", numpy.eye(2), r"3 x 3 finite numbers, not one of the shape \[2, 2\]"),
        ("SO(3)", numpy.full((3, 3), math.nan), "finite numbers"),
        ("SO(3)", 1j * numpy.eye(3), "has real matrices"),
        ("SO(3)", [[1, 0, 0], [0, 1, 0], [0, 0, "x"]], "a matrix of numbers is wanted"),
        ("SO(3)", [[0, 1.0], [1]], "pairs"),
        ("GL(2)", [[0, 1], [1, 0]], r"could be two pairs .* or the rows of a 2 x 2 matrix"),
        ("SU(2)", [[0, 1.0], [1, 0]], r"write \[\(0, 1.0\), \(1, 0\)\] for the pairs"),
        ("Spin(3)", numpy.eye(3), "two elements of Spin"),
        ("Spin(5)", numpy.eye(5), "two elements of Spin"),
        ("SO(3) x S3", numpy.eye(6), "is a product: take words"),
    ],
)
def test_what_is_no_element_is_refused(group, given, words):
    with pytest.raises(DomainError, match=words):
        Group(group).element(given)
    with pytest.raises(DomainError, match="tolerance is a number between 0 and 1"):
        Group("SO(3)").element(numpy.eye(3), tolerance=2.0)


def test_complex_matrices_belong_to_the_real_ones():
    for group in ("SU(2)", "SU(3)", "U(1)", "U(2)", "SU(2) x S3"):
        G = Group(group)
        V = G.rep("vector # perm" if " x " in group else "vector")
        for seed in range(3):
            g = G.random_element(seed)
            A, R = V.matrix(g), V.real().matrix(g)
            assert close(A @ A.conj().T, numpy.eye(len(A)))
            assert close(R[::2, ::2], A.real) and close(R[1::2, ::2], A.imag)  # e_k and i e_k
            if group.startswith("SU") and " x " not in group:
                assert abs(numpy.linalg.det(A) - 1) < 1e-12


def test_elements_are_uniform_and_reach_every_component():
    # E[chi(g)^2] counts the maps V >> V, and E[rho(g)] projects to the invariants.
    for group, V in COMPACT[:5] + RANDOM:
        V = field(group, V)
        matrices = [V.matrix(V.group.random_element(k)) for k in range(1500)]
        traces = numpy.array([numpy.trace(A) for A in matrices])
        deviation = float((traces**2).std()) / math.sqrt(len(traces))
        assert abs((traces**2).mean() - (V >> V).real_dimension) < 5 * deviation
        mean = sum(matrices) / len(matrices)
        assert abs(numpy.trace(mean) - (V >> V).bias.dimension) < 5 * float(traces.std()) / math.sqrt(len(traces))
    for group, count in (("O(2)", 2), ("O(3)", 2), ("O(1,3)", 4), ("O(4)", 2)):
        V = field(group, "vector")
        found = {
            (bool(numpy.linalg.det(A) > 0), bool(A[0, 0] > 0) if "," in group else None)
            for A in (V.matrix(V.group.random_element(k)) for k in range(60))
        }
        assert len(found) == count
    # Bounded by e where the group is not compact.
    for group, _ in OTHER[:5]:
        V = field(group, "vector")
        assert max(numpy.linalg.norm(V.matrix(V.group.random_element(k)), 2) for k in range(50)) < math.e + 1e-12


def test_words():
    G = Group("O(3)")
    V = G.rep("vector")
    turn = V.matrix(G.element([(0, math.pi / 2)]))
    assert close(turn, numpy.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]), 1e-14)
    assert close(V.matrix(G.element([(2, 1)])), -numpy.eye(3)) and close(V.matrix(G.element([])), numpy.eye(3))
    assert str(G.element([(0, math.pi / 2), (2, 1)])) == "the rotation by 90 degrees about (0, 0, -1) and the inversion"
    assert (
        str(G.element([(0, math.pi)])) == "the rotation by 180 degrees about (0, 0, 1)"
        and str(G.element([])) == "the identity"
    )
    assert str(Group("O(2)").element([(1, 1)])) == "the reflection in the line at 0 degrees"
    S = Group("SO(3) x S4")
    assert str(S.element([(1, math.pi / 3), (3, 1)])) == "the rotation by 60 degrees about (-1, 0, 0); (1,2)"
    half = Group("Spin(3)").rep("real(spinor)")
    assert close(half.matrix(half.group.element([(0, 2 * math.pi)])), -numpy.eye(4))


def test_permutations_in_products():
    S = Group("SO(3) x S4")
    V = S.rep("trivial # perm")
    word = [(2, 1), (3, 1), (2, -1)]
    a, b = Group("S4").generators
    P = Group("S4").rep("perm").matrix(a * b * a.inverse())
    assert close(V.matrix(S.element(word)), numpy.asarray(P, dtype=float)) and str(S.element(word)) == str(
        a * b * a.inverse()
    )
