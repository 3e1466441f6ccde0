"""Five trainings: what an equivariant network learns from how many examples, beside plain networks.

    python examples/training/learn.py digits        handwritten digits, turned and mirrored at random (scikit-learn's digits, 8 x 8)
    python examples/training/learn.py digits-wide   the same with networks twice as wide
    python examples/training/learn.py sets          the sum of five digits, given as a set of images
    python examples/training/learn.py robot         the velocity of a robot's trunk from its joints and their velocities
    python examples/training/learn.py graphs        the number of spanning trees of a graph on seven vertices (NetworkX's atlas)
    python examples/training/learn.py polarizability
                                                    the anisotropic polarizability of a molecule from its atoms (QM9, pip install qm9pack)

Four networks see the same examples for the same number of steps, with the same optimiser and no search for its
constants:

    equivariant        layers of intertwine.nn
    equal width        the same layers without symmetry: as many numbers between them
    equal parameters   the plain network of the width that gives nearest to the equivariant one's number of parameters
    augmented          equal width, and every example moved by a random element of the group each time it is seen

Writes runs/NAME-NETWORK.jsonl with every run when it is there (a command that was stopped goes on from it), NAME.csv
with all of them, NAME.md with means and standard deviations over the seeds, and NAME.svg where matplotlib is installed.
--workers and --cluster share the runs out.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import csv
import functools
import importlib.util
import math
import multiprocessing
import pathlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from intertwine import Error, Group, Representation
from intertwine.nn import Activation, AvgPool2d, BatchNorm, Conv2d, Graphs, Linear, Tensors
from intertwine.weak import success_curve
from torch import Tensor, nn

HERE = pathlib.Path(__file__).resolve().parent


class Task(NamedTuple):
    """What there is to learn. Scores are better when they are larger, and 1 is perfect."""

    score_name: str
    sizes: list[int]
    steps: int
    examples: Callable[
        [int, torch.Generator], tuple[Tensor, Tensor, Tensor, Tensor]
    ]  # how many to train on -> x, y, x and y of the test
    move: Callable[[Tensor, Tensor, torch.Generator], tuple[Tensor, Tensor]]  # each by a random element of the group
    equivariant: Callable[[], nn.Module]
    plain: Callable[[int], nn.Module]
    width: int  # of the plain network as wide as the equivariant one
    loss: Callable[[Tensor, Tensor], Tensor]
    score: Callable[[Tensor, Tensor], float]


def _accuracy(y: Tensor, label: Tensor) -> float:
    return float((y.argmax(-1) == label).float().mean())


def _explained(y: Tensor, target: Tensor) -> float:
    """R²: the share of the variance that is explained; below zero it is worse than the mean."""
    return 1 - float((y - target).pow(2).sum() / (target - target.mean(0)).pow(2).sum())


def _digits_and_labels() -> tuple[Tensor, Tensor]:
    from sklearn.datasets import load_digits

    found = load_digits()
    return torch.tensor(found.images / 16, dtype=torch.float32), torch.tensor(found.target)


# --- Digits ------------------------------------------------------------------------------------------------------------------


class _Mean(nn.Module):
    """The mean over the grid."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean((-2, -1))


