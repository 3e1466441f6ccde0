"""From and to other systems; what is not installed here is skipped."""

import cmath
import copy
import json
import math
import pickle
import shutil
import subprocess
from fractions import Fraction

import numpy
import pytest
from intertwine import DomainError, E, FileError, Group, LimitError, Matrix, Permutation, automorphisms, branch
from intertwine.gl import functor_of_hom
from intertwine.sf import s


def test_numpy(S4):
    assert Group([numpy.array([1, 2, 3, 0]), numpy.array([1, 0, 2, 3], dtype=numpy.uint8)]) == S4
    V = S4.matrix_rep([numpy.array(S4.rep("perm").matrix(g)) for g in S4.generators])
    assert V.character() == S4.rep("perm").character()
    assert Matrix(numpy.array([[Fraction(1, 2), 1]], dtype=object)) == Matrix([["1/2", 1]])
    assert Matrix([[numpy.int64(3)]]) == Matrix([[3]])
    codes = (S4.rep("perm") >> S4.rep("perm")).table().weight_code  # read-only through DLPack as well
    assert not numpy.from_dlpack(codes).flags.writeable


def test_sympy(S4):
    sympy = pytest.importorskip("sympy")
    from sympy.combinatorics.named_groups import AlternatingGroup

    A5 = Group(AlternatingGroup(5))
    assert A5.order == 60 and A5.degree == 5 and Group(A5) == A5
    assert S4.to_sympy().order() == 24 and Group(S4.to_sympy()) == S4
    assert Permutation("(1,2,3)", 4).to_sympy().array_form == [1, 2, 0, 3]
    assert Matrix(sympy.Matrix([[1, sympy.Rational(1, 2)]])) == Matrix([[1, "1/2"]])
    assert Matrix([[1, "1/2"]]).to_sympy() == sympy.Matrix([[1, sympy.Rational(1, 2)]])
    root5 = E(5) + E(5, 4) - E(5, 2) - E(5, 3)
    assert abs(complex(root5.to_sympy().evalf()) - 5**0.5) < 1e-12 and E(4).to_sympy() == sympy.I


def test_cyclotomic_numbers_of_sympy():
    sympy = pytest.importorskip("sympy")
    I, pi, sqrt, exp, cos, sin, Q = sympy.I, sympy.pi, sympy.sqrt, sympy.exp, sympy.cos, sympy.sin, sympy.Rational
    for number, text in [
        (sqrt(2) / 2, "1/2*E(8)-1/2*E(8)^3"),
        (I, "E(4)"),
        (exp(2 * I * pi / 3), "E(3)"),
        ((1 + sqrt(5)) / 2, "-E(5)^2-E(5)^3"),
        (sympy.GoldenRatio, "-E(5)^2-E(5)^3"),
        (2 * cos(2 * pi / 5), "E(5)+E(5)^4"),
        (2 * cos(2 * pi / 7), "E(7)+E(7)^6"),
        (2 * I * sin(2 * pi / 5), "E(5)-E(5)^4"),  # SymPy writes sqrt(sqrt(5)/8 + 5/8)
        (2 * I * sin(pi / 8), "E(16)+E(16)^7"),
        (sympy.tan(2 * pi / 7) * 0 + sqrt(-3), "E(3)-E(3)^2"),
        ((-1) ** Q(2, 5), "E(5)"),
        (sqrt(2) ** -3, "1/4*E(8)-1/4*E(8)^3"),
        (sqrt(I), "E(8)"),
        ((-4) ** Q(1, 4), "1+E(4)"),
        (sqrt(2 + sqrt(2 + sqrt(2))), "E(32)-E(32)^15"),
        (Q(1, 3) * exp(I * pi / 4) ** 3, "1/3*E(8)^3"),
    ]:
        assert (
            Matrix([[number]]) == Matrix([[text]])
            and abs(complex(Matrix([[number]])[0, 0]) - complex(number.evalf())) < 1e-12
        ), number
    # tan stays as it is where nothing is known of it
    assert abs(float(Matrix([[sympy.tan(2 * pi / 7)]])[0, 0]) - math.tan(2 * math.pi / 7)) < 1e-12
    for A in (
        Matrix([[E(5), "1/2"], [E(9, 4) - 2 * E(4), 7]]),
        Group("A5").irrep(1).matrix("(1,2,3)"),
        Group("A5").irrep(1).matrix("(1,2,3,4,5)"),
    ):
        assert Matrix(A.to_sympy()) == A
    x = sympy.Symbol("x")
    for number, said in [
        (pi, "pi is not taken for an exact number"),
        (2 ** Q(1, 3), "roots of order 3"),
        (2 ** Q(1, 4), "no cyclotomic field"),
        (sqrt(1 + sqrt(2)), "no cyclotomic field"),
        (exp(1), "E is not known to lie"),
        (exp(I), "no root of unity|not known to lie"),
        (cos(1), "not known to lie"),
        (x + 1, "has the symbol x"),
        (sympy.Float("0.5"), r"Fraction\(1, 2\)"),
        (sympy.Float("0.5") * sqrt(2), "not known to lie"),
        (sympy.oo, "not known to lie"),
        (sympy.zoo, "not known to lie"),
        (sympy.nan, "not known to lie|nan"),
    ]:
        with pytest.raises(DomainError, match=said):
            Matrix([[number]])
    with pytest.raises(LimitError):
        Matrix([[exp(2 * I * pi / 10**7)]])


