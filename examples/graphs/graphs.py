"""Layers between adjacency matrices: fifteen operations, five from a matrix to its vertices [Maron2019]."""

from intertwine import Group

G = Group("S5")
edges, vertices = G.rep("perm^2"), G.rep("perm")
for target, weights, biases in (edges, 15, 2), (vertices, 5, 1):
    hom = edges >> target
    print(f"{hom}: {hom.dimension} weights, {hom.bias.dimension} biases, counted by {hom.certificate().route}")
    assert (hom.dimension, hom.bias.dimension) == (weights, biases)
print((edges >> vertices).table().text_picture())
