"""Products of two features with instructions, as e3nn has them, for every group."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from ... import DomainError, Representation
from ..._couplings import AXES, BASES, maps_between
from .. import _ops
from .._fields import Constants, Derived, one_group, require_tensor, wide
from .._tables import real_tensors
from . import _edges
from ._edges import EdgeTable
from ._types import Block, blocks_of, flatten_batch, join, split, type_of

__all__ = ["Instruction", "TensorProduct"]

MODES = ("uvw", "uvu", "uvv", "uuw", "uuu", "uvuv", "uvu<v", "u<vw")
_KERNEL_COPIES = 4  # of the operand that has no channels: more of them are contracted with the weights first


class Instruction(NamedTuple):
    """Summand i of V and j of W go to summand k of U.

    mode: how copies meet. weighted: are there weights? factor: what multiplies the couplings. shape: that of the
    weights; groups with several maps between three summands have one set for each.
    """

    i: int
    j: int
    k: int
    mode: str
    weighted: bool
    factor: float
    shape: tuple[int, ...]


class _Route(NamedTuple):
    """Instructions that go through the kernel of edges together: their channels are the copies of one operand.

    paths: for each path the instruction, the copy of the map and the copy of the other operand. places: where the
    channels' operand has its blocks, by block. outs: by block of U its first component among those of the product, its
    dimension and how many copies of the other operand stand there.
    """

    swapped: bool
    channels: int
    paths: list[tuple[int, int, int]]
    places: list[int]
    outs: list[tuple[int, int, int, int]]
    table: EdgeTable


class TensorProduct(Derived):
    """The products of two features, summand by summand: out_k = the sum of w C(x_i, y_j) over instructions (i, j, k).

    C is the equivariant map from summand i of V and j of W to k of U. Features are flat, as e3nn has them: in
    "8x0e + 4x1o" eight numbers and then four vectors. Any group serves; a text is a representation of O(3).

    Parameters
    ----------
    V, W, U
        The types of the two operands and of the product: representations of one group, or texts such as
        "128x0e + 64x1o". A summand m*R is one slot with m copies.
    instructions
        Tuples (i, j, k, mode, weighted) or (i, j, k, mode, weighted, path_weight), as e3nn has them. The mode says how
        the copies u of i, v of j and w of k meet: "uvw", "uvu", "uvv", "uuw", "uuu", "uvuv", "uvu<v" or "u<vw". None:
        all triples that have maps, "uvw", with weights: the fully connected product.
    in1_var, in2_var, out_var
        For each slot the variance of its components, which is 1 if left out.
    irrep_normalization
        "component", "norm" or "none": what the couplings are scaled to.
    path_normalization
        "element": every number that is added up counts the same. "path": every instruction does. "none".
    internal_weights
        True: the weights are a parameter. False: forward takes them. None: True where weights are shared.
    shared_weights
        True: one set of weights [weight_numel]. False: one for every row [..., weight_numel].
    axis, basis
        As of Convolution. With the default features are e3nn's, number by number.

    Attributes
    ----------
    instructions
        For each instruction its factor and the shape of its weights.
    weight_numel
        How many weights there are. They stand in the order of the instructions.
    weight
        The parameter, with internal_weights.

    Shape
    -----
    x [..., dim V], y [..., dim W] and, without internal weights, weight [weight_numel] or [..., weight_numel] to
    [..., dim U]. Leading axes broadcast.

    Notes
    -----
    Results are those of e3nn's o3.TensorProduct with the same weights. Products whose channels do not mix ("uvu",
    "uvv", "uvuv" with few copies of the other operand) run on the kernel of Convolution, the others as products of
    matrices. Derivatives of every order are there.

    Raises
    ------
    DomainError
        If an instruction names no summand, has no map or another number of copies than its mode wants; if an operand
        has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import TensorProduct
    >>> cross = TensorProduct("16x1o", "16x1o", "16x1e", [(0, 0, 0, "uuu", False)])
    >>> cross(torch.randn(7, 48), torch.randn(7, 48)).shape
    torch.Size([7, 48])
    >>> TensorProduct("8x0e + 8x1o", "0e + 1o", "8x0e + 8x1o").weight_numel
    256
    """

    _derived = ("_constants", "_routes", "_maps")

    def __init__(
        self,
        V: Representation | str,
        W: Representation | str,
        U: Representation | str,
        instructions: Sequence[Sequence[Any]] | None = None,
        in1_var: Sequence[float] | None = None,
        in2_var: Sequence[float] | None = None,
        out_var: Sequence[float] | None = None,
        irrep_normalization: str = "component",
        path_normalization: str = "element",
        internal_weights: bool | None = None,
        shared_weights: bool | None = None,
        axis: str = "y",
        basis: str = "orthonormal",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.V, self.W, self.U = (type_of(X, instructions is not None) for X in (V, W, U))
        one_group(self.V, self.W)
        one_group(self.V, self.U)
        for name, value, known in (
            ("irrep_normalization", irrep_normalization, ("component", "norm", "none")),
            ("path_normalization", path_normalization, ("element", "path", "none")),
            ("axis", axis, AXES),
            ("basis", basis, BASES),
        ):
            if value not in known:
                raise DomainError(f"{name} is {', '.join(repr(k) for k in known)}, not {value!r}")
        self.axis, self.basis = axis, basis
        self._blocks = tuple(blocks_of(X) for X in (self.V, self.W, self.U))
        given = self._all() if instructions is None else [self._read(tuple(one)) for one in instructions]
        variances = [
            _variances(name, numbers, blocks)
            for name, numbers, blocks in zip(
                ("in1_var", "in2_var", "out_var"), (in1_var, in2_var, out_var), self._blocks
            )
        ]
        self.instructions = self._scaled(given, variances, irrep_normalization, path_normalization)
        self.weight_numel = sum(math.prod(one.shape) for one in self.instructions if one.weighted)
        if shared_weights is None:
            shared_weights = internal_weights is not False
        if internal_weights is None:
            internal_weights = shared_weights and self.weight_numel > 0
        if internal_weights and not shared_weights:
            raise DomainError(
                "internal weights are shared: every row has the same; shared_weights=False takes them in forward"
            )
        self.internal_weights, self.shared_weights = bool(internal_weights), bool(shared_weights)
        if self.internal_weights:
            self.weight = nn.Parameter(torch.randn(self.weight_numel, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        self._connect()

    # --- Instructions ---

    def _all(self) -> list[tuple[int, int, int, str, bool, float]]:
        places = [range(len(blocks)) for blocks in self._blocks]
        return [
            (i, j, k, "uvw", True, 1.0)
            for i in places[0]
            for j in places[1]
            for k in places[2]
            if self._couplings(i, j, k)
        ]

    def _couplings(self, i: int, j: int, k: int) -> tuple[Any, ...]:
        first, second, third = self._blocks
        return maps_between(first[i].R, second[j].R, third[k].R, self.axis, self.basis)

    def _read(self, given: tuple[Any, ...]) -> tuple[int, int, int, str, bool, float]:
        if len(given) not in (5, 6) or not all(isinstance(n, int) and not isinstance(n, bool) for n in given[:3]):
            raise DomainError(
                'an instruction is (i, j, k, mode, weighted), or has a path weight behind: (0, 0, 0, "uvu", True)'
                f", not {given!r}"
            )
        i, j, k, mode, weighted = given[:5]
        for n, blocks, X in zip((i, j, k), self._blocks, (self.V, self.W, self.U)):
            if not 0 <= n < len(blocks):
                raise DomainError(
                    f"the instruction {given} names summand {n} of {X}, whose summands go from 0 to {len(blocks) - 1}"
                )
        if mode not in MODES:
            raise DomainError(f"the mode of an instruction is one of {', '.join(MODES)}, not {mode!r}")
        weight = float(given[5]) if len(given) == 6 else 1.0
        if not 0 <= weight < math.inf:
            raise DomainError(f"a path weight is a number that is not negative, and that of {given} is {given[5]!r}")
        if not weighted and "w" in mode and not (mode == "uuw" and self._blocks[2][k].copies == 1):
            raise DomainError(f"the instruction {given} mixes copies, and has no weights to mix them by")
        found = self._couplings(i, j, k)
        if not found:
            first, second, third = (blocks[n].R for blocks, n in zip(self._blocks, (i, j, k)))
            raise DomainError(
                f"the instruction {given} has no map: no equivariant one takes {first} * {second} to {third}"
            )
        if len(found) > 1 and not weighted:
            raise DomainError(f"the instruction {given} has {len(found)} equivariant maps; weights choose among them")
        self._copies(given, mode)
        return i, j, k, mode, bool(weighted), weight

    def _copies(self, given: tuple[Any, ...], mode: str) -> None:
        """Refuses numbers of copies that do not fit the mode."""
        u, v, w = (blocks[n].copies for blocks, n in zip(self._blocks, given[:3]))
        pairs = u * (u - 1) // 2
        fits = {
            "uvw": True, "uvu": u == w, "uvv": v == w, "uuw": u == v, "uuu": u == v == w, "uvuv": w == u * v,
            "uvu<v": u == v and w == pairs, "u<vw": u == v,
        }[mode]  # fmt: skip
        if not fits:
            wants = {
                "uvu": "as many copies in U as in V", "uvv": "as many copies in U as in W",
                "uuw": "as many copies in W as in V", "uuu": "as many copies in V, W and U",
                "uvuv": "a copy in U for each pair of copies", "u<vw": "as many copies in W as in V",
                "uvu<v": "as many copies in W as in V, and one in U for each pair u < v",
            }[mode]  # fmt: skip
            raise DomainError(f"the instruction {given} wants {wants}, and there are {u}, {v} and {w}")

    def _scaled(
        self, given: list[tuple[int, int, int, str, bool, float]], variances: list[list[float]], irrep: str, path: str
    ) -> list[Instruction]:
        """With the factors that e3nn multiplies couplings of the norm 1 by."""
        counted = []
        for i, j, k, mode, _, _ in given:
            u, v, w = (blocks[n].copies for blocks, n in zip(self._blocks, (i, j, k)))
            pairs, maps = u * (v - 1) // 2, len(self._couplings(i, j, k))
            shape = {
                "uvw": (u, v, w), "uvu": (u, v), "uvv": (u, v), "uuw": (u, w), "uuu": (u,), "uvuv": (u, v),
                "uvu<v": (pairs,), "u<vw": (pairs, w),
            }[mode]  # fmt: skip
            terms = {"uvw": u * v, "uvu": v, "uvv": u, "uuw": u, "u<vw": pairs}.get(mode, 1)
            size = variances[0][i] * variances[1][j] * terms * maps
            counted.append((size, shape if maps == 1 else (maps, *shape)))
        found = []
        for (i, j, k, mode, weighted, weight), (size, shape) in zip(given, counted):
            first, second, third = (blocks[n].dimension for blocks, n in zip(self._blocks, (i, j, k)))
            square = {"component": third, "norm": first * second, "none": 1}[irrep] * variances[2][k] * weight
            ends = [n for n, one in enumerate(given) if one[2] == k]
            over = {"element": sum(counted[n][0] for n in ends), "path": size * len(ends), "none": 1}[path]
            found.append(Instruction(i, j, k, mode, weighted, math.sqrt(square / over if over > 0 else square), shape))
        return found

    # --- What follows from them ---

    def _connect(self) -> None:
        by_kernel: dict[tuple[bool, int], list[int]] = {}
        numbers: dict[str, Tensor] = {}
        self._maps: dict[int, int] = {}  # plain instructions: how many maps each has
        with real_tensors():
            for n, one in enumerate(self.instructions):
                i, j = self._blocks[0][one.i], self._blocks[1][one.j]
                swapped = one.mode == "uvv"
                channels, others = (j.copies, i.copies) if swapped else (i.copies, j.copies)
                if one.mode in ("uvu", "uvv", "uvuv") and others <= _KERNEL_COPIES:
                    by_kernel.setdefault((swapped, channels), []).append(n)
                    continue
                maps = self._couplings(one.i, one.j, one.k)
                self._maps[n] = len(maps)
                for copy, C in enumerate(maps):
                    numbers[f"map{n}_{copy}"] = torch.from_numpy(numpy.ascontiguousarray(C * one.factor))
            self._constants = Constants(**numbers)
            self._routes = [self._route(*key, which) for key, which in by_kernel.items()]

    def _route(self, swapped: bool, channels: int, which: list[int]) -> _Route:
        """The table of instructions whose channels are the copies of V, or of W where swapped."""
        first, second, outs = self._blocks
        if swapped:
            first, second = second, first
        used = sorted({self.instructions[n].j if swapped else self.instructions[n].i for n in which})
        starts = dict(zip(used, numpy.cumsum([0, *(first[i].dimension for i in used)]).tolist()))
        targets: dict[int, tuple[int, int, int, int]] = {}
        size = 0
        for n in which:
            one = self.instructions[n]
            if one.k not in targets:
                copies = second[one.j].copies if one.mode == "uvuv" else 1
                targets[one.k] = (one.k, size, outs[one.k].dimension, copies)
                size += copies * outs[one.k].dimension
        paths: list[tuple[int, int, int]] = []
        rows, places, values = [], [], []
        for n in which:
            one = self.instructions[n]
            i, j = (one.j, one.i) if swapped else (one.i, one.j)
            for copy, C in enumerate(self._couplings(one.i, one.j, one.k)):
                C = C.transpose(1, 0, 2) if swapped else C
                for v in range(second[j].copies):
                    at = targets[one.k][1] + (v * C.shape[2] if one.mode == "uvuv" else 0)
                    rows.append([starts[i], C.shape[0], second[j].start + v * C.shape[1], C.shape[1], at, C.shape[2]])
                    entries = numpy.argwhere(C)
                    places.append(numpy.insert(entries, 0, len(paths), axis=1))
                    values.append(C[tuple(entries.T)] * one.factor)
                    paths.append((n, copy, v))
        sizes = [sum(first[i].dimension for i in used), second[-1].start + second[-1].size, size]
        arrays = (
            numpy.array(rows, dtype=numpy.int64), numpy.concatenate(places).astype(numpy.int64),
            numpy.concatenate(values).astype(numpy.float64),
        )  # fmt: skip
        digest = hashlib.sha256(repr(sizes).encode() + b"".join(a.tobytes() + b"|" for a in arrays)).hexdigest()
        table = EdgeTable([torch.from_numpy(a) for a in arrays], sizes, digest)
        return _Route(swapped, channels, paths, used, list(targets.values()), table)

    # --- Products ---

    def weight_views(self, w: Tensor | None = None) -> list[Tensor]:
        """The weights of every weighted instruction in its shape: of the parameter, or of w [..., weight_numel]."""
        given = self._given(w)
        found, start = [], 0
        for one in self.instructions:
            if one.weighted:
                size = math.prod(one.shape)
                found.append(
                    given.narrow(-1, start, size).unflatten(-1, one.shape)
                    if size
                    else given.new_zeros(*given.shape[:-1], *one.shape)
                )
                start += size
        return found

    def _given(self, w: Tensor | None) -> Tensor:
        if w is None:
            if self.weight is None:
                if not self.weight_numel:
                    return torch.zeros(0)
                raise DomainError(f"forward takes the weights as its third argument, {self.weight_numel} of them")
            return self.weight
        if self.shared_weights and w.shape != (self.weight_numel,) or w.dim() < 1 or w.shape[-1] != self.weight_numel:
            leading = "" if self.shared_weights else "..., "
            raise DomainError(
                f"the weights have the shape {list(w.shape)}; this layer takes [{leading}{self.weight_numel}]"
            )
        return w

    @property
    def output_mask(self) -> Tensor:
        """[dim U]: 1 where an instruction ends, 0 where the product is always 0."""
        like = torch.empty(0) if self.weight is None else self.weight
        ends = {one.k for one in self.instructions}
        return torch.cat([like.new_full((b.size,), float(k in ends)) for k, b in enumerate(self._blocks[2])])

    def forward(self, x: Tensor, y: Tensor, weight: Tensor | None = None) -> Tensor:
        for name, t in (("x", x), ("y", y), *([] if weight is None else [("weight", weight)])):
            require_tensor(t, name)
        if _ops.autocasts(x):
            x, y = wide(x), wide(y)
            weight = None if weight is None else wide(weight)
        for name, t, blocks, word in (("x", x, self._blocks[0], "V"), ("y", y, self._blocks[1], "W")):
            size = blocks[-1].start + blocks[-1].size if blocks else 0
            if t.dim() < 1 or t.shape[-1] != size:
                raise DomainError(
                    f"{name} has the shape {list(t.shape)}; this layer takes [..., {size}], [..., dim {word}]"
                )
            if not t.is_floating_point() or t.dtype != x.dtype or t.device != x.device:
                raise DomainError(
                    f"x is {x.dtype} on {x.device} and {name} {t.dtype} on {t.device}; both are floating-point numbers"
                    " of one dtype on one device"
                )
        given = self._given(weight)
        if self.weight_numel and (given.dtype != x.dtype or given.device != x.device):
            raise DomainError(
                f"x is {x.dtype} on {x.device} and the weights {given.dtype} on {given.device}; convert one,"
                " layer.to(x)"
            )
        rows = [x, y] if given.dim() == 1 else [x, y, given]
        names = "x and y" if given.dim() == 1 else "x, y and the weights"
        (x, y, *own), batch = flatten_batch(names, rows)
        weights = iter(self.weight_views(own[0] if own else (given if self.weight_numel else None)))
        weighted = [next(weights) if one.weighted else None for one in self.instructions]
        sums: list[Tensor | None] = [None] * len(self._blocks[2])
        firsts, seconds = split(x, self._blocks[0]), split(y, self._blocks[1])
        for route in self._routes:
            of_x, of_y = (seconds, x) if route.swapped else (firsts, y)
            for k, part in self._by_kernel(route, of_x, of_y, weighted):
                sums[k] = _sum(sums[k], part)
        for n, maps in self._maps.items():
            one = self.instructions[n]
            for copy in range(maps):
                C = self._constants.like(f"map{n}_{copy}", x) if self._constants is not None else x
                own_w = weighted[n]
                if own_w is not None and maps > 1:
                    own_w = own_w.select(-len(one.shape), copy)
                part = _PLAIN[one.mode](C, firsts[one.i], seconds[one.j], own_w)
                sums[one.k] = _sum(sums[one.k], part)
        parts = [
            x.new_zeros(x.shape[0], block.copies, block.dimension) if part is None else part
            for part, block in zip(sums, self._blocks[2])
        ]
        out = join(parts) if parts else x.new_zeros(x.shape[0], 0)
        return out.reshape(*batch, out.shape[-1])

    def _by_kernel(
        self, route: _Route, parts: list[Tensor], y: Tensor, weighted: list[Tensor | None]
    ) -> list[tuple[int, Tensor]]:
        """By block of U the sum [rows, copies, dim] of the instructions of a route: every row is an edge to itself."""
        n = y.shape[0]
        x = torch.cat([parts[i].transpose(1, 2) for i in route.places], 1)
        columns = []
        for number, copy, v in route.paths:
            own, one = weighted[number], self.instructions[number]
            if own is None:
                columns.append(x.new_ones(1, 1, 1).expand(n, 1, route.channels))
                continue
            if len(one.shape) > 2:
                own = own.select(-3, copy)
            column = own.select(-2 if route.swapped else -1, v)  # [channels], or [rows, channels]
            columns.append(column.expand(n, route.channels).unsqueeze(1))
        w = torch.cat(columns, 1)
        ends = torch.arange(n + 1, device=x.device)
        graph = [ends[:n], ends[:n], ends, ends[:n], ends, ends[:n]]
        out = _edges.product(x, y, w, graph, route.table)
        found = []
        for k, start, dim, copies in route.outs:
            part = out.narrow(1, start, copies * dim)
            if copies > 1:
                part = part.unflatten(1, (copies, dim)).permute(0, 3, 1, 2).flatten(1, 2)
            else:
                part = part.transpose(1, 2)
            found.append((k, part))
        return found

    def extra_repr(self) -> str:
        return f"{self.V} x {self.W} -> {self.U}, {len(self.instructions)} instructions, {self.weight_numel} weights"


def _sum(a: Tensor | None, b: Tensor) -> Tensor:
    return b if a is None else a + b


def _variances(name: str, numbers: Sequence[float] | None, blocks: list[Block]) -> list[float]:
    if numbers is None:
        return [1.0] * len(blocks)
    found = [float(n) for n in numbers]
    if len(found) != len(blocks) or not all(0 <= n < math.inf for n in found):
        raise DomainError(f"{name} has a variance for each of the {len(blocks)} summands, not {list(numbers)!r}")
    return found


# --- Plain products: C [d1, d2, d3], x [n, u, d1], y [n, v, d2], w of one map, which may have an axis of rows --------


def _pairs(C: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """C(x_u, y_u) [n, u, d3]."""
    a, b, c = C.shape
    if a == 1:
        return x * (y @ C[0])
    if b == 1:
        return (x @ C[:, 0]) * y
    if c == 1:
        return ((x @ C[:, :, 0]) * y).sum(-1, keepdim=True)
    return (x.unsqueeze(-1) * y.unsqueeze(-2)).flatten(-2) @ C.reshape(a * b, c)


def _uuu(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    z = _pairs(C, x, y)
    return z if w is None else z * w.unsqueeze(-1)


def _uuw(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    z = _pairs(C, x, y)
    return z.sum(1, keepdim=True) if w is None else w.transpose(-1, -2) @ z


def _uvu(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    return _pairs(C, x, (y.sum(1, keepdim=True) if w is None else w @ y).expand(-1, x.shape[1], -1))


def _uvv(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    mixed = x.sum(1, keepdim=True) if w is None else w.transpose(-1, -2) @ x
    return _pairs(C, mixed.expand(-1, y.shape[1], -1), y)


def _uvuv(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    u, v = x.shape[1], y.shape[1]
    z = _pairs(C, x.repeat_interleave(v, 1), y.repeat(1, u, 1))
    return z if w is None else z * w.flatten(-2).unsqueeze(-1)


@functools.lru_cache(maxsize=64)
def _less(n: int) -> tuple[list[int], list[int]]:
    """The pairs u < v in the order of u, then v."""
    first, second = numpy.triu_indices(n, 1)
    return first.tolist(), second.tolist()


_Plain = Callable[[Tensor, Tensor, Tensor, "Tensor | None"], Tensor]


def _below(f: _Plain) -> _Plain:
    def run(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
        first, second = (torch.tensor(places, device=x.device, dtype=torch.int64) for places in _less(x.shape[1]))
        return f(C, x.index_select(1, first), y.index_select(1, second), w)

    return run


def _mixed(C: Tensor, x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """One copy of y is a matrix [n, d1, d3], before or after the copies of x are mixed."""
    a, b, c = C.shape
    by_y = (y.squeeze(1) @ C.transpose(0, 1).reshape(b, a * c)).unflatten(-1, (a, c))
    if a <= c:
        out: Tensor = (x.transpose(1, 2) @ w).transpose(1, 2) @ by_y
    else:
        out = ((x @ by_y).transpose(1, 2) @ w).transpose(1, 2)
    return out


def _uvw(C: Tensor, x: Tensor, y: Tensor, w: Tensor | None) -> Tensor:
    """The weights meet first what has fewest components: each of these is a product of u v w numbers."""
    assert w is not None
    (n, u, a), v, (_, b, c) = x.shape, y.shape[1], C.shape
    if v == 1:
        return _mixed(C, x, y, w.squeeze(-2))
    if u == 1:
        return _mixed(C.transpose(0, 1), y, x, w.squeeze(-3))
    least = min(a, b, c)
    if least == c:  # z[n, k, u, v] = sum of x[u, i] (C y)[v, i, k]
        t = (y @ C.permute(1, 2, 0).reshape(b, c * a)).unflatten(-1, (c, a)).permute(0, 2, 3, 1)
        z = (x.unsqueeze(1) @ t).flatten(2)  # [n, c, u v]
        out: Tensor = z @ w.flatten(-3, -2)
    elif least == a:
        t = (y @ C.permute(1, 2, 0).reshape(b, c * a)).unflatten(-1, (c, a)).permute(0, 2, 3, 1)  # [n, c, a, v]
        q = x.transpose(1, 2) @ w.flatten(-2)  # [n, a, v w]
        out = t.flatten(2) @ q.reshape(n, a * v, w.shape[-1])
    else:
        t = (x @ C.permute(0, 2, 1).reshape(a, c * b)).unflatten(-1, (c, b)).permute(0, 2, 3, 1)  # [n, c, b, u]
        q = y.transpose(1, 2) @ w.transpose(-3, -2).flatten(-2)  # [n, b, u w]
        out = t.flatten(2) @ q.reshape(n, b * u, w.shape[-1])
    return out.transpose(1, 2)


_PLAIN: dict[str, _Plain] = {
    "uvw": _uvw,
    "uvu": _uvu,
    "uvv": _uvv,
    "uuw": _uuw,
    "uuu": _uuu,
    "uvuv": _uvuv,
    "uvu<v": _below(_uuu),
    "u<vw": _below(_uuw),
}
