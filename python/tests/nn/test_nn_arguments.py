"""Arguments of a wrong kind: one sentence that names the parameter, from every layer and tool."""

import inspect
import pickle

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import numpy
import torch
from intertwine import DomainError, Error, Group, nn, operators, symmetry, weak
from intertwine._arguments import _checks, checked
from intertwine.nn import attention

G = Group("S4")
V, D = G.rep("perm"), Group("D4").rep("perm")
W2, W3 = Group("SO(2)").rep("vector"), Group("SO(3)").rep("vector")
PLAIN = torch.nn.Linear(4, 4)
WRONG = ["perm", 3, None, G, 2.5, [1], torch.zeros(2), Group("S3").rep("perm"), W3, W2]
CALLS = [
    (nn.Linear, {"V": V, "U": V, "in_channels": 2, "out_channels": 2, "mode": "automatic"}),
    (nn.Conv2d, {"V": D, "U": D, "in_channels": 2, "out_channels": 2, "kernel_size": 3}),
    (nn.SteerableConv2d, {"V": W2, "U": W2, "in_channels": 1, "out_channels": 1, "kernel_size": 3}),
    (nn.SteerableConv3d, {"V": W3, "U": W3, "in_channels": 1, "out_channels": 1, "kernel_size": 3}),
    (nn.Activation, {"V": V, "f": torch.tanh}),
    (nn.SampledActivation, {"V": V, "f": torch.tanh}),
    (nn.NormActivation, {"V": V}),
    (nn.GatedActivation, {"V": V}),
    (nn.allowed_activations, {"V": V}),
    (nn.BatchNorm, {"V": V, "channels": 2}),
    (nn.LayerNorm, {"V": V, "channels": 2}),
    (nn.RMSNorm, {"V": V, "channels": 2}),
    (nn.Dropout, {"V": V}),
    (nn.InvariantPool, {"V": V}),
    (nn.AvgPool2d, {"V": D, "kernel_size": 2}),
    (nn.MaxPool2d, {"V": D, "kernel_size": 2}),
    (nn.Bilinear, {"V": V, "W": V, "U": V}),
    (nn.TensorProduct, {"V": V, "W": V, "U": V}),
    (nn.PolynomialLayer, {"V": V, "U": V, "degrees": [1, 2]}),
    (nn.Embedding, {"num_embeddings": 3, "V": V}),
    (nn.RelaxedLinear, {"V": V, "U": V, "H": G.stabilizer(0)}),
    (nn.MultiheadAttention, {"V": V, "channels": 4, "heads": 2}),
    (nn.TransformerBlock, {"V": V, "channels": 4, "heads": 2}),
    (nn.Sets, {"in_channels": 2, "out_channels": 2}),
    (nn.Tensors, {"k": 2, "l": 1}),
    (nn.symmetrize, {"module": PLAIN, "V": V, "U": V}),
    (nn.check_equivariance, {"module": PLAIN, "V": V, "U": V}),
    (attention.Rotary, {"rep": [1.0, 2.0], "positions": 5}),
    (attention.commutant_linear, {"V": V, "weight": torch.eye(4)}),
    (attention.RepresentationEncoding, {"rep": V}),
    (symmetry.check_forward, {"f": PLAIN, "V": V, "W": V}),
    (symmetry.parameter_group, {"module": torch.nn.Sequential(PLAIN, torch.nn.Tanh(), torch.nn.Linear(4, 4))}),
    (weak.symmetrize, {"W": torch.randn(4, 4), "V": V, "U": V}),
    (operators.redundancy, {"G": G, "V": V, "W": V, "degree": 2}),
]


@pytest.mark.parametrize("call, right", CALLS, ids=lambda c: getattr(c, "__name__", ""))
def test_wrong_kinds_are_refused_in_one_sentence(call, right):
    call(**right)
    refused = 0
    for name in right:
        for wrong in WRONG:
            try:
                call(**{**right, name: wrong})
            except Error as error:
                refused += 1
                assert "\n" not in str(error) and "object has no" not in str(error), (name, wrong, str(error))
    assert refused


