"""mode="diagram": which tables have an orbit for every partition, and their products by diagrams beside those of the
codes."""

import copy
import io
import itertools
import pickle
from collections import OrderedDict

import numpy
import pytest

from layers_for_tests import representations, seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, LimitError
from intertwine.nn import Conv2d, Linear, RelaxedLinear, Tensors, _linear, _orbits, decompositions
from torch.autograd import gradcheck, gradgradcheck

# group, V, U, and the axes of U and of V, which the table does not say: letters are sets, in the order in which they
# occur.
TENSORS = [
    ("S4", "perm", "perm", "a", "a"),
    ("S5", "perm^2", "perm^2", "aa", "aa"),
    ("S3", "perm^2", "perm^2", "aa", "aa"),  # fewer points than axes: 14 of 15 partitions have entries
    ("S2", "perm^3", "perm", "a", "aaa"),
    ("S5", "perm^2", "trivial", "", "aa"),
    ("S5", "trivial", "perm^2", "aa", ""),
    ("S4", "trivial", "trivial", "", ""),
    ("S6", "perm^3", "perm", "a", "aaa"),
    ("S3 x S4", "perm # perm", "perm # perm", "ab", "ab"),
    ("S4 x S4", "perm # perm", "perm # perm", "ab", "ab"),
    ("S4 x S4", "(trivial # perm)*(perm # trivial)", "perm # perm", "ab", "ba"),
    ("S4 x S4", "(perm # trivial)*(perm # trivial)*(trivial # perm)", "perm # trivial", "a", "aab"),
    ("S4 x S2", "(perm # trivial)*(trivial # perm)*(trivial # perm)", "perm # trivial", "a", "abb"),
    ("S2 x S2", "perm # perm", "perm # perm", "ab", "ab"),
    ("S3 x S4 x S5", "perm # perm # perm", "perm # trivial # perm", "ab", "acb"),
    ("S5", "3*perm^2", "2*perm", "a", "aa"),  # multiples are channels
    ("A6", "perm", "perm^2", "aa", "a"),  # 4-transitive, M12 5-transitive: their orbits are those of S6 and S12
    ("M12", "perm^2", "perm^2", "aa", "aa"),
    ("C7", "perm", "trivial", "", "a"),
    ("S2 x S3", "perm # trivial", "trivial # perm", "a", "b"),
]
OTHERS = [
    ("D4", "perm", "perm"),
    ("S4", "std", "std"),
    ("B3", "perm", "perm"),
    ("A4", "perm^2", "perm^2"),
    ("A5", "perm^2", "perm^2"),  # 16 orbits: it is 3-transitive only
    ("S4", "perm + trivial", "perm"),
    ("S5", "sym^2(perm)", "perm"),
    ("C6", "regular", "regular"),
    ("S3 wr S2", "perm", "perm"),
]
NAMES = ["{}: {} to {}".format(*case[:3]) for case in TENSORS]
every_case = pytest.mark.parametrize("case", TENSORS, ids=NAMES)
SMALL = [TENSORS[i] for i in (1, 2, 8, 15)]
some_cases = pytest.mark.parametrize("case", SMALL, ids=[NAMES[TENSORS.index(c)] for c in SMALL])


def pair(case, channels=(2, 3), **keywords):
    """The layer by diagrams, the same by the codes, and an input."""
    V, U = representations(*case[:3])
    keywords = {"dtype": torch.float64, **keywords}
    layer, reference = (Linear(V, U, *channels, mode=mode, **keywords) for mode in ("diagram", "torch"))
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    reference.load_state_dict(layer.state_dict())
    return layer, reference, torch.randn(4, channels[0], V.dimension, dtype=layer.theta.dtype, requires_grad=True)


@every_case
def test_values_and_gradients_are_those_of_the_codes(case):
    layer, reference, x = pair(case)
    found = _orbits.recognised(layer.table, True)
    assert (found.maps.outs, found.maps.ins) == case[3:]
    y, expected = layer(x), reference(x)
    torch.testing.assert_close(y, expected)
    assert layer.form == "diagram" and torch.equal(layer.weight(), reference.weight())
    g = torch.randn_like(y)
    ours, theirs = (
        torch.autograd.grad(f, [x, *m.parameters()], g, create_graph=True, materialize_grads=True)
        for f, m in ((y, layer), (expected, reference))
    )
    torch.testing.assert_close(ours, theirs)
    second = [
        torch.autograd.grad(sum(d.pow(2).sum() for d in first), [x, *m.parameters()], materialize_grads=True)
        for first, m in ((ours, layer), (theirs, reference))
    ]
    torch.testing.assert_close(*second)


