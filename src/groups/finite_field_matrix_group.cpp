// Groups of matrices over finite fields, on orbits of vectors.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "groups/finite_field.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/groups/matrix_group.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine {

namespace {

using named::GaloisField;
using Vector = std::vector<std::uint32_t>;
using Matrix = std::vector<Vector>;  ///< rows

/// Reduced row echelon form, rows without zeros; returns the pivot columns.
std::vector<std::size_t> eliminate(const GaloisField& field, Matrix& rows) {
  std::vector<std::size_t> pivots;
  const std::size_t cols = rows.empty() ? 0 : rows[0].size();
  for (std::size_t c = 0; c < cols && pivots.size() < rows.size(); ++c) {
    std::size_t pivot = pivots.size();
    while (pivot < rows.size() && rows[pivot][c] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[pivot], rows[pivots.size()]);
    Vector& row = rows[pivots.size()];
    const std::uint32_t scale = field.inverse(row[c]);
    for (std::uint32_t& x : row) x = field.multiply(x, scale);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t factor = rows[i][c];
      if (i == pivots.size() || factor == 0) continue;
      const std::uint32_t minus = field.negative(factor);
      for (std::size_t j = 0; j < cols; ++j)
        rows[i][j] = field.add(rows[i][j], field.multiply(minus, row[j]));
    }
    pivots.push_back(c);
  }
  rows.resize(pivots.size());
  return pivots;
}

/// A vector that A fixes up to the factor c, if these form a line.
std::optional<Vector> eigenline(const GaloisField& field, Matrix A, std::uint32_t c) {
  const std::size_t d = A.size();
  for (std::size_t i = 0; i < d; ++i) A[i][i] = field.add(A[i][i], field.negative(c));
  const std::vector<std::size_t> pivots = eliminate(field, A);
  if (pivots.size() + 1 != d) return std::nullopt;
  std::size_t free = 0;
  while (free < pivots.size() && pivots[free] == free) ++free;
  Vector v(d, 0);
  v[free] = 1;
  for (std::size_t r = 0; r < pivots.size(); ++r) v[pivots[r]] = field.negative(A[r][free]);
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

/// Vectors in the order in which they are reached, found again by their contents.
class VectorTable {
 public:
  explicit VectorTable(std::size_t d) : d_(d), slots_(64, none) {}
  static constexpr Point none = ~Point{0};

  std::size_t size() const { return size_; }
  const std::uint32_t* operator[](std::size_t i) const { return entries_.data() + i * d_; }
  Point find(const Vector& v) const { return slots_[slot_of(v.data())]; }
  Point insert(const Vector& v) {
    entries_.insert(entries_.end(), v.begin(), v.end());
    slots_[slot_of(v.data())] = static_cast<Point>(size_++);
    if (2 * size_ > slots_.size()) {
      slots_.assign(2 * slots_.size(), none);
      place_all();
    }
    return static_cast<Point>(size_ - 1);
  }
  /// Forgets all but the first `count`.
  void truncate(std::size_t count) {
    size_ = count;
    entries_.resize(count * d_);
    std::fill(slots_.begin(), slots_.end(), none);
    place_all();
  }

 private:
  void place_all() {
    for (std::size_t i = 0; i < size_; ++i) slots_[slot_of((*this)[i])] = static_cast<Point>(i);
  }
  std::size_t slot_of(const std::uint32_t* v) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (std::size_t j = 0; j < d_; ++j) {
      hash = (hash ^ v[j]) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask)
      if (slots_[slot] == none || std::equal(v, v + d_, (*this)[slots_[slot]])) return slot;
  }

  std::size_t d_, size_ = 0;
  std::vector<std::uint32_t> entries_;
  std::vector<Point> slots_;
};

