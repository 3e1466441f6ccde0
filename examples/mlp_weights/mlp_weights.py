"""Layers that read and write the weights of a network with sixteen hidden units, which may be exchanged [Navon2023]."""

from intertwine import Group, verify

V = Group("S16").rep("6*perm + 2*trivial")
hom = V >> V
assert (hom.dimension, hom.bias.dimension) == (100, 8)  # 6*6*2 + 6*2 + 2*6 + 2*2
table = hom.table()
print(f"a pattern of {table.rows} x {table.cols} with {table.params} parameters, {table.channels} channels")
assert table.params * table.channels[0] * table.channels[1] == hom.dimension
table.save("layer.safetensors")
print(verify("layer.safetensors"))
