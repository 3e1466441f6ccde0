"""Values: what they are equal to, their hashes, copies, pickles, and texts that evaluate back."""

import copy
import pickle
import sys
from fractions import Fraction

import intertwine
import numpy
import pytest
from intertwine import *  # noqa: F403 - repr() evaluates with these names
from intertwine import Cyclotomic, E, Group, Matrix, Permutation, SpaceGroup, polynomial_maps
from intertwine.chem import *  # noqa: F403
from intertwine.gl import *  # noqa: F403
from intertwine.gl import Bitableau, CoordinateRing, SchurFunctor
from intertwine.sf import *  # noqa: F403
from intertwine.sf import Partition, Tableau, e, f, h, m, p, s
from intertwine.tables import *  # noqa: F403
from public_names import public


def values():
    S4, A5 = Group("S4"), Group("A5")
    V = S4.rep("perm")
    D4 = Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])
    H = S4.subgroup(["(1,2,3)"])
    yield from [
        S4,
        H,
        S4.subgroup([]),
        S4.stabilizer(3),
        S4 * A5,
        S4**2,
        Group("S3").wreath(Group("C2")),
        Group("p4m(4,4)"),
        D4,
        D4 * A5,
        S4 * D4**2,
    ]
    yield from [
        V,
        V + 2 * V.alt(2),
        V**3,
        (V * V).T,
        V.sym(2),
        V.schur([2, 1]),
        V.restrict(H),
        H.rep("trivial").induce(S4),
    ]
    yield from [
        A5.irrep(1),
        A5.irrep(1).real(),
        A5.irrep(1).rational(),
        D4.rep("coordinates"),
        (S4 * A5).rep("perm # irrep(2)"),
    ]
    yield from [V >> V**2, (V >> V).bias, (V >> V).certificate(), A5.rep("irrep(2)") >> A5.rep("perm")]
    yield from [
        S4.classes(),
        S4.character_table(),
        S4.character_table()[2],
        V.character(),
        V.decompose(),
        V.decompose("rational"),
    ]
    yield from [
        V.matrix("(1,2,3)"),
        A5.irrep(1).matrix("(1,2,3)"),
        Matrix([["1/2", 3]]),
        Matrix.zero(0, 3),
        Matrix.identity(3),
    ]
    yield from [
        Partition([3, 1]),
        Partition(),
        Tableau([[0, 1], [2]]),
        s,
        s[2, 1],
        s[2, 1] / 3 - 2 * s[3] + 1,
        0 * h[2],
        p[2, 1],
        e[2],
        f[1],
        m[()],
        SchurFunctor([2, 1]),
    ]
    ring = CoordinateRing(2, 3)
    yield from [ring, ring.ideal(2), ring.ideal([2, 1], 3), ring.symbolic_power(2, 2), ring.invariant_ideal([2, 1])]
    yield from [Bitableau("[1,2|1,3][2|2]"), Bitableau([]), ring.expand("[1,2|1,3]"), polynomial_maps(V, V, 2)]
    yield from [
        Permutation("(1,2,3)", 5),
        Permutation([]),
        E(5),
        Cyclotomic("1/2*E(3)"),
        Matrix.from_entries(200, 200, [(3, 4, 1)]),
    ]
    yield from [SpaceGroup("Fd-3m"), SpaceGroup("F 4d 2 3 -1d"), SpaceGroup.rod(41), SpaceGroup.layer("p4/nmm")]
    yield from [
        branch([2, 1], "orthogonal", 4),
        branch([1, 1, 1], "symplectic", 4),
        branch([2, 1], "symmetric", 4),
        A5.clebsch_gordan(3, 4),
        H.clebsch_gordan(1, 2),
        A5.clebsch_gordan(3, 4, 4),
    ]  # noqa: F405
    octet = Group("SU(3)").irrep([1, 1])  # noqa: F405
    yield from [
        octet,
        octet * octet,
        octet - octet,
        Group("SO(5) x U(1)").irrep([1, 0, -2]),
        Group("Dooh").rep("harmonic(2)"),
        Group("C∞v").rep([]),
    ]  # noqa: F405


