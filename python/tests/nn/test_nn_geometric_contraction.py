"""Symmetric contractions beside MACE, beside the polynomials of the library, equivariance, derivatives, counts."""

import copy
import pickle

import numpy
import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group, polynomial_maps
from intertwine.nn import decompositions
from intertwine.nn.geometric import SymmetricContraction, _polynomials, change_of_basis, functional, to_layout
from peers_for_tests import without_operators_of_torchvision
from torch.autograd import grad, gradcheck, gradgradcheck

D = torch.float64
THREE = "0e + 1o + 2e + 3o"
TYPES = [
    ("O(3)", "trivial + vector + harmonic(2)", "trivial + vector + harmonic(2)"),
    ("O(3)", "det + vector + det*harmonic(2)", "det + det*vector + harmonic(2)"),
    ("S4", "perm", "perm + sign + std"),
    ("A5", "irrep(2) + trivial", "irrep(4) + irrep(5)"),
    ("S3 x O(3)", "perm # vector", "perm # trivial"),
]
every_type = pytest.mark.parametrize("group, V, U", TYPES, ids=lambda text: text.replace(" ", ""))


def close(a, b, tolerance=1e-12):
    a, b = a.detach(), b.detach()
    return a.shape == b.shape and float((a - b).abs().max()) <= tolerance * (1 + float(b.abs().max()))


def matrix(V, g, basis="orthonormal"):
    rho = torch.tensor(numpy.asarray(V.matrix(g), dtype=numpy.float64))
    if basis == "own":
        return rho
    T = change_of_basis(V)
    return torch.linalg.solve(T, rho @ T)


@every_type
@pytest.mark.parametrize("axis, features", [("y", "orthonormal"), ("z", "orthonormal"), ("y", "own")])
def test_contractions_are_equivariant(group, V, U, axis, features):
    V, U = Group(group).rep(V), Group(group).rep(U)
    layer = SymmetricContraction(V, U, 2, 3, 2, axis=axis, features=features, dtype=D)
    x, kinds = torch.randn(4, V.dimension, 2, dtype=D), torch.tensor([1, 0, 0, 1])
    out = layer(x, kinds).detach()
    assert float(out.abs().max()) > 0.1
    for seed in range(3):
        g = V.group.random_element(seed)
        if axis == "z":
            T = [change_of_basis(R, "z") for R in (V, U)]
            rho = [torch.tensor(numpy.asarray(R.matrix(g), dtype=numpy.float64)) for R in (V, U)]
            a, b = (torch.linalg.solve(t, r @ t) for t, r in zip(T, rho))
        else:
            a, b = matrix(V, g, features), matrix(U, g, features)
        assert close(layer(a @ x, kinds), b @ out, 1e-10)
        if not torch.equal(b, torch.eye(len(b), dtype=D)):
            assert not close(layer(x, kinds), b @ out, 1e-3)  # x left where it was: the check can fail


@every_type
def test_there_is_a_weight_for_every_polynomial(group, V, U):
    """As many as the library counts, and no two move the output alike."""
    V, U = Group(group).rep(V), Group(group).rep(U)
    layer = SymmetricContraction(V, U, 1, 3, dtype=D)
    assert layer.weight_numel == sum(len(polynomial_maps(V, R, d)) for _, R in U.slices() for d in (1, 2, 3))
    x = torch.randn(60, V.dimension, 1, dtype=D)
    jacobian = torch.func.jacrev(lambda w: torch.func.functional_call(layer, {"weight": w}, (x,)).flatten())
    J = jacobian(layer.weight.detach()).reshape(-1, layer.weight_numel)
    assert torch.linalg.matrix_rank(J) == layer.weight_numel


def test_polynomials_are_those_of_the_library():
    """In own coordinates, where nothing is changed but the scale of every map."""
    V, U = Group("O(3)").rep("trivial + vector"), Group("O(3)").rep("harmonic(2)")
    layer = SymmetricContraction(V, U, 1, 3, features="own", dtype=D)
    x = torch.randn(20, V.dimension, dtype=D)
    found = []
    for n in range(layer.weight_numel):
        one = torch.zeros(1, layer.weight_numel, 1, dtype=D)
        one[0, n] = 1
        found.append(torch.func.functional_call(layer, {"weight": one}, (x[..., None],))[..., 0])
    exact = [
        torch.tensor(F)[:, n]
        for d in (1, 2, 3)
        for m in [polynomial_maps(V, U, d)]
        if len(m)
        for F in [m(x.numpy())]
        for n in range(len(m))
    ]
    for a, b in zip(found, exact, strict=True):
        assert close(a / a.norm(), b / b.norm(), 1e-12)


