"""The potential of examples/potential: its symmetries, its forces and stress, and that it learns."""

import importlib.util
import itertools
import pathlib
import subprocess
import sys

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine.nn.geometric import energy_and_forces, energy_forces_stress

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "potential"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


model = load("model")
train = load("train")


def clusters(count=3, seed=0):
    """Species and positions in float64; of different sizes, and one atom apart from all."""
    generator = torch.Generator().manual_seed(seed)
    species = [torch.randint(0, 2, (5 + k,), generator=generator) for k in range(count)]
    places = [3 * torch.randn(len(s), 3, generator=generator, dtype=torch.float64) for s in species]
    places[0][0] += 100
    return species, places


@pytest.fixture
def potential():
    torch.manual_seed(0)
    return model.Potential(channels=8).double()


def answer(potential, species, places, **options):
    batch = model.Batch.of(species, [p.clone() for p in places], potential.cutoff)
    return energy_and_forces(potential, batch, **options)


def test_a_turn_a_mirror_and_a_shift_move_forces_alone(potential):
    species, places = clusters()
    Q = torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64))[0]
    e, f = answer(potential, species, places)
    assert f.abs().max() > 1e-3
    for turn in (Q, -Q):
        turned, g = answer(potential, species, [p @ turn.T + 7 for p in places])
        torch.testing.assert_close(turned, e, rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(g, f @ turn.T, rtol=1e-9, atol=1e-9)


def test_atoms_of_one_element_change_places_and_elements_do_not(potential):
    species, places = clusters(1)
    species[0] = torch.tensor([0, 0, 1, 1, 0])
    places[0][0] -= 100
    e, f = answer(potential, species, places)
    order = torch.tensor([4, 0, 3, 2, 1])
    assert (species[0][order] == torch.tensor([0, 0, 1, 1, 0])).all()
    same, g = answer(potential, species, [places[0][order]])
    torch.testing.assert_close(same, e, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(g, f[order], rtol=1e-9, atol=1e-9)
    other, _ = answer(potential, species, [places[0][torch.tensor([2, 1, 0, 3, 4])]])
    assert (other - e).abs().max() > 1e-6


def test_clusters_of_a_batch_do_not_see_one_another(potential):
    species, places = clusters()
    e, f = answer(potential, species, places)
    alone = [answer(potential, [s], [p]) for s, p in zip(species, places)]
    torch.testing.assert_close(torch.cat([a for a, _ in alone]), e, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(torch.cat([b for _, b in alone]), f, rtol=1e-9, atol=1e-9)


def test_forces_are_slopes_and_the_loss_has_its_gradient(potential):
    species, places = clusters(1)
    places[0][0] -= 100
    _, f = answer(potential, species, places)
    step = torch.zeros_like(places[0])
    step[1, 2] = 1e-4
    up, down = (answer(potential, species, [places[0] + s])[0] for s in (step, -step))
    assert ((down - up) / 2e-4).item() == pytest.approx(f[1, 2].item(), abs=1e-6)
    weight = potential.layers[0].radial[0].weight

    def loss():
        return answer(potential, species, places, training=True)[1].square().sum()

    (slope,) = torch.autograd.grad(loss(), weight)
    with torch.no_grad():
        weight[0, 0] += 1e-5
    up = float(loss().detach())
    with torch.no_grad():
        weight[0, 0] -= 2e-5
    down = float(loss().detach())
    assert (up - down) / 2e-5 == pytest.approx(float(slope[0, 0]), rel=1e-4, abs=1e-7)


def test_the_energy_has_no_jump_at_the_cutoff(potential):
    kinds, far = [torch.tensor([0, 1, 0])], torch.zeros(3, 3, dtype=torch.float64)
    far[1, 0], far[2, 1] = 2.5, potential.cutoff
    before, after = far.clone(), far.clone()
    before[2, 1] -= 1e-3
    after[2, 1] += 1e-3
    (e, f), (g, h) = (answer(potential, kinds, [places]) for places in (before, after))
    assert (e - g).abs() < 1e-7 and f[0, 0].abs() > 1e-4
    torch.testing.assert_close(f, h, rtol=0, atol=1e-5)
    assert (answer(potential, kinds, [before - torch.tensor([[0], [0], [0.5]]) * far])[0] - g).abs() > 1e-6


# --- Crystals --------------------------------------------------------------------------------------------------------

CELLS = [[[3.0, 0.2, 0], [1.4, 3, 0], [-1.2, 0.7, 3.5]], [[4.0, 0, 0], [0, 5, 0], [0, 0, 6]]]


def crystals(potential):
    """Two crystals of three and four atoms, whose cells are smaller than the cutoff."""
    generator = torch.Generator().manual_seed(1)
    cells = list(torch.tensor(CELLS, dtype=torch.float64))
    places = [torch.rand(3 + k, 3, generator=generator, dtype=torch.float64) @ cell for k, cell in enumerate(cells)]
    species = [torch.randint(0, 2, (len(p),), generator=generator) for p in places]
    return model.Batch.of(species, places, potential.cutoff, cells)


def strained(batch, strain):
    """Every atom and cell moved by a strain, with the same edges."""
    moved = batch.positions + batch.positions @ strain, batch.cell + batch.cell @ strain
    return model.Batch(batch.species, moved[0], batch.cluster, batch.clusters, batch.graph, moved[1], batch.moved)


def test_stress_is_the_slope_of_the_energy_along_strains(potential):
    batch, h = crystals(potential), 1e-3
    _, forces, stress = energy_forces_stress(potential, batch, batch="cluster")
    volume = torch.linalg.det(batch.cell)
    slopes = torch.zeros_like(stress)
    for i, j in itertools.product(range(3), repeat=2):
        strain = torch.zeros(3, 3, dtype=torch.float64)
        strain[i, j] += h / 2
        strain[j, i] += h / 2
        one, two = ((potential(strained(batch, n * strain)) - potential(strained(batch, -n * strain))) for n in (1, 2))
        slopes[:, i, j] = ((8 * one - two) / (12 * h) / volume).detach()  # of the fourth order in h
    assert stress.abs().amax((1, 2)).min() > 1e-4
    assert ((slopes - stress).abs().amax((1, 2)) / stress.abs().amax((1, 2))).max() < 1e-5
    one = model.Batch.of([batch.species[:3]], [batch.positions[:3]], potential.cutoff, [batch.cell[0]])
    torch.testing.assert_close(energy_forces_stress(potential, one, batch="cluster")[2][0], stress[0])
    torch.testing.assert_close(
        forces[batch.cluster == 0].sum(0), torch.zeros(3, dtype=torch.float64), atol=1e-10, rtol=0
    )


def test_a_crystal_may_be_turned_and_be_described_by_another_cell(potential):
    batch = crystals(potential)
    energies, forces, stress = energy_forces_stress(potential, batch, batch="cluster")
    Q = -torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64))[0]
    own = [batch.cluster == n for n in range(2)]
    species, places = [batch.species[o] for o in own], [batch.positions[o] for o in own]
    other = torch.tensor([[1.0, 0, 0], [1, 1, 0], [0, -1, 1]], dtype=torch.float64)  # vectors of the same lattice
    for cells, by in ((batch.cell @ Q.T, Q.T), (other @ batch.cell, torch.eye(3, dtype=torch.float64))):
        same = model.Batch.of(species, [p @ by for p in places], potential.cutoff, list(cells))
        found = energy_forces_stress(potential, same, batch="cluster")
        for one, wanted in zip(found, (energies, forces @ by, by.T @ stress @ by)):
            torch.testing.assert_close(one, wanted, rtol=1e-9, atol=1e-10)
    twice = [torch.cat([places[0], places[0] + batch.cell[0, 0]])]
    wide = torch.diag(torch.tensor([2.0, 1, 1], dtype=torch.float64)) @ batch.cell[0]
    found = energy_forces_stress(
        potential, model.Batch.of([species[0].repeat(2)], twice, potential.cutoff, [wide]), batch="cluster"
    )
    torch.testing.assert_close(found[0][0], 2 * energies[0])
    torch.testing.assert_close(found[2][0], stress[0])


def test_the_calculator_has_the_stress_of_ase(potential):
    pytest.importorskip("ase", reason="ASE is not installed")
    from ase import Atoms
    from ase.calculators.calculator import PropertyNotImplementedError
    from ase.filters import FrechetCellFilter

    load("data")
    calculator = load("calculator").IntertwineCalculator(potential, ["Al", "Cu"])
    batch = crystals(potential)
    symbols = ["Al" if s == 0 else "Cu" for s in batch.species[:3]]
    atoms = Atoms(symbols, batch.positions[:3].numpy(), cell=CELLS[0], pbc=True, calculator=calculator)
    energies, forces, stress = energy_forces_stress(potential, batch, batch="cluster")
    assert atoms.get_potential_energy() == pytest.approx(float(energies[0]), rel=1e-10)
    torch.testing.assert_close(torch.tensor(atoms.get_forces()), forces[:3])
    torch.testing.assert_close(torch.tensor(atoms.get_stress(voigt=False)), stress[0])
    voigt = [stress[0, i, j].item() for i, j in ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))]
    assert calculator.get_stress(atoms).tolist() == pytest.approx(voigt)
    for place, i, j in ((2, 2, 2), (3, 1, 2), (4, 0, 2)):  # of zz, yz and xz
        energy = []
        for h in (1e-4, -1e-4):
            other, strain = atoms.copy(), torch.eye(3, dtype=torch.float64).numpy()
            strain[i, j] += h / 2
            strain[j, i] += h / 2
            other.set_cell(atoms.cell.array @ strain, scale_atoms=True)
            other.calc = calculator
            energy.append(other.get_potential_energy())
        slope = (energy[0] - energy[1]) / 2e-4 / atoms.get_volume()
        assert slope == pytest.approx(atoms.get_stress()[place], abs=1e-5 * abs(atoms.get_stress()).max())
    assert FrechetCellFilter(atoms).get_forces().shape == (6, 3)
    atoms.pbc = (True, True, False)  # a slab, whose third vector may be missing
    layer = atoms.get_potential_energy()
    atoms.cell[2] = 0
    assert atoms.get_potential_energy() == pytest.approx(layer, rel=1e-10)
    atoms.pbc = False
    alone, _ = answer(potential, [batch.species[:3]], [batch.positions[:3]])
    assert atoms.get_potential_energy() == pytest.approx(float(alone[0]), rel=1e-10)
    with pytest.raises(PropertyNotImplementedError):
        atoms.get_stress()


