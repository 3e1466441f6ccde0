// Random elements of a group known by generators only: product replacement with an accumulator ("rattle")
// [Celler, Leedham-Green, Murray, Niemeyer & O'Brien 1995; Leedham-Green & Murray 2002]. They are nearly
// uniform, which makes algorithms fast; nothing is ever concluded from their distribution.
#pragma once
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/combinatorics/permutation.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/random.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// target = a b; `scratch` is of the size of an element and may be overwritten.
template <class Element>
void multiply_into(const Element& a, const Element& b, Element& target, Element& /*scratch*/) {
  target = a * b;
}
/// Images of points: i -> a[b[i]].
template <class T>
void multiply_into(const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& target, std::vector<T>& scratch) {
  for (std::size_t i = 0; i < scratch.size(); ++i) scratch[i] = a[b[i]];
  std::swap(scratch, target);
}

template <class Element>
class RandomWords {
 public:
  /// At least one generator. With fewer slots and without the accumulator words stay shorter and cost half.
  explicit RandomWords(std::vector<Element> generators, std::size_t slots = 8, bool accumulate = true)
      : slots_(std::move(generators)), scratch_(slots_.front()), accumulate_(accumulate) {
    for (std::size_t k = 0; slots_.size() < slots; ++k) slots_.push_back(slots_[k]);
    if (accumulate_) accumulator_ = slots_[0];
  }

  /// The next element; valid until the next call. Two products (more at the first call), or one without the
  /// accumulator.
  const Element& next(Rng& rng) {
    for (std::size_t k = warm_ ? 0 : 3 * slots_.size(); k > 0; --k) step(rng);
    warm_ = true;
    return step(rng);
  }

 private:
  const Element& step(Rng& rng) {
    const std::uint64_t draw = rng();
    const std::size_t n = slots_.size();
    const std::size_t i = (draw & 0xffffffU) % n;
    const std::size_t j = (i + 1 + ((draw >> 24) & 0xffffffU) % (n - 1)) % n;
    if ((draw >> 63) != 0)
      multiply_into(slots_[i], slots_[j], slots_[i], scratch_);
    else
      multiply_into(slots_[j], slots_[i], slots_[i], scratch_);
    if (!accumulate_) return slots_[i];
    multiply_into(accumulator_, slots_[i], accumulator_, scratch_);
    return accumulator_;
  }

  std::vector<Element> slots_;
  Element accumulator_{}, scratch_;
  bool accumulate_, warm_ = false;
};

/// Random words in the images of permutations of 0, ..., degree - 1; there may be no generators. Identities among them,
/// as most are where many act on one orbit of several, would only thin the words out.
template <class T>
RandomWords<std::vector<T>> random_images(std::size_t degree, std::span<const Permutation> generators) {
  std::vector<std::vector<T>> images;
  for (const Permutation& g : generators)
    if (!g.is_identity()) images.emplace_back(g.images().begin(), g.images().end());
  if (images.empty()) {
    images.emplace_back(degree);
    std::iota(images[0].begin(), images[0].end(), T{0});
  }
  return RandomWords<std::vector<T>>(std::move(images));
}

/// Elements from a fixed seed, so that what is found does not depend on the run.
class RandomElements {
 public:
  RandomElements(const std::vector<Permutation>& generators, std::size_t degree, std::uint64_t seed = 20)
      : rng_(seed), words_(random_images<Point>(degree, generators)) {}
  Permutation next() { return Permutation::unchecked(words_.next(rng_)); }
  Rng& rng() { return rng_; }

 private:
  Rng rng_;
  RandomWords<std::vector<Point>> words_;
};

/// Random elements that generate a subgroup of the given order, to which all of them belong. \throws InternalError if
/// they generate a larger one
std::vector<Permutation> proved_generators(std::size_t degree, const Integer& order,
                                           const std::function<Permutation()>& random_element, Rng& rng,
                                           const Task& task);

}  // namespace intertwine
