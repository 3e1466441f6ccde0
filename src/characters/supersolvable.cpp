// Character tables of supersolvable groups from monomial representations.
#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "intertwine/characters/monomial_representations.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "table_writer.hpp"

namespace intertwine {

namespace {

using Node = MonomialRepresentations::Node;

/// Sums of roots of unity as values of a pool. Sums are known by 64 bits, the sum of one random word for every root of unity:
/// where two different sums met in these, the table would not pass its check.
class RootSums {
 public:
  RootSums(ValuePool& pool, std::uint32_t order) : pool_(pool), order_(order), slots_(1024) {}
  ValuePool::Number operator()(std::span<const std::uint32_t> exponents) {
    if (exponents.empty()) return ValuePool::zero;
    std::uint64_t key = 0;
    for (const std::uint32_t e : exponents) key += word(e);
    if (2 * used_ >= slots_.size()) grow();
    Slot& at = slot(key);
    if (at.key == 0) at = {key, value(exponents)}, ++used_;
    return at.number;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    ValuePool::Number number = 0;
  };
  static std::uint64_t word(std::uint64_t e) {
    std::uint64_t x = (e + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }
  Slot& slot(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key & mask;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& s : before)
      if (s.key != 0) slot(s.key) = s;
  }

  ValuePool::Number value(std::span<const std::uint32_t> list) {
    std::vector<std::uint32_t> exponents(list.begin(), list.end());
    std::sort(exponents.begin(), exponents.end());
    std::uint32_t common = order_;
    for (const std::uint32_t e : exponents) common = std::gcd(common, e);
    const std::uint32_t n = order_ / common;
    if (n > Cyclotomic::max_conductor)
      throw LimitError("character_table: the values of the characters need roots of unity of too large order");
    if (exponents.size() == 1) return pool_(Cyclotomic::root_of_unity(n, exponents[0] / common));
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (const std::uint32_t e : exponents) {
      const auto k = static_cast<std::int64_t>(e / common);
      if (!terms.empty() && terms.back().first == k)
        terms.back().second += 1;
      else
        terms.emplace_back(k, 1);
    }
    return pool_(Cyclotomic::from_terms(n, terms));
  }

  ValuePool& pool_;
  std::uint32_t order_;
  std::size_t used_ = 0;
  std::vector<Slot> slots_;
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
      SupersolvableSeries::Word word = all.series().word(classes[c].representative);
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
    SupersolvableSeries::Word word;
    std::size_t column;
  };

  void fill(std::size_t i, const std::vector<std::uint32_t>& node) {
    const auto& rows = all_.irreducibles();
    constexpr std::uint32_t no_row = 0xffffffff;
    std::vector<std::uint32_t> least(all_.level(i).size(),
                                     no_row);  // a row of the least degree over the node
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (least[node[row]] == no_row || rows[row].degree < rows[least[node[row]]].degree) least[node[row]] = row;
    std::vector<std::vector<ValuePool::Number>> values(least.size());
    for (std::size_t k = 0; k < least.size(); ++k)
      if (all_.level(i)[k].extends) values[k] = evaluated(rows[least[k]], by_depth_[i]);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto& list = values[node[row]];
      if (list.empty()) continue;
      const std::uint32_t ratio = rows[row].degree / rows[least[node[row]]].degree;
      const ValuePool::Number factor = ratio == 1 ? ValuePool::one : writer_.pool()(std::int64_t{ratio});
      for (std::size_t j = 0; j < list.size(); ++j)
        if (list[j] != ValuePool::zero)
          writer_.set(row, by_depth_[i][j].column, ratio == 1 ? list[j] : writer_.pool().multiply(factor, list[j]));
    }
  }

  /// Words are in lexicographical order; matrices of their beginnings are kept from one to the next.
  std::vector<ValuePool::Number> evaluated(const Node& R, const std::vector<Place>& list) {
    task_.poll();
    const std::uint32_t d = R.degree;
    letters_.clear();
    products_.resize(1);
    products_[0].resize(d);
    for (std::uint32_t v = 0; v < d; ++v) products_[0][v] = {v, 0};
    std::vector<ValuePool::Number> result;
    std::vector<std::uint32_t> diagonal;
    const SupersolvableSeries::Word* before = nullptr;
    for (const auto& [word, column] : list) {
      std::size_t common = 0;
      if (before)
        while (common < before->size() && common < word.size() && (*before)[common] == word[common]) ++common;
      before = &word;
      if (products_.size() <= word.size()) products_.resize(word.size() + 1);
      for (std::size_t k = common; k < word.size(); ++k) multiply(R, products_[k], word[k], products_[k + 1]);
      diagonal.clear();
      const auto& A = products_[word.size()];
      for (std::uint32_t v = 0; v < d; ++v)
        if (A[v].point == v) diagonal.push_back(A[v].exponent);
      result.push_back(sums_(diagonal));
    }
    return result;
  }

