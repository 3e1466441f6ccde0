"""The symmetrizer and the subspace of equivariant weights: exact and in floats, two ways against each other."""

from fractions import Fraction

import numpy
import pytest
from networks_for_weak_tests import cases, mlp, rep, skewed, torch

# isort: split
from intertwine import DomainError, Group, Matrix
from intertwine.nn import Linear
from intertwine.weak import EquivariantSpace, equivariance_error, symmetrize

NAMES = ["codes", "signs", "zeros", "dense", "both", "orthogonal", "multiples", "skewed"]


def mean_over_the_group(W, V, U):
    """By its definition, in Fractions."""
    total = Matrix.zero(U.dimension, V.dimension)
    elements = list(V.group)
    for g in elements:
        total = total + U.matrix(g) @ W @ V.matrix(g.inverse())
    return total * Fraction(1, len(elements))


@pytest.mark.parametrize("V, U", [("perm", "perm"), ("perm", "sign + trivial"), ("std", "perm")])
def test_exact_symmetrizer_is_the_mean_over_the_group(V, U):
    V, U = rep("S4", V), rep("S4", U)
    W = Matrix(
        [[Fraction((7 * i * i + 3 * j) % 11, 1 + (i + j) % 3) for j in range(V.dimension)] for i in range(U.dimension)]
    )
    S = symmetrize(W, V, U)
    assert S == mean_over_the_group(W, V, U) and S != W
    assert symmetrize(S, V, U) == S
    for g in V.group.generators:
        assert S @ V.matrix(g) == U.matrix(g) @ S


def test_exact_symmetrizer_where_matrices_are_not_orthogonal():
    V, U = skewed(), rep("S3", "perm")
    W = Matrix([[1, 2], [0, 5], [-1, 3]])
    assert symmetrize(W, V, U) == mean_over_the_group(W, V, U)
    assert symmetrize([[1, 2], [0, 5], [-1, 3]], V, U) == mean_over_the_group(W, V, U)


def test_tensors_blocks_are_channels_and_leading_dimensions_a_batch():
    V, U = rep("S4", "perm"), rep("S4", "perm")
    W = torch.randn(2, 3, 8, 12, dtype=torch.float64)
    S = symmetrize(W, V, U)
    exact = numpy.asarray(
        mean_over_the_group(Matrix([[Fraction(float(v)) for v in row] for row in W[1, 2, 4:, 8:]]), V, U), dtype=float
    )
    torch.testing.assert_close(S[1, 2, 4:, 8:], torch.from_numpy(exact))
    torch.testing.assert_close(symmetrize(W[0, 0].numpy(), V, U), S[0, 0].numpy())
    errors = equivariance_error(W, V, U)
    assert errors.shape == (2, 3) and float(errors[1, 0]) == pytest.approx(
        equivariance_error(W[1, 0], V, U).item(), rel=1e-12
    )
    assert float(errors[0, 0]) == pytest.approx(float((W[0, 0] - S[0, 0]).norm() / W[0, 0].norm()), rel=1e-12)
    assert equivariance_error(S[0, 0], V, U) < 1e-14 and float(errors.min()) > 0.5
    assert symmetrize(W.float(), V, U).dtype == torch.float32


@pytest.mark.parametrize("V, U", [("perm", "perm"), ("perm", "std"), ("skewed", "perm"), ("perm", "skewed")])
def test_means_and_errors_have_gradients(V, U):
    """To the second order, forward and under torch.func; the adjoint is another mean where matrices are not orthogonal."""
    V, U = (skewed() if text == "skewed" else rep("S3", text) for text in (V, U))
    W = torch.randn(2, 2 * U.dimension, V.dimension, dtype=torch.float64, requires_grad=True)
    of = lambda f: lambda W: f(W, V, U)  # noqa: E731
    for f in (of(symmetrize), of(equivariance_error)):
        assert torch.autograd.gradcheck(f, W, check_forward_ad=True) and torch.autograd.gradgradcheck(f, W)
        torch.testing.assert_close(torch.func.vmap(f)(W), f(W))
    # By its definition: the matrix of S on entries, and its transpose.
    one = W[0].detach()
    S = torch.func.jacrev(of(symmetrize))(one).reshape(one.numel(), one.numel())
    torch.testing.assert_close(S @ S, S)
    torch.testing.assert_close(S @ one.reshape(-1), symmetrize(one, V, U).reshape(-1))


