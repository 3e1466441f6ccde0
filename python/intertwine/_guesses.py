"""What other systems call the things of this package: a wrong name is answered with the right one.

Nothing here adds a second name for a thing. AttributeError says what to write, and names within the package that are
nearly right are found by their letters. No class is imported here: a class that held these functions would keep itself
alive through their globals."""

from __future__ import annotations

import sys
from inspect import getattr_static
from typing import NoReturn

# By the class, then by what people type, as they know it from GAP, Sage, SymPy, EMLP, escnn, e3nn or NumPy.
_OF_CLASSES: dict[str, dict[str, str]] = {
    "Group": {
        "center": "G.centre()",
        "dimension": "G.rep('adjoint').dimension",
        "adjoint": "G.rep('adjoint')",
        "tensor": "V * W for V = G.irrep(weight)",
        "branch": "V.restrict(H) for V = G.irrep(weight)",
        "decompose": "G.rep('…').decompose()",
        "elements": "list(G)",
        "random": "G.random_element()",
        "order_": "G.order",
        "size": "G.order, and G.degree for the number of points",
        "conjugacy_classes": "G.classes()",
        "conjugacy_classes_representatives": "[c.representative for c in G.classes()]",
        "characters": "list(G.character_table())",
        "irreducible_characters": "list(G.character_table())",
        "irreducible_representations": "G.irreps()",
        "irreducible": "G.irrep(k), G.irreps()",
        "representation": "G.rep('perm^2'), G.matrix_rep(images), G.permutation_rep(images)",
        "representations": "G.irreps(), or G.rep('…') with one of intertwine.known_representations()",
        "regular_representation": "G.rep('regular')",
        "regular_repr": "G.rep('regular')",
        "trivial_representation": "G.rep('trivial')",
        "trivial_repr": "G.rep('trivial')",
        "permutation_representation": "G.rep('perm')",
        "gens": "G.generators",
        "gen": "G.generators[k]",
        "ngens": "len(G.generators)",
        "identity_element": "G.identity",
        "one": "G.identity",
        "commutator_subgroup": "G.derived_subgroup()",
        "derived_series": "G.derived_subgroup(), again and again",
        "sylow": "G.sylow_subgroup(p)",
        "p_sylow_subgroup": "G.sylow_subgroup(p)",
        "wreath_product": "G.wreath(H)",
        "semidirect_product": "Group('C7:C3'), or generators",
        "is_cyclic": "G.is_abelian and G.exponent == G.order",
        "is_isomorphic": "G.small_group_id() == H.small_group_id() for orders up to 127",
        "id_small_group": "G.small_group_id()",
        "group_id": "G.small_group_id()",
        "structure_description": "G.describe()",
        "cayley_table": "[[G.index(g * h) for h in G] for g in G]",
        "orbit": "next(o for o in G.orbits() if point in o)",
        "contains": "g in G",
        "is_subgroup": "G.is_subgroup_of(H)",
        "subgroups": "G.subgroup([g, …]), G.stabilizer(point), G.sylow_subgroup(p); lists of all subgroups are not here",
        "conjugacy_classes_subgroups": "G.subgroup([g, …]), G.stabilizer(point), G.sylow_subgroup(p); lists of all subgroups are not here",
        "molien_series": "molien_series(V), V a representation of the group; intertwine.polynomial_maps has the invariants themselves",
        "hom": "V >> U for representations V and U of G",
    },
    "CharacterTable": {
        "row": "table[k]",
        "rows": "list(table)",
        "irr": "list(table)",
        "characters": "list(table)",
        "irreducibles": "list(table)",
        "values": "[chi.values for chi in table]",
        "shape": "len(table), twice",
        "columns": "table.classes",
        "conjugacy_classes": "table.classes",
        "class_sizes": "[c.size for c in table.classes]",
        "frobenius_schur": "table.indicators",
        "schur_indicators": "table.indicators",
        "to_numpy": "numpy.array([[complex(x) for x in chi.values] for chi in table])",
        "power_map": "table.power_maps, or table.classes.power_map(k)",
        "tensor": "table[i] * table[j]",
    },
    "ClassFunction": {
        "norm": "chi.inner(chi)",
        "scalar_product": "chi.inner(psi)",
        "inner_product": "chi.inner(psi)",
        "decompose": "chi.multiplicities()",
        "constituents": "chi.multiplicities()",
        "is_irreducible": "chi.inner(chi) == 1",
        "restriction": "chi.restrict(H)",
        "induction": "chi.induce(G)",
        "induced": "chi.induce(G)",
        "tensor": "chi * psi",
        "symmetric_power": "chi.sym(k)",
        "exterior_power": "chi.alt(k)",
        "frobenius_schur": "table.indicators, for the rows of a table",
        "indicator": "table.indicators, for the rows of a table",
        "kernel": "chi.kernel_classes()",
        "center": "chi.centre_classes()",
    },
    "Representation": {
        "matrices": "V.generator_matrices(), V.matrix(g)",
        "rho": "V.matrix(g)",
        "dim": "V.dimension",
        "size": "V.dimension",
        "degree": "V.dimension",
        "dual": "V.T",
        "contragredient": "V.T",
        "tensor_product": "V * W",
        "direct_sum": "V + W",
        "tensor_power": "V ** k",
        "symmetric_power": "V.sym(k)",
        "exterior_power": "V.alt(k)",
        "wedge": "V.alt(k)",
        "hom": "V >> U",
        "equivariant_basis": "(V >> U).basis()",
        "intertwiners": "(V >> V).basis()",
        "endomorphisms": "V.commutant()",
        "invariants": "(V.group.rep('trivial') >> V).basis()",
        "irreducible_constituents": "V.decompose()",
        "multiplicities": "V.decompose(), or V.character().multiplicities()",
        "constituents": "V.decompose()",
        "isotypic_decomposition": "V.isotypic()",
        "restriction": "V.restrict(H)",
        "frobenius_schur": "V.group.character_table().indicators, for irreducible ones",
        "change_of_basis": "V.isotypic(), V.orthonormal_isotypic()",
        "kernel": "V.character().kernel_classes()",
        "is_unitary": "V.orthonormal_basis(), whose form is the identity then",
    },
    "Hom": {
        "dim": "hom.dimension",
        "rank": "hom.dimension",
        "matrices": "hom.basis()",
        "equivariant_basis": "hom.basis()",
        "projector": "hom.symmetrize(W)",
        "equivariant_projector": "hom.symmetrize(W)",
        "project": "hom.symmetrize(W)",
        "save": "hom.table().save(path)",
        "picture": "hom.table().picture()",
        "layer": "intertwine.nn.Linear(V, U)",
    },
    "Table": {
        "shape": "(table.rows, table.cols)",
        "weights": "table.weight_code",
        "codes": "table.weight_code",
        "digest": "table.sha256",
        "to_numpy": "table.weight_code",
        "load": "intertwine.load_table(path)",
        "write": "table.save(path)",
    },
    "Permutation": {
        "array_form": "g.images",
        "cycles": "str(g), and g.cycle_type",
        "cycle_structure": "g.cycle_type",
        "signature": "g.sign",
        "parity": "g.sign",
        "size": "g.degree",
        "array": "g.images",
    },
    "Decomposition": {
        "multiplicities": "[part.multiplicity for part in decomposition]",
        "irreps": "[part.irreps for part in decomposition]",
        "constituents": "list(decomposition)",
        "components": "V.isotypic()",
        "dimension": "decomposition.representation.dimension",
    },
    "CoordinateRing": {
        "dimension": "ring.hilbert_function(degree)[-1]",
        "hilbert_series": "ring.hilbert_function(degree)[-1]",
        "dim": "ring.hilbert_function(degree)[-1]",
        "decompose": "ring.pieces(degree)",
    },
    "Partition": {
        "size": "p.weight",
        "parts": "list(p)",
        "transpose": "p.conjugate()",
        "standard_young_tableaux": "p.standard_tableaux()",
        "hook_lengths": "p.hooks()",
    },
}

