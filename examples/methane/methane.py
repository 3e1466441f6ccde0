"""Methane: displacements A1 + E + T1 + 3 T2, 12 equivariant maps, 9 force constants, from files and by name."""

from pathlib import Path

from intertwine import Group

here = Path(__file__).parent
V = Group(f"@{here / 'group.json'}").rep(f"rep(@{here / 'displacements.json'})")
assert ((V >> V).dimension, (V >> V).bias.dimension) == (12, 1)

# The same without files: an atom in the centre, four that Td permutes, a vector at each.
W = Group("Td").rep("(trivial + perm) * coordinates")
assert (W >> W).dimension == 12
assert (W.sym(2) >> Group("Td").rep("trivial")).dimension == 9  # symmetric ones: matrices of force constants
print(W.decompose())
assert [(part.degree, part.multiplicity) for part in W.decompose()] == [(1, 1), (2, 1), (3, 1), (3, 3)]
