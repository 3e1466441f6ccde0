"""Group self-attention beside plain PyTorch of the same formula, in one run: python bench/python/compare_gsa.py
[--group R4] [--size 28] ...

Contestants: this library; the formula in plain PyTorch with the scores of content and of position as two products (`two
products`); and the formula as it is written, where the encoding is added to the features before the keys are projected
(`as written`). All have the same parameters and must agree before anything is timed. A step is one forward and backward
pass. Times are CPU time of one thread, the least over rounds in which the contestants take turns; memory is what a
process of its own needs at its peak beyond what it had before the step.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from typing import Any


def contestants(arguments: Any) -> tuple[dict[str, Any], Any]:
    import torch
    from intertwine.gsa import Affine, GroupSelfAttention, disc, grid, square
    from torch import nn

    torch.manual_seed(0)
    torch.set_num_threads(1)
    dtype = torch.float64 if arguments.double else torch.float32
    H, n, k = Affine(arguments.group), arguments.size, arguments.neighbourhood
    around = square(k) if H.is_on_grid else disc(math.sqrt(2) * (k // 2))
    layer = GroupSelfAttention(
        H, grid(n, n), around, arguments.channels, arguments.channels, arguments.heads, dtype=dtype
    )
    x = torch.randn(arguments.batch, arguments.channels, H.order, n, n, dtype=dtype, requires_grad=True)

    reach = k // 2
    # The encoding's inputs for each h, offset and g, from the definition: h^-1 offset, h^-1 g.
    offsets = torch.tensor([[a, b] for a in range(-reach, reach + 1) for b in range(-reach, reach + 1)], dtype=dtype)
    matrices = torch.from_numpy(H.matrices).to(dtype)
    turned = torch.einsum("hba,ob->hoa", matrices, offsets)
    between = torch.einsum("hba,gbc->hgac", matrices, matrices).flatten(2)
    pairs = torch.cat(
        (
            turned[:, :, None].expand(-1, -1, H.order, -1) / layer.encoding.scale,
            between[:, None].expand(-1, len(offsets), -1, -1),
        ),
        3,
    )
    inside = (
        nn.functional.pad(torch.ones(1, 1, n, n, dtype=dtype), (reach,) * 4)
        .unfold(2, k, 1)
        .unfold(3, k, 1)
        .reshape(n, n, k * k)
        > 0
    )

    def unfolded(t: Any) -> Any:
        """[B, C, G, n, n] -> [B, C, G, n, n, k k]."""
        flat = nn.functional.pad(t.flatten(1, 2), (reach,) * 4).unfold(2, k, 1).unfold(3, k, 1)
        return flat.reshape(*t.shape, k * k)

    def project(f: Any, t: Any) -> Any:
        y = f(t.movedim(1, -1)).movedim(-1, 1)
        return y.unflatten(1, (layer.heads, layer.head_channels))

    def attend(scores: Any, v: Any) -> Any:
        """scores [B, heads, h, i, j, o, g]."""
        scores = scores.masked_fill(~inside[:, :, :, None], -math.inf)
        weights = scores.flatten(-2).softmax(-1).unflatten(-1, scores.shape[-2:])
        values = unfolded(v.flatten(0, 1)).unflatten(0, v.shape[:2])
        y = torch.einsum("bxhijog,bxdgijo->bxdhij", weights, values)
        return layer.out(y.flatten(1, 2).movedim(1, -1)).movedim(-1, 1)

    def two_products(x: Any) -> Any:
        q = project(layer.query, x) * layer.head_channels**-0.5
        key = project(layer.key, x)
        e = layer.key(layer.encoding.network(pairs)).unflatten(-1, (layer.heads, layer.head_channels))
        keys = unfolded(key.flatten(0, 1)).unflatten(0, key.shape[:2])
        scores = torch.einsum("bxdhij,bxdgijo->bxhijog", q, keys) + torch.einsum("bxdhij,hogxd->bxhijog", q, e)
        return attend(scores, project(layer.value, x))

    def as_written(x: Any) -> Any:
        q = project(layer.query, x) * layer.head_channels**-0.5
        rho = layer.encoding.network(pairs)  # [h, o, g, C]
        seen = unfolded(x)[:, :, None] + rho.permute(3, 0, 2, 1)[None, :, :, :, None, None]  # [B, C, h, g, i, j, o]
        key = project(layer.key, seen)
        return attend(torch.einsum("bxdhij,bxdhgijo->bxhijog", q, key), project(layer.value, x))

    found: dict[str, Any] = {"intertwine": layer, "two products": two_products, "as written": as_written}
    return {name: f for name, f in found.items() if name in arguments.only}, (layer, x)


def step(f: Any, layer: Any, x: Any) -> Any:
    for t in (x, *layer.parameters()):
        t.grad = None
    y = f(x)
    y.pow(2).sum().backward()
    return [y.detach(), x.grad, *(p.grad for p in layer.parameters())]


def resident(line: str) -> float:
    """MB of this process: now (VmRSS) or at most since the last reset (VmHWM). The peak of getrusage is that of the
    parent at first."""
    return next(int(text.split()[1]) for text in open("/proc/self/status") if text.startswith(line)) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--group", default="R4")
    parser.add_argument("--size", type=int, default=28)
    parser.add_argument("--neighbourhood", type=int, default=5)
    parser.add_argument("--channels", type=int, default=20)
    parser.add_argument("--heads", type=int, default=9)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--double", action="store_true")
    parser.add_argument("--only", nargs="*", default=["intertwine", "two products", "as written"])
    parser.add_argument(
        "--memory", action="store_true", help="one step of the one contestant named, and the memory it took"
    )
    arguments = parser.parse_args()
    import torch

    contest, (layer, x) = contestants(arguments)
    if arguments.memory:
        before = resident("VmRSS")
        with open("/proc/self/clear_refs", "w") as reset:
            reset.write("5")
        step(next(iter(contest.values())), layer, x)
        print(f"{resident('VmHWM') - before:.0f}")
        return
    print(f"torch {torch.__version__}, {layer.extra_repr()}")
    print(f"batch {arguments.batch}, {x.dtype}, one thread")
    first = None
    for name, f in contest.items():
        found = step(f, layer, x)
        if first is None:
            first = found
        worst = max(
            float((a - b).abs().max() / b.abs().max()) for a, b in zip(found, first) if float(b.abs().max()) > 0
        )
        assert worst < (1e-11 if arguments.double else 1e-5), (name, worst)
        print(f"  {name}: outputs and gradients differ by {worst:.1e} of their size")
        del found
    times: dict[str, list[float]] = {name: [] for name in contest}
    for _ in range(arguments.rounds):
        for name, f in contest.items():
            start = time.process_time()
            step(f, layer, x)
            times[name].append(time.process_time() - start)
    settings = [
        f"--{name}={getattr(arguments, name)}"
        for name in ("group", "size", "neighbourhood", "channels", "heads", "batch")
    ]
    settings += ["--double"] if arguments.double else []
    memory = {
        name: float(
            subprocess.check_output([sys.executable, __file__, *settings, "--memory", "--only", name], text=True)
        )
        for name in contest
    }
    base = next(iter(contest))
    for name in contest:
        t, m = min(times[name]), memory[name]
        print(
            f"  {name:14} {t:7.3f} s ({t / min(times[base]):5.1f} times), {m:6.0f} MB ({m / memory[base]:5.1f} times)"
        )


if __name__ == "__main__":
    main()
