// Character tables of supersolvable groups from monomial representations.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "intertwine/error.hpp"
#include "monomial_representations.hpp"
#include "table_writer.hpp"

namespace intertwine {

namespace {

using Word = SupersolvableSeries::Word;
using Node = MonomialRepresentations::Node;
using Number = ValuePool::Number;

/// Sums of roots of unity as values of a pool.
class RootSums {
 public:
  RootSums(ValuePool& pool, std::uint32_t order) : pool_(pool), order_(order) {}
  /// The sum of zeta^e for the listed e, which are reordered.
  Number operator()(std::vector<std::uint32_t>& exponents) {
    if (exponents.empty()) return ValuePool::zero;
    std::sort(exponents.begin(), exponents.end());
    const auto at = numbers_.find(exponents);
    if (at != numbers_.end()) return at->second;
    std::uint32_t common = order_;
    for (const std::uint32_t e : exponents) common = std::gcd(common, e);
    const std::uint32_t n = order_ / common;
    if (n > Cyclotomic::max_conductor)
      throw LimitError(
          "character_table: the values of the characters need roots of unity of too large order");
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (const std::uint32_t e : exponents) {
      const auto k = static_cast<std::int64_t>(e / common);
      if (!terms.empty() && terms.back().first == k)
        terms.back().second += 1;
      else
        terms.emplace_back(k, 1);
    }
    const Number value = pool_(Cyclotomic::from_terms(n, terms));
    numbers_.emplace(exponents, value);
    return value;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& v) const {
      std::size_t h = v.size();
      for (const std::uint32_t x : v) h = (h ^ x) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
      return h;
    }
  };
  ValuePool& pool_;
  std::uint32_t order_;
  std::unordered_map<std::vector<std::uint32_t>, Number, Hash> numbers_;
};

/// Traces at the representatives of classes, those of N_i outside N_(i-1) for one i after the other. The restriction of a
/// character to N_i is a multiple of the sum over the orbit of the node that it lies over, so that one character is
/// evaluated for every node, and none where that is induced from N_(i-1): the sum is 0 there.
class Traces {
 public:
  Traces(const ConjugacyClasses& classes, const MonomialRepresentations& all, const Task& task)
      : all_(all), task_(task), writer_(classes.size(), task), sums_(writer_.pool(), all.roots()) {
    by_depth_.resize(all.series().length() + 1);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      Word word = all.series().word(classes[c].representative);
      by_depth_[SupersolvableSeries::depth(word)].push_back({std::move(word), c});
    }
    for (auto& list : by_depth_)
      std::sort(list.begin(), list.end(), [](const Place& a, const Place& b) { return a.word < b.word; });
  }

  RawTable run() && {
    const auto& rows = all_.irreducibles();
    std::vector<std::uint32_t> node(rows.size());  // that of N_i below a row
    std::iota(node.begin(), node.end(), 0U);
    for (std::size_t i = by_depth_.size(); i-- > 0;) {
      fill(i, node);
      for (std::uint32_t& k : node) k = all_.level(i)[k].below;
    }
    return std::move(writer_).table();
  }

 private:
  struct Place {
    Word word;
    std::size_t column;
  };

  void fill(std::size_t i, const std::vector<std::uint32_t>& node) {
    const auto& rows = all_.irreducibles();
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> least(all_.level(i).size(), none);  // a row of the least degree over the node
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (least[node[row]] == none || rows[row].degree < rows[least[node[row]]].degree)
        least[node[row]] = row;
    std::vector<std::vector<Number>> values(least.size());
    for (std::size_t k = 0; k < least.size(); ++k)
      if (all_.level(i)[k].extends) values[k] = evaluated(rows[least[k]], by_depth_[i]);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto& list = values[node[row]];
      if (list.empty()) continue;
      const std::uint32_t ratio = rows[row].degree / rows[least[node[row]]].degree;
      const Number factor = ratio == 1 ? ValuePool::one : writer_.pool()(std::int64_t{ratio});
      for (std::size_t j = 0; j < list.size(); ++j)
        if (list[j] != ValuePool::zero)
          writer_.set(row, by_depth_[i][j].column,
                      ratio == 1 ? list[j] : writer_.pool().multiply(factor, list[j]));
    }
  }

  /// Words are in lexicographical order; matrices of their beginnings are kept from one to the next.
  std::vector<Number> evaluated(const Node& R, const std::vector<Place>& list) {
    task_.poll();
    const std::uint32_t d = R.degree;
    std::vector<std::vector<MonomialEntry>> products(1, std::vector<MonomialEntry>(d));
    for (std::uint32_t v = 0; v < d; ++v) products[0][v] = {v, 0};
    std::vector<Number> result;
    std::vector<std::uint32_t> diagonal;
    const Word* before = nullptr;
    for (const auto& [word, column] : list) {
      std::size_t common = 0;
      if (before)
        while (common < before->size() && common < word.size() && (*before)[common] == word[common]) ++common;
      before = &word;
      if (products.size() <= word.size()) products.resize(word.size() + 1);
      for (std::size_t k = common; k < word.size(); ++k) multiply(R, products[k], word[k], products[k + 1]);
      diagonal.clear();
      const auto& A = products[word.size()];
      for (std::uint32_t v = 0; v < d; ++v)
        if (A[v].point == v) diagonal.push_back(A[v].exponent);
      result.push_back(sums_(diagonal));
    }
    return result;
  }

  /// B = A R(letter)
  void multiply(const Node& R, const std::vector<MonomialEntry>& A, SupersolvableSeries::Letter letter,
                std::vector<MonomialEntry>& B) const {
    B.resize(A.size());
    const std::uint32_t order = all_.roots();
    for (std::uint32_t v = 0; v < A.size(); ++v) {
      const MonomialEntry y = all_.apply(R, std::span(&letter, 1), {v, 0}), &z = A[y.point];
      const std::uint32_t e = y.exponent + z.exponent;
      B[v] = {z.point, e >= order ? e - order : e};
    }
  }

  const MonomialRepresentations& all_;
  const Task& task_;
  TableWriter writer_;
  RootSums sums_;
  std::vector<std::vector<Place>> by_depth_;
};

}  // namespace

std::optional<RawTable> supersolvable_table(const ConjugacyClasses& classes, const Task& task) {
  const auto series = SupersolvableSeries::find(classes.group(), task);
  if (!series) return std::nullopt;
  const MonomialRepresentations all(*series, classes.size(), task);
  if (all.irreducibles().size() != classes.size())
    throw InternalError("character_table: there are not as many representations as classes");
  return Traces(classes, all, task).run();
}

}  // namespace intertwine
