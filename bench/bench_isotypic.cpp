// Isotypic decompositions with their changes of basis, and bases of Hom that go through them.
#include <benchmark/benchmark.h>

#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/io/group_expression.hpp"
#include "intertwine/io/representation_expression.hpp"
#include "intertwine/representations/isotypic_decomposition.hpp"

using namespace intertwine;

namespace {

struct Decomposed {
  const char *group, *representation;
  BaseField over;
  std::size_t components;
};

/// The table and the irreducible matrices are part of what is timed; the components verify themselves.
void decomposition(benchmark::State& state, const Decomposed& c) {
  const FiniteGroup G = parse_finite_group(c.group);
  const Representation V = parse_representation(G, c.representation);
  Integer height = 0;
  for (auto _ : state) {
    const auto components = isotypic_decomposition(V, character_table(G), c.over);
    if (components.size() != c.components) state.SkipWithError("wrong number of components");
    for (const IsotypicComponent& part : components) height = std::max(height, part.inclusion.height());
  }
  state.counters["dimension"] = static_cast<double>(V.dimension());
  state.counters["height"] = height.convert_to<double>();
}

struct Basis {
  const char *group, *in, *out;
  std::uint64_t params;
};

void basis(benchmark::State& state, const Basis& c) {
  const FiniteGroup G = parse_finite_group(c.group);
  const Representation V = parse_representation(G, c.in), U = parse_representation(G, c.out);
  for (auto _ : state)
    if (hom::equivariant_basis(V, U).params() != c.params) state.SkipWithError("wrong dimension");
}

const bool registered = [] {
  static const Decomposed decompositions[] = {
      {"S4", "perm^5", BaseField::complex, 5},
      {"S6", "std^3 + specht(3,2,1)*std + specht(4,2)*std + arrangements(2) + 20*trivial", BaseField::rational, 9},
      {"S9", "std^3", BaseField::rational, 7},
      {"S5", "regular", BaseField::real, 7},
      {"A5", "regular", BaseField::real, 5},
      {"SL(2,5)", "regular", BaseField::real, 9},
      {"C60", "regular", BaseField::rational, 12},
  };
  for (const Decomposed& c : decompositions)
    benchmark::RegisterBenchmark(("decompose/" + std::string(c.group) + ": " + c.representation).c_str(),
                                 [&c](benchmark::State& state) { decomposition(state, c); })
        ->Unit(benchmark::kMillisecond);
  static const Basis bases[] = {
      {"I", "coordinates^2", "coordinates^2", 3},
      {"SL(2,3)", "irrep(5) * irrep(6)", "irrep(4)^2", 2},
      {"C7", "irrep(2)", "regular", 1},
      {"S8", "std^3", "std^3", 41},
  };
  for (const Basis& c : bases)
    benchmark::RegisterBenchmark(("basis/" + std::string(c.group) + ": " + c.in + " -> " + c.out).c_str(),
                                 [&c](benchmark::State& state) { basis(state, c); })
        ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
