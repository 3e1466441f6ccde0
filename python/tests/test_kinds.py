"""One class for the groups of every kind, and refusals where a kind has no answer."""

from __future__ import annotations

import inspect
import math
import pickle

import pytest
from intertwine import DomainError, Error, Group, LimitError, ParseError, hom_dimension, molien_series

KINDS = {
    "finite": ["S4", "D4", "C2 x S3"],
    "classical": ["SO(3)", "SU(3)", "S3 x O(3)", "SO+(1,3)", "O(1)", "D∞h", "Coov"],
    "reductive": ["E8", "SU(3) x G2", "Lie(A2 x T1)", "SU(100)"],
}
VECTORS = {
    "S4": "perm",
    "D4": "perm",
    "C2 x S3": "perm",
    "S3 x O(3)": "perm # vector",
    "SU(3) x G2": "irrep([1,0,0,0])",
}
GROUPS = [name for names in KINDS.values() for name in names]


@pytest.mark.parametrize("name", GROUPS)
def test_every_kind_answers_alike(name):
    G = Group(name)
    assert (
        name in KINDS[G.kind] and Group(G.name) == G == pickle.loads(pickle.dumps(G)) and hash(G) == hash(Group(name))
    )
    assert G.is_finite == (G.order != math.inf) and eval(repr(G)) == G
    assert [F.name for F in G.factors] == G.name.replace("D∞h", "O(2) x Ci").split(" x ") or len(G.factors) == 1
    V = G.rep(VECTORS.get(name, "irrep([1,0,0])" if name.startswith("Lie") else "vector"))
    W = V + G.rep("trivial")
    assert W.dimension == V.dimension + 1 and (V * W).dimension == V.dimension * W.dimension
    assert (2 * V).dimension == V.sym(1).dimension * 2 == V.T.dimension * 2 and (V**2).dimension == V.dimension**2
    parts = W.decompose()
    assert sum(c.degree * c.multiplicity for c in parts) == W.dimension and len(parts.names()) == len(parts)
    assert all(parts.multiplicity(c.label) == c.multiplicity == parts.multiplicity(c.name) for c in parts)
    assert all(c.indicator in (-1, 0, 1) for c in parts) and parts.over == "complex"
    assert (
        pickle.loads(pickle.dumps(V)) == V
        and pickle.loads(pickle.dumps(parts)) == parts == (V + G.rep("trivial")).decompose()
    )
    assert hom_dimension(V, V) == sum(c.multiplicity**2 for c in V.decompose())
    assert V.is_irreducible() == (hom_dimension(V, V) == 1)
    assert molien_series(V, V, degree=1).coefficients[1] == hom_dimension(V, V)
    assert V.has_matrices == (G.kind in ("finite", "classical"))
    assert V.group == G


def test_what_a_kind_cannot_answer_is_refused():
    SO3, E8, D = Group("SO(3)"), Group("E8"), Group("D∞h")
    for question, said in [
        (lambda: SO3.classes(), r"Group.classes is of finite groups, and SO\(3\) is none"),
        (lambda: SO3.generators, r"finite groups, and SO\(3\) is none"),
        (lambda: list(E8), "finite groups, and E8 is none"),
        (lambda: Group("S3").generator_names, "classical groups and their products with finite ones, and S3 is none"),
        (
            lambda: SO3.rep("vector").trace("(1,2)"),
            r"Representation.trace is of representations of finite groups, and vector",
        ),
        (lambda: E8.rep("vector").generator_matrices(), "known by their characters only"),
        (lambda: E8.rep("vector") >> E8.rep("vector"), "known by their characters only"),
        (lambda: D.rep("harmonic(5000)").real(), "known by its character only"),
        (lambda: E8.rep("vector").field, "known by their characters only"),
        (lambda: SO3.rep("vector").decompose("real"), "over the complex numbers"),
        (lambda: SO3.rep("vector").decompose().table, "character tables are of finite groups"),
        (lambda: SO3.rep("vector").decompose()[0].irreps, "rows of a character table"),
        (lambda: Group("O(3)").type, r"highest weights.* not of O\(3\)"),
        (lambda: Group("O(3)").rep("vector").weights(), "no highest weights"),
        (lambda: Group("S3").rep([([1], 1)]), "given by expressions"),
        (lambda: SO3.rep("vector") + Group("SO(4)").rep("vector"), "different groups"),
        (lambda: SO3.rep("vector") >> Group("S3").rep("perm"), "different groups"),
        (lambda: Group("S3") * D, "direct products are of"),
        (lambda: Group("S3").rep("perm").restrict(SO3), "restricted to its subgroups"),
        (lambda: SO3.matrix_rep([[[0]]], generators=None), "SO"),
        (lambda: E8.matrix_rep([[[0]]]), "characters only"),
        (lambda: (SO3.rep("vector") >> SO3.rep("vector")).why_zero(0, 1), "of finite groups"),
        (lambda: (SO3.rep("vector") >> SO3.rep("vector")).table(isotypic=True), "of finite groups"),
    ]:
        with pytest.raises(DomainError, match=said):
            question()
    with pytest.raises(ParseError, match="SE"):
        Group("SE(3)")
    with pytest.raises(TypeError):
        SO3.rep("vector") + 1


