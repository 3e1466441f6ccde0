// Multiplication tables of polycyclic groups with few elements, and permutations that such groups act by.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"

namespace intertwine {

/// A polycyclic presentation with generators g_0, ..., g_(n-1) of relative orders p_0, ..., p_(n-1).
struct PolycyclicPresentation {
  using Exponents = std::vector<unsigned>;  ///< of g_0, ..., g_(n-1)
  std::vector<unsigned> orders;
  std::vector<Exponents> powers;                   ///< g_i^p_i, in the generators behind g_i
  std::vector<std::vector<Exponents>> conjugates;  ///< [i][j]: g_i^-1 g_j g_i for j > i, in the generators behind g_i
};

/// The products of all elements g_0^e_0 ... g_(n-1)^e_(n-1), which are numbered lexicographically by their exponents.
class PolycyclicTable {
 public:
  using Element = std::uint16_t;

  /// The order is at most 2^16. The presentation has to be consistent.
  explicit PolycyclicTable(const PolycyclicPresentation& presentation);

  std::size_t order() const { return n_; }
  Element product(Element x, Element y) const { return product_[std::size_t{x} * n_ + y]; }
  /// The numbers of g_0, ..., g_(n-1).
  const std::vector<Element>& generators() const { return generators_; }

  /// Permutations by which generators of the group act faithfully, on few points: generators that the ones before them
  /// do not generate act by multiplication on the cosets of some subgroups. As long as an element acts trivially, a
  /// further subgroup is chosen: a maximal one of those that do not contain the smallest normal subgroup left.
  std::pair<std::size_t, std::vector<Permutation>> permutations() const;

 private:
  using Subset = std::vector<bool>;
  /// The subgroup that a subgroup and one more element generate.
  Subset extended(const Subset& subgroup, Element x) const;
  Subset normal_closure(Element x) const;
  Subset core(const Subset& subgroup) const;
  Subset avoiding(const Subset& normal) const;

  std::size_t n_ = 1;
  std::vector<Element> product_{0}, inverse_, generators_;
};

}  // namespace intertwine
