// Subgroups in which linear characters are looked for.
#include "subgroup_candidates.hpp"

#include <algorithm>
#include <numeric>

#include "intertwine/groups/orbits.hpp"
#include "intertwine/groups/stabilizer_chain.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

constexpr std::size_t most_classes = 60, most_in_pool = 200;
constexpr unsigned random_rounds = 60;

}  // namespace

SubgroupCandidates::SubgroupCandidates(const ConjugacyClasses& classes, const Task& task)
    : classes_(classes), G_(classes.group()), task_(task) {
  std::vector<char> seen(classes.size(), 0);
  for (std::size_t c = 1; c < classes.size() && cyclic_.size() < most_classes; ++c) {
    if (seen[c] != 0) continue;
    cyclic_.push_back(c);
    const std::uint64_t n = classes[c].element_order;
    for (std::uint64_t k = 1; k < n; ++k)
      if (std::gcd(k, n) == 1) seen[classes.index_of_element(classes[c].representative.power(Integer(k)))] = 1;
  }
}

std::optional<FiniteGroup> SubgroupCandidates::next() {
  while (queue_.empty() && stage_ < 7 + random_rounds) refill();
  if (queue_.empty()) return std::nullopt;
  FiniteGroup H = std::move(queue_.front());
  queue_.pop_front();
  return H;
}

void SubgroupCandidates::refill() {
  task_.poll();
  switch (stage_++) {
    case 0:
      queue_.push_back(G_);
      for (const FiniteGroup& D : derived_series(G_, task_)) add(D);
      break;
    case 1:
      add_stabilizers();
      break;
    case 2:
      add_set_stabilizers();
      break;
    case 3:
      add_centralizers();
      break;
    case 4:
      for (const std::size_t c : cyclic_) add(FiniteGroup(G_.degree(), {classes_[c].representative}));
      break;
    case 5:
      add_normal_closures();
      break;
    case 6:
      add_abelian_subgroups();
      break;
    default:
      add_random_subgroups();
  }
}

void SubgroupCandidates::add(FiniteGroup H) {
  const Integer& order = H.order(task_);
  if (order == G_.order()) return;
  if (order > 1 && pool_.size() < most_in_pool) pool_.push_back(H);
  queue_.push_back(std::move(H));
}

void SubgroupCandidates::add_stabilizers() {
  for (const auto& orbit : orbits(G_.degree(), G_.generators())) {
    if (orbit.size() == 1) continue;
    FiniteGroup H = stabilizer(G_, orbit[0], task_);
    while (H.order() > 1) {
      add(H);
      const auto parts = orbits(H.degree(), H.generators());
      const auto longest = std::max_element(parts.begin(), parts.end(),
                                            [](const auto& a, const auto& b) { return a.size() < b.size(); });
      H = stabilizer(H, (*longest)[0], task_);
    }
  }
}

void SubgroupCandidates::add_set_stabilizers() {
  const std::size_t n = G_.degree();
  if (n > 400) return;
  for (const auto& orbit : orbits(n, G_.generators())) {
    for (std::size_t size = 2; size <= 6 && 2 * size <= orbit.size(); ++size)
      for (int trial = 0; trial < 3; ++trial) {
        std::vector<Point> set;
        while (set.size() < size) {
          const Point x = trial == 0 ? orbit[set.size()] : orbit[rng_.below(orbit.size())];
          if (std::find(set.begin(), set.end(), x) == set.end()) set.push_back(x);
        }
        add(set_stabilizer(G_, set, task_));
      }
  }
}

void SubgroupCandidates::add_centralizers() {
  for (const std::size_t c : cyclic_) {
    const Permutation& g = classes_[c].representative;
    const FiniteGroup C = centralizer(G_, g, task_);
    add_normalizer(g, C);
    add(C);
  }
}

/// The centralizer together with elements that take g to its conjugate powers.
void SubgroupCandidates::add_normalizer(const Permutation& g, const FiniteGroup& C) {
  const auto n = g.order().convert_to<std::uint64_t>();
  std::vector<Permutation> generators = C.generators();
  for (std::uint64_t k = 2; k < std::min<std::uint64_t>(n, 64); ++k)
    if (std::gcd(k, n) == 1)
      if (const auto x = conjugating_element(G_, g, g.power(Integer(k)), task_)) generators.push_back(*x);
  if (generators.size() > C.generators().size()) add(FiniteGroup(G_.degree(), std::move(generators)));
}

void SubgroupCandidates::add_normal_closures() {
  std::size_t count = 0;
  for (const std::size_t c : cyclic_)
    if (++count <= 30) {
      const FiniteGroup N = normal_closure(G_, {classes_[c].representative}, task_);
      if (N.order() < G_.order()) add(N);
    }
}

/// Down the centralizers of random elements until they are abelian.
void SubgroupCandidates::add_abelian_subgroups() {
  for (std::size_t k = 0; k < std::min<std::size_t>(cyclic_.size(), 30); ++k) {
    std::vector<Permutation> generators{classes_[cyclic_[k]].representative};
    FiniteGroup C = centralizer(G_, generators[0], task_);
    while (!is_abelian(C)) {
      const Permutation g = C.random_element(rng_);
      generators.push_back(g);
      C = centralizer(C, g, task_);
      task_.poll();
    }
    add(C);
  }
}

/// A random element of H raised to a power, so that small orders are as likely as large ones.
Permutation SubgroupCandidates::random_power(const FiniteGroup& H) {
  const Permutation g = H.random_element(rng_);
  const auto n = g.order().convert_to<std::uint64_t>();
  std::vector<std::uint64_t> divisors;
  for (std::uint64_t k = 1; k < n; ++k)
    if (n % k == 0) divisors.push_back(k);
  return divisors.empty() ? g : g.power(Integer(divisors[rng_.below(divisors.size())]));
}

void SubgroupCandidates::add_random_subgroups() {
  constexpr std::size_t least_degree = 256;
  for (int trial = 0; trial < 10; ++trial) {
    const FiniteGroup& whole = pool_.empty() || trial % 3 == 0 ? G_ : pool_[rng_.below(pool_.size())];
    std::vector<Permutation> generators;
    for (std::size_t k = 2 + rng_.below(2); k > 0; --k) generators.push_back(random_power(whole));
    // A subgroup whose proof of its order would take long may be G, whose order is not proved again.
    if (G_.degree() < least_degree || !generates(G_, generators, task_))
      add(FiniteGroup(G_.degree(), std::move(generators)));
  }
}

}  // namespace intertwine
