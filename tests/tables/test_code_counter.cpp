#include "intertwine/tables/code_counter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <span>
#include <vector>

#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("codes of a byte are counted in runs and one by one", "[tables][quick]") {
  auto rng = test_rng();
  constexpr std::uint64_t params = 20;
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    // Runs of random lengths, some longer than the chunks that are counted at once.
    CodeCounter counter(params, 1 << 20, 1);
    std::map<std::uint64_t, std::int64_t> expected;
    for (int row = 0; row < 3; ++row) {
      std::vector<std::byte> codes;
      while (codes.size() < 100 + 40 * rng.below(8)) {
        const std::uint64_t code = rng.below(2 * params + 1), length = 1 + rng.below(rng.below(2) == 0 ? 3 : 90);
        codes.insert(codes.end(), length, static_cast<std::byte>(code));
        if (code != 0) expected[(code - 1) % params] += static_cast<std::int64_t>(length);
      }
      REQUIRE_FALSE(counter.add(codes));
    }
    for (std::uint64_t k = 0; k < params; ++k) REQUIRE(counter.total(k) == expected[k]);
  }
  CodeCounter counter(params, 64, 1);
  REQUIRE(counter.add(std::vector<std::byte>(64, std::byte{2 * params + 1})) == 2 * params + 1);
}

TEST_CASE("codes of two and of four bytes are counted alike", "[tables][quick]") {
  auto rng = test_rng();
  for (const std::uint64_t params : {128, 1000, 32767}) {
    std::vector<std::uint16_t> narrow(5001);
    for (std::uint16_t& code : narrow) code = static_cast<std::uint16_t>(rng.below(2 * params + 1));
    const std::vector<std::int32_t> wide(narrow.begin(), narrow.end());
    CodeCounter two(params, 5001, 2), four(params, std::uint64_t{1} << 33, 4);
    REQUIRE_FALSE(two.add(std::as_bytes(std::span(narrow))));
    REQUIRE_FALSE(four.add(std::as_bytes(std::span(wide))));
    std::int64_t all = 0;
    for (std::uint64_t k = 0; k < params; ++k) {
      REQUIRE(two.total(k) == four.total(k));
      all += two.total(k);
    }
    REQUIRE(all == std::count_if(narrow.begin(), narrow.end(), [](auto code) { return code != 0; }));
    if (params == 32767) continue;
    narrow[17] = static_cast<std::uint16_t>(2 * params + 1);
    REQUIRE(two.add(std::as_bytes(std::span(narrow))) == 2 * params + 1);
  }
}
