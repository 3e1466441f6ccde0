// Multiplication tables of groups with few elements, and isomorphisms between them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "intertwine/groups/extensions.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The multiplication table of a small group, and its colours: equal for elements that an isomorphism may exchange.
/// Elements are numbered in the order in which generators on the left reach them: 0 is the identity.
class CayleyTable {
 public:
  using Element = std::uint16_t;
  static constexpr std::size_t largest_order = largest_tabled_order;

  /// \throws LimitError for a group of more than largest_order elements
  explicit CayleyTable(const FiniteGroup& G, const Task& task);

  std::size_t order() const { return n_; }
  Element product(Element x, Element y) const { return product_[at(x, y)]; }
  const std::vector<Element>& generators() const { return generators_; }
  const std::vector<std::uint64_t>& colours() const { return colours_; }
  /// Equal for isomorphic groups.
  std::uint64_t fingerprint() const;
  bool is_central(Element z) const;
  /// y -> x y.
  Permutation left_multiplication(Element x) const;
  /// The values of a homomorphism at all elements, from those at the generators; `one` is that of the identity.
  template <class Value>
  std::vector<Value> values(Value one, std::span<const Value> at_generators) const {
    std::vector<Value> all{std::move(one)};
    for (std::size_t x = 1; x < n_; ++x) all.push_back(at_generators[from_[x].second] * all[from_[x].first]);
    return all;
  }

 private:
  std::size_t at(std::size_t x, std::size_t y) const { return x * n_ + y; }
  void enumerate(const FiniteGroup& G, const Task& task);
  void colour(const Task& task);

  std::size_t n_ = 0;
  std::vector<Element> product_, left_, generators_;
  std::vector<std::pair<Element, std::size_t>> from_;  ///< an element is a generator times that of `first`
  std::vector<std::uint64_t> colours_;
};

/// A search for an isomorphism A -> B by images of generators of A, one after the other.
class IsomorphismSearch {
 public:
  using Element = CayleyTable::Element;
  using Map = std::vector<Element>;

  IsomorphismSearch(const CayleyTable& A, const CayleyTable& B, const Task& task) : A_(A), B_(B), task_(task) {}

  /// The images of all elements under one that takes the first generators of A to these; nothing if there is none.
  std::optional<Map> with_images(std::span<const Element> images) const;
  bool run() const {
    return A_.order() == B_.order() && A_.fingerprint() == B_.fingerprint() && with_images({}).has_value();
  }

 private:
  static constexpr Element unknown = 0xffff;

  bool extend(Map& map, const std::vector<Element>& known, std::size_t level, std::span<const Element> images) const;
  bool generate(Map& map, std::vector<Element>& elements, Element g, Element image, std::size_t level) const;

  const CayleyTable &A_, &B_;
  const Task& task_;
};

/// The automorphisms of A as permutations of its elements. On every level, the images of a generator under those that fix the generators before it are found by
/// exhaustive search, which proves the order.
FiniteGroup automorphisms(const CayleyTable& A, const Task& task);

}  // namespace intertwine
