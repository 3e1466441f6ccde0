"""A module at work on random numbers, in double precision and away from the module itself.

Nothing of the module changes: a copy of it, which shares its tensors and reads none of its parameters, computes with
others. Whatever it makes of single or half precision on the way is double as well, dropout is passed over, and what it
draws at random is the same in every run.
"""

from __future__ import annotations

import copy
import math
import types
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.fx
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _NormBase
from torch.overrides import TorchFunctionMode

__all__ = ["Probe", "State", "has_numbers", "tensors_in"]

State = dict[str, Tensor]
DROPOUTS = {
    F.dropout, F.dropout1d, F.dropout2d, F.dropout3d, F.alpha_dropout, F.feature_alpha_dropout, torch.dropout,
    torch.alpha_dropout, torch.feature_dropout, torch.feature_alpha_dropout,
}  # fmt: skip
CASTS = {Tensor.float, Tensor.half, Tensor.bfloat16}
CPU = torch.device("cpu")
ATOMS = (bool, int, float, str, type(None), type, torch.dtype, torch.device, types.FunctionType)
FACTORIES = {torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn, torch.eye, torch.linspace, torch.logspace}
WAYS = ("random", "positive", "near", "own", "example")
"""How parameters are drawn: at random; those of one dimension positive (for logarithms and powers); near the module's
own; these themselves; these and the numbers of example inputs, each changed by up to a tenth."""
SITES = (
    6,
    8,
    12,
    16,
    3,
    4,
    5,
    7,
    9,
    10,
    11,
    13,
    14,
    15,
    *range(17, 65),
    96,
    112,
    128,
    160,
    192,
    224,
    256,
    299,
    384,
    512,
)
"""Sizes of dimensions about which a module says nothing, in the order in which they are tried."""


