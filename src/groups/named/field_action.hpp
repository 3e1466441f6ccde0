// Matrices over finite fields, and groups of them as permutations of an orbit of vectors or subspaces.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "intertwine/exact/finite_field.hpp"
#include "intertwine/exact/integer.hpp"
#include "intertwine/groups/finite_group.hpp"
#include "intertwine/groups/group_structure.hpp"
#include "intertwine/task.hpp"

namespace intertwine::named {

using FieldElement = GaloisField::Element;

/// n x n over a field, by rows; at first 1.
class FieldSquare {
 public:
  explicit FieldSquare(unsigned n) : n_(n), entries_(std::size_t{n} * n, 0) {
    for (unsigned i = 0; i < n; ++i) (*this)(i, i) = 1;
  }
  FieldElement& operator()(unsigned i, unsigned j) { return entries_[std::size_t{i} * n_ + j]; }
  FieldElement operator()(unsigned i, unsigned j) const { return entries_[std::size_t{i} * n_ + j]; }
  unsigned size() const { return n_; }
  FieldSquare transpose() const;
  void apply(const GaloisField& field, std::span<const FieldElement> v, std::span<FieldElement> image) const;

 private:
  unsigned n_;
  std::vector<FieldElement> entries_;
};

/// A B.
FieldSquare product(const GaloisField& field, const FieldSquare& A, const FieldSquare& B);

/// A F_p-basis of the subfield of q elements.
std::vector<FieldElement> additive_basis(const GaloisField& field, std::uint32_t q);

/// The orbit of the vector `start`, or (`subspaces`) of the span of the vectors that follow one another in it, in lexicographic order of
/// vectors or of reduced row echelon forms, and the action on it. \throws InternalError unless it has as many points as stated
FiniteGroup on_orbit(const GaloisField& field, const std::vector<FieldSquare>& maps, std::vector<FieldElement> start,
                     bool subspaces, const GroupStructure& structure, const Integer& points, const Task& task);

/// q^n, cut off once it exceeds every limit.
Integer bounded_power(unsigned q, unsigned n);
/// Before any table of a field is made. \throws LimitError above max_named_degree
void require_points(const std::string& name, const Integer& points);
/// \throws DomainError if q is no prime power
void require_field(const std::string& name, unsigned q);

}  // namespace intertwine::named
