#include "intertwine/tables/code_counter.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/random.hpp"

using namespace intertwine;

TEST_CASE("codes of a byte are counted in runs and one by one", "[tables][quick]") {
  auto rng = test_rng();
  constexpr std::uint64_t params = 20;
  for (int trial = 0; trial < 50 * test_multiplier(); ++trial) {
    // Runs of random lengths, some longer than the chunks that are counted at once.
    CodeCounter counter(params, 1 << 20);
    std::map<std::uint64_t, std::int64_t> expected;
    for (int row = 0; row < 3; ++row) {
      std::vector<std::byte> codes;
      while (codes.size() < 100 + 40 * rng.below(8)) {
        const std::uint64_t code = rng.below(2 * params + 1),
                            length = 1 + rng.below(rng.below(2) == 0 ? 3 : 90);
        codes.insert(codes.end(), length, static_cast<std::byte>(code));
        if (code != 0) expected[(code - 1) % params] += static_cast<std::int64_t>(length);
      }
      REQUIRE_FALSE(counter.add(codes));
    }
    for (std::uint64_t k = 0; k < params; ++k) REQUIRE(counter.total(k) == expected[k]);
  }
  CodeCounter counter(params, 64);
  REQUIRE(counter.add(std::vector<std::byte>(64, std::byte{2 * params + 1})) == 2 * params + 1);
}
