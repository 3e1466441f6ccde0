"""Modules and models of e3nn moved here: the same numbers, derivatives and states."""

import copy
import pathlib
import pickle
import random
import re

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import geometric
from intertwine.nn.geometric import from_e3nn
from torch.autograd import grad

o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
enn = pytest.importorskip("e3nn.nn", reason="e3nn is not installed")
D = torch.float64


@pytest.fixture(autouse=True)
def doubles():
    """e3nn rounds its couplings to the type that stands here."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)
    yield
    torch.set_default_dtype(before)


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    return a.shape == b.shape and float((a - b).abs().max() if a.numel() else 0) <= tolerance * (
        1 + float(b.abs().max() if b.numel() else 0)
    )


def require_same(theirs, *inputs):
    """Values, gradients and second derivatives, in inputs and parameters; and copies of what was moved."""
    ours = from_e3nn(theirs)
    inputs = [t.requires_grad_() for t in inputs]
    results = []
    for module in (ours, theirs):
        out = module(*inputs)
        leaves = [*inputs, *(p for p in module.parameters() if p.requires_grad and p.numel())]
        if not out.requires_grad:  # 0 whatever comes in
            results.append([out])
            continue
        first = grad(out.sin().sum(), leaves, create_graph=True, allow_unused=True, materialize_grads=True)
        total = sum(t.sin().sum() for t in first)
        second = grad(total, leaves, allow_unused=True, materialize_grads=True) if total.requires_grad else ()
        results.append([out, *first, *second])
    assert len(results[0]) == len(results[1])
    assert all(close(a, b) for a, b in zip(*results))
    for other in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        assert torch.equal(other(*inputs), ours(*inputs))
    return ours


def some_irreps(chance, blocks=4, lmax=2, empty=0.2, least=1):
    """By chance: equal summands more than once, and summands without copies."""
    while True:
        found = o3.Irreps(
            [(0 if chance.random() < empty else chance.randint(1, 3), (chance.randint(0, lmax), chance.choice([1, -1]))) for _ in range(chance.randint(1, blocks))]
        )  # fmt: skip
        if found.dim >= least:
            return found


def made(make, *inputs):
    """None for modules with empty parts that e3nn cannot make or run itself."""
    try:
        module = make()
        module(*inputs)
        return module
    except RuntimeError:
        return None


@pytest.mark.parametrize("seed", range(20))
def test_linear_maps_by_chance(seed):
    chance = random.Random(seed)
    linear, path = None, ("element", "path")[seed // 2 % 2]
    while linear is None:
        source, target = some_irreps(chance), some_irreps(chance)
        make = lambda s=source, t=target: o3.Linear(s, t, biases=seed % 2 == 0, path_normalization=path)
        linear = made(make, torch.randn(4, source.dim))
    with torch.no_grad():
        linear.bias.copy_(torch.randn_like(linear.bias))
    require_same(linear, torch.randn(4, source.dim))


def some_instruction(chance, types):
    """(i, j, k, mode, weighted, path weight), and the irreps of k to append."""
    i, j = (chance.randrange(len(X)) for X in types[:2])
    (u, first), (v, second) = types[0][i], types[1][j]
    ir = chance.choice(list(first * second))
    modes = ["uvw", "uvu", "uvv", "uvuv"] + (["uuu", "uuw", "uvu<v", "u<vw"] if u == v else [])
    mode = chance.choice(modes)
    w = {"uvu": u, "uvv": v, "uvuv": u * v, "uuu": u, "uvu<v": u * (u - 1) // 2}.get(mode, chance.randint(1, 3))
    weighted = mode in ("uvw", "uuw", "u<vw") or chance.random() < 0.7
    return i, j, mode, weighted, chance.choice([1.0, 0.5, 2.0]), (w, ir)


def some_product(chance):
    """And inputs."""
    types = [some_irreps(chance, 3), some_irreps(chance, 3)]
    target, instructions = [(2, o3.Irrep("3o"))], []  # a summand that nothing reaches
    for _ in range(chance.randint(1, 5)):
        i, j, mode, weighted, weight, block = some_instruction(chance, types)
        instructions.append((i, j, len(target), mode, weighted, weight))
        target.append(block)
        if chance.random() < 0.4:  # two instructions into one summand
            instructions.append((i, j, len(target) - 1, mode, weighted, 1.5))
    shared = chance.random() < 0.7
    product = o3.TensorProduct(
        *types, o3.Irreps(target), instructions, internal_weights=shared and chance.random() < 0.5, shared_weights=shared,
        irrep_normalization=chance.choice(["component", "norm"]), path_normalization=chance.choice(["element", "path"]),
    )  # fmt: skip
    inputs = [torch.randn(3, X.dim) for X in types]
    if not product.internal_weights and product.weight_numel:
        inputs.append(torch.randn(*([] if shared else [3]), product.weight_numel))
    return (product, inputs) if made(lambda: product, *inputs) else some_product(chance)


@pytest.mark.parametrize("seed", range(60))
def test_connections_by_chance(seed):
    product, inputs = some_product(random.Random(seed))
    require_same(product, *inputs)


def test_products_that_are_made_of_others():
    require_same(
        o3.FullyConnectedTensorProduct("3x0e + 2x1o", "1x0e + 1x1o", "2x0e + 3x1o + 2x1e"),
        torch.randn(3, 9),
        torch.randn(3, 4),
    )
    require_same(o3.FullTensorProduct("2x0e + 1x1o", "1x1o + 1x2e"), torch.randn(3, 5), torch.randn(3, 8))
    require_same(o3.ElementwiseTensorProduct("2x1o + 1x2e", "2x0e + 1x1o"), torch.randn(3, 11), torch.randn(3, 5))


def test_output_masks():
    theirs = o3.FullyConnectedTensorProduct("3x0e + 2x1o", "1x0e", "2x0e + 3x1o + 2x1e")
    assert torch.equal(from_e3nn(theirs).output_mask, theirs.output_mask)
    linear = o3.Linear("2x0e + 1x1o", "1x1e + 2x1o + 3x0e")
    assert torch.equal(from_e3nn(linear).output_mask, linear.output_mask)


@pytest.mark.parametrize("seed", range(12))
def test_gates_by_chance(seed):
    chance = random.Random(seed)
    gated = o3.Irreps(
        [(chance.randint(1, 3), (chance.randint(1, 2), chance.choice([1, -1]))) for _ in range(chance.randint(0, 3))]
    )
    scalars = o3.Irreps([(chance.randint(1, 4), (0, p)) for p in chance.choice([[1], [1, -1], [-1, 1, 1]])])
    p = chance.choice([1, -1])
    gates = o3.Irreps([(mul, (0, p)) for mul, _ in gated])
    functions = {1: torch.nn.functional.silu, -1: chance.choice([torch.tanh, torch.abs])}
    gate = enn.Gate(
        scalars,
        [functions[ir.p] for _, ir in scalars],
        gates,
        [{1: torch.sigmoid, -1: torch.tanh}[ir.p] for _, ir in gates],
        gated,
    )
    require_same(gate, torch.randn(4, gate.irreps_in.dim))


@pytest.mark.parametrize(
    "settings",
    [{}, {"instance": True}, {"affine": False}, {"include_bias": False}, {"normalization": "norm", "reduce": "max"}],
    ids=str,
)
def test_normalisation(settings):
    theirs = enn.BatchNorm("3x0e + 2x1o + 1x0o", **settings)
    with torch.no_grad():
        for tensor in (*theirs.parameters(), *(b for b in theirs.buffers() if b is not None)):
            tensor.copy_(torch.rand_like(tensor) + 0.5)
    theirs.eval()
    ours = require_same(theirs, torch.randn(5, 10))
    assert not ours.training
    ours, theirs = from_e3nn(theirs).train(), theirs.train()
    x = torch.randn(5, 3, 10)
    assert close(ours(x), theirs(x))
    if theirs.running_var is not None:
        assert close(ours.running_var, theirs.running_var) and close(ours.running_mean, theirs.running_mean)


def test_harmonics_networks_and_the_rest():
    r = torch.randn(6, 3)
    require_same(o3.SphericalHarmonics([0, 1, 2, 3], True, "component"), r)
    require_same(o3.SphericalHarmonics([1, 3], False, "norm"), r)
    require_same(o3.SphericalHarmonics("1e + 2e", True, "integral"), r)
    require_same(
        enn.FullyConnectedNet([4, 8, 8, 3], torch.nn.functional.silu, variance_in=2, variance_out=3), torch.randn(5, 4)
    )
    require_same(enn.FullyConnectedNet([4, 8], torch.tanh, out_act=True), torch.randn(5, 4))
    require_same(enn.Activation("4x0e + 2x0o + 1x1o", [torch.nn.functional.silu, torch.tanh, None]), torch.randn(5, 9))
    require_same(o3.Norm("4x0e + 2x1o", squared=True), torch.randn(5, 10))


def test_irreps():
    assert from_e3nn(o3.Irreps("3x0e + 0x1o + 2x2o")) == Group("O(3)").rep("3x0e + 2x2o")
    assert from_e3nn(o3.Irrep("1e")).irreps == "1x1e"


def network():
    from e3nn.nn.models.v2106.gate_points_networks import SimpleNetwork

    net = SimpleNetwork("3x0e + 2x1o", "4x0e + 1x1o", max_radius=3.0, num_neighbors=3.0, num_nodes=5.0, mul=4)
    with torch.no_grad():  # it starts with factors that are 0
        for parameter in net.parameters():
            parameter.copy_(torch.randn_like(parameter) / 4)
    return net


def test_a_whole_network():
    """e3nn's own network of points: 12 products, 3 gates, dense networks; forces by a derivative, and theirs."""
    net = network()
    ours = from_e3nn(net)
    x, pos = torch.randn(9, 9), torch.randn(9, 3, requires_grad=True)
    values = []
    for model in (ours, net):
        energy = model({"pos": pos, "x": x})[:, :4].sum()
        (force,) = grad(energy, pos, create_graph=True)
        values.append([energy, force, *grad(force.square().sum(), pos)])
    assert all(close(a, b, 1e-10) for a, b in zip(*values))
    kinds = {
        type(m) for m in ours.modules() if type(m).__module__.startswith("e3nn.") and "models" not in type(m).__module__
    }
    assert not kinds and any(isinstance(m, geometric.TensorProduct) for m in ours.modules())
    before = [p.detach().clone() for p in net.parameters()]
    torch.optim.SGD(ours.parameters(), 0.1).zero_grad()
    ours({"pos": pos, "x": x}).sum().backward()
    torch.optim.SGD(ours.parameters(), 0.1).step()
    assert all(torch.equal(a, b) for a, b in zip(before, net.parameters()))  # nothing is shared


