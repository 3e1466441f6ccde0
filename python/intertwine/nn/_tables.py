"""Weight tables as operands of PyTorch's operators: tensors, sizes and a name, with the plan of the library behind
them."""

from __future__ import annotations

import contextlib
import math
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _python_dispatch
from torch.utils._pytree import tree_map

from .. import DomainError, Table
from .._core import Plan
from . import _orbits, _scalars

__all__ = ["Constants", "Pattern", "Weights", "has_numbers", "plan_of", "real_tensors", "seen_with"]


_TOO_LARGE = 1 << 28  # weights that nobody writes down: no other form has bits to be met there
_OPERATION = 4e-6  # seconds that PyTorch takes to begin an operation


class Pattern(NamedTuple):
    """A table as operands: tensors, sizes and a name, so that an exported program carries it.

    table: tied entries: the codes [M, N] and those of the bias [M]; sparse ones: parameter, place (row N + column) and
    value of each entry.
    """

    table: list[Tensor]
    sizes: list[int]  # M, N, P, Q
    digest: str
    mode: str
    sites_first: bool = False  # are W and dW [M out, N in]? They are [out M, in N] otherwise


# By digest, sizes of the pattern, and with isotypic blocks? The digest is that of the arrays, which do not say how
# large a sparse pattern is.
_plans: weakref.WeakValueDictionary[tuple[str, int, int, bool], Plan] = weakref.WeakValueDictionary()
_rebuilt: OrderedDict[tuple[str, int, int], Plan] = OrderedDict()  # of programs whose layers are gone


def _view(array: numpy.ndarray) -> Tensor:
    """The array as a tensor without a copy. Nobody writes to it: operators take it as an input only."""
    if array.size == 0:
        return torch.from_numpy(array.copy())
    try:
        return torch.utils.dlpack.from_dlpack(array)
    except BufferError:  # NumPy before 2 hands no array over that may not be written
        return torch.from_numpy(array.copy())


def seen_with(like: Tensor) -> Callable[[Tensor], Tensor] | None:
    """What makes constants fit for calculations with this tensor: a fake one wants fake ones, others (None) any."""
    if torch.compiler.is_compiling():
        return None
    # Levels of torch.func hide what kind of tensor is below them, but not the mode that is at work.
    mode = (
        like.fake_mode
        if isinstance(like, FakeTensor)
        else torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE)
    )
    return None if mode is None or mode.allow_non_fake_inputs else mode.from_tensor


def has_numbers(t: Tensor) -> bool:
    """Is it a tensor of numbers, not one on meta or a fake one?"""
    return not t.is_meta and not isinstance(t, FakeTensor)


@contextlib.contextmanager
def real_tensors() -> Iterator[None]:
    """Tensors that are made inside are on the CPU and have numbers, also where a module is built on meta or of fake
    tensors."""
    with _python_dispatch._disable_current_modes(), torch.device("cpu"):
        yield


class Constants:
    """Tensors that follow from a representation, rounded once to float64 and kept on every device that was named.

    They are no buffers: a module of another precision has them as exact as they can be, its state does not have them,
    and a module that was built on meta has their numbers. Nobody writes to them, so copies share them.
    """

    def __init__(self, **tensors: Any) -> None:
        """Tensors by name, or lists of tuples of them, made under real_tensors()."""
        self._on = {torch.device("cpu"): tensors}

    def __deepcopy__(self, memo: dict[int, Any]) -> Constants:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"_on": {torch.device("cpu"): self._on[torch.device("cpu")]}}

    def on(self, device: torch.device) -> dict[str, Any]:
        """Those there; on meta those of the CPU."""
        found = self._on.get(device)
        if found is None:
            found = self._on[torch.device("cpu")]
            if device.type not in ("cpu", "meta"):
                with _python_dispatch._disable_current_modes():
                    found = self._on[device] = tree_map(lambda t: t.to(device), found)
        return found

    def like(self, name: str, x: Tensor) -> Tensor:
        """For products with x: on its device, numbers in its dtype, indices as they are."""
        t: Tensor = self.on(x.device)[name]
        seen = seen_with(x)
        t = t if seen is None else seen(t)
        if x.device.type == "meta":
            t = t.to("meta")
        return t.to(x.dtype) if t.is_floating_point() else t

    def operands(self, x: Tensor) -> dict[str, Any]:
        """All of them for calculations with x, in float64."""
        found, seen = self.on(x.device), seen_with(x)
        if x.device.type == "meta":
            found = tree_map(lambda t: t.to("meta"), found)
        return found if seen is None else tree_map(seen, found)


