"""Layers that may leave their symmetry: equivariant under G where that is enough, under a subgroup H where it is not."""

from __future__ import annotations

import functools
import hashlib
import math
import numbers
from collections.abc import Sequence
from typing import Any, Union

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Matrix, Representation
from . import _linear, _ops
from ._fields import one_group
from ._nested import Step
from .linear import Linear, TiedModule, in_order, site_of, table_between, tables_between

__all__ = ["Relaxed", "RelaxedLinear", "Strength"]

Strength = Union[float, Sequence[float], str]
"""What the rest is multiplied by: a number, one for each group of the chain, or "learnt"."""


def _restricted(V: Representation, H: Group) -> Representation:
    """V, written as tables have it, as a representation of H: what they take out of it stays channels."""
    common, site = site_of(V)
    return in_order(common * site.restrict(H) if common > 1 else site.restrict(H))


@functools.lru_cache(maxsize=16)
def _steps(
    V: Representation, U: Representation, chain: tuple[Group, ...]
) -> tuple[tuple[Step, ...], tuple[Step, ...], Representation, Representation, str]:
    """The steps down the chain for weights and for biases, the representations of the last group, and the name of all
    tables together."""
    weights, biases = [], []
    V, U = in_order(V), in_order(U)
    coarse = V >> U
    v, u = V, U
    names = [coarse.table(single=True).sha256]
    for H in chain:
        v, u = _restricted(V, H), _restricted(U, H)
        fine = v >> u
        weights.append(Step(coarse, fine, False))
        biases.append(Step(coarse, fine, True))
        coarse = fine
        names.append(fine.table(single=True).sha256)
    return tuple(weights), tuple(biases), v, u, hashlib.sha256(" > ".join(names).encode()).hexdigest()


