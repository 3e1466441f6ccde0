"""success_curve against the closed form of the isotropic well, its intervals, and what happens when it is killed."""

import concurrent.futures
import fractions
import functools
import json
import math
import multiprocessing
import os
import pathlib
import random
import signal
import sys

import pytest
from networks_for_weak_tests import torch  # skips where PyTorch is missing

# isort: split
from intertwine import DomainError, FileError
from intertwine.weak import Curve, Subspace, TwoPhase, quadratic_well, success_curve
from intertwine.weak.curve import wilson

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "examples" / "training"))
from subspaces import main as program  # noqa: E402

# --- The closed form -------------------------------------------------------------------------------------------------------------


def exact_beta(x, a, b):
    """I_x(a, b) for integers, a sum of binomial terms (DLMF 8.17.5)."""
    n = a + b - 1
    return sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1))


@pytest.mark.parametrize("D, d", [(4, 2), (10, 6), (60, 30), (200, 4), (400, 396), (1000, 500)])
@pytest.mark.parametrize("share", [(1, 100), (1, 3), (9, 10)])
def test_the_closed_form_is_the_exact_sum(D, d, share):
    x = fractions.Fraction(*share)
    exact = exact_beta(x, (D - d) // 2, d // 2)
    assert quadratic_well(D, d, 2.0, 2 * float(x)) == pytest.approx(float(exact), rel=1e-10, abs=1e-300)


def test_the_closed_form_against_scipy():
    special = pytest.importorskip("scipy.special", reason="scipy is not installed")
    for D, d in ((3, 1), (61, 20), (2410, 301), (2410, 2409)):
        for x in (0.003, 0.3, 0.5, 0.9, 0.999):
            assert quadratic_well(D, d, 1.0, x / 2) == pytest.approx(
                special.betainc((D - d) / 2, d / 2, x), rel=1e-9, abs=1e-300
            )


def test_ends_of_the_closed_form():
    assert (
        quadratic_well(5, 5, 3.0, 0.0) == 1
        and quadratic_well(5, 0, 3.0, 1.0) == 0
        and quadratic_well(5, 1, 1.0, 0.5) == 1
    )
    assert quadratic_well(2, 1, 1.0, 0.125) == pytest.approx(
        1 / 3
    )  # a line within half a radius: |sin| < 1/2 for a third of the angles
    for bad in (
        (5, 6, 1.0, 0.1),
        (5, -1, 1.0, 0.1),
        (0, 0, 1.0, 0.1),
        (5, 2.0, 1.0, 0.1),
        (5, 2, -1.0, 0.1),
        (5, 2, 1.0, math.nan),
        (5, 2, math.inf, 0.1),
    ):
        with pytest.raises(DomainError):
            quadratic_well(*bad)


# --- The tool against it -----------------------------------------------------------------------------------------------------------


class Well(torch.nn.Module):
    """w at the distance R from the bottom, which is 0, in a direction that the seed decides."""

    def __init__(self, D, R):
        super().__init__()
        self.w = torch.nn.Parameter(R * torch.nn.functional.normalize(torch.randn(D, dtype=torch.float64), dim=0))

    def forward(self, x):
        return self.w


def trained_well(D, R, structured, d, seeds):
    """By gradient descent through the whole tool: random subspaces, phase II, many seeds in one batch."""
    how = TwoPhase(functools.partial(Well, D, R), phase2=lambda seed: Subspace.random(D, d, 7919 * seed + d, structured=structured), steps=2, lr=1.0,
                   optimizer=torch.optim.SGD, loss=lambda w, y: w.square().sum() / 2)  # fmt: skip
    return how.fit(torch.zeros(1), torch.zeros(1), seeds=seeds, every=1 << 30).lowest.tolist()


def test_success_in_the_isotropic_well_is_the_closed_form_at_20_dimensions():
    D, R, eps, n = 60, 2.0, 1.0, 64
    dims = list(range(20, 40))
    curve = success_curve(functools.partial(trained_well, D, R, False), dims, n, eps)
    expected = [quadratic_well(D, d, R, eps) for d in dims]
    scores = [(k - n * p) / math.sqrt(n * p * (1 - p)) for k, p in zip(curve.successes, expected)]
    assert max(map(abs, scores)) < 3.5, scores
    assert 5 < sum(z * z for z in scores) < 45  # chi squared with 20 degrees of freedom
    assert expected[0] < 0.1 and expected[-1] > 0.9
    for q in (0.5, 0.9):
        truth = next(d - 1 + (q - a) / (b - a) for d, a, b in zip(dims[1:], expected, expected[1:]) if b >= q)
        found = curve.d(q)
        assert found.low <= truth <= found.high and found.high - found.low < 8
    # A wrong radius is noticed.
    wrong = [quadratic_well(D, d, R, 1.2 * eps) for d in dims]
    assert max(abs(k - n * p) / math.sqrt(n * p * (1 - p)) for k, p in zip(curve.successes, wrong)) > 3.5


def test_structured_subspaces_behave_like_uniform_ones_in_the_well():
    D, R, eps, n = 60, 2.0, 1.0, 40
    dims = [24, 28, 30, 32, 36]
    curve = success_curve(functools.partial(trained_well, D, R, True), dims, n, eps)
    for k, d in zip(curve.successes, dims):
        p = quadratic_well(D, d, R, eps)
        assert abs(k - n * p) < 4 * math.sqrt(n * p * (1 - p)) + 1


# --- Intervals -----------------------------------------------------------------------------------------------------------------


def test_wilson():
    # Newcombe (1998), Table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for k, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(k, n) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))
    assert wilson(20, 20)[1] == 1


def curve_of(successes, n, dims):
    return Curve(
        [{"d": d, "seed": s, "loss": 0.0 if s < k else 1.0} for d, k in zip(dims, successes) for s in range(n)], 0.5
    )


def test_crossings():
    curve = curve_of([0, 3, 2, 8, 10], 10, [1, 2, 4, 8, 16])
    assert curve.probability == [0, 0.3, 0.2, 0.8, 1] and curve.trials == [10] * 5
    found = curve.d(0.5)
    assert found.value == pytest.approx(4 + 4 * 0.25 / 0.55) and found.low <= 4 and found.high >= 8
    assert curve.d(0.25).value == pytest.approx(2) and curve.d(0.9).value == pytest.approx(12)
    steep = curve_of([0, 10], 10, [32, 64]).d(0.5)
    assert steep == (48, 32, 64)  # nothing was seen between
    assert curve_of([0, 5], 10, [1, 2]).d(0.9).value == math.inf and curve_of([8, 10], 10, [4, 8]).d(0.5).value == 0
    with pytest.raises(DomainError):
        curve.d(0)
    assert "3/10  0.300 (0.108 to 0.603)" in str(curve)


def test_intervals_of_the_crossing_cover_the_truth():
    D, R, eps, n, dims = 60, 2.0, 1.0, 20, list(range(20, 42, 3))
    truth = next(
        d + 3 * (0.5 - a) / (b - a)
        for d, a, b in ((d, quadratic_well(D, d, R, eps), quadratic_well(D, d + 3, R, eps)) for d in dims)
        if b >= 0.5
    )
    choose, hits = random.Random(1), 0
    for _ in range(100):
        rows = [
            {"d": d, "seed": s, "loss": float(choose.random() > quadratic_well(D, d, R, eps))}
            for d in dims
            for s in range(n)
        ]
        found = Curve(rows, 0.5).d(0.5, resamples=100)
        hits += found.low <= truth <= found.high
    assert hits >= 92


def test_means_of_other_numbers():
    curve = success_curve(lambda d, seeds: [{"loss": 0.0, "accuracy": s / 10} for s in seeds], [1, 2], 11, 0.1)
    (mean, low, high), _ = curve.mean("accuracy")
    assert mean == pytest.approx(0.5) and 0.2 < low < 0.4 and 0.6 < high < 0.8


# --- Files and processes -------------------------------------------------------------------------------------------------------


def counted(folder, d, seeds):
    """Leaves a mark for every run."""
    for seed in seeds:
        (pathlib.Path(folder) / f"{d}-{seed}-{os.getpid()}-{random.random()}").touch()
    return [1.0 / (d + seed + 1) for seed in seeds]


def kills_its_worker_once(folder, d, seeds):
    mark = pathlib.Path(folder) / "killed"
    if d == 3 and 1 in seeds and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return counted(folder, d, seeds)


def pool():
    # Forked: these workers compute nothing with PyTorch, and need not import it.
    return concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork"))


def runs(folder):
    return [tuple(map(int, f.name.split("-")[:2])) for f in folder.iterdir() if f.name != "killed"]


def test_a_killed_worker_does_not_stop_the_curve(tmp_path):
    marks, file = tmp_path / "marks", tmp_path / "rows.jsonl"
    marks.mkdir()
    curve = success_curve(
        functools.partial(kills_its_worker_once, str(marks)),
        [1, 2, 3, 4],
        2,
        0.3,
        batch=1,
        executor=pool,
        path=file,
        key="test",
    )
    assert (marks / "killed").exists()
    assert curve.rows == [{"d": d, "seed": s, "loss": 1 / (d + s + 1)} for d in (1, 2, 3, 4) for s in range(2)]
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[0] == {"experiment": "test"} and sorted((r["d"], r["seed"]) for r in lines[1:]) == [
        (d, s) for d in (1, 2, 3, 4) for s in (0, 1)
    ]


def test_a_pool_that_broke_says_so_and_the_next_call_goes_on(tmp_path):
    marks, file = tmp_path / "marks", tmp_path / "rows.jsonl"
    marks.mkdir()
    file.write_text('{"experiment": ""}\n{"d": 1, "seed": 0, "loss": 0.5}\n')
    make = functools.partial(kills_its_worker_once, str(marks))
    with pool() as broken, pytest.raises(concurrent.futures.BrokenExecutor, match="goes on from there"):
        success_curve(make, [1, 2, 3], 2, 0.3, batch=1, executor=broken, path=file)
    kept = len(file.read_text().splitlines())
    curve = success_curve(make, [1, 2, 3], 2, 0.3, path=file)
    assert len(curve.rows) == 6 and kept >= 2 and (1, 0) not in runs(marks)


def test_only_what_is_missing_is_done_again(tmp_path):
    marks, file = tmp_path / "marks", tmp_path / "results" / "rows.jsonl"
    marks.mkdir()
    make = functools.partial(counted, str(marks))
    first = success_curve(make, [1, 2], 3, 0.3, path=file)
    assert len(runs(marks)) == 6
    with open(file, "a") as f:
        f.write('{"d": 5, "seed": 0, "lo')  # killed while it wrote
    again = success_curve(make, [1, 2, 5], 3, 0.3, path=file)
    assert again.rows[:6] == first.rows and sorted(runs(marks)) == [(d, s) for d in (1, 2, 5) for s in range(3)]
    assert len(file.read_text().splitlines()) == 10
    assert success_curve(make, [1], 2, 0.45, path=file).successes == [1]  # another target: the losses are there
    with pytest.raises(DomainError, match="of '', not of 'another'"):
        success_curve(make, [1], 2, 0.3, path=file, key="another")
    file.write_text('{"experiment": ""}\nnonsense\n')
    with pytest.raises(FileError, match="line 2"):
        success_curve(make, [1], 2, 0.3, path=file)


def test_executors_and_batches_change_nothing(tmp_path):
    make = functools.partial(counted, str(tmp_path))
    plain = success_curve(make, [1, 2], 5, 0.3)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert success_curve(make, [2, 1], range(5), 0.3, executor=threads, batch=2).rows == plain.rows


def test_what_processes_cannot_be_sent_is_refused_at_once():
    def make(d, seeds):
        return [1 / d] * len(seeds)

    for what in (make, lambda d, seeds: [1 / d] * len(seeds)):
        with pytest.raises(DomainError, match="make for processes is a function of a module"):
            success_curve(what, [1, 2], 5, 0.5, executor=pool)
        with pool() as processes, pytest.raises(DomainError, match="make for processes is a function of a module"):
            success_curve(what, [1, 2], 5, 0.5, executor=processes)
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            assert success_curve(what, [1, 2], 5, 0.5, executor=threads).successes == [0, 5]
    with pool() as processes, pytest.raises(DomainError, match="what TwoPhase is made of for processes"):
        TwoPhase(lambda: torch.nn.Linear(2, 2)).fit(torch.zeros(1, 2), torch.zeros(1, 2), executor=processes)


def test_on_dask(dask):
    make = functools.partial(trained_well, 20, 1.0, False)
    assert (
        success_curve(make, [4, 8], 6, 0.2, executor=dask[1], batch=2).rows == success_curve(make, [4, 8], 6, 0.2).rows
    )


# Of two workers one is killed in the middle: Dask gives its work to another, and the file has every result once.
def test_a_killed_worker_of_dask(dask, tmp_path):
    marks, file = tmp_path / "marks", tmp_path / "rows.jsonl"
    marks.mkdir()
    make = functools.partial(kills_its_worker_once, str(marks))
    curve = success_curve(make, [1, 2, 3, 4], 2, 0.3, batch=1, executor=dask[1], path=file, key="test")
    assert (marks / "killed").exists()
    assert curve.rows == [{"d": d, "seed": s, "loss": 1 / (d + s + 1)} for d in (1, 2, 3, 4) for s in range(2)]
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted((r["d"], r["seed"]) for r in lines[1:]) == [(d, s) for d in (1, 2, 3, 4) for s in (0, 1)]
    assert success_curve(make, [1, 2, 3, 4], 2, 0.3, path=file, key="test").rows == curve.rows


def test_the_command_on_dask(dask, whole_scripts, tmp_path):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    arguments = ["digits", "--quick", "--steps", "3", "--dims", "4", "--seeds", "2"]
    for name, more in (("there", ["--cluster", dask[0]]), ("here", [])):
        assert program([*arguments, *more, "--out", str(tmp_path / name)]) == 0
    rows = [(tmp_path / name / "digits-1.csv").read_text().splitlines() for name in ("there", "here")]
    assert rows[0] == rows[1] and len(rows[0]) > 4


def test_integers_of_numpy():
    numpy = pytest.importorskip("numpy")
    found = success_curve(lambda d, seeds: [1.0 / d] * len(seeds), numpy.arange(1, 5), numpy.int64(3), 0.5)
    assert (
        found == success_curve(lambda d, seeds: [1.0 / d] * len(seeds), range(1, 5), 3, 0.5)
        and type(found.rows[0]["d"]) is int
    )
    assert quadratic_well(numpy.int64(60), numpy.int32(30), 2.0, 1.0) == quadratic_well(60, 30, 2.0, 1.0)
    with pytest.raises(DomainError, match="integers"):
        success_curve(lambda d, seeds: [0.0], numpy.array([1.5]), 1, 0.5)


def test_losses_that_are_no_numbers(tmp_path):
    curve = success_curve(lambda d, seeds: [math.nan, math.inf, 0.0], [1], 3, 0.5, path=tmp_path / "rows.jsonl")
    assert curve.mean("loss")[0][0] == 0
    assert curve.successes == [1] and [row["loss"] for row in curve.rows] == [None, None, 0.0]


@pytest.mark.parametrize("arguments, keywords, text", [
    (([], 3, 0.1), {}, "at least one"), (([1], 0, 0.1), {}, "at least one"), (([0], 3, 0.1), {}, "positive"), (([1.5], 3, 0.1), {}, "integers"),
    (([1], True, 0.1), {}, "a number of runs"), (([1], 3, math.nan), {}, "not nan"), (([1], 3, 0.1), {"batch": 0}, "positive number of seeds"),
])  # fmt: skip
def test_bad_curves(arguments, keywords, text):
    with pytest.raises((DomainError, TypeError), match=text):
        success_curve(lambda d, seeds: [0.0] * len(seeds), *arguments, **keywords)


@pytest.mark.parametrize(
    "results, text",
    [
        ([0.0], "1 results for 2 seeds"),
        ([{"accuracy": 1.0}] * 2, "has a 'loss'"),
        (0.5, r"make\(1, seeds\) gave 0.5; it gives a list"),
        ({"loss": 0.5}, "it gives a list"),
    ],
)
def test_makes_that_give_something_else(results, text):
    with pytest.raises(DomainError, match=text):
        success_curve(lambda d, seeds: results, [1], 2, 0.1)
