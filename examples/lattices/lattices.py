"""Representations by matrices: nothing is tied, and a basis is made of sparse exact matrices."""

from pathlib import Path

from intertwine import Group

here = Path(__file__).parent
R = Group("C3").rep(f"rep(@{here / 'rotation.json'})")
one, two = (R >> R).basis()  # a + b * rotation: a copy of the field of the third roots of unity
print(one, two)
assert one @ two == two @ one

roots = Group("W(E8)").rep("coordinates")
assert ((roots**2) >> (roots**2)).dimension == 3  # trace, the other symmetric tensors, the alternating ones

V = Group("S6").rep("specht(3,2,1)")
assert (V >> V * V).dimension == 5  # the Kronecker coefficient g(321, 321, 321)
