// Characters of the symmetric groups by the Murnaghan-Nakayama rule, and Kronecker products.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/combinatorics/symmetric_function.hpp"

namespace intertwine {

/// chi^lambda at a permutation of this cycle type; chi^[n] is trivial. By the Murnaghan-Nakayama rule,
/// largest cycles first, with equal remainders merged; what is left on fixed points alone is a dimension.
/// \throws DomainError if the weights differ.
/// \par Source  [James & Kerber 1981, 2.4.7]
Integer symmetric_group_character(const Partition& lambda, const Partition& cycle_type, const Task& task = {});

/// The character table of S_n: rows and columns in the order of partitions(n), so that row 0 is trivial and
/// the last column is the identity.
struct SymmetricGroupTable {
  std::vector<Partition> partitions;
  std::vector<std::int64_t> values;  ///< values[row * size + column], size = partitions.size()
  std::int64_t operator()(std::size_t row, std::size_t column) const {
    return values[row * partitions.size() + column];
  }
};
/// \throws DomainError if n < 0; LimitError if a degree leaves 64 bits (from about n = 40 on) or for memory.
/// \par Cost  p(n) columns, each from a column of smaller degree by one pass over the ribbons of one size.
SymmetricGroupTable symmetric_group_character_table(int n, const Task& task = {});

/// chi^lambda chi^mu = sum g_{lambda mu nu} chi^nu, as sum g s_nu; |lambda| = |mu| = n.
///
/// \par Method   For moderate n by characters: values modulo word-size primes, with product bounds
///               g <= min(chi^lambda(1), chi^mu(1)) that make the answer exact. For larger n by the
///               Jacobi-Trudi determinant of the factor with fewer rows, restricted to Young subgroups with
///               Littlewood-Richardson.
/// \throws DomainError if the weights differ; LimitError for memory.
/// \par Example  kronecker_product({2,1}, {2,1}) = s[3] + s[2,1] + s[1,1,1]
SchurSum kronecker_product(const Partition& lambda, const Partition& mu, const Task& task = {});
SchurSum kronecker_product_by_characters(const Partition& lambda, const Partition& mu, const Task& task = {});
SchurSum kronecker_product_by_determinant(const Partition& lambda, const Partition& mu, const Task& task = {});

/// g_{lambda mu nu}, symmetric in its arguments; 0 if the weights differ.
///
/// \par Method   for n <= 24 characters; otherwise the determinant of the factor with fewest rows (or columns), cut in
///               two halves that meet in the middle.
Integer kronecker_coefficient(const Partition& lambda, const Partition& mu, const Partition& nu, const Task& task = {});
Integer kronecker_coefficient_by_characters(const Partition& lambda, const Partition& mu, const Partition& nu,
                                            const Task& task = {});
Integer kronecker_coefficient_by_determinant(const Partition& lambda, const Partition& mu, const Partition& nu,
                                             const Task& task = {});

}  // namespace intertwine
