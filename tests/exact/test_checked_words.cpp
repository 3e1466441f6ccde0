#include "intertwine/exact/checked_words.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace intertwine;

TEST_CASE("words notice an overflow, and Integers have none", "[exact][quick]") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = most - 1;
  checked::add_to(sum, 1);
  CHECK(sum == most);
  CHECK_THROWS_AS(checked::add_to(sum, 1), checked::Overflow);
  CHECK(checked::times(std::int64_t{1} << 31, -(std::int64_t{1} << 32)) == std::numeric_limits<std::int64_t>::min());
  CHECK_THROWS_AS(checked::times(std::int64_t{1} << 32, std::int64_t{1} << 31), checked::Overflow);
  Integer large = most;
  checked::add_to(large, Integer(1));
  CHECK(large == Integer(most) + 1);
  CHECK(checked::times(large, large) == large * large);
}
