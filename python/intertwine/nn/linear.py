"""Equivariant linear layers."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import torch
from torch import Tensor, nn

from .. import ContinuousRepresentation, DomainError, Representation, Table, VerificationError
from . import _linear, _ops, _plain
from ._fields import integer

__all__ = ["Linear", "impose"]

MODES = ("automatic", "fastest", "dense", "lookup", "implicit", "fft", "isotypic", "torch")


@functools.lru_cache(maxsize=64)
def table_between(V: Representation | ContinuousRepresentation, U: Representation | ContinuousRepresentation, isotypic: bool = False) -> Table:
    """The table of V >> U, its channels and columns in the order of the coordinates of V, its rows in that of U. The last few are
    kept: a network has many layers of one kind."""
    if isinstance(V, ContinuousRepresentation) and isinstance(U, ContinuousRepresentation):
        if isotypic:
            raise DomainError("mode='isotypic' is for representations of finite groups; leave it out")
        return (V >> U).table()
    if isinstance(V, ContinuousRepresentation) or isinstance(U, ContinuousRepresentation):
        raise DomainError("V and U belong to different groups, a finite and a continuous one")
    return (_in_order(V) >> _in_order(U)).table(isotypic=isotypic)


def _in_order(V: Representation) -> Representation:
    """V, or the same matrices written so that tables keep their order.

    A table takes the greatest common multiple out of a sum: the columns of 2*perm + 2*sign are those of perm + sign in two channels, and
    those of 2*(perm + sign) + trivial have both perm first, where the coordinates are in another order. As one factor of a
    product the sum stays as it is.
    """
    summands = [(m, R) for m, R in V.summands() if m and R.dimension]
    if len(summands) < 2:
        return V
    common = math.gcd(*(m for m, _ in summands))
    site = functools.reduce(operator.add, (m // common * R if m > common else R for m, R in summands))
    taken = site if common == 1 else common * site
    if taken == V or all(taken.matrix(g) == V.matrix(g) for g in V.group.generators):
        return V
    return V * V.group.rep("trivial")


class NamedState(nn.Module):
    """A module whose parameters mean something only together with a constant (a table, diagrams): 32 bytes in its state name it."""

    _means = "the table"  # what is named, in messages
    _advice = "build the layer from the representations that it was trained with"
    theta: nn.Parameter

    @property
    def _digest(self) -> str:
        raise NotImplementedError

    def get_extra_state(self) -> Tensor:
        return torch.frombuffer(bytearray.fromhex(self._digest), dtype=torch.uint8)

    def set_extra_state(self, state: Any) -> None:
        """The digest was compared before anything was overwritten."""

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        theirs = state_dict.get(prefix + "_extra_state")
        if theirs is not None:
            name = bytes(theirs.cpu().to(torch.uint8).tolist()).hex() if isinstance(theirs, Tensor) else repr(theirs)
            if name != self._digest:
                raise VerificationError(
                    f"the parameters {prefix}theta are those of {self._means} {name[:12]}, and this layer has {self._digest[:12]}: {self._advice}"
                )
        super()._load_from_state_dict(state_dict, prefix, *arguments)

    def _checked(self, x: Tensor) -> None:
        if x.dtype != self.theta.dtype and not _ops.autocasts(x):
            raise DomainError(f"the input is {x.dtype} and the layer {self.theta.dtype}: convert one, x.to(...) or layer.to(...)")
        if x.device != self.theta.device:
            raise DomainError(f"the input is on {x.device} and the layer on {self.theta.device}: move one, x.to(...) or layer.to(...)")


class TableModule(NamedState):
    """Modules of tables, which are constants: no buffers, never copied. `_weights` is what follows from them, made again where a module is unpickled."""

    _weights: Any

    def _connect(self) -> None:
        """Fills what is not stored. Never in forward, where tensors may be fake."""
        raise NotImplementedError

    def _on_device(self) -> None:
        self._weights.on(self.theta.device)

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        result = super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._on_device()
        return result

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_weights"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]
        self._connect()
        self._on_device()


class TiedModule(TableModule):
    """What modules over one table have in common: theta [P, out, in], bias [Q, out], their state and their start.

    The state has `theta`, `bias` and the table's digest.
    """

    bias: nn.Parameter | None
    _weights: _ops.Weights

    def __init__(
        self,
        table: Table,
        in_channels: int,
        out_channels: int,
        bias: bool,
        mode: str,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
        decomposed: Table | None = None,
    ) -> None:
        super().__init__()
        integer("in_channels", in_channels, 1), integer("out_channels", out_channels, 1)
        if mode not in MODES:
            raise DomainError(f"the mode {mode!r} is not known; modes are {', '.join(MODES)}")
        dtype = dtype or torch.get_default_dtype()
        if not dtype.is_floating_point:
            raise DomainError(f"theta is of a floating-point dtype, not {dtype}")
        self.in_channels, self.out_channels, self.mode = in_channels, out_channels, mode
        self.table, self._decomposed = table, decomposed
        self._connect()
        P, Q = self._free()
        _, _, out, in_ = self._shape
        self.theta = nn.Parameter(torch.empty(P, out, in_, device=device, dtype=dtype))
        if bias:
            self.bias = nn.Parameter(torch.empty(Q, out, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self._on_device()
        self.reset_parameters()

    def _connect(self) -> None:
        out, in_ = self.table.channels
        self._weights = _ops.Weights(self.table, self.out_channels * out, self.in_channels * in_, self.mode, self._decomposed)
        M, N = self._weights.sizes[:2]
        # rows and columns of all copies in one channel, and how many copies the table sees
        self._shape = (M * out, N * in_, self.out_channels * out, self.in_channels * in_)

    def _free(self) -> tuple[int, int]:
        """P and Q: by default the parameters of the table."""
        return self._weights.sizes[2], self._weights.sizes[3]

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta normal, of the variances for which inputs of variance 1 give outputs of variance gain^2 on average, in closed form
        from the sizes of the orbits; every orbit moves the output equally. The bias is zero."""
        variance = self._weights.plan.initial_variance(gain)
        with torch.no_grad():
            self.theta.normal_(generator=generator)
            self.theta.mul_(torch.tensor([math.sqrt(v) for v in variance], device=self.theta.device, dtype=self.theta.dtype)[:, None, None])
            if self.bias is not None:
                self.bias.zero_()

    @property
    def form(self) -> str:
        """How the last product on the CPU ran: "dense", "lookup", "implicit", "fft" or "isotypic"; empty before. On other devices
        who computes: "triton" or "torch"."""
        if self.theta.device.type == "cpu":
            return self._weights.plan.form
        return _ops.who(self._weights.operands(self.theta), self.theta)

    # --- State ---------------------------------------------------------------------------------------------------------------

    @property
    def _digest(self) -> str:
        return self._weights.digest


