// Graphs in files, read through aut(@file): all formats of one graph agree, and what is wrong is named.
#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/automorphism_group.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/io/containers.hpp"
#include "intertwine/io/graph_file.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/records.hpp"
#include "intertwine/io/systems_text.hpp"
#include "io/tables.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

using namespace intertwine;
using Catch::Contains;
using test_tables::Folder;

TEST_CASE("one graph in every format has one group", "[graph_file][quick]") {
  // A path 0 - 1 - 2 with a triangle 2 - 3 - 4: one reflection.
  Folder folder;
  write_file(folder / "a.json", R"({"vertices": 5, "edges": [[0,1],[1,2],[2,3],[3,4],[4,2]]})");
  write_file(folder / "a.edges", "# vertices 5\n0 1\n1 2\n2 3 # no label\n");
  write_file(folder / "b.edges", "0 1\n1,2\n2\t3\r\n\n3 4\n4 2");
  write_file(folder / "a.col", "c a comment\np edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 3\n");
  write_file(folder / "a.g6", ">>graph6<<DhK\n");
  write_file(folder / "a.s6", ">>sparse6<<:DaYg~\n");
  NpyArray matrix{{5, 5}, std::vector<std::int32_t>(25)};
  auto& entries = std::get<std::vector<std::int32_t>>(matrix.values);
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 2}})
    entries[5 * i + j] = entries[5 * j + i] = -3;
  write_npy(folder / "a.npy", matrix);
  for (const char* name : {"a.json", "b.edges", "a.col", "a.g6", "a.s6", "a.npy"}) {
    INFO(name);
    const FiniteGroup G = parse_finite_group(among_files("aut(@" + std::string(name) + ")", folder.path()));
    REQUIRE(G.order() == 2);
    REQUIRE(G.name() == "<(4,5)>");
    REQUIRE(parse_finite_group(G.name()) == G);
  }
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(@a.edges)", folder.path())),
                      Contains("line 4") && Contains("words"));
  REQUIRE(parse_finite_group(among_files("aut(@a.g6) x aut(@\"a.col\")", folder.path())).order() == 4);
}

TEST_CASE("colours, labels and directions of files", "[graph_file][quick]") {
  Folder folder;
  const auto order = [&](const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    return parse_finite_group(among_files("aut(@" + name + ")", folder.path())).order();
  };
  REQUIRE(order("w.edges", "0 1 a\n1 2 b\n2 3 a\n3 0 b\n") == 4);
  REQUIRE(order("d.edges", "# directed\n0 1\n1 2\n2 0\n") == 3);
  REQUIRE(order("e.edges", "# vertices 4\n") == 24);
  REQUIRE(order("c.json", R"({"vertices": 4, "edges": [], "colours": ["C", "H", "H", "H"]})") == 6);
  REQUIRE(order("l.json", R"({"vertices": 3, "edges": [[0,0]], "colours": [1, 1, 1]})") == 2);
  REQUIRE(order("d.json", R"({"vertices": 3, "edges": [[0,1],[1,2],[2,0]], "directed": true})") == 3);
  REQUIRE(order("n.col", "p col 3 0\nn 1 red\n") == 2);
  // Vertices of more than 32 bits are none of a graph with three vertices, and names otherwise.
  REQUIRE_THROWS_WITH(order("v.edges", "# vertices 3\n0 1\n1 4294967296\n"), Contains("line 3") && Contains("0 to 2"));
  REQUIRE(order("v.edges", "0 1\n1 18446744073709551615\n") == 2);
  REQUIRE_THROWS_WITH(order("v.col", "p edge 3 2\ne 1 2\ne 1 4294967298\n"), Contains("line 3") && Contains("beyond"));
  REQUIRE(order("d.g6", ">>digraph6<<&BP?\n") == 1);  // 0 -> 1 -> 2, by hand: rows 010 001 000
  REQUIRE(order("d3.g6", "&BP_\n") == 3);             // and 2 -> 0: 010 001 100
}