def test_counts_of_minimal_weights_and_of_those_of_mace():
    assert SymmetricContraction(THREE, "0e + 1o", 1, 3).weight_numel == 29
    assert SymmetricContraction(THREE, "0e + 1o", 1, 3, basis="mace").sizes == [[1, 4, 23], [1, 6, 51]]
    z = torch.randn(4000, 16, 8, dtype=D)
    mean = SymmetricContraction(THREE, "0e + 1o", 8, 3, dtype=D)(z).square().mean()
    assert 0.05 < float(mean) < 20  # heavy tails, but no scale is lost


@pytest.mark.parametrize("V, U, correlation", [(THREE, "0e + 1o", 3), ("0e + 1o + 2e", "0e + 1o + 2e", 2), ("0e + 1o", "0e + 1o", 4), ("0e + 1e + 2o", "0o + 1e", 3)])  # fmt: skip
def test_weights_of_mace_are_projected_exactly(V, U, correlation):
    layer = SymmetricContraction(V, U, 3, correlation, 2, basis="mace", dtype=D)
    x, kinds = torch.randn(5, layer.V.dimension, 3, dtype=D), torch.tensor([1, 1, 0, 1, 0])
    small = layer.minimal()
    assert small.weight_numel < layer.weight_numel and small.basis == "minimal"
    assert close(small(x, kinds), layer(x, kinds))


@pytest.fixture(scope="module")
def mace():
    without_operators_of_torchvision()
    try:
        from mace.modules.symmetric_contraction import SymmetricContraction as theirs
    except Exception as missing:  # what it imports itself may be missing, too
        pytest.skip(f"mace-torch is not installed: {missing}")
    return theirs


