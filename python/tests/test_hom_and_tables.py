"""Hom, its basis and certificate, tables as NumPy arrays and files."""

import gc
import json
import pickle
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import intertwine
import numpy
import pytest
from intertwine import DomainError, FileError, Group, Matrix, VerificationError, load_table, verify


def test_hom(S4):
    V, U = S4.rep("perm"), S4.rep("perm^2")
    hom = V >> U
    assert hom.source == V and hom.target == U and hom.shape == (16, 4) and hom.is_tied
    assert hom.dimension == hom.params == 5 and hom.bias.dimension == 2
    assert ((3 * V) >> (2 * U)).dimension == 30 and ((3 * V) >> (2 * U)).params == 5
    certificate = hom.certificate()
    assert certificate.character_dimension == 5 and certificate.bias_character_dimension == 2
    assert certificate.commutes and certificate.every_entry_checked and certificate.independent
    assert certificate.route and certificate.bias_route
    assert V.commutant() == V >> V and V.commutant().dimension == 2
    hom.verify()
    assert "5 parameters" in hom.describe() and json.loads(hom.to_json())["dimension"] == "5"


def test_real_dimension():
    """1, 2, 4 for the types over the real numbers; complex matrices of real type leave all of M_2(R)."""
    for group, text, dimensions in (
        ("S3", "std", (1, 1)),
        ("C3", "irrep(2)", (1, 2)),
        ("Q8", "irrep(5)", (1, 4)),
        ("A5", "irrep(2)", (1, 1)),
        ("S4", "perm", (2, 2)),
    ):
        V = Group(group).rep(text)
        assert (V.commutant().dimension, V.commutant().real_dimension) == dimensions
        assert V.commutant().real_dimension == (V.real() >> V.real()).dimension
    G = Group("C3")
    V = G.rep("irrep(2)")
    assert (V >> G.rep("irrep(3)")).dimension == 0 and (V >> G.rep("irrep(3)")).real_dimension == 2  # the conjugate
    assert (G.rep("trivial") >> V).real_dimension == 0 and (G.rep("perm") >> V).real_dimension == 2


@pytest.mark.parametrize(
    "expressions", [("perm", "perm^2"), ("std", "perm^2"), ("perm + 2*sign", "std"), ("0*perm", "perm")]
)
def test_basis_commutes(S4, expressions):
    V, U = (S4.rep(e) for e in expressions)
    hom = V >> U
    basis = hom.basis()
    for B in basis:
        assert B.shape == hom.shape
        for g in S4.generators:
            assert B @ V.matrix(g) == U.matrix(g) @ B
    assert len(basis) == hom_dimension_of_pattern(V, U)
    for b in hom.bias.basis():
        for g in S4.generators:
            assert U.matrix(g) @ b == b


def hom_dimension_of_pattern(V, U):
    return intertwine.hom_dimension(V, U)


def test_basis_over_a_number_field():
    A5 = Group("A5")
    V, U = A5.irrep(1), A5.rep("alt(2, perm)")
    hom = V >> U
    (B,) = hom.basis()
    assert not hom.is_tied and B @ V.matrix("(1,2,3)") == U.matrix("(1,2,3)") @ B
    table = hom.table()
    dense = numpy.zeros((table.rows, table.cols))
    dense[table.basis_row, table.basis_col] = table.basis_val
    assert numpy.abs(dense - numpy.array(B, dtype=float)).max() < 1e-15 and table.basis_ptr.tolist() == [
        0,
        len(table.basis_val),
    ]
    assert numpy.allclose(table.squared_norms, (dense**2).sum())


def test_why_zero():
    hom = Group("B3").rep("coordinates") >> Group("B3").rep("coordinates")
    g = hom.why_zero(0, 1)
    assert g is not None and hom.why_zero(0, 0) is None
    R = hom.source.matrix(g)
    assert R[0, 0] * R[1, 1] == -1
    with pytest.raises(DomainError, match="outside"):
        hom.why_zero(3, 0)


def test_symmetrize(S4):
    hom = S4.rep("perm") >> S4.rep("perm")
    W = numpy.arange(16.0).reshape(4, 4)
    S = hom.symmetrize(W)
    assert S.dtype == numpy.float64 and numpy.allclose(S, 7.5) and hom.residual(S) == 0 < hom.residual(W) < 1
    assert hom.symmetrize(W.astype(numpy.float32)).dtype == numpy.float32
    assert hom.symmetrize(W[::-1, ::-1].T).shape == (4, 4)  # any strides
    exact = hom.symmetrize(W.astype(int))
    assert (
        isinstance(exact, Matrix)
        and exact[0, 1] == 7.5
        and hom.is_equivariant(exact)
        and not hom.is_equivariant(W.astype(int))
    )
    assert hom.symmetrize(exact) == exact and hom.residual(exact) == 0
    table = hom.table()
    theta = [S[0, 0], S[0, 1]]
    assert numpy.allclose(numpy.concatenate([[0], theta])[table.weight_code], S)
    with pytest.raises(DomainError, match="shape"):
        hom.symmetrize(W[:3])
    with pytest.raises(DomainError, match="complex"):
        hom.symmetrize(W * 1j)
    with pytest.raises(DomainError, match="dimensions"):
        hom.symmetrize(W.ravel())
    with pytest.raises(DomainError, match="exactly"):
        hom.is_equivariant(W)


