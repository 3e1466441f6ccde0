"""Reductive groups and their representations by characters."""

from __future__ import annotations

import copy
import json
import pickle

import intertwine
import pytest
from intertwine import DomainError, Group, LimitError, ParseError, Representation


def parts(V: Representation) -> list[tuple[object, int]]:
    """The labels of the constituents and their multiplicities."""
    return [(part.label, part.multiplicity) for part in V.decompose()]


def dimensions(V: Representation) -> list[int]:
    """The dimensions of the constituents, multiplicities counted."""
    return sorted((part.degree for part in V.decompose() for _ in range(part.multiplicity)), reverse=True)


def test_products_that_are_in_the_books() -> None:
    SU3 = Group("SU(3)")
    octet = SU3.irrep([1, 1])
    assert parts(octet * octet) == [((2, 2), 1), ((3, 0), 1), ((0, 3), 1), ((1, 1), 2), ((0, 0), 1)]
    assert (octet * octet).decompose().names() == ["27", "10", "10*", "8", "1"]
    assert parts(octet) == parts(SU3.rep("adjoint"))
    adjoint = Group("E8").rep("adjoint")
    assert adjoint.dimension == 248
    assert dimensions(adjoint**2) == [30380, 27000, 3875, 248, 1]
    assert adjoint.weights() == [([0, 0, 0, 0, 0, 0, 0, 1], 1), ([0] * 8, 8)]


def test_algebra() -> None:
    G = Group("Sp(4)")
    V, W = G.rep("vector"), G.irrep([0, 1])
    assert parts(V.sym(2) + V.alt(2)) == parts(V * V)
    assert parts(V.sym(3) + 2 * V.schur([2, 1]) + V.alt(3)) == parts(V**3)
    assert (V + W) - W == V - 0 * V and V - 0 * V == G.rep([((1, 0), 1)])
    assert parts(V.T) == parts(V)
    assert V != W and hash(V) == hash(G.rep("vector"))
    assert (G.name, G.type, G.rank) == ("Sp(4)", "C2", 2)
    assert G.rep([([1, 0], 2), ([0, 1], -1)]) == 2 * V - W


def test_restriction_to_finite_groups() -> None:
    SO3, O = Group("SO(3)"), Group("O")  # noqa: E741
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
    SU3, G = Group("SU(3)"), Group("PSL(2,7)")
    triplet = G.character_table()[1]
    assert SU3.rep("vector").restrict(G, vector=triplet) == triplet
    assert SU3.rep("adjoint").restrict(G, vector=triplet).multiplicities() == [0, 0, 0, 0, 0, 1]
    with pytest.raises(DomainError, match="character of PSL"):
        SU3.rep("vector").restrict(O, vector=triplet)
    with pytest.raises(DomainError):
        SO3.rep("vector").restrict(Group("S5"))


def test_restriction() -> None:
    assert dimensions(Group("E8").rep("adjoint").restrict(Group("Lie(D8)"))) == [128, 120]
    SU3, SU2, SO3 = Group("SU(3)"), Group("SU(2)"), Group("SO(3)")
    octet = SU3.rep("adjoint")
    assert dimensions(octet.restrict(SU2)) == [3, 2, 2, 1]
    for restricted in (
        octet.restrict(SU2, vector=SU2.irrep([2])),
        octet.restrict(SU2, principal=True),
        octet.restrict(SU2, matrix=[[2, 2]]),
    ):
        assert dimensions(restricted) == [5, 3]
    assert parts(octet.restrict(SO3)) == [((4,), 1), ((2,), 1)]
    E7 = Group("E7").rep("vector")
    assert dimensions(E7.restrict(Group("Lie(G2 x C3)"))) == [42, 14]
    assert dimensions(E7.restrict(SU3, maximal=True)) == [28, 28] and len(dimensions(E7.restrict(SU3))) > 2


def test_spinors_of_a_subgroup() -> None:
    adjoint = Group("E6").rep("adjoint")
    for subgroup in ("SO(10) x U(1)", Group("SO(10) x U(1)"), "Spin(10) x U(1)"):
        restricted = adjoint.restrict(subgroup)
        assert restricted.group == Group("Spin(10) x U(1)") and dimensions(restricted) == [45, 16, 16, 1]
    assert Group("SU(4)").rep("vector").restrict("SO(4)").group == Group("SO(4)")
    with pytest.raises(DomainError, match="SO"):
        Group("SU(3)").rep("adjoint").restrict("SO(10)")


