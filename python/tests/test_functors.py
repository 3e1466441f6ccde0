"""Partitions, symmetric functions, GL, coordinate rings: laws, small values, and the answers of other systems."""

import itertools
import math
from fractions import Fraction

import intertwine as it
import numpy
import pytest
from conftest import reference
from intertwine import DomainError, E, Group, LimitError, Matrix, ParseError
from intertwine.gl import Bitableau, CoordinateRing, MatrixPolynomial, SchurFunctor
from intertwine.sf import Partition, SymmetricFunction, Tableau, e, f, h, m, p, s


def given(name):
    return reference(f"symmetric_functions/{name}.json")["entries"]


def terms(pairs):
    return SymmetricFunction("s", [(k, int(c)) for k, c in pairs])


def test_products_of_others():
    for x in given("lr_products"):
        assert s[x["lambda"]] * s[x["mu"]] == terms(x["product"])
        assert terms(x["product"]) * Fraction(1, 2) == s[x["lambda"]] / 2 * s[x["mu"]]
    for nu, c in x["product"]:
        assert it.sf.lr(nu, x["lambda"], x["mu"]) == int(c)


def test_skew_functions_of_others():
    for x in given("skew_schur"):
        assert it.sf.skew_schur(x["outer"], x["inner"]) == s[x["outer"]].skew(s[x["inner"]]) == terms(x["expansion"])


def test_plethysms_of_others():
    for x in given("plethysm"):
        assert s[x["outer"]](s[x["inner"]]) == terms(x["expansion"])
    assert it.sf.plethysm(x["outer"], x["inner"], rows=2) == s[x["outer"]](s[x["inner"]]).rows(2)


def test_kronecker_products_of_others():
    for x in given("kronecker"):
        assert s[x["lambda"]].kronecker(s[x["mu"]]) == terms(x["product"])
    for nu, c in x["product"]:
        assert it.sf.kronecker_coefficient(nu, x["lambda"], x["mu"]) == int(c)


def test_characters_of_others():
    for x in given("symmetric_group_characters"):
        partitions, table = it.sf.symmetric_group_character_table(x["n"])
        at = [partitions.index(tuple(q)) for q in x["partitions"]]
        assert (table[numpy.ix_(at, at)] == numpy.array(x["table"], dtype=int)).all() and not table.flags.writeable
    assert Partition(x["partitions"][1]).character(x["partitions"][2]) == int(x["table"][1][2])


def test_decompositions_of_others():
    for x in given("gl_gl_decompositions"):
        d, rows, cols = x["d"], x["m"], x["n"]
        found = {
            "Sym": lambda: it.gl.cauchy_decomposition(d, rows, cols),
            "Alt": lambda: it.gl.dual_cauchy_decomposition(d, rows, cols),
            "Schur": lambda: it.gl.schur_functor_decomposition(x["lambda"], rows, cols),
        }[x["functor"]]()
        assert sorted(found) == sorted((Partition(a), Partition(b), int(c)) for a, b, c in x["decomposition"])
    for x in given("triple_tensor_sym"):
        found = it.gl.symmetric_power_of_triple(x["d"], *x["dims"])
        assert sorted(found) == sorted((*map(Partition, t), int(c)) for t, c in x["decomposition"])


def test_powers_under_sl_of_others():
    for x in given("sl_power_decompositions"):
        d, n = x["d"], x["n"]
        if x["inner"] == "Adjoint":
            found = (it.gl.symmetric_power_of_adjoint if x["functor"] == "Sym" else it.gl.exterior_power_of_adjoint)(
                d, n
            )
        else:
            outer = h[d] if x["functor"] == "Sym" else e[d]
            found = it.gl.restrict_to_sl(outer(h[2] if x["inner"] == "Sym2" else e[2]), n)
        assert sorted(found) == sorted((w, int(c)) for w, c in x["sl_weights"])


