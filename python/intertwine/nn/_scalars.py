"""Tables whose elements are identities: W = sum of theta_k ⊗ 1, as Schur's lemma has it between irreducible
representations of real type.

Rows and columns fall into runs of neighbours. Element k is a multiple of the identity from one run of columns to one
run of rows. A run of length d costs one product of [batch d, in] with theta_k [out, in], a d-th of the product with W.
Runs without elements cost nothing. The products are PyTorch's: derivatives, compilers and devices need nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy
import torch
from torch import Tensor
from torch.nn.functional import linear

from .. import Table

__all__ = ["Scalars", "apply", "recognised"]

_LARGEST = 1 << 20  # entries of tables that are looked at
_MOST_RUNS = 32  # on each side: every run is an operation of PyTorch


class Runs(NamedTuple):
    """Runs of one length that all have elements between them."""

    length: int
    rows: tuple[int, ...]  # where the runs of rows begin
    cols: tuple[int, ...]
    params: tuple[int, ...]  # the number of the element, [rows, cols]
    factors: tuple[float, ...]  # what it multiplies the identity by; empty where it is 1 everywhere


class Scalars(NamedTuple):
    """The groups of a table, in the order of their first rows, and the rows that biases move."""

    size: int  # of rows
    groups: tuple[Runs, ...]
    biased: tuple[int, ...]
    is_whole: bool  # one run on each side, which has all rows and columns

    def moved(self, start: int, length: int) -> bool:
        """Does a bias move one of these rows?"""
        return any(start <= row < start + length for row in self.biased)


def _elements(table: Table) -> list[tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]]:
    """Rows, columns and values of every element, in the order of the rows."""
    if not table.is_tied:
        start = table.basis_ptr
        return [
            (table.basis_row[a:b], table.basis_col[a:b], table.basis_val[a:b]) for a, b in zip(start[:-1], start[1:])
        ]
    code, P = numpy.asarray(table.weight_code, dtype=numpy.int64).reshape(table.rows, table.cols), table.params
    rows, cols = numpy.nonzero(code)
    code = code[rows, cols]
    sign, k = numpy.where(code > P, -1.0, 1.0), numpy.where(code > P, code - P, code) - 1
    order = numpy.argsort(k, kind="stable")
    ends = numpy.searchsorted(k[order], numpy.arange(P + 1))
    return [(rows[order[a:b]], cols[order[a:b]], sign[order[a:b]]) for a, b in zip(ends[:-1], ends[1:])]


def _biased(table: Table) -> tuple[int, ...]:
    if not table.bias_params:
        return ()
    if table.is_tied:
        return tuple(numpy.nonzero(numpy.asarray(table.bias_code).reshape(-1))[0].tolist())
    return tuple(range(table.rows))


def recognised(table: Table) -> Scalars | None:
    """The groups of a table whose elements all are multiples of identities between runs; None for others."""
    least = min(table.rows, table.cols)
    if table.params == 0 or table.params > _MOST_RUNS**2 or table.rows * table.cols > _LARGEST:
        return None
    sizes = table.orbit_size if table.is_tied else numpy.diff(table.basis_ptr)
    if max(sizes) > least or sum(sizes) > _MOST_RUNS * least:  # which few tables pass, before their codes are made
        return None
    between: dict[tuple[int, int], tuple[int, int, float]] = {}
    for k, (rows, cols, values) in enumerate(_elements(table)):
        r, c, d = int(rows[0]), int(cols[0]), len(rows)
        run = numpy.arange(d)
        if not ((rows == r + run).all() and (cols == c + run).all() and (values == values[0]).all()):
            return None
        if (r, c) in between:
            return None
        between[r, c] = (k, d, float(values[0]))
    by_rows: dict[tuple[int, ...], list[int]] = {}  # the runs of rows by the runs of columns that they have
    for row in sorted({r for r, _ in between}):
        by_rows.setdefault(tuple(sorted(c for r, c in between if r == row)), []).append(row)
    groups = []
    for starts, those in by_rows.items():
        found = [between[r, c] for r in those for c in starts]
        length, factors = found[0][1], tuple(v for _, _, v in found)
        if any(d != length for _, d, _ in found):
            return None
        plain = all(v == 1 for v in factors)
        groups.append(Runs(length, tuple(those), starts, tuple(k for k, _, _ in found), () if plain else factors))
    for side in ([(r, g.length) for g in groups for r in g.rows], [(c, g.length) for g in groups for c in g.cols]):
        side.sort()
        if len(side) > _MOST_RUNS or any(a + d > b for (a, d), (b, _) in zip(side, side[1:])):
            return None
    whole = len(between) == 1 and groups[0].length == table.rows == table.cols
    return Scalars(table.rows, tuple(groups), _biased(table), whole)


def _matrix(theta: Tensor, group: Runs) -> Tensor:
    """The matrix that multiplies the channels of all runs: [rows out, cols in]."""
    out, in_ = theta.shape[1:]
    if len(group.params) == 1:
        W = theta[group.params[0]]
        return W * group.factors[0] if group.factors else W
    W = torch.stack([theta[k] for k in group.params])
    if group.factors:
        W = W * torch.tensor(group.factors, dtype=W.dtype, device=W.device)[:, None, None]
    a, b = len(group.rows), len(group.cols)
    return W.view(a, b, out, in_).transpose(1, 2).reshape(a * out, b * in_)


def apply(x: Tensor, theta: Tensor, bias: Tensor | None, s: Scalars) -> Tensor:
    """W x + b [..., out, M] of x [..., in, N], theta [P, out, in] and what is added, b [out, M]; strides of the result
    are any."""
    (*lead, in_, N), out = x.shape, theta.shape[1]
    if s.is_whole:
        W = _matrix(theta, s.groups[0])
        if N == 1:
            return linear(x.reshape(-1, in_), W, None if bias is None else bias[:, 0]).view(*lead, out, 1)
        y = linear(x.movedim(-1, 0).reshape(-1, in_), W).view(N, *lead, out).movedim(0, -1)
        return y if bias is None else y + bias.to(y.dtype)
    sites = x.reshape(-1, *x.shape[-2:]).permute(2, 0, 1)  # [N, batch, in]
    if len(s.groups) > 1:
        sites = sites.contiguous()
    batch = sites.shape[1]
    made: dict[int, Tensor] = {}
    for group in s.groups:
        d = group.length
        runs = [sites[c : c + d].reshape(d * batch, in_) for c in group.cols]
        y = linear(runs[0] if len(runs) == 1 else torch.cat(runs, 1), _matrix(theta, group))
        made |= {row: part.unflatten(0, (d, batch)) for row, part in zip(group.rows, y.split(out, 1))}
    at, rows = 0, []
    for row in [*sorted(made), s.size]:
        pieces = [y.new_zeros(row - at, batch, out)] if row > at else []
        pieces += [made[row]] if row < s.size else []
        for y in pieces:
            if bias is not None and s.moved(at, len(y)):
                y = y + bias[:, at : at + len(y)].t()[:, None].to(y.dtype)
            rows.append(y.permute(1, 2, 0))
            at += len(y)
    return torch.cat(rows, -1).view(*lead, out, s.size)
