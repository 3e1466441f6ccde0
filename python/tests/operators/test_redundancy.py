"""How many weights give one operator, counted by characters and by rank, and how many parameters nobody sees."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
from intertwine import DomainError, Group, LimitError, nn  # noqa: E402
from intertwine.operators import Redundancy, gauge, kernel_basis, redundancy, redundancy_by_rank  # noqa: E402

D = torch.float64


@pytest.mark.parametrize("name", ["S3", "S4", "D4"])
def test_two_routes(name):
    G = Group(name)
    pairs = [
        (G.rep("perm"), G.rep("perm")),
        (G.rep("sign") + G.rep("perm"), G.rep("trivial")),
        (G.rep("perm"), G.rep("regular")),
    ]
    pairs += (
        [(G.irrep(G.number_of_classes() - 1), G.rep("perm"))] if name != "D4" else [(G.rep("regular"), G.rep("sign"))]
    )
    for V, W in pairs:
        for degree in range(4):
            found = redundancy(G, V, W, degree)
            assert found == redundancy_by_rank(G, V, W, degree), (str(V), str(W), degree)
            assert found.omegas == found.operators + found.zero


def test_known_numbers():
    """Of the trivial group: Sym^p x V, Sym^(p+1) and S_(p,1) of dimension n, times m [Pieri]."""
    G = Group("C1")
    V, W = 3 * G.rep("trivial"), 2 * G.rep("trivial")
    assert redundancy(G, V, W, 1) == Redundancy(18, 12, 6)
    assert redundancy(G, V, W, 2) == Redundancy(36, 20, 16)
    assert redundancy_by_rank(G, V, W, 2) == Redundancy(36, 20, 16)
    # A line leaves nothing to be antisymmetric in; weights that do not depend on f are linear maps.
    assert redundancy(Group("C2"), Group("C2").rep("sign"), Group("C2").rep("sign"), 2) == Redundancy(1, 1, 0)
    S3 = Group("S3")
    assert redundancy(S3, 2, 1, degree=0) == Redundancy(12, 12, 0)
    assert redundancy(S3, 1, 1) == Redundancy(36, 21, 15) == redundancy_by_rank(S3, 1, 1)
    assert redundancy(S3, 2, 2) == redundancy_by_rank(S3, 2, 2)


def test_kernels_on_sections():
    G = Group("S4")
    H, K = G.subgroup(["(1,2,3)", "(1,2)"]), G.subgroup(["(1,2,3,4)"])
    for rho, sigma in (
        (H.rep("trivial"), K.rep("trivial")),
        (H.rep("sign"), K.rep("perm")),
        (H.irrep(2), K.rep("trivial")),
    ):
        kernels = kernel_basis(G, H, K, rho, sigma)
        found = redundancy(kernels)
        assert found == redundancy_by_rank(kernels) and found.operators == kernels.dimension
        assert found.omegas == 4 * rho.dimension * sigma.dimension
    one = G.subgroup([])
    assert redundancy(kernel_basis(G, H, one, H.rep("trivial"), one.rep("trivial"))) == Redundancy(4, 4, 0)


def attention(channels, heads):
    layer = nn.MultiheadAttention(Group("C1").rep("trivial"), channels, heads, dtype=D)
    plain = torch.nn.MultiheadAttention(channels, heads, batch_first=True, dtype=D)
    generator = torch.Generator().manual_seed(channels)
    with torch.no_grad():
        for p in (*layer.parameters(), *plain.parameters()):
            p.normal_(generator=generator)
    return layer, plain


class OnItself(torch.nn.Module):
    def __init__(self, plain):
        super().__init__()
        self.plain = plain

    def forward(self, x):
        return self.plain(x, x, x, need_weights=False)[0]


@pytest.mark.parametrize("channels, heads", [(2, 1), (4, 2), (6, 3)])
def test_gauge_of_attention(channels, heads):
    """heads (2 d^2 + 2 d): GL(d) twice a head, and the biases of keys and values."""
    d = channels // heads
    torch.manual_seed(0)
    layer, plain = attention(channels, heads)
    found = gauge(layer, torch.randn(14, 5, channels, 1, dtype=D))
    assert found.dimension == heads * (2 * d * d + 2 * d) and found.gap > 1e6
    assert found.parameters == 4 * channels * (channels + 1)
    assert gauge(OnItself(plain), torch.randn(14, 5, channels, dtype=D)).dimension == found.dimension
    assert gauge(plain, torch.randn(14, 5, channels, dtype=D)).dimension == found.dimension
    # Along each direction the layer does not change to first order; along others it does.
    x = torch.randn(3, 5, channels, 1, dtype=D)
    values = {name: p.detach() for name, p in layer.named_parameters()}

    def slope(direction):
        moved = [
            torch.func.functional_call(layer, {name: p + step * direction[name] for name, p in values.items()}, (x,))
            for step in (1e-5, -1e-5)
        ]
        return float((moved[0] - moved[1]).abs().max()) / 2e-5

    assert max(slope({name: v[k] for name, v in found.basis.items()}) for k in range(found.dimension)) < 1e-6
    assert slope({name: torch.randn_like(p) for name, p in values.items()}) > 1e-2


def test_gauge_of_other_layers():
    x = torch.randn(40, 3, dtype=D)
    assert gauge(torch.nn.Linear(3, 2), x).dimension == 0
    # 26 parameters for an affine map of 8.
    assert gauge(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2)), x).dimension == 18
    relu = torch.nn.Sequential(torch.nn.Linear(3, 4, dtype=D), torch.nn.ReLU(), torch.nn.Linear(4, 2, dtype=D))
    torch.manual_seed(1)
    for p in relu.parameters():
        torch.nn.init.normal_(p)
    assert gauge(relu, [x, torch.randn(200, 3, dtype=D)]).dimension == 4  # a scale for each hidden unit


def test_bad_input():
    S3 = Group("S3")
    perm = S3.rep("perm")
    with pytest.raises(DomainError, match="representation of C3"):
        redundancy(S3, Group("C3").rep("perm"), perm)
    with pytest.raises(DomainError, match="degree of omega"):
        redundancy(S3, perm, perm, -1)
    with pytest.raises(DomainError, match="number of channels"):
        redundancy(S3, perm)
    with pytest.raises(LimitError, match="more than this route takes"):
        redundancy_by_rank(Group("S4"), 2, 2, 3)
    kernels = kernel_basis(S3, S3, S3, perm, perm)
    with pytest.raises(DomainError, match="takes the kernels alone"):
        redundancy(kernels, perm)
    C3 = Group("C3")
    with pytest.raises(DomainError, match="taken over Q"):
        redundancy_by_rank(kernel_basis(C3, C3, C3, C3.irrep(1), C3.irrep(1)))
    with pytest.raises(DomainError, match="cannot tell"):
        gauge(torch.nn.Linear(3, 2), torch.randn(1, 3))
    with pytest.raises(DomainError, match="no parameters"):
        gauge(torch.nn.ReLU(), torch.randn(1, 3))
    with pytest.raises(DomainError, match="drops at random"):
        gauge(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Dropout(0.5)), torch.randn(9, 3))