@pytest.mark.parametrize("case", OTHERS, ids=str)
def test_other_tables_have_none(case):
    V, U = representations(*case)
    table = (V >> U).table()
    assert _orbits.recognised(table, True) is None
    with pytest.raises(DomainError, match=r"an orbit for every partition .* take another mode"):
        Linear(V, U, mode="diagram")
    assert Linear(V, U, mode="fastest")(torch.randn(2, 1, V.dimension)).shape == (2, 1, U.dimension)


def test_every_code_is_compared():
    """A wrong code anywhere, and a parameter too few, is found; other numbers of the same orbits are taken as they are."""
    V, U = representations("S4", "perm", "perm^2")
    code = numpy.asarray((V >> U).table().weight_code)
    assert _orbits._orbits(code, "aa", "a", {"a": 4}) == [0, 1, 2, 3, 4]
    for at in itertools.product(range(16), range(4)):
        for wrong in (0, code[at] % 5 + 1, code[at] + 5):
            changed = code.copy()
            changed[at] = wrong
            assert _orbits._orbits(changed, "aa", "a", {"a": 4}) is None
    numbers = numpy.array([0, 3, 1, 5, 2, 4], dtype=code.dtype)
    assert _orbits._orbits(numbers[code], "aa", "a", {"a": 4}) == [2, 0, 4, 1, 3]
    assert _orbits._orbits(code, "aa", "b", {"a": 4, "b": 4}) is None


def test_how_large_the_change_of_basis_may_be():
    """Not asked for, a table has diagrams only where four times P times their number is at most the number of its
    entries."""
    for n, expected in ((4, False), (5, False), (6, True), (7, True)):
        V = Group(f"S{n}").rep("perm^2")
        assert (_orbits.recognised((V >> V).table(), False) is not None) == expected
    V, U = representations("S2", "perm^6", "perm^6")
    with pytest.raises(LimitError):
        Linear(V, U, mode="diagram")
    assert _orbits.recognised((V >> U).table(), False) is None


def test_changes_of_basis_of_many_axes(monkeypatch):
    """Eight axes over two points: 4140 diagrams and 128 orbits; more integers than are kept are refused where they are
    asked for, and passed over elsewhere."""
    layer, reference, x = pair(("S2", "perm^4", "perm^4", "aaaa", "aaaa"), (1, 1))
    torch.testing.assert_close(layer(x), reference(x))
    V, U = representations("S8", "perm^2", "perm^2")
    monkeypatch.setattr(_orbits, "_MOST", 15 * 15 - 1)
    _orbits._known.clear()
    with pytest.raises(LimitError, match="15 x 15 integers .* take another mode"):
        Linear(V, U, mode="diagram")
    assert Linear(V, U, mode="fastest")._weights.diagrams is None
    monkeypatch.setattr(_orbits, "_MOST", 15 * 15)
    _orbits._known.clear()
    assert Linear(V, U, mode="diagram").form == "diagram" and Linear(V, U, mode="fastest")._weights.diagrams is not None


def test_what_is_known_may_be_forgotten_meanwhile(monkeypatch):
    """By another thread, between any two steps."""

    class Forgetting(OrderedDict):
        def __contains__(self, key):
            there = super().__contains__(key)
            self.pop(key, None)
            return there

        def __setitem__(self, key, value):
            pass

    V, U = representations("S5", "perm^2", "perm^2")
    table = (V >> U).table()
    found = _orbits.recognised(table, True)
    monkeypatch.setattr(_orbits, "_known", Forgetting())
    again = _orbits.recognised(table, True)
    assert (again.maps, again.sizes) == (found.maps, found.sizes) and (again.weights == found.weights).all()
    full = Forgetting()
    OrderedDict.__setitem__(full, (table.sha256, table.rows, table.cols, True), (found,))
    monkeypatch.setattr(_orbits, "_known", full)
    assert _orbits.recognised(table, True) is found


@pytest.mark.parametrize("mode, expected", [("diagram", "automatic"), ("dense", "dense")])
def test_patterns_elsewhere_have_the_mode_of_those_here(mode, expected, monkeypatch):
    weights = Linear(*representations("S4", "perm", "perm"), mode=mode)._weights
    monkeypatch.setattr(torch.Tensor, "to", lambda t, *_: t)  # where there is no such device
    assert weights.on(torch.device("cuda", 7)).mode == weights.on(torch.device("cpu")).mode == expected


@some_cases
def test_gradcheck(case):
    layer, _, x = pair(case, (1, 2))
    parameters = dict(layer.named_parameters())

    def f(x, *values):
        return torch.func.functional_call(layer, dict(zip(parameters, values)), (x,))

    x = x[:2].detach().requires_grad_()
    assert gradcheck(f, (x, *parameters.values())) and gradgradcheck(f, (x, *parameters.values()))


