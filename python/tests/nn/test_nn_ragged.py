"""Ragged batches in attention and blocks: what the padded batch with masks gives, forward and backward."""

import pytest

from layers_for_tests import seeded  # noqa: F401, isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, Group
from intertwine.nn import Linear, MultiheadAttention, TransformerBlock, attention

D = torch.float64
PERM, VECTOR = Group("S3").rep("perm"), Group("SO(3)").rep("vector")
LENGTHS = [[3, 5, 1], [2, 0, 4], [6], []]
LAYERS = {
    "attention": lambda: MultiheadAttention(PERM, 4, 2, dtype=D),
    "attention of vectors": lambda: MultiheadAttention(VECTOR, 4, 2, dtype=D),
    "causal attention": lambda: MultiheadAttention(PERM, 4, 2, mask="causal", dtype=D),
    "attention with a mask": lambda: MultiheadAttention(PERM, 4, mask=torch.ones(7, 7, dtype=torch.bool).tril(1), dtype=D),
    "attention with an encoding": lambda: MultiheadAttention(PERM, 4, encoding=attention.Learned(7, 4), dtype=D),
    "a block": lambda: TransformerBlock(PERM, 4, 2, dtype=D),
    "a block that normalises afterwards": lambda: TransformerBlock(PERM, 4, norm="post", mask="causal", dtype=D),
}  # fmt: skip
every_layer = pytest.mark.parametrize("name", LAYERS)


def ragged(samples):
    return torch.nested.nested_tensor(samples, layout=torch.jagged) if samples else None


def samples_of(layer, lengths):
    own = layer.attention if isinstance(layer, TransformerBlock) else layer
    return [torch.randn(n, 4, own.dimension, dtype=D, requires_grad=True) for n in lengths]


def of_padded(layer, samples, tokens):
    """The same by hand: one padded batch, NaN where no token is, and its mask."""
    padded = torch.full((len(samples), tokens, *samples[0].shape[1:]), float("nan"), dtype=D)
    for row, sample in zip(padded, samples):
        row[: len(sample)] = sample.detach()
    padded.requires_grad_()
    mask = torch.arange(tokens) >= torch.tensor([len(s) for s in samples])[:, None]
    return padded, layer(padded, key_padding_mask=mask)


@every_layer
@pytest.mark.parametrize("lengths", LENGTHS[:3], ids=str)
def test_a_ragged_batch_is_the_padded_one(name, lengths):
    torch.manual_seed(0)
    layer = LAYERS[name]()
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    samples = samples_of(layer, lengths)
    x = torch.nested.as_nested_tensor(samples, layout=torch.jagged)
    y = layer(x)
    assert y.is_nested and y.layout == torch.jagged and [len(s) for s in y.unbind()] == lengths
    assert torch.equal((y + x).offsets(), x.offsets())  # the sum of both is defined
    own = layer.attention if isinstance(layer, TransformerBlock) else layer
    padded, there = of_padded(layer, samples, own._own_tokens() or max(lengths))
    for one, other in zip(y.unbind(), there):
        torch.testing.assert_close(one, other[: len(one)], rtol=0, atol=1e-13)
    weights = [torch.randn_like(s) for s in samples]
    loss = sum((w * s.square()).sum() for w, s in zip(weights, y.unbind()))
    same = sum((w * s[: len(w)].square()).sum() for w, s in zip(weights, there))
    found = torch.autograd.grad(loss, [*samples, *layer.parameters()])
    wanted = torch.autograd.grad(same, [padded, *layer.parameters()])
    for one, other in zip(found, wanted[0]):
        torch.testing.assert_close(one, other[: len(one)], rtol=1e-10, atol=1e-12)
    for one, other in zip(found[len(samples) :], wanted[1:]):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


def test_each_sample_is_that_of_a_call_alone():
    block = TransformerBlock(PERM, 4, 2, dtype=D)
    samples = samples_of(block, [4, 2, 5])
    for one, sample in zip(block(torch.nested.as_nested_tensor(samples, layout=torch.jagged)).unbind(), samples):
        torch.testing.assert_close(one, block(sample))


@pytest.mark.parametrize("text", ["perm", "2*perm + sign"])
def test_linear_layers_act_place_by_place(text):
    V = Group("S3").rep(text)
    layer = Linear(V, PERM, 4, 2, dtype=D)
    samples = [torch.randn(n, 4, V.dimension, dtype=D, requires_grad=True) for n in (2, 0, 3)]
    y = layer(torch.nested.as_nested_tensor(samples, layout=torch.jagged))
    for one, sample in zip(y.unbind(), samples):
        torch.testing.assert_close(one, layer(sample))
    found = torch.autograd.grad(y.values().square().sum(), samples)
    wanted = torch.autograd.grad(sum(layer(s).square().sum() for s in samples), samples)
    for a, b in zip(found, wanted):
        torch.testing.assert_close(a, b)
    with pytest.raises(DomainError, match="layout=torch.jagged"):
        layer(torch.nested.nested_tensor([torch.randn(2, 4, V.dimension, dtype=D)]))
    with pytest.raises(DomainError, match=r"takes \[..., 4, "):
        layer(torch.nested.nested_tensor([torch.randn(2, 3, V.dimension, dtype=D)], layout=torch.jagged))


def test_positions_are_ragged_too():
    layer = MultiheadAttention(VECTOR, 4, 2, encoding=attention.Location("SE(3)", 2, dtype=D), dtype=D)
    lengths = [3, 5]
    samples, places = samples_of(layer, lengths), [torch.randn(n, 3, dtype=D) for n in lengths]
    y = layer(ragged(samples), ragged(places))
    for one, x, p in zip(y.unbind(), samples, places):
        torch.testing.assert_close(one, layer(x, p))
    with pytest.raises(DomainError, match="the positions have other numbers of tokens than the input"):
        layer(ragged(samples), ragged(places[::-1]))
    with pytest.raises(DomainError, match="the positions have 1 sample than the input"):
        layer(ragged(samples), ragged(places[:1]))


def test_what_does_not_fit_is_refused():
    layer = MultiheadAttention(PERM, 4, 2, dtype=D)
    x = ragged(samples_of(layer, [2, 3]))
    holes = torch.nested.narrow(
        torch.randn(2, 5, 4, 3, dtype=D), 1, torch.tensor([0, 1]), torch.tensor([2, 3]), layout=torch.jagged
    )
    short = MultiheadAttention(PERM, 4, encoding=attention.Learned(2, 4), dtype=D)
    for wrong, said in [
        (lambda: layer(torch.nested.nested_tensor([torch.randn(2, 4, 3, dtype=D)])), "layout=torch.jagged"),
        (lambda: layer(ragged([torch.randn(2, 4, dtype=D)])), "a ragged batch of 3 dimensions"),
        (lambda: layer(x, key_padding_mask=torch.zeros(2, 3, dtype=torch.bool)), "a ragged batch has no padding"),
        (lambda: layer(x, attn_mask=torch.zeros(2, 2, dtype=torch.bool)), "the attn_mask has the shape"),
        (lambda: layer(ragged([torch.randn(2, 4, 5, dtype=D)])), r"takes \[..., tokens, 4, 3\]"),
        (lambda: layer(holes), "a ragged batch with holes"),
        (lambda: short(x), "the input has 3 tokens, and the encoding or mask is for 2"),
    ]:  # fmt: skip
        with pytest.raises(DomainError, match=said):
            wrong()
