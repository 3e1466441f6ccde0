"""The polynomials in the weights of a network that its parameter group leaves alone."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, LimitError, PolynomialMaps, Representation, polynomial_maps
from ..gl import Bitableau, CoordinateRing
from ..nn._fields import AT_LEAST_1, integer
from ..sf import partitions
from .elements import Factor, Leaf, Slice, places_over
from .group import ParameterGroup, parameter_group

__all__ = ["WeightInvariants", "weight_invariants"]


class WeightInvariants:
    """A basis of the invariant polynomials of one degree in the weights. Made by weight_invariants.

    Called on a state dict (or a batch of them, with leading dimensions) it gives their values [..., dimension],
    differentiable.
    """

    degree: int
    """In the weights."""
    group: str
    """Whose invariants they are, such as "S(8)" or "GL(2)"."""
    dimension: int
    """How many there are."""

    @property
    def character_dimension(self) -> int:
        """The same number, counted by characters alone: no basis, no matrices are looked at."""
        raise NotImplementedError

    def __len__(self) -> int:
        return self.dimension

    def __repr__(self) -> str:
        return f"<WeightInvariants of {self.group}, degree {self.degree}, dimension {self.dimension}>"

    @property
    def basis(self) -> list[Any]:
        """What each one is: bitableaux in the entries of `pairing`, or polynomials in x1, x2, ..., which are
        `variables`."""
        raise NotImplementedError

    def __call__(self, state: Mapping[str, Tensor]) -> Tensor:
        raise NotImplementedError


class PolynomialInvariants(WeightInvariants):
    """Those of a finite group: the library's equivariant polynomials from the space of weights to numbers. `maps` has
    the exact ones."""

    def __init__(self, group: ParameterGroup, degree: int, name: str) -> None:
        V = group.representation()
        self.parameters, self.degree, self.group = group, degree, name
        self.maps: PolynomialMaps = polynomial_maps(V, V.group.rep("trivial"), degree)
        self.dimension = len(self.maps)

    @property
    def basis(self) -> list[str]:
        return [self.maps.coordinate(k, 0) for k in range(self.dimension)]

    @functools.cached_property
    def character_dimension(self) -> int:
        return molien(self.maps.source, self.degree)

    @functools.cached_property
    def variables(self) -> list[str]:
        """The parameters x1, x2, ..., such as "0.weight[2, 1]"."""
        return _names(self.parameters.shapes, self.parameters.to_vector)

    @functools.cached_property
    def _terms(self) -> dict[str, Tensor]:
        return {name: torch.from_numpy(array.copy()) for name, array in self.maps.to_arrays().items()}

    def __call__(self, state: Mapping[str, Tensor]) -> Tensor:
        x, terms = self.parameters.to_vector(state), self._terms
        at = {name: terms[name].to(x.device).long() for name in ("map", "monomial", "variables")}
        monomials = x[..., at["variables"]].prod(-1)
        values = monomials[..., at["monomial"]] * terms["coefficient"].to(x)
        return values.new_zeros(*values.shape[:-1], self.dimension).index_add(-1, at["map"], values)


class PairingInvariants(WeightInvariants):
    """Those of GL(n) on vectors v_i and covectors w_j: the polynomials in Y, Y_ij = <v_i, w_j> (first fundamental
    theorem), modulo the (n+1)-minors of Y (second). The standard bitableaux with minors of at most n rows are a basis.

    For a head of attention the vectors are the columns of W_Q and its bias, the covectors those of W_K, and Y = W_Q^T
    W_K.
    """

    def __init__(self, group: ParameterGroup, number: int, copy: int, degree: int, max_count: int) -> None:
        factor = group._all[number]
        self.parameters, self._number, self._copy = group, number, copy
        self.degree, self.group, self.n, self._max = degree, f"GL({factor.size})", factor.size, max_count
        sizes = {False: 0, True: 0}
        self._pieces: list[tuple[Slice, int, list[int], bool]] = []
        for s in factor.slices:
            flat = [leaf for dim in s.dims for leaf in dim]
            places = [k for k, leaf in enumerate(flat) if leaf.factor == number]
            if len(places) != 1:
                raise DomainError(
                    f"{factor} moves {len(places)} axes of {s}, and these invariants are those of vectors and covectors"
                )
            over = places_over(group._all, flat, places[0], [k for k, dim in enumerate(s.dims) for _ in dim])
            dual = flat[places[0]].dual
            self._pieces.append((s, places[0], over, dual))
            sizes[dual] += math.prod(leaf.size for k, leaf in enumerate(flat) if k != places[0] and k not in over)
        self.shape = (sizes[False], sizes[True])
        """The numbers of vectors and of covectors: the shape of Y."""
        self.ring = CoordinateRing(*self.shape)
        """The polynomials in the entries of Y."""
        if degree % 2:  # a scalar matrix t scales a vector by t and a covector by 1/t
            self.dimension = 0
        elif factor.size < min(self.shape):
            self.dimension = self.ring.ideal(factor.size + 1).hilbert_function(degree // 2)[-1]
        else:
            self.dimension = self.ring.hilbert_function(degree // 2)[-1]

    @functools.cached_property
    def character_dimension(self) -> int:
        return molien_weyl(self.n, *self.shape, self.degree)

    @functools.cached_property
    def basis(self) -> list[Bitableau]:
        if self.dimension > self._max:
            raise LimitError(
                f"there are {self.dimension} invariants, more than max_count = {self._max}; `dimension` and `pairing` need no list of them"
            )
        if self.degree % 2:
            return []
        rows = min(self.n, *self.shape)
        shapes = [shape for shape in partitions(self.degree // 2) if len(shape) <= rows]
        return [b for shape in shapes for b in self.ring.standard_bitableaux(shape, self._max)]

    @functools.cached_property
    def variables(self) -> tuple[list[list[str]], list[list[str]]]:
        """The coordinates of every vector (row of Y) and of every covector (column), as names of parameters."""
        shapes = self.parameters.shapes
        vectors, covectors = (_names(shapes, lambda state, side=side: self._sides(state)[side]) for side in (0, 1))
        return _cut(vectors, self.n), _cut(covectors, self.n)

    def _sides(self, state: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The vectors [..., p, n] and the covectors [..., q, n]."""
        found: dict[bool, list[Tensor]] = {False: [], True: []}
        for s, at, over, dual in self._pieces:
            if s.name not in state:
                raise DomainError(f"the state has no {s.name}")
            y, batch = self.parameters.block(s, state)
            flat = y.shape[batch:]
            rest = [k for k in range(len(flat)) if k != at and k not in over]
            y = y.permute(*range(batch), *(batch + k for k in (*over, *rest, at)))
            copies = y.reshape(*y.shape[:batch], math.prod(flat[k] for k in over), -1, flat[at])
            found[dual].append(copies.select(batch, self._copy))
        return torch.cat(found[False], -2), torch.cat(found[True], -2)

    def pairing(self, state: Mapping[str, Tensor]) -> Tensor:
        """Y [..., p, q], which all invariants are polynomials in. Its rank is at most n."""
        vectors, covectors = self._sides(state)
        return vectors @ covectors.transpose(-1, -2)

    def __call__(self, state: Mapping[str, Tensor]) -> Tensor:
        return evaluate(self.basis, self.pairing(state))


