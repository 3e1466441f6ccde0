"""Clebsch-Gordan coefficients, orthonormal bases and steerable kernels."""

import copy
import itertools
import json
import math
import os
import pickle
from fractions import Fraction

import numpy as np
import pytest
from intertwine import (
    ClebschGordan,
    Coupling,
    DomainError,
    Group,
    LimitError,
    OrthogonalCopies,
    OrthonormalForm,
    ParseError,
    PointKernels,
    SignedRoot,
    SteerableKernelBasis,
    SteerableKernels,
    TensorConstituent,
    clebsch_gordan,
    point_kernels,
    steerable_kernel_basis,
    steerable_kernels,
    wigner_3j,
    wigner_6j,
)

HALF = Fraction(1, 2)
MANY = int(os.environ.get("INTERTWINE_TEST_MULTIPLIER", "1")) > 1


def rotation(rng):
    """A random rotation of R^3, and the element of the Lie algebra that it is the exponential of, as coefficients of
    generators."""
    torch = pytest.importorskip("torch")
    angles = rng.normal(size=3)
    return lambda V: torch.linalg.matrix_exp(
        sum(a * torch.tensor(np.asarray(X, dtype=float)) for a, X in zip(angles, V.generator_matrices()))
    ).numpy()


def test_signed_roots_are_exact():
    a = SignedRoot.of_square(Fraction(-3, 10))
    assert (a.sign, a.square, str(a), float(a)) == (-1, Fraction(3, 10), "-sqrt(3/10)", -math.sqrt(0.3))
    assert a * a == SignedRoot(Fraction(3, 10)) and a / a == SignedRoot(1) and -a != a and bool(a) and not SignedRoot(0)
    assert (
        pickle.loads(pickle.dumps(a)) == a == copy.deepcopy(a)
        and hash(a) == hash(-(-a))
        and repr(a) == "SignedRoot(-sqrt(3/10))"
    )
    with pytest.raises(DomainError, match="divided by 0"):
        a / SignedRoot(0)


def test_coefficients_are_those_of_sympy():
    sympy = pytest.importorskip("sympy")
    wigner = pytest.importorskip("sympy.physics.wigner")
    rational = lambda x: sympy.Rational(Fraction(x).numerator, Fraction(x).denominator)  # noqa: E731
    for j1, j2 in [(1, HALF), (Fraction(3, 2), 1)]:
        for block in clebsch_gordan("SU(2)", j1, j2):
            assert isinstance(block, Coupling) and (block.j1, block.j2, block.basis) == (j1, j2, "complex")
            for m1, m2, m, value in block.entries:
                other = wigner.clebsch_gordan(*map(rational, (j1, j2, block.j, m1, m2, m)))
                assert sympy.sign(value.sign) == sympy.sign(other) and rational(value.square) == other**2
    for js in [(2, 1, 2, 1, 0, -1), (3, 2, 3, 1, 1, -2)]:
        assert sympy.simplify(wigner.wigner_3j(*js) ** 2 - rational(wigner_3j(*js).square)) == 0
    for js in [(2, 2, 2, 1, 1, 1), (3, 2, 3, 2, 1, 2)]:
        value = wigner_6j(*js)
        assert wigner.wigner_6j(*js) == value.sign * sympy.sqrt(rational(value.square))


def test_arrays_are_unitary():
    for group, basis, j1, j2 in [("SU(2)", "complex", Fraction(5, 2), 2), ("SO(3)", "real", 4, 3)]:
        blocks = clebsch_gordan(group, j1, j2, basis=basis)
        n = int((2 * j1 + 1) * (2 * j2 + 1))
        matrix = np.concatenate([block.array().reshape(n, -1) for block in blocks], axis=1)
        assert matrix.shape == (n, n) and np.abs(matrix.T @ matrix - np.eye(n)).max() < 1e-14
        assert len(blocks[0]) == len(blocks[0].entries) and "Coupling" in repr(copy.copy(blocks[0]))


