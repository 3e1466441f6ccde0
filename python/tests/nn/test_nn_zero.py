"""Three derivatives where vectors are 0, as those of an atom without neighbours are: finite for every norm, gate,
activation, pool and normalisation."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
import torch
from every_layer import EXAMPLES, inputs_of
from intertwine import Group, nn
from torch.autograd import grad

KINDS = ("Norm", "Gate", "Pool", "Activation", "Dropout", "SymmetricContraction", "Linear", "Bilinear", "TensorProduct")
NAMES = [name for name in EXAMPLES if any(kind in name for kind in KINDS)]


def derivatives(layer, *inputs):
    """The sums of the first, second and third with random coefficients."""
    leaves = [t.requires_grad_() for t in inputs]
    found = [layer(*leaves)]
    for _ in range(3):
        total = sum((f * torch.randn_like(f)).sum() for f in found) + sum(0 * t.sum() for t in leaves)
        found = grad(total, leaves, create_graph=True)
        yield found


@pytest.mark.parametrize("name", NAMES)
def test_three_derivatives_at_zero_are_finite(name):
    layer = EXAMPLES[name][0]().train()
    for found in derivatives(layer, *(torch.zeros_like(t) for t in inputs_of(name))):
        assert all(torch.isfinite(t).all() for t in found)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("rows", [0, 1], ids=["all are 0", "one is not"])
def test_norms_of_vectors_some_of_which_are_zero(dtype, rows):
    """In float32, too, where eps^2 is far above the smallest number; with kind="square" nothing is rounded off."""
    V = Group("O(3)").rep("trivial + 2*vector")
    for make in (
        lambda: nn.InvariantPool(V, "norm"),
        lambda: nn.InvariantPool(V, "square"),
        lambda: nn.NormActivation(V, torch.tanh, 2),
        lambda: nn.GatedActivation(V),
        lambda: nn.LayerNorm(V, 2),
        lambda: nn.RMSNorm(V, 2),
        lambda: nn.BatchNorm(V, 2),
    ):
        layer = make().to(dtype)
        x = torch.zeros(4, 2, layer.source.dimension if isinstance(layer, nn.GatedActivation) else 7, dtype=dtype)
        x[:rows] = torch.randn_like(x[:rows])
        for found in derivatives(layer, x):
            assert all(torch.isfinite(t).all() for t in found)
