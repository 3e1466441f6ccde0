"""Sets, Graphs, Tensors: against weight tables, against formulas, against loops; masks, sizes, transformations, bad
input."""

import copy
import importlib.util
import itertools
import math
import pickle
import random

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import numpy
import torch
from intertwine import DomainError, Group, LimitError, VerificationError
from intertwine.nn import Graphs, Linear, Sets, Tensors, _ops, sizes
from intertwine.nn._diagrams import coarser, diagrams, partitions_of_axes, words
from intertwine.nn._orbits import to_diagrams, to_orbits

BELL = [1, 1, 2, 5, 15, 52, 203, 877]  # OEIS A000110
SHAPES = [
    (1, 1),
    (2, 2),
    (2, 1),
    (1, 2),
    (2, 0),
    (0, 2),
    (1, 3),
    (3, 1),
    ("ui", "ui"),
    ("aui", "u"),
    ("iu", "ui"),
    ("u", "ii"),
]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


def layer_of(shape, n, **keywords):
    """A layer with all parameters normal, sizes of its sets, and inputs."""
    layer = Tensors(*shape, 2, 3, **{"dtype": torch.float64, **keywords})
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    size = {letter: n + i for i, letter in enumerate(sorted(set("".join(layer.axes))))}
    x = torch.randn(4, 2, *(size[c] for c in layer.axes[0]), dtype=layer.theta.dtype, requires_grad=True)
    return layer, size, x


def outputs(f, layer, x, *more, **keywords):
    y = f(x, *more, **keywords)
    return y, *torch.autograd.grad(y.pow(2).sum(), [x, *layer.parameters()], materialize_grads=True)


# --- The mathematics -------------------------------------------------------------------------------------------------------


def test_diagrams_are_counted_by_bell_numbers():
    for k, l in itertools.product(range(4), range(4)):
        maps = diagrams("a" * k, "a" * l)
        assert len(maps.words) == len(set(maps.words)) == sum(level.size for level in maps.levels) == BELL[k + l]
        assert set(maps.words) == set(partitions_of_axes("a" * (k + l)))
    for kinds in ("aaaa", "aab", "abcabc", ""):
        assert words("", kinds) == list(partitions_of_axes(kinds))
    assert len(Tensors("abcde", "abcde").theta) == 32
    assert len(diagrams("ui", "ui").words) == 4  # exchangeable matrices (Hartford et al. 2018)
    assert len(diagrams("abc", "abc").words) == 8
    assert (
        len(Graphs().theta) == 15 and len(Graphs().bias) == 2 and len(Sets().theta) == 2
    )  # Maron et al. 2019, Zaheer et al. 2017


@pytest.mark.parametrize("kinds", ["aaaa", "aaab", "abab", "aaaaa"])
def test_moebius_inverts_zeta(kinds):
    """Both beside the definition, at sizes with all orbits and with some; where some are missing, back is an inverse
    from the right."""
    words = partitions_of_axes(kinds)
    assert list(words) == sorted(words)
    merged = {word: dict(coarser(word, kinds)) for word in words}
    for finer, other in itertools.product(words, words):
        pairs = itertools.combinations(range(len(kinds)), 2)
        assert (other in merged[finer]) == all(
            other[p] == other[q] for p, q in pairs if kinds[p] == kinds[q] and finer[p] == finer[q]
        )
    for n in (1, 2, len(kinds)):
        sizes = dict.fromkeys(kinds, n)
        there = [word for word in words if max(word) < n]
        forth, back = to_orbits(words, kinds, sizes), to_diagrams(words, kinds, sizes)
        assert (forth == [[orbit in merged[word] for word in words] for orbit in there]).all()
        assert (forth @ back == numpy.eye(len(there), dtype=int)).all()
        order = [5 * i % len(words) if len(words) % 5 else len(words) - 1 - i for i in range(len(words))]
        mixed = [words[i] for i in order]
        assert (to_orbits(mixed, kinds, sizes) == forth[:, order]).all() and (
            to_diagrams(mixed, kinds, sizes) == back[order]
        ).all()
    if kinds == "aaaa":
        assert back[words.index((0, 0, 0, 0)), words.index((0, 1, 2, 3))] == -6  # (-1)^3 3!


