"""Writes the groups that the library knows by number, in src/groups/named/, as GAP numbers them.

GAP and its packages TransGrp, PrimGrp and SmallGrp give the groups; what is written are generators that GAP's
functions compute for them, in forms of our own.

    apt-get install gap-core gap-transgrp gap-primgrp gap-smallgrp gap-smallgrp-extra
    python scripts/group_libraries.py            # writes the files, in half a minute
    python scripts/group_libraries.py --check    # says whether they are what it would write

transitive_groups.txt has a line "degree number order generators" for each group, with generators in cycles. A and S are
the alternating and the symmetric group.

primitive_groups.txt has such lines too. A generator "=i,j,k,..." is an affine map of GF(p)^d: the point that the
zero vector goes to, then those of the unit vectors from the first on. Point 0 is the zero vector. Points are the
vectors in lexicographic order, where the elements of GF(p) are ordered as 0, 1, w, w^2, ... for the least primitive
root w. A and S are the alternating and the symmetric group.

small_groups_large.txt has the groups of order 128 to 511, but for 256 and 384. A line "order a.b.c ..." begins each
order. It has the relative orders of polycyclic presentations, each list once; the groups follow. Those that are not
solvable are written as "degree cycles,cycles", each on a line. Others are words of six bits a letter, the highest bit
first, in the alphabet A-Z a-z 0-9 + -, with commas between those on one line. The bits are the number of the list of
relative orders, in the fewest bits that the number of lists needs; then for each generator g_i its power and its
conjugates. The power g_i^p and the conjugates g_i^-1 g_j g_i for j > i are a bit 0 if they are 1 or g_j, else a bit 1
and the exponents of g_(i+1), ..., g_n, each in the fewest bits that hold p - 1.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent.parent / "src/groups/named"
LARGEST_TRANSITIVE, LARGEST_PRIMITIVE = 15, 127
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"

PERMUTATIONS = """
LoadPackage("{package}");;
out:=OutputTextFile("{path}",false);; SetPrintFormattingStatus(out,false);;
for n in [2..{largest}] do for k in [1..Nr{kind}s(n)] do
  G:={kind}(n,k);
  if IsNaturalSymmetricGroup(G) then g:="S";
  elif IsNaturalAlternatingGroup(G) then g:="A";
  else g:=SmallGeneratingSet(G); fi;
  PrintTo(out,n," ",k," ",Size(G)," ",g,"\\n");
od; od; CloseStream(out); QUIT;
"""

SMALL = """
LoadPackage("smallgrp");;
out:=OutputTextFile("{path}",false);; SetPrintFormattingStatus(out,false);;
for n in Filtered([128..511],n->not n in [256,384]) do for k in [1..NrSmallGroups(n)] do
  G:=SmallGroup(n,k);
  if IsPcGroup(G) then
    g:=Pcgs(G); r:=RelativeOrders(g); relations:=[];
    for i in [1..Length(g)] do
      Add(relations,ExponentsOfPcElement(g,g[i]^r[i]));
      for j in [i+1..Length(g)] do Add(relations,ExponentsOfPcElement(g,g[j]^g[i])); od;
    od;
    PrintTo(out,n," pc ",r,relations,"\\n");
  else
    H:=Image(IsomorphismPermGroup(G)); H:=Image(SmallerDegreePermutationRepresentation(H));
    PrintTo(out,n," perm ",SmallGeneratingSet(H),"\\n");
  fi;
