#!/usr/bin/env python3
"""A layer of a cyclic group with one channel beside netket's equivariant layer by the fast Fourier transform, compiled
by JAX: forward and backward.

    python -m venv netket && netket/bin/pip install netket torch
    PYTHONPATH=build/python netket/bin/python bench/peers/beside_netket.py

Both sides get the same kernel: netket's matrix is read off its outputs for unit vectors and has to be of the family
here, then outputs and both gradients are compared before anything is timed. All of it runs on one core. Without netket
or PyTorch it says so and exits with status 77.
"""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, nargs="*", default=[64, 512, 1024])
    parser.add_argument("--batch", type=int, nargs="*", default=[1, 64])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each contestant")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # before JAX counts the cores
    try:
        import jax
        import netket
        import torch
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    torch.set_num_threads(1)
    print(
        f"netket {netket.__version__}, jax {jax.__version__}, torch {torch.__version__}, one core, load {os.getloadavg()[0]:.1f}"
    )
    for n in options.points:
        for batch in options.batch:
            beside(n, batch, options.seconds)
    return 0


def beside(n, batch, seconds):
    import jax
    import netket
    import numpy as np
    import torch
    from compare_nn import in_turns
    from intertwine import Group
    from intertwine.nn import Linear

    group = netket.graph.Chain(n).translation_group()
    theirs = netket.nn.DenseEquivariant(
        group, features=1, mode="fft", shape=(n,), use_bias=False, param_dtype=np.float32
    )
    eye = np.eye(n, dtype=np.float32)[:, None, :]
    parameters = theirs.init(jax.random.PRNGKey(1), eye)
    W = np.asarray(theirs.apply(parameters, eye))[:, 0, :].T

    V = Group(f"C{n}").rep("regular")
    dense = torch.nn.Linear(n, n, bias=False)
    dense.weight.data = torch.tensor(W)
    layers = {}
    for mode in ("automatic", "fastest"):
        layers[mode], lost = Linear.from_dense(dense, V, V, mode=mode)
        assert lost < 1e-5, f"netket's matrix is not of the family: {lost}"

    rng = np.random.default_rng(1)
    x, g = (rng.standard_normal((batch, 1, n)).astype(np.float32) for _ in range(2))

    @jax.jit
    def both(parameters, x, g):
        y, pull = jax.vjp(theirs.apply, parameters, x)
        return y, *pull(g)

    expected, kernel_gradient, x_gradient = both(parameters, x, g)
    kernel_gradient = np.asarray(jax.tree_util.tree_leaves(kernel_gradient)[0]).reshape(-1)
    steps = {}
    for mode, layer in layers.items():
        X, G = torch.tensor(x, requires_grad=True), torch.tensor(g)

        def step(layer=layer, X=X, G=G):
            X.grad = layer.theta.grad = None
            y = layer(X)
            y.backward(G)
            return y

        scale = float(np.abs(np.asarray(expected)).max())
        np.testing.assert_allclose(step().detach(), expected, atol=1e-4 * scale)
        np.testing.assert_allclose(X.grad, x_gradient, atol=1e-4 * scale)
        # Parameters come in another order: each is found by where it stands in W.
        kernel = np.asarray(jax.tree_util.tree_leaves(parameters)[0]).reshape(-1)
        order = [int(np.abs(kernel - float(value)).argmin()) for value in layer.theta.detach().reshape(-1)]
        assert sorted(order) == list(range(n))
        np.testing.assert_allclose(
            layer.theta.grad.reshape(-1), kernel_gradient[order], atol=1e-4 * np.abs(kernel_gradient).max()
        )
        steps[f"intertwine, {mode}"] = step
    X, G = jax.device_put(x), jax.device_put(g)
    steps["netket, fft, jitted"] = lambda: jax.block_until_ready(both(parameters, X, G))
    in_turns(
        f"C{n} regular, one channel, batch {batch}",
        steps,
        seconds,
        lambda name: layers[name.split()[-1]].form if name.startswith("intertwine") else "",
    )


if __name__ == "__main__":
    sys.exit(main())
