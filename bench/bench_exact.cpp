// Exact linear algebra: kernels and inverses by word-size primes, lattices, sparse bases; products of cyclotomic numbers.
#include <benchmark/benchmark.h>

#include <vector>

#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/square_root.hpp"
#include "intertwine/random.hpp"

using namespace intertwine;

namespace {

IntegerMatrix random_small(std::size_t rows, std::size_t cols, long bound, Rng& rng) {
  IntegerMatrix A(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      A.set(i, j, static_cast<long>(rng.below(static_cast<std::uint64_t>(2 * bound + 1))) - bound);
  return A;
}

/// `count` entries +-1 in every row.
IntegerMatrix random_sparse(std::size_t rows, std::size_t cols, std::size_t count, Rng& rng) {
  IntegerMatrix A(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < count; ++k) A.set(i, rng.below(cols), rng.below(2) == 0 ? 1L : -1L);
  return A;
}

/// Some rows of A added to others, `steps` times.
IntegerMatrix mixed(const IntegerMatrix& A, std::size_t steps, Rng& rng) {
  const std::size_t r = A.rows();
  IntegerMatrix T = IntegerMatrix::identity(r);
  for (std::size_t k = 0; k < steps; ++k) {
    const std::size_t i = rng.below(r), j = rng.below(r);
    if (i == j) continue;
    for (std::size_t l = 0; l < r; ++l) T.set(i, l, Integer(T(i, l) + T(j, l)));
  }
  return T * A;
}

void product(benchmark::State& state) {
  Rng rng(1);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n, 1000, rng), B = random_small(n, n, 1000, rng);
  for (auto _ : state) benchmark::DoNotOptimize(A * B);
}

/// Numbers of 50 and 4 bits: too large for doubles, but for halves of the first ones.
void halved_product(benchmark::State& state) {
  Rng rng(1);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n, 1L << 49, rng), B = random_small(n, n, 15, rng);
  for (auto _ : state) benchmark::DoNotOptimize(A * B);
}

/// Dense, of rank n/2; the kernel has entries of about n digits.
void dense_kernel(benchmark::State& state) {
  Rng rng(2);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n / 2, 3, rng) * random_small(n / 2, n, 3, rng);
  for (auto _ : state)
    if (null_space(A).rows() != n - n / 2) {
      state.SkipWithError("wrong dimension");
      break;
    }
}

/// The equations of matrices commuting with the permutation matrix of an n-cycle: n^2 unknowns, n solutions.
void commutant_kernel(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  IntegerMatrix P(n, n);
  for (std::size_t i = 0; i < n; ++i) P.set((i + 1) % n, i, 1L);
  const IntegerMatrix one = IntegerMatrix::identity(n),
                      A = kronecker_product(P, one) - kronecker_product(one, P.transpose());
  for (auto _ : state)
    if (null_space(A).rows() != n) {
      state.SkipWithError("wrong dimension");
      break;
    }
}

void dense_inverse(benchmark::State& state) {
  Rng rng(3);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n, 9, rng);
  for (auto _ : state)
    if (!(RationalMatrix(A) * inverse(A) == RationalMatrix::identity(n))) {
      state.SkipWithError("no inverse");
      break;
    }
}

void one_right_side(benchmark::State& state) {
  Rng rng(4);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n, 9, rng), b = random_small(n, 1, 9, rng);
  for (auto _ : state)
    if (const auto x = linear_solve(A, b); !x || !(RationalMatrix(A) * *x == RationalMatrix(b))) {
      state.SkipWithError("no solution");
      break;
    }
}

void characteristic(benchmark::State& state) {
  Rng rng(5);
  const auto n = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = random_small(n, n, 2, rng);
  for (auto _ : state)
    if (characteristic_polynomial(A)[n - 1] != -A.trace()) {
      state.SkipWithError("wrong trace");
      break;
    }
}

void reduced_lattice(benchmark::State& state) {
  Rng rng(6);
  const auto r = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix A = mixed(random_sparse(r, 10 * r, r, rng), 4 * r, rng);
  for (auto _ : state)
    if (lll(A).height() != 1) {
      state.SkipWithError("not reduced");
      break;
    }
}

