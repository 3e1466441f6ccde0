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


@pytest.mark.parametrize("wrong", [0, 231, -1, "Fd3", "", "F 9 2", 1.5])
def test_refused(wrong):
    with pytest.raises(intertwine.Error):
        SpaceGroup(wrong)
    with pytest.raises(intertwine.DomainError, match="edge"):
        SpaceGroup(227).group(1, 2, 1)
