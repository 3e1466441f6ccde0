// S_shape of a sum or a product of two spaces, by natural maps.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "functor_terms.hpp"
#include "functor_words.hpp"
#include "intertwine/combinatorics/symmetric_function.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/minor_products.hpp"

namespace intertwine {

namespace {

using Content = std::vector<int>;

/// [T] as a sum of words in the letters of T, k of them: each row of a monomial in all orders.
LetterSum tensor_of(const Partition& shape, const LetterWord& tableau, bool arranged, const Task& task) {
  RowWords rows;
  for (std::size_t i = 0, at = 0; i < static_cast<std::size_t>(shape.length()); ++i) {
    rows.emplace_back();
    for (int j = 0; j < shape[static_cast<int>(i)]; ++j) rows.back().push_back(static_cast<int>(tableau[at++]));
  }
  LetterSum out;
  for (const auto& [monomial, c] : product_of_column_minors(rows, task)) {
    LetterSum words{{{}, c}};
    for (const auto& row : monomial) {
      LetterSum next;
      std::vector<int> order = row;  // increasing
      Integer times = 1;             // each arrangement as often as letters are equal
      for (std::size_t j = 0, run = 0; arranged && j < order.size(); ++j) {
        run = j > 0 && order[j] == order[j - 1] ? run + 1 : 1;
        times *= Integer(run);
      }
      do {
        for (const auto& [word, value] : words) {
          task.poll();
          LetterWord longer = word;
          longer.insert(longer.end(), order.begin(), order.end());
          next[std::move(longer)] += value * times;
        }
      } while (arranged && std::next_permutation(order.begin(), order.end()));
      words = std::move(next);
    }
    for (const auto& [word, value] : words) out[word] += value;
  }
  return out;
}

/// One part: partitions and the permutation of places that joins the two words.
struct Joining {
  Partition left, right;
  std::vector<std::size_t> order;
};

/// Matrices with these sums of rows and columns, row by row.
std::vector<Content> contingency_tables(const Content& rows, const Content& cols) {
  std::vector<Content> tables;
  Content table(rows.size() * cols.size(), 0), left = cols;
  const auto fill = [&](const auto& self, std::size_t at, int rest) -> void {
    if (at == table.size()) {
      tables.push_back(table);
      return;
    }
    const std::size_t row = at / cols.size(), col = at % cols.size();
    const bool last_row = row + 1 == rows.size(), last_col = col + 1 == cols.size();
    for (int x = 0; x <= std::min(rest, left[col]); ++x) {
      if ((last_row && x != left[col]) || (last_col && x != rest)) continue;
      table[at] = x;
      left[col] -= x;
      self(self, at + 1, last_col ? (last_row ? 0 : rows[row + 1]) : rest - x);
      left[col] += x;
    }
    table[at] = 0;
  };
  if (table.empty())
    tables.push_back(table);
  else
    fill(fill, 0, rows[0]);
  return tables;
}

class NaturalMaps {
 public:
  NaturalMaps(const Partition& shape, FunctorArgument argument, const Task& task)
      : shape_(shape), argument_(argument), task_(task) {}

  /// A weight space of S_shape for letters 0, 1, ... that occur so often on both sides: words of S_shape against columns (joining, word on the left, word on the
  /// right), and the inverse.
  struct Block {
    std::vector<LetterWord> words;
    /// The pairs of words, for every joining the same.
    std::map<std::pair<LetterWord, LetterWord>, std::size_t> pairs;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> column;  ///< the column of (joining, pair)
    std::vector<std::vector<std::pair<std::uint32_t, Rational>>> inclusion, projection;  ///< by column
  };

  std::vector<Joining> joinings;

