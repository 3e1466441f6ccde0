"""torch.compile, torch.export, ONNX, and training in several processes."""

import importlib.util
import os
import socket
import subprocess
import sys
import textwrap

import pytest

from layers_for_tests import CASES, make, representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import Group
from intertwine.nn import (
    Activation,
    BatchNorm,
    Conv2d,
    Graphs,
    Linear,
    PolynomialLayer,
    RelaxedLinear,
    SteerableConv2d,
    TensorProduct,
    _ops,
    impose,
)  # fmt: skip
from torch.autograd import forward_ad

needs_compiler = pytest.mark.skipif(
    not any(os.access(os.path.join(d, "g++"), os.X_OK) for d in os.environ["PATH"].split(":")), reason="no C++ compiler"
)


def outputs(f, layer, x):
    y = f(x)
    return y, *torch.autograd.grad(y.pow(2).sum(), [x, *layer.parameters()], materialize_grads=True)


@pytest.mark.parametrize(
    "case", [CASES[k] for k in (1, 2, 3, -2, -1)], ids=["signs", "multiples", "sparse", "blocks", "identities"]
)
def test_compile_whole_with_any_batch(case):
    layer, V, _ = make(case)
    compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")
    # no batch of the size of another axis, which would be one symbol with it
    x = torch.randn(11, case[3], V.dimension, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(outputs(compiled, layer, x), outputs(layer, layer, x))
    with torch.compiler.set_stance("fail_on_recompile"):
        for batch in (2, 9, 17):
            x = torch.randn(batch, case[3], V.dimension, dtype=torch.float64, requires_grad=True)
            torch.testing.assert_close(outputs(compiled, layer, x), outputs(layer, layer, x))
    assert list(layer.state_dict()) == ["theta", "bias", "_extra_state"]


def test_compiled_code_calls_the_kernels():
    seen = []

    def backend(module, examples):
        seen.append(module.code)
        return module

    layer, V, _ = make(CASES[1])
    x = torch.randn(5, 2, V.dimension, dtype=torch.float64)
    expected = layer(x)
    torch.testing.assert_close(torch.compile(layer, fullgraph=True, backend=backend)(x), expected)
    assert "torch.ops.intertwine.apply" in seen[0]
    # Inside torch.func it is plain PyTorch, which differentiates.
    torch.compile(torch.func.vmap(layer), fullgraph=True, backend=backend)(x)
    assert "torch.ops.intertwine" not in seen[1] and "index_select" in seen[1]


@needs_compiler
def test_compiled_ahead_of_time(tmp_path):
    layer, V, _ = make(CASES[1], dtype=torch.float32)
    x = torch.randn(5, CASES[1][3], V.dimension)
    program = torch.export.export(layer, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},)).run_decompositions(
        _ops.decompositions()
    )
    path = torch._inductor.aoti_compile_and_package(program, package_path=str(tmp_path / "layer.pt2"))
    compiled = torch._inductor.aoti_load_package(path)
    for batch in (5, 3):
        x = torch.randn(batch, CASES[1][3], V.dimension)
        torch.testing.assert_close(compiled(x), layer(x))


@needs_compiler
def test_compile_to_machine_code():
    V, U = representations("D4", "perm", "regular")
    model = torch.nn.Sequential(Linear(V, U, 2, 3), Activation(U, torch.relu), Linear(U, V, 3, 1))
    compiled = torch.compile(model, fullgraph=True)
    x = torch.randn(6, 2, 4, requires_grad=True)
    torch.testing.assert_close(outputs(compiled, model, x), outputs(model, model, x))


@needs_compiler
@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)
def test_tensor_products_on_edges_whose_number_is_known_at_run_time():
    V = Group("O(3)").rep("trivial + vector")
    layer = TensorProduct(V, V, V, 2)

    def messages(x, near):
        source, target = near.nonzero().unbind(1)
        return layer(x[source], x[target])

    compiled = torch.compile(messages, fullgraph=True)
    for points in (5, 7):
        x, near = torch.randn(points, 2, 4, requires_grad=True), torch.randn(points, points) > 0
        found, expected = (outputs(lambda x, f=f: f(x, near), layer, x) for f in (compiled, messages))
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


