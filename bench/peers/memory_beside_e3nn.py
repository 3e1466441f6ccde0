#!/usr/bin/env python3
"""How much memory Convolution takes beside e3nn's product of beside_e3nn.py: the highest resident size during a step,
less that before it. Every figure is of a process of its own. Linux only. Without e3nn it exits with status 77.

    PYTHONPATH=build/python e3nn/bin/python bench/peers/memory_beside_e3nn.py
"""

import ctypes
import subprocess
import sys

from beside_e3nn import STEPS

CHANNELS, NODES, EDGES = 128, 200, 6000


def resident(name):
    """A line of /proc/self/status, in MB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def measure(lmax, who, step):
    import torch
    from beside_e3nn import steps_of
    from e3nn import o3
    from intertwine.nn.geometric import Convolution, Graph, SphericalHarmonics

    torch.set_num_threads(1)
    V = SphericalHarmonics(lmax).V
    layer = Convolution(V, V, V, CHANNELS)
    ends = torch.randint(0, NODES, (2, EDGES))
    graph = Graph(ends[:, ends[1].argsort()], NODES)
    x, y = (torch.randn(*shape, requires_grad=True) for shape in ((NODES, V.dimension, CHANNELS), (EDGES, V.dimension)))
    w = torch.randn(EDGES, *layer.weight_shape, requires_grad=True)
    if who == "e3nn":
        irreps = {n: o3.Irreps("+".join(f"{n}x{l}{'eo'[l % 2]}" for l in range(lmax + 1))) for n in (1, CHANNELS)}
        product = o3.TensorProduct(
            irreps[CHANNELS], irreps[1], irreps[CHANNELS], [(p.i, p.j, p.k, "uvu", True) for p in layer.paths],
            shared_weights=False, internal_weights=False,
        )  # fmt: skip
        x, w = (t.detach().flatten(1).requires_grad_() for t in (x, w))

        def f():
            messages = product(x[graph.source], y, w)
            return messages.new_zeros(NODES, messages.shape[1]).index_add(0, graph.target, messages)
    else:

        def f():
            return layer(x, y, w, graph)

    work = steps_of(f, (x, y, w))[step]  # it has run once
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as highest:
        highest.write("5")
    before = resident("VmRSS")
    work()
    print(f"{resident('VmHWM') - before:.1f}")


def main():
    try:
        import e3nn  # noqa: F401
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    for lmax in (2, 3):
        for step in STEPS:
            found = {}
            for who in ("e3nn", "intertwine"):
                run = [sys.executable, __file__, str(lmax), who, step]
                found[who] = float(subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()[-1])
            print(
                f"l <= {lmax} {step}: e3nn {found['e3nn']:.0f} MB, intertwine {found['intertwine']:.1f} MB", flush=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(measure(int(sys.argv[1]), *sys.argv[2:4]) if len(sys.argv) > 3 else main())