  /// The permutations for S_left (x) S_right with this multiplicity.
  void add(const Partition& left, const Partition& right, const Integer& multiplicity) {
    const auto highest = [](const Partition& part) {
      LetterWord word;
      for (int i = 0; i < part.length(); ++i)
        word.insert(word.end(), static_cast<std::size_t>(part[i]), static_cast<std::uint32_t>(i));
      return word;
    };
    const auto letters = static_cast<std::uint32_t>(right.length());
    Joining joining{left, right, {}};
    joining.order.resize(static_cast<std::size_t>(shape_.weight()));
    std::iota(joining.order.begin(), joining.order.end(), std::size_t{0});
    const PrimeField field(word_prime(0));
    std::map<LetterWord, std::size_t> place;
    std::vector<std::map<LetterWord, Integer>> images;
    Integer found = 0;
    do {
      task_.poll();
      const LetterSum image =
          joined(joining, highest(left), highest(right), static_cast<std::uint32_t>(left.length()), letters);
      for (const auto& [word, c] : image) place.try_emplace(word, place.size());
      images.push_back(image);
      IncrementalEchelon<PrimeField> echelon(field, place.size());
      for (const auto& one : images) {
        std::vector<PrimeField::Element> row(place.size(), 0);
        for (const auto& [word, c] : one) row[place.at(word)] = field.from(c);
        echelon.insert(std::move(row));
      }
      if (echelon.rank() < images.size()) {
        images.pop_back();
        continue;
      }
      joinings.push_back(joining);
      if (++found == multiplicity) return;
    } while (std::next_permutation(joining.order.begin(), joining.order.end()));
    throw InternalError("a Schur functor has fewer natural maps than its multiplicity");
  }

  const Block& block(const Content& left, const Content& right) {
    const auto [found, fresh] = blocks_.try_emplace({left, right});
    if (fresh) found->second = make_block(left, right);
    return found->second;
  }

 private:
  /// The image of [T] (x) [T'], letters below p and q on both sides.
  LetterSum joined(const Joining& joining, const LetterWord& T, const LetterWord& U, std::uint32_t p, std::uint32_t q) {
    const bool product = argument_ == FunctorArgument::product;
    // Only the places of one word against the other count where all orders of both at once are the same.
    const bool either_order = product && shape_.length() <= 1;
    const LetterSum &a = tensor(joining.left, T, !either_order), &b = tensor(joining.right, U, true);
    constexpr std::size_t most = 50'000'000;
    if (a.size() > most / std::max<std::size_t>(b.size(), 1))
      throw LimitError(fmt::format("S_{} of a product needs more than {} products of words", to_string(shape_), most));
    LetterSum words;
    for (const auto& [v, x] : a)
      for (const auto& [w, y] : b) {
        task_.poll();
        LetterWord word(joining.order.size());
        for (std::size_t k = 0; k < word.size(); ++k) {
          const std::size_t from = joining.order[k];
          word[k] = product ? v[k] * q + w[from] : from < v.size() ? v[from] : p + w[from - v.size()];
        }
        words[std::move(word)] += x * y;
      }
    return semistandard_words(shape_, words, task_);
  }
  const LetterSum& tensor(const Partition& part, const LetterWord& tableau, bool arranged) {
    const auto [found, fresh] = tensors_.try_emplace({part.parts(), tableau, arranged});
    if (fresh) found->second = tensor_of(part, tableau, arranged, task_);
    return found->second;
  }

  std::vector<LetterWord> words_of_content(const Partition& part, const Content& content) {
    std::vector<LetterWord> words;
    if (part.weight() != std::accumulate(content.begin(), content.end(), 0)) return words;
    for (const Tableau& T : semistandard_tableaux(part, content, 100'000, task_)) {
      LetterWord word;
      for (const auto& row : T.rows()) word.insert(word.end(), row.begin(), row.end());
      words.push_back(std::move(word));
    }
    return words;
  }

  Block make_block(const Content& left, const Content& right) {
    Block block;
    if (argument_ == FunctorArgument::sum) {
      Content both = left;
      both.insert(both.end(), right.begin(), right.end());
      block.words = words_of_content(shape_, both);
    } else {
      for (const Content& content : contingency_tables(left, right))
        for (LetterWord& word : words_of_content(shape_, content)) block.words.push_back(std::move(word));
    }
    std::ranges::sort(block.words);
    const std::size_t n = block.words.size();
    constexpr std::size_t most = 1500;
    if (n > most)
      throw LimitError(
          fmt::format("S_{} of a product has a weight space of more than {} dimensions", to_string(shape_), most));
    std::vector<Rational> entries(n * n);
    for (std::size_t j = 0; j < joinings.size(); ++j)
      for (const LetterWord& T : words_of_content(joinings[j].left, left))
        for (const LetterWord& U : words_of_content(joinings[j].right, right)) {
          const std::size_t pair = block.pairs.try_emplace({T, U}, block.pairs.size()).first->second,
                            column = block.column.size();
          if (column == n) throw InternalError("a Schur functor of a product has too many parts");
          block.column.emplace(std::pair(j, pair), column);
          for (const auto& [word, c] : joined(joinings[j], T, U, static_cast<std::uint32_t>(left.size()),
                                              static_cast<std::uint32_t>(right.size()))) {
            const auto row =
                static_cast<std::size_t>(std::ranges::lower_bound(block.words, word) - block.words.begin());
            entries[row * n + column] = Rational(c);
          }
        }
    if (block.column.size() != n) throw InternalError("a Schur functor of a product has too few parts");
    const RationalMatrix A(n, n, entries), B = inverse(A, task_);
    block.inclusion.resize(n);
    block.projection.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (entries[i * n + j] != 0) block.inclusion[j].emplace_back(static_cast<std::uint32_t>(i), entries[i * n + j]);
        if (const Rational b = B(j, i); b != 0) block.projection[j].emplace_back(static_cast<std::uint32_t>(i), b);
      }
    return block;
  }

