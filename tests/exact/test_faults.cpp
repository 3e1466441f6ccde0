#include "intertwine/exact/faults.hpp"

#include <dlfcn.h>
#include <gmp.h>

#include <catch2/catch.hpp>
#include <limits>
#include <new>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define INTERTWINE_WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INTERTWINE_WITH_ASAN 1
#endif
#endif

using namespace intertwine;

TEST_CASE("a fault below is an exception, and the process lives on", "[exact][quick]") {
  throw_faults_of_libraries();
  // What GMP calls when memory runs out; a request that it cannot count ends the process before it comes here.
  void* (*allocate)(std::size_t) = nullptr;
  void* (*reallocate)(void*, std::size_t, std::size_t) = nullptr;
  mp_get_memory_functions(&allocate, &reallocate, nullptr);
  [[maybe_unused]] constexpr std::size_t too_much = std::numeric_limits<std::size_t>::max() / 4;
#ifndef INTERTWINE_WITH_ASAN  // which has its own opinion of large requests
  for (int k = 0; k < 3; ++k) REQUIRE_THROWS_AS(allocate(too_much), std::bad_alloc);
  for (int k = 0; k < 3; ++k) REQUIRE_THROWS_AS(reallocate(nullptr, 0, too_much), std::bad_alloc);
#endif
  // What FLINT calls when it refuses; none of our functions leads there.
  if (const auto refuse = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "flint_abort")))
    for (int k = 0; k < 3; ++k) REQUIRE_THROWS_AS(refuse(), InternalError);
  REQUIRE(factorial(20) == Integer("2432902008176640000"));
}
