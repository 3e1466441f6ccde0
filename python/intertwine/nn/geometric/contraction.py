"""Polynomials of the features of a point, channel by channel, with weights for each kind of point."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from ... import DomainError, Representation, clebsch_gordan, polynomial_maps
from ..._couplings import AXES, BASES, Array, bases_of
from ..._features import slots
from .. import _ops
from .._fields import Constants, Derived, integer, one_group, require_like, wide
from .._tables import real_tensors
from ._polynomials import polynomial, table_of
from ._types import require_numbers, type_of
from .layout import to_layout

__all__ = ["SymmetricContraction"]

Monomial = tuple[int, ...]  # variables, sorted, as often as they occur
_TABLE = ("monomials", "rows", "coefficients")  # names of constants


class _Maps(NamedTuple):
    """The polynomial maps of one degree to one summand of U: coefficients [maps, dim, monomials]."""

    monomials: tuple[Monomial, ...]
    coefficients: Array


def _columns(V: Representation, axis: str, basis: str) -> Array:
    """T with x_own = T x for features x."""
    T = numpy.eye(V.dimension)
    for place, R in slots(V):
        block = bases_of(R, axis, basis)
        if block is not None:
            T[place, place] = block
    return T


def _moment(monomial: Monomial) -> float:
    """The mean of a monomial at independent normal variables."""
    found = 1.0
    for _, run in itertools.groupby(monomial):
        n = len(list(run))
        found *= 0 if n % 2 else math.prod(range(n - 1, 0, -2))
    return found


@functools.lru_cache(maxsize=256)
def _maps(V: Representation, U: Representation, degree: int, axis: str, basis: str) -> _Maps:
    """A basis of the equivariant polynomial maps of features, each scaled to the mean square 1 of its components at
    normal arguments. Where the basis of features is none of multiples of coordinates, arguments are own coordinates."""
    exact = polynomial_maps(V, U, degree)
    if not len(exact):
        return _Maps((), numpy.zeros((0, U.dimension, 0)))
    terms = exact.to_arrays()
    T, scales, order = _columns(V, axis, basis), numpy.ones(V.dimension), numpy.arange(V.dimension)
    if _is_monomial(T):
        order = numpy.abs(T).argmax(1)
        scales = T[numpy.arange(len(T)), order]
    variables = terms["variables"].astype(numpy.int64)
    factors = scales[variables].prod(1)
    monomials = [tuple(sorted(int(order[v]) for v in row)) for row in variables]
    values = numpy.asarray(terms["coefficient"])
    if numpy.iscomplexobj(values) and numpy.abs(values.imag).max(initial=0) > 0:
        raise DomainError(f"the polynomial maps from {V} to {U} are not real; features are those of V.real()")
    coefficients = numpy.zeros((len(exact), U.dimension, len(monomials)))
    at = terms["map"].astype(int), terms["output"].astype(int), terms["monomial"].astype(int)
    coefficients[at] = values.real * factors[at[2]]
    back = numpy.linalg.inv(_columns(U, axis, basis))
    coefficients = numpy.einsum("ab,pbm->pam", back, coefficients)
    means = numpy.array([[_moment(tuple(sorted(a + b))) for b in monomials] for a in monomials]).reshape(
        len(monomials), len(monomials)
    )
    squares = numpy.einsum("pam,mn,pan->p", coefficients, means, coefficients) / U.dimension
    coefficients /= numpy.sqrt(squares)[:, None, None]
    return _Maps(tuple(monomials), coefficients)


def _is_monomial(T: Array) -> bool:
    return bool(((T != 0).sum(0) == 1).all() and ((T != 0).sum(1) == 1).all())


# --- The basis of MACE -----------------------------------------------------------------------------------------------


def _irreps(V: Representation) -> list[tuple[int, int]]:
    """Degree and parity of every summand of a representation of O(3)."""
    found = []
    for _, R in slots(V):
        if V.group.name != "O(3)" or "+" in R.irreps:
            raise DomainError(
                f'the basis "mace" is of irreducible representations of O(3); {R} of {V.group.name} is none'
            )
        text = R.irreps.split("x")[-1]
        found.append((int(text[:-1]), 1 if text[-1] == "e" else -1))
    return found


def _trees(
    parts: list[tuple[tuple[int, int], Array]], degree: int, wanted: set[tuple[int, int]]
) -> list[tuple[tuple[int, int], Array]]:
    """The values [points, dim] of the couplings of `degree` copies of features one after the other, in MACE's order."""
    natural = degree == 4  # where MACE leaves out intermediate types of the other parity
    left = list(parts)
    for step in range(2, degree + 1):
        following = []
        for (a, p), x in left:
            for (b, q), y in parts:
                for c in range(abs(a - b), a + b + 1):
                    if natural and p * q != (-1) ** c or step == degree and (c, p * q) not in wanted:
                        continue
                    C = _symbol(c, a, b) * math.sqrt(2 * c + 1)
                    following.append(((c, p * q), numpy.einsum("kij,ni,nj->nk", C, x, y)))
        left = sorted(following, key=lambda one: one[0])  # e3nn's order of types: by degree, odd parity first
    return left