TEST_CASE("hypergraphs: automorphisms of the vertices that keep hyperedges and how often they are given",
          "[graph_file][quick]") {
  Folder folder;
  const auto group = [&](const std::string& text) {
    write_file(folder / "h.json", text);
    return parse_finite_group(among_files("aut(@h.json)", folder.path()));
  };
  const FiniteGroup fano =
      group(R"({"vertices": 7, "hyperedges": [[0,1,2],[0,3,4],[0,5,6],[1,3,5],[1,4,6],[2,3,6],[2,4,5]]})");
  CHECK(fano.order() == 168);
  CHECK(fano.degree() == 7);
  CHECK(parse_finite_group(fano.name()) == fano);
  CHECK(group(R"({"vertices": 4, "hyperedges": [[0,1,2],[2,1,0],[3,1,2]]})").order() == 2);
  CHECK(group(R"({"vertices": 4, "hyperedges": [[0,1,2],[3,1,2]]})").order() == 4);
  CHECK(group(R"({"vertices": 3, "hyperedges": [[0],[1],[],[2],[2]]})").order() == 2);
  CHECK(group(R"({"vertices": 3, "hyperedges": []})").order() == 6);
  CHECK(group(R"({"vertices": 3, "hyperedges": [[0,1,2]], "colours": ["a","a","b"]})").order() == 2);
  // Edges are hyperedges of two vertices; a vertex is not a hyperedge, though both have three incidences.
  CHECK(group(R"({"vertices": 4, "hyperedges": [[0,1],[1,2],[2,3],[3,0]]})").order() == 8);
  CHECK_THROWS_WITH(group(R"({"vertices": 3, "hyperedges": [[0,0]]})"), Contains("hyperedges[0]"));
  CHECK_THROWS_WITH(group(R"({"vertices": 3, "hyperedges": [[0],[3]]})"), Contains("hyperedges[1]"));
  CHECK_THROWS_WITH(group(R"({"vertices": 3, "hyperedges": 1})"), Contains("array of lists"));
  CHECK_THROWS_WITH(group(R"({"vertices": 3, "hyperedges": [], "edges": []})"), Contains("alone"));
  CHECK_THROWS_AS(LabelledGraph::from_hyperedges(2, {{0, 2}}), DomainError);
  CHECK_THROWS_AS(LabelledGraph::from_hyperedges(2, {}, {1}), DomainError);
  CHECK_THROWS_AS(automorphisms({2, false, {}, {}}).restricted(1), DomainError);
}

TEST_CASE("rows and columns of a matrix are permuted apart, with signs on request", "[graph_file][quick]") {
  Folder folder;
  const auto order = [&](std::uint64_t rows, std::uint64_t columns, std::vector<std::int32_t> entries,
                         const std::string& options) {
    write_npy(folder / "m.npy", NpyArray{{rows, columns}, std::move(entries)});
    const FiniteGroup G = parse_finite_group(among_files("aut(@m.npy" + options + ")", folder.path()));
    CHECK(G.degree() == (options.ends_with("signs") ? 2U : 1U) * (rows + columns));
    CHECK(parse_finite_group(G.name()).order() == G.order());
    return G.order();
  };
  CHECK(order(2, 3, {1, 1, 1, 1, 1, 1}, ", rows") == 12);
  CHECK(order(2, 3, {1, 0, 0, 0, 1, 0}, ", rows") == 2);
  CHECK(order(2, 2, {1, 0, 0, 1}, ", rows") == 2);
  CHECK(order(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, ",rows, signs") == 48);  // signed permutations
  // There are 768 Hadamard matrices of order 4, which pairs of the 384 signed permutations take to one another.
  CHECK(order(4, 4, {1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1, 1, -1, -1, 1}, ", rows, signs") == 384 * 384 / 768);
  CHECK(order(1, 2, {1, -1}, ", rows, signs") == 4);
  CHECK(order(1, 2, {1, -1}, ", rows") == 1);
  CHECK(order(1, 1, {0}, ", rows, signs") == 4);
  CHECK(order(1, 2, {1, -2}, ", rows, signs") == 2);
  CHECK_THROWS_WITH(parse_finite_group(among_files("aut(@m.npy)", folder.path())), Contains("aut(@m.npy, rows)"));
  CHECK_THROWS_WITH(parse_finite_group(among_files("aut(@m.npy, columns)", folder.path())),
                    Contains("aut(@m.npy, rows, signs)"));
  CHECK_THROWS_AS(parse_finite_group(among_files("aut(@m.npy, signs)", folder.path())), ParseError);
  CHECK_THROWS_AS(parse_finite_group(among_files("aut(@m.npy, rows, rows)", folder.path())), ParseError);
  CHECK_THROWS_WITH(parse_finite_group(among_files("aut(@none.npy, rows)", folder.path())), Contains("no such file"));
  write_npy(folder / "v.npy", NpyArray{{2}, std::vector<std::int32_t>{1, 2}});
  CHECK_THROWS_WITH(parse_finite_group(among_files("aut(@v.npy, rows)", folder.path())),
                    Contains("a matrix is needed"));
  write_npy(folder / "n.npy", NpyArray{{1, 1}, std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min()}});
  CHECK_THROWS_WITH(parse_finite_group(among_files("aut(@n.npy, rows, signs)", folder.path())),
                    Contains("no negative"));
  write_npy(folder / "u.npy", NpyArray{{1, 2}, std::vector<std::uint8_t>{1, 1}});
  CHECK(parse_finite_group(among_files("aut(@u.npy, rows, signs)", folder.path())).order() == 4);
  CHECK_THROWS_AS(LabelledGraph::from_matrix(2, 2, std::vector<std::uint32_t>(3)), DomainError);
}