  /// B = A R(letter)
  void multiply(const Node& R, const std::vector<MonomialEntry>& A, SupersolvableSeries::Letter letter,
                std::vector<MonomialEntry>& B) {
    B.resize(A.size());
    const std::uint32_t order = all_.roots();
    auto at = std::find_if(letters_.begin(), letters_.end(), [&](const auto& x) { return x.first == letter; });
    if (at == letters_.end()) {
      std::vector<MonomialEntry> image;
      for (std::uint32_t v = 0; v < A.size(); ++v) image.push_back(all_.apply(R, std::span(&letter, 1), {v, 0}));
      if (letters_.size() >= most_letters) letters_.clear();
      at = letters_.insert(letters_.end(), {letter, std::move(image)});
    }
    for (std::uint32_t v = 0; v < A.size(); ++v) {
      const MonomialEntry y = at->second[v], &z = A[y.point];
      const std::uint32_t e = y.exponent + z.exponent;
      B[v] = {z.point, e >= order ? e - order : e};
    }
  }

  const MonomialRepresentations& all_;
  const Task& task_;
  RawTableWriter writer_;
  RootSums sums_;
  std::vector<std::vector<Place>> by_depth_;
  static constexpr std::size_t most_letters = 48;
  std::vector<std::pair<SupersolvableSeries::Letter, std::vector<MonomialEntry>>>
      letters_;  ///< images of letters in the representation at hand
  std::vector<std::vector<MonomialEntry>> products_;
};

}  // namespace

std::vector<std::size_t> table_rows(const MonomialRepresentations& all, const CharacterTable& table, const Task& task) {
  const std::size_t n = table.size();
  const RawTable raw = Traces(table.classes(), all, task).run();
  const auto mixed = [](std::uint64_t h, std::uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
    return h ^ (h >> 31);
  };
  std::vector<std::uint64_t> hashes;
  for (const Cyclotomic& a : raw.pool) hashes.push_back(a.hash());
  std::unordered_multimap<std::uint64_t, std::size_t> rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t h = 0;
    for (std::size_t c = 0; c < n; ++c) h = mixed(h, table(i, c).hash());
    rows.emplace(h, i);
  }
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < all.irreducibles().size(); ++k) {
    task.poll();
    std::uint64_t h = 0;
    for (std::size_t c = 0; c < n; ++c) h = mixed(h, hashes[raw.values[k * n + c]]);
    const auto [first, last] = rows.equal_range(h);
    const auto at = std::find_if(first, last, [&](const auto& candidate) {
      for (std::size_t c = 0; c < n; ++c)
        if (!(table(candidate.second, c) == raw.pool[raw.values[k * n + c]])) return false;
      return true;
    });
    if (at == last) throw InternalError("monomial representations: a character is not in the table of its group");
    result.push_back(at->second);
  }
  return result;
}

bool may_be_supersolvable(const ConjugacyClasses& classes) {
  const Integer& order = classes.group().order();
  if (order == 1) return true;
  if (order > Integer(std::uint64_t{1} << 31)) return false;
  const std::vector<PrimePower> factors = factorization(order.convert_to<std::uint64_t>());
  if (factors.size() == 1) return true;
  // The elements whose orders have only the largest primes are a normal subgroup, and some subgroup of prime order is
  // normal: its generators are a class or several of equal size below the prime.
  Integer part = 1;
  for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
    const std::uint64_t p = factor->prime;
    part *= pow(Integer(p), factor->exponent);
    Integer count = 0;
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (part % classes[c].element_order == 0) count += classes[c].size;
    if (count != part) return false;
  }
  for (std::size_t c = 1; c < classes.size(); ++c)
    if (is_prime(classes[c].element_order) && (classes[c].element_order - 1) % classes[c].size == 0) return true;
  return false;
}

std::optional<RawTable> supersolvable_table(const ConjugacyClasses& classes, const Task& task) {
  const auto series = SupersolvableSeries::find(classes.group(), task);
  if (!series) return std::nullopt;
  const MonomialRepresentations all(*series, classes.size(), task);
  if (all.irreducibles().size() != classes.size())
    throw InternalError("character_table: there are not as many representations as classes");
  return Traces(classes, all, task).run();
}

}  // namespace intertwine
