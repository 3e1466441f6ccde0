// The linear characters of a permutation group: the characters of H/H'.
#pragma once
#include <cstdint>
#include <vector>

#include "intertwine/groups/coset_space.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// H/H' as a product of cyclic steps, and its characters. Values are roots of unity of order exponent(), given by
/// their exponents.
class LinearCharacters {
 public:
  LinearCharacters(const FiniteGroup& H, const Task& task);

  const FiniteGroup& group() const { return H_; }
  const FiniteGroup& derived() const { return cosets_.subgroup(); }
  /// |H/H'|: the number of cosets of H' and of characters.
  std::size_t size() const { return cosets_.size(); }
  std::uint32_t exponent() const { return exponent_; }
  const Permutation& representative(std::size_t coset) const { return cosets_.representative(coset); }
  std::size_t coset_of(const Permutation& h) const { return cosets_.coset_of(h); }
  /// The exponents of character k at every coset; character 0 is trivial.
  std::vector<std::uint32_t> character(std::size_t k) const;
  /// The order of the values.
  std::uint32_t order(const std::vector<std::uint32_t>& character) const;

 private:
  struct Step {
    std::uint32_t length;                 ///< the order of g modulo the steps before
    std::vector<std::uint32_t> relation;  ///< coordinates of g^length in the steps before
  };
  FiniteGroup H_;
  CosetSpace cosets_;  ///< H/H'
  std::uint32_t exponent_ = 1;
  std::vector<Step> steps_;
  std::vector<std::vector<std::uint32_t>> coordinates_;  ///< the coordinates of every coset
};

}  // namespace intertwine
