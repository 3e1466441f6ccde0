"""Modules of e3nn as layers of Intertwine, with their weights. e3nn itself is never imported: its modules say what they
are."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ... import DomainError, Group, Representation
from .gate import Norms
from .harmonics import SphericalHarmonics
from .linear import Linear
from .norm import BatchNorm
from .product import TensorProduct

__all__ = ["from_e3nn"]

Blocks = list[tuple[int, int, int]]  # copies, degree, parity


def from_e3nn(module: Any) -> Any:
    """The layer of Intertwine with the weights of a module of e3nn, or a model with all of them replaced.

    o3.Linear, o3.TensorProduct with all instructions and its fully connected, full and elementwise forms,
    o3.SphericalHarmonics, o3.Norm of squares, nn.Gate, nn.Activation, nn.BatchNorm, nn.FullyConnectedNet and
    nn.Identity are moved. They take and give the same tensors; in float64 results are equal to 1e-12. o3.Irreps and
    o3.Irrep become a representation of O(3).

    Any other module is copied, and the modules of e3nn in it are replaced. Functions that its code calls, such as
    o3.spherical_harmonics, stay.

    Parameters
    ----------
    module
        A module of e3nn, a model made of some, or irreps.

    Returns
    -------
    nn.Module | Representation
        With weights, buffers, dtype and mode of the module.

    Raises
    ------
    DomainError
        If a module of e3nn has no counterpart: its path, its class and the reason.

    Notes
    -----
    e3nn rounds couplings to the type that is the default when a module is built. A module built in float32 and moved to
    float64 later differs from its copy here by 1e-7.

    Examples
    --------
    >>> from e3nn import o3  # doctest: +SKIP
    >>> from_e3nn(o3.Linear("8x0e + 4x1o", "16x0e + 2x1o"))  # doctest: +SKIP
    Linear(8*trivial + 4*vector -> 16*trivial + 2*vector, 136 weights)
    """
    name = _class(module)
    if name in ("e3nn.o3.Irreps", "e3nn.o3.Irrep"):
        return _representation(_blocks(module if name.endswith("Irreps") else [(1, module)]), "the irreps")
    if not isinstance(module, nn.Module):
        raise DomainError(f"from_e3nn takes a module or irreps of e3nn, not {type(module).__name__}")
    return _moved(module, "the module")


def _class(module: Any) -> str:
    """e3nn.o3.Linear and so on, by the first class of e3nn that a module derives from; empty for others."""
    for kind in type(module).__mro__:
        parts = kind.__module__.split(".")
        if parts[0] == "e3nn" and len(parts) > 1 and parts[1] in ("o3", "nn") and "models" not in parts:
            return f"e3nn.{parts[1]}.{kind.__name__}"
    return ""


def _moved(module: nn.Module, path: str) -> nn.Module:
    if isinstance(module, torch.jit.ScriptModule):
        raise DomainError(f"{path} is compiled by TorchScript; from_e3nn takes modules that are not")
    name = _class(module)
    if name:
        make = _KNOWN.get(name)
        if make is None:
            raise DomainError(f"{path} is {name}, and from_e3nn has no counterpart for it")
        found: nn.Module = make(module, path)
        return found.train(module.training)
    own = copy.copy(module)
    own.__dict__ = dict(module.__dict__)
    children = {
        key: None if child is None else _moved(child, f"{path}.{key}") for key, child in module._modules.items()
    }
    parameters = {
        key: None if p is None else nn.Parameter(p.detach().clone(), p.requires_grad)
        for key, p in module._parameters.items()
    }
    buffers = {key: None if b is None else b.detach().clone() for key, b in module._buffers.items()}
    own.__dict__.update(_modules=children, _parameters=parameters, _buffers=buffers)
    return own


# --- Irreps ----------------------------------------------------------------------------------------------------------


def _blocks(irreps: Any) -> Blocks:
    return [(int(mul), int(ir.l), int(ir.p)) for mul, ir in irreps]


def _word(degree: int, parity: int) -> str:
    return f"{degree}{'e' if parity == 1 else 'o'}"


def _representation(blocks: Blocks, path: str) -> Representation:
    words = [f"{mul}x{_word(l, p)}" for mul, l, p in blocks if mul]
    if not words:
        raise DomainError(f"{path} has features without components, which no representation has")
    return Group("O(3)").rep(" + ".join(words))


def _numbers(blocks: Blocks) -> dict[int, int]:
    """The number of each block among those that have copies."""
    kept = [n for n, block in enumerate(blocks) if block[0]]
    return {n: k for k, n in enumerate(kept)}


def _weights(layer: nn.Module, module: Any, names: Sequence[str]) -> None:
    with torch.no_grad():
        for name in names:
            own, theirs = getattr(layer, name), getattr(module, name, None)
            if own is not None and theirs is not None:
                own.copy_(theirs)
                own.requires_grad_(theirs.requires_grad)


def _like(module: nn.Module) -> dict[str, Any]:
    own = next((t for t in (*module.parameters(), *module.buffers()) if t.is_floating_point() and t.numel()), None)
    return {} if own is None else {"dtype": own.dtype, "device": own.device}


# --- Modules ---------------------------------------------------------------------------------------------------------


def _linear(module: Any, path: str) -> nn.Module:
    if not module.internal_weights and module.weight_numel:
        raise DomainError(
            f"{path} is an o3.Linear that takes its weights in forward; from_e3nn moves those with own ones"
        )
    if module.weight_numel and module.weight.dim() > 1:
        raise DomainError(f"{path} is an o3.Linear with f_in and f_out, axes that no layer here has")
    source, target = _blocks(module.irreps_in), _blocks(module.irreps_out)
    i, k = _numbers(source), _numbers(target)
    pairs = [one for one in module.instructions if one.i_in >= 0 and one.i_in in i and one.i_out in k]
    biased = {one.i_out for one in module.instructions if one.i_in < 0}
    scalars = {n for n, (mul, l, p) in enumerate(target) if mul and (l, p) == (0, 1)}
    if biased and not scalars <= biased:
        raise DomainError(
            f"{path} is an o3.Linear with biases of some scalars; from_e3nn moves those of all or of none"
        )
    layer = Linear(
        _representation(source, path), _representation(target, path),
        instructions=[(i[one.i_in], k[one.i_out]) for one in pairs], bias=bool(biased & scalars), **_like(module),
    )  # fmt: skip
    layer._factors = layer._own_factors = [float(one.path_weight) for one in pairs]
    _weights(layer, module, ["weight", "bias"] if layer.bias is not None else ["weight"])
    return layer


def _product(module: Any, path: str) -> nn.Module:
    types = [_blocks(getattr(module, name)) for name in ("irreps_in1", "irreps_in2", "irreps_out")]
    numbers = [_numbers(blocks) for blocks in types]
    instructions = [
        (*(n[at] for n, at in zip(numbers, one[:3])), one.connection_mode, one.has_weight, float(one.path_weight) ** 2)
        for one in module.instructions
        if all(at in n for n, at in zip(numbers, one[:3]))
    ]
    V, W, U = (_representation(blocks, path) for blocks in types)
    layer = TensorProduct(
        V, W, U, instructions, irrep_normalization="none", path_normalization="none",
        internal_weights=module.internal_weights and module.weight_numel > 0, shared_weights=module.shared_weights,
        **_like(module),
    )  # fmt: skip
    _weights(layer, module, ["weight"] if layer.weight is not None else [])
    return layer


def _harmonics(module: Any, path: str) -> nn.Module:
    degrees = [int(l) for l in module._ls_list]
    harmonics = SphericalHarmonics(max(degrees), module.normalize, module.normalization)
    if degrees == list(range(max(degrees) + 1)):
        return harmonics
    return nn.Sequential(harmonics, _Select([n for l in degrees for n in range(l * l, (l + 1) ** 2)]))


def _norm(module: Any, path: str) -> nn.Module:
    if not module.squared:
        raise DomainError(
            f"{path} is an o3.Norm, which has no second derivative at 0; put nn.geometric.Norms(V) there by hand, which"
            ' has one and other values near 0, or Norms(V, "square")'
        )
    return Norms(_representation(_blocks(module.irreps_in), path), "square")


def _batch_norm(module: Any, path: str) -> nn.Module:
    bias = bool(getattr(module, "include_bias", True))
    layer = BatchNorm(
        _representation(_blocks(module.irreps), path), eps=module.eps, momentum=module.momentum, affine=module.affine,
        bias=bias, reduce=module.reduce, instance=module.instance, normalization=module.normalization, **_like(module),
    )  # fmt: skip
    _weights(layer, module, ["running_mean", "running_var", *(["weight"] if module.affine else [])])
    _weights(layer, module, ["bias"] if module.affine and bias else [])
    return layer


class _Scaled(nn.Module):
    """A function times a number: e3nn's normalize2mom."""

    def __init__(self, act: Any) -> None:
        super().__init__()
        self.f: Callable[[Tensor], Tensor] = getattr(act, "f", act)
        self.factor = 1.0 if getattr(act, "_is_id", False) else float(getattr(act, "cst", 1.0))

    def forward(self, x: Tensor) -> Tensor:
        y = self.f(x)
        return y if self.factor == 1 else y * self.factor

    def extra_repr(self) -> str:
        return f"{getattr(self.f, '__name__', type(self.f).__name__)}, times {self.factor:g}"


