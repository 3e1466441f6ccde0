// Littlewood-Richardson products, plethysms, Kronecker products and straightening. Beside them, with the same inputs:
// lrcalc (mult), Symmetrica (schur_schur_plet), GAP and Macaulay2 (SchurRings).
#include <benchmark/benchmark.h>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/decomposition.hpp"

using namespace intertwine;

namespace {

/// Times an expansion whose number of terms and sum of multiplicities are known.
template <class Expand>
void expansion(benchmark::State& state, std::size_t terms, const char* sum, const Expand& expand) {
  for (auto _ : state) {
    const SchurSum f = expand();
    state.PauseTiming();
    Integer total = 0;
    for (const SchurTerm& term : f) total += term.coefficient;
    if (f.size() != terms || total != Integer(sum)) state.SkipWithError("wrong expansion");
    state.ResumeTiming();
  }
}

template <class Expand>
void add(const char* name, std::size_t terms, const char* sum, Expand expand) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    expansion(state, terms, sum, expand);
  })->Unit(benchmark::kMillisecond);
}

Partition staircase(int n) {
  std::vector<int> parts;
  for (int part = n; part > 0; --part) parts.push_back(part);
  return Partition(parts);
}

void straightening(benchmark::State& state, const char* text) {
  const MatrixSize size{4, 4};
  const Bitableau product = parse_bitableau(text, size);
  if (expand(straighten(product, size), size) != expand(product, size))
    state.SkipWithError("wrong straightening");
  for (auto _ : state) benchmark::DoNotOptimize(straighten(product, size));
}

const bool registered = [] {
  add("lr/staircase7", 87452, "151004076", [] { return schur_product(staircase(7), staircase(7)); });
  add("lr/staircase8", 733049, "29588697324", [] { return schur_product(staircase(8), staircase(8)); });
  add("lr/12,9,6,3", 42399, "7412828", [] { return schur_product({12, 9, 6, 3}, {12, 9, 6, 3}); });
  add("lr/40,30,20,10 rows 4", 6016, "654489", [] {
    return schur_product({40, 30, 20, 10}, {40, 30, 20, 10}, {4});
  });
  add("plethysm/12[2]", 77, "77", [] { return plethysm({12}, {2}); });
  add("plethysm/6[4]", 299, "742", [] { return plethysm({6}, {4}); });
  add("plethysm/8[3]", 371, "677", [] { return plethysm({8}, {3}); });
  add("plethysm/8[4]", 2298, "30516", [] { return plethysm({8}, {4}); });
  add("plethysm/20[2]", 627, "627", [] { return plethysm({20}, {2}); });
  add("plethysm/12[3]", 6545, "89117", [] { return plethysm({12}, {3}); });
  add("plethysm/2[64]", 33, "33", [] { return plethysm({2}, {64}); });
  add("plethysm/22[432]", 9844, "137370055", [] { return plethysm({2, 2}, {4, 3, 2}); });
  add("plethysm/321[321]", 15280, "89033564436", [] { return plethysm({3, 2, 1}, {3, 2, 1}); });
  add("kronecker/10,10", 38, "38", [] { return kronecker_product({10, 10}, {10, 10}); });
  add("kronecker/n=25", 1957, "87010720259", [] {
    return kronecker_product({6, 6, 5, 4, 3, 1}, {6, 5, 5, 4, 3, 2});
  });
  for (const char* text : {"[1,4|2,3][2,3|1,4][1,4|2,3]", "[4|1][3|2][2|3][1|4][4|1][3|2][2|3][1|4]"})
    benchmark::RegisterBenchmark((std::string("straighten/") + text).c_str(), [=](benchmark::State& state) {
      straightening(state, text);
    })->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
