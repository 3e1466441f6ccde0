"""Energies and forces of a model as one program, which runs without this package."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx

from ... import DomainError
from .. import _ops
from .forces import energy_and_forces
from .graph import Graph

__all__ = ["ForceProgram", "compile_forces"]

_ARRAYS = ("source", "target", "target_first", "by_target", "source_first", "by_source")
_CONSTANTS = (bool, int, float, str, type(None))


def _entries(data: Any) -> dict[str, Any]:
    if isinstance(data, Mapping):
        return dict(data)
    if dataclasses.is_dataclass(data) and not isinstance(data, type):
        return {field.name: getattr(data, field.name) for field in dataclasses.fields(data)}
    raise DomainError(f"data are a dict or an instance of a dataclass here, not {type(data).__name__}")


def _with(data: Any, entries: dict[str, Any]) -> Any:
    return entries if isinstance(data, Mapping) else dataclasses.replace(data, **entries)


def _flat(entries: dict[str, Any]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """The tensors by name, those of a graph after its own, and what is no tensor."""
    tensors, constants = {}, {}
    for name, value in entries.items():
        if isinstance(value, Tensor):
            tensors[name] = value
        elif isinstance(value, Graph):
            tensors |= {f"{name}.{array}": t for array, t in zip(_ARRAYS, value.arrays)}
        elif isinstance(value, _CONSTANTS):
            constants[name] = value
        else:
            raise DomainError(
                f"the data have {type(value).__name__} as {name!r}; a program takes tensors, graphs, numbers and texts"
            )
    return tensors, constants


class ForceProgram:
    """Energies and forces as one program of operators of PyTorch: what :func:`compile_forces` makes.

    Call it with data as the example's. Sizes of tensors may be others, numbers and texts may not.

    Attributes
    ----------
    program
        The torch.export.ExportedProgram. It takes the tensors `inputs` in this order, and gives energies and forces.
    inputs
        The names of the tensors. Those of a graph are "graph.source" and so on.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import compile_forces
    >>> springs = lambda data: data["positions"].square().sum(1)
    >>> program = compile_forces(springs, {"positions": torch.randn(4, 3)})
    >>> program({"positions": torch.tensor([[1.0, 3.0, -2.0], [0.0, 0.0, 1.0]])})
    (tensor([14.,  1.]), tensor([[-2., -6.,  4.],
            [-0., -0., -2.]]))
    """

    def __init__(self, program: torch.export.ExportedProgram, inputs: list[str], constants: dict[str, Any]) -> None:
        self.program, self.inputs, self._constants = program, inputs, constants
        self._run = program.module()

    def __call__(self, data: Any) -> tuple[Tensor, Tensor]:
        tensors, constants = _flat(_entries(data))
        if list(tensors) != self.inputs:
            raise DomainError(f"the program takes the tensors {', '.join(self.inputs)}, not {', '.join(tensors)}")
        for name, value in constants.items():
            if name not in self._constants or self._constants[name] != value:
                known = self._constants.get(name, "nothing")
                raise DomainError(f"{name} is {value!r}, and the program was made for {known!r}: make another one")
        with torch.no_grad():
            energies, forces = self._run(*tensors.values())
        return energies, forces

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the program to a file. A process without this package runs it by
        ``torch.export.load(path).module()(*tensors)``.

        Parameters
        ----------
        path
            The file; its name ends in ".pt2". The names of the inputs are in its extra file "inputs.json".

        Raises
        ------
        DomainError
            If the name ends otherwise.
        """
        if not os.fspath(path).endswith(".pt2"):
            raise DomainError(f'the name of an exported program ends in ".pt2", not {os.fspath(path)!r}')
        torch.export.save(self.program, path, extra_files={"inputs.json": json.dumps(self.inputs)})


def compile_forces(model: Callable[[Any], Tensor], example: Any, *, positions: str = "positions") -> ForceProgram:
    """Energies and forces of a model as one program, without this package and without autograd.

    The derivative is recorded together with the energies. Operators of this library become plain PyTorch, so that the
    program runs in other processes, and compilers see all of it. Here the model itself is faster on the CPU: it has the
    kernels of the library.

    Parameters
    ----------
    model
        Takes the data and gives energies of any shape. Its parameters become constants.
    example
        A dict, or an instance of a dataclass, of tensors, graphs, numbers and texts. Every first axis may have another
        length later, but those of length 0 and 1 in the example.
    positions
        The name of the positions [atoms, 3] in the data.

    Returns
    -------
    ForceProgram
        Takes data and gives energies and forces, as ``energy_and_forces(model, data)`` does.

    Raises
    ------
    DomainError
        If data are none of these, energies do not depend on the positions, or the program gives other numbers for the
        example than the model.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn.geometric import compile_forces
    >>> springs = lambda data: data["positions"].square().sum()
    >>> compile_forces(springs, {"positions": torch.randn(4, 3)}).inputs
    ['positions']
    """
    entries = _entries(example)
    tensors, constants = _flat(entries)
    wanted = energy_and_forces(model, example, positions=positions)

    def run(*given: Tensor) -> tuple[Tensor, Tensor]:
        by_name, mine = dict(zip(tensors, given)), dict(constants)
        for name, value in entries.items():
            if isinstance(value, Tensor):
                mine[name] = by_name[name]
            elif isinstance(value, Graph):
                mine[name] = Graph.of_arrays([by_name[f"{name}.{a}"] for a in _ARRAYS], value.convention)
        energies, forces = energy_and_forces(model, _with(example, mine), positions=positions)
        return energies.contiguous(), forces.contiguous()

    inputs = tuple(t.detach() for t in tensors.values())
    # Without core ATen decompositions the recorded derivative would lack terms: detach() cuts the graph.
    record = make_fx(run, _ops.decompositions(), tracing_mode="symbolic", _allow_non_fake_inputs=True)
    recorded = record(*inputs)
    sizes = tuple({0: torch.export.Dim.AUTO} if t.dim() else None for t in inputs)
    with torch.no_grad():
        found = ForceProgram(
            torch.export.export(recorded, inputs, dynamic_shapes=sizes), list(tensors), constants
        )  # fmt: skip
    tolerance = 1e-9 if wanted[1].dtype == torch.float64 else 1e-3
    for name, ours, models in zip(("energies", "forces"), found(example), wanted):
        far = float((ours - models).abs().max()) if models.numel() else 0.0
        if not far <= tolerance * (1 + float(models.abs().max()) if models.numel() else 1):
            raise DomainError(f"the {name} of the program are other ones than those of the model, by {far:.2g}")
    return found