@functools.lru_cache(maxsize=256)
def _symbol(a: int, b: int, c: int) -> Array:
    return numpy.asarray(clebsch_gordan("SO(3)", a, b, index=c, basis="real", symbols=True)[0].array(), dtype=float)


def _values(maps: _Maps, x: Array) -> Array:
    """[maps, points, dim]"""
    m = numpy.array([x[:, list(one)].prod(1) for one in maps.monomials]).reshape(len(maps.monomials), len(x))
    return numpy.asarray(numpy.einsum("pam,mn->pna", maps.coefficients, m))


@functools.lru_cache(maxsize=256)
def _projection(V: Representation, U: Representation, degree: int) -> Array:
    """[trees, maps]: every tree of MACE as a sum of the minimal maps. Both are polynomials, compared at points; that
    there is no rest is checked."""
    maps, types = _maps(V, U, degree, "y", "orthonormal"), _irreps(V)
    (target,) = _irreps(U)
    count = 2 * len(maps.coefficients) + 8
    x = numpy.random.default_rng(0).standard_normal((count, V.dimension))
    parts = [(t, x[:, place]) for t, (place, _) in zip(types, slots(V))]
    trees = [y for t, y in _trees(parts, degree, {target}) if t == target]
    if not trees:
        return numpy.zeros((0, len(maps.coefficients)))
    T = _columns(V, "y", "orthonormal")
    A = _values(maps, x if _is_monomial(T) else x @ T.T).reshape(len(maps.coefficients), -1).T
    b = numpy.array(trees).reshape(len(trees), -1).T
    found = numpy.linalg.lstsq(A, b, rcond=None)[0]
    if numpy.abs(A @ found - b).max() > 1e-9 * (1 + numpy.abs(b).max()):
        raise DomainError(f"the couplings of MACE from {V} to {U} of degree {degree} are no combination of the maps")
    found[numpy.abs(found) < 1e-13] = 0
    return numpy.asarray(found.T)


# --- The layer -------------------------------------------------------------------------------------------------------


