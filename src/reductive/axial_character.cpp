// Characters of the groups of linear molecules.
#include "intertwine/reductive/axial_character.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr std::pair<std::string_view, std::string_view> axial_letters[] = {
    {"Σ", "Sigma"}, {"Π", "Pi"}, {"Δ", "Delta"}, {"Φ", "Phi"}, {"Γ", "Gamma"}};
/// The small letters are those of orbitals.
constexpr std::pair<std::string_view, std::string_view> small_axial_letters[] = {
    {"σ", "sigma"}, {"π", "pi"}, {"δ", "delta"}, {"φ", "phi"}, {"γ", "gamma"}};

void require_same_group(const AxialCharacter& a, const AxialCharacter& b) {
  if (a.has_centre() != b.has_centre()) throw DomainError("representations of C∞v and of D∞h do not go together");
}

}  // namespace

std::strong_ordering operator<=>(const AxialIrrep& a, const AxialIrrep& b) {
  return std::tuple(-a.parity, a.lambda, a.minus) <=> std::tuple(-b.parity, b.lambda, b.minus);
}

std::string to_string(const AxialIrrep& irrep) {
  const auto k = static_cast<std::size_t>(irrep.lambda);
  std::string name = k < std::size(axial_letters) ? std::string(axial_letters[k].first) : fmt::format("E{}", k);
  if (irrep.parity != 0) name += irrep.parity > 0 ? "g" : "u";
  if (irrep.lambda == 0) name += irrep.minus ? "-" : "+";
  return name;
}

void AxialCharacter::add(const AxialIrrep& irrep, const Integer& multiplicity) {
  if (multiplicity == 0) return;
  if (irrep.lambda > max_lambda)
    throw LimitError(fmt::format("{} goes to irreducible representations beyond E{}", group(), max_lambda));
  const auto at = terms_.try_emplace(irrep, 0).first;
  at->second += multiplicity;
  if (at->second == 0) terms_.erase(at);
}

AxialCharacter AxialCharacter::irrep(bool centre, const AxialIrrep& irrep) {
  if ((irrep.parity != 0) != centre || irrep.lambda < 0 || irrep.parity < -1 || irrep.parity > 1 ||
      (irrep.minus && irrep.lambda > 0))
    throw DomainError(
        fmt::format("{} has no irreducible representation {}", AxialCharacter(centre).group(), to_string(irrep)));
  AxialCharacter out(centre);
  out.add(irrep, 1);
  return out;
}
AxialCharacter AxialCharacter::trivial(bool centre) { return irrep(centre, {centre ? 1 : 0, 0, false}); }
AxialCharacter AxialCharacter::harmonic(bool centre, int l) {
  if (l < 0) throw DomainError(fmt::format("harmonic polynomials have a degree from 0 on, not {}", l));
  AxialCharacter out(centre);
  for (int m = 0; m <= l; ++m) out.add({centre ? (l % 2 == 0 ? 1 : -1) : 0, m, false}, 1);
  return out;
}
AxialCharacter AxialCharacter::parity(bool centre) { return irrep(centre, {centre ? -1 : 0, 0, true}); }

Integer AxialCharacter::dimension() const {
  Integer sum = 0;
  for (const auto& [irrep, multiplicity] : terms_) sum += irrep.degree() * multiplicity;
  return sum;
}

AxialCharacter operator+(const AxialCharacter& a, const AxialCharacter& b) {
  require_same_group(a, b);
  AxialCharacter out = a;
  for (const auto& [irrep, multiplicity] : b.terms_) out.add(irrep, multiplicity);
  return out;
}
AxialCharacter operator*(const Integer& k, const AxialCharacter& a) {
  AxialCharacter out(a.centre_);
  for (const auto& [irrep, multiplicity] : a.terms_) out.add(irrep, k * multiplicity);
  return out;
}

AxialCharacter tensor_product(const AxialCharacter& a, const AxialCharacter& b, const Task& task) {
  require_same_group(a, b);
  AxialCharacter out(a.centre_);
  for (const auto& [x, m] : a.terms_) {
    task.poll();
    for (const auto& [y, n] : b.terms_) {
      const int parity = x.parity * y.parity;
      const Integer k = m * n;
      if (x.lambda == 0 || y.lambda == 0) {
        out.add({parity, x.lambda + y.lambda, x.lambda + y.lambda == 0 && x.minus != y.minus}, k);
        continue;
      }
      out.add({parity, x.lambda + y.lambda, false}, k);
      out.add({parity, std::abs(x.lambda - y.lambda), false}, k);
      if (x.lambda == y.lambda) out.add({parity, 0, true}, k);
    }
  }
  return out;
}

// A mirror is 1 at even powers; there Λ has the character 2, which Σ+ - Σ- adds to what turns do.
AxialCharacter AxialCharacter::adams(int k) const {
  AxialCharacter out(centre_);
  const bool even = k % 2 == 0;
  for (const auto& [x, m] : terms_) {
    const int parity = even && centre_ ? 1 : x.parity;
    if (x.lambda > max_lambda / k)
      throw LimitError(
          fmt::format("powers of {} go to irreducible representations beyond E{}", to_string(x), max_lambda));
    out.add({parity, k * x.lambda, x.minus && !even}, m);
    if (x.lambda == 0 || !even) continue;
    out.add({parity, 0, false}, m);
    out.add({parity, 0, true}, -m);
  }
  return out;
}

