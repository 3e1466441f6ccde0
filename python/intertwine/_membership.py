"""A matrix of a group's defining module as a word in the generators, in floats.

A group that is closed under the conjugate transpose has the polar form M = K exp(L): L is a Hermitian matrix of the Lie
algebra, and K lies in the maximal compact subgroup. K is exp(X) times a component, where X is the principal logarithm
for all K but a set of measure zero. Near that set a random element of the identity component is taken out first. Every
word is multiplied out and compared with the matrix, so that a logarithm of the wrong branch is never an answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Union

import numpy
from numpy.typing import NDArray

__all__ = [
    "Key",
    "Letter",
    "bracket",
    "exponential",
    "first_generator",
    "is_closed_under_transposes",
    "moved",
    "word_of_matrix",
]

Key = Union[int, tuple[int, "Key"]]
"""The number of a generator X_k, or (k, Y) for the bracket [X_k, Y]."""

Letter = tuple[tuple[Key, float], ...]
"""exp of the sum of t X over pairs (X, t), or one pair (k, n): the n-th power of a component or of an element of a
finite factor."""

_TRIES = 60
_CUT = 0.1  # how near to -1 an eigenvalue may be, where the logarithm is cut


def first_generator(key: Key) -> int:
    """The first generator of a bracket; all of them are of one factor."""
    return key[0] if isinstance(key, tuple) else key


def moved(key: Key, by: int) -> Key:
    """These generators, numbered from another place."""
    return (key[0] + by, moved(key[1], by)) if isinstance(key, tuple) else key + by


def bracket(generators: Sequence[NDArray[Any]], key: Key) -> NDArray[Any]:
    """The matrix of a generator or of a bracket."""
    if not isinstance(key, tuple):
        return generators[key]
    A, B = generators[key[0]], bracket(generators, key[1])
    return A @ B - B @ A


def exponential(A: NDArray[Any]) -> NDArray[Any]:
    """exp A by Taylor's series of A / 2^s, whose remainder is below rounding, squared s times."""
    norm = float(abs(A).sum(1).max(initial=0))
    s = max(0, int(numpy.ceil(numpy.log2(norm / 0.5)))) if norm > 0.5 else 0
    A = A / 2.0**s
    found = term = numpy.eye(len(A), dtype=A.dtype)
    for k in range(1, 18):
        term = term @ A / k
        found = found + term
    for _ in range(s):
        found = found @ found
    return found


class _Span:
    """The real span of matrices, by their keys."""

    def __init__(self, keys: list[Key], matrices: list[NDArray[Any]]) -> None:
        self.keys, self.matrices = keys, matrices
        self._columns = numpy.stack([_real(A) for A in matrices], 1) if matrices else None

    def letter(self, X: NDArray[Any]) -> tuple[Letter, float]:
        """The nearest matrix of the span as exp's argument, and how far it is from X."""
        if self._columns is None:
            return (), float(abs(X).max(initial=0))
        t, *_ = numpy.linalg.lstsq(self._columns, _real(X), rcond=None)
        distance = float(abs(self._columns @ t - _real(X)).max(initial=0))
        least = 1e-14 * float(abs(t).max(initial=0))  # what is rounding alone is left out
        return tuple((k, float(s)) for k, s in zip(self.keys, t) if abs(s) > least), distance

    def has(self, X: NDArray[Any]) -> bool:
        return self.letter(X)[1] <= 1e-9 * max(1.0, float(abs(X).max(initial=0)))


def _real(X: NDArray[Any]) -> NDArray[Any]:
    """A complex matrix as a real vector."""
    flat = numpy.asarray(X, dtype=complex).reshape(-1)
    return numpy.concatenate([flat.real, flat.imag])


def _algebra(generators: Sequence[NDArray[Any]]) -> _Span:
    """The Lie algebra that they generate: its brackets, as long as there are new ones."""
    span = _Span([], [])
    queue: list[tuple[Key, NDArray[Any]]] = list(enumerate(generators))
    for key, X in queue:
        if span.has(X):
            continue
        span = _Span([*span.keys, key], [*span.matrices, X])
        queue += [((k, key), bracket(generators, (k, key))) for k in range(len(generators))]
    return span


