#!/usr/bin/env python3
"""Checks which module includes which, in C++ and in Python (docs/modules.md).

Usage: scripts/check_includes.py [--self-test] [ROOT]

A file of include/intertwine/<module>/ or src/<module>/ may include headers of its own module and of the modules before
it in MODULES, and the top-level headers of BASE. Headers of BASE include only one another. The containers of io include
only tables and themselves, numeric only these and tables. A private header of a room, src/<module>/<room>/, is for this
room, for the rooms after it in ROOMS, and for what lies in no room. Private headers (src/<module>/*.hpp) are for their
own module. The door of a module, include/intertwine/<module>.hpp, includes all its public headers; nothing of the
library includes a door. Headers of other libraries are included where LIBRARIES says, those of the standard library
and the system everywhere. Two files of different modules have different names. A constant of an unnamed namespace has
no name that a header gives a constant: sources of a module are compiled together (CMAKE_UNITY_BUILD), and there it
would silently take the header's place in its neighbours. In python/intertwine a package of PACKAGES imports only
packages before it, and no modules import one another in a circle, neither at their beginning nor within functions;
imports for type checkers alone do not count. Prints every violation as FILE:LINE: REASON; exit status 1 if there is
one.
"""

import ast
import re
import sys
import tempfile
from pathlib import Path