class SymmetricContraction(Derived):
    """Every equivariant polynomial of the features of a point up to a degree, channel by channel, with learnt weights.

    Parameters
    ----------
    V, U
        The types of input and output: representations of one group, or texts such as "0e + 1o + 2e".
    channels
        Copies of V and of U. They do not mix.
    correlation
        The largest degree; MACE's body order is one more.
    species
        How many kinds of points there are, each with weights of its own; forward takes the kind of each point. None:
        all points have the same weights.
    basis
        "minimal": one weight for every polynomial that there is. "mace": MACE's weights, one for each coupling of
        copies one after the other; there are more of them than polynomials.
    axis, features
        As axis and basis of Convolution.

    Attributes
    ----------
    weight
        [species, weights, channels]; without species the first axis is 1. Weights stand by summand of U, then by degree
        from 1 on.
    weight_numel
        How many weights a channel has.

    Shape
    -----
    x [..., dim V, channels], and with species their numbers [...], to [..., dim U, channels].

    Notes
    -----
    The polynomials are exact ones of the library, rounded once. The mean square of each is 1 at normal arguments.
    ``minimal()`` gives the layer of the same values with the minimal weights: the map between the two is linear and
    exact up to rounding. Derivatives of every order are there.

    Raises
    ------
    DomainError
        If groups differ, there is no polynomial at all, or an operand has another shape.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import SymmetricContraction
    >>> layer = SymmetricContraction("0e + 1o + 2e + 3o", "0e + 1o", 16, correlation=3, species=4)
    >>> layer.weight_numel
    29
    >>> layer(torch.randn(5, 16, 16), torch.tensor([0, 3, 1, 1, 2])).shape
    torch.Size([5, 4, 16])
    """

    _derived = ("_constants", "_table")

    def __init__(
        self,
        V: Representation | str,
        U: Representation | str,
        channels: int,
        correlation: int = 3,
        species: int | None = None,
        basis: str = "minimal",
        axis: str = "y",
        features: str = "orthonormal",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.V, self.U = type_of(V), type_of(U)
        one_group(self.V, self.U)
        self.channels, self.correlation = integer("channels", channels, 1), integer("correlation", correlation, 1)
        self.species = None if species is None else integer("species", species, 1)
        for name, value, known in (
            ("basis", basis, ("minimal", "mace")),
            ("axis", axis, AXES),
            ("features", features, BASES),
        ):
            if value not in known:
                raise DomainError(f"{name} is {', '.join(repr(k) for k in known)}, not {value!r}")
        if basis == "mace" and (axis, features) != ("y", "orthonormal"):
            raise DomainError('the basis "mace" has the axis "y" and orthonormal features')
        self.basis, self.axis, self.features = basis, axis, features
        self._connect()
        if not self.weight_numel:
            raise DomainError(
                f"no polynomial of degree 1 to {self.correlation} takes {self.V} to {self.U}; a higher degree or other"
                " summands may have some"
            )
        shape = (self.species or 1, self.weight_numel, self.channels)
        self.weight = nn.Parameter(torch.empty(shape, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Normal, over the root of how many weights a summand of U has; MACE's over how many each degree has."""
        start = 0
        with torch.no_grad():
            for sizes in self.sizes:
                for size in sizes:
                    scale = size if self.basis == "mace" else math.sqrt(sum(sizes))
                    self.weight.narrow(1, start, size).normal_().div_(max(scale, 1))
                    start += size

    def _connect(self) -> None:
        degrees = range(1, self.correlation + 1)
        targets = [R for _, R in slots(self.U)]
        maps = [[_maps(self.V, R, d, self.axis, self.features) for d in degrees] for R in targets]
        numbers: dict[str, Tensor] = {}
        self.sizes: list[list[int]] = []  # weights by summand of U, by degree
        with real_tensors():
            T = _columns(self.V, self.axis, self.features)
            if not _is_monomial(T):
                numbers["columns"] = torch.from_numpy(T)
            monomials = sorted({m for of_degree in maps for one in of_degree for m in one.monomials})
            place = {m: n for n, m in enumerate(monomials)}
            rows, coefficients, count, component = [], [], 0, 0  # by summand of U, degree, map and component
            for k, of_degree in enumerate(maps):
                dim, sizes = targets[k].dimension, []
                for d, one in enumerate(of_degree):
                    spread = numpy.zeros((*one.coefficients.shape[:2], len(monomials)))
                    spread[:, :, [place[m] for m in one.monomials]] = one.coefficients
                    coefficients.append(spread.reshape(len(one.coefficients) * dim, len(monomials)))
                    rows += [(count + n, component + a) for n in range(len(one.coefficients)) for a in range(dim)]
                    count += len(one.coefficients)
                    size = len(one.coefficients)
                    if self.basis == "mace":
                        P = _projection(self.V, targets[k], d + 1)
                        numbers[f"projection{k}_{d}"] = torch.from_numpy(numpy.ascontiguousarray(P.T))
                        size = len(P)
                    sizes.append(size)
                component += dim
                self.sizes.append(sizes)
            filled = [[*m, *[self.V.dimension] * (self.correlation - len(m))] for m in monomials]
            self._table = table_of(
                numpy.array(filled, dtype=numpy.int64).reshape(-1, self.correlation),
                numpy.array(rows, dtype=numpy.int64).reshape(-1, 2),
                numpy.concatenate(coefficients),
                [self.V.dimension, self.U.dimension, count],
            )
            numbers |= dict(zip(_TABLE, self._table.tensors))
        self._mixes, self._size = "columns" in numbers, self.V.dimension
        self._constants = Constants(**numbers)
        self.weight_numel = sum(map(sum, self.sizes))

    def minimal_weight(self, weight: Tensor | None = None) -> Tensor:
        """The weights [species, minimal weights, channels] of the same function in the basis "minimal"."""
        given = self.weight if weight is None else weight
        constants = self._constants
        if self.basis == "minimal" or constants is None:
            return given
        found, start = [], 0
        for k, sizes in enumerate(self.sizes):
            for d, size in enumerate(sizes):
                found.append(constants.like(f"projection{k}_{d}", given) @ given.narrow(1, start, size))
                start += size
        return torch.cat(found, 1)

    def minimal(self) -> SymmetricContraction:
        """The layer of the same values with the minimal weights."""
        other = SymmetricContraction(
            self.V, self.U, self.channels, self.correlation, self.species, "minimal", self.axis, self.features,
            self.weight.device, self.weight.dtype,
        )  # fmt: skip
        with torch.no_grad():
            other.weight.copy_(self.minimal_weight())
        return other

    @classmethod
    def from_mace(cls, module: nn.Module, basis: str = "mace") -> SymmetricContraction:
        """The layer of the same values as one of mace.modules.SymmetricContraction.

        Features are [nodes, dim V, channels] where those of MACE are [nodes, channels, dim V], and kinds are numbers
        where MACE has rows of one 1. The result is compared with the module at random arguments.

        Raises
        ------
        DomainError
            If it is another module, one without weights of its own, with couplings by cuEquivariance, or of several
            degrees.
        """
        parts: Any = getattr(module, "contractions", None)
        if parts is None or not all(hasattr(part, "weights_max") for part in parts):
            raise DomainError(
                f"from_mace takes a SymmetricContraction of MACE with internal weights, not {type(module)}"
            )
        correlations = {part.correlation for part in parts}
        if len(correlations) > 1:
            raise DomainError(f"the module has contractions of the degrees {sorted(correlations)}; one degree is taken")
        source, target = (
            " + ".join(str(one).split("x")[-1] for one in getattr(module, name)) for name in ("irreps_in", "irreps_out")
        )
        first = parts[0].weights_max
        layer = cls(
            source, target, parts[0].num_features, correlations.pop(), first.shape[0], "mace",
            device=first.device, dtype=first.dtype,
        )  # fmt: skip
        start = 0
        with torch.no_grad():
            for part, sizes in zip(parts, layer.sizes):
                for size, own in zip(sizes, [*list(part.weights)[::-1], part.weights_max]):
                    if size and size != own.shape[1]:
                        raise DomainError(
                            f"the module has {own.shape[1]} weights where MACE's couplings are {size}; those of"
                            " use_reduced_cg=True are others"
                        )
                    layer.weight.narrow(1, start, size).copy_(own[:, :size])
                    start += size
            x = torch.randn(7, layer._size, layer.channels, device=first.device, dtype=first.dtype)
            kinds = torch.arange(7, device=first.device) % first.shape[0]
            theirs = module(x.transpose(1, 2), nn.functional.one_hot(kinds, first.shape[0]).to(x))
            ours = to_layout(layer(x, kinds), layer.U, "mul_ir")
            far = float((ours - theirs).abs().max())
            if far > (1e-9 if x.dtype == torch.float64 else 1e-3) * (1 + float(theirs.abs().max())):
                raise DomainError(f"the values of the module are others, by {far:.2g}; its couplings are not MACE's")
        return layer if basis == "mace" else layer.minimal()

    def forward(self, x: Tensor, species: Tensor | None = None) -> Tensor:
        if _ops.autocasts(x):
            x = wide(x)
        size = self._size
        if x.dim() < 2 or tuple(x.shape[-2:]) != (size, self.channels):
            raise DomainError(
                f"x has the shape {list(x.shape)}; this layer takes [..., {size}, {self.channels}],"
                " [..., dim V, channels]"
            )
        require_like(x, self.weight, "layer")
        batch = x.shape[:-2]
        if self.species is None:
            if species is not None:
                raise DomainError("this layer has no species: it takes x alone")
        elif species is None or species.shape != batch or species.dtype != torch.int64:
            what = "nothing" if species is None else f"the shape {list(species.shape)} and {species.dtype}"
            raise DomainError(f"species are int64 numbers of the shape {list(batch)}, one for each point, not {what}")
        else:
            require_numbers("species", species, self.species)
        return self._value(x, species)

    def _value(self, x: Tensor, species: Tensor | None, weight: Tensor | None = None) -> Tensor:
        """With the weights of this layer, or given ones."""
        constants = self._constants
        assert constants is not None
        batch, (size, channels) = x.shape[:-2], x.shape[-2:]
        points = math.prod(batch)  # Size.numel() would fix a size that is known at run time
        x = x.reshape(points, size, channels)
        if self._mixes:
            x = constants.like("columns", x) @ x
        kinds = None if species is None else species.reshape(-1)
        plain = [constants.like(name, x) for name in _TABLE]
        out = polynomial(x, self.minimal_weight(weight), kinds, self._table, plain)
        return out.reshape(*batch, out.shape[1], channels)

    def extra_repr(self) -> str:
        species = "" if self.species is None else f", species={self.species}"
        sizes = f"{self.channels}, correlation={self.correlation}{species}, {self.weight_numel} weights"
        return f"{self.V} -> {self.U}, {sizes}"