@pytest.mark.parametrize("V, U", [("perm", "perm"), ("perm", "skewed")])
@pytest.mark.parametrize("scale", [1e-307, 1e-170, 1e-100, 1e100, 1e200, 1e307])
def test_errors_do_not_depend_on_the_unit(V, U, scale):
    """Squares of 1e-170 are 0, those of 1e200 infinite."""
    V, U = (skewed() if text == "skewed" else rep("S3", text) for text in (V, U))
    W = torch.randn(2, U.dimension, V.dimension, dtype=torch.float64).clamp(-1, 1)
    error = equivariance_error(W, V, U)
    torch.testing.assert_close(equivariance_error(W * scale, V, U), error, rtol=1e-13, atol=0)
    together = torch.stack((W[0] * scale, W[0]))  # each by its own unit
    torch.testing.assert_close(equivariance_error(together, V, U), error[[0, 0]], rtol=1e-13, atol=0)
    assert float(equivariance_error(symmetrize(W, V, U) * scale, V, U).max()) < 1e-14

    def gradient(W):
        W = W.clone().requires_grad_()
        return torch.autograd.grad(equivariance_error(W, V, U).sum(), W)[0]

    if scale > 1e-200:  # derivatives are as large as 1 / scale
        torch.testing.assert_close(gradient(W * scale) * scale, gradient(W), rtol=1e-12, atol=1e-14)
    of = lambda W: equivariance_error(W, V, U)  # noqa: E731
    for power in (-40, 0, 3):  # on both sides of a power of 2
        at = (W / W.abs().max() * 2.0**power).requires_grad_()
        close = {"eps": 1e-6 * 2.0**power, "atol": 1e-5 * 2.0**-power}
        assert torch.autograd.gradcheck(of, at, check_forward_ad=True, **close)


@pytest.mark.parametrize("dtype, scales", [
    (torch.float32, (1e-37, 1e-25, 1e25, 1e37)), (torch.float64, (1e-307, 1e-170, 1e200, 1e307)),
])  # fmt: skip
def test_errors_of_all_weights_do_not_depend_on_the_unit(dtype, scales):
    first, last = (torch.nn.Linear(4, width, dtype=dtype) for width in (4, 2))
    module = torch.nn.Sequential(first, torch.nn.ReLU(), last)
    space = EquivariantSpace(module, {"0": (rep("S4", "perm"), rep("S4", "perm"))})
    w = torch.randn(3, space.D, dtype=dtype).clamp(-1, 1)
    error = space.error(w)
    assert float(error.min()) > 0.1
    rtol = 1e-5 if dtype == torch.float32 else 1e-13
    for scale in scales:
        torch.testing.assert_close(space.error(w * scale), error, rtol=rtol, atol=0)
    zero = torch.zeros_like(w, requires_grad=True)
    (g,) = torch.autograd.grad(space.error(zero).sum(), zero, create_graph=True)
    assert not g.any() and not torch.autograd.grad(g.sum(), zero)[0].any()
    w = w.double().requires_grad_()
    assert torch.autograd.gradcheck(space.error, w) and torch.autograd.gradgradcheck(space.error, w)


def test_a_penalty_trains():
    """Descent along the error alone ends at an equivariant matrix."""
    V = rep("S4", "perm")
    layer = torch.nn.Linear(4, 4, bias=False)
    before = equivariance_error(layer.weight, V, V)
    assert before.shape == () and before.dtype == torch.float32 and before.requires_grad and before.item() > 0.1
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    for _ in range(200):
        optimizer.zero_grad()
        equivariance_error(layer.weight, V, V).square().backward()
        optimizer.step()
    assert equivariance_error(layer.weight, V, V).item() < 1e-3 * before.item()
    # Where the distance has a corner, and at 0, nothing is NaN.
    for W in (torch.eye(4), torch.zeros(4, 4)):
        W = W.double().requires_grad_()
        (g,) = torch.autograd.grad(equivariance_error(W, V, V), W, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), W)
        assert torch.isfinite(g).all() and torch.isfinite(h).all()


@pytest.mark.parametrize("W, text", [
    (torch.zeros(3, 4), "multiples"), (torch.zeros(4), "rows and columns"), ([[1, 2], [3]], "one length"), (torch.zeros(4, 4, dtype=torch.int64), "floats"),
    ("abc", "one length"), (torch.zeros(0, 4), "multiples"),
])  # fmt: skip
def test_what_is_no_matrix_of_the_family(W, text):
    with pytest.raises(DomainError, match=text):
        symmetrize(W, rep("S4", "perm"), rep("S4", "perm"))
    with pytest.raises(DomainError):
        equivariance_error(W, rep("S4", "perm"), rep("S4", "perm"))


def test_representations_of_two_groups():
    with pytest.raises(DomainError, match="different groups"):
        symmetrize([[1]], rep("S4", "trivial"), rep("S3", "trivial"))


