"""Nonlinear functions between equivariant layers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group, Permutation, Representation
from .._errors import brief
from .._kinds import is_classical, is_finite
from .._rules import ActivationRule
from ._fields import (
    Constants,
    Derived,
    FieldModule,
    FieldType,
    integer,
    on_axis,
    real_matrix,
    real_tensors,
    require_tensor,
    scalars_of,
    structure,
)  # fmt: skip
from .check import Action, check_equivariance, commutes_with_moves, with_numbers
from .linear import Linear

__all__ = [
    "Activation",
    "ActivationRule",
    "GatedActivation",
    "NormActivation",
    "SampledActivation",
    "allowed_activations",
]


def allowed_activations(V: FieldType) -> dict[str, ActivationRule]:
    """Which activations commute with the group on fields of type V, and why; V.allowed_activations() is the same.

    "pointwise"  any function of each coordinate alone: Activation(V, f)
    "odd"        functions with f(-x) = -f(x) of each coordinate: Activation(V, f)
    "gated"      scalars times the field: GatedActivation(V)
    "norm"       functions of norms times directions: NormActivation(V, f)
    "sampled"    any function on samples of the group: SampledActivation(V, f)
    """
    if not_real := _not_real(V):
        return {name: ActivationRule(False, not_real) for name in ("pointwise", "odd", "gated", "norm", "sampled")}
    mixes, negates = _mixing(V), _negation(V)
    s = structure(V, whole=False)
    norm = next((kind.unmeasured for kind in s.kinds if kind.unmeasured), "")
    sampled = ActivationRule(False, f"no finite set of samples is permuted by {V.group.name}")
    if is_finite(V):
        what = f"the group permutes functions on its {V.group.order} elements; exact with all of them as samples, or with cosets"
        sampled = ActivationRule(True, what)
    return {
        "pointwise": ActivationRule(
            not mixes and not negates, mixes or negates or "every element permutes the coordinates"
        ),
        "odd": ActivationRule(
            not mixes, mixes or f"every element permutes the coordinates{', up to signs' if negates else ''}"
        ),
        "gated": ActivationRule(True, "an invariant number times a vector moves as the vector does"),
        "norm": ActivationRule(
            not norm, norm or s.indefinite or "the inner product that the group keeps gives invariant norms"
        ),
        "sampled": sampled,
    }


def _not_real(V: Representation) -> str:
    """Why V has no real matrices, empty if it has. DomainError where it has none at all."""
    if not V.has_matrices:
        V.generator_matrices()  # says why
    try:
        if is_classical(V):
            structure(V)
        else:
            for g in V.group.generators:
                real_matrix(V, g)
    except DomainError as error:
        return str(error)
    return ""


def _entries(V: Representation) -> Iterator[tuple[str, list[tuple[int, int, Any]], bool]]:
    """Generators by name, with the entries of their matrices; is it one of a Lie algebra?"""
    if is_finite(V):
        for g in V.group.generators:
            yield brief(f"the element {g}"), V.matrix(g).entries(), False
    else:
        for name, matrix in zip(V.group.generator_names, V.generator_matrices()):
            shown = f"the element {name}" if name.startswith("(") else name
            yield shown, matrix.entries(), " Lie algebra " in name


def _mixing(V: Representation) -> str:
    """A generator that mixes coordinates or changes their sizes, in a sentence; empty if there is none."""
    for name, entries, lie in () if is_finite(V) and V.is_monomial else _entries(V):
        rows: dict[int, int] = {}
        for row, col, _ in entries:
            rows[row] = rows.get(row, 0) + 1
            if lie:
                turned = f"turns coordinate {col + 1} into {row + 1}"
                return f"{name} {turned if row != col else f'changes the size of coordinate {row + 1}'}{_advice(V)}"
        for row, count in sorted(rows.items()):
            if count > 1:
                return f"{name} mixes {count} coordinates in coordinate {row + 1}{_advice(V)}"
        for row, col, value in entries:
            if abs(float(value)) != 1:
                return f"{name} takes coordinate {col + 1} to {value} times coordinate {row + 1}{_advice(V)}"
    return ""


def _advice(V: Representation) -> str:
    if is_finite(V):
        return "; use a representation that permutes its basis, such as regular"
    return "; use GatedActivation(V), or multiples of trivial"


def _negation(V: Representation) -> str:
    for name, entries, lie in () if is_finite(V) and V.is_permutation else _entries(V):
        for _, col, value in () if lie else entries:
            if float(value) < 0:
                return f"{name} negates basis vector {col + 1}, so the function must be odd"
    return ""


class Activation(nn.Module):
    """f on every coordinate of a field of type V, refused where it does not commute with the group.

    A representation that permutes its basis lets every function pass; one that also negates basis vectors lets odd
    functions pass (tanh, x^3, ...), and one that mixes them in other ways lets almost none. Whether f passes is
    measured, on inputs of several sizes, with check_equivariance, for V of every group.

    Parameters
    ----------
    V
        The type of the field.
    f
        A function or module on [..., channels, dim V].
    channels
        How many f wants to see, for those with parameters for each, such as torch.nn.PReLU(16).

    Shape
    -----
    [..., channels, dim V] to the same.

    Raises
    ------
    DomainError
        If f does not commute with the group; the message says which activations do.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Activation
    >>> G = Group("S3")
    >>> Activation(G.rep("perm"), torch.relu)(torch.tensor([[-1.0, 2.0, 0.0]]))
    tensor([[0., 2., 0.]])
    >>> Activation(G.rep("sign"), torch.relu)
    Traceback (most recent call last):
        ...
    intertwine.DomainError: ...

    See Also
    --------
    allowed_activations : What else there is for V; every function that it allows passes.
    NormActivation, GatedActivation : For fields that functions of coordinates do not fit.
    """

    def __init__(self, V: FieldType, f: Callable[[Tensor], Tensor], channels: int = 1) -> None:
        super().__init__()
        self.f = f
        self._of = str(V)
        with real_tensors():
            moves = _moves(V)
            if moves is not None:
                reason = commutes_with_moves(f, moves, V.dimension, channels)
            else:
                report = check_equivariance(f, V, V, channels, batch=10)
                reason = "" if report else report.reason
        if reason:
            raise DomainError(f"{_name(f)} does not commute with {V} of {V.group.name}: {_why(V, f, reason)}")

    def forward(self, x: Tensor) -> Tensor:
        return self.f(x)

    def extra_repr(self) -> str:
        return f"on {self._of}" if isinstance(self.f, nn.Module) else f"{_name(self.f)} on {self._of}"


def _moves(V: Representation) -> list[tuple[list[int], list[float]]] | None:
    """Finds how the generators of a continuous group permute coordinates up to signs: for each the coordinate that
    comes to a place, and its sign. Those that do nothing are left out. None for other V."""
    if not is_classical(V) or _mixing(V):
        return None
    found = []
    for _, entries, lie in _entries(V):
        index, sign = list(range(V.dimension)), [1.0] * V.dimension
        for row, col, value in () if lie else entries:
            index[row], sign[row] = col, float(value)
        if index != list(range(V.dimension)) or -1.0 in sign:
            found.append((index, sign))
    return found


def _name(f: Callable[[Tensor], Tensor]) -> str:
    return getattr(f, "__name__", None) or type(f).__name__


def _why(V: Representation, f: Callable[[Tensor], Tensor], otherwise: str) -> str:
    mixes = _mixing(V)
    negates = "" if mixes else _negation(V)
    if mixes or not negates:
        return mixes or otherwise
    t = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)
    try:
        plus, minus = f(t), f(-t)
    except Exception:  # f wants channels: its oddness is not shown
        return negates
    k = int((plus + minus).abs().argmax())
    return f"{negates}, and it takes {t[k]:g} to {plus[k]:.3g} and {-t[k]:g} to {minus[k]:.3g}; use an odd one such as tanh"


class GatedActivation(FieldModule):
    """y = f(s) x, each block of V times a function of a scalar of its own; exactly equivariant for every real V, of
    groups that are not compact, too.

    Blocks are the orbits of coordinates, or copies of summands. Where a finite factor of the group permutes points, as
    S5 does in "perm # vector" of S5 x O(3), each point is a block and has a scalar, which moves with it: `source` is
    perm # vector + perm # trivial.

    Fields may be complex, and f sees the real parts of their scalars then: gates are real numbers, without the poles of a
    complex sigmoid.

    Parameters
    ----------
    V
        The type of the field.
    f
        A function or module of each scalar.
    axes
        How many axes of a grid follow.
    whole
        One scalar for all points of an orbit, instead of one for each.

    Attributes
    ----------
    source
        The type of x: V + a scalar for each block, whose last coordinates are the scalars s, as a linear layer before it can
        make them: Linear(..., gated.source).
    target
        The type of y: V.

    Shape
    -----
    [..., channels, dim V + blocks, *grid] to [..., channels, dim V, *grid].

    Raises
    ------
    DomainError
        If x has another shape.

    References
    ----------
    Weiler et al. 2018 (3D steerable CNNs).

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import GatedActivation
    >>> gated = GatedActivation(Group("SO(3)").rep("vector"))
    >>> gated.source.dimension, gated(torch.tensor([[1.0, 2.0, 3.0, 0.0]]))
    (4, tensor([[0.5000, 1.0000, 1.5000]]))

    See Also
    --------
    NormActivation : The norm itself decides.
    """

    _measures = False
    _per_point = True
    _takes_complex = True

    def __init__(
        self, V: FieldType, f: Callable[[Tensor], Tensor] = torch.sigmoid, *, axes: int = 0, whole: bool = False
    ) -> None:
        super().__init__(V, None, axes, whole)
        self.f = f
        self.target = V
        self.source: Any = V + scalars_of(V, self._structure.kinds)

    def forward(self, x: Tensor) -> Tensor:
        s, axis = self._structure, self._axis
        self._check(x, s.dimension + s.blocks)
        y, scalars = torch.split(x, [s.dimension, s.blocks], axis)
        return y * s.of_blocks(self.f(scalars.real if scalars.is_complex() else scalars), axis)


class NormActivation(FieldModule):
    """y = f(|x| + b) x / |x|, each block of V by its norm, directions kept; exactly equivariant for every real V whose
    group keeps a symmetric form.

    A block is an orbit of coordinates or a copy of a summand, and |x| its norm in the inner product that the group
    keeps. So that y is smooth at 0 too, it is taken as sqrt(|x|^2 + eps^2). Where a finite factor of the group permutes
    points, as S5 does in "perm # vector" of S5 x O(3), each point has its norm.

    Groups that are not compact, such as SO+(1,3), keep an indefinite form <x, x>. The size of a block is then the root
    of |<x, x>|, taken as (<x, x>^2 + eps^2)^(1/4): smooth at 0 and at null vectors.

    Fields may be complex: |x| is the modulus, and the phase stays. dtype complex64 means a bias of float32.

    Parameters
    ----------
    V
        The type of the field.
    f
        A function or module of each norm. Its value at b should be 0 or little, since y changes from 0 to it within
        eps.
    channels
        How many fields x has.
    bias
        Whether there is a b.
    eps
        Where the norm is rounded off.
    axes
        How many axes of a grid follow.
    whole
        One norm for all points of an orbit, instead of one for each.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    bias
        [blocks, channels], 0 at first.

    Shape
    -----
    [..., channels, dim V, *grid] to the same.

    Raises
    ------
    DomainError
        If the group keeps no symmetric form, or more than one, or x has another shape.

    References
    ----------
    Worrall et al. 2017 (harmonic networks).

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import NormActivation
    >>> half = NormActivation(Group("SO(3)").rep("vector"), lambda r: r / 2, bias=False)
    >>> half(torch.tensor([[3.0, 0.0, 4.0]]))
    tensor([[1.5000, 0.0000, 2.0000]])

    See Also
    --------
    GatedActivation : Scalars of their own multiply the field.
    """

    _per_point = True
    _takes_complex = _real_parameters = True
    bias: nn.Parameter | None

    def __init__(
        self,
        V: FieldType,
        f: Callable[[Tensor], Tensor] = torch.relu,
        channels: int = 1,
        bias: bool = True,
        eps: float = 1e-3,
        *,
        axes: int = 0,
        whole: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels if bias else None, axes, whole)
        if not eps > 0:
            raise DomainError(f"eps is a positive number, not {eps!r}")
        self.f, self.eps = f, eps
        shape = (self._structure.orbits, integer("channels", channels, 1))
        dtype = dtype.to_real() if dtype is not None and dtype.is_complex else dtype
        self.register_parameter("bias", nn.Parameter(torch.zeros(shape, device=device, dtype=dtype)) if bias else None)
        if self.bias is not None:
            self._structure.constants.on(self.bias.device)

    def forward(self, x: Tensor) -> Tensor:
        self._check(x)
        s, axis = self._structure, self._axis
        norm = s.norms(x, axis, self.eps)
        at = norm
        if self.bias is not None:
            bias = self.bias.real if self.bias.is_complex() else self.bias  # after module.to(torch.complex64)
            b = s.of_orbits(bias.t(), -1)
            at = norm + b.reshape(*b.shape, *(1 for _ in range(self.axes)))
        return x * s.of_blocks(self.f(at) / norm, axis)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, eps={self.eps}{'' if self.bias is not None else ', bias=False'}"


class SampledActivation(Derived):
    """y = T f(S x): a vector of V as a function on samples of the group, f at each sample, and back to V.

    x [..., channels, dim V, *grid]. S is an inverse Fourier transform, T the transform: T S = 1, and both keep the
    inner product up to scale; S x has about the variance of x.

    samples:

    - None: all elements of the group (the regular representation). S and T commute with the group, which permutes the samples:
      the layer is exactly equivariant for every f.
    - a Representation that permutes its basis: cosets, points, 2 * regular. Exactly equivariant as well, and cheaper or roomier.
    - an integer: so many random elements, for groups too large for the above. The group does not permute them, and the layer is
      equivariant only about: `error` says how far.

    exact: is it equivariant up to rounding? error: 0.0 if so; otherwise the root of the mean square of f(g x) - g f(x),
    for normal x and random g, beside that of f(x), measured when the layer is made.

    V must fit in functions on the samples: each irreducible constituent at most as often as there (in the regular
    representation its degree); DomainError says which does not.

    f: a function or module of each sample, which sees [..., channels, samples, *grid]. channels: how many f wants to
    see. Cost: 2 dim V * samples for each channel. Source: Cohen et al. 2018 (spherical CNNs); Cesa, Lang and Weiler
    2022.
    """

    def __init__(
        self,
        V: Representation,
        f: Callable[[Tensor], Tensor],
        samples: Representation | int | None = None,
        channels: int = 1,
        *,
        axes: int = 0,
        seed: int = 0,
    ) -> None:
        super().__init__()
        if not is_finite(V):
            raise DomainError(
                f"samples are those of a finite group, not for {V}: use GatedActivation(V) or NormActivation(V)"
            )
        self.axes = integer("axes", axes, 0)
        self.f, self._of = f, str(V)
        if complex_ := _not_real(V):
            raise DomainError(complex_)
        points = Group("S4").rep("perm")
        with real_tensors():
            pointwise = check_equivariance(f, points, points, channels, batch=10)
        if not pointwise:
            raise DomainError(
                f"{_name(f)} is not a function of each sample alone: moved samples are {pointwise.reason}"
            )
        self.exact = samples is None or isinstance(samples, Representation)
        with real_tensors():  # wherever the module is built: there are numbers to look at
            if samples is None or isinstance(samples, Representation):
                W = V.group.rep("regular") if samples is None else samples
                S, T = _embedding(V, W)
                self._on = str(W)
            else:
                S, T = _evaluations(V, _random_elements(V, integer("samples", samples, 1), seed))
                self._on = f"{samples} elements"
            self._constants: Constants = Constants(S=S, T=T)
            self.error = 0.0 if self.exact else self._measured(V, channels, seed)

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return len(self._constants.on(torch.device("cpu"))["S"])

    def forward(self, x: Tensor) -> Tensor:
        require_tensor(x)
        S, T = self._constants.like("S", x), self._constants.like("T", x)
        axis = -1 - self.axes
        if x.dim() < self.axes + 2 or x.shape[axis] != S.shape[1]:
            grid = ", *grid" if self.axes else ""
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes [..., channels, {S.shape[1]}{grid}] (channels, dim V)"
            )
        return on_axis(T, self.f(on_axis(S, x, axis)), axis)

    def _measured(self, V: Representation, channels: int, seed: int) -> float:
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(256, channels, V.dimension, generator=generator, dtype=torch.float64)
        S, T = self._constants.like("S", x), self._constants.like("T", x)
        f = with_numbers(self.f)
        own = next(iter(f.parameters()), x) if isinstance(f, nn.Module) else x

        def run(x: Tensor) -> Tensor:
            return f((x @ S.t()).to(own)).to(x) @ T.t()

        with torch.no_grad(), torch.random.fork_rng():
            y = run(x)
            total = 0.0
            for k in range(8):
                g = Action(V, V.group.random_element(seed + k + 1), x)
                total += float((run(g(x, -1)) - g(y, -1)).square().mean())
            return math.sqrt(total / 8 / max(float(y.square().mean()), 1e-300))

    def extra_repr(self) -> str:
        return f"on {self._of}, by {self._on}{'' if self.exact else f', error={self.error:.2g}'}"


def _spread(n: int, k: int) -> Tensor:
    """Numbers between -1/2 and 1/2 without relation, the same everywhere and always."""
    return (torch.arange(1, n + 1, dtype=torch.float64) * math.sqrt(2 + 3 * k)).frac() - 0.5


def _root(V: Representation) -> Tensor:
    """L with L^T L the inner product that the group keeps."""
    s = structure(V)
    one = torch.eye(V.dimension, dtype=torch.float64)
    return s.put([s.euclidean(s.take(one, kind, -1), kind, -1) for kind in s.kinds], -1).t()


def _embedding(V: Representation, W: Representation) -> tuple[Tensor, Tensor]:
    """S of V >> W that keeps the inner product up to scale, and T of W >> V with T S = 1.

    Some map S0 of V >> W, in coordinates where the inner product is standard, times (S0^T S0)^(-1/2), which commutes
    with the group.
    """
    if W.group != V.group:
        raise DomainError(f"{V} and the samples {W} are representations of different groups")
    if not W.is_permutation:
        raise DomainError(
            f"the samples {W} are not permuted by the group: use a representation that permutes its basis, such as regular"
        )
    layer = Linear(V, W, bias=False, dtype=torch.float64)
    L = _root(V)
    best: tuple[float, Tensor, Tensor, Tensor] | None = None
    for k in range(4 if layer.theta.numel() else 0):
        with torch.no_grad():
            layer.theta.copy_(_spread(layer.theta.numel(), k).view(layer.theta.shape))
            S0 = layer.weight() @ torch.linalg.inv(L)
        U, sizes, right = torch.linalg.svd(S0, full_matrices=False)
        if sizes.shape[0] == V.dimension and (best is None or float(sizes[-1] / sizes[0]) > best[0]):
            best = (float(sizes[-1] / sizes[0]), U, sizes, right)
    if best is None or best[0] < 1e-9:
        raise DomainError(_does_not_fit(V, W))
    scale = math.sqrt(W.dimension / V.dimension)
    isometry = best[1] @ best[3]
    return (scale * isometry @ L).contiguous(), (torch.linalg.solve(L, isometry.t()) / scale).contiguous()


def _does_not_fit(V: Representation, W: Representation) -> str:
    room = {tuple(c.irreps): c.multiplicity for c in W.decompose("real")}
    for c in V.decompose("real"):
        k = tuple(c.irreps)
        if c.multiplicity > room.get(k, 0):
            name = " + ".join(f"irrep({i + 1})" for i in k)
            many = [f"{n} time{'' if n == 1 else 's'}" for n in (c.multiplicity, room.get(k, 0))]
            fits = f"{many[0]}, and functions on the samples of {W} only {many[1]}"
            return f"{V} contains {name} {fits}: use more samples, such as 2*regular"
    return f"{V} does not fit in functions on the samples of {W}: use more samples, such as 2*regular"


def _random_elements(V: Representation, count: int, seed: int) -> list[Permutation]:
    if count >= V.group.order:
        raise DomainError(f"{V.group.name} has {V.group.order} elements: leave samples out to take them all")
    if count < V.dimension:
        raise DomainError(
            f"{count} samples cannot tell the {V.dimension} coordinates of {V} apart: use at least {V.dimension}"
        )
    found: dict[Permutation, None] = {}
    k = 0
    while len(found) < count:
        found[V.group.random_element(seed * 1000003 + k)] = None
        k += 1
    return list(found)


def _evaluations(V: Representation, elements: list[Permutation]) -> tuple[Tensor, Tensor]:
    """S x = the values of g -> <a, g^-1 x> at the elements, for a vector a; T its pseudoinverse."""
    matrices = torch.stack(
        [torch.from_numpy(numpy.asarray(V.matrix(g.inverse()), dtype=numpy.float64)) for g in elements]
    )
    L = _root(V)
    best: tuple[float, Tensor] | None = None
    for k in range(4):
        S = (_spread(V.dimension, k) @ L) @ matrices
        sizes = torch.linalg.svdvals(S @ torch.linalg.inv(L))
        if best is None or float(sizes[-1] / sizes[0]) > best[0]:
            best = (float(sizes[-1] / sizes[0]), S)
    assert best is not None
    if best[0] < 1e-9:
        raise DomainError(_does_not_fit(V, V.group.rep("regular")))
    S = best[1] * (math.sqrt(len(elements)) / float(torch.linalg.matrix_norm(best[1])))
    return S, torch.linalg.pinv(S)
