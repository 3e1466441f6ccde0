"""Kernels of equivariant maps between homogeneous spaces."""

import copy
import pickle

import pytest
from intertwine import DomainError, Group, LimitError, ParseError, kernel_basis


def test_kernels_are_the_intertwiners():
    S4 = Group("S4")
    H, K = S4.subgroup(["(1,2,3)", "(1,2)"]), S4.subgroup(["(1,2)(3,4)", "(1,3)(2,4)"])
    rho, sigma = H.rep("perm"), K.rep("regular")
    kernels = kernel_basis(S4, H, K, rho, sigma)
    hom = sigma.induce(S4) >> rho.induce(S4)
    assert len(kernels) == kernels.dimension == kernels.character_dimension == hom.dimension
    assert all(hom.is_equivariant(kernels.intertwiner(k)) for k in range(len(kernels)))
    assert sum(b.size for b in kernels.blocks) == 24 and sum(b.dimension for b in kernels.blocks) == len(kernels)
    for b in kernels.blocks:
        assert b.size * b.stabilizer.order == H.order * K.order and b.representative in S4
        assert len(b.values) == b.dimension and all(A.shape == (4, 4) for A in b.values)
        assert "KernelBlock" in repr(b) and copy.copy(b).size == b.size
    h, k, g = H.generators[0], K.generators[0], S4.generators[0]
    for n in range(len(kernels)):
        assert kernels.value(n, h * g * k) == rho.matrix(h) @ kernels.value(n, g) @ sigma.matrix(k)
    assert pickle.loads(pickle.dumps(kernels)) == kernels and hash(kernels) == hash(copy.deepcopy(kernels))
    assert (
        kernels.field == "Q"
        and kernels.route
        and kernels.group == S4
        and kernels.source == sigma
        and kernels.target == rho
    )
    assert '"double_cosets"' in kernels.to_json() and "double cosets" in kernels.describe(elements=True)
    kernels.verify()
    with pytest.raises(IndexError):
        kernels.value(len(kernels), g)
    with pytest.raises(IndexError):
        kernels.intertwiner(-len(kernels) - 1)


def test_representations_by_their_texts():
    S4 = Group("S4")
    H, K = S4.subgroup(["(1,2,3)", "(1,2)"]), S4.subgroup(["(1,2)(3,4)", "(1,3)(2,4)"])
    kernels = kernel_basis(S4, H, K, "sign", "2*trivial + regular")
    assert kernels == kernel_basis(S4, H, K, H.rep("sign"), K.rep("2*trivial + regular")) and kernels.target.group == H
    with pytest.raises(ParseError, match="wibble"):
        kernel_basis(S4, H, K, "sign", sigma="wibble")


def test_bad_input():
    G = Group("A4")
    V4, odd = G.subgroup(["(1,2)(3,4)", "(1,3)(2,4)"]), Group("S4").subgroup(["(1,2)"])
    one = V4.rep("trivial")
    with pytest.raises(DomainError, match="H = .* is no subgroup of G = A4: its generator"):
        kernel_basis(G, odd, V4, odd.rep("trivial"), one)
    with pytest.raises(DomainError, match="on the points of G"):
        kernel_basis(G, V4, Group("C3"), one, Group("C3").rep("trivial"))
    with pytest.raises(DomainError, match="sigma = trivial is a representation of"):
        kernel_basis(G, V4, G, one, one)
    with pytest.raises(LimitError):
        kernel_basis(
            Group("S8"),
            Group("S8").subgroup([]),
            Group("S8").subgroup([]),
            *2 * [Group("S8").subgroup([]).rep("trivial")],
            memory="1M",
        )