// By NetworkX 3: the last character is filled with ones, which must not be read as edges.
TEST_CASE("sparse6 of sizes around powers of two", "[graph_file][quick]") {
  Folder folder;
  for (const auto& [text, n] : {std::pair{":@", 1},
                                {":An", 2},
                                {":BcN", 3},
                                {":CcKI", 4},
                                {":Da@_Q_QN", 5},
                                {":G", 8},
                                {":P", 17},
                                {":Ga@_Q_QM@Gs_QLD_QLDZ", 8}}) {
    INFO(text);
    write_file(folder / "k.s6", text);
    REQUIRE(parse_finite_group(among_files("aut(@k.s6)", folder.path())).order() ==
            factorial(static_cast<unsigned long>(n)));
  }
  write_file(folder / "path.s6", ":O`ESyTl^E\\Zxvv\n");  // of 16 vertices
  REQUIRE(parse_finite_group(among_files("aut(@path.s6)", folder.path())).order() == 2);
}

TEST_CASE("long lists of edges ask for memory before they are read", "[graph_file][quick]") {
  Folder folder;
  std::string edges;
  for (int k = 0; k < 20'000; ++k) edges += "0 1\n";
  write_file(folder / "a.edges", edges);
  REQUIRE_THROWS_AS(parse_finite_group(among_files("aut(@a.edges)", folder.path()), Task(500'000, 0, {})), LimitError);
  REQUIRE(parse_finite_group(among_files("aut(@a.edges)", folder.path()), Task(1'000'000, 0, {})).order() == 2);
}

TEST_CASE("vertices of a list of edges are those that occur", "[graph_file][quick]") {
  Folder folder;
  const auto read = [&](const std::string& text) {
    write_file(folder / "v.edges", text);
    return file_automorphisms(read_graph_file(folder / "v.edges"));
  };
  // A path of three vertices, numbered with gaps, from 1, and backwards: nothing else is a vertex.
  const Automorphisms gaps = read("5 900\n900 12000000\n");
  CHECK(gaps.degree == 3);
  CHECK(gaps.order == 2);
  CHECK(gaps.labels == std::vector<std::string>{"5", "900", "12000000"});
  CHECK(gaps.labels_are_numbers());
  CHECK(gaps.generators == std::vector<MovedPoints>{{{0, 2}, {2, 0}}});
  CHECK_THAT(to_text(record(gaps)), Contains("vertices    5, 900, 12000000") && Contains("generators  (5,12000000)"));
  CHECK_THAT(to_json(record(gaps)), Contains("\"labels\"") && Contains("12000000"));
  const Automorphisms from_one = read("1 2\n2 3\n");
  CHECK((from_one.degree == 3 && from_one.order == 2));
  CHECK(from_one.labels == std::vector<std::string>{"1", "2", "3"});
  CHECK_THAT(to_text(record(from_one)),
             !Contains("vertices    ") && Contains("(1,3)"));  // cycles have the file's numbers
  CHECK_THAT(to_json(record(read("2 1\n1 0\n"))), !Contains("labels"));
  CHECK_THAT(to_text(record(read("2 1\n1 0\n"))), Contains("vertices    0, 1, 2") && Contains("(0,2)"));
  CHECK(read("2 1\n1 0\n").generators == std::vector<MovedPoints>{{{0, 2}, {2, 0}}});
  // The number of vertices makes others isolated, and then they are numbered from 0.
  CHECK(read("# vertices 6\n1 2\n").order == 48);
  CHECK(read("1 2\n").order == 2);
  CHECK_THROWS_WITH(read("# vertices 3\n1 2\n2 3\n"), Contains("line 3") && Contains("the vertex 3"));
  write_file(folder / "g.json", to_json(record(gaps)));
  CHECK(parse_finite_group(among_files("@g.json", folder.path())).order() == 2);
  // Names do not matter: random trees under random names have the group that they had.
  Rng random = test_rng();
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 3 + random() % 12;
    std::vector<std::uint64_t> numbers;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < n; ++k) {
      numbers.push_back((k == 0 ? 0 : numbers.back()) + 1 + random() % (trial % 2 ? 3 : 9'000'000));
      names.push_back(std::to_string(numbers.back()));
    }
    std::string plain, named;
    for (std::size_t k = 1; k < n; ++k) {
      const std::size_t at = random() % k;
      plain += std::to_string(k) + " " + std::to_string(at) + "\n";
      named += names[k] + " " + names[at] + "\n";
    }
    CAPTURE(plain, named);
    const Automorphisms a = read(plain), b = read(named);
    CHECK(a.labels.size() == n);
    CHECK(a.labels.back() == std::to_string(n - 1));
    CHECK(b.labels == names);
    CHECK((a.degree == b.degree && a.order == b.order && a.generators == b.generators));
  }
}

TEST_CASE("vertices of a list of edges may have names", "[graph_file][quick]") {
  Folder folder;
  const auto read = [&](const std::string& text) {
    write_file(folder / "v.edgelist", text);
    return file_automorphisms(read_graph_file(folder / "v.edgelist"));
  };
  const Automorphisms path = read("# a path\nbob alice\nbob Carol\n");
  CHECK(path.labels == std::vector<std::string>{"Carol", "alice", "bob"});
  CHECK((path.order == 2 && !path.labels_are_numbers()));
  CHECK_THAT(to_text(record(path)), Contains("generators  (Carol,alice)"));
  CHECK_THAT(to_json(record(path)), Contains("\"Carol\""));
  CHECK_THROWS_WITH(read("source target\n1 2\n2 3\n"),
                    Contains("line 1 has 'source' and line 2 has '1'") && Contains("a heading stands behind #"));
  CHECK_THROWS_WITH(read("1 2\n2 x\n"), Contains("line 2 has 'x'"));
  CHECK_THROWS_WITH(read("a b\n# vertices 3\n"), Contains("the vertex 'a'"));
  // NetworkX writes the attributes of an edge behind it, as a dictionary of Python.
  CHECK(read("0 1 {}\n1 2 {}\n").order == 2);
  CHECK(read("0 1\n1 2 {}\n").order == 2);
  CHECK(read("0 1 {'weight': 3, 'kind': 'a'}\n1 2 {'weight': 3, 'kind': 'a'}\n").order == 2);
  CHECK(read("0 1 {'weight': 3}\n1 2 {'weight': 4}\n").order == 1);
  CHECK_THROWS_WITH(read("0 1 a b\n"), Contains("line 1 has 4 words"));
}

TEST_CASE("node-link JSON", "[graph_file][quick]") {
  Folder folder;
  const auto read = [&](const std::string& text) {
    write_file(folder / "n.json", text);
    return file_automorphisms(read_graph_file(folder / "n.json"));
  };
  const std::string nodes = R"("nodes": [{"id": "b"}, {"id": "a"}, {"id": "c"}])";
  const Automorphisms path = read(R"({"directed": false, "multigraph": false, "graph": {}, )" + nodes +
                                  R"(, "links": [{"source": "a", "target": "b"}, {"source": "c", "target": "b"}]})");
  CHECK((path.order == 2 && path.labels == std::vector<std::string>{"b", "a", "c"}));
  CHECK_THAT(to_text(record(path)), Contains("(a,c)"));
  CHECK(read("{" + nodes + R"(, "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "a"}]})").order ==
        2);
  CHECK(read(
            R"({"directed": true, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], "links": [{"source": 1, "target": 2},
      {"source": 2, "target": 3}, {"source": 3, "target": 1}]})")
            .order == 3);
  // Members of nodes are colours, those of links are labels, and two links are not one.
  CHECK(read(R"({"nodes": [{"id": 1, "kind": "C"}, {"id": 2}, {"id": 3}], "links": []})").order == 2);
  CHECK(read(R"({"nodes": [{"id": 1}, {"id": 2}, {"id": 3}], "links": [{"source": 1, "target": 2, "weight": 2},
      {"source": 2, "target": 3}]})")
            .order == 1);
  CHECK(read(R"({"multigraph": true, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], "links": [
      {"source": 1, "target": 2, "key": 0}, {"source": 2, "target": 1, "key": 1},
      {"source": 2, "target": 3, "key": 0}]})")
            .order == 1);
  CHECK(read(R"({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 1}]})").order == 1);
  const auto refused = [&](const std::string& text, const std::string& why) {
    CAPTURE(text);
    CHECK_THROWS_WITH(read(text), Contains(why));
  };
  refused(R"({"nodes": []})", "no vertices");
  refused(R"({"nodes": [1]})", "nodes[0]");
  refused(R"({"nodes": [{"id": 1}, {"id": "1"}], "links": []})", "nodes[1] has the id 1 of another");
  refused(R"({"nodes": [{"id": 1}]})", "\"links\"");
  refused(R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})", "links[0] has the target 2");
  refused(R"({"nodes": [{"id": 1}], "links": [{"source": 1}]})", "links[0] must be");
  refused(R"({"directed": 1, "nodes": [{"id": 1}], "links": []})", "\"directed\"");
}

