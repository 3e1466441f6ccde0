#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "support/paths.hpp"
#include "tables.hpp"

using namespace intertwine;
using test_tables::Folder;

namespace {

std::set<std::vector<std::int32_t>> words_of(const DiagramTable& table) {
  std::set<std::vector<std::int32_t>> out;
  for (std::uint64_t p = 0; p < table.params; ++p) out.emplace(table.diagram(p).begin(), table.diagram(p).end());
  return out;
}

}  // namespace

TEST_CASE("tables of diagrams come back from every form", "[io][quick]") {
  DiagramTable graphs = diagram_table("aa", "aa", {{}}, true, {3, 2});
  graphs.metadata["note"] = "graphs";
  const Folder folder;
  const DiagramTable minors = diagram_table("v*", "vv", {parse_diagram_group("SL(3)")}, false),
                     none = diagram_table("", "");
  for (const DiagramTable& table :
       {graphs, minors, none, diagram_table("av", "aav", {{}, parse_diagram_group("O(n)")})})
    for (const char* form : {"table.safetensors", "table.npz", "table.json"}) {
      const auto path = folder / form;
      CAPTURE(form, table.axes_in);
      CHECK(write_diagrams(path, table) == digest(table));
      const DiagramTable back = read_diagrams(path);
      CHECK(back.diagrams == table.diagrams);
      CHECK(back.bias_diagrams == table.bias_diagrams);
      CHECK(back.groups == table.groups);
      CHECK((back.axes_in == table.axes_in && back.axes_out == table.axes_out && back.mean == table.mean));
      CHECK(back.channels == table.channels);
      CHECK(back.metadata.count("note") == table.metadata.count("note"));
      CHECK_THROWS_WITH(read_numeric_table(path), Catch::Contains("read_diagrams"));
    }
  DiagramTable sums = graphs;
  sums.mean = false;
  CHECK(digest(sums) != digest(graphs));  // theta means something else
  CHECK_THROWS_AS(write_diagrams(folder / "table.hpp", graphs), DomainError);
  graphs.diagrams[0] = 5;
  CHECK_THROWS_AS(write_diagrams(folder / "table.json", graphs), DomainError);
}

TEST_CASE("a table of diagrams from Python is read", "[io][quick]") {
  const DiagramTable table = read_diagrams(test_data() + "/diagrams/cloud.json");
  CHECK(words_of(table) == words_of(diagram_table("av", "aav", {{}, parse_diagram_group("SO(2)")})));
  CHECK(table.channels == Multiplicity{3, 2});
}

TEST_CASE("damaged tables of diagrams are refused in words", "[io][quick]") {
  const Folder folder;
  const auto path = folder / "damaged.json";
  write_diagrams(path, diagram_table("aa", "a"));
  const std::string good = read_file(path);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_file(path, text.replace(at, from.size(), to));
    CAPTURE(from, to);
    CHECK_THROWS_AS(read_diagrams(path), FileError);
  };
  refused("\"diagram\"", "\"signed-orbit\"");
  refused("\"1.1\"", "\"2.0\"");
  refused("S(n)", "Q(n)");
  refused("S(n)", "O(n)");
  refused("\"aa\"", "\"ab\"");
  refused("\"aa\"", "\"a*\"");
  refused("\"mean\"", "\"median\"");
  refused("\"mean\"", "\"sum\"");
  refused("\"5\"", "\"6\"");
  refused("\"5\"", "\"-5\"");
  refused("[0,0,0]", "[0,0,3]");
  refused("[0,0,0]", "[0,0]");
  write_file(path, good.substr(0, good.size() / 2));
  CHECK_THROWS_AS(read_diagrams(path), FileError);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(read_diagrams(path), FileError);
}
