"""Molecules and tensors of crystals from Python: the same as the program says, and values that behave."""

import copy
import json
import math
import os
import pickle

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, Group, LimitError, ParseError, limits, load_table
from intertwine.chem import correlation_table, molecule, project_tensor, raman_tensors, tensor_form

MOLECULES = ROOT / "examples" / "molecules"
WATER = [("O", (0, 0, 0)), ("H", (0.757, 0.586, 0)), ("H", np.array([-0.757, 0.586, 0]))]


def test_water():
    w = molecule(WATER)
    assert (w.schoenflies, w.hermann_mauguin, w.group.order, len(w), repr(w)) == (
        "C2v",
        "mm2",
        4,
        3,
        "<Molecule of 3 atoms, C2v>",
    )
    assert [(s.name, s.degree, s.total, s.translations, s.rotations, s.vibrations) for s in w.species] == [
        ("A1", 1, 3, 1, 0, 2), ("A2", 1, 1, 0, 1, 0), ("B1", 1, 2, 1, 1, 0), ("B2", 1, 3, 1, 1, 1)
    ]  # fmt: skip
    assert [(s.infrared, s.raman, s.hyper_raman) for s in w.species] == [
        (True,) * 3,
        (False, True, True),
        (True,) * 3,
        (True,) * 3,
    ]
    assert [w.character_table.names[s.rows[0]] for s in w.species] == ["A1", "A2", "B1", "B2"] and "A1" in repr(
        w.species[0]
    )
    assert (w.force_constants, w.internal_force_constants) == (16, 4) and w.orbits == [0, 1, 1] and w.tolerance == 0.05
    given = np.array([np.asarray(p, float) for _, p in WATER])
    assert np.allclose(w.positions, (given - w.centre) @ w.rotation.T) and np.linalg.det(w.rotation) == pytest.approx(1)
    assert np.abs(w.symmetrized - w.positions).max() <= w.displacement + 1e-12 and w.deviation <= 1e-12
    assert [e for e, _ in w.atoms] == ["O", "H", "H"] and w.atoms[1][1] == (0.757, 0.586, 0.0)
    assert "2 A1 + B2" in w.describe() and json.loads(w.to_json())
    for again in (pickle.loads(pickle.dumps(w)), copy.deepcopy(w), copy.copy(w)):
        assert again.to_json() == w.to_json()


def test_periodic_files_are_no_clusters(tmp_path):
    file = tmp_path / "diamond.xyz"
    file.write_text('2\nLattice="0 1.78 1.78 1.78 0 1.78 1.78 1.78 0" pbc="T T T"\nC 0 0 0\nC 0.89 0.89 0.89\n')
    with pytest.raises(FileError, match="line 2: pbc= says .* space group .*cluster=True"):
        molecule(file)
    assert molecule(file, cluster=True).schoenflies == "D∞h"


def test_names_of_files_are_bytes_of_the_system(tmp_path):
    file = os.fsdecode(os.fsencode(tmp_path) + b"/water-\xff.xyz")
    with open(file, "w") as out:
        out.write("3\n\n" + "".join(f"{e} {' '.join(map(str, p))}\n" for e, p in WATER))
    assert molecule(file).schoenflies == "C2v"
    for name in (file + "\0", file + "\0.xyz"):  # the system reads what is before the 0
        with pytest.raises(DomainError, match="no text"):
            molecule(name)
        with pytest.raises(TypeError):
            load_table(name)


def test_representations_of_molecules_read_back():
    for atoms in (
        WATER,
        [("Xe", (0, 0, 0))] + [("F", p) for p in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))],
        [("C", (0, 0, 0)), ("H", (0.1, 1, 0.3)), ("O", (1, 0, 0)), ("N", (0, 0.2, 1))],
    ):
        m = molecule(atoms)
        V = m.atom_rep() * m.group.rep("cartesian")
        assert eval(repr(V)) == V == pickle.loads(pickle.dumps(V)) and V.dimension == 3 * len(atoms)


