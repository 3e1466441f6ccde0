"""Linear maps between features of points, with weights for each kind of point if wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy
import torch
from torch import Tensor, nn

from ... import DomainError, Representation
from ..._couplings import AXES, BASES, maps_between
from .._fields import Constants, Derived, integer, one_group, require_like, require_tensor
from .._tables import real_tensors
from ._types import Features, has_values, require_numbers, type_of

__all__ = ["Linear"]


class Linear(Derived):
    """All linear equivariant maps from features of V to features of U: copies of equal summands are mixed.

    Parameters
    ----------
    V, U
        The types of input and output: representations of one group, or texts such as "32x0e + 16x1o".
    in_channels, out_channels
        With both, x is [..., dim V, in_channels], as Convolution has it. Without, x is flat, [..., dim V].
    species
        How many kinds of points there are, each with weights of its own; forward takes the kind of each point. None:
        all points have the same weights.
    instructions
        Pairs (i, k) of numbers of summands of V and U. None: all that have maps, by i and then by k, as in e3nn.
    bias
        Learnt invariant vectors are added. Only summands of U that have some get one.
    path_normalization
        "element": every number that is added up counts the same, as in e3nn. "path": every pair of summands does.
    axis, basis
        As of Convolution.

    Attributes
    ----------
    weight
        [weight_numel], or [species, weight_numel]: for each pair of summands a matrix [copies, copies]. Drawn from the
        normal distribution and scaled in forward, as in e3nn.
    bias
        [invariants], or [species, invariants].

    Shape
    -----
    [..., dim V, in_channels] to [..., dim U, out_channels], or [..., dim V] to [..., dim U]. With species the numbers
    of kinds [...] are the second argument.

    Notes
    -----
    A pair of summands with several maps, as in finite groups, has weights [maps, copies, copies]. With species, points
    of one kind are multiplied together; under torch.compile every point gets a matrix of its own.

    Raises
    ------
    DomainError
        If groups differ, a pair has no map, or x or the kinds have another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import Linear
    >>> Linear("8x0e + 4x1o", "16x0e + 2x1o")(torch.randn(5, 20)).shape
    torch.Size([5, 22])
    >>> layer = Linear("0e + 1o", "0e + 1o", 8, 16, species=3)
    >>> layer(torch.randn(5, 4, 8), torch.tensor([0, 2, 1, 1, 0])).shape
    torch.Size([5, 4, 16])
    """

    bias: nn.Parameter | None
    _derived = ("_constants", "_from", "_to", "_identity")

    def __init__(
        self,
        V: Representation | str,
        U: Representation | str,
        in_channels: int | None = None,
        out_channels: int | None = None,
        species: int | None = None,
        instructions: Sequence[Sequence[int]] | None = None,
        bias: bool = False,
        path_normalization: str = "element",
        axis: str = "y",
        basis: str = "orthonormal",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.V, self.U = (type_of(X, instructions is not None) for X in (V, U))
        one_group(self.V, self.U)
        if (in_channels is None) != (out_channels is None):
            raise DomainError("in_channels and out_channels are given together, or neither for flat features")
        self.in_channels = None if in_channels is None else integer("in_channels", in_channels, 1)
        self.out_channels = None if out_channels is None else integer("out_channels", out_channels, 1)
        self.species = None if species is None else integer("species", species, 1)
        for name, value, known in (
            ("path_normalization", path_normalization, ("element", "path")),
            ("axis", axis, AXES),
            ("basis", basis, BASES),
        ):
            if value not in known:
                raise DomainError(f"{name} is {', '.join(repr(k) for k in known)}, not {value!r}")
        self.path_normalization, self.axis, self.basis = path_normalization, axis, basis
        self._pairs = None if instructions is None else [tuple(pair) for pair in instructions]
        self._bias = bool(bias)
        self._own_factors: list[float] | None = None  # of layers that come from elsewhere
        self._connect()
        leading = () if self.species is None else (self.species,)
        self.weight = nn.Parameter(torch.randn(*leading, self.weight_numel, device=device, dtype=dtype))
        size = sum(n for _, n in self._biased)
        self.register_parameter(
            "bias", nn.Parameter(torch.zeros(*leading, size, device=device, dtype=dtype)) if size else None
        )

    def _connect(self) -> None:
        self._from, self._to = Features(self.V, self.in_channels), Features(self.U, self.out_channels)
        one = self.V.group.rep("trivial")

        def maps(i: int, k: int) -> list[numpy.ndarray]:
            found = maps_between(self._from.blocks[i].R, one, self._to.blocks[k].R, self.axis, self.basis)
            return [C[:, 0, :] * math.sqrt(C.shape[2]) for C in found]

        given = self._pairs
        if given is None:
            given = [(i, k) for i in range(len(self._from.blocks)) for k in range(len(self._to.blocks))]
        numbers: dict[str, Tensor] = {}
        self.instructions: list[tuple[int, int]] = []
        self.shapes: list[tuple[int, ...]] = []
        self._identity: list[bool] = []
        with real_tensors():
            for pair in given:
                self._check_pair(pair)
                i, k = pair
                found = maps(i, k)
                if not found and self._pairs is not None:
                    names = self._from.blocks[i].R, self._to.blocks[k].R
                    raise DomainError(
                        f"the instruction {pair} has no map: no equivariant one takes {names[0]} to {names[1]}"
                    )
                if not found:
                    continue
                shape = (self._from.copies[i], self._to.copies[k])
                self.shapes.append(shape if len(found) == 1 else (len(found), *shape))
                whole = len(found) == 1 and found[0].shape[0] == found[0].shape[1]
                self._identity.append(whole and bool(abs(found[0] - numpy.eye(len(found[0]))).max() < 1e-13))
                if not self._identity[-1]:
                    numbers[f"map{len(self.instructions)}"] = torch.from_numpy(numpy.array(found))
                self.instructions.append((i, k))
            self._biased: list[tuple[int, int]] = []
            for k, block in enumerate(self._to.blocks if self._bias else ()):
                fixed = maps_between(one, one, block.R, self.axis, self.basis)
                if fixed:
                    vectors = numpy.array([C[0, 0] * math.sqrt(C.shape[2]) for C in fixed])
                    numbers[f"fixed{k}"] = torch.from_numpy(vectors)
                    self._biased.append((k, len(fixed) * self._to.copies[k]))
        self._constants = Constants(**numbers)
        self.weight_numel = sum(math.prod(shape) for shape in self.shapes)
        self._factors = []
        for n, (_, k) in enumerate(self.instructions):
            terms = [math.prod(self.shapes[m][:-1]) for m, (_, other) in enumerate(self.instructions) if other == k]
            over = sum(terms) if self.path_normalization == "element" else math.prod(self.shapes[n][:-1]) * len(terms)
            self._factors.append(1 / math.sqrt(over))
        if self._own_factors is not None:
            self._factors = self._own_factors

    def _check_pair(self, pair: tuple[int, ...]) -> None:
        if len(pair) != 2 or not all(isinstance(n, int) for n in pair):
            raise DomainError(f"an instruction is the numbers of two summands, of V and U, not {pair!r}")
        for n, features, X in zip(pair, (self._from, self._to), (self.V, self.U)):
            if not 0 <= n < len(features.blocks):
                raise DomainError(
                    f"the instruction {pair} names summand {n} of {X}, whose summands go from 0 to"
                    f" {len(features.blocks) - 1}"
                )

    @property
    def output_mask(self) -> Tensor:
        """[dim U]: 1 where a map or a bias ends, 0 where the output is always 0. Of one channel."""
        ends = {k for _, k in self.instructions} | {k for k, _ in self._biased}
        return torch.cat([self.weight.new_full((b.size,), float(k in ends)) for k, b in enumerate(self._to.blocks)])

    def weight_views(self, weight: Tensor | None = None) -> list[Tensor]:
        """The weights of every instruction, [copies, copies] or [maps, copies, copies], behind the axis of species."""
        given, found, start = self.weight if weight is None else weight, [], 0
        for shape in self.shapes:
            size = math.prod(shape)
            found.append(given.narrow(-1, start, size).unflatten(-1, shape))
            start += size
        return found

    def forward(self, x: Tensor, species: Tensor | None = None) -> Tensor:
        self._from.check("x", x)
        require_like(x, self.weight, "layer")
        if species is not None:
            require_tensor(species, "species")
        if self.species is None:
            if species is not None:
                raise DomainError("this layer has no species: it takes x alone")
            return self._product(x, self.weight, self.bias)
        batch = x.shape[: x.dim() - len(self._from.shape)]
        if species is None or species.shape != batch or species.dtype != torch.int64:
            what = "nothing" if species is None else f"the shape {list(species.shape)} and {species.dtype}"
            raise DomainError(f"species are int64 numbers of the shape {list(batch)}, one for each point, not {what}")
        x, species = x.reshape(-1, *self._from.shape), species.reshape(-1)
        if not has_values(species):
            bias = None if self.bias is None else self.bias.index_select(0, species)
            out = self._product(x, self.weight.index_select(0, species), bias)
        else:
            require_numbers("species", species, self.species)
            rows = [(species == s).nonzero().flatten() for s in range(self.species)]
            parts = [
                self._product(x.index_select(0, mine), self.weight[s], None if self.bias is None else self.bias[s])
                for s, mine in enumerate(rows)
            ]
            back = torch.argsort(torch.cat(rows))
            out = torch.cat(parts).index_select(0, back)
        return out.reshape(*batch, *self._to.shape)

    def _product(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """Weights of one row for all of x, or of a row for each of x."""
        batch = x.shape[: x.dim() - len(self._from.shape)]
        if not self._to.blocks:
            return x.new_zeros(*batch, *self._to.shape)
        parts, constants = self._from.split(x), self._constants
        assert constants is not None
        terms: list[list[tuple[Tensor, Tensor]]] = [[] for _ in self._to.blocks]
        for n, ((i, k), w) in enumerate(zip(self.instructions, self.weight_views(weight))):
            w = w * self._factors[n]
            if self._identity[n]:
                terms[k].append((parts[i], w))
                continue
            for m, C in enumerate(constants.like(f"map{n}", x)):
                own = w if len(self.shapes[n]) == 2 else w.select(-3, m)
                terms[k].append((C.t() @ parts[i], own))
        found = []
        for k, (block, copies) in enumerate(zip(self._to.blocks, self._to.copies)):
            if not terms[k]:
                found.append(x.new_zeros(*batch, block.dimension, copies))
                continue
            rows, columns = zip(*terms[k])
            one = len(rows) == 1
            found.append((rows[0] if one else torch.cat(rows, -1)) @ (columns[0] if one else torch.cat(columns, -2)))
        if bias is not None:
            start = 0
            for k, size in self._biased:
                vectors = constants.like(f"fixed{k}", x)  # [fixed, dim]
                own = bias.narrow(-1, start, size).unflatten(-1, (len(vectors), self._to.copies[k]))
                found[k] = found[k] + vectors.t() @ own
                start += size
        return self._to.join(found)

    def extra_repr(self) -> str:
        channels = "" if self.in_channels is None else f", {self.in_channels}, {self.out_channels}"
        species = "" if self.species is None else f", species={self.species}"
        return f"{self.V} -> {self.U}{channels}{species}, {self.weight_numel} weights"
