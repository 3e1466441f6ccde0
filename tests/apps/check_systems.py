"""What --format gap, sage and magma print, evaluated and compared with the answer in JSON.

Usage: check_systems.py PROGRAM

GAP reads the files where it is installed, by Read and by ReadAsFunction. Sage's text is Python and is evaluated as
that, over complex numbers; Magma's is read by the small reader below, which knows the forms that are written and
refuses all others.
"""

import cmath
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def answer(form, *arguments):
    done = subprocess.run([PROGRAM, *arguments, "--format", form], capture_output=True, text=True, check=True)
    return done.stdout


def cycles(text, degree):
    """(1,2)(3,4) as a tuple of images from 0."""
    images = list(range(degree))
    for cycle in re.findall(r"\(([\d,]+)\)", text):
        points = [int(x) - 1 for x in cycle.split(",")]
        for a, b in zip(points, points[1:] + points[:1]):
            images[a] = b
    return tuple(images)


class Group:
    def __init__(self, generators, degree):
        self.degree, self.generators = degree, [cycles(g, degree) for g in generators]

    def __call__(self, text):
        return cycles(text, self.degree)

    def conjugacy_class(self, g):
        return g


class Functions:
    """Of one basis: s([2,1]) is {(2,1): 1}."""

    class Sum(dict):
        def __rmul__(self, c):
            return Functions.Sum({k: c * v for k, v in self.items()})

        def __add__(self, other):
            return Functions.Sum({**self, **other})

    def __call__(self, parts):
        return Functions.Sum({tuple(parts): 1})

    def zero(self):
        return Functions.Sum()


class Bases:
    def __init__(self, _):
        for name in "sphem":
            setattr(self, name, Functions)
        self.forgotten = Functions


class Roots:
    def gen(self, n, k=1):
        return cmath.exp(2j * cmath.pi * k / n)


POINT = [0.5 + 0.25j, -1.75, 3.0, 0.125, -2.5]  # where polynomials are compared


class Ring:
    """A ring of polynomials, whose variables are numbers."""

    def __init__(self, *arguments, names=None):
        assert names is None or (arguments[1], names) == (len(names), [f"x{v + 1}" for v in range(len(names))])

    def gens(self):
        return POINT

    def __getattr__(self, name):
        return POINT[int(name[1:]) - 1]


SAGE = {
    "__builtins__": {"range": range},
    "PolynomialRing": Ring,
    "PermutationGroup": lambda generators, domain: Group(generators, len(domain)),
    "UniversalCyclotomicField": Roots,
    "QQ": None,
    "matrix": lambda ring, rows: rows,
    "SymmetricFunctions": Bases,
}


def from_sage(text):
    names = dict(SAGE)
    exec(compile(text, "sage", "exec"), names)
    return names["intertwine"]


def from_magma(text):
    match = re.fullmatch(r"intertwine := (.*);\n", text, re.S)
    assert match, text
    expression, *where = match[1].split(" where ")
    names = {
        "__builtins__": {},
        "Matrix": lambda K, rows: rows,
        "GModule": lambda G, images: (G, images),
        "TrivialModule": lambda G, K: (G, []),
    }
    for clause in reversed(where):
        name, value = clause.split(" is ", 1)
        if re.fullmatch(r"a\d+", name):
            names[name] = eval(value.replace("^", "**"), {"__builtins__": {}, "z": names["z"]})
            continue
        if field := re.fullmatch(r"CyclotomicField\((\d+)\)", value):
            names[name] = int(field[1])
        elif value == "K.1":
            names[name] = cmath.exp(2j * cmath.pi / names["K"])
        elif value == "Rationals()":
            names[name] = 1
        elif group := re.fullmatch(r"PermutationGroup<(\d+) \| (.*)>", value):
            names[name] = Group(re.split(r", ", group[2]) if group[2] else [], int(group[1]))
        elif re.fullmatch(r"PolynomialRing\(K, \d+\)", value):
            names[name] = Ring()
        elif re.fullmatch(r"SFA(Schur|Power|Homogeneous|Elementary|Monomial)\(Rationals\(\)\)", value):
            names[name] = Functions()
        else:
            raise ValueError(f"Magma's reader does not know {value}")
    if group := re.fullmatch(r"PermutationGroup<(\d+) \| (.*)>", expression):
        return Group(re.split(r", ", group[2]) if group[2] else [], int(group[1]))
    python = expression.replace("[*", "[").replace("*]", "]").replace("^", "**")
    python = re.sub(r"G!((?:\([\d,]+\))+)", r'G("\1")', python).replace("Id(G)", 'G("")')
    python = re.sub(r"\b([sphem])\.(\[[\d,]*\])", r"\1(\2)", python).replace("!1", "([])").replace("!0", ".zero()")
    python = re.sub(r"\bP\.(\d+)", r"P.x\1", python)
    python = re.sub(r"<([^<>]*)>", r"(\1)", python)
    return eval(python, names)


