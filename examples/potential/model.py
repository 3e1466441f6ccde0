"""A potential of messages along edges: energies, with forces and stress as their derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from intertwine.nn import Linear
from intertwine.nn.geometric import (
    Bessel,
    Convolution,
    Graph,
    PolynomialCutoff,
    SphericalHarmonics,
    edge_vectors,
    neighbours,
    segment_sum,
)
from torch import Tensor, nn


@dataclass
class Batch:
    """Some clusters or crystals as one graph: the edges are the pairs of atoms of one of them within the cutoff."""

    species: Tensor  # [atoms]
    positions: Tensor  # [atoms, 3], in Å
    cluster: Tensor  # [atoms], the number of the cluster
    clusters: int
    graph: Graph
    cell: Tensor | None = None  # [clusters, 3, 3], in Å, where space repeats
    moved: Tensor | None = None  # [edges, 3], how many vectors of the cell the source is away

    @classmethod
    def of(
        cls, species: list[Tensor], positions: list[Tensor], cutoff: float, cells: list[Tensor] | None = None,
        periodic: bool | list[bool] = True,
    ) -> Batch:  # fmt: skip
        """Clusters, or with cells what repeats along the vectors that `periodic` says."""
        cluster = torch.repeat_interleave(torch.tensor([len(p) for p in positions]))
        places, cell = torch.cat(positions), None if cells is None else torch.stack(cells)
        graph, moved = neighbours(places, cutoff, cell, periodic, cluster)
        return cls(torch.cat(species), places, cluster, len(positions), graph, cell, None if cell is None else moved)


class Layer(nn.Module):
    """x + a gate of (messages, mixed): scalars by SiLU, other components times the sigmoid of a scalar."""

    def __init__(self, V, Y, U, channels: int, species: int, functions: int, neighbours: float) -> None:
        super().__init__()
        self.before, self.after = Linear(V, V, channels, channels, bias=False), Linear(U, U, channels, channels)
        self.messages = Convolution(V, Y, U, channels)
        weights = self.messages.weight_shape[0] * channels
        # Without biases the weights of messages fall to 0 at the cutoff, so that the energy has no jumps.
        self.radial = nn.Sequential(nn.Linear(functions, 32, bias=False), nn.SiLU(), nn.Linear(32, weights, bias=False))
        self.parts = [part for part, _ in U.slices()]
        vectors = len(self.parts) - 1  # none of degree 0 alone
        self.gates = nn.Linear(channels, vectors * channels) if vectors else None
        self.kept = self.parts[: len(V.slices())]  # degrees that V and U have
        self.own = nn.Embedding(species, len(self.kept) * channels)  # of an atom's own features, by element
        self.scale = neighbours**-0.5

    def mixed(self, layer: Linear, x: Tensor) -> Tensor:
        return layer(x.transpose(1, 2)).transpose(1, 2)  # layers have channels before coordinates

    def forward(self, x: Tensor, y: Tensor, functions: Tensor, batch: Batch) -> Tensor:
        w = self.radial(functions).unflatten(1, self.messages.weight_shape)
        m = self.messages(self.mixed(self.before, x), y, w, batch.graph) * self.scale
        m = self.mixed(self.after, m)
        scalars = m[:, self.parts[0]]
        moved = [nn.functional.silu(scalars)]
        if self.gates is not None:
            gates = torch.sigmoid(self.gates(scalars[:, 0])).unflatten(1, (len(self.parts) - 1, -1))
            moved += [m[:, p] * gates[:, k, None] for k, p in enumerate(self.parts[1:])]
        own = self.own(batch.species).unflatten(1, (len(self.kept), -1))
        for k, part in enumerate(self.kept):
            moved[k] = moved[k] + x[:, part] * own[:, k, None]
        return torch.cat(moved, 1)


class Potential(nn.Module):
    """The energy [clusters] of a batch: a sum over atoms, invariant under rotations, mirrors and shifts of space and
    under exchanges of atoms of one element."""

    def __init__(
        self, species: int = 2, cutoff: float = 5.0, channels: int = 32, lmax: int = 2, layers: int = 2,
        functions: int = 8, neighbours: float = 10.0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.cutoff = cutoff
        self.harmonics = SphericalHarmonics(lmax)
        # Features begin as scalars, and the energy takes scalars alone.
        V, scalars = self.harmonics.V, self.harmonics.V.group.rep("harmonic(0)")
        types = [scalars, *[V] * (layers - 1), scalars]
        self.bessel, self.edge = Bessel(cutoff, functions), PolynomialCutoff(cutoff)
        self.embedding = nn.Embedding(species, channels)
        self.layers = nn.ModuleList(
            Layer(before, V, after, channels, species, functions, neighbours) for before, after in zip(types, types[1:])
        )
        self.energy = nn.Sequential(nn.Linear(channels, channels), nn.SiLU(), nn.Linear(channels, 1))
        self.register_buffer("scale", torch.ones(()))  # of energies, in eV
        self.register_buffer("atom", torch.zeros(species))  # the mean energy of an atom of each element

    def forward(self, batch: Batch) -> Tensor:
        graph = batch.graph
        edges = -edge_vectors(batch.positions, graph, batch.moved, batch.cell, batch.cluster)
        distance = edges.norm(dim=1)
        functions = self.bessel(distance) * self.edge(distance)[:, None]
        y = self.harmonics(edges)
        x = self.embedding(batch.species)[:, None]
        for layer in self.layers:
            x = layer(x, y, functions, batch)
        atoms = self.energy(x[:, 0])[:, 0] * self.scale + self.atom[batch.species]
        return segment_sum(atoms, batch.cluster, batch.clusters)
