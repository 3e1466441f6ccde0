// Lattices of generalized characters and their reduction.
#pragma once
#include <vector>

#include "table_data.hpp"

namespace intertwine {

/// Generalized characters orthogonal to the irreducible ones found so far, as a reduced basis of the lattice they
/// span. Vectors of norm 1 that reduction finds are irreducible up to sign and leave the lattice.
///
/// Inner products are exact integers; only the choice of steps uses floating point numbers, so that rounding can slow
/// the reduction down but not make it wrong. [Lenstra, Lenstra & Lovasz 1982; Pohst 1987 for dependent vectors;
/// Nguyen & Stehle 2009 for recomputing from exact inner products]
class CharacterLattice {
 public:
  using Vector = ModularCharacters::Vector;
  CharacterLattice(const ModularCharacters& space, const Task& task) : s_(space), task_(task) {}

  /// Adds a generalized character, without its irreducible constituents already known; reduces.
  void add(Vector v);
  bool complete() const { return irreducibles_.size() == s_.size(); }
  const ModularTable& irreducibles() const { return irreducibles_; }
  /// Does the prime p divide the index of what is spanned in all generalized characters, or is that infinite? It is at p
  /// that induced characters are missing. O(rank^3).
  bool index_is_divisible_by(std::uint64_t p) const;
  std::size_t rank() const { return basis_.size(); }
  const std::vector<Vector>& basis() const { return basis_; }

 private:
  void project(Vector& v) const;
  void reduce(std::size_t from);
  void size_reduce(std::size_t k);
  void orthogonalize(std::size_t k);
  void subtract_basis(std::size_t k, std::size_t j, std::int64_t q);
  void swap_basis(std::size_t k);
  void erase_basis(std::size_t k);
  void extract();
  void found(Vector chi);

  const ModularCharacters& s_;
  const Task& task_;
  ModularTable irreducibles_;
  std::vector<Vector> duals_;  ///< the duals of the irreducibles
  std::vector<Vector> basis_;
  std::vector<std::vector<std::int64_t>> gram_;
  std::vector<std::vector<double>> r_, mu_;
};

}  // namespace intertwine