def test_the_change_of_basis_takes_as_many_steps_as_chains():
    """1, 3, 12, 60, 358, 2471 pairs of a partition and a coarser one (OEIS A000258), where all pairs would be 41209 for
    six axes."""
    found = [sum(1 for word in partitions_of_axes("a" * n) for _ in coarser(word, "a" * n)) for n in range(1, 7)]
    assert found == [1, 3, 12, 60, 358, 2471]


@pytest.mark.parametrize("k, l", [(1, 1), (2, 2), (2, 1), (1, 2), (1, 3), (0, 2), (2, 0)])
def test_tables_are_sums_of_diagrams_exactly(k, l):  # noqa: E741
    """Orbits in the order of the words, and every diagram as a matrix the sum of orbits that zeta says, in integers."""
    words = partitions_of_axes("a" * (l + k))
    for n in range(1, 7):
        G = Group(f"S{n}")
        V, U = (G.rep(f"perm^{d}" if d else "trivial") for d in (k, l))
        table = (V >> U).table()
        zeta, there = to_orbits(words, "a" * (l + k), {"a": n}), [word for word in words if max(word, default=-1) < n]
        assert table.params == len(there)
        code = numpy.asarray(table.weight_code, dtype=int)
        entries = list(itertools.product(range(n), repeat=l + k))
        for d, word in enumerate(words):
            agree = [
                all(e[i] == e[j] for i, j in itertools.combinations(range(l + k), 2) if word[i] == word[j])
                for e in entries
            ]
            diagram = numpy.array(agree, dtype=int).reshape(code.shape)
            orbits = sum(zeta[p, d] * (code == 1 + p) for p in range(len(there)))
            assert (diagram == orbits).all()


@every_shape
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_every_size_is_the_layer_of_its_table(shape, reduction):
    """Also where n < k + l and diagrams are dependent; and back from the table."""
    for n in (1, 2, 3, 5):
        layer, size, x = layer_of(shape, n, reduction=reduction)
        linear = layer.to_linear(size)
        flat = x.flatten(2) if layer.axes[0] else x[..., None]
        expected = linear(flat)
        y = layer(x, n=size)
        torch.testing.assert_close(y.reshape(expected.shape), expected)
        g = torch.randn_like(y)
        torch.testing.assert_close(
            *(torch.autograd.grad(f, x, h) for f, h in ((y, g), (expected, g.reshape(expected.shape))))
        )
        back = Tensors(*shape, 2, 3, reduction=reduction, dtype=torch.float64)
        back.load_linear(linear, size)
        torch.testing.assert_close(back(x, n=size), y)
        if n == 5:
            torch.testing.assert_close(back.theta, layer.theta)
            torch.testing.assert_close(back.bias, layer.bias)


def test_every_diagram_of_graphs_at_twelve_nodes():
    layer = Graphs(1, 1, bias=False, reduction="sum", dtype=torch.float64)
    unit = torch.eye(144, dtype=torch.float64).view(144, 1, 12, 12)
    for d in range(15):
        with torch.no_grad():
            layer.theta.zero_()[d] = 1
        W = layer(unit).reshape(144, 144).t()
        assert torch.equal(W, layer.to_linear(12).weight())
        assert W.sum() == 12 ** (1 + max(layer.diagrams[d]))


def test_formulas():
    x = torch.randn(2, 1, 5, 5, dtype=torch.float64)
    eye = torch.eye(5, dtype=torch.float64)
    d, rows, cols = x.diagonal(dim1=2, dim2=3), x.mean(3), x.mean(2)
    expected = {
        (0, 1, 0, 1): x,
        (0, 1, 1, 0): x.transpose(2, 3),
        (0, 1, 0, 2): rows[..., None].expand_as(x),
        (0, 1, 1, 2): rows[..., None, :].expand_as(x),
        (0, 1, 2, 1): cols[..., None, :].expand_as(x),
        (0, 0, 0, 0): eye * x,
        (0, 0, 1, 1): eye * d.mean(2)[..., None, None],
        (0, 1, 2, 3): x.mean((2, 3), keepdim=True).expand_as(x),
        (0, 0, 0, 1): torch.diag_embed(rows),
    }
    layer = Graphs(dtype=torch.float64)
    for word, y in expected.items():
        with torch.no_grad():
            layer.theta.zero_()[layer.diagrams.index(word)] = 1
        torch.testing.assert_close(layer(x), y)
    with torch.no_grad():
        layer.theta.zero_()
        layer.bias[layer.bias_diagrams.index((0, 0))] = 2
        layer.bias[layer.bias_diagrams.index((0, 1))] = 3
    torch.testing.assert_close(layer(x), (3 + 2 * eye).expand_as(x))
    sets = Sets(2, 3, dtype=torch.float64)
    x = torch.randn(4, 2, 6, dtype=torch.float64)
    y = torch.einsum("oi,bin->bon", sets.theta[0], x) + (x.mean(2) @ sets.theta[1].t() + sets.bias[0])[..., None]
    torch.testing.assert_close(sets(x), y)