/// Orbits that span the space, short ones first.
class FieldOrbits {
 public:
  FieldOrbits(const GaloisField& field, const std::vector<Matrix>& generators, const Task& task)
      : field_(field),
        generators_(generators),
        task_(task),
        d_(generators[0].size()),
        vectors_(d_),
        images_(generators.size()) {}

  std::vector<Permutation> run() {
    const std::vector<Vector> list = candidates();
    for (std::uint64_t limit = 64;; limit *= 16)
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (span_.size() == d_) return actions();
        if (!in_span(list[i])) grow(list[i], std::min<std::uint64_t>(limit, max_named_degree));
        if (span_.size() < d_ && i + 1 == list.size() && limit >= max_named_degree)
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

  bool in_span(const Vector& v) const {
    Matrix rows = span_;
    rows.push_back(v);
    return eliminate(field_, rows).size() == span_.size();
  }

  /// The whole orbit if it has at most `limit` elements that are new; otherwise nothing.
  void grow(const Vector& start, std::uint64_t limit) {
    const std::size_t before = vectors_.size();
    if (vectors_.find(start) != VectorTable::none) return;
    vectors_.insert(start);
    for (std::size_t i = before; i < vectors_.size(); ++i) {
      if (i % 1024 == 0) task_.poll();
      for (std::size_t k = 0; k < generators_.size(); ++k) {
        const Vector image = times(field_, generators_[k], vectors_[i]);
        Point place = vectors_.find(image);
        if (place == VectorTable::none) {
          if (vectors_.size() - before >= limit || vectors_.size() >= max_named_degree) {
            vectors_.truncate(before);
            for (auto& list : images_) list.resize(before);
            return;
          }
          task_.require_memory((vectors_.size() + 1) * (8 * d_ + 4 * generators_.size() + 16),
                               "the orbits of vectors");
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
      const Vector v(vectors_[i], vectors_[i] + d_);
      if (span_.size() == d_ || in_span(v)) return;
      span_.push_back(v);
      eliminate(field_, span_);
      queue.push_back(i);
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
  VectorTable vectors_;
  std::vector<std::vector<Point>> images_;
  Matrix span_;  ///< of the vectors, in echelon form
};

void check_generators(const GaloisField& field, const std::vector<Matrix>& generators) {
  for (std::size_t k = 0; k < generators.size(); ++k) {
    const Matrix& A = generators[k];
    if (A.size() != generators[0].size())
      throw DomainError(fmt::format("finite_field_matrix_group: generator {} has {} rows, generator 1 has {}",
                                    k + 1, A.size(), generators[0].size()));
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
    Matrix rows = A;
    if (eliminate(field, rows).size() != A.size())
      throw DomainError(fmt::format(
          "finite_field_matrix_group: generator {} is singular; a group needs invertible matrices", k + 1));
  }
}

}  // namespace

FiniteGroup finite_field_matrix_group(std::uint32_t q, const std::vector<Matrix>& generators,
                                      std::string name, const Task& task) {
  if (!named::prime_power(q))
    throw DomainError(
        fmt::format("finite_field_matrix_group: the field size {} is not a power of a prime", q));
  if (q > max_named_degree)
    throw LimitError(fmt::format("finite_field_matrix_group: the field size {} exceeds the limit of {}", q,
                                 max_named_degree));
  const GaloisField field(q);
  const structure::Matrices structure{fmt::format("GF({})", q), std::move(name)};
  check_generators(field, generators);
  if (generators.empty() || generators[0].empty())
    return FiniteGroup::built_as(structure, 1,
                                 std::vector<Permutation>(generators.size(), Permutation::identity(1)));
  std::vector<Permutation> actions = FieldOrbits(field, generators, task).run();
  const std::size_t degree = actions[0].degree();
  FiniteGroup::Coordinates none{
      0, {}, fmt::format("the group is defined by matrices over GF({}), not over Q", q)};
  return FiniteGroup::built_as(structure, degree, std::move(actions)).with_coordinates(std::move(none));
}

}  // namespace intertwine
