// The algebra of symmetric functions: products, plethysms, involution and scalar product.
#include "intertwine/combinatorics/symmetric_algebra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "intertwine/combinatorics/schur_polynomial.hpp"
#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"

namespace intertwine {

namespace {

constexpr int largest_degree = 1000;
constexpr std::size_t max_bits = std::size_t{1} << 20;  // of a coefficient

using Terms = std::map<Partition, Rational>;
using enum SymmetricBasis;

/// Powers of powers and plethysms of constants are short as text: (9^1000)^1000.
void require_size(const Integer& a) {
  if (a != 0 && msb(abs(a)) > max_bits)
    throw LimitError(fmt::format("a coefficient of more than 2^{} bits is asked for", std::bit_width(max_bits) - 1));
}

void add_bounded(Terms& sum, const Partition& lambda, const Rational& c) {
  if (c == 0) return;
  require_size(numerator(c));
  require_size(denominator(c));
  const auto at = sum.try_emplace(lambda, 0).first;
  at->second += c;
  if (at->second == 0) sum.erase(at);
}

void add_bounded(Terms& sum, const Terms& f, const Rational& c) {
  for (const auto& [lambda, a] : f) add_bounded(sum, lambda, c * a);
}

void add_bounded(Terms& sum, const SchurSum& f, const Rational& c) {
  for (const SchurTerm& term : f) add_bounded(sum, term.partition, c * Rational(term.coefficient));
}

int degree_of(const Terms& f) {
  int result = 0;
  for (const auto& [lambda, c] : f) result = std::max(result, lambda.weight());
  return result;
}

Terms in_schur(const SymmetricFunction& f, const Task& task) { return in_basis(f, schur, task).terms; }

/// f = sum / denominator with an integral sum.
struct Cleared {
  SchurSum sum;
  Integer denominator = 1;
};

Cleared cleared(const Terms& f) {
  Cleared result;
  for (const auto& [lambda, c] : f) {
    result.denominator = lcm(result.denominator, denominator(c));
    require_size(result.denominator);
  }
  std::vector<SchurTerm> terms;
  for (const auto& [lambda, c] : f)
    terms.push_back({lambda, Integer(numerator(c) * (result.denominator / denominator(c)))});
  result.sum = SchurSum(std::move(terms));
  return result;
}

Terms schur_products(const Terms& f, const Terms& g, const Task& task) {
  const std::int64_t total = std::int64_t{degree_of(f)} + degree_of(g);
  if (total > largest_degree)
    throw LimitError(
        fmt::format("a symmetric function of degree {} is asked for; the limit is {}", total, largest_degree));
  const Cleared a = cleared(f), b = cleared(g);
  Terms result;
  add_bounded(result, schur_product(a.sum, b.sum, {}, task), Rational(1, a.denominator * b.denominator));
  return result;
}

bool is_multiplicative(SymmetricBasis basis) {
  return basis == SymmetricBasis::power || basis == homogeneous || basis == elementary;
}

Partition merged(const Partition& lambda, const Partition& mu) {
  std::vector<int> parts(lambda.parts().size() + mu.parts().size());
  std::merge(lambda.begin(), lambda.end(), mu.begin(), mu.end(), parts.begin(), std::greater<>());
  return Partition(std::move(parts));
}

Integer factorial(int n) {
  Integer result = 1;
  for (int k = 2; k <= n; ++k) result *= k;
  return result;
}

}  // namespace

void add_multiple(SymmetricFunction& f, const Rational& c, const SymmetricFunction& g, const Task& task) {
  if (f.basis == g.basis)
    add_bounded(f.terms, g.terms, c);
  else
    add_bounded(f.terms, in_basis(g, f.basis, task).terms, c);
}

SymmetricFunction multiple(const Rational& c, const SymmetricFunction& f) {
  SymmetricFunction result{f.basis, {}};
  add_bounded(result.terms, f.terms, c);
  return result;
}

bool same_function(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task) {
  if (f.basis == g.basis) return f.terms == g.terms;
  return squarefree_coefficients(f) == squarefree_coefficients(g) && in_schur(f, task) == in_schur(g, task);
}

int degree(const SymmetricFunction& f) { return degree_of(f.terms); }

SymmetricFunction SymmetricFunction::times(const SymmetricFunction& g, const Task& task) const {
  const SymmetricFunction& f = *this;
  if (f.basis == g.basis && is_multiplicative(f.basis)) {
    SymmetricFunction result{f.basis, {}};
    for (const auto& [lambda, a] : f.terms)
      for (const auto& [mu, b] : g.terms) {
        task.poll();
        add_bounded(result.terms, merged(lambda, mu), a * b);
      }
    return result;
  }
  if (is_multiplicative(f.basis)) return times(in_basis(g, f.basis, task), task);
  return in_basis({schur, schur_products(in_schur(f, task), in_schur(g, task), task)}, f.basis, task);
}

SymmetricFunction SymmetricFunction::power(unsigned k, const Task& task) const {
  SymmetricFunction result = basis_element(basis, {});
  for (unsigned i = 0; i < k; ++i) {
    task.poll();
    result = result.times(*this, task);
  }
  return result;
}

SymmetricFunction plethysm(const SymmetricFunction& outer, const SymmetricFunction& inner, const Task& task) {
  const Terms f = in_schur(outer, task), g = in_schur(inner, task);
  const std::int64_t total = std::int64_t{degree_of(f)} * degree_of(g);
  if (total > largest_degree)
    throw LimitError(fmt::format("a plethysm of degree {} is asked for; the limit is {}", total, largest_degree));
  SymmetricFunction result;
  if (g.size() == 1 && g.begin()->second == 1) {
    for (const auto& [lambda, c] : f) add_bounded(result.terms, plethysm(lambda, g.begin()->first, {}, task), c);
    return result;
  }
  const SymmetricFunction powers = in_basis({schur, f}, SymmetricBasis::power, task);
  for (const auto& [rho, c] : powers.terms) {
    Terms factor{{Partition(), 1}};
    for (const int k : rho) {
      Terms next;
      const Cleared known = cleared(factor);
      for (const auto& [mu, a] : g)  // p_k is linear over the rational numbers
        add_bounded(next, multiply_by_power_plethysm(known.sum, k, mu, {}, task), a / Rational(known.denominator));
      factor = std::move(next);
    }
    add_bounded(result.terms, factor, c);
  }
  return result;
}

SymmetricFunction omega_involution(const SymmetricFunction& f) {
  SymmetricFunction result{f.basis, f.terms};
  switch (f.basis) {
    case schur:
      result.terms.clear();
      for (const auto& [lambda, c] : f.terms) result.terms.emplace(lambda.conjugate(), c);
      break;
    case SymmetricBasis::power:
      for (auto& [lambda, c] : result.terms)
        if ((lambda.weight() - lambda.length()) % 2 != 0) c = -c;
      break;
    case homogeneous:
      result.basis = elementary;
      break;
    case elementary:
      result.basis = homogeneous;
      break;
    case monomial:
      result.basis = forgotten;
      break;
    case forgotten:
      result.basis = monomial;
      break;
  }
  return result;
}

Rational scalar_product(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task) {
  const bool powers = f.basis == SymmetricBasis::power && g.basis == SymmetricBasis::power;
  const Terms a = powers ? f.terms : in_schur(f, task), b = powers ? g.terms : in_schur(g, task);
  Rational result = 0;
  for (const auto& [lambda, c] : a)
    if (const auto at = b.find(lambda); at != b.end())
      result += c * at->second * Rational(powers ? centralizer_order(lambda) : Integer(1));
  return result;
}

SymmetricFunction skew(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task) {
  SymmetricFunction result;
  const Terms inner = in_schur(g, task);
  for (const auto& [lambda, a] : in_schur(f, task))
    for (const auto& [mu, b] : inner) add_bounded(result.terms, skew_schur(lambda, mu, {}, task), a * b);
  return result;
}

Coproduct coproduct(const SymmetricFunction& f, const Task& task) {
  std::map<std::pair<Partition, Partition>, Rational> sum;
  for (const auto& [nu, c] : in_schur(f, task))
    for (const SchurPair& pair : schur_coproduct(nu, task))
      sum[{pair.left, pair.right}] += c * Rational(pair.coefficient);
  Coproduct result{f, {}};
  for (const auto& [pair, c] : sum)
    if (c != 0) result.terms.push_back({pair.first, pair.second, c});
  return result;
}

SymmetricFunction kronecker_product(const SymmetricFunction& f, const SymmetricFunction& g, const Task& task) {
  const bool powers = f.basis == SymmetricBasis::power && g.basis == SymmetricBasis::power;
  SymmetricFunction result{powers ? SymmetricBasis::power : schur, {}};
  if (powers) {
    for (const auto& [lambda, c] : f.terms)
      if (const auto at = g.terms.find(lambda); at != g.terms.end())
        add_bounded(result.terms, lambda, c * at->second * Rational(centralizer_order(lambda)));
    return result;
  }
  const Terms right = in_schur(g, task);
  for (const auto& [lambda, a] : in_schur(f, task))
    for (const auto& [mu, b] : right)
      if (lambda.weight() == mu.weight()) add_bounded(result.terms, kronecker_product(lambda, mu, task), a * b);
  return result;
}

Cyclotomic evaluate(const SymmetricFunction& f, std::span<const Cyclotomic> x, const Task& task) {
  const bool parts = is_multiplicative(f.basis);
  std::map<int, Cyclotomic> known;  // p_k, h_k or e_k
  const auto of_part = [&](int k) -> const Cyclotomic& {
    const auto [at, fresh] = known.try_emplace(k, 0);
    if (!fresh) return at->second;
    if (f.basis == SymmetricBasis::power) {
      for (const Cyclotomic& a : x) at->second += a.power(k);
    } else {
      at->second = schur_polynomial(
          f.basis == homogeneous ? Partition{k} : Partition(std::vector<int>(static_cast<std::size_t>(k), 1)), x, task);
    }
    return at->second;
  };
  Cyclotomic result = 0;
  for (const auto& [lambda, c] : parts ? f.terms : in_schur(f, task)) {
    task.poll();
    Cyclotomic term(c);
    if (parts)
      for (const int k : lambda) term *= of_part(k);
    else
      term *= schur_polynomial(lambda, x, task);
    result += term;
  }
  return result;
}

std::map<std::vector<int>, Rational> in_variables(const SymmetricFunction& f, int n, const Task& task) {
  if (n < 0) throw DomainError(fmt::format("in_variables: there are no {} variables", n));
  constexpr std::size_t most = 10'000'000;
  std::map<std::vector<int>, Rational> result;
  for (const auto& [mu, c] : in_basis(f, monomial, task).terms) {
    if (mu.length() > n) continue;
    std::vector<int> exponents(mu.begin(), mu.end());
    exponents.resize(static_cast<std::size_t>(n));
    std::sort(exponents.begin(), exponents.end());
    do {
      task.poll();
      if (result.size() >= most)
        throw LimitError(fmt::format("in_variables: there are more than 10^7 monomials in {} variables", n));
      result.emplace(exponents, c);
    } while (std::next_permutation(exponents.begin(), exponents.end()));
  }
  return result;
}

std::map<int, Rational> squarefree_coefficients(const SymmetricFunction& f) {
  std::map<int, Rational> result;
  for (const auto& [lambda, c] : f.terms) {
    const int n = lambda.weight();
    Integer number = 0;
    if (f.basis == schur) {
      number = number_of_standard_tableaux(lambda);
    } else if (f.basis == homogeneous || f.basis == elementary) {
      number = factorial(n);
      for (const int part : lambda) number /= factorial(part);
    } else if (lambda[0] <= 1) {
      number = f.basis == SymmetricBasis::power ? factorial(n) : Integer(1);
    }
    result[n] += c * Rational(number);
  }
  std::erase_if(result, [](const auto& term) { return term.second == 0; });
  return result;
}

}  // namespace intertwine
