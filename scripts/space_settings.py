"""Writes src/groups/named/space_settings.txt, the settings of the 230 space groups, and tests/data/space_settings/.

They come from the tables of two packages: spglib's 530 settings of Hall's table, and gemmi's 564 names of CIF and PDB
files.

    pip install gemmi spglib
    python scripts/space_settings.py            # writes the files
    python scripts/space_settings.py --check    # says whether they are what it would write

A line of space_settings.txt has six columns, with | between them: the number of the group, Hall's symbol, the choices
of axes and origin as spglib calls them, Hermann-Mauguin symbols as CIF files write them, full symbols, and short
symbols. Lists have commas. Symbols stand without the choice of origin or axes; one that begins with 1, 2, H or R is
that choice.
"""

import argparse
import collections
import pathlib
import re
import sys

import gemmi
import spglib

ROOT = pathlib.Path(__file__).parent.parent
TABLE = ROOT / "src/groups/named/space_settings.txt"
DATA = ROOT / "tests/data/space_settings"
SEPARATE = ("1", "2", "H", "R")  # choices that names carry behind a colon


class Setting:
    """One Hall symbol and what it is called."""

    def __init__(self, number, hall):
        self.number, self.hall = number, hall
        self.choices, self.cif, self.full, self.short = [], [], [], []

    def add(self, column, name):
        if name and name not in self.cif + self.full + self.short:
            column.append(name)

    def line(self):
        lists = (self.choices, self.cif, self.full, self.short)
        return "|".join([str(self.number), self.hall, *(",".join(column) for column in lists)])


def settings():
    found = {}
    for hall_number in range(1, 531):
        kind = spglib.get_spacegroup_type(hall_number)
        setting = found.setdefault(kind.hall_symbol, Setting(kind.number, kind.hall_symbol))
        if kind.choice:
            setting.choices.append(kind.choice)
    for entry in gemmi.spacegroup_table():
        setting = found.setdefault(entry.hall, Setting(entry.number, entry.hall))
        assert setting.number == entry.number
        setting.add(setting.cif, entry.hm)
    for hall_number in range(1, 531):
        kind = spglib.get_spacegroup_type(hall_number)
        setting = found[kind.hall_symbol]
        setting.add(setting.full, kind.international_full.replace("_", ""))
        for name in kind.international.replace("_", "").split(" = ")[2:]:
            setting.add(setting.short, name)  # "C 2 = B 1 1 2 = B 2"
        if 16 <= kind.number <= 74:  # "C 2/m 2/m 2/e" is "C m m e", beside "C m m a"
            tokens = kind.international_full.replace("_", "").split()
            setting.add(setting.full, " ".join(token.split("/")[-1] for token in tokens))
        if " = " not in kind.international:
            setting.add(setting.full, kind.international.replace("_", ""))
    add_short(found.values())
    return sorted(found.values(), key=lambda setting: setting.number)


def monoclinic_axis(name):
    tokens = name.split()
    if len(tokens) != 4:
        return None
    return next((axis for axis, token in zip("abc", tokens[1:], strict=True) if token != "1"), None)


def add_short(found):
    """Monoclinic symbols without their 1s, cubic ones without the bar of -3, and H 3 and H 3 2 of PDB files."""
    settled = {name for setting in found for name in setting.short}
    short = collections.defaultdict(list)
    for setting in found:
        for name in setting.cif + setting.full:
            axis = monoclinic_axis(name)
            if 3 <= setting.number <= 15 and axis:
                short[" ".join(token for token in name.split() if token != "1")].append((setting, axis))
            if setting.number >= 200 and "-3" in name.split() and name in setting.cif:
                setting.add(setting.short, name.replace("-3", "3"))
        if setting.number in (146, 155) and "H" in setting.choices:
            setting.add(setting.short, {146: "H 3", 155: "H 3 2"}[setting.number])
    for name, meant in short.items():
        if name in settled:
            continue
        # The usual axis is b, but not of larger cells.
        usual = [one for one, axis in meant if axis == "b" and one.choices]
        for setting, axis in meant:
            beaten = usual or any(other.number == setting.number for other, unique in meant if unique == "b")
            if axis == "b" or not beaten:
                setting.add(setting.short, name)


def squeezed(name):
    return re.sub(r"[ _()]", "", name).lower()


def check(table):
    """No symbol means two groups, but for a few short ones that are refused."""
    meanings = collections.defaultdict(set)
    for setting in table:
        for name in setting.cif + setting.full + setting.short:
            meanings[squeezed(name)].add(setting.number)
    for name, numbers in meanings.items():
        if len(numbers) > 1:
            print(f"{name} means {sorted(numbers)}", file=sys.stderr)


def operations(hall):
    """The symmetries that gemmi reads from a Hall symbol, without centring translations, as x,y,z triplets."""
    return " ".join(sorted(op.wrap().triplet() for op in gemmi.symops_from_hall(hall).sym_ops))


def names():
    """Every name that the tables have, with the number and Hall's symbol that they give it."""
    lines = []
    for entry in gemmi.spacegroup_table():
        lines.append((entry.xhm(), entry.number, entry.hall))
    for hall_number in range(1, 531):
        kind = spglib.get_spacegroup_type(hall_number)
        ending = ":" + kind.choice if kind.choice.startswith(SEPARATE) else ""
        for name in (kind.international_full, kind.international):
            lines.append((name + ending, kind.number, kind.hall_symbol))
    meant = collections.defaultdict(set)
    for name, _, hall in lines:
        meant[name].add(hall)
    return [line for line in dict.fromkeys(lines) if len(meant[line[0]]) == 1]  # spglib has B m e m twice


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    table = settings()
    check(table)
    files = {
        TABLE: "".join(setting.line() + "\n" for setting in table),
        DATA / "names.txt": "".join("|".join(map(str, line)) + "\n" for line in names()),
        DATA / "operations.txt": "".join(f"{setting.hall}|{operations(setting.hall)}\n" for setting in table),
    }
    for path, text in files.items():
        if arguments.check:
            print(f"{path.relative_to(ROOT)}: {'as it is' if path.read_text() == text else 'differs'}")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)


if __name__ == "__main__":
    main()
