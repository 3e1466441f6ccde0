// Values as expressions of GAP, Sage and Magma.
//
// All three multiply permutations from left to right and let matrices act on row vectors: matrices of representations are
// transposed for them, so that products go the same way. Sage's text is Python too, for what it needs is in `sage.all`.
#pragma once
#include <string>

#include "intertwine/combinatorics/symmetric_function_bases.hpp"
#include "intertwine/exact/cyclotomic.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Is this format the language of a system?
constexpr bool is_system(Format format) {
  return format == Format::gap || format == Format::sage || format == Format::magma;
}

/// A permutation group: `Group((1,2,3),(1,2))`, `PermutationGroup(["(1,2,3)", "(1,2)"], domain=range(1, 4))`,
/// `PermutationGroup<3 | (1,2,3), (1,2)>`. The points of a group in GAP are those that move. \throws InternalError
/// unless it is a system, as below
std::string to_system(Format system, const FiniteGroup& G);
/// GAP: to_gap, a homomorphism; Sage: the list of the matrices of the group's generators; Magma: a G-module.
std::string to_system(Format system, const Representation& V, const Task& task = {});
/// GAP: a list of pairs of a partition and its coefficient; Sage: an element of SymmetricFunctions(QQ), Magma: of an algebra of
/// symmetric functions. \throws DomainError for the forgotten functions in Magma, which has none
std::string to_system(Format system, const SymmetricFunction& f);

/// The rows of a table as a list of lists (Sage: of tuples, Magma: of tuples in a list), in the order of its columns; of several tables a
/// list of these. Numbers, partitions and weights are such, everything else is words.
std::string to_system(Format system, const Sheets& sheets);

/// A matrix and a number. In GAP a list of lists; in Sage over Q where this is enough.
std::string to_system(Format system, const FieldMatrix& A, const Task& task = {});
std::string to_system(Format system, const Cyclotomic& a);

/// The contents of a file in this language: the value of the expression as `intertwine`, which GAP's Read and
/// ReadAsFunction set alike.
std::string statement(Format system, const std::string& expression);

}  // namespace intertwine
