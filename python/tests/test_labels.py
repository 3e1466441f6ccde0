"""Labels of representations at wave vectors, from the tables of irreptables where it is installed."""

import importlib.util
import pathlib
from fractions import Fraction

import pytest
from intertwine import DomainError, SpaceGroup
from intertwine._labels import label_folder
from intertwine.chem import MagneticSpaceGroup

HALF = ["1/2"] * 3
with_tables = pytest.mark.skipif(importlib.util.find_spec("irreptables") is None, reason="irreptables is not installed")


@with_tables
def test_labels_of_diamond():
    group = SpaceGroup(227)
    gamma = group.irreps_at([0, 0, 0])
    labels = gamma.labels()
    assert sorted(labels) == sorted(f"GM{n}{p}" for n in range(1, 6) for p in "+-")
    # The representation of displacements, which is odd, is GM4-; the optical mode of diamond is GM5+.
    traces = [sum(W[i][i] for i in range(3)) for W, _ in gamma.operations]
    assert gamma.characters[labels.index("GM4-")] == traces
    X = group.irreps_at([1, 0, 0])
    assert sorted(X.labels()) == ["X1", "X2", "X3", "X4"] and X.dimensions == [2] * 4
    assert sorted(group.irreps_at([0, 0, 1]).labels()) == ["X1", "X2", "X3", "X4"]  # another arm of the star
    assert sorted(group.irreps_at(HALF).labels()) == ["L1+", "L1-", "L2+", "L2-", "L3+", "L3-"]
    # The compatibility of X with the line does not depend on the arm or the origin.
    split = []
    for other, k, along in ((group, [1, 0, 0], [1, 0, 0]), (group, [0, 1, 0], [0, 1, 0]), (SpaceGroup("227:1"), [0, 0, 1], [0, 0, 1])):  # fmt: skip
        point = other.irreps_at(k)
        table = point.compatibility(point.along(along))
        split.append({label: sum(row) for label, row in zip(point.labels(), table)})
    assert split[0] == split[1] == split[2] == {"X1": 2, "X2": 2, "X3": 1, "X4": 1}


@with_tables
@pytest.mark.parametrize("part", range(5))
def test_labels_are_of_all_representations(part):
    points = ([0, 0, 0], HALF, ["1/2", 0, 0], [1, 0, 0], ["1/3", "1/3", 0], ["1/2", "1/2", 0], [0, 0, "1/2"], [1, 1, 1])
    found = 0
    for number in range(1 + part, 231, 5):
        group = SpaceGroup(number)
        for k in points:
            little = group.irreps_at(k)
            try:
                labels = little.labels()
            except DomainError as error:
                assert "highest symmetry" in str(error) or (number in (122, 199, 220) and "-k" in str(error))
                continue
            assert len(set(labels)) == len(little) == len(labels)
            found += 1
    assert found > 180


@with_tables
def test_labels_of_spinors():
    group = SpaceGroup(227)
    gamma = group.irreps_at([0, 0, 0], spinors=True)
    labels = gamma.labels()
    assert sorted(labels) == ["-GM10", "-GM11", "-GM6", "-GM7", "-GM8", "-GM9"]
    dimensions = dict(zip(labels, gamma.dimensions))
    # The four of dimension 2 and the two of dimension 4, Γ8 of Luttinger: as the Bilbao server has them.
    assert [dimensions[f"-GM{n}"] for n in range(6, 12)] == [2, 2, 2, 2, 4, 4]
    assert group.irreps_at([1, 0, 0], spinors=True).labels() == ["-X5"]
    # A screw: the table has -i for A3 and the lift -i sigma_y, which is ours.
    screw = SpaceGroup(4).irreps_at(["1/2", 0, "1/2"], spinors=True)
    assert screw.turns[1] == (2, (0, 1, 0))
    assert {label: complex(row[1]) for label, row in zip(screw.labels(), screw.characters)} == {"-A3": -1j, "-A4": 1j}
    # Another arm, and another origin.
    split = []
    for other, k, along in ((group, [1, 0, 0], [1, 0, 0]), (SpaceGroup("227:1"), [0, 0, 1], [0, 0, 1])):
        point = other.irreps_at(k, spinors=True)
        split.append([sum(row) for row in point.compatibility(point.along(along))])
        assert point.labels() == ["-X5"]
    assert split[0] == split[1]


def points_of(number, spinors):
    """The wave vectors of a table, with the labels there."""
    (path,) = pathlib.Path(label_folder()).rglob(f"irreps-SG={number}-{'spin' if spinors else 'scal'}.dat")
    _, *blocks = path.read_text(encoding="utf-8").split("kpoint")
    for block in blocks:
        head, *lines = block.strip().split("\n")
        place = [Fraction(x).limit_denominator(12) for x in head.split(":")[1].split()]
        yield place, {line.split()[0] for line in lines if line.strip()}


@with_tables
@pytest.mark.parametrize("spinors", [False, True])
@pytest.mark.parametrize("part", range(6))
def test_labels_are_of_all_tabulated_points(part, spinors):
    found = other_sign = 0
    for number in range(1 + part, 231, 6):
        group = SpaceGroup(number)
        for k, known in points_of(number, spinors):
            try:
                labels = group.irreps_at(k, spinors).labels()
            except DomainError as error:
                assert "representation of -k" in str(error) and number in (24, 122, 199, 220)
                labels = group.irreps_at([-x for x in k], spinors).labels()
                other_sign += 1
            assert len(labels) == len(known) and set(labels) == known
            found += 1
    assert found > 200 and other_sign <= 2


@with_tables
def test_tables_with_the_other_sign():
    for number in (141, 142, 206, 214, 230):  # -P is in the star of P
        assert SpaceGroup(number).irreps_at(HALF).labels()[0].startswith("P")
    assert sorted(SpaceGroup(199).irreps_at(["-1/2"] * 3).labels()) == ["P1", "P2", "P3"]
    with pytest.raises(DomainError, match="representation of -k"):
        SpaceGroup(199).irreps_at(HALF).labels()


@with_tables
def test_wave_vectors_without_labels():
    group = SpaceGroup(227)
    for little, words in [
        (group.irreps_at(["1/7", 0, 0]), "in none of their stars"),
        (group.irreps_at(["1/7", 0, 0], spinors=True), "in none of their stars"),
        (group.irreps_at([0, 0, 0]).along([1, 0, 0]), "without lines"),
        (MagneticSpaceGroup(group).irreps_at([0, 0, 0]), "magnetic order"),
        (SpaceGroup("P 1 1 21/b").irreps_at([0, 0, 0]), "axes of this setting"),
    ]:
        with pytest.raises(DomainError, match=words):
            little.labels()


def test_labels_need_tables(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(DomainError, match="pip install irreptables"):
        SpaceGroup(2).irreps_at([0, 0, 0]).labels()
