"""Time reversal, spinors and magnetic space groups at wave vectors, by themselves and beside spgrep."""

import copy
import importlib.util
import pathlib
import pickle
import sqlite3
from fractions import Fraction

import numpy as np
import pytest
from intertwine import DomainError, SpaceGroup
from intertwine.chem import Crystal, LittleGroup, MagneticSite, MagneticSpaceGroup, magnetic_group
from lattices_for_tests import lattice_of

POINTS = [[0, 0, 0], ["1/2", 0, 0], [0, "1/2", 0], [0, 0, "1/2"], ["1/2", "1/2", 0], ["1/2"] * 3, ["1/3", "1/3", 0], [0, 0, "1/4"]]  # fmt: skip
PAULI = np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])


def floats(k):
    return np.array([float(Fraction(x)) for x in k])


def symmetry_of(group):
    """Rotations, translations and time reversals as spglib has them."""
    operations = group.operations
    rotations = np.array([g[0] for g in operations])
    translations = np.array([g[1] for g in operations], dtype=float)
    return rotations, translations, np.array([int(g[2]) if len(g) > 2 else 0 for g in operations])


def characters(little):
    return np.array([[complex(x) for x in row] for row in little.characters])


def lifts(little, lattice):
    """The matrices of `turns` on spinors."""
    matrices = []
    for order, axis in little.turns:
        n = np.array(axis) @ lattice
        n = n / np.linalg.norm(n) if order > 1 else n
        angle = np.pi / order if order > 1 else 0
        matrices.append(np.cos(angle) * np.eye(2) - 1j * np.sin(angle) * np.einsum("i,ijk->jk", n, PAULI))
    return np.array(matrices)


def is_same_set(ours, theirs, order):
    """Are these characters the same up to their order? Both are sets of orthogonal rows."""
    if ours.shape != theirs.shape:
        return False
    overlap = ours @ theirs.conj().T / order
    largest = np.abs(overlap) > 1e-6
    return (
        (largest.sum(axis=0) == 1).all()
        and (largest.sum(axis=1) == 1).all()
        and all(np.allclose(ours[a], theirs[b], atol=1e-6) for a, b in zip(*np.nonzero(largest)))
    )


def test_types_and_degeneracies():
    R = SpaceGroup("P 21 21 21").irreps_at(["1/2"] * 3)
    assert (R.types, R.corepresentations, R.degeneracies, R.spinors, R.turns) == (["b"], [(0, 0)], [4], False, [])
    screw = SpaceGroup(4).irreps_at([0, "1/2", 0])
    assert (screw.types, screw.corepresentations, screw.degeneracies) == (["c", "c"], [(0, 1)], [2])
    assert len(screw.antiunitary) == 2 and screw.co_group == "C2"
    K = SpaceGroup("P 3").irreps_at(["1/3", "1/3", 0])
    assert K.types == ["x"] * 3 and K.antiunitary == [] and K.degeneracies == [1] * 3
    spinor = SpaceGroup(230).irreps_at([1, 1, 1], spinors=True)
    assert spinor.degeneracies[-1] == 8 and "spinor irreps" in repr(spinor) and len(spinor.turns) == 48
    assert pickle.loads(pickle.dumps(spinor)) == spinor != SpaceGroup(230).irreps_at([1, 1, 1])
    assert "turn" in spinor.describe() and '"levels"' in R.to_json()


