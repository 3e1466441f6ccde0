// The commands on representations given by matrices, from expressions and files to verified tables.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"

using namespace test_apps;
using nlohmann::json;

namespace {

json answer(const std::vector<std::string>& arguments, const std::filesystem::path& folder = {}) {
  std::vector<std::string> with_json = arguments;
  with_json.emplace_back("--json");
  const Run r = run(with_json, folder);
  CAPTURE(arguments, r.err);
  REQUIRE(r.status == 0);
  return json::parse(r.out);
}

void require_refused(const std::vector<std::string>& arguments, const std::filesystem::path& folder, int status,
                     const std::string& says) {
  const Run r = run(arguments, folder);
  CAPTURE(arguments, r.err, says);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  CHECK(r.err.find(says) != std::string::npos);
}

constexpr const char* turn = R"({"type": "matrix", "dimension": 2, "images": [[["0", "-1"], ["1", "-1"]]]})";

}  // namespace

TEST_CASE("bases of matrix representations", "[apps][quick]") {
  const json specht = answer({"basis", "S5", "--in", "specht(3,2)", "--out", "specht(3,2)^2", "--elements"});
  CHECK(specht["kind"] == "sparse-basis");
  CHECK(specht["dimension"] == "1");
  CHECK(specht["certificate"]["character_dimension"] == "1");
  CHECK(specht["certificate"]["commutes"] == true);
  CHECK(specht["elements"].size() == 1);
  CHECK(specht["elements"][0][0].size() == 3);

  // Over Q the icosahedral coordinates and their conjugate belong together.
  const json icosahedral = answer({"basis", "I", "--in", "rational(coordinates)", "--out", "rational(coordinates)"});
  CHECK(icosahedral["rows"] == 6);
  CHECK(icosahedral["dimension"] == "2");
  CHECK(icosahedral["certificate"]["character_dimension"] == "2");

  const json sum = answer({"basis", "S4", "--in", "3*perm + std", "--out", "2*std"});
  CHECK(sum["dimension"] == std::to_string(2 * 3 + 2));

  const json e8 = answer({"basis", "W(E8)", "--in", "coordinates^2", "--out", "coordinates^2"});
  CHECK(e8["dimension"] == "3");
  CHECK(e8["certificate"]["route"] == "burnside-classes");
}

TEST_CASE("tables of general bases are verified from the file alone", "[apps][quick]") {
  const Folder folder;
  write(folder.file("turn.json"), turn);
  const std::vector<std::string> files = {"a.safetensors", "a.npz", "a.json"};
  std::vector<std::string> arguments = {"tie", "C3", "--in", "4*rep(@turn.json)", "--out", "2*rep(@turn.json)^2"};
  for (const std::string& file : files) {
    arguments.emplace_back("--output");
    arguments.push_back(file);
  }
  const json tied = answer(arguments, folder.path());
  CHECK(tied["params"] == 2);
  CHECK(tied["dimension"] == "16");
  std::filesystem::remove(folder.file("turn.json"));
  for (const std::string& file : files) {
    const json proof = answer({"verify", file}, folder.path());
    CHECK(proof["params"] == 2);
    CHECK(proof["bias_params"] == 2);
    CHECK(proof["sha256"] == tied["sha256"]);
  }
  // Another number in the basis: the file is damaged, or its elements do not commute.
  std::string text = contents(folder.file("a.json"));
  const auto at = text.find("\"weight.basis_val\"");
  REQUIRE(at != std::string::npos);
  const auto one = text.find("\"1\"", at);
  REQUIRE(one != std::string::npos);
  text.replace(one, 3, "\"5\"");
  write(folder.file("b.json"), text);
  require_refused({"verify", "b.json"}, folder.path(), 2, "sha256");
}

TEST_CASE("wrong matrices are refused with a sentence", "[apps][quick]") {
  const Folder folder;
  write(folder.file("turn.json"), turn);
  write(folder.file("infinite.json"), R"({"type": "matrix", "dimension": 2, "images": [[[1, 1], [0, 1]]]})");
  write(folder.file("singular.json"), R"({"type": "matrix", "dimension": 2, "images": [[[1, 1], [1, 1]]]})");
  write(folder.file("two.json"), R"({"type": "matrix", "dimension": 1, "images": [[[1]], [[1]]]})");
  write(folder.file("ragged.json"), R"({"type": "matrix", "dimension": 2, "images": [[[1, 0], [0]]]})");
  write(folder.file("letters.json"), R"({"type": "matrix", "dimension": 1, "images": [[["one"]]]})");
  write(folder.file("sl2.json"),
        R"({"field": "Q", "dimension": 2, "generators": [[[0, -1], [1, 0]], [[0, 1], [-1, 1]]]})");
  const auto in = [&](const std::string& file, const std::string& says) {
    require_refused({"basis", "C3", "--in", "rep(@" + file + ")"}, folder.path(), 2, says);
  };
  in("infinite.json", "a^3 = 1 holds in the group but not for the matrices");
  in("singular.json", "singular");
  in("two.json", "2");
  in("ragged.json", "ragged.json");
  in("letters.json", "letters.json");
  require_refused({"group", "@sl2.json"}, folder.path(), 2, "a*b has infinite order");
  require_refused({"tie", "C3", "--in", "irrep(2)", "--out", "irrep(2)", "--output", "a.npz"}, folder.path(), 2,
                  "the values of the basis are in Q(E(3)), which is not real");
  require_refused({"tie", "C3", "--in", "rep(@turn.json)", "--output", "a.hpp"}, folder.path(), 2, ".hpp");
  CHECK(folder.names().size() == 7);                           // nothing was written
  for (const std::string name : {"a.svg", "a.png", "a.html"})  // which draw every basis
    REQUIRE(answer({"tie", "C3", "--in", "rep(@turn.json)", "--output", name}, folder.path())["files"] == json({name}));
}

TEST_CASE("layers of sparse bases run", "[apps][quick]") {
  const Folder folder;
  write(folder.file("turn.json"), turn);
  REQUIRE(run({"tie", "C3", "--in", "rep(@turn.json)", "--output", "a.npz"}, folder.path()).status == 0);
  require_refused({"run", "a.npz", "--input", "x.npy", "--output", "y.npy"}, folder.path(), 2, "x.npy");
  REQUIRE(run({"bench-layer", "a.npz", "--batch", "1", "--seconds", "0.001"}, folder.path()).status == 0);
}

// A real field: exact coordinates in every container, the proof from the file alone, and a damaged coordinate.
TEST_CASE("tables over real number fields", "[apps][quick]") {
  const Folder folder;
  for (const char* file : {"a.safetensors", "a.npz", "a.json"}) {
    CAPTURE(file);
    REQUIRE(run({"tie", "C5", "--in", "real(irrep(2))", "--out", "real(irrep(2)) + perm", "--output", file, "--quiet"},
                folder.path())
                .status == 0);
    REQUIRE(run({"verify", file}, folder.path()).status == 0);
  }
  const auto basis = answer({"basis", "I", "--in", "coordinates", "--out", "coordinates^2", "--elements"});
  CHECK(basis["field"] == "Q(sqrt(5))");
  CHECK(basis["dimension"] == "1");
  CHECK(basis["elements"][0].size() == 6);  // the cross product
  const auto parts = answer({"decompose", "C5", "--rep", "perm", "--over", "real", "--basis"});
  CHECK(parts["components"].size() == 3);
  CHECK(parts["components"][1]["field"] == "Q(sqrt(5))");
  CHECK(parts["components"][1]["inclusion"].size() == 5);
}