def number(value):
    if isinstance(value, str) and "E" in value:  # as people write it: -E(5)^4
        return eval(value.replace("^", "**"), {"__builtins__": {}, "E": lambda n: cmath.exp(2j * cmath.pi / n)})
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return int(above) / int(below or 1)
    return sum(number(c) * cmath.exp(2j * cmath.pi * k / value["n"]) for c, k in value["c"])


def near(a, b):
    return len(a) == len(b) and all(
        len(x) == len(y) and all(abs(p - q) < 1e-9 for p, q in zip(x, y)) for x, y in zip(a, b)
    )


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def is_homomorphism(generators, matrices):
    """Every product of generators from left to right has one matrix, on row vectors."""
    n, degree = len(matrices[0]), len(generators[0])
    known = {tuple(range(degree)): [[float(i == j) for j in range(n)] for i in range(n)]}
    todo = list(known)
    for g in todo:
        for s, m in zip(generators, matrices):
            h, image = tuple(s[g[i]] for i in range(degree)), product(known[g], m)
            if h in known:
                if not near(known[h], image):
                    return False
            else:
                known[h] = image
                todo.append(h)
    return True


def check_groups():
    for name in ["S4", "C1", "A5", "D6", "(C2 x C2)"]:
        known = json.loads(answer("json", "group", name))
        generators = [cycles(g, known["degree"]) for g in known["generators"]]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            G = read(answer(form, "group", name))
            assert (G.generators, G.degree) == (generators, known["degree"]), (name, form)
            classes = read(answer(form, "classes", name))
            wanted = [tuple(c["representative"]) for c in json.loads(answer("json", "classes", name))["classes"]]
            assert [c if form == "sage" else c[2] for c in classes] == wanted, (name, form)


def check_characters():
    for name in ["S4", "C1", "A5", "C12", "SL(2,3)", "D5d", "M11"]:
        known = json.loads(answer("json", "chartable", name))
        wanted = [[number(v) for v in row] for row in known["irreducibles"]]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            assert near(read(answer(form, "chartable", name)), wanted), (name, form)


def check_irreps():
    # PSL(2,17) in degree 16 is over a cubic field, PSL(2,47) in degree 23 over Q(sqrt(-47)): generators of these have
    # names
    for name, *more in [
        ["S4"],
        ["A4"],
        ["D5"],
        ["SL(2,3)"],
        ["C3"],
        ["PSL(2,17)", "--index", "5"],
        ["PSL(2,47)", "--index", "2"],
    ]:
        known = json.loads(answer("json", "irreps", name, *more))
        degree = json.loads(answer("json", "group", name))["degree"]
        generators = [cycles(g, degree) for g in known["generators"]]
        texts = [answer(form, "irreps", name, *more) for form in ("sage", "magma")]
        assert not more or ("(lambda a1: " in texts[0] and " where a1 is " in texts[1]), name
        sage, magma = from_sage(texts[0]), from_magma(texts[1])
        assert [name for name, _ in sage] == [entry["name"] for entry in known["irreps"]]
        for (_, one), (group, two), entry in zip(sage, magma, known["irreps"], strict=True):
            assert group.generators == generators and (
                more or is_homomorphism(generators, one) and is_homomorphism(generators, two)
            ), name
            rows = [[[number(v) for v in row] for row in m] for m in entry["matrices"]]
            assert all(
                near(a, [list(column) for column in zip(*b)])
                for read in (one, two)
                for a, b in zip(read, rows, strict=True)
            ), name
        if name == "S4":  # the check can fail: images in the wrong order
            assert not is_homomorphism(generators, sage[-1][1][::-1])


def check_functions():
    for arguments in [
        ("lr", "[2,1]", "[2,1]"),
        ("kronecker", "[2,1]", "[2,1]"),
        ("plethysm", "[2]", "[2]"),
        ("skew", "[3,2,1]", "[1]"),
        ("lr", "[]", "[]"),
        ("expand", "s[2,1]/3 - e[3]", "p"),
        ("expand", "p[2] - p[2]"),
    ]:
        terms = json.loads(answer("json", *arguments))["terms"]
        wanted = {tuple(t["partition"]): number(t.get("multiplicity", t.get("coefficient"))) for t in terms}
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            found = read(answer(form, *arguments))
            assert found.keys() == wanted.keys() and all(abs(found[k] - wanted[k]) < 1e-12 for k in wanted), (
                arguments,
                form,
                found,
            )