TEST_CASE("GML and GraphML say what node-link JSON says", "[graph_file][quick]") {
  Folder folder;
  const auto read = [&](const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    return file_automorphisms(read_graph_file(folder / name));
  };
  const std::string gml = R"(Creator "someone"
# a star
graph [
  directed 0
  node [ id 10 label "hub &amp; spoke" graphics [ x 1.5 y -2 ] ]
  node [ id 20 label "a" ]
  node [ id 30 label "b" graphics [ x 4 ] ]
  node [ id 40 label "c" ]
  edge [ source 10 target 20 ]
  edge [ source 10 target 30 ]
  edge [ source 40 target 10 ]
]
)";
  const Automorphisms star = read("a.gml", gml);
  CHECK(star.order == 6);
  CHECK(star.labels == std::vector<std::string>{"hub & spoke", "a", "b", "c"});
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK(read("b.gml", changed(gml, "id 20 label \"a\"", "id 20 label \"a\" colour \"red\"")).order == 2);
  CHECK(read("b.gml", changed(gml, "target 20 ]", "target 20 weight 2.5 ]")).order == 2);
  CHECK(read("b.gml", changed(gml, "directed 0", "directed 1")).order == 2);
  // Labels that repeat are colours.
  CHECK(read("b.gml", changed(changed(gml, "\"b\"", "\"a\""), "\"c\"", "\"a\"")).order == 6);
  CHECK(read("b.gml", changed(gml, "\"b\"", "\"a\"")).order == 2);

  const std::string graphml = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><!-- a <cycle> -->
  <key id="d0" for="node" attr.name="colour" attr.type="string"/>
  <graph id="G" edgedefault="undirected">
    <node id="a"/><node id="b"><data key="d0">red</data></node>
    <node id='c' ></node><node id="d"/>
    <edge source="a" target="b"/><edge source="b" target="c"/>
    <edge source="c" target="d"><data key="d1">2 &lt; 3</data></edge><edge source="d" target="a"/>
  </graph>
