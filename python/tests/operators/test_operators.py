"""Operators with weights omega(f, g, g1): the law, what breaks it, and the layers that are instances."""

import copy
import doctest

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import intertwine.operators  # noqa: E402
from intertwine import DomainError, Group, LimitError, nn  # noqa: E402
from intertwine.gsa import Affine, GroupSelfAttention, disc, square, torus  # noqa: E402
from intertwine.operators import (  # noqa: E402
    Elements,
    GroupAttention,
    GroupConvolution,
    LieAttention,
    LiftingAttention,
    Operator,
    SelfAttention,
    SteerableConvolution,
    kernel_basis,
)  # fmt: skip

D = torch.float64
S3 = Group("S3")


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def function(operator, batch=2):
    return torch.randn(batch, operator.V.dimension, len(operator.elements), dtype=D)


def distance(a, b):
    return float(((a - b).abs().max() / b.abs().max()).detach())


def sizes(a, b):
    """A weight for each pair of elements that no motion leaves alone."""
    return ((7 * a + 3 * b) % 5).to(D)


# --- The law ---------------------------------------------------------------------------------------------------------------------


def test_elements_multiply():
    for G in (S3, Group("A4"), Group("C1")):
        elements = Elements(G)
        for a, g in enumerate(elements.list):
            assert elements.moved(g).tolist() == [elements.number(g * h) for h in elements.list]
            assert elements.relative[a].tolist() == [elements.number(g**-1 * h) for h in elements.list]
        assert elements.list[elements.identity].is_identity
    with pytest.raises(DomainError, match="no element of C3"):
        Elements(Group("C3")).number(Group("S3").generators[1])
    with pytest.raises(LimitError, match="at most 2048"):
        Elements(Group("S7"))


def test_the_formula():
    """Against a loop, with weights that depend on everything."""
    V, W = S3.rep("perm"), 2
    M = torch.randn(2, 3, dtype=D)
    omega = lambda f, g, g1: (sizes(g, g1) + f[..., 0, :].sum(-1)[..., None, None])[..., None, None] * M  # noqa: E731
    operator = Operator(S3, omega, V, W)
    f = function(operator)
    for b in range(2):
        for g in range(6):
            expected = sum((sizes(torch.tensor(g), torch.tensor(h)) + f[b, 0].sum()) * M @ f[b, :, h] for h in range(6))
            torch.testing.assert_close(operator(f)[b, :, g], expected)
    assert operator(f[0]).shape == (2, 6) and operator(f[:, None, None]).shape == (2, 1, 1, 2, 6)


@pytest.mark.parametrize(
    "law",
    [
        lambda f, g, g1: sizes(g, g1)[..., None, None],  # which elements they are
        lambda f, g, g1: (
            (g1 == 0).to(D).expand(torch.broadcast_shapes(g.shape, g1.shape))[..., None, None]
        ),  # an absolute place
        lambda f, g, g1: torch.softmax(f[..., 0, :].abs() * torch.arange(6), -1)[..., g1][..., None, None].expand(
            -1, 6, -1, -1, -1
        ),  # weighted places
    ],
)
def test_wrong_weights_are_rejected(law):
    operator = Operator(S3, law, 1, 1)
    report = operator.check()
    assert not report and report.operator.error > 1e-2
    assert not report.omega_is_equivariant and report.omega_error > 1e-2 and report.element in S3
    assert "breaks its law" in str(report)
    assert operator.symmetrized().check()


def test_values_that_are_moved():
    """With rho on values omega has to be moved along: kappa(g^-1 g1) alone is not enough, rho(g) kappa rho(g1)^-1 is."""
    V = S3.rep("perm")
    elements = Elements(S3)
    kappa = torch.randn(6, 3, 3, dtype=D)
    rho = torch.stack([torch.tensor(V.matrix(g).tolist(), dtype=D) for g in elements.list])
    wrong = Operator(S3, lambda f, g, g1: kappa[elements.relative[g, g1]], V, V).check()
    assert not wrong and wrong.operator.error > 1e-2
    right = Operator(S3, lambda f, g, g1: rho[g] @ kappa[elements.relative[g, g1]] @ rho[g1].mT, V, V)
    assert right.check() and right.check().omega_is_equivariant
    f = function(right)
    for k in S3:
        torch.testing.assert_close(right(right.act(k, f)), right.act(k, right(f), target=True))