class _Select(nn.Module):
    """Some components of flat features, in some order."""

    def __init__(self, places: Sequence[int]) -> None:
        super().__init__()
        self.places = list(places)

    def forward(self, x: Tensor) -> Tensor:
        return x.index_select(-1, torch.tensor(self.places, dtype=torch.int64, device=x.device))

    def extra_repr(self) -> str:
        return f"{len(self.places)} components"


class _Scalars(nn.Module):
    """Functions of ranges of components: e3nn's Activation. The others stay."""

    def __init__(self, sizes: Sequence[int], functions: Sequence[Any]) -> None:
        super().__init__()
        self.sizes = list(sizes)
        self.functions = nn.ModuleList(nn.Identity() if f is None else _Scaled(f) for f in functions)

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[-1] != sum(self.sizes):
            raise DomainError(f"x has the shape {list(x.shape)}; this layer takes [..., {sum(self.sizes)}]")
        return torch.cat([f(part) for f, part in zip(self.functions, x.split(self.sizes, -1))], -1)


class _Gate(nn.Module):
    """e3nn's Gate: scalars, gates and gated components lie in sorted order in the input."""

    def __init__(
        self, scalars: _Scalars, gates: _Scalars, places: Sequence[Sequence[int]], copies: Sequence[int]
    ) -> None:
        super().__init__()
        self.scalars, self.gates = scalars, gates
        self.places = [list(some) for some in places]  # of scalars, gates and gated components
        self.copies = list(copies)  # for every gated component the number of its gate

    def forward(self, x: Tensor) -> Tensor:
        size = sum(map(len, self.places))
        if x.dim() < 1 or x.shape[-1] != size:
            raise DomainError(f"x has the shape {list(x.shape)}; this layer takes [..., {size}]")
        index = [torch.tensor(some, dtype=torch.int64, device=x.device) for some in (*self.places, self.copies)]
        scalars, gates, gated = (x.index_select(-1, some) for some in index[:3])
        found = [self.scalars(scalars)] if self.places[0] else []
        if self.places[2]:
            found.append(gated * self.gates(gates).index_select(-1, index[3]))
        return torch.cat(found, -1)


