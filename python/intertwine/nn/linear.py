"""Equivariant linear layers."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, overload

import numpy
import torch
from torch import Tensor, nn

from .. import DomainError, Hom, Representation, Table
from .._kinds import is_finite
from . import _linear, _ops
from ._fields import FieldType, one_group, require_like, require_tensor
from ._ragged import on_places
from ._state import NamedState, is_shared_out
from ._sums import Sums, parts_of, sum_table

__all__ = ["Linear"]

MODES = ("automatic", "fastest", "dense", "lookup", "implicit", "fft", "isotypic", "diagram", "torch")


@functools.lru_cache(maxsize=64)
def table_between(V: FieldType, U: FieldType, isotypic: bool = False) -> Table:
    """The table of V >> U, its channels and columns in the order of the coordinates of V, its rows in that of U. The
    last few are kept: a network has many layers of one kind."""
    if is_finite(V) and is_finite(U):
        return (in_order(V) >> in_order(U)).table(isotypic=isotypic, single=True)
    if isotypic:
        raise DomainError("mode='isotypic' is for representations of finite groups; leave it out")
    return (V >> U).table(single=True)


def tables_between(V: FieldType, U: FieldType, mode: str = "automatic") -> tuple[Table, Table | None]:
    """The table, and the same with isotypic blocks for the mode that needs them."""
    return table_between(V, U), table_between(V, U, True) if mode == "isotypic" else None


def tables_of(V: FieldType, U: FieldType, mode: str) -> tuple[Table, Table | None]:
    """The tables between any sums: tables of blocks where V or U has several parts."""
    one_group(V, U)
    if len(parts_of(V)) == 1 and len(parts_of(U)) == 1:
        return tables_between(V, U, mode)
    return sum_table(V, U), sum_table(V, U, True) if mode == "isotypic" else None


def site_of(V: Representation) -> tuple[int, Representation]:
    """What tables take out of V: the greatest common multiple of its summands, and what is left."""
    summands = [(m, R) for m, R in V.summands() if m and R.dimension]
    if not summands:
        return 1, V
    common = math.gcd(*(m for m, _ in summands))
    return common, functools.reduce(operator.add, (m // common * R if m > common else R for m, R in summands))


def in_order(V: Representation) -> Representation:
    """V, or the same matrices written so that tables keep their order.

    A table takes the greatest common multiple out of a sum: the columns of 2*perm + 2*sign are those of perm + sign in
    two channels, and those of 2*(perm + sign) + trivial have both perm first, where the coordinates are in another
    order. As one factor of a product the sum stays as it is.
    """
    common, site = site_of(V)
    taken = site if common == 1 else common * site
    if taken == V or all(taken.matrix(g) == V.matrix(g) for g in V.group.generators):
        return V
    return V * V.group.rep("trivial")


def _whole(t: Tensor) -> Tensor:
    """All of a tensor that is shared out between processes, which all have to ask."""
    whole: Tensor = t.full_tensor() if is_shared_out(t) else t  # type: ignore[attr-defined]
    return whole


def real(dtype: torch.dtype | None) -> torch.dtype:
    """The dtype of theta: by default that of PyTorch."""
    dtype = dtype or torch.get_default_dtype()
    if not dtype.is_floating_point:
        also = "; Linear, convolutions and products take complex ones" if dtype.is_complex else ""
        raise DomainError(f"theta is of a floating-point dtype, not {dtype}{also}")
    return dtype


class TiedModule(NamedState):
    """The common part of modules over one table: theta [P, out, in], bias [Q, out], their state and their start; over
    a table of blocks both are lists.

    The state has `theta`, `bias` and the table's digest.
    """

    _derived: tuple[str, ...] = ("_weights",)
    _weights: _ops.Weights | Sums
    _writes_weights = False  # does forward() hand W to PyTorch?
    _takes_complex = False

    def __init__(
        self,
        tables: tuple[Table, Table | None],
        in_channels: int,
        out_channels: int,
        bias: bool,
        mode: str,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
    ) -> None:
        super().__init__()
        self._set_channels(in_channels, out_channels)
        if mode not in MODES:
            raise DomainError(f"the mode {mode!r} is not known; modes are {', '.join(MODES)}")
        dtype = dtype if self._takes_complex and dtype is not None and dtype.is_complex else real(dtype)
        self.mode, (self.table, self._decomposed) = mode, tables
        self._connect()
        theta, shape = self._free()
        self._make_parameters(theta, shape if bias else None, device, dtype)

    def _connect(self) -> None:
        decomposed: Any = self._decomposed
        if not self.table.is_single:
            self._channel_axes = None
            self._weights = sums = Sums(self.table, self.out_channels, self.in_channels, self.mode, decomposed)
            self._shape = (sums.sizes[0], sums.sizes[1], *sums.channels)
            return
        out, in_ = self.table.channels
        self._weights = _ops.Weights(self.table, self.out_channels * out, self.in_channels * in_, self.mode, decomposed)
        M, N = self._weights.sizes[:2]
        # rows and columns of all copies in one channel, and how many copies the table sees
        self._shape = (M * out, N * in_, self.out_channels * out, self.in_channels * in_)

    def _on_device(self, device: torch.device) -> None:
        self._weights.on(device)

    def _free(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The shapes of theta and bias: by default those of the table."""
        return self._weights.theta_shape, self._weights.bias_shape

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None) -> None:
        """theta normal, of the variances for which inputs of variance 1 give outputs of variance gain^2 on average, in
        closed form from the sizes of the orbits; every orbit moves the output equally. The bias is zero."""
        self._start(numpy.sqrt(_linear.initial_variance(self._weights, gain)).tolist(), generator)

    def _coefficients(self) -> tuple[Tensor, Tensor | None]:
        """What the table's elements are multiplied by, for weights and bias."""
        return self.theta, self.bias

    def _matrix(self) -> Tensor:
        """W of all channels, differentiable."""
        return _linear.materialise(_whole(self._coefficients()[0]), self._weights)

    def bias_vector(self) -> Tensor | None:
        """b [out_channels dim U], differentiable in the bias."""
        bias = self._coefficients()[1]
        return None if bias is None else _linear.bias_vector(_whole(bias), self._weights)

    def _project(self, W: Tensor, b: Tensor | None) -> float:
        """Takes the theta and bias that are nearest to a matrix of all channels, and says which share of it is lost."""
        theta, residual, norm = _linear.project(W, self._weights)
        with torch.no_grad():
            self.theta.copy_(theta)
            if self.bias is not None and b is not None:
                bias, more, size = _linear.project(b, self._weights, bias=True)
                self.bias.copy_(bias)
                residual, norm = math.hypot(residual, more), math.hypot(norm, size)
        return residual / norm if norm else 0.0

    def _product(self, x: Tensor) -> Tensor:
        """W x + b [..., out_channels, rows] of x [..., in_channels, columns]."""
        theta, bias = self._coefficients()
        require_like(x, theta, "layer")
        if not is_shared_out(theta):
            return self._with(self._weights, x, theta, bias)
        from . import parallel

        whole = self._weights
        assert isinstance(whole, _ops.Weights)  # parameters of sums are not shared out
        copies = (self._shape[2] // self.out_channels, self._shape[3] // self.in_channels)
        return parallel.product(
            lambda x, theta, bias: self._with(whole.of(*theta.shape[1:]), x, theta, bias),
            x,
            theta,
            bias,
            (-2, -2),
            copies,
        )

    def _with(self, weights: _ops.Weights | Sums, x: Tensor, theta: Tensor, bias: Tensor | None) -> Tensor:
        """For the channels of these weights, all or some: copies that the table takes out are channels."""
        rows, _, out, in_ = self._shape
        if in_ == self.in_channels and out == self.out_channels:
            return _linear.linear(x, theta, bias, weights)
        y = _linear.linear(x.reshape(*x.shape[:-2], theta.shape[2], weights.sizes[1]), theta, bias, weights)
        return y.reshape(*y.shape[:-2], theta.shape[1] * weights.sizes[0] // rows, rows)

    @property
    def form(self) -> str:
        """How products run: on the CPU the form of the last one, "dense", "lookup", "implicit", "fft", "isotypic" or
        "diagram", empty before the first; "scalars" where all elements of the basis are identities; "dense" also where W is written down for PyTorch, by convolutions and in
        types of 16 bits; "torch" for plain PyTorch. On other devices who computes: "triton" or "torch". "diagram"
        wherever the mode, or the size of W, leaves no other. Forms of the blocks of a sum are joined by " + "."""
        theta: Tensor = self.theta.to_local() if is_shared_out(self.theta) else self.theta  # type: ignore[attr-defined]
        if isinstance(self._weights, Sums):
            blocks = [w for row in self._weights.rows for w in row if w is not None]
            return " + ".join(dict.fromkeys(form for w in blocks if (form := self._form_of(w, theta))))
        return self._form_of(self._weights.of(*theta.shape[1:]), theta)

    def _form_of(self, weights: _ops.Weights, theta: Tensor) -> str:
        if theta.is_complex() and weights.scalars is None:
            if _linear.writes_complex(weights):
                return "torch" if self.mode == "torch" else "dense"
            out, in_ = weights.theta_shape[1:]
            return self._form_of(weights.of(2 * out, 2 * in_), theta.real)
        if not self._writes_weights and weights.scalars is not None:
            return "scalars"
        if not self._writes_weights and weights.always_diagrams:
            return "diagram"
        if theta.device.type != "cpu" or self.mode == "torch":
            return _ops.who(weights.operands(theta), theta)
        if self._writes_weights or theta.element_size() < 4:
            return "dense"
        return "diagram" if weights.ran_diagrams else weights.plan.form

    # --- State ---------------------------------------------------------------------------------------------------------------

    @property
    def _digest(self) -> str:
        return self._weights.digest


class Linear(TiedModule):
    """y = W x + b with every equivariant W and b: W rho_V(g) = rho_U(g) W, rho_U(g) b = b for all g.

    Features are the coordinates of V and U, those that V.matrix(g) acts on.

    Parameters
    ----------
    V
        The type of x. Or a space of maps: Linear(V >> U) is Linear(V, U), and Linear(V.commutant()) commutes with V.
    U
        The type of y.
    in_channels, out_channels
        How many fields of type V go in, and of type U come out. If V is a multiple such as 16 * V1, its copies are
        channels too: in = 16 in_channels.
    bias
        Whether there is a b.
    mode
        "automatic" chooses between forms that give the same bits; "fastest" among all; "dense", "lookup", "implicit",
        "fft", "isotypic", "diagram" force one. "torch" is plain PyTorch, also on the CPU. On CUDA devices the kernels
        are Triton's for all modes but "diagram", and "dense" and "lookup" say whether W is written down; where there
        are none, plain PyTorch. Where the elements of the basis are identities, as Schur's lemma has them between
        irreducible representations of real type, "automatic" and "fastest" multiply by theta alone ("scalars" in
        `form`).
    device
        Of the parameters.
    dtype
        Of the parameters; complex ones too, for V and U of complex groups such as SU(2) or of any other. W is written
        down for PyTorch's product then, or the same tables multiply real numbers in twice the channels, in modes that
        name another form. Gradients have PyTorch's conventions.

    Attributes
    ----------
    theta
        [P, out, in]: a free out x in block for each of the P elements of the basis of Hom(V, U).
    bias
        [Q, out], for each of the Q invariant vectors of U.
    table
        The weight table. Sums of several multiplicities, 16*perm + 33*trivial, fall into parts [multiplicity,
        dimension], one after the other, and the layer has a block for each pair of parts:
        `table.inputs` and `table.outputs` say where the parts begin. theta and bias are lists then: the [P, out, in] of
        every block, those of the first part of y first, and the [Q, out] of every part of y, as files of blocks,
        `intertwine init` and `intertwine run` have them. Blocks without parameters cost nothing.

    Shape
    -----
    [..., in_channels, dim V] to [..., out_channels, dim U]; any number of leading dimensions, also none. A layer of one
    channel on both sides takes [..., dim V] too, and gives [..., dim U]. Nested tensors of the layout torch.jagged are
    taken too, place by place.

    Raises
    ------
    DomainError
        If V and U are of different groups, a representation is a character alone, or x has another shape.

    Notes
    -----
    Cost: as a dense product, or less; W is not kept. Threads are those of torch.get_num_threads(), one where a product
    should take less than 0.2 ms, and never change a bit of the library's forms.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Linear
    >>> V = Group("S4").rep("perm")
    >>> layer = Linear(V, V, 3, 8)
    >>> layer.theta.shape, layer.bias.shape                # the diagonal and all other entries; one bias for all
    (torch.Size([2, 8, 3]), torch.Size([1, 8]))
    >>> layer(torch.randn(5, 3, 4)).shape
    torch.Size([5, 8, 4])

    See Also
    --------
    Conv2d : Fields on a grid.
    Bilinear : Products of two fields.
    check_equivariance : Does any module commute?
    """

    _channel_axes: tuple[int, int] | None = (-2, -2)
    _takes_complex = True
    _sides: tuple[FieldType, FieldType] | None = None

    @overload
    def __init__(
        self, V: FieldType, U: FieldType, in_channels: int = 1, out_channels: int = 1, bias: bool = True, *, mode: str = "automatic",
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None: ...  # fmt: skip

    @overload
    def __init__(
        self, V: Hom, *, in_channels: int = 1, out_channels: int = 1, bias: bool = True, mode: str = "automatic",
        device: torch.device | str | None = None, dtype: torch.dtype | None = None,
    ) -> None: ...  # fmt: skip

    def __init__(
        self,
        V: FieldType | Hom,
        U: FieldType | None = None,
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        mode: str = "automatic",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        if isinstance(V, Hom):
            if U is not None:
                raise DomainError(f"{V!r} has its target already: Linear(V >> U, in_channels=…, out_channels=…)")
            U, V = V.target, V.source
        if U is None:
            raise DomainError(
                "Linear takes two representations, Linear(V, U), or the maps between them, Linear(V >> U)"
            )
        self._names, self._sides = (str(V), str(U)), (V, U)
        super().__init__(tables_of(V, U, mode), in_channels, out_channels, bias, mode, device, dtype)

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
        if not table.is_single:
            said, made = (" + ".join(f"{c} x {d}" for c, d, _ in side) for side in (table.inputs, table.outputs))
            layer._names = (said, made)
        else:
            layer._names = (table.metadata.get("rep_in", "?"), table.metadata.get("rep_out", "?"))
        TiedModule.__init__(
            layer, (table, table if mode == "isotypic" else None), in_channels, out_channels, bias, mode, device, dtype
        )
        return layer

    def forward(self, x: Tensor) -> Tensor:
        require_tensor(x)
        if x.is_nested:
            return on_places(self, x)
        taken = (self.in_channels, self._shape[1])
        if x.shape[-2:] == taken:
            return self._product(x)
        one = self.in_channels == self.out_channels == 1
        if one and x.shape[-1:] == taken[1:]:
            return self._product(x.unsqueeze(-2)).squeeze(-2)
        also = f", or [..., {taken[1]}]" if one else ""
        raise DomainError(
            f"the input has the shape {list(x.shape)}; this layer takes [..., {taken[0]}, {taken[1]}] (channels, dim V){also}"
        )

    def weight(self) -> Tensor:
        """W [out_channels dim U, in_channels dim V], differentiable in theta."""
        return self._matrix()

    def fold(self) -> nn.Linear:
        """An ordinary nn.Linear with the same weights, on inputs flattened to [..., in_channels dim V]."""
        return dense(nn.Linear, self.weight(), self.bias_vector())  # type: ignore[no-any-return]

    @classmethod
    def from_dense(
        cls,
        linear: nn.Linear,
        V: FieldType,
        U: FieldType,
        in_channels: int = 1,
        out_channels: int = 1,
        *,
        mode: str = "automatic",
    ) -> tuple[Linear, float]:
        """The equivariant layer nearest to a dense one, and how far that was: |W - W'| / |W|, the bias taken in
        (Frobenius norm).

        The dense layer acts on flattened inputs, as fold() makes it.
        """
        layer = cls(
            V,
            U,
            in_channels,
            out_channels,
            linear.bias is not None,
            mode=mode,
            device=linear.weight.device,
            dtype=linear.weight.dtype,
        )
        layer._fits(linear)
        return layer, layer._project(linear.weight, linear.bias)

    def _fits(self, linear: nn.Linear) -> None:
        """DomainError for a dense layer of other sizes."""
        (rows, cols), out, in_ = self._shape[:2], self.out_channels, self.in_channels
        if linear.weight.shape != (out * rows, in_ * cols):
            raise DomainError(
                f"the dense layer has a weight of {list(linear.weight.shape)}; {out} channels of dimension {rows} from {in_} of {cols}"
                f" need [{out * rows}, {in_ * cols}]"
            )

    # --- State ---------------------------------------------------------------------------------------------------------------

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        """Takes theta of a single table of the same sum too, as layers of sums without blocks had it."""
        single = self._single(state_dict.get(prefix + "_extra_state"))
        theta = state_dict.get(prefix + "theta")
        if single is not None and isinstance(theta, Tensor):
            bias = state_dict.get(prefix + "bias")
            theta, bias = self._of_single(single, theta, bias)
            state_dict = {**state_dict, prefix + "theta": theta, prefix + "_extra_state": self.get_extra_state()}
            if bias is not None:
                state_dict[prefix + "bias"] = bias
        super()._load_from_state_dict(state_dict, prefix, *arguments)

    def _single(self, name: Any) -> Table | None:
        """The one table of a sum, if this is its name and the layer has blocks."""
        if not isinstance(self._weights, Sums) or self._sides is None or not isinstance(name, Tensor):
            return None
        if torch.equal(name.cpu(), self.get_extra_state()):
            return None
        table = table_between(*self._sides)
        return table if bytes(name.cpu().to(torch.uint8).tolist()).hex() == table.sha256 else None

    def _of_single(self, table: Table, theta: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """theta and bias of the same W and b as those of the single table, in their dtype."""
        out, in_ = table.channels
        weights = _ops.Weights(table, self.out_channels * out, self.in_channels * in_, "automatic")
        W = _linear.materialise(theta.detach().to("cpu", torch.float64), weights)
        mine = _linear.project(W, self._weights)[0].to(theta)
        if bias is None:
            return mine, None
        b = _linear.bias_vector(bias.detach().to("cpu", torch.float64), weights)
        return mine, _linear.project(b, self._weights, bias=True)[0].to(bias)

    def extra_repr(self) -> str:
        P, Q = self._weights.sizes[2:]
        if isinstance(self._weights, Sums):
            channels = (
                f", {self.in_channels} -> {self.out_channels} channels" if self._weights.channels != (1, 1) else ""
            )
            bias = f", {Q} biases" if self.bias is not None else ", bias=False"
            return f"{self._names[0]} -> {self._names[1]}{channels}, {P} parameters{bias}, mode={self.mode!r}"
        bias = f", {Q} bias parameters" if self.bias is not None else ", bias=False"
        return f"{self._names[0]} -> {self._names[1]}, {self.in_channels} -> {self.out_channels} channels, {P} parameters a pair{bias}, mode={self.mode!r}"


def dense(
    kind: Any, W: Tensor, b: Tensor | None, *settings: Any, channels: Sequence[int] | None = None, **keywords: Any
) -> Any:
    """An ordinary layer of PyTorch, nn.Linear or a convolution, with this weight and bias. channels: of x and y, by
    default the second and the first axis of W."""
    layer = nn.utils.skip_init(
        kind,
        *(channels or (W.shape[1], W.shape[0])),
        *settings,
        bias=b is not None,
        device=W.device,
        dtype=W.dtype,
        **keywords,
    )
    with torch.no_grad():
        layer.weight.copy_(W)
        if b is not None:
            layer.bias.copy_(b)
    return layer
