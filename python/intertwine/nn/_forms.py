"""The blocks of a representation analysed: what they do to coordinates, the vectors that the group fixes, and the form
that it keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .. import Cyclotomic, DomainError, Group, Matrix, Representation
from .._features import Entries, entries_of, is_orthogonal, keeps_standard, not_real
from .._kinds import is_classical, is_finite_group
from ._points import Points, has_points, points_of, together

__all__ = ["Analysis", "analysis_of", "blocks_of", "entries_of", "is_orthogonal", "not_real", "signature_of"]

Analysis = tuple[str, numpy.ndarray, numpy.ndarray, numpy.ndarray | str | None]
"""The shape of a block, "permutation", "signed" or "mixed"; a basis [n, q] of its fixed vectors, the
coefficients [q, n] of the projection onto them, and the form: None for the standard one, or why there is none."""


def blocks_of(
    V: Representation, generators: list[list[tuple[int, int, Any]]]
) -> list[tuple[list[list[int]], tuple[Entries, ...]]]:
    """For each kind the coordinates of its copies, and the entries of the generators on one."""
    for entries in generators:
        for _, _, value in entries:
            if isinstance(value, Cyclotomic) and not value.is_real:
                raise DomainError(f"the matrices of {V} are not real (their field is {V.field}); take V.real()")
    places = together(V.dimension, generators)
    at = {i: (k, local) for k, place in enumerate(places) for local, i in enumerate(place)}
    matrices: list[list[list[tuple[int, int, Any]]]] = [[[] for _ in generators] for _ in places]
    for g, entries in enumerate(generators):
        for row, col, value in entries:
            matrices[at[row][0]][g].append((at[row][1], at[col][1], value))
    kinds: dict[tuple[int, tuple[Entries, ...]], list[list[int]]] = {}
    for place, own in zip(places, matrices):
        kinds.setdefault((len(place), tuple(tuple(m) for m in own)), []).append(place)
    return [(places, matrices) for (_, matrices), places in kinds.items()]


def signature_of(form: numpy.ndarray) -> tuple[int, int] | None:
    """How many squares are positive and negative, None for an inner product."""
    sizes = numpy.linalg.eigvalsh(form)
    minus = int((sizes < 0).sum())
    return (len(sizes) - minus, minus) if minus else None


def analysis_of(V: Representation, algebra: list[bool]) -> Callable[[Any, tuple[Entries, ...], list[int]], Analysis]:
    """How the blocks of V are analysed: a function of V, the matrices of a block and where it stands. algebra: for each
    generator, is it one of a Lie algebra?"""
    return _Continuous(V, algebra) if is_classical(V) else _analysed


def _analysed(V: Any, matrices: tuple[Entries, ...], place: list[int]) -> Analysis:
    """The analysis of one block of a finite group."""
    n = len(place)
    if signed := _signed(matrices, n):
        return signed
    R = V.group.matrix_rep([Matrix.from_entries(n, n, list(entries)) for entries in matrices])
    fixed, dual = (_numbers((W >> W).bias.basis()).reshape(-1, n) for W in (R, R.T))
    means = numpy.linalg.solve(dual @ fixed.T, dual) if len(fixed) else fixed
    return "mixed", fixed.T, means, _form(R)


def _signed(matrices: tuple[Entries, ...], n: int) -> Analysis | None:
    """The analysis of one block whose coordinates are permuted up to signs; None for others."""
    values = {value for entries in matrices for _, _, value in entries}
    if not values <= {1, -1} or any(len(entries) != n for entries in matrices):
        return None
    basis = _fixed_by_signs(matrices, n)
    return "permutation" if values <= {1} else "signed", basis, basis.T / n, None


class _Continuous:
    """The blocks of a representation of a continuous group, analysed: its fixed vectors are those of the exact basis,
    the inner product the standard one or that of the exact orthonormal basis, where there is one."""

    def __init__(self, V: Representation, algebra: list[bool]) -> None:
        self.algebra = algebra
        # For 3 * V1 these are the vectors of V1, where the first copies of all blocks are.
        self.fixed = _vectors(V)
        self.form: numpy.ndarray | str | None = None
        self.duals: numpy.ndarray | None = None
        self.forms: numpy.ndarray | None = None

    def _hermitian_form(
        self, V: Representation, matrices: tuple[Entries, ...], place: list[int]
    ) -> numpy.ndarray | str | None:
        """The Hermitian inner product of a block of a compact group over C, in coordinates where the Lie algebra of the
        complex group has rational matrices: H with rho(X^T)^T H = H rho(X), where X^T is the transposed matrix of the
        defining module, which is unitary in its basis."""
        if has_points(V) and (points := points_of(V, matrices, len(place))) is not None:
            return self._of_points(V, points, place)
        factors, at = V.group.factors, 0
        own: list[tuple[Group, tuple[Entries, ...]]] = []
        unit = tuple((i, i, 1) for i in range(len(place)))
        for factor in factors:
            count = len(factor.generators if is_finite_group(factor) else factor.generator_names)
            these, at = matrices[at : at + count], at + count
            if any(entries and tuple(sorted(entries)) != unit for entries in these):
                own.append((factor, these))
        if len(own) != 1 or is_finite_group(own[0][0]):
            return (
                f"norms need an inner product, and none is known where more than one factor of {V.group.name} acts on the"
                f" block at coordinate {place[0] + 1} of {V}: GatedActivation and Dropout need none"
            )
        ((group, these),) = own
        n = len(place)
        moved = [Matrix.from_entries(n, n, list(entries)) for entries in these]
        defining = group.rep("vector").generator_matrices()
        lie = [" Lie algebra " in name for name in group.generator_names]
        partner = [next((k for k, B in enumerate(defining) if lie[k] and B == A.T), -1) for A in defining]
        if not all(lie) or -1 in partner:
            return f"norms need an inner product that {V.group.name} keeps on {V}, and none is known: GatedActivation and Dropout need none"
        R, twisted = group.matrix_rep(moved), group.matrix_rep([moved[k].T for k in partner])
        form = _mean_form(_numbers((R >> twisted).basis()), _numbers((twisted >> R).basis()), n)
        return None if numpy.array_equal(form, numpy.eye(n)) else form

    def _inner_product(
        self, V: Representation, matrices: tuple[Entries, ...], place: list[int]
    ) -> numpy.ndarray | str | None:
        """That of the coordinates at these places, with the trace n, or why there is none; None for the standard one."""
        if self.form is None:
            try:
                T = V.orthonormal_form().array()
                self.form = numpy.linalg.inv(T @ T.T)
            except DomainError as error:
                self.form = str(error)
        if isinstance(self.form, str):
            return self._symmetric_form(V, matrices, place)
        form = self.form[numpy.ix_(place, place)]
        return numpy.asarray(form * (len(place) / numpy.trace(form)))

    def _of_points(self, V: Representation, points: Points, place: list[int]) -> numpy.ndarray | str | None:
        """The form of a block is the sum of those of its points."""
        of_one = self._form_of(V, points.matrices, [place[i] for i in points.sets[0]])
        if not isinstance(of_one, numpy.ndarray):
            return of_one
        whole = numpy.zeros((len(place), len(place)))
        for those in points.sets:
            whole[numpy.ix_(those, those)] = of_one
        return whole

    def _form_of(
        self, V: Representation, matrices: tuple[Entries, ...], place: list[int]
    ) -> numpy.ndarray | str | None:
        """The form of the coordinates at these places, None for the standard one."""
        if V.is_complex:
            return self._hermitian_form(V, matrices, place)
        if all(keeps_standard(entries, len(place), lie) for entries, lie in zip(matrices, self.algebra)):
            return None
        return self._inner_product(V, matrices, place)

    def _symmetric_form(
        self, V: Representation, matrices: tuple[Entries, ...], place: list[int]
    ) -> numpy.ndarray | str | None:
        """The invariant symmetric form of the coordinates at these places, if there is one alone; of points that are
        permuted it is the sum of theirs."""
        n = len(place)
        if has_points(V) and (points := points_of(V, matrices, n)) is not None:
            return self._of_points(V, points, place)
        if self.forms is None:
            # For 3 * V1 these are the maps from V1, where the first copies of all blocks are.
            self.forms = _numbers((V >> V.T).basis())
        n = len(place)
        own = self.forms[:, place][:, :, place] if len(self.forms) else numpy.zeros((0, n, n))
        symmetric = (own + own.transpose(0, 2, 1)).reshape(-1, n * n)
        found = _independent(symmetric, n * n) if symmetric.any() else symmetric[:0]
        where = f"{V}, at coordinate {place[0] + 1}"
        if len(found) > 1:
            return (
                f"norms need one symmetric form, and {V.group.name} keeps {len(found)} on {where}: write the field as a sum"
                " of irreducible ones, or use GatedActivation and Dropout, which need none"
            )
        if not len(found):
            kept = "only antisymmetric ones, where <x, x> = 0," if own.any() else "none"
            return f"norms need a symmetric form, and {V.group.name} keeps {kept} on {where}: GatedActivation and Dropout need none"
        form = found[0].reshape(n, n)
        sizes = numpy.linalg.eigvalsh(form)
        if abs(sizes).min() < 1e-9 * abs(sizes).max():
            return (
                f"norms need a form, and that which {V.group.name} keeps on {where} is 0 on some vectors with all others:"
                " GatedActivation and Dropout need none"
            )
        squares = form.diagonal()
        first = squares[abs(squares) > 1e-12]
        sign = -1.0 if len(first) and first[0] < 0 else 1.0
        return numpy.asarray(form * (sign * n / abs(sizes).sum()))

    def _dual_vectors(self, V: Representation, place: list[int], count: int) -> numpy.ndarray:
        """As many fixed vectors of the dual at these places."""
        if self.duals is None:
            self.duals = _vectors(V.T)
        return _independent(self.duals[:, place], count)

    def __call__(self, V: Any, matrices: tuple[Entries, ...], place: list[int]) -> Analysis:
        n = len(place)
        others = tuple(entries for entries, lie in zip(matrices, self.algebra) if not lie)
        turned = any(entries for entries, lie in zip(matrices, self.algebra) if lie)
        if not turned and (signed := _signed(others, n)):
            return signed
        form = self._form_of(V, matrices, place)
        B = _independent(self.fixed[:, place], n)
        if isinstance(form, str) or form is not None and signature_of(form) is not None:
            weighted = self._dual_vectors(V, place, len(B))
        else:
            weighted = B if form is None else B @ form
        means = numpy.linalg.solve(weighted @ B.T, weighted) if len(B) else B
        return "mixed", B.T, means, form


def _vectors(V: Representation) -> numpy.ndarray:
    """The fixed vectors, as rows."""
    found = _numbers((V >> V).bias.basis())
    return found.reshape(len(found), found.shape[1] if len(found) else V.dimension)


def _independent(vectors: numpy.ndarray, most: int) -> numpy.ndarray:
    """The first of these rows that are independent of those before."""
    found: list[numpy.ndarray] = []
    for v in vectors:
        if len(found) < most and numpy.linalg.matrix_rank(numpy.array([*found, v])) > len(found):
            found.append(v)
    return numpy.array(found).reshape(len(found), vectors.shape[1])


def _numbers(matrices: list[Matrix]) -> numpy.ndarray:
    return numpy.array([numpy.asarray(m, dtype=numpy.float64) for m in matrices])


def _fixed_by_signs(matrices: tuple[Entries, ...], n: int) -> numpy.ndarray:
    """The fixed vector [n, 1] of an orbit with signs, its first coordinate 1; [n, 0] if there is none."""
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for entries in matrices:
        for row, col, value in entries:
            neighbours[col].append((row, int(value)))
            neighbours[row].append((col, int(value)))
    sign = numpy.zeros(n)
    sign[0] = 1
    reached = [0]
    for i in reached:
        for j, value in neighbours[i]:
            if sign[j] == 0:
                sign[j] = value * sign[i]
                reached.append(j)
            elif sign[j] != value * sign[i]:
                return numpy.zeros((n, 0))
    return sign[:, None]


def _form(R: Representation) -> numpy.ndarray | None:
    """The mean over the group of rho(g)^T rho(g), with the trace n; None if every rho(g) is orthogonal.

    Of all invariant forms B it is the one with tr(A B) = tr(A) for every invariant form A of the dual, since averaging
    does not change tr(A rho(g)^T rho(g)).
    """
    n = R.dimension
    if is_orthogonal(R):
        return None
    return _mean_form(_numbers((R >> R.T).basis()), _numbers((R.T >> R).basis()), n)


def _mean_form(forms: numpy.ndarray, duals: numpy.ndarray, n: int) -> numpy.ndarray:
    """The mean over a compact group of the standard form, with the trace n, from bases of the invariant forms and of those
    of the dual."""
    coefficients = numpy.linalg.solve(numpy.einsum("jab,kba->jk", duals, forms), numpy.einsum("jaa->j", duals))
    form = numpy.einsum("k,kab->ab", coefficients, forms)
    form = (form + form.T) / 2
    return numpy.asarray(form * (n / numpy.trace(form)))
