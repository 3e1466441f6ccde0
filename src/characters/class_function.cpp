// Class functions: arithmetic, Newton's identities and Schur functors.
#include "intertwine/characters/class_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "determinant_values.hpp"
#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/homomorphism.hpp"
#include "intertwine/groups/subgroups.hpp"

namespace intertwine {

namespace {

constexpr unsigned max_power = 200;

void require_same(const ClassFunction& a, const ClassFunction& b, const char* where) {
  if (a.table().size() != b.table().size() || !(a.table().group() == b.table().group()))
    throw DomainError(fmt::format("{}: the class functions belong to different groups, {} and {}", where,
                                  a.table().group().name(), b.table().group().name()));
}

template <class F>
ClassFunction by_value(const ClassFunction& a, const ClassFunction& b, const char* where, F f) {
  require_same(a, b, where);
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < a.values().size(); ++c) values.push_back(f(a[c], b[c]));
  return {a.table(), std::move(values)};
}

}  // namespace

ClassFunction::ClassFunction(CharacterTable table, std::vector<Cyclotomic> values)
    : table_(std::move(table)), values_(std::move(values)) {
  if (values_.size() != table_.size())
    throw DomainError(fmt::format("ClassFunction: {} values for {} classes", values_.size(), table_.size()));
}

ClassFunction ClassFunction::irreducible(const CharacterTable& table, std::size_t row) {
  if (row >= table.size())
    throw DomainError(fmt::format("irreducible: row {} of a table with rows 0..{}", row, table.size() - 1));
  return {table, table.row(row)};
}

ClassFunction ClassFunction::constant(const CharacterTable& table, const Cyclotomic& value) {
  return {table, std::vector<Cyclotomic>(table.size(), value)};
}

ClassFunction ClassFunction::conjugate() const {
  std::vector<Cyclotomic> values;
  for (const Cyclotomic& a : values_) values.push_back(a.conjugate());
  return {table_, std::move(values)};
}

ClassFunction ClassFunction::adams(long k) const {
  std::vector<Cyclotomic> values;
  for (const std::uint32_t c : table_.classes().power_map(k)) values.push_back(values_[c]);
  return {table_, std::move(values)};
}

ClassFunction operator+(const ClassFunction& a, const ClassFunction& b) {
  return by_value(a, b, "ClassFunction +", [](const auto& x, const auto& y) { return x + y; });
}
ClassFunction operator-(const ClassFunction& a, const ClassFunction& b) {
  return by_value(a, b, "ClassFunction -", [](const auto& x, const auto& y) { return x - y; });
}
ClassFunction operator*(const ClassFunction& a, const ClassFunction& b) {
  return by_value(a, b, "ClassFunction *", [](const auto& x, const auto& y) { return x * y; });
}
ClassFunction operator*(const Cyclotomic& c, const ClassFunction& a) {
  std::vector<Cyclotomic> values;
  for (const Cyclotomic& x : a.values_) values.push_back(c * x);
  return {a.table_, std::move(values)};
}
bool operator==(const ClassFunction& a, const ClassFunction& b) {
  require_same(a, b, "ClassFunction ==");
  return a.values_ == b.values_;
}

Cyclotomic inner_product(const ClassFunction& a, const ClassFunction& b) {
  require_same(a, b, "inner_product");
  Cyclotomic sum = 0;
  for (std::size_t c = 0; c < a.values().size(); ++c)
    if (!a[c].is_zero() && !b[c].is_zero()) sum += Cyclotomic(a.table().classes()[c].size) * (a[c] * b[c].conjugate());
  return sum * Cyclotomic(Rational(1, a.table().group().order()));
}

std::vector<Cyclotomic> coordinates(const ClassFunction& f) {
  std::vector<Cyclotomic> result;
  for (std::size_t i = 0; i < f.table().size(); ++i)
    result.push_back(inner_product(f, ClassFunction::irreducible(f.table(), i)));
  return result;
}

std::vector<Integer> multiplicities(const ClassFunction& f) {
  std::vector<Integer> result;
  const auto all = coordinates(f);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_integer() || all[i].to_integer() < 0)
      throw DomainError(
          fmt::format("no representation of {} has this character: {} would occur {} times, which is no natural number",
                      f.table().group().name(), f.table().name(i), to_string(all[i])));
    result.push_back(all[i].to_integer());
  }
  return result;
}

