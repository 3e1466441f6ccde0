// Littlewood-Richardson products, plethysms, Kronecker products, branching, coordinate rings and polynomial equivariants.
// scripts/bench --only-functors runs lrcalc, Symmetrica, LiE and Macaulay2 beside it, on the same inputs.
#include <benchmark/benchmark.h>

#include "intertwine/combinatorics/symmetric_group_characters.hpp"
#include "intertwine/equivariant/polynomial_maps.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

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
  if (expand(straighten(product, size), size) != expand(product, size)) state.SkipWithError("wrong straightening");
  for (auto _ : state) benchmark::DoNotOptimize(straighten(product, size));
}

void coefficient(benchmark::State& state, const Partition& lambda, const Partition& mu, const Partition& nu,
                 const char* expected) {
  for (auto _ : state)
    if (kronecker_coefficient(lambda, mu, nu) != Integer(expected)) state.SkipWithError("wrong coefficient");
}

/// Every piece of every degree up to 8 of the coordinate ring of 3 x 3 matrices, with its bases.
void coordinate_ring(benchmark::State& state) {
  const MatrixSize size{3, 3};
  for (auto _ : state) {
    Integer bitableaux = 0, isotypic = 0;
    for (int d = 0; d <= 8; ++d)
      for (const FiltrationPiece& piece : filtration_pieces(d, size)) {
        bitableaux += standard_bitableaux(piece.shape, size).size();
        isotypic += isotypic_basis(piece.shape, size).size();
      }
    if (bitableaux != binomial(17, 8) || isotypic != bitableaux) state.SkipWithError("wrong number");
  }
}

/// The number of terms of a list.
template <class Work>
void counted(const char* name, std::size_t expected, Work work) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    for (auto _ : state)
      if (work() != expected) state.SkipWithError("wrong number of terms");
  })->Unit(benchmark::kMillisecond);
}

void register_functors() {
  benchmark::RegisterBenchmark("kronecker/coefficient of 60 in three rows", [](benchmark::State& state) {
    coefficient(state, {30, 20, 10}, {30, 20, 10}, {30, 20, 10}, "3745335");
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("kronecker/coefficient of 60 in four rows", [](benchmark::State& state) {
    coefficient(state, {20, 16, 13, 11}, {18, 17, 14, 11}, {22, 15, 12, 11}, "4784296140098");
  })->Unit(benchmark::kMillisecond);
  counted("cauchy/Sym^30(C^4 x C^4)", 297, [] { return cauchy_decomposition(30, 4, 4).size(); });
  counted("cauchy/S_321(C^4 x C^4)", 61, [] { return schur_functor_decomposition({3, 2, 1}, 4, 4).size(); });
  counted("branch/s_86432 to O(10)", 263, [] { return restrict_to_orthogonal(SchurSum({8, 6, 4, 3, 2}), 10).size(); });
  counted("branch/s_86432 to Sp(10)", 246, [] { return restrict_to_symplectic(SchurSum({8, 6, 4, 3, 2}), 10).size(); });
  counted("branch/s_432 to S_100", 51, [] { return restrict_to_symmetric_group(SchurSum({4, 3, 2}), 100).size(); });
  benchmark::RegisterBenchmark("coordinate ring/3 x 3, degrees 0 to 8", coordinate_ring)->Unit(benchmark::kMillisecond);
  counted("polynomials/S6: perm to perm, degree 3", 7, [] {
    const Representation V = natural_permutation_representation(symmetric_group(6));
    return polynomial_maps(V, V, 3).maps.size();
  });
  counted("polynomials/W(E6): coordinates, degree 5", 2, [] {
    const Representation V = coordinate_representation(weyl_group('E', 6));
    return polynomial_maps(V, V, 5).maps.size();
  });
}

const bool registered = [] {
  register_functors();
  add("lr/staircase7", 87452, "151004076", [] { return schur_product(staircase(7), staircase(7)); });
  add("lr/staircase8", 733049, "29588697324", [] { return schur_product(staircase(8), staircase(8)); });
  add("lr/12,9,6,3", 42399, "7412828", [] { return schur_product({12, 9, 6, 3}, {12, 9, 6, 3}); });
  add("lr/40,30,20,10 rows 4", 6016, "654489", [] { return schur_product({40, 30, 20, 10}, {40, 30, 20, 10}, {4}); });
  add("plethysm/12[2]", 77, "77", [] { return plethysm({12}, {2}); });
  add("plethysm/6[4]", 299, "742", [] { return plethysm({6}, {4}); });
  add("plethysm/8[3]", 371, "677", [] { return plethysm({8}, {3}); });
  add("plethysm/8[4]", 2298, "30516", [] { return plethysm({8}, {4}); });
  add("plethysm/20[2]", 627, "627", [] { return plethysm({20}, {2}); });
  add("plethysm/12[3]", 6545, "89117", [] { return plethysm({12}, {3}); });
  add("plethysm/2[64]", 33, "33", [] { return plethysm({2}, {64}); });
  add("plethysm/22[432]", 9844, "137370055", [] { return plethysm({2, 2}, {4, 3, 2}); });
  add("plethysm/321[321]", 15280, "89033564436", [] { return plethysm({3, 2, 1}, {3, 2, 1}); });
  add("kronecker/10,10", 38, "38", [] { return kronecker_product(Partition{10, 10}, Partition{10, 10}); });
  add("kronecker/n=25", 1957, "87010720259", [] { return kronecker_product({6, 6, 5, 4, 3, 1}, {6, 5, 5, 4, 3, 2}); });
  for (const char* text : {"[1,4|2,3][2,3|1,4][1,4|2,3]", "[4|1][3|2][2|3][1|4][4|1][3|2][2|3][1|4]"})
    benchmark::RegisterBenchmark((std::string("straighten/") + text).c_str(), [=](benchmark::State& state) {
      straightening(state, text);
    })->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
