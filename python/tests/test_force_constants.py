"""Force constants of supercells: how many there are, what they are, and fits of them beside symfc."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from intertwine import DomainError
from intertwine.chem import Crystal, fit_force_constants, full_force_constants, write_force_constants

HALF = 2.7155
SILICON = (
    [[2 * HALF, 0, 0], [0, 2 * HALF, 0], [0, 0, 2 * HALF]],
    [np.add(t, s) for s in ((0, 0, 0), (0.25, 0.25, 0.25)) for t in ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0))],
    ["Si"] * 8,
)  # fmt: skip
WURTZITE = (
    [[3.25, 0, 0], [-3.25 / 2, 3.25 * 3**0.5 / 2, 0], [0, 0, 5.207]],
    [[1 / 3, 2 / 3, 0], [2 / 3, 1 / 3, 0.5], [1 / 3, 2 / 3, 0.382], [2 / 3, 1 / 3, 0.882]],
    ["Zn", "Zn", "O", "O"],
)


@pytest.fixture(scope="module")
def silicon():
    try:
        return Crystal(SILICON)
    except DomainError as error:
        assert "pip install spglib" in str(error)
        pytest.skip("no search for space groups")


@pytest.fixture(scope="module")
def wurtzite(silicon):
    return Crystal(WURTZITE)


def test_dimensions_of_silicon(silicon):
    # symfc 1.8
    found = [silicon.force_constants(order, (2, 2, 2)) for order in (2, 3, 4)]
    assert [f.dimension for f in found] == [25, 777, 36524]
    assert [f.tied_dimension for f in found] == [26, 807, 38880]
    assert silicon.force_constants(2, (2, 2, 2), sum_rules=False).dimension == 26
    assert silicon.force_constants(3, (2, 2, 2), cutoff=4.0).dimension == 27
    assert found[0].symmetries == 1536 and "25 free" in repr(found[0])
    assert len(found[1].clusters) == 59 and sum(c[1] for c in found[1].clusters) == 64 * 65 * 66 // 6


def test_values(silicon):
    harmonic = silicon.force_constants(2, (2, 1, 1), cutoff=3.0)
    assert (harmonic.order, harmonic.supercell, harmonic.cutoff, harmonic.sum_rules) == (2, (2, 1, 1), 3.0, True)
    assert pickle.loads(pickle.dumps(harmonic)) == harmonic == copy.deepcopy(harmonic)
    assert harmonic != silicon.force_constants(2, (2, 1, 1)) and hash(harmonic) == hash(copy.copy(harmonic))
    cell, positions, symbols = harmonic.structure
    assert np.allclose(cell, np.diag([4 * HALF, 2 * HALF, 2 * HALF])) and symbols == ("Si",) * 16
    assert np.allclose(positions[:3], [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0.5]])


def test_constants_and_forces(wurtzite):
    harmonic, cubic = wurtzite.force_constants(2, (2, 2, 1)), wurtzite.force_constants(3, (1, 1, 1))
    random = np.random.default_rng(1)
    x = random.normal(size=harmonic.dimension)
    constants = harmonic.constants(x)
    assert constants.shape == (4, 16, 3, 3) and np.allclose(constants.sum(axis=1), 0)
    assert np.allclose(np.tensordot(x, harmonic.basis(), 1), constants)
    u = random.normal(size=(16, 3))
    assert np.allclose((harmonic.forces(u) @ x)[::4], -np.einsum("ijab,jb->ia", constants, u))
    y = random.normal(size=cubic.dimension)
    third, u = cubic.constants(y), random.normal(size=(4, 3))
    for order in itertools.permutations(range(3)):
        assert np.allclose(third, third.transpose([*order, *(3 + k for k in order)]))
    assert np.allclose(cubic.forces(u) @ y, -np.einsum("ijkabc,jb,kc->ia", third, u, u) / 2)


def test_projection(wurtzite):
    harmonic = wurtzite.force_constants(2, (2, 1, 1))
    noise = np.random.default_rng(2).normal(size=(4, 8, 3, 3))
    nearest = harmonic.project(noise)
    assert np.allclose(harmonic.project(nearest), nearest)
    basis = harmonic.basis().reshape(harmonic.dimension, -1)
    assert np.allclose(basis @ (noise - nearest).ravel(), 0)  # what is lost is across all that is allowed
    assert abs(noise - nearest).max() > 0.1


def test_fits(wurtzite):
    parts = [wurtzite.force_constants(2, (2, 2, 1)), wurtzite.force_constants(3, (2, 2, 1), cutoff=2.5)]
    random = np.random.default_rng(3)
    u = 0.1 * random.normal(size=(20, 16, 3))
    x = [random.normal(size=p.dimension) for p in parts]
    f = np.array([sum(p.forces(one) @ y for p, y in zip(parts, x)) for one in u])
    for fitted, p, y in zip(fit_force_constants(parts, u, f), parts, x):
        assert np.allclose(fitted, p.constants(y), atol=1e-9)
    f = np.array([parts[0].forces(one) @ x[0] for one in u])
    assert np.allclose(parts[0].fit(u, f), parts[0].constants(x[0]))


def test_bad_input(silicon, wurtzite, tmp_path):
    harmonic = wurtzite.force_constants(2, (2, 2, 1))
    zeros = np.zeros((3, 16, 3))
    for call, words in [
        (lambda: silicon.force_constants(5), "of order 2, 3 or 4, not 5"),
        (lambda: silicon.force_constants(2, (0, 1, 1)), "at least one cell along every edge"),
        (lambda: silicon.force_constants(2, (2, 2, 2), cutoff=2 * HALF), "which is the cutoff"),
        (lambda: silicon.force_constants(2, cutoff=float("nan")), "a positive distance"),
        (lambda: harmonic.constants([1, 2]), "the parameters have the shape"),
        (lambda: harmonic.constants("abc"), "are an array of numbers"),
        (lambda: harmonic.forces(np.full((16, 3), np.nan)), "no finite number"),
        (lambda: harmonic.project(zeros), r"shape \[4, 16, 3, 3\], and these have \[3, 16, 3\]"),
        (lambda: harmonic.fit(zeros, zeros), "are not determined by these 3 sets of displacements"),
        (lambda: harmonic.fit(zeros, zeros[:2]), "3 sets of displacements and 2 of forces"),
        (lambda: harmonic.fit(zeros[:, :4], zeros), r"these have \[3, 4, 3\]"),
        (lambda: harmonic.fit(np.inf + zeros, zeros), "displacements have an entry that is no finite number"),
        (lambda: harmonic.fit("x", zeros), "the displacements are an array of numbers"),
        (lambda: fit_force_constants([], zeros, zeros), "give a list of ForceConstants"),
        (lambda: fit_force_constants([harmonic, harmonic], zeros, zeros), "several force constants of one order"),
        (lambda: fit_force_constants([harmonic, silicon.force_constants(3)], zeros, zeros), "different supercells"),
        (lambda: write_force_constants(tmp_path / "FC", zeros, (2, 2, 1)), "N = P a b c"),
    ]:
        with pytest.raises(DomainError, match=words):
            call()
    assert not (tmp_path / "FC").exists()


def symfc_of(parts, **options):
    symfc = pytest.importorskip("symfc")
    from symfc.utils.utils import SymfcAtoms

    cell, positions, symbols = parts[0].structure
    kinds = sorted(set(symbols))
    atoms = SymfcAtoms(
        cell=np.array(cell), scaled_positions=np.array(positions), numbers=[1 + kinds.index(s) for s in symbols]
    )
    cutoff = {p.order: p.cutoff for p in parts if p.cutoff}
    return symfc.Symfc(atoms, cutoff=cutoff or None, **options)


def test_fits_are_those_of_symfc(silicon, wurtzite):
    random = np.random.default_rng(4)
    for crystal, cells, cutoff in ((silicon, (2, 1, 1), 3.0), (wurtzite, (2, 2, 1), 2.5)):
        parts = [crystal.force_constants(2, cells), crystal.force_constants(3, cells, cutoff=cutoff)]
        atoms = len(parts[0].structure[1])
        u, f = 0.05 * random.normal(size=(30, atoms, 3)), random.normal(size=(30, atoms, 3))
        theirs = symfc_of(parts)
        theirs.displacements, theirs.forces = u, f
        theirs.run(orders=[2, 3], is_compact_fc=False)
        first = [k * atoms // len(crystal) for k in range(len(crystal))]
        for mine, order in zip(fit_force_constants(parts, u, f), (2, 3)):
            them = theirs.force_constants[order][first]
            assert abs(mine - them).max() < 1e-10 * abs(them).max()


def test_phonopy_reads_the_file(wurtzite, tmp_path):
    harmonic = wurtzite.force_constants(2, (3, 2, 1))
    constants = harmonic.constants(np.random.default_rng(5).normal(size=harmonic.dimension))
    write_force_constants(tmp_path / "FORCE_CONSTANTS", constants, (3, 2, 1))
    lines = (tmp_path / "FORCE_CONSTANTS").read_text().split("\n")
    assert lines[0].split() == ["24", "24"] and lines[1] == "1 1" and len(lines) == 2 + 24 * 24 * 4
    full = np.array([[float(x) for x in line.split()] for line in lines[1:-1] if len(line.split()) == 3])
    full = full.reshape(24, 24, 3, 3)
    assert np.allclose(full[::6], constants, atol=1e-14) and np.allclose(full, full.transpose(1, 0, 3, 2), atol=1e-12)
    assert np.allclose(full.sum(axis=1), 0, atol=1e-10)
    phonopy = pytest.importorskip("phonopy")
    from phonopy.file_IO import parse_FORCE_CONSTANTS
    from phonopy.structure.atoms import PhonopyAtoms

    cell, positions, symbols = WURTZITE
    theirs = phonopy.Phonopy(PhonopyAtoms(cell=cell, scaled_positions=positions, symbols=symbols), np.diag([3, 2, 1]))
    assert np.allclose(theirs.supercell.scaled_positions, np.array(harmonic.structure[1]) % 1)
    theirs.force_constants = parse_FORCE_CONSTANTS(tmp_path / "FORCE_CONSTANTS")
    before = theirs.force_constants.copy()
    theirs.symmetrize_force_constants()
    assert np.allclose(theirs.force_constants, before)
    theirs.symmetrize_force_constants_by_space_group()
    assert np.allclose(theirs.force_constants, before)


def test_force_constants_in_hdf5(tmp_path):
    pytest.importorskip("h5py")
    file_io = pytest.importorskip("phonopy.file_IO")
    salt = Crystal(([[0, 2, 2], [2, 0, 2], [2, 2, 0]], [[0, 0, 0], [0.5, 0.5, 0.5]], ["Na", "Cl"]))
    random = np.random.default_rng(4)
    for order, name in ((2, "force_constants"), (3, "fc3")):
        allowed = salt.force_constants(order, (2, 2, 1), cutoff=3)
        constants = allowed.constants(random.normal(size=allowed.dimension))
        path = tmp_path / f"{name}.hdf5"
        write_force_constants(path, constants, (2, 2, 1))
        with pytest.importorskip("h5py").File(path) as file:
            assert np.array_equal(file[name][:], constants) and file["p2s_map"][:].tolist() == [0, 4]
    read = file_io.read_force_constants_hdf5(str(tmp_path / "force_constants.hdf5"), p2s_map=np.array([0, 4]))
    assert (read if isinstance(read, np.ndarray) else read[0]).shape == (2, 8, 3, 3)
    with pytest.raises(DomainError, match="into HDF5 or for ShengBTE"):
        write_force_constants(tmp_path / "FORCE_CONSTANTS", constants, (2, 2, 1))
    with pytest.raises(DomainError, match="N = P a b c"):
        write_force_constants(tmp_path / "a.hdf5", constants, (2, 2, 2))


def read_shengbte(path):
    """(vector of the second cell, of the third, atoms from 0, constants) for every block."""
    words = path.read_text().split()
    blocks, at = [], 1
    for number in range(1, int(words[0]) + 1):
        assert int(words[at]) == number
        vectors = np.array(words[at + 1 : at + 7], dtype=float).reshape(2, 3)
        atoms = [int(x) - 1 for x in words[at + 7 : at + 10]]
        table = np.array(words[at + 10 : at + 10 + 27 * 4], dtype=float).reshape(27, 4)
        assert np.array_equal(table[:, :3].reshape(3, 3, 3, 3), np.stack(np.indices((3, 3, 3)), axis=-1) + 1)
        blocks.append((*vectors, atoms, table[:, 3].reshape(3, 3, 3)))
        at += 10 + 27 * 4
    assert at == len(words)
    return blocks


def test_shengbte(wurtzite, tmp_path):
    cells = np.array([3, 3, 2])  # no three atoms that are closer than 3.22 go around it
    cubic = wurtzite.force_constants(3, tuple(cells.tolist()), cutoff=3.22)
    constants = cubic.constants(np.random.default_rng(7).normal(size=cubic.dimension))
    path = tmp_path / "FORCE_CONSTANTS_3RD"
    write_force_constants(path, constants, tuple(cells.tolist()), structure=wurtzite)
    cell, positions, _ = wurtzite.structure
    cell, positions = np.array(cell), np.array(positions)
    back = np.zeros_like(constants)
    for second, third, (i, j, k), values in read_shengbte(path):
        places = [np.linalg.solve(cell.T, v) for v in (second, third)]
        assert np.allclose(places, np.round(places), atol=1e-6)
        ends = [positions[i] @ cell, positions[j] @ cell + second, positions[k] @ cell + third]
        assert all(np.linalg.norm(a - b) < 3.22 for a in ends for b in ends)  # images that are near each other
        a, b = (np.round(p).astype(int) % cells for p in places)
        images = cells.prod()
        at = [j * images + a[0] + 3 * (a[1] + 3 * a[2]), k * images + b[0] + 3 * (b[1] + 3 * b[2])]
        back[i, at[0], at[1]] += values
    assert np.allclose(back, constants, atol=1e-12)
    for wrong, words in [({}, "vectors of cells"), ({"structure": ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 0]], ["C"])}, "has 1 atoms")]:  # fmt: skip
        with pytest.raises(DomainError, match=words):
            write_force_constants(path, constants, (3, 3, 2), **wrong)


def test_full_force_constants(wurtzite):
    cubic = wurtzite.force_constants(3, (2, 1, 2), cutoff=2.5)
    constants = cubic.constants(np.random.default_rng(9).normal(size=cubic.dimension))
    full = full_force_constants(constants, (2, 1, 2))
    assert full.shape == (16, 16, 16, 3, 3, 3) and np.array_equal(full[::4], constants)
    assert np.allclose(full, full.transpose(1, 0, 2, 4, 3, 5)) and np.allclose(full, full.transpose(0, 2, 1, 3, 5, 4))
    assert np.allclose(full.sum(axis=0), 0)
    with pytest.raises(DomainError, match="full_force_constants: constants have the shape"):
        full_force_constants(constants, (2, 2, 2))