namespace {

void require_weight(unsigned k, const char* where) {
  if (k > max_power) throw LimitError(fmt::format("{}: the power {} exceeds the limit of {}", where, k, max_power));
}

/// k h_k = sum over i of p_i h_(k-i), and the same with signs for e_k.
ClassFunction newton(unsigned k, const ClassFunction& f, bool alternating) {
  std::vector<ClassFunction> p, h{ClassFunction::constant(f.table(), 1)};
  for (unsigned i = 1; i <= k; ++i) {
    p.push_back(f.adams(static_cast<long>(i)));
    ClassFunction sum = ClassFunction::constant(f.table(), 0);
    for (unsigned j = 1; j <= i; ++j) {
      const ClassFunction term = p[j - 1] * h[i - j];
      sum = alternating && j % 2 == 0 ? sum - term : sum + term;
    }
    h.push_back(Cyclotomic(Rational(1, static_cast<long>(i))) * sum);
  }
  return h[k];
}

}  // namespace

ClassFunction symmetric_power(unsigned k, const ClassFunction& f) {
  require_weight(k, "symmetric_power");
  return newton(k, f, false);
}

ClassFunction exterior_power(unsigned k, const ClassFunction& f) {
  require_weight(k, "exterior_power");
  return newton(k, f, true);
}

ClassFunction schur_power(const Partition& lambda, const ClassFunction& f) {
  require_weight(static_cast<unsigned>(lambda.weight()), "schur_power");
  std::vector<ClassFunction> powers;
  for (int k = 1; k <= lambda.weight(); ++k) powers.push_back(f.adams(k));
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < f.values().size(); ++c) {
    std::vector<Cyclotomic> p;
    for (const ClassFunction& power : powers) p.push_back(power[c]);
    values.push_back(schur_from_power_sums(lambda, std::span<const Cyclotomic>(p)));
  }
  return {f.table(), std::move(values)};
}

namespace {

/// 1 / (zeta_m^-j - 1) = 1/m sum over k of k zeta_m^-jk, for 0 < j < m; (m - 1) / 2 for j = 0.
std::vector<Cyclotomic> ramps(std::uint32_t m) {
  std::vector<Cyclotomic> result{Cyclotomic(Rational(m - 1, 2))};
  for (std::uint32_t j = 1; j < m; ++j) {
    std::vector<std::pair<std::int64_t, Rational>> terms;
    for (std::uint32_t k = 1; k < m; ++k) terms.emplace_back(-static_cast<std::int64_t>(j) * k, Rational(k, m));
    result.push_back(Cyclotomic::from_terms(m, terms));
  }
  return result;
}

}  // namespace

std::vector<Cyclotomic> determinant_values(const ClassFunction& f, std::span<const std::size_t> classes,
                                           const Task& task) {
  if (!f.degree().is_integer() || f.degree().to_integer() < 0)
    throw DomainError("determinant: the degree " + to_string(f.degree()) + " is no non-negative integer");
  std::vector<ClassFunction> powers{f};  // the values on g^(j+1)
  std::map<std::uint64_t, std::vector<Cyclotomic>> weights;
  std::vector<Cyclotomic> values;
  for (const std::size_t c : classes) {
    task.poll();
    if (f.degree() == Cyclotomic(1)) {
      values.push_back(f[c]);
      continue;
    }
    const auto m = static_cast<std::uint32_t>(f.table().classes()[c].element_order);
    while (powers.size() < m) powers.push_back(f.adams(static_cast<long>(powers.size()) + 1));
    auto& weight = weights[m];
    if (weight.empty()) weight = ramps(m);
    Cyclotomic exponent = f.degree() * weight[0];
    for (std::uint32_t j = 1; j < m; ++j) exponent += powers[j - 1][c] * weight[j];
    if (!exponent.is_integer())
      throw DomainError(
          fmt::format("determinant: the values on class {} and its powers are those of no representation", c));
    values.push_back(Cyclotomic::root_of_unity(m, static_cast<std::int64_t>(exponent.to_integer() % Integer(m))));
  }
  return values;
}

ClassFunction determinant(const ClassFunction& f, const Task& task) {
  std::vector<std::size_t> classes(f.values().size());
  std::iota(classes.begin(), classes.end(), std::size_t{0});
  return {f.table(), determinant_values(f, classes, task)};
}

std::vector<std::uint32_t> fusion(const ConjugacyClasses& H, const ConjugacyClasses& G, const Task& task) {
  require_subgroup(H.group(), G.group(), task);
  std::vector<std::uint32_t> result;
  for (std::size_t c = 0; c < H.size(); ++c)
    result.push_back(
        static_cast<std::uint32_t>(G.index_of_element(on_points(H[c].representative, G.group().degree()), task)));
  return result;
}

std::vector<std::vector<Integer>> restriction_multiplicities(const CharacterTable& G, const CharacterTable& H,
                                                             const Task& task) {
  const auto into = fusion(H, G, task);
  std::vector<std::vector<Integer>> result;
  for (std::size_t i = 0; i < G.size(); ++i) {
    task.progress("restricting characters", i, G.size());
    std::vector<Cyclotomic> values;
    for (const std::uint32_t c : into) values.push_back(G(i, c));
    result.push_back(multiplicities({H, std::move(values)}));
  }
  return result;
}