def check_bases():
    for arguments in [
        ("S3", "perm", "std"),
        ("C5", "regular", "irrep(2)"),
        ("S4", "perm^2", "perm"),
        ("SO(3)", "vector^2", "vector"),
        ("S3", "perm", "sign"),
    ]:
        known = json.loads(answer("json", "basis", *arguments, "--elements"))
        rows, cols = known["rows"], known["cols"]
        wanted = []
        for element in known["elements"]:
            wanted.append([[0] * cols for _ in range(rows)])
            for i, j, value in element:
                wanted[-1][i][j] = number(value)
        for command in ("basis", "tie"):
            for read, form in ((from_sage, "sage"), (from_magma, "magma")):
                if command == "tie" and "irrep" in arguments[2]:
                    continue  # a table is over the real numbers
                weights, bias = read(answer(form, command, *arguments))
                assert all(near(a, b) for a, b in zip(weights, wanted, strict=True)), (arguments, form)
                assert all(len(column) == rows and len(column[0]) == 1 for column in bias), (arguments, form)


def check_kernels():
    for arguments in [
        ("S4", "--from-subgroup", "S3", "--to-subgroup", "S3"),
        ("A4", "--from-subgroup", "<(1,2,3)>", "--from", "irrep(2)", "--to", "irrep(4)"),
    ]:
        known = json.loads(answer("json", "kernels", *arguments))["double_cosets"]
        degree = json.loads(answer("json", "group", arguments[0]))["degree"]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            for (g, values), block in zip(read(answer(form, "kernels", *arguments)), known, strict=True):
                assert g == cycles(block["representative"], degree), form
                for a, b in zip(values, block["values"], strict=True):
                    assert near(a, [[number(v) for v in row] for row in b]), form


def value_of(exponents):
    product = 1
    for v, e in enumerate(exponents):
        product *= POINT[v] ** e
    return product


def check_polynomials():
    for arguments in [
        ("S3", "perm", "perm", "2"),
        ("C3", "irrep(2)", "irrep(2)", "4"),
        ("S3", "perm", "trivial", "0"),
        ("SO(3)", "vector", "vector", "3"),
    ]:
        known = json.loads(answer("json", "polynomials", *arguments))
        monomials = [
            value_of([dict(factors).get(v, 0) for v in range(known["variables"])]) for factors in known["monomials"]
        ]
        wanted = []
        for terms in known["maps"]:
            wanted.append([0] * known["outputs"])
            for output, monomial, c in terms:
                wanted[-1][output] += number(c) * monomials[monomial]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            assert near(read(answer(form, "polynomials", *arguments)), wanted), (arguments, form)
    known = json.loads(answer("json", "kernels", "SE(3)", "vector", "harmonic(2)"))
    wanted = []
    for part in known["degrees"]:
        for entries in part["kernels"]:
            wanted.append([[0] * known["in"]["dimension"] for _ in range(known["out"]["dimension"])])
            for monomial, i, j, c in entries:
                wanted[-1][i][j] += number(c) * value_of(part["monomials"][monomial])
    for read, form in ((from_sage, "sage"), (from_magma, "magma")):
        found = read(answer(form, "kernels", "SE(3)", "vector", "harmonic(2)"))
        assert all(near(a, b) for a, b in zip(found, wanted, strict=True)), form
        assert not near(found[0], wanted[1])  # the check can fail


def check_schur_functors():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/a.json", "w") as file:
            file.write('[["1", "2"], ["1/3", "-1"]]')
        arguments = ("schur-functor", "[2]", f"{folder}/a.json")
        wanted = [[number(v) for v in row] for row in json.loads(answer("json", *arguments))["matrix"]]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            assert near(read(answer(form, *arguments)), wanted), form
    for read, form in ((from_sage, "sage"), (from_magma, "magma")):
        assert (
            abs(
                read(answer(form, "schur-functor", "[2]", "--at", "1,E(3)"))
                - (1 + 2 * cmath.exp(2j * cmath.pi / 3).real)
            )
            < 1e-12
        ), form


