// Character tables with the action of the Galois group.
#include <numeric>

#include "intertwine/exact/number_theory.hpp"
#include "multiplicity_one.hpp"

namespace intertwine {

namespace {

std::uint32_t conductor_of(const CharacterTable& table, std::size_t i) {
  std::uint32_t result = 1;
  for (std::size_t c = 0; c < table.size(); ++c) result = std::lcm(result, table(i, c).conductor());
  return result;
}

}  // namespace

GaloisTable::GaloisTable(const CharacterTable& table)
    : table_(table),
      powers_(table_.classes()),
      space_(table_.classes(), powers_, Integer(1) << 60),
      members_(table.size(), Member{~std::size_t{0}, 1}),
      fixing_(table.size()) {
  for (std::size_t i = 0; i < table_.size(); ++i) {
    conductors_.push_back(conductor_of(table_, i));
    auto& row = rows_.emplace_back();
    for (std::size_t c = 0; c < table_.size(); ++c) row.push_back(space_.residue(table_(i, c)));
  }
  find_families();
}

void GaloisTable::find_families() {
  const std::uint64_t e = powers_.exponent;
  for (std::size_t i = 0; i < table_.size(); ++i) {
    if (members_[i].source != ~std::size_t{0}) continue;
    members_[i] = {i, 1};
    const std::uint32_t N = conductors_[i];
    for (std::uint32_t k = 1; k <= N; ++k) {
      if (std::gcd(k, N) != 1) continue;
      std::uint64_t unit = k;  // modulo e, with the same residue modulo N
      while (std::gcd(unit, e) != 1) unit += N;
      ModularCharacters::Vector image(table_.size());
      for (std::size_t c = 0; c < image.size(); ++c) image[c] = rows_[i][powers_(c, unit)];
      if (image == rows_[i]) {
        fixing_[i].push_back(k);
        continue;
      }
      for (std::size_t j = i + 1; j < table_.size(); ++j)
        if (members_[j].source == ~std::size_t{0} && rows_[j] == image) members_[j] = {i, k};
    }
  }
}

std::uint32_t GaloisTable::extension_degree(std::size_t i, std::uint32_t r) const {
  const std::uint32_t N = conductors_[i], common = std::lcm(N, r);
  std::vector<char> fixes(N + 1, 0);
  for (const std::uint32_t k : fixing_[members_[i].source]) fixes[k % N] = 1;
  std::uint32_t all = 0, trivial = 0;
  for (std::uint32_t k = 1; k <= common; ++k)
    if (std::gcd(k, common) == 1 && fixes[k % N] != 0) {
      ++all;
      trivial += k % r == 1 % r;
    }
  return all / trivial;
}

std::vector<std::uint32_t> GaloisTable::fixing(std::size_t i, std::uint32_t r) const {
  const std::uint32_t N = conductors_[i];
  std::vector<char> fixes(N, 0);
  for (const std::uint32_t k : fixing_[members_[i].source]) fixes[k % N] = 1;
  std::vector<std::uint32_t> result;
  for (const std::uint32_t k : units(r))
    if (fixes[k % N] != 0) result.push_back(k);
  return result;
}

}  // namespace intertwine