def test_compile_under_autocast_and_in_training_steps():
    layer, V, _ = make(CASES[0], dtype=torch.float32)
    x = torch.randn(4, 2, 4)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = compiled(x)
        assert y.dtype == torch.bfloat16
        torch.testing.assert_close(y, layer(x))
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = (compiled(x) - 1).pow(2).mean()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("case", [CASES[1], CASES[3]], ids=["tied", "sparse"])
def test_transformations_inside_compiled_code(case):
    layer, V, _ = make(case)
    x = torch.randn(3, case[3], V.dimension, dtype=torch.float64)
    loss = lambda x: layer(x).tanh().pow(2).sum()  # noqa: E731
    for f in (
        torch.func.grad(loss),
        torch.func.vmap(torch.func.grad(loss)),
        lambda x: torch.func.jvp(loss, (x,), (torch.ones_like(x),))[1],
    ):
        expected = f(x)
        assert expected.abs().max() > 0
        torch.testing.assert_close(torch.compile(f, fullgraph=True, backend="aot_eager")(x), expected)


def test_make_fx_sees_operators():
    from torch.fx.experimental.proxy_tensor import make_fx

    layer, V, _ = make(CASES[1])
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64)
    traced = make_fx(layer)(x)
    assert "intertwine.apply" in traced.code
    x = torch.randn(3, 2, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(traced(x), layer(x))


def modules_by_kind():
    """One of every kind with kernels or tables of its own, and the shape of its input."""
    V, R = representations("D4", "perm", "regular")
    std = representations("S4", "std", "perm")[0]
    trivial, vector = (Group("SO(2)").rep(name) for name in ("trivial", "vector"))
    three = Group("SO(3)").rep("vector + trivial")
    product = TensorProduct(V, V, V, dtype=torch.float64)
    return {
        "tied": (Linear(V, R, 2, 3), (3, 2, 4)),
        "sparse": (Linear(std, std, 2, 2), (3, 2, 3)),
        "conv": (Conv2d(R, R, 1, 1, 3), (2, 1, 8, 5, 5)),
        "product": (lambda x: product(x, x.flip(0)), (3, 1, 4)),
        "polynomial": (PolynomialLayer(V, V, 2), (3, 1, 4)),
        "blocks": (Linear(V + 2 * V.group.rep("trivial"), V, 2, 3), (3, 2, 6)),
        "identities": (Linear(three, three, 2, 3), (3, 2, 4)),
        "relaxed": (RelaxedLinear(V, V, V.group.subgroup([]), 2, 2), (3, 2, 4)),
        "imposed": (impose(torch.nn.Linear(8, 8), V, V), (3, 8)),
        "graphs": (Graphs(2, 2), (3, 2, 5, 5)),
        "norm": (BatchNorm(R, 2).eval(), (3, 2, 8)),
        "steerable": (SteerableConv2d(trivial, vector, 1, 1, 5), (1, 1, 1, 7, 7)),
    }


@pytest.mark.parametrize("kind", modules_by_kind())
def test_linearized_once(kind):
    # A graph is recorded under forward mode: kernels that write to an address leave nothing in it.
    f, shape = modules_by_kind()[kind]
    f = f.double() if isinstance(f, torch.nn.Module) else f
    x, t, u = (torch.randn(shape, dtype=torch.float64) for _ in range(3))
    y, tangent = torch.func.linearize(f, x)
    torch.testing.assert_close(y, f(x))
    for direction in (t, u):
        expected = torch.func.jvp(f, (x,), (direction,))[1]
        assert expected.abs().max() > 0
        torch.testing.assert_close(tangent(direction), expected)


def test_linearized_in_its_parameters():
    layer, V, _ = make(CASES[1])
    x, theta, t = (
        torch.randn(3, 2, V.dimension, dtype=torch.float64),
        layer.theta.detach(),
        torch.randn_like(layer.theta),
    )
    f = lambda theta: torch.func.functional_call(layer, {"theta": theta}, (x,)).tanh()  # noqa: E731
    torch.testing.assert_close(torch.func.linearize(f, theta)[1](t), torch.func.jvp(f, (theta,), (t,))[1])


def forward_mode(f, x, t):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(f(forward_ad.make_dual(x, t))).tangent


@pytest.mark.parametrize("case", [CASES[k] for k in (1, 3, -2, -1)], ids=["tied", "sparse", "blocks", "identities"])
def test_make_fx_of_transformations(case):
    from torch.fx.experimental.proxy_tensor import make_fx

    layer, V, _ = make(case)
    x, t, z, u = (torch.randn(3, case[3], V.dimension, dtype=torch.float64) for _ in range(4))
    loss = lambda x: layer(x).tanh().pow(2).sum()  # noqa: E731
    several = {
        "grad": lambda x, t: torch.func.grad(loss)(x),
        "vmap": lambda x, t: torch.func.vmap(layer)(x),
        "jvp": lambda x, t: torch.func.jvp(layer, (x,), (t,))[1],
        "hessian": lambda x, t: torch.func.hessian(loss)(x),
        "forward mode": lambda x, t: forward_mode(layer, x, t),
    }
    for name, f in several.items():
        torch.testing.assert_close(make_fx(f)(x, t)(z, u), f(z, u), msg=lambda said, name=name: f"{name}: {said}")
    # Of PyTorch's own layers, too, only the product itself is recorded in front of autograd: under vmap tensors are
    # said to have escaped.
    torch.testing.assert_close(make_fx(layer, pre_dispatch=True)(x)(z), layer(z))


@pytest.mark.parametrize("real", [True, False], ids=["real constants", "fake constants"])
def test_fake_tensors_in_transformations(real):
    from torch._subclasses import FakeTensorMode

    layer, V, U = make(CASES[1])
    with FakeTensorMode(allow_non_fake_inputs=real) as mode:
        x = mode.from_tensor(torch.randn(5, 2, V.dimension, dtype=torch.float64))
        fake = {name: mode.from_tensor(value) for name, value in layer.named_parameters()}
        f = lambda x: torch.func.functional_call(layer, fake, (x,))  # noqa: E731
        assert torch.func.vmap(f)(x).shape == (5, 3, U.dimension)
        assert torch.func.grad(lambda x: f(x).sum())(x).shape == x.shape


@pytest.mark.parametrize("case", [CASES[1], CASES[3]], ids=["tied", "sparse"])
def test_exported_programs_carry_their_table(case, tmp_path):
    layer, V, _ = make(case)
    x = torch.randn(4, case[3], V.dimension, dtype=torch.float64)
    program = torch.export.export(layer, (x,), dynamic_shapes=({0: torch.export.Dim("batch")},))
    assert "intertwine.apply" in str(program.graph)
    x = torch.randn(7, case[3], V.dimension, dtype=torch.float64)
    torch.testing.assert_close(program.module()(x), layer(x))
    torch.export.save(program, tmp_path / "layer.pt2")
    torch.save((x, layer(x).detach()), tmp_path / "values.pt")
    script = """
        import sys, torch, intertwine.nn
        program = torch.export.load(sys.argv[1])
        x, y = torch.load(sys.argv[2])
        torch.testing.assert_close(program.module()(x), y)
    """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "layer.pt2"), str(tmp_path / "values.pt")],
        check=True,
    )
    plain = program.run_decompositions(_ops.decompositions())
    assert "intertwine" not in str(plain.graph)
    torch.testing.assert_close(plain.module()(x), layer(x))
    # After the export the layer is what it was.
    torch.testing.assert_close(layer(x), program.module()(x))


