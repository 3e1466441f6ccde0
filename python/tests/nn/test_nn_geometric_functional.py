"""MACE's five operations beside plain einsum, their derivatives, and arguments that do not fit."""

import math

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn.geometric import Graph, SymmetricContraction, functional, to_layout
from torch.autograd import gradcheck, gradgradcheck

D = torch.float64
LEVI_CIVITA = torch.zeros(3, 3, 3, dtype=D)
for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    LEVI_CIVITA[i, j, k], LEVI_CIVITA[j, i, k] = 1, -1
DELTA = torch.eye(3, dtype=D)


def some(*shape):
    return torch.randn(*shape, dtype=D, requires_grad=True)


def vectors(x, copies):
    return x.unflatten(-1, (copies, 3))


def test_linear_is_a_matrix_for_each_pair_of_equal_summands():
    x, w, b = some(5, 12), some(24), some(4)
    scalars, first, second = x[:, :3], vectors(x[:, 3:9], 2), vectors(x[:, 9:], 1)
    of_scalars, of_first, of_second = w[:12].view(3, 4), w[12:20].view(2, 4), w[20:].view(1, 4)
    four = torch.einsum("nu,uw->nw", scalars, of_scalars) / math.sqrt(3)
    turned = (torch.einsum("nui,uw->nwi", first, of_first) + torch.einsum("nui,uw->nwi", second, of_second)) / 3**0.5
    types = "3x0e + 2x1o + 1o", "4x0e + 4x1o"
    torch.testing.assert_close(functional.linear(x, w, *types), torch.cat([four, turned.flatten(1)], 1))
    torch.testing.assert_close(functional.linear(x, w, *types, b), torch.cat([four + b, turned.flatten(1)], 1))
    perm = Group("S3").rep("perm")  # two maps between the same summands
    assert functional.linear(some(5, 3), some(2), perm, perm).shape == (5, 3)


def test_fully_connected_products_are_dots_and_crosses():
    x, y, w = some(5, 8), some(5, 7), some(2 * 1 * 4 + 2 * 2 * 3 + 2 * 1 * 3 + 2 * 2 * 4 + 2 * 2 * 5)
    s, v, t, u = x[:, :2], vectors(x[:, 2:], 2), y[:, :1], vectors(y[:, 1:], 2)
    parts = iter(torch.split(w, [8, 12, 6, 16, 20]))
    ss, su, vt, vu, cross = (next(parts).view(2, n, m) for n, m in ((1, 4), (2, 3), (1, 3), (2, 4), (2, 5)))
    scalars = torch.einsum("nu,nv,uvw->nw", s, t, ss) + torch.einsum("nui,nvi,uvw->nw", v, u, vu) / 3**0.5
    odd = torch.einsum("nu,nvi,uvw->nwi", s, u, su) + torch.einsum("nui,nv,uvw->nwi", v, t, vt)
    even = torch.einsum("nui,nvj,ijk,uvw->nwk", v, u, LEVI_CIVITA, cross) / 2**0.5
    wanted = [scalars / 6**0.5, odd.flatten(1) / 6**0.5, even.flatten(1) / 2]
    found = functional.fully_connected_product(x, y, w, "2x0e + 2x1o", "0e + 2x1o", "4x0e + 3x1o + 5x1e")
    torch.testing.assert_close(found, torch.cat(wanted, 1))


EDGES = torch.tensor([[0, 3, 1, 1, 0, 4], [1, 0, 2, 2, 1, 0]])  # two edges occur twice, and nodes have none
INSTRUCTIONS = [(0, 0, 0), (1, 1, 1), (0, 1, 2, "uvu", True), (1, 0, 3, "uvu", True, 1.0), (1, 1, 4)]
TYPES = "4x0e + 4x1o", "0e + 1o", "4x0e + 4x0e + 4x1o + 4x1o + 4x1e"


def messages(x, y, w):
    """Of edges, before the sum."""
    s, v, w = x[:, :4], vectors(x[:, 4:], 4), w.unflatten(1, (5, 4))
    parts = [
        torch.einsum("nc,n,nc->nc", s, y[:, 0], w[:, 0]),
        torch.einsum("nci,ni,nc->nc", v, y[:, 1:], w[:, 1]) / 3**0.5,
        torch.einsum("nc,ni,nc->nci", s, y[:, 1:], w[:, 2]).flatten(1),
        torch.einsum("nci,n,nc->nci", v, y[:, 0], w[:, 3]).flatten(1),
        torch.einsum("nci,nj,ijk,nc->nck", v, y[:, 1:], LEVI_CIVITA, w[:, 4]).flatten(1) / 2**0.5,
    ]
    return torch.cat(parts, 1)


