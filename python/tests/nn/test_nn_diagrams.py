"""Tensors of other groups than permutations, and what commutes between sizes: against tables of groups, generators,
inner products and matrices."""

import copy
import itertools
import json
import math
import re
from fractions import Fraction

import pytest

from layers_for_tests import input_of, layer_of, matrices, moved, seeded, tokens  # noqa: F401, isort: skip (skips where PyTorch is missing)
import numpy
import torch
from intertwine import DomainError, Group, InternalError, LimitError, VerificationError
from intertwine.nn import DiagramBasis, Sets, Tensors, _ops, compatible, sizes
from intertwine.nn._diagrams import diagrams, words
from intertwine.nn._families import Family, _solve
from intertwine.tables import load_diagrams

CASES = [
    # group, k, l, sizes: small enough for dense tables, with relations where there are any
    ("O(n)", 2, 2, (1, 2, 3)),
    ("O(n)", 3, 1, (1, 2, 3)),
    ("O(n)", 1, 3, (2, 3)),
    ("O(n)", 3, 3, (1, 2)),
    ("Sp(n)", 2, 2, (2, 4)),
    ("Sp(n)", 1, 3, (2, 4)),
    ("Sp(n)", 3, 3, (2,)),
    ("GL(n)", "vv*", "vv*", (1, 2, 3)),
    ("GL(n)", "vvv*", "v", (1, 2, 3)),
    ("GL(n)", 2, 2, (1, 2, 3)),
    ("GL(n)", 3, 3, (1, 2)),
    ("GL(n)", "v*v*", "v*v*", (2,)),
    ("SO(2)", 2, 2, (2,)),
    ("SO(3)", 2, 1, (3,)),
    ("SO(3)", 1, 2, (3,)),
    ("SO(3)", 2, 3, (3,)),
    ("SO(2)", 2, 4, (2,)),
    ("SO(4)", 2, 2, (4,)),
    ("SO(4)", 4, 0, (4,)),
    ("SO(3)", 0, 3, (3,)),
    ("SL(3)", "vv", "v*", (3,)),
    ("SL(3)", "v*v*", "v", (3,)),
    ("SL(3)", "v*", "vv", (3,)),
    ("SL(2)", "vv*", "vv*", (2,)),
    ("SL(2)", "vvv", "v*", (2,)),
    ("SL(2)", 2, "v*v*", (2,)),
    ("SL(3)", "vvv", "", (3,)),
    ("B(n)", 1, 1, (1, 2, 3)),
    ("B(n)", 2, 2, (1, 2, 3)),
    ("B(n)", 1, 3, (1, 2, 3)),
    ("B(n)", 3, 3, (1, 2)),
    ("S(3)", 2, 2, (3,)),
    ({"a": "S(n)", "v": "O(n)"}, "av", "av", (2, 3)),
    ({"a": "S(n)", "v": "O(3)"}, "avv", "a", (3,)),
    ({"v": "SO(2)"}, "avv", "avv", (2,)),
    ({"a": "B(n)", "b": "S(n)"}, "aab", "aa", (2, 3)),
    ({"v": "SO(2)"}, "av", "av", (2,)),
]  # fmt: skip
every_case = pytest.mark.parametrize("group, k, l, at", CASES, ids=lambda v: str(v).replace(" ", ""))


# --- The mathematics -------------------------------------------------------------------------------------------------------


