"""python -m intertwine.demo: the same jobs as scripts/demo, from the package alone."""

import os
import re
import subprocess
import sys

import intertwine
import pytest
from conftest import ROOT
from intertwine import demo


def test_the_demonstration_answers_and_writes_its_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "mine.txt").write_text("was there, and is not listed as written")
    assert demo.main(["results"]) == 0
    out = capsys.readouterr().out
    for question, _ in demo.JOBS:
        assert question in out
    assert "15 parameters" in out and "dimension    12 weights, 1 bias" in out and "A = -E(5)-E(5)^4" in out
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == sorted(
        ["mine.txt", *re.findall(r"^  results/(\S+)  \d+ bytes$", out, re.MULTILINE)]
    )
    assert re.findall(r"^  results/(\S+)  \d+ bytes$", out, re.MULTILINE) == [
        "image_layer.html",
        "image_layer.png",
        "image_layer.safetensors",
        "methane.npz",
        "methane.svg",
        "quadruped.png",
        "rubik.svg",
    ]
    assert intertwine.verify(tmp_path / "results" / "methane.npz")
    assert os.getcwd() == str(tmp_path)


def test_it_asks_what_the_script_asks():
    script = re.findall(r'^say "(.*)"$', (ROOT / "scripts" / "demo").read_text(), re.MULTILINE)
    assert [question for question, _ in demo.JOBS] == script[script.index(demo.JOBS[0][0]) : -1]


def test_it_runs_as_a_module(tmp_path):
    run = subprocess.run([sys.executable, "-m", "intertwine.demo"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""
    assert (tmp_path / "intertwine-demo" / "rubik.svg").exists()


@pytest.mark.parametrize("words", [["--no"], ["a", "b"]])
def test_wrong_words_get_the_usage(words, capsys):
    assert demo.main(words) == 2
    assert capsys.readouterr().out.startswith("Usage: python -m intertwine.demo [FOLDER]")


def test_a_folder_that_is_a_file_is_refused_in_a_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert demo.main([str(tmp_path / "file")]) == 2
    assert re.fullmatch(r"demo: .* cannot be used: .*; name another folder\n", capsys.readouterr().err)