</graphml>
)";
  CHECK(read("a.graphml", graphml).order == 1);
  const std::string plain = changed(graphml, "<data key=\"d1\">2 &lt; 3</data>", "");
  CHECK(read("b.graphml", plain).order == 2);
  CHECK(read("b.graphml", changed(plain, "<data key=\"d0\">red</data>", "")).order == 8);
  CHECK(read("b.graphml", changed(changed(plain, "<data key=\"d0\">red</data>", ""), "undirected", "directed")).order ==
        4);
  CHECK(read("a.graphml", graphml).labels == std::vector<std::string>{"a", "b", "c", "d"});
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    CAPTURE(name, text);
    CHECK_THROWS_WITH(read(name, text), Contains(name + ": ") && Contains(why));
  };
  refused("w.gml", "node [ id 1 ]\n", "there is no 'graph [ ... ]'");
  refused("w.gml", "graph [\n node [ id 1 ]\n", "brackets are open");
  refused("w.gml", "graph [\n node [ id x ]\n]", "line 2 has 'x' where a number");
  refused("w.gml", "graph [ node 1 ]", "has no [ behind 'node'");
  refused("w.gml", "graph [ node [ label \"a ] ]", "a text that does not end");
  refused("w.gml", changed(gml, "target 20", "target 21"), "which is the id of no node");
  refused("w.gml", "graph [ a " + std::string(40, '[') + "]", "has no key");
  refused("w.graphml", "<graphml/>", "there is no <graph>");
  refused("w.graphml", "<graph edgedefault=\"directed\"><node/></graph>", "a <node> without id");
  refused("w.graphml", "<graph>\n<node id=\"a\"/>\n<edge source=\"a\"/></graph>",
          "line 3 has an <edge> without source");
  refused("w.graphml", "<graph><hyperedge/></graph>", "has <hyperedge>");
  refused("w.graphml", "<graph></graph><graph></graph>", "a second graph");
  refused("w.graphml", "<graph><node id=a/></graph>", "without quotation marks");
  refused("w.graphml", "<graph><node id=\"a\"", "does not end");
  refused("w.graphml",
          "<graph edgedefault=\"directed\"><node id=\"a\"/><edge directed=\"false\" source=\"a\" "
          "target=\"a\"/></graph>",
          "directed otherwise than the graph");
}

