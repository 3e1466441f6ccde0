"""Equivariant polynomial maps, and files of answers that are proved again."""

import json

import numpy
import pytest
from intertwine import DomainError, FileError, Group, IrreducibleForms, PolynomialMaps, ProvedCharacters, TableProof, VerificationError, polynomial_maps, verify

V = Group("S3").rep("perm")


def test_maps():
    F = polynomial_maps(V, V, 2)
    assert F.dimension == len(F) == 4 == (V.sym(2) >> V).dimension and F.degree == 2 and F.source == F.target == V
    assert F.field == "Q" and F.route and F.monomials[0] == [(0, 2)] and F.maps[0][0] == (0, 0, 1) and F.coordinate(1, 0) == "x1*x2 + x1*x3"
    values = F([1, 2, "1/2"])
    g = V.matrix("(1,2,3)").tolist()

    def act(x):
        return [sum(a * b for a, b in zip(row, x)) for row in g]

    assert [act(v) for v in F([1, 2, 3])] == F(act([1, 2, 3])) == F(numpy.array(act([1, 2, 3])))
    x = numpy.random.default_rng(1).random((5, 2, 3))
    assert F(x).shape == (5, 2, 4, 3) and numpy.allclose(F(x)[3, 1], F(x[3, 1]))
    assert numpy.allclose(F(numpy.array([1.0, 2.0, 0.5])), numpy.array(values, dtype=float))
    arrays = F.to_arrays()
    assert arrays["variables"].shape == (6, 2) and set(arrays) == {"map", "output", "monomial", "coefficient", "variables"}
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
    assert polynomial_maps(V, V, 0)([1, 2, 3]) == [[1, 1, 1]] and polynomial_maps(V, V, 0)(numpy.ones(3)).tolist() == [[1, 1, 1]]
    R = Group("A5").irrep(1)
    F = polynomial_maps(R, Group("A5").irrep(2), 3)
    F.verify()
    assert F.field == "Q(sqrt(5))" and numpy.allclose(F(numpy.array([1.0, 2, 3])), [[complex(a).real for a in v] for v in F([1, 2, 3])])
    rotations = Group("C3").irrep(1)
    assert polynomial_maps(rotations, rotations, 4)(numpy.array([2.0])).shape == (1, 1)


def test_sympy():
    sympy = pytest.importorskip("sympy")
    x1, x2, x3 = sympy.symbols("x1 x2 x3")
    assert polynomial_maps(V, V, 2).to_sympy()[1] == sympy.Matrix([x1 * x2 + x1 * x3, x1 * x2 + x2 * x3, x1 * x3 + x2 * x3])


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
        assert proved.rows == forms.rows and proved.multiplicities == forms.multiplicities and len(proved) == len(proved.representations)
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
    assert isinstance(found, ProvedCharacters) and found.order == 60 and found.classes == found.characters == 5 and not found.matrices
    assert found.group == "A5" and found.claims == ["class_names", "names"] and "A5" in repr(found) and "5 irreducible characters" in str(found)
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
