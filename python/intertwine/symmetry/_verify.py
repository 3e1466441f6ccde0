"""The check of a group that was read: does it leave the function alone, on random parameters and inputs?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy
import torch
from torch import Tensor

from .. import DomainError
from ._axes import KINDS, LINEAR, size_of
from ._graph import GraphReader
from ._probe import WAYS, Probe, State, has_numbers
from .elements import Element, Factor, Part

if TYPE_CHECKING:
    from .group import ParameterGroup

__all__ = ["Check"]

DRAWS, PRODUCTS, REDRAWS, SMALL, MOST = 3, 3, 30, 100_000, 64
TOLERANCE, USELESS = 1e-9, 1e-4
FLOOR = 1e-3
"""Outputs below this size are measured beside it: differences of equal numbers are rounding alone."""


@dataclass
class _Draw:
    """Parameters, inputs and outputs of one run, and how far an equal output may be from it."""

    probe: Probe
    state: State
    inputs: list[Any]
    outputs: list[Tensor]
    tolerance: float


class Check:
    """Runs of a module on random numbers, with which groups are compared.

    The bound is 10^-9 of the largest output, or what a change of the parameters by 10^-11 makes of it where that is
    more: some 10^5 roundings of double precision, as the module amplifies them. An element that changes the function
    changes outputs by about their size.
    """

    def __init__(self, probe: Probe, reader: GraphReader, example: Sequence[Any] | None) -> None:
        self._where = type(reader.module).__name__
        way, like = self._start(probe, reader, example)
        self.draws = [self._draw(probe, way, like, reader.indices, seed) for seed in range(DRAWS)]
        if probe.trains_norms:
            self.draws.append(self._draw(probe.with_statistics(), way, like, reader.indices, DRAWS))

    def _refuse(self, why: str) -> DomainError:
        return DomainError(
            f"the group of this {self._where} cannot be checked: {why}, or verify=False for the group as it is read"
        )

    def _start(self, probe: Probe, reader: GraphReader, example: Sequence[Any] | None) -> tuple[str, Sequence[Any]]:
        """A way of drawing parameters, and inputs, on which the module runs and gives finite numbers."""
        known = [([size_of(dim) for dim in v.dims], v.front, k in reader.indices) for k, v in enumerate(reader.inputs)]
        fault: Exception | None = None
        for like in [example] if example is not None else probe.likely_inputs(known):
            best = (0.0, "")
            for way in WAYS if example is not None and has_numbers(example) else WAYS[:-1]:
                try:
                    outputs = probe.run(probe.state(0, way), probe.inputs(0, like, reader.indices, way))
                except Exception as error:
                    fault = error
                    break
                if not any(y.numel() for y in outputs):
                    break
                finite = min(float(y.isfinite().double().mean()) for y in outputs if y.numel())
                best = max(best, (finite, way), key=lambda pair: pair[0])
                if finite == 1:
                    break
            if best[0] > 0.5:
                return best[1], like
        why = "its outputs on random inputs are empty or no numbers"
        if fault is not None:
            why = (str(fault).strip().splitlines() or [type(fault).__name__])[0]
        raise self._refuse(f"{why}; pass {'other ' if example is not None else ''}example_inputs on which it runs")

    def _draw(self, probe: Probe, way: str, like: Sequence[Any], rows: dict[int, int], seed: int) -> _Draw:
        state, inputs = probe.state(seed, way), probe.inputs(seed, like, rows, way)
        outputs = probe.run(state, inputs)
        if way == "own":  # numbers that may have to be whole, as exponents have
            shaken = probe.run(state, [_shaken(x, seed) for x in inputs])
        else:
            near = {name: _shaken(t, seed) if name in probe.parameters else t for name, t in state.items()}
            shaken = probe.run(near, inputs)
        tolerance = max(TOLERANCE, _distance(outputs, shaken))
        if tolerance > USELESS:
            why = "its outputs change by more than their size when parameters change in the last digits"
            raise self._refuse(f"{why}; pass example_inputs on which it is steadier")
        return _Draw(probe, state, inputs, outputs, tolerance)

    def defect(self, group: ParameterGroup, seed: int = 0) -> float:
        """The largest distance between outputs that should be equal, in units of what is allowed: a group passes below
        1.

        Seen are random products of the factors' elements, all factors and some of them, on every draw, and every
        generator where the module is small.
        """
        worst = 0.0
        if not group.factors:
            return worst
        for k, draw in enumerate(self.draws):
            elements = list(_products(group, seed + 100 * k))
            if k == 0 and sum(math.prod(s) for s in group.shapes.values()) <= SMALL:
                elements += map(_moves_alone, group.generators[:MOST])
            for g in elements:
                worst = max(worst, self._moved(group, g, draw) / draw.tolerance)
                if not worst < 1:
                    return worst
        return worst

    @staticmethod
    def _moved(group: ParameterGroup, g: Element, draw: _Draw) -> float:
        outputs = draw.probe.run(group.act(g, draw.state), group.act_on_inputs(g, *draw.inputs))
        wanted = [port.act(g, y) for port, y in zip(group.outputs, draw.outputs)]
        return _distance(wanted + draw.outputs[len(wanted) :], outputs)

    def sound(self, group: ParameterGroup) -> ParameterGroup:
        """The group itself if it passes. Otherwise every factor is lowered to the largest kind that passes by itself,
        and the whole is checked again: what leaves a function alone does so one after the other."""
        if self.defect(group) < 1:
            return group
        kinds = [KINDS.index(f.kind) for f in group._all]
        for k, kind in enumerate(list(kinds)):
            while kind and not self.defect(group._lowered([kind if j == k else 0 for j in range(len(kinds))])) < 1:
                kind -= 1
            kinds[k] = kind
        found = group._lowered(kinds)
        if not self.defect(found, seed=1) < 1:
            raise DomainError(
                f"the group that is read of this {self._where}, {' x '.join(map(str, group.factors))}, changes what it "
                f"computes on random inputs, and so does {' x '.join(map(str, found.factors))}, whose factors passed one "
                "by one: a reader is wrong; verify=False gives the group as it is read"
            )
        found.corrected = tuple(
            f"{f} of {', '.join(map(str, f.slices[:3]))}: {KINDS[kind]}"
            for f, kind in zip(group._all, kinds)
            if KINDS.index(f.kind) != kind
        )
        return found


def _shaken(x: Any, seed: int) -> Any:
    """A tensor changed by a random part of 10^-11 in every number."""
    if not isinstance(x, Tensor) or not (x.dtype.is_floating_point or x.dtype.is_complex):
        return x
    choose = torch.Generator().manual_seed(seed)
    drawn = torch.rand(x.shape, generator=choose, device="cpu", dtype=torch.float64)
    return x * (1 + 1e-11 * (2 * drawn - 1).to(x.device))


def _distance(a: Sequence[Tensor], b: Sequence[Tensor]) -> float:
    """The largest difference beside the largest number of its tensor; infinite where what is no number differs."""
    if len(a) != len(b):
        return math.inf
    worst = 0.0
    for x, y in zip(a, b):
        if x.shape != y.shape:
            return math.inf
        x, y = (t if t.dtype.is_complex else t.double() for t in (x, y))
        if not x.numel():
            continue
        if not torch.equal(x.isfinite(), y.isfinite()):
            return math.inf
        finite = x.isfinite()
        x, y = x[finite], y[finite]
        if x.numel():
            worst = max(worst, float((x - y).abs().max()) / max(float(x.abs().max()), FLOOR))
    return worst


def _products(group: ParameterGroup, seed: int) -> Iterator[Element]:
    """Random elements: of all factors at once, none of them the identity, and of half of them."""
    choose, numbers = torch.Generator().manual_seed(seed), numpy.random.default_rng(seed)
    for k in range(PRODUCTS):
        taken = [True] * len(group._all)
        if k:
            drawn = (torch.rand(len(taken), generator=choose, device="cpu") < 0.5).tolist()
            taken = drawn if any(t and f.kind != "fixed" for t, f in zip(drawn, group._all)) else taken
        parts = [_other_than_identity(group, f, numbers) if t else None for t, f in zip(taken, group._all)]
        yield Element(group._all, tuple(parts))


def _other_than_identity(group: ParameterGroup, factor: Factor, choose: numpy.random.Generator) -> Part | None:
    """A random part of a factor, drawn again while it is the identity, as those of small permutations often are."""
    drawn = group._random_part(factor, choose, LINEAR)
    for _ in range(REDRAWS):
        if not _is_identity(drawn):
            break
        drawn = group._random_part(factor, choose, LINEAR)
    return drawn


def _moves_alone(g: Element) -> Element:
    """The same element without the parts that are the identity, so that what nothing moves is left alone."""
    return Element(g.factors, tuple(None if _is_identity(p) else p for p in g.parts))


def _is_identity(part: Part | None) -> bool:
    if part is None or part.images is None or part.signs is None:  # matrices are never drawn as the identity
        return part is None
    return bool((part.images == numpy.arange(part.images.shape[1])).all() and (part.signs == 1).all())
