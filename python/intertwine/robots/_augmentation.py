"""What was recorded, moved by every symmetry: for training by augmentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from .. import DomainError, Representation

__all__ = ["Augmentation", "data_augmentation_func"]


class Augmentation:
    """Batches and all that the group makes of them, the batch itself first; what `data_augmentation_func` gives.

    It is called as rsl_rl does it: with `env`, `obs` and `actions`, any of them None, and in older versions with
    `obs_type`, the name of the observations. obs is a tensor [batch, dim V], or a dict or TensorDict of such by name;
    the result has [batch * order of the group, ...].
    """

    def __init__(self, observations: Mapping[str, Representation], actions: Representation) -> None:
        self.observations, self.actions = dict(observations), actions
        for name, V in self.observations.items():
            if V.group != actions.group:
                raise DomainError(
                    f"the observations {name!r} are of {V.group.name}, and the actions of {actions.group.name}"
                )
        if not actions.group.is_finite:
            raise DomainError(f"{actions.group.name} has infinitely many elements: augmentation takes finite groups")
        self._made: dict[tuple[str | None, str, Any], Any] = {}

    @property
    def times(self) -> int:
        """How many samples become of one: the order of the group."""
        return self.actions.group.order

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": {}}

    def __repr__(self) -> str:
        seen = ", ".join(f"{name}: {V}" for name, V in self.observations.items())
        return f"Augmentation({seen}; actions: {self.actions}; {self.actions.group.name})"

    def _matrices(self, name: str | None, like: Any) -> Any:
        """Those of all elements but the identity, transposed: [order - 1, dim, dim]."""
        import torch

        key = (name, str(like.device), like.dtype)
        if key not in self._made:
            V = self.actions if name is None else self.observations[name]
            one = V.group.identity
            found = [numpy.asarray(V.matrix(g), dtype=float).T for g in V.group if g != one]
            stacked = numpy.stack(found) if found else numpy.zeros((0, V.dimension, V.dimension))
            self._made[key] = torch.from_numpy(stacked).to(like)
        return self._made[key]

    def _moved(self, name: str | None, x: Any) -> list[Any]:
        """x as every element but the identity moves it."""
        V = self.actions if name is None else self.observations[name]
        what = "actions" if name is None else f"observations {name!r}"
        if x.shape[-1] != V.dimension:
            raise DomainError(
                f"the {what} have the shape {list(x.shape)}, and their type {V} has the dimension {V.dimension}"
            )
        return [x @ A for A in self._matrices(name, x)]

    def _name(self, name: str) -> str:
        if name not in self.observations:
            known = ", ".join(map(repr, self.observations))
            raise DomainError(f"there is no type of the observations {name!r}: give one beside {known}")
        return name

    def __call__(
        self, env: Any = None, obs: Any = None, actions: Any = None, obs_type: str = "policy"
    ) -> tuple[Any, Any]:
        import torch

        every: Any = None
        if isinstance(obs, torch.Tensor):
            every = torch.cat([obs, *self._moved(self._name(obs_type), obs)])
        elif obs is not None:
            parts = {name: self._moved(self._name(name), obs[name]) for name in obs.keys()}
            if isinstance(obs, Mapping) and type(obs) is dict:
                every = {name: torch.cat([obs[name], *moved]) for name, moved in parts.items()}
            else:  # a TensorDict, whose other kinds of keys and whose batch stay its own
                copies = [obs.clone() for _ in range(self.times - 1)]
                for name, moved in parts.items():
                    for copy, x in zip(copies, moved):
                        copy[name] = x
                every = torch.cat([obs, *copies])
        return every, None if actions is None else torch.cat([actions, *self._moved(None, actions)])


def data_augmentation_func(
    observations: Representation | Mapping[str, Representation], actions: Representation
) -> Augmentation:
    """The `data_augmentation_func` of rsl_rl for a robot, or for any finite group.

    Parameters
    ----------
    observations
        The type of what is observed, or of each group of observations by name, such as "policy" and "critic".
    actions
        The type of what is done, such as `robot.actions`.

    Returns
    -------
    Augmentation
        For ``symmetry_cfg``: a function of env, obs and actions that appends all that the group makes of a batch.

    Raises
    ------
    DomainError
        If the types are of different groups or of infinite ones; in calls, if shapes do not fit or a name has no type.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group, robots
    >>> G = Group("C2")
    >>> augment = robots.data_augmentation_func(G.rep("regular + sign"), G.rep("regular"))
    >>> obs, actions = augment(obs=torch.tensor([[1.0, 2.0, 3.0]]), actions=torch.tensor([[4.0, 5.0]]))
    >>> obs.tolist(), actions.tolist()
    ([[1.0, 2.0, 3.0], [2.0, 1.0, -3.0]], [[4.0, 5.0], [5.0, 4.0]])
    """
    named = {"policy": observations} if isinstance(observations, Representation) else observations
    if not named or not isinstance(actions, Representation) or not isinstance(named, Mapping):
        raise DomainError("observations are a representation or a dict of such, and actions one: robot.actions")
    return Augmentation(named, actions)