def test_the_law_is_not_necessary():
    """Weights that are antisymmetric in what they multiply give zero, whatever else they depend on."""
    A = torch.randn(6, 6, 6, dtype=D)
    A = A - A.mT
    omega = lambda f, g, g1: (torch.einsum("gxy,...y->...gx", A, f[..., 0, :])[..., g, g1] + (g == g1))[..., None, None]  # noqa: E731
    f = function(Operator(S3, omega, 1, 1))
    torch.testing.assert_close(Operator(S3, omega, 1, 1)(f), f)
    report = Operator(S3, omega, 1, 1).check()
    assert report and not report.omega_is_equivariant and report.omega_error > 1e-2
    mean = Operator(S3, omega, 1, 1).symmetrized()
    assert mean.check().omega_is_equivariant


def test_symmetrized_is_a_projection():
    operator = Operator(S3, lambda f, g, g1: torch.tanh(f[..., 0, g] * sizes(g, g1))[..., None, None], 1, 1)
    f = function(operator)
    once = operator.symmetrized()
    assert operator.check().operator.error > 1e-2 and once.check()
    assert distance(once(f), operator(f)) > 1e-2
    assert distance(once.symmetrized()(f), once(f)) < 1e-12


def test_a_map_as_an_operator():
    regular = S3.rep("regular")
    linear = nn.Linear(regular, regular, 2, 3, bias=False, dtype=D)
    F = lambda f: torch.nn.functional.silu(linear(f)).cumsum(-2)  # noqa: E731
    operator = Operator.from_map(F, S3, 2, 3)
    f = function(operator)
    assert distance(operator(f), F(f)) < 1e-12
    assert float(operator(0 * f).abs().max()) == 0
    assert operator.check().omega_is_equivariant and operator.check()
    twisted = Operator.from_map(lambda f: f * torch.arange(6), S3, 1, 1)
    assert not twisted.check() and twisted.check().operator.error > 1e-2
    biased = nn.Linear(regular, regular, 2, 3, dtype=D)
    with torch.no_grad():
        biased.bias.normal_()
    with pytest.raises(DomainError, match=r"F\(0\) is not 0.*constant_channel=True"):
        Operator.from_map(biased, S3, 2, 3)
    operator = Operator.from_map(biased, S3, 2, 3, constant_channel=True)
    assert distance(operator(f), biased(f)) < 1e-12 and operator.check() and operator.check().omega_is_equivariant
    assert len(list(operator.parameters())) == 2  # those of the map


# --- Instances -------------------------------------------------------------------------------------------------------------------


def instances():
    yield GroupConvolution(S3, 2, 3, dtype=D)
    yield GroupConvolution(Group("C4"), 1, 2, bias=False, dtype=D)
    layer = nn.GroupConv2d(Group("D4"), 1, 2, 3, padding="same", padding_mode="circular", dtype=D)
    yield GroupConvolution.on_torus(layer, Affine("R4M"), (3, 3))
    layer = nn.GroupConv2d(Group("C4"), 2, 1, 3, padding="same", padding_mode="circular", dtype=D)
    yield GroupConvolution.on_torus(layer, Affine("R4"), (4, 4))
    yield SelfAttention(S3.rep("trivial"), 4, 2, dtype=D)
    yield SelfAttention(S3.rep("perm"), 4, 2, bias=False, dtype=D)
    yield LieAttention(S3.rep("trivial"), 4, 2, dtype=D)
    yield LieAttention(Group("C4").rep("perm"), 2, 1, dtype=D)
    yield LieAttention(S3.rep("trivial"), 4, 2, samples=3, seed=1, dtype=D)
    yield LieAttention(Group("D4").rep("std"), 2, 2, samples=1, bias=False, dtype=D)
    yield LiftingAttention(Affine("R4"), (3, 3), square(3), 2, 3, heads=2, dtype=D)
    yield LiftingAttention(Affine("M"), (5, 3), disc(1), 1, 2, bias=False, dtype=D)
    yield GroupAttention(Affine("R4"), (3, 3), square(3), 2, 3, heads=2, dtype=D)
    yield GroupAttention(Affine("M"), (5, 3), disc(1.5), 1, 2, encoding="table", dtype=D)


@pytest.mark.parametrize("operator", list(instances()), ids=lambda o: type(o).__name__)
def test_instances_are_the_layers(operator):
    with torch.no_grad():
        for p in operator.parameters():
            p.normal_()
    f = function(operator)
    assert distance(operator(f), operator.on_native(f)) < 1e-12
    report = operator.check(batch=3, elements=1)
    assert report and report.operator.error < 1e-12 and report.omega_is_equivariant
    grown = torch.autograd.grad(operator(f).square().sum(), list(operator.parameters()), allow_unused=True)
    plain = torch.autograd.grad(operator.on_native(f).square().sum(), list(operator.parameters()), allow_unused=True)
    for a, b in zip(grown, plain):
        assert (a is None) == (b is None) or float((b if a is None else a).abs().max()) < 1e-9
        if a is not None and b is not None:
            torch.testing.assert_close(a, b, rtol=1e-9, atol=1e-9)


