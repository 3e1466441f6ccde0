#!/usr/bin/env python3
"""Checks that the images in a weight table are those of the group and of the representations that it names.

Usage: check_names.py [--seconds N] FILE...      .safetensors, .npz, .json, written with --proof

check_table.py proves what follows from the images of the generators; this checker makes them from the names, by
docs/conventions.md, and compares. Where a name is none that it knows, it proves that the images are a representation of
the group that the generators make, irreducible with the values of its character where the name has them, and says what
is left to the writer. Exit status 0: every file is accepted; 1: one is refused, with the reason; 2: one cannot be read,
or its group is unknown or too large.
"""

import math
import re
import sys

import images
import linear
import named_groups as groups
from check_table import acting
from reading import decimal, demand, json_of, member, readable, run
from table_files import tables


def check_order(table, group):
    """The order in the metadata."""
    stated = json_of(table.text("group"))
    found = re.fullmatch(r"([SACD])(\d{1,3})", group.name, re.ASCII)
    if found and group.proved:
        n = int(found[2])
        order = {"S": math.factorial(n), "A": max(1, math.factorial(n) // 2), "C": n, "D": 2 * n}[found[1]]
    else:
        order = group.order()
    demand(decimal(member(stated, "order", str, "the group"), "the order") == order, f"the order is not {order}")
    texts = member(stated, "generators", list, "the group")
    demand(texts == table.names, "the proof has other generators than the group")


def check_side(table, key, side, size, group, companions, field):
    """That images are those of the name; what is left to the writer."""
    rep = table.text(f"rep_{key}")
    given = images.dense(acting(table, side, size), size, field)
    named = images.Named(group, companions, field)
    have, made = named.images(rep)
    demand(have == size, f"{rep} has the dimension {have}, and the table {size} {side}s")
    for k, (x, y) in enumerate(zip(given, made)):
        demand(linear.equal(x, y), f"generator {k} acts on the {side}s in another way than by {rep}")
    return named


def check_table(table):
    companions = images.Companions([])
    companions.table(table)
    name, _ = images.stated_group(table)
    group = images.group_called(name, companions)
    if isinstance(group, groups.Finite):
        check_order(table, group)
    names = [table.text(f"rep_{key}") for key in ("in", "out")]
    field = images.field_for({}, companions, group, *names)
    source = check_side(table, "in", "column", table.width, group, companions, field)
    source.words |= check_side(table, "out", "row", table.height, group, companions, field).words
    said = images.words(source, group)
    return f"the images fit the names, {names[0]} on columns and {names[1]} on rows, of {name}{said}"


def check(path):
    """What is proved of the file, in words. Refused says why it is not."""
    found, are_blocks = tables(path)
    readable(len(found) <= 64, "it has more than 64 blocks")
    said = [(f"block {place}: " if are_blocks else "") + check_table(table) for place, table in found.items()]
    return "; ".join(said)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], __doc__, check))
