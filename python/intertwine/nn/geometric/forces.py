"""Energies and forces of a model."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from ... import DomainError

__all__ = ["energy_and_forces"]


def energy_and_forces(
    model: Callable[[Any], Tensor], data: Any, *, training: bool = False, positions: str = "positions"
) -> tuple[Tensor, Tensor]:
    """The energies of a model, and the forces: minus the derivative of their sum in the positions.

    Parameters
    ----------
    model
        Takes the data and gives energies of any shape.
    data
        A dict, or an object with attributes, that has the positions. It is not changed.
    training
        True: both results can be differentiated, in parameters for a loss of forces. False: they are numbers alone.
    positions
        The name of the positions [atoms, 3] in the data.

    Returns
    -------
    energies, forces
        Forces have the shape of the positions.

    Raises
    ------
    DomainError
        If the data have no such positions, or energies do not depend on them.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import energy_and_forces
    >>> springs = lambda data: data["positions"].square().sum()
    >>> energy_and_forces(springs, {"positions": torch.tensor([[1.0, 3.0, -2.0]])})
    (tensor(14.), tensor([[-2., -6.,  4.]]))
    """
    given = data.get(positions) if isinstance(data, Mapping) else getattr(data, positions, None)
    if not isinstance(given, Tensor) or not given.is_floating_point():
        what = "nothing" if given is None else f"{type(given).__name__}"
        raise DomainError(f'the data have {what} as "{positions}"; positions are a tensor of floating-point numbers')
    with torch.enable_grad():
        leaf = given if training and given.requires_grad else given.detach().requires_grad_()
        energies = model(_with(data, positions, leaf))
        if not isinstance(energies, Tensor) or not energies.requires_grad:
            raise DomainError(f'the energies do not depend on "{positions}", so that there are no forces')
        (slope,) = torch.autograd.grad(energies.sum(), leaf, create_graph=training, allow_unused=True)
    if slope is None:
        raise DomainError(f'the energies do not depend on "{positions}", so that there are no forces')
    return (energies, -slope) if training else (energies.detach(), -slope)


def _with(data: Any, name: str, value: Tensor) -> Any:
    """The data with another value of one entry."""
    if isinstance(data, Mapping):
        return {**data, name: value}
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return dataclasses.replace(data, **{name: value})
    other = copy.copy(data)
    setattr(other, name, value)
    return other
