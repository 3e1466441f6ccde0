"""Layers of many kinds, and the dense layer that each one is. Whoever imports this is skipped where PyTorch is missing."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    yield
    torch.compiler.reset()


def representations(group, V, U):
    from intertwine import Group

    G = Group(group)
    return G.rep(V), G.rep(U)


# group, V, U, in, out: codes of one and four bytes, signs, no parameters at all, multiples as channels, a sparse
# basis, blocks, identities.
CASES = [
    ("S4", "perm", "perm", 2, 3),
    ("D4", "perm + sign + trivial", "regular", 2, 3),
    ("S4", "3*perm", "2*perm", 2, 1),
    ("S4", "perm", "std", 2, 2),
    ("S4", "std", "perm + trivial", 1, 2),
    ("C6", "regular", "regular", 1, 2),
    ("A5", "regular", "regular", 1, 1),
    ("B3", "perm", "perm^2", 2, 1),
    ("C3", "trivial", "std", 2, 2),
    ("D4", "perm + 2*sign", "3*std + trivial", 2, 3),
    ("S4", "std + sign + trivial", "sign + std", 2, 3),
]


def make(case, **keywords):
    from intertwine.nn import Linear

    V, U = representations(*case[:3])
    layer = Linear(V, U, case[3], case[4], **{"dtype": torch.float64, **keywords})
    if layer.bias is not None:
        torch.nn.init.normal_(layer.bias)
    return layer, V, U


def dense(layer, x):
    """The layer as a dense one, from the definition of the table alone."""
    table, copies = layer.table, (layer.out_channels, layer.in_channels)
    if hasattr(type(table), "blocks"):
        at, rows = 0, []
        for row in table.blocks:
            found = []
            for block in row:
                out, in_ = (c * n for c, n in zip(copies, block.channels))
                theta = layer.theta[at : at + block.params * out * in_].view(block.params, out, in_)
                W, at = _of_table(block, theta), at + theta.numel()
                found.append(W.reshape(copies[0], -1, copies[1], block.channels[1] * block.cols))
            rows.append(torch.cat(found, 3))
        assert at == layer.theta.numel()
        W = torch.cat(rows, 1).flatten(0, 1).flatten(1)
    else:
        W = _of_table(table, layer.theta)
    return (x.flatten(-2) @ W.t()).reshape(*x.shape[:-2], copies[0], len(W) // copies[0]), W


def _of_table(table, theta):
    """W [out M, in N] of theta [P, out, in]."""
    out, in_ = theta.shape[1:]
    M, N = table.rows, table.cols

    def family(theta, code, rows, cols):
        parts = torch.cat((theta.new_zeros(1, *theta.shape[1:]), theta, -theta))
        return parts[torch.from_numpy(code.copy()).long().reshape(-1)].reshape(rows, cols, *theta.shape[1:])

    if table.is_tied:
        W = family(theta, table.weight_code, M, N)
    else:
        W = torch.zeros(M, N, out, in_, dtype=theta.dtype)
        for k in range(table.params):
            for e in range(table.basis_ptr[k], table.basis_ptr[k + 1]):
                W = W.clone()
                W[table.basis_row[e], table.basis_col[e]] += theta[k] * float(table.basis_val[e])
    return W.permute(2, 0, 3, 1).reshape(out * M, in_ * N)


# --- Layers of diagrams, for every size ---------------------------------------------------------------------------------------


def layer_of(group, k, l, channels=(1, 1), **keywords):  # noqa: E741
    from intertwine.nn import Tensors

    layer = Tensors(k, l, *channels, group=group, **{"reduction": "sum", "dtype": torch.float64, **keywords})
    for p in layer.parameters():
        torch.nn.init.normal_(p)
    return layer


def tokens(word):
    return word.replace("*", "").replace("+", "")


def input_of(layer, n, *lead):
    return torch.randn(*lead, layer.in_channels, *(n,) * len(tokens(layer.axes[0])), dtype=layer.theta.dtype)


def matrices(layer, n):
    """What every theta[p] multiplies, as [P, n^l, n^k], by the products of the layer itself."""
    k = len(tokens(layer.axes[0]))
    unit = torch.eye(n**k, dtype=torch.float64).view(n**k, 1, *(n,) * k)
    found = []
    groups = {letter: str(family) for letter, family in zip(layer._letters.values(), layer._families)}
    one = type(layer)(*layer.axes, bias=False, group=groups, reduction=layer.reduction, dtype=torch.float64)
    with torch.no_grad():
        for p in range(len(layer.theta)):
            one.theta.zero_()[p] = 1
            found.append(one(unit, n=n).reshape(n**k, -1).t())
    return torch.stack(found) if found else torch.zeros(0, 1, 1)


def moved(t, axes, matrices):
    """t [..., axes] with a matrix on every axis."""
    for axis, g in enumerate(matrices):
        dim = t.dim() - axes + axis
        t = torch.tensordot(t, g, dims=([dim], [1])).movedim(-1, dim)
    return t
