"""Words of a grammar: renaming verbs among verbs and directions among directions [Gordon2020]."""

from collections.abc import Iterator
from itertools import product

from intertwine import Group

kinds = [4, 2, 1]  # verbs, directions, a connective
G = Group("young([4,2,1])")
tokens = G.rep("perm")
hom = tokens >> tokens
print(hom.describe())
assert (hom.dimension, hom.bias.dimension) == (9 + 2, 3)


def set_partitions(n: int) -> Iterator[list[list[int]]]:
    """Ways in which n words of one kind can be equal: lists of blocks."""
    if n == 0:
        yield []
        return
    for rest in set_partitions(n - 1):
        yield [*rest, [n]]
        for i in range(len(rest)):
            yield [*rest[:i], [*rest[i], n], *rest[i + 1 :]]


def orbits_on_triples(sizes: list[int]) -> int:
    """For every triple of kinds the ways in which its words are equal, with no more different words than there are."""
    count = 0
    for triple in product(range(len(sizes)), repeat=3):
        ways = 1
        for kind, size in enumerate(sizes):
            ways *= sum(len(blocks) <= size for blocks in set_partitions(triple.count(kind)))
        count += ways
    return count


bigrams = (tokens**2) >> tokens
print(bigrams.dimension, "weights from bigrams to tokens, of", 49 * 7)
assert bigrams.dimension == orbits_on_triples(kinds)

larger = Group("young([40,20,1])").rep("perm")
assert ((larger**2) >> larger).dimension == orbits_on_triples([40, 20, 1]) == orbits_on_triples([3, 3, 1])
