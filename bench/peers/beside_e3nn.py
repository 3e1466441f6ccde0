#!/usr/bin/env python3
"""Convolutions on graphs and spherical harmonics beside e3nn: forward, all gradients, and all gradients of these along a
direction, as training on forces has them.

    python -m venv e3nn && e3nn/bin/pip install e3nn
    PYTHONPATH=build/python e3nn/bin/python bench/peers/beside_e3nn.py

With `pip install mace-torch cuequivariance-torch` MACE's layers and cuEquivariance's on the CPU stand beside, too; with
--compiled e3nn's product compiled by inductor.

The convolution is that of NequIP: features of neighbours times harmonics of edges, "uvu" with weights for every edge,
added up at the targets; e3nn gathers, multiplies and adds up in three operations. Couplings, order of weights
and factors are the same; outputs, gradients and gradients of gradients are compared before they are timed. Edges come sorted
by target, as neighbour lists do (--shuffled: in any order). Symmetric contractions stand beside MACE's where mace-torch is installed, too. "plain" is the same product in plain PyTorch, path by path:
for groups that e3nn does not have it is the one beside. One thread, float32, CPU time, contestants in turn. Without
e3nn it says so and exits with status 77.
"""

import argparse
import os
import statistics
import sys
import time

CASES = (
    "l2",
    "l3",
    "contraction2",
    "contraction3",
    "harmonics3",
    "harmonics8",
    "product",
    "linear",
    "S4",
    "A5",
    "Lorentz",
)
STEPS = ("forward", "forward and backward", "forward, backward and double backward")


def steps_of(f, inputs):
    """By what is asked for: the work, which returns all that it found."""
    import torch

    # Constants: contestants have components in another order.
    g = torch.ones_like(f()).detach().requires_grad_()
    directions = [torch.full_like(t, 0.5) for t in inputs]

    def forward():
        with torch.no_grad():
            return [f()]

    def backward():
        out = f()
        return [out, *torch.autograd.grad(out, inputs, g.detach())]

    def double():
        first = torch.autograd.grad(f(), inputs, g, create_graph=True)
        return [*first, *torch.autograd.grad(first, (*inputs, g), directions)]

    return dict(zip(STEPS, (forward, backward, double)))


def steps_of_compiled(run, given):
    """Those of a function of its inputs, compiled by inductor. torch.compile has no second derivative: for it the
    gradients are recorded as one program, and that program is compiled with its derivative."""
    import torch
    from intertwine.nn import decompositions
    from torch.fx.experimental.proxy_tensor import make_fx

    fast = torch.compile(run, fullgraph=True)
    g = torch.ones_like(run(*given)).detach().requires_grad_()
    directions = [torch.full_like(t, 0.5) for t in given]

    def gradients(g, *given):
        with torch.enable_grad():
            given = [t.detach().requires_grad_() for t in given]
            return torch.autograd.grad(run(*given), given, g, create_graph=True)

    fast_gradients = torch.compile(make_fx(gradients, decomposition_table=decompositions())(g, *given), fullgraph=True)

    def double():
        first = fast_gradients(g, *given)
        return [*first, *torch.autograd.grad(first, (*given, g), directions)]

    return {**steps_of(lambda: fast(*given), given), STEPS[2]: double}


def made_by_e3nn(make):
    """Its module as it is beside this PyTorch, and with TorchScript where that is not the same."""
    import e3nn

    usual = e3nn.get_optimization_defaults().get("jit_mode", "script")
    found = {"e3nn": make()}
    if usual != "script":
        e3nn.set_optimization_defaults(jit_mode="script")
        found["e3nn script"] = make()
        e3nn.set_optimization_defaults(jit_mode=usual)
    return found


