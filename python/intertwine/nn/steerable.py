"""Convolutions of fields on a grid, of types of SO(n) or O(n): the kernels of SE(n) and E(n), sampled."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor

from .. import DomainError, Group, Matrix, Representation, SteerableKernelBasis, steerable_kernel_basis
from .._kinds import is_classical, is_finite_group
from ._fields import Constants, integer, one_group, real_matrix, real_tensors
from .conv import GridConv
from .linear import real, site_of

__all__ = ["SteerableConv2d", "SteerableConv3d"]


class PlanarKernels(NamedTuple):
    """The angular parts of kernels between fields of C_n or D_n: kappa(x) = sum_c K_c h_c(x / |x|), where h are the cosine
    and the sine of degree times the angle (1 for degree 0)."""

    shape: tuple[int, int]
    """dim U and dim V, without the multiplicities that are channels."""
    degrees: tuple[int, ...]
    matrices: tuple[Matrix, ...]
    """[dim U, dim V times components of h] for each, exact: a basis of Hom(V * harmonic(degree), U)."""


class _Sampled(NamedTuple):
    """Kernels on a grid; layers of the same kind share them."""

    kernels: SteerableKernelBasis | PlanarKernels
    rings: tuple[tuple[float, int], ...]  # radius and degree of each sampled kernel
    constants: Constants  # samples [P, dim U, dim V, *grid], invariants [Q, dim U]
    rows: tuple[tuple[int, ...], ...]  # the sets of output rows that kernels tie together
    digest: str


def _euclidean(group: Group, axes: int) -> str:
    """'SE(3)' for 'SO(3)', 'E(2)' for 'O(2)', 'S5 x SE(3)' for 'S5 x SO(3)'."""
    factors = [re.fullmatch(r"(S?)O\((\d+)\)", factor) for factor in group.name.split(" x ")]
    found = [factor for factor in factors if factor]
    if len(found) != 1 or int(found[0][2]) != axes:
        raise DomainError(
            f"fields on a grid of {axes} axes are of types of SO({axes}) or O({axes}), and of one of them, not of {group.name}"
        )
    return " x ".join(f"{m[1]}E({m[2]})" if m else name for m, name in zip(factors, group.name.split(" x ")))


def _gaussian(radius: float, width: float) -> Any:
    return lambda r: numpy.exp(-((r - radius) ** 2) / (2 * width**2))


def _kept(degrees: Sequence[int], rings: tuple[float, ...], cutoff: float, what: str) -> list[tuple[int, int]]:
    """Which kernels stand on which rings. DomainError if none does."""
    kept = [
        (n, k) for n, radius in enumerate(rings) for k, degree in enumerate(degrees) if degree <= cutoff * radius + 1e-9
    ]
    if not kept:
        least = (
            f"the least degree of a kernel is {min(degrees)}, and a ring of radius r carries those up to {cutoff:g} r"
            if degrees
            else "there is none"
        )
        raise DomainError(f"no kernel takes {what}: {least}; take a larger window or cutoff, or other types")
    return kept


@functools.lru_cache(maxsize=64)
def _sampled_of_turns(
    V: Representation, U: Representation, size: int, rings: tuple[float, ...], width: float, cutoff: float
) -> _Sampled:
    """The same for C_n and D_n: degrees are not tied to those of V and U, but for multiples of n."""
    (_, v), (_, u) = site_of(V), site_of(U)
    for R in (v, u):
        for g in R.group.generators:
            real_matrix(R, g)  # says what to do if it is not real
    degrees: list[int] = []
    matrices: list[Matrix] = []
    for degree in range(int(cutoff * max(rings) + 1e-9) + 1):
        found = (v * V.group.rep(f"harmonic({degree})") >> u).basis()
        degrees += [degree] * len(found)
        matrices += found
    kept = _kept(degrees, rings, cutoff, f"{V} to {U} in a window of {size}")
    axis = numpy.arange(size) - (size - 1) / 2
    x, y = numpy.meshgrid(axis, axis, indexing="ij")
    r, angle = numpy.hypot(x, y), numpy.arctan2(y, x)
    samples = []
    for n, k in kept:
        degree = degrees[k]
        h = numpy.array([numpy.cos(degree * angle), numpy.sin(degree * angle)] if degree else [numpy.ones_like(r)])
        h[:, r == 0] *= not degree  # a direction that the centre has not
        K = numpy.asarray(matrices[k], dtype=numpy.complex128).real.reshape(u.dimension, v.dimension, len(h))
        samples.append(numpy.einsum("uvc,cxy->uvxy", K, h) * _gaussian(rings[n], width)(r))
    invariants = [numpy.asarray(m, dtype=numpy.complex128).real.reshape(-1) for m in (u >> u).bias.basis()]
    described = {
        "fields": [V.group.name, str(V), str(U)],
        "grid": [size, list(rings), width, cutoff],
        "kernels": [str(m) for m in matrices],
    }
    values = numpy.array(samples)
    with real_tensors():
        constants = Constants(
            samples=torch.from_numpy(values),
            invariants=torch.from_numpy(numpy.array(invariants).reshape(len(invariants), u.dimension)),
        )
    kernels = PlanarKernels((u.dimension, v.dimension), tuple(degrees), tuple(matrices))
    digest = hashlib.sha256(json.dumps(described).encode()).hexdigest()
    return _Sampled(kernels, tuple((rings[n], degrees[k]) for n, k in kept), constants, _tied_rows(values), digest)


@functools.lru_cache(maxsize=64)
def _sampled(
    group: str,
    V: Representation,
    U: Representation,
    size: int,
    rings: tuple[float, ...],
    width: float,
    cutoff: float,
) -> _Sampled:
    kernels = steerable_kernel_basis(group, str(V), str(U))
    degrees = kernels.degrees
    kept = _kept(degrees, rings, cutoff, f"{V} to {U} in a window of {size}")
    values = kernels.sample(size, [_gaussian(radius, width) for radius in rings])
    samples = values[[n * len(degrees) + k for n, k in kept]]
    source = kernels.exact.target  # U without the multiplicities that are channels
    assert is_classical(source)
    invariants = [numpy.asarray(m, dtype=numpy.float64).reshape(-1) for m in (source >> source).bias.basis()]
    described = {
        "kernels": [group, str(V), str(U)], "terms": [kernels.exact.terms(k) for k in range(len(degrees))],
        "grid": [size, list(rings), width, cutoff], "profile": "exp(-(r - ring)^2 / (2 width^2))",
    }  # fmt: skip
    with real_tensors():
        constants = Constants(
            samples=torch.from_numpy(samples),
            invariants=torch.from_numpy(numpy.array(invariants).reshape(len(invariants), source.dimension)),
        )
    rows, digest = _tied_rows(samples), hashlib.sha256(json.dumps(described).encode()).hexdigest()
    return _Sampled(kernels, tuple((rings[n], degrees[k]) for n, k in kept), constants, rows, digest)


def _tied_rows(samples: numpy.ndarray) -> tuple[tuple[int, ...], ...]:
    """The finest sets of output rows such that every kernel writes to one of them."""
    parts: list[set[int]] = []
    for rows in (
        {int(r) for r in numpy.flatnonzero(k)} for k in numpy.abs(samples).sum(axis=tuple(range(2, samples.ndim)))
    ):
        parts = [part for part in parts if not part & rows] + [
            set().union(rows, *(part for part in parts if part & rows))
        ]
    return tuple(sorted(tuple(sorted(part)) for part in parts))


class _SteerableConv(GridConv):
    _derived = ("_sampled",)
    _means = "the sampled kernels"
    _advice = "build the layer with the representations, kernel_size, rings, width and cutoff that it was trained with"

    def __init__(
        self,
        V: Representation,
        U: Representation,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int | str = 0,
        dilation: int = 1,
        bias: bool = True,
        *,
        groups: int = 1,
        rings: Sequence[float] | None = None,
        width: float = 0.45,
        cutoff: float = 2.0,
        padding_mode: str = "zeros",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        turns = self.axes == 2 and isinstance(V, Representation) and _is_of_turns(V.group)
        others = ", C_n or D_n with n of at least 3" if self.axes == 2 else ""
        for R in (V, U):
            if not (is_classical(R) or turns and isinstance(R, Representation)):
                raise DomainError(
                    f"fields are of types of SO({self.axes}) or O({self.axes}){others}, such as Group('SO({self.axes})').rep('vector'), not {R!r}"
                )
        one_group(V, U)
        group = "" if turns else _euclidean(V.group, self.axes)
        self._set_channels(in_channels, out_channels)
        self._set_groups(groups, in_channels, out_channels)
        integer("kernel_size", kernel_size, 1), integer("stride", stride, 1), integer("dilation", dilation, 1)
        if not isinstance(padding, str):
            integer("padding", padding, 0)
        dtype = real(dtype)
        self._set_windows(kernel_size, stride, padding, dilation, padding_mode)
        self._turned = (True,) * self.axes
        self.V, self.U = V, U
        self._field_sizes, self._names = (V.dimension, U.dimension), (str(V), str(U))
        self._grid = (
            group,
            V,
            U,
            kernel_size,
            _radii(kernel_size, rings),
            _number("width", width, 0, False),
            _number("cutoff", cutoff, 0, True),
        )
        self._connect()
        shape = self._sampled.kernels.shape
        self._copies = (out_channels * (U.dimension // shape[0]), in_channels // groups * (V.dimension // shape[1]))
        out, in_ = self._copies
        Q = self._sampled.constants.on(torch.device("cpu"))["invariants"].shape[0]
        self._make_parameters((len(self._sampled.rings), out, in_), (Q, out) if bias else None, device, dtype)

    @property
    def kernels(self) -> SteerableKernelBasis | PlanarKernels:
        """The exact kernels; of SO(n) and O(n) with their values at points."""
        return self._sampled.kernels

    @property
    def rings(self) -> tuple[tuple[float, int], ...]:
        """The radius and the degree of the kernel of each theta[k]."""
        return self._sampled.rings

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta normal, of the variances for which independent inputs of variance 1 give outputs of variance gain^2 on
        average over the coordinates of each summand of U, in closed form from the norms of the samples; every kernel
        moves them equally. The bias is zero."""
        samples = self._sampled.constants.on(torch.device("cpu"))["samples"]
        with real_tensors():
            norms = samples.square().flatten(2).sum(-1)  # [P, dim U]
            scale = samples.new_empty(samples.shape[0])
            for rows in self._sampled.rows:
                own = norms[:, list(rows)].sum(1)
                there = own > 0
                scale[there] = gain * torch.sqrt(len(rows) / (int(there.sum()) * self._copies[1] * own[there]))
        self._start(scale.tolist(), generator)

    def weight(self) -> Tensor:
        """The kernel [out_channels dim U, in_channels / groups dim V, *kernel_size], differentiable in theta."""
        return self._weight_of(self.theta)

    def _weight_of(self, theta: Tensor) -> Tensor:
        samples = self._sampled.constants.like("samples", theta)
        P, M, N, *grid = samples.shape
        out, in_ = self._copies
        W = theta.reshape(P, out * in_).t() @ samples.reshape(P, -1)
        return W.reshape(out, in_, M, N, *grid).transpose(1, 2).reshape(out * M, in_ * N, *grid)

    def bias_vector(self) -> Tensor | None:
        """b [out_channels dim U], differentiable in the bias: invariant vectors only."""
        return (
            None
            if self.bias is None
            else (self.bias.t() @ self._sampled.constants.like("invariants", self.bias)).reshape(-1)
        )

    @torch.no_grad()
    def turning_error(self, *, smoothness: float = 2.0, turns: int = 32, seed: int = 0) -> float:
        """How far the layer, with its present theta, is from commuting with turns that are no symmetries of the grid.

        The root of the mean square of y(g f) - g y(f) at one site, without bias, beside that of y(f), over random turns
        g and fields f: sums of Gaussian bumps of this standard deviation, in sites, with random values of V; they are
        turned exactly, nothing is interpolated.
        """
        _number("smoothness", smoothness, 0, False), integer("turns", turns, 1)
        generator = torch.Generator().manual_seed(seed)
        n, size, (dim_in, _) = self.axes, self.kernel_size[0], self._field_sizes
        W = self._weight_of(self.theta.detach().double().cpu())
        axis = (torch.arange(size, dtype=torch.float64) - (size - 1) / 2) * self.dilation[0]
        sites = torch.stack(torch.meshgrid(*[axis] * n, indexing="ij"), -1).reshape(-1, n)
        spread = float(axis[-1]) + smoothness
        draw = _turns_of(self.V, self.U, n, generator)
        wrong = right = 0.0

        def at_centre(centres: Tensor, values: Tensor) -> Tensor:
            bumps = torch.exp(-(sites[:, None] - centres).square().sum(-1) / (2 * smoothness**2))
            field = torch.einsum("sb,bcv->cvs", bumps, values).reshape(self.groups, -1)
            return torch.einsum("goi,gi->go", W.flatten(1).unflatten(0, (self.groups, -1)), field).reshape(-1)

        for _ in range(turns):
            centres = (2 * torch.rand(16, n, generator=generator, dtype=torch.float64) - 1) * spread
            values = torch.randn(16, self.in_channels, dim_in, generator=generator, dtype=torch.float64)
            g, on_v, on_u = draw()
            there = at_centre(centres @ g.t(), values @ on_v.t())
            expected = (at_centre(centres, values).reshape(self.out_channels, -1) @ on_u.t()).reshape(-1)
            wrong, right = wrong + float((there - expected).square().sum()), right + float(expected.square().sum())
        return math.sqrt(wrong / right) if right else 0.0

    # --- State ---------------------------------------------------------------------------------------------------------------

    @property
    def _digest(self) -> str:
        return self._sampled.digest

    def _connect(self) -> None:
        group, *grid = self._grid
        self._sampled = _sampled(group, *grid) if group else _sampled_of_turns(*grid)

    def _on_device(self, device: torch.device) -> None:
        self._sampled.constants.on(device)