_OF_PACKAGE: dict[str, str] = {
    "decompose": "Group('S4').rep('perm^2').decompose()",
    "character_table": "Group('S4').character_table()",
    "chartable": "Group('S4').character_table()",
    "irreps": "Group('S4').irreps()",
    "basis": "(V >> U).basis() for V = G.rep('…')",
    "equivariant_basis": "(V >> U).basis() for V = G.rep('…')",
    "tie": "(V >> U).table().save(path) for V = G.rep('…')",
    "hom": "V >> U for V = G.rep('…')",
    "Rep": "Group('S4').rep('…')",
    "PermutationGroup": "Group([p, q]) with lists of images or cycles",
    "SymmetricGroup": "Group('S4')",
    "AlternatingGroup": "Group('A4')",
    "CyclicGroup": "Group('C4')",
    "DihedralGroup": "Group('D4')",
    "GraphAutomorphisms": "automorphisms(graph)",
    "load": "load_table(path)",
    "load_layer": "load_table(path)",
    "Layer": "intertwine.nn.Linear(V, U)",
    "Linear": "intertwine.nn.Linear(V, U)",
    "ContinuousGroup": "Group('SO(3)')",
    "ContinuousRepresentation": "Representation, as Group('SO(3)').rep('vector') is one",
    "ContinuousHom": "V >> U",
    "LieGroup": "Group('SU(3)')",
    "LieRepresentation": "Group('SU(3)').irrep([1, 1])",
    "AxialRepresentation": "Group('D∞h').rep('vector')",
    "SO": "Group('SO(3)')",
    "SU": "Group('SU(2)')",
    "O": "Group('O(3)')",
    "SO3": "Group('SO(3)')",
    "O3": "Group('O(3)')",
    "wigner_D": "Group('SO(3)').rep('harmonic(2)'), clebsch_gordan and wigner_3j",
    "spherical_harmonics": "Group('SO(3)').rep('harmonic(2)')",
    "littlewood_richardson": "sf.lr([2, 1], [1, 1])",
    "kostka": "sf.Partition([3]).kostka([1, 1, 1])",
    "branching": "branch([2, 1], 'symmetric', 4)",
    "Schur": "s[2, 1], with intertwine.sf.s",
    "cauchy": "gl.cauchy_decomposition(…)",
    "molien": "intertwine.molien_series, and intertwine.polynomial_maps for the maps themselves",
    "hilbert_series": "intertwine.molien_series",
}

