#!/usr/bin/env python3
"""A step of training on energies and forces beside the same model of e3nn: CPU time, and memory.

    python -m venv e3nn && e3nn/bin/pip install e3nn
    PYTHONPATH=build/python e3nn/bin/python bench/peers/train_beside_e3nn.py

The model has some layers: a linear map of features, messages with a network of the distance, another linear map and a
gate. A step is the energy, forces as its derivative, a loss of both, its gradient in all weights, and Adam. Both models
have the same weights, and their energies, forces and gradients are compared before they are timed.

"e3nn" is as e3nn makes it beside this PyTorch, and "e3nn script" has its TorchScript. "e3nn compiled" records energies
and forces as one program and compiles it (--compiled: it takes minutes), since torch.compile has no second derivative.
Memory is the highest resident size during the second step, less that before it, of a process of its own; Linux only.
One thread, float32. Without e3nn it says so and exits with status 77.
"""

import argparse
import ctypes
import statistics
import subprocess
import sys
import time

try:
    import torch
    from intertwine.nn.geometric import Bessel, Convolution, Graph, Linear, PolynomialCutoff, SphericalHarmonics
    from torch import nn

    Module = nn.Module
except ImportError:  # main says so
    Module = object

CUTOFF, NEIGHBOURS, SPECIES = 5.0, 30, 4


class Potential(Module):
    """What both models are made of; they differ in layouts and operations."""

    def __init__(self, lmax, layers, channels, paths):
        super().__init__()
        self.channels, self.rest = channels, (lmax + 1) ** 2 - 1
        self.lengths = [2 * l + 1 for l in range(1, lmax + 1)]
        self.bessel, self.cutoff = Bessel(CUTOFF, 8), PolynomialCutoff(CUTOFF)
        self.embedding, self.energy = nn.Embedding(SPECIES, channels), nn.Linear(channels, 1)
        self.radial = nn.ModuleList(
            nn.Sequential(nn.Linear(8, 64), nn.SiLU(), nn.Linear(64, paths * channels)) for _ in range(layers)
        )

    def forward(self, positions, species, graph):
        edges = positions[graph.source] - positions[graph.target]
        distance = edges.norm(dim=1)
        functions = self.bessel(distance) * self.cutoff(distance)[:, None]
        y, x = self.harmonics(edges), self.start(self.embedding(species))
        for before, radial, after in zip(self.before, self.radial, self.after):
            messages = self.messages(before(x), y, radial(functions), graph) * NEIGHBOURS**-0.5
            x = x + self.gate(after(messages))
        return self.energy(x[:, : self.channels] if x.dim() == 2 else x[:, 0]).sum()


class Ours(Potential):
    """Features [nodes, components, channels]."""

    def __init__(self, lmax, layers, channels):
        V = " + ".join(f"{l}{'eo'[l % 2]}" for l in range(lmax + 1))
        gates = " + ".join(["0e"] * (lmax + 1) + V.split(" + ")[1:])
        conv = Convolution(V, V, V, channels)
        super().__init__(lmax, layers, channels, len(conv.paths))
        self.conv, self.harmonics = conv, SphericalHarmonics(lmax)
        self.before = nn.ModuleList(Linear(V, V, channels, channels) for _ in range(layers))
        self.after = nn.ModuleList(Linear(V, gates, channels, channels) for _ in range(layers))

    def start(self, scalars):
        return nn.functional.pad(scalars[:, None], (0, 0, 0, self.rest))

    def messages(self, x, y, w, graph):
        return self.conv(x, y, w.unflatten(1, self.conv.weight_shape), graph)

    def gate(self, m):
        scalars, *gates = m[:, : len(self.lengths) + 1].split(1, 1)
        parts = m[:, len(self.lengths) + 1 :].split(self.lengths, 1)
        return torch.cat([nn.functional.silu(scalars), *(p * torch.sigmoid(g) for p, g in zip(parts, gates))], 1)


class Theirs(Potential):
    """Flat features, copies outside."""

    def __init__(self, lmax, layers, channels, paths):
        from e3nn import o3

        super().__init__(lmax, layers, channels, len(paths))
        irreps = {n: o3.Irreps("+".join(f"{n}x{l}{'eo'[l % 2]}" for l in range(lmax + 1))) for n in (1, channels)}
        gates = o3.Irreps("+".join([f"{channels}x0e"] * (lmax + 1))) + irreps[channels][1:]
        self.product = o3.TensorProduct(
            irreps[channels], irreps[1], irreps[channels], [(*path, "uvu", True) for path in paths],
            shared_weights=False, internal_weights=False,
        )  # fmt: skip
        self.harmonics = o3.SphericalHarmonics(irreps[1], True, "component")
        self.before = nn.ModuleList(o3.Linear(irreps[channels], irreps[channels]) for _ in range(layers))
        self.after = nn.ModuleList(o3.Linear(irreps[channels], gates) for _ in range(layers))

    def start(self, scalars):
        return nn.functional.pad(scalars, (0, self.rest * self.channels))

    def messages(self, x, y, w, graph):
        found = self.product(x[graph.source], y, w)
        return found.new_zeros(x.shape[0], found.shape[1]).index_add(0, graph.target, found)

    def gate(self, m):
        C = self.channels
        scalars, *gates = m[:, : C * (len(self.lengths) + 1)].split(C, 1)
        parts = m[:, C * (len(self.lengths) + 1) :].split([C * d for d in self.lengths], 1)
        gated = [(p.unflatten(1, (C, -1)) * torch.sigmoid(g)[..., None]).flatten(1) for p, g in zip(parts, gates)]
        return torch.cat([nn.functional.silu(scalars), *gated], 1)


