"""How often training succeeds in subspaces of the weights, where a symmetry is exact, broken or absent.

    python examples/training/subspaces.py digits --symmetry 1          8 x 8 digits turned by multiples of 90 degrees (scikit-learn)
    python examples/training/subspaces.py sets --symmetry 0.5          the sum of five digits, half of the sets shuffled
    python examples/training/subspaces.py mnist1d --symmetry 0         signals that nobody moved (the package mnist1d)
    python examples/training/subspaces.py digits --symmetry 0,0.5,1    all three, and what they say beside one another

Writes runs/NAME-P-METHOD.jsonl with every run when it is there (a run that was stopped goes on from it), NAME-P.csv,
NAME-P.md and NAME-P.svg; of several P also NAME-symmetry.md and NAME-symmetry.svg.

A task and a method are named by words, and measure() is a function of a module, so that the runs can be sent to other
processes and machines.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import csv
import functools
import importlib.util
import pathlib
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from executors import on_cluster, processes
from intertwine import DomainError, Error, Group, Representation
from intertwine.weak import Crossing, Curve, EquivariantSpace, Record, Subspace, TwoPhase, success_curve
from torch import Tensor, nn

Examples = tuple[Tensor, Tensor, Tensor, Tensor]


class Task(NamedTuple):
    """What there is to learn, by three linear layers with a ReLU between."""

    widths: tuple[int, int, int]
    representations: tuple[Representation, Representation, Representation]
    examples: Callable[[int, float], Examples]  # seed, p -> x, y, and those of the test
    dims: list[int]
    what: str  # happens to an example with probability p

    def module(self) -> nn.Module:
        """The network, with PyTorch's initial weights."""
        a, b, c = self.widths
        return nn.Sequential(nn.Linear(a, b), nn.ReLU(), nn.Linear(b, c))

    def space(self) -> EquivariantSpace:
        """Its equivariant weights."""
        return EquivariantSpace(self.module(), self.representations)


class Settings(NamedTuple):
    """What all methods share."""

    steps: int = 400
    burn: int = 40
    lr: float = 0.01  # in all weights and in W
    lr_subspace: float = 0.03  # where d numbers move D weights, each of them moves less
    target: float = 0.1


def _moved(x: Tensor, p: float, images: Callable[[Tensor], Tensor], count: int, generator: torch.Generator) -> Tensor:
    """With probability p, x becomes a random one of its `count` images under the group, itself among them; images(x)
    [count, n, ...]."""
    which = torch.randint(count, (len(x),), generator=generator)
    which = torch.where(torch.rand(len(x), generator=generator) < p, which, 0)
    return images(x)[which, torch.arange(len(x))]


@functools.lru_cache(maxsize=1)
def _digits() -> tuple[Tensor, Tensor]:
    try:
        from sklearn.datasets import load_digits  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise DomainError(
            "the digits come with scikit-learn, which is not installed: pip install scikit-learn"
        ) from None
    found = load_digits()
    return torch.tensor(found.images / 16, dtype=torch.float32), torch.tensor(found.target)


def digits() -> Task:
    """8 x 8 digits, 300 to train on and 700 of the test, turned by a multiple of 90 degrees."""
    images, labels = _digits()
    C4 = Group("C4")

    def examples(seed: int, p: float) -> Examples:
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(images), generator=generator)
        x, y = images[order], labels[order]
        x = _moved(x, p, lambda x: torch.stack([torch.rot90(x, k, (-2, -1)) for k in range(4)]), 4, generator).flatten(
            1
        )
        return x[:300], y[:300], x[-700:], y[-700:]

    reps = (C4.rep("kernel(8,8)"), C4.rep("regular"), C4.rep("trivial"))
    return Task(
        (64, 32, 10),
        reps,
        examples,
        [48, 96, 128, 160, 192, 224, 256, 320],
        "turned by a random multiple of 90 degrees",
    )


