"""Linear: values, gradients of every order, transformations of torch.func, state, bad input."""

import copy
import io
import pickle

import numpy
import pytest

from layers_for_tests import CASES, dense, make, representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, VerificationError
from intertwine.nn import Conv2d, Linear, TensorProduct, _linear, _ops, _tables, check_equivariance, impose
from torch.autograd import gradcheck, gradgradcheck

NAMES = ["{} {} to {}".format(*c[:3]) for c in CASES]
every_case = pytest.mark.parametrize("case", CASES, ids=NAMES)
SMALL = [CASES[0], CASES[1], CASES[3], CASES[8]]


@every_case
@pytest.mark.parametrize("mode", ["automatic", "fastest", "implicit", "torch"])
def test_values_and_gradients_against_a_dense_layer(case, mode):
    layer, V, U = make(case, mode=mode)
    x = torch.randn(5, 3, case[3], V.dimension, dtype=torch.float64, requires_grad=True)
    expected, W = dense(layer, x)
    bias = layer.bias_vector().reshape(case[4], -1)
    torch.testing.assert_close(layer(x), expected + bias)
    torch.testing.assert_close(layer.weight(), W)
    assert layer.weight().shape == (case[4] * U.dimension, case[3] * V.dimension)
    g = torch.randn_like(expected)
    ours = torch.autograd.grad(layer(x), [x, layer.theta, layer.bias], g, materialize_grads=True)
    theirs = torch.autograd.grad(expected + bias, [x, layer.theta, layer.bias], g, materialize_grads=True)
    torch.testing.assert_close(ours, theirs)
    # The bias is invariant.
    for h in V.group.generators:
        rho = torch.tensor(U.matrix(h).tolist(), dtype=torch.float64)
        torch.testing.assert_close(bias @ rho.t(), bias)


@pytest.mark.parametrize("mode", ["dense", "lookup", "implicit", "fft", "isotypic"])
def test_every_form_can_be_forced(mode):
    layer, V, _ = make(("C6", "regular", "regular", 2, 3), mode=mode)
    x = torch.randn(4, 2, 6, dtype=torch.float64, requires_grad=True)
    reference = Linear(V, V, 2, 3, dtype=torch.float64, mode="torch")
    reference.load_state_dict(layer.state_dict())  # the mode is no part of the state
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), reference(x))
    layer = copy.deepcopy(layer)
    g = torch.randn(4, 3, 6, dtype=torch.float64)
    torch.testing.assert_close(layer(x), reference(x))
    assert layer.form == mode
    torch.testing.assert_close(
        torch.autograd.grad(layer(x), [x, layer.theta, layer.bias], g),
        torch.autograd.grad(reference(x), [x, reference.theta, reference.bias], g),
    )


def test_what_ran_where_pytorch_multiplies():
    V, R = representations("D4", "perm", "regular")
    plain, conv, product, half = (
        Linear(V, R, mode="torch"),
        Conv2d(R, R, 1, 1, 3),
        TensorProduct(V, V, V),
        Linear(V, R).half(),
    )
    assert Linear(V, R).form == ""  # before the first product
    (
        plain(torch.randn(2, 1, 4)),
        conv(torch.randn(2, 1, 8, 5, 5)),
        product(torch.randn(2, 1, 4), torch.randn(2, 1, 4)),
        half(torch.randn(2, 1, 4).half()),
    )
    assert [layer.form for layer in (plain, conv, product, half)] == ["torch", "dense", "dense", "dense"]


def test_forms_that_a_table_has_not_are_refused():
    with pytest.raises(DomainError, match="translation of a torus"):
        make(("S4", "perm", "perm^2", 1, 1), mode="fft")
    with pytest.raises(DomainError, match="modes are automatic"):
        make(("S4", "perm", "perm", 1, 1), mode="quick")


@pytest.mark.parametrize("case", SMALL, ids=[NAMES[CASES.index(c)] for c in SMALL])
def test_gradcheck(case):
    layer, V, _ = make(case)
    x = torch.randn(2, case[3], V.dimension, dtype=torch.float64, requires_grad=True)
    f = lambda x, theta, bias: _linear.linear(x.reshape(2, -1, layer.table.cols), theta, bias, layer._weights)  # noqa: E731
    assert gradcheck(
        f, (x, layer.theta, layer.bias), check_forward_ad=True, check_batched_grad=True, check_batched_forward_grad=True
    )
    assert gradgradcheck(f, (x, layer.theta, layer.bias), check_fwd_over_rev=True)


