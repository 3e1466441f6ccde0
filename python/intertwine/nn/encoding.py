"""Positional encodings as representations: what a token's place adds to it, turns it by, or adds to its scores."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group, Permutation, Representation
from .._kinds import is_finite, is_finite_group
from ._fields import Constants, Derived, FieldType, has_numbers, integer, is_orthogonal, real_matrix, real_tensors
from .linear import Linear, dense

__all__ = [
    "Learned",
    "Location",
    "PositionalEncoding",
    "Relative",
    "RepresentationEncoding",
    "Rotary",
    "Sinusoidal",
    "commutant_linear",
]


def commutant_linear(V: FieldType, weight: Tensor, tolerance: float = 1e-6) -> Linear:
    """The layer Linear(V, V) with this weight [dim V, dim V], and no bias; DomainError if it does not commute with V.

    Of the weights of an attention layer that keep the symmetry of an encoding, b times the identity is the smallest
    case; a diagonal matrix with different entries commutes with none that mixes their coordinates, and is refused.
    """
    n = V.dimension
    if weight.shape != (n, n):
        raise DomainError(
            f"the weight has the shape {list(weight.shape)}, and the commutant of {V} has matrices [{n}, {n}]"
        )
    layer, residual = Linear.from_dense(dense(nn.Linear, weight, None), V, V)
    if residual > tolerance:
        raise DomainError(
            f"the weight does not commute with {V}: {residual:.1%} of it is outside of the commutant, which has the real dimension"
            f" {V.commutant().real_dimension}: take Linear(V, V)"
        )
    return layer


class PositionalEncoding(Derived):
    """The questions that all encodings answer, for sequences of `tokens` tokens: each of the three answers is nothing
    unless a subclass says otherwise."""

    tokens: int | None
    """None for an encoding of positions that are given with the features, for any number of tokens."""
    representation: FieldType | None = None
    """The type of `vectors()`, where there are any."""

    def vectors(self) -> Tensor | None:
        """What is added to tokens, [tokens, channels, dim of the representation].

        Constants are in float64 on the CPU; parameters are as they are."""
        return None

    def vectors_like(self, like: Tensor) -> Tensor | None:
        """The same for products with this tensor: on its device, in its dtype."""
        found = self.vectors()
        return None if found is None else found.to(like.device, like.dtype)

    def _kept(self, name: str) -> Tensor:
        """A copy of a constant as it was made: layers and copies of them share the constant."""
        assert self._constants is not None
        with real_tensors():
            found: Tensor = self._constants.on(torch.device("cpu"))[name].clone()
        return found

    def _kept_like(self, name: str, like: Tensor) -> Tensor:
        """The same for products with this tensor."""
        assert self._constants is not None
        return self._constants.like(name, like)

    def turn(self, x: Tensor) -> Tensor:
        """Queries and keys [..., heads, tokens, channels, dim V] as a token at its place sees them."""
        return x

    def scores(self, positions: Tensor | None = None) -> Tensor | None:
        """What is added to scores, [..., heads, tokens, tokens]."""
        return None

    def check(self, channels: int, heads: int) -> None:
        """DomainError where the encoding does not fit heads of so many channels."""


def _elements(G: Group, positions: Sequence[Permutation | str | Sequence[int]] | None) -> list[Permutation]:
    if positions is None:
        if G.order > 4096:
            raise DomainError(f"{G.name} has {G.order} elements: say which of them are positions")
        return list(G)
    if not hasattr(positions, "__iter__"):
        raise DomainError(f"positions is a list of elements of {G.name}, not {positions!r}")
    found = [Permutation(p, G.degree) for p in positions]
    for k, g in enumerate(found):
        if g not in G:
            raise DomainError(f"position {k} is {g}, which is no element of {G.name}")
    if not found:
        raise DomainError("an encoding has at least one position")
    return found


def quotients(elements: Sequence[Permutation]) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """Of all elements of a group, [|G|, |G|]: the number of g^-1 h."""
    images = numpy.array([g.images for g in elements], dtype=numpy.int32).reshape(len(elements), elements[0].degree)
    number = {row.tobytes(): k for k, row in enumerate(images)}
    inverses = numpy.argsort(images, axis=1).astype(numpy.int32)
    # (g^-1 h)(i) = g^-1(h(i)).
    return numpy.array(
        [[number[row.tobytes()] for row in numpy.take(back, images)] for back in inverses], dtype=numpy.int64
    )


class RepresentationEncoding(PositionalEncoding):
    """gamma(x) = rho(x) for positions x in a group: a token at x gets the columns of rho(x), dim rho vectors of type
    rho.

    gamma(g x) = rho(g) gamma(x): who moves all positions by g sees encodings moved by rho(g), and weights in the
    commutant do not notice.

    rep: a real representation of a finite group (products such as Group("C4 x S3") as well), with positions its
    elements, all of them by default, in order; or one of a continuous group, SO(2) with angles [tokens], SO(3) with
    quaternions [tokens, 4] (w, x, y, z; any length but 0), or a product of these and of finite groups, such as
    Group("C4 x SO(3)").rep("perm # vector"), with a list of positions for each factor. "SO(2)" and "SO(3)"
    are their `vector`. Layers take V = `representation`.

    vectors() [tokens, dim, dim]: channel c, coordinate r is rho(x)[r, c].
    """

    representation: FieldType

    def __init__(self, rep: FieldType | str, positions: Any = None) -> None:
        super().__init__()
        self.elements: list[Permutation] | None = None
        with real_tensors():
            if is_finite(rep):
                assert isinstance(rep, Representation)
                self.elements = _elements(rep.group, positions)
                matrices = torch.from_numpy(numpy.stack([real_matrix(rep, g) for g in self.elements]))
            else:
                if isinstance(rep, str):
                    if rep not in ("SO(2)", "SO(3)"):
                        raise DomainError(
                            f"the names of positions are 'SO(2)' and 'SO(3)', not {rep!r}; others have a"
                            " representation, such as Group('C4 x SO(3)').rep('perm # vector')"
                        )
                    rep = Group(rep).rep("vector")
                matrices = _continuous(rep, positions)
            self._constants = Constants(gamma=matrices.transpose(1, 2).contiguous())
        self.representation = rep
        self.tokens = len(matrices)

    @property
    def gamma(self) -> Tensor:
        """`vectors()`, a copy."""
        return self._kept("gamma")

    def vectors(self) -> Tensor:
        return self.gamma

    def vectors_like(self, like: Tensor) -> Tensor:
        return self._kept_like("gamma", like)


def _continuous(rep: Representation, positions: Any) -> Tensor:
    """rho(x) of all positions, [tokens, dim, dim]: the product of what x does in each factor of the group."""
    factors, name = rep.group.factors, rep.group.name
    if rep.is_complex:
        raise DomainError(f"the matrices of {rep} of {name} are not real; those of V.real() are")
    if len(factors) == 1:
        positions = [positions]
    elif not isinstance(positions, (list, tuple)) or len(positions) != len(factors):
        raise DomainError(f"positions in {name} are a list of {len(factors)}, those in each factor")
    images = iter(rep.generator_matrices())
    found: list[Tensor] = []
    for factor, x in zip(factors, positions):
        if is_finite_group(factor):
            given, elements = [next(images) for _ in factor.generators], _elements(factor, x)
            # Without generators nothing says how large the matrices are.
            matrices = (
                [real_matrix(factor.matrix_rep(given), g) for g in elements]
                if given
                else [numpy.eye(rep.dimension)] * len(elements)
            )
            found.append(torch.from_numpy(numpy.stack(matrices)))
        else:
            algebra = [numpy.asarray(next(images), dtype=numpy.float64) for _ in factor.generator_names]
            found.append(
                torch.linalg.matrix_exp(torch.einsum("tk,kij->tij", _turns(factor.name, x), _rotations(algebra)))
            )
    if len({len(A) for A in found}) > 1:
        raise DomainError(
            f"a token has a position in each factor of {name}, and there are {', '.join(str(len(A)) for A in found)}"
        )
    return functools.reduce(torch.matmul, found)


def _rotations(algebra: list[Any]) -> Tensor:
    """The images of the quarter turn J, J e1 = e2, of so(2), and of the turns about x, y, z of so(3); the generators of
    SO(n) are E_ij - E_ji for j = i + 1."""
    minus_z, minus_x = algebra[0], algebra[-1]
    found = [-minus_z] if len(algebra) == 1 else [-minus_x, minus_z @ minus_x - minus_x @ minus_z, -minus_z]
    return torch.from_numpy(numpy.stack(found))


def _turns(name: str, positions: Any) -> Tensor:
    """Angles about the axes, [tokens, 1] or [tokens, 3]."""
    if name not in ("SO(2)", "SO(3)"):
        raise DomainError(
            f"positions in {name} are not known; continuous groups are SO(2) with angles and SO(3) with quaternions, and products of them and finite ones"
        )
    x = _with_numbers("positions", positions) if positions is not None else torch.empty(0)
    if not bool(torch.isfinite(x).all()):
        raise DomainError(f"positions in {name} are finite numbers, and some of these are not")
    if name == "SO(2)":
        if x.dim() != 1 or len(x) == 0:
            raise DomainError(f"positions in SO(2) are angles [tokens], not {list(x.shape)}")
        return torch.atan2(x.sin(), x.cos())[:, None]  # exponentials of many turns lose what the turns take
    if x.dim() != 2 or x.shape[-1] != 4 or len(x) == 0:
        raise DomainError(f"positions in SO(3) are quaternions [tokens, 4], not {list(x.shape)}")
    length = x.norm(dim=1, keepdim=True)
    if bool((length < 1e-12).any()):
        raise DomainError(f"position {int(length.argmin())} is the quaternion 0, which is no rotation")
    w, v = (x / length).split((1, 3), 1)
    sine = v.norm(dim=1, keepdim=True)
    # angle / sine has the limit 2 at the rotation that is none
    axes: Tensor = v * torch.where(sine > 0, 2 * torch.atan2(sine, w) / sine.clamp(min=torch.finfo(x.dtype).tiny), 2.0)
    return axes


def _with_numbers(name: str, x: Any) -> Tensor:
    """In float64 on the CPU; DomainError for tensors without numbers."""
    if isinstance(x, Tensor) and not has_numbers(x):
        raise DomainError(f"{name} on meta, or of a fake tensor, have no numbers: make them under torch.device('cpu')")
    return torch.as_tensor(x, dtype=torch.float64, device="cpu")


class Sinusoidal(PositionalEncoding):
    """cos(w_j x), sin(w_j x) for a sequence x = 0, ..., tokens - 1, or positions [tokens]: 2 m numbers for m
    frequencies (Vaswani et al. 2017).

    frequencies: a number m for 10000^(-j / m), or a list of different positive ones. A translation turns each pair: the
    encoding is a representation of the line, and `representation` one of C4^m whose commutant is the same, of the real
    dimension 2 m: a rotation and a scale for each pair. In layers of V = representation a translation of all positions
    is exactly an element that acts on V; in those of the trivial group (V of Group("C1")) the encoding is plain
    numbers, as in ordinary Transformers.
    """

    def __init__(self, tokens: int | Sequence[float] | Tensor, frequencies: int | Sequence[float]) -> None:
        super().__init__()
        if isinstance(frequencies, int):
            frequencies = [10000 ** (-j / frequencies) for j in range(frequencies)]
        with real_tensors():
            x, w = _places(tokens), torch.tensor(list(frequencies), dtype=torch.float64)
            if len(w) == 0 or bool((w <= 0).any()) or len(set(w.tolist())) != len(w):
                raise DomainError("frequencies are different positive numbers, at least one")
            m = len(w)
            angles = x[:, None] * w
            gamma = torch.stack((angles.cos(), angles.sin()), 2).reshape(len(x), 1, 2 * m)
            self._constants = Constants(gamma=gamma, frequencies=w)
        self.tokens = len(x)
        group = Group("C4")
        for _ in range(m - 1):
            group = group * Group("C4")
        turns = [[[0] * (2 * m) for _ in range(2 * m)] for _ in range(m)]
        for k, turn in enumerate(turns):
            for j in range(2 * m):
                turn[j][j] = 1
            turn[2 * k][2 * k] = turn[2 * k + 1][2 * k + 1] = 0
            turn[2 * k][2 * k + 1], turn[2 * k + 1][2 * k] = -1, 1
        self.representation = group.matrix_rep(turns)

    @property
    def gamma(self) -> Tensor:
        """`vectors()`, a copy."""
        return self._kept("gamma")

    @property
    def frequencies(self) -> Tensor:
        """The w_j [m], a copy."""
        return self._kept("frequencies")

    def vectors(self) -> Tensor:
        return self.gamma

    def vectors_like(self, like: Tensor) -> Tensor:
        return self._kept_like("gamma", like)

    def translation(self, y: float) -> Tensor:
        """The matrix [2 m, 2 m] by which gamma(x + y) = R(y) gamma(x)."""
        angles = self.frequencies * y
        turns: Tensor = torch.block_diag(
            *(torch.stack((torch.stack((c, -s)), torch.stack((s, c)))) for c, s in zip(angles.cos(), angles.sin()))
        )
        return turns


def _places(tokens: int | Sequence[float] | Tensor) -> Tensor:
    """The positions of a sequence [tokens]."""
    x = torch.arange(tokens, dtype=torch.float64) if isinstance(tokens, int) else _with_numbers("positions", tokens)
    if x.dim() != 1 or len(x) == 0:
        raise DomainError("positions are a number of tokens or a list of numbers, at least one")
    return x


class Rotary(PositionalEncoding):
    """Queries and keys are turned by rho(x), in their channels: scores <rho(x) q, rho(y) k> = <q, rho(x^-1 y) k> depend
    on x^-1 y alone (Su et al. 2021, where rho is a rotation of the plane by the position).

    rep: a real orthogonal representation, of a finite or a continuous group, with positions as in
    RepresentationEncoding. Or frequencies, Rotary([1.0, 0.1], tokens), for a sequence whose pairs of channels turn by
    w_j x. Channels of a head are a multiple of dim rho.
    """

    def __init__(self, rep: Representation | str | Sequence[float], positions: Any = None) -> None:
        super().__init__()
        if isinstance(rep, (str, Group, Representation)):
            encoding = RepresentationEncoding(rep, positions)
            if not is_orthogonal(encoding.representation):
                raise DomainError(
                    f"{rep} is not orthogonal, and scores of turned queries and keys would depend on more than x^-1 y: conjugate it first"
                )
            with real_tensors():
                matrices = encoding.gamma.mT.contiguous()
        else:
            sinus = Sinusoidal(positions, rep)
            with real_tensors():
                matrices = torch.stack([sinus.translation(t) for t in _places(positions).tolist()])
        self.tokens, self.size = len(matrices), int(matrices.shape[1])
        self._constants = Constants(matrices=matrices)

    @property
    def matrices(self) -> Tensor:
        """rho(x) of every place [tokens, size, size], a copy."""
        return self._kept("matrices")

    def check(self, channels: int, heads: int) -> None:
        if channels // heads % self.size:
            raise DomainError(
                f"heads have {channels // heads} channels, and the rotary encoding turns {self.size} at once: take a multiple for each head"
            )

    def turn(self, x: Tensor) -> Tensor:
        parts = x.unflatten(-2, (-1, self.size))  # [..., heads, tokens, m, size, dim V]
        return torch.einsum("tab,...htmbv->...htmav", self._kept_like("matrices", x), parts).flatten(-3, -2)


class Learned(PositionalEncoding):
    """A free vector for each of `tokens` places (in layers with V, an invariant of V): no permutation of tokens is left
    as a symmetry."""

    def __init__(
        self, tokens: int, channels: int, *, device: torch.device | str | None = None, dtype: torch.dtype | None = None
    ) -> None:
        super().__init__()
        if not isinstance(tokens, int) or tokens < 1 or not isinstance(channels, int) or channels < 1:
            raise DomainError(
                f"Learned takes positive numbers of tokens and of channels, not {tokens!r} and {channels!r}"
            )
        self.tokens = tokens
        self.table = nn.Parameter(torch.randn(tokens, channels, 1, device=device, dtype=dtype))

    def vectors(self) -> Tensor:
        return self.table


class Relative(PositionalEncoding):
    """A free number for each head and each x^-1 y, added to the score of x and y (Shaw et al. 2018; Raffel et al.
    2020).

    positions: a group, whose elements are the tokens, or a number of tokens of a sequence, where it depends on y - x.
    Scores, and so the layer, keep the symmetry x -> g x of the positions.
    """

    def __init__(
        self,
        positions: Group | int,
        heads: int,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        with real_tensors():
            if is_finite_group(positions):
                elements = _elements(positions, None)
                index, count = torch.from_numpy(quotients(elements)), len(elements)
            else:
                if not isinstance(positions, int) or positions < 1:
                    raise DomainError(f"Relative takes a group or a positive number of tokens, not {positions!r}")
                place = torch.arange(positions)
                index, count = place - place[:, None] + positions - 1, 2 * positions - 1
            self._constants = Constants(index=index)
        self.tokens = len(index)
        self.table = nn.Parameter(torch.zeros(heads, count, device=device, dtype=dtype))
        self._on_device(self.table.device)

    @property
    def index(self) -> Tensor:
        """Which column of the table a pair of tokens takes [tokens, tokens], a copy."""
        return self._kept("index")

    def check(self, channels: int, heads: int) -> None:
        if len(self.table) != heads:
            raise DomainError(f"the relative encoding has {len(self.table)} heads and the layer {heads}")

    def scores(self, positions: Tensor | None = None) -> Tensor:
        return self.table[:, self._kept_like("index", self.table)]


class Location(PositionalEncoding):
    """A small network of the invariants of two positions for each head, added to their score: the location kernel of
    LieTransformer (Hutchinson et al. 2021), on positions that are given with the features, `layer(x, positions)`, and
    moved by a group.

    group: "SE(n)" or "E(n)", motions of space, or "SO(n)" or "O(n)", about the origin. positions [..., tokens, n] are
    points. lifted=True: they are elements of the group by their matrices: [..., tokens, n, n], or for motions [...,
    tokens, n, n + 1], a frame and then the point.

    The invariants are exact and complete: two pairs have the same ones if and only if a motion takes one to the other.
    Of lifted positions they are the entries of the matrix of g^-1 g', which has no jump at half turns, as its logarithm
    has; of points |x' - x|^2 for motions, and |x|^2, |x'|^2, <x, x'> about the origin, for SO(2) the determinant |x x'|
    as well (Weyl 1946). So scores change by rounding alone when all positions are moved.

    scale: the unit of length. radius: positions that are as far apart or further have no weight, and the weight falls
    to 0 continuously, by the factor (1 - (d / radius)^2)^2; d is the distance of the points, of lifted rotations that
    of their matrices. A token always sees itself.

    Cost: tokens^2 hidden numbers for each cloud.
    """

    tokens = None

    def __init__(
        self, group: str, heads: int, *, lifted: bool = False, hidden: int = 16, scale: float = 1.0, radius: float | None = None,
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        found = re.fullmatch(r"(S?)(O|E)\((\d+)\)", group) if isinstance(group, str) else None
        if found is None or int(found[3]) < 2:
            raise DomainError(
                f"positions are moved by SO(n), O(n), SE(n) or E(n) for n of at least 2, such as 'SE(3)', not by {group!r}"
            )
        if not scale > 0 or (radius is not None and not radius > 0):
            raise DomainError(f"scale and radius are positive lengths, not {scale!r} and {radius!r}")
        self.group, self.heads, self.lifted, self.scale, self.radius = (
            group,
            integer("heads", heads, 1),
            lifted,
            float(scale),
            radius,
        )
        self.n, self.motions, self.proper = int(found[3]), found[2] == "E", bool(found[1])
        inputs = (
            self.n * (self.n + self.motions)
            if lifted
            else 1
            if self.motions
            else 4
            if self.proper and self.n == 2
            else 3
        )
        settings: Any = {"device": device, "dtype": dtype}
        self.network = nn.Sequential(
            nn.Linear(inputs, integer("hidden", hidden, 1), **settings), nn.SiLU(), nn.Linear(hidden, heads, **settings)
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a position."""
        return (self.n, self.n + self.motions) if self.lifted else (self.n,)

    def invariants(self, positions: Tensor) -> Tensor:
        """Of all pairs, [..., tokens, tokens, their number], lengths in the unit of the scale."""
        here, there = (positions.unsqueeze(-len(self.shape) - k) for k in (1, 2))
        if not self.lifted:
            if self.motions:
                return ((there - here) / self.scale).square().sum(-1, keepdim=True)
            here, there = torch.broadcast_tensors(here / self.scale, there / self.scale)
            found = [here.square().sum(-1), there.square().sum(-1), (here * there).sum(-1)]
            if self.proper and self.n == 2:
                found.append(here[..., 0] * there[..., 1] - here[..., 1] * there[..., 0])
            return torch.stack(found, -1)
        back = here[..., : self.n].mT
        turned = [back @ there[..., : self.n]] + (
            [back @ (there - here)[..., self.n :] / self.scale] if self.motions else []
        )
        return torch.cat(turned, -1).flatten(-2)

    def scores(self, positions: Tensor | None = None) -> Tensor:
        if positions is None or positions.dim() <= len(self.shape) or positions.shape[-len(self.shape) :] != self.shape:
            got = "none" if positions is None else list(positions.shape)
            raise DomainError(
                f"positions are [..., tokens, {', '.join(map(str, self.shape))}] for Location({self.extra_repr()}), and there are {got}"
            )
        b = self.network(self.invariants(positions).to(next(self.network.parameters()).dtype)).movedim(-1, -3)
        if self.radius is None:
            return b  # type: ignore[no-any-return]
        places = (
            positions[..., self.n :].squeeze(-1)
            if self.lifted and self.motions
            else positions.flatten(-2)
            if self.lifted
            else positions
        )
        apart = (places.unsqueeze(-2) - places.unsqueeze(-3)).square().sum(-1) / self.radius**2
        # log 0 would be differentiated where nothing is seen
        factor = torch.where(apart < 1, 1 - apart, torch.ones_like(apart)).log() * 2
        return b + factor.masked_fill(apart >= 1, float("-inf")).unsqueeze(-3)  # type: ignore[no-any-return]

    def check(self, channels: int, heads: int) -> None:
        if self.heads != heads:
            raise DomainError(f"the encoding of locations has {self.heads} heads and the layer {heads}")

    def extra_repr(self) -> str:
        return f"{self.group}, heads={self.heads}, lifted={self.lifted}, scale={self.scale}, radius={self.radius}"


def embedding(
    encoding: PositionalEncoding, V: FieldType, channels: int, device: Any, dtype: torch.dtype | None
) -> tuple[Linear | None, bool]:
    """The equivariant map from an encoding's vectors to tokens of type V, and whether it takes them as plain numbers."""
    vectors = encoding.vectors()
    if vectors is None:
        return None, False
    rep, columns = encoding.representation, int(vectors.shape[1])
    plain = rep is None or V.group.order == 1
    if plain and rep is not None:
        columns *= int(vectors.shape[2])
    source: Any = V.group.rep("trivial") if rep is None or plain else rep
    if source.group != V.group:
        raise DomainError(
            f"the encoding is a representation of {source.group.name} and V of {V.group.name}: take V over the group of the positions,"
            " such as encoding.representation"
        )
    hom = source >> V
    if hom.dimension == 0:
        raise DomainError(
            f"no equivariant map takes the encoding, of type {source}, to {V}, and it would never be seen: take V with a constituent of it"
        )
    return Linear(source, V, columns, channels, bias=False, device=device, dtype=dtype), plain
