"""HDF5 files of tables: written and read with h5py, in the layout of docs/formats.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import intertwine
import numpy as np
import pytest
from intertwine import FileError, Group

REPOSITORY = Path(__file__).parents[2]
OLD = REPOSITORY / "tests" / "data" / "hdf5_tables"


@pytest.fixture
def h5py():
    return pytest.importorskip("h5py")


def tables():
    s4, s5 = Group("S4"), Group("S5")
    blocks = (s5.rep("16*perm + 33*trivial") >> s5.rep("8*perm")).table()
    return {
        "tied": ((s4.rep("perm^2") >> s4.rep("perm")).table(), intertwine.load_table),
        "codes of two bytes": ((s4.rep("perm^4") >> s4.rep("perm^3")).table(), intertwine.load_table),
        "sparse": ((s4.rep("std") >> s4.rep("std + perm")).table(), intertwine.load_table),
        "over Q(sqrt 5)": (
            (Group("A5").rep("irrep(1)") >> Group("A5").rep("irrep(1)^2")).table(),
            intertwine.load_table,
        ),
        "no parameters": ((s4.rep("sign") >> s4.rep("trivial")).table(), intertwine.load_table),
        "blocks": (blocks, intertwine.load_table),
        "diagrams": (intertwine.tables.diagrams("S(n)", "aa", "a"), intertwine.tables.load_diagrams),
    }


@pytest.mark.parametrize("kind", tables())
@pytest.mark.parametrize("ending", (".h5", ".hdf5"))
def test_round_trip(h5py, tmp_path, kind, ending):
    table, load = tables()[kind]
    path = tmp_path / ("table" + ending)
    digest = table.save(path)
    again = load(path)
    assert again == table
    assert again.save(tmp_path / "t.npz") == digest == table.save(tmp_path / "u.npz")
    assert (tmp_path / "t.npz").read_bytes() == (tmp_path / "u.npz").read_bytes()
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, "t.npz", "u.npz"])  # no temporary file stays
    # The data sets are the arrays of the NPZ file, the attributes its metadata.
    with h5py.File(path) as file, np.load(tmp_path / "u.npz") as npz:
        assert {*file} == {*npz.files} - {"metadata"}
        for name in file:
            assert file[name].dtype == npz[name].dtype and np.array_equal(file[name][()], npz[name])
            assert file[name].chunks is None
        assert file.attrs["intertwine.sha256"] == digest


def test_codes_are_read_after_the_file_is_gone(h5py, tmp_path):
    table = tables()["tied"][0]
    table.save(tmp_path / "t.h5")
    again = intertwine.load_table(tmp_path / "t.h5")
    os.remove(tmp_path / "t.h5")
    assert np.array_equal(again.weight_code, table.weight_code)


def test_files_of_version_0_2(h5py):
    s4, s5 = Group("S4"), Group("S5")
    assert intertwine.load_table(OLD / "tied.h5") == (s4.rep("perm^2") >> s4.rep("perm")).table()
    assert intertwine.load_table(OLD / "blocks.h5") == (s5.rep("16*perm + 33*trivial") >> s5.rep("8*perm")).table()
    assert intertwine.tables.load_diagrams(OLD / "diagrams.h5") == intertwine.tables.diagrams("S(n)", "a", "a")
    for name in ("tied.h5", "blocks.h5", "diagrams.h5"):
        assert intertwine.verify(OLD / name)


def test_the_checker_accepts_what_python_writes(h5py, tmp_path):
    intertwine.load_table(OLD / "tied.h5").save(tmp_path / "t.h5")
    checker = [sys.executable, str(REPOSITORY / "checkers" / "check_table.py"), "t.h5"]
    found = subprocess.run(checker, cwd=tmp_path, capture_output=True, text=True)
    assert found.returncode == 0 and found.stdout.startswith("t.h5: accepted"), found
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        file["weight.code"][0, 0] = 2
    assert subprocess.run(checker, cwd=tmp_path, capture_output=True).returncode != 0
    with pytest.raises(FileError, match="t.h5"):
        intertwine.verify(tmp_path / "t.h5")


@pytest.mark.parametrize(
    "options",
    ({"compression": "gzip", "shuffle": True, "fletcher32": True}, {"chunks": True}, {"compression": "lzf"}),
    ids=str,
)
@pytest.mark.parametrize("latest", (False, True))
def test_what_h5py_wrote(h5py, tmp_path, options, latest):
    table = tables()["codes of two bytes"][0]
    table.save(tmp_path / "t.h5")
    with (
        h5py.File(tmp_path / "t.h5") as old,
        h5py.File(tmp_path / "u.h5", "w", libver="latest" if latest else None) as new,
    ):
        for key in old.attrs:
            new.attrs[key] = np.bytes_(old.attrs[key].encode()) if key.endswith("rep_in") else old.attrs[key]
        for key in old:
            new.create_dataset(key, data=old[key][()], **options)
        new.create_dataset("notes", data="mine")
        new.create_group("weight")
    assert intertwine.load_table(tmp_path / "u.h5") == table


def test_without_h5py(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match="pip install h5py"):
        tables()["tied"][0].save(tmp_path / "t.h5")
    assert os.listdir(tmp_path) == []
    with pytest.raises(ImportError, match="pip install h5py"):
        intertwine.load_table(OLD / "tied.h5")


def refused(path, words):
    with pytest.raises(FileError, match=words) as refusal:
        intertwine.load_table(path)
    message = str(refusal.value)
    assert path.name in message and "\n" not in message and "table.safetensors" not in message, message


def test_damaged_files(h5py, tmp_path):
    whole = (OLD / "tied.h5").read_bytes()
    path = tmp_path / "cut.h5"
    for length in (8, 100, 1000, len(whole) - 100):
        path.write_bytes(whole[:length])
        refused(path, "damaged|has a size")
    table = intertwine.load_table(OLD / "tied.h5")
    random, accepted = np.random.default_rng(5), 0
    for _ in range(20):
        bytes_ = bytearray(whole)
        for place in random.integers(0, len(whole), 60):
            bytes_[place] = random.integers(0, 256)
        path.write_bytes(bytes_)
        try:
            accepted += 1
            assert intertwine.load_table(path) == table
        except intertwine.Error as error:
            accepted -= 1
            assert "cut.h5" in str(error) and "\n" not in str(error)
    assert accepted < 20  # much of an HDF5 file says nothing


def changed(h5py, path, change):
    shutil.copy(OLD / "tied.h5", path)
    with h5py.File(path, "r+") as file:
        change(file)
    return path


def replaced(name, **options):
    def change(file):
        del file[name]
        file.create_dataset(name, **options)

    return change


def test_foreign_files(h5py, tmp_path):
    path = tmp_path / "t.h5"
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(5)
    refused(path, "no weight table|intertwine")
    # A size that only the file states: nothing of it is allocated.
    refused(
        changed(h5py, path, replaced("weight.code", shape=(1 << 40, 16), dtype="u1", chunks=(1024, 16))),
        "size that does not fit",
    )
    refused(
        changed(h5py, path, replaced("weight.code", shape=(1 << 20, 1 << 20), dtype="u1")), "size that does not fit"
    )
    refused(changed(h5py, path, replaced("weight.code", data="text")), "which no table has")
    refused(changed(h5py, path, replaced("weight.code", data=np.zeros((4, 16), np.complex128))), "which no table has")
    external = replaced("weight.code", shape=(4, 16), dtype="u1", external=[("/etc/hostname", 0, 64)])
    refused(changed(h5py, path, external), "other files")

    def link(file):
        del file["weight.code"]
        file["weight.code"] = h5py.ExternalLink(str(OLD / "tied.h5"), "weight.code")

    refused(changed(h5py, path, link), "weight.code")
    refused(changed(h5py, path, lambda file: file.attrs.__setitem__("intertwine.rows", 4)), "no single string")
    refused(changed(h5py, path, lambda file: file.attrs.__setitem__("intertwine.rows", "5")), "t.h5")


def test_where_nothing_can_be_written(h5py, tmp_path):
    table = tables()["tied"][0]
    with pytest.raises(FileError, match="cannot be written"):
        table.save(tmp_path / "missing" / "t.h5")
    (tmp_path / "t.h5").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        table.save(tmp_path / "t.h5")
    assert os.listdir(tmp_path) == ["t.h5"]
