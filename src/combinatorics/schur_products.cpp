// Products of modules of SL(n).
#include "intertwine/combinatorics/schur_products.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "intertwine/error.hpp"

namespace intertwine {

SpecialLinearProduct special_linear_product(const Partition& lambda, const Partition& mu, int n, const Task& task) {
  const Partition& longer = lambda.length() > mu.length() ? lambda : mu;
  if (longer.length() > n)
    throw DomainError(
        fmt::format("{} has {} rows, and modules of SL({}) have at most {}", to_string(longer), longer.length(), n, n));
  SpecialLinearProduct product{lambda, mu, n, {}};
  for (const SchurTerm& term : schur_product(lambda, mu, {n}, task)) {
    std::vector<int> rows;
    const int full = term.partition[n - 1];
    for (int i = 0; i < std::min(term.partition.length(), n - 1); ++i) rows.push_back(term.partition[i] - full);
    const Partition reduced(rows);
    product.terms.push_back({reduced, dimension(SchurSum(reduced), n), term.coefficient});
  }
  return product;
}

}  // namespace intertwine
