"""Linear layers over continuous groups."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, Group, VerificationError  # noqa: E402
from intertwine.nn import Linear, NormActivation  # noqa: E402


def generators(V):
    return [
        torch.tensor([[float(x) for x in row] for row in A.tolist()], dtype=torch.float64)
        for A in V.generator_matrices()
    ]


def element(V, seed):
    """exp of a combination of the Lie algebra's generators, times the component: the same on every module."""
    *X, s = generators(V)
    coefficients = torch.randn(len(X), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    return torch.linalg.matrix_exp(sum(c * A for c, A in zip(coefficients, X))) @ s


@pytest.mark.parametrize("group", ["O(3)", "O(4)"])
@pytest.mark.parametrize(
    "V, U",
    [
        ("vector", "2*vector + harmonic(2)"),
        ("4*vector", "8*(vector + alt(2, vector))"),
        ("vector^2 + trivial", "sym(2, vector)"),
    ],
)
def test_linear_is_equivariant(group, V, U):
    G = Group(group)
    V, U = G.rep(V), G.rep(U)
    layer = Linear(V, U, 2, 3, dtype=torch.float64)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.normal_(generator=torch.Generator().manual_seed(1))
    x = torch.randn(5, 2, V.dimension, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
    for seed in range(3):
        g, h = element(V, seed), element(U, seed)
        torch.testing.assert_close(layer(x @ g.T), layer(x) @ h.T)
    assert layer(x).norm() > 0.1


def test_real_weights_of_unitary_groups():
    """Real layers of SU(2), SU(3) and U(2) on real and imaginary parts, with gates and norms; and powers over a
    product."""
    for group, V, U in (
        ("SU(2)", "real(vector)", "real(vector) + trivial"),
        ("SU(3)", "real(vector)", "real(dual(vector)) + real(vector)"),
        ("U(2)", "real(vector)^2", "trivial + sym(2, real(vector))"),
        ("S3 x SU(2)", "perm # real(vector)", "sym(2, perm # real(vector)) + perm # real(vector)"),
    ):
        G = Group(group)
        V, U = G.rep(V), G.rep(U)
        layer = Linear(V, U, 2, 3, dtype=torch.float64)
        with torch.no_grad():
            for parameter in layer.parameters():
                parameter.normal_(generator=torch.Generator().manual_seed(1))
        x = torch.randn(5, 2, V.dimension, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
        for name, A, B in zip(G.generator_names, generators(V), generators(U)):
            g, h = (torch.linalg.matrix_exp(0.7 * M) if "Lie algebra" in name else M for M in (A, B))
            torch.testing.assert_close(layer(x @ g.T), layer(x) @ h.T)
        assert layer(x).norm() > 0.1
    V = Group("SU(2)").rep("real(vector)")
    norm = NormActivation(V).double()
    x = torch.randn(4, 1, V.dimension, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    for A in generators(V):
        g = torch.linalg.matrix_exp(0.4 * A)
        torch.testing.assert_close(norm(x @ g.T), norm(x) @ g.T)
    with pytest.raises(DomainError, match=r"V\.real\(\)"):
        NormActivation(Group("SU(2)").rep("vector"))(torch.randn(2, 1, 2))  # whose fields are complex


def test_linear_compiles():
    G = Group("S3 x SO(2)")
    V = G.rep("perm # vector")
    layer, x = Linear(V, V, 2, 2), torch.randn(3, 2, V.dimension)
    torch.testing.assert_close(torch.compile(layer, backend="aot_eager", fullgraph=True)(x), layer(x))


def test_state_and_bad_input():
    G = Group("SO(3)")
    v, square = G.rep("vector"), G.rep("vector^2")
    layer = Linear(v, square)
    Linear(v, square).load_state_dict(layer.state_dict())
    with pytest.raises(VerificationError, match="table"):
        Linear(v, G.rep("sym(2, vector) + alt(2, vector)")).load_state_dict(layer.state_dict())
    with pytest.raises(DomainError, match="isotypic"):
        Linear(v, square, mode="isotypic")
    with pytest.raises(DomainError, match="different groups"):
        Linear(v, Group("S3").rep("perm"))
    with pytest.raises(DomainError, match="different groups"):
        Linear(v, Group("O(3)").rep("vector"))
