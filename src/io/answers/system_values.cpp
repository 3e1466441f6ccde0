// Numbers and matrices for GAP, Sage and Magma.
#include "io/answers/system_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace intertwine {

namespace {

/// A term of a sum, the first if the text before it is empty.
void append_term(std::string& text, const Rational& coefficient, const std::string& factor) {
  const Rational size = abs(coefficient);
  text += coefficient < 0 ? "-" : text.empty() ? "" : "+";
  if (factor.empty() || size != 1) text += to_string(size);
  if (!factor.empty()) text += (size != 1 ? "*" : "") + factor;
}

/// Entry (i, j) in the powers of the generator.
std::string in_powers(Format system, const FieldMatrix& A, std::size_t i, std::size_t j, std::string_view generator) {
  std::string text;
  for (std::size_t l = 0; l < A.field().degree(); ++l) {
    const Rational c = A.coefficients()(i, l * A.cols() + j);
    if (c == 0) continue;
    const std::string power = l < 2 ? "" : (system == Format::sage ? "**" : "^") + std::to_string(l);
    append_term(text, c, l == 0 ? "" : std::string(generator) + power);
  }
  return text.empty() ? "0" : text;
}

std::string system_rows(Format system, const FieldMatrix& A, std::uint32_t n, const Task& task,
                        std::string_view generator) {
  std::string text;
  for (std::size_t i = 0; i < A.rows(); ++i) {
    task.poll();
    task.require_memory(4 * text.size(), "the matrix as text");  // twice while it grows and is put together
    text += i == 0 ? "[" : ", [";
    for (std::size_t j = 0; j < A.cols(); ++j)
      text += (j == 0 ? "" : ", ") +
              (generator.empty() ? system_number(system, A(i, j), n) : in_powers(system, A, i, j, generator));
    text += "]";
  }
  return text;
}

std::string variable(Format system, std::uint32_t v) {
  if (system == Format::gap) return fmt::format("x[{}]", v + 1);
  return system == Format::sage ? fmt::format("x[{}]", v) : fmt::format("P.{}", v + 1);
}

}  // namespace

bool has_long_entries(const Representation& V) {
  constexpr std::uint64_t least_dimension = 16;
  return V.dimension() >= least_dimension && V.field().generator().terms().size() > 1;
}

std::string quoted_words(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

std::uint32_t conductor_of(const FieldMatrix& A) {
  std::uint32_t n = 1;
  if (A.is_rational()) return n;
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) n = std::lcm(n, A(i, j).conductor());
  return n;
}

std::string system_number(Format system, const Cyclotomic& a, std::uint32_t n) {
  if (a.is_rational() || system == Format::gap) return to_string(a);
  std::string text;
  for (const auto& [k, coefficient] : a.terms())
    append_term(text, coefficient,
                system == Format::sage ? fmt::format("E({}, {})", a.conductor(), k)
                                       : fmt::format("z^{}", k * (n / a.conductor())));
  return text;
}

std::string system_matrix(Format system, const FieldMatrix& A, std::uint32_t n, const Task& task,
                          std::string_view generator) {
  return system_matrix(system, system_rows(system, A, n, task, generator), system != Format::sage || A.is_rational());
}

std::string system_matrix(Format system, const std::string& rows, bool rational) {
  if (system == Format::gap) return "[" + rows + "]";
  if (system == Format::sage)
    return fmt::format("matrix({}, [{}])", rational ? "QQ" : "UniversalCyclotomicField()", rows);
  return fmt::format("Matrix(K, [{}])", rows);
}

std::string with_roots(Format system, const std::string& expression, std::uint32_t n) {
  if (system == Format::gap) return expression;
  if (system == Format::sage) return fmt::format("(lambda E: {})(UniversalCyclotomicField().gen)", expression);
  if (n == 1) return expression + " where K is Rationals()";
  return fmt::format("{} where z is K.1 where K is CyclotomicField({})", expression, n);
}

std::string with_roots(Format system, const std::string& expression, const NamedNumbers& names, std::uint32_t n) {
  if (names.empty() || system == Format::gap) return with_roots(system, expression, n);
  const auto number = [&](const auto& named) { return system_number(system, named.second, n); };
  if (system == Format::sage)
    return with_roots(
        system,
        fmt::format("(lambda {}: {})({})", list_of(names, ", ", [](const auto& named) { return named.first; }),
                    expression, list_of(names, ", ", number)),
        n);
  const std::string clauses =
      list_of(names, "", [&](const auto& named) { return fmt::format(" where {} is {}", named.first, number(named)); });
  return with_roots(system, expression + clauses, n);
}

std::string system_polynomial(Format system, std::span<const SystemTerm> terms, std::uint64_t variables,
                              std::uint32_t n) {
  const char* power = system == Format::sage ? "**" : "^";
  const std::string one = variables == 0 ? "" : "*" + variable(system, 0) + power + "0";
  if (terms.empty()) return "0" + one;
  std::string text;
  for (const auto& [coefficient, monomial] : terms) {
    const bool negative = coefficient.is_rational() && to_string(coefficient).front() == '-';
    const std::string size = system_number(system, negative ? -coefficient : coefficient, n);
    std::string product = list_of(monomial, "*", [&](const auto& factor) {
      const auto& [v, e] = factor;
      return variable(system, v) + (e == 1 ? "" : fmt::format("{}{}", power, e));
    });
    text += negative ? "-" : text.empty() ? "" : "+";
    if (product.empty())
      text += (coefficient.is_rational() ? size : "(" + size + ")") + one;
    else if (size == "1")
      text += product;
    else
      text += (coefficient.is_rational() ? size : "(" + size + ")") + "*" + product;
  }
  return text;
}

std::string with_variables(Format system, const std::string& expression, std::uint64_t variables, std::uint32_t n) {
  if (system == Format::gap)
    return variables == 0 ? expression
                          : fmt::format(
                                "CallFuncList(function(x) return {}; end,\n[List([1..{}], i -> "
                                "Indeterminate(Rationals, i))])",
                                expression, variables);
  if (system == Format::sage) {
    std::string names;
    for (std::uint64_t v = 1; v <= variables; ++v) names += fmt::format("{}\"x{}\"", v == 1 ? "" : ", ", v);
    return with_roots(system,
                      fmt::format("(lambda P: (lambda x: {})(P.gens()))(PolynomialRing({}, {}, names=[{}]))",
                                  expression, n == 1 ? "QQ" : "UniversalCyclotomicField()", variables, names),
                      n);
  }
  return with_roots(
      system, variables == 0 ? expression : fmt::format("{} where P is PolynomialRing(K, {})", expression, variables),
      n);
}

}  // namespace intertwine
