"""The representations of a finite group as cuequivariance has them, and couplings of any group as its polynomials.

Needs cuequivariance: pip install cuequivariance. Its kernels for GPUs and its layers for PyTorch and JAX take these
values; nothing of them is imported here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from ._core import Group, Matrix, Representation
from ._errors import DomainError

__all__ = ["irrep_class", "polynomial"]

Array = NDArray[numpy.float64]


def _cuequivariance() -> Any:
    try:
        import cuequivariance
    except ImportError as missing:
        raise ImportError(
            "intertwine.cue needs cuequivariance: pip install cuequivariance (intertwine itself does not)"
        ) from missing
    return cuequivariance


def _real(A: Matrix) -> Array:
    numbers = numpy.asarray(A, dtype=numpy.complex128)
    if abs(numbers.imag).max(initial=0) > 0:
        raise DomainError("cuequivariance has real numbers, and these matrices are complex: take V.real()")
    return numbers.real.copy()


class _RealIrreps:
    """The irreducible representations of a finite group over the real numbers, in orthonormal bases."""

    def __init__(self, group: Group) -> None:
        self.group = group
        table = group.character_table()
        columns = range(len(group.classes()))
        values = [[table[i, c] for c in columns] for i in range(len(table))]
        turned = [[getattr(v, "conjugate", lambda v=v: v)() for v in row] for row in values]
        partner = [values.index(row) for row in turned]
        irreps = group.irreps()
        self.rows = [k for k in range(len(values)) if partner[k] >= k]
        self.fields: list[Representation] = [irreps[k].real() for k in self.rows]
        self.order = sorted(range(len(self.rows)), key=lambda k: (self.fields[k].dimension, k))

    @functools.cache  # noqa: B019 - as long as the class of a group, which is kept
    def root(self, k: int) -> Array:
        """L with L^T L the inner product that the group keeps."""
        V = self.fields[k]
        for B in (V >> V.T).basis():
            form = _real(B)
            form = form + form.T
            if abs(form).max() > 0:
                return numpy.linalg.cholesky(form * numpy.sign(form[0, 0])).T.copy()
        raise DomainError(f"{self.group.name} keeps no inner product on {V}")

    def generators(self, k: int) -> Array:
        V, L = self.fields[k], self.root(k)
        moved = [L @ _real(V.matrix(g)) @ numpy.linalg.inv(L) for g in self.group.generators]
        return numpy.array(moved).reshape(-1, len(L), len(L))

    @functools.cache  # noqa: B019
    def couplings(self, i: int, j: int, k: int) -> Array:
        """[paths, dim i, dim j, dim k]: for each path the map to k is an isometry of the others' complement."""
        V, W, U = (self.fields[n] for n in (i, j, k))
        left = numpy.kron(*(numpy.linalg.inv(self.root(n)) for n in (i, j)))
        found = [self.root(k) @ _real(B) @ left for B in (V * W >> U).basis()]
        shape = (len(found), V.dimension, W.dimension, U.dimension)
        if not found:
            return numpy.zeros(shape)
        flat = numpy.array(found).reshape(len(found), -1)
        scale = numpy.linalg.cholesky(flat @ flat.T / U.dimension)
        flat = numpy.linalg.solve(scale, flat)
        return numpy.ascontiguousarray(flat.reshape(len(found), U.dimension, -1).swapaxes(1, 2)).reshape(shape)


def irrep_class(group: Group | str) -> Any:
    """The class of the irreducible representations of a finite group over the real numbers, a cuequivariance.Irrep.

    They are r0, r1, ...: r0 is trivial, and the numbers are those of the rows of the character table, of two conjugate
    ones the first. Bases are orthonormal. Clebsch-Gordan coefficients are the exact maps in doubles, and paths are
    orthonormal. A representation of complex or quaternionic type has 2 or 4 paths where one of real type has 1.

    Parameters
    ----------
    group
        A finite group. Text is read as by Group.

    Returns
    -------
    type
        A subclass of cuequivariance.Irrep, for `cuequivariance.Irreps(cls, "4xr0 + 2xr2")` and all descriptors.

    Raises
    ------
    DomainError
        For groups that are not finite; cuequivariance has SU2, SO3 and O3 itself.

    Examples
    --------
    >>> import cuequivariance
    >>> from intertwine.cue import irrep_class
    >>> S3 = irrep_class("S3")
    >>> [(ir, ir.dim) for ir in S3.iterator()]
    [(r0, 1), (r1, 1), (r2, 2)]
    >>> S3(2) * S3(2)
    [r0, r1, r2]
    >>> x = cuequivariance.Irreps(S3, "4xr0 + 4xr2")
    >>> cuequivariance.descriptors.fully_connected_tensor_product(x, x, x).outputs[0].dim
    12

    See Also
    --------
    polynomial : The couplings of representations of any group, in their own coordinates.
    """
    G = Group(group) if isinstance(group, str) else group
    if not isinstance(G, Group):
        raise DomainError(f"a group is wanted, such as 'S4' or Group('S4'), not {group!r}")
    if not G.is_finite:
        raise DomainError(
            f"irrep_class is for finite groups, not for {G.name}: cuequivariance has SU2, SO3 and O3, and polynomial()"
            " takes representations of every group"
        )
    return _class_of(G)