def test_what_cannot_be_moved_is_named():
    from e3nn.nn import S2Activation

    class Model(torch.nn.Module):
        def __init__(self, part):
            super().__init__()
            self.layers = torch.nn.ModuleList([part])

    for part, message in (
        (
            S2Activation("0e + 1o", torch.relu, 10),
            r"the module.layers.0 is e3nn.nn.S2Activation, and from_e3nn has no counterpart",
        ),
        (o3.Norm("1x1o"), "which has no second derivative at 0"),
        (o3.Linear("1x0e", "1x0e", f_in=2, f_out=2), "with f_in and f_out"),
        (o3.Linear("1x0e", "1x0e", internal_weights=False), "takes its weights in forward"),
        (o3.Linear("1x0e", "1x0e + 1x0e", biases=[True, False]), "biases of some scalars"),
        (o3.Linear("0x0e", "1x0e"), "features without components"),
    ):
        with pytest.raises(DomainError, match=message):
            from_e3nn(Model(part))
    with pytest.raises(DomainError, match="takes a module or irreps of e3nn, not int"):
        from_e3nn(3)
    with pytest.raises(DomainError, match="compiled by TorchScript"):
        from_e3nn(torch.jit.trace(torch.nn.Linear(2, 2), torch.randn(1, 2)))


def test_the_page_of_a_moved_model_runs(tmp_path, monkeypatch):
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "tutorials" / "e3nn_model.md"
    torch.set_default_dtype(torch.float32)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(blocks) >= 4
    names: dict = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