@pytest.mark.parametrize("sparse, sites_first", [(False, False), (True, False), (False, True), (True, True)])
def test_operators_are_each_others_derivatives(sparse, sites_first):
    layer, V, U = make(CASES[3] if sparse else CASES[1])
    p, (P, o, i) = layer._weights.on(torch.device("cpu"))._replace(sites_first=sites_first), layer.theta.shape
    M, N = p.sizes[:2]
    x, dy = (
        torch.randn(2, i, N, dtype=torch.float64, requires_grad=True),
        torch.randn(2, o, M, dtype=torch.float64, requires_grad=True),
    )
    theta, W = (
        torch.randn(P, o, i, dtype=torch.float64, requires_grad=True),
        torch.randn(o * M, i * N, dtype=torch.float64, requires_grad=True),
    )
    operands = {"apply": (x, theta), "apply_t": (dy, theta), "outer": (x, dy), "materialise": (theta,), "reduce": (W,)}
    if sites_first:
        operands = {name: operands[name] for name in ("materialise", "reduce")}
        two = torch.stack([theta, W.detach().new_ones(theta.shape)]).detach(), torch.stack([W, 2 * W]).detach()
        for name, batch in zip(operands, two):
            mapped = torch.func.vmap(lambda a, name=name: _ops._FULL[name](a, p))(batch)
            torch.testing.assert_close(mapped, torch.stack([_ops._PLAIN[name](a, p) for a in batch]))
        turned = _ops._PLAIN["materialise"](theta, p).view(M, o, N, i).permute(1, 0, 3, 2).reshape(W.shape)
        assert torch.equal(turned, _ops._PLAIN["materialise"](theta, p._replace(sites_first=False)))
    for name, arguments in operands.items():
        results = []
        for door in (_ops.EAGER, _ops._FULL, _ops._REGISTERED, _ops._PLAIN):
            f = lambda *a, door=door, name=name: door[name](*a, p)  # noqa: E731
            results.append(f(*arguments))
            assert gradcheck(f, arguments) and gradgradcheck(f, arguments)
        for other in results[1:]:
            torch.testing.assert_close(results[0], other)
    for name, arguments in operands.items():
        torch.library.opcheck(
            getattr(torch.ops.intertwine, name).default, (*[a.detach().requires_grad_() for a in arguments], *p)
        )


def test_third_derivative():
    layer, V, _ = make(CASES[1])
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64, requires_grad=True)

    def third(f):
        (first,) = torch.autograd.grad(f(x).pow(4).sum(), layer.theta, create_graph=True)
        (second,) = torch.autograd.grad(first.pow(3).sum(), x, create_graph=True)
        return torch.autograd.grad(second.pow(2).sum(), [layer.theta, x, layer.bias])

    torch.testing.assert_close(third(layer), third(lambda x: dense(layer, x)[0] + layer.bias_vector().reshape(3, -1)))


