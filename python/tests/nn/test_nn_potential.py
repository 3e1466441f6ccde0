"""The potential of examples/potential: its symmetries, its forces, and that it learns."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine.nn.geometric import energy_and_forces

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "potential"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


model = load("model")


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