@pytest.mark.parametrize("V, U, correlation", [(THREE, "0e + 1o", 3), ("0e + 1o + 2e", "0e + 1o + 2e", 2), ("0e + 1o", "0e + 1o", 4), ("0e + 1o + 2e", "0e", 3)])  # fmt: skip
def test_values_and_derivatives_are_those_of_mace(mace, V, U, correlation):
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    channels, kinds = 4, torch.tensor([2, 0, 2, 2, 0, 0])  # none of kind 1
    irreps = [o3.Irreps(" + ".join(f"{channels}x{part.strip()}" for part in X.split("+"))) for X in (V, U)]
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)
    try:
        theirs = mace(*irreps, correlation, num_elements=3, shared_weights=True)
    finally:
        torch.set_default_dtype(before)
    x = torch.randn(6, irreps[0].dim // channels, channels, dtype=D, requires_grad=True)
    one_hot = torch.nn.functional.one_hot(kinds, 3).to(D)
    for basis in ("mace", "minimal"):
        ours = SymmetricContraction.from_mace(theirs, basis)
        assert ours.basis == basis
        results = []
        for out in (to_layout(ours(x, kinds), ours.U, "mul_ir"), theirs(x.transpose(1, 2), one_hot)):
            (first,) = grad(out.sin().sum(), x, create_graph=True)
            results.append([out, first, *grad(first.sin().sum(), x)])
        assert all(close(a, b) for a, b in zip(*results))


@pytest.mark.parametrize("by", ["mixtures", "cuEquivariance"])
def test_other_couplings_of_mace_are_taken_as_they_are(mace, by):
    """Those of use_reduced_cg, which cuEquivariance makes; or fewer mixtures of MACE's own."""
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    if by == "cuEquivariance":
        pytest.importorskip("cuequivariance_torch", reason="cuEquivariance is not installed")
    kinds = torch.tensor([2, 0, 1, 2, 0, 0])
    before = torch.get_default_dtype()
    torch.set_default_dtype(D)
    try:
        irreps = o3.Irreps("2x0e + 2x1o + 2x2e"), o3.Irreps("2x0e + 2x1o")
        theirs = mace(*irreps, 3, num_elements=3, shared_weights=True, use_reduced_cg=by == "cuEquivariance")
    finally:
        torch.set_default_dtype(before)
    for part in theirs.contractions if by == "mixtures" else ():
        for degree, own in zip((3, 2, 1), [part.weights_max, *part.weights]):
            couplings = part.U_tensors(degree)
            mix = torch.randn(couplings.shape[-1], own.shape[1] // 2 + 1, dtype=D)
            setattr(part, f"U_matrix_{degree}", couplings @ mix)
            own.data = torch.randn(3, mix.shape[1], 2, dtype=D)
    layer = SymmetricContraction.from_mace(theirs)
    assert sum(layer.sizes[0]) < 24  # MACE's own are 1 + 3 + 15 of the first summand
    x = torch.randn(6, 9, 2, dtype=D)
    wanted = theirs(x.transpose(1, 2).contiguous(), torch.nn.functional.one_hot(kinds, 3).to(D))
    for same in (layer, layer.minimal(), copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert close(to_layout(same(x, kinds), layer.U, "mul_ir"), wanted)
    matrices = [part.U_tensors(degree) for part in theirs.contractions for degree in (3, 2, 1)]
    couplings = functional.couplings(matrices, "0e + 1o + 2e", "0e + 1o", 3)
    weights = list(theirs.parameters())
    given = x.transpose(1, 2), kinds, weights, "0e + 1o + 2e", "0e + 1o", 3, couplings
    assert close(functional.symmetric_contraction(*given), wanted)
    program = torch.compile(lambda x: functional.symmetric_contraction(x, *given[1:]), backend="eager", fullgraph=True)
    assert close(program(given[0]), wanted)


@pytest.mark.parametrize("basis", ["minimal", "mace"])
def test_summands_without_polynomials_are_zero(basis):
    layer = SymmetricContraction("0e + 0o + 2e", "0e + 1o", 2, 2, basis=basis, dtype=D)  # no vectors of degree 1 and 2
    found = layer(torch.randn(5, 7, 2, dtype=D))
    assert found[:, 0].abs().min() > 0 and not found[:, 1:].any()


def test_couplings_of_functions():
    delta, x = torch.eye(3, dtype=D), torch.randn(4, 2, 3, dtype=D)
    squares = functional.couplings([2 * delta[:, :, None], torch.zeros(3, 1)], "1o", "0e", 2)
    weights = [torch.full((1, 1, 2), 5.0, dtype=D), torch.ones(1, 1, 2, dtype=D)]
    found = functional.symmetric_contraction(x, torch.zeros(4).long(), weights, "1o", "0e", 2, squares)
    assert close(found, 10 * x.square().sum(2))
    assert squares == copy.deepcopy(squares) and hash(squares) == hash(pickle.loads(pickle.dumps(squares)))
    for call, message in (
        (lambda: functional.couplings([delta], "1o", "0e", 2), "there are 2 arrays of couplings"),
        (
            lambda: functional.couplings([delta[:, :2, None], torch.zeros(3, 1)], "1o", "0e", 2),
            r"they are \[1, 3, 3\] and",
        ),
        (lambda: functional.couplings([torch.ones(3, 3, 1), torch.zeros(3, 1)], "1o", "0e", 2), "no combination"),
    ):
        with pytest.raises(DomainError, match=message):
            call()


@pytest.mark.parametrize("basis", ["minimal", "mace"])
def test_derivatives_of_first_and_second_order(basis):
    layer = SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, 2, basis=basis, dtype=D)
    kinds = torch.tensor([1, 0, 1])
    f = lambda x, w: torch.func.functional_call(layer, {"weight": w}, (x, kinds))
    for x in (torch.randn(3, 4, 2, dtype=D), torch.randn(2, 4, 3, dtype=D).permute(2, 1, 0)):
        given = x.requires_grad_(), layer.weight
        assert gradcheck(f, given, fast_mode=True) and gradgradcheck(f, given, fast_mode=True)


def plain(layer):
    """The layer by plain PyTorch, whatever it would choose."""

    def run(*given):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_polynomials, "KERNELS", ())
            return layer(*given)

    return run


def every_order(f, x, weight, kinds, orders):
    """Values, and gradients of a function of what is before, one after the other."""
    found = [f(x, kinds)]
    for _ in range(orders):
        total = sum((t + t.square() / 100).mean() for t in found[-2:])
        found += grad(total, (x, weight), create_graph=True)
    return found


@pytest.mark.parametrize("channels", [1, 2, 7, 16, 33, 130])
@pytest.mark.parametrize("basis", ["minimal", "mace"])
def test_kernels_and_plain_pytorch_are_equal_in_every_order(channels, basis):
    layer = SymmetricContraction("0e + 1o + 2e", "0e + 1o", channels, 3, 4, basis=basis, dtype=D)
    kinds = torch.tensor([3, 0, 3, 3, 1, 0, 1, 3, 3, 3, 3, 3, 3])  # none of kind 2
    x = torch.randn(channels, 9, len(kinds), dtype=D).permute(2, 1, 0).requires_grad_()
    given = [every_order(f, x, layer.weight, kinds, 4) for f in (layer, plain(layer))]
    assert len(given[0]) == 9 and all(close(a, b, 1e-11) for a, b in zip(*given))
    assert not grad(layer(x, kinds).sum(), layer.weight)[0][2].any()


def test_kernels_run_on_the_cpu_and_give_the_same_bits_for_every_number_of_threads():
    layer = SymmetricContraction(THREE, "0e + 1o", 40, 3, 2)
    x, kinds = torch.randn(700, 16, 40, requires_grad=True), (torch.arange(700) % 3 > 0).long()
    out = layer(x, kinds)
    assert "point_polynomial" in out.grad_fn.next_functions[0][0].name() or "point_polynomial" in out.grad_fn.name()
    threads, found = torch.get_num_threads(), []
    for count in (1, 2):
        torch.set_num_threads(count)
        found.append(every_order(layer, x, layer.weight, kinds, 2))
    torch.set_num_threads(threads)
    assert all(torch.equal(a, b) for a, b in zip(*found))


def test_operators_pass_the_checks_of_pytorch_and_have_derivatives_of_every_order():
    layer = SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, 2, dtype=D)
    kinds, table = torch.tensor([1, 0, 1]), layer._table
    some = lambda *shape: torch.randn(*shape, dtype=D, requires_grad=True)
    x, w, g, a, b = (
        some(3, 4, 2),
        some(2, layer.weight_numel, 2),
        some(3, 4, 2),
        some(3, 4, 2),
        some(2, layer.weight_numel, 2),
    )
    value, both = torch.ops.intertwine.point_polynomial.default, torch.ops.intertwine.point_gradients.default
    for directions in ([], [a, b]):
        torch.library.opcheck(value, (x, w, kinds, directions, *table))
        torch.library.opcheck(both, (x, w, g, kinds, directions, [1, 1], *table))
    for count in range(4):  # three directions are more than kernels have
        given = (x, w, g, *[some(*t.shape) for _ in range(count) for t in (x, w)])
        f = lambda x, w, g, *moves: value(x, w, kinds, list(moves), *table)
        h = lambda x, w, g, *moves: both(x, w, g, kinds, list(moves), [1, 1], *table)
        assert gradcheck(f, given, fast_mode=True, atol=1e-4) and gradcheck(h, given, fast_mode=True, atol=1e-4)
        assert gradgradcheck(f, given, fast_mode=True, atol=1e-4)
        for op in (f, h):  # plain PyTorch has no limit of directions
            most, _polynomials.MOST_DIRECTIONS = _polynomials.MOST_DIRECTIONS, -1
            wanted = op(*given)
            _polynomials.MOST_DIRECTIONS = most
            pairs = zip(op(*given), wanted) if op is h else [(op(*given), wanted)]
            assert all(close(s, t) for s, t in pairs)