  Partition shape_;
  FunctorArgument argument_;
  const Task& task_;
  std::map<std::tuple<std::vector<int>, LetterWord, bool>, LetterSum> tensors_;
  std::map<std::pair<Content, Content>, Block> blocks_;
};

/// A word by its letters, how often each occurs, and the places of its letters among these.
struct StandardWord {
  LetterWord letters, word;
  Content content;
  explicit StandardWord(std::span<const std::uint32_t> of) : letters(of.begin(), of.end()) {
    std::ranges::sort(letters);
    letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
    content.resize(letters.size());
    for (const std::uint32_t v : of) {
      word.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(letters, v) - letters.begin()));
      ++content[word.back()];
    }
  }
};

}  // namespace

std::vector<FunctorSplit> split_functor(const Partition& shape, std::uint64_t left, std::uint64_t right,
                                        FunctorArgument argument, const Task& task) {
  const bool product = argument == FunctorArgument::product;
  NaturalMaps maps(shape, argument, task);
  if (product) {
    for (const GlGlTerm& term :
         schur_functor_decomposition(shape, static_cast<int>(left), static_cast<int>(right), task))
      maps.add(term.left, term.right, term.multiplicity);
  } else {
    for (const SchurPair& pair : schur_coproduct(shape, task))
      if (static_cast<std::uint64_t>(pair.left.length()) <= left &&
          static_cast<std::uint64_t>(pair.right.length()) <= right)
        maps.add(pair.left, pair.right, pair.coefficient);
  }
  FunctorWords target(shape, product ? left * right : left + right, task);
  std::vector<FunctorSplit> out;
  for (std::size_t j = 0; j < maps.joinings.size(); ++j) {
    FunctorSplit split{maps.joinings[j].left, maps.joinings[j].right, {}, {}};
    const FunctorWords first(split.left, left, task), second(split.right, right, task);
    task.require_memory(first.size() * second.size() * 128, "the parts of a functor");
    std::vector<StandardWord> others;
    for (std::size_t k = 0; k < second.size(); ++k) others.emplace_back(second[k]);
    for (std::size_t i = 0; i < first.size(); ++i) {
      const StandardWord a(first[i]);
      for (const StandardWord& b : others) {
        task.poll();
        const auto& block = maps.block(a.content, b.content);
        const std::size_t column = block.column.at({j, block.pairs.at({a.word, b.word})});
        const auto named = [&](const auto& vector) {
          FunctorSplit::Vector named_vector;
          for (const auto& [row, c] : vector) {
            LetterWord word;
            const std::size_t q = b.letters.size(), p = a.letters.size();
            for (const std::uint32_t v : block.words[row])
              word.push_back(static_cast<std::uint32_t>(product ? a.letters[v / q] * right + b.letters[v % q]
                                                        : v < p ? a.letters[v]
                                                                : left + b.letters[v - p]));
            named_vector.emplace_back(target.index(word), c);
          }
          return named_vector;
        };
        split.inclusion.push_back(named(block.inclusion[column]));
        split.projection.push_back(named(block.projection[column]));
      }
    }
    out.push_back(std::move(split));
  }
  return out;
}

}  // namespace intertwine