# --- torch.func ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SMALL, ids=[NAMES[CASES.index(c)] for c in SMALL])
def test_torch_func(case):
    layer, V, _ = make(case)
    reference = Linear(*representations(*case[:3]), case[3], case[4], dtype=torch.float64, mode="torch")
    parameters = {k: v.detach() for k, v in layer.named_parameters()}
    x, t = (torch.randn(3, case[3], V.dimension, dtype=torch.float64) for _ in range(2))
    tangents = {k: torch.randn_like(v) for k, v in parameters.items()}

    def both(transform):
        results = [transform(lambda p, x, m=m: torch.func.functional_call(m, p, (x,))) for m in (layer, reference)]
        torch.testing.assert_close(*results)
        flat = torch.utils._pytree.tree_leaves(results[0])
        assert any(f.numel() and f.abs().max() > 0 for f in flat) or layer.table.params + layer.table.bias_params == 0

    loss = lambda f: lambda p, x: f(p, x).tanh().pow(2).sum()  # noqa: E731
    both(lambda f: torch.func.grad(loss(f), argnums=(0, 1))(parameters, x))
    both(lambda f: torch.func.jvp(f, (parameters, x), (tangents, t)))
    both(lambda f: torch.func.jvp(torch.func.grad(loss(f), argnums=(0, 1)), (parameters, x), (tangents, t)))
    both(lambda f: torch.func.vmap(f, in_dims=(None, 0))(parameters, x))
    both(
        lambda f: torch.func.vmap(torch.func.grad(loss(f)), in_dims=(None, 0))(parameters, x)
    )  # gradients of each sample
    many = {k: torch.stack((v, 2 * v, v + 1), dim=1) for k, v in parameters.items()}
    both(lambda f: torch.func.vmap(f, in_dims=({k: 1 for k in many}, None))(many, x))  # an ensemble
    both(lambda f: torch.func.vmap(f, in_dims=({k: 1 for k in many}, 0))(many, x))
    both(
        lambda f: torch.func.vmap(torch.func.grad(loss(f), argnums=(0, 1)), in_dims=({k: 1 for k in many}, 0))(many, x)
    )
    # The reference, PyTorch's own products of empty tensors, stops in an assertion of PyTorch's from 2.14 on.
    if layer.table.params or torch.__version__ < "2.14":
        both(lambda f: torch.func.hessian(loss(f), argnums=0)(parameters, x))
    both(lambda f: torch.func.hessian(loss(f), argnums=1)(parameters, x))
    both(lambda f: torch.func.jacrev(torch.func.jacfwd(f, argnums=1), argnums=0)(parameters, x))
    both(lambda f: torch.func.vmap(torch.func.jacfwd(loss(f), argnums=(0, 1)), in_dims=(None, 0))(parameters, x))


