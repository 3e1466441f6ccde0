#include "intertwine/exact/faults.hpp"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <limits>
#include <new>

#include "intertwine/error.hpp"
#include "intertwine/exact/integer.hpp"

using namespace intertwine;

// GMP itself ends the process at sizes that it cannot count; below them the system says no.
TEST_CASE("a fault below is an exception, and the process lives on", "[exact][quick]") {
  throw_faults_of_libraries();
  const auto too_much = [] {
    Integer a;
    mpz_realloc2(a.backend().data(), std::numeric_limits<unsigned long>::max() / 32);
  };
  for (int k = 0; k < 3; ++k) REQUIRE_THROWS_AS(too_much(), std::bad_alloc);
  // What FLINT calls when it refuses; none of our functions leads there.
  if (const auto refuse = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "flint_abort")))
    for (int k = 0; k < 3; ++k) REQUIRE_THROWS_AS(refuse(), InternalError);
  REQUIRE(factorial(20) == Integer("2432902008176640000"));
}