def test_counts():
    double = [1, 0, 1, 0, 3, 0, 15, 0, 105, 0, 945]  # (m-1)!!, OEIS A001147
    even = [1, 0, 1, 0, 4, 0, 31, 0, 379]  # OEIS A005046
    for k, l in itertools.product(range(4), range(4)):  # noqa: E741
        ins, outs = "a" * k, "a" * l
        for name in ("O", "Sp"):
            assert (
                len(words(ins, outs, (Family(name),)))
                == len(diagrams(ins, outs, (Family(name),)).words)
                == double[k + l]
            )
        assert len(words(ins, outs, (Family("B"),))) == len(diagrams(ins, outs, (Family("B"),)).words) == even[k + l]
        assert (
            len(words(ins, outs, (Family("GL"),)))
            == len(diagrams(ins, outs, (Family("GL"),)).words)
            == (math.factorial(k) if k == l else 0)
        )
    for r, s in itertools.product(range(4), range(3)):
        assert len(words("a" * r + "A" * s, "a" * r + "A" * s, (Family("GL"),))) == math.factorial(
            r + s
        )  # walled Brauer
    assert len(diagrams("aaa", "aaa", (Family("SO", 3),)).words) == 15
    assert [len(diagrams("aa", "a" * l, (Family("SO", 3),)).words) for l in range(5)] == [1, 1, 3, 10, 15]  # noqa: E741
    for ins, outs, families in (("aab", "aab", ("O", "B")), ("abab", "abab", ("Sp", "S")), ("aAb", "aAb", ("GL", "S"))):
        pair = tuple(Family(name) for name in families)
        maps = diagrams(ins, outs, pair)
        assert len(set(maps.words)) == sum(level.size for level in maps.levels) == len(words(ins, outs, pair)) > 0


def test_counts_with_determinants():
    """Partitions into determinants of n vectors each and pairs; dimensions by Littlewood-Richardson: V^6 of SL(2) has 5
    invariants, that of SL(3) has 5."""
    for k, n, count, dimension in (
        (4, 2, 3, 2),
        (6, 2, 15, 5),
        (6, 3, 10, 5),
        (9, 3, 280, 42),
        (4, 4, 1, 1),
        (5, 3, 0, 0),
    ):
        family = Family("SL", n)
        assert len(family.words((1,) * k)) == len(family.words((-1,) * k)) == count
        assert family.dimension((1,) * k, n) == len(family.basis((1,) * k, n) if count else ()) == dimension
    assert len(Family("SL", 2).words((1, -1, 1, -1))) == 2 and len(Family("SL", 3).words((1, 1, 1, 1, -1))) == 4
    for text, wrong in (("SL(n)", "SL(3)"), ("SU(n)", "SU(3)"), ("SL(1)", "at least 2")):
        with pytest.raises(DomainError, match=re.escape(wrong)):
            Family.parse(text)
    complex_layer = Tensors("vv", "v*", bias=False, group="SU(3)")
    assert complex_layer.theta.is_complex() and len(complex_layer.theta) == 1


@pytest.mark.parametrize(
    "k, l, n", [("vv", "v+", 3), ("vv+", "vv+", 3), ("v+v+", "v+v+", 3), ("vvv+", "v+", 2), ("vv+v+", "vv+", 2)]
)
def test_axes_of_signed_permutations_without_signs(k, l, n):  # noqa: E741
    """All maps that commute: the rank is the number of orbits of B(n) that signs leave alone, found by averaging over
    the group."""
    layer = layer_of("B(n)", k, l)
    W = matrices(layer, n)
    elements = [
        (order, signs)
        for order in itertools.permutations(range(n))
        for signs in itertools.product((1.0, -1.0), repeat=n)
    ]

    def acts(word, order, signs):
        result = torch.ones(1, 1, dtype=torch.float64)
        for axis in re.findall(r"v\+?", word):
            g = torch.eye(n, dtype=torch.float64)[:, list(order)]
            result = torch.kron(result, g if axis == "v+" else g @ torch.diag(torch.tensor(signs, dtype=torch.float64)))
        return result

    count = 0.0
    for order, signs in elements:
        A, B = acts(k, order, signs), acts(l, order, signs)
        assert torch.equal(W @ A, B @ W)
        count += float(A.trace() * B.trace())
    dimension = round(count / len(elements))
    assert layer.basis(n).dimension == dimension == torch.linalg.matrix_rank(W.flatten(1))
    assert len(layer.relations(n)) == len(W) - dimension
    with pytest.raises(DomainError, match="without signs"):
        layer.to_linear(n)
    with pytest.raises(DomainError, match="only B"):
        Tensors(k, l, group="O(n)")


