"""Semidefinite programs in CBF and MOF: what they say is solved, reduced and written, and what is none is refused."""

import json
from fractions import Fraction

import numpy as np
import pytest
from intertwine import DomainError, FileError
from intertwine.sdp import Model, ModelReduction, Problem, read, reduce, theta, write

# maximize 2 - 2 (X11 + X12 + X22) - x0 + x1 + 3 x2 - x3 where x0 >= 0 >= x1, x2 is free, x3 is 0, X is a matrix,
# X11 + X22 = 1, x0 - x1 >= 1 (as -1 + x0 - x1), x2 <= 4 - X12, and [[x2, 1], [1, x0 + 2]] is a matrix.
CBF = """# a comment
VER
3

OBJSENSE
MAX

PSDVAR
1
2

VAR
4 4
L+ 1
L- 1
F 1
L= 1

PSDCON
1
2

CON
4 4
L= 1
L+ 1
L- 1
F 1

OBJFCOORD
3
0 0 0 -2.0
0 1 0 -1e0
0 1 1 -2

OBJACOORD
4
0 -1
1 1
2 3
3 -1

OBJBCOORD
2.0

FCOORD
3
0 0 0 0 1
0 0 1 1 1
2 0 1 0 0.5

ACOORD
4
1 0 1
1 1 -1
2 2 1
3 2 7

BCOORD
3
0 -1
1 -1
2 -4

HCOORD
2
0 2 0 0 1
0 0 1 1 1

DCOORD
2
0 1 0 1
0 1 1 2
"""


@pytest.fixture(scope="module")
def cvxpy():
    return pytest.importorskip("cvxpy", reason="cvxpy is not installed")


def optimum(problem):
    asked = problem.to_cvxpy()
    value = asked.solve(solver="CLARABEL")
    assert asked.status == "optimal"
    return value, [v.value for v in sorted(asked.variables(), key=lambda v: v.id)]


def stated(cvxpy):
    """The same as a problem of cvxpy, written by hand."""
    X, x = cvxpy.Variable((2, 2), PSD=True), cvxpy.Variable(4)
    objective = 2 - 2 * (X[0, 0] + X[0, 1] + X[1, 1]) - x[0] + x[1] + 3 * x[2] - x[3]
    M = cvxpy.bmat([[x[2], 1], [1, x[0] + 2]])
    constraints = [x[0] >= 0, x[1] <= 0, x[3] == 0, cvxpy.trace(X) == 1, x[0] - x[1] >= 1, x[2] <= 4 - X[0, 1], M >> 0]
    return cvxpy.Problem(cvxpy.Maximize(objective), constraints).solve(solver="CLARABEL")


def test_a_file_of_cbf_is_what_it_says(cvxpy, tmp_path):
    (tmp_path / "p.cbf").write_text(CBF)
    model = read(tmp_path / "p.cbf")
    assert isinstance(model, Model) and model.maximize and model.constant == 2
    assert model.problem.blocks[0] == 2 and "Model to maximize, Problem of" in repr(model)
    value = model.optimum(optimum(model.problem)[0])
    assert value == pytest.approx(stated(cvxpy), abs=1e-5)
    reduction = reduce(model)
    assert isinstance(reduction, ModelReduction) and reduction.model is model
    reduced, Z = optimum(reduction.problem)
    assert model.optimum(reduced) == pytest.approx(value, abs=1e-5)
    lifted = reduction.lift(Z)
    assert set(lifted) == {"X0", "x0", "x1", "x2", "x3"} and lifted["X0"].shape == (2, 2) and lifted["x3"] == 0
    assert lifted["x0"] > -1e-6 and lifted["x1"] < 1e-6 and np.trace(lifted["X0"]) == pytest.approx(1, abs=1e-5)
    objective = 2 - 2 * np.sum(lifted["X0"] * [[1, 0.5], [0.5, 1]]) - lifted["x0"] + lifted["x1"] + 3 * lifted["x2"]
    assert objective == pytest.approx(value, abs=1e-4)


