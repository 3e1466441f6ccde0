// Wigner's 3j and 6j symbols and tables of couplings.
#include "intertwine/reductive/wigner_symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "intertwine/error.hpp"

namespace intertwine {

namespace {

/// Factorials and binomial coefficients that one table of coefficients uses again and again.
class Factorials {
 public:
  explicit Factorials(int most) : list_(static_cast<std::size_t>(most) + 1, 1) {
    for (std::size_t n = 1; n < list_.size(); ++n) list_[n] = list_[n - 1] * n;
  }
  const Integer& operator()(int n) const { return list_[static_cast<std::size_t>(n)]; }
  Integer binomial(int n, int k) const { return (*this)(n) / ((*this)(k) * (*this)(n - k)); }

 private:
  std::vector<Integer> list_;
};

void require_spin(HalfInteger j) {
  if (j.twice < 0) throw DomainError(fmt::format("j = {} is negative; spins are 0, 1/2, 1, ...", to_string(j)));
  if (j.twice > 2 * max_spin)
    throw LimitError(fmt::format("j = {} is above {}, the largest spin that is taken", to_string(j), max_spin));
}

void require_projection(HalfInteger j, HalfInteger m) {
  if ((j.twice - m.twice) % 2 != 0)
    throw DomainError(fmt::format("m = {} does not belong to j = {}: j - m is an integer", to_string(m), to_string(j)));
}

bool is_triangle(HalfInteger a, HalfInteger b, HalfInteger c) {
  return (a.twice + b.twice + c.twice) % 2 == 0 && std::abs(a.twice - b.twice) <= c.twice &&
         c.twice <= a.twice + b.twice;
}

/// Coefficients of one triple, j1 + j2 + j an integer and a triangle.
class Racah {
 public:
  Racah(HalfInteger j1, HalfInteger j2, HalfInteger j)
      : j1_(j1.twice),
        j2_(j2.twice),
        j_(j.twice),
        a_((j1_ + j2_ - j_) / 2),
        b_((j1_ - j2_ + j_) / 2),
        c_((j2_ - j1_ + j_) / 2),
        factorial_((j1_ + j2_ + j_) / 2 + 1),
        rows_{row(a_), row(b_), row(c_)},
        front_(Integer(j_ + 1),
               factorial_(a_) * factorial_(b_) * factorial_(c_) * factorial_((j1_ + j2_ + j_) / 2 + 1)) {}

  /// All arguments are doubled; m = m1 + m2, |m| <= j.
  SignedRoot operator()(int m1, int m2) const {
    const int m = m1 + m2, p = (j1_ - m1) / 2, q = (j2_ + m2) / 2;
    // sum over k of (-1)^k C(a, k) C(b, p - k) C(c, q - k), each binomial coefficient with 0 <= its lower number <= its upper one
    Integer sum = 0;
    for (int k = std::max({0, p - b_, q - c_}); k <= std::min({a_, p, q}); ++k) {
      const Integer term = rows_[0][static_cast<std::size_t>(k)] * rows_[1][static_cast<std::size_t>(p - k)] *
                           rows_[2][static_cast<std::size_t>(q - k)];
      if (k % 2 == 0)
        sum += term;
      else
        sum -= term;
    }
    const Integer factorials = factorial_((j_ + m) / 2) * factorial_((j_ - m) / 2) * factorial_((j1_ + m1) / 2) *
                               factorial_((j1_ - m1) / 2) * factorial_((j2_ + m2) / 2) * factorial_((j2_ - m2) / 2);
    return SignedRoot::of_signed_square(front_ * Rational(sum * abs(sum) * factorials));
  }

 private:
  std::vector<Integer> row(int n) const {
    std::vector<Integer> out;
    for (int k = 0; k <= n; ++k) out.push_back(factorial_.binomial(n, k));
    return out;
  }
  int j1_, j2_, j_, a_, b_, c_;
  Factorials factorial_;
  std::array<std::vector<Integer>, 3> rows_;
  Rational front_;
};

/// <l1 mu1 l2 mu2|l mu> between real harmonics.
///
/// A real harmonic is (-i)^l sum over signs s of q(s) |l, s |mu|> with q = 1 for mu = 0, otherwise of size 1/sqrt(2): for mu > 0
/// q(+) = (-1)^mu, q(-) = 1; for mu < 0 q(+) = i (-1)^mu, q(-) = -i. Signs with s1 |mu1| + s2 |mu2| = s |mu| are unique up to one
/// sign for all three, and coefficients for these have one size, so that the sum is one of them times 2, or 0.
class RealCoefficients {
 public:
  RealCoefficients(const Racah& racah, int total) : racah_(racah), total_(total) {}