def compare(title, contestants, seconds):
    """contestants: by name the steps; the last is ours, and others are shown as multiples of it. The first step of a
    turn is not counted: in it the system takes back what the one before has freed, by the hundred megabytes."""
    for step in STEPS:
        times = {name: [] for name in contestants}
        begin = time.process_time()
        while time.process_time() - begin < seconds * len(contestants) or len(times["intertwine"]) < 4:
            for name, steps in contestants.items():
                if step not in steps:
                    continue
                steps[step]()
                for _ in range(2):
                    start = time.process_time()
                    steps[step]()
                    times[name].append(time.process_time() - start)
        print(f"{title} {step}")
        base = statistics.median(times["intertwine"])
        for name, list_ in times.items():
            if not list_:
                continue
            median = statistics.median(list_)
            print(
                f"  {name:14} {1e3 * median:9.2f} ms (best {1e3 * min(list_):9.2f})  {median / base:6.2f} of the last",
                flush=True,
            )


def require_same(ours, theirs):
    import torch

    for a, b in zip(ours, theirs):
        a, b = a.flatten().sort().values, b.flatten().sort().values  # e3nn has its components in another order
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3 * b.detach().abs().max().item())


def graph_of(options):
    import torch
    from intertwine.nn.geometric import Graph

    ends = torch.randint(0, options.nodes, (2, options.edges))
    if not options.shuffled:
        ends = ends[:, ends[1].argsort()]
    return Graph(ends, options.nodes)


def operands(layer, graph):
    import torch

    x = torch.randn(graph.nodes, layer.V.dimension, layer.channels, requires_grad=True)
    y = torch.randn(graph.edges, layer.Y.dimension, requires_grad=True)
    return x, y, torch.randn(graph.edges, *layer.weight_shape, requires_grad=True)


def plain(layer, graph, x, y, w):
    from intertwine.nn.geometric import _edges

    return lambda: _edges._plain_product(x, y, w, graph.arrays, layer._table)


def convolution(lmax, options):
    import torch
    from e3nn import o3
    from intertwine.nn.geometric import Convolution, SphericalHarmonics

    V, C = SphericalHarmonics(lmax).V, options.channels
    layer, graph = Convolution(V, V, V, C), graph_of(options)
    irreps = {n: o3.Irreps("+".join(f"{n}x{l}{'eo'[l % 2]}" for l in range(lmax + 1))) for n in (1, C)}
    products = made_by_e3nn(
        lambda: o3.TensorProduct(
            irreps[C], irreps[1], irreps[C], [(p.i, p.j, p.k, "uvu", True) for p in layer.paths],
            irrep_normalization="component", path_normalization="element", shared_weights=False, internal_weights=False,
        )
    )  # fmt: skip
    x, y, w = operands(layer, graph)
    parts = torch.split(x.detach(), [2 * l + 1 for l in range(lmax + 1)], 1)
    theirs = torch.cat([part.transpose(1, 2).flatten(1) for part in parts], 1).requires_grad_()
    given = theirs, y, w.detach().flatten(1).clone().requires_grad_()
    contestants = {}
    for name, product in products.items():

        def run(theirs, y, flat, product=product):
            messages = product(theirs[graph.source], y, flat)
            return messages.new_zeros(graph.nodes, messages.shape[1]).index_add(0, graph.target, messages)

        contestants[name] = steps_of(lambda run=run: run(*given), given)
        if name == "e3nn" and options.compiled:
            contestants["e3nn compiled"] = steps_of_compiled(run, given)
    contestants |= cuequivariance(lmax, layer, graph, x, y, w)
    contestants["plain"] = steps_of(plain(layer, graph, x, y, w), (x, y, w))
    contestants["intertwine"] = steps_of(lambda: layer(x, y, w, graph), (x, y, w))
    for name, steps in contestants.items():
        for step in STEPS:
            if name == "cuEquivariance":  # its weights stand in another order
                require_same(contestants["intertwine"][step]()[:1], steps[step]()[:1])
            elif step in steps:
                require_same(contestants["intertwine"][step](), steps[step]())
    compare(f"l <= {lmax}, {len(layer.paths)} paths,", contestants, options.seconds)


def imported_cuequivariance():
    """The packages, and the group in e3nn's basis, which MACE has; None where one is missing."""
    try:
        import cuequivariance
        import cuequivariance_torch
        from mace.tools.cg import O3_e3nn
    except ImportError as missing:
        print(f"without cuEquivariance: {missing}")
        return None
    return cuequivariance, cuequivariance_torch, O3_e3nn


