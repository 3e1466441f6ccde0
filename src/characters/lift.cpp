// From values modulo p to cyclotomic numbers.
#include <numeric>
#include <unordered_map>

#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;

/// Different values, numbered.
class Pool {
 public:
  explicit Pool(std::vector<Cyclotomic>& values) : values_(values) {}
  std::uint32_t operator()(const Cyclotomic& a) {
    const auto [at, fresh] = numbers_.try_emplace(a, static_cast<std::uint32_t>(values_.size()));
    if (fresh) values_.push_back(a);
    return at->second;
  }

 private:
  std::vector<Cyclotomic>& values_;
  std::unordered_map<Cyclotomic, std::uint32_t> numbers_;
};

/// The generators of one cyclic group up to conjugation: a class and the classes of its k-th powers, k coprime to n.
struct Family {
  std::size_t representative;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> members;  ///< class, least k
};

std::vector<Family> families(const PowerTable& powers) {
  std::vector<Family> result;
  std::vector<char> seen(powers.of.size(), 0);
  for (std::size_t c = 0; c < powers.of.size(); ++c) {
    if (seen[c]) continue;
    const std::uint64_t n = powers.of[c].size();
    Family family{c, {}};
    for (std::uint64_t k = 1; k <= n; ++k) {
      if (std::gcd(k, n) != 1) continue;
      const std::uint32_t target = powers(c, k);
      if (seen[target]) continue;
      seen[target] = 1;
      family.members.emplace_back(target, k);
    }
    result.push_back(std::move(family));
  }
  return result;
}

class Lift {
 public:
  Lift(const ModularCharacters& space, RawTable& table) : s_(space), pool_(table.pool), table_(table) {}

  void character(const ModularCharacters::Vector& chi, std::size_t row, const Family& family) {
    std::uint32_t* values = table_.values.data() + row * s_.size();
    bool rational = true;
    for (const auto& [c, k] : family.members) rational = rational && chi[c] == chi[family.representative];
    if (rational) {  // fixed by the Galois group
      values[family.representative] = integer(s_.field.symmetric(chi[family.representative]));
      for (const auto& [c, k] : family.members) values[c] = values[family.representative];
      return;
    }
    const std::uint64_t n = s_.powers.of[family.representative].size();
    multiplicities(chi, family.representative, n);
    const std::uint32_t value = number(static_cast<std::uint32_t>(n));
    for (const auto& [c, k] : family.members) values[c] = k == 1 ? value : conjugate(value, k);
  }

 private:
  /// How often zeta_n^j is an eigenvalue of the representative g: (1/n) sum over k of chi(g^k) zeta_n^(-jk), at most
  /// chi(1) < p / 2.
  void multiplicities(const ModularCharacters::Vector& chi, std::size_t c, std::uint64_t n) {
    const PrimeField& f = s_.field;
    const Element scale = f.inverse(f.from(static_cast<std::int64_t>(n)));
    multiplicity_.assign(n, 0);
    const std::uint64_t step = s_.powers.exponent / n;
    const std::int64_t degree = f.symmetric(chi[0]);
    values_.resize(n);
    for (std::uint64_t k = 0; k < n; ++k) values_[k] = chi[s_.powers.of[c][k]];
    const auto sums = transform(values_, n, step);
    for (std::uint64_t j = 0; j < n; ++j) {
      multiplicity_[j] = f.symmetric(f.multiply(sums[j], scale));
      if (multiplicity_[j] < 0 || multiplicity_[j] > degree)
        throw InternalError("character_table: the multiplicity of an eigenvalue is out of range");
    }
  }

  /// X_j = sum over k < n of x_k w^(-jk), w = zeta^step of order n; by parts with the indices in one class modulo the
  /// least prime factor of n. [Cooley & Tukey 1965]
  std::vector<Element> transform(const std::vector<Element>& x, std::uint64_t n, std::uint64_t step) const {
    if (n == 1) return x;
    const PrimeField& f = s_.field;
    const std::uint64_t p = prime_divisors(n)[0];
    const std::uint64_t m = n / p, order = s_.powers.exponent;
    std::vector<Element> result(n, 0), part(m);
    for (std::uint64_t r = 0; r < p; ++r) {
      for (std::uint64_t q = 0; q < m; ++q) part[q] = x[r + p * q];
      const auto sums = transform(part, m, step * p);
      std::uint64_t e = 0;  // -j r step modulo the order of zeta
      const std::uint64_t turn = (order - r * step % order) % order;
      for (std::uint64_t j = 0; j < n; ++j) {
        result[j] = f.add(result[j], f.multiply(sums[j % m], s_.zeta[e]));
        e += turn;
        if (e >= order) e -= order;
      }
    }
    return result;
  }

  std::uint32_t integer(std::int64_t a) {
    const auto [at, fresh] = integers_.try_emplace(a, 0);
    if (fresh) at->second = pool_(Cyclotomic(static_cast<long>(a)));
    return at->second;
  }

  std::uint32_t number(std::uint32_t n) {
    std::size_t h = n;
    for (const std::int64_t m : multiplicity_)
      h = (h ^ static_cast<std::size_t>(m)) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
    auto& list = sums_[h];
    for (const auto& [coefficients, id] : list)
      if (coefficients == multiplicity_) return id;
    const std::uint32_t id = pool_(Cyclotomic::from_coefficients(n, multiplicity_));
    list.emplace_back(multiplicity_, id);
    return id;
  }

  /// The image of a number of the pool under the roots of unity's k-th powers; k is coprime to the order.
  std::uint32_t conjugate(std::uint32_t id, std::uint64_t k) {
    const auto [at, fresh] = conjugates_.try_emplace(std::uint64_t{id} << 32 | k, 0);
    if (fresh) at->second = pool_(table_.pool[id].galois_conjugate(static_cast<std::int64_t>(k)));
    return at->second;
  }

  const ModularCharacters& s_;
  Pool pool_;
  RawTable& table_;
  std::vector<Element> values_;
  std::vector<std::int64_t> multiplicity_;
  std::unordered_map<std::int64_t, std::uint32_t> integers_;
  std::unordered_map<std::uint64_t, std::uint32_t> conjugates_;  ///< by number and exponent, which is below 2^32
  std::unordered_map<std::size_t, std::vector<std::pair<std::vector<std::int64_t>, std::uint32_t>>> sums_;
};

}  // namespace

RawTable lifted(const ModularCharacters& space, const ModularTable& rows) {
  RawTable table;
  table.values.resize(rows.size() * space.size());
  const auto all = families(space.powers);
  Lift lift(space, table);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (const Family& family : all) lift.character(rows[row], row, family);
  return table;
}

}  // namespace intertwine
