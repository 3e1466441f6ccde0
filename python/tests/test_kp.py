"""Matrices of levels and terms of k.p Hamiltonians, in floating point and by known crystals."""

from fractions import Fraction

import numpy as np
import pytest
from intertwine import DomainError, LimitError, SpaceGroup
from intertwine.chem import MagneticSpaceGroup

HEXAGONAL = [[1, 0, 0], ["-1/2", "sqrt(3)/2", 0], [0, 0, 1]]


def numbers(matrix):
    return np.array([[complex(matrix[i, j]) for j in range(matrix.shape[1])] for i in range(matrix.shape[0])])


def value(term, q):
    return sum(np.prod(np.power(q, e)) * numbers(A) for e, A in term.items())


def test_graphene_has_a_cone():
    K = SpaceGroup("P 6/m m m").irreps_at(["1/3", "1/3", 0])
    levels = [n for n, degree in enumerate(K.degeneracies) if degree == 2]
    assert len(levels) == 2 and all(K.kp(n, 1) == [] for n in range(len(K.degeneracies)) if n not in levels)
    for level in levels:
        (term,) = K.kp(level, 1, axes=HEXAGONAL)
        assert set(term) == {(1, 0, 0), (0, 1, 0)}
        x, y = numbers(term[1, 0, 0]), numbers(term[0, 1, 0])
        # Two anticommuting Hermitian matrices with one square are sigma_x and sigma_y up to a basis and a number.
        assert (
            np.allclose(x @ y + y @ x, 0)
            and np.allclose(x @ x, y @ y)
            and np.allclose(x @ x, x[0] @ x[:, 0] * np.eye(2))
        )
        energies = np.linalg.eigvalsh(value(term, (0.3, 0.4, 0.7)))
        assert energies == pytest.approx(np.array([-0.5, 0.5]) * np.sqrt((x @ x)[0, 0].real))


def test_silicon():
    silicon = SpaceGroup("F d -3 m")
    gamma = silicon.irreps_at([0, 0, 0])
    for level, degree in enumerate(gamma.degeneracies):
        assert [len(gamma.kp(level, order)) for order in range(4)] == [1, 0, degree, 0]
    # Dresselhaus, Kip and Kittel on yz, zx, xy: L q_x^2 + M (q_y^2 + q_z^2) on the diagonal, N q_x q_y beside it.
    pairs = [(1, 2), (2, 0), (0, 1)]
    shear = [np.array([[W[i][a] * W[j][b] + W[i][b] * W[j][a] for a, b in pairs] for i, j in pairs]) for W, _ in gamma.operations]  # fmt: skip
    level = next(n for n, row in enumerate(gamma.characters) if [np.trace(M) for M in shear] == row)
    D = [numbers(A) for A in gamma.matrices(level)[0]]
    mixed = np.random.default_rng(3).normal(size=(3, 3))
    V = sum(M @ mixed @ A.conj().T for M, A in zip(shear, D))
    V = V / np.sqrt((V @ V.conj().T)[0, 0].real)
    assert np.allclose(V @ V.conj().T, np.eye(3))
    q = np.array([0.3, -0.2, 0.5])
    known = [np.diag(q**2), np.diag(q @ q - q**2), np.outer(q, q) - np.diag(q**2)]
    span = np.array([A.ravel() for A in known]).T
    for term in gamma.kp(level, 2):
        seen = (V @ value(term, q) @ V.conj().T).ravel()
        assert np.allclose(span @ np.linalg.lstsq(span, seen, rcond=None)[0], seen)
    spinors = silicon.irreps_at([0, 0, 0], spinors=True)
    quartet = [n for n, degree in enumerate(spinors.degeneracies) if degree == 4]
    assert [len(spinors.kp(n, 2)) for n in quartet] == [3, 3]
    for term in spinors.kp(quartet[0], 2):  # Kramers' pairs
        energies = np.linalg.eigvalsh(value(term, q))
        assert energies[::2] == pytest.approx(energies[1::2])


