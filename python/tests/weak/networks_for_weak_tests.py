"""Networks and what they are equivariant under, of many kinds. Whoever imports this is skipped where PyTorch is
missing."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
torch.set_num_threads(1)


def rep(group, text):
    from intertwine import Group

    return Group(group).rep(text)


def skewed():
    """S3 on the plane in the basis of two roots: matrices that are not orthogonal."""
    from intertwine import Group

    return Group("S3").matrix_rep([[[0, -1], [1, -1]], [[0, 1], [1, 0]]])


def turned():
    """D4 on the plane with a mirror that swaps no axes: orthogonal matrices that are no permutations with signs."""
    from intertwine import Group

    D4 = Group("D4")
    return D4.matrix_rep(
        [[[0, -1], [1, 0]] if g.order == 4 else [["3/5", "4/5"], ["4/5", "-3/5"]] for g in D4.generators]
    )


def mlp(*sizes, bias=True, dtype=torch.float64):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [torch.nn.Linear(a, b, bias=bias, dtype=dtype), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def cases():
    """name: a module and its layers. Codes, signs, entries that must vanish, a layer left free, bases that are not only
    signs, and multiples as channels."""
    return {
        "codes": (mlp(8, 16, 3), [rep("D4", "perm"), rep("D4", "regular"), rep("D4", "trivial")]),
        "signs": (mlp(8, 12, 2), {"0": (rep("D4", "perm + 2*sign + 2*trivial"), rep("D4", "perm"))}),
        "zeros": (mlp(2, 3), {"0": (rep("C2", "sign"), rep("C2", "trivial"))}),
        "dense": (mlp(6, 8, 2), {"0": (rep("S4", "std"), rep("S4", "perm"))}),
        "both": (mlp(6, 4, 4), [rep("S4", "std"), rep("S4", "std + trivial"), rep("S4", "perm")]),
        "orthogonal": (mlp(4, 6), [turned(), turned() + rep("D4", "trivial")]),
        "multiples": (mlp(12, 8, bias=False), {"0": (rep("S4", "3*perm"), rep("S4", "2*perm"))}),
        "skewed": (mlp(4, 6, 3), [skewed(), skewed(), rep("S3", "perm")]),
    }
