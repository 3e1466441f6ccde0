"""Permuting a checkpoint and back is exact to the bit; keys are read strictly."""

import copy
import json

import pytest

from networks_for_tests import ZOO, D, encoder  # isort: skip (skips where PyTorch is missing)
import torch
from intertwine import DomainError, FileError
from intertwine.symmetry import (
    checkpoint_key,
    load_key,
    parameter_group,
    permute_checkpoint,
    save_key,
    unpermute_checkpoint,
)
from torch import nn

FLOATS = [
    torch.float64,
    torch.float32,
    torch.float16,
    torch.bfloat16,
    torch.complex64,
    torch.float8_e4m3fn,
    torch.float8_e5m2,
    torch.float8_e4m3fnuz,
]
TYPES = [*FLOATS, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool]
SIGNED = [t for t in TYPES if t not in (torch.uint8, torch.bool)]


def bits(t):
    return t.contiguous().reshape(-1).view(torch.uint8) if t.dtype != torch.bool else t.reshape(-1)


def same(a, b):
    return a.keys() == b.keys() and all(a[k].dtype == b[k].dtype and torch.equal(bits(a[k]), bits(b[k])) for k in a)


def of_type(state, dtype):
    """Every pattern of bits that there is, infinities and NaNs too."""
    found = {}
    for k, v in state.items():
        if dtype == torch.bool:
            found[k] = torch.randint(0, 2, v.shape).bool()
        else:
            size = torch.empty((), dtype=dtype).element_size()
            found[k] = torch.randint(0, 256, (v.numel() * size,), dtype=torch.uint8).view(dtype).reshape(v.shape)
    return found