@pytest.mark.parametrize("value", list(values()), ids=lambda v: repr(v)[:60])
def test_text_hash_pickle_copy(value):
    again = eval(repr(value))
    assert again == value and hash(again) == hash(value) and type(again) is type(value)
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value and copy.deepcopy([value])[0] == value
    assert value != 1 and (value == "text") is False
    assert vars(sys.modules[type(value).__module__])[type(value).__name__] is type(value)


def test_groups_that_act_differently_are_different():
    for a, b in [("C2", "D1"), ("C4v", "D2d"), ("C6v", "D3d"), ("D2", "p1(2,2)"), ("C2 x D1", "C2 x C2")]:
        G, H = Group(a), Group(b)
        assert [str(g) for g in G.generators] == [str(g) for g in H.generators] and G != H
        assert G.rep("perm") != H.rep("perm") and {G: 1}.get(H) is None
        assert pickle.loads(pickle.dumps(G)) == G == Group(a) and hash(G) == hash(Group(a))
    with pytest.raises(intertwine.DomainError, match="C4v.*D2d"):
        Group("C4v").rep("perm") >> Group("D2d").rep("perm")


@pytest.mark.parametrize("value", [Group("S4"), E(5), Permutation("(1,2)"), Matrix([[1]])], ids=str)
def test_immutable(value):
    with pytest.raises(AttributeError):
        value.degree = 3
    with pytest.raises(AttributeError):
        value.anything = 3


def test_tables_are_values(S4, tmp_path):
    tied = (S4.rep("3*perm^2") >> S4.rep("2*perm^2")).table()
    sparse = (S4.rep("std") >> S4.rep("perm^2")).table()
    irrational = (Group("A5").rep("irrep(2)") >> Group("A5").rep("perm")).table(isotypic=True)
    for table in (tied, sparse, irrational):
        again = pickle.loads(pickle.dumps(table))
        assert again == table and hash(again) == hash(table) and again.sha256 == table.sha256
        assert copy.deepcopy(table) is table and copy.copy(table) is table  # shared
        table.save(tmp_path / "t.safetensors")
        assert intertwine.load_table(tmp_path / "t.safetensors") == table
    assert tied != sparse and tied != (S4.rep("perm^2") >> S4.rep("2*perm^2")).table() and tied != 1
    assert tied.channels == (2, 3)


def test_damaged_pickles_are_refused(S4):
    state = list((S4.rep("perm") >> S4.rep("perm")).table().__getstate__())
    weights = list(state[0])
    weights[-1] = bytes([9] * 16)  # codes beyond the parameters
    state[0] = tuple(weights)
    fresh = intertwine.Table.__new__(intertwine.Table)
    with pytest.raises(intertwine.DomainError):
        fresh.__setstate__(tuple(state))


def test_numbers():
    assert E(4) ** 2 == -1 and isinstance(E(4) * E(4), int)
    assert E(3) + E(3, 2) == -1 and E(5) + 1 == 1 + E(5) and 2 - E(5) == -(E(5) - 2)
    assert E(3) / 2 == Cyclotomic("1/2*E(3)") and 1 / E(3) == E(3, 2) and Fraction(1, 2) * E(3) == E(3) / 2
    root5 = E(5) + E(5, 4) - E(5, 2) - E(5, 3)
    assert root5**2 == 5 and root5.is_real and abs(float(root5) - 5**0.5) < 1e-15
    assert complex(E(4)) == 1j and E(8).conductor == 8 and E(5).terms() == [(1, 1)]
    assert E(3).conjugate() == E(3, 2) and E(5).galois_conjugate(2) == E(5, 2)
    assert E(5).norm() == 1 and E(5).trace() == -1 and bool(E(5)) and str(E(5)) == "E(5)"
    assert E(5).to_latex() == "\\zeta_{5}" and E(5)._repr_latex_() == "$\\zeta_{5}$"
    assert Cyclotomic(Fraction(1, 2)) == Fraction(1, 2) and hash(Cyclotomic(7)) == hash(7) and Cyclotomic() == 0
    with pytest.raises(intertwine.DomainError):
        float(E(3))
    huge = 7**400
    assert Matrix([[huge, -huge]]).entries() == [(0, 0, huge), (0, 1, -huge)]