def test_ideals_of_others():
    for x in given("determinantal_hilbert"):
        ring = CoordinateRing(x["rows"], x["cols"])
        make = ring.symbolic_power if x["symbolic"] else ring.ideal
        ideal, values = make(x["minors"], x["power"]), [int(v) for v in x["hilbert_function"]]
        assert ideal.hilbert_function(len(values) - 1) == values and ideal.ring == ring


def test_branching_of_others():
    for x in given("classical_branching"):
        if x["group"] == "Sp":  # labels are the weights themselves
            found = it.branch(x["lambda"], "symplectic", x["n"])
            assert sorted(found.constituents) == sorted(
                (Partition([a for a in w if a]), int(c)) for w, c in x["weights"]
            )


def test_partitions():
    a = Partition([3, 1])
    assert (
        a == (3, 1) and hash(a) == hash((3, 1)) and len(a) == 2 and a[-1] == 1 and list(a) == [3, 1] and a.weight == 4
    )
    assert a.conjugate() == (2, 1, 1) and a.hooks() == [[4, 2, 1], [1]] and a.hook(0, 0) == 4 and a.durfee == 1
    assert (
        a.contains([2])
        and a.dominates((2, 2))
        and not Partition((2, 2)).dominates(a)
        and a.degree == 3
        and a.dimension(3) == 15
    )
    assert (
        it.sf.partitions(4) == sorted(it.sf.partitions(4))
        and a > Partition([4])
        and a >= a
        and a <= a
        and a < Partition([2, 2])
    )
    assert len(it.sf.partitions(10, max_length=3, max_part=6)) == it.sf.number_of_partitions(
        10, max_length=3, max_part=6
    )
    assert (
        it.sf.number_of_partitions(100) == 190569292
        and len(it.sf.partitions_in_box(2, 3)) == 10
        and len(it.sf.partitions_inside([2, 1])) == 5
    )
    for q in it.sf.partitions(7):
        assert Partition.from_core_and_quotient(q.core(3), q.quotient(3)) == q
        assert all(
            r in [x for x, _ in smaller.addable_ribbons(2)] for smaller, _ in q.removable_ribbons(2) for r in [q]
        )
    assert sum(Fraction(1, q.centralizer_order()) for q in it.sf.partitions(6)) == 1
    assert (
        str(a) == "[3,1]"
        and a._repr_latex_() == "$(3,1)$"
        and a.kostka([2, 1, 1]) == len(a.semistandard_tableaux([2, 1, 1]))
    )
    with pytest.raises(LimitError):
        it.sf.partitions(100, max_count=1000)


def test_tableaux():
    shape = Partition([3, 2])
    for k, t in enumerate(shape.standard_tableaux()):
        assert t.is_standard and t.is_semistandard and t.rank() == k and Tableau.unrank(shape, k) == t and t.T.T == t
    for k, t in enumerate(shape.semistandard_tableaux(3)):
        assert t.rank(3) == k and Tableau.unrank([3, 2], k, 3) == t and sum(t.content(3)) == 5 and t.shape == shape
    assert (
        k + 1 == shape.dimension(3)
        and str(Tableau([[0, 0], [1]])) == "1 1\n2"
        and Tableau([[0, 0], [1]]).rows == [[0, 0], [1]]
    )
    assert Tableau([[0, 0], [1]])._repr_html_().count("<td") == 3 and Tableau([[0]]) < Tableau([[1]])
    tables = it.sf.contingency_tables([2, 1], [1, 1, 1])
    assert len(tables) == it.sf.number_of_contingency_tables([2, 1], [1, 1, 1]) == 3
    for table in tables:
        P, Q = it.sf.rsk(table)
        assert P.shape == Q.shape and it.sf.rsk_inverse(P, Q, 2, 3) == table
        assert it.sf.dual_rsk_inverse(*it.sf.dual_rsk(table), 2, 3) == table


