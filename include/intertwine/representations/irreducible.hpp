// Irreducible representations by explicit matrices.
#pragma once
#include <string>
#include <vector>

#include "intertwine/characters/character_table.hpp"
#include "intertwine/exact/field_matrix.hpp"
#include "intertwine/representations/representation.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// A subgroup H and a linear character l of it that occurs once in an irreducible representation R restricted to H: R
/// has one line of vectors with h w = l(h) w. Every map from R to V is known by the image of w.
struct MultiplicityOneSeed {
  std::vector<Permutation> generators;  ///< of H
  std::vector<Cyclotomic> values;       ///< of l at them
  FieldMatrix vector;                   ///< w, dim R x 1
};

/// An irreducible representation over an explicit field, verified: its images are those of an invariant subspace of a
/// representation, and its traces are the character.
struct IrreducibleRepresentation {
  std::size_t row;                ///< of the character in the table
  Representation representation;  ///< over representation.field()
  MultiplicityOneSeed seed;
  /// "Young's natural form", "induced from a linear character of a subgroup of index 5", ...
  std::string construction;
  /// The field is the character field; otherwise none such was found, or (where `schur_index` says so) there is none.
  bool over_character_field;
};

/// Matrices for the irreducible character number k of the table, over its character field wherever it can be realized
/// there, with small entries.
/// \throws DomainError unless k < table.size(); LimitError by the task's limits or saying what was not found.
IrreducibleRepresentation irreducible_representation(const CharacterTable& table, std::size_t k,
                                                     const Task& task = {});
/// All of them, in the order of the table; searches are shared.
std::vector<IrreducibleRepresentation> irreducible_representations(const CharacterTable& table, const Task& task = {});

}  // namespace intertwine
