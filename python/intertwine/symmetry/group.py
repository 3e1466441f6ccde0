"""The group that moves the parameters of a network and leaves what it computes."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .. import DomainError, Group, Permutation, Representation
from ._axes import FIXED, KINDS, LINEAR, ORTHOGONAL, PERMUTATION, SIGNED, Axis, Dim, Mismatch, leaves, over_of
from ._graph import GraphReader, read
from ._probe import Probe
from ._values import Value
from ._verify import Check
from .elements import IDENTITIES, Element, Factor, Leaf, Part, Port, Slice, act_on_block, same_memory, tied

__all__ = ["ParameterGroup", "parameter_group"]


class ParameterGroup:
    """The group of all products of its factors. Made by parameter_group.

    It acts on the left on state dicts: act(g * h, state) = act(g, act(h, state)). Numbers are 0-based.
    """

    def __init__(
        self, factors: Sequence[Factor], blocks: Sequence[Slice], gauge: Sequence[Slice], shapes: Mapping[str, tuple[int, ...]],
        inputs: Sequence[Port], outputs: Sequence[Port], io: str, space: Sequence[Slice], tied: Mapping[str, str],
        while_training: Sequence[tuple[Slice, str]] = (),
    ) -> None:  # fmt: skip
        self._all = tuple(factors)
        self.slices = tuple(blocks)
        """All blocks of parameters that something moves."""
        self.gauge = tuple(gauge)
        """Blocks of parameters whose exact gradient is zero, whatever the data and the mode: the key biases of softmax
        attention, and biases before a normalisation that always subtracts the mean of every channel, with the running
        mean that follows them if it keeps one."""
        self._while_training = tuple(while_training)
        self.shapes = dict(shapes)
        self.inputs, self.outputs, self.io = tuple(inputs), tuple(outputs), io
        self._whole, self._tied = tuple(space), dict(tied)
        self.corrected: tuple[str, ...] = ()
        """Factors that were read from the graph and failed on random numbers, and the kind of each that is in the group
        instead: there a reader is wrong."""

    @property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(f for f in self._all if f.kind != "fixed")

    @property
    def order(self) -> int | float:
        """The number of elements; math.inf if a factor is infinite."""
        orders = [f.order for f in self._all]
        return math.inf if math.inf in orders else math.prod(int(n) for n in orders)

    def __repr__(self) -> str:
        order = self.order
        if order != math.inf and order > 10**100:  # wide layers: Python writes no integers of more than 4300 digits
            digits = math.floor(math.log10(order))
            shown = f"about {10 ** (math.log10(order) - digits):.2f}e{digits}"
        else:
            shown = str(order)
        return f"<ParameterGroup {' x '.join(map(str, self.factors)) or '1'}, order {shown}, io {self.io}>"

    def gauge_of(self, module: nn.Module) -> tuple[Slice, ...]:
        """The blocks whose exact gradient is zero in the mode of this module: `gauge`, and where a BatchNorm is in
        training mode the biases right before it, with the running means that follow them. A bias whose layer gives its
        output to something else as well is none of them. So is F.batch_norm read where its argument `training` is the
        mode of the module that has the running mean; where it depends on something else nothing is said."""
        return self.gauge + tuple(s for s, norm in self._while_training if module.get_submodule(norm).training)

    def _lowered(self, kinds: Sequence[int]) -> ParameterGroup:
        """The subgroup in which every factor, those that only count copies included, is of no larger kind than this."""
        kept = [
            min(KINDS.index(f.kind), kind) if f.size > 1 or kind > PERMUTATION else FIXED
            for f, kind in zip(self._all, kinds)
        ]
        there = [any(kept[j] and k in (j, *f.over) for j, f in enumerate(self._all)) for k in range(len(self._all))]
        number = {k: sum(there[:k]) for k in range(len(there)) if there[k]}

        def axes(dims: Sequence[Sequence[Leaf]]) -> tuple[tuple[Leaf, ...], ...]:
            known = {None: None} | number
            return tuple(tuple(replace(leaf, factor=known.get(leaf.factor)) for leaf in dim) for dim in dims)

        def cut(blocks: Sequence[Slice]) -> list[Slice]:
            return [replace(s, dims=axes(s.dims)) for s in blocks]

        def ports(ends: Sequence[Port]) -> list[Port]:
            def port(p: Port) -> Port:
                return Port(tuple((k, tuple((piece, axes([dim])[0]) for piece, dim in blocks)) for k, blocks in p.dims))

            return [port(p) for p in ends]

        factors = []
        for k, f in enumerate(self._all):
            if there[k]:
                over = tuple(number[j] for j in f.over if there[j])
                copies = math.prod(self._all[j].size for j in f.over if there[j])
                factors.append(Factor(KINDS[kept[k]], f.size, over, copies, tuple(cut(f.slices))))
        moved = [s for s in cut(self.slices) if any(leaf.factor is not None for dim in s.dims for leaf in dim)]
        training = list(zip(cut([s for s, _ in self._while_training]), [norm for _, norm in self._while_training]))
        inputs, outputs = ports(self.inputs), ports(self.outputs)
        return ParameterGroup(
            factors,
            moved,
            cut(self.gauge),
            self.shapes,
            inputs,
            outputs,
            self.io,
            cut(self._whole),
            self._tied,
            training,
        )

    @functools.cached_property
    def permutations(self) -> ParameterGroup:
        """The subgroup of all elements that permute and do nothing else, whose order is finite. They act by its own
        `act`."""
        return self._lowered([PERMUTATION] * len(self._all))

    # --- Elements -------------------------------------------------------------------------------------------------------------

    def _part(self, factor: Factor, images: Any = None, signs: Any = None) -> Part | None:
        if factor.kind == "fixed":
            return None
        one = numpy.tile(numpy.arange(factor.size), (factor.copies, 1))
        return Part(
            one if images is None else images, numpy.ones_like(one, dtype=numpy.int8) if signs is None else signs
        )

    @property
    def identity(self) -> Element:
        return Element(self._all, tuple(self._part(f) for f in self._all))

    @property
    def generators(self) -> tuple[Element, ...]:
        """Elements that generate the group; of orthogonal and general linear factors, the signed permutations in them."""
        found = []
        for k, factor in enumerate(self._all):
            n = factor.size
            moves = (
                [list(range(1, n)) + [0]] * (n > 2) + [[1, 0, *range(2, n)]] * (n > 1) if factor.kind != "fixed" else []
            )
            signed = factor.kind not in ("fixed", "permutation")
            for copy in self._first_copies(factor):
                for move in [*moves, *([None] if signed else [])]:
                    images = numpy.tile(numpy.arange(n), (factor.copies, 1))
                    signs = numpy.ones_like(images, dtype=numpy.int8)
                    if move is None:
                        signs[copy, 0] = -1
                    else:
                        images[copy] = move
                    parts = list(self.identity.parts)
                    parts[k] = Part(images, signs)
                    found.append(Element(self._all, tuple(parts)))
        return tuple(found)

    def _first_copies(self, factor: Factor) -> list[int]:
        """One copy of each orbit of copies."""
        sizes = [self._all[f].size for f in factor.over]
        at = numpy.indices(sizes).reshape(len(sizes), math.prod(sizes))
        still = [self._all[f].kind == "fixed" for f in factor.over]
        return [c for c in range(factor.copies) if all(s or not at[j, c] for j, s in enumerate(still))]

    def random(self, seed: int | None = None, *, obeys: str = "forward") -> Element:
        """A random element of the subgroup that obeys "forward" (all), "SGD" (no more than orthogonal matrices) or
        "Adam" (no more than signed permutations). Uniform in finite and orthogonal factors; of general linear ones a
        matrix with a condition of at most e."""
        limit = _identity(obeys)
        choose = numpy.random.default_rng(seed)
        return Element(self._all, tuple(self._random_part(factor, choose, limit) for factor in self._all))

    def _random_part(self, factor: Factor, choose: numpy.random.Generator, limit: int) -> Part | None:
        """A random element of one factor, of no larger kind than this."""
        kind, n, copies = min(KINDS.index(factor.kind), limit), factor.size, factor.copies
        if kind >= ORTHOGONAL:
            M = _orthogonal(choose, copies, n)
            if kind == LINEAR:
                M = M @ (numpy.exp(choose.uniform(-0.5, 0.5, (copies, n, 1))) * _orthogonal(choose, copies, n))
            return Part(None, None, M)
        images = choose.permuted(numpy.tile(numpy.arange(n), (copies, 1)), axis=1)
        signs = choose.choice([-1, 1], (copies, n)).astype(numpy.int8) if kind == SIGNED else None
        return self._part(factor, images, signs)

    # --- Actions --------------------------------------------------------------------------------------------------------------

    def act(self, g: Element, state: Mapping[str, Any], *, dual: bool = False) -> dict[str, Any]:
        """The state dict after g; other entries are passed through, nothing of the input is changed. Entries that are
        one tensor under several names stay one, as torch.func.functional_call asks for.

        Exact to the bit for permutations and signs, in any dtype; matrices act in float64, rounded once to the dtype of
        the tensor. dual: by the inverse transpose, as gradients move.
        """
        self._belongs(g)
        result = dict(state)
        moved_already: dict[Any, Tensor] = {}
        for name, slices in self._by_name.items():
            if name not in state or not any(g.moves(s) for s in slices):
                continue
            tensor = state[name]
            if (one := same_memory(tensor)) in moved_already:
                result[name] = moved_already[one]
                continue
            if tuple(tensor.shape) != self.shapes[name]:
                raise DomainError(
                    f"{name} has the shape {list(tensor.shape)}, and the group was read from a module where it is {list(self.shapes[name])}"
                )
            moved = tensor.detach().clone(memory_format=torch.contiguous_format)
            for s in slices:
                moved[s.index] = act_on_block(g, tensor.detach()[s.index], s.dims, dual)
            result[name] = moved_already[one] = moved
        return tied(result, self._tied)

    @functools.cached_property
    def _by_name(self) -> dict[str, list[Slice]]:
        found: dict[str, list[Slice]] = {}
        for s in self.slices:
            found.setdefault(s.name, []).append(s)
        return found

    def _belongs(self, g: Element) -> None:
        if not isinstance(g, Element) or g.factors != self._all:
            raise DomainError("the element is not of this parameter group")

    def act_on_inputs(self, g: Element, *x: Tensor) -> tuple[Tensor, ...]:
        """The inputs of the module after g; unchanged with io="fixed"."""
        self._belongs(g)
        return tuple(port.act(g, t) for port, t in zip(self.inputs, x)) + x[len(self.inputs) :]

    def act_on_output(self, g: Element, y: Any) -> Any:
        """The output (or a tuple of outputs; of a mapping the tuple of its values) after g; unchanged with io="fixed"."""
        self._belongs(g)
        if isinstance(y, Tensor):
            return self.outputs[0].act(g, y) if self.outputs else y
        if isinstance(y, Mapping):  # the outputs of transformers
            return tuple(port.act(g, t) for port, t in zip(self.outputs, y.values()))
        return type(y)(port.act(g, t) for port, t in zip(self.outputs, y))

    # --- The space of weights -------------------------------------------------------------------------------------------------

    @functools.cached_property
    def _finite(self) -> Group:
        if not any(f.kind != "fixed" for f in self._all):
            return Group("C1")
        if self._is_product:
            return Group(" x ".join(f"S{f.size}" for f in self.factors))
        images = []
        for g in self.generators:
            points: list[int] = []
            for k, factor in enumerate(self._all):
                if factor.kind == "fixed":
                    continue
                base = len(points)
                to, signs = g.points(
                    [*(Leaf(f, self._all[f].size, absolute=True) for f in factor.over), Leaf(k, factor.size)]
                )
                if factor.kind == "permutation":
                    points += (base + to).tolist()
                else:  # a point and its negative
                    points += [int(base + 2 * t + ((s < 0) ^ b)) for t, s in zip(to, signs) for b in (0, 1)]
            images.append(Permutation(points))
        return Group(images)

    @property
    def _is_product(self) -> bool:
        return all(f.kind == "permutation" and not f.over for f in self._all)

    @functools.cached_property
    def _space(self) -> list[tuple[tuple[tuple[Leaf, ...], ...], list[Slice]]]:
        """Slices by what moves them: their moving dimensions, in order; trivial ones last."""
        found: dict[tuple[tuple[Leaf, ...], ...], list[Slice]] = {}
        for s in self._whole:
            moving = tuple(
                m
                for dim in s.dims
                if (m := tuple(replace(leaf, dual=False) for leaf in dim if leaf.factor is not None))
            )
            found.setdefault(moving, []).append(s)
        return sorted(found.items(), key=lambda item: not item[0])

    def representation(self) -> Representation:
        """The finite part of the group on the space of all parameters (not buffers), as a representation V: the
        equivariant layers on weights, the neural functionals [Navon2023], are those of V >> V, and to_vector gives the
        coordinates of V.

        The group is the product of the factors that are permutations, with the signed permutations in the others. Equal
        parts of parameters are collected into multiples; where every factor is a symmetric group by itself the
        expression says so.
        """
        if not self._space:
            raise DomainError("the module has no parameters")
        result: Representation | None = None
        for (moving, _), multiple in zip(self._space, self._multiples):
            one = self._one(moving)
            term = multiple // self._common * one if multiple > self._common else one
            result = term if result is None else result + term
        assert result is not None
        return self._common * result if self._common > 1 else result

    @functools.cached_property
    def _multiples(self) -> list[int]:
        return [sum(self._multiple(s) for s in slices) for _, slices in self._space]

    @property
    def _common(self) -> int:
        """The greatest common divisor of the multiples: V is that many copies of one representation, one after the
        other."""
        return math.gcd(*self._multiples)

    def _one(self, moving: tuple[tuple[Leaf, ...], ...]) -> Representation:
        G = self._finite
        if not moving:
            return G.rep("trivial")
        if self._is_product:
            numbers = [k for k, f in enumerate(self._all) if f.kind != "fixed"]
            words = [
                " # ".join("perm" if n == leaf.factor else "trivial" for n in numbers) for dim in moving for leaf in dim
            ]
            return G.rep(" * ".join(f"({w})" for w in words) if len(words) > 1 else words[0])
        images = []
        flat = [leaf for dim in moving for leaf in dim]
        for g in self.generators:
            to, signs = g.points(flat)
            images.append([int(s) * (int(t) + 1) for t, s in zip(to, signs)])
        return G.rep(f"rep({images})".replace(" ", ""))

    @staticmethod
    def _multiple(s: Slice) -> int:
        return math.prod(leaf.size for dim in s.dims for leaf in dim if leaf.factor is None)

    def to_vector(self, state: Mapping[str, Tensor]) -> Tensor:
        """The parameters of a state dict (or of a batch of them, with leading dimensions) as coordinates [..., dim V]
        of representation()."""
        pieces = []
        for _, slices in self._space:
            equal = []
            for s in slices:
                y, batch = self.block(s, state)
                flat = [leaf for dim in s.dims for leaf in dim]
                equal.append(y.permute(*range(batch), *(batch + k for k in _fixed_first(flat))).flatten(batch))
            pieces.append(torch.cat(equal, -1).unflatten(-1, (self._common, -1)))
        return torch.cat(pieces, -1).flatten(-2)

    def block(self, s: Slice, state: Mapping[str, Tensor]) -> tuple[Tensor, int]:
        """A block of a parameter by its axes, and how many dimensions of a batch are in front of them."""
        x, shape = state[s.name], self.shapes[s.name]
        batch = x.dim() - len(s.ranges)
        if batch < 0 or tuple(x.shape[batch:]) != shape:
            raise DomainError(f"{s.name} has the shape {list(x.shape)}; it ends in {list(shape)}")
        index: tuple[Any, ...] = (..., *s.index)
        return x[index].reshape(*x.shape[:batch], *(leaf.size for dim in s.dims for leaf in dim)), batch

    def from_vector(self, vector: Tensor) -> dict[str, Tensor]:
        """What to_vector came from: the parameters, without buffers."""
        sizes = [
            sum(math.prod(leaf.size for dim in s.dims for leaf in dim) for s in slices) for _, slices in self._space
        ]
        if sum(sizes) != vector.shape[-1]:
            raise DomainError(f"the vector has {vector.shape[-1]} coordinates; the representation has {sum(sizes)}")
        state: dict[str, Tensor] = {}
        batch = vector.shape[:-1]
        equal = torch.split(vector.reshape(*batch, self._common, -1), [n // self._common for n in sizes], -1)
        for (_, slices), piece in zip(self._space, equal):
            piece, at = piece.flatten(-2), 0
            for s in slices:
                flat = [leaf for dim in s.dims for leaf in dim]
                order = _fixed_first(flat)
                size = math.prod(leaf.size for leaf in flat)
                x = piece[..., at : at + size].reshape(*batch, *(flat[k].size for k in order))
                at += size
                back = numpy.argsort(order).tolist()
                x = x.permute(*range(len(batch)), *(len(batch) + k for k in back)).reshape(
                    *batch, *(b - a for a, b in s.ranges)
                )
                if s.name not in state:
                    state[s.name] = vector.new_zeros(*batch, *self.shapes[s.name])
                index: tuple[Any, ...] = (..., *s.index)
                state[s.name][index] = x
        for name, other in self._tied.items():
            state[name] = state[other]
        return state


def _fixed_first(flat: Sequence[Leaf]) -> list[int]:
    return sorted(range(len(flat)), key=lambda k: flat[k].factor is not None)


def _orthogonal(choose: numpy.random.Generator, copies: int, n: int) -> NDArray[Any]:
    Q, R = numpy.linalg.qr(choose.standard_normal((copies, n, n)))
    return Q * numpy.sign(numpy.diagonal(R, axis1=1, axis2=2))[:, None, :]  # type: ignore[no-any-return]


def _identity(name: str) -> int:
    if name not in IDENTITIES:
        raise DomainError(f"{name!r} is not an identity; they are {', '.join(IDENTITIES)}")
    return IDENTITIES[name]


# --- From axes to factors ----------------------------------------------------------------------------------------------------


class _Builder:
    """Numbers the axes that are left after a reading, and cuts parameters into blocks."""

    def __init__(self, reader: GraphReader) -> None:
        self.reader = reader
        self.axes: list[Axis] = []
        self.slices: list[Slice] = []

    def _is_moved(self, axis: Axis) -> bool:
        return axis.kind != FIXED and not (axis.size == 1 and axis.kind == PERMUTATION)

    def leaf(self, axis: Axis, dual: bool, absolute: bool, counted: bool = False) -> Leaf:
        if axis.size is None:
            raise Mismatch("a size is unknown; pass example_inputs")
        if axis not in self.axes:
            if not self._is_moved(axis) and not counted:
                return Leaf(None, axis.size)
            if axis.parts is not None:
                raise Mismatch("heads are a concatenation of others")
            for a in over_of(axis):
                self.leaf(a, False, False, counted=True)
            self.axes.append(axis)
        return Leaf(self.axes.index(axis), axis.size, dual, absolute)

    def blocks(self, dim: Dim, absolute: bool, start: int = 0) -> list[tuple[tuple[int, int], tuple[Leaf, ...]]]:
        found = [(axis, dual) for axis, dual in leaves(dim)]
        size = math.prod(axis.size or 1 for axis, _ in found)
        joined = [axis for axis, _ in found if axis.parts is not None]
        if len(found) == 1 and joined:
            blocks = []
            for part in joined[0].parts or ():
                more = self.blocks(tuple((a, d ^ found[0][1]) for a, d in part), absolute, start)
                start = more[-1][0][1]
                blocks += more
            return blocks
        if any(self._is_moved(part) for axis in joined for p in axis.parts or () for part, _ in leaves(p)):
            raise Mismatch("a concatenation of features is a factor of a larger axis")
        own = tuple(
            Leaf(None, axis.size or 1) if axis.parts is not None else self.leaf(axis, dual, absolute)
            for axis, dual in found
        )
        return [((start, start + size), own)]

    def parameter(self, name: str) -> list[Slice]:
        record = self.reader.parameters[name]
        slices: list[tuple[Any, ...]] = [()]
        for dim, absolute in zip(record.dims, record.absolute):
            blocks = self.blocks(dim, bool(absolute))
            slices = [(*s, b) for s in slices for b in blocks]
        return [Slice(name, tuple(b[0] for b in s), tuple(b[1] for b in s)) for s in slices]

    def port(self, value: Value) -> Port:
        return Port(
            tuple(
                (k, tuple(self.blocks(dim, False)))
                for k, dim in enumerate(value.dims, -len(value.dims))
                if self._any_moved(dim)
            )
        )

    def _any_moved(self, dim: Dim) -> bool:
        return any(
            axis in self.axes or any(self._any_moved(part) for part in axis.parts or ()) for axis, _ in leaves(dim)
        )


def parameter_group(
    module: nn.Module, *, io: str = "fixed", example_inputs: Sequence[Any] | None = None, verify: bool = True
) -> ParameterGroup:
    """The group that acts on the parameters of a module and leaves the function that it computes.

    io: "fixed" for the function as it is; "permuted" takes in the permutations of the features of inputs and outputs,
    which move the function along: f(W) becomes g f(W) g^-1, as `act_on_inputs` and `act_on_output` say. example_inputs:
    tensors (their shapes are used, integers that pick no rows of a table, and all of their numbers where the module
    gives none on random ones) for modules that reshape what comes in; convolutions take [batch, channels, ...],
    attention [batch, positions, features] where nothing else is said. verify: the group is compared with the function
    before it is returned. On three draws of random parameters and inputs (four where norms train), in double precision,
    outputs are compared with those of moved parameters: for three random products of elements of the factors each, and
    for every generator of a module of at most 100 000 numbers. What differs by more than 10^-9 of the largest output is
    no rounding; more is allowed where the module amplifies its last digits. A factor that fails is lowered to the
    largest kind that passes by itself, and `corrected` says so. A module that does not run on random numbers is an
    error.

    The module is traced by torch.fx and every operation read: what has no reader is an error that names it. An axis on
    which a reader says nothing is held. Read is what the module computes in the mode that it is in, if its forward
    asks; dropout is passed over. Factors are symmetric groups (behind ReLU and its kind), signed ones (tanh),
    orthogonal and general linear ones (between linear maps, and inside the heads of attention), each as large as its
    axis allows. Not in it: the positive scalings that ReLU allows, signs of products of two branches and of groups of
    channels, and rotations that keep rotary encodings. Source: Hecht-Nielsen 1990; Navon et al. 2023 for the action on
    weight spaces.

    Cost: one reading of the graph, and one run of the module where example_inputs are given. The check runs the module
    in double precision on inputs of that size: once (or up to five times) to find numbers on which it is finite, then
    twice for each of three draws of parameters and once for each of nine moved ones, 16 times in all. Where norms train
    there are four draws and twelve moved ones. A module of at most 100 000 numbers runs once more for each of the first
    64 generators. Random orthogonal and invertible matrices take n^3 operations for a factor of size n, which outweighs
    the runs of wide layers without activations.
    Should a factor fail, this is done again for every factor and kind. Memory is taken for some three copies of the
    parameters in double precision. The module, its mode and PyTorch's random numbers stay as they are. Without
    example_inputs sizes are tried until the module runs.
    """
    if not isinstance(module, nn.Module):
        several = ": write torch.nn.Sequential(*layers)" if isinstance(module, (list, tuple)) else ""
        raise DomainError(f"a torch.nn.Module is wanted, not {type(module).__name__}{several}")
    if io not in ("fixed", "permuted"):
        raise DomainError(f'io is "fixed" or "permuted", not {io!r}')
    if isinstance(example_inputs, Tensor):
        example_inputs = (example_inputs,)
    probe = _probe(module, verify) if verify or example_inputs is not None else None
    reader = read(module, io, example_inputs, probe)
    group = _build(module, reader, io)
    if not verify or probe is None or not group.factors:
        return group
    return Check(probe, reader, example_inputs).sound(group)


def _probe(module: nn.Module, verify: bool) -> Probe | None:
    try:
        return Probe(module)
    except Exception as error:
        if not verify:  # sizes are then told by the readers alone
            return None
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise DomainError(
            f"the group of this {type(module).__name__} cannot be checked: the module cannot be copied ({why}); "
            "verify=False gives the group as it is read"
        ) from error


def _build(module: nn.Module, reader: GraphReader, io: str) -> ParameterGroup:
    build = _Builder(reader)
    cut: dict[str, list[Slice]] = {}
    name = ""
    try:
        for _ in range(2):  # the second time all axes have numbers, of copies and of outputs that inputs share
            for name in reader.parameters:
                cut[name] = build.parameter(name)
            name = "an input or output"
            ports = [[build.port(v) for v in values] for values in (reader.inputs, reader.outputs)]
    except Mismatch as error:
        raise DomainError(f"{name} cannot be read: {error}") from None
    number = {id(axis): k for k, axis in enumerate(build.axes)}
    moved = [
        s for slices in cut.values() for s in slices if any(leaf.factor is not None for dim in s.dims for leaf in dim)
    ]
    factors = []
    for k, axis in enumerate(build.axes):
        over = tuple(number[id(a)] for a in over_of(axis))
        own = tuple(s for s in moved if any(leaf.factor == k for dim in s.dims for leaf in dim))
        kind = SIGNED if axis.kind == ORTHOGONAL and axis.size == 1 else axis.kind if build._is_moved(axis) else FIXED
        copies = math.prod(build.axes[j].size or 1 for j in over)
        factors.append(Factor(KINDS[kind], axis.size or 1, over, copies, own))

    def blocks(name: str, dim: Dim) -> list[Slice]:
        if not reader.is_gauge(name, dim):
            return []
        whole = leaves(dim) == leaves(reader.parameters[name].dims[0])
        return [s for s in cut[name] if whole or _is_made_of(s.dims[0], dim, number)]

    gauge = [s for name, dim in reader.gauge for s in blocks(name, dim)]
    training = []
    for name, dim, norm, always in reader.while_training:
        for s in (gone + cut[f"{norm}running_mean"]) if (gone := blocks(name, dim)) else ():
            if always:
                gauge.append(s)
            else:
                training.append((s, norm.rstrip(".")))
    shapes = {k: tuple(v.shape) for k, v in module.state_dict().items() if isinstance(v, Tensor)}
    first: dict[int, str] = {}
    known = dict(module.named_parameters(remove_duplicate=False))
    for name, p in known.items():
        first.setdefault(id(p), name)
    others = {name: first[id(p)] for name, p in known.items() if first[id(p)] != name}
    space = [s for name, p in known.items() if name not in others for s in cut.get(name) or [_still(name, p)]]
    return ParameterGroup(
        factors,
        moved,
        list(dict.fromkeys(gauge)),
        shapes,
        ports[0],
        ports[1],
        io,
        space,
        others,
        list(dict.fromkeys(training)),
    )


def _is_made_of(dim: Sequence[Leaf], wanted: Dim, number: Mapping[int, int]) -> bool:
    """Is a block just these axes? Queries and keys move by inverse transposes of one another, and differ in that alone."""
    own = [(leaf.factor, leaf.dual) for leaf in dim if leaf.factor is not None]
    asked = [(number[id(axis)], dual) for axis, dual in leaves(wanted) if id(axis) in number]
    return bool(own) and own == asked


def _still(name: str, p: Tensor) -> Slice:
    return Slice(name, tuple((0, s) for s in p.shape), tuple((Leaf(None, s),) for s in p.shape))
