"""What a group leaves alone, measured: outputs, gradients, runs of training."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Permutation, Representation, VerificationError
from .._elements import ContinuousElement, element, holds, require_element, tried
from .._kinds import is_classical, is_finite, is_finite_group
from ..nn import check as equivariance
from ..nn._fields import integer, one_group, real_matrix
from ._read import DROPOUTS
from .elements import Element, Slice
from .group import ParameterGroup

__all__ = [
    "DefectReport",
    "check_backward",
    "check_forward",
    "check_trajectory",
    "is_uniquely_equivariant",
    "largest_symmetry",
]


_MOST_COMPARED = 20000  # elements of a finite group whose matrices are compared with others


@dataclass(frozen=True)
class DefectReport:
    """What a check measured. Nothing is judged; `assert_below(tol)` judges."""

    absolute: float
    """The largest difference between two numbers that should be equal."""
    relative: float
    """The same beside the largest entry of all that was compared at once (an output, all gradients, all parameters)."""
    modulo_gauge: float
    """The relative one without the blocks in `group.gauge_of(module)`, whose gradients are zero but for rounding."""
    element: Permutation | ContinuousElement | Element | None
    """The element that shows it; None where nothing differed."""
    argument: str
    """What differed most: "output", "loss", or the name of a parameter or buffer."""
    index: tuple[int, ...]
    """Where in it (0-based)."""
    difference: float
    """The difference of the two numbers there."""
    dtype: torch.dtype
    after: Mapping[int, float] = field(default_factory=dict)
    """Of a run: the relative defect after so many steps, the powers of ten and the last."""
    after_modulo_gauge: Mapping[int, float] = field(default_factory=dict)

    @property
    def epsilons(self) -> float:
        """The defect modulo gauge in units of the rounding of its dtype: what to compare in half precision."""
        return self.modulo_gauge / torch.finfo(self.dtype).eps

    def assert_below(self, tolerance: float, *, epsilons: bool = False) -> None:
        """VerificationError if the relative defect modulo gauge is not below the tolerance (in units of the dtype's
        rounding if `epsilons`)."""
        found = self.epsilons if epsilons else self.modulo_gauge
        if not found <= tolerance:
            raise VerificationError(f"{self}; it should be at most {tolerance:g}{' roundings' if epsilons else ''}")

    def __str__(self) -> str:
        if self.element is None:
            return f"no defect in {self.dtype}"
        gauge = f", {self.modulo_gauge:.1e} modulo gauge" if self.modulo_gauge != self.relative else ""
        where = f"{self.argument}[{', '.join(map(str, self.index))}]" if self.index else self.argument
        shown = str(self.element)
        return f"a relative defect of {self.relative:.1e}{gauge}, {self.difference:.1e} at {where}, for g = {shown if len(shown) < 200 else shown[:197] + '...'}"


@dataclass
class _Worst:
    """The largest defect so far, by what is left modulo gauge and then by all."""

    dtype: torch.dtype = torch.float32
    absolute: float = 0.0
    relative: float = 0.0
    modulo_gauge: float = 0.0
    element: Permutation | ContinuousElement | Element | None = None
    argument: str = ""
    index: tuple[int, ...] = ()
    difference: float = 0.0

    def see(
        self,
        pairs: Iterable[tuple[str, Tensor, Tensor, Tensor | None]],
        element: Permutation | ContinuousElement | Element,
    ) -> tuple[float, float]:
        """Compares tensors that should be equal; the fourth of each is true where gauge is."""
        compared = [(name, a.detach(), b.detach(), gauge) for name, a, b, gauge in pairs if a.numel()]
        scale = (
            max((float(t.abs().nan_to_num(0, 0).max()) for _, a, b, _ in compared for t in (a, b)), default=0.0) or 1.0
        )
        relative = modulo = 0.0
        for name, a, b, gauge in compared:
            self.dtype = a.dtype
            difference = (a.double() - b.double()).abs()
            difference = torch.where(difference.isfinite(), difference, torch.full_like(difference, math.inf))
            outside = difference if gauge is None else difference.masked_fill(gauge, 0)
            largest, left = float(difference.max()), float(outside.max())
            relative, modulo = max(relative, largest / scale), max(modulo, left / scale)
            if (left / scale, largest / scale) > (
                self.modulo_gauge,
                self.relative if left / scale == self.modulo_gauge else math.inf,
            ):
                self._keep(name, outside if left else difference, element)
            self.absolute = max(self.absolute, largest)
            self.relative, self.modulo_gauge = max(self.relative, largest / scale), max(self.modulo_gauge, left / scale)
        return relative, modulo

    def _keep(self, name: str, difference: Tensor, element: Permutation | ContinuousElement | Element) -> None:
        flat = int(difference.argmax())
        self.index = tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), difference.shape))
        self.argument, self.element, self.difference = name, element, float(difference.flatten()[flat])

    def report(self, **more: Any) -> DefectReport:
        return DefectReport(
            self.absolute,
            self.relative,
            self.modulo_gauge,
            self.element,
            self.argument,
            self.index,
            self.difference,
            self.dtype,
            **more,
        )


# --- Randomness --------------------------------------------------------------------------------------------------------------


def _refuse_randomness(module: Any, run: Callable[[], Any]) -> None:
    """A module that draws random numbers has no equal runs to compare."""
    if isinstance(module, nn.Module):
        for name, m in module.named_modules():
            rate = (
                m.p
                if isinstance(m, DROPOUTS)
                else m.dropout
                if isinstance(m, (nn.MultiheadAttention, nn.RNNBase))
                else 0
            )
            if m.training and (rate or isinstance(m, nn.RReLU)):
                raise DomainError(
                    f"{name or 'the module'} ({type(m).__name__}) is random in training mode: call module.eval(), or set its rate to 0"
                )
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        first, second = _tensors(run()), _tensors(run())
    for a, b in zip(first, second):
        if not torch.equal(a, b) and not torch.allclose(a, b, rtol=100 * _eps(a), atol=0, equal_nan=True):
            raise DomainError(
                "the module gives different outputs for the same input: it is random or keeps a state; call module.eval() first"
            )


def _eps(a: Tensor) -> float:
    return torch.finfo(a.dtype).eps if a.dtype.is_floating_point else 0.0


def _tensors(y: Any) -> list[Tensor]:
    if isinstance(y, Tensor):
        return [y]
    if isinstance(y, (tuple, list)):
        return [t for part in y for t in _tensors(part)]
    raise DomainError(f"a module that gives tensors is wanted; this one gives {type(y).__name__}")


# --- Forward -----------------------------------------------------------------------------------------------------------------


def check_forward(
    f: Callable[[Tensor], Tensor],
    V: Representation,
    W: Representation,
    x: Tensor | None = None,
    *,
    axis: int | tuple[int, int] = -1,
    elements: str | int | Sequence[Permutation | ContinuousElement] = "generators",
    seed: int = 0,
) -> DefectReport:
    """How far f(rho_V(g) x) is from rho_W(g) f(x).

    x: inputs whose dimension `axis` has the size dim V, by default five of [1, dim V] of several scales; axis: that of
    x, or those of x and f(x): -2 for tokens [..., tokens, features]. elements: "generators", of a continuous group exp X
    for those of its Lie algebra, and its components; "all"; a number of random ones; or a list. nn.check_equivariance judges as well, and takes fields on grids; this measures, on any tensors.

    Cost: 2 + (number of elements) calls of f.
    """
    one_group(V, W)
    axes = axis if isinstance(axis, tuple) else (axis, axis)
    if x is None:
        like = (
            next((p.detach() for p in f.parameters() if p.dtype.is_floating_point), None)
            if isinstance(f, nn.Module)
            else None
        )
        x = equivariance._inputs(
            (5, 1, V.dimension), torch.empty(0, dtype=torch.float64) if like is None else like, seed
        )
        if axes[0] != -1:
            raise DomainError("give x: where the axis is not the last one the other sizes are not known")
    _has(x, axes[0], V, "the input")
    kept = equivariance._Kept(f)
    try:
        _refuse_randomness(f, lambda: f(x))
        with torch.no_grad():
            y = f(x)
            if not isinstance(y, Tensor):
                raise DomainError(f"a function that gives one tensor is wanted; this one gives {type(y).__name__}")
            _has(y, axes[1], W, "the output")
            worst = _Worst(y.dtype)
            for g in _group_elements(V.group, elements, seed):
                moved = f(equivariance.Action(V, g, x)(x, axes[0]))
                worst.see([("output", moved, equivariance.Action(W, g, y)(y, axes[1]), None)], g)
    finally:
        kept.restore()
    return worst.report()


def _has(x: Tensor, axis: int, V: Representation, what: str) -> None:
    if not -x.dim() <= axis < x.dim() or x.shape[axis] != V.dimension:
        raise DomainError(
            f"{what} has the shape {list(x.shape)}, and its dimension {axis} should be {V.dimension}, that of {V}"
        )


def _group_elements(
    G: Group, elements: str | int | Sequence[Permutation | ContinuousElement], seed: int
) -> Iterator[Any]:
    if elements == "generators":
        yield from G.generators if is_finite_group(G) else tried(G, 0, seed)
    elif elements == "all":
        if not is_finite_group(G):
            raise DomainError(f"{G.name} has infinitely many elements: take a number of random ones, or a list")
        yield from G
    elif isinstance(elements, (list, tuple)):
        for g in elements:
            require_element(G, g)
        yield from elements
    elif isinstance(elements, int) and not isinstance(elements, bool) and elements > 0:
        for k in range(elements):
            yield G.random_element(seed + k)
    else:
        raise DomainError(f'elements is "generators", "all", a positive number or a list, not {elements!r}')


# --- Backward and along training ---------------------------------------------------------------------------------------------


def _parameter_elements(
    group: ParameterGroup, elements: str | int | Sequence[Element], obeys: str, seed: int
) -> list[Element]:
    if elements == "generators":
        return list(group.generators)
    if isinstance(elements, int) and not isinstance(elements, bool) and elements > 0:
        return [group.random(seed + k, obeys=obeys) for k in range(elements)]
    if isinstance(elements, (list, tuple)) and all(isinstance(g, Element) for g in elements):
        return list(elements)
    raise DomainError(f'elements is "generators", a positive number or a list of elements, not {elements!r}')


def _moved_copy(module: nn.Module, group: ParameterGroup, g: Element) -> nn.Module:
    other = copy.deepcopy(module)
    other.load_state_dict(group.act(g, module.state_dict()))
    return other


def _gauge(gauge: Sequence[Slice], name: str, like: Tensor) -> Tensor | None:
    blocks = [s for s in gauge if s.name == name]
    if not blocks:
        return None
    mask = torch.zeros(like.shape, dtype=torch.bool, device=like.device)
    for s in blocks:
        mask[s.index] = True
    return mask


def _matches(module: nn.Module, group: ParameterGroup) -> None:
    shapes = {name: tuple(t.shape) for name, t in module.state_dict().items() if isinstance(t, Tensor)}
    if shapes != group.shapes:
        name = next(iter(shapes.items() ^ group.shapes.items()))[0]
        raise DomainError(f"the group was read from another architecture than this module: {name} differs")


def check_backward(
    module: nn.Module,
    group: ParameterGroup,
    x: Tensor | Sequence[Tensor],
    loss: Callable[..., Tensor],
    *,
    elements: str | int | Sequence[Element] = 3,
    obeys: str = "forward",
    seed: int = 0,
) -> DefectReport:
    """How far loss and gradients at the moved parameters are from the moved ones: dl/dW at g W is g^-T dl/dW.

    x: an input or a tuple of them. loss: a function of the output to a number, lambda y: mse(y, target); with
    io="permuted" it sees the output moved back. elements: "generators", a number of random ones (of the subgroup that
    obeys an identity), or a list. The module is not changed.
    """
    _matches(module, group)
    inputs = (x,) if isinstance(x, Tensor) else tuple(x)
    _refuse_randomness(trial := copy.deepcopy(module), lambda: trial(*inputs))
    value, gradients = _gradients(copy.deepcopy(module), inputs, loss)
    worst, gauge = _Worst(value.dtype), group.gauge_of(module)
    for g in _parameter_elements(group, elements, obeys, seed):
        back = g.inverse()
        other = _moved_copy(module, group, g)
        there, found = _gradients(
            other, group.act_on_inputs(g, *inputs), lambda y, back=back: loss(group.act_on_output(back, y))
        )
        wanted = group.act(g, gradients, dual=True)
        worst.see([("loss", there, value, None)], g)
        worst.see([(name, found[name], wanted[name], _gauge(gauge, name, wanted[name])) for name in found], g)
    return worst.report()


def _called(loss: Callable[..., Tensor], y: Any, *targets: Any) -> Tensor:
    try:
        return loss(y, *targets)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise DomainError(
            f"the loss is called with the output{' and the targets of a batch' if targets else ''}: {error}"
        ) from error


def _gradients(module: nn.Module, x: Sequence[Tensor], loss: Callable[..., Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
    parameters = {name: p for name, p in module.named_parameters() if p.requires_grad}
    value = _called(loss, module(*x))
    if not isinstance(value, Tensor) or value.numel() != 1:
        raise DomainError("the loss gives one number, a tensor of one element")
    found = torch.autograd.grad(value.reshape(()), list(parameters.values()), allow_unused=True)
    return value.detach().reshape(()), {
        name: torch.zeros_like(p) if d is None else d.detach() for (name, p), d in zip(parameters.items(), found)
    }


def _optimizer(make: Any, module: nn.Module) -> torch.optim.Optimizer:
    if isinstance(make, torch.optim.Optimizer):
        raise DomainError(
            f"optimizer is a function that makes one, as two runs need two: lambda p: torch.optim.{type(make).__name__}(p, lr=...)"
        )
    try:
        made = make(module.parameters())
    except ValueError as error:  # Muon, of matrices alone
        raise DomainError(f"the optimizer does not take these parameters: {error}") from None
    if not isinstance(made, torch.optim.Optimizer):
        raise DomainError(f"optimizer is a function from parameters to an optimizer, and gave {type(made).__name__}")
    if isinstance(made, torch.optim.LBFGS):
        raise DomainError(
            "LBFGS asks for the loss several times a step: take an optimizer that is given one gradient a step, such as SGD or Adam"
        )
    return made


def check_trajectory(
    module: nn.Module,
    group: ParameterGroup,
    batches: Iterable[Any],
    loss: Callable[..., Tensor],
    optimizer: Callable[[Any], torch.optim.Optimizer],
    steps: int = 100,
    *,
    element: Element | None = None,
    obeys: str = "Adam",
    seed: int = 0,
) -> DefectReport:
    """How far a training run from moved parameters is from the moved training run: W(t) from g W(0) against g W(t).

    batches: inputs, or tuples (input, *targets), used in turn: a list, a DataLoader (read once) or another iterable, of
    which no more than `steps` are taken. loss: of (output, *targets). optimizer: makes one of parameters, such as
    lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9). element: by default a random one of the subgroup that obeys the
    identity: "Adam" (permutations and signs: right for every optimizer that treats all coordinates alike) or "SGD"
    (orthogonal matrices as well). The module is not changed; its mode is kept, and BatchNorm may train, dropout may
    not.

    The report has the defects after 1, 10, 100, ... and all steps in `after`, with and without gauge. Parameters in
    `group.gauge_of(module)` have the gradient zero but for rounding, which Adam turns into steps of its learning rate:
    they drift apart, and the outputs do not.
    """
    _matches(module, group)
    integer("steps", steps, 1)
    batches = list(itertools.islice(batches, steps))
    if not batches:
        raise DomainError("there are no batches")
    first = batches[0][0] if isinstance(batches[0], (tuple, list)) else batches[0]
    _refuse_randomness(trial := copy.deepcopy(module), lambda: trial(first))
    g = group.random(seed, obeys=obeys) if element is None else element
    back = g.inverse()
    plain, moved = copy.deepcopy(module), _moved_copy(module, group, g)
    here, there = (_optimizer(optimizer, net) for net in (plain, moved))
    worst, gauge, after, modulo = _Worst(), group.gauge_of(module), {}, {}
    for step in range(1, steps + 1):
        batch = batches[(step - 1) % len(batches)]
        x, *targets = batch if isinstance(batch, (tuple, list)) else (batch,)
        for net, opt, is_moved in ((plain, here, False), (moved, there, True)):
            opt.zero_grad()
            y = net(*group.act_on_inputs(g, x)) if is_moved else net(x)
            value = _called(loss, group.act_on_output(back, y) if is_moved else y, *targets)
            value.backward()
            opt.step()
        if step == steps or 10 ** (len(str(step)) - 1) == step:
            if not all(bool(p.isfinite().all()) for p in plain.parameters()):
                why = "inputs that are no numbers, too large a learning rate, or a rounding to 0: in float16 give Adam eps=1e-4"
                raise DomainError(
                    f"the run of the module itself has numbers that are not finite after step {step}: {why}"
                )
            wanted, found = group.act(g, plain.state_dict()), moved.state_dict()
            names = [n for n, t in found.items() if isinstance(t, Tensor) and t.dtype.is_floating_point]
            after[step], modulo[step] = worst.see(
                [(n, found[n], wanted[n], _gauge(gauge, n, found[n])) for n in names], g
            )
    return worst.report(after=after, after_modulo_gauge=modulo)


# --- Which symmetry ----------------------------------------------------------------------------------------------------------


def largest_symmetry(
    f: Callable[[Tensor], Tensor],
    candidates: Any,
    x: Tensor,
    *,
    axis: int | tuple[int, int] = -1,
    tolerance: float | None = None,
) -> list[Any]:
    """The largest of the candidates under which f(g x) = g f(x), g acting on the dimension `axis`.

    candidates: a finite group, of which the largest such subgroup is found (there is one: the elements that commute with
    f are closed); a graph of networkx, whose automorphism group is meant; or a list of groups and representations, of
    which those are given that pass and lie in no other that passes. A finite group acts by `perm`, SO(3) and others
    like it by `vector` (`real(vector)` where that is complex), and a representation by its matrices: of a continuous
    group of one factor, or of a finite one.

    A continuous group passes if f commutes with exp X for the generators X of its Lie algebra, with its components and
    with random elements. Whether one group lies in another is told from the matrices, exactly for finite groups and
    otherwise up to 1e-9. tolerance: on the relative defect, by default 1e-9 in float64, 1e-4 in float32.

    Cost for a group: a call of f for each element that is not yet decided, at most its order; for a list one for each
    generator and, of continuous groups, eight more.
    """
    limit = equivariance._TOLERANCE.get(x.dtype, 1e-4) if tolerance is None else tolerance
    if isinstance(candidates, (list, tuple)):
        acting = [(G, _acting(G)) for G in candidates]
        passing = [(G, V) for G, V in acting if _is_equivariant(f, V, x, axis, limit)]
        maximal: list[tuple[Any, Representation]] = []
        for G, V in passing:
            if not any(_lies_in(V, W) for _, W in maximal):
                maximal = [(H, W) for H, W in maximal if not _lies_in(W, V)] + [(G, V)]
        return [G for G, _ in maximal]
    if isinstance(candidates, Representation):
        raise DomainError(f"candidates are a group or a list, not one representation: write [{candidates}]")
    G = candidates if isinstance(candidates, Group) else _automorphisms(candidates)
    if not is_finite_group(G):
        raise DomainError(
            f"{G.name} has infinitely many subgroups: give a list of those to try, such as [Group('{G.name}'), …]"
        )
    found = G.subgroup([])
    for g in [*G.generators, *G]:
        if g not in found and _is_equivariant(f, _acting(G.subgroup([g])), x, axis, limit):
            found = G.subgroup([*found.generators, g])
    return [found]


def _acting(G: Any) -> Representation:
    """By which matrices a candidate acts."""
    if isinstance(G, Representation):
        if not is_finite(G) and (not is_classical(G) or len(G.group.factors) > 1):
            raise DomainError(f"{G} has no matrices of a finite group, or of a continuous one of one factor")
        return G
    if not isinstance(G, Group):
        raise DomainError(f"candidates are groups and representations, not {type(G).__name__}")
    if is_finite_group(G):
        return G.rep("perm")
    if G.kind != "classical" or len(G.factors) > 1:
        raise DomainError(f"{G.name} has no matrices of its own: give a representation that acts, of one factor")
    return G.rep("real(vector)" if G.is_complex else "vector")


def _is_equivariant(
    f: Callable[[Tensor], Tensor], V: Representation, x: Tensor, axis: int | tuple[int, int], limit: float
) -> bool:
    elements: Any = "generators" if is_finite(V) else tried(V.group, 8, 0)
    return check_forward(f, V, V, x, axis=axis, elements=elements).relative <= limit


def _lies_in(V: Representation, W: Representation) -> bool:
    """Are the matrices of V among those of W?"""
    G, H = V.group, W.group
    if V.dimension != W.dimension:
        return False
    if is_finite(V) and is_finite(W):
        if V == G.rep("perm") and W == H.rep("perm"):
            return G.is_subgroup_of(H)
        wanted = [V.matrix(g) for g in G.generators]
        if H.order > _MOST_COMPARED:
            raise DomainError(
                f"{H.name} has {H.order} elements, and up to {_MOST_COMPARED} are compared: leave {V} or {W} out"
            )
        return all(any(W.matrix(h) == A for h in H) for A in wanted)
    if is_finite(W):  # the matrices of V are finitely many only where its Lie algebra acts as zero
        return False
    return holds(W, [real_matrix(V, g) for g in _probes(G)])


def _probes(G: Group) -> list[Any]:
    """Elements whose powers are dense in a group, or generate it: one-parameter groups at two times without a common
    multiple, components, generators."""
    if is_finite_group(G):
        return list(G.generators)
    found = []
    for k, name in enumerate(G.generator_names):
        times = (1.0, math.sqrt(2)) if " Lie algebra " in name else (1.0,)
        found += [element(G, [(k, t)]) for t in times]
    return found


def _automorphisms(graph: Any) -> Group:
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise DomainError(
            f"candidates are a group, a list of groups or a graph of networkx, not {type(graph).__name__}"
        )
    return Group.automorphisms(graph)


def is_uniquely_equivariant(
    f: Callable[[Tensor], Tensor],
    G: Group | Representation,
    candidates: Any,
    x: Tensor,
    *,
    axis: int | tuple[int, int] = -1,
    tolerance: float | None = None,
) -> bool:
    """Is f equivariant to G, and to no candidate that is not in G? Both as in `largest_symmetry`."""
    limit = equivariance._TOLERANCE.get(x.dtype, 1e-4) if tolerance is None else tolerance
    V = _acting(G)
    return _is_equivariant(f, V, x, axis, limit) and all(
        _lies_in(_acting(H), V) for H in largest_symmetry(f, candidates, x, axis=axis, tolerance=tolerance)
    )