def test_transformations_of_torch_func():
    layer = SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, dtype=D)
    x = torch.randn(5, 3, 4, 2, dtype=D)
    assert close(torch.vmap(layer)(x), layer(x))
    J = torch.func.jacrev(lambda x: layer(x))(x[0])
    assert close(J, torch.func.jacfwd(lambda x: layer(x))(x[0])) and close(
        J, torch.autograd.functional.jacobian(layer, x[0])
    )


def test_three_derivatives_at_zero_are_finite():
    layer = SymmetricContraction("0e + 1o + 2e", "0e + 1o", 2, 3, dtype=D)
    x = torch.zeros(3, 9, 2, dtype=D, requires_grad=True)
    found = layer(x)
    for _ in range(3):
        (found,) = grad((found * torch.randn_like(found)).sum(), x, create_graph=True)
        assert torch.isfinite(found).all()


def test_kinds_without_points_and_no_points():
    layer = SymmetricContraction("0e + 1o", "0e + 1o", 2, 2, 3, dtype=D)
    x, kinds = torch.randn(4, 4, 2, dtype=D), torch.tensor([2, 0, 0, 2])
    out = layer(x, kinds)
    (g,) = grad(out.sum(), layer.weight)
    assert not g[1].any() and g[0].any()
    assert close(out[kinds == 0], layer(x[1:3], kinds[1:3]))
    assert layer(x[:0], kinds[:0]).shape == (0, 4, 2)
    assert close(layer(x.reshape(2, 2, 4, 2), kinds.reshape(2, 2)), out.reshape(2, 2, 4, 2))


