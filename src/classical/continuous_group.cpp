// Classical groups and their products with finite groups.
#include "intertwine/classical/continuous_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::array<std::string_view, 8> family_names = {"SO", "O", "SL", "GL", "Sp", "SU", "U", "Spin"};

std::string_view name_of_family(ClassicalGroup::Family family) {
  return family_names[static_cast<std::size_t>(family)];
}

void require_defining_dimension(ClassicalGroup::Family family, std::uint64_t n) {
  if (n == 0) throw DomainError(fmt::format("{}(n) acts on n >= 1 coordinates, not on 0", name_of_family(family)));
  if (n > ClassicalGroup::max_dimension)
    throw LimitError(fmt::format("{} on {} coordinates: classical groups act on at most {} here",
                                 name_of_family(family), n, ClassicalGroup::max_dimension));
}

/// The matrix with these entries (row, column, value).
SparseMatrix unit_sum(unsigned n, std::initializer_list<std::array<int, 3>> units) {
  std::vector<SparseMatrix::Entry> entries;
  for (const auto& [i, j, value] : units)
    entries.push_back({static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), Rational(value)});
  return {n, n, std::move(entries)};
}

/// A finite direct product counts as its factors, so that # joins the same operands however the product was bracketed.
void append_factors(const ContinuousGroup::Factor& factor, std::vector<ContinuousGroup::Factor>& out) {
  const auto* finite = std::get_if<FiniteGroup>(&factor);
  if (finite == nullptr || finite->direct_factors().empty()) {
    out.push_back(factor);
    return;
  }
  for (const FiniteGroup::Factor& part : finite->direct_factors()) append_factors(part.group, out);
}

}  // namespace

ClassicalGroup::ClassicalGroup(Family family, unsigned n) : family_(family), p_(n), q_(0) {
  require_defining_dimension(family, n);
  if (family == Family::Spin && n < 3) throw DomainError(fmt::format("Spin(n) is taken for n >= 3, not for {}", n));
  if (family == Family::Sp && n % 2 != 0)
    throw DomainError(fmt::format("Sp(n) acts on an even number n of coordinates, not on {}", n));
}

ClassicalGroup::ClassicalGroup(Family family, unsigned p, unsigned q) : family_(family), p_(p), q_(q) {
  if (family != Family::SO && family != Family::O) throw DomainError("only SO+(p,q) and O(p,q) have a signature");
  if (p == 0 || q == 0)
    throw DomainError(fmt::format("a signature has two positive numbers; write {0}({1}) for {0}+({2},{3})",
                                  name_of_family(family), p + q, p, q));
  require_defining_dimension(family, std::uint64_t{p} + q);
}

std::string ClassicalGroup::name() const {
  const std::string_view name = name_of_family(family_);
  if (q_ == 0) return fmt::format("{}({})", name, p_);
  return fmt::format("{}{}({},{})", name, family_ == Family::SO ? "+" : "", p_, q_);
}

std::vector<SparseMatrix> ClassicalGroup::lie_generators() const {
  const auto n = static_cast<int>(dimension());
  const unsigned size = dimension();
  std::vector<SparseMatrix> out;
  if (is_orthogonal()) {  // the rotations of neighbouring axes generate all
    for (int i = 0; i + 1 < n; ++i)
      out.push_back(unit_sum(
          size, {{i, i + 1, 1}, {i + 1, i, -form(static_cast<unsigned>(i)) * form(static_cast<unsigned>(i) + 1)}}));
    return out;
  }
  if (family_ == Family::Sp) {  // coordinates q_1 ... q_m, p_1 ... p_m
    const int m = n / 2;
    for (int i = 0; i + 1 < m; ++i) {
      out.push_back(unit_sum(size, {{i, i + 1, 1}, {m + i + 1, m + i, -1}}));
      out.push_back(unit_sum(size, {{i + 1, i, 1}, {m + i, m + i + 1, -1}}));
    }
    out.push_back(unit_sum(size, {{m - 1, n - 1, 1}}));
    out.push_back(unit_sum(size, {{n - 1, m - 1, 1}}));
    return out;
  }
  for (int i = 0; i + 1 < n; ++i) {
    out.push_back(unit_sum(size, {{i, i + 1, 1}}));
    out.push_back(unit_sum(size, {{i + 1, i, 1}}));
  }
  if (family_ == Family::GL || family_ == Family::U) out.push_back(unit_sum(size, {{0, 0, 1}}));
  return out;
}

