"""From and to other systems; what is not installed here is skipped."""

from fractions import Fraction

import numpy
import pytest
from intertwine import E, Group, Matrix, Permutation, branch, functor_of_hom


def test_numpy(S4):
    assert Group([numpy.array([1, 2, 3, 0]), numpy.array([1, 0, 2, 3], dtype=numpy.uint8)]) == S4
    V = S4.matrix_rep([numpy.array(S4.rep("perm").matrix(g)) for g in S4.generators])
    assert V.character() == S4.rep("perm").character()
    assert Matrix(numpy.array([[Fraction(1, 2), 1]], dtype=object)) == Matrix([["1/2", 1]])
    assert Matrix([[numpy.int64(3)]]) == Matrix([[3]])
    codes = (S4.rep("perm") >> S4.rep("perm")).table().weight_code  # read-only through DLPack as well
    assert not numpy.from_dlpack(codes).flags.writeable


def test_sympy(S4):
    sympy = pytest.importorskip("sympy")
    from sympy.combinatorics.named_groups import AlternatingGroup

    A5 = Group(AlternatingGroup(5))
    assert A5.order == 60 and A5.degree == 5 and Group(A5) == A5
    assert S4.to_sympy().order() == 24 and Group(S4.to_sympy()) == S4
    assert Permutation("(1,2,3)", 4).to_sympy().array_form == [1, 2, 0, 3]
    assert Matrix(sympy.Matrix([[1, sympy.Rational(1, 2)]])) == Matrix([[1, "1/2"]])
    assert Matrix([[1, "1/2"]]).to_sympy() == sympy.Matrix([[1, sympy.Rational(1, 2)]])
    root5 = E(5) + E(5, 4) - E(5, 2) - E(5, 3)
    assert abs(complex(root5.to_sympy().evalf()) - 5**0.5) < 1e-12 and E(4).to_sympy() == sympy.I


def test_algebra_systems(S4):
    assert S4.to_gap() == "Group([(1,2,3,4), (1,2)])" and Group([], degree=1).to_gap() == "Group(())"
    assert S4.to_sage() == 'PermutationGroup(["(1,2,3,4)", "(1,2)"], domain=range(1, 5))'
    assert S4.to_magma() == "PermutationGroup<4 | (1,2,3,4), (1,2)>"
    assert Group("Group((1,2,3,4),(1,2))") == S4  # as GAP writes it
    assert S4.rep("std").to_gap().startswith("GroupHomomorphismByImages") or "Group" in S4.rep("std").to_gap()


def test_texts(S4):
    table, found = S4.character_table(), S4.rep("perm").decompose()
    assert table.to_markdown().splitlines()[2] == "| [4] | 1 | 1 | 1 | 1 | 1 |"
    assert found.to_markdown().splitlines() == ["| irrep | degree | multiplicity |", "| --- | --: | --: |", "| [4] | 1 | 1 |", "| [3,1] | 3 | 1 |"]
    assert Matrix([[1, "1/2"]]).to_latex().startswith("\\begin{pmatrix}") and Matrix([[1]])._repr_latex_().startswith("$")
    assert Matrix.identity(33)._repr_latex_() is None
    golden = -E(5, 2) - E(5, 3)
    assert golden.to_text("square_roots") == "(1+ER(5))/2" and golden.to_text("atlas") == "-b5*" or golden.to_text("atlas")
    assert golden.to_text() == str(golden)


def test_pandas(S4):
    pandas = pytest.importorskip("pandas")
    frame = Group("A5").character_table().to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (5, 5) and frame.loc["[5]"].tolist() == [1] * 5
    assert S4.rep("perm").decompose().to_dataframe()["multiplicity"].tolist() == [1, 1]
    table = (S4.rep("sign*perm") >> S4.rep("perm^2")).table()
    entries = table.to_dataframe()
    assert len(entries) == numpy.count_nonzero(table.weight_code) and set(entries["sign"]) == {1, -1}
    assert entries.groupby("parameter").size().tolist() == table.orbit_size.tolist()


def test_notebooks(S4):
    html = Group("A5").character_table()._repr_html_()
    assert html.count("<tr>") == 7 and "ER(5)" in html and "<script" not in html
    assert "2 more rows" not in html and "more rows and columns" in Group("C70").character_table()._repr_html_()
    assert S4.rep("perm").decompose()._repr_html_().count("<tr>") == 3
    assert "burnside" in (S4.rep("perm") >> S4.rep("perm")).certificate()._repr_html_()
    maps = S4.rep("perm") >> S4.rep("perm")
    shown = maps._repr_html_()
    assert "4 × 4" in shown and "2, complete (burnside-elements)" in shown and "1, complete" in shown and "tied" in shown
    assert "sparse" in (S4.irrep(2) >> S4.irrep(2))._repr_html_()
    proof = maps.table().verify()
    assert proof.sha256 in proof._repr_html_() and "2 weights, 1 bias" in proof._repr_html_()
    assert S4.rep("perm").character()._repr_html_().count("<td") == 5 and ">4</td>" in S4.rep("perm").character()._repr_html_()
    assert branch([2], "orthogonal", 3)._repr_latex_().startswith("$S_{2}") and "otimes" in functor_of_hom([2], 2, 3)._repr_latex_()
