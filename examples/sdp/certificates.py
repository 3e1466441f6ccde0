"""Lovász's theta of Petersen's graph is 4, proved by whole numbers; Robinson's polynomial is a sum of squares above its
bound, in a file, and so is the energy of a hundred particles; CHSH has three variables."""

from fractions import Fraction
from itertools import combinations
from pathlib import Path

from intertwine.sdp import Certificate, Problem, npa, reduce, sos, theta
from intertwine.sf import m

here = Path(__file__).parent

# Petersen's graph: pairs of five points, joined where they are disjoint.
pairs = list(combinations(range(5), 2))
edges = [(a, b) for a, b in combinations(range(10), 2) if not set(pairs[a]) & set(pairs[b])]
petersen = theta(edges)
print(petersen)
assert (petersen.group_order, petersen.variables_before, petersen.variables_after) == (120, 55, 3)
assert reduce(Problem.read(here / "petersen.dat-s")).group_order == 120

# 4 I + 2 A - J is positive semidefinite for the adjacency matrix A, and so no theta is over 4.
certificate = petersen.certificate([-4, -2])
assert certificate.bound == -4 and set(petersen.lift_dual([-4, -2])) == {Fraction(-4), Fraction(-2)}

# Found by a solver, rounded and verified: -3825/4096 [Gatermann & Parrilo 2004].
robinson = Certificate.load(here / "robinson.json")
assert robinson.verify() and robinson.bound == Fraction(-3825, 4096)

# 100 particles on a line that repel one another: matrices over tableaux.
particles = Certificate.load(here / "particles.json")
assert particles.verify() and particles.bound == Fraction(-25, 4)
squares = sos(m[4] + m[1, 1], 100)
assert [(block.name, block.size) for block in squares.blocks] == [("[100]", 4), ("[99,1]", 3), ("[98,2]", 1)]

chsh = npa({"A0 B0": 1, "A0 B1": 1, "A1 B0": 1, "A1 B1": -1})
assert (chsh.group_order, chsh.variables_before, chsh.variables_after) == (16, 15, 3)