def test_sentences():
    for call, said in [
        (lambda: nn.Linear("perm", V), "V is a representation such as Group('S4').rep('perm') or the maps V >> U, "
            "not 'perm': write Group('…').rep('perm')"),
        (lambda: nn.Linear(V, U=G), "not a Group"),
        (lambda: nn.Activation(V, "relu"), "f is a function, not 'relu'"),
        (lambda: nn.BatchNorm(V, None), "channels is an integer, not None"),
        (lambda: nn.AvgPool2d(D, 2.5), "kernel_size is an integer or a list, not 2.5"),
        (lambda: nn.Linear(V, V, mode="quick"), "the mode 'quick' is not known"),  # what the layer says itself
        (lambda: nn.Linear.from_table(3), "table is a table such as load_table('layer.safetensors'), not 3"),
        (lambda: nn.Linear.from_dense("W", V, V), "linear is a Linear, not 'W'"),
        (lambda: nn.AvgPool2d(W3, 2), "no grid is mapped to itself by all of SO(3)"),
    ]:  # fmt: skip
        with pytest.raises(DomainError) as error:
            call()
        assert said in str(error.value)


def test_inputs_that_are_no_tensors():
    for layer, x in [
        (nn.Linear(V, V), numpy.zeros((1, 4))), (nn.Conv2d(D, D, 1, 1, 3), [1.0]), (nn.BatchNorm(V, 2), None), (nn.Graphs(1, 2), numpy.zeros((1, 4, 4))),
        (nn.Linear(V, V), [1.0]), (nn.PolynomialLayer(V, V, 2), None), (nn.AvgPool2d(D, 2), [1.0]), (nn.MultiheadAttention(V, 4, 2), None),
        (nn.SampledActivation(V, torch.tanh), [1.0]), (nn.symmetrize(PLAIN, V, V), [1.0]), (nn.RelaxedLinear(V, V, G.stabilizer(0)), None),
    ]:  # fmt: skip
        with pytest.raises(
            DomainError, match=f"the input is a tensor, not {'None' if x is None else type(x).__name__}"
        ):
            layer(x)


def test_every_class_and_function_explains():
    explained = 0
    for module in (nn, attention, symmetry, operators, weak):
        for name in module.__all__:
            value = getattr(module, name)
            call = value.__init__ if inspect.isclass(value) else value
            if getattr(call, "_explains_arguments", False):
                assert set(_checks(call.__wrapped__)) <= set(inspect.signature(call).parameters)
                explained += len(_checks(call.__wrapped__))
    assert explained > 200


def test_calls_are_otherwise_as_they_were():
    @checked
    def f(a: int, *rest: int, b: "float | None" = None, c: "Unknown" = 0, d: "Callable[[], int]" = int) -> tuple:  # noqa: F821
        if isinstance(c, Exception):
            raise c
        return a + 1, rest, None if b is None else b + 1, c, d()

    assert f(numpy.int64(3), "x", b=numpy.float32(0.5), c="anything") == (4, ("x",), 1.5, "anything", 0) and f(
        1, b=None
    ) == (2, (), None, 0, 0)
    assert (
        str(inspect.signature(f)).startswith("(a: int, *rest: int")
        and pickle.loads(pickle.dumps(nn.check_equivariance)) is nn.check_equivariance
    )
    for wrong, said in (
        (lambda: f("1"), "a is an integer, not '1'"),
        (lambda: f(1, b="2"), "b is a number, not '2'"),
        (lambda: f(a=None), "a is an integer, not None"),
    ):
        with pytest.raises(DomainError, match=said) as error:
            wrong()
        assert isinstance(error.value.__cause__, TypeError)
    for wrong, kind in (
        (lambda: f(), TypeError),
        (lambda: f(1, e=2), TypeError),
        (lambda: f(1, c=KeyError("mine")), KeyError),
        (lambda: f(1, d=dict().__getitem__), TypeError),
    ):
        with pytest.raises(kind):
            wrong()
