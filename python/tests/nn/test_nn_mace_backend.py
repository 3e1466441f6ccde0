"""A model of MACE with the operations of this package: examples/mace_backend."""

import copy
import importlib.util
import pathlib
import sys

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from peers_for_tests import without_operators_of_torchvision

FILE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "mace_backend" / "backend.py"


@pytest.fixture(scope="module")
def backend():
    without_operators_of_torchvision()
    pytest.importorskip("ase", reason="ASE, which makes the atoms, is not installed")
    try:
        import mace.modules  # noqa: F401
    except ImportError as missing:
        pytest.skip(f"mace-torch is not installed: {missing}")
    spec = importlib.util.spec_from_file_location("mace_backend", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["mace_backend"] = module
    spec.loader.exec_module(module)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield module
    torch.set_default_dtype(before)


def made(backend, layers=2, lmax=2):
    """The model of MACE, the same with our operations, and atoms."""
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(backend.some_model(8, lmax, layers))
    data = backend.batch_of(backend.ethanol(1), models[0], torch.float64)
    return models[0], backend.use_intertwine(models[1]), data


def loss(model, data):
    out = model(dict(data), training=True, compute_force=True)
    return out["energy"].sum() + out["forces"].sin().sum()


@pytest.mark.parametrize("layers, lmax", [(1, 2), (2, 3), (3, 1)])
def test_energies_forces_and_the_gradient_of_a_loss_are_equal(backend, layers, lmax):
    model, ours, data = made(backend, layers, lmax)
    wanted, found = (one(dict(data), compute_force=True, compute_stress=True) for one in (model, ours))
    assert float(wanted["forces"].abs().max()) > 1e-2
    for name in ("energy", "forces", "stress", "node_energy"):
        torch.testing.assert_close(found[name], wanted[name], rtol=1e-10, atol=1e-10)
    slopes = [torch.autograd.grad(loss(one, data), list(one.parameters()), allow_unused=True) for one in (model, ours)]
    pairs = [(a, b) for a, b in zip(*slopes) if a is not None]
    assert len(pairs) > 10
    for a, b in pairs:
        torch.testing.assert_close(b, a, rtol=1e-9, atol=1e-9)


def test_models_with_fewer_couplings(backend):
    """As use_reduced_cg has them: here mixtures of MACE's own."""
    model, _, data = made(backend)
    for module in model.modules():
        for part in getattr(module, "contractions", ()):
            for degree, own in zip((3, 2, 1), [part.weights_max, *part.weights]):
                couplings = part.U_tensors(degree)
                mix = torch.randn(couplings.shape[-1], own.shape[1] // 2 + 1)
                setattr(part, f"U_matrix_{degree}", couplings @ mix)
                own.data = torch.randn(own.shape[0], mix.shape[1], own.shape[2])
    ours = backend.use_intertwine(copy.deepcopy(model))
    for name in ("energy", "forces"):
        wanted, found = (one(dict(data), compute_force=True)[name] for one in (model, ours))
        torch.testing.assert_close(found, wanted, rtol=1e-10, atol=1e-10)


def test_checkpoints_fit_both_ways(backend):
    model, ours, data = made(backend)
    state = ours.state_dict()
    assert list(state) == list(model.state_dict())
    with torch.no_grad():
        for p in ours.parameters():
            p.mul_(1.1)
    energy = float(ours(dict(data))["energy"])
    assert abs(float(model(dict(data))["energy"]) - energy) > 1e-6
    model.load_state_dict(ours.state_dict())
    assert float(model(dict(data))["energy"]) == pytest.approx(energy, rel=1e-12)
    assert float(copy.deepcopy(ours)(dict(data))["energy"]) == energy


def test_the_command_compares_and_measures(backend, capsys, monkeypatch, tmp_path):
    torch.save(backend.some_model(4, 1, 2), tmp_path / "model.pt")
    monkeypatch.setattr(sys, "argv", ["backend.py", str(tmp_path / "model.pt"), "--cells", "1", "--steps", "1"])
    threads = torch.get_num_threads()
    backend.main()
    torch.set_num_threads(threads)
    said = capsys.readouterr().out
    assert float(said.partition("energies differ by ")[2].split()[0]) < 1e-10
    assert float(said.partition("forces differ by ")[2].split()[0].rstrip(",")) < 1e-10
    assert "times as fast" in said
