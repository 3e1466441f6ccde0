"""Continuous groups: representations by exact matrices, certified bases, tables, files."""

import copy
import json
import math
import pickle
from fractions import Fraction

import intertwine
import numpy
import pytest
from intertwine import (
    DomainError,
    Group,
    LimitError,
    Matrix,
    ParseError,
    PolynomialMaps,
    load_table,
    polynomial_maps,
    steerable_kernels,
    verify,
)


def test_groups():
    G = Group("S5 x O(3)")
    assert str(G) == G.name == "S5 x O(3)" and repr(G) == "Group('S5 x O(3)')" and not G.is_complex
    assert Group("SU(2)").is_complex
    assert G == Group("(S5 x O(3))") and hash(G) == hash(Group("S5 x O(3)")) and G != Group("O(3)")
    assert pickle.loads(pickle.dumps(G)) == G and copy.copy(G) is G
    assert G.factors == [Group("S5"), Group("O(3)")] and G.factors[1].factors == [Group("O(3)")]
    assert len(G.generator_names) == len(G.rep("perm # vector").generator_matrices()) == 5
    assert (
        "SO(<n>)" in intertwine.known_continuous_groups()
        and "harmonic" in intertwine.known_continuous_representations()
    )


def test_representations():
    G = Group("O(3)")
    v = G.rep("vector")
    assert (2 * v + v * v).dimension == 15 and (v**2).dimension == 9 and v.T.dimension == 3
    assert v.commutant().dimension == v.commutant().real_dimension == 1 and (2 * v).commutant() == 2 * v >> 2 * v
    complex_, quaternionic = Group("SU(3)").rep("vector"), Group("SU(2)").rep("vector")
    assert [(V.commutant().dimension, V.commutant().real_dimension) for V in (complex_, quaternionic)] == [
        (1, 2),
        (1, 4),
    ]
    assert v.sym(2).dimension == 6 and v.alt(2).dimension == 3 and v.schur([2, 1]).dimension == 8
    assert (2 * v + v**2).expression == "2*vector + vector^2" and G.rep("2*vector + vector^2") == 2 * v + v**2
    assert v.group == G and pickle.loads(pickle.dumps(v.sym(2))) == v.sym(2) and hash(v) == hash(G.rep("vector"))
    assert repr(v) == "Group('O(3)').rep('vector')"
    found = (v**2).decompose()
    assert [(part.name, part.multiplicity, part.label) for part in found] == [
        ("harmonic(2)", 1, (2,)),
        ("vector*det", 1, (1, 1)),
        ("trivial", 1, ()),
    ]
    assert Group("S3 x SO(3)").rep("perm # vector").decompose().names() == ["[2,1] # 3", "[3] # 3"]
    X, Y, s = v.generator_matrices()
    assert X @ Y != Y @ X and X @ s == s @ X


def test_irreducible_representations():
    SU3 = Group("SU(3)")
    assert (
        SU3.irrep([1, 1]) == SU3.rep("irrep([1,1])")
        and SU3.irrep(8).dimension == 8
        and SU3.irrep("10*").dimension == 10
    )
    assert Group("SO(5)").irrep("[2,1] as partition").dimension == 35
    for wrong in ([1], -1, "", "x)", "8)+irrep(3"):
        with pytest.raises(ValueError, match="irrep|irreducible|weight|number|expected"):
            SU3.irrep(wrong)


def test_real_representations_over_products():
    V = Group("SU(2) x S3").rep("vector # perm")
    r = V.real()
    assert r.expression == "real(vector # perm)" and r.dimension == 12 and not r.is_complex
    assert (r >> r).dimension == 8  # the quaternions, twice
    swap = V.generator_matrices()[-1]
    assert [[r.generator_matrices()[-1][2 * i, 2 * j] for j in range(6)] for i in range(6)] == swap.tolist()
    r = Group("SU(2) x SU(3)").rep("vector # vector").real()
    assert r.dimension == 12 and (r >> r).dimension == 2 and len((r >> r).basis()) == 2  # complex numbers


def test_powers_of_point_clouds_by_weight_spaces():
    G = Group("S10 x O(3)")
    assert (G.rep("sym(4, perm # vector)") >> G.rep("trivial")).dimension == 7  # graphs of two edges, loops among them
    S = Group("S30")
    assert (S.rep("schur([2,1], perm)") >> S.rep("perm")).dimension == 4


