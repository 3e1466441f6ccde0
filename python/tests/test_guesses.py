"""Wrong names are answered with the right one."""

import re
from fractions import Fraction

import intertwine as it
import pytest
from intertwine import Group
from intertwine._guesses import _MADE_BY, _OF_CLASSES, _OF_NN, _OF_PACKAGE
from public_names import public

NAMES = {name: value for name, (_, value) in public().items()}


HALF = Fraction(1, 2)
# What the letters of the hints stand for, unless the class says otherwise.
LETTERS = {
    "G": it.Group, "H": it.Group, "V": it.Representation, "U": it.Representation, "table": it.CharacterTable, "chi": it.ClassFunction,
    "hom": it.Hom, "g": it.Permutation, "p": it.sf.Partition, "c": it.ConjugacyClass, "ring": it.gl.CoordinateRing, "decomposition": it.Decomposition, "intertwine": it, "Group": it.Group, **{n: getattr(it, n) for n in ("sf", "gl", "chem", "sdp", "tables")},
}  # fmt: skip
OTHERWISE = {"Table": {"table": it.Table}, "Group": {"G": it.Group, "V": it.Representation}}


@pytest.mark.parametrize("name", [*_OF_CLASSES, "package"])
def test_hints_name_what_exists(name):
    owner = it if name == "package" else NAMES[name]
    letters = LETTERS | OTHERWISE.get(name, {})
    for guess, hint in (_OF_PACKAGE if name == "package" else _OF_CLASSES[name]).items():
        assert not hasattr(owner, guess), guess  # or the hint is never shown
        for letter, attribute, call in re.findall(r"\b([A-Za-z]+)\.([a-z_A-Z]\w*)(\(?)", hint):
            if letter in letters and attribute != "nn":
                assert hasattr(letters[letter], attribute), (guess, hint)
                if isinstance(letters[letter], type):
                    assert isinstance(getattr(letters[letter], attribute), property) == (not call), (guess, hint)
        if name == "package":
            for word in re.findall(r"^(\w+)", hint):
                assert (
                    word in ("intertwine",)
                    or word in NAMES
                    or word in ("sf", "gl", "chem", "sdp", "tables", "s")
                    or word in "VUT"
                ), (
                    guess,
                    hint,
                )


def test_wrong_names_in_one_sentence():
    G = Group("S4")
    for wrong, said in [
        (lambda: G.center(), "Group has no 'center'; write G.centre()"),
        (lambda: G.genertors, "Group has no 'genertors'; did you mean generators or generator_names?"),
        (lambda: G.rep("std").dim, "Representation has no 'dim'; write V.dimension"),
        (lambda: G.character_table().row(0), "write table[k]"),
        (
            lambda: it.decompose("S4", "perm"),
            "intertwine has no 'decompose'; write Group('S4').rep('perm^2').decompose()",
        ),
        (lambda: it.Gruop("S4"), "did you mean Group?"),
        (lambda: it.plethysm, "intertwine has no 'plethysm'; write intertwine.sf.plethysm"),
        (lambda: G.xyzzy, "Group has no 'xyzzy'$"),
    ]:
        with pytest.raises(AttributeError, match=re.escape(said[:-1]) + "$" if said.endswith("$") else re.escape(said)):
            wrong()
    assert not hasattr(G, "__array__") and not hasattr(G, "_repr_png_") and getattr(it, "none", None) is None
    with pytest.raises(ImportError):
        from intertwine import Gruop  # noqa: F401


def test_rows_matrices_and_irreducibility():
    G = Group("S4")
    T = G.character_table()
    assert [T[k] for k in range(5)] == list(T) and T[-1] == T[4] and T[2][0] == T[2, 0] == 2
    with pytest.raises(IndexError):
        T[5]
    V = G.rep("std")
    assert V.generator_matrices() == [V.matrix(g) for g in G.generators]
    assert V.is_irreducible() and not G.rep("perm").is_irreducible()
    assert Group("C1").rep("trivial").generator_matrices() == []
    assert Group("C1").permutation_rep([], degree=5).dimension == 5
    H = G.stabilizer(0)
    assert [k for k, _ in (4 * G.rep("perm")).restrict(H).summands()] == [4]
    # Over the rational numbers irreducible, over the complex ones not.
    assert not Group("C3").rep("std").is_irreducible()


def test_classes_that_are_not_called():
    for name, hint in _MADE_BY.items():
        with pytest.raises(TypeError, match=re.escape(f"{name} is not called: write {hint}") + "$"):
            NAMES[name]()
        for word in re.findall(r"\b([A-Za-z_]\w+)\(", re.sub("'.*?'", "", hint)):
            assert word in NAMES or any(hasattr(value, word) for value in NAMES.values() if isinstance(value, type)), (
                name,
                hint,
            )
    with pytest.raises(TypeError, match="KernelBlock is not called: its values are answers of other functions"):
        it.KernelBlock(1, x=2)
    made = [
        it.branch([2, 1], "symmetric", 4),
        it.clebsch_gordan("SU(2)", 1, 1)[0],
        it.tables.diagrams("S(n)", "aa", "a"),
        it.Group("SU(3)").irrep([1, 1]),
        it.chem.tensor_form("elastic", "Oh"),
    ]
    assert [type(value).__name__ for value in made] == [
        "Branching",
        "Coupling",
        "DiagramTable",
        "Representation",
        "TensorForm",
    ]


def test_spins_and_products():
    half = it.clebsch_gordan("SU(2)", "1/2", "1/2", index=1)
    assert [c.entries for c in half] == [c.entries for c in it.clebsch_gordan("SU(2)", 0.5, 0.5, index=1.0)]
    assert it.wigner_3j(0.5, "1/2", 1, 0.5, "-1/2", 0) == it.wigner_3j(HALF, HALF, 1, HALF, -HALF, 0)
    assert it.sf.lr([2, 1], [2, 1]) == it.sf.s[2, 1] * it.sf.s[2, 1] and it.sf.lr([3, 2, 1], [2, 1], [2, 1]) == 2


def test_names_of_layers():
    torch = pytest.importorskip("torch")
    import intertwine.nn as nn

    for guess, hint in _OF_NN.items():
        assert not hasattr(nn, guess) and guess not in nn.__all__, guess
        for word in re.findall(r"\b([A-Za-z_]\w+)\(", hint):
            assert word in ("rep", "SO") or hasattr(nn, word) or hasattr(torch.nn, word) or word in NAMES, (
                guess,
                hint,
            )
    with pytest.raises(
        AttributeError,
        match=re.escape("intertwine.nn has no 'ReLU'; write Activation(V, f), and allowed_activations(V)"),
    ):
        nn.ReLU
    with pytest.raises(AttributeError, match=r"did you mean Conv2d"):
        nn.Conv2D
    assert getattr(nn, "_missing", None) is None