def test_magnetic_groups_are_values():
    grey = MagneticSpaceGroup(SpaceGroup("P 21 21 21"))
    assert grey.type == 2 and len(grey.operations) == 8 and grey.centring == [(0, 0, 0)]
    identity = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    bcc = MagneticSpaceGroup([(identity, ("1/2", "1/2", "1/2"), True)])
    assert bcc.type == 4 and bcc.irreps_at([0, 0, 0]).types == ["a"] and bcc.irreps_at(["1/2", 0, 0]).types == ["b"]
    assert bcc.irreps_at(["1/2", 0, 0], spinors=True).degeneracies == [1]  # (theta t)^2 is +1 there
    centred = MagneticSpaceGroup([(identity, (0, "1/2", "1/2"), False), (identity, (0, 0, "1/2"), True)])
    assert centred.centring == [(0, 0, 0), (0, Fraction(1, 2), Fraction(1, 2))]
    for group in (grey, bcc, centred):
        assert pickle.loads(pickle.dumps(group)) == group == copy.deepcopy(group)
        assert hash(group) == hash(copy.copy(group)) and f"type {group.type}" in repr(group)
        little = group.irreps_at([0, "1/2", 0], True)
        assert isinstance(little, LittleGroup) and pickle.loads(pickle.dumps(little)) == little
        assert little.space_group == group and "magnetic space group" in little.describe()
    for wrong, words in [
        (3.5, "give a SpaceGroup"),
        ([(identity, (0, 0, 0))], r"operation 1 is not \(W, w, reverses_time\)"),
        ([(identity, (0, 0, "1/7"), True)], "not in twelfths"),
        ([(((2, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0), True)], "determinant"),
        ([(((1, 1, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0), True)], "more than 48 matrices"),
        ([(((1.5, 1, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0), True)], "small integers"),
        (SpaceGroup.layer(7), "not of a rod or a layer"),
    ]:
        with pytest.raises(DomainError, match=words):
            MagneticSpaceGroup(wrong)


def test_numbers_of_magnetic_groups():
    pytest.importorskip("spglib")
    anti = MagneticSpaceGroup("62.448")  # P_n'm'a
    assert anti.type == 3 and len(anti.operations) == 8
    assert MagneticSpaceGroup(1).type == 1 and MagneticSpaceGroup("1.3").type == 4
    assert MagneticSpaceGroup("227.129").type == 2 and len(MagneticSpaceGroup(1651).operations) == 48
    kinds = [MagneticSpaceGroup(n).type for n in range(1, 1652, 5)]
    spglib = pytest.importorskip("spglib")
    for n, kind in zip(range(1, 1652, 5), kinds):
        known = spglib.get_magnetic_spacegroup_type(n)
        assert (known if isinstance(known, dict) else vars(known))["type"] == kind
    for wrong in ("62.4480", "Pnmz", 0, 1652):
        with pytest.raises(DomainError, match="BNS number such as"):
            MagneticSpaceGroup(wrong)


def test_symbols_of_magnetic_groups():
    anti = MagneticSpaceGroup("Pn'm'a")
    assert anti.type == 3 and len(anti.operations) == 8 and MagneticSpaceGroup("P n' m' a") == anti
    assert MagneticSpaceGroup("Pnma") == MagneticSpaceGroup([(W, w, False) for W, w in SpaceGroup("Pnma").operations])
    assert MagneticSpaceGroup("P2_1/c1'") == MagneticSpaceGroup(SpaceGroup(14))
    assert MagneticSpaceGroup("P_c4/mnc").type == 4 and MagneticSpaceGroup("Pb'n'm") != anti
    for wrong, words in [("P3'", "contradict"), ("P_2c4m", "Opechowski"), ("P_a4", "can reverse time"), ("", "empty")]:
        with pytest.raises(DomainError, match=words):
            MagneticSpaceGroup(wrong)


def test_bns_symbols_are_those_of_the_tables():
    """The symbols of Stokes and Campbell in pymatgen beside the operations of spglib's database."""
    spglib = pytest.importorskip("spglib")
    pymatgen = importlib.util.find_spec("pymatgen")
    tables = [t for folder in pymatgen.submodule_search_locations for t in pathlib.Path(folder).rglob("symm_data_magnetic.sqlite")] if pymatgen else []  # fmt: skip
    if not tables:
        pytest.skip("pymatgen is not installed")
    rows = (
        sqlite3.connect(tables[0]).execute("SELECT BNS1, BNS2, BNS_label, OG1, OG2, OG3 FROM space_groups").fetchall()
    )
    assert len(rows) == 1651
    other_axes = refused = 0
    for bns, part, symbol, *og in rows:
        number = f"{bns}.{part}"
        try:
            group = MagneticSpaceGroup(symbol)
        except DomainError as error:  # P21' is also P2_1' without its underscore
            assert "may be the grey group" in str(error) and symbol.endswith("1'")
            group = MagneticSpaceGroup(symbol[:-2] + " 1'")
            refused += 1
        if group == MagneticSpaceGroup(number):
            assert group == MagneticSpaceGroup(".".join(map(str, og)))
            continue
        other_axes += 1  # such as P2'2'2, where spglib has P2'22'
        operations = [(W, np.add(w, t), r) for W, w, r in group.operations for t in group.centring]
        found = spglib.get_magnetic_spacegroup_type_from_symmetry(
            np.array([W for W, _, _ in operations]),
            np.array([w for _, w, _ in operations], dtype=float),
            np.array([int(r) for _, _, r in operations]),
            lattice_of(bns),
        )
        assert (found if isinstance(found, dict) else vars(found))["bns_number"] == number
    assert other_axes < 20 and refused < 12


def test_groups_of_structures_with_moments():
    pytest.importorskip("spglib")
    x = 0.305
    cell = np.diag([4.87, 4.87, 3.31])
    places = [(0, 0, 0), (0.5, 0.5, 0.5), (x, x, 0), (-x, -x, 0), (0.5 + x, 0.5 - x, 0.5), (0.5 - x, 0.5 + x, 0.5)]
    structure = (cell, places, ["Mn"] * 2 + ["F"] * 4)
    order = np.zeros((6, 3))
    order[0, 2], order[1, 2] = 5, -5
    match = magnetic_group(structure, order)  # MnF2: P4_2'/mnm'
    assert match.number == "136.499" and match.group == MagneticSpaceGroup("P4_2'/mnm'") and match.group.type == 3
    assert np.allclose(match.transformation, np.eye(3)) and len(match.shift) == 3
    assert pickle.loads(pickle.dumps(match)) == match
    assert magnetic_group(structure, [0] * 6).group == MagneticSpaceGroup(SpaceGroup(136))
    along_x = np.roll(order, 1, axis=1)
    assert magnetic_group(structure, along_x).number != match.number
    # A cell that is not the standard one: the operations of the structure are those of the group after the change.
    turned = (cell[[2, 0, 1]], np.array(places)[:, [2, 0, 1]] + [0.1, 0.2, 0.3], structure[2])
    other = magnetic_group(turned, order)
    assert other.number == "136.499" and other.group == match.group
    T = np.array(other.transformation)
    metal = np.array(turned[1])[:2] @ T.T + other.shift
    where = {tuple(np.round(p, 4) % 1) for p in metal}
    for W, w, _ in other.group.operations:
        assert {tuple(np.round(np.array(W) @ p + np.array(w, dtype=float), 4) % 1) for p in metal} == where

    class AseLike:
        cell = np.diag([4.87, 4.87, 3.31])

        def get_pbc(self):
            return [True] * 3

        def get_scaled_positions(self, wrap):
            return places

        def get_chemical_symbols(self):
            return structure[2]

        def get_initial_magnetic_moments(self):
            return order

    assert magnetic_group(AseLike()) == match
    for wrong, words in [(None, "has no moments"), ([1, 2], r"shape \[6\]"), (["a"] * 6, "are numbers"), ([np.nan] * 6, "finite")]:  # fmt: skip
        with pytest.raises(DomainError, match=words):
            magnetic_group(structure, wrong)


EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "crystals"


def test_groups_of_files_with_moments(tmp_path):
    pytest.importorskip("spglib")
    crystal = Crystal(EXAMPLES / "MnF2.mcif")
    assert np.allclose(crystal.moments, [[0, 0, 4.6], [0, 0, -4.6]] + [[0, 0, 0]] * 4)
    assert pickle.loads(pickle.dumps(crystal)) == crystal != Crystal(crystal.structure)
    assert Crystal(crystal.structure, moments=crystal.moments) == crystal and Crystal(crystal.structure).moments is None
    with pytest.raises(DomainError, match="without moments"):
        crystal.irreps_at([0, 0, "1/2"])
    assert Crystal(EXAMPLES / "MnF2.mcif", moments=[0] * 6).irreps_at([0, 0, "1/2"]).dimensions == [2, 2, 2, 2]
    match = magnetic_group(EXAMPLES / "MnF2.mcif")
    assert match == magnetic_group(crystal) == magnetic_group(crystal.structure, crystal.moments)
    assert (match.number, match.og_number, match.uni, match.operations) == ("136.499", "136.5.1156", 1159, 16)
    assert match.symbol in ("P4_2'/mnm'", "") and match.group == MagneticSpaceGroup("136.499")
    metal, fluorine = match.sites
    assert metal == MagneticSite("Mn", (0, 1), (0, 0, 0), (0, 0, 4.6), "(0,0,mz)", 1)
    assert (fluorine.atoms, fluorine.allowed, fluorine.freedom) == ((2, 3, 4, 5), "(0,0,mz)", 1)
    assert "BNS 136.499" in crystal.describe() and '"magnetic"' in crystal.to_json()
    # A collinear order in a cell of two, whose translation reverses time.
    spins = tmp_path / "geometry.in"
    spins.write_text(
        "lattice_vector 3 0 0\nlattice_vector 0 3 0\nlattice_vector 0 0 8\n"
        "atom 0 0 0 Cr\ninitial_moment 2\natom 0 0 4 Cr\ninitial_moment -2\n"
    )
    chain = magnetic_group(spins)
    assert Crystal(spins).moments == (2, -2) and chain.number == "123.348" and chain.sites[0].moment == 2
    with pytest.raises(DomainError, match="has no moments"):
        magnetic_group(EXAMPLES / "rutile.cif")
    with pytest.raises(DomainError, match=r"shape \[6\]"):
        Crystal(crystal.structure, moments=[1, 2])
    loose = [[0, 0, 5.3], [0, 0, -5]] + [[0, 0, 0]] * 4
    assert magnetic_group(crystal.structure, loose).number != "136.499"
    assert magnetic_group(crystal.structure, loose, moment_tolerance=0.5).number == "136.499"


@pytest.mark.parametrize("part", range(4))
def test_symbols_of_files_are_those_of_the_tables(part):
    """The names that `magnetic_group` gives beside spglib's numbers, and OG numbers of structures made by a group."""
    spglib = pytest.importorskip("spglib")
    rng = np.random.default_rng(part)
    compared = 0
    for uni in range(5 + 7 * part, 1652, 61):
        kind = spglib.get_magnetic_spacegroup_type(uni)
        kind = kind if isinstance(kind, dict) else vars(kind)
        if kind["type"] == 2 or uni in (282, 283, 284):
            continue
        group = MagneticSpaceGroup(uni)
        operations = [
            (np.array(W), np.add(w, t).astype(float), r) for W, w, r in group.operations for t in group.centring
        ]
        if len(operations) > 64:
            continue
        metric = sum(W.T @ (np.diag([10, 11, 13]) + 0.3) @ W for W, _, _ in operations) / len(operations)
        edges = 2 * np.linalg.cholesky(metric)
        places, moments, names = [], [], []
        for name in ("Fe", "Co"):
            x, m = rng.random(3), rng.normal(size=3)
            for W, w, reverses in operations:
                places.append(W @ x + w)
                moments.append(round(np.linalg.det(W)) * (-1 if reverses else 1) * (W @ m) @ edges)
                names.append(name)
        try:
            match = magnetic_group((edges, places, names), moments, 1e-3)
        except DomainError as error:
            assert "apart" in str(error)  # two random atoms
            continue
        assert (match.uni, match.number, match.og_number) == (uni, kind["bns_number"], kind["og_number"])
        assert match.operations == len(group.operations)
        assert match.symbol == "" or MagneticSpaceGroup(match.symbol).type == kind["type"]
        compared += 1
    assert compared > 12


@pytest.mark.parametrize(
    "number", [2, 4, 11, 14, 19, 33, 62, 76, 92, 106, 130, 136, 152, 176, 186, 194, 198, 205, 212, 223]
)
def test_spinors_are_those_of_spgrep(number):
    spgrep = pytest.importorskip("spgrep")
    group, lattice = SpaceGroup(number), lattice_of(number)
    rotations, translations, _ = symmetry_of(group)
    for k in POINTS:
        mine = group.irreps_at(k, spinors=True)
        found, _, unitary, chosen = spgrep.get_spacegroup_spinor_irreps_from_primitive_symmetry(
            lattice, rotations, translations, kpoint=floats(k)
        )
        where = {tuple(map(tuple, W)): n for n, (W, _) in enumerate(mine.operations)}
        columns = [where[tuple(map(tuple, rotations[c].tolist()))] for c in chosen]
        ratio = np.einsum("gij,gij->g", lifts(mine, lattice)[columns].conj(), unitary) / 2  # 1 or -1
        assert np.allclose(abs(ratio), 1)
        theirs = np.array([np.trace(irrep, axis1=1, axis2=2) for irrep in found]) * ratio.conj()
        assert is_same_set(characters(mine)[:, columns], theirs, len(columns))


def coreps(little):
    """The characters of co-representations on operations that do not reverse time."""
    rows = characters(little)
    return np.array([rows[list(pair)].sum(axis=0) for pair in little.corepresentations])


def spinor_matrix(W, lattice):
    """A matrix on spinors of the rotation part, by the quaternion of its Cartesian matrix; its sign is any."""
    R = lattice.T @ np.array(W) @ np.linalg.inv(lattice.T)
    R = R * round(np.linalg.det(R))
    values, vectors = np.linalg.eig(R)
    n = vectors[:, np.argmin(abs(values - 1))].real
    sine = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) @ n / 2
    angle = np.arctan2(sine, (np.trace(R) - 1) / 2) / 2
    return np.cos(angle) * np.eye(2) - 1j * np.sin(angle) * np.einsum("i,ijk->jk", n, PAULI)


def types_by_squares(little, lattice):
    """Wigner's criterion in floating point, with the squares of antiunitary operations as matrices and phases."""
    if not little.antiunitary:
        return ["x"] * len(little)
    listed, known = lifts(little, lattice), [W for W, _ in little.operations]  # lifts are none without spin
    sums = np.zeros(len(little), dtype=complex)
    for W, w in little.antiunitary:
        W, w = np.array(W), floats(w)
        number = known.index(tuple(map(tuple, (W @ W).tolist())))
        left = W @ w + w - floats(little.operations[number][1])
        sign = 1
        if little.spinors:
            square = -spinor_matrix(W, lattice) @ spinor_matrix(W, lattice)  # time reversal has the square -1
            sign = np.trace(square @ listed[number].conj().T).real / 2
        sums += sign * np.exp(-2j * np.pi * floats(little.k) @ left) * characters(little)[:, number]
    return ["cab"[round(x)] for x in (sums / len(known)).real]


@pytest.mark.parametrize("part", range(10))
def test_corepresentations_of_magnetic_groups_are_those_of_spgrep(part):
    pytest.importorskip("spglib")
    core = pytest.importorskip("spgrep.core")
    corep = pytest.importorskip("spgrep.corep")
    compared = 0
    for number in range(3 + part * 165, 3 + (part + 1) * 165, 4):
        group = MagneticSpaceGroup(min(number, 1651))
        if len(group.centring) > 1:
            continue  # their k is in edges of the reciprocal primitive cell
        rotations, translations, reversals = symmetry_of(group)
        metric = np.einsum("gki,gkj->ij", rotations, rotations)
        lattice = np.linalg.cholesky(metric / len(rotations)).astype(float)
        for k in ([0, 0, 0], POINTS[1 + compared % 7], POINTS[1 + (compared + 4) % 7]):
            mine, spinor = group.irreps_at(k), group.irreps_at(k, spinors=True)
            assert mine.types == types_by_squares(mine, lattice)
            assert spinor.types == types_by_squares(spinor, lattice)
            if any(x % 1 for x in 2 * floats(k)) or (any(floats(k)) and translations.any()):
                continue  # spgrep 0.8 lets time reversal leave k where it is, and does not conjugate phases there
            found, _, chosen = core.get_magnetic_spacegroup_coreps_from_primitive_symmetry(
                rotations, translations, reversals, floats(k)
            )
            assert len(chosen) == len(mine.operations) + len(mine.antiunitary)
            where = {tuple(map(tuple, W)): n for n, (W, _) in enumerate(mine.operations)}
            linear = [i for i, c in enumerate(chosen) if not reversals[c]]
            columns = [where[tuple(map(tuple, rotations[chosen[i]].tolist()))] for i in linear]
            theirs = np.array([np.trace(irrep, axis1=1, axis2=2)[linear] for irrep in found])
            assert is_same_set(coreps(mine)[:, columns], theirs, len(columns))
            found, *_ = corep.enumerate_spinor_small_corepresentations(
                lattice, rotations[chosen], translations[chosen], reversals[chosen], floats(k)
            )
            assert sorted(spinor.degeneracies) == sorted(irrep.shape[1] for irrep in found)
        compared += 1
    assert compared >= 10
