// The basis of S_shape(V) as words, and what other words stand for: Sym^k, Lambda^k and Schur functors in one way.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "continuous_node.hpp"
#include "intertwine/combinatorics/partition.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

using LetterWord = std::vector<std::uint32_t>;
using LetterSum = std::map<LetterWord, Integer>;

/// v_1 (x) v_2 (x) ..., row by row in the diagram of the shape, as an element of S_shape: a sum of words of
/// semistandard tableaux. One row sorts them, one column with the sign.
LetterSum semistandard_words(const Partition& shape, const LetterWord& word, const Task& task);
/// The element of a sum of words.
LetterSum semistandard_words(const Partition& shape, const LetterSum& sum, const Task& task);

/// The words of the semistandard tableaux of a shape with letters 0, ..., n - 1, row by row, in lexicographic order:
/// the basis of S_shape(V) for the basis 0, ..., n - 1 of V, as SchurFunctor, sym and alt have it.
class FunctorWords {
 public:
  /// \throws LimitError through `task`, and for Schur functors as SchurFunctor::basis
  FunctorWords(Partition shape, std::uint64_t letters, const Task& task);

  const Partition& shape() const { return shape_; }
  std::size_t size() const { return size_; }
  /// How long the words are.
  std::size_t degree() const { return degree_; }
  std::span<const std::uint32_t> operator[](std::size_t i) const { return {flat_.data() + i * degree_, degree_}; }
  /// The place of a word that is in the list.
  std::uint32_t index(const LetterWord& word) const;
  using Sum = std::vector<std::pair<std::uint32_t, Integer>>;
  /// The element that v_1 (x) v_2 (x) ... stands for. Words whose letters are in the same order are worked out once.
  Sum element(const LetterWord& word, const Task& task);

 private:
  Partition shape_;
  std::size_t degree_, size_ = 0;
  std::vector<std::uint32_t> flat_;
  std::map<LetterWord, std::vector<std::pair<LetterWord, Integer>>> known_;  ///< for letters 0, 1, 2, ... without gaps
};

/// The image of a word when each letter v goes to columns[v], in the basis of the target.
template <class Number>
std::vector<std::pair<std::uint32_t, Number>> image_of_word(
    std::span<const std::uint32_t> word, const std::vector<std::vector<std::pair<std::uint32_t, Number>>>& columns,
    FunctorWords& target, const Task& task) {
  std::map<LetterWord, Number> words{{{}, Number(1)}};
  for (const std::uint32_t v : word) {
    std::map<LetterWord, Number> next;
    for (const auto& [one, c] : words)
      for (const auto& [a, value] : columns[v]) {
        task.poll();
        LetterWord longer = one;
        longer.push_back(a);
        next[std::move(longer)] += c * value;
      }
    words = std::move(next);
  }
  std::map<std::uint32_t, Number> sum;
  for (const auto& [one, c] : words)
    for (const auto& [i, value] : target.element(one, task)) sum[i] += c * Number(value);
  std::vector<std::pair<std::uint32_t, Number>> out;
  for (auto& [i, c] : sum)
    if (c != Number(0)) out.emplace_back(i, std::move(c));
  return out;
}

}  // namespace intertwine