@every_shape
def test_relabelling_the_points_relabels_the_output(shape):
    layer, size, x = layer_of(shape, 4)
    choose = random.Random(1)
    order = {c: torch.tensor(choose.sample(range(n), n)) for c, n in size.items()}

    def moved(t, word):
        for axis, c in enumerate(word):
            t = t.index_select(2 + axis, order[c])
        return t

    torch.testing.assert_close(layer(moved(x, layer.axes[0]), n=size), moved(layer(x, n=size), layer.axes[1]))
    if layer.axes[1]:  # the test sees a layer that knows the points
        wrong = lambda t: layer(t, n=size) * torch.arange(1.0, 1 + size[layer.axes[1][-1]])  # noqa: E731
        assert (wrong(moved(x, layer.axes[0])) - moved(wrong(x), layer.axes[1])).abs().max() > 1e-3


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (2, 0), ("ui", "ui")], ids=str)
def test_means_agree_across_sizes(shape):
    """Every point twice: the same outputs, twice. Sums do not do that."""
    for reduction in ("mean", "sum"):
        layer, size, x = layer_of(shape, 3, reduction=reduction)

        def twice(t):
            for axis in range(2, t.dim()):
                t = t.repeat_interleave(2, axis)
            return t

        differ = (layer(twice(x)) - twice(layer(x))).abs().max()
        # Off the diagonal: Tensors(2, 1) reads the diagonal of x, which is the same in both.
        assert differ < 1e-12 if reduction == "mean" else differ > 1e-3


# --- Masks -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (2, 1), (1, 2), (2, 0), (0, 2), ("ui", "u"), ("ui", "iu")], ids=str)
def test_a_batch_of_different_sizes_is_every_one_alone(shape, reduction):
    layer, size, x = layer_of(shape, 5, reduction=reduction)
    letters = sorted(size)
    counts = {c: [5, 3, 1, 0] for c in letters}
    masks = {}
    for c in letters:
        masks[c] = torch.zeros(4, size[c], dtype=torch.bool)
        for b, m in enumerate(counts[c]):
            masks[c][b, torch.randperm(size[c])[:m]] = True
    mask = masks if len(letters) > 1 else masks[letters[0]]
    y = layer(x, mask)

    def at(t, word, b):
        points = numpy.ix_(*(masks[c][b].nonzero()[:, 0].numpy() for c in word)) if word else ()
        return t[b : b + 1][(slice(None), slice(None), *points)]

    for b in range(4):
        alone = layer(at(x, layer.axes[0], b), n={c: counts[c][b] for c in letters})
        torch.testing.assert_close(at(y, layer.axes[1], b), alone)
    # What is not there is zero, and never looked at: not its values, not its gradients.
    outside = torch.ones_like(y, dtype=torch.bool)
    for axis, c in enumerate(layer.axes[1]):
        outside &= masks[c].reshape(4, 1, *(-1 if a == axis else 1 for a in range(len(layer.axes[1]))))
    assert not y[~outside].any()
    inside = torch.ones_like(x, dtype=torch.bool)
    for axis, c in enumerate(layer.axes[0]):
        inside &= masks[c].reshape(4, 1, *(-1 if a == axis else 1 for a in range(len(layer.axes[0]))))
    spoilt = torch.where(inside, x, float("nan")).detach().requires_grad_()
    again, dx, *rest = outputs(layer, layer, spoilt, mask)
    assert torch.equal(again, y) and not dx[~inside].any() and all(torch.isfinite(r).all() for r in (dx, *rest))
    torch.testing.assert_close((again, dx, *rest), outputs(layer, layer, x, mask))
    if shape == ("ui", "u") and reduction == "mean":
        compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(outputs(compiled, layer, x, mask), outputs(layer, layer, x, mask))