def sets() -> Task:
    """Five digits, each 4 x 4: is their sum above 22? In order of size, or shuffled."""
    images, labels = _digits()
    S5 = Group("S5")
    small = nn.functional.avg_pool2d(images, 2).flatten(1)

    def examples(seed: int, p: float) -> Examples:
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(images), generator=generator)

        def draw(count: int, among: Tensor) -> tuple[Tensor, Tensor]:
            which = among[torch.randint(len(among), (count, 5), generator=generator)]
            which = which.gather(1, labels[which].argsort(stable=True, dim=1))
            shuffled = torch.rand(count, generator=generator) < p
            places = torch.rand(count, 5, generator=generator).argsort(1)
            which = which.gather(1, torch.where(shuffled[:, None], places, torch.arange(5)))
            return small[which].transpose(1, 2).flatten(1), (labels[which].sum(1) > 22).long()  # channels are pixels

        return *draw(400, order[:1100]), *draw(1000, order[1100:])

    perm = S5.rep("perm")
    return Task(
        (80, 40, 2),
        (perm, perm, S5.rep("trivial")),
        examples,
        [32, 48, 64, 96, 128, 192, 256, 384],
        "in random order instead of by size",
    )


def mnist1d() -> Task:
    """Signals of 40 samples (Greydanus & Kobak 2024), 400 to train on and 1000 of the test, moved around a circle."""
    try:
        from mnist1d.data import get_dataset_args, make_dataset  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise DomainError(
            "the signals come with the package mnist1d, which is not installed: pip install mnist1d"
        ) from None
    arguments = get_dataset_args()
    arguments.max_translation = 1  # in place: what is moved, we move
    states = random.getstate(), numpy.random.get_state()
    try:
        found = make_dataset(arguments)  # seeds the numbers of everybody
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
    signals = torch.tensor(found["x"], dtype=torch.float32)
    labels = torch.tensor(found["y"]).long()
    C40 = Group("C40")

    def examples(seed: int, p: float) -> Examples:
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(signals), generator=generator)[:1400]
        x, y = signals[order], labels[order]
        x = _moved(x, p, lambda x: torch.stack([x.roll(k, -1) for k in range(40)]), 40, generator)
        return x[:400], y[:400], x[400:], y[400:]

    regular = C40.rep("regular")
    return Task(
        (40, 160, 10),
        (regular, regular, C40.rep("trivial")),
        examples,
        [64, 96, 128, 192, 256, 384, 512, 768],
        "moved around the circle by a random number of samples",
    )


_TASKS: dict[str, Callable[[], Task]] = {"digits": digits, "sets": sets, "mnist1d": mnist1d}
TASKS = tuple(_TASKS)


@functools.cache
def task(name: str) -> Task:
    """The task of this name, kept."""
    if name not in _TASKS:
        raise DomainError(f"there is no task {name!r}; tasks are {', '.join(TASKS)}")
    return _TASKS[name]()


# --- Methods -------------------------------------------------------------------------------------------------------------------


class _Batch:
    """The runs of some seeds: their examples, and what trains them."""

    def __init__(self, of: Task, p: float, seeds: Sequence[int], settings: Settings) -> None:
        self.of, self.seeds, self.settings = of, list(seeds), settings
        self.D = sum(q.numel() for q in of.module().parameters())
        x, y, x_test, y_test = (list(part) for part in zip(*(of.examples(seed, p) for seed in self.seeds)))
        self.data: tuple[Any, Any] = (x, y)
        self.test: tuple[Any, Any] = (x_test, y_test)

    def train(
        self, equivariant: bool, phase1: int, phase2: Any, steps: int | None = None, keep: bool = False
    ) -> Record:
        rates = (self.settings.lr, self.settings.lr if phase2 == "full" else self.settings.lr_subspace)
        how = TwoPhase(self.of.module, self.of.representations if equivariant else None, phase1=phase1, phase2=phase2,
                       steps=self.settings.steps if steps is None else steps, lr=rates)  # fmt: skip
        return how.fit(*self.data, test=self.test, seeds=self.seeds, every=1 << 30, keep_trajectory=keep)


