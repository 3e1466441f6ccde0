"""The potential as a calculator of ASE, and a check that a motion without heat bath keeps its energy: of a cluster,
of a crystal where the potential was trained on alloys, or of ethanol where it was on molecules.

Usage: python calculator.py MODEL.pt [--steps 500] [--seed 0]
"""

import argparse

import numpy
import torch
from ase import Atoms, units
from ase.build import molecule
from ase.calculators.calculator import Calculator, all_changes
from ase.md.velocitydistribution import MaxwellBoltzmannDistribution
from ase.md.verlet import VelocityVerlet
from ase.optimize import FIRE
from ase.stress import full_3x3_to_voigt_6_stress
from data import alloy, cluster
from intertwine.nn.geometric import energy_and_forces, energy_forces_stress
from model import Batch, Potential


def load(path: str) -> tuple[Potential, list[str], bool]:
    """The model, the elements that it knows, and whether it was trained on crystals."""
    held = torch.load(path, weights_only=True)
    model = Potential(**held["sizes"])
    model.load_state_dict(held["state"])
    return model.double(), held["elements"], held["periodic"]


class IntertwineCalculator(Calculator):
    """Energies and forces of atoms, and the stress of those that repeat."""

    implemented_properties = ["energy", "free_energy", "forces", "stress"]

    def __init__(self, model: Potential, elements: list[str]) -> None:
        super().__init__()
        self.model, self.elements = model, elements

    def calculate(self, atoms: Atoms, properties=("energy",), system_changes=all_changes) -> None:
        super().calculate(atoms, properties, system_changes)
        unknown = sorted(set(atoms.get_chemical_symbols()) - set(self.elements))
        if unknown:
            raise ValueError(f"this potential knows {' and '.join(self.elements)}, not {', '.join(unknown)}")
        species = torch.tensor([self.elements.index(s) for s in atoms.get_chemical_symbols()])
        cells = [torch.tensor(atoms.cell.array)] if atoms.pbc.any() else None
        places = [torch.tensor(atoms.positions)]
        batch = Batch.of([species], places, self.model.cutoff, cells, atoms.pbc.tolist())
        if cells is not None and atoms.cell.rank == 3:
            energy, forces, stress = energy_forces_stress(self.model, batch, batch="cluster")
            self.results = {"stress": full_3x3_to_voigt_6_stress(stress[0].numpy())}
        else:
            energy, forces = energy_and_forces(self.model, batch)
            self.results = {}
        self.results |= {"energy": energy.item(), "free_energy": energy.item(), "forces": forces.numpy()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the file that train.py wrote")
    parser.add_argument("--steps", type=int, default=500, help="of 1 fs")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = numpy.random.default_rng(options.seed)
    model, elements, periodic = load(options.model)
    start = alloy if periodic else cluster
    atoms = start(rng) if "Cu" in elements else molecule("CH3CH2OH")
    atoms.calc = IntertwineCalculator(model, elements)
    FIRE(atoms, logfile=None).run(fmax=0.05, steps=200)
    MaxwellBoltzmannDistribution(atoms, temperature_K=300, rng=rng)
    motion, energies = VelocityVerlet(atoms, 1 * units.fs), []
    for _ in range(options.steps):
        motion.run(1)
        energies.append(atoms.get_total_energy() / len(atoms))
    drift = numpy.polyfit(numpy.arange(len(energies)) * 1e-3, energies, 1)[0]
    within = numpy.ptp(energies) * 1e3
    print(f"{len(atoms)} atoms, {options.steps} fs without a heat bath: the energy keeps within {within:.2f} meV/atom")
    print(f"drift {drift * 1e3:.2f} meV/atom/ps")


if __name__ == "__main__":
    main()
