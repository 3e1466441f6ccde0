"""docs/capabilities.md says which layer takes which kind of group, and what becomes of it in PyTorch. Each cell is tried.

INTERTWINE_UPDATE_GOLDEN=1 writes the page again.
"""

import os
import re

import pytest
from conftest import ROOT
from every_layer import EXAMPLES, D, OnEdges, inputs_of, torch
from intertwine import DomainError, Group, nn

PAGE = ROOT / "docs" / "capabilities.md"

# Representations of a group of each kind; the first one that a layer takes is named where it is not the first of all.
KINDS = {
    "finite": ("S4", ["perm + std", "perm"]),
    "compact": ("O(3)", ["vector + trivial", "2*trivial"]),
    "non-compact": ("SO+(1,3)", ["vector + trivial", "2*trivial"]),
    "product": ("S3 x O(3)", ["perm # vector", "perm # trivial"]),
    "exceptional": ("G2", ["irrep([1,0])"]),
}


def stabilizer(V):
    """A subgroup to relax to."""
    return V.group.stabilizer(0) if V.group.is_finite else V.group


# How a layer is made of V alone.
LAYERS = {
    "Linear(V, V)": lambda V: nn.Linear(V, V, 2, 2, dtype=D),
    "Linear(V, V, mode='isotypic')": lambda V: nn.Linear(V, V, 2, 2, mode="isotypic", dtype=D),
    "RelaxedLinear(V, V, H)": lambda V: nn.RelaxedLinear(V, V, stabilizer(V), 2, 2, dtype=D),
    "Bilinear(V, V, V)": lambda V: nn.Bilinear(V, V, V, 2, 2, 2, dtype=D),
    "TensorProduct(V, V, V)": lambda V: nn.TensorProduct(V, V, V, 2, dtype=D),
    "PolynomialLayer(V, V, (1, 2))": lambda V: nn.PolynomialLayer(V, V, (1, 2), 2, 2, dtype=D),
    "Activation(V, tanh)": lambda V: nn.Activation(V, torch.tanh),
    "NormActivation(V, tanh)": lambda V: nn.NormActivation(V, torch.tanh, 2, dtype=D),
    "GatedActivation(V)": lambda V: nn.GatedActivation(V),
    "CompositeActivation(V)": lambda V: nn.CompositeActivation(V),
    "SampledActivation(V, tanh)": lambda V: nn.SampledActivation(V, torch.tanh),
    "InvariantPool(V)": lambda V: nn.InvariantPool(V),
    "InvariantPool(V, 'norm')": lambda V: nn.InvariantPool(V, "norm"),
    "BatchNorm(V)": lambda V: nn.BatchNorm(V, 2, dtype=D),
    "LayerNorm(V)": lambda V: nn.LayerNorm(V, 2, dtype=D),
    "RMSNorm(V)": lambda V: nn.RMSNorm(V, 2, dtype=D),
    "Dropout(V)": lambda V: nn.Dropout(V, 0.5),
    "MultiheadAttention(V, 2, 2)": lambda V: nn.MultiheadAttention(V, 2, 2, dtype=D),
    "TransformerBlock(V, 2, 2)": lambda V: nn.TransformerBlock(V, 2, 2, dtype=D),
}
TWO = ("Bilinear", "TensorProduct")  # of two inputs
SEQUENCES = ("MultiheadAttention", "TransformerBlock")  # the batch is taken for the sequence


def taken(name, V):
    """Does the layer take V? One that does is equivariant on random inputs, or this fails."""
    try:
        layer = LAYERS[name](V).eval()
    except DomainError:
        return False
    f, word = layer, name.partition("(")[0]
    if word in TWO:
        f = lambda x: layer(x, x)  # noqa: E731
    elif word in SEQUENCES:
        f = lambda x: layer(x[None])[0]  # noqa: E731
    source, target = getattr(layer, "source", V), getattr(layer, "target", V)
    report = nn.check_equivariance(f, source, target, 2, dtype=D, tolerance=1e-8)
    assert report, f"{name} of {V}: {report}"
    return True


def cell(name, kind):
    group, representations = KINDS[kind]
    for k, representation in enumerate(representations):
        if taken(name, Group(group).rep(representation)):
            return "yes" if k == 0 else f"`{representation}`"
    return "no"