def test_matrices():
    A = Matrix([[1, "1/2"], [0, "E(3)"]])
    assert A.shape == (2, 2) and A[0, 1] == Fraction(1, 2) and A[-1, -1] == E(3)
    assert A.tolist() == [[1, Fraction(1, 2)], [0, E(3)]] and A.trace() == 1 + E(3)
    assert A @ Matrix.identity(2) == A and A + A == 2 * A == A * 2 and (A - A) == Matrix.zero(2, 2) == -(A - A)
    assert A.T.T == A and A.T[0, 1] == 0
    with pytest.raises(IndexError):
        A[2, 0]
    with pytest.raises(TypeError):
        A["0"]
    B = Matrix([[1, -2], [3, 4]])
    assert B @ B == Matrix([[-5, -10], [15, 10]])
    assert numpy.array(B).dtype == numpy.int64 and (numpy.asarray(B) == [[1, -2], [3, 4]]).all()
    assert numpy.array(A).dtype == object and numpy.array(A, dtype=complex)[1, 1] == complex(E(3))
    assert numpy.array(Matrix([["1/3"]]), dtype=numpy.float32)[0, 0] == numpy.float32(1 / 3)
    with pytest.raises(intertwine.DomainError, match="not real"):
        numpy.array(A, dtype=float)
    with pytest.raises(intertwine.DomainError, match="no integer"):
        numpy.array(Matrix([["1/3"]]), dtype=int)
    assert Matrix(numpy.array(B)) == B and Matrix([[Fraction(1, 2)]]) == Matrix([["1/2"]])
    assert Matrix.from_entries(2, 2, [(1, 1, "E(3)"), (0, 0, 1), (0, 1, Fraction(1, 2))]) == A


def test_permutations():
    g, h = Permutation("(1,2,3)"), Permutation([1, 0, 2])
    assert (g * h)(0) == g(h(0)) == 2 and g.degree == len(g) == 3 and g.images == (1, 2, 0)
    assert g.order == 3 and g**-1 == g.inverse() and (g**3).is_identity and g.sign == 1 and h.sign == -1
    assert Permutation("(1,2)(4,5)", 6).cycle_type == (2, 2, 1, 1) and str(g) == "(1,2,3)"
    assert Permutation(numpy.array([1, 0])) == Permutation("(1,2)") and sorted([g, h])
    with pytest.raises(IndexError):
        g(3)
    with pytest.raises(intertwine.DomainError):
        g * Permutation("(1,2)")


# --- Records: asked again ----------------------------------------------------------------------------------------------------------


def records():
    S4, D4 = Group("S4"), Group.from_matrices([[[0, -1], [1, 0]], [[1, 0], [0, -1]]])
    V, W = S4.rep("perm"), S4.rep("std")
    yield from [
        branch([2, 1], "orthogonal", 4),
        branch([2, 1], "symplectic", 4),
        branch([2, 1], "symmetric", 4),
        branch([1, 1, 1], "orthogonal", 2),
    ]  # noqa: F405
    yield from [branch([2, 1], W), branch([2, 1], V), branch([2], D4.rep("coordinates"))]  # noqa: F405
    yield from [
        functor_of_hom([2, 1], 2, 3),
        functor_of_hom([2], W, V),
        functor_of_hom([2], W, V, True, (0, 4)),
        functor_of_hom([2], W, D4.rep("coordinates"), True),
    ]  # noqa: F405
    yield functor_of_hom([2], S4.subgroup(["(1,2,3)"]).rep("perm"), W)  # noqa: F405  (the text of this group forgets that there is a fourth point)
    yield from [
        S4.irreducible_forms("rational"),
        Group("Q8").irreducible_forms("real"),
        Group("A5").irreducible_forms(),
    ]
    yield from CoordinateRing(5, 3).pieces(4) + CoordinateRing(1, 200).pieces(3) + CoordinateRing(2, 3).pieces(0)


