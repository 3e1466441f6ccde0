"""The trainings of examples/training: what they compute is right, and each runs from its command line."""

import csv
import importlib.util
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "training"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


learn, parallel = load("learn"), load("parallel")
TASKS = ["digits", "sets", "robot", "graphs", "polarizability"]
NETWORKS = ["equivariant", "equal width", "equal parameters", "augmented"]


def task(name):
    if name == "graphs":
        pytest.importorskip("networkx", reason="NetworkX, which ships the graphs, is not installed")
    elif name in ("digits", "sets"):
        pytest.importorskip("sklearn", reason="scikit-learn, which ships the digits, is not installed")
    return learn.TASKS[name]()


# What qm9pack would have: no test installs its 104 MB. Importing the package is an error here, and nobody does.
HEAD, VALUES = "XYZ_file,Index,Elements,XYZ_Ang", "XYZ_file,A_xx,A_xy,A_yy,A_xz,A_yz,A_zz"
# All atoms are on the axes, and the centre of charge is 0 on each of them: second moments of charge 168, 40.32 and
# 10.5, the first of them along x.
KNOWN = [
    ("O", (3, 0, 0)),
    ("C", (-4, 0, 0)),
    ("F", (0, 1.4, 0)),
    ("N", (0, -1.8, 0)),
    ("C", (0, 0, 0.5)),
    ("H", (0, 0, -3)),
]
TURN, SHIFT = (
    torch.tensor([[2, -1, 2], [2, 2, -1], [-1, 2, 2]], dtype=torch.float64) / 3,
    torch.tensor([0.5, -2, 1], dtype=torch.float64),
)


def molecule_row(k, atoms):
    elements = "[" + ",".join(f"'{name}'" for name, _ in atoms) + "]"
    return f'"m{k}.xyz",{k},"{elements}","[{",".join("[" + ",".join(map(str, p)) + "]" for _, p in atoms)}]"'


def write_qm9pack(folder, count=200):
    """Made-up molecules in three files as those of qm9pack, with the columns that are read among others; the first is
    KNOWN, turned and moved."""
    data = folder / "qm9pack" / "data"
    data.mkdir(parents=True)
    (folder / "qm9pack" / "__init__.py").write_text("raise ImportError('nobody imports this package')\n")
    generator = torch.Generator().manual_seed(5)
    rows = [
        molecule_row(0, [(name, (TURN @ torch.tensor(p, dtype=torch.float64) + SHIFT).tolist()) for name, p in KNOWN])
    ]
    values = ['"m0.xyz",50.0,1.0,35.0,-2.0,0.5,20.0']
    for k in range(1, count):
        n = int(torch.randint(5, 17, (), generator=generator))
        places = torch.randn(n, 3, generator=generator, dtype=torch.float64) * torch.tensor([3.0, 2.0, 1.2])
        names = [list(learn.CHARGES)[int(z)] for z in torch.randint(5, (n,), generator=generator)]
        rows.append(molecule_row(k, list(zip(names, places.tolist()))))
        along = (20 + 5 * torch.linalg.eigvalsh(torch.cov(places.T)).flip(0).sqrt()).tolist()
        values.append(f'"m{k}.xyz",{along[0]},1.5,{along[1]},-0.5,0.25,{along[2]}')
    for part in (1, 2, 3):
        (data / f"qm9_part{part}.csv").write_text("\n".join([HEAD, *rows[part - 1 :: 3], ""]))
    (data / "qm9_polarizability.csv").write_text("\n".join([VALUES, *values, ""]))
    return data


@pytest.fixture
def molecules(tmp_path, monkeypatch):
    """The folder of such a package's files, which is found until the test ends."""
    data = write_qm9pack(tmp_path / "packages")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    learn._MOLECULES.clear()
    yield data
    learn._MOLECULES.clear()


@pytest.fixture(autouse=True)
def molecules_where_they_are_learnt(request):
    if getattr(request.node, "callspec", None) and request.node.callspec.params.get("name") == "polarizability":
        request.getfixturevalue("molecules")


