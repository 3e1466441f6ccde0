"""Tensors and their coordinates in symmetric and exterior powers."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

from ._errors import DomainError

FORMS = ("full", "voigt", "strain", "mandel")
VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))


@functools.lru_cache(maxsize=32)
def _layout(n: int, k: int, symmetric: bool) -> tuple[list[int], list[int], list[int], list[int]]:
    """The place in the flat tensor and the weight of every coordinate; the coordinate and the sign of every place of
    the tensor, sign 0 where an antisymmetric one is 0."""
    choose = itertools.combinations_with_replacement if symmetric else itertools.combinations
    basis = list(choose(range(n), k))
    rank = {indices: i for i, indices in enumerate(basis)}
    first = [functools.reduce(lambda at, i: at * n + i, indices, 0) for indices in basis]
    orders = [
        math.factorial(k) // math.prod(math.factorial(indices.count(i)) for i in set(indices)) for indices in basis
    ]
    source, sign = [], []
    for indices in itertools.product(range(n), repeat=k):
        found = rank.get(tuple(sorted(indices)))
        source.append(found or 0)
        turned = sum(a > b for a, b in itertools.combinations(indices, 2))
        sign.append(0 if found is None else 1 if symmetric else (-1) ** turned)
    return first, orders if symmetric else [1] * len(basis), source, sign


def _power(V: Any, form: str) -> tuple[int, int, bool]:
    if form not in FORMS:
        raise DomainError(f"the form of a tensor is one of {', '.join(FORMS)}, not {form!r}")
    power = V.power
    n, k, symmetric = (V.dimension, 1, True) if power is None else (power[0].dimension, power[1], power[2] == "sym")
    if form != "full" and (n, k, symmetric) != (3, 2, True):
        raise DomainError(f"the form {form} is of symmetric tensors with 3 x 3 components, in sym(2, W); this is {V}")
    if n**k > 10**7:
        raise DomainError(f"a tensor with {k} axes of {n} has more than 10^7 components")
    return n, k, symmetric


def _is_torch(values: Any) -> bool:
    return type(values).__module__.partition(".")[0] == "torch"


def _array(values: Any) -> Any:
    """Tensors of PyTorch as they are; lists and arrays as arrays of numbers, of Python's where there are fractions."""
    if _is_torch(values):
        return values
    import numpy

    array = numpy.asarray(values)
    if array.dtype.kind in "bui":
        array = array.astype(object)  # whole numbers of any size
    if array.dtype.kind not in "Ofc":
        raise DomainError(f"a tensor has numbers as components, not {array.dtype}")
    return array


def _times(array: Any, weights: list[int]) -> Any:
    """Along the last axis."""
    if _is_torch(array):
        return array * array.new_tensor(weights)
    import numpy

    if array.dtype != object:
        return array * numpy.asarray(weights).astype(array.dtype)
    return array * numpy.array(weights, dtype=object)


def _divided(array: Any, weights: list[int]) -> Any:
    if _is_torch(array):
        return array / array.new_tensor(weights)
    import numpy

    if array.dtype != object:
        return array / numpy.asarray(weights).astype(array.dtype)

    def quotient(a: Any, b: int) -> Any:
        if not isinstance(a, (int, Fraction)):
            return a / b
        q = Fraction(a, b)
        return q.numerator if q.denominator == 1 else q

    return numpy.frompyfunc(quotient, 2, 1)(array, numpy.array(weights, dtype=object))


def _narrowed(array: Any) -> Any:
    """Whole numbers as NumPy has them, where all are small."""
    if _is_torch(array) or array.dtype != object:
        return array
    import numpy

    if all(isinstance(x, int) and abs(x) < 2**62 for x in array.flat):
        return array.astype(numpy.int64)
    return array


def _require_symmetry(flat: Any, again: Any, symmetric: bool, V: Any) -> None:
    if _is_torch(flat):
        import torch

        right = torch.allclose(
            flat, again, rtol=1e-4, atol=1e-5 * float(flat.detach().abs().max() if flat.numel() else 0)
        )
    elif flat.dtype == object:
        right = bool((flat == again).all())
    else:
        import numpy

        right = numpy.allclose(flat, again, rtol=1e-4, atol=1e-5 * numpy.abs(flat).max(initial=0))
    if not right:
        kind = "symmetric" if symmetric else "antisymmetric"
        raise DomainError(f"the tensor is not {kind}, and {V} has coordinates of {kind} ones; take its {kind} part")


def _scaled(vector: Any, factor: Any) -> Any:
    """The last three of six components times a factor."""
    if factor == 1:
        return vector
    return _times(vector, [1, 1, 1, factor, factor, factor])


def coordinates(V: Any, tensor: Any, form: str) -> Any:
    n, k, symmetric = _power(V, form)
    array = _array(tensor)
    shape = tuple(array.shape)
    if form != "full":
        if shape[-1:] != (6,):
            raise DomainError(f"the form {form} has 6 components in its last axis; the shape is {list(shape)}")
        # The coordinates e_i e_j in lexicographic order, xx xy xz yy yz zz, of components xx, yy, zz, yz, xz, xy.
        if form == "mandel":
            array = _real_times(array, math.sqrt(2))
        elif form == "voigt":
            array = _scaled(array, 2)
        return _narrowed(array[..., [0, 5, 4, 1, 3, 2]])
    if k == 0 or len(shape) < k or shape[len(shape) - k :] != (n,) * k:
        axes = ", ".join(["..."] + [str(n)] * k)
        raise DomainError(f"{V} has coordinates of tensors of the shape [{axes}], not {list(shape)}")
    first, weights, source, sign = _layout(n, k, symmetric)
    flat = array.reshape((*shape[: len(shape) - k], n**k))
    found = flat[..., first]
    _require_symmetry(flat, _times(found[..., source], sign) if first else flat * 0, symmetric, V)
    return _narrowed(_times(found, weights))


def tensor(V: Any, coordinates: Any, form: str) -> Any:
    if isinstance(coordinates, type(V)):
        raise DomainError(
            "V.tensor(c) is the tensor with the coordinates c; the tensor product of representations is V * W"
        )
    n, k, symmetric = _power(V, form)
    array = _array(coordinates)
    shape = tuple(array.shape)
    if k == 0 or shape[-1:] != (V.dimension,):
        raise DomainError(f"{V} has {V.dimension} coordinates in the last axis; the shape is {list(shape)}")
    if form != "full":
        array = array[..., [0, 3, 5, 4, 2, 1]]
        if form == "mandel":
            return _real_times(array, math.sqrt(0.5))
        return _narrowed(array if form == "strain" else _divided(array, [1, 1, 1, 2, 2, 2]))
    _, weights, source, sign = _layout(n, k, symmetric)
    whole = (*shape[:-1], *(n,) * k)
    if not V.dimension:
        return _narrowed(array.sum(-1, keepdims=True)[..., [0] * n**k].reshape(whole))
    parts = _divided(array, weights) if symmetric else array
    return _narrowed(_times(parts[..., source], sign).reshape(whole))


def _real_times(vector: Any, factor: float) -> Any:
    if not _is_torch(vector) and vector.dtype == object:
        vector = vector.astype(float)
    return _scaled(vector, factor)
