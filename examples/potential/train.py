"""Trains the potential on energies and forces, and writes it to a file.

Usage: python train.py FILE.npz MODEL.pt [--frames 800] [--steps 2400] [--channels 32] [--lmax 2] [--seed 0]
                       [--export MODEL.pt2]

The last fifth of the frames is for the test. Frames of one motion follow one another, so that no motion is in both.
"""

import argparse
import time

import numpy
import torch
from intertwine.nn.geometric import compile_forces, energy_and_forces
from model import Batch, Potential

ENERGY_WEIGHT = FORCE_WEIGHT = 10.0  # of squares in eV²/atom² and eV²/Å²


def read(path: str) -> dict:
    data = numpy.load(path)
    ends = numpy.cumsum(data["atoms"])[:-1]
    found = {n: [torch.tensor(a) for a in numpy.split(data[n], ends)] for n in ("species", "positions", "forces")}
    found["energies"] = list(torch.tensor(data["energies"]))
    found = {name: [t.float() if t.is_floating_point() else t for t in list_] for name, list_ in found.items()}
    return {"elements": data["elements"].tolist(), **found}


def batch_of(data: dict, indices: list[int], cutoff: float) -> tuple[Batch, torch.Tensor, torch.Tensor]:
    chosen = {name: [list_[i] for i in indices] for name, list_ in data.items() if name != "elements"}
    batch = Batch.of(chosen["species"], [p.clone() for p in chosen["positions"]], cutoff)
    return batch, torch.stack(chosen["energies"]), torch.cat(chosen["forces"])


def start(model: Potential, data: dict, train: list[int]) -> None:
    """Mean energies of atoms by least squares, and the root mean square of forces as the scale."""
    counts = torch.stack([torch.bincount(data["species"][i], minlength=len(model.atom)) for i in train]).double()
    energies = torch.stack([data["energies"][i] for i in train]).double()
    model.atom.copy_(torch.linalg.lstsq(counts, energies[:, None]).solution[:, 0])
    model.scale.copy_(torch.cat([data["forces"][i] for i in train]).square().mean().sqrt())


def errors(model: Potential, data: dict, indices: list[int]) -> tuple[float, float]:
    """Mean absolute errors of forces, in meV/Å, and of energies, in meV per atom."""
    batch, energies, forces = batch_of(data, indices, model.cutoff)
    e, f = energy_and_forces(model, batch)
    atoms = torch.bincount(batch.cluster)
    return float((f - forces).abs().mean() * 1e3), float(((e.detach() - energies) / atoms).abs().mean() * 1e3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="the .npz file that data.py wrote")
    parser.add_argument("model", help="the file for the trained model")
    for name, value in (("frames", 800), ("steps", 2400), ("channels", 32), ("lmax", 2), ("seed", 0), ("batch", 5)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument(
        "--export", metavar="MODEL.pt2", help="also write energies and forces of a cluster as a program"
    )
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    data = read(options.data)
    count = len(data["energies"])
    test = list(range(count - count // 5, count))
    train = list(range(min(options.frames, count - len(test))))
    sizes = {"species": len(data["elements"]), "channels": options.channels, "lmax": options.lmax}
    model = Potential(**sizes)
    start(model, data, train)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-2, options.steps, pct_start=0.1)
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))
    begun, generator = time.process_time(), torch.Generator().manual_seed(options.seed)
    for step in range(1, options.steps + 1):
        indices = torch.randint(len(train), (options.batch,), generator=generator).tolist()
        batch, energies, forces = batch_of(data, [train[i] for i in indices], model.cutoff)
        e, f = energy_and_forces(model, batch, training=True)
        atoms = torch.bincount(batch.cluster)
        loss = ENERGY_WEIGHT * ((e - energies) / atoms).square().mean() + FORCE_WEIGHT * (f - forces).square().mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        schedule.step()
        average.update_parameters(model)
        if step % 100 == 0 or step == options.steps:
            force, energy = errors(average.module, data, test)
            print(
                f"step {step:5d}  forces {force:6.1f} meV/Å  energies {energy:6.2f} meV/atom"
                f"  {time.process_time() - begun:5.0f} s CPU",
                flush=True,
            )
    state = average.module.state_dict()
    torch.save({"elements": data["elements"], "sizes": sizes, "state": state}, options.model)
    if options.export:
        batch, *_ = batch_of(data, test[:1], model.cutoff)
        compile_forces(average.module, batch).save(options.export)


if __name__ == "__main__":
    main()
