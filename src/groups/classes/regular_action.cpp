// Products and conjugates in groups that act regularly on an orbit.
#include "intertwine/groups/element_lists.hpp"

#include <limits>

#include "intertwine/groups/stabilizer_chain.hpp"

namespace intertwine {

std::optional<RegularAction> RegularAction::of(const FiniteGroup& G, const Task& task) {
  const StabilizerChain& chain = G.chain(task);
  if (chain.length() != 1) return std::nullopt;
  const auto orbit = chain.orbit(0);
  const std::size_t n = orbit.size(), generators = G.generators().size();
  task.require_memory(4 * (n * (2 * generators + 4) + G.degree()), "products in a regular group");
  RegularAction action;
  action.base_ = chain.base_point(0);
  action.place_.assign(G.degree(), 0);
  for (std::size_t i = 0; i < n; ++i) action.place_[orbit[i]] = static_cast<std::uint32_t>(i);
  for (const Permutation& s : G.generators()) {
    action.left_.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) action.left_.back()[i] = action.place_[s(orbit[i])];
  }
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  action.parent_.assign(n, none);
  action.by_.assign(n, 0);
  const std::uint32_t identity = action.place_[action.base_];
  action.parent_[identity] = identity;
  action.walk_.push_back(identity);
  for (std::size_t at = 0; at < action.walk_.size(); ++at) {
    const std::uint32_t x = action.walk_[at];
    for (std::size_t k = 0; k < generators; ++k) {
      const std::uint32_t y = action.left_[k][x];
      if (action.parent_[y] != none) continue;
      action.parent_[y] = x;
      action.by_[y] = static_cast<std::uint32_t>(k);
      action.walk_.push_back(y);
    }
  }
  for (std::size_t k = 0; k < generators; ++k) {
    task.poll();
    std::vector<std::uint32_t> around = action.right_translation(action.rank(G.generators()[k].inverse()));
    for (std::uint32_t& x : around) x = action.left_[k][x];
    action.around_.push_back(std::move(around));
  }
  return action;
}

std::vector<std::uint32_t> RegularAction::right_translation(std::uint32_t g) const {
  std::vector<std::uint32_t> images(order());
  images[walk_.front()] = g;
  for (std::size_t at = 1; at < walk_.size(); ++at)
    images[walk_[at]] = left_[by_[walk_[at]]][images[parent_[walk_[at]]]];
  return images;
}

std::vector<std::uint32_t> RegularAction::conjugates(std::uint32_t g, std::vector<bool>& known,
                                                     const Task& task) const {
  std::vector<std::uint32_t> list{g};
  known[g] = true;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (at % 4096 == 0) task.poll();
    for (const auto& around : around_) {
      const std::uint32_t y = around[list[at]];
      if (known[y]) continue;
      known[y] = true;
      list.push_back(y);
    }
  }
  return list;
}

}  // namespace intertwine