def test_forward_mode_without_torch_func():
    layer, V, _ = make(CASES[0])
    x, t = torch.randn(2, 2, 4, dtype=torch.float64), torch.randn(2, 2, 4, dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        y = layer(torch.autograd.forward_ad.make_dual(x, t))
        tangent = torch.autograd.forward_ad.unpack_dual(y).tangent
    torch.testing.assert_close(tangent, dense(layer, t)[0])


# --- State -----------------------------------------------------------------------------------------------------------------


def test_state_is_theta_bias_and_digest():
    layer, V, _ = make(CASES[0])
    state = layer.state_dict()
    assert list(state) == ["theta", "bias", "_extra_state"]
    assert (
        state["_extra_state"].dtype == torch.uint8 and bytes(state["_extra_state"].tolist()).hex() == layer.table.sha256
    )
    assert list(layer.eval().state_dict()) == list(state) and not list(layer.buffers())
    other = Linear(V, V, 2, 3, dtype=torch.float64)
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    x = torch.randn(2, 2, 4, dtype=torch.float64)
    assert torch.equal(other(x), layer(x))


def test_a_checkpoint_of_another_table_is_refused_before_anything_is_overwritten():
    layer, *_ = make(("C4", "regular", "regular", 2, 3))
    D4, *_ = make(("D2", "regular", "regular", 2, 3))
    assert D4.theta.shape == layer.theta.shape
    before = D4.theta.detach().clone()
    with pytest.raises(VerificationError, match="build the layer from the representations"):
        D4.load_state_dict(layer.state_dict())
    assert torch.equal(before, D4.theta)
    with pytest.raises(VerificationError, match="0.theta"):
        torch.nn.Sequential(D4).load_state_dict(torch.nn.Sequential(layer).state_dict())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("case", [CASES[0], CASES[3]], ids=["tied", "sparse"])
def test_copies_train_alike(copied, case):
    layer, V, _ = make(case)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    x = torch.randn(8, case[3], V.dimension, dtype=torch.float64)

    def steps(module, optimiser):
        for _ in range(3):
            optimiser.zero_grad()
            (module(x) ** 2 - x.mean()).sum().backward()
            optimiser.step()

    steps(layer, optimiser)
    twin = copied(layer)
    other = torch.optim.Adam(twin.parameters(), lr=0.1)
    other.load_state_dict(copy.deepcopy(optimiser.state_dict()))
    steps(layer, optimiser)
    steps(twin, other)
    assert torch.equal(layer.theta, twin.theta) and torch.equal(layer.bias, twin.bias)


def test_from_table_and_from_file(tmp_path):
    from intertwine import load_table

    layer, V, U = make(CASES[1])
    path = tmp_path / "table.safetensors"
    layer.table.save(path)
    other = Linear.from_table(load_table(path), 2, 3, dtype=torch.float64)
    other.load_state_dict(layer.state_dict())
    x = torch.randn(2, 2, V.dimension, dtype=torch.float64)
    assert torch.equal(other(x), layer(x))
    assert "perm" in repr(other)


@every_case
def test_fold_and_from_dense(case):
    layer, V, U = make(case)
    folded = layer.fold()
    x = torch.randn(3, case[3], V.dimension, dtype=torch.float64)
    torch.testing.assert_close(folded(x.flatten(-2)), layer(x).flatten(-2))
    back, residual = Linear.from_dense(folded, V, U, case[3], case[4])
    assert residual < 1e-12
    torch.testing.assert_close(back.theta, layer.theta)
    torch.testing.assert_close(back.bias, layer.bias)
    wrong = torch.nn.Linear(case[3] * V.dimension, case[4] * U.dimension, dtype=torch.float64)
    nearest, residual = Linear.from_dense(wrong, V, U, case[3], case[4])
    W = (
        (V >> U).symmetrize(wrong.weight.detach().numpy())
        if case[3:] == (1, 1) and V.dimension == nearest.table.cols
        else None
    )
    if W is not None:
        torch.testing.assert_close(nearest.weight(), torch.from_numpy(W))
    size = torch.cat((wrong.weight.flatten(), wrong.bias))
    gone = size - torch.cat((nearest.weight().flatten(), nearest.bias_vector()))
    assert residual == pytest.approx(float((gone.norm() / size.norm()).detach()), rel=1e-9)


def test_initial_variance():
    for case in [
        ("S4", "perm^2", "perm^2", 16, 8),
        ("S4", "std", "perm", 4, 4),
        ("D4", "perm + 2*sign", "regular", 16, 16),
    ]:
        layer, V, U = make(case, dtype=torch.float32)
        values = []
        for gain in (1.0, 1.0, 1.0, 1.0, 2.0):
            layer.reset_parameters(gain)
            values.append(float(layer(torch.randn(500, case[3], V.dimension)).var() / gain**2))
        assert sum(values) / 5 == pytest.approx(1, rel=0.35)
        assert not layer.bias.any()
    generator = torch.Generator().manual_seed(5)
    layer.reset_parameters(generator=generator)
    first = layer.theta.detach().clone()
    layer.reset_parameters(generator=generator.manual_seed(5))
    assert torch.equal(first, layer.theta)


def test_impose():
    V, U = representations("S4", "perm", "perm")
    linear = torch.nn.Linear(8, 12, dtype=torch.float64)
    nearest, _ = Linear.from_dense(linear, V, U, 2, 3)
    same = impose(linear, V, U)
    assert same is linear
    torch.testing.assert_close(linear.weight, nearest.weight())
    optimiser = torch.optim.SGD(linear.parameters(), lr=0.1)
    x = torch.randn(7, 8, dtype=torch.float64)
    for _ in range(3):
        optimiser.zero_grad()
        (linear(x) - x.sum()).pow(2).mean().backward()
        optimiser.step()
    f = lambda x: linear(x.flatten(-2)).unflatten(-1, (3, 4))  # noqa: E731
    assert check_equivariance(f, V, U, 2)
    twin = pickle.loads(pickle.dumps(copy.deepcopy(linear).state_dict()))
    assert set(twin) == {"parametrizations.weight.original", "parametrizations.bias.original"}
    torch.nn.utils.parametrize.remove_parametrizations(linear, "weight")
    assert type(linear.weight) is torch.nn.Parameter
    with pytest.raises(DomainError, match="multiples of dim V = 4"):
        impose(torch.nn.Linear(7, 12), V, U)


# --- Numbers, shapes, devices ----------------------------------------------------------------------------------------------


def test_strange_layouts_give_the_same():
    layer, V, _ = make(CASES[1])
    N = V.dimension
    shapes = [
        torch.randn(N, 2, 5, dtype=torch.float64).permute(2, 1, 0),
        torch.randn(2, 1, dtype=torch.float64).expand(5, 2, N),
        torch.randn(10, 2, 2 * N, dtype=torch.float64)[::2, :, ::2],
        torch.complex(torch.zeros(5, 2, N, dtype=torch.float64), torch.randn(5, 2, N, dtype=torch.float64)).conj().imag,
        torch.randn(1, N, dtype=torch.float64).expand(2, N),
        torch.randn(3, 0, 2, N, dtype=torch.float64),
        torch.randn(0, 2, N, dtype=torch.float64),
    ]
    for x in shapes:
        x = x.requires_grad_()
        plain = x.detach().resolve_neg().contiguous().requires_grad_()
        y, z = layer(x), layer(plain)
        assert y.shape == (*x.shape[:-2], 3, 8)
        torch.testing.assert_close(y, z)
        ours = torch.autograd.grad(y.sum(), [x, layer.theta, layer.bias])  # a gradient of stride 0
        g = torch.ones_like(z)
        theirs = torch.autograd.grad(
            dense(layer, plain)[0] + layer.bias_vector().reshape(3, -1), [plain, layer.theta, layer.bias], g
        )
        torch.testing.assert_close(ours, theirs)


def test_meta_and_fake_tensors():
    from torch._subclasses import FakeTensorMode

    layer, V, _ = make(CASES[1], device="meta")
    y = layer(torch.empty(7, 2, V.dimension, device="meta", dtype=torch.float64))
    assert y.shape == (7, 3, 8) and y.is_meta
    layer.to_empty(device="cpu").reset_parameters()
    real, *_ = make(CASES[1])
    with FakeTensorMode() as mode:
        x = mode.from_tensor(torch.randn(7, 2, V.dimension, dtype=torch.float64, requires_grad=True))
        fake = {k: mode.from_tensor(v) for k, v in real.named_parameters()}
        assert torch.func.functional_call(real, fake, (x,)).shape == (7, 3, 8)
        made = Linear(*representations(*CASES[1][:3]), 2, 3, dtype=torch.float64)
        assert made(x).shape == (7, 3, 8)
    real(torch.randn(7, 2, V.dimension, dtype=torch.float64))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_sixteen_bits(dtype):
    layer, V, _ = make(CASES[0], dtype=dtype)
    x = torch.randn(3, 2, 4, dtype=dtype, requires_grad=True)
    wide = copy.deepcopy(layer).double()
    y = layer(x)
    assert y.dtype == dtype
    torch.testing.assert_close(y.double(), wide(x.double()), rtol=2e-2, atol=2e-2)
    y.sum().backward()
    wide(x.detach().double()).sum().backward()
    torch.testing.assert_close(layer.theta.grad.double(), wide.theta.grad, rtol=5e-2, atol=5e-2)


def test_overflow_of_float16_is_an_infinity():
    layer, *_ = make(CASES[0], dtype=torch.float16)
    p = layer._weights.on(torch.device("cpu"))
    theta = torch.full((2, 3, 2), 1.0, dtype=torch.float16, requires_grad=True)
    W = _ops.materialise(theta, p)
    (g,) = torch.autograd.grad(W, theta, torch.full_like(W, 30000.0))
    # 4 entries on the diagonal, 12 beside it: both sums are beyond 65504.
    assert torch.isposinf(g).all()
    big = torch.zeros_like(W)
    big[0, 0], big[1, 1], big[2, 2] = 60000.0, 60000.0, -60000.0  # summed in float32, no infinity on the way
    (g,) = torch.autograd.grad(_ops.materialise(theta, p), theta, big)
    assert g[torch.isfinite(g)].numel() == g.numel() and g.abs().max() == 60000


@pytest.mark.parametrize("case", CASES[:-1], ids=NAMES[:-1])  # of identities nobody writes W down
def test_the_order_of_large_weights_on_a_gpu(case, monkeypatch):
    """W with the channels of a site next to each other: the same products, here by autocast, which writes W down on the
    CPU too."""
    layer, V, _ = make(case, dtype=torch.float32)
    x = torch.randn(2, 5, case[3], V.dimension, requires_grad=True)

    def results():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = layer(x)
        return y, *torch.autograd.grad(y.float().square().sum(), [x, *layer.parameters()])

    expected = results()
    calls = []
    monkeypatch.setattr(_linear, "_in_runs", lambda *_: calls.append(0) or True)
    found = results()
    assert calls and found[0].is_contiguous()
    torch.testing.assert_close(found, expected, rtol=5e-2, atol=5e-2)


def test_autocast():
    layer, V, _ = make(CASES[1], dtype=torch.float32)
    x = torch.randn(16, 2, V.dimension)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = layer(layer_input := x)
        assert y.dtype == torch.bfloat16 and layer_input.dtype == torch.float32
        loss = y.float().pow(2).sum()
    loss.backward()
    assert layer.theta.grad.dtype == torch.float32
    torch.testing.assert_close(y.float(), layer(x), rtol=5e-2, atol=5e-2)


def test_autocast_changes_no_complex_numbers():
    layer = Linear(V := Group("S4").rep("perm"), V)
    with (
        torch.autocast("cpu"),
        pytest.raises(
            DomainError, match=r"the input is torch.complex64 and the layer torch.float32: convert one, x.to\(...\)"
        ),
    ):
        layer(torch.zeros(2, 1, 4, dtype=torch.complex64))


def test_threads_change_no_bit():
    layer, V, _ = make(("A5", "regular", "regular", 3, 4), dtype=torch.float32)
    x = torch.randn(1024, 3, 60, requires_grad=True)
    results, threads = [], torch.get_num_threads()
    try:
        for n in (1, 2, 3):
            torch.set_num_threads(n)
            y = layer(x)
            results.append((y, *torch.autograd.grad(y.pow(2).sum(), [x, layer.theta, layer.bias])))
    finally:
        torch.set_num_threads(threads)
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other))


