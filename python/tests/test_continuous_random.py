"""Hom of random representations of continuous groups, and of products with finite ones, against nullspaces of random
group elements in doubles.

Everything is written down here again: elements by exponentials, the representations by Kronecker products and symmetric
tensors. INTERTWINE_PAIRS says how many pairs are compared, INTERTWINE_PAIRS_SEED where to begin (tests/LOG.md)."""

import itertools
import math
import os
import random

import numpy as np
import pytest
from intertwine import Group

ETA = np.diag([1.0, -1.0, -1.0, -1.0])
J4 = np.kron(np.array([[0.0, 1.0], [-1.0, 0.0]]), np.eye(2))


def exponential(a):
    squarings = max(0, math.ceil(math.log2(np.abs(a).sum() + 1e-9)) + 4)
    term = total = np.eye(len(a), dtype=a.dtype)
    for k in range(1, 16):
        term = term @ a / 2**squarings / k
        total = total + term
    return np.linalg.matrix_power(total, 2**squarings)


def skew(a):
    return a - a.T


def anti_hermitian(a):
    return a - a.conj().T


def traceless(a):
    return a - np.trace(a) / len(a) * np.eye(len(a))


# Of each group: the size of its matrices, a random element of the Lie algebra from a random real and complex matrix,
# and elements of the other components.
GROUPS = {
    **{f"SO({n})": (n, lambda a, c: skew(a), []) for n in (2, 3, 4, 5)},
    **{f"O({n})": (n, lambda a, c: skew(a), [np.diag([-1.0] + [1.0] * (n - 1))]) for n in (2, 3, 4)},
    **{f"SU({n})": (n, lambda a, c: traceless(anti_hermitian(c)), []) for n in (2, 3)},
    "U(2)": (2, lambda a, c: anti_hermitian(c), []),
    "SL(2)": (2, lambda a, c: 0.6 * traceless(a), []),
    "SL(3)": (3, lambda a, c: 0.6 * traceless(a), []),
    "GL(2)": (2, lambda a, c: 0.6 * a, []),
    "Sp(4)": (4, lambda a, c: 0.5 * J4 @ (a + a.T), []),
    "SO+(1,3)": (4, lambda a, c: 0.6 * ETA @ skew(a), []),
    "O(1,3)": (4, lambda a, c: 0.6 * ETA @ skew(a), [np.diag([1.0, -1, 1, 1]), np.diag([-1.0, 1, 1, 1])]),
}
FINITE = {"S3": 3, "S4": 4}
LARGEST = 24


def powers(k, n, sign):
    """Orthonormal columns that span the symmetric (sign = 1) or alternating (-1) tensors in (C^n)^k."""
    choose = itertools.combinations_with_replacement if sign > 0 else itertools.combinations
    columns = []
    for places in choose(range(n), k):
        column = np.zeros((n,) * k)
        for p in itertools.permutations(range(k)):
            odd = sum(p[j] > p[i] for i in range(k) for j in range(i)) % 2
            column[tuple(places[i] for i in p)] += sign if odd else 1
        columns.append(column.ravel() / np.linalg.norm(column))
    return np.array(columns).T.reshape(n**k, -1)


