"""Errors of forces after training on few and on many frames, beside those of an invariant model of equal cost.

Usage: python compare.py FILE.npz [--frames 50,100,200] [--steps 1200] [--channels 32] [--lmax 2]
                         [--invariant-channels 160] [--rate 0.02] [--invariant-rate 0.005] [--seed 0]

The invariant model is the same with degree 0 alone: it sees distances. With 160 channels a step of it takes the CPU
time of one of the other with 32, on clusters; the table has both times. The last fifth of the frames is the test.
"""

import argparse
import time

import torch
from model import Potential
from train import batch_of, errors, fit, neighbours_of, read, split


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="the .npz file that data.py wrote")
    parser.add_argument("--frames", default="50,100,200", help="how many frames to train on, by commas")
    for name, value in (("steps", 1200), ("channels", 32), ("lmax", 2), ("invariant-channels", 160), ("seed", 0)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--cutoff", type=float, default=6.0, help="the farthest distance of neighbours, in Å")
    parser.add_argument("--rate", type=float, default=2e-2, help="the largest learning rate")
    parser.add_argument("--invariant-rate", type=float, default=5e-3, help="that of the invariant model")
    options = parser.parse_args()
    data = read(options.data)
    train, _, test = split(len(data["energies"]), 0)
    counts = [int(n) for n in options.frames.split(",")]
    if not 0 < min(counts) <= max(counts) <= len(train):
        parser.error(f"the file has {len(train)} frames for training, not {options.frames}")
    print("| frames | equivariant | invariant | CPU time a step |\n|---|---|---|---|")
    models = (
        (options.lmax, options.channels, options.rate),
        (0, options.invariant_channels, options.invariant_rate),
    )
    for count in counts:
        found, times = [], []
        for lmax, channels, rate in models:
            torch.manual_seed(options.seed)
            near = neighbours_of(data, train[:count], options.cutoff)
            model = Potential(len(data["elements"]), options.cutoff, channels, lmax, neighbours=near)
            begun = time.process_time()
            model, _ = fit(
                model, data, train[:count], test[:1], options.steps, seed=options.seed, rate=rate, say=lambda line: None
            )
            times.append(1e3 * (time.process_time() - begun) / options.steps)
            found.append(errors(model, *batch_of(data, test, model.cutoff))["forces"])
        print(
            f"| {count} | {found[0]:.1f} meV/Å | {found[1]:.1f} meV/Å | {times[0]:.0f} and {times[1]:.0f} ms |",
            flush=True,
        )


if __name__ == "__main__":
    main()
