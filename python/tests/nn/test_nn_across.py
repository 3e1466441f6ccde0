"""What commutes with maps between sizes, against matrices; networks across sizes."""

import pytest

from layers_for_tests import layer_of, matrices, moved, seeded, tokens  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, VerificationError
from intertwine.nn import Graphs, Sets, Tensors, compatible

ACROSS = [
    ("S(n)", 1, 1), ("S(n)", 2, 2), ("S(n)", 2, 1), ("S(n)", 1, 2), ("S(n)", 1, 0), ("S(n)", "ui", "ui"), ("B(n)", 2, 2), ("B(n)", 1, 3), ("O(n)", 2, 2),
    ("O(n)", 2, 0), ("Sp(n)", 2, 2), ("Sp(n)", 0, 2), ("GL(n)", "vv*", "vv*"), ({"a": "S(n)", "v": "O(2)"}, "av", "avv"),
    ({"a": "S(n)", "v": "O(2)"}, "avv", "a"),
]  # fmt: skip


def between(name, family, n, m):
    """The matrix between sizes n and m on one axis, by its definition; restriction and averaging from m to n."""
    if name in ("padding", "restriction"):
        E = torch.zeros(m, n, dtype=torch.float64)
        halves = 2 if family.name == "Sp" else 1
        for i in range(n):
            part, at = divmod(i, n // halves)
            E[part * (m // halves) + at, i] = 1
    else:
        E = torch.eye(n, dtype=torch.float64).repeat_interleave(m // n, 0)
    return E if name in ("padding", "duplication") else E.t() if name == "restriction" else E.t() * n / m


def kron(factors):
    total = torch.ones(1, 1, dtype=torch.float64)
    for f in factors:
        total = torch.kron(total, f)
    return total


def free(layer, n):
    return {letter: family.size or n for letter, family in zip(layer._letters.values(), layer._families)}


def defect(layer, name, n, m):
    """|E f_n(x) - f_m(E x)| on random x, for a layer from size n to m; where maps go down, n and m change places."""
    families = dict(zip(layer._letters.values(), layer._families))
    start, end = (n, m) if name in ("padding", "duplication") else (m, n)
    size = free(layer, start)
    on = {c: torch.eye(f.size, dtype=torch.float64) if f.size else between(name, f, n, m) for c, f in families.items()}
    ins, outs = (tokens(word) for word in layer.axes)
    x = torch.randn(6, layer.in_channels, *(size[c] for c in ins), dtype=torch.float64)
    there = layer.requires_grad_(False)(moved(x, len(ins), [on[c] for c in ins]), n=free(layer, end))
    return float((there - moved(layer(x, n=size), len(outs), [on[c] for c in outs])).abs().max())


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("group, k, l", ACROSS, ids=lambda v: str(v).replace(" ", ""))
def test_compatible_is_what_commutes(group, k, l, reduction):  # noqa: E741
    """Diagram by diagram against matrices at sizes 2 -> 4 and 4 -> 8, and random sums; then layers built so."""
    letters = 1 if isinstance(k, int) else len(set(k + str(l)))
    steps = ((2, 4),) if letters > 1 or group == "Sp(n)" else ((2, 4), (4, 8))
    for name in ("padding", "restriction", "duplication", "averaging"):
        layer = layer_of(group, k, l, reduction=reduction)
        theta, bias = layer.theta.detach().clone(), layer.bias.detach().clone()
        good, wrong = [], []
        for values, _ones in ((layer.theta, theta), (layer.bias, bias)):
            for p in range(len(values)):
                with torch.no_grad():
                    layer.theta.zero_(), layer.bias.zero_()
                    values[p] = 1
                commutes = max(defect(layer, name, n, m) for n, m in steps) < 1e-12
                assert bool(compatible(layer, name)) == commutes, (name, p, values is layer.theta)
                (good if commutes else wrong).append((values is layer.theta, p))
        with torch.no_grad():  # random sums of those that do not commute do not either
            for into, (weights, values) in ((True, (layer.theta, theta)), (False, (layer.bias, bias))):
                weights.zero_()
                for is_theta, p in wrong:
                    if is_theta == into:
                        weights[p] = values[p]
        if wrong:
            assert max(defect(layer, name, n, m) for n, m in steps) > 1e-6
            report = compatible(layer, name)
            assert report.layers == {
                "": (tuple(p for t, p in wrong if t), tuple(p for t, p in wrong if not t))
            } and "do not commute" in str(report)
        built = layer_of(group, k, l, reduction=reduction, across=name)
        assert (len(built.theta), len(built.bias)) == (sum(t for t, _ in good), sum(not t for t, _ in good))
        assert compatible(built, name) and max(defect(built, name, n, m) for n, m in steps) < 1e-10
        assert str(compatible(built, name)) == f"compatible with {name}"
        # the same maps as those of the layer without the constraint
        with torch.no_grad():
            layer.theta.zero_(), layer.bias.zero_()
            for p, word in enumerate(built.diagrams):
                layer.theta[layer.diagrams.index(word)] = built.theta[p]
            for q, word in enumerate(built.bias_diagrams):
                layer.bias[layer.bias_diagrams.index(word)] = built.bias[q]
        x = torch.randn(2, 1, *(free(layer, 4)[c] for c in tokens(layer.axes[0])), dtype=torch.float64)
        torch.testing.assert_close(built(x, n=free(layer, 4)), layer(x, n=free(layer, 4)))


def test_networks_across_sizes():
    model = torch.nn.Sequential(
        Tensors(2, 2, 1, 4, across=("padding", "restriction")),
        torch.nn.ReLU(),
        Tensors(2, 1, 4, 2, across="restriction"),
    )
    report = compatible(model, "restriction")
    assert report and report.others == ("1",) and list(report.layers) == ["0", "2"]
    x = torch.randn(3, 1, 6, 6)
    torch.testing.assert_close(model(x)[..., :4], model(x[..., :4, :4]))
    assert (
        len(model[0].theta) == 3 and len(model[0].bias) == 0
    )  # x, x^T and the diagonal: nothing summed, nothing broadcast
    model[0] = Graphs(1, 4)
    report = compatible(model, "restriction")
    assert (
        not report
        and report.layers["0"][0]
        and not report.layers["2"][0]
        and str(report).startswith("not compatible with restriction: 0.theta[")
    )
    with torch.no_grad():  # training may find it, or pruning
        for p in report.layers["0"][0]:
            model[0].theta[p] = 0
    assert compatible(model, "restriction")
    pooled = torch.nn.Sequential(Sets(1, 4), torch.nn.Tanh(), Tensors(1, 0, 4, 1))
    assert compatible(pooled, "duplication") and not compatible(pooled, "padding")
    x = torch.randn(3, 1, 5)
    torch.testing.assert_close(pooled(x.repeat_interleave(3, -1)), pooled(x))
    assert Graphs(across="restriction").diagrams == Tensors(2, 2, across="restriction").diagrams
    assert Sets(across="padding", reduction="sum").diagrams == ((0, 0),)
    cloud = torch.nn.Sequential(Tensors("av", "v", 2, 2, group={"v": "O(3)"}), Tensors("v", "v", 2, 2, group="O(3)"))
    assert compatible(cloud, "duplication") and compatible(cloud, "duplication").layers == {
        "0": ((), ()),
        "1": ((), ()),
    }
    assert compatible(cloud, "restriction").layers == {"0": ((0,), ()), "1": ((), ())}  # the mean of all points
    deep = Tensors(1, 1, 2, 2, across="padding", reduction="sum")
    other = Tensors(1, 1, 2, 2, reduction="sum", bias=False)
    with pytest.raises(VerificationError, match="with the axes"):
        deep.load_state_dict(other.state_dict(), strict=False)
    deep = Tensors(1, 1, across="padding", bias=False, reduction="sum")
    full = Tensors(1, 1, bias=False, reduction="sum")
    with pytest.raises(DomainError, match="do not commute with padding"):
        deep.load_linear(full.to_linear(4), 4)
    with torch.no_grad():
        full.theta[1] = 0
    deep.load_linear(full.to_linear(4), 4)
    torch.testing.assert_close(deep.theta[0], full.theta[0])
