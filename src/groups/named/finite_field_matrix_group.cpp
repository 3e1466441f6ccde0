// Groups of matrices over finite fields, on orbits of vectors.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/echelon.hpp"
#include "intertwine/exact/finite_field.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using Vector = std::vector<std::uint32_t>;
using Matrix = std::vector<Vector>;  ///< rows

/// The span of the rows.
IncrementalEchelon<GaloisField> span_of(const GaloisField& field, const Matrix& rows) {
  IncrementalEchelon span(field, rows.empty() ? 0 : rows[0].size());
  for (const Vector& row : rows) span.insert(row);
  return span;
}

/// A vector that A fixes up to the factor c, if these form a line.
std::optional<Vector> eigenline(const GaloisField& field, Matrix A, std::uint32_t c) {
  const std::size_t d = A.size();
  for (std::size_t i = 0; i < d; ++i) A[i][i] = field.add(A[i][i], field.negative(c));
  auto span = span_of(field, A);
  if (span.rank() + 1 != d) return std::nullopt;
  span.reduce_rows();
  std::size_t free = 0;
  while (std::ranges::find(span.pivots(), free) != span.pivots().end()) ++free;
  Vector v(d, 0);
  v[free] = 1;
  for (std::size_t r = 0; r + 1 < d; ++r) v[span.pivots()[r]] = field.negative(span.rows()[r][free]);
  return v;
}

Vector times(const GaloisField& field, const Matrix& A, const std::uint32_t* v) {
  Vector image(A.size(), 0);
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A.size(); ++j)
      if (A[i][j] != 0 && v[j] != 0) image[i] = field.add(image[i], field.multiply(A[i][j], v[j]));
  return image;
}

Matrix product(const GaloisField& field, const Matrix& A, const Matrix& B) {
  Matrix C(A.size(), Vector(A.size(), 0));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t k = 0; k < A.size(); ++k)
      for (std::size_t j = 0; A[i][k] != 0 && j < A.size(); ++j)
        C[i][j] = field.add(C[i][j], field.multiply(A[i][k], B[k][j]));
  return C;
}

/// Orbits that span the space, short ones first.
class FieldOrbits {
 public:
  FieldOrbits(const GaloisField& field, const std::vector<Matrix>& generators, const Task& task)
      : field_(field),
        generators_(generators),
        task_(task),
        d_(generators[0].size()),
        vectors_(d_),
        images_(generators.size()),
        span_(field, d_) {}