def test_symmetric_functions():
    assert str(s([2, 1]) * s([1])) == "s[3,1] + s[2,2] + s[2,1,1]" and h[2](s[1, 1]) == s[2, 2] + s[1, 1, 1, 1]
    assert h[2] == s[2] and hash(h[2]) == hash(s[2]) and h[2] != e[2] and bool(s[2]) and not s[2] - h[2]
    assert (
        p[2, 1].to("s") == p[2, 1] and p[2].to(m).basis == m and repr(p[3].to(h).basis) == "h" and len(p[3].to(h)) == 3
    )
    assert s("(p[1]^2 + p[2])/2") == h[2] and (s[2, 1] / 3).coefficient([2, 1]) == Fraction(1, 3) == (
        s[2, 1] / 3
    ).coefficient((2, 1))
    assert (
        list(2 * s[3] - 1) == [(Partition([]), -1), (Partition([3]), 2)] == (2 * s[3] - 1).terms()
        and 1 - s[1] == -(s[1] - 1)
        and s[1] + 1 == 1 + s[1]
    )
    assert (
        s[3, 1].omega() == s[2, 1, 1] and h[3].omega() == e[3] and m[2, 1].omega() == f[2, 1] and p[2].omega() == -p[2]
    )
    for a, b in itertools.product(it.sf.partitions(4), repeat=2):
        assert h[a].scalar(m[b]) == e[a].scalar(f[b]) == s[a].scalar(s[b]) == (a == b)
    g = s[2, 1] + h[2] / 2
    assert (
        g**2 == g * g
        and g.degree == 3
        and g.dimension(3) == 11
        and g.evaluate([1, 1, 1]) == 11
        and g.evaluate([E(3), 1]) == g.evaluate(["E(3)", Fraction(1)])
    )
    assert sum(c * math.prod(x**k for x, k in zip((2, 3), a)) for a, c in g.expand(2).items()) == g.evaluate([2, 3])
    assert g.to_latex() in g._repr_latex_() and (s[4].rows(0), s[2, 1].rows(1)) == (0 * s[1], 0 * s[1])
    assert it.sf.schur_product([2, 1], [1], rows=2) == s[3, 1] + s[2, 2] and it.sf.schur_coproduct([1]) == [
        ((), (1,), 1),
        ((1,), (), 1),
    ]
    assert s[2, 1].coproduct() == it.sf.schur_coproduct([2, 1]) and (s[1] / 2 + 3).coproduct() == [
        ((), (), 3),
        ((), (1,), Fraction(1, 2)),
        ((1,), (), Fraction(1, 2)),
    ]
    assert it.sf.fusion_product([1], [1], 2, 1) == s[1, 1] and it.sf.quantum_product([1], [1], 1, 1) == [((), 1, 1)]
    assert it.sf.schur_at_eigenvalues([2, 1], [[1, 2], [3, 4]]) == SchurFunctor([2, 1])([[1, 2], [3, 4]]).trace()
    sympy = pytest.importorskip("sympy")
    x1, x2 = sympy.symbols("x1 x2")
    assert sympy.expand(s[2].to_sympy(2) - (x1**2 + x1 * x2 + x2**2)) == 0


def test_schur_functors():
    S, A, B = SchurFunctor([2, 1]), Matrix([[1, 2], [3, "1/2"]]), Matrix([[0, 1], [1, "E(3)"]])
    assert (
        S(A) @ S(B) == S(A @ B)
        and S.dimension(2) == 2
        and len(S.basis(3)) == len(S.weights(3)) == 8
        and S.shape == (2, 1)
    )
    assert SchurFunctor([1, 1])(A)[0, 0] == A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0] and SchurFunctor([1])(A) == A
    assert numpy.allclose(S(numpy.array([[1, 2], [3, 0.5]])), numpy.array(S(A), dtype=float))
    V = Group("S4").rep("std")
    assert (
        V.schur(Partition([2, 1])).matrix("(1,2,3)") == S(V.matrix("(1,2,3)"))
        and V.character().schur(Partition([2])).degree == 6
    )


