// intertwine symmetrize: what it writes, and what wrong weights get.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "intertwine/io/exact_matrix_file.hpp"
#include "intertwine/io/npy.hpp"

using namespace test_apps;
using intertwine::NpyArray;
using Json = nlohmann::json;

namespace {

std::vector<double> counting(std::size_t size) {
  std::vector<double> values;
  for (std::size_t k = 0; k < size; ++k) values.push_back(static_cast<double>(k));
  return values;
}

void require_refused(const Run& r, int status, const std::string& says) {
  CAPTURE(r.out, r.err);
  REQUIRE(r.status == status);
  REQUIRE(r.out.empty());
  REQUIRE(r.err.starts_with("intertwine: error: "));
  REQUIRE(r.err.find(says) != std::string::npos);
  REQUIRE(std::count(r.err.begin(), r.err.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("exact weights are symmetrized exactly", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "w.json", R"([["1", 2, "1/3"], [0, 0, 0], [0, 0, "5/7"]])");
  const Run r = run({"symmetrize", "S3", "--weights", "w.json", "--json", "-o", "s.json"}, folder.path());
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
  const Json json = Json::parse(r.out);
  REQUIRE(json["command"] == "symmetrize");
  REQUIRE(json["rows"] == 3);
  REQUIRE(json["cols"] == 3);
  REQUIRE(json["exact"] == true);
  REQUIRE(json["files"] == Json({"s.json"}));
  // The mean of the diagonal, (1 + 5/7) / 3, and off it, (2 + 1/3) / 6.
  const std::string diagonal = "4/7", other = "7/18";
  Json rows = Json::parse(contents(folder.path() / "s.json"));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) REQUIRE(rows[i][j] == (i == j ? diagonal : other));
  const double all = 1 + 4 + 1.0 / 9 + 25.0 / 49;  // |W|^2; S is an orthogonal projection
  const double left = 1 - (3 * 16.0 / 49 + 6 * 49.0 / 324) / all;
  REQUIRE(std::abs(json["residual"].get<double>() - std::sqrt(left)) < 1e-14);
  // The answer is a fixed point.
  const Run again = run({"symmetrize", "S3", "--weights", "s.json", "--json"}, folder.path());
  REQUIRE(Json::parse(again.out)["residual"] == 0);
  REQUIRE(Json::parse(again.out)["squared_residual"] == "0");
  REQUIRE(Json::parse(again.out)["matrix"] == rows);
}

TEST_CASE("weights over number fields are symmetrized exactly", "[apps][quick]") {
  const Folder folder;
  const auto symmetrized = [&](const std::string& weights, std::vector<std::string> more) {
    write(folder.path() / "w.json", weights);
    std::vector<std::string> words = {"symmetrize", "--weights", "w.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words, folder.path());
  };
  // Between equal irreducible representations: the trace over the degree.
  const std::vector<std::string> golden = {"A5", "--in", "irrep(2)", "--out", "irrep(2)"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::string weights = R"x([["sqrt(5)", "E(5)", 1], ["1/2", {"n": 3, "c": [["1", 1]]}, 0], [0, 0, "-E(3)"]])x";
  const Run r = symmetrized(weights, with(golden, {"--json"}));
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
  const Json json = Json::parse(r.out);
  REQUIRE(json["exact"] == true);
  REQUIRE(json["field"] == "Q(E(15))");
  const Json third = Json::parse(R"({"n": 5, "c": [["1/3", 1], ["-1/3", 2], ["-1/3", 3], ["1/3", 4]]})");
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) REQUIRE(json["matrix"][i][j] == (i == j ? third : Json("0")));
  // |W|^2 = 5 + 1 + 1 + 1/4 + 1 + 1, of which 5/3 stay.
  REQUIRE(json["squared_residual"] == "91/111");
  const Run text =
      symmetrized(R"x([["sqrt(5)", 0, 0], [0, 0, 0], [0, 0, 0]])x", with(golden, {"-o", "s.json", "-o", "s.npy"}));
  REQUIRE(text.out.find("irrep(2) -> irrep(2), 3 x 3, exact, over Q(sqrt(5))") != std::string::npos);
  const intertwine::NpyArray rounded = intertwine::read_npy(folder.path() / "s.npy");
  REQUIRE(std::get<std::vector<double>>(rounded.values)[4] == std::sqrt(5.0) / 3);
  const Run again = symmetrized(contents(folder.path() / "s.json"), with(golden, {"--json"}));
  REQUIRE(Json::parse(again.out)["squared_residual"] == "0");
  REQUIRE(Json::parse(again.out)["matrix"] == json["matrix"]);
  // Over C3 sums with cube roots of unity; they have no place in .npy, and nothing is written then.
  const std::vector<std::string> complex = {"C3", "--in", "perm", "--out", "irrep(2)"};
  REQUIRE(symmetrized("[[3, 0, 0]]", with(complex, {})).out.find(" E(3)^2") != std::string::npos);
  require_refused(symmetrized("[[3, 0, 0]]", with(complex, {"-o", "t.json", "-o", "t.npy"})), 2,
                  "t.npy holds real numbers, and S(W) has others, over Q(E(3)): write .json");
  REQUIRE(symmetrized("[[3, 3, 3]]", with(complex, {"-o", "zero.npy"})).status == 0);
  intertwine::write_npy(folder.path() / "w.npy", {{1, 3}, counting(3)});
  const std::vector<std::string> of_npy = {"symmetrize", "C3",       "--in",      "perm",
                                           "--out",      "irrep(2)", "--weights", "w.npy"};
  require_refused(run(of_npy, folder.path()), 2, "are over Q(E(3)): symmetrize exact numbers");
  REQUIRE(run(with(of_npy, {"--exact"}), folder.path()).status == 0);
  require_refused(symmetrized(R"x([["E(0)", 0, 0]])x", with(complex, {})), 2,
                  "w.json: entry (0, 0) (0-based) is \"E(0)\": ");
  require_refused(symmetrized(R"([[0, {"n": 3}, 0]])", with(complex, {})), 2,
                  "w.json: entry (0, 1) (0-based) is no number");
  REQUIRE(std::ranges::none_of(folder.names(), [](const std::string& name) { return name.starts_with("t."); }));
}

TEST_CASE("floating-point weights keep their type", "[apps][quick]") {
  const Folder folder;
  const std::vector<double> values = counting(48 * 48);
  intertwine::write_npy(folder.path() / "d.npy", {{48, 48}, values});
  intertwine::write_npy(folder.path() / "f.npy", {{48, 48}, std::vector<float>(values.begin(), values.end())});
  for (const std::string name : {"d", "f"}) {
    const Run r = run({"symmetrize", "Rubik(3)", "--weights", name + ".npy", "-o", name + "s.npy"}, folder.path());
    CAPTURE(r.out, r.err);
    REQUIRE(r.status == 0);
    REQUIRE(r.out.find("order 43252003274489856000") != std::string::npos);
  }
  const NpyArray d = intertwine::read_npy(folder.path() / "ds.npy"), f = intertwine::read_npy(folder.path() / "fs.npy");
  REQUIRE(d.dtype() == "float64");
  REQUIRE(f.dtype() == "float32");
  const auto& of_d = std::get<std::vector<double>>(d.values);
  const auto& of_f = std::get<std::vector<float>>(f.values);
  for (std::size_t k = 0; k < of_d.size(); ++k) REQUIRE(of_f[k] == static_cast<float>(of_d[k]));
  // Exact arithmetic and doubles agree.
  const Run r =
      run({"symmetrize", "Rubik(3)", "--weights", "d.npy", "--exact", "-o", "e.npy", "-o", "e.json"}, folder.path());
  REQUIRE(r.status == 0);
  REQUIRE(r.out.find("commutes exactly with 6 generators") != std::string::npos);
  const NpyArray e = intertwine::read_npy(folder.path() / "e.npy");
  const intertwine::RationalMatrix exact = intertwine::read_exact_matrix(folder.path() / "e.json");
  for (std::size_t k = 0; k < of_d.size(); ++k) {
    REQUIRE(std::get<std::vector<double>>(e.values)[k] == static_cast<double>(exact(k / 48, k % 48)));
    REQUIRE(std::abs(of_d[k] - std::get<std::vector<double>>(e.values)[k]) < 1e-10);
  }
}

TEST_CASE("a small symmetrized matrix is shown", "[apps][quick]") {
  const Folder folder;
  write(folder.path() / "w.json", R"([["1", "-2", "0", "0"]])");
  const Run r = run({"symmetrize", "S4", "--out", "trivial", "--weights", "w.json"}, folder.path());
  CAPTURE(r.err);
  REQUIRE(r.status == 0);
  REQUIRE(r.out.find("  -1/4 -1/4 -1/4 -1/4\n") != std::string::npos);
  REQUIRE(r.out.find("the square root of 19/20") != std::string::npos);
  const Run nothing = run({"symmetrize", "S4", "--out", "0*perm", "--weights", "none.json"}, folder.path());
  require_refused(nothing, 2, "none.json");
  write(folder.path() / "none.json", "[]");
  REQUIRE(run({"symmetrize", "S4", "--out", "0*perm", "--weights", "none.json"}, folder.path()).status == 0);
}

TEST_CASE("weights that do not fit are refused", "[apps][quick]") {
  const Folder folder;
  const auto npy = [&](const std::string& name, const NpyArray& array) {
    intertwine::write_npy(folder.path() / name, array);
    return run({"symmetrize", "S3", "--weights", name, "-o", "out.npy"}, folder.path());
  };
  require_refused(npy("w.npy", {{3, 4}, counting(12)}), 2,
                  "w.npy: the weights have the shape [3, 4]; maps between the representations have [3, 3]");
  require_refused(npy("w.npy", {{9}, counting(9)}), 2, "the shape [9]");
  std::vector<double> bad = counting(9);
  bad[5] = std::numeric_limits<double>::quiet_NaN();
  require_refused(npy("w.npy", {{3, 3}, bad}), 2, "w.npy: entry (1, 2) (0-based) is nan");
  bad[5] = -std::numeric_limits<double>::infinity();
  require_refused(npy("w.npy", {{3, 3}, bad}), 2, "entry (1, 2) (0-based) is -inf");

  intertwine::write_npy(folder.path() / "w.npy", {{3, 3}, counting(9)});
  const std::string whole = contents(folder.path() / "w.npy");
  const auto raw = [&](const std::string& bytes) {
    write(folder.path() / "w.npy", bytes);
    return run({"symmetrize", "S3", "--weights", "w.npy"}, folder.path());
  };
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, std::size_t{40}, whole.size() - 1})
    require_refused(raw(whole.substr(0, length)), 2, "w.npy: it ");
  std::string half = whole;
  half.replace(half.find("<f8"), 3, "<f2");
  require_refused(raw(half), 2, "entries of type '<f2'; save it as float32, float64");
  // Fortran order is read: the transpose.
  std::string fortran = whole;
  fortran.replace(fortran.find("False"), 5, "True ");
  REQUIRE(raw(fortran).status == 0);

  const auto json = [&](const std::string& text) {
    write(folder.path() / "w.json", text);
    return run({"symmetrize", "S3", "--weights", "w.json"}, folder.path());
  };
  require_refused(json("[[1, 2], [3, 4]]"), 2, "the shape [2, 2]");
  require_refused(json("[[1, 2, 0.5], [0, 0, 0], [0, 0, 0]]"), 2, "w.json: entry (0, 2) (0-based) is a decimal number");
  require_refused(json("[[1, 2"), 2, "w.json: not valid JSON");

  require_refused(run({"symmetrize", "S3", "--weights", "w.txt"}, folder.path()), 2, "not w.txt");
  require_refused(run({"symmetrize", "S3", "--weights", "missing.npy"}, folder.path()), 2, "missing.npy");
  intertwine::write_npy(folder.path() / "w.npy", {{3, 3}, counting(9)});
  require_refused(run({"symmetrize", "S3", "--weights", "w.npy", "-o", "s.json"}, folder.path()), 2,
                  "would hold exact numbers");
  require_refused(run({"symmetrize", "S3", "--weights", "w.npy", "-o", "s.csv"}, folder.path()), 2, "not s.csv");
  require_refused(run({"symmetrize", "S3", "--weights", "w.npy", "-o", "no/folder/s.npy"}, folder.path()), 2,
                  "no/folder");
  REQUIRE(std::ranges::none_of(
      folder.names(), [](const std::string& name) { return name.starts_with("out") || name.starts_with("s."); }));
}
