"""Every kind of layer on a GPU, against the same layer on the processor. Skipped where there is no GPU."""

import copy
import pickle

import pytest

from layers_for_tests import CASES, make, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import intertwine.nn as inn
import torch
from intertwine import Group, gsa
from intertwine.nn import Linear, _linear, _ops, encoding
from test_nn_modules import NETS, made

if not torch.cuda.is_available():
    pytest.skip("there is no GPU here", allow_module_level=True)

D4, S4 = Group("D4"), Group("S4")
R, PERM = D4.rep("regular"), S4.rep("perm")


# name: the module and its inputs.
ZOO = {
    "linear": lambda: (Linear(PERM, PERM, 2, 3), (torch.randn(5, 2, 4),)),
    "linear, large batch": lambda: (Linear(R, R, 4, 4), (torch.randn(300, 4, 8),)),
    "linear, lookup": lambda: (Linear(R, R, 17, 18, mode="lookup"), (torch.randn(9, 17, 8),)),
    "linear, torch": lambda: (Linear(R, R, 2, 2, mode="torch"), (torch.randn(9, 2, 8),)),
    "linear, isotypic": lambda: (Linear(R, R, 2, 2, mode="isotypic"), (torch.randn(9, 2, 8),)),
    "linear, sparse": lambda: (Linear(PERM, S4.rep("std"), 2, 2), (torch.randn(9, 2, 4),)),
    "linear, many parameters": lambda: (Linear(Group("C300").rep("regular"), Group("C300").rep("regular"), 2, 1), (torch.randn(9, 2, 300),)),
    "linear, diagram": lambda: (Linear(S4.rep("perm^2"), PERM, 2, 3, mode="diagram"), (torch.randn(5, 2, 16),)),
    "relaxed": lambda: (inn.RelaxedLinear(R, R, D4.subgroup(["(1,3)(2,4)"]), 2, 3), (torch.randn(5, 2, 8),)),
    "conv": lambda: (inn.Conv2d(R, R, 2, 3, 3, padding=1), (torch.randn(2, 2, 8, 6, 6),)),
    "group conv": lambda: (inn.GroupConv2d(D4, 2, 3, 3, padding=1), (torch.randn(2, 2, 8, 6, 6),)),
    "lifting": lambda: (inn.GroupConv2d(D4, 2, 3, 3, padding=1, lifting=True), (torch.randn(2, 2, 1, 6, 6),)),
    "sets": lambda: (inn.Sets(3, 4), (torch.randn(2, 3, 7),)),
    "graphs": lambda: (inn.Graphs(3, 4), (torch.randn(2, 3, 7, 7),)),
    "tensors": lambda: (inn.Tensors(2, 3, 3, 2), (torch.randn(2, 3, 5, 5),)),
    "bilinear": lambda: (inn.Bilinear(PERM, PERM, PERM, 2, 3, 2), (torch.randn(5, 2, 4), torch.randn(5, 3, 4))),
    "tensor product": lambda: (inn.TensorProduct(PERM, PERM, PERM, 3), (torch.randn(5, 3, 4), torch.randn(5, 3, 4))),
    "polynomial": lambda: (inn.PolynomialLayer(PERM, PERM, (1, 2), 2, 2), (torch.randn(5, 2, 4),)),
    "attention": lambda: (inn.MultiheadAttention(PERM, 8, 2), (torch.randn(2, 6, 8, 4),)),
    "rotary attention": lambda: (inn.MultiheadAttention(PERM, 8, 2, encoding=encoding.Rotary([1.0, 0.1], torch.arange(6.0))), (torch.randn(2, 6, 8, 4),)),
    "transformer": lambda: (inn.TransformerBlock(PERM, 8, 2, activation=torch.tanh), (torch.randn(2, 6, 8, 4),)),
    "layer norm": lambda: (inn.LayerNorm(S4.rep("perm + 2*std"), 3), (torch.randn(5, 3, 10),)),
    "batch norm": lambda: (inn.BatchNorm(S4.rep("perm + 2*std"), 3), (torch.randn(5, 3, 10),)),
    "sampled activation": lambda: (inn.SampledActivation(S4.rep("std"), torch.tanh), (torch.randn(5, 3, 3),)),
    "vectors": lambda: (NETS["vectors"][0]().eval(), (torch.randn(NETS["vectors"][1]),)),
    "images": lambda: (NETS["images"][0]().eval(), (torch.randn(NETS["images"][1]),)),
    "self-attention": lambda: (
        gsa.GroupSelfAttention(gsa.Affine("R4"), gsa.grid(5, 5), gsa.square(3), 3, 4, 2, head_channels=3), (torch.randn(2, 3, 4, 5, 5),)
    ),
}  # fmt: skip


