// The fields that characters generate, and their completions.
#include "value_field.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "intertwine/exact/number_theory.hpp"

namespace intertwine {

namespace {

/// The units modulo n that fix Q_p and so are automorphisms of the completions of Q(zeta_n) at p: powers of p modulo the part
/// of n prime to p.
std::vector<char> decomposition_group(std::uint32_t n, std::uint32_t p) {
  const std::uint32_t tame = n / prime_part(n, p);
  std::vector<char> powers(tame, 0);
  for (std::uint64_t x = 1 % tame; powers[x] == 0; x = x * p % tame) powers[x] = 1;
  std::vector<char> result(n, 0);
  for (std::uint32_t k = 0; k < n; ++k) result[k] = static_cast<char>(std::gcd(k, n) == 1 && powers[k % tame] != 0);
  return result;
}

}  // namespace

ValueField::ValueField(std::span<const Cyclotomic> numbers) : n_(1) {
  std::set<Cyclotomic> irrational;
  for (const Cyclotomic& a : numbers)
    if (!a.is_rational()) irrational.insert(a), n_ = std::lcm(n_, a.conductor());
  fixes_.assign(n_, 0);
  for (std::uint32_t k = 0; k < n_; ++k)
    fixes_[k] = static_cast<char>(std::gcd(k, n_) == 1 &&
                                  std::all_of(irrational.begin(), irrational.end(),
                                              [&](const Cyclotomic& a) { return a.galois_conjugate(k) == a; }));
}

ValueField::ValueField(std::uint32_t n, std::span<const std::uint32_t> units) : n_(n), fixes_(n, 0) {
  for (const std::uint32_t k : units) fixes_[k % n] = 1;
}

ValueField ValueField::compositum(const ValueField& F, const ValueField& K) {
  ValueField result(std::lcm(F.n_, K.n_));
  for (std::uint32_t k = 0; k < result.n_; ++k)
    result.fixes_[k] = static_cast<char>(std::gcd(k, result.n_) == 1 && F.fixed_by(k) && K.fixed_by(k));
  return result;
}

std::size_t ValueField::degree() const {
  std::size_t units = 0, fixing = 0;
  for (std::uint32_t k = 0; k < n_; ++k)
    if (std::gcd(k, n_) == 1) ++units, fixing += fixes_[k] != 0 ? 1 : 0;
  return units / fixing;
}

bool ValueField::has_roots_of_unity(std::uint32_t m) const {
  // Units modulo the common multiple that are those of F modulo n.
  const std::uint32_t common = std::lcm(n_, m);
  for (std::uint32_t k = 0; k < common; ++k)
    if (std::gcd(k, common) == 1 && fixed_by(k) && k % m != 1 % m) return false;
  return true;
}

std::size_t ValueField::local_degree(std::uint32_t p) const {
  std::size_t all = 0, fixing = 0;
  const std::vector<char> group = decomposition_group(n_, p);
  for (std::uint32_t k = 0; k < n_; ++k)
    if (group[k] != 0) ++all, fixing += fixes_[k] != 0 ? 1 : 0;
  return all / fixing;
}

bool ValueField::has_local_roots_of_unity(std::uint32_t m, std::uint32_t p) const {
  const std::uint32_t common = std::lcm(n_, m);
  const std::vector<char> group = decomposition_group(common, p);
  for (std::uint32_t k = 0; k < common; ++k)
    if (group[k] != 0 && fixed_by(k) && k % m != 1 % m) return false;
  return true;
}

std::size_t local_extension_degree(const ValueField& F, const ValueField& K, std::uint32_t p) {
  return ValueField::compositum(F, K).local_degree(p) / F.local_degree(p);
}

}  // namespace intertwine
