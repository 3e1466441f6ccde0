"""Networks whose layers are for every size (sizes.py): do they agree across sizes?"""

from __future__ import annotations

from dataclasses import dataclass

from torch import nn

from .. import DomainError
from ._diagrams import between_sizes
from .sizes import Tensors

__all__ = ["Compatibility", "compatible"]


@dataclass(frozen=True)
class Compatibility:
    """Whether layers of every size commute with maps between sizes: true or false, and where not."""

    maps: str
    layers: dict[str, tuple[tuple[int, ...], tuple[int, ...]]]
    """For every layer, by name, the places in theta and in the bias that are not zero and do not commute."""
    others: tuple[str, ...]
    """The other modules of the network, which were not looked at."""

    def __bool__(self) -> bool:
        return not any(weights or biases for weights, biases in self.layers.values())

    def __str__(self) -> str:
        wrong = {name: places for name, places in self.layers.items() if places[0] or places[1]}
        if not wrong:
            return f"compatible with {self.maps}"
        name, (weights, biases) = next(iter(wrong.items()))
        where = [f"{what}{list(places)}" for what, places in (("theta", weights), ("bias", biases)) if places]
        return f"not compatible with {self.maps}: {' and '.join(f'{name}.{w}' if name else w for w in where)} do not commute, and are not zero"


def compatible(module: nn.Module, maps: str) -> Compatibility:
    """Do the layers of every size in this module agree across sizes (Levin and Diaz 2024): f(E x) = E f(x) for all
    sizes, f being each of them and E one of these maps, for every set whose size is free?

    Parameters
    ----------
    module
        A layer such as Tensors, Sets and Graphs, or a network with such layers in it.
    maps
        "padding", from n points to more, the new ones zero; "restriction" drops points; "duplication" has every point m
        times; "averaging" takes the mean of m copies. Those between tensors act on every axis.

    Returns
    -------
    Compatibility
        True where all agree. Other modules are listed in `others` and not looked at: functions of single entries
        commute with restriction and duplication, with padding where f(0) = 0, and with averaging where they are linear.

    Raises
    ------
    DomainError
        If maps has another name.

    Notes
    -----
    Decided on the diagrams: their defects are independent on large sets, so that a sum of them commutes for all sizes
    if and only if every one with a parameter that is not zero does.

    Examples
    --------
    >>> from intertwine.nn import Sets, compatible
    >>> bool(compatible(Sets(1, 1), "duplication")), bool(compatible(Sets(1, 1), "padding"))
    (True, False)

    See Also
    --------
    Tensors : The layers that are looked at.
    """
    if not isinstance(maps, str):
        raise DomainError(f"maps between sizes are asked for one after the other: give the name of one, not {maps!r}")
    (name,) = between_sizes(maps)
    layers, others, sizes = {}, [], False
    for path, m in module.named_modules():
        if isinstance(m, Tensors):
            layers[path] = m._defects(name)
            sizes |= m._has_sizes
        elif not any(True for _ in m.children()):
            others.append(path)
    if not layers:
        raise DomainError("this module has no layers of every size: Sets, Graphs or Tensors")
    if not sizes:
        raise DomainError(
            "the layers of this module have one size only: those between sizes have groups with n, such as 'O(n)'"
        )
    return Compatibility(name, layers, tuple(others))