def test_matrices_give_way_to_characters():
    V = Group("SU(3)").rep("adjoint")
    S = V.sym(10)
    assert V.has_matrices and not S.has_matrices and S.dimension == 19448
    with pytest.raises(DomainError, match="at most 1500"):
        S >> S
    assert hom_dimension(V, S) == S.decompose().multiplicity([1, 1])
    with pytest.raises(LimitError):
        Group("O(3)").rep("harmonic(3)").sym(10)
    spinor = Group("Spin(3)").rep("spinor")
    assert spinor.dimension == 2 and spinor.decompose()[0].indicator == -1
    with pytest.raises(DomainError, match=r"real\(spinor\)"):
        spinor >> spinor


def test_products_of_every_kind():
    assert Group("S3") * Group("O(3)") == Group("S3 x O(3)")
    assert Group("SU(2)") * Group("G2") == Group("SU(2) x G2")
    assert Group("SU(2)") * Group("SU(3)") == Group("SU(2) x SU(3)")
    assert Group.direct_product([Group("S3"), Group("SO(2)"), Group("C2")]).name == "S3 x SO(2) x C2"
    assert Group("SO(3)") ** 2 == Group("SO(3)^2") and Group("G2") ** 2 == Group("G2 x G2")
    with pytest.raises(DomainError):
        Group("D∞h") ** 2


def test_a_refusal_is_not_told_of_another_call():
    with pytest.raises(DomainError, match="finite groups"):
        Group("SO(3)").classes()
    with pytest.raises(TypeError, match="called with"):
        Group("S3").stabilizer("x")


def test_elements_of_a_finite_group():
    G = Group("A4")
    for given in ("(1,2,3)", [1, 2, 0, 3], G.element(G.index("(1,2,3)"))):
        assert str(G.element(given)) == "(1,2,3)"
    with pytest.raises(DomainError, match="no element of A4"):
        G.element("(1,2)")


def test_values_of_products_come_back():
    O3 = Group("O(3)")
    for finite in (Group(["(1,2)"], degree=4), Group(["(1,2,3)", "(1,2)"]), Group("S3"), Group("A4")):
        G = finite * O3
        V = G.rep("perm # vector")
        assert V.dimension == 3 * finite.degree
        for value in (G, V, V.decompose()):
            again = pickle.loads(pickle.dumps(value))
            assert again == value and hash(again) == hash(value)
        assert eval(repr(G)) == G and eval(repr(V)) == V
    G, H = Group(["(1,2,3)", "(1,2)"]) * O3, Group("S3") * O3
    assert (G == H) <= (hash(G) == hash(H))
    with pytest.raises(DomainError, match="known by its name"):
        Group.from_matrices([[[0, -1], [1, 0]]]) * O3
    many = Group(" x ".join(["SU(2)"] * 17))
    assert Group.direct_product(many.factors) == many == Group(" x ".join(["SU(2)"] * 16)) * Group("SU(2)")


TEXTS = ["trivial", "perm", "vector", "coordinates", "adjoint", "sign", "vector # perm", "vector # sign"]


@pytest.mark.parametrize(
    "name",
    "S3 S4 S5 A5 D4 C6 C4v D2d Oh Td Q8 GL(2,3) p1(2,2) S3xC2 SO(3) O(3) O(2,1) SU(2) SU(3) U(2) Spin(5) SU(2)xS3 "
    "G2 SU(2)xG2 D∞h C∞v".split(),
)
def test_representations_come_back_from_their_text(name):
    G = Group(name)
    made = [
        lambda: G.irrep(0),
        lambda: G.irrep(2),
        lambda: G.irreps()[-1],
        lambda: G.irrep([1, 0]),
        *(lambda text=text: G.rep(text) for text in TEXTS),
    ]
    of_one = [
        lambda V: V,
        lambda V: V.dual(),
        lambda V: V.sym(2),
        lambda V: V.alt(2),
        lambda V: V.schur([2, 1]),
        lambda V: V.real(),
        lambda V: 2 * V,
        lambda V: V**3,
        lambda V: V + V * V,
        lambda V: V - V,
    ]
    found = 0
    for make in made:
        for operation in of_one:
            try:
                V = operation(make())
            except (Error, TypeError, AttributeError):
                continue  # not of this group
            again = eval(repr(V))
            assert again == V and hash(again) == hash(V), repr(V)
            found += 1
    assert found >= 20, found


