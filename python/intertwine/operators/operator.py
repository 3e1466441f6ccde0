"""Operators with weights that depend on what they act on: (Phi f)(g) = sum over g1 of omega(f, g, g1) f(g1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Group, LimitError, Permutation, Representation
from .._kinds import is_finite_group
from ..nn._fields import Derived, is_orthogonal, real_matrix, real_tensors
from ..nn.check import EquivarianceReport, check_equivariance
from ..nn.encoding import quotients

__all__ = ["Elements", "Operator", "OperatorReport"]

_ENTRIES = 1 << 24  # of omega at a time


class Elements:
    """The elements of a finite group, numbered as the basis of `regular`, and how they multiply."""

    relative: Tensor
    """relative[g, g1] is the number of g^-1 g1: what no motion of both changes."""

    def __init__(self, group: Group) -> None:
        if group.order > 2048:
            raise LimitError(
                f"{group.name} has {group.order} elements; an operator has a matrix for each pair of them, and groups of at most 2048 are taken"
            )
        self.group = group
        self.list: tuple[Permutation, ...] = tuple(group.element(k) for k in range(group.order))
        self._number = {g: k for k, g in enumerate(self.list)}
        with real_tensors():
            self.relative = torch.from_numpy(quotients(self.list))
        self.identity = self._number[group.identity]

    def __len__(self) -> int:
        return len(self.list)

    def number(self, g: Permutation) -> int:
        """The number of an element. DomainError if it is none."""
        if g not in self._number:
            raise DomainError(f"{g} is no element of {self.group.name}")
        return self._number[g]

    def moved(self, k: Permutation) -> Tensor:
        """[|G|]: the numbers of k g for all g."""
        return self.relative[self.number(k**-1)]


@dataclass(frozen=True)
class OperatorReport:
    """What Operator.check found. True in conditions if the operator is equivariant."""

    operator: EquivarianceReport
    """Of the operator itself: Phi(k f) and k Phi(f)."""
    omega_error: float
    """The largest relative difference of omega(k f, k g, k g1) and rho_W(k) omega(f, g, g1) rho_V(k)^-1."""
    element: Permutation | None
    """The generator for which it is largest."""
    tolerance: float

    @property
    def omega_is_equivariant(self) -> bool:
        """Does omega satisfy the law itself? It may fail where the operator is equivariant: different omegas give one
        operator."""
        return self.omega_error <= self.tolerance

    def __bool__(self) -> bool:
        return bool(self.operator)

    def __str__(self) -> str:
        law = (
            "omega obeys its law"
            if self.omega_is_equivariant
            else f"omega breaks its law by {self.omega_error:.1e} for k = {self.element}"
        )
        return f"{self.operator}; {law}"


class Operator(Derived):
    """(Phi f)(g) = sum over g1 of omega(f, g, g1) f(g1) for functions f on a finite group G with values in V.

    f [..., dim V, |G|] -> [..., dim W, |G|], elements numbered as in G.rep("regular"), `elements.list`. V, W: numbers
    of channels, or representations of G for values that are moved as well: (k f)(g) = rho_V(k) f(k^-1 g).

    omega(f, g, g1): f as it came; g and g1 numbers of elements, integer tensors that are broadcast (g [rows, 1], g1 [1,
    |G|]); gives [..., rows, |G|, dim W, dim V], where "..." is that of f or broadcasts to it. elements.relative[g, g1]
    is the number of g^-1 g1.

    When Phi is equivariant: if omega(k f, k g, k g1) = rho_W(k) omega(f, g, g1) rho_V(k)^-1 for all k, it is. The law
    is not necessary, since different omegas give one operator; what is necessary and sufficient is that omega and its
    mean over the group, which obeys the law, give the same operator: `symmetrized()` is that. `check()` measures both.

    constant_channel=True: f has one more channel, which is 1 everywhere and does not move, and omega one more column
    for it. Every Phi without it has Phi(0) = 0; with it biases are part of omega.

    Cost: |G|^2 dim V dim W products a function, and omega; rows are taken a few at a time.
    """

    def __init__(
        self,
        G: Group,
        omega: Callable[[Tensor, Tensor, Tensor], Tensor],
        V: int | Representation,
        W: int | Representation,
        *,
        constant_channel: bool = False,
    ) -> None:
        super().__init__()
        if not is_finite_group(G):
            raise DomainError(f"an operator is over a finite group, not {G!r}")
        if not callable(omega):
            raise DomainError(f"omega is a function of f, g and g1, not {omega!r}")
        self.group, self._omega, self.constant_channel = G, omega, constant_channel
        self.V, self.W = _values("V", V, G), _values("W", W, G)
        self.elements = Elements(G)

    @property
    def source(self) -> Representation:
        """The representation on functions f, flattened from [dim V, |G|]."""
        return self.V * self.group.rep("regular")

    @property
    def target(self) -> Representation:
        """The same for values."""
        return self.W * self.group.rep("regular")

    def omega(self, f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
        """The weights, of the shape that is promised. DomainError if it is another one."""
        w = self._omega(f, g, g1)
        pairs = torch.broadcast_shapes(g.shape, g1.shape)
        end = (*pairs, self.W.dimension, self.V.dimension + self.constant_channel)
        if not isinstance(w, Tensor):
            raise DomainError(f"omega gives a {type(w).__name__}, not a tensor [..., {', '.join(map(str, end))}]")
        lead = w.shape[: w.dim() - len(end)]
        if (
            w.shape[w.dim() - len(end) :] != end
            or w.dim() < len(end)
            or len(lead) > f.dim() - 2
            or not _broadcasts(lead, f.shape[:-2])
        ):
            raise DomainError(
                f"omega gives the shape {list(w.shape)} for f {list(f.shape)}, g {list(g.shape)} and g1 {list(g1.shape)}; it has to end in {list(end)}"
                f" (pairs, dim W, dim V{' + 1 for the constant channel' if self.constant_channel else ''}) and to begin as f does"
            )
        return w

    def forward(self, f: Tensor) -> Tensor:
        n, dim = len(self.elements), self.V.dimension
        if f.dim() < 2 or f.shape[-2:] != (dim, n):
            raise DomainError(
                f"the input has the shape {list(f.shape)}; this operator takes [..., {dim}, {n}] (dim V, elements of {self.group.name})"
            )
        values = torch.cat((f, torch.ones_like(f[..., :1, :])), -2) if self.constant_channel else f
        every = torch.arange(n, device=f.device)
        rows = max(1, _ENTRIES // max(1, f[..., 0, 0].numel() * n * self.W.dimension * values.shape[-2]))
        parts = [
            torch.einsum("...gxwv,...vx->...wg", self.omega(f, g[:, None], every[None]), values)
            for g in every.split(rows)
        ]
        return torch.cat(parts, -1)

    def act(self, k: Permutation, f: Tensor, *, target: bool = False) -> Tensor:
        """(k f)(g) = rho(k) f(k^-1 g), of functions with values in V, or in W."""
        rho = torch.from_numpy(real_matrix(self.W if target else self.V, k)).to(f)
        return torch.einsum("wv,...vx->...wx", rho, f.index_select(-1, self.elements.moved(k**-1).to(f.device)))

    def symmetrized(self) -> Operator:
        """The operator whose omega is the mean of rho_W(k)^-1 omega(k f, k g, k g1) rho_V(k) over G. It is equivariant
        whatever omega is, and the same operator if this one is. Cost: |G| times omega."""

        def omega(f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
            total: Any = 0
            for k in self.elements.list:
                moved = self.elements.moved(k).to(f.device)
                left, right = self._sides(k, f)
                total = total + left.T @ self.omega(self.act(k, f), moved[g], moved[g1]) @ right
            return total / len(self.elements)  # type: ignore[no-any-return]

        if not (is_orthogonal(self.V) and is_orthogonal(self.W)):
            raise DomainError("symmetrized() takes representations by orthogonal matrices: conjugate V and W first")
        return Operator(self.group, omega, self.V, self.W, constant_channel=self.constant_channel)

    def _sides(self, k: Permutation, like: Tensor) -> tuple[Tensor, Tensor]:
        """rho_W(k), and rho_V(k) with the constant channel."""
        left, right = (torch.from_numpy(real_matrix(R, k)).to(like) for R in (self.W, self.V))
        return left, torch.block_diag(right, torch.ones(1, 1).to(like)) if self.constant_channel else right

    def check(
        self, *, batch: int = 4, elements: int = 4, tolerance: float | None = None, seed: int = 0
    ) -> OperatorReport:
        """Is the operator equivariant, and does omega obey its law? Measured as by `intertwine.nn.check_equivariance`,
        forward and backward, at inputs of several scales; the law of omega for the generators at random functions."""
        n = len(self.elements)
        flat = _Flat(self)
        report = check_equivariance(
            flat, self.source, self.target, 1, batch=batch, elements=elements, tolerance=tolerance, seed=seed
        )
        like = next(
            (p.detach() for p in self.parameters() if p.dtype.is_floating_point), torch.empty(0, dtype=torch.float64)
        )
        f = torch.randn(
            batch, self.V.dimension, n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
        ).to(like)
        g = torch.arange(n, device=f.device)
        worst, element = 0.0, None
        with torch.no_grad():
            here = self.omega(f, g[:, None], g[None])
            for k in dict.fromkeys(self.group.generators):
                moved = self.elements.moved(k).to(f.device)
                left, right = self._sides(k, f)
                # As omega rho_V(k), so that nothing is inverted.
                there, expected = self.omega(self.act(k, f), moved[:, None], moved[None]) @ right, left @ here
                error = (
                    float((there - expected).abs().max() / expected.abs().max().clamp(min=1e-300))
                    if expected.numel()
                    else 0.0
                )
                if not error <= worst:
                    worst, element = error, k
        return OperatorReport(report, worst, element, report.tolerance)

    @classmethod
    def from_map(
        cls,
        F: Callable[[Tensor], Tensor],
        G: Group,
        V: int | Representation,
        W: int | Representation,
        *,
        constant_channel: bool = False,
    ) -> Operator:
        """Any equivariant map as such an operator: omega(f, g, g1) = F(f)(g) f(g1)^T / |f|^2, which obeys the law if F
        is equivariant.

        F: [..., dim V, |G|] -> [..., dim W, |G|]. Since omega(0) multiplies 0, F(0) has to be 0; otherwise DomainError,
        and constant_channel=True helps: f is then never 0. V has to be orthogonal, so that |f| is invariant.
        """
        operator = cls(G, lambda f, g, g1: f, V, W, constant_channel=constant_channel)
        if not is_orthogonal(operator.V):
            raise DomainError(f"{operator.V} is not orthogonal, and |f| would not be invariant: conjugate it first")
        n = len(operator.elements)
        with torch.no_grad():
            at_zero = _value(F, torch.zeros(1, operator.V.dimension, n, dtype=_dtype(F)), operator)
        if not constant_channel and float(at_zero.abs().max()) > 0:
            raise DomainError(
                f"F(0) is not 0 (its largest entry is {float(at_zero.abs().max()):.1e}), and a sum of omega(f, g, g1) f(g1) is 0 for f = 0 whatever omega is:"
                " take constant_channel=True, which gives f a channel that is 1 everywhere"
            )

        def omega(f: Tensor, g: Tensor, g1: Tensor) -> Tensor:
            values = torch.cat((f, torch.ones_like(f[..., :1, :])), -2) if constant_channel else f
            size = values.square().sum((-2, -1))
            size = torch.where(size > 0, size, torch.ones_like(size))  # omega(0) is multiplied by 0
            g, g1 = torch.broadcast_tensors(g, g1)
            left, right = _value(F, f, operator) / size[..., None, None], values
            outer = (
                left[..., :, g].movedim(-1 - g.dim(), -1)[..., :, None]
                * right[..., :, g1].movedim(-1 - g.dim(), -1)[..., None, :]
            )
            return outer

        operator._omega = omega
        if isinstance(F, nn.Module):
            operator.map = F
        return operator

    def extra_repr(self) -> str:
        return f"{self.group.name}, {self.V} -> {self.W}{', with a constant channel' if self.constant_channel else ''}"


class _Flat(nn.Module):
    """An operator on one axis, as check_equivariance wants it: [batch, 1, dim V |G|]."""

    def __init__(self, operator: Operator) -> None:
        super().__init__()
        self.operator = operator

    def forward(self, x: Tensor) -> Tensor:
        n = len(self.operator.elements)
        return self.operator(x[:, 0].unflatten(-1, (-1, n))).flatten(-2)[:, None]  # type: ignore[no-any-return]


def _values(name: str, V: int | Representation, G: Group) -> Representation:
    if isinstance(V, Representation):
        if V.group != G:
            raise DomainError(f"{name} = {V} is a representation of {V.group.name}, and the operator is over {G.name}")
        return V
    if not isinstance(V, int) or isinstance(V, bool) or V < 1:
        raise DomainError(f"{name} is a positive number of channels or a representation of {G.name}, not {V!r}")
    return V * G.rep("trivial") if V > 1 else G.rep("trivial")


def _broadcasts(lead: torch.Size, to: torch.Size) -> bool:
    return all(a in (1, b) for a, b in zip(reversed(lead), reversed(to)))


def _dtype(F: Any) -> torch.dtype:
    parameters = [p for p in F.parameters() if p.dtype.is_floating_point] if isinstance(F, nn.Module) else []
    return parameters[0].dtype if parameters else torch.float64


def _value(F: Callable[[Tensor], Tensor], f: Tensor, operator: Operator) -> Tensor:
    value = F(f)
    wanted = (*f.shape[:-2], operator.W.dimension, len(operator.elements))
    if not isinstance(value, Tensor) or value.shape != wanted:
        got = list(value.shape) if isinstance(value, Tensor) else type(value).__name__
        raise DomainError(
            f"F gives {got} for f {list(f.shape)}; functions on {operator.group.name} with values in W are {list(wanted)}"
        )
    return value
