"""Functionals of commuting parties: words of operators, their moment matrices, and the groups that fix them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as pairs
from typing import TYPE_CHECKING, Any

from ._certificates import FORMAT, Entries, gram_blocks
from ._errors import DomainError
from ._semidefinite import number, signed_images
from ._words import Algebra, Word

if TYPE_CHECKING:
    from ._core import Problem, Representation


def _letters(key: Any) -> list[str]:
    if key in (1, (), ""):
        return []
    return key.split() if isinstance(key, str) else [str(x) for x in key]


def read_functional(functional: Any, operators: str) -> tuple[Algebra, dict[Word, Fraction]]:
    """The operators of a functional {word: coefficient} and its terms, where words equal to their adjoints are one."""
    if not isinstance(functional, dict) or not functional:
        raise DomainError("a functional is a dict {word: coefficient}, such as {'A0 B0': 1, 'A1 B0': -1}")
    if operators not in ("observables", "projectors"):
        raise DomainError(f"operators={operators!r} is none of observables, projectors")
    given = [(_letters(key), number(x, f"the coefficient of {key}")) for key, x in functional.items()]
    names = sorted({name for letters, _ in given for name in letters}, key=_order)
    split = [_order(name) for name in names]
    several = any(outcome >= 0 for _, _, outcome in split)
    if several and operators == "observables":
        raise DomainError(f"{names[-1]} has an outcome behind _, and so operators='projectors'")
    algebra = Algebra(
        tuple(names), tuple(p for p, _, _ in split), tuple(f"{p}{s}" for p, s, _ in split), signs=not several
    )
    number_of = {name: k for k, name in enumerate(names)}
    terms: dict[Word, Fraction] = {}
    for letters, x in given:
        if operators == "observables" or several:
            parts = [(tuple(number_of[name] for name in letters), x)]
        else:  # a projector is (1 + A) / 2, for an observable A
            parts = []
            for taken in pairs((False, True), repeat=len(letters)):
                word = tuple(number_of[name] for name, t in zip(letters, taken) if t)
                parts.append((word, x / 2 ** len(letters)))
        for word, value in parts:
            found = algebra.normal(word)
            if found is not None:
                key = algebra.real(found)
                terms[key] = terms.get(key, Fraction(0)) + value
    return algebra, {key: x for key, x in terms.items() if x}


def _order(name: str) -> tuple[str, int, int]:
    found = re.fullmatch(r"([A-Za-z]+)(\d+)(?:_(\d+))?", name)
    if found is None:
        raise DomainError(
            f"{name} is no operator: write its party in letters and its setting in digits, as A0, and an outcome as A0_1"
        )
    return found[1], int(found[2]), -1 if found[3] is None else int(found[3])


def words_of(algebra: Algebra, level: Any) -> list[Word]:
    """The words of at most `level` letters, or with '1+AB' those of one letter and a letter of each of two parties."""
    found = re.fullmatch(r"(\d+)(\+AB)?", str(level))
    if found is None or isinstance(level, bool) or (length := int(found[1])) < 1:
        raise DomainError(f"level={level!r} is no level: write 1, 2, ... or '1+AB'")
    if length > 12:
        raise DomainError(f"level={level!r} has too many words; 12 is the most")
    from ._core import poll_limits

    words: dict[Word, None] = {(): None}
    last: list[Word] = [()]
    for _ in range(length):
        longer: dict[Word, None] = {}
        for word in last:
            poll_limits()
            for x in range(len(algebra.names)):
                made = algebra.normal((*word, x))
                if made is not None and made not in words:
                    longer[made] = None
        words.update(longer)
        last = list(longer)
        if len(words) > 100_000:
            raise DomainError(f"level={level!r} has more than 100,000 words")
    if found[2]:
        for x, y in pairs(range(len(algebra.names)), repeat=2):
            if algebra.party[x] < algebra.party[y]:
                words[x, y] = None
    return list(words)


@dataclass
class BellQuestion:
    """-f + λ = m^* Q m for words m, where f is the functional and Q is positive semidefinite: f is at most λ."""

    algebra: Algebra
    terms: dict[Word, Fraction]  # of -f
    rows: list[list[Word]]
    problem: Problem
    is_form: bool = False
    one: Word = ()

    @property
    def constant(self) -> Fraction:
        return self.terms.get((), Fraction(0))

    def products(self, k: int, i: int, j: int) -> list[tuple[Word, Fraction]]:
        """The word of the adjoint of row i times row j, up to its adjoint; nothing for 0."""
        found = self.algebra.normal((*reversed(self.rows[k][i]), *self.rows[k][j]))
        return [] if found is None else [(self.algebra.real(found), Fraction(1))]

    def data(self, bound: Fraction | None, grams: list[Entries]) -> dict[str, Any]:
        """The file of a sum of hermitian squares."""
        return {
            "format": FORMAT,
            "version": 1,
            "kind": "sum of hermitian squares",
            "bound": str(bound),
            "operators": [
                [name, party, setting]
                for name, party, setting in zip(self.algebra.names, self.algebra.party, self.algebra.setting)
            ],
            "squares": "1" if self.algebra.signs else "themselves",
            "polynomial": [[list(word), str(x)] for word, x in sorted(self.terms.items())],
            "blocks": [
                {"words": [list(self.rows[0][i]) for i in part], "gram": lower}
                for part, lower in gram_blocks(grams[0], len(self.rows[0]))
            ],
        }


def question(functional: Any, level: Any, operators: str) -> BellQuestion:
    """What npa() asks, with the problem that minimizes the constant of the sum of squares."""
    from ._core import Matrix, Problem, poll_limits

    algebra, terms = read_functional(functional, operators)
    if not any(terms):
        raise DomainError("the functional is a constant")
    rows = words_of(algebra, level)
    asked = BellQuestion(algebra, {word: -x for word, x in terms.items()}, [rows], None)  # type: ignore[arg-type]
    places: dict[Word, list[tuple[int, int, int]]] = {}
    size = len(rows)
    for i in range(size):
        poll_limits()
        for j in range(size):
            for word, _ in asked.products(0, i, j):
                places.setdefault(word, []).append((i, j, 1))
    missing = next((word for word in terms if word not in places), None)
    if missing is not None:
        raise DomainError(
            f"level={level!r} has no product {' '.join(algebra.names[x] for x in missing)}; take a larger level"
        )
    C = Matrix.from_entries(size, size, places.pop(()))
    A = [Matrix.from_entries(size, size, at) for at in places.values()]
    asked.problem = Problem(C, A, [asked.terms.get(word, 0) for word in places])
    return asked


# --- Groups -----------------------------------------------------------------------------------------------------------


def symmetries(asked: BellQuestion) -> Representation | None:
    """The signed permutations of the operators that keep parties together and fix the functional, on operators; None
    where there is no such search: for projectors, and for words with two letters of a party."""
    import numpy

    from ._core import Matrix, automorphisms

    algebra, terms = asked.algebra, asked.terms
    if not algebra.signs or any(len({algebra.party[x] for x in word}) < len(word) for word in terms):
        return None
    n = len(algebra.names)
    parties = sorted(set(algebra.party))
    # Points: +x and -x of every operator, parties, and of every term a point for each choice of signs.
    points = 2 * n + len(parties)
    signed = [
        (value * (-1) ** sum(choice), [x + n * s for x, s in zip(word, choice)])
        for word, value in terms.items()
        if word
        for choice in pairs((0, 1), repeat=len(word))
    ]
    colours = {value: k for k, value in enumerate(sorted({value for value, _ in signed}), 4)}
    labels = numpy.zeros((points + len(signed), points + len(signed)), dtype=numpy.uint32)
    for x in range(n):
        labels[x, x] = labels[x + n, x + n] = 1
        labels[x, x + n] = labels[x + n, x] = 1
        p = 2 * n + parties.index(algebra.party[x])
        for y in (x, x + n):
            labels[y, p] = labels[p, y] = 1
    for p in range(2 * n, points):
        labels[p, p] = 2
    for k, (value, letters) in enumerate(signed, points):
        labels[k, k] = colours[value]
        for y in letters:
            labels[k, y] = labels[y, k] = 1
    group = automorphisms(labels).group()
    matrices = []
    for g in group.generators:
        image = g.images
        matrices.append(Matrix.from_entries(n, n, [(image[x] % n, x, 1 if image[x] < n else -1) for x in range(n)]))
    return group.matrix_rep(matrices) if matrices else None


def on_rows(asked: BellQuestion, V: Representation) -> Representation:
    """The representation on the words, of a group of signed permutations of the operators that fixes the functional."""
    from ._core import Matrix

    algebra = asked.algebra
    n = len(algebra.names)
    if V.dimension != n:
        raise DomainError(
            f"the group acts on {V.dimension} operators, and the functional has {n}: {', '.join(algebra.names)}"
        )
    images = signed_images(V)
    if images is None:
        raise DomainError(
            f"the group of a functional permutes the operators, with signs or without; {V.expression} acts by other matrices"
        )
    place = {word: k for k, word in enumerate(asked.rows[0])}
    size = len(place)
    matrices = []
    for k, image in enumerate(images):
        name = f"generator {k + 1} of the group, {V.group.generators[k]},"
        if not algebra.signs and any(sign < 0 for _, sign in image):
            raise DomainError(f"{name} takes a projector to its negative")
        for kind, what in ((algebra.party, "parties"), (algebra.setting, "settings")):
            pairs_of = {(kind[x], kind[image[x][0]]) for x in range(n)}
            if len(pairs_of) > len(set(kind)):
                raise DomainError(f"{name} does not keep the operators of {what} together")
        moved = {
            algebra.real(algebra.moved(word, image)[0]): x * algebra.moved(word, image)[1]
            for word, x in asked.terms.items()
        }
        if moved != asked.terms:
            raise DomainError(f"{name} does not fix the functional")
        entries = []
        for word, i in place.items():
            to, sign = algebra.moved(word, image)
            entries.append((place[to], i, sign))
        matrices.append(Matrix.from_entries(size, size, entries))
    return V.group.matrix_rep(matrices)