# LieTransformer's estimate: sums over some elements, drawn anew, for those over all.
def test_lie_attention_by_samples():
    S4 = Group("S4")
    V = S4.rep("trivial")
    exact = LieAttention(V, 4, 2, dtype=D)
    with torch.no_grad():
        for p in exact.parameters():
            p.normal_()
    f = function(exact)
    errors = []
    for k in (3, 6, 12, 24):
        operator = LieAttention(V, 4, 2, samples=k, dtype=D)
        operator.load_state_dict(exact.state_dict())
        squares, masks = 0.0, set()
        for seed in range(20):
            operator.resample(seed)
            operator.sampled.zero_()  # a copy
            assert len(set(operator.sampled.tolist())) == k
            masks.add(tuple(operator.sampled.tolist()))
            assert operator.native.mask.sum(1).eq(k).all()
            squares += float((operator(f) - exact(f)).square().mean()) / 20
        errors.append(squares**0.5)
        assert distance(operator(f), operator.on_native(f)) < 1e-12 and len(masks) == (1 if k == 24 else 20)
    assert errors[0] > errors[1] > errors[2] > 1e-2 and errors[3] < 1e-13
    twin = copy.deepcopy(operator := LieAttention(V, 4, 2, samples=5, dtype=D))
    twin.resample(9)
    assert distance(twin(f), operator(f)) > 1e-2 and "5 of 24 elements sampled" in repr(twin)
    # Negative control: elements drawn for every g apart, a sample that does not move along.
    rows = torch.rand(24, 24, generator=torch.Generator().manual_seed(0)) < 0.5
    operator.native.mask = rows | torch.eye(24, dtype=torch.bool)
    apart = Operator.from_map(operator.on_native, S4, 4, 4, constant_channel=True)
    assert apart.check(batch=2, elements=1).operator.error > 1e-2
    for samples, message in ((0, "positive integer"), (25, "cannot be drawn"), (2.0, "positive integer")):
        with pytest.raises(DomainError, match=message):
            LieAttention(V, 4, 2, samples=samples)
    with pytest.raises(DomainError, match="sums over the whole group"):
        exact.resample(1)
    with pytest.raises(DomainError, match="seed is an integer"):
        operator.resample(-1)


def test_images_are_lifted():
    operator = LiftingAttention(Affine("R4"), (3, 3), square(3), 2, 3, dtype=D)
    x = torch.randn(2, 2, 1, 3, 3, dtype=D)
    f = operator.lifted(x)
    torch.testing.assert_close(operator.to_native(f), x)
    assert f.shape == (2, 2, 36) and distance(operator(f), operator.from_native(operator.native(x))) < 1e-12


def test_the_printed_form_is_rejected():
    """The encoding of the paper acts with h^-1 on h~^-1 g once more."""
    with pytest.warns(UserWarning, match="not equivariant"):
        layer = GroupSelfAttention(Affine("R4"), torus(3, 3), square(3), 2, 2, form="printed", dtype=D)
    with torch.no_grad():
        for p in layer.parameters():
            p.normal_()
    like = GroupAttention(Affine("R4"), (3, 3), square(3), 2, 2, dtype=D)
    operator = Operator.from_map(
        lambda f: like.from_native(layer(like.to_native(f))), like.group, 2, 2, constant_channel=True
    )
    report = operator.check(batch=3, elements=1)
    assert not report and report.operator.error > 1e-2


def test_instances_copy_and_compile():
    operator = SelfAttention(S3.rep("trivial"), 4, 2, dtype=D)
    f = function(operator)
    twin = copy.deepcopy(operator)
    with torch.no_grad():
        operator.native.value.theta.zero_()
    assert distance(operator(f), twin(f)) > 1e-2  # the copy has weights of its own
    compiled = torch.compile(twin, backend="aot_eager")
    assert distance(compiled(f), twin(f)) < 1e-12


# --- Kernels on homogeneous spaces -----------------------------------------------------------------------------------------------


