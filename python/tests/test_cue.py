"""Representations and couplings as cuequivariance has them: laws of its classes, and its own evaluation."""

import itertools
import pickle

import pytest

cue = pytest.importorskip("cuequivariance", reason="cuequivariance is not installed")
import numpy as np  # noqa: E402
from intertwine import DomainError, Group  # noqa: E402
from intertwine.cue import irrep_class, polynomial  # noqa: E402

# The groups have rows of real, complex and quaternionic type, multiplicities, and irrational characters.
GROUPS = ["S3", "S4", "C5", "Q8", "A4", "D5", "A5"]


@pytest.mark.parametrize("name", GROUPS)
def test_the_class_obeys_the_laws(name):
    cls, G = irrep_class(name), Group(name)
    all_ = list(cls.iterator())
    assert all_[0].is_trivial() and all_ == sorted(all_) and cls.trivial() == all_[0]
    assert sum(ir.dim**2 // len(cls.clebsch_gordan(all_[0], ir, ir)) for ir in all_) == G.order
    for ir in all_:
        H = ir.discrete_generators()
        assert H.shape == (len(G.generators), ir.dim, ir.dim) and ir.continuous_generators().shape == (
            0,
            ir.dim,
            ir.dim,
        )
        assert np.abs(H @ H.swapaxes(1, 2) - np.eye(ir.dim)).max() < 1e-13
        assert (
            cls.from_string(repr(ir)) == ir
            and pickle.loads(pickle.dumps(ir)) == ir
            and hash(ir) == hash(cls(ir.number))
        )
    for a, b in itertools.product(all_, repeat=2):
        product = a * b
        total = 0
        for c in all_:
            C = cue.clebsch_gordan(a, b, c)
            assert C.shape[1:] == (a.dim, b.dim, c.dim) and (len(C) > 0) == (c in product)
            for x, y, z in zip(*(ir.discrete_generators() for ir in (a, b, c))):
                assert (
                    np.abs(np.einsum("plmk,li,mj->pijk", C, x, y) - np.einsum("kl,pijl->pijk", z, C)).max(initial=0)
                    < 1e-12
                )
            gram = np.einsum("pijk,qijk->pq", C, C) / c.dim
            assert np.abs(gram - np.eye(len(C))).max(initial=0) < 1e-12
            ends = len(cls.clebsch_gordan(all_[0], c, c))  # 1, 2 or 4 for real, complex and quaternionic ones
            total += len(C) * c.dim // ends
        assert total == a.dim * b.dim


def test_descriptors_are_equivariant():
    S4 = irrep_class("S4")
    x = cue.Irreps(S4, "2xr0 + 3xr2 + r3")
    product = cue.descriptors.fully_connected_tensor_product(x, x, x)
    rng = np.random.default_rng(0)
    w, a, b = (rng.normal(size=operand.dim) for operand in product.inputs)
    (z,) = product.polynomial(w, a, b)

    def moved(v, g):
        parts, at = [], 0
        for mul, ir in x:
            own = v[at : at + mul * ir.dim].reshape(ir.dim, mul)
            parts.append((ir.discrete_generators()[g] @ own).ravel())
            at += mul * ir.dim
        return np.concatenate(parts)

    for g in range(len(S4(0).discrete_generators())):
        (there,) = product.polynomial(w, moved(a, g), moved(b, g))
        np.testing.assert_allclose(there, moved(z, g), atol=1e-12)
    assert np.abs(z).max() > 0.1


@pytest.mark.parametrize(
    "name, fields",
    [("S4", ("perm", "std", "perm + sign")), ("D4", ("coordinates", "coordinates", "regular")), ("O(3)", ("vector", "vector", "harmonic(2)"))],
)  # fmt: skip
def test_polynomials_are_the_exact_maps(name, fields):
    G = Group(name)
    V, W, U = (G.rep(text) for text in fields)
    p = polynomial(V, W, U, (2, 3, 4))
    basis = [np.asarray(B, dtype=float) for B in (V * W >> U).basis()]
    rng = np.random.default_rng(1)
    w, x, y = (
        rng.normal(size=(len(basis), 2, 3, 4)),
        rng.normal(size=(V.dimension, 2)),
        rng.normal(size=(W.dimension, 3)),
    )
    (z,) = p(w.ravel(), x.ravel(), y.ravel())
    maps = np.array(basis).reshape(len(basis), U.dimension, V.dimension, W.dimension)
    wanted = np.einsum("puvw,pkij,iu,jv->kw", w, maps, x, y)
    np.testing.assert_allclose(z.reshape(U.dimension, 4), wanted, atol=1e-12)
    g = G.random_element(2)
    on = [np.asarray(R.matrix(g), dtype=complex).real for R in (V, W, U)]
    (there,) = p(w.ravel(), (on[0] @ x).ravel(), (on[1] @ y).ravel())
    np.testing.assert_allclose(there.reshape(U.dimension, 4), on[2] @ wanted, atol=1e-9)


def test_bad_input():
    V = Group("S3").rep("perm")
    for wrong, said in [
        (lambda: irrep_class("SO(3)"), "cuequivariance has SU2, SO3 and O3"),
        (lambda: irrep_class(3), "a group is wanted"),
        (lambda: irrep_class("C3")(2), "are r0, r1, not r2"),
        (lambda: polynomial(V, V, Group("S4").rep("perm")), "different groups"),
        (lambda: polynomial(V, V, V, (1, 2)), "three positive integers"),
        (lambda: polynomial(*(Group("C3").irrep(k) for k in (1, 1, 2))), "are complex: take V.real"),
        (lambda: polynomial(*(Group("SO(3)").rep(f"harmonic({k})") for k in (1, 1, 3))), "no bilinear map"),
    ]:
        with pytest.raises(DomainError, match=said):
            wrong()


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cuequivariance", None)
    V = Group("S3").rep("perm")
    with pytest.raises(ImportError, match="pip install cuequivariance"):
        polynomial(V, V, V)