MODULES = [
    "tables",
    "exact",
    "combinatorics",
    "groups",
    "characters",
    "representations",
    "equivariant",
    "gl",
    "reductive",
    "classical",
    "hom",
    "physics",
    "sdp",
    "io",
    "numeric",
]
RANK = {module: rank for rank, module in enumerate(MODULES)}
# The rooms of modules, each below the next.
ROOMS = {
    "representations": ["expressions", "lattices", "irreducible"],
    "io": ["containers", "expressions", "answers", "files", "pictures"],
}
# The part of io that numeric layers link without the exact side: its folder below src and its public headers.
CONTAINERS = "io/containers"
CONTAINER_HEADERS = {"io/containers.hpp", "io/npy.hpp"}
# Libraries from outside, by the first part of the header's name: the modules that may include them, and whether public
# headers may, too. "" is the base.
EVERY = {"", *MODULES}
LIBRARIES = {
    "fmt": (EVERY, False),
    "flint": ({"exact"}, False),
    "mpfr.h": ({"exact"}, False),
    "gmp.h": ({"exact"}, True),
    "boost": ({"exact"}, True),
    "nlohmann": ({"io"}, False),
    "png.h": ({"io"}, False),
    "stb_truetype.h": ({"io"}, False),
    "zlib.h": ({"io"}, False),
    "spglib.h": ({"physics"}, False),
    "Eigen": ({"numeric"}, False),
    "eigen3": ({"numeric"}, False),
    "unsupported": ({"numeric"}, False),
    "cuda_runtime.h": ({"numeric"}, False),
}
SYSTEM = {"cpuid.h", "dlfcn.h", "fcntl.h", "immintrin.h", "poll.h", "stddef.h", "stdint.h", "unistd.h", "sys"}
BASE = {
    *("error.hpp", "machine.hpp", "task.hpp", "random.hpp", "version.hpp"),
    *("workers.hpp", "overloaded.hpp", "text_cursor.hpp"),  # in src/
}
C_HEADER = "intertwine_numeric.h"  # plain C: includes nothing of ours; only numeric implements it
EVERYTHING = "intertwine.hpp"  # includes all modules; nothing of the library includes it
# The packages of python/intertwine, each with those that it may import beside itself and the modules of intertwine.
PACKAGES = {
    "nn": set(),
    "symmetry": {"nn"},
    "weak": {"nn"},
    "gsa": {"nn"},
    "operators": {"nn", "gsa", "symmetry", "weak"},
    "robots": set(),
    "jax": set(),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def module_of(parts):
    """The module of a path below include/intertwine or src; "" for a file of the base, None for neither."""
    if len(parts) == 1:
        return ""
    return parts[0] if parts[0] in RANK else None


def target_of(root, path, name):
    """The module and the file name a project include refers to, or None for a header from outside."""
    if name.startswith("intertwine/"):
        return name.removeprefix("intertwine/").split("/")
    if (root / "src" / name).is_file():  # not the folder src/numeric for <numeric>
        return name.split("/")
    beside = path.parent / name
    if beside.is_file():
        return list(beside.resolve().relative_to((root / "src").resolve()).parts)
    return None


def in_containers(parts):
    """Is this a file of the containers' room?"""
    name = "/".join(parts)
    return name.startswith(CONTAINERS + "/") or name in CONTAINER_HEADERS


def violation(root, path, parts, quote, name):
    """Why this include is wrong, or None."""
    own = module_of(parts)
    first = name.split("/")[0]
    target = target_of(root, path, name)
    if target is None:
        if quote == '"':
            return f'"{name}" is no header of this project; use <{name}>'
        if first not in LIBRARIES:
            return (
                None if "." not in name or first in SYSTEM else f"<{name}> is of no library that docs/modules.md names"
            )
        modules, in_public = LIBRARIES[first]
        if own not in modules:
            return f"{first} may be included only by {', '.join(sorted(modules))}"
        if not in_public and not path.is_relative_to(root / "src"):
            return f"{first} may be included only in sources and private headers"
        return None
    if quote == "<":
        return f'headers of this project are included as "{name}"'
    if target == [EVERYTHING]:
        return f"{EVERYTHING} is for users; include what is needed"
    if len(target) == 1 and target[0].removesuffix(".hpp") in RANK:
        return None if parts == (EVERYTHING,) else f"{target[0]} is a door for users; include what is needed"
    if target == [C_HEADER]:
        return None if own == "numeric" else f"{C_HEADER} may be included only by numeric"
    theirs = module_of(target)
    if theirs is None:
        return f"{target[0]} is no module"
    if theirs == "":
        return None if target[0] in BASE else f"{target[0]} is no known top-level header"
    if own == "":
        if parts[-1] == C_HEADER:
            return f"{C_HEADER} may include nothing of this project"
        if parts[-1] == EVERYTHING:
            return f"{EVERYTHING} includes doors, not what is behind them"
        if parts[-1].removesuffix(".hpp") in RANK:
            return (
                None
                if theirs == parts[-1].removesuffix(".hpp")
                else f"the door of {parts[-1]} opens its own module only"
            )
        return f"the base may not include the module {theirs}"
    if in_containers(parts) and theirs != "tables" and not in_containers(target):
        return f"{CONTAINERS} may include tables and itself only"
    if own == "numeric" and theirs not in ("numeric", "tables") and not in_containers(target):
        return f"numeric stands alone: it may include tables and {CONTAINERS} only"
    if RANK[theirs] > RANK[own]:
        return f"{own} may not include {theirs}: it comes later ({' < '.join(MODULES)})"
    if theirs != own and not name.startswith("intertwine/"):
        return f"{'/'.join(target)} is private to {theirs}"
    if theirs == own and path.is_relative_to(root / "src") and not name.startswith("intertwine/"):
        rooms = ROOMS.get(own, [])
        mine, other = (rooms.index(p[1]) if len(p) > 2 and p[1] in rooms else len(rooms) for p in (parts, target))
        if other > mine:
            return f"{rooms[mine]}/ may not include {'/'.join(target[1:])}: it comes later ({' < '.join(rooms)})"
    return None


def of_the_tree(root):
    """What no single include shows: doors that leave something out, and names that two modules share."""
    public = root / "include" / "intertwine"
    for module in MODULES:
        headers = sorted(f"{module}/{p.relative_to(public / module)}" for p in (public / module).rglob("*.hpp"))
        door = public / f"{module}.hpp"
        text = door.read_text(encoding="utf-8") if door.is_file() else ""
        for header in headers:
            if f'#include "intertwine/{header}"' not in text:
                yield f"include/intertwine/{module}.hpp:1: the door does not include intertwine/{header}"
    owner = {}
    for path in sorted(
        p for top in (public, root / "src") for p in top.rglob("*") if p.suffix in (".hpp", ".cpp", ".cu", ".cuh")
    ):
        parts = path.relative_to(public if path.is_relative_to(public) else root / "src").parts
        if len(parts) < 2 or parts[0] not in RANK:
            continue
        first = owner.setdefault(path.name, (parts[0], path))
        if first[0] != parts[0]:
            yield f"{path.relative_to(root)}:1: {first[1].relative_to(root)} has the same name"


def lost_headers(root):
    """Lines of the map at the top of intertwine.hpp that name headers which are not there."""
    public = root / "include" / "intertwine"
    path = public / "intertwine.hpp"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.is_file() else (), 1):
        for header in re.findall(r"[a-z_]+/[a-z_]+\.hpp", line) if line.startswith("//") else ():
            if not (public / header).is_file():
                yield f"{path.relative_to(root)}:{number}: there is no header {header}"


