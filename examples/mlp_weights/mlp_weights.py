"""Layers that read and write the weights of a network with sixteen hidden units, which may be exchanged [Navon2023]."""

from intertwine import Group, verify

V = Group("S16").rep("6*perm + 2*trivial")
hom = V >> V
assert (hom.dimension, hom.bias.dimension) == (100, 8)  # 6*6*2 + 6*2 + 2*6 + 2*2
table = hom.table()  # perm -> perm, trivial -> perm, perm -> trivial, trivial -> trivial
print([[f"{t.rows} x {t.cols}, {t.params} parameters, channels {t.channels}" for t in row] for row in table.blocks])
assert table.theta_size == hom.dimension and table.bias_size == hom.bias.dimension
table.save("layer.safetensors")
print(verify("layer.safetensors"))