def test_channelwise_convolutions_gather_multiply_and_add_up():
    x, y, w = some(5, 16), some(6, 4), some(6, 20)
    sums = torch.einsum("em,eo->mo", torch.nn.functional.one_hot(EDGES[1], 5).to(D), messages(x[EDGES[0]], y, w))
    for edges in (EDGES, EDGES.int(), Graph(EDGES, 5)):
        found = functional.channelwise_convolution(x, y, w, edges, *TYPES, INSTRUCTIONS)
        torch.testing.assert_close(found, sums)
    # Without instructions weights stand by summand of the output, and equal ones share what ends there.
    every = functional.channelwise_convolution(x, y, some(6, 20), EDGES, *TYPES[:2], "4x0e + 4x1o + 4x1e")
    assert every.shape == (5, 28)
    f = lambda x, y, w: functional.channelwise_convolution(x, y, w, EDGES, *TYPES, INSTRUCTIONS)  # noqa: E731
    assert gradcheck(f, (x, y, w), fast_mode=True) and gradgradcheck(f, (x, y, w), fast_mode=True)


def test_symmetric_contractions_have_the_weights_of_mace():
    x, kinds = some(6, 2, 4), torch.tensor([2, 0, 2, 2, 0, 0])
    weights = [some(3, 2, 2), some(3, 1, 2), some(3, 2, 2), some(3, 1, 2)]
    one_hot = torch.nn.functional.one_hot(kinds, 3).to(D)
    at = lambda w, k: torch.einsum("ns,sc->nc", one_hot, w[:, k])  # noqa: E731
    s, v = x[..., 0], x[..., 1:]
    square = torch.einsum("nci,nci->nc", v, v) / 3**0.5
    scalar = at(weights[1], 0) * s + at(weights[0], 0) * s * s + at(weights[0], 1) * square
    vector = (at(weights[3], 0) + (at(weights[2], 0) + at(weights[2], 1)) * s)[..., None] * v
    f = lambda x, *weights: functional.symmetric_contraction(x, kinds, weights, "0e + 1o", "0e + 1o", 2)  # noqa: E731
    torch.testing.assert_close(f(x, *weights), torch.cat([scalar, vector.flatten(1)], 1))
    assert gradcheck(f, (x, *weights), fast_mode=True) and gradgradcheck(f, (x, *weights), fast_mode=True)


def test_symmetric_contractions_of_degree_three_are_those_of_the_layer():
    layer = SymmetricContraction("0e + 1o + 2e", "0e + 1o", 3, 3, 2, basis="mace", dtype=D)
    x, kinds = some(5, 9, 3), torch.tensor([1, 0, 0, 1, 1])
    parts = torch.split(layer.weight, [n for sizes in layer.sizes for n in sizes], 1)
    weights = [parts[3 * k + d] for k in range(2) for d in (2, 1, 0)]
    found = functional.symmetric_contraction(x.transpose(1, 2), kinds, weights, "0e + 1o + 2e", "0e + 1o", 3)
    wanted = layer(x, kinds)
    torch.testing.assert_close(found[:, :3], wanted[:, 0])
    torch.testing.assert_close(vectors(found[:, 3:], 3), wanted[:, 1:].transpose(1, 2))


@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_segments(shape):
    values, index = some(6, *shape), torch.tensor([3, 0, 3, 3, 0, 1])
    one_hot = torch.nn.functional.one_hot(index, 5).to(D)
    total = torch.einsum("ns,n...->s...", one_hot, values)
    torch.testing.assert_close(functional.segment_reduce(values, index, 5), total)
    counts = one_hot.sum(0).clamp(min=1).reshape(-1, *[1] * len(shape))
    torch.testing.assert_close(functional.segment_reduce(values, index, 5, "mean"), total / counts)


def test_no_rows():
    nothing = torch.zeros(2, 0, dtype=torch.int64)
    assert not functional.channelwise_convolution(
        some(5, 16), some(0, 4), some(0, 20), nothing, *TYPES, INSTRUCTIONS
    ).any()
    assert functional.linear(some(0, 12), some(12), "3x0e + 3x1o", "4x0e").shape == (0, 4)
    empty = functional.symmetric_contraction(some(0, 2, 1), nothing[0], [some(3, 1, 2)] * 2, "0e", "0e", 2)
    assert empty.shape == (0, 2)


def test_layers_leave_the_generator_of_random_numbers_alone():
    state = torch.get_rng_state()
    functional.linear(torch.ones(2, 7), torch.ones(49), "7x0e", "7x0e")
    functional.symmetric_contraction(torch.ones(2, 2, 1), torch.zeros(2).long(), [torch.ones(1, 1, 2)], "0e", "0e", 1)
    assert torch.equal(torch.get_rng_state(), state)


def test_compiled():
    kinds = torch.tensor([0, 1, 1, 0, 1])

    def f(x, y, w, own, of_atoms, weights):
        graph = Graph.of_arrays(arrays)
        sums = functional.channelwise_convolution(x, y, w, graph, *TYPES[:2], "4x0e + 4x1o")
        mixed = functional.linear(sums, own, "4x0e + 4x1o", "4x0e + 4x1o")
        found = functional.symmetric_contraction(
            torch.cat([mixed[:, :4, None], mixed[:, 4:].unflatten(1, (4, 3))], 2), kinds, [weights, weights[:, :1]], "0e + 1o", "0e", 2
        )  # fmt: skip
        atoms = functional.fully_connected_product(found, torch.ones(5, 1, dtype=D), of_atoms, "4x0e", "0e", "0e")
        return functional.segment_reduce(atoms, kinds, 2)

    arrays = Graph(EDGES, 5).arrays
    given = some(5, 16), some(6, 4), some(6, 16), some(32), some(4), some(2, 2, 4)
    torch.testing.assert_close(torch.compile(f, backend="aot_eager", fullgraph=True)(*given), f(*given))


