"""Every method of groups, tables and representations, against laws and small known answers."""

import importlib.util
import json
from fractions import Fraction

import intertwine
import numpy
import pytest
from intertwine import DomainError, E, Group, Matrix, ParseError, Permutation


def test_small_groups():
    assert Group("S4").small_group_id() == (24, 12) and Group("Q8").small_group_id() == (8, 4)
    assert Group("SmallGroup(48, 29)").small_group_id() == Group("GL(2,3)").small_group_id() == (48, 29)
    assert Group("A6").small_group_id() is None
    with pytest.raises(ParseError, match="SmallGroup"):
        Group("SmallGroup(24,16)")
    G = Group("SmallGroup(192,1023)")
    assert (G.order, G.small_group_id()) == (192, (192, 1023)) and G.degree < 192
    assert Group("SmallGroup(168,42)").degree == 7
    with pytest.raises(ParseError, match="but for 256 and 384"):
        Group("SmallGroup(256,1)")


def test_groups_by_degree():
    M11 = Group("PrimitiveGroup(11,6)")
    assert M11.order == 7920 and len(M11.character_table()) == 10
    assert Group("TransitiveGroup(8,12)").small_group_id() == (24, 3)
    assert Group("TransitiveGroup(5,5)") == Group("S5")
    with pytest.raises(ParseError, match="degrees from 1 to 15"):
        Group("TransitiveGroup(16,1)")
    with pytest.raises(ParseError, match="there are 8 primitive groups of degree 11"):
        Group("PrimitiveGroup(11,9)")


def test_group(S4):
    assert S4.order == 24 and S4.degree == 4 and S4.name == str(S4) == "S4"
    assert S4.identity.is_identity and len(S4.generators) == 2 and isinstance(S4.generators, tuple)
    elements = list(S4)
    assert len(set(elements)) == 24 and all(S4.element(S4.index(g)) == g for g in elements)
    assert "(1,2)" in S4 and [1, 0, 2, 3] in S4 and "(1,2)" not in Group("A4")
    assert S4.random_element(seed=3) == S4.random_element(seed=3) and S4.random_element() in S4
    assert (S4.is_abelian, S4.is_transitive, S4.is_solvable, S4.is_perfect, S4.is_simple, S4.exponent) == (
        False, True, True, False, False, 12)  # fmt: skip
    assert "order" in S4.describe() and S4.orbits() == [[0, 1, 2, 3]]
    assert Group("M24").order == 244823040 and (Group("S100").order == numpy.prod(range(1, 101), dtype=object))
    assert Group([[1, 0]]) == Group(["(1,2)"]) and Group([], degree=3).order == 1


def test_subgroups(S4):
    A4 = S4.derived_subgroup()
    assert A4.order == 12 and A4.is_subgroup_of(S4) and not S4.is_subgroup_of(A4)
    assert S4.is_generated_by(S4.generators) and not S4.is_generated_by(A4.generators)
    with pytest.raises(DomainError, match="is no element of"):
        A4.is_generated_by(S4.generators)
    assert S4.subgroup(["(1,2,3)"]).order == 3 and S4.stabilizer(0).order == 6
    assert S4.pointwise_stabilizer([0, 1]).order == 2 and S4.set_stabilizer([0, 1]).order == 4
    assert S4.centre().order == 1 and S4.sylow_subgroup(2).order == 8 and S4.normal_closure(["(1,2)(3,4)"]).order == 4
    assert S4.centralizer("(1,2)").order == 4
    x = S4.conjugating_element("(1,2)", "(3,4)")
    assert x * Permutation("(1,2)", 4) * x**-1 == Permutation("(3,4)", 4)
    assert S4.conjugating_element("(1,2)", "(1,2,3)") is None
    assert (S4 * S4).order == 576 and (S4**2).degree == 8
    assert (
        S4.wreath(Group("C2")).order == 24**2 * 2 and Group("S3").wreath(Group("S2"), product_action=True).degree == 9
    )


def test_classes(S4):
    classes = S4.classes()
    assert len(classes) == 5 == S4.number_of_classes() and [c.size for c in classes] == [1, 3, 6, 8, 6]
    assert [c.element_order for c in classes] == [1, 2, 2, 3, 4] and classes[-1].centralizer_order == 4
    assert classes.index("(1,2,3,4)") == 4 and classes[3].representative.order == 3
    assert classes.power_map(-1) == [0, 1, 2, 3, 4] and classes.group == S4 and "6 elements" in repr(classes[2])
    classes.verify()
    with pytest.raises(intertwine.LimitError, match="190569292"):
        Group("S100").classes()


def test_differences(S4):
    perm, trivial = S4.rep("perm"), S4.rep("trivial")
    pairs = perm * perm - perm
    assert (
        pairs.dimension == 12
        and pairs.is_permutation
        and str(pairs) == "perm*perm - perm"
        and S4.rep(str(pairs)) == pairs
    )
    assert (perm - trivial).character() == S4.rep("std").character()
    with pytest.raises(DomainError, match=r"\[1,1,1,1\] 1 time and perm 0 times"):
        perm - S4.rep("sign")