def test_automorphisms_of_matrices():
    assert Group.automorphisms([[0, 1, 1], [1, 0, 0], [1, 0, 0]]) == Group("<(2,3)>")
    assert Group.automorphisms(numpy.eye(6)).order == 720 and Group.automorphisms(numpy.zeros((1, 1))).order == 1
    cycle = numpy.roll(numpy.eye(7, dtype=int), 1, axis=1)
    assert Group.automorphisms(cycle).order == 7 and Group.automorphisms(cycle + cycle.T).order == 14
    fractions = [[Fraction(1, 3), 2], [2, Fraction(1, 3)]]
    assert Group.automorphisms(fractions).order == 2
    rng = numpy.random.default_rng(5)
    points = rng.integers(0, 3, (8, 3))  # a Gram matrix: the symmetries of a point cloud that come from motions
    G = Group.automorphisms(points @ points.T)
    for g in G.generators:
        moved = points[list(g.images)]
        assert (moved @ moved.T == points @ points.T).all()
    for wrong in ([[1, 2]], [1, 2], numpy.zeros((2, 2, 2)), [[float("nan")]], numpy.zeros((0, 0))):
        with pytest.raises(DomainError):
            Group.automorphisms(wrong)
    with pytest.raises(DomainError, match="NetworkX"):
        Group.automorphisms(cycle, colour="c")
    with pytest.raises(LimitError):
        Group.automorphisms(numpy.zeros((100, 100)), memory=1000)


def test_vertices_of_a_list_of_edges_are_those_that_occur(tmp_path):
    file = tmp_path / "path.edges"
    for text, labels in (("5 900\n900 7\n", [5, 7, 900]), ("1 2\n2 3\n", [1, 2, 3]), ("0 1\n1 2\n", [0, 1, 2])):
        file.write_text(text)
        found = automorphisms(file)
        assert (found.degree, found.order, found.labels) == (3, 2, labels) and Group(f"aut(@{file})").order == 2
        assert pickle.loads(pickle.dumps(found)) == found and pickle.loads(pickle.dumps(found)).labels == labels
        assert json.loads(found.to_json()).get("labels", [0, 1, 2]) == labels
    file.write_text("5 900\n900 7\n")
    assert [[automorphisms(file).labels[p] for p in orbit] for orbit in automorphisms(file).orbits] == [[5, 7], [900]]
    assert automorphisms([[0, 1], [1, 0]]).labels == [0, 1]