def test_compiled_with_sizes_known_at_run_time():
    """The graph is sorted inside the program; types are texts and representations."""
    V = Group("O(3)").rep("4*trivial + 4*vector")

    def f(x, y, w, own, edges):
        sums = functional.channelwise_convolution(x, y, w, edges, V, "0e + 1o", "4x0e + 4x1o")
        return to_layout(functional.linear(sums, own, V, "4x0e + 4x1o"), V, "ir_mul", given="mul_ir")

    program = torch.compile(f, backend="aot_eager", fullgraph=True, dynamic=True)
    for nodes, edges in ((5, 6), (7, 3), (3, 11)):
        ends = torch.randint(0, nodes, (2, edges))
        given = [some(nodes, 16), some(edges, 4), some(edges, 16), some(32)]
        for t in given:
            t.requires_grad_()
        found, wanted = (torch.autograd.grad(g(*given, ends).sin().sum(), given) for g in (program, f))
        for a, b in zip(found, wanted):
            torch.testing.assert_close(a, b)


def test_bad_arguments():
    x, w = some(5, 4), some(2)
    y = some(2, 1)
    edges, cubes = EDGES[:, :2], [some(2, 1, 3)] * 2
    for call, message in (
        (lambda: functional.linear(x, some(3), "0e + 1o", "0e + 1o"), r"weight has the shape \[3\]; it is \[2\]"),
        (lambda: functional.linear(x, w, "0e + 1o", "0e + 1o", some(2)), r"bias has the shape \[2\]; it is \[1\]"),
        (lambda: functional.linear(x[:, 1:], w[:1], "1o", "1o", some(1)), "has no invariants"),
        (lambda: functional.linear(x[:, 1:], w, "0e + 1o", "0e + 1o"), r"x has the shape \[5, 3\]"),
        (lambda: functional.linear(x, w.float(), "0e + 1o", "0e + 1o"), "weight torch.float32"),
        (lambda: functional.linear(x, w, "0e + 1o", Group("S3").rep("perm")), "representations of different groups"),
        (lambda: functional.fully_connected_product(x, x, some(3), "0e + 1o", "0e + 1o", "0e"), r"the weights have the shape \[3\]; this layer takes \[2\]"),
        (lambda: functional.channelwise_convolution(some(5, 5), y, w, edges, "2x0e + 1o", "0e", "2x0e"), "equally many copies"),
        (lambda: functional.channelwise_convolution(some(5, 2), y, w, edges, "2x0e", "0e", "3x0e"), "2 copies of its summands and U 3"),
        (lambda: functional.channelwise_convolution(some(5, 2), some(2, 2), w, edges, "2x0e", "2x0e", "2x0e"), "one copy of each summand"),
        (lambda: functional.channelwise_convolution(some(5, 2), y, some(2, 2), edges, "2x0e", "0e", "2x0e", [(0, 0, 0, "uvw", True)]), '"uvu" with weights'),
        (lambda: functional.channelwise_convolution(some(5, 3), y, some(2, 2), edges, "2x0e", "0e", "2x0e"), r"x has the shape \[5, 3\]"),
        (lambda: functional.channelwise_convolution(some(5, 2), y, some(2, 3), edges, "2x0e", "0e", "2x0e"), r"they are \[edges, 2\]"),
        (lambda: functional.channelwise_convolution(some(3, 2), y, some(2, 2), edges, "2x0e", "0e", "2x0e"), "the nodes go from 0 to 3 - 1"),
        (lambda: functional.symmetric_contraction(some(2, 3, 2), torch.tensor([0, 1]), cubes, "0e", "0e", 2), r"\[nodes, channels, 1\]"),
        (lambda: functional.symmetric_contraction(some(2, 3, 1), torch.tensor([0.0, 1]), cubes, "0e", "0e", 2), "species are int64 numbers"),
        (lambda: functional.symmetric_contraction(some(2, 3, 1), torch.tensor([0, 2]), cubes, "0e", "0e", 2), "they go from 0 to 2 - 1"),
        (lambda: functional.symmetric_contraction(some(2, 3, 1), torch.tensor([0, 1]), cubes, "0e", "0e", 3), "there are 3 weights"),
        (lambda: functional.symmetric_contraction(some(2, 3, 1), torch.tensor([0, 1]), [some(2, 2, 3)] * 2, "0e", "0e", 2), r"weights 0 have the shape \[2, 2, 3\]; those of these"),
        (lambda: functional.segment_reduce(x, torch.zeros(5).long(), 2, "max"), 'reduce is "sum" or "mean"'),
        (lambda: functional.segment_reduce(x, torch.full((5,), 2), 2), "they go from 0 to 2 - 1"),
    ):  # fmt: skip
        with pytest.raises(DomainError, match=message):
            call()