def energy_and_forces(model):
    def run(positions, species, graph):
        positions = positions.detach().requires_grad_()
        energy = model(positions, species, graph)
        return energy, -torch.autograd.grad(energy, positions, create_graph=True)[0]

    return run


def compiled(model, *given):
    """Energies and forces as one program of weights and positions, which inductor compiles with its derivative."""
    from intertwine.nn import decompositions
    from torch.fx.experimental.proxy_tensor import make_fx

    names, weights = zip(*model.named_parameters())
    positions, species, graph = given

    def both(weights, positions):
        call = lambda r: torch.func.functional_call(model, dict(zip(names, weights)), (r, species, graph))  # noqa: E731
        with torch.enable_grad():
            r = positions.detach().requires_grad_()
            energy = call(r)
            return energy, -torch.autograd.grad(energy, r, create_graph=True)[0]

    program = make_fx(both, decomposition_table=decompositions())(list(weights), positions)
    fast = torch.compile(program, fullgraph=True)
    return lambda positions, *_: fast(list(weights), positions)


def data(options):
    """Points whose nearest neighbours are their neighbours."""
    generator = torch.Generator().manual_seed(0)
    side = CUTOFF * 0.8 * (options.nodes / NEIGHBOURS * 4.19) ** (1 / 3)
    positions = side * torch.rand(options.nodes, 3, generator=generator)
    near = (torch.cdist(positions, positions) + 1e9 * torch.eye(options.nodes)).topk(NEIGHBOURS, largest=False).indices
    targets = torch.arange(options.nodes).repeat_interleave(NEIGHBOURS)
    species = torch.randint(0, SPECIES, (options.nodes,), generator=generator)
    wanted = torch.randn(options.nodes, 3, generator=generator)
    return positions, species, Graph(torch.stack([near.flatten(), targets]), options.nodes), wanted


def models(options):
    import e3nn

    torch.manual_seed(0)
    torch.set_num_threads(1)
    ours = Ours(options.lmax, options.layers, options.channels)
    found, usual = {}, e3nn.get_optimization_defaults().get("jit_mode")
    for name, mode in (("e3nn", usual), ("e3nn script", "script")):
        if mode is not None:
            e3nn.set_optimization_defaults(jit_mode=mode)
        theirs = Theirs(options.lmax, options.layers, options.channels, [(p.i, p.j, p.k) for p in ours.conv.paths])
        missing = theirs.load_state_dict(ours.state_dict(), strict=False).missing_keys
        assert not {name for name, _ in theirs.named_parameters()} & set(missing)
        found[name] = theirs
    return {**found, "intertwine": ours}


def step_of(run, parameters, given):
    *inputs, wanted = given
    optimizer = torch.optim.Adam(parameters, lr=1e-6)

    def step():
        energy, forces = run(*inputs)
        loss = (energy / len(wanted)).square() + (forces - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def require_same(contestants, given):
    *inputs, wanted = given
    results = []
    for model in contestants.values():
        energy, forces = energy_and_forces(model)(*inputs)
        loss = energy / len(wanted) + (forces - wanted).square().mean()
        results.append([energy, forces, *torch.autograd.grad(loss, list(model.parameters()))])
    for a, b in [pair for other in results[:-1] for pair in zip(results[-1], other)]:
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3 * float(b.detach().abs().max()))


def resident(name):
    """A line of /proc/self/status, in MB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name)) / 1024


def memory(options):
    given, model = data(options), models(options)[options.memory]
    step = step_of(energy_and_forces(model), model.parameters(), given)
    step()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as highest:
        highest.write("5")
    before = resident("VmRSS")
    step()
    print(f"{resident('VmHWM') - before:.1f}")


def measure(options):
    contestants, given = models(options), data(options)
    require_same(contestants, given)
    steps = {n: step_of(energy_and_forces(m), list(m.parameters()), given) for n, m in contestants.items()}
    if options.compiled:
        model = contestants["e3nn"]
        steps = {"e3nn compiled": step_of(compiled(model, *given[:3]), list(model.parameters()), given), **steps}
    times = {name: [] for name in steps}
    for step in steps.values():
        for _ in range(3):  # TorchScript compiles in the first ones
            step()
    for _ in range(options.steps):
        for name, step in steps.items():
            start = time.process_time()
            step()
            times[name].append(time.process_time() - start)
    base = statistics.median(times["intertwine"])
    for name, spent in times.items():
        median = statistics.median(spent)
        print(f"  {name:14} {1e3 * median:8.0f} ms  {median / base:5.2f} of the last", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("lmax", 2), ("layers", 3), ("channels", 128), ("nodes", 200), ("steps", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--compiled", action="store_true", help="with e3nn compiled by inductor")
    parser.add_argument("--memory", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        import e3nn
        import torch
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    if options.memory:
        memory(options)
        return 0
    sizes = f"l <= {options.lmax}, {options.layers} layers, {options.channels} channels, {options.nodes} nodes"
    print(f"e3nn {e3nn.__version__}, torch {torch.__version__}, one thread; {sizes}, {NEIGHBOURS} neighbours")
    measure(options)
    found = {}
    for who in ("e3nn", "e3nn script", "intertwine"):
        run = [sys.executable, __file__, *sys.argv[1:], "--memory", who]
        found[who] = float(subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()[-1])
    print("  memory: " + ", ".join(f"{who} {size:.0f} MB" for who, size in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
