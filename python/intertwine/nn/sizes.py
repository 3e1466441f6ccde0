"""Layers for sets, graphs and tensors of every size: the parameters belong to diagrams (_diagrams.py), not to a number
of points.

Products are those of _products.py, the groups that have diagrams those of _families.py.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from .. import DomainError, LimitError
from ..tables import DiagramTable
from ..tables import diagrams as every_diagram
from . import _ops, _products
from ._diagrams import Side, between_sizes, commutes, diagrams, dual, expansion, in_basis, table
from ._families import EVERY_SET, Word, axes_of, families_of
from ._fields import integer, require_tensor
from ._one_size import Change, of_elements, of_orbits, representations
from ._state import NamedState, is_shared_out
from .linear import Linear

__all__ = ["DiagramBasis", "Tensors"]


@dataclass(frozen=True)
class DiagramBasis:
    """Diagrams that are a basis of the equivariant maps at one size: proved where it is made, by their rank and by
    characters."""

    sizes: dict[str, int]
    diagrams: tuple[int, ...]
    """Places in theta."""
    dimension: int
    """How many equivariant maps there are: counted by characters, which know nothing of diagrams."""


class Tensors(NamedState):
    """Every equivariant linear map from tensors of k axes over a set to tensors of l axes, for every size of the set.

    Relabelling the points of the set relabels y alike. theta has a block for every diagram: a way to sum, carry over
    and broadcast indices. The same theta serves sets of all sizes.

    Parameters
    ----------
    k, l
        How many axes x and y have; or words with a letter for every axis, where different letters are different sets:
        Tensors("ui", "ui") has the 4 operations between matrices of users and items, Tensors("aab", "a") takes a
        feature of pairs of a and one of b to one of a.
    in_channels, out_channels
        The number of features.
    bias
        Whether a constant for every partition of the axes of y is added.
    group
        Which group acts on every axis, or a dict by letter. "S(n)", the default, permutes the points. "B(n)" also
        changes signs. "O(n)", "Sp(n)", "GL(n)" and "U(n)" act on vectors, where sums over pairs of axes are products
        with the metric, the form or the dual axis, written "v*": Tensors("vv*", "vv*", group="GL(n)"). A number in
        place of n ("O(3)", "S5") is a layer of that size; SO(n), SL(n) and SU(n) need one. Point clouds are
        Tensors("av", "av", group={"a": "S(n)", "v": "O(3)"}).
    across
        Maps between sizes that the layer commutes with, one or several: "padding" (zeros appended), "restriction"
        (points dropped), "duplication" (every point several times), "averaging" (means over copies). Only diagrams
        that do so get parameters.
    reduction
        "mean" divides every sum by the number of its points, so that a trained layer says the same on larger sets;
        "sum" does not.
    device, dtype
        As in torch.nn.Linear. U(n) and SU(n) take complex numbers.

    Attributes
    ----------
    theta
        The free numbers [P, out_channels, in_channels]; `diagrams` lists what they stand for, as partitions of the axes
        of y and x.
    bias
        The free numbers of the bias [Q, out_channels], or None; `bias_diagrams` lists them.

    Shape
    -----
    [..., in_channels, n, ..., n] with k axes of length n to [..., out_channels, n, ..., n] with l axes.

    Raises
    ------
    DomainError
        For words, groups and channels that do not fit. From a call, if x or the mask has another shape.
    LimitError
        Beyond 200000 diagrams, which 11 axes of one set have.

    Notes
    -----
    forward(x, mask) takes sets of different sizes in one batch: mask [..., n] is true at the points that are there,
    with the leading dimensions of x. Other points influence nothing, whatever they hold, and are zero in y. With
    several kinds of sets, mask is a dict by letter. forward(x, n=...) has the size (by letter, a dict) of sets on which
    y has axes and x has none.

    P and Q are Bell numbers: k = l = 1 has 2 and 1 (Sets), k = l = 2 has 15 and 2 (Graphs), k = l = 3 has 203 and 5. If
    a set has fewer points than there are axes of it, different theta can mean the same map: basis(n) chooses diagrams
    that are independent at one size, relations(n) has all relations among them. to_linear(n) is the same layer with the
    weight table of n points, load_linear(layer) the way back.

    The axes of Sp(n) are positions first, then momenta. "v+" is an axis of B(n) on which signs do not act. Diagrams
    with the determinant take n axes. A layer takes O(n^max(k, l)) time and memory, and W is never made.

    References
    ----------
    Levin and Diaz 2024, for `across`.

    See Also
    --------
    Sets : The layer for k = l = 1.
    Graphs : The layer for k = l = 2.
    compatible : Asks any network whether it commutes with maps between sizes.

    Examples
    --------
    >>> import torch
    >>> from intertwine.nn import Tensors
    >>> layer = Tensors(2, 1, 3, 8)
    >>> layer(torch.randn(5, 3, 6, 6)).shape, layer(torch.randn(5, 3, 9, 9)).shape
    (torch.Size([5, 8, 6]), torch.Size([5, 8, 9]))
    >>> len(layer.diagrams)
    5
    """

    _means = "the diagrams"
    _advice = "build the layer with the axes and the reduction that it was trained with"

    def __init__(
        self,
        k: int | str,
        l: int | str,  # noqa: E741
        in_channels: int = 1,
        out_channels: int = 1,
        bias: bool = True,
        *,
        group: str | Mapping[str, str] = "S(n)",
        across: str | Sequence[str] = (),
        reduction: Literal["mean", "sum"] = "mean",
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.axes = ins, outs = (axes_of("k", k), axes_of("l", l))
        # Inside, the letters are a, b, ... as they occur, so that layers are equal where only their letters differ.
        # Duals are capitals.
        letters = list(dict.fromkeys(re.sub("[*+]", "", outs + ins)))
        if len(letters) > 26:
            raise LimitError(f"a layer takes axes over 26 sets at most, and these are over {len(letters)}")
        self._letters = {chr(97 + i): letter for i, letter in enumerate(letters)}
        self._families = families_of(group, letters)
        self._fixed = {
            kind: family.size for kind, family in zip(self._letters, self._families) if family.size is not None
        }
        for letter, family in zip(letters, self._families):
            if letter + "*" in outs + ins and not family.has_duals:
                raise DomainError(
                    f"the axis '{letter}*' is a dual one, and only GL(n), SL(n), U(n) and SU(n) tell these from vectors, not {family}"
                )
            if letter + "+" in outs + ins and family.name != "B":
                raise DomainError(
                    f"the axis '{letter}+' is one on which signs do not act, and only B(n) has signs, not {family}"
                )
        kinds = {
            letter + mark: dual(kind) if mark else kind
            for kind, letter in self._letters.items()
            for mark in ("", "*", "+")
        }
        inner = ["".join(kinds[axis] for axis in re.findall(r"[^*+][*+]?", word)) for word in self.axes]
        self._set_channels(in_channels, out_channels)
        if reduction not in ("mean", "sum"):
            raise DomainError(f"the reduction {reduction!r} is not known; reductions are mean, sum")
        unitary = any(family.name in ("U", "SU") for family in self._families)
        if dtype is None:
            dtype = torch.get_default_dtype()
            dtype = dtype.to_complex() if unitary else dtype
        if not (dtype.is_complex or dtype.is_floating_point and not unitary):
            raise DomainError(f"theta is of a {'complex' if unitary else 'floating-point'} dtype, not {dtype}")
        self.reduction, self.across = reduction, between_sizes(across)
        self._maps = diagrams(inner[0], inner[1], self._families, self.across, reduction == "mean")
        wanted = zip(self._maps.words, *(self._commuting(a) for a in self.across))
        self._chosen = [p for p, (word, *good) in enumerate(wanted) if all(good) and self._in_basis(word, self._fixed)]
        self._words = tuple(self._maps.words[p] for p in self._chosen)
        ours = self._maps.bias_words
        self._chosen_bias = [
            q for q, word in enumerate(ours) if in_basis(word, "", inner[1], self._families, self._fixed)
        ]
        self._bias_words = tuple(ours[q] for q in self._chosen_bias)
        self._make_parameters(
            (len(self._words), out_channels, in_channels),
            (len(self._bias_words), out_channels) if bias else None,
            device,
            dtype,
        )

    def _expansion(self, word: Word, sizes: Mapping[str, int]) -> dict[Word, Fraction]:
        return expansion(word, self._maps.ins, self._maps.outs, self._families, sizes)

    def _in_basis(self, word: Word, sizes: Mapping[str, int]) -> bool:
        return in_basis(word, self._maps.ins, self._maps.outs, self._families, sizes)

    def _by_diagram(self, values: Sequence[Any]) -> list[Any]:
        """Of what there is for every diagram, that for every theta[p]."""
        return [values[p] for p in self._chosen]

    @property
    def _of_sets(self) -> bool:
        """Permutations of sets of every size, and nothing else asked for."""
        return all(family == EVERY_SET for family in self._families)

    @property
    def _digest(self) -> str:
        maps = self._maps
        name = f"diagrams {maps.ins} -> {maps.outs}, {self.reduction}"
        if not self._of_sets or self.across:
            name += f", {' '.join(map(str, self._families))}, {' '.join(self.across)}"
        return hashlib.sha256(name.encode()).hexdigest()

    @property
    def diagrams(self) -> tuple[tuple[int, ...], ...]:
        """For every theta[p] the number of the block of each axis, those of y first, then those of x; blocks of every
        set are counted from 0.

        (0, 1, 0, 1) of Graphs is y_ij = x_ij, (0, 1, 1, 0) is y_ij = x_ji, (0, 1, 0, 2) is y_ij = sum_k x_ik. Axes of
        the block -1 are those of the determinant of SO(n): (-1, -1, -1) from two axes to one is the vector product.
        """
        return self._words

    @property
    def bias_diagrams(self) -> tuple[tuple[int, ...], ...]:
        """The same for bias[q]: (0, 1) of Graphs is a constant everywhere, (0, 0) one on the diagonal."""
        return self._bias_words

    def reset_parameters(self, gain: float = 1.0, generator: torch.Generator | None = None, n: int = 1) -> None:
        """theta normal, of the variances for which inputs of variance 1 that are the same at all points give outputs of
        variance gain^2 where no two indices agree: an equal share for the diagrams that carry 0, 1, 2, ... indices
        over. The bias is zero. With reduction="sum" n is the size for which this holds.

        For other groups than permutations, and with across: inputs of independent entries give outputs of variance
        gain^2 on average at size n (n + 1 where only even sizes are), an equal share for every diagram."""
        maps = self._maps
        variance = self._of(table(maps.ins, maps.outs, self._families, self.reduction)).initial_variance(
            n, gain / math.sqrt(self.in_channels)
        )
        self._start([math.sqrt(v) for v in variance], generator)

    # --- Forward -------------------------------------------------------------------------------------------------------------

    def _sizes(
        self, x: Tensor, n: int | Mapping[str, int] | None, mask: Tensor | Mapping[str, Tensor] | None
    ) -> dict[str, Any]:
        """The size of every set, from x and, where x does not show it, from n or a mask."""
        maps, letters = self._maps, self._letters
        k = len(maps.ins)
        shape = x.shape[x.dim() - k :]
        known: dict[str, Any] = {}
        for kind, size in zip(maps.ins.lower(), shape):
            known.setdefault(kind, self._fixed.get(kind, size))
        if (
            x.dim() < k + 1
            or x.shape[-k - 1] != self.in_channels
            or any(size != known[kind] for kind, size in zip(maps.ins.lower(), shape))
        ):
            named = {
                kind: str(self._fixed.get(kind, "n" if len(letters) == 1 else f"n_{letter}"))
                for kind, letter in letters.items()
            }
            axes = ", ".join([str(self.in_channels), *(named[kind.lower()] for kind in maps.ins)])
            raise DomainError(
                f"the input has the shape {list(x.shape)}; this layer takes [..., {axes}] (channels, then the axes)"
            )
        for kind, family in zip(letters, self._families):
            if kind not in known and kind in maps.outs.lower():
                given: Any = n.get(letters[kind]) if isinstance(n, Mapping) else n
                seen = mask.get(letters[kind]) if isinstance(mask, Mapping) else mask
                if kind in self._fixed:
                    if given not in (None, self._fixed[kind]) and (isinstance(n, Mapping) or len(letters) == 1):
                        raise DomainError(
                            f"the axes {letters[kind]!r} are those of {family}: their size is not {given}"
                        )
                    given = self._fixed[kind]
                elif given is None and seen is not None:
                    given = seen.shape[-1]
                if given is None:
                    raise DomainError(
                        f"x has no axis over the set {letters[kind]!r}: say its size, forward(x, n={{{letters[kind]!r}: ...}})"
                    )
                if isinstance(given, int) and given < 0:
                    raise DomainError(f"the set {letters[kind]!r} cannot have {given} points: give n of at least 0")
                known[kind] = given
            if family.name == "Sp" and known[kind] % 2:
                raise DomainError(
                    f"the axes {letters[kind]!r} have the length {known[kind]}; Sp(n) acts on spaces of even dimension only"
                )
        return {**known, **{dual(kind): size for kind, size in known.items()}}

    def _masks(
        self, mask: Tensor | Mapping[str, Tensor] | None, x: Tensor, sizes: Mapping[str, Any]
    ) -> dict[str, Tensor]:
        """The masks by kind, with the leading axes of x."""
        if mask is None:
            return {}
        letters = self._letters
        if isinstance(mask, Tensor):
            if len(letters) != 1:
                example = ", ".join(f"{letter!r}: ..." for letter in letters.values())
                raise DomainError(f"this layer has several sets: give the masks as a dict by letter, {{{example}}}")
            mask = {next(iter(letters.values())): mask}
        unknown = [c for c in mask if c not in letters.values()]
        if unknown:
            raise DomainError(
                f"there is no set {unknown[0]!r} in this layer; its sets are {', '.join(letters.values())}"
            )
        lead = x.shape[: x.dim() - len(self._maps.ins) - 1]
        found = {}
        for kind, letter in letters.items():
            m = mask.get(letter)
            if m is None:
                continue
            family = self._families[ord(kind) - 97]
            if family.pairs or family.size is not None:
                raise DomainError(
                    f"masks are for points of sets of different sizes, and {family} acts on the axes {letter!r}: leave the mask out"
                )
            if m.dtype != torch.bool or m.shape != (*lead, sizes[kind]):
                raise DomainError(
                    f"the mask is {m.dtype} of the shape {list(m.shape)}; it must be torch.bool of the shape {[*lead, sizes[kind]]}"
                )
            found[kind] = m
        return found

    def forward(
        self, x: Tensor, mask: Tensor | Mapping[str, Tensor] | None = None, *, n: int | Mapping[str, int] | None = None
    ) -> Tensor:
        require_tensor(x)
        sizes = self._sizes(x, n, mask)
        self._checked(x)
        masks = self._masks(mask, x, sizes)
        if not is_shared_out(self.theta):
            return self._by_share(x, self.theta, self.bias, masks, sizes)
        from . import parallel

        def share(x: Tensor, theta: Tensor, bias: Tensor | None, *own: Tensor) -> Tensor:
            return self._by_share(x, theta, bias, dict(zip(masks, own)), sizes)

        return parallel.product(share, x, self.theta, self.bias, self._channel_axes, along=list(masks.values()))

    @property
    def _channel_axes(self) -> tuple[int, int]:  # type: ignore[override]
        return -len(self._maps.ins) - 1, -len(self._maps.outs) - 1

    def _by_share(
        self, x: Tensor, theta: Tensor, bias: Tensor | None, masks: Mapping[str, Tensor], sizes: Mapping[str, Any]
    ) -> Tensor:
        """For the channels of this theta, all or some."""
        whole, dtype = _ops.autocast_of(x)
        with whole:
            return self._forward(x.to(dtype), theta.to(dtype), None if bias is None else bias.to(dtype), masks, sizes)

    def _forward(
        self, x: Tensor, theta: Tensor, bias: Tensor | None, masks: Mapping[str, Tensor], sizes: Mapping[str, Any]
    ) -> Tensor:
        maps = self._maps
        k = len(maps.ins)
        lead = x.shape[: x.dim() - k - 1]
        x, masks = _batch(x, k + 1), {kind: _batch(m, 1) for kind, m in masks.items()}
        factors: _products.Factors = {}
        if self.reduction == "mean":
            for kind in sorted(set(maps.ins.lower())):
                if kind in masks:
                    factors[kind] = masks[kind].sum(1).clamp(min=1).to(x.dtype).reciprocal()
                elif not (isinstance(sizes[kind], int) and sizes[kind] == 0):
                    factors[kind] = 1 / sizes[kind]
        theta = _among(theta, self._chosen, len(maps.words))
        bias = None if bias is None else _among(bias, self._chosen_bias, len(maps.bias))
        x = _masked(x, maps.ins, masks)
        y = _masked(_products.apply(x, theta, bias, maps, sizes, factors), maps.outs, masks)
        return y.reshape(*lead, *y.shape[1:])

    # --- One size ------------------------------------------------------------------------------------------------------------

    def _at(self, n: int | Mapping[str, int] | None) -> dict[str, int]:
        """The size of every set, by kind: those that the group says, the others from n."""
        sizes: dict[str, int] = {}
        for (kind, letter), family in zip(self._letters.items(), self._families):
            size = n.get(letter, family.size) if isinstance(n, Mapping) else n if family.size is None else family.size
            sizes[kind] = integer(f"the size of the set {letter!r}", size, 1)
            if family.size not in (None, size):
                raise DomainError(f"the axes {letter!r} are those of {family}: their size is not {size}")
            family.check(sizes[kind])
        return sizes

    def basis(self, n: int | Mapping[str, int] | None = None) -> DiagramBasis:
        """Diagrams of this layer that are a basis of all equivariant maps at size n (a dict by letter where there are
        several sets): for S(n) and B(n) those of at most n blocks, for others the first independent words in
        lexicographic order. That there are no other maps is proved by the characters of the group. Where n is large
        enough these are all diagrams: from n = k + l on for S(n) and Sp(n), from half of it on for the other groups.

        Cost: quadratic in the number of diagrams, times the dimension; beyond 6000 of one letter it is a LimitError."""
        if self.across:
            raise DomainError(
                "diagrams that commute with maps between sizes are some of all, and no basis of the equivariant maps: ask a layer without across"
            )
        sizes = self._at(n)
        chosen = tuple(p for p, word in enumerate(self._words) if self._in_basis(word, sizes))
        named = {self._letters[kind]: size for kind, size in sizes.items()}
        return DiagramBasis(named, chosen, table(self._maps.ins, self._maps.outs, self._families).dimension(sizes)[0])

    def relations(self, n: int | Mapping[str, int] | None = None) -> list[dict[int, Fraction]]:
        """All linear relations at size n among what theta[0], theta[1], ... multiply: for every diagram outside of
        basis(n) the coefficients of one, by places in theta, exactly. None where n is large enough."""
        chosen = set(self.basis(n).diagrams)
        sizes = self._at(n)
        place = {word: p for p, word in enumerate(self._words)}
        sums = self._by_diagram(self._maps.sums)
        weight = [math.prod(sizes[kind] for kind in s) if self.reduction == "mean" else 1 for s in sums]
        found = []
        for p, word in enumerate(self._words):
            if p not in chosen:
                others = {place[other]: -c for other, c in self._expansion(word, sizes).items()}
                found.append({q: c * weight[q] for q, c in sorted({p: Fraction(1), **others}.items())})
        return found

    def _representations(self, sizes: Mapping[str, int]) -> tuple[Any, Any]:
        families = dict(zip(self._letters, self._families))
        return representations(self._maps.ins, self._maps.outs, families, sizes)

    def _changes(self, V: Any, U: Any, sizes: Mapping[str, int]) -> tuple[Change, Change]:
        """The changes of theta and of the bias to the parameters of a table of this size."""
        maps = self._maps
        scale = torch.tensor(
            [
                math.prod(1 / sizes[k] for k in s) if self.reduction == "mean" else 1.0
                for s in self._by_diagram(maps.sums)
            ],
            dtype=torch.float64,
        )
        ones = torch.ones(len(self._bias_words), dtype=torch.float64)
        if self._of_sets:
            weights = of_orbits(self._words, maps.outs + maps.ins, sizes, scale)
            return weights, of_orbits(self._bias_words, maps.outs, sizes, ones)
        hom = V >> U

        def of(words: Sequence[Word], ins: str, elements: Sequence[Any], scale: Tensor) -> Change:
            return of_elements(words, ins, maps.outs, self._families, sizes, elements, scale)

        return of(self._words, maps.ins, hom.basis(), scale), of(self._bias_words, "", hom.bias.basis(), ones)

    def to_linear(self, n: int | Mapping[str, int] | None = None, *, mode: str = "automatic") -> Linear:
        """This layer with the weight table of sets of n points (a dict by letter where there are several kinds): it
        acts on x.flatten(-k), in which the axes are one, as in Group("S5").rep("perm^2"); for k = 0 on x[..., None].
        Exact up to the rounding of the numbers in theta: a parameter of a table is the sum of those of all diagrams
        that its orbit lies in; for groups whose tables have no orbits, what their exact elements say."""
        sizes = self._at(n)
        V, U = self._representations(sizes)
        layer = Linear(
            V,
            U,
            self.in_channels,
            self.out_channels,
            self.bias is not None,
            mode=mode,
            device=self.theta.device,
            dtype=self.theta.dtype,
        )
        (weights, _), (biases, _) = self._changes(V, U, sizes)
        with torch.no_grad():
            layer.theta.copy_(torch.einsum("pd,doi->poi", weights, self.theta.detach().to("cpu", torch.float64)))
            if layer.bias is not None and self.bias is not None:
                layer.bias.copy_(biases @ self.bias.detach().to("cpu", torch.float64))
        return layer

    def load_linear(self, layer: Linear, n: int | Mapping[str, int] | None = None) -> None:
        """Takes over theta and bias of a layer on sets of n points, such as to_linear(n) gives, by Moebius inversion on
        the partitions of the axes. From n = k + l on there is only one way to continue it to other sizes; below it is
        the one where orbits without entries have zero. For other groups it is the one of the smallest theta."""
        sizes = self._at(n)
        V, U = self._representations(sizes)
        other = Linear(V, U, self.in_channels, self.out_channels, self.bias is not None)
        if (
            layer.table.sha256 != other.table.sha256
            or layer.theta.shape != other.theta.shape
            or (layer.bias is None) != (self.bias is None)
        ):
            raise DomainError(f"the layer is not one of the same channels from {V} to {U} of {V.group.name}")
        (forth, back), (forth_bias, back_bias) = self._changes(V, U, sizes)
        theirs = [(layer.theta.detach().to("cpu", torch.float64), forth, back)]
        if layer.bias is not None:
            theirs.append((layer.bias.detach().to("cpu", torch.float64), forth_bias, back_bias))
        found = []
        for values, to, of in theirs:
            found.append(torch.tensordot(of, values, 1))
            if self.across and (torch.tensordot(to, found[-1], 1) - values).norm() > 1e-4 * values.norm():
                raise DomainError(
                    f"the layer has parameters that do not commute with {' and '.join(self.across)}: load it into one without across"
                )
        with torch.no_grad():
            for mine, value in zip((self.theta, self.bias), found):
                if mine is not None:
                    mine.copy_(value)

    @property
    def table(self) -> DiagramTable:
        """The diagrams of this layer, without theta: what the program, C and C++ run."""
        if not all(letter.isascii() for letter in self._letters.values()):
            raise DomainError(
                f"the axes {', '.join(self._letters.values())} have letters that are not in a-z and A-Z: tables take no others"
            )
        groups = dict(zip(self._letters.values(), map(str, self._families)))
        return self._of(every_diagram(groups, *self.axes, self.in_channels, self.out_channels, self.reduction))

    def _of(self, every: DiagramTable) -> DiagramTable:
        """The diagrams that this layer has among all."""
        place, place_bias = (
            {tuple(word): p for p, word in enumerate(words.tolist())} for words in (every.diagrams, every.bias_diagrams)
        )
        return every.select([place[word] for word in self._words], [place_bias[word] for word in self._bias_words])

    def save_table(self, path: str | Path) -> str:
        """Writes `table` as a file of the kind "diagram" (docs/formats.md): .safetensors, .npz, .h5 or .json. Returns
        its sha256. theta and the bias mean the same there."""
        return self.table.save(path)

    @property
    def _has_sizes(self) -> bool:
        """Is the size of any set free?"""
        return not set(self._fixed).issuperset(self._letters)

    def _defects(self, across: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Where theta and the bias are not zero and do not commute with maps between sizes."""
        maps = self._maps
        weights = tuple(
            p for p, good in enumerate(self._by_diagram(self._commuting(across))) if not good and self.theta[p].any()
        )
        if self.bias is None:
            return weights, ()
        fixed, nothing = frozenset(self._fixed), Side((), (), "")
        sides = [maps.bias[q] for q in self._chosen_bias]
        biases = [commutes(across, side, nothing, "", maps.outs, self.reduction == "mean", fixed) for side in sides]
        return weights, tuple(q for q, good in enumerate(biases) if not good and self.bias[q].any())

    def _commuting(self, across: str) -> list[bool]:
        """For every diagram: does it commute with maps between sizes?"""
        maps = self._maps
        fixed = frozenset(self._fixed)
        return [
            commutes(across, target, source, maps.ins, maps.outs, self.reduction == "mean", fixed)
            for target, source in maps.sides
        ]

    def extra_repr(self) -> str:
        bias = f", {len(self.bias)} bias parameters" if self.bias is not None else ", bias=False"
        names = " -> ".join(repr(word) for word in self.axes)
        group = (
            ""
            if all(family == EVERY_SET for family in self._families)
            else ", group=" + " x ".join(map(str, self._families))
        )
        across = f", across={' '.join(self.across)!r}" if self.across else ""
        channels = f"{self.in_channels} -> {self.out_channels} channels, {len(self.theta)} parameters a pair{bias}"
        return f"{names}{group}, {channels}, reduction={self.reduction!r}{across}"


def _batch(x: Tensor, inner: int) -> Tensor:
    """x with one leading dimension before the last `inner` ones."""
    lead = x.dim() - inner
    return x if lead == 1 else x.unsqueeze(0) if lead == 0 else x.flatten(0, lead - 1)


def _among(t: Tensor, chosen: Sequence[int], count: int) -> Tensor:
    """The parameters of these diagrams among those of all, which are zero."""
    if len(chosen) == count:
        return t
    place = [len(chosen)] * count
    for p, at in enumerate(chosen):
        place[at] = p
    return torch.cat((t, t.new_zeros(1, *t.shape[1:]))).index_select(0, torch.tensor(place, device=t.device))


def _masked(x: Tensor, kinds: str, masks: Mapping[str, Tensor]) -> Tensor:
    """x [b, c, axes] with zeros where a point is not there."""
    there: Tensor | None = None
    for axis, kind in enumerate(kinds):
        if kind in masks:
            m = masks[kind].reshape(masks[kind].shape[0], *(-1 if a == axis else 1 for a in range(-1, len(kinds))))
            there = m if there is None else there & m
    return x if there is None else x.masked_fill(~there, 0)