def relu_net():
    first = (nn.Conv2d(2, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Conv2d(6, 8, 3, groups=2), nn.ReLU(), nn.Flatten())
    return nn.Sequential(*first, nn.Linear(32, 4), nn.ReLU(), nn.Linear(4, 2))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_back_is_exact_in_every_dtype(dtype):
    for net in [relu_net()] + [encoder(1)] * (dtype in SIGNED):
        group = parameter_group(net)
        key = checkpoint_key(group, group.random(5, obeys="Adam"))
        state = of_type(net.state_dict(), dtype)
        kept = copy.deepcopy(state)
        moved = permute_checkpoint(state, key)
        assert not same(moved, state) and same(unpermute_checkpoint(moved, key), state) and same(state, kept)
        assert same(permute_checkpoint(unpermute_checkpoint(state, key), key), state)
        # permutations move entries and make none
        if dtype in (torch.uint8, torch.bool):
            assert all(torch.equal(moved[k].flatten().sort().values, state[k].flatten().sort().values) for k in state)


def test_a_permuted_checkpoint_computes_the_same():
    for name in ("an encoder", "a CNN", "grouped convolutions", "a residual stream"):
        net, x, _, _ = ZOO[name]
        group = parameter_group(net)
        state = permute_checkpoint(net.state_dict(), checkpoint_key(group, group.random(1, obeys="Adam")))
        other = copy.deepcopy(net)
        other.load_state_dict(state)
        torch.testing.assert_close(other(x), net(x), rtol=1e-12, atol=1e-12)


def test_states_in_any_memory_and_with_more_than_tensors():
    net = relu_net()
    group = parameter_group(net)
    key = checkpoint_key(group, group.random(0))
    state = {k: v.detach().clone() for k, v in net.state_dict().items()}
    strange = {
        k: v.t().contiguous().t() if v.dim() == 2 else v.to(memory_format=torch.channels_last) if v.dim() == 4 else v
        for k, v in state.items()
    }
    strange["6.bias"] = torch.stack([state["6.bias"]] * 2, 1)[:, 0]
    assert not strange["6.weight"].is_contiguous() and same(
        permute_checkpoint(strange, key), permute_checkpoint(state, key)
    )
    assert permute_checkpoint({**state, "_extra_state": "text"}, key)["_extra_state"] == "text"


def test_keys_survive_the_file(tmp_path):
    path = tmp_path / "key.json"
    for net in (
        relu_net(),
        encoder(1),
        nn.Sequential(nn.Conv1d(2, 4, 2), nn.Tanh(), nn.Conv1d(4, 6, 2, groups=2), nn.ReLU(), nn.Conv1d(6, 1, 1)),
    ):
        group = parameter_group(net)
        key = checkpoint_key(group, group.random(7, obeys="Adam"))
        save_key(key, path)
        read = load_key(path)
        assert read == key and read != checkpoint_key(group, group.identity)
        state = net.state_dict()
        assert same(unpermute_checkpoint(permute_checkpoint(state, key), read), state)
    assert [p.name for p in tmp_path.iterdir()] == ["key.json"]
    document = json.loads(path.read_text())
    assert document["format"] == "intertwine.permutation-key" and min(document["factors"][0]["images"][0]) == 0


def test_keys_for_another_architecture():
    net = relu_net()
    group = parameter_group(net)
    key = checkpoint_key(group, group.random(0))
    for other in (nn.Sequential(nn.Linear(2, 3)), nn.Sequential(*relu_net()[:-1], nn.Linear(4, 3))):
        with pytest.raises(DomainError, match="another architecture"):
            permute_checkpoint(other.state_dict(), key)
    missing = {k: v for k, v in net.state_dict().items() if k != "3.weight"}
    with pytest.raises(DomainError, match="it has no 3.weight"):
        unpermute_checkpoint(missing, key)
    with pytest.raises(DomainError, match="a Key is wanted"):
        permute_checkpoint(net.state_dict(), {"0.weight": [0, 1]})
    with pytest.raises(DomainError, match="the element has matrices"):
        mha = parameter_group(nn.MultiheadAttention(4, 2))
        checkpoint_key(mha, mha.random(0))
    with pytest.raises(DomainError, match="different parameter groups"):
        checkpoint_key(mha, group.identity)


def change(path, *keys, to):
    def edit(document):
        at = document
        for k in keys[:-1]:
            at = at[k]
        if to is None:
            del at[keys[-1]]
        else:
            at[keys[-1]] = to
        return document

    return edit


DAMAGE = {
    "no object": (lambda d: [d], "not of the type dict"),
    "another format": (change("", "format", to="safetensors"), "format is not"),
    "another version": (change("", "version", to=2), "version is 2"),
    "a boolean version": (change("", "version", to=True), "version is True"),
    "a missing field": (change("", "slices", to=None), "has the keys"),
    "another field": (change("", "comment", to="x"), "has the keys"),
    "no digest": (change("", "shapes", to="00"), "no SHA-256"),
    "no permutation": (change("", "factors", 0, "images", 0, 0, to=99), "no permutation of 0, ..., 3"),
    "a point twice": (
        lambda d: change("", "factors", 0, "images", 0, 0, to=d["factors"][0]["images"][0][1])(d),
        "no permutation",
    ),
    "a fraction": (change("", "factors", 0, "images", 0, 0, to=0.5), "not of the type int"),
    "too few images": (change("", "factors", 0, "images", to=[]), "are not 1 lists of 4"),
    "a sign of two": (change("", "factors", 0, "signs", 0, 0, to=2), "signs of factor 0"),
    "a sign in a permutation": (change("", "factors", 1, "signs", 0, 0, to=-1), "signs of factor 1"),
    "a kind of its own": (change("", "factors", 0, "kind", to="cyclic"), "of the kind 'cyclic'"),
    "over itself": (change("", "factors", 0, "over", to=[0]), "which are not factors before it"),
    "a size of nothing": (change("", "factors", 0, "size", to=0), "has the size 0"),
    "a range backwards": (change("", "slices", 0, "ranges", 0, to=[3, 1]), "a range that is none"),
    "a range too wide": (change("", "slices", 0, "ranges", 0, to=[0, 9]), "do not fit its ranges"),
    "an unknown factor": (change("", "slices", 0, "dims", 0, 0, 0, to=7), "names a factor that does not fit"),
    "a negative factor": (change("", "slices", 0, "dims", 0, 0, 0, to=-1), "names a factor that does not fit"),
    "an overlap": (lambda d: {**d, "slices": d["slices"] + d["slices"][:1]}, "overlap"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_keys_are_refused(name, tmp_path):
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    group = parameter_group(net)
    path = tmp_path / "key.json"
    save_key(checkpoint_key(group, group.random(0)), path)
    edit, words = DAMAGE[name]
    path.write_text(json.dumps(edit(json.loads(path.read_text()))))
    with pytest.raises(FileError, match=words):
        load_key(path)


def test_files_that_are_none(tmp_path):
    path = tmp_path / "key.json"
    with pytest.raises(FileError, match="cannot be read"):
        load_key(path)
    no_json = [(text, "no JSON") for text in ("{", "[" * 100000, "\udcff")]
    for text, words in (*no_json, ('{"a": 1, "a": 2}', "the same key twice"), ('{"a": NaN}', "no number")):
        path.write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(FileError, match=words):
            load_key(path)
    with pytest.raises(FileError, match="cannot be written"):
        group = parameter_group(nn.Linear(2, 2))
        save_key(checkpoint_key(group, group.identity), tmp_path / "none" / "key.json")


def test_a_key_whose_slices_leave_the_tensor(tmp_path):
    net = nn.Sequential(nn.Linear(2, 4, dtype=D), nn.Tanh(), nn.Linear(4, 1, dtype=D))
    group = parameter_group(net)
    path = tmp_path / "key.json"
    save_key(checkpoint_key(group, group.random(0)), path)
    document = json.loads(path.read_text())
    document["slices"][0]["ranges"][0] = [2, 6]
    path.write_text(json.dumps(document))
    with pytest.raises(DomainError, match=r"moves 0.weight\[2:6, 0:2\].*the key is damaged"):
        permute_checkpoint(net.state_dict(), load_key(path))