@pytest.mark.parametrize("value", list(records()), ids=lambda v: repr(v)[:60])
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_records_pickle(value, protocol):
    again = pickle.loads(pickle.dumps(value, protocol))
    assert type(again) is type(value) and str(again) == str(value) and again == value and hash(again) == hash(value)
    if hasattr(value, "to_json"):
        assert again.to_json() == value.to_json()


# What was tampered with is refused where it is proved again.
def test_records_that_were_changed():
    forms = pickle.dumps(Group("S4").irreducible_forms("rational"), 2)
    assert forms.count(b'"-1"') > 1
    with pytest.raises(intertwine.Error):
        pickle.loads(forms.replace(b'"-1"', b'"-2"', 1))


def one_of_each():
    S4, SO3 = Group("S4"), Group("SO(3)")  # noqa: F405
    V, X, ring, A5 = S4.rep("perm"), SO3.rep("vector"), CoordinateRing(3, 3), Group("A5")
    H = S4.stabilizer(0)
    kernels = kernel_basis(S4, H, H, H.rep("trivial"), H.rep("trivial"))  # noqa: F405
    water = molecule([("O", (0, 0, 0)), ("H", (0.757, 0.586, 0)), ("H", (-0.757, 0.586, 0))])  # noqa: F405
    hom, table, product = V >> V, (V >> V).table(), A5.clebsch_gordan(4, 4)
    yield intertwine.automorphisms([[0, 1], [1, 0]])
    reduction = intertwine.sdp.theta([(0, 1)])
    yield intertwine.sdp.Model(reduction.before, True, Fraction(1, 2), {})
    yield intertwine.sdp.Graph([(0, 1)])
    yield from [reduction, reduction.problem, reduction.blocks[0], reduction.certificate([-1, -1])]
    rows = V.isotypic(rows="first")[0]
    yield from [rows, rows.basis]
    yield from [
        S4,
        V,
        hom,
        hom.certificate(),
        table,
        table.verify(),
        table.symmetry(),
        S4.character_table(),
        V.character(),
        S4.classes(),
        S4.classes()[1],
    ]
    yield from [
        V.decompose(),
        V.decompose()[0],
        V.isotypic()[0],
        V.orthonormal_basis(),
        V.orthonormal_isotypic("real")[0],
        S4.irreducible_forms("rational"),
    ]
    yield from [
        SO3,
        X,
        X >> X,
        X.clebsch_gordan(X, X),
        X.orthonormal_form(),
        Group("SU(3)"),
        Group("SU(3)").irrep([1, 0]),
    ]  # noqa: F405
    yield from [
        steerable_kernels("SE(3)", "vector", "vector"),
        steerable_kernel_basis("SE(3)", "vector", "vector"),
        kernels,
        kernels.blocks[0],
    ]  # noqa: F405
    yield point_kernels("R^2 : C4", "trivial", "trivial")  # noqa: F405
    yield from [
        clebsch_gordan("SU(2)", 1, 1)[0],
        product,
        product.constituents[3],
        SignedRoot(2),
        water,
        water.species[0],
        water.symmetry_coordinates()[0],
        water.force_constant_blocks()[1],
    ]  # noqa: F405
    salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ["Na", "Cl"]))  # noqa: F405
    yield from [salt.force_constants(2, (2, 1, 1), cutoff=2.5), salt.irreps_at([0, 0, "1/2"])]
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    yield MagneticMatch(MagneticSpaceGroup(SpaceGroup(19)), "19.25", axes, (0.0, 0.0, 0.0))  # noqa: F405
    yield MagneticSite("Fe", (0, 1), (0.0, 0.0, 0.0), (0.0, 0.0, 2.5), "(0,0,mz)", 1)  # noqa: F405
    yield from [MagneticSpaceGroup(SpaceGroup(19)), water.label_modes(numpy.eye(9), modes="rows")[0]]  # noqa: F405
    yield project_tensor("dielectric", "C4", [[2, 1, 0], [1, 2, 0], [0, 0, 3]])  # noqa: F405
    yield from [salt, salt.modes(), salt.modes().optical[0], salt.sites[0]]
    yield from [hom.table(), hom.table().verify(), hom.table().verify().blocks[0][0]]
    yield from [polynomial_maps(X, X, 1), molien_series(X), molien_series(V)]  # noqa: F405
    yield from [diagrams("S(n)", "a", "a"), diagrams("S(n)", "a", "a").verify()]  # noqa: F405
    yield from [
        ring,
        ring.ideal(2),
        ring.pieces(2)[0],
        ring.expand("[1|2]"),
        Bitableau("[1|2]"),
        Tableau([[0]]),
        Partition([2, 1]),
        SchurFunctor([2]),
        s,
        s[2],
    ]
    yield from [
        branch([2], V),
        functor_of_hom([2], 2, 3),
        polynomial_maps(V, V, 1),
        tensor_form("elastic", Group("Oh")),
        correlation_table("Oh", "Td"),
    ]  # noqa: F405
    yield from [
        E(5),
        Matrix([[1]]),
        Permutation("(1,2)"),
        SpaceGroup(227),
        SpaceGroup.rod(1),
        Group("Dooh").rep("vector"),
    ]  # noqa: F405


