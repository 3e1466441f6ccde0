"""Different weights, the same operator: how many dimensions of omega, of kernels and of the parameters of layers nobody
sees."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor, nn

from .. import (
    DomainError,
    Group,
    KernelSpace,
    LimitError,
    Permutation,
    Representation,
    VerificationError,
    hom_dimension,
)
from .._elimination import PRIME, pivots_modulo

__all__ = ["Gauge", "Redundancy", "gauge", "redundancy", "redundancy_by_rank"]

_LARGEST = 1 << 24  # entries of a matrix whose rank is taken


class Redundancy(NamedTuple):
    """How many omegas there are, how many operators they give, and how many omegas give zero: dimensions, the first the
    sum of the others."""

    omegas: int
    operators: int
    zero: int


def redundancy(
    G: Group | KernelSpace,
    V: int | Representation | None = None,
    W: int | Representation | None = None,
    degree: int = 1,
) -> Redundancy:
    """The dimensions of the equivariant omega homogeneous of this degree in f, of the operators f -> omega(f) f, and of
    those omega that give zero.

    V, W: representations of G, the spaces of f and of omega(f) f; a number of channels n stands for the functions on G,
    n * regular. omega is a polynomial map from V to the matrices dim W x dim V, that is an element of Hom_G(Sym^p V *
    V, W); it gives the operator 0 exactly if it is one of Hom_G(S_(p,1) V, W), as Sym^p V * V = Sym^(p+1) V + S_(p,1) V
    (Pieri). All three are counted by characters.

    Or redundancy(kernels) for kernels(G, H, K, rho, sigma): on sections f(g k) = sigma(k)^-1 f(g) a kernel may satisfy
    kappa(h g) = rho(h) kappa(g) alone; how many of these there are, how many maps they give, and how many of them give
    zero.

    DomainError: representations of other groups, a degree below 0. Cost: three inner products of characters.
    """
    if isinstance(G, KernelSpace):
        if V is not None or W is not None:
            raise DomainError("redundancy(kernels) takes the kernels alone: their representations are theirs")
        one_sided = G.group.order // G.target.group.order * G.target.dimension * G.source.dimension
        return Redundancy(one_sided, G.dimension, one_sided - G.dimension)
    V, W = _space("V", V, G), _space("W", W, G)
    if not isinstance(degree, int) or isinstance(degree, bool) or degree < 0:
        raise DomainError(f"the degree of omega in f is an integer of at least 0, not {degree!r}")
    if degree == 0:
        maps = hom_dimension(V, W)
        return Redundancy(maps, maps, 0)
    found = Redundancy(
        hom_dimension(V.sym(degree) * V, W),
        hom_dimension(V.sym(degree + 1), W),
        0 if V.dimension < 2 else hom_dimension(V.schur([degree, 1]), W),
    )
    if found.omegas != found.operators + found.zero:
        raise VerificationError(
            f"the omegas ({found.omegas}) are not the operators ({found.operators}) and those that give zero ({found.zero})"
        )
    return found


def redundancy_by_rank(
    G: Group | KernelSpace,
    V: int | Representation | None = None,
    W: int | Representation | None = None,
    degree: int = 1,
) -> Redundancy:
    """The same by another route, from a basis of the omegas (or of the one-sided kernels): each is multiplied out, and
    the rank of what they give is taken modulo a prime. Representations over Q.

    The rank modulo a prime is never above the true one; that it is not below is what the agreement with the characters
    shows.

    LimitError, before the work, where the matrix would have more than 2^24 entries. Cost: the basis, and an
    elimination.
    """
    if isinstance(G, KernelSpace):
        return _kernels_by_rank(G)
    V, W = _space("V", V, G), _space("W", W, G)
    n, m = V.dimension, W.dimension
    domain = (V.sym(degree) if degree else G.rep("trivial")) * V
    count = hom_dimension(domain, W)
    coefficients = m * math.comb(n + degree, degree + 1)
    if max(count * coefficients, domain.dimension * m) > _LARGEST:
        raise LimitError(f"{count} omegas with {coefficients} coefficients each are more than this route takes")
    monomials = list(itertools.combinations_with_replacement(range(n), degree))
    longer = {a: k for k, a in enumerate(itertools.combinations_with_replacement(range(n), degree + 1))}
    # One factor more, so that the basis of a multiple of a representation is written out: one matrix for each of its
    # parameters.
    trivial = G.rep("trivial")
    elements = (domain * trivial >> W * trivial).basis() if count else []
    if len(elements) != count:
        raise VerificationError(f"the basis has {len(elements)} elements, and the characters say {count}")
    rows = []
    for L in elements:
        row: dict[int, int] = {}
        for w, column, value in L.entries():
            a, i = monomials[column // n], column % n
            # f^p = sum of p!/a! f^a e^a over the monomials, so that column (a, i) of L meets f^a f_i with that factor.
            place = w * len(longer) + longer[tuple(sorted((*a, i)))]
            row[place] = row.get(place, 0) + _integer(value) * (
                math.factorial(degree) // math.prod(math.factorial(a.count(j)) for j in set(a))
            )
        rows.append(row)
    operators = _rank(rows)
    return Redundancy(len(elements), operators, len(elements) - operators)


def _kernels_by_rank(kernels: KernelSpace) -> Redundancy:
    """kappa -> its mean over K from the right, kappa'(g) = sum over k of kappa(g k) sigma(k)^-1, which gives the same
    map on sections."""
    G, rho, sigma = kernels.group, kernels.target, kernels.source
    if rho.field != "Q" or sigma.field != "Q":
        raise DomainError("the rank is taken over Q: give rational representations, such as sigma.rational()")
    m, n = rho.dimension, sigma.dimension
    elements = list(G)
    number = {g: k for k, g in enumerate(elements)}
    H, K = list(rho.group), list(sigma.group)
    if len(elements) ** 2 * (m * n) ** 2 // len(H) > _LARGEST:
        raise LimitError(
            f"{len(elements) * m * n // len(H)} one-sided kernels on {len(elements)} elements are more than this route takes"
        )
    left: dict[Permutation, Any] = {h: rho.matrix(h).tolist() for h in H}
    right: dict[Permutation, Any] = {k: sigma.matrix(k**-1).tolist() for k in K}
    scale = math.lcm(*(Fraction(x).denominator for A in (*left.values(), *right.values()) for row in A for x in row))
    rows: list[dict[int, int]] = []
    seen: set[Permutation] = set()
    for start in elements:
        if start in seen:
            continue
        seen.update(h * start for h in H)
        for i, j in itertools.product(range(m), range(n)):
            row: dict[int, int] = {}
            for (h, A), (k, B) in itertools.product(left.items(), right.items()):
                # kappa(h start) = rho(h) E_ij is met at g = h start k^-1, times sigma(k)^-1.
                at = number[h * start * k**-1] * m * n
                for a, b in itertools.product(range(m), range(n)):
                    if value := int(scale * scale * A[a][i] * B[j][b]):
                        row[at + a * n + b] = row.get(at + a * n + b, 0) + value
            rows.append(row)
    operators = _rank(rows)
    return Redundancy(len(rows), operators, len(rows) - operators)


def _space(name: str, V: int | Representation | None, G: Group) -> Representation:
    if isinstance(V, Representation):
        if V.group != G:
            raise DomainError(f"{name} = {V} is a representation of {V.group.name}, and G is {G.name}")
        return V
    if not isinstance(V, int) or isinstance(V, bool) or V < 1:
        raise DomainError(
            f"{name} is a representation of {G.name}, or a number of channels of functions on it, not {V!r}"
        )
    return V * G.rep("regular") if V > 1 else G.rep("regular")


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise DomainError(
            f"the rank is taken over Q, and a basis has the entry {value}: give rational representations, such as V.rational()"
        )
    return value


def _rank(rows: Sequence[dict[int, int]]) -> int:
    """Modulo a prime, of sparse rows of integers, those columns taken that occur."""
    used = {c: k for k, c in enumerate(sorted({c for row in rows for c in row}))}
    A = numpy.zeros((len(rows), len(used)), dtype=numpy.int64)
    for r, row in enumerate(rows):
        for c, value in row.items():
            A[r, used[c]] = value % PRIME
    return len(pivots_modulo(A))


@dataclass(frozen=True)
class Gauge:
    """The directions of parameters in which a module does not change: see `gauge`."""

    dimension: int
    basis: dict[str, Tensor]
    """By parameter, [dimension, *shape]: the directions, orthonormal together."""
    parameters: int
    """How many numbers the parameters are."""
    gap: float
    """The least singular value that counts, divided by the largest that was taken for zero: 1e3 or less says that the
    dimension is in doubt."""


def gauge(module: nn.Module, x: Tensor | Sequence[Tensor], *, tolerance: float = 1e-9) -> Gauge:
    """The directions of the parameters along which the outputs for the inputs x stay the same to first order: the
    kernel of the Jacobian.

    At generic parameters and for enough inputs these are the directions of the continuous symmetries of the layer. For
    softmax attention with h heads of d numbers and all biases there are h (2 d^2 + 2 d): in each head GL(d) between
    queries and keys, GL(d) between values and the projection out, d numbers in the bias of keys, which the softmax does
    not see, and d in the bias of values, which that of the output can take. (`intertwine.symmetry.parameter_group` has
    these groups whole, and finite ones.)

    x: one batch of inputs, or several; torch.nn.MultiheadAttention gets it as queries, keys and values. The module is
    copied to float64. tolerance: singular values below this part of the largest are zero.

    DomainError: no parameters; dropout in training mode; fewer outputs than parameters, which could not tell.
    LimitError: a Jacobian of more than 2^27 entries. Cost: the Jacobian, outputs times parameters, and its singular
    values.
    """
    random = next(
        (
            name
            for name, m in module.named_modules()
            if isinstance(m, nn.modules.dropout._DropoutNd) and m.training and m.p > 0
        ),
        None,
    )
    if random is not None:
        raise DomainError(f"the module {random or type(module).__name__} drops at random: call module.eval() first")
    twin = copy.deepcopy(module).double()
    parameters = {name: p.detach() for name, p in twin.named_parameters() if p.requires_grad}
    if not parameters:
        raise DomainError("the module has no parameters that are trained, and no gauge")
    inputs = [x] if isinstance(x, Tensor) else list(x)
    copies = 3 if isinstance(module, nn.MultiheadAttention) else 1
    count = sum(p.numel() for p in parameters.values())

    def outputs(values: dict[str, Tensor]) -> Tensor:
        found = [torch.func.functional_call(twin, values, (t.double(),) * copies) for t in inputs]
        return torch.cat([(y[0] if copies == 3 else y).reshape(-1) for y in found])

    rows = outputs(parameters).numel()
    if rows < count:
        raise DomainError(f"{rows} outputs cannot tell what {count} parameters do: give x of a larger batch")
    if rows * count > 1 << 27:
        raise LimitError(f"the Jacobian has {rows} x {count} entries: take a smaller layer or batch")
    jacobian = torch.func.jacrev(outputs)(parameters)
    J = torch.cat([jacobian[name].reshape(rows, -1) for name in parameters], 1)
    _, singular, right = torch.linalg.svd(J, full_matrices=False)
    kept = singular > tolerance * singular.max()
    null = right[~kept]
    zero = float(singular[~kept].max()) if len(null) else 0.0
    gap = float(singular[kept].min()) / zero if zero > 0 and bool(kept.any()) else math.inf
    parts = null.split([p.numel() for p in parameters.values()], 1)
    basis = {name: part.reshape(len(null), *p.shape) for (name, p), part in zip(parameters.items(), parts)}
    return Gauge(len(null), basis, count, gap)
