// Makes proofs of character tables by induced characters.
#include "intertwine/characters/character_proof.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "intertwine/characters/linear_characters.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"
#include "intertwine/groups/sylow.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

using Coordinates = std::vector<std::int64_t>;

/// A subgroup of Z^n by rows in echelon form.
class IntegerSpan {
 public:
  explicit IntegerSpan(std::size_t n) : rows_(n), missing_(n) {}

  /// True if it grows by v.
  bool insert(const Coordinates& coordinates) {
    std::vector<Integer> v(coordinates.begin(), coordinates.end());
    bool grown = false;
    for (std::size_t c = 0; c < v.size(); ++c) {
      if (v[c] == 0) continue;
      auto& row = rows_[c];
      if (row.empty()) {
        if (v[c] < 0)
          for (Integer& x : v) x = -x;
        row = std::move(v);
        missing_ -= row[c] == 1 ? 1 : 0;
        reduce(c);
        return true;
      }
      const Integer before = row[c];
      while (v[c] != 0) {  // Euclid's algorithm
        const Integer quotient = row[c] / v[c];
        for (std::size_t j = c; j < v.size(); ++j) row[j] -= quotient * v[j];
        std::swap(row, v);
      }
      if (row[c] < 0)
        for (std::size_t j = c; j < v.size(); ++j) row[j] = -row[j];
      if (row[c] != before) {
        grown = true;
        missing_ -= row[c] == 1 ? 1 : 0;
      }
      reduce(c);
    }
    return grown;
  }
  bool full() const { return missing_ == 0; }

 private:
  /// Row c modulo those below, so that its entries stay small.
  void reduce(std::size_t c) {
    auto& row = rows_[c];
    for (std::size_t d = c + 1; d < row.size(); ++d) {
      if (rows_[d].empty() || row[d] == 0) continue;
      const Integer quotient = row[d] / rows_[d][d];
      if (quotient == 0) continue;
      for (std::size_t j = d; j < row.size(); ++j) row[j] -= quotient * rows_[d][j];
    }
  }
  std::vector<std::vector<Integer>> rows_;  ///< rows_[c] begins at column c, with a positive number; or is empty
  std::size_t missing_;                     ///< how many of these numbers are not 1
};

/// Induced characters, as long as they enlarge what is spanned.
class InducedCharacters {
 public:
  InducedCharacters(const CharacterTable& table, CharacterProof& proof, const Task& task)
      : table_(table),
        proof_(proof),
        task_(task),
        powers_(table.classes()),
        space_(table.classes(), powers_, 2 * sqrt(table.group().order()) + 2),
        span_(table.size()) {
    for (std::size_t i = 0; i < table.size(); ++i)
      rows_.push_back(residues(space_.field, table.row(i), powers_.exponent));
    find();
  }

  const std::vector<Coordinates>& coordinates() const { return coordinates_; }

 private:
  static constexpr std::uint64_t small_order = 2000;