def test_programs_with_damaged_codes_are_refused(tmp_path):
    layer, V, _ = make(CASES[1])
    p = layer._weights.on(torch.device("cpu"))
    codes = p.table[0].clone()
    codes[0, 0] = (int(codes[0, 0]) + 1) % 7
    damaged = p._replace(table=[codes, p.table[1]], digest="0" * 64)
    with pytest.raises(ValueError, match="damaged"):
        torch.ops.intertwine.apply(torch.randn(2, 2, V.dimension, dtype=torch.float64), layer.theta, *damaged)


@pytest.mark.skipif(
    any(importlib.util.find_spec(m) is None for m in ("onnx", "onnxscript", "onnxruntime")),
    reason="onnx, onnxscript or onnxruntime is not installed",
)
@pytest.mark.parametrize("kind", ["linear", "sparse", "blocks", "identities", "conv"])
def test_onnx_without_arguments(kind, tmp_path):
    import onnxruntime

    if kind == "conv":
        V, U = representations("D4", "trivial", "regular")
        layer, x = Conv2d(V, U, 1, 2, 3, padding=1).eval(), torch.randn(2, 1, 1, 5, 5)
    else:
        case = CASES[{"linear": 1, "sparse": 3, "blocks": -2, "identities": -1}[kind]]
        layer, V, _ = make(case, dtype=torch.float32)
        layer, x = layer.eval(), torch.randn(2, case[3], V.dimension)
    path = tmp_path / "layer.onnx"
    torch.onnx.export(layer, (x,), path, verbose=False)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (y,) = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    torch.testing.assert_close(torch.from_numpy(y), layer(x).detach(), rtol=1e-4, atol=1e-5)


