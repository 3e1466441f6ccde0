"""Layers that may leave their symmetry: equivariant under G where that is enough, under a subgroup H where it is not."""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Matrix, Representation
from . import _linear, _ops
from ._fields import one_group
from ._nested import Step
from .linear import Linear, TiedModule, in_order, site_of, table_between, tables_between

__all__ = ["RelaxedLinear"]


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


class RelaxedLinear(Linear):
    """y = W x + b with every W and b that commutes with a subgroup H of G, kept as a part that commutes with all of G
    and a rest.

    W = sum theta_p B_p + sum eta_j K_j, where the B_p are the basis of Hom_G(V, U), as in Linear, and the K_j one of
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

    theta_relaxed: nn.Parameter
    bias_relaxed: nn.Parameter | None
    _means = "the tables"
    _derived = ("_weights", "_nested")
    _channel_axes = None

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
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        chain = (H,) if isinstance(H, Group) else tuple(H)
        if not chain:
            raise DomainError("the chain of subgroups is empty: give a group, or use Linear")
        if not all(isinstance(smaller, Group) for smaller in chain):
            raise DomainError("H is a subgroup of the group of V, or a chain of them, the largest first")
        one_group(V, U)
        for larger, smaller in zip((V.group, *chain), chain):
            if not smaller.is_subgroup_of(larger):
                raise DomainError(f"{smaller.name} is not a subgroup of {larger.name} (on the same points)")
        self._chain, self._pair = chain, (V, U)
        _, _, v, u, self._name = _steps(V, U, chain)
        self._names = (str(V), str(U))
        TiedModule.__init__(self, tables_between(v, u, mode), in_channels, out_channels, bias, mode, device, dtype)

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """(D, E) for every group of the chain: how many parameters of weights and of bias it gains."""
        return tuple((w.sizes[1], b.sizes[1]) for w, b in zip(*self._nested))

    # --- Parameters ------------------------------------------------------------------------------------------------------------

    def _free(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        _, _, out, in_ = self._shape
        return (self._nested[0][0].sizes[0], out, in_), (self._nested[1][0].sizes[0], out)

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta as in Linear(V, U), the bias and all that leaves the symmetry zero."""
        _, _, out, in_ = self._shape
        if "theta_relaxed" not in self._parameters:
            D, E = (sum(step[i] for step in self.steps) for i in range(2))
            self.theta_relaxed = nn.Parameter(self.theta.new_empty(D, out, in_))
            self.register_parameter(
                "bias_relaxed", nn.Parameter(self.theta.new_empty(E, out)) if self.bias is not None else None
            )
        variance = _ops.Weights(table_between(*self._pair), out, in_, "automatic").plan.initial_variance(gain)
        self._start([math.sqrt(v) for v in variance], generator)
        for p in (self.theta_relaxed, self.bias_relaxed):
            if p is not None:
                nn.init.zeros_(p)

    def _parts(self) -> list[tuple[tuple[Step, ...], Tensor, tuple[Tensor, ...]]]:
        """For weights and bias: the steps, the part of G, and those of the steps."""
        steps = self.steps
        parts: list[tuple[tuple[Step, ...], Tensor, tuple[Tensor, ...]]] = [
            (self._nested[0], self.theta, self.theta_relaxed.split([d for d, _ in steps]))
        ]
        if self.bias is not None and self.bias_relaxed is not None:
            parts.append((self._nested[1], self.bias, self.bias_relaxed.split([e for _, e in steps])))
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

    def complement(self) -> list[Matrix]:
        """The K_j, exact: dim U x dim V, one for every row of theta_relaxed (of one copy each where V and U are
        multiples)."""
        return [K for step in self._nested[0] for K in step.matrices()]

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
        lost = size = 0.0
        targets = [
            (linear.weight, layer.theta, layer.theta_relaxed, False),
            (linear.bias, layer.bias, layer.bias_relaxed, True),
        ]
        for (dense, values, relaxed, bias), steps in zip(targets, layer._nested):
            if dense is None or values is None or relaxed is None:
                continue
            fine, residual, norm = _linear.project(dense, layer._weights, bias)
            lost, size = math.hypot(lost, residual), math.hypot(size, norm)
            etas: list[Tensor] = []
            for step in reversed(steps):
                fine, eta = step.separate(fine)
                etas.insert(0, eta)
            with torch.no_grad():
                values.copy_(fine)
                relaxed.copy_(torch.cat(etas))
        return layer, lost / size if size else 0.0

    @classmethod
    def from_table(cls, *arguments: Any, **keywords: Any) -> RelaxedLinear:
        raise DomainError(
            "a relaxed layer needs two tables: build it from representations, RelaxedLinear(V, U, H), or use Linear.from_table"
        )

    # --- State -----------------------------------------------------------------------------------------------------------------

    @property
    def _digest(self) -> str:
        return self._name

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        """Takes the state of Linear(V, U) too: the same function, with nothing that leaves the symmetry."""
        name, theta = state_dict.get(prefix + "_extra_state"), state_dict.get(prefix + "theta")
        if isinstance(name, Tensor) and isinstance(theta, Tensor) and prefix + "theta_relaxed" not in state_dict:
            state_dict = {**state_dict, **self._of_linear(state_dict, prefix, name, theta)}
        super()._load_from_state_dict(state_dict, prefix, *arguments)

    def _of_linear(self, state_dict: Any, prefix: str, name: Tensor, theta: Tensor) -> dict[str, Any]:
        """What is to be loaded in the place of the state of Linear(V, U); nothing if it is not one."""
        table = table_between(*self._pair)
        digest = bytes(name.cpu().to(torch.uint8).tolist()).hex()
        bias = state_dict.get(prefix + "bias")
        if digest != table.sha256:
            V, U = self._pair
            blocks = Linear(V, U, self.in_channels, self.out_channels, bias is not None, device="meta")
            if digest != blocks._digest:
                return {}
            W = _linear.materialise(theta.detach().to("cpu", torch.float64), blocks._weights)
            out, in_ = table.channels
            single = _ops.Weights(table, self.out_channels * out, self.in_channels * in_, "automatic")
            theta = _linear.project(W, single)[0].to(theta)
            if bias is not None:
                b = _linear.bias_vector(bias.detach().to("cpu", torch.float64), blocks._weights)
                bias = _linear.project(b, single, bias=True)[0].to(bias)
        found = {"theta": theta, "theta_relaxed": theta.new_zeros(self.theta_relaxed.shape)}
        if bias is not None and self.bias_relaxed is not None:
            found |= {"bias": bias, "bias_relaxed": bias.new_zeros(self.bias_relaxed.shape)}
        return {prefix + key: value for key, value in found.items()} | {prefix + "_extra_state": self.get_extra_state()}

    def _connect(self) -> None:
        super()._connect()
        self._nested = _steps(*self._pair, self._chain)[:2]

    def _on_device(self, device: torch.device) -> None:
        super()._on_device(device)
        for step in (*self._nested[0], *self._nested[1]):
            step.constants.on(device)

    def extra_repr(self) -> str:
        V = self._pair[0]
        (P, *_), (Q, *_) = self._free()
        groups = " > ".join([V.group.name, *(H.name for H in self._chain)])
        weights = " + ".join(str(n) for n in (P, *(d for d, _ in self.steps)))
        biases = " + ".join(str(n) for n in (Q, *(e for _, e in self.steps)))
        bias = f", {biases} bias parameters" if self.bias is not None else ", bias=False"
        return (
            f"{self._names[0]} -> {self._names[1]}, {groups}, {self.in_channels} -> {self.out_channels} channels,"
            f" {weights} parameters a pair{bias}, mode={self.mode!r}"
        )
