"""Energies and forces as a program: the numbers of the model, other sizes, and a process without this package."""

import dataclasses
import subprocess
import sys

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError
from intertwine.nn.geometric import (
    Convolution,
    Graph,
    SphericalHarmonics,
    SymmetricContraction,
    compile_forces,
    energy_and_forces,
    segment_sum,
)

D = torch.float64


class Model(torch.nn.Module):
    """Messages, a contraction, and the squares of what comes out."""

    def __init__(self):
        super().__init__()
        self.harmonics = SphericalHarmonics(1)
        V = self.harmonics.V
        self.messages = Convolution(V, V, V, 3)
        self.contraction = SymmetricContraction(V, "0e", 3, 3, 2)
        self.radial = torch.nn.Linear(1, 12)

    def forward(self, data):
        graph, places = data["graph"], data["positions"]
        edges = places[graph.target] - places[graph.source]
        w = self.radial(edges.square().sum(1, keepdim=True)).unflatten(1, self.messages.weight_shape)
        x = data["features"]
        atoms = self.contraction(self.messages(x, self.harmonics(edges), w, graph), data["species"]).sum((1, 2))
        return segment_sum(atoms, data["molecule"], data["molecules"])


def some_data(seed=0, atoms=7, edges=15):
    random = torch.Generator().manual_seed(seed)
    whole = lambda n, *shape: torch.randint(0, n, shape, generator=random)
    return {
        "positions": torch.randn(atoms, 3, generator=random, dtype=D),
        "features": torch.randn(atoms, 4, 3, generator=random, dtype=D),
        "species": whole(2, atoms),
        "molecule": whole(2, atoms),
        "molecules": 2,
        "graph": Graph(whole(atoms, 2, edges), atoms),
    }


@pytest.fixture(scope="module")
def made():
    torch.manual_seed(0)
    model = Model().double()
    return model, compile_forces(model, some_data())


def test_a_program_has_the_energies_and_forces_of_the_model_at_every_size(made):
    model, program = made
    assert program.inputs[:2] == ["positions", "features"] and "graph.by_source" in program.inputs
    assert not [n for n in program.program.graph.nodes if "intertwine" in str(n.target)]
    for data in (some_data(), some_data(1), some_data(2, 4, 3), some_data(3, 20, 90)):
        for ours, models in zip(program(data), energy_and_forces(model, data)):
            assert not ours.requires_grad and float(models.abs().max()) > 1e-3
            torch.testing.assert_close(ours, models, rtol=1e-12, atol=1e-12)


def test_a_file_runs_in_a_process_without_this_package(made, tmp_path):
    model, program = made
    data = some_data(4)
    program.save(tmp_path / "model.pt2")
    tensors = [data[name] for name in program.inputs if name in data]
    torch.save([*tensors, *data["graph"].arrays], tmp_path / "data.pt")
    script = (
        "import json, sys, torch\n"
        "files = {'inputs.json': ''}\n"
        f"program = torch.export.load({str(tmp_path / 'model.pt2')!r}, extra_files=files)\n"
        f"found = program.module()(*torch.load({str(tmp_path / 'data.pt')!r}))\n"
        "assert 'intertwine' not in sys.modules and json.loads(files['inputs.json'])[0] == 'positions'\n"
        f"torch.save(found, {str(tmp_path / 'found.pt')!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"})
    for ours, models in zip(torch.load(tmp_path / "found.pt"), energy_and_forces(model, data)):
        torch.testing.assert_close(ours, models, rtol=1e-12, atol=1e-12)


def test_data_that_a_program_does_not_take(made):
    _, program = made
    data = some_data()
    springs = lambda data: data["positions"].square().sum()

    @dataclasses.dataclass
    class Points:
        positions: torch.Tensor

    points = Points(torch.randn(3, 3))
    again = compile_forces(lambda p: p.positions.square().sum(), points)
    torch.testing.assert_close(again(Points(torch.ones(5, 3)))[1], -2 * torch.ones(5, 3))
    for attempt, message in (
        (lambda: program({**data, "molecules": 3}), "molecules is 3, and the program was made for 2"),
        (lambda: program({n: data[n] for n in ("positions", "species")}), "the program takes the tensors positions"),
        (lambda: program([data]), "data are a dict or an instance of a dataclass"),
        (lambda: compile_forces(springs, {**data, "cell": [1, 2]}), "the data have list as 'cell'"),
        (lambda: compile_forces(lambda data: torch.ones(2), data), "do not depend on"),
        (lambda: program.save("model.onnx"), 'ends in ".pt2"'),
    ):
        with pytest.raises(DomainError, match=message):
            attempt()