def cuequivariance(lmax, layer, graph, x, y, w):
    """Its product along edges has an output for each path; they are added up at the nodes."""
    import torch

    found = imported_cuequivariance()
    if found is None:
        return {}
    cue, layers, O3 = found
    one, many = (
        cue.Irreps(O3, "+".join(f"{n}x{l}{'eo'[l % 2]}" for l in range(lmax + 1))) for n in (1, layer.channels)
    )
    product = layers.ChannelWiseTensorProduct(
        many, one, [ir for _, ir in one], layout=cue.ir_mul, shared_weights=False, internal_weights=False,
        use_fallback=True,
    )  # fmt: skip
    order = sorted(range(len(layer.paths)), key=lambda n: layer.paths[n].k)
    flat = w.detach()[:, order].flatten(1).requires_grad_()
    theirs = x.detach().clone().requires_grad_()
    counts = [sum(path.k == k for path in layer.paths) for k in range(lmax + 1)]
    sizes = [count * (2 * l + 1) * layer.channels for l, count in enumerate(counts)]

    def run():
        out = product(theirs.flatten(1), y, flat, graph.source, None, graph.target, graph.nodes)
        parts = [
            part.unflatten(1, (count, -1, layer.channels)).sum(1) / count**0.5
            for part, count in zip(out.split(sizes, 1), counts)
        ]
        return torch.cat(parts, 1)

    return {"cuEquivariance": steps_of(run, (theirs, y, flat))}


def of_group(name, options):
    from intertwine import Group
    from intertwine.nn.geometric import Convolution

    if name == "Lorentz":
        G = Group("SO+(1,3)")
        V, Y, basis = G.rep("trivial + vector + alt(2, vector)"), G.rep("trivial + vector"), "own"
    else:
        G = Group(name)
        V = G.rep("std + perm + sign" if name == "S4" else "irrep(1) + irrep(2) + irrep(4)")
        Y, basis = V, "orthonormal"
    layer, graph = Convolution(V, Y, V, options.channels, basis=basis), graph_of(options)
    x, y, w = operands(layer, graph)
    contestants = {
        "plain": steps_of(plain(layer, graph, x, y, w), (x, y, w)),
        "intertwine": steps_of(lambda: layer(x, y, w, graph), (x, y, w)),
    }
    for step in STEPS:
        require_same(contestants["intertwine"][step](), contestants["plain"][step]())
    compare(f"{name}, {len(layer.paths)} paths,", contestants, options.seconds)


def harmonics(lmax, options):
    import torch
    from e3nn import o3
    from intertwine.nn.geometric import SphericalHarmonics

    ours, r = SphericalHarmonics(lmax), torch.randn(options.edges, 3, requires_grad=True)
    theirs = o3.SphericalHarmonics(list(range(lmax + 1)), True, "component")
    contestants = {"e3nn": steps_of(lambda: theirs(r), (r,)), "intertwine": steps_of(lambda: ours(r), (r,))}
    for a, b in zip(*(c["forward"]() for c in contestants.values())):
        torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)
    compare(f"harmonics l <= {lmax}", contestants, options.seconds)


def of_points(name, options):
    """The fully connected product of 32 copies at 256 points, and the linear map of 128 copies at the nodes."""
    import torch
    from e3nn import o3
    from intertwine.nn.geometric import from_e3nn

    copies, rows = (32, 256) if name == "product" else (128, options.nodes)
    irreps = f"{copies}x0e + {copies}x1o + {copies}x2e"
    theirs = o3.FullyConnectedTensorProduct(*[irreps] * 3) if name == "product" else o3.Linear(irreps, irreps)
    ours = from_e3nn(theirs)
    x = [torch.randn(rows, 9 * copies, requires_grad=True) for _ in range(2 if name == "product" else 1)]
    contestants = {
        "e3nn": steps_of(lambda: theirs(*x), (*x, theirs.weight)),
        "intertwine": steps_of(lambda: ours(*x), (*x, ours.weight)),
    }
    for step in STEPS:
        require_same(contestants["intertwine"][step](), contestants["e3nn"][step]())
    compare(f"{name} of {irreps}, {rows} points,", contestants, options.seconds)