od; od; CloseStream(out); QUIT;
"""


def gap(program, **values):
    """The lines that a program of GAP writes to {path}."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "out.txt"
        for key, value in values.items():
            program = program.replace("{" + key + "}", value)
        source = pathlib.Path(folder) / "in.g"
        source.write_text(program.replace("{path}", str(path)))
        done = subprocess.run(
            ["gap", "-q", "-A", str(source)], stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode or not path.exists() or "rror" in done.stdout + done.stderr:
            sys.exit("GAP failed: " + done.stdout + done.stderr)
        return path.read_text().splitlines()


def permutations(kind, package, largest):
    return gap(PERMUTATIONS, kind=kind, package=package, largest=str(largest))


def cycles(text):
    return re.findall(r"(?:\([^)]*\))+", text.replace(" ", ""))


def images(generator, degree):
    result = list(range(degree))
    for cycle in re.findall(r"\(([^)]*)\)", generator):
        points = [int(point) - 1 for point in cycle.split(",") if point]
        for point, image in zip(points, points[1:] + points[:1]):
            result[point] = image
    return result


def prime_power(n):
    p = next(p for p in range(2, n + 1) if n % p == 0)
    d, rest = 0, n
    while rest % p == 0:
        rest, d = rest // p, d + 1
    return (p, d) if rest == 1 else None


def field_in_order(p):
    """0, 1, w, w^2, ... for the least primitive root w of GF(p)."""
    for w in range(1, p):
        powers = [1]
        while len(powers) < p - 1:
            powers.append(powers[-1] * w % p)
        if len(set(powers)) == p - 1:
            return [0, *powers]
    raise AssertionError(p)


def affine(generator, p, d):
    """The images of 0 and the unit vectors if the generator is an affine map of GF(p)^d, else None."""
    field = field_in_order(p)
    vectors = [tuple(field[i // p ** (d - 1 - k) % p] for k in range(d)) for i in range(p**d)]
    number = {v: i for i, v in enumerate(vectors)}
    units = [number[tuple(int(j == k) for j in range(d))] for k in range(d)]
    shift = vectors[generator[0]]
    columns = [[(x - y) % p for x, y in zip(vectors[generator[u]], shift)] for u in units]
    for i, v in enumerate(vectors):
        image = tuple((shift[j] + sum(columns[k][j] * v[k] for k in range(d))) % p for j in range(d))
        if number[image] != generator[i]:
            return None
    return "=" + ",".join(str(generator[i]) for i in [0, *units])


def transitive():
    for line in permutations("TransitiveGroup", "transgrp", LARGEST_TRANSITIVE):
        if line[-1] in "AS":
            yield line
            continue
        start, generators = line.split("[")
        yield start.strip() + " " + ",".join(cycles(generators))


def primitive():
    for line in permutations("PrimitiveGroup", "primgrp", LARGEST_PRIMITIVE):
        if line[-1] in "AS":
            yield line
            continue
        start, generators = line.split("[")
        degree = int(start.split()[0])
        power = prime_power(degree)
        listed = cycles(generators)
        maps = [affine(images(g, degree), *power) for g in listed] if power else [None]
        yield start.strip() + " " + ",".join(listed if None in maps else maps)


def word(number, lists, relations):
    """The bits of a presentation as letters, from its relations: the power of g_1, its conjugates, the power of g_2."""
    orders = lists[number]
    bits = f"{number:b}".zfill((len(lists) - 1).bit_length()) if len(lists) > 1 else ""
    n = len(orders)
    rest = iter(relations)
    for i in range(n):
        for j in range(i, n):
            exponents = next(rest)
            trivial = [int(j > i and k == j) for k in range(n)]
            assert not any(exponents[: i + 1])
            if exponents == trivial:
                bits += "0"
                continue
            bits += "1"
            for k in range(i + 1, n):
                bits += f"{exponents[k]:b}".zfill((orders[k] - 1).bit_length())
    bits += "0" * (-len(bits) % 6)
    return "".join(LETTERS[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))


def small():
    groups = {}
    for line in gap(SMALL):
        order, kind, text = line.split(" ", 2)
        groups.setdefault(int(order), []).append((kind, text))
    for order, listed in groups.items():
        lists, lines = [], []
        for kind, text in listed:
            if kind == "perm":
                generators = cycles(text)
                degree = max(int(point) for point in re.findall(r"\d+", text))
                lines.append(f"{degree} " + ",".join(generators))
                continue
            numbers = [[int(x) for x in part.split(",")] for part in re.findall(r"\[([ \d,]+)\]", text)]
            if numbers[0] not in lists:
                lists.append(numbers[0])
            lines.append((lists.index(numbers[0]), numbers[1:]))
        yield " ".join([str(order), *(".".join(map(str, orders)) for orders in lists)])
        words = ""
        for line in lines:
            following = "" if isinstance(line, str) else word(line[0], lists, line[1])
            if words and (not following or len(words) + 1 + len(following) > 120):
                yield words
                words = ""
            if following:
                words += ("," if words else "") + following
            else:
                yield line
        if words:
            yield words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare only")
    arguments = parser.parse_args()
    made = {"transitive_groups": transitive, "primitive_groups": primitive, "small_groups_large": small}
    for name, lines in made.items():
        path, text = FOLDER / (name + ".txt"), "".join(line + "\n" for line in lines())
        if arguments.check:
            print(f"{path.name}: {'as it is' if path.exists() and path.read_text() == text else 'differs'}")
        else:
            path.write_text(text)


if __name__ == "__main__":
    main()
