"""Continuous groups, and a representation of each, that tests of elements and of means go through."""

from intertwine import Group

COMPACT = [
    ("SO(2)", "trivial + vector + harmonic(2)"),
    ("O(2)", "vector + det + harmonic(2)"),
    ("SO(3)", "trivial + 2*vector + harmonic(2)"),
    ("O(3)", "vector + det + harmonic(2)"),
    ("SU(2)", "trivial + real(vector) + real(vector*vector)"),
    ("Spin(3)", "real(spinor) + vector"),
    ("SO(3) x S4", "vector # perm"),
    ("S3 x O(2)", "perm # vector + trivial # trivial"),
]
RANDOM = [
    ("SO(4)", "vector + alt(2, vector)"),
    ("U(2)", "trivial + real(vector)"),
    ("SU(3)", "real(vector) + real(adjoint)"),
]
OTHER = [
    ("SO+(1,3)", "vector + alt(2, vector)"),
    ("O(1,3)", "vector + det"),
    ("SL(2)", "vector + adjoint"),
    ("GL(2)", "vector"),
    ("Sp(4)", "vector"),
    ("S3 x SL(2)", "perm # vector"),
]
ALL = COMPACT + RANDOM + OTHER


def field(group, V):
    return Group(group).rep(V)
