"""Every module in networks: torch.compile, torch.export, ONNX, copies, states, moves between devices and precisions."""

import copy
import importlib.util
import inspect
import pickle

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import intertwine.nn
import torch
from intertwine import Group
from intertwine.gsa import Affine, GroupSelfAttention, grid, square
from intertwine.nn import (
    AvgPool2d,
    BatchNorm,
    Bilinear,
    Dropout,
    Embedding,
    GatedActivation,
    GroupConv2d,
    InvariantPool,
    LayerNorm,
    Linear,
    MaxPool2d,
    NormActivation,
    PolynomialLayer,
    RMSNorm,
    SampledActivation,
    TensorProduct,
    check_equivariance,
    symmetrize,
)  # fmt: skip
from test_nn_norm import DOUBLE, randomised
from torch import nn


class Vectors(nn.Module):
    """Sets with vectors: permutations, a representation by matrices, copies."""

    def __init__(self):
        super().__init__()
        G = Group("S4")
        self.V, self.U = G.rep("perm + 2*std"), G.rep("2*trivial")
        std, perm = G.rep("std"), G.rep("perm")
        self.gate = GatedActivation(self.V)
        self.front = nn.Sequential(
            Linear(self.V, self.gate.source, 2, 4), self.gate, LayerNorm(self.V, 4), BatchNorm(self.V, 4), NormActivation(self.V, torch.tanh, 4), Dropout(self.V, 0.5),
            Linear(self.V, std, 4, 3), SampledActivation(std, torch.tanh), RMSNorm(std, 3),
        )  # fmt: skip
        self.product, self.pairs, self.power = (
            TensorProduct(std, std, std, 3),
            Bilinear(std, std, perm, 3, 3, 2),
            PolynomialLayer(perm, perm, (1, 2), 2, 2),
        )
        self.classes = Embedding(5, perm, 2)
        self.mean = symmetrize(
            nn.Sequential(nn.Flatten(), nn.Linear(8, 4), nn.Tanh(), nn.Unflatten(1, (1, 4))), perm, perm
        )
        self.pool = nn.ModuleList(InvariantPool(perm, kind) for kind in ("mean", "max"))

    def forward(self, x):
        y = self.front(x)
        z = self.power(self.pairs(y, self.product(y, y))) + self.classes(
            torch.zeros((), dtype=torch.int64, device=x.device)
        )
        return torch.cat([pool(self.mean(z)) for pool in self.pool], -1)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        D4 = Group("D4")
        self.V, self.U = D4.rep("trivial"), D4.rep("trivial")
        R = D4.rep("regular")
        self.layers = nn.Sequential(
            GroupConv2d(D4, 2, 3, 3, padding=1, lifting=True), BatchNorm(R, 3, axes=2), NormActivation(R, torch.tanh, 3, axes=2), MaxPool2d(R, 3, 2), GroupConv2d(D4, 3, 2, 3),
            LayerNorm(R, 2, axes=2), Dropout(R, 0.2, axes=2), SampledActivation(R, torch.tanh, axes=2), AvgPool2d(R, 2, 1), InvariantPool(R, "norm", axes=2),
        )  # fmt: skip

    def forward(self, x):
        return self.layers(x)


NETS = {"vectors": (Vectors, (6, 2, 10)), "images": (Images, (6, 2, 1, 9, 9))}
every_net = pytest.mark.parametrize("name", NETS)


def made(name, dtype=torch.float64):
    kind, shape = NETS[name]
    net = kind()
    for module in net.modules():
        if isinstance(module, (LayerNorm, BatchNorm, RMSNorm, NormActivation)):
            randomised(module)
    return net.to(dtype), torch.randn(shape, dtype=dtype)


@every_net
def test_networks_are_equivariant(name):
    net, x = made(name)
    net(x)
    grid = tuple(x.shape[3:])
    assert check_equivariance(
        net.eval(), net.V, net.U, 2, grid=grid, backward=False, tolerance=1e-8
    )  # maxima have kinks
    assert torch.isfinite(net(x)).all() and net(x).std() > 1e-3


@every_net
def test_compile_whole(name):
    net, x = made(name)
    for part in net.modules():
        if isinstance(part, Dropout):
            part.p = 0.0  # compiled code draws other numbers
    twin = copy.deepcopy(net)
    compiled = torch.compile(twin, fullgraph=True, dynamic=False, backend="aot_eager")

    def outputs(f, module):
        y = f(x)
        return y, torch.autograd.grad(y.square().sum(), list(module.parameters()), materialize_grads=True)

    torch.testing.assert_close(outputs(compiled, twin), outputs(net, net))
    torch.testing.assert_close(dict(twin.named_buffers()), dict(net.named_buffers()))  # running statistics


def test_compile_with_any_batch():
    """Blocks of every kind, in turns; what takes long in networks is PyTorch's symbolic sizes."""
    V = Group("S4").rep("2*(perm + sign)")
    net = randomised(BatchNorm(V, 2, **DOUBLE))
    twin = copy.deepcopy(net)
    compiled = torch.compile(twin, fullgraph=True, dynamic=True, backend="aot_eager")
    x = torch.randn(5, 2, V.dimension, **DOUBLE)
    torch.testing.assert_close(compiled(x), net(x))
    with torch.compiler.set_stance("fail_on_recompile"):
        x = torch.randn(9, 2, V.dimension, **DOUBLE)
        torch.testing.assert_close(compiled(x), net(x))