_ANY_ACTIVATION = "Activation(V, f), and allowed_activations(V) for what V allows"
# torch.nn's, escnn's, e3nn's and EMLP's.
_OF_NN: dict[str, str] = {
    "Blocks": "Linear(V, U), the layer of sums of several multiplicities too, or its from_table for a file of blocks",
    "ReLU": _ANY_ACTIVATION,
    "GELU": _ANY_ACTIVATION,
    "Tanh": _ANY_ACTIVATION,
    "ELU": _ANY_ACTIVATION,
    "SiLU": _ANY_ACTIVATION,
    "PointwiseNonLinearity": _ANY_ACTIVATION,
    "NormNonLinearity": "NormActivation(V)",
    "Gate": "GatedActivation(V)",
    "GatedNonLinearity1": "GatedActivation(V)",
    "BiLinear": "Bilinear(V, W, U)",
    "Sequential": "torch.nn.Sequential(…)",
    "SequentialModule": "torch.nn.Sequential(…)",
    "Module": "torch.nn.Module",
    "Relaxed": "RelaxedLinear(V, U, H, …) or RelaxedConv2d(V, U, H, …)",
    "MLP": "torch.nn.Sequential of Linear(V, U) and Activation(U, f)",
    "EMLP": "torch.nn.Sequential of Linear(V, U) and Activation(U, f)",
    "DeepSets": "Sets(in_channels, out_channels)",
    "GraphConv": "Graphs(in_channels, out_channels)",
    "R2Conv": "SteerableConv2d(V, U, …) for SO(2) and O(2), Conv2d(V, U, …) for turns by 90 degrees and reflections",
    "R3Conv": "SteerableConv3d(V, U, …)",
    "FieldType": "the representation and the channels: Conv2d(V, U, in_channels, out_channels, kernel_size)",
    "GeometricTensor": "plain tensors [..., channels, dim V]",
    "InnerBatchNorm": "BatchNorm(V, channels)",
    "IIDBatchNorm2d": "BatchNorm(V, channels)",
    "GroupPooling": "InvariantPool(V)",
    "PointwiseAvgPool2D": "AvgPool2d(V, kernel_size)",
    "PointwiseMaxPool2D": "MaxPool2d(V, kernel_size)",
    "PointwiseDropout": "Dropout(V)",
    "FullyConnectedTensorProduct": "TensorProduct(V, W, U)",
    "SphericalHarmonics": "intertwine.nn.geometric.SphericalHarmonics",
    "Graph": "intertwine.nn.geometric.Graph for edges between points, or Graphs for functions of pairs",
    "Irreps": "Group('O(3)').rep('4*trivial + 2*vector')",
    "Attention": "MultiheadAttention(V, channels, heads)",
    "SelfAttention": "MultiheadAttention(V, channels, heads)",
    "Transformer": "torch.nn.Sequential of TransformerBlock(V, channels, heads)",
    "TransformerEncoderLayer": "TransformerBlock(V, channels, heads)",
    "GroupConv": "GroupConv2d(group, in_channels, out_channels, kernel_size), or GroupConv1d and GroupConv3d",
    "RelaxedConv": "RelaxedConv2d(V, U, H, in_channels, out_channels, kernel_size), or RelaxedConv1d and RelaxedConv3d",
}