def test_vertices_may_have_names(tmp_path):
    file = tmp_path / "path.edgelist"
    file.write_text("bob alice {}\nbob Carol {}\n")
    found = automorphisms(file)
    assert found.labels == ["Carol", "alice", "bob"] and found.orbits == [[0, 1], [2]]
    assert "(Carol,alice)" in str(found) and json.loads(found.to_json())["labels"] == found.labels
    assert pickle.loads(pickle.dumps(found)) == found
    networkx = pytest.importorskip("networkx")
    path = networkx.Graph([(1000, 20), (20, 7)])
    assert automorphisms(path).labels == [1000, 20, 7] and "(7,1000)" in str(automorphisms(path)).replace(
        "(1000,7)", "(7,1000)"
    )
    named = networkx.Graph([("b", "a"), ("b", "c")])
    assert automorphisms(named).labels == list(named) and "(a,c)" in str(automorphisms(named))
    assert automorphisms(networkx.Graph([((0, 0), (0, 1))])).labels == [0, 1]  # nodes that are neither
    networkx.write_edgelist(path, file)
    assert automorphisms(file).labels == [7, 20, 1000]
    for edges in ("links", "edges"):
        text = json.dumps(networkx.node_link_data(named, edges=edges))
        (tmp_path / "named.json").write_text(text)
        assert automorphisms(tmp_path / "named.json").labels == list(named)
        assert automorphisms(tmp_path / "named.json").order == 2
    scipy_io = pytest.importorskip("scipy.io")
    scipy_io.mmwrite(tmp_path / "petersen.mtx", networkx.to_scipy_sparse_array(networkx.petersen_graph()))
    assert automorphisms(tmp_path / "petersen.mtx").order == 120


def test_automorphisms_without_a_group(tmp_path):
    star = [[int(i != j and 0 in (i, j)) for j in range(6)] for i in range(6)]
    found = automorphisms(star)
    assert (found.degree, found.order, found.orbits) == (6, 120, [[0], [1, 2, 3, 4, 5]])
    assert found.generators == [{1: 2, 2: 1}, {1: 2, 2: 3, 3: 4, 4: 5, 5: 1}] and found.group() == Group.automorphisms(
        star
    )
    file = tmp_path / "star.edges"
    file.write_text("".join(f"0 {i}\n" for i in range(1, 6)))
    same = automorphisms(file)  # but that the file names its vertices
    assert same == automorphisms(str(file)) and hash(same) == hash(automorphisms(str(file)))
    assert same != found != automorphisms(numpy.eye(6)) and found == automorphisms(numpy.array(star))
    assert (same.order, same.orbits, same.generators, same.labels) == (
        120,
        found.orbits,
        found.generators,
        found.labels,
    )
    assert "(1,2)" in str(same) and "(2,3)" in str(found) and same.to_json() == found.to_json()
    assert pickle.loads(pickle.dumps(found)) == found == copy.deepcopy(copy.copy(found))
    assert (
        found.to_gap() == "Group([(2,3), (2,3,4,5,6)])"
        and "domain=range(1, 7)" in found.to_sage()
        and found.to_magma().startswith("PermutationGroup<6 |")
    )
    assert repr(found) == "<Automorphisms of 6 points, 2 generators>" and "orbits      2: 1 of 1, 1 of 5" in str(found)
    (tmp_path / "star.json").write_text(found.to_json())
    assert Group(f"@{tmp_path / 'star.json'}").order == 120 and json.loads(found.to_json())["orbits"] == found.orbits
    leaves = tmp_path / "leaves.edges"  # as a group 3 * 10^8 images of generators
    leaves.write_text(
        "".join(f"{v - 1} {v}\n" if v else "" for v in range(1000))
        + "".join(f"{v} {1000 + 100 * v + k}\n" for v in range(1000) for k in range(100))
    )
    large = automorphisms(leaves)
    assert (
        large.order == 2 * math.factorial(100) ** 1000 and len(large.orbits) == 1000 and len(large.generators) == 2001
    )
    for refused in (
        lambda: large.group(),
        lambda: automorphisms(leaves, memory="8M"),
        lambda: automorphisms(leaves, seconds=1e-6),
    ):
        with pytest.raises(LimitError):
            refused()
    with pytest.raises(FileError, match="no such file"):
        automorphisms("missing.edges")
    with pytest.raises(DomainError, match="so have files"):
        automorphisms(file, colour="c")