WORKER = """
    import os, sys, torch, torch.distributed as dist
    from intertwine import Group
    from intertwine.nn import Activation, Linear
    rank, size, port, path, kind = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    V = Group("S4").rep("perm")
    model = torch.nn.Sequential(Linear(V, V, 2, 8), Activation(V, torch.relu), Linear(V, V, 8, 1)).double()
    x, target = torch.randn(16, 2, 4, dtype=torch.float64), torch.randn(16, 1, 4, dtype=torch.float64)
    trained = model
    if size > 1:
        dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=size)
        if kind == "DDP":
            trained = torch.nn.parallel.DistributedDataParallel(model)
        else:
            from torch.distributed.fsdp import fully_shard
            mesh = dist.init_device_mesh("cpu", (size,))
            for part in (model[0], model[2], model):
                fully_shard(part, mesh=mesh)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    mine = slice(rank * 16 // size, (rank + 1) * 16 // size)
    for _ in range(10):
        optimiser.zero_grad()
        (trained(x[mine]) - target[mine]).pow(2).mean().backward()
        optimiser.step()
    parameters = [p.full_tensor() if hasattr(p, "full_tensor") else p.detach() for p in model.parameters()]
    if rank == 0:
        torch.save(parameters, path)
    if size > 1:
        dist.destroy_process_group()
        os._exit(0)  # threads of PyTorch can crash a process while Python ends; all that is tested is written
"""


@pytest.mark.skipif(
    not torch.distributed.is_available() or not torch.distributed.is_gloo_available(), reason="PyTorch has no gloo"
)
@pytest.mark.parametrize("kind", ["DDP", "FSDP2"])
def test_two_processes_train_as_one(kind, tmp_path):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = str(s.getsockname()[1])
    one, two = tmp_path / "one.pt", tmp_path / "two.pt"
    command = [sys.executable, "-c", textwrap.dedent(WORKER)]
    jobs = [subprocess.Popen([*command, "0", "1", port, str(one), kind])]
    jobs += [subprocess.Popen([*command, str(rank), "2", port, str(two), kind]) for rank in range(2)]
    assert [job.wait(timeout=300) for job in jobs] == [0, 0, 0]
    torch.testing.assert_close(torch.load(two), torch.load(one))