@pytest.mark.parametrize(
    "name, group",
    [
        ("benzene", "D6h"),
        ("carbon_dioxide", "D∞h"),
        ("methane", "Td"),
        ("buckminsterfullerene", "Ih"),
        ("ethane_skew", "D3"),
    ],
)
def test_files(name, group):
    found = molecule(MOLECULES / f"{name}.xyz")
    assert found.schoenflies == group == molecule(str(MOLECULES / f"{name}.xyz"), tolerance=0.04).schoenflies
    assert sum(s.total * s.degree for s in found.species) == 3 * len(found)
    assert sum(s.vibrations * s.degree for s in found.species) == 3 * len(found) - (5 if "∞" in group else 6)
    if "∞" not in group:  # two ways to the displacements
        dimension = (found.atom_rep() * found.group.rep("coordinates")).dimension
        assert dimension == 3 * len(found)


def test_patterns_of_force_constants():
    water = molecule(WATER)
    blocks = water.force_constant_blocks()
    assert [b.atoms for b in blocks] == [(0, 0), (0, 1), (1, 1), (1, 2)] and [b.pairs for b in blocks] == [1, 2, 2, 1]
    assert sum(len(b.independent) for b in blocks) == water.force_constants
    assert blocks[3].entries == [["xx", "0", "0"], ["0", "yy", "yz"], ["0", "-yz", "zz"]]
    assert blocks[3].coefficients.shape == (9, 4)
    with pytest.raises(LimitError):
        water.force_constant_blocks(memory=1)


def test_symmetry_coordinates_are_orthonormal_and_span():
    found = molecule(MOLECULES / "ammonia.xyz")
    coordinates = found.symmetry_coordinates()
    basis = np.array([c.vector.reshape(-1) for c in coordinates])
    assert basis.shape == (12, 12) and np.allclose(basis @ basis.T, np.eye(12), atol=1e-12)
    assert [c.kind for c in coordinates].count("rotation") == 3
    for c in coordinates:
        assert c.partner < found.species[c.species].degree and c.copy < found.species[c.species].total
    moved = [c for c in coordinates if c.kind == "translation"]
    assert all(np.allclose(c.vector, c.vector[0]) for c in moved)
    assert copy.copy(moved[0]).vector.shape == (4, 3)


def test_groups_within_more_and_less():
    # O-H 0.900, 0.979, 0.979: C3v from afar, Cs exactly.
    hydronium = [
        ("O", (0, 0, 0)),
        ("H", (0.81, 0, 0.3923)),
        ("H", (-0.4405, 0.7631, 0.4267)),
        ("H", (-0.4405, -0.7631, 0.4267)),
    ]
    default = molecule(hydronium)
    assert [name for name, _ in default.ladder] == ["C3v", "Cs"] and default.schoenflies == "Cs"
    assert 0.05 < default.ladder[0][1] < 0.051 and default.ladder[1][1] < 1e-9
    wide = molecule(hydronium, tolerance=0.06)
    assert wide.schoenflies == "C3v" and wide.deviation == wide.ladder[0][1]
    assert "groups        Cs at 0; beyond the tolerance C3v at 0.05" in default.describe()
    assert "groups        C3v at 0.05" in wide.describe()
    rungs = json.loads(default.to_json())["ladder"]
    assert [(r["schoenflies"], r["order"], r["within_tolerance"]) for r in rungs] == [
        ("C3v", "6", False),
        ("Cs", "2", True),
    ]
    rng = np.random.default_rng(3)
    for _ in range(20):
        noisy = [(e, np.array(p) + 0.03 * rng.normal(size=3)) for e, p in hydronium]
        first = molecule([(e, tuple(p)) for e, p in noisy], tolerance=0.3)
        if first.deviation:
            again = molecule([(e, tuple(p)) for e, p in noisy], tolerance=1.02 * first.deviation)
            assert again.schoenflies == first.schoenflies


