"""Clusters of copper and aluminium with energies and forces, by the effective medium theory of ASE.

Usage: python data.py FILE.npz [--frames 1000] [--seed 0]

Every cluster has 10 to 16 atoms in a random arrangement, relaxed for a few steps and heated to 800 K; its frames are 20
steps of 2 fs apart.
"""

import argparse

import numpy
from ase import Atoms, units
from ase.calculators.emt import EMT
from ase.md.langevin import Langevin
from ase.md.velocitydistribution import MaxwellBoltzmannDistribution
from ase.optimize import FIRE

FRAMES_OF_A_CLUSTER = 10
ELEMENTS = ("Al", "Cu")


def cluster(rng: numpy.random.Generator) -> Atoms:
    """Atoms at least 2.2 Å apart in a ball, with random elements."""
    count, places = int(rng.integers(10, 17)), []
    radius = 1.6 * count ** (1 / 3) + 0.6
    while len(places) < count:
        point = rng.uniform(-radius, radius, 3)
        if numpy.linalg.norm(point) < radius and all(numpy.linalg.norm(point - p) > 2.2 for p in places):
            places.append(point)
    return Atoms([ELEMENTS[k] for k in rng.integers(0, 2, count)], positions=places)


def frames(count: int, seed: int) -> list[Atoms]:
    rng, found = numpy.random.default_rng(seed), []
    while len(found) < count:
        atoms = cluster(rng)
        atoms.calc = EMT()
        FIRE(atoms, logfile=None).run(fmax=0.5, steps=60)
        MaxwellBoltzmannDistribution(atoms, temperature_K=800, rng=rng)
        motion = Langevin(atoms, 2 * units.fs, temperature_K=800, friction=0.02, rng=rng)
        for _ in range(FRAMES_OF_A_CLUSTER):
            motion.run(20)
            one = atoms.copy()
            one.info["energy"], one.arrays["forces"] = atoms.get_potential_energy(), atoms.get_forces()
            found.append(one)
        print(f"\r{min(len(found), count)} of {count} frames", end="", flush=True)
    print()
    return found[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the .npz file to write")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    made = frames(options.frames, options.seed)
    numpy.savez_compressed(
        options.file,
        atoms=numpy.array([len(a) for a in made]),
        species=numpy.concatenate([[ELEMENTS.index(s) for s in a.get_chemical_symbols()] for a in made]),
        positions=numpy.concatenate([a.positions for a in made]),
        energies=numpy.array([a.info["energy"] for a in made]),
        forces=numpy.concatenate([a.arrays["forces"] for a in made]),
    )


if __name__ == "__main__":
    main()
