"""Semidefinite programs reduced by their symmetry, exactly.

A problem is: minimize ⟨C, X⟩ subject to ⟨A_i, X⟩ = b_i for all i, X symmetric, block diagonal and positive semidefinite.

>>> from intertwine.sdp import theta
>>> pentagon = theta([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
>>> pentagon
<Reduction by a group of order 10, 15 variables become 3>
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from . import _bell, _linear_squares, _model_files, _semidefinite, _sums_of_squares, _symmetric_squares
from ._certificates import Certificate
from ._core import Group, Problem, ReducedBlock, Reduction, Representation, limits, reduce_problem
from ._errors import DomainError
from ._guesses import publish
from ._model_files import Model
from ._reductions import CvxpyReduction, ModelReduction, NpaReduction, SosReduction
from ._simple_graphs import Graph

if TYPE_CHECKING:  # NumPy is imported where it is used: `import intertwine` is light
    Progress: TypeAlias = bool | Callable[[str, int, int], object] | None

__all__ = [
    "Certificate",
    "Graph",
    "Model",
    "Problem",
    "ReducedBlock",
    "Reduction",
    "npa",
    "read",
    "reduce",
    "sos",
    "theta",
    "write",
]


def read(path: str | os.PathLike[str]) -> Model:
    """A semidefinite program from a file: .dat-s of SDPA, .cbf of MOSEK and CBLIB, or .mof.json of JuMP.

    Decimals are the exact numbers that they write. Free variables are differences of two that are nonnegative.

    Parameters
    ----------
    path : str or path
        Its end says the format.

    Returns
    -------
    Model
        `problem`, `maximize`, `constant` and `optimum(value)`; reduce() takes it.

    Raises
    ------
    FileError
        for a file that is none of its format, naming the line; for variables that are whole numbers, and for cones and sets
        other than linear and semidefinite ones, naming them.

    Examples
    --------
    >>> from intertwine.sdp import Problem, read, reduce, write
    >>> write(Problem([[2, 1], [1, 2]], [[[1, 0], [0, 1]]], [1]), "small.cbf", constant=3)
    >>> model = read("small.cbf")
    >>> model, model.optimum(1)
    (<Model to minimize, Problem of 2 rows, 3 variables, 1 constraint>, 4.0)
    >>> reduce(model).write("reduced.mof.json")
    """
    return _model_files.read(path)


def write(
    problem: Problem,
    path: str | os.PathLike[str],
    maximize: bool = False,
    constant: int | float | Fraction = 0,
) -> None:
    """Writes a problem to a file: .dat-s, .cbf or .mof.json.

    Parameters
    ----------
    problem : Problem
        minimize ⟨C, X⟩.
    path : str or path
        Its end says the format.
    maximize : bool
        Whether the file maximizes -⟨C, X⟩ plus the constant instead of minimizing ⟨C, X⟩ plus it.
    constant : number
        The constant of the objective. The format of SDPA has neither a sense nor a constant.

    Raises
    ------
    DomainError
        for another end of the name, and for what the format has not.
    """
    _model_files.write(problem, path, maximize, constant)


@overload
def reduce(
    problem: Problem,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    find: bool = True,
    images: bool = False,
    faces: bool = True,
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> Reduction: ...
@overload
def reduce(
    problem: Any,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    find: bool = True,
    images: bool = False,
    faces: bool = True,
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> Any: ...
def reduce(
    problem: Any,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    find: bool = True,
    images: bool = False,
    faces: bool = True,
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> Any:
    """The problem reduced by a group that fixes it, with the same optimum.

    The mean of a solution over the group is a solution with the same value. Invariant matrices have one block for every
    irreducible representation, whose size is how often it occurs in the rows.

    Parameters
    ----------
    problem : Problem, Model or cvxpy.Problem
        A Model is from a file. The objective and the constraints of a cvxpy.Problem are linear, or state that an affine
        matrix is positive semidefinite. Its variables are PSD, NSD, nonneg, nonpos or free; a free one is the
        difference of two that are nonneg.
    group : Group, Representation or str, optional
        Without it all permutations of rows that fix the problem are found.
    action : str, optional
        How the group permutes the rows of all blocks, one after the other, with signs or without: "perm" if nothing is said.
    find : bool
        Whether the group is looked for where none is stated.
    images : bool
        Whether every constraint stands for all of its images under the group, which is stated then, and C for its mean.
    faces : bool
        Whether constraints ⟨A, X⟩ = 0 with a semidefinite mean make blocks smaller, exactly: X lies on the kernel of A.
    **limits
        `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

    Returns
    -------
    Reduction, ModelReduction or CvxpyReduction
        `problem`, `blocks`, `group_order`, `variables_before`, `variables_after` and `lift(values)`.

    Raises
    ------
    DomainError
        for a group that does not fix the problem, naming the generator and the entry or constraint; for variables and
        constraints of cvxpy of other kinds, naming them.
    LimitError
        where the work would exceed a limit.

    Examples
    --------
    >>> from intertwine.sdp import Problem, reduce
    >>> J, I = [[-1] * 4 for _ in range(4)], [[int(i == j) for j in range(4)] for i in range(4)]
    >>> reduction = reduce(Problem(J, [I], [1]), "S4")
    >>> reduction
    <Reduction by a group of order 24, 10 variables become 2>
    >>> [(block.size, block.multiplicity) for block in reduction.blocks]
    [(1, 1), (1, 3)]
    """
    if group is None and action is None and not find:
        raise DomainError("there is no group to reduce by: state one, or leave find=True")
    if group is None and images:
        raise DomainError("images=True is of a group that is stated: the constraints do not say which group it is")
    rows = _semidefinite.acting(group, action)
    with limits(memory=memory, seconds=seconds, progress=progress, threads=threads):
        if isinstance(problem, Problem):
            return reduce_problem(problem, rows, images, faces)
        if isinstance(problem, Model):
            return ModelReduction(problem, reduce_problem(problem.problem, rows, images, faces))
        if not (hasattr(problem, "objective") and hasattr(problem, "constraints")):
            raise DomainError(f"reduce takes a Problem or a cvxpy.Problem, not a value of {type(problem).__name__}")
        read = _semidefinite.read_cvxpy(problem)
        return CvxpyReduction(read, reduce_problem(read.problem, rows, images, faces))


def theta(
    graph: Any,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    variant: Literal["lovasz", "schrijver", "szegedy"] = "lovasz",
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> Reduction:
    """Lovász's theta of a graph, or one of its variants, reduced by the automorphisms of the graph.

    Theta is the largest sum of the entries of a positive semidefinite X of trace 1 that is 0 on the edges [Lovász 1979].
    The problem minimizes the negative of this sum, so that its optimum is -theta. Schrijver's theta' asks for entries >= 0
    as well, and is Delsarte's bound of codes [Schrijver 1979]. Szegedy's theta+ allows entries <= 0 on the edges
    [Szegedy 1994]. The largest set of vertices that are not joined has at most theta' <= theta <= theta+ vertices.

    Parameters
    ----------
    graph : Graph, graph, array, list of pairs, str or path
        What `Graph` takes: a graph of NetworkX, a symmetric adjacency matrix, a list of edges, or the name of a file.
    group : Group, Representation or str, optional
        A group of automorphisms; without it all of them are found.
    action : str, optional
        How the group permutes the vertices: "perm" if nothing is said.
    variant : str
        "lovasz" for theta, "schrijver" for theta', "szegedy" for theta+. The last two have, behind the vertices, a row of
        `before` for each orbit of pairs whose entries have a sign. A constraint of `before` is the sum over an orbit.
    **limits
        `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

    Returns
    -------
    Reduction

    Raises
    ------
    DomainError
        for a directed graph, a loop, no vertex, another variant, and a group that does not fix the graph.

    Examples
    --------
    >>> from intertwine.sdp import theta
    >>> square = theta([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> square.group_order, square.variables_before, square.variables_after
    (8, 10, 3)
    >>> theta([(0, 1), (1, 2), (2, 3), (3, 0)], variant="schrijver").before.blocks
    [4, -1]
    """
    return Graph(graph).theta(
        variant, group, action, memory=memory, seconds=seconds, progress=progress, threads=threads
    )


def sos(
    p: Any,
    variables: Any,
    group: Group | Representation | str | None = None,
    action: str | None = None,
    inequalities: Sequence[Any] = (),
    level: int | None = None,
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> SosReduction:
    """The largest number that can be taken from a polynomial so that a sum of squares is left, as a reduced problem.

    p - λ is a sum of squares if it is m^T Q m, where m has the monomials of at most half of the degree and Q ⪰ 0. The
    problem minimizes the constant of m^T Q m, so that λ = p(0) - optimum is a lower bound of p. Monomials are those whose
    squares are in the convex hull of 1 and the terms of p, decided exactly [Reznick 1978]. Of a form of degree 2d the
    monomials of degree d alone are taken. Its problem has C = 0, and is feasible if the form is a sum of squares.

    With inequalities g >= 0, p - λ is a sum of squares and of products of g with sums of squares [Putinar 1993]. Then λ is a
    lower bound of p where all g >= 0, and all monomials that the level allows are taken [Lasserre 2001].

    Where all permutations of the variables fix everything, or with them all sign changes or all those of an even number
    of signs, blocks are made by tableaux. Their sizes and the work do not grow with the number of variables
    [Riener, Theobald, Andrén & Lasserre 2013]. Inequalities may also be one polynomial in each variable, as those of a
    box.

    Parameters
    ----------
    p : polynomial of SymPy, dict or SymmetricFunction
        A dict has {exponents: coefficient}, such as {(2, 0): 1, (0, 2): 1}. A symmetric function of intertwine.sf such
        as m[4] - m[2] is that of all variables.
    variables : list or int
        The symbols; of a dict and of a symmetric function their number is enough.
    group : Group, Representation or str, optional
        A group that fixes p and permutes the variables, with signs or without, and the inequalities; or one of rational
        matrices that fixes p and the inequalities, and moves the variables as the vectors of a basis. "S30", "B30" and
        "W(D30)" act on 30 variables, the last with an even number of signs. Without it the largest of these three is
        taken that fixes p and the inequalities; where none does, permutations of monomials are looked for.
    action : str, optional
        How the group acts on the variables: "perm" if nothing is said.
    inequalities : list of polynomials
        Each g for g >= 0, written as p is.
    level : int, optional
        No square and no product has a degree over 2 level; the least one that p and the inequalities allow otherwise.
    **limits
        `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

    Returns
    -------
    SosReduction
        `problem`, `blocks`, `before`, `monomials`, `lift(values)` and `certificate()`.

    Raises
    ------
    DomainError
        for a polynomial of odd degree without inequalities, exponents that are none, a level that is too small, and a
        group that does not fix p or takes an inequality to none.
    LimitError
        for more monomials than can be listed, and for too many tableaux.

    Examples
    --------
    >>> from intertwine.sdp import sos
    >>> quartic = sos({(4, 0): 1, (0, 4): 1, (1, 1): -4}, 2, "S2")
    >>> quartic.before.rows, [block.size for block in quartic.blocks]
    (6, [4, 2])
    >>> disk = sos({(1, 1): 1}, 2, "S2", inequalities=[{(0, 0): 1, (2, 0): -1, (0, 2): -1}])
    >>> disk.monomials
    [[(0, 0), (1, 0), (0, 1)], [(0, 0)]]
    >>> from intertwine.sf import m
    >>> [(block.name, block.size) for block in sos(m[4] - m[2], 30, "S30").blocks]
    [('[30]', 4), ('[29,1]', 3), ('[28,2]', 1)]
    """
    with limits(memory=memory, seconds=seconds, progress=progress, threads=threads):
        variables = _sums_of_squares.variable_list(variables)
        by_tableaux = _symmetric_squares.question(p, variables, group, action, inequalities, level)
        if by_tableaux is not None:
            return SosReduction(by_tableaux, by_tableaux.reduced())
        V = _symmetric_squares.acting(group, action, variables)
        if V is not None and _semidefinite.signed_images(V) is None:
            by_matrices = _linear_squares.question(p, variables, V, inequalities, level)
            return SosReduction(by_matrices, by_matrices.reduced())
        question = _sums_of_squares.question(p, variables, inequalities, level)
        return SosReduction(
            question, reduce_problem(question.problem, None if V is None else _sums_of_squares.on_rows(question, V))
        )


def npa(
    functional: dict[Any, Any],
    level: int | str = 1,
    operators: Literal["observables", "projectors"] = "observables",
    group: Group | Representation | str | None = None,
    action: str | None = None,
    *,
    memory: int | str | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> NpaReduction:
    """The largest quantum value of a Bell functional, bounded by a level of the hierarchy of moments, reduced by symmetry.

    λ - f is a sum of squares of words w in the operators, Σ Q[v, w] v* w with Q ⪰ 0 [Navascués, Pironio & Acín 2008].
    The problem minimizes the constant of this sum, so that λ = optimum + the constant of f: `value()`. Operators of
    different parties commute.

    Parameters
    ----------
    functional : dict
        {word: coefficient}. A word is a text of operators such as "A0 B1", party and setting, or a tuple of them; "" is 1.
    level : int or str
        The words of at most so many letters; "1+AB" has those of one letter and a letter of each of two parties.
    operators : str
        "observables" have the square 1, and the values +1 and -1. "projectors" are their own squares: "A0" is one of
        two outcomes. With more outcomes they are "A0_0", "A0_1", ..., all but the last, and orthogonal.
    group : Group, Representation or str, optional
        A group of signed permutations of the observables that fixes the functional. Without it all of them are found that
        permute parties and settings and exchange the two outcomes; permutations of rows where an observable occurs
        twice in a word, or where there are more outcomes.
    action : str, optional
        How the group acts on the operators, in the order of their names: "perm" if nothing is said.
    **limits
        `memory=`, `seconds=`, `progress=` and `threads=`, as of `intertwine.limits`.

    Returns
    -------
    NpaReduction
        `problem`, `blocks`, `words`, `value()`, `lift(values)` and `certificate()`, whose bound is that of -f.

    Raises
    ------
    DomainError
        for names that are no operators, a level without the words of the functional, and a group that does not fix it.

    Examples
    --------
    >>> from intertwine.sdp import npa
    >>> chsh = npa({"A0 B0": 1, "A0 B1": 1, "A1 B0": 1, "A1 B1": -1})
    >>> chsh
    <NpaReduction by a group of order 16, 15 variables become 3>
    >>> chsh.words
    ['', 'A0', 'A1', 'B0', 'B1']
    """
    with limits(memory=memory, seconds=seconds, progress=progress, threads=threads):
        question = _bell.question(functional, level, operators)
        V = _semidefinite.acting(group, action)
        if V is None:
            V = _bell.symmetries(question)
        return NpaReduction(
            question, reduce_problem(question.problem, None if V is None else _bell.on_rows(question, V))
        )


publish(__name__, globals(), __all__)