def test_real_representations(tmp_path):
    G = Group("SU(3)")
    v = G.rep("vector")
    r = v.real()
    assert r == G.rep("real(vector)") and r.dimension == 6 and v.is_complex and not r.is_complex and r.real() == r
    assert not Group("SO(3)").rep("vector").is_complex and Group("SO(3)").rep("vector").real().dimension == 3
    assert all(A.T == -1 * A for A in r.generator_matrices())
    octet = G.rep("adjoint").real_form()
    assert (
        octet.dimension == 8
        and not octet.is_complex
        and (octet * octet >> octet).dimension == 2
        and G.rep(octet.expression) == octet
    )
    with pytest.raises(DomainError, match="conjugate"):
        v.real_form()
    with pytest.raises(DomainError, match="is complex"):
        v >> r
    with pytest.raises(DomainError, match="is complex"):
        v + r
    table = (r >> r).table()
    assert json.loads(table.metadata["group"])["scalars"] == "real"
    table.save(tmp_path / "real.safetensors")
    assert verify(tmp_path / "real.safetensors").params == 2


def test_matrices(tmp_path):
    G = Group("O(3)")
    v = G.rep("vector")
    V = G.matrix_rep(v.generator_matrices())
    assert V.generator_matrices() == v.generator_matrices() and (V >> v).dimension == 1
    assert G.rep(V.expression) == V and pickle.loads(pickle.dumps(V)) == V
    assert (V.sym(2) >> G.rep("harmonic(2)")).dimension == 1
    (V >> v).table().save(tmp_path / "given.json")
    assert verify(tmp_path / "given.json").params == 1
    with pytest.raises(DomainError, match="are given, but"):
        G.matrix_rep([[[0]]])
    with pytest.raises(DomainError, match="no representation of O"):
        G.matrix_rep([2 * A for A in v.generator_matrices()[:2]] + v.generator_matrices()[2:])
    with pytest.raises(DomainError, match="integral weights"):
        Group("SO(2)").matrix_rep([[["0", "E(5)"], ["-1*E(5)", "0"]]])


def test_matrices_over_fields(tmp_path):
    G = Group("SO(3)")
    z, x = [[0, "1/2*i"], ["1/2*i", 0]], [["i/2", 0], [0, "-i/2"]]
    spinor = Group("Spin(3)").matrix_rep([x, z])
    assert spinor.field == "Q(i)" and (spinor >> spinor).dimension == 1
    (W,) = (spinor * spinor >> Group("Spin(3)").rep("trivial")).basis()
    assert [str(e[2]) for e in W.entries()] in (["1", "-1"], ["-1", "1"])
    with pytest.raises(DomainError, match="spinors are of Spin"):
        G.matrix_rep([x, z])
    # Three generators of so(3), the third one with the wrong sign.
    L = [
        Matrix([[0, 1, 0], [-1, 0, 0], [0, 0, 0]]),
        Matrix([[0, 0, 0], [0, 0, 1], [0, -1, 0]]),
        Matrix([[0, 0, 1], [0, 0, 0], [-1, 0, 0]]),
    ]
    V = G.matrix_rep(L, generators=L)
    assert V.generator_matrices() == G.rep("vector").generator_matrices() and V.field == "Q"
    with pytest.raises(DomainError, match="given generator 3"):
        G.matrix_rep([L[0], L[1], -1 * L[2]], generators=L)


def test_powers_over_products():
    V = Group("S5 x O(3)").rep("perm # vector")
    assert (V.sym(2).dimension, V.alt(2).dimension, V.schur([2, 1]).dimension) == (120, 105, 1120)
    one = Group("S5 x O(3)").rep("trivial")
    assert [(V.sym(2) >> one).dimension, (V.alt(2) >> one).dimension] == [2, 0]
    assert pickle.loads(pickle.dumps(V.sym(2))) == V.sym(2) and V.sym(2).expression == "sym(2, perm # vector)"
    with pytest.raises(LimitError):
        V.sym(20)


@pytest.mark.parametrize(
    "group, V, U, dimension",
    [
        ("SO(3)", "vector^2", "vector", 1),
        ("O(3)", "2*vector + harmonic(2)", "sym(2, vector)*vector", 4),
        ("SO+(1,3)", "trivial", "vector^4", 4),
        ("SU(2)", "trivial", "spinor^4", 2),
        ("S4 x O(3)", "perm # vector", "perm^2 # vector", 5),
        ("SU(3)", "irrep([1,1])^2", "irrep(8)", 2),
        ("SO(5)", "irrep([2,1] as partition)", "vector^3", 2),
        ("S5 x O(3)", "sym(2, perm # vector)", "perm # trivial", 4),
        ("SU(2)", "real(vector)", "real(vector)", 4),
        ("SU(3)", "real(vector)", "real(vector)", 2),
        ("S3 x SU(2)", "perm # real(vector)", "perm # real(vector)", 8),
        ("S3 x SU(2)", "real(perm # vector)", "perm # real(vector)", 8),
    ],
)
def test_hom(group, V, U, dimension):
    G = Group(group)
    V, U = G.rep(V), G.rep(U)
    hom = V >> U
    assert (
        hom.dimension == dimension and hom.shape == (U.dimension, V.dimension) and hom.source == V and hom.target == U
    )
    basis = hom.basis()
    params = hom.table(single=True).params
    assert len(basis) == params
    pairs = list(zip(*(R.generator_matrices() for R in (V, U))))
    if V.expression.startswith("2*"):  # a sum: no channels
        assert params == dimension
    assert all(W @ A == B @ W for W in basis for A, B in pairs)
    certificate = hom.certificate()
    assert certificate.character_dimension == hom.params and "weyl-characters" in certificate.route
    hom.verify()
    assert "equivariant  yes" in hom.describe() and json.loads(hom.to_json())["dimension"] == str(dimension)
    assert pickle.loads(pickle.dumps(hom)) == hom == (V >> U) and hash(hom) == hash(V >> U) and " >> " in repr(hom)
    for b in hom.bias.basis():
        assert all(B @ b == b or not (B @ b).entries() for B in U.generator_matrices())


