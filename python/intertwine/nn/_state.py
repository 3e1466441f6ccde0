"""The state of layers whose parameters mean something only together with a constant, and parameters that processes
share out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import VerificationError
from ._fields import Derived, integer, require_like

__all__ = ["NamedState", "is_shared_out"]


class NamedState(Derived):
    """A module with parameters theta and bias that mean something only together with a constant (a table, diagrams): 32
    bytes in its state name it."""

    _means = "the table"  # what is named, in messages
    _advice = "build the layer from the representations that it was trained with"
    theta: nn.Parameter
    bias: nn.Parameter | None
    in_channels: int
    out_channels: int
    _channel_axes: tuple[int, int] | None = (
        None  # where x and y have the channels of theta, from the end, if it can be shared out by them
    )

    @property
    def _digest(self) -> str:
        raise NotImplementedError

    def get_extra_state(self) -> Tensor:
        return torch.frombuffer(bytearray.fromhex(self._digest), dtype=torch.uint8)

    def set_extra_state(self, state: Any) -> None:
        """The digest was compared before anything was overwritten."""

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        theirs = state_dict.get(prefix + "_extra_state")
        if theirs is not None:
            name = bytes(theirs.cpu().to(torch.uint8).tolist()).hex() if isinstance(theirs, Tensor) else repr(theirs)
            if name != self._digest:
                raise VerificationError(
                    f"the parameters {prefix}theta are those of {self._means} {name[:12]}, and this layer has {self._digest[:12]}: {self._advice}"
                )
        super()._load_from_state_dict(state_dict, prefix, *arguments)

    def _checked(self, x: Tensor) -> None:
        require_like(x, self.theta, "layer")

    # --- Parameters ------------------------------------------------------------------------------------------------------------

    def _set_channels(self, in_channels: int, out_channels: int) -> None:
        self.in_channels, self.out_channels = (
            integer("in_channels", in_channels, 1),
            integer("out_channels", out_channels, 1),
        )

    def _make_parameters(
        self, theta: Sequence[int], bias: Sequence[int] | None, device: torch.device | str | None, dtype: torch.dtype
    ) -> None:
        """Of these shapes, no bias for None; with the values that reset_parameters gives."""
        self.theta = nn.Parameter(torch.empty(*theta, device=device, dtype=dtype))
        self.register_parameter(
            "bias", None if bias is None else nn.Parameter(torch.empty(*bias, device=device, dtype=dtype))
        )
        self._on_device(self.theta.device)
        self.reset_parameters()

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        raise NotImplementedError

    def _start(self, deviations: Sequence[float], generator: torch.Generator | None) -> None:
        """theta normal with these standard deviations, the bias zero."""
        theta = self.theta
        scale = torch.tensor(deviations, device=theta.device, dtype=theta.dtype).view(-1, *(1 for _ in theta.shape[1:]))
        with torch.no_grad():
            if is_shared_out(
                theta
            ):  # the numbers that one process would draw: each its own share of those of the first
                from torch.distributed.tensor import distribute_tensor

                start = (
                    torch.empty(theta.shape, device=theta.device, dtype=theta.dtype)
                    .normal_(generator=generator)
                    .mul_(scale)
                )
                theta.copy_(distribute_tensor(start, theta.device_mesh, theta.placements))  # type: ignore[attr-defined]
            else:
                theta.normal_(generator=generator).mul_(scale)
            if self.bias is not None:
                self.bias.zero_()


def is_shared_out(t: Tensor) -> bool:
    """Is it a DTensor? Where none was made, its module is not imported."""
    if type(t) is Tensor or type(t) is nn.Parameter:
        return False
    tensors = sys.modules.get("torch.distributed.tensor")
    return tensors is not None and isinstance(t, tensors.DTensor)
