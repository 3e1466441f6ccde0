"""Continuous groups: representations by exact matrices, certified bases, tables, files."""

import copy
import json
import pickle

import intertwine
import numpy
import pytest
from intertwine import ContinuousGroup, DomainError, Group, LimitError, ParseError, load_table, steerable_kernels, verify


def test_groups():
    G = ContinuousGroup("S5 x O(3)")
    assert str(G) == G.name == "S5 x O(3)" and repr(G) == "ContinuousGroup('S5 x O(3)')" and not G.is_complex
    assert ContinuousGroup("SU(2)").is_complex
    assert G == ContinuousGroup("(S5 x O(3))") and hash(G) == hash(ContinuousGroup("S5 x O(3)")) and G != ContinuousGroup("O(3)")
    assert pickle.loads(pickle.dumps(G)) == G and copy.copy(G) is G
    assert len(G.generator_names) == len(G.rep("perm # vector").generator_matrices()) == 5
    assert "SO(<n>)" in intertwine.known_continuous_groups() and "harmonic" in intertwine.known_continuous_representations()


def test_representations():
    G = ContinuousGroup("O(3)")
    v = G.rep("vector")
    assert (2 * v + v * v).dimension == 15 and (v**2).dimension == 9 and v.T.dimension == 3
    assert v.commutant().dimension == 1 and (2 * v).commutant() == 2 * v >> 2 * v
    assert v.sym(2).dimension == 6 and v.alt(2).dimension == 3 and v.schur([2, 1]).dimension == 8
    assert (2 * v + v**2).expression == "2*vector + vector^2" and G.rep("2*vector + vector^2") == 2 * v + v**2
    assert v.group == G and pickle.loads(pickle.dumps(v.sym(2))) == v.sym(2) and hash(v) == hash(G.rep("vector"))
    assert repr(v) == "ContinuousGroup('O(3)').rep('vector')"
    X, Y, s = v.generator_matrices()
    assert X @ Y != Y @ X and X @ s == s @ X


@pytest.mark.parametrize(
    "group, V, U, dimension",
    [
        ("SO(3)", "vector^2", "vector", 1),
        ("O(3)", "2*vector + harmonic(2)", "sym(2, vector)*vector", 4),
        ("SO+(1,3)", "trivial", "vector^4", 4),
        ("SU(2)", "trivial", "spinor^4", 2),
        ("S4 x O(3)", "perm # vector", "perm^2 # vector", 5),
    ],
)
def test_hom(group, V, U, dimension):
    G = ContinuousGroup(group)
    V, U = G.rep(V), G.rep(U)
    hom = V >> U
    assert hom.dimension == dimension and hom.shape == (U.dimension, V.dimension) and hom.source == V and hom.target == U
    basis = hom.basis()
    assert len(basis) == hom.params
    pairs = list(zip(*(R.generator_matrices() for R in (V, U))))
    if V.expression.startswith("2*"):  # a sum: no channels
        assert hom.params == dimension
    assert all(W @ A == B @ W for W in basis for A, B in pairs)
    certificate = hom.certificate()
    assert certificate.character_dimension == hom.params and "weyl-characters" in certificate.route
    hom.verify()
    assert "equivariant  yes" in hom.describe() and json.loads(hom.to_json())["dimension"] == str(dimension)
    assert pickle.loads(pickle.dumps(hom)) == hom == (V >> U) and hash(hom) == hash(V >> U) and " >> " in repr(hom)
    for b in hom.bias.basis():
        assert all(B @ b == b or not (B @ b).entries() for B in U.generator_matrices())


def test_tables(tmp_path):
    G = ContinuousGroup("S5 x O(3)")
    V = G.rep("8*(perm # vector)")
    hom = V >> G.rep("perm # vector")
    table = hom.table()
    table.save(tmp_path / "t.safetensors")
    again = load_table(tmp_path / "t.safetensors")
    assert again == table and not table.is_tied
    proof = verify(tmp_path / "t.safetensors")
    assert proof.order is None and proof.group == "S5 x O(3)" and proof.params == 2 and proof.dimension == 16
    identity, others = (numpy.array(B, dtype=float) for B in hom.basis())
    assert (identity == numpy.eye(15)).all() and (others == numpy.kron(1 - numpy.eye(5), numpy.eye(3))).all()


def test_bad_input():
    G = ContinuousGroup("O(3)")
    with pytest.raises(ParseError, match="needs its size"):
        ContinuousGroup("SO")
    with pytest.raises(LimitError, match="at most 32"):
        ContinuousGroup("SO(33)")
    with pytest.raises(DomainError, match=r"ContinuousGroup\('SO\(3\)'\)"):
        Group("SO(3)")
    with pytest.raises(ParseError, match="did you mean vector"):
        G.rep("vektor")
    with pytest.raises(LimitError, match="2147483647"):
        G.rep("vector") ** 100
    with pytest.raises(DomainError, match="different groups"):
        G.rep("vector") >> ContinuousGroup("SO(3)").rep("vector")
    with pytest.raises(DomainError, match="different groups"):
        G.rep("vector") + ContinuousGroup("SO(3)").rep("vector")
    with pytest.raises(LimitError, match="memory"):
        (G.rep("vector^4") >> G.rep("vector^4")).basis(memory=1000)


def test_adjoint_and_spinor_fields():
    # so(3) is R^3; the Killing form is the one invariant of a simple algebra, brackets and (for SL(3)) the symmetric product go back into it.
    for name, squares in {"SO(3)": 1, "SO(5)": 1, "SL(3)": 2, "Sp(4)": 1}.items():
        G = ContinuousGroup(name)
        A = G.rep("adjoint")
        assert (A >> A).dimension == 1 == (A * A >> G.rep("trivial")).dimension and (A * A >> A).dimension == squares
    assert (ContinuousGroup("SO(3)").rep("adjoint") >> ContinuousGroup("SO(3)").rep("vector")).dimension == 1
    kernels = steerable_kernels("ISpin(3)", "spinor", "spinor")
    assert kernels.dimension == 8
    with pytest.raises(ParseError, match="ISpin"):
        steerable_kernels("SE(3)", "spinor", "spinor")
