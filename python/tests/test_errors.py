"""Bad input: one documented exception with one sentence, and nothing lost."""

import math
import pickle
import resource
from fractions import Fraction

import intertwine
import numpy
import pytest
from intertwine import (
    DomainError,
    Error,
    FileError,
    Group,
    InternalError,
    LimitError,
    Matrix,
    ParseError,
    Permutation,
    VerificationError,
)


def test_hierarchy():
    for kind in (ParseError, DomainError, LimitError, FileError, VerificationError):
        assert issubclass(kind, Error) and kind.__module__ == "intertwine"
    assert issubclass(Error, ValueError) and issubclass(InternalError, RuntimeError)
    error = pickle.loads(pickle.dumps(ParseError("what", "text", 2)))
    assert (error.text, error.position) == ("text", 2) and str(error) == "what\n  text\n    ^"


def test_a_caret_shows_the_place():
    with pytest.raises(ParseError) as caught:
        Group("S4 x Foo(3)")
    assert caught.value.text == "S4 x Foo(3)" and caught.value.position == 5
    assert str(caught.value).splitlines()[1:] == ["  S4 x Foo(3)", "       ^"]
    with pytest.raises(ParseError) as caught:
        Group("S4 x " * 40 + "?")
    assert len(max(str(caught.value).splitlines(), key=len)) < 200


S4, A5 = Group("S4"), Group("A5")
V = S4.rep("perm")
hom = V >> V


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda: Group(""), ParseError, "expected a group"),
        (lambda: Group(3), DomainError, "list of permutations"),
        (lambda: Group("S4", degree=3), DomainError, "degree"),
        (lambda: Group([[0, 0]]), DomainError, "bijection|twice|image"),
        (lambda: Group(["(1,5)"], degree=3), DomainError, "5 points, not 3"),
        (lambda: Group([[0.5, 1]]), DomainError, "0.5"),
        (lambda: Group([numpy.eye(2, dtype=int)]), DomainError, "dimensions"),
        (lambda: Permutation("(1,1)"), ParseError, "1"),
        (lambda: Permutation(2.5), DomainError, "float"),
        (lambda: S4.subgroup(["(1,5)"]), ParseError, "5"),
        (lambda: Group("A4").subgroup(["(1,2)"]), DomainError, "no"),
        (lambda: S4.stabilizer(4), DomainError, "4"),
        (lambda: S4.sylow_subgroup(4), DomainError, "prime"),
        (lambda: S4**0, DomainError, "n >= 1"),
        (lambda: Group("S3") ** 10001, LimitError, "at most 10000 factors"),
        (lambda: Permutation([0], 10**12), DomainError, "at most 2147483647"),
        (lambda: S4.element(24), DomainError, "24"),
        (lambda: S4.index("(1,2,3,4,5)"), ParseError, "5"),
        (lambda: S4.rep("foo"), ParseError, "foo"),
        (lambda: S4.rep("irrep(9)"), ParseError, "9|5"),
        (lambda: -1 * V, DomainError, "k copies of a representation: k is a whole number from 0 to"),
        (lambda: V**-1, DomainError, "not -1"),
        (lambda: S4.irrep(5), DomainError, "5 of 5"),
        (lambda: S4.matrix_rep([[[2]], [[1]]]), DomainError, r"a\^4 = 1"),
        (lambda: S4.matrix_rep([[[1]]]), DomainError, "1|2"),
        (lambda: S4.permutation_rep([[1, 0], [0, 1]]), DomainError, "a"),
        (lambda: V + A5.rep("perm"), DomainError, "group"),
        (lambda: V >> A5.rep("perm"), DomainError, "S4 and A5"),
        (lambda: V.restrict(A5), DomainError, "points|subgroup"),
        (lambda: V.decompose("p-adic"), DomainError, "complex, real or rational"),
        (lambda: V.schur([1, 2]), DomainError, "1"),
        (lambda: Group.from_matrices([[[1, 1], [0, 1]]]), DomainError, "infinite"),
        (lambda: Matrix([[1, 2], [3]]), DomainError, "different lengths"),
        (lambda: Matrix([[0.25]]), DomainError, r"Fraction\(1, 4\)"),
        (lambda: Matrix([[1 / 3]]), DomainError, r"Fraction\(1, 3\)"),
        (lambda: Matrix(numpy.array([[0.5]])), DomainError, r"Fraction\(1, 2\)"),
        (lambda: Matrix([["x"]]), ParseError, "x"),
        (lambda: Matrix([[0.8660254]]), DomainError, r"write 'sqrt\(3\)/2' if"),
        (lambda: Matrix([[(5**0.5 - 1) / 2]]), DomainError, r"write '\(-1\+sqrt\(5\)\)/2' if"),
        (lambda: Matrix([[-0.6234898018587336]]), DomainError, r"write '-cos\(2\*pi/7\)' if"),
        (lambda: Matrix([[0.0]]), DomainError, "write 0 if"),
        (lambda: Matrix([[-2.0]]), DomainError, "write -2 if"),
        (lambda: Matrix([[numpy.float32(2**-0.5)]]), DomainError, r"write 'sqrt\(2\)/2' if"),
        (lambda: Matrix([[3.141592653589793]]), DomainError, r"write Fraction\('3.141592653589793'\) if"),
        (lambda: Matrix([["1+"]]), ParseError, r"sqrt\(n\)"),
        (lambda: Matrix([[None]]), DomainError, "None"),
        (lambda: Matrix([[float("nan")]]), DomainError, "nan"),
        (lambda: Matrix(7), DomainError, "int"),
        (lambda: Matrix([1, 2]), DomainError, "row 0"),
        (lambda: Matrix([[1]]) @ Matrix([[1, 2], [3, 4]]), DomainError, "1"),
        (lambda: hom.symmetrize([[0.5] * 4] * 4), DomainError, "Fraction"),
        (lambda: hom.symmetrize("text"), DomainError, "matrix"),
        (lambda: intertwine.load_table("/no/such/file"), FileError, "/no/such/file"),
        (lambda: intertwine.verify("/no/such/file"), FileError, "/no/such/file"),
        (lambda: intertwine.E(0), DomainError, "positive"),
        (lambda: intertwine.E(-3), DomainError, "positive"),
        (lambda: intertwine.E(10**18), LimitError, "1000000"),
        (lambda: intertwine.E(3) / 0, DomainError, "division by zero"),
        (lambda: hom.table().save("table.txt"), DomainError, "txt"),
        (lambda: hom.table(memory="a lot"), ParseError, "800M"),
        (lambda: hom.table(memory=-1), DomainError, "memory"),
        (lambda: hom.table(seconds=0), DomainError, "seconds"),
        (lambda: hom.table(seconds=float("nan")), DomainError, "seconds"),
        (lambda: (S4.rep("0*perm") >> V).table(), DomainError, "dimension 0"),
    ],
)
def test_one_sentence(call, kind, words):
    with pytest.raises(kind, match=words) as caught:
        call()
    assert type(caught.value) is kind and "--" not in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: V + 1,
        lambda: S4 > A5,
        lambda: V * "a",
        lambda: Permutation(None),
        lambda: S4.rep(3),
        lambda: S4.order(),
        lambda: V.sym("2"),
        lambda: hom.dimension + V,
        lambda: list(intertwine.sf.s),  # one element after the other, without end
        lambda: 2 in intertwine.sf.s,
        lambda: intertwine.gl.HomFunctor.__new__(intertwine.gl.HomFunctor).__setstate__((0, 0)),
    ],
)
def test_wrong_types(call):
    with pytest.raises(TypeError):
        call()