BOUNDS = [(None, None), (2, None), (None, 2), (2, 3), (0, 0)]


@pytest.mark.parametrize("rows, cols", BOUNDS)
def test_products_in_a_box_are_parts_of_the_whole(rows, cols):
    def part(function):
        return sum(
            (c * s[q] for q, c in function if (rows is None or len(q) <= rows) and (cols is None or q[0] <= cols)),
            0 * s[1],
        )

    whole = s[2, 1] * s[2, 1]
    assert it.sf.schur_product([2, 1], [2, 1], rows, cols) == part(whole) and it.sf.schur_product(
        [2, 1], [2, 1], rows=rows, cols=cols
    ) == part(whole)
    assert it.sf.plethysm([2], [2, 1], rows=rows, cols=cols) == part(s[2](s[2, 1])) and it.sf.skew_schur(
        [3, 2, 1], [2], rows=rows, cols=cols
    ) == part(it.sf.skew_schur([3, 2, 1], [2]))


@pytest.mark.parametrize("least", range(7))
def test_partitions_by_length(least):
    every = [q for q in it.sf.partitions(6) if len(q) >= least]
    assert it.sf.partitions(6, min_length=least) == every and it.sf.number_of_partitions(6, min_length=least) == len(
        every
    )


# How many there are: by hooks, by binomial coefficients, by dimensions of polynomials in four variables.
@pytest.mark.parametrize(
    "count, call",
    [
        (7, lambda n: it.sf.partitions(5, max_count=n)),
        (6, lambda n: it.sf.partitions_in_box(2, 2, max_count=n)),
        (5, lambda n: it.sf.partitions_inside([2, 1], max_count=n)),
        (2, lambda n: it.sf.contingency_tables([2, 1], [1, 2], max_count=n)),
        (5, lambda n: Partition([3, 2]).standard_tableaux(max_count=n)),
        (8, lambda n: Partition([2, 1]).semistandard_tableaux(3, max_count=n)),
        (10, lambda n: CoordinateRing(2, 2).standard_bitableaux(2, max_count=n)),
        (2, lambda n: CoordinateRing(2, 2).standard_bitableaux_of_content([1, 1], [1, 1], max_count=n)),
        (9, lambda n: CoordinateRing(2, 2).isotypic_basis([2], max_count=n)),
    ],
)
def test_lists_are_bounded(count, call):
    assert len(call(count)) == count
    with pytest.raises(LimitError, match=f"there (are|is) (at least )?{count} .*, more than the limit {count - 1}"):
        call(count - 1)


