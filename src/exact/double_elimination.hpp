// Matrices modulo primes below 2^23 in double precision: products and elimination at the speed of double_product.hpp,
// an order of magnitude above that of words with two-word products.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "exact/row_reduction.hpp"
#include "intertwine/exact/modular_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Is p below 2^23 and a product or an elimination of this size so large that conversions do not matter?
bool pays_in_doubles(std::uint64_t p, std::size_t rows, std::size_t inner, std::size_t cols);

/// Does an elimination in A pay in doubles?
bool pays_in_doubles(const ModularMatrix& A);

/// A B modulo p < 2^23.
ModularMatrix product_in_doubles(const ModularMatrix& A, const ModularMatrix& B);

/// rank_profile modulo p < 2^23. Recursive on halves of the columns, so that almost all work is products and wide matrices
/// are walked through few times. [Ibarra, Moran & Hui 1982; Jeannerod, Pernet & Storjohann 2013]
RankProfile rank_profile_in_doubles(const ModularMatrix& A, std::optional<ModularMatrix>* X, const Task& task);

}  // namespace intertwine