def test_tables(tmp_path):
    G = Group("S5 x O(3)")
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
    G = Group("O(3)")
    with pytest.raises(ParseError, match=r"as in SO\(3\)"):
        Group("SO")
    with pytest.raises(LimitError, match="at most 32"):
        Group("O(33)")
    assert Group("SO(33)").kind == "reductive"  # by characters
    with pytest.raises(ParseError, match=r"take SO\(n\)"):
        Group("SE(3)")
    with pytest.raises(ParseError, match="did you mean vector"):
        G.rep("vektor")
    with pytest.raises(LimitError, match="2147483647"):
        G.rep("vector") ** 100
    with pytest.raises(DomainError, match="different groups"):
        G.rep("vector") >> Group("SO(3)").rep("vector")
    with pytest.raises(DomainError, match="different groups"):
        G.rep("vector") + Group("SO(3)").rep("vector")
    with pytest.raises(LimitError, match="memory"):
        (G.rep("vector^4") >> G.rep("vector^4")).basis(memory=1000)


def test_adjoint_and_spinor_fields():
    # so(3) is R^3; the Killing form is the one invariant of a simple algebra, brackets and (for SL(3)) the symmetric
    # product go back into it.
    for name, squares in {"SO(3)": 1, "SO(5)": 1, "SL(3)": 2, "Sp(4)": 1}.items():
        G = Group(name)
        A = G.rep("adjoint")
        assert (A >> A).dimension == 1 == (A * A >> G.rep("trivial")).dimension and (A * A >> A).dimension == squares
    assert (Group("SO(3)").rep("adjoint") >> Group("SO(3)").rep("vector")).dimension == 1
    kernels = steerable_kernels("ISpin(3)", "real(spinor)", "real(spinor)")
    assert kernels.dimension == 8
    with pytest.raises(ParseError, match="ISpin"):
        steerable_kernels("SE(3)", "spinor", "spinor")


def test_symmetrize():
    G = Group("SO(3)")
    V = G.rep("vector")
    hom = V >> V
    W = [[1, 2, 3], [4, 5, 6], [7, 8, 10]]
    assert hom.symmetrize(W).tolist() == [[Fraction(16, 3) * (i == j) for j in range(3)] for i in range(3)]
    rounded = hom.symmetrize(numpy.array(W, dtype=numpy.float32))
    assert rounded.dtype == numpy.float32 and numpy.allclose(rounded, numpy.eye(3) * 16 / 3)
    assert (
        hom.residual(W) == pytest.approx((41 / 57) ** 0.5)
        and not hom.is_equivariant(W)
        and hom.is_equivariant(numpy.eye(3, dtype=int))
    )
    with pytest.raises(DomainError, match="exactly"):
        hom.is_equivariant(numpy.eye(3))
    with pytest.raises(DomainError, match=r"\(3, 3\)"):
        hom.symmetrize([[1, 2], [3, 4]])
    golden = Group("A5 x SO(3)").rep("irrep(2) # vector")
    mean = (golden >> golden).symmetrize(
        [[f"{i + 1}*sqrt(5)" if i == j else i - j for j in range(9)] for i in range(9)]
    )
    assert mean == Matrix([["5*sqrt(5)" if i == j else 0 for j in range(9)] for i in range(9)])
    # The mean over many random rotations comes near the exact one.
    pair = V * V >> V * V
    W = numpy.random.default_rng(3).normal(size=(9, 9))
    mean = numpy.zeros((9, 9))
    for q in numpy.random.default_rng(4).normal(size=(4000, 4)):
        w, x, y, z = q / numpy.linalg.norm(q)
        R = numpy.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        RR = numpy.kron(R, R)
        mean += RR @ W @ RR.T / 4000
    assert numpy.abs(mean - pair.symmetrize(W)).max() < 0.1