@functools.lru_cache(maxsize=64)
def _class_of(G: Group) -> Any:
    data = _RealIrreps(G)
    base: Any = _cuequivariance().Irrep

    @dataclass(frozen=True)
    class Irrep(base):  # type: ignore[misc]
        number: int
        group = G

        def __post_init__(self) -> None:
            if self.number not in data.rows:
                known = ", ".join(f"r{k}" for k in data.rows)
                raise DomainError(
                    f"the representations of {G.name} over the real numbers are {known}, not r{self.number}"
                )

        @property
        def _place(self) -> int:
            return data.rows.index(self.number)

        @property
        def representation(self) -> Representation:
            """The exact representation, in coordinates of its own."""
            return data.fields[self._place]

        @classmethod
        def regexp_pattern(cls) -> re.Pattern[str]:
            return re.compile(r"(r\d+)")

        @classmethod
        def _member(cls, given: Any) -> Irrep:
            found: Irrep = cls._from(given)
            return found

        @classmethod
        def from_string(cls, string: str) -> Irrep:
            return cls(int(string[1:]))

        def __repr__(self) -> str:
            return f"r{self.number}"

        def __mul__(self, other: Any) -> list[Irrep]:
            i, j = self._place, self._member(other)._place
            product = data.fields[i] * data.fields[j]
            return [type(self)(data.rows[k]) for k in data.order if (product >> data.fields[k]).dimension]

        @classmethod
        def clebsch_gordan(cls, rep1: Any, rep2: Any, rep3: Any) -> Array:
            return data.couplings(*(cls._member(rep)._place for rep in (rep1, rep2, rep3))).copy()

        @property
        def dim(self) -> int:
            return int(data.fields[self._place].dimension)

        def __lt__(self, other: Any) -> bool:
            other = self._from(other)
            return (self.dim, self.number) < (other.dim, other.number)

        @classmethod
        def iterator(cls) -> Iterator[Irrep]:
            for k in data.order:
                yield cls(data.rows[k])

        def discrete_generators(self) -> Array:
            return data.generators(self._place)

        def continuous_generators(self) -> Array:
            return numpy.zeros((0, self.dim, self.dim))

        def algebra(self) -> Array:
            return numpy.zeros((0, 0, 0))

        def __reduce__(self) -> Any:
            return _irrep, (G, self.number)

    Irrep.__qualname__ = f"irrep_class({G.name!r})"
    return Irrep


def _irrep(group: Group, number: int) -> Any:
    return _class_of(group)(number)


def polynomial(
    V: Representation, W: Representation, U: Representation, channels: tuple[int, int, int] = (1, 1, 1)
) -> Any:
    """All bilinear maps from V and W to U that commute with their group, as a cuequivariance.SegmentedPolynomial.

    Its inputs are weights [P, u, v, w], x [dim V, u] and y [dim W, v], all flattened, and its output is z [dim U, w]:
    z = sum over p, i, j of weights[p] B_p[k, i, j] x_i y_j, where the B_p are the exact basis of Hom(V (x) W, U) in the
    coordinates of V, W and U. Multiples such as 4*vector are not channels here.

    Parameters
    ----------
    V, W, U
        Representations of one group, finite or not, by real matrices.
    channels
        u, v and w: how many fields of each type there are.

    Returns
    -------
    cuequivariance.SegmentedPolynomial
        With the subscripts uvw,iu,jv,kw+ijk. `p(weights, x, y)` computes in NumPy.

    Raises
    ------
    DomainError
        For representations of different groups, complex matrices, and where there is no such map.

    Examples
    --------
    >>> import numpy
    >>> from intertwine import Group
    >>> from intertwine.cue import polynomial
    >>> V = Group("SO(3)").rep("vector")
    >>> cross = polynomial(V, V, V)
    >>> (z,) = cross(numpy.ones(1), numpy.array([1.0, 0, 0]), numpy.array([0, 1.0, 0]))
    >>> bool(abs(z[2]) == 1 and abs(z[:2]).max() == 0)
    True

    See Also
    --------
    irrep_class : The irreducible representations of a finite group.
    """
    if not V.group == W.group == U.group:
        raise DomainError(f"{V}, {W} and {U} are representations of different groups")
    if len(channels) != 3 or any(not isinstance(c, int) or isinstance(c, bool) or c < 1 for c in channels):
        raise DomainError(f"channels are three positive integers, not {channels!r}")
    for R in (V, W, U):
        for A in R.generator_matrices():
            _real(A)  # says what to do if it is not real
    basis = (V * W >> U).basis()
    if not basis:
        raise DomainError(f"no bilinear map of {V} and {W} to {U} commutes with {V.group.name}")
    cue = _cuequivariance()
    product = cue.SegmentedTensorProduct.from_subscripts("uvw,iu,jv,kw+ijk")
    for operand, (R, many) in enumerate(zip((V, W, U), channels), 1):
        product.add_segment(operand, (R.dimension, many))
    for B in basis:
        coefficients = _real(B).T.reshape(V.dimension, W.dimension, U.dimension)
        product.add_path(tuple(channels), 0, 0, 0, c=coefficients)
    return cue.SegmentedPolynomial.eval_last_operand(product)
