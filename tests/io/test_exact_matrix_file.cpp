#include "intertwine/io/exact_matrix_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/table_file.hpp"
#include "support/random.hpp"
#include "tables.hpp"

using namespace intertwine;

namespace {

/// A file that is removed at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents) { write_file(path(), contents); }
  std::filesystem::path path() const { return folder_ / "matrix.json"; }

 private:
  test_tables::Folder folder_;
};

RationalMatrix read(const std::string& text) { return read_exact_matrix(TemporaryFile(text).path()); }

void require_refused(const std::string& text, const std::string& says) {
  CAPTURE(text);
  try {
    read(text);
    FAIL("it was read");
  } catch (const FileError& e) {
    const std::string what = e.what();
    CAPTURE(what);
    REQUIRE(what.find("matrix.json") != std::string::npos);
    REQUIRE(what.find(says) != std::string::npos);
    REQUIRE(what.find('\n') == std::string::npos);
  }
}

}  // namespace

TEST_CASE("exact matrices are read and written", "[io][quick]") {
  REQUIRE(read(R"([["1", "-1/2"], [0, -3]])") ==
          RationalMatrix(2, 2, std::vector<Rational>{1, Rational(-1, 2), 0, -3}));
  REQUIRE(read("[[18446744073709551615]]")(0, 0) == Rational(Integer("18446744073709551615")));
  REQUIRE(read("[]") == RationalMatrix(0, 0));
  REQUIRE(read("[[], []]") == RationalMatrix(2, 0));
  auto rng = test_rng();
  for (int trial = 0; trial < 20 * test_multiplier(); ++trial) {
    const std::size_t m = 1 + rng.below(5), n = rng.below(5);
    std::vector<Rational> entries;
    for (std::size_t k = 0; k < m * n; ++k)
      entries.emplace_back(Integer(rng()) * Integer(rng()) - Integer(rng()), Integer(1 + rng.below(9)));
    const RationalMatrix A(m, n, entries);
    REQUIRE(read(exact_matrix_json(A)) == A);
  }
  REQUIRE(exact_matrix_json(RationalMatrix(IntegerMatrix{{1, -2}, {0, 4}})) ==
          "[\n  [\"1\", \"-2\"],\n  [\"0\", \"4\"]\n]\n");
  REQUIRE(exact_matrix_json(RationalMatrix(0, 3)) == "[]\n");
}

TEST_CASE("matrices over number fields are read and written", "[io][quick]") {
  const auto read_field = [](const std::string& text) { return read_field_matrix(TemporaryFile(text).path()); };
  const Cyclotomic w = Cyclotomic::root_of_unity(3);
  const FieldMatrix A = read_field(R"x([["E(3)", "sqrt(-3)"], ["(1+1)/4", {"n": 3, "c": [["1/2", 1], ["-1", 2]]}]])x");
  REQUIRE(A == FieldMatrix(2, 2, std::vector<Cyclotomic>{w, w - w * w, Rational(1, 2), Rational(1, 2) * w - w * w}));
  REQUIRE(A.field() == AbelianField::cyclotomic(3));
  REQUIRE(read_field("[]").rows() == 0);
  REQUIRE(read_field(R"([["1+1", "-3/2", "1/2-2"]])") ==
          FieldMatrix(1, 3, std::vector<Cyclotomic>{2, Rational(-3, 2), Rational(-3, 2)}));
  auto rng = test_rng();
  for (const std::uint32_t n : {1U, 4U, 5U, 12U})
    for (int trial = 0; trial < 5 * test_multiplier(); ++trial) {
      const AbelianField K = AbelianField::cyclotomic(n);
      std::vector<Rational> entries;
      for (std::size_t k = 0; k < 6 * K.degree(); ++k)
        entries.emplace_back(static_cast<long>(rng.below(19)) - 9, static_cast<long>(1 + rng.below(4)));
      const FieldMatrix B(K, RationalMatrix(2, 3 * K.degree(), entries), 3);
      REQUIRE(read_field(exact_matrix_json(B)) == B);
      if (n == 1) REQUIRE(B == read(exact_matrix_json(B)));
    }
  REQUIRE_THROWS_WITH(read_field(R"x([[1, "E(3"]])x"), Catch::Contains("entry (0, 1) (0-based) is \"E(3\": "));
  REQUIRE_THROWS_WITH(read_field(R"([[{"n": 3, "c": [["x", 1]]}]])"),
                      Catch::Contains("entry (0, 0) (0-based) is no number"));
  REQUIRE_THROWS_WITH(read_field(R"([[0.5]])"), Catch::Contains("is a decimal number"));
  REQUIRE_THROWS_WITH(read_field(R"([["1/0"]])"), Catch::Contains("the denominator is zero"));
  REQUIRE_THROWS_AS(read_field(R"x([["E(9999999)"]])x"), LimitError);
  REQUIRE_THROWS_WITH(read_field(R"x([["E(9999999)"]])x"), Catch::Contains("entry (0, 0) (0-based): "));
  require_refused(R"x([["E(3)"]])x", "is \"E(3)\"");  // where only rational numbers are taken
}

TEST_CASE("files that are no exact matrix are refused", "[io][quick]") {
  require_refused("", "not valid JSON");
  require_refused("[[1, 2], [3]", "not valid JSON");
  require_refused("{\"weights\": [[1]]}", "no list of rows");
  require_refused("[1, 2]", "row 0 (0-based) is no list");
  require_refused("[[1, 2], [3]]", "row 1 (0-based) has 1 entries, the first row 2");
  require_refused("[[1, 0.5]]", "entry (0, 1) (0-based) is a decimal number");
  require_refused("[[1e400]]", "not valid JSON");
  require_refused("[[99999999999999999999]]", "large integer or a decimal number; write it exactly, as a string");
  require_refused("[[true]]", "entry (0, 0) (0-based) is no number");
  require_refused("[[[1]]]", "entry (0, 0) (0-based) is no number");
  require_refused("[[[[1]]]]", "nested deeper");
  require_refused("[[\"1/0\"]]", "the denominator is zero");
  require_refused("[[\"x\"]]", "is \"x\"");
  require_refused("[[\"\"]]", "expected a rational number");
  require_refused("[[NaN]]", "not valid JSON");
  REQUIRE_THROWS_AS(read_exact_matrix("/nonexistent/matrix.json"), FileError);
  REQUIRE_THROWS_AS(read_exact_matrix(TemporaryFile("[[1, 2, 3]]").path(), Task(10, 0, {})), LimitError);
}
