"""Is a module equivariant? Measured, on any module."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Error, Representation
from .._elements import AnyElement, permutes_coordinates, tried
from .._errors import brief
from ._fields import FieldType, counted, has_numbers, one_group, real_matrix, require_representations, sites_of
from ._sums import parts_of

__all__ = ["EquivarianceReport", "check_equivariance"]

_TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4, torch.bfloat16: 1e-1, torch.float16: 2e-2}


@dataclass(frozen=True)
class EquivarianceReport:
    """What check_equivariance found. True in conditions if the module passed."""

    equivariant: bool
    error: float
    """The largest |f(g x) - g f(x)| / |f(x)|, in the largest entries of a sample; of gradients alike. A sample whose
    terms cancel is compared with the rounding of the largest one."""
    tolerance: float
    element: AnyElement | None
    """The element of the group for which the error is largest, in words by str; None if the module failed otherwise, or
    for the group of one element."""
    argument: str
    """Where: "forward", "backward", or "" if nothing was compared."""
    reason: str
    """One sentence."""

    def __bool__(self) -> bool:
        return self.equivariant

    def __str__(self) -> str:
        return self.reason


_DENSE = 1024
"""Up to this dimension rho(g) is one matrix."""


def _matrix(V: FieldType, g: Any, like: Tensor) -> Tensor:
    if like.is_complex():
        return torch.from_numpy(numpy.asarray(V.matrix(g), dtype=numpy.complex128)).to(like)
    return torch.from_numpy(real_matrix(V, g)).to(like)


def _summands(V: FieldType) -> list[tuple[int, FieldType]]:
    """Multiplicities and representations whose copies, one after the other, have the coordinates of V."""
    found: list[tuple[int, FieldType]] = []
    for copies, part in parts_of(V):
        inner = [(m, R) for m, R in part.summands() if m and R.dimension]
        found += inner if copies == 1 and len(inner) > 1 and all(m == 1 for m, _ in inner) else [(copies, part)]
    return found


class Action:
    """rho(g) on one axis of tensors: as a permutation with signs where it is one, otherwise as a matrix, or as one for
    each summand of a large sum. Its transpose is the adjoint, by which gradients of real functions move."""

    def __init__(self, V: FieldType, g: Any, like: Tensor) -> None:
        n = V.dimension
        self.index: Tensor | None = None
        if permutes_coordinates(V):
            index, sign = numpy.zeros(n, dtype=numpy.int64), numpy.zeros(n)
            exact: Any = V.matrix(g)
            for row, col, value in exact.entries():
                index[row], sign[row] = col, float(value)
            self.index = torch.from_numpy(index).to(like.device)
            self.back = torch.from_numpy(numpy.argsort(index)).to(like.device)
            self.sign = torch.from_numpy(sign).to(like)
        else:
            parts = [(1, V)] if n <= _DENSE else _summands(V)
            known = {R: _matrix(R, g, like) for R in dict.fromkeys(R for _, R in parts)}
            self.matrices = [(copies, known[R]) for copies, R in parts]

    @property
    def matrix(self) -> Tensor:
        """rho(g) as one matrix, where it is no permutation with signs."""
        blocks = [A for copies, A in self.matrices for _ in range(copies)]
        return blocks[0] if len(blocks) == 1 else torch.block_diag(*blocks)

    def __call__(self, x: Tensor, axis: int, transpose: bool = False) -> Tensor:
        x = x.movedim(axis, -1)
        if self.index is None:
            pieces = x.split([copies * len(A) for copies, A in self.matrices], -1)
            moved = [
                (part.unflatten(-1, (copies, -1)) @ (A.conj() if transpose else A.t())).flatten(-2)
                for part, (copies, A) in zip(pieces, self.matrices)
            ]
            y = moved[0] if len(moved) == 1 else torch.cat(moved, -1)
        elif transpose:
            y = (x * self.sign).index_select(-1, self.back)
        else:
            y = x.index_select(-1, self.index) * self.sign
        return y.movedim(-1, axis)


class _Sides:
    """rho(g) on [batch, channels, dim, *grid]: the representation on the third axis, the sites of the grid moved."""

    def __init__(
        self, V: FieldType, grid: Sequence[int], g: Any, like: Tensor, axes: Representation | None = None
    ) -> None:
        self.grid = tuple(grid)
        self.dim = Action(V, g, like)
        self.sites = Action(sites_of(V.group, self.grid, axes), g, like) if grid else None

    def __call__(self, x: Tensor, transpose: bool = False) -> Tensor:
        x = self.dim(x, 2, transpose)
        if self.sites is not None:
            x = self.sites(x.flatten(3), 3, transpose).unflatten(3, self.grid)
        return x


def _inputs(shape: Sequence[int], like: Tensor, seed: int) -> Tensor:
    """Zero, one coordinate, and normal ones of three scales: a bias, a position and a threshold show in different ones."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(shape, generator=generator, dtype=_widest(like), device="cpu")
    scales = [0.0, 1.0, 0.1, 1.0, 10.0]
    for k in range(shape[0]):
        x[k] *= scales[k % len(scales)]
    if shape[0] > 1:
        flat = x[1].reshape(-1)
        value = flat[0].clone()
        flat.zero_()
        flat[0] = value
    return x.to(like)


