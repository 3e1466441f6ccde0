// Molien series by Molien's formula modulo primes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <numeric>

#include "intertwine/characters/class_function.hpp"
#include "intertwine/characters/hilbert_series.hpp"
#include "intertwine/error.hpp"
#include "table_data.hpp"

namespace intertwine {

namespace {

using Element = PrimeField::Element;

/// For every class how often zeta_n^j is an eigenvalue of its representative, n the element order.
std::vector<std::vector<std::int64_t>> eigenvalues(const ModularCharacters& s, const ClassFunction& f) {
  const PrimeField& field = s.field;
  std::vector<Element> values;
  for (const Cyclotomic& a : f.values()) values.push_back(s.residue(a));
  std::vector<std::vector<std::int64_t>> result;
  for (std::size_t c = 0; c < s.size(); ++c) {
    const auto& power = s.powers.of[c];
    const std::uint64_t n = power.size();
    const Element scale = field.inverse(field.from(static_cast<std::int64_t>(n)));
    auto& counts = result.emplace_back();
    for (std::uint64_t j = 0; j < n; ++j) {
      Element sum = 0;
      for (std::uint64_t k = 0; k < n; ++k)
        sum = field.add(sum, field.multiply(values[power[k]], s.root(n, (n - j) * k)));
      counts.push_back(field.symmetric(field.multiply(sum, scale)));
    }
  }
  return result;
}

/// The least cyclotomic factors that every det(1 - t g) divides.
hilbert::CyclotomicFactors common_factors(const std::vector<std::vector<std::int64_t>>& eigenvalues) {
  hilbert::CyclotomicFactors need;
  for (const auto& counts : eigenvalues)
    for (std::uint64_t j = 0; j < counts.size(); ++j) {
      if (counts[j] == 0) continue;
      auto& most = need[counts.size() / std::gcd<std::uint64_t>(counts.size(), j)];
      most = std::max(most, counts[j]);
    }
  return need;
}

/// The first coefficients modulo p: sum over classes of weight conj(psi) prod 1 / (1 - lambda t).
std::vector<std::uint64_t> series(const ModularCharacters& s, const std::vector<std::vector<std::int64_t>>& eigenvalues,
                                  const ClassFunction& psi, std::size_t count, const Task& task) {
  const PrimeField& f = s.field;
  std::vector<Element> sum(count, 0), term(count);
  for (std::size_t c = 0; c < s.size(); ++c) {
    const Element factor = f.multiply(s.weight[c], s.residue(psi[s.powers.inverse(c)]));
    if (factor == 0) continue;
    std::fill(term.begin(), term.end(), 0);
    term[0] = factor;
    for (std::uint64_t j = 0; j < eigenvalues[c].size(); ++j) {
      const Element lambda = s.root(eigenvalues[c].size(), j);
      for (std::int64_t m = eigenvalues[c][j]; m > 0; --m) {
        task.poll();
        for (std::size_t k = 1; k < count; ++k) term[k] = f.add(term[k], f.multiply(lambda, term[k - 1]));
      }
    }
    for (std::size_t k = 0; k < count; ++k) sum[k] = f.add(sum[k], term[k]);
  }
  std::vector<std::uint64_t> result;
  for (const Element x : sum) result.push_back(f.residue(x));
  return result;
}

/// Operations of a prime field for the first `count` coefficients: primes of 60 bits up to the largest one, each a pass
/// over the classes and eigenvalues.
Integer cost_of(std::uint64_t count, std::uint64_t dimension, std::size_t classes) {
  // binomial(count + d, d) < (3 (count + d) / m)^m for the smaller of count and d
  const std::uint64_t m = std::max<std::uint64_t>(std::min(count, dimension), 1),
                      bits = m * std::bit_width(3 * (count + dimension) / m);
  return Integer(1 + bits / 60) * classes * (1 + dimension) * count;
}
/// Some seconds of a core.
constexpr std::uint64_t cheap_series = 2'000'000'000;

}  // namespace

MolienSeries molien_series(const ClassFunction& f, const ClassFunction& psi, std::size_t count, const Task& task) {
  constexpr std::size_t max_count = 100'000;
  if (count > max_count)
    throw LimitError(fmt::format("molien_series: {} coefficients exceed the limit of {}", count, max_count));
  multiplicities(f);  // throws unless f is a character
  multiplicities(psi);
  inner_product(f, psi);  // throws unless they belong together
  const Integer dimension = f.degree().to_integer();
  if (dimension > Integer(max_count))
    throw LimitError(
        fmt::format("molien_series: the dimension {} exceeds the limit of {}", dimension.str(), max_count));
  const auto d = dimension.convert_to<std::uint64_t>();
  const ConjugacyClasses& classes = f.table().classes();
  const PowerTable powers(classes);
  Integer least = Integer(1) << 60, modulus = 1;
  MolienSeries result;
  std::size_t total = std::max<std::size_t>(count, 1);
  hilbert::CyclotomicFactors need;
  bool closed = false, tries_parameters = false;
  for (Integer bound = 0; modulus <= bound || modulus == 1;) {
    const ModularCharacters s(classes, powers, least);
    const auto all = eigenvalues(s, f);
    if (modulus == 1) {
      need = common_factors(all);
      result.degrees = hilbert::common_denominator(need);
      const std::uint64_t sum = std::accumulate(result.degrees.begin(), result.degrees.end(), std::uint64_t{0});
      // The closed form takes more coefficients than were asked for: only where these cost little.
      const auto is_cheap = [&](std::size_t wanted) {
        return wanted <= total || cost_of(wanted, d, s.size()) <= cheap_series;
      };
      closed = sum - d < max_count && is_cheap(sum - d + 1);
      if (closed) total = std::max<std::size_t>(total, sum - d + 1);
      const std::uint64_t for_parameters = d * hilbert::largest_parameter_tried(d) + 1;
      tries_parameters = d > 0 && is_cheap(for_parameters);
      if (tries_parameters) total = std::max<std::size_t>(total, for_parameters);
      bound = psi.degree().to_integer() * binomial(total + d, d);
      result.coefficients.assign(total, 0);
    }
    const auto residues = series(s, all, psi, total, task);
    const Integer p = s.field.p();
    // x = old + modulus * ((residue - old) / modulus mod p)
    const Element inverse = s.field.inverse(s.field.from(modulus));
    for (std::size_t k = 0; k < total; ++k) {
      const Element difference =
          s.field.subtract(s.field.from(static_cast<std::int64_t>(residues[k])), s.field.from(result.coefficients[k]));
      result.coefficients[k] += modulus * s.field.residue(s.field.multiply(difference, inverse));
    }
    modulus *= p;
    least = p + 1;
  }
  // Every term of Molien's sum has degree -d as a rational function, and so has their sum at most.
  const auto degree = -static_cast<std::int64_t>(d);
  if (tries_parameters)
    if (auto degrees = hilbert::parameter_degrees(need, result.coefficients, d, degree); !degrees.empty()) {
      result.degrees = std::move(degrees);
      closed = true;
    }
  if (closed) result.numerator = hilbert::numerator_of(result.coefficients, result.degrees, degree);
  result.coefficients.resize(count);
  return result;
}

}  // namespace intertwine