def test_restriction_along_a_vector() -> None:
    # The d shell of GL(5) under O(3), as in the books on atoms.
    O3, GL5 = Group("O(3)"), Group("GL(5)")
    found = GL5.rep("alt(2, vector)").restrict(O3, vector=O3.rep("harmonic(2)"))
    assert found.group == O3 and found.decompose().names() == ["harmonic(3)*det", "vector*det"]
    with pytest.raises(DomainError, match="highest weights"):
        GL5.rep("vector").restrict(O3)


def test_values() -> None:
    for value in (Group("Lie(A2 x T1)"), Group("U(2)").rep("vector^3")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert hash(copy.copy(value)) == hash(value)
    assert str(Group("Lie(E8)")) == "E8" and repr(Group("SU( 3 )")) == "Group('SU(3)')"
    V = Group("SU(3)").rep("vector^2")
    assert "6 + 3*" in str(V.decompose()) and repr(V) == "Group('SU(3)').rep('vector^2')"
    assert repr(V - 0 * V) == "Group('SU(3)').rep([([2, 0], 1), ([0, 1], 1)])"
    assert [part["name"] for part in json.loads(V.decompose().to_json())["constituents"]] == ["6", "3*"]


# [Herzberg 1945] and the matrices of the turns.
def test_linear_molecules() -> None:
    G = Group("D∞h")
    bend = G.rep("irrep(Πu)")
    assert parts(bend.sym(2)) == [("Σg+", 1), ("Δg", 1)] and parts(bend.alt(2)) == [("Σg-", 1)]
    assert parts(bend * bend) == parts(bend.sym(2) + bend.alt(2)) == parts(bend**2)
    assert parts(bend.schur([2])) == parts(bend.sym(2))
    assert (bend.group, bend.dimension, (bend**3).dimension) == (G, 2, 8) and bend.has_matrices
    vector = Group("Dinfh").rep("vector")
    assert vector - bend == G.rep([("Sigma_u+", 1)]) and parts(2 * bend) == parts(bend + bend)
    assert not (vector - bend).has_matrices and (vector >> vector).dimension == 2
    assert (vector**3).decompose() == G.rep("vector^3").decompose()
    assert parts(vector - 2 * vector) == [("Σu+", -1), ("Πu", -1)]
    assert repr(Group("Coov").rep("vector")) == "Group('C∞v').rep('vector')"
    assert repr(vector - bend) == "Group('D∞h').rep([('Σu+', 1)])"
    decomposition = vector.decompose()
    assert "Σu+ + Πu" in str(decomposition) and json.loads(decomposition.to_json())["constituents"][1]["name"] == "Πu"
    assert decomposition.multiplicity("Πu") == 1 and decomposition[0].indicator == 1
    assert (vector**40).dimension == 3**40 == pickle.loads(pickle.dumps(vector**40)).dimension
    for name, rep in (
        ("D∞h", "irrep(Π)"),
        ("C∞v", "irrep(Πu)"),
        ("D∞h", "vectr"),
        ("D∞h", [("Πx", 1)]),
    ):
        with pytest.raises(intertwine.Error):
            Group(name).rep(rep)
    with pytest.raises(DomainError, match="different groups"):
        vector * Group("C∞v").rep("vector")


def test_bad_input() -> None:
    SU3, SU2 = Group("SU(3)"), Group("SU(2)")
    with pytest.raises(ParseError, match=r"as in SO\(3\)"):
        Group("SO")
    with pytest.raises(LimitError):
        Group("SU(1000)")
    with pytest.raises(DomainError, match="has 2"):
        SU3.irrep([1])
    with pytest.raises(DomainError, match="not dominant"):
        SU3.irrep([1, -1])
    with pytest.raises(DomainError, match="different groups"):
        SU3.irrep([1, 0]) + SU2.irrep([1])
    with pytest.raises(DomainError, match="different groups"):
        SU3.irrep([1, 0]) * SU2.irrep([1])
    with pytest.raises(DomainError, match="no restriction"):
        SU3.rep("adjoint").restrict(SU2, matrix=[[2, 1]])
    with pytest.raises(DomainError, match="give one of them"):
        SU3.rep("adjoint").restrict(SU2, matrix=[[2, 2]], principal=True)
    with pytest.raises(DomainError, match="G2 x F4"):
        Group("E8").rep("adjoint").restrict(SU3, maximal=True)
