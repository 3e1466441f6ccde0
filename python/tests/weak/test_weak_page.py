"""What docs/weak.md and the docstrings say, runs; the program writes what it says; the stored results are those of the
page."""

import csv
import doctest
import importlib.util
import json
import pathlib
import re
import subprocess
import sys

from networks_for_weak_tests import torch  # skips where PyTorch is missing

# isort: split
import intertwine.weak
import pytest
from intertwine import DomainError
from intertwine.weak import Curve

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples" / "training"))
import subspaces as experiments  # noqa: E402
from subspaces import by_symmetry, main, table  # noqa: E402

RESULTS = ROOT / "examples" / "weak" / "results"


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/weak.md").read_text(), re.DOTALL)
    assert len(blocks) >= 7
    names: dict = {}
    for block in blocks:
        exec(compile(block, "docs/weak.md", "exec"), names)


def test_docstrings_run_and_are_there():
    assert doctest.testmod(intertwine.weak).failed == 0
    for name in intertwine.weak.__all__:
        assert (getattr(intertwine.weak, name).__doc__ or "").strip(), name


# --- The program -----------------------------------------------------------------------------------------------------------------


def digits():
    pytest.importorskip("sklearn", reason="scikit-learn, which ships the digits, is not installed")
    return experiments.task("digits")


def test_symmetry_is_a_probability():
    task = digits()
    straight, turned = task.examples(3, 0.0), task.examples(3, 1.0)
    same = (straight[0] == turned[0]).all(1)
    assert 0.15 < float(same.float().mean()) < 0.35  # a quarter of the turns are none
    assert torch.equal(straight[1], turned[1])
    half = (straight[0] == task.examples(3, 0.5)[0]).all(1)
    assert 0.52 < float(half.float().mean()) < 0.73
    k = int((~same).nonzero()[0])
    turns = [torch.rot90(straight[0][k].view(8, 8), n).flatten() for n in range(4)]
    assert sum(torch.equal(turned[0][k], t) for t in turns) == 1
    space = task.space()
    assert (space.D, space.dimension) == (2410, 610)
    net = task.module()
    space.flat.write(net, space.symmetrize(space.flat.vector(net)))
    with torch.no_grad():  # the representations are those of the turns
        torch.testing.assert_close(net(turned[0]), net(straight[0]))


def test_every_method_trains_where_it_says():
    task = digits()
    settings = experiments.Settings(steps=3, burn=2)
    for method in (*experiments.METHODS, *experiments.REFERENCES):
        for found in experiments.measure("digits", method, 1.0, settings, 5, [0, 1]):
            assert (found["error"] < 1e-5) == (method in ("inside W", "all of W")), method
            assert 0 < found["loss"] < 3 and 0 <= found["accuracy"] <= 1
    assert experiments.most("digits", "inside W") == task.space().dimension
    assert experiments.most("digits", "half inside W") == 1220 and experiments.most("digits", "lottery") == 2410


def test_the_program(tmp_path, capsys):
    digits()
    words = ["digits", "--symmetry", "0.5", "--seeds", "2", "--steps", "3", "--dims", "9", "--out", str(tmp_path)]
    assert main(words) == 0
    text = (tmp_path / "digits-0.5.md").read_text()
    assert text in capsys.readouterr().out
    with open(tmp_path / "digits-0.5.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * (3 + 6)
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "digits-0.5.svg").read_text().lstrip().startswith("<?xml")
    kept = {f.name: f.read_bytes() for f in (tmp_path / "runs").iterdir()}
    assert main(words) == 0 and kept == {
        f.name: f.read_bytes() for f in (tmp_path / "runs").iterdir()
    }  # nothing was missing
    assert json.loads(next(iter(kept.values())).splitlines()[0])["experiment"].startswith("digits, p = 0.5")
    capsys.readouterr()
    assert main([*words, "--steps", "4"]) == 1
    assert "name another" in capsys.readouterr().err


def test_several_probabilities(tmp_path, capsys):
    digits()
    assert (
        main(["digits", "--symmetry", "1,0", "--seeds", "2", "--steps", "3", "--dims", "9,12", "--out", str(tmp_path)])
        == 0
    )
    text = (tmp_path / "digits-symmetry.md").read_text()
    assert text in capsys.readouterr().out and text.startswith(
        "| method | d(0.5), p = 0 | d(0.5), p = 1 | accuracy at d = 12, p = 0 | accuracy at d = 12, p = 1 |"
    )
    assert text.count("above 12 | above 12") == 6  # nothing is learnt in three steps
    for p in (0, 1):
        alone = {
            m: Curve(rows, experiments.Settings().target) for m, rows in rows_of(tmp_path / f"digits-{p}.csv").items()
        }
        assert table(alone, p, experiments.Settings(steps=3)) == (tmp_path / f"digits-{p}.md").read_text()
    if importlib.util.find_spec("matplotlib"):
        assert {f.name for f in tmp_path.glob("*.svg")} == {"digits-0.svg", "digits-1.svg", "digits-symmetry.svg"}


def test_probabilities_that_agree_in_six_digits(tmp_path):
    """Each has its runs, under keys of their own; those of short numbers are called as they are written."""
    digits()
    assert (
        main(
            [
                "digits",
                "--symmetry",
                "0.1234561,0.1234564,1",
                "--seeds",
                "1",
                "--steps",
                "1",
                "--dims",
                "9",
                "--out",
                str(tmp_path),
            ]
        )
        == 0
    )
    names = {"0.1234561", "0.1234564", "1"}
    assert {f.stem for f in tmp_path.glob("*.csv")} == {f"digits-{name}" for name in names}
    keys = {
        json.loads(f.read_text().splitlines()[0])["experiment"].split(", ")[1] for f in (tmp_path / "runs").iterdir()
    }
    assert keys == {f"p = {name}" for name in names} and len(list((tmp_path / "runs").iterdir())) == 3 * (3 + 6)