def _random_affine(b: _Batch, d: int) -> Record:
    return b.train(False, 0, lambda seed: Subspace.random(b.D, d, seed))


def _inside(b: _Batch, d: int, fraction: float) -> Record:
    space = b.of.space()
    return b.train(True, 0, lambda seed: Subspace.random(b.D, d, seed, inside=space, fraction=fraction))


def _burn_in(b: _Batch, d: int) -> Record:
    return b.train(False, b.settings.burn, lambda seed: Subspace.random(b.D, d, seed))


def _equivariant_first(b: _Batch, d: int) -> Record:
    return b.train(True, b.settings.burn, lambda seed: Subspace.random(b.D, d, seed))


def _lottery(b: _Batch, d: int) -> Record:
    # A trajectory of more points than directions, by the same training that the subspace is for.
    found = b.train(False, 0, "full", max(b.settings.steps, d), keep=True).trajectory
    assert found is not None
    return b.train(False, 0, {s: Subspace.lottery(found[:, k], d) for k, s in enumerate(b.seeds)}.__getitem__)


METHODS: Mapping[str, Callable[[_Batch, int], Record]] = {
    "random affine": _random_affine,
    "inside W": functools.partial(_inside, fraction=1.0),
    "half inside W": functools.partial(_inside, fraction=0.5),
    "burn-in": _burn_in,
    "equivariant first": _equivariant_first,
    "lottery": _lottery,
}
"""The subspaces, of one dimension d each: random directions through the initial weights; random directions in the
equivariant subspace, through the symmetrized initial weights; half of them there and half in its complement; random
directions through the weights after a burn-in in all weights, or in the equivariant subspace; principal directions of a
training in all weights."""

REFERENCES: Mapping[str, Callable[[_Batch, int], Record]] = {
    "all weights": lambda b, d: b.train(False, 0, "full"),
    "all of W": lambda b, d: b.train(True, b.settings.steps, None),
    "equivariant first, then all": lambda b, d: b.train(True, b.settings.burn, "full"),
}
"""Without a choice of d."""


def dimension_of(name: str, method: str) -> int:
    """The dimension in which a reference trains."""
    space = task(name).space()
    return space.dimension if method == "all of W" else space.D


def most(name: str, method: str) -> int:
    """The largest d that a method can have."""
    space = task(name).space()
    return {"inside W": space.dimension, "half inside W": 2 * min(space.dimension, space.D - space.dimension)}.get(
        method, space.D
    )


def measure(
    name: str, method: str, p: float, settings: Settings, d: int, seeds: Sequence[int]
) -> list[dict[str, float]]:
    """For every seed the lowest training loss of a run, and its accuracy on the test and its distance from equivariance
    at the end."""
    b = _Batch(task(name), p, seeds, settings)
    record = {**METHODS, **REFERENCES}[method](b, d)
    error = b.of.space().error(record.weights)
    return [
        {"loss": float(low), "accuracy": float(right), "error": float(e)}
        for low, right, e in zip(record.lowest, record.accuracy[-1], error)
    ]


# --- The program -----------------------------------------------------------------------------------------------------------------

QUICK = Settings(steps=40, burn=5)


def _numbers(text: str) -> list[int]:
    return [int(n) for n in text.split(",")]


def _probabilities(text: str) -> list[float]:
    return sorted({float(p) for p in text.split(",")})