def digits(fields: int = 4) -> Task:
    images, labels = _digits_and_labels()
    D4 = Group("D4")
    image, regular = D4.rep("trivial"), D4.rep("regular")

    def move(x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        which = torch.randint(8, (len(x),), generator=generator)
        turned = torch.stack(
            [torch.rot90(x, k, (-2, -1)) for k in range(4)] + [torch.rot90(x.flip(-1), k, (-2, -1)) for k in range(4)]
        )
        return turned[which, torch.arange(len(x))], y

    def examples(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        order = torch.randperm(len(images), generator=generator)
        x, y = move(images[order, None, None], labels[order], generator)
        return x[:size], y[:size], x[-700:], y[-700:]

    def equivariant() -> nn.Module:
        def convolution(V: Representation, channels: int) -> nn.Module:
            return nn.Sequential(
                Conv2d(V, regular, channels, fields, 3, padding=1, bias=False),
                BatchNorm(regular, fields, axes=2),
                Activation(regular, torch.relu),
            )

        return nn.Sequential(
            convolution(image, 1),
            convolution(regular, fields),
            AvgPool2d(regular, 2),
            convolution(regular, fields),
            _Mean(),
            Linear(regular, image, fields, 10),
            nn.Flatten(),
        )

    def plain(width: int) -> nn.Module:
        def convolution(channels: int) -> nn.Module:
            return nn.Sequential(nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())

        return nn.Sequential(
            nn.Flatten(1, 2),
            convolution(1),
            convolution(width),
            nn.AvgPool2d(2),
            convolution(width),
            _Mean(),
            nn.Linear(width, 10),
        )

    return Task(
        "accuracy",
        [64, 256, 1024],
        1000,
        examples,
        move,
        equivariant,
        plain,
        8 * fields,
        nn.functional.cross_entropy,
        _accuracy,
    )


# --- Sets --------------------------------------------------------------------------------------------------------------------


def _perceptron(inputs: int, width: int, *outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Flatten(),
        nn.Linear(inputs, width),
        nn.ReLU(),
        nn.Linear(width, width),
        nn.ReLU(),
        nn.Linear(width, math.prod(outputs)),
        nn.Unflatten(1, outputs),
    )


def sets() -> Task:
    """x [b, 64, 5]: five images, their pixels as channels. y [b, 1, 1]: the sum of the digits, over 10."""
    images, labels = _digits_and_labels()
    S5 = Group("S5")
    V, one = S5.rep("perm"), S5.rep("trivial")
    channels = 64

    def draw(count: int, among: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        which = among[torch.randint(len(among), (count, 5), generator=generator)]
        return images[which].flatten(2).transpose(1, 2).contiguous(), labels[which].sum(1).float().view(-1, 1, 1) / 10

    def examples(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        order = torch.randperm(len(images), generator=generator)  # no image of the test is in a set that is trained on
        return *draw(size, order[:1100], generator), *draw(1000, order[1100:], generator)

    def move(x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        order = torch.rand(len(x), 1, 5, generator=generator).argsort(-1)
        return x.gather(2, order.expand_as(x)), y

    def equivariant() -> nn.Module:
        relu = Activation(V, torch.relu)
        return nn.Sequential(
            Linear(V, V, 64, channels), relu, Linear(V, V, channels, channels), relu, Linear(V, one, channels, 1)
        )

    return Task("R²", [250, 1000, 4000], 3000, examples, move, equivariant, lambda w: _perceptron(320, w, 1, 1), 5 * channels,
                nn.functional.mse_loss, _explained)  # fmt: skip


# --- Robot -------------------------------------------------------------------------------------------------------------------


def trunk_velocity(q: Tensor, dq: Tensor) -> Tensor:
    """[b, 6]: velocity and angular velocity of the trunk while four feet stand still, from the angles of the joints and
    their velocities [b, 12], in the order of examples/quadruped: by least squares from v + w x p + dp/dq dq = 0 for the
    position p of every foot.

    Thigh and shank are 1 long, the hips at (+-1, +-0.4, 0), the leg's plane 0.2 outside of them.
    """
    ahead, left = torch.tensor([1.0, 1, -1, -1], dtype=q.dtype), torch.tensor([1.0, -1, 1, -1], dtype=q.dtype)

    def feet(q: Tensor) -> Tensor:
        a, h, k = q.unflatten(-1, (4, 3)).unbind(-1)
        x, y, z = -h.sin() - (h + k).sin(), 0.2 * left.expand_as(a), -h.cos() - (h + k).cos()
        return torch.stack((ahead + x, 0.4 * left + a.cos() * y - a.sin() * z, a.sin() * y + a.cos() * z), -1)

    p, dp = torch.func.jvp(feet, (q,), (dq,))
    x, y, z = p.unbind(-1)
    zero = torch.zeros_like(x)
    cross = torch.stack((zero, z, -y, -z, zero, x, y, -x, zero), -1).unflatten(-1, (3, 3))  # w x p = cross w
    A = torch.cat((torch.eye(3, dtype=q.dtype).expand_as(cross), cross), -1).flatten(1, 2)
    return torch.linalg.lstsq(A, -dp.flatten(1).unsqueeze(-1)).solution.squeeze(-1)


def robot() -> Task:
    """x [b, 2, 12]: angles of the joints and their velocities. y [b, 1, 6]: the velocity of the trunk."""
    folder = HERE.parent / "quadruped"
    G = Group("C2 x C2")
    joints, trunk, regular = (
        G.rep(f"rep(@{folder / 'joints.json'})"),
        G.rep(f"rep(@{folder / 'trunk.json'})"),
        G.rep("regular"),
    )
    channels = 24
    stance = torch.tensor([0, 0.5, -0.9] * 2 + [0, -0.5, 0.9] * 2, dtype=torch.float64)  # its own image in both mirrors
    elements = [G.identity, *G.generators, G.generators[0] * G.generators[1]]
    on_joints, on_trunk = (torch.stack([_matrix(V, g) for g in elements]) for V in (joints, trunk))

    def draw(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        q, dq = (torch.randn(count, 12, generator=generator, dtype=torch.float64) for _ in range(2))
        angles = stance + 0.5 * q
        y = trunk_velocity(angles, dq)
        return torch.stack((angles, dq), 1).float(), y.unsqueeze(1).float()

    def examples(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return *draw(size, generator), *draw(2000, generator)

    def move(x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        which = torch.randint(4, (len(x),), generator=generator)
        return torch.einsum("bij,bcj->bci", on_joints[which], x), torch.einsum("bij,bcj->bci", on_trunk[which], y)

    def equivariant() -> nn.Module:
        relu = Activation(regular, torch.relu)
        return nn.Sequential(
            Linear(joints, regular, 2, channels),
            relu,
            Linear(regular, regular, channels, channels),
            relu,
            Linear(regular, trunk, channels, 1),
        )

    return Task(
        "R²",
        [250, 1000, 4000],
        800,
        examples,
        move,
        equivariant,
        lambda w: _perceptron(24, w, 1, 6),
        4 * channels,
        nn.functional.mse_loss,
        _explained,
    )


def _matrix(V: Any, g: Any) -> Tensor:
    M = torch.zeros(V.dimension, V.dimension)
    for row, column, value in V.matrix(g).entries():
        M[row, column] = float(value)
    return M


# --- Graphs ------------------------------------------------------------------------------------------------------------------


def graphs() -> Task:
    """x [b, 1, 7, 7]: the adjacency matrices of the 1044 graphs on seven vertices, from NetworkX's atlas, the vertices
    in a random order. y [b, 1]: the logarithm of 1 + the number of spanning trees (by Kirchhoff's determinant)."""
    from networkx import graph_atlas_g, to_numpy_array

    n, channels = 7, 8
    atlas = torch.stack([torch.tensor(to_numpy_array(g)) for g in graph_atlas_g() if len(g) == n])
    trees = torch.linalg.det((torch.diag_embed(atlas.sum(-1)) - atlas)[:, 1:, 1:])

    def move(x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        order = torch.rand(len(x), 1, n, generator=generator).argsort(-1)
        rows = x.gather(2, order.transpose(1, 2).unsqueeze(1).expand_as(x))
        return rows.gather(3, order.unsqueeze(1).expand_as(x)), y

    def examples(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        order = torch.randperm(len(atlas), generator=generator)
        x, y = move(atlas[order, None].float(), trees[order, None].round().log1p().float(), generator)
        return x[:size], y[:size], x[-780:], y[-780:]

    def equivariant() -> nn.Module:
        return nn.Sequential(
            Graphs(1, channels), nn.ReLU(), Graphs(channels, channels), nn.ReLU(), Tensors(2, 0, channels, 1)
        )

    return Task(
        "R²",
        [16, 64, 256],
        1000,
        examples,
        move,
        equivariant,
        lambda w: _perceptron(n * n, w, 1),
        n * n * channels,
        nn.functional.mse_loss,
        _explained,
    )


# --- Molecules ---------------------------------------------------------------------------------------------------------------

CHARGES = {"H": 1, "C": 6, "N": 7, "O": 8, "F": 9}


def _columns(path: pathlib.Path, *names: str) -> Iterator[list[str]]:
    """These columns of every row of a file of qm9pack."""
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        for name in names:
            if name not in (reader.fieldnames or ()):
                raise ValueError(f"{path} has no column {name}: the files of qm9pack 1.0.3 are what this reads")
        for row in reader:
            try:
                yield [row[name].strip() for name in names]
            except AttributeError:
                raise ValueError(f"{path}, line {reader.line_num}: the row is too short") from None


def _numbers(place: str, words: list[str]) -> list[float]:
    try:
        found = list(map(float, words))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    if not all(map(math.isfinite, found)):
        raise ValueError(f"{place}: a number is not finite")
    return found


_MOLECULES: dict[
    int, tuple[Tensor, Tensor, Tensor]
] = {}  # by the most atoms; functools.cache's objects do not reach the workers of a cluster


def _small_molecules(most: int) -> tuple[Tensor, Tensor, Tensor]:
    """QM9's molecules of at most so many atoms: nuclear charges [m, most], 0 where there is no atom, positions [m,
    most, 3] in angstrom, and the diagonals [m, 3] of the polarizability tensors in bohr^3.

    The package is not imported, since it wants pkg_resources, which newer setuptools have no more.
    """
    if most in _MOLECULES:
        return _MOLECULES[most]
    found = importlib.util.find_spec("qm9pack")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("qm9pack is not installed", name="qm9pack")
    folder = pathlib.Path(found.submodule_search_locations[0]) / "data"
    diagonals = {
        name: numbers
        for name, *numbers in _columns(folder / "qm9_polarizability.csv", "XYZ_file", "A_xx", "A_yy", "A_zz")
    }
    charges, places, values = [], [], []
    for path in sorted(folder.glob("qm9_part*.csv")):
        for name, elements, coordinates in _columns(path, "XYZ_file", "Elements", "XYZ_Ang"):
            atoms = re.findall(r"\w+", elements)
            if len(atoms) > most or name not in diagonals:
                continue
            unknown = set(atoms) - set(CHARGES)
            if unknown:
                raise ValueError(f"{path}, {name}: {min(unknown)} is none of {', '.join(CHARGES)}")
            xyz, diagonal = (
                _numbers(f"{path}, {name}", words)
                for words in (re.sub(r"[][]", "", coordinates).split(","), diagonals[name])
            )
            if len(xyz) != 3 * len(atoms):
                raise ValueError(f"{path}, {name}: {len(atoms)} elements and {len(xyz)} coordinates")
            absent = most - len(atoms)
            charges.append([CHARGES[atom] for atom in atoms] + [0] * absent)
            places.append(xyz + [0.0] * 3 * absent)
            values.append(diagonal)
    if not values:
        raise ValueError(f"{folder} has no molecules of at most {most} atoms in files qm9_part1.csv, ...")
    numbers_of = functools.partial(torch.tensor, dtype=torch.float64)
    _MOLECULES[most] = numbers_of(charges), numbers_of(places).unflatten(1, (most, 3)), numbers_of(values)
    return _MOLECULES[most]


def in_principal_axes(charges: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Positions from the centre of nuclear charge, the principal axes of charge as rows [m, 3, 3], that of the largest
    spread first, and whether the tables' frame is sure to be these.

    The tensors of qm9pack are in Gaussian's standard orientation, the positions are not. For a molecule without
    symmetry its axes are the principal axes of nuclear charge, in this order. A mirror or a half turn that is a
    symmetry takes a principal axis to its negative, where the third moment of charge vanishes; other axes of symmetry
    make two second moments equal. Molecules near to either are left out.
    """
    weights = charges.unsqueeze(-1)
    r = (places - (weights * places).sum(1, keepdim=True) / weights.sum(1, keepdim=True)) * (weights > 0)
    spread, axes = torch.linalg.eigh(r.mT @ (weights * r))
    third = (weights * (r @ axes).pow(3)).sum(1).abs()
    return r, axes.flip(-1).mT, (third.amin(-1) > 1) & (spread[:, 1:] > 1.1 * spread[:, :-1]).all(-1)


class Polarizability(nn.Module):
    """x [b, n, 8] -> [b, 1, 9]: T = sum over pairs of atoms of f(i, j) u u^T, u the unit vector from j to i.

    f are `channels` features of pairs that layers of S_n make of elements and distances, which no rotation or
    reflection changes; the last layer has every O(3)-equivariant map of tensors.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.shells = torch.arange(1.0, 5.0, 0.5)  # distances in angstrom, out to four bonds
        first, second = Graphs(5 * len(self.shells), channels), Graphs(channels, channels)
        self.layers, self.last = nn.ModuleList([first, second]), Tensors(2, 2, channels, 1, group="O(n)")

    def forward(self, x: Tensor) -> Tensor:
        elements, places = x.split((5, 3), -1)
        mask = elements.any(-1)
        r = places.unsqueeze(2) - places.unsqueeze(1)
        d = r.norm(dim=-1)
        shells = torch.exp(-4 * (d.unsqueeze(1) - self.shells.to(x).view(-1, 1, 1)).pow(2))
        pairs = (shells.unsqueeze(1) * elements.mT[:, :, None, :, None]).flatten(1, 2)
        for layer in self.layers:
            pairs = torch.relu(layer(pairs, mask))
        u = r / d.unsqueeze(-1).clamp(min=1e-3)
        return self.last(torch.einsum("bcij,bijk,bijl->bckl", pairs, u, u) / x.shape[1]).flatten(-2)


def polarizability() -> Task:
    """x [b, 16, 8]: for each atom of a molecule which of H, C, N, O, F it is and its position, turned at random, in a
    random order. y [b, 4, 9]: a tensor, in 10 bohr^3, and the projections on the three axes in which it is known; the
    first has the polarizability there, less its mean.

    Signs of axes are not known, and with them those of the tensor's other entries: what is learnt is n^T T n for the
    three axes n.
    """
    most, channels = 16, 6

    @functools.cache
    def molecules() -> tuple[Tensor, Tensor]:
        charges, places, values = _small_molecules(most)
        r, axes, sure = in_principal_axes(charges, places)
        elements = (charges.unsqueeze(-1) == torch.tensor(list(CHARGES.values()))).to(r)
        projections = (axes.unsqueeze(-1) * axes.unsqueeze(-2)).flatten(-2)
        anisotropic = (values - values.mean(-1, keepdim=True)) / 10
        y = torch.cat((torch.einsum("bi,bij->bj", anisotropic, projections).unsqueeze(1), projections), 1)
        return torch.cat((elements, r), -1)[sure].float(), y[sure].float()

    def move(x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        order = torch.rand(len(x), most, 1, generator=generator).argsort(1)
        Q, R = torch.linalg.qr(torch.randn(len(x), 3, 3, generator=generator, dtype=torch.float64))
        Q = (Q * R.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)).to(x)  # Haar's measure, reflections too
        x = torch.cat((x[..., :5], x[..., 5:] @ Q.mT), -1)
        return x.gather(1, order.expand_as(x)), (Q.unsqueeze(1) @ y.unflatten(-1, (3, 3)) @ Q.mT.unsqueeze(1)).flatten(
            -2
        )

    def examples(size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x, y = molecules()
        test = min(2000, len(x) // 2)
        if size > len(x) - test:
            raise ValueError(f"there are {len(x)} such molecules, {test} for the test: {size} are too many to train on")
        order = torch.randperm(len(x), generator=generator)
        which = torch.cat((order[:size], order[-test:]))
        x, y = move(x[which], y[which], generator)
        return x[:size], y[:size], x[size:], y[size:]

    def along_axes(y: Tensor, target: Tensor) -> Tensor:
        return torch.einsum("bj,bij->bi", y[:, 0], target[:, 1:])

    return Task("R² of the anisotropic polarizability", [200, 800, 3200], 500, examples, move, lambda: Polarizability(channels),
                lambda w: _perceptron(8 * most, w, 1, 9), channels * most**2,
                lambda y, t: nn.functional.mse_loss(along_axes(y, t), along_axes(t, t)), lambda y, t: _explained(along_axes(y, t), along_axes(t, t)))  # fmt: skip


TASKS: dict[str, Callable[[], Task]] = {
    "digits": digits, "digits-wide": lambda: digits(8), "sets": sets, "robot": robot, "graphs": graphs, "polarizability": polarizability
}  # fmt: skip


# --- Training ----------------------------------------------------------------------------------------------------------------


def parameters(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())


def networks(task: Task) -> dict[str, tuple[Callable[[], nn.Module], bool]]:
    """How to make each, and whether its examples are moved."""
    wanted = parameters(task.equivariant())
    with torch.device("meta"):  # counted, not filled
        narrow = min(range(1, task.width + 1), key=lambda w: abs(parameters(task.plain(w)) - wanted))
    return {
        "equivariant": (task.equivariant, False),
        "equal width": (lambda: task.plain(task.width), False),
        "equal parameters": (lambda: task.plain(narrow), False),
        "augmented": (lambda: task.plain(task.width), True),
    }


def train(
    task: Task, model: nn.Module, x: Tensor, y: Tensor, steps: int, moved: bool, generator: torch.Generator
) -> None:
    """Adam with a rate that falls from 0.003 to zero like a cosine, 64 examples a step."""
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        which = torch.randint(len(x), (min(64, len(x)),), generator=generator)
        a, b = x[which], y[which]
        if moved:
            a, b = task.move(a, b, generator)
        optimiser.zero_grad()
        task.loss(model(a), b).backward()
        optimiser.step()
        schedule.step()


def measure(name: str, kind: str, steps: int, size: int, seeds: Sequence[int]) -> list[dict[str, float]]:
    """One run for each seed, here or in another process: its score, and as the loss what is missing to a perfect one."""
    torch.set_num_threads(1)
    task, found = TASKS[name](), []
    make, moved = networks(task)[kind]
    for seed in seeds:
        x, y, x_test, y_test = task.examples(size, torch.Generator().manual_seed(seed))
        torch.manual_seed(seed)
        model = make()
        train(task, model, x, y, steps, moved, torch.Generator().manual_seed(1000 + seed))
        model.eval()
        with torch.no_grad():
            score = task.score(model(x_test), y_test)
        found.append({"loss": 1 - score, "score": score, "parameters": parameters(model)})
    return found


def run(
    name: str, seeds: int, steps: int, sizes: list[int], out: pathlib.Path, executor: Any = None
) -> list[dict[str, Any]]:
    """All runs, by any executor; those that are in the files of the folder `out`/runs are not done again."""
    rows = []
    for kind in networks(TASKS[name]()):
        path, key = out / "runs" / f"{name}-{kind.replace(' ', '-')}.jsonl", f"{name}, {kind}, {steps} steps"
        make = functools.partial(measure, name, kind, steps)
        curve = success_curve(
            make, sizes, seeds, math.inf, executor=executor, batch=1, path=path, key=key, progress=kind
        )
        for r in curve.rows:
            rows.append(
                {
                    "network": kind,
                    "parameters": int(r["parameters"]),
                    "examples": r["d"],
                    "seed": r["seed"],
                    "score": r["score"],
                }
            )
    return sorted(rows, key=lambda r: (r["seed"], r["examples"]))


@contextlib.contextmanager
def executor_of(workers: int, cluster: str | None) -> Iterator[concurrent.futures.Executor | None]:
    """Dask's, or processes of this machine; None computes here."""
    if cluster:
        from distributed import Client

        with Client(cluster) as client:
            yield client.get_executor()
    elif workers:
        with concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            yield pool
    else:
        yield None


# --- What it writes ----------------------------------------------------------------------------------------------------------


def means(rows: list[dict[str, Any]]) -> dict[str, dict[int, tuple[float, float]]]:
    """By network and size: mean and standard deviation over the seeds (0 for one seed)."""
    found: dict[str, dict[int, tuple[float, float]]] = {}
    for row in rows:
        same = torch.tensor(
            [r["score"] for r in rows if (r["network"], r["examples"]) == (row["network"], row["examples"])],
            dtype=torch.float64,
        )
        found.setdefault(row["network"], {})[row["examples"]] = (
            float(same.mean()),
            float(same.std()) if len(same) > 1 else 0.0,
        )
    return found


def verdict(table: dict[str, dict[int, tuple[float, float]]]) -> list[str]:
    """For each plain network: does the equivariant one reach with a quarter of the examples what it reaches with all of
    them?"""
    lines = []
    ours = table["equivariant"]
    for name, scores in table.items():
        quarters = [(n, n // 4) for n in scores if n // 4 in ours and n % 4 == 0]
        if name == "equivariant" or not quarters:
            continue
        for n, q in quarters:
            enough = "suffices" if ours[q][0] >= scores[n][0] else "does not suffice"
            lines.append(
                f"- Beside *{name}* with {n} examples ({scores[n][0]:.3f}) a quarter of them {enough} ({ours[q][0]:.3f})."
            )
    return lines


def markdown(task: Task, rows: list[dict[str, Any]]) -> str:
    table = means(rows)
    sizes = sorted({row["examples"] for row in rows})
    count = {row["network"]: row["parameters"] for row in rows}
    lines = ["| " + " | ".join(["network", "parameters", *map(str, sizes)]) + " |", "|---|---:|" + "---:|" * len(sizes)]
    for name, scores in table.items():
        lines.append(
            "| "
            + " | ".join([name, str(count[name]), *(f"{scores[n][0]:.3f} ± {scores[n][1]:.3f}" for n in sizes)])
            + " |"
        )
    return "\n".join([*lines, "", *verdict(table), ""])


def picture(task: Task, rows: list[dict[str, Any]], path: pathlib.Path) -> bool:
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "intertwine"  # the same bytes in every run
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(figsize=(5, 3.4))
    for name, scores in means(rows).items():
        sizes = sorted(scores)
        axes.errorbar(
            sizes,
            [scores[n][0] for n in sizes],
            yerr=[scores[n][1] for n in sizes],
            marker="o",
            markersize=3,
            capsize=2,
            label=name,
        )
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, list(map(str, sizes)))
    axes.set_xlabel("examples to train on")
    axes.set_ylabel(task.score_name)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)
    return True


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n\nFour networks")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int)
    parser.add_argument(
        "--sizes", type=lambda text: [int(n) for n in text.split(",")], help="numbers of examples, such as 64,256"
    )
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="the folder to write to")
    parser.add_argument("--workers", type=int, default=0, help="processes on this machine; by default this one")
    parser.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    given = parser.parse_args(arguments)
    if (
        given.seeds < 1
        or given.workers < 0
        or given.steps is not None
        and given.steps < 1
        or given.sizes
        and min(given.sizes) < 1
    ):
        parser.error("--seeds, --steps and --sizes are positive, --workers is not negative")
    try:
        task = TASKS[given.task]()
        with executor_of(given.workers, given.cluster) as executor:
            rows = run(
                given.task, given.seeds, given.steps or task.steps, given.sizes or task.sizes, given.out, executor
            )
    except ImportError as missing:
        parser.error(f"{missing.name} is not installed: pip install {missing.name}")
    except (Error, OSError, ValueError, concurrent.futures.BrokenExecutor) as error:
        parser.error(str(error))
    with open(given.out / f"{given.task}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = markdown(task, rows)
    (given.out / f"{given.task}.md").write_text(text)
    print(text)
    if not picture(task, rows, given.out / f"{given.task}.svg"):
        print("no picture: matplotlib is not installed")


if __name__ == "__main__":
    main()
