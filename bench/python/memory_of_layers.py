"""Memory of layers at rest and in training, beside the codes, theta and W that they are about, and what the first
forward pass costs.

    python bench/python/memory_of_layers.py

Every layer has a process of its own. Memory is that of the process less what a small layer had left, in codes + theta +
W (of which W is not kept); the peak is that of one training step with its input, output and gradients. The first pass
has the time of the processor as its measure, in later passes, so that other load does not matter."""

import resource
import subprocess
import sys
import time

CASES = [
    ("p4m(32,32)", 4, 2),
    ("p4m(64,64)", 1, 4),
    ("S48", 2, 2),
    ("p4m(80,80)", 1, 2),
]  # group, channels, batch; perm, of S48 pairs


def resident() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def measure(name: str, channels: int, batch: int) -> None:
    import torch
    from intertwine import Group
    from intertwine.nn import Linear

    torch.set_num_threads(1)
    small = Group("D4").rep("perm")
    Linear(small, small)(torch.randn(1, 1, 4, requires_grad=True)).sum().backward()
    before = resident()
    V = Group(name).rep("perm^2" if name.startswith("S") else "perm")
    layer = Linear(V, V, channels, channels)
    unit = (layer.table.weight_code.nbytes + 4 * layer.theta.numel() + 4 * (channels * V.dimension) ** 2) / 1e6
    rest = resident() - before
    x = torch.randn(batch, channels, V.dimension)
    times = []
    with torch.no_grad():
        for _ in range(4):
            start = time.process_time()
            layer(x)
            times.append(time.process_time() - start)
    x.requires_grad_()
    layer(x).pow(2).sum().backward()
    print(
        f"{name}, {channels} channels: {rest / unit:.2f} at rest, {(peak() - before) / unit:.2f} in training, of {unit:.0f} MB;"
        f" first pass {times[0] / min(times[1:]):.1f} later ones, form {layer.form}"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        for case in CASES:
            subprocess.run([sys.executable, __file__, *map(str, case)], check=True)