def _widest(like: Tensor) -> torch.dtype:
    return torch.complex128 if like.is_complex() else torch.float64


def with_numbers(module: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The module; if it has none, on meta or of fake tensors, a copy on the CPU whose parameters have some numbers,
    always the same."""
    if not isinstance(module, nn.Module) or all(map(has_numbers, (*module.parameters(), *module.buffers()))):
        return module
    kept: dict[int, Any] = {id(b): torch.empty(b.shape, dtype=b.dtype, device="cpu") for b in module.buffers()}
    for p in module.parameters():
        kept[id(p)] = nn.Parameter(torch.empty(p.shape, dtype=p.dtype, device="cpu"), p.requires_grad)
    found = copy.deepcopy(module, kept)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in found.parameters():
            if p.dtype.is_floating_point or p.dtype.is_complex:
                p.normal_(generator=generator)
        for b in found.buffers():  # such as running means and variances
            b.fill_(1)
    return found


def _error(a: Tensor, b: Tensor, tolerance: float) -> float:
    """The largest difference in a sample, beside its largest entry. Where terms cancel to nothing, as at the input 0,
    their rounding is left; so differences that would be rounding of the largest sample are within the tolerance."""
    if a.numel() == 0:
        return 0.0
    rounding = 16 * torch.finfo(a.dtype if a.dtype.is_floating_point or a.dtype.is_complex else torch.float64).eps
    a, b = (t.flatten(1).to(_widest(t)) for t in (a, b))
    size = torch.maximum(a.abs().amax(1), b.abs().amax(1))
    size = torch.maximum(size, size.max() * min(1.0, rounding / tolerance if tolerance > 0 else 0.0))
    size = torch.where(size > 0, size, torch.ones_like(size))
    return float(((a - b).abs().amax(1) / size).max())


class _Kept:
    """Buffers, gradients and random numbers are after the check what they were before."""

    def __init__(self, module: Callable[[Tensor], Tensor]) -> None:
        buffers = module.buffers() if isinstance(module, nn.Module) else ()
        self.buffers = [(b, b.clone()) for b in buffers]

    def restore(self) -> None:
        with torch.no_grad():
            for buffer, value in self.buffers:
                buffer.copy_(value)


def check_equivariance(
    module: Callable[[Tensor], Tensor],
    V: FieldType,
    U: FieldType,
    in_channels: int | None = None,
    *,
    grid: Sequence[int] = (),
    axes: Representation | None = None,
    batch: int = 5,
    elements: int | Sequence[AnyElement] = 4,
    backward: bool = True,
    tolerance: float | None = None,
    dtype: torch.dtype | None = None,
    seed: int = 0,
) -> EquivarianceReport:
    """Compares f(rho_V(g) x) with rho_U(g) f(x), and the gradients likewise, for the generators of the group and more
    elements.

    A module that passes is equivariant on these inputs up to the tolerance; one that fails is not. Layers of tables are
    equivariant by proof: intertwine.verify.

    Parameters
    ----------
    module
        Takes [batch, in_channels, dim V, *grid] and gives [batch, *, dim U, *grid]; any function or module, in the mode
        (train or eval), dtype and device in which it is. Its buffers and the state of random numbers are left as they
        were. Of a module on meta a copy with random parameters is looked at.
    V, U
        The types of inputs and outputs. All representations act at the same element.
    in_channels
        By default `module.in_channels`, or 1.
    grid
        The sizes of an image whose sites the point group moves too, (9, 9).
    axes
        How the group acts on the axes of the grid, as in Conv2d.
    batch
        How many inputs are drawn.
    elements
        How many random ones beside the generators, drawn by `seed`, or a list of those to try. Generators of a
        continuous group are exp X for the generators X of its Lie algebra, and its components; random elements are
        G.random_element(seed): any in a compact group, of bounded size in one that is not.
    backward
        Whether gradients are compared.
    tolerance
        By default 1e-9 for float64, 1e-4 for float32.
    dtype
        Of the inputs, by default that of the module's parameters; functions and modules without any are given float64,
        those around layers in float32 need dtype=torch.float32. Where it is complex, so are inputs and representations
        may be, such as those of SU(2).
    seed
        Of inputs and elements.

    Returns
    -------
    EquivarianceReport
        True where nothing differs; otherwise it names the element and says how far outputs or gradients are apart.

    Raises
    ------
    DomainError
        If V and U are of different groups.

    Notes
    -----
    Cost: 2 + 2 (generators + elements) calls of the module.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import check_equivariance
    >>> V = Group("S3").rep("perm")
    >>> bool(check_equivariance(torch.sin, V, V)), bool(check_equivariance(lambda x: x.cumsum(-1), V, V))
    (True, False)

    See Also
    --------
    symmetrize : Makes any module equivariant.
    """
    require_representations(V, U)
    one_group(V, U)
    grid = tuple(grid)
    if grid:
        sites_of(V.group, grid, axes)
    chosen = tried(V.group, elements, seed)
    channels = in_channels or int(getattr(module, "in_channels", 1))
    module = with_numbers(module)
    parameters = list(module.parameters()) if isinstance(module, nn.Module) else []
    parameters = [p for p in parameters if p.dtype.is_floating_point or p.dtype.is_complex]
    like = parameters[0].detach() if parameters else torch.empty(0, dtype=torch.float64, device="cpu")
    like = like if dtype is None else like.to(dtype)
    limit = _TOLERANCE.get(like.real.dtype, 1e-4) if tolerance is None else tolerance
    x = _inputs((batch, channels, V.dimension, *grid), like, seed)
    kept = _Kept(module)
    try:
        with torch.random.fork_rng(), like.device:
            return _check(module, V, U, x, grid, axes, chosen, backward, limit, seed)
    finally:
        kept.restore()


def commutes_with_moves(
    f: Callable[[Tensor], Tensor], moves: Sequence[tuple[Sequence[int], Sequence[float]]], n: int, channels: int
) -> str:
    """Why f on [batch, channels, n] does not commute with these permutations of coordinates up to signs, empty if it
    does on random inputs. What commutes with generators commutes with a group, whose other elements are not tried."""
    f = with_numbers(f)
    parameters = [p for p in f.parameters() if p.dtype.is_floating_point] if isinstance(f, nn.Module) else []
    like = parameters[0].detach() if parameters else torch.empty(0, dtype=torch.float64, device="cpu")
    x, limit = _inputs((10, channels, n), like, 0), _TOLERANCE.get(like.dtype, 1e-4)
    for index, signs in moves:
        at, sign = torch.tensor(index, device=like.device), torch.tensor(signs).to(like)
        with torch.no_grad(), torch.random.fork_rng():
            try:
                y, moved = f(x), f(x[..., at] * sign)
            except (RuntimeError, ValueError, IndexError) as refused:
                raise _not_taken(refused, x) from refused
        if y.shape[-1] != n:
            return f"the output has the shape {list(y.shape)}, not [10, channels, {n}]"
        error = _error(moved, y[..., at] * sign, limit)
        if not error <= limit:
            return f"not equivariant: f(g x) and g f(x) differ by {error:.1e}"
    return ""


def _not_taken(error: Exception, x: Tensor) -> Exception:
    """What is to be said of a module that takes no inputs like x."""
    text = str(error)
    first = text.strip().partition("\n")[0]
    if x.dtype == torch.float64 and any(word in text.lower() for word in ("float64", "double")):
        return DomainError(
            f"the inputs are of torch.float64, which the module does not take: give dtype=torch.float32 ({first})"
        )
    if isinstance(error, Error):
        return error
    shape = f"[batch, channels, dim{', *grid' if x.dim() > 3 else ''}] = {list(x.shape)}"
    return DomainError(
        f"the function does not take inputs {shape}: it should act on fields of dimension {x.shape[2]}, and say how many channels it wants ({first})"
    )


def _failed(reason: str, tolerance: float, argument: str = "") -> EquivarianceReport:
    return EquivarianceReport(False, float("inf"), tolerance, None, argument, reason)


def _check(
    module: Callable[[Tensor], Tensor], V: FieldType, U: FieldType, x: Tensor, grid: tuple[int, ...],
    axes: Representation | None, elements: list[AnyElement],
    backward: bool, tolerance: float, seed: int,
) -> EquivarianceReport:  # fmt: skip
    def run(at: Tensor, cotangent: Callable[[Tensor], Tensor] | None = None) -> tuple[Tensor, Tensor | None]:
        with torch.enable_grad():
            at = at.detach().requires_grad_(cotangent is not None)
            y = module(at)
            if not isinstance(y, Tensor):
                return y, None
            if cotangent is None or not y.requires_grad:
                return y.detach(), None
            (dx,) = torch.autograd.grad(y, at, cotangent(y.detach()), allow_unused=True)
        return y.detach(), torch.zeros_like(at) if dx is None else dx

    try:
        y, _ = run(x)
    except (RuntimeError, ValueError, IndexError) as refused:  # DomainError is a ValueError
        raise _not_taken(refused, x) from refused
    if not isinstance(y, Tensor) or y.dim() != x.dim() or y.shape[0] != x.shape[0] or y.shape[2] != U.dimension:
        shape = list(y.shape) if isinstance(y, Tensor) else type(y).__name__
        return _failed(
            f"the output has the shape {shape}, not [{x.shape[0]}, channels, {U.dimension}{', ...' if grid else ''}]",
            tolerance,
        )
    if not bool(torch.isfinite(y).all()):
        return _failed("the output is not finite", tolerance)
    if _error(y, run(x)[0], tolerance) > tolerance:
        return _failed(
            "the module gives different outputs for the same input: call module.eval() first if it has random parts",
            tolerance,
        )
    chosen = torch.Generator().manual_seed(seed + 1)
    v = torch.randn(y.shape, generator=chosen, dtype=_widest(y), device="cpu").to(y)
    worst: dict[str, tuple[float, AnyElement | None]] = {"forward": (0.0, None), "backward": (0.0, None)}
    for g in elements:
        on_x, on_y = _Sides(V, grid, g, x, axes), _Sides(U, tuple(y.shape[3:]), g, y, axes)
        moved, gradient = run(on_x(x), (lambda _: v) if backward else None)
        errors = {"forward": _error(moved, on_y(y), tolerance)}
        if gradient is not None:
            straight = run(x, lambda _, on_y=on_y: on_y(v, transpose=True))[1]  # type: ignore[misc]
            assert straight is not None
            errors["backward"] = _error(on_x(gradient, transpose=True), straight, tolerance)
        for where, error in errors.items():
            if not error <= worst[where][0]:
                worst[where] = (error, g)
    # Gradients of what is not equivariant are not either: they are the news only where the outputs are right.
    argument = "forward" if not worst["forward"][0] <= tolerance else max(worst, key=lambda where: worst[where][0])
    error, element = worst[argument]
    passed = error <= tolerance
    reason = (
        f"equivariant to {error:.1e} on {counted(len(elements), 'element')} of {V.group.name}"
        if passed
        else f"not equivariant: {'f(g x) and g f(x)' if argument == 'forward' else 'the gradients at g x and x'} differ by {error:.1e} for g = {brief(str(element))}"
    )
    return EquivarianceReport(passed, error, tolerance, element, argument, reason)