def outputs(f, module, inputs):
    inputs = [x.detach().requires_grad_() for x in inputs]
    y = f(*inputs)
    weights = torch.linspace(-1, 1, y.numel(), device=y.device, dtype=torch.float64).view(y.shape).to(y.dtype)
    return y, *torch.autograd.grad((y * weights).sum(), [*inputs, *module.parameters()], materialize_grads=True)


def moved(values, *where):
    return [t.detach().to(*where) for t in values]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("name", ZOO)
def test_as_on_the_processor(name, dtype):
    module, inputs = ZOO[name]()
    module, inputs = module.to(dtype), moved(inputs, dtype)
    there = copy.deepcopy(module).to("cuda")
    found = outputs(there, there, moved(inputs, "cuda"))
    assert all(t.is_cuda for t in found)
    back = copy.deepcopy(there).cpu()
    torch.testing.assert_close(outputs(back, back, inputs), outputs(module, module, inputs))
    there.load_state_dict(module.state_dict())
    pickle.loads(pickle.dumps(there))(*moved(inputs, "cuda"))
    module, inputs = module.double(), moved(inputs, torch.float64)
    for a, b in zip(found, outputs(module, module, inputs), strict=True):
        exact, bound = b.detach(), 1e-11 if dtype == torch.float64 else 3e-5
        torch.testing.assert_close(
            a.detach().cpu().double(), exact, rtol=0, atol=bound * max([1.0, *exact.abs().flatten().tolist()])
        )


@pytest.mark.parametrize("name", [n for n in ZOO if n.startswith("linear")])
@pytest.mark.parametrize("compiled", [False, True])
def test_large_weights_in_runs(name, compiled, monkeypatch):
    module, inputs = ZOO[name]()
    module, inputs = module.to("cuda"), moved(inputs, "cuda")
    expected = outputs(module, module, inputs)
    monkeypatch.setattr(_linear, "_RUNS", 0)
    torch._dynamo.reset()
    f = torch.compile(module, fullgraph=True, dynamic=False) if compiled else module
    torch.testing.assert_close(outputs(f, module, inputs), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["linear", "linear, large batch", "linear, many parameters", "conv"])
def test_recorded_by_the_compiler(name):
    """mode="reduce-overhead": the compiler records CUDA graphs, and replays them with other numbers."""
    module, inputs = ZOO[name]()
    module, inputs = module.to("cuda"), moved(inputs, "cuda")
    compiled = torch.compile(module, fullgraph=True, dynamic=False, mode="reduce-overhead")
    _ops._triton()._orders.clear()  # as for a table that is new
    for _ in range(5):
        torch.compiler.cudagraph_mark_step_begin()
        other = [torch.randn_like(x) for x in inputs]
        found = [t.clone() for t in outputs(compiled, module, other)]
        torch.testing.assert_close(found, list(outputs(module, module, other)), rtol=1e-4, atol=1e-5)
        with torch.no_grad():
            module.theta.mul_(1.5)


@pytest.mark.parametrize("name", [n for n in ZOO if n not in ("vectors", "images")])
def test_compiled_whole(name):
    module, inputs = ZOO[name]()
    module, inputs = module.to("cuda"), moved(inputs, "cuda")
    compiled = torch.compile(module, fullgraph=True, dynamic=False)
    torch.testing.assert_close(outputs(compiled, module, inputs), outputs(module, module, inputs), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "name", ["linear", "linear, large batch", "linear, lookup", "conv", "graphs", "self-attention"]
)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast_and_16_bits(name, dtype):
    module, inputs = ZOO[name]()
    module, inputs = module.to("cuda"), moved(inputs, "cuda")
    expected = outputs(module, module, inputs)
    eps = torch.finfo(dtype).eps
    with torch.autocast("cuda", dtype):
        y = module(*inputs)
    assert (y.float() - expected[0]).abs().max() <= 16 * eps * expected[0].abs().max()
    if name == "self-attention":
        return
    assert y.dtype == dtype
    there = copy.deepcopy(module).to(dtype)
    for a, b in zip(outputs(there, there, moved(inputs, dtype)), expected):
        assert a.dtype == dtype and (a.float() - b).abs().max() <= 16 * eps * b.abs().max()