def _number(name: str, value: Any, least: float, may_be: bool) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
        or value < least
        or (value == least and not may_be)
    ):
        raise DomainError(f"{name} is a number {'of at least' if may_be else 'above'} {least:g}, not {value!r}")
    return float(value)


def _radii(size: int, rings: Sequence[float] | None) -> tuple[float, ...]:
    if rings is None:
        return tuple(size % 2 * 0.5 + 0.5 - (size % 2) + k for k in range((size + 1) // 2))
    found = tuple(_number("the radius of a ring", r, 0, True) for r in rings)
    if not found or len(set(found)) != len(found):
        raise DomainError(f"rings are different radii, at least one, not {list(rings)}")
    return found


def _is_of_turns(group: Group) -> bool:
    """Is it C_n or D_n with n of at least 3, in the plane?"""
    return is_finite_group(group) and re.fullmatch(r"[CD]([3-9]|[1-9]\d+)", group.name) is not None


def _turns_of(V: Representation, U: Representation, n: int, generator: torch.Generator) -> Callable[[], list[Tensor]]:
    """Draws turns: on the grid, on V and on U. Of C_n and D_n elements but the identity."""
    if is_finite_group(V.group):
        elements = [g for g in V.group if g != V.group.identity]
        sides = (V.group.rep("cartesian"), V, U)

        def element() -> list[Tensor]:
            g = elements[int(torch.randint(len(elements), (), generator=generator))]
            return [torch.from_numpy(real_matrix(R, g)) for R in sides]

        return element
    algebras = [_algebra(R) for R in (Group(f"SO({n})").rep("vector"), V, U)]

    def turn() -> list[Tensor]:
        c = 3 * torch.randn(len(algebras[0]), generator=generator, dtype=torch.float64)
        return [torch.linalg.matrix_exp(torch.einsum("k,kij->ij", c, X)) for X in algebras]

    return turn


def _algebra(R: Representation) -> Tensor:
    """The matrices of the generators of the Lie algebra [generators, dim, dim]."""
    found = [
        numpy.asarray(X, dtype=numpy.float64)
        for X, name in zip(R.generator_matrices(), R.group.generator_names)
        if " Lie algebra " in name
    ]
    return torch.from_numpy(numpy.array(found))


_DOC = """A convolution of fields {where} that commutes with {euclidean}, sampled on the grid.

The kernels are exact: kappa(h x) = rho_U(h) kappa(x) rho_V(h)^-1. They are all harmonic polynomials that obey it
(`kernels`), times the radial profiles exp(-(r - ring)^2 / (2 width^2)), at the sites of the window. Turns and
reflections that map the grid to itself act exactly, up to rounding. Others act as far as a grid can be turned:
`turning_error()` measures how far.

Parameters
----------
V, U
    The types of input and output, representations of {groups}. Multiples such as 4*vector are channels as well.{more}
in_channels, out_channels
    The number of fields of type V, and of type U.
kernel_size, stride, dilation
    Single numbers, since axes are turned into each other. A stride must reach the first and the last site alike.
padding
    A number, "same" or "valid".
bias
    Whether a vector that the group fixes is added.
groups
    As in torch.nn.Conv{n}d: channels fall into so many groups, and each of U's sees one of V's.
rings
    The radii of the profiles in sites; by default 0, 1, ..., (kernel_size - 1) / 2, or 1/2, 3/2, ... for an even
    window.
width
    The width of a profile, in sites.
cutoff
    A ring of radius r has kernels of degrees up to cutoff * r: higher ones turn faster than its sites can show.
padding_mode
    "zeros", "circular", "reflect" or "replicate".
device, dtype
    As in torch.nn.Conv{n}d.

Attributes
----------
theta
    The free numbers of the kernel [P, out_channels, in_channels / groups].
bias
    The free numbers of the bias [Q, out_channels], on the invariant vectors of U, or None.
rings
    The (radius, degree) of every theta[k].

Shape
-----
[..., in_channels, dim V, {grid}] to [..., out_channels, dim U, {grid}'].

Raises
------
DomainError
    If V and U are not of one group of these, if no kernel is left, or if a setting does not fit. From a call, if x has
    another shape, or a stride leaves sites over on one side.

Notes
-----
A call costs what the ordinary convolution costs, and P dim U dim V multiplications for each entry of a pair of channels
to make its kernel, which weight() gives. Many copies cost least as channels of one sum: trivial + vector in 16
channels, not 16*trivial + 16*vector.

References
----------
Weiler et al. 2018 (3D steerable CNNs), Weiler and Cesa 2019.

See Also
--------
Conv{n}d : The convolution for turns and mirrors of the grid, exact.

Examples
--------
>>> import torch
>>> from intertwine import Group
>>> from intertwine.nn import SteerableConv{n}d
>>> G = Group("{G}")
>>> conv = SteerableConv{n}d(G.rep("trivial"), G.rep("vector"), 1, 4, kernel_size=5, padding=2)
>>> conv(torch.randn(1, 1, 1, {sizes})).shape
torch.Size([1, 4, {n}, {sizes}])
"""


_TURNS = """ Fields of C_n and D_n, n of at least 3,
    are any representation by real matrices: regular fields of C8 and D6, and quotients of them. Their kernels are those
    of Hom(V * harmonic(l), U) for every degree l, and commute with the shifts and the n turns."""


class SteerableConv2d(_SteerableConv):
    __doc__ = _DOC.format(
        where="in the plane", euclidean="SE(2) or E(2)", groups="SO(2), O(2), C_n or D_n", more=_TURNS, n=2, grid="H, W",
        G="SO(2)", sizes="9, 9",
    )  # fmt: skip
    axes = 2


class SteerableConv3d(_SteerableConv):
    __doc__ = _DOC.format(
        where="in space", euclidean="SE(3) or E(3)", groups="SO(3) or O(3)", more="", n=3, grid="H, W, D", G="SO(3)",
        sizes="7, 7, 7",
    )  # fmt: skip
    axes = 3