class Relaxed(TiedModule):
    """The common part of relaxed layers: parameters of maps that commute with G, and of the rest, which a strength
    multiplies.

    theta_relaxed and bias_relaxed have one group's part after the other's. strength is a number, one for each group, or
    a parameter.
    """

    theta_relaxed: nn.Parameter
    bias_relaxed: nn.Parameter | None
    strength: float | tuple[float, ...] | nn.Parameter
    _means = "the tables"
    _derived = ("_weights", "_nested")
    _channel_axes: tuple[int, int] | None = None

    def _relax(
        self, V: Representation, U: Representation, H: Group | Sequence[Group], strength: Strength,
        in_channels: int, out_channels: int, bias: bool, mode: str, device: torch.device | str | None, dtype: torch.dtype | None,
    ) -> None:  # fmt: skip
        """Takes the place of __init__, for maps from V to U."""
        chain = (H,) if isinstance(H, Group) else tuple(H)
        if not chain:
            raise DomainError("the chain of subgroups is empty: give a group, or use a layer without a rest")
        if not all(isinstance(smaller, Group) for smaller in chain):
            raise DomainError("H is a subgroup of the group of V, or a chain of them, the largest first")
        one_group(V, U)
        for larger, smaller in zip((V.group, *chain), chain):
            if not smaller.is_subgroup_of(larger):
                raise DomainError(f"{smaller.name} is not a subgroup of {larger.name} (on the same points)")
        given = _strength(strength, len(chain))
        self._chain, self._pair = chain, (V, U)
        _, _, v, u, self._name = _steps(V, U, chain)
        self._learns = given is None
        TiedModule.__init__(self, tables_between(v, u, mode), in_channels, out_channels, bias, mode, device, dtype)
        if given is not None:
            self.strength = given

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """(D, E) for every group of the chain: how many parameters of weights and of bias it gains."""
        return tuple((w.sizes[1], b.sizes[1]) for w, b in zip(*self._nested))

    # --- Parameters ------------------------------------------------------------------------------------------------------------

    def _free(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        _, _, out, in_ = self._shape
        return (self._nested[0][0].sizes[0], out, in_), (self._nested[1][0].sizes[0], out)

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta as in a layer of G alone, the bias and all that leaves the symmetry zero, a learnt strength 1."""
        _, _, out, in_ = self._shape
        if "theta_relaxed" not in self._parameters:
            D, E = (sum(step[i] for step in self.steps) for i in range(2))
            self.theta_relaxed = nn.Parameter(self.theta.new_empty(D, out, in_))
            self.register_parameter(
                "bias_relaxed", nn.Parameter(self.theta.new_empty(E, out)) if self.bias is not None else None
            )
            if self._learns:
                self.strength = nn.Parameter(self.theta.new_empty(len(self._chain), dtype=self.theta.dtype.to_real()))
        variance = _ops.Weights(table_between(*self._pair), out, in_, "automatic").plan.initial_variance(gain)
        self._start([math.sqrt(v) for v in variance], generator)
        for p in (self.theta_relaxed, self.bias_relaxed):
            if p is not None:
                nn.init.zeros_(p)
        if isinstance(self.strength if self._learns else None, nn.Parameter):
            nn.init.ones_(self.strength)  # type: ignore[arg-type]

    def _strengths(self) -> Sequence[float | Tensor] | None:
        """What the rest of every group is multiplied by; None for 1."""
        if isinstance(self.strength, Tensor):
            return self.strength.unbind()
        given = _strength(self.strength, len(self._chain))
        assert given is not None
        found = given if isinstance(given, tuple) else (given,) * len(self._chain)
        return None if all(s == 1 for s in found) else found

    def _parts(self) -> list[tuple[tuple[Step, ...], Tensor, tuple[Tensor, ...]]]:
        """For weights and bias: the steps, the part of G, and those of the steps, with their strengths."""
        steps, strengths = self.steps, self._strengths()

        def of(relaxed: Tensor, sizes: list[int]) -> tuple[Tensor, ...]:
            etas = relaxed.split(sizes)
            return etas if strengths is None else tuple(eta * s for eta, s in zip(etas, strengths))

        parts: list[tuple[tuple[Step, ...], Tensor, tuple[Tensor, ...]]] = [
            (self._nested[0], self.theta, of(self.theta_relaxed, [d for d, _ in steps]))
        ]
        if self.bias is not None and self.bias_relaxed is not None:
            parts.append((self._nested[1], self.bias, of(self.bias_relaxed, [e for _, e in steps])))
        return parts

    def _coefficients(self) -> tuple[Tensor, Tensor | None]:
        found = []
        for steps, values, etas in self._parts():
            for step, eta in zip(steps, etas):
                values = step.combine(values, eta)
            found.append(values)
        return found[0], found[1] if len(found) == 2 else None

    # --- The distance from symmetry --------------------------------------------------------------------------------------------

    def penalties(self) -> Tensor:
        """For every group of the chain |S_K(W) - S_K'(W)|^2 + |S_K(b) - S_K'(b)|^2, K this group and K' the one before:
        how much of the squared weights commutes with K and is orthogonal to all that commutes with K'. Differentiable.
        """
        totals: list[Tensor] = []
        for steps, _, etas in self._parts():
            terms = [step.squared_norm(eta) for step, eta in zip(steps, etas)]
            totals = [a + b for a, b in zip(totals, terms)] if totals else terms
        return torch.stack(totals)

    def penalty(self) -> Tensor:
        """|W - W'|^2 + |b - b'|^2 for the nearest W' and b' that commute with G, in closed form from theta_relaxed and bias_relaxed: the sum of
        penalties(). Zero if and only if the layer is equivariant under G. Differentiable."""
        return self.penalties().sum()

    def defect(self) -> float:
        """sqrt(penalty) beside the norm of all weights and biases: 0 for a layer that commutes with G, 1 for one
        without such a part."""
        with torch.no_grad():
            norm = sum(
                float(steps[-1].squared_norm_of_all(c))
                for (steps, *_), c in zip(self._parts(), self._coefficients())
                if c is not None
            )
            return math.sqrt(float(self.penalty()) / norm) if norm > 0 else 0.0

    def complement(self) -> list[Matrix]:
        """The K_j, exact: dim U x dim V, one for every row of theta_relaxed (of one copy each where V and U are
        multiples)."""
        return [K for step in self._nested[0] for K in step.matrices()]

    # --- From dense layers -----------------------------------------------------------------------------------------------------

    def _project(self, W: Tensor, b: Tensor | None) -> float:
        """Takes what is nearest to a matrix of all channels, the strength as it is, and says which share of it is
        lost."""
        lost = size = 0.0
        targets = [(W, self.theta, self.theta_relaxed, False), (b, self.bias, self.bias_relaxed, True)]
        strengths = self._strengths() or (1.0,) * len(self._chain)
        for (dense, values, relaxed, bias), steps in zip(targets, self._nested):
            if dense is None or values is None or relaxed is None:
                continue
            fine, residual, norm = _linear.project(dense, self._weights, bias)
            lost, size = math.hypot(lost, residual), math.hypot(size, norm)
            etas: list[Tensor] = []
            for step, strength in zip(reversed(steps), reversed(strengths)):
                fine, eta = step.separate(fine)
                s = float(strength)
                if s == 0:  # what has no strength cannot be had
                    lost = math.hypot(lost, math.sqrt(float(step.squared_norm(eta))))
                etas.insert(0, eta / s if s else torch.zeros_like(eta))
            with torch.no_grad():
                values.copy_(fine)
                relaxed.copy_(torch.cat(etas))
        return lost / size if size else 0.0

    # --- State -----------------------------------------------------------------------------------------------------------------

    @property
    def _digest(self) -> str:
        return self._name

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        """Takes the state of the layer of G alone too: the same function, with nothing that leaves the symmetry."""
        name, theta = state_dict.get(prefix + "_extra_state"), state_dict.get(prefix + "theta")
        if isinstance(name, Tensor) and isinstance(theta, Tensor) and prefix + "theta_relaxed" not in state_dict:
            state_dict = {**state_dict, **self._of_symmetric(state_dict, prefix, name, theta)}
        super()._load_from_state_dict(state_dict, prefix, *arguments)

    def _of_symmetric(self, state_dict: Any, prefix: str, name: Tensor, theta: Tensor) -> dict[str, Any]:
        """What is to be loaded in the place of the state of the layer of G alone; nothing if it is not one."""
        bias = state_dict.get(prefix + "bias")
        found = self._own_coordinates(bytes(name.cpu().to(torch.uint8).tolist()).hex(), theta, bias)
        if found is None:
            return {}
        theta, bias = found
        taken = {"theta": theta, "theta_relaxed": theta.new_zeros(self.theta_relaxed.shape)}
        if bias is not None and self.bias_relaxed is not None:
            taken |= {"bias": bias, "bias_relaxed": bias.new_zeros(self.bias_relaxed.shape)}
        if self._learns:
            taken["strength"] = theta.new_ones(len(self._chain), dtype=theta.dtype.to_real())
        return {prefix + key: value for key, value in taken.items()} | {prefix + "_extra_state": self.get_extra_state()}

    def _own_coordinates(self, digest: str, theta: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor | None] | None:
        """theta and bias of a layer of G alone, if its table has this digest."""
        return (theta, bias) if digest == table_between(*self._pair).sha256 else None

    def _connect(self) -> None:
        super()._connect()
        self._nested = _steps(*self._pair, self._chain)[:2]

    def _on_device(self, device: torch.device) -> None:
        super()._on_device(device)
        for step in (*self._nested[0], *self._nested[1]):
            step.constants.on(device)

    def _counts(self) -> tuple[str, str, str]:
        """The groups, and how many parameters of weights and of bias each has, in words."""
        (P, *_), (Q, *_) = self._free()
        groups = " > ".join([self._pair[0].group.name, *(H.name for H in self._chain)])
        weights = " + ".join(str(n) for n in (P, *(d for d, _ in self.steps)))
        biases = " + ".join(str(n) for n in (Q, *(e for _, e in self.steps)))
        return groups, weights, f", {biases} bias parameters" if self.bias is not None else ", bias=False"

    def _said_strength(self) -> str:
        return (
            ", strength learnt" if self._learns else "" if self._strengths() is None else f", strength={self.strength}"
        )


def _strength(given: Any, groups: int) -> float | tuple[float, ...] | None:
    """The strength as it is kept: a number, or one for each group of the chain; None if it is learnt."""
    if isinstance(given, str) and given == "learnt":
        return None
    many = tuple(given) if isinstance(given, (list, tuple)) else (given,)
    if isinstance(given, (list, tuple)) and len(many) != groups:
        raise DomainError(
            f"there are {groups} groups in the chain and {len(many)} strengths: give one for each, or one for all"
        )
    if any(isinstance(s, bool) or not isinstance(s, numbers.Real) or not math.isfinite(s) for s in many):
        raise DomainError(f"strength is a number, one for each group of the chain, or 'learnt', not {given!r}")
    return tuple(float(s) for s in many) if isinstance(given, (list, tuple)) else float(many[0])


class RelaxedLinear(Relaxed, Linear):
    """y = W x + b with every W and b that commutes with a subgroup H of G, kept as a part that commutes with all of G
    and a rest.

    W = sum theta_p B_p + strength sum eta_j K_j, where the B_p are the basis of Hom_G(V, U), as in Linear, and the K_j one of
    its orthogonal complement in Hom_H(V, U), exact. The rest is zero at the start: the layer begins equivariant under
    G.

    Parameters
    ----------
    V, U
        The types of x and y, representations of G.
    H
        The subgroup, or a chain [H1, H2, ...] of them, each in the one before. The trivial group, G.subgroup([]), frees
        every weight.
    in_channels, out_channels
        How many fields x and y have.
    bias
        Whether there is a b.
    mode
        "automatic" chooses between forms that give the same bits, "fastest" among all. `Linear` lists the others.
    strength
        What the rest is multiplied by: a number, one for each group of the chain, or "learnt", a parameter that begins
        with 1. `layer.strength = 0.1` changes one that is given; states do not hold it, as they hold no dropout rates.
    device, dtype
        Of the parameters, as in PyTorch.

    Attributes
    ----------
    theta, bias
        [P, out, in] and [Q, out]: what Linear(V, U) has.
    theta_relaxed, bias_relaxed
        [D, out, in] and [E, out]: the rest. In a chain they are one group's after the other's.
    steps
        How many each group of the chain has.

    Shape
    -----
    [..., in_channels, dim V] to [..., out_channels, dim U], as in Linear.

    Raises
    ------
    DomainError
        If H is no subgroup of G, or a group of the chain is not in the one before.

    Notes
    -----
    penalty() is the squared distance to the nearest layer that commutes with G, in closed form: add a multiple of it to
    the loss, and symmetry is left only where data ask for it (Finzi, Benton & Wilson 2021 have the prior, Wang, Walters
    & Yu 2022 relaxed weights). symmetrized() is that nearest layer. Where rho(g) are orthogonal matrices, as for
    permutations with signs, it is the mean over the group, S_G(W), and the penalty |W - S_G(W)|^2.

    Cost: Linear over H, and two additions for every parameter. Where matrices are no permutations with signs, the
    complement is found by exact elimination, in time cubic in dim Hom_H, once.

    Examples
    --------
    >>> from intertwine import Group
    >>> from intertwine.nn import RelaxedLinear
    >>> G = Group("S3")
    >>> layer = RelaxedLinear(G.rep("perm"), G.rep("perm"), G.subgroup([]))
    >>> layer.theta.shape[0], layer.theta_relaxed.shape[0], float(layer.penalty())
    (2, 7, 0.0)

    See Also
    --------
    relax : A trained network with fewer constraints.
    """

    def __init__(
        self,
        V: Representation,
        U: Representation,
        H: Group | Sequence[Group],
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        strength: Strength = 1.0,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        self._names = (str(V), str(U))
        self._relax(V, U, H, strength, in_channels, out_channels, bias, mode, device, dtype)

    def symmetrized(self) -> Linear:
        """The nearest layer that commutes with all of G, with the same theta and bias, block by block for sums of several
        multiplicities."""
        V, U = self._pair
        layer = Linear(
            V,
            U,
            self.in_channels,
            self.out_channels,
            self.bias is not None,
            mode=self.mode,
            device=self.theta.device,
            dtype=self.theta.dtype,
        )
        theta: Tensor = self.theta
        bias: Tensor | None = self.bias
        if not layer.table.is_single:
            theta, bias = layer._of_single(table_between(V, U), theta, bias)
        with torch.no_grad():
            layer.theta.copy_(theta)
            if layer.bias is not None and bias is not None:
                layer.bias.copy_(bias)
        return layer

    # --- From dense layers -----------------------------------------------------------------------------------------------------

    @classmethod
    def from_dense(  # type: ignore[override]
        cls,
        linear: nn.Linear,
        V: Representation,
        U: Representation,
        H: Group | Sequence[Group],
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        mode: str = "automatic",
    ) -> tuple[RelaxedLinear, float]:
        """The layer nearest to a dense one, and how far that was: |W - W'| / |W|, the bias taken in. Down to the
        trivial group nothing is lost, and defect() says how far the dense layer was from symmetry."""
        layer = cls(
            V,
            U,
            H,
            in_channels,
            out_channels,
            linear.bias is not None,
            mode=mode,
            device=linear.weight.device,
            dtype=linear.weight.dtype,
        )
        layer._fits(linear)
        return layer, layer._project(linear.weight, linear.bias)

    @classmethod
    def from_table(cls, *arguments: Any, **keywords: Any) -> RelaxedLinear:
        raise DomainError(
            "a relaxed layer needs two tables: build it from representations, RelaxedLinear(V, U, H), or use Linear.from_table"
        )

    # --- State -----------------------------------------------------------------------------------------------------------------

    def _own_coordinates(self, digest: str, theta: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor | None] | None:
        if (found := super()._own_coordinates(digest, theta, bias)) is not None:
            return found
        (V, U), table = self._pair, table_between(*self._pair)
        blocks = Linear(V, U, self.in_channels, self.out_channels, bias is not None, device="meta")
        if digest != blocks._digest:
            return None
        W = _linear.materialise(theta.detach().to("cpu", torch.float64), blocks._weights)
        out, in_ = table.channels
        single = _ops.Weights(table, self.out_channels * out, self.in_channels * in_, "automatic")
        theta = _linear.project(W, single)[0].to(theta)
        if bias is not None:
            b = _linear.bias_vector(bias.detach().to("cpu", torch.float64), blocks._weights)
            bias = _linear.project(b, single, bias=True)[0].to(bias)
        return theta, bias

    def extra_repr(self) -> str:
        groups, weights, bias = self._counts()
        return (
            f"{self._names[0]} -> {self._names[1]}, {groups}, {self.in_channels} -> {self.out_channels} channels,"
            f" {weights} parameters a pair{bias}, mode={self.mode!r}{self._said_strength()}"
        )