# e3nn's tensor is the real one of norm 1 [m1, m2, m3]; its harmonics have polar axis y, which changes names and no
# number.
def test_real_symbols_are_those_of_e3nn():
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed")
    torch = pytest.importorskip("torch")
    worst = 0.0
    most = 10 if MANY else 3  # their tables of degree 10 take minutes
    for l1, l2 in [*itertools.product(range(most + 1), repeat=2), (6, 2)]:
        for block in clebsch_gordan("SO(3)", l1, l2, basis="real", symbols=True):
            theirs = o3.wigner_3j(l1, l2, block.j, dtype=torch.float64).numpy()
            worst = max(worst, float(np.abs(block.array() - theirs).max()))
    assert worst < 1e-15
    x = torch.randn(7, 3, dtype=torch.float64)
    G = Group("SO(3)")
    for l in range(5):  # noqa: E741
        form = G.rep(f"harmonic({l})").orthonormal_form("y")
        theirs = o3.spherical_harmonics(l, x, normalize=False, normalization="norm")
        kernels = steerable_kernel_basis("SE(3)", "trivial", f"harmonic({l})", basis="e3nn").polynomials(x.numpy())
        ours = kernels[0, :, 0] * np.sign((kernels[0, :, 0].T * theirs.numpy()).sum())
        assert isinstance(form, OrthonormalForm) and np.allclose(ours.T, theirs.numpy(), atol=1e-12)


def test_finite_groups():
    G = Group("A5")
    answer = G.clebsch_gordan(4, 4)
    assert isinstance(answer, ClebschGordan) and answer.left_form == answer.right_form
    irreps = G.irreps()
    assert sum(len(part) * irreps[part.irrep].dimension for part in answer.constituents) == 25
    product = irreps[4] * irreps[4]
    for part in answer.constituents:
        assert isinstance(part, TensorConstituent) and len(part.maps) == len(part.norms) == len(part.symmetries)
        R = irreps[part.irrep]
        for T, norm in zip(part.maps, part.norms):
            assert all(product.matrix(g) @ T == T @ R.matrix(g) for g in G.generators) and float(norm) > 0
        assert part.form.shape == (R.dimension, R.dimension) and "irrep" in repr(part)
    assert [part.symmetries for part in answer.constituents] == [[1], [-1], [-1], [1, -1], [1, 1]]
    (one,) = G.clebsch_gordan(4, 4, index=3).constituents
    assert one.maps == answer.constituents[3].maps
    answer.verify()
    assert (
        "symmetric" in answer.describe()
        and json.loads(answer.to_json())["constituents"][3]["multiplicity"] == 2
        and "A5" in repr(answer)
    )


def test_compact_groups():
    G = Group("SU(3)")
    V, U = G.rep("schur([2,1], vector)"), G.rep("schur([3], vector)")
    copies = V.clebsch_gordan(V, V)
    assert (
        isinstance(copies, OrthogonalCopies)
        and copies.symmetries == [1, -1]
        and len(copies) == 2
        and "8" in repr(copy.copy(copies))
    )
    for X, A in zip((V * V).generator_matrices(), V.generator_matrices()):
        assert all(X @ T == T @ A for T in copies.maps)
    H, T = (np.asarray(a, dtype=float) for a in (copies.form, copies.maps[0]))
    assert np.allclose(T.T @ np.kron(H, H) @ T, float(copies.norms[0]) * H)
    assert V.clebsch_gordan(V, U).symmetries == [-1]
    with pytest.raises(DomainError, match="is not irreducible"):
        V.clebsch_gordan(V * V, V)
    with pytest.raises(DomainError, match="is not in"):
        V.clebsch_gordan(V, G.rep("vector"))


def test_orthonormal_bases_make_rotations_orthogonal():
    V = Group("SO(3)").rep("harmonic(3) + 2*vector*harmonic(1)")
    form = V.orthonormal_form()
    T = form.array()
    assert (
        form.columns.shape == T.shape == (25, 25)
        and len(form.norms) == 25
        and form.entry(-3, -1) == SignedRoot(1)
        and "25" in repr(form)
    )
    rho = np.linalg.solve(T, rotation(np.random.default_rng(1))(V) @ T)
    assert np.abs(rho @ rho.T - np.eye(25)).max() < 1e-13