def test_leading_dimensions_and_no_batch():
    layer, _, x = layer_of((2, 2), 4)
    mask = torch.rand(4, 4) < 0.7
    y = layer(x, mask)
    torch.testing.assert_close(layer(x.view(2, 2, 2, 4, 4), mask.view(2, 2, 4)), y.view(2, 2, 3, 4, 4))
    torch.testing.assert_close(layer(x[1], mask[1]), y[1])
    for empty in (torch.zeros(0, 2, 4, 4), torch.zeros(3, 2, 0, 0)):
        empty = empty.double().requires_grad_()
        y, *grads = outputs(layer, layer, empty)
        assert y.shape == (empty.shape[0], 3, *empty.shape[2:]) and all(torch.isfinite(g).all() for g in grads)
    assert layer.to(torch.float32)(x.float()).dtype == torch.float32
    assert torch.equal(
        Tensors(2, 0, 2, 3, dtype=torch.float64)(torch.zeros(3, 2, 0, 0).double()), torch.zeros(3, 3).double()
    )


# --- Derivatives and transformations -----------------------------------------------------------------------------------------


@every_shape
def test_the_closed_form_of_derivatives_is_that_of_plain_operators(shape, monkeypatch):
    layer, size, x = layer_of(shape, 4)
    ours = outputs(layer, layer, x, n=size)
    with monkeypatch.context() as m:
        m.setattr(sizes._ops, "door", lambda *a, **k: _ops._PLAIN)
        torch.testing.assert_close(outputs(layer, layer, x, n=size), ours)
    assert all(t.abs().max() > 0 for t in ours)


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (2, 1), (1, 2), ("ui", "ui")], ids=str)
def test_gradcheck(shape):
    layer, size, x = layer_of(shape, 3)
    x = x[:2].detach().requires_grad_()
    mask = {c: torch.tensor([[True] * n, [True, False] + [True] * (n - 2)]) for c, n in size.items()}
    mask = mask if len(mask) > 1 else mask["a"]
    f = lambda x, theta, bias: torch.func.functional_call(layer, {"theta": theta, "bias": bias}, (x, mask))  # noqa: E731
    arguments = (x, layer.theta.detach()[:, :2, :].clone(), layer.bias.detach()[:, :2].clone())
    layer.out_channels = 2
    arguments = tuple(a.detach().requires_grad_() for a in arguments)
    assert torch.autograd.gradcheck(f, arguments, check_forward_ad=True, check_batched_grad=True, fast_mode=True)
    assert torch.autograd.gradgradcheck(f, arguments, fast_mode=True)


def test_torch_func():
    layer, _, x = layer_of((2, 2), 3)
    x = x.detach()
    parameters = {k: v.detach() for k, v in layer.named_parameters()}
    call = lambda p, x: torch.func.functional_call(layer, p, (x,))  # noqa: E731
    loss = lambda p, x: call(p, x).tanh().pow(2).sum()  # noqa: E731
    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(parameters, x)
    for b in range(4):
        alone = torch.func.grad(loss)(parameters, x[b])
        torch.testing.assert_close({k: v[b] for k, v in each.items()}, alone)
    tangent = torch.randn_like(x)
    y, dy = torch.func.jvp(lambda x: call(parameters, x), (x,), (tangent,))
    bias = layer.bias_diagrams and call(
        {"theta": parameters["theta"], "bias": torch.zeros_like(parameters["bias"])}, tangent
    )
    torch.testing.assert_close((y, dy), (layer(x).detach(), bias))
    many = {k: torch.stack((v, 2 * v)) for k, v in parameters.items()}
    for dims in ({"theta": 0, "bias": 0}, {"theta": None, "bias": 0}, {"theta": 0, "bias": None}):
        chosen = {k: many[k] if dims[k] == 0 else parameters[k] for k in many}
        both = torch.func.vmap(call, in_dims=(dims, None))(chosen, x)
        torch.testing.assert_close(both[1], call({k: v[1] if dims[k] == 0 else v for k, v in chosen.items()}, x))
    hessian = torch.func.hessian(lambda x: call(parameters, x).pow(3).sum())(x[0])
    assert hessian.shape == (2, 3, 3, 2, 3, 3) and hessian.abs().max() > 0


