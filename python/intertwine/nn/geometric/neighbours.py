"""Pairs of points within a distance, in cells that repeat and without, and the vectors along them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from ... import DomainError
from .graph import Graph

__all__ = ["edge_vectors", "neighbours"]

METHODS = ("own", "matscipy", "ase")
_MOST_CELLS = 1 << 17
_MOST_IMAGES = 1 << 26  # points of one structure, with those of other cells that are near
_CHUNK = 1 << 22  # pairs that are looked at together
Array = numpy.ndarray[Any, Any]
Found = tuple[Array, Array, Array]  # targets, sources, and the cells of the sources


def neighbours(
    positions: Tensor,
    cutoff: float,
    cell: Tensor | None = None,
    periodic: bool | Sequence[bool] = True,
    batch: Tensor | None = None,
    method: str = "own",
) -> tuple[Graph, Tensor]:
    """The pairs of points that are nearer to each other than a cutoff, as a graph with an edge each way.

    Parameters
    ----------
    positions
        [points, 3], inside the cell or outside.
    cutoff
        The distance below which two points are neighbours.
    cell
        [3, 3], whose rows are the vectors by which everything repeats; with `batch` also [structures, 3, 3]. None:
        nothing repeats.
    periodic
        Which of the three vectors repeat.
    batch
        [points] of the type int64: the structure of each point, in ascending order. Points of different structures are
        no neighbours.
    method
        "own", or "matscipy" or "ase" where these packages are installed. All find the same edges in one order.

    Returns
    -------
    Graph
        The edges, sorted by target, then by source, then by cell.
    Tensor
        [edges, 3] of the type int64: how many times each vector of the cell the source is moved by.

    Raises
    ------
    DomainError
        If an argument has another shape or dtype, a number is not finite, vectors that repeat have no volume, or a cell
        is so small that points of more than 100 000 cells are near.

    Notes
    -----
    A point is its own neighbour in other cells, never in its own. Two points at one place are neighbours at distance 0:
    harmonics are 0 there, and have finite derivatives. The search takes time proportional to the number of edges.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import neighbours
    >>> graph, cells = neighbours(torch.zeros(1, 3), 1.1, torch.diag(torch.tensor([1.0, 2.0, 2.0])))
    >>> graph, cells.tolist()
    (Graph(1 nodes, 2 edges), [[-1, 0, 0], [1, 0, 0]])
    """
    if method not in METHODS:
        raise DomainError(f'the method is "own", "matscipy" or "ase", not {method!r}')
    reach = float(cutoff)
    if not 0 < reach < math.inf:
        raise DomainError(f"the cutoff is a positive number, not {cutoff!r}")
    if positions.dim() != 2 or positions.shape[1] != 3 or not positions.is_floating_point():
        raise DomainError(
            f"positions have the shape {list(positions.shape)} and are {positions.dtype}; they are numbers [points, 3]"
        )
    places = positions.detach().to("cpu", torch.float64).numpy()
    if not numpy.isfinite(places).all():
        raise DomainError(f"point {int((~numpy.isfinite(places)).any(1).argmax())} has a position that is not finite")
    repeats = _three(periodic) & (cell is not None)
    firsts = _firsts(batch, len(places))
    cells = _cells(cell, len(firsts) - 1, batch is not None)
    found: list[Found] = []
    for n, (first, last) in enumerate(itertools.pairwise(firsts)):
        one = places[first:last], reach, _whole(cells[n], repeats), repeats
        i, j, S = {"own": _own, "matscipy": _by_matscipy, "ase": _by_ase}[method](*one)
        order = numpy.lexsort((S[:, 2], S[:, 1], S[:, 0], j, i))
        found.append((i[order] + first, j[order] + first, S[order]))
    targets, sources, moved = (numpy.concatenate(some) for some in zip(*found)) if found else _nothing()
    ends = torch.from_numpy(numpy.stack([sources, targets])).to(positions.device)
    return Graph(ends, len(places)), torch.from_numpy(moved).to(positions.device)


def edge_vectors(
    positions: Tensor,
    graph: Graph,
    cells: Tensor | None = None,
    cell: Tensor | None = None,
    batch: Tensor | None = None,
) -> Tensor:
    """The vectors from targets to sources along the edges, differentiable in the positions and in the cell.

    Parameters
    ----------
    positions
        [points, 3].
    graph, cells
        As :func:`neighbours` gives them.
    cell, batch
        As of :func:`neighbours`.

    Returns
    -------
    Tensor
        [edges, 3].

    Raises
    ------
    DomainError
        If an operand has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import edge_vectors, neighbours
    >>> x, cell = torch.zeros(1, 3), torch.diag(torch.tensor([1.0, 2.0, 2.0]))
    >>> graph, cells = neighbours(x, 1.1, cell)
    >>> edge_vectors(x, graph, cells, cell).tolist()
    [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    """
    if positions.dim() != 2 or positions.shape[0] != graph.nodes or positions.shape[1] != 3:
        raise DomainError(f"positions have the shape {list(positions.shape)}; this graph takes [{graph.nodes}, 3]")
    apart = positions.index_select(0, graph.source) - positions.index_select(0, graph.target)
    if cell is None:
        return apart
    if cells is None or cells.shape != (graph.edges, 3):
        what = "nothing" if cells is None else f"the shape {list(cells.shape)}"
        raise DomainError(f"the cells of the sources are [{graph.edges}, 3], one row for each edge, not {what}")
    steps = cells.to(positions.dtype)
    if cell.shape == (3, 3):
        return apart + steps @ cell
    if cell.dim() != 3 or cell.shape[1:] != (3, 3) or batch is None or batch.shape != positions.shape[:1]:
        raise DomainError(
            f"the cell has the shape {list(cell.shape)}; it is [3, 3], or [structures, 3, 3] with the batch [points]"
        )
    own = cell.index_select(0, batch.index_select(0, graph.target))
    return apart + (steps.unsqueeze(1) @ own).squeeze(1)


# --- Arguments -------------------------------------------------------------------------------------------------------


def _three(periodic: bool | Sequence[bool]) -> Array:
    given = [periodic] * 3 if isinstance(periodic, bool) else list(periodic)
    if len(given) != 3 or not all(isinstance(p, (bool, numpy.bool_)) for p in given):
        raise DomainError(f"periodic is True, False, or three of them, not {periodic!r}")
    return numpy.array(given, dtype=bool)


def _firsts(batch: Tensor | None, points: int) -> list[int]:
    """Where the points of each structure begin, and their number."""
    if batch is None:
        return [0, points]
    if batch.dtype != torch.int64 or batch.shape != (points,):
        raise DomainError(
            f"the batch has {points} numbers of the type int64, not the shape {list(batch.shape)} and {batch.dtype}"
        )
    numbers = batch.detach().cpu().numpy()
    if points and (numbers[0] < 0 or (numpy.diff(numbers) < 0).any()):
        raise DomainError("the structures of the points are numbers from 0 on, in ascending order")
    return [0, *numpy.cumsum(numpy.bincount(numbers, minlength=1)).tolist()]


def _cells(cell: Tensor | None, structures: int, batched: bool) -> list[Array | None]:
    if cell is None:
        return [None] * structures
    own = cell.detach().to("cpu", torch.float64).numpy()
    if not numpy.isfinite(own).all():
        raise DomainError("the cell has a number that is not finite")
    if own.shape == (3, 3):
        return [own] * structures
    if own.ndim != 3 or own.shape[1:] != (3, 3) or not batched or len(own) < structures:
        raise DomainError(
            f"the cell has the shape {list(own.shape)}; it is [3, 3], or [structures, 3, 3] with the structure of each"
            " point"
        )
    return list(own[:structures])


def _whole(cell: Array | None, repeats: Array) -> Array:
    """Three vectors of which those that repeat are the cell's, and the others stand across these."""
    if cell is None or not repeats.any():
        return numpy.eye(3)
    if repeats.all():
        made = cell
    else:
        kept = cell[repeats]
        across = numpy.linalg.svd(kept)[2][len(kept) :]
        made = numpy.empty((3, 3))
        made[repeats], made[~repeats] = kept, across
    lengths = numpy.linalg.norm(made, axis=1)
    if lengths.min() == 0 or abs(numpy.linalg.det(made / lengths[:, None])) < 1e-10:
        raise DomainError(f"the vectors of the cell {cell.tolist()} that repeat lie in a plane or a line, or are 0")
    return made


def _nothing() -> Found:
    return numpy.empty(0, numpy.int64), numpy.empty(0, numpy.int64), numpy.empty((0, 3), numpy.int64)


# --- Methods: points, cutoff, three vectors, which of them repeat ----------------------------------------------------


def _own(x: Array, reach: float, cell: Array, repeats: Array) -> Found:
    """Points of near cells are sorted into boxes as wide as the cutoff; neighbours are in 27 boxes."""
    if not len(x):
        return _nothing()
    parts = numpy.where(repeats, x @ numpy.linalg.inv(cell), 0)
    if abs(parts).max() > 1 << 50:
        raise DomainError("a point is so far outside the cell that its place in it is rounded away")
    home = numpy.floor(parts).astype(numpy.int64)  # the cell that each point is in
    inside = x - home @ cell
    low, high = inside.min(0) - reach, inside.max(0) + reach
    owners, cells = _images(inside, cell, repeats, reach, low, high)
    images = inside[owners] + cells @ cell
    side = numpy.maximum(reach, (high - low) / (1 << 20))
    boxes = numpy.floor((images - low) / side).astype(numpy.int64)
    sizes = boxes.max(0) + 3
    weights = numpy.array([sizes[1] * sizes[2], sizes[2], 1])
    keys = (boxes + 1) @ weights
    order = numpy.argsort(keys, kind="stable")
    keys, owners, cells, images = keys[order], owners[order], cells[order], images[order]
    own = (numpy.floor((inside - low) / side).astype(numpy.int64) + 1) @ weights
    found = [_nothing()]
    for step in itertools.product((-1, 0, 1), repeat=3):
        at = own + numpy.array(step) @ weights
        begin, end = numpy.searchsorted(keys, at, "left"), numpy.searchsorted(keys, at, "right")
        for i, k in _ranges(begin, end):
            near = numpy.square(images[k] - inside[i]).sum(1) < reach * reach
            i, k = i[near], k[near]
            other = (owners[k] != i) | cells[k].any(1)
            i, k = i[other], k[other]
            found.append((i, owners[k], cells[k] + home[i] - home[owners[k]]))
    i, j, S = (numpy.concatenate(some) for some in zip(*found))
    return i, j, S


def _images(inside: Array, cell: Array, repeats: Array, reach: float, low: Array, high: Array) -> tuple[Array, Array]:
    """The points of all cells that lie between low and high: their owners, and their cells."""
    heights = 1 / numpy.linalg.norm(numpy.linalg.inv(cell), axis=0)
    counts = numpy.where(repeats, numpy.ceil(reach / heights + 1e-6), 0)
    steps = numpy.prod(2 * counts + 1)
    if steps > _MOST_CELLS or steps * len(inside) > _MOST_IMAGES:
        raise DomainError(
            f"the cell is {heights[repeats].min():.3g} high and the cutoff {reach:.3g}, so that points of {steps:.3g}"
            " cells are near; are both in one unit?"
        )
    owners, cells = [], []
    for step in itertools.product(*(range(-int(n), int(n) + 1) for n in counts)):
        moved = inside + numpy.array(step) @ cell
        (kept,) = numpy.nonzero(((moved >= low) & (moved <= high)).all(1))
        owners.append(kept)
        cells.append(numpy.broadcast_to(numpy.array(step, dtype=numpy.int64), (len(kept), 3)))
    return numpy.concatenate(owners), numpy.concatenate(cells)


def _ranges(begin: Array, end: Array) -> Iterator[tuple[Array, Array]]:
    """All pairs (i, k) with begin[i] <= k < end[i], some millions at a time."""
    counts = end - begin
    total = numpy.cumsum(counts)
    start = 0
    while start < len(counts):
        before = total[start - 1] if start else 0
        stop = max(start + 1, int(numpy.searchsorted(total, before + _CHUNK, "right")))
        some = counts[start:stop]
        i = numpy.repeat(numpy.arange(start, stop), some)
        k = numpy.arange(len(i)) + numpy.repeat(begin[start:stop] - (numpy.cumsum(some) - some), some)
        yield i, k
        start = stop


def _by_matscipy(x: Array, reach: float, cell: Array, repeats: Array) -> Found:
    try:
        from matscipy.neighbours import neighbour_list
    except ImportError:
        raise DomainError('matscipy is not installed: `pip install matscipy`, or method="own"') from None
    if not len(x):
        return _nothing()
    i, j, S = neighbour_list("ijS", positions=x, cell=_boxed(x, cell, repeats), pbc=repeats, cutoff=reach)
    return _strict(x, cell, reach, i.astype(numpy.int64), j.astype(numpy.int64), S.astype(numpy.int64))


def _by_ase(x: Array, reach: float, cell: Array, repeats: Array) -> Found:
    try:
        from ase.neighborlist import primitive_neighbor_list
    except ImportError:
        raise DomainError('ASE is not installed: `pip install ase`, or method="own"') from None
    if not len(x):
        return _nothing()
    find: Any = primitive_neighbor_list
    i, j, S = find("ijS", repeats, _boxed(x, cell, repeats), x, reach)
    return _strict(x, cell, reach, i.astype(numpy.int64), j.astype(numpy.int64), S.astype(numpy.int64))


def _boxed(x: Array, cell: Array, repeats: Array) -> Array:
    """The cell, so long where it does not repeat that all points are in it."""
    extent = float(numpy.ptp(x, axis=0).max()) + 1
    lengths = numpy.linalg.norm(cell, axis=1)
    return numpy.asarray(cell * numpy.where(repeats, 1.0, extent / lengths)[:, None])


def _strict(x: Array, cell: Array, reach: float, i: Array, j: Array, S: Array) -> Found:
    """Without pairs at the cutoff itself, and points as their own neighbours."""
    near = numpy.square(x[j] - x[i] + S @ cell).sum(1) < reach * reach
    near &= (i != j) | S.any(1)
    return i[near], j[near], S[near]