CONSTANT = re.compile(r"^(?:inline |static )*(?:constexpr|const)\b[^=({]*?(\w+)(?:\[[^\]]*\])*\s*(?:=|\{)")


def hidden_constants(root):
    """Constants of unnamed namespaces that have the name of a header's constant."""
    public = {}
    for top in (root / "include" / "intertwine", root / "src"):
        for path in sorted(top.rglob("*.hpp")):
            for line in path.read_text(encoding="utf-8").splitlines():
                if match := CONSTANT.match(line):
                    public.setdefault(match[1], path.relative_to(root))
    for path in sorted((root / "src").rglob("*.cpp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if (match := CONSTANT.match(line)) and match[1] in public:
                yield f"{path.relative_to(root)}:{number}: {public[match[1]]} has a constant {match[1]}, too"


def imports(path, package):
    """(line, module) of what a Python file imports from intertwine, but for type checkers alone: "nn.linear", "nn", ""."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(n)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for n in ast.walk(node)
    }
    modules = path.parents[len(package)]
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or id(node) in skipped:
            continue
        if node.level:
            start = package[: len(package) + 1 - node.level] + (node.module or "").split(".") * bool(node.module)
        elif (node.module or "").split(".")[0] == "intertwine":
            start = node.module.split(".")[1:]
        else:
            continue
        for alias in node.names:  # a module, or a name of one
            inner = modules.joinpath(*start, alias.name)
            yield (
                node.lineno,
                ".".join([*start, alias.name] if inner.with_suffix(".py").is_file() or inner.is_dir() else start),
            )


def python_circles(graph):
    """A circle of modules through each module that is on one, as a list that ends where it began."""
    for start in sorted(graph):
        before, waiting = {start: None}, [start]
        while waiting:
            module = waiting.pop(0)
            if start in graph[module]:
                circle = [start, module]
                while (module := before[module]) is not None:
                    circle.append(module)
                yield circle[::-1] if circle[-1] == start else circle
                break
            for other in sorted(graph[module]):
                if other in graph and other not in before:
                    before[other] = module
                    waiting.append(other)


def python_imports(root):
    """Packages that import later ones, and modules that import one another in a circle."""
    top = root / "python" / "intertwine"
    graph, lines = {}, {}
    for path in sorted(top.rglob("*.py")):
        parts = list(path.relative_to(top).with_suffix("").parts)
        where = path.relative_to(root)
        module = ".".join(parts)
        for line, target in imports(path, parts[:-1]):
            theirs, own = target.split(".")[0], parts[0] if len(parts) > 1 else ""
            if theirs in PACKAGES and theirs != own and own in PACKAGES and theirs not in PACKAGES[own]:
                yield f"{where}:{line}: {own} may not import {theirs}"
            if theirs in PACKAGES and own not in PACKAGES and parts[-1] != "_guesses":
                yield f"{where}:{line}: a module of intertwine may not import the package {theirs}"
            if parts[-1] != "__init__":
                graph.setdefault(module, set()).add(target)
                lines.setdefault((module, target), line)
    for circle in python_circles(graph):
        if circle[0] == min(circle):
            yield f"python/intertwine/{circle[0].replace('.', '/')}.py:{lines[circle[0], circle[1]]}: a circle of imports: {' > '.join(circle)}"


def check(root):
    """All violations below root, as text."""
    found = []
    for top in (root / "include" / "intertwine", root / "src"):
        for path in sorted(p for p in top.rglob("*") if p.suffix in (".hpp", ".cpp", ".h", ".cu", ".cuh")):
            parts = path.relative_to(top).parts
            where = path.relative_to(root)
            if module_of(parts) is None:
                found.append(f"{where}:1: {parts[0]} is no module")
                continue
            text = path.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                match = INCLUDE.match(line)
                reason = match and violation(root, path, parts, *match.groups())
                if reason:
                    found.append(f"{where}:{number}: {reason}")
    return (
        found
        + list(of_the_tree(root))
        + list(lost_headers(root))
        + list(hidden_constants(root))
        + list(python_imports(root))
    )


# A tree that breaks every rule once, and beside it everything that is allowed.
SELF_TEST = {
    "include/intertwine/error.hpp": ["<string>"],
    "include/intertwine/task.hpp": ['"intertwine/error.hpp"', '!"intertwine/exact/integer.hpp"'],
    "include/intertwine/exact.hpp": ['"intertwine/exact/integer.hpp"'],
    "include/intertwine/combinatorics.hpp": [
        '"intertwine/combinatorics/partition.hpp"',
        '!"intertwine/exact/integer.hpp"',
    ],
    "include/intertwine/groups.hpp": ['!"intertwine/exact/integer.hpp"', ""],  # opens another module's, and not its own
    "include/intertwine/tables.hpp": ['"intertwine/tables/weights.hpp"'],
    "include/intertwine/io.hpp": ['"intertwine/io/containers.hpp"', '"intertwine/io/table.hpp"'],
    "include/intertwine/exact/integer.hpp": [
        "<gmp.h>",
        "<boost/multiprecision/gmp.hpp>",
        "!<flint/fmpz.h>",
        "!<fmt/format.h>",
        '!"intertwine/groups/group.hpp"',
    ],
    "src/exact/integer.cpp": [
        "<flint/fmpz.h>",
        '"intertwine/exact/integer.hpp"',
        '"exact/private.hpp"',
        '!"intertwine/combinatorics/partition.hpp"',
        '"intertwine/version.hpp"',
    ],
    "src/exact/private.hpp": ['"intertwine/error.hpp"', "<flint/fmpz.h>"],
    "src/groups/hidden.hpp": ["!<flint/fmpz.h>", "!<curl/curl.h>", "<sys/stat.h>", "!<png.h>"],
    "src/groups/chain/coset_space.hpp": ['!"exact/private.hpp"', '!"intertwine/exact.hpp"'],
    "src/characters/cosets.cpp": ['!"groups/chain/coset_space.hpp"', '!"groups/hidden.hpp"', "!<gmp.h>"],
    "src/groups/integer.cpp": ["!", "!<mpfr.h>"],  # its name is one that exact has
    "include/intertwine/combinatorics/partition.hpp": ['"intertwine/exact/integer.hpp"'],
    "include/intertwine/groups/group.hpp": [
        '"intertwine/combinatorics/partition.hpp"',
        '!"intertwine/io/table.hpp"',
        '!"intertwine/intertwine.hpp"',
        '!"intertwine/utils/all.hpp"',
    ],
    "src/groups/group.cpp": [
        '"intertwine/groups/group.hpp"',
        '!"representations/node.hpp"',
        "!<flint/nmod_mat.h>",
        "!<intertwine/exact/integer.hpp>",
        '!"vector"',
        '!"intertwine/unknown.hpp"',
    ],
    "src/representations/expressions/sum.hpp": [
        '"sum.hpp"',
        '!"representations/node.hpp"',
        '!"representations/irreducible/rows.hpp"',
    ],
    "src/representations/irreducible/rows.hpp": ['"representations/expressions/sum.hpp"'],
    "src/representations/split.cpp": [
        '"representations/irreducible/rows.hpp"',
        '"representations/expressions/sum.hpp"',
    ],
    "src/representations/node.hpp": ['"intertwine/groups/group.hpp"', '!"../io/json.hpp"'],
    "include/intertwine/tables/weights.hpp": ['"intertwine/error.hpp"', '!"intertwine/exact/integer.hpp"'],
    "include/intertwine/io/containers.hpp": ['"intertwine/tables/weights.hpp"', '!"intertwine/io/table.hpp"'],
    "src/io/containers/zip.cpp": [
        '"intertwine/io/containers.hpp"',
        '"io/containers/zip.hpp"',
        '!"intertwine/exact/integer.hpp"',
        '!"io/json.hpp"',
    ],
    "src/io/containers/zip.hpp": ['"intertwine/tables/weights.hpp"'],
    "src/io/json.hpp": ['"intertwine/io/table.hpp"', "!<Eigen/Dense>"],
    "include/intertwine/io/table.hpp": ['"intertwine/groups/group.hpp"'],
    "include/intertwine/intertwine_numeric.h": ["<stdint.h>", '!"intertwine/exact/integer.hpp"'],
    "src/numeric/layer.cpp": [
        "<Eigen/Dense>",
        '"intertwine/io/containers.hpp"',
        '!"intertwine/io/table.hpp"',
        '!"intertwine/exact/integer.hpp"',
        '"intertwine/tables/weights.hpp"',
        '"intertwine/intertwine_numeric.h"',
        "<numeric>",
        "!<flint/fmpz.h>",
    ],
    "src/io/other.cpp": ['!"intertwine/intertwine_numeric.h"'],
    "src/utils/all.hpp": ["!"],  # no module: reported at line 1
}
# The same for constants and for Python: lines as they stand.
SELF_TEST_LINES = {
    "include/intertwine/intertwine.hpp": [
        "// weights  tables/weights.hpp",
        "!// columns  tables/lost.hpp",
        '#include "intertwine/exact.hpp"',
        '#include "intertwine/error.hpp"',
        '!#include "intertwine/io/table.hpp"',
    ],
    "src/tables/limits.hpp": ["inline constexpr int max_rows = 4;"],
    "src/tables/rows.cpp": [
        "!constexpr std::uint64_t max_rows{5};",
        "constexpr int max_columns = 3;",
        "const auto f = [] {};",
    ],
    "python/intertwine/_core.py": ["!from .nn import tied", "from ._values import one", "from . import __version__"],
    "python/intertwine/_values.py": ["import numpy"],
    "python/intertwine/nn/__init__.py": ["from .layers import Layer"],
    "python/intertwine/nn/layers.py": ["from .._core import Group", "def later():", "!    from . import state"],
    "python/intertwine/nn/state.py": [
        "import typing",
        "if typing.TYPE_CHECKING:",
        "    from .tied import T",
        "from ..nn.layers import Layer",
    ],
    "python/intertwine/nn/tied.py": ["from .state import Named", "!from ..weak.space import Space"],
    "python/intertwine/weak/space.py": [
        "from intertwine.nn import Linear",
        "from ..nn.tied import T",
        "import intertwine",
    ],
}


def self_test():
    """Builds SELF_TEST ('!' marks what must be reported) and compares; returns the differences."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        expected = set()
        for name, includes in SELF_TEST.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            lines = [f"#include {text.lstrip('!')}" if text != "!" else "" for text in includes]
            (root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            expected |= {f"{name}:{number}" for number, text in enumerate(includes, 1) if text.startswith("!")}
        for name, lines in SELF_TEST_LINES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("\n".join(line.lstrip("!") for line in lines) + "\n", encoding="utf-8")
            expected |= {f"{name}:{number}" for number, line in enumerate(lines, 1) if line.startswith("!")}
        reported = {":".join(line.split(":")[:2]) for line in check(root)}
    return [f"not reported: {place}" for place in sorted(expected - reported)] + [
        f"reported though allowed: {place}" for place in sorted(reported - expected)
    ]


def main(arguments):
    if "--self-test" in arguments:
        problems = self_test()
        print("\n".join(problems) or "check_includes: the self-test passed")
    else:
        root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
        problems = check(root)
        print("\n".join(problems) or "check_includes: every include points the right way")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
