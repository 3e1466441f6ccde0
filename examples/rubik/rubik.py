"""Rubik's cube, a group of 4.3 * 10^19 elements on 48 stickers: nine weights."""

from intertwine import Group

cube = Group("Rubik(3)")
assert cube.order == 43252003274489856000
stickers = cube.rep("perm")
hom = stickers >> stickers
print(hom.certificate())
assert (hom.dimension, hom.bias.dimension) == (9, 2)
assert [len(orbit) for orbit in cube.orbits()] == [24, 24]  # corners and edges