AxialCharacter quotient(const AxialCharacter& a, int k) {
  AxialCharacter out(a.centre_);
  for (const auto& [irrep, multiplicity] : a.terms_) out.add(irrep, multiplicity / k);  // it divides them
  return out;
}

namespace {

/// The powers 0, ..., k: n h_n = sum of p_i h_{n-i}, n e_n the same with signs.
std::vector<AxialCharacter> axial_powers(int k, const AxialCharacter& a, bool exterior, const Task& task) {
  std::vector<AxialCharacter> powers{AxialCharacter::trivial(a.has_centre())}, adams;
  for (int n = 1; n <= k; ++n) {
    adams.push_back(Integer(exterior && n % 2 == 0 ? -1 : 1) * a.adams(n));
    AxialCharacter sum(a.has_centre());
    for (int i = 1; i <= n; ++i)
      sum = sum + tensor_product(adams[static_cast<std::size_t>(i - 1)], powers[static_cast<std::size_t>(n - i)], task);
    powers.push_back(quotient(sum, n));
  }
  return powers;
}

}  // namespace

AxialCharacter symmetric_power(int k, const AxialCharacter& a, const Task& task) {
  return axial_powers(k, a, false, task).back();
}
AxialCharacter exterior_power(int k, const AxialCharacter& a, const Task& task) {
  return axial_powers(k, a, true, task).back();
}

AxialCharacter schur_functor(const Partition& shape, const AxialCharacter& a, const Task& task) {
  if (shape.length() == 0) return AxialCharacter::trivial(a.has_centre());
  const bool exterior = shape.length() > shape[0];
  const Partition lines = exterior ? shape.conjugate() : shape;
  const int n = lines.length();
  if (n > 14)
    throw LimitError("Schur functors of representations of C∞v and D∞h have at most 14 rows or at most 14 columns");
  const std::vector<AxialCharacter> powers = axial_powers(lines[0] + n - 1, a, exterior, task);
  // det h_{line_i - i + j}, line by line: the minor of the first lines in every set of columns, by its last line.
  std::vector<AxialCharacter> minors(std::size_t{1} << n, AxialCharacter(a.has_centre()));
  minors[0] = AxialCharacter::trivial(a.has_centre());
  for (std::size_t columns = 1; columns < minors.size(); ++columns) {
    const int i = std::popcount(columns) - 1;
    for (int j = 0; j < n; ++j) {
      const std::size_t column = std::size_t{1} << j;
      const int k = lines[i] - i + j;
      if ((columns & column) == 0 || k < 0) continue;
      const bool odd = std::popcount(columns >> (j + 1)) % 2 != 0;
      minors[columns] =
          minors[columns] +
          Integer(odd ? -1 : 1) * tensor_product(minors[columns ^ column], powers[static_cast<std::size_t>(k)], task);
    }
  }
  return minors.back();
}

bool names_axial_group(std::string_view text) {
  constexpr std::string_view names[] = {"C∞v", "Coov", "Cinfv", "D∞h", "Dooh", "Dinfh"};
  return std::find(std::begin(names), std::end(names), text) != std::end(names);
}
bool axial_group_has_centre(std::string_view text) {
  if (!names_axial_group(text))
    throw DomainError(fmt::format("'{}' is no group of linear molecules: these are C∞v and D∞h", text.substr(0, 40)));
  return text[0] == 'D';
}

AxialIrrep parse_axial_irrep(bool centre, std::string_view name) {
  const auto wrong = [&] {
    return DomainError(fmt::format(
        "'{}' is no irreducible representation of {}: write {}", name.substr(0, 40), AxialCharacter(centre).group(),
        centre ? "Σg+ Σg- Πg Δg Φg Γg E5g ..., Σu+ Σu- Πu ... (Sigma_g+, Pi_u)" : "Σ+ Σ- Π Δ Φ Γ E5 ... (Sigma+, Pi)"));
  };
  std::string rest(name);
  std::erase_if(rest, [](char c) { return c == '_' || c == '^' || c == ' '; });
  AxialIrrep out;
  bool found = false;
  for (std::size_t k = 0; k < std::size(axial_letters) && !found; ++k)
    for (const std::string_view letter :
         {axial_letters[k].first, axial_letters[k].second, small_axial_letters[k].first, small_axial_letters[k].second})
      if (!found && rest.starts_with(letter)) {
        out.lambda = static_cast<int>(k);
        rest = rest.substr(letter.size());
        found = true;
      }
  if (!found && rest.starts_with('E')) {
    std::size_t end = 1;
    for (; end < rest.size() && end < 8 && rest[end] >= '0' && rest[end] <= '9'; ++end)
      out.lambda = 10 * out.lambda + (rest[end] - '0');
    found = end > 1 && out.lambda > 0 && out.lambda <= AxialCharacter::max_lambda;
    rest = rest.substr(end);
  }
  if (!found) throw wrong();
  bool sign = false;
  for (const char c : rest) {
    if ((c == 'g' || c == 'u') && out.parity == 0 && centre) {
      out.parity = c == 'g' ? 1 : -1;
    } else if ((c == '+' || c == '-') && !sign && out.lambda == 0) {
      sign = true;
      out.minus = c == '-';
    } else {
      throw wrong();
    }
  }
  if ((out.parity != 0) != centre || (out.lambda == 0) != sign) throw wrong();
  return out;
}

}  // namespace intertwine
