#include "intertwine/groups/matrix_group.hpp"

#include <fmt/format.h>

#include "groups/chain/vector_orbits.hpp"
#include "groups/named/infinite_order.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/linear_algebra.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"

namespace intertwine {

namespace {

void check_shapes(const std::vector<RationalMatrix>& generators, const Task& task) {
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const RationalMatrix& A = generators[k];
    if (A.rows() != A.cols())
      throw DomainError(fmt::format("rational_matrix_group: generator {} is {} x {}, not square", k + 1,
                                    A.rows(), A.cols()));
    if (A.rows() != generators[0].rows())
      throw DomainError(fmt::format("rational_matrix_group: generator {} is {} x {}, generator 1 is {} x {}",
                                    k + 1, A.rows(), A.rows(), generators[0].rows(), generators[0].rows()));
    if (rank(A, task) != A.rows())
      throw DomainError(fmt::format(
          "rational_matrix_group: generator {} is singular; a group needs invertible matrices", k + 1));
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
  throw DomainError(fmt::format(
      "rational_matrix_group: the group is infinite: {} has infinite order, a being the first generator",
      word));
}

}  // namespace

FiniteGroup rational_matrix_group(const std::vector<RationalMatrix>& generators, std::string name,
                                  const Task& task) {
  check_shapes(generators, task);
  const std::size_t d = generators.empty() ? 0 : generators[0].rows();
  const structure::Matrices structure{"Q", std::move(name)};
  FiniteGroup::Coordinates coordinates{
      d, [generators] { return std::vector<FieldMatrix>(generators.begin(), generators.end()); }, {}};
  if (d == 0)
    return FiniteGroup::built_as(structure, 1,
                                 std::vector<Permutation>(generators.size(), Permutation::identity(1)))
        .with_coordinates(std::move(coordinates));
  InfiniteOrderSearch infinite(generators, task);
  constexpr std::uint64_t words_at_first = 60, words_between_rounds = 100;
  if (const auto word = infinite.run(words_at_first)) refuse_infinite(*word);
  OrbitSearch search(generators, minkowski_bound(d), task);
  search.propose(vectors_fixed_by_words(generators, task));
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
  return FiniteGroup::built_as(structure, degree, std::move(orbits.actions))
      .with_coordinates(std::move(coordinates));
}

FiniteGroup matrix_group(const std::vector<FieldMatrix>& generators, std::string name, const Task& task) {
  constexpr std::size_t most_rows = 4096;
  AbelianField K;
  for (const FieldMatrix& A : generators) K = AbelianField::compositum(K, A.field());
  std::vector<RationalMatrix> restricted;
  for (const FieldMatrix& A : generators) {
    if (A.rows() > most_rows / K.degree())
      throw LimitError(
          fmt::format("matrix_group: {} rows over {}, of degree {}, exceed the limit of {} over Q", A.rows(),
                      K.to_string(), K.degree(), most_rows));
    restricted.push_back(restrict_scalars(A.over(K), {}).to_rational());
  }
  const std::size_t d = generators.empty() ? 0 : generators[0].rows();
  return rational_matrix_group(restricted, std::move(name), task)
      .with_coordinates({d, [generators] { return generators; }, {}});
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
