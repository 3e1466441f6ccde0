"""Answers that others have computed; tests/data/SOURCE.md says who."""

from fractions import Fraction

import pytest
from conftest import ROOT, reference
from intertwine import E, Group, Matrix, hom_dimension, known_groups, known_representations


def representation(G, given):
    if given["type"] == "permutation":
        return G.permutation_rep([[i - 1 for i in g] for g in given["images"]], degree=given["degree"])
    if given["type"] == "matrix":  # GAP's act on rows from the right
        return G.matrix_rep([Matrix(g).T for g in given["images"]])
    V, k = representation(G, given["of"]), given["k"]
    return {
        "tensor_power": lambda: V**k,
        "copies": lambda: k * V,
        "sym_power": lambda: V.sym(k),
        "alt_power": lambda: V.alt(k),
    }[given["type"]]()


@pytest.mark.parametrize("entry", reference("hom_dimensions.json")["entries"], ids=lambda e: e["id"])
def test_hom_dimensions(entry):
    G = Group(entry["generators"], degree=entry["degree"])
    V, U = representation(G, entry["V"]), representation(G, entry["W"])
    assert G.order == int(entry["group_order"])
    assert (V.dimension, U.dimension) == (int(entry["dim_V"]), int(entry["dim_W"]))
    hom = V >> U
    assert hom_dimension(V, U) == hom.dimension == int(entry["dim_hom"])
    certificate = hom.certificate()
    assert certificate.commutes and certificate.independent and certificate.every_entry_checked


@pytest.mark.parametrize(
    "file",
    sorted(
        set((ROOT / "tests/data/character_tables").glob("*.json")) - {ROOT / "tests/data/character_tables/index.json"}
    ),
    ids=lambda f: f.stem,
)
def test_character_tables(file):
    given = reference(f"character_tables/{file.name}")
    G = Group(given["generators"], degree=given["degree"])
    assert G.order == int(given["order"])
    if given["number_of_classes"] > 30:
        assert G.number_of_classes() == given["number_of_classes"]
        return
    table = G.character_table()
    column = [table.classes.index([i - 1 for i in g]) for g in given["class_representatives"]]

    def value(x):
        return sum((Fraction(c) * E(x["n"], e) for c, e in x["c"]), 0)

    rows = {
        tuple(value(x) for x in row): indicator
        for row, indicator in zip(given["irreducibles"], given["frobenius_schur"])
    }
    ours = {tuple(table[i, c] for c in column): table.indicators[i] for i in range(len(table))}
    assert rows == ours
    assert [table.classes[c].size for c in column] == [int(s) for s in given["class_sizes"]]
    assert [table.classes[c].element_order for c in column] == given["class_orders"]
    for p, images in given["power_maps"].items():
        assert [table.power_maps[int(p)][c] for c in column] == [column[k - 1] for k in images]
        assert table.power_maps[int(p)] == table.classes.power_map(int(p))
    table.verify()
    table.classes.verify()


def test_groups():
    for given in reference("named_groups.json"):
        G = Group(given["expression"] if "expression" in given else given["name"])
        assert G.order == int(given["order"])
    assert "PSL(n,q)" in known_groups() and "perm" in known_representations()


def test_what_is_found_out_of_a_group():
    groups = {g["name"]: g for g in reference("groups.json")}
    for given in reference("group_structure.json")["groups"]:
        named = groups[given["name"]]
        G = Group(named["generators"], degree=named["degree"])
        assert G.order == int(given["order"])
        for key in ("abelian", "solvable", "perfect", "simple"):
            assert getattr(G, f"is_{key}") == given[key]
        if G.exponent is not None and "exponent" in given:
            assert G.exponent == int(given["exponent"])
        assert G.centre().order == int(given["centre"])
        assert all(g in G for g in given["inside"]) and not any(g in G for g in given["outside"])
        assert G.normal_closure([given["closure_of"]]).order == int(given["closure"])
        for s in given["set_stabilizers"]:
            assert G.set_stabilizer([i - 1 for i in s["set"]]).order == int(s["order"])


# wedderga: the simple components of the rational group algebra.
def test_rational_components_of_the_regular_representation():
    for given in reference("rational_wedderburn.json"):
        G = Group(given["generators"], degree=given["degree"])
        found = sorted((c.degree, c.multiplicity, c.index) for c in G.rep("regular").decompose("rational"))
        assert found == sorted(
            (c["dimension"], c["multiplicity"], c["schur_index"]) for c in given["rational_constituents_of_regular"]
        ), given["structure"]