@every_net
def test_export(name):
    net, x = made(name, torch.float32)
    net.eval()
    program = torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.testing.assert_close(program.module()(x[:3]), net(x[:3]), rtol=1e-4, atol=1e-5)
    plain = program.run_decompositions(intertwine.nn.decompositions())
    assert not any("intertwine" in str(node.target) for node in plain.graph.nodes if node.op == "call_function")
    torch.testing.assert_close(plain.module()(x), net(x), rtol=1e-4, atol=1e-5)


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnxruntime", "onnxscript")),
    reason="onnxruntime or onnxscript is not installed",
)
def test_onnx(tmp_path):
    import onnxruntime

    net, x = made("images", torch.float32)
    path = tmp_path / "net.onnx"
    torch.onnx.export(net.eval(), (x,), path, dynamo=True, verbose=False)
    session = onnxruntime.InferenceSession(path)
    (y,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    torch.testing.assert_close(torch.from_numpy(y), net(x), rtol=1e-4, atol=1e-5)


@every_net
def test_copies_states_and_precisions(name):
    net, x = made(name)
    net.eval()
    y = net(x)
    torch.testing.assert_close(pickle.loads(pickle.dumps(copy.deepcopy(net)))(x), y, rtol=0, atol=0)
    buffers = {key for key, _ in net.named_buffers()}
    assert {key.rsplit(".")[-1] for key in buffers} == {"running_mean", "running_var", "num_batches_tracked"}
    assert set(net.state_dict()) == {key for key, _ in net.named_parameters()} | buffers | {
        key for key in net.state_dict() if key.endswith("_extra_state")
    }
    fresh = NETS[name][0]().double().eval()
    fresh.load_state_dict(net.state_dict())
    torch.testing.assert_close(fresh(x), y)
    # Constants are rounded once to double: down to float32 and back they are what they were.
    fresh.float()
    torch.testing.assert_close(fresh(x.float()).double(), y, rtol=1e-3, atol=1e-4)
    fresh.double().load_state_dict(net.state_dict())
    assert torch.equal(fresh(x), y)
    meta = copy.deepcopy(net).to("meta")
    assert meta(x.to("meta")).shape == y.shape
    back = meta.to_empty(device="cpu")
    back.load_state_dict(net.state_dict())
    assert torch.equal(back(x), y)


def test_fake_tensors_leave_no_trace():
    from torch._subclasses import FakeTensorMode

    net, x = made("vectors")
    net.eval()
    y = net(x)
    with FakeTensorMode() as mode:
        fake = {key: mode.from_tensor(value) for key, value in (*net.named_parameters(), *net.named_buffers())}
        # An index made inside the network is fake too.
        assert torch.func.functional_call(net, fake, (mode.from_tensor(x),)).shape == y.shape
        made_here = BatchNorm(Group("S5").rep("std + perm"), 2)
        assert made_here(torch.randn(4, 2, 9)).shape == (4, 2, 9)
    assert torch.equal(net(x), y)
    V = Group("S5").rep("std + perm")
    assert check_equivariance(LayerNorm(V, 2, **DOUBLE), V, V, 2)


def test_default_devices():
    """Layers are made on the default device, with the numbers that they need while they are made on the processor."""
    V, std, R = Group("S4").rep("perm"), Group("S4").rep("std"), Group("D4").rep("regular")
    turns, rotations = Group("SO(2)"), Group("SO(3)")
    kinds = [
        lambda: SampledActivation(std, torch.relu),
        lambda: SampledActivation(std, nn.PReLU(), 12),
        lambda: intertwine.nn.SteerableConv2d(turns.rep("trivial"), turns.rep("vector"), 1, 1, 5),
        lambda: intertwine.nn.SteerableConv3d(rotations.rep("trivial"), rotations.rep("vector"), 1, 1, 3),
        lambda: intertwine.nn.TransformerBlock(V, 4, 2),
        lambda: intertwine.nn.RelaxedLinear(std, std, std.group.subgroup([])),
        lambda: intertwine.nn.impose(nn.Linear(4, 4), V, V),
        lambda: intertwine.nn.Conv2d(R, R, 1, 1, 3),
        lambda: GroupSelfAttention(Affine("R4"), grid(5, 5), square(3), 2, 3, 2),
    ]
    for make in kinds:
        here = make()
        with torch.device("meta"):
            there = make()
        assert all(t.is_meta for t in (*there.parameters(), *there.buffers()))
        assert [(name, t.shape) for name, t in there.named_parameters()] == [
            (name, t.shape) for name, t in here.named_parameters()
        ]
    back = intertwine.nn.impose(nn.Linear(4, 4, device="meta"), V, V).to_empty(device="cpu")
    nn.init.normal_(back.parametrizations.weight.original)
    assert check_equivariance(lambda x: x @ back.weight.t(), V, V, dtype=torch.float32)


def test_every_module_is_in_a_network():
    used = {type(module).__name__ for name in NETS for module in NETS[name][0]().modules()}
    modules = {
        name
        for name in intertwine.nn.__all__
        if inspect.isclass(kind := getattr(intertwine.nn, name)) and issubclass(kind, nn.Module)
    }
    others = {
        "Activation",
        "Conv1d",
        "Conv2d",
        "Conv3d",
        "GroupConv1d",
        "GroupConv3d",
        "AvgPool1d",
        "AvgPool3d",
        "BlurPool1d",
        "BlurPool2d",  # in test_nn_pooling.py
        "BlurPool3d",
        "MaxPool1d",
        "MaxPool3d",
        "CosetPool",  # in the network of test_nn_upsampling.py
    }
    ours = {
        name
        for name in modules
        if getattr(intertwine.nn, name).__module__.rsplit(".")[-1]
        in ("norm", "dropout", "pooling", "product", "activation")
    }
    assert ours - others <= used