def test_symmetrize_over_fields():
    V = Group("A5").irrep(1)  # over Q(sqrt(5)); between equal irreducible ones S(W) is the trace over the degree
    hom = V >> V
    root = Matrix([["sqrt(5)/3" if i == j else 0 for j in range(3)] for i in range(3)])
    W = [["sqrt(5)", 1, 2], [Fraction(1, 2), "E(3)", 0], [0, 7, "-E(3)"]]
    S = hom.symmetrize(W)
    assert S == root and hom.is_equivariant(S) and not hom.is_equivariant(W) and hom.residual(S) == 0
    assert hom.symmetrize([[3, 1, 2], [0, 0, 0], [5, 0, 0]]) == Matrix.identity(3)
    assert hom.residual(W) == pytest.approx((1 - 5 / 3 / (5 + 1 + 4 + 0.25 + 1 + 49 + 1)) ** 0.5)
    floats = numpy.array([[5**0.5, 1, 2], [0.5, 0, 0], [0, 7, 0]])
    assert numpy.allclose(hom.symmetrize(floats), numpy.array(root, dtype=float), atol=1e-14)
    G = Group("C3")  # not real
    hom = G.rep("perm") >> G.irrep(1)
    S = hom.symmetrize([[3, 0, 0]])
    assert (
        hom.is_equivariant(S) and {str(S[0, j]) for j in range(3)} == {"1", "E(3)", "E(3)^2"} and hom.residual(S) == 0
    )
    assert not hom.symmetrize([[1, 1, 1]]).entries()
    for question in (hom.symmetrize, hom.residual):
        with pytest.raises(DomainError, match=r"over Q\(E\(3\)\): symmetrize exact numbers"):
            question(numpy.ones((1, 3)))
    P = G.rep("perm")  # weights over a field between representations over Q
    assert (P >> G.rep("trivial")).symmetrize([["E(3)", "E(3)^2", 4]]) == Matrix([[1, 1, 1]])


def test_arrays_are_views(S4):
    table = (S4.rep("perm^2") >> S4.rep("perm^2")).table()
    codes = table.weight_code
    assert (
        codes.shape == (16, 16)
        and codes.dtype == numpy.uint8
        and codes.flags.c_contiguous
        and not codes.flags.writeable
    )
    assert codes.ctypes.data == table.weight_code.ctypes.data  # nothing is copied
    with pytest.raises(ValueError):
        codes[0, 0] = 1
    with pytest.raises(ValueError):
        codes.flags.writeable = True
    assert table.bias_code.shape == (16,) and table.orbit_size.tolist() == [
        int((codes == k + 1).sum()) for k in range(15)
    ]
    assert (table.rows, table.cols, table.params, table.bias_params, table.channels, table.is_tied) == (
        16,
        16,
        15,
        2,
        (1, 1),
        True,
    )
    assert table.metadata["rep_in"] == "perm^2" and len(table.sha256) == 64 and "16 x 16" in repr(table)
    kept = codes.copy()
    del table
    gc.collect()
    assert (codes == kept).all()  # its owner lives on
    large = (Group("C200").rep("perm") >> Group("C200").rep("perm")).table()
    assert large.weight_code.dtype == numpy.int32 and large.weight_code.max() == 200
    with pytest.raises(DomainError, match="basis_ptr"):
        (S4.rep("std") >> S4.rep("std")).table().weight_code
    with pytest.raises(DomainError):
        large.basis_ptr


@pytest.mark.parametrize("suffix", ["safetensors", "npz", "h5", "json"])
def test_files(S4, tmp_path, suffix):
    table = (S4.rep("2*perm^2 + 2*sign") >> S4.rep("3*alt(2, perm)")).table()
    path = tmp_path / f"layer.{suffix}"
    assert table.save(path) == table.sha256
    again = load_table(path)
    assert again == table and (again.weight_code == table.weight_code).all() and again.channels == (3, 2)
    proof = verify(str(path))
    assert (proof.group, proof.order, proof.rep_in, proof.rep_out) == (
        "S4",
        24,
        table.metadata["rep_in"],
        table.metadata["rep_out"],
    )
    assert (proof.rows, proof.cols, proof.params, proof.bias_params) == (
        table.rows,
        table.cols,
        table.params,
        table.bias_params,
    )
    assert (
        proof.dimension == 6 * table.params
        and proof.bias_dimension == 3 * table.bias_params
        and proof.sha256 == table.sha256
    )
    assert (
        json.loads(proof.to_json())["sha256"] == proof.sha256
        and "verified" in str(proof)
        or "counted again" in str(proof)
    )
    assert proof.route and "weights" in repr(proof) and again.verify().params == proof.params
    with pytest.raises(FileError, match="cannot"):
        table.save(tmp_path / "no" / "such" / f"folder.{suffix}")
    assert [f.name for f in tmp_path.iterdir()] == [path.name]


