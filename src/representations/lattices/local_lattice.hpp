// Lattices over the completions of the integers of number fields.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "field_ideals.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The integers of K at a prime ideal P modulo p^N < 2^63, N > 1 if P is ramified: polynomials in a of degree below c = the degree of P times its ramification, coefficients of which
/// are kept in c matrices. Pi is p, or g(a) if P is ramified.
class LocalRing {
 public:
  using Matrix = std::vector<ModularMatrix>;

  LocalRing(const PrimeIdeal& P, const AbelianField& K, unsigned N);

  std::uint64_t modulus() const { return modulus_; }
  std::size_t size() const { return polynomial_.size() - 1; }
  Matrix identity(std::size_t n) const;
  /// p^k A, for the least k with p^k A integral at p or a larger one.
  Matrix image(const FieldMatrix& A, unsigned k) const;
  Matrix product(const Matrix& A, const Matrix& B) const;
  /// Pi^k A
  Matrix times_power(Matrix A, unsigned k) const;

  /// v and the residue of x / Pi^v modulo P, x != 0 being given by its coefficients.
  struct Leading {
    unsigned valuation;
    std::vector<std::uint64_t> residue;
  };
  /// Nothing of 0.
  std::optional<Leading> leading(std::vector<std::uint64_t> x) const;

 private:
  Matrix times_generator(Matrix A) const;
  /// x / Pi, where P is ramified and divides x.
  std::vector<std::uint64_t> divided(std::vector<std::uint64_t> x) const;
  std::vector<std::uint64_t> residue(const std::vector<std::uint64_t>& x) const;

  PrimeIdeal ideal_;
  std::uint64_t modulus_;
  std::vector<std::uint64_t> polynomial_;  ///< monic, of degree c
  std::vector<std::uint64_t> quotient_;    ///< p/Pi, where P is ramified
  std::vector<std::uint64_t> unit_;        ///< p/Pi^e modulo P, e being the ramification
};

/// Vectors b_j = (e_j + sum of x_fj e_f)/Pi^k_j, the f being of smaller levels k_f, a basis of a lattice.
struct LocalLattice {
  LocalRing ring;
  std::vector<unsigned> levels;  ///< k_j
  LocalRing::Matrix vectors;     ///< columns e_j + sum of x_fj e_f, right modulo Pi^k_j
  bool is_complete;              ///< the lattice is mapped to itself; otherwise it is a part of one that is
};

/// Have these numbers denominators at P?
bool has_pole(const FieldMatrix& A, const PrimeIdeal& P);

/// For n x n matrices over K that generate a finite group: the lattice over the integers at P that the images of the unit vectors
/// generate, or a part of it where numbers leave words. Nothing where they do at once: p^(k + e) for the largest power p^k of a denominator, e being the
/// ramification, is not below 2^62.
///
/// \par Method  Where the columns of Pi^e A have residues, e being the order of the largest pole of the matrices in the basis so far, these span a space W, and
///              Pi^-1 W is added: the vectors at the pivots of W, which are of the largest levels, are replaced by its echelon form over Pi.
/// \param sequence  all of 0, ..., n - 1: of vectors of one level, the first are taken as pivots
/// \par Cost    a step: some five products of n x r and r x (n - r) matrices of words for two matrices A
std::optional<LocalLattice> local_lattice(const std::vector<FieldMatrix>& A, const PrimeIdeal& P, const AbelianField& K,
                                          const std::vector<std::size_t>& sequence, const Task& task);

}  // namespace intertwine
