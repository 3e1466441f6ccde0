// The linear characters of a permutation group from its abelian quotient.
#include "intertwine/characters/linear_characters.hpp"

#include <numeric>

#include "intertwine/groups/subgroups.hpp"
#include "table_data.hpp"

namespace intertwine {

LinearCharacters::LinearCharacters(const FiniteGroup& H, const Task& task)
    : H_(H), cosets_(H, derived_subgroup(H, task), task), coordinates_(cosets_.size()) {
  std::vector<char> known(cosets_.size(), 0);
  std::vector<std::size_t> members{0};
  known[0] = 1;
  for (const Permutation& g : H.generators()) {
    if (known[cosets_.coset_of(g)] != 0) continue;
    const auto times_g = [&](std::size_t c) { return cosets_.coset_of(cosets_.representative(c) * g); };
    std::uint32_t length = 1;
    std::size_t power = cosets_.coset_of(g);
    for (; known[power] == 0; ++length) power = times_g(power);
    const std::vector<std::uint32_t> relation = coordinates_[power];
    std::uint32_t element_order = length;
    for (std::size_t c = power; c != 0; ++element_order) c = times_g(c);
    exponent_ = std::lcm(exponent_, element_order);
    const std::size_t before = members.size();
    for (std::uint32_t x = 1; x < length; ++x)
      for (std::size_t i = 0; i < before; ++i) {
        const std::size_t last = members[(x - 1) * before + i], c = times_g(last);
        coordinates_[c] = coordinates_[members[i]];
        coordinates_[c].resize(steps_.size(), 0);
        coordinates_[c].push_back(x);
        known[c] = 1;
        members.push_back(c);
      }
    steps_.push_back({length, relation});
    task.poll();
  }
  for (auto& list : coordinates_) list.resize(steps_.size(), 0);
}

std::vector<std::uint32_t> LinearCharacters::character(std::size_t k) const {
  std::vector<std::uint64_t> at(steps_.size(), 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    std::uint64_t value = 0;  // at g^length, a multiple of the length
    for (std::size_t j = 0; j < steps_[i].relation.size(); ++j) value += at[j] * steps_[i].relation[j];
    at[i] = value % exponent_ / steps_[i].length + k % steps_[i].length * (exponent_ / steps_[i].length);
    k /= steps_[i].length;
  }
  std::vector<std::uint32_t> values(size());
  for (std::size_t c = 0; c < size(); ++c) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) value += at[i] * coordinates_[c][i];
    values[c] = static_cast<std::uint32_t>(value % exponent_);
  }
  return values;
}

std::uint32_t LinearCharacters::order(const std::vector<std::uint32_t>& character) const {
  std::uint32_t common = exponent_;
  for (const std::uint32_t x : character) common = std::gcd(common, x);
  return exponent_ / common;
}

ModularTable linear_characters(const ModularCharacters& space, const Task& task) {
  const LinearCharacters all(space.classes.group(), task);
  std::vector<std::size_t> coset;
  for (std::size_t c = 0; c < space.size(); ++c) coset.push_back(all.coset_of(space.classes[c].representative));
  ModularTable result;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::vector<std::uint32_t> exponents = all.character(k);
    result.emplace_back();
    for (const std::size_t i : coset) result.back().push_back(space.root(all.exponent(), exponents[i]));
  }
  return result;
}

}  // namespace intertwine