def test_tables_of_diagrams_are_written(tmp_path):
    layer = Tensors("aav", "av", 2, 3, group={"a": "S(n)", "v": "SO(2)"})
    digest = layer.save_table(tmp_path / "cloud.json")
    document = json.loads((tmp_path / "cloud.json").read_text())
    assert document["metadata"]["intertwine.kind"] == "diagram" and document["metadata"]["intertwine.sha256"] == digest
    assert tuple(map(tuple, document["diagram.weights"])) == layer.diagrams
    assert bytes(document["diagram.maps"]) == b"aav -> av; S(n) SO(2); mean"
    for form in ("safetensors", "npz"):
        assert (
            layer.save_table(tmp_path / f"cloud.{form}") == digest == load_diagrams(tmp_path / f"cloud.{form}").sha256
        )
    with pytest.raises(DomainError, match="letters"):
        Tensors("é", "é").save_table(tmp_path / "cloud.json")


@every_case
def test_diagrams_are_all_maps_of_the_group(group, k, l, at):  # noqa: E741
    """They commute with exact generators, their rank is the dimension of Hom as the library certifies it, basis(n) is
    independent, and relations(n) are zero: all in integers. The layer of the table has the same weight."""
    for n in at:
        layer = layer_of(group, k, l)
        W = matrices(layer, n)
        V, U = layer._representations(layer._at(n))
        hom = V >> U
        basis = layer.basis(n)
        assert hom.dimension == basis.dimension == len(basis.diagrams)
        if len(W):
            assert torch.linalg.matrix_rank(W.flatten(1)) == hom.dimension
            assert torch.linalg.matrix_rank(W[list(basis.diagrams)].flatten(1)) == hom.dimension
        if isinstance(V.group, Group):
            pairs = zip(V.generator_matrices(), U.generator_matrices())
        else:
            pairs = [(V.matrix(g), U.matrix(g)) for g in V.group.generators]
        for A, B in pairs:
            A, B = (
                torch.tensor([[float(c) for c in line] for line in M.tolist()], dtype=torch.float64) for M in (A, B)
            )
            assert torch.equal(W @ A, B @ W)
        relations = layer.relations(n)
        assert len(relations) == len(layer.theta) - hom.dimension
        for relation in relations:
            assert all(isinstance(c, Fraction) and c for c in relation.values())
            common = math.lcm(*(c.denominator for c in relation.values()))
            assert not sum(int(c * common) * W[p] for p, c in relation.items()).any()
        linear = layer.to_linear(n)
        torch.testing.assert_close(linear.weight(), torch.einsum("p,prc->rc", layer.theta[:, 0, 0], W))
        x = input_of(layer, n, 3)
        y = layer(x, n=n)
        torch.testing.assert_close(linear(x.reshape(3, 1, -1)), y.reshape(3, 1, -1))
        back = layer_of(group, k, l)
        back.load_linear(linear, n)
        torch.testing.assert_close(back(x, n=n), y)
        if len(basis.diagrams) == len(layer.theta):
            torch.testing.assert_close(back.theta, layer.theta)


LOOPS = [
    ("O", 3, 3, 2),
    ("Sp", 3, 3, 2),
    ("Sp", 2, 4, 2),
    ("GL", 3, 3, 2),
    ("SO", 3, 3, 2),
    ("SO", 4, 3, 3),
    ("SO", 3, 2, 1),
]


