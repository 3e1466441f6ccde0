"""Steerable kernels as arrays: values at points, and samples on grids for convolutions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._errors import DomainError

if TYPE_CHECKING:  # NumPy is imported where it is used: `import intertwine` is light
    import numpy as np
    import numpy.typing as npt

    from ._core import PointKernels, SteerableKernels

    Array = npt.NDArray[np.float64]
    Radial = Callable[[Array], npt.ArrayLike]

BASES = {"own": None, "orthonormal": "z", "e3nn": "y"}


def block_of_degree(
    kernels: SteerableKernels | PointKernels, degree: int, changes: tuple[Array, Array] | None
) -> tuple[int, npt.NDArray[np.int64], Array]:
    """The exponents of the monomials that occur, [monomials, n], and coefficients [kernels, monomials, M, N], in new
    bases U and V."""
    import numpy as np

    terms = [kernels.terms(k) for k, other in enumerate(kernels.degrees) if other == degree]
    place: dict[tuple[int, ...], int] = {}
    for entries in terms:
        for exponents, _, _, _ in entries:
            place.setdefault(tuple(exponents), len(place))
    coefficients: Array = np.zeros((len(terms), len(place), kernels.target.dimension, kernels.source.dimension))
    for k, entries in enumerate(terms):
        for exponents, row, column, value in entries:
            coefficients[k, place[tuple(exponents)], row, column] = float(value)
    powers = np.array(list(place), dtype=np.int64)
    if changes is not None:
        U, V = changes
        coefficients = np.asarray(np.linalg.solve(U, coefficients @ V), dtype=np.float64)
        # The group acts by orthogonal matrices: the norm of kappa(x) is the same on the whole sphere, and seen at one
        # point.
        point = np.zeros(kernels.space_dimension)
        point[0] = 1.0
        at_point = np.einsum("p,kpij->kij", np.prod(point**powers, axis=1), coefficients)
        coefficients = coefficients / np.sqrt(np.sum(at_point**2, axis=(1, 2)))[:, None, None, None]
    return degree, powers, coefficients


def as_points(points: npt.ArrayLike, n: int) -> Array:
    import numpy as np

    array: Array = np.asarray(points, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != n:
        raise DomainError(f"points are vectors of R^{n}, in the last axis; an array of shape {array.shape} was given")
    return array


@dataclass(frozen=True)
class SteerableKernelBasis:
    """The kernels kappa_k of a Euclidean group, or of a finite one that turns R^n, between two types of fields, as
    functions to doubles.

    Every kernel of a convolution that commutes with the group is a sum of radial functions times these. `exact` holds
    the exact polynomials and what is proved of them; `degrees` are their degrees.
    """

    exact: SteerableKernels | PointKernels
    basis: str = "own"
    degrees: tuple[int, ...] = field(init=False, repr=False, compare=False)
    shape: tuple[int, int] = field(init=False, repr=False, compare=False)
    _blocks: list[tuple[int, npt.NDArray[np.int64], Array]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.basis not in BASES:
            raise DomainError(f'basis is "own", "orthonormal" or "e3nn", not {self.basis!r}')
        exact, axis = self.exact, BASES[self.basis]
        degrees = tuple(exact.degrees)
        changes = None
        if axis is not None:
            from ._core import SteerableKernels

            if not isinstance(exact, SteerableKernels):
                raise DomainError(
                    f'kernels of {exact.group} have the basis "own": the matrices of its fields are orthogonal where they are'
                )
            changes = exact.target.orthonormal_form(axis).array(), exact.source.orthonormal_form(axis).array()
        object.__setattr__(self, "degrees", degrees)
        object.__setattr__(self, "shape", (exact.target.dimension, exact.source.dimension))
        object.__setattr__(
            self, "_blocks", [block_of_degree(exact, degree, changes) for degree in sorted(set(degrees))]
        )

    def __len__(self) -> int:
        return len(self.degrees)

    def polynomials(self, points: npt.ArrayLike) -> Array:
        """kappa_k(x) as homogeneous polynomials: points [..., n] to [kernels, M, N, ...].

        Without rounding where coordinates are small integers and the basis is "own".
        """
        import numpy as np

        x = as_points(points, self.exact.space_dimension)
        parts = [np.zeros((0, *self.shape, *x.shape[:-1]))]
        for _, powers, coefficients in self._blocks:
            monomials = np.prod(x[..., None, :] ** powers, axis=-1)
            parts.append(np.einsum("kpij,...p->kij...", coefficients, monomials))
        return np.concatenate(parts)

    def evaluate(self, points: npt.ArrayLike) -> Array:
        """kappa_k(x / |x|): points [..., n] to [kernels, M, N, ...]. At x = 0 kernels of positive degree are 0.

        Every one obeys kappa(h x) = rho_U(h) kappa(x) rho_V(h)^-1.
        """
        import numpy as np

        x = as_points(points, self.exact.space_dimension)
        radius = np.sqrt(np.sum(x * x, axis=-1))
        scale = np.array(self.degrees).reshape(-1, 1, 1, *[1] * radius.ndim)
        return np.asarray(self.polynomials(x) / np.where(radius > 0, radius, 1.0) ** scale)

    def sample(self, size: int, radial: Sequence[Radial], *, spacing: float = 1.0) -> Array:
        """Kernels on a grid, the weights that a convolution sums: [len(radial) * kernels, M, N, size, ..., size].

        Kernel number r * len(self) + k is radial[r](|x|) kappa_k(x / |x|). The grid has its centre at 0, and its axes
        are the coordinates of x in their order. Symmetries of the cube and the square permute the samples exactly;
        others turn them as far as a grid can be turned. A radial function takes an array of radii and should vanish
        beyond the grid.
        """
        import numpy as np

        if size < 1:
            raise DomainError(f"a grid has at least one point on every axis, not {size}")
        if not radial:
            raise DomainError("sample() needs radial functions, for example [lambda r: np.exp(-r**2)]")
        axis = np.arange(size) - (size - 1) / 2
        grid = np.stack(np.meshgrid(*[axis] * self.exact.space_dimension, indexing="ij"), axis=-1)
        angular, radius = self.evaluate(grid), spacing * np.sqrt(np.sum(grid * grid, axis=-1))
        values = [np.asarray(profile(radius), dtype=np.float64) for profile in radial]
        for value in values:
            if value.shape != radius.shape:
                raise DomainError(
                    f"a radial function made an array of shape {value.shape} of radii of shape {radius.shape}"
                )
        return np.concatenate([angular * value for value in values])


def steerable_kernel_basis(
    group: str, source: str, target: str, *, basis: str = "own", degree: int | None = None, **limits: Any
) -> SteerableKernelBasis:
    """The kernels of convolutions on R^n that commute with a group, to be evaluated and sampled.

    Parameters
    ----------
    group : str
        'SE(3)', 'E(2)', 'S5 x SE(3)', or a finite group with the translations, 'R^2 : C4', 'R^3 : Oh', ...
    source, target : str
        Types of fields, representations of SO(n) or O(n), such as "vector" or "2*harmonic(1) + trivial"; multiplicities
        in front of the whole are channels. Under a finite group they are its representations, with real matrices.
    basis : str
        "own" are the coordinates that layers of these representations use. "orthonormal" and "e3nn" are those of real
        spherical harmonics, with polar axis z and y, where rho is orthogonal and kernels have norm 1 at every point of
        the sphere.
    degree : int, optional
        Under a finite group, the largest degree of kernels, 4 by default.
    **limits
        `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

    Returns
    -------
    SteerableKernelBasis
        All kernels, each a homogeneous polynomial.

    Raises
    ------
    ParseError
        For a group without translations, and for representations that cannot be read, with the position.
    DomainError
        Where kernels are not real.

    See Also
    --------
    intertwine.nn.SteerableConv2d : The layer of such kernels.

    Examples
    --------
    >>> from intertwine import steerable_kernel_basis
    >>> len(steerable_kernel_basis("SE(3)", "vector", "vector"))
    3
    """
    from ._core import point_kernels, steerable_kernels

    if re.match(r"\s*[Rℝ]", group):
        return SteerableKernelBasis(
            point_kernels(group, source, target, 4 if degree is None else degree, **limits), basis
        )
    if degree is not None:
        raise DomainError(f"degree= is for finite groups, as in 'R^2 : C4'; {group} has finitely many kernels")
    return SteerableKernelBasis(steerable_kernels(group, source, target, **limits), basis)
