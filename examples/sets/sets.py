"""Deep Sets: two weights, one on the diagonal and one for the rest [Zaheer2017]."""

from intertwine import Group

V = Group("S5").rep("perm")
hom = V >> V
print(hom.describe())
print(hom.table().text_picture())
assert (hom.dimension, hom.bias.dimension) == (2, 1)

wide = (16 * V) >> (32 * V)  # each weight becomes a 32 x 16 matrix
assert (wide.dimension, wide.bias.dimension) == (2 * 16 * 32, 32)
