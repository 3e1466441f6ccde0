"""The facts that modules around linear layers know of a representation: which coordinates the group keeps together, the
form that it keeps, and the vectors that it fixes.

The coordinates of V fall into blocks, the finest sets that no generator connects: the orbits where V permutes its
basis, the summands as they are written otherwise. Blocks with the same matrices are copies of one kind, wherever they
stand; V = 16*perm has one kind with 16 copies. Kinds come in the order of their first coordinates, and so do the copies
of each.

Where a finite group permutes what a continuous one acts on, as S5 does in perm # vector of S5 x O(3), such a block
falls into points: the sets that the continuous factor alone keeps together. Most modules act on each point.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation
from .._features import integer, one_group, require_representations
from .._kinds import is_classical, is_finite_group
from . import _ops
from ._forms import analysis_of, blocks_of, entries_of, is_orthogonal, not_real, signature_of
from ._points import has_points, points_of, scalars_of
from ._tables import Constants, has_numbers, real_tensors

__all__ = [
    "Constants", "Derived", "FieldModule", "FieldType", "Kind", "Structure", "by_parts", "counted", "grid_of", "has_numbers", "has_points",
    "integer", "is_orthogonal", "on_axis", "one_group", "real_matrix", "real_tensors", "require_like", "require_representations",
    "require_tensor", "scalars_of", "sites_of", "squared", "structure", "wide",
]  # fmt: skip


FieldType = Representation
"""What a field is of the type of: a representation of a finite group, or of a real one such as SO(3)."""


AT_LEAST_1 = "an integer of at least 1"


def sites_of(group: Group, sizes: Sequence[int], axes: Representation | None = None) -> Representation:
    """How the group moves the sites of a grid or window of these sizes: by itself, or as R acts on the axes."""
    if not is_finite_group(group):
        raise DomainError(
            f"a grid is moved by a finite group, and {group.name} is none; SteerableConv2d and 3d have turning_error()"
        )
    if group.order == 1 and axes is not None:  # said so on purpose; kernel(...) refuses it, since it ties nothing
        return group.rep(f"{math.prod(sizes)}*trivial")
    try:
        return group.rep(f"kernel({','.join(map(str, sizes))}{f', {axes.expression}' if axes is not None else ''})")
    except DomainError as error:
        word, _, text = str(error).partition(": ")
        said, found, _ = text.partition("; kernel(" if word == "kernel" else "; ")
        if axes is None and "off the grid" in str(error) and len(sizes) == 2:
            raise DomainError(
                f"{str(error).rstrip('.')}: SteerableConv2d takes fields of {group.name}, sampled"
            ) from None
        if axes is not None or not found or word not in ("kernel", "coordinates"):
            raise
        raise DomainError(
            f"{said}: give axes=R, a representation of {group.name} that permutes the {len(sizes)} axes up to signs"
        ) from None


def counted(n: int, word: str) -> str:
    """How messages write so many of something: "1 site", "2 sites"."""
    return f"{n} {word}{'' if n == 1 else 's'}"


def grid_of(axes: int) -> str:
    """How messages write the axes of a grid: "L", "H, W", "H, W, D"."""
    return ", ".join("HWD"[:axes] if 1 < axes < 4 else ["L"] * axes)


def require_tensor(x: Any, what: str = "the input") -> None:
    """DomainError for an input that is no tensor."""
    if not isinstance(x, Tensor):
        name = "x" if what == "the input" else what
        hint = "" if x is None else f": write torch.as_tensor({name}), and mind its dtype"
        raise DomainError(f"{what} is a tensor, not {'None' if x is None else type(x).__name__}{hint}")


def require_like(x: Tensor, own: Tensor, what: str) -> None:
    """Refuses an input of another dtype, unless autocast changes it, or of another device than the module's own
    tensors."""
    if x.dtype != own.dtype and not _ops.autocasts(x):
        raise DomainError(
            f"the input is {x.dtype} and the {what} {own.dtype}: convert one, x.to(...) or {what}.to(...)"
        )
    if x.device != own.device:
        raise DomainError(
            f"the input is on {x.device} and the {what} on {own.device}: move one, x.to(...) or {what}.to(...)"
        )


class Derived(nn.Module):
    """A module with parts that follow from the rest: no buffers, shared between modules, never stored or copied, but
    made again where a copy is loaded.

    What is not made again is in `_constants`, which copies share. So every module has its numbers wherever it was
    built, on meta too.
    """

    _derived: tuple[str, ...] = ()  # their names
    _constants: Constants | None = None

    def _connect(self) -> None:
        """Makes them. Never in forward, where tensors may be fake."""

    def _on_device(self, device: torch.device) -> None:
        """Copies them to a device, before a tensor from there comes."""
        if self._constants is not None:
            self._constants.on(device)

    def _load_from_state_dict(self, *arguments: Any) -> None:
        super()._load_from_state_dict(*arguments)
        for parameter in self.parameters(recurse=False):  # which may be others now, on another device
            self._on_device(parameter.device)

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        result = super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._on_device(fn(torch.empty(0)).device)
        return result

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self._derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]
        self._connect()
        for parameter in self.parameters():
            self._on_device(parameter.device)


def wide(x: Tensor) -> Tensor:
    """Sums of squares of 16 bits are taken in 32."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def by_parts(f: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """f(x) of a linear function for which PyTorch has no complex kernel."""
    return torch.complex(f(x.real), f(x.imag)) if x.is_complex() else f(x)


def real_matrix(V: FieldType, g: Any) -> numpy.ndarray[Any, numpy.dtype[numpy.float64]]:
    """rho(g) in floats; DomainError if it is not real."""
    numbers = numpy.asarray(V.matrix(g), dtype=numpy.complex128)
    if abs(numbers.imag).max(initial=0) > 0:
        raise DomainError(f"the matrices of {V} are not real (their field is {V.field}); take V.real()")
    return numbers.real.copy()


def on_axis(A: Tensor, x: Tensor, axis: int) -> Tensor:
    """The matrix A on one axis of x, counted from the end: axis -1 is x @ A^T."""
    if axis == -1:
        return x @ A.t()
    return torch.unflatten(A @ x.flatten(axis + 1), -1, x.shape[axis + 1 :])


class Kind(NamedTuple):
    """Blocks of n coordinates with the same matrices. Its tensors are constants of the structure, named by its number."""

    number: int
    copies: int  # blocks, the points of one orbit behind each other
    n: int
    shape: str  # "permutation", "signed" or "mixed"
    start: int | None  # where the coordinates begin if they stand together in order, otherwise an index is kept
    first: int  # the number of its first block
    invariants: int  # the dimension of the fixed vectors of a block
    first_invariant: int  # the number of its first invariant
    orthogonal: bool
    coordinate: int  # its first coordinate, for messages
    unmeasured: str  # why there is no form, empty if there is one
    signature: tuple[int, int] | None  # how many squares of an indefinite form are positive and negative
    points: int  # of each orbit, 1 where blocks are whole
    first_orbit: int  # the number of its first orbit of points
    moves: tuple[tuple[int, ...], ...]  # how the generators of finite factors permute the points, where there are some

    @property
    def orbits(self) -> int:
        """Copies with all their points: what has parameters of its own."""
        return self.copies // self.points


class Structure:
    """Blocks, invariant form and fixed vectors of V.

    The form is an inner product wherever the group keeps one: the mean over the group of the standard one, scaled in
    each block to the trace n, and the standard one itself where the matrices are orthogonal, as those of permutations
    with signs are. Of SO(n) and O(n) it is that of the orthonormal basis, the same in irreducible blocks; of SU(n) and
    U(n) the Hermitian one, which is a real matrix in coordinates with rational maps. Where a group
    that is not compact acts it is the one invariant symmetric form, if there is one, indefinite as that of Minkowski;
    absolute values of its eigenvalues have the sum n, and the first basis vector whose square is not zero has a positive
    one.

    whole: are orbits of points one block each? Otherwise each point is a block, and what an orbit has in common
    (parameters, invariants) is there once.
    """

    def __init__(self, V: FieldType, whole: bool = True) -> None:
        generators, algebra = entries_of(V)
        self.dimension, self.is_complex = V.dimension, is_classical(V) and V.is_complex
        if not self.dimension:
            raise DomainError(f"{V} has no coordinates")
        found = blocks_of(V, generators)
        split = [None if whole else points_of(V, matrices, len(places[0])) for places, matrices in found]
        analysed = analysis_of(V, algebra)
        self.blocks = sum(
            len(places) * (len(points.sets) if points else 1) for (places, _), points in zip(found, split)
        )
        self.kinds: list[Kind] = []
        tensors: dict[str, Tensor] = {}
        order: list[int] = []
        of_block = numpy.zeros(V.dimension, dtype=numpy.int64)
        of_orbit: list[int] = []
        invariants = first = orbits = 0
        for k, ((places, matrices), points) in enumerate(zip(found, split)):
            count = 1
            if points is not None:
                count, matrices = len(points.sets), points.matrices
                places = [[place[i] for i in those] for place in places for those in points.sets]
            flat = [c for place in places for c in place]
            n = len(places[0])
            together = flat == list(range(flat[0], flat[0] + len(flat)))
            shape, basis, means, form = analysed(V, matrices, places[0])
            signature = signature_of(form) if isinstance(form, numpy.ndarray) else None
            self.kinds.append(
                Kind(
                    k,
                    len(places),
                    n,
                    shape,
                    flat[0] if together else None,
                    first,
                    basis.shape[1],
                    invariants,
                    form is None,
                    flat[0],
                    form if isinstance(form, str) else "",
                    signature,
                    count,
                    orbits,
                    () if points is None else points.moves,
                )
            )
            for c, place in enumerate(places):
                of_block[place] = first + c
            of_orbit += [orbits + c // count for c in range(len(places))]
            first += len(places)
            orbits += len(places) // count
            invariants += len(places) // count * basis.shape[1]
            order += flat
            if not together:
                tensors[f"index{k}"] = torch.tensor(flat)
            if basis.shape[1]:
                tensors[f"basis{k}"], tensors[f"means{k}"] = (
                    torch.from_numpy(basis.copy()),
                    torch.from_numpy(means.copy()),
                )
            if isinstance(form, numpy.ndarray) and signature is None:
                tensors[f"root{k}"] = torch.linalg.cholesky(torch.from_numpy(form)).t().contiguous()
            elif isinstance(form, numpy.ndarray):
                tensors[f"form{k}"] = torch.from_numpy(form.copy())
        self.invariants, self.orbits = invariants, orbits
        self.in_order = order == list(range(V.dimension))
        if not self.in_order:
            tensors["back"] = torch.tensor(numpy.argsort(order))
        if self.blocks > 1:
            tensors["block"] = torch.from_numpy(of_block)
        if self.blocks > orbits:
            tensors["orbit"] = torch.tensor(of_orbit)
        self.constants = Constants(**tensors)

    @property
    def shape(self) -> str:
        """What the whole does to coordinates: the worst of "permutation", "signed", "mixed"."""
        return max(
            (kind.shape for kind in self.kinds), key=["permutation", "signed", "mixed"].index, default="permutation"
        )

    def take(self, x: Tensor, kind: Kind, axis: int) -> Tensor:
        """The coordinates of one kind: the axis of dim V becomes two, copies and n."""
        if len(self.kinds) > 1 or kind.start is None:
            if kind.start is None:
                x = x.index_select(axis, self.constants.like(f"index{kind.number}", x))
            else:
                x = x.narrow(axis, kind.start, kind.copies * kind.n)
        return torch.unflatten(x, axis, (kind.copies, kind.n))

    def put(self, parts: list[Tensor], axis: int) -> Tensor:
        """The field of what take gave, one part for each kind; the axes of copies and n become one."""
        flat = [part.flatten(axis - 1, axis) for part in parts]
        x = flat[0] if len(flat) == 1 else torch.cat(flat, axis)
        return x if self.in_order else x.index_select(axis, self.constants.like("back", x))

    def of_blocks(self, s: Tensor, axis: int) -> Tensor:
        """A number for each block [..., blocks, ...] as one for each coordinate, or one that broadcasts."""
        return s if self.blocks == 1 else s.index_select(axis, self.constants.like("block", s))

    def of_orbits(self, s: Tensor, axis: int) -> Tensor:
        """A number for each orbit [..., orbits, ...] as one for each block."""
        return s if self.blocks == self.orbits else s.index_select(axis, self.constants.like("orbit", s))

    def require_form(self) -> None:
        """DomainError if the group keeps none on some block."""
        for kind in self.kinds:
            if kind.unmeasured:
                raise DomainError(kind.unmeasured)

    @property
    def indefinite(self) -> str:
        """Which block has squares of both signs, in a sentence; empty if none has."""
        for kind in self.kinds:
            if kind.signature is not None:
                plus, minus = kind.signature
                return (
                    f"coordinate {kind.coordinate + 1} and others have an indefinite form with the signs ({plus}, {minus}),"
                    " which the group keeps: sizes are those of |<x, x>|"
                )
        return ""

    def vectors(self, coefficients: Tensor, kind: Kind) -> Tensor:
        """Fixed vectors [..., copies, n] of the coefficients [..., Q] of those of all kinds; points of an orbit have the
        same."""
        own: Tensor = coefficients.narrow(-1, kind.first_invariant, kind.orbits * kind.invariants).unflatten(
            -1, (kind.orbits, kind.invariants)
        )
        if kind.shape == "permutation":
            own = own.expand(*own.shape[:-1], kind.n)
        elif not kind.invariants:
            own = own.new_zeros(*own.shape[:-1], kind.n)
        else:
            own = own @ self.constants.like(f"basis{kind.number}", own).t()
        return own if kind.points == 1 else own.repeat_interleave(kind.points, -2)

    def euclidean(self, part: Tensor, kind: Kind, axis: int) -> Tensor:
        """Coordinates in which the inner product of the group is the standard one."""
        return part if kind.orthogonal else on_axis(self.constants.like(f"root{kind.number}", part), part, axis)

    def squares_of(self, part: Tensor, kind: Kind, axis: int) -> Tensor:
        """<x, x> of the n coordinates of each block, on this axis, of one kind; of complex coordinates |x|^2 of the
        same form, which is real."""
        if kind.signature is not None:
            found = part.conj() * on_axis(self.constants.like(f"form{kind.number}", part), part, axis)
            return (found.real if part.is_complex() else found).sum(axis)
        part = self.euclidean(part, kind, axis)
        return (squared(part) if part.is_complex() else part.square()).sum(axis)

    def squares(self, x: Tensor, axis: int) -> Tensor:
        """<x, x> of each block: [..., blocks, ...]."""
        parts = [self.squares_of(self.take(x, kind, axis), kind, axis) for kind in self.kinds]
        return parts[0] if len(parts) == 1 else torch.cat(parts, axis)

    def norms(self, x: Tensor, axis: int, eps: float) -> Tensor:
        """Sizes of each block that are smooth everywhere: sqrt(<x, x> + eps^2), and (<x, x>^2 + eps^2)^(1/4) where the
        form is indefinite, whose null vectors are not zero."""
        parts = []
        for kind in self.kinds:
            squares = self.squares_of(self.take(x, kind, axis), kind, axis)
            definite = kind.signature is None
            parts.append((squares + eps**2).sqrt() if definite else (squares.square() + eps**2).sqrt().sqrt())
        return parts[0] if len(parts) == 1 else torch.cat(parts, axis)

    def mean_square(self, part: Tensor, kind: Kind, axis: int, eps: float) -> Tensor:
        """|<x, x>| / n of each block of one kind; where the form is indefinite |<x, x>| is sqrt(<x, x>^2 + eps^2), which
        is smooth at null vectors."""
        squares = self.squares_of(part, kind, axis)
        if kind.signature is not None:
            squares = (squares.square() + eps**2).sqrt()
        return squares / kind.n


def squared(x: Tensor) -> Tensor:
    """|x|^2 of complex numbers, real."""
    return x.real.square() + x.imag.square()


@functools.lru_cache(maxsize=256)
def structure(V: FieldType, whole: bool = True) -> Structure:
    """The structure of V; modules of one representation share it. DomainError if its matrices are not real, but for
    those of complex classical groups."""
    if not whole and not has_points(V):
        return structure(V)
    with real_tensors():
        return Structure(V, whole)


class FieldModule(Derived):
    """A module on fields of V: x [..., channels, dim V, *grid], with `axes` axes of a grid.

    What it knows of V is shared between modules, and made again where a copy is loaded. whole: does it act on orbits of
    points as one block?
    """

    _derived = ("_structure",)
    _measures = True  # does it need a form?
    _takes_complex = False
    _real_parameters = False  # are they real where fields are complex?
    _per_point = False  # does it act on the points of an orbit one by one, unless it is asked for the whole?
    whole = True

    def __init__(self, V: FieldType, channels: int | None = None, axes: int = 0, whole: bool = True) -> None:
        super().__init__()
        self.V, self.axes = V, integer("axes", axes, 0)
        self.channels = None if channels is None else integer("channels", channels, 1)
        self.whole = whole or not has_points(V)
        self._connect()
        if self._structure.is_complex and not self._takes_complex:
            raise DomainError(not_real(V))
        if self._measures:
            self._structure.require_form()

    def _connect(self) -> None:
        self._structure = structure(self.V, self.whole)

    def _on_device(self, device: torch.device) -> None:
        self._structure.constants.on(device)

    @property
    def _axis(self) -> int:
        """The axis of dim V, from the end."""
        return -1 - self.axes

    def _check(self, x: Tensor, dimension: int | None = None) -> None:
        """Refuses an x of another shape, or of another dtype or device than the parameters."""
        dimension = self._structure.dimension if dimension is None else dimension
        require_tensor(x)
        wrong = x.dim() < self.axes + 2 or x.shape[self._axis] != dimension
        if wrong or self.channels is not None and x.shape[self._axis - 1] != self.channels:
            channels = "channels" if self.channels is None else self.channels
            grid = f", {grid_of(self.axes)}" if self.axes else ""
            names = f"(channels, dim V{', grid' if self.axes else ''})"
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this module takes [..., {channels}, {dimension}{grid}] {names}"
            )
        if x.is_complex() and not self._takes_complex or not (x.is_floating_point() or x.is_complex()):
            raise DomainError(f"the input is {x.dtype}, and fields are of a floating-point dtype: x.float()")
        if self._structure.is_complex and not x.is_complex():
            raise DomainError(
                f"the input is {x.dtype}, and fields of {self.V} of {self.V.group.name} are complex:"
                f" x.to({torch.complex128 if x.dtype == torch.float64 else torch.complex64}), or take V.real()"
            )
        for own in itertools.islice(itertools.chain(self.parameters(recurse=False), self.buffers(recurse=False)), 1):
            as_real = x.is_complex() and self._real_parameters and not own.is_complex()
            require_like(x.real if as_real else x, own, "module")

    def extra_repr(self) -> str:
        channels = "" if self.channels is None else f", {counted(self.channels, 'channel')}"
        whole = ", whole=True" if self.whole and self._per_point and has_points(self.V) else ""
        return f"{self.V}{channels}{f', {self.axes} axes of a grid' if self.axes else ''}{whole}"
