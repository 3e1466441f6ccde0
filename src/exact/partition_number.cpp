// The number of partitions of n.
#include "intertwine/exact/number_theory.hpp"

#include <flint/arith.h>
#include <flint/fmpz.h>

namespace intertwine {

Integer partition_number(unsigned long n) {
  fmpz_t p;
  fmpz_init(p);
  arith_number_of_partitions(p, n);
  Integer result;
  fmpz_get_mpz(result.backend().data(), p);
  fmpz_clear(p);
  return result;
}

}  // namespace intertwine