# --- Training --------------------------------------------------------------------------------------------------------


def frames_of_a_teacher(count, periodic=False):
    """What train.read gives, made by another network of three channels."""
    torch.manual_seed(7)
    teacher = model.Potential(channels=3)
    species = [torch.randint(0, 2, (4,)) for _ in range(count)]
    data = {"elements": ["Al", "Cu"], "species": species, "positions": [2 * torch.randn(4, 3) for _ in range(count)]}
    data |= {"cells": [torch.eye(3) * 4.0 + 0.3 * torch.rand(3, 3) for _ in range(count)]} if periodic else {}
    batch = model.Batch.of(data["species"], data["positions"], teacher.cutoff, data.get("cells"))
    energies, forces, *stress = train.answers(teacher, batch)
    data |= {"energies": list(energies), "forces": list(forces.split(4))}
    return data | ({"stress": list(stress[0])} if periodic else {})


def test_training_stops_and_keeps_the_best_weights():
    data, lines = frames_of_a_teacher(12), []
    learnt = model.Potential(channels=4, lmax=1)
    held = list(range(8, 12))
    rates = {"steps": 900, "size": 2, "rate": 0.3}  # so fast that the error grows again
    best, curve = train.fit(learnt, data, list(range(8)), held, patience=1, say=lines.append, **rates)
    errors = [e["forces"] for _, e in curve]
    least = min(range(len(errors)), key=errors.__getitem__)
    assert least == len(errors) - 2 and curve[-1][0] < 900
    assert lines[-2] == f"stopped at step {curve[-1][0]}: the error of forces has not fallen for 1 checks"
    assert lines[-1].startswith(f"the weights of step {curve[least][0]} are kept")
    again = train.errors(best, *train.batch_of(data, held, best.cutoff))
    assert again["forces"] == pytest.approx(errors[least], rel=1e-6)


