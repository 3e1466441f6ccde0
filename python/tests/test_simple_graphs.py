"""sdp.Graph: graphs of every kind, in files too, and their theta."""

import copy
import pickle

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, LimitError
from intertwine.sdp import Graph, theta

PENTAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]
PETERSEN = ROOT / "examples" / "graphs" / "petersen.g6"


def optimum(problem):
    """By a solver of semidefinite programs; the problem has an optimum."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy()
    value = asked.solve(solver="CLARABEL")
    assert asked.status == "optimal"
    return value


def test_graphs_are_values():
    graph = Graph(PENTAGON)
    assert graph.vertices == (0, 1, 2, 3, 4) and graph.edges == ((0, 1), (0, 4), (1, 2), (2, 3), (3, 4))
    assert (
        repr(graph) == "<Graph of 5 vertices, 5 edges>" and repr(Graph([("a", "b")])) == "<Graph of 2 vertices, 1 edge>"
    )
    assert copy.copy(graph) == pickle.loads(pickle.dumps(graph)) == Graph(graph) == graph
    assert hash(Graph(graph)) == hash(graph) and graph != Graph([(0, 1)]) and graph != 3
    assert Graph(graph.adjacency()) == graph and graph.adjacency().sum() == 10
    assert graph.complement().complement() == graph and len(graph.complement().edges) == 5
    assert Graph([("a", "b"), ("b", "c")]).vertices == ("a", "b", "c")
    assert Graph([(1, 2)], 4).vertices == (0, 1, 2, 3) and Graph([("b", "a")], ["a", "b"]).edges == ((0, 1),)
    with pytest.raises(AttributeError, match="cannot be set"):
        graph.edges = ()


def test_files_are_read_as_the_command_automorphisms_reads_them(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = Graph(PETERSEN)
    assert graph.theta().group_order == 120 and graph.theta().before == theta(str(PETERSEN)).before
    assert networkx.is_isomorphic(networkx.Graph(graph.edges), networkx.petersen_graph())
    (tmp_path / "c5.col").write_text("c five\np edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n")
    (tmp_path / "c5.edges").write_text("ann bob\nbob cid\ncid dan\ndan eve\neve ann\n")
    for name in ("c5.col", "c5.edges"):
        assert optimum(Graph(tmp_path / name).theta().problem) == pytest.approx(-(5**0.5), abs=1e-6)
    assert Graph(tmp_path / "c5.edges").vertices == ("ann", "bob", "cid", "dan", "eve")


def test_theta_and_its_variants_in_their_order():
    """Theta' <= theta <= theta+, and the product of theta with that of the complement is the number of vertices, for the
    graph has a group that takes each vertex to each [Lovász 1979, theorem 8]."""
    networkx = pytest.importorskip("networkx")
    graph = Graph(networkx.circulant_graph(8, [1, 4]))
    values = [-optimum(graph.theta(variant).problem) for variant in ("schrijver", None, "szegedy")]
    assert values[0] <= values[1] + 1e-6 and values[1] <= values[2] + 1e-6
    assert values[1] * -optimum(graph.complement().theta().problem) == pytest.approx(8, abs=1e-5)
    assert graph.theta("lovasz", "C8", "perm").group_order == 8 and graph.theta(group="C8", seconds=60).group_order == 8


def test_graphs_without_symmetry_keep_an_equation_for_every_edge():
    rng = np.random.default_rng(5)
    table = np.triu(rng.integers(0, 2, (7, 7)), 1)
    graph = Graph(table + table.T)
    alone = graph.theta(group="S1", action="7*trivial")
    assert len(alone.before.b) == 1 + len(graph.edges) and alone.variables_after == 28
    assert optimum(graph.theta().problem) == pytest.approx(optimum(alone.problem), abs=1e-5)


@pytest.mark.parametrize(
    "make, kind, said",
    [
        (lambda folder: Graph(folder / "missing.g6"), FileError, "missing.g6"),
        (lambda folder: Graph("petersen.xyz"), FileError, "the extension '.xyz' is that of no graph"),
        (lambda folder: Graph(folder / "m.npy"), FileError, "do not say what an edge is"),
        (lambda folder: Graph(folder / "h.json"), FileError, "holds a hypergraph"),
        (lambda folder: Graph([]), DomainError, "a list of edges, one at least"),
        (lambda folder: Graph([(0, 4)], 4), DomainError, "the vertex 4, which is none of the vertices"),
        (lambda folder: Graph(PETERSEN, 10), DomainError, "vertices= is of a list of edges"),
        (lambda folder: Graph([(1, 1)]), DomainError, r"vertex 0 \(from 0\) is joined to itself"),
        (lambda folder: Graph(PENTAGON).theta("delsarte"), DomainError, "'delsarte' is none of lovasz"),
        (lambda folder: Graph(PENTAGON).theta(action="perm"), DomainError, "state the group as well"),
        (lambda folder: Graph(PENTAGON).theta(memory="1KiB"), LimitError, "memory"),
    ],
)
def test_bad_input_in_one_sentence(make, kind, said, tmp_path):
    np.save(tmp_path / "m.npy", np.eye(3))
    (tmp_path / "h.json").write_text('{"vertices": 4, "hyperedges": [[0, 1, 2], [1, 2, 3]]}')
    with pytest.raises(kind, match=said) as raised:
        make(tmp_path)
    assert "\n" not in str(raised.value)
