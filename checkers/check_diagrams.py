#!/usr/bin/env python3
"""Checks tables of diagrams: that they hold ALL layers between tensors for every size, and nothing else.

Usage: check_diagrams.py [--seconds N] FILE...      .safetensors, .npz, .json (docs/formats.md, "Tables of diagrams")

For each letter of the axes all diagrams of its group are listed anew: partitions for S(n), with an even number of
signed axes in every block for B(n), pairs for O(n), Sp(n), GL(n) and U(n). For one size that is large enough, where its
tensors have at most 1100 entries, the diagrams are multiplied out: they are unchanged under generators, exactly,
independent, and as many as the equations leave dimensions modulo a prime. For all other sizes that is a theorem [Jones
1994; Brauer 1937]. Groups of one size with a determinant, SO, SL and SU, are not for this checker. Exit status 0: every
file is accepted; 1: one is refused, with the reason; 2: one cannot be read or checked.
"""

import hashlib
import itertools
import re
import sys

import linear
import numpy as np
from reading import decimal, demand, member, readable, run
from table_files import integers, read

MOST = 1100  # entries of a tensor that is multiplied out
FORMS = ("S", "B", "O", "Sp", "GL", "U")


class Axis:
    """What its group does to an axis: `letter`, `free` of signs (B), `dual`: by the inverse transpose."""

    def __init__(self, text, output):
        self.letter, self.free, star = text[0], text[1:] == "+", text[1:] == "*"
        self.dual, self.output = star == output, output


def axes(text, output):
    readable(re.fullmatch(r"(?:[A-Za-z][*+]?){0,12}", text, re.ASCII), f"{text[:60]} are no axes of this checker")
    return [Axis(found, output) for found in re.findall(r"[A-Za-z][*+]?", text)]


def partitions(count):
    """Of 0 ... count - 1, as numbers of blocks that are counted as they first occur."""
    found = [()]
    for _ in range(count):
        found = [(*x, k) for x in found for k in range(max(x, default=-1) + 2)]
    return found


def all_diagrams(kind, of):
    """Those of the axes of one letter."""

    def fits(x):
        blocks = [[axis for axis, k in zip(of, x) if k == block] for block in set(x)]
        if kind == "S":
            return True
        if kind == "B":
            return all(sum(not axis.free for axis in block) % 2 == 0 for block in blocks)
        if any(len(block) != 2 for block in blocks):
            return False
        return kind in ("O", "Sp") or all(block[0].dual != block[1].dual for block in blocks)

    readable(len(of) <= 10, f"a letter has {len(of)} axes, and this checker takes 10")
    if kind in ("O", "Sp", "GL", "U"):
        return [x for x in pairings(len(of)) if fits(x)]
    return [x for x in partitions(len(of)) if fits(x)]


def pairings(count):
    def of(left):
        if not left:
            yield []
        for k in range(1, len(left)):
            for rest in of(left[1:k] + left[k + 1 :]):
                yield [(left[0], left[k]), *rest]

    out = []
    for pairs in of(list(range(count))) if count % 2 == 0 else ():
        x = [0] * count
        for k, pair in enumerate(sorted(pairs)):
            for p in pair:
                x[p] = k
        out.append(tuple(x))
    return out