def _text(p: float) -> str:
    """As short as it can be and exact: runs with different p have different files and keys."""
    return repr(p).removesuffix(".0")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("task", choices=TASKS)
    parser.add_argument(
        "--symmetry",
        type=_probabilities,
        default=[1.0],
        metavar="P",
        help="the probability that an example is moved by a random element of the group: 1 exact, 0 absent; or several, such as 0,0.5,1",
    )
    parser.add_argument("--seeds", type=int, default=12, help="runs for every method and dimension")
    parser.add_argument("--dims", type=_numbers, help="dimensions of the subspaces, such as 96,192")
    parser.add_argument("--steps", type=int, help=f"of training, by default {Settings().steps}")
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"{QUICK.steps} steps, two seeds and two dimensions, to see that everything runs",
    )
    parser.add_argument("--workers", type=int, default=0, help="processes on this machine; by default this one")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="the folder to write to")
    return parser


def run(
    name: str, p: float, settings: Settings, dims: list[int], seeds: int, out: pathlib.Path, executor: Any = None
) -> dict[str, Curve]:
    """One curve for every method. Results of other settings are not gone on with."""
    curves = {}
    for method in (*REFERENCES, *METHODS):
        at = [dimension_of(name, method)] if method in REFERENCES else [d for d in dims if d <= most(name, method)]
        if not at:
            continue
        slug = method.replace(",", "").replace(" ", "-").lower()
        key = f"{name}, p = {_text(p)}, {method}, {settings}"
        make = functools.partial(measure, name, method, p, settings)
        began = time.monotonic(), time.process_time()
        path = out / "runs" / f"{name}-{_text(p)}-{slug}.jsonl"
        curves[method] = success_curve(
            make, at, seeds, settings.target, executor=executor, path=path, key=key, progress=method
        )
        print(
            f"{method}: {time.monotonic() - began[0]:.0f} s, {time.process_time() - began[1]:.0f} s of the processor here",
            flush=True,
        )
    return curves


def _level(c: Crossing, last: int) -> str:
    if c.value == float("inf"):
        return f"above {last}"
    low = f"{c.low:.0f}" if c.low else "below"
    return f"{c.value:.0f} ({low} to {c.high:.0f})" if c.value else f"below {c.high:.0f}"


def table(curves: Mapping[str, Curve], p: float, settings: Settings) -> str:
    """In Markdown: P for every dimension, where it passes 0.5 and 0.9, accuracies, distances from equivariance."""
    ours = {m: c for m, c in curves.items() if m in METHODS}
    dims = sorted({d for c in ours.values() for d in c.dims})

    def row(*cells: str) -> str:
        return "| " + " | ".join(cells) + " |"

    def by_dimension(cell: Callable[[Curve, int], str]) -> list[str]:
        return [row(m, *(cell(c, c.dims.index(d)) if d in c.dims else "" for d in dims)) for m, c in ours.items()]

    head = [row("method", *(f"d = {d}" for d in dims)), "|---|" + "---:|" * len(dims)]
    lines = [
        f"Runs whose training loss reached {settings.target:g}, p = {_text(p)}, with Wilson's 95 % intervals of the probability:",
        "",
        *head,
    ]
    lines += by_dimension(lambda c, k: f"{c.successes[k]}/{c.trials[k]} ({c.wilson[k][0]:.2f}-{c.wilson[k][1]:.2f})")
    lines += [
        "",
        "Where the probability passes 0.5 and 0.9, with 95 % intervals:",
        "",
        row("method", "d(0.5)", "d(0.9)"),
        "|---|---:|---:|",
    ]
    lines += [row(m, _level(c.d(0.5), c.dims[-1]), _level(c.d(0.9), c.dims[-1])) for m, c in ours.items()]
    for name, what in (
        ("accuracy", "Accuracy on the test, with 95 % intervals of the mean"),
        ("error", "Distance from equivariance, |W - S(W)| / |W|, at the end"),
    ):
        means = {m: c.mean(name) for m, c in ours.items()}
        lines += ["", f"{what}:", "", *head]
        lines += [row(m, *((f"{v[c.dims.index(d)][0]:.3f} ({v[c.dims.index(d)][1]:.3f}-{v[c.dims.index(d)][2]:.3f})") if d in c.dims else "" for d in dims))
                  for (m, c), v in zip(ours.items(), means.values())]  # fmt: skip
    lines += [
        "",
        "Without a choice of d:",
        "",
        row("method", "dimension", "reached", "accuracy", "distance"),
        "|---|---:|---:|---:|---:|",
    ]
    for m in (m for m in curves if m in REFERENCES):
        c = curves[m]
        (a, low, high), (e, _, _) = c.mean("accuracy")[0], c.mean("error")[0]
        lines.append(
            row(m, str(c.dims[0]), f"{c.successes[0]}/{c.trials[0]}", f"{a:.3f} ({low:.3f}-{high:.3f})", f"{e:.3f}")
        )
    return "\n".join([*lines, ""])


