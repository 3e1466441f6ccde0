#include "intertwine/exact/sparse_equations.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "intertwine/exact/linear_algebra.hpp"
#include "support/random.hpp"

using namespace intertwine;

namespace {

/// Do the solutions, one for each free unknown, solve every equation?
bool solves(const SolvedEquations& solved, const std::vector<IntegralEquation>& equations) {
  for (const IntegralEquation& e : equations) {
    std::map<std::uint32_t, Rational> sums;
    for (const auto& [unknown, value] : e.terms) {
      const auto at = std::ranges::find(solved.determined, unknown, [](const auto& d) { return d.first; });
      if (at == solved.determined.end())
        sums[unknown] += Rational(value);
      else
        for (const auto& term : at->second)
          sums[term.unknown] += Rational(value) * Rational(term.numerator) / Rational(term.denominator);
    }
    if (std::ranges::any_of(sums, [](const auto& s) { return s.second != 0; })) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("sparse equations are solved over Q for as many unknowns as their rank", "[exact][quick]") {
  auto random = test_rng();
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t unknowns = 1 + random.below(30), count = random.below(30);
    // Every fourth system has numbers beyond what one prime proves.
    const std::int64_t scale = trial % 4 == 3 ? std::int64_t{1} << 30 : 3;
    std::vector<IntegralEquation> equations;
    IntegerMatrix dense(std::max<std::size_t>(count, 1), unknowns);
    for (std::size_t i = 0; i < count; ++i) {
      equations.emplace_back();
      for (std::uint32_t j = 0; j < unknowns; ++j) {
        if (random.below(4) != 0 || (scale > 3 && equations.back().terms.size() == 2)) continue;
        const auto value = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * scale + 1))) - scale;
        if (value == 0) continue;
        equations.back().terms.emplace_back(j, value);
        dense.set(i, j, static_cast<long>(value));
      }
    }
    if (scale > 3 && equations.size() > 2) {
      for (std::size_t i = 2; i < equations.size(); ++i)
        for (const auto& term : equations[i].terms) dense.set(i, term.first, 0L);
      equations.resize(2);
    }
    CAPTURE(trial, unknowns, count);
    const SolvedEquations solved = solve_equations(equations, unknowns, {});
    CHECK(solved.free.size() == unknowns - matrix_rank(dense));
    CHECK(solved.free.size() + solved.determined.size() == unknowns);
    CHECK(std::ranges::is_sorted(solved.free));
    CHECK(solves(solved, equations));
  }
}

TEST_CASE("a wrong solution of sparse equations is none", "[exact][quick]") {
  const std::vector<IntegralEquation> equations{{{{0, 2}, {1, -3}}}};
  SolvedEquations solved = solve_equations(equations, 2, {});
  REQUIRE(solved.determined.size() == 1);
  CHECK(solves(solved, equations));
  solved.determined[0].second[0].numerator += 1;
  CHECK_FALSE(solves(solved, equations));
}