def evaluate(basis: Sequence[Bitableau], Y: Tensor) -> Tensor:
    """The values [..., len(basis)] of bitableaux at matrices Y [..., p, q], differentiable. Every minor that occurs is
    computed once."""
    number: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    factors = [
        [number.setdefault((tuple(rows), tuple(columns)), len(number)) for rows, columns in b.minors] for b in basis
    ]
    by_size: dict[int, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for minor in number:
        by_size.setdefault(len(minor[0]), []).append(minor)
    parts, order = [torch.ones_like(Y[..., :1, 0])], [-1]
    for size, minors in by_size.items():
        rows, columns = (torch.tensor([m[k] for m in minors], device=Y.device) for k in (0, 1))
        blocks = Y[..., rows[:, :, None], columns[:, None, :]]
        if size == 1:
            values = blocks[..., 0, 0]
        elif size == 2:
            values = blocks[..., 0, 0] * blocks[..., 1, 1] - blocks[..., 0, 1] * blocks[..., 1, 0]
        else:
            values = torch.linalg.det(blocks)
        parts.append(values)
        order += [number[m] for m in minors]
    longest = max(map(len, factors), default=0)
    place = {n: k for k, n in enumerate(order)}  # -1 is the number 1
    index = torch.tensor(
        [[place[n] for n in f] + [0] * (longest - len(f)) for f in factors], dtype=torch.long, device=Y.device
    )
    return torch.cat(parts, -1)[..., index.reshape(len(factors), longest)].prod(-1)


def molien(V: Representation, degree: int) -> int:
    """How many invariant polynomials of a degree there are on V, a representation by permutations with or without
    signs: the mean of the coefficient of t^degree in 1 / det(1 - t g), over representatives of the conjugacy classes
    [Molien1897]."""
    total = 0
    for c in V.group.classes():
        to = {column: (row, 1 if value == 1 else -1) for row, column, value in V.matrix(c.representative).entries()}
        series = [1] + [0] * degree
        left = set(to)
        while left:
            start = at = min(left)
            length, sign = 0, 1
            while at in left:
                left.remove(at)
                at, s = to[at]
                length, sign = length + 1, sign * s
            assert at == start
            for k in range(length, degree + 1):  # divided by 1 - sign t^length
                series[k] += sign * series[k - length]
        total += c.size * series[degree]
    return total // V.group.order


def molien_weyl(n: int, p: int, q: int, degree: int) -> int:
    """How many invariants of a degree GL(n) has on p vectors and q covectors: the constant term of a character,
    exactly.

    It is that of prod_{i<j} (1 - z_i / z_j) times prod_i (1 - t z_i)^-p (1 - t / z_i)^-q [Weyl1946]. No minors, no
    tableaux.
    """
    if degree % 2:
        return 0
    total = 0
    half = degree // 2
    for images in itertools.permutations(range(n)):
        sign = (-1) ** sum(images[i] > images[j] for i in range(n) for j in range(i + 1, n))
        shift = [i - w for i, w in enumerate(images)]
        ways = {
            0: 1
        }  # the exponents a_i of z_i on one side, those a_i + shift_i on the other, one variable after the other
        for s in shift:
            after: dict[int, int] = {}
            for used, number in ways.items():
                for a in range(max(0, -s), half - used + 1):
                    after[used + a] = after.get(used + a, 0) + number * _monomials(a, p) * _monomials(a + s, q)
            ways = after
        total += sign * ways.get(half, 0)
    return total


def _monomials(degree: int, variables: int) -> int:
    return math.comb(degree + variables - 1, variables - 1) if variables else int(degree == 0)


def _cut(names: list[str], n: int) -> list[list[str]]:
    return [names[k : k + n] for k in range(0, len(names), n)]


def _names(shapes: Mapping[str, tuple[int, ...]], read: Any) -> list[str]:
    """The names of the parameters that a function takes out of a state, in its order."""
    names: list[str] = []
    state = {}
    for name, shape in shapes.items():
        size = math.prod(shape)
        state[name] = torch.arange(len(names), len(names) + size, dtype=torch.float64).reshape(shape)
        names += [f"{name}{list(at)}" for at in itertools.product(*map(range, shape))]
    return [names[int(k)] for k in read(state).reshape(-1)]


def _alone(group: ParameterGroup, number: int) -> ParameterGroup:
    """The group of one factor, on all parameters."""

    def kept(dim: Sequence[Leaf]) -> tuple[Leaf, ...]:
        return tuple(replace(leaf, factor=0 if leaf.factor == number else None) for leaf in dim)

    def cut(slices: Sequence[Slice]) -> tuple[Slice, ...]:
        return tuple(replace(s, dims=tuple(kept(dim) for dim in s.dims)) for s in slices)

    factor = group._all[number]
    own = cut(factor.slices)
    return ParameterGroup(
        [replace(factor, slices=own)], own, (), group.shapes, (), (), group.io, cut(group._whole), group._tied
    )


def weight_invariants(
    module: nn.Module | ParameterGroup,
    degree: int,
    *,
    factor: int | None = None,
    copy: int = 0,
    example_inputs: Sequence[Any] | None = None,
    max_count: int = 100000,
) -> WeightInvariants:
    """All polynomials of a degree in the weights that the parameter group of a module, or one factor of it, leaves
    alone.

    module: read by parameter_group, or such a group. factor: a number in its `factors`; it may be left out where there
    is only one, or where all are finite and the whole group is meant. copy: which copy of it, for the heads of
    attention.

    - General linear factors (queries and keys of a head, values and outputs, linear maps in a row): the polynomials in Y = <vectors, covectors>, W_Q^T W_K
      for a head, of degree `degree` / 2; the others are 0. `basis` are standard bitableaux. `pairing(state)` is Y itself.
    - Permutations, with or without signs: the library's equivariant polynomials on the space of all parameters, exact; `basis` are polynomials.

    `dimension` is the number of them, `character_dimension` the same counted by characters alone. max_count bounds the
    list of bitableaux (LimitError).

    Invariants are functions of what a network computes, not of how it is written down: all of them agree on weights
    that the group takes to each other, and those of a compact or reductive group tell closed orbits apart. Source: Weyl
    1946 (fundamental theorems), De Concini, Eisenbud and Procesi 1980.
    """
    group = module if isinstance(module, ParameterGroup) else parameter_group(module, example_inputs=example_inputs)
    for name, value, least in (("degree", degree, 1), ("copy", copy, 0), ("max_count", max_count, 1)):
        integer(name, value, least, AT_LEAST_1)
    listed = (
        "; ".join(f"{k}: {f} of {', '.join(map(str, f.slices[:2]))}" for k, f in enumerate(group.factors)) or "none"
    )
    finite = all(f.kind in ("permutation", "signed") for f in group.factors)
    if factor is None and finite:
        return PolynomialInvariants(group, degree, " x ".join(map(str, group.factors)) or "1")
    if factor is None and len(group.factors) > 1:
        raise DomainError(
            f"the group has several factors ({listed}), not all finite: say whose invariants are meant with factor="
        )
    number = 0 if factor is None else factor
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(group.factors):
        raise DomainError(f"factor is a number of the list of factors ({listed}), not {factor!r}")
    chosen: Factor = group.factors[number]
    at = group._all.index(chosen)
    if copy >= chosen.copies:
        raise DomainError(f"{chosen} has {chosen.copies} copies, numbered from 0: there is no copy {copy}")
    if chosen.kind == "general linear":
        return PairingInvariants(group, at, copy, degree, max_count)
    if chosen.kind == "orthogonal":
        raise DomainError(
            f"{chosen}: invariants of orthogonal factors are not here, but of permutations and general linear ones"
        )
    if chosen.over:
        raise DomainError(
            f"{chosen} is permuted by other factors ({listed}): its invariants are known where all factors are finite, for the whole group"
        )
    return PolynomialInvariants(_alone(group, at), degree, str(chosen))
