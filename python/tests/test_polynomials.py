"""Equivariant polynomial maps, and files of answers that are proved again."""

import json
from math import comb

import intertwine
import numpy
import pytest
from intertwine import (
    DomainError,
    FileError,
    Group,
    IrreducibleForms,
    PolynomialMaps,
    VerificationError,
    molien_series,
    polynomial_maps,
    verify,
)
from intertwine.tables import ProvedCharacters, TableProof

V = Group("S3").rep("perm")


def test_maps():
    F = polynomial_maps(V, V, 2)
    assert F.dimension == len(F) == 4 == (V.sym(2) >> V).dimension and F.degree == 2 and F.source == F.target == V
    assert (
        F.field == "Q"
        and F.route
        and F.monomials[0] == [(0, 2)]
        and F.maps[0][0] == (0, 0, 1)
        and F.coordinate(1, 0) == "x1*x2 + x1*x3"
    )
    values = F([1, 2, "1/2"])
    g = V.matrix("(1,2,3)").tolist()

    def act(x):
        return [sum(a * b for a, b in zip(row, x)) for row in g]

    assert [act(v) for v in F([1, 2, 3])] == F(act([1, 2, 3])) == F(numpy.array(act([1, 2, 3])))
    x = numpy.random.default_rng(1).random((5, 2, 3))
    assert F(x).shape == (5, 2, 4, 3) and numpy.allclose(F(x)[3, 1], F(x[3, 1]))
    assert numpy.allclose(F(numpy.array([1.0, 2.0, 0.5])), numpy.array(values, dtype=float))
    arrays = F.to_arrays()
    assert arrays["variables"].shape == (6, 2) and set(arrays) == {
        "map",
        "output",
        "monomial",
        "coefficient",
        "variables",
    }
    assert F.to_latex() and F._repr_latex_() and "x1^2" in str(F)
    F.verify()
    assert PolynomialMaps.from_json(F.to_json()) == F
    with pytest.raises(DomainError, match="3"):
        F([1, 2])
    with pytest.raises(DomainError, match=r"\.\.\., 3"):
        F(numpy.zeros(2))
    with pytest.raises(DomainError, match="Fraction"):
        F([0.5, 1, 1])
    with pytest.raises(DomainError, match="groups"):
        polynomial_maps(V, Group("S4").rep("perm"), 2)


def test_constants_and_irrational_maps():
    assert polynomial_maps(V, V, 0)([1, 2, 3]) == [[1, 1, 1]] and polynomial_maps(V, V, 0)(numpy.ones(3)).tolist() == [
        [1, 1, 1]
    ]
    R = Group("A5").irrep(1)
    F = polynomial_maps(R, Group("A5").irrep(2), 3)
    F.verify()
    assert F.field == "Q(sqrt(5))" and numpy.allclose(
        F(numpy.array([1.0, 2, 3])), [[complex(a).real for a in v] for v in F([1, 2, 3])]
    )
    rotations = Group("C3").irrep(1)
    assert polynomial_maps(rotations, rotations, 4)(numpy.array([2.0])).shape == (1, 1)


def test_sympy():
    sympy = pytest.importorskip("sympy")
    x1, x2, x3 = sympy.symbols("x1 x2 x3")
    assert polynomial_maps(V, V, 2).to_sympy()[1] == sympy.Matrix(
        [x1 * x2 + x1 * x3, x1 * x2 + x2 * x3, x1 * x3 + x2 * x3]
    )


def test_files_of_answers(tmp_path):
    F = polynomial_maps(V, V, 2)
    (tmp_path / "maps.json").write_text(F.to_json())
    assert verify(tmp_path / "maps.json") == F
    wrong = json.loads(F.to_json())
    wrong["maps"][0][0][1] = 1
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    with pytest.raises((VerificationError, FileError), match=r"wrong\.json"):
        verify(tmp_path / "wrong.json")
    for over in ("complex", "real", "rational"):
        forms = Group("C3").irreducible_forms(over)
        forms.verify()
        (tmp_path / "irreps.json").write_text(forms.to_json())
        proved = verify(tmp_path / "irreps.json")
        assert isinstance(proved, IrreducibleForms) and proved.over == over and proved.group == Group("C3")
        assert (
            proved.rows == forms.rows
            and proved.multiplicities == forms.multiplicities
            and len(proved) == len(proved.representations)
        )
        assert forms.missing == []
        if over == "complex":
            assert json.loads(forms.to_json(proof=True))["proof"]["form"] == "representations"
        else:
            with pytest.raises(DomainError, match="complex"):
                forms.to_json(proof=True)
        assert "IrreducibleForms" in repr(proved) and str(proved) and "Hom" in proved.to_gap()
    (V >> V).table().save(tmp_path / "table.json")
    assert isinstance(verify(tmp_path / "table.json"), TableProof)