def test_labels_come_back():
    for name, rep in (
        ("S4", "perm^2"),
        ("O(3)", "vector^2"),
        ("SU(3)", "vector^2"),
        ("U(2)", "vector^2"),
        ("G2", "vector^2"),
        ("D∞h", "vector^2"),
        ("S3 x SO(3)", "perm # vector"),
        ("U(2) x SU(3)", "vector # adjoint"),
    ):
        G = Group(name)
        parts = G.rep(rep).decompose()
        for part in parts:
            assert G.irrep(part.label).decompose().names() == [part.name], (name, part.label)
            assert parts.multiplicity(part.label) == part.multiplicity
    mixed = Group("S3 x SO(3)").rep("perm # vector").decompose()
    assert mixed.multiplicity([0, [2]]) == mixed.multiplicity((0, (2,))) == 1
    assert Group("D∞h").rep("Pi_g").decompose().multiplicity("Pi_g") == 1


def test_wrong_arguments_are_refused_in_a_sentence():
    G, E8, P = Group("SO(3)"), Group("E8"), Group("S4").rep("perm")
    X = E8.rep("adjoint")
    for question, said in [
        (lambda: Group(G, degree=5), "groups of permutations, and SO"),
        (lambda: G.rep([1, 2]), "no such pair: 1"),
        (lambda: G.rep([([2], 1, 3)]), "no such pair"),
        (lambda: E8.rep([([0] * 8, 1.5)]), "no such pair"),
        (lambda: Group("D∞h").rep([(1, 1)]), "no such pair"),
        (lambda: P.decompose().multiplicity([3, 1]), "row of the character table"),
        (lambda: P.decompose().multiplicity(1.5), "row of the character table"),
        (lambda: G.rep("vector").decompose().multiplicity(3), "a name, such as"),
        (lambda: Group("SU(3)").rep("vector").restrict(Group("A4"), principal=True), "reductive subgroups"),
        (lambda: hom_dimension(X - 2 * X, X), "no representation"),
        (lambda: molien_series(X - 2 * X), "no representation"),
        (lambda: Group("S3 x SO(3)").irrep([(1,), 2, 3]), "a label for each factor"),
        (lambda: G.degree, r"Group\.degree is of finite groups"),
        (lambda: Group("S4").generator_names, r"Group\.generator_names is of classical"),
    ]:
        with pytest.raises(DomainError, match=said):
            question()
    assert not hasattr(G, "degree") and getattr(G, "generators", None) is None and hasattr(G, "order")
    with pytest.raises(TypeError):
        Group("S4").rep()


def values_of_every_kind():
    """Groups, representations, spaces of maps, tables and what they decompose into, of every kind that there is."""
    for name in ("S4", "C3", "SO(3)", "O(3)", "SU(2)", "SU(3)", "Sp(4)", "E8", "GL(3)", "O(1,3)", "D∞h", "S3 x O(3)"):
        G = Group(name)
        yield G
        for text in ("perm", "std", "vector", "perm # trivial", "2*vector + trivial", "2*std + trivial"):
            try:
                V = G.rep(text)
            except (DomainError, ParseError):
                continue
            found = [V, V.decompose()]
            found += found[1]
            if V.has_matrices:
                found += [V >> V, (V >> V).table()]
            yield from found
    yield from (Group("S4").character_table(), Group("S4").classes())


def test_every_property_is_there_or_answers_no():
    """hasattr() is the question whether a value has a property: it raises nothing, whatever kind the value is of."""
    seen, absent = set(), set()
    for value in values_of_every_kind():
        for name, member in inspect.getmembers(type(value)):
            if isinstance(member, property):
                (seen if hasattr(value, name) else absent).add((type(value).__name__, name))
                if not hasattr(value, name):
                    with pytest.raises(DomainError) as error:
                        getattr(value, name)
                    assert isinstance(error.value, AttributeError) and "\n" not in str(error.value)
    assert len(seen) > 60 and {("Table", "weight_code"), ("Table", "basis_ptr"), ("Group", "rank")} <= seen & absent