TEST_CASE("matrices of Matrix Market", "[graph_file][quick]") {
  Folder folder;
  const auto read = [&](const std::string& kind, const std::string& text) {
    write_file(folder / "m.mtx", "%%MatrixMarket matrix " + kind + "\n" + text);
    return file_automorphisms(read_graph_file(folder / "m.mtx"));
  };
  CHECK(read("coordinate pattern symmetric", "% a path\n3 3 2\n2 1\n3 2\n").order == 2);
  CHECK(read("coordinate pattern general", "3 3 3\n1 2\n2 3\n3 1\n").order == 3);
  CHECK(read("coordinate real general", "3 3 4\n1 2 1.5\n2 1 1.50\n2 3 15e-1\n3 2 1.5\n").order == 2);
  CHECK(read("coordinate real symmetric", "3 3 3\n1 1 2\n2 1 1\n3 2 1\n").order == 1);
  CHECK(read("coordinate integer symmetric", "3 3 1\n2 1 0\n").order == 6);
  CHECK(read("coordinate integer skew-symmetric", "3 3 3\n2 1 1\n3 2 1\n3 1 -1\n").order == 3);
  CHECK(read("array real general", "2 2\n1\n0\n0\n1\n").order == 2);
  CHECK(read("array real general", "2 2\n1\n0\n3\n1\n").order == 1);
  CHECK(read("array real symmetric", "3 3\n0\n1\n1\n0\n1\n0\n").order == 6);
  const auto refused = [&](const std::string& kind, const std::string& text, const std::string& why) {
    CAPTURE(kind, text);
    CHECK_THROWS_WITH(read(kind, text), Contains("m.mtx: ") && Contains(why));
  };
  refused("coordinate complex general", "1 1 0\n", "first line");
  refused("array pattern general", "1 1\n", "a pattern has coordinates");
  refused("coordinate real general", "2 3 0\n", "2 x 3");
  refused("coordinate real general", "0 0 0\n", "no vertices");
  refused("coordinate real general", "2 2 2\n1 2 1\n", "after 1 of 2 entries");
  refused("coordinate real general", "2 2 1\n1 2 1\n2 1 1\n", "line 4 goes on");
  refused("coordinate real general", "2 2 1\n1 3 1\n", "line 3 has the place (1, 3)");
  refused("coordinate real general", "2 2 1\n1 2 x\n", "line 3 has 'x'");
  refused("coordinate real general", "2 2 1\n1 2\n", "line 3 has 2 words");
  refused("coordinate real general", "2 2 2\n1 2 1\n1 2 1\n", "given twice");
  refused("coordinate real symmetric", "2 2 2\n1 2 1\n2 1 1\n", "given twice");
  refused("coordinate real skew-symmetric", "2 2 1\n1 1 1\n", "diagonal");
  refused("array real general", "2 2\n1\n", "before the last entry");
}

