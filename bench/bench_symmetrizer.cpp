// The symmetrizer for groups of large order: by orbits where the representations are monomial, by transversals.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "intertwine/equivariant/symmetrizer.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/random.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

using Method = Symmetrizer::Method;

struct Case {
  std::string name, group, in, out;
  Method method;
};

Symmetrizer symmetrizer(const Case& c) {
  const FiniteGroup G = parse_finite_group(c.group);
  const auto representation = [&](const std::string& name) {
    return name == "std" ? standard_representation(G) : natural_permutation_representation(G);
  };
  return {representation(c.in), representation(c.out), {}, c.method};
}

RationalMatrix random_weights(std::size_t rows, std::size_t cols) {
  Rng rng(1);
  std::vector<Rational> entries;
  for (std::size_t k = 0; k < rows * cols; ++k)
    entries.emplace_back(static_cast<long>(rng.below(2001)) - 1000, static_cast<long>(1 + rng.below(12)));
  return {rows, cols, entries};
}

/// The chain, the orbits or the matrices of the strong generators.
void prepare(benchmark::State& state, const Case& c) {
  for (auto _ : state) benchmark::DoNotOptimize(symmetrizer(c));
}

void exact(benchmark::State& state, const Case& c) {
  const Symmetrizer S = symmetrizer(c);
  const RationalMatrix W = random_weights(S.rows(), S.cols());
  if (!S.is_equivariant(S(W))) return state.SkipWithError("not equivariant");
  for (auto _ : state) benchmark::DoNotOptimize(S(W));
}

void real(benchmark::State& state, const Case& c) {
  const Symmetrizer S = symmetrizer(c);
  std::vector<double> W(S.rows() * S.cols()), out(W.size());
  Rng rng(2);
  for (double& x : W) x = static_cast<double>(rng.below(2001)) / 1000 - 1;
  S.apply(W, out);
  if (S.defect(out) > 1e-9) return state.SkipWithError("not equivariant");
  for (auto _ : state) S.apply(W, out);
}

const bool registered = [] {
  for (const Case& c : std::vector<Case>{{"S20_perm_orbits", "S20", "perm", "perm", Method::orbits},
                                         {"S20_perm_transversals", "S20", "perm", "perm", Method::transversals},
                                         {"S20_std", "S20", "std", "std", Method::automatic},
                                         {"S100_perm_orbits", "S100", "perm", "perm", Method::orbits},
                                         {"S100_perm_transversals", "S100", "perm", "perm", Method::transversals},
                                         {"Rubik3_orbits", "Rubik(3)", "perm", "perm", Method::orbits},
                                         {"Rubik3_transversals", "Rubik(3)", "perm", "perm", Method::transversals},
                                         {"M24_std_to_perm", "M24", "std", "perm", Method::automatic}}) {
    for (const auto& [what, run] :
         {std::pair{"prepare", &prepare}, std::pair{"exact", &exact}, std::pair{"double", &real}}) {
      // Exact sums over the transversals of S_100 take ten seconds; nobody wants them beside the orbits.
      if (c.name == std::string("S100_perm_transversals") && what == std::string("exact")) continue;
      benchmark::RegisterBenchmark((c.name + "/" + what).c_str(), run, c)->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
