"""To other systems: SymPy, pandas. What is not installed is missed only when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import CharacterTable, Cyclotomic, Decomposition, Group, Matrix, Permutation, PolynomialMaps, Table
    from .sf import SymmetricFunction


def _sympy_number(number: int | Fraction | Cyclotomic) -> Any:
    import sympy

    if isinstance(number, int):
        return sympy.Integer(number)
    if isinstance(number, Fraction):
        return sympy.Rational(number.numerator, number.denominator)
    n = number.conductor
    root = [sympy.exp(2 * sympy.pi * sympy.I * sympy.Rational(k, n)) for k, _ in number.terms()]
    return sympy.Add(*(_sympy_number(c) * r for (_, c), r in zip(number.terms(), root)))


def cyclotomic_to_sympy(number: Cyclotomic) -> Any:
    return _sympy_number(number)


def matrix_to_sympy(matrix: Matrix) -> Any:
    import sympy

    rows, cols = matrix.shape
    return sympy.Matrix(rows, cols, [_sympy_number(x) for row in matrix.tolist() for x in row])


def permutation_to_sympy(permutation: Permutation) -> Any:
    from sympy.combinatorics import Permutation as Other

    return Other(list(permutation.images))


def group_to_sympy(group: Group) -> Any:
    from sympy.combinatorics import PermutationGroup

    return PermutationGroup([permutation_to_sympy(g) for g in group.generators or (group.identity,)])


def graph_labels(graph: Any, colour: str | None, weight: str | None) -> Any:
    """The labels of a NetworkX graph or a square matrix, where equal numbers mean equal labels: the table of labels [n,
    n] of a dense matrix, otherwise the number of vertices, whether edges have directions, the edges [m, 3] (from, to,
    label), the colours of the vertices [n] and their names. The name of a file as it is."""
    import numpy

    from ._errors import DomainError

    if not hasattr(graph, "adjacency"):
        if colour is not None or weight is not None:
            raise DomainError(
                "colour and weight name attributes of a NetworkX graph; a matrix has its entries, the diagonal being the colours, and so have files"
            )
        if isinstance(graph, (str, os.PathLike)):
            return os.fsdecode(graph)
        matrix = graph if hasattr(graph, "tocoo") else numpy.asarray(graph)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise DomainError(
                f"automorphisms are those of a NetworkX graph or a square matrix, not of an array of the shape {list(matrix.shape)}"
            )
        values = matrix.tocsr().data if hasattr(matrix, "tocsr") else matrix
        if values.dtype.kind == "f" and numpy.isnan(values).any():
            raise DomainError("the matrix has entries that are not numbers")
        if hasattr(matrix, "tocsr"):
            return _sparse_labels(matrix.tocsr(copy=True))
        if matrix.dtype.kind not in "O":
            return numpy.unique(matrix, return_inverse=True)[1].reshape(matrix.shape).astype(numpy.uint32)
        known: dict[Any, int] = {}
        return numpy.array(
            [[known.setdefault(x, len(known)) for x in row] for row in matrix], dtype=numpy.uint32
        ).reshape(matrix.shape)
    place = {v: i for i, v in enumerate(graph)}
    directed = graph.is_directed()
    entries: dict[tuple[int, int], list[str]] = {}
    for u, v, data in graph.edges(data=True):
        at = (place[u], place[v])
        label = repr(data.get(weight)) if weight is not None else ""
        entries.setdefault(at if directed or at[0] <= at[1] else at[::-1], []).append(label)
    names: dict[tuple[str, ...], int] = {}
    labels = {
        at: names.setdefault(tuple(sorted(found)), len(names) + 1) for at, found in entries.items()
    }  # parallel edges are a multiset
    pairs: dict[tuple[str, int], int] = {}
    colours = [
        pairs.setdefault(
            (repr(graph.nodes[v].get(colour)) if colour is not None else "", labels.pop((i, i), 0)), len(pairs)
        )
        for v, i in place.items()
    ]
    edges = numpy.array([(*at, label) for at, label in labels.items()], dtype=numpy.uint32).reshape(-1, 3)
    return len(place), directed, edges, numpy.array(colours, dtype=numpy.uint32), _names(list(place))


def _names(nodes: list[Any]) -> list[str]:
    """Labels that Automorphisms gives back as they were: whole numbers, or texts that are none; None for others."""
    if all(type(v) is int and v >= 0 for v in nodes):
        return [str(v) for v in nodes]
    if all(isinstance(v, str) for v in nodes) and not all(v.isdigit() for v in nodes):
        return [str(v) for v in nodes]
    return []


def _sparse_labels(matrix: Any) -> tuple[int, bool, Any, Any]:
    """Of a SciPy matrix of its own: nothing of the size of the table is made."""
    import numpy

    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    found = matrix.tocoo()
    labels = numpy.unique(found.data, return_inverse=True)[1].astype(numpy.uint32) + 1
    colours = numpy.zeros(matrix.shape[0], dtype=numpy.uint32)
    loops = found.row == found.col
    colours[found.row[loops]] = labels[loops]
    edges = numpy.stack([found.row, found.col, labels], axis=1)[~loops].astype(numpy.uint32)
    return matrix.shape[0], True, edges, colours


def character_table_to_dataframe(table: CharacterTable) -> Any:
    import pandas

    return pandas.DataFrame([row.values for row in table], index=table.names, columns=table.class_names, dtype=object)


def decomposition_rows(found: Decomposition) -> list[tuple[str, int, int]]:
    return [(name, c.degree, c.multiplicity) for name, c in zip(found.names(), found)]


def decomposition_to_dataframe(found: Decomposition) -> Any:
    import pandas

    return pandas.DataFrame(decomposition_rows(found), columns=["irrep", "degree", "multiplicity"])


def table_to_dataframe(table: Table) -> Any:
    """One line for every entry that is not a structural zero; of sparse elements one for every entry of each."""
    import numpy
    import pandas

    if not table.is_tied:
        parameter = numpy.repeat(numpy.arange(table.params), numpy.diff(table.basis_ptr))
        return pandas.DataFrame(
            {"row": table.basis_row, "col": table.basis_col, "parameter": parameter, "value": table.basis_val}
        )
    codes = table.weight_code
    row, col = codes.nonzero()
    code = codes[row, col].astype(numpy.int64) - 1
    sign = numpy.where(code < table.params, 1, -1)
    return pandas.DataFrame({"row": row, "col": col, "parameter": code % table.params, "sign": sign})


def symmetric_function_to_sympy(function: SymmetricFunction, n: int) -> Any:
    import sympy

    x = [sympy.Symbol(f"x{i + 1}") for i in range(n)]
    terms = (
        _sympy_number(a) * sympy.Mul(*(v**k for v, k in zip(x, exponents)))
        for exponents, a in function.expand(n).items()
    )
    return sympy.Add(*terms)


def polynomial_maps_to_sympy(maps: PolynomialMaps) -> list[Any]:
    import sympy

    x = [sympy.Symbol(f"x{i + 1}") for i in range(maps.source.dimension)]
    monomials = [sympy.Mul(*(x[v] ** k for v, k in m)) for m in maps.monomials]
    columns = []
    for terms in maps.maps:
        sums: list[list[Any]] = [[] for _ in range(maps.target.dimension)]
        for output, monomial, coefficient in terms:
            sums[output].append(_sympy_number(coefficient) * monomials[monomial])
        columns.append(sympy.Matrix([sympy.Add(*terms) for terms in sums]))
    return columns


def _of_core(name: str) -> Callable[..., Any]:
    """For pickle, which knows no functions of extensions."""

    def ask(*arguments: Any) -> Any:
        from . import _core

        return getattr(_core, name)(*arguments)

    ask.__name__ = ask.__qualname__ = name
    return ask


polynomial_maps, kernel_basis, molecule = _of_core("polynomial_maps"), _of_core("kernel_basis"), _of_core("molecule")
correlation_table, reduce_problem = _of_core("correlation_table"), _of_core("reduce_problem")
tensor_form, project_tensor, steerable_kernels, point_kernels = (
    _of_core("tensor_form"),
    _of_core("project_tensor"),
    _of_core("steerable_kernels"),
    _of_core("point_kernels"),
)


def polynomial_values(maps: PolynomialMaps, x: Any) -> Any:
    """All maps at an array [..., dim V] of floats."""
    import numpy

    from ._errors import DomainError

    n = maps.source.dimension
    if x.ndim == 0 or x.shape[-1] != n:
        raise DomainError(f"the maps take arrays of the shape [..., {n}], not {list(x.shape)}")
    terms = maps.to_arrays()
    values = numpy.multiply(
        terms["coefficient"], numpy.prod(x[..., terms["variables"]], axis=-1)[..., terms["monomial"]]
    )
    out = numpy.zeros((*x.shape[:-1], len(maps), maps.target.dimension), dtype=values.dtype)
    numpy.add.at(out, (..., terms["map"], terms["output"]), values)
    return out