class Weights:
    """A table with channels and a mode: its plan, and its operands on every device that was named. Never copied.

    decomposed: the same table with its isotypic blocks, for the mode that needs them. They are no part of the table's
    name.
    """

    def __init__(
        self, table: Table, out_channels: int, in_channels: int, mode: str, decomposed: Table | None = None
    ) -> None:
        self.table = table
        self.digest = table.sha256
        self.mode, self._decomposed = mode, decomposed
        kernels = "automatic" if mode in ("torch", "diagram") else mode
        key = (self.digest, table.rows, table.cols, decomposed is not None)
        base = _plans.get(key)
        if base is None:
            # Layers of the same table share its patterns as long as one of them lives.
            self.plan = _plans[key] = Plan(decomposed or table, out_channels, in_channels, kernels)
        else:
            self.plan = base.with_channels(out_channels, in_channels, kernels)
        self.sizes = [self.plan.rows, self.plan.cols, self.plan.params, self.plan.bias_params]
        self.theta_shape = (self.plan.params, out_channels, in_channels)
        self.bias_shape = (self.plan.bias_params, out_channels)
        self._bias_places: dict[tuple[torch.device, torch.dtype], tuple[Tensor, Tensor | None]] = {}
        self.small_bases: dict[
            tuple[torch.device, torch.dtype], tuple[Tensor, Tensor, Tensor] | None
        ] = {}  # of _linear.py
        large = math.prod(self.theta_shape[1:]) * table.rows * table.cols > _TOO_LARGE
        forced = mode == "diagram"
        self.diagrams = (
            _orbits.recognised(table, forced) if forced or mode == "fastest" or mode == "automatic" and large else None
        )
        if forced and self.diagrams is None:
            raise DomainError(
                f"mode='diagram' is for tables with an orbit for every partition of the axes, as those of perm^2 of S5: this one of {table.rows} x {table.cols} entries"
                f" with {table.params} parameters has others; take another mode"
            )
        self.scalars = _scalars.recognised(table) if mode in ("automatic", "fastest") else None
        self.always_diagrams = self.diagrams is not None and (forced or large)
        self.ran_diagrams = False  # the last time that PyTorch did not compile, where there was a choice
        self._preferred: dict[int, bool] = {}
        self._shares: dict[tuple[int, int], Weights] = {}
        with real_tensors():
            self._on: dict[torch.device, Pattern] = {
                torch.device("cpu"): Pattern(self._operands(), self.sizes, self.digest, "automatic" if forced else mode)
            }
            changes = {} if self.diagrams is None else {"weights": self.diagrams.weights, "bias": self.diagrams.bias}
            self._changes = Constants(
                **{name: torch.from_numpy(numbers.astype(numpy.float64)) for name, numbers in changes.items()}
            )

    def _operands(self) -> list[Tensor]:
        t = self.table
        if t.is_tied:
            return [_view(t.weight_code), _view(t.bias_code)]
        start, rows, cols = (numpy.asarray(a, dtype=numpy.int64) for a in (t.basis_ptr, t.basis_row, t.basis_col))
        params = numpy.repeat(numpy.arange(t.params), numpy.diff(start))
        M, Q = self.sizes[0], self.sizes[3]
        basis = torch.empty(M, Q, dtype=torch.float64)
        one = self.plan.with_channels(1, 1, "automatic")
        for k in range(Q):
            unit, column = torch.zeros(Q, dtype=torch.float64), torch.empty(M, dtype=torch.float64)
            unit[k] = 1
            one.materialise(1, unit.data_ptr(), column.data_ptr(), bias=True)
            basis[:, k] = column
        return [torch.from_numpy(params), torch.from_numpy(rows * t.cols + cols), _view(t.basis_val), basis]

    def on(self, device: torch.device) -> Pattern:
        """The operands there; on meta those of the CPU, whose contents nobody looks at."""
        self._changes.on(device)
        pattern = self._on.get(device)
        if pattern is None:
            if device.type in ("cpu", "meta"):
                return self._on[torch.device("cpu")]
            here = self._on[torch.device("cpu")]
            with _python_dispatch._disable_current_modes():
                pattern = self._on[device] = here._replace(table=[t.to(device) for t in here.table])
        return pattern

    def bias_places(self, like: Tensor) -> tuple[Tensor, Tensor | None]:
        """The bias of a tied table alone: which parameter each row has, and its sign or zero [M, 1], left out
        where all are 1."""
        key = (like.device, like.dtype)
        found = self._bias_places.get(key)
        if found is None:
            code, Q = self._on[torch.device("cpu")].table[1].to(torch.int64), self.sizes[3]
            sign = (code > 0).to(like.dtype) - 2 * (code > Q).to(like.dtype)
            index = torch.where(code > Q, code - Q, code).sub(1).clamp(min=0)
            found = self._bias_places[key] = (
                index.to(like.device, torch.int32),
                None if bool((sign == 1).all()) else sign[:, None].to(like.device),
            )
        return found

    def of(self, out_channels: int, in_channels: int) -> Weights:
        """The same for these channels: all of them, or the share of one process."""
        if (out_channels, in_channels) == self.theta_shape[1:]:
            return self
        found = self._shares.get((out_channels, in_channels))
        if found is None:
            found = self._shares[out_channels, in_channels] = Weights(
                self.table, out_channels, in_channels, self.mode, self._decomposed
            )
        return found

    def in_diagrams(self, name: str, t: Tensor) -> Tensor:
        """theta ("weights") or the bias as parameters of diagrams, in the type of t and at least in float32."""
        wide = t.float() if t.element_size() < 4 else t
        return (self._changes.like(name, wide) @ wide.flatten(1)).reshape(-1, *t.shape[1:])

    def prefers_diagrams(self, batch: int) -> bool:
        """Should products and gradients of a batch be faster by diagrams than in the forms of the library? Both as
        expected on one core of this machine."""
        if self.diagrams is None:
            return False
        found = self._preferred.get(batch)
        if found is None:
            out, in_ = self.theta_shape[1:]
            multiplied, moved, operations = self.diagrams.effort
            numbers = batch * (out * self.sizes[0] + in_ * self.sizes[1])
            each = (
                self.plan.seconds_of(2.0 * batch * out * in_ * multiplied, 4.0 * moved * numbers)
                + operations * _OPERATION
            )
            found = self._preferred[batch] = 3 * each < self.plan.expected_seconds(batch)
        return found

    def operands(self, like: Tensor) -> Pattern:
        """The operands for products with this tensor."""
        p, seen = self.on(like.device), seen_with(like)
        return p if seen is None else p._replace(table=[seen(t) for t in p.table])


