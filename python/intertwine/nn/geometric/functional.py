"""The five operations of MACE as functions, with the shapes and the order of weights that MACE has.

Features are flat, copies outside and components inside, as in e3nn. Types are texts such as "128x0e + 128x1o", or
representations of any group. Couplings of a type are found once and kept; weights are always given. torch.compile
records all of a function, with `fullgraph=True`, too: types are constants of the program.

>>> import torch
>>> from intertwine.nn.geometric import functional
>>> functional.linear(torch.randn(5, 20), torch.randn(136), "8x0e + 4x1o", "16x0e + 2x1o").shape
torch.Size([5, 22])
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ... import DomainError, Representation
from ..._arguments import check_arguments as _check_arguments
from ..._contractions import Couplings, couplings_of_matrices
from .._fields import integer
from ._kept import kept
from ._types import Block, blocks_of, require_numbers, type_of
from .contraction import SymmetricContraction
from .convolution import Convolution
from .graph import Graph, segment_sum
from .layout import to_layout
from .linear import Linear
from .product import TensorProduct

__all__ = [
    "channelwise_convolution",
    "couplings",
    "fully_connected_product",
    "linear",
    "segment_reduce",
    "symmetric_contraction",
]

Type = Representation | str


@kept
def _linear(V: Type, U: Type, bias: bool) -> Linear:
    return Linear(V, U, bias=bias, device="meta")


def linear(x: Tensor, weight: Tensor, V: Type, U: Type, bias: Tensor | None = None) -> Tensor:
    """All linear equivariant maps between flat features: e3nn's o3.Linear with its weights.

    Parameters
    ----------
    x
        Features [..., dim V].
    weight
        [weights]: for each pair of equal summands of V and U a matrix [copies, copies], by V and then by U.
    V, U
        The types of x and of the result.
    bias
        A number for every invariant of U, or nothing.

    Returns
    -------
    Tensor
        [..., dim U].

    Raises
    ------
    DomainError
        If x, the weights or the bias have another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import functional
    >>> functional.linear(torch.ones(1, 4), torch.tensor([2.0, 3.0]), "0e + 1o", "0e + 1o")
    tensor([[2., 3., 3., 3.]])
    """
    layer = _linear(V, U, bias is not None)
    _require("weight", weight, (layer.weight_numel,), "[weights]")
    if bias is not None:
        if layer.bias is None:
            raise DomainError(f"{layer.U} has no invariants that a bias could be added to")
        _require("bias", bias, (layer.bias.shape[0],), "[invariants]")
    _like(x, weight=weight, bias=bias)
    layer._from.check("x", x)
    return layer._product(x, weight, bias)


@kept
def _product(V: Type, W: Type, U: Type) -> TensorProduct:
    return TensorProduct(V, W, U, internal_weights=False, shared_weights=True)


def fully_connected_product(x: Tensor, y: Tensor, weight: Tensor, V: Type, W: Type, U: Type) -> Tensor:
    """Every product of two features: e3nn's o3.FullyConnectedTensorProduct with its weights.

    Parameters
    ----------
    x, y
        Features [..., dim V] and [..., dim W]; leading axes broadcast. In MACE, y are the attributes of atoms.
    weight
        [weights]: for each three summands that have a map an array [copies in V, in W, in U], by V, then W, then U.
    V, W, U
        The types of x, of y and of the result.

    Returns
    -------
    Tensor
        [..., dim U].

    Raises
    ------
    DomainError
        If an operand has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import functional
    >>> kinds = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> functional.fully_connected_product(torch.ones(2, 3), kinds, torch.tensor([5.0, 7.0]), "1o", "2x0e", "1o")
    tensor([[3.5355, 3.5355, 3.5355],
            [4.9497, 4.9497, 4.9497]])
    """
    found: Tensor = _product(V, W, U)(x, y, weight)
    return found


# --- Along edges -----------------------------------------------------------------------------------------------------


def _copies(name: str, V: Representation) -> tuple[list[Block], int, Representation]:
    """The blocks of V, how many copies each has, and the sum of one copy of each."""
    blocks = blocks_of(V)
    copies = {block.copies for block in blocks}
    if len(copies) != 1:
        raise DomainError(f"the summands of {name} have equally many copies, and {V} has {sorted(copies)}")
    return blocks, copies.pop(), functools.reduce(operator.add, (block.R for block in blocks))


def _triple(given: Any) -> tuple[int, int, int]:
    """The numbers of summands of an instruction as e3nn has them."""
    fields = tuple(given)
    if len(fields) > 3 and fields[3] != "uvu" or len(fields) > 4 and fields[4] is not True:
        raise DomainError(f'the instructions of a channelwise convolution are "uvu" with weights, not {fields[3:5]}')
    return fields[:3]


@kept
def _convolution(V: Type, Y: Type, U: Type, instructions: tuple[tuple[int, int, int], ...] | None) -> Convolution:
    V, Y, U = (type_of(X, instructions is not None) for X in (V, Y, U))
    (_, channels, of_v), (_, more, of_u) = _copies("V", V), _copies("U", U)
    if channels != more:
        raise DomainError(f"V has {channels} copies of its summands and U {more}; channels do not mix")
    if any(block.copies > 1 for block in blocks_of(Y)):
        raise DomainError(f"functions of edges have one copy of each summand, and Y is {Y}")
    order = "output" if instructions is None else "e3nn"
    return Convolution(of_v, Y, of_u, channels, instructions, order)


def channelwise_convolution(
    x: Tensor, y: Tensor, weight: Tensor, edges: Tensor | Graph, V: Type, Y: Type, U: Type,
    instructions: Sequence[Any] | None = None,
) -> Tensor:  # fmt: skip
    """The sum over edges that end at a node of products of the sender's features with functions of the edge.

    It is o3.TensorProduct with "uvu" and weights for every edge, between x at senders and y, and then a sum at the
    receivers, in one pass over the edges.

    Parameters
    ----------
    x
        Features of nodes [nodes, dim V], each summand with equally many copies.
    y
        Functions of edges [edges, dim Y], one copy of each summand.
    weight
        [edges, instructions * copies], by instruction.
    edges
        [2, edges], sender and receiver; or a Graph, which has sorted them before.
    V, Y, U
        The types of x, y and the result.
    instructions
        Numbers of summands (i, j, k), or e3nn's (i, j, k, "uvu", True). None: all that have a map, by summand of U.

    Returns
    -------
    Tensor
        [nodes, dim U].

    Raises
    ------
    DomainError
        If copies differ, an instruction mixes channels, or an operand has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import functional
    >>> x, y, w = torch.ones(2, 2), torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[1.0, 10.0]])
    >>> functional.channelwise_convolution(x, y, w, torch.tensor([[0], [1]]), "2x0e", "1o", "2x1o")
    tensor([[ 0.,  0.,  0.,  0.,  0.,  0.],
            [ 1.,  2.,  3., 10., 20., 30.]])
    """
    layer = _convolution(V, Y, U, None if instructions is None else tuple(map(_triple, instructions)))
    in_, _, out = layer._table.sizes
    channels, paths = layer.channels, len(layer.paths)
    if x.dim() != 2 or x.shape[1] != in_ * channels:
        raise DomainError(f"x has the shape {list(x.shape)}; it is [nodes, {in_ * channels}], [nodes, dim V]")
    if weight.dim() != 2 or weight.shape[1] != paths * channels:
        raise DomainError(
            f"the weights have the shape {list(weight.shape)}; they are [edges, {paths * channels}],"
            " [edges, instructions * copies]"
        )
    graph = edges if isinstance(edges, Graph) else Graph(edges, x.shape[0])
    sent = to_layout(x, layer.V, "channels", given="mul_ir")
    found = layer(sent, y, weight.unflatten(1, (paths, channels)), graph)
    return to_layout(found, layer.U, "mul_ir")


# --- At points -------------------------------------------------------------------------------------------------------


@kept
def _contraction(V: Type, U: Type, correlation: int, couplings: Couplings | None) -> SymmetricContraction:
    layer = SymmetricContraction(V, U, 1, correlation, basis="mace", device="meta")
    return layer if couplings is None else layer._with(couplings)


def couplings(matrices: Sequence[Tensor], V: Type, U: Type, correlation: int) -> Couplings:
    """The couplings that a module of MACE holds, for symmetric_contraction: those of `use_reduced_cg` are others.

    Parameters
    ----------
    matrices
        For each summand of U the arrays [dim U_k, dim V, ..., dim V, couplings] of the degrees correlation, ..., 1, in
        MACE `U_tensors(degree)`. The first axis is left out where it has the size 1.
    V, U, correlation
        As of symmetric_contraction.

    Returns
    -------
    Couplings
        They are found once, and given with every call.

    Raises
    ------
    DomainError
        If a matrix has another shape, or is no equivariant polynomial.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import functional
    >>> double = functional.couplings([torch.full((1, 1), 2.0)], "0e", "0e", 1)
    >>> x, kinds, one = torch.tensor([[[3.0]]]), torch.tensor([0]), torch.ones(1, 1, 1)
    >>> functional.symmetric_contraction(x, kinds, [one], "0e", "0e", 1, double)
    tensor([[6.]])
    """
    V, U, correlation = type_of(V), type_of(U), integer("correlation", correlation, 1)
    summands = len(list(U.slices()))
    if len(matrices) != summands * correlation:
        raise DomainError(
            f"there are {summands * correlation} arrays of couplings, {correlation} for each summand of U, and"
            f" {len(matrices)} are given"
        )
    numbers = {
        (k, d): matrices[k * correlation + correlation - 1 - d].detach().cpu().double().numpy()
        for k in range(summands)
        for d in range(correlation)
    }
    return couplings_of_matrices(V, U, correlation, numbers)


def symmetric_contraction(
    x: Tensor, species: Tensor, weights: Sequence[Tensor], V: Type, U: Type, correlation: int,
    couplings: Couplings | None = None,
) -> Tensor:  # fmt: skip
    """Equivariant polynomials of the features of each node: MACE's SymmetricContraction with its weights.

    Parameters
    ----------
    x
        Features of nodes [nodes, channels, dim V].
    species
        [nodes], numbers of the type int64: the kind of each atom.
    weights
        For each summand of U [kinds, couplings, channels] of the degrees correlation, correlation - 1, ..., 1: the
        parameters of MACE's module in its order.
    V, U
        The types of one channel, such as "0e + 1o + 2e", of O(3).
    correlation
        The highest degree.
    couplings
        Those of the weights. None: MACE's without `use_reduced_cg`.

    Returns
    -------
    Tensor
        [nodes, channels * dim U], each summand of U with all channels.

    Raises
    ------
    DomainError
        If x, the kinds or a weight have another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import functional
    >>> x, kinds = torch.tensor([[[2.0]], [[3.0]]]), torch.tensor([0, 1])
    >>> cubes = [torch.tensor([[[1.0]], [[0.0]]]), torch.zeros(2, 1, 1), torch.tensor([[[0.0]], [[1.0]]])]
    >>> functional.symmetric_contraction(x, kinds, cubes, "0e", "0e", 3)
    tensor([[8.],
            [3.]])
    """
    layer = _contraction(V, U, integer("correlation", correlation, 1), couplings)
    size, degrees = layer._size, [size for sizes in layer.sizes for size in sizes[::-1]]
    if x.dim() != 3 or x.shape[2] != size:
        raise DomainError(f"x has the shape {list(x.shape)}; it is [nodes, channels, {size}], [nodes, channels, dim V]")
    if species.dtype != torch.int64 or species.shape != x.shape[:1]:
        raise DomainError(
            f"species are int64 numbers of the shape [{x.shape[0]}], not {list(species.shape)} of {species.dtype}"
        )
    if len(weights) != len(degrees):
        raise DomainError(
            f"there are {len(degrees)} weights, {correlation} for each summand of U, and {len(weights)} are given"
        )
    kinds, ordered = weights[0].shape[0], []
    for number, (own, count) in enumerate(zip(weights, degrees)):
        if own.dim() != 3 or own.shape[::2] != (kinds, x.shape[1]) or count and own.shape[1] != count:
            raise DomainError(
                f"weights {number} have the shape {list(own.shape)}; those of these couplings are [{kinds}, {count},"
                f" {x.shape[1]}], [kinds, couplings, channels]"
            )
        _like(x, **{f"weights {number}": own})
        ordered.append(own[:, :count])
    by_degree = [ordered[start + d] for start in range(0, len(ordered), correlation) for d in range(correlation)[::-1]]
    require_numbers("species", species, kinds)
    found = layer._value(x.transpose(1, 2), species, torch.cat(by_degree, 1))
    return to_layout(found, layer.U, "mul_ir")


# --- By segments -----------------------------------------------------------------------------------------------------


def segment_reduce(values: Tensor, index: Tensor, segments: int, reduce: str = "sum") -> Tensor:
    """The sums or means of rows with the same index.

    Parameters
    ----------
    values
        [rows, ...].
    index
        [rows] of the type int64: the segment of each row, in any order.
    segments
        How many there are. One without rows has 0.
    reduce
        "sum" or "mean".

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
    >>> from intertwine.nn.geometric import functional
    >>> functional.segment_reduce(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0, 2, 0]), 3, "mean")
    tensor([2.5000, 0.0000, 2.0000])
    """
    if reduce not in ("sum", "mean"):
        raise DomainError(f'reduce is "sum" or "mean", not {reduce!r}')
    total = segment_sum(values, index, segments)
    if reduce == "sum":
        return total
    rows = segment_sum(values.new_ones(index.shape), index, segments).clamp(min=1)
    return total / rows.reshape(-1, *[1] * (values.dim() - 1))


def _require(name: str, t: Tensor, shape: tuple[int, ...], words: str) -> None:
    if tuple(t.shape) != shape:
        raise DomainError(f"{name} has the shape {list(t.shape)}; it is {list(shape)}, {words}")


def _like(x: Tensor, **others: Tensor | None) -> None:
    for name, t in others.items():
        if t is not None and (t.dtype != x.dtype or t.device != x.device):
            raise DomainError(f"x is {x.dtype} on {x.device} and {name} {t.dtype} on {t.device}: convert one")


_check_arguments(globals())
