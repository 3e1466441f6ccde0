"""Files of force constants opened by the programs that they are for: phonopy, phono3py and hiphive."""

import numpy as np
import pytest
from intertwine.chem import Crystal, full_force_constants, write_force_constants

CELLS = (3, 3, 2)  # no three atoms that are closer than the cutoff go around it
CUTOFF = 3.22


@pytest.fixture(scope="module")
def wurtzite():
    cell = [[3.82, 0, 0], [-1.91, 3.82 * np.sqrt(0.75), 0], [0, 0, 6.26]]
    positions = [[1 / 3, 2 / 3, 0], [2 / 3, 1 / 3, 0.5], [1 / 3, 2 / 3, 0.374], [2 / 3, 1 / 3, 0.874]]
    return Crystal((cell, positions, ["Zn", "Zn", "S", "S"]))


@pytest.fixture(scope="module")
def constants(wurtzite):
    """Those of order 2 and 3, [P, N, ..., 3, ...]."""
    random = np.random.default_rng(11)
    allowed = [wurtzite.force_constants(order, CELLS, cutoff=CUTOFF) for order in (2, 3)]
    return [a.constants(random.normal(size=a.dimension)) for a in allowed]


def atoms_of(ase, structure):
    cell, positions, symbols = structure
    return ase.Atoms(list(symbols), cell=np.array(cell), scaled_positions=np.array(positions) % 1, pbc=True)


@pytest.fixture
def files(wurtzite, constants, tmp_path):
    """All files that can be written, in a folder."""
    pytest.importorskip("h5py")
    second, third = constants
    write_force_constants(tmp_path / "FORCE_CONSTANTS", second, CELLS)
    write_force_constants(tmp_path / "force_constants.hdf5", second, CELLS)
    write_force_constants(tmp_path / "fc3.hdf5", third, CELLS)
    write_force_constants(tmp_path / "FORCE_CONSTANTS_3RD", third, CELLS, structure=wurtzite)
    return tmp_path


def test_phonopy_computes_frequencies(wurtzite, constants, files):
    """Both files give the same frequencies, three of which are 0 at the centre of the zone."""
    phonopy = pytest.importorskip("phonopy")
    from phonopy.file_IO import parse_FORCE_CONSTANTS, read_force_constants_hdf5
    from phonopy.structure.atoms import PhonopyAtoms

    cell, positions, symbols = wurtzite.structure
    frequencies = []
    for source in ("text", "hdf5"):
        theirs = phonopy.Phonopy(PhonopyAtoms(symbols, cell=cell, scaled_positions=positions), np.diag(CELLS))
        if source == "text":
            theirs.force_constants = parse_FORCE_CONSTANTS(str(files / "FORCE_CONSTANTS"))
        else:
            read = read_force_constants_hdf5(str(files / "force_constants.hdf5"), p2s_map=theirs.primitive.p2s_map)
            theirs.force_constants = read if isinstance(read, np.ndarray) else read[0]
        theirs.run_mesh([2, 2, 2])
        frequencies.append(theirs.get_mesh_dict()["frequencies"])
        theirs.run_qpoints([[0, 0, 0]])
        assert np.allclose(np.sort(np.abs(theirs.get_qpoints_dict()["frequencies"][0]))[:3], 0, atol=1e-4)
    assert np.allclose(*frequencies, atol=1e-8) and np.abs(frequencies[0]).max() > 1
    assert np.allclose(parse_FORCE_CONSTANTS(str(files / "FORCE_CONSTANTS"))[:: np.prod(CELLS)], constants[0])


def test_phono3py_reads_them(wurtzite, constants, files):
    phono3py = pytest.importorskip("phono3py")
    from phono3py.file_IO import read_fc2_from_hdf5, read_fc3_from_hdf5
    from phonopy.structure.atoms import PhonopyAtoms

    cell, positions, symbols = wurtzite.structure
    theirs = phono3py.Phono3py(PhonopyAtoms(symbols, cell=cell, scaled_positions=positions), np.diag(CELLS))
    map_ = theirs.primitive.p2s_map
    third = read_fc3_from_hdf5(str(files / "fc3.hdf5"), p2s_map=map_)
    second = read_fc2_from_hdf5(str(files / "force_constants.hdf5"), p2s_map=map_)
    third, second = (x if isinstance(x, np.ndarray) else x[0] for x in (third, second))
    assert np.allclose(third, constants[1]) and np.allclose(second, constants[0])
    theirs.fc3, theirs.fc2 = third, second
    before = third.copy()
    theirs.symmetrize_fc3()  # the sum rules and the exchange of indices hold
    assert np.allclose(theirs.fc3, before, atol=1e-10)


def test_hiphive_reads_them(wurtzite, constants, files):
    """All kinds of files, that of ShengBTE too."""
    hiphive = pytest.importorskip("hiphive")
    ase = pytest.importorskip("ase")
    harmonic = wurtzite.force_constants(2, CELLS, cutoff=CUTOFF)
    supercell, cell = atoms_of(ase, harmonic.structure), atoms_of(ase, wurtzite.structure)
    second, third = (full_force_constants(x, CELLS) for x in constants)
    ours = hiphive.ForceConstants.from_arrays(supercell, second, third)
    read = [
        hiphive.ForceConstants.read_phonopy(supercell, str(files / "FORCE_CONSTANTS")),
        hiphive.ForceConstants.read_shengBTE(supercell, str(files / "FORCE_CONSTANTS_3RD"), cell),
    ]
    assert np.allclose(read[0].get_fc_array(2), ours.get_fc_array(2))
    assert np.allclose(read[1].get_fc_array(3), ours.get_fc_array(3), atol=1e-10)
    full = files / "full"
    full.mkdir()
    write_force_constants(full / "fc3.hdf5", third, (1, 1, 1))
    write_force_constants(full / "force_constants.hdf5", second, (1, 1, 1))
    again = hiphive.ForceConstants.read_phono3py(supercell, str(full / "fc3.hdf5"))
    assert np.allclose(again.get_fc_array(3), ours.get_fc_array(3))
    again = hiphive.ForceConstants.read_phonopy(supercell, str(full / "force_constants.hdf5"), format="hdf5")
    assert np.allclose(again.get_fc_array(2), ours.get_fc_array(2))