def test_compile_whole_with_any_size():
    layer, *_ = layer_of((2, 2), 4)
    compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")

    def inputs(batch, n):
        points = {c: n + i for i, c in enumerate(sorted(set(layer.axes[0])))}
        return torch.randn(batch, 2, *(points[c] for c in layer.axes[0]), dtype=torch.float64, requires_grad=True)

    x = inputs(11, 4)
    torch.testing.assert_close(outputs(compiled, layer, x), outputs(layer, layer, x))
    with torch.compiler.set_stance("fail_on_recompile"):
        for batch, n in ((2, 7), (9, 3), (6, 12)):
            x = inputs(batch, n)
            torch.testing.assert_close(outputs(compiled, layer, x), outputs(layer, layer, x))


def test_export_with_any_size(tmp_path):
    layer, _, x = layer_of((2, 2), 4)
    mask = torch.rand(4, 4) < 0.7
    batch, n = torch.export.Dim("batch"), torch.export.Dim("n")
    shapes = {"x": {0: batch, 2: n, 3: n}, "mask": {0: batch, 1: n}}
    program = torch.export.export(layer, (x, mask), dynamic_shapes=shapes)
    torch.export.save(program, tmp_path / "graphs.pt2")
    loaded = torch.export.load(tmp_path / "graphs.pt2").module()
    for b, m in ((3, 7), (5, 2)):
        x, mask = torch.randn(b, 2, m, m, dtype=torch.float64), torch.rand(b, m) < 0.7
        torch.testing.assert_close(loaded(x, mask), layer(x, mask))


@pytest.mark.skipif(
    any(importlib.util.find_spec(m) is None for m in ("onnx", "onnxscript", "onnxruntime")),
    reason="onnx, onnxscript or onnxruntime is not installed",
)
def test_onnx(tmp_path):
    import onnxruntime

    layer, _, x = layer_of((2, 1), 4, dtype=torch.float32)
    layer = layer.eval()
    path = tmp_path / "layer.onnx"
    torch.onnx.export(layer, (x.detach(),), path, verbose=False)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (y,) = session.run(None, {session.get_inputs()[0].name: x.detach().numpy()})
    torch.testing.assert_close(torch.from_numpy(y), layer(x).detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_small_numbers_and_autocast(dtype):
    layer, _, x = layer_of((2, 2), 4, dtype=torch.float32)
    exact = layer(x)
    with torch.autocast("cpu", dtype=dtype):
        y = layer(x)
        assert y.dtype == dtype
    torch.testing.assert_close(y.float(), exact, rtol=5e-2, atol=2e-1)
    y.sum().backward()
    assert layer.theta.grad.dtype == torch.float32
    torch.testing.assert_close(layer.to(dtype)(x.to(dtype)).float(), exact, rtol=5e-2, atol=2e-1)


# --- Training and state ------------------------------------------------------------------------------------------------------


def test_trains_on_small_sets_and_is_right_on_large_ones():
    """The variance of a set, as the mean of squares about the mean: a function of all sizes."""
    model = torch.nn.Sequential(Sets(1, 16), torch.nn.ReLU(), Sets(16, 16), torch.nn.ReLU(), Tensors(1, 0, 16, 1))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(300):
        x = torch.rand(64, 1, 10) * torch.rand(64, 1, 1) * 2
        optimiser.zero_grad()
        (model(x) - x.std(2)).pow(2).mean().backward()
        optimiser.step()
    x = torch.rand(64, 1, 300) * torch.rand(64, 1, 1) * 2
    target = x.std(2)
    assert (model(x) - target).pow(2).mean() < 0.05 * target.var()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"])
def test_copies_and_state(copied):
    layer, _, x = layer_of((2, 1), 4)
    assert list(layer.state_dict()) == ["theta", "bias", "_extra_state"] and not list(layer.buffers())
    assert torch.equal(copied(layer)(x), layer(x))
    other = Tensors("gg", "g", 2, 3, dtype=torch.float64)  # letters are names only
    other.load_state_dict(layer.state_dict())
    assert torch.equal(other(x), layer(x))
    for wrong in (Tensors(1, 2, 2, 3, dtype=torch.float64), Tensors(2, 1, 2, 3, reduction="sum", dtype=torch.float64)):
        before = wrong.theta.detach().clone()
        assert before.shape == layer.theta.shape
        with pytest.raises(VerificationError, match="with the axes and the reduction"):
            wrong.load_state_dict(layer.state_dict())
        assert torch.equal(before, wrong.theta)


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (2, 1), (1, 2)], ids=str)
def test_initial_variance(shape):
    """Of inputs that are the same at all points, off the diagonals."""
    for reduction, n in (("mean", 4), ("sum", 6)):
        layer = Tensors(*shape, 64, 64, reduction=reduction)
        values = []
        for gain in (1.0, 1.0, 1.0, 2.0):
            layer.reset_parameters(gain, n=n)
            x = torch.randn(20, 64, *(1,) * shape[0]).expand(20, 64, *(n,) * shape[0])
            values.append(float(layer(x).detach()[(slice(None), slice(None), *range(shape[1]))].var() / gain**2))
        assert sum(values) / 4 == pytest.approx(1, rel=0.25)
    assert not layer.bias.any()