@some_cases
def test_torch_func(case):
    layer, reference, x = pair(case)
    x, v = x.detach(), torch.randn_like(x)
    for transform in (
        lambda m: torch.func.jvp(m, (x,), (v,)),
        lambda m: torch.func.vmap(m)(x),
        lambda m: torch.func.hessian(lambda x: m(x).pow(3).sum())(x[0, :, :4] if x.shape[-1] == 4 else x[0]),
        lambda m: torch.func.vmap(
            torch.func.grad(lambda theta, x: torch.func.functional_call(m, {"theta": theta}, (x,)).pow(2).sum()),
            (None, 0),
        )(m.theta, x),
    ):
        torch.testing.assert_close(transform(layer), transform(reference))


@pytest.mark.parametrize("case", SMALL[2:], ids=[NAMES[TENSORS.index(c)] for c in SMALL[2:]])
def test_compiled_and_exported(case, tmp_path):
    layer, reference, x = pair(case)
    compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")
    for batch in (4, 3):
        y = compiled(x[:batch])
        torch.testing.assert_close(y, reference(x[:batch]))
    torch.testing.assert_close(
        *(torch.autograd.grad(m(x).pow(2).sum(), [x, *m.parameters()]) for m in (compiled, reference))
    )
    program = torch.export.export(layer, (x.detach(),), dynamic_shapes=({0: torch.export.Dim("batch")},))
    torch.export.save(program, tmp_path / "layer.pt2")
    loaded = torch.export.load(tmp_path / "layer.pt2")
    plain = loaded.run_decompositions(decompositions())
    for p in (loaded, plain):
        torch.testing.assert_close(p.module()(x[:3]), reference(x[:3]))
        assert not [n for n in p.graph.nodes if "intertwine" in str(n.target)]


def test_onnx(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    layer, _, x = pair(TENSORS[1], dtype=torch.float32)
    torch.onnx.export(layer.eval(), (x.detach(),), tmp_path / "layer.onnx", verbose=False)
    session = onnxruntime.InferenceSession(tmp_path / "layer.onnx", providers=["CPUExecutionProvider"])
    (y,) = session.run(None, {session.get_inputs()[0].name: x.detach().numpy()})
    torch.testing.assert_close(torch.from_numpy(y), layer(x).detach(), rtol=1e-4, atol=1e-5)


def test_shapes_and_strides():
    layer, reference, x = pair(TENSORS[1])
    x = x.detach()
    strange = [
        x[0],
        x[:0],
        x[:, :, :1].expand(-1, -1, 25),
        x.mT.contiguous().mT,
        x.view(2, 2, 2, 25),
        torch.randn(2, 0, 2, 25, dtype=x.dtype),
    ]
    strange.append(torch.imag(torch.conj(torch.complex(x, x))))  # with a lazy sign
    for t in strange:
        torch.testing.assert_close(layer(t), reference(t))
    assert layer.to("meta")(torch.empty(3, 2, 25, device="meta", dtype=x.dtype)).shape == (3, 3, 25)
    for wrong in (x[..., :24], x[:, :1], x.float()):
        with pytest.raises(DomainError):
            layer(wrong)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_small_numbers_and_autocast(dtype):
    layer, reference, x = pair(TENSORS[1])
    expected, precision = reference(x), {torch.float32: 1e-5, torch.bfloat16: 8e-2, torch.float16: 1e-2}[dtype]
    small = copy.deepcopy(layer).to(dtype)
    y = small(x.to(dtype))
    assert y.dtype == dtype and (y - expected).norm() < precision * expected.norm()
    y.float().pow(2).sum().backward()
    assert small.theta.grad.dtype == dtype and torch.isfinite(small.theta.grad).all()
    if dtype != torch.float32:
        single = copy.deepcopy(layer).float()
        with torch.autocast("cpu", dtype=dtype):
            y = single(x.float())
        assert y.dtype == dtype and (y - expected).norm() < precision * expected.norm()


def test_state_and_copies():
    layer, reference, x = pair(TENSORS[1])
    automatic = Linear(*representations("S5", "perm^2", "perm^2"), 2, 3, dtype=torch.float64)
    automatic.load_state_dict(layer.state_dict())  # theta is that of the orbits in all modes
    torch.testing.assert_close(automatic(x), layer(x))
    buffer = io.BytesIO()
    torch.save(layer, buffer)
    buffer.seek(0)
    for other in (
        copy.deepcopy(layer),
        pickle.loads(pickle.dumps(layer)),
        torch.load(buffer, weights_only=False),
        Linear.from_table(layer.table, 2, 3, mode="diagram", dtype=torch.float64),
    ):
        other.load_state_dict(layer.state_dict())
        assert torch.equal(other(x), layer(x)) and other.form == "diagram"
    assert "mode='diagram'" in repr(layer)
    graphs = Tensors(2, 2, 2, 3, dtype=torch.float64)
    graphs.load_linear(layer, 5)
    torch.testing.assert_close(graphs(x.unflatten(-1, (5, 5))).flatten(-2), layer(x))
    torch.testing.assert_close(graphs.to_linear(5, mode="diagram")(x), layer(x))


def test_other_layers_by_diagrams():
    """Blocks, where every one is one of tensors; relaxed layers, by the table of the subgroup; and convolutions write W
    whatever its orbits are."""
    G = Group("S5")
    V = G.rep("2*perm + 3*perm^2")
    blocks, reference = (Linear(V, V, mode=mode, dtype=torch.float64) for mode in ("diagram", "torch"))
    reference.load_state_dict(blocks.state_dict())
    x = torch.randn(3, V.dimension, dtype=torch.float64)
    torch.testing.assert_close(blocks(x), reference(x))
    V = G.rep("perm")
    relaxed = [
        RelaxedLinear(V, V, Group("S5").subgroup(["(1,2,3)", "(3,4,5)"]), 2, 2, mode=mode, dtype=torch.float64)
        for mode in ("diagram", "torch")
    ]
    relaxed[1].load_state_dict(relaxed[0].state_dict())
    x = torch.randn(3, 2, 5, dtype=torch.float64)
    torch.testing.assert_close(relaxed[0](x), relaxed[1](x))
    with pytest.raises(DomainError, match="every partition"):
        RelaxedLinear(V, V, Group("S5").subgroup(["(1,2)"]), mode="diagram")
    R = Group("C4").rep("trivial")
    assert Conv2d(R, R, 1, 1, 1).form != "diagram"


def test_where_diagrams_are_taken_unasked():
    """By fastest where they should be faster, by automatic where nobody writes W down; never in mode "torch"."""
    V = Group("S30").rep("perm^2")
    fastest, dense = (Linear(V, V, 8, 8, mode=mode, dtype=torch.float64) for mode in ("fastest", "dense"))
    dense.load_state_dict(fastest.state_dict())
    x = torch.randn(2, 8, 900, dtype=torch.float64, requires_grad=True)
    y = fastest(x)
    assert fastest.form == "diagram"
    torch.testing.assert_close(y, dense(x))
    torch.testing.assert_close(
        *(torch.autograd.grad(m(x).pow(2).sum(), [x, *m.parameters()]) for m in (fastest, dense))
    )
    small = Linear(*representations("S4", "perm", "perm"), 2, 2, mode="fastest")
    small(torch.randn(1, 2, 4))
    assert small.form not in ("", "diagram")
    compiled = torch.compile(fastest, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), y)
    V = Group("S64").rep("perm^2")
    large, plain = Linear(V, V, 4, 5), Linear(V, V, 1, 1)
    assert large.form == "diagram" and plain.form == ""
    with torch.no_grad():
        plain.theta.copy_(large.theta[:, :1, :1])
        x = torch.randn(1, 1, 4096)
        torch.testing.assert_close(
            large(torch.nn.functional.pad(x, (0, 0, 0, 3)))[:, :1], plain(x), rtol=1e-3, atol=1e-3
        )
    assert plain.form in ("dense", "lookup")