def test_character_table(S4):
    table = S4.character_table()
    assert len(table) == 5 and table.degrees == [1, 1, 2, 3, 3] and table.names[-1] == "[3,1]"
    assert table.class_names == ["1a", "2a", "2b", "3a", "4a"] and table.indicators == [1] * 5
    assert table.group == S4 and table.classes == S4.classes()
    assert (
        "3P" in str(table)
        and "\\begin{array}" in table.to_latex()
        and "Irr" in table.to_gap()
        or "irr" in table.to_gap()
    )
    assert table._repr_latex_().startswith("$$") and table.to_csv().count("\n") == 6
    assert json.loads(table.to_json())["order"] == "24" and "proof" not in json.loads(table.to_json())
    proof = json.loads(table.to_json(proof=True))["proof"]
    assert proof["form"] == "characters" and len(proof["combinations"]) == 5 and proof["generators"]
    rows = list(table)
    assert rows[1] * rows[1] == rows[0] and rows[2] * rows[3] == rows[3] + rows[4]
    assert rows[2].inner(rows[2]) == 1 and (rows[2] + rows[3]).multiplicities() == [0, 0, 1, 1, 0]
    assert (2 * rows[2] - rows[1]).coordinates() == [0, -1, 2, 0, 0] and rows[4].values == [3, -1, 1, 0, -1]
    assert rows[4].degree == 3 and rows[4]("(1,2)") == rows[4][2] == 1 and len(rows[4]) == 5 and rows[4].table == table
    assert rows[4].conjugate() == rows[4] and rows[4].adams(2) == rows[4].sym(2) - rows[4].alt(2)
    assert rows[4].alt(3) == rows[1] == rows[4].determinant() and rows[4].schur([2, 1]).degree == 8
    assert rows[1].kernel_classes() == [0, 1, 3] and rows[4].centre_classes() == [0]
    A4 = Group("A4")
    assert rows[4].restrict(A4).inner(rows[4].restrict(A4)) == 1
    assert A4.character_table()[0].induce(S4) == rows[0] + rows[1]
    with pytest.raises(DomainError):
        (rows[0] - rows[1]).multiplicities()
    with pytest.raises(DomainError):
        rows[0] + A4.character_table()[0]


def test_representations(S4):
    V = S4.rep("perm")
    assert V.dimension == 4 and V.group == S4 and V.field == "Q" and V.expression == str(V) == "perm"
    assert V.is_permutation and V.is_monomial and not S4.rep("std").is_monomial
    assert (16 * V + V * V).summands() == [(16, V), (1, V * V)] and (V**2).basis_label(1) == "(1,2)"
    g, h = Permutation("(1,2,3)", 4), Permutation("(3,4)", 4)
    for W in (V, V * V, V.sym(2) + S4.rep("sign"), V.alt(2).T, S4.rep("specht(2,2)"), V.schur([2, 1]), S4.irrep(3)):
        assert W.matrix(g) @ W.matrix(h) == W.matrix(g * h)
        assert W.matrix(g).trace() == W.trace(g) == W.character()(g) and W.matrix(g).shape == (W.dimension, W.dimension)
    assert V.matrix([1, 0, 2, 3])[1, 0] == 1  # rho(g) e_0 = e_g(0)
    with pytest.raises(DomainError, match="no element"):
        Group("A4").rep("perm").matrix("(1,2)")
    assert Group("C3").rep("irrep(2)").real().dimension == 2 and Group("C5").irrep(1).rational().dimension == 4
    assert V.restrict(S4.stabilizer(0)).character().inner(V.restrict(S4.stabilizer(0)).character()) == 5
    assert S4.stabilizer(3).rep("trivial").induce(S4).character() == V.character()
    signed = S4.matrix_rep([S4.rep("sign").matrix(g) for g in S4.generators])
    assert signed.character() == S4.rep("sign").character()
    assert S4.permutation_rep(S4.generators).character() == V.character()


def test_irreducible_representations():
    A5 = Group("A5")
    irreps = A5.irreps()
    assert [R.dimension for R in irreps] == [1, 3, 3, 4, 5] and irreps[1] == A5.irrep(1)
    for i, R in enumerate(irreps):
        assert R.character() == A5.character_table()[i]
    assert irreps[1].field == "Q(sqrt(5))" and irreps[1].matrix("(1,2,3,4,5)").trace() in (
        -E(5) - E(5, 4),
        -E(5, 2) - E(5, 3),
    )


def test_rows_by_name(S4):
    table = S4.character_table()
    for place, name in enumerate(table.names):
        assert S4.irrep(name) == S4.irrep(place) and table[name] == table[place]
    assert S4.irrep("2,2").dimension == 2 and Group("Oh").irrep("t1u").dimension == 3
    assert S4.rep("perm^2").decompose().multiplicity("[3,1]") == 3
    for call in (lambda: S4.irrep("[5]"), lambda: table["T1u"], lambda: S4.rep("perm").decompose().multiplicity("")):
        with pytest.raises(DomainError, match=r"they are \[4\], .*, and have the places 0 to 4"):
            call()
    with pytest.raises(DomainError, match="as a list, too"):
        S4.subgroup("(1,2)")


