// Products of Schur functions with their question: quantum products, and products of modules of SL(n).
#pragma once
#include <vector>

#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// quantum_product() of two partitions.
struct QuantumProduct {
  Partition lambda, mu;
  std::vector<QuantumTerm> terms;
};

/// The product of two irreducible modules of SL(n), as modules of SL(n).
struct SpecialLinearProduct {
  /// An irreducible module: at most n - 1 rows.
  struct Term {
    Partition partition;
    Integer degree, multiplicity;
  };
  Partition lambda, mu;
  int n;
  std::vector<Term> terms;
};
/// Full columns, which are determinants, are dropped. \throws DomainError if a factor has more than n rows; LimitError
/// through `task`.
/// \par Example  [2,1] and [1] for n = 3: [3,1] of degree 15, [2,2] of degree 6, [1] of degree 3.
SpecialLinearProduct special_linear_product(const Partition& lambda, const Partition& mu, int n, const Task& task = {});

}  // namespace intertwine