def as_mof():
    """The program of CBF as JuMP writes it: y are the entries of X by columns of the upper triangle."""

    def affine(constant, **terms):
        given = [{"coefficient": x, "variable": name} for name, x in terms.items()]
        return {"type": "ScalarAffineFunction", "terms": given, "constant": constant}

    def vector(constants, *terms):
        given = [{"output_index": k, "scalar_term": {"coefficient": x, "variable": name}} for k, name, x in terms]
        return {"type": "VectorAffineFunction", "terms": given, "constants": constants}

    triangle = {"type": "PositiveSemidefiniteConeTriangle", "side_dimension": 2}
    return {
        "name": "a model",
        "version": {"major": 1, "minor": 2},
        "variables": [{"name": name} for name in ("x0", "x1", "x2", "x3", "y1", "y2", "y3")],
        "objective": {"sense": "max", "function": affine(2.0, y1=-2, y2=-2, y3=-2.0, x0=-1, x1=1, x2=3, x3=-1)},
        "constraints": [
            {"function": {"type": "VectorOfVariables", "variables": ["y1", "y2", "y3"]}, "set": triangle},
            {"function": {"type": "Variable", "name": "x0"}, "set": {"type": "GreaterThan", "lower": 0}},
            {
                "function": {"type": "VectorOfVariables", "variables": ["x1"]},
                "set": {"type": "Nonpositives", "dimension": 1},
            },
            {"function": {"type": "Variable", "name": "x3"}, "set": {"type": "EqualTo", "value": 0.0}},
            {"name": "trace", "function": affine(0, y1=1, y3=1), "set": {"type": "EqualTo", "value": 1}},
            {"function": affine(0, x0=1, x1=-1), "set": {"type": "Interval", "lower": 1, "upper": 100}},
            {"function": vector([-4, 0], (1, "x2", 1), (1, "y2", 1)), "set": {"type": "Nonpositives", "dimension": 2}},
            {"function": vector([0, 1, 2], (1, "x2", 1), (3, "x0", 1)), "set": triangle},
            {"function": {"type": "VectorOfVariables", "variables": ["x2"]}, "set": {"type": "Reals", "dimension": 1}},
            {
                "function": vector([0, 1, 1, 2], (1, "x2", 1), (4, "x0", 1)),
                "set": {"type": "PositiveSemidefiniteConeSquare", "side_dimension": 2},
            },
        ],
    }


def test_a_file_of_mof_is_what_it_says(cvxpy, tmp_path):
    path = tmp_path / "p.mof.json"
    path.write_text(json.dumps(as_mof()))
    model = read(path)
    assert model.maximize and model.constant == 2 and model.problem.blocks[0] == 2
    value, Z = optimum(reduce(model).problem)
    assert model.optimum(value) == pytest.approx(stated(cvxpy), abs=1e-5)
    lifted = reduce(model).lift(Z)
    assert set(lifted) == {"x0", "x1", "x2", "x3", "y1", "y2", "y3"}
    assert lifted["y1"] + lifted["y3"] == pytest.approx(1, abs=1e-5) and lifted["x2"] + lifted["y2"] < 4 + 1e-5
    feasible = as_mof() | {"objective": {"sense": "feasibility"}}
    path.write_text(json.dumps(feasible))
    assert not list(read(path).problem.C.entries()) and not read(path).maximize


