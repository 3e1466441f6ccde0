"""Atoms with energies, forces and stress, made offline.

Usage: python data.py FILE.npz [--data clusters|alloys|molecules] [--frames 1000] [--seed 0]

clusters: 10 to 16 atoms of copper and aluminium in a random arrangement, relaxed for a few steps and heated to 800 K,
by the effective medium theory of ASE. alloys: crystals with eight atoms of copper and aluminium in a strained cell at
800 K, by the same theory, and their stress. molecules: ten organic molecules at 500 K by GFN2-xTB, a semi-empirical
quantum method (pip install tblite). Ten frames, 20 steps apart, come from one motion.
"""

import argparse

import numpy
from ase import Atoms, units
from ase.build import bulk, molecule
from ase.calculators.emt import EMT
from ase.md.langevin import Langevin
from ase.md.velocitydistribution import MaxwellBoltzmannDistribution
from ase.optimize import FIRE

FRAMES_OF_A_MOTION = 10
ELEMENTS = {"clusters": ("Al", "Cu"), "alloys": ("Al", "Cu"), "molecules": ("H", "C", "N", "O")}
MOLECULES = (
    "CH3CH2OH", "CH3OCH3", "CH3COOH", "CH3CONH2", "CH3CH2NH2", "CH3CHO", "CH3COCH3", "HCOOCH3", "CH3CN", "C6H6",
)  # fmt: skip


def cluster(rng: numpy.random.Generator) -> Atoms:
    """Atoms at least 2.2 Å apart in a ball, with random elements."""
    count, places = int(rng.integers(10, 17)), []
    radius = 1.6 * count ** (1 / 3) + 0.6
    while len(places) < count:
        point = rng.uniform(-radius, radius, 3)
        if numpy.linalg.norm(point) < radius and all(numpy.linalg.norm(point - p) > 2.2 for p in places):
            places.append(point)
    elements = ELEMENTS["clusters"]
    atoms = Atoms([elements[k] for k in rng.integers(0, 2, count)], positions=places)
    atoms.calc = EMT()
    return atoms


def alloy(rng: numpy.random.Generator) -> Atoms:
    """A face-centred cubic crystal of random elements, two cells along each vector, strained by up to 4 %."""
    kinds, strain = rng.integers(0, 2, 8), rng.uniform(-0.04, 0.04, (3, 3))
    atoms = bulk("Cu", "fcc", a=4.0 - 0.4 * kinds.mean()).repeat(2)
    atoms.set_chemical_symbols([ELEMENTS["alloys"][k] for k in kinds])
    atoms.set_cell(atoms.cell.array @ (numpy.eye(3) + (strain + strain.T) / 2), scale_atoms=True)
    atoms.calc = EMT()
    return atoms


def some_molecule(rng: numpy.random.Generator) -> Atoms:
    from tblite.ase import TBLite

    atoms = molecule(MOLECULES[rng.integers(len(MOLECULES))])
    atoms.calc = TBLite(method="GFN2-xTB", verbosity=0)
    return atoms


def frames(data: str, count: int, seed: int) -> list[Atoms]:
    rng, found = numpy.random.default_rng(seed), []
    start, kelvin, step = {
        "clusters": (cluster, 800, 2 * units.fs),
        "alloys": (alloy, 800, 2 * units.fs),
        "molecules": (some_molecule, 500, units.fs),
    }[data]
    while len(found) < count:
        atoms = start(rng)
        FIRE(atoms, logfile=None).run(fmax=0.5, steps=60)
        MaxwellBoltzmannDistribution(atoms, temperature_K=kelvin, rng=rng)
        motion = Langevin(atoms, step, temperature_K=kelvin, friction=0.02, rng=rng)
        for _ in range(FRAMES_OF_A_MOTION):
            motion.run(20)
            one = atoms.copy()
            one.info["energy"], one.arrays["forces"] = atoms.get_potential_energy(), atoms.get_forces()
            if one.pbc.all():
                one.info["stress"] = atoms.get_stress(voigt=False)
            found.append(one)
        print(f"\r{min(len(found), count)} of {count} frames", end="", flush=True)
    print()
    return found[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the .npz file to write")
    parser.add_argument("--data", choices=sorted(ELEMENTS), default="clusters")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    elements = ELEMENTS[options.data]
    made = frames(options.data, options.frames, options.seed)
    periodic = {} if options.data != "alloys" else {
        "cells": numpy.array([a.cell.array for a in made]),
        "stress": numpy.array([a.info["stress"] for a in made]),
    }  # fmt: skip
    numpy.savez_compressed(
        options.file,
        elements=numpy.array(elements),
        atoms=numpy.array([len(a) for a in made]),
        species=numpy.concatenate([[elements.index(s) for s in a.get_chemical_symbols()] for a in made]),
        positions=numpy.concatenate([a.positions for a in made]),
        energies=numpy.array([a.info["energy"] for a in made]),
        forces=numpy.concatenate([a.arrays["forces"] for a in made]),
        **periodic,
    )


if __name__ == "__main__":
    main()