# What gives a value of a class that is not called.
_MADE_BY: dict[str, str] = {
    "Branching": "branch([2, 1], 'symmetric', 4)",
    "CharacterTable": "Group('S4').character_table()",
    "ClebschGordan": "Group('S4').clebsch_gordan(V, W)",
    "ConjugacyClass": "Group('S4').classes()[k]",
    "ConjugacyClasses": "Group('S4').classes()",
    "CorrelationTable": "chem.correlation_table('Oh', 'Td')",
    "Coupling": "clebsch_gordan('SU(2)', 1, 1)",
    "CrystalModes": "chem.Crystal('rutile.cif').modes()",
    "CrystalSite": "chem.Crystal('rutile.cif').sites[0]",
    "Decomposition": "V.decompose()",
    "DiagramTable": "tables.diagrams('S(n)', 'aa', 'a')",
    "ForceConstants": "chem.Crystal('rutile.cif').force_constants(2, (2, 2, 2))",
    "Hom": "V >> U",
    "MinorIdeal": "gl.CoordinateRing(3, 3).ideal(2)",
    "Molecule": "chem.molecule('water.xyz')",
    "OrthonormalBasis": "V.orthonormal_basis()",
    "PolynomialMaps": "polynomial_maps(V, U, degree)",
    "Reduction": "sdp.reduce(problem)",
    "Representation": "Group('S4').rep('perm')",
    "Table": "(V >> U).table(), or load_table('layer.safetensors')",
    "TableProof": "verify('layer.safetensors')",
    "LittleGroup": "SpaceGroup(227).irreps_at([0, 0, '1/2'])",
    "TensorProjection": "chem.project_tensor('elastic', 'Oh', array)",
    "TensorForm": "chem.tensor_form('elastic', 'Oh')",
}


def not_called(name: str) -> str:
    """What is to be said of a call of a class, given with its module, whose values come from elsewhere."""
    name = name.rpartition(".")[2]
    hint = _MADE_BY.get(name)
    return f"{name} is not called: " + (f"write {hint}" if hint else "its values are answers of other functions")


def _missing(what: str, name: str, hints: dict[str, str], known: list[str], owner: object) -> AttributeError:
    if name in hints:
        message = f"{what} has no {name!r}; write {hints[name]}"
    else:
        from difflib import get_close_matches

        near = get_close_matches(name, [k for k in known if not k.startswith("_")], 3, 0.7)
        message = f"{what} has no {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else "")
    return AttributeError(message, name=name, obj=owner)


def _raise_missing(package: str, name: str, hints: dict[str, str], folders: list[str]) -> NoReturn:
    if name.startswith("_"):
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    module = sys.modules[package]
    raise _missing(package, name, hints, [*module.__all__, *folders], module)


# The modules of the package that are there when it is imported, and those that are not.
_MODULES = ["sf", "gl", "chem", "sdp", "tables"]
_PACKAGES = ["nn", "gsa", "symmetry", "operators", "robots", "weak"]


def missing_of_package(name: str) -> object:
    """Raises what is to be said of a name that the package has not."""
    for module in _MODULES:
        if not name.startswith("_") and hasattr(sys.modules[f"{__package__}.{module}"], name):
            raise AttributeError(f"{__package__} has no {name!r}; write {__package__}.{module}.{name}", name=name)
    _raise_missing(__package__, name, _OF_PACKAGE, [*_MODULES, *_PACKAGES])


def missing_of_nn(name: str) -> object:
    """The same of `intertwine.nn`."""
    _raise_missing(__package__ + ".nn", name, _OF_NN, ["attention"])


def publish(module: str, namespace: dict[str, object], names: list[str]) -> None:
    """Classes are known by the module that users import them from, and answer a wrong name with the right one."""
    for name in names:
        value = namespace[name]
        if isinstance(value, type):
            value.__module__ = module
            if not issubclass(value, Exception):
                value.__getattr__ = missing_of  # type: ignore[attr-defined]


def missing_of(value: object, name: str) -> object:
    """The `__getattr__` of the classes: raises what is to be said of an attribute that a value has not."""
    cls = type(value)
    known = getattr_static(cls, name, None)
    if isinstance(known, property):  # one that has refused the value: with its name now
        try:
            return known.__get__(value)
        except AttributeError as error:
            raise type(error)(str(error).replace(f"{cls.__name__}. ", f"{cls.__name__}.{name} ")) from None
    if name.startswith("_"):
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}", name=name, obj=value)
    raise _missing(cls.__name__, name, _OF_CLASSES.get(cls.__name__, {}), dir(value), value)
