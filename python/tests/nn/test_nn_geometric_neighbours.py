"""Pairs of points within a distance, the vectors along them, and the stress of a cell."""

import itertools

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError
from intertwine.nn.geometric import edge_vectors, energy_and_forces, energy_forces_stress, neighbours

D = torch.float64
CELLS = [
    [[4.0, 0, 0], [0, 5, 0], [0, 0, 6]],
    [[3.0, 0, 0], [1.4, 3, 0], [-1.2, 0.7, 3.5]],
    [[0, 1.1, 1.1], [1.1, 0, 1.1], [1.1, 1.1, 0]],
    [[0.9, 0, 0], [2.2, 1.0, 0], [0, 0, 12]],  # narrow and skew
]
PERIODIC = [True, False, (True, False, True), (False, True, False)]


def listed(graph, cells):
    return sorted(zip(graph.target.tolist(), graph.source.tolist(), *cells.T.tolist()))


def by_definition(x, cutoff, cell, periodic, most=9):
    """All pairs of all points of the cells near the one that each is in, one after the other."""
    found = []
    steps = [range(-most, most + 1) if p else (0,) for p in periodic]
    for S in itertools.product(*steps):
        apart = (x[None, :, :] + torch.tensor(S, dtype=D) @ cell - x[:, None, :]).norm(dim=2)
        for i, j in (apart < cutoff).nonzero().tolist():
            if i != j or any(S):
                found.append((i, j, *S))
    return sorted(found)


@pytest.mark.parametrize("cell", CELLS, ids=range(len(CELLS)))
@pytest.mark.parametrize("periodic", PERIODIC, ids=str)
def test_neighbours_are_those_of_the_definition(cell, periodic):
    cell = torch.tensor(cell, dtype=D)
    three = (periodic,) * 3 if isinstance(periodic, bool) else periodic
    for points, cutoff in ((1, 2.3), (2, 0.5), (9, 2.3)):
        x = torch.rand(points, 3, dtype=D) * 2 @ cell - 0.5  # some points lie outside
        graph, cells = neighbours(x, cutoff, cell, periodic)
        assert listed(graph, cells) == by_definition(x, cutoff, cell, three)
        keys = list(zip(graph.target.tolist(), graph.source.tolist(), *cells.T.tolist()))
        assert keys == sorted(keys)
        vectors = edge_vectors(x, graph, cells, cell)
        assert bool((vectors.norm(dim=1) < cutoff).all())


@pytest.mark.parametrize("method", ["matscipy", "ase"])
def test_other_packages_find_the_same(method):
    pytest.importorskip({"matscipy": "matscipy.neighbours", "ase": "ase"}[method], reason=f"{method} is not installed")
    for cell, periodic in itertools.product(CELLS, PERIODIC):
        cell = torch.tensor(cell, dtype=D)
        x = torch.rand(12, 3, dtype=D) @ cell
        ours, theirs = (neighbours(x, 1.9, cell, periodic, method=m) for m in ("own", method))
        assert torch.equal(ours[0].source, theirs[0].source) and torch.equal(ours[0].target, theirs[0].target)
        assert torch.equal(ours[1], theirs[1])


def test_points_without_a_cell():
    x = torch.rand(300, 3) * 6
    graph, cells = neighbours(x, 1.2)
    near = torch.cdist(x.double(), x.double()) < 1.2
    assert graph.edges == int(near.sum()) - 300 and not cells.any()
    assert torch.equal(edge_vectors(x, graph), x[graph.source] - x[graph.target])
    assert torch.equal(edge_vectors(x, graph, cells, torch.eye(3)), x[graph.source] - x[graph.target])
    far = torch.tensor([[0.0, 0, 0], [1e9, 0, 0], [1e9, 0.5, 0]], dtype=D)
    assert listed(*neighbours(far, 1.0)) == [(1, 2, 0, 0, 0), (2, 1, 0, 0, 0)]
    assert neighbours(torch.zeros(0, 3), 1.0)[0].edges == 0
    together = neighbours(torch.zeros(2, 3), 1.0)[0]
    assert together.source.tolist() == [1, 0]  # points at one place are neighbours


