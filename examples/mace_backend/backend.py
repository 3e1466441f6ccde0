"""MACE with the operations of Intertwine: the energies and forces of a model that exists, in less time on the CPU.

Usage: python backend.py [MODEL] [--channels 128] [--lmax 3] [--layers 2] [--cells 2] [--float32] [--steps 5]

MODEL is a file that MACE wrote; without it a model is made, with random weights. The weights stay where they are, in
MACE's order and under MACE's names, so that checkpoints fit both ways.
"""

import argparse
import copy
import statistics
import time
import types

import numpy
import torch
from ase import Atoms
from ase.build import molecule
from ase.neighborlist import neighbor_list
from e3nn import o3
from intertwine.nn.geometric import Graph, functional
from mace import modules
from mace.modules.symmetric_contraction import SymmetricContraction


class Graphs:
    """The graph of the edges that came last, sorted once for all layers."""

    def __init__(self) -> None:
        self.edges, self.graph = None, None

    def of(self, edges: torch.Tensor, nodes: int) -> Graph:
        if edges is not self.edges:
            self.edges, self.graph = edges, Graph(edges, nodes)
        return self.graph


def linear(self, x):
    return functional.linear(x, self.weight, *self.types, self.bias if self.bias.numel() else None)


def product(self, x, y):
    return functional.fully_connected_product(x, y, self.weight, *self.types)


def convolution(self, x, y, weights, edges):
    graph = self.graphs.of(edges, x.shape[0])
    return functional.channelwise_convolution(x, y, weights, graph, *self.types, self.instructions)


def contraction(self, x, attributes):
    kinds, weights = attributes.argmax(1), list(self.parameters())
    return functional.symmetric_contraction(x, kinds, weights, *self.types, self.degree, self.couplings)


def use_intertwine(model: torch.nn.Module) -> torch.nn.Module:
    """Gives a model of MACE the operations of Intertwine. Its parameters and buffers stay."""
    graphs = Graphs()
    for module in model.modules():
        if isinstance(module, o3.Linear):
            forward, irreps = linear, (module.irreps_in, module.irreps_out)
        elif isinstance(module, o3.FullyConnectedTensorProduct):
            forward, irreps = product, (module.irreps_in1, module.irreps_in2, module.irreps_out)
        elif isinstance(module, SymmetricContraction):
            forward, irreps = contraction, [o3.Irreps([x.ir for x in i]) for i in (module.irreps_in, module.irreps_out)]
            module.degree = module.contractions[0].correlation
            degrees = range(module.degree, 0, -1)
            matrices = [part.U_tensors(degree) for part in module.contractions for degree in degrees]
            module.couplings = functional.couplings(matrices, *map(str, irreps), module.degree)
        else:
            if isinstance(module, modules.InteractionBlock):
                module.conv_fusion = "intertwine"  # MACE then leaves the sum over edges to its product
                module.conv_tp.graphs, module.conv_tp.forward = graphs, types.MethodType(convolution, module.conv_tp)
                conv = module.conv_tp
                conv.types = tuple(str(irreps) for irreps in (conv.irreps_in1, conv.irreps_in2, conv.irreps_out))
            continue
        module.types, module.forward = tuple(map(str, irreps)), types.MethodType(forward, module)
    return model


# --- Beside the model as it was --------------------------------------------------------------------------------------


def some_model(channels: int, lmax: int, layers: int) -> torch.nn.Module:
    block = modules.interaction_classes["RealAgnosticResidualInteractionBlock"]
    return modules.ScaleShiftMACE(
        r_max=5.0, num_bessel=8, num_polynomial_cutoff=5, max_ell=lmax, interaction_cls=block,
        interaction_cls_first=block, num_interactions=layers, num_elements=3,
        hidden_irreps=o3.Irreps(f"{channels}x0e + {channels}x1o"), MLP_irreps=o3.Irreps("16x0e"),
        atomic_energies=numpy.zeros(3), avg_num_neighbors=12.0, atomic_numbers=[1, 6, 8], correlation=3,
        gate=torch.nn.functional.silu, atomic_inter_scale=1.0, atomic_inter_shift=0.0,
    )  # fmt: skip


def ethanol(cells: int) -> Atoms:
    """Molecules in a periodic box, turned and moved a little."""
    one, rng = molecule("CH3CH2OH", cell=[4.6, 5.0, 4.4], pbc=True), numpy.random.default_rng(0)
    atoms = one.repeat(cells)
    atoms.rattle(0.1, rng=rng)
    return atoms


def batch_of(atoms: Atoms, model: torch.nn.Module, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    sender, receiver, shifts = neighbor_list("ijS", atoms, float(model.r_max))
    known = model.atomic_numbers.tolist()
    species = torch.tensor([known.index(z) for z in atoms.numbers])
    unit = torch.tensor(shifts, dtype=dtype)
    cell = torch.tensor(atoms.cell.array, dtype=dtype)
    return {
        "positions": torch.tensor(atoms.positions, dtype=dtype), "cell": cell, "unit_shifts": unit,
        "shifts": unit @ cell, "node_attrs": torch.nn.functional.one_hot(species, len(known)).to(dtype),
        "edge_index": torch.from_numpy(numpy.stack([sender, receiver])), "ptr": torch.tensor([0, len(atoms)]),
        "batch": torch.zeros(len(atoms), dtype=torch.int64), "head": torch.zeros(1, dtype=torch.int64),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="a file that MACE wrote, of a model for H, C and O at least")
    for name, value in (("channels", 128), ("lmax", 3), ("layers", 2), ("cells", 2), ("steps", 5)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--float32", action="store_true", help="float64 otherwise")
    options = parser.parse_args()
    dtype = torch.float32 if options.float32 else torch.float64
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.set_default_dtype(dtype)
    model = (
        torch.load(options.model, map_location="cpu", weights_only=False).to(dtype)
        if options.model
        else some_model(options.channels, options.lmax, options.layers)
    )
    ours = use_intertwine(copy.deepcopy(model))
    atoms = ethanol(options.cells)
    data = batch_of(atoms, model, dtype)
    times: dict[str, list[float]] = {"MACE": [], "with Intertwine": []}
    for _ in range(options.steps):
        found = []
        for one, spent in zip((model, ours), times.values()):
            begun = time.process_time()
            out = one(dict(data), compute_force=True)
            spent.append(time.process_time() - begun)
            found.append((out["energy"].detach(), out["forces"].detach()))
    (energy, forces), (e, f) = found
    print(f"{len(atoms)} atoms, {data['edge_index'].shape[1]} edges, {dtype}")
    print(f"energies differ by {float((e - energy).abs().max() / energy.abs().max()):.1e} of {float(energy):.6g}")
    print(f"forces differ by {float((f - forces).abs().max()):.1e}, the largest is {float(forces.abs().max()):.3g}")
    medians = {name: statistics.median(spent) for name, spent in times.items()}
    print(", ".join(f"{name} {1e3 * median:.0f} ms" for name, median in medians.items()), end=": ")
    print(f"{medians['MACE'] / medians['with Intertwine']:.1f} times as fast, CPU time of energies and forces")


if __name__ == "__main__":
    main()
