"""Simple graphs of every kind that packages and files have, for bounds of their independent sets."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._core import Group, Reduction, Representation, graph_theta, limits, read_graph
from ._errors import DomainError
from ._semidefinite import acting, symmetric_entries

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    Progress: TypeAlias = bool | Callable[[str, int, int], object] | None

Variant: TypeAlias = Literal["lovasz", "schrijver", "szegedy"]
VARIANTS = ("lovasz", "schrijver", "szegedy")


def read(graph: Any, vertices: Any = None) -> tuple[list[tuple[int, int]], list[Any]]:
    """The edges (i, j), i < j, and the names of the vertices of a graph of NetworkX, an adjacency matrix, a list of
    edges, or a file."""
    given = isinstance(graph, (str, os.PathLike)) or hasattr(graph, "adjacency") or hasattr(graph, "shape")
    if vertices is not None and given:
        raise DomainError("vertices= is of a list of edges; graphs, matrices and files have their vertices")
    if isinstance(graph, (str, os.PathLike)):
        n, joined, labels = read_graph(graph)
        return _simple(labels or list(range(n)), joined)
    if hasattr(graph, "adjacency"):
        if graph.is_directed():
            raise DomainError("a graph has no directions here; take graph.to_undirected()")
        place = {v: i for i, v in enumerate(graph)}
        return _simple(list(place), ((place[u], place[v]) for u, v in graph.edges()))
    if not hasattr(graph, "shape") and not hasattr(graph, "tocoo"):
        rows = list(graph) if isinstance(graph, Iterable) else []
        if not rows or not all(hasattr(row, "__len__") for row in rows):
            raise DomainError(
                f"a graph is one of NetworkX, an adjacency matrix, the name of a file, or a list of edges, one at least, not {graph!r}"
            )
        graph = rows
        pairs = all(len(row) == 2 and not isinstance(row, str) for row in graph)
        if pairs and len(graph) == 2 and [list(row) for row in graph] == [[0, 0], [0, 0]]:
            raise DomainError(
                "[[0, 0], [0, 0]] is two edges from 0 to 0, or two vertices without an edge; "
                "write the matrix as an array of NumPy"
            )
        if pairs:
            names = [] if vertices is None else list(range(vertices)) if isinstance(vertices, int) else list(vertices)
            place = {vertex: k for k, vertex in enumerate(names)}
            for edge in graph:
                for vertex in edge:
                    if vertices is not None and vertex not in place:
                        raise DomainError(
                            f"an edge has the vertex {vertex!r}, which is none of the vertices that are given"
                        )
                    place.setdefault(vertex, len(place))
            return _simple(list(place), ((place[u], place[v]) for u, v in graph))
    n, entries = symmetric_entries(graph, "the adjacency matrix")
    return _simple(list(range(n)), ((i, j) for i, j, _ in entries))


def _simple(names: list[Any], edges: Iterable[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[Any]]:
    found = {(min(edge), max(edge)) for edge in edges}
    if not names:
        raise DomainError("a graph has at least one vertex, and this one has none")
    for i, j in found:
        if i == j:
            raise DomainError(f"vertex {i} (from 0) is joined to itself; a graph has no loops here")
    return sorted(found), names


class Graph:
    """A graph without directions, loops and double edges, for bounds of its independent sets.

    Parameters
    ----------
    graph : graph, array, list of pairs, str or path
        A graph of NetworkX, a symmetric adjacency matrix, a list of edges, whose vertices are in the order in which they
        occur, or the name of a file: .g6, .s6, .col, .dimacs, .edges, .edgelist, .txt, .mtx, .gml, .graphml, .json.
    vertices : int or list, optional
        Of a list of edges the vertices in their order, n for 0, ..., n - 1, so that some may be in no edge.

    Attributes
    ----------
    vertices : tuple
        The names of the vertices, in their order.
    edges : tuple of pairs
        Every edge as (i, j), i < j, numbers of vertices from 0.

    Raises
    ------
    DomainError
        for a directed graph, a loop, no vertex, and an edge of other vertices than those given.
    FileError
        for a file that cannot be read, holds a matrix of NumPy or a hypergraph, or a graph with directions.

    Examples
    --------
    >>> from intertwine.sdp import Graph
    >>> pentagon = Graph([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> pentagon
    <Graph of 5 vertices, 5 edges>
    >>> pentagon.theta()
    <Reduction by a group of order 10, 15 variables become 3>
    """

    _vertices: tuple[Any, ...]
    _edges: tuple[tuple[int, int], ...]

    def __init__(self, graph: Any, vertices: int | Iterable[Any] | None = None) -> None:
        edges, names = (graph.edges, graph.vertices) if isinstance(graph, Graph) else read(graph, vertices)
        object.__setattr__(self, "_edges", tuple(edges))
        object.__setattr__(self, "_vertices", tuple(names))

    @classmethod
    def _of(cls, edges: Iterable[tuple[int, int]], vertices: Iterable[Any]) -> Graph:
        """The graph with these edges and vertices, which are not looked at again."""
        self = cls.__new__(cls)
        object.__setattr__(self, "_edges", tuple(edges))
        object.__setattr__(self, "_vertices", tuple(vertices))
        return self

    @property
    def vertices(self) -> tuple[Any, ...]:
        """The names of the vertices, in their order."""
        return self._vertices

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """Every edge as (i, j), i < j, numbers of vertices from 0."""
        return self._edges

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name!r} of a Graph cannot be set: make another Graph")

    def theta(
        self,
        variant: Variant | None = None,
        group: Group | Representation | str | None = None,
        action: str | None = None,
        *,
        memory: int | str | None = None,
        seconds: float | None = None,
        progress: Progress = None,
        threads: int | None = None,
    ) -> Reduction:
        """Lovász's theta or one of its variants, as sdp.theta has it.

        Parameters
        ----------
        variant : str, optional
            "lovasz" for theta, which is the default, "schrijver" for theta', "szegedy" for theta+.
        group : Group, Representation or str, optional
            A group of automorphisms; without it all of them are found.
        action : str, optional
            How the group permutes the vertices: "perm" if nothing is said.
        **limits
            `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

        Returns
        -------
        Reduction
            Its optimum is -theta.

        Raises
        ------
        DomainError
            for another variant, and a group that does not fix the graph.

        Examples
        --------
        >>> from intertwine.sdp import Graph
        >>> Graph([(0, 1), (1, 2), (2, 3), (3, 0)]).theta("schrijver").before.blocks
        [4, -1]
        """
        if variant is not None and variant not in VARIANTS:
            raise DomainError(f"variant={variant!r} is none of {', '.join(VARIANTS)}")
        with limits(memory=memory, seconds=seconds, progress=progress, threads=threads):
            rows = acting(group, action)
            return graph_theta(len(self.vertices), list(self.edges), rows, variant or "lovasz")

    def complement(self) -> Graph:
        """The graph whose edges are the pairs that are none here.

        Examples
        --------
        >>> from intertwine.sdp import Graph
        >>> Graph([(0, 1), (1, 2)]).complement().edges
        ((0, 2),)
        """
        joined, n = set(self.edges), len(self.vertices)
        return Graph._of(((i, j) for i in range(n) for j in range(i + 1, n) if (i, j) not in joined), self.vertices)

    def adjacency(self) -> npt.NDArray[np.int64]:
        """The matrix [n, n] that is 1 on the edges and 0 elsewhere.

        Examples
        --------
        >>> from intertwine.sdp import Graph
        >>> Graph([(0, 1)]).adjacency().tolist()
        [[0, 1], [1, 0]]
        """
        import numpy

        matrix = numpy.zeros((len(self.vertices), len(self.vertices)), dtype=numpy.int64)
        for i, j in self.edges:
            matrix[i, j] = matrix[j, i] = 1
        return matrix

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and (self.edges, self.vertices) == (other.edges, other.vertices)

    def __hash__(self) -> int:
        return hash((self.edges, self.vertices))

    def __reduce__(self) -> tuple[Any, ...]:
        return Graph._of, (self.edges, self.vertices)

    def __repr__(self) -> str:
        def counted(n: int, one: str, many: str) -> str:
            return f"{n} {one if n == 1 else many}"

        return (
            f"<Graph of {counted(len(self.vertices), 'vertex', 'vertices')}, "
            f"{counted(len(self.edges), 'edge', 'edges')}>"
        )
