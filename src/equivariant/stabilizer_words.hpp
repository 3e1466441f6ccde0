// Elements of the stabilizers of rows, random ones and all Schreier generators, with their action on the columns.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "intertwine/combinatorics/signed_permutation.hpp"
#include "intertwine/groups/random_words.hpp"

namespace intertwine {

/// A group acts on rows and columns by signed permutations. Elements h with h r = +-r are found by Schreier's lemma from
/// random words. Some of the words extend the generators so that the trees used here are shallow whatever the generators
/// are (a cycle alone gives a tree as deep as it is long).
class StabilizerWords {
 public:
  StabilizerWords(const std::vector<SignedPermutation>& rows, const std::vector<SignedPermutation>& cols) {
    for (std::size_t k = 0; k < rows.size(); ++k) elements_.push_back({rows[k], cols[k]});
    generators_ = elements_.size();
    if (generators_ == 0) return;
    words_.emplace(elements_);
    for (int k = 0; k < 6; ++k) elements_.push_back(words_->next(rng_));
    for (const Pair& element : elements_) inverses_.push_back({element.row.inverse(), element.col.inverse()});
    step_.assign(rows[0].degree(), none);
  }

  /// There are no generators.
  bool empty() const { return generators_ == 0; }

  /// Makes r the row to stabilize. Orbits may be started once each.
  void start(std::uint32_t r) {
    r_ = r;
    orbit_.assign(1, r);
    step_[r] = root;
    for (std::size_t head = 0; head < orbit_.size(); ++head)
      for (std::uint32_t k = 0; k < elements_.size(); ++k) {
        const std::uint32_t q = elements_[k].row(orbit_[head]).point();
        if (step_[q] != none) continue;
        step_[q] = k;
        orbit_.push_back(q);
      }
  }

  /// The next random h with h r = +-r: its action on the columns, and the sign at r.
  bool next(std::vector<SignedPoint>& cols) {
    const Pair& word = words_->next(rng_);
    cols.assign(word.col.images().begin(), word.col.images().end());
    return return_to_start(word.row(r_), cols);
  }

  /// Number of Schreier generators of the stabilizer of r; they generate it, whatever transversal is used.
  std::size_t number_of_generators() const { return orbit_.size() * generators_; }

  /// Schreier generator number k, in the form of next().
  bool generator(std::size_t k, std::vector<SignedPoint>& cols) const {
    std::vector<std::uint32_t> path{static_cast<std::uint32_t>(k % generators_)};
    for (std::uint32_t q = orbit_[k / generators_]; q != r_; q = inverses_[step_[q]].row(q).point())
      path.push_back(step_[q]);
    const SignedPermutation& first = elements_[path.back()].col;
    cols.assign(first.images().begin(), first.images().end());
    SignedPoint at = elements_[path.back()].row(r_);
    for (std::size_t i = path.size() - 1; i-- > 0;) move(elements_[path[i]], at, cols);
    return return_to_start(at, cols);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t root = none - 1;

  struct Pair {
    SignedPermutation row, col;
    friend Pair operator*(const Pair& g, const Pair& h) { return {g.row * h.row, g.col * h.col}; }
  };

  static void move(const Pair& by, SignedPoint& at, std::vector<SignedPoint>& cols) {
    at = by.row(at);
    for (SignedPoint& x : cols) x = by.col(x);
  }

  /// Multiplies from the left by what takes `at` back to r along the tree.
  bool return_to_start(SignedPoint at, std::vector<SignedPoint>& cols) const {
    while (at.point() != r_) move(inverses_[step_[at.point()]], at, cols);
    return at.negative();
  }

  std::vector<Pair> elements_, inverses_;
  std::size_t generators_ = 0;
  std::optional<RandomWords<Pair>> words_;
  std::vector<std::uint32_t> step_, orbit_;
  std::uint32_t r_ = 0;
  Rng rng_;
};

}  // namespace intertwine
