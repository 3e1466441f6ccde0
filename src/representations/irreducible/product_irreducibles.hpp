// Irreducible characters that are products, and exterior or symmetric powers, of smaller ones.
#pragma once
#include <optional>

#include "intertwine/representations/irreducible.hpp"
#include "multiplicity_one.hpp"

namespace intertwine {

/// How a row is made of one or two others of smaller degree.
struct ProductOfRows {
  enum class Kind { exterior, symmetric, tensor };
  Kind kind;
  unsigned power;             ///< 2 to 4; 2 for products of two
  std::size_t first, second;  ///< rows; the same for powers
};

/// The first form of a row, if it has any: exterior powers, then symmetric ones, then products of two rows, by the power and by the rows. The
/// fields of the factors' characters lie in that of the row, and their indicators are not -1.
///
/// \par Proof  The values agree at all classes modulo a prime above 2^60, of which the multiplicities in a character of small degree are
///             known by their residues.
/// \par Cost   one multiplication for every class and every row (pair of rows) whose degree fits
std::optional<ProductOfRows> product_of_rows(const GaloisTable& table, std::size_t row);

/// The representation of the row, from those of its factors (two of the same for powers), with the vector that `pair` says, l being taken to the k-th
/// power: <chi|_H, l^k> = 1. Nothing unless both are over their character fields.
///
/// The matrices are integral where those of the factors are, and no lattice is reduced. The seed is the first sum over H of l(h)^-1 h e_i that is not 0, H being
/// taken apart by its stabilizer chain.
/// \par Cost  an application for every element of the transversals of H
std::optional<IrreducibleRepresentation> product_irreducible(const GaloisTable& table, std::size_t row,
                                                             const ProductOfRows& form,
                                                             const IrreducibleRepresentation& first,
                                                             const IrreducibleRepresentation& second,
                                                             const LinearPair& pair, std::uint32_t k, const Task& task);

}  // namespace intertwine