def test_frames_are_apart():
    assert [len(part) for part in train.split(1000, 0)] == [800, 200, 200]
    training, held, test = train.split(1000, 3)
    assert training + held + test == list(range(1000)) and len(held) == len(test) == 100


def test_stress_is_learnt():
    data = frames_of_a_teacher(6, periodic=True)
    batch, right = train.batch_of(data, list(range(6)), 5.0)
    found = [t.clone() for t in right]
    assert float(train.loss_of(found, right, batch, 10.0)) == 0
    found[2][1, 0, 0] += 0.01
    volume = float(torch.linalg.det(batch.cell[1])) / 4
    assert float(train.loss_of(found, right, batch, 3.0)) == pytest.approx(3 * (0.01 * volume) ** 2 / 54, rel=1e-4)
    errors = {}
    for weight in (0.0, 100.0):
        torch.manual_seed(0)
        learnt = model.Potential(channels=3, lmax=1, neighbours=40.0)
        learnt, curve = train.fit(learnt, data, list(range(6)), [0], 30, stress_weight=weight, say=lambda line: None)
        errors[weight] = train.errors(learnt, batch, right)["stress"]
    assert errors[100.0] < errors[0.0]


def test_degree_zero_alone_sees_distances(potential):
    torch.manual_seed(0)
    invariant = model.Potential(channels=8, lmax=0).double()
    species, places = clusters()
    e, f = answer(invariant, species, places)
    turn = -torch.linalg.qr(torch.randn(3, 3, dtype=torch.float64))[0]
    turned, g = answer(invariant, species, [p @ turn.T for p in places])
    torch.testing.assert_close(turned, e, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(g, f @ turn.T, rtol=1e-9, atol=1e-9)
    kinds, height = [torch.zeros(3, dtype=torch.int64)], 3.0  # two neighbours in a line, and at a right angle
    line = torch.tensor([[0.0, 0, 0], [height, 0, 0], [-height, 0, 0]], dtype=torch.float64)
    bent = torch.tensor([[0.0, 0, 0], [height, 0, 0], [0, height, 0]], dtype=torch.float64)
    invariant.cutoff = potential.cutoff = 4.0  # neighbours of one another are farther apart
    one, two = (answer(invariant, kinds, [p])[0] for p in (line, bent))
    torch.testing.assert_close(one, two, rtol=1e-12, atol=1e-12)
    one, two = (answer(potential, kinds, [p])[0] for p in (line, bent))
    assert (one - two).abs().max() > 1e-8


@pytest.mark.parametrize("end", ["png", "svg"])
def test_plots(end, tmp_path, monkeypatch):
    draw, file = load("plot").draw, tmp_path / f"p.{end}"
    curve = [(100, {"forces": 90.0, "energies": 9.0}), (200, {"forces": 30.0, "energies": 3.0})]
    forces = torch.randn(5, 3)
    if importlib.util.find_spec("matplotlib"):
        assert draw(str(file), curve, forces + 0.1, forces) == f"{file} has the errors and the forces"
        assert file.read_bytes()[:5] == {"png": b"\x89PNG\r", "svg": b"<?xml"}[end]
        file.unlink()
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "matplotlib" else find(name))
    assert draw(str(file), curve, forces, forces) == "no plot: matplotlib is not installed (pip install matplotlib)"
    assert not file.exists()