def by_symmetry(found: Mapping[float, Mapping[str, Curve]], d: int) -> str:
    """In Markdown, of several probabilities p: where P passes 0.5, and the accuracy in dimension d."""
    heads = [*(f"d(0.5), p = {_text(p)}" for p in found), *(f"accuracy at d = {d}, p = {_text(p)}" for p in found)]
    lines = ["| " + " | ".join(["method", *heads]) + " |", "|---|" + "---:|" * len(heads)]
    for m in METHODS:
        curves = [of[m] for of in found.values() if m in of]
        if len(curves) < len(found) or d not in curves[0].dims:
            continue
        means = [c.mean("accuracy")[c.dims.index(d)] for c in curves]
        cells = [
            *(_level(c.d(0.5), c.dims[-1]) for c in curves),
            *(f"{a:.3f} ({low:.3f}-{high:.3f})" for a, low, high in means),
        ]
        lines.append("| " + " | ".join([m, *cells]) + " |")
    return "\n".join([*lines, ""])


_STYLES = dict(zip(METHODS, (("C0", "o"), ("C3", "s"), ("C1", "D"), ("C2", "^"), ("C4", "v"), ("C7", "x"))))


@contextlib.contextmanager
def _figure(path: pathlib.Path) -> Iterator[Any]:
    """Two panels, with the legend of the right one beside them."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "intertwine"  # the same bytes in every run
    import matplotlib.pyplot as plot

    figure, both = plot.subplots(1, 2, figsize=(9, 3.6))
    yield figure, both
    for axes in both:
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*both[1].get_legend_handles_labels(), loc="center right", frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0, 0.8, 1))
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)


def _with_bars(axes: Any, method: str, x: Sequence[float], values: Sequence[Sequence[float]]) -> None:
    """(value, low, high) for each x."""
    colour, marker = _STYLES[method]
    errors = [[v - low for v, low, _ in values], [high - v for v, _, high in values]]
    axes.errorbar(
        x,
        [v for v, _, _ in values],
        yerr=errors,
        capsize=2,
        color=colour,
        marker=marker,
        markersize=4,
        linewidth=1.2,
        label=method,
    )


def picture(curves: Mapping[str, Curve], p: float, settings: Settings, path: pathlib.Path) -> None:
    """How often the target was reached, and the accuracy on the test."""
    with _figure(path) as (figure, (left, right)):
        for method, c in ((m, curves[m]) for m in METHODS if m in curves):
            colour, marker = _STYLES[method]
            left.plot(c.dims, c.probability, color=colour, marker=marker, markersize=4, linewidth=1.2, label=method)
            left.fill_between(
                c.dims,
                [low for low, _ in c.wilson],
                [high for _, high in c.wilson],
                color=colour,
                alpha=0.1,
                linewidth=0,
            )
            _with_bars(right, method, c.dims, c.mean("accuracy"))
        for method, style in zip(REFERENCES, ("-", "--", ":")):
            if method in curves:
                right.axhline(
                    curves[method].mean("accuracy")[0][0], color="black", linestyle=style, linewidth=0.8, label=method
                )
        left.set_ylabel(f"P(training loss ≤ {settings.target:g})")
        right.set_ylabel("accuracy on the test")
        for axes in (left, right):
            axes.set_xlabel("dimension d of the subspace")
        figure.suptitle(f"p = {_text(p)}", fontsize=10)


def picture_by_symmetry(found: Mapping[float, Mapping[str, Curve]], d: int, path: pathlib.Path) -> None:
    """Against p: where P passes 0.5, as far as it does, and the accuracy in dimension d."""
    with _figure(path) as (_, (left, right)):
        for method in METHODS:
            curves = {p: of[method] for p, of in found.items() if method in of and d in of[method].dims}
            levels = {p: c.d(0.5) for p, c in curves.items()}
            passed = {p: level for p, level in levels.items() if level.value and level.high < float("inf")}
            _with_bars(left, method, list(passed), list(passed.values()))
            _with_bars(right, method, list(curves), [c.mean("accuracy")[c.dims.index(d)] for c in curves.values()])
        left.set_ylabel("d(0.5)")
        right.set_ylabel(f"accuracy on the test, d = {d}")
        for axes in (left, right):
            axes.set_xlabel("probability p of a move")
            axes.set_xticks(list(found))


def main(arguments: list[str] | None = None) -> int:
    """Gives the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if not all(0 <= p <= 1 for p in given.symmetry):
        parser.error("--symmetry is a probability, from 0 to 1")
    if (
        given.seeds < 1
        or given.workers < 0
        or given.steps is not None
        and given.steps < 1
        or given.dims is not None
        and min(given.dims) < 1
    ):
        parser.error("--seeds, --dims and --steps are positive, --workers is not negative")
    torch.set_num_threads(1)
    found = {}
    try:
        settings = QUICK if given.quick else Settings()
        settings = settings._replace(steps=given.steps) if given.steps else settings
        dims = given.dims or task(given.task).dims
        dims = dims[2:5:2] if given.quick and not given.dims else dims
        seeds = 2 if given.quick else given.seeds
        here = functools.partial(processes, given.workers) if given.workers else None
        with on_cluster(given.cluster, __file__) if given.cluster else contextlib.nullcontext(here) as executor:
            for p in given.symmetry:
                print(f"{given.task}: examples are {task(given.task).what} with probability {_text(p)}")
                found[p] = run(given.task, p, settings, dims, seeds, given.out, executor)
    except (Error, concurrent.futures.BrokenExecutor) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    draws = importlib.util.find_spec("matplotlib") is not None
    for p, curves in found.items():
        _write(curves, p, settings, given.out / f"{given.task}-{_text(p)}", draws)
    if len(found) > 1:
        stem, d = given.out / f"{given.task}-symmetry", sorted(dims)[len(dims) // 2]
        text = by_symmetry(found, d)
        pathlib.Path(f"{stem}.md").write_text(text)
        print("\n" + text)
        if draws:
            picture_by_symmetry(found, d, pathlib.Path(f"{stem}.svg"))
    if not draws:
        print("no picture: matplotlib is not installed (pip install matplotlib)")
    return 0


def _write(curves: Mapping[str, Curve], p: float, settings: Settings, stem: pathlib.Path, draws: bool) -> None:
    """All runs, the tables and the figure of one p."""
    with open(f"{stem}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["method", "d", "seed", "loss", "accuracy", "error"], lineterminator="\n")
        writer.writeheader()
        for method, curve in curves.items():
            writer.writerows({"method": method, **row} for row in curve.rows)
    text = table(curves, p, settings)
    pathlib.Path(f"{stem}.md").write_text(text)
    print("\n" + text)
    if draws:
        picture(curves, p, settings, pathlib.Path(f"{stem}.svg"))


if __name__ == "__main__":
    import subspaces  # by this name other processes and machines find the functions that are sent to them

    sys.exit(subspaces.main())
