"""What the checkers in Python share: verdicts and exit statuses, bounds of time and memory, and JSON that is read
strictly. Standard library alone."""

import json
import math
import re
import signal
import sys
from fractions import Fraction
from types import SimpleNamespace

try:
    import resource
except ImportError:  # Windows: memory is not bounded, nor is time
    resource = None

LARGEST_FILE = 2**32  # bytes
sys.set_int_max_str_digits(100_001)  # numbers in files have 100000 digits at most


class Refused(Exception):
    """The file is not what its proof says."""


class Unreadable(Exception):
    """It is no file of this kind, or one that is too large for this checker."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


def readable(condition, reason):
    if not condition:
        raise Unreadable(reason)


# Verdicts.
def printable(text):
    """One line: what a stranger's file says must not look like the verdict of another file."""
    return "".join(
        c if c.isprintable() else f"\\x{ord(c):02x}" for c in str(text).encode("utf-8", "backslashreplace").decode()
    )


def verdict(path, check, seconds):
    """The exit status of one file, and its verdict in words."""

    def late(*_):
        raise Unreadable(f"it was not checked within {seconds} seconds (--seconds)")

    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, late)
        signal.alarm(seconds)
    try:
        return 0, f"accepted: {check(path)}"
    except Refused as reason:
        return 1, f"refused: {reason}"
    except Unreadable as reason:
        return 2, f"cannot be read: {reason}"
    except OSError as error:
        return 2, f"cannot be read: {error.strerror or error}"
    except MemoryError:
        return 2, "cannot be read: there is not enough memory to check it"
    except Exception as error:  # of a stranger's file: whatever NumPy, zipfile and json say
        return 2, f"cannot be read: it is damaged or no such file ({type(error).__name__}: {str(error)[:200]})"
    finally:
        if hasattr(signal, "alarm"):
            signal.alarm(0)


def options(arguments, usage):
    """The seconds for each file and the paths; None where only the usage was asked for."""
    seconds, paths = 3600, list(arguments)
    if paths[:1] == ["--seconds"] and len(paths) > 1 and re.fullmatch(r"[1-9]\d{0,8}", paths[1]):
        seconds, paths = int(paths[1]), paths[2:]
    if not paths or paths[0].startswith("-"):
        print(usage)
        return seconds, None, 0 if paths and paths[0] in ("-h", "--help") else 2
    return seconds, paths, 0


def run(arguments, usage, check):
    """The program: a line for every file, and the largest status."""
    seconds, paths, status = options(arguments, usage)
    if paths is None:
        return status
    bound_memory()
    for path in paths:
        found, words = verdict(path, check, seconds)
        print(f"{printable(path)}: {printable(words)}", flush=True)
        status = max(status, found)
    return status


def bound_memory():
    """Three quarters of what the machine has, so that a file that asks for more is refused and nothing else suffers."""
    try:
        with open("/proc/meminfo") as file:
            most = int(re.search(r"MemTotal:\s*(\d+) kB", file.read()).group(1)) * 768
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    except (OSError, AttributeError, ValueError):
        pass  # a system that does not tell


# JSON.
def unique(pairs):
    found = dict(pairs)
    readable(len(found) == len(pairs), "a key occurs twice in an object of its JSON")
    return found


def no_number(text):
    raise Unreadable(f"{text} is no number of JSON")


