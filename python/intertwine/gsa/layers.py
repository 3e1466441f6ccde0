"""Self-attention that commutes with the translations and rotations of Z^d : H."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Group
from ..nn._fields import Constants, Derived, integer, real_tensors, require_like, require_tensor
from ._attend import Blocks, Measure, Rows, Weights, attend, road
from .affine import Affine, Dilations
from .positions import Dilated, Neighbourhood, Positions

__all__ = ["GroupSelfAttention", "LiftingSelfAttention", "exact_subgroup"]


class Encoding(nn.Module):
    """rho(a, h), the encoding of a difference a in R^d and an element h: a small network of their coordinates, or a row
    for each h.

    a [n, d], matrices [m, d, d] (or None, for differences alone) -> [n m, channels], or [n, channels].
    """

    def __init__(
        self, d: int, channels: int, kind: str, order: int, scale: float, hidden: int, device: Any, dtype: torch.dtype
    ) -> None:
        super().__init__()
        self.scale, self.by_matrix = scale, kind == "matrix"
        inputs = d + (d * d if self.by_matrix and order else 0)
        self.network = nn.Sequential(
            nn.Linear(inputs, hidden, device=device, dtype=dtype), nn.SiLU(),
            nn.Linear(hidden, hidden, device=device, dtype=dtype), nn.SiLU(),
            nn.Linear(hidden, channels, False, device=device, dtype=dtype),  # all keys alike would not be seen
        )  # fmt: skip
        self.table = (
            nn.Parameter(torch.randn(order, channels, device=device, dtype=dtype))
            if order and not self.by_matrix
            else None
        )
        for layer in self.network:  # of the size of features, so that positions matter from the start
            if isinstance(layer, nn.Linear):
                nn.init.kaiming_normal_(layer.weight)

    def forward(self, a: Tensor, matrices: Tensor | None) -> Tensor:
        a = a / self.scale
        if matrices is None:
            return self.network(a)  # type: ignore[no-any-return]
        n, m = len(a), len(matrices)
        if self.table is not None:
            return (self.network(a)[:, None, :] + self.table).flatten(0, 1)  # type: ignore[no-any-return]
        pairs = torch.cat((a[:, None, :].expand(n, m, -1), matrices.flatten(1).expand(n, m, -1)), 2)
        return self.network(pairs.flatten(0, 1))  # type: ignore[no-any-return]


class _SelfAttention(Derived):
    """What lifting and group attention have in common. x [..., in_channels, G, *shape] -> [..., out_channels, |H|,
    *shape]."""

    keys: int  # elements that keys have: 1 or |H|
    _constants: Constants

    def __init__(
        self, H: Affine | Dilations, positions: Positions, neighbourhood: Neighbourhood, in_channels: int, out_channels: int, heads: int, head_channels: int | None,
        form: str, encoding: str | nn.Module, encodes: str, hidden: int, dropout: float, normalise: bool, bias: bool,
        device: torch.device | str | None, dtype: torch.dtype | None,
    ) -> None:  # fmt: skip
        super().__init__()
        numbers = {
            "in_channels": in_channels,
            "out_channels": out_channels,
            "heads": heads,
            "head_channels": head_channels or 1,
            "hidden": hidden,
        }
        for name, number in numbers.items():
            integer(name, number, 1)
        if not isinstance(encoding, nn.Module) and encoding not in ("matrix", "table"):
            raise DomainError(
                f"the encoding {encoding!r} is not known; encodings are matrix (a network of the matrix of h), table (one row for each h) and own modules"
            )
        if encodes not in ("features", "keys"):
            raise DomainError(
                f"an encoding is added to features, before keys are made of them, or to keys, not to {encodes!r}"
            )
        if not 0 <= dropout < 1:
            raise DomainError(f"dropout is a probability, at least 0 and less than 1, not {dropout!r}")
        if positions.d != H.d:
            raise DomainError(
                f"the positions have {positions.d} coordinates, and {H} acts on {H.d}: take positions of that dimension"
            )
        if isinstance(H, Dilations) and positions.kind == "torus":
            raise DomainError(f"no dilation maps a torus to itself, and {H.name} are some: take grid(...) or points(x)")
        if isinstance(H, Dilations) and form == "printed":
            raise DomainError(
                f"form='printed' needs products of elements, and {H.name} are not closed under them: take 'relative' or 'summed'"
            )
        motions = H.H if isinstance(H, Dilations) else H
        neighbourhood.require_invariant(motions.name, motions.matrices, motions.is_on_grid)
        device, dtype = device or torch.get_default_device(), dtype or torch.get_default_dtype()
        self.H, self.positions, self.neighbourhood, self.form = H, positions, neighbourhood, form
        self.in_channels, self.out_channels, self.heads = in_channels, out_channels, heads
        self.head_channels = head_channels or math.ceil(out_channels / 2)
        self.encodes, self.dropout, self.normalise = encodes, dropout, normalise
        self._ran = "nothing yet"
        frames = _frames(H, form)
        dilated = Dilated(neighbourhood, H.inverse_matrices) if isinstance(H, Dilations) else None
        self.blocks = Blocks(positions, dilated or neighbourhood, len(frames.query), self.keys)
        # The differences as every h sees them, h^-1 (x_j - x_i), each once.
        seen = numpy.einsum("hab,ob->hoa", H.inverse_matrices, self.blocks.differences)
        _, first, named = numpy.unique(
            numpy.round(seen.reshape(-1, H.d) * 1e9).astype(numpy.int64), axis=0, return_index=True, return_inverse=True
        )
        vectors = seen.reshape(-1, H.d)[first]
        of_frame = named.reshape(seen.shape[:2]) * (1 if form == "lifting" else len(H.relative))
        if dilated is not None:
            of_frame = numpy.where(dilated.rows(self.blocks.differences), of_frame, -1)  # h sees h N
        constants = {"query_of": frames.query, "difference": of_frame[frames.turn], "element": frames.element}
        constants |= {"vectors": vectors} if form == "lifting" else {"vectors": vectors, "matrices": H.relative}
        # A key stands for its cell of positions and, on the group, of scales; h^-d, or h^-(d+1), makes the sum the same
        # at every scale.
        keys = positions.cell * (numpy.ones(1) if form == "lifting" else H.scales)
        rows = H.scales[frames.turn] ** (H.d + (form != "lifting" and isinstance(H, Dilations)))
        if not normalise:
            constants |= {"key_measure": keys, "row_measure": rows}
        with real_tensors():
            arrays = {name: numpy.ascontiguousarray(value) for name, value in constants.items()}
            self._constants = Constants(**{name: torch.from_numpy(array) for name, array in arrays.items()})
        width = heads * self.head_channels
        if isinstance(encoding, nn.Module):
            self.encoding: nn.Module = encoding
        else:
            scale = float(numpy.abs(vectors).max(initial=0)) or 1.0
            channels = in_channels if encodes == "features" else self.head_channels
            self.encoding = Encoding(
                H.d, channels, encoding, 0 if form == "lifting" else len(H.relative), scale, hidden, device, dtype
            )
        self.query = nn.Linear(in_channels, width, bias, device=device, dtype=dtype)
        self.key = nn.Linear(
            in_channels, width, False, device=device, dtype=dtype
        )  # a softmax does not see what it would add
        self.value = nn.Linear(in_channels, width, bias, device=device, dtype=dtype)
        self.out = nn.Linear(width, out_channels, bias, device=device, dtype=dtype)
        self._on_device(self.query.weight.device)

    def _on_device(self, device: torch.device) -> None:
        self._constants.on(device)
        self.blocks.constants.on(device)

    def _like_weights(self, name: str) -> Tensor:
        """A constant on the device and in the dtype of the weights."""
        return self._constants.like(name, self.query.weight)

    @property
    def vectors(self) -> Tensor:
        """The differences of positions as elements see them, each once [n, d]: what the encoding takes. A copy."""
        return self._like_weights("vectors").clone()

    @property
    def matrices(self) -> Tensor | None:
        """The matrices of elements [m, d, d] that the encoding takes, a copy; None for a lifting layer."""
        return None if self.form == "lifting" else self._like_weights("matrices").clone()

    def weights(self) -> Weights:
        """The weights of each head, and its encoding."""
        split: Any = lambda w: None if w is None else w.unflatten(0, (self.heads, self.head_channels))  # noqa: E731
        scale = self.head_channels**-0.5
        bias = self.query.bias
        out = self.out.weight.unflatten(1, (self.heads, self.head_channels)).movedim(1, 0)
        return Weights(
            split(self.query.weight * scale), split(None if bias is None else bias * scale), split(self.key.weight),
            split(self.value.weight), split(self.value.bias), out, self._encoded(),
        )  # fmt: skip

    def _encoded(self) -> Tensor:
        """What the encoding adds to keys, [heads, E, head_channels]."""
        vectors = self._like_weights("vectors")
        matrices = None if self.form == "lifting" else self._like_weights("matrices")
        found: Tensor = self.encoding(vectors, matrices)
        entries = len(vectors) * (1 if matrices is None else len(matrices))
        widths = (
            (self.in_channels,) if self.encodes == "features" else (self.head_channels, self.heads * self.head_channels)
        )
        if found.dim() != 2 or len(found) != entries or found.shape[1] not in widths:
            wanted = " or ".join(str(w) for w in widths)
            raise DomainError(
                f"the encoding gives the shape {list(found.shape)}; added to {self.encodes} it has {entries} rows of {wanted} numbers"
            )
        if self.encodes == "features":
            found = self.key(found)
        if found.shape[1] == self.head_channels:
            return found.expand(self.heads, -1, -1)
        heads: Tensor = found.unflatten(-1, (self.heads, self.head_channels))
        return heads.movedim(1, 0)

    @property
    def rows(self) -> Rows:
        """Whose queries the rows of scores take, and what they see of the encoding."""
        return Rows(*map(self._like_weights, ("query_of", "difference", "element")))

    @property
    def measure(self) -> Measure | None:
        """With normalise=False: what keys stand for, and what rows are divided by."""
        return None if self.normalise else Measure(*map(self._like_weights, ("key_measure", "row_measure")))

    def forward(self, x: Tensor) -> Tensor:
        shape = self.positions.shape
        require_tensor(x)
        if x.dim() < len(shape) + 2 or x.shape[-len(shape) - 2 :] != (self.in_channels, self.keys, *shape):
            wanted = ", ".join(map(str, (self.in_channels, self.keys, *shape)))
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this layer takes [..., {wanted}] (channels, elements of H, positions)"
            )
        require_like(x, self.query.weight, "layer")
        lead = x.shape[: -len(shape) - 2]
        x = x.reshape(-1, self.in_channels, self.keys, self.positions.count)
        dropout = self.dropout if self.training else 0.0
        if not torch.compiler.is_compiling():
            self._ran = road(x, dropout, self.measure)
        y = attend(
            x.permute(0, 3, 2, 1), self.weights(), self.blocks, self.rows, dropout, self.measure
        )  # [B, N, R, out_channels]
        if self.form in ("summed", "printed"):
            y = y.unflatten(2, (self.H.order, self.H.order)).sum(2)
        if self.out.bias is not None:
            y = y + self.out.bias
        return y.permute(0, 3, 2, 1).reshape(*lead, self.out_channels, self.H.order, *shape)

    def what_ran(self) -> str:
        """How the last call was computed: "fused", where scores are never stored, or "plain PyTorch: ..." with the
        reason. Calls of a compiled or exported layer, which are plain PyTorch, leave no trace here."""
        return self._ran

    def extra_repr(self) -> str:
        return (
            f"{self.H}, {self.positions.kind}{self.positions.shape}, {self.neighbourhood}, {self.in_channels} -> {self.out_channels} channels,"
            f" {self.heads} heads of {self.head_channels}, form={self.form!r}"
        )


class _Frames:
    """The rows of scores at a position: whose query (R), turned by which h (R), and the element that the encoding sees
    for each key (R x G)."""

    def __init__(self, query: Any, turn: Any, element: Any) -> None:
        self.query, self.turn, self.element = query, turn, element


def _frames(H: Affine | Dilations, form: str) -> _Frames:
    n, every = H.order, numpy.arange(H.order)
    if form == "lifting":
        return _Frames(numpy.zeros(n, dtype=numpy.int64), every, numpy.zeros((n, 1), dtype=numpy.int64))
    if form == "relative":
        return _Frames(every, every, H.between)  # h^-1 g
    tilde, h = numpy.repeat(every, n), numpy.tile(every, n)
    element = H.between[tilde]  # h~^-1 g
    if form == "printed":
        assert isinstance(H, Affine)
        element = H.products[H.inverses[h][:, None], element]
    return _Frames(tilde, h, element)


class LiftingSelfAttention(_SelfAttention):
    """Self-attention from functions on positions to functions on Z^d : H:

        m(i, h) = out( sum over j in N(i) of softmax_j <query f(i), key( f(j) + rho(h^-1 (x_j - x_i)) )> value f(j) ),
        all heads side by side.

    x [..., in_channels, 1, *shape] -> [..., out_channels, |H|, *shape], as Conv2d from the trivial to the regular
    representation.

    H: an Affine group; positions: grid(n, m), torus(n, m) or points(x); neighbourhood: square(k), disc(r),
    offsets(...), everywhere. heads of head_channels each (by default half of out_channels); hidden: the width of the
    encoding's network.

    encodes="features" adds rho to features, as the formula has it; encodes="keys" adds it to the keys of every head,
    key f(j) + rho, as the program of the paper does, where rho has head_channels numbers however few the features are.
    encoding: "matrix" is a small network of the vector; a module of your own takes vectors a [n, d] and None (for the
    group: matrices [m, d, d]) and returns [n m, in_channels] for features, [n m, head_channels] or [n m, heads *
    head_channels] for keys.

    normalise=False takes exponentials of scores in place of their softmax: sums over neighbours, not means of them,
    times the volume that each stands for (`positions.cell`). With `Dilations` a sum at scale h is divided by h^d here,
    and on the group by h^(d+1), where a key of scale g stands for g times as much; then it is the same at every scale.
    A softmax, which divides already, has no such factor.

    With `Dilations` the neighbourhood N is that of scale 1, and h sees h N.

    dropout, in training: of attention weights, each with this probability; equivariant in law. It takes the road of
    plain PyTorch, some of the scores at a time. Sites outside of a grid are no keys: they get no weight.

    It commutes with all translations and rotations under which the positions are what they were (`exact_subgroup`; near
    the border of a grid translations move sites out). Parameters do not depend on |H|. DomainError: a neighbourhood
    that H does not preserve, other dimensions.

    Cost: heads |H| N k multiplications of vectors for k neighbours; memory is that of a few tensors of the size of the
    output. The printed form of Romero & Cordonnier (2021).
    """

    keys = 1

    def __init__(
        self, H: Affine | Dilations, positions: Positions, neighbourhood: Neighbourhood, in_channels: int, out_channels: int, heads: int = 1, *,
        head_channels: int | None = None, encoding: str | nn.Module = "matrix", encodes: str = "features", hidden: int = 16, dropout: float = 0.0,
        normalise: bool = True, bias: bool = True, device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            H, positions, neighbourhood, in_channels, out_channels, heads, head_channels, "lifting", encoding, encodes, hidden, dropout, normalise,
            bias, device, dtype,
        )  # fmt: skip


class GroupSelfAttention(_SelfAttention):
    """Self-attention on functions on Z^d : H. x [..., in_channels, |H|, *shape] -> [..., out_channels, |H|, *shape].

    form="relative" (the default), with e = h^-1 g the element from h to g:

        m(i, h) = out( sum over (j, g) of softmax_(j,g) <query f(i, h), key( f(j, g) + rho(h^-1 (x_j - x_i), h^-1 g) )>
        value f(j, g) );

    form="summed", |H| times as costly: queries at all h~, summed over them, with rho(h^-1 (x_j - x_i), h~^-1 g). Both
    are equivariant. form="printed" is what Romero & Cordonnier (2021) print, rho(h^-1 (x_j - x_i), h^-1 (h~^-1 g)):
    h~^-1 g is invariant already, and to act on it once more is not equivariant. It is here to be compared with, and
    warns.

    encoding: "matrix", rho is a small network of h^-1 (x_j - x_i) and the matrix of the element, so that parameters do
    not depend on |H|; "table" adds a row for each element to a network of the difference; or a module of your own.

    The rest is as for LiftingSelfAttention. Cost: heads |H|^2 N k multiplications of vectors. Scores are never stored:
    the backward pass computes them again. Under torch.compile, torch.export and torch.func the layer is plain PyTorch,
    with all scores in memory.
    """

    def __init__(
        self, H: Affine | Dilations, positions: Positions, neighbourhood: Neighbourhood, in_channels: int, out_channels: int, heads: int = 1, *,
        head_channels: int | None = None, form: str = "relative", encoding: str | nn.Module = "matrix", encodes: str = "features", hidden: int = 16,
        dropout: float = 0.0, normalise: bool = True, bias: bool = True, device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None:  # fmt: skip
        if form not in ("relative", "summed", "printed"):
            raise DomainError(f"the form {form!r} is not known; forms are relative, summed and printed")
        if form == "printed":
            warnings.warn(
                "form='printed' is not equivariant: it acts on h~^-1 g, which is invariant already; use 'relative' or 'summed'",
                stacklevel=3,
            )
        self.keys = H.order
        super().__init__(
            H, positions, neighbourhood, in_channels, out_channels, heads, head_channels, form, encoding, encodes, hidden, dropout, normalise,
            bias, device, dtype,
        )  # fmt: skip


def exact_subgroup(module: nn.Module) -> Group:
    """The elements of H that map the positions of a layer, or those of every layer of a network, to themselves: those
    with which it commutes to rounding. The others (R8 on a square grid has eight, R4 is what is exact) are as good as
    the sampling of the image."""
    layers = [m for m in module.modules() if isinstance(m, _SelfAttention)] if isinstance(module, nn.Module) else []
    if not layers:
        raise DomainError(
            f"exact_subgroup takes a layer of intertwine.gsa or a network of them, not {type(module).__name__}"
        )
    H = layers[0].H
    if isinstance(H, Dilations):
        raise DomainError(
            f"{H.name} map no finite set of positions to itself: ask for exact_subgroup of layers of {H.H.name}"
        )
    if any(layer.H != H for layer in layers):
        raise DomainError(
            "the layers of this network have different groups, and no group is that of all: ask for each of them"
        )
    places = {id(layer.positions): layer.positions for layer in layers}.values()
    return H.group.subgroup(
        [h for k, h in enumerate(H.elements) if all(p.image(H.matrices[k]) is not None for p in places)]
    )
