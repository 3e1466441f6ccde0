#include "multiplicity_one.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "intertwine/groups/stabilizer_chain.hpp"
#include "subgroup_candidates.hpp"

namespace intertwine {

namespace {

/// Restricts characters to subgroups and keeps the best pairs.
class PairSearch {
 public:
  PairSearch(const GaloisTable& table, const std::vector<std::size_t>& rows, const Task& task)
      : table_(table), task_(task), order_(table.table().group().order()) {
    for (const std::size_t i : rows) {
      Goal goal;
      goal.row = i;
      goal.degree = table.table().degree(i).convert_to<std::uint64_t>();
      goal.least_extension = table.table().indicator(i) == -1 ? 2 : 1;
      goals_.push_back(std::move(goal));
    }
  }

  /// Elements looked at so far: the measure of the work.
  std::uint64_t work() const { return work_; }
  /// Every goal has a pair over the smallest field; with `monomial` also of the smallest index.
  bool complete(bool monomial) const {
    return std::all_of(goals_.begin(), goals_.end(), [&](const Goal& g) {
      return g.pair && g.pair->extension == g.least_extension && (!monomial || g.pair->index == g.degree);
    });
  }
  bool useful(const Integer& subgroup_order) const {
    const Integer index = order_ / subgroup_order;
    return std::any_of(goals_.begin(), goals_.end(), [&](const Goal& g) { return g.improves(index); });
  }
  void consider(const FiniteGroup& H);

  std::vector<std::optional<LinearPair>> pairs() const {
    std::vector<std::optional<LinearPair>> result;
    for (const Goal& g : goals_) result.push_back(g.pair);
    return result;
  }

 private:
  struct Goal {
    std::size_t row = 0;
    std::uint64_t degree = 0;
    std::uint32_t least_extension = 1;
    std::optional<LinearPair> pair;

    using Key = std::tuple<std::uint32_t, bool, std::uint64_t, std::uint32_t>;
    Key key(std::uint32_t extension, std::uint64_t index, std::uint32_t order) const {
      return {extension, index != degree, index, order};
    }
    bool better(std::uint32_t extension, std::uint64_t index, std::uint32_t order) const {
      return !pair || key(extension, index, order) < key(pair->extension, pair->index, pair->order);
    }
    bool improves(const Integer& index) const {
      return index >= degree && index <= longest_orbit &&
             better(least_extension, index.convert_to<std::uint64_t>(), 1);
    }
  };
  static constexpr unsigned longest_orbit = 20'000;

  struct Counts {
    std::vector<std::uint32_t> classes;                ///< those that meet H
    std::vector<std::vector<std::uint32_t>> elements;  ///< of each of these, in every coset of H'
  };
  Counts count(const LinearCharacters& linear);
  void compare(const std::shared_ptr<const LinearCharacters>& all, const Counts& counts, std::size_t k);

  const GaloisTable& table_;
  const Task& task_;
  Integer order_;
  std::vector<Goal> goals_;
  std::uint64_t work_ = 0;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> extensions_;
  std::set<std::vector<std::uint32_t>> seen_;  ///< how often subgroups meet the classes
};

PairSearch::Counts PairSearch::count(const LinearCharacters& linear) {
  const ConjugacyClasses& classes = table_.table().classes();
  std::vector<std::int32_t> place(classes.size(), -1);
  Counts counts;
  for (std::size_t t = 0; t < linear.size(); ++t) {
    const Permutation& g = linear.representative(t);
    linear.derived().chain(task_).for_each_element(
        [&](const Permutation& d) {
          const std::size_t c = classes.index_of_element(g * d);
          if (place[c] < 0) {
            place[c] = static_cast<std::int32_t>(counts.classes.size());
            counts.classes.push_back(static_cast<std::uint32_t>(c));
            counts.elements.emplace_back(linear.size(), 0);
          }
          ++counts.elements[static_cast<std::size_t>(place[c])][t];
          ++work_;
          return true;
        },
        task_);
  }
  return counts;
}

void PairSearch::compare(const std::shared_ptr<const LinearCharacters>& all, const Counts& counts,
                         std::size_t k) {
  const LinearCharacters& linear = *all;
  const PrimeField& field = table_.space().field;
  const std::vector<std::uint32_t> exponents = linear.character(k);
  const std::uint32_t order = linear.order(exponents), e = linear.exponent();
  const std::uint64_t index = (order_ / linear.group().order()).convert_to<std::uint64_t>();
  std::vector<PrimeField::Element> sums;  // of conj(l) over the classes
  for (Goal& goal : goals_) {
    if (!goal.improves(Integer(index))) continue;
    auto [at, is_new] = extensions_.try_emplace({goal.row, order}, 0);
    if (is_new) at->second = table_.extension_degree(goal.row, order);
    if (!goal.better(at->second, index, order)) continue;
    if (sums.empty())
      for (const auto& elements : counts.elements) {
        PrimeField::Element sum = 0;
        for (std::size_t t = 0; t < elements.size(); ++t)
          if (elements[t] != 0)
            sum = field.add(sum, field.multiply(field.from(static_cast<std::int64_t>(elements[t])),
                                                table_.space().root(e, e - exponents[t])));
        sums.push_back(sum);
      }
    PrimeField::Element product = 0;
    for (std::size_t c = 0; c < sums.size(); ++c)
      product = field.add(product, field.multiply(sums[c], table_.row(goal.row)[counts.classes[c]]));
    if (product != field.from(linear.group().order())) continue;
    std::vector<std::uint32_t> reduced = exponents;
    for (std::uint32_t& x : reduced) x /= e / order;
    goal.pair = LinearPair{all, order, std::move(reduced), index, at->second};
  }
}

void PairSearch::consider(const FiniteGroup& H) {
  constexpr std::size_t most_characters = 4096;
  if (!useful(H.order())) return;
  const auto all = std::make_shared<const LinearCharacters>(H, task_);
  const LinearCharacters& linear = *all;
  if (linear.size() > most_characters) return;
  const Counts counts = count(linear);
  std::vector<std::uint32_t> signature(table_.table().size() + 1, 0);
  signature.back() = static_cast<std::uint32_t>(linear.size());
  for (std::size_t c = 0; c < counts.classes.size(); ++c)
    signature[counts.classes[c]] =
        std::accumulate(counts.elements[c].begin(), counts.elements[c].end(), std::uint32_t{0});
  if (!seen_.insert(std::move(signature)).second) return;
  work_ += linear.size() * counts.classes.size() / 4;
  for (std::size_t k = 0; k < linear.size(); ++k) {
    task_.poll();
    compare(all, counts, k);
  }
}

}  // namespace

std::vector<std::optional<LinearPair>> multiplicity_one_pairs(const GaloisTable& table,
                                                              const std::vector<std::size_t>& rows,
                                                              const Task& task) {
  constexpr std::uint64_t work_for_better = 600'000, most_work = 20'000'000;
  constexpr std::uint64_t largest_subgroup = 200'000;
  PairSearch search(table, rows, task);
  SubgroupCandidates candidates(table.table().classes(), task);
  while (!search.complete(true) && search.work() < most_work &&
         !(search.work() > work_for_better && search.complete(false))) {
    const std::optional<FiniteGroup> H = candidates.next();
    if (!H) break;
    task.poll();
    if (H->order() <= largest_subgroup && search.useful(H->order())) search.consider(*H);
  }
  return search.pairs();
}

}  // namespace intertwine