@pytest.mark.parametrize("name, k, l, n", LOOPS)
def test_inner_products_by_loops(name, k, l, n):  # noqa: E741
    """Those of the matrices, which loops, crossings and paths know without them."""
    family = Family(name, n if name == "SO" else None)
    maps = diagrams("a" * k, "a" * l, (family,))
    signs = (1,) * l + ((-1,) if name == "GL" else (1,)) * k
    words = family.words(signs)
    gram = family._gram(signs, n)
    layer = Tensors(k, l, bias=False, group=f"{name}({n})", reduction="sum", dtype=torch.float64)
    layer._words, layer._chosen = maps.words, list(range(len(maps.words)))  # all diagrams, also dependent ones
    layer.theta = torch.nn.Parameter(torch.zeros(len(maps.words), 1, 1, dtype=torch.float64))
    unit = torch.eye(n**k, dtype=torch.float64).view(n**k, 1, *(n,) * k)
    W = []
    with torch.no_grad():
        for word in words:
            layer.theta.zero_()[maps.words.index(word)] = 1
            W.append(layer(unit).reshape(-1))
    W = torch.stack(W)
    assert (gram == (W @ W.t()).numpy()).all()
    assert len(family.basis(signs, n)) == numpy.linalg.matrix_rank(gram.astype(float)) == family.dimension(signs, n)