def is_closed_under_transposes(generators: Sequence[NDArray[Any]], algebra: int) -> bool:
    """Has the group the conjugate transposes of its matrices, so that words of them are found?"""
    span = _algebra(generators[:algebra])
    components = all(abs(C @ C.conj().T - numpy.eye(len(C))).max() < 1e-9 for C in generators[algebra:])
    return components and all(span.has(A.conj().T) for A in span.matrices)


def _logarithm(K: NDArray[Any]) -> NDArray[Any] | None:
    """The principal logarithm of a unitary matrix; None near its cut. Square roots are the polar factors of 1 + K, and
    log K = 2 artanh((K - 1) / (K + 1)) near the identity."""
    one, doubled = numpy.eye(len(K)), 0
    while abs(K - one).max(initial=0) > 0.1:
        left, sizes, right = numpy.linalg.svd(one + K)
        if sizes.min(initial=2) < (_CUT if doubled == 0 else 1e-3):
            return None
        K, doubled = left @ right, doubled + 1
    Z = numpy.linalg.solve(K + one, K - one)
    power, found = Z, numpy.zeros_like(Z)
    for k in range(1, 24, 2):
        found, power = found + power / k, power @ Z @ Z
    return 2.0 ** (doubled + 1) * found


def word_of_matrix(
    M: NDArray[Any], generators: Sequence[NDArray[Any]], algebra: int, tolerance: float
) -> tuple[Letter, ...] | str:
    """A word whose matrix is M up to the tolerance beside its largest entry, or why there is none. The first `algebra`
    generators are those of the Lie algebra, the others stand for components."""
    scale = tolerance * max(1.0, float(abs(M).max(initial=0)))
    span = _algebra(generators[:algebra])
    squares, axes = numpy.linalg.eigh(M.conj().T @ M)
    if squares.min(initial=1) <= tolerance**2:
        return "it is singular"
    L = (axes * (numpy.log(squares) / 2)) @ axes.conj().T
    stretch, distance = span.letter(L)
    if distance > 10 * tolerance * max(1.0, float(abs(L).max(initial=0))):
        return f"its Hermitian part in the polar form is exp(L) with L {distance:.2g} away from the Lie algebra"
    K = M @ exponential(-L)
    compact = _compact(span)
    choose = numpy.random.default_rng(len(M))
    components = range(algebra, len(generators))
    for subset in itertools.chain.from_iterable(
        itertools.combinations(components, r) for r in range(len(generators) - algebra + 1)
    ):
        C = numpy.eye(len(M))
        for c in subset:
            C = C @ generators[c]
        within = K @ numpy.linalg.inv(C)
        for attempt in range(_TRIES):
            t = choose.normal(size=len(compact)) if attempt else numpy.zeros(len(compact))
            first = sum((s * A for s, A in zip(t, compact)), numpy.zeros_like(within))
            X = _logarithm(within @ exponential(-first))
            if X is None:
                continue
            letters = [span.letter(X)[0], span.letter(first)[0], *(((c, 1.0),) for c in subset), stretch]
            word = tuple(letter for letter in letters if letter)
            if abs(_product(word, generators, algebra, len(M)) - M).max(initial=0) <= scale:
                return word
    return "its unitary part in the polar form is no exponential of the Lie algebra times components"


def _compact(span: _Span) -> list[NDArray[Any]]:
    """The parts of the algebra's matrices that are skew-Hermitian."""
    return [(A - A.conj().T) / 2 for A in span.matrices if span.has((A - A.conj().T) / 2)]


def _product(word: tuple[Letter, ...], generators: Sequence[NDArray[Any]], algebra: int, n: int) -> NDArray[Any]:
    found = numpy.eye(n)
    for letter in word:
        k = first_generator(letter[0][0])
        if k < algebra:
            found = found @ exponential(sum(t * bracket(generators, key) for key, t in letter))
        else:
            found = found @ generators[k]
    return found