def test_small_products_run_on_one_thread():
    G = Group("D4")
    small = Linear(G.rep("perm"), G.rep("perm"), 4, 4)._weights.plan
    G = Group("p4m(32,32)")
    large = Linear(G.rep("perm"), G.rep("perm"), 8, 8)._weights.plan
    for number in (0, 1):
        assert [small.threads(number, 4, n) for n in (1, 2, 8)] == [1, 1, 1]
        assert [large.threads(number, 64, n) for n in (1, 2, 8)] == [1, 2, 8]
        assert small.threads(number, 10**8, 2) == 2
        assert small.threads(number, 4, 2, gradients=True) == 1 and large.threads(number, 64, 2, gradients=True) == 2
    with pytest.raises(DomainError, match="float32 and float64"):
        small.threads(2, 1, 1)


def test_parameters_on_other_strides_and_frozen_ones():
    layer, V, _ = make(CASES[0])
    x = torch.randn(4, 2, 4, dtype=torch.float64, requires_grad=True)
    y = layer(x)
    theta = layer.theta.detach().permute(2, 1, 0).contiguous().permute(2, 1, 0).requires_grad_()
    torch.testing.assert_close(_linear.linear(x, theta, layer.bias, layer._weights), y)
    for frozen in (("theta",), ("bias",), ("theta", "bias")):
        twin = copy.deepcopy(layer)
        for name in frozen:
            getattr(twin, name).requires_grad_(False)
        twin(x).sum().backward()
        assert all((getattr(twin, n).grad is None) == (n in frozen) for n in ("theta", "bias"))
    layer.requires_grad_(False)
    assert not layer(x.detach()).requires_grad
    with torch.inference_mode():
        torch.testing.assert_close(layer(x.detach()), y)


