// The basis of Schur functors as words, and other words in terms of it.
#include "functor_words.hpp"

#include <algorithm>

#include "intertwine/error.hpp"
#include "intertwine/gl/minor_products.hpp"
#include "intertwine/gl/schur_functor.hpp"

namespace intertwine {

namespace {

/// Sorts; whether the arrangement was odd.
bool sort_letters(LetterWord& word) {
  bool odd = false;
  for (std::size_t i = 1; i < word.size(); ++i)
    for (std::size_t k = i; k > 0 && word[k] < word[k - 1]; --k) std::swap(word[k], word[k - 1]), odd = !odd;
  return odd;
}

RowWords rows_of_word(const Partition& shape, const LetterWord& word) {
  RowWords rows;
  std::size_t at = 0;
  for (const int length : shape) {
    auto& row = rows.emplace_back();
    for (int j = 0; j < length; ++j) row.push_back(static_cast<int>(word[at++]));
  }
  return rows;
}

}  // namespace

LetterSum semistandard_words(const Partition& shape, const LetterSum& sum, const Task& task) {
  LetterSum out;
  const auto add = [&out](LetterWord word, const Integer& c) {
    const auto [found, fresh] = out.try_emplace(std::move(word), 0);
    found->second += c;
    if (found->second == 0) out.erase(found);
  };
  if (shape.length() <= 1 || shape[0] == 1) {
    for (const auto& [word, c] : sum) {
      LetterWord sorted = word;
      const bool odd = sort_letters(sorted), strict = shape.length() > 1;
      if (strict && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) continue;
      add(std::move(sorted), strict && odd ? Integer(-c) : c);
    }
    return out;
  }
  RowWordSum<Integer> polynomial;
  for (const auto& [word, c] : sum)
    for (const auto& [monomial, times] : product_of_column_minors(rows_of_word(shape, word), task))
      polynomial[monomial] += times * c;
  for (const auto& [rows, c] : semistandard_coordinates(std::move(polynomial), task)) {
    LetterWord word;
    for (const auto& row : rows) word.insert(word.end(), row.begin(), row.end());
    add(std::move(word), c);
  }
  return out;
}

LetterSum semistandard_words(const Partition& shape, const LetterWord& word, const Task& task) {
  return semistandard_words(shape, LetterSum{{word, 1}}, task);
}

FunctorWords::FunctorWords(Partition shape, std::uint64_t letters, const Task& task)
    : shape_(std::move(shape)), degree_(static_cast<std::size_t>(shape_.weight())) {
  const auto keep = [&](const auto& word) {
    flat_.insert(flat_.end(), word.begin(), word.end());
    ++size_;
  };
  const Integer dimension = SchurFunctor(shape_).dimension(static_cast<int>(letters));
  task.require_memory(static_cast<std::uint64_t>(dimension) * (degree_ + 8) * sizeof(std::uint32_t) * 2,
                      "the basis of a functor");
  if (shape_.length() <= 1 || shape_[0] == 1) {
    for (const auto& list : index_lists(letters, degree_, shape_.length() > 1)) keep(list);
    return;
  }
  for (const Tableau& T : SchurFunctor(shape_).basis(static_cast<int>(letters))) {
    LetterWord word;
    for (const auto& row : T.rows()) word.insert(word.end(), row.begin(), row.end());
    keep(word);
  }
}

std::uint32_t FunctorWords::index(const LetterWord& word) const {
  std::size_t low = 0, high = size_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const auto there = (*this)[middle];
    if (std::lexicographical_compare(there.begin(), there.end(), word.begin(), word.end()))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == size_ || !std::ranges::equal((*this)[low], word))
    throw InternalError("a word is no semistandard tableau of a functor");
  return static_cast<std::uint32_t>(low);
}

FunctorWords::Sum FunctorWords::element(const LetterWord& word, const Task& task) {
  if (shape_.length() <= 1 || shape_[0] == 1) {
    LetterWord sorted = word;
    const bool odd = sort_letters(sorted), strict = shape_.length() > 1;
    if (strict && std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
    return {{index(sorted), strict && odd ? -1 : 1}};
  }
  LetterWord letters = word;
  std::ranges::sort(letters);
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  LetterWord standard;
  for (const std::uint32_t v : word)
    standard.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(letters, v) - letters.begin()));
  auto found = known_.find(standard);
  if (found == known_.end()) {
    std::vector<std::pair<LetterWord, Integer>> terms;
    for (auto& [image, c] : semistandard_words(shape_, standard, task)) terms.emplace_back(image, c);
    found = known_.emplace(standard, std::move(terms)).first;
  }
  Sum out;
  LetterWord named(degree_);
  for (const auto& [image, c] : found->second) {
    for (std::size_t k = 0; k < degree_; ++k) named[k] = letters[image[k]];
    out.emplace_back(index(named), c);
  }
  return out;
}

}  // namespace intertwine
