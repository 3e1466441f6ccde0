"""Facial reduction: constraints ⟨A, X⟩ = 0 with a semidefinite A make blocks smaller, with the same optimum."""

import pickle
import random

import numpy as np
import pytest
from intertwine import DomainError, Group
from intertwine.sdp import Problem, reduce, sos

SWAP = [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]


def solved(problem):
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy()
    value = asked.solve(solver="CLARABEL")
    assert asked.status == "optimal"
    return value, [v.value for v in sorted(asked.variables(), key=lambda v: v.id)]


def test_the_antisymmetric_block_of_two_qubits_is_zero():
    """⟨1 - SWAP, X⟩ = 0 says that X is symmetric: no block is left of the singlet."""
    qubits = Group("<(1)(2,3)(4)>")
    problem = Problem(np.diag([1, 2, 2, 5]), [np.eye(4, dtype=int) - SWAP, np.eye(4, dtype=int)], [0, 1])
    reduction, whole = reduce(problem, qubits), reduce(problem, qubits, faces=False)
    assert [b.size for b in whole.blocks] == [3, 1] and [b.size for b in reduction.blocks] == [3]
    (step,) = reduction.faces
    assert step["constraint"] == 0 and step["sign"] == 1
    assert step["blocks"] == [("X.2", 1, 0)]
    assert reduction.kept == [1] and whole.faces == [] and whole.kept == [0, 1]
    value, Z = solved(reduction.problem)
    assert value == pytest.approx(1, abs=1e-6)
    (X,) = reduction.lift(Z)
    assert np.allclose(X @ SWAP, X)
    assert pickle.loads(pickle.dumps(reduction)).faces == reduction.faces
    assert pickle.loads(pickle.dumps(whole)).faces == []
    assert reduction.certificate().bound <= 1
    with pytest.raises(DomainError, match="faces=False"):
        reduction.lift_dual([1])


def test_random_problems_have_their_optimum_on_the_face():
    """A = M M^T of a random M with two columns fewer than rows."""
    rng = random.Random(3)
    for n in (3, 4, 5):
        M = np.array([[rng.randint(-2, 2) for _ in range(n - 2)] for _ in range(n)])
        C = np.array([[rng.randint(-3, 3) for _ in range(n)] for _ in range(n)])
        problem = Problem(C + C.T, [M @ M.T, np.eye(n, dtype=int)], [0, 1])
        reduction = reduce(problem, "S1", f"{n}*trivial")
        left = n - np.linalg.matrix_rank(M)
        assert [b.size for b in reduction.blocks] == [left] and reduction.variables_after == left * (left + 1) // 2
        kernel = np.linalg.svd(M.T)[2][np.linalg.matrix_rank(M) :]
        value, Z = solved(reduction.problem)
        assert value == pytest.approx(np.linalg.eigvalsh(kernel @ (C + C.T) @ kernel.T)[0], abs=1e-5)
        (X,) = reduction.lift(Z)
        assert np.abs(M.T @ X).max() < 1e-6 and np.trace(X) == pytest.approx(1, abs=1e-6)


def test_one_face_leads_to_the_next():
    problem = Problem(np.eye(3), [np.diag([-1, 1, 1]), np.diag([1, 0, 0])], [0, 0], blocks=[-3])
    reduction = reduce(problem, "S1", "3*trivial")
    assert [step["constraint"] for step in reduction.faces] == [1, 0] and reduction.blocks == []
    assert reduction.lift([])[0].tolist() == [0, 0, 0]


def test_a_bound_on_a_strip_is_the_same_with_faces_and_without():
    """The bound of a polynomial on a strip is the same with faces and without."""
    p = {(4, 0): 1, (2, 2): 1, (0, 2): -2}
    reduction = sos(p, 2, inequalities=[{(0, 0): 1, (0, 4): -1}], level=2)
    value, _ = solved(reduction.problem)
    whole, _ = solved(reduce(reduction.before, faces=False).problem)
    assert value == pytest.approx(whole, abs=1e-4)