class Linear(TiedModule):
    """y = W x + b with every equivariant W and b: W rho_V(g) = rho_U(g) W, rho_U(g) b = b for all g.

    x [..., in_channels, dim V] -> y [..., out_channels, dim U]; any number of leading dimensions, also none.

    theta [P, out, in]: a free out x in block for each of the P elements of the basis of Hom(V, U); bias [Q, out]. If V is a multiple
    such as 16 * V1, its copies are channels too: in = 16 in_channels.

    mode: "automatic" chooses between forms that give the same bits; "fastest" among all; "dense", "lookup", "implicit", "fft",
    "isotypic" force one (docs/nn.md). "torch" is plain PyTorch, also on the CPU. On CUDA devices the kernels are
    Triton's for all modes, and "dense" and "lookup" say whether W is written down; where there are none, plain PyTorch (docs/nn.md).

    Cost: as a dense product, or less; W is not kept. Threads are those of torch.get_num_threads(), and never change a bit.
    """

    def __init__(
        self,
        V: Representation | ContinuousRepresentation,
        U: Representation | ContinuousRepresentation,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        self._names = (str(V), str(U))
        decomposed = table_between(V, U, True) if mode == "isotypic" else None
        super().__init__(table_between(V, U), in_channels, out_channels, bias, mode, device, dtype, decomposed)

    @classmethod
    def from_table(
        cls,
        table: Table,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> Linear:
        """The layer of a table, such as load_table(path) gives."""
        layer = cls.__new__(cls)
        layer._names = (table.metadata.get("rep_in", "?"), table.metadata.get("rep_out", "?"))
        TiedModule.__init__(layer, table, in_channels, out_channels, bias, mode, device, dtype, table if mode == "isotypic" else None)
        return layer

    def forward(self, x: Tensor) -> Tensor:
        rows, cols, out, in_ = self._shape
        if x.dim() < 2 or x.shape[-1] != cols or x.shape[-2] != self.in_channels:
            raise DomainError(f"the input has the shape {list(x.shape)}; this layer takes [..., {self.in_channels}, {cols}] (channels, dim V)")
        self._checked(x)
        theta, bias = self._coefficients()
        if in_ != self.in_channels or out != self.out_channels:
            x = x.reshape(*x.shape[:-2], in_, self._weights.sizes[1])
            y = _linear.linear(x, theta, bias, self._weights)
            return y.reshape(*y.shape[:-2], self.out_channels, rows)
        return _linear.linear(x, theta, bias, self._weights)

    def _coefficients(self) -> tuple[Tensor, Tensor | None]:
        """What the table's elements are multiplied by, for weights and bias."""
        return self.theta, self.bias

    def weight(self) -> Tensor:
        """W [out_channels dim U, in_channels dim V], differentiable in theta."""
        theta = self._coefficients()[0]
        return _ops.materialise(theta, self._weights.operands(theta))

    def bias_vector(self) -> Tensor | None:
        """b [out_channels dim U], differentiable in the bias."""
        bias = self._coefficients()[1]
        return None if bias is None else _plain.expand_bias(bias, self._weights.operands(bias)).reshape(-1)

    def fold(self) -> nn.Linear:
        """An ordinary nn.Linear with the same weights, on inputs flattened to [..., in_channels dim V]."""
        W, b = self.weight().detach(), self.bias_vector()
        dense: nn.Linear = nn.utils.skip_init(nn.Linear, W.shape[1], W.shape[0], bias=b is not None, device=W.device, dtype=W.dtype)
        with torch.no_grad():
            dense.weight.copy_(W)
            if b is not None:
                dense.bias.copy_(b)
        return dense

    @classmethod
    def from_dense(
        cls,
        linear: nn.Linear,
        V: Representation | ContinuousRepresentation,
        U: Representation | ContinuousRepresentation,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        mode: str = "automatic",
    ) -> tuple[Linear, float]:
        """The equivariant layer nearest to a dense one, and how far that was: |W - W'| / |W|, the bias taken in (Frobenius norm).

        The dense layer acts on flattened inputs, as fold() makes it.
        """
        layer = cls(V, U, in_channels, out_channels, linear.bias is not None, mode=mode, device=linear.weight.device, dtype=linear.weight.dtype)
        rows, cols = layer._shape[:2]
        if linear.weight.shape != (out_channels * rows, in_channels * cols):
            raise DomainError(
                f"the dense layer has a weight of {list(linear.weight.shape)}; {out_channels} channels of dimension {rows} from {in_channels} of {cols}"
                f" need [{out_channels * rows}, {in_channels * cols}]"
            )
        theta, residual, norm = _linear.project(linear.weight, layer._weights)
        with torch.no_grad():
            layer.theta.copy_(theta)
            if layer.bias is not None:
                bias, more, size = _linear.project(linear.bias, layer._weights, bias=True)
                layer.bias.copy_(bias)
                residual, norm = math.hypot(residual, more), math.hypot(norm, size)
        return layer, residual / norm if norm else 0.0

    def extra_repr(self) -> str:
        P, Q = self._weights.sizes[2:]
        bias = f", {Q} bias parameters" if self.bias is not None else ", bias=False"
        return f"{self._names[0]} -> {self._names[1]}, {self.in_channels} -> {self.out_channels} channels, {P} parameters a pair{bias}, mode={self.mode!r}"


class _Imposed(nn.Module):
    """The parametrization of one tensor of a dense layer by a table."""

    def __init__(self, weights: _ops.Weights, table: Table, channels: tuple[int, int], bias: bool) -> None:
        super().__init__()
        self.table, self.channels, self.of_bias = table, channels, bias
        self._weights = weights

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_weights"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]
        self._weights = _ops.Weights(self.table, *self.channels, "automatic")

    def forward(self, theta: Tensor) -> Tensor:
        p = self._weights.operands(theta)
        return _plain.expand_bias(theta, p).reshape(-1) if self.of_bias else _ops.materialise(theta, p)

    def right_inverse(self, W: Tensor) -> Tensor:
        return _linear.project(W, self._weights, self.of_bias)[0].to(W.device, W.dtype)


def impose(linear: nn.Linear, V: Representation, U: Representation) -> nn.Linear:
    """Makes a dense layer equivariant where it is, by a parametrization of its weight and bias: from now on they are the nearest
    equivariant ones, and stay equivariant in training. Gives the same module back.

    The layer acts on [..., in dim V]: whole numbers of channels on both sides. `torch.nn.utils.parametrize.remove_parametrizations`
    makes it an ordinary layer again.
    """
    table = table_between(V, U)
    out, in_ = table.channels
    rows, cols = table.rows, table.cols
    if linear.out_features % (out * rows) or linear.in_features % (in_ * cols):
        raise DomainError(
            f"the layer has {linear.in_features} inputs and {linear.out_features} outputs; they must be multiples of dim V = {in_ * cols} and dim U = {out * rows}"
        )
    channels = (linear.out_features // rows, linear.in_features // cols)
    weights = _ops.Weights(table, *channels, "automatic")
    nn.utils.parametrize.register_parametrization(linear, "weight", _Imposed(weights, table, channels, False))
    if linear.bias is not None:
        nn.utils.parametrize.register_parametrization(linear, "bias", _Imposed(weights, table, channels, True))
    return linear