# One letter, multiplied out at one size.
def tensor(kind, x, of, n):
    """{index: 1 or -1}: 1 where indices in a block agree; J for two axes of Sp(n) that act alike."""
    out = {}
    for values in itertools.product(range(n), repeat=max(x, default=-1) + 1):
        index, value = [values[k] for k in x], 1
        if kind == "Sp":
            for block in set(x):
                i, j = [place for place, k in enumerate(x) if k == block]
                if of[i].dual == of[j].dual:
                    index[j] = (index[i] + n // 2) % n
                    value = value if index[j] > index[i] else -value
        out[tuple(index)] = value
    return out


def generators(kind, n):
    """Pairs: "group" with images of basis vectors and signs, or "algebra" with {(i, j): x}."""
    if kind in "SB":
        turn, swap = [*range(1, n), 0], [1, 0, *range(2, n)] if n > 1 else [0]
        found = [("group", turn, [1] * n), ("group", swap, [1] * n)]
        return found + ([("group", list(range(n)), [-1] + [1] * (n - 1))] if kind == "B" else [])
    if kind == "O":
        turns = [("algebra", {(i, i + 1): 1, (i + 1, i): -1}) for i in range(n - 1)]
        return [*turns, ("group", list(range(n)), [-1] + [1] * (n - 1))]
    if kind == "Sp":  # [[A, B], [C, -A^T]] with symmetric B and C
        m, found = n // 2, []
        for i in range(m):
            for j in range(m):
                found.append(("algebra", {(i, j): 1, (m + j, m + i): -1}))
                found.append(("algebra", {(i, m + j): 1, (j, m + i): 1}))
                found.append(("algebra", {(m + i, j): 1, (m + j, i): 1}))
        return found
    return [("algebra", {(i, j): 1}) for i in range(n) for j in range(n)]


def moved(T, generator, of):
    """The image of a tensor, or its derivative."""
    out = {}
    if generator[0] == "group":  # signed permutations are their own inverse transposes
        _, image, signs = generator
        for index, x in T.items():
            for axis, i in zip(of, index):
                x = x if axis.free else x * signs[i]
            place = tuple(image[i] for i in index)
            out[place] = out.get(place, 0) + x
        return out
    for index, x in T.items():
        for place, axis in enumerate(of):
            for (i, j), a in generator[1].items():
                source, target, factor = (i, j, -a) if axis.dual else (j, i, a)
                if index[place] == source:
                    at = (*index[:place], target, *index[place + 1 :])
                    out[at] = out.get(at, 0) + factor * x
    return {place: x for place, x in out.items() if x}


def multiplied_out(kind, of, found):
    """That these diagrams are a basis at one size; None where its tensors are too large. The size."""
    n = {"S": len(of), "B": len(of), "O": -(-len(of) // 2), "Sp": len(of) + len(of) % 2}.get(kind, -(-len(of) // 2))
    n = max(n, 2)
    if n ** len(of) > MOST:
        return None
    tensors, modular, equations = [tensor(kind, x, of, n) for x in found], linear.Modular(1), []
    number = {index: k for k, index in enumerate(itertools.product(range(n), repeat=len(of)))}
    for generator in generators(kind, n):
        fixed = generator[0] == "group"
        for x, T in zip(found, tensors):
            demand(
                moved(T, generator, of) == (T if fixed else {}),
                f"diagram {list(x)} is changed by a generator of {kind}({n})",
            )
        lines = {}
        for index, k in number.items():
            for place, x in moved({index: 1}, generator, of).items():
                lines.setdefault(place, {})[k] = x
            if fixed:
                line = lines.setdefault(index, {})
                line[k] = line.get(k, 0) - 1
        equations += [line for line in lines.values() if any(line.values())]
    linear.independent(tensors, modular, f"diagrams at size {n}")
    left = len(number) - modular.rank(equations, len(number))
    demand(left == len(found), f"{len(found)} diagrams of {kind}({n}) are no basis of {left} dimensions")
    return n


# Files.
def check_list(rows, of, groups, some, what):
    """That the rows are all diagrams of these axes, each once; the sizes at which letters were multiplied out."""
    demand(len(set(rows)) == len(rows), f"one of the {what} is there twice")
    letters = list(dict.fromkeys(axis.letter for axis in of))
    known, sizes = {}, []
    for letter in letters:
        places = [k for k, axis in enumerate(of) if axis.letter == letter]
        kind, own = groups[letter][0], [of[k] for k in places]
        known[letter] = places, set(all_diagrams(kind, own))
        sizes.append(multiplied_out(kind, own, sorted(known[letter][1])))
    for row in rows:
        for letter, (places, every) in known.items():
            demand(
                tuple(row[k] for k in places) in every,
                f"{list(row)} of the {what} is no diagram on the axes of {letter}",
            )
    count = 1
    for _, every in known.values():
        count *= len(every)
    demand(some or len(rows) == count, f"there are {len(rows)} {what}, and {count} diagrams")
    return sizes


def rows_of(arrays, name, count, width):
    found = integers(arrays, name, count, width)
    return [tuple(row) for row in found.tolist()] if width else [()] * count


def digest(arrays, count, bias_count, width, height):
    parts = [
        integers(arrays, "diagram.bias", bias_count, height).astype("<i4").tobytes(),
        integers(arrays, "diagram.weights", count, width).astype("<i4").tobytes(),
        integers(arrays, "diagram.maps", None).astype(np.uint8).tobytes(),
    ]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def check(path):
    """What is proved of the file, in words. Refused says why it is not."""
    metadata, arrays = read(path)
    text = lambda key: member(metadata, f"intertwine.{key}", str, "the metadata")
    readable(text("format") == "tied-table" and text("kind") == "diagram", "it is no table of diagrams")
    readable(re.fullmatch(r"1(\.\d{1,3})?", text("version"), re.ASCII), "its version is not 1")
    target, source = axes(text("axes_out"), True), axes(text("axes_in"), False)
    of = target + source
    letters = list(dict.fromkeys(axis.letter for axis in of))
    names = text("groups").split(" ") if text("groups") else []
    demand(len(names) == len(letters), f"there are {len(names)} groups for {len(letters)} letters")
    groups = {}
    for letter, name in zip(letters, names):
        found = re.fullmatch(r"(S|B|O|Sp|GL|U)\((n|[1-9]\d{0,8})\)", name, re.ASCII)
        readable(found, f"{name[:40]} is no group of every size that this checker knows")
        groups[letter] = found[1], found[2]
        demand(found[1] != "Sp" or found[2] == "n" or int(found[2]) % 2 == 0, f"{name} has an odd size")
    signs = [axis for axis in of if axis.free and groups[axis.letter][0] != "B"]
    demand(not signs, "an axis without signs is of another group than B(n)")
    stars = re.findall(r"([A-Za-z])\*", text("axes_out") + text("axes_in"))
    demand(all(groups[letter][0] in ("GL", "U") for letter in stars), "a dual axis is of another group than GL or U")
    demand(text("reduction") in ("mean", "sum"), "the reduction is neither mean nor sum")
    maps = f"{text('axes_in')} -> {text('axes_out')}; {text('groups')}; {text('reduction')}".encode()
    stated = integers(arrays, "diagram.maps", None)
    demand(((stated >= 0) & (stated < 256)).all() and bytes(stated.tolist()) == maps, "its maps are not its axes")
    selection = metadata.get("intertwine.selection")
    demand(selection in (None, "some of the diagrams"), "its selection is none")
    params, bias_params = (decimal(text(key), key) for key in ("params", "bias_params"))
    readable(0 <= params < 2**20 and 0 <= bias_params < 2**20, "it has too many diagrams for this checker")
    demand(
        all(0 < decimal(text(f"multiplicity_{side}"), "a multiplicity") < 2**31 for side in ("in", "out")),
        "a multiplicity is not positive, or not below 2^31",
    )
    weights = rows_of(arrays, "diagram.weights", params, len(of))
    bias = rows_of(arrays, "diagram.bias", bias_params, len(target))
    demand(
        digest(arrays, params, bias_params, len(of), len(target)) == text("sha256"),
        "the arrays do not have the sha256 that the file states",
    )
    sizes = check_list(weights, of, groups, selection, "weights")
    check_list(bias, target, groups, selection, "biases")
    proved = all(sizes) and sizes
    whole = "some of the" if selection else "all"
    return (
        f"{params} weights and {bias_params} biases are {whole} diagrams from {text('axes_in') or 'no axes'} to "
        f"{text('axes_out') or 'no axes'} under {', '.join(names) or 'nothing'}"
        + (f", a basis multiplied out at n = {max(sizes)}" if proved else ", a basis by a theorem alone")
    )


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], __doc__, check))
