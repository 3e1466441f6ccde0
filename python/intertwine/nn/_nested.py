"""Hom_G inside Hom_H for a subgroup H of G, exactly: how the one basis is made of the other, and a basis of the
orthogonal complement.

Where tables are tied, every orbit of G is a union of orbits of H, up to signs. The complement then has an orthogonal
basis of contrasts: the pieces of an orbit are split into halves A and B again and again, and each split gives 2 |B| /
(|A| + |B|) on A and -2 |A| / (|A| + |B|) on B; a piece on which all of Hom_G vanishes is an element of its own (a Haar
basis on a tree, so that going from coordinates to entries takes two additions a piece). Otherwise the complement is the
nullspace of inner products, found over the exact numbers.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy
import torch
from torch import Tensor

from .. import Hom, InternalError, Matrix
from ._fields import Constants, real_tensors

__all__ = ["Step"]

Number = Any  # int, Fraction or Cyclotomic


class Step:
    """From coordinates in Hom_G and in its complement to those in Hom_H. One for weights, one for biases.

    sizes: the dimensions of Hom_G, of the complement, and of Hom_H. complement[j] are the coordinates {q: number} of
    its j-th element in the basis of Hom_H, parts[p] those of the p-th element of the basis of Hom_G. gram: inner
    products of the complement's elements, by pairs; only (j, j) where they are orthogonal.
    """

    def __init__(self, coarse: Hom, fine: Hom, bias: bool) -> None:
        self.fine = fine.bias if bias else fine
        self.tied = coarse.is_tied and fine.is_tied
        if self.tied:
            tables = coarse.table(single=True), fine.table(single=True)
            codes = [(t.bias_code if bias else t.weight_code).reshape(-1) for t in tables]
            counts = [t.bias_params if bias else t.params for t in tables]
            self._split(codes[0], codes[1], *counts)
        else:
            self._solve((coarse.bias if bias else coarse).basis(), self.fine.basis())
        self.sizes = (len(self.parts), len(self.complement), len(self.norms))
        with real_tensors():
            self.constants = Constants(**self._tensors())

    # --- Tied ------------------------------------------------------------------------------------------------------------------

    def _split(self, above: Any, below: Any, P: int, F: int) -> None:
        codes, first, count = numpy.unique(below, return_index=True, return_counts=True)
        size, place = numpy.zeros(2 * F + 1, dtype=numpy.int64), numpy.zeros(2 * F + 1, dtype=numpy.int64)
        size[codes], place[codes] = count, first
        self.norms: list[Any] = [int(n) for n in size[1 : F + 1] + size[F + 1 :]]
        seen = above[place[1 : F + 1]].astype(numpy.int64)  # the smallest entry of an orbit has the sign +
        sign, orbit = numpy.where(seen > P, -1, 1), numpy.where(seen > P, seen - P, seen)
        if not (
            numpy.concatenate(([0], seen, numpy.where(seen == 0, 0, numpy.where(seen > P, seen - P, seen + P))))[below]
            == above
        ).all():
            raise InternalError("an orbit of the group is not a union of orbits of its subgroup")
        groups: list[list[int]] = [[] for _ in range(P + 1)]
        for q, p in enumerate(orbit):
            groups[p].append(q)
        weight = self.norms
        self.parts = [{q: int(sign[q]) for q in group} for group in groups[1:]]
        self.complement: list[dict[int, Number]] = []
        self.gram: dict[tuple[int, int], Number] = {}
        # Level by level: for every node of the next level its parent, the contrast that tells it from the parent (-1:
        # none), and how much.
        self.levels: list[list[tuple[int, int, Fraction]]] = []
        nodes = [*groups[1:], groups[0]]
        while nodes[-1] or any(len(node) > 1 for node in nodes[:-1]):
            children: list[tuple[list[int], tuple[int, int, Fraction]]] = []
            for at, node in enumerate(nodes[:-1]):
                if len(node) == 1:
                    children.append((node, (at, -1, Fraction(0))))
                    continue
                A, B = node[: (len(node) + 1) // 2], node[(len(node) + 1) // 2 :]
                a, b = sum(weight[q] for q in A), sum(weight[q] for q in B)
                j, on_a, on_b = len(self.complement), Fraction(2 * b, a + b), Fraction(-2 * a, a + b)
                self.complement.append({q: on * int(sign[q]) for part, on in ((A, on_a), (B, on_b)) for q in part})
                self.gram[j, j] = Fraction(4 * a * b, a + b)
                children += [(A, (at, j, on_a)), (B, (at, j, on_b))]
            for q in nodes[-1]:  # pieces of what Hom_G makes zero hang on the last node, which is zero
                j = len(self.complement)
                self.complement.append({q: 1})
                self.gram[j, j] = weight[q]
                children.append(([q], (len(nodes) - 1, j, Fraction(1))))
            children.append(([], (len(nodes) - 1, -1, Fraction(0))))
            self.levels.append([link for _, link in children])
            nodes = [node for node, _ in children]
        place_of = {node[0]: at for at, node in enumerate(nodes[:-1])}
        self.order, self.signs = [place_of[q] for q in range(F)], [int(s) for s in sign]

    # --- In general ------------------------------------------------------------------------------------------------------------

    def _solve(self, above: list[Matrix], below: list[Matrix]) -> None:
        fine = [{(i, j): value for i, j, value in B.entries()} for B in below]
        coarse = [{(i, j): value for i, j, value in B.entries()} for B in above]
        inner = [[_dot(a, b) for b in fine] for a in fine]
        mixed = [[_dot(a, b) for a in fine] for b in coarse]
        products = Matrix(mixed) if mixed else Matrix.zero(0, len(fine))
        solved = Matrix(inner).solve(products.T)
        if solved is None:
            raise InternalError("elements of a basis are dependent")
        columns: list[list[Number]] = solved.T.tolist()
        self.parts = [{q: c for q, c in enumerate(column) if c != 0} for column in columns]
        for part, B in zip(self.parts, coarse):
            made: dict[tuple[int, int], Number] = {}
            for q, c in part.items():
                for place, value in fine[q].items():
                    made[place] = made.get(place, 0) + c * value
            if {place: value for place, value in made.items() if value != 0} != B:
                raise InternalError(
                    "a map that commutes with the group is not among those that commute with its subgroup"
                )
        self.complement = [{q: c for q, c in enumerate(row) if c != 0} for row in products.kernel().tolist()]
        self.gram = {}
        for j, a in enumerate(self.complement):
            for k, b in enumerate(self.complement):
                value = sum(x * y * inner[p][q] for p, x in a.items() for q, y in b.items())
                if value != 0:
                    self.gram[j, k] = value
        self.norms = inner
        self.levels = []

    # --- Numbers ---------------------------------------------------------------------------------------------------------------

    def _tensors(self) -> dict[str, Any]:
        P, D, F = len(self.parts), len(self.complement), len(self.norms)
        gram = {
            "gram": _numbers(self.gram.values()),
            "pairs": torch.tensor(list(self.gram), dtype=torch.int64).reshape(-1, 2),
        }
        if self.tied:
            each = (tuple(zip(*level)) for level in self.levels)
            levels = [
                (torch.tensor(p), torch.tensor([c if c >= 0 else D for c in cs]), _numbers(f)) for p, cs, f in each
            ]
            return gram | {
                "levels": levels,
                "order": torch.tensor(self.order, dtype=torch.int64),
                "signs": _numbers(self.signs),
                "norms": _numbers(self.norms),
            }
        dense = torch.zeros(F, P + D, dtype=torch.float64)
        for j, element in enumerate([*self.parts, *self.complement]):
            for q, value in element.items():
                dense[q, j] = float(value)
        return gram | {"dense": dense, "norms": _numbers(v for row in self.norms for v in row).reshape(F, F)}

    def combine(self, theta: Tensor, eta: Tensor) -> Tensor:
        """Coordinates [F, ...] in Hom_H of theta [P, ...] in Hom_G and eta [D, ...] in the complement."""
        constants = self.constants.operands(theta)
        if not self.tied:
            both = torch.cat((theta, eta))
            dense: Tensor = constants["dense"].to(theta.dtype)
            return (dense @ both.flatten(1)).view(-1, *theta.shape[1:])
        zero = theta.new_zeros((1, *theta.shape[1:]))
        values, eta = torch.cat((theta, zero)), torch.cat((eta, zero))
        shape = (-1, *(1,) * (theta.dim() - 1))
        for parents, contrasts, coefficients in constants["levels"]:
            values = values.index_select(0, parents) + eta.index_select(0, contrasts) * coefficients.to(
                theta.dtype
            ).view(shape)
        signs: Tensor = constants["signs"].to(theta.dtype)
        return values.index_select(0, constants["order"]) * signs.view(shape)

    def separate(self, fine: Tensor) -> tuple[Tensor, Tensor]:
        """The inverse: theta and eta of coordinates [F, ...], in double precision on the CPU."""
        constants = self.constants.on(torch.device("cpu"))
        P, D, F = self.sizes
        wide = torch.complex128 if fine.is_complex() else torch.float64
        flat = fine.detach().to("cpu", wide).flatten(1)
        if not self.tied:
            both = torch.linalg.solve(constants["dense"].to(wide), flat) if F else flat
        else:
            both = flat.new_zeros(P + D, flat.shape[1])
            for j, element in enumerate([*self.parts, *self.complement]):
                if element:
                    at = torch.tensor(list(element))
                    weights = (
                        torch.tensor([float(v) for v in element.values()], dtype=torch.float64) * constants["norms"][at]
                    )
                    total = sum(float(v) ** 2 * self.norms[q] for q, v in element.items())
                    both[j] = weights.to(wide) @ flat[at] / total
        return both[:P].reshape(P, *fine.shape[1:]), both[P:].reshape(D, *fine.shape[1:])

    def squared_norm(self, eta: Tensor) -> Tensor:
        """|sum_j eta_j K_j|^2, summed over channels."""
        left, right = self.constants.like("pairs", eta).unbind(1)
        one, other = eta.index_select(0, left), eta.index_select(0, right)
        products = (one.real * other.real + one.imag * other.imag) if eta.is_complex() else one * other
        products = products.flatten(1).sum(1)
        return (products * self.constants.like("gram", products)).sum()

    def squared_norm_of_all(self, fine: Tensor) -> Tensor:
        """|W|^2 of coordinates in Hom_H."""
        flat = torch.view_as_real(fine).flatten(1) if fine.is_complex() else fine.flatten(1)
        norms: Tensor = self.constants.like("norms", flat)
        return (norms * flat.pow(2).sum(1)).sum() if norms.dim() == 1 else (norms * (flat @ flat.t())).sum()

    def matrices(self) -> list[Matrix]:
        """The basis of the complement, exact."""
        basis = self.fine.basis()
        return [
            functools.reduce(operator.add, (basis[q] * c for q, c in element.items())) for element in self.complement
        ]


def _numbers(values: Iterable[Any]) -> Tensor:
    return torch.tensor([float(v) for v in values], dtype=torch.float64)


def _dot(a: dict[tuple[int, int], Number], b: dict[tuple[int, int], Number]) -> Number:
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    return sum(value * large[place] for place, value in small.items() if place in large)
