"""Crystals from files and from the objects of other packages: space groups, sites and modes."""

import copy
import json
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError, SpaceGroup
from intertwine import _structures as structures
from intertwine.chem import Crystal

CRYSTALS = ROOT / "examples" / "crystals"
SALT = ([[0, 2.82, 2.82], [2.82, 0, 2.82], [2.82, 2.82, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ["Na", "Cl"])


@pytest.fixture(scope="module", autouse=True)
def _search():
    """Without a search in the library the package spglib has to be there."""
    try:
        Crystal(SALT)
    except DomainError as error:
        assert "pip install spglib" in str(error)
        pytest.skip("no search for space groups")


def optical(crystal):
    return {m.name: m.multiplicity for m in crystal.modes().optical}


def test_rutile():
    rutile = Crystal(CRYSTALS / "rutile.cif")
    assert (rutile.space_group.number, rutile.space_group.setting, len(rutile)) == (136, "P 42/m n m", 6)
    assert rutile.space_group == SpaceGroup(136) and rutile.point_group.order == 16
    titanium, oxygen = rutile.sites
    assert (
        titanium.element,
        titanium.wyckoff,
        titanium.multiplicity,
        titanium.site_symmetry,
        titanium.point_group,
    ) == (
        "Ti",
        "a",
        2,
        "m.mm",
        "D2h",
    )
    assert (oxygen.wyckoff, oxygen.site_symmetry, len(oxygen.atoms)) == ("f", "m.2m", 4)
    assert oxygen.position == pytest.approx((0.3053, 0.3053, 0))
    modes = rutile.modes()
    assert {m.name: m.multiplicity for m in modes.mechanical} == {
        "A1g": 1, "A2g": 1, "B1g": 1, "B2g": 1, "Eg": 1, "A2u": 2, "B1u": 2, "Eu": 4
    }  # fmt: skip
    assert [m.name for m in modes.acoustic] == ["A2u", "Eu"] and "2 B1u" in repr(modes)
    assert {m.name for m in modes.optical if m.raman} == {"A1g", "B1g", "B2g", "Eg"}
    assert {m.name for m in modes.optical if m.ir} == {"A2u", "Eu"} and not modes.optical[0].hyper_raman
    assert sum(m.multiplicity * m.degree for m in modes.mechanical) == 18 and repr(modes.optical[0]) == "<Mode 1 A1g>"
    assert rutile.site_modes == [{"A2u": 1, "B1u": 1, "Eu": 2}, {
        "A1g": 1, "A2g": 1, "B1g": 1, "B2g": 1, "Eg": 1, "A2u": 1, "B1u": 1, "Eu": 2
    }]  # fmt: skip
    V = rutile.atom_rep() * rutile.point_group.rep("coordinates")
    assert V.dimension == 18 and V.decompose()
    assert "P4_2/mnm (number 136)" in rutile.describe()
    answer = json.loads(rutile.to_json())
    assert answer["space_group"] == {"number": 136, "name": "P4_2/mnm", "hall": "-P 4n 2n", "setting": "P 42/m n m"}
    assert answer["sites"][1]["wyckoff"] == "f" and answer["modes"]["acoustic"][0]["ir"] is True


def test_files():
    assert optical(Crystal(str(CRYSTALS / "quartz.cif"))) == {"A1": 4, "A2": 4, "E": 8}
    silicon = Crystal(CRYSTALS / "POSCAR")
    assert silicon.space_group.number == 227 and optical(silicon) == {"T2g": 1}
    place = silicon.transformation @ [0.25, 0.25, 0.25] + silicon.shift
    assert np.allclose((place - silicon.shift) * 4, [1, 1, 1])
    salt = Crystal(CRYSTALS / "rock_salt.xyz")
    assert salt.space_group.number == 225 and len(salt) == 8 and sorted(set(salt.primitive)) == [0, 1]
    assert np.allclose(salt.cell, 5.64 * np.eye(3)) and salt.deviation < 1e-9 and salt.displacement < 1e-9
    with pytest.raises(FileError, match="no Lattice="):
        Crystal(ROOT / "examples" / "molecules" / "water.xyz")


def test_values():
    salt = Crystal(SALT)
    for again in (
        pickle.loads(pickle.dumps(salt)),
        copy.deepcopy(salt),
        Crystal((SALT[0], SALT[1], [11, 17])),
        Crystal((np.array(SALT[0]), np.array(SALT[1]), np.array([11, 17]))),
    ):
        assert again == salt and hash(again) == hash(salt) and again.to_json() == salt.to_json()
    assert salt != Crystal(SALT, tolerance=0.02) and salt.tolerance == 0.01
    for value in (salt.modes(), salt.modes().optical[0], salt.sites[0]):
        assert pickle.loads(pickle.dumps(value)) == value == copy.copy(value) and hash(value) is not None
    assert repr(salt.sites[1]) == "<CrystalSite Cl 4b>"


class Kind:
    """A species of pymatgen, which has a hash."""

    def __init__(self, symbol):
        self.symbol = symbol


def test_objects_of_other_packages():
    """By what they have, since none of these packages is a dependency."""
    cell, positions, symbols = np.array(SALT[0]), np.array(SALT[1]), list(SALT[2])
    pbc = [True] * 3
    ase = SimpleNamespace(
        get_pbc=lambda: pbc,
        cell=cell,
        get_scaled_positions=lambda wrap=True: positions,
        get_chemical_symbols=lambda: symbols,
    )
    pymatgen = SimpleNamespace(
        lattice=SimpleNamespace(matrix=cell),
        frac_coords=positions,
        species=[SimpleNamespace(element=SimpleNamespace(symbol="Na")), SimpleNamespace(symbol="Cl")],
        is_ordered=True,
    )
    phonopy = SimpleNamespace(cell=cell, scaled_positions=positions, symbols=symbols)
    for structure in (ase, pymatgen, phonopy):
        assert Crystal(structure) == Crystal(SALT)
    pbc[2] = False
    with pytest.raises(DomainError, match="do not repeat along all three edges"):
        Crystal(ase)
    shares = {"Na": 0.5, "K": 0.5}
    shared = SimpleNamespace(species={Kind(symbol): share for symbol, share in shares.items()})
    whole = SimpleNamespace(species={Kind("Cl"): 1.0})

    class Disordered(list):
        lattice, frac_coords, is_ordered = pymatgen.lattice, pymatgen.frac_coords, False

    disordered = Disordered([shared, whole])
    assert [s.element for s in Crystal(disordered, occupancy="average").sites] == ["Na0.5K0.5", "Cl"]
    assert [s.element for s in Crystal(disordered, occupancy="split").sites] == ["Na0.5", "K0.5", "Cl"]
    with pytest.raises(DomainError, match="Na0.5 and K0.5"):
        Crystal(disordered)
    with pytest.raises(DomainError, match="none of 'average', 'split'"):
        Crystal(disordered, occupancy="half")


def test_the_search_of_the_package_is_that_of_the_library():
    pytest.importorskip("spglib")
    for file in ("rutile.cif", "quartz.cif", "POSCAR", "rock_salt.xyz"):
        crystal = Crystal(CRYSTALS / file)
        cell = crystal.__reduce__()[1][0]
        hall, transformation, _, letters, symmetries = structures.match_of(cell, 0.01)
        assert hall == crystal.space_group.hall and np.linalg.det(transformation) == pytest.approx(
            np.linalg.det(crystal.transformation)
        )
        assert sorted(set(letters)) == sorted({s.wyckoff for s in crystal.sites})
        assert {s.strip() for s in symmetries} == {s.site_symmetry for s in crystal.sites}


@pytest.mark.parametrize(
    "structure, why",
    [
        (object(), "give the name of a CIF"),
        ((SALT[0], SALT[1]), "give the name of a CIF"),
        ((SALT[0], SALT[1], [1.5, 2]), "give the name of a CIF"),
        ((SALT[0], SALT[1], ["Na"]), "positions"),
        ((SALT[0][:2], SALT[1], SALT[2]), r"\[2, 3\]"),
        ((SALT[0], SALT[1], ["Na", "Xx"]), "no element"),
        ((SALT[0], SALT[1], [11, 119]), "119"),
        ((SALT[0], [SALT[1][0]] * 2, SALT[2]), "0 apart"),
        (([[1, 0, 0], [0, 1, 0], [1, 1, 0]], SALT[1], SALT[2]), "no volume"),
        (([], [], []), "shape"),
    ],
)
def test_refused(structure, why):
    with pytest.raises(DomainError, match=why):
        Crystal(structure)
    with pytest.raises(DomainError, match="positive distance"):
        Crystal(SALT, tolerance=-1)


def cif_of(number, name):
    """A CIF with the operations of a space group, and this number for its name."""
    group = SpaceGroup(number)
    lengths, angles = (5, 5.9, 7.1), (90, 90, 90)
    if number <= 15:
        angles = (81, 83, 77) if number <= 2 else (90, 77, 90)
    elif number > 74:
        lengths, angles = (5, 5, 6.3 if number <= 194 else 5), (90, 90, 120 if 143 <= number <= 194 else 90)
    lines = [f"_cell_length_{edge} {x}" for edge, x in zip("abc", lengths)]
    lines += [f"_cell_angle_{angle} {x}" for angle, x in zip(("alpha", "beta", "gamma"), angles)]
    lines += [f"_space_group_IT_number {name}", "loop_", "_space_group_symop_operation_xyz"]
    for W, w in group.operations:
        for t in group.centring:
            rows = ("".join(f"{'+' if c > 0 else '-'}{'xyz'[j]}" for j, c in enumerate(row) if c) for row in W)
            lines.append(",".join(f"{row}+{x + y}" for row, x, y in zip(rows, w, t)))
    lines += ["loop_", "_atom_site_label", *(f"_atom_site_fract_{x}" for x in "xyz"), "C1 0.11 0.23 0.37"]
    return "data_a\n" + "\n".join([*lines, "O1 0.04 0.31 0.22"]) + "\n"


def test_operations_are_those_of_the_name(tmp_path):
    """Names of groups with as many operations of the same kinds are told apart, too."""
    path = tmp_path / "a.cif"
    path.write_text(cif_of(4, 3))
    try:
        Crystal(path, 1e-3)
        pytest.skip("the library was built without spglib, which tells them apart")
    except FileError as error:
        assert "P2_1 (number 4), and 3 in line 8" in str(error)
    kinds = {n: (SpaceGroup(n).point_group, len(SpaceGroup(n).centring)) for n in range(1, 231)}
    refused = 0
    for number in range(1, 231, 3):
        path.write_text(cif_of(number, number))
        assert Crystal(path, 1e-3).space_group == SpaceGroup(number)
        other = next((n for n in range(230, 0, -1) if n != number and kinds[n] == kinds[number]), None)
        if other is None:
            continue
        path.write_text(cif_of(number, other))
        with pytest.raises(FileError, match=rf"and {other} in line 8 is"):
            Crystal(path, 1e-3)
        refused += 1
    assert refused > 50
