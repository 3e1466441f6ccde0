"""Products of fields, polynomials in them, and fields of invariants."""

from __future__ import annotations

import functools
import math
import operator
from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Representation, Table
from ._fields import Constants, FieldModule, integer, real_tensors, require_tensor
from .linear import TiedModule, tables_between

__all__ = ["Bilinear", "Embedding", "PolynomialLayer", "TensorProduct"]


def _require_field(name: str, x: Tensor, channels: int, dimension: int) -> None:
    require_tensor(x)
    if x.dim() < 2 or x.shape[-1] != dimension or x.shape[-2] != channels:
        raise DomainError(
            f"{name} has the shape {list(x.shape)}; this layer takes [..., {channels}, {dimension}] (channels, dim)"
        )


class _Product(TiedModule):
    """What products of two fields have in common: the table of V * W >> U."""

    _takes_complex = True

    def __init__(
        self,
        V: Representation,
        W: Representation,
        U: Representation,
        channels: tuple[int, int, int],
        in_channels: int,
        bias: bool,
        mode: str,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
    ) -> None:
        self._names, self._types = (str(V), str(W), str(U)), (V, W, U)
        self._sizes = (V.dimension, W.dimension, U.dimension)
        self._channels = channels
        super().__init__(tables_between(V * W, U, mode), in_channels, channels[2], bias, mode, device, dtype)

    def _both(self, x: Tensor, z: Tensor) -> None:
        for name, t, channels, dimension in zip(
            ("the first input", "the second input"), (x, z), self._channels, self._sizes
        ):
            _require_field(name, t, channels, dimension)
            self._checked(t)