def test_branching():
    S4 = Group("S4")
    V = S4.rep("perm")
    found = it.branch([2, 1], V)
    assert found.constituents == [(k, c) for k, c in enumerate(V.schur([2, 1]).character().multiplicities()) if c]
    assert (
        it.branch([2, 1], V.character()).constituents == found.constituents
        and found.n == 4
        and found.group == "S4"
        and found.functor == (2, 1)
    )
    assert (
        found.dimension == 20 == sum(c * d for (_, c), d in zip(found.constituents, found.dimensions)) and found.names()
    )
    assert "20" in found.to_json() and found.to_latex() and "S4" in str(found) and "Branching" in repr(found)
    assert "S^{2,1,1}" in it.branch([2, 1], "symmetric", 4).to_latex() and found.to_latex().count("\\chi_{") == len(
        found.constituents
    )
    assert (
        found._repr_latex_().startswith("$$S_{2,1}")
        and found.to_latex().startswith("\\[\nS_{2,1}")
        and found.to_latex().endswith("\n\\]\n")
    )
    assert (
        it.branch([2], "orthogonal", 3).constituents == [((), 1), ((2,), 1)]
        and it.gl.restrict_to_orthogonal(s[2], 3) == s[2] + 1
    )
    assert (
        it.gl.restrict_to_symplectic(e[2], 4) == s[1, 1] + 1
        and it.gl.restrict_to_symmetric_group(h[2], 3) == 2 * s[3] + 2 * s[2, 1]
    )
    assert it.gl.dimension_of_orthogonal([2], 3) == 5 and it.gl.dimension_of_symplectic([1, 1], 4) == 5
    assert (
        it.gl.tensor_with_dual([1], [1], 3) == [([1, 0, -1], 1), ([0, 0, 0], 1)]
        and it.gl.dimension_of_weight([1, 0, -1]) == 8
    )
    whole = it.gl.functor_of_hom([2], 3, 2)
    assert (
        whole.terms == it.gl.cauchy_decomposition(2, 3, 2)
        and whole.dimension == 21
        and whole.shape == (3, 2)
        and whole.functor == (2,)
    )
    finite = it.gl.functor_of_hom([2], Group("S3").rep("perm"), Group("S2").rep("perm"), by_term=True, pair=(0, 0))
    finite.verify()
    assert (
        sum(finite.pair_multiplicities) == dict(((i, j), c) for i, j, c in finite.constituents)[0, 0]
        and len(finite.by_term) == 2
    )
    assert (
        whole.pair_multiplicities is None
        and "S3" in finite.to_json()
        and finite.to_latex()
        and str(finite)
        and "2 terms" in repr(finite)
    )


