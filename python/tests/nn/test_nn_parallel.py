"""theta shared out between two processes by its channels: training, derivatives, placements, refusals. What a process
finds wrong it raises, and the other does too."""

import copy
import datetime
import subprocess
import sys
import textwrap

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
    pytest.skip("PyTorch has no gloo", allow_module_level=True)
from intertwine import DomainError, Group  # noqa: E402
from intertwine.nn import Graphs, Linear, RelaxedLinear  # noqa: E402
from intertwine.nn.parallel import ColwiseParallel, RowwiseParallel  # noqa: E402
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor  # noqa: E402
from torch.distributed.tensor.parallel import parallelize_module  # noqa: E402

START = """
    import copy, datetime, sys
    import torch, torch.distributed as dist
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor
    from torch.distributed.tensor.parallel import parallelize_module
    from intertwine import Group
    from intertwine.nn import Activation, Graphs, Linear, Tensors
    from intertwine.nn.parallel import ColwiseParallel, RowwiseParallel

    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + sys.argv[2], rank=int(sys.argv[1]), world_size=2, timeout=datetime.timedelta(seconds=200))
    mesh = dist.init_device_mesh("cpu", (2,))
    V, W = Group("S4").rep("perm"), Group("S5").rep("2*perm^2")
    torch.manual_seed(0)

    def normal(*layers):
        model = torch.nn.Sequential(*layers).double()
        for p in model.parameters():
            torch.nn.init.normal_(p)
        return model

    def whole(t):
        return t.full_tensor() if isinstance(t, DTensor) else t.detach()
"""
TRAINING = """
    def train(model, x, target):
        optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(10):
            optimiser.zero_grad()
            (model(x) - target).pow(2).mean().backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
        return [whole(t) for t in (norm, *model.parameters())]

    kind, outputs = sys.argv[3], (1, 4)
    if kind == "graphs":
        model, inputs, outputs = normal(Graphs(2, 4), torch.nn.Tanh(), Tensors(2, 1, 4, 3)), (2, 5, 5), (3, 5)
    elif kind == "copies":  # channels that the table takes out
        model, inputs, outputs = normal(Linear(W, W, 2, 4), Activation(W, torch.tanh), Linear(W, W, 4, 1)), (2, 50), (1, 50)
    else:
        model, inputs = normal(Linear(V, V, 2, 8, mode=kind), Activation(V, torch.tanh), Linear(V, V, 8, 1, mode=kind)), (2, 4)
    alone, start = copy.deepcopy(model), [p.detach().clone() for p in model.parameters()]
    x, target = torch.randn(16, *inputs, dtype=torch.float64), torch.randn(16, *outputs, dtype=torch.float64)
    parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    assert [tuple(p.placements) for p in model.parameters()] == [(Shard(1),), (Shard(1),), (Shard(2),), (Replicate(),)]
    for p, q in zip(model.parameters(), alone.parameters()):
        assert p.to_local().numel() * (1 if p.placements[0].is_replicate() else 2) == q.numel()
    torch.testing.assert_close(model(x), alone(x))
    expected = train(alone, x, target)
    torch.testing.assert_close(train(model, x, target), expected)
    assert all((a != b).any() for a, b in zip(start, expected[1:]))
    assert all(p.grad.placements == p.placements for p in model.parameters())
    if kind != "graphs":
        form = {"diagram": "diagram", "torch": "torch"}.get(kind, alone[0].form)
        assert form and {model[0].form, model[2].form} <= {form, "dense", "lookup"}
        torch.testing.assert_close([model[0].weight(), model[2].bias_vector()], [alone[0].weight(), alone[2].bias_vector()])
    dist.destroy_process_group()
"""
DERIVATIVES = """
    layer = normal(Linear(V, V, 4, 6))[0]
    x, dy = torch.randn(6, 4, 4, dtype=torch.float64), torch.randn(6, 6, 4, dtype=torch.float64)

    def derivatives(layer, x, dy):
        x = x.detach().requires_grad_()
        y = layer(x)
        first = torch.autograd.grad(y.pow(3), [x, layer.theta, layer.bias], dy, create_graph=True)
        return [whole(t) for t in (y, *first, *torch.autograd.grad(first[0].pow(2).sum(), [x, layer.theta]))]

    expected = derivatives(layer, x, dy)
    grid = dist.init_device_mesh("cpu", (2, 1))
    R, S = Replicate(), Shard
    for on, of_theta, of_bias, of_x in (
        (mesh, [S(1)], [S(1)], [R]), (mesh, [S(1)], [R], [S(1)]), (mesh, [S(2)], [R], [S(1)]), (mesh, [S(2)], [S(1)], [S(0)]), (mesh, [R], [R], [S(0)]),
        (mesh, [R], [R], [R]), (mesh, [R], [S(1)], [S(2)]), (grid, [R, S(1)], [R, S(1)], [S(0), R]), (grid, [S(2), S(1)], [R, S(1)], [S(1), R]),
    ):  # fmt: skip
        shared = copy.deepcopy(layer)
        for name, place in (("theta", of_theta), ("bias", of_bias)):
            setattr(shared, name, torch.nn.Parameter(distribute_tensor(getattr(layer, name).detach(), on, place)))
        found = derivatives(shared, distribute_tensor(x, on, of_x), distribute_tensor(dy, on, [R] * on.ndim))
        torch.testing.assert_close(found, expected)
    for style, channels in ((ColwiseParallel(output_layouts=Replicate()), 4), (RowwiseParallel(input_layouts=Replicate()), 4)):
        shared = parallelize_module(copy.deepcopy(layer), mesh, style)
        torch.testing.assert_close(derivatives(shared, x, dy), expected)
        torch.testing.assert_close(torch.compile(shared, backend="aot_eager")(x), layer(x))
    assert isinstance(parallelize_module(copy.deepcopy(layer), mesh, ColwiseParallel(use_local_output=False))(x), DTensor)
    # FSDP2 on one axis of a mesh, channels on the other.
    from torch.distributed.fsdp import fully_shard
    grid = dist.init_device_mesh("cpu", (1, 2), mesh_dim_names=("data", "channels"))
    shared = parallelize_module(copy.deepcopy(layer), grid["channels"], ColwiseParallel(output_layouts=Replicate()))
    fully_shard(shared, mesh=grid["data"])
    shared(x).backward(dy)
    layer(x).backward(dy)
    torch.testing.assert_close(whole(shared.theta.grad), layer.theta.grad)
    dist.destroy_process_group()
"""
UNEQUAL = """
    from intertwine import DomainError
    from intertwine.nn import Sets

    def placed(layer, *places):
        shared = copy.deepcopy(layer)
        for (name, p), place in zip(layer.named_parameters(), places):
            shared.register_parameter(name, torch.nn.Parameter(distribute_tensor(p.detach(), mesh, [place])))
        return shared

    def derivatives(layer, x, dy, **keywords):
        x = x.detach().requires_grad_()
        y = layer(x, **keywords)
        return [whole(t) for t in (y, *torch.autograd.grad(y.pow(2), [x, *layer.parameters()], dy))]

    # Shares of examples and of channels that are not equal: 5 examples, 3 output and 5 input channels; and 2 channels of the table for each of the layer.
    R, S = Replicate(), Shard
    for layer, n, cases in (
        (normal(Linear(V, V, 5, 3))[0], (4,), [(R, R, S(0)), (S(1), S(1), R), (S(1), R, S(0)), (S(2), R, S(1)), (R, S(1), S(1))]),
        (normal(Linear(W, W, 1, 3))[0], (50,), [(R, R, S(0))]),
        (normal(Linear(W, W, 2, 4))[0], (50,), [(S(1), S(1), R), (S(2), R, S(1))]),
        (normal(Tensors(2, 1, 3, 5))[0], (4, 4), [(R, R, S(0)), (S(1), R, R), (S(2), S(1), S(0))]),
    ):
        x = torch.randn(5, layer.in_channels, *n, dtype=torch.float64)
        y = layer(x)
        dy = torch.randn_like(y)
        expected = derivatives(layer, x, dy)
        for of_theta, of_bias, of_x in cases:
            shared = placed(layer, of_theta, of_bias)
            given, g = distribute_tensor(x, mesh, [of_x]), distribute_tensor(dy, mesh, [R])
            out = shared(given)
            assert out.shape == y.shape and out.stride() == y.stride(), (out.shape, y.shape)
            torch.testing.assert_close(derivatives(shared, given, g), expected)
    for layer, n, place, said in (
        (Linear(V, V, 5, 1), 4, S(1), "1 output channels cannot be shared out between 2 processes"),
        (Linear(V, V, 1, 5), 4, S(2), "1 input channels cannot"),
        (Linear(W, W, 1, 3), 50, S(1), "3 output channels cannot"),  # 6 of the table, and 3 are none and a half
    ):
        try:
            placed(layer, place, R)(distribute_tensor(torch.randn(5, layer.in_channels, n), mesh, [R]))
        except DomainError as error:
            assert said in str(error), error
        else:
            raise AssertionError(said)

    # Masks lie as the examples do.
    sets = normal(Sets(2, 3))[0]
    both = normal(Tensors("ui", "u", 2, 3))[0]
    x, mask = torch.randn(5, 2, 6, dtype=torch.float64), torch.rand(5, 6) < 0.6
    pairs, masks = torch.randn(5, 3, 2, 6, 4, dtype=torch.float64), {"u": torch.rand(5, 3, 6) < 0.6, "i": torch.rand(5, 3, 4) < 0.6}
    for layer, x, mask in ((sets, x, mask), (both, pairs, masks)):
        dy = torch.randn_like(layer(x, mask))
        expected = derivatives(layer, x, dy, mask=mask)
        for of_theta, of_bias, of_x in ((R, R, S(0)), (R, R, R), (S(1), S(1), S(0)), (R, R, S(x.dim() - 1))):
            given, g = distribute_tensor(x, mesh, [of_x]), distribute_tensor(dy, mesh, [R])
            torch.testing.assert_close(derivatives(placed(layer, of_theta, of_bias), given, g, mask=mask), expected)
    dist.destroy_process_group()
"""
START_OVER = """
    from torch.distributed.fsdp import fully_shard
    # However theta lies, it begins with the numbers of one process, even where processes draw others.
    for made in (lambda **k: Linear(V, V, 2, 4, **k), lambda **k: Graphs(2, 4, **k)):
        with torch.device("meta"):
            on_meta = made()
        fully_shard(on_meta)
        on_meta.to_empty(device="cpu")
        generator = torch.Generator().manual_seed(5)
        alone = made()
        alone.reset_parameters(gain=2.0, generator=generator)
        assert alone.theta.std() > 0
        grid = dist.init_device_mesh("cpu", (1, 2), mesh_dim_names=("data", "channels"))
        twice = parallelize_module(made(), grid["channels"], ColwiseParallel())
        fully_shard(twice, mesh=grid["data"])
        for layer in (on_meta, parallelize_module(made(), mesh, ColwiseParallel()), parallelize_module(made(), mesh, RowwiseParallel()), twice):
            assert isinstance(layer.theta, DTensor)
            before = layer.theta.placements
            layer.reset_parameters(gain=2.0, generator=torch.Generator().manual_seed(5 + dist.get_rank()))
            assert layer.theta.placements == before and torch.equal(whole(layer.theta), alone.theta.detach())
            assert not whole(layer.bias).any()
        x = torch.randn(3, 2, *((4,) if isinstance(alone, Linear) else (5, 5)))
        torch.testing.assert_close(on_meta(x), alone(x))
    dist.destroy_process_group()
"""