def test_bad_input_is_one_exception_each():
    layer, V, U = make(CASES[0])
    x = torch.randn(5, 2, 4, dtype=torch.float64)
    for bad, words in [
        (x[..., :3], r"takes \[..., 2, 4\]"),
        (x[:, :1], r"takes \[..., 2, 4\]"),
        (x[0, 0], r"takes \[..., 2, 4\]"),
        (x.float(), "float32 and the layer torch.float64"),
        (x.long(), "int64"),
        (x.to("meta"), "on meta and the layer on cpu"),
    ]:
        with pytest.raises(DomainError, match=words):
            layer(bad)
    with pytest.raises(DomainError, match="in_channels is a positive integer"):
        Linear(V, U, 0)
    with pytest.raises(DomainError, match="floating-point"):
        Linear(V, U, dtype=torch.int32)
    with pytest.raises(DomainError, match="need \\[12, 8\\]"):
        Linear.from_dense(torch.nn.Linear(8, 8), V, U, 2, 3)
    with pytest.raises(Exception, match="group"):
        Linear(V, representations("D4", "perm", "perm")[0])


def test_wrong_operands_never_reach_a_kernel():
    layer, V, _ = make(CASES[0])
    x = torch.randn(5, 2, 4, dtype=torch.float64)
    good = dict(layer.named_parameters())
    for wrong, words in [
        ({"theta": torch.zeros(2, 2, 2, dtype=torch.float64)}, r"theta has the shape \[2, 2, 2\] where \[2, 3, 2\]"),
        ({"bias": torch.zeros(1, 2, dtype=torch.float64)}, "bias has the shape"),
        ({"bias": torch.zeros(1, 3)}, "one dtype and device"),
    ]:
        with pytest.raises(DomainError, match=words):
            torch.func.functional_call(layer, good | wrong, (x,))
    p = layer._weights.on(torch.device("cpu"))
    op, theta, dy = torch.ops.intertwine, layer.theta, torch.zeros(5, 3, 4, dtype=torch.float64)
    for call in (
        lambda: op.apply(x[..., :3], theta, *p),
        lambda: op.apply(x, theta[:1], *p),
        lambda: op.apply(x.float(), theta, *p),
        lambda: op.apply_t(dy[:, :2], theta, *p),
        lambda: op.outer(x, dy[:4], *p),
        lambda: op.reduce(torch.zeros(11, 8, dtype=torch.float64), *p),
        lambda: op.materialise(theta[:1], *p),
        lambda: op.apply(x, theta, *p._replace(sizes=[8, 4, 2, 1])),
    ):
        with pytest.raises(DomainError):
            call()