def test_the_form_is_that_of_the_last_product():
    """In types of 16 bits, under autocast and in torch.func there is no choice, whatever ran before."""
    V, U = representations("S30", "perm^2", "perm^2")
    layer, x = Linear(V, U, 8, 8, mode="fastest"), torch.randn(2, 8, 900)
    for other in (
        lambda: layer.bfloat16(),
        lambda: torch.func.vmap(layer)(x),
        lambda: torch.autocast("cpu", torch.bfloat16)(layer)(x),
    ):
        layer.float()(x)
        assert layer.form == "diagram"
        other()
        assert layer.form != "diagram"
    layer.float()(x)
    assert layer.form == "diagram"


def test_the_choice_is_that_of_the_cost_model(monkeypatch):
    """seconds_of and expected_seconds are what is compared, both growing with the work; forced, nobody asks."""
    V, U = representations("S8", "perm^2", "perm^2")
    layer = Linear(V, U, 4, 4, mode="fastest")
    plan, weights = layer._weights.plan, layer._weights
    assert 0 < plan.expected_seconds(1) < plan.expected_seconds(64)
    assert 0 < plan.seconds_of(1e6, 0) < plan.seconds_of(1e6, 1e6) < plan.seconds_of(1e7, 1e6)
    x, found, by_diagrams = torch.randn(3, 4, 64), [], _linear._by_diagrams
    for preferred in (True, False):
        called = []
        monkeypatch.setattr(
            _linear, "_by_diagrams", lambda *arguments, called=called: called.append(1) or by_diagrams(*arguments)
        )
        weights._preferred = {3: preferred}
        found.append(layer(x))
        assert bool(called) == preferred == (layer.form == "diagram")
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-4)