def test_tensors():
    form = tensor_form("elastic", Group("Oh"))
    assert (
        form.shape == (6, 6)
        and form.independent == [(0, 0), (0, 1), (3, 3)]
        and form.entries[1][:3] == ["c12", "c11", "c12"]
    )
    assert (
        (form.name, form.group, form.coefficients.shape) == ("elastic", Group("Oh"), (36, 3))
        and "strain" in form.meaning
        and "3 components" in repr(form)
    )
    assert pickle.loads(pickle.dumps(form)).entries == form.entries == copy.copy(form).entries
    assert not tensor_form("piezoelectric", Group("Oh")).independent
    # [Nye 1957], the piezoelectric moduli of quartz
    assert (
        len(tensor_form("piezoelectric", "D3").independent) == len(tensor_form("piezoelectric", "32").independent) == 2
    )
    magnetic = tensor_form("magnetoelectric", "-3'm'")
    assert magnetic.independent == [(0, 0), (2, 2)] and magnetic == tensor_form(
        "magnetoelectric", "-3'm'"
    ) != tensor_form("magnetoelectric", "-3m")
    assert "-3'm'" in repr(magnetic) and pickle.loads(pickle.dumps(magnetic)) == magnetic
    hall = tensor_form("conductivity", "4/mm'm'")  # iron, magnetized along its axis [Kleiner 1966]
    assert hall.entries == [["s11", "s12", "0"], ["-s12", "s11", "0"], ["0", "0", "s33"]]
    assert (
        tensor_form("elastic", "m-3m").entries == form.entries
        and len(tensor_form("elastic", "isotropic").independent) == 2
    )


def test_tensors_in_other_axes():
    form = tensor_form("elastic", "m-3m")
    rows = form.in_axes([[1, 1, 0], [-1, 1, 0], [0, 0, 1]])
    assert rows[0][:3] == ["(c11 + c12 + 2 c44)/2", "(c11 + c12 - 2 c44)/2", "c12"] and rows[5][5] == "(c11 - c12)/2"
    assert rows == form.in_axes("turn 45 about 0,0,1") == form.in_axes("zxz 45,0,0")
    given = [[2, 0.25, 0], [0.25, 2, 0], [0, 0, 3]]
    turned = project_tensor("dielectric", "mmm", given, axes="turn 45 about 0,0,1")
    assert turned.lost < 1e-12 and abs(turned.constants["e11"] - 1.75) < 1e-12
    assert turned.axes is not None and abs(turned.axes[0][1] - math.sqrt(0.5)) < 1e-12
    for axes, words in [
        ([[1, 1], [1, 0]], "a matrix of 2 x 2"),
        ("turn 45", "turn 45 about 1,1,1"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, -1]], "left-handed"),
    ]:
        with pytest.raises(DomainError, match=words):
            form.in_axes(axes)
    with pytest.raises(DomainError, match="write 1/2"):
        form.in_axes("0.5,0,0,0,1,0,0,0,1")


def test_raman_tensors():
    cubic = raman_tensors("m-3m")
    assert list(cubic) == ["A1g", "Eg", "T2g"] == list(raman_tensors(Group("Oh")))
    assert cubic["Eg"][0] == [["b", "0", "0"], ["0", "b", "0"], ["0", "0", "-2 b"]]
    assert [T[i][j] for T, (i, j) in zip(cubic["T2g"], [(1, 2), (0, 2), (0, 1)])] == ["c"] * 3
    with pytest.raises(DomainError, match="no point group"):
        raman_tensors(Group("S8"))
    with pytest.raises(DomainError, match="without end"):
        raman_tensors(group="Coov")


def test_correlation_tables():
    Td = correlation_table("Oh", "Td")
    assert Td.settings == [
        {
            "A1g": {"A1": 1},
            "A2g": {"A2": 1},
            "Eg": {"E": 1},
            "T1g": {"T1": 1},
            "T2g": {"T2": 1},
            "A1u": {"A2": 1},
            "A2u": {"A1": 1},
            "Eu": {"E": 1},
            "T1u": {"T2": 1},
            "T2u": {"T1": 1},
        }
    ]
    assert Td.group == Group("Oh") and Td.subgroup == Group("Td") and "T2u  T1" in str(Td) and "1 way" in repr(Td)
    assert (
        pickle.loads(pickle.dumps(Td)).settings == Td.settings == correlation_table(Group("Oh"), Group("Td")).settings
    )
    assert json.loads(Td.to_json())["to"] == "Td" and r"T_{2" in Td.to_latex()
    D2h = correlation_table("D4h", "D2h")
    assert len(D2h.settings) == len(D2h.classes) == 2 and D2h.classes[0]["E"] == "E"
    with pytest.raises(DomainError, match="D4 is no subgroup of Td"):
        correlation_table("Td", "D4")
    D4h = correlation_table("double(Oh)", "double(D4h)")
    assert D4h.settings[0]["F3/2g"] == {"E1/2g": 1, "E3/2g": 1} and D4h.classes[0]["R"] == "R"
    assert pickle.loads(pickle.dumps(D4h)).settings == D4h.settings
    assert correlation_table(Group("double(Oh)"), Group("double(Td)")).settings[0]["E1/2u"] == {"E5/2": 1}
    with pytest.raises(DomainError, match="take two of one kind"):
        correlation_table("double(Oh)", "D4h")


