#!/usr/bin/env python3
"""Linear between sums of kinds, c x (0e + 1o + 2e), beside e3nn's o3.Linear: forward, and forward and backward.

    python -m venv e3nn && e3nn/bin/pip install e3nn
    PYTHONPATH=build/python e3nn/bin/python bench/peers/beside_e3nn_linear.py

Both layers have the same numbers: theta ⊗ 1 is one matrix in every basis of the kinds. Outputs and gradients are
compared before they are timed. "kinds" is 32*trivial + 32*vector + 32*harmonic(2), the order of features of e3nn;
"channels" is trivial + vector + harmonic(2) in 32 channels. One core, CPU time, least of rounds in turn. Without e3nn
it says so and exits with status 77.
"""

import argparse
import sys
import time

import torch
from intertwine import Group
from intertwine.nn import Linear


def seconds(f, count):
    """CPU time of one call, over `count` of them."""
    start = time.process_time()
    for _ in range(count):
        f()
    return (time.process_time() - start) / count


def in_turn(functions, rounds):
    """The least CPU time of each."""
    for f in functions:
        f()
        f()
    count = max(1, int(0.01 / max(seconds(functions[0], 1), 1e-6)))
    times = [[seconds(f, count) for f in functions] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]


def trained(layer, x, g):
    """Output and gradient of the input after a step backward."""
    x = x.detach().requires_grad_()
    y = layer(x)
    y.backward(g.view(y.shape))
    return y.detach(), x.grad


def pairs(c, o3):
    """e3nn's layer, and ours with the same numbers by name."""
    irreps = o3.Irreps(f"{c}x0e + {c}x1o + {c}x2e")
    peer = o3.Linear(irreps, irreps)
    G = Group("O(3)")
    kinds = G.rep(f"{c}*trivial + {c}*vector + {c}*harmonic(2)")
    one = G.rep("trivial + vector + harmonic(2)")
    ours = {"kinds": Linear(kinds, kinds, bias=False), "channels": Linear(one, one, c, c, bias=False)}
    theta = peer.weight.detach().view(3, c, c).mT / c**0.5
    with torch.no_grad():
        for layer in ours.values():
            layer.theta.copy_(theta.reshape(layer.theta.shape))
    return peer, ours


def apart(x, c):
    """Features kind by kind as channels [batch, c, 9]."""
    return torch.cat([part.view(len(x), c, -1) for part in x.split([c, 3 * c, 5 * c], 1)], 2)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--channels", type=int, nargs="*", default=[32, 128])
    arguments.add_argument("--batch", type=int, nargs="*", default=[64, 256, 1024, 4096])
    arguments.add_argument("--rounds", type=int, default=15)
    chosen = arguments.parse_args()
    try:
        from e3nn import o3
    except ImportError:
        print("e3nn is not installed: pip install e3nn")
        sys.exit(77)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    print(f"{'layer':10}{'c':>5}{'batch':>7}{'forward':>22}{'and backward':>24}")
    for c in chosen.channels:
        peer, ours = pairs(c, o3)
        for batch in chosen.batch:
            x, g = torch.randn(2, batch, 9 * c).unbind(0)
            for name, layer in ours.items():
                as_here = (lambda t: t) if name == "kinds" else (lambda t, c=c: apart(t, c))
                here = as_here(x), as_here(g)
                for a, b in zip(trained(peer, x, g), trained(layer, *here)):
                    torch.testing.assert_close(as_here(a), b, rtol=1e-4, atol=1e-4)
                with torch.no_grad():
                    once = in_turn([lambda: peer(x), lambda: layer(here[0])], chosen.rounds)
                both = in_turn([lambda: trained(peer, x, g), lambda: trained(layer, *here)], chosen.rounds)
                shown = [f"{a * 1e6:8.0f} {b * 1e6:7.0f} us {b / a:5.2f}" for a, b in (once, both)]
                print(f"{name:10}{c:5}{batch:7}  {shown[0]}  {shown[1]}", flush=True)


if __name__ == "__main__":
    main()