def test_structures_of_a_batch_are_apart():
    cells = torch.tensor(CELLS[:3], dtype=D)
    sizes = [4, 0, 3]
    batch = torch.repeat_interleave(torch.arange(3), torch.tensor(sizes))
    parts = [torch.rand(n, 3, dtype=D) for n in sizes]
    x = torch.cat(parts)
    graph, steps = neighbours(x, 2.1, cells, True, batch)
    found, first = [], 0
    for part, cell in zip(parts, cells):
        found += [(i + first, j + first, *S) for i, j, *S in by_definition(part, 2.1, cell, (True,) * 3)]
        first += len(part)
    assert listed(graph, steps) == found
    vectors = edge_vectors(x, graph, steps, cells, batch)
    own = torch.einsum("ej,ejk->ek", steps.to(D), cells[batch[graph.target]])
    torch.testing.assert_close(vectors, x[graph.source] - x[graph.target] + own)
    assert torch.equal(neighbours(x, 2.1, None, True, batch)[0].degrees()[:4] < 4, torch.ones(4).bool())


# --- Stress ----------------------------------------------------------------------------------------------------------


def pair_energy(data):
    """A sum over pairs of (1 - r/3)^4 r within the distance 3, for each structure."""
    x, cell, batch = data["positions"], data["cell"], data.get("batch")
    graph, steps = neighbours(x, 3.0, cell, True, batch)
    r = edge_vectors(x, graph, steps, cell, batch).norm(dim=1)
    pairs = (1 - r / 3) ** 4 * r * data.get("strength", 1.0)
    if batch is None:
        return pairs.sum()
    return x.new_zeros(len(cell)).index_add(0, batch[graph.target], pairs)


def test_stress_is_the_slope_along_strains():
    data = {"positions": torch.rand(4, 3, dtype=D) * 3, "cell": torch.tensor(CELLS[1], dtype=D)}
    energy, forces, stress = energy_forces_stress(pair_energy, data)
    assert not (energy.requires_grad or forces.requires_grad or stress.requires_grad)
    volume, h = float(torch.linalg.det(data["cell"])), 1e-5
    torch.testing.assert_close(forces, energy_and_forces(pair_energy, data)[1])
    torch.testing.assert_close(stress, stress.T)
    for i, j in itertools.combinations_with_replacement(range(3), 2):
        e = torch.zeros(3, 3, dtype=D)
        e[i, j] += h / 2
        e[j, i] += h / 2
        up, down = (pair_energy({k: t + t @ (s * e) for k, t in data.items()}) for s in (1, -1))
        assert abs(float(up - down) / (2 * h * volume) - float(stress[i, j])) < 1e-8
    turn = torch.linalg.qr(torch.randn(3, 3, dtype=D))[0]
    turned = energy_forces_stress(pair_energy, {k: t @ turn for k, t in data.items()})
    torch.testing.assert_close(turned[2], turn.T @ stress @ turn)


def test_stress_of_a_batch_is_that_of_each_structure():
    cells = torch.tensor(CELLS[:2], dtype=D)
    parts = [torch.rand(3, 3, dtype=D) * 2, torch.rand(5, 3, dtype=D) * 2]
    batch = torch.tensor([0] * 3 + [1] * 5)
    strength = torch.tensor(2.0, dtype=D, requires_grad=True)
    data = {"positions": torch.cat(parts), "cell": cells, "batch": batch, "strength": strength}
    energies, forces, stress = energy_forces_stress(pair_energy, data, training=True)
    for n, (x, cell) in enumerate(zip(parts, cells)):
        alone = energy_forces_stress(pair_energy, {"positions": x, "cell": cell, "strength": 2.0})
        for whole, part in zip((energies[n], forces[batch == n], stress[n]), alone):
            torch.testing.assert_close(whole.detach(), part)
    (slope,) = torch.autograd.grad(stress.square().sum(), strength)
    torch.testing.assert_close(slope, stress.square().sum().detach())  # 2 s q for s = 2, where the square is s^2 q