def test_bad_input(tmp_path):
    bad = tmp_path / "bad.xyz"
    bad.write_text("2\n\nO 0 0 0\nXx 0 0 1\n")
    with pytest.raises(FileError, match="Xx"):
        molecule(bad)
    for atoms in (
        7,
        [("O",)],
        [("O", (0, 0))],
        [("O", "abc")],
        [(1, (0, 0, 0))],
        [("Qq", (0, 0, 0))],
        [],
        [("O", (0, 0, float("nan")))],
    ):
        with pytest.raises(DomainError):
            molecule(atoms)
    with pytest.raises(DomainError, match="tolerance"):
        molecule(WATER, tolerance=-1)
    with pytest.raises(DomainError, match="elastic"):
        tensor_form("colour", Group("Oh"))
    with pytest.raises(DomainError):
        tensor_form("elastic", Group("S9"))
    with pytest.raises(ParseError):
        tensor_form("elastic", "X9")
    many = [("H", (float(k), 0.5 * (k % 3), 0.0)) for k in range(2000)]
    large = molecule(many)
    with pytest.raises(LimitError), limits(memory="16 MB"):
        large.symmetry_coordinates()


def test_molecules_of_other_packages():
    atoms = [("O", (0, 0, 0)), ("H", (0.76, 0, 0.59)), ("H", (-0.76, 0, 0.59))]

    class AseLike:
        def __init__(self, pbc):
            self.pbc = pbc

        def get_pbc(self):
            return [self.pbc, False, False]

        def get_chemical_symbols(self):
            return [symbol for symbol, _ in atoms]

        def get_positions(self):
            return np.array([x for _, x in atoms])

    assert molecule(AseLike(False)) == molecule(atoms) == molecule(AseLike(True), cluster=True)
    with pytest.raises(DomainError, match="repeat as a crystal"):
        molecule(AseLike(True))
    with pytest.raises(DomainError, match="atoms of ASE, a Molecule of pymatgen"):
        molecule(3.5)


def test_molecules_of_ase():
    build = pytest.importorskip("ase.build")
    assert molecule(build.molecule("C60"), 0.05).schoenflies == "Ih"
    assert molecule(build.molecule("CH4")).schoenflies == "Td"
    with pytest.raises(DomainError, match="cluster=True"):
        molecule(build.bulk("NaCl", "rocksalt", a=5.6))


def test_molecules_of_pymatgen():
    class Element:
        def __init__(self, symbol):
            self.symbol = symbol

    class Species:  # an element with a charge
        def __init__(self, symbol):
            self.element = Element(symbol)

    class PymatgenMolecule:
        is_ordered = True
        species = [Element("O"), Species("H"), Element("H")]
        cart_coords = np.array([[0, 0, 0], [0.757, 0.586, 0], [-0.757, 0.586, 0]])

    class PymatgenStructure(PymatgenMolecule):
        lattice = np.eye(3)

    class Disordered(PymatgenMolecule):
        is_ordered = False

    assert molecule(PymatgenMolecule()) == molecule(WATER) == molecule(PymatgenStructure(), cluster=True)
    with pytest.raises(DomainError, match="repeat as a crystal"):
        molecule(PymatgenStructure())
    with pytest.raises(DomainError, match="shared by several species"):
        molecule(Disordered())
