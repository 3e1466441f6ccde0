// Groups of matrices over finite fields as permutations of vectors or subspaces.
#include "groups/named/field_action.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groups/named/named_support.hpp"
#include "intertwine/combinatorics/flat_index.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/number_theory.hpp"
#include "intertwine/groups/named_groups.hpp"

namespace intertwine::named {

FieldSquare FieldSquare::transpose() const {
  FieldSquare result(n_);
  for (unsigned i = 0; i < n_; ++i)
    for (unsigned j = 0; j < n_; ++j) result(j, i) = (*this)(i, j);
  return result;
}

void FieldSquare::apply(const GaloisField& field, std::span<const FieldElement> v,
                        std::span<FieldElement> image) const {
  for (unsigned i = 0; i < n_; ++i) {
    image[i] = 0;
    for (unsigned j = 0; j < n_; ++j)
      if ((*this)(i, j) != 0 && v[j] != 0) image[i] = field.add(image[i], field.multiply((*this)(i, j), v[j]));
  }
}

FieldSquare product(const GaloisField& field, const FieldSquare& A, const FieldSquare& B) {
  const FieldSquare columns = B.transpose();
  FieldSquare result(A.size());
  std::vector<FieldElement> column(A.size()), image(A.size());
  for (unsigned j = 0; j < A.size(); ++j) {
    for (unsigned i = 0; i < A.size(); ++i) column[i] = columns(j, i);
    A.apply(field, column, image);
    for (unsigned i = 0; i < A.size(); ++i) result(i, j) = image[i];
  }
  return result;
}

std::vector<FieldElement> additive_basis(const GaloisField& field, std::uint32_t q) {
  std::vector<FieldElement> basis;
  const FieldElement w = field.power((field.size() - 1) / (q - 1));
  FieldElement x = 1;
  for (std::uint64_t size = 1; size < q; size *= field.characteristic(), x = field.multiply(x, w)) basis.push_back(x);
  return basis;
}

namespace {

/// The reduced row echelon form of independent rows of length n.
void reduce_rows(const GaloisField& field, std::vector<FieldElement>& rows, std::size_t n) {
  const std::size_t count = rows.size() / n;
  const auto entry = [&](std::size_t i, std::size_t j) -> FieldElement& { return rows[i * n + j]; };
  for (std::size_t column = 0, rank = 0; column < n && rank < count; ++column) {
    std::size_t pivot = rank;
    while (pivot < count && entry(pivot, column) == 0) ++pivot;
    if (pivot == count) continue;
    for (std::size_t j = 0; j < n && pivot != rank; ++j) std::swap(entry(pivot, j), entry(rank, j));
    const FieldElement scale = field.inverse(entry(rank, column));
    for (std::size_t j = column; j < n; ++j) entry(rank, j) = field.multiply(entry(rank, j), scale);
    for (std::size_t i = 0; i < count; ++i)
      if (const FieldElement factor = field.negative(entry(i, column)); i != rank && factor != 0)
        for (std::size_t j = column; j < n; ++j)
          entry(i, j) = field.add(entry(i, j), field.multiply(factor, entry(rank, j)));
    ++rank;
  }
}

}  // namespace

FiniteGroup on_orbit(const GaloisField& field, const std::vector<FieldSquare>& maps, std::vector<FieldElement> start,
                     bool subspaces, const GroupStructure& structure, const Integer& points, const Task& task) {
  const std::string name = to_string(structure);
  require_size(name, points, maps.size());
  const std::size_t n = maps.front().size();
  if (subspaces) reduce_rows(field, start, n);
  FlatIndex<FieldElement> found(start.size());
  found.insert(start);
  std::vector<FieldElement> image(start.size());
  const auto move = [&](const FieldSquare& A, std::span<const FieldElement> x) {
    task.poll();
    for (std::size_t k = 0; k < x.size(); k += n) A.apply(field, x.subspan(k, n), std::span(image).subspan(k, n));
    if (subspaces) reduce_rows(field, image, n);
  };
  for (std::size_t i = 0; i < found.size() && Integer(found.size()) <= points; ++i)
    for (const FieldSquare& A : maps) {
      move(A, found[i]);
      found.insert(image);
    }
  if (Integer(found.size()) != points)
    throw InternalError(fmt::format("{}: the orbit has {} points and not {}", name, found.size(), points.str()));
  const FlatIndex<FieldElement> orbit = found.sorted();
  std::vector<Permutation> generators;
  for (const FieldSquare& A : maps)
    generators.push_back(permutation_by(orbit.size(), [&](std::size_t i) {
      move(A, orbit[i]);
      return orbit.find(image);
    }));
  return FiniteGroup::built_as(structure, orbit.size(), without_redundant(std::move(generators)));
}

Integer bounded_power(unsigned q, unsigned n) {
  Integer result = 1;
  for (unsigned i = 0; i < n && result <= Integer(max_named_degree) * q * q; ++i) result *= q;
  return result;
}

void require_points(const std::string& name, const Integer& points) {
  if (points > Integer(max_named_degree))
    throw LimitError(
        fmt::format("{} would act on more points than the limit of {}; choose a smaller dimension or field", name,
                    max_named_degree));
}

void require_field(const std::string& name, unsigned q) {
  if (!prime_power(q)) throw DomainError(fmt::format("{}: the field size {} is not a power of a prime", name, q));
}

}  // namespace intertwine::named
