"""Nothing is bound that no test calls, everything says what it is, and types are checked."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys

import intertwine
import pytest
from conftest import ROOT
from public_names import public

HERE = pathlib.Path(__file__).parent


def bound():
    for name, (_, value) in public().items():
        yield name, value
        if isinstance(value, type) and not issubclass(value, BaseException):
            for attribute, method in vars(value).items():
                if not attribute.startswith("__"):
                    yield f"{name}.{attribute}", method


def overloads(binding):
    """The positional and all parameters of each, but for those of all long calls."""
    for text, *_ in getattr(getattr(binding, "__func__", binding), "__nb_signature__", ()):
        found = ast.parse(re.sub(r"\\\d+", "...", text) + ": ...").body[0].args
        positional = [a.arg for a in found.posonlyargs + found.args]
        yield (
            positional,
            {*positional, *(a.arg for a in found.kwonlyargs)} - {"memory", "seconds", "progress", "threads"},
        )


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """What the tests beside this one call, in a run of their own; pages are left out, for they show and do not try."""
    file = tmp_path_factory.mktemp("calls") / "calls.json"
    tests = sorted(
        str(f) for f in HERE.glob("test_*.py") if f.name not in ("test_complete.py", "test_documentation.py")
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "recorder", *tests]
    path = os.pathsep.join([str(HERE), str(pathlib.Path(intertwine.__file__).parents[1])])
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path, "INTERTWINE_CALLS": str(file)}
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return json.loads(file.read_text())


def test_every_binding_is_called(calls):
    assert len(calls) > 900 and not [name for name, found in calls.items() if not found]


def test_every_argument_is_given(calls):
    """Types that cannot be converted fail only when they are: every parameter has had a value, and every overload a
    call."""
    silent = []
    for name, binding in [
        *bound(),
        *(
            (f"{c}.{a}", m)
            for c, owner in bound()
            if isinstance(owner, type)
            for a, m in vars(owner).items()
            if a.startswith("__")
        ),
    ]:
        found = calls.get(name, [])
        variants = list(overloads(binding))
        for positional, every in variants:
            fitting = [
                (n, names)
                for n, _, names in found
                if n <= len(positional) and every >= {*names} - {"memory", "seconds", "progress", "threads"}
            ]
            given = {p for n, names in fitting for p in [*positional[:n], *names]}
            silent += [f"{name}({p})" for p in sorted(every - given)] if name in calls else []
        if name in calls and len({(n, types) for n, types, _ in found}) < len(variants):
            silent.append(f"{name}: {len(variants)} overloads")
    assert not silent


def test_ci_installs_what_tests_skip_for():
    """A package that a test does without is in one of the lists of pyproject.toml, which .ci/run installs. Sage, escnn
    and emlp are not: what fits them is old. cuequivariance-torch is a peer of benchmarks."""
    lists = re.search(
        r"^\[project.optional-dependencies\]\n(.*?)^\[", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE
    )[1]
    listed = {*re.findall(r'"([\w-]+)', lists), "numpy"}
    assert "scripts/test-layers" in (ROOT / ".ci" / "run").read_text()
    assert (
        "[test,test-nn,test-torch]" in (ROOT / "scripts" / "test-layers").read_text()
        and "[test]" in (ROOT / "scripts" / "test").read_text()
    )
    called = {"sklearn": "scikit-learn"}
    wanted = {name for f in HERE.rglob("*.py") for name in re.findall(r'importorskip\(\s*"(\w+)', f.read_text())}
    assert len(wanted) > 10 and {called.get(name, name) for name in wanted} - listed == {
        "cuequivariance_torch",
        "escnn",
        "hiphive",
        "sage",
    }


def test_everything_is_documented():
    silent = [
        name for name, value in bound() if name != "__version__" and not (getattr(value, "__doc__", None) or "").strip()
    ]
    assert not silent


def stub_text():
    return (pathlib.Path(intertwine.__file__).parent / "_core.pyi").read_text()


def test_stubs_say_types():
    text = stub_text()
    assert (
        "arg0" not in text
        and not re.search(r"-> object\b", text)
        and "intertwine::" not in text
        and "std::" not in text
    )
    assert (pathlib.Path(intertwine.__file__).parent / "py.typed").exists()


GOOD = """
from fractions import Fraction

