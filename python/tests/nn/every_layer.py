"""One small module of every class of layers in the package, with inputs for it; what none of them shows is found by
walking the subclasses of nn.Module."""

import importlib
import pkgutil
import types

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
import intertwine  # noqa: E402
from intertwine import Group, gsa, nn, operators  # noqa: E402
from intertwine.nn import attention  # noqa: E402
from torch import nn as plain  # noqa: E402

D = torch.float64
S3, S4, D4, C2 = Group("S3"), Group("S4"), Group("D4"), Group("C2")
PERM, STD, SUM, SPARSE = S4.rep("perm"), S4.rep("std"), S4.rep("perm + 2*sign + std"), S4.rep("2*std + trivial")
REGULAR, LINE, SPACE, TURNS = (
    D4.rep("regular"),
    C2.rep("regular"),
    Group("O(3)").rep("vector + trivial"),
    Group("O(3)").rep("2*vector + harmonic(2) + trivial"),
)
# By matrices that are not orthogonal: the inner product that the group keeps is another one.
SKEW = Group("C2").matrix_rep([[[1, 1], [0, -1]]])
R4 = gsa.Affine("R4")


def mixed(*shape):
    """Numbers of several sizes, always the same."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(7), dtype=D)


def _convolution():
    layer = nn.GroupConv2d(R4.group, 2, 2, 3, padding="same", padding_mode="circular", dtype=D)
    return gsa.from_convolution(layer, R4, gsa.torus(5, 5))


def _weights(f, g, g1):
    return ((7 * g + 3 * g1) % 5).to(f)[..., None, None]


def attending(encoding=None, V=PERM, channels=4, **settings):
    return lambda: nn.MultiheadAttention(V, channels, 2, encoding=encoding() if encoding else None, dtype=D, **settings)


TOKENS, SIX, MASK = (
    (2, 6, 4, 4),
    (2, 6, 4, 6),
    torch.eye(6, dtype=torch.bool) | torch.ones(6, 6, dtype=torch.bool).tril(2),
)
IMAGE, LIFTED, PLACES = (2, 2, 1, 5, 5), (2, 2, 4, 5, 5), (2, 6, 3)

GEOMETRIC = Group("O(3)").rep("trivial + vector")


class OnEdges(plain.Module):
    """A convolution with its graph: what is given are tensors."""

    def __init__(self, graph=None):
        super().__init__()
        self.layer = nn.geometric.Convolution(GEOMETRIC, GEOMETRIC, GEOMETRIC, 2)
        self.graph = graph

    def forward(self, x, y, w):
        return self.layer(x, y, w, self.graph or self.make_graph())

    @staticmethod
    def make_graph():
        return nn.geometric.Graph(torch.tensor([[0, 1, 2, 1, 1], [1, 0, 1, 2, 1]], device="cpu"), 3)


class _Mean(plain.Module):
    def forward(self, distribution):
        return distribution.mean * distribution.stddev


class OnPolicy(plain.Module):
    """A policy without its distribution: tensors are given."""

    def __init__(self):
        super().__init__()
        self.policy = nn.GaussianPolicy(S4.rep("perm + 2*sign"), 2, std="inputs", dtype=D)

    def forward(self, x):
        found = self.policy(x)
        return found.mean + found.variance * found.log_prob(torch.ones_like(found.mean))[..., None, None]


class Moved(plain.Module):
    """What models of e3nn become besides layers; it makes them from modules that only look like e3nn's."""

    def __init__(self):
        super().__init__()
        from intertwine.nn.geometric import moved

        dense = types.SimpleNamespace(weight=mixed(5, 6), h_in=5, var_in=1, var_out=2, act=torch.tanh)
        functions = moved._Scalars([2, 1], [torch.tanh, None])
        self.layers = plain.Sequential(
            moved._Dense(dense), moved._Select([5, 0, 1, 2, 3, 4, 4]),
            moved._Gate(functions, moved._Scalars([1], [torch.sigmoid]), [[0, 2, 3], [6], [1, 4, 5]], [0, 0, 0]),
        )  # fmt: skip

    def forward(self, x):
        return self.layers(x)


