"""Energies, forces and stress of a model."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from ... import DomainError

__all__ = ["energy_and_forces", "energy_forces_stress"]


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
    given = _numbers(data, positions, "positions")
    with torch.enable_grad():
        leaf = given if training and given.requires_grad else given.detach().requires_grad_()
        energies = model(_with(data, positions, leaf))
        if not isinstance(energies, Tensor) or not energies.requires_grad:
            raise DomainError(f'the energies do not depend on "{positions}", so that there are no forces')
        (slope,) = torch.autograd.grad(energies.sum(), leaf, create_graph=training, allow_unused=True)
    if slope is None:
        raise DomainError(f'the energies do not depend on "{positions}", so that there are no forces')
    return (energies, -slope) if training else (energies.detach(), -slope)


def energy_forces_stress(
    model: Callable[[Any], Tensor],
    data: Any,
    *,
    training: bool = False,
    positions: str = "positions",
    cell: str = "cell",
    batch: str = "batch",
) -> tuple[Tensor, Tensor, Tensor]:
    """The energies of a model, the forces, and the stress: the derivative in a strain of space, over the volume.

    A strain e moves positions x to x + x e, and the vectors of the cell in the same way.

    Parameters
    ----------
    model
        Takes the data and gives energies of any shape. It uses the cell of the data, as ``edge_vectors`` does.
    data
        A dict, or an object with attributes, that has the positions and the cell. It is not changed.
    training
        True: all results can be differentiated once more.
    positions, cell, batch
        The names of the positions [atoms, 3], of the cell [3, 3] or [structures, 3, 3], and for the latter of the
        structure [atoms] of each atom.

    Returns
    -------
    energies, forces, stress
        Forces have the shape of the positions, and the stress that of the cell. It is symmetric, and positive where
        the energy grows with the cell, as in ASE.

    Raises
    ------
    DomainError
        If the data lack one of these, a cell has no volume, or energies do not depend on the positions.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import energy_forces_stress
    >>> springs = lambda data: (data["cell"].square().sum() + 0 * data["positions"].sum()) / 2
    >>> data = {"positions": torch.zeros(1, 3), "cell": torch.diag(torch.tensor([1.0, 2.0, 2.0]))}
    >>> energy_forces_stress(springs, data)[2].diagonal()
    tensor([0.2500, 1.0000, 1.0000])
    """
    atoms, lattice = _numbers(data, positions, "positions"), _numbers(data, cell, "a cell")
    if lattice.dim() not in (2, 3) or lattice.shape[-2:] != (3, 3):
        raise DomainError(f'"{cell}" has the shape {list(lattice.shape)}; it is [3, 3] or [structures, 3, 3]')
    of_atoms = _entry(data, batch) if lattice.dim() == 3 else None
    if lattice.dim() == 3 and (not isinstance(of_atoms, Tensor) or of_atoms.shape != atoms.shape[:1]):
        raise DomainError(
            f'the data have no "{batch}" [atoms], the structure of each atom, which cells of several want'
        )
    volume = torch.linalg.det(lattice.detach()).abs()
    if not bool((volume > 0).all()):
        raise DomainError(f'"{cell}" has no volume, so that there is no stress')

    with torch.enable_grad():
        strain = torch.zeros_like(lattice).requires_grad_()
        even = (strain + strain.mT) / 2

        def strained(own: Any) -> Tensor:
            x = _entry(own, positions)
            moved = x @ even if of_atoms is None else (x.unsqueeze(1) @ even.index_select(0, of_atoms)).squeeze(1)
            return model(_with(_with(own, positions, x + moved), cell, lattice + lattice @ even))

        leaf = atoms if training and atoms.requires_grad else atoms.detach().requires_grad_()
        energies = strained(_with(data, positions, leaf))
        if not isinstance(energies, Tensor) or not energies.requires_grad:
            raise DomainError(f'the energies do not depend on "{positions}", so that there are no forces')
        slope, pull = torch.autograd.grad(energies.sum(), (leaf, strain), create_graph=training)
    stress = pull / volume[..., None, None]
    return (energies, -slope, stress) if training else (energies.detach(), -slope, stress)


def _entry(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, Mapping) else getattr(data, name, None)


def _numbers(data: Any, name: str, words: str) -> Tensor:
    given = _entry(data, name)
    if not isinstance(given, Tensor) or not given.is_floating_point():
        what = "nothing" if given is None else f"{type(given).__name__}"
        verb = "positions are" if words == "positions" else f"{words} is"
        raise DomainError(f'the data have {what} as "{name}"; {verb} a tensor of floating-point numbers')
    return given


def _with(data: Any, name: str, value: Tensor) -> Any:
    """The data with another value of one entry."""
    if isinstance(data, Mapping):
        return {**data, name: value}
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return dataclasses.replace(data, **{name: value})
    other = copy.copy(data)
    setattr(other, name, value)
    return other