def cell(text):
    """A field of CSV as systems have it."""
    if re.fullmatch(r"\[[-\d,]*\]", text):
        return json.loads(text)
    if re.fullmatch(r"-?\d+(/\d+)?|.*E\(\d+\).*", text):
        return number(text)
    return float(text) if re.fullmatch(r"-?\d+\.\d+(e-?\d+)?", text) else text


def check_tables():
    for arguments in [
        ("decompose", "S4", "perm^2"),
        ("decompose", "C5", "perm", "--over", "rational"),
        ("decompose", "SU(3)", "adjoint^2"),
        ("decompose", "U(2)", "vector + dual(vector)"),
        ("molien", "S3", "perm"),
        ("tensor", "elastic", "Oh"),
        ("branch", "[3,1]", "S5"),
        ("branch", "Oh", "Td"),
        ("branch", "[2,1]", "--from", "GL(4)", "--to", "GL(3)"),
        ("clebsch-gordan", "SU(2)", "1/2", "1"),
        ("coproduct", "[2,1]"),
        ("cauchy", "2", "2", "2"),
        ("lr", "[2,1]", "[2,1]", "--sl", "3"),
        ("lr", "[2,1]", "[2,1]", "--quantum", "--rows", "2", "--cols", "2"),
        ("straighten", "[2,1|1,2]", "2", "2"),
        ("coordinate-ring", "2", "3", "3"),
        ("chartable", "D3", "--notation", "schoenflies"),
    ]:
        tables = [list(csv.reader(io.StringIO(part)))[1:] for part in answer("csv", *arguments).split("\n\n")]
        wanted = [[tuple(cell(field) for field in row) for row in rows] for rows in tables]
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            found = read(answer(form, *arguments))
            found = [found] if len(wanted) == 1 else found
            for rows, others in zip(found, wanted, strict=True):
                for row, other in zip(rows, others, strict=True):
                    assert all(
                        abs(a - b) < 1e-12 if isinstance(b, (int, float, complex)) else a == b
                        for a, b in zip(row, other, strict=True)
                    ), (arguments, form, row, other)


def kronecker(a, b):
    return [[x * y for x in row for y in other] for row in a for other in b]


def check_clebsch_gordan():
    for group, i, j in [("S4", 4, 4), ("A4", 2, 4), ("SL(2,3)", 4, 5)]:
        for read, form in ((from_sage, "sage"), (from_magma, "magma")):
            images = [entry[1] for entry in read(answer(form, "irreps", group))]
            rows = {entry["name"]: k for k, entry in enumerate(json.loads(answer("json", "irreps", group))["irreps"])}
            size = 0
            for name, maps, norms in read(answer(form, "clebsch-gordan", group, str(i), str(j))):
                assert len(maps) == len(norms)
                for T in maps:
                    size += len(T)
                    for a, b, c in zip(images[i - 1], images[j - 1], images[rows[name]], strict=True):
                        assert near(product(T, kronecker(a, b)), product(c, T)), (group, form, name)
            assert size == len(images[i - 1][0]) * len(images[j - 1][0])


def stated_matrices(*arguments):
    """Of the first representation, as JSON has them, transposed and in GAP's words."""

    def text(value):
        return value if isinstance(value, str) else "+".join(f"({c})*E({value['n']})^{e}" for c, e in value["c"])

    def listed(items):
        return "[" + ",".join(items) + "]"

    matrices = json.loads(answer("json", *arguments))["irreps"][0]["matrices"]
    return listed(listed(listed(map(text, column)) for column in zip(*rows, strict=True)) for rows in matrices)


