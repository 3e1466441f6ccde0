"""Functions of intertwine.jax on the CPU, with kernels and plain operations, beside PyTorch's layers of equal numbers.

python bench/python/compare_jax.py [--seconds 1]: results are compared first; then the median times of the value and of
the gradients in all operands, in milliseconds, float32.
"""

import argparse
import os
import statistics
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402
import torch  # noqa: E402
from intertwine import Group  # noqa: E402
from intertwine import jax as functions  # noqa: E402
from intertwine.nn import Linear  # noqa: E402
from intertwine.nn.geometric import Convolution, Graph, SymmetricContraction  # noqa: E402


def median(run, seconds):
    """The median of its times in milliseconds, after a first call."""
    run()
    times, end = [], time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def compare(name, function, layer, operands, seconds):
    given = [jnp.asarray(t.detach().numpy()) for t in operands]
    for t in operands:
        t.requires_grad_()

    def slopes():
        return torch.autograd.grad(layer(*operands).square().sum(), operands)

    theirs, their_slopes = layer(*operands).detach().numpy(), slopes()
    rows = [("PyTorch", lambda: layer(*operands), slopes)]
    for method in ("kernels", "plain"):
        every = tuple(range(len(given)))
        value = jax.jit(lambda *at, method=method: function(*at, method=method))
        gradient = jax.jit(jax.grad(lambda *at, f=value: jnp.square(f(*at)).sum(), every))
        for a, b in zip([value(*given), *gradient(*given)], [theirs, *(t.numpy() for t in their_slopes)]):
            assert numpy.abs(a - b).max() < 1e-4 * (1 + numpy.abs(b).max()), name
        ready = jax.block_until_ready
        rows.append((f"JAX, {method}", lambda f=value: ready(f(*given)), lambda f=gradient: ready(f(*given))))
    for who, forward, backward in rows:
        print(f"{name}, {who}: {median(forward, seconds):.2f}, gradients {median(backward, seconds):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    seconds = parser.parse_args().seconds
    torch.manual_seed(0)
    nodes, count, channels = 300, 6000, 64
    V, Y = "0e + 1o + 2e", "0e + 1o + 2e + 3o"
    couplings, layer = functions.Couplings(V, Y, V), Convolution(V, Y, V, channels)
    edges = torch.randint(nodes, (2, count))
    graph = Graph(edges, nodes)
    operands = [
        torch.randn(nodes, 9, channels), torch.randn(count, 16), torch.randn(count, len(couplings.paths), channels)
    ]  # fmt: skip
    compare(
        f"convolution, {nodes} nodes, {count} edges, {channels} channels, {len(couplings.paths)} paths",
        lambda *at, method: functions.convolution(couplings, *at, edges.numpy(), method=method),
        lambda *at: layer(*at, graph), operands, seconds,
    )  # fmt: skip

    polynomials = functions.Contraction(Y, "0e + 1o", 3)
    module, kinds = SymmetricContraction(Y, "0e + 1o", channels, 3, 4), torch.randint(4, (nodes,))
    compare(
        f"symmetric contraction of degree 3, {nodes} points, {channels} channels",
        lambda *at, method: functions.symmetric_contraction(polynomials, *at, kinds.numpy(), method=method),
        lambda x, w: torch.func.functional_call(module, {"weight": w}, (x, kinds)),
        [torch.randn(nodes, 16, channels), module.weight.detach().clone()], seconds,
    )  # fmt: skip

    R = Group("S5").rep("perm^3")
    linear = Linear(R, R, 16, 16, bias=False)
    compare(
        "linear, perm^3 of S5, 16 channels, batch 256",
        lambda *at, method: functions.linear(linear.table, *at, method=method),
        lambda x, theta: torch.func.functional_call(linear, {"theta": theta}, (x,)),
        [torch.randn(256, 16, R.dimension), linear.theta.detach().clone()], seconds,
    )  # fmt: skip


if __name__ == "__main__":
    main()
