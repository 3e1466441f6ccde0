"""Networks of group self-attention: those of Romero & Cordonnier (2021), and others of their shape."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .. import DomainError
from ..nn._fields import integer, require_tensor
from ..nn._windows import refuse_left_over
from .affine import Affine
from .layers import GroupSelfAttention, LiftingSelfAttention
from .positions import Neighbourhood, Positions, disc, grid, square

__all__ = ["GSABlock", "GSANet"]


class _Pointwise(nn.Linear):
    """The same linear map of channels at every position and element: x [B, in, ...] -> [B, out, ...]."""

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = functional.conv1d(x.flatten(2), self.weight.unsqueeze(-1), self.bias).unflatten(2, x.shape[2:])
        return y


def _norm(channels: int, **factory: Any) -> nn.GroupNorm:
    """Of all channels, positions and elements of a sample: whatever moves them leaves the statistics alone."""
    return nn.GroupNorm(1, channels, **factory)


class _Crop(nn.Module):
    """Takes sites of a grid off, as many on both sides of every axis."""

    def __init__(self, H: Affine, positions: Positions, crop: int | Sequence[int]) -> None:
        super().__init__()
        before, after = (crop, crop) if isinstance(crop, int) else tuple(crop)
        self.before, self.after = integer("crop", before, 0), integer("crop", after, 0)
        self.axes, self.target = len(positions.shape), positions
        if not before and not after:
            return
        if positions.kind != "grid":
            raise DomainError(f"a {positions.kind} has no border to crop: crops are of grids")
        if H.order > 1 and before != after:
            raise DomainError(
                f"a crop of {before} sites before and {after} after moves the centre that {H.name} turns about by {abs(after - before)}/2 of a site,"
                f" and the network would not be equivariant: take as many on both sides"
            )
        sizes = tuple(n - before - after for n in positions.shape)
        if min(sizes) < 1:
            raise DomainError(
                f"a crop of {before} + {after} sites leaves nothing of {positions.shape}: take less (crop=, of networks crops=), or larger images"
            )
        self.target = grid(*sizes)

    def forward(self, x: Tensor) -> Tensor:
        if not self.before and not self.after:
            return x
        for axis in range(x.dim() - self.axes, x.dim()):
            x = x.narrow(axis, self.before, x.shape[axis] - self.before - self.after)
        return x

    def extra_repr(self) -> str:
        return f"{self.before}, {self.after}"


class _MaxPool(nn.Module):
    """The largest value in windows of sites, two sites apart."""

    def __init__(self, H: Affine, positions: Positions, window: int) -> None:
        super().__init__()
        d = len(positions.shape)
        self.window = window
        if positions.kind == "torus":
            raise DomainError(
                "pooling keeps only those translations of a torus that move by its stride: pool on grids, or not at all (pools=1)"
            )
        if positions.kind != "grid":
            raise DomainError(f"{positions.kind} have no windows to pool: pool on grids, or not at all (pools=1)")
        if d > 3:
            raise DomainError(f"pooling is of at most three dimensions, not {d}")
        if min(positions.shape) < window:
            raise DomainError(f"no window of {window} fits into {positions.shape}: take larger images, or pools=1")
        refuse_left_over((H.order > 1,) * d, positions.shape, (window,) * d, (2,) * d, (0,) * d, (1,) * d)
        self.target = grid(*((n - window) // 2 + 1 for n in positions.shape))

    def forward(self, x: Tensor) -> Tensor:
        d = len(self.target.shape)
        pool: Any = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)[d - 1]
        y: Tensor = pool(x.reshape(x.shape[0], -1, *x.shape[-d:]), self.window, 2)
        return y.reshape(*x.shape[:-d], *y.shape[-d:])

    def extra_repr(self) -> str:
        return f"{self.window}"


def _positions_last(x: Tensor, channels: int, wanted: tuple[int, ...], what: str) -> tuple[tuple[int, ...], Tensor]:
    """Leading axes, and x with one in their place."""
    n = len(wanted) + 1
    require_tensor(x)
    if x.dim() < n or x.shape[-n:] != (channels, *wanted):
        raise DomainError(
            f"the input has the shape {list(x.shape)}; {what} takes [..., {', '.join(map(str, (channels, *wanted)))}]"
        )
    return tuple(x.shape[:-n]), x.reshape(-1, channels, *wanted)


class GSABlock(nn.Module):
    """Group self-attention with norms, residuals and a network for each position and element (Romero & Cordonnier 2021,
    appendix C):

        z = crop(x' + drop(act(norm(attention(act(norm(x))))))),   y = z + norm(out(act(norm(in(z))))),

    where x' is x, or a linear map of its channels if out_channels are others; act is SiLU; `in` halves the channels,
    `out` doubles them.

    x [..., in_channels, |H|, *shape] -> [..., out_channels, |H|, *shape of `target`]; `target` are the positions that
    crop leaves. Norms are over channels, positions and elements of a sample together, so that they commute with
    everything that moves those.

    crop: sites taken off on each side of a grid; a pair (before, after) of different numbers moves the centre of
    rotation and is refused with the reason, unless H is trivial. dropout: of values, each number; attention_dropout: of
    weights. The rest, and errors: as for GroupSelfAttention, which gets `attention` as further settings.
    """

    def __init__(
        self, H: Affine, positions: Positions, neighbourhood: Neighbourhood, in_channels: int, out_channels: int, heads: int = 1, *,
        crop: int | Sequence[int] = 0, dropout: float = 0.0, attention_dropout: float = 0.0, device: torch.device | str | None = None,
        dtype: torch.dtype | None = None, **attention: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        factory: Any = {"device": device, "dtype": dtype}
        self.attention = GroupSelfAttention(
            H,
            positions,
            neighbourhood,
            in_channels,
            out_channels,
            heads,
            dropout=attention_dropout,
            **attention,
            **factory,
        )
        self.in_channels, self.wanted = in_channels, (H.order, *positions.shape)
        self.crop = _Crop(H, positions, crop)
        self.target = self.crop.target
        half = max(1, out_channels // 2)
        self.before, self.after = _norm(in_channels, **factory), _norm(out_channels, **factory)
        self.drop = nn.Dropout(dropout)
        self.shortcut = (
            nn.Identity() if in_channels == out_channels else _Pointwise(in_channels, out_channels, **factory)
        )
        self.network = nn.Sequential(
            _Pointwise(out_channels, half, **factory), _norm(half, **factory), nn.SiLU(),
            _Pointwise(half, out_channels, **factory), _norm(out_channels, **factory),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        lead, x = _positions_last(x, self.in_channels, self.wanted, "this block")
        a = self.attention(functional.silu(self.before(x)))
        a = self.drop(functional.silu(self.after(a)))
        z = self.crop(a) + self.crop(self.shortcut(x))  # cropped before they are added: less memory
        y: Tensor = z + self.network(z)
        return y.reshape(*lead, *y.shape[1:])


class GSANet(nn.Module):
    """A network of group self-attention that classifies: x [..., in_channels, *shape] -> [..., classes], invariant
    under H.

    Lifting, norm, act; then stages of GSABlocks, after each of them max pooling; then a linear map to classes, the mean
    over positions and the largest value over H. `features` is what comes before those two, [..., classes, |H|, *shape
    of `target`], equivariant.

    channels: of the lifting layer; layers: how many blocks each stage has; expansion: by how much a stage multiplies
    the channels, a number or one for each stage; crops: of each block, a number or one for each; pools: the window of
    each stage's pooling, two sites apart, a number or one for each stage, 1 for none. normalise_between: norm and act
    after each block too. dropout: of values in blocks; attention_dropout; input_dropout: of x; pool_dropout: after
    pooling. heads, form, encodes, hidden, ...: as for GroupSelfAttention.

    `rotmnist`, `cifar10` and `pcam` are the networks of Romero & Cordonnier (2021) and their program. Weights are of
    variance 2 over the number of inputs, biases 0, as theirs. The number of parameters does not depend on H.

    Exact are those elements of H that map the positions to themselves (`exact_subgroup`). DomainError: crops and pools
    that move the centre of rotation, or have no meaning for the positions; what the layers refuse.
    """

    def __init__(
        self, H: Affine, positions: Positions, neighbourhood: Neighbourhood, in_channels: int, classes: int, *, channels: int = 20,
        layers: Sequence[int] = (2, 3), expansion: int | Sequence[int] = 1, crops: int | Sequence[int | Sequence[int]] = 0,
        pools: int | Sequence[int] = 1, normalise_between: bool = False, heads: int = 9, encodes: str = "keys", hidden: int = 12,
        dropout: float = 0.0, attention_dropout: float = 0.0, input_dropout: float = 0.0, pool_dropout: float = 0.0,
        device: torch.device | str | None = None, dtype: torch.dtype | None = None, **attention: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        integer("classes", classes, 1)
        count, stages = sum(integer("layers", n, 0) for n in layers), len(layers)
        crop = _each("crops", crops, count, "block", 0)
        grow, window = _each("expansion", expansion, stages, "stage", 1), _each("pools", pools, stages, "stage", 1)
        factory: Any = {"device": device, "dtype": dtype}
        settings = {"encodes": encodes, "hidden": hidden, **factory}
        lifting = {name: value for name, value in attention.items() if name not in ("form", "encoding")}
        self.H, self.positions, self.in_channels, self.classes = H, positions, in_channels, classes
        self.input_drop = nn.Dropout(input_dropout)
        self.lift = LiftingSelfAttention(
            H, positions, neighbourhood, in_channels, channels, heads, dropout=attention_dropout, **lifting, **settings
        )
        body: list[nn.Module] = [_norm(channels, **factory), nn.SiLU()]
        cropped = itertools.count()
        for stage, blocks in enumerate(layers):
            wider = channels * int(grow[stage]) if blocks else channels
            for _ in range(blocks):
                block = GSABlock(
                    H, positions, neighbourhood, channels, wider, heads, crop=crop[next(cropped)], dropout=dropout, attention_dropout=attention_dropout,
                    **attention, **settings,
                )  # fmt: skip
                body.append(block)
                body += [_norm(wider, **factory), nn.SiLU()] if normalise_between else []
                channels, positions = wider, block.target
            if int(window[stage]) > 1:
                pool = _MaxPool(H, positions, int(window[stage]))
                body += [pool, nn.Dropout(pool_dropout)] if pool_dropout else [pool]
                positions = pool.target
        self.target = positions
        self.body = nn.Sequential(*body)
        self.classify = _Pointwise(channels, classes, False, **factory)
        with torch.no_grad():
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    nn.init.kaiming_normal_(module.weight)
                    if module.bias is not None:
                        module.bias.zero_()

    def features(self, x: Tensor) -> Tensor:
        """[..., classes, |H|, *shape of `target`]: what the mean over positions and the maximum over H are taken of."""
        lead, x = _positions_last(x, self.in_channels, self.positions.shape, "this network")
        y: Tensor = self.classify(self.body(self.lift(self.input_drop(x).unsqueeze(2))))
        return y.reshape(*lead, *y.shape[1:])

    def forward(self, x: Tensor) -> Tensor:
        return self.features(x).flatten(-len(self.target.shape)).mean(-1).amax(-1)

    def what_ran(self) -> dict[str, str]:
        """How each layer of attention computed the last call, by its name."""
        return {
            name: m.what_ran()
            for name, m in self.named_modules()
            if isinstance(m, LiftingSelfAttention | GroupSelfAttention)
        }

    @staticmethod
    def rotmnist(H: Affine | str, size: int = 28, classes: int = 10, *, around: int = 5, **settings: Any) -> GSANet:
        """For rotated digits: 20 channels, two blocks and three, 9 heads, neighbourhoods of 5 x 5 (around=5). 44,472
        parameters for every H.

        Crops are (2, 0, 2, 1, 1), which suit 28 x 28 sites; other sizes want others (crops=...). Where H does not map
        squares to themselves the neighbourhood is the disc with the corners of the square. Both dropouts are 0.1.
        """
        given = {
            "channels": 20,
            "layers": (2, 3),
            "crops": (2, 0, 2, 1, 1),
            "pools": (2, 1),
            "dropout": 0.1,
            "attention_dropout": 0.1,
        }
        return _published(H, size, 1, classes, around, {**given, **settings})

    @staticmethod
    def cifar10(H: Affine | str, size: int = 32, classes: int = 10, *, around: int = 5, **settings: Any) -> GSANet:
        """For small photographs: 96 and 192 channels, three stages of two blocks, 9 heads. The rest as for `rotmnist`."""
        given = {
            "channels": 96, "layers": (2, 2, 2), "expansion": (1, 2, 1), "pools": (2, 2, 1), "normalise_between": True, "dropout": 0.1,
            "attention_dropout": 0.1, "input_dropout": 0.2, "pool_dropout": 0.3,
        }  # fmt: skip
        return _published(H, size, 3, classes, around, {**given, **settings})

    @staticmethod
    def pcam(H: Affine | str, size: int = 96, classes: int = 2, *, around: int = 5, **settings: Any) -> GSANet:
        """For patches of tissue: 12 channels, pooled at once, then 24, 48 and 96. The rest as for `rotmnist`.

        The published network pools 7 x 7 sites in windows of 2, which leaves the last row and column out and moves the
        centre of rotation. Here the last windows are of 3 sites, which reach both ends and leave 3 x 3 sites too.
        """
        given = {
            "channels": 12, "layers": (0, 1, 2, 1), "expansion": (1, 2, 2, 2), "crops": (0, 2, 1, 1), "pools": (2, 2, 2, 3),
            "normalise_between": True, "dropout": 0.1, "attention_dropout": 0.1,
        }  # fmt: skip
        return _published(H, size, 3, classes, around, {**given, **settings})


def _published(
    H: Affine | str, size: int, in_channels: int, classes: int, around: int, settings: dict[str, Any]
) -> GSANet:
    H = H if isinstance(H, Affine) else Affine(H)
    window = square(integer("around", around, 1))
    neighbourhood = settings.pop("neighbourhood", window if H.is_on_grid else disc(2**0.5 * (around // 2)))
    return GSANet(H, grid(size, size), neighbourhood, in_channels, classes, **settings)


def _each(name: str, value: Any, count: int, of: str, least: int) -> list[Any]:
    """A number for all, or one for each; crops may be pairs."""
    values = [value] * count if isinstance(value, int) else list(value)
    if len(values) != count:
        raise DomainError(f"{name} is a number, or one for each {of}, which are {count}, not {value!r}")
    return [integer(name, v, least) if isinstance(v, int) or name != "crops" else v for v in values]
