"""The walk along the graph of a module: every node is read by its reader, and what a run knows of sizes is compared."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.fx
from torch import Tensor, nn

from .. import DomainError
from ._axes import FIXED, Dim, Mismatch, leaves, restrict
from ._module_readers import changed_by_hand, is_read, read_module
from ._probe import Probe
from ._read import Reader
from ._readers import call
from ._transformers import takes_two_sequences
from ._values import Restart, Stack, Value, fixed, values_in

__all__ = ["GraphReader", "read"]


def inputs_of(module: nn.Module) -> int:
    """How many tensors a layer by itself takes."""
    name = type(module).__name__
    if isinstance(module, nn.MultiheadAttention) or takes_two_sequences(module):
        return 3
    return 2 if isinstance(module, nn.Bilinear) or "Decoder" in name else 1


class GraphReader(Reader):
    """The readers of layers and of arithmetic, along the graph of a module."""

    _at = 0
    """The number in the graph of the node that is read."""
    _modes: list[tuple[list[bool], list[torch.fx.Node]]] | None = None

    def call_module(self, m: nn.Module, prefix: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return read_module(self, m, prefix, args, kwargs)

    def run(self, probe: Probe | None) -> None:
        module = self.module
        if changed := changed_by_hand(module):
            raise DomainError(f"{type(module).__name__} cannot be read: it has {changed}")
        if is_read(module):  # a layer by itself
            self.inputs = [Value(fresh=True) for _ in range(inputs_of(module))]
            try:
                self._finish(self.call_module(module, "", self.inputs, {}))
            except Mismatch as error:
                raise DomainError(f"{type(module).__name__} cannot be read: {error}") from None
            return
        try:
            graph = _Tracer().trace(module)
        except Exception as error:
            why = (str(error).splitlines() or [type(error).__name__])[0]
            what = f"torch.fx cannot trace {type(module).__name__}, whose forward depends on values of tensors or writes into them"
            raise DomainError(f"{what}: {why}") from error
        named = dict(module.named_modules())
        env: dict[torch.fx.Node, Any] = {}
        sizes = probe.sizes(graph, self.example) if probe is not None and self.example is not None else {}
        defaults = 0
        for self._at, node in enumerate(graph.nodes):
            args = torch.fx.map_arg(node.args, env.__getitem__)
            kwargs = torch.fx.map_arg(node.kwargs, env.__getitem__)
            try:
                if node.op == "placeholder":
                    if node.args and (self.example is None or defaults >= len(self.example)):
                        env[node] = node.args[0]
                    else:
                        env[node] = Value(fresh=True)
                        self.inputs.append(env[node])
                    defaults += 1
                elif node.op == "get_attr":
                    env[node] = self._attribute(str(node.target))
                elif node.op == "call_module":
                    env[node] = self.call_module(named[str(node.target)], f"{node.target}.", args, kwargs)
                elif node.op == "output":
                    self._finish(args[0])
                else:
                    env[node] = call(self, node.target, args, kwargs)
                self._sized(env.get(node), sizes.get(node))
                self._follow([args, kwargs], env.get(node))
            except (Mismatch, LookupError, TypeError, AttributeError) as error:
                what = (
                    str(error) if isinstance(error, Mismatch) else f"arguments that its reader does not take ({error})"
                )
                raise DomainError(
                    f"the node {node.name} of the graph ({_where(node, named)}) cannot be read: {what}"
                ) from None

    def in_modes(self, part: str, argument: Callable[[torch.fx.Node], Any]) -> list[tuple[Any, bool]]:
        if self._modes is None:
            self._modes = self._graphs_in_modes()
        modules = list(self.module.modules())
        number = next(k for k, m in enumerate(modules) if m is self.module.get_submodule(part))
        return [(argument(nodes[self._at]), mode[number]) for mode, nodes in self._modes]

    def _graphs_in_modes(self) -> list[tuple[list[bool], list[torch.fx.Node]]]:
        modules = list(self.module.modules())
        kept, found = [m.training for m in modules], []
        digits = [[bool(k >> j & 1) for k in range(1, len(modules) + 1)] for j in range(len(modules).bit_length())]
        try:
            for mode in [kept, *digits, *([not t for t in digit] for digit in digits)]:
                for m, training in zip(modules, mode):
                    m.training = training
                nodes = list(_Tracer().trace(self.module).nodes)
                found.append((mode, nodes))
        except Exception:  # a module that does not run in some of them
            return []
        finally:
            for m, training in zip(modules, kept):
                m.training = training
        shapes = [[(node.op, node.name, node.target) for node in nodes] for _, nodes in found]
        return found if all(shape == shapes[0] for shape in shapes) else []

    def _sized(self, given: Any, sizes: Any) -> None:
        """Sizes that a run of the module has: what a reader left open is known by them, and what it says otherwise is
        wrong."""
        if isinstance(given, (list, tuple)) and isinstance(sizes, (list, tuple)) and len(given) == len(sizes):
            for one, size in zip(given, sizes):
                self._sized(one, size)
        if not isinstance(given, Value) or isinstance(given, Stack) or not isinstance(sizes, torch.Size):
            return
        if given.fresh or given.parameter is not None:
            return
        if len(given.dims) > len(sizes) or (len(given.dims) < len(sizes) and not given.front):
            raise Mismatch(f"it has {len(sizes)} dimensions, and its reader finds {len(given.dims)}")
        for dim, size in zip(reversed(given.dims), reversed(sizes)):
            open_ = [leaf for leaf, _ in leaves(dim) if leaf.size is None]
            rest = math.prod(leaf.size for leaf, _ in leaves(dim) if leaf.size is not None)
            if len(open_) == 1 and rest and size % rest == 0:
                open_[0].size = size // rest
            elif not open_ and rest != size:
                raise Mismatch(f"a dimension of it has the size {size}, and its reader finds {rest}")

    def _follow(self, taken: Any, given: Any) -> None:
        passed_on = {name for v in values_in(given) for name, _ in v.shift + v.constant_along_keys}
        self.ends += [
            shift for v in values_in(taken) for shift in v.shift + v.constant_along_keys if shift[0] not in passed_on
        ]

    def is_gauge(self, name: str, dim: Dim) -> bool:
        """Is this part of a bias, which adds to keys, added to nothing else?"""
        own = leaves(dim)
        return self.parameters[name].uses == 1 and sum(n == name and leaves(d) == own for n, d in self.ends) <= 1

    def _attribute(self, name: str) -> Value:
        if name in self._tensors and name not in self._buffers:
            return Value(parameter=name)
        found: Any = operator.attrgetter(name)(self.module)
        if not isinstance(found, Tensor):
            return found  # type: ignore[no-any-return]
        return Value([fixed(size) for size in found.shape], buffer=name if name in self._buffers else None)

    def _finish(self, result: Any) -> None:
        if isinstance(result, Stack):  # tensors of unlike axes along one more: all of them stay
            for value in result.values:
                for dim in value.dims:
                    restrict(dim, FIXED)
            self.outputs.append(Value([fixed() for _ in range(len(result.values[0].dims) + 1)]))
        elif isinstance(result, Value):
            for dim in self.ready(result).dims:
                restrict(dim, self.end)
            self.outputs.append(result)
        elif isinstance(result, (tuple, list)):
            for part in result:
                self._finish(part)
        elif isinstance(result, dict):
            for part in result.values():
                self._finish(part)
        elif result is not None and not isinstance(result, (bool, int, float, complex, str)):
            raise Mismatch(f"the output is a {type(result).__name__}, not tensors")


class _Tracer(torch.fx.Tracer):
    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return is_read(m) or super().is_leaf_module(m, module_qualified_name)


def _where(node: torch.fx.Node, named: dict[str, nn.Module]) -> str:
    if node.op == "call_module":
        return f"the module {node.target}, {type(named[str(node.target)]).__name__}"
    stack = node.meta.get("nn_module_stack") or {}
    inside = f" in {list(stack)[-1]}" if stack else ""
    return f"{node.op} of {getattr(node.target, '__name__', node.target)}{inside}"


def read(module: nn.Module, io: str, example: Sequence[Any] | None, probe: Probe | None = None) -> GraphReader:
    joined: list[tuple[str, int, int]] = []
    while True:
        reader = GraphReader(module, io, example, joined)
        try:
            reader.run(probe)
        except Restart as found:
            if found.args[0] in joined:
                raise DomainError(
                    f"{found.args[0][0]} cannot be read: the pieces of it are told apart in ways that do not fit"
                ) from None
            joined.append(found.args[0])
        else:
            return reader