def close(found, wanted):
    found, wanted = ([t] if isinstance(t, torch.Tensor) else t for t in (found, wanted))
    return all(torch.allclose(a, b, rtol=1e-6, atol=1e-9, equal_nan=True) for a, b in zip(found, wanted, strict=True))


def compiled(module, inputs):
    """Without a break of the graph, with the same values."""
    return close(torch.compile(module, fullgraph=True, backend="eager")(*inputs), module(*inputs))


def exported(module, inputs):
    return close(torch.export.export(module, tuple(inputs)).module()(*inputs), module(*inputs))


def differentiated(module, inputs):
    """Are second derivatives along the inputs finite, for a penalty on gradients or for forces?"""
    inputs = [x.clone().requires_grad_() for x in inputs]
    (first,) = torch.autograd.grad(sum_of(module(*inputs)), inputs[:1], create_graph=True)
    if not first.requires_grad:  # linear in its input
        return bool(first.isfinite().all())
    second = torch.autograd.grad(first.square().sum(), inputs, allow_unused=True)
    return all(bool(d.isfinite().all()) for d in second if d is not None)


def sum_of(values):
    return sum(v.sum() for v in ([values] if isinstance(values, torch.Tensor) else values))


# The function of intertwine.jax that is a layer; python/tests/in_jax says that these are all.
IN_JAX = {
    "Linear": "linear", "Bilinear": "bilinear", "TensorProduct": "tensor_product", "geometric.Convolution": "convolution",
    "geometric.SymmetricContraction": "symmetric_contraction", "geometric.SphericalHarmonics": "spherical_harmonics",
}  # fmt: skip


def in_jax(name):
    return f"`{IN_JAX[name]}`" if name in IN_JAX else "no"


ROWS = [name for name in EXAMPLES if " " not in name]  # one of each class


def becomes(name):
    """What can be done with the layer: compile, export, second derivatives."""
    found = []
    for done in (compiled, exported, differentiated):
        torch.compiler.reset()
        if done is differentiated and name == "Embedding":  # of numbers of classes
            found.append("no")
            continue
        torch.manual_seed(0)
        module, inputs = EXAMPLES[name][0]().eval(), inputs_of(name)
        if isinstance(module, OnEdges):  # a graph looks at its numbers, and is made before the network
            module.graph = OnEdges.make_graph()
        try:
            assert done(module, inputs), f"{name} gives other values when it is {done.__name__}"
            found.append("yes")
        except (RuntimeError, torch._dynamo.exc.TorchDynamoException, NotImplementedError):
            found.append("no")
    return found


def table(head, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def written():
    """The tables of the page."""
    return {
        row[0]: row[1:]
        for row in (
            tuple(cell.strip() for cell in line.strip("| \n").split(" | "))
            for line in PAGE.read_text().splitlines()
            if line.startswith("| `")
        )
    }


@pytest.mark.skipif("INTERTWINE_UPDATE_GOLDEN" not in os.environ, reason="writes the page")
def test_write_the_page():
    words = re.split(r"(?:^\|.*\n)+", PAGE.read_text(), flags=re.MULTILINE)
    assert len(words) == 3
    groups = [[f"`{name}`", *(cell(name, kind) for kind in KINDS)] for name in LAYERS]
    torches = [[f"`{name}`", *becomes(name), in_jax(name)] for name in ROWS]
    heads = (
        ["layer", *(f"{kind}: {KINDS[kind][0]}" for kind in KINDS)],
        ["layer", "compile", "export", "second derivative", "in JAX"],
    )
    PAGE.write_text(words[0] + table(heads[0], groups) + "\n" + words[1] + table(heads[1], torches) + "\n" + words[2])


@pytest.mark.parametrize("name", LAYERS)
def test_groups_are_taken_as_the_page_says(name):
    assert written()[f"`{name}`"] == tuple(cell(name, kind) for kind in KINDS)


@pytest.mark.parametrize("name", ROWS)
def test_layers_become_what_the_page_says(name):
    assert list(written()[f"`{name}`"]) == [*becomes(name), in_jax(name)]


def test_the_page_has_these_layers_alone():
    assert list(written()) == [f"`{name}`" for name in [*LAYERS, *ROWS]]