@pytest.mark.parametrize("name", TASKS)
def test_what_is_learnt_has_the_symmetry(name):
    t = task(name)
    x, y, x_test, _ = t.examples(20, torch.Generator().manual_seed(0))
    assert len(x) == len(y) == 20 and len(x_test) >= (80 if name == "polarizability" else 700)
    moved, value = t.move(x, y, torch.Generator().manual_seed(1))
    assert (moved != x).any()
    model = t.equivariant()
    with torch.no_grad():  # a network that says of a moved example what is moved with it
        expected = t.move(x, model(x), torch.Generator().manual_seed(1))[1]
        torch.testing.assert_close(model(moved), expected, rtol=1e-4, atol=1e-4)
        plain = t.plain(t.width)
        assert (plain(moved) - t.move(x, plain(x), torch.Generator().manual_seed(1))[1]).abs().max() > 1e-3
    if name == "robot":  # and it is what the robot does
        q, dq = moved.double().unbind(1)
        torch.testing.assert_close(learn.trunk_velocity(q, dq).float(), value.squeeze(1), rtol=1e-3, atol=1e-3)


def test_spanning_trees_are_counted():
    """Cayley's formula: seven vertices, all joined, have 7^5 of them; and every graph is there once."""
    x, y, x_test, y_test = task("graphs").examples(264, torch.Generator().manual_seed(0))
    x, y = torch.cat((x, x_test)), torch.cat((y, y_test))
    assert len(x) == 1044 and float(y.max().expm1()) == pytest.approx(7**5, rel=1e-5) and (x == x.transpose(2, 3)).all()
    assert torch.allclose(y.expm1().round(), y.expm1(), rtol=1e-4, atol=1e-3)
    connected = sum(bool((torch.linalg.matrix_power(a + torch.eye(7), 6) > 0).all()) for a in x[:, 0])
    assert int((y > 0).sum()) == connected == 853


def test_the_robot_moves_as_rigid_bodies_do():
    # All knees straight and all legs swing alike: the trunk moves ahead at two leg lengths times their rate, and
    # nothing turns.
    q, dq = torch.zeros(1, 12, dtype=torch.float64), torch.tensor([[0.0, 1, 0] * 4], dtype=torch.float64)
    torch.testing.assert_close(learn.trunk_velocity(q, dq), torch.tensor([[2.0, 0, 0, 0, 0, 0]], dtype=torch.float64))


def test_tensors_are_known_along_principal_axes(molecules):
    charges, places, values = learn._small_molecules(16)
    assert (
        charges.shape == (200, 16)
        and charges[0].tolist() == [8, 6, 9, 7, 6, 1] + [0] * 10
        and values[0].tolist() == [50, 35, 20]
    )
    r, axes, sure = learn.in_principal_axes(charges, places)
    torch.testing.assert_close(r[0, :6], torch.tensor([p for _, p in KNOWN], dtype=torch.float64) @ TURN.T)
    torch.testing.assert_close((axes[0] @ TURN).abs(), torch.eye(3, dtype=torch.float64))
    x, y, x_test, y_test = task("polarizability").examples(
        len(r[sure]) - len(r[sure]) // 2, torch.Generator().manual_seed(0)
    )
    assert 100 < len(x) + len(x_test) == int(sure.sum()) < 200  # some have moments too small, or too near to each other
    # The known one has (50 - 35, 0, 20 - 35) / 10 along its axes, whatever the entries xy, xz, yz of the file are.
    x, y = torch.cat((x, x_test)), torch.cat((y, y_test))
    k = int(((x[..., :5].sum(1) == torch.tensor([1.0, 2, 1, 1, 1])).all(-1)).nonzero()[0])
    T, *projections = y[k].view(4, 3, 3)
    torch.testing.assert_close(T, 1.5 * projections[0] - 1.5 * projections[2])
    oxygen = x[k, x[k, :, 3] == 1, 5:].squeeze(0)
    torch.testing.assert_close(projections[0] @ oxygen, oxygen)  # it is on the first axis, wherever that was turned


def test_molecules_with_a_symmetry_are_left_out():
    water = [(8, (0, 0, 0)), (1, (0.757, 0.586, 0)), (1, (-0.757, 0.586, 0))]
    turned = [
        (6, (2, 1, 0.5)),
        (6, (-2, -1, 0.5)),
        (7, (1, -2, 3)),
        (7, (-1, 2, 3)),
        (9, (0, 0, -4)),
    ]  # by half a turn about z
    top = [
        (9, (0, 0, 2)),
        *((1, (math.cos(a), math.sin(a), -0.3 * a)) for a in (0.0, 2.1, 4.2)),
    ]  # a little less than C3v
    bent = [(8, (0, 0, 0.9)), (6, (3, 1, 0)), (7, (-2, 2, 1)), (6, (1, -3, 0.4)), (1, (-5, 1, -2))]
    for atoms, kept in ((water, False), (turned, False), (top, False), (bent, True)):
        charges, places = (
            torch.tensor([[float(z) for z, _ in atoms]], dtype=torch.float64),
            torch.tensor([[p for _, p in atoms]], dtype=torch.float64),
        )
        assert bool(learn.in_principal_axes(charges, places)[2]) == kept, atoms
    assert bool(learn.in_principal_axes(charges, places @ TURN.T + SHIFT)[2])


