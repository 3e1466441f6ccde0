#!/usr/bin/env python3
"""Writes the proofs in character tables and irreducible representations as a program for GAP, which checks them by its own algorithms (check_characters.g).

Usage: characters_to_gap.py FILE.json... > characters.g && gap -A -q characters.g < /dev/null

It decides nothing; standard library alone.
"""
import json
import re
import sys
from fractions import Fraction
from pathlib import Path


def number(value):
    if isinstance(value, dict):
        return "+".join(f"({Fraction(c)})*E({int(value['n'])})^{int(e)}" for c, e in value["c"]) or "0"
    return str(Fraction(value))


def lists(items, text=str):
    return "[" + ",".join(str(text(item)) for item in items) + "]"


def cycles(text):
    if not re.fullmatch(r"(\(\d*(,\d+)*\))+", text):
        raise ValueError(f"{text[:60]} is no permutation in cycles")
    return text


def record(document):
    proof = document["proof"]
    classes = lists(
        document.get("classes", proof.get("classes")),
        lambda c: f"rec(representative:=PermList({[int(x) + 1 for x in c['representative']]}),size:={int(c['size'])},"
        f"centralizer:={int(c['centralizer_order'])},order:={int(c['element_order'])})",
    )
    fields = {"order": int(document["order"]), "generators": lists(proof["generators"], cycles), "classes": classes}
    if proof["form"] == "characters":
        fields |= {
            "form": '"characters"',
            "rows": lists(document["irreducibles"], lambda row: lists(row, number)),
            "indicators": lists(document["indicators"], int),
            "powers": lists(document["power_maps"].items(), lambda item: f"[{int(item[0])},{[int(k) for k in item[1]]}]"),
            "subgroups": lists(proof["subgroups"], lambda generators: lists(generators, cycles)),
            "linear": lists(
                proof["linear_characters"],
                lambda c: f"rec(subgroup:={int(c['subgroup'])},order:={int(c['order'])},exponents:={[int(e) for e in c['exponents']]})",
            ),
            "combinations": lists(proof["combinations"], lambda row: lists(row, lambda term: f"[{int(term[0])},{int(term[1])}]")),
        }
    else:
        transposed = lambda rows: lists(zip(*rows), lambda column: lists(column, number))
        fields |= {
            "form": '"representations"',
            "stated": lists(document["generators"], cycles),
            "forms": lists(
                document["irreps"],
                lambda form: f"rec(number:={int(form['irrep'])},degree:={int(form['degree'])},indicator:={int(form['indicator'])},"
                f"matrices:={lists(form['matrices'], transposed)})",
            ),
        }
    return "rec(" + ",\n ".join(f"{key}:={value}" for key, value in fields.items()) + ")"


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        return print(__doc__) or int(not paths) * 2
    print("SizeScreen([4096, 24]);")  # long lines stay whole
    print(f"Read({json.dumps(str(Path(__file__).resolve().parent / 'check_characters.g'))});")
    for path in paths:
        print(f"INTERTWINE_Check({json.dumps(str(path))},\n{record(json.loads(Path(path).read_text()))});")
    print("QUIT_GAP(INTERTWINE_STATUS);")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
