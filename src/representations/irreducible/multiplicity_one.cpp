// Searches for linear characters of subgroups in which a character occurs once.
#include "multiplicity_one.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "intertwine/groups/conjugacy_classes.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "subgroup_candidates.hpp"

namespace intertwine {

namespace {

/// Subgroups up to this order are listed, as long as their elements have no more images than most_images; of others the conjugacy
/// classes are found. It makes no difference to what is found.
constexpr unsigned longest_list = 20'000, most_images = 2'000'000;
/// The search for a character is over after this work if it has a pair over the smallest field, and in any case after
/// most_work. The unit is one element identified.
constexpr std::uint64_t work_for_better = 600'000, most_work = 20'000'000;

/// Restricts characters to subgroups and keeps the best pairs. The search for one character does not depend on which
/// others are searched for.
class PairSearch {
 public:
  /// Subgroups of a larger index than most_index are not looked at.
  PairSearch(const GaloisTable& table, const std::vector<std::size_t>& rows, std::uint64_t most_index, const Task& task)
      : table_(table), task_(task), order_(table.table().group().order()), most_index_(most_index) {
    for (const std::size_t i : rows) {
      Goal goal;
      goal.row = i;
      goal.degree = table.table().degree(i).convert_to<std::uint64_t>();
      goal.least_extension = table.table().indicator(i) == -1 ? 2 : 1;
      goals_.push_back(std::move(goal));
    }
  }

  /// Nothing is left to search for.
  bool complete() const {
    return std::all_of(goals_.begin(), goals_.end(), [](const Goal& g) { return g.settled(); });
  }
  bool useful(const Integer& subgroup_order) const {
    const Integer index = order_ / subgroup_order;
    return std::any_of(goals_.begin(), goals_.end(), [&](const Goal& g) { return improves(g, index); });
  }
  void consider(const FiniteGroup& H);
  /// Kernels of the linear characters found whose values are in a quadratic extension: what a character induces from its kernel is
  /// over Q, and has chi twice where no power of it that is over Q(chi) occurs.
  void consider_kernels();

  std::vector<FoundPairs> pairs() const {
    std::vector<FoundPairs> result;
    for (const Goal& g : goals_) {
      const bool wanted = g.pair && g.pair->extension > 1 && g.least_extension == 1;
      result.push_back({g.pair, wanted ? g.twice : std::nullopt});
    }
    return result;
  }

 private:
  struct Goal {
    std::size_t row = 0;
    std::uint64_t degree = 0;
    std::uint32_t least_extension = 1;
    std::uint64_t work = 0;  ///< on subgroups that could have served this character
    std::optional<LinearPair> pair, twice;

    using Key = std::tuple<std::uint32_t, bool, std::uint64_t, std::uint32_t>;
    Key key(std::uint32_t extension, std::uint64_t index, std::uint32_t order) const {
      return {extension, index != degree, index, order};
    }
    bool better(std::uint32_t extension, std::uint64_t index, std::uint32_t order) const {
      return !pair || key(extension, index, order) < key(pair->extension, pair->index, pair->order);
    }
    bool better_twice(std::uint32_t extension, std::uint64_t index) const {
      return extension == 1 && least_extension == 1 && !(pair && pair->extension == 1) &&
             (!twice || index < twice->index);
    }
    bool settled() const {
      if (work >= most_work) return true;
      if (!pair || pair->extension != least_extension) return false;
      if (pair->index == degree) return true;
      return work > (pair->index == degree + 1 ? work_for_better / 20 : work_for_better);
    }
  };
  bool improves(const Goal& g, const Integer& index) const {
    return !g.settled() && index >= g.degree && index <= most_index_ &&
           g.better(g.least_extension, index.convert_to<std::uint64_t>(), 1);
  }
  static constexpr std::uint64_t largest_order = std::uint64_t{1} << 62;  ///< counts are words

  bool wants_twice(const Goal& g) const {
    return g.pair && g.pair->extension == 2 && g.least_extension == 1 && !g.twice;
  }
  struct Counts {
    std::vector<std::uint32_t> classes;  ///< the classes that meet H
    /// The numbers of elements of each of these, in every coset of H'.
    std::vector<std::vector<std::uint64_t>> elements;
    std::uint64_t work = 0;
  };
  Counts count(const LinearCharacters& linear) const;
  void compare(const std::shared_ptr<const LinearCharacters>& all, const Counts& counts, std::size_t k);

