// Character tables of small groups as files for Lean 4, whose kernel proves them.
#pragma once
#include <cstddef>
#include <string>

#include "intertwine/representations/irreducible.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// The most elements of a group whose table is written for Lean.
inline constexpr std::size_t most_elements_in_lean = 120;
/// Before the work.
/// \throws LimitError for more elements, or more points and generators than a file holds
void require_fits_lean(const FiniteGroup& G, const Task& task = {});

/// A file for Lean 4 alone: the elements of the group, its classes, its table and matrices for each row, with a theorem
/// for each claim. The kernel proves them by computing, and no axiom is used. The file begins with what they say. That
/// the generators are those of the group that one had in mind is all that the writer is believed.
/// \throws DomainError unless all rows have matrices over the complex numbers; LimitError as require_fits_lean, and for
///         numbers with coefficients above 65,535
/// \par Cost  a matrix of every representation for every element
std::string to_lean(const IrreducibleForms& forms, const Task& task = {});
/// Finds the matrices of the table, and writes the file above.
std::string to_lean(const CharacterTable& table, const Task& task = {});

}  // namespace intertwine