def test_weyl_point():
    chiral = SpaceGroup("P 21 3").irreps_at([0, 0, 0], spinors=True)
    (term,) = chiral.kp(0, 1)
    for q in np.eye(3), np.random.default_rng(2).normal(size=(3, 3)):
        for one in q:
            H = value(term, one)
            assert np.allclose(H @ H, (one @ one) * (value(term, (1, 0, 0)) @ value(term, (1, 0, 0))))


@pytest.mark.parametrize("number", [14, 19, 62, 99, 136, 176, 194, 198, 205, 216, 227, 230])
def test_hamiltonians_are_covariant(number):
    random = np.random.default_rng(number)
    for k in ([0, 0, 0], ["1/2"] * 3, [0, "1/2", 0], ["1/3", "1/3", 0]):
        for spinors in (False, True):
            little = SpaceGroup(number).irreps_at(k, spinors)
            level = int(random.integers(len(little.degeneracies)))
            D, U = little.matrices(level)
            D, U = [numbers(A) for A in D], [numbers(A) for A in U]
            q = random.normal(size=3)
            for order in (1, 2):
                terms = little.kp(level, order)
                assert len(terms) == little.kp_dimensions(order)[level]
                for term in terms:
                    H = value(term, q)
                    assert np.allclose(H, H.conj().T)
                    for (W, _), A in zip(little.operations, D):
                        assert np.allclose(value(term, q @ np.linalg.inv(W)), A @ H @ A.conj().T)
                    for (W, _), A in zip(little.antiunitary, U):
                        assert np.allclose(value(term, -q @ np.linalg.inv(W)), A @ H.conj() @ A.conj().T)


def test_matrices_multiply_as_operations():
    little = SpaceGroup("I a -3 d").irreps_at([1, 1, 1])
    level = int(np.argmax(little.degeneracies))
    D, U = (list(map(numbers, part)) for part in little.matrices(level))
    operations = little.operations + little.antiunitary
    k = np.array([float(Fraction(x)) for x in little.k])
    random = np.random.default_rng(1)
    for _ in range(60):
        g, h = random.integers(len(operations), size=2)
        (V, v), (W, w) = operations[g], operations[h]
        product = np.array(V) @ W
        shift = np.array(V) @ np.array(w, dtype=float) + np.array(v, dtype=float)
        reversing = (g >= len(D)) != (h >= len(D))
        start, part = (len(D), U) if reversing else (0, D)
        at = next(n for n in range(len(part)) if np.array_equal(operations[start + n][0], product))
        t = shift - np.array(operations[start + at][1], dtype=float)
        left, right = (D + U)[g], (D + U)[h]
        assert np.allclose(left @ (right.conj() if g >= len(D) else right), np.exp(-2j * np.pi * k @ t) * part[at])


def test_magnetic_levels_and_refusals():
    ferromagnet = MagneticSpaceGroup("P4/mm'm'").irreps_at([0, 0, 0], spinors=True)
    assert ferromagnet.degeneracies == [1] * len(ferromagnet.degeneracies)
    assert [len(ferromagnet.kp(0, order)) for order in range(3)] == [1, 0, 2]
    for question, error in [
        (lambda: ferromagnet.kp(99, 1), DomainError),
        (lambda: ferromagnet.matrices(99), DomainError),
        (lambda: ferromagnet.kp(0, 21), LimitError),
        (lambda: ferromagnet.kp(0, 1, axes=[[1, 0], [0, 1]]), DomainError),
        (lambda: ferromagnet.kp(0, 1, axes=[[1, 0, 0], [1, 0, 0], [0, 0, 1]]), DomainError),
        (lambda: ferromagnet.kp(0, 1, axes=[["E(4)", 0, 0], [0, 1, 0], [0, 0, 1]]), DomainError),
    ]:
        with pytest.raises(error):
            question()
