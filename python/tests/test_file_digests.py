"""The bytes of files of tables: every kind in every container has the SHA-256 that it had when this was written down.

A change of the representation of tables in memory must leave them as they are. Files of isotypic forms are left out,
whose doubles are those of a processor's linear algebra, and HDF5, whose bytes are those of its library."""

import hashlib

import pytest
from intertwine import Group, load_table
from intertwine.tables import diagrams, load_diagrams


def _between(group, V, U, **options):
    G = Group(group)
    return (G.rep(V) >> G.rep(U)).table(**options)


MADE = {
    "tied": lambda: _between("S4", "2*perm", "3*perm^2"),
    "tied, with a proof": lambda: _between("S4", "perm", "perm + sign", proof=True),
    "tied, codes of two bytes": lambda: _between("C200", "regular", "regular"),
    "sparse": lambda: _between("S4", "std", "perm"),
    "sparse, with a proof": lambda: _between("S4", "std", "std^2", proof=True),
    "sparse over Q(sqrt(5))": lambda: _between("A5", "irrep(2)", "irrep(2)^2", proof=True),
    "continuous": lambda: _between("O(3)", "vector^2", "vector + trivial", proof=True),
    "blocks": lambda: _between("S4", "2*perm + 3*sign", "perm", proof=True),
    "blocks, sparse": lambda: _between("S4", "2*std + 3*sign", "perm"),
    "blocks, continuous": lambda: _between("O(3)", "2*vector + 3*trivial", "vector*vector + 2*trivial", proof=True),
    "diagrams": lambda: diagrams("S(n)", "aa", "a"),
}
# name: the SHA-256 of .safetensors, .npz and .json
DIGESTS = {
    "tied": (
        "3aefde1550f2fd1f15b536305dd7345b1e03a2c2d031665dd10f3d4e4c42ea93",
        "ec7578a6a7b051fa9996f3af51dd5c5af82df298b43ff1a88d33fa9d49c7091e",
        "a1d27b3c76623e0e6cb3a401e7dd90db584f4671936ccb08fd18e3ec35894f89",
    ),
    "tied, with a proof": (
        "c1a54ff0e3e6c37ec2ee98f7782d4e10e2b110b2fb41c8f505b22a35702e5a14",
        "19d667decde70c4e6f107da600b37b244217a7a40a4c56a83a3767c81c640ce5",
        "7a4ba0721da274fb301fbbccf0a9e6cd7866859ad16a6fdd99256ab96b61de02",
    ),
    "tied, codes of two bytes": (
        "e6d640ec94353c290fe9626f2ec0291ff9166d11e5419d011bdb4b69fee1a1cc",
        "f0595adbee6f03b82d5cecbfc1b86697e719b64b8a5ff6b0fcb491b1c0732d2d",
        "7fae993ce61bc456ea3c2e42e39a7338bec3dce6c4279664bc42867e2e9219cc",
    ),
    "sparse": (
        "9cec1aff2b62322920aae4b0f23f6c3c401271eb7a17b281f4c273293f8f4fb9",
        "46b1c1923720892c7acaa130898517862e13bee290e1b5b4d7450d791a8a83af",
        "6c5822ef37771d1cf39978b7d29fd0295576e93ae9b5ff4844da244c7ef06c79",
    ),
    "sparse, with a proof": (
        "be087e7448a8be557c5c1240bb3f6f2c7b589c66d5eb7034f46493a9284d6c7c",
        "a23600c0871001647db51d14cd3499e82185f5d43ac2b7d5a134afbf2c2f1e16",
        "4b8483810c5384728415d907af4a07edb66c8813aca6d0813f7526a0933ab689",
    ),
    "sparse over Q(sqrt(5))": (
        "b5562494e7b8d764ebcff9e6bf96b5bf44c2a37b9c38ebf5c84e19fe646960fb",
        "218ff9d6fd004a167961b7b9234cee2c5176e852cb4d07ce5e02c38062b8c5e8",
        "57f69a9f587de24afacbfcb734fac0bd6ac270b195ee2079b23555c1ddaea809",
    ),
    "continuous": (
        "54561ac0fb2d9c93184fac759739c604016d5a8c52fbea5a73e346c5f3ad5dda",
        "a772eb9331e82e045a7e67011ee97ebf6b42182b68dc7102bcd6705ddb42fd07",
        "922d92d5f0479d010a03367e2fb683330ba8c48b8280ce32eea4bec5de39d752",
    ),
    "blocks": (
        "e2616d28de8b3209b5326230e12a3d4243de8d38bfddc58fd5b1a5ff65f0ada2",
        "b9f1aa0f15e0a294f1ea48ed828fdc6f82eec33831aee0862360bf7c86c83aad",
        "7f98af9204ba8b3834d487afaf62f61eeaf84ae77779725f185a584336eda576",
    ),
    "blocks, sparse": (
        "28dcdedd388efe553505b7637cf973cc4455c345c8a2d31f4eed32d087b662d6",
        "c59459cbcf40b16304cb6ece74dff77fd063ea3f58cf0f5ad3bdc52bb4142349",
        "c9c5f255f98a13ed38e76ff00fc002540eb6cedb241590193550b0a547704852",
    ),
    "blocks, continuous": (
        "6bf7dc78e6a9c93b53c88fc305b94c492717db0d932378793163dcaf46071377",
        "b5f5d0650adabc095192c07a6a4f770b62609a2ef1d4c8a895056e504b2a8f10",
        "80cf22193843513f0be1cac2edf2093463dd3559bbf2e3123674d683e9ba90a4",
    ),
    "diagrams": (
        "b545cbe856fb490feb5b8c421415a7a82f8a850135598dc0d7be95ab1eae5da2",
        "df3be2483aef5aa64c2a477520947d1f5e40566e42cd61e215e539f1818c33dd",
        "d893f0aba883fe132d7611d192ba96f4cf5b8ec9736f59ee5b9372f6a8aaf9fa",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_bytes_of_files_are_what_they_were(name, tmp_path):
    table, found = MADE[name](), []
    for ending in ("safetensors", "npz", "json"):
        path = tmp_path / f"t.{ending}"
        table.save(path)
        found.append(hashlib.sha256(path.read_bytes()).hexdigest())
        load = load_diagrams if name == "diagrams" else load_table
        assert load(path) == table
    assert tuple(found) == DIGESTS[name]
