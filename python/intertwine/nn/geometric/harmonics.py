"""Spherical harmonics as polynomials, in any number of dimensions."""

from __future__ import annotations

import functools
import itertools

import numpy
import torch
from torch import Tensor

from ... import DomainError, Group, Representation
from ..._couplings import BASES, bases_of
from ..._features import slots
from ..._harmonics import degrees_of, harmonic_polynomials, require_harmonics, size_of
from .._fields import Constants, Derived, integer, require_tensor
from .._tables import real_tensors
from ._types import type_of

__all__ = ["SphericalHarmonics"]

_ONE_PRODUCT = 4  # up to this degree


@functools.lru_cache(maxsize=32)
def _constants(
    lmax: int, axis: str, normalization: str, n: int, own: tuple[tuple[int, Representation], ...]
) -> Constants:
    """Those of harmonic_polynomials; for few degrees the coefficients are one matrix, one product with which costs less
    than many. own: the degrees whose values are in the basis of a representation, which may be none."""
    found = harmonic_polynomials(lmax, axis, normalization, n)
    parents, variables = ([torch.from_numpy(a) for a in arrays] for arrays in (found.parents, found.variables))
    numbers = list(found.coefficients)
    for l, R in own:
        T = bases_of(R, axis, "orthonormal")
        if T is not None:
            numbers[l] = numpy.ascontiguousarray(numbers[l] @ T.T)
    coefficients = [torch.from_numpy(c) for c in numbers]
    if lmax <= _ONE_PRODUCT:
        coefficients = [torch.block_diag(*coefficients)]
    return Constants(parents=tuple(parents), variables=tuple(variables), coefficients=tuple(coefficients))