@pytest.mark.parametrize("basis", ["own", "orthonormal", "e3nn"])
@pytest.mark.parametrize("source,target", [("vector", "harmonic(2)"), ("trivial + harmonic(1)", "harmonic(2)*vector")])
def test_kernels_are_equivariant_under_random_rotations(source, target, basis):
    kernels = steerable_kernel_basis("SE(3)", source, target, basis=basis)
    assert isinstance(kernels, SteerableKernelBasis) and isinstance(kernels.exact, SteerableKernels)
    turn = rotation(np.random.default_rng(2))
    U, V, R = turn(kernels.exact.target), turn(kernels.exact.source), turn(Group("SO(3)").rep("vector"))
    if basis != "own":
        axis = "y" if basis == "e3nn" else "z"
        T, S = kernels.exact.target.orthonormal_form(axis).array(), kernels.exact.source.orthonormal_form(axis).array()
        U, V = np.linalg.solve(T, U @ T), np.linalg.solve(S, V @ S)
    x = np.random.default_rng(3).normal(size=(4, 5, 3))
    for values in (kernels.evaluate, kernels.polynomials):
        turned = np.einsum("ia,kab...,jb->kij...", U, values(x), np.linalg.inv(V).T)
        assert np.abs(values(x @ R.T) - turned).max() < 1e-12 * max(1.0, np.abs(turned).max())
    assert np.abs(kernels.evaluate(7 * x) - kernels.evaluate(x)).max() < 1e-13 * max(
        1.0, np.abs(kernels.evaluate(x)).max()
    )
    if basis != "own":
        assert np.abs((kernels.evaluate(x) ** 2).sum(axis=(1, 2)) - 1).max() < 1e-13


# kappa = +- sqrt(2 L + 1) sum over m of (3j of l_out, L, l_in) Y_Lm: Clebsch-Gordan coefficients in real harmonics.
@pytest.mark.parametrize("l_in,l_out", [(1, 1), (1, 2), (2, 3)])
def test_kernels_of_irreducible_fields_are_clebsch_gordan_coefficients(l_in, l_out):
    kernels = steerable_kernel_basis("SE(3)", f"harmonic({l_in})", f"harmonic({l_out})", basis="e3nn")
    x = np.random.default_rng(4).normal(size=(6, 3))
    for k, L in enumerate(kernels.degrees):
        harmonics = steerable_kernel_basis("SE(3)", "trivial", f"harmonic({L})", basis="e3nn").evaluate(x)[0, :, 0]
        (block,) = clebsch_gordan("SO(3)", l_out, L, l_in, basis="real", symbols=True)
        expected = math.sqrt(2 * L + 1) * np.einsum("imj,mp->ijp", block.array(), harmonics)
        value = kernels.evaluate(x)[k]
        assert np.abs(value - expected * np.sign((value * expected).sum())).max() < 1e-13


@pytest.mark.parametrize(
    "group,source,target",
    [("SE(2)", "harmonic(1)", "harmonic(2)"), ("E(2)", "vector", "det"), ("E(3)", "vector", "harmonic(2)")],
)
def test_samples_are_turned_by_quarter_turns_exactly(group, source, target):
    kernels = steerable_kernel_basis(group, source, target)
    n = kernels.exact.space_dimension
    size = 5
    grid = np.stack(np.meshgrid(*[np.arange(size) - 2] * n, indexing="ij"), axis=-1)
    values = kernels.polynomials(grid)
    assert values.shape == (len(kernels), *kernels.shape, *[size] * n) and np.array_equal(values, np.round(values))
    point_group = kernels.exact.source.group
    turn = np.eye(n)
    turn[:2, :2] = [[0, -1], [1, 0]]
    # the quarter turn in exact matrices: of degree at most 2 in the harmonics, its action is that on polynomials
    spaces = [point_group.rep(text) for text in (target, source)]
    U, V = (quarter_turn(space, n) for space in spaces)
    turned = np.einsum("ia,kab...,jb->kij...", U, values, np.linalg.inv(V).T)
    # kappa(R x): the sample at the grid point R x
    index = tuple(np.moveaxis((grid @ turn.T + 2).astype(int), -1, 0))
    assert np.array_equal(values[(slice(None), slice(None), slice(None), *index)], np.round(turned))
    assert np.abs(turned - np.round(turned)).max() < 1e-9
    weights = kernels.sample(size, [lambda r: np.exp(-(r**2)), lambda r: np.maximum(0.0, 1 - r)], spacing=0.5)
    assert weights.shape == (2 * len(kernels), *kernels.shape, *[size] * n)
    again = np.einsum("ia,kab...,jb->kij...", U, weights, np.linalg.inv(V).T)
    assert np.abs(weights[(slice(None), slice(None), slice(None), *index)] - again).max() < 1e-14
    centre = weights[(slice(None), slice(None), slice(None), *[2] * n)]
    assert not centre[[k for k in range(len(weights)) if kernels.degrees[k % len(kernels)] > 0]].any()


