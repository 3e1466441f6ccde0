// Finite groups of matrices as permutation groups.
#include "intertwine/groups/matrix_group.hpp"

#include <fmt/format.h>

#include "groups/named/infinite_order.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/vector_orbits.hpp"

namespace intertwine {

namespace {

void check_shapes(const std::vector<FieldMatrix>& generators, const Task& task) {
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const FieldMatrix& A = generators[k];
    if (A.rows() != A.cols())
      throw DomainError(fmt::format("matrix_group: generator {} is {} x {}, not square", k + 1, A.rows(), A.cols()));
    if (A.rows() != generators[0].rows())
      throw DomainError(fmt::format("matrix_group: generator {} is {} x {}, generator 1 is {} x {}", k + 1, A.rows(),
                                    A.rows(), generators[0].rows(), generators[0].rows()));
    if (matrix_rank(A, task) != A.rows())
      throw DomainError(
          fmt::format("matrix_group: generator {} is singular; a group needs invertible matrices", k + 1));
  }
}

/// The least common multiple of the orders of the finite subgroups of GL(d, Q): the product over the primes of
/// p^(floor(d/(p-1)) + floor(d/(p(p-1))) + floor(d/(p^2(p-1))) + ...). [Minkowski 1887]
Integer minkowski_bound(std::size_t d) {
  Integer bound = 1;
  for (std::size_t p = 2; p <= d + 1; ++p) {
    if (!is_prime(p)) continue;
    for (std::size_t divisor = p - 1; divisor <= d; divisor *= p)
      bound *= pow(Integer(p), static_cast<unsigned>(d / divisor));
  }
  return bound;
}

[[noreturn]] void refuse_infinite(const std::string& word) {
  throw DomainError(
      fmt::format("matrix_group: the group is infinite: {} has infinite order, a being the first generator", word));
}

}  // namespace

FiniteGroup matrix_group(const std::vector<FieldMatrix>& given, std::string name, const Task& task) {
  constexpr std::size_t most_rows = 4096;
  const structure::Matrices structure{"Q", std::move(name)};
  const std::size_t d = given.empty() ? 0 : given[0].rows();
  FiniteGroup::Coordinates coordinates{d, [given] { return given; }, {}};
  AbelianField K;
  for (const FieldMatrix& A : given) K = AbelianField::compositum(K, A.field());
  if (!K.is_rational() && d > most_rows / K.degree())
    throw LimitError(fmt::format("matrix_group: {} rows over {}, of degree {}, exceed the limit of {} over Q", d,
                                 K.to_string(), K.degree(), most_rows));
  std::vector<FieldMatrix> generators;
  for (const FieldMatrix& A : given) generators.push_back(A.over(K));
  check_shapes(generators, task);
  if (d == 0)
    return FiniteGroup::built_as(structure, 1, std::vector<Permutation>(generators.size(), Permutation::identity(1)))
        .with_coordinates(std::move(coordinates));
  InfiniteOrderSearch infinite(generators, task);
  constexpr std::uint64_t words_at_first = 60, words_between_rounds = 100;
  if (const auto word = infinite.run(words_at_first)) refuse_infinite(*word);
  std::vector<RationalMatrix> restricted;
  for (const FieldMatrix& A : generators) restricted.push_back(restrict_scalars(A, {}).to_rational());
  OrbitSearch search(restricted, minkowski_bound(d * K.degree()), task);
  search.propose(vectors_fixed_by_words(restricted, task));
  std::optional<std::string> word;
  const auto outcome = search.run([&] {
    word = infinite.run(words_between_rounds);
    return !word;
  });
  if (outcome != OrbitSearch::Outcome::spanning) {
    // The group is infinite, and a word that shows it comes with probability 1.
    if (!word) word = infinite.run(InfiniteOrderSearch::without_end);
    refuse_infinite(*word);
  }
  SpanningOrbits orbits = search.result();
  const std::size_t degree = orbits.vectors.rows();
  return FiniteGroup::built_as(structure, degree, std::move(orbits.actions)).with_coordinates(std::move(coordinates));
}

FiniteGroup rational_matrix_group(const std::vector<RationalMatrix>& generators, std::string name, const Task& task) {
  return matrix_group(std::vector<FieldMatrix>(generators.begin(), generators.end()), std::move(name), task);
}

std::vector<RationalMatrix> defining_matrices(const FiniteGroup& G) {
  std::vector<RationalMatrix> result;
  if (!G.coordinates().matrices) return result;
  for (const FieldMatrix& A : G.coordinates().matrices()) {
    if (!A.is_rational()) return {};
    result.push_back(A.to_rational());
  }
  return result;
}

}  // namespace intertwine
