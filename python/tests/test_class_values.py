"""Class functions from values by name, and in an order that is said."""

import pickle

import intertwine
import pytest
from intertwine import ClassFunction, Group


def named(function):
    table = function.table
    return {table.names[row]: m for row, m in enumerate(function.multiplicities()) if m}


def test_water():
    table = Group("C2v").character_table()
    water = {"A1": 3, "A2": 1, "B1": 2, "B2": 3}
    by_name = ClassFunction(table, {"E": 9, "C2": -1, "sv(xz)": 1, "sv'(yz)": 3})
    assert named(by_name) == water
    assert (
        by_name
        == ClassFunction(table, [9, -1, 1, 3], order="printed")
        == ClassFunction(table, [9, 1, 3, -1], order="classes")
    )
    assert by_name == ClassFunction(table, {"1a": 9, "2a": 1, "2b": 3, "2c": -1})
    assert by_name.by_name == {"E": 9, "C2": -1, "σv(xz)": 1, "σv'(yz)": 3} and list(by_name.by_name)[1] == "C2"
    with pytest.raises(intertwine.DomainError, match=r"E, C2, σv\(xz\), σv'\(yz\) in printed tables.*order='printed'"):
        ClassFunction(table, [9, -1, 1, 3])
    with pytest.raises(
        intertwine.DomainError, match=r"E, C2, σv\(xz\), σv'\(yz\), and each has one value: C2 has none"
    ):
        ClassFunction(table, {"E": 9, "sv": 1, "sv'": 3})
    for wrong, order in (
        ({"E": 9}, "printed"),
        ([9, -1, 1, 3], "other"),
        ({1: 9}, None),
        ([9, -1], "printed"),
        ([9, -1], None),
    ):
        with pytest.raises(intertwine.DomainError):
            ClassFunction(table, wrong, order)


@pytest.mark.parametrize("name", ["C2v", "C3v", "D2d", "Td", "Oh", "S4", "S5", "A5", "C3"])
def test_order_is_part_of_the_value(name):
    table = Group(name).character_table()
    for row in table:
        twice = row + row
        for function in (row, twice):
            assert (
                ClassFunction(table, function.by_name)
                == function
                == ClassFunction(table, function.values, order="classes")
            )
            assert pickle.loads(pickle.dumps(function)) == function
            assert (
                eval(
                    repr(function),
                    {"ClassFunction": ClassFunction, "Group": Group, "CharacterTable": intertwine.CharacterTable},
                )
                == function
            )
            assert ClassFunction(table, list(function.by_name.values()), "printed") == function
            try:
                assert ClassFunction(table, function.values) == function
            except intertwine.DomainError as error:
                assert "order=" in str(error) and list(function.by_name.values()) != list(function.values)


@pytest.mark.parametrize("name", ["C4", "D3", "D4", "D2"])
def test_lists_for_names_of_point_groups_are_refused(name):
    table = Group(name).character_table()
    point = intertwine.ClassFunction(Group(f"point({name})").character_table(), [1] * len(table))
    assert point.values == [1] * len(table)
    for row in table:
        assert (
            eval(repr(row), {"ClassFunction": ClassFunction, "Group": Group})
            == row
            == ClassFunction(table, row.by_name)
        )
        if len(set(row.values[1:])) > 1:
            for order in (None, "printed"):
                with pytest.raises(intertwine.DomainError, match=rf"point\({name}\)"):
                    ClassFunction(table, row.values, order)


def test_floats_and_what_is_no_character():
    table = Group("Ih").character_table()
    with pytest.raises(intertwine.DomainError, match=r"write '\(1\+sqrt\(5\)\)/2' if that is meant"):
        ClassFunction(table, [3, 1.618033988749895, *[0] * 8], order="printed")
    with pytest.raises(intertwine.ParseError, match=r"1.618034 is a decimal.*write \(1\+sqrt\(5\)\)/2"):
        ClassFunction(table, [3, "1.618034", *[0] * 8], order="printed")
    water = Group("C2v").character_table()
    wrong = ClassFunction(water, {"E": 9, "C2": -1, "sv(xz)": 1, "sv'(yz)": 2})
    with pytest.raises(intertwine.DomainError, match="A1 would occur 11/4 times, which is no natural number"):
        wrong.multiplicities()
