"""Fusion data: known symbols, laws on many groups, files, and data that are wrong."""

import copy
import itertools
import json
import os
import pickle
from fractions import Fraction

import pytest
from intertwine import (
    DomainError,
    E,
    FileError,
    Group,
    LimitError,
    ParseError,
    SignedRoot,
    VerificationError,
    wigner_6j,
)
from intertwine._surds import Surd
from intertwine.fusion import FusionData, fusion_data, read_fusion_data

QUICK = ["C1", "C12", "C3", "C2 x C2", "S3", "D4", "Q8", "A4", "D5", "C3 : C4", "SL(2,3)", "S4"]
SLOW = os.environ.get("INTERTWINE_TEST_MULTIPLIER", "1") != "1"


def numpy_or_skip():
    return pytest.importorskip("numpy")


@pytest.mark.parametrize("name", QUICK[:-1] if not SLOW else QUICK)
def test_the_equations_hold_exactly(name):
    data = fusion_data(name)
    data.verify()
    table = Group(name).character_table()
    assert data.complete and data.dimensions == list(table.degrees) and data.indicators == list(table.indicators)
    for (i, j), parts in data.fusion.items():
        assert sum(n * data.dimensions[e] for e, n in parts.items()) == data.dimensions[i] * data.dimensions[j]
        assert parts.get(0, 0) == (data.duals[i] == j)


@pytest.mark.skipif(not SLOW, reason="takes hours: set INTERTWINE_TEST_MULTIPLIER")
@pytest.mark.parametrize("order", range(1, 61) if SLOW else [60])
def test_all_groups_of_small_order(order):
    number = 1
    while True:
        try:
            G = Group(f"SmallGroup({order},{number})")
        except ParseError:
            break
        fusion_data(G).verify()
        number += 1
    assert number > 1


def test_known_symbols_of_s3():
    """F of the two-dimensional representation: [[1/2, 1/2, r], [1/2, 1/2, -r], [r, -r, 0]] with r = 1/sqrt(2), up to the
    signs of the maps, which change rows and columns."""
    np = numpy_or_skip()
    data = fusion_data("S3")
    paths = [(e, 0, 0) for e in range(3)]
    F = np.array([[data.unitary_F(2, 2, 2, 2, a, b) for b in paths] for a in paths])
    r = 2**-0.5
    assert np.abs(np.abs(F) - [[0.5, 0.5, r], [0.5, 0.5, r], [r, r, 0]]).max() < 1e-15
    assert np.abs(F @ F.conj().T - np.eye(3)).max() < 1e-15 and abs(F[1, 1]) == pytest.approx(0.5)
    assert [data.unitary_R(2, 2, e, 0, 0) for e in range(3)] == [1, -1, 1]  # E (x) E = Sym (A1 + E) + Alt (A2)
    assert data.indicators == [1, 1, 1]


@pytest.mark.parametrize("name", ["S3", "Q8", "A4", "SL(2,3)", "D5"])
def test_doubles_are_unitary(name):
    np = numpy_or_skip()
    data = fusion_data(name)
    for key, block in data.F.items():
        rows, columns = (sorted({path[side] for path in block}) for side in (0, 1))
        F = np.array([[data.unitary_F(*key, a, b) for b in columns] for a in rows])
        assert F.shape[0] == F.shape[1] and np.abs(F @ F.conj().T - np.eye(len(F))).max() < 1e-13
    for (i, j, e), block in data.R.items():
        n = data.fusion[i, j][e]
        R = np.array([[data.unitary_R(i, j, e, a, b) for b in range(n)] for a in range(n)])
        assert np.abs(R @ R.conj().T - np.eye(n)).max() < 1e-13 and block


def test_multiplicities_are_counted():
    """A4: 3 (x) 3 holds 3 twice, once in the symmetric square and once in the alternating one."""
    data = fusion_data("A4")
    assert data.fusion[3, 3] == {0: 1, 1: 1, 2: 1, 3: 2} and data.R[3, 3, 3] == {(0, 0): 1, (1, 1): -1}
    assert len({path for path, _ in data.F[3, 3, 3, 3]}) == 7


@pytest.mark.parametrize("name", ["C6", "C2 x C4", "S4", "D4", "C7 : C3"])
def test_maps_of_characters_of_degree_one(name):
    """They are not asked for: they are the number 1 in `clebsch_gordan`, too."""
    G, data = Group(name), fusion_data(name)
    linear = [k for k, d in enumerate(G.character_table().degrees) if d == 1]
    for i, j in itertools.product(linear, repeat=2):
        answer = G.clebsch_gordan(i, j)
        (part,) = answer.constituents
        assert [list(T.entries()) for T in part.maps] == [[(0, 0, 1)]] and list(part.norms) == [1]
        assert list(answer.left_form.entries()) == list(answer.right_form.entries()) == [(0, 0, 1)]
        assert data.fusion[i, j] == {part.irrep: 1}


