"""Polynomials of the features of a point, channel by channel, with weights for each kind of point."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from ... import DomainError, Representation
from ..._contractions import Couplings, contraction, couplings_of_matrices, require_contraction
from .. import _ops
from .._fields import Constants, Derived, integer, one_group, require_like, require_tensor, wide
from .._tables import real_tensors
from ._polynomials import polynomial, table_of
from ._types import require_numbers, type_of
from .layout import to_layout

__all__ = ["SymmetricContraction"]

_TABLE = ("monomials", "rows", "coefficients")  # names of constants


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
        if not self.U.dimension:
            raise DomainError(f"U is {U}, without components: there is nothing to contract to")
        self.channels, self.correlation = integer("channels", channels, 1), integer("correlation", correlation, 1)
        self.species = None if species is None else integer("species", species, 1)
        require_contraction(basis, axis, features)
        self.basis, self.axis, self.features = basis, axis, features
        self._couplings: Couplings | None = None  # of layers that come from elsewhere
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
        found = contraction(
            self.V, self.U, self.correlation, self.basis, self.axis, self.features, self._couplings
        )  # fmt: skip
        self.sizes = found.sizes  # weights by summand of U, by degree
        numbers: dict[str, Tensor] = {}
        with real_tensors():
            if found.columns is not None:
                numbers["columns"] = torch.from_numpy(found.columns)
            for name, P in found.projections.items():
                numbers[f"projection{name[0]}_{name[1]}"] = torch.from_numpy(P)
            self._table = table_of(found.polynomial)
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

    def _with(self, couplings: Couplings) -> SymmetricContraction:
        """With other couplings than MACE's own, and weights for these."""
        self._couplings = couplings
        self._connect()
        shape = (self.weight.shape[0], self.weight_numel, self.channels)
        self.weight = nn.Parameter(self.weight.new_empty(shape))
        self.reset_parameters()
        return self

    @classmethod
    def from_mace(cls, module: nn.Module, basis: str = "mace") -> SymmetricContraction:
        """The layer of the same values as one of mace.modules.SymmetricContraction.

        Features are [nodes, dim V, channels] where those of MACE are [nodes, channels, dim V], and kinds are numbers
        where MACE has rows of one 1. The couplings are those that the module holds, MACE's own or the fewer ones of
        `use_reduced_cg`. The result is compared with the module at random arguments.

        Raises
        ------
        DomainError
            If it is another module, one without weights of its own, of cuEquivariance's class, or of several degrees.
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
        weights = [[*list(part.weights)[::-1], part.weights_max] for part in parts]
        if any(
            size and size != own.shape[1]
            for sizes, list_ in zip(layer.sizes, weights)
            for size, own in zip(sizes, list_)
        ):
            layer = layer._with(_couplings_of(parts, layer))
        start = 0
        with torch.no_grad():
            for list_, sizes in zip(weights, layer.sizes):
                for size, own in zip(sizes, list_):
                    layer.weight.narrow(1, start, size).copy_(own[:, :size])
                    start += size
            x = torch.randn(7, layer._size, layer.channels, device=first.device, dtype=first.dtype)
            kinds = torch.arange(7, device=first.device) % first.shape[0]
            theirs = module(x.transpose(1, 2).contiguous(), nn.functional.one_hot(kinds, first.shape[0]).to(x))
            ours = to_layout(layer(x, kinds), layer.U, "mul_ir")
            far = float((ours - theirs).abs().max())
            if far > (1e-9 if x.dtype == torch.float64 else 1e-3) * (1 + float(theirs.abs().max())):
                raise DomainError(f"the values of the module are others, by {far:.2g}; its couplings are not MACE's")
        return layer if basis == "mace" else layer.minimal()

    def forward(self, x: Tensor, species: Tensor | None = None) -> Tensor:
        require_tensor(x, "x")
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
        if species is not None:
            require_tensor(species, "species")
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


def _couplings_of(parts: Any, layer: SymmetricContraction) -> Couplings:
    """Those that the contractions of a module of MACE hold."""
    matrices = {
        (k, d): part.U_tensors(d + 1).detach().cpu().double().numpy()
        for k, part in enumerate(parts)
        for d in range(layer.correlation)
    }
    return couplings_of_matrices(layer.V, layer.U, layer.correlation, matrices)
