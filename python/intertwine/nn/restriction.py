"""Networks of a group that go on as networks of a subgroup, where they were."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from .. import DomainError, Group, Representation
from .._kinds import is_finite
from . import conv, transposed
from ._fields import FieldModule
from ._state import NamedState
from ._windows import axes_of
from .activation import Activation, SampledActivation
from .encoding import PositionalEncoding
from .linear import Linear, TiedModule
from .product import Bilinear, Embedding, PolynomialLayer, TensorProduct
from .relaxed import Relaxed, RelaxedLinear

__all__ = ["relax"]

# These layers commute with subgroups, too, and have no more parameters there, or few.
_KEPT = (FieldModule, Activation, SampledActivation, PositionalEncoding)
_HOOKS = (
    "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called", "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs", "_backward_hooks", "_backward_pre_hooks",
)  # fmt: skip


def relax(module: nn.Module, H: Group) -> nn.Module:
    """Makes a network of a group one of a subgroup: a copy with the same function, in which every layer has all weights
    that commute with H.

    Linear, convolutions and transposed ones, Bilinear, TensorProduct, PolynomialLayer and Embedding begin with the
    weights that they had. Normalisations, activations, dropout, pools and positional encodings commute with H as they
    are, and stay. The copy computes what the module computes, up to rounding, and training goes on from there with
    fewer constraints (Wang, Walters & Yu 2022 have the idea for convolutions). Optimizers want the new parameters.

    Parameters
    ----------
    module
        A layer, or a network with layers in it.
    H
        A subgroup of the groups of all its layers. A relaxed layer takes subgroups of the last group of its chain.

    Returns
    -------
    torch.nn.Module
        The copy.

    Raises
    ------
    DomainError
        If H is no subgroup, and for layers that have no form for H: those of continuous groups, of sets of every size,
        and of the table of a file.

    Notes
    -----
    Cost: the dense weights of one layer at a time, and the tables for H.

    Examples
    --------
    >>> import torch
    >>> from intertwine import Group
    >>> from intertwine.nn import Linear, relax
    >>> G = Group("D4")
    >>> R = G.rep("regular")
    >>> layer = Linear(R, R, dtype=torch.float64)
    >>> freer = relax(layer, G.subgroup(["(1,2,3,4)"]))
    >>> len(layer.theta), len(freer.theta)
    (8, 16)
    >>> x = torch.randn(5, 1, 8, dtype=torch.float64)
    >>> torch.allclose(layer(x), freer(x))
    True

    See Also
    --------
    RelaxedLinear, RelaxedConv2d : Layers with a penalty on what breaks the symmetry.
    """
    if not isinstance(H, Group):
        raise DomainError(f"H is a subgroup of the groups of the layers, not {H!r}")
    _require_own_parameters(module)
    memo: dict[int, nn.Module] = {}
    found: list[str] = []

    def of(layer: nn.Module, name: str) -> nn.Module:
        if id(layer) not in memo:
            rule = _rule_of(layer, name)
            if rule is None:
                memo[id(layer)] = layer
                for key, child in layer._modules.items():  # a module twice is named twice here
                    if child is not None:
                        layer._modules[key] = of(child, f"{name}.{key}" if name else key)
            else:
                memo[id(layer)] = _started(layer, rule(layer, H), name)
                found.append(name)
        return memo[id(layer)]

    result = of(copy.deepcopy(module), "")
    if not found:
        raise DomainError(
            f"there is no layer to relax in {type(module).__name__}: it has no Linear or Conv of intertwine.nn"
        )
    return result


def _require_own_parameters(module: nn.Module) -> None:
    """DomainError for a parameter of two layers, which would have two copies, and for one that is computed."""
    owner: dict[int, str] = {}
    seen: set[int] = set()
    for name, layer in module.named_modules():
        if isinstance(layer, NamedState) and id(layer) not in seen:
            seen.add(id(layer))
            if nn.utils.parametrize.is_parametrized(layer):
                raise DomainError(f"the layer {name or 'itself'} has parametrizations: remove them, and relax then")
            for p in layer.parameters(recurse=False):
                if id(p) in owner:
                    raise DomainError(f"the layers {owner[id(p)]} and {name} share a parameter: give each one its own")
                owner[id(p)] = name


def _rule_of(layer: nn.Module, name: str) -> Callable[[Any, Group], nn.Module] | None:
    """How the layer becomes one of H; None for what stays, and for containers of layers."""
    for kind, rule in _RULES.items():
        if isinstance(layer, kind):
            return rule
    ours = type(layer).__module__.startswith("intertwine.")
    if ours and not isinstance(layer, _KEPT) and any(True for _ in layer.parameters(recurse=False)):
        raise DomainError(
            f"{type(layer).__name__} {f'at {name} ' if name else ''}has no form for subgroups: relax takes layers of"
            " representations of finite groups"
        )
    return None


def _within(H: Group, *fields: Representation | None) -> list[Any]:
    """The representations restricted to H."""
    for V in fields:
        if V is not None and not is_finite(V):
            raise DomainError(f"{V} is of the group {V.group.name}, and relax takes layers of finite groups")
        if V is not None and not H.is_subgroup_of(V.group):
            raise DomainError(f"{H.name} is not a subgroup of {V.group.name} (on the same points)")
    return [None if V is None else V.restrict(H) for V in fields]


def _numbers(layer: Any) -> dict[str, Any]:
    return {"device": layer.theta.device, "dtype": layer.theta.dtype}


def _require_commuting(layer: nn.Module, H: Group) -> None:
    """DomainError for a relaxed layer that may have left the symmetry of H."""
    if isinstance(layer, Relaxed) and not H.is_subgroup_of(last := layer._chain[-1]):
        raise DomainError(f"the layer commutes with {last.name} only, and {H.name} is no subgroup of it")


def _linear(layer: Linear, H: Group) -> nn.Module:
    _require_commuting(layer, H)
    sides: Any = layer._pair if isinstance(layer, RelaxedLinear) else layer._sides
    if sides is None:
        raise DomainError("a layer of a table has no representations to restrict: build it as Linear(V, U)")
    V, U = _within(H, *sides)
    mode = "automatic" if layer.mode in ("diagram", "fft") else layer.mode  # which tables of H may not have
    bias = layer.bias is not None
    return Linear(V, U, layer.in_channels, layer.out_channels, bias, mode=mode, **_numbers(layer))


def _convolution(layer: conv._Conv, H: Group) -> nn.Module:
    _require_commuting(layer, H)
    V, U, axes = layer._types
    v, u = _within(H, V, U)
    axes = axes_of(V.group, H, layer.axes, axes)
    settings: dict[str, Any] = {name: getattr(layer, name) for name in ("kernel_size", "stride", "padding", "dilation")}
    kinds: Any
    if isinstance(layer, transposed._ConvTranspose):
        kinds = (transposed.ConvTranspose1d, transposed.ConvTranspose2d, transposed.ConvTranspose3d)
        settings["output_padding"] = layer.output_padding
    else:
        kinds = (conv.Conv1d, conv.Conv2d, conv.Conv3d)
        settings |= {"padding_mode": layer.padding_mode, "groups": layer.groups}
    settings |= {"bias": layer.bias is not None, "axes": axes, **_numbers(layer)}
    found: nn.Module = kinds[layer.axes - 1](v, u, layer.in_channels, layer.out_channels, **settings)
    return found


def _bilinear(layer: Bilinear, H: Group) -> nn.Module:
    V, W, U = _within(H, *layer._types)
    return Bilinear(V, W, U, *layer._channels, bias=layer.bias is not None, **_numbers(layer))


def _tensor_product(layer: TensorProduct, H: Group) -> nn.Module:
    V, W, U = _within(H, *layer._types)
    return TensorProduct(V, W, U, layer._channels[0], **_numbers(layer))


def _polynomials(layer: PolynomialLayer, H: Group) -> nn.Module:
    V, U = _within(H, *layer._types)
    settings: dict[str, Any] = {"bias": layer.bias is not None, **_numbers(layer)}
    return PolynomialLayer(V, U, layer.degrees, layer.in_channels, layer.out_channels, **settings)


def _embedding(layer: Embedding, H: Group) -> nn.Module:
    (V,) = _within(H, layer.V)
    return Embedding(layer.num_embeddings, V, layer.channels, device=layer.weight.device, dtype=layer.weight.dtype)


_RULES: dict[type, Callable[[Any, Group], nn.Module]] = {
    Linear: _linear, conv._Conv: _convolution, Bilinear: _bilinear, TensorProduct: _tensor_product,
    PolynomialLayer: _polynomials, Embedding: _embedding,
}  # fmt: skip


def _started(old: nn.Module, new: nn.Module, name: str) -> nn.Module:
    """The new layer with the weights of the old one."""
    if isinstance(old, Embedding) and isinstance(new, Embedding):
        lost = _same_vectors(old, new)
    else:
        assert isinstance(old, TiedModule) and isinstance(new, TiedModule)
        with torch.no_grad():
            W, b = old._matrix().double(), old.bias_vector()
            lost = new._project(W, None if b is None else b.double())
    if lost > 1e-5:  # theory says zero, and rounding gives 1e-16 or the precision of theta
        raise DomainError(f"the layer {name or 'itself'} does not commute with the subgroup: it loses {lost:.1e}")
    new.train(old.training)
    for key, parameter in new.named_parameters(recurse=False):
        source = getattr(old, key)
        parameter.requires_grad_(source.requires_grad)
    for key in _HOOKS:
        getattr(new, key).update(getattr(old, key))
    return new


def _same_vectors(old: Embedding, new: Embedding) -> float:
    """Coefficients of the same vectors among those that H fixes; what is lost of them."""

    def basis(layer: Embedding) -> Tensor:
        s = layer._structure
        units = torch.eye(s.invariants, dtype=torch.float64)
        return s.put([s.vectors(units, kind) for kind in s.kinds], -1)

    with torch.no_grad():
        vectors = old.weight.detach().to("cpu", torch.float64).transpose(1, 2) @ basis(old)
        coefficients = torch.linalg.lstsq(basis(new).T, vectors.flatten(0, 1).T).solution.T
        new.weight.copy_(coefficients.unflatten(0, vectors.shape[:2]).transpose(1, 2))
        lost = (coefficients @ basis(new) - vectors.flatten(0, 1)).norm() / vectors.norm().clamp(min=1e-300)
    return float(lost)
