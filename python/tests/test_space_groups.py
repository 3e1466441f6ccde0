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
    assert diamond == SpaceGroup("Fd-3m") == SpaceGroup("-F 4vw 2vw 3") == SpaceGroup("227") and hash(diamond) == hash(SpaceGroup("Fd-3m"))
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
    assert other != SpaceGroup(227) and other.number is None and other.name is None and str(other) == other.hall
    assert other.point_group == Group("Oh") and other.group(1, 1, 1).name == 'space("F 4d 2 3 -1d",1,1,1)'
    for group in (other, SpaceGroup(14), SpaceGroup("P21/c")):
        assert eval(repr(group)) == group == pickle.loads(pickle.dumps(group)) and copy.deepcopy(group) is group is copy.copy(group)
    assert repr(SpaceGroup("P21/c")) == "SpaceGroup(14)" and SpaceGroup(14) != 14


def test_rods_and_layers():
    slab, wire = SpaceGroup.layer("p4/nmm"), SpaceGroup.rod(41)
    assert (slab.number, slab.name, slab.hall, slab.periodic) == (64, "p4/nmm", "-P 4a 2a", (True, True, False))
    assert (wire.number, wire.name, str(wire), wire.periodic) == (41, "p4_2/mmc", "p4_2/mmc", (False, False, True)) and SpaceGroup(129).periodic == (True, True, True)
    assert slab == SpaceGroup.layer(64) == SpaceGroup.layer("64") != SpaceGroup(129) and wire == SpaceGroup.rod("p42/mmc") != SpaceGroup(131)
    assert (repr(slab), repr(wire)) == ("SpaceGroup.layer(64)", "SpaceGroup.rod(41)")
    assert slab.group(2, 2) == Group("layer(p4/nmm,2,2)") and slab.group(2, 2).name == "layer(64,2,2)" and slab.group(2, 2).order == 64
    assert wire.group(c=3, position=(1, 0, 0)) == Group("rod(41,3; 1,0,0)") and wire.group(c=3).order == 48
    assert slab.point_group == wire.point_group == Group("D4h") and len(slab.operations) == 16
    # Every one is found again by its name, and differs from the space group of its symbol.
    for family, last in ((SpaceGroup.rod, 75), (SpaceGroup.layer, 80)):
        for number in range(1, last + 1):
            G = family(number)
            assert G.number == number and family(G.name) == G == eval(repr(G)) == pickle.loads(pickle.dumps(G)) != SpaceGroup(G.hall)
    for wrong in (0, 81, -1, "81", "-1", 1.5, "P 4", "Fd-3m", 10**30):
        with pytest.raises(intertwine.DomainError, match="rod group"):
            SpaceGroup.rod(wrong)
        with pytest.raises(intertwine.DomainError, match="layer group"):
            SpaceGroup.layer(wrong)
    for cells in ((2, 2, 2), (2,), ()):
        with pytest.raises(intertwine.DomainError, match="edge"):
            slab.group(*cells)


@pytest.mark.parametrize("wrong", [0, 231, -1, "Fd3", "", "F 9 2", 1.5])
def test_refused(wrong):
    with pytest.raises(intertwine.Error):
        SpaceGroup(wrong)
    with pytest.raises(intertwine.DomainError, match="edge"):
        SpaceGroup(227).group(1, 2, 1)