def contraction(lmax, options):
    """Degree 3 to 0e + 1o, four kinds of atoms, beside MACE's layer with the weights of the same function."""
    import torch
    from e3nn import o3
    from intertwine.nn.geometric import SymmetricContraction, _polynomials

    C = options.channels
    types = [f"{l}{'eo'[l % 2]}" for l in range(lmax + 1)], ["0e", "1o"]
    V, U = (" + ".join(list_) for list_ in types)
    mace = SymmetricContraction(V, U, C, 3, 4, basis="mace")
    kinds = torch.randint(0, 4, (options.nodes,))
    x = torch.randn(options.nodes, mace.V.dimension, C, requires_grad=True)
    contestants = {}
    try:
        from mace.modules.symmetric_contraction import SymmetricContraction as Theirs

        irreps = [o3.Irreps(" + ".join(f"{C}x{one}" for one in list_)) for list_ in types]
        theirs = Theirs(*irreps, 3, num_elements=4, shared_weights=True)
        mace = SymmetricContraction.from_mace(theirs)
        one_hot, flipped = torch.nn.functional.one_hot(kinds, 4).float(), x.detach().transpose(1, 2).contiguous()
        flipped.requires_grad_()
        contestants["MACE"] = steps_of(lambda: theirs(flipped, one_hot), (flipped, *theirs.parameters()))
    except ImportError as missing:
        print(f"without MACE: {missing}")
    layer = mace.minimal()
    found = imported_cuequivariance()
    if found is not None:
        # Its weights are those of other polynomials, as many as ours: times are compared, not values.
        cue, layers, O3 = found
        its = [cue.Irreps(O3, " + ".join(f"{C}x{one}" for one in list_)) for list_ in types]
        other = layers.SymmetricContraction(
            *its, 3, 4, layout_in=cue.ir_mul, layout_out=cue.ir_mul, original_mace=False, use_fallback=True
        )
        rows, numbers = x.detach().flatten(1).requires_grad_(), kinds.int()
        run = lambda: other(rows, numbers)  # noqa: E731
        contestants["cuEquivariance"] = steps_of(run, (rows, *other.parameters()))

    def by_plain():
        kernels, _polynomials.KERNELS = _polynomials.KERNELS, ()
        found = layer(x, kinds)
        _polynomials.KERNELS = kernels
        return found

    contestants["plain"] = steps_of(by_plain, (x, layer.weight))
    contestants["its weights"] = steps_of(lambda: mace(x, kinds), (x, mace.weight))
    contestants["intertwine"] = steps_of(lambda: layer(x, kinds), (x, layer.weight))
    for step in STEPS:
        found = {name: steps[step]() for name, steps in contestants.items()}
        # Weights are others, so that outputs and gradients in x are compared.
        places = {STEPS[0]: (0,), STEPS[1]: (0, 1), STEPS[2]: (0,)}[step]
        for name, results in found.items():
            if name == "cuEquivariance":
                continue
            require_same(*([list_[k] for k in places] for list_ in (found["intertwine"], results)))
    compare(f"contraction l <= {lmax}, {layer.weight_numel} weights,", contestants, options.seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=CASES, help=f"some of {', '.join(CASES)}")
    for name, default in (("channels", 128), ("nodes", 200), ("edges", 6000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each contestant")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--compiled", action="store_true", help="with e3nn's product compiled by inductor: minutes")
    options = parser.parse_args()
    try:
        import e3nn
        import torch
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 77
    torch.manual_seed(0)
    torch.set_num_threads(1)
    print(
        f"e3nn {e3nn.__version__}, torch {torch.__version__}, one thread, load {os.getloadavg()[0]:.1f}; "
        f"{options.channels} channels, {options.nodes} nodes, {options.edges} edges"
    )
    for case in options.cases:
        if case.startswith("harmonics"):
            harmonics(int(case[9:]), options)
        elif case in ("product", "linear"):
            of_points(case, options)
        elif case.startswith("contraction"):
            contraction(int(case[11:]), options)
        elif case.startswith("l"):
            convolution(int(case[1:]), options)
        else:
            of_group(case, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
