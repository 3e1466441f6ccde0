// Elements of groups that do not depend on the run, and generators of stabilizers.
#pragma once
#include <functional>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Random elements by product replacement, from the generators and a fixed seed.
class RandomElements {
 public:
  RandomElements(const std::vector<Permutation>& generators, std::size_t degree) : rng_(20) {
    elements_ = generators;
    if (elements_.empty()) elements_.push_back(Permutation::identity(degree));
    const std::size_t count = elements_.size();
    while (elements_.size() < 10) elements_.push_back(elements_[elements_.size() % count]);
    for (int i = 0; i < 60; ++i) next();
  }
  Permutation next() {
    const std::size_t i = rng_.below(elements_.size());
    std::size_t j = rng_.below(elements_.size() - 1);
    if (j >= i) ++j;
    const Permutation factor = rng_.below(2) == 0 ? elements_[j] : elements_[j].inverse();
    elements_[i] = rng_.below(2) == 0 ? elements_[i] * factor : factor * elements_[i];
    return elements_[i];
  }
  Rng& rng() { return rng_; }

 private:
  Rng rng_;
  std::vector<Permutation> elements_;
};

/// Random elements that generate a subgroup of the given order, which no element leaves.
std::vector<Permutation> proved_generators(std::size_t degree, const Integer& order,
                                           const std::function<Permutation()>& random_element, Rng& rng,
                                           const Task& task);

}  // namespace intertwine
