"""Trains the potential on energies, forces and the stress of crystals, and writes it to a file.

Usage: python train.py FILE.npz MODEL.pt [--frames 800] [--steps 3600] [--channels 32] [--lmax 2]
                       [--cutoff 6] [--seed 0] [--patience N] [--stress-weight 10]
                       [--plot FILE.svg] [--export MODEL.pt2]

The last fifth of the frames is for the test. Frames of one motion follow one another, so that no motion is in both.
With --patience the first half of that fifth decides when to stop, and the second half is the test. With --lmax 0 the
model is invariant: its features are numbers, and it sees distances alone.
"""

import argparse
import copy
import time

import numpy
import torch
from intertwine.nn.geometric import compile_forces, energy_and_forces, energy_forces_stress
from model import Batch, Potential
from torch import Tensor

ENERGY_WEIGHT, FORCE_WEIGHT = 100.0, 10.0  # of squares in eV²/atom² and eV²/Å²
CHECK = 100  # steps from one check of the errors to the next
UNITS = {"forces": "meV/Å", "energies": "meV/atom", "stress": "meV/Å³"}


def read(path: str) -> dict:
    """Lists with an entry for each frame, and the elements. Crystals have "cells" and "stress"."""
    data = numpy.load(path)
    ends = numpy.cumsum(data["atoms"])[:-1]
    found = {n: [torch.tensor(a) for a in numpy.split(data[n], ends)] for n in ("species", "positions", "forces")}
    found |= {name: list(torch.tensor(data[name])) for name in ("energies", "cells", "stress") if name in data}
    found = {name: [t.float() if t.is_floating_point() else t for t in list_] for name, list_ in found.items()}
    return {"elements": data["elements"].tolist(), **found}


def batch_of(data: dict, indices: list[int], cutoff: float) -> tuple[Batch, list[Tensor]]:
    """Some frames, and what is right for them: energies, forces, and for crystals the stress."""
    chosen = {name: [list_[i] for i in indices] for name, list_ in data.items() if name != "elements"}
    batch = Batch.of(chosen["species"], chosen["positions"], cutoff, chosen.get("cells"))
    right = [torch.stack(chosen["energies"]), torch.cat(chosen["forces"])]
    return batch, right + ([torch.stack(chosen["stress"])] if "stress" in chosen else [])


def answers(model: Potential, batch: Batch, training: bool = False) -> tuple[Tensor, ...]:
    """Energies, forces, and for crystals the stress."""
    if batch.cell is None:
        return energy_and_forces(model, batch, training=training)
    return energy_forces_stress(model, batch, training=training, batch="cluster")


def loss_of(found: tuple[Tensor, ...], right: list[Tensor], batch: Batch, stress_weight: float) -> Tensor:
    """Weighted mean squares of energies per atom, of forces, and of stress times the volume per atom, in eV."""
    atoms = torch.bincount(batch.cluster)
    energy, force, *stress = (a - b for a, b in zip(found, right))
    loss = ENERGY_WEIGHT * (energy / atoms).square().mean() + FORCE_WEIGHT * force.square().mean()
    for s in stress:
        volume = torch.linalg.det(batch.cell).abs() / atoms
        loss = loss + stress_weight * (s * volume[:, None, None]).square().mean()
    return loss


def start(model: Potential, data: dict, train: list[int]) -> None:
    """Mean energies of atoms by least squares, and the root mean square of forces as the scale."""
    counts = torch.stack([torch.bincount(data["species"][i], minlength=len(model.atom)) for i in train]).double()
    energies = torch.stack([data["energies"][i] for i in train]).double()
    model.atom.copy_(torch.linalg.lstsq(counts, energies[:, None]).solution[:, 0])
    model.scale.copy_(torch.cat([data["forces"][i] for i in train]).square().mean().sqrt())


def neighbours_of(data: dict, train: list[int], cutoff: float) -> float:
    """How many neighbours an atom has in the first frames."""
    graph = batch_of(data, train[:20], cutoff)[0].graph
    return graph.edges / graph.nodes


def errors(model: Potential, batch: Batch, right: list[Tensor]) -> dict[str, float]:
    """Mean absolute errors in thousandths: of forces in meV/Å, of energies in meV per atom, of stress in meV/Å³."""
    energy, force, *stress = (a - b for a, b in zip(answers(model, batch), right))
    found = {"forces": force, "energies": energy / torch.bincount(batch.cluster)} | dict(zip(["stress"], stress))
    return {name: float(far.abs().mean() * 1e3) for name, far in found.items()}


