"""Tables of blocks: features of several multiplicities."""

import copy
import json
import pickle
import subprocess
import sys

import numpy
import pytest
from intertwine import DomainError, FileError, Group, Table, load_table, verify


@pytest.fixture
def table():
    G = Group("S5")
    return (G.rep("16*perm + 33*trivial") >> G.rep("8*perm")).table()


def test_blocks_are_values(table):
    assert table.inputs == [(16, 5, 0), (33, 1, 80)] and table.outputs == [(8, 5, 0)]
    assert (table.theta_size, table.bias_size) == (8 * 16 * 2 + 8 * 33, 8)
    first, second = table.blocks[0]
    assert (first.rows, first.cols, first.params, first.channels) == (5, 5, 2, (8, 16)) and (
        second.cols,
        second.params,
        second.channels,
    ) == (1, 1, (8, 33))
    assert repr(table) == "<Table of 1 x 2 blocks, 520 weights, 8 biases>"
    assert (
        copy.deepcopy(table) is table
        and pickle.loads(pickle.dumps(table)) == table
        and hash(pickle.loads(pickle.dumps(table))) == hash(table)
    )
    V = Group("S5").rep("perm")
    assert table != (V >> V).table() and len((V >> V).table().blocks) == 1
    with pytest.raises(DomainError, match="another number of"):
        Table.of_blocks([[first, second], [second, first]])


@pytest.mark.parametrize("form", ["safetensors", "npz", "json"])
def test_files_of_blocks(table, tmp_path, form):
    path = tmp_path / f"t.{form}"
    assert table.save(path) == table.sha256
    again = load_table(path)
    assert (
        again == table
        and again.blocks[0][0] == table.blocks[0][0]
        and again.blocks[0][1].metadata["rep_in"] == "trivial"
    )
    proof = verify(path)
    assert (
        proof.sha256 == table.sha256
        and (proof.dimension, proof.bias_dimension) == (520, 8)
        and proof.blocks[0][1].params == 1
    )
    assert (
        json.loads(proof.to_json())["dimension"] == "520"
        and "8 x 33 channels" in str(proof)
        and repr(proof) == "<TableProof of 1 x 2 blocks: 520 weights, 8 biases>"
    )
    first, second = proof.blocks[0]
    assert (first.group, first.order, first.rep_in, first.rep_out) == ("S5", 120, "perm", "perm")
    assert (second.rows, second.cols, second.bias_params) == (5, 1, 1)
    assert (second.dimension, second.bias_dimension) == (8 * 33, 8) and "elements" in second.route
    assert second.sha256 == again.blocks[0][1].sha256 and not second.images and second.claims == ["producer"]
    assert json.loads(second.to_json())["params"] == 1 and "trivial -> perm" in str(second)
    assert (proof.group, proof.order, proof.images, proof.claims) == ("S5", 120, False, ["producer"])
    assert table.verify().sha256 == table.sha256
    assert not hasattr(again, "rows") and not hasattr(again, "weight_code") and not hasattr(proof, "rep_in")
    with pytest.raises(DomainError, match=r"1 x 2 blocks: look at one of .blocks, or ask for one pattern"):
        again.text_picture()
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(FileError):
        load_table(path)


def test_blocks_of_continuous_groups(tmp_path):
    G = Group("O(3)")
    V, U = G.rep("16*trivial + 8*vector + 8*harmonic(2)"), G.rep("4*vector + vector*vector")
    table = (V >> U).table()
    assert table.inputs == [(16, 1, 0), (8, 3, 16), (8, 5, 40)] and table.outputs == [(4, 3, 0), (1, 9, 12)]
    assert (table.theta_size, table.bias_size) == ((V >> U).dimension, (V >> U).bias.dimension) == (16 + 8 * 4 + 8, 1)
    proved = (V >> U).table(proof=True)
    assert (
        proved.save(tmp_path / "t.safetensors") == table.sha256
        and verify(tmp_path / "t.safetensors").dimension == (V >> U).dimension
    )
    whole = (V >> U).table(single=True)
    assert whole.is_single and (whole.theta_size, whole.bias_size) == (table.theta_size, table.bias_size)
    with pytest.raises(DomainError, match="dimension 0"):
        (G.rep("0*vector") >> U).table()


def test_matrices_in_numpy(tmp_path):
    """The lines of docs/formats.md: the blocks make maps that commute, and all of them."""
    G = Group("S4")
    V, U = G.rep("2*perm + 3*sign"), G.rep("perm + 2*trivial")
    table = (V >> U).table()
    table.save(tmp_path / "blocks.npz")
    z = numpy.load(tmp_path / "blocks.npz")
    metadata = json.loads(z["metadata"].item())
    theta, start = numpy.random.default_rng(0).normal(size=table.theta_size), 0
    whole = numpy.zeros((U.dimension, V.dimension))
    for i, (out, rows, row) in enumerate(table.outputs):
        for j, (in_, cols, col) in enumerate(table.inputs):
            P = int(metadata[f"intertwine.block.{i}.{j}.params"])
            part = theta[start : start + P * out * in_].reshape(P, out, in_)
            start += part.size
            W = numpy.concatenate([numpy.zeros((1, out, in_)), part, -part])[z[f"block.{i}.{j}.weight.code"]]
            whole[row : row + out * rows, col : col + in_ * cols] = W.transpose(2, 0, 3, 1).reshape(
                out * rows, in_ * cols
            )
    assert start == table.theta_size == (V >> U).dimension and (V >> U).residual(whole) < 1e-12


def test_proofs(tmp_path):
    numpy = pytest.importorskip("numpy")  # noqa: F841
    import pathlib

    checker = pathlib.Path(__file__).resolve().parents[2] / "checkers/check_table.py"
    G = Group("S4")
    (G.rep("2*perm + std") >> G.rep("perm")).table(proof=True).save(tmp_path / "t.npz")
    assert str(verify(tmp_path / "t.npz")).count("images of the generators") == 1
    done = subprocess.run([sys.executable, checker, tmp_path / "t.npz"], capture_output=True, text=True)
    assert done.returncode == 0 and "block (0, 1)" in done.stdout


def test_initial_variance():
    G = Group("S5")
    table = (G.rep("16*perm + 33*trivial") >> G.rep("8*perm")).table()
    variances = table.initial_variance(gain=2.0)
    # 16 + 16 + 33 orbits of copies move an output equally: 5 rows, orbits of 5, 20 and 5 entries.
    expected = [4 * 5 / (size * 65) for size, copies in ((5, 16), (20, 16), (5, 33)) for _ in range(8 * copies)]
    assert len(variances) == table.theta_size and variances == pytest.approx(expected)
