"""Training in two phases: in the equivariant subspace, then in all weights or in an affine subspace. Many seeds at
once."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from .. import DomainError
from .._executors import require_sendable
from ._affine import AffineSubspace, Bundle
from .parameters import EquivariantSpace, Flat, Layers, build

__all__ = ["Record", "TwoPhase"]

Data = Tensor | Sequence[Tensor]
Loss = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Record:
    """What TwoPhase.fit saw. Columns are the seeds."""

    loss: Tensor
    """[phase1 + phase2 steps + 1, seeds]: the training loss before every step and after the last."""
    at: list[int]
    """The steps at which the two below were measured."""
    error: Tensor
    """[len(at), seeds]: |W - S(W)| / |W| over the layers named; empty [0, seeds] without layers."""
    accuracy: Tensor
    """[len(at), seeds] on the test examples, where they are classes; otherwise empty [0, seeds]."""
    phase1: int
    """The steps of phase I: loss[phase1] is that at its end."""
    weights: Tensor
    """[seeds, D] at the end."""
    trajectory: Tensor | None
    """[steps + 1, seeds, D] if it was to be kept."""

    @property
    def lowest(self) -> Tensor:
        """[seeds]: the lowest training loss that was reached; infinite where it was never finite."""
        return torch.where(self.loss.isfinite(), self.loss, torch.inf).amin(0)


class TwoPhase:
    """Phase I trains theta in the equivariant subspace, W = sum theta_k B_k; phase II all weights, or those of an
    affine subspace.

    module: an nn.Module, which is trained where it is; or a function that makes one, for as many runs as there are
    seeds, side by side in one batch. layers: which linear layers are equivariant under what, as EquivariantSpace takes
    it. Phase I then starts at the symmetrized initial weights, every tensor times sqrt(mn / dim) for E|S(W)|^2 = |W|^2
    dim / mn, so that outputs keep their variance. None: phase I trains all weights (the burn-in of Larsen et al. 2022).

    phase1: its steps; 0 is the start alone. phase2: "full" (all weights), a Subspace, a function from a seed to a
    Subspace, or None for no phase II. A subspace without an origin goes through the weights at the end of phase I.
    steps: those of phase II.

    lr: of both phases, or (lr1, lr2). optimizer: a class of torch.optim that treats entries alone (Adam, AdamW, SGD,
    RMSprop), so that runs side by side are what they are alone. loss(y, target): the mean over examples. All examples
    are seen at every step. Each phase has an optimizer of its own.

    Source: the two phases are those of weakly equivariant networks; subspaces Li et al. 2018 and Larsen et al. 2022.
    """

    def __init__(
        self,
        module: nn.Module | Callable[[], nn.Module],
        layers: Layers | None = None,
        *,
        phase1: int = 0,
        phase2: Literal["full"] | AffineSubspace | Callable[[int], AffineSubspace] | None = "full",
        steps: int = 100,
        lr: float | tuple[float, float] = 0.01,
        optimizer: Callable[..., torch.optim.Optimizer] = torch.optim.Adam,
        loss: Loss = nn.functional.cross_entropy,
    ) -> None:
        for name, value in (("phase1", phase1), ("steps", steps)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise DomainError(f"{name} is a number of steps, not {value!r}")
        if not (phase2 is None or phase2 == "full" or isinstance(phase2, AffineSubspace) or callable(phase2)):
            raise DomainError(f'phase2 is "full", a Subspace, a function from a seed to one, or None; not {phase2!r}')
        if isinstance(optimizer, torch.optim.Optimizer) or optimizer is torch.optim.LBFGS:
            found = (
                "LBFGS, which asks for the loss several times a step"
                if optimizer is torch.optim.LBFGS
                else f"a {type(optimizer).__name__} that has its parameters"
            )
            raise DomainError(
                f"optimizer is a class that treats entries alone, such as torch.optim.Adam (each phase makes its own), not {found}"
            )
        rates = tuple(lr) if isinstance(lr, (tuple, list)) else (lr, lr)
        if len(rates) != 2 or not all(isinstance(r, (int, float)) and r > 0 for r in rates):
            raise DomainError(f"lr is a positive number or two of them, not {lr!r}")
        self._module, self._layers = module, layers
        self._phase1, self._phase2, self._steps = phase1, phase2, 0 if phase2 is None else steps
        self._rates, self._optimizer, self._loss = rates, optimizer, loss

    def fit(
        self, x: Data, y: Data, *, test: tuple[Data, Data] | None = None, seeds: int | Sequence[int] | None = None, every: int = 10, keep_trajectory: bool = False,
        executor: concurrent.futures.Executor | None = None, batch: int | None = None,
    ) -> Record:  # fmt: skip
        """Trains on x [N, ...], y [N, ...], or on lists of such tensors with one for each seed.

        seeds: for a module that is made, a list or their number, by default (0,). every: how many steps lie between
        measurements of accuracy and equivariance, which are also made at the start, between the phases and at the end.
        executor: any of concurrent.futures, such as ProcessPoolExecutor(2) or that of Dask, to train parts of `batch`
        seeds (by default one each) side by side elsewhere; the functions given to TwoPhase are then those of modules.
        Cost: a forward and a backward pass a step, and the product A theta.
        """
        seeds = (0,) if seeds is None else tuple(range(seeds) if isinstance(seeds, int) else seeds)
        if isinstance(self._module, nn.Module) and len(seeds) != 1:
            raise DomainError("seeds need a function that makes the module: a module that is there is one run")
        if not seeds or not isinstance(every, int) or every < 1:
            raise DomainError("fit takes at least one seed, and every= at least 1")
        if executor is not None:
            return self._elsewhere(executor, batch or 1, x, y, test, seeds, every, keep_trajectory)
        modules = [build(self._module, seed) for seed in seeds]
        run = _Run(modules, self._layers, self._loss, _per_seed(x, len(seeds), "x"), _per_seed(y, len(seeds), "y"),
                   None if test is None else (_per_seed(test[0], len(seeds), "the test's x"), _per_seed(test[1], len(seeds), "the test's y")), every, keep_trajectory)  # fmt: skip
        w = run.phase_one(self._phase1, self._optimizer, self._rates[0])
        subspaces = None
        if isinstance(self._phase2, AffineSubspace):
            subspaces = [self._phase2] * len(seeds)
        elif self._phase2 not in (None, "full"):
            subspaces = [self._phase2(seed) for seed in seeds]  # type: ignore[operator]
            if not all(isinstance(s, AffineSubspace) for s in subspaces):
                raise DomainError("the function phase2 gives a Subspace for every seed")
        w = run.phase_two(w, subspaces, self._steps, self._optimizer, self._rates[1])
        if isinstance(self._module, nn.Module):
            run.flat.write(self._module, w[0])
        return run.record(w, self._phase1)

    def _elsewhere(
        self,
        executor: concurrent.futures.Executor,
        size: int,
        x: Data,
        y: Data,
        test: tuple[Data, Data] | None,
        seeds: Sequence[int],
        every: int,
        keep: bool,
    ) -> Record:
        if isinstance(self._module, nn.Module):
            raise DomainError(
                "with an executor TwoPhase takes a function that makes the module: one that is there would be trained as a copy"
            )
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise DomainError(f"batch is a positive number of seeds, not {size!r}")

        require_sendable(executor, self, "what TwoPhase is made of")

        def part(data: Data, at: slice) -> Data:
            return data if isinstance(data, Tensor) else data[at]

        futures = []
        for start in range(0, len(seeds), size):
            at = slice(start, start + size)
            tested = None if test is None else (part(test[0], at), part(test[1], at))
            futures.append(
                executor.submit(
                    self.fit, part(x, at), part(y, at), test=tested, seeds=seeds[at], every=every, keep_trajectory=keep
                )
            )
        found = [f.result() for f in futures]

        def joined(name: str) -> Tensor:
            return torch.cat([getattr(r, name) for r in found], 0 if name == "weights" else 1)

        paths = joined("trajectory") if keep else None
        return Record(
            joined("loss"), found[0].at, joined("error"), joined("accuracy"), self._phase1, joined("weights"), paths
        )


def _per_seed(data: Data, seeds: int, name: str) -> tuple[Tensor, int | None]:
    """Data and the axis of its seeds for vmap."""
    if isinstance(data, Tensor):
        return data, None
    if len(data) != seeds or not all(isinstance(t, Tensor) for t in data):
        raise DomainError(f"{name} is one Tensor, or a list of {seeds}, one for each seed")
    return torch.stack(list(data)), 0


class _Run:
    """One batch of runs: the weights w [seeds, D] go down by whatever they are a function of."""

    def __init__(
        self, modules: list[nn.Module], layers: Layers | None, loss: Loss, x: tuple[Tensor, int | None], y: tuple[Tensor, int | None],
        test: tuple[tuple[Tensor, int | None], tuple[Tensor, int | None]] | None, every: int, keep: bool,
    ) -> None:  # fmt: skip
        self.space = None if layers is None else EquivariantSpace(modules[0], layers)
        self.flat = Flat(modules[0])
        self.start = torch.stack([self.flat.vector(m) for m in modules])
        rest = [{name: t for name, t in m.state_dict().items() if name not in self.flat.shapes} for m in modules]
        for other in rest[1:]:
            for name, t in other.items():
                if isinstance(t, Tensor) and not torch.equal(t, rest[0][name]):
                    raise DomainError(
                        f"{name} is not trained and differs between seeds: runs side by side share what they do not train"
                    )
        self._every = every

        def outputs(w: Tensor, a: Tensor) -> Tensor:
            return torch.func.functional_call(modules[0], self.flat.parameters(w), (a,))  # type: ignore[no-any-return]

        def targets(y: tuple[Tensor, int | None]) -> Sequence[Tensor]:
            return [y[0]] * len(modules) if y[1] is None else y[0]  # type: ignore[return-value]

        batched = torch.func.vmap(outputs, in_dims=(0, x[1]))
        # The loss of each run by itself: under vmap the gradient of a cross entropy takes longer than everything else.
        self.losses: Callable[[Tensor], Tensor] = lambda w: torch.stack(
            [loss(out, t) for out, t in zip(batched(w, x[0]), targets(y))]
        )
        self._right: Callable[[Tensor], Tensor] | None = None
        if test is not None and not test[1][0].dtype.is_floating_point:
            (a, axis), wanted = test[0], targets(test[1])
            of_test = torch.func.vmap(outputs, in_dims=(0, axis))
            self._right = lambda w: torch.stack(
                [(out.argmax(-1) == t).to(w.dtype).mean() for out, t in zip(of_test(w, a), wanted)]
            )
        self._step, self._loss, self._at = 0, [], []  # type: tuple[int, list[Tensor], list[int]]
        self._error: list[Tensor] = []
        self._accuracy: list[Tensor] = []
        self._kept: list[Tensor] | None = [] if keep else None

    def phase_one(self, steps: int, optimizer: Any, lr: float) -> Tensor:
        if self.space is None:
            return self._descend(self.start.clone(), lambda w: w, steps, optimizer, lr)
        return self._descend(self.space.start(self.start), self.space.expand, steps, optimizer, lr)

    def phase_two(
        self, w: Tensor, subspaces: Sequence[AffineSubspace] | None, steps: int, optimizer: Any, lr: float
    ) -> Tensor:
        if steps and self._at[-1:] != [self._step]:
            self._measure(w)
        if subspaces is None:
            return self._descend(w, lambda v: v, steps, optimizer, lr)
        bundle = Bundle(subspaces, w)
        origin = torch.stack([w[k] if s.origin is None else s.origin.to(w) for k, s in enumerate(subspaces)])
        return self._descend(
            w.new_zeros(len(w), bundle.d), lambda theta: origin + bundle.lift(theta), steps, optimizer, lr
        )

    def _descend(
        self, variable: Tensor, point: Callable[[Tensor], Tensor], steps: int, optimizer: Any, lr: float
    ) -> Tensor:
        """The weights after this many steps on the variable [seeds, ...]."""
        variable.requires_grad_(True)
        opt = optimizer([variable], lr=lr)
        for _ in range(steps):
            w = point(variable)
            losses = self.losses(w)
            if losses.dim() != 1:
                raise DomainError(
                    f"the loss of one run has the shape {list(losses.shape[1:])}; it is one number, such as a mean over examples"
                )
            if self._step == 0 and bool(
                losses.isnan().all()
            ):  # later it is a run that diverged, and the record says so
                raise DomainError(
                    "the loss is nan before the first step: the examples hold nan, or the loss is not defined on what the module gives"
                )
            self._seen(w.detach(), losses.detach())
            (variable.grad,) = torch.autograd.grad(losses.sum(), variable)
            opt.step()
            self._step += 1
        with torch.no_grad():
            return point(variable).detach().clone()

    def _seen(self, w: Tensor, losses: Tensor) -> None:
        self._loss.append(losses)
        if self._kept is not None:
            self._kept.append(w.clone())
        if self._step % self._every == 0 and self._at[-1:] != [self._step]:
            self._measure(w)

    @torch.no_grad()
    def _measure(self, w: Tensor) -> None:
        self._at.append(self._step)
        if self.space is not None:
            self._error.append(self.space.error(w))
        if self._right is not None:
            self._accuracy.append(self._right(w))

    @torch.no_grad()
    def record(self, w: Tensor, phase1: int) -> Record:
        self._loss.append(self.losses(w))
        if self._kept is not None:
            self._kept.append(w)
        if self._at[-1:] != [self._step]:
            self._measure(w)

        def rows(found: list[Tensor]) -> Tensor:
            return torch.stack(found) if found else w.new_zeros(0, len(w))

        return Record(
            rows(self._loss),
            self._at,
            rows(self._error),
            rows(self._accuracy),
            phase1,
            w,
            None if self._kept is None else torch.stack(self._kept),
        )