def sections():
    S4 = Group("S4")
    S3_, C4, one = S4.subgroup(["(1,2,3)", "(1,2)"]), S4.subgroup(["(1,2,3,4)"]), S4.subgroup([])
    yield kernel_basis(S4, S3_, S3_, S3_.rep("trivial"), S3_.rep("sign") + S3_.rep("perm"))
    yield kernel_basis(S4, C4, S3_, C4.rep("perm"), S3_.irrep(2))
    yield kernel_basis(S4, S3_, C4, S3_.irrep(2), C4.rep("perm"))  # by matrices that are not orthogonal
    yield kernel_basis(S3, S3, S3.subgroup([]), S3.rep("perm"), S3.subgroup([]).rep("2*trivial"))
    yield kernel_basis(S4, one, C4, one.rep("trivial"), C4.rep("perm"))


@pytest.mark.parametrize("kernels", list(sections()), ids=repr)
def test_steerable_convolutions(kernels):
    kernels.verify()
    operator = SteerableConvolution(kernels, 2, 3, dtype=D)
    assert operator.check(batch=2, elements=1)
    V = kernels.source.induce(kernels.group)
    x = torch.randn(4, 2, V.dimension, dtype=D)
    native = operator.native()
    assert distance(operator.values(operator(operator.sections(x))), native(x)) < 1e-12
    # Sections are what they should be, and go to sections: f(g k) = sigma(k)^-1 f(g).
    for f, rep, channels in (
        (operator.sections(x), kernels.source, 2),
        (operator(operator.sections(x)), kernels.target, 3),
    ):
        for k in rep.group.generators:
            at = [operator.elements.number(g * k) for g in operator.elements.list]
            moved = torch.tensor(rep.matrix(k**-1).tolist(), dtype=D)
            torch.testing.assert_close(
                f[..., at], torch.einsum("ab,...cbg->...cag", moved, f.unflatten(-2, (channels, -1))).flatten(-3, -2)
            )


# --- Bad input -------------------------------------------------------------------------------------------------------------------


def test_bad_input():
    G = Group("A4")
    V4 = G.subgroup(["(1,2)(3,4)", "(1,3)(2,4)"])
    with pytest.raises(DomainError, match="the kernels are not real"):
        SteerableConvolution(kernel_basis(G, G, V4, G.irrep(1), V4.rep("trivial")))
    with pytest.raises(DomainError, match="positive number of channels"):
        Operator(S3, lambda f, g, g1: f, 0, 1)
    with pytest.raises(DomainError, match="representation of C3"):
        Operator(S3, lambda f, g, g1: f, Group("C3").rep("perm"), 1)
    with pytest.raises(DomainError, match="over a finite group"):
        Operator("S3", lambda f, g, g1: f, 1, 1)
    with pytest.raises(DomainError, match="omega is a function"):
        Operator(S3, 3, 1, 1)
    with pytest.raises(DomainError, match=r"takes \[..., 2, 6\]"):
        Operator(S3, lambda f, g, g1: f, 2, 1)(torch.zeros(3, 6))
    for omega in (
        lambda f, g, g1: torch.ones(6, 6),
        lambda f, g, g1: torch.ones(6, 6, 1, 2),
        lambda f, g, g1: torch.ones(6, 5, 1, 1),
        lambda f, g, g1: torch.ones(3, 6, 6, 1, 1),
        lambda f, g, g1: torch.ones(2, 1, 6, 6, 1, 1),
        lambda f, g, g1: 1.0,
    ):
        with pytest.raises(DomainError, match="omega gives"):
            Operator(S3, omega, 1, 1)(torch.zeros(2, 1, 6))
    with pytest.raises(DomainError, match="F gives"):
        Operator.from_map(lambda f: f[..., :3], S3, 1, 1)
    skew = Group("C3").matrix_rep([[[0, -1], [1, -1]]])
    with pytest.raises(DomainError, match="not orthogonal"):
        Operator.from_map(lambda f: f, Group("C3"), skew, skew)
    with pytest.raises(DomainError, match="circular"):
        GroupConvolution.on_torus(nn.GroupConv2d(Group("C4"), 1, 1, 3), Affine("R4"), (5, 5))
    with pytest.raises(DomainError, match="the layer is over a group of 4"):
        GroupConvolution.on_torus(
            nn.GroupConv2d(Group("C4"), 1, 1, 3, padding="same", padding_mode="circular"), Affine("M"), (5, 5)
        )
    with pytest.raises(DomainError, match="do.* not map the sites of a torus"):
        GroupAttention(Affine("R4"), (5, 3), square(3), 1, 1)
    with pytest.raises(DomainError, match="the form 'relative'"):
        GroupAttention(Affine("R4"), (3, 3), square(3), 1, 1, form="summed")


def test_documentation():
    assert doctest.testmod(intertwine.operators).failed == 0
    for name in intertwine.operators.__all__:
        assert (getattr(intertwine.operators, name).__doc__ or "").strip(), name
