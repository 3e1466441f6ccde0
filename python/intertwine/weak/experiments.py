"""The experiments of python -m intertwine.weak: tasks whose symmetry is exact, broken or absent, and the ways of training that are compared.

A task and a method are named by words, and measure() is a function of a module, so that the runs can be sent to other processes and machines.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation
from .parameters import EquivariantSpace
from .subspace import Subspace
from .twophase import Record, TwoPhase

__all__ = ["METHODS", "REFERENCES", "TASKS", "Settings", "Task", "measure"]

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
    """With probability p, x becomes a random one of its `count` images under the group, itself among them; images(x) [count, n, ...]."""
    which = torch.randint(count, (len(x),), generator=generator)
    which = torch.where(torch.rand(len(x), generator=generator) < p, which, 0)
    return images(x)[which, torch.arange(len(x))]


@functools.lru_cache(maxsize=1)
def _digits() -> tuple[Tensor, Tensor]:
    try:
        from sklearn.datasets import load_digits  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise DomainError("the digits come with scikit-learn, which is not installed: pip install scikit-learn") from None
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
        x = _moved(x, p, lambda x: torch.stack([torch.rot90(x, k, (-2, -1)) for k in range(4)]), 4, generator).flatten(1)
        return x[:300], y[:300], x[-700:], y[-700:]

    reps = (C4.rep("kernel(8,8)"), C4.rep("regular"), C4.rep("trivial"))
    return Task((64, 32, 10), reps, examples, [48, 96, 128, 160, 192, 224, 256, 320], "turned by a random multiple of 90 degrees")


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
    return Task((80, 40, 2), (perm, perm, S5.rep("trivial")), examples, [32, 48, 64, 96, 128, 192, 256, 384], "in random order instead of by size")


def mnist1d() -> Task:
    """Signals of 40 samples (Greydanus & Kobak 2024), 400 to train on and 1000 of the test, moved around a circle."""
    try:
        from mnist1d.data import get_dataset_args, make_dataset  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise DomainError("the signals come with the package mnist1d, which is not installed: pip install mnist1d") from None
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
    return Task((40, 160, 10), (regular, regular, C40.rep("trivial")), examples, [64, 96, 128, 192, 256, 384, 512, 768], "moved around the circle by a random number of samples")


_TASKS: dict[str, Callable[[], Task]] = {"digits": digits, "sets": sets, "mnist1d": mnist1d}
TASKS = tuple(_TASKS)


@functools.lru_cache(maxsize=None)
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

    def train(self, equivariant: bool, phase1: int, phase2: Any, steps: int | None = None, keep: bool = False) -> Record:
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
"""Of one dimension d each: random directions through the initial weights; random directions in the equivariant subspace, through the symmetrized initial weights;
half of them there and half in its complement; random directions through the weights after a burn-in in all weights, or in the equivariant subspace; principal directions of a
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
    return {"inside W": space.dimension, "half inside W": 2 * min(space.dimension, space.D - space.dimension)}.get(method, space.D)


def measure(name: str, method: str, p: float, settings: Settings, d: int, seeds: Sequence[int]) -> list[dict[str, float]]:
    """For every seed the lowest training loss of a run, and its accuracy on the test and its distance from equivariance at the end."""
    b = _Batch(task(name), p, seeds, settings)
    record = {**METHODS, **REFERENCES}[method](b, d)
    error = b.of.space().error(record.weights)
    return [{"loss": float(low), "accuracy": float(right), "error": float(e)} for low, right, e in zip(record.lowest, record.accuracy[-1], error)]