def test_proofs_travel(S4, tmp_path):
    checker = Path(__file__).parents[2] / "checkers" / "check_table.py"
    homs = [
        S4.rep("perm^2") >> S4.rep("perm*sign"),
        S4.rep("std") >> S4.rep("perm"),
        Group("A5").rep("irrep(2)") >> Group("A5").rep("irrep(2)"),
    ]
    homs.append(Group("O(3)").rep("vector^2") >> Group("O(3)").rep("vector^2"))
    for hom in homs:
        bare, table = hom.table(), hom.table(proof=True)
        assert table == bare and table.sha256 == bare.sha256 and not bare.verify().images
        files = [
            tmp_path / "t.safetensors",
            tmp_path / "t.npz",
            tmp_path / "t.json",
            tmp_path / "again.npz",
            tmp_path / "pickled.npz",
        ]
        for file in files[:3]:
            assert table.save(file) == bare.sha256
        load_table(files[0]).save(files[3])
        pickle.loads(pickle.dumps(table)).save(files[4])
        assert files[3].read_bytes() == files[4].read_bytes() == files[1].read_bytes()
        assert verify(files[0]).images and verify(files[0]).claims == ["producer"]
        done = subprocess.run([sys.executable, checker, *files], capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.count(": accepted") == len(files), done.stdout + done.stderr
        bare.save(files[0])
        assert subprocess.run([sys.executable, checker, files[0]], capture_output=True).returncode == 1
    with pytest.raises(DomainError, match="proof"):
        table = homs[0].table(proof=True)
        table.save(tmp_path / "t.hpp")


def test_false_tables_do_not_verify(S4, tmp_path):
    table = (S4.rep("perm") >> S4.rep("perm")).table()
    path = tmp_path / "t.json"
    table.save(path)
    document = json.loads(path.read_text())
    for claim in ("regular", "trivial + std"):  # another dimension; the same, but not a permutation representation
        document["metadata"]["intertwine.rep_in"] = claim
        (tmp_path / "false.json").write_text(json.dumps(document))
        with pytest.raises(VerificationError, match="dimensions|monomial"):
            verify(tmp_path / "false.json")
    path.write_text("not a table")
    with pytest.raises(FileError):
        load_table(path)
    with pytest.raises(FileError):
        load_table(tmp_path)


def test_pictures(S4, tmp_path):
    table = (S4.rep("perm^2") >> S4.rep("perm^2")).table()
    assert table.picture().startswith("<svg") or "<svg" in table.picture()[:200]
    assert table._repr_svg_() == table.picture() and len(table.text_picture(width=40).splitlines()) >= 16
    small = (Group("S3").rep("perm") >> Group("S3").rep("perm")).table()
    cells = re.findall(r"\x1b\[48;5;(\d+)m", small.text_picture(width=40, colour=True))
    assert small.text_picture(40).startswith("A B B | C\nB A B | C\nB B A | C\nA θ0 ×3") and sorted(
        cells.count(k) for k in set(cells)
    ) == [4, 4, 7]  # and a legend
    assert table.picture(tmp_path / "t.html").endswith("t.html") and "<html" in (tmp_path / "t.html").read_text()[:500]
    table.picture(tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes()[:4] == b"\x89PNG"
    sparse = (S4.rep("std") >> S4.rep("std")).table()
    assert sparse._repr_svg_() == sparse.picture() and "paler where their coefficients are smaller" in sparse.picture()
    sparse.picture(tmp_path / "sparse.png")
    assert (tmp_path / "sparse.png").read_bytes()[:4] == b"\x89PNG"


def test_symmetry():
    cube = Group("Rubik(2)")
    table = (cube.rep("perm") >> cube.rep("perm")).table()
    symmetry = table.symmetry()
    assert (
        symmetry is not None
        and symmetry.order % cube.order == 0
        and symmetry.group.degree == 48
        and not symmetry.has_signs
    )
    assert str(symmetry.order) in repr(symmetry) and table.symmetry(max_entries=10) is None


def test_pictures_of_representations(S4, tmp_path):
    V = Group("B3").rep("coordinates")
    drawn = V.picture(tmp_path / "arcs.svg")
    assert (
        drawn == str(tmp_path / "arcs.svg")
        and (tmp_path / "arcs.svg").read_text() == V.picture()
        and V.picture().count("<path") > 1
    )
    with pytest.raises(DomainError):
        S4.rep("std").picture()
    V.picture(tmp_path / "arcs.png")
    assert (tmp_path / "arcs.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(DomainError, match="svg"):
        V.picture(tmp_path / "arcs.html")
    table = (S4.rep("perm^2") >> S4.rep("perm^2")).table()
    blocks = table.picture(isotypic=True)
    assert "in isotypic coordinates, 15 parameters in 4 blocks" in blocks and blocks == (
        S4.rep("perm^2") >> S4.rep("perm^2")
    ).table(isotypic=True).picture(isotypic=True)
    table.picture(tmp_path / "blocks.html", isotypic=True)
    assert "isotypic coordinates" in (tmp_path / "blocks.html").read_text()