def quarter_turn(V, n):
    """exp(pi/2 X) for the turn X of the first two axes: integers for these representations."""
    torch = pytest.importorskip("torch")
    vector = V.group.rep("vector")
    for X, A in zip(vector.generator_matrices(), V.generator_matrices()):  # noqa: B007
        generator = np.asarray(X, dtype=float)
        if generator[:2, :2].any():
            break
    else:
        raise AssertionError("no generator turns the first two axes")
    sign = generator[1, 0]
    return np.round(torch.linalg.matrix_exp(torch.tensor(sign * math.pi / 2 * np.asarray(A, dtype=float))).numpy())


# A convolution with sampled kernels commutes with quarter turns of a vector field on a grid.
def test_convolutions_with_samples_are_equivariant():
    torch = pytest.importorskip("torch")
    kernels = steerable_kernel_basis("SE(2)", "vector", "harmonic(2)")
    basis = torch.from_numpy(kernels.sample(5, [lambda r: np.exp(-((r - 1) ** 2)), lambda r: np.exp(-((r - 2) ** 2))]))
    generator = torch.Generator().manual_seed(5)
    weights = torch.randn(len(basis), dtype=torch.float64, generator=generator)
    kernel = torch.einsum("k,kij...->ij...", weights, basis)
    field = torch.randn(1, 2, 9, 9, dtype=torch.float64, generator=generator)
    U, V = (torch.from_numpy(quarter_turn(space, 2)) for space in (kernels.exact.target, kernels.exact.source))

    def turned(f, rho):  # (h f)(x) = rho f(h^-1 x); x = (row, column)
        return torch.einsum("ij,bjxy->bixy", rho, torch.rot90(f, 1, (-2, -1)))

    layer = lambda f: torch.nn.functional.conv2d(f, kernel, padding=2)  # noqa: E731
    assert torch.allclose(layer(turned(field, V)), turned(layer(field), U), atol=1e-12)
    assert not torch.allclose(layer(field.flip(-1)), layer(field).flip(-1), atol=1e-3)


def test_exact_kernels():
    kernels = steerable_kernels("E(3)", "2*vector", "3*vector*det")
    assert (kernels.group, kernels.params, kernels.dimension, kernels.degrees, kernels.stabilizer) == (
        "E(3)",
        1,
        6,
        [1],
        "O(2)",
    )
    assert sorted(kernels.terms(0))[0] == ([0, 0, 1], 0, 1, 1) and len(kernels.terms(-1)) == 6 and len(kernels) == 1
    assert str(kernels.source) == "vector" and str(kernels.target) == "vector*det" and kernels.space_dimension == 3
    kernels.verify()
    assert json.loads(kernels.to_json())["certificate"]["stabilizer_dimension"] == "1"
    assert "kappa1" in kernels.describe(elements=True) and "E(3)" in repr(kernels) and len(copy.copy(kernels)) == 1
    assert "e3nn" in repr(steerable_kernel_basis("SE(2)", "vector", "vector", basis="e3nn"))


# kappa(g x) = rho_out(g) kappa(x) rho_in(g)^-1, in doubles; and the exact numbers behind it.
@pytest.mark.parametrize(
    "group,source,target,degree",
    [("R^2 : C4", "cartesian", "cartesian", 5), ("R^2 : D6", "cartesian", "perm", 3), ("R^3 : Oh", "T1u", "T2g", 4)],
)
def test_kernels_under_finite_groups_are_equivariant(group, source, target, degree):
    kernels = steerable_kernel_basis(group, source, target, degree=degree)
    exact = kernels.exact
    assert isinstance(exact, PointKernels) and exact.up_to_degree == degree and len(kernels) == len(exact) > 0
    G = exact.source.group
    x = np.random.default_rng(6).normal(size=(7, exact.space_dimension))
    action = G.rep("cartesian")
    for g in G.generators:
        A, U, V = (
            np.array([[float(a) for a in row] for row in R.matrix(g).tolist()])
            for R in (action, exact.target, exact.source)
        )
        turned = np.einsum("ia,kabp,jb->kijp", U, kernels.evaluate(x), np.linalg.inv(V).T)
        assert np.abs(kernels.evaluate(x @ A.T) - turned).max() < 1e-12
    exact.verify()
    assert kernels.sample(3, [lambda r: np.exp(-r)]).shape == (
        len(kernels),
        *kernels.shape,
        *[3] * exact.space_dimension,
    )
    assert copy.copy(exact) == exact and pickle.loads(pickle.dumps(exact)) == exact and "point_kernels" in repr(exact)