@pytest.mark.parametrize("end", [".cbf", ".mof.json", ".dat-s"])
def test_what_is_written_is_read_back(cvxpy, end, tmp_path):
    """Exactly, with the sense and the constant; and the reduced problem has the optimum of theta."""
    problem = Problem(
        np.diag([1, 2, 3, 4, -5]) + 0.25 * (np.eye(5, k=1) * [0, 1, 0, 0, 0] + (np.eye(5, k=1) * [0, 1, 0, 0, 0]).T),
        [np.eye(5, dtype=int), np.diag([0, 0, 1, 0.125, 0])],
        [1, Fraction(-1, 8)],
        blocks=[2, -2, 1],
    )
    path = tmp_path / f"p{end}"
    if end == ".dat-s":
        write(problem, path)
        assert read(path).problem == problem
        with pytest.raises(DomainError, match="neither a sense nor a constant"):
            write(problem, path, constant=1)
    else:
        write(problem, path, maximize=True, constant=Fraction(7, 2))
        model = read(path)
        assert model.maximize and model.constant == Fraction(7, 2) and model.optimum(1) == 2.5
        assert sorted(model.problem.blocks) == sorted(problem.blocks) and model.problem.variables == problem.variables
        assert [*map(float, model.problem.b)] == [1, -0.125]
    pentagon = theta([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    write(pentagon.before, path)
    reduction = reduce(read(path))
    assert reduction.group_order == 10
    reduction.write(tmp_path / f"reduced{end}")
    assert optimum(read(tmp_path / f"reduced{end}").problem)[0] == pytest.approx(-(5**0.5), abs=1e-6)


def edited(old, new):
    assert old in CBF
    return CBF.replace(old, new, 1)


@pytest.mark.parametrize(
    "text, said",
    [
        (edited("VER\n3", "VER\n9"), "line 3: version 9 is none of 1 to 4"),
        (edited("MAX", "BEST"), "line 6: the sense is MIN or MAX, not BEST"),
        (edited("L- 1\nF 1", "Q 2"), "line 15: the cone Q is none that is reduced"),
        (edited("L- 1\nF 1", "L- 2\nF 1"), "cones of VAR have other sizes together than 4"),
        (edited("OBJBCOORD", "INT\n1\n0\n\nOBJBCOORD"), "INT makes variables whole numbers"),
        (edited("OBJBCOORD", "POWCONES"), "POWCONES is no keyword that is reduced"),
        (edited("0 0 0 -2.0", "0 0 2 -2.0"), r"the place \(0, 2\) is outside of a matrix of 2 rows"),
        (edited("0 0 0 -2.0", "1 0 0 -2.0"), "an index of OBJFCOORD is 1, and goes from 0 to 0"),
        (edited("0 1 0 -1e0", "0 0 0 -1"), "a place of OBJFCOORD is there twice"),
        (edited("0 1 1 -2\n", "0 0 1 -2\n"), r"entries \(0, 1\) and \(1, 0\) of matrix 0 are both there"),
        (edited("0 1 1 -2\n", "0 1 1 x\n"), "line 34: the number is x, which is no number"),
        (edited("0 1 1 -2\n", "0 1 1 1e99999\n"), "which is no number"),
        (edited("0 1 1 -2\n", "0 1 -2\n"), "a line of OBJFCOORD is 3 indices and a number"),
        (edited("PSDVAR\n1\n2", "PSDVAR\n1\n0"), "a matrix has no rows"),
        (edited("PSDVAR\n1\n2", "PSDVAR\n1\n99999999999"), "has 99999999999 rows"),
        (edited("OBJSENSE", "VER\n1\nOBJSENSE"), "VER is there twice"),
        ("VER\n", "the file ends before the version"),
        ("", "no variable"),
    ],
)
def test_bad_files_of_cbf(text, said, tmp_path):
    (tmp_path / "p.cbf").write_text(text)
    with pytest.raises(FileError, match=said) as raised:
        read(tmp_path / "p.cbf")
    assert "p.cbf" in str(raised.value) and "\n" not in str(raised.value)


def changed(*steps, value):
    data = as_mof()
    at = data
    for k in steps[:-1]:
        at = at[k]
    at[steps[-1]] = value
    return data


@pytest.mark.parametrize(
    "data, said",
    [
        ([], "the file has no version"),
        (changed("version", "major", value=2), "its version is 2"),
        (changed("variables", 1, value={"name": "x0"}), "two variables have one name"),
        (changed("constraints", 1, "set", value={"type": "Integer"}), "constraint 2 is in a set of the type Integer"),
        (changed("constraints", 6, "set", value={"type": "SecondOrderCone", "dimension": 2}), "type SecondOrderCone"),
        (
            changed("constraints", 4, "function", "type", value="ScalarQuadraticFunction"),
            "constraint trace has a function",
        ),
        (changed("constraints", 0, "set", "side_dimension", value=3), "3 entries, and its set the side_dimension 3"),
        (changed("constraints", 6, "set", "dimension", value=3), "2 entries, and its set another dimension"),
        (
            changed("constraints", 6, "function", "terms", 0, "output_index", value=3),
            "output_index 3, and goes from 1 to 2",
        ),
        (changed("constraints", 1, "function", "name", value="z"), "the variable z, which is not declared"),
        (changed("constraints", 4, "set", "value", value="1"), "constraint trace has no value that is a number"),
        (changed("constraints", 4, "set", "value", value=float("nan")), "not valid JSON"),
        (changed("objective", "sense", value="best"), "the sense is min, max or feasibility, not best"),
        (
            changed("objective", "function", value={"type": "VectorOfVariables", "variables": ["x0", "x1"]}),
            "several entries",
        ),
    ],
)
def test_bad_files_of_mof(data, said, tmp_path):
    (tmp_path / "p.mof.json").write_text(json.dumps(data))
    with pytest.raises(FileError, match=said) as raised:
        read(tmp_path / "p.mof.json")
    assert "p.mof.json" in str(raised.value) and "\n" not in str(raised.value)


def test_other_names_and_files(tmp_path):
    for name in ("p.mps", "p.json"):
        with pytest.raises(DomainError, match="ends in none of .dat-s, .cbf and .mof.json"):
            read(tmp_path / name)
        with pytest.raises(DomainError, match="ends in none of"):
            write(Problem([[1]], [], []), tmp_path / name)
    with pytest.raises(FileError, match="missing.cbf"):
        read(tmp_path / "missing.cbf")
    (tmp_path / "p.mof.json").write_text("{")
    with pytest.raises(FileError, match="not valid JSON"):
        read(tmp_path / "p.mof.json")
    (tmp_path / "p.cbf").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="no text in UTF-8"):
        read(tmp_path / "p.cbf")