def _table_of(p: Pattern) -> Table | None:
    """The tied table of operands, for a program in a process that never made the layer."""
    if len(p.table) != 2:
        return None
    M, N, P, Q = p.sizes

    def pattern(code: Tensor, rows: int, cols: int, params: int) -> tuple[Any, ...]:
        codes = code.detach().cpu().contiguous().numpy()
        count = numpy.bincount(codes.reshape(-1), minlength=2 * params + 1)
        sizes = count[1 : params + 1] + count[params + 1 : 2 * params + 1]
        return rows, cols, params, sizes.astype(numpy.int64).tobytes(), codes.tobytes()

    table = Table.__new__(Table)
    table.__setstate__((pattern(p.table[0], M, N, P), pattern(p.table[1], M, 1, Q), 1, 1, {}, None))
    if table.sha256 != p.digest:
        raise DomainError(f"the codes of this program are not those of its table {p.digest[:12]}: the file is damaged")
    return table


def plan_of(p: Pattern, out: int, in_: int) -> Plan | None:
    """The kernels for operands with these channels; None where only plain PyTorch is left."""
    mode = "automatic" if p.mode == "torch" else p.mode
    name = (p.digest, p.sizes[0], p.sizes[1])
    base = _plans.get((*name, mode == "isotypic"))
    if base is None and mode == "isotypic":  # the blocks are not in programs: any form gives the same to rounding
        mode = "automatic"
    base = base or _plans.get((*name, False)) or _rebuilt.get(name)
    if base is None:
        table = _table_of(p)
        if table is None:
            return None
        base = _rebuilt[name] = Plan(table, out, in_, "automatic")
        if len(_rebuilt) > 16:
            _rebuilt.popitem(last=False)
    if [base.rows, base.cols, base.params, base.bias_params] != list(p.sizes):
        raise DomainError(
            f"the table {p.digest[:12]} has {base.rows} x {base.cols} codes and {base.params} parameters, unlike this program says: the file is damaged"
        )
    return base.with_channels(out, in_, mode)