def test_indicators_are_in_f():
    """F^iii_i at the trivial object is the indicator over the dimension, for what is its own dual."""
    for name in ("S3", "Q8", "D4", "SL(2,3)", "A4"):
        data = fusion_data(name)
        for i, sign in enumerate(data.indicators):
            if sign:
                value = data.unitary_F(i, i, i, i, (0, 0, 0), (0, 0, 0))
                assert value == pytest.approx(sign / data.dimensions[i])


def test_spins():
    data = fusion_data("SU(2)", "3/2")
    data.verify()
    assert data.names == ["0", "1/2", "1", "3/2"] and data.gauge == "unitary" and not data.complete
    half = {a: data.F[1, 1, 1, 1][(a, 0, 0), (b, 0, 0)] for a, b in ((0, 0), (2, 2))}
    assert half == {0: Fraction(-1, 2), 2: Fraction(1, 2)}
    assert data.F[1, 1, 1, 1][(0, 0, 0), (2, 0, 0)] == Surd({3: Fraction(1, 2)})
    assert data.R[1, 1, 0] == {(0, 0): -1} and data.R[1, 1, 2] == {(0, 0): 1}
    whole = fusion_data("SO(3)", 3)
    whole.verify()
    value = whole.F[1, 2, 1, 2][(2, 0, 0), (3, 0, 0)]
    assert float(value) == pytest.approx((5 * 7) ** 0.5 * float(wigner_6j(1, 2, 2, 1, 2, 3)))


def test_su3():
    """8 in 8 (x) 8 twice, by d and f, and quarks of three colours."""
    data = fusion_data("SU(3)", 10)
    data.verify()
    assert data.names == ["1", "3", "3*", "6", "6*", "8", "10", "10*"] and data.duals == [0, 2, 1, 4, 3, 5, 7, 6]
    assert data.fusion[1, 1] == {2: 1, 3: 1} and data.fusion[5, 5] == {0: 1, 5: 2, 6: 1, 7: 1}
    assert data.R[5, 5, 5] == {(0, 0): 1, (1, 1): -1} and data.R[1, 1, 2] == {(0, 0): -1}
    assert abs(data.unitary_F(1, 2, 1, 1, (0, 0, 0), (0, 0, 0))) == pytest.approx(1 / 3)
    assert abs(data.unitary_F(5, 5, 5, 5, (0, 0, 0), (0, 0, 0))) == pytest.approx(1 / 8)


@pytest.mark.skipif(not SLOW, reason="takes many minutes: set INTERTWINE_TEST_MULTIPLIER")
def test_su3_up_to_27():
    data = fusion_data("SU(3)", 27)
    assert max(data.dimensions) == 27 and len(data.names) == 17
    data.verify()