@pytest.mark.parametrize("name", ["linear", "linear, large batch", "linear, lookup", "linear, many parameters", "conv"])
def test_the_same_bits_twice_and_as_a_graph(name):
    module, inputs = ZOO[name]()
    module, inputs = module.to("cuda"), moved(inputs, "cuda")
    torch.nn.init.normal_(module.theta)
    theta = module.theta

    def step():
        y = module(*inputs)
        return y.detach(), torch.autograd.grad(y.square().sum(), [theta])[
            0
        ]  # a graph kept from another stream would tie a recording to that stream

    first, second = step(), step()
    assert all(torch.equal(a, b) for a, b in zip(first, second))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        recorded = step()
    with torch.no_grad():
        theta.mul_(2.0)
    graph.replay()
    for a, b in zip(recorded, step()):
        assert torch.equal(a, b)


@pytest.mark.parametrize("case", CASES)
def test_constructed_there(case):
    layer, V, _ = make(case, device="cuda", dtype=torch.float32)
    x = torch.randn(3, case[3], V.dimension, device="cuda")
    torch.testing.assert_close(layer(x).cpu(), copy.deepcopy(layer).cpu()(x.cpu()))


def test_transformations():
    layer = Linear(R, R, 2, 2).cuda()
    x, theta = torch.randn(4, 2, 8, device="cuda"), layer.theta.detach()

    def f(t):
        return torch.func.functional_call(layer, {"theta": t}, (x,)).tanh().square().sum()

    grad = torch.func.grad(f)(theta)
    t = theta.clone().requires_grad_()
    torch.testing.assert_close(grad, torch.autograd.grad(f(t), [t])[0])
    tangent = torch.randn_like(theta)
    torch.testing.assert_close(torch.func.jvp(f, (theta,), (tangent,))[1], (grad * tangent).sum(), rtol=1e-4, atol=1e-4)
    many = torch.randn(3, *theta.shape, device="cuda")
    torch.testing.assert_close(
        torch.func.vmap(torch.func.grad(f))(many),
        torch.stack([torch.func.grad(f)(t) for t in many]),
        rtol=1e-4,
        atol=1e-5,
    )


def test_second_derivatives():
    layer = Linear(R, R, 2, 2, dtype=torch.float64, device="cuda")
    x = torch.randn(3, 2, 8, dtype=torch.float64, device="cuda", requires_grad=True)
    assert torch.autograd.gradcheck(layer, (x,), fast_mode=True) and torch.autograd.gradgradcheck(
        layer, (x,), fast_mode=True
    )


def test_checked_there():
    layer = Linear(R, R, 2, 2, device="cuda")
    assert inn.check_equivariance(layer, R, R, 2, tolerance=1e-4)
    wrong = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(16, 16), torch.nn.Unflatten(1, (2, 8))).cuda()
    assert not inn.check_equivariance(wrong, R, R, 2, tolerance=1e-4)


def test_exported():
    layer = Linear(R, R, 2, 2, device="cuda")
    x = torch.randn(3, 2, 8, device="cuda")
    program = torch.export.export(layer, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.testing.assert_close(program.module()(x[:2]), layer(x[:2]))


def test_trained():
    """Steps of Adam, compiled and not, end where those on the processor end."""
    results = []
    for where, how in (
        ("cpu", lambda m: m),
        ("cuda", lambda m: m),
        ("cuda", lambda m: torch.compile(m, fullgraph=True)),
    ):
        torch.manual_seed(1)
        net = torch.nn.Sequential(Linear(R, R, 2, 4), torch.nn.ReLU(), Linear(R, D4.rep("trivial"), 4, 1)).to(where)
        x = torch.randn(32, 2, 8)
        y = x.square().sum((1, 2)).sqrt()[:, None, None].to(where)
        optimizer = torch.optim.SGD(net.parameters(), 1e-2)
        run = how(net)
        for _ in range(20):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(run(x.to(where)), y).backward()
            optimizer.step()
        results.append([p.detach().cpu() for p in net.parameters()])
    for other in results[1:]:
        torch.testing.assert_close(other, results[0], rtol=1e-3, atol=1e-4)


def test_operands_on_two_devices():
    layer = Linear(R, R, 2, 2)
    with pytest.raises((ValueError, RuntimeError), match="device|move one"):
        layer(torch.randn(3, 2, 8, device="cuda"))
    with pytest.raises((ValueError, RuntimeError), match="device|move one"):
        layer.cuda()(torch.randn(3, 2, 8))


@pytest.mark.parametrize("name", NETS)
def test_networks(name):
    net, x = made(name, torch.float32)
    net, x = net.eval().cuda(), x.cuda()
    assert inn.check_equivariance(net, net.V, net.U, 2, grid=tuple(x.shape[3:]), backward=False, tolerance=1e-3)
