// Changes between the classical bases of symmetric functions.
#include "intertwine/combinatorics/symmetric_function_bases.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/combinatorics/tableau.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/sum_text.hpp"

namespace intertwine {

namespace {

using Terms = std::map<Partition, Rational>;

void add(Terms& terms, const Partition& lambda, const Rational& coefficient) {
  if (coefficient == 0) return;
  const auto [at, fresh] = terms.emplace(lambda, coefficient);
  if (fresh) return;
  at->second += coefficient;
  if (at->second == 0) terms.erase(at);
}

void require_degree(const Partition& lambda) {
  if (lambda.weight() > 60)
    throw LimitError("in_basis: degree " + std::to_string(lambda.weight()) +
                     " needs all its partitions; the limit is 60");
}

/// s_lambda = det(h_{lambda_i - i + j}), rows expanded one by one over sets of columns.
Terms jacobi_trudi(const Partition& lambda, const Task& task) {
  const int rows = lambda.length();
  if (rows > 20)
    throw LimitError("in_basis: the Jacobi-Trudi determinant of " + to_string(lambda) + " has " + std::to_string(rows) +
                     " rows; the limit is 20");
  std::map<unsigned, std::map<Partition, Integer>> level{{0u, {{Partition(), 1}}}};
  for (int i = 0; i < rows; ++i) {
    std::map<unsigned, std::map<Partition, Integer>> next;
    for (const auto& [columns, sum] : level)
      for (int j = 0; j < rows; ++j) {
        const int size = lambda[i] - i + j;
        if (columns >> j & 1 || size < 0) continue;
        task.poll();
        const int sign = std::popcount(columns >> j) % 2 ? -1 : 1;
        for (const auto& [parts, coefficient] : sum) {
          std::vector<int> grown = parts.parts();
          if (size > 0) grown.insert(std::upper_bound(grown.begin(), grown.end(), size, std::greater<>()), size);
          next[columns | 1u << j][Partition(std::move(grown))] += sign * coefficient;
        }
      }
    level = std::move(next);
  }
  Terms terms;
  for (const auto& [columns, sum] : level)
    for (const auto& [parts, coefficient] : sum) add(terms, parts, Rational(coefficient));
  return terms;
}

Terms kostka_row(const Partition& lambda, const Task& task) {
  require_degree(lambda);
  Terms terms;
  for (const Partition& mu : partitions(lambda.weight())) {
    task.poll();
    add(terms, mu, Rational(kostka_number(lambda, mu.parts(), task)));
  }
  return terms;
}

Terms character_row(const Partition& lambda, const Task& task) {
  require_degree(lambda);
  Terms terms;
  for (const Partition& rho : partitions(lambda.weight()))
    add(terms, rho, Rational(symmetric_group_character(lambda, rho, task), centralizer_order(rho)));
  return terms;
}

/// b_lambda as a product of its parts, in Schur functions.
SchurSum expand_product(SymmetricBasis basis, const Partition& lambda, const Task& task) {
  SchurSum sum{Partition()};
  for (const int part : lambda) {
    if (basis == SymmetricBasis::power) {
      sum = multiply_by_power_plethysm(sum, part, {1}, {}, task);
    } else {
      const Partition factor =
          basis == SymmetricBasis::homogeneous ? Partition{part} : Partition(std::vector<int>(part, 1));
      sum = schur_product(sum, SchurSum(factor), {}, task);
    }
  }
  return sum;
}

/// Inverts s = K m from the top of the dominance order, of which the order of Partition is a refinement.
Terms monomials_to_schur(Terms rest, const Task& task) {
  Terms schur;
  while (!rest.empty()) {
    const auto [mu, coefficient] = *rest.begin();
    schur.emplace(mu, coefficient);
    for (const auto& [nu, kostka] : kostka_row(mu, task)) add(rest, nu, -coefficient * kostka);
  }
  return schur;
}

Terms to_schur(const SymmetricFunction& f, const Task& task) {
  if (f.basis == SymmetricBasis::schur) return f.terms;
  if (f.basis == SymmetricBasis::monomial) return monomials_to_schur(f.terms, task);
  Terms result;
  if (f.basis == SymmetricBasis::forgotten) {
    for (const auto& [lambda, coefficient] : monomials_to_schur(f.terms, task))
      result.emplace(lambda.conjugate(), coefficient);
    return result;
  }
  for (const auto& [lambda, coefficient] : f.terms) {
    if (f.basis == SymmetricBasis::power) require_degree(lambda);
    for (const SchurTerm& term : expand_product(f.basis, lambda, task))
      add(result, term.partition, coefficient * Rational(term.coefficient));
  }
  return result;
}

Terms from_schur(const Partition& lambda, SymmetricBasis basis, const Task& task) {
  switch (basis) {
    case SymmetricBasis::power:
      return character_row(lambda, task);
    case SymmetricBasis::monomial:
      return kostka_row(lambda, task);
    case SymmetricBasis::forgotten:
      return kostka_row(lambda.conjugate(), task);
    case SymmetricBasis::homogeneous:
      return jacobi_trudi(lambda, task);
    case SymmetricBasis::elementary:
      return jacobi_trudi(lambda.conjugate(), task);
    case SymmetricBasis::schur:
      break;
  }
  return {{lambda, Rational(1)}};
}

}  // namespace

SymmetricFunction basis_element(SymmetricBasis basis, const Partition& lambda) {
  return {basis, {{lambda, Rational(1)}}};
}

SymmetricFunction to_symmetric_function(const SchurSum& f) {
  SymmetricFunction result;
  for (const SchurTerm& term : f) result.terms.emplace(term.partition, Rational(term.coefficient));
  return result;
}

SchurSum to_schur_sum(const SymmetricFunction& f, const Task& task) {
  std::vector<SchurTerm> terms;
  for (const auto& [lambda, coefficient] : to_schur(f, task)) {
    if (denominator(coefficient) != 1)
      throw DomainError("to_schur_sum: the coefficient " + to_string(coefficient) + " of s" + to_string(lambda) +
                        " is no integer");
    terms.push_back({lambda, numerator(coefficient)});
  }
  return SchurSum(std::move(terms));
}

SymmetricFunction in_basis(const SymmetricFunction& f, SymmetricBasis basis, const Task& task) {
  if (f.basis == basis) return f;
  SymmetricFunction result{basis, {}};
  for (const auto& [lambda, coefficient] : to_schur(f, task))
    for (const auto& [mu, c] : from_schur(lambda, basis, task)) add(result.terms, mu, coefficient * c);
  return result;
}

SymmetricFunction as_character_of_gl(const SymmetricFunction& f, int n, const Task& task) {
  SymmetricFunction result = in_basis(f, SymmetricBasis::schur, task);
  std::erase_if(result.terms, [n](const auto& term) { return term.first.length() > n; });
  return result;
}

Rational dimension(const SymmetricFunction& f, int n, const Task& task) {
  Rational total = 0;
  for (const auto& [lambda, c] : in_basis(f, SymmetricBasis::schur, task).terms)
    total += c * Rational(number_of_semistandard_tableaux(lambda, n));
  return total;
}

namespace {

constexpr std::string_view letters = "sphemf";  // in the order of SymmetricBasis

}  // namespace

SymmetricBasis symmetric_basis(char letter) {
  const std::size_t at = letters.find(letter);
  if (at == std::string_view::npos)
    throw DomainError(std::string("there is no basis ") + letter + "; the bases are s, p, h, e, m and f");
  return static_cast<SymmetricBasis>(at);
}

char letter_of(SymmetricBasis basis) { return letters[static_cast<std::size_t>(basis)]; }

namespace {

std::string written(const SymmetricFunction& f, Notation notation) {
  const char letter = letter_of(f.basis);
  SumText sum(notation);
  for (const auto& [lambda, c] : f.terms)
    sum.add(c, notation == Notation::latex ? std::string{letter} + "_{" + to_latex(lambda) + "}"
                                           : letter + to_string(lambda));
  return sum.str();
}

}  // namespace

std::string to_string(const SymmetricFunction& f) { return written(f, Notation::text); }
std::string to_latex(const SymmetricFunction& f) { return written(f, Notation::latex); }

}  // namespace intertwine