def check_gap():
    """Read leaves the value in `intertwine`, and so does the function that ReadAsFunction makes."""
    questions = [
        (("group", "S4"), "Size(intertwine)", "24"),
        (("group", "C1"), "Size(intertwine)", "1"),
        (
            ("classes", "A5"),
            "[List(intertwine,Size),Size(ActingDomain(intertwine[1]))]",
            "[ [ 1, 15, 20, 12, 12 ], 60 ]",
        ),
        (("chartable", "SL(2,3)"), "IsInternallyConsistent(intertwine)", "true"),
        (
            ("irreps", "A4"),
            "List(intertwine,f->[IsGroupHomomorphism(f),Size(Source(f)),Length(One(Range(f)))])",
            "[ [ true, 12, 1 ], [ true, 12, 1 ], [ true, 12, 1 ], [ true, 12, 3 ] ]",
        ),
        (("irreps", "C1"), "IsGroupHomomorphism(intertwine[1])", "true"),
        (
            ("irreps", "PSL(2,17)", "--index", "5"),  # coordinates over a field of degree 3
            "MappingGeneratorsImages(intertwine[1])[2]=" + stated_matrices("irreps", "PSL(2,17)", "--index", "5"),
            "true",
        ),
        (("basis", "S3", "perm", "perm"), "intertwine[2]", "[ [ [ 1 ], [ 1 ], [ 1 ] ] ]"),
        (
            ("basis", "C3", "perm", "irrep(2)"),
            "[DimensionsMat(intertwine[1][1]),intertwine[1][1][1]=[-E(3)^2,-1,-E(3)]]",
            "[ [ 1, 3 ], true ]",
        ),
        (
            ("kernels", "S4", "--from-subgroup", "S3", "--to-subgroup", "S3"),
            "List(intertwine,x->[x[1] in SymmetricGroup(4),x[2]])",
            "[ [ true, [ [ [ 1 ] ] ] ], [ true, [ [ [ 1 ] ] ] ] ]",
        ),
        (
            ("kernels", "SE(3)", "vector", "vector"),
            "List(intertwine,m->[DimensionsMat(m),IsPolynomial(m[1][1])])",
            "[ [ [ 3, 3 ], true ], [ [ 3, 3 ], true ], [ [ 3, 3 ], true ] ]",
        ),
        (
            ("polynomials", "S3", "perm", "trivial", "2"),
            "List(intertwine,f->Value(f[1],List([1..3],i->Indeterminate(Rationals,i)),[1,2,3]))",
            "[ 14, 11 ]",
        ),
        (("schur-functor", "[1,1]", "--at", "2,3"), "intertwine", "6"),
        (
            ("decompose", "S4", "perm^2"),
            "intertwine",
            "[ [ [ 4 ], 1, 2 ], [ [ 2, 2 ], 2, 1 ], [ [ 2, 1, 1 ], 3, 1 ], [ [ 3, 1 ], 3, 3 ] ]",
        ),
        (("decompose", "SU(2)", "vector^2"), "Length(intertwine)", "2"),
        (("molien", "S2", "perm", "--degree", "3"), "intertwine", "[ [ 0, 1 ], [ 1, 1 ], [ 2, 2 ], [ 3, 2 ] ]"),
        (
            ("clebsch-gordan", "S3", "3", "3"),
            "List(intertwine,x->[x[1],List(x[2],DimensionsMat),x[3]])",
            '[ [ "[3]", [ [ 1, 4 ] ], [ 9/2 ] ], [ "[1,1,1]", [ [ 1, 4 ] ], [ 3/2 ] ], [ "[2,1]", [ [ 2, 4 ] ], [ 3/2 ] ] ]',
        ),
        (("clebsch-gordan", "SU(2)", "1/2", "1/2"), "intertwine[1]{[1..8]}", "[ 1/2, 1/2, 0, -1/2, 1/2, 0, -1, 1/2 ]"),
        (("lr", "[2,1]", "[1]"), "intertwine", "[ [ [ 3, 1 ], 1 ], [ [ 2, 2 ], 1 ], [ [ 2, 1, 1 ], 1 ] ]"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        script = ""
        for k, (arguments, value, _) in enumerate(questions):
            with open(f"{folder}/{k}.g", "w") as file:
                file.write(answer("gap", *arguments))
            script += (
                f'Read("{folder}/{k}.g");; Print("R",{value},"\\n"); Unbind(intertwine);\n'
                f'ReadAsFunction("{folder}/{k}.g")();; Print("R",{value},"\\n"); Unbind(intertwine);\n'
            )
        with open(f"{folder}/check.g", "w") as file:
            file.write("SizeScreen([1000,24]);;\n" + script + "QUIT;\n")
        done = subprocess.run(
            ["gap", "-q", "-A", "-b", f"{folder}/check.g"], stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        text = done.stdout + done.stderr
        found = [line[1:] for line in text.splitlines() if line.startswith("R")]
        wanted = [value for _, _, value in questions for _ in range(2)]
        assert found == wanted, text
        warnings = re.findall(r"Syntax warning: (.*) in ", text)  # of a function that sets a global variable, once each
        assert "rror" not in text and set(warnings) <= {"Unbound global variable"}, text


check_groups()
check_characters()
check_irreps()
check_functions()
check_bases()
check_kernels()
check_polynomials()
check_schur_functors()
check_tables()
check_clebsch_gordan()
if shutil.which("gap"):
    check_gap()
    print("Sage's and Magma's texts are read, GAP has evaluated its own")
else:
    print("Sage's and Magma's texts are read; GAP is not installed")
