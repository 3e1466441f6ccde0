"""Layers whose theta is shared out between processes by its channels (tensor parallelism), by PyTorch's
parallelize_module:

    mesh = torch.distributed.device_mesh.init_device_mesh("cpu", (2,))
    parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})

theta [P, out, in] and bias [Q, out] become DTensors. A layer computes with its share by the kernels that it has
everywhere: sharing out is by channels only, and the table is a constant of each process. What processes have to tell
one another, the sums over all input channels and the gradients of inputs that all have, follows from how theta is
shared out, on one axis of a mesh or several.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.autograd import Function
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Placement, Replicate, Shard, distribute_module, distribute_tensor
from torch.distributed.tensor.parallel import ParallelStyle

from .. import DomainError
from ._state import NamedState

__all__ = ["ColwiseParallel", "RowwiseParallel"]

_ADVICE = "parallelize the layer by intertwine.nn.parallel, or give DTensors"


class _Copied(Function):
    """A tensor that all processes of a group have, and each goes on with: gradients are summed. With _Summed every
    derivative is right, of every order; those of to_local and from_local with Partial are not from the second on."""

    @staticmethod
    def forward(ctx: Any, t: Tensor, group: Any) -> Tensor:
        ctx.group = group
        return t.view_as(t)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        return _Summed.apply(g, ctx.group), None  # type: ignore[no-untyped-call]


class _Summed(Function):
    """The sum over the processes of a group, which all of them have."""

    @staticmethod
    def forward(ctx: Any, t: Tensor, group: Any) -> Tensor:
        ctx.group = group
        total = t.clone(memory_format=torch.contiguous_format)
        distributed.all_reduce(total, group=group)
        return total

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        return _Copied.apply(g, ctx.group), None  # type: ignore[no-untyped-call]


def _require_channels(theta: DTensor, copies: tuple[int, int]) -> None:
    """DomainError, in all processes, where one would have no channels, or a part of one."""
    mesh = theta.device_mesh
    for axis, each, what in ((1, copies[0], "output"), (2, copies[1], "input")):
        shares, processes = {theta.shape[axis]}, 1
        for dim, place in enumerate(theta.placements):
            if place.is_shard(axis):
                n = mesh.size(dim)
                processes *= n
                shares = {
                    share for c in shares for share in (-(-c // n), c - -(-c // n) * (n - 1))
                }  # of most processes, and of the last
        if min(shares) < 1 or any(share % each for share in shares):
            raise DomainError(
                f"{theta.shape[axis] // each} {what} channels cannot be shared out between {processes} processes so that each has whole ones: take a multiple"
            )


def product(
    f: Callable[..., Tensor],
    x: Tensor,
    theta: Tensor,
    bias: Tensor | None,
    axes: tuple[int, int],
    copies: tuple[int, int] = (1, 1),
    along: Sequence[Tensor] = (),
) -> DTensor:
    """f(x, theta, bias, *along) by everyone's share of theta; axes: where x and y have their channels, from the end.
    Differentiable as f is. copies: how many channels of theta, out and in, are one of y and of x. along: constants with
    the leading axes of x, which are shared out as those are.

    Where theta is shared out by output channels, all of x is needed and y is shared out likewise; by input channels, x
    is, and y is summed up; where it is the same everywhere, examples may be shared out. The bias is added in one of the
    processes that have parts of a sum."""
    if not isinstance(x, DTensor) or bias is not None and not isinstance(bias, DTensor):
        raise DomainError(
            f"theta is shared out between processes, and {'the bias' if isinstance(x, DTensor) else 'the input'} is not: {_ADVICE}"
        )
    assert isinstance(theta, DTensor)
    _require_channels(theta, copies)
    mesh, at = theta.device_mesh, x.dim() + axes[0]
    lying: list[tuple[Placement, Placement, Placement]] = []  # how x, the bias and y lie
    copied: dict[str, list[Any]] = {"x": [], "theta": [], "bias": []}
    summed, adds = [], True
    for dim, (shared, given) in enumerate(zip(theta.placements, x.placements)):
        group, same = mesh.get_group(dim), Replicate()
        if shared.is_shard(1):
            lying.append((same, Shard(1), Shard(axes[1])))
            copied["x"].append(group)
        elif shared.is_shard(2):
            lying.append((Shard(at), same, same))
            copied["bias"].append(group)
            summed.append(group)
            adds = adds and mesh.get_local_rank(dim) == 0
        elif shared.is_replicate():
            examples = any(given.is_shard(axis) for axis in range(at))
            lying.append((given, same, given) if examples else (same, same, same))
            for name in ("theta", "bias") if examples else ():
                copied[name].append(group)
        else:
            raise DomainError(
                f"theta is shared out by its channels, Shard(1) and Shard(2), and not as {shared}: {_ADVICE}"
            )

    of_x, of_bias, of_y = zip(*lying)

    def local(name: str, t: DTensor, places: Any) -> Tensor:
        return functools.reduce(_Copied.apply, copied[name], t.redistribute(mesh, places).to_local())

    def beside(t: Tensor) -> Tensor:
        everywhere = (
            t if isinstance(t, DTensor) else DTensor.from_local(t, mesh, [Replicate()] * mesh.ndim, run_check=False)
        )
        return everywhere.redistribute(
            mesh, [place if any(place.is_shard(axis) for axis in range(at)) else Replicate() for place in of_x]
        ).to_local()

    own = None if bias is None else local("bias", bias, of_bias)
    y = f(
        local("x", x, of_x),
        local("theta", theta, theta.placements),
        own if own is None or adds else own * 0,
        *map(beside, along),
    )
    y = functools.reduce(_Summed.apply, summed, y)
    whole = [*x.shape[:at], *y.shape[at:]]  # shares need not be equal
    whole[axes[1]] = theta.shape[1] // copies[0]
    places = tuple(Shard(y.dim() + axes[1]) if place.is_shard(axes[1]) else place for place in of_y)
    # Gradients that lie otherwise are put in their place by redistribute, which has derivatives; from_local would cut
    # them off without a word.
    stride = torch.empty(whole, device="meta").stride()
    return DTensor.from_local(y, mesh, places, run_check=False, shape=torch.Size(whole), stride=stride).redistribute(
        mesh, places
    )


class _Channelwise(ParallelStyle):
    """theta shared out along one of its axes, 1 or 2."""

    _axis: int

    def __init__(
        self,
        *,
        input_layouts: Placement | None = None,
        output_layouts: Placement | None = None,
        use_local_output: bool = True,
    ) -> None:
        super().__init__()
        self.input_layouts, self.output_layouts, self.use_local_output = input_layouts, output_layouts, use_local_output

    def _apply(self, module: nn.Module, device_mesh: DeviceMesh) -> nn.Module:
        axes = module._channel_axes if isinstance(module, NamedState) else None
        if axes is None:
            raise DomainError(
                f"{type(self).__name__} shares out theta of Linear and of Sets, Graphs and Tensors, not {type(module).__module__}.{type(module).__name__}"
            )
        assert isinstance(module, NamedState)
        if device_mesh.ndim != 1:
            raise DomainError(
                f"a layer is parallelized along one axis of a mesh, and this one has {device_mesh.ndim}: give mesh['name'] of one"
            )
        channels, name = (
            (module.out_channels, "out_channels") if self._axis == 1 else (module.in_channels, "in_channels")
        )
        if channels % device_mesh.size():
            raise DomainError(
                f"{name} = {channels} cannot be shared out equally between {device_mesh.size()} processes: take a multiple"
            )

        def partition(_: str, layer: nn.Module, mesh: DeviceMesh) -> None:
            for key, parameter in list(layer.named_parameters(recurse=False)):
                place = Shard(self._axis) if key == "theta" or self._axis == 1 else Replicate()
                shared = distribute_tensor(parameter, mesh, [place], src_data_rank=self.src_data_rank)
                layer.register_parameter(key, nn.Parameter(shared, parameter.requires_grad))

        def inputs(_: nn.Module, arguments: Any, keywords: Any) -> Any:
            x = arguments[0] if arguments else keywords.get("x")
            if isinstance(x, Tensor) and not isinstance(x, DTensor):
                place = self.input_layouts or (Replicate() if self._axis == 1 else Shard(x.dim() + axes[0]))
                x = DTensor.from_local(x, device_mesh, [place], run_check=False)
                return ((x, *arguments[1:]), keywords) if arguments else (arguments, {**keywords, "x": x})
            return arguments, keywords

        def outputs(_: nn.Module, y: Any, mesh: DeviceMesh) -> Any:
            y = y.redistribute(
                mesh, [self.output_layouts or (Shard(y.dim() + axes[1]) if self._axis == 1 else Replicate())]
            )
            return y.to_local() if self.use_local_output else y

        module.register_forward_pre_hook(inputs, with_kwargs=True)  # that of distribute_module sees no keywords
        return distribute_module(module, device_mesh, partition, None, outputs)


class ColwiseParallel(_Channelwise):
    """theta and bias shared out by output channels. x is the same in all processes (input_layouts says how it lies
    otherwise, in equal shares); y [..., out_channels / processes, dim U] is the share of each, or lies as
    output_layouts says: Replicate() for all of it everywhere. use_local_output=False gives DTensors.

    For Linear, Sets, Graphs and Tensors; out_channels is a multiple of the number of processes, otherwise DomainError.
    The state has DTensors, which torch.distributed.checkpoint reads and writes in any number of processes."""

    _axis = 1


class RowwiseParallel(_Channelwise):
    """theta shared out by input channels. x [..., in_channels / processes, dim V] is the share of each process, as
    ColwiseParallel and modules after it that look at one channel at a time give it; y, the sum over all shares, is the
    same everywhere. Otherwise as ColwiseParallel, with a multiple of processes for in_channels."""

    _axis = 2
