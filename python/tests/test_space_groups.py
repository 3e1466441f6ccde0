"""Space groups as values."""

import copy
import pickle
from fractions import Fraction

import intertwine
import pytest
from intertwine import Group, SpaceGroup


def test_diamond():
    diamond = SpaceGroup(227)
    assert (diamond.number, diamond.name, diamond.hall, str(diamond)) == (227, "Fd-3m", "-F 4vw 2vw 3", "Fd-3m")
    assert diamond == SpaceGroup("Fd-3m") == SpaceGroup("-F 4vw 2vw 3") == SpaceGroup("227") and hash(diamond) == hash(
        SpaceGroup("Fd-3m")
    )
    assert diamond.point_group == Group("Oh") and len(diamond.operations) == 48
    assert diamond.operations[0] == (((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0))
    half = Fraction(1, 2)
    assert sorted(diamond.centring) == [(0, 0, 0), (0, half, half), (half, 0, half), (half, half, 0)]
    assert {x for _, w in diamond.operations for x in w} <= {Fraction(k, 4) for k in range(4)}
    atoms = diamond.group(2, 2, 2, position=[Fraction(1, 8)] * 3)
    assert (atoms.order, atoms.degree) == (48 * 4 * 8, 64) and atoms == Group("space(227,2,2,2; 1/8,1/8,1/8)")
    assert diamond.group(1, 1, 1).order == 192 == diamond.group(a=1, b=1, c=1, memory="1GiB").degree


def test_other_settings():
    other = SpaceGroup("F 4d 2 3 -1d")  # the origin at -43m
    assert (
        other != SpaceGroup(227)
        and other == SpaceGroup("F d -3 m:1") == SpaceGroup("227:1")
        and SpaceGroup(227).setting == "F d -3 m:2"
    )
    assert (other.number, other.name, other.setting, str(other)) == (227, "F d -3 m:1", "F d -3 m:1", "F d -3 m:1")
    shifted = SpaceGroup("hall:P 2 (0 1 0)")  # as no table has it
    assert shifted.number is None and shifted.name is None and shifted.setting is None and str(shifted) == shifted.hall
    assert other.point_group == Group("Oh") and other.group(1, 1, 1).name == 'space("F 4d 2 3 -1d",1,1,1)'
    for group in (other, SpaceGroup(14), SpaceGroup("P21/c")):
        assert eval(repr(group)) == group == pickle.loads(pickle.dumps(group)) and copy.deepcopy(
            group
        ) is group is copy.copy(group)
    assert repr(SpaceGroup("P21/c")) == "SpaceGroup(14)" and SpaceGroup(14) != 14


def test_names_of_cif_files():
    quartz, screw = SpaceGroup("P 31 2 1"), SpaceGroup("P 1 21 1")
    assert (quartz.number, SpaceGroup("P 3 2 1").number, screw.number) == (152, 150, 4)
    assert quartz == SpaceGroup("P3_121") != SpaceGroup("hall:P 31 2 1")
    assert screw.operations[1] == (((-1, 0, 0), (0, 1, 0), (0, 0, -1)), (0, Fraction(1, 2), 0))
    assert (SpaceGroup("P21/n").name, SpaceGroup("P21/n").number, SpaceGroup("Pbnm").number) == ("P 1 21/n 1", 14, 62)
    with pytest.raises(intertwine.DomainError, match=r"P 32 \(number 145\).*P 3 1 2 \(number 149\).*hall:P 3 2"):
        SpaceGroup("P 3 2")
    # The program's names and Python's are read by one function, and what is printed is read again.
    for name in ("P 31 2 1", "P 21/n", "R 3:R", "hall:P 2", "P2(1)/c", "C 1 1 2"):
        group = SpaceGroup(name)
        assert (
            group.group(1, 1, 1)
            == Group(f'space("{name}",1,1,1)')
            == Group(group.group(1, 1, 1).name)
            == Group(f"space({name},1,1,1)")
        )
        assert eval(repr(group)) == group == pickle.loads(pickle.dumps(group))


def test_rods_and_layers():
    slab, wire = SpaceGroup.layer("p4/nmm"), SpaceGroup.rod(41)
    assert (slab.number, slab.name, slab.hall, slab.periodic) == (64, "p4/nmm", "-P 4a 2a", (True, True, False))
    assert (wire.number, wire.name, str(wire), wire.periodic) == (
        41,
        "p4_2/mmc",
        "p4_2/mmc",
        (False, False, True),
    ) and SpaceGroup(129).periodic == (True, True, True)
    assert slab == SpaceGroup.layer(64) == SpaceGroup.layer("64") != SpaceGroup(129) and wire == SpaceGroup.rod(
        "p42/mmc"
    ) != SpaceGroup(131)
    assert (repr(slab), repr(wire)) == ("SpaceGroup.layer(64)", "SpaceGroup.rod(41)")
    assert (
        slab.group(2, 2) == Group("layer(p4/nmm,2,2)")
        and slab.group(2, 2).name == "layer(64,2,2)"
        and slab.group(2, 2).order == 64
    )
    assert wire.group(c=3, position=(1, 0, 0)) == Group("rod(41,3; 1,0,0)") and wire.group(c=3).order == 48
    assert slab.point_group == wire.point_group == Group("D4h") and len(slab.operations) == 16
    # Every one is found again by its name, and differs from the space group of its symbol.
    for family, last in ((SpaceGroup.rod, 75), (SpaceGroup.layer, 80)):
        for number in range(1, last + 1):
            G = family(number)
            assert G.number == number and family(G.name) == G == eval(repr(G)) == pickle.loads(
                pickle.dumps(G)
            ) != SpaceGroup("hall:" + G.hall)
    for wrong in (0, 81, -1, "81", "-1", 1.5, "P 4", "Fd-3m", 10**30):
        with pytest.raises(intertwine.DomainError, match="rod group"):
            SpaceGroup.rod(wrong)
        with pytest.raises(intertwine.DomainError, match="layer group"):
            SpaceGroup.layer(wrong)
    for cells in ((2, 2, 2), (2,), ()):
        with pytest.raises(intertwine.DomainError, match="edge"):
            slab.group(*cells)


@pytest.mark.parametrize("wrong", [0, 231, -1, "Fd5", "", "F 9 2", 1.5, "P 2", "P 3 2", "Aemm", "F d -3 m:3"])
def test_refused(wrong):
    with pytest.raises(intertwine.Error):
        SpaceGroup(wrong)
    with pytest.raises(intertwine.DomainError, match="edge"):
        SpaceGroup(227).group(1, 2, 1)