def test_decompositions(S4):
    V = S4.rep("perm^2")
    found = V.decompose()
    assert [(c.irreps, c.degree, c.multiplicity, c.index) for c in found] == [
        ([0], 1, 2, 1),
        ([2], 2, 1, 1),
        ([3], 3, 1, 1),
        ([4], 3, 3, 1),
    ]
    assert len(found) == 4 and found[0].multiplicity == 2 and found.multiplicity(4) == 3 and found.multiplicity(1) == 0
    assert found.names() == ["[4]", "[2,2]", "[2,1,1]", "[3,1]"] and "multiplicity" in str(found)
    assert found.over == "complex" and found.table == S4.character_table() and found.representation == V
    assert (
        json.loads(found.to_json())["dimension"] == "16"
        and hash(found[0]) == hash(V.decompose()[0])
        and found[0] == V.decompose()[0]
    )
    Q8 = Group("Q8")
    assert [(c.irreps, c.degree, c.multiplicity, c.index) for c in Q8.rep("regular").decompose("real")][-1] == (
        [4],
        4,
        1,
        2,
    )
    assert [c.division_dimension for c in Group("Q8 x C7").rep("regular").decompose("rational")][-2:] == [4, 24]
    assert list(Group("S2").character_table().names) == ["[2]", "[1,1]"]
    components = V.isotypic()
    g = "(1,2,3,4)"
    total = sum(c.degree * c.multiplicity for c in components)
    assert total == 16 and [c.irreps for c in components] == [[0], [2], [3], [4]]
    for c in components:
        assert c.projection @ c.inclusion == Matrix.identity(c.degree * c.multiplicity) and c.field == "Q"
        block = c.projection @ V.matrix(g) @ c.inclusion
        assert c.inclusion @ block == V.matrix(g) @ c.inclusion
        assert len(c.matrices) == 2 and c.matrices[0].shape == (c.degree, c.degree) and "degree" in repr(c)


def test_orthonormal_bases():
    G = Group("S4")
    for R in [*G.irreps(), G.rep("std"), Group("D5").rep("coordinates"), Group("SL(2,3)").irrep(3)]:
        B = R.orthonormal_basis()
        n = len(B)
        assert (
            B.form.shape == B.columns.shape == (n, n)
            and all(complex(x).real > 0 for x in B.norms)
            and "vectors" in repr(B)
        )
        assert numpy.allclose(
            B.vectors().conj().T @ numpy.array(B.form, dtype=complex) @ B.vectors(), numpy.eye(n), atol=1e-14
        )
        for g in R.group.generators:
            U = B.matrix(R.matrix(g))
            assert numpy.abs(U.conj().T @ U - numpy.eye(n)).max() < 1e-14
            assert abs(numpy.trace(U) - complex(R.matrix(g).trace())) < 1e-13
    with pytest.raises(DomainError, match="1 x 1"):
        G.rep("std").orthonormal_basis().matrix([[1]])
    V = G.rep("perm^2")
    for over in ("real", "complex"):
        parts = V.orthonormal_isotypic(over)
        T = numpy.hstack([part.basis() for part in parts])
        assert T.dtype == numpy.float64 and numpy.abs(T.T @ T - numpy.eye(16)).max() < 1e-14
        for part, component in zip(parts, V.isotypic(over), strict=True):
            assert part.vectors.shape == component.inclusion.shape and len(part.norms) == part.vectors.shape[1]
            for U, g in zip(part.matrices(), G.generators, strict=True):
                block = part.basis().T @ numpy.array(V.matrix(g), dtype=float) @ part.basis()
                assert numpy.allclose(block, numpy.kron(numpy.eye(component.multiplicity), U), atol=1e-13)
    with pytest.raises(DomainError, match="square roots"):
        V.orthonormal_isotypic("rational")
    turn = Group("C5v").rep("cartesian").matrix(Group("C5v").generators[0])
    c, s = numpy.cos(2 * numpy.pi / 5), numpy.sin(2 * numpy.pi / 5)
    assert numpy.allclose(numpy.array(turn, dtype=float), [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-15)


def test_allowed_activations():
    for V, pointwise, odd in [
        (Group("S4").rep("perm"), True, True),
        (Group("B3").rep("coordinates"), False, True),
        (Group("SO(3)").rep("vector"), False, False),
    ]:
        if importlib.util.find_spec("torch") is None:
            with pytest.raises(ImportError, match="needs PyTorch"):
                V.allowed_activations()
        else:
            rules = V.allowed_activations()
            assert (bool(rules["pointwise"]), bool(rules["odd"]), bool(rules["norm"])) == (pointwise, odd, True)


def test_matrices_are_read_by_rows():
    A = intertwine.Matrix([[1, "1/2"], [0, "E(3)"]])
    assert list(A) == A.tolist() == [A[0], A[1]] and A[-1] == A[1] == [0, A[1, 1]]
    assert [sum(row) for row in A][0] == Fraction(3, 2)
    with pytest.raises(IndexError):
        A[2]
    with pytest.raises(TypeError, match=r"Matrix.__getitem__.*\(str\)$"):
        A["x"]
