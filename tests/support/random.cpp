#include "support/random.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>

intertwine::Rng test_rng() {
  const char* given = std::getenv("INTERTWINE_TEST_SEED");
  static const std::uint64_t seed =
      given ? std::strtoull(given, nullptr, 10)
            : static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) % 1000000007U;
  static const bool reported = [] {
    std::cerr << "INTERTWINE_TEST_SEED=" << seed << '\n';
    return true;
  }();
  static_cast<void>(reported);
  return intertwine::Rng(seed);
}

int test_multiplier() {
  const char* given = std::getenv("INTERTWINE_TEST_MULTIPLIER");
  const int value = given ? std::atoi(given) : 1;
  return value > 0 ? value : 1;
}