def together(program, folder, *words):
    # Threads of gloo that still run at Python's end can abort the process after all is done.
    end = "import os\nsys.stdout.flush()\nos._exit(0)\n"
    command = [sys.executable, "-c", textwrap.dedent(START) + textwrap.dedent(program) + end]
    jobs = [
        subprocess.Popen(
            [*command, str(rank), str(folder / "store"), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    try:
        said = [job.communicate(timeout=300)[0] for job in jobs]
    finally:
        for job in jobs:
            job.kill()
    assert [job.returncode for job in jobs] == [0, 0], "\n".join(said)


@pytest.mark.parametrize("kind", ["automatic", "diagram", "torch", "copies", "graphs"])
def test_two_processes_train_as_one(kind, tmp_path):
    together(TRAINING, tmp_path, kind)


def test_derivatives_wherever_the_operands_lie(tmp_path):
    together(DERIVATIVES, tmp_path)


def test_shares_that_are_not_equal_and_masks(tmp_path):
    together(UNEQUAL, tmp_path)


def test_reset_parameters_wherever_theta_lies(tmp_path):
    together(START_OVER, tmp_path)


@pytest.fixture
def alone(tmp_path):
    """A mesh of one process."""
    timeout = datetime.timedelta(seconds=60)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1, timeout=timeout
    )
    yield torch.distributed.init_device_mesh("cpu", (1,))
    torch.distributed.destroy_process_group()


def test_bad_input(alone):
    V = Group("S4").rep("perm")
    for module in (
        torch.nn.Linear(4, 4),
        RelaxedLinear(V, V, Group("S4").subgroup([])),
        torch.nn.Sequential(Linear(V, V)),
    ):
        with pytest.raises(DomainError, match="shares out theta of Linear"):
            parallelize_module(module, alone, ColwiseParallel())
    grid = torch.distributed.init_device_mesh("cpu", (1, 1))
    with pytest.raises(DomainError, match="one axis of a mesh"):
        RowwiseParallel()._apply(Linear(V, V), grid)

    class Three:
        ndim = 1
        size = staticmethod(lambda: 3)

    for style, name in ((ColwiseParallel(), "out_channels = 4"), (RowwiseParallel(), "in_channels = 2")):
        with pytest.raises(DomainError, match=f"{name} cannot be shared out equally between 3 processes"):
            style._apply(Linear(V, V, 2, 4), Three())
    layer, x = Linear(V, V, 2, 4), torch.randn(3, 2, 4)
    expected = layer(x)
    shared = parallelize_module(copy.deepcopy(layer), alone, ColwiseParallel())
    torch.testing.assert_close(shared(x), expected)
    torch.testing.assert_close(shared(x=x), expected)
    with pytest.raises(TypeError, match="'x'"):
        shared()
    with pytest.raises(DomainError, match="the input is not"):
        shared.forward(x)
    with pytest.raises(DomainError, match=r"this layer takes \[..., 2, 4\]"):
        shared(x[:, :1])
    with pytest.raises(DomainError, match="convert one"):
        shared(x.double())
    bare = copy.deepcopy(layer)
    bare.theta = torch.nn.Parameter(distribute_tensor(layer.theta.detach(), alone, [Shard(0)]))
    given = distribute_tensor(x, alone, [Replicate()])
    with pytest.raises(DomainError, match="the bias is not"):
        bare(given)
    bare.bias = None
    with pytest.raises(DomainError, match=r"Shard\(1\) and Shard\(2\)"):
        bare(given)
    graphs = parallelize_module(Graphs(2, 2), alone, RowwiseParallel())
    assert isinstance(graphs.theta, DTensor) and graphs(torch.randn(2, 2, 3, 3)).shape == (2, 2, 3, 3)