class _InDouble(TorchFunctionMode):
    """All floating point in double precision, and no dropout."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func in DROPOUTS:
            return args[0] if args else kwargs["input"]
        if func in CASTS:
            return args[0].double()
        if func in FACTORIES:
            kwargs.setdefault("dtype", torch.float64)
        if func is F.scaled_dot_product_attention:
            kwargs |= dict(zip(("attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa"), args[3:])) | {
                "dropout_p": 0.0
            }
            args = args[:3]
        return func(*(_doubled(a) for a in args), **{name: _doubled(a) for name, a in kwargs.items()})


def _doubled(a: Any) -> Any:
    if isinstance(a, Tensor):
        return a.double() if a.dtype.is_floating_point and a.dtype != torch.float64 else a
    if isinstance(a, torch.dtype):
        return torch.float64 if a.is_floating_point else a
    return type(a)(_doubled(b) for b in a) if type(a) in (tuple, list) else a


def tensors_in(y: Any) -> list[Tensor]:
    """The tensors of an output, in order."""
    if isinstance(y, Tensor):
        return [y]
    return [
        t
        for part in (y.values() if isinstance(y, Mapping) else y if isinstance(y, (list, tuple)) else ())
        for t in tensors_in(part)
    ]


class _Sizes(torch.fx.Interpreter):
    """Runs a graph and notes what sizes its nodes give."""

    def __init__(self, module: nn.Module, graph: torch.fx.Graph) -> None:
        super().__init__(module, graph=graph)
        self.found: dict[torch.fx.Node, Any] = {}

    def run_node(self, n: torch.fx.Node) -> Any:
        given = super().run_node(n)
        self.found[n] = torch.utils._pytree.tree_map(lambda t: t.shape if isinstance(t, Tensor) else None, given)
        return given


class _Traced(nn.Module):
    def __init__(self, module: nn.Module, graph: torch.fx.Graph) -> None:
        super().__init__()
        self.module, self.sizes = module, _Sizes(module, graph)

    def forward(self, *x: Any) -> Any:
        return self.sizes.run(*x)


def _copied(module: nn.Module, shared: dict[int, Any]) -> nn.Module:
    """A module that shares these tensors with this one, and nothing else that can be copied.

    What cannot be copied (a lock, a generator, a list with a tensor that has a history) is shared too.
    """
    known, modules, parts = dict(shared), list(module.modules()), ("_parameters", "_buffers", "_modules")
    for m in modules:
        known[id(m)] = object.__new__(type(m))
    for m in modules:
        own = known[id(m)].__dict__
        own |= vars(m) | {name: copy.copy(vars(m)[name]) for name in parts}
        own["_modules"] |= {name: known[id(part)] for name, part in m._modules.items() if part is not None}
        for name, value in vars(m).items():
            if name in parts or isinstance(value, ATOMS):
                continue
            memo: ChainMap[int, Any] = ChainMap({}, known)
            try:
                own[name] = copy.deepcopy(value, memo)  # type: ignore[arg-type]
            except Exception:  # what is half copied is in the first map alone
                continue
            known |= memo.maps[0]
    return known[id(module)]  # type: ignore[no-any-return]


def _double(x: Tensor) -> torch.dtype | None:
    return torch.complex128 if x.dtype.is_complex else torch.float64 if x.dtype.is_floating_point else None


def _near(x: Tensor, choose: torch.Generator) -> Tensor:
    """Numbers of the same signs, each changed by up to a tenth."""
    return x * (0.9 + 0.2 * torch.rand(x.shape, generator=choose, device=CPU, dtype=torch.float64))


def has_numbers(example: Sequence[Any]) -> bool:
    """Have example inputs numbers of their own, or were they made for their shapes alone?"""
    tensors = [x for x in example if isinstance(x, Tensor) and x.device.type != "meta" and x.numel() > 1]
    floating = [x for x in tensors if _double(x)]
    return bool(floating) and all(bool((x != x.flatten()[0]).any()) for x in floating)


class Probe:
    """Draws parameters and inputs of a module, and runs it on them."""

    def __init__(self, module: nn.Module) -> None:
        own = {
            id(t): t
            for m in module.modules()
            for t in (*m._parameters.values(), *m._buffers.values(), *vars(m).values())
            if isinstance(t, Tensor)
        }
        self.module = _copied(module, own)
        self.parameters, self.buffers = dict(module.named_parameters()), dict(module.named_buffers())
        self.device = next((t.device for t in own.values() if t.device.type != "meta"), CPU)
        self.statistics: dict[str, bool] = {}
        """Buffers that a training norm has from its inputs, and whether they are positive."""
        for name, m in self.module.named_modules():
            if isinstance(m, (nn.MultiheadAttention, nn.RNNBase)):
                m.dropout = 0.0
            if isinstance(m, _NormBase) and m.running_mean is not None:
                self.statistics |= {
                    f"{name}{'.' if name else ''}running_{what}": what == "var" for what in ("mean", "var")
                }

    @property
    def trains_norms(self) -> bool:
        return any(
            isinstance(m, _NormBase) and m.training and m.running_mean is not None for m in self.module.modules()
        )

    def with_statistics(self) -> Probe:
        """The same module with its norms as after training."""
        other = copy.copy(self)
        other.module = _copied(self.module, {id(t): t for t in (*self.parameters.values(), *self.buffers.values())})
        for m in other.module.modules():
            if isinstance(m, _NormBase):
                m.eval()
        return other

    def state(self, seed: int, way: str) -> State:
        """Parameters in double precision, of such a size that numbers neither grow nor vanish from layer to layer, and
        buffers."""
        choose = torch.Generator().manual_seed(seed)
        state = {name: self._parameter(p, choose, way).to(self.device) for name, p in self.parameters.items()}
        for name, b in self.buffers.items():
            if name in self.statistics:
                drawn = torch.rand(b.shape, generator=choose, device=CPU, dtype=torch.float64)
                state[name] = (drawn + 0.5 if self.statistics[name] else 2 * drawn - 1).to(self.device)
            elif b.device.type == "meta":
                state[name] = torch.zeros(b.shape, dtype=b.dtype, device=self.device)
            else:
                state[name] = b.detach().double() if b.dtype.is_floating_point else b.detach()
        return state

    @staticmethod
    def _parameter(p: Tensor, choose: torch.Generator, way: str) -> Tensor:
        real = torch.complex128 if p.dtype.is_complex else torch.float64
        drawn = torch.randn(p.shape, generator=choose, device=CPU, dtype=real)
        if way in ("near", "own", "example") and p.device.type != "meta":
            own = p.detach().cpu().to(real)
            if way == "example":
                return _near(own, choose)
            return own if way == "own" else own * (1 + 0.2 * drawn) + 0.05 * drawn
        if p.dim() < 2:
            size = torch.rand(p.shape, generator=choose, device=CPU, dtype=torch.float64) + 0.5
            return size.to(real) if way == "positive" else size * (1 - 2 * (drawn.real < 0).to(real))
        return drawn * (1.4 / math.sqrt(max(1, math.prod(p.shape[1:]))))

    def inputs(self, seed: int, like: Sequence[Any], rows: Mapping[int, int], way: str = "random") -> list[Any]:
        """Random tensors of these shapes and kinds. rows: from how many rows of a table an input chooses; other
        integers keep their values."""
        choose = torch.Generator().manual_seed(1000 + seed)

        def draw(k: int, x: Any) -> Any:
            if not isinstance(x, Tensor) or x.dtype == torch.bool:
                return x
            if way == "example" and k not in rows and x.device.type != "meta":
                drawn = _near(x.detach().cpu().to(double), choose) if (double := _double(x)) else x
            elif x.dtype.is_floating_point or x.dtype.is_complex:
                drawn = torch.randn(
                    x.shape,
                    generator=choose,
                    device=CPU,
                    dtype=torch.complex128 if x.dtype.is_complex else torch.float64,
                )
            elif k in rows:
                drawn = torch.randint(rows[k], x.shape, generator=choose, device=CPU, dtype=x.dtype)
            else:
                return x if x.device.type != "meta" else torch.zeros(x.shape, dtype=x.dtype, device=CPU)
            return drawn.to(self.device)

        return [draw(k, x) for k, x in enumerate(like)]

    def run(self, state: Mapping[str, Tensor], inputs: Sequence[Any]) -> list[Tensor]:
        return [t.detach() for t in tensors_in(self._call(self.module, state, inputs))]

    def sizes(self, graph: torch.fx.Graph, example: Sequence[Any]) -> dict[torch.fx.Node, Any]:
        """The sizes of what every node of a graph gives; none where the module does not run on such inputs."""
        for way in WAYS:
            try:
                traced = _Traced(self.module, graph)
                state = {f"module.{name}": t for name, t in self.state(0, way).items()}
                self._call(traced, state, self.inputs(0, example, {}))
                return traced.sizes.found
            except Exception:
                continue
        return {}

    def _call(self, module: nn.Module, state: Mapping[str, Tensor], inputs: Sequence[Any]) -> Any:
        prefix = len("module.") if isinstance(module, _Traced) else 0
        own = {name: t.clone() if name[prefix:] in self.buffers else t for name, t in state.items()}
        devices = [self.device] if self.device.type == "cuda" else []
        with torch.random.fork_rng(devices=devices), torch.no_grad(), self.device, _InDouble():
            torch.random.set_rng_state(torch.Generator().manual_seed(0).get_state())
            for device in devices:
                torch.cuda.set_rng_state(torch.Generator(device).manual_seed(0).get_state(), device)
            return torch.func.functional_call(module, own, tuple(inputs))

    def likely_inputs(self, known: Sequence[tuple[Sequence[int | None], bool, bool]]) -> Iterator[list[Tensor]]:
        """Inputs to try where nobody gave any. known: of each input the sizes as far as a reader found them, whether
        there may be more dimensions before these, and whether it picks rows of a table."""
        for size in SITES:
            yield [
                torch.zeros(
                    [2] * more
                    + [s if s is not None else 2 if k == 0 and not more else size for k, s in enumerate(sizes)],
                    dtype=torch.int64 if picks else torch.float64,
                )
                for sizes, more, picks in known
            ]