# Made twice, they are equal; records made of other questions are not.
def test_every_value_is_equal_to_its_like_and_its_pickle(S4, tmp_path):
    (tmp_path / "characters.json").write_text(S4.character_table().to_json(proof=True))
    ways = [[*one_of_each(), intertwine.verify(tmp_path / "characters.json")] for _ in range(2)]
    for value, like in zip(*ways):
        again = pickle.loads(pickle.dumps(value))
        assert value == like == again and hash(value) == hash(like) == hash(again) and type(again) is type(value), value
        assert repr(again) == repr(value) and value != 1
        with pytest.raises(AttributeError):
            value.anything = 3
        with pytest.raises(AttributeError):
            del value.anything
    classes, V = S4.classes(), S4.rep("perm^2")
    assert len({*classes}) == 5 and classes[1] in [*S4.classes()] and len({*V.decompose()}) == len(V.decompose())
    for several in (
        V.isotypic(),
        V.orthonormal_isotypic(),
        [V.sym(k).orthonormal_basis() for k in (1, 2)],
        CoordinateRing(3, 3).pieces(3),
        kernel_basis(S4, S4, S4, V, V).blocks + [0],
        clebsch_gordan("SU(2)", 1, 1),
    ):  # noqa: F405
        assert len({*several}) == len(several) > 1
    product = Group("A5").clebsch_gordan(3, 4)
    assert len({*product.constituents, product, Group("A5").clebsch_gordan(3, 4, 4)}) == len(product.constituents) + 2
    component = pickle.loads(pickle.dumps(Group("A5").rep("perm^2").isotypic()[1]))
    assert (
        component.projection @ component.inclusion == Matrix.identity(component.multiplicity * component.degree)
        and "sqrt(5)" in component.field
    )
    with pytest.raises((TypeError, RuntimeError, intertwine.Error)):
        fresh = intertwine.ConjugacyClass.__new__(intertwine.ConjugacyClass)
        fresh.__setstate__((1, 2))


def test_every_value_is_copied_and_knows_what_it_has_not(S4, tmp_path):
    (tmp_path / "characters.json").write_text(S4.character_table().to_json(proof=True))
    classes = {
        value for _, value in public().values() if isinstance(value, type) and not issubclass(value, Exception)
    } - {intertwine.limits}
    for value in [*one_of_each(), intertwine.verify(tmp_path / "characters.json")]:
        classes -= {type(value)}
        for again in (copy.copy(value), copy.deepcopy([value])[0]):
            assert again is value or (type(again) is type(value) and repr(again) == repr(value))
        assert type(value).__name__ in repr(value) or eval(repr(value)) == value
        attribute = next((name for name in dir(value) if len(name) > 3 and not name.startswith("_")), "")
        said = f"; did you mean .*{attribute}" if attribute else ""
        with pytest.raises(AttributeError, match=f"{type(value).__name__} has no '{attribute}z'{said}"):
            getattr(value, attribute + "z")
    assert not classes
    with pytest.raises(AttributeError, match="limits has no 'memorys'$"):
        intertwine.limits(seconds=1).memorys
    assert iter(elements := iter(Group("S3"))) is elements and len(list(elements)) == 6
