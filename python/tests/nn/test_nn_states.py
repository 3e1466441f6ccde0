"""Modules that are built without numbers, on meta or of fake tensors, and loaded: they are those that were built
directly, bit by bit."""

import copy
import pickle
import warnings

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from every_layer import EXAMPLES, classes, every_layer, inputs_of
from intertwine import DomainError, Group
from intertwine.nn import MultiheadAttention, attention
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode


def made(name):
    """The module with numbers that are not those of its start, biases included."""
    module = EXAMPLES[name][0]().eval()
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for p in module.parameters():
            p.add_(torch.randn(p.shape, generator=generator, dtype=p.dtype), alpha=0.3)
    return module


def test_every_class_has_an_example():
    """A new layer is one more line in every_layer.py."""
    shown = {kind for build, *_ in EXAMPLES.values() for module in build().modules() for kind in type(module).__mro__}
    assert {kind.__qualname__ for kind in classes() - shown} == set()


@every_layer
def test_built_on_meta_and_loaded(name):
    direct, inputs = made(name), inputs_of(name)
    expected, state = direct(*inputs), direct.state_dict()
    for module in direct.modules():
        assert not module._non_persistent_buffers_set, (
            f"{type(module).__name__} has {module._non_persistent_buffers_set}, which no state has"
        )
    if name == "from_convolution":  # of a kernel that has numbers
        with torch.device("meta"), pytest.raises(DomainError, match="no numbers to take over"):
            EXAMPLES[name][0]()
        return
    with torch.device("meta"):
        assigned, emptied = (EXAMPLES[name][0]().eval() for _ in range(2))
    with FakeTensorMode():
        fake = EXAMPLES[name][0]().eval()
    assigned.load_state_dict(copy.deepcopy(state), assign=True)
    emptied.to_empty(device="cpu").load_state_dict(state)
    fake.load_state_dict(copy.deepcopy(state), assign=True)
    for other in (assigned, emptied, fake):
        assert list(other.state_dict()) == list(state)
        assert not any(t.is_meta or isinstance(t, FakeTensor) for t in (*other.parameters(), *other.buffers()))
        found = other(*inputs)
        assert found.dtype == expected.dtype and torch.equal(found, expected)


@every_layer
def test_copies_share_constants(name):
    if name in ("Operator", "flat Operator", "impose"):  # functions of tests, and modules that PyTorch refuses
        return
    direct, inputs = made(name), inputs_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copies = [copy.deepcopy(direct), pickle.loads(pickle.dumps(direct))]
    for other in copies:
        assert torch.equal(other(*inputs), direct(*inputs))


def derivatives(module, x, orders):
    """Derivatives of the module along fixed directions at x, of the orders from 1 on; those that it does not have are
    0."""
    x = x.requires_grad_()
    generator = torch.Generator().manual_seed(5)
    y = module(x)
    for _ in range(orders):
        s = (y * torch.randn(y.shape, generator=generator, dtype=y.dtype)).sum()
        if not s.requires_grad:
            return
        (y,) = torch.autograd.grad(s, x, create_graph=True, allow_unused=True, materialize_grads=True)
        yield y.detach()


@every_layer
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_finite_at_zero_vectors(name, dtype):
    """With first, second and third derivatives: at the input 0, and at one whose first field or half of whose
    coordinates is 0."""
    if name == "Embedding":
        return
    module, inputs = made(name).to(dtype), [t.to(dtype) for t in inputs_of(name)]
    if name.startswith("BatchNorm"):
        module.train()
    x = inputs[0]
    half = torch.where(torch.arange(x.shape[-1]) % 2 == 0, x, torch.zeros_like(x))
    first = torch.cat((torch.zeros_like(x[:1]), x[1:]))
    for at in (torch.zeros_like(x), half, first):
        f = lambda t: module(t, *inputs[1:])  # noqa: E731, B023
        assert torch.isfinite(f(at)).all()
        try:
            for order, d in enumerate(derivatives(f, at, 3), 1):
                assert torch.isfinite(d).all(), f"derivative {order}"
        except RuntimeError as error:  # PyTorch's fused attention has no second derivative, and says so
            assert "not implemented" in str(error) and "attention" in str(error), error


def test_masks_and_positions_without_numbers_are_refused():
    V = Group("S4").rep("perm")
    with torch.device("meta"):
        mask = torch.ones(4, 4, dtype=torch.bool)
        with pytest.raises(DomainError, match="a mask on meta, or of a fake tensor, does not say who may attend"):
            MultiheadAttention(V, 2, mask=mask)
        with pytest.raises(DomainError, match="have no numbers"):
            attention.Sinusoidal(torch.ones(4), 2)
        layer = MultiheadAttention(V, 2, mask=torch.eye(4, dtype=torch.bool, device="cpu"))
    assert layer.mask.tolist() == torch.eye(4, dtype=torch.bool).tolist()
    layer.mask = None
    assert layer.mask is None and layer.to_empty(device="cpu")(torch.zeros(4, 2, 4)).shape == (4, 2, 4)
