"""The facts that modules around linear layers know of a representation: which coordinates the group keeps together, the
inner product that it keeps, and the vectors that it fixes.

The coordinates of V fall into blocks, the finest sets that no generator connects: the orbits where V permutes its
basis, the summands as they are written otherwise. Blocks with the same matrices are copies of one kind, wherever they
stand; V = 16*perm has one kind with 16 copies. Kinds come in the order of their first coordinates, and so do the copies
of each.
"""

from __future__ import annotations

import functools
import itertools
import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from .. import (
    Cyclotomic,
    DomainError,
    Group,
    Matrix,
    Representation,
)  # fmt: skip
from .._kinds import is_classical, is_finite, is_finite_group
from . import _ops
from ._tables import Constants, has_numbers, real_tensors

__all__ = [
    "Constants", "Derived", "FieldModule", "FieldType", "Kind", "Structure", "grid_of", "has_numbers", "integer",
    "is_orthogonal", "on_axis", "one_group", "real_matrix", "real_tensors", "require_like", "require_representations",
    "require_tensor", "sites_of",
    "structure", "wide",
]  # fmt: skip


FieldType = Representation
"""What a field is of the type of: a representation of a finite group, or of a real one such as SO(3)."""


def integer(name: str, value: Any, least: int, positive: str = "a positive integer") -> int:
    """The value, if it is an integer and no smaller; otherwise DomainError. positive: what it is called if it is no
    smaller than 1."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or int(value) < least:
        raise DomainError(f"{name} is {positive if least == 1 else f'an integer of at least {least}'}, not {value!r}")
    return int(value)


AT_LEAST_1 = "an integer of at least 1"


def one_group(V: FieldType, U: FieldType, where: str = "") -> None:
    """DomainError if the representations are those of different groups."""
    if V.group != U.group:
        raise DomainError(f"{where}{V} and {U} are representations of different groups")


def require_representations(*representations: Any) -> None:
    """DomainError for what has no matrices."""
    for R in representations:
        if not isinstance(R, Representation) or not R.has_matrices:
            raise DomainError(
                "an element acts by the matrices of a representation such as Group('S4').rep('perm'), and"
                f" {R!r} has none"
            )


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


def grid_of(axes: int) -> str:
    """How messages write the axes of a grid: "L", "H, W", "H, W, D"."""
    return ", ".join("HWD"[:axes] if 1 < axes < 4 else ["L"] * axes)


def require_tensor(x: Any) -> None:
    """DomainError for an input that is no tensor."""
    if not isinstance(x, Tensor):
        hint = "" if x is None else ": write torch.as_tensor(x), and mind its dtype"
        raise DomainError(f"the input is a tensor, not {'None' if x is None else type(x).__name__}{hint}")


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
    copies: int
    n: int
    shape: str  # "permutation", "signed" or "mixed"
    start: int | None  # where the coordinates begin if they stand together in order, otherwise an index is kept
    first: int  # the number of its first block
    invariants: int  # the dimension of the fixed vectors of a block
    first_invariant: int  # the number of its first invariant
    orthogonal: bool
    coordinate: int  # its first coordinate, for messages
    unmeasured: str  # why there is no inner product, empty if there is one


class Structure:
    """Blocks, inner product and fixed vectors of V.

    The inner product is the mean over the group of the standard one, scaled in each block to the trace n: the standard
    one itself where the matrices are orthogonal, as those of permutations with signs are. Of SO(n) and O(n) it is that
    of the orthonormal basis, the same in irreducible blocks. Where a group that is not compact acts there is none.
    """

    def __init__(self, V: FieldType) -> None:
        generators, algebra = _entries(V)
        self.dimension = V.dimension
        if not self.dimension:
            raise DomainError(f"{V} has no coordinates")
        found = _blocks(V, generators)
        analysed: Callable[[Any, tuple[_Entries, ...], list[int]], _Analysis]
        analysed = _Continuous(V, algebra) if is_classical(V) else _analysed
        self.blocks = sum(len(places) for places, _ in found)
        self.kinds: list[Kind] = []
        tensors: dict[str, Tensor] = {}
        order: list[int] = []
        of_block = numpy.zeros(V.dimension, dtype=numpy.int64)
        invariants = first = 0
        for k, (places, matrices) in enumerate(found):
            flat = [c for place in places for c in place]
            n = len(places[0])
            together = flat == list(range(flat[0], flat[0] + len(flat)))
            shape, basis, means, form = analysed(V, matrices, places[0])
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
                )
            )
            for c, place in enumerate(places):
                of_block[place] = first + c
            first += len(places)
            invariants += len(places) * basis.shape[1]
            order += flat
            if not together:
                tensors[f"index{k}"] = torch.tensor(flat)
            if basis.shape[1]:
                tensors[f"basis{k}"], tensors[f"means{k}"] = (
                    torch.from_numpy(basis.copy()),
                    torch.from_numpy(means.copy()),
                )
            if isinstance(form, numpy.ndarray):
                tensors[f"root{k}"] = torch.linalg.cholesky(torch.from_numpy(form)).t().contiguous()
        self.invariants = invariants
        self.in_order = order == list(range(V.dimension))
        if not self.in_order:
            tensors["back"] = torch.tensor(numpy.argsort(order))
        if self.blocks > 1:
            tensors["block"] = torch.from_numpy(of_block)
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

    def require_inner_product(self) -> None:
        """DomainError if the group keeps none on some block."""
        for kind in self.kinds:
            if kind.unmeasured:
                raise DomainError(kind.unmeasured)

    def euclidean(self, part: Tensor, kind: Kind, axis: int) -> Tensor:
        """Coordinates in which the inner product of the group is the standard one."""
        return part if kind.orthogonal else on_axis(self.constants.like(f"root{kind.number}", part), part, axis)

    def vectors(self, coefficients: Tensor, kind: Kind) -> Tensor:
        """Fixed vectors [..., copies, n] of the coefficients [..., Q] of those of all kinds."""
        own: Tensor = coefficients.narrow(-1, kind.first_invariant, kind.copies * kind.invariants).unflatten(
            -1, (kind.copies, kind.invariants)
        )
        if kind.shape == "permutation":
            return own.expand(*own.shape[:-1], kind.n)
        if not kind.invariants:
            return own.new_zeros(*own.shape[:-1], kind.n)
        return own @ self.constants.like(f"basis{kind.number}", own).t()

    def per_block(self, f: Callable[[Tensor], Tensor], x: Tensor, axis: int) -> Tensor:
        """What f makes of the n coordinates of each block, on this axis, in which the inner product is the standard
        one: [..., blocks, ...]."""
        parts = [f(self.euclidean(self.take(x, kind, axis), kind, axis)) for kind in self.kinds]
        return parts[0] if len(parts) == 1 else torch.cat(parts, axis)


@functools.lru_cache(maxsize=256)
def structure(V: FieldType) -> Structure:
    """The structure of V; modules of one representation share it. DomainError if its matrices are not real."""
    with real_tensors():
        return Structure(V)


_Entries = tuple[tuple[int, int, Any], ...]
_Analysis = tuple[str, numpy.ndarray, numpy.ndarray, numpy.ndarray | str | None]


def _entries(V: FieldType) -> tuple[list[list[tuple[int, int, Any]]], list[bool]]:
    """The entries of the generators, and for each: is it one of a Lie algebra?"""
    if isinstance(V, Representation) and not V.has_matrices:
        V.generator_matrices()  # says why there are none
    if is_classical(V):
        if V.is_complex:
            raise DomainError(
                f"the matrices of {V} of {V.group.name} are not real; fields are those of V.real(), and of real groups such as SO(3)"
            )
        return [m.entries() for m in V.generator_matrices()], [
            " Lie algebra " in name for name in V.group.generator_names
        ]
    if not isinstance(V, Representation):
        raise DomainError(f"a field is of the type of a representation, not {V!r}")
    return [V.matrix(g).entries() for g in V.group.generators], [False for _ in V.group.generators]


def _blocks(
    V: FieldType, generators: list[list[tuple[int, int, Any]]]
) -> list[tuple[list[list[int]], tuple[_Entries, ...]]]:
    """For each kind the coordinates of its copies, and the entries of the generators on one."""
    n = V.dimension
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for entries in generators:
        for row, col, value in entries:
            if isinstance(value, Cyclotomic) and not value.is_real:
                raise DomainError(f"the matrices of {V} are not real (their field is {V.field}); take V.real()")
            a, b = root(row), root(col)
            parent[max(a, b)] = min(a, b)
    places: dict[int, list[int]] = {}
    local = [0] * n
    for i in range(n):
        place = places.setdefault(root(i), [])
        local[i] = len(place)
        place.append(i)
    matrices: dict[int, list[list[tuple[int, int, Any]]]] = {i: [[] for _ in generators] for i in places}
    for g, entries in enumerate(generators):
        for row, col, value in entries:
            matrices[root(row)][g].append((local[row], local[col], value))
    kinds: dict[tuple[int, tuple[_Entries, ...]], list[list[int]]] = {}
    for i, place in places.items():
        kinds.setdefault((len(place), tuple(tuple(m) for m in matrices[i])), []).append(place)
    return [(places, matrices) for (_, matrices), places in kinds.items()]


def _analysed(V: Any, matrices: tuple[_Entries, ...], place: list[int]) -> _Analysis:
    """The analysis of one block: what it does to coordinates, a basis [n, q] of its fixed vectors, the coefficients [q,
    n] of the projection onto them, and the inner product unless it is the standard one."""
    n = len(place)
    if signed := _signed(matrices, n):
        return signed
    R = V.group.matrix_rep([Matrix.from_entries(n, n, list(entries)) for entries in matrices])
    fixed, dual = (_numbers((W >> W).bias.basis()).reshape(-1, n) for W in (R, R.T))
    means = numpy.linalg.solve(dual @ fixed.T, dual) if len(fixed) else fixed
    return "mixed", fixed.T, means, _form(R)


def _signed(matrices: tuple[_Entries, ...], n: int) -> _Analysis | None:
    """The analysis of one block whose coordinates are permuted up to signs; None for others."""
    values = {value for entries in matrices for _, _, value in entries}
    if not values <= {1, -1} or any(len(entries) != n for entries in matrices):
        return None
    basis = _fixed_by_signs(matrices, n)
    return "permutation" if values <= {1} else "signed", basis, basis.T / n, None


class _Continuous:
    """The blocks of a representation of a continuous group, analysed: its fixed vectors are those of the exact basis,
    the inner product the standard one or that of the exact orthonormal basis, where there is one."""

    def __init__(self, V: Representation, algebra: list[bool]) -> None:
        self.algebra = algebra
        # For 3 * V1 these are the vectors of V1, where the first copies of all blocks are.
        self.fixed = _vectors(V)
        self.form: numpy.ndarray | str | None = None
        self.duals: numpy.ndarray | None = None

    def _inner_product(self, V: Representation, place: list[int]) -> numpy.ndarray | str:
        """That of the coordinates at these places, with the trace n, or why there is none."""
        if self.form is None:
            try:
                T = V.orthonormal_form().array()
                self.form = numpy.linalg.inv(T @ T.T)
            except DomainError as error:
                self.form = (
                    f"norms need an inner product that {V.group.name} keeps on {V}, and none is known ({error}):"
                    " GatedActivation and Dropout need none"
                )
        if isinstance(self.form, str):
            return self.form
        form = self.form[numpy.ix_(place, place)]
        return numpy.asarray(form * (len(place) / numpy.trace(form)))

    def _dual_vectors(self, V: Representation, place: list[int], count: int) -> numpy.ndarray:
        """As many fixed vectors of the dual at these places."""
        if self.duals is None:
            self.duals = _vectors(V.T)
        return _independent(self.duals[:, place], count)

    def __call__(self, V: Any, matrices: tuple[_Entries, ...], place: list[int]) -> _Analysis:
        n = len(place)
        others = tuple(entries for entries, lie in zip(matrices, self.algebra) if not lie)
        turned = any(entries for entries, lie in zip(matrices, self.algebra) if lie)
        if not turned and (signed := _signed(others, n)):
            return signed
        form = None
        if not all(_keeps_standard(entries, n, lie) for entries, lie in zip(matrices, self.algebra)):
            form = self._inner_product(V, place)
        B = _independent(self.fixed[:, place], n)
        if isinstance(form, str):
            weighted = self._dual_vectors(V, place, len(B))
        else:
            weighted = B if form is None else B @ form
        means = numpy.linalg.solve(weighted @ B.T, weighted) if len(B) else B
        return "mixed", B.T, means, form


def _vectors(V: Representation) -> numpy.ndarray:
    """The fixed vectors, as rows."""
    found = _numbers((V >> V).bias.basis())
    return found.reshape(len(found), found.shape[1] if len(found) else V.dimension)


def _independent(vectors: numpy.ndarray, most: int) -> numpy.ndarray:
    """The first of these rows that are independent of those before."""
    found: list[numpy.ndarray] = []
    for v in vectors:
        if len(found) < most and numpy.linalg.matrix_rank(numpy.array([*found, v])) > len(found):
            found.append(v)
    return numpy.array(found).reshape(len(found), vectors.shape[1])


def is_orthogonal(V: FieldType) -> bool:
    """Does the group act by orthogonal matrices? Exactly, from its generators. DomainError if it is continuous and they
    are not real."""
    if is_finite(V) and V.is_monomial:
        return True
    generators, algebra = _entries(V)
    return all(_keeps_standard(tuple(entries), V.dimension, lie) for entries, lie in zip(generators, algebra))


def _keeps_standard(entries: _Entries, n: int, lie: bool) -> bool:
    """Is the matrix orthogonal, or that of a Lie algebra antisymmetric?"""
    A = Matrix.from_entries(n, n, list(entries))
    return A.T == -A if lie else A.T @ A == Matrix.identity(n)


def _numbers(matrices: list[Matrix]) -> numpy.ndarray:
    return numpy.array([numpy.asarray(m, dtype=numpy.float64) for m in matrices])


def _fixed_by_signs(matrices: tuple[_Entries, ...], n: int) -> numpy.ndarray:
    """The fixed vector [n, 1] of an orbit with signs, its first coordinate 1; [n, 0] if there is none."""
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for entries in matrices:
        for row, col, value in entries:
            neighbours[col].append((row, int(value)))
            neighbours[row].append((col, int(value)))
    sign = numpy.zeros(n)
    sign[0] = 1
    reached = [0]
    for i in reached:
        for j, value in neighbours[i]:
            if sign[j] == 0:
                sign[j] = value * sign[i]
                reached.append(j)
            elif sign[j] != value * sign[i]:
                return numpy.zeros((n, 0))
    return sign[:, None]


def _form(R: Representation) -> numpy.ndarray | None:
    """The mean over the group of rho(g)^T rho(g), with the trace n; None if every rho(g) is orthogonal.

    Of all invariant forms B it is the one with tr(A B) = tr(A) for every invariant form A of the dual, since averaging
    does not change tr(A rho(g)^T rho(g)).
    """
    n = R.dimension
    if is_orthogonal(R):
        return None
    forms, duals = _numbers((R >> R.T).basis()), _numbers((R.T >> R).basis())
    coefficients = numpy.linalg.solve(numpy.einsum("jab,kba->jk", duals, forms), numpy.einsum("jaa->j", duals))
    form = numpy.einsum("k,kab->ab", coefficients, forms)
    form = (form + form.T) / 2
    return numpy.asarray(form * (n / numpy.trace(form)))


class FieldModule(Derived):
    """A module on fields of V: x [..., channels, dim V, *grid], with `axes` axes of a grid.

    What it knows of V is shared between modules, and made again where a copy is loaded.
    """

    _derived = ("_structure",)
    _measures = True  # does it need an inner product?

    def __init__(self, V: FieldType, channels: int | None = None, axes: int = 0) -> None:
        super().__init__()
        self.V, self.axes = V, integer("axes", axes, 0)
        self.channels = None if channels is None else integer("channels", channels, 1)
        self._connect()
        if self._measures:
            self._structure.require_inner_product()

    def _connect(self) -> None:
        self._structure = structure(self.V)

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
        if not x.is_floating_point():
            raise DomainError(f"the input is {x.dtype}, and fields are of a floating-point dtype: x.float()")
        for own in itertools.islice(itertools.chain(self.parameters(recurse=False), self.buffers(recurse=False)), 1):
            require_like(x, own, "module")

    def extra_repr(self) -> str:
        channels = "" if self.channels is None else f", {self.channels} channels"
        return f"{self.V}{channels}{f', {self.axes} axes of a grid' if self.axes else ''}"
