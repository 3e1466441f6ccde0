"""Reductive groups and their representations by characters."""

from __future__ import annotations

import copy
import json
import pickle

import intertwine
import pytest
from intertwine import AxialRepresentation, DomainError, Group, LieGroup, LieRepresentation, LimitError, ParseError


def dimensions(V: LieRepresentation) -> list[int]:
    """The dimensions of the constituents, multiplicities counted."""
    return sorted((V.group.irrep(w).dimension for w, m in V.decompose() for _ in range(m)), reverse=True)


def test_products_that_are_in_the_books() -> None:
    SU3 = LieGroup("SU(3)")
    octet = SU3.irrep([1, 1])
    assert (octet * octet).decompose() == [([3, 0], 1), ([2, 2], 1), ([1, 1], 2), ([0, 3], 1), ([0, 0], 1)]
    assert octet == SU3.rep("adjoint")
    adjoint = LieGroup("E8").rep("adjoint")
    assert adjoint.dimension == 248
    assert dimensions(adjoint**2) == [30380, 27000, 3875, 248, 1]
    assert adjoint.weights() == [([0, 0, 0, 0, 0, 0, 0, 1], 1), ([0] * 8, 8)]


def test_algebra() -> None:
    G = LieGroup("Sp(4)")
    V, W = G.rep("vector"), G.irrep([0, 1])
    assert V.sym(2) + V.alt(2) == V * V
    assert V.sym(3) + 2 * V.schur([2, 1]) + V.alt(3) == V**3
    assert (V + W) - W == V
    assert V.T == V
    assert V != W and hash(V) == hash(G.rep("vector"))
    assert (G.name, G.type, G.rank) == ("Sp(4)", "C2", 2)
    assert LieRepresentation(G, [([1, 0], 2), ([0, 1], -1)]) == 2 * V - W


def test_restriction_to_finite_groups() -> None:
    SO3, O = LieGroup("SO(3)"), Group("O")  # noqa: E741
    # Bethe 1929: l = 0, ..., 6 under A1, A2, E, T1, T2.
    bethe = [
        [1, 0, 0, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 1, 0, 1],
        [0, 1, 0, 1, 1],
        [1, 0, 1, 1, 1],
        [0, 0, 1, 2, 1],
        [1, 1, 1, 1, 2],
    ]
    assert [SO3.irrep([2 * level]).restrict(O).multiplicities() for level in range(7)] == bethe
    SU3, G = LieGroup("SU(3)"), Group("PSL(2,7)")
    triplet = G.character_table()[1]
    assert SU3.rep("vector").restrict(G, vector=triplet) == triplet
    assert SU3.rep("adjoint").restrict(G, vector=triplet).multiplicities() == [0, 0, 0, 0, 0, 1]
    with pytest.raises(DomainError, match="character of PSL"):
        SU3.rep("vector").restrict(O, vector=triplet)
    with pytest.raises(DomainError):
        SO3.rep("vector").restrict(Group("S5"))


def test_restriction() -> None:
    assert dimensions(LieGroup("E8").rep("adjoint").restrict(LieGroup("Lie(D8)"))) == [128, 120]
    SU3, SU2, SO3 = LieGroup("SU(3)"), LieGroup("SU(2)"), LieGroup("SO(3)")
    octet = SU3.rep("adjoint")
    assert dimensions(octet.restrict(SU2)) == [3, 2, 2, 1]
    for restricted in (
        octet.restrict(SU2, vector=SU2.irrep([2])),
        octet.restrict(SU2, principal=True),
        octet.restrict(SU2, matrix=[[2, 2]]),
    ):
        assert dimensions(restricted) == [5, 3]
    assert octet.restrict(SO3).decompose() == [([4], 1), ([2], 1)]
    E7 = LieGroup("E7").rep("vector")
    assert dimensions(E7.restrict(LieGroup("Lie(G2 x C3)"))) == [42, 14]
    assert dimensions(E7.restrict(SU3, maximal=True)) == [28, 28] and len(dimensions(E7.restrict(SU3))) > 2


def test_values() -> None:
    for value in (LieGroup("Lie(A2 x T1)"), LieGroup("U(2)").rep("vector^3")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert hash(copy.copy(value)) == hash(value)
    assert str(LieGroup("Lie(E8)")) == "E8" and repr(LieGroup("SU( 3 )")) == "LieGroup('SU(3)')"
    V = LieGroup("SU(3)").rep("vector^2")
    assert "6 + 3*" in str(V) and repr(V) == "LieRepresentation(LieGroup('SU(3)'), [([2, 0], 1), ([0, 1], 1)])"
    assert [part["name"] for part in json.loads(V.to_json())["constituents"]] == ["6", "3*"]


# [Herzberg 1945] and the matrices of the turns.
def test_linear_molecules() -> None:
    bend = AxialRepresentation("D∞h", "irrep(Πu)")
    assert bend.sym(2).decompose() == [("Σg+", 1), ("Δg", 1)] and bend.alt(2).decompose() == [("Σg-", 1)]
    assert bend * bend == bend.sym(2) + bend.alt(2) == bend**2 and bend.schur([2]) == bend.sym(2)
    assert (bend.group, bend.dimension, (bend**3).dimension) == ("D∞h", 2, 8)
    vector = AxialRepresentation("Dinfh", "vector")
    assert vector - bend == AxialRepresentation("Dooh", [("Sigma_u+", 1)]) and 2 * bend == bend + bend
    assert (vector**3).decompose() == AxialRepresentation("D∞h", "vector^3").decompose()
    assert (vector - 2 * vector).decompose() == [("Σu+", -1), ("Πu", -1)]
    assert repr(AxialRepresentation("Coov", "vector")) == "AxialRepresentation('C∞v', [('Σ+', 1), ('Π', 1)])"
    assert "Σu+ + Πu" in str(vector) and json.loads(vector.to_json())["constituents"][1]["name"] == "Πu"
    assert (vector**40).dimension == 3**40 == pickle.loads(pickle.dumps(vector**40)).dimension
    for wrong in (("D5h", "vector"), ("D∞h", "irrep(Π)"), ("C∞v", "irrep(Πu)"), ("D∞h", "vectr"), ("D∞h", [("Πx", 1)])):
        with pytest.raises(intertwine.Error):
            AxialRepresentation(*wrong)
    with pytest.raises(DomainError, match="do not go together"):
        vector * AxialRepresentation("C∞v", "vector")


def test_bad_input() -> None:
    SU3, SU2 = LieGroup("SU(3)"), LieGroup("SU(2)")
    with pytest.raises(ParseError, match=r"as in SO\(3\)"):
        LieGroup("SO")
    with pytest.raises(LimitError):
        LieGroup("SU(1000)")
    with pytest.raises(DomainError, match="has 2"):
        SU3.irrep([1])
    with pytest.raises(DomainError, match="not dominant"):
        SU3.irrep([1, -1])
    with pytest.raises(DomainError, match="do not combine"):
        SU3.irrep([1, 0]) + SU2.irrep([1])
    with pytest.raises(DomainError, match="do not combine"):
        SU3.irrep([1, 0]) * SU2.irrep([1])
    with pytest.raises(DomainError, match="no restriction"):
        SU3.rep("adjoint").restrict(SU2, matrix=[[2, 1]])
    with pytest.raises(DomainError, match="give one of them"):
        SU3.rep("adjoint").restrict(SU2, matrix=[[2, 2]], principal=True)
    with pytest.raises(DomainError, match="G2 x F4"):
        LieGroup("E8").rep("adjoint").restrict(SU3, maximal=True)