  std::vector<Permutation> run() {
    const std::vector<Vector> list = candidates();
    for (std::uint64_t limit = 64;; limit *= 16)
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (span_.rank() == d_) return actions();
        if (!span_.contains(list[i])) grow(list[i], std::min<std::uint64_t>(limit, max_named_degree));
        if (span_.rank() < d_ && i + 1 == list.size() && limit >= max_named_degree)
          throw LimitError(
              fmt::format("finite_field_matrix_group: the orbits of vectors that span the space have more "
                          "than {} elements",
                          max_named_degree));
      }
  }

 private:
  /// Eigenvectors of generators and of random products, then the basis vectors.
  std::vector<Vector> candidates() const {
    constexpr std::size_t random_words = 20;
    constexpr std::uint32_t most_factors = 8;
    std::vector<Vector> list;
    std::vector<Matrix> elements = generators_;
    Rng rng(fixed_seed);
    const std::uint64_t cost = std::uint64_t{d_} * d_ * d_;
    for (std::size_t k = 0; k < random_words && cost < 10'000'000; ++k)
      elements.push_back(
          product(field_, elements[rng.below(elements.size())], generators_[rng.below(generators_.size())]));
    for (const Matrix& A : elements) {
      task_.poll();
      for (std::uint32_t c = 1; c < std::min(field_.size(), most_factors) && cost < 10'000'000; ++c)
        if (auto v = eigenline(field_, A, c)) list.push_back(std::move(*v));
    }
    for (std::size_t j = 0; j < d_; ++j) {
      list.emplace_back(d_, 0);
      list.back()[j] = 1;
    }
    return list;
  }

  /// The whole orbit if it has at most `limit` elements that are new; otherwise nothing.
  void grow(const Vector& start, std::uint64_t limit) {
    const std::size_t before = vectors_.size();
    if (vectors_.find(start) != FlatIndex<std::uint32_t>::none) return;
    vectors_.insert(start);
    for (std::size_t i = before; i < vectors_.size(); ++i) {
      if (i % 1024 == 0) task_.poll();
      for (std::size_t k = 0; k < generators_.size(); ++k) {
        const Vector image = times(field_, generators_[k], vectors_[i].data());
        Point place = vectors_.find(image);
        if (place == FlatIndex<std::uint32_t>::none) {
          if (vectors_.size() - before >= limit || vectors_.size() >= max_named_degree) {
            vectors_.truncate(before);
            for (auto& list : images_) list.resize(before);
            return;
          }
          task_.require_memory((vectors_.size() + 1) * (8 * d_ + 4 * generators_.size() + 16), "the orbits of vectors");
          place = vectors_.insert(image);
        }
        images_[k].push_back(place);
      }
    }
    spin(before);
  }

  /// The span of an orbit is found from images of independent vectors alone.
  void spin(std::size_t first) {
    std::vector<std::size_t> queue;
    const auto extend = [&](std::size_t i) {
      if (span_.rank() < d_ && span_.insert(Vector(vectors_[i].begin(), vectors_[i].end()))) queue.push_back(i);
    };
    extend(first);
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const auto& images : images_) extend(images[queue[head]]);
  }

  std::vector<Permutation> actions() const {
    std::vector<Permutation> result;
    for (const auto& list : images_) result.push_back(Permutation::unchecked(list));
    return result;
  }

  const GaloisField& field_;
  const std::vector<Matrix>& generators_;
  const Task& task_;
  std::size_t d_;
  FlatIndex<std::uint32_t> vectors_;
  std::vector<std::vector<Point>> images_;
  IncrementalEchelon<GaloisField> span_;  ///< the span of the vectors
};

void check_generators(const GaloisField& field, const std::vector<Matrix>& generators) {
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const Matrix& A = generators[k];
    if (A.size() != generators[0].size())
      throw DomainError(fmt::format("finite_field_matrix_group: generator {} has {} rows, generator 1 has {}", k + 1,
                                    A.size(), generators[0].size()));
    for (const Vector& row : A) {
      if (row.size() != A.size())
        throw DomainError(
            fmt::format("finite_field_matrix_group: generator {} is not square: it has {} rows and a "
                        "row of {} entries",
                        k + 1, A.size(), row.size()));
      for (const std::uint32_t x : row)
        if (x >= field.size())
          throw DomainError(
              fmt::format("finite_field_matrix_group: generator {} has the entry {}; those of GF({}) are 0 "
                          "to {}",
                          k + 1, x, field.size(), field.size() - 1));
    }
    if (span_of(field, A).rank() != A.size())
      throw DomainError(
          fmt::format("finite_field_matrix_group: generator {} is singular; a group needs invertible matrices", k + 1));
  }
}

}  // namespace

FiniteGroup finite_field_matrix_group(std::uint32_t q, const std::vector<Matrix>& generators, std::string name,
                                      const Task& task) {
  if (!prime_power(q))
    throw DomainError(fmt::format("finite_field_matrix_group: the field size {} is not a power of a prime", q));
  if (q > max_named_degree)
    throw LimitError(
        fmt::format("finite_field_matrix_group: the field size {} exceeds the limit of {}", q, max_named_degree));
  const GaloisField field(q);
  const structure::Matrices structure{fmt::format("GF({})", q), std::move(name)};
  check_generators(field, generators);
  if (generators.empty() || generators[0].empty())
    return FiniteGroup::built_as(structure, 1, std::vector<Permutation>(generators.size(), Permutation::identity(1)));
  std::vector<Permutation> actions = FieldOrbits(field, generators, task).run();
  const std::size_t degree = actions[0].degree();
  FiniteGroup::Coordinates none{0, {}, fmt::format("the group is defined by matrices over GF({}), not over Q", q)};
  return FiniteGroup::built_as(structure, degree, std::move(actions)).with_coordinates(std::move(none));
}

}  // namespace intertwine