def in_words(found: dict[str, float]) -> str:
    return "  ".join(f"{name} {e:6.{1 if name == 'forces' else 2}f} {UNITS[name]}" for name, e in found.items())


def fit(
    model: Potential, data: dict, train: list[int], held: list[int], steps: int, size: int = 5, seed: int = 0,
    patience: int = 0, stress_weight: float = 10.0, rate: float = 2e-2, say=print,
) -> tuple[Potential, list[tuple[int, dict[str, float]]]]:  # fmt: skip
    """The averaged weights, and their errors on the held frames at each check. With patience training ends where the
    error of forces has not fallen for so many checks, and the weights are those of the least error."""
    start(model, data, train)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=0.1)
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99))
    begun, generator = time.process_time(), torch.Generator().manual_seed(seed)
    # Four rounds through the frames, each in an order of its own. Steps after them take these batches again.
    rounds = torch.cat([torch.randperm(len(train), generator=generator) for _ in range(4)]).split(size)
    batches = {}
    unseen, curve, best = batch_of(data, held, model.cutoff), [], None
    for step in range(1, steps + 1):
        number = (step - 1) % len(rounds)
        if number not in batches:
            batches[number] = batch_of(data, [train[i] for i in rounds[number].tolist()], model.cutoff)
        batch, right = batches[number]
        loss = loss_of(answers(model, batch, training=True), right, batch, stress_weight)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
        schedule.step()
        average.update_parameters(model)
        if step % CHECK and step != steps:
            continue
        curve.append((step, errors(average.module, *unseen)))
        say(f"step {step:5d}  {in_words(curve[-1][1])}  {time.process_time() - begun:5.0f} s CPU")
        if patience and (best is None or curve[-1][1]["forces"] < curve[best][1]["forces"]):
            best, kept = len(curve) - 1, copy.deepcopy(average.module.state_dict())
        if patience and len(curve) - 1 - best >= patience:
            say(f"stopped at step {step}: the error of forces has not fallen for {patience} checks")
            break
    if patience:
        average.module.load_state_dict(kept)
        say(f"the weights of step {curve[best][0]} are kept: they have the least error of forces on validation frames")
    return average.module, curve


def split(count: int, patience: int) -> tuple[list[int], list[int], list[int]]:
    """The frames for training, those that training looks at, and those of the test."""
    first = count - count // 5
    middle = first + (count - first) // 2 if patience else first
    return list(range(first)), list(range(first, middle if patience else count)), list(range(middle, count))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="the .npz file that data.py wrote")
    parser.add_argument("model", help="the file for the trained model")
    for name, value in (("frames", 800), ("steps", 3600), ("channels", 32), ("lmax", 2), ("seed", 0), ("batch", 5)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument(
        "--patience", type=int, default=0, metavar="N",
        help="stop where the error of forces on validation frames has not fallen for N checks, 100 steps apart",
    )  # fmt: skip
    parser.add_argument("--cutoff", type=float, default=6.0, help="the farthest distance of neighbours, in Å")
    parser.add_argument("--stress-weight", type=float, default=10.0, help="of squares of stress times volume per atom")
    parser.add_argument("--plot", metavar="FILE", help="draw errors and forces to FILE.png or FILE.svg")
    parser.add_argument(
        "--export", metavar="MODEL.pt2", help="also write energies and forces of a cluster as a program"
    )
    options = parser.parse_args()
    if options.plot and not options.plot.endswith((".png", ".svg")):
        parser.error(f"the name of a plot ends in .png or .svg, not {options.plot!r}")
    torch.manual_seed(options.seed)
    data = read(options.data)
    train, held, test = split(len(data["energies"]), options.patience)
    train = train[: options.frames]
    sizes = {
        "species": len(data["elements"]), "channels": options.channels, "lmax": options.lmax, "cutoff": options.cutoff,
        "neighbours": neighbours_of(data, train, options.cutoff),
    }  # fmt: skip
    model, curve = fit(
        Potential(**sizes), data, train, held, options.steps, options.batch, options.seed, options.patience,
        options.stress_weight, say=lambda line: print(line, flush=True),
    )  # fmt: skip
    unseen, right = batch_of(data, test, model.cutoff)
    if options.patience:
        print(f"test: {in_words(errors(model, unseen, right))}")
    held = {"elements": data["elements"], "sizes": sizes, "periodic": "cells" in data, "state": model.state_dict()}
    torch.save(held, options.model)
    if options.plot:
        from plot import draw

        print(draw(options.plot, curve, answers(model, unseen)[1], right[1]))
    if options.export:
        compile_forces(model, batch_of(data, test[:1], model.cutoff)[0]).save(options.export)


if __name__ == "__main__":
    main()