def test_import_intertwine_leaves_torch_alone():
    import subprocess
    import sys

    subprocess.run([sys.executable, "-c", "import intertwine, sys; assert 'torch' not in sys.modules"], check=True)


@pytest.mark.parametrize(
    "V",
    [
        "2*perm + 2*sign",
        "2*(perm + sign) + trivial",
        "2*(perm + sign)",
        "3*(2*(perm + sign) + std)",
        "4*std + 2*trivial",
    ],
)
def test_sums_of_multiples_keep_the_order_of_their_coordinates(V):
    """Tables have sites and channels in an order of their own; inputs, outputs and weights are in that of the matrices
    of V."""
    V, U = representations("S4", V, "2*perm + 4*trivial")
    for source, target in ((V, U), (U, V), (V, V)):
        layer = Linear(source, target, 2, 3, dtype=torch.float64)
        torch.nn.init.normal_(layer.bias)
        assert check_equivariance(layer, source, target)
        back, residual = Linear.from_dense(layer.fold(), source, target, 2, 3)
        assert residual < 1e-12
        W = Linear(source, target, dtype=torch.float64).weight().detach().numpy()
        for g in V.group.generators:  # as matrices, by the definition
            rho, sigma = (numpy.asarray(R.matrix(g), dtype=float) for R in (source, target))
            assert abs(W @ rho - sigma @ W).max() < 1e-12
        assert layer.theta.numel() == 6 * (source >> target).dimension


def test_tables_whose_arrays_are_the_same():
    # The identity of a 2-dimensional representation, and the same entries in a larger matrix: one digest, two layers.
    G = Group("D5")
    a, b = G.rep("irrep(3)"), G.rep("irrep(3) + irrep(4)")
    assert (a >> a).table().sha256 == (a >> b).table().sha256
    layers = [Linear(a, a), Linear(a, b), Linear(b, a), Linear(G.rep("irrep(4)"), G.rep("irrep(2)"))]
    x = torch.randn(3, 1, 2)
    assert [layer(x).shape[-1] for layer in (layers[0], layers[1], layers[3])] == [2, 4, 1]
    assert layers[2](torch.randn(3, 1, 4)).shape[-1] == 2
    with torch.no_grad():
        layers[1].theta.fill_(2.0)
    torch.testing.assert_close(layers[1](x), torch.nn.functional.pad(2 * x, (0, 2)))


def test_codes_that_numpy_does_not_hand_over_are_copied():
    """NumPy before 2 refuses arrays that may not be written."""

    class Before2(numpy.ndarray):
        def __dlpack__(self, **options):
            raise BufferError("Cannot export readonly array since signalling readonly is unsupported by DLPack.")

    codes = numpy.arange(6, dtype=numpy.int32).reshape(2, 3)
    assert _tables._view(codes).data_ptr() == codes.ctypes.data
    seen = _tables._view(codes.view(Before2))
    assert seen.tolist() == codes.tolist() and seen.data_ptr() != codes.ctypes.data
