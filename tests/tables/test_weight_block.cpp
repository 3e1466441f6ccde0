#include "intertwine/tables/weight_block.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "intertwine/error.hpp"
#include "intertwine/tables/data_section.hpp"
#include "intertwine/tables/sha256.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

std::string refusal(const WeightBlock& table) {
  try {
    require_consistent(table);
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

template <class Item>
void add(Sha256& sha256, const std::vector<Item>& items) {
  sha256.add(std::as_bytes(std::span(items)));
}

/// Rows that answer one by one only.
class Slow final : public CodeRows {
 public:
  Slow(std::uint64_t cols, std::vector<std::int32_t> codes) : cols_(cols), codes_(std::move(codes)) {}
  std::uint64_t rows() const override { return codes_.size() / cols_; }
  std::uint64_t cols() const override { return cols_; }
  void row(std::uint64_t i, std::span<std::int32_t> out) const override {
    std::copy_n(codes_.begin() + static_cast<std::ptrdiff_t>(i * cols_), cols_, out.begin());
  }

 private:
  std::uint64_t cols_;
  std::vector<std::int32_t> codes_;
};

}  // namespace

TEST_CASE("rows of codes are the same from memory, one by one and all together", "[tables][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {0, 3, 127, 128, 300}) {
    const std::uint64_t rows = 20, cols = 17;
    const Codes codes = random_codes(rows * cols, params, rng);
    const auto memory = code_rows(rows, cols, codes);
    std::vector<std::int32_t> wide;
    for (std::uint64_t k = 0; k < rows * cols; ++k) wide.push_back(code_at(codes, k));
    const Slow slow(cols, wide);
    REQUIRE(memory->in_memory() != nullptr);
    REQUIRE(slow.in_memory() == nullptr);
    for (const CodeRows* each : {memory.get(), static_cast<const CodeRows*>(&slow)})
      REQUIRE(all_codes(*each, params) == codes);
    std::vector<std::int32_t> row(cols);
    memory->row(rows - 1, row);
    REQUIRE(std::equal(row.begin(), row.end(), wide.end() - cols));
    REQUIRE_THROWS_AS(memory->row(rows, row), DomainError);
    REQUIRE_THROWS_AS(memory->row(0, std::span(row).first(cols - 1)), DomainError);
    // In the other width as well.
    const unsigned other = code_bytes(params) == 1 ? 4 : 1;
    std::uint64_t times = 0;
    const auto count = [&](std::uint64_t, std::span<const std::byte> bytes) {
      REQUIRE(bytes.size() == cols * other);
      ++times;
    };
    if (params == 300) REQUIRE_THROWS_AS(memory->for_each_row(other, count), DomainError);  // codes above 255
    if (other == 4) memory->for_each_row(other, count);
    REQUIRE((other == 1 || times == rows));
    for (const CodeRows* each : {memory.get(), static_cast<const CodeRows*>(&slow)}) {
      const auto two = read_codes<std::uint16_t>(*each);
      REQUIRE(std::equal(two.begin(), two.end(), wide.begin(), wide.end()));
    }
    // Orbit sizes.
    const TiedEntries entries = tied_entries(memory, params);
    std::vector<std::int64_t> sizes(params);
    for (const std::int32_t code : wide)
      if (code != 0) ++sizes[(static_cast<std::uint64_t>(code) - 1) % params];
    REQUIRE(entries.orbit_size == sizes);
    if (params > 0) REQUIRE_THROWS_AS(tied_entries(memory, params / 2), DomainError);
  }
  REQUIRE_THROWS_AS(code_rows(3, 4, std::vector<std::uint8_t>(11)), DomainError);
  REQUIRE_THROWS_AS(code_rows(std::uint64_t{1} << 40, std::uint64_t{1} << 40, Codes{}), DomainError);
  REQUIRE_THROWS_AS(all_codes(Slow(10, std::vector<std::int32_t>(100)), 1, Task(99, 0, {})), LimitError);
  REQUIRE_THROWS_WITH(read_codes<std::uint16_t>(Slow(1, {65535, 65536})),
                      "row 1 has the code 65536, which does not fit two bytes");
  // Negative codes and codes that do not fit.
  for (const std::int32_t bad : {-1, 256, 3})
    REQUIRE_THROWS_AS(tied_entries(std::make_shared<Slow>(2, std::vector<std::int32_t>{0, bad}), 1), DomainError);
}

TEST_CASE("entries of one kind are not taken for the other", "[tables][quick]") {
  const WeightBlock tied_table = diagonal_table(3), sparse_table = small_sparse_table();
  REQUIRE(tied_table.is_tied());
  REQUIRE_FALSE(sparse_table.is_tied());
  REQUIRE_THROWS_WITH(tied_table.weights.sparse(), Catch::Contains("tied entries, not sparse elements"));
  REQUIRE_THROWS_WITH(sparse_table.weights.tied(), Catch::Contains("sparse elements, not tied entries"));
  REQUIRE(tied_table.weights.squared_norms() == std::vector<double>{3, 6});
  REQUIRE(sparse_table.weights.squared_norms() == std::vector<double>{13, 26});
  REQUIRE(sparse_table.bias.squared_norms() == std::vector<double>{2});
}