class Bilinear(_Product):
    """y = B(x, z) + b with every equivariant bilinear B: B(g x, g z) = g B(x, z) for all g.

    Every pair of channels has its own parameters, as in torch.nn.Bilinear. The maps are the linear maps Hom(V * W, U),
    exact and complete.

    With a complex dtype B is linear over C in both, without conjugates.

    Parameters
    ----------
    V, W
        The types of x and z.
    U
        The type of y.
    in1_channels, in2_channels, out_channels
        How many fields x, z and y have. Where V * W is written as a multiple its copies are channels of theta as in
        Linear.
    bias
        Whether there is a b.
    mode
        "automatic" chooses between forms that give the same bits, "fastest" among all. `Linear` lists the others.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    theta
        [P, out_channels, in1_channels in2_channels]. Its start is that of Linear, for independent inputs of variance 1.
    bias
        [Q, out_channels].

    Shape
    -----
    [..., in1_channels, dim V] and [..., in2_channels, dim W], with the same leading dimensions, to [..., out_channels,
    dim U].

    Raises
    ------
    DomainError
        If the representations are of different groups, or x and z have other shapes.

    Notes
    -----
    Cost: as Linear on in1_channels in2_channels channels of dim V dim W, which the product of x and z fills.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Bilinear
    >>> v = Group("SO(3)").rep("vector")
    >>> cross = Bilinear(v, v, v)                          # the cross product is the only one
    >>> cross.theta.shape, cross(torch.randn(5, 1, 3), torch.randn(5, 1, 3)).shape
    (torch.Size([1, 1, 1]), torch.Size([5, 1, 3]))

    See Also
    --------
    TensorProduct : Each channel for itself.
    PolynomialLayer : Products of a field with itself.
    """

    def __init__(
        self,
        V: Representation,
        W: Representation,
        U: Representation,
        in1_channels: int = 1,
        in2_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        channels = (
            integer("in1_channels", in1_channels, 1),
            integer("in2_channels", in2_channels, 1),
            integer("out_channels", out_channels, 1),
        )
        super().__init__(V, W, U, channels, in1_channels * in2_channels, bias, mode, device, dtype)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        self._both(x, z)
        return self._product((x[..., :, None, :, None] * z[..., None, :, None, :]).flatten(-4, -3).flatten(-2))

    def weight(self) -> Tensor:
        """The tensor [out_channels dim U, in1_channels, in2_channels, dim V, dim W], differentiable in theta."""
        return self._matrix().view(-1, *self._channels[:2], *self._sizes[:2])

    def extra_repr(self) -> str:
        V, W, U = self._names
        a, b, c = self._channels
        return f"{V}, {W} -> {U}, {a}, {b} -> {c} channels, {self._weights.sizes[2]} parameters a triple{'' if self.bias is not None else ', bias=False'}"


class TensorProduct(_Product):
    """y_c = B_c(x_c, z_c) for each channel c, B_c an equivariant bilinear map of its own.

    It is what Clebsch-Gordan products are for rotations (Thomas et al. 2018), for any V, W and U of one group, finite
    or continuous.

    Parameters
    ----------
    V, W
        The types of x and z.
    U
        The type of y. Where it is written as a multiple its copies are channels of theta.
    channels
        How many fields x, z and y have each.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    theta
        [P, channels, 1], P = dim Hom(V * W, U): one number for each element of the exact basis and channel; no bias.
        Its start is that of Linear, for independent inputs of variance 1.

    Shape
    -----
    [..., channels, dim V] and [..., channels, dim W] to [..., channels, dim U].

    Raises
    ------
    DomainError
        If the representations are of different groups, or x and z have other shapes.

    Notes
    -----
    Cost: dim U dim V dim W for each channel.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import TensorProduct
    >>> v = Group("SO(3)").rep("vector")
    >>> TensorProduct(v, v, v.group.rep("trivial"), 16).theta.shape        # the inner product, times a number
    torch.Size([1, 16, 1])

    See Also
    --------
    Bilinear : All pairs of channels.
    """

    _writes_weights = True

    def __init__(
        self,
        V: Representation,
        W: Representation,
        U: Representation,
        channels: int = 1,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        integer("channels", channels, 1)
        super().__init__(V, W, U, (channels, channels, channels), 1, False, "automatic", device, dtype)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        self._both(x, z)
        product = (x[..., :, None] * z[..., None, :]).flatten(-2)
        weight = self.weight().flatten(-2)
        if torch.compiler.is_compiling() and not torch.compiler.is_exporting():
            # inductor has no product of batches of matrices whose number of rows is known only at run time; what it
            # makes of this sum stores no more
            return (product.unsqueeze(-2) * weight).sum(-1)
        return torch.einsum("...ci,coi->...co", product, weight)

    def weight(self) -> Tensor:
        """The tensors [channels, dim U, dim V, dim W], differentiable in theta."""
        return self._matrix().view(self._channels[2], self._sizes[2], *self._sizes[:2])

    def extra_repr(self) -> str:
        V, W, U = self._names
        return f"{V}, {W} -> {U}, {self._channels[0]} channels, {self._weights.sizes[2]} parameters a channel"


class PolynomialLayer(TiedModule):
    """y = F(x) + b with every equivariant polynomial map F of the given degrees, of each channel: F(g x) = g F(x) for
    all g.

    The maps are those of polynomial_maps(V, U, degree), as linear maps of the symmetric powers of V: what is multiplied
    are the monomials in the coordinates of x, with their multinomial coefficients.

    Parameters
    ----------
    V, U
        The types of x and y.
    degrees
        One degree of at least 1, or several.
    in_channels, out_channels
        How many fields x and y have. Products of different channels are for Bilinear.
    bias
        Whether there is a b.
    mode
        "automatic" chooses between forms that give the same bits, "fastest" among all. `Linear` lists the others.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    theta
        [P, out_channels, in_channels]: a number for each element of a basis of the maps and pair of channels. The start
        is normal, with the variances for which normal inputs of variance 1 give outputs of mean square gain^2 on
        average, each element of the basis moving them equally: in closed form by Hermite polynomials.
    bias
        [Q, out_channels].

    Shape
    -----
    [..., in_channels, dim V] to [..., out_channels, dim U].

    Raises
    ------
    DomainError
        If V and U are of different groups, a degree is below 1, or x has another shape.

    Notes
    -----
    Cost: as Linear on as many coordinates as there are monomials, binomial(dim V + degree - 1, degree) for each degree.

    Examples
    --------
    >>> from intertwine import Group
    >>> from intertwine.nn import PolynomialLayer
    >>> V = Group("S3").rep("perm")
    >>> PolynomialLayer(V, V, 2).theta.shape               # as many as polynomial_maps(V, V, 2) has
    torch.Size([4, 1, 1])

    See Also
    --------
    Bilinear : Products of two fields, or of channels.
    """

    _derived = ("_weights", "_powers")
    _takes_complex = True

    def __init__(
        self,
        V: Representation,
        U: Representation,
        degrees: int | Sequence[int] = 2,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        wanted = [degrees] if isinstance(degrees, int) else list(degrees)
        if not wanted:
            raise DomainError("degrees is a degree, or a list of some: it is empty")
        if len({integer("a degree", d, 1) for d in wanted}) < len(wanted):
            raise DomainError(f"the degrees {wanted} name one twice")
        self.degrees = tuple(wanted)
        self._names, self._types = (str(V), str(U)), (V, U)
        self._dimension = V.dimension
        powers = functools.reduce(operator.add, (V.sym(d) for d in wanted))
        super().__init__(tables_between(powers, U, mode), in_channels, out_channels, bias, mode, device, dtype)

    def _connect(self) -> None:
        super()._connect()
        tensors: dict[str, Tensor] = {}
        with real_tensors():
            for d in self.degrees:
                monomials = _monomials(self._dimension, d)
                tensors[f"factors{d}"] = torch.tensor(monomials).t().contiguous()
                tensors[f"multinomial{d}"] = torch.tensor([_multinomial(m) for m in monomials], dtype=torch.float64)
        self._powers = Constants(**tensors)

    def _on_device(self, device: torch.device) -> None:
        super()._on_device(device)
        self._powers.on(device)

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta normal, of the variances for which normal inputs of variance 1 give outputs of mean square gain^2. The
        bias is zero."""
        squares = self._mean_squares()
        _, in_ = self.theta.shape[1:]
        self._start((gain / numpy.sqrt(squares * max(len(squares), 1) * in_)).tolist(), generator)

    def _mean_squares(self) -> numpy.ndarray:
        """For each element of the basis the mean square of its coordinates at normal inputs of variance 1: the sum of
        the squares of its coefficients in the normed Hermite polynomials, which are orthonormal then."""
        M, N, P = self._weights.sizes[:3]
        monomials = [m for d in self.degrees for m in _monomials(self._dimension, d)][
            :N
        ]  # copies of V, of degree 1, are channels
        number: dict[tuple[tuple[int, int], ...], int] = {}
        start, which, value = [0], [], []
        for m in monomials:
            for term, coefficient in _of_unit(m) if self.theta.is_complex() else _hermite(m):
                which.append(number.setdefault(term, len(number)))
                value.append(coefficient * _multinomial(m))
            start.append(len(which))
        assert isinstance(self.table, Table)
        k, row, col, entry = _entries(self.table)
        count = numpy.diff(start)[col]
        at = numpy.repeat(
            numpy.asarray(start)[col] - numpy.concatenate(([0], numpy.cumsum(count)[:-1])), count
        ) + numpy.arange(count.sum())
        key = numpy.repeat(k * M + row, count) * len(number) + numpy.asarray(which, dtype=numpy.int64)[at]
        places, inverse = numpy.unique(key, return_inverse=True)
        sums = numpy.bincount(inverse, numpy.repeat(entry, count) * numpy.asarray(value)[at], minlength=len(places))
        return numpy.bincount(places // (M * max(len(number), 1)), sums**2, minlength=P) / M

    def forward(self, x: Tensor) -> Tensor:
        _require_field("the input", x, self.in_channels, self._dimension)
        self._checked(x)
        parts = []
        for d in self.degrees:
            factors = self._powers.like(f"factors{d}", x)
            product = x.index_select(-1, factors[0])
            for k in range(1, d):
                product = product * x.index_select(-1, factors[k])
            parts.append(product * self._powers.like(f"multinomial{d}", x) if d > 1 else product)
        return self._product(parts[0] if len(parts) == 1 else torch.cat(parts, -1))

    def extra_repr(self) -> str:
        V, U = self._names
        return f"{V} -> {U}, degrees {list(self.degrees)}, {self.in_channels} -> {self.out_channels} channels, {self._weights.sizes[2]} parameters a pair"


@functools.lru_cache(maxsize=16)
def _monomials(n: int, degree: int) -> list[tuple[int, ...]]:
    """Those of Sym^degree in their order: the lists of factors, increasing, in lexicographic order."""
    return list(combinations_with_replacement(range(n), degree))


def _multinomial(monomial: tuple[int, ...]) -> int:
    """How often it occurs in the power of a sum."""
    return math.factorial(len(monomial)) // math.prod(math.factorial(a) for a in Counter(monomial).values())


def _of_unit(monomial: tuple[int, ...]) -> list[tuple[tuple[tuple[int, int], ...], float]]:
    """The monomial of complex normal variables: these are orthogonal as they stand, |z^a|^2 = a!."""
    powers = Counter(monomial)
    return [(tuple(powers.items()), math.sqrt(math.prod(map(math.factorial, powers.values()))))]


def _hermite(monomial: tuple[int, ...]) -> list[tuple[tuple[tuple[int, int], ...], float]]:
    """The monomial in products of normed Hermite polynomials: x^a = sum of a! / (2^j j! (a - 2j)!) He_(a - 2j),
    |He_b|^2 = b!."""
    terms: list[tuple[tuple[tuple[int, int], ...], float]] = [((), 1.0)]
    for i, a in Counter(monomial).items():
        terms = [
            (
                term + (((i, a - 2 * j),) if a > 2 * j else ()),
                c * math.factorial(a) / (2**j * math.factorial(j) * math.sqrt(math.factorial(a - 2 * j))),
            )
            for term, c in terms
            for j in range(a // 2 + 1)
        ]
    return terms


def _entries(table: Table) -> tuple[numpy.ndarray, ...]:
    """Of all elements of the basis: element, row, column and number."""
    if table.is_tied:
        code, P = table.weight_code.astype(numpy.int64), table.params
        row, col = numpy.nonzero(code)
        found = code[row, col] - 1
        return found % max(P, 1), row, col, numpy.where(found < P, 1.0, -1.0)
    k = numpy.repeat(numpy.arange(table.params), numpy.diff(table.basis_ptr))
    return k, table.basis_row.astype(numpy.int64), table.basis_col.astype(numpy.int64), table.basis_val


class Embedding(FieldModule):
    """A learnt invariant field for each of a number of classes: integers [...] -> [..., channels, dim V], and every g
    leaves the result as it is.

    weight [num_embeddings, Q, channels]: coefficients of the Q vectors of V that the group fixes (for permutations: one
    for each orbit). DomainError where only 0 is fixed. Its start is normal, with the variance for which the coordinates
    that are not 0 for all fixed vectors have variance 1 on average: 1 for permutations.
    """

    channels: int

    def __init__(
        self,
        num_embeddings: int,
        V: Representation,
        channels: int = 1,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(V, channels)
        self.num_embeddings = integer("num_embeddings", num_embeddings, 1)
        Q = self._structure.invariants
        if dtype is not None and dtype.is_complex:
            raise DomainError(
                f"an embedding is of a floating-point dtype, not {dtype}: torch.complex(a(k), b(k)) of two"
            )
        if not Q:
            raise DomainError(
                f"the group fixes no vector of {V} but 0: there is nothing to embed in; add trivial summands"
            )
        self.weight = nn.Parameter(torch.empty(num_embeddings, Q, channels, device=device, dtype=dtype))
        self._structure.constants.on(self.weight.device)
        self.reset_parameters()

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """Normal, of the variance for which coordinates have variance gain^2 on average."""
        squares, used = 0.0, 0
        constants = self._structure.constants.on(torch.device("cpu"))
        with real_tensors():
            for kind in self._structure.kinds:
                if kind.invariants:
                    basis = constants[f"basis{kind.number}"]
                    squares += kind.copies * float(basis.square().sum())
                    used += kind.copies * int((basis != 0).any(1).sum())
        with torch.no_grad():
            self.weight.normal_(0, gain * math.sqrt(used / squares), generator=generator)

    def forward(self, index: Tensor) -> Tensor:
        if index.dtype not in (torch.int32, torch.int64):
            raise DomainError(f"classes are integers of the type int64 or int32, not {index.dtype}")
        rows = (
            nn.functional.embedding(index, self.weight.flatten(1))
            .unflatten(-1, self.weight.shape[1:])
            .transpose(-1, -2)
        )
        return self._structure.put([self._structure.vectors(rows, kind) for kind in self._structure.kinds], -1)

    def extra_repr(self) -> str:
        return f"{self.num_embeddings}, {super().extra_repr()}"