def test_arrays_of_every_kind():
    A = numpy.arange(64.0).reshape(8, 8)[::2, ::-2]  # not contiguous
    for B in (A, A.astype(numpy.float32), A.astype(numpy.int16), numpy.asfortranarray(A)):
        assert numpy.array_equal(hom.symmetrize(B), hom.symmetrize(numpy.ascontiguousarray(A)))
    B.flags.writeable = False
    hom.symmetrize(B)
    for wrong in (A[:3], A[None], A[0], A.astype(object), A.astype(complex), numpy.full((4, 4), "x")):
        with pytest.raises(Error):
            hom.symmetrize(wrong)


def test_files_that_cannot_be_written(tmp_path):
    (tmp_path / "folder.npz").mkdir()
    for path in (tmp_path / "folder.npz", tmp_path / "no" / "t.safetensors", "/proc/t.safetensors", "/dev/full/t.npz"):
        with pytest.raises(FileError) as caught:
            hom.table().save(path)
        assert len(str(caught.value).splitlines()) == 1
    assert [f.name for f in tmp_path.iterdir()] == ["folder.npz"]


def test_nothing_is_lost_in_a_hundred_thousand_errors():
    def fail(times):
        for _ in range(times):
            for call in (
                lambda: Group("S4 x"),
                lambda: Matrix([[0.5]]),
                lambda: V >> A5.rep("perm"),
                lambda: V.matrix("(1,2,3,4,5)"),
                lambda: V + 1,
            ):
                try:
                    call()
                except (ValueError, TypeError):
                    pass

    fail(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fail(20000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000  # KiB


def test_wrong_arguments_in_one_sentence():
    G = intertwine.Group("S4")
    V = G.rep("perm")
    for wrong, said in [
        (lambda: G.rep(5), "rep takes an expression such as 'perm', or a list of pairs of a highest weight and a multiplicity"),
        (lambda: intertwine.Group(None), "Group(group: str | Iterable[Permutation | str | Sequence[int]] | SupportsGenerators, degree: int | None = None) was called with (NoneType)"),
        (lambda: intertwine.Group(), "was called without arguments"),
        (lambda: (V >> V).basis(3), "Hom.basis() was called with (int)"),
        (lambda: intertwine.load_table(3), "load_table(path: str | os.PathLike[str]) was called with (int)"),
        (lambda: G.character_table()[1.5], "CharacterTable.__getitem__(place: tuple[int, int]) or CharacterTable.__getitem__(row: int | str) was called with (float)"),
        (lambda: V.schur([2, 1], 7), "Representation.schur(partition: Partition | Sequence[int]) was called with (list, int)"),
        (lambda: V.restrict(subgroup=3), "was called with (kwargs = { subgroup: int })"),
    ]:  # fmt: skip
        with pytest.raises(TypeError) as error:
            wrong()
        assert str(error.value).endswith(said), str(error.value)
    with pytest.raises(TypeError, match="unsupported operand"):
        V >> 3


# What is of the right type and no number that fits says so, and does not look like a wrong type.
@pytest.mark.parametrize("call", [lambda: V.sym(-1), lambda: hom.why_zero(-1, 0), lambda: Matrix.zero(-1, 3)])
def test_numbers_that_are_too_large_or_negative(call):
    with pytest.raises(TypeError, match=r"was called with \(int.*\): a number is negative or too large$"):
        call()
    with pytest.raises(TypeError, match=r"\(str\)$"):
        V.sym("2")


# An integer among what a type holds is no such number.
def test_places_are_no_wrong_numbers():
    with pytest.raises(TypeError, match=r"content: Sequence\[int\]\) was called with \(int\)$"):
        intertwine.sf.Partition([2, 1]).kostka(3)


# What is offered for a float can be typed, and is as near as the float was written.
@pytest.mark.parametrize(
    "value",
    [
        0.0,
        -1.0,
        0.5,
        1 / 3,
        2**0.5,
        -(3**0.5) / 2,
        (1 + 5**0.5) / 2,
        math.cos(2 * math.pi / 7),
        -math.cos(math.pi / 9),
        math.pi,
        1e-20,
        1e300,
        0.1234567,
    ],
)
def test_what_is_offered_for_floats(value):
    with pytest.raises(DomainError) as error:
        Matrix([[value]])
    offer = eval(str(error.value).partition("; write ")[2].removesuffix(" if that is meant"), {"Fraction": Fraction})
    assert math.isclose(float(Matrix([[offer]])[0, 0]), value, rel_tol=1e-6, abs_tol=0)


def test_time_limits_are_told_as_they_were_given():
    with (
        pytest.raises(LimitError, match=r"the time limit of 0.05 s was reached; raise limits\(seconds=...\)"),
        intertwine.limits(seconds=30),
        intertwine.limits(seconds=0.05),
    ):
        Group("J2").irreps()


def test_graphs_are_no_groups():
    networkx = pytest.importorskip("networkx")
    with pytest.raises(DomainError, match=r"Group.automorphisms\(graph\)"):
        Group(networkx.petersen_graph())


def test_long_messages_are_cut_in_their_middle():
    """Elements, lists and sums; what is wrong and what to do stays, and the whole is in args."""
    cycle = "(" + ",".join(map(str, range(1, 900))) + ")"
    total = " + ".join(f"{k}*vector" for k in range(1, 400))
    numbers = str(list(range(2000)))
    message = f"the element {cycle} of {total} is not in {numbers}: take another"
    error = intertwine.DomainError(message)
    assert len(message) > 15000 and len(str(error)) < 400 and error.args[0] == message
    assert str(error).startswith("the element (1,2,3,") and str(error).endswith(": take another")
    assert "1*vector + 2*vector" in str(error) and " ... " in str(error) and "1999]" in str(error)
    assert str(intertwine.DomainError("a " * 100)) == "a " * 100  # no piece is long
    assert len(str(intertwine.DomainError("a " * 5000))) <= 900
    assert str(intertwine.DomainError("short", 3)) == "('short', 3)" and str(intertwine.DomainError()) == ""