def write(data, path):
    """The frames as data.py writes them."""
    import numpy

    joined = {n: numpy.concatenate([t.numpy() for t in data[n]]) for n in ("species", "positions", "forces")}
    stacked = {n: numpy.stack([t.numpy() for t in data[n]]) for n in ("energies", "cells", "stress") if n in data}
    atoms = numpy.array([len(s) for s in data["species"]])
    numpy.savez(path, elements=numpy.array(data["elements"]), atoms=atoms, **joined, **stacked)


def run_here(monkeypatch, name, *words):
    monkeypatch.setattr(sys, "argv", [name, *map(str, words)])
    load(name).main()


def test_commands_of_crystals(tmp_path, monkeypatch, capsys):
    write(frames_of_a_teacher(20, periodic=True), tmp_path / "d.npz")
    made = tmp_path / "d.npz", tmp_path / "m.pt"
    run_here(monkeypatch, "train", *made, "--steps", "100", "--channels", "4", "--lmax", "1", "--patience", "2")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and "stress" in lines[0] and lines[2].startswith("test: forces") and "stress" in lines[2]
    held = torch.load(tmp_path / "m.pt")
    assert held["periodic"] and held["sizes"]["neighbours"] > 10
    run_here(
        monkeypatch,
        "compare",
        made[0],
        "--frames",
        "4,16",
        "--steps",
        "2",
        "--channels",
        "4",
        "--invariant-channels",
        "6",
    )
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "| frames | equivariant | invariant | CPU time a step |" and rows[2].startswith("| 4 |")
    assert len(rows) == 4 and rows[3].count("meV/Å") == 2
    for words, message in (
        (("train", *made, "--plot", "p.gif"), "the name of a plot ends in .png or .svg, not 'p.gif'"),
        (("compare", made[0], "--frames", "17"), "the file has 16 frames for training, not 17"),
    ):
        with pytest.raises(SystemExit):
            run_here(monkeypatch, *words)
        assert message in capsys.readouterr().err