  void find() {
    const ConjugacyClasses& classes = table_.classes();
    if (table_.group().order() <= small_order && linear(table_.group())) return;
    std::vector<std::size_t> order(classes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return classes[a].centralizer_order > classes[b].centralizer_order;
    });
    std::set<std::size_t> done;
    for (const std::size_t c : order) {
      if (classes[c].centralizer_order > small_order || classes[c].size == 1 || done.contains(c)) continue;
      for (std::uint64_t k = 1; k < classes[c].element_order; ++k)
        if (std::gcd(k, classes[c].element_order) == 1) done.insert(powers_(c, k));
      if (linear(centralizer(table_.group(), classes[c].representative, task_))) return;
    }
    for (const std::size_t c : order)
      if (linear(subgroup(table_.group(), {classes[c].representative}))) return;
    elementary();
  }

  /// All subgroups that Brauer's theorem asks for, one after the other.
  void elementary() {
    std::deque<std::pair<FiniteGroup, std::uint64_t>> queue;
    for (const auto& [prime, map] : table_.power_maps())
      for (std::size_t c = 0; c < table_.size(); ++c) {
        const ConjugacyClass& z = table_.classes()[c];
        if (z.element_order % prime == 0) continue;
        const FiniteGroup C = centralizer(table_.group(), z.representative, task_);
        std::vector<Permutation> generators = sylow_subgroup(C, prime, task_).generators();
        if (generators.empty()) continue;  // cyclic
        generators.push_back(z.representative);
        queue.emplace_back(subgroup(table_.group(), std::move(generators)), prime);
      }
    for (; !queue.empty(); queue.pop_front()) {
      task_.poll();
      const auto& [H, p] = queue.front();
      if (linear(H)) return;
      for (FiniteGroup& M : maximal_subgroups(H, p)) queue.emplace_back(std::move(M), p);
    }
    throw InternalError("character_proof: Brauer's theorem fails for this table");
  }

  /// The normal subgroups of index p: kernels of linear characters with values of order p.
  std::vector<FiniteGroup> maximal_subgroups(const FiniteGroup& H, std::uint64_t p) const {
    const LinearCharacters characters(H, task_);
    std::vector<FiniteGroup> found;
    std::set<std::vector<char>> seen;  // kernels, one for every p - 1 characters
    for (std::size_t k = 1; k < characters.size(); ++k) {
      const auto values = characters.character(k);
      if (characters.order(values) != p) continue;
      std::vector<char> kernel;
      std::vector<Permutation> generators = characters.derived().generators();
      for (std::size_t c = 0; c < values.size(); ++c) {
        kernel.push_back(values[c] == 0 ? 1 : 0);
        if (values[c] == 0) generators.push_back(characters.representative(c));
      }
      if (!seen.insert(std::move(kernel)).second) continue;
      std::vector<Permutation> few;  // that generate it
      FiniteGroup M(H.degree(), {});
      for (Permutation& g : generators) {
        if (M.contains(g)) continue;
        few.push_back(std::move(g));
        M = FiniteGroup(H.degree(), few);
      }
      found.push_back(std::move(M));
    }
    return found;
  }

  /// Adds the linear characters of H, induced, that enlarge the span; true if nothing is missing any more. The
  /// multiplicity of chi is <chi restricted to H, lambda>, a small integer that is known modulo p.
  bool linear(const FiniteGroup& H) {
    task_.progress("induced characters", coordinates_.size(), table_.size());
    const PrimeField& f = space_.field;
    const LinearCharacters characters(H, task_);
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> count;  // of elements in a coset of H' and a class of G
    H.chain().for_each_element(
        [&](const Permutation& h) {
          ++count[{characters.coset_of(h), table_.classes().index_of_element(h)}];
          return true;
        },
        task_);
    const PrimeField::Element whole = f.inverse(f.from(H.order()));
    std::vector<std::vector<PrimeField::Element>> sums(table_.size());  // of every row over every coset
    for (std::size_t i = 0; i < table_.size(); ++i) {
      task_.poll();
      sums[i].assign(characters.size(), 0);
      for (const auto& [place, n] : count)
        sums[i][place.first] = f.add(sums[i][place.first], f.multiply(f.from(n), rows_[i][place.second]));
    }
    std::optional<std::size_t> number;
    for (std::size_t k = 0; k < characters.size() && !span_.full(); ++k) {
      const auto values = characters.character(k);
      const std::uint32_t e = characters.exponent();
      Coordinates v;
      for (std::size_t i = 0; i < table_.size(); ++i) {
        if (i % 64 == 0) task_.poll();  // each row takes as many steps as H has linear characters
        PrimeField::Element sum = 0;
        for (std::size_t c = 0; c < values.size(); ++c)
          if (sums[i][c] != 0) sum = f.add(sum, f.multiply(sums[i][c], space_.root(e, (e - values[c]) % e)));
        v.push_back(f.symmetric(f.multiply(whole, sum)));
      }
      if (!span_.insert(v)) continue;
      if (!number) {
        number = proof_.subgroups.size();
        proof_.subgroups.push_back(H.generators());
      }
      CharacterProof::Linear lambda{*number, e, {}};
      for (const Permutation& g : H.generators()) lambda.exponents.push_back(values[characters.coset_of(g)]);
      proof_.linear.push_back(std::move(lambda));
      coordinates_.push_back(std::move(v));
    }
    return span_.full();
  }

  const CharacterTable& table_;
  CharacterProof& proof_;
  const Task& task_;
  PowerTable powers_;
  ModularCharacters space_;
  ModularTable rows_;
  IntegerSpan span_;
  std::vector<Coordinates> coordinates_;
};