def test_copies_states_and_compilation():
    layer = SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, 3, dtype=D)
    x, kinds = torch.randn(4, 4, 2, dtype=D), torch.tensor([2, 0, 1, 2])
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(other(x, kinds), layer(x, kinds))
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager", dynamic=True)
    assert close(compiled(x, kinds), layer(x, kinds)) and close(compiled(x[:3], kinds[:3]), layer(x[:3], kinds[:3]))
    program = torch.export.export(layer, (x, kinds))
    assert close(program.module()(x, kinds), layer(x, kinds))
    of_ours = lambda program: [n for n in program.graph.nodes if "intertwine" in str(n.target)]
    without = program.run_decompositions(decompositions())
    assert of_ours(program) and not of_ours(without) and close(without.module()(x, kinds), layer(x, kinds))
    out, tangent = torch.func.jvp(lambda x: layer(x, kinds), (x,), (torch.ones_like(x),))
    assert close(out, layer(x, kinds)) and torch.isfinite(tangent).all()
    single = copy.deepcopy(layer).float()
    assert close(single(x.float(), kinds).double(), layer(x, kinds), 1e-5)


def test_bad_arguments():
    V = Group("O(3)").rep("trivial + vector")
    layer = SymmetricContraction(V, V, 2, 2, 3)
    x, kinds = torch.zeros(4, 4, 2), torch.tensor([0, 1, 2, 0])
    for make, message in (
        (lambda: SymmetricContraction(V, Group("S3").rep("perm"), 2), "representations of different groups"),
        (lambda: SymmetricContraction(V, V, 0), "channels is a positive integer"),
        (lambda: SymmetricContraction(V, V, 2, 0), "correlation is a positive integer"),
        (lambda: SymmetricContraction(V, V, 2, basis="x"), "basis is 'minimal', 'mace'"),
        (lambda: SymmetricContraction(V, V, 2, basis="mace", axis="z"), 'has the axis "y"'),
        (lambda: SymmetricContraction(*[Group("S4").rep("perm")] * 2, 2, basis="mace"), "irreducible representations of O\\(3\\)"),
        (lambda: SymmetricContraction("0e", "1o", 2), "no polynomial of degree 1 to 3 takes trivial to vector"),
        (lambda: SymmetricContraction.from_mace(torch.nn.Linear(2, 2)), "from_mace takes a SymmetricContraction of MACE"),
        (lambda: layer(x[:, :3], kinds), r"x has the shape \[4, 3, 2\]; this layer takes \[..., 4, 2\]"),
        (lambda: layer(x.double(), kinds), "the input is torch.float64"),
        (lambda: layer(x), r"species are int64 numbers of the shape \[4\], one for each point, not nothing"),
        (lambda: layer(x, kinds + 1), "numbers 1 to 3, and they go from 0 to 3 - 1"),
        (lambda: SymmetricContraction(V, V, 2)(x, kinds), "has no species"),
    ):  # fmt: skip
        with pytest.raises(DomainError, match=message):
            make()
