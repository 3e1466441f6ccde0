"""Keys: an element of a parameter group in a file, which moves checkpoints there and back without the module.

A key holds permutations and signs only, so that it acts bit by bit. Whoever has a permuted checkpoint and not its key
has a network that computes the same, with hidden units in another order.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy
from torch import Tensor

from .. import DomainError, FileError
from .elements import Element, Factor, Leaf, Part, Slice, act_on_block, places_over, same_memory
from .group import ParameterGroup

__all__ = ["Key", "checkpoint_key", "load_key", "permute_checkpoint", "save_key", "unpermute_checkpoint"]

FORMAT, VERSION = "intertwine.permutation-key", 1


@dataclass(frozen=True, eq=False)
class Key:
    """An element with the blocks that it moves, and the digest of the names and shapes of the checkpoint that it is
    for."""

    element: Element
    slices: tuple[Slice, ...]
    shapes: str

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Key)
            and (self.slices, self.shapes) == (other.slices, other.shapes)
            and self.element == other.element
        )

    __hash__ = None  # type: ignore[assignment]


def checkpoint_key(group: ParameterGroup, g: Element) -> Key:
    """The key of an element that permutes and changes signs; elements with matrices are refused, since they do not act
    bit by bit."""
    group.identity * g  # of this group?
    if not g.is_monomial:
        raise DomainError(
            'the element has matrices; keys are of permutations and signs: group.random(seed, obeys="Adam")'
        )
    return Key(g, group.slices, _digest(group.shapes))


def _digest(shapes: Mapping[str, Sequence[int]]) -> str:
    text = json.dumps(sorted([name, list(shape)] for name, shape in shapes.items()), separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def permute_checkpoint(state: Mapping[str, Any], key: Key) -> dict[str, Any]:
    """The state dict after the key: a checkpoint of the same network with its hidden units, heads and signs in another
    order.

    Bit-exact in any dtype (signs need a signed one); nothing of the input is changed. DomainError for the state of
    another architecture.
    """
    return _moved(state, key, False)


def unpermute_checkpoint(state: Mapping[str, Any], key: Key) -> dict[str, Any]:
    """Undoes permute_checkpoint, bit by bit."""
    return _moved(state, key, True)


def _moved(state: Mapping[str, Any], key: Key, back: bool) -> dict[str, Any]:
    if not isinstance(key, Key):
        raise DomainError(f"a Key is wanted (checkpoint_key makes one, load_key reads one), not {type(key).__name__}")
    g = key.element.inverse() if back else key.element
    tensors = {name: t for name, t in state.items() if isinstance(t, Tensor)}
    if _digest({name: tuple(t.shape) for name, t in tensors.items()}) != key.shapes:
        missing = sorted({s.name for s in key.slices} - tensors.keys())
        why = f"it has no {missing[0]}" if missing else "the names or shapes of its tensors differ"
        raise DomainError(f"the key is for another architecture than this state dict: {why}")
    result = dict(state)
    first: dict[Any, str] = {}
    for name in dict.fromkeys(s.name for s in key.slices):
        first.setdefault(same_memory(tensors[name]), name)
    for s in key.slices:
        shape = tensors[s.name].shape
        if len(shape) != len(s.ranges) or any(b > n for (_, b), n in zip(s.ranges, shape)):
            raise DomainError(f"the key moves {s}, and {s.name} has the shape {list(shape)}: the key is damaged")
        if result[s.name] is state[s.name]:
            result[s.name] = state[s.name].detach().clone()
        result[s.name][s.index] = act_on_block(g, state[s.name].detach()[s.index], s.dims)
    for name in {s.name for s in key.slices}:  # what is one tensor under several names stays one
        result[name] = result[first[same_memory(tensors[name])]]
    return result


# --- Files -------------------------------------------------------------------------------------------------------------------


def save_key(key: Key, path: str | os.PathLike[str]) -> None:
    """Writes a key as JSON, 0-based, with the digest of the shapes; the file is whole or not there."""
    factors = []
    for factor, part in zip(key.element.factors, key.element.parts):
        entry: dict[str, Any] = {"kind": factor.kind, "size": factor.size, "over": list(factor.over)}
        if part is not None and part.images is not None and part.signs is not None:
            entry |= {"images": part.images.tolist(), "signs": part.signs.tolist()}
        factors.append(entry)
    slices = [
        {
            "name": s.name,
            "ranges": [list(r) for r in s.ranges],
            "dims": [[[f.factor, f.size, f.dual, f.absolute] for f in dim] for dim in s.dims],
        }
        for s in key.slices
    ]
    document = {"format": FORMAT, "version": VERSION, "shapes": key.shapes, "factors": factors, "slices": slices}
    path = Path(path)
    temporary = path.with_name(path.name + ".part")
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(document, file, separators=(",", ":"))
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FileError(f"the key cannot be written to {path}: {error.strerror}") from None


def load_key(path: str | os.PathLike[str]) -> Key:
    """Reads a key. The file is treated as hostile: everything in it is checked before it is used; FileError says what
    is wrong."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=_no_doubles, parse_constant=_no_constant)
        return _Strict(document).key()
    except OSError as error:
        raise FileError(f"the key {path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise FileError(f"{path} is no JSON: {error}") from None
    except _Wrong as error:
        raise FileError(f"{path} is no key that can be used: {error}") from None


class _Wrong(Exception):
    """What is wrong with a file."""


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Wrong("an object has the same key twice")
    return found


def _no_constant(text: str) -> Any:
    raise _Wrong(f"{text} is no number of JSON")


class _Strict:
    """A document, taken apart with a check at every step."""

    def __init__(self, document: Any) -> None:
        self.document = self.of(document, dict, "the document")
        if self.document.get("format") != FORMAT:
            raise _Wrong(f"its format is not {FORMAT}")
        if self.document.get("version") != VERSION or isinstance(self.document["version"], bool):
            raise _Wrong(f"its version is {self.document.get('version')!r}, and this program reads {VERSION}")
        self.keys(self.document, {"format", "version", "shapes", "factors", "slices"}, "the document")

    @staticmethod
    def of(value: Any, kind: type, what: str) -> Any:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise _Wrong(f"{what} is not of the type {kind.__name__}")
        return value

    @staticmethod
    def keys(value: dict[str, Any], allowed: set[str], what: str, optional: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        if value.keys() - allowed or (allowed - optional) - value.keys():
            raise _Wrong(f"{what} has the keys {sorted(value)}, not {sorted(allowed)}")

    def key(self) -> Key:
        shapes = self.of(self.document["shapes"], str, "shapes")
        if len(shapes) != 64 or set(shapes) - set("0123456789abcdef"):
            raise _Wrong("shapes is no SHA-256")
        pairs = [self.factor(f, k) for k, f in enumerate(self.of(self.document["factors"], list, "factors"))]
        sizes = [size for _, size, _, _ in pairs]
        factors, parts = [], []
        for k, (kind, size, over, given) in enumerate(pairs):
            copies = math.prod(sizes[j] for j in over)
            factors.append(Factor(kind, size, over, copies, ()))
            parts.append(self.part(given, kind, size, copies, k))
        slices = tuple(
            self.slice(s, factors, k) for k, s in enumerate(self.of(self.document["slices"], list, "slices"))
        )
        complete = tuple(
            replace(f, slices=tuple(s for s in slices if any(leaf.factor == k for dim in s.dims for leaf in dim)))
            for k, f in enumerate(factors)
        )
        self.disjoint(slices)
        return Key(Element(complete, tuple(parts)), slices, shapes)

    def factor(self, value: Any, k: int) -> tuple[str, int, tuple[int, ...], dict[str, Any]]:
        what = f"factor {k}"
        self.keys(self.of(value, dict, what), {"kind", "size", "over", "images", "signs"}, what, {"images", "signs"})
        kind, size = value["kind"], self.of(value["size"], int, f"the size of {what}")
        if kind not in ("fixed", "permutation", "signed", "orthogonal", "general linear"):
            raise _Wrong(f"{what} is of the kind {kind!r}")
        if size < 1:
            raise _Wrong(f"{what} has the size {size}")
        over = tuple(self.of(j, int, f"a number in {what}") for j in self.of(value["over"], list, f"over of {what}"))
        if any(not 0 <= j < k for j in over) or len(set(over)) != len(over):
            raise _Wrong(f"{what} is over {list(over)}, which are not factors before it")
        if ("images" in value) != (kind != "fixed") or ("signs" in value) != (kind != "fixed"):
            raise _Wrong(f"{what} is {kind} and has {'' if 'images' in value else 'no '}images")
        return kind, size, over, value

    def part(self, value: dict[str, Any], kind: str, size: int, copies: int, k: int) -> Part | None:
        if kind == "fixed":
            return None
        arrays = []
        for name in ("images", "signs"):
            rows = self.of(value[name], list, f"{name} of factor {k}")
            if len(rows) != copies or any(not isinstance(row, list) or len(row) != size for row in rows):
                raise _Wrong(f"{name} of factor {k} are not {copies} lists of {size} numbers")
            for row in rows:
                for number in row:
                    self.of(number, int, f"an entry of {name} of factor {k}")
            arrays.append(rows)
        if any(sorted(row) != list(range(size)) for row in arrays[0]):
            raise _Wrong(f"the images of factor {k} are no permutation of 0, ..., {size - 1}")
        if any(s not in (1, -1) or (s == -1 and kind == "permutation") for row in arrays[1] for s in row):
            raise _Wrong(f"the signs of factor {k} are not those of a {kind} factor")
        return Part(numpy.array(arrays[0], dtype=numpy.int64), numpy.array(arrays[1], dtype=numpy.int8))

    def slice(self, value: Any, factors: Sequence[Factor], k: int) -> Slice:
        what = f"slice {k}"
        self.keys(self.of(value, dict, what), {"name", "ranges", "dims"}, what)
        name = self.of(value["name"], str, f"the name of {what}")
        ranges = []
        for pair in self.of(value["ranges"], list, f"ranges of {what}"):
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or not all(type(v) is int for v in pair)
                or not 0 <= pair[0] < pair[1]
            ):
                raise _Wrong(f"{what} has a range that is none")
            ranges.append((pair[0], pair[1]))
        listed = [
            self.of(dim, list, f"a dimension of {what}") for dim in self.of(value["dims"], list, f"dims of {what}")
        ]
        dims = tuple(tuple(self.leaf(v, factors, what) for v in dim) for dim in listed)
        if len(dims) != len(ranges) or any(
            math.prod(leaf.size for leaf in dim) != b - a for dim, (a, b) in zip(dims, ranges)
        ):
            raise _Wrong(f"the dimensions of {what} do not fit its ranges")
        flat, of = [leaf for dim in dims for leaf in dim], [j for j, dim in enumerate(dims) for _ in dim]
        for j in range(len(flat)):
            try:
                places_over(factors, flat, j, of)
            except DomainError as error:
                raise _Wrong(f"{what}: {error}") from None
        return Slice(name, tuple(ranges), dims)

    def leaf(self, value: Any, factors: Sequence[Factor], what: str) -> Leaf:
        if (
            not isinstance(value, list)
            or len(value) != 4
            or type(value[1]) is not int
            or value[1] < 1
            or not all(type(v) is bool for v in value[2:])
        ):
            raise _Wrong(f"an axis of {what} is not [factor, size, dual, absolute]")
        if value[0] is not None and (
            type(value[0]) is not int or not 0 <= value[0] < len(factors) or factors[value[0]].size != value[1]
        ):
            raise _Wrong(f"an axis of {what} names a factor that does not fit it")
        return Leaf(*value)

    @staticmethod
    def disjoint(slices: Sequence[Slice]) -> None:
        by_name: dict[str, list[Slice]] = {}
        for s in slices:
            for t in by_name.setdefault(s.name, []):
                if len(s.ranges) != len(t.ranges) or all(a < d and c < b for (a, b), (c, d) in zip(s.ranges, t.ranges)):
                    raise _Wrong(f"two slices of {s.name} overlap")
            by_name[s.name].append(s)
