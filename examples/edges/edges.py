"""Edges of a complete graph, without direction and with: three weights, or two and no bias."""

from intertwine import Group

S6 = Group("S6")
pairs, flows = S6.rep("subsets(2)"), S6.rep("alt(2, perm)")
assert (pairs >> pairs).dimension == 3  # equal, sharing a vertex, disjoint
assert ((flows >> flows).dimension, (flows >> flows).bias.dimension) == (2, 0)

# Disjoint edges carry no weight between flows: exchanging the ends of one of them changes a sign.
first, last = flows.basis_label(0), flows.basis_label(14)
print(f"entry ({first}, {last}) vanishes: {(flows >> flows).why_zero(0, 14)} fixes it and changes its sign")
print(flows.decompose())