def test_a_wrong_number_does_not_pass():
    for name, most in (("S3", None), ("A4", None), ("SU(2)", 1)):
        data = fusion_data(name, most)
        keys = [(key, path) for key, block in data.F.items() for path in block]
        for key, path in keys[:: max(1, len(keys) // 7)]:
            wrong = FusionData.from_dict(data.to_dict())
            wrong.F[key][path] = -wrong.F[key][path] + 1
            if all(wrong._whole(*pair) for pair in itertools.combinations(key[:3], 2)):
                with pytest.raises(VerificationError):
                    wrong.verify()
        wrong = FusionData.from_dict(data.to_dict())
        wrong.R[1, 1, next(iter(wrong.fusion[1, 1]))][0, 0] = 2
        with pytest.raises(VerificationError, match="two exchanges of 1 and 1"):
            wrong.verify()
    empty = FusionData.from_dict({**fusion_data("S3").to_dict(), "F": []})
    with pytest.raises(VerificationError, match="is not unitary"):
        empty.verify()


@pytest.mark.parametrize("name", ["S3", "A4", "SL(2,3)", "C7 : C3"])
def test_the_proof_modulo_primes_is_exact(name):
    """It says what the equations one by one say, of right numbers and of numbers that are wrong by a multiple of the
    primes, or by a root of unity."""
    numpy_or_skip()
    from intertwine._fusion_proof import _Symbols

    data = fusion_data(name)
    data.verify()
    data._prove_one_by_one()
    field = _Symbols(data).field
    keys = [(key, path) for key, block in data.F.items() for path in block if data.dimensions[key[0]] > 1]
    for key, path in keys[:: len(keys) // 3]:
        for change in (field.prime(0), field.prime(0) * field.prime(1), E(4)):
            wrong = FusionData.from_dict(data.to_dict())
            wrong.F[key][path] = wrong.F[key][path] * change if change == E(4) else wrong.F[key][path] + change
            for proof in (wrong.verify, wrong._prove_one_by_one):
                with pytest.raises(VerificationError):
                    proof()
    data.F[0, 0, 0, 0][(1, 0, 0), (0, 0, 0)] = 1
    with pytest.raises(VerificationError, match="where no maps are"):
        data.verify()


def test_each_equation_tells():
    """Of C2 the other solution of the pentagon is that of semions, which this exchange does not fit."""
    data = FusionData.from_dict(fusion_data("C2").to_dict())
    data.F[1, 1, 1, 1][(0, 0, 0), (0, 0, 0)] = -1
    with pytest.raises(VerificationError, match="the hexagon of 1, 1, 1 fails"):
        data.verify()
    data.F[1, 1, 1, 1][(0, 0, 0), (0, 0, 0)] = E(4)
    with pytest.raises(VerificationError, match="the pentagon of 1, 1, 1, 1 fails"):
        data.verify()


def test_files(tmp_path):
    for name, most in (("S3", None), ("A4", None), ("SU(2)", 1)):
        data, path = fusion_data(name, most), tmp_path / f"{name}.json"
        data.write(path)
        back = read_fusion_data(path)
        assert back == data and hash(back) == hash(data) and back.F == data.F and back.R == data.R
        assert pickle.loads(pickle.dumps(data)) == data == copy.deepcopy(data) and data != fusion_data("C2")
        document = json.loads(path.read_text())
        assert document["format"] == "fusion-data" and document["format_version"] == 1
        for key, one, other, _, (re, im) in document["F"]:
            assert complex(re, im) == pytest.approx(data.unitary_F(*key, tuple(one), tuple(other)))
    assert list(tmp_path.glob("*.part")) == []
    for text, said in [
        ("{", "is no JSON"),
        ("[]", "is no document of fusion data"),
        ('{"format": "table"}', "no fusion data of version 1"),
        ('{"format": "fusion-data", "format_version": 1}', "has an error at 'objects'"),
    ]:
        wrong = tmp_path / "wrong.json"
        wrong.write_text(text)
        with pytest.raises(FileError, match=said):
            read_fusion_data(wrong)
    document["F"][0][3] = "7"
    wrong.write_text(json.dumps(document))
    with pytest.raises(VerificationError):
        read_fusion_data(wrong)
    with pytest.raises(FileError, match="cannot be read"):
        read_fusion_data(tmp_path / "missing.json")
    with pytest.raises(FileError, match="cannot be written"):
        data.write(tmp_path / "missing" / "file.json")


def test_bad_input():
    for wrong, said in [
        (lambda: fusion_data("SU(4)"), "finite groups, SU"),
        (lambda: fusion_data("SU(3)"), "most= is the largest dimension"),
        (lambda: fusion_data("S3", 2), "leave most out"),
        (lambda: fusion_data("SU(2)"), "most= is the largest one"),
        (lambda: fusion_data("SO(3)", "1/2"), "an integer, not '1/2'"),
        (lambda: fusion_data("SU(2)", "x"), "a spin, such as 2"),
        (lambda: fusion_data(3), "fusion data are of a group"),
    ]:
        with pytest.raises(DomainError, match=said):
            wrong()
    with pytest.raises(LimitError, match="at most 100"):
        fusion_data("C101")
    with pytest.raises(LimitError, match="at most 20"):
        fusion_data("SU(2)", 100)
    with pytest.raises(LimitError, match="those up to 27"):
        fusion_data("SU(3)", 28)


def test_surds():
    a, b = Surd({2: 1, 1: Fraction(1, 2)}), Surd({6: 2})
    assert a * b == Surd({3: 4, 6: 1}) and a + -a == 0 and not a - a and a != b and 2 * a == a + a
    assert Surd.of(SignedRoot.of_square(Fraction(-8, 9))) == Surd({2: Fraction(-2, 3)})
    assert float(a) == pytest.approx(2**0.5 + 0.5) and str(a) == "1/2 + 1*sqrt(2)" and hash(Surd(2)) == hash(2)
    assert Surd.from_dict(a.to_dict()) == a and Surd(3).is_rational and not a.is_rational and (a == "a") is False
