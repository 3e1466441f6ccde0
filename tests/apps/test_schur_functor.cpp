// intertwine schur-functor: what it shows and writes, and what wrong input gets.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "intertwine/io/exact_matrix_file.hpp"

using namespace test_apps;
using Json = nlohmann::json;

namespace {

void require_refused(const Run& r, int status, const std::string& says) {
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == status);
  REQUIRE(r.out.empty());
  REQUIRE(r.err.starts_with("intertwine: error: "));
  REQUIRE(r.err.find(says) != std::string::npos);
}

}  // namespace

TEST_CASE("schur-functor shows a small matrix with its tableaux", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "a.json", R"([[2, 3], [5, "1/2"]])");
  const Run sym = run({"schur-functor", "[2]", "--matrix", "a.json"}, folder.path());
  CAPTURE(sym.out, sym.err);
  REQUIRE(sym.status == 0);
  REQUIRE(sym.out ==
          "S_[2](A) for the 2 x 2 matrix of a.json\n"
          "  map      S_[2](Q^2) -> S_[2](Q^2), 3 x 3\n"
          "  trace    81/4\n"
          "  basis    semistandard tableaux, row by row\n\n"
          "     | 11  12  22\n"
          "  ---+-----------\n"
          "  11 |  4   6   9\n"
          "  12 | 20  16   3\n"
          "  22 | 25 5/2 1/4\n");
  const Run empty = run({"schur-functor", "[1,1,1]", "--matrix", "a.json"}, folder.path());
  REQUIRE(empty.status == 0);
  REQUIRE(empty.out.find("0 x 0") != std::string::npos);
  const Run scalar = run({"schur-functor", "[]", "--matrix", "a.json"}, folder.path());
  REQUIRE(scalar.status == 0);
  REQUIRE(scalar.out.find("  - | 1\n") != std::string::npos);
}

TEST_CASE("schur-functor answers in JSON and files", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "a.json", "[[1, 2, 0], [0, 1, 3]]");
  write(folder.path() / "b.json", R"([["1/2", 0], [1, 1], [-1, 4]])");
  const intertwine::RationalMatrix product =
      intertwine::read_exact_matrix(folder.path() / "a.json") * intertwine::read_exact_matrix(folder.path() / "b.json");
  write(folder.path() / "ab.json", intertwine::exact_matrix_json(product));
  const auto image = [&](const std::string& file) {
    const Run r = run({"schur-functor", "[2,1]", "--matrix", file + ".json", "-o", "s.json"}, folder.path());
    CAPTURE(r.err);
    REQUIRE(r.status == 0);
    REQUIRE(r.out.find("wrote    s.json") != std::string::npos);
    return intertwine::read_exact_matrix(folder.path() / "s.json");
  };
  REQUIRE(image("ab") == image("a") * image("b"));
  const Run r = run({"schur-functor", "[2,1]", "--matrix", "a.json", "--json"}, folder.path());
  const Json json = Json::parse(r.out);
  REQUIRE(json["command"] == "schur-functor");
  REQUIRE(json["partition"] == Json::parse("[2, 1]"));
  REQUIRE(json["source"] == 3);
  REQUIRE(json["target"] == 2);
  REQUIRE(json["rows"] == 2);
  REQUIRE(json["cols"] == 8);
  REQUIRE(json["trace"].is_null());
  REQUIRE(json["row_tableaux"] == Json::parse("[[[1, 1], [2]], [[1, 2], [2]]]"));
  REQUIRE(json["column_tableaux"].size() == 8);
  write(folder.path() / "m.json", json["matrix"].dump());
  REQUIRE(intertwine::read_exact_matrix(folder.path() / "m.json") == image("a"));
}

TEST_CASE("schur-functor refuses what it cannot do", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "a.json", "[[1, 2], [3, 4]]");
  write(folder.path() / "ragged.json", "[[1, 2], [3]]");
  write(folder.path() / "decimal.json", "[[0.5]]");
  const auto with = [&](const std::string& partition, const std::string& file, const std::string& output = "s.json") {
    return run({"schur-functor", partition, "--matrix", file, "-o", output}, folder.path());
  };
  require_refused(with("[1,2]", "a.json"), 2, "");
  require_refused(with("[2,1]", "missing.json"), 2, "missing.json");
  require_refused(with("[2,1]", "a.npy"), 2, "schur-functor reads .json files");
  require_refused(with("[2,1]", "a.json", "s.pdf"), 2, "schur-functor writes .txt, .json, ");
  require_refused(with("[2,1]", "ragged.json"), 2, "ragged.json");
  require_refused(with("[2,1]", "decimal.json"), 2, "decimal.json: entry (0, 0)");
  require_refused(with("[50000]", "a.json"), 3, "the limit is 10000");
  require_refused(with("[5000]", "a.json"), 3, "the limit is 2^24");
  require_refused(run({"schur-functor", "[2,1]"}, folder.path()), 2, "one of --matrix FILE and --at");
  REQUIRE(std::ranges::none_of(folder.names(), [](const std::string& name) { return name.starts_with("s."); }));
}
