"""Labels of computed modes: of molecules, of crystals at wave vectors, of files of phonopy."""

from collections import Counter

import numpy as np
import pytest
from conftest import ROOT
from intertwine import DomainError, FileError
from intertwine.chem import Crystal, ModeLabel, label_phonons, molecule

WATER = [("O", (0, 0, 0)), ("H", (0.76, 0, 0.59)), ("H", (-0.76, 0, 0.59))]
SILICON = ([[5.43, 0, 0], [0, 5.43, 0], [0, 0, 5.43]], [[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0], [0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.25, 0.75], [0.75, 0.75, 0.25]], ["Si"] * 8)  # fmt: skip


def crystal(source):
    try:
        return Crystal(source)
    except DomainError as error:
        assert "pip install spglib" in str(error)
        pytest.skip("no search for space groups")


def hessian_modes(found, seed):
    """Frequencies and eigenvectors, as columns, of random force constants without sum rules."""
    constants = found.force_constants(2, (1, 1, 1), sum_rules=False)
    array = constants.constants(np.random.default_rng(seed).normal(size=constants.dimension))
    return np.linalg.eigh(array.transpose(0, 2, 1, 3).reshape(3 * len(found), -1))


def test_modes_of_molecules():
    water = molecule(WATER)
    stretch, other = [[0, 0, 0], [0.6, 0, 0.4], [-0.6, 0, 0.4]], [[0, 0, 0], [0.6, 0, 0.4], [0.6, 0, -0.4]]
    assert [m.name for m in water.label_modes([stretch, other])] == ["A1", "B2"]
    half = water.label_modes(np.array([[0, 0, 0, 0.6, 0, 0.4, 0, 0, 0]]))[0]
    assert half.mixing == pytest.approx({"A1": 0.5, "B2": 0.5}) and half.lost == 0 and "+" in repr(half)
    basis = np.array([c.vector for c in water.symmetry_coordinates()])
    labels = water.label_modes(basis.reshape(9, 3, 3) @ water.rotation)  # of the frame, in the axes of the atoms
    assert [m.name for m in labels] == [water.species[c.species].name for c in water.symmetry_coordinates()]
    assert all(m.weight == pytest.approx(1) for m in labels)
    assert hash(labels[0]) == hash(ModeLabel("A1", labels[0].weight, {})) or labels[0].name != "A1"
    for modes, words in [
        (np.eye(9), "say modes='columns'"),
        (np.eye(6), r"shape \[M, 3, 3\] or a side 9, and these have \[6, 6\]"),
        (np.zeros((1, 9)), "mode 0 .* is 0"),
        (np.full((1, 9), np.nan), "not finite"),
        ("modes", "an array of numbers"),
    ]:
        with pytest.raises(DomainError, match=words):
            water.label_modes(modes)
    with pytest.raises(DomainError, match="'rows' or 'columns'"):
        water.label_modes(np.eye(9), modes="both")
    assert len(water.label_modes(np.eye(9), modes="rows")) == 9


def test_modes_of_linear_molecules():
    found = molecule([("C", (0, 0, 0)), ("O", (0, 0, 1.16)), ("O", (0, 0, -1.16))])
    vectors = [
        [[0, 0, 0], [0, 0, 1], [0, 0, -1]],
        [[0, 0, -2], [0, 0, 1], [0, 0, 1]],
        [[-2, 0, 0], [1, 0, 0], [1, 0, 0]],
    ]
    assert [m.name for m in found.label_modes(vectors)] == ["Σg+", "Σu+", "Πu"]


def test_modes_of_ase():
    ase = pytest.importorskip("ase")
    vibrations = pytest.importorskip("ase.vibrations")
    atoms = ase.Atoms("OH2", positions=[x for _, x in WATER])
    rng = np.random.default_rng(2)
    square = rng.normal(size=(9, 9))
    water, images = molecule(WATER), []
    for permutation, matrix in water._operations():
        P = np.kron(np.eye(3)[permutation].T, water.rotation.T @ np.asarray(matrix) @ water.rotation)
        images.append(P @ (square + square.T) @ P.T)
    hessian = np.mean(images, axis=0).reshape(3, 3, 3, 3)
    data = vibrations.VibrationsData(atoms, hessian)
    counts = Counter(m.name for m in water.label_modes(data.get_modes()) if m.weight > 1 - 1e-9)
    assert counts == {"A1": 3, "A2": 1, "B1": 2, "B2": 3}


