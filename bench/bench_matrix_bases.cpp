// Certified bases of Hom for representations given by matrices, from the matrices to the proof.
#include <benchmark/benchmark.h>

#include <cmath>
#include <functional>

#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/hom/equivariant_basis.hpp"
#include "intertwine/representations/actions.hpp"
#include "intertwine/representations/matrix_representations.hpp"

using namespace intertwine;

namespace {

/// 3 n random row operations: determinant 1, small entries in the matrix and its inverse.
RationalMatrix random_unimodular(std::size_t n) {
  Rng rng(7);
  IntegerMatrix T = IntegerMatrix::identity(n);
  for (std::size_t step = 0; step < 3 * n; ++step) {
    const std::size_t i = rng.below(n), j = rng.below(n);
    if (i == j) continue;
    const long c = rng.below(2) == 0 ? 1 : -1;
    for (std::size_t k = 0; k < n; ++k) T.set(i, k, T(i, k) + c * T(j, k));
  }
  return T;
}

/// Powers e^(1.5 x), x nearly normal (a sum of twelve uniform numbers), rounded to multiples of 1/1000.
RationalMatrix random_scaling(std::size_t n) {
  Rng rng(7);
  IntegerMatrix T(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    double x = -6;
    for (int k = 0; k < 12; ++k) x += static_cast<double>(rng.below(1U << 20)) / (1U << 20);
    T.set(i, i, std::max(1L, static_cast<long>(1000 * std::exp(1.5 * x))));
  }
  return {T, 1000};
}

Representation hidden(const Representation& P, const RationalMatrix& T) {
  const RationalMatrix back = inverse(T);
  std::vector<RationalMatrix> images;
  for (const RationalMatrix& M : P.generator_matrices()) images.push_back(back * M * T);
  return matrix_representation(P.group(), images);
}

struct Case {
  const char* name;
  std::uint64_t params;
  std::function<std::pair<Representation, Representation>()> make;
};

void certified_basis(benchmark::State& state, const Case& c) {
  for (auto _ : state) {
    const auto [V, U] = c.make();
    const hom::Basis basis = hom::equivariant_basis(V, U);
    if (basis.params() != c.params) {
      state.SkipWithError("wrong dimension");
      break;
    }
    if (basis.is_tied()) continue;
    state.counters["height"] = static_cast<double>(basis.blocks().front().weights.space().height());
    state.counters["density"] = basis.blocks().front().weights.space().density();
  }
}

const bool registered = [] {
  static const auto twice = [](const Representation& V) { return std::pair(V, V); };
  static const Case cases[] = {
      {"S6/specht(3,2,1)/specht(3,2,1)^2", 5,
       [] {
         const Representation S = specht_module(symmetric_group(6), Partition({3, 2, 1}));
         return std::pair(S, tensor_power(S, 2));
       }},
      {"S7/specht(4,2,1)/specht(3,2,2)*perm", 1,
       [] {
         const FiniteGroup G = symmetric_group(7);
         return std::pair(specht_module(G, Partition({4, 2, 1})),
                          specht_module(G, Partition({3, 2, 2})) * natural_permutation_representation(G));
       }},
      {"A5/hidden_regular_60", 60,
       [] { return twice(hidden(regular_representation(alternating_group(5)), random_unimodular(60))); }},
      {"D4/hidden_pixels_10x10", 1275,
       [] {
         return twice(hidden(natural_permutation_representation(pixel_group("D4", 10, 10)), random_unimodular(100)));
       }},
      {"D4/scaled_pixels_4x4", 36,
       [] { return twice(hidden(natural_permutation_representation(pixel_group("D4", 4, 4)), random_scaling(16))); }},
      {"E8/reflection/reflection^2", 0,
       [] {
         const Representation R = coordinate_representation(weyl_group('E', 8));
         return std::pair(R, tensor_power(R, 2));
       }},
      {"E8/reflection^2/reflection^2", 3,
       [] { return twice(tensor_power(coordinate_representation(weyl_group('E', 8)), 2)); }},
      {"Oh/coordinates^2/coordinates^2", 4,
       [] { return twice(tensor_power(coordinate_representation(point_group("Oh")), 2)); }},
  };
  for (const Case& c : cases)
    benchmark::RegisterBenchmark((std::string("matrix_basis/") + c.name).c_str(), [&c](benchmark::State& state) {
      certified_basis(state, c);
    })->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