# --- The space of all weights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_space_is_what_the_symmetrizer_fixes(name):
    module, layers = cases()[name]
    space = EquivariantSpace(module, layers)
    w = torch.randn(2, space.D, dtype=torch.float64)
    S = space.symmetrize(w)
    given, ours = space.flat.parameters(w), space.flat.parameters(S)
    for layer, (V, U) in space.layers.items():
        torch.testing.assert_close(ours[f"{layer}.weight"], symmetrize(given[f"{layer}.weight"], V, U))
        if f"{layer}.bias" in given:
            torch.testing.assert_close(
                ours[f"{layer}.bias"][..., None],
                symmetrize(given[f"{layer}.bias"][..., None], V.group.rep("trivial"), U),
            )
    free = [k for k in given if k.rsplit(".", 1)[0] not in space.layers]
    assert all(torch.equal(given[k], ours[k]) for k in free) and bool(free) == (name in ("signs", "dense"))
    theta = torch.randn(space.dimension, dtype=torch.float64)
    torch.testing.assert_close(space.coordinates(space.expand(theta)), theta)
    assert float(space.error(space.expand(theta))) < 1e-14 and float(space.error(w).min()) > 0.1
    assert float(space.error(torch.zeros(space.D, dtype=torch.float64))) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_frame_is_orthogonal_and_begins_with_the_space(name):
    module, layers = cases()[name]
    space = EquivariantSpace(module, layers)
    O = space.lift(torch.eye(space.D, dtype=torch.float64)).t()
    torch.testing.assert_close(O.t() @ O, torch.eye(space.D, dtype=torch.float64), atol=1e-13, rtol=0)
    torch.testing.assert_close(
        space.lower(space.lift(torch.eye(space.D, dtype=torch.float64))),
        torch.eye(space.D, dtype=torch.float64),
        atol=1e-13,
        rtol=0,
    )
    along = O[:, : space.dimension].t()
    assert float((along - space.symmetrize(along)).abs().max()) < 1e-13
    torch.testing.assert_close(space.lift(torch.eye(space.dimension, dtype=torch.float64)), along)


def test_dimension_is_that_of_hom():
    module, layers = cases()["codes"]
    V, R, one = layers
    assert (
        EquivariantSpace(module, layers).dimension
        == 2 * 2 * (V >> R).params + 2 * (R >> R.group.rep("trivial")).params + 2 * 3 + 3
    )


@pytest.mark.parametrize("written", ["perm + sign", "perm + 2*sign"])
def test_theta_is_that_of_the_layers(written):
    """Of sums with several multiplicities layers list it block by block, so that the order is another."""
    V, U = rep("D4", written), rep("D4", "regular")
    layer = Linear(V, U, 2, 3, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    space = EquivariantSpace(layer.fold(), {"": (V, U)})
    found = space.coordinates(space.flat.vector(layer.fold()))
    theta = torch.cat((layer.theta.flatten(), layer.bias.flatten()))
    if written == "perm + 2*sign":
        found, theta = found.sort().values, theta.sort().values
    torch.testing.assert_close(found, theta)


@pytest.mark.parametrize("name", ["codes", "orthogonal", "multiples", "skewed"])
def test_the_start_has_the_variance_of_dense_weights(name):
    """E|S(W)|^2 = |W|^2 dim / mn before, and 1 after the correction; for projections that are not orthogonal with |S|^2
    for dim."""
    module, layers = cases()[name]
    space = EquivariantSpace(module, layers)
    w = torch.randn(4000, space.D, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    started, plain = space.flat.parameters(space.expand(space.start(w))), space.flat.parameters(space.symmetrize(w))
    for layer, (V, U) in space.layers.items():
        W = started[f"{layer}.weight"]
        assert float(W.square().sum((1, 2)).mean()) / W[0].numel() == pytest.approx(1, abs=0.05)
        if name != "skewed":
            out, in_ = W.shape[1] // U.dimension, W.shape[2] // V.dimension
            assert float(plain[f"{layer}.weight"].square().sum((1, 2)).mean()) == pytest.approx(
                out * in_ * (V >> U).dimension, rel=0.05
            )


def test_a_group_alone_names_representations():
    G = Group("D4")
    by_group = EquivariantSpace(mlp(8, 16, 3), G)
    assert by_group.layers["0"] == (G.rep("perm"), G.rep("regular")) and by_group.layers["2"] == (
        G.rep("regular"),
        G.rep("trivial"),
    )
    net = mlp(8, 16, 3)
    by_group.flat.write(net, by_group.symmetrize(by_group.flat.vector(net)))
    x = torch.randn(5, 8, dtype=torch.float64)
    turned = x.view(5, 2, 4)[..., [G.generators[0](k) for k in range(4)]].flatten(1)
    torch.testing.assert_close(net(turned), net(x))


@pytest.mark.parametrize("layers, text", [
    ([rep("D4", "perm")], "need 3 representations"),
    ({"5": (rep("D4", "perm"), rep("D4", "perm"))}, "no linear layer '5'"),
    ({"0": (rep("S5", "perm"), rep("S5", "perm"))}, "multiples"),
    ({"0": (rep("D4", "perm"), rep("S4", "perm"))}, "different groups"),
    ({}, "no layer"),
    (Group("S5"), "copies of the regular"),
])  # fmt: skip
def test_layers_that_are_not_there(layers, text):
    with pytest.raises(DomainError, match=text):
        EquivariantSpace(mlp(8, 16, 3), layers)


def test_modules_without_parameters_or_with_dice():
    V = rep("S4", "perm")
    with pytest.raises(DomainError, match="no parameters"):
        EquivariantSpace(torch.nn.ReLU(), {"": (V, V)})
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    with pytest.raises(DomainError, match=r"layer 1 \(Dropout\).*eval"):
        EquivariantSpace(net, {"0": (V, V)})
    EquivariantSpace(net.eval(), {"0": (V, V)})
    with pytest.raises(DomainError, match="takes"):
        EquivariantSpace(mlp(4, 4), {"0": (V, V)}).expand(torch.zeros(4))