def test_modes_at_the_centre_of_the_zone():
    rutile = crystal(ROOT / "examples" / "crystals" / "rutile.cif")
    _, vectors = hessian_modes(rutile, 0)
    labels = rutile.label_modes(vectors, modes="columns")
    assert Counter(m.name for m in labels) == {m.name: m.multiplicity * m.degree for m in rutile.modes().mechanical}
    assert all(m.weight == pytest.approx(1) for m in labels)
    turned = rutile.label_modes(vectors[:, :1].T.reshape(1, 6, 3) + vectors[:, 5:6].T.reshape(1, 6, 3))[0]
    assert sum(turned.mixing.values()) == pytest.approx(1)


def test_modes_folded_into_a_larger_cell():
    silicon = crystal(SILICON)
    frequencies, vectors = hessian_modes(silicon, 0)
    centre = silicon.label_modes(vectors, modes="columns")
    assert Counter(m.name for m in centre) == {"": 18, "T2g": 3, "T1u": 3} and repr(centre[0]) in (
        "<ModeLabel lost 1>",
        "<ModeLabel T2g>",
        "<ModeLabel T1u>",
    )
    shares = Counter()
    for k in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):  # the arms of X
        for mode in silicon.label_modes(vectors, k, modes="columns", phases="cells"):
            assert len(mode.mixing) <= 1
            shares[mode.name] += mode.weight
    assert {n: round(s, 9) for n, s in shares.items() if n} == {"1": 6, "2": 6, "4": 6}  # twofold X1, X3, X4
    for k, words in [([0.5, 0, 0], "rational"), ([0, 0], "three rational"), (["x", 0, 0], "rational")]:
        with pytest.raises(DomainError, match=words):
            silicon.label_modes(vectors, k, modes="columns")
    with pytest.raises(DomainError, match="'atoms' or 'cells'"):
        silicon.label_modes(vectors, modes="columns", phases="both")


@pytest.mark.parametrize("name", ["silicon", "rutile"])
def test_files_of_phonopy(name, tmp_path):
    phonopy = pytest.importorskip("phonopy")
    from phonopy.structure.atoms import PhonopyAtoms

    if name == "silicon":
        a = 5.43 / 2
        cell = ([[0, a, a], [a, 0, a], [a, a, 0]], [[0, 0, 0], [0.25] * 3], ["Si"] * 2)
    else:
        cell = crystal(ROOT / "examples" / "crystals" / "rutile.cif").structure
    found = crystal(cell)
    force = found.force_constants(2, (2, 2, 2))
    constants = force.constants(np.random.default_rng(1).normal(size=force.dimension))
    phonon = phonopy.Phonopy(
        PhonopyAtoms(symbols=list(cell[2]), cell=cell[0], scaled_positions=cell[1]),
        supercell_matrix=np.diag([2, 2, 2]),
        primitive_matrix=np.eye(3),
    )
    phonon.force_constants = constants
    points = [[0, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0.5], [0.5, 0, 0], [0.25, 0.25, 0], [0.125, 0.25, 0.5]]
    phonon.run_band_structure([points], with_eigenvectors=True)
    phonon.write_yaml_band_structure(filename=str(tmp_path / "band.yaml"))
    answers = label_phonons(tmp_path / "band.yaml", tolerance=0.02)
    assert [q for q, _, _ in answers] == points
    seen = 0
    for _, frequencies, labels in answers:
        for f in set(np.round(frequencies, 4)):
            level = [m for g, m in zip(frequencies, labels) if abs(g - f) < 2e-4]
            if abs(f) > 1e-2:  # a level is one species, unless two have one frequency by chance
                assert len({m.name for m in level}) == 1 and all(m.weight > 1 - 1e-5 for m in level)
                seen += len(level)
    assert seen >= 6 * len(found) - 10
    text = (tmp_path / "band.yaml").read_text()
    (tmp_path / "bare.yaml").write_text(text.replace("eigenvector", "vector"))
    (tmp_path / "other.yaml").write_text("a: 1\n")
    (tmp_path / "broken.yaml").write_text("a: [1\n")
    eigenvector = "    eigenvector:\n    - [[1, 0], [0, 0], [0, 0]]\n"
    points = "points:\n" + "".join(
        f"- symbol: {s}\n  coordinates: {x}\n" for s, x in [("Na", [0] * 3), ("Cl", [0.5] * 3)]
    )
    (tmp_path / "fewer.yaml").write_text(
        "lattice: [[4, 0, 0], [0, 4, 0], [0, 0, 4]]\n"
        + points
        + "phonon:\n- q-position: [0, 0, 0]\n  band:\n  - frequency: 1.0\n"
        + eigenvector
    )
    for file, words in [
        ("bare.yaml", "--eigenvectors"),
        ("other.yaml", "`phonon`"),
        ("broken.yaml", "no YAML"),
        ("none.yaml", "No such file"),
        ("fewer.yaml", "eigenvectors of 1 atoms, and `points` has 2"),
    ]:
        with pytest.raises(FileError, match=words):
            label_phonons(tmp_path / file)
