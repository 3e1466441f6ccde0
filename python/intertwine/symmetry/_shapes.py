"""Reshapes, splits, concatenations and indices: what makes products and concatenations of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._axes import FIXED, PERMUTATION, Axis, Dim, Mismatch, chunk, leaves, restrict, size_of, take, unify
from ._values import Length, Restart, Stack, Value, Values, carries, cut, fixed

__all__ = ["Shapes"]


class Shapes(Values):
    """The readers of operations that move no numbers."""

    def lengths(self, x: Any) -> list[Length]:
        x = self.ready(x) if not (isinstance(x, Value) and x.fresh and self._sizes(x) is not None) else x
        if x.fresh:
            return list(self._sizes(x) or ())
        if x.front:
            raise Mismatch("the rank of this tensor is not known; pass example_inputs")
        sizes = [size_of(dim) for dim in x.dims]
        return [dim if size is None else size for dim, size in zip(x.dims, sizes)]

    @carries
    def flatten(self, x: Any, start: int, end: int) -> Value:
        if isinstance(x, Value) and x.fresh and start == 1 and end == -1 and self._sizes(x) is None:
            x.fresh = False  # taken as [batch, features]
            x.dims, x.front = [fixed(), ((Axis(None, self.end), False),)], False
            return x
        x = self.ready(x)
        first, last = self.place(x, start), self.place(x, end)
        count = len(x.dims)
        merged = tuple(leaf for dim in x.dims[count + first : count + last + 1] for leaf in leaves(dim))
        return Value([*x.dims[: count + first], merged, *x.dims[count + last + 1 :]], x.front, shift=x.shift)

    @carries
    def reshape(self, x: Any, target: Sequence[Any]) -> Value:
        if (
            isinstance(x, Value)
            and x.fresh
            and len(target) == 2
            and (target[0] == -1 or not isinstance(target[0], int) or target[1] == -1)
        ):
            return self.flatten(x, 1, -1)
        x = self.ready(x)
        if x.front:
            raise Mismatch("a reshape of a tensor whose rank is not known; pass example_inputs")
        rest = [leaf for dim in x.dims for leaf in leaves(dim)]
        hole = list(target).index(-1) if -1 in target else len(target)
        before: list[Dim] = []
        for k, t in enumerate(target[:hole]):
            parts = rest[0][0].parts if rest else None
            if parts is not None and t == len(parts) and len({size_of(p) for p in parts}) == 1:
                values = []
                for part in parts:
                    own = tuple((axis, dual ^ rest[0][1]) for axis, dual in part)
                    inner = self.reshape(Value([own, tuple(rest[1:])]), target[k + 1 :])
                    values.append(Value([*before, *inner.dims], shift=cut(x.shift, ((rest[0][0], rest[0][1]),), own)))
                return Stack(at=k, values=values)
            before.append(self._front(rest, t))
        if hole == len(target):
            if any(leaf.size != 1 for leaf, _ in rest):
                raise Mismatch(
                    f"the reshape to {[t if isinstance(t, int) else '?' for t in target]} leaves something over"
                )
            return Value(before, shift=x.shift)
        after: list[Dim] = []
        for t in reversed(target[hole + 1 :]):
            if not isinstance(t, int):
                raise Mismatch("a size behind a -1 is unknown; pass example_inputs")
            after.insert(0, self._back(rest, t))
        return Value([*before, tuple(rest) or fixed(1), *after], shift=x.shift)

    @staticmethod
    def _front(rest: list[tuple[Axis, bool]], t: Length) -> Dim:
        if isinstance(t, int):
            return take(rest, t) or fixed(1)
        found = leaves(t)
        if [a for a, _ in rest[: len(found)]] != [a for a, _ in found]:
            raise Mismatch("a size of another tensor")
        taken = tuple(rest[: len(found)])
        del rest[: len(found)]
        return taken

    @staticmethod
    def _back(rest: list[tuple[Axis, bool]], size: int) -> Dim:
        """Leaves of this size from the end. Unknown sizes are those of sites, and go to the last dimension that is
        asked for."""
        taken: list[tuple[Axis, bool]] = []
        there = 1
        while there < size or (rest and rest[-1][0].size is None and len(rest) > 1):
            if not rest:
                raise Mismatch("the sizes do not multiply to the same number")
            leaf, dual = rest.pop()
            if leaf.size is None:
                if not rest:
                    raise Mismatch("a size is unknown; pass example_inputs")
                taken.insert(0, (leaf, dual))
                continue
            if there * leaf.size > size:
                if size % there or leaf.size % (size // there):
                    raise Mismatch(f"{leaf.size} is cut into pieces of {size}")
                kept = take(pieces := [(leaf, dual)], leaf.size // (size // there))
                rest += kept
                taken[:0] = pieces
                there = size
            else:
                taken.insert(0, (leaf, dual))
                there *= leaf.size
        holes = [leaf for leaf, _ in taken if leaf.size is None]
        if size % there:
            raise Mismatch("the sizes do not multiply to the same number")
        for k, leaf in enumerate(holes):
            leaf.size = size // there if k == 0 else 1
        return tuple(taken) or fixed(1)

    @carries
    def permute(self, x: Any, order: Sequence[int]) -> Value:
        if isinstance(x, Stack):
            order = [k % len(order) for k in order]
            rest = [k - (k > x.at) for k in order if k != x.at]
            return Stack(at=order.index(x.at), values=[self.permute(v, rest) for v in x.values])
        x = self.ready(x)
        if x.front:
            raise Mismatch("a permutation of dimensions of a tensor whose rank is not known; pass example_inputs")
        return Value([x.dims[k] for k in order], shift=x.shift)

    @carries
    def transpose(self, x: Any, i: int, j: int) -> Value:
        x = self.ready(x)
        a, b = self.place(x, i), self.place(x, j)
        dims = list(x.dims)
        dims[a], dims[b] = dims[b], dims[a]
        return Value(dims, x.front, shift=x.shift, turned=x.parameter if len(dims) == 2 and a != b else None)

    @carries
    def pieces(self, x: Any, sizes: int | Sequence[int], dim: int, count: bool) -> list[Value]:
        """torch.chunk (count) and torch.split."""
        x = self.ready(x)
        place = self.place(x, dim)
        if isinstance(sizes, int):
            total = size_of(x.dims[place])
            if total is None:
                raise Mismatch("a dimension of unknown size is cut; pass example_inputs")
            step = -(-total // sizes) if count else sizes
            sizes = [min(step, total - k) for k in range(0, total, step)]
        found = []
        for piece in chunk(x.dims[place], sizes):
            dims = list(x.dims)
            dims[place] = piece
            found.append(Value(dims, x.front, shift=cut(x.shift, x.dims[place], piece)))
        return found

    @carries
    def cat(self, values: Sequence[Any], dim: int) -> Value:
        ready = [self.ready(v) for v in values]
        place = self.place(ready[0], dim)
        whole = Axis(None)
        whole.parts = tuple(v.dims[place] for v in ready)
        sizes = [size_of(p) for p in whole.parts]
        whole.size = sum(s for s in sizes if s is not None) if None not in sizes else None
        if all(leaf.kind == FIXED for p in whole.parts for leaf, _ in leaves(p)):
            whole = Axis(whole.size, FIXED)
        elif whole.size is None:
            raise Mismatch("features of unknown size are concatenated; pass example_inputs")
        dims = list(ready[0].dims)
        for k in range(-len(dims), 0):
            for v in ready[1:]:
                if k != place and -k <= len(v.dims):
                    restrict(dims[k], PERMUTATION)
                    unify(dims[k], v.dims[k])
        dims[place] = ((whole, False),)
        return Value(dims, any(v.front for v in ready))

    def getitem(self, x: Any, index: Any) -> Any:
        """An index; of several tensors one is taken, and the others are not read by that."""
        if isinstance(x, Stack):
            return x.values[self._index_of_stack(x, index)]
        return self._indexed(x, index) if isinstance(x, Value) else x[index]

    @carries
    def _indexed(self, x: Any, index: Any) -> Value:
        x = self.ready(x)
        index = index if isinstance(index, tuple) else (index,)
        if any(not isinstance(i, (int, slice, type(None), type(...))) for i in index):
            raise Mismatch("an index that is a tensor")
        used = sum(i is not None and i is not ... for i in index)
        if ... not in index:
            index = (*index, ...)
        at = index.index(...)
        if x.front and any(i is not None and i != slice(None) for i in index[:at]):
            raise Mismatch("an index into a tensor whose rank is not known; pass example_inputs")
        if used > len(x.dims):
            raise Mismatch("more indices than dimensions")
        dims, place, shift = [], 0, x.shift
        for _k, i in enumerate(index):
            if i is None:
                dims.append(fixed(1))
            elif i is ...:
                dims += x.dims[place : place + len(x.dims) - used]
                place += len(x.dims) - used
            else:
                if isinstance(i, int):
                    self._stacked(x.dims[place])
                picked = self._pick(x.dims[place], i)
                shift = cut(shift, x.dims[place], picked[0]) if picked and picked[0] is not x.dims[place] else shift
                dims += picked
                place += 1
        return Value(dims, x.front, shift=shift)

    @staticmethod
    def _index_of_stack(x: Stack, index: Any) -> int:
        index = index if isinstance(index, tuple) else (index,)
        full = (*index[: x.at], *index[x.at + 1 :])
        if len(index) <= x.at or not isinstance(index[x.at], int) or any(i not in (slice(None), ...) for i in full):
            raise Mismatch("a stack of queries, keys and values is only taken apart by one index")
        return int(index[x.at])

    def _stacked(self, dim: Dim) -> None:
        """An index into a dimension that others are over: queries, keys and values made by one layer and told apart by
        a reshape. The reading starts again, with the rows of that layer as a concatenation."""
        for axis, _ in leaves(dim):
            if axis.kind == FIXED or axis.size == 1:
                continue
            for name, record in self.parameters.items():
                for k, d in enumerate(record.dims):
                    whole = d[0][0].root()[0]
                    if whole.product is not None and whole.product[0][0].root()[0] is axis and axis.size is not None:
                        raise Restart((name, k, axis.size))

    @staticmethod
    def _pick(dim: Dim, index: int | slice) -> list[Dim]:
        if index == slice(None):
            return [dim]
        still = all(leaf.kind == FIXED for leaf, _ in leaves(dim))
        size = size_of(dim)
        if isinstance(index, int):
            if not still:
                if size is None:
                    raise Mismatch("one feature of an unknown number is picked; pass example_inputs")
                index %= size
                sizes = [s for s in (index, 1, size - index - 1) if s]
                restrict(chunk(dim, sizes)[1 if index else 0], FIXED)
            return []
        if still or size is None:
            if not still:
                raise Mismatch("features of an unknown number are cut; pass example_inputs")
            return [fixed(len(range(*index.indices(size))) if size is not None and _plain(index) else None)]
        start, stop, step = index.indices(size)
        if step != 1:
            restrict(dim, FIXED)
            return [fixed(len(range(start, stop, step)))]
        sizes = [s for s in (start, stop - start, size - stop) if s]
        return [chunk(dim, sizes)[1 if start else 0]]


def _plain(index: slice) -> bool:
    return all(i is None or isinstance(i, int) for i in (index.start, index.stop, index.step))
