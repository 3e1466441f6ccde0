// Groups of measured operations.
#include "physics/operation_groups.hpp"

#include <algorithm>
#include <set>

namespace intertwine {

OperationGroups::OperationGroups(const PointSet& set, double within, const Task& task)
    : set_(set), within_(within), task_(task), operations_(set.operations(within)) {
  for (Index k = 0; k < operations_.size(); ++k)
    numbers_.emplace(std::pair(operations_[k].images, operations_[k].determinant), k);
}

/// The number of g h; none if it deviates too much. A product that was not found before is an operation too.
OperationGroups::Index OperationGroups::product(Index g, Index h) {
  if (products_.size() <= g) products_.resize(operations_.size());
  if (products_[g].size() <= h) products_[g].resize(operations_.size(), unknown);
  if (products_[g][h] != unknown) return products_[g][h];
  task_.poll();
  const PointOperation &a = operations_[g], &b = operations_[h];
  std::vector<std::uint32_t> images(a.images.size());
  for (std::size_t i = 0; i < images.size(); ++i) images[i] = a.images[b.images[i]];
  const int determinant = a.determinant * b.determinant;
  auto key = std::pair(std::move(images), determinant);
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return products_[g][h] = known->second;
  PointOperation operation = set_.fitted(key.first, determinant);
  const Index number = operation.deviation <= within_ ? static_cast<Index>(operations_.size()) : none;
  if (number != none) operations_.push_back(std::move(operation));
  numbers_.emplace(std::move(key), number);
  return products_[g][h] = number;
}

/// The group that these generate, ascending; false if one of it deviates by more.
bool OperationGroups::generate(const std::vector<Index>& generators, double within, std::vector<Index>& elements) {
  elements = {0};
  std::vector<bool> seen(operations_.size(), false);
  seen[0] = true;
  for (std::size_t k = 0; k < elements.size(); ++k)
    for (const Index g : generators) {
      const Index p = product(g, elements[k]);
      if (p == none || operations_[p].deviation > within) return false;
      if (p >= seen.size()) seen.resize(operations_.size(), false);
      if (!seen[p]) elements.push_back(p);
      seen[p] = true;
    }
  std::ranges::sort(elements);
  return true;
}

/// Adds an operation to a group, with all that both generate; leaves it as it is if that deviates by more.
bool OperationGroups::extend(Subgroup& H, Index g, double within) {
  std::vector<Index> generators = H.generators, elements;
  generators.push_back(g);
  if (!generate(generators, within, elements)) return false;
  H = {std::move(generators), std::move(elements)};
  return true;
}

OperationGroup OperationGroups::largest(double within) {
  std::vector<Index> allowed;
  for (Index k = 1; k < operations_.size(); ++k)
    if (operations_[k].deviation <= within) allowed.push_back(k);
  std::ranges::stable_sort(allowed, {}, [&](Index k) { return operations_[k].deviation; });
  Subgroup best{{}, {0}};
  bool all = true;
  for (const Index g : allowed)
    if (!std::ranges::binary_search(best.elements, g) && !extend(best, g, within)) all = false;
  if (!all) best = look_at_all(std::move(best), std::move(allowed), within);
  OperationGroup result;
  for (const Index k : best.elements) {
    result.operations.push_back(operations_[k]);
    result.deviation = std::max(result.deviation, operations_[k].deviation);
  }
  return result;
}

/// Goes through all groups of these operations, by one more generator at a time.
OperationGroups::Subgroup OperationGroups::look_at_all(Subgroup best, std::vector<Index> allowed, double within) {
  std::vector<Index> elements;
  std::erase_if(allowed, [&](Index g) { return !generate({g}, within, elements); });
  // An operation of a larger group has as many products there as the group has elements.
  for (bool fewer = true; fewer;) {
    std::vector<Index> kept;
    for (const Index g : allowed) {
      std::size_t products = 1;  // with the identity
      for (const Index h : allowed) {
        const Index p = product(g, h);
        if (p != none && operations_[p].deviation <= within) ++products;
      }
      if (products > best.elements.size()) kept.push_back(g);
    }
    fewer = kept.size() < allowed.size();
    allowed = std::move(kept);
  }
  if (allowed.size() + 1 <= best.elements.size()) return best;
  std::set<std::vector<Index>> seen{{0}};
  std::vector<Subgroup> groups{{{}, {0}}};
  for (std::size_t k = 0; k < groups.size(); ++k)
    for (const Index g : allowed) {
      if (std::ranges::binary_search(groups[k].elements, g)) continue;
      Subgroup larger = groups[k];
      if (!extend(larger, g, within) || !seen.insert(larger.elements).second) continue;
      if (larger.elements.size() > best.elements.size()) best = larger;
      groups.push_back(std::move(larger));
    }
  return best;
}

std::vector<OperationGroup> OperationGroups::ladder(double enough) {
  std::vector<OperationGroup> rungs;
  for (double within = within_;;) {
    OperationGroup rung = largest(within);
    // The rung above says nothing if there are as many operations within less.
    if (!rungs.empty() && rungs.back().operations.size() == rung.operations.size()) rungs.pop_back();
    rungs.push_back(std::move(rung));
    const double reached = rungs.back().deviation;
    if (reached <= enough || rungs.back().operations.size() == 1) return rungs;
    within = 0;
    for (const PointOperation& g : operations_)
      if (g.deviation < reached) within = std::max(within, g.deviation);
  }
}

}  // namespace intertwine