/// Rows C with C V = 1, V having the coordinates for its rows: those that are induced themselves first; the others by
/// reducing [w V' | 1], V' being V in the columns that are left and w so large that the rows with V' = 0 come first.
std::vector<std::vector<std::pair<std::size_t, Integer>>> combinations_of(const std::vector<Coordinates>& V,
                                                                          const Task& task) {
  const std::size_t n = V.empty() ? 0 : V[0].size();
  std::vector<std::vector<std::pair<std::size_t, Integer>>> result(n);
  std::vector<std::size_t> others, columns;
  for (std::size_t k = 0; k < V.size(); ++k) {
    const auto first = std::find_if(V[k].begin(), V[k].end(), [](std::int64_t x) { return x != 0; });
    auto& row = result[static_cast<std::size_t>(first - V[k].begin())];
    if (*first == 1 && std::all_of(first + 1, V[k].end(), [](std::int64_t x) { return x == 0; }) && row.empty())
      row.emplace_back(k, 1);
    else
      others.push_back(k);
  }
  for (std::size_t i = 0; i < n; ++i)
    if (result[i].empty()) columns.push_back(i);
  if (columns.empty()) return result;
  task.poll();
  const std::size_t m = columns.size();
  IntegerMatrix A(others.size(), m + others.size());
  const Integer weight = Integer(1) << 40;
  for (std::size_t k = 0; k < others.size(); ++k) {
    for (std::size_t j = 0; j < m; ++j) A.set(k, j, weight * V[others[k]][columns[j]]);
    A.set(k, m + k, 1);
  }
  const IntegerMatrix reduced = lll(A);
  const std::size_t relations = reduced.rows() - m;
  const IntegerMatrix B = exact_quotient(reduced.block(relations, 0, m, m), weight);
  const RationalMatrix C = inverse(B, task) * RationalMatrix(reduced.block(relations, m, m, others.size()));
  for (std::size_t i = 0; i < m; ++i) {
    std::map<std::size_t, Integer> row;
    for (std::size_t k = 0; k < others.size(); ++k) {
      const Rational entry = C(i, k);
      if (entry == 0) continue;
      if (denominator(entry) != 1) throw InternalError("character_proof: the characters found do not span");
      row[others[k]] += numerator(entry);
      for (std::size_t j = 0; j < n; ++j)  // what it has of rows that are induced themselves
        if (V[others[k]][j] != 0 && !std::binary_search(columns.begin(), columns.end(), j))
          row[result[j][0].first] -= numerator(entry) * V[others[k]][j];
    }
    for (const auto& [k, c] : row)
      if (c != 0) result[columns[i]].emplace_back(k, c);
  }
  return result;
}

/// Leaves out what no combination needs.
void tidy(CharacterProof& proof) {
  std::vector<char> used(proof.linear.size(), 0), used_subgroup(proof.subgroups.size(), 0);
  for (const auto& row : proof.combinations)
    for (const auto& [k, c] : row) used[k] = used_subgroup[proof.linear[k].subgroup] = 1;
  std::vector<std::size_t> number(used.size()), subgroup_number(used_subgroup.size());
  std::vector<std::vector<Permutation>> subgroups;
  for (std::size_t s = 0; s < used_subgroup.size(); ++s) {
    subgroup_number[s] = subgroups.size();
    if (used_subgroup[s] != 0) subgroups.push_back(std::move(proof.subgroups[s]));
  }
  std::vector<CharacterProof::Linear> linear;
  for (std::size_t k = 0; k < used.size(); ++k) {
    number[k] = linear.size();
    if (used[k] == 0) continue;
    linear.push_back(std::move(proof.linear[k]));
    linear.back().subgroup = subgroup_number[linear.back().subgroup];
  }
  for (auto& row : proof.combinations)
    for (auto& [k, c] : row) k = number[k];
  proof.subgroups = std::move(subgroups);
  proof.linear = std::move(linear);
}

}  // namespace

CharacterProof character_proof(const CharacterTable& table, const Task& task) {
  CharacterProof proof{order_proof(table.group(), task), {}, {}, {}};
  const InducedCharacters induced(table, proof, task);
  proof.combinations = combinations_of(induced.coordinates(), task);
  tidy(proof);
  return proof;
}

}  // namespace intertwine