def test_automorphisms_of_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    cycle = numpy.roll(numpy.eye(7), 1, axis=1)
    assert (
        Group.automorphisms(sparse.csr_matrix(cycle)).order == 7
        and Group.automorphisms(sparse.coo_array(cycle + cycle.T)).order == 14
    )
    coloured = cycle + cycle.T
    coloured[2, 2] = 5
    assert (
        Group.automorphisms(sparse.csc_matrix(coloured)) == Group.automorphisms(coloured)
        and Group.automorphisms(coloured).order == 2
    )
    assert Group.automorphisms(sparse.csr_matrix((3, 3))).order == 6
    with pytest.raises(DomainError, match="not numbers"):
        Group.automorphisms(sparse.csr_matrix([[0.0, math.nan], [math.nan, 0.0]]))
    with pytest.raises(DomainError, match="2, 3"):
        Group.automorphisms(sparse.csr_matrix((2, 3)))


def test_automorphisms_of_graphs(tmp_path):
    networkx = pytest.importorskip("networkx")
    # Orders and orbits as in the literature; the atlas by counting: the graphs on n labelled vertices are the sum of
    # n!/|Aut|.
    known = {
        "petersen_graph": 120,
        "heawood_graph": 336,
        "desargues_graph": 240,
        "tutte_graph": 3,
        "frucht_graph": 1,
        "dodecahedral_graph": 120,
    }
    for name, order in known.items():
        assert Group.automorphisms(getattr(networkx, name)()).order == order
    club = Group.automorphisms(networkx.karate_club_graph())
    assert club.order == 480 and len(club.orbits()) == 27
    counts: dict[int, int] = {}
    for graph in networkx.graph_atlas_g()[1:]:
        n = len(graph)
        counts[n] = counts.get(n, 0) + math.factorial(n) // Group.automorphisms(graph).order
    assert counts == {n: 2 ** (n * (n - 1) // 2) for n in range(1, 8)}
    water = networkx.Graph([("O", "H1"), ("O", "H2")])
    networkx.set_node_attributes(water, {"O": "O", "H1": "H", "H2": "D"}, "element")
    assert (
        Group.automorphisms(water).order == 2
        and Group.automorphisms(water, colour="element").order == automorphisms(water, colour="element").order == 1
    )
    ring = networkx.cycle_graph(6)
    networkx.set_edge_attributes(ring, {e: 1 + sum(e) % 4 // 2 for e in ring.edges}, "bond")
    assert (
        Group.automorphisms(ring).order
        == 12
        > Group.automorphisms(ring, weight="bond").order
        == automorphisms(ring, weight="bond").order
    )
    assert Group.automorphisms(networkx.DiGraph([(0, 1), (1, 2), (2, 0)])).order == 3
    assert Group.automorphisms(networkx.MultiGraph([(0, 1), (0, 1), (1, 2)])).order == 1
    looped = networkx.path_graph(3)
    looped.add_edge(0, 0)
    assert (
        Group.automorphisms(looped).order == 1
        and Group.automorphisms(networkx.complete_bipartite_graph(3, 4)).order == 6 * 24
    )
    # 14 400 vertices, whose matrix has 2 * 10^8 entries
    assert Group.automorphisms(networkx.grid_2d_graph(120, 120), memory="200M").order == 8
    path = tmp_path / "petersen.g6"
    networkx.write_graph6(networkx.petersen_graph(), path)
    assert Group(f'aut(@"{path}")').order == 120


def test_algebra_systems(S4):
    assert S4.to_gap() == "Group([(1,2,3,4), (1,2)])" and Group([], degree=1).to_gap() == "Group(())"
    assert S4.to_sage() == 'PermutationGroup(["(1,2,3,4)", "(1,2)"], domain=range(1, 5))'
    assert S4.to_magma() == "PermutationGroup<4 | (1,2,3,4), (1,2)>"
    assert Group("Group((1,2,3,4),(1,2))") == S4  # as GAP writes it
    assert "GroupHomomorphismByImages" in S4.rep("std").to_gap()


class Root:
    """E of Sage, as a number of Python."""

    def gen(self, n, k):
        return cmath.exp(2j * cmath.pi * k / n)


SAGE = {"QQ": None, "matrix": lambda *rows: rows[-1], "UniversalCyclotomicField": Root}


def test_representations_and_numbers_in_algebra_systems(S4):
    """Sage's texts are evaluated with lists for matrices, and act on rows; GAP's are read by GAP where it is installed."""
    V = S4.rep("std")
    assert eval(V.to_sage(), dict(SAGE)) == [
        [[int(x) for x in row] for row in zip(*V.matrix(g).tolist(), strict=True)] for g in S4.generators
    ]
    assert V.to_magma().startswith("GModule(G, [Matrix(K, [") and V.to_magma().endswith(
        f"where G is {S4.to_magma()} where K is Rationals()"
    )
    nothing = Group([], degree=2).rep("2*trivial")
    assert (
        eval(nothing.to_sage(), dict(SAGE)) == []
        and "DirectSum([TrivialModule(G, K) : i in [1..2]])" in nothing.to_magma()
    )
    assert (
        V.to_latex().count("pmatrix") == 4
        and r"(1,2) &\mapsto" in V.to_latex()
        and r"() &\mapsto" in nothing.to_latex()
    )
    C3 = Group("C3")
    (turn,) = eval(C3.irrep(1).to_sage(), dict(SAGE))
    assert abs(turn[0][0] - complex(C3.irrep(1).matrix(C3.generators[0])[0, 0])) < 1e-12
    z = E(3) + 2
    assert (
        abs(eval(z.to_sage(), dict(SAGE)) - complex(z)) < 1e-12
        and z.to_gap() == str(z)
        and "CyclotomicField(3)" in z.to_magma()
    )
    A = Matrix([[1, z], [0, 1]])
    assert (
        abs(eval(A.to_sage(), dict(SAGE))[0][1] - complex(z)) < 1e-12
        and A.to_gap() == f"[[1, {z}], [0, 1]]"
        and "Matrix(K, [[1, " in A.to_magma()
    )
    assert (
        eval(C3.character_table().to_sage(), dict(SAGE))[0] == [1, 1, 1]
        and "CyclotomicField(3)" in C3.character_table().to_magma()
    )
    forms = C3.irreducible_forms(over="real")
    assert [len(images[0]) for _, images in eval(forms.to_sage(), dict(SAGE))] == [1, 2] and forms.to_magma().count(
        "GModule"
    ) == 2
    assert forms.to_latex().count("align*") == 4
    assert (
        s([2, 1]).to_gap() == "[[[2,1], 1]]"
        and "SymmetricFunctions(QQ).s()" in s([2, 1]).to_sage()
        and "SFASchur" in s([2, 1]).to_magma()
    )
    with pytest.raises(LimitError):
        Group("S8").rep("perm^4").to_sage(memory="100M")
    if shutil.which("gap"):
        program = f'V := {V.to_gap()};; A := {A.to_gap()};; Print(IsGroupHomomorphism(V), " ", A[1][2] = E(3)+2, "\\n");\nQUIT;\n'
        ran = subprocess.run(["gap", "-q"], input=program, capture_output=True, text=True, timeout=120)
        assert ran.stdout.split() == ["true", "true"]


def test_texts(S4):
    table, found = S4.character_table(), S4.rep("perm").decompose()
    assert table.to_markdown().splitlines()[2] == "| [4] | 1 | 1 | 1 | 1 | 1 |"
    assert (
        "<table>" in table.to_html()
        and "ER" not in Group("A5").character_table().to_text()
        and "ER(5)" in Group("A5").character_table().to_text("square_roots")
    )
    assert found.to_markdown().splitlines() == [
        "| irrep | degree | multiplicity |",
        "| --- | --: | --: |",
        "| [4] | 1 | 1 |",
        "| [3,1] | 3 | 1 |",
    ]
    assert Matrix([[1, "1/2"]]).to_latex().startswith("\\begin{pmatrix}") and Matrix([[1]])._repr_latex_().startswith(
        "$"
    )
    assert Matrix.identity(33)._repr_latex_() is None
    golden = -E(5, 2) - E(5, 3)
    assert (
        golden.to_text("square_roots") == "(1+ER(5))/2" and golden.to_text("atlas") == "-b5*" or golden.to_text("atlas")
    )
    assert golden.to_text() == str(golden)


def test_pandas(S4):
    pandas = pytest.importorskip("pandas")
    frame = Group("A5").character_table().to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.shape == (5, 5) and frame.loc["[5]"].tolist() == [1] * 5
    assert S4.rep("perm").decompose().to_dataframe()["multiplicity"].tolist() == [1, 1]
    table = (S4.rep("sign*perm") >> S4.rep("perm^2")).table()
    entries = table.to_dataframe()
    assert len(entries) == numpy.count_nonzero(table.weight_code) and set(entries["sign"]) == {1, -1}
    assert entries.groupby("parameter").size().tolist() == table.orbit_size.tolist()
    sparse = (S4.rep("std") >> S4.rep("perm")).table()
    frame = sparse.to_dataframe()
    W = numpy.zeros((sparse.rows, sparse.cols))
    W[frame["row"], frame["col"]] = frame["value"]
    assert (
        list(frame["parameter"]) == [0] * len(frame)
        and (W == numpy.array((S4.rep("std") >> S4.rep("perm")).basis()[0], dtype=float)).all()
    )


def test_notebooks(S4):
    html = Group("A5").character_table()._repr_html_()
    assert html.count("<tr>") == 7 and "√5" in html and "<script" not in html
    assert "2 more rows" not in html and "more rows and columns" in Group("C70").character_table()._repr_html_()
    assert S4.rep("perm").decompose()._repr_html_().count("<tr>") == 3
    assert "burnside" in (S4.rep("perm") >> S4.rep("perm")).certificate()._repr_html_()
    maps = S4.rep("perm") >> S4.rep("perm")
    shown = maps._repr_html_()
    assert (
        "4 × 4" in shown and "2, complete (burnside-elements)" in shown and "1, complete" in shown and "tied" in shown
    )
    large = Group("S100").rep("perm^2")  # looked at, not computed
    assert "10000 × 10000" in (large >> large)._repr_html_() and "burnside" not in (large >> large)._repr_html_()
    assert "sparse" in (S4.irrep(2) >> S4.irrep(2))._repr_html_()
    proof = maps.table().verify()
    assert proof.sha256 in proof._repr_html_() and "2 weights, 1 bias" in proof._repr_html_()
    assert (
        S4.rep("perm").character()._repr_html_().count("<td") == 5
        and ">4</td>" in S4.rep("perm").character()._repr_html_()
    )
    assert (
        branch([2], "orthogonal", 3)._repr_latex_().startswith("$$S_{2}")
        and "otimes" in functor_of_hom([2], 2, 3)._repr_latex_()
    )


def test_tables_of_point_groups():
    table = Group("D3h").character_table()
    head, *rows = [line.split() for line in table.to_text("schoenflies").splitlines()]
    assert head[:7] == ["D3h", "E", "2C3", "3C2", "σh", "2S3", "3σv"]
    assert [row[0] for row in rows] == ["A1'", "A2'", "E'", "A1''", "A2''", "E''"] and rows[2][1:] == [
        "2",
        "-1",
        "0",
        "2",
        "-1",
        "0",
        "(x,",
        "y)",
        "(x²-y²,",
        "xy)",
    ]
    assert (
        "2S_{3}" in table.to_latex("schoenflies")
        and "| E' | 2 |" in table.to_markdown("schoenflies")
        and "3σ<sub>v</sub>" in table.to_html("schoenflies")
    )
    assert "S4³" in Group("point(S4)").character_table().to_text("schoenflies")
    with pytest.raises(DomainError, match="no point group"):
        Group("S4").character_table().to_text("schoenflies")
    with pytest.raises(DomainError, match="notation"):
        table.to_text("hermann")
