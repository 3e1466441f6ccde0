"""Representations of space groups at wave vectors, by themselves and beside spgrep; structures written; tensors projected."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, LimitError, SpaceGroup
from intertwine.chem import Crystal, molecule, project_tensor, tensor_form

CRYSTALS = ROOT / "examples" / "crystals"


@pytest.fixture(scope="module")
def rutile():
    try:
        return Crystal(CRYSTALS / "rutile.cif")
    except DomainError as error:
        assert "pip install spglib" in str(error)
        pytest.skip("no search for space groups")


def test_irreps_at():
    diamond = SpaceGroup(227)
    X = diamond.irreps_at([1, 0, 0])
    assert (X.dimensions, X.star, len(X), X.k) == ([2, 2, 2, 2], 3, 4, (1, 0, 0))
    assert X.space_group == diamond and len(X.operations) == 16 and X.operations[0][1] == (0, 0, 0)
    assert [row[0] for row in X.characters] == [2, 2, 2, 2] and "16 operations" in repr(X)
    values = np.array([[complex(x) for x in row] for row in X.characters])
    assert np.allclose(values @ values.conj().T, 16 * np.eye(4))
    assert pickle.loads(pickle.dumps(X)) == X == copy.copy(X) and X != diamond.irreps_at([0, 0, 0])
    assert hash(X) == hash(diamond.irreps_at(["1", 0, 0]))
    assert SpaceGroup("P 21/c").irreps_at([0, Fraction(1, 2), 0]).dimensions == [2]
    for k, words in (([0.25, 0, 0], r"Fraction\(1, 4\)"), ([0, 0], "three rational numbers"), ("abc", "three rational"), (["sqrt(2)", 0, 0], "coordinate 1 is none")):  # fmt: skip
        with pytest.raises(DomainError, match=words):
            diamond.irreps_at(k)
    with pytest.raises(DomainError, match="not of rods and layers"):
        SpaceGroup.layer(7).irreps_at([0, 0, 0])
    with pytest.raises(LimitError, match="roots of unity"):
        SpaceGroup(4).irreps_at([0, "1/1000003", 0])
    # Large denominators take no longer than small ones, and (2_1)^2 is a translation there, too.
    screw = SpaceGroup(4).irreps_at([0, "1/9001", 0])
    k = 2j * np.pi / 9001
    assert screw.dimensions == [1, 1]
    for _, value in screw.characters:
        assert complex(value) ** 2 == pytest.approx(np.exp(-k))
    general = SpaceGroup(198).irreps_at(["1/1009", "1/1009", "1/1009"])
    assert general.dimensions == [1, 1, 1] and general.star == 4


def test_lines():
    X = SpaceGroup(227).irreps_at([1, 0, 0])
    line = X.along([1, 0, 0])
    assert line.dimensions == [1, 1, 1, 1, 2] and line.direction == (1, 0, 0) and X.direction is None
    table = np.array(X.compatibility(line))
    assert (table @ line.dimensions == X.dimensions).all() and sorted(table.sum(axis=1).tolist()) == [1, 1, 2, 2]
    assert pickle.loads(pickle.dumps(line)) == line != X and "along (1, 0, 0)" in line.describe()
    assert '"direction"' in line.to_json()
    assert SpaceGroup(216).irreps_at([0, 0, 0], True).kp_dimensions(order=1) == [0, 0, 1]  # [Dresselhaus1955]
    for question, words in [
        (lambda: X.along([0, 0, 0]), "not"),
        (lambda: line.along([0, 0, 1]), "line already"),
        (lambda: X.compatibility(X), "no line"),
        (lambda: X.along(["1/2", 0]), "three rational numbers"),
    ]:
        with pytest.raises(DomainError, match=words):
            question()
    with pytest.raises(LimitError, match="order 101"):
        X.kp_dimensions(101)


def test_irreps_of_crystals(rutile):
    assert rutile.irreps_at([0, 0, 0]).dimensions == [1] * 8 + [2] * 2
    assert rutile.irreps_at([0, 0, "1/2"]).dimensions == [2] * 4
    assert rutile.irreps_at([0, "1/2", 0]).space_group == rutile.space_group
    assert rutile.irreps_at([0, 0, "1/2"], spinors=True).degeneracies == [4]  # all bands fourfold


@pytest.mark.parametrize("number", [4, 14, 19, 33, 62, 76, 92, 106, 136, 152, 176, 186, 194, 198, 205, 212])
def test_irreps_are_those_of_spgrep(number):
    spgrep = pytest.importorskip("spgrep")
    group = SpaceGroup(number)
    assert len(group.centring) == 1  # k is in edges of the reciprocal primitive cell there
    rotations = np.array([W for W, _ in group.operations])
    translations = np.array([w for _, w in group.operations], dtype=float)
    for k in ([0, 0, 0], ["1/2", 0, 0], [0, "1/2", 0], [0, 0, "1/2"], ["1/2", "1/2", 0], ["1/2"] * 3, ["1/3", "1/3", 0], [0, 0, "1/4"]):  # fmt: skip
        mine = group.irreps_at(k)
        theirs, chosen = spgrep.get_spacegroup_irreps_from_primitive_symmetry(
            rotations, translations, np.array([float(Fraction(x)) for x in k])
        )
        where = {tuple(map(tuple, W)): n for n, (W, _) in enumerate(mine.operations)}
        assert len(where) == len(chosen)
        columns = [where[tuple(map(tuple, rotations[c].tolist()))] for c in chosen]
        ours = np.array([[complex(row[c]) for c in columns] for row in mine.characters])
        found = np.array([np.trace(irrep, axis1=1, axis2=2) for irrep in theirs])
        assert ours.shape == found.shape
        overlap = ours @ found.conj().T / len(columns)
        assert np.allclose(abs(overlap.sum(axis=0) - 1), 0, atol=1e-6) and np.allclose(overlap**2, overlap, atol=1e-6)


FACES = [[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]
BODY = [[0, 0, 0], [0.5, 0.5, 0.5], [0, 0.5, 0.25], [0.5, 0, 0.75]]
CENTRED = {  # edges of the cell, positions moved by each of the vectors, atomic numbers
    "diamond": ([5.43] * 3, [(14, FACES, [[0, 0, 0], [0.25] * 3])]),
    "fluorite": ([5.46] * 3, [(20, FACES, [[0, 0, 0]]), (9, FACES, [[0.25] * 3, [0.75] * 3])]),
    "anatase": ([3.785, 3.785, 9.514], [(22, BODY, [[0, 0, 0]]), (8, BODY, [[0, 0, 0.2081], [0, 0, -0.2081]])]),
}


@pytest.mark.parametrize("name", CENTRED)
def test_irreps_of_centred_crystals_have_the_dimensions_of_spgrep(name):
    spgrep = pytest.importorskip("spgrep")
    edges, kinds = CENTRED[name]
    atoms = [(Z, list(np.add(x, t) % 1)) for Z, places, moved in kinds for t in moved for x in places]
    cell, positions, numbers = np.diag(edges), [x for _, x in atoms], [Z for Z, _ in atoms]
    crystal = Crystal((cell.tolist(), positions, numbers))
    for k in (
        [0, 0, 0],
        ["1/2"] * 3,
        [1, 0, 0],
        ["1/2", 1, 0],
        ["1/2", 0, 0],
        ["3/8", "3/8", "3/4"],
        ["1/2", "1/2", 0],
    ):
        found = spgrep.get_spacegroup_irreps(cell, np.array(positions), numbers, [float(Fraction(x)) for x in k])[0]
        assert sorted(crystal.irreps_at(k).dimensions) == sorted(irrep.shape[1] for irrep in found)


def test_structures_are_written(rutile, tmp_path):
    for name in ("sym.cif", "POSCAR", "sym.xyz"):
        rutile.write(tmp_path / name)
        again = Crystal(tmp_path / name, tolerance=1e-5)
        assert again.space_group.number == 136 and again.deviation < 1e-9 and len(again.sites) == 2
    with pytest.raises(DomainError, match="into files .cif"):
        rutile.write(tmp_path / "a.json")
    with pytest.raises(FileError):
        rutile.write(tmp_path / "no" / "folder.cif")
    hydronium = [("O", (0, 0, 0.1)), ("H", (0.94, 0, -0.2)), ("H", (-0.47, 0.81, -0.21)), ("H", (-0.46, -0.82, -0.19))]
    found = molecule(hydronium, 0.005, target="C3v") if "C3v" in str(molecule(hydronium, 0.01).ladder) else None
    found = found or molecule(hydronium, 0.01, target="C3v")
    found.write(tmp_path / "h3o.xyz")
    assert molecule(tmp_path / "h3o.xyz", 1e-4).schoenflies == "C3v"
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(DomainError, match="the atoms do not have Td"):
        molecule(hydronium, target="Td")
    with pytest.raises(DomainError, match="into .xyz files"):
        found.write(tmp_path / "a.cif")


def test_projected_tensors():
    random = np.random.default_rng(6)
    c = random.normal(size=(6, 6))
    p = project_tensor("elastic", "m-3m", c + c.T)
    assert list(p.constants) == ["c11", "c12", "c44"] and p.form == tensor_form("elastic", "m-3m")
    assert p.constants["c11"] == pytest.approx(np.diag(c + c.T)[:3].mean())
    assert p.constants["c44"] == pytest.approx(np.diag(c + c.T)[3:].mean())
    assert p.nearest.shape == (6, 6) and np.allclose(p.given, c + c.T) and 0 < p.lost < p.size
    assert project_tensor("elastic", "m-3m", p.nearest).lost < 1e-12 and "3 constants" in repr(p)
    assert pickle.loads(pickle.dumps(p)) == p == copy.deepcopy(p)
    assert project_tensor("pyroelectric", "4", [1, 2, 3]).constants == {"p3": 3.0}
    turned = project_tensor("piezoelectric", "31m", random.normal(size=(3, 6)))
    assert "d11" in turned.constants and pickle.loads(pickle.dumps(turned)) == turned
    # c11' = (c11 + c12 + 2 c44) / 2 along a diagonal of a face.
    axes = [[1, 1, 0], [-1, 1, 0], [0, 0, 2]]
    stiff = np.diag([165.7, 165.7, 165.7, 79.6, 79.6, 79.6])
    stiff[:3, :3] += 63.9 * (1 - np.eye(3))
    diagonal = stiff.copy()
    diagonal[0, 0] = diagonal[1, 1] = (165.7 + 63.9 + 2 * 79.6) / 2
    diagonal[0, 1] = diagonal[1, 0] = (165.7 + 63.9 - 2 * 79.6) / 2
    diagonal[5, 5] = (165.7 - 63.9) / 2
    turned = project_tensor("elastic", "m-3m", diagonal, axes=axes)
    assert turned.lost < 1e-9 and np.allclose(turned.nearest, diagonal) and np.array_equal(turned.axes, axes)
    assert turned.constants == pytest.approx({"c11": 165.7, "c12": 63.9, "c44": 79.6})
    assert p.axes is None and pickle.loads(pickle.dumps(turned)) == turned != project_tensor(
        "elastic", "m-3m", diagonal
    )
    d = np.zeros((3, 6))
    d[0, 3] = d[1, 4] = d[2, 5] = 2.0  # d14 of -43m, twice a component; along a diagonal d31 = -d32 = d14 / 2
    other = np.zeros((3, 6))
    other[2, 0], other[2, 1], other[0, 4], other[1, 3] = 1, -1, 2, -2
    assert project_tensor("piezoelectric", "-43m", other, axes=axes).constants == pytest.approx({"d14": 2})
    assert project_tensor("piezoelectric", "-43m", d).lost < 1e-12
    for wrong, words in [([[1, 0, 0], [0, 1, 0], [1, 1, 1]], "not at right angles"), ([[0, 1, 0], [1, 0, 0], [0, 0, 1]], "left-handed"), ([[0, 0, 0], [1, 0, 0], [0, 0, 1]], "is 0")]:  # fmt: skip
        with pytest.raises(DomainError, match=words):
            project_tensor("elastic", "m-3m", stiff, axes=wrong)
    for array, words in [
        (c[:5], r"shape \[6, 6\], and these have \[5, 6\]"),
        (np.zeros((3, 3, 3, 3)), "Voigt's notation have the shape"),
        (np.full((6, 6), np.inf), "no finite number"),
        ("abc", "an array of numbers"),
    ]:
        with pytest.raises(DomainError, match=words):
            project_tensor("elastic", "m-3m", array)
    with pytest.raises(DomainError, match="there is no tensor property"):
        project_tensor("elasticity of mind", "m-3m", c)