  const GaloisTable& table_;
  const Task& task_;
  Integer order_;
  std::uint64_t most_index_;
  std::vector<Goal> goals_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> extensions_;
  std::set<std::vector<std::uint64_t>> seen_;  ///< how often subgroups meet the classes
};

PairSearch::Counts PairSearch::count(const LinearCharacters& linear) const {
  const FiniteGroup& H = linear.group();
  const ConjugacyClasses& classes = table_.table().classes();
  std::vector<std::int32_t> place(classes.size(), -1);
  Counts counts;
  const auto add = [&](const Permutation& h, std::size_t coset, std::uint64_t number) {
    const std::size_t c = classes.index_of_element(h);
    if (place[c] < 0) {
      place[c] = static_cast<std::int32_t>(counts.classes.size());
      counts.classes.push_back(static_cast<std::uint32_t>(c));
      counts.elements.emplace_back(linear.size(), 0);
    }
    counts.elements[static_cast<std::size_t>(place[c])][coset] += number;
  };
  if (H.order() > longest_list || H.order() * H.degree() > most_images) {
    const ConjugacyClasses own = conjugacy_classes(H, task_);
    for (std::size_t k = 0; k < own.size(); ++k)
      add(own[k].representative, linear.coset_of(own[k].representative), own[k].size.convert_to<std::uint64_t>());
    counts.work = std::min(H.order(), Integer(longest_list)).convert_to<std::uint64_t>();
    return counts;
  }
  for (std::size_t t = 0; t < linear.size(); ++t) {
    const Permutation& g = linear.representative(t);
    linear.derived().chain(task_).for_each_element(
        [&](const Permutation& d) {
          add(g * d, t, 1);
          return true;
        },
        task_);
  }
  counts.work = H.order().convert_to<std::uint64_t>();
  return counts;
}

void PairSearch::compare(const std::shared_ptr<const LinearCharacters>& all, const Counts& counts, std::size_t k) {
  const LinearCharacters& linear = *all;
  const PrimeField& field = table_.space().field;
  const std::vector<std::uint32_t> exponents = linear.character(k);
  const std::uint32_t order = linear.order(exponents), e = linear.exponent();
  const std::uint64_t index = (order_ / linear.group().order()).convert_to<std::uint64_t>();
  std::vector<PrimeField::Element> sums;  // of conj(l) over the classes
  for (Goal& goal : goals_) {
    if (!improves(goal, Integer(index))) continue;
    auto [at, is_new] = extensions_.try_emplace({goal.row, order}, 0);
    if (is_new) at->second = table_.extension_degree(goal.row, order);
    const bool better = goal.better(at->second, index, order), better_twice = goal.better_twice(at->second, index);
    if (!better && !better_twice) continue;
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
    const PrimeField::Element once = field.from(linear.group().order());
    const bool is_once = better && product == once, is_twice = better_twice && product == field.add(once, once);
    if (!is_once && !is_twice) continue;
    std::vector<std::uint32_t> reduced = exponents;
    for (std::uint32_t& x : reduced) x /= e / order;
    (is_once ? goal.pair : goal.twice) = LinearPair{all, order, std::move(reduced), index, at->second};
  }
}

void PairSearch::consider(const FiniteGroup& H) {
  constexpr std::size_t most_characters = 4096;
  const Integer index = order_ / H.order();
  if (!useful(H.order()) || H.order() > largest_order) return;
  const auto all = std::make_shared<const LinearCharacters>(H, task_);
  const LinearCharacters& linear = *all;
  if (linear.size() > most_characters) return;
  Counts counts = count(linear);
  counts.work += linear.size() * counts.classes.size() / 4;
  std::vector<std::uint64_t> signature(table_.table().size() + 1, 0);
  signature.back() = linear.size();
  for (std::size_t c = 0; c < counts.classes.size(); ++c)
    signature[counts.classes[c]] =
        std::accumulate(counts.elements[c].begin(), counts.elements[c].end(), std::uint64_t{0});
  const bool is_new = seen_.insert(std::move(signature)).second;
  std::vector<std::size_t> served;
  for (std::size_t i = 0; i < goals_.size(); ++i)
    if (improves(goals_[i], index)) served.push_back(i);
  for (std::size_t k = 0; is_new && k < linear.size(); ++k) {
    task_.poll();
    compare(all, counts, k);
  }
  for (const std::size_t i : served) goals_[i].work += counts.work;
}

void PairSearch::consider_kernels() {
  const std::vector<Goal> all = goals_;
  std::vector<Goal> done;
  for (const Goal& goal : all) {
    goals_ = {goal};
    if (wants_twice(goal)) {
      const LinearCharacters& linear = *goal.pair->linear;
      std::vector<Permutation> generators = linear.derived().generators();
      for (std::size_t t = 1; t < linear.size(); ++t)
        if (goal.pair->exponents[t] == 0) generators.push_back(linear.representative(t));
      seen_.clear();
      goals_[0].work = 0;
      consider(FiniteGroup(linear.group().degree(), std::move(generators)));
    }
    done.push_back(std::move(goals_[0]));
  }
  goals_ = std::move(done);
}

std::vector<FoundPairs> search_pairs(const GaloisTable& table, const std::vector<std::size_t>& rows,
                                     std::uint64_t most_index, const Task& task) {
  PairSearch search(table, rows, most_index, task);
  SubgroupCandidates candidates(table.table().classes(), task);
  while (!search.complete()) {
    const std::optional<FiniteGroup> H = candidates.next();
    if (!H) break;
    task.poll();
    search.consider(*H);
  }
  search.consider_kernels();
  return search.pairs();
}

}  // namespace

std::uint64_t largest_index(const FiniteGroup& G) {
  constexpr std::uint64_t most_points = 100'000'000;
  return std::min<std::uint64_t>(300'000, most_points / std::max<std::uint64_t>(G.degree(), 1));
}

std::vector<FoundPairs> multiplicity_one_pairs(const GaloisTable& table, const std::vector<std::size_t>& rows,
                                               const Task& task) {
  std::vector<FoundPairs> pairs = search_pairs(table, rows, usual_index, task);
  std::vector<std::size_t> left, places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!pairs[i].once) {
      left.push_back(rows[i]);
      places.push_back(i);
    }
  const Integer& order = table.table().group().order();
  if (left.empty() || order <= usual_index) return pairs;
  auto more = search_pairs(table, left, largest_index(table.table().group()), task);
  for (std::size_t k = 0; k < left.size(); ++k) pairs[places[k]] = std::move(more[k]);
  return pairs;
}

}  // namespace intertwine
