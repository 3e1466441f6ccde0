"""Messages along edges: products of features with functions of edges, with weights given for every edge."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ... import DomainError, Representation
from ..._couplings import Path, bases_of, couplings_of, paths_between
from ..._features import slots
from .. import _ops
from .._fields import Derived, integer, require_tensor, wide
from .._tables import real_tensors
from . import _edges
from ._types import type_of
from .graph import Graph

__all__ = ["Convolution", "change_of_basis"]


class Convolution(Derived):
    """out[n] = the sum over the edges e from m to n of the paths' products w[e, p] C^p(x[m], y[e]), channel by channel.

    A path connects a summand of V and one of Y with one of U by an equivariant map; channels do not mix ("uvu" with one
    copy of Y). Weights come from outside, for every edge: mostly from a network of the distance. Gathering, multiplying
    and adding up are one pass over the edges; no array of edges times components times channels is made, forward or
    backward. Derivatives of every order are there.

    Parameters
    ----------
    V, Y, U
        The types of features x, of y on edges, and of the output: representations of one group, or texts such as
        "0e + 1o". A summand as written is one slot: "2*vector" has two.
    channels
        Copies of V and U.
    instructions
        Triples (i, j, k) of numbers of summands of V, Y and U. A triple has a path for every independent equivariant
        map. None: all triples that have maps.
    order
        The order of the weights. "e3nn": by instruction as they are listed, or by i, then j, then k. "output": by k
        first, as in MACE.
    axis
        The polar axis of the orthonormal basis of harmonics: "y", as in e3nn, where harmonic(1) is (x, y, z), or "z",
        where it is (y, z, x).
    basis
        "orthonormal": the group acts on features by orthogonal matrices (``change_of_basis``). "own": features have the
        coordinates of the representations, as in other layers; for groups that are not compact this is the choice.

    Attributes
    ----------
    weight_shape
        (paths, channels): what a radial network has to give for each edge.
    paths
        For each path the numbers of its summands, and which map between them it is.

    Shape
    -----
    x [nodes, dim V, channels], y [edges, dim Y], w [edges, paths, channels], graph to [nodes, dim U, channels].
    Channels stand last, other than in the other layers: ``x.transpose(-1, -2)`` goes there.

    Notes
    -----
    Couplings are scaled as e3nn's with "component" and "element": if x, y and w are independent with mean square 1, so
    is the output along one edge. Sums over edges are not scaled; divide by the root of the mean number of neighbours
    (NequIP) or by this number (MACE). On the CPU float32 and float64 run the library's kernels, deterministic to the
    bit for every number of threads; other types and devices, forward mode and torch.func take plain PyTorch. Under
    autocast operands of 16 bits are taken in 32.

    Raises
    ------
    DomainError
        If the groups differ, an instruction has no path, or an operand has another shape or dtype.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn.geometric import Convolution, Graph, SphericalHarmonics
    >>> V = Group("O(3)").rep("harmonic(0) + harmonic(1)")
    >>> harmonics = SphericalHarmonics(1)
    >>> layer = Convolution(V, harmonics.V, V, channels=8)
    >>> layer.weight_shape
    (4, 8)
    >>> graph = Graph(torch.tensor([[0, 1], [1, 0]]), 3)
    >>> y, w = harmonics(torch.randn(2, 3)), torch.randn(2, *layer.weight_shape)
    >>> layer(torch.randn(3, 4, 8), y, w, graph).shape
    torch.Size([3, 4, 8])
    """

    _derived = ("_table",)

    def __init__(
        self,
        V: Representation | str,
        Y: Representation | str,
        U: Representation | str,
        channels: int,
        instructions: Sequence[Sequence[int]] | None = None,
        order: str = "e3nn",
        axis: str = "y",
        basis: str = "orthonormal",
    ) -> None:
        super().__init__()
        self.V, self.Y, self.U = (type_of(X, instructions is not None) for X in (V, Y, U))
        self.channels = integer("channels", channels, 1)
        self.instructions = None if instructions is None else [tuple(given) for given in instructions]
        self.order, self.axis, self.basis = order, axis, basis
        self._connect()

    def _connect(self) -> None:
        paths, couplings = paths_between(self.V, self.Y, self.U, self.instructions, self.order, self.axis, self.basis)
        self.paths: list[Path] = paths
        self._table = _edges.table_of(couplings_of(self.V, self.Y, self.U, paths, couplings))

    @property
    def weight_shape(self) -> tuple[int, int]:
        """(paths, channels)."""
        return len(self.paths), self.channels

    def _check(self, x: Tensor, y: Tensor, w: Tensor, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise DomainError(f"the graph is a Graph(edge_index, nodes), not {type(graph).__name__}")
        in_, edge, _ = self._table.sizes  # numbers that torch.compile sees, which V.dimension is not
        for name, t, shape, words in (
            ("x", x, (graph.nodes, in_, self.channels), "[nodes, dim V, channels]"),
            ("y", y, (graph.edges, edge), "[edges, dim Y]"),
            ("w", w, (graph.edges, len(self.paths), self.channels), "[edges, paths, channels]"),
        ):
            if t.dim() != len(shape) or tuple(t.shape) != shape:
                raise DomainError(f"{name} has the shape {list(t.shape)}; this layer takes {list(shape)}, {words}")
            if not t.is_floating_point():
                raise DomainError(f"{name} is {t.dtype}; this layer takes floating-point numbers")
            if t.dtype != x.dtype or t.device != x.device:
                raise DomainError(
                    f"x is {x.dtype} on {x.device} and {name} {t.dtype} on {t.device}: convert one, {name}.to(x)"
                )
        if graph.source.device != x.device:
            raise DomainError(f"x is on {x.device} and the graph on {graph.source.device}: write graph.to(x.device)")

    def forward(self, x: Tensor, y: Tensor, w: Tensor, graph: Graph) -> Tensor:
        for name, t in (("x", x), ("y", y), ("w", w)):
            require_tensor(t, name)
        if _ops.autocasts(x):  # sums over neighbours stay in 32 bits
            x, y, w = (wide(t) for t in (x, y, w))
        self._check(x, y, w, graph)
        return _edges.product(x, y, w, graph.arrays, self._table)

    def extra_repr(self) -> str:
        return f"{self.V} x {self.Y} -> {self.U}, channels={self.channels}, paths={len(self.paths)}"


def change_of_basis(V: Representation, axis: str = "y") -> Tensor:
    """The orthonormal basis of features of V, in the coordinates of V: T with x_own = T x for a feature x.

    The group acts on features by T^-1 rho(g) T, which is orthogonal.

    Parameters
    ----------
    V
        A representation of a finite group, of SO(n), O(n), or of products of these.
    axis
        The polar axis of harmonics, as of Convolution.

    Returns
    -------
    Tensor
        [dim V, dim V] in float64.

    Raises
    ------
    DomainError
        If there is no orthonormal basis, as for the Lorentz group.

    Examples
    --------
    >>> from intertwine import Group
    >>> from intertwine.nn.geometric import change_of_basis
    >>> change_of_basis(Group("O(3)").rep("harmonic(1)"), axis="z").tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    with real_tensors():
        T = torch.eye(V.dimension, dtype=torch.float64)
        for place, R in slots(V):
            block = bases_of(R, axis, "orthonormal")
            if block is not None:
                T[place, place] = torch.from_numpy(block)
    return T