std::vector<ClassicalGroup::CompactGenerator> ClassicalGroup::compact_generators() const {
  std::vector<CompactGenerator> out;
  if (!is_complex()) return out;
  for (int i = 0; i + 1 < static_cast<int>(dimension()); ++i) {
    out.push_back({unit_sum(dimension(), {{i, i + 1, 1}, {i + 1, i, -1}}), false});
    out.push_back({unit_sum(dimension(), {{i, i + 1, 1}, {i + 1, i, 1}}), true});
  }
  if (family_ == Family::U) out.push_back({unit_sum(dimension(), {{0, 0, 1}}), true});
  return out;
}

std::vector<SparseMatrix> ClassicalGroup::lie_algebra() const {
  const auto n = static_cast<int>(dimension());
  const bool symplectic = family_ == Family::Sp, with_form = symplectic || is_orthogonal(),
             traceless = family_ == Family::SL || family_ == Family::SU;
  // The form B(e_i, e_mate(i)) = sign(i): X is in the algebra if X and its B-transpose add up to 0.
  const auto mate = [&](int i) { return symplectic ? (i + n / 2) % n : i; };
  const auto sign = [&](int i) { return symplectic ? (i < n / 2 ? 1 : -1) : form(static_cast<unsigned>(i)); };
  std::vector<SparseMatrix> out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::pair here(i, j), there(mate(j), mate(i));
      if (traceless && i == j) {
        if (i + 1 < n) out.push_back(unit_sum(dimension(), {{i, i, 1}, {n - 1, n - 1, -1}}));
      } else if (!with_form || (here == there && symplectic)) {
        out.push_back(unit_sum(dimension(), {{i, j, 1}}));
      } else if (here < there) {
        out.push_back(unit_sum(dimension(), {{i, j, 1}, {there.first, there.second, -sign(i) * sign(j)}}));
      }
    }
  return out;
}

std::vector<std::vector<int>> ClassicalGroup::component_generators() const {
  const unsigned n = dimension();
  if (family_ != Family::O) return {};
  if (q_ == 0 && n % 2 == 1) return {std::vector<int>(n, -1)};
  std::vector<int> last(n, 1);
  last.back() = -1;
  if (q_ == 0) return {last};
  std::vector<int> first(n, 1);
  first.front() = -1;
  return {first, last};
}

ContinuousGroup::ContinuousGroup(std::vector<Factor> given) {
  std::vector<Factor> factors;
  for (const Factor& factor : given) append_factors(factor, factors);
  if (factors.empty()) throw DomainError("ContinuousGroup: a product has at least one factor");
  if (factors.size() > 16)
    throw LimitError(fmt::format("a product with continuous factors has at most 16, not {}", factors.size()));
  factors_ = std::make_shared<const std::vector<Factor>>(std::move(factors));
}

ContinuousGroup ContinuousGroup::with_name(std::string name) const {
  ContinuousGroup named = *this;
  named.name_ = std::move(name);
  return named;
}

std::string ContinuousGroup::name() const {
  if (!name_.empty()) return name_;
  std::string text;
  for (const Factor& factor : factors()) {
    if (!text.empty()) text += " x ";
    const auto* finite = std::get_if<FiniteGroup>(&factor);
    text += finite != nullptr ? finite->name() : std::get<ClassicalGroup>(factor).name();
  }
  return text;
}

bool ContinuousGroup::is_complex() const {
  return std::ranges::any_of(factors(), [](const Factor& factor) { return is_complex(factor); });
}

bool ContinuousGroup::is_complex(const Factor& factor) {
  const auto* classical = std::get_if<ClassicalGroup>(&factor);
  return classical != nullptr && classical->is_complex();
}

std::vector<std::string> ContinuousGroup::generator_names() const {
  std::vector<std::string> names;
  for (const Factor& factor : factors()) {
    if (const auto* finite = std::get_if<FiniteGroup>(&factor)) {
      for (const Permutation& g : finite->generators()) names.push_back(g.to_string());
      continue;
    }
    const auto& classical = std::get<ClassicalGroup>(factor);
    for (std::size_t k = 0; k < classical.lie_generators().size(); ++k)
      names.push_back(fmt::format("generator {} of the Lie algebra of {}", k + 1, classical.name()));
    for (std::size_t k = 0; k < classical.component_generators().size(); ++k)
      names.push_back(fmt::format("component {} of {}", k + 1, classical.name()));
  }
  return names;
}

bool operator==(const ContinuousGroup& G, const ContinuousGroup& H) {
  return G.name_ == H.name_ && (G.factors_ == H.factors_ || G.factors() == H.factors());
}

}  // namespace intertwine
