// Characters modulo a prime, with the power maps of their classes.
#include <numeric>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "table_data.hpp"

namespace intertwine {

/// Only one generator of every maximal cyclic subgroup is raised to all powers; its powers inherit theirs.
PowerTable::PowerTable(const ConjugacyClasses& classes) : of(classes.size()) {
  for (std::size_t c = classes.size(); c-- > 0;) {  // element orders decrease
    const std::uint64_t n = classes[c].element_order;
    exponent = std::lcm(exponent, n);
    if (!of[c].empty()) continue;
    const Permutation& g = classes[c].representative;
    std::vector<std::uint32_t> power(n);
    power[0] = 0;
    Permutation x = g;
    for (std::uint64_t k = 1; k < n; ++k, x = x * g)
      power[k] = k == 1 ? static_cast<std::uint32_t>(c) : static_cast<std::uint32_t>(classes.index_of_element(x));
    for (std::uint64_t k = 0; k < n; ++k) {
      auto& target = of[power[k]];
      if (!target.empty()) continue;
      const std::uint64_t m = n / std::gcd(n, k);  // the order of g^k
      target.resize(m);
      for (std::uint64_t j = 0; j < m; ++j) target[j] = power[k * j % n];
    }
  }
}

std::uint64_t splitting_prime(std::uint64_t conductor, const Integer& least) {
  if (const auto p = prime_with_roots(conductor, least)) return *p;
  throw LimitError("character_table: the exponent or the order of the group is too large for 62-bit primes");
}

RootTable::RootTable(const PrimeField& field, std::uint64_t e) : field_(field) {
  constexpr std::uint64_t listed = 1U << 16;
  while (std::uint64_t{1} << (2 * bits_) < e) ++bits_;
  const std::uint64_t length = e <= listed ? e : std::uint64_t{1} << bits_;
  const auto powers = [&](Element z, std::uint64_t count) {
    std::vector<Element> list(count, field.one());
    for (std::uint64_t k = 1; k < count; ++k) list[k] = field.multiply(list[k - 1], z);
    return list;
  };
  const Element z = field.root_of_unity(e);
  low_ = powers(z, length);
  if (length < e) high_ = powers(field.power(z, length), (e >> bits_) + 1);
}

ModularCharacters::ModularCharacters(const ConjugacyClasses& all, const PowerTable& table, const Integer& least)
    : classes(all), powers(table), field(splitting_prime(table.exponent, least)), zeta(field, table.exponent) {
  const Element whole = field.inverse(field.from(classes.group().order()));
  for (std::size_t c = 0; c < classes.size(); ++c) weight.push_back(field.multiply(field.from(classes[c].size), whole));
}

ModularCharacters::Vector ModularCharacters::dual(const Vector& b) const {
  Vector result(b.size());
  for (std::size_t c = 0; c < b.size(); ++c) result[c] = field.multiply(weight[c], b[powers.inverse(c)]);
  return result;
}

std::int64_t ModularCharacters::inner_with_dual(const Vector& a, const Vector& dual_b) const {
  Element sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum = field.add(sum, field.multiply(a[c], dual_b[c]));
  return field.symmetric(sum);
}

std::int64_t ModularCharacters::inner(const Vector& a, const Vector& b) const { return inner_with_dual(a, dual(b)); }

void ModularCharacters::subtract(Vector& a, std::int64_t q, const Vector& b) const {
  if (q == 0) return;
  const Element f = field.from(-q);
  for (std::size_t c = 0; c < a.size(); ++c) a[c] = field.add(a[c], field.multiply(f, b[c]));
}

std::vector<PrimeField::Element> residues(const PrimeField& f, std::span<const Cyclotomic> numbers,
                                          std::uint64_t conductor) {
  const RootTable zeta(f, conductor);
  std::vector<PrimeField::Element> result;
  for (const Cyclotomic& a : numbers)
    result.push_back(residue(f, a, [&](std::uint64_t k) { return zeta[conductor / a.conductor() * k]; }));
  return result;
}

}  // namespace intertwine
