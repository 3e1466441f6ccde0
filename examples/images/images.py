"""An image on a torus: a convolution kernel found without knowing what a convolution is."""

from intertwine import Group, verify
from intertwine.tables import TableProof

image = Group("p4m(8,8)").rep("perm")
hom = (16 * image) >> (32 * image)
table = hom.table()
assert (table.params, table.bias_params, hom.dimension) == (15, 1, 7680)

digest = table.save("layer.safetensors")
table.picture("layer.html")  # opens in a browser: point at a weight
proof = verify("layer.safetensors")  # from the file alone
print(proof)
assert isinstance(proof, TableProof) and proof.sha256 == digest

# One row of the table is a kernel: an 8 x 8 picture with the symmetry of the square.
kernel = table.weight_code[0].reshape(8, 8)
print(kernel)
assert (kernel == kernel.T).all()
assert Group("p4m(64,64)").rep("perm").dimension == 4096
