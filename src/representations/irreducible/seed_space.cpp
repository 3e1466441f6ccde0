// Vectors that a subgroup multiplies by a linear character.
#include "seed_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "intertwine/error.hpp"
#include "phase_orbits.hpp"
#include "representations/expressions/node.hpp"

namespace intertwine {

namespace {

/// k with value = zeta_N^k.
std::uint32_t exponent_of(const Cyclotomic& value, std::uint32_t N) {
  for (std::uint32_t k = 0; k < N; ++k)
    if (value == Cyclotomic::root_of_unity(N, k)) return k;
  throw InternalError("seed spaces: " + to_string(value) + " is no root of unity of order " + std::to_string(N));
}

/// x_(h i) = sign value^(-1) x_i for vectors, sign value x_i for linear forms: dim V x r in both cases.
FieldMatrix monomial_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                                  std::span<const Cyclotomic> values, bool left, const AbelianField& L,
                                  const Task& task) {
  const auto [N, orbits] = seed_orbits(V, elements, values, left);
  std::vector<std::uint32_t> column;  // of every orbit with a vector
  std::uint32_t count = 0;
  for (const char consistent : orbits.consistent) column.push_back(consistent != 0 ? count++ : 0);
  task.require_memory(16 * V.dimension() * count * L.degree(), "the vectors that a subgroup keeps");
  std::vector<std::vector<Rational>> powers;
  Integer denominator = 1;
  for (std::uint32_t k = 0; k < N; ++k) {
    powers.push_back(L.coordinates(Cyclotomic::root_of_unity(N, k)));
    for (const Rational& c : powers.back())
      denominator = lcm(denominator, Integer(boost::multiprecision::denominator(c)));
  }
  IntegerMatrix coefficients(V.dimension(), count * L.degree());
  for (std::size_t i = 0; i < V.dimension(); ++i) {
    const std::uint32_t orbit = orbits.orbit[i];
    if (orbits.consistent[orbit] == 0) continue;
    const std::vector<Rational>& root = powers[orbits.exponent[i]];
    for (std::size_t k = 0; k < root.size(); ++k)
      if (root[k] != 0)
        coefficients.set(i, k * count + column[orbit],
                         Integer(boost::multiprecision::numerator(Rational(root[k] * denominator))));
  }
  return {L, RationalMatrix(std::move(coefficients), denominator), count};
}

/// dim V x r; the rows of a kernel as columns.
FieldMatrix general_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                                 std::span<const Cyclotomic> values, bool left, const AbelianField& L,
                                 const Task& task) {
  // The equations are over the field of V and the values, often smaller than L.
  AbelianField K = AbelianField::compositum(V.field(), AbelianField::generated_by(values));
  task.require_memory(48 * V.dimension() * V.dimension() * K.degree() * std::max<std::size_t>(elements.size(), 1),
                      "the equations of the vectors that a subgroup keeps");
  std::vector<FieldMatrix> equations;
  for (std::size_t h = 0; h < elements.size(); ++h) {
    task.poll();
    FieldMatrix A = V.field_matrix(elements[h]);
    if (left) A = A.transpose();
    equations.push_back(A.over(K) - values[h] * FieldMatrix::identity(K, V.dimension()));
  }
  if (equations.empty()) return FieldMatrix::identity(L, V.dimension());
  return null_space(vertical_stack(equations), task).over(L).transpose();
}

FieldMatrix eigenvectors(const Representation& V, std::span<const Permutation> elements,
                         std::span<const Cyclotomic> values, bool left, const AbelianField& L, const Task& task) {
  return V.is_monomial() && V.dimension() <= max_degree ? monomial_eigenvectors(V, elements, values, left, L, task)
                                                        : general_eigenvectors(V, elements, values, left, L, task);
}

/// Nothing if a denominator vanishes modulo the prime.
std::optional<SpinWords> spin_modulo(std::span<const FieldMatrix> matrices, const FieldMatrix& seed,
                                     const AbelianField::SplitPrime& prime, const Task& task) {
  std::vector<ModularMatrix> images;
  for (const FieldMatrix& A : matrices) {
    auto image = A.reduce(prime, 0);
    if (!image) return std::nullopt;
    images.push_back(std::move(*image));
  }
  const auto start = seed.reduce(prime, 0);
  return start ? spin(images, *start, task) : std::nullopt;
}

}  // namespace

SeedOrbits seed_orbits(const Representation& V, std::span<const Permutation> elements,
                       std::span<const Cyclotomic> values, bool left) {
  std::uint32_t N = 2;
  for (const Cyclotomic& value : values) N = std::lcm(N, value.conductor());
  std::vector<std::vector<MonomialEntry>> images;
  std::vector<std::uint32_t> steps;
  for (std::size_t h = 0; h < elements.size(); ++h) {
    const SignedPermutation image = V.image(elements[h]);
    auto& entries = images.emplace_back();
    for (const SignedPoint y : image.images()) entries.push_back({y.point(), y.negative() ? N / 2 : 0});
    const std::uint32_t e = exponent_of(values[h], N);
    steps.push_back(left ? (N - e) % N : e);
  }
  return {N, PhaseOrbits(images, steps, N, V.dimension())};
}

FieldMatrix right_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                               std::span<const Cyclotomic> values, const AbelianField& L, const Task& task) {
  return eigenvectors(V, elements, values, false, L, task);
}

FieldMatrix left_eigenvectors(const Representation& V, std::span<const Permutation> elements,
                              std::span<const Cyclotomic> values, const AbelianField& L, const Task& task) {
  return eigenvectors(V, elements, values, true, L, task).transpose();
}

SpinWords spin_words(std::span<const FieldMatrix> matrices, const FieldMatrix& seed, const Task& task) {
  AbelianField K = seed.field();
  for (const FieldMatrix& A : matrices) K = AbelianField::compositum(K, A.field());
  std::vector<FieldMatrix> over;
  for (const FieldMatrix& A : matrices) over.push_back(A.over(K));
  const FieldMatrix start = seed.over(K);
  for (std::size_t k = 0; k < 8; ++k)
    if (auto words = spin_modulo(over, start, K.split_prime(k), task); words && words->size() == seed.rows())
      return std::move(*words);
  throw InternalError(fmt::format("spin_words: a vector of dimension {} does not generate the module", seed.rows()));
}

}  // namespace intertwine
