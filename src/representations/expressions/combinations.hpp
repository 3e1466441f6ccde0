// The images of k-subsets, k-vectors of an exterior power and monomials of degree k under a signed
// permutation, and their lexicographic ranks. [Knuth, The Art of Computer Programming 4A, 7.2.1.3, the
// combinatorial number system]
#pragma once
#include <span>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"

namespace intertwine {

enum class Combination {
  subset,       ///< increasing lists; signs are ignored
  alternating,  ///< increasing lists; signs of the entries and of the sorting permutation
  symmetric     ///< weakly increasing lists; signs of the entries
};

/// out[r] = image of the list of rank r under e_i -> image[i]. out.size() is the number of lists, at least 1.
/// Cost: O(k) small steps a list, no arithmetic on large numbers.
void write_combination_images(std::span<const SignedPoint> image, std::uint64_t k, Combination kind,
                              std::span<SignedPoint> out);

/// Determinant of the signed permutation matrix, +1 or -1.
int determinant(std::span<const SignedPoint> image);

/// The list of rank r (0-based entries) out of all lists of length k with entries below n.
std::vector<std::uint64_t> combination_of_rank(std::uint64_t n, std::uint64_t k, Combination kind, std::uint64_t rank);

}  // namespace intertwine