TEST_CASE("files that are no graphs", "[graph_file][quick]") {
  Folder folder;
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    write_file(folder / name, text);
    INFO(name << ": " << text);
    REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(@" + name + ")", folder.path())), Contains(why));
  };
  refused("a.xyz", "", ".g6");
  refused("a.g6", "", "number of vertices");
  refused("a.g6", "Dh", "characters after its size");
  refused("a.g6", "DhKK", "characters after its size");
  refused("a.g6", "?", "no vertices");
  refused("a.g6", "~~~~~~~~", "limit of 1000000");
  refused("a.g6", "D h", "from ? to ~");
  refused("a.s6", ";DhK", "incremental");
  refused("a.s6", ":D h", "sparse6 consists");
  refused("a.s6", ":?", "no vertices");
  refused("a.g6", "DhK\nDhK\n", "more than one");
  refused("a.edges", "", "no vertices");
  refused("a.edges", "0 1\n0\n", "line 2");
  refused("a.edges", "0 x\n", "'x'");
  refused("a.edges", "0 1 a\n1 0 b\n", "another label");
  refused("a.edges", "0 99999999999999999999\n", "whole number");
  refused("a.col", "e 1 2\n", "p edge");
  refused("a.col", "p edge 2 1\ne 0 1\n", "numbered from 1");
  refused("a.col", "p edge 2 1\ne 1 3\n", "beyond");
  refused("a.col", "p edge 2 1\nq\n", "line 2");
  refused("a.json", "[]", "object");
  refused("a.json", R"({"vertices": -1, "edges": []})", "vertices");
  refused("a.json", R"({"vertices": 2, "edges": [[0,2]]})", "edges[0]");
  refused("a.json", R"({"vertices": 2, "edges": [[0,1,"a"],[1,0,"b"]]})", "edges[1]");
  refused("a.json", R"({"vertices": 2, "edges": [], "colours": [1]})", "colours");
  refused("a.json", R"({"vertices": 2, "edges": [], "weights": [1]})", "not known");
  refused("a.json", R"({"vertices": 2, "edges": [], "directed": 1})", "directed");
  refused("a.npy", "no array", "a.npy");
  write_npy(folder / "m.npy", NpyArray{{2, 3}, std::vector<float>(6)});
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(@m.npy)", folder.path())), Contains("square"));
  write_npy(folder / "nan.npy", NpyArray{{1, 1}, std::vector<float>{std::numeric_limits<float>::quiet_NaN()}});
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(@nan.npy)", folder.path())), Contains("not numbers"));
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(@nothing.g6)", folder.path())), Contains("no such file"));
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut(nothing.g6)", folder.path())), Contains("aut(@graph.g6)"));
  REQUIRE_THROWS_WITH(parse_finite_group(among_files("aut", folder.path())), Contains("aut(@graph.g6)"));
}

TEST_CASE("automorphisms of a file, written and read again", "[graph_file][quick]") {
  Folder folder;
  write_file(folder / "a.edges", "# vertices 6\n0 1\n0 2\n0 3\n4 5\n");
  const GraphFile file = read_graph_file(folder / "a.edges");
  const Automorphisms found = file_automorphisms(file);
  CHECK(found.order == 12);
  CHECK_THAT(to_text(record(found)), Contains("orbits      3: 1 of 1, 1 of 2, 1 of 3"));
  write_file(folder / "aut.json", to_json(record(found)));
  const FiniteGroup G = parse_finite_group(among_files("@aut.json", folder.path()));
  CHECK((G == found.group({}) && G.order() == 12));
  CHECK_THAT(to_json(record(found)), Contains("\"degree\": 6") && Contains("\"(5,6)\""));
  CHECK(to_system(Format::gap, record(found)) == to_system(Format::gap, G));
  CHECK(to_system(Format::sage, record(found)) == to_system(Format::sage, G));
  CHECK(to_system(Format::magma, record(found)) == to_system(Format::magma, G));
  const Automorphisms none{3, {}, 1};
  CHECK_THAT(to_text(record(none)), Contains("generators  none"));
  CHECK(to_system(Format::gap, record(none)) == "Group(())");
  CHECK_THROWS_AS(to_system(Format::json, record(none)), InternalError);
}

TEST_CASE("a dense graph6 file has its own edges, not those of the complement", "[graph_file][quick]") {
  const Folder folder;
  write_file(folder / "k4.g6", "C~\n");
  CHECK(read_plain_graph(folder / "k4.g6").graph.edges.size() == 6);
  CHECK(parse_finite_group(among_files("aut(@k4.g6)", folder.path())).order() == 24);
  write_file(folder / "k4-e.g6", "C^\n");  // without 0 - 1, the first bit
  const LabelledGraph graph = read_plain_graph(folder / "k4-e.g6").graph;
  CHECK(graph.edges.size() == 5);
  for (const LabelledGraph::Edge& e : graph.edges) CHECK(e.from + e.to != 1);
}