  SignedRoot operator()(int mu1, int mu2, int mu) const {
    std::array<int, 4> powers{};  // how often the size of the coefficient comes with i^p
    Rational size = 0;
    for (const int s1 : signs(mu1))
      for (const int s2 : signs(mu2))
        for (const int s : signs(mu)) {
          if (s1 * std::abs(mu1) + s2 * std::abs(mu2) != s * std::abs(mu)) continue;
          const SignedRoot c = racah_(2 * s1 * std::abs(mu1), 2 * s2 * std::abs(mu2));
          if (c.is_zero()) continue;
          if (size != 0 && size != c.square()) throw InternalError("coefficients of opposite signs differ in size");
          size = c.square();
          const int p = phase(mu1, s1) + phase(mu2, s2) - phase(mu, s) - total_ + (c.sign() < 0 ? 2 : 0);
          ++powers[static_cast<std::size_t>(((p % 4) + 4) % 4)];
        }
    if (powers[1] != powers[3]) throw InternalError("a coefficient between real harmonics is not real");
    const int count = powers[0] - powers[2], halves = (mu1 != 0) + (mu2 != 0) + (mu != 0);
    return SignedRoot::of_signed_square(size * Rational(count * std::abs(count), 1 << halves));
  }

 private:
  static std::vector<int> signs(int mu) { return mu == 0 ? std::vector<int>{1} : std::vector<int>{1, -1}; }
  /// q(s) is i to this power.
  static int phase(int mu, int s) {
    if (mu == 0) return 0;
    const int alternating = s > 0 && mu % 2 != 0 ? 2 : 0;
    return mu > 0 ? alternating : alternating + (s > 0 ? 1 : -1);
  }
  const Racah& racah_;
  int total_;  ///< l1 + l2 - l
};

/// The m2 with |m| = ||m1| +- |m2||, increasing.
std::vector<int> real_projections(int m1, int m) {
  const int far = std::abs(m1) + std::abs(m), near = std::abs(std::abs(m1) - std::abs(m));
  std::vector<int> out{-far, -near, near, far};
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

std::string to_string(HalfInteger a) {
  return a.is_integer() ? std::to_string(a.twice / 2) : std::to_string(a.twice) + "/2";
}

HalfInteger parse_half_integer(std::string_view text) {
  const auto refuse = [&]() -> HalfInteger {
    throw DomainError(fmt::format("'{}' is no spin; write an integer or half of one, such as 2 or 3/2",
                                  text.size() > 40 ? std::string(text.substr(0, 40)) + "..." : std::string(text)));
  };
  std::string number(text);
  if (number.size() > 2 && number.ends_with(".5")) {
    number = number.substr(0, number.size() - 2);
    if (number.find_first_not_of("0123456789", number[0] == '-' ? 1 : 0) != std::string::npos || number == "-")
      return refuse();
    if (number.size() > 8) return refuse();
    const int whole = std::stoi(number);
    return {2 * whole + (number[0] == '-' ? -1 : 1)};
  }
  std::optional<Rational> twice;
  try {
    twice = 2 * parse_rational(number);
  } catch (const ParseError&) {
    return refuse();
  }
  if (denominator(*twice) != 1) return refuse();
  if (abs(*twice) > 2 * max_spin)
    throw LimitError(fmt::format("{} is above {}, the largest spin that is taken", number.substr(0, 40), max_spin));
  return {static_cast<int>(numerator(*twice))};
}

SignedRoot clebsch_gordan(HalfInteger j1, HalfInteger m1, HalfInteger j2, HalfInteger m2, HalfInteger j,
                          HalfInteger m) {
  for (const auto& [spin, projection] : {std::pair(j1, m1), std::pair(j2, m2), std::pair(j, m)}) {
    require_spin(spin);
    require_projection(spin, projection);
  }
  if (m1.twice + m2.twice != m.twice || !is_triangle(j1, j2, j) || std::abs(m.twice) > j.twice ||
      std::abs(m1.twice) > j1.twice || std::abs(m2.twice) > j2.twice)
    return {};
  return Racah(j1, j2, j)(m1.twice, m2.twice);
}

SignedRoot wigner_3j(HalfInteger j1, HalfInteger j2, HalfInteger j3, HalfInteger m1, HalfInteger m2, HalfInteger m3) {
  const SignedRoot c = clebsch_gordan(j1, m1, j2, m2, j3, {-m3.twice});
  if (c.is_zero()) return c;
  const SignedRoot symbol = c / SignedRoot::of_signed_square(j3.twice + 1);
  return (j1.twice - j2.twice - m3.twice) / 2 % 2 == 0 ? symbol : -symbol;
}

SignedRoot wigner_6j(HalfInteger j1, HalfInteger j2, HalfInteger j3, HalfInteger j4, HalfInteger j5, HalfInteger j6) {
  for (const HalfInteger j : {j1, j2, j3, j4, j5, j6}) require_spin(j);
  const std::array<std::array<HalfInteger, 3>, 4> triples{{{j1, j2, j3}, {j1, j5, j6}, {j4, j2, j6}, {j4, j5, j3}}};
  std::array<int, 4> low{};
  for (std::size_t t = 0; t < 4; ++t) {
    if (!is_triangle(triples[t][0], triples[t][1], triples[t][2])) return {};
    low[t] = (triples[t][0].twice + triples[t][1].twice + triples[t][2].twice) / 2;
  }
  const std::array<int, 3> high{(j1.twice + j2.twice + j4.twice + j5.twice) / 2,
                                (j2.twice + j3.twice + j5.twice + j6.twice) / 2,
                                (j3.twice + j1.twice + j6.twice + j4.twice) / 2};
  const int first = *std::max_element(low.begin(), low.end()), last = *std::min_element(high.begin(), high.end());
  const Factorials factorial(last + 1);
  Rational deltas = 1;
  for (std::size_t t = 0; t < 4; ++t)
    for (std::size_t k = 0; k < 4; ++k) {
      const int n = k == 3 ? low[t] + 1 : low[t] - triples[t][k].twice;
      deltas *= k == 3 ? Rational(1, factorial(n)) : Rational(factorial(n));
    }
  Rational sum = 0;
  for (int k = first; k <= last; ++k) {
    Integer below = 1;
    for (const int n : low) below *= factorial(k - n);
    for (const int n : high) below *= factorial(n - k);
    sum += Rational(k % 2 == 0 ? factorial(k + 1) : Integer(-factorial(k + 1)), below);
  }
  return SignedRoot::of_signed_square(deltas) * SignedRoot(sum);
}

namespace {

void require_projection(HalfInteger j, HalfInteger m, std::string_view name) {
  if (std::abs(m.twice) > j.twice || (j.twice - m.twice) % 2 != 0)
    throw DomainError(
        fmt::format("{} = {} is none of -{}, ..., {} in steps of 1", name, to_string(m), to_string(j), to_string(j)));
}

Coupling coupling_at(HalfInteger j1, HalfInteger j2, HalfInteger j, CouplingBasis basis, CouplingForm form,
                     const std::optional<Projections>& at, const Task& task) {
  for (const HalfInteger spin : {j1, j2, j}) {
    require_spin(spin);
    if (basis == CouplingBasis::real && !spin.is_integer())
      throw DomainError(
          fmt::format("real harmonics exist for integers, not for j = {}; take the complex basis", to_string(spin)));
  }
  if (at) require_projection(j1, at->m1, "m1");
  if (at) require_projection(j2, at->m2, "m2");
  if (!is_triangle(j1, j2, j)) {
    const int least = std::abs(j1.twice - j2.twice), most = j1.twice + j2.twice;
    throw DomainError(fmt::format(
        "{} is not in {} (x) {}, which holds {}", to_string(j), to_string(j1), to_string(j2),
        least == most ? to_string(HalfInteger{most})
                      : fmt::format("{} to {}", to_string(HalfInteger{least}), to_string(HalfInteger{most}))));
  }
  Coupling out{j1, j2, j, basis, form, {}};
  const Racah racah(j1, j2, j);
  const RealCoefficients real(racah, (j1.twice + j2.twice - j.twice) / 2);
  const SignedRoot norm = SignedRoot::of_signed_square(j.twice + 1);
  const bool symbol = form == CouplingForm::symbols, complex = basis == CouplingBasis::complex;
  const int first = at ? at->m1.twice : -j1.twice, last = at ? at->m1.twice : j1.twice;
  for (int m = -j.twice; m <= j.twice; m += 2) {
    task.poll();
    for (int m1 = first; m1 <= last; m1 += 2)
      for (const int m2 : complex ? std::vector<int>{(symbol ? -m : m) - m1} : real_projections(m1, m)) {
        if (std::abs(m2) > j2.twice || (at && m2 != at->m2.twice)) continue;
        SignedRoot value = complex ? racah(m1, m2) : real(m1 / 2, m2 / 2, m / 2);
        if (value.is_zero()) continue;
        if (symbol) value = value / norm;
        if (symbol && complex && (j1.twice - j2.twice - m) / 2 % 2 != 0) value = -value;
        task.require_memory((out.entries.size() + 1) * 128, "Clebsch-Gordan coefficients");
        out.entries.push_back({{m1}, {m2}, {m}, value});
      }
  }
  return out;
}

std::vector<Coupling> couplings_at(HalfInteger j1, HalfInteger j2, CouplingBasis basis, CouplingForm form,
                                   const std::optional<Projections>& at, const Task& task) {
  require_spin(j1);
  require_spin(j2);
  if (j1.twice + j2.twice > 2 * max_spin)
    throw LimitError(fmt::format("{} (x) {} holds spins above {}, the largest that is taken", to_string(j1),
                                 to_string(j2), max_spin));
  std::vector<Coupling> out;
  for (int j = std::abs(j1.twice - j2.twice); j <= j1.twice + j2.twice; j += 2) {
    task.progress("coupling", static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(j1.twice + j2.twice));
    out.push_back(coupling_at(j1, j2, {j}, basis, form, at, task));
  }
  return out;
}

}  // namespace

Coupling coupling(HalfInteger j1, HalfInteger j2, HalfInteger j, CouplingBasis basis, CouplingForm form,
                  const Task& task) {
  return coupling_at(j1, j2, j, basis, form, {}, task);
}
Coupling coupling(HalfInteger j1, HalfInteger j2, HalfInteger j, CouplingBasis basis, CouplingForm form,
                  const Projections& at, const Task& task) {
  return coupling_at(j1, j2, j, basis, form, at, task);
}
std::vector<Coupling> couplings(HalfInteger j1, HalfInteger j2, CouplingBasis basis, CouplingForm form,
                                const Task& task) {
  return couplings_at(j1, j2, basis, form, {}, task);
}
std::vector<Coupling> couplings(HalfInteger j1, HalfInteger j2, CouplingBasis basis, CouplingForm form,
                                const Projections& at, const Task& task) {
  return couplings_at(j1, j2, basis, form, at, task);
}

std::string to_string(const LorentzSpin& s) { return fmt::format("({},{})", to_string(s.a), to_string(s.b)); }

LorentzSpin parse_lorentz_spin(std::string_view text) {
  if (text == "vector") return {{1}, {1}};
  if (text == "trivial") return {{0}, {0}};
  const std::size_t comma = text.find(',');
  if (!text.starts_with('(') || !text.ends_with(')') || comma == std::string_view::npos)
    throw DomainError(
        fmt::format("'{}' is no representation of the Lorentz group; write two spins (a,b), such as (1/2,0) for "
                    "spinors and (1/2,1/2) for vectors",
                    text.substr(0, 40)));
  const LorentzSpin out{parse_half_integer(text.substr(1, comma - 1)),
                        parse_half_integer(text.substr(comma + 1, text.size() - comma - 2))};
  require_spin(out.a);
  require_spin(out.b);
  return out;
}

std::vector<LorentzCoupling> lorentz_couplings(const LorentzSpin& left, const LorentzSpin& right,
                                               const std::optional<LorentzSpin>& only, const Task& task) {
  const auto one = [&](HalfInteger j1, HalfInteger j2, std::optional<HalfInteger> j) {
    return j ? std::vector<Coupling>{coupling(j1, j2, *j, CouplingBasis::complex, CouplingForm::coefficients, task)}
             : couplings(j1, j2, CouplingBasis::complex, CouplingForm::coefficients, task);
  };
  std::vector<LorentzCoupling> out;
  const auto second = one(left.b, right.b, only ? std::optional(only->b) : std::nullopt);
  for (const Coupling& a : one(left.a, right.a, only ? std::optional(only->a) : std::nullopt))
    for (const Coupling& b : second) {
      task.require_memory(a.entries.size() * b.entries.size() * 128, "Clebsch-Gordan coefficients");
      out.push_back({a, b});
    }
  return out;
}

}  // namespace intertwine
