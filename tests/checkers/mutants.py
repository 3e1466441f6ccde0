"""Mutants of documents: every leaf of JSON, the JSON in its texts included, is changed in every way that fits it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence

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


def of_number(x: object) -> dict[str, object]:
    """Exact numbers, {"n", "c"} or texts: the same in other notations, and others in these."""
    order, terms = (x["n"], x["c"]) if isinstance(x, dict) else (1, [[x, 0]])
    doubled = [[c, 2 * e] for c, e in terms]
    halves = [[f"{c}/2", e] for c, e in terms]
    ways: dict[str, object] = {
        "as a sum": {"n": order, "c": terms},
        "of twice the order": {"n": 2 * order, "c": doubled},
        "and another term": {"n": 2 * order, "c": [*doubled, ["1", 1]]},
        "in halves": {"n": order, "c": halves + halves},
        "and all roots": {"n": 3 * order, "c": [[c, 3 * e] for c, e in terms] + [["1", order * k] for k in (1, 2)]},
    }
    # 1 + E(3) + E(3)^2 is 0: the number without fractions, where it has a term of exponent 0, and with them.
    for k, (c, e) in enumerate(terms):
        if e == 0 and re.fullmatch(r"-?\d+", c):
            rest = [[a, 3 * b] for j, (a, b) in enumerate(terms) if j != k]
            ways["and the sum of all roots"] = {
                "n": 3 * order,
                "c": [*rest, [str(int(c) + 1), 0], ["1", order], ["1", 2 * order]],
            }
            ways["by other roots"] = {
                "n": 3 * order,
                "c": [*rest, [f"{c}/2", 0], [f"{-int(c)}/2", order], [f"{-int(c)}/2", 2 * order]],
            }
    return ways


def changes(document: dict, path: Path, value: object) -> Iterator[tuple[str, dict]]:
    """(how, the document) of all ways at one place."""
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
    exact = path[0] in ("irreducibles", "irreps") and len(path) > 2
    if exact and (isinstance(value, str) and re.fullmatch(r"-?\d+", value) or isinstance(value, dict) and "n" in value):
        ways |= of_number(value)
    for way, new in ways.items():
        if path[-1] != NESTED or isinstance(new, dict):
            yield way, changed(document, path, lambda _, new=new: new)
    # A file without a seed claims nothing of one, though `verify` asks for one.
    if path[-1] not in (NESTED, "seed") and isinstance(path[-1], str):
        yield "dropped", dropped(document, path)
    if isinstance(value, str) and isinstance(path[-1], str) and path[-1].startswith("intertwine."):
        bare = path[-1].removeprefix("intertwine.")
        both = {path[-1]: "1" + value, bare: value}
        yield "true without its prefix", changed(document, path[:-1], lambda have: have | both)


def mutants(document: dict, others: Sequence[dict] = ()) -> Iterator[tuple[Path, str, dict]]:
    """(where, how, the document) of all ways, values of other documents of its kind among them."""
    for path, value in steps(document):
        for way, mutant in changes(document, path, value):
            yield path, way, mutant
        for other in others:
            if (mutant := exchanged(document, path, other)) is not None:
                yield path, "of another", mutant


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


def restored(document: dict, path: Path, original: dict) -> dict:
    """The document with the value that the original has at a path, where it has one."""
    value: object = original
    try:
        for step in path:
            value = json.loads(value) if step == NESTED else value[step]
        if isinstance(path[-1], str) and path[-1] != NESTED:
            return changed(document, path[:-1], lambda parent: {**parent, path[-1]: value})
        return changed(document, path, lambda _: value)
    except (KeyError, IndexError, TypeError, ValueError):
        return document