def test_polynomial_maps(tmp_path):
    G = Group("SO(3)")
    V, U = G.rep("vector + harmonic(2)"), G.rep("vector")
    F = polynomial_maps(V, U, 2)
    assert isinstance(F, PolynomialMaps) and len(F) == 1 and F.source == V and F.target == U and F.field == "Q"
    F.verify()
    assert (
        F.degree == 2
        and F.dimension == 1
        and F.route == "weyl-characters"
        and F.monomials[0] == [(0, 1), (3, 1)]
        and F.maps[0][0] == (0, 0, 2)
    )
    assert (
        F.coordinate(0, 0) in str(F)
        and repr(F).startswith("polynomial_maps(Group('SO(3)')")
        and F.to_latex()
        and F._repr_latex_()
    )
    assert F.to_arrays()["variables"].shape == (len(F.monomials), 2) and F([1, 0, 0, 1, 0, 0, 0, 0]) == [[2, 0, 0]]
    (tmp_path / "maps.json").write_text(F.to_json())
    assert verify(tmp_path / "maps.json") == F
    assert PolynomialMaps.from_json(F.to_json()) == F == pickle.loads(pickle.dumps(F)) and hash(F) == hash(
        copy.deepcopy(F)
    )
    assert polynomial_maps(G.rep("2*vector"), U, 2).coordinate(0, 0) == "x2*x6 - x3*x5"
    # F(g x) = g F(x) for a rotation, by the exponential of generators.
    A, B = (
        [numpy.array([[float(x) for x in row] for row in M.tolist()]) for M in R.generator_matrices()] for R in (V, U)
    )

    def exponential(M):
        return sum(numpy.linalg.matrix_power(M, k) / math.factorial(k) for k in range(30))

    x = numpy.random.default_rng(5).normal(size=8)
    turned = F(exponential(0.3 * A[0] + 0.5 * A[1]) @ x)
    assert numpy.allclose(turned, F(x) @ exponential(0.3 * B[0] + 0.5 * B[1]).T)
    with pytest.raises(DomainError, match="different groups"):
        polynomial_maps(V, Group("O(3)").rep("vector"), 2)
    with pytest.raises(LimitError):
        polynomial_maps(G.rep("vector^4"), U, 3)


def test_polynomial_maps_in_sympy():
    pytest.importorskip("sympy")
    G = Group("SO(3)")
    assert str(polynomial_maps(G.rep("vector"), G.rep("trivial"), 2).to_sympy()[0][0]) == "x1**2 + x2**2 + x3**2"


def test_words_of_e3nn():
    G, R = Group("O(3)"), Group("SO(3)")
    V = G.rep("32x0e + 16x1o + 8x2e")
    assert V == G.rep("32*trivial + 16*vector + 8*harmonic(2)") and V.dimension == 120
    assert V.irreps == "32x0e+16x1o+8x2e" and G.rep(V.irreps) == V
    assert (V >> G.rep("4x1o + 2x1e")).dimension == 64
    assert G.rep("0o + 1e + 2o + 3e").irreps == "1x0o+1x1e+1x2o+1x3e"
    assert R.rep("2x1 + 3x0").irreps == "2x1+3x0" and R.rep("2x1o + 1e") == R.rep("2*vector + vector")
    for W, why in (
        (G.rep("vector^2"), "is not irreducible"),
        (Group("O(4)").rep("vector"), r"the group is O\(4\)"),
        (Group("S4").rep("perm"), "one of S4"),
        (Group("D∞h").rep("vector"), "the group is D∞h"),
    ):
        with pytest.raises(DomainError, match=why):
            W.irreps  # noqa: B018
    with pytest.raises(ParseError, match="1o where it is -1"):
        G.rep("16x1")


def test_words_of_e3nn_are_its_own():
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    G = Group("O(3)")
    rng = numpy.random.default_rng(7)
    for _ in range(30):
        theirs = o3.Irreps(
            [(int(rng.integers(1, 9)), (int(rng.integers(5)), int(rng.choice([1, -1])))) for _ in range(4)]
        )
        V = G.rep(str(theirs))
        assert V.dimension == theirs.dim and o3.Irreps(V.irreps) == theirs
        assert (V >> V).dimension == o3.Linear(theirs, theirs).weight_numel


@pytest.mark.parametrize(
    "group, name, words",
    [
        ("O(3)", "sign", "by the determinant, -1 for reflections, is det"), ("S5 x O(3)", "perm # pseudoscalar", "is det"),
        ("O(3)", "pseudovector", r"are vector\*det"), ("S4", "det", "the sign of permutations is sign"),
    ],
)  # fmt: skip
def test_names_of_one_dimensional_representations_point_to_each_other(group, name, words):
    with pytest.raises(ParseError, match=words):
        Group(group).rep(name)