def test_files_with_proofs_are_proved_from_them(tmp_path) -> None:
    file, table = tmp_path / "proved.json", Group("A5").character_table()
    text = table.to_json(proof=True)
    file.write_text(text)
    found = verify(file)
    assert (
        isinstance(found, ProvedCharacters)
        and found.order == 60
        and found.classes == found.characters == 5
        and not found.matrices
    )
    assert (
        found.group == "A5"
        and found.claims == ["class_names", "names"]
        and "A5" in repr(found)
        and "5 irreducible characters" in str(found)
    )
    assert json.loads(found.to_json())["characters"] == 5
    document = json.loads(text)
    document["irreducibles"][1][0] = "4"
    file.write_text(json.dumps(document))
    with pytest.raises(VerificationError, match="row 1 is not its combination of induced characters on class 0"):
        verify(file)
    document["group"] = "M11"
    document["irreducibles"] = json.loads(text)["irreducibles"]
    file.write_text(json.dumps(document))
    with pytest.raises(VerificationError, match="calls its group M11"):
        verify(file)
    file.write_text(Group("Q8").irreducible_forms("complex").to_json(proof=True))
    found = verify(file)
    assert isinstance(found, ProvedCharacters) and found.matrices and found.characters == 5
    file.write_text(table.to_json())
    with pytest.raises(FileError, match="it has no proof"):
        verify(file)


# The sextic's invariants (Gordan), Weyl's of O(3), and Molien's formula for a finite group beside one that does
# nothing.
def test_molien_series():
    sextic = molien_series(Group("SU(2)").rep("sym(6, vector)"), degree=30)
    assert (
        sextic.degrees == [2, 4, 6, 10]
        and sextic.numerator == [1] + 14 * [0] + [1]
        and sextic.coefficients[30]
        == sum(1 for a in range(4) for b in range(6 - a) for c in range(8) if 5 * a + 3 * b + 2 * c <= 15)
    )
    O3 = Group("O(3)")
    V, W = O3.rep("2*vector"), O3.rep("vector")
    assert molien_series(V).coefficients == [comb(k // 2 + 2, 2) * (1 - k % 2) for k in range(13)]
    assert molien_series(V, W, degree=4).coefficients == [len(polynomial_maps(V, W, k)) for k in range(5)]
    S4 = Group("S4")
    finite, beside = molien_series(S4.rep("perm")), molien_series(Group("S4 x SO(3)").rep("perm # trivial"))
    assert (
        finite == beside
        and hash(finite) == hash(beside)
        and str(finite) == "  1 1 2 3 5 6 9 11 15 18 23 27 34\n  = (1) / ((1 - t)(1 - t^2)(1 - t^3)(1 - t^4))\n"
    )
    assert repr(molien_series(S4.rep("perm"), S4.rep("sign"), 6)) == "<MolienSeries [0, 0, 0, 0, 0, 0, 1]>"
    with pytest.raises(intertwine.DomainError, match="different groups"):
        molien_series(V, Group("SO(3)").rep("vector"))
    with pytest.raises(intertwine.LimitError):
        molien_series(Group("SU(20)").rep("sym(2, vector)"), degree=100)


# Points in space whatever their order: the |x_i|^2 and the <x_i, x_j>; to a vector of degree 3 <x_i, x_j> x_k with i =
# j = k, i = j, i = k, all different.
def test_maps_of_clouds():
    G = Group("S4 x O(3)")
    V = G.rep("perm # vector")
    invariants = polynomial_maps(V, G.rep("trivial"), 2)
    invariants.verify()
    x = numpy.random.default_rng(0).standard_normal((4, 3))
    assert numpy.allclose(
        numpy.sort(invariants(x.reshape(12))[:, 0]),
        numpy.sort([(x**2).sum(), ((x.sum(0) ** 2).sum() - (x**2).sum()) / 2]),
    )
    assert len(polynomial_maps(V, G.rep("trivial # vector"), 3)) == 4