def _activation(module: Any, path: str) -> _Scalars:
    sizes = [mul * (2 * int(ir.l) + 1) for mul, ir in module.irreps_in]
    return _Scalars(sizes, list(module.acts))


def _gate(module: Any, path: str) -> nn.Module:
    source = _blocks(module.irreps_in)
    # The summands of the three outputs, in the sorted input: where the cut takes them from, before it is simplified.
    cut = module.sc.cut
    inside = _blocks(cut.irreps_in)
    starts, at = [], 0
    for mul, l, _ in inside:
        starts.append(at)
        at += mul * (2 * l + 1)
    if at != sum(mul * (2 * l + 1) for mul, l, _ in source):
        raise DomainError(f"{path} is an nn.Gate whose summands are not understood")
    places = []
    for which in cut.instructions:
        places.append([n for k in which for n in range(starts[k], starts[k] + inside[k][0] * (2 * inside[k][1] + 1))])
    copies, gate = [], 0
    for mul, l, _ in _blocks(module.irreps_gated):
        for _ in range(mul):
            copies += [gate] * (2 * l + 1)
            gate += 1
    return _Gate(_activation(module.act_scalars, path), _activation(module.act_gates, path), places, copies)


class _Dense(nn.Module):
    """A layer of e3nn's FullyConnectedNet, with its scales."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.weight = nn.Parameter(layer.weight.detach().clone(), layer.weight.requires_grad)
        over = layer.h_in * layer.var_in
        self.before = (over if layer.act is not None else over / layer.var_out) ** -0.5
        self.act = None if layer.act is None else _Scaled(layer.act)
        self.after = 1.0 if layer.act is None else float(layer.var_out) ** 0.5

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = x @ (self.weight * self.before)
        return y if self.act is None else self.act(y) * self.after

    def extra_repr(self) -> str:
        return f"{self.weight.shape[0]}, {self.weight.shape[1]}"


def _dense(module: Any, path: str) -> nn.Module:
    return nn.Sequential(*(_Dense(layer) for layer in module))


_KNOWN: dict[str, Callable[[Any, str], nn.Module]] = {
    "e3nn.o3.Linear": _linear,
    "e3nn.o3.TensorProduct": _product,
    "e3nn.o3.FullyConnectedTensorProduct": _product,
    "e3nn.o3.FullTensorProduct": _product,
    "e3nn.o3.ElementwiseTensorProduct": _product,
    "e3nn.o3.SphericalHarmonics": _harmonics,
    "e3nn.o3.Norm": _norm,
    "e3nn.nn.Gate": _gate,
    "e3nn.nn.Activation": _activation,
    "e3nn.nn.BatchNorm": _batch_norm,
    "e3nn.nn.FullyConnectedNet": _dense,
    "e3nn.nn.Identity": lambda module, path: nn.Identity(),
}
