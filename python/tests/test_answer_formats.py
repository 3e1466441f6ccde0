"""Every answer in every format that the program has: to_format."""

import csv
import io
import json

import pytest
from intertwine import (
    DomainError,
    Group,
    SpaceGroup,
    automorphisms,
    branch,
    chem,
    gl,
    kernel_basis,
    point_kernels,
    steerable_kernels,
)

WATER = "3\n\nO 0 0 0.1173\nH 0 0.7572 -0.4692\nH 0 -0.7572 -0.4692\n"
PLANE = Group("S3").rep("perm")


def answers(folder):
    S4 = Group("S4")
    H = S4.subgroup(["(1,2,3)", "(1,2)"])
    (folder / "water.xyz").write_text(WATER)
    diamond = SpaceGroup("Fd-3m")
    cell = ([[3.57, 0, 0], [0, 3.57, 0], [0, 0, 3.57]], [[0, 0, 0], [0.5, 0.5, 0.5]], ["Cs", "Cl"])
    try:
        crystals = [chem.Crystal(cell)]
    except DomainError as error:  # neither the library nor Python has spglib
        assert "pip install spglib" in str(error)
        crystals = []
    return [
        Group("S3").rep("perm").decompose(),
        Group("SU(3)").rep("vector^2").decompose(),
        branch([2, 1], "symmetric", 4),
        gl.functor_of_hom([2], PLANE, Group("S2").rep("perm")),
        Group("S3").clebsch_gordan(2, 2),
        steerable_kernels("SE(3)", "vector", "trivial"),
        point_kernels("R^2 : C4", "trivial", "trivial", degree=4),
        kernel_basis(S4, H, H, H.rep("trivial"), H.rep("trivial")),
        Group("S3").irreducible_forms(),
        chem.molecule(folder / "water.xyz"),
        chem.correlation_table("Oh", "D4h"),
        *crystals,
        diamond.irreps_at([0, 0, 0]),
        chem.tensor_form("elastic", "m-3m"),
    ]


def test_every_answer_has_every_format(tmp_path):
    for answer in answers(tmp_path):
        json.loads(answer.to_format("json"))
        for system in ("gap", "sage", "magma"):
            assert answer.to_format(format=system).startswith("intertwine "), (type(answer), system)
        assert any(begin in answer.to_format("latex") for begin in ("\\[", "$", "\\begin")), type(answer)
        assert "<table>" in answer.to_format("html") and "---" in answer.to_format("markdown")
        rows = list(csv.reader(io.StringIO(answer.to_format("csv"))))
        assert len(rows) > 1 and len({len(row) for row in rows if row}) <= 2, (type(answer), rows)
        assert len(answer.to_format("text", width=60)) > 4
        with pytest.raises(DomainError, match="csv"):
            answer.to_format("pdf")


def test_formats_say_the_same(tmp_path):
    found = Group("S3").rep("perm").decompose()
    assert found.to_format("text") == str(found) and json.loads(found.to_format("json")) == json.loads(found.to_json())
    assert found.to_format("csv") == 'irrep,degree,multiplicity\n[3],1,1\n"[2,1]",2,1\n'
    wide = Group("SU(3)").rep("adjoint^5").decompose()
    assert len(wide.to_format("text", width=40).splitlines()) > len(wide.to_format("text", 200).splitlines())


def test_an_answer_that_is_no_table():
    found = automorphisms([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    assert json.loads(found.to_format("json"))["order"] == "2" and "Group(" in found.to_format("gap")
    assert found.to_format("text", width=60) == str(found)
    with pytest.raises(DomainError, match="take text or json"):
        found.to_format("csv", seconds=10)
