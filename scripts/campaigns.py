"""What the scripts that compare whole libraries of groups share: permutations as tuples of images from 0, the list of
small groups, results in a JSON file."""

import datetime
import json
import math
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def parsed(text, degree):
    """A permutation from cycles of points from 1."""
    images = list(range(degree))
    for cycle in text.replace(" ", "").strip("()").split(")("):
        points = [int(x) - 1 for x in cycle.split(",") if x]
        for x, y in zip(points, points[1:] + points[:1]):
            images[x] = y
    return tuple(images)


def list_of_cycles(g):
    """All of them, also those of length 1."""
    found, seen = [], set()
    for x in range(len(g)):
        cycle = []
        while x not in seen:
            seen.add(x)
            cycle.append(x + 1)
            x = g[x]
        if cycle:
            found.append(cycle)
    return found


def cycles(g):
    return "".join(f"({','.join(map(str, cycle))})" for cycle in list_of_cycles(g) if len(cycle) > 1) or "()"


def order_of(g):
    return math.lcm(1, *map(len, list_of_cycles(g)))


def product(g, h):
    """First h, then g."""
    return tuple(g[x] for x in h)


def small_groups():
    """(order, number, degree, generators in cycles) of all groups of order at most 127, by GAP."""
    with open(os.path.join(ROOT, "src/groups/named/small_groups.txt"), encoding="utf-8") as file:
        lines = [line.split() for line in file if line[:1].isdigit()]
    return [(*map(int, line[:3]), line[3].replace("),(", ") (").split() if line[3:] else []) for line in lines]


def results_in(path):
    """The campaigns of a file, by their names."""
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save_results(path, name, record):
    """Beside the campaigns that the file has, at once or not at all."""
    if not path:
        return
    campaigns = results_in(path) | {name: record | {"date": datetime.date.today().isoformat()}}
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(campaigns, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(path + ".new", path)