TEST_CASE("integers of any size stand beside the doubles", "[tables][quick]") {
  SparseElements elements;
  const std::vector<std::string> small = {"1", "-3", "9007199254740992"};
  set_integers(elements, small);
  REQUIRE(elements.value == std::vector<double>{1, -3, 9007199254740992.0});
  REQUIRE(elements.exact.coordinates.empty());
  REQUIRE_FALSE(elements.first_beyond_double());
  for (std::size_t e = 0; e < small.size(); ++e) REQUIRE(elements.integer(e) == small[e]);

  const std::vector<std::string> large = {"7", "9007199254740993", "-123456789012345678901234567890",
                                          std::string(400, '7'), "-" + std::string(400, '7')};
  set_integers(elements, large);
  REQUIRE(elements.first_beyond_double() == 1);
  REQUIRE(elements.exact.coordinates == std::vector<std::int64_t>{7, 9007199254740993, 0, 0, 0});
  for (std::size_t e = 0; e < large.size(); ++e) REQUIRE(elements.integer(e) == large[e]);
  REQUIRE(elements.value[1] == 9007199254740992.0);  // the nearest, to even
  REQUIRE(elements.value[2] == -123456789012345678901234567890.0);
  REQUIRE(elements.value[3] == HUGE_VAL);
  REQUIRE(elements.value[4] == -HUGE_VAL);
  elements.exact.degree = 2;
  REQUIRE_THROWS_AS(elements.integer(0), DomainError);
}

TEST_CASE("tables that do not fit themselves are refused", "[tables][quick]") {
  REQUIRE(refusal(diagonal_table(3)) == "accepted");
  REQUIRE(refusal(small_sparse_table()) == "accepted");
  const auto broken = [](WeightBlock table, auto change) {
    change(table);
    return refusal(table);
  };
  REQUIRE_THAT(broken(diagonal_table(3),
                      [](auto& t) {
                        tied(t.weights).orbit_size = {4, 5};
                      }),
               Catch::Contains("weight parameter 0 occurs 3 times"));
  REQUIRE_THAT(broken(diagonal_table(3), [](auto& t) { t.weights.params = 1; }),
               Catch::Contains("1 parameters and 2 orbit sizes"));
  // Over a field: coordinates for every value, none too large, no column zero.
  const auto over_field = [&](std::vector<std::int64_t> coordinates, auto change) {
    WeightBlock table = small_sparse_table();
    const ExactValues exact{"Q(sqrt(5))", "-E(5)^2-E(5)^3", 2, {}, {}};
    sparse(table.weights).exact = sparse(table.bias).exact = exact;
    sparse(table.weights).exact.coordinates = std::move(coordinates);
    sparse(table.bias).exact.coordinates = {1, -1, 0, 0};
    change(table);
    return refusal(table);
  };
  const auto nothing = [](auto&) {};
  REQUIRE(over_field({2, -3, 1, 5, 0, 0, 0, 0}, nothing) == "accepted");
  REQUIRE_THAT(over_field({2, -3, 1, 5}, nothing), Catch::Contains("4 coordinates"));
  REQUIRE_THAT(over_field({2, -3, 0, 5, 0, 0, 0, 0}, nothing), Catch::Contains("value 0"));
  REQUIRE_THAT(over_field({2, -3, (std::int64_t{1} << 62) + 1, 5, 0, 0, 0, 0}, nothing), Catch::Contains("above 2^62"));
  REQUIRE_THAT(over_field({2, -3, 1, 5, 0, 0, 0, 0}, [](auto& t) { sparse(t.weights).value[0] = std::nan(""); }),
               Catch::Contains("nan"));
  REQUIRE_THAT(over_field({2, -3, 1, 5, 0, 0, 0, 0}, [](auto& t) { sparse(t.bias).exact = {}; }),
               Catch::Contains("one field is needed"));
  // Decimal integers as this library writes them.
  for (const char* text : {"", "-", "007", "+7", "1e3", "7.0"})
    REQUIRE_THAT(broken(small_sparse_table(),
                        [&](auto& t) {
                          sparse(t.weights).exact.coordinates = {0, -3, 1, 5};
                          sparse(t.weights).exact.large = {{0, text}};
                        }),
                 Catch::Contains("no decimal integer"));
}

TEST_CASE("the digest runs over the arrays in their order", "[tables][quick]") {
  WeightBlock table = small_sparse_table();
  const SparseElements &weights = table.weights.sparse(), &bias = table.bias.sparse();
  Sha256 sha256;
  add(sha256, bias.start);
  add(sha256, weights.start);
  add(sha256, bias.value);
  add(sha256, weights.value);
  add(sha256, bias.row);
  add(sha256, weights.col);
  add(sha256, weights.row);
  REQUIRE(digest(table) == sha256.hex());
  // Sizes and channels are metadata.
  const std::string before = digest(table);
  table.channels = {7, 8};
  REQUIRE(digest(table) == before);
  sparse(table.weights).value[0] = 4;
  REQUIRE(digest(table) != before);

  auto rng = test_rng();
  WeightBlock codes = random_table(9, 8, 5, 2, rng);
  Sha256 tied_sha256;
  add(tied_sha256, codes.weights.tied().orbit_size);
  add(tied_sha256, std::get<0>(codes_of(codes.bias)));
  add(tied_sha256, std::get<0>(codes_of(codes.weights)));
  REQUIRE(digest(codes) == tied_sha256.hex());
  // Codes that are not in memory give the same, in both widths.
  for (const std::uint64_t params : {5, 200}) {
    WeightBlock other = random_table(30, 8, params, 2, rng);
    const std::string expected = digest(other);
    for (WeightPattern* pattern : {&other.weights, &other.bias}) {
      std::vector<std::int32_t> wide;
      const Codes all = codes_of(*pattern);
      for (std::uint64_t k = 0; k < pattern->rows * pattern->cols; ++k) wide.push_back(code_at(all, k));
      tied(*pattern).codes = std::make_shared<Slow>(pattern->cols, wide);
    }
    REQUIRE(digest(other) == expected);
  }
}
