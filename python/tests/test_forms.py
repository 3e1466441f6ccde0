"""Bases, kernels and polynomial maps as LaTeX, CSV and for GAP and Sage."""

import json
import pickle

import pytest
from intertwine import (
    DomainError,
    Group,
    LimitError,
    VerificationError,
    kernel_basis,
    limits,
    polynomial_maps,
    steerable_kernels,
    verify,
)

SAGE = {
    "QQ": None,
    "matrix": lambda ring, rows: rows,
    "UniversalCyclotomicField": lambda: type("", (), {"gen": None}),
    "PolynomialRing": lambda ring, n, names: type("", (), {"gens": lambda self: [2, 3, 5][:n]})(),
}


def test_bases():
    S3 = Group("S3")
    hom = S3.rep("perm") >> S3.rep("perm")
    weights, bias = eval(hom.to_sage(), dict(SAGE))
    assert [[[int(x) for x in row] for row in B.tolist()] for B in hom.basis()] == weights
    assert bias == [[[1], [1], [1]]]
    assert hom.to_gap() == "[[[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]], [[[1], [1], [1]]]]"
    assert r"\theta_{2}" in hom.to_latex() and hom.to_csv().splitlines()[1] == "weight,1,1,1,1"
    turns = Group("SO(3)").rep("vector^2") >> Group("SO(3)").rep("vector")
    (cross,), _ = eval(turns.to_sage(), dict(SAGE))
    assert [x for row in cross for x in row] == [int(x) for row in turns.basis()[0].tolist() for x in row]
    assert r"-\theta_{1}" in turns.to_latex() and turns.to_csv().count("\n") == 7 and turns.to_gap().startswith("[[[[0")
    with pytest.raises(LimitError, match="page of LaTeX"):
        (S3.rep("regular^3") >> S3.rep("regular^2")).to_latex()


def test_kernels():
    S4 = Group("S4")
    H = S4.subgroup(["(1,2,3)", "(1,2)"])
    kernels = kernel_basis(S4, H, H, H.rep("trivial"), H.rep("trivial"))
    assert kernels.to_gap().startswith("[[(), [[[1]]]]") and "G(" in kernels.to_sage()
    assert r"\kappa_{2}" in kernels.to_latex() and len(kernels.to_csv().splitlines()) == 3
    fields = steerable_kernels("SE(3)", "vector", "trivial")
    assert eval(fields.to_sage(), dict(SAGE, matrix=lambda P, rows: rows)) == [[[2, 3, 5]]]
    assert fields.to_gap().startswith("CallFuncList(function(x)") and r"x & y & z" in fields.to_latex()
    assert fields.to_csv().splitlines()[1:] == ["1,1,1,1,x", "1,1,1,2,y", "1,1,1,3,z"]


def test_files_of_kernels_are_proved(tmp_path):
    S4 = Group("S4")
    H, K = S4.subgroup(["(1,2,3)", "(1,2)"]), S4.subgroup(["(1,2,3,4)"])
    kernels = kernel_basis(S4, H, K, H.rep("std"), K.rep("perm"))
    path = tmp_path / "k.json"
    path.write_text(kernels.to_json())
    proved = verify(path)
    assert proved == kernels and proved.dimension == 12 and proved.to_json() == kernels.to_json()
    document = json.loads(kernels.to_json())
    values = document["double_cosets"][0]["values"]
    assert pickle.loads(pickle.dumps(proved)) == proved
    own = json.loads(kernels.to_json())
    own["double_cosets"][0]["values"][0][0][1] = "1"  # the first kernel and the second in the place of the first
    path.write_text(json.dumps(own))
    with pytest.raises(DomainError, match="are not pickled"):
        pickle.dumps(verify(path))
    values[0] = values[1]
    path.write_text(json.dumps(document))
    with pytest.raises(VerificationError, match="double coset of"):
        verify(path)


def test_pictures_of_kernels(tmp_path):
    fields = steerable_kernels("SE(2)", "vector", "vector")
    assert "<svg" in fields.picture() and "SE(2)" in fields.picture()
    path = str(tmp_path / "k.png")
    assert fields.picture(path) == path and open(path, "rb").read(4) == b"\x89PNG"
    S4 = Group("S4")
    H = S4.subgroup(["(1,2,3)", "(1,2)"])
    points = kernel_basis(S4, H, H, H.rep("perm"), H.rep("perm"))
    assert points.picture().endswith("</svg>\n") and points.picture(path=path) == path
    with pytest.raises(DomainError, match="pictures are of rational numbers"):
        A4 = Group("A4")
        kernel_basis(A4, A4, A4, A4.rep("irrep(2)"), A4.rep("irrep(2)")).picture()


def test_polynomial_maps():
    V = Group("S3").rep("perm")
    F = polynomial_maps(V, V.group.rep("trivial"), 2)
    assert eval(F.to_sage(), dict(SAGE)) == [[4 + 9 + 25], [6 + 10 + 15]]
    assert "x[1]^2+x[2]^2+x[3]^2" in F.to_gap()
    R = Group("O(3)").rep("vector")
    lengths = polynomial_maps(R, R.group.rep("trivial"), 2)
    assert eval(lengths.to_sage(), dict(SAGE)) == [[4 + 9 + 25]] and "x[1]^2" in lengths.to_gap()


def test_memory_is_asked_for():
    S5 = Group("S5")
    hom = S5.rep("perm^3") >> S5.rep("perm^3")
    hom.basis()
    with limits(memory="1M"), pytest.raises(LimitError, match="raise"):
        hom.to_gap()
