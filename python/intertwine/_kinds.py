"""Which kind a group or a representation is of, where layers are made in another way for each."""

from __future__ import annotations

from typing import TypeGuard

from . import Group, Representation


def is_finite_group(G: object) -> TypeGuard[Group]:
    """Is it a group of permutations?"""
    return isinstance(G, Group) and G.kind == "finite"


def is_finite(V: object) -> TypeGuard[Representation]:
    """Is it a representation of a finite group?"""
    return isinstance(V, Representation) and V.group.kind == "finite"


def is_classical(V: object) -> TypeGuard[Representation]:
    """Is it a representation of a classical group, or of a product of such with finite ones?"""
    return isinstance(V, Representation) and V.group.kind == "classical"
