"""A robot with four legs: two mirrors that exchange joints and reverse some of them, from files."""

from pathlib import Path

from intertwine import Group

here = Path(__file__).parent
G = Group("C2 x C2")
joints, trunk = (G.rep(f"rep(@{here / name})") for name in ("joints.json", "trunk.json"))
assert ((joints >> joints).dimension, (joints >> joints).bias.dimension) == (36, 3)
assert ((joints >> trunk).dimension, (joints >> trunk).bias.dimension) == (
    18,
    1,
)  # only the vertical velocity is invariant
print((joints >> trunk).table().text_picture())
