"""Bases of one vector a copy: they block-diagonalize every equivariant matrix."""

import pickle
from fractions import Fraction

import numpy
import pytest
from intertwine import DomainError, FirstRows, Group, Matrix, SparseColumns

GROUPS = ["S4", "D5", "C7", "Q8", "A5", "Dic3", "C4 x S3", "SL(2,3)", "C2 wr S3", "C7:C3", "PSL(2,7)", "M11"]
RNG = numpy.random.default_rng(5)


def dense(X):
    out = numpy.zeros(X.shape, X.data.dtype)
    for k in range(X.shape[1]):
        part = slice(X.indptr[k], X.indptr[k + 1])
        out[X.indices[part], k] = X.data[part]
    return out


def invariant(V):
    """A random symmetric matrix that commutes with V, by the exact symmetrizer."""
    n = V.dimension
    S = numpy.array((V >> V).symmetrize(RNG.standard_normal((n, n))), dtype=float)
    return S + S.T


def spectrum(E, components):
    values = []
    for part in components:
        X = dense(part.basis)
        G, B = X.conj().T @ X, X.conj().T @ E @ X
        L = numpy.linalg.inv(numpy.linalg.cholesky(G))
        copies = part.degree * part.multiplicity // X.shape[1]
        values += [*numpy.linalg.eigvalsh(L @ B @ L.conj().T)] * copies
    return numpy.sort(values)


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("over", ["complex", "real"])
def test_blocks_have_the_spectrum_of_the_matrix(name, over):
    """Over the complex numbers a block counts as often as its representation has dimensions; over the real ones a
    block of complex or quaternionic type holds every eigenvalue twice or four times for each copy."""
    G = Group(name)
    for rep in ("perm", "perm + 2*sign" if name in ("S4", "A5") else "2*perm", "perm^2"):
        V = G.rep(rep)
        if V.dimension > 130:
            continue
        E = invariant(V)
        found = spectrum(E, V.isotypic(over, rows="first"))
        assert numpy.abs(found - numpy.linalg.eigvalsh(E)).max() < 1e-9 * max(1, numpy.abs(E).max())


def test_first_rows_are_exact_and_sparse():
    V = Group("S7").rep("sym(4, perm + trivial)")
    parts = V.isotypic(rows="first")
    assert [(p.multiplicity, p.degree) for p in parts] == [(12, 1), (14, 6), (3, 14), (8, 14), (3, 15), (1, 35)]
    assert sum(p.degree * p.multiplicity for p in parts) == V.dimension == 330
    X = parts[1].basis
    assert isinstance(parts[1], FirstRows) and isinstance(X, SparseColumns) and X.shape == (330, 14) and X.field == "Q"
    assert X.nnz == len(X.values) == len(X.indices) == 242 and X.indptr[-1] == 242
    assert all(isinstance(a, (int, Fraction)) for a in X.values)
    assert isinstance(X.matrix(), Matrix) and numpy.array_equal(numpy.array(X.matrix(), dtype=float), dense(X))
    for k, row in enumerate(parts[1].pivots):
        assert [j for j in range(14) if dense(X)[row, j]] == [k]
    assert parts[1].irreps == [3] or len(parts[1].irreps) == 1
    assert parts[1].indicator == 1 and "14 x degree 6" in repr(parts[1]) and "330 x 14" in repr(X)
    again = pickle.loads(pickle.dumps(parts[1]))
    assert again == parts[1] and again.basis == X and hash(again) == hash(parts[1])


def test_real_types():
    """C5 has pairs of complex type, Q8 a quaternionic one."""
    assert [(p.indicator, p.basis.shape[1]) for p in Group("C5").rep("perm").isotypic("real", rows="first")] == [
        (1, 1),
        (0, 2),
        (0, 2),
    ]
    parts = Group("Q8").rep("regular").isotypic("real", rows="first")
    assert [(p.degree, p.multiplicity, p.basis.shape[1]) for p in parts][-1] == (4, 1, 4)
    assert all(p.basis.data.dtype == numpy.float64 and p.pivots == [] for p in parts if p.indicator < 1)


def test_other_rows_are_refused():
    V = Group("S3").rep("perm")
    with pytest.raises(DomainError, match="rows is 'first'"):
        V.isotypic(rows="last")
    with pytest.raises(DomainError, match="not over the rational"):
        V.isotypic("rational", rows="first")
    with pytest.raises(DomainError, match="not real"):
        Group("C3").rep("irrep(2)").isotypic("real", rows="first")