def test_data_of_alloys(tmp_path, monkeypatch):
    pytest.importorskip("ase", reason="ASE, which makes the crystals, is not installed")
    import numpy
    from ase import Atoms
    from ase.calculators.emt import EMT

    run_here(monkeypatch, "data", tmp_path / "d.npz", "--data", "alloys", "--frames", "10")
    data = numpy.load(tmp_path / "d.npz")
    assert data["stress"].shape == data["cells"].shape == (10, 3, 3) and data["atoms"].tolist() == [8] * 10
    symbols = [data["elements"][s] for s in data["species"][-8:]]
    last = Atoms(symbols, data["positions"][-8:], cell=data["cells"][-1], pbc=True, calculator=EMT())
    assert abs(last.get_stress(voigt=False) - data["stress"][-1]).max() < 1e-9 < abs(data["stress"]).max()
    assert abs(last.get_forces() - data["forces"][-8:]).max() < 1e-9 < abs(data["forces"]).max()


# --- The whole way ---------------------------------------------------------------------------------------------------


def test_it_learns_and_keeps_its_energy(tmp_path):
    pytest.importorskip("ase", reason="ASE, which makes the clusters, is not installed")
    run = [sys.executable]
    subprocess.run([*run, FOLDER / "data.py", tmp_path / "d.npz", "--frames", "40"], check=True, capture_output=True)
    train = [*run, FOLDER / "train.py", tmp_path / "d.npz", tmp_path / "m.pt", "--steps", "200", "--channels", "8"]
    train += ["--export", tmp_path / "m.pt2"]
    lines = subprocess.run(train, check=True, capture_output=True, text=True).stdout.splitlines()
    errors = [float(line.split()[3]) for line in lines]
    assert len(errors) == 2 and errors[1] < errors[0]
    held = torch.load(tmp_path / "m.pt")
    learnt = model.Potential(**held["sizes"])
    learnt.load_state_dict(held["state"])
    species, places = (list_[:1] for list_ in clusters())
    batch = model.Batch.of(species, [places[0].float()], learnt.cutoff)
    program = torch.export.load(tmp_path / "m.pt2").module()
    ours = program(batch.species, batch.positions, batch.cluster, *batch.graph.arrays)
    for found, wanted in zip(ours, energy_and_forces(learnt, batch)):
        torch.testing.assert_close(found.detach(), wanted, rtol=1e-3, atol=1e-3)
    md = [*run, FOLDER / "calculator.py", tmp_path / "m.pt", "--steps", "20"]
    said = subprocess.run(md, check=True, capture_output=True, text=True).stdout
    assert "keeps within" in said and float(said.partition("within ")[2].split()[0]) < 50


def test_molecules_come_from_quantum_chemistry(tmp_path):
    pytest.importorskip("ase", reason="ASE, which moves the molecules, is not installed")
    try:
        import tblite.ase  # noqa: F401
    except Exception as missing:  # it opens a library of its own
        pytest.skip(f"tblite, which makes the energies, is not installed: {missing}")
    import numpy

    run, file = [sys.executable], tmp_path / "m.npz"
    made = [FOLDER / "data.py", file, "--data", "molecules", "--frames", "20"]
    subprocess.run([*run, *made], check=True, capture_output=True)
    data = numpy.load(file)
    assert data["elements"].tolist() == ["H", "C", "N", "O"] and len(data["atoms"]) == 20
    assert abs(data["forces"][: data["atoms"][0]].sum(0)).max() < 1e-3 < abs(data["forces"]).max()
    train = [FOLDER / "train.py", file, tmp_path / "m.pt", "--steps", "100", "--channels", "8"]
    lines = subprocess.run([*run, *train], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 1
    md = [FOLDER / "calculator.py", tmp_path / "m.pt", "--steps", "20"]
    said = subprocess.run([*run, *md], check=True, capture_output=True, text=True).stdout
    assert said.startswith("9 atoms") and float(said.partition("within ")[2].split()[0]) < 50