def json_of(contents):
    """bytes or text; keys that occur twice, NaN and invalid UTF-8 are no JSON."""
    try:
        text = contents if isinstance(contents, str) else contents.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except RecursionError:
        raise Unreadable("its JSON is nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"it is no JSON: {error}") from None


def whole(path):
    with open(path, "rb") as file:
        contents = file.read(LARGEST_FILE + 1)
    readable(len(contents) <= LARGEST_FILE, f"it has more than {LARGEST_FILE} bytes")
    return contents


def of_type(value, kind, what):
    readable(
        type(value) is kind,
        f"{what} is no "
        f"{dict(list='list', dict='object', str='text', int='integer', bool='truth value')[kind.__name__]}",
    )
    return value


def member(entry, key, kind, what="the file"):
    readable(type(entry) is dict and key in entry, f"{what} has no {key}")
    return of_type(entry[key], kind, f"{key} of {what}")


def integer(value, what):
    return of_type(value, int, what)


def integers(value, what):
    return [integer(x, f"a member of {what}") for x in of_type(value, list, what)]


def decimal(value, what):
    """An integer that is written as a text."""
    readable(
        type(value) is str and re.fullmatch(r"0|-?[1-9]\d{0,99999}", value, re.ASCII), f"{what} is no integer in a text"
    )
    return int(value)


def fraction(value, what):
    readable(
        type(value) is str and re.fullmatch(r"-?\d{1,100000}(/\d{1,100000})?", value, re.ASCII),
        f"{what} is no text like -3/2",
    )
    above, _, below = value.partition("/")
    readable(int(below or 1), f"{what} has the denominator 0")
    return Fraction(int(above), int(below or 1))


# Documents of `chartable` and `irreps`.
def number(value):
    """The order n of roots of unity and pairs (coefficient, exponent below n)."""
    if type(value) is dict:
        n = member(value, "n", int, "a number")
        readable(
            0 < n < 2**31 and value.keys() == {"n", "c"},
            f"a number has roots of unity of order {n}, or other keys than n and c",
        )
        pairs = [of_type(pair, list, "a term of a number") for pair in member(value, "c", list, "a number")]
        readable(all(len(pair) == 2 for pair in pairs), "a term of a number is no pair of coefficient and exponent")
        readable(
            all(0 <= integer(e, "an exponent") < n for _, e in pairs),
            f"an exponent of a root of unity of order {n} is not below it",
        )
        readable(len({e for _, e in pairs}) == len(pairs), "an exponent of a number is there twice")
        return n, [(fraction(c, "a coefficient"), e) for c, e in pairs]
    return 1, [(fraction(value, "a number"), 0)]


def permutation(cycles, degree):
    """The images of 0 ... degree - 1."""
    image = list(range(degree))
    of_type(cycles, str, "a permutation")
    readable(
        re.fullmatch(r"(?:\((?:\d+(?:,\d+)*)?\))+", cycles, re.ASCII), f"{cycles[:60]} is no permutation in cycles"
    )
    for cycle in re.findall(r"\d[\d,]*", cycles):
        points = [int(x) - 1 for x in cycle.split(",")]
        for x, y in zip(points, points[1:] + points[:1]):
            demand(
                0 <= x < degree and 0 <= y < degree and image[x] == x,
                f"{cycles[:60]} is no permutation of {degree} points",
            )
            image[x] = y
    demand(sorted(image) == list(range(degree)), f"{cycles[:60]} is no permutation of {degree} points")
    return image


def permutations(texts, degree, what):
    return [permutation(text, degree) for text in of_type(texts, list, what)]


def document(contents):
    """All that is claimed and proved, with numbers that Python counts in; sizes are bounded by that of the file."""
    file = json_of(contents)
    of_type(file, dict, "the document")
    demand("proof" in file, "it has no proof: write it with --proof")
    proof = member(file, "proof", dict)
    form, degree = member(proof, "form", str, "the proof"), member(proof, "degree", int, "the proof")
    demand(form in ("characters", "representations"), f"{form[:60]} is no form of a proof")
    demand(
        file.get("command") == {"characters": "chartable", "representations": "irreps"}[form],
        f"the command of a file with a proof of {form} is another one",
    )
    of = SimpleNamespace(form=form, degree=degree, order=decimal(member(file, "order", str), "the order"))
    of.classes = [
        conjugacy_class(entry, degree)
        for entry in member(
            *((file, "classes", list) if form == "characters" else (proof, "classes", list, "the proof"))
        )
    ]
    demand(of.classes, "there are no classes")  # from here on `degree` is the length of a list in the file
    of.generators = permutations(member(proof, "generators", list, "the proof"), degree, "generators")
    of.words = [integers(word, "a word") for word in member(proof, "words", list, "the proof")]
    of.base, of.strong = (integers(member(proof, key, list, "the proof"), key) for key in ("base", "strong_generators"))
    demand(
        len(set(of.base)) == len(of.base) and all(0 <= b < degree for b in of.base),
        f"the base is no list of different points below {degree}",
    )
    (characters if form == "characters" else representations)(of, file, proof)
    return of


def conjugacy_class(entry, degree):
    representative = integers(member(entry, "representative", list, "a class"), "a representative")
    demand(
        len(representative) == degree and sorted(representative) == list(range(degree)),
        "a representative is no permutation",
    )
    size, centralizer = (decimal(member(entry, key, str, "a class"), key) for key in ("size", "centralizer_order"))
    return SimpleNamespace(
        representative=representative,
        size=size,
        centralizer=centralizer,
        order=member(entry, "element_order", int, "a class"),
    )


def primes_of(n, most):
    return [p for p in range(2, most + 1) if n % p == 0 and all(p % q for q in range(2, math.isqrt(p) + 1))]


def characters(of, file, proof):
    count = len(of.classes)
    of.rows = [[number(x) for x in of_type(row, list, "a row")] for row in member(file, "irreducibles", list)]
    of.indicators = integers(member(file, "indicators", list), "indicators")
    demand(len(of.rows) == count, f"there are not as many characters as classes: {len(of.rows)}, and {count} classes")
    demand(all(len(row) == count for row in of.rows), "a row has not as many values as there are classes")
    demand(len(of.indicators) == count, f"there are {len(of.indicators)} indicators of {count} characters")
    for key in "names", "class_names":
        demand(
            len(member(file, key, list)) == count,
            f"there are {len(file[key])} {key}, and {count} characters and classes",
        )
    maps = member(file, "power_maps", dict)
    # The primes in the order of the group are those of the orders of its elements, so none is larger than the degree.
    primes = primes_of(of.order, of.degree) if of.order > 0 else []
    demand(
        sorted(maps) == sorted(map(str, primes)),
        f"there are power maps for {', '.join(sorted(maps))[:60]}, and not for the primes in the order of the group",
    )
    of.power_maps = [(int(p), integers(images, f"the power map for {p}")) for p, images in maps.items()]
    of.subgroups = [
        permutations(texts, of.degree, "a subgroup") for texts in member(proof, "subgroups", list, "the proof")
    ]
    of.linear = [
        linear_character(entry, of.subgroups) for entry in member(proof, "linear_characters", list, "the proof")
    ]
    of.combinations = [combination(row, len(of.linear)) for row in member(proof, "combinations", list, "the proof")]
    demand(len(of.combinations) == count, f"there are {len(of.combinations)} combinations for {count} characters")


def linear_character(entry, subgroups):
    """Where the values are roots of unity of other orders than the elements have, it is none."""
    what = "a linear character"
    subgroup, order = member(entry, "subgroup", int, what), member(entry, "order", int, what)
    exponents = integers(member(entry, "exponents", list, what), "exponents")
    demand(0 <= subgroup < len(subgroups), "a linear character has no subgroup")
    demand(all(0 <= e < order for e in exponents), f"an exponent of a linear character is not below the order {order}")
    demand(0 < order < 2**31, f"a linear character has values of order {order}")
    demand(
        len(exponents) == len(subgroups[subgroup]),
        "a linear character has not as many values as its subgroup has generators",
    )
    return SimpleNamespace(subgroup=subgroup, order=order, exponents=exponents)


def combination(row, count):
    pairs = [of_type(pair, list, "a term of a combination") for pair in of_type(row, list, "a combination")]
    readable(
        all(len(pair) == 2 for pair in pairs), "a term of a combination is no pair of a character and a coefficient"
    )
    pairs = [(integer(j, "a number of a character"), decimal(c, "a coefficient")) for j, c in pairs]
    demand(all(0 <= j < count for j, _ in pairs), "a combination speaks of a character that is not there")
    return pairs


def representations(of, file, proof):
    demand(member(file, "over", str) == "complex", "proofs are of representations over the complex numbers")
    of.stated = permutations(member(file, "generators", list), of.degree, "generators")
    demand(len(of.stated) == len(of.generators), "the proof has other generators than the representations")
    for k, (ours, theirs) in enumerate(zip(of.stated, of.generators)):
        demand(ours == theirs, f"generator {k} of the proof is not the one whose image is in the file")
    of.irreps = [irrep(entry, of) for entry in member(file, "irreps", list)]
    demand(of.irreps, "there are no representations")
    numbers = [form.number for form in of.irreps]
    demand(
        len(set(numbers)) == len(numbers) and all(0 <= k < len(of.classes) for k in numbers),
        "two representations have the same number, or one that is no row of a table",
    )


def irrep(entry, of):
    form = SimpleNamespace(number=member(entry, "irrep", int, "a representation"))
    name = form.name = f"irrep {form.number}"
    form.size, form.indicator = (
        decimal(member(entry, "degree", str, name), "a degree"),
        member(entry, "indicator", int, name),
    )
    demand(integers(member(entry, "rows", list, name), "rows") == [form.number], f"{name} has the rows of another one")
    demand(
        member(entry, "multiplicity", int, name) == 1,
        f"{name} has a multiplicity that is not 1, which it has over the complex numbers",
    )
    matrices = [
        [[number(x) for x in of_type(row, list, "a row")] for row in of_type(rows, list, "a matrix")]
        for rows in member(entry, "matrices", list, name)
    ]
    demand(
        form.size > 0 and len(matrices) == len(of.generators),
        f"{name} has not as many matrices as there are generators",
    )
    demand(matrices or form.size == 1, f"{name} has the degree {form.size}, and no generators")
    demand(
        all(len(rows) == form.size and all(len(row) == form.size for row in rows) for rows in matrices),
        f"a matrix of {name} is not of the size {form.size}",
    )
    form.matrices, form.seed = matrices, seed(entry, of, form) if "seed" in entry else None
    return form


def seed(entry, of, form):
    what = f"the seed of {form.name}"
    found = member(entry, "seed", dict, form.name)
    elements = permutations(member(found, "generators", list, what), of.degree, what)
    values, vector = ([number(x) for x in member(found, key, list, what)] for key in ("values", "vector"))
    demand(
        len(values) == len(elements) and len(vector) == form.size,
        f"{what} has not as many values as generators, or a vector of another size",
    )
    return SimpleNamespace(elements=elements, values=values, vector=vector)