def expression(choose, depth, n):
    """A random representation: its text, its matrix as a function of an element, its dimension."""
    while True:
        kind = choose.random()
        if depth == 0 or kind < 0.25:
            return choose.choice(
                [("vector", lambda g: g, n)] * 4
                + [("trivial", lambda g: np.eye(1), 1), ("det", lambda g: np.array([[np.linalg.det(g)]]), 1)]
            )
        text, of, dim = expression(choose, depth - 1, n)
        if kind < 0.65:
            other, of_other, dim_other = expression(choose, depth - 1, n)
            if kind < 0.45 and dim + dim_other <= LARGEST:
                corner = np.zeros((dim, dim_other))
                return (
                    f"({text} + {other})",
                    lambda g: np.block([[of(g), corner], [corner.T, of_other(g)]]),
                    dim + dim_other,
                )
            if kind >= 0.45 and dim * dim_other <= LARGEST:
                return f"({text} * {other})", lambda g: np.kron(of(g), of_other(g)), dim * dim_other
        elif kind < 0.85:
            k, sign = choose.choice([2, 2, 3]), choose.choice([1, -1])
            if dim**k <= 300 and (columns := powers(k, dim, sign)).shape[1] in range(1, LARGEST + 1):
                kron = {2: lambda m: np.kron(m, m), 3: lambda m: np.kron(m, np.kron(m, m))}[k]
                return (
                    f"{'sym' if sign > 0 else 'alt'}({k}, {text})",
                    lambda g: columns.T @ kron(of(g)) @ columns,
                    columns.shape[1],
                )
        else:
            return f"dual({text})", lambda g: np.linalg.inv(of(g)).T, dim


FINITE_REPRESENTATIONS = {
    "trivial": lambda p: np.eye(1),
    "perm": lambda p: np.eye(len(p))[:, p],
    "sign": lambda p: np.array([[np.linalg.det(np.eye(len(p))[:, p])]]),
}


def one_pair(seed):
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    name = choose.choice(sorted(GROUPS))
    n, algebra, components = GROUPS[name]
    source, target = (expression(choose, 2, n) for _ in "VU")
    finite = choose.choice([*FINITE, None, None, None, None])
    names = [source[0], target[0]]
    kinds = [choose.choice(sorted(FINITE_REPRESENTATIONS)) if finite else "trivial" for _ in "VU"]
    degree = FINITE.get(finite, 1)
    if finite:
        name = f"{finite} x {name}"
        names = [f"{kind} # {text}" for kind, text in zip(kinds, names)]
    equations = []
    for k in range(8):
        a, c = numbers.normal(size=(2, n, n))
        g = exponential(algebra(a, a + 1j * c))
        if k < len(components):
            g = components[k] @ g
        p = numbers.permutation(degree)
        rho, sigma = (
            np.kron(FINITE_REPRESENTATIONS[kind](p), of(g)) for kind, (_, of, _) in zip(kinds, (source, target))
        )
        equations.append(np.kron(sigma, np.eye(len(rho))) - np.kron(np.eye(len(sigma)), rho.T))
    columns = equations[0].shape[1]
    if columns > 1200:
        return None
    values = np.linalg.svd(np.concatenate(equations), compute_uv=False)
    nullity = int((values < 1e-8 * max(1.0, np.abs(equations).max())).sum())
    G = Group(name)
    return f"{name}: {names[0]} -> {names[1]}", int((G.rep(names[0]) >> G.rep(names[1])).dimension), nullity


def test_random_pairs():
    first, count = int(os.environ.get("INTERTWINE_PAIRS_SEED", "1")), int(os.environ.get("INTERTWINE_PAIRS", "80"))
    found = [pair for pair in map(one_pair, range(first, first + count)) if pair]
    assert [pair for pair in found if pair[1] != pair[2]] == []
    assert len(found) > count / 2 and sum(pair[1] > 0 for pair in found) > len(found) / 4


def test_a_wrong_dimension_is_seen(monkeypatch):
    monkeypatch.setitem(GROUPS, "O(3)", (3, lambda a, c: skew(a), []))  # without reflections: more maps commute
    pairs = [pair for pair in map(one_pair, range(1, 200)) if pair and "O(3)" in pair[0] and "SO(3)" not in pair[0]]
    assert any(exact < nullity for _, exact, nullity in pairs)


@pytest.mark.parametrize("k, n, sign, dimension", [(2, 3, 1, 6), (3, 4, -1, 4), (3, 2, 1, 4)])
def test_tensors(k, n, sign, dimension):
    columns = powers(k, n, sign)
    assert columns.shape == (n**k, dimension)
    np.testing.assert_allclose(columns.T @ columns, np.eye(dimension), atol=1e-12)