ClassFunction restriction(const ClassFunction& f, const CharacterTable& H) {
  std::vector<Cyclotomic> values;
  for (const std::uint32_t c : fusion(H, f.table())) values.push_back(f[c]);
  return {H, std::move(values)};
}

ClassFunction induction(const ClassFunction& f, const CharacterTable& G) {
  const auto into = fusion(f.table(), G);
  std::vector<Cyclotomic> values(G.size());
  for (std::size_t d = 0; d < into.size(); ++d)
    values[into[d]] +=
        Cyclotomic(Rational(G.classes()[into[d]].centralizer_order, f.table().classes()[d].centralizer_order)) * f[d];
  return {G, std::move(values)};
}

ClassFunction inflation(const ClassFunction& f, const CharacterTable& G, const std::vector<Permutation>& images,
                        const Task& task) {
  const FiniteGroup& Q = f.table().group();
  for (const Permutation& image : images)
    if (!Q.contains(image)) throw DomainError("inflation: " + image.to_string() + " is no element of " + Q.name());
  if (FiniteGroup(Q.degree(), images).order() != Q.order())
    throw DomainError("inflation: the images do not generate " + Q.name());
  std::vector<SignedPermutation> plain;
  for (const Permutation& image : images) plain.emplace_back(image);
  const SignedHomomorphism onto(G.group(), std::move(plain), task);
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < G.size(); ++c)
    values.push_back(f[f.table().classes().index_of_element(onto(G.classes()[c].representative).permutation())]);
  return {G, std::move(values)};
}

ClassFunction inflation(const ClassFunction& f, const CharacterTable& G, std::size_t factor) {
  const auto factors = G.group().direct_factors();
  if (factor >= factors.size() || !(factors[factor].group == f.table().group()))
    throw DomainError(
        fmt::format("inflation: {} is not factor {} of {}", f.table().group().name(), factor + 1, G.group().name()));
  const std::size_t offset = factors[factor].offset, degree = factors[factor].group.degree();
  std::vector<Cyclotomic> values;
  for (std::size_t c = 0; c < G.size(); ++c) {
    std::vector<Point> images(degree);
    for (std::size_t i = 0; i < degree; ++i)
      images[i] = static_cast<Point>(G.classes()[c].representative(static_cast<Point>(offset + i)) - offset);
    values.push_back(f[f.table().classes().index_of_element(Permutation::unchecked(std::move(images)))]);
  }
  return {G, std::move(values)};
}

std::vector<std::uint32_t> kernel_classes(const ClassFunction& f) {
  std::vector<std::uint32_t> result;
  for (std::size_t c = 0; c < f.values().size(); ++c)
    if (f[c] == f.degree()) result.push_back(static_cast<std::uint32_t>(c));
  return result;
}

std::vector<std::uint32_t> centre_classes(const ClassFunction& f) {
  std::vector<std::uint32_t> result;
  for (std::size_t c = 0; c < f.values().size(); ++c)
    if (f[c] * f[c].conjugate() == f.degree() * f.degree()) result.push_back(static_cast<std::uint32_t>(c));
  return result;
}

std::vector<std::size_t> galois_families(const CharacterTable& table, const Task& task) {
  std::map<std::vector<Cyclotomic>, std::size_t> rows;
  std::uint64_t conductor = 1, exponent = 1;
  for (std::size_t i = 0; i < table.size(); ++i) {
    task.poll();
    exponent = std::lcm(exponent, table.classes()[i].element_order);
    std::vector<Cyclotomic> row = table.row(i);
    for (const Cyclotomic& value : row) conductor = std::lcm(conductor, std::uint64_t{value.conductor()});
    rows.emplace(std::move(row), i);
  }
  std::vector<std::size_t> family(table.size());
  std::iota(family.begin(), family.end(), std::size_t{0});
  const auto least = [&](std::size_t i) {
    while (family[i] != i) i = family[i] = family[family[i]];
    return i;
  };
  for (std::uint64_t k : unit_generators(conductor)) {
    while (std::gcd(k, exponent) != 1) k += conductor;  // the same on the values, and a power map
    const std::vector<std::uint32_t> map = table.classes().power_map(Integer(k), task);
    std::vector<Cyclotomic> image(table.size());
    for (const auto& [row, i] : rows) {
      task.poll();
      for (std::size_t c = 0; c < row.size(); ++c) image[c] = row[map[c]];
      const std::size_t a = least(i), b = least(rows.at(image));
      family[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::size_t i = 0; i < family.size(); ++i) family[i] = least(i);
  return family;
}

}  // namespace intertwine