def test_coordinate_rings():
    ring = CoordinateRing(2, 3)
    assert (ring.rows, ring.cols) == (2, 3) and ring.hilbert_function(3) == [1, 6, 21, 56] == [
        len(ring.standard_bitableaux(d)) for d in range(4)
    ]
    assert ring.straighten("[1|2][2|1]", check=True) == [(Bitableau("[1|1][2|2]"), 1), (Bitableau("[1,2|1,2]"), -1)]
    assert (
        ring.straighten("[2,1|1,2][1|2]") == [(Bitableau("[1,2|1,2][1|2]"), -1)]
        and ring.straighten("[1,1|1,2]", check=True) == []
    )
    assert ring.straighten("[1|2][2|1]", check=True, graded=True) == [(Bitableau("[1|1][2|2]"), 1)]
    assert ring.expand("[2,1|1,2]") == -ring.expand("[1,2|1,2]") and not ring.expand("[1,1|1,2]")
    b = Bitableau([([0], [1]), ([1], [0])])
    assert (
        b == Bitableau("[1|2][2|1]")
        and b.minors == [([0], [1]), ([1], [0])]
        and not b.is_standard
        and b.degree == 2
        and b.shape == (2,)
    )
    assert str(b) == "[1|2][2|1]" and b.to_latex() in b._repr_latex_() and Bitableau("[1|1]") < b
    polynomial = ring.expand(b)
    assert (
        polynomial.to_bitableaux() == ring.straighten(b)
        and str(ring.expand("[1,2|1,2]")) == "x[1,1]*x[2,2] - x[1,2]*x[2,1]"
    )
    assert (
        polynomial * ring.expand("[1|1]") == ring.expand("[1|1][1|2][2|1]")
        and polynomial + polynomial == 2 * polynomial
        and not polynomial - polynomial
    )
    assert MatrixPolynomial(2, 3, {(0, 1, 0, 1, 0, 0): 1}) == polynomial == -(-polynomial) and polynomial.shape == (
        2,
        3,
    )
    assert (
        polynomial.terms() == [((0, 1, 0, 1, 0, 0), 1)]
        and len(polynomial) == 1
        and polynomial.to_latex() in polynomial._repr_latex_()
    )
    pieces = ring.pieces(2)
    assert [(x.shape, x.dimension, x.left_dimension * x.right_dimension) for x in pieces] == [
        ((2,), 18, 18),
        ((1, 1), 3, 3),
    ]
    assert [x.at_least_dimension for x in pieces] == [ring.filtration_dimension(x.shape) for x in pieces]
    assert (
        len(ring.isotypic_basis([1, 1])) == 3 == len(ring.standard_bitableaux(Partition([1, 1])))
        and str(ring.highest_weight_vector([2, 1])) == "[1,2|1,2][1|1]"
    )
    assert len(ring.standard_bitableaux_of_content([1, 1], [1, 1, 0])) == 2 and "18" in ring.to_text(2)
    assert ring.graded_product("[1|1]", "[1|1]") == [(Bitableau("[1|1][1|1]"), 1)] and ring.hilbert_numerator(2) == [
        1,
        2,
    ]
    ideal = CoordinateRing(3, 3).ideal(2, 2)
    assert ideal.primary_decomposition() == [
        CoordinateRing(3, 3).symbolic_power(1, 4),
        CoordinateRing(3, 3).symbolic_power(2, 2),
    ]
    assert ideal.contains("[2,1|1,2][1,3|3,1]") and ideal.contains("[1|1][2,2|1,3]")
    assert len(CoordinateRing(9, 8).ideal(5, 200).primary_decomposition()) == 5
    assert (
        ideal.contains("[1,2|1,2][1,3|1,3]")
        and not ideal.contains([2, 1])
        and ideal.contains((2, 2))
        and ideal.pieces(4) == [(2, 2), (2, 1, 1)]
    )
    assert (
        ideal.contains(CoordinateRing(3, 3).expand("[1,2|1,2][1,2|1,2]"))
        and ideal.to_latex() in ideal._repr_latex_()
        and "power" in str(ideal)
    )
    assert CoordinateRing(3, 3).invariant_ideal([2]).contains([3, 1])


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: Partition([1, 2]), DomainError, "2"),
        (lambda: Partition("21"), DomainError, "list of whole numbers"),
        (lambda: s[2.5], DomainError, "2.5"),
        (lambda: s("s[2"), ParseError, "bracket"),
        (lambda: s[2].to("q"), DomainError, "q"),
        (lambda: s[2] / 0, DomainError, "zero"),
        (lambda: s[600] * s[600], LimitError, "1200"),
        (lambda: p[61].to("s").to("m"), LimitError, "60"),
        (lambda: it.gl.restrict_to_sl(s[2] / 2, 3), DomainError, "integer"),
        (lambda: SymmetricFunction("s", [([2], E(3))]), DomainError, "rational"),
        (lambda: it.branch([2], "unitary", 3), DomainError, "orthogonal"),
        (lambda: it.branch([2], "symplectic", 3), DomainError, "Sp|3"),
        (
            lambda: it.branch([2], Group("S3").character_table()[0] - Group("S3").character_table()[1]),
            DomainError,
            "character",
        ),
        (lambda: SchurFunctor([2])(numpy.zeros(3)), DomainError, "two dimensions"),
        (lambda: SchurFunctor([2])(numpy.array([[numpy.inf]])), DomainError, "finite"),
        (lambda: Tableau([[0], [1, 2]]), DomainError, "row"),
        (lambda: CoordinateRing(-1, 2), DomainError, "negative"),
        (lambda: CoordinateRing(2, 2).straighten("[1|3]"), ParseError, "3"),
        (lambda: CoordinateRing(2, 2).straighten(Bitableau("[1|3]")), DomainError, "3"),
        (lambda: CoordinateRing(2, 2).straighten(7), DomainError, "7"),
        (lambda: MatrixPolynomial(1, 2, {(1,): 1}), DomainError, "exponents"),
        (lambda: CoordinateRing(2, 2).ideal(0), DomainError, "1"),
    ],
)
def test_one_sentence(call, kind, words):
    with pytest.raises(kind, match=words) as caught:
        call()
    assert type(caught.value) is kind and "--" not in str(caught.value)