void sparse_basis(benchmark::State& state) {
  Rng rng(7);
  const auto r = static_cast<std::size_t>(state.range(0));
  const IntegerMatrix hidden = random_sparse(r, 10 * r, 8, rng), A = mixed(hidden, 2 * r, rng);
  for (auto _ : state)
    if (sparsify(A).nonzeros() > 11 * hidden.nonzeros() / 10) {
      state.SkipWithError("not sparse");
      break;
    }
}

/// The square of a number with all powers of E(n); with fractions, or without.
void cyclotomic_square(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const int denominators = state.range(1) != 0 ? 5 : 1;
  std::vector<std::pair<std::int64_t, Rational>> terms;
  for (std::uint32_t k = 0; k < n; ++k)
    terms.emplace_back(k, Rational(static_cast<int>(k * 7919 % 2001) - 1000, 1 + static_cast<int>(k) % denominators));
  const Cyclotomic a = Cyclotomic::from_terms(n, terms);
  for (auto _ : state) benchmark::DoNotOptimize((a * a).hash());
}

/// 1 + E(n)/2 + ... + E(n)^7/2, term by term: sums of fractions.
void cyclotomic_sum(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const Cyclotomic half(Rational(1, 2));
  std::vector<Cyclotomic> terms;
  for (int k = 1; k < 8; ++k) terms.push_back(half * Cyclotomic::root_of_unity(n, k));
  for (auto _ : state) {
    Cyclotomic sum(1);
    for (const Cyclotomic& x : terms) sum += x;
    benchmark::DoNotOptimize(sum.hash());
  }
}

/// The inverse of 1 + E(n) + E(n)^3, which lies in no smaller field.
void cyclotomic_inverse(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const Cyclotomic a = Cyclotomic(1) + Cyclotomic::root_of_unity(n) + Cyclotomic::root_of_unity(n, 3);
  for (auto _ : state) benchmark::DoNotOptimize(a.inverse().hash());
}

/// Matrices over Q(sqrt(-11)) with coordinates of 30 and 6 bits, as a change to a basis of short vectors multiplies.
void field_product(benchmark::State& state) {
  Rng rng(1);
  const auto n = static_cast<std::size_t>(state.range(0));
  const AbelianField K = AbelianField::generated_by(std::vector{square_root(-11)});
  const FieldMatrix A(K, random_small(n, 2 * n, 1L << 29, rng), n), B(K, random_small(n, 2 * n, 63, rng), n);
  for (auto _ : state) benchmark::DoNotOptimize(A * B);
}

}  // namespace

BENCHMARK(product)->Arg(100)->Arg(400)->Unit(benchmark::kMillisecond);
BENCHMARK(halved_product)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(field_product)->Arg(256)->Arg(896)->Unit(benchmark::kMillisecond);
BENCHMARK(dense_kernel)->Arg(40)->Arg(160)->Unit(benchmark::kMillisecond);
BENCHMARK(commutant_kernel)->Arg(10)->Arg(25)->Unit(benchmark::kMillisecond);
BENCHMARK(dense_inverse)->Arg(50)->Arg(150)->Unit(benchmark::kMillisecond);
BENCHMARK(one_right_side)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(characteristic)->Arg(50)->Arg(150)->Unit(benchmark::kMillisecond);
BENCHMARK(reduced_lattice)->Arg(30)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(sparse_basis)->Arg(30)->Arg(150)->Unit(benchmark::kMillisecond);
BENCHMARK(cyclotomic_inverse)->Arg(13)->Arg(61)->Arg(101)->Arg(251)->Unit(benchmark::kMicrosecond);
BENCHMARK(cyclotomic_sum)->Arg(5)->Arg(60)->Arg(1001)->Unit(benchmark::kMicrosecond);
BENCHMARK(cyclotomic_square)->ArgsProduct({{89, 211, 997, 8633}, {0, 1}})->Unit(benchmark::kMicrosecond);
