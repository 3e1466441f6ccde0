"""Graphs whose edges are sorted once, and sums over their edges."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import DomainError
from .._fields import integer
from ._types import has_values, require_numbers

__all__ = ["Graph", "segment_sum"]

CONVENTIONS = ("src,dst", "dst,src")


class Graph:
    """Edges between nodes, kept in two orders: by target and by source.

    Nodes send messages along edges from their source to their target. Make a graph once for a batch, and give it to
    every layer.

    Parameters
    ----------
    edge_index
        [2, edges] of the type int64 or int32: the two ends of every edge, in any order.
    nodes
        How many nodes there are. Nodes without edges are allowed.
    convention
        "src,dst": the first row has the sources, as in PyTorch Geometric and MACE. "dst,src": the first row has the
        targets, as in NequIP's edge vectors r_j - r_i of a centre i.

    Raises
    ------
    DomainError
        If edge_index has another shape or dtype, or an end is no node.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Graph
    >>> graph = Graph(torch.tensor([[0, 1, 1], [1, 0, 2]]), 4)
    >>> graph.edges, graph.degrees().tolist()
    (3, [1, 1, 1, 0])
    """

    def __init__(self, edge_index: Tensor, nodes: int, convention: str = "src,dst") -> None:
        if convention not in CONVENTIONS:
            raise DomainError(f'the convention of edges is "src,dst" or "dst,src", not {convention!r}')
        if not isinstance(edge_index, Tensor) or edge_index.dtype not in (torch.int32, torch.int64):
            kind = edge_index.dtype if isinstance(edge_index, Tensor) else type(edge_index).__name__
            raise DomainError(f"edge_index is a tensor of integers of the type int64 or int32, not {kind}")
        if edge_index.dim() != 2 or edge_index.shape[0] != 2:
            raise DomainError(f"edge_index has the shape [2, edges], not {list(edge_index.shape)}")
        self.nodes, self.convention = integer("nodes", nodes, 0), convention
        ends = edge_index.to(torch.int64)
        if has_values(ends) and ends.numel():
            low, high = (int(x) for x in ends.aminmax())
            if low < 0 or high >= self.nodes:
                bad = (ends < 0) | (ends >= self.nodes)
                edge = int(bad.any(0).nonzero()[0])
                raise DomainError(
                    f"edge {edge} has the ends {ends[:, edge].tolist()}, and the nodes go from 0 to {self.nodes} - 1"
                )
        source, target = ends if convention == "src,dst" else ends.flip(0)
        self.source, self.target = source.contiguous(), target.contiguous()
        self.edges = int(ends.shape[1])
        self._arrays: list[Tensor] = [self.source, self.target, *self._sorted(self.target), *self._sorted(self.source)]

    def _sorted(self, ends: Tensor) -> tuple[Tensor, Tensor]:
        """The places where the edges of each node begin, and the edges in this order."""
        order = torch.argsort(ends, stable=True)
        places = torch.arange(self.nodes + 1, device=ends.device)
        return torch.searchsorted(ends.index_select(0, order), places), order

    @property
    def arrays(self) -> list[Tensor]:
        """source, target, and for targets and sources where the edges of each node begin, and the edges in this
        order: what operators take."""
        return self._arrays

    @classmethod
    def of_arrays(cls, arrays: Sequence[Tensor], convention: str = "src,dst") -> Graph:
        """The graph with these arrays, which are not checked."""
        made = object.__new__(cls)
        made._arrays, made.convention = list(arrays), convention
        made.source, made.target = made._arrays[:2]
        made.nodes, made.edges = arrays[2].shape[0] - 1, arrays[0].shape[0]
        return made

    def degrees(self) -> Tensor:
        """[nodes] how many edges end at each node."""
        first = self._arrays[2]
        return first[1:] - first[:-1]

    def to(self, device: torch.device | str) -> Graph:
        """This graph on a device."""
        if torch.device(device) == self.source.device:
            return self
        return Graph.of_arrays([t.to(device) for t in self._arrays], self.convention)

    def __repr__(self) -> str:
        return f"Graph({self.nodes} nodes, {self.edges} edges)"


def segment_sum(values: Tensor, index: Tensor, segments: int) -> Tensor:
    """The sums of rows with the same index, in the order of the rows.

    Parameters
    ----------
    values
        [rows, ...].
    index
        [rows] of the type int64: the segment of each row, in any order.
    segments
        How many there are. One without rows has the sum 0.

    Returns
    -------
    Tensor
        [segments, ...].

    Raises
    ------
    DomainError
        If index has another shape or dtype, or a number out of range.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import segment_sum
    >>> segment_sum(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0, 2, 0]), 3)
    tensor([5., 0., 2.])
    """
    if index.dtype != torch.int64 or values.dim() < 1 or index.shape != values.shape[:1]:
        raise DomainError(
            f"index has one number of the type int64 for each of the rows {list(values.shape)}, not the shape"
            f" {list(index.shape)} and {index.dtype}"
        )
    integer("segments", segments, 0)
    require_numbers("index", index, segments)
    return values.new_zeros(segments, *values.shape[1:]).index_add(0, index, values)