def test_stress_of_ase():
    pytest.importorskip("ase", reason="ASE is not installed")
    from ase import Atoms
    from ase.calculators.lj import LennardJones

    atoms = Atoms("Ar4", positions=[[0, 0, 0], [1.1, 0, 0.1], [0, 1.2, 0], [0.9, 1.1, 1.2]], cell=CELLS[1], pbc=True)
    atoms.calc = LennardJones(rc=2.4, smooth=False)

    def energy(data):
        graph, steps = neighbours(data["positions"], 2.4, data["cell"])
        r = edge_vectors(data["positions"], graph, steps, data["cell"]).norm(dim=1)
        return 2 * (r**-12 - r**-6 - 2.4**-12 + 2.4**-6).sum()

    data = {"positions": torch.tensor(atoms.positions), "cell": torch.tensor(atoms.cell.array)}
    found = energy_forces_stress(energy, data)
    for ours, theirs in zip(found, (atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress(voigt=False))):
        torch.testing.assert_close(ours, torch.tensor(numpy.asarray(theirs)), rtol=1e-10, atol=1e-9)


# --- Bad input -------------------------------------------------------------------------------------------------------


def test_bad_arguments():
    x, cube = torch.zeros(2, 3, dtype=D), torch.eye(3, dtype=D)
    graph, steps = neighbours(x, 1.5, cube)
    for call, message in (
        (lambda: neighbours(x, 0), "the cutoff is a positive number, not 0"),
        (lambda: neighbours(x, float("nan")), "the cutoff is a positive number"),
        (lambda: neighbours(x[:, :2], 1.0), r"positions have the shape \[2, 2\]"),
        (lambda: neighbours(x.long(), 1.0), "torch.int64; they are numbers"),
        (lambda: neighbours(x / 0, 1.0), "point 0 has a position that is not finite"),
        (lambda: neighbours(x, 1.0, cube, "xyz"), "periodic is True, False, or three of them"),
        (lambda: neighbours(x, 1.0, cube, (True, True)), "periodic is True, False, or three of them"),
        (lambda: neighbours(x, 1.0, cube[:2]), r"the cell has the shape \[2, 3\]"),
        (lambda: neighbours(x, 1.0, cube / 0), "the cell has a number that is not finite"),
        (lambda: neighbours(x, 1.0, torch.ones(3, 3)), "lie in a plane or a line"),
        (lambda: neighbours(x, 1.0, 0 * cube), "lie in a plane or a line, or are 0"),
        (lambda: neighbours(x, 6.0, cube * 0.01), r"the cell is 0.01 high and the cutoff 6, so that points of 1.7\de\+09 cells"),
        (lambda: neighbours(x + 1e30, 1.0, cube), "so far outside the cell"),
        (lambda: neighbours(x, 1.0, cube.expand(2, 3, 3)), "with the structure of each"),
        (lambda: neighbours(x, 1.0, batch=torch.tensor([1, 0])), "in ascending order"),
        (lambda: neighbours(x, 1.0, batch=torch.zeros(3).long()), "the batch has 2 numbers of the type int64"),
        (lambda: neighbours(x, 1.0, method="guess"), 'the method is "own", "matscipy" or "ase"'),
        (lambda: edge_vectors(x[:1], graph), r"positions have the shape \[1, 3\]; this graph takes \[2, 3\]"),
        (lambda: edge_vectors(x, graph, None, cube), "not nothing"),
        (lambda: edge_vectors(x, graph, steps[1:], cube), "one row for each edge"),
        (lambda: edge_vectors(x, graph, steps, cube.expand(2, 3, 3)), "with the batch"),
        (lambda: energy_forces_stress(pair_energy, {"positions": x}), 'nothing as "cell"; a cell is'),
        (lambda: energy_forces_stress(pair_energy, {"positions": x, "cell": cube[0]}), r'"cell" has the shape \[3\]'),
        (lambda: energy_forces_stress(pair_energy, {"positions": x, "cell": 0 * cube}), "no volume"),
        (lambda: energy_forces_stress(pair_energy, {"positions": x, "cell": cube[None]}), 'no "batch"'),
        (lambda: energy_forces_stress(lambda d: torch.ones(1), {"positions": x, "cell": cube}), "do not depend on"),
    ):  # fmt: skip
        with pytest.raises(DomainError, match=message):
            call()
