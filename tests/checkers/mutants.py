"""Mutants of documents: every leaf of JSON, the JSON in its texts included, is changed in every way that fits it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator

HUGE = (2**31, 2**62 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 + 1, 10**17, 10**30)
Path = tuple[str | int, ...]
NESTED = "()"  # the step from a text to the JSON in it


def steps(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every list, object and leaf."""
    if path:
        yield path, value
    if isinstance(value, str) and value[:1] == "{":
        yield from steps(json.loads(value), (*path, NESTED))
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from steps(member, (*path, key))


def changed(document: object, path: Path, change: Callable[[object], object]) -> object:
    """A copy in which one value is another."""
    if not path:
        return change(copy.deepcopy(document))
    if path[0] == NESTED:
        return json.dumps(changed(json.loads(document), path[1:], change))
    out = copy.copy(document)
    out[path[0]] = changed(document[path[0]], path[1:], change)
    return out


def dropped(document: object, path: Path) -> object:
    def without(parent: object) -> object:
        del parent[path[-1]]
        return parent

    return changed(document, path[:-1], without)


def of_integer(x: int) -> dict[str, object]:
    ways: dict[str, object] = {f"{y}": y for y in (x + 1, x - 1, -x, 0, 1, 2, *HUGE) if y != x}
    return ways | {"text": str(x), "half": x + 0.5, "float": float(x), "true": True, "null": None, "list": [x]}


def of_text(x: str) -> dict[str, object]:
    ways: dict[str, object] = {
        "empty": "",
        "word": "x",
        "longer": x + "0",
        "null": None,
        "list": [x],
        "line": x + "\n/tmp/x: accepted",
    }
    ways["long"] = (x or "1") * (20_000 // max(len(x), 1))
    if re.fullmatch(r"-?\d+", x):
        n = int(x)
        ways |= {f"{y}": str(y) for y in (n + 1, n - 1, -n, 0, 1, 2, *HUGE) if y != n}
        ways |= {
            "fraction": f"{x}/1",
            "half": f"{x}/2",
            "over 0": f"{x}/0",
            "plus": f"+{x}",
            "zeros": f"0{x}",
            "integer": n,
            "exponent": f"{x}e1000000000",
        }
    if x[:1] == "(":
        ways |= {
            "identity": "()",
            "moved": re.sub(r"\d+", lambda d: str(int(d.group()) + 1), x),
            "far": "(1,99999999999)",
            "twice": x + x,
            "reversed": x[::-1],
        }
    if "E(" in x:
        ways |= {
            "other root": x.replace("E(", "E(2"),
            "large root": re.sub(r"E\(\d+\)", "E(999999937)", x),
            "power": x + "^7",
            "rational": "1",
        }
        ways |= {"nonsense": "E(5)" * 10_000, "signs": "+" * 10_000, "terms": "+E(9973)" * 500}
    if re.fullmatch(r"[0-9a-f]{64}", x):
        ways["other digest"] = ("1" if x[0] == "0" else "0") + x[1:]
    return ways


def of_list(x: list) -> dict[str, object]:
    ways: dict[str, object] = {"emptied": [], "null": None, "object": {}}
    if x:
        ways |= {
            "shorter": x[:-1],
            "from the second": x[1:],
            "first twice": [x[0], *x],
            "last twice": [*x, x[-1]],
            "doubled": x + x,
        }
    if len(x) > 1:
        ways |= {
            "reversed": x[::-1],
            "turned": x[1:] + x[:1],
            "all like the first": [x[0]] * len(x),
            "two swapped": [x[1], x[0], *x[2:]],
        }
    return {way: y for way, y in ways.items() if y != x}


def mutants(document: dict) -> Iterator[tuple[Path, str, dict]]:
    """(where, how, the document) of all ways."""
    for path, value in steps(document):
        if isinstance(value, bool) or value is None:
            ways = {"not": not value, "integer": 1, "text": "true"}
        elif isinstance(value, int):
            ways = of_integer(value)
        elif isinstance(value, str):
            ways = of_text(value)
        elif isinstance(value, list):
            ways = of_list(value)
        else:
            ways = (
                {"emptied": {}, "list": [], "null": None, "more": {**value, "another": "1"}}
                if isinstance(value, dict)
                else {}
            )
        for way, new in ways.items():
            if path[-1] != NESTED or isinstance(new, dict):
                yield path, way, changed(document, path, lambda _, new=new: new)
        if path[-1] != NESTED and isinstance(path[-1], str):
            yield path, "dropped", dropped(document, path)
        if isinstance(value, str) and isinstance(path[-1], str) and path[-1].startswith("intertwine."):
            bare = path[-1].removeprefix("intertwine.")
            both = {path[-1]: "1" + value, bare: value}
            mutant = changed(document, path[:-1], lambda have, both=both: have | both)
            yield path, "true without its prefix", mutant


def exchanged(document: dict, path: Path, other: dict) -> dict | None:
    """The value at a path from another document of its kind, where it is another one."""
    found: object = other
    own: object = document
    for step in path:
        try:
            found, own = (json.loads(x) if step == NESTED else x[step] for x in (found, own))
        except (KeyError, IndexError, TypeError):
            return None
    return changed(document, path, lambda _: copy.deepcopy(found)) if found != own else None