def test_polarizabilities_turn_with_the_molecule(molecules):
    """Exactly, in double precision: rotations, reflections, translations, and atoms in any order. A plain network does
    not."""
    t = task("polarizability")
    x, y, _, _ = (v.double() for v in t.examples(50, torch.Generator().manual_seed(0)))
    moved, target = t.move(x, y, torch.Generator().manual_seed(1))

    def defect(model):
        with torch.no_grad():
            expected = t.move(x, model(x), torch.Generator().manual_seed(1))[1]
            return float((model(moved) - expected).norm() / expected.norm())

    torch.manual_seed(2)
    model = t.equivariant().double()
    assert defect(model) < 1e-12 and defect(t.plain(t.width).double()) > 1e-2
    shifted = torch.cat((x[..., :5], x[..., 5:] + SHIFT), -1)
    torch.testing.assert_close(model(shifted), model(x), rtol=1e-10, atol=1e-10)
    assert (model(x) - model(torch.cat((x[..., :5], 1.1 * x[..., 5:]), -1))).abs().max() > 1e-3
    # The score looks along the axes, so it is the same before and after, and perfect for the truth alone.
    assert t.score(y[:, :1], y) == pytest.approx(1) and t.score(0 * y[:, :1], y) <= 0
    assert t.score(model(moved).detach(), target) == pytest.approx(t.score(model(x).detach(), y), abs=1e-10)
    assert float(t.loss(y[:, :1], y)) < 1e-12 < float(t.loss(1.01 * y[:, :1], y))


def test_the_tensors_learn_something(molecules):
    """Fifty molecules are fitted: the loss falls to less than half of what it was."""
    t = task("polarizability")
    x, y, _, _ = t.examples(50, torch.Generator().manual_seed(0))
    torch.manual_seed(0)
    model = t.equivariant()
    before = float(t.loss(model(x), y).detach())
    learn.train(t, model, x, y, 60, False, torch.Generator().manual_seed(0))
    assert float(t.loss(model(x), y).detach()) < before / 2


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("qm9_part2.csv", "XYZ_Ang", "XYZ", "has no column XYZ_Ang"),
        ("qm9_polarizability.csv", "A_yy", "A_22", "has no column A_yy"),
        ("qm9_part1.csv", "'O'", "'Os'", "m0.xyz: Os is none of H, C, N, O, F"),
        ("qm9_part1.csv", "[[", "[[1.0,", "m0.xyz: 6 elements and 19 coordinates"),
        ("qm9_part1.csv", "[[", "[[x", "m0.xyz: could not convert"),
        ("qm9_polarizability.csv", "50.0", "nan", "m0.xyz: a number is not finite"),
        ("qm9_polarizability.csv", "50.0", "fifty", "m0.xyz: could not convert"),
        ("qm9_polarizability.csv", '"m7.xyz"', '"m7.xyz"\n"m7"', "line 9: the row is too short"),
        ("qm9_polarizability.csv", '"m', '"n', "has no molecules of at most 16 atoms"),
    ],
)
def test_files_that_are_not_right(molecules, file, old, new, said, tmp_path, capsys):
    text = (molecules / file).read_text()
    assert old in text
    (molecules / file).write_text(text.replace(old, new, -1 if old == '"m' else 1))
    with pytest.raises(SystemExit):
        learn.main(["polarizability", "--seeds", "1", "--steps", "1", "--sizes", "16", "--out", str(tmp_path)])
    assert said in capsys.readouterr().err


