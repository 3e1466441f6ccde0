"""The kernels for GPUs: on tensors of the CPU by Triton's interpreter (TRITON_INTERPRET=1 from the start), without that
on a GPU. test_nn_triton.py runs this file.

The interpreter rounds float32 to bfloat16 towards zero, a GPU to the nearest: tolerances for bfloat16 are those of one
unit in the last place.
"""

import contextlib
import itertools
import os

import pytest
import torch
from intertwine import Group
from intertwine.nn import Conv2d, Linear, Tensors, _linear, _ops, _plain, _triton
from layers_for_tests import CASES

DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"
interpreted = pytest.mark.skipif(DEVICE == "cuda", reason="on a GPU layers are tested as they are, in test_nn_gpu.py")
DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
UNIT = {torch.float64: 2.0**-52, torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
# M, N, P, type of the codes, out, in, batch: no multiples of any tile, one of everything, segments of thousands of
# entries, parameters without entries.
SHAPES = [
    (1, 1, 1, torch.uint8, 1, 1, 1),
    (7, 5, 3, torch.uint8, 3, 2, 5),
    (33, 65, 31, torch.uint8, 1, 2, 3),
    (40, 37, 2, torch.uint8, 1, 1, 3),
    (13, 11, 130, torch.uint16, 1, 2, 2),
    (12, 13, 127, torch.uint8, 1, 1, 2),
    (11, 9, 70000, torch.uint32, 1, 1, 2),
    (3, 2, 4, torch.uint8, 2, 33, 33),
]
# The interpreter is slow: everything in float32, some of it in the other types.
GRID = [
    (shape, dtype) for dtype in DTYPES for k, shape in enumerate(SHAPES) if dtype == torch.float32 or k in (1, 3, 7)
]


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    _triton._orders.clear()
    with torch.device(DEVICE) if DEVICE == "cuda" else contextlib.nullcontext():
        yield


def pattern(M, N, P, dtype):
    codes = torch.randint(0, 2 * P + 1, (M, N))
    codes[torch.rand(M, N) < 0.2] = 0
    codes.view(-1)[-1] = 2 * P
    bias = torch.zeros(M, dtype=dtype)
    return _ops.Pattern([codes.to(dtype), bias], [M, N, P, 0], "random", "torch")


def operands(shape, dtype):
    M, N, P, _, out, in_, batch = shape
    like = {"dtype": dtype}
    return (
        torch.randn(batch, in_, N).to(**like),
        torch.randn(batch, out, M).to(**like),
        torch.randn(P, out, in_).to(**like),
    )


def close(mine, exact, terms):
    """To rounding: sums of so many terms in float32, and one rounding to the type of the result."""
    assert mine.shape == exact.shape and torch.isfinite(mine).all()
    bound = UNIT[mine.dtype] * exact.abs() + 4 * (terms**0.5 + 2) * UNIT[
        torch.float32 if mine.dtype != torch.float64 else mine.dtype
    ] * (terms**0.5 + 1)
    assert ((mine.double() - exact).abs() <= bound).all(), float((mine.double() - exact).abs().max())


@pytest.mark.parametrize("shape, dtype", GRID)
def test_materialise_bit_by_bit(shape, dtype):
    p = pattern(*shape[:4])
    _, _, theta = operands(shape, dtype)
    W = _triton.materialise(theta, p.table[0], p.sizes)
    assert W.dtype == dtype
    assert torch.equal(W, _plain.materialise(theta, p))
    turned = theta.permute(0, 2, 1).contiguous().permute(0, 2, 1)
    assert torch.equal(_triton.materialise(turned, p.table[0], p.sizes), W)
    sites = _triton.materialise(theta, p.table[0], p.sizes, True)
    assert torch.equal(sites, _plain.materialise(theta, p._replace(sites_first=True)))
    assert torch.equal(_triton.materialise(turned, p.table[0], p.sizes, True), sites)
    (M, N), (out, in_) = p.sizes[:2], theta.shape[1:]
    assert torch.equal(sites.view(M, out, N, in_).permute(1, 0, 3, 2).reshape(W.shape), W)


@pytest.mark.parametrize("shape, dtype", GRID)
def test_reduce(shape, dtype):
    p = pattern(*shape[:4])
    M, N, P, _, out, in_, _ = shape
    dW = torch.randn(out * M, in_ * N).to(dtype)
    exact = _plain.reduce(dW.double(), p)
    sums = _triton.reduce(dW, p.table[0], p.sizes, "a")
    close(sums, exact, M * N / P + 1)
    assert torch.equal(_triton.reduce(dW, p.table[0], p.sizes, "a"), sums)  # sorted before
    assert torch.equal(_triton.reduce(dW, p.table[0], p.sizes, "b"), sums)  # sorted again
    assert torch.equal(_triton.reduce(dW.t().contiguous().t(), p.table[0], p.sizes, "a"), sums)  # another memory order
    turned = dW.view(out, M, in_, N).permute(1, 0, 3, 2)
    assert torch.equal(_plain.reduce(turned.reshape(dW.shape).double(), p._replace(sites_first=True)), exact)
    for memory in (turned.reshape(dW.shape), turned.permute(2, 3, 0, 1).reshape(in_ * N, out * M).t()):
        close(_triton.reduce(memory, p.table[0], p.sizes, "a", True), exact, M * N / P + 1)
        assert torch.equal(
            _triton.reduce(memory, p.table[0], p.sizes, "a", True),
            _triton.reduce(memory, p.table[0], p.sizes, "b", True),
        )
    ones = torch.ones((), dtype=dtype).expand(out * M, in_ * N)  # stride 0
    close(_triton.reduce(ones, p.table[0], p.sizes, "a"), _plain.reduce(ones.double(), p), M * N / P + 1)


@pytest.mark.parametrize("shape, dtype", [g for g in GRID if g[1] != torch.float64])
def test_products_that_look_up(shape, dtype):
    p = pattern(*shape[:4])
    M, N, P, _, out, in_, batch = shape
    x, dy, theta = operands(shape, dtype)
    for f, plain, given, terms in (
        (_triton.apply, _plain.apply, x, in_ * N),
        (_triton.apply_t, _plain.apply_t, dy, out * M),
    ):
        y = f(given, theta, p.table[0], p.sizes)
        assert y.dtype == dtype
        close(y, plain(given.double(), theta.double(), p), terms)
        assert torch.equal(f(given, theta, p.table[0], p.sizes), y)
        turned = given.permute(2, 0, 1).contiguous().permute(1, 2, 0)
        assert torch.equal(f(turned, theta, p.table[0], p.sizes), y)
        assert f(given[:0], theta, p.table[0], p.sizes).shape == (0, *y.shape[1:])
        repeated = given[:1].expand(batch, -1, -1)
        assert torch.equal(
            f(repeated, theta, p.table[0], p.sizes), f(repeated.contiguous(), theta, p.table[0], p.sizes)
        )


@pytest.mark.parametrize("shape, dtype", [g for g in GRID if g[1] != torch.float64])
def test_outer(shape, dtype):
    p = pattern(*shape[:4])
    M, N, P, _, out, in_, batch = shape
    if P > 10000:  # the interpreter takes every piece in turn
        P = 40
        p = pattern(M, N, P, torch.uint32)
    x, dy, _ = operands(shape, dtype)
    dtheta = _triton.outer(x, dy, p.table[0], p.sizes, "a")
    assert dtheta.dtype == dtype
    close(dtheta, _plain.outer(x.double(), dy.double(), p), batch * (M * N / P + 1))
    assert torch.equal(_triton.outer(x, dy, p.table[0], p.sizes, "a"), dtheta)
    turned = dy.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    assert torch.equal(_triton.outer(x, turned, p.table[0], p.sizes, "b"), dtheta)
    empty = _triton.outer(x[:0], dy[:0], p.table[0], p.sizes, "a")
    assert empty.shape == dtheta.shape and not empty.any()


def test_not_a_number_stays_in_its_bin():
    p = pattern(9, 9, 4, torch.uint8)
    dW = torch.randn(9, 9)
    dW[p.table[0] == 0] = float("nan")
    assert torch.isfinite(_triton.reduce(dW, p.table[0], p.sizes, "a")).all()
    dW[p.table[0] == 2] = float("nan")
    sums = _triton.reduce(dW, p.table[0], p.sizes, "a").reshape(-1)
    assert sums.isnan().tolist() == [False, True, False, False]


def test_codes_beyond_the_table_are_read_as_zero():
    p = pattern(6, 6, 3, torch.uint8)
    theta, x = torch.randn(3, 1, 1), torch.randn(2, 1, 6)
    damaged, zeroed = p.table[0].clone(), p.table[0].clone()
    damaged[2, 3], zeroed[2, 3] = 200, 0
    assert torch.equal(_triton.materialise(theta, damaged, p.sizes), _triton.materialise(theta, zeroed, p.sizes))
    assert torch.equal(_triton.apply(x, theta, damaged, p.sizes), _triton.apply(x, theta, zeroed, p.sizes))
    assert torch.equal(
        _triton.reduce(torch.randn(1, 1).expand(6, 6), damaged, p.sizes, "a")[0, 0, 0] * 0, torch.tensor(0.0)
    )


def test_no_parameters():
    p = _ops.Pattern([torch.zeros(3, 4, dtype=torch.uint8)], [3, 4, 0, 0], "none", "torch")
    assert not _triton.materialise(torch.empty(0, 2, 2), p.table[0], p.sizes).any()
    assert not _triton.apply(torch.randn(5, 2, 4), torch.empty(0, 2, 2), p.table[0], p.sizes).any()
    assert _triton.reduce(torch.randn(6, 8), p.table[0], p.sizes, "none").shape == (0, 2, 2)
    assert _triton.outer(torch.randn(5, 2, 4), torch.randn(5, 2, 3), p.table[0], p.sizes, "none").shape == (0, 2, 2)


# --- Sums of diagrams -------------------------------------------------------------------------------------------------------

# b, channels and the lengths of axes; large parts as the orders of the axes of views; small ones as the axis that each
# dimension stands for, and axes that agree with one before.
SUMS = [
    ((1, 1, 1), [(0,)], []),
    ((2, 3, 5), [], [((0,), {}), ((), {})]),
    ((2, 3, 300), [(0,)], [((), {})]),
    ((2, 2, 4, 4), [(0, 1), (1, 0)], [((0,), {}), ((1,), {}), ((), {}), ((0,), {1: 0}), ((), {1: 0})]),
    ((1, 2, 3, 70), [(0, 1)], [((1,), {}), ((0,), {}), ((1, 0), {})]),
    (
        (2, 1, 3, 3, 3),
        [(2, 0, 1)],
        [((0, 2), {}), ((1,), {2: 1}), ((0,), {1: 0, 2: 0}), ((0, 1), {2: 0}), ((), {1: 0, 2: 0})],
    ),
    ((1, 1, 2, 5, 2, 5), [(0, 3, 2, 1)], [((1, 0), {2: 0, 3: 1})]),
]


def parts_of(shape, large, small, dtype):
    lead, lengths = shape[:2], shape[2:]
    rank = len(lengths)
    memory = torch.randn(lead[0], max(1, len(large)), *lead[1:], *lengths).to(dtype)  # the views of one array
    pieces = []
    for k, order in enumerate(large):
        view = memory[:, k].reshape(*lead, *(lengths[a] for a in order)) if len(large) == 1 else memory[:, k]
        dimension = tuple(2 + order.index(axis) for axis in range(rank))
        pieces.append((view, dimension, (-1,) * rank))
    rest = []
    for axes, same in small:
        t = torch.randn(*lead, *(lengths[a] for a in axes)).to(dtype)
        rest.append(
            (
                t,
                tuple(2 + axes.index(a) if a in axes else -1 for a in range(rank)),
                tuple(same.get(a, -1) for a in range(rank)),
            )
        )
    return pieces, rest


def by_loops(pieces, rest, shape):
    y = torch.zeros(shape, dtype=torch.float64)
    for at in itertools.product(*map(range, shape[2:])):
        for t, dimension, same in (*pieces, *rest):
            if all(other < 0 or at[axis] == at[other] for axis, other in enumerate(same)):
                index = [0] * (t.dim() - 2)
                for axis, d in enumerate(dimension):
                    if d >= 0:
                        index[d - 2] = at[axis]
                y[(slice(None), slice(None), *at)] += t[(slice(None), slice(None), *index)].double()
    return y


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape, large, small", SUMS)
def test_sums_of_diagrams(shape, large, small, dtype):
    pieces, rest = parts_of(shape, large, small, dtype)
    like = torch.empty(0, dtype=dtype)
    y = _triton.add_up(pieces, rest, shape, like)
    assert y.dtype == dtype and y.is_contiguous()
    close(y, by_loops(pieces, rest, shape), 4)
    assert torch.equal(_triton.add_up(pieces, rest, shape, like), y)
    turned = [(t.transpose(0, 1).contiguous().transpose(0, 1), *places) for t, *places in rest]
    assert torch.equal(_triton.add_up(pieces, turned, shape, like), y)
    assert _triton.add_up([], [], shape, like).shape == shape and not _triton.add_up([], [], shape, like).any()
    assert (
        _triton.add_up(
            [(t[:0], *places) for t, *places in pieces],
            [(t[:0], *places) for t, *places in rest],
            (0, *shape[1:]),
            like,
        ).shape[0]
        == 0
    )


def test_tables_of_sums_are_kept_and_no_more_than_some():
    _triton._tables.clear()
    one = _triton._table((1, 2), torch.device(DEVICE))
    assert _triton._table((1, 2), torch.device(DEVICE)) is one and one.tolist() == [1, 2]
    for k in range(300):
        _triton._table((k,), torch.device("cpu"))
    assert len(_triton._tables) == 256


# --- As the operators of layers ----------------------------------------------------------------------------------------------


@pytest.fixture
def on_cpu(monkeypatch):
    """Tensors of the CPU are taken for those of a GPU; counts the calls."""
    monkeypatch.setattr(_ops, "_TRITON", ("cpu",))
    calls = dict.fromkeys(_triton.__all__, 0)
    for name in calls:

        def counted(*arguments, _f=getattr(_triton, name), _name=name):
            calls[_name] += 1
            return _f(*arguments)

        monkeypatch.setattr(_triton, name, counted)
    return calls


TIED = [case for case in CASES if case[:2] != ("A5", "regular") and "std" not in case[1:3]]


@interpreted
@pytest.mark.parametrize("case", TIED[:3])
def test_against_the_kernels_of_the_library(case, monkeypatch):
    G = Group(case[0])
    layer = Linear(G.rep(case[1]), G.rep(case[2]), case[3], case[4])
    p = layer._weights.on(torch.device("cpu"))
    out, in_ = layer._weights.theta_shape[1:]
    x, dy = torch.randn(5, in_, p.sizes[1]), torch.randn(5, out, p.sizes[0])
    theta = layer.theta.detach()
    W = _ops._materialise(theta, p)
    library = _ops._apply(x, theta, p), _ops._apply_t(dy, theta, p), _ops._outer(x, dy, p), _ops._reduce(W, p)
    monkeypatch.setattr(_ops, "_TRITON", ("cpu",))
    p = p._replace(mode="lookup")
    assert _ops.who(p, theta) == "triton"
    assert torch.equal(_ops._materialise(theta, p), W)
    torch.testing.assert_close(
        (_ops._apply(x, theta, p), _ops._apply_t(dy, theta, p), _ops._outer(x, dy, p), _ops._reduce(W, p)), library
    )


@interpreted
def test_who_computes(on_cpu, monkeypatch):
    p = pattern(3, 4, 2, torch.uint8)
    x, dy, theta = operands((3, 4, 2, None, 2, 2, 50), torch.float32)
    assert _ops.who(p, theta) == "torch"
    automatic = p._replace(mode="automatic")
    assert (
        _ops.who(automatic, theta) == "triton"
        and _ops.who(automatic._replace(table=[*p.table, p.table[0], p.table[0]]), theta) == "library"
    )
    _ops._apply(x, theta, automatic)
    assert (on_cpu["apply"], on_cpu["materialise"]) == (0, 1)  # W is written, whatever the batch
    monkeypatch.setattr(_ops, "_LARGE", 4 * 6 * 8 - 1)
    _ops._apply(x, theta, automatic)
    assert (on_cpu["apply"], on_cpu["materialise"]) == (1, 1)  # too large a W
    _ops._apply(x, theta, p._replace(mode="dense"))
    _ops._apply(x.double(), theta.double(), automatic)
    monkeypatch.undo()
    monkeypatch.setattr(_ops, "_TRITON", ("cpu",))
    _ops._apply(x, theta, p._replace(mode="lookup"))
    _ops._outer(x, dy, p._replace(mode="lookup"))  # few channels: by dW
    wide = torch.randn(2, 16, 4), torch.randn(2, 16, 3)
    _ops._outer(*wide, automatic)
    assert on_cpu["outer"] == 0
    calls, outer = [], _triton.outer
    monkeypatch.setattr(_triton, "outer", lambda *arguments: calls.append(0) or outer(*arguments))
    _ops._outer(*wide, p._replace(mode="lookup"))
    assert len(calls) == 1
    with pytest.raises(ValueError, match="one dtype and device"):
        _ops._apply(x.double(), theta, automatic)


def layers():
    G = Group("D4")
    V, U = G.rep("perm + sign + sign"), G.rep("regular")
    layer, x = Linear(V, U, 16, 17, mode="lookup"), torch.randn(4, 16, V.dimension, requires_grad=True)
    torch.nn.init.normal_(layer.bias)
    return layer, x


def outputs(f, layer, x):
    y = f(x)
    return y, *torch.autograd.grad(y.pow(2).sum(), [x, *layer.parameters()])


@interpreted
def test_compile_and_export_call_the_kernels(on_cpu):
    layer, x = layers()
    expected = outputs(layer, layer, x)  # eager float32 on the CPU is the library, whatever the devices of Triton
    assert not any(on_cpu.values())
    compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")
    torch.testing.assert_close(outputs(compiled, layer, x), expected)
    assert on_cpu["apply"] and on_cpu["apply_t"] and on_cpu["outer"]
    before = on_cpu["apply"]
    program = torch.export.export(layer, (x.detach(),), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.testing.assert_close(program.module()(x[:3]), layer(x[:3]))
    assert on_cpu["apply"] == before + 1


@interpreted
def test_transformations_call_the_kernels(on_cpu):
    layer, x = layers()
    p = layer._weights.on(torch.device("cpu"))
    x3, theta = x.detach(), layer.theta.detach()
    plain = lambda x, theta: _plain.apply(x, theta, p)  # noqa: E731
    ours = lambda x, theta: _ops._FULL["apply"](x, theta, p)  # noqa: E731
    batch = torch.randn(3, *theta.shape)
    for f in (
        lambda product: torch.func.grad(lambda t: product(x3, t).tanh().pow(2).sum())(theta),
        lambda product: torch.func.vmap(lambda t: product(x3, t))(batch),
        lambda product: torch.func.jvp(lambda t: product(x3, t), (theta,), (torch.ones_like(theta),))[1],
        lambda product: torch.func.vmap(torch.func.grad(lambda t: product(x3, t).tanh().sum()))(batch),
    ):
        expected = f(plain)
        assert expected.abs().max() > 0
        torch.testing.assert_close(f(ours), expected)
    assert on_cpu["apply"] and on_cpu["outer"]


@interpreted
@pytest.mark.parametrize("U", ["regular", "perm + sign"])
@pytest.mark.parametrize("runs", [False, True])
def test_products_by_weights(runs, U, on_cpu):
    layer = Linear(Group("D4").rep("perm + sign + sign"), Group("D4").rep(U), 2, 3, dtype=torch.float64)
    torch.nn.init.normal_(layer.bias)
    x = torch.randn(2, 1, 2, layer.table.cols, dtype=torch.float64, requires_grad=True)
    f = lambda x, theta, bias: _linear._LinearByWeights.apply(x, theta, bias, layer._weights, runs)  # noqa: E731
    y, expected = f(x, layer.theta, layer.bias), layer(x)
    assert y.is_contiguous() and on_cpu["materialise"] == 1
    torch.testing.assert_close(y, expected)
    given = torch.randn_like(y).transpose(-1, -2).contiguous().transpose(-1, -2)
    operands = [x, layer.theta, layer.bias]
    torch.testing.assert_close(torch.autograd.grad(y, operands, given), torch.autograd.grad(expected, operands, given))
    assert on_cpu["reduce"] == 1
    torch.testing.assert_close(f(x, layer.theta, None), layer(x) - layer.bias_vector().view(3, -1))
    torch.testing.assert_close(f(x[0], layer.theta, layer.bias), y[0])
    assert f(x[:0], layer.theta, layer.bias).shape == (0, *y.shape[1:])
    assert torch.autograd.gradcheck(f, operands, fast_mode=True) and torch.autograd.gradgradcheck(
        f, operands, fast_mode=True
    )


@interpreted
def test_second_derivatives(on_cpu):
    layer = Linear(Group("S4").rep("perm"), Group("S4").rep("perm"), dtype=torch.float64)
    p = layer._weights.on(torch.device("cpu"))
    x, theta = torch.randn(2, 1, 4, dtype=torch.float64, requires_grad=True), layer.theta.detach().requires_grad_()
    f = lambda x, theta: _ops.door(x, theta)["apply"](x, theta, p)  # noqa: E731
    assert torch.autograd.gradcheck(f, (x, theta), fast_mode=True) and torch.autograd.gradgradcheck(
        f, (x, theta), fast_mode=True
    )
    assert on_cpu["materialise"] and on_cpu["reduce"] and not on_cpu["apply"]


@interpreted
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_layers_of_16_bits(dtype, on_cpu):
    layer, x = layers()
    expected = outputs(layer, layer, x)
    layer, x = layer.to(dtype), x.detach().to(dtype).requires_grad_()
    found = outputs(layer, layer, x)
    assert on_cpu["apply"] and on_cpu["outer"]
    for a, b in zip(found, expected):
        assert a.dtype == dtype and (a.float() - b).abs().max() <= 8 * UNIT[dtype] * b.abs().max()


@interpreted
def test_convolutions(on_cpu):
    G = Group("D4")
    layer = Conv2d(G.rep("trivial"), G.rep("regular"), 2, 3, 3, padding=1)
    x = torch.randn(2, 2, 1, 5, 5)
    found = torch.autograd.grad(layer(x).pow(2).sum(), [layer.theta])[0]
    assert on_cpu["materialise"] == 1 and on_cpu["reduce"] == 1
    folded = layer.fold()
    y = folded(x.flatten(1, 2)).unflatten(1, (3, 8))
    torch.testing.assert_close(layer(x), y)
    torch.testing.assert_close(
        found,
        _plain.reduce(torch.autograd.grad(y.pow(2).sum(), [folded.weight])[0].flatten(1), layer._weights.on(x.device)),
    )


# axes of x and of y, the group, sizes, calls of the kernel forth and back: none for scalars and for diagrams with a
# form.
DIAGRAMS = [
    ((1, 1), "S(n)", 5, 2),
    ((2, 2), "S(n)", 4, 2),
    ((2, 2), "S(n)", 1, 2),
    ((2, 0), "S(n)", 4, 1),
    ((0, 2), "S(n)", 3, 1),
    ((3, 2), "S(n)", 3, 2),
    (("ui", "ui"), "S(n)", {"u": 3, "i": 5}, 2),
    (("aab", "ba"), "S(n)", {"a": 3, "b": 2}, 2),
    ((2, 2), "B(n)", 4, 2),
    ((2, 2), "O(n)", 3, 2),
    ((2, 2), "Sp(n)", 4, 0),
    ((1, 2), "SO(3)", 3, 0),
]


@interpreted
@pytest.mark.parametrize("shape, group, n, count", DIAGRAMS)
def test_layers_of_diagrams(shape, group, n, count, on_cpu, monkeypatch):
    layer = Tensors(*shape, 2, 3, group=group, dtype=torch.float64)
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    lengths = [n[letter] if isinstance(n, dict) else n for letter in layer.axes[0]]
    x = torch.randn(2, 2, *lengths, dtype=torch.float64, requires_grad=True)
    found = []
    for devices in (("cpu",), ("cuda",)):
        monkeypatch.setattr(_ops, "_TRITON", devices)
        y = layer(x, n=n)
        weights = torch.linspace(-1, 1, y.numel(), dtype=y.dtype).view(y.shape)
        found.append((y, *torch.autograd.grad(y, [x, *layer.parameters()], weights)))
        assert on_cpu["add_up"] == count
    torch.testing.assert_close(*found)
    small, empty = layer.to(torch.bfloat16), x.detach().bfloat16()
    monkeypatch.setattr(_ops, "_TRITON", ("cpu",))
    assert (small(empty, n=n).double() - found[1][0]).norm() <= 0.05 * found[1][0].norm()
    assert small(empty[:0], n=n).shape == (0, *found[0][0].shape[1:])


@interpreted
def test_tables_by_diagrams(on_cpu):
    V, U = Group("S4").rep("perm^2"), Group("S4").rep("perm")
    layer, reference = (Linear(V, U, 2, 3, mode=mode) for mode in ("diagram", "torch"))
    reference.load_state_dict(layer.state_dict())
    x = torch.randn(3, 2, 16)
    torch.testing.assert_close(layer(x), reference(x))
    assert on_cpu["add_up"] == 1