def test_known_dimensions():
    """Invariants of V^(x)m: Motzkin and Catalan numbers, sums of squares of degrees; and where relations begin."""
    so3, sp2 = Family("SO", 3), Family("Sp")
    assert [so3.dimension((1,) * m, 3) for m in range(9)] == [
        1,
        0,
        1,
        1,
        3,
        6,
        15,
        36,
        91,
    ]  # Riordan numbers, OEIS A005043
    assert [sp2.dimension((1,) * 2 * r, 2) for r in range(6)] == [1, 1, 2, 5, 14, 42]  # SU(2) on C^2: Catalan numbers
    assert [Family("GL").dimension((1, -1) * r, 2) for r in range(6)] == [
        1,
        1,
        2,
        5,
        14,
        42,
    ]  # Schur and Weyl: the same algebra
    assert [Family("GL").dimension((1, -1) * r, 9) for r in range(6)] == [math.factorial(r) for r in range(6)]
    for name, least in (
        ("O", lambda m: m // 2),
        ("Sp", lambda m: m),
        ("GL", lambda m: m // 2),
        ("S", lambda m: m),
        ("B", lambda m: m // 2),
    ):
        family = Family(name)
        for m in (2, 4, 6):
            signs = tuple((-1) ** i if name == "GL" else int(name != "S") for i in range(m))
            step = 2 if name == "Sp" else 1
            n = least(m)
            assert len(family.basis(signs, n)) == len(family.words(signs))
            if n > step:
                assert (
                    family.dimension(signs, n - step) == len(family.basis(signs, n - step)) < len(family.words(signs))
                )
    assert len(Family("O").basis((1,) * 8, 2)) == 35  # 105 diagrams; binomial(8, 4) / 2
    assert Tensors(2, 2, group="O(n)").basis(1) == DiagramBasis({"a": 1}, (2,), 1)
    one = Tensors(2, 4, group="O(1)")  # 15 diagrams, and 3 of the bias, which are all the same
    assert len(one.theta) == len(one.bias) == 1 and one(torch.ones(1, 1, 1)).shape == (1, 1, 1, 1, 1)
    assert Tensors(1, 1, group="O(n)").relations(5) == []


def test_relations_are_those_of_textbooks():
    """O(2) on V^(x)3 -> V^(x)3: 15 diagrams, 10 maps, antisymmetrizers of three indices vanish. With means relations
    have factors."""
    layer = Tensors(3, 3, group="O(n)")
    assert len(layer.relations(2)) == 5 and layer.relations(3) == []
    so2 = Tensors("v", "vvv", group="SO(2)", dtype=torch.float64)
    assert (
        len(so2.theta) == 6 and so2.basis().dimension == 6
    )  # 3 of O(2), and 6 with the determinant of which 3 are left
    mean, plain = (
        Tensors(2, 2, group="O(n)", reduction="mean").relations(1),
        Tensors(2, 2, group="O(n)", reduction="sum").relations(1),
    )
    assert mean == plain and len(mean) == 2  # n = 1: means are sums
    sets = Tensors(2, 1, reduction="mean", bias=False, dtype=torch.float64)
    for n in (1, 2):
        W = matrices(sets, n)
        for relation in sets.relations(n):
            assert float(sum(float(c) * W[p] for p, c in relation.items()).abs().max()) < 1e-12
    assert len(sets.relations(1)) == 4 and len(sets.relations(2)) == 1


def test_solutions_are_exact():
    choose = numpy.random.default_rng(1)
    a, b = choose.integers(-3, 4, (6, 6)), choose.integers(-3, 4, (6, 4))
    assert round(numpy.linalg.det(a)) != 0
    x = _solve(a, b)
    assert [[sum(int(c) * x[k][j] for k, c in enumerate(line)) for j in range(4)] for line in a] == b.tolist()
    large = a * 0
    numpy.fill_diagonal(large, 1000003)
    assert _solve(large, b) == [[Fraction(int(v), 1000003) for v in line] for line in b]
    with pytest.raises(InternalError, match="dependent"):
        _solve([[1, 1], [1, 1]], [[1], [2]])


# --- Products ----------------------------------------------------------------------------------------------------------------


def element(name, n):
    if name in ("O", "SO"):
        q = torch.linalg.qr(torch.randn(n, n, dtype=torch.float64))[0]
        q[:, 0] *= torch.linalg.det(q).sign()
        q[:, 0] *= -1 if name == "O" else 1
        return q
    if name == "GL":
        return torch.eye(n, dtype=torch.float64) + 0.3 * torch.randn(n, n, dtype=torch.float64)
    if name == "U":
        return torch.linalg.qr(torch.randn(n, n, dtype=torch.complex128))[0]
    if name == "B":
        return (torch.eye(n, dtype=torch.float64) * torch.randint(0, 2, (n,)).mul(2).sub(1))[torch.randperm(n)]
    half = n // 2
    a, b, c = (torch.randn(half, half, dtype=torch.float64) / 4 for _ in range(3))
    return torch.linalg.matrix_exp(torch.cat((torch.cat((a, b + b.t()), 1), torch.cat((c + c.t(), -a.t()), 1))))


@pytest.mark.parametrize(
    "name, k, l, n",
    [("O", 2, 2, 6), ("O", 3, 1, 5), ("O", 0, 2, 5), ("Sp", 2, 2, 6), ("Sp", 3, 3, 4), ("GL", "vvv*", "vvv*", 5), ("U", "vv*", "vv*", 5),
     ("B", 2, 4, 5), ("B", 3, 3, 5), ("SO", 2, 3, 3), ("SO", 3, 3, 4), ("SO", 3, 2, 5), ("SO", 4, 4, 4)],
)  # fmt: skip
def test_equivariance_at_larger_sizes(name, k, l, n):  # noqa: E741
    layer = layer_of(
        f"{name}({n})" if name == "SO" else f"{name}(n)",
        k,
        l,
        (2, 3),
        dtype=torch.complex128 if name == "U" else torch.float64,
    )
    x = input_of(layer, n, 4)
    g = element(name, n)
    dual = torch.linalg.inv(g).t()
    sides = [[dual if word[i + 1 : i + 2] == "*" else g for i, c in enumerate(word) if c != "*"] for word in layer.axes]
    y = layer(x, n=n)
    torch.testing.assert_close(layer(moved(x, len(sides[0]), sides[0]), n=n), moved(y, len(sides[1]), sides[1]))
    wrong = g.clone()
    wrong[:, 0] *= -1 if name == "SO" else 2  # no element of the group; in GL the dual would have to follow
    if name != "GL" and not (name == "O" and k == 0):
        differ = layer(moved(x, len(sides[0]), [wrong] * len(sides[0])), n=n) - moved(
            y, len(sides[1]), [wrong] * len(sides[1])
        )
        assert differ.abs().max() > 1e-3


def test_formulas():
    cross = Tensors(2, 1, group="SO(3)", bias=False, dtype=torch.float64)
    assert cross.diagrams == ((-1, -1, -1),)
    a, b = torch.randn(2, 5, 3, dtype=torch.float64)
    with torch.no_grad():
        cross.theta.fill_(1)
    x = a[:, None, :, None] * b[:, None, None, :]
    torch.testing.assert_close(cross(x)[:, 0], torch.linalg.cross(a, b))
    turn = Tensors(1, 1, group="SO(2)", bias=False, dtype=torch.float64)
    with torch.no_grad():
        turn.theta.zero_()[turn.diagrams.index((-1, -1))] = 1
    assert turn(torch.tensor([[1.0, 2.0]], dtype=torch.float64)).tolist() == [[2, -1]]  # y_i = eps_ij x_j
    volume = Tensors(3, 0, group="SO(3)", bias=False, dtype=torch.float64)
    m = torch.randn(3, 3, dtype=torch.float64)
    with torch.no_grad():
        volume.theta.fill_(1)
    torch.testing.assert_close(volume(torch.einsum("i,j,k->ijk", *m)[None])[0], torch.linalg.det(m))
    form = Tensors(2, 0, group="Sp(n)", bias=False, dtype=torch.float64, reduction="sum")
    with torch.no_grad():
        form.theta.fill_(1)
    q, p = torch.randn(2, 4, dtype=torch.float64)
    torch.testing.assert_close(form(torch.outer(q, p)[None])[0], q[:2] @ p[2:] - q[2:] @ p[:2])
    brauer = Tensors(2, 2, group="O(n)", bias=False, dtype=torch.float64, reduction="mean")
    x = torch.randn(1, 5, 5, dtype=torch.float64)
    expected = {
        (0, 1, 0, 1): x,
        (0, 1, 1, 0): x.mT,
        (0, 0, 1, 1): torch.eye(5, dtype=torch.float64)[None] * x[0].trace() / 5,
    }
    for word, y in expected.items():
        with torch.no_grad():
            brauer.theta.zero_()[brauer.diagrams.index(word)] = 1
        torch.testing.assert_close(brauer(x), y)
    signed = Tensors(2, 2, group="B(n)", bias=False)
    assert signed.diagrams == ((0, 1, 0, 1), (0, 1, 1, 0), (0, 0, 0, 0), (0, 0, 1, 1))
    cloud = Tensors("av", "av", 3, 3, group={"a": "S(n)", "v": "O(n)"})
    assert cloud.theta.shape == (2, 3, 3) and cloud.bias.shape == (0, 3)
    assert (
        Tensors(1, 2, group="O(n)").theta.shape[0] == 0
        and not Tensors(1, 2, bias=False, group="O(n)")(torch.randn(1, 4)).any()
    )


def test_point_clouds_of_different_sizes_in_a_batch():
    """S_n x O(3), [channels, points, 3]: masks are those of the points."""
    layer = layer_of({"a": "S(n)", "v": "O(3)"}, "av", "av", (2, 3), reduction="mean")
    x = torch.randn(2, 2, 5, 3, dtype=torch.float64)
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    y = layer(x, {"a": mask})
    torch.testing.assert_close(y[1, :, :3], layer(x[1, :, :3]))
    assert not y[1, :, 3:].any()
    g, order = element("O", 3), torch.randperm(5)
    torch.testing.assert_close(layer(x[:, :, order] @ g.t()), layer(x)[:, :, order] @ g.t())
    with pytest.raises(DomainError, match="leave the mask out"):
        layer(x, {"v": torch.ones(2, 3, dtype=torch.bool)})


def outputs(f, layer, x, *more, **keywords):
    y = f(x, *more, **keywords)
    return y, *torch.autograd.grad(y.pow(2).sum(), [x, *layer.parameters()], materialize_grads=True)


DERIVED = [
    ("O(n)", 2, 2, 3), ("O(n)", 3, 3, 3), ("Sp(n)", 2, 2, 4), ("Sp(n)", 1, 3, 4), ("SO(3)", 2, 3, 3), ("SO(3)", 3, 3, 3), ("SO(2)", 3, 3, 2),
    ("B(n)", 3, 1, 3), ("O(n)", 0, 2, 3), ("GL(n)", "vv*", "vv*", 3),
]  # fmt: skip


@pytest.mark.parametrize("group, k, l, n", DERIVED, ids=str)
def test_the_closed_form_of_derivatives_is_that_of_plain_operators(group, k, l, n, monkeypatch):  # noqa: E741
    layer = layer_of(group, k, l, (2, 3), reduction="mean")
    x = input_of(layer, n, 4).requires_grad_()
    ours = outputs(layer, layer, x, n=n)
    with monkeypatch.context() as m:
        m.setattr(sizes._ops, "door", lambda *a, **k: _ops._PLAIN)
        torch.testing.assert_close(outputs(layer, layer, x, n=n), ours)
    assert all(t.abs().max() > 0 for t in ours if t.numel())


@pytest.mark.parametrize("group, k, l, n", [("Sp(n)", 1, 3, 2), ("SO(3)", 2, 3, 3), ("U(n)", "vv*", "vv*", 2)], ids=str)
def test_gradcheck(group, k, l, n):  # noqa: E741
    layer = layer_of(group, k, l, (1, 2), dtype=torch.complex128 if group == "U(n)" else torch.float64)
    x = input_of(layer, n, 2).requires_grad_()
    f = lambda x, theta: torch.func.functional_call(layer, {"theta": theta}, (x,))  # noqa: E731
    arguments = (x, layer.theta.detach().clone().requires_grad_())
    assert torch.autograd.gradcheck(
        f, arguments, check_forward_ad=group != "U(n)", check_batched_grad=True, fast_mode=group != "U(n)"
    )
    assert torch.autograd.gradgradcheck(f, arguments, fast_mode=group != "U(n)")


def test_transformations():
    for group, k, l, n in (("Sp(n)", 2, 2, 4), ("SO(3)", 2, 1, 3)):  # noqa: E741
        layer = layer_of(group, k, l, (2, 3))
        x = input_of(layer, n, 4).requires_grad_()
        compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
        torch.testing.assert_close(outputs(compiled, layer, x), outputs(layer, layer, x))
        if group == "SO(3)":
            program = torch.export.export(layer, (x.detach(),), dynamic_shapes=({0: torch.export.Dim("batch")},))
            torch.testing.assert_close(program.module()(x[:3]), layer(x[:3]))
        torch.testing.assert_close(torch.func.vmap(layer)(x.detach()), layer(x.detach()))
        assert torch.equal(copy.deepcopy(layer)(x), layer(x))


def test_initial_variance_and_cost():
    for group, k, l, n in (
        ("O(n)", 2, 2, 4),
        ("O(n)", 1, 3, 4),
        ("Sp(n)", 2, 2, 4),
        ("B(n)", 2, 2, 4),
        ("SO(3)", 2, 3, 3),
        ("SO(3)", 2, 1, 3),
    ):  # noqa: E741
        for reduction in ("mean", "sum"):
            layer = Tensors(k, l, 32, 32, group=group, reduction=reduction)
            layer.reset_parameters(2.0, n=n)
            y = layer(torch.randn(60, 32, *(n,) * len(tokens(layer.axes[0]))), n=n)
            assert float(y.detach().var()) / 4 == pytest.approx(1, rel=0.3), (group, k, l)
    layer = Tensors(2, 2, 2, 2, group="O(n)")
    x = torch.randn(1, 2, 400, 400, requires_grad=True)  # W would have 400^4 entries
    y, dx, *_ = outputs(layer, layer, x)
    assert y.shape == dx.shape == x.shape and math.isfinite(float(dx.sum()))


# --- Bad input ---------------------------------------------------------------------------------------------------------------


def test_bad_input():
    for group in ("SU", "O", "O(-1)", "D4", "", None, "PSL(2)"):
        with pytest.raises(DomainError, match="there are diagrams for"):
            Tensors(1, 1, group=group)
    with pytest.raises(DomainError, match="say which, as in 'SO"):
        Tensors(1, 1, group="SO(n)")
    for group in ("O(0)", "Sp(3)", "Sp(0)"):
        with pytest.raises(DomainError, match="is no group here"):
            Tensors(1, 1, group=group)
    with pytest.raises(DomainError, match="there is no axis 'b'"):
        Tensors("av", "av", group={"b": "O(n)"})
    with pytest.raises(DomainError, match="is a dual one"):
        Tensors("vv*", "v", group="O(n)")
    for word in ("*v", "v**", "v*1"):
        with pytest.raises(DomainError, match="a number of axes"):
            Tensors(word, "v", group="GL(n)")
    with pytest.raises(DomainError, match="of a complex dtype"):
        Tensors(1, 1, group="U(n)", dtype=torch.float32)
    assert Tensors(1, 1, group="U(n)").theta.dtype == torch.complex64
    with pytest.raises(DomainError, match="tables of U"):
        Tensors(1, 1, group="U(n)").to_linear(2)
    with pytest.raises(DomainError, match="of even dimension only"):
        Tensors(2, 2, group="Sp(n)")(torch.zeros(1, 3, 3))
    with pytest.raises(DomainError, match=r"takes \[..., 1, 3, 3\]"):
        Tensors(2, 1, group="SO(3)")(torch.zeros(1, 4, 4))
    with pytest.raises(DomainError, match="leave the mask out"):
        Tensors(1, 1, group="O(n)")(torch.zeros(2, 1, 3), torch.ones(2, 3, dtype=torch.bool))
    for n in (4, {"a": 4}):
        with pytest.raises(DomainError, match="their size is not 4"):
            Tensors(0, 2, group="O(3)")(torch.zeros(1, 1), n=n)
    assert Tensors(0, "av", group={"v": "O(3)"})(torch.zeros(1, 1), n=5).shape == (1, 1, 5, 3)
    with pytest.raises(DomainError, match="their size is not 4"):
        Tensors(1, 1, group="O(3)").basis({"a": 4})
    with pytest.raises(DomainError, match="is no group here"):
        Tensors(1, 1, group="Sp(n)").basis(3)
    with pytest.raises(DomainError, match="the size of the set 'a' is a positive integer, not None"):
        Tensors(1, 1, group="O(n)").relations()
    with pytest.raises(LimitError, match="there are 13749310575 diagrams"):  # 23!!... (k + l - 1)!! of 22 axes
        Tensors(11, 11, group="O(n)")
    with pytest.raises(LimitError, match="relations among 10395 diagrams"):
        Tensors(6, 6, group="O(n)", bias=False).basis(2)
    with pytest.raises(LimitError, match="do not fit into 64 bits"):
        Family("Sp")._gram((1,) * 6, 10**8)
    for across in ("zeros", ("padding", "up"), 3, None):
        with pytest.raises(DomainError, match="the maps between sizes"):
            Tensors(1, 1, across=across)
    with pytest.raises(DomainError, match="no layers of every size"):
        compatible(torch.nn.Linear(2, 2), "padding")
    with pytest.raises(DomainError, match="have one size only"):
        compatible(Tensors(1, 1, group="O(3)"), "padding")
    with pytest.raises(DomainError, match="give the name of one"):
        compatible(Sets(), ("padding", "duplication"))
    with pytest.raises(DomainError, match="ask a layer without across"):
        Tensors(1, 1, across="padding").basis(3)


def test_repr_and_state():
    layer = Tensors("av", "a", 2, 3, group={"v": "O(3)"}, across="restriction")
    assert repr(layer).startswith(
        "Tensors('av' -> 'a', group=S(n) x O(3), 2 -> 3 channels, 0 parameters a pair, 1 bias parameters, "
    )
    assert repr(layer).endswith("reduction='mean', across='restriction')")
    a, b, c = (Tensors(2, 2, group=group) for group in ("O(n)", "O(n)", "Sp(n)"))
    b.load_state_dict(a.state_dict())
    assert torch.equal(a.theta, b.theta)
    with pytest.raises(VerificationError, match="with the axes"):
        c.load_state_dict(a.state_dict())