def test_exact_kernels_under_finite_groups(tmp_path):
    kernels = point_kernels("R^2 : D4", "trivial", "2*trivial", 4)
    assert (kernels.group, kernels.params, kernels.dimension, kernels.degrees) == ("R^2 : D4", 2, 4, [0, 4])
    assert kernels.terms(1) == [([4, 0], 0, 0, 1), ([2, 2], 0, 0, -6), ([0, 4], 0, 0, 1)]
    assert json.loads(kernels.to_json())["certificate"]["by_characters"][1] == {
        "degree": 4,
        "dimension": "1",
        "route": "burnside-elements",
    }
    assert "x^4 - 6*x^2*y^2 + y^4" in kernels.describe(elements=True)
    assert "x^{4}" in kernels.to_latex() and "x^4 - 6*x^2*y^2 + y^4" in kernels.to_csv()
    assert (
        "x[1]^4-6*x[1]^2*x[2]^2" in kernels.to_gap() and "x[0]**4" in kernels.to_sage() and "<svg" in kernels.picture()
    )
    kernels.picture(tmp_path / "kernels.svg")
    assert (tmp_path / "kernels.svg").read_text() == kernels.picture()
    assert [len(steerable_kernel_basis("R^3:I", "trivial", "trivial", degree=d)) for d in (5, 6)] == [1, 2]
    with pytest.raises(DomainError, match='have the basis "own"'):
        steerable_kernel_basis("R^2 : C4", "trivial", "trivial", basis="e3nn")
    with pytest.raises(DomainError, match="finitely many"):
        steerable_kernel_basis("SE(2)", "vector", "vector", degree=3)
    with pytest.raises(DomainError, match="not real"):
        steerable_kernel_basis("R^2 : C4", "irrep(3)", "trivial", degree=1)
    with pytest.raises(DomainError, match="write R\\^3"):
        point_kernels("R^2 : Oh", "trivial", "trivial")


def test_bad_input():
    with pytest.raises(DomainError, match="3/2, which is one of SU|not 3/2"):
        clebsch_gordan("SO(3)", Fraction(3, 2), 1)
    with pytest.raises(DomainError, match="'1/3' is no spin"):
        clebsch_gordan("SU(2)", Fraction(1, 3), 1)
    for wrong in (0.3, 0.5000000001, "x", 10.0**20, [1]):
        with pytest.raises(DomainError, match="is no spin"):
            clebsch_gordan("SU(2)", wrong, 1)
    with pytest.raises(DomainError, match="finite groups have Group.clebsch_gordan"):
        clebsch_gordan("SU(3)", 1, 1)
    with pytest.raises(DomainError, match="real harmonics exist for integers"):
        clebsch_gordan("SU(2)", HALF, 1, basis="real")
    with pytest.raises(DomainError, match='"complex" or "real"'):
        clebsch_gordan("SU(2)", 1, 1, basis="e3nn")
    with pytest.raises(LimitError):
        clebsch_gordan("SU(2)", 2000, 1)
    with pytest.raises(DomainError, match="no row 9"):
        Group("S3").clebsch_gordan(9, 0)
    with pytest.raises(DomainError, match="is not in"):
        Group("S3").clebsch_gordan(0, 0, index=1)
    with pytest.raises(ParseError, match="one factor SE"):
        steerable_kernels("SO(3)", "vector", "vector")
    with pytest.raises(DomainError, match='"own", "orthonormal" or "e3nn"'):
        steerable_kernel_basis("SE(3)", "vector", "vector", basis="real")
    with pytest.raises(DomainError, match='as in e3nn, not "x"'):
        Group("SO(3)").rep("vector").orthonormal_form("x")
    kernels = steerable_kernel_basis("SE(2)", "vector", "vector")
    with pytest.raises(DomainError, match=r"vectors of R\^2"):
        kernels.evaluate([[1.0, 2.0, 3.0]])
    with pytest.raises(DomainError, match="needs radial functions"):
        kernels.sample(3, [])
    with pytest.raises(DomainError, match="at least one point"):
        kernels.sample(0, [np.exp])
    with pytest.raises(DomainError, match="made an array of shape"):
        kernels.sample(3, [lambda r: 1.0])
    with pytest.raises(IndexError):
        kernels.exact.terms(99)
