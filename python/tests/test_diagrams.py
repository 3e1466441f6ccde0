"""Tables of diagrams: layers for every size, without PyTorch."""

import copy
import json
import pickle

import intertwine
import numpy
import pytest
from intertwine import DomainError, FileError, LimitError, verify
from intertwine.tables import diagrams, load_diagrams


def test_diagrams_are_values():
    table = diagrams("S(n)", "aa", "a", 3, 8)
    assert (table.axes_in, table.axes_out, table.groups, table.reduction, table.channels) == (
        "aa",
        "a",
        {"a": "S(n)"},
        "mean",
        (8, 3),
    )
    assert table.params == 5 and table.bias_params == 1
    assert table.diagrams.dtype == numpy.int32 and table.diagrams.shape == (5, 3) and not table.diagrams.flags.writeable
    assert table.diagrams.tolist() == [
        [0, 0, 0],
        [0, 0, 1],
        [0, 1, 0],
        [0, 1, 1],
        [0, 1, 2],
    ] and table.bias_diagrams.tolist() == [[0]]
    assert (
        "y[i] = mean x[i,j]" in str(table)
        and repr(table) == "<DiagramTable 'aa' -> 'a', S(n), 5 diagrams, 1 of the bias>"
    )
    assert (
        copy.deepcopy(table) is table
        and hash(table) == hash(diagrams("S(n)", "aa", "a", 3, 8))
        and table != diagrams("S(n)", "aa", "a")
    )
    again = pickle.loads(pickle.dumps(table))
    assert (
        again == table
        and again.groups == table.groups
        and pickle.loads(pickle.dumps(table.verify())).dimensions == table.verify().dimensions
    )
    with pytest.raises(DomainError, match="is there twice"):
        pickle.loads(
            pickle.dumps(diagrams("S(n)", "a", "a")).replace(
                b"]\x94(K\x00K\x00K\x00K\x01e", b"]\x94(K\x00K\x01K\x00K\x01e"
            )
        )
    assert diagrams("S(m)", "aa", "a", 3, 8) == table  # every letter has a size of its own
    assert diagrams("GL(n)", "vv", "v").diagrams.shape == (0, 3) and diagrams("S(n)", "", "").diagrams.shape == (1, 0)
    cloud = diagrams({"a": "S(n)", "v": "O(3)"}, "av", "av", reduction="sum")
    assert cloud.groups == {"a": "S(n)", "v": "O(3)"} and cloud.reduction == "sum" and cloud.params == 2
    assert cloud.dimension({"a": 1}) == cloud.dimension(1) == (1, 0) and cloud.dimension({"a": 4, "v": 3}) == (2, 0)
    assert diagrams("O(2)", "aaa", "aaa").dimension() == (10, 0)
    assert [diagrams("B4", "aa", "aa").params, diagrams("SU(3)", "vv", "v*").params] == [4, 1]


def test_initial_variance():
    # an equal share for 0 and 1 indices that are carried over, and among those that reach all entries; sums of n points
    # weigh 1/n^2
    assert diagrams("S(n)", "a", "a").initial_variance() == [0.5, 0.5]
    assert diagrams("S(n)", "a", "a", reduction="sum").initial_variance(n=4) == [0.5, 0.5 / 16]
    assert diagrams("O(n)", "v", "v", 4).initial_variance(5, gain=2) == [
        1
    ]  # one diagram, the identity, of four channels
    assert diagrams("Sp(n)", "v", "v").initial_variance(3) == [1]
    with pytest.raises(DomainError, match="size"):
        diagrams("Sp(n)", "v", "v").initial_variance(0)


def test_files_are_read_and_proved(tmp_path):
    table = diagrams("S(n)", "aa", "aa", 2, 2)
    for form in ("safetensors", "npz", "json"):
        path = tmp_path / f"graphs.{form}"
        assert table.save(path) == table.sha256 == load_diagrams(path).sha256 and load_diagrams(path) == table
        proof = verify(path)
        assert isinstance(proof, intertwine.tables.DiagramProof) and proof.complete and proof.table.params == 15
        assert proof.dimensions == [([1], 1, 1), ([2], 8, 2), ([3], 14, 2), ([4], 15, 2)]
        assert (
            json.loads(proof.to_json())["sha256"] == table.sha256
            and "all there are" in str(proof)
            and "15" in repr(proof)
        )
    some = table.select([14, 3], [1])
    assert (
        some.diagrams.tolist() == [table.diagrams[14].tolist(), table.diagrams[3].tolist()]
        and not some.verify().complete
    )
    (tmp_path / "graphs.json").write_text((tmp_path / "graphs.json").read_text().replace('"S(n)"', '"O(n)"'))
    with pytest.raises(FileError, match="inconsistent"):
        load_diagrams(tmp_path / "graphs.json")


def test_bad_input():
    table = diagrams("S(n)", "aa", "aa")
    for group, word in (("D4", "there are diagrams for"), ("SO(n)", "say which"), ({"b": "S(n)"}, "no axis 'b'")):
        with pytest.raises(DomainError, match=word):
            diagrams(group, "a", "a")
    with pytest.raises(DomainError, match="no word of axes"):
        diagrams("S(n)", "1", "a")
    with pytest.raises(DomainError, match="reductions are mean, sum"):
        diagrams("S(n)", "a", "a", reduction="max")
    with pytest.raises(DomainError, match="there are 15"):
        table.select([15], [])
    with pytest.raises(DomainError, match="say the size"):
        table.dimension()
    with pytest.raises(DomainError, match="size is not 4"):
        diagrams("O(3)", "a", "a").dimension({"a": 4})
    with pytest.raises(LimitError, match="there are 4213597 diagrams"):
        diagrams("S(n)", "aaaaaa", "aaaaaa")
