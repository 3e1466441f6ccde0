#!/usr/bin/env python3
"""Writes the proofs in character tables and irreducible representations as a program for GAP, which checks them by its
own algorithms (check_characters.g).

Usage: characters_to_gap.py FILE.json... > characters.g && gap -o 4g -A -q characters.g < /dev/null

It decides nothing but whether a file can be read. GAP leaves with the exit status 0 if every file is accepted, by its
name in the last line; 1 if one is refused; 2 if one cannot be read, if an error stops a check, or if anything ends GAP
earlier. Standard library alone."""

import sys
from pathlib import Path

from reading import demand, document, options, printable, verdict, whole


def text(words):
    """A string of GAP: printable ASCII, all else by octal numbers of bytes."""
    return (
        '"'
        + "".join(
            c if " " <= c <= "~" and c not in '"\\' else "".join(f"\\{byte:03o}" for byte in c.encode()) for c in words
        )
        + '"'
    )


def lists(items, write=str):
    return "[" + ",".join(write(item) for item in items) + "]"


def number(value):
    n, parts = value
    return "+".join(f"({c})*E({n})^{e}" if e else f"({c})" for c, e in parts) or "0"


def image(points):
    return f"PermList({[x + 1 for x in points]})"


def fields_of(**fields):
    return "rec(" + ",\n ".join(f"{key}:={value}" for key, value in fields.items()) + ")"


def conjugacy_class(c):
    found = {"size": c.size, "centralizer": c.centralizer, "order": c.order}
    return fields_of(representative=image(c.representative), **found)


def representation(form):
    """Transposed: GAP multiplies permutations from left to right."""
    matrices = lists(form.matrices, lambda rows: lists(zip(*rows, strict=True), lambda column: lists(column, number)))
    seed = {}
    if form.seed:
        values, vector = lists(form.seed.values, number), lists(form.seed.vector, number)
        seed["seed"] = fields_of(elements=lists(form.seed.elements, image), values=values, vector=vector)
    return fields_of(number=form.number, degree=form.size, indicator=form.indicator, matrices=matrices, **seed)


def linear_character(c):
    return fields_of(subgroup=c.subgroup, order=c.order, exponents=c.exponents)


def record(of):
    fields = {
        "order": of.order,
        "generators": lists(of.generators, image),
        "classes": lists(of.classes, conjugacy_class),
        "form": text(of.form),
    }
    if of.form == "characters":
        for row in of.rows:
            for (n, _), c in zip(row, of.classes, strict=True):
                demand(
                    c.order > 0 and c.order % n == 0,
                    f"a number has roots of unity of order {n}, and those of order {c.order} must do",
                )
        fields |= {
            "rows": lists(of.rows, lambda row: lists(row, number)),
            "indicators": str(of.indicators),
            "powers": lists(of.power_maps, lambda item: f"[{item[0]},{item[1]}]"),
            "subgroups": lists(of.subgroups, lambda generators: lists(generators, image)),
            "linear": lists(of.linear, linear_character),
            "combinations": lists(of.combinations, lambda row: lists(row, lambda term: f"[{term[0]},{term[1]}]")),
        }
    else:
        fields["forms"] = lists(of.irreps, representation)
    return fields_of(**fields)


def program(checker, files):
    """The commands that check these files, each the name and the lists of its parts, (name, expression), or what is to
    be said instead and its status."""
    here = text(str(Path(__file__).resolve().parent))
    lines = [
        "GAP_EXIT_CODE(2);  # whatever ends GAP before the last line",
        "SizeScreen([4096, 24]);;",
        f"INTERTWINE_FOLDER := {here};;",
    ]
    lines += [f"Read(Concatenation(INTERTWINE_FOLDER, {text('/' + name)}));" for name in ("verdicts.g", checker)]
    for name, found in files:
        if isinstance(found, tuple):
            status, words = found
            lines.append(f"INTERTWINE_Say({text(name)}, {text(words)}, {status});")
        else:
            # A function for each part: it is only evaluated where an error is caught.
            lines.append(
                f"INTERTWINE_File({text(name)}, "
                f"[{', '.join(f'[{text(part)}, function() return {expression}; end]' for part, expression in found)}]);"
            )
    names = lists([name for name, _ in files], text)
    return "\n".join([*lines, f"INTERTWINE_End({names});", ""])


def main(arguments):
    seconds, paths, status = options(arguments, __doc__)
    if paths is None:
        return status
    files = []
    for path in paths:
        found = []
        status, words = verdict(path, lambda path: found.append(record(document(whole(path)))), seconds)
        files.append(
            (
                printable(path),
                (status, printable(words)) if status else [("", f"INTERTWINE_CheckCharacters({found[0]})")],
            )
        )
    print(program("check_characters.g", files), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