# --- Bad input ---------------------------------------------------------------------------------------------------------------


def test_bad_input():
    layer, _, x = layer_of((2, 2), 4)
    for wrong in (torch.zeros(2, 4, 5), torch.zeros(3, 4, 4), torch.zeros(4, 4)):
        with pytest.raises(DomainError, match=r"takes \[..., 2, n, n\]"):
            layer(wrong.double())
    with pytest.raises(DomainError, match="convert one"):
        layer(x.float())
    with pytest.raises(DomainError, match="move one"):
        layer(x.to("meta"))
    for wrong in (torch.ones(4, 4), torch.ones(4, 5, dtype=torch.bool), torch.ones(4, dtype=torch.bool)):
        with pytest.raises(DomainError, match=r"must be torch.bool of the shape \[4, 4\]"):
            layer(x, wrong)
    with pytest.raises(DomainError, match="there is no set 'b'"):
        layer(x, {"b": torch.ones(4, 4, dtype=torch.bool)})
    with pytest.raises(DomainError, match="give the masks as a dict by letter"):
        Tensors("ui", "u")(torch.zeros(1, 1, 3, 4), torch.ones(1, 3, dtype=torch.bool))
    with pytest.raises(DomainError, match="say its size"):
        Tensors(0, 2)(torch.zeros(1, 1))
    assert Tensors(0, 2)(torch.zeros(1, 1), torch.ones(1, 3, dtype=torch.bool)).shape == (1, 1, 3, 3)
    for k, l in ((-1, 1), (1.5, 1), ("u1", "u"), (True, 1)):  # noqa: E741
        with pytest.raises(DomainError, match="a number of axes"):
            Tensors(k, l)
    with pytest.raises(LimitError, match="there are 4213597 diagrams"):  # Bell number 12
        Tensors(6, 6)
    with pytest.raises(DomainError, match="cannot have -2 points"):
        Tensors(0, 1)(torch.zeros(1, 1), n=-2)
    with pytest.raises(DomainError, match="reductions are mean, sum"):
        Sets(reduction="max")
    with pytest.raises(DomainError, match="positive integer"):
        Sets(0)
    with pytest.raises(DomainError, match="floating-point"):
        Graphs(dtype=torch.int64)
    with pytest.raises(DomainError, match="positive integer, not 0"):
        layer.to_linear(0)
    with pytest.raises(DomainError, match="torch.nn.Linear"):
        Tensors(0, 0).to_linear(3)
    V = Group("C4").rep("perm^2")
    with pytest.raises(DomainError, match="is not one of the same channels"):
        layer.load_linear(Linear(V, V, 2, 3), 4)


def test_repr_and_large_graphs_in_little_memory():
    layer = Graphs(2, 2)
    assert (
        repr(layer)
        == "Graphs('aa' -> 'aa', 2 -> 2 channels, 15 parameters a pair, 2 bias parameters, reduction='mean')"
    )
    x = torch.randn(1, 2, 400, 400, requires_grad=True)  # W would have 400^4 entries
    y, dx, *_ = outputs(layer, layer, x)
    assert y.shape == dx.shape == x.shape and math.isfinite(float(dx.sum()))