def test_without_matplotlib(tmp_path, capsys, monkeypatch):
    digits()
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    assert main(["digits", "--seeds", "1", "--steps", "1", "--dims", "9", "--out", str(tmp_path)]) == 0
    assert "matplotlib is not installed" in capsys.readouterr().out and not list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize("name, module", [("mnist1d", "mnist1d.data"), ("digits", "sklearn.datasets")])
def test_data_that_are_not_there(name, module, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    experiments._digits.cache_clear()
    experiments.task.cache_clear()
    assert main([name, "--quick"]) == 1
    assert "pip install" in capsys.readouterr().err
    experiments.task.cache_clear()


def test_the_other_tasks():
    digits()
    sets = experiments.task("sets")
    ordered, mixed = sets.examples(1, 0.0), sets.examples(1, 1.0)
    assert (
        ordered[0].shape == (400, 80)
        and ordered[2].shape == (1000, 80)
        and 0.3 < float(ordered[1].float().mean()) < 0.7
    )
    assert torch.equal(ordered[1], mixed[1])
    torch.testing.assert_close(
        ordered[0].view(-1, 16, 5).sort(-1).values, mixed[0].view(-1, 16, 5).sort(-1).values
    )  # the same images
    assert not torch.equal(ordered[0], mixed[0])
    pytest.importorskip("mnist1d", reason="mnist1d is not installed")
    signals = experiments.task("mnist1d")
    straight, moved = signals.examples(1, 0.0)[0], signals.examples(1, 1.0)[0]
    torch.testing.assert_close(straight.sort(1).values, moved.sort(1).values)


@pytest.mark.parametrize("words, text", [
    (["nothing"], "invalid choice"), (["digits", "--symmetry", "2"], "a probability"), (["digits", "--seeds", "0"], "positive"), (["digits", "--dims", "x"], "invalid"),
    (["digits", "--dims", "0"], "positive"),
])  # fmt: skip
def test_bad_words(words, text, capsys):
    with pytest.raises(SystemExit):
        main(words)
    assert text in capsys.readouterr().err


def test_a_cluster_needs_dask(capsys, monkeypatch, tmp_path):
    digits()
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["digits", "--quick", "--cluster", "tcp://127.0.0.1:1", "--out", str(tmp_path)]) == 1
    assert "needs Dask" in capsys.readouterr().err


def test_the_command_line():
    found = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "training" / "subspaces.py"), "--help"], capture_output=True, text=True
    )
    assert found.returncode == 0 and "--symmetry P" in found.stdout


def test_an_unknown_task():
    with pytest.raises(DomainError, match="tasks are digits, sets, mnist1d"):
        experiments.task("nothing")


# --- What was measured -----------------------------------------------------------------------------------------------------------


def rows_of(path):
    found: dict = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            method = row.pop("method")
            found.setdefault(method, []).append(
                {
                    "d": int(row["d"]),
                    "seed": int(row["seed"]),
                    **{k: float(row[k]) for k in ("loss", "accuracy", "error")},
                }
            )
    return found


def curves(path):
    return {method: Curve(rows, experiments.Settings().target) for method, rows in rows_of(path).items()}


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.csv")), ids=lambda p: p.stem)
def test_stored_tables_are_those_of_the_stored_runs(path):
    assert (
        table(curves(path), float(path.stem.split("-", 1)[1]), experiments.Settings())
        == path.with_suffix(".md").read_text()
    )


def test_the_page_shows_the_stored_tables():
    page = (ROOT / "docs" / "weak.md").read_text()
    rows = re.findall(
        r"^\| (?:random affine|inside W|half inside W|burn-in|equivariant first|lottery) \|.*$",
        (RESULTS / "digits-1.md").read_text(),
        re.MULTILINE,
    )
    assert len(rows) == 24 and all(row in page for row in rows[:18])


def test_symmetry_is_one_knob():
    """The page's table by p, and what it says of it."""
    found = {p: curves(RESULTS / f"digits-{p:g}.csv") for p in (0, 0.5, 1)}
    text = by_symmetry(found, 192)
    assert text == (RESULTS / "digits-symmetry.md").read_text() and text in (ROOT / "docs" / "weak.md").read_text()
    levels = {(m, p): of[m].d(0.5) for p, of in found.items() for m in experiments.METHODS}
    for method in ("random affine", "burn-in", "equivariant first", "lottery"):
        assert levels[method, 0].high < levels[method, 1].low, method
    at = found[0]["inside W"].dims.index(192)
    accuracy = {(m, p): of[m].mean("accuracy")[at] for p, of in found.items() for m in experiments.METHODS}
    for other in (
        "random affine",
        "burn-in",
        "equivariant first",
    ):  # without symmetry in the examples it costs accuracy, with all of it it gains
        assert (
            accuracy["inside W", 0][2] < accuracy[other, 0][1] and accuracy["inside W", 1][1] > accuracy[other, 1][2]
        ), other


def test_what_the_page_claims_of_the_stored_runs():
    """The transition is sharp, and directions inside W beat others in accuracy."""
    found = curves(RESULTS / "digits-1.csv")
    c = found["random affine"]
    P = dict(zip(c.dims, c.probability))
    low = max(d for d in c.dims if P[d] <= 0.1)
    high = min(d for d in c.dims if P[d] >= 0.9)
    assert high / low <= 1.5 and all(n == 12 for n in c.trials) and len(c.dims) == 8
    at = c.dims.index(192)
    assert (
        found["inside W"].mean("accuracy")[at][1] - c.mean("accuracy")[at][2] >= 0.15
    )  # even between the ends of the intervals