# name: (how it is built, the shapes of its inputs). Every module in one of them is of a class that is looked at.
EXAMPLES = {
    "Linear": (lambda: nn.Linear(PERM, SUM, 2, 3, dtype=D), (3, 2, 4)),
    "Linear of a sparse table": (lambda: nn.Linear(SPARSE, SUM, 2, 3, dtype=D), (3, 2, 7)),
    "Linear of a continuous group": (lambda: nn.Linear(TURNS, TURNS, 2, 3, dtype=D), (3, 2, 12)),
    "Linear isotypic": (lambda: nn.Linear(S3.rep("regular"), S3.rep("regular"), mode="isotypic", dtype=D), (3, 1, 6)),
    "Linear diagram": (lambda: nn.Linear(Group("S5").rep("perm^2"), Group("S5").rep("perm^2"), mode="diagram", dtype=D), (3, 1, 25)),
    "RelaxedLinear": (lambda: nn.RelaxedLinear(PERM, PERM, S4.stabilizer(0), 2, 2, dtype=D), (3, 2, 4)),
    "RelaxedLinear sparse": (lambda: nn.RelaxedLinear(STD, PERM, S4.stabilizer(0), 2, 2, dtype=D), (3, 2, 3)),
    "impose": (lambda: nn.impose(plain.Linear(8, 4, dtype=D), PERM, PERM), (3, 8)),
    "Linear of a sum": (lambda: nn.Linear(S4.rep("2*perm + 2*sign"), S4.rep("3*perm + std"), dtype=D), (3, 10)),
    "Linear of identities": (lambda: nn.Linear(SPACE, SPACE, 2, 3, dtype=D), (3, 2, 4)),
    "Bilinear": (lambda: nn.Bilinear(PERM, STD, PERM, 2, 2, 2, dtype=D), (3, 2, 4), (3, 2, 3)),
    "TensorProduct": (lambda: nn.TensorProduct(PERM, STD, PERM, 2, dtype=D), (3, 2, 4), (3, 2, 3)),
    "PolynomialLayer": (lambda: nn.PolynomialLayer(PERM, SUM, (1, 2), 2, 2, dtype=D), (3, 2, 4)),
    "Embedding": (lambda: nn.Embedding(5, SUM, 2, dtype=D), (3,)),
    "geometric.Convolution": (OnEdges, (3, 4, 2), (5, 4), (5, 4, 2)),
    "geometric.TensorProduct": (
        lambda: nn.geometric.TensorProduct("2x0e + 2x1o", "0e + 1o", "2x0e + 2x1o", [(0, 0, 0, "uvu", True), (1, 1, 0, "uvw", True)], dtype=D), (3, 8), (3, 4),
    ),
    "geometric.Linear": (lambda: nn.geometric.Linear("2x0e + 1o", "0e + 2x1o", bias=True, dtype=D), (3, 5)),
    "geometric.Linear with channels": (lambda: nn.geometric.Linear(S4.rep("perm + sign"), PERM, 2, 3, dtype=D), (3, 5, 2)),
    "geometric.Gate": (lambda: nn.geometric.Gate("2x0e + 0o + 1o"), (3, 7)),
    "geometric.Norms": (lambda: nn.geometric.Norms("2x0e + 1o"), (3, 5)),
    "geometric.BatchNorm": (lambda: nn.geometric.BatchNorm("2x0e + 1o", dtype=D), (3, 5)),
    "geometric.Gaussian": (lambda: nn.geometric.Gaussian(3.0, 4), (4, 3)),
    "geometric.SymmetricContraction": (lambda: nn.geometric.SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, dtype=D), (3, 4, 2)),
    "geometric.SymmetricContraction of MACE": (lambda: nn.geometric.SymmetricContraction("0e + 1o", "0e + 1o", 2, 3, basis="mace", dtype=D), (3, 4, 2)),
    "geometric.from_e3nn": (Moved, (3, 5)),
    "geometric.SphericalHarmonics": (lambda: nn.geometric.SphericalHarmonics(3), (4, 3)),
    "geometric.Bessel": (lambda: nn.geometric.Bessel(3.0, 4), (4, 3)),
    "geometric.PolynomialCutoff": (lambda: nn.geometric.PolynomialCutoff(3.0), (4, 3)),
    "Sets": (lambda: nn.Sets(2, 3, dtype=D), (3, 2, 5)),
    "Graphs": (lambda: nn.Graphs(2, 3, dtype=D), (3, 2, 5, 5)),
    "Tensors": (lambda: nn.Tensors("av", "av", 2, 2, group={"a": "S(n)", "v": "O(3)"}, dtype=D), (3, 2, 5, 3)),
    "Conv1d": (lambda: nn.Conv1d(LINE, LINE, 2, 2, 3, dtype=D), (3, 2, 2, 7)),
    "Conv2d": (lambda: nn.Conv2d(REGULAR, REGULAR, 2, 2, 3, padding=1, dtype=D), (3, 2, 8, 5, 5)),
    "Conv3d": (lambda: nn.Conv3d(Group("B3").rep("coordinates"), Group("B3").rep("coordinates"), 1, 1, 3, dtype=D), (2, 1, 3, 4, 4, 4)),
    "RelaxedConv1d": (lambda: nn.RelaxedConv1d(LINE, LINE, C2.subgroup([]), 2, 2, 3, dtype=D), (3, 2, 2, 7)),
    "RelaxedConv2d": (lambda: nn.RelaxedConv2d(REGULAR, D4.rep("trivial"), D4.subgroup([]), 2, 2, 3, padding=1, strength="learnt", dtype=D), (3, 2, 8, 5, 5)),
    "RelaxedConv3d": (lambda: nn.RelaxedConv3d(Group("B3").rep("coordinates"), Group("B3").rep("trivial"), Group("B3").subgroup([]), 1, 1, 3, strength=0.5, dtype=D), (2, 1, 3, 4, 4, 4)),
    "GroupConv1d": (lambda: nn.GroupConv1d(C2, 2, 2, 3, dtype=D), (3, 2, 2, 7)),
    "GroupConv2d": (lambda: nn.GroupConv2d(D4, 2, 2, 3, dtype=D), (3, 2, 8, 5, 5)),
    "GroupConv3d": (lambda: nn.GroupConv3d(Group("B3"), 1, 1, 3, lifting=True, dtype=D), (1, 1, 1, 4, 4, 4)),
    "SteerableConv2d": (lambda: nn.SteerableConv2d(Group("SO(2)").rep("vector"), Group("SO(2)").rep("vector"), 2, 2, 3, dtype=D), (3, 2, 2, 5, 5)),
    "SteerableConv3d": (lambda: nn.SteerableConv3d(Group("SO(3)").rep("vector"), Group("SO(3)").rep("vector"), 1, 1, 3, dtype=D), (2, 1, 3, 4, 4, 4)),
    "ConvTranspose1d": (lambda: nn.ConvTranspose1d(LINE, LINE, 2, 2, 3, 2, dtype=D), (3, 2, 2, 4)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(REGULAR, REGULAR, 2, 2, 3, 2, 1, dtype=D), (3, 2, 8, 4, 4)),
    "ConvTranspose3d": (lambda: nn.ConvTranspose3d(Group("B3").rep("coordinates"), Group("B3").rep("coordinates"), 1, 1, 3, dtype=D), (2, 1, 3, 2, 2, 2)),
    "Upsample": (lambda: nn.Upsample(REGULAR, 2, "bilinear"), (3, 2, 8, 4, 4)),
    "CosetPool": (lambda: nn.CosetPool(D4.rep("regular + perm"), D4.subgroup(["(2,4)"])), (3, 2, 12)),
    "BlurPool1d": (lambda: nn.BlurPool1d(LINE), (3, 2, 2, 7)),
    "BlurPool2d": (lambda: nn.BlurPool2d(REGULAR), (3, 2, 8, 5, 5)),
    "BlurPool3d": (lambda: nn.BlurPool3d(Group("B3").rep("coordinates")), (2, 1, 3, 3, 3, 3)),
    "AvgPool1d": (lambda: nn.AvgPool1d(LINE, 3, 2), (3, 2, 2, 7)),
    "AvgPool2d": (lambda: nn.AvgPool2d(REGULAR, 3, 2), (3, 2, 8, 7, 7)),
    "AvgPool3d": (lambda: nn.AvgPool3d(Group("B3").rep("trivial"), 2), (2, 1, 1, 4, 4, 4)),
    "MaxPool1d": (lambda: nn.MaxPool1d(LINE, 3, 2), (3, 2, 2, 7)),
    "MaxPool2d": (lambda: nn.MaxPool2d(REGULAR, 3, 2), (3, 2, 8, 7, 7)),
    "MaxPool3d": (lambda: nn.MaxPool3d(Group("B3").rep("trivial"), 2), (2, 1, 1, 4, 4, 4)),
    "InvariantPool mean": (lambda: nn.InvariantPool(SUM), (3, 2, 9)),
    "InvariantPool max": (lambda: nn.InvariantPool(S4.rep("perm + 2*sign"), "max"), (3, 2, 6)),
    "InvariantPool norm": (lambda: nn.InvariantPool(SUM, "norm"), (3, 2, 9)),
    "InvariantPool norm skew": (lambda: nn.InvariantPool(SKEW, "norm"), (3, 2, 2)),
    "InvariantPool norm continuous": (lambda: nn.InvariantPool(TURNS, "norm"), (3, 2, 12)),
    "InvariantPool square": (lambda: nn.InvariantPool(SUM, "square"), (3, 2, 9)),
    "Activation": (lambda: nn.Activation(PERM, plain.PReLU(2, dtype=D), 2), (3, 2, 4)),
    "GaussianPolicy": (OnPolicy, (3, 2, 6 + 3)),
    "GaussianPolicy learnt": (lambda: plain.Sequential(nn.GaussianPolicy(PERM, 2, dtype=D), _Mean()), (3, 2, 4)),
    "RunningNorm": (lambda: nn.RunningNorm(SUM, 2, dtype=D), (3, 2, 9)),
    "CompositeActivation": (lambda: nn.CompositeActivation(SUM), (3, 2, 9 + 1)),
    "GatedActivation": (lambda: nn.GatedActivation(SUM), (3, 2, 9 + 4)),
    "GatedActivation skew": (lambda: nn.GatedActivation(SKEW), (3, 2, 3)),
    "NormActivation": (lambda: nn.NormActivation(SUM, torch.tanh, 2, dtype=D), (3, 2, 9)),
    "NormActivation skew": (lambda: nn.NormActivation(SKEW, torch.relu, 2, dtype=D), (3, 2, 2)),
    "NormActivation continuous": (lambda: nn.NormActivation(TURNS, torch.sigmoid, 2, dtype=D), (3, 2, 12)),
    "SampledActivation": (lambda: nn.SampledActivation(STD, torch.tanh), (3, 2, 3)),
    "SampledActivation of some": (lambda: nn.SampledActivation(STD, torch.tanh, 12), (3, 2, 3)),
    "BatchNorm": (lambda: nn.BatchNorm(SUM, 2, dtype=D), (5, 2, 9)),
    "BatchNorm skew": (lambda: nn.BatchNorm(SKEW, 2, dtype=D), (5, 2, 2)),
    "LayerNorm": (lambda: nn.LayerNorm(SUM, 2, dtype=D), (3, 2, 9)),
    "LayerNorm skew": (lambda: nn.LayerNorm(SKEW, 2, dtype=D), (3, 2, 2)),
    "LayerNorm continuous": (lambda: nn.LayerNorm(TURNS, 2, dtype=D), (3, 2, 12)),
    "RMSNorm": (lambda: nn.RMSNorm(SUM, 2, dtype=D), (3, 2, 9)),
    "RMSNorm skew": (lambda: nn.RMSNorm(SKEW, 2, dtype=D), (3, 2, 2)),
    "Dropout": (lambda: nn.Dropout(SUM, 0.5), (3, 2, 9)),
    "symmetrize": (lambda: nn.symmetrize(plain.Sequential(plain.Flatten(), plain.Linear(8, 4, dtype=D), plain.Unflatten(1, (1, 4))), PERM, PERM), (3, 2, 4)),
    "MultiheadAttention": (attending(), TOKENS),
    "MultiheadAttention masked": (attending(mask=MASK), TOKENS),
    "MultiheadAttention causal": (attending(mask="causal"), TOKENS),
    "Learned": (attending(lambda: attention.Learned(6, 4, dtype=D), mask=MASK), TOKENS),
    "Relative": (attending(lambda: attention.Relative(6, 2, dtype=D), mask="causal"), TOKENS),
    "Relative of a group": (attending(lambda: attention.Relative(S3, 2, dtype=D), S3.rep("regular")), SIX),
    "Location": (attending(lambda: attention.Location("SE(3)", 2, radius=3.0, dtype=D)), TOKENS, PLACES),
    "Location lifted": (attending(lambda: attention.Location("SO(3)", 2, lifted=True, dtype=D)), TOKENS, (2, 6, 3, 3)),
    "RepresentationEncoding": (attending(lambda: attention.RepresentationEncoding(S3.rep("regular")), S3.rep("regular")), SIX),
    "RepresentationEncoding in SO(2)": (
        attending(lambda: attention.RepresentationEncoding("SO(2)", [0.1, 1.0, 2.0, 3.0, 4.0, 5.0]), Group("SO(2)").rep("vector")), (2, 6, 4, 2),
    ),
    "Rotary": (attending(lambda: attention.Rotary([1.0], 6)), TOKENS),
    "Rotary of a group": (attending(lambda: attention.Rotary(S3.rep("perm")), channels=6), (2, 6, 6, 4)),
    "Sinusoidal": (attending(lambda: attention.Sinusoidal(6, 2), Group("C1").rep("4*trivial")), TOKENS),
    "TransformerBlock": (lambda: nn.TransformerBlock(PERM, 4, 2, mask=MASK, dtype=D), TOKENS),
    "LiftingSelfAttention": (lambda: gsa.LiftingSelfAttention(R4, gsa.grid(5, 5), gsa.square(3), 2, 2, heads=2, dtype=D), IMAGE),
    "GroupSelfAttention": (lambda: gsa.GroupSelfAttention(R4, gsa.torus(5, 5), gsa.square(3), 2, 2, heads=2, dtype=D), LIFTED),
    "GroupSelfAttention summed": (lambda: gsa.GroupSelfAttention(R4, gsa.grid(5, 5), gsa.square(3), 2, 2, form="summed", encoding="table", dtype=D), LIFTED),
    "GroupSelfAttention of sums": (lambda: gsa.GroupSelfAttention(R4, gsa.grid(5, 5), gsa.everywhere, 2, 2, normalise=False, encodes="keys", dtype=D), LIFTED),
    "GroupSelfAttention of dilations": (lambda: gsa.LiftingSelfAttention(gsa.Dilations(2, 3, R4), gsa.grid(5, 5), gsa.square(3), 2, 2, normalise=False, dtype=D), IMAGE),
    "GroupSelfAttention on points": (
        lambda: gsa.LiftingSelfAttention(R4, gsa.points([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), gsa.disc(2.0), 2, 2, dtype=D), (2, 2, 1, 4),
    ),
    "from_convolution": (_convolution, LIFTED),
    "GSABlock": (lambda: gsa.GSABlock(R4, gsa.grid(5, 5), gsa.square(3), 2, 4, heads=2, crop=1, dtype=D), LIFTED),
    "GSANet": (lambda: gsa.GSANet.rotmnist("R4", 14, channels=4, heads=2, crops=0, pools=1, layers=(1, 1), around=3, dtype=D), (2, 1, 14, 14)),
    "GSANet pooled": (lambda: gsa.GSANet(R4, gsa.grid(8, 8), gsa.square(3), 1, 3, channels=4, heads=2, layers=(1,), pools=2, dtype=D), (2, 1, 8, 8)),
    "Operator": (lambda: operators.Operator(S3, _weights, 1, 1), (3, 1, 6)),
    "flat Operator": (lambda: operators.operator._Flat(operators.Operator(S3, _weights, 1, 1)), (3, 1, 6)),
    "GroupConvolution": (lambda: operators.GroupConvolution(S3, 2, 2, dtype=D), (3, 2, 6)),
    "SteerableConvolution": (
        lambda: operators.SteerableConvolution(operators.kernel_basis(S4, S4.stabilizer(0), S4.stabilizer(0), S4.stabilizer(0).rep("trivial"), S4.stabilizer(0).rep("perm")), dtype=D), (3, 4, 24),
    ),
    "SelfAttention": (lambda: operators.SelfAttention(S3.rep("perm"), 2, 2, dtype=D), (2, 6, 6)),
    "LieAttention": (lambda: operators.LieAttention(S3.rep("perm"), 2, 2, samples=4, dtype=D), (2, 6, 6)),
    "LiftingAttention": (lambda: operators.LiftingAttention(R4, (3, 3), gsa.square(3), 2, 2, dtype=D), (2, 2, 36)),
    "GroupAttention": (lambda: operators.GroupAttention(R4, (3, 3), gsa.square(3), 2, 2, dtype=D), (2, 2, 36)),
    "PointAttention": (lambda: operators.PointAttention("SE(3)", Group("SO(3)").rep("vector"), 4, 2, dtype=D), (2, 6, 4, 3), PLACES),
}  # fmt: skip
every_layer = pytest.mark.parametrize("name", EXAMPLES)


def inputs_of(name):
    """The inputs of an example: fields, or classes of an embedding."""
    _, *shapes = EXAMPLES[name]
    if name == "Embedding":
        return [torch.tensor([0, 4, 2])]
    return [mixed(*shape) for shape in shapes]


def classes():
    """Every class of modules in the package, by walking what its files define."""
    for found in pkgutil.walk_packages(intertwine.__path__, "intertwine."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)

    def below(kind):
        for child in kind.__subclasses__():
            if child.__module__ != "intertwine.symmetry._probe":  # what runs a module of others is no layer
                yield child
            yield from below(child)

    return {kind for kind in below(plain.Module) if kind.__module__.split(".")[0] == "intertwine"}