class SphericalHarmonics(Derived):
    """The real spherical harmonics of degrees 0, ..., lmax at vectors r, or those of a representation.

    They are homogeneous polynomials, evaluated as such: Y_l(s r) = s^l Y_l(r). The polynomials are exact ones of the
    library, rounded once.

    Parameters
    ----------
    lmax
        The largest degree; or a sum of harmonic(l) of O(n) or SO(n), such as "0e + 2e", whose vectors are wanted. A
        finite group that turns the plane or space, such as Oh, has harmonic(l) as well.
    normalize
        True: at r / |r|. False: at r itself, and then the polynomials are smooth everywhere.
    normalization
        "component": the squares of Y_l sum up to 2 l + 1 on the unit sphere, in n dimensions to the number of Y_l;
        "norm": to 1; "integral": their integrals over the sphere are 1.
    axis
        The polar axis. "y" is e3nn's convention: Y_1 is (x, y, z), and m goes around the y axis. "z" is that of most
        books: Y_1 is (y, z, x). Neither has the Condon-Shortley phase. Of three dimensions alone. The summands `vector`
        and `cartesian` of a representation have (x, y, z) with either.
    dimensions
        n, where lmax is a number.
    basis
        "orthonormal": the group acts on the values by orthogonal matrices, T^-1 rho(g) T with T = change_of_basis(V).
        "own": it acts by V.matrix(g), and the values are T times those. In a basis that is not orthonormal the sum of
        their squares depends on the direction, and `normalization` says how large the orthonormal ones are.

    Attributes
    ----------
    V
        The representation that the values are features of: harmonic(0) + ... + harmonic(lmax) of O(n), or the one
        given.

    Shape
    -----
    [..., n] to [..., dim V], which is (lmax + 1)^2 in three dimensions.

    Notes
    -----
    With normalize=True, where points coincide (r = 0), all harmonics of degree l > 0 are 0, and so are all their
    derivatives: the functions have no limit there. All numbers stay finite, in derivatives of every order.

    Points have the Cartesian coordinates of a finite group, G.rep("cartesian"); a point group has its main axis along
    z. The values of a point group are those of O(3), in the same orthonormal basis.

    Raises
    ------
    DomainError
        If an argument is out of range, a summand is no harmonic(l), or the last axis is not n.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import SphericalHarmonics
    >>> SphericalHarmonics(1, normalization="norm")(torch.tensor([0.0, 3.0, 4.0]))
    tensor([1.0000, 0.0000, 0.6000, 0.8000])
    >>> from intertwine import Group
    >>> SphericalHarmonics(Group("O(2)").rep("harmonic(2)"))(torch.tensor([1.0, 1.0])).round(decimals=4)
    tensor([0.0000, 1.4142])

    >>> V = Group("D3d").rep("cartesian + harmonic(4)")
    >>> SphericalHarmonics(V)(torch.tensor([1.0, 2.0, 2.0])).shape
    torch.Size([12])
    """

    _derived = ("_constants",)

    def __init__(
        self,
        lmax: int | Representation | str,
        normalize: bool = True,
        normalization: str = "component",
        axis: str = "y",
        dimensions: int = 3,
        basis: str = "orthonormal",
    ) -> None:
        super().__init__()
        if isinstance(lmax, (str, Representation)):
            self._V: Representation | None = type_of(lmax)
            self.dimensions, self._degrees = degrees_of(self._V)
            self.lmax = max(self._degrees, default=0)
        else:
            self._V, self.dimensions = None, integer("dimensions", dimensions, 2)
            self.lmax = integer("lmax", lmax, 0)
            self._degrees = list(range(self.lmax + 1))
        self.normalize = bool(normalize)
        require_harmonics(normalization, axis)
        if basis not in BASES:
            raise DomainError(f'basis is "orthonormal" or "own", not {basis!r}')
        self.normalization, self.axis, self.basis = normalization, axis, basis
        self._connect()

    def _connect(self) -> None:
        n, own = self.dimensions, self.basis == "own"
        turned: dict[int, Representation] = {}
        if own:  # in harmonic(1) they are the coordinates of the point, as in vector
            turned = {l: R for l, (_, R) in zip(self._degrees, slots(self.V)) if l > 1}
        with real_tensors():
            self._constants = _constants(self.lmax, self.axis, self.normalization, n, tuple(turned.items()))
        starts = [0, *itertools.accumulate(size_of(l, n) for l in range(self.lmax + 1))]
        places = [list(range(starts[l], starts[l + 1])) for l in self._degrees]
        if n == 3 and self.axis == "z":  # Y_1 is (y, z, x)
            names = (
                [f"harmonic({l})" for l in self._degrees] if self._V is None else [str(R) for _, R in slots(self._V)]
            )
            for k, (l, name) in enumerate(zip(self._degrees, names)):
                if l == 1 and (own or not name.startswith("harmonic(")):
                    places[k] = [places[k][2], *places[k][:2]]
        wanted = [at for place in places for at in place]
        self._wanted = None if wanted == list(range(starts[-1])) else wanted

    @property
    def V(self) -> Representation:
        """The representation of O(n), or the one given."""
        if self._V is not None:
            return self._V
        return Group(f"O({self.dimensions})").rep(" + ".join(f"harmonic({l})" for l in range(self.lmax + 1)))

    def forward(self, r: Tensor) -> Tensor:
        n = self.dimensions
        require_tensor(r, "r")
        if r.dim() < 1 or r.shape[-1] != n or not r.is_floating_point():
            raise DomainError(f"r has the shape {list(r.shape)} and is {r.dtype}; vectors are numbers [..., {n}]")
        if self.normalize:
            square = r.square().sum(-1, keepdim=True)
            apart = square > 0
            r = torch.where(apart, r, torch.zeros_like(r)) * torch.where(apart, square, torch.ones_like(square)).rsqrt()
        constants = self._constants
        assert constants is not None
        held = constants.operands(r)
        rows = r.reshape(-1, n).t().contiguous()  # a row for each coordinate and each monomial
        monomials = [torch.ones_like(rows[:1])]
        for parent, variable in zip(held["parents"], held["variables"]):
            monomials.append(monomials[-1].index_select(0, parent) * rows.index_select(0, variable))
        if self.lmax <= _ONE_PRODUCT:
            monomials = [torch.cat(monomials)]
        found = [torch.mm(m.t(), c.to(r.dtype)) for m, c in zip(monomials, held["coefficients"])]
        values = found[0] if len(found) == 1 else torch.cat(found, -1)
        if self._wanted is not None:
            values = values.index_select(-1, torch.tensor(self._wanted, device=r.device))
        return values.reshape(*r.shape[:-1], values.shape[-1])

    def extra_repr(self) -> str:
        what = str(self._V) if self._V is not None else str(self.lmax)
        space = f", dimensions={self.dimensions}" if self._V is None and self.dimensions != 3 else ""
        basis = ', basis="own"' if self.basis == "own" else ""
        how = f"normalize={self.normalize}, normalization={self.normalization!r}, axis={self.axis!r}"
        return f"{what}, {how}{space}{basis}"