import numpy as np
from intertwine import Certificate, Cyclotomic, Group, Hom, IrreducibleForms, LimitError, Matrix, PolynomialMaps
from intertwine.gl import CoordinateRing
from intertwine.sf import Partition
from intertwine.tables import DiagramProof
from intertwine import KernelSpace, PointKernels, Representation, SteerableKernels, Table, branch, limits, load_table, polynomial_maps, verify
from intertwine.sf import SymmetricFunction, h, s
from intertwine.tables import ProvedCharacters, TableProof

G = Group("S4")
order: int = G.order
V: Representation = 3 * G.rep("perm") + G.rep("perm") ** 2 * G.rep("sign")
W: Representation = V.T.sym(2).alt(1).schur([2, 1]).restrict(G.stabilizer(0))
hom: Hom = V >> V
certificate: Certificate = hom.certificate(seconds=10, progress=True, memory="1GiB")
dimension: int = hom.dimension + hom.bias.dimension
basis: list[Matrix] = hom.basis()
entry: int | Fraction | Cyclotomic = basis[0][0, 0]
same: bool = basis[0] == basis[1]
table: Table = hom.table()
codes = table.weight_code
shape: tuple[int, ...] = codes.shape
sizes: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = table.orbit_size
digest: str = table.save("layer.safetensors")
proved: TableProof | DiagramProof | PolynomialMaps | IrreducibleForms | ProvedCharacters | SteerableKernels | PointKernels | KernelSpace = verify("layer.safetensors")
params: int = load_table("layer.safetensors").params
if isinstance(proved, TableProof):
    params += proved.params
function: SymmetricFunction = s([2, 1]) * s[1] + 2 * h[2](s[1, 1]) / 3
for partition, coefficient in function:
    weight: int = partition.weight + partition[0]
    number: int | Fraction = coefficient
scalar: int | Fraction = function.scalar(s[Partition((2, 1))])
maps: PolynomialMaps = polynomial_maps(V, V, degree=2)
multiplicities: list[int] = [m for _, m in branch([2], "orthogonal", 3).constituents + branch((2,), V).constituents]
values: list[int] = CoordinateRing(2, 3).ideal(2).hilbert_function(4)
symmetrized = hom.symmetrize(np.eye(4))
for row in G.character_table():
    degree: int | Fraction | Cyclotomic = row.degree
for constituent in V.decompose("real"):
    multiplicity: int = constituent.multiplicity
with limits(seconds=1.5, progress=lambda phase, done, total: None):
    try:
        G.classes()
    except LimitError as error:
        print(error)
"""

BAD = {
    'G.rep("perm") + 1': "operator",
    "Group(1.5)": "arg-type",
    "x: str = G.order": "assignment",
    'G.rep("perm").sym("2")': "arg-type",
    'G.rep("perm").decompose("p-adic")': "arg-type",
    "G.foo": "attr-defined",
    '(G.rep("perm") >> G).dimension': "operator",
    "G.character_table(second=3)": "call-arg",
    's[2] * "a"': "operator",
    "s[2].coefficient(2)": "arg-type",
    'branch([2], "orthogonal")': "call-overload",
}


def mypy(tmp_path, text, *others):
    pytest.importorskip("mypy")
    file = tmp_path / "user.py"
    file.write_text(text)
    package = str(pathlib.Path(intertwine.__file__).parents[1])
    environment = {
        "MYPYPATH": "" if "site-packages" in package else package,
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--config-file=",
        str(file),
        *map(str, others),
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    return done.stdout + done.stderr


def test_mypy_accepts_what_is_right(tmp_path):
    examples = [f for f in ROOT.glob("examples/*/*.py") if f.stem == f.parent.name]
    assert len(examples) >= 9 and mypy(tmp_path, GOOD, *examples) == ""


def test_mypy_refuses_what_is_wrong(tmp_path):
    lines = ["from intertwine import Group, branch; from intertwine.sf import s", "G = Group('S4')", *BAD]
    found = mypy(tmp_path, "\n".join(lines) + "\n")
    for number, code in enumerate(BAD.values(), start=3):
        assert re.search(rf"user\.py:{number}: error: .*\[{code}\]", found), (lines[number - 1], found)
