"""NumPy's sections in docstrings name what the signature has, and their examples run."""

import doctest
import importlib.util
import inspect
import re

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

PACKAGES = [
    "intertwine", "intertwine.nn", "intertwine.nn.attention", "intertwine.nn.geometric", "intertwine.nn.geometric.functional", "intertwine.sdp",
    "intertwine.chem", "intertwine.fusion", "intertwine.cue",
]  # fmt: skip
if importlib.util.find_spec("jax") is not None:
    PACKAGES.append("intertwine.jax")
HEADING = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
KNOWN = {
    "Parameters", "Attributes", "Returns", "Yields", "Shape", "Raises", "Notes", "References", "Examples", "See Also",
    "Warns", "Warnings", "Methods", "Other Parameters",
}  # fmt: skip
COMMON = {"device", "dtype", "memory", "seconds", "progress", "threads"}  # which mean one thing everywhere


def sections(thing):
    """{title: text} of a docstring."""
    parts = HEADING.split(inspect.cleandoc(thing.__doc__ or ""))
    return dict(zip(parts[1::2], parts[2::2]))


def documented():
    """The public names with such sections, by their packages."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            if "Parameters" in sections(getattr(module, name)):
                yield f"{package}.{name}", getattr(module, name)


FOUND = dict(documented())


def in_python(thing):
    """Bindings have their signature in the first line of the docstring, which other tests compare."""
    try:
        return "kwargs" not in inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return False


IN_PYTHON = {name: thing for name, thing in FOUND.items() if in_python(thing)}


def named(text):
    """The names of a section: lines that are not indented."""
    lines = [line for line in text.split("\n") if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for line in lines for name in line.split(":")[0].split(",")]


def test_the_layers_that_are_used_most_have_sections():
    wanted = [
        "Linear", "Bilinear", "TensorProduct", "PolynomialLayer", "RelaxedLinear", "Activation", "NormActivation",
        "GatedActivation", "InvariantPool", "CosetPool", "check_equivariance", "symmetrize", "impose", "relax",
        "compatible", "LayerNorm", "RMSNorm", "BatchNorm", "Dropout", "Sets", "Graphs", "Tensors", "Upsample",
        "SteerableConv2d", "SteerableConv3d",
        *(
            f"{kind}{n}d"
            for kind in ("Conv", "GroupConv", "ConvTranspose", "AvgPool", "BlurPool", "MaxPool")
            for n in (1, 2, 3)
        ),
    ]  # fmt: skip
    assert [name for name in wanted if f"intertwine.nn.{name}" not in FOUND] == []
    assert "intertwine.nn.attention.MultiheadAttention" in FOUND


@pytest.mark.parametrize("name", IN_PYTHON)
def test_parameters_are_those_of_the_signature(name):
    found = sections(IN_PYTHON[name])
    assert found.keys() <= KNOWN, found.keys() - KNOWN
    wanted = [p for p in inspect.signature(IN_PYTHON[name]).parameters if p != "self"]
    have = named(found["Parameters"] + found.get("Other Parameters", ""))
    assert set(have) - set(wanted) <= {"limits"}  # which stands for memory, seconds, progress and threads
    assert set(wanted) - set(have) <= COMMON


@pytest.mark.parametrize("name", [name for name in IN_PYTHON if name.startswith(("intertwine.nn.", "intertwine.jax."))])
def test_examples_run(name):
    text = inspect.cleandoc(IN_PYTHON[name].__doc__)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=flags)
    assert ">>>" in text
    assert runner.run(doctest.DocTestParser().get_doctest(text, {}, name, name, 0)).failed == 0