def test_molecules_that_are_not_there(molecules, tmp_path, capsys, monkeypatch):
    words = ["polarizability", "--seeds", "1", "--steps", "1", "--out", str(tmp_path)]
    with pytest.raises(SystemExit):
        learn.main([*words, "--sizes", "1000"])
    assert "1000 are too many to train on" in capsys.readouterr().err
    learn._MOLECULES.clear()
    monkeypatch.setattr(learn.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        learn.main(words)
    assert "qm9pack is not installed: pip install qm9pack" in capsys.readouterr().err


@pytest.mark.parametrize("name", TASKS)
def test_networks_are_of_the_sizes_that_the_table_says(name):
    t = task(name)
    kinds = {k: learn.parameters(make()) for k, (make, _) in learn.networks(t).items()}
    assert abs(kinds["equal parameters"] / kinds["equivariant"] - 1) < 0.25
    assert kinds["equal width"] == kinds["augmented"] > kinds["equivariant"]


@pytest.mark.parametrize("name", TASKS)
def test_command(name, tmp_path, capsys):
    task(name)
    learn.main([name, "--seeds", "2", "--steps", "2", "--sizes", "16,64", "--out", str(tmp_path)])
    with open(tmp_path / f"{name}.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 4
    text = (tmp_path / f"{name}.md").read_text()
    assert text in capsys.readouterr().out and text.count("a quarter of them") == 3
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / f"{name}.svg").read_text().lstrip().startswith("<?xml")


SHORT = ["robot", "--seeds", "2", "--steps", "3", "--sizes", "16,64"]


def rows_here(out):
    learn.main([*SHORT, "--out", str(out)])
    return (out / "robot.csv").read_text()


def rows_elsewhere(out, *more):
    done = subprocess.run(
        [sys.executable, str(FOLDER / "learn.py"), *SHORT, "--out", str(out), *more],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return (out / "robot.csv").read_text()


def test_runs_in_processes_are_those_here(tmp_path):
    rows = rows_here(tmp_path / "here")
    assert rows_elsewhere(tmp_path / "there", "--workers", "2") == rows and len(rows.splitlines()) == 1 + 4 * 2 * 2
    # What is in the files is not done again.
    file = tmp_path / "there" / "runs" / "robot-equal-width.jsonl"
    lines = file.read_text().splitlines()[:3]
    file.write_text("\n".join(line.replace('"parameters": 12294.0', '"parameters": 7.0') for line in lines) + "\n")
    again = rows_here(tmp_path / "there")
    assert again.count("equal width,7,") == 2 and again.count("equal width,12294,") == 2


def test_runs_on_dask(dask, tmp_path):
    assert rows_elsewhere(tmp_path / "there", "--cluster", dask[0]) == rows_here(tmp_path / "here")


def test_tables_and_verdicts():
    rows = [{"network": n, "parameters": 1, "examples": e, "seed": s, "score": v}
            for n, e, values in (("equivariant", 4, (0.5, 0.7)), ("equivariant", 16, (0.8, 0.8)), ("a", 16, (0.6, 0.6)), ("b", 16, (0.61, 0.61)))
            for s, v in enumerate(values)]  # fmt: skip
    table = learn.means(rows)
    assert table["equivariant"][4] == pytest.approx((0.6, 0.02**0.5))
    assert [" suffices " in line for line in learn.verdict(table)] == [True, False]


@pytest.mark.parametrize("name", TASKS)
def test_the_page_shows_the_stored_runs(name):
    with open(FOLDER / "results" / f"{name}.csv") as file:
        rows = [{**r, "examples": int(r["examples"]), "score": float(r["score"])} for r in csv.DictReader(file)]
    assert learn.markdown(task(name), rows) == (FOLDER / "results" / f"{name}.md").read_text()
    table = learn.means(rows)
    page = (FOLDER.parents[1] / "docs" / "training.md").read_text()
    shown = re.findall(rf"^\| {name}, (?:accuracy|R²) \| (\d+) \| (.+) \|$", page, re.MULTILINE)
    assert [int(size) for size, _ in shown] == sorted(table["equivariant"])
    for size, cells in shown:
        means = [table[network][int(size)] for network in NETWORKS]
        assert cells.split(" | ") == [f"{mean:.3f} ± {deviation:.3f}" for mean, deviation in means]


def test_the_page_counts_what_suffices():
    page = " ".join((FOLDER.parents[1] / "docs" / "training.md").read_text().split())
    said = re.search(
        r"It does in (\d+) of (\d+) comparisons beside \*equal width\*, (\d+) of \2 beside \*equal parameters\* and (\d+) of \2 beside \*augmented\*",
        page,
    )
    tables = "".join((FOLDER / "results" / f"{name}.md").read_text() for name in TASKS)
    lines = re.findall(
        r"^- Beside \*(.*)\* with .* a quarter of them (suffices|does not suffice) ", tables, re.MULTILINE
    )
    enough = [sum(line == (name, "suffices") for line in lines) for name in NETWORKS[1:]]
    assert list(map(int, said.groups())) == [enough[0], len(lines) // 3, *enough[1:]]


@pytest.mark.parametrize(
    "words",
    [
        ["digits", "--seeds", "0"],
        ["robot", "--sizes", "0"],
        ["nothing"],
        ["robot", "--workers", "-1"],
        ["robot", "--cluster", "nowhere:1:2"],
    ],
)
def test_bad_words(words, capsys):
    with pytest.raises(SystemExit):
        learn.main(words)
    assert "error" in capsys.readouterr().err


def test_help_lists_every_training(capsys):
    with pytest.raises(SystemExit) as end:
        learn.main(["--help"])
    text = capsys.readouterr().out
    assert (
        end.value.code == 0
        and all(f"learn.py {name}" in text for name in learn.TASKS)
        and "pip install qm9pack" in text
    )


def torchrun(options, log, limit=300):
    """Two processes that may start once more: the exit status, and what all of them said; the status is None if they
    still ran after the limit, and where every thread was is said, too. No name is looked up on the way, and waiting for
    a process that is not there ends."""
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nnodes",
        "1",
        "--rdzv-backend",
        "c10d",
        "--rdzv-endpoint",
        "127.0.0.1:0",
        "--rdzv-id",
        "test",
    ]
    command += [
        "--rdzv-conf",
        "join_timeout=120,last_call_timeout=1,read_timeout=120",
        "--local-addr",
        "127.0.0.1",
        "--nproc-per-node",
        "2",
        "--max-restarts",
        "1",
    ]
    loopback = {"GLOO_SOCKET_IFNAME": "lo"} if os.path.exists("/sys/class/net/lo") else {}
    environment = {
        **os.environ,
        **loopback,
        "OMP_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONFAULTHANDLER": "1",
    }
    with open(log, "w") as out:
        job = subprocess.Popen(
            [*command, str(FOLDER / "parallel.py"), *options], env=environment, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            job.wait(limit)
        except subprocess.TimeoutExpired:
            children = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children")
            for worker in children.read_text().split() if children.exists() else []:
                os.kill(int(worker), signal.SIGABRT)  # it says where its threads are
            time.sleep(5)
            job.terminate()  # it ends what it has started since, in sessions of their own
            try:
                job.wait(60)
            finally:
                job.kill()
            return None, log.read_text()
    return job.returncode, log.read_text()


@pytest.mark.skipif(
    not torch.distributed.is_available() or not torch.distributed.is_gloo_available(), reason="PyTorch has no gloo"
)
@pytest.mark.parametrize("kind", ["DDP", "FSDP2", "TP"])
def test_two_processes_of_which_one_dies_end_as_one_that_nobody_disturbed(kind, tmp_path):
    options = ["--kind", kind, "--folder", str(tmp_path), "--steps", "12", "--kill-at", "8", "--timeout", "120"]
    code, said = torchrun(options, tmp_path / "log")
    if (
        code is None
    ):  # seen once in some hundred runs, on a loaded machine, in no place that was told; a second time is no accident
        warnings.warn(f"torchrun did not end:\n{said}", stacklevel=1)
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        code, said = torchrun(options, tmp_path / "log")
    assert code == 0, said
    # torchrun tells the exit status of the first process that it finds ended, which may be the other one, whose
    # connection is lost.
    assert said.count("process 1 kills itself before step 8") == 1 and said.count("going on from step-5") == 1, said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "step-10", "step-12", "step-5"]

    alone, found = parallel.network(), parallel.network()
    optimiser = torch.optim.Adam(alone.parameters(), lr=0.01)
    for step in range(12):
        x, y = parallel.batch(step)
        optimiser.zero_grad()
        (alone(x) - y).pow(2).mean().backward()
        optimiser.step()
    parameters = found.state_dict()
    torch.distributed.checkpoint.load({"model": parameters}, checkpoint_id=tmp_path / "step-12", no_dist=True)
    found.load_state_dict(parameters)
    for mine, expected, first in zip(found.parameters(), alone.parameters(), parallel.network().parameters()):
        torch.testing.assert_close(mine, expected, rtol=1e-4, atol=1e-5)
        assert (mine != first).any()
